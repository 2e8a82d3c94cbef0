"""Below a path: which there may be, what the server makes of addresses with and without it, and its cookies."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from ofcscore import network
from ofcscore.pages import Message, Receive, Send
from ofcscore.prefix import OWN, below, checked
from scoring.management.commands.serve import EVERYWHERE
from scoring.management.commands.serve import Command as Serve
from tests.install.browser import Browser
from tests.pages import follow, form
from tests.servers import KEY, ROOT, prepare, serving


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ("", ""),
        ("/", ""),
        ("/ofc", "/ofc"),
        ("/ofc/", "/ofc"),
        ("/games/ofc-2", "/games/ofc-2"),
        ("/snooker", "/snooker"),
    ],
)
def test_a_prefix(given: str, prefix: str) -> None:
    assert checked(given) == prefix


@pytest.mark.parametrize(
    "given",
    [
        "ofc",
        "ofc/",
        "//",
        "//ofc",
        "/ofc//",
        "/a//b",
        "/..",
        "/a/../b",
        "/a b",
        "/a?b",
        "/a;b",
        "/ä",
        "/%6f",
        "/a\n",
        "/a\\b",
    ]
    + ["https://example.org/ofc", *(f"/{each}/below" for each in ("s", "static", "healthz"))],
)
def test_what_is_no_prefix_is_refused(given: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="URL_PREFIX"):
        checked(given)


def test_every_way_in_which_an_address_of_the_app_begins_is_known() -> None:
    def patterns(of: URLResolver, before: str = "") -> Iterator[str]:
        for each in of.url_patterns:
            route = before + str(each.pattern)
            if isinstance(each, URLPattern):
                yield route
            else:
                yield from patterns(each, route)

    first = {re.split(r"[/\\]", route.removeprefix("^"))[0] for route in patterns(get_resolver())}
    assert first - {""} | {"static"} == OWN


def passed_on(raw: str, query: str = "") -> tuple[Message | None, list[Message]]:
    """What reaches an app below ``/ofc`` of a request for this path, and what is answered in its place."""
    reached: list[Message] = []
    answered: list[Message] = []

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        reached.append(scope)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answered.append(message)

    scope = {"type": "http", "path": raw, "raw_path": raw.encode(), "query_string": query.encode()}
    asyncio.run(below("/ofc", app)(scope, receive, send))  # type: ignore[arg-type]  # a coroutine
    return (reached[0] if reached else None), answered


@pytest.mark.parametrize(
    ("raw", "path", "raw_path"),
    [
        ("/ofc/", "/", b"/"),
        ("/ofc/s/Ab_-1/live", "/s/Ab_-1/live", b"/s/Ab_-1/live"),
        ("/%6Ffc/c/%C3%A4%20%2F/", "/c/ä //", b"/c/%C3%A4%20//"),
        ("/ofc/ofc/", "/ofc/", b"/ofc/"),
    ],
)
def test_the_prefix_is_taken_away_once(raw: str, path: str, raw_path: bytes) -> None:
    reached, answered = passed_on(raw)
    assert reached is not None
    assert (reached["path"], reached["raw_path"]) == (path, raw_path)
    assert answered == []


@pytest.mark.parametrize("raw", ["/", "/healthz", "/ofcs/", "/s/ofc/"])
def test_what_comes_without_the_prefix_stays_as_it_is(raw: str) -> None:
    reached, answered = passed_on(raw)
    assert reached is not None
    assert (reached["path"], reached["raw_path"]) == (raw, raw.encode())
    assert answered == []


def test_the_prefix_itself_leads_to_the_start_page() -> None:
    reached, (head, body) = passed_on("/ofc", "a=1")
    assert reached is None
    assert head["status"] == 302
    assert dict(head["headers"])[b"location"] == b"/ofc/?a=1"
    assert body["body"] == b""


def test_without_a_prefix_nothing_comes_between() -> None:
    async def app(scope: Message, receive: Receive, send: Send) -> None: ...

    assert below("", app) is app


# --- The server -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("prefix")
    prepare(made)
    return made


@contextmanager
def served(data: Path, **environment: str) -> Iterator[Browser]:
    """A browser at a server below ``/ofc``."""
    with serving(DATA_DIR=str(data), SECRET_KEY=KEY, DEMO="0", URL_PREFIX="/ofc", **environment) as (_, port):
        yield Browser(port)


def manage(data: Path, *arguments: str, **environment: str) -> str:
    """What a command prints."""
    env = {"DATA_DIR": str(data), "SECRET_KEY": KEY, "URL_PREFIX": "/ofc", "PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_what_is_asked_without_the_prefix_is_answered_with_addresses_that_have_it(data: Path) -> None:
    """A proxy may take it away, and a monitor asks no proxy."""
    with served(data) as browser:
        assert browser.get("/healthz").text == browser.get("/ofc/healthz").text == "ok\n"
        page = browser.get("/new/")
        found = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
        assert len(found) > 10
        assert [each for each in found if not each.startswith("/ofc/")] == []
        table = form(page, "Start game").fill({"name-1": "Ann", "name-2": "Bob"}).press()
        (stream,) = re.findall(r'"/ofc(/s/[^"]+/live\?[^"]+)"', table.text)
        for prefix in ("", "/ofc"):
            with closing(browser.connection()) as connection:
                connection.request("GET", prefix + stream.replace("&amp;", "&"))
                with connection.getresponse() as answer:
                    assert answer.headers["Content-Type"].startswith("text/event-stream")


@pytest.mark.slow
def test_monitors_ask_without_tls_and_everything_else_is_sent_there(data: Path) -> None:
    with served(data, HTTPS="1", ALLOWED_HOSTS="ofc.example.org") as browser:
        for prefix in ("", "/ofc"):
            for address in ("healthz", "readyz"):
                assert browser.get(f"{prefix}/{address}").status_code == 200
        with closing(browser.connection()) as connection:
            connection.request("GET", "/ofc/rules/", headers={"Host": "ofc.example.org"})
            assert connection.getresponse().headers["Location"] == "https://ofc.example.org/ofc/rules/"


@pytest.mark.slow
def test_the_cookies_of_an_app_at_the_root_are_not_taken_for_ours(data: Path) -> None:
    """A browser sends those for a longer path first."""
    theirs = {"csrftoken": "t" * 32, "sessionid": "theirs", "keys": "theirs:signed:theirs", "device": "theirs"}
    with served(data) as browser:
        browser.cookies |= theirs
        table = form(browser.get("/ofc/new/"), "Start game").fill({"name-1": "Ann", "name-2": "Bob"}).press()
        assert table.status_code == 200  # the browser of this test has one cookie of each name, the last that came
        ours = [f"{name}={value}" for name, value in browser.cookies.items() if theirs.get(name) != value]
        both = "; ".join([*ours, *(f"{name}={value}" for name, value in theirs.items())])
        address = table.request["PATH_INFO"]
        for cookies, status in ((both, 200), ("; ".join(ours), 200), (both.replace("keys=", "no=", 1), 404)):
            with closing(browser.connection()) as connection:
                connection.request("GET", address, headers={"Cookie": cookies})
                assert connection.getresponse().status == status


@pytest.mark.slow
def test_the_operator_comes_in_below_the_prefix(data: Path) -> None:
    who = ["--username", "operator", "--email", ""]
    manage(data, "createsuperuser", "--noinput", *who, DJANGO_SUPERUSER_PASSWORD="pw")
    manage(data, "host_link")
    with served(data) as browser:
        page = form(browser.get("/ofc/admin/scoring/session/"), "Log in")
        page = page.fill({"username": "operator", "password": "pw"}).press()
        assert page.request["PATH_INFO"] == "/ofc/admin/scoring/session/"
        assert follow(page, "Home").request["PATH_INFO"] == "/ofc/admin/"
        assert browser.get("/ofc/admin/status/").status_code == 200
        refused = form(browser.get("/ofc/admin/scoring/link/"), "Go").press("Go")
        assert "Items must be selected" in refused.text  # a message that is kept until the next page
        cookies: list[Any] = [each for headers in browser.answers for each in headers.get_all("Set-Cookie", [])]
        assert {each.partition("=")[0] for each in cookies} == {"csrftoken-ofc", "sessionid-ofc"}
        assert [each for each in cookies if "; Path=/ofc/;" not in f"{each};"] == []


@pytest.mark.slow
def test_what_commands_and_the_api_say_has_the_prefix(data: Path) -> None:
    assert manage(data, "host_link").startswith("/ofc/l/")
    with served(data) as browser:
        assert browser.get("/ofc/api/v1/openapi.json").text.count('"/ofc/api/v1/score"') == 1
        assert "/ofc/api/v1/openapi.json" in browser.get("/ofc/api/v1/docs").text


def test_the_printed_addresses_have_the_prefix(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.URL_PREFIX = "/ofc"
    monkeypatch.setattr(network, "answering", lambda _: ["192.168.7.5"])
    assert [line.strip() for line in Serve()._addresses(EVERYWHERE, 8000) if "http" in line] == [
        "http://192.168.7.5:8000/ofc/ (local network)",
        "http://localhost:8000/ofc/ (this machine)",
    ]
    settings.HTTPS, settings.ALLOWED_HOSTS = True, ["localhost", "ofc.example.org"]
    assert Serve()._addresses(EVERYWHERE, 8000)[1:] == ["  https://ofc.example.org/ofc/"]
