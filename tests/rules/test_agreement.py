"""The engine against the slow scorer on random documents over random house rules.

To compare more documents, run `OFC_DOCUMENTS=200000 pytest tests/rules/test_agreement.py`.
"""

import copy
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bench.core import score_boards
from scoring.rules import document as engine
from scoring.rules.board import Board
from scoring.rules.cards import parse_row
from scoring.rules.errors import RulesError
from scoring.rules.houserules import resolve
from scoring.rules.score import scale

from . import naive
from .documents import random_document

PARTS = 20
DOCUMENTS = int(os.environ.get("OFC_DOCUMENTS", "12000"))


def shared(wanted: Any, got: Any) -> Any:
    """Reduce `got` to what the slow scorer knows: no sentences, and True in place of a foul's reason."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {key: shared(value, got[key]) for key, value in wanted.items() if key in got}
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return [shared(*both) for both in zip(wanted, got, strict=True)]
    if wanted is True and isinstance(got, str):
        return True
    return got


def disagreement(document: dict[str, Any]) -> str:
    wanted = naive.score(document)
    before = copy.deepcopy(document)
    got = engine.score(document)
    assert document == before, "the document given was changed"
    common = shared(wanted, got)
    # The answers are compared as JSON, because Python takes True and 1 as equal.
    return (
        ""
        if json.dumps(common, sort_keys=True) == json.dumps(wanted, sort_keys=True)
        else f"slow scorer: {wanted}\nengine:      {common}"
    )


def simpler(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every document that lacks exactly one thing of this one."""

    def without(*path: Any) -> dict[str, Any]:
        less = copy.deepcopy(document)
        place: Any = less
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
        return less

    for at, player in enumerate(document["players"]):
        less = without("players", at)
        for key in ("pair_stakes", "points"):
            if key in less:
                less[key] = [entry for entry in less[key] if player["name"] not in entry["players"]]
        if less["players"]:
            yield less
        yield from (without("players", at, key) for key in player if key not in ("name", "front", "middle", "back"))
    if any("stack" in player for player in document["players"]):
        less = copy.deepcopy(document)
        for player in less["players"]:
            player.pop("stack", None)
        yield less
    yield from (without(key) for key in ("stake", "pair_stakes", "rules") if key in document)
    if isinstance(document.get("rules"), dict):
        yield from (without("rules", key) for key in document["rules"])


def smallest(document: dict[str, Any]) -> dict[str, Any]:
    for less in simpler(document):
        try:
            still = bool(disagreement(less))
        except RulesError:
            continue
        if still:
            return smallest(less)
    return document


@pytest.mark.parametrize("part", range(PARTS))
def test_engine_and_slow_scorer_agree(part: int) -> None:
    for number in range(part, DOCUMENTS, PARTS):
        document = random_document(random.Random(number))
        if disagreement(document):
            least = smallest(document)
            pytest.fail(f"document {number}, smallest: {json.dumps(least, ensure_ascii=False)}\n{disagreement(least)}")


def test_the_core_without_sentences_agrees_too() -> None:
    """The benchmarks call `score_boards`, which takes boards and returns fouls, royalties and points."""
    compared = 0
    for number in range(2_000):
        document = random_document(random.Random(number), by_points=0)
        wanted = naive.score(document)
        rules = resolve(wanted["rules"])
        players = document["players"]
        if rules.moon != "off" or rules.naturals or any(player.get("ruling") for player in players):
            continue
        boards = [Board(*(parse_row(player[row]) for row in ("front", "middle", "back"))).keys for player in players]
        judged, points = score_boards(boards, scale(rules))
        assert points == [player["points"] for player in wanted["players"]]
        assert [not legal for legal, *_ in judged] == [player["foul"] for player in wanted["players"]]
        assert [royalties for *_, royalties in judged] == [player["royalties"] for player in wanted["players"]]
        compared += 1
    assert compared > 800


def test_a_disagreement_is_found_and_reduced_to_a_small_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """This tests the comparison: one wrong figure in the slow scorer's chart must show, in a small document."""
    monkeypatch.setitem(naive.CHARTS["modern"]["back"], "straight", 3)
    document = {
        "rules": {"preset": "regular", "scoring": "2-4"},
        "players": [
            {"name": "Ann", "front": "227", "middle": "AA44J", "back": "89TJQ", "fantasyland": True, "stack": 5},
            {"name": "Bob", "front": "853", "middle": "KK972", "back": "QQTT6", "stack": 7},
        ],
        "stake": 5,
    }
    assert disagreement(document)
    assert smallest(document) == {"players": [{"name": "Ann", "front": "227", "middle": "AA44J", "back": "89TJQ"}]}
