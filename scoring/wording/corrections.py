"""What a correction changes, in words: the deals that are settled again, what the host may choose, and the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.game.outcome import Outcome
from scoring.ledger import Change, Correction, Dealt, Departure
from scoring.models import Session
from scoring.wording.figures import listed, money, signed, signed_money
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import still_owed

BECAUSE = {"stacks": "the stacks", "fantasyland": "Fantasyland", "button": "the button"}


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """One player of a deal that is settled again: what they won in it before, and what they win after."""

    name: str
    before: str
    after: str
    money_before: str
    money_after: str
    moved: bool


@dataclass(frozen=True, slots=True)
class DealMoved:
    """One deal that is settled again, and why."""

    number: int
    because: str
    players: list[PlayerMoved]

    @property
    def moved(self) -> bool:
        """True if any player's points or money change."""
        return any(player.moved for player in self.players)


@dataclass(frozen=True, slots=True)
class DepartureShown:
    """The host's choice about one hand: what was dealt and what was due, and what following it means.

    ``follow`` is empty where there is nothing to choose.
    """

    number: int
    sentences: list[str]
    follow: str
    follows: bool


def moves(session: Session, number: int, correction: Correction, done: str = "changed") -> dict[str, Any]:
    """The context of ``shared/_moves.html``.

    ``number`` is the deal that was ``done`` to itself (corrected, voided, restored), 0 if none was.
    """
    others = [_deal_moved(session, change) for change in correction.changes if change.number != number]
    own = next((change for change in correction.changes if change.number == number), None)
    return {
        **(outcome_shown(own.after, session) if own and own.after else {}),
        "own": _deal_moved(session, own) if own else None,
        "others": [hand for hand in others if hand.moved],
        "unmoved": listed([f"hand {hand.number}" for hand in others if not hand.moved]),
        "departures": [
            _departure_shown(each, correction.after.name, _by(each.number, number, done))
            for each in correction.departures
        ],
        "gains": list(_gains(session, correction)),
        "in_all": _in_all(session, correction) if len(correction.changes) > 1 else [],
        "nothing": not correction.changes,
        "version": correction.version,
        "still_owed": [
            sentence
            for sentence in still_owed(correction.after, session)
            if sentence not in still_owed(correction.before, session)
        ],
    }


def _by(departed: int, number: int, done: str) -> str:
    """By what a hand would have been dealt in another way: the changed hand if it was the one before."""
    return f"the {done} hand {number}" if departed == number + 1 else "the hands before it"


def _departure_shown(departure: Departure, name: Callable[[int], str], by: str) -> DepartureShown:
    number, dealt, due = departure.number, departure.dealt, departure.due
    sentences: list[str] = []
    follow: dict[int, list[str]] = defaultdict(list)
    if dealt.seats != due.seats:
        sentences.append(f"Hand {number} was dealt to {_names(dealt, name)}. By {by} it was {_names(due, name)}.")
    for seat in sorted(dealt.seats & due.seats):
        had, owed = dealt.fantasyland.get(seat, 0), due.fantasyland.get(seat, 0)
        if had != owed:
            how = f"{had} cards at once" if had else "card by card"
            what = f"{owed} cards at once" if owed else "no Fantasyland"
            sentences.append(f"Hand {number} was dealt to {name(seat)} {how}. By {by} they were due {what}.")
            follow[seat].append(f"was in Fantasyland with {owed} cards" if owed else "was not in Fantasyland")
    if dealt.button != due.button:
        sentences.append(f"{name(dealt.button)} had the button in hand {number}. By {by} {name(due.button)} had it.")
        follow[due.button].append("had the button")
    said = listed([f"{name(seat)} {listed(what)}" for seat, what in follow.items()])
    return DepartureShown(number, sentences, said if departure.possible else "", departure.follows)


def _names(dealt: Dealt, name: Callable[[int], str]) -> str:
    return listed([name(seat) for seat in sorted(dealt.seats)])


def _gains(session: Session, correction: Correction) -> Iterator[str]:
    """Who gains or loses a Fantasyland, the button or chips, and in which hand."""
    name = correction.after.name
    for change in correction.changes:
        hand, before, after = f"Hand {change.number}", change.before, change.after
        yield from _fantasyland_moved(
            hand, _dealt_at_once(before), _dealt_at_once(after), "is now in", "is no longer in"
        )
        yield from _fantasyland_moved(hand, _earned(before), _earned(after), "now earns", "no longer earns")
        if before and after and before.button != after.button:
            yield f"{hand}: the button is with {name(after.button)} instead of {name(before.button)}."
        if correction.after.stacks is not None:
            yield from _chips_moved(hand, before, after, session.minor_digits)
    for each in correction.departures:
        missed = [seat for seat in each.due.fantasyland if seat in each.dealt.seats - each.dealt.fantasyland.keys()]
        if not each.follows:
            yield from (
                f"Hand {each.number}: {name(seat)} did not get the Fantasyland they were due." for seat in missed
            )
    hand, had, has = f"Hand {session.deals + 1}", correction.before, correction.after
    was_due, due = ({name(seat): cards for seat, cards in table.fantasyland.items()} for table in (had, has))
    yield from _fantasyland_moved(hand, was_due, due, "is now due", "is no longer due")
    if had.button != has.button:
        yield f"{hand}: the button moves to {name(has.button)} instead of {name(had.button)}."


def _fantasyland_moved(
    hand: str, before: Mapping[str, int], after: Mapping[str, int], gains: str, loses: str
) -> Iterator[str]:
    for name in dict.fromkeys([*before, *after]):
        had, has = before.get(name, 0), after.get(name, 0)
        if had != has:
            yield f"{hand}: {name} {f'{gains} Fantasyland ({has} cards)' if has else f'{loses} Fantasyland'}."


def _dealt_at_once(outcome: Outcome | None) -> dict[str, int]:
    players = outcome.document["players"] if outcome else ()
    return {player["name"]: player.get("fantasyland_cards", 0) for player in players if player.get("fantasyland")}


def _earned(outcome: Outcome | None) -> dict[str, int]:
    players = outcome.result["players"] if outcome else ()
    return {player["name"]: cards for player in players if (cards := player.get("fantasyland_next", 0))}


def _chips_moved(hand: str, before: Outcome | None, after: Outcome | None, digits: int) -> Iterator[str]:
    was, now = _won(before), _won(after)
    moved = {name: now[name][1] - was[name][1] for name in dict.fromkeys([*was, *now])}
    said = [
        f"{name} {'gains' if amount > 0 else 'loses'} {money(abs(amount), digits)}"
        for name, amount in moved.items()
        if amount
    ]
    if said:
        yield f"{hand}: {listed(said)} in chips."


def _deal_moved(session: Session, change: Change) -> DealMoved:
    before, after = _won(change.before), _won(change.after)
    digits = session.minor_digits
    return DealMoved(
        number=change.number,
        because=listed([BECAUSE[reason] for reason in change.because if reason in BECAUSE]),
        players=[
            PlayerMoved(
                name=name,
                before=signed(before[name][0]),
                after=signed(after[name][0]),
                money_before=signed_money(before[name][1], digits),
                money_after=signed_money(after[name][1], digits),
                moved=before[name] != after[name],
            )
            for name in dict.fromkeys([*before, *after])
        ],
    )


def _won(outcome: Outcome | None) -> defaultdict[str, tuple[int, int]]:
    """Points and money by player's name; without an outcome, as for a void deal, every player has (0, 0)."""
    players = outcome.result["players"] if outcome else ()
    return defaultdict(lambda: (0, 0), {player["name"]: (player["points"], player["money"]) for player in players})


def _in_all(session: Session, correction: Correction) -> list[tuple[str, str, str]]:
    """What all changes together are worth to each player: (name, points, money)."""
    points: dict[str, int] = defaultdict(int)
    money: dict[str, int] = defaultdict(int)
    for change in correction.changes:
        for outcome, sign in ((change.before, -1), (change.after, 1)):
            for name, (won, paid) in _won(outcome).items():
                points[name] += sign * won
                money[name] += sign * paid
    return [(name, signed(points[name]), signed_money(money[name], session.minor_digits)) for name in points]
