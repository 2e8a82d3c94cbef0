"""The score document, key by key: what goes in, what comes out, and every refusal."""

import copy
import json
from typing import Any

import pytest

from scoring.rules.document import MAX_BYTES, _object, figures, score, score_bytes
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import resolve

Document = dict[str, Any]

CODES = {
    "unreadable-card",
    "wrong-count",
    "duplicate-card",
    "too-many-of-a-rank",
    "impossible-flush",
    "too-many-players",
    "duplicate-name",
    "unknown-player",
    "unknown-rule",
    "bad-value",
    "missing",
    "not-json",
    "too-large",
}

REGULAR = {
    "preset": "regular",
    "game": "regular",
    "middle": "high",
    "decks": 1,
    "scoring": "1-6",
    "royalties": "modern",
    "royalty_payment": "all",
    "row_order": "at-least",
    "fantasyland_entry": "QQ",
    "fantasyland_cards": 13,
    "fantasyland_progressive": False,
    "fantasyland_stay": "standard",
    "fantasyland_repeat": "base",
    "button_in_fantasyland": "stays",
    "five_of_a_kind": "above-royal",
    "moon": "off",
    "moon_points": 20,
    "naturals": "off",
    "surrender_points": 0,
    "loss_cap": True,
    "win_cap": "running",
    "settlement_order": "pairs",
    "busted_collects": False,
}


def ivey_hellmuth() -> Document:
    return {
        "rules": "regular",
        "players": [
            {"name": "Ivey", "front": "6h 6c 4d", "middle": "Ts Tc 9d Qh 8s", "back": "3h 3c 3s 2d 2c"},
            {
                "name": "Hellmuth",
                "front": "Ad Kd Qs",
                "middle": "9h 9s 5h 5c 4s",
                "back": "Kc Jc 9c 8c 7c",
                "fantasyland": False,
            },
        ],
        "stake": 100,
        "pair_stakes": [{"players": ["Ivey", "Hellmuth"], "stake": 1000}],
    }


def by_points() -> Document:
    return {
        "players": [{"name": "Ivey"}, {"name": "Hellmuth"}],
        "points": [{"players": ["Ivey", "Hellmuth"], "points": 4}],
    }


def problems(document: object) -> list[tuple[str, str]]:
    with pytest.raises(RulesError) as no:
        score(document)
    assert all(problem.message.endswith(".") for problem in no.value.problems)
    return [(problem.code, problem.where) for problem in no.value.problems]


# --- Out --------------------------------------------------------------------------------------------------


def test_ivey_and_hellmuth_as_the_contract_prints_it() -> None:
    output = score(ivey_hellmuth())
    (why,) = [pair.pop("why") for pair in output["pairs"]]
    assert isinstance(why, str)
    assert why
    assert output == {
        "version": 1,
        "rules": REGULAR,
        "players": [
            {
                "name": "Ivey",
                "foul": False,
                "foul_reason": None,
                "rows": {
                    "front": {"hand": "pair", "name": "Pair of Sixes", "royalty": 1},
                    "middle": {"hand": "pair", "name": "Pair of Tens", "royalty": 0},
                    "back": {"hand": "full-house", "name": "Full house, Threes over Twos", "royalty": 6},
                },
                "royalties": 7,
                "fantasyland_next": 0,
                "points": 4,
                "money": 4000,
                "stack": None,
                "busted": False,
            },
            {
                "name": "Hellmuth",
                "foul": False,
                "foul_reason": None,
                "rows": {
                    "front": {"hand": "high-card", "name": "Ace high", "royalty": 0},
                    "middle": {"hand": "two-pair", "name": "Two pair, Nines and Fives", "royalty": 0},
                    "back": {"hand": "flush", "name": "Flush, King high", "royalty": 4},
                },
                "royalties": 4,
                "fantasyland_next": 0,
                "points": -4,
                "money": -4000,
                "stack": None,
                "busted": False,
            },
        ],
        "pairs": [
            {
                "order": 1,
                "players": ["Ivey", "Hellmuth"],
                "rows": {"front": 1, "middle": -1, "back": 1},
                "row_points": 1,
                "bonus": 0,
                "royalties": 3,
                "points": 4,
                "stake": 1000,
                "owed": 4000,
                "paid": 4000,
                "payer": "Hellmuth",
                "payee": "Ivey",
            }
        ],
    }


def test_the_keys_of_a_deal_scored_by_the_table() -> None:
    document = by_points()
    document["players"][0]["stack"] = 3
    document["players"][1]["stack"] = 9
    output = score(document)
    (why,) = [pair.pop("why") for pair in output["pairs"]]
    assert why
    assert output == {
        "version": 1,
        "rules": REGULAR,
        "players": [
            {"name": "Ivey", "points": 4, "money": 3, "stack": 6, "busted": False},
            {"name": "Hellmuth", "points": -4, "money": -3, "stack": 6, "busted": False},
        ],
        "pairs": [
            {
                "order": 1,
                "players": ["Ivey", "Hellmuth"],
                "rows": None,
                "row_points": 0,
                "bonus": 0,
                "royalties": 0,
                "points": 4,
                "stake": 1,
                "owed": 4,
                "paid": 3,
                "payer": "Hellmuth",
                "payee": "Ivey",
            }
        ],
    }


def test_points_that_the_table_entered_need_no_other_reason() -> None:
    (pair,) = score(by_points())["pairs"]
    assert pair["why"] == "Points entered by the table (R63)."
    assert figures(by_points(), resolve("regular"))["pairs"] == [{**pair, "why": ""}]


def test_one_player_alone_is_the_foul_check() -> None:
    player = {"name": "Ivey", "front": "227", "middle": "KK339", "back": "QQ88J"}
    output = score({"players": [player]})
    assert output["pairs"] == []
    assert output["players"][0]["foul"] is True
    assert output["players"][0]["points"] == output["players"][0]["money"] == 0


def test_a_dead_hand_needs_no_rows_and_rows_not_given_are_null() -> None:
    document = {
        "players": [
            {"name": "Ivey", "ruling": "dead"},
            {"name": "Hellmuth", "ruling": "dead", "front": "QQ7", "middle": "KK2", "back": "AA33"},
        ],
    }
    ivey, hellmuth = score(document)["players"]
    assert ivey["foul"] is hellmuth["foul"] is True
    assert ivey["rows"] == {"front": None, "middle": None, "back": None}
    assert hellmuth["rows"] == {
        "front": {"hand": "pair", "name": "Pair of Queens", "royalty": 0},
        "middle": None,
        "back": None,
    }


@pytest.mark.parametrize("ruling", ["dead", "surrendered"])
@pytest.mark.parametrize(("front", "code"), [("6h 2h", "duplicate-card"), ("66666", "too-many-of-a-rank")])
def test_a_row_of_the_wrong_length_of_a_ruled_hand_is_on_the_table_too(ruling: str, front: str, code: str) -> None:
    document = ivey_hellmuth()
    document["rules"] = {"surrender_points": 3}
    document["players"][1] = {"name": "Hellmuth", "ruling": ruling, "front": front}
    assert problems(document) == [(code, "players[1].front")]


def test_a_player_who_surrendered_needs_no_rows_either() -> None:
    document = ivey_hellmuth()
    document["rules"] = {"surrender_points": 3}
    document["players"][0] = {"name": "Ivey", "ruling": "surrendered", "back": "3h 3c"}
    output = score(document)
    assert output["players"][0]["foul"] is False
    assert output["players"][0]["foul_reason"] is None
    assert output["players"][0]["rows"] == {"front": None, "middle": None, "back": None}
    assert output["players"][0]["points"] == -3
    assert output["players"][1]["rows"]["back"]["royalty"] == 4


@pytest.mark.parametrize(
    ("preset", "different"),
    [
        ("regular", {}),
        ("pineapple", {"game": "pineapple", "fantasyland_cards": 14}),
        (
            "progressive-pineapple",
            {"game": "pineapple", "fantasyland_cards": 14, "fantasyland_progressive": True},
        ),
        (
            "2-7-pineapple",
            {"game": "pineapple", "middle": "2-7", "fantasyland_cards": 14, "fantasyland_entry": "KK"},
        ),
        ("double-deck", {"decks": 2}),
        ("cardplayer", {"royalties": "flat-20"}),
        (
            "bga",
            {
                "game": "pineapple",
                "fantasyland_cards": 14,
                "fantasyland_stay": "full-house",
                "button_in_fantasyland": "moves",
            },
        ),
    ],
)
def test_presets(preset: str, different: dict[str, Any]) -> None:
    expected = {**REGULAR, **different, "preset": preset}
    assert score({**by_points(), "rules": preset})["rules"] == expected
    assert score({**by_points(), "rules": {"preset": preset}})["rules"] == expected
    assert list(score({**by_points(), "rules": preset})["rules"]) == list(REGULAR)


@pytest.mark.parametrize(
    ("rules", "cards", "entry"),
    [
        ({"game": "pineapple"}, 14, "QQ"),
        ({"preset": "pineapple", "game": "regular"}, 13, "QQ"),
        ({"game": "pineapple", "fantasyland_cards": 13}, 13, "QQ"),
        ({"middle": "2-7"}, 13, "KK"),
        ({"middle": "2-7", "fantasyland_entry": "QQ"}, 13, "QQ"),
        ({"preset": "2-7-pineapple", "middle": "high"}, 14, "QQ"),
        ({"preset": "2-7-pineapple", "game": "regular"}, 13, "KK"),
        ({"fantasyland_cards": None, "fantasyland_entry": None, "game": None}, 13, "QQ"),
    ],
)
def test_defaults_that_depend_on_other_rules(rules: dict[str, Any], cards: int, entry: str) -> None:
    resolved = score({**by_points(), "rules": rules})["rules"]
    assert (resolved["fantasyland_cards"], resolved["fantasyland_entry"]) == (cards, entry)


FRONT = {rank * 2: 1 for rank in "6789TJQKA"} | {rank * 3: 2 for rank in "23456789TJQKA"}
FIVES = {"straight": 3, "flush": 4, "full-house": 5, "quads": 6, "straight-flush": 7, "royal-flush": 8}
CHART = {"front": FRONT, "middle": {"trips": 9, **FIVES}, "back": FIVES}


def test_a_tables_own_chart() -> None:
    players = [{"name": "Ivey", "front": "AAK", "middle": "77723", "back": "56789"}]
    output = score({"players": players, "rules": {"royalties": CHART}})
    assert output["players"][0]["royalties"] == 1 + 9 + 3
    resolved = output["rules"]["royalties"]
    assert resolved["front"] == {**{rank * 2: 0 for rank in "2345"}, **FRONT}
    assert resolved["middle"] == {**CHART["middle"], "five-of-a-kind": 7}
    assert resolved["back"] == {"trips": 0, **FIVES, "five-of-a-kind": 7}
    assert resolved["low"] == {"9": 1, "8": 2, "7": 4, "75432": 8}


def test_what_a_chart_may_add() -> None:
    chart = {
        "front": {**FRONT, "22": 50},
        "middle": {**CHART["middle"], "five-of-a-kind": 60},
        "back": {**FIVES, "trips": 70, "five-of-a-kind": 80},
        "low": {"9": 1, "8": 2, "7": 4, "75432": 90},
    }
    double = {"decks": 2, "royalties": chart}
    fives = {"name": "Ivey", "front": "223", "middle": "44444", "back": "55555"}
    assert score({"players": [fives], "rules": double})["players"][0]["royalties"] == 50 + 60 + 80
    trips = {"name": "Ivey", "front": "223", "middle": "AAKKQ", "back": "555J9"}
    assert score({"players": [trips], "rules": double})["players"][0]["royalties"] == 50 + 70
    low = {"name": "Ivey", "front": "KQJ", "middle": "75432", "back": "AA986"}
    lowball = {"middle": "2-7", "royalties": chart}
    assert score({"players": [low], "rules": lowball})["players"][0]["royalties"] == 90


# --- In: what is accepted ---------------------------------------------------------------------------------


def test_everything_but_the_players_may_be_left_out() -> None:
    document = ivey_hellmuth()
    plain = score({"players": document["players"]})
    assert plain["rules"] == REGULAR
    assert plain["pairs"][0]["stake"] == 1
    nulls = {**document, "rules": None, "stake": None, "pair_stakes": None, "points": None}
    for player in nulls["players"]:
        player.update(fantasyland=None, fantasyland_cards=None, ruling=None, stack=None)
    assert score(nulls) == plain


def test_unknown_keys_are_for_later_versions_except_in_the_rules() -> None:
    document = ivey_hellmuth()
    expected = score(document)
    document["note"] = {"anything": [1, 2.5, None]}
    document["players"][0]["seat"] = 4
    document["pair_stakes"][0]["note"] = "agreed at the door"
    assert score(document) == expected
    document["rules"] = {"note": "anything"}
    assert problems(document) == [("unknown-rule", "rules.note")]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_pairs_stand_clockwise(players: int) -> None:
    names = "ABCDEFGH"[:players]
    output = score({"rules": "double-deck", "players": [{"name": name} for name in names], "points": []})
    expected = [[a, b] for at, a in enumerate(names) for b in names[at + 1 :]]
    assert [pair["players"] for pair in output["pairs"]] == expected
    assert [pair["order"] for pair in output["pairs"]] == list(range(1, players * (players - 1) // 2 + 1))


# --- In: what is refused ----------------------------------------------------------------------------------


def test_not_an_object() -> None:
    for document in (None, 5, "regular", [], [ivey_hellmuth()], True):
        assert problems(document) == [("bad-value", "")]


def set_at(document: Document, path: str, value: Any) -> Document:
    """The document with `value` at a path like ``players[1].back``, or without that key if the value is `...`."""
    changed = copy.deepcopy(document)
    *steps, last = path.replace("]", "").replace("[", ".").split(".")
    place: Any = changed
    for step in steps:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return changed


# (the path that is changed in Ivey against Hellmuth, its new value, the code and path of every problem)
REFUSED: list[tuple[str, Any, list[tuple[str, str]]]] = [
    # cards that cannot be read
    ("players[0].front", "Xh 6c 4d", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "6h 6c 1d", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "6h 6c 11d", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "6h 6c 4x", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "h6 6c 4d", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "6h 6c 4", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "6h-6c-4d", [("unreadable-card", "players[0].front")]),
    ("players[0].front", "\u0410d Kh Qc", [("unreadable-card", "players[0].front")]),  # a Cyrillic A
    ("players[0].front", "６h 6c 4d", [("unreadable-card", "players[0].front")]),  # a wide six
    ("players[0].front", ["6h", "6c 4d"], [("unreadable-card", "players[0].front")]),
    ("players[0].front", ["6h", "6c", ""], [("unreadable-card", "players[0].front")]),
    ("players[1].back", "Kc Jc 9c 8c 7c f", [("unreadable-card", "players[1].back")]),
    ("players[1].back", "fKJ987", [("unreadable-card", "players[1].back")]),
    ("players[1].back", "KJ987ff", [("unreadable-card", "players[1].back")]),
    ("players[1].back", "KJ987g", [("unreadable-card", "players[1].back")]),
    # counts
    ("players[0].front", "6h 6c", [("wrong-count", "players[0].front")]),
    ("players[0].front", "6h 6c 4d 4h", [("wrong-count", "players[0].front")]),
    ("players[0].front", "", [("wrong-count", "players[0].front")]),
    ("players[0].front", [], [("wrong-count", "players[0].front")]),
    ("players[0].middle", "TT9Q", [("wrong-count", "players[0].middle")]),
    ("players[0].back", "333222", [("wrong-count", "players[0].back")]),
    # repeats
    ("players[0].front", "6h 6h 4d", [("duplicate-card", "players[0].front")]),
    ("players[0].middle", "Ts Tc 9d Qh 6h", [("duplicate-card", "players[0].middle")]),
    ("players[1].back", "Kc Jc 9c 8c 6c", [("duplicate-card", "players[1].back")]),
    (
        "players[0].back",
        "3h 3h 3s 3s 3c",
        [("duplicate-card", "players[0].back")] * 2 + [("too-many-of-a-rank", "players[0].back")],
    ),
    ("players[0].front", "334", [("too-many-of-a-rank", "players[0].back")]),
    ("players[1].middle", "55664", []),
    ("players[1].back", "22233", [("too-many-of-a-rank", "players[1].back")] * 2),
    # flushes that cannot be
    ("players[0].front", "664f", [("impossible-flush", "players[0].front")]),
    ("players[1].back", "KKJ98f", [("impossible-flush", "players[1].back")]),
    # players
    (
        "players[1].name",
        "Ivey",
        [("duplicate-name", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")],
    ),
    ("players[1].name", ..., [("missing", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].name", None, [("missing", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].name", "", [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].name", "x" * 41, [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    (
        "players[1].name",
        " \u00a0 ",
        [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")],
    ),
    ("players[1].name", 5, [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].name", "a\0b", [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].name", "\ud800", [("bad-value", "players[1].name"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players[1].front", ..., [("missing", "players[1].front")]),
    ("players[1].middle", None, [("missing", "players[1].middle")]),
    ("players[1].back", ..., [("missing", "players[1].back")]),
    ("players[1].front", 664, [("bad-value", "players[1].front")]),
    ("players[1].front", {"cards": "664"}, [("bad-value", "players[1].front")]),
    ("players[1].front", ["6h", 6, "4d"], [("bad-value", "players[1].front")]),
    ("players[1].fantasyland", "yes", [("bad-value", "players[1].fantasyland")]),
    ("players[1].fantasyland", 1, [("bad-value", "players[1].fantasyland")]),
    ("players[1].fantasyland_cards", 12, [("bad-value", "players[1].fantasyland_cards")]),
    ("players[1].fantasyland_cards", 18, [("bad-value", "players[1].fantasyland_cards")]),
    ("players[1].fantasyland_cards", 14.0, [("bad-value", "players[1].fantasyland_cards")]),
    ("players[1].fantasyland_cards", True, [("bad-value", "players[1].fantasyland_cards")]),
    ("players[1].ruling", "foul", [("bad-value", "players[1].ruling")]),
    ("players[1].ruling", ["dead"], [("bad-value", "players[1].ruling")]),
    ("players[1].ruling", "surrendered", [("bad-value", "players[1].ruling")]),  # surrender_points is 0
    ("players[1].stack", 100, [("missing", "players[0].stack")]),
    ("players[1]", "Hellmuth", [("bad-value", "players[1]"), ("unknown-player", "pair_stakes[0].players[1]")]),
    ("players", ..., [("missing", "players")]),
    ("players", None, [("missing", "players")]),
    ("players", [], [("bad-value", "players")]),
    ("players", {"Ivey": "664"}, [("bad-value", "players")]),
    # stakes
    ("stake", -1, [("bad-value", "stake")]),
    ("stake", 15.38, [("bad-value", "stake")]),
    ("stake", 100.0, [("bad-value", "stake")]),
    ("stake", "100", [("bad-value", "stake")]),
    ("stake", True, [("bad-value", "stake")]),
    ("stake", 10**16, [("bad-value", "stake")]),
    ("stake", 10**16 - 1, []),
    ("pair_stakes", {"Ivey": 5}, [("bad-value", "pair_stakes")]),
    ("pair_stakes[0]", ["Ivey", "Hellmuth", 5], [("bad-value", "pair_stakes[0]")]),
    ("pair_stakes[0].stake", ..., [("missing", "pair_stakes[0].stake")]),
    ("pair_stakes[0].stake", -1, [("bad-value", "pair_stakes[0].stake")]),
    ("pair_stakes[0].stake", False, [("bad-value", "pair_stakes[0].stake")]),
    ("pair_stakes[0].players", ..., [("missing", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", "Ivey", [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", "IH", [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", 5, [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", ["Ivey"], [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", ["Ivey", 5], [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", ["Ivey", "Ivey"], [("bad-value", "pair_stakes[0].players")]),
    ("pair_stakes[0].players", ["Ivey", "Negreanu"], [("unknown-player", "pair_stakes[0].players[1]")]),
    (
        "pair_stakes[0].players",
        ["ivey", "Hellmuth "],
        [("unknown-player", "pair_stakes[0].players[0]"), ("unknown-player", "pair_stakes[0].players[1]")],
    ),
    (
        "pair_stakes",
        [{"players": ["Ivey", "Hellmuth"], "stake": 1}, {"players": ["Hellmuth", "Ivey"], "stake": 2}],
        [("bad-value", "pair_stakes[1].players")],
    ),
    # what is wrong with the players of a pair hides nothing that is wrong with its stake
    *(
        ("pair_stakes[0]", {"players": players, "stake": -1}, [*wrong, ("bad-value", "pair_stakes[0].stake")])
        for players, wrong in (
            (None, [("missing", "pair_stakes[0].players")]),
            ("Ivey", [("bad-value", "pair_stakes[0].players")]),
            (["Ivey", "Ivey"], [("bad-value", "pair_stakes[0].players")]),
            (["Ivey", "Negreanu"], [("unknown-player", "pair_stakes[0].players[1]")]),
        )
    ),
    ("pair_stakes[0]", {}, [("missing", "pair_stakes[0].players"), ("missing", "pair_stakes[0].stake")]),
    (
        "pair_stakes",
        [5, {}],
        [("bad-value", "pair_stakes[0]"), ("missing", "pair_stakes[1].players"), ("missing", "pair_stakes[1].stake")],
    ),
    (
        "pair_stakes",
        [{"players": ["Ivey", "Hellmuth"], "stake": 1}, {"players": ["Hellmuth", "Ivey"], "stake": -1}],
        [("bad-value", "pair_stakes[1].players"), ("bad-value", "pair_stakes[1].stake")],
    ),
    # rules
    ("rules", "irregular", [("unknown-rule", "rules")]),
    ("rules", 5, [("bad-value", "rules")]),
    ("rules", ["regular"], [("bad-value", "rules")]),
    ("rules", {"preset": "irregular"}, [("unknown-rule", "rules.preset")]),
    ("rules", {"Scoring": "2-4"}, [("unknown-rule", "rules.Scoring")]),
    ("rules", {"jokers": 1}, [("unknown-rule", "rules.jokers")]),
    ("rules", {"x" * 41: 1}, [("unknown-rule", f"rules.{'x' * 40}")]),
    ("rules", dict.fromkeys(map(str, range(51)), 1), [("unknown-rule", f"rules.{key}") for key in range(50)]),
    ("rules", {"game": "turbo"}, [("bad-value", "rules.game")]),
    ("rules", {"middle": "low"}, [("bad-value", "rules.middle")]),
    ("rules", {"decks": 3}, [("bad-value", "rules.decks")]),
    ("rules", {"decks": True}, [("bad-value", "rules.decks")]),
    ("rules", {"decks": 1.0}, [("bad-value", "rules.decks")]),
    ("rules", {"decks": "1"}, [("bad-value", "rules.decks")]),
    ("rules", {"scoring": "1-5"}, [("bad-value", "rules.scoring")]),
    ("rules", {"royalties": "russian"}, [("bad-value", "rules.royalties")]),
    ("rules", {"royalties": 5}, [("bad-value", "rules.royalties")]),
    ("rules", {"royalty_payment": "none"}, [("bad-value", "rules.royalty_payment")]),
    ("rules", {"row_order": ">="}, [("bad-value", "rules.row_order")]),
    ("rules", {"fantasyland_entry": "JJ"}, [("bad-value", "rules.fantasyland_entry")]),
    ("rules", {"fantasyland_cards": 18}, [("bad-value", "rules.fantasyland_cards")]),
    ("rules", {"fantasyland_cards": 12}, [("bad-value", "rules.fantasyland_cards")]),
    ("rules", {"fantasyland_progressive": 1}, [("bad-value", "rules.fantasyland_progressive")]),
    ("rules", {"fantasyland_stay": "never"}, [("bad-value", "rules.fantasyland_stay")]),
    ("rules", {"fantasyland_repeat": "more"}, [("bad-value", "rules.fantasyland_repeat")]),
    ("rules", {"button_in_fantasyland": True}, [("bad-value", "rules.button_in_fantasyland")]),
    ("rules", {"five_of_a_kind": "above"}, [("bad-value", "rules.five_of_a_kind")]),
    ("rules", {"moon": True}, [("bad-value", "rules.moon")]),
    ("rules", {"moon_points": -1}, [("bad-value", "rules.moon_points")]),
    ("rules", {"moon_points": 1_000_000}, [("bad-value", "rules.moon_points")]),
    ("rules", {"moon_points": 999_999}, []),
    ("rules", {"moon_points": 2.5}, [("bad-value", "rules.moon_points")]),
    ("rules", {"naturals": "on"}, [("bad-value", "rules.naturals")]),
    ("rules", {"naturals": True}, [("bad-value", "rules.naturals")]),
    (
        "rules",
        {"naturals": {"dragon": 13, "three_flushes": -6, "six_pairs": 6}},
        [("bad-value", "rules.naturals.three_flushes"), ("missing", "rules.naturals.three_straights")],
    ),
    (
        "rules",
        {"naturals": {"dragon": 13, "three_flushes": 6, "three_straights": 6, "six_pairs": 6, "unicorn": 6}},
        [("unknown-rule", "rules.naturals.unicorn")],
    ),
    ("rules", {"surrender_points": "3"}, [("bad-value", "rules.surrender_points")]),
    ("rules", {"loss_cap": 0}, [("bad-value", "rules.loss_cap")]),
    ("rules", {"win_cap": False}, [("bad-value", "rules.win_cap")]),
    ("rules", {"settlement_order": "creditors"}, [("bad-value", "rules.settlement_order")]),
    ("rules", {"busted_collects": "no"}, [("bad-value", "rules.busted_collects")]),
    # charts
    ("rules", {"royalties": {}}, [("missing", f"rules.royalties.{row}") for row in ("front", "middle", "back")]),
    # a row that is missing hides nothing that is wrong with another one
    (
        "rules",
        {"royalties": {"middle": 5, "back": {}}},
        [
            ("missing", "rules.royalties.front"),
            ("bad-value", "rules.royalties.middle"),
            *[("missing", f"rules.royalties.back.{hand}") for hand in FIVES],
        ],
    ),
    ("rules", {"royalties": {**CHART, "top": FRONT}}, [("unknown-rule", "rules.royalties.top")]),
    ("rules", {"royalties": {**CHART, "front": 5}}, [("bad-value", "rules.royalties.front")]),
    ("rules", {"royalties": {**CHART, "back": {}}}, [("missing", f"rules.royalties.back.{hand}") for hand in FIVES]),
    ("rules", {"royalties": {**CHART, "middle": FIVES}}, [("missing", "rules.royalties.middle.trips")]),
    (
        "rules",
        {"royalties": {**CHART, "front": {**FRONT, "66": -1, "AA": 1.5, "KK": True, "QQ": "7"}}},
        [("bad-value", f"rules.royalties.front.{pair}") for pair in ("66", "QQ", "KK", "AA")],
    ),
    (
        "rules",
        {"royalties": {**CHART, "back": {**FIVES, "pair": 1, "Flush": 4}}},
        [("unknown-rule", "rules.royalties.back.pair"), ("unknown-rule", "rules.royalties.back.Flush")],
    ),
    ("rules", {"royalties": {**CHART, "low": {"6": 9}}}, [("unknown-rule", "rules.royalties.low.6")]),
    # a deal with rows is not a deal by points
    (
        "points",
        [],
        [("bad-value", f"players[{at}].{row}") for at in (0, 1) for row in ("front", "middle", "back")],
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    REFUSED,
    ids=[f"{path}={json.dumps(value, default=str)[:50]}" for path, value, _ in REFUSED],
)
def test_one_thing_wrong(path: str, value: Any, expected: list[tuple[str, str]]) -> None:
    document = set_at(ivey_hellmuth(), path, value)
    if path == "players":
        del document["pair_stakes"]  # every name in it would be unknown
    if not expected:
        score(document)
        return
    assert sorted(problems(document)) == sorted(expected)


NO_HELLMUTH = "There is no player called “Hellmuth” in this hand."

# (what is changed in Ivey-Hellmuth, to what, every message)
SAID: list[tuple[str, Any, list[str]]] = [
    ("players[0].front", "6h 6h 4d", ["The six of hearts stands more than once in this row."]),
    ("players[0].middle", "Ts Tc 9d Qh 6h", ["The six of hearts is also in Ivey's front."]),
    (
        "players[1].back",
        "Kc Jc 6c 6c 7c",
        ["The six of clubs is also in Ivey's front."] * 2,
    ),
    (
        "players[1]",
        {"name": "Hellmuth", "front": "6c Kd Qs", "middle": "9h 9s 6c 5c 4s", "back": "Kc Jc 9c 8c 7c"},
        [
            "The six of clubs is also in Ivey's front.",
            "The six of clubs is also in Ivey's front and Hellmuth's front.",
        ],
    ),
    (
        "players[1].back",
        "22233",
        [
            "There are more than 4 twos on the table, and one deck has no more.",
            "There are more than 4 threes on the table, and one deck has no more.",
        ],
    ),
    ("players[1].back", "66654", ["There are more than 4 sixes on the table, and one deck has no more."]),
    ("players[1].back", "KKJ98f", ["These cards cannot be a flush: each suit holds the king only once."]),
    ("players[1].ruling", "surrendered", ["This table has no surrender: its rules give it no points (R61)."]),
    ("players", [], ["players is a list of one to eight players."]),
    ("pair_stakes[0]", 5, ["A pair is an object with two players."]),
    ("pair_stakes[0].players", ..., ["The pair's players are missing."]),
    ("pair_stakes[0].players", ["Ivey", "Negreanu"], ["There is no player called “Negreanu” in this hand."]),
    (
        "pair_stakes",
        [{"players": ["Ivey", "Hellmuth"], "stake": 1}, {"players": ["Hellmuth", "Ivey"], "stake": 2}],
        ["Hellmuth and Ivey are named as a pair twice."],
    ),
    *(
        (
            "rules",
            spec,
            [
                "There are no house rules called “irregular”; there are regular, pineapple, progressive-pineapple, "
                "2-7-pineapple, double-deck, cardplayer, bga."
            ],
        )
        for spec in ("irregular", {"preset": "irregular"})
    ),
    (
        "rules",
        {"preset": 5},
        [
            "There are no house rules called that; there are regular, pineapple, progressive-pineapple, "
            "2-7-pineapple, double-deck, cardplayer, bga."
        ],
    ),
    ("rules", {"jokers": 1}, ["There is no house rule called “jokers”."]),
    ("rules", {"decks": 3}, ["decks is one of 1, 2."]),
    ("rules", {"loss_cap": 0}, ["loss_cap is one of true, false."]),
    ("rules", {"fantasyland_entry": "JJ"}, ["fantasyland_entry is one of QQ, KK, AA, trips, none."]),
    ("rules", {"moon_points": -1}, ["Points are a whole number from 0 to 999999."]),
    (
        "rules",
        {"naturals": "on"},
        ["naturals is off, or an object with points for dragon, three_flushes, three_straights, six_pairs."],
    ),
    (
        "rules",
        {"royalties": "russian"},
        ["royalties is one of modern, flat-20, hybrid-2012, aria-2013, or a whole chart."],
    ),
    ("rules", {"royalties": {**CHART, "front": 5}}, ["This is an object of points, one for each hand."]),
    ("rules", {"royalties": {**CHART, "low": {"6": 9}}}, ["No hand called “6” is paid here."]),
    ("rules", {"royalties": {**CHART, "top": FRONT}}, ["A chart has no row called “top”."]),
    (
        "rules",
        {"royalties": {}},
        ["The chart's front is missing.", "The chart's middle is missing.", "The chart's back is missing."],
    ),
    (
        "rules",
        {"royalties": {**CHART, "middle": FIVES}},
        ["The points for trips are missing."],
    ),
    (
        "rules",
        {"royalties": {**CHART, "front": {**FRONT, "66": -1}}},
        ["Points are a whole number from 0 to 999999."],
    ),
    ("rules", 5, ["The rules are a preset's name or an object of choices."]),
    *(
        (f"players[0].{row}", value, [f"The {row} {wrong}."])
        for row in ("front", "middle", "back")
        for value, wrong in ((..., "is missing"), (664, "is a text of cards or a list of card texts"))
    ),
    ("players", ..., ["The players are missing."]),
    ("players[1]", 5, ["A player is an object with a name and rows.", NO_HELLMUTH]),
    ("players[1].name", ..., ["The player's name is missing.", NO_HELLMUTH]),
    ("players[1].name", "x" * 41, ["A name is 1 to 40 characters that can be shown.", NO_HELLMUTH]),
    ("players[1].name", "Ivey", ["There are two players called Ivey.", NO_HELLMUTH]),
    ("players[1].ruling", "foul", ["A ruling is dead or surrendered."]),
    ("players[1].fantasyland", 1, ["fantasyland is true or false."]),
    ("players[1].fantasyland_cards", 12, ["A Fantasyland hand is dealt 13 to 17 cards."]),
    ("players[1].stack", 100, ["Either all players have a stack or none."]),
    (
        "players[1].stack",
        -1,
        ["Either all players have a stack or none.", "A stack is a whole number of minor units, 0 or more."],
    ),
    ("stake", -1, ["A stake is a whole number of minor units, 0 or more."]),
    ("pair_stakes", 5, ["pair_stakes is a list of pairs of players."]),
    (
        "pair_stakes",
        [{"players": ["Ivey", "Hellmuth"], "stake": 1}] * 29,
        ["8 players make 28 pairs; here are 29."],
    ),
    ("pair_stakes[0].stake", ..., ["The pair's stake is missing."]),
    ("pair_stakes[0].stake", -1, ["A stake is a whole number of minor units, 0 or more."]),
    ("pair_stakes[0].players", ["Ivey"], ["A pair is two players' names."]),
    ("pair_stakes[0].players", ["Ivey", "Ivey"], ["A pair is two different players."]),
    ("partial", 1, ["partial is true or false."]),
    ("language", "de", ["“de” is not offered; the languages are en."]),
    ("language", 5, ["A language is the text of a tag; the languages are en."]),
]


@pytest.mark.parametrize(("path", "value", "messages"), SAID, ids=[messages[0] for _, _, messages in SAID])
def test_what_is_said_of_one_thing_wrong(path: str, value: Any, messages: list[str]) -> None:
    document = set_at(ivey_hellmuth(), path, value)
    if path == "players":
        del document["pair_stakes"]
    with pytest.raises(RulesError) as no:
        score(document)
    assert [problem.message for problem in no.value.problems] == messages


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        (5, [("bad-value", "points")]),
        ([5], [("bad-value", "points[0]")]),
        ([{"players": ["Ivey", "Hellmuth"]}], [("missing", "points[0].points")]),
        ([{"points": 5}], [("missing", "points[0].players")]),
        ([{"players": ["Ivey", "Hellmuth"], "points": 1.5}], [("bad-value", "points[0].points")]),
        ([{"players": ["Ivey", "Hellmuth"], "points": True}], [("bad-value", "points[0].points")]),
        ([{"players": ["Hellmuth", "Ivey"], "points": "4"}], [("bad-value", "points[0].points")]),
        ([{"players": ["Ivey", "Hellmuth"], "points": 1_000_000}], [("bad-value", "points[0].points")]),
        ([{"players": ["Ivey", "Hellmuth"], "points": -1_000_000}], [("bad-value", "points[0].points")]),
        ([{"players": ["Ivey", "Hellmuth"], "points": -999_999}], []),
        ([{"players": ["Ivey", "Ivey"], "points": 5}], [("bad-value", "points[0].players")]),
        ([{"players": ["Ivey", "Negreanu"], "points": 5}], [("unknown-player", "points[0].players[1]")]),
        (
            [{"players": ["Ivey", "Hellmuth"], "points": 5}, {"players": ["Hellmuth", "Ivey"], "points": -5}],
            [("bad-value", "points[1].players")],
        ),
    ],
)
def test_points_that_are_wrong(points: Any, expected: list[tuple[str, str]]) -> None:
    document = {**by_points(), "points": points}
    if expected:
        assert problems(document) == expected
    else:
        score(document)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        *(
            (f"players[1].{given}", "dead", f"The points of this hand are given, so no player has a {given}.")
            for given in ("front", "middle", "back", "ruling")
        ),
        ("partial", True, "The points of this hand are given, so it is not partial."),
        ("points", 4, "points is a list of pairs of players."),
        ("points[0].points", ..., "The pair's points are missing."),
        ("points[0].points", 1_000_000, "Points are a whole number of at most 6 digits."),
    ],
)
def test_what_is_said_of_one_thing_wrong_in_a_deal_by_points(path: str, value: Any, message: str) -> None:
    with pytest.raises(RulesError) as no:
        score(set_at(by_points(), path, value))
    assert [problem.message for problem in no.value.problems] == [message]


def test_what_is_no_object_is_told_what_it_should_be() -> None:
    with pytest.raises(RulesError, match=r"^A score document is a JSON object\.$"):
        score([])


def test_a_ruling_has_no_place_in_a_deal_by_points() -> None:
    document = by_points()
    document["players"][1]["ruling"] = "dead"
    assert problems(document) == [("bad-value", "players[1].ruling")]


@pytest.mark.parametrize(
    ("rules", "most"),
    [("regular", 4), ("pineapple", 3), ("double-deck", 8), ({"decks": 2, "game": "pineapple"}, 6)],
)
def test_players_the_deck_allows(rules: Any, most: int) -> None:
    def deal(players: int) -> Document:
        return {"rules": rules, "players": [{"name": str(number)} for number in range(players)], "points": []}

    score(deal(most))
    assert problems(deal(most + 1)) == [("too-many-players", "players")]
    assert problems(deal(500)) == [("too-many-players", "players")]


def test_far_too_many_players_are_refused_without_checking_them() -> None:
    def deal(players: int) -> Document:
        return {"stake": -1, "players": [{"name": str(number)} for number in range(players)], "points": []}

    assert problems(deal(80)) == [("too-many-players", "players"), ("bad-value", "stake")]
    assert problems(deal(81)) == [("too-many-players", "players")]


def test_eight_players_make_twenty_eight_pairs_and_no_more() -> None:
    names = "ABCDEFGH"
    pairs = [{"players": [a, b], "stake": 5} for at, a in enumerate(names) for b in names[at + 1 :]]
    document = {"rules": "double-deck", "players": [{"name": name} for name in names], "points": []}
    assert [pair["stake"] for pair in score({**document, "pair_stakes": pairs})["pairs"]] == [5] * 28
    assert problems({**document, "pair_stakes": [*pairs, pairs[0]]}) == [("bad-value", "pair_stakes")]


def test_cards_are_checked_by_the_rules_that_can_be_read() -> None:
    """Two decks hold this card twice, and the checks know it although another of the rules is wrong."""
    document = ivey_hellmuth()
    document["players"][1]["back"] = "6c 9c 8c 7c 2c"
    one, two = {"scoring": "1-5"}, [("bad-value", "rules.scoring")]
    assert problems({**document, "rules": {**one, "preset": "double-deck"}}) == two
    assert problems({**document, "rules": {**one, "decks": 2}}) == two
    assert problems({**document, "rules": one}) == [*two, *[("duplicate-card", "players[1].back")] * 2]


@pytest.mark.parametrize("stack", [-1, -(10**16) + 1, 0, 10**16 - 1])
def test_a_stack_may_be_below_nothing_where_nobody_is_ever_out(stack: int) -> None:
    document = by_points()
    document["rules"] = {"loss_cap": False, "win_cap": "none"}
    for player in document["players"]:
        player["stack"] = stack
    assert [player["stack"] for player in score(document)["players"]] == [stack + 4, stack - 4]


@pytest.mark.parametrize(
    ("loss_cap", "stack"), [(True, -1), (True, 10**16), (False, -(10**16)), (False, 1.5), (False, True), (False, "5")]
)
def test_what_is_no_stack(loss_cap: bool, stack: Any) -> None:
    document = by_points()
    document["rules"] = {"loss_cap": loss_cap}
    document["players"][0]["stack"] = 100
    document["players"][1]["stack"] = stack
    assert problems(document) == [("bad-value", "players[1].stack")]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("regular", "9 players are too many: one deck of cards makes regular hands for at most 4 (R51)."),
        ("pineapple", "9 players are too many: one deck of cards makes Pineapple hands for at most 3 (R51)."),
        ("double-deck", "9 players are too many: two decks of cards make regular hands for at most 8 (R51)."),
        (
            {"preset": "pineapple", "decks": 2},
            "9 players are too many: two decks of cards make Pineapple hands for at most 6 (R51).",
        ),
    ],
)
def test_what_is_said_of_too_many_players(rules: Any, sentence: str) -> None:
    with pytest.raises(RulesError) as no:
        score({"rules": rules, "players": [{"name": str(number)} for number in range(9)], "points": []})
    assert [problem.message for problem in no.value.problems] == [sentence]


def test_two_decks_hold_each_card_twice_and_each_rank_eight_times() -> None:
    def boards(front: str, *more: str) -> Document:
        rows = ("2c3c4d", "5c6c7d8d9d", "ThJhQhKhAs"), (front, *more)
        players = [{"name": str(at), "front": row[0], "middle": row[1], "back": row[2]} for at, row in enumerate(rows)]
        return {"rules": "double-deck", "players": players}

    score(boards("2c3c4d", "5c6c7d8d9d", "ThJhQhKhAs"))
    assert problems(boards("2c2c3d", "5c6c7d8d9d", "ThJhQhKhAs")) == [("duplicate-card", "players[1].front")]
    assert problems(boards("2c2c2c", "5c6c7d8d9d", "ThJhQhKhAs")) == [("duplicate-card", "players[1].front")] * 2
    score(boards("AAA", "A2345", "AAA22"))
    assert problems(boards("AAA", "AA234", "AAA22")) == [("too-many-of-a-rank", "players[1].back")]
    score(boards("345", "AAKK2f", "66778"))
    assert problems(boards("345", "AAAK2f", "66778")) == [("impossible-flush", "players[1].middle")]


def test_what_is_said_of_two_decks() -> None:
    def messages(front: str, middle: str, back: str) -> list[str]:
        players = [
            {"name": "Ivey", "front": "2c3c4d", "middle": "AAAA7", "back": "ThJhQhKh9s"},
            {"name": "Hellmuth", "front": front, "middle": middle, "back": back},
        ]
        with pytest.raises(RulesError) as no:
            score({"rules": "double-deck", "players": players})
        return [problem.message for problem in no.value.problems]

    assert messages("345", "KKK98f", "66778") == ["These cards cannot be a flush: each suit holds the king only twice."]
    assert messages("AAA", "AA234", "66778") == ["There are more than 8 aces on the table, and two decks have no more."]


def test_repeats_by_rank_run_over_rows_with_and_without_suits() -> None:
    document = ivey_hellmuth()
    document["players"][0]["front"] = "95 10"  # the other nines have suits: Ivey's middle, Hellmuth's middle and back
    assert problems(document) == [("too-many-of-a-rank", "players[1].back")]


def test_a_card_repeated_says_where_the_other_is() -> None:
    document = ivey_hellmuth()
    document["players"][0]["middle"] = "Ts Tc 9d Qh 8s"
    document["players"][1]["back"] = "Kc Jc 9c Qh 7c"
    with pytest.raises(RulesError) as no:
        score(document)
    assert [problem.message for problem in no.value.problems] == ["The queen of hearts is also in Ivey's middle."]


def test_all_problems_at_once() -> None:
    document = {
        "rules": {"scoring": "1-5", "jokers": 2, "naturals": {"dragon": 13, "three_flushes": 6, "six_pairs": 6}},
        "players": [
            {"name": "Ivey", "front": "Xh 6c 4d", "middle": "Ts Tc 9d Qh", "back": "3h 3h 3s 2d 2c"},
            {"name": "Ivey", "front": "887f", "middle": "KKJ98f", "back": "55555", "fantasyland": 3},
            {"front": "AKQ", "middle": "77664"},
            {"name": "Chan", "ruling": "asleep", "stack": 1.5},
            "Negreanu",
            {"name": "Doyle", "front": "AQJ", "middle": "24679", "back": "Kd Kh Ks Kc 3h", "fantasyland_cards": 52},
            *({"name": f"extra {number}", "ruling": "dead"} for number in range(3)),
        ],
        "stake": "1",
        "pair_stakes": [{"players": ["Ivey", "Moss"]}],
    }
    assert set(problems(document)) == {
        ("bad-value", "rules.scoring"),
        ("unknown-rule", "rules.jokers"),
        ("missing", "rules.naturals.three_straights"),
        ("unreadable-card", "players[0].front"),
        ("wrong-count", "players[0].middle"),
        ("duplicate-card", "players[0].back"),
        ("duplicate-name", "players[1].name"),
        ("impossible-flush", "players[1].front"),
        ("impossible-flush", "players[1].middle"),
        ("too-many-of-a-rank", "players[1].back"),
        ("bad-value", "players[1].fantasyland"),
        ("missing", "players[2].name"),
        ("missing", "players[2].back"),
        ("bad-value", "players[3].ruling"),
        ("bad-value", "players[3].stack"),
        ("bad-value", "players[4]"),
        ("duplicate-card", "players[5].back"),
        ("too-many-of-a-rank", "players[5].back"),
        ("bad-value", "players[5].fantasyland_cards"),
        *(("missing", f"players[{at}].stack") for at in (0, 1, 2, 5, 6, 7, 8)),
        ("too-many-players", "players"),
        ("bad-value", "stake"),
        ("unknown-player", "pair_stakes[0].players[1]"),
        ("missing", "pair_stakes[0].stake"),
    }


def test_a_row_of_the_wrong_count_is_checked_for_repeats_as_well() -> None:
    """All problems come at once: a scorer who removes the surplus card should not meet a second one after that."""
    document = ivey_hellmuth()
    document["players"][1]["back"] = "Kc Jc 9c 8c 7c 6c"
    assert problems(document) == [("wrong-count", "players[1].back"), ("duplicate-card", "players[1].back")]


def test_a_row_longer_than_a_board_is_refused_without_checking_its_cards() -> None:
    document = ivey_hellmuth()
    document["players"][1]["back"] = "2h 3d 4h 5d 6d 7d 8d 9c Th Jd Qd Kc 2c"
    assert problems(document) == [("wrong-count", "players[1].back"), ("duplicate-card", "players[1].back")]
    document["players"][1]["back"] += " Ah"
    assert problems(document) == [("wrong-count", "players[1].back")]


# --- From bytes -------------------------------------------------------------------------------------------


def answer(body: bytes) -> tuple[Document, bool]:
    document, ok = score_bytes(body)
    json.dumps(document, ensure_ascii=False).encode()
    return document, ok


def errors(body: bytes) -> list[tuple[str, str]]:
    document, ok = answer(body)
    assert not ok
    assert set(document) == {"errors"}
    assert all(set(error) == {"code", "where", "message"} for error in document["errors"])
    return [(error["code"], error["where"]) for error in document["errors"]]


def test_bytes_are_scored_like_the_document_they_hold() -> None:
    body = json.dumps(ivey_hellmuth()).encode()
    assert answer(body) == (score(ivey_hellmuth()), True)
    assert answer(b"\xef\xbb\xbf \n" + body + b"\r\n ") == (score(ivey_hellmuth()), True)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \n",
        b"{",
        b"[1, 2",
        b"{'rules': 'regular'}",
        b'{"rules": "regular"} {}',
        b'{"rules": "regular",}',
        b'{"rules": \xff}',
        b'{"rules": "\xed\xa0\x80"}',
        b'{"stake": NaN}',
        b'{"stake": Infinity}',
        b'{"stake": -Infinity}',
        b'{"stake": 01}',
        b'{"stake": 1, "stake": 2}',
        b'{"players": [{"name": "Ivey", "name": "Hellmuth"}]}',
        b'{"rules": {"decks": 1, "\\u0064ecks": 2}}',
        '{"rules": "regular"}'.encode("utf-16"),
        b"[" * 60_000,
        b'{"a":' * 12_000,
        b"\x00",
        b"// rules\n{}",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_not_json(body: bytes) -> None:
    assert errors(body) == [("not-json", "")]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "Expecting value, line 1 column 1"),
        (b'{\n"a"}', "Expecting ':' delimiter, line 2 column 4"),
        (b'{"rules": \xff}', "it is not UTF-8"),
        (b'{"stake": NaN}', "NaN is not a number"),
        (b'{"stake": -Infinity}', "-Infinity is not a number"),
        (b'{"stake": 1, "players": [], "stake": 2}', "the key “stake” stands twice in one object"),
        (b'{"a": 1, "b": 2, "b": 3}', "the key “b” stands twice in one object"),
        (b'{"a": 1, "b": 2, "b": 3, "a": 4}', "the key “a” stands twice in one object"),
        (b"[" * 60_000, "it is nested too deeply"),
    ],
    ids=lambda value: repr(value[:30]),
)
def test_what_is_said_of_what_is_not_json(body: bytes, reason: str) -> None:
    document, _ = answer(body)
    assert [error["message"] for error in document["errors"]] == [f"This is not a JSON document: {reason}."]


class CountedKey(str):
    """A key that counts how often it is compared with another."""

    __slots__ = ()
    comparisons = 0

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedKey.comparisons += 1
        return str.__eq__(self, other)


def test_a_repeated_key_is_found_in_one_pass_over_the_keys() -> None:
    keys = [CountedKey(f"{n}") for n in range(2_000)]
    CountedKey.comparisons = 0
    with pytest.raises(ValueError, match="the key “1999” stands twice in one object"):
        _object([(key, 0) for key in [*keys, CountedKey("1999")]])
    assert CountedKey.comparisons < 10 * len(keys)


def test_a_document_has_a_size() -> None:
    body = json.dumps(ivey_hellmuth()).encode()
    assert answer(body.ljust(MAX_BYTES))[1]
    assert MAX_BYTES == 65_536
    assert errors(body.ljust(MAX_BYTES + 1)) == [("too-large", "")]
    assert errors(b"\xff" * (MAX_BYTES + 1)) == [("too-large", "")]
    assert answer(b"\xff" * (MAX_BYTES + 1))[0]["errors"][0]["message"] == "A document has at most 64 KiB."


@pytest.mark.parametrize("number", ["1e3", "1.0", "1e400", "-1", "9" * 20, "9" * 5_000, "-" + "9" * 5_000, "1e99999"])
def test_numbers_that_are_no_amounts(number: str) -> None:
    body = json.dumps({**by_points(), "stake": "#"}).replace('"#"', number).encode()
    assert errors(body) == [("bad-value", "stake")]


def test_a_repeated_key_is_refused_even_in_a_value_that_is_not_read() -> None:
    body = json.dumps({**by_points(), "note": "#"}).replace('"#"', '{"a": 1, "a": 1}').encode()
    assert errors(body) == [("not-json", "")]


def test_half_a_surrogate_pair_can_be_answered() -> None:
    """JSON can express half a surrogate pair and UTF-8 cannot, so an answer that repeats one cannot be encoded."""
    half = "\ud800"
    for document in (
        {**by_points(), "rules": half},
        {**by_points(), "rules": {half: 1}},
        {**by_points(), "rules": {"preset": half}},
        {**by_points(), "rules": {"game": half}},
        {**by_points(), "rules": {"royalties": {half: {}}}},
        {**by_points(), "rules": {"naturals": {half: 1}}},
        {**by_points(), "points": [{"players": ["Ivey", half], "points": 1}]},
        set_at(ivey_hellmuth(), "players[0].front", f"6h 6c {half}"),
        set_at(ivey_hellmuth(), "players[0].name", half),
    ):
        errors(json.dumps(document).encode())


def test_every_code_is_provoked_here() -> None:
    """The tests above together provoke every code of the score document."""
    named = {code for _, _, expected in REFUSED for code, _ in expected}
    assert named | {"too-many-players", "not-json", "too-large"} == CODES


def test_a_refusal_in_one_line_has_every_reason() -> None:
    assert str(
        RulesError([Problem("bad-value", "a", "This is one."), Problem("bad-value", "b", "This is another.")])
    ) == ("This is one.; This is another.")
