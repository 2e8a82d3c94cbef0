"""The form for house rules: every choice, every number, and the whole royalty chart."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl

from scoring import club
from scoring.forms.late import news, rebased
from scoring.game.errors import LedgerError
from scoring.game.text import fold
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import CHARTS, CHOICES, LOW_HANDS, PRESETS, Chart, HouseRules, Naturals, resolve
from scoring.wording.boards import ROW_LABELS
from scoring.wording.figures import joined, labelled
from scoring.wording.house_rules import CHART_NAMES, NATURAL_NAMES, NUMBERS, PRESET_NAMES, QUESTIONS, Question
from scoring.wording.phrases import later as _
from scoring.wording.phrases import translated


@dataclass(frozen=True, slots=True)
class NumberShown:
    """One number of the form."""

    id: str
    label: str
    value: str
    errors: list[str]


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """One question. Each answer is its value, its words, and whether it is chosen."""

    question: Question
    answers: list[tuple[str, str, bool]]
    errors: list[str]


@dataclass(frozen=True, slots=True)
class PublishedChart:
    """A royalty chart that is offered by its name. ``figures`` are what each row pays: (row, what it pays)."""

    value: str
    name: str
    figures: list[tuple[str, str]]
    chosen: bool


class HouseRulesForm:
    """Every key of the house rules as typed, or as in ``base`` where nothing was sent."""

    def __init__(self, data: Mapping[str, str], base: HouseRules) -> None:
        self.preset = base.preset
        self.values = {**filled(base), **{key: text.strip() for key, text in data.items()}}
        self.errors: dict[str, list[str]] = {}
        self.chosen: HouseRules | None = None
        self.status = 0

    @property
    def save_as(self) -> str:
        """The name under which the club saves the rules, empty if it does not."""
        return self.values.get("save_as", "")

    def is_valid(self) -> bool:
        """Read the submitted form. If it is valid, ``chosen`` holds the rules."""
        self.chosen = self.rules()
        if self.save_as:
            try:
                folded = fold(club.rules_name(self.save_as))
            except LedgerError as refusal:
                self.refused(refusal.problems)
            else:
                if folded in {fold(str(name)) for name in PRESET_NAMES.values()}:
                    self.errors["save_as"] = [_("A preset has this name already. Choose another one.")]
        return not self.errors

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put each problem, from the ledger or the club, at the field that caused it."""
        for problem in problems:
            place = "save_as" if problem.where == "save_as" else ""
            self.errors.setdefault(place, []).append(translated(problem.message))

    def rules(self) -> HouseRules | None:
        """The chosen rules. None, with ``errors`` by field, if they cannot be played."""
        self.errors = {}
        spec: dict[str, Any] = {"preset": self.preset}
        for key, choices in CHOICES.items():
            texts = {_text(choice): choice for choice in choices}
            spec[key] = texts.get(self.values[key], self.values[key])
        spec |= {key: _number(self.values[key]) for key in NUMBERS}
        spec["royalties"] = self.values["royalties"]
        if spec["royalties"] == "own":
            spec["royalties"] = {
                row: {hand: _number(self.values[_chart_field(row, hand)] or "0") for hand in hands}
                for row, hands in _chart_hands()
            }
        spec["naturals"] = "off"
        if self.values["naturals"] == "on":
            spec["naturals"] = {name: _number(self.values[_natural_field(name)] or "0") for name in Naturals._fields}
        try:
            return resolve(spec)
        except RulesError as refusal:
            for problem in refusal.problems:
                self.errors.setdefault(_field_of(problem), []).append(translated(problem.message))
            return None

    def brought_up_to_date(self, now: HouseRules) -> None:
        """Copies the rules as they are ``now`` into every field that was not changed in this form, which came too late.

        Only where the chart was the table's own before, here and there, is each of its numbers a choice by itself, and
        only where naturals were played, each number of theirs.
        """
        query = dict(parse_qsl(self.values.get("was", "")))
        if query.get("preset") not in PRESETS:
            return
        was = HouseRulesForm(query, PRESETS[query["preset"]]).values | {"preset": query["preset"]}
        theirs = filled(now) | {"preset": now.preset}
        typed = {key: self.values[key] for key in theirs if key in self.values} | {"preset": self.preset}
        whole = rebased(typed, was, theirs, lambda text, other: text == other or _number(text) == _number(other))
        for switch, on, number in (("royalties", "own", "chart-"), ("naturals", "on", "natural-")):
            one = {key for key in theirs if key == switch or key.startswith(number)}
            if whole.here & one and {typed[switch], was[switch], theirs[switch]} != {on}:
                whole = replace(whole, values=whole.values | {key: typed[key] for key in one})
                if whole.there & one:
                    whole.both.add(switch)
        self.preset = whole.values["preset"]
        self.values |= whole.values
        self.errors[""] = [*self.errors.get("", []), *news(whole, HouseRulesForm({}, now)._said(whole.both))]

    def _said(self, fields: Collection[str]) -> list[str]:
        """What is chosen and typed in these fields, each after its label."""
        said = [
            labelled(choice.question.asks, words)
            for _heading, choices in self.groups()
            for choice in choices
            for _value, words, chosen in choice.answers
            if chosen and choice.question.key in fields
        ]
        if "royalties" in fields:
            named = CHART_NAMES.get(self.values["royalties"], _("Your own chart"))
            said.append(labelled(str(_("Royalty chart")), str(named)))
        if "naturals" in fields:
            played = _("Played, for these points per opponent") if self.naturals_on else _("Not played")
            said.append(labelled(str(_("Naturals: hands that win from everyone")), str(played)))
        naturals, chart = self.naturals() if self.naturals_on else [], self.chart() if self.own_chart else {}
        for row, numbers in {"": [*self.numbers(), *naturals], **chart}.items():
            for number in numbers:
                if number.id in fields:
                    label = f"{ROW_LABELS[row]} {number.label}" if row in ROW_LABELS else number.label
                    said.append(labelled(label, number.value))
        return said

    # --- What the template shows ------------------------------------------------------------------

    def groups(self) -> list[tuple[str, list[QuestionShown]]]:
        """The questions by heading."""
        return [
            (heading, [self._choice(question) for question in questions]) for heading, questions in QUESTIONS.items()
        ]

    def _choice(self, question: Question) -> QuestionShown:
        chosen = self.values[question.key]
        answers = [(_text(value), words, _text(value) == chosen) for value, words in question.answers.items()]
        return QuestionShown(question, answers, self.errors.get(question.key, []))

    @property
    def naturals_on(self) -> bool:
        """Whether naturals are played."""
        return self.values["naturals"] == "on"

    @property
    def own_chart(self) -> bool:
        """Whether the table has a chart of its own."""
        return self.values["royalties"] == "own"

    @property
    def chart_errors(self) -> list[str]:
        """The errors of the choice of a chart."""
        return self.errors.get("royalties", [])

    def numbers(self) -> list[NumberShown]:
        """The fields for single numbers."""
        return [self._number_field(key, label) for key, label in NUMBERS.items()]

    def naturals(self) -> list[NumberShown]:
        """The points of each natural."""
        return [self._number_field(_natural_field(name), label) for name, label in NATURAL_NAMES.items()]

    def charts(self) -> list[PublishedChart]:
        """The published charts."""
        return [
            PublishedChart(name, CHART_NAMES[name], _figures(chart), self.values["royalties"] == name)
            for name, chart in CHARTS.items()
        ]

    def chart(self) -> dict[str, list[NumberShown]]:
        """The royalty chart by row."""
        return {
            row: [self._number_field(_chart_field(row, hand), _hand_label(hand)) for hand in hands]
            for row, hands in _chart_hands()
        }

    def _number_field(self, field: str, label: str) -> NumberShown:
        return NumberShown(field, label, self.values[field], self.errors.get(field, []))


def _chart_hands() -> Iterator[tuple[str, list[str]]]:
    modern = CHARTS["modern"]
    yield "front", [hand for hand, _points in modern.front]
    yield "middle", [hand for hand, _points in modern.middle]
    yield "back", [hand for hand, _points in modern.back]
    yield "low", list(LOW_HANDS)


_HANDS: Final[Mapping[str, str]] = {
    "trips": _("Trips"),
    "straight": _("Straight"),
    "flush": _("Flush"),
    "full-house": _("Full house"),
    "quads": _("Quads"),
    "straight-flush": _("Straight flush"),
    "royal-flush": _("Royal flush"),
    "five-of-a-kind": _("Five of a kind"),
}
"""The hands of a chart that have names. A pair or trips in front, and a low, are their ranks in every language."""


def _hand_label(hand: str) -> str:
    return str(_HANDS.get(hand, hand))


def _figures(chart: Chart) -> list[tuple[str, str]]:
    """What a chart pays for each hand, row by row."""
    tables = chart.tables()
    return [
        (label, joined([f"{_hand_label(hand)} {points}" for hand, points in tables[row].items() if points]))
        for row, label in ROW_LABELS.items()
    ]


def _chart_field(row: str, hand: str) -> str:
    return f"chart-{row}-{hand}"


def _natural_field(name: str) -> str:
    return f"natural-{name}"


def filled(rules: HouseRules) -> dict[str, str]:
    """The fields' values for these rules. The preset that they come from is not among them."""
    chart = rules.royalties
    values = {key: _text(getattr(rules, key)) for key in (*CHOICES, *NUMBERS)}
    values["royalties"] = chart.name or "own"
    values["naturals"] = "off" if rules.naturals is None else "on"
    values |= {_natural_field(name): str(points) for name, points in (rules.naturals or Naturals())._asdict().items()}
    return values | _chart_values(chart)


def as_query(rules: HouseRules) -> dict[str, str]:
    """The fields of the form that tell these rules, as few as it takes: a preset, and what differs from it."""
    preset, values = filled(PRESETS[rules.preset]), filled(rules)
    unsaid = _chart_values(rules.royalties) if rules.royalties.name else {}  # a published chart is told by its name
    return {"preset": rules.preset} | {
        name: value for name, value in values.items() if value != preset[name] and name not in unsaid
    }


def _chart_values(chart: Chart) -> dict[str, str]:
    return {
        _chart_field(row, hand): str(points) for row, table in chart.tables().items() for hand, points in table.items()
    }


def _text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _number(text: str) -> int | str | None:
    """Points as the rules take them: None for an empty field, the text itself if it is not a number."""
    if not text:
        return None
    return int(text) if re.fullmatch(r"[0-9]{1,7}", text) else text


_CHART_PLACE = re.compile(r"rules\.royalties\.(\w+)\.(.+)")


def _field_of(problem: Problem) -> str:
    if place := _CHART_PLACE.fullmatch(problem.where):
        return _chart_field(place[1], place[2])
    if problem.where.startswith("rules.naturals."):
        return _natural_field(problem.where.removeprefix("rules.naturals."))
    return problem.where.removeprefix("rules.")
