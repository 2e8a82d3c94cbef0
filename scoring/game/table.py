"""The table between two deals, and how deals and everything else change it.

This module is pure and uses no database: the ledger stores the results, and the audit replays them. A seat is a number
here, as in every form and stored value. A `Table` is immutable, so every change makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.game.entry import Entry, Rows, as_object, pair, pair_stakes_as_list
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT, ROW_LENGTH
from scoring.game.lines import Line, LineKind
from scoring.game.outcome import Gain, Outcome
from scoring.rules.board import ROWS
from scoring.rules.document import score
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import HouseRules, fantasyland_capacity, max_players
from scoring.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at the table with its player's name; ``out`` is true while they are not dealt in."""

    number: int
    name: str
    out: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that the next deal depends on.

    ``chairs`` stand clockwise. ``button`` and ``fantasyland`` (the number of cards due, by seat) are those of the next
    deal; ``note`` is the host's reason if they set either. ``held`` is true if the button stayed because the next deal
    is a Fantasyland deal. ``stake`` is in minor units a point, and ``pair_stakes`` has those of pairs that differ.
    ``stacks`` are the chips of every seat that has any, in minor units, or None while the session is on credit.
    ``dealt`` are the seats that have had the button in this orbit, after ``orbits`` complete ones (R67). ``names`` are
    of everybody who ever sat here, by seat; they serve sentences alone, so tables that differ in them are equal.

    ``cash`` is whether the last chips were paid for on the spot, which is offered for those that follow. ``cash_for``
    is what the bank would pay seats for all their chips, known only where somebody is about to come or go.
    """

    chairs: tuple[Chair, ...]
    button: int
    stake: int
    rules: HouseRules
    pair_stakes: Mapping[tuple[int, int], int] = field(default_factory=dict)
    fantasyland: Mapping[int, int] = field(default_factory=dict)
    held: bool = False
    stacks: Mapping[int, int] | None = None
    note: str = ""
    dealt: frozenset[int] = frozenset()
    orbits: int = 0
    names: Mapping[int, str] = field(default_factory=dict, compare=False)
    cash: bool = False
    cash_for: Mapping[int, int] = field(default_factory=dict, compare=False)

    # --- Reading it ---------------------------------------------------------------------------------------------------

    def chair(self, number: int) -> Chair | None:
        """The chair of a seat, or None if its player is no longer at the table."""
        return next((chair for chair in self.chairs if chair.number == number), None)

    def name(self, number: int) -> str:
        """The name of a seat in a sentence, also of a player who has left."""
        chair = self.chair(number)
        return chair.name if chair else self.names.get(number, f"Seat {number}")

    def away(self, seats: Iterable[int]) -> tuple[int, ...]:
        """Those of the seats whose players have left with their chips (R72); none while the session is on credit."""
        return tuple(seat for seat in seats if self.stacks is not None and self.chair(seat) is None)

    def active(self) -> tuple[int, ...]:
        """The seats that take part, clockwise."""
        return tuple(chair.number for chair in self.chairs if not chair.out)

    def after(self, number: int) -> Iterator[int]:
        """The active seats, clockwise from the left of a seat; the seat itself comes last, if it is active."""
        start = [chair.number for chair in self.chairs].index(number) + 1
        return (chair.number for chair in self.chairs[start:] + self.chairs[:start] if not chair.out)

    def lineup(self) -> tuple[int, ...]:
        """The seats that are dealt in, under the gun first and the button last.

        With one more active player than the deck can serve, such as a fourth in Pineapple, the button sits out (R66).
        """
        order = tuple(self.after(self.button))
        return order[:-1] if len(order) == max_players(self.rules) + 1 else order

    def sitter(self) -> int | None:
        """The seat that sits out the next deal because it has the button, or None if every active seat is dealt in."""
        return self.button if len(self.active()) == max_players(self.rules) + 1 else None

    def sitter_owed(self) -> list[Problem]:
        """The problem if a player who is due Fantasyland would sit out with the button; they must play it (R66)."""
        sitter = self.sitter() if self.fantasyland else None
        if sitter is None or not self.fantasyland.get(sitter):
            return []
        message = Phrase("{name} is due Fantasyland and can't sit out with the button.", name=self.name(sitter))
        return [Problem("fantasyland-pending", "button", message)]

    def dealt_at_once(self, seat: int) -> int:
        """The cards of a seat in Fantasyland: those due, at most what the deck has left (R41); 0 for other seats."""
        due = self.fantasyland.get(seat, 0)
        return due and min(due, fantasyland_capacity(self.rules, len(self.lineup())))

    def pair_stake(self, one: int, other: int) -> int:
        """The stake between two seats, in minor units a point."""
        return self.pair_stakes.get(pair(one, other), self.stake)

    def obstacles(self) -> list[Problem]:
        """The problems that prevent the next deal; empty if it can be dealt."""
        lineup, most = self.lineup(), max_players(self.rules)
        if len(lineup) < 2:
            message = Phrase("A hand needs at least two players who aren't sitting out.")
            return [Problem("too-few-players", "seats", message)]
        if len(lineup) > most:
            message = Phrase.plural(
                "Max {most} players per hand, and one dealer who sits out: {count} of these {players} must sit out.",
                "Max {most} players per hand, and one dealer who sits out: {count} of these {players} must sit out.",
                len(lineup) - most,
                most=most,
                players=len(lineup),
            )
            return [Problem("too-many-players", "seats", message)]
        owed = self.sitter_owed()
        if self.stacks is None or not self.rules.loss_cap:
            return owed
        return owed + [
            Problem(
                "no-chips",
                f"seats[{seat}]",
                Phrase("{name} is out of chips. Buy in, sit out or leave before the next hand.", name=self.name(seat)),
            )
            for seat in lineup
            if self.stacks.get(seat, 0) <= 0
        ]

    def as_document(self) -> dict[str, Any]:
        """The table as JSON, from which the history tells what changed."""
        return {
            "seats": [[chair.number, chair.name, "out" if chair.out else "in"] for chair in self.chairs],
            "button": self.button,
            "fantasyland": as_object(self.fantasyland),
            "held": self.held,
            "note": self.note,
            "stake": self.stake,
            "pair_stakes": pair_stakes_as_list(self.pair_stakes),
            "rules": self.rules.as_document(),
            "stacks": None if self.stacks is None else as_object(self.stacks),
            "dealt": sorted(self.dealt),
            "orbits": self.orbits,
            "cash": self.cash,
        }

    # --- A deal -------------------------------------------------------------------------------------------------------

    def score(self, entry: Entry) -> Outcome:
        """Score one deal on this table. Raises `LedgerError` with every problem if it cannot be scored."""
        table = self.as_played(entry)
        lineup = table.lineup()
        problems = table.obstacles()
        problems += [
            Problem("unknown-player", f"seats[{seat}]", Phrase("{name} is not dealt in.", name=self.name(seat)))
            for seat in entry.boards
            if seat not in lineup
        ]
        problems += [
            Problem("unreadable-card", f"players[{index}].{row}", Phrase("That is too long to be a row of cards."))
            for index, seat in enumerate(lineup)
            for row in ROWS
            if len(getattr(entry.boards.get(seat, Rows()), row)) > ROW_LENGTH
        ]
        if problems:
            raise LedgerError(problems)
        document = table._document(entry, lineup)
        try:
            result = score(document)
        except RulesError as error:
            raise LedgerError(error.problems) from error
        for index, scored in enumerate(result["pairs"]):
            if scored["owed"] > MAX_AMOUNT:
                first, second = scored["players"]
                message = Phrase(
                    "{first} and {second} would settle an amount of more than 16 digits.", first=first, second=second
                )
                problems.append(Problem("bad-value", f"pairs[{index}]", message))
        problems += [
            Problem("bad-value", f"players[{index}]", too_much)
            for index, (seat, player) in enumerate(zip(lineup, result["players"], strict=True))
            if (too_much := self._beyond(seat, player["stack"] or 0))
        ]
        if problems:
            raise LedgerError(problems)
        return Outcome(lineup, table.button, entry, self.note_for(entry), document, result)

    def note_for(self, entry: Entry) -> str:
        """The note of a deal with this entry: the reason for its overrides, or the host's for setting the table."""
        return entry.note if entry.overrides else self.note

    def score_document(self, entry: Entry) -> dict[str, Any]:
        """The score document that `score` sends to the engine, without scoring it."""
        table = self.as_played(entry)
        return table._document(entry, table.lineup())

    def as_played(self, entry: Entry) -> Table:
        """This table with the entry's overrides. Raises `LedgerError` if they name a seat that is not at the table."""
        if not entry.overrides:
            return self
        problems = [
            Problem("unknown-player", f"seats[{seat}]", Phrase("{name} was not at the table.", name=self.name(seat)))
            for seat in {*(entry.seats or ()), *(entry.fantasyland or ()), *([entry.button] if entry.button else ())}
            if self.chair(seat) is None
        ]
        if problems:
            raise LedgerError(problems)
        chairs = self.chairs
        if entry.seats is not None:
            # The entry may name a button that was dealt no cards; that seat then sits out.
            chairs = tuple(replace(chair, out=chair.number not in entry.seats) for chair in chairs)
        fantasyland = self.fantasyland if entry.fantasyland is None else entry.fantasyland
        return replace(
            self,
            chairs=chairs,
            button=self.button if entry.button is None else entry.button,
            fantasyland={seat: cards for seat, cards in fantasyland.items() if cards},
            stake=self.stake if entry.stake is None else entry.stake,
            pair_stakes=self.pair_stakes if entry.pair_stakes is None else entry.pair_stakes,
            rules=self.rules if entry.rules is None else entry.rules,
        )

    def _document(self, entry: Entry, lineup: Sequence[int]) -> dict[str, Any]:
        players = []
        names = {chair.number: chair.name for chair in self.chairs}  # a preview makes thousands of documents
        for seat in lineup:
            player: dict[str, Any] = {"name": names[seat]}
            rows = entry.boards.get(seat, Rows())
            player.update({name: value for name in (*ROWS, "ruling") if (value := getattr(rows, name))})
            if cards := self.dealt_at_once(seat):
                player |= {"fantasyland": True, "fantasyland_cards": cards}
            if self.stacks is not None:
                player["stack"] = self.stacks.get(seat, 0)
            players.append(player)
        document: dict[str, Any] = {
            "rules": self.rules.as_document(),
            "players": players,
            "stake": self.stake,
            "pair_stakes": [
                {"players": [names[low], names[high]], "stake": stake}
                for (low, high), stake in sorted(self.pair_stakes.items())
                if low in lineup and high in lineup
            ],
        }
        if entry.points is not None:
            document["points"] = [
                {"players": [self.name(first), self.name(second)], "points": points}
                for first, second, points in entry.points
            ]
        return document

    def after_deal(self, entry: Entry, gains: Mapping[int, Gain]) -> Table:
        """The table after a deal with these gains: its chips, its Fantasyland and its button.

        The button moves one active seat to the left after an ordinary deal (R65). It does not move for a Fantasyland
        deal unless the house rules say that it always moves (R39). If the button sits out, it passes over a player who
        is due Fantasyland (R66).
        """
        played = self.as_played(entry)
        fantasyland = {seat: gain.fantasyland_next for seat, gain in gains.items() if gain.fantasyland_next}
        stacks = self.stacks
        if stacks is not None:
            stacks = _chips({**stacks, **{seat: stacks.get(seat, 0) + gain.money for seat, gain in gains.items()}})
        held = bool(fantasyland) and played.rules.button_in_fantasyland == "stays"
        after = replace(self, button=played.button, fantasyland=fantasyland, stacks=stacks, note="", held=held)
        return after if held else after.with_button_moved()

    def with_button_moved(self) -> Table:
        """Move the button one active seat to the left, and mark the old seat as having dealt."""
        crowded = len(self.active()) == max_players(self.rules) + 1
        order = list(self.after(self.button))
        button = next((seat for seat in order if not (crowded and self.fantasyland.get(seat))), self.button)
        return replace(self, button=button, held=False, dealt=self.dealt | {self.button})._orbit()

    def _orbit(self) -> Table:
        """Count an orbit if it is complete, which it is when every active seat has dealt (R67)."""
        if self.dealt and self.dealt.issuperset(self.active()):
            return replace(self, dealt=frozenset(), orbits=self.orbits + 1)
        return self

    # --- Everything else ----------------------------------------------------------------------------------------------

    def with_transfers(self, lines: Sequence[Line]) -> Table:
        """The table after these lines moved chips.

        Raises `LedgerError` if a player has too few chips, or a stack would exceed `MAX_AMOUNT`.
        """
        if self.stacks is None:
            return self
        stacks = dict(self.stacks)
        for line in lines:
            if line.in_play:
                stacks[line.payer] = stacks.get(line.payer, 0) - line.amount
                stacks[line.payee] = stacks.get(line.payee, 0) + line.amount
        short = [
            line.payer
            for line in lines
            if line.in_play
            and line.payer not in (BANK, HOUSE)
            and stacks[line.payer] < 0
            and (self.rules.loss_cap or line.kind is LineKind.CASH_OUT)
        ]
        problems = [
            Problem("not-enough-chips", "amount", Phrase("{name} has too few chips for that.", name=self.name(seat)))
            for seat in short
        ]
        problems += [
            Problem("bad-value", "amount", too_much)
            for seat in dict.fromkeys(seat for line in lines for seat in (line.payer, line.payee))
            if (too_much := self._beyond(seat, stacks.get(seat, 0)))
        ]
        if problems:
            raise LedgerError(problems, short)
        return replace(self, stacks=_chips(stacks))

    def _beyond(self, seat: int, chips: int) -> Phrase | None:
        """The message for a stack too large to settle a deal on; None for other stacks, the bank and the house."""
        if seat in (BANK, HOUSE) or abs(chips) <= MAX_AMOUNT:
            return None
        return Phrase("{name} would have a stack of more than 16 digits.", name=self.name(seat))

    def here(self, seat: int) -> Chair:
        """The chair of a seat. Raises `LedgerError` if the seat is not at the table."""
        chair = self.chair(seat)
        if chair is None:
            message = Phrase("{name} is not at the table.", name=self.name(seat))
            raise refuse("unknown-player", f"seats[{seat}]", message)
        return chair

    def chairs_with(self, changed: Chair) -> tuple[Chair, ...]:
        """The chairs, with the one of the same number replaced by ``changed``."""
        return tuple(changed if chair.number == changed.number else chair for chair in self.chairs)

    def with_seat_out(self, seat: int, chairs: tuple[Chair, ...]) -> Table:
        """The table with these chairs, in which ``seat`` no longer takes part.

        The seat passes the button on and gives up its Fantasyland (R68).
        """
        fantasyland = {owed: cards for owed, cards in self.fantasyland.items() if owed != seat}
        table = replace(self, fantasyland=fantasyland)
        if self.held and not fantasyland:
            table = table.with_button_moved()  # the button stayed for a Fantasyland deal that is not played now
        if table.button == seat:
            table = replace(table, button=next((left for left in table.after(seat) if left != seat), chairs[0].number))
        return replace(table, chairs=chairs)._orbit()

    def with_seat_in(self, chairs: tuple[Chair, ...]) -> Table:
        """The table with these chairs, in which one more seat takes part.

        If the seat with the button is not active, the button moves to the next active seat.
        """
        table = replace(self, chairs=chairs)
        return replace(
            table, button=table.button if table.button in table.active() else next(table.after(table.button))
        )


def _chips(stacks: Mapping[int, int]) -> dict[int, int]:
    """Keep the chips of players who have any; what the bank and the house have is not a stack."""
    return {seat: chips for seat, chips in stacks.items() if chips and seat not in (BANK, HOUSE)}
