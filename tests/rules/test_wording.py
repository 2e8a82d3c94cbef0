"""Names and sentences: they name the right rows and cards, and their figures add up."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scoring.rules.document import score

from . import naive
from .documents import documents
from .test_vectors import VECTORS
from .verdicts import verdicts

ROOT = Path(__file__).resolve().parents[2]
RULES = re.findall(r"^(R\d+)\. ", (ROOT / "docs/rules.md").read_text(), re.MULTILINE)
ONE = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"]
MANY = ["Sixes" if name == "Six" else f"{name}s" for name in ONE]

Document = dict[str, Any]


def cited(sentence: str) -> set[str]:
    return set(re.findall(r"\bR\d+\b", sentence))


def player(text: str, name: str = "Ann") -> Document:
    return {"name": name, **dict(zip(("front", "middle", "back"), text.split(" / "), strict=True))}


def reason(board: str, rules: Any = "regular") -> str:
    answer = score({"players": [player(board)], "rules": rules})["players"][0]["foul_reason"]
    assert isinstance(answer, str)
    return answer


# --- Names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("AKQJ9", "Ace high"),
        ("75432", "Seven high"),
        ("6653A", "Pair of Sixes"),
        ("KK339", "Two pair, Kings and Threes"),
        ("33KK9", "Two pair, Kings and Threes"),
        ("666QJ", "Trips, Sixes"),
        ("A2345", "Straight, Five high"),
        ("TJQKA", "Straight, Ace high"),
        ("KJ987f", "Flush, King high"),
        ("33322", "Full house, Threes over Twos"),
        ("22333", "Full house, Threes over Twos"),
        ("6666A", "Quads, Sixes"),
        ("A2345f", "Straight flush, Five high"),
        ("9TJQKf", "Straight flush, King high"),
        ("TJQKAf", "Royal flush"),
        ("66666", "Five of a kind, Sixes"),
        ("AAKK2f", "Flush, Ace high"),
    ],
)
def test_names_of_five_cards(row: str, name: str) -> None:
    for place in ("middle", "back"):
        document = {"players": [{**player("234 / 23457 / 23457"), place: row}], "rules": "double-deck"}
        assert score(document)["players"][0]["rows"][place]["name"] == name


@pytest.mark.parametrize(("row", "name"), [("A23", "Ace high"), ("662", "Pair of Sixes"), ("TTT", "Trips, Tens")])
def test_names_of_three_cards(row: str, name: str) -> None:
    assert score({"players": [player(f"{row} / 99JJA / 88KKA")]})["players"][0]["rows"]["front"]["name"] == name


def test_names_of_a_lowball_middle() -> None:
    def middle(row: str) -> tuple[str, str]:
        answer = score({"players": [player(f"KKQ / {row} / AAJJT")], "rules": "2-7-pineapple"})
        named = answer["players"][0]["rows"]["middle"]
        return named["hand"], named["name"]

    assert middle("97542")[0] == "low"
    assert "Nine" in middle("97542")[1]
    assert "97542" in middle("24579")[1]
    assert middle("98765") == ("not-low", "Straight, Nine high")
    assert middle("99542") == ("not-low", "Pair of Nines")


# --- Fouls ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "rules", "parts"),
    [
        ("227 / KK339 / QQ88J", "regular", ["middle", "KK339", "back", "QQ88J", "Kings", "Queens"]),
        ("QQ7 / QQ654 / AA982", "regular", ["front", "QQ7", "middle", "QQ654", "Seven", "Six"]),
        ("AK5 / AK432 / 66789", "regular", ["front", "AK5", "middle", "AK432", "Five", "Four"]),
        ("222 / AAKKQ / 33344", "regular", ["front", "222", "middle", "AAKKQ", "trips", "two pair"]),
        ("567 / 23456 / A2345", "regular", ["middle", "65432", "back", "5432A", "Six", "Five"]),
        ("432 / 55566 / AKQJ9f", "regular", ["middle", "55566", "back", "AKQJ9", "full house", "flush"]),
        ("226 / 56789 / 56789", {"row_order": "strict"}, ["middle", "back", "equal", "98765"]),
        ("K93 / J8642 / AAQT7", "2-7-pineapple", ["middle", "J8642", "Jack"]),
        ("K93 / T8642f / AAQJ7", "2-7-pineapple", ["middle", "T8642", "flush"]),
        ("K97 / 23456 / QQJT8", "2-7-pineapple", ["middle", "straight"]),
        ("AA3 / T8642 / KKQJ9", "2-7-pineapple", ["front", "AA3", "back", "KKQJ9", "Aces", "Kings"]),
    ],
)
def test_a_foul_names_both_rows_and_what_decides(board: str, rules: Any, parts: list[str]) -> None:
    sentence = reason(board, rules)
    assert sentence.endswith(").")
    for part in parts:
        assert part in sentence


def test_a_board_out_of_order_twice_is_told_both() -> None:
    sentence = reason("AAK / QQ234 / J9876")
    assert "front" in sentence
    assert "back" in sentence
    assert sentence.count("outranks") == 2


def test_a_dead_hand_says_so() -> None:
    document = {"players": [{**player("227 / AA44J / 89TJQ"), "ruling": "dead"}]}
    assert "dead" in score(document)["players"][0]["foul_reason"]


CLASS_NOUNS = {
    "high-card": "high",
    "two-pair": "two pair",
    "full-house": "full house",
    "straight-flush": "straight flush",
    "royal-flush": "royal flush",
    "five-of-a-kind": "five of a kind",
}


def in_words(row: Any) -> str:
    """The cards in the order of comparison, as a sentence shows them: ``QQ7``, ``65432``, ``5432A``."""
    ranks = naive.deciding_ranks(row)
    if len(ranks) == 1 and naive.straight_top(row[0]):
        top = ranks[0]
        ranks = [rank if rank > 1 else 14 for rank in range(top, top - 5, -1)]
    return "".join(naive.RANKS[rank - 2] for rank in ranks)


@given(documents(by_points=0))
def test_every_foul_names_the_rows_the_slow_scorer_finds_out_of_order(document: Document) -> None:
    output = score(document)
    rules = output["rules"]
    for given_player, answer in zip(document["players"], output["players"], strict=True):
        if not answer["foul"] or "ruling" in given_player:
            continue
        sentence = answer["foul_reason"]
        assert cited(sentence)
        rows = {place: naive.read_row(given_player[place]) for place in ("front", "middle", "back")}
        order = [("front", "back")] if rules["middle"] == "2-7" else [("front", "middle"), ("middle", "back")]
        wrong = [(upper, lower) for upper, lower in order if naive.compare(rows[upper], rows[lower], rules) > 0]
        assert sentence.count("outranks") == len(wrong)
        for upper, lower in wrong:
            part = next(
                part for part in sentence.split("). ") if part.startswith(f"The {upper}") and "outranks" in part
            )
            assert f"the {lower}" in part
            assert in_words(rows[upper]) in part
            assert in_words(rows[lower]) in part
            kinds = naive.kind(rows[upper]), naive.kind(rows[lower])
            because = part.rpartition(": ")[2]
            if kinds[0] != kinds[1]:
                assert all(CLASS_NOUNS.get(kind, kind) in because for kind in kinds)
            else:
                both = zip(naive.deciding_ranks(rows[upper]), naive.deciding_ranks(rows[lower]), strict=False)
                more, less = next(pair for pair in both if pair[0] != pair[1])
                assert re.search(rf"\b{ONE[more - 2]}(e?s)?\b.*\bbeats? .*\b{ONE[less - 2]}(e?s)?\b", because)


@given(documents(by_points=0))
def test_the_verdict_says_legal_or_foul_as_the_score_does(document: Document) -> None:
    output = score(document)
    for sentence, given_player, answer in zip(verdicts(document), document["players"], output["players"], strict=True):
        if given_player.get("ruling") == "surrendered":
            continue
        assert sentence.startswith("Foul. " if answer["foul"] else "Legal. ")
        assert cited(sentence) <= set(RULES)
        if answer["foul"]:
            assert answer["foul_reason"] in sentence


def test_equal_rows_are_said_to_be_legal() -> None:
    (sentence,) = verdicts({"players": [player("226 / 56789 / 56789")]})
    assert "equal" in sentence
    assert "legal" in sentence
    assert "R7" in sentence


# --- Pairs ------------------------------------------------------------------------------------------------


def test_ivey_and_hellmuth_in_words() -> None:
    players = [player("664 / TT9Q8 / 33322", "Ivey"), player("AKQ / 99554 / KJ987f", "Hellmuth")]
    (pair,) = score({"players": players})["pairs"]
    for part in ("664", "AKQ", "TTQ98", "99554", "33322", "KJ987", "7–4", "Ivey wins 4 points"):
        assert part in pair["why"]


def test_equal_royalties_on_rows_won_cancel() -> None:
    players = [player("775 / 99K43 / AA22Q", "Ann"), player("KJ4 / TTQ32 / 45678", "Bob")]
    (pair,) = score({"rules": {"royalty_payment": "row-winner"}, "players": players})["pairs"]
    assert "Royalties on rows won 2 each cancel (R23)." in pair["why"]
    assert pair["royalties"] == 0


FIGURES = [
    # (a sentence's pattern, and the sign with which its figures count for the player it names)
    (r"(?P<who>\w+) wins \d rows? to \d: \+(?P<a>\d+)(?:, bonus \+(?P<b>\d+))? \(", 1),
    (r"(?P<who>\w+) scoops: (?P<a>\d+) \+ (?P<b>\d+) \(", 1),
    (r"(?P<who>\w+) scoops for (?P<a>\d+)(?P<b>) \(", 1),
    (r"Royalties(?: on rows won)? \d+–\d+: (?P<who>\w+) \+(?P<a>\d+)(?P<b>) \(", 1),
    (r"(?P<who>\w+)'s royalties: \+(?P<a>\d+)(?P<b>)\.", 1),
    (r"(?P<who>\w+) shot the moon with [^.]* in the back: \+(?P<a>\d+)(?P<b>) \(", 1),
    (r"(?P<who>\w+) surrendered and pays \w+ (?P<a>\d+)(?P<b>) points?,", -1),
]


@given(documents(by_points=0))
def test_the_figures_of_a_reason_add_up_to_its_points(document: Document) -> None:
    names = {given_player["name"]: f"Player{seat}" for seat, given_player in enumerate(document["players"])}
    for given_player in document["players"]:
        given_player["name"] = names[given_player["name"]]
    for pair in document.get("pair_stakes", []):
        pair["players"] = [names[name] for name in pair["players"]]
    output = score(document)
    for pair in output["pairs"]:
        why, (first, second) = pair["why"], pair["players"]
        assert cited(why)
        if pair["points"]:
            winner = first if pair["points"] > 0 else second
            number = abs(pair["points"])
            assert f"{winner} wins {number} point{'s' * (number > 1)}." in why
        else:
            assert "Nobody pays." in why
        if "in place of the score" in why or "a natural" in why or "dragon beats" in why or "which cancels" in why:
            continue  # the sentence says nothing but the winner's figure
        found = 0
        for pattern, sign in FIGURES:
            for match in re.finditer(pattern, why):
                assert match["who"] in pair["players"]
                side = 1 if match["who"] == first else -1
                found += sign * side * (int(match["a"]) + int(match["b"] or 0))
        assert found == pair["points"], why
        if pair["rows"]:
            for place, won in pair["rows"].items():
                result = f"to {first if won > 0 else second}" if won else "tied"
                assert f"{place.capitalize()} {result}: " in why


@given(documents())
def test_what_is_not_paid_is_explained_and_nothing_else(document: Document) -> None:
    rules_of_caps = {"R45", "R46", "R48"}
    for pair in score(document)["pairs"]:
        assert bool(cited(pair["why"]) & rules_of_caps) == (pair["paid"] < pair["owed"])
        assert ("owed" in pair["why"]) == (pair["paid"] < pair["owed"])


def test_a_win_cap_by_the_start_does_not_speak_of_the_stack_now() -> None:
    """Ann has 20 by then and still wins no more than the 10 they began with."""
    document = {
        "rules": {"win_cap": "start"},
        "players": [{"name": name, "stack": stack} for name, stack in (("Ann", 10), ("Bob", 100), ("Cyd", 100))],
        "points": [{"players": ["Ann", "Bob"], "points": 10}, {"players": ["Ann", "Cyd"], "points": 50}],
    }
    pair = score(document)["pairs"][1]
    assert pair["paid"] == 10
    assert "Ann can win only what they started the hand with: only part is paid" in pair["why"]


def test_a_middle_that_would_be_a_straight_flush_elsewhere_is_a_flush() -> None:
    document = {
        "rules": "2-7-pineapple",
        "players": [{"name": "A", "front": "KK2", "middle": "5432Af", "back": "AAKK3"}],
    }
    assert verdicts(document) == [
        "Foul. The middle, a flush, Ace high (A5432), isn't a 2-7 low, ten-high or better: the Ace is too high (R52)."
    ]


def test_an_ace_is_too_high_for_a_low_also_beside_a_pair() -> None:
    assert reason("KK3 / 5542A / AAKK4", "2-7-pineapple") == (
        "The middle, a pair of Fives (55A42), isn't a 2-7 low, ten-high or better: the Ace is too high (R52)."
    )


@pytest.mark.parametrize(
    ("middle", "name"),
    [
        ("5432A", "Ace high"),  # no straight at this table
        ("5432Af", "Flush, Ace high"),
        ("8643A", "Ace high"),
        ("65432", "Straight, Six high"),
        ("88643", "Pair of Eights"),
    ],
)
def test_names_of_a_middle_that_is_no_low(middle: str, name: str) -> None:
    document = {
        "rules": "2-7-pineapple",
        "players": [{"name": "Ann", "front": "KK2", "middle": middle, "back": "AAKK3"}],
    }
    assert score(document)["players"][0]["rows"]["middle"]["name"] == name


def test_who_has_one_left_pays_a_part() -> None:
    document = {
        "rules": "regular",
        "players": [{"name": name, "stack": stack} for name, stack in (("Ann", 1), ("Bob", 100))],
        "points": [{"players": ["Ann", "Bob"], "points": -10}],
    }
    [pair] = score(document)["pairs"]
    assert pair["paid"] == 1
    assert "Ann is all-in: only part is paid, and the rest is not owed" in pair["why"]


# --- Word for word ----------------------------------------------------------------------------------------

SAID = [
    line.split(" ", 2)
    for line in (Path(__file__).parent / "sentences.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("name", "who", "sentence"), SAID, ids=[f"{name} {who}" for name, who, _ in SAID])
def test_what_is_said_word_for_word(name: str, who: str, sentence: str) -> None:
    document = next(vector.document for vector in VECTORS if vector.name == name)
    output = score(document)
    sentences = {"-".join(pair["players"]): pair["why"] for pair in output["pairs"]}
    for answer, verdict in zip(output["players"], verdicts(document), strict=False):
        sentences[answer["name"]] = verdict
    assert sentences[who.rstrip(":")] == sentence


# --- Rule numbers -----------------------------------------------------------------------------------------


def sources(*folders: str) -> str:
    paths = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".txt", ".html"}
    ]
    assert paths
    return "\n".join(path.read_text() for path in paths)


def test_rules_are_numbered_without_gaps() -> None:
    assert [f"R{number}" for number in range(1, len(RULES) + 1)] == RULES


def test_every_rule_that_is_quoted_exists() -> None:
    assert cited(sources("scoring", "tests", "templates")) <= set(RULES)


def test_every_rule_is_quoted_by_the_code_or_by_a_test() -> None:
    unquoted = set(RULES) - cited(sources("scoring", "tests", "templates"))
    assert not unquoted, f"nothing names {sorted(unquoted)}"


@given(documents())
def test_every_rule_in_an_answer_exists(document: Document) -> None:
    output = score(document)
    sentences = [pair["why"] for pair in output["pairs"]]
    sentences += [answer["foul_reason"] for answer in output["players"] if answer.get("foul_reason")]
    for sentence in sentences:
        assert cited(sentence) <= set(RULES)
        assert sentence.endswith(".")
