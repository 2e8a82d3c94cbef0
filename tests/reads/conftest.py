"""Reuses the evenings and the audit of the ledger's tests, and the cast of the access tests."""

from tests.access.conftest import cast
from tests.ledger.conftest import corrupts, promises_kept, session, statements

__all__ = ["cast", "corrupts", "promises_kept", "session", "statements"]
