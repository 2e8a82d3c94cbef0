"""Boards as people type and paste them."""

import time

import pytest
from django.utils import translation

from scoring.forms.boards import TypedBoard

ROWS = TypedBoard("QQ7", "AA44J", "89TJQ")


@pytest.mark.parametrize(
    "text",
    [
        "QQ7 / AA44J / 89TJQ",
        "QQ7/AA44J/89TJQ",
        "QQ7\nAA44J\n89TJQ\n",
        "\r\nQQ7\r\nAA44J\r\n\r\n89TJQ",
        "QQ7 | AA44J ; 89TJQ",
        "QQ7AA44J89TJQ",
        "qq7 aa44j 89 10 jq",
    ],
)
def test_a_whole_board_in_one_field_is_laid_out(text: str) -> None:
    assert TypedBoard.read({"a-front": text}, "a") == ROWS


def test_a_board_with_suits_keeps_them() -> None:
    pasted = "Qs Qh 7d Ac As 4d 4h Jc 8s 9s Ts Js Qd"
    assert TypedBoard.read({"a-back": pasted}, "a") == TypedBoard("Qs Qh 7d", "Ac As 4d 4h Jc", "8s 9s Ts Js Qd")


def test_a_flush_mark_at_the_end_is_the_backs() -> None:
    assert TypedBoard.parse("AKQ99554KJ987f") == TypedBoard("AKQ", "99554", "KJ987f")


@pytest.mark.parametrize(
    "text", ["QQ7", "QQ7 / AA44J", "QQ7 / AA44J / 89TJQ / 2", "what is this", "QQ7AA44J89TJ", "QQ7AA44J89TJQK"]
)
def test_anything_else_stays_where_it_was_typed(text: str) -> None:
    assert TypedBoard.read({"a-front": text}, "a") == TypedBoard(front=text)


@pytest.mark.parametrize(
    ("dictated", "row"),
    [
        ("queen queen seven", "Q Q 7"),
        ("Queen of Hearts queen of clubs 7 of spades", "Qh Qc 7s"),
        ("Ten hearts, 10 diamonds, sixes", "Th, 10d, 6"),
        ("king jack nine eight seven flush", "K J 9 8 7f"),
        ("queen of cups", "Q of cups"),
        ("a queens' gambit", "a Q' gambit"),
    ],
)
def test_dictated_words_are_read_as_cards(dictated: str, row: str) -> None:
    assert TypedBoard.read({"a-front": dictated}, "a") == TypedBoard(front=row)


@pytest.mark.parametrize(
    ("tag", "typed", "row"),
    [
        ("ru", "ДД7", "QQ7"),
        ("ru", "вв А", "JJ A"),
        ("ru", "Кs Дh 10c", "Ks Qh 10c"),
        ("ru", "ТТ7", "ТТ7"),  # an ace by its name, a ten by its looks
        ("ru", "Дама", "Дама"),  # no row, but a word
        ("de", "BB7", "JJ7"),
        ("de", "DD7", "DD7"),  # queens, or diamonds
        ("en", "BB7", "BB7"),
        ("ja", "ＱＱ７", "QQ7"),
        ("zh-hans", "Ａｓ　Ｋｈ　１０ｃ", "As Kh 10c"),
        ("ja", "ＱＱ７／ＡＡ４４Ｊ", "QQ7/AA44J"),
    ],
)
def test_letters_of_the_readers_language_are_cards_where_they_cannot_be_others(tag: str, typed: str, row: str) -> None:
    with translation.override(tag):
        assert TypedBoard.read({"a-front": typed}, "a") == TypedBoard(front=row)


def test_a_whole_board_may_be_dictated() -> None:
    dictated = "queen queen seven / ace ace four four jack / eight nine ten jack queen"
    board = TypedBoard.read({"a-front": dictated}, "a")
    assert ["".join(row.split()) for row in board.rows()] == ["QQ7", "AA44J", "89TJQ"]


def test_a_long_text_is_read_quickly() -> None:
    gap = " " * 60_000
    began = time.process_time()
    TypedBoard.read({"a-front": f"queen{gap}of{gap}hearts"}, "a")
    assert time.process_time() - began < 5  # it takes minutes if the time grows with the square


def test_a_board_is_not_laid_out_over_rows_that_are_typed() -> None:
    assert TypedBoard.read({"a-front": "QQ7 / AA44J / 89TJQ", "a-back": "2"}, "a").back == "2"
