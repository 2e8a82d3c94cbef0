"""Sentences of each language as somebody wrote them out by hand: ``languages/TAG.txt`` has a shape in each line."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from scoring.rules.cards import parse_row
from scoring.rules.rows import FIVES, FRONTS, LOWS, Kind
from scoring.rules.wording import Bound, Call, Cap, Held, held, low
from scoring.wording.languages import LANGUAGES

FILES = Path(__file__).parent / "languages"
FIVE = FIVES["above-royal"]


def hand(cards: str) -> Held:
    """What these ranks are; five that end in f are a flush."""
    row = parse_row(cards)
    return held((FRONTS if len(row.cards) == 3 else FIVE)[row.key])


def low_hand(cards: str) -> Held:
    """The 2-7 low of these ranks."""
    return low(LOWS[parse_row(cards).key])


def lines(tag: str) -> list[tuple[str, str, str]]:
    """Each line of a language: the method, its arguments, and what it must say."""
    found = []
    for line in (FILES / f"{tag}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            method, arguments, said = line.split(" | ")
            found.append((method.strip(), arguments.strip(), said.strip()))
    return found


def said(tag: str, method: str, arguments: str) -> str:
    """What the language says. Arguments are Python: texts, numbers, and calls of the few names that are known here."""
    language = LANGUAGES[tag]
    known: dict[str, Any] = {name: getattr(language, name) for name in dir(language) if not name.startswith("_")}
    known |= {"held": hand, "low": low_hand, "bound": lambda cards, kicker: Bound(hand(cards), kicker)}
    known |= {"Kind": Kind, "Call": Call, "Cap": Cap}
    call = ast.parse(f"f({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)

    def value(node: ast.AST) -> Any:
        return eval(compile(ast.Expression(node), "<line>", "eval"), {"__builtins__": {}}, known)  # type: ignore[arg-type]

    named = {keyword.arg: value(keyword.value) for keyword in call.keywords if keyword.arg}
    answer: str = getattr(language, method)(*map(value, call.args), **named)
    return answer


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_somebody_wrote_by_hand_is_what_the_language_says(tag: str) -> None:
    wrong = {
        f"{method}({arguments})": (expected, said(tag, method, arguments))
        for method, arguments, expected in lines(tag)
        if said(tag, method, arguments) != expected
    }
    assert wrong == {}
    assert len({method for method, _, _ in lines(tag)}) >= 10, "ten sentences of ten shapes"
