import dataclasses
from itertools import combinations

import pytest

from scoring import ledger, reads
from scoring.actions import TABLE_ACTIONS
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.models import Revision
from tests.ledger.conftest import (
    FOUL,
    LEVEL,
    PLAIN,
    STRONG,
    WEAK,
    act,
    entry,
    money,
    points,
    settle,
    start,
    table,
    totals,
    verbs,
)

SWAPPED = entry(s1=WEAK, s2=PLAIN, s3=FOUL)


def test_a_settled_hand_becomes_void(session):
    settle(session)
    event = act(ledger.undo, session)
    assert points(session) == {1: 0, 2: 0, 3: 0}
    assert (event.undoes, event.deal) == (2, 1)
    assert session.next_number == 2
    assert table(session).button == 1


def test_what_was_undone_at_another_table_can_be_undone_here(session):
    """Events are numbered by session, so the same number says nothing of another one's."""
    other = start("Dan Eve", club=session.club)
    settle(other, entry(s1=PLAIN, s2=WEAK))
    settle(session)
    assert act(ledger.undo, other).undoes == 2
    assert act(ledger.undo, session).undoes == 2


def test_a_correction_goes_back_to_what_was(session):
    settle(session)
    before = (points(session), table(session))
    act(ledger.correct_deal, session, number=1, entry=SWAPPED)
    act(ledger.undo, session)
    assert (points(session), table(session)) == before


def test_a_correction_that_carried_through_goes_back_whole(session):
    for _ in range(4):
        settle(session)
    before = (points(session), table(session))
    act(
        ledger.correct_deal,
        session,
        number=2,
        entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK),
        note="Aces",
    )
    assert table(session) != before[1] or points(session) != before[0]
    act(ledger.undo, session)
    assert (points(session), table(session)) == before


def test_void_and_restore_go_back(session):
    settle(session)
    act(ledger.void_deal, session, number=1)
    act(ledger.undo, session)
    assert points(session)[1] == 12
    act(ledger.undo, session)  # undoes the settlement itself
    assert points(session)[1] == 0
    act(ledger.restore_deal, session, number=1)
    act(ledger.undo, session)
    assert points(session)[1] == 0


CHIPS = [
    (BuyIn, {"seat": 1, "amount": 500}),
    (BuyInAll, {"seats": [1, 2, 3], "amount": 500}),
    (CashOut, {"seat": 1, "amount": 100}),
    (Penalty, {"seat": 1, "points": 1, "note": "Clock"}),
    (SideBet, {"payer": 1, "payee": 2, "amount": 100, "note": "Red"}),
    (Fee, {"amount": 10, "note": "Room"}),
]


@pytest.mark.parametrize(("action", "given"), CHIPS)
def test_money_that_was_moved_goes_back(session, action, given):
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    before = (totals(session), table(session))
    act(action, session, **given)
    assert (totals(session), table(session)) != before
    act(ledger.undo, session)
    assert (totals(session), table(session)) == before


def test_the_first_buy_in_goes_back_to_credit(session):
    act(BuyIn, session, seat=1, amount=500)
    act(ledger.undo, session)
    assert table(session).stacks is None
    settle(session)
    assert money(session)[1] == 1200


SEATS = [
    (Join, {"name": "Dan"}),
    (Join, {"name": "Dan", "after": 1}),
    (Leave, {"seat": 2}),
    (SitOut, {"seat": 2}),
    (SitIn, {"seat": 3}),
    (Swap, {"first": 1, "second": 2}),
    (ChangeTerms, {"stake": 5, "pair_stakes": [(1, 2, 7)], "rules": "cardplayer"}),
    (SetNext, {"button": 1, "note": "so"}),
]


def test_every_action_that_can_be_undone_is_one_of_these():
    undoable = {action for action in TABLE_ACTIONS.values() if action.undoable}
    missing = {action.__name__ for action in undoable ^ {action for action, _ in CHIPS + SEATS}}
    assert not missing, (
        f"tests/ledger/test_undo.py: CHIPS or SEATS, which are undone here, have no example of {missing}"
    )


@pytest.mark.parametrize(("action", "given"), SEATS)
def test_the_table_goes_back(session, action, given):
    hand = Entry(points=((1, 2, 1),))
    act(SitOut, session, seat=3)
    if action is not SitIn:
        act(SitIn, session, seat=3)
    settle(session, hand)
    before = table(session)
    act(action, session, **given)
    assert table(session) != before
    act(ledger.undo, session)
    assert table(session) == before
    settle(session, hand)


def test_a_booked_late_buy_in_goes_back(db):
    session = start(rules={"win_cap": "none"})
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=500)
    settle(session)
    before = (totals(session), table(session))
    act(BuyIn, session, seat=3, amount=2000, before=1, note="Forgotten")
    act(ledger.undo, session)
    assert (totals(session), table(session)) == before


def test_one_after_the_other_back_to_the_start(session):
    first = table(session)
    settle(session)
    act(SitOut, session, seat=1)
    settle(session, entry(s2=PLAIN, s3=WEAK))
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="Swapped")
    for _ in range(4):
        act(ledger.undo, session)
    assert table(session) == first
    assert points(session) == {1: 0, 2: 0, 3: 0}
    with pytest.raises(LedgerError, match="nothing to undo"):
        act(ledger.undo, session)
    assert verbs(session)[-4:] == ["undo"] * 4


def test_what_happens_at_another_table_is_not_undone_here(session):
    settle(session)
    other = start("Dan Eve Fay")
    settle(other)
    act(ledger.undo, other)
    settle(other)
    assert act(ledger.undo, session).undoes == 2
    assert ledger.last_undoable(session) is None


def test_a_double_tap_undoes_once(session):
    settle(session)
    settle(session)
    act(ledger.undo, session, key="same")
    act(ledger.undo, session, key="same")
    assert points(session)[1] == 12


def test_what_was_not_seen_is_not_undone(session):
    settle(session)
    seen = session.version
    act(SitOut, session, seat=1)
    with pytest.raises(Conflict):
        act(ledger.undo, session, version=seen)


def test_the_history_says_by_what(session):
    settle(session, LEVEL)
    act(ledger.undo, session)
    (undone, by), _ = [(each.event.verb, each.undone_by) for each in reads.history(session)[0]][1:]
    assert (undone, by) == ("settle", 3)


def test_undo_settles_no_hand_again_that_came_before(session):
    """Hand 2 has its own button, needlessly since the second correction; that a fee is taken back leaves it alone."""
    settle(session)
    settle(session)
    for button in (3, 2):
        entry = dataclasses.replace(LEVEL, button=button)
        act(ledger.correct_deal, session, number=2, entry=entry, note=f"Seat {button} had the button")
    before = Revision.objects.count()
    act(Fee, session, amount=10, note="Room")
    act(ledger.undo, session)
    assert Revision.objects.count() == before


def test_a_hand_of_a_player_who_no_longer_joined_is_not_restored(session):
    """Dan joined and had the button in hand 4. Undo then went back behind the joining."""
    act(Join, session, name="Dan")
    for _ in range(4):
        settle(session, Entry(points=tuple((one, other, 1) for one, other in combinations(range(1, 5), 2))))
    for _ in range(5):
        act(ledger.undo, session)
    with pytest.raises(LedgerError, match=r"Dan was not at the table\."):
        act(ledger.restore_deal, session, number=4, note="It counts")
