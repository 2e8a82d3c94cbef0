"""Texts of the pure rooms in the reader's language."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext, gettext_lazy, ngettext

from scoring.rules.phrase import Phrase


def translated(text: str) -> str:
    """The text in the reader's language if it is a `Phrase`, otherwise as it is: a name, or what somebody typed."""
    if not isinstance(text, Phrase):
        return text
    pattern = ngettext(text.pattern, text.many, text.values["count"]) if text.many else gettext(text.pattern)
    return pattern.format(**{name: _value(value) for name, value in text.values.items()})


def _value(value: Any) -> Any:
    return translated(value) if isinstance(value, str) else value


def later(text: str) -> str:
    """A constant text in the language of whoever reads it when it is shown. Import it as ``_``, so that it is found."""
    return cast("str", gettext_lazy(text))
