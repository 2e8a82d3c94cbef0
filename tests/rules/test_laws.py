"""Laws that hold for every deal under any house rules."""

import copy
import random
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules.board import Board
from scoring.rules.document import figures, score
from scoring.rules.errors import RulesError
from scoring.rules.houserules import resolve

from . import naive
from .documents import Deck, chances, documents, random_board, random_document, set_legally, write_row

Document = dict[str, Any]
ROWS = ("front", "middle", "back")


def without_chips(document: Document) -> Document:
    """The deal on credit. Limited chips make the order of seats matter, so several laws hold only without them."""
    less = copy.deepcopy(document)
    for player in less["players"]:
        player.pop("stack", None)
    return less


def changed_rules(document: Document, **rules: Any) -> Document:
    """The same deal with some of its house rules changed."""
    spec = document.get("rules", "regular")
    given = {"preset": spec} if isinstance(spec, str) else spec
    return {**document, "rules": {**given, **rules}}


def in_cards(row: Any) -> list[str]:
    """The card texts of a row in any spelling: ``["Qh", "7d"]``, or ``["Q", "7"]`` from a row of ranks alone."""
    ranks, suits, _ = naive.read_row(row)
    return [naive.RANKS[rank - 2] + (suits[at].lower() if suits else "") for at, rank in enumerate(ranks)]


def rewritten(document: Document, rewrite: Any) -> Document:
    other = copy.deepcopy(document)
    for player in other["players"]:
        for row in ROWS:
            if player.get(row):
                player[row] = rewrite(player[row])
    return other


@given(documents(), documents())
def test_figures_by_other_rules_are_those_of_the_whole_answer(document: Document, other: Document) -> None:
    """Or both refuse the document, with the same problems."""
    rules = resolve(other.get("rules", "regular"))
    try:
        whole = score({**document, "rules": rules.as_document()})
    except RulesError as refusal:
        with pytest.raises(RulesError, match=f"^{re.escape(str(refusal))}$"):
            figures(document, rules)
        return
    for player in whole["players"]:
        for sentences in ("rows", "foul_reason"):
            player.pop(sentences, None)
    assert figures(document, rules) == {
        "players": whole["players"],
        "pairs": [{**pair, "why": ""} for pair in whole["pairs"]],
    }


@given(documents())
def test_every_deal_sums_to_zero(document: Document) -> None:
    """What one player wins, another loses (R13)."""
    output = score(document)
    assert sum(player["points"] for player in output["players"]) == 0
    assert sum(player["money"] for player in output["players"]) == 0
    if "stack" in document["players"][0]:
        before = sum(player["stack"] for player in document["players"])
        assert sum(player["stack"] for player in output["players"]) == before


@given(documents())
def test_a_players_figures_are_the_sum_of_their_pairs(document: Document) -> None:
    output = score(document)
    for player, given_player in zip(output["players"], document["players"], strict=True):
        name = player["name"]
        assert player["points"] == sum(
            pair["points"] * (1 if pair["players"][0] == name else -1)
            for pair in output["pairs"]
            if name in pair["players"]
        )
        received = sum(pair["paid"] for pair in output["pairs"] if pair["payee"] == name)
        given_away = sum(pair["paid"] for pair in output["pairs"] if pair["payer"] == name)
        assert player["money"] == received - given_away
        if "stack" in given_player:
            assert player["stack"] == given_player["stack"] + player["money"]


@given(documents())
def test_the_parts_of_a_pair_make_its_points(document: Document) -> None:
    output = score(document)
    for pair in output["pairs"]:
        assert pair["owed"] == abs(pair["points"]) * pair["stake"]
        assert 0 <= pair["paid"] <= pair["owed"]
        assert (pair["payer"] is None) == (pair["payee"] is None) == (pair["points"] == 0)
        parts = pair["row_points"] + pair["bonus"] + pair["royalties"]
        if pair["rows"] is not None:
            assert pair["points"] == parts
            assert pair["row_points"] == sum(pair["rows"].values())
    for player in output["players"]:
        if "rows" in player:
            assert player["royalties"] == sum(row["royalty"] for row in player["rows"].values() if row)
            assert player["fantasyland_next"] in (0, 13, 14, 15, 16, 17)


@given(documents(), chances())
def test_exchanging_seats_exchanges_scores(document: Document, rng: random.Random) -> None:
    document = without_chips(document)
    moved = {**document, "players": rng.sample(document["players"], len(document["players"]))}
    before, after = score(document), score(moved)

    def by_name(output: Document) -> Any:
        return {player["name"]: player for player in output["players"]}

    assert by_name(before) == by_name(after)
    pairs = {frozenset(pair["players"]): pair for pair in after["pairs"]}
    for pair in before["pairs"]:
        other = pairs[frozenset(pair["players"])]
        sign = 1 if other["players"] == pair["players"] else -1
        for key in ("points", "row_points", "bonus", "royalties"):
            assert other[key] == sign * pair[key]
        assert (other["owed"], other["payer"]) == (pair["owed"], pair["payer"])


@given(documents(by_ranks=0, by_points=0), st.permutations("cdhs"))
def test_renaming_suits_changes_nothing(document: Document, suits: list[str]) -> None:
    names = dict(zip("cdhs", suits, strict=True))
    renamed = rewritten(document, lambda row: [card[0] + names[card[1]] for card in in_cards(row)])
    assert score(renamed) == score(document)


@given(documents(by_ranks=0, by_points=0))
def test_ranks_with_flush_marks_score_like_the_cards(document: Document) -> None:
    """Nothing but the natural of three flushes depends on the suits of the front."""
    rules = naive.resolve(document.get("rules"))
    if rules["naturals"] != "off":
        document = changed_rules(document, naturals={**rules["naturals"], "three_flushes": 0})

    def by_ranks(row: Any) -> str:
        mark = "f" if naive.is_flush(naive.read_row(row)) else ""
        return "".join(card[0] for card in in_cards(row)) + mark

    assert score(rewritten(document, by_ranks)) == score(document)


@given(documents(), chances())
def test_spelling_and_order_of_the_cards_of_a_row_change_nothing(document: Document, rng: random.Random) -> None:
    def respelled(row: Any) -> Any:
        if naive.read_row(row)[2]:
            return row.replace("f", "F").replace(" ", "")
        cards = in_cards(row)
        rng.shuffle(cards)
        if len(cards[0]) == 1:
            return rng.choice(["", " ", ", "]).join(cards).replace("T", "10")
        return write_row(rng, cards) if len(cards) in (3, 5) and rng.random() < 0.5 else " ".join(cards).lower()

    # write_row may drop suits and keep only the flush mark, but three flushes need the front's suits.
    rules = naive.resolve(document.get("rules"))
    if rules["naturals"] != "off":
        document = changed_rules(document, naturals={**rules["naturals"], "three_flushes": 0})
    assert score(rewritten(document, respelled)) == score(document)


@given(documents())
def test_with_a_loss_cap_no_player_pays_more_than_they_have(document: Document) -> None:
    for player, chips in zip(document["players"], (7, 0, 30, 1_000, 3, 55, 200, 12), strict=False):
        player["stack"] = chips
    document = changed_rules(document, loss_cap=True)
    output = score(document)
    rules = output["rules"]
    start = {player["name"]: player["stack"] for player in document["players"]}
    now = dict(start)
    for pair in output["pairs"]:
        payer, payee, paid = pair["payer"], pair["payee"], pair["paid"]
        if payer is None:
            continue
        assert paid <= now[payer]
        if rules["win_cap"] == "running":
            assert paid <= now[payee]
        if rules["win_cap"] == "start":
            assert paid <= start[payee]
        if now[payee] == 0 and not rules["busted_collects"]:
            assert paid == 0
        elif rules["win_cap"] == "none":
            assert paid == min(pair["owed"], now[payer])
        now[payer] -= paid
        now[payee] += paid
    for player in output["players"]:
        assert player["stack"] == now[player["name"]] >= 0
        assert player["busted"] == (player["stack"] == 0)


@given(documents())
def test_without_caps_everything_owed_is_paid(document: Document) -> None:
    output = score(changed_rules(document, loss_cap=False, win_cap="none"))
    assert all(pair["paid"] == pair["owed"] for pair in output["pairs"])
    assert not any(player["busted"] for player in output["players"])


@given(documents(by_points=0))
def test_strict_and_at_least_differ_only_for_equal_middle_and_back(document: Document) -> None:
    at_least = score(changed_rules(document, row_order="at-least"))
    strict = score(changed_rules(document, row_order="strict"))
    rules = at_least["rules"]
    for given_player, loose, tight in zip(document["players"], at_least["players"], strict["players"], strict=True):
        if loose["foul"] or not tight["foul"]:
            assert loose["foul"] == tight["foul"]
            continue
        assert rules["middle"] == "high"
        middle, back = naive.read_row(given_player["middle"]), naive.read_row(given_player["back"])
        assert naive.compare(middle, back, rules) == 0


@given(chances())
def test_equal_middle_and_back_do_turn_up(rng: random.Random) -> None:
    """The law above is not empty: on a board made with equal rows, `strict` and `at-least` differ."""
    cards = ["223", "KKQQ9", "KKQQ9"]
    player = {"name": "Ann", "front": cards[0], "middle": "".join(rng.sample(cards[1], 5)), "back": cards[2]}
    assert not score({"players": [player]})["players"][0]["foul"]
    assert score({"players": [player], "rules": {"row_order": "strict"}})["players"][0]["foul"]


@given(documents())
def test_resolved_rules_are_rules(document: Document) -> None:
    """An answer's rules score the same deal in the same way, so that exports can be scored again."""
    output = score(document)
    assert score({**document, "rules": output["rules"]}) == output


@given(documents())
def test_a_foul_earns_nothing(document: Document) -> None:
    output = score(document)
    for player in output["players"]:
        if player.get("foul"):
            assert player["foul_reason"]
            assert player["royalties"] == player["fantasyland_next"] == 0
            assert all(row is None or row["royalty"] == 0 for row in player["rows"].values())
            if not any(other.get("ruling") == "surrendered" for other in document["players"]):
                assert player["points"] <= 0
        elif "foul" in player:
            assert player["foul_reason"] is None


@given(chances())
def test_a_board_can_be_read_from_what_it_writes(rng: random.Random) -> None:
    deck = Deck(rng, rng.choice([1, 2]))
    rows = set_legally(random_board(rng, deck, naive.resolve("regular"), []), naive.resolve("regular"))
    text = rng.choice([" / ", "/", "\n", " | "]).join(
        row if isinstance(row, str) else " ".join(row) for row in (write_row(rng, row) for row in rows)
    )
    assume(not any(deck.decks == 2 and "f" in part for part in text.lower().split()))
    board = Board.parse(text)
    assert Board.parse(str(board)) == board
    assert str(Board.parse(str(board))) == str(board)


@given(documents())
def test_scoring_leaves_the_document_unchanged(document: Document) -> None:
    before = copy.deepcopy(document)
    assert score(document) == score(document)
    assert document == before


def test_the_same_seed_always_gives_the_same_document() -> None:
    assert random_document(random.Random(7)) == random_document(random.Random(7))
