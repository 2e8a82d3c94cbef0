"""Starting a session: names, button, stakes, house rules."""

from typing import Any

import pytest
from django.test import Client

from scoring.ledger.load import seats_of, table_of
from scoring.models import Session
from tests.pages import Form, form, labels

pytestmark = pytest.mark.django_db

EVENING = {
    "name-1": "Ann",
    "name-2": "Bob",
    "name-3": "Cat",
    "button": "3",
    "stake": "1.00",
    "currency": "EUR",
    "rules": "regular",
}


def evening(client: Client, page: str = "/new/", **typed: str) -> Form:
    """The form for a new session, filled in for Ann, Bob and Cat unless ``typed`` says otherwise."""
    return form(client.get(page), "Start game").fill({**EVENING, **typed})


def sit_down(client: Client, page: str = "/new/", **typed: str) -> Any:
    """Start the session of `evening`."""
    return evening(client, page, **typed).press("Start game")


def test_it_opens_a_session_and_goes_to_its_table(client: Client) -> None:
    response = sit_down(client, **{"pair-1-2": "10,00"})
    session = Session.objects.get()
    assert response.status_code == 302
    assert response["Location"] == f"/s/{session.public_id}/"
    table = table_of(session, seats_of(session))
    assert [chair.name for chair in table.chairs] == ["Ann", "Bob", "Cat"]
    assert (table.button, table.stake, dict(table.pair_stakes)) == (3, 100, {(1, 2): 1000})
    assert (session.currency, session.minor_digits) == ("EUR", 2)


def test_empty_lines_are_not_players(client: Client) -> None:
    larger = form(evening(client, **{"name-2": ""}).press("Add a seat"), "Start game")
    listed = form(larger.fill({"name-4": "Dan", "button": "4"}).press("Show names"), "Start game")
    listed.fill({"pair-1-4": "5"}).press("Start game")
    session = Session.objects.get()
    table = table_of(session, seats_of(session))
    assert [chair.name for chair in table.chairs] == ["Ann", "Cat", "Dan"]
    assert (table.button, dict(table.pair_stakes)) == (3, {(1, 3): 500})


def test_sent_twice_it_opens_one_session(client: Client) -> None:
    opened = evening(client)
    first, second = opened.press("Start game"), opened.press("Start game")
    assert first["Location"] == second["Location"]
    changed = opened.fill({"name-1": "Zoe"}).press("Start game")
    assert changed["Location"] == first["Location"]
    assert Session.objects.count() == 1


@pytest.mark.parametrize("preset", ["pineapple", "cardplayer", "double-deck"])
def test_house_rules_are_chosen_by_preset(client: Client, preset: str) -> None:
    sit_down(client, rules=preset)
    assert Session.objects.get().rules["preset"] == preset


@pytest.mark.parametrize(
    ("changed", "field", "message"),
    [
        ({"name-2": "aNN"}, "name-2-wrong", "aNN is already in seat 1."),
        ({"name-2": "B\u202eob"}, "name-2-wrong", "we can’t show"),
        ({"name-2": "B\u200dob"}, "name-2-wrong", "we can’t show"),
        ({"name-2": "علیرضا", "name-3": "علی\u200cرضا"}, "name-3-wrong", "is already in seat 2."),
        ({"name-2": "", "name-3": ""}, "name-2-wrong", "Enter at least two players."),
        ({"name-2": "", "button": "2"}, "name-2-wrong", "This seat has the button but no player."),
        ({"stake": "1,000"}, "stake-wrong", "no thousands separator"),
        ({"stake": ""}, "stake-wrong", "Enter a number"),
        ({"stake": "15,38", "currency": "JPY"}, "stake-wrong", "Use no decimals"),
        ({"pair-1-3": "-5"}, "pair-1-3-wrong", "Enter the number alone"),
    ],
)
def test_bad_input_is_refused_in_place_and_kept(
    client: Client, changed: dict[str, str], field: str, message: str
) -> None:
    assert_refused(evening(client).fill(changed).press("Start game"), changed, field, message)


@pytest.mark.parametrize(
    ("changed", "field", "message"),
    [
        ({"name-2": "x" * 41}, "name-2-wrong", "up to 40 characters"),
        ({"currency": "XXX"}, "stake-wrong", "Please choose one."),
        ({"rules": "poker"}, "House rules", "Please choose one."),
    ],
)
def test_what_the_page_does_not_offer_is_refused_in_place_and_kept(
    client: Client, changed: dict[str, str], field: str, message: str
) -> None:
    assert_refused(evening(client).forge({"start": "1", **changed}), changed, field, message)


def assert_refused(response: Any, changed: dict[str, str], field: str, message: str) -> None:
    page = response.content.decode()
    assert response.status_code == 422
    assert message in page[page.index(field) :]
    assert 'value="Ann"' in page
    assert not Session.objects.exists()
    right = {name: EVENING[name] for name in changed if name in EVENING} | {
        name: "" for name in changed if "pair" in name
    }
    assert form(response, "Start game").fill(right).press("Start game").status_code == 302


@pytest.mark.parametrize("name", ["علی\u200cرضا", "क्\u200dषमा", "\U0001f469\u200d\U0001f680", "山田\u3000太郎"])
def test_a_name_keeps_what_its_script_needs(client: Client, name: str) -> None:
    sit_down(client, **{"name-2": name})
    assert Session.objects.get().seats.get(number=2).name == " ".join(name.split())


def test_more_players_than_the_cards_suffice_for_are_refused(client: Client) -> None:
    opened = evening(client)
    for seat in range(4, 7):
        opened = form(opened.press("Add a seat"), "Start game").fill({f"name-{seat}": f"P{seat}"})
    response = opened.press("Start game")
    page = response.content.decode()
    assert response.status_code == 422
    assert "Max 4 players" in page[page.index("problems") :]
    assert form(response, "Start game").fill({"name-5": "", "name-6": ""}).press("Start game").status_code == 302


def test_the_button_that_nobody_moved_is_the_last_players(client: Client) -> None:
    """The form puts the button on the third line by default, but here only two players sit down."""
    response = form(client.get("/new/")).fill({"name-1": "Ann", "name-2": "Bob", "stake": "1"}).press("Start game")
    assert response.status_code == 302
    assert Session.objects.get().button == 2


def test_all_problems_are_told_at_once(client: Client) -> None:
    wrong = {"name-2": "ann", "stake": "x", "rules": "y", "start": "1"}
    page = evening(client).forge(wrong).content.decode()
    assert "Please fix 3 things" in page


def test_the_small_buttons_rearrange_and_store_nothing(client: Client) -> None:
    opened = evening(client, **{"pair-1-2": "7", "pair-1-3": "8"})
    more = form(opened.press("Add a seat"), "Start game")
    assert more.fields() == {
        **opened.fields(),
        "csrfmiddlewaretoken": more.fields()["csrfmiddlewaretoken"],
        "name-4": [""],
    }
    up = form(opened.press("Move seat 3 up"), "Start game").fields()
    assert (up["name-2"], up["name-3"], up["button"]) == (["Cat"], ["Bob"], ["2"])
    assert (up["pair-1-2"], up["pair-1-3"]) == (["8"], ["7"])
    assert "Ann and Cat" in opened.press("Show names").content.decode()
    assert not Session.objects.exists()


def test_eight_seats_are_the_most(client: Client) -> None:
    shown = client.get("/new/")
    for _ in range(5):
        shown = form(shown, "Start game").press("Add a seat")
    assert "Add a seat" not in labels(shown)
    assert "name-8" in form(shown).fields()
    assert "name-9" not in form(form(shown).forge({"more": "1"})).fields()


@pytest.mark.parametrize(
    "typed",
    [
        {f"name-{n}": f"{n}" + '"' * 7_000 for n in range(1, 9)},
        {"stake": '"' * 60_000},
        {f"pair-{n}-{m}": '"' * 2_000 for n in range(1, 9) for m in range(n + 1, 9)},
    ],
    ids=["names", "stake", "pairs"],
)
@pytest.mark.parametrize("button", [{"pairs": "1"}, {"up": "2"}, {}], ids=["pairs", "up", "start"])
def test_what_no_session_can_have_is_not_repeated_at_length(
    client: Client, typed: dict[str, str], button: dict[str, str]
) -> None:
    """The page names each player at the stake of each pair, and an answer waits in memory until it is received."""
    opened = evening(client)
    for _ in range(5):
        opened = form(opened.press("Add a seat"), "Start game")
    opened.fill({f"name-{n}": f"Player {n}" for n in range(1, 9)})
    answer = opened.forge(typed | button)
    assert answer.status_code in {200, 422}
    assert len(answer.content) < 200_000


def test_an_amount_that_is_cut_is_no_other_amount(client: Client) -> None:
    refused = sit_down(client, stake="0" * 200 + "1")
    assert refused.status_code == 422
    assert "Enter a number" in refused.content.decode()


def test_the_browser_finds_its_sessions_on_the_start_page(client: Client) -> None:
    assert "No games yet" in client.get("/").content.decode()
    address = sit_down(client)["Location"]
    assert f'href="{address}"' in client.get("/").content.decode()
    assert client.cookies["keys"]["httponly"]
    assert client.cookies["keys"]["samesite"] == "Lax"
    assert f'href="{address}"' not in Client().get("/").content.decode()


def test_a_forged_list_of_sessions_is_ignored(client: Client) -> None:
    address = sit_down(client)["Location"]
    forger = Client()
    day_and_ids = client.cookies["keys"].value.split(":")[0]
    forger.cookies["keys"] = f"{day_and_ids}:1abc:forged"
    page = forger.get("/")
    assert page.status_code == 200
    assert address not in page.content.decode()
