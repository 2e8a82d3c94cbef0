"""Results in the reader's language. The ledger keeps their English, in which they were first said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scoring.game.outcome import Outcome
from scoring.rules import document as documents
from scoring.rules.errors import RulesError
from scoring.rules.wording import Language
from scoring.wording.languages import LANGUAGES, of_reader


def retold(outcome: Outcome) -> Outcome:
    """The outcome with every name and sentence of its result in the reader's language, and with its own figures.

    In English it is as it was recorded. It is, too, if the rules of today refuse its document.
    """
    language = of_reader()
    if language is LANGUAGES["en"]:
        return outcome
    said = _said(language, json.dumps(outcome.document, sort_keys=True))
    return outcome if said is None else replace(outcome, result=_with_words(outcome.result, said))


@lru_cache(maxsize=1024)
def _said(language: Language, document: str) -> Mapping[str, Any] | None:
    try:
        return documents.score({**json.loads(document), "language": language.tag}, LANGUAGES)
    except RulesError:
        return None


def _with_words(result: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    whys = {tuple(pair["players"]): pair["why"] for pair in said["pairs"]}
    return {
        **result,
        "players": [
            _player_with_words(player, words) for player, words in zip(result["players"], said["players"], strict=True)
        ],
        "pairs": [{**pair, "why": whys.get(tuple(pair["players"]), pair["why"])} for pair in result["pairs"]],
    }


def _player_with_words(player: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    told = dict(player)
    if player.get("foul_reason") and said.get("foul_reason"):
        told["foul_reason"] = said["foul_reason"]
    if player.get("rows") and said.get("rows"):
        told["rows"] = {row: _row_with_words(of, said["rows"][row]) for row, of in player["rows"].items()}
    return told


def _row_with_words(row: Mapping[str, Any] | None, said: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return {**row, "name": said["name"]} if row and said and row["hand"] == said["hand"] else row
