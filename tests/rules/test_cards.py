"""Cards, rows and boards as people write them."""

import re
from itertools import pairwise, product

import pytest

from scoring.rules.board import Board
from scoring.rules.cards import DECK, Row, UnreadableRowError, parse_row
from scoring.rules.errors import RulesError

SUITS = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}


def test_a_deck_is_fifty_two_cards_each_its_own() -> None:
    assert len(DECK) == len(set(map(str, DECK))) == 52
    assert all(low.rank <= high.rank for low, high in pairwise(DECK))


def test_every_spelling_of_every_card() -> None:
    for card in DECK:
        rank, suit = str(card)[0], str(card)[1]
        ranks = ["T", "t", "10"] if rank == "T" else [rank, rank.lower()]
        for written in ranks:
            for drawn in (suit, suit.upper(), *SUITS[suit]):
                for text in (written + drawn, f" {written}{drawn},", f"{written}{drawn}\ufe0f"):
                    assert parse_row(text).cards == (card,), text
                assert parse_row([written + drawn]).cards == (card,)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("QQ7", "QQ7"),
        ("q q 7", "QQ7"),
        ("Q,Q,7", "QQ7"),
        (" Q, Q , 7 ", "QQ7"),
        ("7QQ", "7QQ"),
        ("QsQh7d", "Qs Qh 7d"),
        ("Qs Qh 7d", "Qs Qh 7d"),
        ("qS,qH,7D", "Qs Qh 7d"),
        ("Q♠Q♥7♦", "Qs Qh 7d"),
        ("Q♤ Q♡ 7♢", "Qs Qh 7d"),
        ("Qs\tQh\u00a07d", "Qs Qh 7d"),
        ("10 10 9 Q 8", "TT9Q8"),
        ("10109Q8", "TT9Q8"),
        ("1010 9Q8", "TT9Q8"),
        ("tT9q8", "TT9Q8"),
        ("10s 10c 9d Qh 8s", "Ts Tc 9d Qh 8s"),
        ("10s10c9dQh8s", "Ts Tc 9d Qh 8s"),
        ("A2345", "A2345"),
        ("KJ987f", "KJ987f"),
        ("k j 9 8 7 F", "KJ987f"),
        ("K,J,10,8,7,f", "KJT87f"),
    ],
)
def test_spellings_of_rows(text: str, row: str) -> None:
    assert str(parse_row(text)) == row
    assert parse_row(row) == parse_row(text)


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        (["Qs", "Qh", "7d"], "Qs Qh 7d"),
        (["Q♠", "10h", "td"], "Qs Th Td"),
        (["Q", "10", "7"], "QT7"),
        (["K", "J", "9", "8", "7", "f"], "KJ987f"),
        ([], ""),
    ],
)
def test_rows_given_card_by_card(cards: list[str], row: str) -> None:
    assert str(parse_row(cards)) == row


@pytest.mark.parametrize("spellings", [["As", "aS", "10h", "Td", "t♦", "9C", "2♣"], ["10", "K", "q", "2", "T"]])
def test_cards_that_touch_are_read_as_cards_apart(spellings: list[str]) -> None:
    for cards in product(spellings, repeat=3):
        assert parse_row("".join(cards)) == parse_row(" ".join(cards))


def test_a_row_knows_its_flush_and_its_suits() -> None:
    def flush_and_suited(row: Row) -> tuple[bool, bool]:
        return row.flush, row.suited

    assert flush_and_suited(parse_row("Kc Jc 9c 8c 7c")) == (True, True)
    assert flush_and_suited(parse_row("Kc Jc 9c 8c 7d")) == (False, True)
    assert flush_and_suited(parse_row("KJ987f")) == (True, False)
    assert flush_and_suited(parse_row("KJ987")) == (False, False)
    assert flush_and_suited(parse_row("Kc Jc 9c")) == (False, True), "three cards are no flush"


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "0",
        "100",
        "11",
        "Q Q X",
        "sQ",
        "Qss",
        "Qs Q 7d",
        "QsQ7d",
        "Q ♠",
        "QsQhf",
        "f QQ7",
        "QQf7",
        "KJ987ff",
        "Q-Q-7",
    ]
    + ["Q.Q.7", "QQ7;", "joker", "¹0", "Ｑ♠", "Q♠\u200b", "QQ7f f", "Qs Qh 7d f", "Kc Jc 9c 8c 7c f"],
)
def test_what_is_not_a_row(text: str) -> None:
    with pytest.raises(UnreadableRowError):
        parse_row(text)
    with pytest.raises(UnreadableRowError):
        parse_row([text])


@pytest.mark.parametrize("text", [",", " , ", "\ufe0f"])
def test_what_only_parts_cards_is_a_row_of_none(text: str) -> None:
    row = parse_row(text)
    assert (row.cards, row.key, row.flush, row.suited) == ((), 0, False, False)


def test_one_card_is_enough_to_know_whether_there_are_suits() -> None:
    assert parse_row("Qs").suited is True
    assert parse_row("Q").suited is False


@pytest.mark.parametrize("text", ["Qs Qh 7d", "Qs Js 7s", "Kc Jd 9h 8s 7c", "Kc Jc 9c 8c 7c"])
def test_a_card_without_suit_is_named_wherever_it_lies_among_cards_with_suits(text: str) -> None:
    cards = text.split()
    for place, card in enumerate(cards):
        name = parse_row(card[0]).cards[0].name
        with pytest.raises(UnreadableRowError) as no:
            parse_row([*cards[:place], card[0], *cards[place + 1 :]])
        assert str(no.value) == f"The {name} has no suit; give every card of a row its suit, or none of them."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Qs Xh 7d", "“Xh” is not a card."),
        ("x" * 12, "“xxxxxxxxxxxx” is not a card."),
        ("x" * 13, "“xxxxxxxxxxxx…” is not a card."),
        ("Qs \x07\u202eh 7d", "“\ufffd\ufffdh” is not a card."),
        (["Qs", "QhQd"], "“QhQd” is not one card."),
        ("QsQhf", "The flush mark f goes with ranks alone; these cards have suits."),
    ],
)
def test_an_unreadable_row_says_what_is_wrong(text: str | list[str], message: str) -> None:
    with pytest.raises(UnreadableRowError) as no:
        parse_row(text)
    assert str(no.value) == message


def test_a_message_names_the_unreadable_part_and_shows_only_printable_text() -> None:
    with pytest.raises(UnreadableRowError, match="“Xh”"):
        parse_row("Qs Xh 7d")
    with pytest.raises(UnreadableRowError) as no:
        parse_row("Qs \x07\u202e\ud800 7d")
    assert str(no.value).isprintable()
    with pytest.raises(UnreadableRowError) as no:
        parse_row("x" * 10_000)
    assert len(str(no.value)) < 60


BOARD = "227 / AA44J / 89TJQ"


@pytest.mark.parametrize(
    "text",
    [
        "227/AA44J/89TJQ",
        "227\nAA44J\n89TJQ\n",
        "227\n \nAA44J\n89TJQ",
        "227\r\n\r\n aa44j \r\n89 10 JQ",
        "227 | AA44J | 89TJQ",
        f"  {BOARD} ",
    ],
)
def test_spellings_of_boards(text: str) -> None:
    assert Board.parse(text) == Board.parse(BOARD)
    assert str(Board.parse(text)) == BOARD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("wrong-count", "")]),
        ("227", [("wrong-count", "")]),
        ("227 / AA44J", [("wrong-count", "")]),
        ("227 / AA44J / 89TJQ / 22", [("wrong-count", "")]),
        ("22 / AA44J / 89TJQ", [("wrong-count", "front")]),
        (
            "22f7 / AA44 / KK987f",
            [("unreadable-card", "front"), ("wrong-count", "middle"), ("impossible-flush", "back")],
        ),
        ("227f / AA44J / 89TJQ", [("impossible-flush", "front")]),
    ],
)
def test_boards_that_are_none(text: str, expected: list[tuple[str, str]]) -> None:
    with pytest.raises(RulesError) as no:
        Board.parse(text)
    assert [(problem.code, problem.where) for problem in no.value.problems] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("227", "A board is front, middle and back, parted by / or on three lines; here is one row."),
        ("227 / AA44J", "A board is front, middle and back, parted by / or on three lines; here is 2 rows."),
        ("2 / AA44J / 89TJQ", "The front takes three cards; here is 1 card."),
        ("22 / AA44J / 89TJQ", "The front takes three cards; here are 2 cards."),
        ("227 / A / 89TJQ", "The middle takes five cards; here is 1 card."),
        ("227 / AA44 / 89TJQ", "The middle takes five cards; here are 4 cards."),
        ("227 / AA44J / 8", "The back takes five cards; here is 1 card."),
        ("227 / AA44J / 89TJ", "The back takes five cards; here are 4 cards."),
        ("732f / AA44J / 89TJQ", "Three cards are no flush; the mark f is for five."),
        ("227 / AA44J / KK987f", "These cards cannot be a flush: each suit holds the king only once."),
    ],
)
def test_an_invalid_board_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=f"^{re.escape(message)}$"):
        Board.parse(text)
