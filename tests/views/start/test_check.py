"""The foul check: the address holds the whole question, and nothing is stored."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries

from scoring.access import limits
from scoring.models import Session
from scoring.views.start.check import _drawn
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
    assert "Who pays whom" not in page
    assert 'Rules: <a href="/rules/regular/">Regular</a>. Nothing is saved.' in page


def test_a_foul_names_both_rows_and_what_decides(client: Client) -> None:
    page = text(client, a="227/KK339/QQ88J")
    assert "<h1>Foul</h1>" in page
    assert "<b>Foul.</b>" not in page  # the heading says it
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
    assert lines == [("Rows won", "+1"), ("Royalties 7 – 4", "+3"), ("Points", "+4")]


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
    response = form(client.get("/check/?a=&b=")).fill(typed).press("Check")
    assert response.status_code == 302
    assert response["Location"] == "/check/?rules=regular&a=Ivey:6h6c4d/TT9Q8/33322&b=&fl=a"
    assert client.get(response["Location"]).status_code == 200


def test_a_name_with_signs_of_the_address_survives_it(client: Client) -> None:
    name = "A/B: the & 100% ☺"
    typed = {"a-name": name, "a-front": "664", "a-middle": "TT9Q8", "a-back": "33322"}
    address = form(client.get("/check/")).fill(typed).press("Check")["Location"]
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
    query = {"a": "Qs Qh 7d/KK3399/89TJQX", "b": "Qs 2h 2d/44556/77889"}
    response = client.get("/check/", query)
    page = response.content.decode()
    assert response.status_code == 422
    assert 'id="a-middle-wrong"' in page
    assert "here are 6 cards" in page
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
    response = form(client.get("/check/")).fill(typed).press("Check")
    assert response.status_code == 422
    shown = form(response)
    assert shown.fields().items() >= {**{name: [text] for name, text in typed.items()}, "fl": ["a"]}.items()
    right = shown.fill({"a-front": "QQ7", "a-middle": "AA44J"}).press("Check")
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
    assert "a-front-named" not in named


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
    assert f"<h2>Please fix {told} things</h2>" in page


DISPUTE = "AAQ/66KT9/"


def test_a_foul_is_called_before_the_board_is_whole(client: Client) -> None:
    page = text(client, a=DISPUTE)
    assert "<h1>Foul</h1>" in page
    assert "The front, a pair of Aces (AAQ), outranks the middle, a pair of Sixes (66KT9): Aces beat Sixes" in page
    assert "Back not entered. Royalties can’t be counted." in page
    assert "Who pays whom" not in page


def test_a_board_that_is_legal_so_far_says_what_the_missing_row_needs(client: Client) -> None:
    page = text(client, a="Q74/66KT9/KK")
    assert "<h1>Legal so far</h1>" in page
    assert "The back needs at least a pair of Kings with a Four (KK432)" in page
    assert "Back lacks 3 cards. Royalties can’t be counted." in page


def test_one_row_says_what_its_neighbours_need_and_less_than_that_asks_for_more(client: Client) -> None:
    page = text(client, a="/66KT9/")
    assert "The front can be at most a pair of Sixes with a King (66K)" in page
    assert "Front not entered. Back not entered. Royalties can’t be counted." in page
    assert "Enter one row in full, and this says what the others need." in text(client, a="//66")


def test_several_boards_are_ruled_on_one_by_one_until_all_are_whole(client: Client) -> None:
    page = text(client, a=f"Ann:{DISPUTE}", b="Bob:227/KK3/")
    assert "<h1>Ann fouled</h1>" in page
    assert "Who pays whom" not in page
    assert "<h1>Both boards are legal so far</h1>" in text(client, a="Q74//", b="/55KT9/")


def test_a_card_that_lies_twice_is_refused_also_while_cards_are_missing(client: Client) -> None:
    response = client.get("/check/", {"a": "AhAdQs/Ah6h6d/"})
    assert response.status_code == 422
    assert "The ace of hearts is also in Player A&#x27;s front." in response.content.decode()


def test_an_error_goes_as_soon_as_no_row_has_it_any_more(client: Client) -> None:
    asked = {"rules": "regular", "only": "a", "a-front": "Qs Qh 7d", "a-middle": "Qs", "a-back": "89TJQX"}
    named = client.get("/check/named/", asked).content.decode()  # as a script asks
    assert "#a-front-wrong" in named
    assert "#a-middle-wrong" not in named
    assert "#a-back-wrong" not in named
    mended = client.get("/check/named/", {**asked, "a-front": "Qd Qh 7d", "a-back": "89TJQ"}).content.decode()
    for place in ("a-front-wrong", "a-middle-wrong", "a-back-wrong", "check-problems"):
        assert f'<div hx-swap-oob="innerHTML:#{place}"></div>' in mended


def test_the_cards_can_be_changed_after_the_verdict(client: Client) -> None:
    page = client.get("/check/", {"rules": "regular", "a": DISPUTE})
    assert "<form" not in page.content.decode()
    changed = form(client.get(f"/check/?rules=regular&a={DISPUTE}&edit=1")).fill({"a-back": "AAKK2"}).press("Check")
    assert changed["Location"] == "/check/?rules=regular&a=AAQ/66KT9/AAKK2"


# --- What chats show --------------------------------------------------------------------------------------------------


def shown_by_chats(client: Client, **query: str) -> dict[str, str]:
    return dict(re.findall(r'property="og:([\w:]+)" content="([^"]*)"', text(client, **query)))


def test_a_link_carries_its_verdict_and_a_picture(client: Client) -> None:
    shown = shown_by_chats(client, rules="regular", a=DISPUTE)
    assert shown["title"] == "Foul"
    assert shown["description"] == (
        "Foul. The front, a pair of Aces (AAQ), outranks the middle, a pair of Sixes (66KT9): Aces beat Sixes (R9)."
    )
    assert shown["image"] == "http://testserver/check/picture.png?rules=regular&amp;a=AAQ/66KT9/"
    assert f'data-said="{shown["description"]}"' in text(client, rules="regular", a=DISPUTE)
    assert shown_by_chats(client)["image"].startswith("http://testserver/static/icon-512")


def test_two_boards_are_described_by_who_pays(client: Client) -> None:
    shown = shown_by_chats(client, rules="regular", a=IVEY, b=HELLMUTH)
    assert shown["description"] == "Both boards are legal. Hellmuth pays Ivey 4 points."


def test_a_picture_names_nobody(client: Client) -> None:
    address = shown_by_chats(client, rules="regular", a=IVEY, b=HELLMUTH)["image"]
    assert parse_qs(urlsplit(address.replace("&amp;", "&")).query) == {
        "rules": ["regular"],
        "a": ["664/TT9Q8/33322"],
        "b": ["AKQ/99554/KJ987f"],
    }


def test_the_picture_is_a_small_image_that_never_changes(client: Client) -> None:
    response = client.get("/check/picture.png", {"rules": "regular", "a": DISPUTE})
    assert response["Content-Type"] == "image/png"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(response.content[at : at + 4]) for at in (16, 20))
    assert (width, height) == (800, 420)
    assert len(response.content) < 100_000


def test_a_picture_is_drawn_once_whoever_is_named(client: Client) -> None:
    _drawn.cache_clear()
    for name in ("", "Ivey:", "Hellmuth:"):
        assert client.get("/check/picture.png", {"a": f"{name}664/TT9Q8/33322"}).status_code == 200
    assert _drawn.cache_info().misses == 1


@pytest.mark.parametrize(
    "query",
    [{}, {"a": ""}, {"a": "AAQ/XX/"}, {"a": "AAQ", "rules": "poker"}, {"a": "AhAhQ//"}, {"a": "A" * 1000}],
    ids=str,
)
def test_what_is_no_question_has_no_picture(client: Client, query: dict[str, str]) -> None:
    assert client.get("/check/picture.png", query).status_code == 404


@pytest.mark.usefixtures("stopped_clock")
@override_settings(PICTURES_PER_MINUTE=2)
def test_nobody_has_more_pictures_drawn_than_the_limit(client: Client) -> None:
    limits.checked_pictures.forget()
    found = [client.get("/check/picture.png", {"a": f"{rank}{rank}Q/66KT9/"}).status_code for rank in "23A"]
    assert found == [200, 200, 429]
    assert limits.pictures.allows("127.0.0.1"), "those of sessions have a limit of their own"
