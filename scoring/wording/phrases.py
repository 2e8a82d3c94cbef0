"""Texts of the pure rooms in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, cast

from scoring.rules.errors import Problem
from scoring.rules.phrase import Account, Names, Phrase
from scoring.texts import gettext, gettext_lazy, ngettext
from scoring.wording.figures import day_of_year, listed
from scoring.wording.names import name_said, name_within


def translated(text: str) -> str:
    """The text in the reader's language if it is a `Phrase`, otherwise as it is: a name, or what somebody typed."""
    if not isinstance(text, Phrase):
        return text
    pattern = ngettext(text.pattern, text.many, text.values["count"]) if text.many else gettext(text.pattern)
    return pattern.format(
        **{name: _value(value, begins=pattern.startswith(f"{{{name}}}")) for name, value in text.values.items()}
    )


def reasons(problems: Iterable[Problem]) -> list[str]:
    """The reasons for a refusal in the reader's language."""
    return [translated(problem.message) for problem in problems]


def _value(value: Any, *, begins: bool) -> Any:
    """A value of a phrase in the reader's language. An account may be written differently where it ``begins`` it."""
    if isinstance(value, Account):
        return name_said(value) if begins else name_within(value)
    if isinstance(value, date):
        return day_of_year(value)
    if isinstance(value, Names):
        return listed([translated(name) for name in value.names])
    return translated(value) if isinstance(value, str) else value


def later(text: str) -> str:
    """A constant text in the language of the reader to whom it is shown. Import it as ``_``, so that it is found."""
    return cast("str", gettext_lazy(text))
