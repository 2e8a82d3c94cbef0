"""What was dealt is a fact (R73): the preview of a change asks about each later hand, and takes nothing by itself."""

from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.people import Leave
from scoring.game.entry import Entry, Rows
from scoring.models import BoardResult, Event, Revision, Session
from tests.ledger.conftest import FOUL, PLAIN, WEAK, act, entry, settle, start, table
from tests.ledger.test_evenings import typed
from tests.pages import form, labels, text

MISTYPED = typed(s1="QJ7 / AA44J / 89TJQ", s2="J73 / 55KT3 / 99A62", s3="T42 / 22KQ8 / KK653")
"""Ann's front is queens on the table."""
QUEENS = {"p1-front": "QQ7"}
KINGS = typed(s1="KK2 / AA339 / TTT88", s2="965 / 66J87 / 99A62", s3="J75 / 44QJ7 / QQ5K4")
DEAD = Entry(boards={seat: Rows(ruling="dead") for seat in (1, 2, 3)})


@pytest.fixture
def session(session: Session) -> Session:
    """In hand 1 Ann's front is mistyped; in hand 2, dealt card by card, Ann makes kings and is due Fantasyland."""
    settle(session, MISTYPED)
    settle(session, KINGS)
    return session


def corrected(client: Client, session: Session, wanted: dict[str, str] = QUEENS) -> Any:
    """The preview of hand 1 with another front."""
    return form(client.get(f"/s/{session.public_id}/hands/1/correct/"), "Preview changes").fill(wanted).press()


def record(preview: Any, **chosen: str) -> Any:
    """Press the button that records hand 1."""
    sending = form(preview, "Correct hand 1").fill({"note": "Queens", **chosen})
    return sending.press("Correct hand 1")


def in_fantasyland(number: int) -> dict[int, int]:
    """The cards that the deal was dealt at once, by seat."""
    boards = BoardResult.objects.filter(revision__deal__number=number, fantasyland_cards__gt=0).order_by("revision__n")
    last = Revision.objects.filter(deal__number=number).order_by("-n")[0]
    return dict(boards.filter(revision=last).values_list("seat__number", "fantasyland_cards"))


def test_a_correction_takes_no_fantasyland_that_a_later_hand_earned(client: Client, session: Session) -> None:
    assert table(session).fantasyland == {1: 13}
    page = corrected(client, session)
    text = page.content.decode()
    assert "Hand 2 was dealt to Ann card by card. By the corrected hand 1 they were due 13 cards at once." in text
    assert "Hand 2: Ann did not get the Fantasyland they were due." in text
    assert "Hand 1: Ann now earns Fantasyland (13 cards)." in text
    assert record(page).status_code == 302
    assert in_fantasyland(2) == {}
    assert table(session).fantasyland == {1: 13}


def test_the_host_may_say_that_a_hand_was_fantasyland(client: Client, session: Session) -> None:
    """Kings keep nobody in Fantasyland, and that is said before anything is recorded."""
    first = record(corrected(client, session), **{"follow-2": "yes"})
    assert first.status_code == 200
    assert Revision.objects.count() == 2
    text = first.content.decode()
    assert "It is not recorded yet" in text
    assert "Hand 2: Ann is now in Fantasyland (13 cards)." in text
    assert "Hand 2: Ann no longer earns Fantasyland." in text
    assert "Hand 3: Ann is no longer due Fantasyland." in text
    assert record(first).status_code == 302
    assert in_fantasyland(2) == {1: 13}
    assert table(session).fantasyland == {}
    assert Event.objects.get(verb="correct").action["follow"] == [2]


def test_what_was_typed_and_chosen_beside_the_preview_survives_another_look_at_the_cards(
    client: Client, session: Session
) -> None:
    shown = form(corrected(client, session), "Correct hand 1").fill({"note": "typed beside it", "follow-2": "yes"})
    edited = form(shown.press("Edit cards"), "Preview changes")
    assert edited.fields()["note"] == ["typed beside it"]
    again = form(edited.press(), "Correct hand 1")
    assert again.fields()["follow-2"] == ["yes"]
    assert again.press("Correct hand 1").status_code == 302  # what it leads to was shown
    assert Event.objects.get(verb="correct").action["follow"] == [2]


def test_another_look_at_the_cards_loses_nothing_if_the_session_was_closed_meanwhile(
    client: Client, session: Session
) -> None:
    shown = form(corrected(client, session), "Correct hand 1").fill({"note": "typed beside it", "follow-2": "yes"})
    act(ledger.close_session, session)
    late = shown.press("Edit cards")
    assert late.status_code == 409
    kept = form(late, "Preview changes").fields()
    assert (kept["note"], kept["follow-2"], kept["p1-front"]) == (["typed beside it"], ["yes"], [QUEENS["p1-front"]])


def test_what_happened_before_the_effect_of_a_choice_was_shown_is_told(client: Client, session: Session) -> None:
    shown = form(corrected(client, session), "Correct hand 1").fill({"note": "Queens", "follow-2": "yes"})
    act(Fee, session, seats=[1], amount=500, note="room")
    seen = form(shown.press("Correct hand 1"), "Correct hand 1")
    late = seen.press("Correct hand 1")
    assert late.status_code == 409
    assert "5.00" in late.content.decode()
    assert form(late, "Correct hand 1").press("Correct hand 1").status_code == 302


def test_a_choice_can_be_taken_back(client: Client, session: Session) -> None:
    chosen = record(corrected(client, session), **{"follow-2": "yes"})
    assert record(chosen, **{"follow-2": ""}).status_code == 200
    shown = form(chosen, "Correct hand 1").fill({"follow-2": "", "note": "Queens"}).press("Show what my choice changes")
    assert "did not get the Fantasyland" in shown.content.decode()
    assert record(shown).status_code == 302
    assert in_fantasyland(2) == {}


def test_a_choice_about_a_hand_that_has_changed_since_is_not_recorded(client: Client, session: Session) -> None:
    chosen = record(corrected(client, session), **{"follow-2": "yes"})
    act(ledger.void_deal, session, number=2)
    late = record(chosen)
    assert late.status_code == 409
    assert "The table was changed since this page was opened." in late.content.decode()
    assert not Event.objects.filter(verb="correct").exists()


@pytest.mark.parametrize("nonsense", ["follow-1", "follow-", "follow-x", "follow-999999999", "follow--2", "follow-02"])
def test_a_choice_about_no_later_hand_changes_nothing(client: Client, session: Session, nonsense: str) -> None:
    sending = form(corrected(client, session), "Correct hand 1").fill({"note": "Queens"})
    sending.forge({nonsense: "yes", nonsense.replace("follow", "seen"): "yes"})
    assert in_fantasyland(2) == ({1: 13} if nonsense == "follow-02" else {})


def test_a_voided_hand_leaves_the_button_of_the_next_where_it_lay(client: Client, session: Session) -> None:
    settle(session, DEAD)
    page = form(client.get(f"/s/{session.public_id}/hands/1/void/"), "Void hand 1")
    text = client.get(f"/s/{session.public_id}/hands/1/void/").content.decode()
    assert "Bob had the button in hand 2. By the voided hand 1 Ann had it." in text
    assert "<span>Ann had the button</span>" in text
    assert "Hand 1: Ann no longer earns Fantasyland." not in text
    assert page.fill({"note": "misdeal"}).press("Void hand 1").status_code == 302
    assert [each.button for each in Revision.objects.filter(deal__number=2)] == [2, 2]
    assert Revision.objects.filter(deal__number=3).count() == 1


def test_a_void_hand_says_whose_fantasyland_it_takes(client: Client, session: Session) -> None:
    text = client.get(f"/s/{session.public_id}/hands/2/void/").content.decode()
    assert "Hand 2: Ann no longer earns Fantasyland." in text


def test_a_restored_hand_is_as_it_was_dealt(client: Client, session: Session) -> None:
    """Hand 2 was dealt card by card, whatever hand 1 became while it was void."""
    act(ledger.void_deal, session, number=2)
    record(corrected(client, session))
    restoring = form(client.get(f"/s/{session.public_id}/hands/2/restore/"), "Restore hand 2")
    assert restoring.fill({"note": "it stood"}).press("Restore hand 2").status_code == 302
    assert in_fantasyland(2) == {}
    assert table(session).fantasyland == {1: 13}


def test_a_restored_hand_may_follow_from_what_changed_meanwhile(client: Client, db: None) -> None:
    """The host is asked about the restored hand itself, and sees what the answer does before it is recorded."""
    session = start()
    settle(session, typed(s1="QQ7 / AA44J / 89TJQ", s2="J73 / 55KT3 / 99A62", s3="T42 / 22K38 / KK653"))
    settle(session, DEAD)
    act(ledger.void_deal, session, number=2)
    act(ledger.correct_deal, session, number=1, entry=MISTYPED, note="Jack")
    opened = form(client.get(f"/s/{session.public_id}/hands/2/restore/"), "Restore hand 2")
    shown = opened.fill({"follow-2": "yes", "note": "it stood"}).press("Restore hand 2")
    assert shown.status_code == 200
    assert form(shown, "Restore hand 2").fields()["follow-2"] == ["yes"]
    assert form(shown, "Restore hand 2").press("Restore hand 2").status_code == 302
    assert in_fantasyland(2) == {}


def test_the_host_is_asked_again_if_the_same_is_changed_again(client: Client, session: Session) -> None:
    """A hand that was left as dealt carries no note any more once it follows from what is before it."""
    asked = "Hand 2 was dealt to Ann card by card. By the corrected hand 1 they were due 13 cards at once."
    record(corrected(client, session))
    record(corrected(client, session, {"p1-front": "QJ7"}))
    assert not Revision.objects.filter(deal__number=2).order_by("-n")[0].note
    again = corrected(client, session)
    assert asked in again.content.decode()
    chosen = record(again, **{"follow-2": "yes"})
    assert record(chosen).status_code == 302
    assert in_fantasyland(2) == {1: 13}


def test_the_last_hand_moves_button_and_fantasyland_of_the_next(client: Client, db: None) -> None:
    session = start()
    settle(session, MISTYPED)
    text = corrected(client, session).content.decode()
    assert "Hand 2: Ann is now due Fantasyland (13 cards)." in text
    assert "Hand 2: the button moves to Ann instead of Bob." in text


def test_chips_that_later_payments_drew_on_are_said(client: Client, db: None) -> None:
    session = start(rules={"win_cap": "none"})
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=2500)
    settle(session, MISTYPED)
    settle(session, typed(s1="J73 / 55KT3 / 99A62", s2="QQ7 / AA44J / 89TJQ", s3="T42 / 22K38 / KK653"))
    text = corrected(client, session).content.decode()
    assert "Hand 1: Bob loses 7.00, Cat loses 7.00 and Ann gains 14.00 in chips." in text
    assert "Hand 2: Cat gains 7.00 and Bob loses 7.00 in chips." in text


# --- What was missed can be given in the next hand --------------------------------------------------------------------

GIVE = "Give Ann Fantasyland in hand 4"


def test_a_fantasyland_that_was_missed_is_given_in_one_tap(client: Client, session: Session) -> None:
    settle(session, DEAD)
    page = client.get(record(corrected(client, session))["Location"])
    assert "Ann was due Fantasyland after hand 1 and did not get it." in page.content.decode()
    assert form(page, GIVE).press(GIVE).status_code == 302
    assert table(session).fantasyland == {1: 13}
    assert table(session).note == "Ann was due Fantasyland after hand 1 and did not get it."
    again = client.get(f"/s/{session.public_id}/hands/1/")
    assert GIVE not in labels(again)
    settle(session, DEAD)
    assert in_fantasyland(4) == {1: 13}
    assert "did not get it" not in client.get(f"/s/{session.public_id}/hands/1/").content.decode()


def test_nothing_is_given_to_a_player_who_has_left(client: Client, session: Session) -> None:
    settle(session, DEAD)
    hand = record(corrected(client, session))["Location"]
    act(Leave, session, seat=1)
    assert GIVE not in labels(client.get(hand))


def test_a_fantasyland_that_came_is_not_missed(client: Client, db: None) -> None:
    session = start()
    settle(session, typed(s1="QQ7 / AA44J / 89TJQ", s2="J73 / 55KT3 / 99A62", s3="T42 / 22K38 / KK653"))
    settle(session, DEAD)
    assert "did not get it" not in client.get(f"/s/{session.public_id}/hands/1/").content.decode()


@pytest.mark.django_db
def test_there_is_no_button_for_a_choice_where_there_is_none(client: Client) -> None:
    """Bob would sit out hand 2 by the corrected hand, so that it can only stay as it was dealt."""
    four = start("Ann Bob Cat Dan", rules="pineapple")
    settle(four, entry(s2=PLAIN, s3=WEAK, s4=FOUL))
    settle(four, entry(s1=PLAIN, s3=WEAK, s4=FOUL))
    opened = form(client.get(f"/s/{four.public_id}/hands/1/correct/"), "Preview changes")
    shown = opened.fill({"p2-front": "AhAdKc", "p2-middle": "2h2d2s3h3d", "p2-back": "4h4d4s4c5h"}).press(
        "Preview changes"
    )
    assert "It stays as it was dealt." in text(shown)
    assert "Show what my choice changes" not in text(shown)
    assert record(shown, note="Aces").status_code == 302
