"""correct_deal, void_deal, restore_deal: what they change, and what they leave alone."""

import dataclasses
import gc
from importlib import import_module

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import ledger, reads, transactions
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.people import Join
from scoring.actions.set_next import SetNext
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict, Dealt, Departure, ImpossibleError, audit, replay
from scoring.ledger.foreseen import Foreseen
from scoring.ledger.load import Stored
from scoring.ledger.replay import lineup_changed
from scoring.models import Deal, Event, Revision, Session, Transfer
from scoring.rules.houserules import PRESETS
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
    winnings,
)

SWAPPED = entry(s1=WEAK, s2=PLAIN, s3=FOUL)
"""LEVEL with Ann's and Bob's cards swapped."""
QUEENS = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
"""Ann wins 37 from both and goes to Fantasyland."""


def codes(refusal) -> set[str]:
    return {problem.code for problem in refusal.value.problems}


def kinds(session, number) -> list[str]:
    found = Revision.objects.filter(deal__session=session, deal__number=number).order_by("n")
    return list(found.values_list("kind", flat=True))


def test_the_event_of_a_change_says_what_was_asked_for(session):
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED)
    act(ledger.void_deal, session, number=1)
    act(ledger.restore_deal, session, number=1, follow=[3, 2])
    assert list(Event.objects.filter(n__gt=2).order_by("n").values_list("deal", "action")) == [
        (1, {"number": 1, "later": "as-played", "entry": SWAPPED.as_document(), "follow": []}),
        (1, {"number": 1, "later": "as-played", "entry": None, "follow": []}),
        (1, {"number": 1, "later": "as-played", "entry": SWAPPED.as_document(), "follow": [2, 3]}),
    ]


def test_a_correction_keeps_the_old_version_and_books_both_ways(session):
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED)
    assert points(session) == {1: 0, 2: 12, 3: -12}
    assert money(session) == {1: 0, 2: 1200, 3: -1200}
    assert kinds(session, 1) == ["settle", "correct"]
    lines = Transfer.objects.order_by("pk")
    assert [(line.reverses_id is not None, line.payer.name, line.payee.name) for line in lines] == [
        (False, "Cat", "Bob"),
        (False, "Bob", "Ann"),
        (False, "Cat", "Ann"),
        (True, "Bob", "Cat"),
        (True, "Ann", "Bob"),
        (True, "Ann", "Cat"),
        (False, "Cat", "Bob"),
        (False, "Ann", "Bob"),
        (False, "Cat", "Ann"),
    ]
    first = outcome(Deal.objects.get(), 1)
    assert [player["points"] for player in first.result["players"]] == [0, -12, 12]


def test_a_double_tap_corrects_once(session):
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, key="same")
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, key="same")
    assert kinds(session, 1) == ["settle", "correct"]


def test_a_stale_form_is_a_conflict(session):
    settle(session)
    seen = session.version
    act(ledger.correct_deal, session, number=1, entry=SWAPPED)
    with pytest.raises(Conflict):
        act(ledger.void_deal, session, number=1, version=seen)
    assert kinds(session, 1) == ["settle", "correct"]


def test_a_correction_that_changes_nothing_is_refused(session):
    settle(session)
    with pytest.raises(LedgerError) as refusal:
        act(ledger.correct_deal, session, number=1, entry=LEVEL)
    assert codes(refusal) == {"nothing"}


def test_bad_cards_in_a_correction_are_named_and_nothing_changes(session):
    settle(session)
    with pytest.raises(LedgerError) as refusal:
        act(ledger.correct_deal, session, number=1, entry=entry(s1=PLAIN, s2=PLAIN, s3=FOUL))
    assert codes(refusal) == {"duplicate-card", "too-many-of-a-rank"}
    assert points(session) == {1: 12, 2: 0, 3: -12}


def test_an_earlier_hand_takes_a_reason(session):
    settle(session)
    settle(session)
    for do in (ledger.correct_deal, ledger.void_deal):
        with pytest.raises(LedgerError) as refusal:
            act(do, session, number=1, **({"entry": SWAPPED} if do is ledger.correct_deal else {}))
        assert codes(refusal) == {"missing"}
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="Ann had Bob's cards")
    assert reads.history(session, deal=1)[0][0].event.note == "Ann had Bob's cards"


def test_there_is_no_hand_that_was_not_played(session):
    for do in (ledger.void_deal, ledger.restore_deal):
        with pytest.raises(LedgerError) as refusal:
            act(do, session, number=1)
        assert codes(refusal) == {"unknown-deal"}


# --- Void and restore -----------------------------------------------------------------------------


def test_a_void_hand_counts_for_nothing_and_is_played_again_from_the_same_button(session):
    settle(session)
    settle(session, QUEENS)
    act(ledger.void_deal, session, number=2)
    assert points(session) == {1: 12, 2: 0, 3: -12}
    now = table(session)
    assert (now.button, now.fantasyland, session.next_number) == (2, {}, 3)
    assert kinds(session, 2) == ["settle", "void"]


def test_a_void_hand_comes_back_as_it_was(session):
    settle(session)
    settle(session, QUEENS)
    before = (points(session), table(session))
    act(ledger.void_deal, session, number=2)
    act(ledger.restore_deal, session, number=2)
    assert (points(session), table(session)) == before
    assert kinds(session, 2) == ["settle", "void", "restore"]


def test_void_twice_and_restore_of_what_stands_are_refused(session):
    settle(session)
    with pytest.raises(LedgerError):
        act(ledger.restore_deal, session, number=1)
    act(ledger.void_deal, session, number=1)
    for do, more in ((ledger.void_deal, {}), (ledger.correct_deal, {"entry": SWAPPED})):
        with pytest.raises(LedgerError) as refusal:
            act(do, session, number=1, **more)
        assert codes(refusal) == {"bad-value"}


# --- What else differed in the deal -----------------------------------------------------------------


def test_stakes_and_rules_of_one_hand(session):
    settle(session)
    settle(session)
    dear = dataclasses.replace(LEVEL, stake=500, pair_stakes={(1, 3): 1000}, note="We had agreed on 5")
    act(ledger.correct_deal, session, number=2, entry=dear)
    assert money(session) == {1: 1200 + 3000 + 6000, 2: 0, 3: -1200 - 3000 - 6000}
    four = dataclasses.replace(LEVEL, rules=PRESETS["pineapple"], note="That one was Pineapple")
    act(ledger.correct_deal, session, number=2, entry=four)
    assert document(2, 3)["rules"]["game"] == "pineapple"
    assert table(session).rules.game == "regular"
    assert table(session).stake == 100


def test_stakes_of_one_hand_keep_their_note_when_an_earlier_hand_changes(session):
    for _ in range(2):
        settle(session)
    dear = dataclasses.replace(LEVEL, stake=500, note="We had agreed on 5")
    act(ledger.correct_deal, session, number=2, entry=dear)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="Swapped")
    assert kinds(session, 2) == ["settle", "correct"]
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")  # Ann would now be in Fantasyland
    second = Revision.objects.get(deal__session=session, deal__number=2, n=3)
    assert (second.entry["stake"], second.note) == (500, "We had agreed on 5")


def test_a_correction_changes_who_was_dealt_in(session):
    settle(session)
    without = Entry(boards={1: PLAIN, 2: WEAK}, seats=(1, 2), note="Cat was not there yet")
    act(ledger.correct_deal, session, number=1, entry=without)
    assert points(session) == {1: 6, 2: -6, 3: 0}


def test_who_was_dealt_in_stands_when_an_earlier_hand_changes(session):
    settle(session)
    settle(session)
    without = Entry(boards={1: PLAIN, 2: WEAK}, seats=(1, 2), note="Cat was not there yet")
    act(ledger.correct_deal, session, number=2, entry=without)
    shown = ledger.preview_correction(session=session, number=1, entry=QUEENS)
    (departure,) = shown.departures
    assert not departure.possible
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")
    last = Revision.objects.filter(deal__number=2).latest("n")
    assert (last.entry["seats"], last.note) == ([1, 2], "Cat was not there yet")
    assert [player["name"] for player in document(2, last.n)["players"]] == ["Ann", "Bob"]


def test_overrides_in_a_correction_need_a_note(session):
    settle(session)
    with pytest.raises(LedgerError) as refusal:
        act(ledger.correct_deal, session, number=1, entry=dataclasses.replace(LEVEL, stake=5))
    assert codes(refusal) == {"missing"}


@pytest.mark.parametrize(
    "otherwise",
    [
        {"stake": -1},
        {"stake": 10**16},
        {"button": 9},
        {"seats": (1, 9)},
        {"fantasyland": {2: 12}},
        {"fantasyland": {9: 13}},
    ],
)
def test_nonsense_about_a_hand_is_refused(session, otherwise):
    settle(session)
    with pytest.raises(LedgerError):
        act(ledger.correct_deal, session, number=1, entry=dataclasses.replace(LEVEL, note="so", **otherwise), note="so")
    assert kinds(session, 1) == ["settle"]


# --- What follows ---------------------------------------------------------------------------------


def test_later_hands_follow_where_the_host_says_so(session):
    settle(session)
    settle(session)
    settle(session)
    shown = ledger.preview_correction(session=session, number=1, entry=QUEENS, follow=[2, 3])
    assert [(change.number, change.because) for change in shown.changes] == [
        (1, ("entry",)),
        (2, ("fantasyland", "button")),
        (3, ("button",)),
    ]
    assert [departure.number for departure in shown.departures] == [2, 3]
    act(ledger.correct_deal, session, number=1, entry=QUEENS, follow=[3, 2], note="The queens were aces")
    assert [revision.button for revision in Revision.objects.filter(n=2).order_by("deal__number")] == [1, 1, 2]
    assert document(2, 2)["players"][-1]["fantasyland_cards"] == 13
    assert table(session).button == 3
    assert kinds(session, 3) == ["settle", "resettle"]


def test_an_undo_corrects_no_hand_but_the_one_that_was_changed(session):
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    settle(session, Entry(points=((1, 2, 8),)))
    settle(session, Entry(points=((3, 2, 5),)))  # Bob pays the 2.00 that they have left, or 5.00 if they won hand 1
    act(ledger.void_deal, session, number=1, note="misdeal")
    act(ledger.undo, session)
    act(ledger.correct_deal, session, number=1, entry=Entry(points=((2, 1, 8),)), note="the other way round")
    act(ledger.undo, session)
    assert money(session) == {1: 800, 2: -1000, 3: 200}
    assert kinds(session, 1) == ["settle", "void", "restore", "correct", "correct"]
    assert kinds(session, 2) == ["settle", "resettle", "resettle", "resettle", "resettle"]


def test_later_hands_stand_as_they_were_dealt(session):
    settle(session)
    settle(session)
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="The queens were aces")
    assert kinds(session, 2) == ["settle", "resettle"]
    second = Revision.objects.get(deal__number=2, n=2)
    assert (second.button, second.note) == (2, "As it was dealt, before hand 1 was changed.")
    assert "fantasyland" not in document(2, 2)["players"][-1]
    assert kinds(session, 3) == ["settle"]
    assert table(session).button == 1


def test_a_hand_stands_as_it_was_dealt_only_while_an_earlier_change_needs_it(session):
    """Corrected back, the earlier hand leaves no trace in the later one but its versions."""
    first = settle(session).revisions.get().entry
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="The queens were aces")
    assert {"button", "fantasyland", "note"} <= set(Revision.objects.get(deal__number=2, n=2).entry)
    act(ledger.correct_deal, session, number=1, entry=Entry.read(first), note="They were queens")
    third = Revision.objects.get(deal__number=2, n=3)
    assert set(third.entry) == {"boards"}
    assert third.note == ""


@pytest.mark.parametrize(("follow", "cards"), [([], 13), ([2], None)])
def test_a_hand_is_restored_as_it_was_dealt(session, follow, cards):
    """Ann was in Fantasyland in hand 2, which is void while hand 1 changes to one that earns them none."""
    settle(session, QUEENS)
    settle(session)
    act(ledger.void_deal, session, number=2)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="The aces were nines")
    act(ledger.restore_deal, session, number=2, follow=follow)
    restored = Revision.objects.filter(deal__number=2).latest("n")
    assert restored.kind == Revision.Kind.RESTORE
    players = {player["name"]: player for player in document(2, restored.n)["players"]}
    assert players["Ann"].get("fantasyland_cards") == cards


def test_a_repeated_settle_finds_the_hand_of_its_own_session(db):
    first, second = start(), start()
    for session in (first, second):
        settle(session, key="once", number=1)
    assert settle(second, key="once", number=1).session == second


def test_the_table_is_what_the_last_hand_left_whichever_is_corrected(session):
    for _ in range(4):
        settle(session)
    before = table(session)
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="rows")
    assert table(session) == before


def test_the_hosts_word_stands_when_an_earlier_hand_changes(session):
    settle(session)
    act(SetNext, session, button=3, note="Bob had to leave for a moment")
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")
    assert Revision.objects.get(deal__number=2, n=2).button == 3


def test_what_is_shown_is_what_is_booked(session):
    for _ in range(4):
        settle(session)
    shown = ledger.preview_correction(session=session, number=2, entry=QUEENS)
    assert kinds(session, 2) == ["settle"]
    act(ledger.correct_deal, session, number=2, entry=QUEENS, version=shown.version, note="Aces")
    for change in shown.changes:
        deal = Deal.objects.get(session=session, number=change.number)
        assert outcome(deal) == change.after
        assert winnings(outcome(deal, deal.revision - 1)) == change.before
    assert table(session) == shown.after


def test_a_preview_reads_no_pairs(session):
    for _ in range(3):
        settle(session)
    with CaptureQueriesContext(connection) as read:
        ledger.preview_correction(session=session, number=1, entry=QUEENS)
    assert not [query["sql"] for query in read if "scoring_pairresult" in query["sql"]]


def with_chips(*chips: int):
    session = start(rules={"win_cap": "none"})
    for seat, amount in enumerate(chips, 1):
        act(BuyIn, session, seat=seat, amount=amount)
    return session


def test_chips_follow_a_correction(db):
    session = with_chips(2000, 2000, 2000)
    settle(session)
    settle(session)
    # Cat has 800 left after deal 1. In deal 2 Cat pays Ann 600 and Bob the last 200, then Bob pays Ann 600.
    assert table(session).stacks == {1: 4400, 2: 1600}
    shown = ledger.preview_correction(session=session, number=1, entry=SWAPPED)
    assert [(change.number, change.because) for change in shown.changes] == [(1, ("entry",)), (2, ("stacks",))]
    act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="Swapped")
    # After deal 1: Bob 3200, Ann 2000, Cat 800. Deal 2 moves the same amounts as before.
    assert table(session).stacks == {1: 3200, 2: 2800}


def test_a_correction_that_leaves_a_later_hand_without_chips_is_refused(db):
    session = with_chips(1200, 1200, 2400)
    settle(session)
    settle(session)
    with pytest.raises(ImpossibleError) as refusal:
        act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")
    assert refusal.value.number == 2
    assert set(refusal.value.choices) == {"buy-in", "void", "adjust"}
    assert "Bob is out of chips" in str(refusal.value)
    assert kinds(session, 1) == ["settle"]


def test_the_choices_work(db):
    session = with_chips(1200, 1200, 2400)
    settle(session)
    settle(session)
    act(BuyIn, session, seat=2, amount=1000, before=2, note="Bob had bought again")
    with pytest.raises(ImpossibleError, match="Cat is out of chips"):
        act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")
    act(ledger.void_deal, session, number=2, note="Cat was out")
    act(ledger.correct_deal, session, number=1, entry=QUEENS, note="Aces")
    assert table(session).stacks == {1: 4800, 2: 1000}
    assert verbs(session)[-3:] == ["buy-in", "void", "correct"]


def test_a_cash_out_that_could_not_have_been_is_named(db):
    session = with_chips(2000, 2000, 2000)
    settle(session)
    act(CashOut, session, seat=1, amount=3000)
    with pytest.raises(ImpossibleError) as refusal:
        act(ledger.correct_deal, session, number=1, entry=SWAPPED)
    assert codes(refusal) == {"not-enough-chips"}
    assert "buy-in" in refusal.value.choices


def test_the_one_who_sits_out_cannot_have_been_dealt_in(db):
    session = start("Ann Bob Cat Dan", rules="pineapple")
    settle(session, entry(s2=PLAIN, s3=WEAK, s4=FOUL))
    settle(session, entry(s1=PLAIN, s3=WEAK, s4=FOUL))
    aces = {"number": 1, "entry": entry(s2=STRONG, s3=WEAK, s4=PLAIN), "note": "Aces"}
    with pytest.raises(ImpossibleError) as refusal:
        act(ledger.correct_deal, session, **aces, follow=[2])
    assert refusal.value.number == 2
    assert "as-dealt" in refusal.value.choices
    assert str(refusal.value) == "Hand 2: Bob would now be dealt in, and Ann would no longer be."
    act(ledger.correct_deal, session, **aces)
    second = Revision.objects.get(deal__number=2, n=2)
    assert second.button == 2
    overrides = {name: value for name, value in second.entry.items() if name != "boards"}
    assert overrides == {"button": 2, "fantasyland": {}, "note": "As it was dealt, before hand 1 was changed."}


def test_a_refusal_names_a_player_whose_joining_was_undone(session):
    settle(session)
    act(Join, session, name="Dan")
    act(ledger.undo, session)
    start("Eve Fay Gus Hal")
    with pytest.raises(LedgerError, match=r"^Dan was not at the table\.$"):
        act(ledger.correct_deal, session, number=1, entry=Entry(boards={1: PLAIN, 4: WEAK}, seats=(1, 4), note="Dan"))


@pytest.mark.parametrize(
    ("came", "went", "sentence"),
    [
        (["Dan"], [], "Dan would now be dealt in."),
        (["Ann", "Bob", "Dan"], [], "Ann, Bob and Dan would now be dealt in."),
        ([], ["Cat"], "Cat would no longer be dealt in."),
        ([], ["Bob", "Cat"], "Bob and Cat would no longer be dealt in."),
        (["Dan"], ["Cat"], "Dan would now be dealt in, and Cat would no longer be."),
        (
            ["Dan", "Eve"],
            ["Ann", "Bob", "Cat"],
            "Dan and Eve would now be dealt in, and Ann, Bob and Cat would no longer be.",
        ),
    ],
)
def test_a_changed_lineup_reads_as_a_sentence(came, went, sentence):
    assert lineup_changed(came, went) == sentence


@pytest.mark.parametrize(
    ("given", "own", "carried"),
    [("Why", "", "Why"), (" Why ", "", "Why"), ("", "Its own", "Its own"), ("Why", "Its own", "Why")],
)
def test_a_hand_with_something_otherwise_carries_the_note(session, given, own, carried):
    settle(session)
    otherwise = dataclasses.replace(LEVEL, button=3, note=own)
    seen = ledger.preview_correction(session=session, number=1, entry=otherwise, **({"note": given} if given else {}))
    act(ledger.correct_deal, session, number=1, entry=otherwise, note=given)
    revision = Revision.objects.get(deal__number=1, n=2)
    after = seen.changes[0].after
    assert after
    assert revision.note == revision.entry["note"] == after.note == carried


def test_a_hand_with_other_cards_alone_carries_no_note(session):
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=dataclasses.replace(SWAPPED, note="Its own"), note="Why")
    revision = Revision.objects.get(deal__number=1, n=2)
    assert revision.note == ""
    assert "note" not in revision.entry


def test_a_preview_shows_later_hands_as_they_were_dealt_and_why(session):
    settle(session)
    settle(session)
    seen = ledger.preview_correction(session=session, number=1, entry=QUEENS, note="Aces")
    after = {change.number: change.after for change in seen.changes}
    assert [(number, then.button, then.note) for number, then in after.items() if then] == [
        (1, 1, ""),
        (2, 2, "As it was dealt, before hand 1 was changed."),
    ]
    everybody = frozenset({1, 2, 3})
    assert seen.departures == (
        Departure(2, Dealt(everybody, 2, {}), Dealt(everybody, 1, {1: 13}), follows=False, possible=True),
    )


def test_a_void_hand_in_the_middle_moves_the_buttons_after_it_where_the_host_says_so(session):
    for _ in range(3):
        settle(session)
    act(ledger.void_deal, session, number=2, follow=[3], note="Misdeal")
    assert Revision.objects.get(deal__number=3, n=2).button == 2
    assert table(session).button == 3


def test_a_void_hand_in_the_middle_leaves_the_buttons_alone(session):
    for _ in range(3):
        settle(session)
    act(ledger.void_deal, session, number=2, note="Misdeal")
    third = Revision.objects.get(deal__number=3, n=2)
    assert (third.button, third.note) == (3, "As it was dealt, before hand 2 was changed.")
    assert table(session).button == 1


def test_a_correction_takes_few_statements_for_many_hands(db, statements):
    session = with_chips(10**7, 10**7, 10**7)
    for _ in range(20):
        settle(session, Entry(points=((1, 2, 1), (3, 2, 2))))
    del statements[:]
    act(ledger.correct_deal, session, number=3, entry=Entry(points=((1, 2, 5),)), note="Five")
    few = len(statements)
    for _ in range(60):
        settle(session, Entry(points=((1, 2, 1), (3, 2, 2))))
    del statements[:]
    act(ledger.correct_deal, session, number=3, entry=Entry(points=((1, 2, 6),)), note="Six")
    assert len(statements) - few <= 15  # rows are inserted by the hundred, so no deal needs a statement of its own


BOB_IS_OWED = "Bob is due Fantasyland and can't sit out with the button"


@pytest.fixture
def four(db):
    """Dan joins after deal 1, so that Bob, who has the button at this Pineapple table, sits out."""
    session = start(rules={"preset": "pineapple", "button_in_fantasyland": "moves"})
    settle(session)
    act(Join, session, name="Dan")
    assert table(session).sitter() == 2
    return session


def test_a_correction_does_not_take_fantasyland_from_a_player_who_sat_out(four):
    settle(four, entry(s1=PLAIN, s3=WEAK, s4=FOUL))
    aces = {"number": 1, "entry": entry(s1=PLAIN, s2=STRONG, s3=WEAK), "note": "They were aces"}
    with pytest.raises(ImpossibleError, match=BOB_IS_OWED) as refusal:
        act(ledger.correct_deal, four, **aces, follow=[2])
    assert (refusal.value.number, set(refusal.value.choices)) == (2, {"as-dealt", "void", "adjust"})
    act(ledger.correct_deal, four, **aces)
    second = Revision.objects.get(deal__number=2, n=2)
    assert (second.button, second.note, second.entry["fantasyland"]) == (
        2,
        "As it was dealt, before hand 1 was changed.",
        {},
    )
    assert table(four).button == 3


def test_no_hand_is_dealt_without_the_player_owed_fantasyland(four):
    act(ledger.correct_deal, four, number=1, entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    with pytest.raises(LedgerError, match=BOB_IS_OWED):
        settle(four, entry(s1=PLAIN, s3=WEAK, s4=FOUL))
    act(BuyIn, four, seat=4, amount=1)  # nothing else is blocked
    act(ledger.undo, four)
    act(SetNext, four, button=1, note="Bob plays on")
    settle(four, entry(s2=PLAIN, s3=WEAK, s4=FOUL))


# --- Nobody waits while a change is found out ---------------------------------------------------------


@pytest.fixture
def looked_at(monkeypatch) -> list[bool]:
    """For each time that a script was played again, whether other writers had to wait meanwhile."""
    found: list[bool] = []
    rewrite = replay.rewrite

    def watched(*given):
        found.append(bool(transactions._thread.writing))
        return rewrite(*given)

    for module in ("deals", "evening", "record"):
        monkeypatch.setattr(import_module(f"scoring.ledger.{module}"), "rewrite", watched)
    return found


def all_with_chips() -> Session:
    session = start()
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=50_000)
    return session


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["correct", "void", "restore"])
def test_what_a_change_moves_is_found_out_before_the_session_is_locked(verb, looked_at):
    session = start()
    settle(session)
    settle(session)
    if verb == "restore":
        act(ledger.void_deal, session, number=1, note="misdeal")
        looked_at.clear()
    given = {"entry": SWAPPED} if verb == "correct" else {}
    act(getattr(ledger, f"{verb}_deal"), session, number=1, note="rows", **given)
    assert looked_at == [False]
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("undone", ["settle", "correct", "buy-in", "late buy-in"])
def test_what_an_undo_moves_is_found_out_before_the_session_is_locked(undone, looked_at):
    session = all_with_chips()
    settle(session)
    if undone == "settle":
        settle(session)
    elif undone == "correct":
        act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="rows")
    else:
        act(BuyIn, session, seat=2, amount=50_000, **({"before": 1, "note": "forgotten"} if "late" in undone else {}))
    looked_at.clear()
    act(ledger.undo, session)
    assert looked_at == [False]
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.django_db(transaction=True)
def test_what_a_forgotten_buy_in_moves_is_found_out_before_the_session_is_locked(looked_at):
    session = all_with_chips()
    settle(session)
    act(BuyIn, session, seat=2, amount=50_000, before=1, note="forgotten")
    assert looked_at == [False]
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.django_db(transaction=True)
def test_what_a_reopening_moves_is_found_out_before_the_session_is_locked(looked_at):
    session = all_with_chips()
    settle(session)
    act(ledger.close_session, session, counts={1: 50_000}, note="counted")
    act(ledger.reopen_session, session)
    assert looked_at == [False]
    assert list(map(str, audit.of_everything())) == []
    looked_at.clear()
    with pytest.raises(LedgerError, match="This session is open"):
        act(ledger.reopen_session, session)
    assert looked_at == []


@pytest.mark.django_db(transaction=True)
def test_a_refused_change_is_found_out_once(looked_at):
    session = all_with_chips()
    settle(session)
    refused = entry(s1=PLAIN, s2=STRONG)
    with pytest.raises(LedgerError):
        act(ledger.correct_deal, session, number=1, entry=refused, note="rows")
    assert looked_at == [False]


def hands_in_memory() -> int:
    """How many stored hands there are now; other tests may have left some in a cache."""
    return sum(type(each) is Stored for each in gc.get_objects())  # to ask a lazy object for its class would make it


@pytest.mark.django_db(transaction=True)
def test_a_refusal_keeps_no_hand_in_memory():
    session = all_with_chips()
    settle(session)
    gc.collect()
    gc.disable()
    before = hands_in_memory()
    try:
        with pytest.raises(LedgerError) as refusal:
            act(ledger.correct_deal, session, number=1, entry=entry(s1=PLAIN, s2=STRONG), note="rows")
        del refusal
        assert hands_in_memory() == before
    finally:
        gc.enable()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["correct", "undo", "late"])
def test_nothing_is_found_out_for_a_form_that_is_sent_again_or_after_the_close(verb, looked_at):
    session = all_with_chips()
    settle(session)

    def do(key: str) -> None:
        if verb == "correct":
            act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="rows", key=key)
        elif verb == "undo":
            act(ledger.undo, session, key=key)
        else:
            act(BuyIn, session, seat=2, amount=50_000, before=1, note="forgotten", key=key)

    do("once")
    looked_at.clear()
    do("once")
    assert looked_at == []
    act(ledger.close_session, session)
    looked_at.clear()
    with pytest.raises(LedgerError, match="This session is closed"):
        do("after the close")
    assert looked_at == []


@pytest.mark.django_db(transaction=True)
def test_undoing_a_change_of_many_hands_takes_no_statement_for_each(statements):
    session = all_with_chips()
    counts = []
    for hands in (2, 3):
        for _ in range(hands):
            settle(session)
        act(BuyIn, session, seat=2, amount=50_000, before=1, note="forgotten")
        statements.clear()
        act(ledger.undo, session)
        counts.append(len(statements))
    assert counts[0] == counts[1]


@pytest.fixture
def meanwhile(monkeypatch):
    """Makes something happen to the session after each action was found out, and before its turn."""
    of = Foreseen.of

    def happens(event):
        def slowly(session, *given):
            found = of(session, *given)
            event(Session.objects.get(pk=session.pk))
            return found

        monkeypatch.setattr(Foreseen, "of", slowly)

    return happens


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["correct", "late", "undo", "reopen"])
def test_what_changes_no_hand_meanwhile_does_not_make_anybody_wait_until_it_is_found_out_again(
    verb, looked_at, meanwhile
):
    session = all_with_chips()
    settle(session)
    if verb == "reopen":
        act(ledger.close_session, session, counts={1: 50_100}, note="one too many")
        meanwhile(lambda now: act(ledger.rename_session, now, name="Friday"))
        act(ledger.reopen_session, session)
    else:
        meanwhile(lambda now: act(ledger.dispute, now, number=1, note="Two jacks"))
        if verb == "correct":
            act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="rows")
        elif verb == "late":
            act(BuyIn, session, seat=2, amount=50_000, before=1, note="forgotten")
        else:
            act(ledger.undo, session)
    assert looked_at == [False]
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["correct", "late"])
def test_a_hand_that_is_settled_while_a_change_is_found_out_is_settled_again(verb, looked_at, meanwhile):
    session = all_with_chips()
    settle(session)
    meanwhile(settle)
    if verb == "correct":
        act(ledger.correct_deal, session, number=1, entry=SWAPPED, note="rows")
    else:
        act(BuyIn, session, seat=2, amount=50_000, before=1, note="forgotten")
    assert looked_at == [False, True]
    assert kinds(session, 2) == ["settle", "resettle"]
    assert list(map(str, audit.of_everything())) == []


@pytest.mark.django_db(transaction=True)
def test_a_hand_that_is_settled_while_an_undo_is_found_out_is_undone_itself(looked_at, meanwhile):
    session = all_with_chips()
    settle(session)
    meanwhile(settle)
    act(ledger.undo, session)
    assert looked_at == [False, True]
    assert kinds(session, 1) == ["settle"]
    assert kinds(session, 2) == ["settle", "void"]
    assert list(map(str, audit.of_everything())) == []
