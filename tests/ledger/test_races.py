"""Many phones use one session at once: no request crashes, and nothing is lost or done twice.

The default sizes are small; `make soak` sets the real ones.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection, connections

from scoring import club, ledger, reads
from scoring.actions.people import Join, Leave, SitOut
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.ledger.payments import payments_made
from scoring.models import Club, Deal, Event, Player, Seat, Session, TabPayment
from scoring.transactions import snapshot
from tests.conftest import HostsBrowser
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, entry, perform, start
from tests.ledger.model import sums
from tests.pages import follow, form

PHONES = int(os.environ.get("PHONES", "8"))
OPERATIONS = int(os.environ.get("OPERATIONS", "160"))

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = [LEVEL, entry(s1=STRONG, s2=PLAIN, s3=WEAK)]


@dataclass
class Phone:
    """One phone's requests, one after another; ``done`` has each acknowledged answer, by key."""

    session: int
    number: int
    done: dict[str, Any] = field(default_factory=dict)
    conflicts: int = 0
    refusals: int = 0
    longest: float = 0.0

    def use(self, times: int) -> None:
        chance = random.Random(self.number)
        for turn in range(times):
            try:
                self.ask(chance, f"{self.number}-{turn}")
            finally:
                connections.close_all()  # every real request gives its connection back, too

    def ask(self, chance: random.Random, key: str) -> None:
        session = Session.objects.get(pk=self.session)
        last = session.deals
        who: dict[str, Any] = {"session": session, "key": key, "by": f"phone {self.number}"}
        recent = max(1, last - chance.randrange(3))
        # Guests come and go, so some entries have only points, which fit any lineup.
        hand = chance.choice([*HANDS, *(Entry(points=((1, 2, won),)) for won in range(1, 7))])
        there = Seat.objects.filter(session=session, number__gt=3, position__isnull=False)
        guests = list(there.values_list("number", flat=True)) or [4]
        doing: list[tuple[int, Callable[[], Any]]] = [
            (10, lambda: ledger.settle_deal(**who, entry=hand, number=last + 1)),
            (2, lambda: ledger.correct_deal(**who, number=recent, entry=hand, note="so")),
            (2, lambda: ledger.void_deal(**who, number=recent, note="so")),
            (2, lambda: ledger.restore_deal(**who, number=recent, note="so")),
            (1, lambda: ledger.undo(**who, version=session.version)),
            (1, lambda: perform(Join, **who, name=f"Guest {key}", insist=True, note="so")),
            (2, lambda: perform(Leave, **who, seat=chance.choice(guests), insist=True, note="so")),
            (1, lambda: perform(SitOut, **who, seat=chance.choice(guests), insist=True, note="so")),
            (1, lambda: perform(SideBet, **who, payer=1, payee=2, amount=5, note="so")),
            (1, lambda: ledger.dispute(**who, number=recent, note="Hm")),
        ]
        do = chance.choices([one for _, one in doing], [weight for weight, _ in doing])[0]
        for _ in range(2 if chance.random() < 0.2 else 1):  # an occasional double tap
            self.attempt(key, do)

    def attempt(self, key: str, do: Callable[[], Any]) -> None:
        """Does it, and keeps what came of it."""
        began = time.perf_counter()
        try:
            self.done[key] = do()
        except Conflict:
            self.conflicts += 1
        except LedgerError:
            self.refusals += 1
        self.longest = max(self.longest, time.perf_counter() - began)


def test_racing_phones() -> None:
    session = start()
    phones = [Phone(session.pk, number) for number in range(PHONES)]
    with ThreadPoolExecutor(PHONES) as pool:
        list(pool.map(lambda phone: phone.use(OPERATIONS // PHONES), phones))

    session.refresh_from_db()
    done = {key: answer for phone in phones for key, answer in phone.done.items()}
    events = dict(Event.objects.filter(session=session).exclude(n=1).values_list("key", "verb"))
    assert set(done) == set(events)  # exactly what was acknowledged is stored, once each
    settled = {key for key, verb in events.items() if verb == "settle"}
    assert sorted(done[key].number for key in settled) == list(range(1, session.deals + 1))
    assert session.deals
    longest = max(phone.longest for phone in phones)
    conflicts, refusals = (sum(getattr(phone, name) for phone in phones) for name in ("conflicts", "refusals"))
    done_by = f"{OPERATIONS} operations by {PHONES} phones on {connection.vendor}"
    came = f"{session.deals} hands, {len(events)} events, {conflicts} conflicts, {refusals} refusals"
    print(f"\n{done_by}: {came}, longest {longest * 1000:.0f} ms")


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run ``work`` in ``count`` threads at the same moment, each with its own connection.

    Returns the answers, among them any `Conflict` or `LedgerError` raised.
    """
    barrier = threading.Barrier(count)

    def one(number: int) -> Any:
        barrier.wait()
        try:
            return work(number)
        except (Conflict, LedgerError) as answer:
            return answer
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_two_phones_settle_the_same_hand() -> None:
    session = start()
    answers = at_once(
        2,
        lambda number: ledger.settle_deal(
            session=Session.objects.get(pk=session.pk), entry=LEVEL, number=1, key=f"phone {number}", by="scorer"
        ),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "Deal"]
    assert Deal.objects.count() == 1


def test_one_form_sent_by_many_connections_settles_one_hand() -> None:
    session = start()
    answers = at_once(
        6,
        lambda _: ledger.settle_deal(
            session=Session.objects.get(pk=session.pk), entry=LEVEL, number=1, key="same", by="scorer"
        ),
    )
    assert len({answer.pk for answer in answers}) == 1
    assert Event.objects.filter(verb="settle").count() == 1


def test_one_form_sent_by_many_connections_starts_one_session() -> None:
    answers = at_once(6, lambda _: start(key="same"))
    assert len({answer.pk for answer in answers}) == 1
    assert (Session.objects.count(), Player.objects.count()) == (1, 3)


def test_a_new_player_of_two_sessions_at_once_is_one_player() -> None:
    one = start()
    other = start("Dan Eve", club=one.club)
    at_once(
        2,
        lambda number: perform(
            Join, session=Session.objects.get(pk=[one, other][number].pk), name="Zoe", key="join", by="host"
        ),
    )
    assert Player.objects.filter(name="Zoe").count() == 1
    assert Seat.objects.filter(name="Zoe").count() == 2


def test_phones_that_pay_the_same_debt_at_once_pay_it_once() -> None:
    session = start()
    perform(SideBet, session=session, payer=2, payee=1, amount=900, note="red", key="bet", by="host")
    ledger.close_session(session=session, key="close", by="host")
    answers = at_once(
        4,
        lambda number: ledger.pay(
            session=Session.objects.get(pk=session.pk),
            payer=2,
            payee=1,
            amount=900,
            key=f"phone {number}",
            by="scorer",
            version=session.version,
        ),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Event", *["LedgerError"] * 3]
    assert Event.objects.filter(verb="pay").count() == 1


def test_phones_that_undo_the_same_payment_at_once_undo_it_once() -> None:
    session = start()
    perform(SideBet, session=session, payer=2, payee=1, amount=900, note="red", key="bet", by="host")
    ledger.close_session(session=session, key="close", by="host")
    paid = ledger.pay(session=session, payer=2, payee=1, amount=900, key="pay", by="host")
    answers = at_once(
        4,
        lambda number: ledger.undo_payment(
            session=Session.objects.get(pk=session.pk), n=paid.n, key=f"phone {number}", by="scorer"
        ),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Event", *["LedgerError"] * 3]


# --- Payments in a closed session and on the club's tab -----------------------------------------------------

ROUNDS = max(1, OPERATIONS // 400)
"""How often each race is run, each time with a club of its own."""

rounds = pytest.mark.parametrize("turn", range(ROUNDS))


def owing() -> Session:
    """A closed session on the tab, in which Bob owes Ann 9.00."""
    session = start()
    perform(SideBet, session=session, payer=2, payee=1, amount=900, note="red", key="bet", by="host")
    ledger.close_session(session=session, tab=True, key="close", by="host")
    return session


def accounts(of: Club) -> tuple[int, int]:
    """Who Bob and Ann are on the tab of a club."""
    found = dict(Player.objects.filter(club=of).values_list("name", "pk"))
    return found["Bob"], found["Ann"]


def on_tab(of: Club, form: str, amount: int = 900, **given: Any) -> TabPayment:
    """Bob pays Ann on the tab."""
    bob, ann = accounts(of)
    given = {"currency": "EUR", "minor_digits": 2, "by": "scorer", **given}
    return club.pay_tab(of, payer=bob, payee=ann, amount=amount, key=form, **given)


def in_session(session: Session, form: str, amount: int = 900) -> Event:
    """Bob pays Ann in the session."""
    session = Session.objects.get(pk=session.pk)
    return ledger.pay(session=session, payer=2, payee=1, amount=amount, key=form, by="scorer")


def open_on(of: Club) -> dict[int, int]:
    """What everybody is owed on the tab; it sums to zero, and its payments pay everybody exactly."""
    owed: dict[int, int] = {}
    for tab in reads.tabs(of):
        assert sum(tab.owed.values()) == 0
        assert sums({(each.payer, each.payee): each.amount for each in tab.open}) == tab.owed
        owed |= tab.owed
    return owed


def refusals(answers: list[Any]) -> list[str]:
    """The sentences of those who were refused."""
    return [problem.message for answer in answers if isinstance(answer, LedgerError) for problem in answer.problems]


@rounds
def test_phones_that_pay_the_same_line_of_the_tab_at_once_pay_it_once(turn: int) -> None:
    session = owing()
    answers = at_once(4, lambda number: on_tab(session.club, f"phone {number}"))
    assert refusals(answers) == ["Nothing is open between these two any more. Nothing was recorded."] * 3
    assert TabPayment.objects.count() == 1
    assert open_on(session.club) == {}


@rounds
def test_one_payment_that_many_connections_send_is_one(turn: int) -> None:
    session = owing()
    assert len({answer.pk for answer in at_once(4, lambda _: in_session(session, "same", 400))}) == 1
    assert len({answer.pk for answer in at_once(4, lambda _: on_tab(session.club, "same", 400))}) == 1
    assert (Event.objects.filter(verb="pay").count(), TabPayment.objects.count()) == (1, 1)
    bob, ann = accounts(session.club)
    assert open_on(session.club) == {bob: -100, ann: 100}


@rounds
def test_phones_that_undo_the_same_payment_of_the_tab_at_once_undo_it_once(turn: int) -> None:
    session = owing()
    paid = on_tab(session.club, "paid")
    answers = at_once(4, lambda number: club.undo_tab_payment(session.club, n=paid.n, key=f"{number}", by="scorer"))
    assert refusals(answers) == ["That payment has been undone already."] * 3
    assert list(TabPayment.objects.order_by("n").values_list("undoes", flat=True)) == [None, paid.n]


@rounds
def test_who_pays_while_somebody_undoes_the_payment_has_paid_or_is_told_that_nothing_is_open(turn: int) -> None:
    session = owing()
    bob, ann = accounts(session.club)
    paid, tab = in_session(session, "paid", 400), on_tab(session.club, "tab", 500)
    doing: list[Callable[[], Any]] = [
        lambda: ledger.undo_payment(session=Session.objects.get(pk=session.pk), n=paid.n, key="undo", by="scorer"),
        lambda: club.undo_tab_payment(session.club, n=tab.n, key="undo", by="scorer"),
        lambda: on_tab(session.club, "again", 500),
    ]
    answers = at_once(len(doing), lambda number: doing[number]())
    assert not any(isinstance(answer, Exception) for answer in answers[:2])
    again = 0 if isinstance(answers[2], LedgerError) else 500
    assert set(refusals(answers)) <= {
        "Nothing is open between these two any more. Nothing was recorded.",
        "That is more than is open between them.",
    }
    assert open_on(session.club) == {bob: again - 900, ann: 900 - again}


@rounds
def test_a_payment_and_a_session_that_is_reopened_at_once(turn: int) -> None:
    """Who pays first is recorded; who comes after the reopening is told so. Either is on the tab once it is closed."""
    session = owing()
    bob, ann = accounts(session.club)
    doing: list[Callable[[], Any]] = [
        lambda: ledger.reopen_session(session=Session.objects.get(pk=session.pk), key="reopen", by="host"),
        lambda: in_session(session, "here", 300),
        lambda: on_tab(session.club, "there", 200),
    ]
    _, here, there = at_once(len(doing), lambda number: doing[number]())
    paid = 300 * isinstance(here, Event) + 200 * isinstance(there, TabPayment)
    assert set(refusals([here, there])) <= {
        "Players at the table settle up once the session is closed.",
        "Nothing is open between these two any more. Nothing was recorded.",
    }
    session.refresh_from_db()
    ledger.close_session(session=session, tab=True, key="again", by="host")
    assert open_on(session.club) == {bob: paid - 900, ann: 900 - paid}


@rounds
def test_who_settles_the_tab_on_sitting_down_and_a_phone_that_pays_it_pay_it_once(turn: int) -> None:
    session = owing()

    def settle_at_start(form: str) -> None:
        due = club.open_among(session.club, ["Ann", "Bob"])
        club.pay_tab_among(session.club, due, note="at the start", key=form, by="host")

    doing: list[Callable[[], Any]] = [
        lambda: settle_at_start("start"),
        lambda: settle_at_start("start"),
        lambda: settle_at_start("another start"),
        lambda: on_tab(session.club, "phone"),
    ]
    answers = at_once(len(doing), lambda number: doing[number]())
    assert answers[:3] == [None] * 3
    assert TabPayment.objects.count() == 1
    assert open_on(session.club) == {}


@rounds
def test_the_same_debt_that_is_paid_on_two_pages_at_once_is_paid_once(turn: int) -> None:
    """The page of the session and that of the club's tab show the same 9.00."""
    session, host = owing(), HostsBrowser()
    here = form(host.get(f"/s/{session.public_id}/pay/?payer=2&payee=1&way=fewest"), "Record payment")
    there = form(
        follow(host.get(f"/c/{session.club.public_id}/"), "Mark as paid: Bob to Ann"),
        "Record payment",
    )
    answers = at_once(2, lambda number: (here, there)[number].press("Record payment").status_code)
    assert sorted(answers) == [302, 409]
    assert open_on(session.club) == {}


@rounds
def test_same_as_last_time_on_two_phones_at_once_starts_one_session(turn: int) -> None:
    session, host = owing(), HostsBrowser()
    host.get(f"/s/{session.public_id}/")
    again = [form(host.get(f"/c/{session.club.public_id}/"), "Same as last time") for _ in range(2)]
    answers = at_once(2, lambda number: again[number].press("Same as last time").status_code)
    assert sorted(answers) == [302, 409]
    assert Session.objects.filter(club=session.club).count() == 2


@dataclass
class Payer(Phone):
    """A phone that pays and undoes what is open, in sessions and on the tab, while others close and reopen them."""

    def ask(self, chance: random.Random, key: str) -> None:
        who: dict[str, Any] = {"key": key, "by": f"phone {self.number}"}
        over = chance.choice([0, 0, 0, 0, 3])
        with snapshot():  # as every page reads
            of = Session.objects.select_related("club").get(pk=self.session).club
            session = chance.choice(list(Session.objects.filter(club=of).order_by("pk")))
            made = [each.n for each in payments_made(session) if not each.undone] or [1]
            here = reads.open_payments(session).open
            due = [(tab, each) for tab in reads.tabs(of) for each in tab.open]
            paid = list(TabPayment.objects.filter(club=of, undoes=None).values_list("n", flat=True)) or [1]

        def pay_tab() -> Any:
            tab, each = chance.choice(due)
            amount = chance.choice([each.amount, max(1, each.amount // 2), each.amount + 3])
            return club.pay_tab(
                of, payer=each.payer, payee=each.payee, amount=amount, over=over,
                currency=tab.currency, minor_digits=tab.minor_digits, **who,
            )  # fmt: skip

        def pay() -> Any:
            each = chance.choice(here)
            amount = each.amount + over
            return ledger.pay(session=session, payer=each.payer, payee=each.payee, amount=amount, over=over, **who)

        doing: list[tuple[int, Callable[[], Any]]] = [
            (3, lambda: ledger.undo_payment(session=session, n=chance.choice(made), **who)),
            (3, lambda: club.undo_tab_payment(of, n=chance.choice(paid), **who)),
            (2, lambda: ledger.reopen_session(session=session, **who)),
            (3, lambda: ledger.close_session(session=session, tab=bool(over), **who)),
            (2, lambda: ledger.choose_tab(session=session, on=not session.on_tab, **who)),
            (1, lambda: perform(SideBet, session=session, payer=3, payee=1, amount=100, note="so", **who)),
        ]
        doing += [(6, pay_tab)] if due else []
        doing += [(6, pay)] if here else []
        do = chance.choices([one for _, one in doing], [weight for weight, _ in doing])[0]
        self.attempt(key, do)


def test_racing_payers() -> None:
    session = owing()
    perform(SideBet, session=(other := start("Cat Ann Bob", club=session.club)), payer=1, payee=3, amount=500,
            note="red", key="bet", by="host")  # fmt: skip
    ledger.close_session(session=other, tab=True, key="close", by="host")
    before = set(Event.objects.values_list("pk", flat=True))
    phones = [Payer(session.pk, number) for number in range(PHONES)]
    with ThreadPoolExecutor(PHONES) as pool:
        list(pool.map(lambda phone: phone.use(OPERATIONS // PHONES), phones))

    done = [key for phone in phones for key in phone.done]
    rows = TabPayment.objects.filter(club=session.club).order_by("n")
    stored = [*Event.objects.exclude(pk__in=before).values_list("key", flat=True), *rows.values_list("key", flat=True)]
    assert sorted(done) == sorted(stored)  # exactly what was acknowledged is stored, once each
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    open_on(session.club)
    conflicts, refused = (sum(getattr(phone, name) for phone in phones) for name in ("conflicts", "refusals"))
    print(
        f"\n{OPERATIONS} payments by {PHONES} phones on {connection.vendor}: {conflicts} conflicts, {refused} refusals"
    )
