"""buy_in, cash_out, penalty, side_bet, fee, change_terms."""

import pytest

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import SitOut
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.errors import LedgerError
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT
from scoring.models import Deal, Transfer
from tests.ledger.conftest import LEVEL, act, money, outcome, points, settle, start, table, totals, verbs, winnings


def codes(refusal) -> set[str]:
    return {problem.code for problem in refusal.value.problems}


def chips(session, *amounts):
    for seat, amount in enumerate(amounts, 1):
        act(BuyIn, session, seat=seat, amount=amount)


def test_from_the_first_buy_in_on_stacks_are_limited(session):
    settle(session)
    assert table(session).stacks is None
    chips(session, 500, 500, 500)
    assert table(session).stacks == {1: 500, 2: 500, 3: 500}
    shown = ledger.preview(session=session, entry=LEVEL)
    # Bob has the button. Cat pays Ann everything and is busted; then Bob pays Ann.
    assert [(player["name"], player["stack"], player["busted"]) for player in shown.outcome.result["players"]] == [
        ("Cat", 0, True),
        ("Ann", 1500, False),
        ("Bob", 0, True),
    ]
    settle(session)
    assert table(session).stacks == {1: 1500}
    assert money(session) == {1: 1200 + 1000, 2: -500, 3: -1200 - 500}
    assert points(session) == {1: 24, 2: 0, 3: -24}
    assert totals(session)[BANK].chips == -1500


def test_a_player_without_chips_is_not_dealt_in(session):
    chips(session, 500, 500)
    with pytest.raises(LedgerError, match="Cat is out of chips"):
        settle(session)
    chips(session, 1, 1, 1)
    settle(session)


def test_without_a_loss_cap_chips_may_run_out(db):
    session = start(rules={"loss_cap": False, "win_cap": "none"})
    chips(session, 500, 500, 500)
    settle(session)
    settle(session)
    assert table(session).stacks == {1: 2900, 2: 500, 3: -1900}


def test_chips_come_back_from_the_bank(session):
    chips(session, 500, 500, 500)
    act(CashOut, session, seat=1, amount=200)
    assert table(session).stacks == {1: 300, 2: 500, 3: 500}
    assert totals(session)[1].bought == 300
    assert totals(session)[BANK].bought == -1300


def test_no_more_than_there_is_comes_back(session):
    with pytest.raises(LedgerError) as refusal:
        act(CashOut, session, seat=1, amount=1)
    assert codes(refusal) == {"not-enough-chips"}
    chips(session, 500, 500, 500)
    with pytest.raises(LedgerError) as refusal:
        act(CashOut, session, seat=1, amount=501)
    assert codes(refusal) == {"not-enough-chips"}
    assert table(session).stacks == {1: 500, 2: 500, 3: 500}


@pytest.mark.parametrize("amount", [0, -1, 10**16, 1.5, True])
@pytest.mark.parametrize("action", [BuyIn, CashOut])
def test_nothing_and_less_are_no_amounts(session, action, amount):
    chips(session, 500)
    with pytest.raises(LedgerError) as refusal:
        act(action, session, seat=1, amount=amount)
    assert "bad-value" in codes(refusal)


def test_only_players_at_the_table_buy_in(session):
    with pytest.raises(LedgerError) as refusal:
        act(BuyIn, session, seat=7, amount=100)
    assert codes(refusal) == {"unknown-player"}


def test_a_forgotten_buy_in_stands_where_it_was_made(db):
    session = start(rules={"win_cap": "none"})
    chips(session, 500, 500, 500)
    settle(session)  # Cat pays Bob 500 and is busted; Bob pays Ann 600
    assert table(session).stacks == {1: 1100, 2: 400}
    with pytest.raises(LedgerError, match="Please give a reason"):
        act(BuyIn, session, seat=3, amount=2000, before=1)
    shown = ledger.preview_late(session=session, action=BuyIn(3, 2000, 1))
    assert [change.number for change in shown.changes] == [1]
    assert shown.changes[0].before == winnings(outcome(Deal.objects.get(session=session)))
    act(BuyIn, session, seat=3, amount=2000, before=1, note="Cat had a stack of 25")
    assert table(session).stacks == {1: 1700, 2: 500, 3: 1300}
    assert table(session) == shown.after
    page = reads.ledger_page(session)
    assert [adjustment.event.verb for adjustment in page.opening] == ["buy-in"] * 4


def test_stacks_are_not_put_under_a_hand_played_on_credit(session):
    settle(session)
    with pytest.raises(LedgerError, match="on credit"):
        act(BuyIn, session, seat=1, amount=100, before=1, note="late")
    assert table(session).stacks is None


def test_a_penalty_goes_to_each_opponent_at_their_stake(db):
    session = start(pair_stakes=[(1, 2, 1000)])
    act(Penalty, session, seat=1, points=3, note="Turned a card early")
    assert points(session) == {1: -6, 2: 3, 3: 3}
    assert money(session) == {1: -3300, 2: 3000, 3: 300}


def test_a_penalty_skips_players_who_sit_out(session):
    act(SitOut, session, seat=3)
    act(Penalty, session, seat=1, points=1, note="Clock")
    assert points(session) == {1: -1, 2: 1, 3: 0}


def test_a_penalty_to_some(session):
    act(Penalty, session, seat=1, points=1, to=[3], note="Clock")
    assert points(session) == {1: -1, 2: 0, 3: 1}


@pytest.mark.parametrize(
    "given",
    [
        {"seat": 1, "points": 0},
        {"seat": 1, "points": -1},
        {"seat": 1, "points": 1_000_000},
        {"seat": 9, "points": 1},
        {"seat": -1, "points": 1},
        {"seat": 1, "points": 1, "to": []},
        {"seat": 1, "points": 1, "to": [1]},
        {"seat": 1, "points": 1, "to": [2, 2]},
        {"seat": 1, "points": 1, "note": "  "},
    ],
)
def test_an_invalid_penalty_is_refused(session, given):
    with pytest.raises(LedgerError):
        act(Penalty, session, **{"note": "so", **given})
    assert verbs(session) == ["start"]


def test_a_side_bet_moves_money_and_no_points(session):
    act(SideBet, session, payer=1, payee=3, amount=500, note="Red flop")
    assert points(session) == {1: 0, 2: 0, 3: 0}
    assert money(session) == {1: -500, 2: 0, 3: 500}


@pytest.mark.parametrize(
    "given",
    [
        {"payer": 1, "payee": 1, "amount": 5},
        {"payer": 1, "payee": 9, "amount": 5},
        {"payer": 1, "payee": -2, "amount": 5},
        {"payer": 1, "payee": 2, "amount": 0},
        {"payer": 1, "payee": 2, "amount": 5, "note": ""},
    ],
)
def test_an_invalid_side_bet_is_refused(session, given):
    with pytest.raises(LedgerError):
        act(SideBet, session, **{"note": "so", **given})
    assert not Transfer.objects.exists()


def test_a_fee_is_booked_apart(session):
    act(Fee, session, amount=250, note="The room")
    found = totals(session)
    assert (found[1].money, found[1].points, found[1].fees) == (0, 0, 250)
    assert found[HOUSE].fees == -750
    act(Fee, session, amount=50, seats=[2], note="Sandwich")
    assert totals(session)[2].fees == 300


def test_adjustments_move_chips_where_there_are_chips(session):
    chips(session, 500, 500, 500)
    act(Penalty, session, seat=1, points=1, note="Clock")
    act(SideBet, session, payer=2, payee=3, amount=50, note="Red")
    act(Fee, session, amount=10, note="Room")
    assert table(session).stacks == {1: 290, 2: 540, 3: 640}
    with pytest.raises(LedgerError) as refusal:
        act(SideBet, session, payer=1, payee=2, amount=291, note="All of it")
    assert codes(refusal) == {"not-enough-chips"}


def test_new_terms_hold_from_the_next_hand_on(session):
    settle(session)
    act(ChangeTerms, session, stake=200, pair_stakes=[(1, 2, 500)], rules={"scoring": "1-4"})
    settle(session)
    assert points(session) == {1: 12 + 8, 2: 0, 3: -12 - 8}
    assert money(session) == {1: 1200 + 2000 + 800, 2: -2000 + 800, 3: -1200 - 1600}
    act(ChangeTerms, session, pair_stakes=[])
    assert table(session).pair_stake(1, 2) == 200


def test_what_two_play_for_at_one_table_is_nothing_to_another(session):
    act(ChangeTerms, session, pair_stakes=[(1, 2, 500)])
    other = start(club=session.club, pair_stakes=[(1, 2, 700)])
    act(ChangeTerms, other, pair_stakes=[(1, 3, 900)])
    assert table(session).pair_stakes == {(1, 2): 500}
    assert table(other).pair_stakes == {(1, 3): 900}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"stake": -5},
        {"stake": 10**16},
        {"rules": "poker"},
        {"rules": {"decks": 3}},
        {"pair_stakes": [(1, 9, 5)]},
        {"pair_stakes": [(1, -1, 5)]},
    ],
)
def test_no_terms_that_make_no_sense(session, given):
    with pytest.raises(LedgerError):
        act(ChangeTerms, session, **given)
    assert verbs(session) == ["start"]


BEYOND = "Ann would have a stack of more than 16 digits"


def test_no_chips_come_to_a_stack_that_no_hand_could_be_settled_on(session):
    chips(session, MAX_AMOUNT, MAX_AMOUNT, 5000)
    for action, given in (
        (BuyIn, {"seat": 1, "amount": 1}),
        (SideBet, {"payer": 3, "payee": 1, "amount": 1, "note": "so"}),
        (Penalty, {"seat": 3, "points": 1, "to": [1], "note": "so"}),
    ):
        with pytest.raises(LedgerError, match=BEYOND) as refusal:
            act(action, session, **given)
        assert codes(refusal) == {"bad-value"}
    act(CashOut, session, seat=1, amount=1)
    act(SideBet, session, payer=3, payee=1, amount=1, note="so")
    assert table(session).stacks == {1: MAX_AMOUNT, 2: MAX_AMOUNT, 3: 4999}


def test_no_hand_wins_a_stack_on_which_the_next_could_not_be_settled(session):
    chips(session, MAX_AMOUNT - 1199, 5000, 5000)
    with pytest.raises(LedgerError, match=BEYOND) as refusal:
        settle(session)
    assert [(problem.code, problem.where) for problem in refusal.value.problems] == [("bad-value", "players[2]")]
    act(CashOut, session, seat=1, amount=1)
    settle(session)
    assert table(session).stacks == {1: MAX_AMOUNT, 2: 5000, 3: 3800}
    act(CashOut, session, seat=1, amount=10**15)
    settle(session)


def test_no_debt_grows_beyond_what_a_hand_can_be_settled_on(db):
    session = start(rules={"loss_cap": False, "win_cap": "none"})
    chips(session, 1, 1, 1)
    act(SideBet, session, payer=1, payee=2, amount=MAX_AMOUNT - 1, note="so")
    with pytest.raises(LedgerError, match=BEYOND):
        act(Fee, session, seats=[1], amount=MAX_AMOUNT, note="so")


@pytest.mark.parametrize("before", [0, 2, 99])
def test_a_buy_in_cannot_be_booked_before_a_hand_that_was_not_played(session, before):
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=10_000)
    settle(session)
    stacks = table(session).stacks
    with pytest.raises(LedgerError) as refused:
        act(BuyIn, session, seat=1, amount=500, before=before, note="forgotten")
    assert [problem.code for problem in refused.value.problems] == ["unknown-deal"]
    with pytest.raises(LedgerError):
        ledger.preview_late(session=session, action=BuyIn(1, 500, before))
    assert table(session).stacks == stacks


@pytest.mark.parametrize("wrong", [BuyIn(1, 0, 1), BuyIn(9, 500, 1)], ids=["nothing", "nobody"])
def test_a_late_buy_in_that_would_be_refused_has_no_preview(session, wrong):
    act(BuyInAll, session, amount=10_000)
    settle(session)
    with pytest.raises(LedgerError) as refused:
        ledger.record(session=session, action=wrong, note="forgotten", key="late", by="host")
    with pytest.raises(LedgerError) as previewed:
        ledger.preview_late(session=session, action=wrong)
    assert previewed.value.problems == refused.value.problems
