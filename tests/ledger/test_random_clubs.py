"""Random clubs over many evenings: the tab and every account agree with a second book that is added up from the start.

The default sizes are small; `make soak` sets the real ones.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from scoring import club, ledger, reads
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE
from scoring.ledger import audit
from scoring.models import Club, Merged, Player, TabPayment
from tests.ledger import club_book
from tests.ledger.club_book import ClubBook, Line
from tests.ledger.conftest import key
from tests.ledger.model import Model, sums
from tests.ledger.test_random_evenings import DECKS, PEOPLE, PRESETS, Evening

CLUBS = int(os.environ.get("CLUBS", "2"))
CLUB_EVENINGS = int(os.environ.get("CLUB_EVENINGS", "6"))

NICKNAMES = {"Annie": "Ann", "Bobby": "Bob", "Kit": "Cat", "Danny": "Dan", "Evie": "Eve"}
"""Under these names people now and then sit down as somebody new, until they are put together."""

CURRENCIES = ["EUR", "EUR", "EUR", "JPY"]
DIGITS = {"EUR": 2, "JPY": 0}


class RandomClub:
    """Drives one club and its second book side by side."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.club: Club = club.new_club()
        self.book = ClubBook()
        self.evenings: list[Evening] = []
        self.on_tab: list[tuple[TabPayment, club_book.Paid]] = []
        """The payments of the tab that stand."""

    # --- An evening -----------------------------------------------------------------------------------

    def play(self) -> None:
        """An evening from its start to its close."""
        chance = self.chance
        names = chance.sample(PEOPLE, chance.randint(2, 4))
        nicks = {name: nick for nick, name in NICKNAMES.items()}
        names = [nicks[name] if name in nicks and chance.random() < 0.3 else name for name in names]
        currency, preset = chance.choice(CURRENCIES), chance.choice(PRESETS)
        evening = Evening()
        evening.model = Model(names, 1, 100, {}, preset)
        evening.session = ledger.start_session(
            names=names, stake=100, currency=currency, minor_digits=DIGITS[currency], rules=preset,
            club=self.club if self.evenings else None, key=key(), by="host",
        )  # fmt: skip
        self.club = evening.session.club
        self.evenings.append(evening)
        self.book.evening(evening.model, currency)
        chips = chance.choice(["credit", "cash", "mixed", "none"])
        if chips != "none":
            for seat in range(1, len(names) + 1):
                evening.buy_in(seat=seat, amount=5000, cash=chips == "cash" or (chips == "mixed" and seat % 2 == 0))
        for _ in range(chance.randint(3, 7)):
            self.something(evening)
        self.close(len(self.evenings) - 1)

    def something(self, evening: Evening, *, again: bool = False) -> None:
        """One thing at the table. ``again`` is after a close, when nobody comes who was not there."""
        chance, model = self.chance, evening.model
        here = model.now().order
        seat, other, amount = chance.choice(here), chance.choice(here), chance.choice([100, 700, 2000])
        hand = {
            "deck": chance.randrange(len(DECKS)),
            "turn": chance.randrange(4),
            "points": [chance.randint(-12, 12) for _ in range(6)] if chance.random() < 0.6 else None,
            **dict.fromkeys(("dead", "twice", "stranger"), False),
        }
        cash, chips = chance.random() < 0.5, model.now().stacks is not None
        doing: list[tuple[int, Any]] = [
            (10, lambda: evening.settle(hand=hand)),
            (3, lambda: evening.side_bet(payer=seat, payee=other, amount=amount)),
            (2, lambda: evening.fee(amount=30)),
            (1, lambda: evening.penalty(seat=seat, points=2)),
            (2, lambda: evening.move(what="leave", seat=seat, insist=True)),
            (1, evening.undo),
        ]
        if chips:
            doing += [
                (3, lambda: evening.buy_in(seat=seat, amount=amount, cash=cash)),
                (1, lambda: evening.cash_out(seat=seat, amount=amount, cash=cash)),
            ]
        if not again:
            doing += [(2, lambda: evening.join(name=chance.choice(PEOPLE), after=None, insist=True))]
        if model.deals:
            doing += [
                (3, lambda: evening.correct(hand=hand, back=chance.randrange(3), follow=set())),
                (2, lambda: evening.void_or_restore(back=chance.randrange(3), follow=set())),
            ]
        chance.choices([one for _, one in doing], [weight for weight, _ in doing])[0]()

    def close(self, number: int) -> None:
        evening, kept, chance = self.evenings[number], self.book.evenings[number], self.chance
        kept.on_tab = chance.random() < 0.8
        kept.model = evening.model  # a refused action puts an earlier copy in its place
        counts = kept.model.close([chance.choice([0, 0, 0, 50, -70]) for _ in range(4)])
        kept.model.coin = self.a_coin(number) if kept.on_tab else 0
        ledger.close_session(
            session=evening.session, counts=counts, tab=kept.on_tab, coin=kept.model.coin, note="counted",
            key=key(), by="host",
        )  # fmt: skip
        for seat, name in kept.model.names.items():
            kept.people.setdefault(seat, name)
        kept.closed = True

    def a_coin(self, number: int) -> int:
        coin: int = self.chance.choice([0, 0, 1, 5]) * 10 ** DIGITS[self.book.evenings[number].currency]
        return coin

    def reopen(self, number: int) -> None:
        """What was wrong in an evening that is over, and perhaps paid, is put right."""
        evening, kept = self.evenings[number], self.book.evenings[number]
        ledger.reopen_session(session=evening.session, key=key(), by="host")
        evening.model.counts = None
        kept.closed = False
        for _ in range(self.chance.randint(0, 2)):
            self.something(evening, again=True)
        kept.model = evening.model
        self.agree()
        self.close(number)

    def choose(self, number: int) -> None:
        """An evening is carried to the tab, or kept out of it, or its payments are rounded to another coin."""
        kept, model = self.book.evenings[number], self.evenings[number].model
        on = self.chance.random() < 0.6
        coin = self.a_coin(number) if on else 0
        same, begun = (on, coin) == (kept.on_tab, model.coin), coin != model.coin and model.left() is not None
        chosen = partial(
            ledger.choose_tab, session=self.evenings[number].session, on=on, coin=coin, key=key(), by="host"
        )
        if same or (on and begun):
            with pytest.raises(LedgerError):
                chosen()
            return
        chosen()
        kept.on_tab, model.coin = on, coin

    # --- Payments -------------------------------------------------------------------------------------

    def pay_in(self, number: int) -> None:
        """A payment in an evening that is closed, or one taken back."""
        evening, kept, chance = self.evenings[number], self.book.evenings[number], self.chance
        evening.session.refresh_from_db()
        before = list(evening.model.paid)
        what = chance.choice(["all", "all", "part", "more", "wrong", "undo"])
        way = chance.choice([ledger.Way.FEWEST, ledger.Way.PAIRS])
        evening.one_payment(chance.randrange(6), what, way)
        kept.model = evening.model
        after = evening.model.paid
        for one in after[len(before) :]:
            self.book.pay(kept.currency, kept.who(one["payer"]), kept.who(one["payee"]), one["amount"], kept)
        for one in [one for one in before if len(after) < len(before) and one not in after]:
            self.book.pay(kept.currency, kept.who(one["payee"]), kept.who(one["payer"]), one["amount"], kept)

    def pay_tab(self, who: int | None = None) -> None:
        """A payment on the tab: any, or one that an account makes or gets."""
        chance, names = self.chance, reads.account_names(self.club)
        open_ = [
            (tab, each)
            for tab in reads.tabs(self.club)
            for each in tab.open
            if who is None or who in (each.payer, each.payee)
        ]
        if not open_:
            return
        tab, due = chance.choice(open_)
        what = chance.choice(["all", "part", "more", "too much", "wrong way"])
        over = {"more": 7, "too much": 1}.get(what, 0)
        given: dict[str, Any] = {
            "payer": due.payer,
            "payee": due.payee,
            "amount": max(1, due.amount // 3) if what == "part" else due.amount + over,
            "currency": tab.currency,
            "minor_digits": tab.minor_digits,
            "over": over if what == "more" else 0,
            "key": key(),
            "by": "host",
        }
        if what == "wrong way":
            given |= {"payer": due.payee, "payee": due.payer}
        if what in ("too much", "wrong way"):
            with pytest.raises(LedgerError):
                club.pay_tab(self.club, **given)
            return
        for _ in range(2):
            row = club.pay_tab(self.club, **given)
        self.on_tab.append((row, self.book.pay(tab.currency, names[due.payer], names[due.payee], given["amount"])))

    def pay_among(self) -> None:
        """Some who sit down settle what is open between them."""
        names, there = reads.account_names(self.club), self.chance.sample(PEOPLE, 4)
        before = TabPayment.objects.filter(club=self.club).count()
        due = [
            (tab.currency, names[each.payer], names[each.payee], each.amount)
            for tab in reads.tabs(self.club)
            for each in tab.open
            if {names[each.payer], names[each.payee]} <= set(there)
        ]
        form, asked = key(), club.open_among(self.club, there)
        for _ in range(2):
            club.pay_tab_among(self.club, asked, note="at the start", key=form, by="host")
        rows = TabPayment.objects.filter(club=self.club, n__gt=before).order_by("n")
        for row, one in zip(rows, due, strict=True):
            self.on_tab.append((row, self.book.pay(*one)))

    def undo_on_tab(self) -> None:
        if self.on_tab:
            row, _ = self.on_tab.pop(self.chance.randrange(len(self.on_tab)))
            names, now = reads.account_names(self.club), self.merged()
            payer, payee = (names[now.get(each, each)] for each in (row.payer, row.payee))
            club.undo_tab_payment(self.club, n=row.n, key=key(), by="host")
            self.book.pay(row.currency, payee, payer, row.amount)
            with pytest.raises(LedgerError):
                club.undo_tab_payment(self.club, n=row.n, key=key(), by="host")

    # --- People ---------------------------------------------------------------------------------------

    def merged(self) -> dict[int, int]:
        return dict(Merged.objects.filter(club=self.club).values_list("gone", "player_id"))

    def merge(self) -> None:
        """Somebody who sat down under another name is put together with themselves, unless both sat there at once."""
        known = {each.name: each for each in Player.objects.filter(club=self.club)}
        pairs = [(nick, name) for nick, name in NICKNAMES.items() if {nick, name} <= known.keys()]
        if not pairs:
            return
        nick, name = self.chance.choice(pairs)
        both = any({nick, name} <= set(evening.people.values()) for evening in self.book.evenings)
        if both:
            with pytest.raises(LedgerError):
                club.merge(known[nick], known[name])
            return
        self.pay_tab(known[nick].pk)  # which the account of whoever they are has to have, too
        club.merge(known[nick], known[name])
        self.book.merge(nick, name)

    # --- What has to agree ----------------------------------------------------------------------------

    def agree(self) -> None:
        names = reads.account_names(self.club)
        tabs = {tab.currency: tab for tab in reads.tabs(self.club)}
        expected = self.book.tabs()
        assert {code: named(tab.owed, names) for code, tab in tabs.items() if tab.owed} == {
            code: owed for code, owed in expected.items() if owed
        }
        for tab in tabs.values():
            assert sum(tab.owed.values()) == 0
            assert all(each.amount > 0 and each.payer != each.payee for each in tab.open)
            # What is left of a plan may go through somebody who is even, such as who was paid too much.
            assert sums({(each.payer, each.payee): each.amount for each in tab.open}) == tab.owed
            owing = {who for who, amount in tab.owed.items() if amount < 0 and who > 0}
            assert {who for who in tab.since if who > 0} == owing
        for player in Player.objects.filter(club=self.club):
            found = {
                code: [Line(each.amount, each.counts, each.balance) for each in entries if each.amount]
                for (code, _), entries in reads.account(player).items()
            }
            mine = self.book.account(player.name)
            assert {code: lines for code, lines in found.items() if lines} == mine
            for code, lines in mine.items():
                assert lines[-1].balance == expected.get(code, {}).get(player.name, 0)
        standings = {
            (each.player, each.currency): (each.points, each.money, each.fees)
            for each in reads.standings(self.club)
            if each.points or each.money or each.fees
        }
        assert standings == self.book.won()


def named(owed: Any, names: dict[int, str]) -> dict[str, int]:
    known = {BANK: club_book.BANK, HOUSE: club_book.HOUSE, **names}
    return {known[account]: amount for account, amount in owed.items()}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(CLUBS))
def test_a_random_club(seed: int) -> None:
    one = RandomClub(seed)
    for _ in range(CLUB_EVENINGS):
        one.play()
        one.agree()
        for _ in range(one.chance.randint(2, 5)):
            number = one.chance.randrange(len(one.evenings))
            doing: list[tuple[int, Callable[[], None]]] = [
                (4, one.pay_tab),
                (1, one.pay_among),
                (2, one.undo_on_tab),
                (4, partial(one.pay_in, number)),
                (2, partial(one.choose, number)),
                (2, partial(one.reopen, number)),
                (3, one.merge),
            ]
            one.chance.choices([each for _, each in doing], [weight for weight, _ in doing])[0]()
            one.agree()
    assert list(map(str, audit.of_everything())) == []
