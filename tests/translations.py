"""A language whose texts stand in brackets that nothing else has, to show which texts are translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.core.cache import cache
from django.template.autoreload import reset_loaders
from django.utils import translation
from django.utils.translation import trans_real

from scoring import texts

LANGUAGE: Final = "fi"
"""The tag in whose place the language stands; figures and dates are written as that one has them."""

_OPEN, _CLOSE = "⟦⟧"


class _Bracketed:
    """What Django's ``translation()`` returns for a language, as far as its functions ask for it."""

    def gettext(self, message: str) -> str:
        return f"{_OPEN}{message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]}{_CLOSE}"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def language(self) -> str:
        return LANGUAGE

    to_language = language


@contextmanager
def bracketed() -> Iterator[None]:
    """The reader has this language."""
    known = vars(trans_real)["_translations"]
    before = known.get(LANGUAGE)
    known[LANGUAGE] = _Bracketed()
    forget_texts()
    try:
        with translation.override(LANGUAGE):
            yield
    finally:
        del known[LANGUAGE]
        if before is not None:
            known[LANGUAGE] = before
        forget_texts()


def forget_texts() -> None:
    """Let the app look all texts up anew, since a language has changed."""
    texts.forget()
    cache.clear()  # what is the same on every page (base.html)
    reset_loaders()


def outside(text: str) -> str:
    """What of a text stands outside of brackets: what nobody can translate."""
    while (without := re.sub(f"{_OPEN}[^{_OPEN}{_CLOSE}]*{_CLOSE}", "", text)) != text:
        text = without
    return text
