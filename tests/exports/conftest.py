"""Reuses the fixtures of the page tests, and of the ledger's a session in which people owe money."""

from tests.ledger.conftest import owing
from tests.views.conftest import session

__all__ = ["owing", "session"]
