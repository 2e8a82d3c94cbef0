"""Names that the app gave, not people: they are stored in English, and said in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.exports.words import name_said
from scoring.texts import gettext_lazy as _
from scoring.texts import pgettext_lazy

__all__ = ["link_said", "name_said", "name_within"]

_WITHIN: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account within a sentence", "Bank"),
    "House": pgettext_lazy("account within a sentence", "House"),
}


def name_within(name: str) -> str:
    """What `name_said` says, but not at the beginning of a sentence: "la casa" in Spanish, and "La casa" there."""
    return str(_WITHIN.get(name, name))


_LINKS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "Host": (_("Host"), _("Host {number}")),
    "Scorer": (_("Scorer"), _("Scorer {number}")),
    "Viewer": (_("Viewer"), _("Viewer {number}")),
    "Sent round": (_("Sent round"), _("Sent round {number}")),
}
"""What the app calls a link to which nobody gave a name, alone and where there are more."""


_NUMBERED: Final = re.compile(rf"({'|'.join(_LINKS)})(?: ([2-9]|[1-9][0-9]+))?")


def link_said(name: str) -> str:
    """The name of a link, or of who did something by it."""
    found = _NUMBERED.fullmatch(name)
    if not found:
        return name
    alone, numbered = _LINKS[found[1]]
    return str(numbered).format(number=found[2]) if found[2] else str(alone)
