"""The table of three of the pages' tests."""

from tests.views.conftest import session

__all__ = ["session"]
