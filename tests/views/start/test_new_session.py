"""Starting a session: names, button, stakes, house rules."""

import pytest
from django.test import Client

from scoring.ledger.load import seats_of, table_of
from scoring.models import Session

pytestmark = pytest.mark.django_db

FORM = {
    "key": "once",
    "name-1": "Ann",
    "name-2": "Bob",
    "name-3": "Cat",
    "button": "3",
    "stake": "1.00",
    "currency": "EUR",
    "rules": "regular",
    "start": "1",
}


def test_it_opens_a_session_and_goes_to_its_table(client: Client) -> None:
    response = client.post("/new/", {**FORM, "pair-1-2": "10,00"})
    session = Session.objects.get()
    assert response.status_code == 302
    assert response["Location"] == f"/s/{session.public_id}/"
    table = table_of(session, seats_of(session))
    assert [chair.name for chair in table.chairs] == ["Ann", "Bob", "Cat"]
    assert (table.button, table.stake, dict(table.pair_stakes)) == (3, 100, {(1, 2): 1000})
    assert (session.currency, session.minor_digits) == ("EUR", 2)


def test_lines_left_empty_are_nobody(client: Client) -> None:
    client.post("/new/", {**FORM, "name-2": "", "name-4": "Dan", "button": "4", "pair-1-4": "5", "pair-1-2": "7"})
    session = Session.objects.get()
    table = table_of(session, seats_of(session))
    assert [chair.name for chair in table.chairs] == ["Ann", "Cat", "Dan"]
    assert (table.button, dict(table.pair_stakes)) == (3, {(1, 3): 500})


def test_sent_twice_it_opens_one_session(client: Client) -> None:
    first, second = client.post("/new/", FORM), client.post("/new/", FORM)
    assert first["Location"] == second["Location"]
    changed = client.post("/new/", {**FORM, "name-1": "Zoe"})
    assert changed["Location"] == first["Location"]
    assert Session.objects.count() == 1


@pytest.mark.parametrize("preset", ["pineapple", "cardplayer", "double-deck"])
def test_house_rules_are_chosen_by_preset(client: Client, preset: str) -> None:
    client.post("/new/", {**FORM, "rules": preset})
    assert Session.objects.get().rules["preset"] == preset


@pytest.mark.parametrize(
    ("changed", "field", "message"),
    [
        ({"name-2": "aNN"}, "name-2-wrong", "aNN already sits in line 1."),
        ({"name-2": "x" * 41}, "name-2-wrong", "at most 40 letters"),
        ({"name-2": "B\u202eob"}, "name-2-wrong", "cannot be shown"),
        ({"name-2": "", "name-3": ""}, "name-2-wrong", "It takes two to play."),
        ({"name-2": "", "button": "2"}, "name-2-wrong", "The button is here, but nobody sits here."),
        ({"stake": "1,000"}, "stake-wrong", "never part thousands"),
        ({"stake": ""}, "stake-wrong", "Write an amount"),
        ({"stake": "15,38", "currency": "JPY"}, "stake-wrong", "no decimals"),
        ({"currency": "XXX"}, "stake-wrong", "Choose one of these."),
        ({"pair-1-3": "-5"}, "pair-1-3-wrong", "Write an amount"),
        ({"rules": "poker"}, "House rules", "Choose one of these."),
        ({f"name-{n}": f"P{n}" for n in range(1, 7)}, "problems", "The cards suffice for 4 players"),
    ],
)
def test_bad_input_is_refused_in_place_and_kept(
    client: Client, changed: dict[str, str], field: str, message: str
) -> None:
    response = client.post("/new/", {**FORM, **changed})
    page = response.content.decode()
    assert response.status_code == 422
    assert message in page[page.index(field) :]
    assert 'value="Ann"' in page or "name-1" in changed
    assert not Session.objects.exists()


def test_the_button_that_nobody_moved_is_the_last_players(client: Client) -> None:
    """The form puts the button on the third line by default, but here only two players sit down."""
    form = {name: value for name, value in FORM.items() if not name.startswith("pair")}
    response = client.post("/new/", {**form, "name-3": "", "button": "3"})
    assert response.status_code == 302
    assert Session.objects.get().button == 2


def test_all_problems_are_told_at_once(client: Client) -> None:
    page = client.post("/new/", {**FORM, "name-2": "ann", "stake": "x", "rules": "y"}).content.decode()
    assert "3 things do not fit" in page


def test_the_small_buttons_rearrange_and_store_nothing(client: Client) -> None:
    more = client.post("/new/", {**FORM, "more": "1"}).content.decode()
    assert 'id="name-4"' in more
    up = client.post("/new/", {**FORM, "up": "3", "pair-1-2": "7", "pair-1-3": "8"}).content.decode()
    assert up.index('value="Cat"') < up.index('value="Bob"')
    assert 'name="button" value="2" checked' in up
    assert up.index('name="pair-1-2" value="8"') < up.index('name="pair-1-3" value="7"')
    pairs = client.post("/new/", {**FORM, "pairs": "1"}).content.decode()
    assert "Ann and Cat" in pairs
    assert not Session.objects.exists()


def test_eight_seats_are_the_most(client: Client) -> None:
    lines = {f"name-{n}": f"P{n}" for n in range(1, 9)}
    page = client.post("/new/", {**FORM, **lines, "more": "1"}).content.decode()
    assert 'id="name-9"' not in page
    assert "Add a seat" not in page


def test_the_browser_finds_its_sessions_on_the_start_page(client: Client) -> None:
    assert "No session yet" in client.get("/").content.decode()
    address = client.post("/new/", FORM)["Location"]
    assert f'href="{address}"' in client.get("/").content.decode()
    assert client.cookies["keys"]["httponly"]
    assert client.cookies["keys"]["samesite"] == "Lax"
    assert f'href="{address}"' not in Client().get("/").content.decode()


def test_a_forged_list_of_sessions_is_none(client: Client) -> None:
    address = client.post("/new/", FORM)["Location"]
    forger = Client()
    day_and_ids = client.cookies["keys"].value.split(":")[0]
    forger.cookies["keys"] = f"{day_and_ids}:1abc:forged"
    page = forger.get("/")
    assert page.status_code == 200
    assert address not in page.content.decode()
