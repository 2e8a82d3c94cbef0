"""A settlement in the form that pages draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.game.entry import Rows
from scoring.game.outcome import Outcome
from scoring.models import Session
from scoring.reads import State
from scoring.rules.board import ROWS
from scoring.rules.score import row_bonus
from scoring.rules.wording import capped
from scoring.texts import gettext as _
from scoring.texts import ngettext, pgettext
from scoring.wording.boards import board_shown, row_label
from scoring.wording.figures import (
    NOTHING,
    money,
    money_or_zero,
    names_apart,
    points_and_money,
    signed,
    signed_money,
    unsigned,
)
from scoring.wording.languages import of_reader
from scoring.wording.retold import retold


@dataclass(frozen=True, slots=True)
class PairRowShown:
    """One row of two boards; nobody lost a tied one."""

    label: str
    first: str
    second: str
    lost_by_first: bool
    lost_by_second: bool


@dataclass(frozen=True, slots=True)
class Working:
    """One figure in a pair's working; ``total`` draws a line above it."""

    label: str
    value: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class PairShown:
    """One line of the settlement and the details that it opens. ``payer`` and ``payee`` are empty if nobody pays.

    ``won`` is the number of points that ``points`` says, with ``points_unit`` for its noun.
    ``unpaid`` says how much of the debt a cap left unpaid, and why.
    """

    payer: str
    payee: str
    first: str
    second: str
    points: str
    points_unit: str
    won: int
    money: str
    unpaid: str
    rows: list[PairRowShown]
    lines: list[Working]
    why: str


@dataclass(frozen=True, slots=True)
class TotalShown:
    """One player's line under the settlement."""

    name: str
    points: str
    money: str
    stack: str = ""
    stack_before: str = ""
    busted: bool = False


@dataclass(frozen=True, slots=True)
class TotalsShown:
    """The totals under the settlement. The money column needs ``money_head``, and the stacks need ``stacks``."""

    caption: str
    lines: list[TotalShown]
    money_head: str = ""
    stacks: bool = False


def pairs_shown(
    score: Mapping[str, Any], digits: int | None = None, caps: Mapping[tuple[str, str], str] | None = None
) -> list[PairShown]:
    """Show the settlement in the order of payment; without ``digits`` it names points only, no money.

    ``caps`` come from `Outcome.caps`, and are needed if money is named and chips are limited.
    """
    players = {player["name"]: player for player in score["players"]}
    return [_pair_shown(pair, players, digits, caps or {}, score["rules"]) for pair in score["pairs"]]


def _pair_shown(
    pair: Mapping[str, Any],
    players: Mapping[str, Any],
    digits: int | None,
    caps: Mapping[tuple[str, str], str],
    rules: Mapping[str, Any],
) -> PairShown:
    first, second = pair["players"]
    # Every figure is from the winner's side, so that the working adds up to the line above it.
    side = -1 if pair["points"] < 0 else 1
    gainer = second if side < 0 else first
    loser = first if side < 0 else second
    unpaid = ""
    lines = [Working(label, signed(side * points)) for label, points in _parts(pair, rules["scoring"])]
    if pair["royalties"]:
        own = {name: _royalties(pair, players[name], rules["royalty_payment"]) for name in (first, second)}
        earned = f"{own[gainer]} {NOTHING} {own[loser]}"
        lines.append(Working(_("Royalties {earned}").format(earned=earned), signed(side * pair["royalties"])))
    if lines:
        lines.append(Working(_("Points"), signed(side * pair["points"]), total=True))
    if digits is not None and pair["points"]:
        lines.append(
            Working(_("× {stake} per point").format(stake=money(pair["stake"], digits)), money(pair["owed"], digits))
        )
        if pair["paid"] < pair["owed"]:
            owed, paid, rest = (
                money(amount, digits) for amount in (pair["owed"], pair["paid"], pair["owed"] - pair["paid"])
            )
            lines.append(Working(_("Paid (all-in)"), paid, total=True))
            lines.append(Working(_("Not owed"), rest))
            cap, player = capped(caps[first, second], loser, gainer, win_cap=rules["win_cap"])
            if pair["paid"]:
                unpaid = of_reader().partly_paid_of(cap, player, paid=paid, owed=owed, rest=rest)
            else:
                unpaid = of_reader().not_paid_of(cap, player, owed)
    return PairShown(
        payer=pair["payer"] or "",
        payee=pair["payee"] or "",
        first=first,
        second=second,
        points=unsigned(abs(pair["points"])),
        points_unit=ngettext("point", "points", abs(pair["points"])),
        money="" if digits is None else money(pair["paid"], digits),
        unpaid=names_apart(unpaid, players),
        rows=_pair_rows(pair, players, first, second),
        lines=lines,
        why=names_apart(pair["why"] or "", players),
        won=abs(pair["points"]),
    )


def _parts(pair: Mapping[str, Any], scoring: str) -> list[tuple[str, int]]:
    """What a pair's first player wins besides royalties, each with its label.

    A score document has one bonus for rows and for a moon that is added. A fouled board has lost all three rows. A
    natural is told only beside a moon, since it is the whole score otherwise.
    """
    won = pair["row_points"]
    rows = tuple(pair["rows"].values()) if pair["rows"] else ((won > 0) - (won < 0),) * 3
    bonus = row_bonus(rows, scoring)
    moon = pair["bonus"] - bonus
    natural = pair["points"] - won - pair["bonus"] - pair["royalties"] if moon else 0
    parts = [
        (_("Rows won"), won),
        (_("Scoop") if len(set(rows)) == 1 else pgettext("points", "Bonus"), bonus),
        (pgettext("points", "Natural"), natural),
        (pgettext("points", "Moon"), moon),
    ]
    return [(label, points) for label, points in parts if points]


def _royalties(pair: Mapping[str, Any], player: Mapping[str, Any], royalty_payment: str) -> int:
    """The royalties of a player that count in a pair: of all rows, or only of those that they won (R23)."""
    if royalty_payment == "all" or pair["rows"] is None:
        return int(player["royalties"])
    won = 1 if player["name"] == pair["players"][0] else -1
    return sum(player["rows"][row]["royalty"] for row in ROWS if pair["rows"][row] == won)


def _pair_rows(pair: Mapping[str, Any], players: Mapping[str, Any], first: str, second: str) -> list[PairRowShown]:
    if pair["rows"] is None:
        return []
    return [
        PairRowShown(
            label=row_label(row),
            first=players[first]["rows"][row]["name"],
            second=players[second]["rows"][row]["name"],
            lost_by_first=won < 0,
            lost_by_second=won > 0,
        )
        for row in ROWS
        for won in [pair["rows"][row]]
    ]


def totals_shown(
    score: Mapping[str, Any], caption: str, *, digits: int | None = None, money_head: str = ""
) -> TotalsShown:
    """Show each player's points and money over all pairs of one deal."""
    stacks = any(player["stack"] is not None for player in score["players"])
    return TotalsShown(
        caption=caption,
        money_head=money_head,
        stacks=stacks,
        lines=[
            TotalShown(
                name=player["name"],
                points=signed(player["points"]),
                money="" if digits is None else signed_money(player["money"], digits),
                stack=money_or_zero(player["stack"], digits or 0) if stacks else "",
                stack_before=money_or_zero(player["stack"] - player["money"], digits or 0) if stacks else "",
                busted=player["busted"],
            )
            for player in score["players"]
        ],
    )


def standing_shown(state: State, present: Mapping[int, str], session: Session) -> list[TotalShown]:
    """Show what everybody who was there has won and lost so far, and with limited chips the stacks at the table."""
    digits, stacks = session.minor_digits, state.table.stacks
    return [
        TotalShown(
            name=name,
            points=signed(state.balances[seat].points),
            money=signed_money(state.balances[seat].money, digits),
            stack=money_or_zero(stacks.get(seat, 0), digits) if stacks is not None and state.table.chair(seat) else "",
        )
        for seat, name in present.items()
    ]


def own_result(outcome: Outcome | None, seat: int, state: State, session: Session) -> str:
    """Say what one player won or lost in a hand, and in the session so far; empty if they were not dealt in.

    Each is points and, if it is any, money.
    """
    if outcome is None or seat not in outcome.seats:
        return ""
    won, of = outcome.result["players"][outcome.seats.index(seat)], state.balances[seat]
    unit = session.minor_digits, session.currency
    return _("You: {won} in this hand, {total} in all").format(
        won=points_and_money(won["points"], won["money"], *unit), total=points_and_money(of.points, of.money, *unit)
    )


def outcome_shown(outcome: Outcome, session: Session, *, counts: bool = True) -> dict[str, Any]:
    """Show a settled deal, on paper or recorded, in the reader's language.

    It has ``boards`` clockwise, ``pairs`` as they are paid, and ``totals``. A deal that no longer ``counts``
    leads nobody to Fantasyland.
    """
    digits = session.minor_digits
    outcome = retold(outcome)
    boards = [
        board_shown(
            Rows(*(given.get(row, "") for row in ROWS)),
            player if counts else {**player, "fantasyland_next": 0},
            ruling=given.get("ruling", ""),
            fantasyland=given.get("fantasyland_cards", 0) if given.get("fantasyland") else 0,
            button=seat == outcome.button,
            digits=digits,
        )
        for seat, given, player in zip(
            outcome.seats, outcome.document["players"], outcome.result["players"], strict=True
        )
    ]
    return {
        "boards": boards,
        "pairs": pairs_shown(outcome.result, digits, outcome.caps()),
        "totals": totals_shown(outcome.result, _("Result"), digits=digits, money_head=session.currency),
    }
