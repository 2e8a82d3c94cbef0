"""What the tests of the club's pages share."""

from collections.abc import Iterator

import pytest

from scoring.models import Player, Session
from tests.ledger.conftest import breaches


@pytest.fixture(autouse=True)
def sound(db: None) -> Iterator[None]:
    """After every test here the audit must find nothing."""
    yield
    assert breaches() == []


def named(session: Session, name: str) -> Player:
    return Player.objects.get(club=session.club, name=name)
