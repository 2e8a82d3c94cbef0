"""What rows a deal leaves in the database, and how they are found again."""

import pytest

from scoring import ledger
from scoring.game.entry import Entry
from scoring.ledger import chain, load
from scoring.models import BoardResult, PairResult, Revision
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, WEAK, act, entry, outcome, settle, start
from tests.ledger.tampering import write


def test_boards_and_pairs_are_numbered_in_the_order_of_the_table(session):
    deal = settle(session)
    boards = BoardResult.objects.filter(revision__deal=deal).order_by("order")
    assert [(board.order, board.seat.number) for board in boards] == [(1, 2), (2, 3), (3, 1)]
    pairs = PairResult.objects.filter(revision__deal=deal).order_by("order")
    assert [pair.order for pair in pairs] == [1, 2, 3]
    assert all(pair.why for pair in pairs)


@pytest.mark.parametrize("table", ["scoring_board", "scoring_pairresult"])
def test_the_order_of_rows_is_in_their_column_and_not_in_their_ids(session, table):
    deal = settle(session)
    before = outcome(deal), list(chain.linked(session))
    write(f'UPDATE {table} SET id = id + 1000 WHERE "order" = 1')
    assert (outcome(deal), list(chain.linked(session))) == before


def test_a_deal_that_the_table_scored_has_boards_without_cards(session):
    deal = settle(session, Entry(points=((1, 2, 5),)))
    boards = BoardResult.objects.filter(revision__deal=deal)
    assert {(board.front, board.foul, board.royalties, board.fantasyland_next) for board in boards} == {
        ("", False, 0, 0)
    }


def test_a_void_deal_has_neither_boards_nor_a_note(session):
    settle(session)
    act(ledger.void_deal, session, number=1)
    void = Revision.objects.get(n=2)
    assert (void.note, void.document) == ("", None)
    assert not BoardResult.objects.filter(revision=void).exists()


def test_the_boards_of_many_deals_are_found_by_their_session(session):
    for _ in range(2):
        settle(session)
    act(ledger.correct_deal, session, number=2, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    settle(start("Dan Eve"), entry(s1=PLAIN, s2=WEAK))
    counting = list(Revision.objects.filter(deal__session=session, n__in=(1, 2)).exclude(deal__number=2, n=1))
    few, many = load._only(counting), load._only(counting * 251)
    assert str(few) != str(many)
    for found in (few, many):
        assert {board.revision for board in BoardResult.objects.filter(found)} == set(counting)
    assert LEVEL.as_document() in [revision.entry for revision in counting]


@pytest.mark.parametrize("buy_in", [0, 500])
def test_seats_are_found_by_number_and_hands_too(db, buy_in):
    session = start("Ann Bob Cat", buy_in=buy_in)
    for _ in range(3):
        settle(session, Entry(points=((1, 2, 1),)))
    act(ledger.correct_deal, session, number=1, entry=Entry(points=((2, 1, 1),)), note="Swapped")
    seats = load.seats_of(session)
    assert [seat.number for seat in seats] == [-2, -1, 1, 2, 3]
    assert list(load.deals_of(session, load.numbers_of(seats))) == [1, 2, 3]
