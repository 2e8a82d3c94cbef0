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

from scoring import ledger
from scoring.actions.people import Join, Leave, SitOut
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.models import Deal, Event, Player, Seat, Session
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, entry, perform, start

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
    if connection.vendor == "sqlite":
        assert longest < 2


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
