"""Texts of the pure rooms, which are English and remember how they were made.

Nothing here knows of other languages. `scoring.wording.phrases` looks a phrase's pattern up in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self


class Phrase(str):
    """An English text for people, made of a pattern and values: ``Phrase("There is no seat {seat}.", seat=3)``.

    It is a `str` like any other, and is English wherever nobody translates it. A pattern is a whole sentence or a whole
    name, never a part of a sentence, since other languages order their words differently. A value may be a phrase, too.
    """

    __slots__ = ("many", "pattern", "values")

    pattern: str
    many: str
    """The pattern for other counts than one; empty if the phrase counts nothing."""
    values: Mapping[str, Any]

    def __new__(cls, pattern: str, **values: Any) -> Self:
        """Fill ``values`` into the pattern's named fields; braces that are no field are doubled."""
        return cls._made(pattern, pattern, "", values)

    @classmethod
    def plural(cls, one: str, many: str, count: int, **values: Any) -> Self:
        """A phrase that counts: ``Phrase.plural("{count} hand", "{count} hands", 3)``."""
        return cls._made(one if count == 1 else many, one, many, {"count": count, **values})

    def __reduce__(self) -> tuple[Any, ...]:
        # The finished text alone would not do: a name's braces in it are no fields.
        chosen = self.many if self.many and self.values["count"] != 1 else self.pattern
        return type(self)._made, (chosen, self.pattern, self.many, dict(self.values))

    @classmethod
    def _made(cls, chosen: str, pattern: str, many: str, values: Mapping[str, Any]) -> Self:
        phrase = super().__new__(cls, chosen.format(**values))
        phrase.pattern, phrase.many, phrase.values = pattern, many, values
        return phrase


class Names(str):
    """Names listed in English: A; A and B; A, B and C. It remembers them, since languages list them each in its way."""

    __slots__ = ("names",)

    names: tuple[str, ...]

    def __new__(cls, names: Sequence[str]) -> Self:
        """List at least one name."""
        listed = super().__new__(cls, " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part))
        listed.names = tuple(names)
        return listed

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.names,)


class Account(str):
    """Whose account in the ledger it is: a player, whose name stays, or "Bank" or "House", which are translated."""

    __slots__ = ()
