"""Names that the app gave, not people: they are stored in English, and said in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.texts import gettext_lazy, pgettext_lazy

_ACCOUNTS: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account", "Bank"),
    "House": pgettext_lazy("account", "House"),
}
"""The ledger's own accounts, as it stores them. No player can have one of these names."""

_WITHIN: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account within a sentence", "Bank"),
    "House": pgettext_lazy("account within a sentence", "House"),
}

_LINKS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "Host": (gettext_lazy("Host"), gettext_lazy("Host {number}")),
    "Scorer": (gettext_lazy("Scorer"), gettext_lazy("Scorer {number}")),
    "Viewer": (gettext_lazy("Viewer"), gettext_lazy("Viewer {number}")),
    "Sent round": (gettext_lazy("Sent round"), gettext_lazy("Sent round {number}")),
}
"""What the app calls a link to which nobody gave a name, alone and where there are more."""

_NUMBERED: Final = re.compile(rf"({'|'.join(_LINKS)})(?: ([2-9]|[1-9][0-9]+))?")


def name_said(name: str) -> str:
    """The name of a seat: a player's as it is, that of the bank or the house in the reader's language."""
    return str(_ACCOUNTS.get(name, name))


def name_within(name: str) -> str:
    """What `name_said` says, but not at the beginning of a sentence: "la casa" in Spanish, and "La casa" there."""
    return str(_WITHIN.get(name, name))


def link_said(name: str) -> str:
    """The name of a link, or of who did something by it."""
    found = _NUMBERED.fullmatch(name)
    if not found:
        return name
    alone, numbered = _LINKS[found[1]]
    return str(numbered).format(number=found[2]) if found[2] else str(alone)
