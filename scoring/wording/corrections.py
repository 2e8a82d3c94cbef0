"""What a correction changes, in words: the deals that are settled again, what the host may choose, and the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise

from scoring.game.outcome import Outcome
from scoring.ledger import Change, Correction, Dealt, Departure
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, ngettext
from scoring.wording.figures import apart, listed, money, sentences, signed, signed_money
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import still_owed

BECAUSE: Final[Mapping[str, Promise]] = {
    "stacks": gettext_lazy("the stacks"),
    "fantasyland": gettext_lazy("Fantasyland"),
    "button": gettext_lazy("the button"),
}


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


@dataclass(frozen=True, slots=True)
class _DueWords:
    """Sentences on how a hand would have been dealt: to whom, with how many cards at once, and who had the button."""

    players: Promise
    cards: Promise
    card_by_card: Promise
    button: Promise


_DUE: Final[Mapping[str, _DueWords]] = {
    "correct": _DueWords(
        gettext_lazy("By the corrected hand {before} it was {players}."),
        gettext_lazy("By the corrected hand {before} they were due {count} cards at once."),
        gettext_lazy("By the corrected hand {before} they were due no Fantasyland."),
        gettext_lazy("By the corrected hand {before} {player} had it."),
    ),
    "void": _DueWords(
        gettext_lazy("By the voided hand {before} it was {players}."),
        gettext_lazy("By the voided hand {before} they were due {count} cards at once."),
        gettext_lazy("By the voided hand {before} they were due no Fantasyland."),
        gettext_lazy("By the voided hand {before} {player} had it."),
    ),
    "restore": _DueWords(
        gettext_lazy("By the restored hand {before} it was {players}."),
        gettext_lazy("By the restored hand {before} they were due {count} cards at once."),
        gettext_lazy("By the restored hand {before} they were due no Fantasyland."),
        gettext_lazy("By the restored hand {before} {player} had it."),
    ),
    "changed": _DueWords(
        gettext_lazy("By the changed hand {before} it was {players}."),
        gettext_lazy("By the changed hand {before} they were due {count} cards at once."),
        gettext_lazy("By the changed hand {before} they were due no Fantasyland."),
        gettext_lazy("By the changed hand {before} {player} had it."),
    ),
    "": _DueWords(
        gettext_lazy("By the hands before it it was {players}."),
        gettext_lazy("By the hands before it they were due {count} cards at once."),
        gettext_lazy("By the hands before it they were due no Fantasyland."),
        gettext_lazy("By the hands before it {player} had it."),
    ),
}
"""By what is done to the hand before it; by no key if that is done to an earlier hand."""


def moves(session: Session, number: int, correction: Correction, verb: str = "changed") -> dict[str, Any]:
    """The context of ``shared/_moves.html``.

    ``number`` is the deal that is changed itself, 0 if none is, and ``verb`` says how: correct, void or restore.
    """
    others = [_deal_moved(session, change) for change in correction.changes if change.number != number]
    own = next((change for change in correction.changes if change.number == number), None)
    departures = [
        _departure_shown(each, correction.after.name, number, _DUE[verb if each.number == number + 1 else ""])
        for each in correction.departures
    ]
    return {
        **(outcome_shown(own.after, session) if own and own.after else {}),
        "own": _deal_moved(session, own) if own else None,
        "others": [deal for deal in others if deal.moved],
        "unmoved": _unmoved([deal.number for deal in others if not deal.moved]),
        "departures": departures,
        "choosable": any(each.follow for each in departures),
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


def _unmoved(numbers: Sequence[int]) -> str:
    """Say which hands are settled again with the same result; empty if none is."""
    deals = listed([_("hand {number}").format(number=number) for number in numbers])
    return _("No points or money change in {hands}.").format(hands=deals) if deals else ""


def _departure_shown(departure: Departure, name: Callable[[int], str], before: int, by: _DueWords) -> DepartureShown:
    """``before`` is the deal that was changed, and ``by`` has the sentences on what follows from it."""
    number, dealt, due = departure.number, departure.dealt, departure.due
    said: list[str] = []
    follow: dict[int, int | None] = {}  # the cards of Fantasyland that follow, by seat; None if it stays as it was
    if dealt.seats != due.seats:
        said.append(
            sentences(
                _("Hand {number} was dealt to {players}.").format(number=number, players=_names(dealt, name)),
                str(by.players).format(before=before, players=_names(due, name)),
            )
        )
    for seat in sorted(dealt.seats & due.seats):
        had, owed = dealt.fantasyland.get(seat, 0), due.fantasyland.get(seat, 0)
        if had != owed:
            how = _("Hand {number} was dealt to {player} card by card.")
            if had:
                how = ngettext(
                    "Hand {number} was dealt to {player} {count} card at once.",
                    "Hand {number} was dealt to {player} {count} cards at once.",
                    had,
                )
            said.append(
                sentences(
                    how.format(number=number, player=name(seat), count=had),
                    str(by.cards if owed else by.card_by_card).format(before=before, count=owed),
                )
            )
            follow[seat] = owed
    if dealt.button != due.button:
        said.append(
            sentences(
                _("{player} had the button in hand {number}.").format(player=name(dealt.button), number=number),
                str(by.button).format(before=before, player=name(due.button)),
            )
        )
        follow.setdefault(due.button, None)
    followed = listed(
        [_followed(name(seat), cards, button=seat == due.button != dealt.button) for seat, cards in follow.items()]
    )
    return DepartureShown(number, said, followed if departure.possible else "", departure.follows)


def _followed(player: str, cards: int | None, *, button: bool) -> str:
    """What the host can choose of one player: that they had ``cards`` in Fantasyland, or none if 0, and the button."""
    player = apart(player)
    if cards is None:
        said = _("{player} had the button")
    elif not cards:
        said = (
            _("{player} was not in Fantasyland and had the button") if button else _("{player} was not in Fantasyland")
        )
    elif button:
        said = ngettext(
            "{player} was in Fantasyland with {count} card and had the button",
            "{player} was in Fantasyland with {count} cards and had the button",
            cards,
        )
    else:
        said = ngettext(
            "{player} was in Fantasyland with {count} card", "{player} was in Fantasyland with {count} cards", cards
        )
    return said.format(player=player, count=cards)


def _names(dealt: Dealt, name: Callable[[int], str]) -> str:
    return listed([name(seat) for seat in sorted(dealt.seats)])


def _gains(session: Session, correction: Correction) -> Iterator[str]:
    """Who gains or loses a Fantasyland, the button or chips, and in which hand."""
    name = correction.after.name
    for change in correction.changes:
        deal, before, after = change.number, change.before, change.after
        for player, cards in _differing(_dealt_at_once(before), _dealt_at_once(after)):
            said = _("Hand {number}: {player} is no longer in Fantasyland.")
            if cards:
                said = ngettext(
                    "Hand {number}: {player} is now in Fantasyland ({count} card).",
                    "Hand {number}: {player} is now in Fantasyland ({count} cards).",
                    cards,
                )
            yield said.format(number=deal, player=player, count=cards)
        for player, cards in _differing(_earned(before), _earned(after)):
            said = _("Hand {number}: {player} no longer earns Fantasyland.")
            if cards:
                said = ngettext(
                    "Hand {number}: {player} now earns Fantasyland ({count} card).",
                    "Hand {number}: {player} now earns Fantasyland ({count} cards).",
                    cards,
                )
            yield said.format(number=deal, player=player, count=cards)
        if before and after and before.button != after.button:
            yield _("Hand {number}: the button is with {player} instead of {other}.").format(
                number=deal, player=name(after.button), other=name(before.button)
            )
        if correction.after.stacks is not None:
            yield from _chips_moved(deal, before, after, session.minor_digits)
    yield from _missed(correction)
    yield from _next_deal(session, correction)


def _missed(correction: Correction) -> Iterator[str]:
    """Who was due Fantasyland in a hand that stays as it was dealt, and did not get it."""
    name = correction.after.name
    for each in correction.departures:
        missed = [seat for seat in each.due.fantasyland if seat in each.dealt.seats - each.dealt.fantasyland.keys()]
        if not each.follows:
            yield from (
                _("Hand {number}: {player} did not get the Fantasyland they were due.").format(
                    number=each.number, player=name(seat)
                )
                for seat in missed
            )


def _next_deal(session: Session, correction: Correction) -> Iterator[str]:
    """Who is due Fantasyland or the button in the next hand, and was not."""
    name = correction.after.name
    deal, had, has = session.deals + 1, correction.before, correction.after
    was_due, due = ({name(seat): cards for seat, cards in table.fantasyland.items()} for table in (had, has))
    for player, cards in _differing(was_due, due):
        said = _("Hand {number}: {player} is no longer due Fantasyland.")
        if cards:
            said = ngettext(
                "Hand {number}: {player} is now due Fantasyland ({count} card).",
                "Hand {number}: {player} is now due Fantasyland ({count} cards).",
                cards,
            )
        yield said.format(number=deal, player=player, count=cards)
    if had.button != has.button:
        yield _("Hand {number}: the button moves to {player} instead of {other}.").format(
            number=deal, player=name(has.button), other=name(had.button)
        )


def _differing(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The players whose cards in Fantasyland differ, with those that they have ``after``, 0 if none."""
    for name in dict.fromkeys([*before, *after]):
        if before.get(name, 0) != after.get(name, 0):
            yield name, after.get(name, 0)


def _dealt_at_once(outcome: Outcome | None) -> dict[str, int]:
    players = outcome.document["players"] if outcome else ()
    return {player["name"]: player.get("fantasyland_cards", 0) for player in players if player.get("fantasyland")}


def _earned(outcome: Outcome | None) -> dict[str, int]:
    players = outcome.result["players"] if outcome else ()
    return {player["name"]: cards for player in players if (cards := player.get("fantasyland_next", 0))}


def _chips_moved(deal: int, before: Outcome | None, after: Outcome | None, digits: int) -> Iterator[str]:
    was, now = _won(before), _won(after)
    moved = {name: now[name][1] - was[name][1] for name in dict.fromkeys([*was, *now])}
    said = [
        (_("{player} gains {amount}") if amount > 0 else _("{player} loses {amount}")).format(
            player=apart(name), amount=money(abs(amount), digits)
        )
        for name, amount in moved.items()
        if amount
    ]
    if said:
        yield _("Hand {number}: {changes} in chips.").format(number=deal, changes=listed(said))


def _deal_moved(session: Session, change: Change) -> DealMoved:
    before, after = _won(change.before), _won(change.after)
    digits = session.minor_digits
    return DealMoved(
        number=change.number,
        because=listed([str(BECAUSE[reason]) for reason in change.because if reason in BECAUSE]),
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
