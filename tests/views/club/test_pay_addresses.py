"""How a player likes to be paid is kept on their page of the club, by the host."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from lxml import html

from scoring import club, ledger
from scoring.models import PayAddress, Player, Session
from tests.access.conftest import everything, host
from tests.ledger.conftest import act, start
from tests.pages import form, labels, text
from tests.views.club.conftest import named
from tests.views.club.test_people import page_of

pytestmark = pytest.mark.django_db

IBAN = "DE89370400440532013000"
WRONG_IBAN = "DE88 3704 0044 0532 0130 00"


def add(client: Client, player: Player, kind: str, value: str) -> Any:
    """Adds an address on the player's page, as a host does, and returns the answer."""
    return form(page_of(client, player), "Add address").fill({"kind": kind, "value": value}).press()


def kept(player: Player) -> dict[str, str]:
    return {each.kind: each.value for each in club.pay_addresses(player)}


def test_a_host_adds_and_removes_how_a_player_is_paid(session: Session) -> None:
    client, ann = host(session), named(session, "Ann")
    answer = add(client, ann, "paypal", "https://www.paypal.me/Ann")
    assert answer["Location"] == f"/c/{session.club.public_id}/players/{ann.pk}/"
    add(client, ann, "iban", "de89 3704 0044 0532 0130 00")
    assert kept(ann) == {"iban": IBAN, "paypal": "Ann"}
    assert kept(named(session, "Bob")) == {}
    shown = page_of(client, ann)
    assert f"IBAN {IBAN}" in text(shown)
    assert "PayPal.me Ann" in text(shown)
    assert IBAN not in text(page_of(client, named(session, "Bob")))
    removing = form(shown, "Remove PayPal.me")
    assert removing.press()["Location"] == f"/c/{session.club.public_id}/players/{ann.pk}/"
    assert removing.press().status_code == 302  # the same form, sent twice
    assert kept(ann) == {"iban": IBAN}
    assert "Remove PayPal.me" not in labels(page_of(client, ann))


def test_an_address_that_was_changed_meanwhile_is_not_removed(session: Session) -> None:
    client, ann = host(session), named(session, "Ann")
    club.add_pay_address(ann, "paypal", "Ann")
    stale = form(page_of(client, ann), "Remove PayPal.me")
    club.remove_pay_address(ann, "paypal", "Ann")
    club.add_pay_address(ann, "paypal", "AnnNew")
    late = stale.press()
    assert late.status_code == 409
    assert "This address was changed since this page was opened." in text(late)
    assert kept(ann) == {"paypal": "AnnNew"}
    assert form(late, "Remove PayPal.me").press().status_code == 302
    assert kept(ann) == {}


@pytest.mark.parametrize(
    ("kind", "typed", "said"),
    [
        ("iban", WRONG_IBAN, "This is no IBAN: its check digits do not fit. Check what was typed."),
        ("paypal", "https://evil.example/Ann", "Enter the name in your PayPal.me link"),
        ("venmo", "javascript:alert(1)", "Enter the Venmo username"),
        ("text", "x" * 201, "Use at most 200 characters."),
    ],
)
def test_a_wrong_address_is_explained_in_place_and_kept(session: Session, kind: str, typed: str, said: str) -> None:
    client, ann = host(session), named(session, "Ann")
    add(client, ann, "swish", "070-123 45 67")
    before = everything()
    answer = add(client, ann, kind, typed)
    assert answer.status_code == 422
    assert said in text(answer)
    assert "nothing was lost" in text(answer)
    assert everything() == before
    again = form(answer, "Add address")
    assert (again.fields()["kind"], again.fields()["value"]) == ([kind], [typed])
    assert form(answer, "Rename player").fields()["name"] == ["Ann"]
    assert "Swish 0701234567" in text(answer)
    assert again.fill({"kind": "text", "value": "Cash"}).press().status_code == 302


def test_a_missing_address_and_a_kind_that_is_none_are_refused(session: Session) -> None:
    fresh = form(page_of(host(session), named(session, "Ann")), "Add address")
    for changed, said in (
        ({"kind": "paypal", "value": ""}, "Enter an address"),
        ({"kind": "", "value": "Ann"}, "Choose a way to be paid."),
        ({"kind": None, "value": "Ann"}, "Choose a way to be paid."),
        ({"kind": "cheque", "value": "Ann"}, "Choose a way to be paid."),
    ):
        answer = fresh.forge(changed)
        assert answer.status_code == 422
        assert said in text(answer)
        (marked,) = html.fromstring(answer.content).xpath("//*[@aria-invalid='true']")
        assert marked.get("name") == ("kind" if changed["value"] else "value")
        assert form(answer, "Add address").fields()["value"] == [changed["value"]]
    assert not PayAddress.objects.exists()


def test_there_is_one_address_of_a_kind(session: Session) -> None:
    client, ann = host(session), named(session, "Ann")
    add(client, ann, "paypal", "Ann")
    assert add(client, ann, "paypal", "@Ann").status_code == 302
    answer = add(client, ann, "paypal", "Annabel")
    assert answer.status_code == 422
    assert "Ann already has an address for PayPal.me. Remove that one first." in text(answer)
    assert form(answer, "Add address").fields()["value"] == ["Annabel"]
    assert kept(ann) == {"paypal": "Ann"}


def test_a_form_of_a_player_who_was_merged_meanwhile_keeps_what_was_typed(session: Session) -> None:
    start("Anna Eve", club=session.club)
    anna, ann, client = named(session, "Anna"), named(session, "Ann"), host(session)
    late = form(page_of(client, anna), "Add address").fill({"kind": "iban", "value": IBAN})
    club.merge(anna, ann)
    answer = late.press()
    assert answer.status_code == 409
    again = form(answer, "Add address")
    assert (again.fields()["kind"], again.fields()["value"]) == (["iban"], [IBAN])
    assert not PayAddress.objects.exists()
    assert again.press().status_code == 302
    assert kept(ann) == {"iban": IBAN}


def test_a_merged_player_keeps_theirs_and_takes_what_they_lack(session: Session) -> None:
    act(ledger.close_session, session)
    start("Anna Bob", club=session.club)
    ann, anna = named(session, "Ann"), named(session, "Anna")
    club.add_pay_address(ann, "paypal", "Ann")
    club.add_pay_address(anna, "paypal", "Anna")
    club.add_pay_address(anna, "iban", IBAN)
    club.merge(anna, ann)
    assert kept(ann) == {"iban": IBAN, "paypal": "Ann"}
    assert PayAddress.objects.count() == 2


def test_an_archived_player_keeps_theirs_and_a_deleted_club_none(session: Session) -> None:
    ann = named(session, "Ann")
    club.add_pay_address(ann, "iban", IBAN)
    club.retire(ann)
    assert kept(ann) == {"iban": IBAN}
    assert IBAN in text(page_of(host(session), ann))
    club.erase(session.club)
    assert not PayAddress.objects.exists()


def test_the_file_of_a_club_has_no_addresses_and_says_so(session: Session) -> None:
    club.add_pay_address(named(session, "Ann"), "iban", IBAN)
    client, of = host(session), session.club.public_id
    exported = client.get(f"/c/{of}/export.json").getvalue()
    assert json.loads(exported)["players"]
    assert IBAN.encode() not in exported
    assert "how people like to be paid is left out" in text(client.get(f"/c/{of}/more/"))


def test_what_was_typed_is_shown_as_text(session: Session) -> None:
    client, ann = host(session), named(session, "Ann")
    add(client, ann, "text", "<b>cash</b> \u202e https://evil.example")
    shown = page_of(client, ann).content.decode()
    assert "&lt;b&gt;cash&lt;/b&gt; https://evil.example" in shown
    assert 'href="https://evil.example' not in shown
    assert "\u202e" not in shown
