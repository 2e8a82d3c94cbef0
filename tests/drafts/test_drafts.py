"""Drafts: stored once one row is complete, sent to the other phones, never overwritten unseen, gone once settled."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.base import TableAction
from scoring.actions.people import Leave, SitIn, SitOut
from scoring.actions.terms import ChangeTerms
from scoring.drafts import keep, lay_again, line, put_away, remark
from scoring.game.entry import Entry, Rows
from scoring.models import Deal, Draft, Session
from scoring.rules.board import ROWS
from tests.conftest import HostsBrowser
from tests.drafts.conftest import HTMX, Phone, tied
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import Form, follow, form, post_nothing, read

SOME = Rows("7s8d9c", "6h6d8s9dTc", "")
OTHER = Rows("QsQhQd", "", "")
QUEENS = Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s")
AWAY = Rows("JsJdJc", "KhKs2c3c6c", "AcAs9h9s5s")
EARNS = Rows("QsQd3c", "KhKs2c4c5h", "AsAcKdKc5d")
"""Earns Fantasyland with cards that are not in `STRONG`, since the history shows those of hand 1."""


def drafts() -> dict[int, tuple[str, str, str]]:
    return {each.seat.number: (each.front, each.middle, each.back) for each in Draft.objects.select_related("seat")}


def test_rows_are_stored_once_one_is_complete(host: Phone) -> None:
    assert "2 of 3" in host.send(2, Rows("7s8d", "", "")).content.decode()
    assert not Draft.objects.exists()
    page = host.send(2, Rows("7s 8d 9c", "6h6", "")).content.decode()
    assert "Nine high" in page
    assert drafts() == {2: ("7s 8d 9c", "", "")}
    host.send(2, SOME)
    assert drafts() == {2: ("7s 8d 9c", "6h 6d 8s 9d Tc", "")}
    draft = Draft.objects.get()
    assert (draft.revision, draft.done) == (2, False)
    host.send(2, PLAIN)
    assert Draft.objects.get().done


def test_only_cards_are_stored(host: Phone) -> None:
    host.forge(2, {"p2-front": "7s8d9c", "p2-middle": "\0<script>alert(1)</script>", "p2-back": "A" * 5000})
    assert drafts() == {2: ("7s 8d 9c", "", "")}


def test_the_same_rows_sent_twice_are_one_change(host: Phone) -> None:
    host.send(2, PLAIN)
    assert host.send(2, PLAIN).status_code == 200
    assert Draft.objects.get().revision == 1


def test_a_phone_that_missed_the_answer_is_not_refused(host: Phone) -> None:
    host.lose(2, SOME)
    assert host.send(2, PLAIN).status_code == 200
    assert Draft.objects.get().done


def test_the_second_of_two_phones_on_a_seat_is_told_and_overwrites_nothing(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    refused = host.send(2, OTHER)
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Bob’s cards were entered on two phones." in page
    assert "<dd>Front 7s8d9c, Middle 6h6d8s9dTc and Back 7h7d8h8cTs</dd>" in page
    assert "<dd>Front QsQhQd, Middle – and Back –</dd>" in page
    assert drafts()[2][0] == "7s 8d 9c"
    # Being told is not a choice: only a request that is based on the other phone's rows overwrites them.
    assert host.send(2, OTHER).status_code == 409
    assert host.press(2, "Keep mine").status_code == 200
    assert drafts()[2] == ("Qs Qh Qd", "", "")
    # Now the first phone is the one that came second.
    assert bob.send(2, STRONG).status_code == 409


def test_the_other_phones_rows_can_be_taken(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    assert host.send(2, OTHER).status_code == 409
    page = host.press(2, "Use other").content.decode()
    assert 'value="7s 8d 9c"' in page
    assert host.send(2, STRONG).status_code == 200


SAID = [("en", "Dead hand", "Surrendered"), ("de", "Tote Hand", "Aufgegeben")]
TWO_PHONES = "Bob’s cards were entered on two phones."
CHOOSES = "Another phone has something else for Bob"


@pytest.fixture
def third(session: Session) -> Phone:
    """A phone with a page that it opened before any other sent something, if a test asks for it first."""
    return Phone(session)


@pytest.fixture
def disagreed(host: Phone, bob: Phone) -> None:
    """Everybody is in. Then the host's phone sends other cards for Bob than Bob's, and has to choose."""
    disagree(host, bob)


def disagree(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, OTHER).status_code == 409


def previewed(phone: Phone) -> str:
    page = form(phone.client.get(f"/s/{phone.session.public_id}/hand/")).press("Show the settlement")
    return " ".join(page.content.decode().split())


def test_all_phones_learn_that_somebody_has_yet_to_choose(disagreed: None, host: Phone, bob: Phone) -> None:
    page = " ".join(bob.ask().content.decode().split())
    assert f"{CHOOSES}: Front QsQhQd." in page
    assert bob.ask().status_code == 204
    assert CHOOSES not in host.ask().content.decode()  # that phone asks for the choice itself
    page = previewed(bob)
    assert TWO_PHONES in page
    assert "<dt>Other phone</dt><dd>Front QsQhQd</dd>" in page
    assert "<dt>This hand</dt><dd>Front 7s8d9c</dd>" in page


def test_a_hand_with_the_rows_that_were_not_stored_says_so_too(disagreed: None, host: Phone) -> None:
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    page = opened.fill({"p2-front": "8d 9c 2c"}).press("Show the settlement").content.decode()
    assert "<dt>Other phone</dt><dd>Front 7s8d9c</dd>" in page


@pytest.mark.parametrize("choice", ["theirs", "mine", "the same", "nothing", "there"])
def test_once_somebody_has_chosen_nobody_is_warned(disagreed: None, host: Phone, bob: Phone, choice: str) -> None:
    match choice:
        case "theirs":
            host.press(2, "Use other")
        case "mine":
            assert host.press(2, "Keep mine").status_code == 200
        case "the same":
            assert host.send(2, PLAIN).status_code == 200
        case "nothing":
            host.send(2, Rows())
        case "there":
            bob.send(2, OTHER)
    assert CHOOSES not in bob.ask().content.decode()
    draft = Draft.objects.get(seat__number=2)
    assert draft.unchosen == []
    if draft.done:
        assert TWO_PHONES not in previewed(bob)


def test_a_ruling_on_one_phone_alone_is_in_question_too(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, PLAIN, ruling="dead").status_code == 409
    page = previewed(bob)
    assert "<dt>Other phone</dt><dd>Dead hand</dd>" in page
    assert "<dt>This hand</dt><dd>Cards speak</dd>" in page


@pytest.mark.parametrize(("language", "dead", "surrendered"), SAID)
def test_the_choice_between_two_phones_names_the_rulings(
    host: Phone, bob: Phone, language: str, dead: str, surrendered: str
) -> None:
    act(ChangeTerms, host.session, rules={"preset": "regular", "surrender_points": 3})
    host.client.cookies["language"] = language
    host.open()
    bob.send(2, PLAIN, ruling="dead")
    page = host.send(2, OTHER, ruling="surrendered").content.decode()
    assert f"Back 7h7d8h8cTs and {dead}</dd>" in page.replace(" und ", " and ")
    assert f"Back – and {surrendered}</dd>" in page.replace(" und ", " and ")


@pytest.mark.parametrize("own", [0, 2])
def test_a_board_that_comes_from_another_phone_can_still_be_ruled_on(session: Session, bob: Phone, own: int) -> None:
    """On the page of the hand, that is. The page of a player's own cards asks for no ruling."""
    asking, choosing = (Phone(session, own=own) for _ in range(2))
    bob.send(2, PLAIN)
    choosing.send(2, OTHER)
    answers = [asking.ask(), choosing.press(2, "Use other")]
    settle(session, entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    bob.open().send(2, STRONG)
    answers.append(Phone(session, own=own).press(2, "Enter them here"))
    for answer in answers:
        page = answer.content.decode()
        assert 'id="p2-board"' in page
        assert ('name="p2-ruling"' in page) == (not own)


def test_rows_that_one_phone_lacks_are_not_in_question(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, Rows(PLAIN.front, "", PLAIN.back)).status_code == 409
    assert CHOOSES not in bob.ask().content.decode()
    assert TWO_PHONES not in previewed(bob)


def test_a_change_that_settles_nothing_keeps_the_warning(disagreed: None, host: Phone, bob: Phone) -> None:
    bob.send(2, STRONG)
    assert [rows for _, rows in Draft.objects.get(seat__number=2).unchosen] == ["Qs Qh Qd//"]
    assert host.send(2, SOME).status_code == 409
    assert [rows for _, rows in Draft.objects.get(seat__number=2).unchosen] == ["7s 8d 9c/6h 6d 8s 9d Tc/"]


def test_each_phone_has_a_choice_of_its_own(host: Phone, bob: Phone, session: Session) -> None:
    third, *others = (Phone(session) for _ in range(21))
    disagree(host, bob)
    third.send(2, SOME)
    third.send(2, Rows("7s8d9d", "", ""))
    third.press(2, "Use other")
    assert f"{CHOOSES}: Front QsQhQd." in " ".join(bob.ask().content.decode().split())
    for phone in others:
        phone.send(2, Rows("7s8d9d", "", ""))
    assert len(Draft.objects.get(seat__number=2).unchosen) == 8


def test_what_somebody_says_of_a_hidden_board_is_told_to_nobody(session: Session, host: Phone, bob: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, *guessing = (Phone(session) for _ in range(3))
    host.open()
    ann.send(1, STRONG)
    assert host.send(1, OTHER).status_code == 409
    for at in ("hand/", "seat/1/"):
        assert "Another phone has" not in bob.client.get(f"/s/{session.public_id}/{at}").content.decode()
    # How often the draft has changed does not tell the host's phone that Ann has those rows by now.
    for rows in (OTHER, STRONG):
        ann.send(1, rows)
        revision = Draft.objects.get().revision
        assert host.send(1, OTHER).status_code == 409
        assert Draft.objects.get().revision == revision + 1
    for rows, phone in zip((OTHER, STRONG), guessing, strict=True):
        assert phone.send(1, OTHER).status_code == 409
        ann.send(1, rows)
        revision = Draft.objects.get().revision
        phone.press(1, "Use other")
        assert Draft.objects.get().revision == revision + 1


def test_who_sends_a_board_of_fantasyland_first_sees_nothing_of_the_players_own(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    at = f"/s/{session.public_id}"
    ann = tied(session, 1)
    host.open().send(1, OTHER)
    assert ann.send(1, STRONG).status_code == 409
    seen = [
        host.ask(),
        host.client.get(f"{at}/hand/"),
        host.client.get(f"{at}/hand/1/"),
        host.client.get(f"{at}/hand/1/", headers=HTMX),
        form(host.client.get(f"{at}/hand/")).press("Show the settlement"),
        host.send(1, PLAIN),
    ]
    for page in seen:
        assert "AhAdKc" not in page.content.decode().replace(" ", "")
        assert "Another phone has" not in page.content.decode()


def test_two_phones_with_the_same_rows_do_not_clash(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    assert host.send(2, Rows("7S 8♦ 9c", PLAIN.middle, PLAIN.back)).status_code == 200
    assert Draft.objects.get().revision == 1


TURNED = Rows("9c 8d 7s", "Tc9d8s6d6h", "T\u2660 8c 8h 7d 7h")
"""`PLAIN` in another order and other spellings."""


def test_the_same_cards_in_another_order_are_the_same_rows(host: Phone, bob: Phone, third: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert bob.send(2, TURNED).status_code == 200
    assert host.send(2, TURNED).status_code == 200
    assert "data-taken" not in said(third.type(2, TURNED).ask())
    draft = Draft.objects.get(seat__number=2)
    assert (draft.revision, draft.unchosen) == (1, [])
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    assert TWO_PHONES not in said(opened.fill(fields_of({2: TURNED})).press("Show the settlement"))


def test_a_row_in_another_order_is_no_part_of_what_differs(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    page = host.send(2, Rows(OTHER.front, TURNED.middle, TURNED.back)).content.decode()
    assert "<dd>Front 7s8d9c</dd>" in page
    assert "<dd>Front QsQhQd</dd>" in page
    page = " ".join(bob.ask().content.decode().split())
    assert f"{CHOOSES}: Front QsQhQd." in page


def test_rows_that_were_only_turned_on_a_phone_make_room_for_newer_ones(host: Phone, bob: Phone) -> None:
    """Somebody has put the cards of the stored rows into another order, which is nothing to choose between."""
    bob.send(2, PLAIN)
    assert host.send(2, TURNED).status_code == 200
    bob.send(2, STRONG)
    page = host.ask().content.decode()
    assert "data-taken" not in page
    assert 'value="Ah Ad Kc"' in page


def test_the_same_cards_in_another_order_choose_the_stored_rows(disagreed: None, host: Phone) -> None:
    assert host.send(2, TURNED).status_code == 200
    assert Draft.objects.get(seat__number=2).unchosen == []


def test_the_host_sees_who_is_done_and_receives_their_rows(host: Phone, bob: Phone) -> None:
    assert host.ask().status_code == 204
    bob.send(2, PLAIN)
    page = " ".join(host.ask().content.decode().split())
    assert '<li class="in" data-name="Bob" data-cards=""> <b>Bob</b> <small>Done ✓</small>' in page
    assert 'id="p2-board" hx-swap-oob="true"' in page
    assert 'value="7h 7d 8h 8c Ts"' in page
    assert 'id="p3-board"' not in page
    assert host.ask().status_code == 204
    assert 'value="7h 7d 8h 8c Ts"' in host.client.get(f"/s/{host.session.public_id}/hand/").content.decode()


def test_the_host_chooses_if_two_phones_have_typed_for_a_player(host: Phone, bob: Phone) -> None:
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    bob.send(2, PLAIN)
    page = host.type(2, Rows("Qs", "", "")).ask().content.decode()
    assert "data-taken" in page
    assert 'id="p2-board"' not in page
    # The form can also be opened again from its old address. Its rows are then based on the old draft.
    again = form(opened.fill({"p2-front": OTHER.front}).forge({"edit": "1"})).fields()
    assert (again["p2-front"], again["p2-rev"]) == ([OTHER.front], ["0"])


def test_a_card_on_two_phones_is_shown_to_both(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    page = host.send(3, Rows("7sKsKd", "", "")).content.decode()
    assert "The seven of spades is also in Bob&#x27;s front." in page
    page = bob.ask().content.decode()
    assert "The seven of spades is also in Cat&#x27;s front." in page
    host.send(3, Rows("2sKsKd", "", ""))
    assert "is also in" not in bob.ask().content.decode()


def test_a_card_that_is_twice_in_one_row_is_said_to_be_there_and_nowhere_else(bob: Phone) -> None:
    page = bob.send(2, Rows("7s7sKd", "", "")).content.decode()
    assert "The seven of spades stands more than once in this row." in page
    assert "is also in" not in page


def test_a_phone_need_not_ask_for_what_it_sent_itself(host: Phone, bob: Phone) -> None:
    first = host.send(2, PLAIN).content.decode()
    assert '<li class="in" data-name="Bob"' in first
    assert host.ask().status_code == 204
    bob.send(3, WEAK)
    # This phone has not seen Cat's rows yet, so it may not conclude from its own answer that it is up to date.
    assert "#others" not in host.send(2, STRONG).content.decode()
    assert '<li class="in" data-name="Cat"' in host.ask().content.decode()


def test_a_ruling_of_the_scorer_outlives_the_players_own_rows(host: Phone, session: Session) -> None:
    host.send(2, Rows(), ruling="dead")
    assert Draft.objects.get().done
    assert Phone(session, own=2).send(2, SOME).status_code == 200
    assert Draft.objects.get().ruling == "dead"
    assert 'value="dead" selected' in host.client.get(f"/s/{host.session.public_id}/hand/").content.decode()


@pytest.mark.parametrize("asks", [True, False])
def test_a_ruling_on_cards_that_a_player_goes_on_to_change_is_nothing_to_choose(
    session: Session, host: Phone, asks: bool
) -> None:
    own = Phone(session, own=2)
    own.send(2, PLAIN)
    host.ask()
    host.send(2, PLAIN, ruling="dead")
    if asks:
        assert "entered on two phones" not in said(own.type(2, BETTER).ask())
    answer = own.send(2, BETTER)
    assert answer.status_code == 200
    draft = Draft.objects.get()
    assert (draft.front, draft.ruling, draft.unchosen) == ("7s Qd 9c", "dead", [])
    assert CHOOSES not in said(host.ask())


def test_a_ruling_is_nothing_to_choose_for_a_player_who_sends_the_cards_that_are_there(
    session: Session, host: Phone
) -> None:
    own = Phone(session, own=2)
    host.send(2, PLAIN, ruling="dead")
    answer = own.send(2, PLAIN)
    assert (answer.status_code, "data-taken" in said(answer)) == (200, False)
    assert own.send(2, BETTER).status_code == 200
    assert Draft.objects.get().ruling == "dead"


def test_a_player_who_has_not_seen_the_cards_that_were_ruled_on_chooses_between_cards_alone(
    session: Session, host: Phone
) -> None:
    own = Phone(session, own=2)
    host.send(2, PLAIN, ruling="dead")
    answer = own.send(2, BETTER)
    assert answer.status_code == 409
    assert "<dt>Other phone</dt><dd>Front 7s8d9c</dd>" in said(answer)
    assert "Dead hand" not in said(answer)


def test_two_decks_have_every_card_twice(session: Session) -> None:
    act(ChangeTerms, session, rules="double-deck")
    phone = Phone(session)
    assert "is also in" not in phone.send(2, Rows("7s7sKd", "", "")).content.decode()
    assert "The seven of spades is also in Bob" in phone.send(3, Rows("7s2c2d", "", "")).content.decode()


def test_drafts_of_a_settled_hand_no_longer_count(host: Phone, bob: Phone, session: Session) -> None:
    own = Phone(session, own=2)
    own.send(2, WEAK)
    settle(session, LEVEL)
    page = host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert line(WEAK) not in page
    late = own.send(2, LEVEL.boards[2])
    assert late["HX-Redirect"] == f"/s/{session.public_id}/hands/1/"
    # The scorer's page hears of the settlement from `live.js`, and keeps the rows that were typed there.
    assert host.ask().status_code == 204
    # The old draft is deleted when the next hand's first rows arrive.
    bob.open().send(3, PLAIN)
    assert [(draft.number, draft.seat.number) for draft in Draft.objects.all()] == [(2, 3)]


@pytest.mark.parametrize("by", ["asking", "sending", "sending without a script"])
def test_a_player_whose_hand_was_settled_and_voided_is_told_so_and_nothing_else(session: Session, by: str) -> None:
    own = Phone(session, own=2)
    own.send(2, WEAK)
    unscripted = form(own.client.get(f"/s/{session.public_id}/seat/2/"), "Save changes").fill(fields_of({2: BETTER}))
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.void_deal, session, number=1)
    answers = {"asking": own.ask, "sending": lambda: own.send(2, BETTER), "sending without a script": unscripted.press}
    page = " ".join(read(answers[by]()).text_content().split())
    assert "Hand 1 was voided" in page
    assert "has been settled" not in page
    assert "Not saved: Bob: " in page


@pytest.mark.parametrize("by", ["asking", "sending"])
def test_a_player_whose_hand_was_settled_with_other_cards_is_shown_their_own_again(session: Session, by: str) -> None:
    own = Phone(session, own=2)
    own.send(2, WEAK)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    late = own.ask() if by == "asking" else own.lose(2, Rows("AsKs", "", ""))
    assert (late.status_code, late["HX-Retarget"]) == (409, "#main")
    page = " ".join(read(late).text_content().split())
    assert "Hand 1 has been settled" in page
    shown = " / ".join((WEAK.front, WEAK.middle, WEAK.back)) if by == "asking" else "AsKs / – / –"
    assert f"Not saved: Bob: {shown}" in page


@pytest.mark.parametrize("own", ["0", "99", "x"])
def test_a_seat_that_is_not_there_is_shown_no_cards_after_its_hand(host: Phone, session: Session, own: str) -> None:
    settle(session, LEVEL)
    asked = host.forge_question(2, **{"number": "1", "own": own, f"p{own}-front": "AsKsQs", "p0-front": "AsKsQs"})
    assert asked["HX-Redirect"] == f"/s/{session.public_id}/hands/1/"


def test_a_player_is_shown_what_they_typed_when_the_session_closes(session: Session) -> None:
    own, idle = Phone(session, own=2).type(2, Rows("AsKs", "", "")), Phone(session, own=3)
    act(ledger.close_session, session)
    late = own.ask()
    assert late.status_code == 409
    page = " ".join(read(late).text_content().split())
    assert "This session is closed" in page
    assert "Bob: AsKs / – / –" in page
    assert idle.ask()["HX-Redirect"] == f"/s/{session.public_id}/"


def test_a_closed_session_takes_no_rows(host: Phone, session: Session) -> None:
    act(ledger.close_session, session)
    assert host.send(2, PLAIN).status_code == 204
    assert not Draft.objects.exists()
    for path in ("seat/", "seat/2/"):
        assert "session is closed" in host.client.get(f"/s/{session.public_id}/{path}").content.decode()


def test_the_preview_uses_the_rows_that_phones_have_sent(host: Phone, bob: Phone, session: Session) -> None:
    bob.send(2, WEAK)
    cat = Phone(session)
    cat.send(3, FOUL)
    typed = {"p1-front": PLAIN.front, "p1-middle": PLAIN.middle, "p1-back": PLAIN.back}
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(typed).press("Show the settlement")
    assert "Preview – not saved yet" in page.content.decode()
    settling = form(page, "Settle hand 1")
    assert settling.fields()["p2-front"] == ["5s 6c 9h"]
    assert settling.press()["Location"] == f"/s/{session.public_id}/hands/1/"


def test_the_preview_uses_rows_that_came_after_the_page_was_opened(host: Phone, bob: Phone, session: Session) -> None:
    """A page without a script does not hear of them, so it sends the fields of those seats empty."""
    typed = {"p1-front": PLAIN.front, "p1-middle": PLAIN.middle, "p1-back": PLAIN.back}
    opened = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(typed)
    bob.send(2, WEAK)
    bob.send(3, FOUL)
    page = opened.press("Show the settlement")
    settling = form(page, "Settle hand 1").fields()
    assert (settling["p2-front"], settling["p3-back"]) == (["5s 6c 9h"], ["Jh As 5d 5c Kd"])
    # Edited, the page is based on those rows, so a change of them is not that of a phone that came second.
    edited = form(follow(page, "Edit"), "Show the settlement").fields()
    assert (edited["p2-front"], edited["p2-rev"]) == (["5s 6c 9h"], ["1"])


def test_what_was_changed_or_emptied_on_the_page_outlives_rows_that_came_later(
    host: Phone, bob: Phone, session: Session
) -> None:
    bob.send(2, WEAK)
    typed = {"p1-front": PLAIN.front, "p1-middle": PLAIN.middle, "p1-back": PLAIN.back, "p3-ruling": "dead"}
    opened = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(typed)
    opened.fill({f"p2-{row}": "" for row in ("front", "middle", "back")} | {"p2-ruling": "dead"})
    bob.send(2, STRONG)
    bob.send(3, FOUL)
    settling = form(opened.press("Show the settlement"), "Settle hand 1").fields()
    assert (settling["p2-ruling"], settling["p3-ruling"]) == (["dead"], ["dead"])
    assert not {"p2-front", "p3-front"} & set(settling)


@pytest.mark.parametrize("path", ["hand/9/", "hand/-1/", "hand/99999999999/", "seat/9/", "seat/0/"])
def test_an_unknown_seat_is_404(host: Phone, path: str) -> None:
    assert host.client.get(f"/s/{host.session.public_id}/{path}").status_code == 404
    assert post_nothing(host.client, f"/s/{host.session.public_id}/{path}").status_code in {404, 405}


def test_a_player_who_sits_out_has_nothing_to_enter(host: Phone, session: Session) -> None:
    act(SitOut, session, seat=3)
    assert "Cat sits out this hand" in host.client.get(f"/s/{session.public_id}/seat/3/").content.decode()
    assert "kept on this phone" not in host.client.get(f"/s/{session.public_id}/seat/3/").content.decode()
    assert host.send(3, PLAIN).status_code == 204
    assert drafts() == {}


@pytest.mark.parametrize("moves", [SitOut, Leave])
def test_a_phone_whose_player_is_not_dealt_in_any_more_is_led_to_where_that_is_said(
    session: Session, moves: type[TableAction]
) -> None:
    phone = tied(session, 3)
    phone.send(3, PLAIN)
    act(moves, session, seat=3)
    for answer in (phone.send(3, WEAK), phone.ask()):
        assert answer.status_code == 200
        text = phone.client.get(answer["HX-Redirect"]).content.decode()
        assert "Cat sits out this hand" in text
        assert "Your cards are kept on this phone. They come back if Cat is dealt in again." in text
    settle(session, entry(s1=STRONG, s2=PLAIN))
    assert "kept on this phone" not in phone.client.get(answer["HX-Redirect"]).content.decode()
    assert "Not saved: Cat:" in " ".join(read(phone.lose(3, WEAK)).text_content().split())


# --- Fantasyland ------------------------------------------------------------------------------------------------------


def test_a_fantasyland_board_is_hidden_from_other_phones_until_all_others_are_in(
    host: Phone, bob: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    bob.open()
    ann.send(1, STRONG)
    page = host.ask().content.decode()
    assert "Ah Ad" not in page
    assert "Ann is in Fantasyland, on another phone: done." in page
    assert "Ah Ad" not in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ah Ad" not in bob.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    assert "Ah Ad" in ann.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    # Of a clash with a hidden card nothing is told: a phone could ask for one card after the other.
    asked = bob.send(2, Rows("AhKsKd", "", "")).content.decode()
    assert "also in" not in asked
    assert "twice" not in asked
    bob.send(2, PLAIN)
    assert "Ah Ad" not in host.ask().content.decode()
    Phone(session).send(3, WEAK)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()


def test_a_clash_does_not_reveal_the_row_of_a_hidden_card(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    bob.send(2, Rows("AhKsKd", "", ""))
    at = f"/s/{session.public_id}"
    for phone in (host, bob):
        assert "is also in Bob" not in phone.ask().content.decode()
    for path in ("hand/", "seat/1/"):
        assert "is also in Bob" not in host.client.get(f"{at}/{path}").content.decode()
    assert "is also in Bob&#x27;s front." in ann.client.get(f"{at}/seat/1/").content.decode()


@pytest.mark.parametrize(
    "guess",
    [
        Rows("AhKdKs", "Ah", ""),  # each of these cards is in Ann's board, and in both rows of Bob
        Rows("2h4dQs", "2h4d", ""),
        Rows("AhAhQs", "", ""),
    ],
)
def test_with_two_decks_no_guess_is_told_to_be_right(host: Phone, session: Session, guess: Rows) -> None:
    act(ChangeTerms, session, rules="double-deck")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    pages = [bob.send(2, guess), bob.ask(), host.ask()]
    pages += [host.client.get(f"/s/{session.public_id}/{path}") for path in ("hand/", "seat/2/", "seat/3/")]
    for page in pages:
        assert "is also in" not in page.content.decode()
    assert "is also in Bob&#x27;s front." in ann.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    # Three of one card are too many, whatever Ann has.
    for each in (Rows("AhAhKs", "Ah", ""), Rows("QhQhKs", "Qh", "")):
        assert "is also in Bob&#x27;s middle." in bob.send(2, each).content.decode()


def test_the_host_may_enter_a_hidden_board_instead(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    ann.send(1, STRONG)
    assert host.send(1, OTHER).status_code == 409
    host.press(1, "Use other")
    page = host.press(1, "Enter them here").content.decode()
    assert "Ah Ad" not in page
    assert host.send(1, OTHER).status_code == 200
    assert drafts()[1] == ("Qs Qh Qd", "", "")


CANNOT_BE = Rows("AhKsQd", PLAIN.middle, PLAIN.back)
"""Rows with the ace of hearts, which is in `STRONG`."""


def test_cards_that_cannot_be_show_no_hidden_board(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    Phone(session).send(3, WEAK)
    bob.send(2, CANNOT_BE)
    for phone in (host, bob):
        page = html.unescape(phone.ask().content.decode())
        assert "Ah Ad" not in page
        assert "Ann’s Fantasyland stays hidden: some card is on the table twice." in page
        assert "ace of hearts is also" not in page
    assert "Ah Ad" not in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    bob.send(2, PLAIN)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()


def test_a_hidden_board_cannot_be_guessed_by_sending_it(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, *others = (Phone(session) for _ in range(3))
    ann.send(1, STRONG)
    statuses, revisions = [], []
    for guess, phone in zip((STRONG, WEAK), others, strict=True):
        statuses.append(phone.send(1, guess).status_code)
        revisions.append(Draft.objects.get().revision)
    assert (statuses, revisions) == ([409, 409], [2, 3])  # either is noted
    statuses, revisions = [], []
    host.open().press(1, "Enter them here")
    for guess in (STRONG, WEAK):
        statuses.append(host.send(1, guess).status_code)
        revisions.append(Draft.objects.get().revision)
    assert (statuses, revisions) == ([200, 200], [4, 5])  # either replaces the board, and Ann's phone is told


def test_what_is_changed_after_a_hidden_board_was_shown_is_told_and_recorded(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    assert "changed after" not in html.unescape(host.ask().content.decode())
    bob.send(2, Rows())  # taken back, now that Bob knows Ann's board
    for phone in (host, cat):
        page = html.unescape(phone.ask().content.decode())
        assert page.count("changed after Fantasyland was shown") == 1
    assert 'value="Ah Ad Kc"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()  # shown is shown
    bob.send(2, Rows("2c8d9c", PLAIN.middle, PLAIN.back))
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    settling = form(page, "Settle hand 2")
    assert settling.press().status_code == 302
    assert settling.press().status_code == 302  # a repeat is the same hand
    event = session.events.get(verb="settle", deal=2)
    assert event.note == "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert event.note in html.unescape(host.client.get(f"/s/{session.public_id}/history/").content.decode())


def test_a_board_that_an_opponent_had_ready_and_takes_after_the_reveal_is_told(session: Session, bob: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    bob.open()
    tied(session, 1).send(1, STRONG)
    assert bob.send(1, QUEENS).status_code == 409
    for seat, board in ((2, PLAIN), (3, WEAK)):
        Phone(session).send(seat, board)
    assert bob.send(1, QUEENS).status_code == 409
    assert bob.press(1, "Keep mine").status_code == 200
    assert "changed after Fantasyland" in bob.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ann (before: AhAdKc/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def shown_with(session: Session, rows: Rows) -> Phone:
    """Ann's phone. Their board of Fantasyland is shown with these rows, because all others are in."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    for seat, board in ((1, rows), (2, PLAIN), (3, WEAK)):
        (ann if seat == 1 else Phone(session)).send(seat, board)
    return ann


def test_a_board_that_was_shown_before_it_was_complete_is_replaced_by_nobody_unnoticed(
    session: Session, host: Phone
) -> None:
    """Its player is in Fantasyland and the last to finish, so that each of their rows is seen when it is sent."""
    ann = shown_with(session, Rows(STRONG.front, "", ""))
    ann.send(1, STRONG)
    host.open()
    assert "changed after" not in shown_to(session, host)  # a board that is finished is no change
    host.send(1, QUEENS)
    assert drafts()[1][0] == "Qs Qh 3s"
    assert "changed after Fantasyland was shown" in shown_to(session, ann)
    assert "Ann (before: AhAdKc/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def test_a_part_of_a_board_that_was_shown_and_is_replaced_is_told(session: Session, host: Phone) -> None:
    """Ann is still laying cards when all others are in: two rows are shown, and then they are others."""
    ann = shown_with(session, Rows(STRONG.front, STRONG.middle, ""))
    assert 'value="Ah Ad Kc"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert ann.send(1, QUEENS).status_code == 200
    assert "changed after Fantasyland" in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ann (before: AhAdKc/2h2d2s3h3d/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def test_who_changes_their_board_after_a_hand_that_was_undone_showed_a_fantasyland_is_told(db: None) -> None:
    """Ann's board lies open. Its last row is taken away, then Bob's board is another, then that row is back."""
    session = start("Ann Bob")
    settle(session, entry(s1=STRONG, s2=PLAIN))
    settle(session, entry(s1=EARNS, s2=WEAK))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: WEAK})
    client = HostsBrowser()
    for seat, rows in ((1, Rows(EARNS.front, EARNS.middle, "")), (2, PLAIN), (1, EARNS)):
        assert Phone(session, client, own=seat).send(seat, rows).status_code == 200
    page = client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert page.count("other cards than in the hand that was undone") == 1
    assert remark(session, entry(s1=EARNS, s2=PLAIN)) == "Other cards than in hand 2, which was undone: Bob."


def test_a_player_who_goes_on_with_a_board_that_was_shown_in_part_changes_nothing(
    session: Session, host: Phone
) -> None:
    ann = shown_with(session, Rows(STRONG.front, "2h2d", ""))
    assert ann.send(1, Rows(STRONG.front, "", "")).status_code == 200  # takes two cards up,
    ann.send(1, STRONG)  # and lays them down where they were
    assert "changed after" not in shown_to(session, host)
    assert remark(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK)) == ""
    host.open()
    other = Rows(STRONG.front, STRONG.middle, QUEENS.back)
    assert host.send(1, other).status_code == 200
    assert "Ann (before: AhAdKc/2h2d2s3h3d/4h4d4s4c5h)" in remark(session, entry(s1=other, s2=PLAIN, s3=WEAK))


Send = Callable[[int, Rows], None]


@pytest.fixture
def again(session: Session, host: Phone) -> Send:
    """A hand in which Ann was in Fantasyland lies there again after an undo, and the host's phone shows it.

    By this another phone sends rows of a seat.
    """
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: PLAIN, 3: WEAK})

    host.open()

    def send(seat: int, rows: Rows) -> None:
        lay(session, seat, rows, Draft.objects.get(number=session.next_number, seat__number=seat).revision)

    return send


ANEW = {1: STRONG, 2: FOUL, 3: Rows("7h8d9c", "6h6d8s9dTs", "7s7d8h8cTc")}


def ask_all(phone: Phone) -> str:
    """What has changed, as the page of a phone asks for it."""
    return html.unescape(phone.ask().content.decode())


def show(phone: Phone) -> Any:
    """Opens the hand on this phone, and presses the button that shows Ann's cards."""
    return phone.open().press(1, "Show the cards")


def hidden(session: Session, seat: int) -> bool:
    """Whether what lies there for a seat is hidden from other phones."""
    return Draft.objects.get(number=session.next_number, seat__number=seat).hidden


def test_after_an_undo_the_fantasyland_of_a_new_deal_is_shown_once_a_scorer_says_so(
    session: Session, host: Phone, again: Send
) -> None:
    """The boards of the undone hand lie there still, complete. Then all have sent the new deal."""
    again(1, ANEW[1])
    assert not of_ann(shown_to(session, host, tied(session, 2)))
    again(2, ANEW[2])
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    again(3, ANEW[3])
    assert not of_ann(shown_to(session, host))
    assert "Everyone is in." in ask_all(host)
    assert host.press(1, "Show the cards").status_code == 200
    assert of_ann(shown_to(session, host))
    told = remark(session, entry(**{f"s{seat}": rows for seat, rows in ANEW.items()}))
    assert told == "Other cards than in hand 2, which was undone: Ann; Bob; Cat."


def test_after_an_undo_pad_and_history_tell_who_changed_a_new_deal_once_it_was_shown(
    session: Session, host: Phone, again: Send
) -> None:
    for seat, rows in ANEW.items():
        again(seat, rows)
    assert show(host).status_code == 200
    swapped = Rows("9d8d7h", "6h6d8cTs8s", "7s7d8h9cTc")
    again(3, swapped)
    page = html.unescape(host.client.get(f"/s/{session.public_id}/hand/").content.decode())
    assert page.count("changed after Fantasyland was shown") == 1
    assert page.count("other cards than in the hand that was undone") == 2
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2], s3=swapped))
    assert told.split(". ") == [
        "Changed after Fantasyland was shown: Cat (before: 7h8d9c/6h6d8s9dTs/7s7d8h8cTc)",
        "Other cards than in hand 2, which was undone: Ann; Bob; Cat.",
    ]


@pytest.mark.parametrize("rows", [{1: replace(EARNS, front="QsQd4h")}, {2: EARNS, 1: PLAIN}, {1: STRONG}])
def test_a_board_of_the_undone_hand_that_is_mended_is_shown_if_a_scorer_says_so_and_the_hand_can_be_settled(
    session: Session, host: Phone, again: Send, rows: dict[int, Rows]
) -> None:
    """Somebody misread a row, or all of them, or two boards were mistaken for each other."""
    for seat, board in rows.items():
        again(seat, board)
    assert "Ann’s Fantasyland stays hidden: other players’ cards here are still from undone hand 2." in html.unescape(
        host.client.get(f"/s/{session.public_id}/").content.decode()
    )
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    assert show(host).status_code == 200
    assert not Draft.objects.get(number=session.next_number, seat__number=1).hidden
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, f"Settle hand {session.next_number}").press().status_code == 302
    note = session.events.get(verb="settle", deal=session.next_number).note
    mended = "; ".join(name for seat, name in ((1, "Ann"), (2, "Bob")) if seat in rows)
    assert note == f"Other cards than in hand 2, which was undone: {mended}."


def test_who_sends_a_board_after_a_scorer_has_had_fantasyland_shown_is_told(
    session: Session, host: Phone, again: Send
) -> None:
    """Nobody but Ann had sent the new deal, and the cards of the others were still those of the hand before."""
    again(1, ANEW[1])
    assert show(host).status_code == 200
    assert of_ann(shown_to(session, host))
    again(2, ANEW[2])
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2], s3=WEAK))
    assert told.startswith("Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs). Other")
    act(ledger.restore_deal, session, number=2, note="was right")
    session.refresh_from_db()
    put_away(session=session, number=2)  # so those cards were those of another hand, and Bob had sent none of this one
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2]))
    assert told == "Changed after Fantasyland was shown: Bob (before: nothing)."


def test_no_board_is_shown_by_a_press_while_another_is_missing_or_by_a_player_or_to_an_older_page(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, ANEW[1])
    for seat in (1, 2):
        assert tied(session, seat).forge(1, {"show": "1"}).status_code == 403
    older = Phone(session)
    older.forge(1, {"show": "1", "number": "2"})
    again(3, Rows(WEAK.front, WEAK.middle, ""))
    assert "Show Ann’s cards only if" not in ask_all(host)
    assert older.press(1, "Show the cards").status_code == 200
    assert not of_ann(shown_to(session, host))


MENDED = replace(EARNS, front="QsQd4h")


THIRD = Rows("5s6s7c", "6c9h9sThQh", "JsJdJcTdQc")
"""A board that has no card of `ANEW`'s first two, `PLAIN` and `STRONG`."""


@pytest.mark.parametrize(
    "sent",
    [
        [replace(PLAIN, front="QsQd3s"), Rows("QsQd3s", "6h6d8s9dKh", PLAIN.back)],
        [Rows("QsQd3s", "KhKsAc2c3c", "7h7d8h8cAs")],
        [replace(PLAIN, **{row: ""}) for row in ROWS],
        [replace(PLAIN, ruling="dead"), PLAIN],
        [ANEW[2]],
    ],
    ids=["row by row", "a card of each row", "cleared", "a ruling taken back", "another board"],
)
def test_nothing_that_phones_send_after_an_undo_shows_a_fantasyland_by_itself(
    session: Session, host: Phone, again: Send, sent: list[Rows]
) -> None:
    again(1, STRONG)
    again(3, THIRD)
    for rows in sent:
        again(2, rows)
        assert hidden(session, 1)


def two_in_fantasyland() -> Session:
    """Ann and Bob, whose hand lies there again after an undo. Both were in Fantasyland."""
    session = start("Ann Bob")
    settle(session, entry(s1=STRONG, s2=Rows("QsQc6c", "KhKs7c7d8h", "AsAc9h9s9d")))
    settle(session, entry(s1=EARNS, s2=PLAIN))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN})
    return session


def test_after_an_undo_two_fantasylands_stay_hidden_from_each_other(db: None) -> None:
    """Bob replaces one card of thirteen, which hides the whole board."""
    session = two_in_fantasyland()
    for seat, rows in ((1, STRONG), (2, replace(PLAIN, front="7s8dTd"))):
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert hidden(session, 1)
    assert hidden(session, 2)


def test_a_ruling_of_the_undone_hand_shows_nothing_of_the_next(session: Session, host: Phone) -> None:
    """With it, every board that Bob sends is done."""
    dead = replace(PLAIN, ruling="dead")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=dead, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: dead, 3: WEAK})
    bob = tied(session, 2)
    for seat, rows in ((1, STRONG), (3, THIRD)):
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert bob.send(2, Rows("QsQd3s", "", "")).status_code == 200
    assert hidden(session, 1)


STAYS = Rows("QsQd3c", "3d3h3s2c2s", "KhKsKdKc5d")
"""A board with which a player stays in Fantasyland."""


@pytest.fixture
def stays(session: Session) -> Send:
    """As `again`, of a hand after which Ann is in Fantasyland once more."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: STAYS, 2: PLAIN, 3: WEAK})

    def send(seat: int, rows: Rows) -> None:
        lay(session, seat, rows, Draft.objects.get(number=session.next_number, seat__number=seat).revision)

    return send


def counts_again(session: Session) -> None:
    """Hand 2 counts again."""
    act(ledger.restore_deal, session, number=2, note="was right")
    session.refresh_from_db()
    put_away(session=session, number=2)


def test_a_restoration_shows_no_board_while_another_has_rows_of_the_undone_hand(session: Session, stays: Send) -> None:
    for seat, rows in ((1, STRONG), (3, THIRD), (2, replace(PLAIN, front="QsQd3s"))):
        stays(seat, rows)
    counts_again(session)
    assert hidden(session, 1)


def test_a_mended_board_that_was_shown_leaves_the_next_one_hidden_once_the_hand_counts_again(
    session: Session, host: Phone, stays: Send
) -> None:
    """And no player is told as having changed what was of another hand."""
    stays(1, replace(STAYS, front="QsQd4d"))
    assert show(host).status_code == 200
    counts_again(session)
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, THIRD)):
        stays(seat, rows)
        assert hidden(session, 1)
    assert remark(session, entry(s1=STRONG, s2=ANEW[2], s3=THIRD)) == ""
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_cards_that_only_a_form_has_are_told_if_they_come_after_a_reveal(
    session: Session, host: Phone, stays: Send
) -> None:
    stays(1, STRONG)
    assert show(host).status_code == 200
    counts_again(session)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(fields_of({2: ANEW[2], 3: THIRD}))
    assert form(page.press("Show the settlement"), "Settle hand 3").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: nothing); Cat (before: nothing)."
    assert session.events.filter(verb="settle").latest("n").note == told


def test_a_player_who_comes_back_after_a_reveal_and_is_entered_in_the_form_is_told(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    tied(session, 3).send(3, THIRD)
    act(SitOut, session, seat=2, insist=True, note="phone call")
    assert show(host).status_code == 200
    act(SitIn, session, seat=2, insist=True, note="is back")
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(fields_of({2: PLAIN}))
    assert form(page.press("Show the settlement"), "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: nothing)."
    assert session.events.filter(verb="settle").latest("n").note == told


def revision(session: Session, seat: int) -> int:
    """The revision of what lies there for a seat."""
    return Draft.objects.get(number=session.next_number, seat__number=seat).revision


def test_one_press_shows_both_fantasylands_so_that_neither_player_changes_theirs_unseen(db: None) -> None:
    """Bob is in Fantasyland as well, and the only one who may press."""
    session = two_in_fantasyland()
    bob = Phone(session)
    lay(session, 1, STRONG, revision(session, 1))
    assert bob.open().send(2, ANEW[3]).status_code == 200
    assert show(bob).status_code == 200
    assert not hidden(session, 2)
    assert bob.open().send(2, ANEW[2]).status_code == 200
    page = form(bob.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 3").press().status_code == 302
    assert "Bob (before: 7h8d9c" in session.events.filter(verb="settle").latest("n").note


def test_after_an_undo_nobody_learns_which_cards_a_hidden_board_has(session: Session, host: Phone, again: Send) -> None:
    """Otherwise Bob could send one card after the other."""
    again(1, STRONG)
    again(3, THIRD)
    bob, at = tied(session, 2), f"/s/{session.public_id}/seat/2/"
    seen = set()
    for card in ("Ah", "Qs", "2h", "5h"):
        assert bob.open().send(2, replace(PLAIN, front=f"7s8d{card}")).status_code == 200
        whose = re.sub(r"^.*?<main", "", said(bob.client.get(at)), flags=re.DOTALL)
        seen.add(("on the table twice" in whose, "stays hidden" in whose, "data-withheld" in whose))
    assert seen == {(False, True, False)}
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_a_board_of_which_a_row_is_of_the_undone_hand_is_called_so(session: Session, host: Phone, again: Send) -> None:
    """The pad sends each row as it is replaced, so that nobody presses while Cat is still typing."""
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, replace(WEAK, front=ANEW[3].front))):
        again(seat, rows)
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    again(3, ANEW[3])
    assert "Everyone is in." in ask_all(host)


def test_a_player_in_fantasyland_who_presses_before_they_have_sent_theirs_is_told(db: None) -> None:
    """Bob's board of the undone hand counts as there. The new one is hidden when Bob settles, and lies open then."""
    session = two_in_fantasyland()
    bob, at = Phone(session), f"/s/{session.public_id}/hand/"
    lay(session, 1, STRONG, revision(session, 1))
    assert show(bob).status_code == 200
    assert bob.open().send(2, ANEW[2]).status_code == 200
    assert hidden(session, 2)
    assert "changed after" not in said(bob.client.get(at))
    assert form(form(bob.client.get(at)).press("Show the settlement"), "Settle hand 3").press().status_code == 302
    assert "Bob (before: 7s8d9c" in session.events.filter(verb="settle").latest("n").note


def test_a_hand_that_was_begun_before_an_undo_shows_nothing_by_itself_once_the_undone_hand_counts_again(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    counts_again(session)
    lay(session, 3, replace(WEAK, front="5s6cJh"), revision(session, 3))
    assert hidden(session, 1)


def test_every_page_says_that_a_scorer_has_to_show_the_cards(session: Session, host: Phone, again: Send) -> None:
    for seat, rows in ANEW.items():
        again(seat, rows)
    for page in ("", "screen/", "seat/2/"):
        told = said(host.client.get(f"/s/{session.public_id}/{page}"))
        assert "Ann’s Fantasyland stays hidden until a host or a scorer presses “Show the cards” or settles" in told


def test_a_new_deal_that_one_phone_enters_tells_nothing_of_the_undone_hand(session: Session, host: Phone) -> None:
    """Bob's front was mended after the reveal in hand 2. Nothing is hidden from the phone that enters hand 3."""

    def enter(boards: list[tuple[int, Rows]], number: int) -> None:
        for seat, rows in boards:
            assert host.open().send(seat, rows).status_code == 200
        page = host.client.get(f"/s/{session.public_id}/hand/")
        assert ("changed after" in said(page)) is (number == 2)
        settling = form(form(page).press("Show the settlement"), f"Settle hand {number}")
        assert settling.press().status_code == 302
        session.refresh_from_db()

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    enter([(1, EARNS), (2, replace(PLAIN, front="2h8d9c")), (3, WEAK), (2, PLAIN)], 2)
    assert "Bob (before: 2h8d9c" in session.events.filter(verb="settle").latest("n").note
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    enter(list(ANEW.items()), 3)
    told = "Other cards than in hand 2, which was undone: Ann; Bob; Cat."
    assert session.events.filter(verb="settle").latest("n").note == told


def test_a_row_of_the_undone_hand_makes_nobody_forget_what_was_told_of_another(
    session: Session, host: Phone, stays: Send
) -> None:
    """It is put into Ann's board and taken away again, around the restoration."""
    swapped = Rows("9d8d7h", "6h6d8cTs8s", "7s7d8h9cTc")
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, ANEW[3])):
        stays(seat, rows)
    assert show(host).status_code == 200
    stays(3, swapped)
    stays(1, replace(STRONG, front=STAYS.front))
    counts_again(session)
    stays(1, STRONG)
    assert not hidden(session, 1)
    assert "Cat (before: 7h8d9c" in remark(session, entry(s1=STRONG, s2=ANEW[2], s3=swapped))


def test_a_hand_that_was_begun_before_an_undo_shows_no_fantasyland_by_itself(session: Session, host: Phone) -> None:
    """Its boards stay where they are, and some may be typed for the undone hand now."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((2, ANEW[2]), (3, THIRD)):
        lay(session, seat, rows)
    assert hidden(session, 1)
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_a_mended_board_that_was_shown_stays_so_if_the_next_hand_is_no_fantasyland(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, MENDED)
    assert show(host).status_code == 200
    counts_again(session)
    assert not hidden(session, 1)
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, THIRD)):
        again(seat, rows)
        assert not hidden(session, 1)


def test_a_phone_that_shows_the_undone_hand_asks_nobody_about_the_next_once_it_counts_again(
    session: Session, host: Phone, stays: Send
) -> None:
    host.open()
    stays(1, STRONG)
    counts_again(session)
    assert "entered on two phones" not in said(host.ask())


@pytest.mark.parametrize("undo", [True, False])
def test_a_player_who_sits_out_when_fantasyland_is_shown_has_changed_nothing(
    session: Session, host: Phone, undo: bool
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    if undo:
        settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
        undone(session)
        assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    else:
        lay(session, 3, WEAK)
        lay(session, 2, PLAIN)
    act(SitOut, session, seat=3, insist=True, note="phone call")
    lay(session, 1, MENDED, revision(session, 1) if undo else 0)
    if undo:  # or else it is shown by itself, and there is nothing to press
        assert show(host).status_code == 200
    assert not hidden(session, 1)
    assert "Cat" not in remark(session, entry(s1=MENDED, s2=PLAIN))


def test_a_board_that_was_shown_in_part_and_is_another_in_the_form_is_told(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, Rows("AhAdKc", "", ""))
    for seat, rows in ((2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    assert not hidden(session, 1)
    assert remark(session, entry(s1=Rows("AhAdKc", STRONG.middle, STRONG.back), s2=PLAIN, s3=WEAK)) == ""
    told = remark(session, entry(s1=replace(STRONG, front="QsQd3c"), s2=PLAIN, s3=WEAK))
    assert told == "Changed after Fantasyland was shown: Ann (before: AhAdKc//)."


def test_two_undos_tell_nothing_of_the_later_hand(session: Session, host: Phone) -> None:
    """Hand 3 was shown, and then settled by points alone."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    for seat, rows in ANEW.items():
        lay(session, seat, rows)
    settle(session, Entry(points=((1, 2, 3), (1, 3, 0), (2, 3, 0))))
    for _ in range(2):
        at = f"/s/{session.public_id}/"
        assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK)) == ""


def test_an_undo_that_is_sent_again_lays_no_cleared_board_once_more(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    undo = form(host.client.get(f"/s/{session.public_id}/"), action=f"/s/{session.public_id}/undo/")
    assert undo.press().status_code == 302
    session.refresh_from_db()
    lay(session, 2, Rows(), Draft.objects.get(seat__number=2).revision)
    assert undo.press().status_code == 302
    assert drafts()[2] == ("", "", "")


def test_a_player_who_was_not_dealt_in_has_no_other_cards_than_in_the_undone_hand(
    session: Session, host: Phone
) -> None:
    """Cat sat out, and had begun the hand after that."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(SitOut, session, seat=3, insist=True, note="phone call")
    settle(session, entry(s1=STAYS, s2=PLAIN))
    act(SitIn, session, seat=3, insist=True, note="is back")
    lay(session, 3, WEAK)
    lay(session, 3, Rows(), 1)
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: STAYS, 2: PLAIN})
    assert remark(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK)) == ""


@pytest.mark.parametrize("pressed", ["Show the settlement", "Settle hand 3"])
def test_what_was_open_before_a_player_mended_their_fantasyland_settles_no_older_board(
    session: Session, host: Phone, again: Send, pressed: str
) -> None:
    page = form(host.client.get(f"/s/{session.public_id}/hand/"))
    if pressed == "Settle hand 3":
        page = form(page.press("Show the settlement"), pressed)
    again(1, MENDED)
    answer = page.press(pressed)
    assert answer.status_code == 422
    assert "Ann is in Fantasyland, on another phone: done." in said(answer)
    assert 'name="p1-front" value=""' in answer.content.decode()
    if pressed == "Settle hand 3":
        assert "Not settled yet. Another phone has changed the cards of Ann." in said(answer)


def test_the_history_names_who_has_other_cards_if_one_phone_mends_and_settles(
    session: Session, host: Phone, again: Send
) -> None:
    assert host.send(1, MENDED).status_code == 200
    table = said(host.client.get(f"/s/{session.public_id}/"))
    assert "stays hidden" not in table  # this phone need not wait for anybody
    assert "See who pays whom" in table
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 3").press().status_code == 302
    told = "Other cards than in hand 2, which was undone: Ann."
    assert session.events.get(verb="settle", deal=3).note == told


def test_a_board_that_a_phone_sends_without_having_seen_that_an_undone_hand_lies_there_is_shown_to_nobody(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    assert ann.send(1, STRONG).status_code == 409
    assert not of_ann(shown_to(session, host, tied(session, 2)))
    assert ann.press(1, "Keep mine").status_code == 200
    assert not of_ann(shown_to(session, host))


def test_nobody_has_other_cards_if_the_hand_is_settled_by_points_or_without_them(
    session: Session, host: Phone, again: Send
) -> None:
    assert remark(session, Entry(points=((1, 2, 3), (1, 3, 0), (2, 3, 0)))) == ""
    assert remark(session, entry(s1=EARNS, s2=PLAIN)) == ""  # Cat sits out


def test_what_was_told_of_an_undone_hand_is_not_told_of_a_new_deal(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((1, EARNS), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("2h8d9c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    session.refresh_from_db()
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: other, 3: WEAK})
    for seat, rows in ANEW.items():
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert show(host).status_code == 200
    told = remark(session, entry(**{f"s{seat}": rows for seat, rows in ANEW.items()}))
    assert told == "Other cards than in hand 2, which was undone: Ann; Bob; Cat."


@pytest.mark.parametrize("rows", [PLAIN, ANEW[2]])
def test_a_board_is_shown_by_a_press_if_the_last_who_was_missing_sits_out(
    session: Session, host: Phone, again: Send, rows: Rows
) -> None:
    """No phone has to send anything any more, and so none would show it."""
    again(1, ANEW[1])
    if rows != PLAIN:
        again(2, rows)
    again(3, Rows())
    assert not of_ann(shown_to(session, host))
    act(SitOut, session, seat=3, insist=True, note="phone call")
    assert ("are still from hand 2, which was undone" in ask_all(host)) is (rows == PLAIN)
    assert ("are still from undone hand 2" in host.client.get(f"/s/{session.public_id}/").content.decode()) is (
        rows == PLAIN
    )
    assert not of_ann(shown_to(session, host))
    assert show(host).status_code == 200
    assert of_ann(shown_to(session, host))


def test_a_dead_hand_is_in_though_the_cards_of_an_undone_hand_lie_in_it(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, ANEW[1])
    again(3, THIRD)
    again(2, replace(PLAIN, ruling="dead"))
    assert "Everyone is in." in ask_all(host)
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_who_left_after_a_reveal_and_took_their_cards_along_is_told(session: Session, host: Phone) -> None:
    shown_with(session, STRONG)
    told = "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert remark(session, entry(s1=STRONG, s3=WEAK)) == told


def test_after_two_undos_the_hand_whose_cards_lie_there_is_named(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    settle(session, LEVEL)
    for _ in range(2):
        undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    host.open()
    lay(session, 1, MENDED, base=1)
    assert "are still from hand 2, which was undone" in ask_all(host)
    assert "which was undone: Ann." in remark(session, entry(s1=MENDED, s2=PLAIN, s3=WEAK))
    here = f"/s/{session.public_id}/hands/2/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=MENDED, s2=PLAIN, s3=WEAK)) == ""


def test_without_a_script_a_scorer_shows_a_board_by_a_form(session: Session, host: Phone, again: Send) -> None:
    again(1, MENDED)
    answer = form(host.client.get(f"/s/{session.public_id}/hand/"), "Show the cards").press("Show the cards")
    assert (answer.status_code, answer["Location"]) == (302, f"/s/{session.public_id}/hand/")
    assert not Draft.objects.get(seat__number=1).hidden


def test_a_page_of_somebodys_own_cards_says_why_a_board_stays_hidden(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, MENDED)
    page = said(tied(session, 2).client.get(f"/s/{session.public_id}/seat/2/"))
    assert "Ann’s Fantasyland stays hidden: other players’ cards here are still from undone hand 2." in page


def test_a_closed_session_shows_no_hidden_board(session: Session, host: Phone, again: Send) -> None:
    again(1, STRONG)
    host.open()
    act(ledger.close_session, session)
    assert not of_ann(host.press(1, "Show the cards").content.decode())
    assert Draft.objects.get(seat__number=1).hidden


def test_no_undo_lays_boards_over_a_hand_whose_fantasyland_was_shown(session: Session, host: Phone) -> None:
    """All boards were taken back by then, but what was shown of them was shown."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((1, EARNS), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    for seat in (1, 2, 3):
        lay(session, seat, Rows(), base=1)
    undone(session)
    assert not lay_again(session=session, undone=1, boards={1: STRONG, 2: PLAIN, 3: WEAK})


@pytest.mark.parametrize("language", ["en", "fi", "zh-hans"])
def test_the_pad_reads_in_every_language_how_far_a_hidden_board_is(
    session: Session, host: Phone, language: str
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    host.client.cookies["language"] = language
    for rows, away in ((Rows(STRONG.front, STRONG.middle, ""), "8"), (STRONG, "done")):
        lay(session, 1, rows, base=1)
        page = host.client.get(f"/s/{session.public_id}/hand/").content.decode()
        assert f'data-away="{away}"' in page


def test_a_change_that_was_told_is_told_of_the_same_hand_after_an_undo(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, EARNS)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    other = Rows("2h8d9c", PLAIN.middle, PLAIN.back)
    assert bob.send(2, other).status_code == 200
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = session.events.get(verb="settle", deal=2).note
    assert "Bob (before: " in told
    session.refresh_from_db()
    act(ledger.undo, session)
    session.refresh_from_db()
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: other, 3: WEAK})
    assert remark(session, entry(s1=EARNS, s2=other, s3=WEAK)) == told


@pytest.mark.parametrize(("rows", "ruling"), [(OTHER, ""), (Rows(), "dead")])
def test_a_player_with_a_link_of_their_own_is_asked_as_well(
    session: Session, host: Phone, rows: Rows, ruling: str
) -> None:
    """The page may show them the board of the other phone, which must not take the place of theirs for that."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    ann.send(1, STRONG)
    host.open().press(1, "Enter them here")
    assert host.send(1, rows, ruling=ruling).status_code == 200
    page = said(ann.ask())
    assert "<dt>This phone</dt><dd>Front AhAdKc" in page
    assert "Keep mine" in page


def test_cards_that_come_after_a_ruling_on_a_hidden_board_are_stored(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    host.open().send(1, Rows(), ruling="dead")
    assert ann.send(1, STRONG).status_code == 200
    draft = Draft.objects.get()
    assert (draft.front, draft.ruling, draft.unchosen) == ("Ah Ad Kc", "dead", [])


def test_a_ruling_after_the_reveal_is_no_change_of_cards(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, board in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        Phone(session).send(seat, board)
    assert host.open().send(2, PLAIN, ruling="dead").status_code == 200
    assert Draft.objects.get(seat__number=2).ruling == "dead"
    assert "changed after" not in shown_to(session, host)
    assert remark(session, entry(s1=STRONG, s2=replace(PLAIN, ruling="dead"), s3=WEAK)) == ""


def test_nobody_rules_on_a_hidden_board_and_deletes_its_cards(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    ann.send(1, STRONG)
    page = host.ask().content.decode()
    assert 'name="p2-ruling"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    for each in (page, host.client.get(f"/s/{session.public_id}/hand/").content.decode()):
        assert 'name="p1-ruling"' not in each
    before = drafts()
    assert host.forge(1, {"p1-ruling": "dead"}).status_code == 200  # a page of an earlier release asked for it
    assert (drafts(), Draft.objects.get().ruling) == (before, "")
    assert 'name="p1-ruling"' in host.press(1, "Enter them here").content.decode()


def test_a_player_chooses_whether_a_hidden_board_of_another_phone_takes_the_place_of_theirs(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    ann.send(1, STRONG)
    host.open().press(1, "Enter them here")
    host.send(1, OTHER)
    page = said(ann.ask())
    assert "<dt>Other phone</dt><dd>3 of 13, hidden</dd>" in page
    assert "<dt>This phone</dt><dd>Front AhAdKc" in page
    assert ann.press(1, "Keep mine").status_code == 200
    assert drafts()[1][0] == "Ah Ad Kc"


@pytest.fixture
def hidden_behind_another(session: Session, host: Phone) -> Rows:
    """Cat's board, which stays hidden, as they know Ann's, which is shown with one row: both are in Fantasyland."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=QUEENS))
    ann, cat = tied(session, 1), tied(session, 3)
    ann.send(1, Rows(STRONG.front, "", ""))
    cat.send(3, AWAY)
    host.open().send(2, PLAIN)
    assert [(each.seat.number, each.hidden) for each in Draft.objects.select_related("seat").order_by("seat")] == [
        (1, False), (2, False), (3, True),
    ]  # fmt: skip
    return AWAY


@pytest.mark.parametrize("typed", ["as it is", "otherwise"])
def test_neither_marks_nor_history_tell_of_a_hidden_board_that_an_opponent_replaced(
    session: Session, bob: Phone, hidden_behind_another: Rows, typed: str
) -> None:
    rows = hidden_behind_another if typed == "as it is" else QUEENS
    bob.open().press(3, "Enter them here")
    assert bob.send(3, rows).status_code == 200
    at = f"/s/{session.public_id}/hand/"
    assert "changed after Fantasyland" not in bob.client.get(at).content.decode()
    boards = {1: STRONG, 2: PLAIN, 3: rows}
    page = form(bob.client.get(at)).fill(fields_of(boards)).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert session.events.get(verb="settle", deal=2).note == ""


def test_no_count_tells_whether_a_hidden_board_has_a_ruling(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    counted = []
    for ruling in (None, "dead"):
        Draft.objects.all().delete()
        first, second = Phone(session), Phone(session)
        first.send(1, STRONG, ruling=ruling)
        assert second.send(1, Rows()).status_code == 409
        before = Draft.objects.get().revision
        second.forge(1, {"theirs": "1"})
        counted.append(Draft.objects.get().revision - before)
    assert counted[0] == counted[1]


def test_a_hand_that_nobody_changed_after_the_reveal_has_no_note(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((2, PLAIN), (3, WEAK), (1, STRONG)):
        Phone(session).send(seat, rows)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert session.events.get(verb="settle", deal=2).note == ""


def test_cards_that_are_put_into_another_order_after_the_reveal_are_no_change(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((2, PLAIN), (3, WEAK), (1, STRONG)):
        Phone(session).send(seat, rows)
    opened = form(host.client.get(f"/s/{session.public_id}/hand/"))
    page = opened.fill(fields_of({2: TURNED})).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert session.events.get(verb="settle", deal=2).note == ""


def test_a_guess_of_a_hidden_board_in_another_order_is_any_guess(session: Session) -> None:
    """What a phone is answered, and what it hears after that, is the same whether it guessed the cards or not."""
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann, *others = (Phone(session) for _ in range(3))
    ann.send(1, PLAIN)
    answers = []
    for guess, phone in zip((TURNED, STRONG), others, strict=True):
        page = phone.send(1, guess)
        answers.append((page.status_code, "data-taken" in page.content.decode(), Draft.objects.get().revision))
    assert answers == [(409, True, 2), (409, True, 3)]


def undone(session: Session) -> None:
    act(ledger.undo, session)


def voided(session: Session) -> None:
    act(ledger.void_deal, session, number=1, note="misdeal")


def corrected(session: Session) -> None:
    act(ledger.correct_deal, session, number=1, entry=LEVEL, note="misread")


def set_otherwise(session: Session) -> None:
    page = form(HostsBrowser().get(f"/s/{session.public_id}/next/"), "Save button and Fantasyland")
    assert page.fill({"p1-cards": "0", "p2-cards": "14", "note": "agreed"}).press().status_code == 302


def sat_out_and_in_again(session: Session) -> None:
    act(SitOut, session, seat=1, insist=True, note="phone call")
    act(SitIn, session, seat=1)


def sat_out(session: Session) -> None:
    act(SitOut, session, seat=1, insist=True, note="phone call")


ENDS = [undone, voided, corrected, set_otherwise, sat_out_and_in_again, sat_out]
"""What makes Ann's Fantasyland in hand 2 end before that hand is played."""


def shown_to(session: Session, *phones: Phone) -> str:
    """All that the hand being entered shows to these phones, on every page and as the pad asks for it."""
    at, pages = f"/s/{session.public_id}", []
    for phone in phones:
        paths = ("", "hand/", "seat/", "seat/1/", "seat/2/", "seat/3/", "screen/", "history/")
        pages += [phone.client.get(f"{at}/{path}") for path in paths]
        for seat in (1, 2, 3):
            pages += [phone.forge_question(seat, **more) for more in ({}, {"own": ""})]
            pages += [phone.client.get(f"{at}/hand/{seat}/", headers=HTMX)]
    return html.unescape("".join(page.content.decode() for page in pages))


def of_ann(text: str) -> list[str]:
    """The cards of `STRONG` in a page, however they are listed, and warnings about them; but not those in a token."""
    return re.findall(r"(?<![\w-])(?:A[hd] ?A[hd]|2h ?2d|4h ?4d)|is also in", text)


@pytest.mark.parametrize("ends", ENDS)
def test_a_hidden_board_stays_hidden_whatever_becomes_of_the_hand_before(
    host: Phone, session: Session, ends: Callable[[Session], None]
) -> None:
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    bob.send(2, Rows("AhKsKd", "", ""))
    ends(session)
    assert not of_ann(shown_to(session, host, bob, cat))
    guessed = host.send(1, STRONG)  # nor is a guess of the whole board told to be right
    assert guessed.status_code == (204 if ends is sat_out else 409)
    if ends is not sat_out:
        assert of_ann(shown_to(session, ann))
    draft = Draft.objects.get(seat__number=1)
    assert (draft.revealed, draft.when_shown) == (False, "")


@pytest.mark.parametrize("ends", [undone, set_otherwise])
def test_a_board_that_stayed_hidden_is_shown_when_all_others_are_in(
    host: Phone, session: Session, ends: Callable[[Session], None]
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    ends(session)
    host.ask()
    assert "Ann was in Fantasyland, on another phone: done." in shown_to(session, host)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()
    bob.send(2, Rows("2c8d9c", PLAIN.middle, PLAIN.back))
    assert "changed after Fantasyland was shown" in shown_to(session, host)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert session.events.get(verb="settle", deal=2).note == told


def test_a_hand_that_is_undone_and_restored_shows_no_hidden_board_and_none_that_was_shown_is_hidden(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, STRONG)
    for change in (undone, restored):
        change(session)
        assert not of_ann(shown_to(session, host, bob, cat))
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    for change in (voided, restored):
        change(session)
        assert of_ann(shown_to(session, host))


def lay(session: Session, seat: int, rows: Rows, base: int = 0) -> None:
    """Send rows of a seat from a phone of its own."""
    keep(session=session, number=session.next_number, seat=seat, rows=rows, base=base, device=f"phone {seat}")


def test_a_restoration_that_is_sent_again_forgets_no_change_after_the_reveal(host: Phone, session: Session) -> None:
    """The phone that restored the hand got no answer, and sends again while the next hand is entered."""

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # Ann goes to Fantasyland
    act(ledger.undo, session)
    here = f"/s/{session.public_id}/hands/1/restore/"
    restoring = form(host.client.get(here), action=here)
    assert restoring.press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("7s 8d 2c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    said = remark(session, entry(s1=STRONG, s2=other, s3=WEAK))
    assert said.startswith("Changed after Fantasyland was shown: Bob")
    assert restoring.press().status_code == 302
    assert remark(session, entry(s1=STRONG, s2=other, s3=WEAK)) == said


def test_a_restoration_after_the_next_hand_was_shown_forgets_no_change_and_hides_no_board(
    host: Phone, session: Session
) -> None:
    """Hand 2 was undone, hand 3 is being entered, and its Fantasyland was shown. Then hand 2 counts again."""

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # Ann goes to Fantasyland
    settle(session, entry(s1=EARNS, s2=WEAK, s3=PLAIN))  # and stays there
    act(ledger.undo, session)
    session.refresh_from_db()
    for seat, rows in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("7s 8d 2c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    said = remark(session, entry(s1=STRONG, s2=other, s3=WEAK))
    assert said.startswith("Changed after Fantasyland was shown: Bob")
    here = f"/s/{session.public_id}/hands/2/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=STRONG, s2=other, s3=WEAK)) == said


def test_once_an_undone_hand_counts_again_its_cards_leave_the_pads_that_show_them(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.undo, session)
    session.refresh_from_db()
    assert lay_again(session=session, undone=session.deals, boards={1: STRONG, 2: PLAIN, 3: WEAK})
    here = f"/s/{session.public_id}/hands/1/restore/"
    host.open()
    assert form(host.client.get(here), action=here).press().status_code == 302
    page = host.ask().content.decode()
    assert re.findall(r'name="p1-(front|middle|back)" value="([^"]*)"', page) == [(row, "") for row in ROWS]
    assert host.client.get(f"/s/{session.public_id}/").content.decode().count("Everyone is in") == 0


def restored(session: Session) -> None:
    act(ledger.restore_deal, session, number=1, note="was right")


def test_what_was_sent_before_a_player_came_into_fantasyland_stays_seen_and_the_rest_is_hidden(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    undone(session)
    ann, bob = Phone(session), tied(session, 2)
    ann.send(1, Rows(STRONG.front, "", ""))
    restored(session)
    for page in (shown_to(session, host), shown_to(session, bob)):
        assert "Ah Ad" in page  # everybody has seen it
    ann.send(1, STRONG)
    assert not of_ann(shown_to(session, host, bob))
    assert of_ann(shown_to(session, ann))


def test_rows_of_a_player_who_is_dealt_in_after_the_reveal_are_told_and_recorded(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, STRONG)
    act(SitOut, session, seat=3, insist=True, note="phone call")
    bob.send(2, PLAIN)
    assert of_ann(shown_to(session, host))
    act(SitIn, session, seat=3, insist=True, note="back")
    cat.send(3, WEAK)
    assert shown_to(session, ann).count("changed after Fantasyland was shown")
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Cat (before: nothing)."
    assert session.events.get(verb="settle", deal=2).note == told


# --- Whose phone ------------------------------------------------------------------------------------------------------


def test_a_link_for_one_seat_enters_that_seat_and_no_other(session: Session) -> None:
    phone = tied(session, 2)
    at = f"/s/{session.public_id}"
    assert phone.client.get(f"{at}/seat/")["Location"] == f"{at}/seat/2/"
    assert phone.client.get(f"{at}/seat/2/").status_code == 200
    assert phone.send(2, PLAIN).status_code == 200
    assert phone.client.get(f"{at}/seat/3/").status_code == 403
    assert phone.forge(3, fields_of({3: PLAIN})).status_code == 403
    assert phone.client.get(f"{at}/hand/").status_code == 403
    assert set(drafts()) == {2}
    assert "Change seat" not in phone.client.get(f"{at}/seat/2/").text
    # Of the other seats this phone learns how far they are and which cards are used, not their rows.
    Phone(session).send(3, STRONG)
    for answer in (phone.ask(), phone.forge_question(3)):
        page = answer.content.decode()
        assert '<li class="in" data-name="Cat"' in page
        assert "p3-" not in page


def test_players_can_neither_make_nor_withdraw_a_ruling_on_their_hand(session: Session, host: Phone) -> None:
    phone = tied(session, 2)
    assert phone.forge(2, {"p2-ruling": "surrendered"}).status_code == 200
    assert not Draft.objects.exists()
    phone.forge(2, fields_of({2: SOME}) | {"p2-ruling": "dead"})
    assert (Draft.objects.get().ruling, Draft.objects.get().done) == ("", False)
    host.open().send(2, SOME, ruling="dead")
    phone.open().forge(2, fields_of({2: PLAIN}) | {"p2-ruling": ""})
    assert Draft.objects.get().ruling == "dead"
    assert drafts()[2][2] == "7h 7d 8h 8c Ts"


def test_the_pad_links_to_a_qr_code_for_scorers(host: Phone, session: Session) -> None:
    at = f"/s/{session.public_id}/links/?role=scorer"
    assert f'href="{at}"' in host.client.get(f"/s/{session.public_id}/hand/").text
    assert re.search('value="scorer" checked', host.client.get(at).text)


def test_a_stranger_finds_nothing(session: Session) -> None:
    for path in ("seat/", "seat/2/", "hand/2/", "hand/drafts/"):
        assert Client().get(f"/s/{session.public_id}/{path}").status_code == 404
    assert post_nothing(Client(), f"/s/{session.public_id}/hand/2/").status_code == 404


def own_rows(client: Client, session: Session, rows: Rows) -> Form:
    """The form for Bob's own rows, with these in it."""
    typed = {"p2-front": rows.front, "p2-middle": rows.middle, "p2-back": rows.back}
    return form(client.get(f"/s/{session.public_id}/seat/2/")).fill(typed)


def test_without_a_script_rows_are_sent_by_a_form(session: Session) -> None:
    client, other = HostsBrowser(), HostsBrowser()
    seat = f"/s/{session.public_id}/seat/2/"
    assert "Your own cards" in client.get(seat).content.decode()
    mine, others = own_rows(client, session, PLAIN), own_rows(other, session, OTHER)
    assert mine.press("Submit my cards")["Location"] == seat
    assert "Your cards are in" in client.get(seat).content.decode()
    refused = others.press("Submit my cards")
    assert refused.status_code == 409
    assert "Bob’s cards were entered on two phones." in refused.content.decode()
    assert 'value="QsQhQd"' in refused.content.decode()
    # Being told is not a choice. "Keep mine" is one.
    assert form(refused).press("Save changes").status_code == 409
    assert form(refused).press("Keep mine")["Location"] == seat
    assert drafts()[2][0] == "Qs Qh Qd"
    assert own_rows(other, session, STRONG).press("Submit my cards")["Location"] == seat
    assert drafts()[2][0] == "Ah Ad Kc"


def test_without_a_script_errors_appear_at_their_rows_and_the_text_is_kept(session: Session) -> None:
    client = HostsBrowser()
    wrong = Rows("QQX", "7s 7s 2c 3c 4c", "Ah Kh")
    page = own_rows(client, session, wrong).press("Submit my cards")
    text = html.unescape(page.content.decode())
    assert page.status_code == 422
    for row, message in {"front": "“X” is not a card", "middle": "seven of spades", "back": "here are 2 cards"}.items():
        at = text.index(f'id="p2-{row}-wrong"')
        assert message in text[at : at + 300]
        assert f'value="{getattr(wrong, row)}"' in text
    # Complete rows are stored all the same, and missing rows are no error.
    again = form(page).fill({"p2-front": "7s8d9c", "p2-middle": "", "p2-back": ""})
    assert again.press("Submit my cards").status_code == 302
    assert drafts() == {2: ("7s 8d 9c", "", "")}


def test_without_a_script_rows_of_a_player_who_was_sat_out_meanwhile_are_shown_as_refused(session: Session) -> None:
    opened = own_rows(HostsBrowser(), session, OTHER)
    act(SitOut, session, seat=2)
    late = opened.press()
    text = late.content.decode()
    assert late.status_code == 409
    assert "Bob is not dealt in." in text
    assert "Not saved yet" in text
    assert "This session is closed" not in text
    assert "QsQhQd" in text


def test_without_a_script_rows_that_come_too_late_are_shown_as_refused(session: Session) -> None:
    client = HostsBrowser()
    opened = own_rows(client, session, OTHER)
    settle(session, LEVEL)
    late = opened.press()
    text = late.content.decode()
    assert late.status_code == 409
    assert "Hand 1 has been settled already." in text
    assert "QsQhQd" in text
    assert f'href="/s/{session.public_id}/hands/1/"' in text
    opened = own_rows(client, session, OTHER)
    act(ledger.close_session, session)
    late = opened.press()
    text = late.content.decode()
    assert late.status_code == 409
    assert "This session is closed" in text
    assert "QsQhQd" in text
    assert "/hands/1/" not in text


def test_without_a_script_rows_that_were_settled_as_they_are_lead_to_their_hand(session: Session) -> None:
    opened = own_rows(HostsBrowser(), session, LEVEL.boards[2])
    settle(session, LEVEL)
    assert opened.press()["Location"] == f"/s/{session.public_id}/hands/1/"


def test_rows_that_another_phone_overtakes_are_told_which_hand_it_was(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = own_rows(HostsBrowser(), session, OTHER)

    def overtaken(**given: Any) -> bool:
        settle(Session.objects.get(), LEVEL)
        return keep(**given)

    monkeypatch.setattr("scoring.drafts.keep", overtaken)
    late = opened.press()
    assert late.status_code == 409
    assert f'href="/s/{session.public_id}/hands/1/"' in late.content.decode()


def test_nothing_here_is_a_deal(host: Phone) -> None:
    host.send(2, PLAIN)
    assert not Deal.objects.exists()
    assert host.client.get(f"/s/{host.session.public_id}/hand/2/").status_code == 302


# --- A preview that phones have overtaken ---------------------------------------------------------------------------


@pytest.fixture
def open_preview(host: Phone, bob: Phone) -> Form:
    """Everybody is in, Bob by a phone of their own. The host's phone has the preview open."""
    for seat, rows in {1: STRONG, 3: WEAK}.items():
        host.send(seat, rows)
    bob.send(2, PLAIN)
    page = form(host.client.get(f"/s/{host.session.public_id}/hand/")).press("Show the settlement")
    return form(page, "Settle hand 1")


def said(response: Any) -> str:
    return html.unescape(" ".join(response.content.decode().split()))


def without_tokens(response: Any) -> str:
    """A page without what is made anew whenever it is asked for."""
    return re.sub(r"[\w-]+[:%\w-]{20,}", "", said(response))


def fields_of(boards: dict[int, Rows]) -> dict[str, str]:
    """What somebody types into the form of a hand for these seats."""
    rows = ("front", "middle", "back")
    return {f"p{seat}-{row}": getattr(board, row) for seat, board in boards.items() for row in rows}


BETTER = Rows("7sQd9c", PLAIN.middle, PLAIN.back)


def test_a_preview_settles_no_cards_that_their_player_has_changed_since(open_preview: Form, bob: Phone) -> None:
    bob.send(2, BETTER)
    answer = open_preview.press()
    assert answer.status_code == 409
    changed = "Not settled yet. Another phone has changed the cards of Bob. This is the settlement as it is now."
    assert changed in said(answer)
    again = form(answer, "Settle hand 1")
    assert again.fields()["p2-front"] == ["7s Qd 9c"]
    assert not Deal.objects.exists()
    assert again.press()["Location"].endswith("/hands/1/")
    assert Deal.objects.count() == 1


def test_a_preview_names_a_ruling_that_came_since(open_preview: Form, bob: Phone) -> None:
    bob.send(2, PLAIN, ruling="dead")
    answer = open_preview.press()
    assert answer.status_code == 409
    ruled = "Not settled yet. Another phone has changed the ruling on Bob. This is the settlement as it is now."
    assert ruled in said(answer)


def test_a_preview_settles_nothing_once_somebody_has_to_choose_on_another_phone(
    third: Phone, open_preview: Form
) -> None:
    assert third.send(2, BETTER).status_code == 409
    answer = open_preview.press()
    assert (answer.status_code, Deal.objects.count()) == (409, 0)
    assert TWO_PHONES in said(answer)
    assert "<dt>Other phone</dt><dd>Front 7sQd9c</dd>" in said(answer)
    assert (
        "Not settled yet. Another phone has something else for Bob. "
        "Compare the two, then edit the hand, or settle it as it is here." in said(answer)
    )
    assert form(answer, "Settle hand 1").press().status_code == 302  # it was looked at


def test_what_somebody_chooses_to_keep_is_what_the_open_preview_shows_next(third: Phone, open_preview: Form) -> None:
    third.send(2, BETTER)
    assert third.press(2, "Keep mine").status_code == 200
    assert form(open_preview.press(), "Settle hand 1").fields()["p2-front"] == ["7s Qd 9c"]


def test_a_choice_that_is_left_after_an_undo_leads_to_what_became_of_the_hand(
    disagreed: None, host: Phone, bob: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    undone(session)
    lay_again(session=session, undone=session.deals, boards={1: STRONG, 2: PLAIN, 3: WEAK})
    for answer in (host.press(2, "Keep mine"), host.press(2, "Use other")):
        assert answer["HX-Redirect"] == f"/s/{session.public_id}/hands/1/"
    # Nobody waits for the answer to rows that a phone sends by itself.
    assert host.send(2, OTHER).status_code == 204


def test_the_table_and_the_close_name_what_is_not_settled(
    disagreed: None, host: Phone, bob: Phone, session: Session
) -> None:
    at = f"/s/{session.public_id}"
    table = said(host.client.get(f"{at}/"))
    assert "Everyone is in." in table
    assert "Two phones have something different for Bob." in table
    closing = said(host.client.get(f"{at}/close/"))
    assert "are entered, but it is not settled. If you close now, it does not count." in closing
    host.press(2, "Use other")
    assert "Two phones have something different" not in said(host.client.get(f"{at}/"))
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert "not settled" not in said(host.client.get(f"{at}/close/"))


BEGUN = "Some cards of hand 1 are entered. They do not count unless the hand is settled."


def test_the_close_names_a_hand_that_somebody_has_begun(host: Phone, session: Session) -> None:
    at = f"/s/{session.public_id}/close/"

    def words() -> str:
        return re.sub("<[^>]+>", "", re.sub("<p [^>]*hidden>.*?</p>", "", said(host.client.get(at))))

    assert "hand 1" not in words()
    host.send(2, SOME)
    assert BEGUN in words()
    host.send(2, PLAIN)
    assert BEGUN not in words()
    assert "are entered, but it is not settled." in words()
    host.send(2, Rows())
    assert "hand 1" not in words()


def test_of_a_hidden_board_the_close_tells_that_it_was_begun_and_nothing_else(host: Phone, session: Session) -> None:
    """The pad of every scorer counts its cards, too."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    session.refresh_from_db()
    ann, at = Phone(session), f"/s/{session.public_id}/close/"
    pages = []
    for rows in (SOME, OTHER):
        ann.send(1, rows)
        pages.append(without_tokens(host.client.get(at)))
    assert pages[0] == pages[1]
    assert BEGUN.replace("hand 1", "hand 2") in re.sub("<[^>]+>", "", pages[0])
    assert "data-begun" not in pages[0]


def test_a_preview_that_the_table_has_overtaken_too_says_so(open_preview: Form, bob: Phone, session: Session) -> None:
    bob.send(2, BETTER)
    act(SitOut, session, seat=2)
    answer = open_preview.press()
    assert "The table was changed since this page was opened." in said(answer)
    assert "Show the settlement" in answer.content.decode()
    assert not Deal.objects.exists()


def test_a_preview_goes_back_to_the_form_if_cards_were_taken_back(open_preview: Form, bob: Phone) -> None:
    bob.send(2, Rows(PLAIN.front, "", ""))
    answer = open_preview.press()
    assert not Deal.objects.exists()
    assert "Show the settlement" in answer.content.decode()
    assert "Not settled yet. Another phone has taken back cards of Bob." in said(answer)


def test_rows_that_arrive_after_the_preview_and_are_the_same_do_not_hold_it_up(host: Phone, session: Session) -> None:
    typed = fields_of({1: STRONG, 2: PLAIN, 3: WEAK})
    opened = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(typed)
    settling = form(opened.press("Show the settlement"), "Settle hand 1")
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        host.send(seat, rows)
    assert settling.press().status_code == 302


def test_cards_that_were_only_put_into_another_order_do_not_hold_a_preview_up(
    open_preview: Form, bob: Phone, session: Session
) -> None:
    bob.send(2, BETTER)
    bob.send(2, TURNED)
    assert open_preview.press()["Location"].endswith("/hands/1/")


def test_a_hand_that_another_phone_settled_with_its_cards_in_another_order_is_the_same_hand(
    open_preview: Form, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=TURNED, s3=WEAK))
    assert open_preview.press()["Location"] == f"/s/{session.public_id}/hands/1/"
    assert Deal.objects.count() == 1


def test_two_phones_that_finish_one_board_together_are_both_warned(host: Phone, bob: Phone, session: Session) -> None:
    """Either sends the rows of the last board only after it shows the preview."""
    at = f"/s/{session.public_id}/hand/"
    for seat, rows in {1: STRONG, 3: WEAK}.items():
        host.send(seat, rows)
    previews = {}
    for phone, rows in ((host, PLAIN), (bob, BETTER)):
        page = form(phone.client.get(at)).fill(fields_of({2: rows})).press("Show the settlement")
        previews[phone] = form(page, "Settle hand 1")
    host.send(2, PLAIN)
    assert bob.send(2, BETTER).status_code == 409
    for phone in (host, bob):
        assert TWO_PHONES in said(previews[phone].press())
    assert not Deal.objects.exists()


def test_rows_typed_over_those_of_a_phone_that_was_quicker_are_not_settled_unseen(host: Phone, bob: Phone) -> None:
    """A page without a script hears of nobody."""
    typed = fields_of({1: STRONG, 2: BETTER, 3: WEAK})
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/")).fill(typed)
    bob.send(2, PLAIN)
    page = opened.press("Show the settlement")
    assert TWO_PHONES in said(page)
    assert "<dt>Other phone</dt><dd>Front 7s8d9c</dd>" in said(page)
    assert form(page, "Settle hand 1").press().status_code == 302


def test_a_preview_of_a_hand_that_was_undone_has_the_cards_as_they_are_now(
    open_preview: Form, host: Phone, bob: Phone, session: Session
) -> None:
    settling = open_preview.by(host.client)
    settle(session, entry(s1=STRONG, s2=BETTER, s3=WEAK))
    undone(session)
    lay_again(session=session, undone=session.deals, boards={1: STRONG, 2: BETTER, 3: WEAK})
    answer = settling.press()
    assert "Hand 1 was undone. Its cards are entered again as hand 2." in said(answer)
    assert form(answer, "Show the settlement").fields()["p2-front"] == ["7s Qd 9c"]
