"""Drafts: stored once one row is complete, sent to the other phones, gone once settled."""

import pytest

from scoring import ledger
from scoring.actions.base import TableAction
from scoring.actions.people import Leave, SitOut
from scoring.actions.terms import ChangeTerms
from scoring.drafts import line
from scoring.game.entry import Rows
from scoring.models import Draft, Session
from tests.drafts.conftest import BETTER, OTHER, SOME, Phone, drafts, fields_of, tied
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import follow, form, post_nothing, read


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
@pytest.mark.parametrize("taken_back", ["voided", "undone"])
def test_a_player_whose_hand_was_settled_and_taken_back_is_told_so_and_nothing_else(
    session: Session, by: str, taken_back: str
) -> None:
    own = Phone(session, own=2)
    own.send(2, WEAK)
    unscripted = form(own.client.get(f"/s/{session.public_id}/seat/2/"), "Save changes").fill(fields_of({2: BETTER}))
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    if taken_back == "undone":
        act(ledger.undo, session)
    else:
        act(ledger.void_deal, session, number=1)
    answers = {"asking": own.ask, "sending": lambda: own.send(2, BETTER), "sending without a script": unscripted.press}
    page = " ".join(read(answers[by]()).text_content().split())
    assert f"Hand 1 was {taken_back}" in page
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
    assert (settling["p2-front"], settling["p3-front"]) == ([""], [""])


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
