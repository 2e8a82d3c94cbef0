"""What the ledger refuses, to the letter: the code, the place in the form, and the sentence that the table reads."""

from dataclasses import replace
from typing import Any

import pytest

from scoring import ledger
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.people import Join, Leave
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.club import people
from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from scoring.ledger.replay import ImpossibleError
from scoring.models import Player, Session
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle, start

PENDING = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
"""Ann goes to Fantasyland."""

Told = list[tuple[str, str, str]]


def refusal(verb: Any, session: Session, **given: Any) -> Told:
    with pytest.raises(LedgerError) as caught:
        act(verb, session, **given)
    assert str(caught.value) == " ".join(problem.message for problem in caught.value.problems)
    return [(problem.code, problem.where, problem.message) for problem in caught.value.problems]


def conflict(verb: Any, session: Session, **given: Any) -> str:
    with pytest.raises(Conflict) as caught:
        act(verb, session, **given)
    assert caught.value.session == session
    return str(caught.value)


NOTE = ("missing", "note", "Please give a reason (shown in the history).")
LONG = ("bad-value", "note", "A note is at most 300 characters.")
CLOSED = ("closed", "", "This session is closed. A host can reopen it under “More”.")


def test_a_closed_session_changes_no_more_and_an_open_one_is_not_opened(session: Session) -> None:
    assert refusal(ledger.reopen_session, session) == [("open", "", "This session is open.")]
    act(ledger.close_session, session)
    assert refusal(SideBet, session, payer=1, payee=2, amount=5, note="Red") == [CLOSED]
    assert refusal(ledger.close_session, session) == [CLOSED]


def test_a_note_is_neither_forgotten_nor_endless(session: Session) -> None:
    bet = {"payer": 1, "payee": 2, "amount": 5}
    assert refusal(SideBet, session, **bet) == [NOTE]
    assert refusal(SideBet, session, **bet, note=" \n") == [NOTE]
    assert refusal(SideBet, session, **bet, note="x" * 301) == [LONG]
    assert act(SideBet, session, **bet, note="x" * 300).note == "x" * 300


def test_a_key_is_1_to_80_characters(session: Session) -> None:
    for key in ("", "x" * 81):
        with pytest.raises(ValueError, match=r"^A key is 1 to 80 characters\.$"):
            act(ledger.close_session, session, key=key)
    act(ledger.close_session, session, key="x" * 80)
    act(ledger.reopen_session, session, key="x")


def test_nobody_is_somebody_and_a_long_name_is_cut(session: Session) -> None:
    assert act(ledger.close_session, session, by=" ").by == "somebody"
    assert act(ledger.reopen_session, session, by=" x" * 81).by == ("x " * 40)


def test_a_key_is_for_one_request(session: Session) -> None:
    settle(session, key="one")
    again = "This form has already been sent with something else in it."
    assert conflict(ledger.close_session, session, key="one") == again
    assert conflict(ledger.settle_deal, session, key="one", number=1, entry=PENDING) == again
    act(ledger.close_session, session, key="two", note="Late")
    assert conflict(ledger.close_session, session, key="two", note="Early") == again
    assert act(ledger.close_session, session, key="two", note=" Late ").key == "two"


def test_to_insist_is_another_request(session: Session) -> None:
    act(Join, session, name="Dan", note="Late", key="one")
    again = "This form has already been sent with something else in it."
    assert conflict(Join, session, name="Dan", note="Late", insist=True, key="one") == again


def test_one_form_starts_one_session(db: None) -> None:
    first = start(key="one")
    assert start(key="one") == first
    with pytest.raises(Conflict, match=r"^This form has already started another session\.$") as caught:
        start(key="one", stake=200)
    assert caught.value.session == first


def test_a_hand_is_settled_in_its_turn(session: Session) -> None:
    settle(session)
    assert conflict(ledger.settle_deal, session, number=1, entry=LEVEL) == "Hand 1 has been settled already."
    assert conflict(ledger.settle_deal, session, number=3, entry=LEVEL) == "The next hand is number 2."


def test_a_stale_page_is_told_so(session: Session) -> None:
    seen = session.version
    settle(session)
    stale = "The table was changed since this page was opened."
    assert conflict(ledger.close_session, session, version=seen) == stale
    assert conflict(ledger.close_session, session, version=session.version + 1) == stale
    other = start("Dan Eve")
    raised = act(ledger.dispute, session, number=1, note="Hm").raised.n
    with pytest.raises(LedgerError, match=r"^Hand 1 has been disputed since this page was opened\.$"):
        act(ledger.close_session, session, version=session.version - 1)
    act(ledger.resolve_dispute, session, raised=raised, note="No")
    for _ in range(5):  # what happens at another table makes no page of this one stale
        settle(other, entry(s1=PLAIN, s2=WEAK))
    act(ledger.close_session, session, version=session.version - 2)


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        (ledger.close_session, {}),
        (ledger.rename_session, {"name": "Friday"}),
        (ledger.undo, {}),
        (ledger.correct_deal, {"number": 1, "entry": PENDING, "note": "Why"}),
        (ledger.void_deal, {"number": 1, "note": "Why"}),
        (ledger.restore_deal, {"number": 2, "note": "Why"}),
        (SideBet, {"payer": 1, "payee": 2, "amount": 5, "note": "Red"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_whoever_changes_anything_has_seen_what_there_is(session: Session, verb: Any, given: dict[str, Any]) -> None:
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=2)
    seen = session.version
    settle(session)
    assert conflict(verb, session, **given, version=seen) == "The table was changed since this page was opened."
    act(verb, session, **given, version=session.version)


def test_a_change_of_a_hand_that_cannot_be_says_why(session: Session) -> None:
    settle(session)
    nothing = [("nothing", "deals[1]", "Nothing in hand 1 would change.")]
    assert refusal(ledger.correct_deal, session, number=1, entry=LEVEL) == nothing
    assert refusal(ledger.restore_deal, session, number=1) == [("bad-value", "deals[1]", "Hand 1 is not void.")]
    act(ledger.void_deal, session, number=1)
    void = [("bad-value", "deals[1]", "Hand 1 is void.")]
    assert refusal(ledger.void_deal, session, number=1) == void
    assert refusal(ledger.correct_deal, session, number=1, entry=PENDING) == void


def test_a_hand_of_another_session_is_another_hand(session: Session) -> None:
    settle(session)
    seen = session.version
    other = start("Dan Eve")
    settle(other, entry(s1=PLAIN, s2=WEAK))
    for _ in range(3):
        act(ledger.void_deal, other, number=1)
        act(ledger.restore_deal, other, number=1)
    act(ledger.rename_session, session, name="Friday")
    raised = act(ledger.dispute, session, number=1, note="Hm", version=seen).raised.n
    act(ledger.resolve_dispute, session, raised=raised, note="So")
    act(ledger.void_deal, session, number=1)
    changed = "Hand 1 was changed since this page was opened."
    assert conflict(ledger.dispute, session, number=1, note="Hm", version=seen) == changed


def test_a_table_has_room_for_24(session: Session) -> None:
    for number in range(4, 25):
        act(Join, session, name=f"Player {number}")
    assert refusal(Join, session, name="Zoe") == [("too-many-players", "name", "There is room for 24.")]


def test_a_decision_says_what_was_decided(session: Session) -> None:
    settle(session)
    raised = act(ledger.dispute, session, number=1, note="Hm").raised.n
    assert refusal(ledger.resolve_dispute, session, raised=raised, note="") == [
        ("missing", "note", "Say what was decided.")
    ]


def test_an_undo_takes_back_what_was_looked_at_and_nothing_else(session: Session) -> None:
    settle(session)
    settle(session)
    stale = "The table was changed since this page was opened."
    assert conflict(ledger.undo, session, target=session.version - 1) == stale
    act(ledger.undo, session, target=session.version)


def test_what_is_chosen_for_another_session_or_done_to_this_one_is_no_choice(session: Session) -> None:
    other = start("Dan Eve")
    settle(session)
    act(ledger.close_session, session)
    seen = session.version
    act(ledger.close_session, other)
    for name in ("Friday", "Saturday", "Sunday"):
        act(ledger.rename_session, other, name=name)
    act(ledger.choose_tab, session, on=True)
    act(ledger.rename_session, session, name="Late show", version=seen)


def test_what_two_hosts_choose_is_chosen_by_the_first(session: Session) -> None:
    """The second is told what has changed, which is not the table."""
    settle(session)
    act(ledger.close_session, session)
    seen = session.version
    act(ledger.rename_session, session, name="Friday")
    act(ledger.choose_tab, session, on=True)
    name = "The name was changed since this page was opened."
    assert conflict(ledger.rename_session, session, name="Late show", version=seen) == name
    tab = "The choice for the club’s tab was changed since this page was opened."
    assert conflict(ledger.choose_tab, session, on=True, coin=100, version=seen) == tab


def test_a_hand_that_is_given_back_is_of_this_session(session: Session) -> None:
    other = start("Dan Eve")
    settle(other, entry(s1=PLAIN, s2=WEAK))
    deal = settle(session, key="one")
    second = settle(session)
    assert settle(session, number=1, key="one") == deal
    act(ledger.void_deal, session, number=2)
    assert second.session == session
    assert act(ledger.correct_deal, session, number=1, entry=PENDING, note="Why") == deal
    assert act(ledger.void_deal, session, number=1, note="Why") == deal
    assert act(ledger.restore_deal, session, number=1, note="Why") == deal


def test_there_is_room_for_24(session: Session) -> None:
    for number in range(4, 25):
        act(Join, session, name=f"P{number}")
    assert refusal(Join, session, name="Zoe") == [("too-many-players", "name", "There is room for 24.")]


def test_nobody_moves_while_fantasyland_is_pending(session: Session) -> None:
    settle(session, PENDING)
    owed = "Fantasyland is pending (Ann), so seats are locked until after that hand (the host can override)."
    assert refusal(Leave, session, seat=2) == [("fantasyland-pending", "insist", owed)]
    assert refusal(Leave, session, seat=2, insist=True) == [NOTE]
    act(SetNext, session, fantasyland={1: 14, 2: 14}, note="Both")
    assert "pending (Ann and Bob), so seats" in refusal(Leave, session, seat=3)[0][2]


def test_what_a_newcomer_cannot_be_called(session: Session) -> None:
    assert refusal(Join, session, name="ann") == [("duplicate-name", "name", "Ann is already at the table.")]
    assert refusal(Join, session, name="") == [("missing", "names[0]", "Every player needs a name.")]
    assert refusal(Join, session, name="", note="x" * 301) == [
        LONG,
        ("missing", "names[0]", "Every player needs a name."),
    ]
    people.rename_player(Player.objects.get(name="Cat"), "Cleo")
    assert refusal(Join, session, name="Cat") == [
        ("duplicate-name", "name", "There is already someone called Cat – use a different name.")
    ]


def test_what_a_session_cannot_be_called(session: Session) -> None:
    assert refusal(ledger.rename_session, session, name="x" * 81) == [
        ("bad-value", "name", "Names can be up to 80 characters.")
    ]
    assert act(ledger.rename_session, session, name="x" * 80).action == {"name": "x" * 80, "was": ""}
    assert act(ledger.rename_session, session, name=" Friday ").action == {"name": "Friday", "was": "x" * 80}
    assert refusal(ledger.rename_session, session, name="Friday") == [
        ("nothing", "name", "This is how it is already. Change something first.")
    ]


def test_a_name_sent_twice_with_something_else_in_it_is_told_so(session: Session) -> None:
    act(ledger.rename_session, session, name="Friday", key="one")
    assert conflict(ledger.rename_session, session, name="Monday", key="one").startswith("This form has already")


def test_what_the_tab_does_not_take(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=500, note="Red")
    assert refusal(ledger.choose_tab, session, on=True) == [
        ("open", "", "This session is open. What is open is carried to the tab when it is closed.")
    ]
    act(ledger.close_session, session)
    assert refusal(ledger.choose_tab, session, on=True, coin=-1) == [
        ("bad-value", "coin", "Enter an amount of 0 or more, with at most 16 digits.")
    ]
    assert refusal(ledger.choose_tab, session, on=False) == [
        ("nothing", "", "This is how it is already. Change something first.")
    ]
    assert conflict(ledger.choose_tab, session, on=True, version=session.version - 1).startswith("The table was")
    assert act(ledger.choose_tab, session, on=True, version=session.version).action == {"on": True}
    act(ledger.pay, session, payer=2, payee=1, amount=100)
    assert refusal(ledger.choose_tab, session, on=True, coin=50) == [
        ("paid", "", "Payments have begun, so they stay as they are. Undo them to round them.")
    ]


def test_the_note_of_a_reopening_is_kept(session: Session) -> None:
    act(ledger.close_session, session, note="Late")
    assert act(ledger.reopen_session, session, note="Not yet").note == "Not yet"
    assert act(ledger.close_session, session).note == ""
    assert act(ledger.reopen_session, session).note == ""


def test_flags_that_cannot_be(session: Session) -> None:
    settle(session)
    flag = act(ledger.dispute, session, number=1, note="Hm", key="flag")
    assert refusal(ledger.dispute, session, number=1, note="Hm") == [
        ("flagged", "deals[1]", "Hand 1 is disputed already.")
    ]
    assert refusal(ledger.dispute, session, number=2, note="Hm") == [
        ("unknown-deal", "deals[2]", "There is no hand 2.")
    ]
    assert refusal(ledger.dispute, session, number=1, note="") == [NOTE]
    assert conflict(ledger.dispute, session, number=2, note="Hm", key="flag").startswith("This form has already")
    raised = flag.raised.n
    assert refusal(ledger.resolve_dispute, session, raised=99, note="So") == [
        ("unknown-dispute", "raised", "There is no such dispute.")
    ]
    other = start("Dan Eve")
    settle(other, entry(s1=PLAIN, s2=WEAK))
    assert refusal(ledger.resolve_dispute, other, raised=raised, note="So")[0][0] == "unknown-dispute"
    taken_down = act(ledger.resolve_dispute, session, raised=raised, note="So", key="down").resolved
    assert (taken_down.action, taken_down.note) == ({"raised": raised}, "So")
    assert conflict(ledger.resolve_dispute, session, raised=raised, note="So") == "That dispute is resolved already."
    assert conflict(ledger.resolve_dispute, session, raised=99, note="So", key="down").startswith(
        "This form has already"
    )


def test_hands_that_cannot_be_changed(session: Session) -> None:
    assert refusal(ledger.undo, session) == [("nothing", "", "There is nothing to undo.")]
    settle(session)
    nothing = ("nothing", "deals[1]", "Nothing in hand 1 would change.")
    assert refusal(ledger.correct_deal, session, number=1, entry=LEVEL) == [nothing]
    assert refusal(ledger.correct_deal, session, number=2, entry=LEVEL) == [
        ("unknown-deal", "deals[2]", "There is no hand 2.")
    ]
    assert refusal(ledger.restore_deal, session, number=1) == [("bad-value", "deals[1]", "Hand 1 is not void.")]
    act(ledger.void_deal, session, number=1)
    assert refusal(ledger.void_deal, session, number=1) == [("bad-value", "deals[1]", "Hand 1 is void.")]
    settle(session)
    assert refusal(ledger.restore_deal, session, number=1) == [NOTE]
    assert refusal(ledger.void_deal, session, number=1, note="x" * 301) == [
        LONG,
        ("bad-value", "deals[1]", "Hand 1 is void."),
    ]


def test_what_is_otherwise_is_set_for_the_table(session: Session) -> None:
    assert refusal(ledger.settle_deal, session, number=1, entry=replace(LEVEL, button=2, note="Why")) == [
        ("bad-value", "entry", "Exceptions for the next hand are set at the table, not in the hand itself.")
    ]


@pytest.mark.parametrize(
    ("boards", "expected"),
    [
        (
            entry(s1=PLAIN, s2=WEAK, s3=FOUL, s4=STRONG, s9=STRONG),
            [
                ("unknown-player", "seats[4]", "Seat 4 is not dealt in."),
                ("unknown-player", "seats[9]", "Seat 9 is not dealt in."),
            ],
        ),
        (
            entry(s1=PLAIN, s2=replace(WEAK, middle="x" * 101), s3=FOUL),
            [("unreadable-card", "players[0].middle", "That is too long to be a row of cards.")],
        ),
    ],
)
def test_boards_that_cannot_be(session: Session, boards: Entry, expected: Told) -> None:
    assert refusal(ledger.settle_deal, session, number=1, entry=boards) == expected


def test_a_hundred_characters_may_be_a_row(session: Session) -> None:
    spaced = Rows(" ".join([*" " * 48, PLAIN.front]).strip().rjust(100), PLAIN.middle, PLAIN.back)
    settle(session, entry(s1=spaced, s2=WEAK, s3=FOUL))


# --- Corrections that later hands do not bear -----------------------------------------------------------


def impossible(verb: Any, session: Session, **given: Any) -> tuple[Told, int, dict[str, str]]:
    with pytest.raises(ImpossibleError) as caught:
        act(verb, session, **{"note": "Why", **given})
    told = [(problem.code, problem.where, problem.message) for problem in caught.value.problems]
    return told, caught.value.number, dict(caught.value.choices)


ADJUST = "Leave the hand and record the difference as a side payment."


def chips(session: Session, *amounts: int) -> None:
    for seat, amount in enumerate(amounts, 1):
        act(BuyIn, session, seat=seat, amount=amount)


def test_a_correction_that_takes_the_chips_of_a_later_hand(session: Session) -> None:
    chips(session, 10_000, 10_000, 600)
    settle(session, entry(s1=WEAK, s2=FOUL, s3=PLAIN))
    settle(session)
    told, number, choices = impossible(ledger.correct_deal, session, number=1, entry=LEVEL)
    assert told == [
        ("no-chips", "deals[2]", "Hand 2: Cat is out of chips. Buy in, sit out or leave before the next hand.")
    ]
    assert number == 2
    assert choices == {
        "buy-in": "Add the buy-in that was made before hand 2, if there was one.",
        "void": "Void hand 2 first.",
        "adjust": ADJUST,
    }


def test_a_correction_that_takes_the_chips_that_somebody_cashed_out(session: Session) -> None:
    chips(session, 10_000, 10_000, 600)
    settle(session, entry(s1=WEAK, s2=FOUL, s3=PLAIN))
    act(CashOut, session, seat=3, amount=1_000)
    told, number, choices = impossible(ledger.correct_deal, session, number=1, entry=LEVEL)
    assert told == [("not-enough-chips", "deals[2]", "Before hand 2: Cat has too few chips for that.")]
    assert number == 2
    assert choices == {
        "buy-in": "Add the buy-in that was made before hand 1, if there was one.",
        "adjust": ADJUST,
    }


@pytest.fixture
def four(db: None) -> Session:
    """Four at a Pineapple table: the player on the button sits out."""
    return start("Ann Bob Cat Dan", rules="pineapple")


def test_a_correction_that_deals_in_somebody_else_later(four: Session) -> None:
    settle(four, entry(s2=PLAIN, s3=WEAK, s4=FOUL))
    settle(four, entry(s1=PLAIN, s3=WEAK, s4=FOUL))
    told, number, choices = impossible(ledger.void_deal, four, number=1, follow=[2])
    assert told == [("other-players", "deals[2]", "Hand 2: Bob would now be dealt in, and Ann would no longer be.")]
    assert number == 2
    assert choices == {
        "as-dealt": "Keep hand 2 as it was dealt.",
        "void": "Void hand 2 first.",
        "adjust": ADJUST,
    }


def test_chips_are_bought_late_only_for_hands_that_were_played_for_chips(session: Session) -> None:
    settle(session)
    told = refusal(BuyIn, session, seat=1, amount=5, before=1, note="Forgotten")
    sentence = "Hand 1 was played on credit; chips can only be bought for hands to come."
    assert told == [("bad-value", "before", sentence)]
    assert refusal(BuyIn, session, seat=1, amount=5, before=2, note="Forgotten") == [
        ("unknown-deal", "deals[2]", "There is no hand 2.")
    ]
    assert refusal(BuyIn, session, seat=1, amount=5, before=1) == [NOTE]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"names": "Ann"}, [("too-few-players", "names", "Enter at least two players.")]),
        ({"button": 0}, [("bad-value", "button", "The button is one of the players.")]),
        ({"button": 4}, [("bad-value", "button", "The button is one of the players.")]),
        ({"stake": -1}, [("bad-value", "stake", "Enter an amount of 0 or more, with at most 16 digits.")]),
        ({"currency": "EURO5"}, [("bad-value", "currency", "A currency is up to eight letters, such as EUR.")]),
        ({"currency": "E" * 9}, [("bad-value", "currency", "A currency is up to eight letters, such as EUR.")]),
        ({"minor_digits": 5}, [("bad-value", "minor_digits", "A currency has 0 to 4 minor digits.")]),
        ({"minor_digits": -1}, [("bad-value", "minor_digits", "A currency has 0 to 4 minor digits.")]),
        (
            {"names": "A B C D E", "rules": "pineapple", "stake": -1},
            [
                ("bad-value", "stake", "Enter an amount of 0 or more, with at most 16 digits."),
                (
                    "too-many-players",
                    "names",
                    "Max 3 players per hand, and one dealer who sits out.",
                ),
            ],
        ),
    ],
)
def test_terms_that_cannot_be(db: None, given: dict[str, Any], expected: Told) -> None:
    with pytest.raises(LedgerError) as caught:
        start(**given)
    assert [(problem.code, problem.where, problem.message) for problem in caught.value.problems] == expected
    assert not Session.objects.exists()


@pytest.mark.parametrize("given", [{"currency": "E" * 8}, {"minor_digits": 0}, {"minor_digits": 4}, {"button": 3}])
def test_terms_that_just_can_be(db: None, given: dict[str, Any]) -> None:
    start(**given)


def test_what_lies_beyond_sixteen_digits(session: Session) -> None:
    most = 10**16 - 1
    act(BuyIn, session, seat=1, amount=most)
    assert refusal(BuyIn, session, seat=1, amount=1) == [
        ("bad-value", "amount", "Ann would have a stack of more than 16 digits.")
    ]
    rich = start("Dan Eve", stake=most)
    assert refusal(ledger.settle_deal, rich, number=1, entry=entry(s1=STRONG, s2=WEAK)) == [
        ("bad-value", "pairs[0]", "Eve and Dan would settle an amount of more than 16 digits.")
    ]
