"""Runs any sequence of actions, even impossible ones: the ledger agrees with a plain list replayed from the start."""

from __future__ import annotations

import copy
import os
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db.models import F
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict, audit
from scoring.ledger.load import seats_of, table_of
from scoring.models import BoardResult, Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, key, perform, totals
from tests.ledger.model import Model, RefusedError, Standing, fewest
from tests.ledger.test_evenings import FLUSH, NO_FOUL, ONE_FOUL, QUADS, TWO_FOULS
from tests.rules import naive

EVENINGS = int(os.environ.get("EVENINGS", "25"))
STEPS = int(os.environ.get("STEPS", "30"))
LONG_EVENINGS = int(os.environ.get("LONG_EVENINGS", "3"))

PEOPLE = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus"]
DECKS: list[list[Rows]] = [
    [STRONG, PLAIN, WEAK, FOUL],
    *([deal.boards[seat] for seat in (1, 2, 3)] for deal in (FLUSH, NO_FOUL, ONE_FOUL, QUADS, TWO_FOULS)),
]
PRESETS = ["regular", "pineapple", "progressive-pineapple", "cardplayer", "bga"]

seats = st.sampled_from([1, 2, 3, 1, 2, 3, 4, 5, 6, 0])
follow = st.sets(st.integers(1, 3), max_size=2)
"""How many deals after a changed one those are that the host lets follow."""
amounts = st.sampled_from([50, 300, 1000, 5000, 1, 0, -1])


@st.composite
def hands(draw: st.DrawFn) -> dict[str, Any]:
    """A recipe for an entry, for `made` to apply once the lineup is known."""
    return {
        "deck": draw(st.integers(0, len(DECKS) - 1)),
        "turn": draw(st.integers(0, 3)),
        "points": draw(st.lists(st.integers(-40, 40), min_size=6, max_size=6))
        if draw(st.integers(0, 3)) == 0
        else None,
        "dead": draw(st.integers(0, 9)) == 0,
        "twice": draw(st.integers(0, 14)) == 0,
        "stranger": draw(st.integers(0, 14)) == 0,
    }


def made(hand: dict[str, Any], lineup: list[int]) -> dict[str, Any]:
    """The entry that this recipe makes for these seats, in the model's shape."""
    lineup = sorted(lineup)
    if hand["stranger"]:
        lineup = [*lineup[:-1], 9]
    if hand["points"] is not None:
        pairs = [(one, other) for at, one in enumerate(lineup) for other in lineup[at + 1 :]]
        return {"points": [(*pair, won) for pair, won in zip(pairs, hand["points"], strict=False)]}
    deck = DECKS[hand["deck"]]
    turn = hand["turn"] % len(deck)
    deck = (deck[turn:] + deck[:turn]) * 2  # with more seats than boards, one board comes twice
    boards: dict[int, Any] = {
        seat: (rows.front, rows.middle, rows.back) for seat, rows in zip(lineup, deck, strict=False)
    }
    if hand["dead"]:
        boards[lineup[0]] = "dead"
    if hand["twice"] and len(lineup) > 1:
        boards[lineup[1]] = boards[lineup[0]]
    return {"boards": boards, "bad": not one_deck(boards.values())}


def one_deck(boards: Iterable[Any]) -> bool:
    """Whether one deck can make these boards: no card twice, no rank five times."""
    rows = [naive.read_row(row) for board in boards if board != "dead" for row in board]
    ranks = Counter(rank for row, _, _ in rows for rank in row)
    cards = Counter(card for row, suits, _ in rows if suits for card in zip(row, suits, strict=True))
    return max(ranks.values(), default=0) <= 4 and max(cards.values(), default=0) <= 1


def typed(entry: dict[str, Any]) -> Entry:
    """The same entry in the ledger's shape."""
    if "points" in entry:
        return Entry(points=tuple(entry["points"]))
    return Entry(
        boards={
            seat: Rows(ruling=board) if isinstance(board, str) else Rows(*board)
            for seat, board in entry["boards"].items()
        }
    )


class Evening(RuleBasedStateMachine):
    """Drives one session and its model side by side."""

    session: Session
    model: Model

    @initialize(
        count=st.integers(2, 5),
        button=st.integers(1, 2),
        preset=st.sampled_from(PRESETS),
        stake=st.sampled_from([1, 100]),
        dear=st.booleans(),
        chips=st.sampled_from([0, 3000, 100_000]),
        cash=st.booleans(),
    )
    def start(self, *, count: int, button: int, preset: str, stake: int, dear: bool, chips: int, cash: bool) -> None:
        names = PEOPLE[: min(count, 5 if preset in {"regular", "cardplayer"} else 4)]
        stakes = {frozenset({1, 2}): 10 * stake} if dear else {}
        self.model = Model(names, button, stake, stakes, preset)
        self.session = ledger.start_session(
            names=names,
            button=button,
            stake=stake,
            currency="EUR",
            pair_stakes=[(1, 2, 10 * stake)] if dear else [],
            rules=preset,
            key=key(),
            by="host",
        )
        for seat in self.model.names if chips else ():
            self.buy_in(seat=seat, amount=chips, cash=cash)

    def both(self, method: str, told: Any, do: Any, **given: Any) -> None:
        """Do it in both; assert that they agree on whether it is possible, and that repeating its key is harmless."""
        before = copy.deepcopy(self.model)
        version = Event.objects.filter(session=self.session).count()
        again = key()
        refused = False
        try:
            told() if callable(told) else getattr(self.model, method)(told)
        except RefusedError:
            self.model, refused = before, True
        arguments = {"session": self.session, "key": again, "by": "host", **given}
        if refused:
            with pytest.raises(LedgerError):
                perform(do, **arguments)
            assert Event.objects.filter(session=self.session).count() == version
            return
        perform(do, **arguments)
        perform(do, **arguments)
        assert Event.objects.filter(session=self.session).count() == version + 1

    # --- Deals --------------------------------------------------------------------------------------

    @rule(hand=hands())
    def settle(self, hand: dict[str, Any]) -> None:
        entry = made(hand, self.model.now().lineup() or [1, 2])
        number = self.model.deals + 1
        self.both("settle", entry, ledger.settle_deal, entry=typed(entry), number=number)

    @rule(count=st.integers(1, 4), deck=st.integers(0, len(DECKS) - 1), turn=st.integers(0, 3))
    def play_on(self, count: int, deck: int, turn: int) -> None:
        for more in range(count):
            hand = {"deck": (deck + more) % len(DECKS), "turn": turn, "points": None}
            self.settle({**hand, "dead": False, "twice": False, "stranger": False})

    @rule(won=st.lists(st.integers(-40, 40), min_size=6, max_size=6))
    def play_by_points(self, won: list[int]) -> None:
        self.settle({"points": won, "stranger": False})

    @rule(hand=hands())
    def settle_what_is_settled(self, hand: dict[str, Any]) -> None:
        entry = typed(made(hand, self.model.now().lineup() or [1, 2]))
        if self.model.deals:
            with pytest.raises(Conflict):
                ledger.settle_deal(session=self.session, entry=entry, number=self.model.deals, key=key(), by="host")

    @precondition(lambda self: self.model.deals > 0)
    @rule(hand=hands(), back=st.integers(0, 5), follow=follow)
    def correct(self, hand: dict[str, Any], back: int, follow: set[int]) -> None:
        number = max(1, self.model.deals - back)
        deal = self.model.deal(number)
        seats = deal["played"]["seats"] if "played" in deal else self.model.now().lineup()
        entry = made(hand, seats)

        def told() -> None:
            same = deal["entry"].get("points") == entry.get("points") and deal["entry"].get("boards") == entry.get(
                "boards"
            )
            pinned = {one["number"] for one in self.model.happened if "pinned" in one and not one["void"]}
            if deal["void"] or (same and not pinned & {number, *chosen}):
                raise RefusedError
            self.model.change(number, entry=entry, void=False, follow=chosen)

        chosen = {number + more for more in follow}
        with self.other_deals_stand(number, *chosen):
            self.both("", told, ledger.correct_deal, number=number, entry=typed(entry), follow=chosen, note="so")

    @precondition(lambda self: self.model.deals > 0)
    @rule(back=st.integers(0, 5), follow=follow)
    def void_or_restore(self, back: int, follow: set[int]) -> None:
        number = max(1, self.model.deals - back)
        stands = not self.model.deal(number)["void"]
        do = ledger.void_deal if stands else ledger.restore_deal
        chosen = {number + more for more in follow}

        def told() -> None:
            self.model.change(number, entry=None, void=stands, follow=chosen)

        with self.other_deals_stand(number, *chosen):
            self.both("", told, do, number=number, follow=chosen, note="so")

    @contextmanager
    def other_deals_stand(self, *changed: int) -> Iterator[None]:
        """R73: nothing but the host's choice changes how another deal was dealt, or the Fantasyland that it earned."""
        before = self.as_dealt(changed)
        yield
        assert self.as_dealt(changed) == before

    def as_dealt(self, but: Collection[int]) -> list[Any]:
        """Each deal's button, and who was dealt in, was dealt how many cards at once, and earned how many."""
        boards = BoardResult.objects.filter(
            revision__deal__session=self.session, revision__n=F("revision__deal__revision")
        ).exclude(revision__deal__number__in=but)
        parts = ("revision__button", "seat__number", "fantasyland_cards", "fantasyland_next")
        return list(boards.order_by("revision__deal__number", "order").values_list("revision__deal__number", *parts))

    @rule()
    def undo(self) -> None:
        self.both("", self.model.undo, ledger.undo)

    @rule(button=st.none() | seats, owed=st.none() | st.dictionaries(seats, st.integers(13, 17), max_size=2))
    def set_next(self, button: int | None, owed: dict[int, int] | None) -> None:
        def told() -> None:
            if button is None and owed is None:
                raise RefusedError
            self.model.act({"what": "set_next", "button": button, "owed": owed})

        self.both("", told, SetNext, button=button, fantasyland=owed, note="so")

    # --- Seats --------------------------------------------------------------------------------------

    @rule(name=st.sampled_from(PEOPLE), after=st.none() | seats, insist=st.booleans())
    def join(self, name: str, after: int | None, insist: bool) -> None:
        known = {each: seat for seat, each in self.model.names.items()}
        seat = known.get(name, len(known) + 1)

        def told() -> None:
            if len(self.model.now().order) >= 7:
                raise RefusedError
            self.model.names.setdefault(seat, name)
            self.model.act({"what": "join", "seat": seat, "after": after, "careful": not insist})

        if len(self.model.now().order) < 7:
            self.both("", told, Join, name=name, after=after, insist=insist, note="so")
            # A seat number is never reused, even if the join is undone.
            if Event.objects.filter(session=self.session, verb="join", action__seat=seat).exists():
                self.model.names.setdefault(seat, name)

    @rule(what=st.sampled_from(["leave", "sit_out", "sit_in"]), seat=seats, insist=st.booleans())
    def move(self, what: str, seat: int, insist: bool) -> None:
        one = {"what": what, "seat": seat, "careful": not insist}
        self.both(
            "act", one, {"leave": Leave, "sit_out": SitOut, "sit_in": SitIn}[what], seat=seat, insist=insist, note="so"
        )

    @rule(first=seats, second=seats, insist=st.booleans())
    def swap(self, first: int, second: int, insist: bool) -> None:
        one = {"what": "swap", "first": first, "second": second, "careful": not insist}
        self.both("act", one, Swap, first=first, second=second, insist=insist, note="so")

    # --- Terms and money ------------------------------------------------------------------------------

    @rule(stake=st.sampled_from([0, 1, 25, 100]), preset=st.none() | st.sampled_from(PRESETS), dear=st.booleans())
    def terms(self, stake: int, preset: str | None, dear: bool) -> None:
        one: dict[str, Any] = {"what": "terms", "stake": stake}
        given: dict[str, Any] = {"stake": stake}
        if preset:
            one["rules"] = given["rules"] = preset
        if dear:
            one["pair_stakes"] = {frozenset({1, 2}): 7}
            given["pair_stakes"] = [(2, 1, 7)]
        self.both("act", one, ChangeTerms, **given)

    @rule(seat=seats, amount=amounts, cash=st.booleans())
    def buy_in(self, seat: int, amount: int, cash: bool) -> None:
        given = {"seat": seat, "amount": amount, "cash": cash}
        self.both("act", {"what": "buy_in", **given}, BuyIn, **given)

    @rule(amount=amounts, cash=st.booleans())
    def buy_in_all(self, amount: int, cash: bool) -> None:
        given = {"amount": amount, "cash": cash}
        self.both("act", {"what": "buy_in_all", **given}, BuyInAll, **given)

    @precondition(lambda self: self.model.deals > 0)
    @rule(seat=st.integers(1, 4), back=st.integers(0, 5), cash=st.booleans())
    def late_buy_in(self, seat: int, back: int, cash: bool) -> None:
        number = max(1, self.model.deals - back)

        def told() -> None:
            self.model.late_buy_in(seat, 500, number, cash=cash)

        self.both("", told, BuyIn, seat=seat, amount=500, before=number, cash=cash, note="so")

    @rule(seat=seats, amount=amounts, cash=st.booleans())
    def cash_out(self, seat: int, amount: int, cash: bool) -> None:
        given = {"seat": seat, "amount": amount, "cash": cash}
        self.both("act", {"what": "cash_out", **given}, CashOut, **given)

    @rule(seat=seats, points=st.integers(1, 3))
    def penalty(self, seat: int, points: int) -> None:
        one = {"what": "penalty", "seat": seat, "points": points}
        self.both("act", one, Penalty, seat=seat, points=points, note="so")

    @rule(payer=seats, payee=seats, amount=amounts)
    def side_bet(self, payer: int, payee: int, amount: int) -> None:
        one = {"what": "side_bet", "payer": payer, "payee": payee, "amount": amount}
        self.both("act", one, SideBet, payer=payer, payee=payee, amount=amount, note="so")

    @rule(amount=amounts)
    def fee(self, amount: int) -> None:
        self.both("act", {"what": "fee", "amount": amount}, Fee, amount=amount, note="so")

    # --- The rest ---------------------------------------------------------------------------------------

    @rule(differ=st.lists(st.integers(-300, 300) | st.just(0), max_size=4))
    def close_and_reopen(self, differ: list[int]) -> None:
        """The stacks are counted and differ. Whatever closing it booked is gone once it is opened again."""
        who: dict[str, Any] = {"session": self.session, "by": "host"}
        counts = self.model.close(differ)
        ledger.close_session(**who, key=key(), counts=counts, note="so they lay")
        assert list(map(str, audit.of_session(self.session.pk))) == []
        self.same_money(self.model.closed())
        self.same_debts()
        for do in (ledger.undo, ledger.close_session):
            with pytest.raises(LedgerError):
                do(**who, key=key())
        ledger.reopen_session(**who, key=key())
        self.model.counts = None

    def same_debts(self) -> None:
        """Everybody is owed the same in both, the bank and the house as well."""
        found = {seat: one.owed for seat, one in totals(self.session).items() if one.owed}
        assert found == self.model.open()

    def same_money(self, model: Standing) -> None:
        """Chips and results are the same in both."""
        self.session.refresh_from_db()
        table = table_of(self.session, seats_of(self.session))
        assert table.stacks == (
            None if model.stacks is None else {seat: chips for seat, chips in model.stacks.items() if chips}
        )
        assert table.cash == model.cash
        found = totals(self.session)
        for seat in model.points:
            one = found.get(seat)
            kept = (one.points, one.money, one.fees) if one else (0, 0, 0)
            assert kept == (model.points[seat], model.money[seat], model.fees[seat])

    @rule(
        turns=st.lists(
            st.tuples(st.integers(0, 5), st.sampled_from(["all", "part", "more", "wrong", "undo"]), st.booleans()),
            min_size=1,
            max_size=4,
        )
    )
    def settle_up(self, turns: list[tuple[int, str, bool]]) -> None:
        """Some of what is owed is paid, and some of that is taken back. Nothing else changes by it."""
        who: dict[str, Any] = {"session": self.session, "by": "host"}
        self.model.close([])
        ledger.close_session(**who, key=key())
        for at, what, pairs in turns:
            self.session.refresh_from_db()
            self.one_payment(at, what, ledger.Way.PAIRS if pairs else ledger.Way.FEWEST)
            self.same_debts()
        assert list(map(str, audit.of_session(self.session.pk))) == []
        ledger.reopen_session(**who, key=key())
        self.model.counts = None

    def one_payment(self, at: int, what: str, way: ledger.Way) -> None:
        who: dict[str, Any] = {"session": self.session, "by": "host"}
        found, model = reads.open_payments(self.session), self.model
        if what == "undo":
            if model.paid:
                undone = model.paid.pop(at % len(model.paid))
                ledger.undo_payment(**who, n=undone["n"], key=key())
                with pytest.raises(LedgerError):
                    ledger.undo_payment(**who, n=undone["n"], key=key())
            return
        shown = [each.payment for each in found.pairs] if way is ledger.Way.PAIRS else found.open
        debts = {(each.payer, each.payee): each.amount for each in (found.open if found.promised else shown)}
        assert found.promised == (model.left() is not None)
        if found.promised:
            assert debts == model.left()
        elif model.coin:
            assert not any(amount % model.coin for amount in debts.values())
            assert way is ledger.Way.PAIRS or all(abs(left) < model.coin for left in model.beside(debts).values())
        else:
            assert model.beside(debts) == {}
            assert way is ledger.Way.PAIRS or len(debts) == fewest(model.open())
        if not debts:
            return
        payer, payee = list(debts)[at % len(debts)]
        due = debts[payer, payee]
        payer, payee = (payee, payer) if what == "wrong" else (payer, payee)
        over = 5 if what == "more" else 0
        amount = max(1, due // 3) if what == "part" else due + over

        def told() -> None:
            model.pay(payer, payee, amount, debts, over=over)

        payment = {"payer": payer, "payee": payee, "amount": amount, "way": way, "over": over}
        self.both("", told, ledger.pay, **payment)
        if what != "wrong":
            model.paid[-1]["n"] = Event.objects.filter(session=self.session, verb="pay").latest("n").n

    @precondition(lambda self: self.model.deals > 0)
    @rule(back=st.integers(0, 5))
    def dispute(self, back: int) -> None:
        number = max(1, self.model.deals - back)
        if any(dispute.deal.number == number for dispute in reads.disputes(self.session)):
            with pytest.raises(LedgerError):
                ledger.dispute(session=self.session, number=number, note="Hm", key=key(), by="Bob")
            return
        arguments: dict[str, Any] = {"session": self.session, "number": number, "note": "Hm", "by": "Bob"}
        if any(dispute.deal.number == number for dispute in reads.disputes(self.session)):
            with pytest.raises(LedgerError):
                ledger.dispute(**arguments, key=key())
            return
        dispute = ledger.dispute(**arguments, key=key())
        if back % 2:
            ledger.resolve_dispute(session=self.session, raised=dispute.raised.n, note="So", key=key(), by="host")

    @invariant()
    def the_audit_is_silent(self) -> None:
        assert list(map(str, audit.of_session(self.session.pk))) == []

    @invariant()
    def both_agree(self) -> None:
        self.session.refresh_from_db()
        table = table_of(self.session, seats_of(self.session))
        model = self.model.now()
        assert [chair.number for chair in table.chairs] == model.order
        assert {chair.number for chair in table.chairs if chair.out} == model.out
        assert (table.button, table.fantasyland, table.held) == (model.button, model.owed, model.held)
        self.same_money(model)
        self.same_debts()
        assert self.session.next_number == self.model.deals + 1


@pytest.mark.slow
@pytest.mark.django_db
def test_any_evening() -> None:
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=EVENINGS,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(LONG_EVENINGS))
def test_a_long_evening(seed: int) -> None:
    """The same machine driven like a real evening: many deals, and now and then something else."""
    chance = random.Random(seed)
    evening = Evening()
    evening.start(
        count=chance.randint(2, 5),
        button=chance.randint(1, 2),
        preset=chance.choice(PRESETS),
        stake=chance.choice([1, 100]),
        dear=chance.random() < 0.5,
        chips=chance.choice([0, 3000, 100_000]),
        cash=chance.random() < 0.5,
    )
    for _ in range(100):
        something(evening, chance)
        evening.the_audit_is_silent()
        evening.both_agree()


def something(evening: Evening, chance: random.Random) -> None:
    """Do one random thing that happens at a table."""

    def hand() -> dict[str, Any]:
        return {
            "deck": chance.randrange(len(DECKS)),
            "turn": chance.randrange(4),
            "points": [chance.randint(-40, 40) for _ in range(6)] if chance.random() < 0.3 else None,
            "dead": chance.random() < 0.1,
            "twice": chance.random() < 0.03,
            "stranger": chance.random() < 0.03,
        }

    def chosen() -> set[int]:
        return {more for more in (1, 2, 3) if chance.random() < 0.3}

    model = evening.model
    here = model.now().order
    seat, other = chance.choice([*here, 9]), chance.choice(here)
    amount = chance.choice([1, 50, 300, 1000])
    insist, cash = chance.random() < 0.7, chance.random() < 0.6
    doing: list[tuple[int, Any]] = [
        (30, lambda: evening.settle(hand=hand())),
        (3, evening.undo),
        (2, lambda: evening.set_next(button=chance.choice([None, seat]), owed=chance.choice([None, {other: 14}, {}]))),
        (2, lambda: evening.join(name=chance.choice(PEOPLE), after=chance.choice([None, seat]), insist=insist)),
        (2, lambda: evening.move(what="leave", seat=seat, insist=insist)),
        (2, lambda: evening.move(what="sit_out", seat=seat, insist=insist)),
        (4, lambda: evening.move(what="sit_in", seat=seat, insist=insist)),
        (2, lambda: evening.swap(first=seat, second=other, insist=insist)),
        (2, lambda: evening.terms(stake=chance.choice([1, 100]), preset=chance.choice([None, *PRESETS]), dear=insist)),
        (2 if model.now().stacks is None else 8, lambda: evening.buy_in(seat=seat, amount=20 * amount, cash=cash)),
        (1, lambda: evening.buy_in_all(amount=amount, cash=cash)),
        (1, lambda: evening.cash_out(seat=seat, amount=amount, cash=cash)),
        (2, lambda: evening.penalty(seat=seat, points=chance.randint(1, 3))),
        (2, lambda: evening.side_bet(payer=seat, payee=other, amount=amount)),
        (1, lambda: evening.fee(amount=1)),
        (3, lambda: evening.close_and_reopen(differ=[chance.choice([0, 0, -50, 70]) for _ in range(3)])),
        (
            4,
            lambda: evening.settle_up(
                turns=[
                    (
                        chance.randrange(6),
                        chance.choice(["all", "part", "more", "wrong", "undo"]),
                        chance.random() < 0.3,
                    )
                    for _ in range(chance.randint(1, 4))
                ]
            ),
        ),
    ]
    if model.deals:
        back = chance.randrange(6)
        doing += [
            (8, lambda: evening.correct(hand=hand(), back=back, follow=chosen())),
            (8, lambda: evening.void_or_restore(back=back, follow=chosen())),
            (2, lambda: evening.late_buy_in(seat=other, back=back, cash=cash)),
            (1, lambda: evening.settle_what_is_settled(hand=hand())),
            (1, lambda: evening.dispute(back=back)),
        ]
    chance.choices([one for _, one in doing], [weight for weight, _ in doing])[0]()
