"""Names that the app gave, not people: they are stored in English, and said in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

_ACCOUNTS: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account", "Bank"),
    "House": pgettext_lazy("account", "House"),
}
"""The ledger's own accounts. No player can have one of these names."""


_LINKS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "Host": (_("Host"), _("Host {number}")),
    "Scorer": (_("Scorer"), _("Scorer {number}")),
    "Viewer": (_("Viewer"), _("Viewer {number}")),
}
"""What `scoring.access` calls a link to which nobody gave a name, alone and where there are more."""


_NUMBERED: Final = re.compile(rf"({'|'.join(_LINKS)})(?: ([2-9]|[1-9][0-9]+))?")


def name_said(name: str) -> str:
    """The name of a seat: a player's as it is."""
    return str(_ACCOUNTS.get(name, name))


def link_said(name: str) -> str:
    """The name of a link, or of who did something by it."""
    found = _NUMBERED.fullmatch(name)
    if not found:
        return name
    alone, numbered = _LINKS[found[1]]
    return str(numbered).format(number=found[2]) if found[2] else str(alone)
