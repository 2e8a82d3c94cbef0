"""What would have been under other house rules, in words and figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from scoring.models import Session
from scoring.reads import BY_THE_TABLE, ClubWhatIf, WhatIf
from scoring.reads.what_if import NOTHING_WON, Won, added, pays_three_flushes
from scoring.rules.houserules import HouseRules, same_rules
from scoring.wording.figures import counted, listed, signed, signed_money
from scoring.wording.phrases import reasons
from scoring.wording.session import titles

BY_WHAT: Final = "Each hand is compared with what it was played by."


@dataclass(frozen=True, slots=True)
class Sum:
    """Points and money of one player: as ``books/_cell.html`` shows them."""

    points: str
    money: str


@dataclass(frozen=True, slots=True)
class TotalShown:
    """What one player won in all the hands: as they were settled, as they would have been, and the difference."""

    name: str
    was: Sum
    would: Sum
    more: Sum


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand that differs: why, and what each player would have won more, or None who was not dealt in."""

    number: int
    why: str
    more: Sequence[Sum | None]


@dataclass(frozen=True, slots=True)
class StandingsShown:
    """What every player won in one currency, in the order of the standings: those who won most as played come first."""

    currency: str
    totals: Sequence[TotalShown]


@dataclass(frozen=True, slots=True)
class SessionShown:
    """A session of the club: how many of its hands differ, and where they are shown one by one."""

    title: str
    url: str
    differ: str


def totals_shown(hands: Sequence[WhatIf], names: Mapping[int, str], digits: int) -> list[TotalShown]:
    """Add up the hands, for everybody who was dealt in. ``names`` are by seat number."""
    was, would = _sums((hand.who, hand.was) for hand in hands), _sums((hand.who, hand.then) for hand in hands)
    return [_total(name, (*was[seat], *would[seat]), digits) for seat, name in names.items() if seat in was]


def _total(name: str, won: Won, digits: int) -> TotalShown:
    points, money, then_points, then_money = won
    return TotalShown(
        name,
        _sum(points, money, digits),
        _sum(then_points, then_money, digits),
        _sum(then_points - points, then_money - money, digits),
    )


def standings_shown(found: ClubWhatIf, sessions: Iterable[Session]) -> list[StandingsShown]:
    """Add up the sessions, in each currency by itself."""
    currencies = {session.pk: (session.currency, session.minor_digits) for session in sessions}
    won: dict[tuple[str, int], dict[int, Won]] = defaultdict(dict)
    for each in found.sessions:
        of = won[currencies[each.session]]
        for player, more in each.won.items():
            of[player] = added(of.get(player, NOTHING_WON), more)
    return [
        StandingsShown(
            currency,
            [
                _total(found.names[player], of[player], digits)
                for player in sorted(of, key=lambda one: (-of[one][1], -of[one][0], found.names[one]))
            ],
        )
        for (currency, digits), of in sorted(won.items())
    ]


def sessions_shown(found: ClubWhatIf, sessions: Sequence[Session], query: str) -> list[SessionShown]:
    """The sessions in the order given, of which any hand counts. ``query`` names the rules."""
    of = {each.session: each for each in found.sessions}
    counting = [session for session in sessions if session.pk in of]
    return [
        SessionShown(
            said,
            f"{reverse('what-if', args=[session.public_id])}?{query}",
            f"{of[session.pk].differ or 'none'} of {counted(of[session.pk].hands, 'hand')} "
            f"{'differ' if of[session.pk].differ > 1 else 'differs'}",
        )
        for session, said in zip(counting, titles(counting), strict=True)
    ]


STAYS: Final = {
    BY_THE_TABLE: "the table entered the points, and no cards",
    "bad-value": "somebody surrendered, which these rules do not know",
    "too-many-players": "there were more players than the decks of these rules serve",
    **dict.fromkeys(
        ("duplicate-card", "too-many-of-a-rank", "impossible-flush"),
        "a card lay there more often than the decks of these rules hold it",
    ),
}
"""Why a hand stays as it was, by the code of what the rules cannot take."""

OTHERWISE: Final = "it has something that these rules do not know"
"""The same for every other code."""


def staying(found: ClubWhatIf) -> list[str]:
    """Say how many hands stay as they were, and why; those of the same reason in one sentence."""
    counts: dict[str, int] = defaultdict(int)
    for each in found.sessions:
        for code, hands in each.stay.items():
            counts[STAYS.get(code, OTHERWISE)] += hands
    said = [f"{counted(hands, 'hand')}: {reason}. Counted as played." for reason, hands in counts.items()]
    without = sum(each.suits_missing for each in found.sessions)
    return [*said, f"{counted(without, 'hand')}: {NO_SUITS}"] if without else said


def hand_shown(hand: WhatIf, names: Mapping[int, str], digits: int) -> HandShown:
    """Show what differs in a hand."""
    was, would = _sums([(hand.who, hand.was)]), _sums([(hand.who, hand.then)])
    more = [
        _sum(would[seat][0] - was[seat][0], would[seat][1] - was[seat][1], digits) if seat in was else None
        for seat in names
    ]
    reason = why(hand)
    return HandShown(hand.number, reason[:1].upper() + reason[1:], more)


def why(hand: WhatIf) -> str:
    """Why the hand differs, within a sentence: whose board became a foul or is none, and which figures are others."""
    was, would = hand.was, hand.then
    said = []
    for then, now in zip(was["players"], would["players"], strict=True):
        if then.get("foul") != now.get("foul"):
            said.append(f"{now['name']} {'fouls' if now['foul'] else 'does not foul'}")
    before = {tuple(pair["players"]): pair for pair in was["pairs"]}
    both = [(before[tuple(pair["players"])], pair) for pair in would["pairs"]]
    told = {"row_points": "rows", "bonus": "the bonus", "royalties": "royalties"}
    parts = [words for part, words in told.items() if any(then[part] != now[part] for then, now in both)]
    outright = {tuple(now["players"]) for then, now in both if _outright(then) != _outright(now)}
    surrendered = {given["name"] for given in hand.document["players"] if given.get("ruling") == "surrendered"}
    if any(surrendered.isdisjoint(pair) for pair in outright):
        parts.insert(0, "a natural or a moon")
    if any(not surrendered.isdisjoint(pair) for pair in outright):
        parts.insert(0, "what a surrender costs")
    if parts:
        said.append(listed(parts))
    elif all(then["points"] == now["points"] for then, now in both):
        said.append("what the chips could pay")
    return ", ".join(said)


def _outright(pair: Mapping[str, Any]) -> int:
    """The points of a pair that no row, bonus or royalty won: those of a surrender, a natural or a moon."""
    return int(pair["points"] - pair["row_points"] - pair["bonus"] - pair["royalties"])


def not_settled(hands: Sequence[WhatIf]) -> list[str]:
    """Say which hands stay as they were, and why; those of the same reason in one sentence."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for hand in hands:
        if not hand.comparable:
            code = BY_THE_TABLE if hand.by_the_table else hand.problems[0].code
            numbers[STAYS.get(code, OTHERWISE)].append(hand.number)
    return [f"{hands_said(of)}: {reason}. Counted as played." for reason, of in numbers.items()]


def cannot_take(hand: WhatIf) -> list[str]:
    """Say of one hand all that these rules cannot take, card by card; nothing if they can take it."""
    return reasons(hand.problems)


def suits_missing(hands: Sequence[WhatIf], rules: HouseRules) -> list[str]:
    """Say which hands could not be scored to the end, because they have ranks alone; nothing if there are none."""
    found = [hand.number for hand in hands if hand.suits_missing] if pays_three_flushes(rules) else []
    return [f"{hands_said(found)}: {NO_SUITS}"] if found else []


NO_SUITS: Final = (
    "a front was entered without suits, which may have been the third of three flushes. It is scored as none."
)


def differing(differ: int, of: int, stay: int) -> str:
    """Say how many of so many hands differ. So many ``stay`` as they were, because the rules cannot take them."""
    if of == stay:
        return f"These rules can settle {'none of them' if of > 1 else 'no hand'}: {counted(of, 'hand')}."
    if not differ:
        return f"{counted(of, 'hand')}, and none of them differs."
    return f"{differ} of {counted(of, 'hand')} {'differs' if differ == 1 else 'differ'}."


def played_otherwise(hands: Sequence[WhatIf], rules: HouseRules) -> str:
    """Say which hands were played by other rules than the session has now, ``rules``; empty if there are none."""
    now = rules.as_document()
    others = [hand.number for hand in hands if not same_rules(hand.document["rules"], now)]
    if not others:
        return ""
    return f"{hands_said(others)} had other rules than the session has now. {BY_WHAT}"


def hands_said(numbers: Sequence[int]) -> str:
    """Name hands by number, those in a row as one: "Hands 1 to 3 and 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = [f"{run[0]} to {run[-1]}" if len(run) > 2 else listed([*map(str, run)]) for run in runs]
    return f"{'Hand' if len(numbers) == 1 else 'Hands'} {listed(told)}"


def _sums(results: Iterable[tuple[Sequence[int], Mapping[str, Any]]]) -> dict[int, tuple[int, int]]:
    """Points and minor units by seat number, of those who were dealt in."""
    found: dict[int, tuple[int, int]] = {}
    for seats, result in results:
        for seat, player in zip(seats, result["players"], strict=True):
            points, money = found.get(seat, (0, 0))
            found[seat] = points + player["points"], money + player["money"]
    return found


def _sum(points: int, money: int, digits: int) -> Sum:
    return Sum(signed(points), signed_money(money, digits))
