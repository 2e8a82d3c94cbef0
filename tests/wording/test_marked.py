"""Texts in the source of pages and scripts that two words or more give away as texts for people: each is marked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.management import messages

ROOT = messages.ROOT
LANGUAGE = re.compile(r"^class \w+\(Language\):", re.MULTILINE)
PAGES = [
    path
    for room in ("forms", "views", "wording", "exports", "templatetags")
    for path in sorted((ROOT / "scoring" / room).rglob("*.py"))
    if not LANGUAGE.search(path.read_text())
]
SCRIPTS = sorted(path for path in messages.sources(messages.BROWSER) if path.parent.name != "words")

WORDS = re.compile(r"[A-Za-z’]{2,} [a-z’]{2,}")
TAG_OR_RULE = re.compile(r"<\w|[\"=%\[]|^[.#]")
"""What is written for a browser or a database: tags, attributes, selectors, placeholders of SQL."""

NOT_SHOWN = {
    # Keys, of what is stored, sent or looked up.
    "all rows", "all rows_royalties", "not settled", "ofcscore record 1", "Sent round",
    # Names of the files that a phone shares.
    "the result", "the record",
    # Notes as the ledger stores them, which `scoring.wording.notes` says in the reader's language.
    "Misread card", "Wrong row", "Dead hand", "settled as the next session began",
    "{player} was due Fantasyland after hand {number} and did not get it.",
    # Classes of styles.
    "lost-page narrow stack", "button quiet small", "keys turbo", "sheet stack", "note digits",
    # For a browser, a workbook, and anyone who looks for a mistake in a record's file.
    "outerHTML show:window:top", "img-src data:", "yyyy-mm-dd hh:mm",
}  # fmt: skip


def of_python(source: str) -> Iterator[str]:
    """The texts of a module that are not marked, and no docstrings, patterns or errors of a developer."""
    tree = ast.parse(source)
    apart: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(node.value)
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if (
                name.split(".")[-1] in {*messages.KEYWORDS, "_", "Phrase", "plural"}
                or name.startswith("re.")
                or "Error" in name
            ):
                apart |= {part for argument in node.args for part in ast.walk(argument)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            yield node.value


def of_script(source: str) -> Iterator[str]:
    """The texts of a script that are not marked; an error that nobody sees is none."""
    text = r"""(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)"""
    for ours in (
        r"(?m)^\s*//.*$",
        r"(?<=[;{,)]) // .*",
        rf"\b(?:words|\w*Error)\(\s*{text}",
        rf"\bcounted\(\s*{text},\s*{text}",
    ):
        source = re.sub(ours, "", source)
    yield from (found[1:-1] for found in re.findall(text, source))


def for_people(texts: Iterator[str]) -> list[str]:
    return [text for text in texts if WORDS.search(text) and not TAG_OR_RULE.search(text) and text not in NOT_SHOWN]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_of_a_page_is_marked(path: Path) -> None:
    assert for_people(of_python(path.read_text())) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_of_a_script_is_marked(path: Path) -> None:
    assert for_people(of_script(path.read_text())) == []


def test_what_is_not_marked_is_noticed() -> None:
    assert for_people(of_python('HINT = "money between two"')) == ["money between two"]
    assert for_people(of_python('HINT = _("money between two"); FOUND = re.compile("one or two")')) == []
    assert for_people(of_script('say("nothing was sent"); // a word or two')) == ["nothing was sent"]
    assert for_people(of_script('say(words("Nothing was sent.")); throw new RangeError("one or two")')) == []
