"""What several sheets of a workbook say: kinds of lines, names that the app gave, places after the button."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.game.lines import LineKind
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, pgettext, pgettext_lazy

_KINDS: Final[Mapping[str, tuple[Promise, Promise, Promise]]] = {
    LineKind.DEAL: (pgettext_lazy("line", "deal"), pgettext_lazy("line", "Hand"), gettext_lazy("Hand undone")),
    LineKind.PENALTY: (pgettext_lazy("line", "penalty"), gettext_lazy("Penalty"), gettext_lazy("Penalty undone")),
    LineKind.SIDE_BET: (pgettext_lazy("line", "side-bet"), gettext_lazy("Side bet"), gettext_lazy("Side bet undone")),
    LineKind.FEE: (pgettext_lazy("line", "fee"), gettext_lazy("Fee"), gettext_lazy("Fee undone")),
    LineKind.BUY_IN: (pgettext_lazy("line", "buy-in"), gettext_lazy("Buy-in"), gettext_lazy("Buy-in undone")),
    LineKind.CASH_OUT: (pgettext_lazy("line", "cash-out"), gettext_lazy("Cash-out"), gettext_lazy("Cash-out undone")),
    LineKind.PAYMENT: (pgettext_lazy("line", "payment"), gettext_lazy("Payment"), gettext_lazy("Payment undone")),
    LineKind.CASH: (pgettext_lazy("line", "cash"), pgettext_lazy("line", "Cash"), gettext_lazy("Cash undone")),
    LineKind.COUNT: (pgettext_lazy("line", "count"), gettext_lazy("Final count"), gettext_lazy("Final count undone")),
}
"""Each kind of line: in the column of kinds, and as what a row tells of, recorded or taken back."""

_ACCOUNTS: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account", "Bank"),
    "House": pgettext_lazy("account", "House"),
}
"""The ledger's own accounts, as it stores them. No player can have one of these names."""

_LINKS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "Host": (gettext_lazy("Host"), gettext_lazy("Host {number}")),
    "Scorer": (gettext_lazy("Scorer"), gettext_lazy("Scorer {number}")),
    "Viewer": (gettext_lazy("Viewer"), gettext_lazy("Viewer {number}")),
    "Sent round": (gettext_lazy("Sent round"), gettext_lazy("Sent round {number}")),
}
"""What the app calls a link to which nobody gave a name, alone and where there are more."""

_NUMBERED: Final = re.compile(rf"({'|'.join(_LINKS)})(?: ([2-9]|[1-9][0-9]+))?")

_PLACES: Final = (
    pgettext_lazy("place after the button", "1st"),
    pgettext_lazy("place after the button", "2nd"),
    pgettext_lazy("place after the button", "3rd"),
)


def kind_said(kind: str) -> str:
    """A kind of line, as the column of kinds has it."""
    return str(_KINDS[kind][0])


def line_said(kind: str, *, undone: bool) -> str:
    """A line: "Side bet", or "Side bet undone"."""
    return str(_KINDS[kind][2 if undone else 1])


def name_said(name: str) -> str:
    """The name of a seat: a player's as it is, that of the bank or the house in the reader's language."""
    return str(_ACCOUNTS.get(name, name))


def link_said(name: str) -> str:
    """The name of a link, or of who did something by it."""
    found = _NUMBERED.fullmatch(name)
    if not found:
        return name
    alone, numbered = _LINKS[found[1]]
    return str(numbered).format(number=found[2]) if found[2] else str(alone)


def place_said(place: int) -> str:
    """A place after the button: 1st, 2nd, 3rd, 4th."""
    if place <= len(_PLACES):
        return str(_PLACES[place - 1])
    return pgettext("place after the button", "{number}th").format(number=place)


def all_together() -> str:
    """What stands before a row of sums."""
    return _("All together")
