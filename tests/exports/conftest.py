"""Reuses the fixtures of the page tests."""

from tests.views.conftest import session

__all__ = ["session"]
