"""What would have been under other house rules, in words and figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.text import capfirst

from scoring.models import Session
from scoring.reads import BY_THE_TABLE, ClubWhatIf, WhatIf
from scoring.reads.what_if import NOTHING_WON, Won, added, pays_three_flushes
from scoring.rules.houserules import HouseRules, same_rules
from scoring.texts import gettext, ngettext, pgettext
from scoring.wording.figures import joined, listed, signed, signed_money
from scoring.wording.phrases import later as _
from scoring.wording.phrases import reasons
from scoring.wording.session import titles

BY_WHAT: Final = _("Each hand is compared with the rules it was played by.")


@dataclass(frozen=True, slots=True)
class Sum:
    """Points and money of one player: as ``books/_cell.html`` shows them."""

    points: str
    money: str


@dataclass(frozen=True, slots=True)
class ComparedTotal:
    """What one player won in all the hands: as they were settled, as they would have been, and the difference."""

    name: str
    was: Sum
    would: Sum
    more: Sum


@dataclass(frozen=True, slots=True)
class DealShown:
    """A hand that differs: why, and what each player would have won more, or None who was not dealt in."""

    number: int
    why: str
    more: Sequence[Sum | None]


@dataclass(frozen=True, slots=True)
class StandingsShown:
    """What every player won in one currency, in the order of the standings: those who won most as played come first."""

    currency: str
    totals: Sequence[ComparedTotal]


@dataclass(frozen=True, slots=True)
class SessionShown:
    """A session of the club: how many of its hands differ, and where they are shown one by one."""

    title: str
    url: str
    differ: str


def totals_shown(deals: Sequence[WhatIf], names: Mapping[int, str], digits: int) -> list[ComparedTotal]:
    """Add up the hands, for everybody who was dealt in. ``names`` are by seat number."""
    was, would = _sums((deal.who, deal.was) for deal in deals), _sums((deal.who, deal.then) for deal in deals)
    return [_total(name, (*was[seat], *would[seat]), digits) for seat, name in names.items() if seat in was]


def _total(name: str, won: Won, digits: int) -> ComparedTotal:
    points, money, then_points, then_money = won
    return ComparedTotal(
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
            _differ(of[session.pk].differ, of[session.pk].deals),
        )
        for session, said in zip(counting, titles(counting), strict=True)
    ]


def _differ(differ: int, deals: int) -> str:
    if not differ:
        return ngettext("none of {count} hand differs", "none of {count} hands differs", deals).format(count=deals)
    of = ngettext("{count} hand", "{count} hands", deals).format(count=deals)
    return ngettext("{differ} of {hands} differs", "{differ} of {hands} differ", differ).format(differ=differ, hands=of)


_TOO_OFTEN: Final = _("a card lay there more often than the decks of these rules hold it. Counted as played.")
STAYS: Final = {
    BY_THE_TABLE: _("the table entered the points, and no cards. Counted as played."),
    "bad-value": _("somebody surrendered, which these rules do not know. Counted as played."),
    "too-many-players": _("there were more players than the decks of these rules serve. Counted as played."),
    "duplicate-card": _TOO_OFTEN,
    "too-many-of-a-rank": _TOO_OFTEN,
    "impossible-flush": _TOO_OFTEN,
}
"""Why a hand stays as it was, by the code of what the rules cannot take. It stands after a hand and a colon."""

OTHERWISE: Final = _("something that was played is unknown to these rules. Counted as played.")
"""The same for every other code."""


def staying(found: ClubWhatIf) -> list[str]:
    """Say how many hands stay as they were, and why; those of the same reason in one sentence."""
    counts: dict[str, int] = defaultdict(int)
    for each in found.sessions:
        for code, deals in each.stay.items():
            counts[str(STAYS.get(code, OTHERWISE))] += deals
    said = [_because(_deals(deals), reason) for reason, deals in counts.items()]
    without = sum(each.suits_missing for each in found.sessions)
    return [*said, _because(_deals(without), NO_SUITS)] if without else said


def _deals(count: int) -> str:
    return ngettext("{count} hand", "{count} hands", count).format(count=count)


def _because(deals: str, reason: str) -> str:
    return gettext("{hands}: {reason}").format(hands=deals, reason=reason)


def deal_shown(deal: WhatIf, names: Mapping[int, str], digits: int) -> DealShown:
    """Show what differs in a hand."""
    was, would = _sums([(deal.who, deal.was)]), _sums([(deal.who, deal.then)])
    more = [
        _sum(would[seat][0] - was[seat][0], would[seat][1] - was[seat][1], digits) if seat in was else None
        for seat in names
    ]
    reason = why(deal)
    return DealShown(deal.number, capfirst(reason), more)


def why(deal: WhatIf) -> str:
    """Why the hand differs, as a list: whose board became a foul or is none, and which figures are others."""
    was, would = deal.was, deal.then
    said = []
    for then, now in zip(was["players"], would["players"], strict=True):
        if then.get("foul") != now.get("foul"):
            fouls = gettext("{player} fouls") if now["foul"] else gettext("{player} does not foul")
            said.append(fouls.format(player=now["name"]))
    before = {tuple(pair["players"]): pair for pair in was["pairs"]}
    both = [(before[tuple(pair["players"])], pair) for pair in would["pairs"]]
    told = {
        "row_points": pgettext("what differs", "rows"),
        "bonus": pgettext("what differs", "the bonus"),
        "royalties": pgettext("what differs", "royalties"),
    }
    parts = [words for part, words in told.items() if any(then[part] != now[part] for then, now in both)]
    outright = {tuple(now["players"]) for then, now in both if _outright(then) != _outright(now)}
    surrendered = {given["name"] for given in deal.document["players"] if given.get("ruling") == "surrendered"}
    if any(surrendered.isdisjoint(pair) for pair in outright):
        parts.insert(0, pgettext("what differs", "a natural or a moon"))
    if any(not surrendered.isdisjoint(pair) for pair in outright):
        parts.insert(0, pgettext("what differs", "what a surrender costs"))
    if parts:
        said.append(listed(parts))
    elif all(then["points"] == now["points"] for then, now in both):
        said.append(pgettext("what differs", "what the chips could pay"))
    return joined(said)


def _outright(pair: Mapping[str, Any]) -> int:
    """The points of a pair that no row, bonus or royalty won: those of a surrender, a natural or a moon."""
    return int(pair["points"] - pair["row_points"] - pair["bonus"] - pair["royalties"])


def not_settled(deals: Sequence[WhatIf]) -> list[str]:
    """Say which hands stay as they were, and why; those of the same reason in one sentence."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for deal in deals:
        if not deal.comparable:
            code = BY_THE_TABLE if deal.by_the_table else deal.problems[0].code
            numbers[str(STAYS.get(code, OTHERWISE))].append(deal.number)
    return [_because(deals_said(of), reason) for reason, of in numbers.items()]


def cannot_take(deal: WhatIf) -> list[str]:
    """Say of one hand all that these rules cannot take, card by card; nothing if they can take it."""
    return reasons(deal.problems)


def suits_missing(deals: Sequence[WhatIf], rules: HouseRules) -> list[str]:
    """Say which hands could not be scored to the end, because they have ranks alone; nothing if there are none."""
    found = [deal.number for deal in deals if deal.suits_missing] if pays_three_flushes(rules) else []
    return [_because(deals_said(found), NO_SUITS)] if found else []


NO_SUITS: Final = _(
    "a front was entered without suits, which may have been the third of three flushes. It is scored as none."
)


def differing(differ: int, of: int, stay: int) -> str:
    """Say how many of so many hands differ. So many ``stay`` as they were, because the rules cannot take them."""
    if of == stay:
        return ngettext(
            "These rules can settle no hand: {count} hand.", "These rules can settle none of them: {count} hands.", of
        ).format(count=of)
    if not differ:
        return ngettext(
            "{count} hand, and none of them differs.", "{count} hands, and none of them differs.", of
        ).format(count=of)
    return ngettext("{differ} of {hands} differs.", "{differ} of {hands} differ.", differ).format(
        differ=differ, hands=_deals(of)
    )


def played_otherwise(deals: Sequence[WhatIf], rules: HouseRules) -> str:
    """Say which hands were played by other rules than the session has now, ``rules``; empty if there are none."""
    now = rules.as_document()
    others = [deal.number for deal in deals if not same_rules(deal.document["rules"], now)]
    if not others:
        return ""
    said = gettext("{hands} had other rules than the session has now. {by_what}")
    return said.format(hands=deals_said(others), by_what=BY_WHAT)


def deals_said(numbers: Sequence[int]) -> str:
    """Name hands by number, those in a row as one: "Hands 1 to 3 and 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = [
        gettext("{first} to {last}").format(first=run[0], last=run[-1]) if len(run) > 2 else listed([*map(str, run)])
        for run in runs
    ]
    return ngettext("Hand {numbers}", "Hands {numbers}", len(numbers)).format(numbers=listed(told))


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
