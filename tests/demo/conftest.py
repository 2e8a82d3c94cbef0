"""The demo, made once for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps import apps
from pytest_django import DjangoDbBlocker

from scoring import demo
from scoring.models import DEMO, Club, Session
from tests.access.conftest import forgotten, kept


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[bool]:
    with kept(django_db_blocker, demo.make) as one:
        yield one


@pytest.fixture
def club(made: bool, db: None) -> Club:
    """The demo's club, in which all was played that is played before anybody looks."""
    assert made
    forgotten()
    return Club.objects.get(public_id=DEMO)


@pytest.fixture
def tonight(club: Club) -> Session:
    """The demo's last session, before the first hand."""
    return Session.objects.get(club=club, number=4)


def counts() -> dict[str, int]:
    """The rows of each table."""
    found = {model.__name__: model._default_manager.count() for model in apps.get_app_config("scoring").get_models()}
    return {name: count for name, count in found.items() if name != "Tally"}


def last() -> Session:
    return Session.objects.get(club__public_id=DEMO, number=4)
