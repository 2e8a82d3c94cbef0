"""A phone chooses its language, and only it changes."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from tests.pages import form

pytestmark = pytest.mark.django_db

TWO = override_settings(LANGUAGES=[("en", "English"), ("fi", "Suomi")])


def choose(browser: Client, tag: str, came_from: str) -> tuple[int, str]:
    """Choose a language on the page; the status of the answer, and where it leads."""
    page = browser.get("/language/", {"next": came_from})
    response = form(page, action="/language/").forge({"language": tag})
    return response.status_code, response.headers.get("Location", "")


@TWO
def test_a_phone_keeps_its_language_and_goes_back(client: Client) -> None:
    assert choose(client, "fi", "/rules/?x=1") == (302, "/rules/?x=1")
    cookie = client.cookies["language"]
    assert cookie.value == "fi"
    assert cookie["httponly"]
    page = client.get("/rules/")
    assert page.headers["Content-Language"] == "fi"
    assert b'<html lang="fi">' in page.content


@TWO
def test_a_browser_is_asked_first_for_the_language_it_wants(client: Client) -> None:
    wants = {"accept-language": "tlh;q=0.9, fi;q=0.8, en;q=0.1"}
    assert b'<html lang="fi">' in client.get("/", headers=wants).content
    choose(client, "en", "/")
    assert b'<html lang="en">' in client.get("/", headers=wants).content


@pytest.mark.parametrize("tag", ["xx", "", "en'", "../fi", "fi" * 2_000])
def test_a_language_that_is_not_offered_is_refused(client: Client, tag: str) -> None:
    assert choose(client, tag, "/rules/") == (422, "")
    assert "language" not in client.cookies


@pytest.mark.parametrize(
    "came_from", ["https://elsewhere.example/", "//elsewhere.example/", "/language/", "javascript:x", ""]
)
def test_the_way_back_leads_to_a_page_of_ours(client: Client, came_from: str) -> None:
    assert choose(client, "en", came_from) == (302, "/")


@TWO
@pytest.mark.parametrize("cookie", ["xx", "fi;en", "\u0000", "fi" * 4_000, "en-x-" + "a" * 500])
def test_a_cookie_by_hand_breaks_nothing(client: Client, cookie: str) -> None:
    client.cookies["language"] = cookie
    assert b'<html lang="en">' in client.get("/").content


@TWO
def test_a_header_of_ten_kilobytes_breaks_nothing(client: Client) -> None:
    wants = ",".join(f"x{n};q=0.1" for n in range(1_000))
    assert b'<html lang="en">' in client.get("/", headers={"accept-language": wants}).content


@pytest.mark.parametrize(
    ("wants", "tag"),
    [
        ("fi;q=0", "en"),
        ("fi; Q=0.000", "en"),
        ("tlh, fi ; q=0.0 , de;q=0.1", "de"),
        ("de;q=0, *", "en"),
        ("fi;q=0.05", "fi"),
        ("fi, *;q=0", "fi"),
        ("", "en"),
    ],
)
def test_a_language_that_a_browser_refuses_is_not_given(client: Client, wants: str, tag: str) -> None:
    assert client.get("/", headers={"accept-language": wants})["Content-Language"] == tag


@pytest.mark.parametrize(
    ("wants", "tag"),
    [
        ("d_e, fi", "fi"),
        ("fi;q=2, de;q=0.5", "de"),
        (" fi", "fi"),
        ("<script>,,ru;q=.5, ja ;q=0.9", "ja"),
        (",".join(["?"] * 2_000), "en"),
    ],
)
def test_one_bad_language_does_not_discard_the_others(client: Client, wants: str, tag: str) -> None:
    assert client.get("/", headers={"accept-language": wants})["Content-Language"] == tag


@pytest.mark.parametrize(("cookie", "tag"), [("zh-TW", "zh-hant"), ("zh-HK", "zh-hant"), ("zh-CN", "zh-hans")])
def test_a_cookie_that_names_a_region_gives_what_is_written_there(client: Client, cookie: str, tag: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    assert client.get("/")["Content-Language"] == tag


def test_pages_lead_to_the_choice(client: Client) -> None:
    assert b"data-language" in client.get("/rules/").content


@TWO
def test_a_page_loads_the_words_of_its_scripts_in_its_language_alone(client: Client) -> None:
    finnish = client.get("/", headers={"accept-language": "fi"}).content.decode()
    english = client.get("/").content.decode()
    assert re.findall(r'src="[^"]*/words/([^"]*)"', finnish) == ["fi.js"]
    assert "/words/" not in english


@pytest.mark.parametrize("cookie", ["ZH-hAnS", "zh-HANS", "De"])
def test_a_language_is_one_however_a_cookie_spells_it(client: Client, cookie: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    answer = client.get(reverse("home"))
    assert answer["Content-Language"] == cookie.lower()
    assert f'<html lang="{cookie.lower()}"' in answer.content.decode()


@pytest.mark.parametrize("back", ["check/", "%2f%2fevil.example", "?x"])
def test_the_way_back_is_an_address_from_the_root(client: Client, back: str) -> None:
    page = client.get("/language/", {"next": "/check/"})
    answer = form(page, action="/language/").forge({"language": "fi", "next": back})
    assert answer["Location"] == reverse("home")


def test_only_a_page_says_in_which_language_it_is(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ru"
    assert client.get(reverse("verify"))["Content-Language"] == "ru"
    assert "Content-Language" not in client.get("/readyz")
