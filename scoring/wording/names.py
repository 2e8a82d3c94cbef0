"""Names that the app gave, not people: they are stored in English, and said in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.texts import pgettext_lazy
from scoring.wording.words import link_said, name_said

__all__ = ["link_said", "name_said", "name_within"]

_WITHIN: Final[Mapping[str, Promise]] = {
    "Bank": pgettext_lazy("account within a sentence", "Bank"),
    "House": pgettext_lazy("account within a sentence", "House"),
}


def name_within(name: str) -> str:
    """What `name_said` says, but not at the beginning of a sentence: "la casa" in Spanish, and "La casa" there."""
    return str(_WITHIN.get(name, name))
