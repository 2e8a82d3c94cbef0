"""The next hand: typed, previewed, and settled once."""

import re

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.people import Join
from scoring.actions.set_next import SetNext
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry, Rows
from scoring.models import Deal, Session, Transfer
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, points, settle, start
from tests.pages import form


def fields(**boards: Rows) -> dict[str, str]:
    """The form fields of a hand: fields(s1=PLAIN) fills those of seat 1."""
    return {
        f"p{seat[1:]}-{row}": text
        for seat, rows in boards.items()
        for row in ("front", "middle", "back", "ruling")
        if (text := getattr(rows, row))
    }


HAND = fields(s1=PLAIN, s2=WEAK, s3=FOUL)


def address(session: Session) -> str:
    return f"/s/{session.public_id}/hand/"


def sent(session: Session, **changed: str) -> dict[str, str]:
    session.refresh_from_db()
    return {**HAND, "key": "once", "number": str(session.next_number), "version": str(session.version), **changed}


def test_players_stand_clockwise_from_under_the_gun(client: Client, session: Session) -> None:
    page = client.get(address(session)).content.decode()
    places = [page.index(f"<legend>{name}") for name in ("Bob", "Cat", "Ann")]
    assert places == sorted(places)
    assert page.index("has the button") > places[2]


def test_the_preview_settles_nothing(client: Client, session: Session) -> None:
    response = client.get(address(session), HAND)
    page = response.content.decode()
    assert response.status_code == 200
    assert "Nothing is settled yet" in page
    assert "<strong>Cat</strong> pays <strong>Bob</strong>" in page
    assert "The button goes to Bob." in page
    assert not Deal.objects.exists()


def test_one_tap_settles_and_goes_to_the_hand(client: Client, session: Session) -> None:
    response = client.post(address(session), sent(session))
    assert response["Location"] == f"/s/{session.public_id}/hands/1/"
    assert points(session) == {1: 12, 2: 0, 3: -12}


def test_what_the_preview_offers_is_what_settles(client: Client, session: Session) -> None:
    page = client.get(address(session), {**HAND, "p3-ruling": "dead"}).content.decode()
    for name, value in {**HAND, "p3-ruling": "dead", "number": "1", "version": "1"}.items():
        assert f'name="{name}" value="{value}"' in page


def test_sent_twice_it_settles_once(client: Client, session: Session) -> None:
    form = sent(session)
    first, second = client.post(address(session), form), client.post(address(session), form)
    assert first["Location"] == second["Location"]
    assert Deal.objects.count() == 1
    assert Transfer.objects.count() == 3


def offered(client: Client, session: Session, typed: dict[str, str]) -> dict[str, str]:
    """The form under the preview of what was typed, as its button would send it."""
    return sends(client.get(address(session), typed).content.decode())


def sends(page: str) -> dict[str, str]:
    """The values of a page's hidden fields."""
    found = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
    return {name: value for name, value in found.items() if name != "csrfmiddlewaretoken"}


COUNTED = {"mode": "points", "points-2-3": "5", "points-2-3-to": "3", "points-1-2": "4", "points-1-2-to": "2"}
LOWER = {"points-1-2": "4", "points-1-3": "3", "points-1-3-to": "3", "points-2-3": "2", "mode": "points"}


@pytest.mark.parametrize("typed", [HAND, COUNTED, LOWER])
@pytest.mark.parametrize("others", [0, 1])
def test_sent_again_the_button_under_the_preview_leads_to_the_same_hand(
    client: Client, session: Session, typed: dict[str, str], others: int
) -> None:
    """A repeated POST leads to the same hand even if the order of players has changed and the next hand is settled as
    well.
    """
    opened = {**sends(client.get(address(session)).content.decode()), **typed}
    form = offered(client, session, opened)
    first = client.post(address(session), form)
    assert first["Location"] == f"/s/{session.public_id}/hands/1/"
    for _ in range(others):
        session.refresh_from_db()
        settle(session)
    again = client.post(address(session), form)
    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert client.get(address(session), opened)["Location"] == first["Location"]
    assert Deal.objects.count() == 1 + others


@pytest.mark.parametrize("counted", [False, True])
def test_sent_again_where_somebody_else_sits_out_by_then(client: Client, db: None, counted: bool) -> None:
    four = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    typed = {"mode": "points", "points-1-3": "5"} if counted else fields(s1=PLAIN, s2=WEAK, s3=Rows(ruling="dead"))
    opened = {**sends(client.get(address(four)).content.decode()), **typed}
    form = offered(client, four, opened)
    for _ in range(2):
        response = client.post(address(four), form)
        assert (response.status_code, response["Location"]) == (302, f"/s/{four.public_id}/hands/1/")
    assert client.get(address(four), opened)["Location"] == f"/s/{four.public_id}/hands/1/"
    assert Deal.objects.count() == 1


@pytest.mark.parametrize("seats", ["", "2,3", "2,3,1,1", "3,2,9", "-1,0", "2;3;1", "x", "2,3,1,"])
def test_a_lineup_that_is_none_is_not_believed(client: Client, session: Session, seats: str) -> None:
    """The form's list of seats never decides who is dealt in; the table does."""
    for typed in (HAND, COUNTED):
        assert offered(client, session, {**typed, "seats": seats})["seats"] == "2,3,1"
    response = client.post(address(session), {**sent(session), "seats": seats})
    assert response.status_code == (422 if seats == "2,3" else 302)
    assert Deal.objects.count() == (seats != "2,3")


def test_points_are_kept_when_the_lineup_has_changed(client: Client, session: Session) -> None:
    opened = {**sends(client.get(address(session)).content.decode()), **COUNTED}
    act(SetNext, session, button=2, note="we moved it")
    page = client.get(address(session), {**opened, "edit": "1"}).content.decode()
    for pair, typed in (("2-3", "5"), ("1-2", "4")):
        assert f'name="points-{pair}" value="{typed}"' in page


def test_the_preview_of_a_hand_that_was_settled_is_that_hand(client: Client, session: Session) -> None:
    client.post(address(session), sent(session))
    again = client.get(address(session), {**HAND, "key": "once"})
    assert again["Location"] == f"/s/{session.public_id}/hands/1/"
    # The same cards under another key are another hand.
    page = client.get(address(session), {**HAND, "key": "twice"}).content.decode()
    assert sends(page)["key"] == "twice"
    assert "since this form was opened" not in page


def test_a_settled_hand_with_another_card_is_to_be_corrected_not_settled_again(
    client: Client, session: Session
) -> None:
    client.post(address(session), sent(session))
    response = client.get(address(session), {**HAND, "key": "once", "p1-front": "7s8d9h"})
    page = response.content.decode()
    assert response.status_code == 409
    assert "correct it there" in page
    assert "7s8d9h" in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    assert "key" not in sends(page)


@pytest.mark.parametrize("mode", [{}, {"mode": "points"}])
def test_the_settlement_of_nothing_is_refused(client: Client, session: Session, mode: dict[str, str]) -> None:
    opened = client.get(address(session), mode)
    assert opened.status_code == 200
    asked = client.get(address(session), {**mode, **sends(opened.content.decode())})
    assert asked.status_code == 422
    assert "Nothing is entered yet." in asked.content.decode()


@pytest.mark.parametrize("typed", [HAND, COUNTED])
@pytest.mark.parametrize("edit", [{}, {"edit": "1"}])
def test_a_hand_that_another_phone_has_settled_is_not_the_next(
    client: Client, session: Session, typed: dict[str, str], edit: dict[str, str]
) -> None:
    """Another phone's settlement counts as this hand under any key, from the preview as well as from the form."""
    opened = {**sends(client.get(address(session), {"mode": typed.get("mode", "")}).content.decode()), **typed}
    assert opened["number"] == "1"
    client.post(address(session), {**sent(session), **offered(client, session, typed), "key": "the other phone"})
    assert Deal.objects.count() == 1
    assert client.get(address(session), {**opened, **edit})["Location"] == f"/s/{session.public_id}/hands/1/"


def test_nor_is_it_with_another_card(client: Client, session: Session) -> None:
    opened = {**sends(client.get(address(session)).content.decode()), **HAND, "p1-front": "7s8d9h"}
    client.post(address(session), sent(session))
    for edit in ({}, {"edit": "1"}):
        late = client.get(address(session), {**opened, **edit})
        assert late.status_code == 409
        assert "correct it there" in late.content.decode()
        assert "7s8d9h" in late.content.decode()


@pytest.mark.parametrize("changed", [{}, {"p1-front": "", "p1-ruling": "dead"}])
def test_a_hand_that_was_taken_back_is_entered_again_as_the_next(
    client: Client, session: Session, changed: dict[str, str]
) -> None:
    client.post(address(session), sent(session))
    act(ledger.undo, session)
    page = client.get(address(session), {**HAND, "key": "once", **changed}).content.decode()
    assert "Nothing is settled yet" in page
    assert client.post(address(session), sends(page))["Location"] == f"/s/{session.public_id}/hands/2/"


def test_a_stale_button_after_the_hand_was_taken_back_keeps_what_was_typed(client: Client, session: Session) -> None:
    form = sent(session)
    client.post(address(session), form)
    act(ledger.undo, session)
    response = client.post(address(session), {**form, "p1-front": "7s8d9h"})
    assert response.status_code == 409
    assert 'value="7s8d9h"' in response.content.decode()


def test_other_cards_in_the_form_of_a_settled_hand_are_the_next_hand_and_say_so(
    client: Client, session: Session
) -> None:
    client.post(address(session), sent(session))
    others = {name: cards for name, cards in HAND.items() if name.endswith("-ruling")}
    for seat, rows in enumerate((("QQ7", "AA44J", "89TJQ"), ("KQ3", "33552", "66677"), ("T98", "JJ762", "99K42")), 1):
        others |= {f"p{seat}-{name}": row for name, row in zip(("front", "middle", "back"), rows, strict=True)}
    page = client.get(address(session), {**others, "key": "once"}).content.decode()
    assert f'<a href="/s/{session.public_id}/hands/1/">Hand 1 has been settled</a> since this form was opened.' in page
    assert client.post(address(session), sends(page))["Location"] == f"/s/{session.public_id}/hands/2/"


def test_the_same_key_with_another_hand_is_stale(client: Client, session: Session) -> None:
    client.post(address(session), sent(session))
    response = client.post(address(session), {**sent(session), "p1-front": "7s8d9h"})
    page = response.content.decode()
    assert response.status_code == 409
    assert "7s8d9h" in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    assert "key" not in sends(page)
    assert Deal.objects.count() == 1


def test_a_hand_that_somebody_else_settled_is_stale_and_typed_input_is_kept(client: Client, session: Session) -> None:
    form = sent(session)
    settle(session)
    response = client.post(address(session), form)
    page = response.content.decode()
    assert response.status_code == 409
    assert "has been settled" in page
    assert PLAIN.front in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    # It is probably the same hand, so the page does not offer to settle it as the next one.
    assert "key" not in sends(page)
    assert Deal.objects.count() == 1


def test_points_that_came_too_late_are_shown_as_well(client: Client, session: Session) -> None:
    form = offered(client, session, COUNTED)
    settle(session)
    response = client.post(address(session), form)
    assert response.status_code == 409
    assert "Bob and Cat: 5 to Cat" in " ".join(response.content.decode().split())


@pytest.mark.parametrize(("typed", "field"), [(HAND, "p1-front"), (COUNTED, "points-2-3")])
def test_the_table_moved_since_the_preview(client: Client, session: Session, typed: dict[str, str], field: str) -> None:
    form = offered(client, session, {**typed, "key": "once"})
    act(SetNext, session, button=2, note="we moved it")
    response = client.post(address(session), form)
    page = response.content.decode()
    assert response.status_code == 409
    assert f'name="{field}" value="{typed[field]}"' in page
    # Nothing is settled yet. If the first request still arrives, the same key makes both one.
    assert sends(page)["key"] == "once"
    assert not Deal.objects.exists()


@pytest.mark.parametrize("key", ["", "x" * 81, "a\0b", "\u2660"])
def test_a_key_that_is_none_of_ours_is_replaced(client: Client, session: Session, key: str) -> None:
    for more in ({}, {"edit": "1"}):
        assert 20 < len(sends(client.get(address(session), {**HAND, **more, "key": key}).content.decode())["key"]) < 30


@pytest.mark.parametrize("missing", ["key", "number", "version"])
def test_a_form_without_its_numbers_settles_nothing(client: Client, session: Session, missing: str) -> None:
    form = sent(session)
    del form[missing]
    assert client.post(address(session), form).status_code == (400 if missing == "key" else 409)
    assert not Deal.objects.exists()


def test_all_problems_at_once_each_at_its_row(client: Client, session: Session) -> None:
    response = client.get(address(session), {**HAND, "p1-front": "Qs Q", "p2-back": "what", "p3-middle": ""})
    page = response.content.decode()
    assert response.status_code == 422
    assert "3 things do not fit" in page
    for field in ("p1-front", "p2-back", "p3-middle"):
        assert f'id="{field}-wrong"' in page
    assert 'value="what"' in page


def test_the_same_card_twice_says_where_both_are(client: Client, session: Session) -> None:
    page = client.get(address(session), {**HAND, "p1-front": "5s8d9c"}).content.decode()
    assert "The five of spades is also in Bob&#x27;s front." in page


def test_five_of_a_rank_are_refused(client: Client, session: Session) -> None:
    ranks = fields(s1=Rows("QQ7", "AA44J", "89TJQ"), s2=Rows("QQ2", "33556", "77889"), s3=Rows("234", "KK5JT", "AA699"))
    response = client.get(address(session), ranks)
    assert response.status_code == 422
    assert "more than 4 queens" in response.content.decode()


def test_dead_and_surrendered_hands(client: Client, session: Session) -> None:
    client.post(address(session), {**fields(s1=PLAIN, s2=WEAK), **sent(session, **{"p3-ruling": "dead"})})
    assert points(session) == {1: 12, 2: 0, 3: -12}
    assert "Surrendered" not in client.get(address(session)).content.decode()
    act(ChangeTerms, session, rules={"preset": "regular", "surrender_points": 3})
    form = {**sent(session, key="second"), "p3-ruling": "surrendered"}
    for row in ("front", "middle", "back"):
        del form[f"p3-{row}"]
    assert client.post(address(session), form).status_code == 302
    assert points(session) == {1: 21, 2: -3, 3: -18}
    assert "Surrendered." in client.get(f"/s/{session.public_id}/hands/2/").content.decode()


def test_a_hand_that_the_table_counted_itself(client: Client, session: Session) -> None:
    page = client.get(address(session), COUNTED).content.decode()
    assert "<strong>Bob</strong> pays <strong>Cat</strong>" in page
    keys = {"key": "once", "number": "1", "version": "1"}
    assert client.post(address(session), {**COUNTED, **keys}).status_code == 302
    assert points(session) == {1: -4, 2: -1, 3: 5}
    assert client.get(f"/s/{session.public_id}/hands/1/").status_code == 200


def test_points_that_are_no_numbers_are_refused_at_their_pair(client: Client, session: Session) -> None:
    response = client.get(address(session), {"mode": "points", "points-2-3": "5.5", "points-1-2": "-4"})
    page = response.content.decode()
    assert response.status_code == 422
    assert 'id="points-2-3-wrong"' in page
    assert 'id="points-1-2-wrong"' in page
    assert 'value="5.5"' in page
    form = {"points-2-3": "5.5", "mode": "points", "key": "once", "number": "1", "version": "1"}
    response = client.post(address(session), form)
    page = response.content.decode()
    assert response.status_code == 422
    assert "One thing does not fit" in page
    assert 'id="points-2-3-wrong"' in page


def test_fantasyland_and_the_held_button_are_shown_on_the_next_hand(client: Client, session: Session) -> None:
    settle(session, Entry(boards={1: STRONG, 2: PLAIN, 3: WEAK}))
    page = client.get(address(session)).content.decode()
    assert "Fantasyland 13" in page[page.index("<legend>Ann") :]
    assert "Fantasyland 13" in client.get(f"/s/{session.public_id}/").content.decode()


def test_a_closed_session_takes_no_hand(client: Client, session: Session) -> None:
    act(ledger.close_session, session)
    assert "This session is closed" in client.get(address(session)).content.decode()
    response = client.post(address(session), sent(session))
    assert response.status_code == 422
    assert not Deal.objects.exists()


def test_too_many_players_say_what_to_do(client: Client, db: None) -> None:
    four = start("Ann Bob Cat Dan", rules="pineapple")
    act(Join, four, name="Eve")
    page = client.get(address(four))
    assert page.status_code == 200
    assert "have to sit out" in page.content.decode()


@pytest.mark.parametrize("path", ["", "named/"])
def test_an_unknown_session_is_404(client: Client, session: Session, path: str) -> None:
    assert client.get(f"/s/nobody/hand/{path}").status_code == 404
    assert client.post(f"/s/nobody/hand/{path}").status_code in {404, 405}


def test_rows_are_named_by_this_tables_rules(client: Client, session: Session) -> None:
    act(ChangeTerms, session, rules="2-7-pineapple")
    sent = {**HAND, "number": "1", "p2-middle": "97542"}
    named = client.post(f"{address(session)}2/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "Nine-high low" in named
    assert "innerHTML:#p2-middle-named" in named


def test_a_hand_that_is_sent_after_the_session_was_closed_keeps_its_cards(client: Client, session: Session) -> None:
    opened = form(client.get(address(session)), "Show the settlement").fill(HAND)
    sent = form(opened.press(), "Settle hand 1")
    act(ledger.close_session, session)
    for late in (opened.press(), sent.press()):
        assert late.status_code in {409, 422}
        assert "This session is closed" in late.content.decode()
        kept = form(late, "Show the settlement").fields()
        assert {name: kept[name] for name in HAND} == {name: [text] for name, text in HAND.items()}
    assert not Deal.objects.exists()
