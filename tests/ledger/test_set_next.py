import pytest

from scoring import ledger
from scoring.actions.people import SitOut
from scoring.actions.set_next import SetNext
from scoring.game.errors import LedgerError
from scoring.models import Revision
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, act, entry, settle, start, table, verbs

PENDING = entry(s1=STRONG, s2=PLAIN, s3=WEAK)


def test_the_host_sets_the_button_with_a_note_that_the_hand_carries(session):
    act(SetNext, session, button=3, note="Cat drew the high card")
    assert table(session).button == 3
    settle(session)
    revision = Revision.objects.get()
    assert (revision.button, revision.note) == (3, "Cat drew the high card")
    settle(session)
    assert Revision.objects.get(deal__number=2).note == ""
    assert Revision.objects.get(deal__number=2).button == 1


def test_the_host_sets_fantasyland(session):
    act(SetNext, session, fantasyland={2: 14, 3: 13}, note="From last week")
    settle(session)
    cards = {board.seat.name: board.fantasyland_cards for board in Revision.objects.get().boards.select_related("seat")}
    # The other two players leave 26 cards in the deck, enough for 14.
    assert cards == {"Ann": 0, "Bob": 14, "Cat": 13}


def test_without_fantasyland_the_button_goes_on(session):
    settle(session, PENDING)
    act(SetNext, session, fantasyland={}, note="They waived it")
    now = table(session)
    assert (now.button, now.fantasyland) == (2, {})


def test_both_at_once_are_taken_at_the_hosts_word(session):
    settle(session, PENDING)
    act(SetNext, session, fantasyland={}, button=1, note="We play it again")
    now = table(session)
    assert (now.button, now.fantasyland) == (1, {})


@pytest.mark.parametrize(
    "given",
    [
        {"note": "so"},
        {"button": 2, "note": " "},
        {"button": 9, "note": "so"},
        {"button": -1, "note": "so"},
        {"fantasyland": {2: 12}, "note": "so"},
        {"fantasyland": {2: 18}, "note": "so"},
        {"fantasyland": {9: 13}, "note": "so"},
    ],
)
def test_nonsense_is_refused(session, given):
    with pytest.raises(LedgerError):
        act(SetNext, session, **given)
    assert verbs(session) == ["start"]


def test_a_player_who_sits_out_gets_neither_button_nor_fantasyland(session):
    act(SitOut, session, seat=3)
    for given in ({"button": 3}, {"fantasyland": {3: 13}}):
        with pytest.raises(LedgerError):
            act(SetNext, session, note="so", **given)


def test_the_host_cannot_make_a_player_owed_fantasyland_sit_out(db):
    session = start("Ann Bob Cat Dan", rules="pineapple")
    for given in ({"button": 2, "fantasyland": {2: 14}}, {"fantasyland": {1: 14}}):
        with pytest.raises(LedgerError):
            act(SetNext, session, note="so", **given)


def test_a_void_hand_is_played_again_as_the_host_set_it(session):
    act(SetNext, session, button=3, note="High card")
    settle(session)
    act(ledger.void_deal, session, number=1)
    settle(session, LEVEL)
    second = Revision.objects.get(deal__number=2)
    assert (second.button, second.note) == (3, "High card")
