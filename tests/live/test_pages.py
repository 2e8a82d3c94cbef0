"""The attributes by which pages follow a session, and the answers to their polling."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring import ledger, live
from scoring.actions.people import SitOut
from scoring.actions.set_next import SetNext
from scoring.models import Session
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, act, entry, settle, start
from tests.pages import post_nothing


@pytest.fixture
def session(db: None) -> Session:
    """Ann, Bob and Cat at 1.00 a point."""
    return start()


def at(session: Session, place: str = "") -> str:
    return f"/s/{session.public_id}/{place}"


# --- Pages that follow ------------------------------------------------------------------------------------------------


def place(client: Client, session: Session, page: str) -> dict[str, str]:
    """The attributes of the element that tells `live.js` where and how to follow."""
    html = client.get(at(session, page)).content.decode()
    [found] = re.findall(r'<div [^>]*id="live"[^>]*>', html)
    return dict(re.findall(r'data-([a-z]+)(?:="([^"]*)")?', found))


@pytest.mark.parametrize("page", ["", "ledger/", "hands/1/", "rules/", "screen/"])
def test_a_page_without_a_form_is_brought_up_to_date_as_it_stands(client: Client, session: Session, page: str) -> None:
    settle(session)
    found = place(client, session, page)
    assert "swap" in found
    assert (found["version"], found["check"]) == ("2", at(session, "version"))
    address, token = found["stream"].split("?token=")
    assert address == at(session, "live")
    assert live.admitted(session.public_id, token.replace("%3A", ":")) is not None


@pytest.mark.parametrize("page", ["hand/", "next/", "hands/1/correct/", "hands/1/void/"])
def test_a_page_with_a_form_is_only_notified(client: Client, session: Session, page: str) -> None:
    settle(session)
    assert "swap" not in place(client, session, page)


# --- Polling ---------------------------------------------------------------------------------------------------------


def ask(client: Client, session: Session, after: str) -> tuple[int, dict[str, Any]]:
    response = client.get(at(session, "version"), {"after": after})
    assert "no-store" in response.headers["Cache-Control"]
    return response.status_code, response.json() if response.status_code == 200 else {}


def test_nothing_new_is_no_content(client: Client, session: Session) -> None:
    assert ask(client, session, "1") == (204, {})
    assert ask(client, session, "7") == (204, {})


@pytest.mark.parametrize("after", ["0", "", "x", "-1", "1.5", "9" * 40, "²"])
def test_a_request_without_a_version_is_told_the_current_one(client: Client, session: Session, after: str) -> None:
    settle(session)
    status, answer = ask(client, session, after)
    assert (status, answer["version"]) == (200, 2)


def test_the_answer_says_what_happened_and_where_to_see_it(client: Client, session: Session) -> None:
    settle(session)
    status, answer = ask(client, session, "1")
    assert status == 200
    assert live.admitted(session.public_id, answer.pop("stream").partition("token=")[2].replace("%3A", ":")) is not None
    assert answer == {
        "version": 2,
        "news": "Hand 1 was settled on another phone.",
        "label": "See hand 1",
        "href": at(session, "hands/1/"),
    }


def test_a_settled_hand_comes_before_other_news(client: Client, session: Session) -> None:
    settle(session)
    act(SetNext, session, button=2, note="they dealt")
    assert ask(client, session, "1")[1]["news"] == "Hand 1 was settled on another phone."
    answer = ask(client, session, "2")[1]
    assert (answer["news"], answer["href"]) == ("Updated on another phone.", at(session))


def test_what_a_form_of_the_page_did_is_no_news_from_another_phone(client: Client, session: Session) -> None:
    settle(session, key="mine")
    act(SetNext, session, button=2, note="they dealt", key="mine, too")
    settle(session, key="theirs")
    for after, keys, news in (
        (1, ["mine"], "Hand 1 was settled on this phone."),
        (2, ["mine", "mine, too"], "Updated on this phone."),
        (1, ["nobody's"], "Hand 2 was settled on another phone."),
    ):
        answer = client.get(at(session, "version"), {"after": str(after), "key": keys})
        assert answer.json()["news"] == news


@pytest.mark.parametrize(
    ("do", "terms", "news"),
    [
        (ledger.void_deal, {"number": 1}, "Hand 1 was voided on another phone."),
        (
            ledger.correct_deal,
            {"number": 1, "entry": entry(s1=PLAIN, s2=STRONG, s3=FOUL)},
            "Hand 1 was corrected on another phone.",
        ),
        (ledger.undo, {}, "Updated on another phone."),
        (SitOut, {"seat": 1}, "Updated on another phone."),
        (ledger.dispute, {"number": 1, "note": "wrong"}, "Updated on another phone."),
    ],
)
def test_every_action_is_news(
    client: Client, session: Session, do: object, terms: dict[str, object], news: str
) -> None:
    settle(session)
    act(do, session, **terms)
    assert ask(client, session, "2")[1]["news"] == news


def test_a_restored_hand_is_news(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1)
    act(ledger.restore_deal, session, number=1)
    assert ask(client, session, "3")[1]["news"] == "Hand 1 was restored on another phone."


def test_a_closed_session_is_reported_once_and_then_ends_polling(client: Client, session: Session) -> None:
    act(ledger.close_session, session)
    assert ask(client, session, "1")[0] == 200
    assert ask(client, session, "2") == (286, {})
    act(ledger.reopen_session, session)
    assert ask(client, session, "2")[0] == 200


def test_polling_without_news_needs_only_the_gates_queries(
    client: Client, session: Session, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(at(session))
    with django_assert_max_num_queries(2):
        ask(client, session, "1")


@pytest.mark.parametrize("page", ["version", "screen/"])
def test_only_reading(client: Client, session: Session, page: str) -> None:
    assert post_nothing(client, at(session, page)).status_code == 405
    assert client.get(f"/s/nobody/{page}").status_code == 404


# --- The big screen ---------------------------------------------------------------------------------------------------


def text(client: Client, session: Session) -> str:
    html = client.get(at(session, "screen/")).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", html.partition("<main")[2]).split())


def test_the_screen_before_the_first_hand(client: Client, session: Session) -> None:
    shown = text(client, session)
    assert "Hand 1" in shown
    assert "No hands yet" in shown


def test_the_screen_shows_seats_from_under_the_gun_fantasyland_totals_and_the_last_settlement(
    client: Client, session: Session
) -> None:
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    shown = text(client, session)
    seats = shown[shown.index("Hand 3") :]
    assert re.search(r"1 Cat .*2 Ann .*Fantasyland 13 .*3 Bob .*has the button", seats), seats
    assert "Hand 2 settled" in shown
    assert "Cat pays Ann" in shown
    assert "Cat fouled." in shown


def test_the_screen_passes_over_a_hand_that_counts_for_nothing(client: Client, session: Session) -> None:
    settle(session)
    settle(session, LEVEL)
    act(ledger.void_deal, session, number=2)
    assert "Hand 1 settled" in text(client, session)
