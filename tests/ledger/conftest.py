"""A table of three, boards with known results, and an audit after every test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from scoring import ledger, reads
from scoring.actions.base import TableAction
from scoring.actions.people import Join
from scoring.actions.side_bet import SideBet
from scoring.game.balances import Balance, balances
from scoring.game.entry import Entry, Rows
from scoring.game.outcome import Outcome
from scoring.game.table import Table
from scoring.ledger import audit
from scoring.ledger.audit.database import constrained, referred_to
from scoring.ledger.load import numbers_of, seats_of, sums, table_of
from scoring.models import Deal, Event, Revision, Seat, Session
from scoring.wording.notes import remark_said

_keys = itertools.count(1)


def key() -> str:
    """A new key for a form."""
    return f"key-{next(_keys)}"


def start(names: str = "Ann Bob Cat", **terms: Any) -> Session:
    """Start a session with these names in seats 1, 2, 3 ... clockwise, at 1.00 per point unless ``terms`` differ."""
    given = {"stake": 100, "currency": "EUR", "button": 1, "key": key(), "by": "host", **terms}
    return ledger.start_session(names=names.split(), **given)


# Legal boards of regular OFC that share no card. STRONG beats PLAIN beats WEAK in every row.
STRONG = Rows("AhAdKc", "2h2d2s3h3d", "4h4d4s4c5h")
"""Aces, full house, quads: 9 + 12 + 10 points from each opponent; earns Fantasyland, or another round of it."""
PLAIN = Rows("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs")
"""Nine-high, a pair, two pair: no royalties."""
WEAK = Rows("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s")
"""Nine-high, queen-high, a pair of jacks: no royalties."""
FOUL = Rows("QsQd3s", "KhKsAc2c3c", "JhAs5d5cKd")
"""Kings in the middle over a pair of fives in the back."""


def entry(**boards: Rows) -> Entry:
    """An entry from boards by seat: entry(s1=STRONG, s2=PLAIN)."""
    return Entry(boards={int(seat[1:]): rows for seat, rows in boards.items()})


LEVEL = entry(s1=PLAIN, s2=WEAK, s3=FOUL)
"""Ann wins 6 from Bob and 6 from Cat, and Bob wins 6 from Cat; nobody goes to Fantasyland."""


def settle(session: Session, boards: Entry = LEVEL, **given: Any) -> Deal:
    """Settle the next deal."""
    given = {"number": session.next_number, "key": key(), "by": "host", **given}
    return ledger.settle_deal(session=session, entry=boards, **given)


def act(do: Any, session: Session, **given: Any) -> Any:
    """`perform` as the host, with a new key."""
    return perform(do, session=session, **{"key": key(), "by": "host", **given})


def perform(do: Any, *, session: Session, **given: Any) -> Any:
    """Call a function of the ledger, or record an action of a class in `scoring.actions` with its fields in ``given``.

    Returns what the function returns; for an action, the event, but for `Join` the new player's seat.
    """
    if not (isinstance(do, type) and issubclass(do, TableAction)):
        return do(session=session, **given)
    signature = {name: given.pop(name) for name in ("key", "by", "link", "note", "insist", "version") if name in given}
    event = ledger.record(session=session, action=do(**given), **signature)
    return Seat.objects.get(session=session, number=event.action["seat"]) if do is Join else event


def table(session: Session) -> Table:
    """The table as stored."""
    session.refresh_from_db()
    return table_of(session, seats_of(session))


def totals(session: Session) -> dict[int, Balance]:
    """What the lines say now of every seat that ever sat here, the bank's and the house's among them."""
    numbers = numbers_of(seats_of(session))
    return balances(sums(session, numbers), numbers.values())


def money(session: Session) -> dict[int, int]:
    """Minor units won or lost in play, by seat."""
    return {seat: one.money for seat, one in totals(session).items() if seat > 0}


def points(session: Session) -> dict[int, int]:
    """Points won or lost in play, by seat."""
    return {seat: one.points for seat, one in totals(session).items() if seat > 0}


def outcome(deal: Deal, n: int | None = None) -> Outcome:
    """A deal as its revision ``n`` settled it (None for the revision that counts now)."""
    found = reads.stored_deal(deal, n)
    settled = found.outcome() if found else None
    assert settled is not None
    return settled


def winnings(settled: Outcome) -> Outcome:
    """The outcome with what a preview needs of a deal before a change: what each player won, without the pairs."""
    kept = {"name", "points", "money", "stack", "fantasyland_next"}
    players = [
        {"fantasyland_next": 0, **{key: value for key, value in player.items() if key in kept}}
        for player in settled.result["players"]
    ]
    return replace(settled, result={"players": players})


def document(number: int, n: int = 1) -> dict[str, Any]:
    """The score document of a revision; assumes that there is only one session."""
    found: dict[str, Any] | None = Revision.objects.get(deal__number=number, n=n).document
    assert found is not None
    return found


def verbs(session: Session) -> list[str]:
    """The verbs of the session's events, in order."""
    return list(Event.objects.filter(session=session).order_by("n").values_list("verb", flat=True))


@pytest.fixture
def session(db: None) -> Session:
    """Ann (button), Bob and Cat at 1.00 per point."""
    return start()


@pytest.fixture
def owing(session: Session) -> Session:
    """A closed session: Bob owes 10.00 and Cat 4.00, Ann is owed 9.00 and Dan, who came late, 5.00."""
    act(Join, session, name="Dan")
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=2, payee=4, amount=100, note="black")
    act(SideBet, session, payer=3, payee=4, amount=400, note="blue")
    act(ledger.close_session, session)
    return session


def breaches() -> list[str]:
    """What the audit finds after a test, but for constraints that a table lacks and rows that lead to nothing.

    No test that ends with this changes a table, and the database takes no row that leads to nothing. To look for both
    takes several times as long as all the rest.
    """
    checks = [check for check in audit.DATABASE_CHECKS if check not in {constrained, referred_to}]
    database = [found for check in checks for found in check()]
    sessions = list(Session.objects.order_by("pk").values_list("pk", flat=True))
    return [*map(str, database), *(str(found) for pk in sessions for found in audit.of_session(pk))]


def remarked(event: Event) -> str:
    """What the history says of the cards that came to be others before this was settled."""
    names = {seat.number: seat.name for seat in event.session.seats.all()}
    return remark_said(event, names.__getitem__)


@pytest.fixture
def corrupts() -> None:
    """Marks a test that breaks the ledger on purpose, which skips the audit."""


@pytest.fixture(autouse=True)
def promises_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Asserts after every test that the audit finds nothing, unless the test broke something on purpose."""
    databases = {"db", "transactional_db"}
    if not databases & set(request.fixturenames):
        yield
        return
    request.getfixturevalue(next(name for name in request.fixturenames if name in databases))
    yield
    if "corrupts" not in request.fixturenames:
        assert breaches() == []


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every SQL statement that runs during the test, without savepoints."""
    seen: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(("SAVEPOINT", "RELEASE")):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen
