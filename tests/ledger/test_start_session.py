from decimal import Decimal

import pytest

from scoring import ledger
from scoring.actions.people import Join
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.models import Club, Player, Session
from tests.ledger.conftest import act, key, settle, start, table, totals, verbs


def codes(refusal) -> set[tuple[str, str]]:
    return {(problem.code, problem.where) for problem in refusal.value.problems}


def test_it_seats_the_names_clockwise(db):
    session = start("Ann Bob Cat", button=2, stake=250, pair_stakes=[(1, 3, 1000)])
    now = table(session)
    assert [(chair.number, chair.name) for chair in now.chairs] == [(1, "Ann"), (2, "Bob"), (3, "Cat")]
    assert now.lineup() == (3, 1, 2)
    assert now.pair_stake(1, 2) == 250
    assert now.pair_stake(3, 1) == 1000
    assert session.next_number == 1
    assert verbs(session) == ["start"]
    assert set(totals(session)) == {1, 2, 3, -1, -2}


def test_what_is_not_said_is_as_at_most_tables(db):
    """Ann has the button, money has two digits after the point, and chips are on credit."""
    session = ledger.start_session(names=["Ann", "Bob"], stake=100, currency="EUR", buy_in=500, key=key(), by="host")
    assert (session.button, session.minor_digits, session.cash, session.name) == (1, 2, False, "")


def test_the_first_event_says_how_the_table_was(db):
    session = start("Ann Bob", button=2)
    event = session.events.get()
    assert (event.n, event.deals, event.before, event.after) == (1, 0, {}, table(session).as_document())
    assert {seat.number: (seat.kind, seat.name) for seat in session.seats.filter(number__lt=0)} == {
        -1: ("bank", "Bank"),
        -2: ("house", "House"),
    }


def test_it_keeps_the_house_rules_whole(db):
    session = start(rules={"preset": "pineapple", "scoring": "2-4"})
    assert session.rules["game"] == "pineapple"
    assert session.rules["scoring"] == "2-4"
    assert session.rules["fantasyland_cards"] == 14


def test_twice_is_once(db):
    one, other = start(key="same"), start(key="same")
    assert one == other
    assert Session.objects.count() == 1
    assert Player.objects.count() == 3


def test_a_start_that_is_sent_again_after_a_hand_finds_its_session(db):
    first = start(key="same", buy_in=5_000)
    settle(first)
    assert start(key="same", buy_in=5_000) == first
    with pytest.raises(Conflict):
        start(key="same")


def test_it_has_its_name_from_the_beginning(db):
    session = start(name=" Friday ")
    assert session.name == session.events.get().action["name"] == "Friday"


def test_chips_for_cash_and_on_credit_are_two_requests(db):
    start(key="same", buy_in=5_000, cash=True)
    with pytest.raises(Conflict):
        start(key="same", buy_in=5_000)


def test_its_events_say_who_asked_by_which_link_and_with_which_key(db):
    session = start(key="same", buy_in=5_000, by="Ann’s phone", link=7)
    first, chips = session.events.order_by("n")
    assert (first.by, first.link, first.key) == ("Ann’s phone", 7, "same")
    assert (chips.by, chips.link) == ("Ann’s phone", 7)


def test_a_session_that_was_started_since_is_a_conflict(db):
    club = start().club
    club.refresh_from_db()
    seen = club.started
    start(club=club, started=seen)
    with pytest.raises(LedgerError) as refusal:
        start(club=club, started=seen)
    assert codes(refusal) == {("stale", "")}
    assert Session.objects.filter(club=club).count() == 2


def test_the_same_key_for_another_table_is_a_conflict(db):
    start(key="same")
    with pytest.raises(Conflict, match=r"^This form has already started another session\.$"):
        start("Dan Eve", key="same")
    assert Session.objects.count() == 1


def test_public_ids_cannot_be_guessed(db):
    ids = {start(key=key()).public_id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(public_id) == 24 and public_id[0] != "-" for public_id in ids)


def test_a_club_knows_its_players_whatever_their_case(db):
    club = Club.objects.create(name="Tuesdays")
    start("Ann Bob", club=club)
    start("ANN Cat", club=club)
    assert Player.objects.filter(club=club).count() == 3


def test_a_club_knows_only_its_own_players(db):
    """Another club has since played with people of the same names."""
    first = start("Ann Bob")
    start("Ann Bob Cat")
    again = start("Ann Bob", club=first.club)
    act(Join, again, name="Cat")
    assert set(again.seats.filter(number__gt=0).values_list("player__club", flat=True)) == {first.club_id}


def test_without_a_club_one_is_made(db):
    assert start().club_id != start().club_id


def test_names_are_tidied(db):
    session = start_names("  Ann\u00a0 Lee ", "Bob\u200b")
    assert [chair.name for chair in table(session).chairs] == ["Ann Lee", "Bob"]


def start_names(*names: str) -> Session:
    return ledger.start_session(names=names, stake=100, currency="EUR", key=key(), by="host")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Ann"], ("too-few-players", "names")),
        ([], ("too-few-players", "names")),
        (["Ann", "ann"], ("duplicate-name", "names[1]")),
        (["Ann", "ＡＮＮ"], ("duplicate-name", "names[1]")),
        (["Ann", "   "], ("missing", "names[1]")),
        (["Ann", "x" * 41], ("bad-value", "names[1]")),
        (["Ann", "Bank"], ("duplicate-name", "names[1]")),
        (["A", "B", "C", "D", "E", "F"], ("too-many-players", "names")),
    ],
)
def test_it_refuses_names(db, names, expected):
    with pytest.raises(LedgerError) as refusal:
        start_names(*names)
    assert expected in codes(refusal)
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({"button": 4}, ("bad-value", "button")),
        ({"stake": -1}, ("bad-value", "stake")),
        ({"stake": 10**16}, ("bad-value", "stake")),
        ({"stake": 1.5}, ("bad-value", "stake")),
        ({"stake": True}, ("bad-value", "stake")),
        ({"stake": Decimal("1.5")}, ("bad-value", "stake")),
        ({"currency": ""}, ("bad-value", "currency")),
        ({"currency": "EUR9"}, ("bad-value", "currency")),
        ({"minor_digits": 5}, ("bad-value", "minor_digits")),
        ({"buy_in": -1}, ("bad-value", "buy_in")),
        ({"pair_stakes": [(1, 1, 5)]}, ("unknown-player", "pair_stakes[0]")),
        ({"pair_stakes": [(1, 4, 5)]}, ("unknown-player", "pair_stakes[0]")),
        ({"pair_stakes": [(1, 2, 5), (2, 1, 6)]}, ("bad-value", "pair_stakes[1]")),
        ({"pair_stakes": [(1, 2, -5)]}, ("bad-value", "pair_stakes[0].stake")),
        ({"rules": "poker"}, ("unknown-rule", "rules")),
        ({"rules": {"scoring": "9-9"}}, ("bad-value", "rules.scoring")),
    ],
)
def test_it_refuses_terms(db, terms, expected):
    with pytest.raises(LedgerError) as refusal:
        start(**terms)
    assert expected in codes(refusal)


def test_it_names_all_problems_at_once(db):
    with pytest.raises(LedgerError) as refusal:
        start("Ann ann", button=9, stake=-1, rules="poker")
    assert len(codes(refusal)) == 4


def test_four_sit_at_a_pineapple_table_and_five_do_not(db):
    assert table(start("A B C D", rules="pineapple")).sitter() == 1
    with pytest.raises(LedgerError) as refusal:
        start("A B C D E", rules="pineapple")
    assert ("too-many-players", "names") in codes(refusal)
