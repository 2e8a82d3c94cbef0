import dataclasses

import pytest

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.deals import Remark
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.models import BoardResult, Deal, Event, PairResult, Revision, Transfer
from tests.ledger.conftest import (
    FOUL,
    LEVEL,
    PLAIN,
    STRONG,
    WEAK,
    act,
    document,
    entry,
    money,
    outcome,
    points,
    settle,
    start,
    table,
    verbs,
)


def test_it_books_points_and_money_of_every_pair(session):
    settle(session)
    assert points(session) == {1: 12, 2: 0, 3: -12}
    assert money(session) == {1: 1200, 2: 0, 3: -1200}
    lines = {(line.payer.name, line.payee.name): (line.points, line.amount) for line in Transfer.objects.all()}
    assert lines == {("Cat", "Bob"): (6, 600), ("Bob", "Ann"): (6, 600), ("Cat", "Ann"): (6, 600)}


def test_it_settles_by_pair_stakes(db):
    session = start(stake=100, pair_stakes=[(1, 2, 1000)])
    settle(session)
    assert points(session) == {1: 12, 2: 0, 3: -12}
    assert money(session) == {1: 6600, 2: -5400, 3: -1200}


def test_it_keeps_all_that_was_true(session):
    deal = settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    revision = Revision.objects.get(deal=deal)
    assert (revision.n, revision.kind, revision.button, revision.next_button) == (1, "settle", 1, 1)
    assert [player["name"] for player in document(1)["players"]] == ["Bob", "Cat", "Ann"]
    assert document(1)["stake"] == 100
    assert document(1)["rules"]["preset"] == "regular"
    ann = BoardResult.objects.get(seat__name="Ann")
    assert (ann.front, ann.royalties, ann.fantasyland_next, ann.points) == ("AhAdKc", 31, 13, 74)
    cat = BoardResult.objects.get(seat__name="Cat")
    assert cat.foul
    assert "King" in cat.foul_reason
    pairs = [(pair.first.name, pair.second.name, pair.points) for pair in PairResult.objects.order_by("order")]
    assert pairs == [("Bob", "Cat", 6), ("Bob", "Ann", -37), ("Cat", "Ann", -37)]


def test_what_is_stored_reads_back_as_it_was_shown(session):
    boards = entry(s1=STRONG, s2=FOUL, s3=WEAK)
    shown = ledger.preview(session=session, entry=boards)
    deal = settle(session, boards)
    assert outcome(deal) == shown.outcome


def test_a_preview_writes_nothing(session):
    ledger.preview(session=session, entry=LEVEL)
    assert not Deal.objects.exists()
    assert verbs(session) == ["start"]


def test_a_preview_says_what_comes_next(session):
    shown = ledger.preview(session=session, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert shown.number == 1
    assert shown.after.button == 1
    assert shown.after.fantasyland == {1: 13}


def test_a_double_tap_settles_once(session):
    one = settle(session, key="same")
    other = settle(session, key="same", number=1)
    assert one == other
    assert Deal.objects.count() == 1
    assert verbs(session) == ["start", "settle"]


def test_the_same_key_with_other_cards_is_a_conflict(session):
    settle(session, key="same")
    with pytest.raises(Conflict):
        settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK), key="same", number=1)
    assert Deal.objects.count() == 1


def test_a_number_that_is_settled_is_a_conflict(session):
    settle(session)
    with pytest.raises(Conflict) as conflict:
        settle(session, number=1)
    assert conflict.value.session.next_number == 2
    assert "Hand 1 has been settled" in str(conflict.value)


def test_a_number_that_is_not_next_is_a_conflict(session):
    with pytest.raises(Conflict):
        settle(session, number=2)


def test_a_preview_of_another_table_is_a_conflict(session):
    seen = ledger.preview(session=session, entry=LEVEL).version
    act(ChangeTerms, session, stake=200)
    with pytest.raises(Conflict):
        settle(session, version=seen)
    assert not Deal.objects.exists()


def test_bad_cards_are_named_at_their_player_and_row(session):
    boards = entry(s1=Rows("AhAdKc", "2h2d2s3h3d", "4h4d4s4c"), s2=Rows("AhZd", "6h6d8s9dTc", "7h7d8h8cTs"), s3=WEAK)
    with pytest.raises(LedgerError) as refusal:
        settle(session, boards)
    found = {(problem.code, problem.where) for problem in refusal.value.problems}
    # Players are listed in the order of the deal: Bob is under the gun, Ann has the button.
    assert ("wrong-count", "players[2].back") in found
    assert ("unreadable-card", "players[0].front") in found
    assert not Deal.objects.exists()
    assert verbs(session) == ["start"]


def test_a_missing_board_and_a_strangers_board_are_refused(session):
    with pytest.raises(LedgerError) as refusal:
        settle(session, entry(s1=STRONG, s2=PLAIN))
    assert {problem.where for problem in refusal.value.problems} >= {"players[1].front", "players[1].back"}
    with pytest.raises(LedgerError) as refusal:
        settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK, s9=FOUL))
    assert {problem.where for problem in refusal.value.problems} == {"seats[9]"}


def test_a_novel_is_no_row(session):
    with pytest.raises(LedgerError) as refusal:
        settle(session, entry(s1=Rows("A" * 101, "2h2d2s3h3d", "4h4d4s4c5h"), s2=PLAIN, s3=WEAK))
    assert [problem.where for problem in refusal.value.problems] == ["players[2].front"]


def test_rulings_stand_in_for_cards(db):
    session = start(rules={"surrender_points": 3})
    settle(session, entry(s1=PLAIN, s2=Rows(ruling="dead"), s3=Rows(ruling="surrendered")))
    assert points(session) == {1: 6 + 3, 2: -6 + 3, 3: -6}
    assert BoardResult.objects.get(seat__number=2).foul
    assert not BoardResult.objects.get(seat__number=3).foul


def test_a_deal_that_the_table_scored_itself(session):
    settle(session, Entry(points=((1, 2, 4), (3, 1, 6))))
    assert points(session) == {1: -2, 2: -4, 3: 6}
    assert BoardResult.objects.filter(rows__isnull=True).count() == 3
    assert outcome(Deal.objects.get()).result["players"][0].keys() == {
        "name",
        "points",
        "money",
        "stack",
        "busted",
    }


def test_what_is_otherwise_in_a_hand_is_set_for_the_table(session):
    with pytest.raises(LedgerError):
        settle(session, dataclasses.replace(LEVEL, button=2, note="no"))


def test_an_amount_beyond_sixteen_digits_is_refused(db):
    session = start(stake=10**15)
    with pytest.raises(LedgerError) as refusal:
        settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert {problem.code for problem in refusal.value.problems} == {"bad-value"}
    settle(session)
    assert money(session)[1] == 12 * 10**15


def test_a_stake_of_nothing_still_counts_points(db):
    session = start(stake=0)
    settle(session)
    assert points(session) == {1: 12, 2: 0, 3: -12}
    assert money(session) == {1: 0, 2: 0, 3: 0}


# --- The button and Fantasyland -----------------------------------------------------------------


def test_the_button_moves_left_after_a_normal_hand(session):
    seen = []
    for _ in range(4):
        seen.append(table(session).button)
        settle(session)
    assert seen == [1, 2, 3, 1]


def test_the_button_stays_for_fantasyland_and_goes_on_after_it(session):
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    now = table(session)
    assert (now.button, now.fantasyland, now.held) == (1, {1: 13}, True)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # quads in the back keep Ann in Fantasyland
    now = table(session)
    assert (now.button, now.fantasyland) == (1, {1: 13})
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    now = table(session)
    assert (now.button, now.fantasyland, now.held) == (2, {}, False)
    dealt = BoardResult.objects.filter(seat__number=1).order_by("revision__deal__number")
    assert list(dealt.values_list("fantasyland_cards", flat=True)) == [0, 13, 13]


def test_the_button_may_move_every_hand(db):
    session = start(rules={"button_in_fantasyland": "moves"})
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    now = table(session)
    assert (now.button, now.fantasyland, now.held) == (2, {1: 13}, False)


def test_aces_in_fantasyland_do_not_stay(session):
    settle(session, entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    aces = Rows("AhAdKc", "QhQd2s3h4d", "KhKd5s5c6h")
    settle(session, entry(s1=Rows("7s8d9c", "6d6s8s9dTc", "7h7d8h8cTs"), s2=aces, s3=Rows(ruling="dead")))
    assert table(session).fantasyland == {}
    assert table(session).button == 2


def test_an_orbit_is_complete_when_all_have_dealt(session):
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert table(session).dealt == {1}  # Bob keeps the button for Ann's Fantasyland
    settle(session)
    assert table(session).dealt == {1, 2}
    settle(session)
    assert (table(session).dealt, table(session).orbits) == (frozenset(), 1)


def test_four_at_a_pineapple_table_the_button_sits_out(db):
    session = start("Ann Bob Cat Dan", rules="pineapple")
    boards = [PLAIN, WEAK, FOUL]
    for button in (1, 2, 3, 4, 1):
        now = table(session)
        assert now.button == button
        assert button not in now.lineup()
        assert now.lineup()[0] == button % 4 + 1
        settle(session, Entry(boards=dict(zip(now.lineup(), boards, strict=True))))


def test_the_same_three_play_fantasyland_and_the_sitter_sits_again(db):
    session = start("Ann Bob Cat Dan", rules="pineapple")
    settle(session, entry(s2=STRONG, s3=PLAIN, s4=WEAK))
    now = table(session)
    assert (now.button, now.lineup(), now.fantasyland) == (1, (2, 3, 4), {2: 14})


def test_a_player_owed_fantasyland_does_not_sit_out(db):
    session = start("Ann Bob Cat Dan", rules={"preset": "pineapple", "button_in_fantasyland": "moves"})
    settle(session, entry(s2=STRONG, s3=PLAIN, s4=WEAK))
    assert table(session).button == 3  # not Bob (seat 2), who plays Fantasyland


# --- Cost -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [1, 40])
def test_settling_takes_twelve_statements_at_most(session, statements, hands):
    act(BuyIn, session, seat=1, amount=10**6)
    act(BuyIn, session, seat=2, amount=10**6)
    act(BuyIn, session, seat=3, amount=10**6)
    act(ChangeTerms, session, pair_stakes=[(1, 2, 200)])
    for _ in range(hands):
        settle(session, Entry(points=((1, 2, 1),)))
    del statements[:]
    # Stacks, pair stakes and Fantasyland make this the costliest case.
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert len(statements) <= 12, "\n".join(statements)


def test_events_say_what_changed(session):
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    event = Event.objects.get(verb="settle")
    assert (event.deal, event.deals, event.by, event.note) == (1, 1, "host", "")
    assert event.before == {"fantasyland": {}, "held": False}
    assert event.after == {"fantasyland": {"1": 13}, "held": True}


def test_a_repeat_need_not_have_the_same_remark(session):
    first = settle(session, key="one", remark=Remark(changed=[(1, "AhAdKc/2h2d2s3h3d/")]))
    assert settle(session, number=1, key="one", remark=Remark(other_cards=[(2, 7)])) == first
    assert session.events.get(deal=1).action["changed"] == [[1, "AhAdKc/2h2d2s3h3d/"]]


def test_a_settlement_without_a_remark_is_stored_as_earlier_releases_stored_it(session):
    settle(session)
    assert list(session.events.get(deal=1).action) == ["entry"]
