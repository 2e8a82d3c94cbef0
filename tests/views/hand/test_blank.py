"""The blank pad that a phone keeps: names and seats, and nothing that anybody has entered or won."""

import re

import pytest
from django.test import Client

from scoring.game.entry import Rows
from scoring.models import Session
from tests.drafts.conftest import Phone
from tests.ledger.conftest import settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Two hands in, and Bob's cards of the third are entered."""
    session = start()
    settle(session)
    settle(session)
    Phone(session).send(2, Rows("AAK", "QQ885", "777T9"))
    return session


def blank(client: Client, session: Session) -> str:
    page = client.get(f"/s/{session.public_id}/hand/blank/")
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    return str(page.text)


def test_it_is_the_pad_of_the_next_hand_with_its_names_in_order_of_play(client: Client, session: Session) -> None:
    page, real = blank(client, session), client.get(f"/s/{session.public_id}/hand/").text
    for name in (r'data-name="(\w+)"', r'data-hand="([^"]+)"', r"(D</\w+>)", r'name="seats" value="([\d,]+)"'):
        assert re.findall(name, page) == re.findall(name, real)
    assert re.search(r"<form[^>]* data-kept[ >]", page)
    assert "data-kept" not in real


def test_it_has_nobodys_cards_and_no_money(client: Client, session: Session) -> None:
    page = blank(client, session)
    assert "QQ885" in client.get(f"/s/{session.public_id}/hand/").text
    assert [each for each in ("QQ885", "EUR", "Done ✓", "a point") if each in page] == []


def test_what_is_entered_on_it_is_previewed_like_any_hand(client: Client, session: Session) -> None:
    asked = client.get(f"/s/{session.public_id}/hand/blank/")
    dead = {f"p{seat}-ruling": "dead" for seat in (1, 3)} | {
        f"p2-{row}": text for row, text in (("front", "QQ7"), ("middle", "AA44J"), ("back", "89TJQ"))
    }
    shown = form(asked, "Show the settlement").fill(dead).press()
    assert "Preview" in shown.text
    settled = form(shown, "Settle hand 3").press()
    assert settled.url == f"/s/{session.public_id}/hands/3/"


def test_it_has_a_token_also_where_no_hand_can_be_dealt(client: Client, session: Session) -> None:
    form(client.get(f"/s/{session.public_id}/close/"), "Close session").press()
    page = blank(client, session)
    assert "This session is closed" in page
    assert re.search(r'<meta name="token" content="\w+">', page)
