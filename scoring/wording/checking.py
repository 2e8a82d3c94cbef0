"""The foul check, in sentences."""

from __future__ import annotations

from typing import Any

from scoring.game.entry import Rows
from scoring.rules.board import ROW_SIZES
from scoring.rules.cards import parse_row
from scoring.rules.wording import Verdict
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.figures import listed
from scoring.wording.languages import of_reader
from scoring.wording.settlement import PairShown

Ruled = list[tuple[dict[str, Any], Verdict]]
"""A player of the score document, with the verdict on their board."""


def all_whole(ruled: Ruled) -> bool:
    """Whether no board lacks a row."""
    return all(None not in player["rows"].values() for player, _verdict in ruled)


def heading(ruled: Ruled) -> str:
    """The verdict on all boards in a few words."""
    fouled, whole = [player["name"] for player, _verdict in ruled if player["foul"]], all_whole(ruled)
    if len(ruled) == 1:
        return _("Foul") if fouled else _("Legal") if whole else _("Legal so far")
    if fouled:
        return ngettext("{players} fouled", "{players} fouled", len(fouled)).format(players=listed(fouled))
    if len(ruled) == 2:
        return _("Both boards are legal") if whole else _("Both boards are legal so far")
    return _("All boards are legal") if whole else _("All boards are legal so far")


def paid(pair: PairShown) -> str:
    """Say who pays whom how many points."""
    if not pair.payer:
        return _("{first} and {second} are even.").format(first=pair.first, second=pair.second)
    return _("{payer} pays {payee} {points}.").format(
        payer=pair.payer, payee=pair.payee, points=of_reader().points(pair.won)
    )


def missing(rows: Rows) -> str:
    """Says which rows lack cards, so that nobody takes the board for whole."""
    lacking = []
    for row, size in ROW_SIZES.items():
        count = len(parse_row(text).cards) if (text := getattr(rows, row)) else 0
        if count < size:
            lacking.append(_lacks(row, size - count) if count else _not_entered(row))
    if not lacking:
        return ""
    return of_reader().space.join([*lacking, _("Royalties can’t be counted.")])


def _lacks(row: str, count: int) -> str:
    said = {
        "front": ngettext("Front lacks {count} card.", "Front lacks {count} cards.", count),
        "middle": ngettext("Middle lacks {count} card.", "Middle lacks {count} cards.", count),
        "back": ngettext("Back lacks {count} card.", "Back lacks {count} cards.", count),
    }
    return said[row].format(count=count)


def _not_entered(row: str) -> str:
    said = {"front": _("Front not entered."), "middle": _("Middle not entered."), "back": _("Back not entered.")}
    return said[row]
