"""What the tests of the club's pages share."""

from collections.abc import Iterator

import pytest

from scoring.ledger import audit
from scoring.models import Player, Session


@pytest.fixture(autouse=True)
def sound(db: None) -> Iterator[None]:
    """After every test here the audit must find nothing."""
    yield
    assert [str(finding) for finding in audit.of_everything()] == []


def named(session: Session, name: str) -> Player:
    return Player.objects.get(club=session.club, name=name)
