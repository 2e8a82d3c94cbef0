"""A table of three, and a phone for each player."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from scoring.access import links
from scoring.game.entry import Rows
from scoring.ledger import audit
from scoring.models import Session
from tests.conftest import HostsBrowser
from tests.ledger.conftest import start

HTMX = {"HX-Request": "true"}


class Phone:
    """A browser at the table. It remembers each seat's hidden fields, as a page does.

    It shows the page of the hand, or of the cards of its ``own`` seat alone.
    """

    def __init__(self, session: Session, client: Client | None = None, *, own: int = 0) -> None:
        self.session = session
        self.own = {"own": str(own)} if own else {}
        self.client = client or HostsBrowser()
        self.known: dict[str, str] = {}
        self.theirs: dict[str, str] = {}

    @property
    def number(self) -> str:
        self.session.refresh_from_db()
        return str(self.session.next_number)

    def address(self, seat: int) -> str:
        return f"/s/{self.session.public_id}/hand/{seat}/"

    def fields(self, seat: int, rows: Rows) -> dict[str, str]:
        """The form fields of a seat with these rows."""
        key = f"p{seat}"
        based_on = {f"{key}-rev": "0", f"{key}-seen": "//"} | {
            name: value for name, value in self.known.items() if name.startswith(f"{key}-")
        }
        if f"{key}-away" in based_on:  # a hidden board has no enabled fields
            return based_on
        return {f"{key}-front": rows.front, f"{key}-middle": rows.middle, f"{key}-back": rows.back, **based_on}

    def send(self, seat: int, rows: Rows, *, pressed: str = "", **more: str) -> Any:
        """Send rows of which one has just become complete, or for which the button of this name was ``pressed``."""
        data = {"number": self.number, **self.own, **self.fields(seat, rows), **more}
        headers = {**HTMX, "HX-Trigger-Name": pressed} if pressed else HTMX
        return self.learn(self.client.post(self.address(seat), data, headers=headers))

    def use_other(self, seat: int, number: str = "") -> Any:
        """Press the button that drops this phone's rows for those of another phone."""
        data = {"theirs": "1", "number": number or self.number, **self.own}
        headers = {**HTMX, "HX-Trigger-Name": "theirs"}
        return self.learn(self.client.post(self.address(seat), data, headers=headers))

    def keep_mine(self, seat: int, rows: Rows, **more: str) -> Any:
        """Press the button that sends these rows in place of those of another phone."""
        return self.send(seat, rows, pressed=f"p{seat}-rev", **{**self.theirs, **more})

    def show(self, seat: int, number: str = "") -> Any:
        """Press the button that shows the hidden boards once all are there."""
        data = {"show": "1", "number": number or self.number, **self.own}
        headers = {**HTMX, "HX-Trigger-Name": "show"}
        return self.learn(self.client.post(self.address(seat), data, headers=headers))

    def enter_instead(self, seat: int) -> Any:
        """Press the button that opens empty rows in place of a hidden board."""
        return self.learn(self.client.get(self.address(seat), {"instead": "1", **self.own}, headers=HTMX))

    def ask(self, **boards: Rows) -> Any:
        """Ask what has changed. ``boards`` are the rows on the page, by ``s`` and the seat's number."""
        data = {"number": self.number, "v": self.known.get("v", ""), **self.own}
        for seat, rows in boards.items():
            data |= self.fields(int(seat[1:]), rows)
        return self.learn(self.client.get(f"/s/{self.session.public_id}/hand/drafts/", data, headers=HTMX))

    def learn(self, response: Any) -> Any:
        text = html.unescape(response.content.decode())
        hidden = re.findall(r'type="hidden" name="((p\d+)-(?:rev|seen|away))" value="([^"]*)"', text)
        for _, key, _ in hidden:
            self.known.pop(f"{key}-away", None)
        self.known |= {name: value for name, _, value in hidden}
        self.theirs = dict(re.findall(r'<button [^>]*name="(p\d+-rev)" value="(\d+)"', text))
        if version := re.search(r'name="v" value="([\d.]+)"', text):
            self.known["v"] = version[1]
        return response


@pytest.fixture
def session(db: None) -> Iterator[Session]:
    """Ann, Bob and Cat; Ann has the button. Afterwards the audit must find nothing."""
    started = start()
    yield started
    assert list(map(str, audit.of_everything())) == []


@pytest.fixture
def host(session: Session) -> Phone:
    return Phone(session)


@pytest.fixture
def bob(session: Session) -> Phone:
    """A second phone that may enter everybody's rows."""
    return Phone(session)


def tied(session: Session, seat: int) -> Phone:
    """A phone that came in by a link for one seat only."""
    made_for = session.seats.get(number=seat)
    _, secret = links.issue(
        club=session.club, role=links.Role.SCORER, key=f"seat {seat}", session=session, seat=made_for
    )
    client = Client()
    client.get(f"/l/{secret}")
    return Phone(session, client)
