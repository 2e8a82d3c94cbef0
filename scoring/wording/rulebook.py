"""The numbered rules, and the rule sheet that shows what one set of house rules chooses among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from django.conf import settings

from scoring.rules.houserules import Chart, HouseRules
from scoring.rules.rulesheet import describe
from scoring.wording.figures import NOTHING, unsigned


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


_SENTENCE = re.compile(r"(?P<number>R\d+)\. (?P<text>.+?)(?: \[(?P<source>[^]]+)\])?")


@cache
def chapters() -> list[Chapter]:
    """Read ``docs/rules.md`` by its second-level headings; the text before the first is left out."""
    text = (settings.BASE_DIR / "docs" / "rules.md").read_text(encoding="utf-8")
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
    lines = [(line.heading, Sentence(line.rule, line.sentence, sources.get(line.rule, ""))) for line in describe(rules)]
    headings = [(heading, [line for _, line in group]) for heading, group in groupby(lines, key=lambda line: line[0])]
    return SheetShown(headings, _chart(rules.royalties, lowball=rules.lowball, decks=rules.decks))


def changed(was: HouseRules, now: HouseRules) -> Iterator[tuple[str, str, str]]:
    """The sentences of the rule sheet in which two sets differ: (heading, sentences before, sentences after)."""
    before, after = describe(was), describe(now)
    gone = {line.sentence for line in before} - {line.sentence for line in after}
    come = {line.sentence for line in after} - {line.sentence for line in before}
    for heading in dict.fromkeys(line.heading for line in (*before, *after)):
        sides = [
            " ".join(line.sentence for line in lines if line.heading == heading and line.sentence in moved)
            for lines, moved in ((before, gone), (after, come))
        ]
        if any(sides):
            yield heading, sides[0] or NOTHING, sides[1] or NOTHING
        elif heading == "Royalties" and was.royalties != now.royalties:
            yield heading, "the chart before", "another chart"


def _chart(chart: Chart, *, lowball: bool, decks: int) -> ChartShown:
    middle, back = dict(chart.middle), dict(chart.back)
    hands = [hand for hand in back if hand != "five-of-a-kind" or decks > 1]
    return ChartShown(
        rows=[
            (hand.replace("-", " ").capitalize(), unsigned(middle[hand]), unsigned(back[hand]))
            for hand in hands
            if back[hand] or (middle[hand] and not lowball)
        ],
        front=[(hand, unsigned(points)) for hand, points in chart.front if points],
        low=[(f"{hand}-high" if len(hand) == 1 else hand, unsigned(points)) for hand, points in chart.low]
        if lowball
        else [],
    )
