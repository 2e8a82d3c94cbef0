"""Sentences that people read keep the habits of ``docs/wording.md``, as far as a machine can see them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)


class Habit(NamedTuple):
    """One habit: what gives it away, and what to say instead."""

    wrong: str
    instead: str


SENTENCES = [
    Habit(r"(?i)\bwhoever\b", "“Anyone who …” or “A player who …”"),
    Habit(r"(?:^|(?<=[.:;] ))Who [^.?]*\.", "“Anyone who …” or “A player who …”: “Who …” begins a question"),
    Habit(r"(?i)\bit otherwise\b|^Otherwise$", "“differently”, or the case itself"),
    Habit(r"(?i)something else than", "“something other than”"),
    Habit(r"(?i)\bfrom (?:the next )?hand(?: \S+)? on\b(?! the)", "“from hand 5”, without “on”"),
    Habit(r"(?i)\b(?:book|booked|booking|books)\b", "“record”: a gambler’s book takes bets"),
    Habit(r"(?i)\bevenings?\b", "“session”"),
    Habit(
        r"(?i)\b(?:an?|the|this|that|each|every|next|earlier|later) deal\b",
        "“hand”: people read “hand”, code has deals",
    ),
    Habit(r"(?i)\b(?:lies?|has|have|0) in front\b|\bin front of (?:the players?|each player|0)\b", "“stack”"),
    Habit(r"(?i)\bto the start\b", "“Home”"),
    Habit(r"(?i)if you like|if it helps", "“(optional)”"),
    Habit(r"(?i)\bsingle pairs?\b", "“different stakes between two players”: a single pair is a poker hand"),
    Habit(r"(?i)\bput in\b", "“enter”"),
    Habit(r"(?i)\bto be square\b|\b(?:is|are) square\b", "“settle up”, “all settled up”"),
    Habit(r"(?i)\bclockwise from under the gun\b", "“in order of play”"),
    Habit(r"(?i)\bowed fantasyland\b", "“due Fantasyland”"),
    Habit(r"(?i)\b(?:show what|what) moves\b|\bnothing moved\b", "“Preview changes”, “What changes”"),
    Habit(r"(?i)\bflag(?:s|ged)?\b", "“dispute”"),
    Habit(r"(?i)\bsits? down\b", "“Add player”, “Start game”"),
    Habit(r"(?i)\breads? along\b", "“watch only”"),
    Habit(r"(?i)\brest is void\b|\bunpaid, and void\b", "“is not owed”"),
    Habit(r"(?i)\beverybody\b", "“everyone”"),
    Habit(r"(?i)\bledger stands\b", "“Results are final.”"),
    Habit(r"(?i)\bcards suffice\b", "“Max 3 players per hand”"),
]
"""Habits of every sentence that people read."""

BUTTONS = [
    Habit(r"^(?:Leave|Keep) (?:it|them)$", "“Cancel”, and “Keep as is” on a correction"),
    Habit(
        r"^(?!I[’']ve ).*\b(?:it|them|these)(?: again| that| for good)?$|^Call it\b",
        "what the button does, and to what",
    ),
    Habit(r"^(?:Sits|Leaves|Joins|Swaps|Changes|Pays)\b", "an order: “Sit out”, “Leave table”"),
]
"""Habits of buttons, and of links that look like one."""

PEOPLE = Habit(r"(?i)\b(?:he|him|his|himself|she|hers?|herself)\b", "“they”, “their”, or the name again")
"""A player is they, also in comments and documents."""

KEPT = {
    "Open Face Chinese poker, settled before the next deal.",  # the slogan, in which cards are dealt
}
"""Sentences that a native speaker read and kept."""


class Said(NamedTuple):
    """A text that people read, and where it stands."""

    place: str
    text: str


# --- Templates --------------------------------------------------------------------------------------------------------

_COMMENT = re.compile(r"{% *comment.*?endcomment *%}|{#.*?#}", re.DOTALL)
_GIVEN = re.compile(r"""\b(?:label|caption|beside|title)=(?:_\()?"([^"]*)\"""")
_MARKED = re.compile(r"""{% *translate "([^"]*)".*?%}""")
_VALUE = re.compile(r"{{.*?}}", re.DOTALL)
_ELSE = re.compile(r"{% *(?:else|elif|empty|plural)\b.*?%}")
_TAG = re.compile(r"{%.*?%}", re.DOTALL)
_OR = "\N{SYMBOL FOR UNIT SEPARATOR}"
_READ_ALOUD = {"aria-label", "alt", "placeholder", "title"}
_INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "small", "span", "strong"}


class _Reader(HTMLParser):
    """Collects what people read of a page: its text, block by block, and the texts of its buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[int, str]] = []
        self.buttons: list[tuple[int, str]] = []
        self._text: list[str] = []
        self._button: list[str] | None = None
        self._line = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        self.blocks += [(line, value) for name, value in attrs if name in _READ_ALOUD and value]
        look = dict(attrs).get("class") or ""
        if tag not in _INLINE:
            self._end()
        if tag == "button" or (tag == "a" and "button" in look.split()):
            self._button = []

    def handle_endtag(self, tag: str) -> None:
        if self._button is not None and tag in ("a", "button"):
            self.buttons += [(self.getpos()[0], text) for text in _alternatives(self._button)]
            self._button = None
        if tag not in _INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._text:
            self._line = self.getpos()[0]
        self._text.append(data)
        if self._button is not None:
            self._button.append(data)

    def _end(self) -> None:
        self.blocks += [(self._line, text) for text in _alternatives(self._text)]
        self._text = []

    def close(self) -> None:
        super().close()
        self._end()


def _alternatives(parts: list[str]) -> list[str]:
    """What is said of a text on each side of an ``else``, with single spaces."""
    return [said for text in "".join(parts).split(_OR) if (said := " ".join(text.split()))]


def read(page: str) -> _Reader:
    """Reads a template: its tags are left out, without losing a line, and each of its values reads as 0."""

    def lines(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    reader = _Reader()
    page = _MARKED.sub(r"\1", _COMMENT.sub(lines, page))
    given = [(page.count("\n", 0, found.start()) + 1, found[1]) for found in _GIVEN.finditer(page)]
    reader.feed(_TAG.sub(lines, _ELSE.sub(_OR, _VALUE.sub(lambda found: "0" + lines(found), page))))
    reader.close()
    reader.blocks += given
    return reader


# --- Python and JavaScript --------------------------------------------------------------------------------------------


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Every string of a module that may be read by people, with its line; what is filled into it reads as 0.

    Docstrings are for engineers. A string that is one small word is a key.
    """
    tree = ast.parse(source)
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            text = node.value
        else:
            continue
        if " " in text or text[:1].isupper():
            yield node.lineno, text


_JS_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_JS_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


def js_strings(source: str) -> Iterator[tuple[int, str]]:
    """Every string of a script that has a space or begins with a capital; what is filled into it reads as 0."""
    source = _JS_COMMENT.sub("", source)
    for found in _JS_STRING.finditer(source):
        text = re.sub(r"\$\{.*?\}", "0", found[1] or found[2] or "")
        if " " in text or text[:1].isupper():
            yield source.count("\n", 0, found.start()) + 1, text


# --- The laws ---------------------------------------------------------------------------------------------------------


def files(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def sentences() -> Iterator[Said]:
    """Everything that the templates, the package and the scripts say."""
    for path in files("templates/**/*.html"):
        yield from (Said(_at(path, line), text) for line, text in read(path.read_text()).blocks)
    for path in files("scoring/**/*.py"):
        if "migrations" not in path.parts:
            yield from (Said(_at(path, line), text) for line, text in strings(path.read_text()))
    for path in files("static/**/*.js"):
        yield from (Said(_at(path, line), text) for line, text in js_strings(path.read_text()))


def buttons() -> Iterator[Said]:
    for path in files("templates/**/*.html"):
        yield from (Said(_at(path, line), text) for line, text in read(path.read_text()).buttons)


def lines() -> Iterator[Said]:
    """Every line that somebody may read, comments and documents included."""
    for path in files("*.md", "docs/*.md", "scoring/**/*.py", "templates/**/*.html", "static/**/*.js", "ofcscore/*.py"):
        if path.name != "wording.md":  # which names the words that are not used
            yield from (Said(_at(path, n), text) for n, text in enumerate(path.read_text().splitlines(), start=1))


def _at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def slips(said: Iterable[Said], habits: Iterable[Habit]) -> str:
    """One line for each sentence with a bad habit: where it is, what it says, and what to say instead."""
    found = [
        f"{place}: “{text}”\n    has “{match[0]}”; say {habit.instead}"
        for place, text in dict.fromkeys(said)
        if text not in KEPT
        for habit in habits
        if (match := re.search(habit.wrong, text))
    ]
    return "\n".join(found)


def test_sentences_are_plain() -> None:
    assert not (found := slips(sentences(), SENTENCES)), f"docs/wording.md has the habits:\n{found}"


def test_buttons_name_what_they_do_and_to_what() -> None:
    assert not (found := slips(buttons(), BUTTONS)), f"docs/wording.md has the habits:\n{found}"


def test_players_are_they() -> None:
    assert not (found := slips(lines(), [PEOPLE])), f"docs/wording.md has the habits:\n{found}"


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ('<p>{% translate "Played from hand 5 on." context "rules" %}</p>', "from hand 5 on"),
        ('{% include "x.html" with label=_("Single pairs") %}', "Single pairs"),
        ("<p>{% blocktranslate count n=n %}It{% plural %}Everybody{% endblocktranslate %}</p>", "Everybody"),
        ("<p>What is\n  played <b>from hand {{ n }} on</b>.</p>", "from hand 0 on"),
        ('<input aria-label="Put in a name">', "Put in"),
        ('{% include "x.html" with label="Single pairs" %}', "Single pairs"),
        ("<p>Anna is {% if due %}owed Fantasyland{% endif %}</p>", "owed Fantasyland"),
    ],
)
def test_a_habit_is_seen_in_a_template(page: str, wrong: str) -> None:
    assert f"has “{wrong}”" in slips([Said("page", text) for _, text in read(page).blocks], SENTENCES)


@pytest.mark.parametrize(
    "button",
    [
        "<button>Leave it</button>",
        "<button>{% if new %}Edit{% else %}Leave it{% endif %}</button>",
        '<button>{% if new %}{% translate "Edit" %}{% else %}{% translate "Leave it" %}{% endif %}</button>',
        '<a class="button quiet">\n  Open it again\n</a>',
    ],
)
def test_a_habit_is_seen_on_a_button(button: str) -> None:
    assert slips([Said("page", text) for _, text in read(button).buttons], BUTTONS)


def test_a_habit_is_seen_in_a_string_but_not_in_a_docstring_or_a_key() -> None:
    source = '"""Whoever reads this."""\nkey = "book"\nsaid = f"{name} books " f"{amount} in front"\n'
    assert [text for _, text in strings(source)] == ["0 books 0 in front"]


def test_a_habit_is_seen_in_a_script() -> None:
    source = '// "Whoever"\nsay(`Put in ${name}`, "key");\n'
    assert list(js_strings(source)) == [(2, "Put in 0")]
