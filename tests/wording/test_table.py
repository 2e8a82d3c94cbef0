"""The table between two deals, in words."""

from __future__ import annotations

from dataclasses import replace

from scoring.wording.table import following
from tests.ledger.conftest import start, table


def test_a_deck_that_is_too_small_for_the_cards_that_are_due_is_named(db: None) -> None:
    """Else the page of a hand says 14 cards in one place, and 13 in another."""
    for names, said in (
        ("Ann Bob Cat Dan", "Ann is in Fantasyland with 13 cards, because the deck has no more."),
        ("Ann Bob Cat", "Ann is in Fantasyland with 14 cards."),
    ):
        assert said in following(replace(table(start(names)), fantasyland={1: 14}))
