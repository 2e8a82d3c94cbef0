"""The texts for people in the pure rooms, as their source has them: each is a phrase, whole and written out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SCORING = Path(__file__).parent.parent / "scoring"

APART = {
    # Verdicts and rule sheets have a grammar of their own.
    "rules/wording.py",
    "rules/rulesheet.py",
    # What these say is for the operator, and stays English.
    "ledger/audit/__init__.py",
    "ledger/audit/case.py",
    "ledger/audit/database.py",
    "ledger/audit/deals.py",
    "ledger/audit/money.py",
    "ledger/audit/record.py",
    "ledger/append_only.py",
    "ledger/chain.py",
}
LANGUAGE = re.compile(r"^class \w+\(Language\):", re.MULTILINE)
"""A module of verdicts in one language, which are written in that language."""

ROOMS = [
    path
    for room in ("rules", "game", "actions", "ledger", "drafts")
    for path in sorted((SCORING / room).rglob("*.py"))
    if str(path.relative_to(SCORING)) not in APART and not LANGUAGE.search(path.read_text())
]

REFUSALS = {"Problem": 2, "refuse": 2, "Conflict": 1, "UnreadableRowError": 1}
"""Which argument of these is the message."""

FOR_DEVELOPERS = {"RuntimeError", "TypeError", "ValueError"}

NO_PHRASES = {
    # Notes, which the ledger keeps as they were written.
    "As it was dealt, before hand {} was changed.",
    # An exception that pages tell apart by its class alone.
    "Another phone has entered other cards for .",
    # A part of a verdict.
    "Points entered by the table (R63).",
}


SENTENCE = re.compile(r"[A-Z“{].* .*[.!?]", re.DOTALL)


def name_of(call: ast.Call) -> str:
    """The last part of what is called: ``Phrase`` of ``phrase.Phrase``, ``plural`` of ``Phrase.plural``."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_phrase(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in {"Phrase", "Phrase.plural"}


def constant(node: ast.AST) -> str:
    """The fixed text of a literal or of an f-string, empty for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(constant(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def plain_sentences(source: str) -> Iterator[str]:
    """Sentences in the source that are no phrases, no docstrings, and no errors of a developer."""
    tree = ast.parse(source)
    apart: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(node.value)
        elif isinstance(node, ast.Call) and (is_phrase(node) or name_of(node) in FOR_DEVELOPERS):
            apart |= {part for argument in node.args for part in ast.walk(argument)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart |= set(node.values)
    for node in ast.walk(tree):
        if node not in apart and SENTENCE.fullmatch(constant(node)):
            yield constant(node)


def unmarked_refusals(source: str) -> Iterator[str]:
    """Refusals whose message is a text put together on the spot instead of a phrase."""
    for node in ast.walk(ast.parse(source)):
        place = REFUSALS.get(name_of(node)) if isinstance(node, ast.Call) else None
        if place is not None and isinstance(node, ast.Call) and len(node.args) > place:
            message = node.args[place]
            if not (is_phrase(message) or isinstance(message, ast.Name | ast.Attribute | ast.Subscript | ast.IfExp)):
                if isinstance(message, ast.Call) and name_of(message) not in {"format", "join", "str"}:
                    continue  # a function that returns the phrase
                yield ast.unparse(message)


def broken_phrases(source: str) -> Iterator[str]:
    """Phrases whose pattern is no literal, so that no translator ever sees it, or with English words as a value."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and is_phrase(node):
            patterns = node.args[:2] if name_of(node) == "plural" else node.args
            values = [each.value for each in node.keywords]
            if not all(isinstance(each, ast.Constant) for each in patterns) or any(map(constant, values)):
                yield ast.unparse(node)


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(SCORING)))
def test_every_sentence_is_a_phrase(path: Path) -> None:
    source = path.read_text()
    assert [sentence for sentence in plain_sentences(source) if sentence not in NO_PHRASES] == []
    assert list(unmarked_refusals(source)) == []
    assert list(broken_phrases(source)) == []


def test_what_is_no_phrase_is_found() -> None:
    assert list(plain_sentences('say("There is no seat.")')) == ["There is no seat."]
    assert list(plain_sentences('say(f"There is no seat {seat}.")')) == ["There is no seat ."]
    assert list(unmarked_refusals('refuse("code", "", f"seat {seat}")')) == ["f'seat {seat}'"]
    assert list(unmarked_refusals('Conflict(session, "seat {}".format(3))')) == ["'seat {}'.format(3)"]
    assert list(broken_phrases('Phrase(text, seat=3); Phrase("{row}.", row="front")')) == [
        "Phrase(text, seat=3)",
        "Phrase('{row}.', row='front')",
    ]
