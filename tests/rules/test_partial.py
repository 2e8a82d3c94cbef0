"""A score document with ``"partial": true``: boards that lack cards; and one with a ``language``."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.document import ENGLISH_ALONE, score
from scoring.rules.errors import RulesError
from scoring.rules.wording import Language
from tests.languages import BRACKETED, outside_brackets

Document = dict[str, Any]

WHOLE = {"name": "Ann", "front": "QQ7", "middle": "AA44J", "back": "89TJQ"}


def partial(*players: Document, **more: Any) -> Document:
    return score({"players": list(players), "partial": True, **more})


def ann(**rows: Any) -> Document:
    return {"name": "Ann", **rows}


@pytest.mark.parametrize("rules", ["regular", "2-7-pineapple"])
def test_nothing_is_scored(rules: str) -> None:
    answer = partial(ann(front="QQ7"), {"name": "Bob", "back": "KKQJ9"}, rules=rules, stake=100)
    assert answer["pairs"] == []
    assert [
        (player["name"], player["points"], player["money"], player["stack"], player["busted"])
        for player in answer["players"]
    ] == [("Ann", 0, 0, None, False), ("Bob", 0, 0, None, False)]


def test_what_is_whole_pays_nothing_yet() -> None:
    [player] = partial(ann(middle="TTT44", back="8888K"))["players"]
    assert [row and row["royalty"] for row in player["rows"].values()] == [None, 0, 0]
    assert (player["royalties"], player["fantasyland_next"]) == (0, 0)


def test_an_open_board_says_what_its_rows_need() -> None:
    [player] = partial(ann(front="QQ7", back="KK6T9"))["players"]
    assert (player["foul"], player["foul_reason"], player["royalties"]) == (None, None, 0)
    assert player["rows"]["front"] == {"hand": "pair", "name": "Pair of Queens", "royalty": 0}
    assert player["rows"]["middle"] is None
    assert player["needs"] == {
        "middle": {
            "at_least": {"hand": "pair", "name": "a pair of Queens with a Seven (QQ732)"},
            "at_most": {"hand": "pair", "name": "a pair of Kings with a Ten (KKT96)"},
        }
    }


def test_a_row_without_a_bound_needs_nothing() -> None:
    [player] = partial(ann(middle="66KT9"))["players"]
    assert player["needs"]["front"]["at_least"] is None
    assert player["needs"]["front"]["at_most"]["name"] == "a pair of Sixes with a King (66K)"
    assert player["needs"]["back"] == {
        "at_least": {"hand": "pair", "name": "a pair of Sixes with a King (66KT9)"},
        "at_most": None,
    }


@pytest.mark.parametrize(
    ("board", "rules", "reason"),
    [
        ({"front": "AAQ", "middle": "66KT9"}, "regular", "Aces beat Sixes (R9)."),
        ({"middle": "KK339", "back": "QQ88J"}, "regular", "Kings beat Queens (R7)."),
        ({"front": "AA", "middle": "66KT9"}, "regular", "with the middle, a pair of Sixes (66KT9) (R7)."),
        ({"middle": "T987A"}, "2-7-pineapple", "the Ace is too high (R52)."),
    ],
)
def test_a_board_that_nothing_can_mend_is_a_foul(board: Document, rules: str, reason: str) -> None:
    [player] = partial(ann(**board), rules=rules)["players"]
    assert player["foul"] is True
    assert player["foul_reason"].endswith(reason)
    assert player["needs"] is None


def test_a_2_7_middle_needs_a_low() -> None:
    [player] = partial(ann(front="KKA"), rules="2-7-pineapple")["players"]
    assert player["needs"]["middle"] == {"at_least": {"hand": "low", "name": "a Ten-high low, T9875"}, "at_most": None}
    [player] = partial(ann(front="KKA", middle="97542"), rules="2-7-pineapple")["players"]
    assert (player["foul"], player["rows"]["middle"]["hand"]) == (None, "low")
    assert list(player["needs"]) == ["back"]


def test_a_whole_board_is_judged_as_ever() -> None:
    [alone] = partial(WHOLE)["players"]
    assert {**score({"players": [WHOLE]})["players"][0], "needs": None} == alone
    assert alone["foul"] is False
    [fouled] = partial({**WHOLE, "middle": "22345"})["players"]
    assert (fouled["foul"], fouled["needs"]) == (True, None)
    assert fouled["foul_reason"]


def test_a_ruling_decides_a_board_that_lacks_cards() -> None:
    [dead] = partial(ann(front="QQ7", ruling="dead"))["players"]
    assert (dead["foul"], dead["needs"]) == (True, None)
    rules = {"surrender_points": 3}
    [surrendered] = partial(ann(front="QQ7", ruling="surrendered"), rules=rules)["players"]
    assert (surrendered["foul"], surrendered["needs"]) == (False, None)


def test_a_document_that_is_not_partial_has_no_needs() -> None:
    assert "needs" not in score({"players": [WHOLE], "partial": False})["players"][0]
    with pytest.raises(RulesError):
        score({"players": [ann(front="QQ7")], "partial": False})


@pytest.mark.parametrize("value", ["yes", 1, 0, [], {}])
def test_partial_is_true_or_false(value: object) -> None:
    with pytest.raises(RulesError) as refused:
        score({"players": [WHOLE], "partial": value})
    assert [(each.code, each.where) for each in refused.value.problems] == [("bad-value", "partial")]


def test_points_of_the_table_are_never_partial() -> None:
    document = {
        "players": [{"name": "Ann"}, {"name": "Bob"}],
        "points": [{"players": ["Ann", "Bob"], "points": 4}],
    }
    with pytest.raises(RulesError) as refused:
        score({**document, "partial": True})
    assert [(each.code, each.where) for each in refused.value.problems] == [("bad-value", "partial")]


# --- Languages --------------------------------------------------------------------------------------------

OFFERED: dict[str, Language] = {**ENGLISH_ALONE, BRACKETED.tag: BRACKETED}
BOTH = {
    "rules": "regular",
    "players": [
        {"name": "Ann", "front": "QQ7", "middle": "KK339", "back": "QQ88J", "stack": 2},
        {"name": "Bob", "front": "AK3", "middle": "99554", "back": "KJ987f", "stack": 100},
    ],
}


@pytest.mark.parametrize("tag", ["xx", "", "de", "english", 7, True, ["en"], {"tag": "en"}])
def test_a_language_that_is_not_offered_is_refused(tag: object) -> None:
    with pytest.raises(RulesError) as refused:
        score({**BOTH, "language": tag}, OFFERED)
    assert [(each.code, each.where) for each in refused.value.problems] == [("bad-value", "language")]
    assert "en, qq" in str(refused.value)


@pytest.mark.parametrize("tag", ["qq", "QQ", "qQ"])
def test_only_sentences_depend_on_the_language(tag: str) -> None:
    english, said = score(BOTH), score({**BOTH, "language": tag}, OFFERED)

    def figures(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: figures(each)
                for key, each in value.items()
                if key not in ("why", "foul_reason") and not (key == "name" and "hand" in value)
            }
        return [figures(each) for each in value] if isinstance(value, list) else value

    assert figures(english) == figures(said)
    told = [pair["why"] for pair in said["pairs"]]
    told += [player["foul_reason"] or "" for player in said["players"]]
    told += [row["name"] for player in said["players"] for row in player["rows"].values()]
    assert len(told) == 9
    assert not any(outside_brackets(text).strip() for text in told)


@pytest.mark.parametrize("tag", [None, "en", "EN"])
def test_english_is_said_unless_another_is_asked_for(tag: object) -> None:
    assert score({**BOTH, "language": tag}, OFFERED) == score({**BOTH, "language": tag}) == score(BOTH)


def test_the_ledger_knows_english_alone() -> None:
    with pytest.raises(RulesError):
        score({**BOTH, "language": "qq"})


def test_a_partial_board_is_told_in_the_language() -> None:
    [player] = score({"players": [ann(front="AAQ")], "partial": True, "language": "qq"}, OFFERED)["players"]
    names = [bound["name"] for needs in player["needs"].values() for bound in needs.values() if bound]
    assert names
    assert not any(outside_brackets(name) for name in names)
