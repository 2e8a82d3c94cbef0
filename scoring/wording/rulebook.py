"""The numbered rules, and the rule sheet that shows what one set of house rules chooses among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from django.conf import settings

from scoring.rules.houserules import Chart, HouseRules
from scoring.rules.rows import Kind
from scoring.rules.rulesheet import ROYALTIES, describe
from scoring.texts import gettext
from scoring.wording.figures import NOTHING, unsigned
from scoring.wording.languages import of_reader
from scoring.wording.phrases import translated


@dataclass(frozen=True, slots=True)
class Sentence:
    """One numbered sentence and its source, which ``docs/rules.md`` gives in brackets."""

    number: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the rules with its numbered sentences, and its paragraphs without a number."""

    title: str
    sentences: list[Sentence] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)


_KINDS = {kind.code: kind for kind in Kind}
_SENTENCE = re.compile(r"(?P<number>R\d+)\. (?P<text>.+?)(?: \[(?P<source>[^]]+)\])?")


def chapters() -> list[Chapter]:
    """The rules in the reader's language, or in English if nobody has written them in it.

    They are ``docs/rules.md`` or ``docs/rules/xx.md`` by its second-level headings, without the text before the first.
    """
    return _chapters(of_reader().tag)


@cache
def _chapters(tag: str) -> list[Chapter]:
    docs = settings.BASE_DIR / "docs"
    path = docs / "rules" / f"{tag}.md"
    text = (path if path.exists() else docs / "rules.md").read_text(encoding="utf-8")
    found: list[Chapter] = []
    for part in text.split("\n## ")[1:]:
        title, *paragraphs = part.split("\n\n")
        chapter = Chapter(title.strip())
        for paragraph in (" ".join(paragraph.split()) for paragraph in paragraphs):
            if match := _SENTENCE.fullmatch(paragraph):
                chapter.sentences.append(Sentence(match["number"], match["text"], match["source"] or ""))
            elif paragraph:
                chapter.prose.append(paragraph)
        found.append(chapter)
    return found


@dataclass(frozen=True, slots=True)
class ChartShown:
    """The royalty chart as tables.

    ``rows`` holds (hand, middle, back); ``front`` and ``low`` hold (hand, points), ``low`` only in 2-7.
    """

    rows: list[tuple[str, str, str]]
    front: list[tuple[str, str]]
    low: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SheetShown:
    """The rule sheet: (heading, sentences) pairs, and the royalty chart."""

    headings: list[tuple[str, list[Sentence]]]
    chart: ChartShown


def sheet(rules: HouseRules) -> SheetShown:
    """Make the rule sheet of these house rules."""
    sources = {sentence.number: sentence.source for chapter in chapters() for sentence in chapter.sentences}
    lines = [
        (translated(line.heading), Sentence(line.rule, translated(line.sentence), sources.get(line.rule, "")))
        for line in describe(rules)
    ]
    headings = [(heading, [line for _, line in group]) for heading, group in groupby(lines, key=lambda line: line[0])]
    return SheetShown(headings, _chart(rules.royalties, lowball=rules.lowball, decks=rules.decks))


def changed(was: HouseRules, now: HouseRules) -> Iterator[tuple[str, str, str]]:
    """The sentences of the rule sheet in which two sets differ: (heading, sentences before, sentences after)."""
    before, after = describe(was), describe(now)
    gone = {line.sentence for line in before} - {line.sentence for line in after}
    come = {line.sentence for line in after} - {line.sentence for line in before}
    for heading in dict.fromkeys(line.heading for line in (*before, *after)):
        sides = [
            of_reader().space.join(
                translated(line.sentence) for line in lines if line.heading == heading and line.sentence in moved
            )
            for lines, moved in ((before, gone), (after, come))
        ]
        if any(sides):
            yield translated(heading), sides[0] or NOTHING, sides[1] or NOTHING
        elif heading == ROYALTIES and was.royalties != now.royalties:
            yield translated(heading), gettext("the chart before"), gettext("another chart")


def _chart(chart: Chart, *, lowball: bool, decks: int) -> ChartShown:
    middle, back = dict(chart.middle), dict(chart.back)
    hands = [hand for hand in back if hand != "five-of-a-kind" or decks > 1]
    return ChartShown(
        rows=[
            (of_reader().kind_name(_KINDS[hand]), unsigned(middle[hand]), unsigned(back[hand]))
            for hand in hands
            if back[hand] or (middle[hand] and not lowball)
        ],
        front=[(hand, unsigned(points)) for hand, points in chart.front if points],
        low=[
            (gettext("{rank}-high").format(rank=hand) if len(hand) == 1 else hand, unsigned(points))
            for hand, points in chart.low
        ]
        if lowball
        else [],
    )
