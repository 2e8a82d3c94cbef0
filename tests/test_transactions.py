"""One request reads one snapshot, whatever others write meanwhile, and writes only where it said so."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client

from scoring.actions.chips import BuyIn
from scoring.ledger import audit
from scoring.models import Deal, Session
from scoring.reads.cache import forget_cached
from scoring.transactions import lock, snapshot, writing
from tests.access.conftest import whole_cast
from tests.access.reading import crawl
from tests.access.test_table import TABLE, Row, address, ask
from tests.actions.everything import everything
from tests.ledger.conftest import act, settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def each_statement(do: Callable[[str], None]) -> Iterator[None]:
    """Calls ``do`` with each statement of this thread, once it was executed."""

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        do(sql)
        return answer

    with connection.execute_wrapper(wrapper):
        yield


@contextmanager
def outside_of_transactions(found: list[str]) -> Iterator[None]:
    """Collects the statements that were executed in no transaction."""

    def note(sql: str) -> None:
        if not connection.in_atomic_block and not sql.startswith("BEGIN"):
            found.append(sql)

    with each_statement(note):
        yield


def takes_something_away(row: Row) -> bool:
    """Whether the others should be asked for first: it forgets the browser, or deletes."""
    return "forget/" in row.pattern or "delete" in row.pattern


@pytest.mark.parametrize("who", ["nobody", "viewer", "seat", "scorer", "host", "closed"])
def test_no_address_reads_outside_of_its_snapshot(who: str) -> None:
    cast = whole_cast()
    outside: dict[str, list[str]] = {}
    for row in sorted(TABLE, key=takes_something_away):
        if row.pattern.startswith("admin/") and row.method == "POST":
            continue  # there the operator logs in, which Django writes
        found: list[str] = []
        url = address(row.pattern, cast, who)
        with outside_of_transactions(found):
            ask(cast.browsers[who], row, url)
        if found:
            outside[f"{row.method} {row.pattern}"] = found
    assert outside == {}


def test_no_page_of_an_evening_in_which_everything_happened_does(client: Client) -> None:
    session = everything()
    client.get(f"/s/{session.public_id}/")
    outside: list[str] = []
    with outside_of_transactions(outside):
        visited = dict(crawl(client, f"/s/{session.public_id}/", f"/s/{session.public_id}/hands/4/restore/"))
    assert outside == []
    assert len(visited) > 40


def elsewhere(do: Callable[[], object]) -> None:
    """Does something in another thread, and so on another connection, and waits for it."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            do()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
            failed.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def without_keys(page: bytes) -> str:
    """The page without what is new each time it is asked for."""
    return re.sub(
        r'(token=|[?;]key=|name="(csrfmiddlewaretoken|key)" value="|X-CSRFToken": ")[^"&]+', "", page.decode()
    )


CARDS = "p1-front=QQ7&p1-middle=AA44J&p1-back=89TJQ&p2-ruling=dead&p3-ruling=dead"

PAGES = [
    "s/{session}/",
    "s/{session}/ledger/",
    "s/{session}/screen/",
    "s/{session}/history/",
    "s/{session}/hands/2/",
    "s/{session}/hands/2/correct/?checked=1&" + CARDS,
    "s/{session}/hands/2/void/",
    "s/{session}/hand/?" + CARDS,
    "s/{session}/chips/",
    "c/{club}/standings/",
    "c/{club}/export.json",
]


@pytest.mark.parametrize("where", PAGES)
def test_a_page_does_not_see_what_is_committed_while_it_is_made(client: Client, where: str) -> None:
    """A hand is settled elsewhere after the first statement of the page, then after the second, and so on."""
    session = start()
    for _ in range(3):
        settle(session)
    url = "/" + where.format(session=session.public_id, club=session.club.public_id)
    client.get(f"/s/{session.public_id}/")
    for place in count(1):
        forget_cached()
        before = without_keys(answer(client, url))
        forget_cached()
        statements: list[str] = []
        with each_statement(partial(settle_at, place, session, statements)):
            during = without_keys(answer(client, url))
        assert during == before
        if len(statements) < place:
            break
    assert place > 3


def settle_at(place: int, session: Session, statements: list[str], sql: str) -> None:
    """Settle a hand elsewhere when so many ``statements`` have been executed."""
    if not sql.startswith("BEGIN"):
        statements.append(sql)
        if len(statements) == place:
            elsewhere(lambda: settle(Session.objects.get(pk=session.pk)))


def answer(client: Client, url: str) -> bytes:
    response = client.get(url)
    assert response.status_code == 200
    return response.getvalue()


def test_a_refused_form_is_shown_as_the_table_is_after_the_refusal(client: Client) -> None:
    """Its page reads a snapshot of its own, and the session in it is of that snapshot, too."""
    session = start()
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=100_000)
    settle(session)
    url = f"/s/{session.public_id}/hands/1/void/"
    opened = client.get(url)
    assert b"What changes" in opened.content
    voiding = form(opened, "Void hand 1").fill({"note": "misdeal"})
    settle(session)
    interfered: list[str] = []

    def interfere(sql: str) -> None:
        if not interfered and sql.startswith("SELECT") and not connection.in_atomic_block:
            raise AssertionError(f"outside of a snapshot: {sql}")
        if not interfered and "scoring_revision" in sql and connection.in_atomic_block:
            interfered.append(sql)
            elsewhere(lambda: settle(Session.objects.get(pk=session.pk)))

    with each_statement(interfere):
        refused = voiding.press("Void hand 1")
    assert interfered
    assert refused.status_code == 409
    version = re.search(r'name="version" value="(\d+)"', refused.content.decode())
    assert version
    hands = "hand 2 and hand 3" if int(version[1]) == 7 else "hand 2"
    assert f"No points or money change in {hands}" in refused.content.decode()


def test_a_write_ends_the_snapshot_and_the_next_read_begins_another(client: Client) -> None:
    session = start()
    with snapshot():
        assert Deal.objects.count() == 0
        elsewhere(lambda: settle(Session.objects.get(pk=session.pk)))
        assert Deal.objects.count() == 0
        with writing():
            assert Deal.objects.count() == 1
        elsewhere(lambda: settle(Session.objects.get(pk=session.pk)))
        assert Deal.objects.count() == 2
        elsewhere(lambda: settle(Session.objects.get(pk=session.pk)))
        assert Deal.objects.count() == 2
    assert Deal.objects.count() == 3


def test_nothing_writes_in_a_snapshot() -> None:
    session = start()
    with snapshot(), pytest.raises(RuntimeError, match="outside of `writing`"):
        Session.objects.filter(pk=session.pk).update(name="x")


def test_the_audit_of_a_session_that_is_being_played_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a play changes nothing of, the schema and the file, takes half a second to look at, and is left out here."""
    asleep = {"constrained", "guards", "whole_file"}
    monkeypatch.setattr(
        audit, "DATABASE_CHECKS", [check for check in audit.DATABASE_CHECKS if check.__name__ not in asleep]
    )
    session = start()
    settle(session)
    for place in count(1):
        statements: list[str] = []
        with each_statement(partial(settle_at, place, session, statements)):
            assert list(map(str, audit.of_everything())) == []
        if len(statements) < place:
            break
    assert place > 10


def test_a_lock_needs_a_transaction() -> None:
    session = start()
    with pytest.raises(RuntimeError, match="outside of a transaction"):
        lock(Session, session.pk)
