"""The languages of a result: English, which the rules have, and one module here for every other.

A module ``xx.py`` has a class for `scoring.rules.wording.Language` and its one object, ``LANGUAGE``. That is all that
offers the language: `LANGUAGES` finds the module. `docs/languages/README.md` says what belongs into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from scoring.rules.english import ENGLISH
from scoring.rules.wording import Language
from scoring.texts import get_language


def _offered() -> dict[str, Language]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return {language.tag: language for language in (ENGLISH, *(module.LANGUAGE for module in modules))}


LANGUAGES: Final[Mapping[str, Language]] = _offered()
"""Every language that is offered, by its tag in lower case, English first."""


def of_reader() -> Language:
    """The language of this page's reader, English where theirs is not offered."""
    return LANGUAGES.get(get_language().lower(), ENGLISH)
