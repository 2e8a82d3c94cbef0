"""join, leave, sit_out, sit_in, swap_seats."""

from typing import Any

import pytest

from scoring.actions.chips import BuyIn
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.terms import ChangeTerms
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.ledger.load import seats_of
from scoring.models import Player, Transfer
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, points, settle, start, table, verbs

PENDING = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
"""Ann goes to Fantasyland."""


def order(session) -> list[int]:
    return [chair.number for chair in table(session).chairs]


def codes(refusal) -> set[str]:
    return {problem.code for problem in refusal.value.problems}


def test_someone_joins_on_the_right_of_the_first_seat(session):
    seat = act(Join, session, name="Dan")
    assert (seat.number, seat.name) == (4, "Dan")
    assert order(session) == [1, 2, 3, 4]
    assert table(session).lineup() == (2, 3, 4, 1)


def test_someone_joins_on_the_left_of_a_seat(session):
    act(Join, session, name="Dan", after=1)
    assert order(session) == [1, 4, 2, 3]
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL, s4=STRONG))
    assert points(session)[4] == 3 * 37


def test_places_are_counted_from_one_again_after_everybody_who_comes_or_goes(session):
    act(Join, session, name="Dan", after=1)
    act(Leave, session, seat=2)
    places = session.seats.filter(number__gt=0).order_by("number").values_list("number", "position")
    assert list(places) == [(1, 1), (2, None), (3, 3), (4, 2)]


def test_joining_twice_is_once(session):
    one = act(Join, session, name="Dan", key="same")
    other = act(Join, session, name="Dan", key="same")
    assert one == other
    assert order(session) == [1, 2, 3, 4]


@pytest.mark.parametrize(("name", "code"), [("ann", "duplicate-name"), ("", "missing"), ("x" * 41, "bad-value")])
def test_a_name_that_cannot_be_is_refused(session, name, code):
    with pytest.raises(LedgerError) as refusal:
        act(Join, session, name=name)
    assert code in codes(refusal)
    assert Player.objects.count() == 3
    assert verbs(session) == ["start"]


def test_joining_beside_an_unknown_seat_is_refused(session):
    with pytest.raises(LedgerError) as refusal:
        act(Join, session, name="Dan", after=9)
    assert codes(refusal) == {"unknown-player"}
    assert Player.objects.count() == 3


def test_a_player_who_returns_gets_the_old_seat_number(session):
    settle(session)
    act(Leave, session, seat=2)
    assert order(session) == [1, 3]
    assert table(session).button == 3
    seat = act(Join, session, name="BOB", after=3)
    assert (seat.number, seat.name) == (2, "Bob")
    assert points(session)[2] == 0
    assert order(session) == [1, 3, 2]


def test_a_seat_that_left_is_not_there(session):
    act(Leave, session, seat=2)
    for action in (Leave, SitOut, SitIn):
        with pytest.raises(LedgerError) as refusal:
            act(action, session, seat=2)
        assert codes(refusal) == {"unknown-player"}
    with pytest.raises(LedgerError):
        settle(session, LEVEL)


def test_the_last_one_closes_the_session_instead(session):
    act(Leave, session, seat=1)
    act(Leave, session, seat=2)
    with pytest.raises(LedgerError) as refusal:
        act(Leave, session, seat=3)
    assert codes(refusal) == {"too-few-players"}


def test_leaving_cashes_out(session):
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    act(Leave, session, seat=3)
    assert table(session).stacks == {1: 1000, 2: 1000}
    last = Transfer.objects.latest("pk")
    assert (last.payer.name, last.payee.name, last.amount, last.kind) == ("Cat", "Bank", 1000, "cash-out")


def test_the_button_passes_on_when_its_seat_goes(session):
    act(SitOut, session, seat=1)
    assert table(session).button == 2
    act(SitIn, session, seat=1)
    assert table(session).button == 2
    act(Leave, session, seat=2)
    assert table(session).button == 3


def test_the_button_skips_players_who_sit_out(session):
    act(SitOut, session, seat=2)
    settle(session, entry(s1=PLAIN, s3=WEAK))
    assert table(session).button == 3
    assert points(session) == {1: 6, 2: 0, 3: -6}


def test_everybody_sits_out_and_comes_back(session):
    for seat in (1, 2, 3):
        act(SitOut, session, seat=seat)
    with pytest.raises(LedgerError) as refusal:
        settle(session)
    assert "too-few-players" in codes(refusal)
    act(SitIn, session, seat=3)
    assert table(session).button == 3
    act(SitIn, session, seat=1)
    act(SitIn, session, seat=2)
    settle(session)
    assert table(session).button == 1


def test_sitting_out_twice_is_refused(session):
    act(SitOut, session, seat=1)
    with pytest.raises(LedgerError):
        act(SitOut, session, seat=1)
    with pytest.raises(LedgerError):
        act(SitIn, session, seat=2)


def test_seats_swap_and_the_button_goes_with_its_player(session):
    act(Swap, session, first=1, second=3)
    assert order(session) == [3, 2, 1]
    assert table(session).button == 1
    assert table(session).lineup() == (3, 2, 1)


def test_a_swap_needs_two_players(session):
    with pytest.raises(LedgerError):
        act(Swap, session, first=1, second=1)


MOVES = [
    (Join, {"name": "Dan"}),
    (Leave, {"seat": 2}),
    (SitOut, {"seat": 2}),
    (Swap, {"first": 1, "second": 2}),
]


@pytest.mark.parametrize(("action", "given"), MOVES)
def test_nobody_moves_while_fantasyland_is_pending_unless_the_host_insists(session, action, given):
    settle(session, PENDING)
    with pytest.raises(LedgerError) as refusal:
        act(action, session, **given)
    assert codes(refusal) == {"fantasyland-pending"}
    with pytest.raises(LedgerError) as refusal:
        act(action, session, insist=True, **given)
    assert codes(refusal) == {"missing"}
    act(action, session, insist=True, note="It is late", **given)
    assert table(session).fantasyland == {1: 13}


@pytest.mark.parametrize("action", [Leave, SitOut])
def test_leaving_forfeits_fantasyland_and_the_button_moves_on(session, action):
    settle(session, PENDING)
    assert table(session).held
    act(action, session, seat=1, insist=True, note="Had to go")
    now = table(session)
    assert (now.fantasyland, now.held, now.button) == ({}, False, 2)
    assert now.dealt == {1}


def test_another_ones_fantasyland_holds_the_button(db):
    session = start("Ann Bob Cat Dan")
    settle(session, entry(s1=PLAIN, s2=STRONG, s3=WEAK, s4=FOUL))
    act(SitOut, session, seat=3, insist=True, note="Phone")
    now = table(session)
    assert (now.fantasyland, now.held, now.button) == ({2: 13}, True, 1)


def test_five_may_sit_and_four_are_dealt_in(db):
    session = start("Ann Bob Cat Dan")
    act(Join, session, name="Eve")
    assert table(session).sitter() == 1
    act(Join, session, name="Fay")
    with pytest.raises(LedgerError) as refusal:
        settle(session, entry(s2=PLAIN, s3=WEAK, s4=FOUL, s5=STRONG))
    assert codes(refusal) == {"too-many-players"}
    act(SitOut, session, seat=6)
    settle(session, entry(s2=PLAIN, s3=WEAK, s4=FOUL, s5=STRONG))


def test_a_stale_table_is_a_conflict(session):
    seen = session.version
    act(SitOut, session, seat=1)
    with pytest.raises(Conflict):
        act(Leave, session, seat=2, version=seen)


def test_an_orbit_is_complete_when_the_last_player_to_deal_leaves(session):
    settle(session)
    settle(session)
    act(Leave, session, seat=3)
    assert (table(session).dealt, table(session).orbits) == (frozenset(), 1)


WHO_IS_OWED = "Ann is due Fantasyland and can't sit out with the button"


@pytest.mark.parametrize("action", [Join, SitIn])
def test_a_fourth_at_a_pineapple_table_does_not_take_fantasyland_from_the_button(db, action):
    session = start(rules="pineapple")
    given: dict[str, Any] = {"name": "Dan"}
    if action is SitIn:
        given = {"seat": act(Join, session, **given).number}
        act(SitOut, session, **given)
    settle(session, PENDING)
    given.update(insist=True, note="Late")
    before = verbs(session)
    with pytest.raises(LedgerError, match=WHO_IS_OWED):
        act(action, session, **given)
    assert verbs(session) == before
    act(SetNext, session, button=2, note="Ann plays on")
    act(action, session, **given)
    assert (table(session).sitter(), table(session).fantasyland) == (2, {1: 14})


def test_new_house_rules_do_not_take_fantasyland_from_the_button(db):
    session = start("Ann Bob Cat Dan")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK, s4=FOUL))
    with pytest.raises(LedgerError, match=WHO_IS_OWED):
        act(ChangeTerms, session, rules="pineapple")
    act(ChangeTerms, session, stake=200)
    assert table(session).fantasyland == {1: 13}


def test_the_table_knows_who_has_left_it(session):
    act(Leave, session, seat=1)
    assert {seat: table(session).name(seat) for seat in (1, 2, -1)} == {1: "Ann", 2: "Bob", -1: "Seat -1"}


def test_nobody_has_chips_in_front_of_them_on_credit(session):
    settle(session)
    assert {seat.chips for seat in seats_of(session)} == {0}
