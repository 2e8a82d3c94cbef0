"""What all tests share: the browser, the strictness about its console, how long hypothesis looks."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Playwright, WebError

from scoring.access import limits, links
from scoring.models import Club, Session
from tests import chromium
from tests.servers import LiveServer

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# Chromium reports every answer above 399 as an error; these two are how the app says "not like this".
ANSWERS_BY_DESIGN = ("status of 409", "status of 422")

BROWSER_TESTS = Path(__file__).parent / "browser"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whatever lies under tests/browser drives a browser; marked here, before anything is chosen by its mark."""
    if drives_browser(item):
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What drives a browser comes last: see `playwright`."""
    items.sort(key=drives_browser)


def drives_browser(item: pytest.Item) -> bool:
    return BROWSER_TESTS in item.path.parents


class HostsBrowser(Client):
    """A browser that has opened the host's link of every session that it goes to."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.opened: set[str] = set()

    def generic(self, method: str, path: Any, *args: Any, **options: Any) -> Any:
        parts: list[str] = [*path.split("/"), "", ""]
        kind, public_id = parts[1:3]
        if kind == "s" and public_id not in self.opened:
            self.opened.add(public_id)
            for session in Session.objects.filter(public_id=public_id):
                super().generic("GET", f"/l/{host_secret(session.club)}")
        return super().generic(method, path, *args, **options)


def host_secret(club: Club) -> str:
    """The secret of a link that runs the club; the same one each time."""
    return links.issue(club=club, role=links.Role.HOST, key="host", name="host")[1]


def let_in(page: Page, base: str, *sessions: Session) -> None:
    """Let a browser come in by the host's links of these sessions; its own page stays where it is."""
    for session in sessions:
        page.request.get(f"{base}/l/{host_secret(session.club)}")


@pytest.fixture
def client() -> Client:
    """The host's browser. Who else may do what is asked in tests/access."""
    return HostsBrowser()


@pytest.fixture(autouse=True)
def nobody_has_asked_yet() -> None:
    """What a process remembers of who has used up his limit, as at its start."""
    for limit in limits.ALL:
        limit.forget()


@pytest.fixture(scope="session")
def live_server() -> Generator[LiveServer]:
    """The server that people use, streams and all, in the place of Django's."""
    server = LiveServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def playwright(playwright: Playwright) -> Generator[Playwright]:
    """Playwright's event loop stays in the main thread from its first use to the end of the run.

    Django's guard against the database in such a thread is right everywhere else, so it is off
    from here on, and browser tests run after all others.
    """
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield playwright
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **chromium.options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """The smallest phone we promise to serve."""
    return {
        **browser_context_args,
        "viewport": {"width": 360, "height": 640},
        "device_scale_factor": 2,
        "has_touch": True,
    }


@pytest.fixture
def context(context: BrowserContext) -> Generator[BrowserContext]:
    """A browser context whose every complaint, of script or of the content policy, fails the test."""
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not any(answer in message.text for answer in ANSWERS_BY_DESIGN):
            complaints.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def on_error(error: WebError) -> None:
        complaints.append(f"uncaught: {error.error}")

    context.on("console", on_console)
    context.on("weberror", on_error)
    yield context
    assert not complaints, "\n".join(complaints)
