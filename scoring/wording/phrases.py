"""Texts of the pure rooms in the reader's language."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.rules.phrase import Phrase
from scoring.wording.figures import day_of_year


def translated(text: str) -> str:
    """The text in the reader's language if it is a `Phrase`, otherwise as it is: a name, or what somebody typed."""
    if not isinstance(text, Phrase):
        return text
    pattern = ngettext(text.pattern, text.many, text.values["count"]) if text.many else gettext(text.pattern)
    return pattern.format(**{name: _value(value) for name, value in text.values.items()})


def _value(value: Any) -> Any:
    if isinstance(value, date):
        return day_of_year(value)
    return translated(value) if isinstance(value, str) else value
