"""Joining, leaving, sitting out and changing places; how Fantasyland blocks them; who has dealt in this orbit."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.people import Leave, SitOut
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.models import Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start, table, verbs
from tests.pages import Form, form, post_nothing


def of_seat(client: Client, session: Session, label: str, seat: int) -> Form:
    """The form of this seat that has a button with this label."""
    return form(client.get(f"/s/{session.public_id}/people/"), label, seat=str(seat))


def joining(client: Client, session: Session, name: str, **typed: str) -> Form:
    """The form by which somebody sits down, with this name in it."""
    return form(client.get(f"/s/{session.public_id}/people/"), "Add player").fill({"name": name, **typed})


def page(client: Client, session: Session) -> str:
    return client.get(f"/s/{session.public_id}/people/").content.decode()


def names(session: Session) -> list[str]:
    return [chair.name + (" out" if chair.out else "") for chair in table(session).chairs]


def test_somebody_joins_where_they_sit(client: Client, session: Session) -> None:
    response = joining(client, session, "  Dan ", after="1").press()
    assert response["Location"] == f"/s/{session.public_id}/people/?recorded=2"
    assert names(session) == ["Ann", "Dan", "Bob", "Cat"]


def test_somebody_leaves_and_comes_back(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=5000)
    of_seat(client, session, "Leave & cash out", 2).press("Leave & cash out")
    assert names(session) == ["Ann", "Cat"]
    assert table(session).stacks == {1: 5000, 3: 5000}
    joining(client, session, "bob").press()
    assert [chair.number for chair in table(session).chairs] == [1, 3, 2]


def leaving(client: Client, session: Session) -> list[str]:
    """What the page says of each player who would get or pay something."""
    said = re.findall(r'<p class="leaving">(.*?)</p>', page(client, session))
    return [strip_tags(each) for each in said]


def test_whoever_leaves_is_shown_what_they_get_or_pay_before_they_do(client: Client, session: Session) -> None:
    assert leaving(client, session) == []
    act(SideBet, session, payer=2, payee=1, amount=700, note="red")
    act(Fee, session, seats=[1, 3], amount=200, note="room")
    assert leaving(client, session) == [
        "If Ann leaves now, they get 5.00 EUR",
        "If Bob leaves now, they pay 7.00 EUR",
        "If Cat leaves now, they pay 2.00 EUR",
    ]
    act(BuyIn, session, seat=2, amount=5000)  # on credit, so that they owe as much as they cash out
    assert leaving(client, session)[1] == "If Bob leaves now, they pay 7.00 EUR"


def test_whoever_leaves_is_shown_what_the_bank_gives_them(client: Client, session: Session) -> None:
    for seat, cash in ((1, False), (2, True), (3, True)):
        act(BuyIn, session, seat=seat, amount=5000, cash=cash)
    act(SideBet, session, payer=2, payee=1, amount=700, note="red")
    assert leaving(client, session) == [
        "If Ann leaves now, they get from the bank 7.00 EUR",
        "If Bob leaves now, they get from the bank 43.00 EUR",
        "If Cat leaves now, they get from the bank 50.00 EUR",
    ]
    of_seat(client, session, "Leave & cash out", 2).press("Leave & cash out")
    act(SideBet, session, payer=1, payee=3, amount=800, note="black")
    act(SideBet, session, payer=2, payee=3, amount=100, note="outside")
    assert leaving(client, session) == [
        "If Ann leaves now, they pay 1.00 EUR",
        "If Cat leaves now, they get from the bank 57.00 EUR",  # Bob took 43.00 of 100.00
        "If Cat leaves now, they are still owed 2.00 EUR",
    ]
    assert "Bob, cashing out 43.00 EUR in cash." in client.get(f"/s/{session.public_id}/history/").content.decode()


def test_sitting_out_and_back(client: Client, session: Session) -> None:
    of_seat(client, session, "Sit out", 2).press("Sit out")
    assert names(session) == ["Ann", "Bob out", "Cat"]
    assert '<span class="tag">sits out</span>' in page(client, session)
    of_seat(client, session, "Back in", 2).press("Back in")
    assert names(session) == ["Ann", "Bob", "Cat"]


def test_two_change_places(client: Client, session: Session) -> None:
    of_seat(client, session, "Swap seats", 1).fill({"other": "3"}).press("Swap seats")
    assert names(session) == ["Cat", "Bob", "Ann"]


@pytest.mark.parametrize(
    ("label", "changed", "said"),
    [
        ("Add player", {"name": " "}, "Every player needs a name."),
        ("Add player", {"name": "bob"}, "Bob is already at the table."),
        ("Add player", {"name": "House"}, "“House” is reserved"),
        ("Swap seats", {"other": ""}, "Choose who to swap seats with."),
    ],
)
def test_what_cannot_be_is_refused_in_place(
    client: Client, session: Session, label: str, changed: dict[str, str], said: str
) -> None:
    assert_refused(to_do(client, session, label).fill(changed).press(label), said, changed.get("name", ""))


@pytest.mark.parametrize(
    ("label", "changed", "said"),
    [
        ("Add player", {"do": "join", "name": "D" * 41}, "Names can be up to 40 characters"),
        ("Leave table", {"do": "leave", "seat": "9"}, "Choose a player."),
        ("Sit out", {"do": "sit-in"}, "Ann is not sitting out"),
        ("Swap seats", {"do": "swap", "other": "1"}, "Choose two different players."),
        ("Sit out", {"do": "dance"}, "Choose what to do."),
    ],
)
def test_what_the_page_does_not_offer_is_refused_in_place(
    client: Client, session: Session, label: str, changed: dict[str, str], said: str
) -> None:
    assert_refused(to_do(client, session, label).forge(dict(changed)), said, changed.get("name", ""))


def to_do(client: Client, session: Session, label: str) -> Form:
    """The form with this button, of Ann if each player has one."""
    shown = client.get(f"/s/{session.public_id}/people/")
    return form(shown, label) if label == "Add player" else form(shown, label, seat="1")


def assert_refused(response: Any, said: str, name: str) -> None:
    assert response.status_code == 422
    assert said in response.content.decode()
    assert form(response, "Add player").fields()["name"] == [name.strip()]
    assert Event.objects.count() == 1


def test_a_form_that_was_refused_many_times_still_works(client: Client, session: Session) -> None:
    refused = joining(client, session, "bob").press()
    for _ in range(15):
        refused = form(refused, "Add player").press()
        assert refused.status_code == 422
    assert form(refused, "Add player").fill({"name": "Dan"}).press().status_code == 302
    assert names(session) == ["Ann", "Bob", "Cat", "Dan"]


def test_joining_beside_a_player_who_has_left_meanwhile(client: Client, session: Session) -> None:
    """The place that is offered instead is the last one, as on a fresh page, not silently the first."""
    opened = joining(client, session, "Dan", after="2")
    act(Leave, session, seat=2)
    late = opened.press()
    assert late.status_code == 409
    assert form(late, "Add player").fields()["after"] == ["3"]


def test_while_fantasyland_is_pending_the_host_has_to_insist(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    assert "Ann is due Fantasyland, so seats are locked" in page(client, session)
    response = joining(client, session, "Dan", after="2").press()
    shown = response.content.decode()
    assert response.status_code == 422
    assert "Fantasyland is pending (Ann), so seats are locked until after that hand (the host can override)." in shown
    assert "<strong>Dan joins</strong>, although Ann is due Fantasyland?" in shown
    without = form(response, "Do it anyway").forge({"note": ""})
    assert without.status_code == 422
    assert "Please give a reason (shown in the history)." in without.content.decode()
    done = form(without, "Do it anyway").fill({"note": "they drove two hours"}).press()
    assert done.status_code == 302
    assert names(session) == ["Ann", "Bob", "Dan", "Cat"]
    assert Event.objects.get(verb="join").note == "they drove two hours"


def test_who_would_lose_fantasyland_is_said_before_they_do(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    for button, player, loses in (("Sit out", 2, False), ("Leave table", 1, True), ("Sit out", 1, True)):
        shown = of_seat(client, session, button, player).press(button).content.decode()
        assert "although Ann is due Fantasyland?" in shown
        assert ("Ann then loses Fantasyland." in shown) == loses


def test_what_no_host_can_override_is_not_offered_again(client: Client, db: None) -> None:
    session = start("Ann Bob Cat", rules="pineapple", button=1)
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    refused = form(joining(client, session, "Dan", after="3").press(), "Do it anyway")
    again = refused.fill({"note": "they drove two hours"}).press()
    assert again.status_code == 422
    assert "Ann is due Fantasyland and can&#x27;t sit out with the button." in again.content.decode()
    assert "Do it anyway" not in again.content.decode()
    assert "Ann is due Fantasyland, so seats are locked" in again.content.decode()


def test_insisting_is_not_offered_for_a_name_that_cannot_sit_down(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    for name, said in (("bob", "Bob is already at the table."), (" ", "Every player needs a name.")):
        refused = joining(client, session, name).press()
        assert refused.status_code == 422
        assert said in refused.content.decode()
        assert "Do it anyway" not in refused.content.decode()
        assert "Ann is due Fantasyland, so seats are locked" in refused.content.decode()
    assert "Do it anyway" in form(refused, "Add player").fill({"name": "Dan"}).press().content.decode()


def test_a_host_who_insists_on_a_stale_page_need_not_give_the_reason_again(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    refused = form(joining(client, session, "Dan", after="2").press(), "Do it anyway")
    act(SideBet, session, payer=2, payee=1, amount=700, note="red")
    late = refused.fill({"note": "they drove two hours"}).press()
    assert late.status_code == 409
    assert form(late, "Do it anyway").press().status_code == 302
    assert names(session) == ["Ann", "Bob", "Dan", "Cat"]


def test_four_at_a_pineapple_table(client: Client, db: None) -> None:
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    shown = page(client, session)
    assert "Max 3 players per hand: the dealer sits out (Dan this hand)." in shown
    assert "No hands yet." in shown
    settle(session, Entry(points=((1, 2, 1),)))
    shown = page(client, session)
    assert "(Ann this hand)" in shown
    assert "This orbit: Dan has had the button; Ann, Bob and Cat to come." in shown


def test_no_orbit_is_complete_if_everybody_sits_out(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(SitOut, session, seat=seat)
    assert "No hands yet." in page(client, session)


def test_a_held_button_counts_as_dealt_once(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert "This orbit: Ann has had the button; Bob and Cat to come." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=STRONG))
    assert "1 orbit complete." in page(client, session)


def test_a_complete_orbit_is_shown(client: Client, session: Session) -> None:
    for _ in range(3):
        settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert "1 orbit complete." in page(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    assert (
        "1 orbit complete. This orbit: Ann has had the button; Bob and Cat to come."
        in client.get(f"/s/{session.public_id}/").content.decode()
    )


def test_sent_twice_somebody_sits_out_once(client: Client, session: Session) -> None:
    opened = of_seat(client, session, "Sit out", 2)
    for _ in range(2):
        assert opened.press("Sit out").status_code == 302
    assert verbs(session) == ["start", "sit-out"]


def test_a_stale_form_is_kept(client: Client, session: Session) -> None:
    opened = joining(client, session, "Dan", after="1")
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert 'value="Dan"' in response.content.decode()
    assert names(session) == ["Ann", "Bob", "Cat"]
    assert form(response, "Add player").press().status_code == 302
    assert names(session) == ["Ann", "Dan", "Bob", "Cat"]


def test_players_cannot_be_moved_in_a_closed_session(client: Client, session: Session) -> None:
    opened = of_seat(client, session, "Leave table", 1)
    act(ledger.close_session, session)
    assert "This session is closed" in page(client, session)
    response = opened.press("Leave table")
    assert response.status_code == 409
    assert "A host can reopen it under “More”" in response.content.decode()
    assert form(response, "Leave table", seat="1").press("Leave table").status_code == 409
    assert names(session) == ["Ann", "Bob", "Cat"]


def test_a_session_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/s/nobody/people/").status_code == 404
    assert post_nothing(client, "/s/nobody/people/").status_code == 404
