"""The cast: browsers with every kind of link to the same evening, and one without a link."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from scoring import ledger
from scoring.access import links
from scoring.access.links import Role
from scoring.models import Link, Seat, Session
from tests.ledger.conftest import act, key, settle, start
from tests.pages import form

WHO = ("nobody", "revoked", "other", "viewer", "seat", "scorer", "host", "closed")
"""No link; a revoked host's link; the host of another club; a viewer, a scorer tied to a seat, a scorer, and the host;
and the host of a closed session.
"""


def issue(session: Session, role: Role, **given: Any) -> tuple[Link, str]:
    """A link to this session, or to its club."""
    given.setdefault("name", role.label)
    where = None if role is Role.HOST else session
    return links.issue(club=session.club, session=where, role=role, key=key(), **given)


def browser(*secrets: str, **options: Any) -> Client:
    """A browser that has opened these links."""
    client = Client(**options)
    for secret in secrets:
        assert open_link(client, secret).status_code == 302
    return client


def open_link(client: Client, secret: str) -> Any:
    """Opens a link as a person does who means to, and returns the answer."""
    response = client.get(f"/l/{secret}")
    return form(response, "Open link").press() if response.status_code == 200 else response


def host(session: Session) -> Client:
    """A browser that has opened a host's link."""
    return browser(issue(session, Role.HOST)[1])


@dataclass
class Cast:
    """Browsers by the names in `WHO`, and the evening that they all try to open."""

    session: Session
    closed: Session
    links: dict[str, Link]
    browsers: dict[str, Client]

    def wants(self, who: str) -> Session:
        """The session that this browser tries to open."""
        return self.closed if who == "closed" else self.session

    def again(self) -> Cast:
        """The same cast as the database has it, whose browsers have their own copies of the cookies."""
        return Cast(
            Session.objects.get(pk=self.session.pk),
            Session.objects.get(pk=self.closed.pk),
            {who: Link.objects.get(pk=link.pk) for who, link in self.links.items()},
            {who: again(one) for who, one in self.browsers.items()},
        )


def again(browser: Client) -> Client:
    """Another browser with the same cookies."""
    client = Client()
    client.cookies = deepcopy(browser.cookies)
    return client


Made = TypeVar("Made")


@contextmanager
def kept(blocker: DjangoDbBlocker, make: Callable[[], Made]) -> Iterator[Made]:
    """Make something in the database for all tests of a module, for a fixture of that scope.

    Whatever a test changes is taken back after the test, and what was made after the last one. Meanwhile every test of
    the module finds it in the database, so it is for modules whose tests all ask for it, or do not mind. Since the same
    versions come again with other contents, a test begins with `forgotten`.
    """
    with ExitStack() as undone:
        with blocker.unblock():
            undone.enter_context(transaction.atomic())
            made = make()
        yield made
        with blocker.unblock():
            transaction.set_rollback(True)
            undone.close()


def forgotten() -> None:
    """Forget the fragments of pages that are kept by session and version."""
    cache.clear()


def evening() -> Session:
    """Three hands of Ann, Bob and Cat: the first disputed, the second void."""
    session = start()
    for _ in range(3):
        settle(session)
    act(ledger.dispute, session, number=1, note="a flush?")
    act(ledger.void_deal, session, number=2, note="misdeal")
    session.refresh_from_db()
    return session


@pytest.fixture
def session(db: None) -> Session:
    """Ann, Bob and Cat, before the first hand."""
    return start()


@pytest.fixture
def cast(db: None) -> Cast:
    """The whole cast."""
    return whole_cast()


def whole_cast() -> Cast:
    """Everybody with a browser of their own, and the evening that they want to get at."""
    session, closed = evening(), evening()
    act(ledger.close_session, closed)
    ann = Seat.objects.get(session=session, number=1)
    made = {
        "revoked": issue(session, Role.HOST, name="Lost phone"),
        "other": issue(start("Dan Eve"), Role.HOST),
        "viewer": issue(session, Role.VIEWER),
        "seat": issue(session, Role.SCORER, seat=ann),
        "scorer": issue(session, Role.SCORER),
        "host": issue(session, Role.HOST),
        "closed": issue(closed, Role.HOST),
    }
    browsers = {"nobody": Client()} | {who: browser(secret) for who, (_, secret) in made.items()}
    links.revoke(made["revoked"][0])
    return Cast(session, closed, {who: link for who, (link, _) in made.items()}, browsers)


UNCOUNTED = {"Tally", "Link.used_at"}
"""What may change although somebody only reads: the note that they did."""


@functools.cache
def _selects() -> dict[str, str]:
    """A statement for each table but `UNCOUNTED`, by the name of its model."""
    statements, quoted = {}, connection.ops.quote_name
    for model in apps.get_app_config("scoring").get_models():
        name, meta = model.__name__, model._meta
        if name not in UNCOUNTED:
            fields = [field for field in meta.concrete_fields if f"{name}.{field.name}" not in UNCOUNTED]
            columns = ", ".join(quoted(str(field.column)) for field in fields)
            statements[name] = f"SELECT {columns} FROM {quoted(meta.db_table)} ORDER BY {quoted(str(meta.pk.column))}"
    return statements


def everything() -> dict[str, list[Any]]:
    """Every row of every table but `UNCOUNTED`, to compare with later.

    Thousands of tests ask for it, and the ORM would take longer to write the statements than the database to answer.
    """
    rows: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for name, statement in _selects().items():
            cursor.execute(statement)
            rows[name] = cursor.fetchall()
    return rows
