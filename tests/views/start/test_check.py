"""The foul check: the address holds the whole question, and nothing is stored."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.models import Session
from tests.pages import Value, form, post_nothing

pytestmark = pytest.mark.django_db

IVEY = "Ivey:664/TT9Q8/33322"
HELLMUTH = "Hellmuth:AKQ/99554/KJ987f"


def text(client: Client, **query: str | list[str]) -> str:
    response = client.get("/check/", query)
    assert response.status_code == 200
    return response.content.decode()


def test_one_board_gets_its_verdict_in_words(client: Client) -> None:
    page = text(client, rules="regular", a="227/AA44J/89TJQ")
    assert "<h1>Legal</h1>" in page
    assert "outranks the middle, two pair, Aces and Fours (AA44J)" in page
    assert "Settlement" not in page


def test_a_foul_names_both_rows_and_what_decides(client: Client) -> None:
    page = text(client, a="227/KK339/QQ88J")
    assert "<h1>Foul</h1>" in page
    assert "The middle, two pair, Kings and Threes (KK339), outranks the back" in page
    assert '<a href="/rules/#R7">R7</a>' in page


def test_equal_rows_are_said_to_be_legal(client: Client) -> None:
    page = text(client, a="234/55K87/55K87")
    assert "<h1>Legal</h1>" in page
    assert "are equal" in page


def test_two_boards_are_settled(client: Client) -> None:
    page = text(client, rules="regular", a=IVEY, b=HELLMUTH)
    assert "<strong>Hellmuth</strong> pays <strong>Ivey</strong>" in page
    assert "Both boards are legal" in page


@pytest.mark.parametrize("boards", [{"a": IVEY, "b": HELLMUTH}, {"a": HELLMUTH, "b": IVEY}])
def test_the_working_of_a_pair_is_told_from_the_winners_side(client: Client, boards: dict[str, str]) -> None:
    lines = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text(client, rules="regular", **boards))
    assert lines == [("Rows to Ivey", "+1"), ("Royalties, 7 against 4", "+3"), ("Points", "+4")]


def test_the_rules_chosen_are_those_that_score(client: Client) -> None:
    # A straight flush in the back.
    assert "+15" in text(client, rules="regular", a="234/55678/9TJQKf")
    assert "+10" in text(client, rules="cardplayer", a="234/55678/9TJQKf")


def test_fantasyland_is_told_and_the_stay_rule_applies_in_it(client: Client) -> None:
    assert "with 14 cards" in text(client, rules="pineapple", a="QQ7/AA44J/89TJQ")
    assert "with 14 cards" not in text(client, rules="pineapple", a="QQ7/AA44J/89TJQ", fl="a")


def test_what_the_form_sends_becomes_the_address_to_send(client: Client) -> None:
    typed: dict[str, Value] = {
        "a-name": "Ivey",
        "a-front": "6h 6c 4d",
        "a-middle": "TT9Q8",
        "a-back": "33322",
        "fl": ["a"],
    }
    response = form(client.get("/check/?a=&b=")).fill(typed).press("Rule on it")
    assert response.status_code == 302
    assert response["Location"] == "/check/?rules=regular&a=Ivey:6h6c4d/TT9Q8/33322&b=&fl=a"
    assert client.get(response["Location"]).status_code == 200


def test_a_name_with_signs_of_the_address_survives_it(client: Client) -> None:
    name = "A/B: the & 100% ☺"
    typed = {"a-name": name, "a-front": "664", "a-middle": "TT9Q8", "a-back": "33322"}
    address = form(client.get("/check/")).fill(typed).press("Rule on it")["Location"]
    assert parse_qs(urlsplit(address).query)["a"] == [f"{name}:664/TT9Q8/33322"]
    assert "A/B: the &amp; 100% ☺" in text(client, **parse_qs(urlsplit(address).query))


def test_enter_in_a_row_asks_for_the_verdict(client: Client) -> None:
    typed: dict[str, Value] = {"a-front": "664", "a-middle": "TT9Q8", "a-back": "33322"}
    assert form(client.get("/check/")).fill(typed).press()["Location"].endswith("&a=664/TT9Q8/33322")


def test_another_board_can_be_added(client: Client) -> None:
    typed = {"a-front": "664", "a-middle": "TT9Q8", "a-back": "33322"}
    response = form(client.get("/check/")).fill(typed).press("Add a board")
    assert response["Location"].endswith("&b=")
    larger = form(client.get(response["Location"]))
    assert larger.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    assert larger.fields()["b-front"] == [""]


def test_problems_are_shown_at_their_rows_all_at_once_and_what_was_typed_is_kept(client: Client) -> None:
    query = {"a": "Qs Qh 7d/KK33/89TJQX", "b": "Qs 2h 2d/44556/77889"}
    response = client.get("/check/", query)
    page = response.content.decode()
    assert response.status_code == 422
    assert 'id="a-middle-wrong"' in page
    assert "here are 4 cards" in page
    assert 'id="a-back-wrong"' in page
    assert "“X” is not a card" in page
    assert "The queen of spades is also in Player A&#x27;s front." in page
    assert 'value="89TJQX"' in page


def test_what_cannot_be_an_address_is_kept_in_place(client: Client) -> None:
    typed: dict[str, Value] = {
        "a-front": "QQ7:",
        "a-middle": "AA/44J",
        "a-back": "89TJQ",
        "a-name": "Ivey",
        "fl": ["a"],
    }
    response = form(client.get("/check/")).fill(typed).press("Rule on it")
    assert response.status_code == 422
    shown = form(response)
    assert shown.fields().items() >= {**{name: [text] for name, text in typed.items()}, "fl": ["a"]}.items()
    right = shown.fill({"a-front": "QQ7", "a-middle": "AA44J"}).press("Rule on it")
    assert right["Location"].endswith("a=Ivey:QQ7/AA44J/89TJQ&fl=a")


def test_unknown_rules_are_refused(client: Client) -> None:
    response = client.get("/check/", {"rules": "poker", "a": "227/AA44J/89TJQ"})
    assert response.status_code == 422
    assert "There are no house rules called “poker”" in response.content.decode()


def test_too_many_boards_for_the_deck_are_refused(client: Client) -> None:
    boards = dict.fromkeys("abcd", "227/AA44J/89TJQ")
    response = client.get("/check/", {"rules": "pineapple", **boards})
    assert response.status_code == 422
    assert "at most 3" in response.content.decode()


def test_two_of_one_name_are_refused_at_the_name(client: Client) -> None:
    response = client.get("/check/", {"a": "Ivey:227/AA44J/89TJQ", "b": "Ivey:338/KK556/66778"})
    assert response.status_code == 422
    assert 'id="b-wrong"' in response.content.decode()


def test_hostile_text_is_shown_as_text(client: Client) -> None:
    page = client.get("/check/", {"a": "<script>alert(1)</script>:<b>/QQ7/x"}).content.decode()
    assert "<script>alert" not in page
    assert "<b>/" not in page


def test_rows_are_named_as_they_fill(client: Client) -> None:
    asked = {"rules": "regular", "only": "b", "a-front": "22", "b-front": "QQ7", "b-middle": "AA4"}
    named = client.get("/check/named/", asked).content.decode()  # as a script asks
    assert "innerHTML:#b-front-named" in named
    assert "Pair of Queens" in named
    assert "3 of 5" in named
    assert "a-front" not in named


@pytest.mark.parametrize("path", ["/check/", "/check/named/"])
def test_it_refuses_a_post(client: Client, path: str) -> None:
    assert post_nothing(client, path).status_code == 405


def test_nothing_is_stored(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        text(client, rules="regular", a=IVEY, b=HELLMUTH)
    assert not Session.objects.exists()


def test_what_is_told_once_counts_once(client: Client) -> None:
    page = client.get("/check/?a=AhAhAh/AhAhAhAhAh/x").content.decode()
    told = page.count('<p class="error">')
    assert f"<h2>{told} things do not fit</h2>" in page
