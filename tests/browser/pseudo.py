"""A language that nobody speaks: English with every vowel twice, which makes it longer by 40 %, from right to left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings
from django.utils.translation import trans_real

from scoring.management import messages
from scoring.rules.english import English
from scoring.rules.wording import Language
from scoring.wording import languages
from tests.translations import forget_texts

TAG: Final = "ar"
"""Browsers and Django know that Arabic is written from right to left. Its figures, dates and money are Arabic ones."""

# What is no word of a text: values, tags and entities.
_KEPT: Final = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]*>|&#?\w+;")


def longer(text: str) -> str:
    """The text in the language. Values and tags stay as they are."""
    words = _KEPT.split(text)
    kept = [*_KEPT.findall(text), ""]
    return "".join(re.sub("[aeiouAEIOU]", r"\g<0>\g<0>", word) + stays for word, stays in zip(words, kept, strict=True))


def scripts() -> str:
    """What gives a page's scripts their words in the language, in the place of each of its two files (words.js)."""
    said: dict[str, Any] = {}
    for text in (message.id for message in messages.found(messages.BROWSER)):
        one, many = (text, text) if isinstance(text, str) else text
        said[messages.called(one)] = longer(one) if one == many else {"other": longer(many)}
    return f"globalThis.words = {json.dumps(said)};"


class _Pseudo(trans_real.DjangoTranslation):
    def gettext(self, message: str) -> str:
        return longer(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _method(name: str) -> Any:
    english = getattr(English, name)

    def said(self: Language, *given: Any, **named: Any) -> Any:
        told = english(self, *given, **named)
        return longer(told) if isinstance(told, str) else told

    return said


_SENTENCES: Final = Language.__abstractmethods__ - {"tag", "space"}
VERDICTS: Final[Language] = type("Pseudo", (English,), {"tag": TAG, **{name: _method(name) for name in _SENTENCES}})()


@contextmanager
def offered() -> Iterator[None]:
    """Let the app offer the language beside its own."""
    pseudo, django = _Pseudo(TAG), trans_real.translation
    verdicts: Any = languages.LANGUAGES
    verdicts[TAG] = VERDICTS
    try:
        with (
            override_settings(LANGUAGES=[*settings.LANGUAGES, (TAG, "Arabic")]),
            patch.object(trans_real, "translation", lambda tag: pseudo if tag == TAG else django(tag)),
        ):
            forget_texts()
            yield
    finally:
        del verdicts[TAG]
        forget_texts()
