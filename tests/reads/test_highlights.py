"""What stood out in an evening: the best hand, the longest Fantasyland, the fouls."""

from __future__ import annotations

from collections import Counter

from scoring import ledger, reads
from scoring.actions.penalty import Penalty
from scoring.actions.people import SitIn, SitOut
from scoring.actions.set_next import SetNext
from scoring.game.entry import Entry
from scoring.models import Session
from scoring.reads import Feat
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle

GREAT = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
"""Ann wins 74 points, with royalties of 31, and is due Fantasyland."""


def found(session: Session) -> reads.Highlights:
    session.refresh_from_db()
    return reads.highlights(session)


def test_an_evening_without_a_hand_has_none(session: Session) -> None:
    act(Penalty, session, seat=1, points=30, note="Clock")
    assert found(session) == reads.Highlights([], [], [], Counter(), None)


def test_the_best_hand_won_the_most_points_and_all_who_share_it_are_named(session: Session) -> None:
    settle(session)
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    settle(session, entry(s1=FOUL, s2=PLAIN, s3=WEAK))
    best = found(session)
    assert best.best == [Feat(1, 1, 1, 12), Feat(2, 2, 2, 12), Feat(2, 3, 3, 12)]
    assert best.royalties == []
    assert best.deal
    assert best.deal.number == 1
    assert best.fouls == {3: 2, 1: 1}


def test_royalties_are_those_of_one_board(session: Session) -> None:
    settle(session, Entry(points=((1, 2, 100), (1, 3, 100), (2, 3, 0))))
    settle(session, GREAT)
    assert found(session).best == [Feat(1, 1, 1, 200)]
    assert found(session).royalties == [Feat(1, 2, 2, 31)]


def test_what_was_voided_or_corrected_counts_no_more(session: Session) -> None:
    settle(session, GREAT)
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=FOUL, s2=PLAIN, s3=WEAK), note="misread")
    assert found(session).best == [Feat(2, 1, 1, 12), Feat(1, 2, 2, 12)]
    assert found(session).fouls == {1: 1, 3: 1}
    act(ledger.void_deal, session, number=1, note="misdeal")
    assert found(session).best == [Feat(1, 2, 2, 12)]
    assert found(session).fouls == {3: 1}


def test_fantasyland_in_a_row_goes_on_over_void_hands_and_ends_with_a_hand_dealt_card_by_card(session: Session) -> None:
    settle(session, GREAT)
    for _ in range(3):
        settle(session, GREAT)  # hands 2 to 4 are of Fantasyland
    act(ledger.void_deal, session, number=3, note="misdeal")
    settle(session)  # and so is hand 5
    settle(session)
    act(SetNext, session, fantasyland={1: 13}, note="so")
    settle(session)
    assert found(session).fantasyland == [Feat(1, 2, 5, 3)]


def test_a_hand_that_somebody_sat_out_is_not_between_theirs(session: Session) -> None:
    settle(session, GREAT)
    settle(session)
    act(SitOut, session, seat=1)
    settle(session, entry(s2=PLAIN, s3=WEAK))
    act(SitIn, session, seat=1)
    act(SetNext, session, fantasyland={1: 13}, note="so")
    settle(session, LEVEL)
    assert found(session).fantasyland == [Feat(1, 2, 4, 2)]


def test_a_long_evening_takes_no_more_queries(session: Session, statements: list[str]) -> None:
    counts = []
    for hands in (2, 20):
        for _ in range(hands):
            settle(session)
        session.refresh_from_db()
        reads.forget_cached()
        del statements[:]
        reads.highlights(session)
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 7
