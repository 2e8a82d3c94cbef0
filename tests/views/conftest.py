"""A session for the tests of pages, and an audit after every test."""

from collections.abc import Iterator

import pytest

from scoring.models import Session
from tests.access.conftest import Cast, whole_cast
from tests.ledger.conftest import breaches, start


@pytest.fixture
def session(db: None) -> Iterator[Session]:
    """Ann, Bob and Cat at 1.00 a point. Ann has the button, so Bob is under the gun."""
    started = start()
    yield started
    assert breaches() == []


@pytest.fixture
def cast(db: None) -> Cast:
    """Browsers with every kind of link to the same evening."""
    return whole_cast()
