"""A session whose rows a test breaks, so that nothing is audited afterwards."""

import pytest

from scoring.models import Session
from tests.ledger.conftest import start


@pytest.fixture
def session(db: None) -> Session:
    """Ann (button), Bob and Cat at 1.00 per point."""
    return start()
