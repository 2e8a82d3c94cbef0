"""What would have been under other house rules, in words and figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.game.outcome import Outcome
from scoring.reads import WhatIf
from scoring.rules.houserules import HouseRules, resolve
from scoring.wording.figures import counted, listed, signed, signed_money


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


def totals_shown(hands: Sequence[WhatIf], names: Mapping[int, str], digits: int) -> list[TotalShown]:
    """Add up the hands, for everybody who was dealt in. ``names`` are by seat number."""
    was, would = _sums([hand.was for hand in hands]), _sums([hand.then for hand in hands])
    return [
        TotalShown(
            name,
            _sum(*was[seat], digits),
            _sum(*would[seat], digits),
            _sum(would[seat][0] - was[seat][0], would[seat][1] - was[seat][1], digits),
        )
        for seat, name in names.items()
        if seat in was
    ]


def hand_shown(hand: WhatIf, names: Mapping[int, str], digits: int) -> HandShown:
    """Show what differs in a hand."""
    was, would = _sums([hand.was]), _sums([hand.then])
    more = [
        _sum(would[seat][0] - was[seat][0], would[seat][1] - was[seat][1], digits) if seat in was else None
        for seat in names
    ]
    reason = why(hand)
    return HandShown(hand.number, reason[:1].upper() + reason[1:], more)


def why(hand: WhatIf) -> str:
    """Why the hand differs, within a sentence: whose board became a foul or is none, and which figures are others."""
    was, would = hand.was.result, hand.then.result
    said = []
    for then, now in zip(was["players"], would["players"], strict=True):
        if then.get("foul") != now.get("foul"):
            said.append(f"{now['name']} {'fouls' if now['foul'] else 'does not foul'}")
    before = {tuple(pair["players"]): pair for pair in was["pairs"]}
    both = [(before[tuple(pair["players"])], pair) for pair in would["pairs"]]
    told = {"row_points": "rows", "bonus": "the bonus", "royalties": "royalties"}
    parts = [words for part, words in told.items() if any(then[part] != now[part] for then, now in both)]
    if parts:
        said.append(listed(parts))
    elif all(then["points"] == now["points"] for then, now in both):
        said.append("what the chips could pay")
    return ", ".join(said)


def not_settled(hands: Sequence[WhatIf]) -> list[str]:
    """Say of each hand that stays as it was why it does; hands of which the same is true, in one sentence."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for hand in hands:
        if hand.by_the_table:
            numbers["the table entered the points, and no cards"].append(hand.number)
        elif hand.would is None:
            numbers[" ".join(hand.problems)].append(hand.number)
    return [f"{_hands(of)}: {reason.rstrip('.')}. Counted as played." for reason, of in numbers.items()]


def differing(hands: Sequence[WhatIf]) -> str:
    """Say how many hands differ."""
    number = sum(hand.differs for hand in hands)
    if not number:
        return f"{counted(len(hands), 'hand')}, and none of them differs."
    return f"{number} of {counted(len(hands), 'hand')} {'differs' if number == 1 else 'differ'}."


def played_otherwise(hands: Sequence[WhatIf], rules: HouseRules) -> str:
    """Say which hands were played by other rules than the session has now, ``rules``; empty if there are none."""
    others = [hand.number for hand in hands if resolve(hand.was.document["rules"]) != rules]
    if not others:
        return ""
    return (
        f"{_hands(others)} had other rules than the session has now. Each hand is compared with what it was played by."
    )


def _hands(numbers: Sequence[int]) -> str:
    """Hands by number, those in a row as one: "Hands 1 to 3 and 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = [f"{run[0]} to {run[-1]}" if len(run) > 2 else listed([*map(str, run)]) for run in runs]
    return f"{'Hand' if len(numbers) == 1 else 'Hands'} {listed(told)}"


def _sums(outcomes: Sequence[Outcome]) -> dict[int, tuple[int, int]]:
    """Points and minor units by seat number, of those who were dealt in."""
    found: dict[int, tuple[int, int]] = {}
    for outcome in outcomes:
        for seat, player in zip(outcome.seats, outcome.result["players"], strict=True):
            points, money = found.get(seat, (0, 0))
            found[seat] = points + player["points"], money + player["money"]
    return found


def _sum(points: int, money: int, digits: int) -> Sum:
    return Sum(signed(points), signed_money(money, digits))
