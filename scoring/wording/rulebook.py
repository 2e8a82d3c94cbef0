"""The rules in words: all of them, numbered, and what one set of house rules chooses among them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from django.conf import settings

from scoring.rules.houserules import Chart, HouseRules
from scoring.rules.rulesheet import describe
from scoring.wording.figures import unsigned


@dataclass(frozen=True, slots=True)
class Sentence:
    """One numbered sentence, and in brackets where it comes from."""

    number: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the rules, its sentences, and what stands there without a number."""

    title: str
    sentences: list[Sentence] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)


_SENTENCE = re.compile(r"(?P<number>R\d+)\. (?P<text>.+?)(?: \[(?P<source>[^]]+)\])?")


@cache
def chapters() -> list[Chapter]:
    """``docs/rules.md`` as a page shows it, by its second-level headings."""
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
    """The royalty chart as two tables: hand, middle and back; and the front, each hand with its points."""

    rows: list[tuple[str, str, str]]
    front: list[tuple[str, str]]
    low: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SheetShown:
    """The rule sheet: headings with their sentences, each with its rule's number and source; and the chart."""

    headings: list[tuple[str, list[Sentence]]]
    chart: ChartShown


def sheet(rules: HouseRules) -> SheetShown:
    """What these rules choose, in words."""
    sources = {sentence.number: sentence.source for chapter in chapters() for sentence in chapter.sentences}
    lines = [(line.heading, Sentence(line.rule, line.sentence, sources.get(line.rule, ""))) for line in describe(rules)]
    headings = [(heading, [line for _, line in group]) for heading, group in groupby(lines, key=lambda line: line[0])]
    return SheetShown(headings, _chart(rules.royalties, lowball=rules.lowball, decks=rules.decks))


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
