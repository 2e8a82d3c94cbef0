"""The reader's language, and the texts of this app in it.

Django looks a text up anew each time, and each time it asks anew which language is spoken, which is the slower half of
it. A page has hundreds of texts. So a request says once in which language it is answered, and texts are kept for each
language. Outside of a request Django's own functions answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVarTuple

from django.conf import settings
from django.utils import translation
from django.utils.functional import lazy

MOST: Final = 10_000
"""So many texts are kept for a language. There are fewer, but one that counts is kept for each number."""


class _Texts(dict[tuple[Any, ...], str]):
    """The texts of one language, by the arguments of the function that Django has for them.

    What `cached_by_language` keeps is here, too, by the function that made it and that function's arguments.
    """

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __missing__(self, asked: tuple[Any, ...]) -> str:
        look_up: Any = (translation.gettext, translation.pgettext, translation.ngettext)[len(asked) - 1]
        with translation.override(self.tag):
            found: str = look_up(*asked)
        return self.keep(asked, found)

    def keep(self, asked: tuple[Any, ...], found: str) -> str:
        if len(self) < MOST:
            self[asked] = found
        return found


_texts: dict[str, _Texts] = {}
_reader: ContextVar[_Texts | None] = ContextVar("reader", default=None)


@contextmanager
def spoken(tag: str) -> Iterator[None]:
    """Activates the language for this block. Django keeps it active after the block."""
    translation.activate(tag)
    before = _reader.set(_texts.setdefault(tag, _Texts(tag)))
    try:
        yield
    finally:
        _reader.reset(before)


def forget() -> None:
    """Looks every text up anew, for a test that changes a language."""
    for texts in _texts.values():
        texts.clear()


def get_language() -> str:
    """The tag of the reader's language."""
    reader = _reader.get()
    return reader.tag if reader is not None else translation.get_language() or settings.LANGUAGE_CODE


def gettext(text: str) -> str:
    reader = _reader.get()
    return reader[text,] if reader is not None else translation.gettext(text)


def pgettext(context: str, text: str) -> str:
    reader = _reader.get()
    return reader[context, text] if reader is not None else translation.pgettext(context, text)


def ngettext(one: str, many: str, number: int) -> str:
    reader = _reader.get()
    return reader[one, many, number] if reader is not None else translation.ngettext(one, many, number)


Ts = TypeVarTuple("Ts")


def cached_by_language(make: Callable[[*Ts], str]) -> Callable[[*Ts], str]:
    """Decorator: keeps what a function makes of texts, for each language and for each of its arguments.

    It is for what has few different arguments, such as the cards.
    """

    @wraps(make)
    def cached(*asked: *Ts) -> str:
        reader = _reader.get()
        if reader is None:
            return make(*asked)
        found = reader.get((make, *asked))
        return reader.keep((make, *asked), make(*asked)) if found is None else found

    return cached


gettext_lazy, pgettext_lazy = translation.gettext_lazy, translation.pgettext_lazy
if not TYPE_CHECKING:  # those of Django have the type that is declared for their users
    gettext_lazy, pgettext_lazy = lazy(gettext, str), lazy(pgettext, str)
