"""Every text that people see is marked for translation, and every language that is offered has all of them."""

from __future__ import annotations

import ast
import gzip
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings
from django.core.management import CommandError, call_command
from django.template.base import DebugLexer, TokenType

from scoring.management import messages

TEMPLATES = [
    file
    for folder in ("html", "svg")
    for file in sorted((messages.ROOT / "templates").rglob(f"*.{folder}"))
    if "admin" not in file.parts
]
OFFERED = [tag for tag, _ in settings.LANGUAGES if tag != "en"]

# What people see of an element beside its text.
_SHOWN = re.compile(r"""\b(?:aria-label|alt|title|placeholder|data-asks|data-say|aria-description)=("[^"]*"|'[^']*')""")
_NAMES = {"OFC", "Score", "Telegram", "WhatsApp", "SMS", "JSON", "PNG", "QR"}
"""Words that are the same in every language."""


def unmarked(source: str) -> list[str]:
    """The words that a template shows outside of any mark. They are what is left when marks, values and tags go."""
    text, inside = [], False
    for token in DebugLexer(source).tokenize():
        if token.token_type is TokenType.BLOCK:
            name = token.contents.split()[0]
            if name.removeprefix("end") in {"blocktranslate", "comment"}:
                inside = not name.startswith("end")
        elif token.token_type is TokenType.TEXT and not inside:
            text.append(token.contents)
    page = "".join(text)
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    shown = [attribute[1:-1] for attribute in _SHOWN.findall(page)]
    shown.append(re.sub(r"<[^>]*>", " ", page))
    return [word for word in re.findall(r"[^\W\d_]{2,}", " ".join(shown)) if word not in _NAMES]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_text_of_a_template_is_marked(template: Path) -> None:
    assert unmarked(template.read_text()) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('{% translate "Hand" %} {{ number }}', []),
        ("<p>Hand {{ number }}</p>", ["Hand"]),
        ('<a aria-label="Close it" href="/x">{% translate "Close" %}</a>', ["Close", "it"]),
        ("{% blocktranslate %}Hand {{ n }}{% endblocktranslate %} – OFC Score", []),
        ('<li{% if a %} class="out"{% endif %}><b class="{% if b %}x{% endif %}">12</b>', []),
        ("{# a remark #}{% comment %}another{% endcomment %}", []),
    ],
)
def test_an_unmarked_text_is_noticed(source: str, words: list[str]) -> None:
    assert unmarked(source) == words


def marked(script: Path) -> set[str]:
    """The English texts that a script marks for translation."""
    marks = re.findall(r"""^(?!\s*//).*?\b(?:words|counted)\(\s*(["'`])(.+?)\1""", script.read_text(), re.MULTILINE)
    return {text for _, text in marks}


def named(script: Path) -> set[str]:
    """What those are called in the files of a language."""
    return {messages.called(text) for text in marked(script)}


@pytest.mark.parametrize("tag", OFFERED)
def test_a_language_that_is_offered_is_whole(tag: str) -> None:
    assert list(messages.faults(tag)) == []


@pytest.mark.parametrize("tag", OFFERED)
def test_what_is_compiled_is_what_the_source_says(tag: str) -> None:
    old = [file for file, text in messages.compiled(tag).items() if not file.exists() or file.read_bytes() != text]
    assert old == [], "manage.py makemessages --compile makes them anew"


@pytest.mark.parametrize("tag", OFFERED)
def test_the_words_of_scripts_are_small_and_each_file_has_those_of_its_pages(tag: str) -> None:
    """The first file is what a language adds to the first visit; the pad's words are in a file that loads with the pad.

    The page that checks records has all of its own, because it has nothing else.
    """
    files = messages.scripts(tag)
    pages, pad, verify = (json.loads(b"{" + file[file.index(b'"') : -2]) for file in files.values())
    of_pages, of_pad, of_verify = (len(gzip.compress(file)) for file in files.values())
    assert (of_pages <= 1_450, of_pad <= 2_200, of_verify <= 1_400) == (True, True, True)
    scripts = list(messages.sources(messages.BROWSER))
    elsewhere = [named(file) for file in scripts if file.parent.name not in {"pad", "verify"}]
    assert set().union(*(named(file) for file in scripts if file.parent.name == "verify")) <= set(verify)
    assert set().union(*elsewhere) <= set(pages)
    assert set(pages).isdisjoint(pad)


def test_no_two_texts_of_scripts_have_one_name() -> None:
    texts = set().union(*(marked(file) for file in messages.sources(messages.BROWSER)))
    assert len({messages.called(text) for text in texts}) == len(texts) > 100


@pytest.mark.parametrize("tag", ["xx", "../x", ""])
@pytest.mark.parametrize("check", [True, False])
def test_a_language_that_there_is_not_is_refused_and_gets_no_files(tag: str, check: bool) -> None:
    before = messages.tags()
    with pytest.raises(CommandError, match=re.escape(f"There is no language {tag}. ")):
        call_command("makemessages", tag, check=check)
    assert messages.tags() == before


def test_the_same_texts_are_always_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = messages.tags()[0]
    compiled = messages.compiled(tag)
    read = messages.read

    def read_later(tag: str, domain: str) -> Catalog:
        catalog = read(tag, domain)
        catalog.creation_date = datetime(2050, 1, 1, tzinfo=UTC)
        return catalog

    monkeypatch.setattr(messages, "read", read_later)
    assert messages.compiled(tag) == compiled


@pytest.mark.parametrize("script", list(messages.sources(messages.BROWSER)), ids=lambda file: file.name)
def test_every_marked_text_of_a_script_is_found(script: Path) -> None:
    """The finder looks into a template literal once; a text in a literal inside another one would stay English."""
    found = {
        message.id[0] if isinstance(message.id, tuple) else message.id for message in messages.found(messages.BROWSER)
    }
    assert marked(script) <= found


def test_no_text_is_marked_where_it_is_not_found() -> None:
    """What is marked inside an f-string is not found in every release of Python."""
    marks = set(messages.KEYWORDS) | {"_"}
    marked = [
        f"{file.name}:{call.lineno}"
        for file in messages.sources("django")
        if file.suffix == ".py"
        for string in ast.walk(ast.parse(file.read_text()))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in marks
    ]
    assert marked == []


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_no_text_begins_or_ends_a_sentence_of_another(domain: str) -> None:
    """A text that begins in the middle of a sentence is a part of one, and cannot be translated."""
    parts = [
        message.id
        for message in messages.found(domain)
        if isinstance(message.id, str) and re.match(r"[,.;:)]|\s", message.id)
    ]
    assert parts == []


@pytest.mark.parametrize(
    ("english", "translation", "what"),
    [
        ("Hand {number}", "Jako {number}", []),
        ("Hand {number}", "Jako", ["lacks {number}"]),
        ("Hand {number}", "Jako {number} {who}", ["has {who}, which the English text has not"]),
        ("%(name)s pays", "%(nimi)s maksaa", ["lacks %(name)s", "has %(nimi)s, which the English text has not"]),
        (
            'See <a href="%(url)s">here</a>',
            'Katso <b href="%(url)s">tästä</b>',
            ["lacks </a, <a", "has </b, <b, which the English text has not"],
        ),
        (("{count} hand", "{count} hands"), ("yksi jako", "{count} jakoa"), []),
    ],
)
def test_what_a_translation_loses_is_noticed(
    english: str | tuple[str, ...], translation: str | tuple[str, ...], what: list[str]
) -> None:
    assert list(messages._lost(Message(english), Message(english, translation))) == what
