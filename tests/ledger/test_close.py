"""close_session, reopen_session, and the standings that result."""

import pytest

from scoring import ledger, reads
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave, SitOut
from scoring.actions.set_next import SetNext
from scoring.actions.terms import ChangeTerms
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.models import Club, Total
from tests.ledger.conftest import FOUL, PLAIN, WEAK, act, entry, settle, start, verbs


def test_closing_freezes_totals(session):
    settle(session)
    act(Fee, session, amount=50, note="Room")
    act(ledger.close_session, session)
    assert session.closed_at is not None
    found = {total.player.name: (total.deals, total.points, total.money, total.fees) for total in Total.objects.all()}
    assert found == {"Ann": (1, 12, 1200, 50), "Bob": (1, 0, 0, 50), "Cat": (1, -12, -1200, 50)}


def test_a_hand_counts_once_however_often_it_was_settled_and_a_void_one_not_at_all(session):
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    settle(session)
    act(ledger.void_deal, session, number=2)
    act(Join, session, name="Dan")
    act(ledger.close_session, session)
    assert {total.player.name: total.deals for total in Total.objects.all()} == {"Ann": 1, "Bob": 1, "Cat": 1, "Dan": 0}


def test_players_of_a_session_are_those_who_were_there(session):
    """Evv was a mistyped name. Dan stayed for nothing; Eve left after a hand, and Fay after paying for the room."""
    act(Join, session, name="Evv")
    act(ledger.undo, session)
    for name in ("Dan", "Eve", "Fay"):
        act(Join, session, name=name)
    for seat in (1, 2, 5, 7):
        act(SitOut, session, seat=seat)
    settle(session, entry(s3=PLAIN, s6=WEAK))
    act(Fee, session, seats=[7], amount=50, note="Room")
    for seat in (5, 6, 7):
        act(Leave, session, seat=seat)
    act(ledger.close_session, session)
    deals = {total.player.name: total.deals for total in Total.objects.all()}
    assert deals == {"Ann": 0, "Bob": 0, "Cat": 1, "Eve": 1, "Fay": 0}


CHANGES = [
    (SitOut, {"seat": 1}),
    (Join, {"name": "Dan"}),
    (BuyIn, {"seat": 1, "amount": 5}),
    (ledger.void_deal, {"number": 1}),
    (SetNext, {"button": 1, "note": "so"}),
    (ChangeTerms, {"stake": 5}),
    (ledger.dispute, {"number": 1, "note": "Hm"}),
    (ledger.close_session, {}),
    (ledger.undo, {}),
]


@pytest.mark.parametrize(("do", "given"), CHANGES)
def test_a_closed_session_refuses_changes(session, do, given):
    settle(session)
    act(ledger.close_session, session)
    with pytest.raises(LedgerError) as refusal:
        act(do, session, **given)
    assert [problem.code for problem in refusal.value.problems] == ["closed"]
    with pytest.raises(LedgerError):
        settle(session)


def test_a_request_that_was_done_is_answered_after_closing(session):
    one = settle(session, key="same")
    act(ledger.close_session, session)
    assert settle(session, key="same", number=1) == one


def test_reopening_lets_it_go_on(session):
    settle(session)
    act(ledger.close_session, session)
    act(ledger.reopen_session, session)
    assert not Total.objects.exists()
    settle(session)
    act(ledger.close_session, session)
    assert Total.objects.get(player__name="Ann").deals == 2
    assert verbs(session) == ["start", "settle", "close", "reopen", "settle", "close"]


def test_an_open_session_is_not_reopened(session):
    with pytest.raises(LedgerError):
        act(ledger.reopen_session, session)


def test_closing_twice_is_once(session):
    act(ledger.close_session, session, key="same")
    act(ledger.close_session, session, key="same")
    assert Total.objects.count() == 3


def test_a_stale_close_is_a_conflict(session):
    seen = session.version
    settle(session)
    with pytest.raises(Conflict):
        act(ledger.close_session, session, version=seen)


def test_a_stale_reopening_is_a_conflict(session):
    act(ledger.close_session, session)
    seen = session.version
    act(ledger.reopen_session, session)
    act(ledger.close_session, session)
    with pytest.raises(Conflict):
        act(ledger.reopen_session, session, version=seen)
    assert verbs(session) == ["start", "close", "reopen", "close"]
    act(ledger.reopen_session, session, version=session.version)


def test_standings_add_frozen_and_open_sessions_by_currency(db):
    club = Club.objects.create(name="Tuesdays")
    one = start(club=club)
    settle(one)
    act(ledger.close_session, one)
    settle(start("Ann Bob", club=club), entry(s1=PLAIN, s2=WEAK))
    yen = start("Cat Ann", club=club, currency="JPY", minor_digits=0, stake=100)
    settle(yen, entry(s1=PLAIN, s2=WEAK))
    for number in (1, 2):  # in which Ann and Bob sat, and no hand counts
        idle = start("Ann Bob", club=club)
        settle(idle, entry(s1=PLAIN, s2=WEAK))
        act(ledger.void_deal, idle, number=1)
        if number == 1:
            act(ledger.close_session, idle)
    found = {
        (each.player, each.currency): (each.sessions, each.deals, each.points, each.money)
        for each in reads.standings(club)
    }
    assert found == {
        ("Ann", "EUR"): (2, 2, 18, 1800),
        ("Bob", "EUR"): (2, 2, -6, -600),
        ("Cat", "EUR"): (1, 1, -12, -1200),
        ("Cat", "JPY"): (1, 1, 6, 600),
        ("Ann", "JPY"): (1, 1, -6, -600),
    }


@pytest.mark.parametrize("verb", ["close", "reopen", "resolve"])
def test_a_note_that_is_too_long_is_refused_by_each(session, verb):
    settle(session)
    raised = act(ledger.dispute, session, number=1, note="Hm").raised.n
    if verb == "reopen":
        act(ledger.close_session, session)
    do, given = {
        "close": (ledger.close_session, {}),
        "reopen": (ledger.reopen_session, {}),
        "resolve": (ledger.resolve_dispute, {"raised": raised}),
    }[verb]
    with pytest.raises(LedgerError, match="at most 300"):
        act(do, session, note="x" * 301, **given)
