"""A preview, or a hand, that other phones have overtaken."""

import re
from dataclasses import replace
from typing import Any

import pytest

from scoring.actions.people import SitOut
from scoring.drafts import lay_again
from scoring.game.entry import Rows
from scoring.models import Deal, Session
from tests.drafts.conftest import BETTER, OTHER, SOME, TURNED, TWO_PHONES, Phone, fields_of, said, undone
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import Form, form


@pytest.fixture
def open_preview(host: Phone, bob: Phone) -> Form:
    """Everybody is in, Bob by a phone of their own. The host's phone has the preview open."""
    for seat, rows in {1: STRONG, 3: WEAK}.items():
        host.send(seat, rows)
    bob.send(2, PLAIN)
    page = form(host.client.get(f"/s/{host.session.public_id}/hand/")).press("Show the settlement")
    return form(page, "Settle hand 1")


def without_tokens(response: Any) -> str:
    """A page without what is made anew whenever it is asked for."""
    return re.sub(r"[\w-]+[:%\w-]{20,}", "", said(response))


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


@pytest.mark.parametrize(
    ("here", "there"),
    [(BETTER, replace(PLAIN, ruling="dead")), (Rows(BETTER.front, ruling="dead"), PLAIN)],
    ids=["a ruling", "rows"],
)
def test_a_preview_takes_nothing_of_a_board_that_another_phone_has_with_other_cards(
    host: Phone, bob: Phone, here: Rows, there: Rows
) -> None:
    """What a preview has is a whole board, also where a row is empty or nobody has ruled."""
    typed = {**fields_of({1: STRONG, 2: here, 3: WEAK}), "p2-ruling": here.ruling}
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/")).fill(typed)
    settling = form(opened.press("Show the settlement"), "Settle hand 1")
    bob.send(2, there, ruling=there.ruling)
    answer = settling.press()
    assert answer.status_code == 409
    assert TWO_PHONES in said(answer)
    assert "changed the ruling" not in said(answer)
    again = form(answer, "Settle hand 1").fields()
    assert {name: again.get(name, [""]) for name in typed if "p2-" in name} == {
        "p2-front": [here.front],
        "p2-middle": [here.middle],
        "p2-back": [here.back],
        "p2-ruling": [here.ruling],
    }


def test_a_ruling_on_the_cards_that_a_preview_has_is_taken_over(host: Phone, bob: Phone) -> None:
    """Nobody had sent a card when it was made."""
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    page = opened.fill(fields_of({1: STRONG, 2: PLAIN, 3: WEAK})).press("Show the settlement")
    bob.send(2, PLAIN)
    bob.send(2, PLAIN, ruling="dead")
    answer = form(page, "Settle hand 1").press()
    assert "Another phone has changed the ruling on Bob. This is the settlement as it is now." in said(answer)
    assert form(answer, "Settle hand 1").fields()["p2-ruling"] == ["dead"]


def test_a_preview_of_a_dead_hand_shows_the_cards_that_another_phone_has_for_it(host: Phone, bob: Phone) -> None:
    typed = {**fields_of({1: STRONG, 3: WEAK}), "p2-ruling": "dead"}
    page = form(host.client.get(f"/s/{host.session.public_id}/hand/")).fill(typed).press("Show the settlement")
    bob.send(2, PLAIN)
    answer = said(form(page, "Settle hand 1").press())
    assert "<dt>Other phone</dt><dd>Front 7s8d9c, Middle 6h6d8s9dTc, Back 7h7d8h8cTs and Cards speak</dd>" in answer
    assert "<dt>This hand</dt><dd>Front –, Middle –, Back – and Dead hand</dd>" in answer
