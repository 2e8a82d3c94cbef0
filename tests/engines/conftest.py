"""Phones with each engine, each on a connection of its own that a test can cut."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from ofcscore import network
from tests.engines.connection import Connection
from tests.engines.engines import ENGINES, PHONE, Engine, Size
from tests.engines.phone import Phone
from tests.servers import LiveServer

Opens = Callable[..., Phone]
"""Gives another phone, or another screen of the given size, that knows nothing of this server."""


@pytest.fixture(scope="session", params=ENGINES, ids=[engine.name for engine in ENGINES])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.param
    if not found.is_here:
        pytest.skip(f"{found.name} was not found: apt-get install {found.packages}")
    return found


@pytest.fixture(scope="session")
def browsers(engine: Engine) -> Iterator[Callable[[Size, int], WebDriver]]:
    """The browsers of this engine by size and number. Each starts when a test first wants it, which takes seconds."""
    started: dict[tuple[Size, int], WebDriver] = {}
    with ExitStack() as running:

        def browser(size: Size, number: int) -> WebDriver:
            if (size, number) not in started:
                started[size, number] = running.enter_context(engine.browser(size))
            return started[size, number]

        yield browser


HOSTS = ("localhost", "127.0.0.1")
"""The host's phone comes by the first of these names. Links lead other phones to the second."""


@pytest.fixture
def opens(
    engine: Engine,
    browsers: Callable[[Size, int], WebDriver],
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Opens]:
    # The one address at which the tests' server listens stands for that by which a local network reaches it.
    monkeypatch.setattr(network, "addresses", lambda: [HOSTS[1]])
    with ExitStack() as opened:
        phones: list[Phone] = []

        def opens(size: Size = PHONE) -> Phone:
            # The connection's port is new, so for the browser this is a server that it has kept nothing of but cookies.
            connection = opened.enter_context(Connection(live_server.thread.port))
            phone = Phone(browsers(size, len(phones)), connection, engine.finger)
            for host in HOSTS:
                phone.open(f"http://{host}:{connection.port}/healthz")
                phone.browser.delete_all_cookies()
            phones.append(phone)
            return phone

        yield opens
        for phone in phones:
            phone.open("about:blank")


@pytest.fixture
def phone(opens: Opens) -> Phone:
    return opens()
