"""What all tests share: the browsers, the check of a console, and hypothesis's settings."""

import os
import signal
import time
import unicodedata
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db.backends.sqlite3.introspection import DatabaseIntrospection
from django.test import Client
from django.utils import translation
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Playwright, WebError

from scoring.access import limits, links
from scoring.models import Club, Session
from tests import chromium
from tests.pages import form
from tests.servers import LiveServer

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
# A law that uses the database holds on both. PostgreSQL takes twice as long, and sees a quarter of the examples.
hypothesis.settings.register_profile(
    "ci", max_examples=200 if settings.ON_SQLITE else 50, deadline=None, derandomize=True, print_blob=True
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# Chromium logs every answer above 399 as an error, though these statuses are the app's ordinary refusals, and on a busy
# machine a picture is asked for again (503). htmx logs two errors for each request that it takes back, because a later
# one has overtaken it or somebody has left the page. It logs the first of them for a lost connection, too, but there it
# goes on to complain of that.
NO_COMPLAINTS = ("status of 409", "status of 422", "status of 503", "htmx:afterRequest", "htmx:sendAbort")

collect_ignore = ["test_on_postgresql.py" if settings.ON_SQLITE else "test_on_sqlite.py"]

BROWSER_TESTS, ENGINE_TESTS = (Path(__file__).parent / room for room in ("browser", "engines"))


def pytest_configure() -> None:
    """With ENGINES=all, a machine without one of the engines runs no test at all.

    A shell that runs the tests in the background lets them ignore Ctrl-C, and with them what they start and interrupt.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("ENGINES") == "all" and missing_engines():
        raise pytest.UsageError("; ".join(missing_engines()))


def pytest_itemcollected(item: pytest.Function) -> None:
    """Mark every test that drives a browser or uses the database, before pytest selects tests by their marks."""
    if drives_browser(item):
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.django_db(transaction=True))
    if item.get_closest_marker("django_db") or not {"db", "transactional_db"}.isdisjoint(item.fixturenames):
        item.add_marker(pytest.mark.database)
    if ENGINE_TESTS in item.path.parents:
        item.add_marker(pytest.mark.engines)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last, because of `playwright`. Each has as many tries as ``BROWSER_TRIES`` says."""
    items.sort(key=drives_browser)
    tries = int(os.environ.get("BROWSER_TRIES", "1"))
    for item in items:
        if drives_browser(item):
            item.add_marker(pytest.mark.flaky(reruns=tries - 1))


def drives_browser(item: pytest.Item) -> bool:
    return not {BROWSER_TESTS, ENGINE_TESTS}.isdisjoint(item.path.parents)


def missing_engines() -> list[str]:
    """A sentence for each engine that was not found."""
    from tests.engines.engines import ENGINES  # selenium takes a while to import, and most runs do without it

    return [
        f"{engine.name} was not found: apt-get install {engine.packages}" for engine in ENGINES if not engine.is_here
    ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines which engine the evening could not be driven in."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    if any(ENGINE_TESTS.name in getattr(report, "nodeid", "").split("/") for report in reports):
        for sentence in missing_engines():
            terminalreporter.write_line(sentence, yellow=True)


class HostsBrowser(Client):
    """A client that opens the host's link of every session that it requests."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.opened: set[str] = set()

    def generic(self, method: str, path: Any, *args: Any, **options: Any) -> Any:
        parts: list[str] = [*path.split("/"), "", ""]
        kind, public_id = parts[1:3]
        if kind == "s" and public_id not in self.opened:
            self.opened.add(public_id)
            for session in Session.objects.filter(public_id=public_id):
                asked = super().generic("GET", f"/l/{host_secret(session.club)}")
                if asked.status_code == 200:
                    form(asked, "Open link").press()
        return super().generic(method, path, *args, **options)


def host_secret(club: Club) -> str:
    """The secret of a host's link of this club, the same each time."""
    return links.issue(club=club, role=links.Role.HOST, key="host", name="host")[1]


def let_in(page: Page, base: str, *sessions: Session) -> None:
    """Open the host's links of these sessions in a browser. The page itself stays where it is."""
    for session in sessions:
        asked = page.request.get(f"{base}/l/{host_secret(session.club)}", headers={"Accept": "text/html"})
        if "/l/" in asked.url:  # it holds other links, so it is asked
            door = page.context.new_page()
            door.goto(asked.url)
            door.get_by_role("button", name="Open link").click()
            door.wait_for_url(lambda url: "/l/" not in url)
            door.close()


@pytest.fixture
def normalised(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all texts that were normalised, which takes time with the square of the length."""
    lengths: list[int] = []
    real = unicodedata.normalize

    def counted(form: Any, text: str) -> str:
        lengths.append(len(text))
        return real(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counted)
    return lengths


@pytest.fixture
def client() -> Client:
    """The host's browser. The tests in tests/access are about everybody else."""
    return HostsBrowser()


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Forget the requests that a process has counted towards its limits."""
    for limit in limits.ALL:
        limit.forget()


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the clock. Otherwise the window of a limit may end in the middle of a test, and the limit begin anew."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)


@pytest.fixture(autouse=True)
def default_language() -> None:
    """Forget the reader's language of the last request in this thread, which Django leaves behind."""
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def own_priority() -> Generator[None]:
    """No test may lower the priority of its process, or all tests after it would starve on a busy machine."""
    before = os.nice(0)
    yield
    assert os.nice(0) == before


@pytest.fixture(scope="session", autouse=True)
def tables_read_once() -> Generator[None]:
    """Let Django parse the text of each of SQLite's tables once for its constraints, which takes half a second for all.

    The audit asks for them whenever it looks at the whole database.
    """
    patch, name = pytest.MonkeyPatch(), "_parse_table_constraints"
    parse_once = cache(getattr(DatabaseIntrospection, name))

    def parsed(introspection: DatabaseIntrospection, text: str, columns: set[str]) -> Any:
        return parse_once(introspection, text, frozenset(columns))

    patch.setattr(DatabaseIntrospection, name, parsed)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def live_server() -> Generator[LiveServer]:
    """The production server in place of Django's, with streams."""
    server = LiveServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def playwright(playwright: Playwright) -> Generator[Playwright]:
    """Playwright leaves an event loop in the main thread from its first use to the end of the run.

    Django refuses database access in a thread with a running loop, which is right everywhere else. So this turns that
    check off from here on, and browser tests run after all others.
    """
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield playwright
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **chromium.options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """The smallest phone that we support."""
    return {
        **browser_context_args,
        "viewport": {"width": 360, "height": 640},
        "device_scale_factor": 2,
        "has_touch": True,
    }


@pytest.fixture
def context(context: BrowserContext) -> Generator[BrowserContext]:
    """A browser context that fails the test for any message on its console, from scripts or the content security
    policy.
    """
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not any(answer in message.text for answer in NO_COMPLAINTS):
            complaints.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def on_error(error: WebError) -> None:
        complaints.append(f"uncaught: {error.error}")

    context.on("console", on_console)
    context.on("weberror", on_error)
    yield context
    assert not complaints, "\n".join(complaints)
