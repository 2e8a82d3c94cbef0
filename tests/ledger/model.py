"""A second ledger, as simple as possible: a list of what happened, replayed from the start for every question.

It follows the rules alone: it shares no code with `scoring`, and scores with the slow scorer of `tests.rules.naive`.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.rules import naive

Happening = dict[str, Any]
Payment = dict[str, Any]
Debts = dict[tuple[int, int], int]
"""Minor units by (payer, payee)."""


class RefusedError(Exception):
    """The change is impossible, or leaves a later step that could not have happened."""


@dataclass
class Standing:
    """The state that the list leads to."""

    order: list[int]
    button: int
    stake: int
    rules: str
    out: set[int] = field(default_factory=set)
    pair_stakes: dict[frozenset[int], int] = field(default_factory=dict)
    owed: dict[int, int] = field(default_factory=dict)  # cards owed in Fantasyland, by seat
    held: bool = False
    stacks: dict[int, int] | None = None
    points: dict[int, int] = field(default_factory=dict)
    money: dict[int, int] = field(default_factory=dict)
    fees: dict[int, int] = field(default_factory=dict)
    cash: bool = False  # whether the last chips were paid for on the spot, which is offered for the next
    bought: dict[int, int] = field(default_factory=dict)  # chips bought, less chips handed in
    till: dict[int, int] = field(default_factory=dict)  # money paid for chips, less money got for them
    box: int = 0  # the house's chips
    kept: int = 0  # what the bank won by a count

    def worth(self, seat: int, chips: int) -> int:
        """What chips of a seat are worth in cash, of which those never paid for are worth nothing."""
        unpaid = max(0, self.bought.get(seat, 0) - self.till.get(seat, 0))
        return max(0, chips - unpaid)

    def hand_in(self, seat: int, chips: int, cash: int) -> None:
        self.bought[seat] = self.bought.get(seat, 0) - chips
        self.till[seat] = self.till.get(seat, 0) - cash

    def active(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.out]

    def left_of(self, seat: int) -> list[int]:
        """Active seats clockwise from the left of ``seat``, which comes last."""
        at = self.order.index(seat) + 1
        return [other for other in self.order[at:] + self.order[:at] if other not in self.out]

    def limit(self) -> int:
        return 3 if naive.resolve(self.rules)["game"] == "pineapple" else 4

    def lineup(self) -> list[int]:
        seats = self.left_of(self.button)
        return seats[:-1] if len(seats) == self.limit() + 1 else seats

    def sitter_owed(self) -> int | None:
        """The seat that sits out with the button although it is owed Fantasyland, if there is one."""
        crowded = len(self.active()) == self.limit() + 1
        return self.button if crowded and self.owed.get(self.button) else None

    def cards(self, seat: int) -> int:
        """How many cards the seat is dealt at once in Fantasyland, as far as 52 cards allow; 0 if it is owed none."""
        each = 17 if self.limit() == 3 else 13
        return min(self.owed.get(seat, 0), max(13, 52 - each * (len(self.lineup()) - 1)))


class Model:
    """The list and the names. Every action raises `RefusedError` where the ledger should refuse."""

    def __init__(self, names: list[str], button: int, stake: int, pair_stakes: dict[frozenset[int], int], rules: str):
        self.names = dict(enumerate(names, 1))
        self.opening = (list(self.names), button, stake, pair_stakes, rules)
        self.happened: list[Happening] = []
        self.deals = 0
        self.undoable: list[list[Happening]] = []
        self.paid: list[Payment] = []
        self.counts: dict[int, int] | None = None
        """The stacks as they were counted when the session was closed; None while it is open."""
        self.paid_out: dict[int, int] = {}
        """What the bank paid each for their chips when the session was closed."""
        self.promise: Debts | None = None
        """The debts that stood when the first payment was made; None if nothing of them is paid."""
        self.rest: dict[int, int] = {}
        """What everybody was still owed beside that promise, where it was rounded."""
        self.promised_in = 0
        """To what the promise was rounded."""
        self.coin = 0
        """To what payments are rounded now."""

    # --- Reading ----------------------------------------------------------------------------------

    def now(self, happened: list[Happening] | None = None) -> Standing:
        """Replay the list, or the one given."""
        order, button, stake, pair_stakes, rules = copy.deepcopy(self.opening)
        state = Standing(order, button, stake, rules, pair_stakes=pair_stakes)
        for seat in self.names:
            state.points[seat] = state.money[seat] = state.fees[seat] = 0
        for one in self.happened if happened is None else happened:
            getattr(self, f"_{one['what']}")(state, one)
        return state

    def close(self, differ: list[int]) -> dict[int, int]:
        """Close it with stacks that differ by so much from what they should be; returns them. Empty without chips."""
        state = self.now()
        self.counts = {}
        if state.stacks is not None:
            for seat, by in zip(state.order, differ, strict=False):
                self.counts[seat] = max(0, state.stacks.get(seat, 0) + by)
        self.paid_out = self._paid_out(self._counted())
        return self.counts

    def closed(self) -> Standing:
        """What it stands at once it is closed."""
        state = self._counted()
        if self.counts is not None:
            for seat, cash in self.paid_out.items():
                state.hand_in(seat, state.box if seat == -2 else (state.stacks or {})[seat], cash)
                if state.stacks is not None:
                    state.stacks[seat] = 0
        return state

    def _counted(self) -> Standing:
        state = self.now()
        for seat, chips in (self.counts or {}).items():
            assert state.stacks is not None
            by = chips - state.stacks.get(seat, 0)
            state.stacks[seat] = chips
            state.money[seat] += by
            state.kept -= by
        return state

    def _paid_out(self, state: Standing) -> dict[int, int]:
        """What the bank pays everybody for their chips; empty if it holds no money, because they keep them then."""
        money = self.in_the_bank(state)
        if state.stacks is None or not money:
            return {}
        there = {**dict(sorted(state.stacks.items())), -2: state.box}
        worth = {seat: state.worth(seat, chips) for seat, chips in there.items() if chips > 0}
        paid_in = {seat: min(chips, max(0, state.till.get(seat, 0))) for seat, chips in worth.items()}
        got = dict.fromkeys(worth, 0)
        # Everybody queues for what they paid in, and then once more for what they won.
        for seat, claim in [*paid_in.items(), *((seat, worth[seat] - paid_in[seat]) for seat in worth)]:
            got[seat] += min(claim, money)
            money -= min(claim, money)
        return got

    def in_the_bank(self, state: Standing) -> int:
        """The money that lies in the bank if it was ever paid any for chips that it has not given back."""
        taken = sum(state.till.values())
        paid = sum(one["amount"] * ((one["payee"] == -1) - (one["payer"] == -1)) for one in self.paid)
        return max(0, taken + paid) if taken > 0 else 0

    def deal(self, number: int) -> Happening:
        return next(one for one in self.happened if one["what"] == "deal" and one["number"] == number)

    # --- What may happen ----------------------------------------------------------------------------

    def settle(self, entry: dict[str, Any]) -> None:
        self._take(
            [*self.happened, {"what": "deal", "number": self.deals + 1, "entry": entry, "void": False, "fresh": True}]
        )
        self.deals += 1

    def change(self, number: int, *, entry: dict[str, Any] | None, void: bool, follow: set[int]) -> None:
        """Correct, void or restore a deal. Those later ones that do not follow stand as they were dealt."""
        changed = copy.deepcopy(self.happened)
        deal = next(one for one in changed if one["what"] == "deal" and one["number"] == number)
        deal.update(void=void, fresh=True, **({} if entry is None else {"entry": entry}))
        if entry is not None:
            deal.pop("pinned", None)
        later = [one for one in changed[changed.index(deal) + 1 :] if one["what"] == "deal"]
        for one in [*later, *([deal] if entry is None and not void else [])]:
            one["follows"] = one["number"] in follow
        self._take(changed)

    def act(self, one: Happening) -> None:
        """Do any other action."""
        if one.pop("careful", False) and self.now().owed:
            raise RefusedError
        changed = [*self.happened, one]
        if self.now(changed).sitter_owed() not in (None, self.now().sitter_owed()):
            raise RefusedError
        self._take(changed)

    def late_buy_in(self, seat: int, amount: int, number: int, *, cash: bool) -> None:
        at = self.happened.index(self.deal(number))
        if self.now(self.happened[:at]).stacks is None:
            raise RefusedError
        changed = copy.deepcopy(self.happened)
        for one in changed[at:]:
            one["follows"] = False
        changed.insert(at, {"what": "buy_in", "seat": seat, "amount": amount, "cash": cash, "late": True})
        self._take(changed)

    def undo(self) -> None:
        if not self.undoable:
            raise RefusedError
        before = copy.deepcopy(self.undoable[-1])
        there = {one["number"] for one in before if one["what"] == "deal"}
        before += [
            {**copy.deepcopy(one), "void": True}
            for one in self.happened
            if one["what"] == "deal" and one["number"] not in there
        ]
        self.now(before)
        self.undoable.pop()
        self.happened = before

    def _take(self, changed: list[Happening]) -> None:
        before = copy.deepcopy(self.happened)
        for one in before:
            one.pop("fresh", None)
        changed = copy.deepcopy(changed)
        self.now(changed)
        self.undoable.append(before)
        self.happened = changed
        for one in self.happened:
            for mark in ("fresh", "follows"):
                one.pop(mark, None)

    # --- Payments -------------------------------------------------------------------------------------

    def open(self) -> dict[int, int]:
        """What each is still owed (+) or owes (-); those who are even are missing. The house is -2, the bank -1."""
        state = self.closed()
        found = {seat: state.money[seat] - state.fees[seat] + state.till.get(seat, 0) for seat in state.money}
        found[-2] = sum(state.fees.values()) + state.till.get(-2, 0)
        found[-1] = state.kept - sum(state.till.values())
        for one in self.paid:
            found[one["payer"]] += one["amount"]
            found[one["payee"]] -= one["amount"]
        return {seat: amount for seat, amount in found.items() if amount}

    def left(self) -> Debts | None:
        """What is left of the promise, None if there is none or if it would not make everybody even any more."""
        since = [one for one in self.paid if one["promise"] is self.promise]
        if self.promise is None or not since:
            return None
        debts = dict(self.promise)
        for one in since:
            there, back = (one["payer"], one["payee"]), (one["payee"], one["payer"])
            rest = debts.pop(there, 0) - debts.pop(back, 0) - one["amount"]
            debts |= {there: rest} if rest > 0 else {back: -rest} if rest < 0 else {}
        in_coins = self.promised_in == self.coin if self.coin else not self.rest
        return debts if in_coins and self.beside(debts) == self.rest else None

    def beside(self, debts: Debts) -> dict[int, int]:
        """What everybody would still be owed once these debts are paid."""
        still = self.open()
        for seat, amount in sums(debts).items():
            still[seat] = still.get(seat, 0) - amount
        return {seat: amount for seat, amount in still.items() if amount}

    def pay(self, payer: int, payee: int, amount: int, debts: Debts, *, over: int) -> Payment:
        """Pay some of a debt. ``debts`` are those that stand if there is no promise."""
        left = self.left()
        due = (debts if left is None else left).get((payer, payee), 0)
        if amount <= 0 or not due or (amount > due and amount - due != over):
            raise RefusedError
        if left is None:
            self.promise, self.rest, self.promised_in = dict(debts), self.beside(debts), self.coin
        self.paid.append({"payer": payer, "payee": payee, "amount": amount, "promise": self.promise})
        return self.paid[-1]

    # --- What each thing does -------------------------------------------------------------------------

    def _deal(self, state: Standing, deal: Happening) -> None:
        if deal["void"]:
            return
        entry = deal["entry"]
        if "follows" in deal and "played" in deal:
            self._pin(state, deal)
        pinned = deal.get("pinned", {})
        here = copy.deepcopy(state)
        here.button = pinned.get("button", here.button)
        if "seats" in pinned:
            here.out = set(here.order) - set(pinned["seats"])
        here.owed = dict(pinned.get("owed", here.owed))
        lineup = here.lineup()
        if not 2 <= len(lineup) <= here.limit() or here.sitter_owed():
            raise RefusedError
        if state.stacks is not None and any(state.stacks.get(seat, 0) <= 0 for seat in lineup):
            raise RefusedError
        if not deal.get("fresh") and set(lineup) != set(deal["played"]["seats"]):
            raise RefusedError
        if "points" in entry:
            if not {seat for one, other, _ in entry["points"] for seat in (one, other)} <= set(lineup):
                raise RefusedError
        elif set(entry["boards"]) != set(lineup) or entry.get("bad"):
            raise RefusedError
        result = naive.score(self._document(here, lineup, entry))
        deal["played"] = {
            "button": here.button,
            "seats": lineup,
            "owed": {seat: here.cards(seat) for seat in lineup if here.cards(seat)},
        }
        state.owed = {}
        for seat, player in zip(lineup, result["players"], strict=True):
            state.points[seat] += player["points"]
            state.money[seat] += player["money"]
            if state.stacks is not None:
                state.stacks[seat] = player["stack"]
            if player.get("fantasyland_next"):
                state.owed[seat] = player["fantasyland_next"]
        state.button = here.button
        state.held = bool(state.owed) and naive.resolve(state.rules)["button_in_fantasyland"] == "stays"
        if not state.held:
            self._pass_button(state)

    def _pin(self, state: Standing, deal: Happening) -> None:
        """Keep what this deal was played with wherever it would now differ, unless it follows."""
        was = deal["played"]
        pinned: dict[str, Any] = {}
        deal.pop("pinned", None)
        if deal["follows"]:
            return
        here = copy.deepcopy(state)
        if here.button != was["button"]:
            pinned["button"] = here.button = was["button"]
        if set(here.lineup()) != set(was["seats"]):
            pinned["seats"] = list(was["seats"])
            here.out = set(here.order) - set(was["seats"])
        if here.sitter_owed() or {seat: here.cards(seat) for seat in was["seats"] if here.cards(seat)} != was["owed"]:
            pinned["owed"] = dict(was["owed"])
        if pinned:
            deal["pinned"] = pinned

    def _pass_button(self, state: Standing) -> None:
        crowded = len(state.active()) == state.limit() + 1
        for seat in state.left_of(state.button):
            if not (crowded and state.owed.get(seat)):
                state.button = seat
                break
        state.held = False

    def _document(self, state: Standing, lineup: list[int], entry: dict[str, Any]) -> dict[str, Any]:
        players = []
        for seat in lineup:
            player: dict[str, Any] = {"name": self.names[seat]}
            if "boards" in entry:
                board = entry["boards"][seat]
                player.update(
                    {"ruling": board}
                    if isinstance(board, str)
                    else dict(zip(("front", "middle", "back"), board, strict=True))
                )
            if state.cards(seat):
                player.update(fantasyland=True, fantasyland_cards=state.cards(seat))
            if state.stacks is not None:
                player["stack"] = state.stacks.get(seat, 0)
            players.append(player)
        found = {
            "rules": state.rules,
            "players": players,
            "stake": state.stake,
            "pair_stakes": [
                {"players": [self.names[seat] for seat in pair], "stake": stake}
                for pair, stake in state.pair_stakes.items()
                if pair <= set(lineup)
            ],
        }
        if "points" in entry:
            found["points"] = [
                {"players": [self.names[one], self.names[other]], "points": won} for one, other, won in entry["points"]
            ]
        return found

    def _set_next(self, state: Standing, one: Happening) -> None:
        if one.get("button") is not None:
            if one["button"] not in state.active():
                raise RefusedError
            state.button, state.held = one["button"], False
        if one.get("owed") is not None:
            if not set(one["owed"]) <= set(state.active()):
                raise RefusedError
            state.owed = dict(one["owed"])
            if state.held and not state.owed:
                self._pass_button(state)

    def _join(self, state: Standing, one: Happening) -> None:
        if one["seat"] in state.order or (one["after"] is not None and one["after"] not in state.order):
            raise RefusedError
        self._cash_in(state, one)
        at = len(state.order) if one["after"] is None else state.order.index(one["after"]) + 1
        state.order.insert(at, one["seat"])
        self._wake(state)

    def _leave(self, state: Standing, one: Happening) -> None:
        if one["seat"] not in state.order or len(state.order) == 1:
            raise RefusedError
        self._cash_in(state, one)
        self._gone(state, one["seat"])
        state.order.remove(one["seat"])
        state.out.discard(one["seat"])
        if state.button not in state.order:
            state.button = state.order[0]

    def _cash_in(self, state: Standing, one: Happening) -> None:
        """Who comes or goes hands in what they have. How much that was then, and what they got for it, stays so."""
        if state.stacks is None:
            return
        seat = one["seat"]
        has = state.stacks.get(seat, 0)
        left = has - one.setdefault("chips", has)
        if left < 0:
            raise RefusedError
        state.stacks[seat] = left
        state.hand_in(seat, one["chips"], one.setdefault("got", self._can_pay(state, seat, one["chips"])))

    def _can_pay(self, state: Standing, seat: int, chips: int) -> int:
        return min(self.in_the_bank(state), state.worth(seat, chips))

    def _sit_out(self, state: Standing, one: Happening) -> None:
        if one["seat"] not in state.order or one["seat"] in state.out:
            raise RefusedError
        self._gone(state, one["seat"])
        state.out.add(one["seat"])
        if state.button == one["seat"]:
            state.button = state.order[0]

    def _gone(self, state: Standing, seat: int) -> None:
        """A seat stops taking part: it loses its Fantasyland, and the button passes on."""
        state.owed.pop(seat, None)
        if state.held and not state.owed:
            self._pass_button(state)
        if state.button == seat:
            others = [other for other in state.left_of(seat) if other != seat]
            if others:
                state.button = others[0]

    def _sit_in(self, state: Standing, one: Happening) -> None:
        if one["seat"] not in state.out:
            raise RefusedError
        state.out.remove(one["seat"])
        self._wake(state)

    def _wake(self, state: Standing) -> None:
        if state.button in state.out:
            state.button = state.left_of(state.button)[0]

    def _swap(self, state: Standing, one: Happening) -> None:
        if one["first"] == one["second"] or not {one["first"], one["second"]} <= set(state.order):
            raise RefusedError
        places = {one["first"]: one["second"], one["second"]: one["first"]}
        state.order = [places.get(seat, seat) for seat in state.order]

    def _terms(self, state: Standing, one: Happening) -> None:
        was = state.stake, state.rules, state.pair_stakes
        state.stake = one.get("stake", state.stake)
        state.rules = one.get("rules", state.rules)
        if "pair_stakes" in one:
            state.pair_stakes = dict(one["pair_stakes"])
        if (state.stake, state.rules, state.pair_stakes) == was:
            raise RefusedError

    def _buy_in(self, state: Standing, one: Happening) -> None:
        if one["seat"] not in state.order or one["amount"] <= 0:
            raise RefusedError
        state.stacks = state.stacks if state.stacks is not None else {}
        state.stacks[one["seat"]] = state.stacks.get(one["seat"], 0) + one["amount"]
        state.hand_in(one["seat"], -one["amount"], -one["amount"] if one["cash"] else 0)
        if not one.get("late"):
            state.cash = one["cash"]

    def _buy_in_all(self, state: Standing, one: Happening) -> None:
        if not state.order:
            raise RefusedError
        for seat in state.order:
            self._buy_in(state, {"seat": seat, "amount": one["amount"], "cash": one["cash"]})

    def _cash_out(self, state: Standing, one: Happening) -> None:
        if state.stacks is None or not 0 < one["amount"] <= state.stacks.get(one["seat"], 0):
            raise RefusedError
        state.stacks[one["seat"]] -= one["amount"]
        state.hand_in(one["seat"], one["amount"], one["amount"] if one["cash"] else 0)

    def _penalty(self, state: Standing, one: Happening) -> None:
        others = [seat for seat in state.active() if seat != one["seat"]]
        if one["seat"] not in self.names or not others:
            raise RefusedError
        for other in others:
            stake = state.pair_stakes.get(frozenset({one["seat"], other}), state.stake)
            state.points[one["seat"]] -= one["points"]
            state.points[other] += one["points"]
            self._pay(state, one["seat"], other, one["points"] * stake)
        self._solvent(state, one["seat"])

    def _side_bet(self, state: Standing, one: Happening) -> None:
        if one["payer"] == one["payee"] or not {one["payer"], one["payee"]} <= set(self.names) or one["amount"] <= 0:
            raise RefusedError
        self._pay(state, one["payer"], one["payee"], one["amount"])
        self._solvent(state, one["payer"])

    def _fee(self, state: Standing, one: Happening) -> None:
        if not state.active() or one["amount"] <= 0:
            raise RefusedError
        for seat in state.active():
            state.fees[seat] += one["amount"]
            if state.stacks is not None:
                state.stacks[seat] = state.stacks.get(seat, 0) - one["amount"]
                state.box += one["amount"]
            self._solvent(state, seat)

    def _pay(self, state: Standing, payer: int, payee: int, amount: int) -> None:
        state.money[payer] -= amount
        state.money[payee] += amount
        if state.stacks is not None and {payer, payee} <= set(state.order):
            state.stacks[payer] = state.stacks.get(payer, 0) - amount
            state.stacks[payee] = state.stacks.get(payee, 0) + amount

    def _solvent(self, state: Standing, seat: int) -> None:
        if state.stacks is not None and state.stacks.get(seat, 0) < 0:
            raise RefusedError


def sums(debts: Debts) -> dict[int, int]:
    """What each gets (+) or gives (-) if these debts are paid; those for whom it makes no difference are missing."""
    found: dict[int, int] = {}
    for (payer, payee), amount in debts.items():
        found[payer] = found.get(payer, 0) - amount
        found[payee] = found.get(payee, 0) + amount
    return {seat: amount for seat, amount in found.items() if amount}


def fewest(owed: dict[int, int]) -> int:
    """How few payments make everybody even: one fewer than people in each group that sums to zero."""

    def groups(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        one, *others = rest
        best = 0
        for chosen in range(1 << len(others)):
            group = [other for at, other in enumerate(others) if chosen >> at & 1]
            if owed[one] + sum(owed[seat] for seat in group) == 0:
                best = max(best, 1 + groups(tuple(seat for seat in others if seat not in group)))
        return best

    return len(owed) - groups(tuple(owed))
