"""Who may enter which seat, and a phone without a script."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.people import SitOut
from scoring.drafts import keep
from scoring.game.entry import Rows
from scoring.models import Deal, Draft, Session
from tests.conftest import HostsBrowser
from tests.drafts.conftest import OTHER, SOME, Phone, drafts, fields_of, tied
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, act, settle
from tests.pages import Form, form, post_nothing


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
