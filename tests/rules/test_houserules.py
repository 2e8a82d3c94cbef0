"""House rules: what the deck allows, and the rule sheet on which a table reads what it plays."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.houserules import PRESETS, fantasyland_capacity, max_players, resolve
from scoring.rules.rulesheet import describe

from .documents import CHOICES, chances, random_chart, random_rules
from .test_wording import RULES


@pytest.mark.parametrize(
    ("rules", "players", "cards"),
    [
        # R41: what one or two decks have left when all the others play an ordinary hand, and never fewer than 13
        ("regular", 2, 17),
        ("regular", 3, 17),
        ("regular", 4, 13),
        ("pineapple", 2, 17),
        ("pineapple", 3, 17),
        ("double-deck", 7, 17),
        ("double-deck", 8, 13),
        ({"decks": 2, "game": "pineapple"}, 6, 17),
    ],
)
def test_cards_for_fantasyland(rules: Any, players: int, cards: int) -> None:
    assert fantasyland_capacity(resolve(rules), players) == cards


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("regular", 4),
        ("pineapple", 3),
        ("2-7-pineapple", 3),
        ("double-deck", 8),
        ({"decks": 2, "game": "pineapple"}, 6),
    ],
)
def test_players_by_the_deck(rules: Any, players: int) -> None:
    assert max_players(resolve(rules)) == players


def test_presets_are_what_their_names_resolve_to() -> None:
    for name, rules in PRESETS.items():
        assert resolve(name) == resolve({"preset": name}) == rules
        assert rules.preset == name


@given(chances())
def test_rules_survive_their_document(rng: Any) -> None:
    rules = resolve(random_rules(rng))
    assert resolve(rules.as_document()) == rules
    assert hash(resolve(rules.as_document())) == hash(rules)


@given(chances())
def test_a_chart_survives_its_document(rng: Any) -> None:
    rules = resolve({"royalties": random_chart(rng)})
    assert resolve({"royalties": rules.as_document()["royalties"]}).royalties == rules.royalties


# --- The sheet --------------------------------------------------------------------------------------------


def sheet(rules: Any) -> list[str]:
    return [line.sentence for line in describe(resolve(rules))]


@given(chances(), st.booleans())
def test_every_line_is_a_sentence_with_the_number_of_a_rule(rng: Any, nothing: bool) -> None:
    spec = random_rules(rng)
    if nothing and not isinstance(spec, str):
        spec["naturals"] = dict.fromkeys(("dragon", "three_flushes", "three_straights", "six_pairs"), 0)
    for line in describe(resolve(spec)):
        assert line.rule in RULES
        assert line.heading
        assert re.fullmatch(r"[A-Z0-9].*[^ :,]\.", line.sentence), line.sentence
        assert "  " not in line.sentence
        assert "{" not in line.sentence


# Choices that have an effect, and a line on the sheet, only together with another choice.
BESIDE: dict[str, dict[str, Any]] = {"five_of_a_kind": {"decks": 2}, "moon_points": {"moon": "add"}}
NATURALS = {"dragon": 13, "three_flushes": 5, "three_straights": 6, "six_pairs": 7}


@pytest.mark.parametrize("key", CHOICES)
def test_each_choice_can_be_read_on_the_sheet(key: str) -> None:
    """Two tables whose rules differ in one choice never have the same sheet."""
    seen: dict[tuple[str, ...], Any] = {}
    beside = BESIDE.get(key, {})
    values = [value for value in CHOICES[key] if value not in ("own", "values")]
    if key == "naturals":
        values += [NATURALS, {**NATURALS, "six_pairs": 8}]
    for value in values:
        spec = {**beside, key: value}
        if key == "fantasyland_stay":
            # `full-house` changes nothing in regular play, and `lowball` needs a 2-7 middle.
            spec |= {"full-house": {"game": "pineapple"}, "lowball": {"middle": "2-7"}}.get(value, {})
            plain = tuple(sheet({**spec, "fantasyland_stay": "standard"}))
            assert value == "standard" or tuple(sheet(spec)) != plain
            continue
        text = tuple(sheet(spec))
        assert text not in seen, f"{value} reads like {seen[text]}"
        seen[text] = value


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_has_its_own_sheet(preset: str) -> None:
    others = [sheet(name) for name in PRESETS if name != preset]
    assert sheet(preset) not in others
