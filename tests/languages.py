"""A language that nobody speaks, to show that every sentence of a result comes from a `Language`.

Each text is in brackets that nothing else has: the number of its method, and what the method was given.
"""

from __future__ import annotations

from typing import Any

from scoring.rules.wording import Bound, Held, Language

_OPEN, _CLOSE = "⟦⟧"


def _shown(value: Any) -> str:
    if isinstance(value, Bound):
        return f"{value.hand.cards}~{value.kicker}"
    if isinstance(value, Held):
        return f"{value.kind:d}~{value.cards}~{value.low:d}"
    if isinstance(value, (list, tuple)):
        return "+".join(map(_shown, value))
    return str(value)


def _method(number: int) -> Any:
    def said(_: Language, *given: Any, **named: Any) -> str:
        values = "|".join([str(number), *map(_shown, (*given, *named.values()))])
        return f"{_OPEN}{values}{_CLOSE}"

    return said


BRACKETED: Language = type(
    "Bracketed",
    (Language,),
    {"tag": "qq", **{name: _method(number) for number, name in enumerate(sorted(Language.__abstractmethods__))}},
)()


def outside_brackets(text: str) -> str:
    """What of a text does not come from the bracketed language."""
    depth, rest = 0, []
    for letter in text:
        depth += letter == _OPEN
        if not depth:
            rest.append(letter)
        depth -= letter == _CLOSE
    return "".join(rest)
