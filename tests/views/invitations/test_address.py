"""Links and QR codes lead other phones here, also where the host works at the server itself."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from django.test import Client

from ofcscore import network
from scoring.access.links import Role
from scoring.models import Link
from tests.access.conftest import Cast, everything
from tests.pages import form, labels
from tests.views.start.test_new_session import sit_down

pytestmark = pytest.mark.django_db

HERE = "192.168.7.5"
NO_LINK = "No other phone can reach this machine now, so the code is no link. It holds only the hash."
LOOPBACK = ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "127.0.0.1"]


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[str]:
    """The addresses at which the local network reaches this machine, which a test may change."""
    found = [HERE]
    monkeypatch.setattr(network, "answering", lambda _: found)
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "ofc.example.org", HERE]
    return found


def at(client: Client, host: str, **request: str) -> Client:
    """The browser at this address of the server, which listens at port 80 as Django's client has it."""
    client.defaults |= {"HTTP_HOST": host, **request}
    return client


def created(client: Client, cast: Cast, page: str = "links/", button: str = "Create link") -> str:
    """The address of a new link."""
    made = form(client.get(f"/s/{cast.session.public_id}/{page}"), button).press()
    address: str = made.context["address"]
    assert f'value="{address}"' in made.content.decode()
    return address


@pytest.mark.parametrize("host", LOOPBACK)
def test_a_link_made_at_the_server_itself_leads_other_phones_there(cast: Cast, reached: list[str], host: str) -> None:
    client = at(cast.browsers["host"], host)
    assert created(client, cast).startswith(f"http://{HERE}:80/l/")
    listed = client.get(f"/c/{cast.session.club.public_id}/links/")
    assert form(listed, "Create host link").press().context["address"].startswith(f"http://{HERE}:80/l/")
    assert form(listed, "Replace Host").press().context["address"].startswith(f"http://{HERE}:80/l/")


def test_its_port_is_the_servers_and_nothing_that_the_browser_says(cast: Cast, reached: list[str]) -> None:
    assert created(at(cast.browsers["host"], "localhost:9"), cast).startswith(f"http://{HERE}:80/")


@pytest.mark.parametrize("host", ["ofc.example.org", f"{HERE}:8000"])
def test_a_host_with_a_name_keeps_it(cast: Cast, reached: list[str], host: str) -> None:
    client = at(cast.browsers["host"], host, REMOTE_ADDR="192.168.7.9")
    assert created(client, cast).startswith(f"http://{host}/l/")


def test_behind_a_proxy_nothing_changes(cast: Cast, reached: list[str], settings: Any) -> None:
    settings.HTTPS = True
    assert created(at(cast.browsers["host"], "localhost:8000"), cast).startswith("http://localhost:8000/l/")


@pytest.mark.parametrize(
    ("addresses", "client_address", "sentence"),
    [
        ([], "127.0.0.1", "No other phone can reach this machine now."),
        (["192.168.7.77"], "127.0.0.1", "No other phone can reach this machine now."),  # it had another at the start
        ([HERE], "192.168.7.9", "but not on the machine that serves it"),
    ],
    ids=["without a network", "in another network", "a host that lies"],
)
def test_no_link_that_leads_nowhere_is_made(
    cast: Cast, reached: list[str], addresses: list[str], client_address: str, sentence: str
) -> None:
    reached[:] = addresses
    client, session = at(cast.browsers["host"], "localhost:8000", REMOTE_ADDR=client_address), cast.session
    lists = [f"/s/{session.public_id}/", f"/s/{session.public_id}/links/", f"/c/{session.club.public_id}/links/"]
    table, of_session, of_club = map(client.get, lists)
    before = everything()
    pressed = [(table, "Show QR to join"), (of_session, "Create link"), (of_club, "Create host link")]
    for page, button in [*pressed, (of_club, "Replace Host")]:
        refused = form(page, button).press(button)
        assert refused.status_code == 422
        assert sentence in refused.content.decode()
        assert everything() == before


def test_the_link_of_a_new_club_leads_there_or_its_page_says_why_not(reached: list[str]) -> None:
    client = at(Client(), "localhost:8000")
    table = sit_down(client)["Location"]
    assert f'value="http://{HERE}:80/l/' in client.get(table).content.decode()
    reached.clear()
    page = client.get(table)
    assert "Save your host link" in page.content.decode()
    assert "No other phone can reach this machine now." in page.content.decode()
    assert "/l/" not in page.content.decode()
    assert "I’ve saved it" not in labels(page)
    reached.append(HERE)
    assert f'value="http://{HERE}:80/l/' in client.get(table).content.decode()


def test_the_code_of_the_record_leads_there_or_is_the_head_alone(cast: Cast, reached: list[str]) -> None:
    client = at(cast.browsers["host"], "localhost:8000")
    head = client.get(f"/s/{cast.session.public_id}/record/").context["head"]
    for page in ("record/", "screen/", "ledger/"):
        shown = client.get(f"/s/{cast.session.public_id}/{page}")
        assert shown.context["head_address"] == f"http://{HERE}:80/verify/#{head.event}-{head.hash}"
        assert NO_LINK not in shown.content.decode()
    reached.clear()
    for page in ("record/", "screen/", "ledger/"):
        alone = client.get(f"/s/{cast.session.public_id}/{page}")
        assert alone.context["head_address"] == f"#{head.event}-{head.hash}"
        assert NO_LINK in alone.content.decode()


def test_only_addresses_at_which_the_server_answers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "addresses", lambda: ["127.0.0.2", "127.0.0.3"])
    with socket.create_server(("127.0.0.3", 0)) as server:
        assert network.answering(server.getsockname()[1]) == ["127.0.0.3"]
    with socket.create_server(("0.0.0.0", 0)) as server:
        assert network.answering(server.getsockname()[1]) == ["127.0.0.2", "127.0.0.3"]
        monkeypatch.setattr(network, "_way_out", lambda: "127.0.0.3")
        assert network.answering(server.getsockname()[1]) == ["127.0.0.3", "127.0.0.2"]


# --- On the spot ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "screen/"])
def test_the_host_shows_a_code_to_join_by_one_tap(cast: Cast, path: str) -> None:
    client, address = cast.browsers["host"], f"/s/{cast.session.public_id}/{path}"
    opened = client.get(address)
    before = Link.objects.count()
    joining, watching = (form(opened, button).press(button) for button in ("Show QR to join", "Show QR to watch"))
    assert [each.context["link"].role for each in (joining, watching)] == [Role.SCORER, Role.VIEWER]
    assert [each.context["back"] for each in (joining, watching)] == [address, address]
    assert "The link as a QR code" in joining.content.decode()
    assert form(opened, "Show QR to join").press().context["address"] == joining.context["address"]
    assert Link.objects.count() == before + 2
    again = form(client.get(address), "Show QR to join").press()
    assert [each.context["link"].name for each in (joining, again)] == ["Scorer 2", "Scorer 3"]  # named by themselves


def test_a_link_that_is_named_by_itself_is_named_in_the_readers_language(cast: Cast) -> None:
    client = cast.browsers["host"]
    client.cookies["language"] = "de"
    made = form(client.get(f"/s/{cast.session.public_id}/"), "QR-Code zum Mitmachen").press("QR-Code zum Mitmachen")
    assert made.context["link"].name == "Scorer 2"
    assert "Scorer 2" not in made.content.decode()
    assert "Eingabe-Link 2" in made.content.decode()


@pytest.mark.parametrize("path", ["", "screen/"])
@pytest.mark.parametrize("who", ["scorer", "viewer"])
def test_nobody_else_is_offered_one(cast: Cast, path: str, who: str) -> None:
    assert "Show QR to join" not in labels(cast.browsers[who].get(f"/s/{cast.session.public_id}/{path}"))
