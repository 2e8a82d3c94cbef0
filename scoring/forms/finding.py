"""What hands to find in a ledger, as the address of the page holds it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.functional import Promise

from scoring.reads import ANY_ROW, Sought
from scoring.request import whole_number
from scoring.texts import pgettext_lazy
from scoring.wording.phrases import later as _

TICKS: Final[Mapping[str, str | Promise]] = {
    "foul": pgettext_lazy("hand", "Foul"),
    "fantasyland": _("Fantasyland"),
    "disputed": _("Disputed"),
    "corrected": _("Corrected"),
    "void": pgettext_lazy("hand", "Void"),
    "biggest": _("Biggest first"),
}
"""What can be ticked: fields of `Sought`, which are parameters of the address, with their labels."""

ROWS: Final[Mapping[str, str]] = {
    ANY_ROW: _("any row"),
    "front": _("the front"),
    "middle": _("the middle"),
    "back": _("the back"),
}

NO_NUMBER: Final = _("Enter the royalty as a whole number, 1 or more.")
UNKNOWN: Final = _("This link asks for something that this ledger does not have. That part was left out.")


def sought_in(data: Mapping[str, Any], seats: Collection[int]) -> tuple[Sought, list[str]]:
    """Read an address, and say in sentences what of it means nothing; that part counts as not there.

    ``seats`` are the seats that may be sought. Parameters of other names are not looked at.
    """
    given = {name: str(data.get(name, "")).strip() for name in ("player", "row", "least", *TICKS)}
    seat, least = whole_number(given["player"]), whole_number(given["least"])
    row = given["row"] if given["row"] in ROWS else ""
    problems = []
    if given["least"] and not least:
        problems.append(NO_NUMBER)
    if (
        (given["player"] and seat not in seats)
        or given["row"] != row
        or any(given[name] not in ("", "1") for name in TICKS)
    ):
        problems.append(UNKNOWN)
    ticked = {name: given[name] == "1" for name in TICKS}
    sought = Sought(
        seat=seat if seat in seats else 0, row=row or (ANY_ROW if least else ""), least=least or 1, **ticked
    )
    return sought, problems


def query(sought: Sought, page: int = 1) -> str:
    """The parameters of the address that finds these hands: as few as it takes, so that it can be kept and sent."""
    found: dict[str, object] = {"player": sought.seat} if sought.seat else {}
    if sought.row:
        found |= {"row": sought.row} | ({"least": sought.least} if sought.least > 1 else {})
    found |= dict.fromkeys((name for name in TICKS if getattr(sought, name)), 1)
    return urlencode(found | ({"page": page} if page > 1 else {}))
