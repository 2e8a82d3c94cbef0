"""A table of three, a phone for each player, and what they enter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from lxml import html

from scoring import drafts as entered
from scoring import ledger
from scoring.access import links
from scoring.actions.deals import Settle
from scoring.drafts import keep, lay_again
from scoring.game.entry import Entry, Rows
from scoring.models import Draft, Event, Session
from tests.conftest import HostsBrowser
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, breaches, entry, remarked, settle, start
from tests.pages import Form, label_of, read

HTMX = {"HX-Request": "true"}
SOME = Rows("7s8d9c", "6h6d8s9dTc", "")
OTHER = Rows("QsQhQd", "", "")
EARNS = Rows("QsQd3c", "KhKs2c4c5h", "AsAcKdKc5d")
"""Earns Fantasyland with cards that are not in `STRONG`, since the history shows those of hand 1."""
TWO_PHONES = "Bob’s cards were entered on two phones."
TURNED = Rows("9c 8d 7s", "Tc9d8s6d6h", "T\u2660 8c 8h 7d 7h")
"""`PLAIN` in another order and other spellings."""
BETTER = Rows("7sQd9c", PLAIN.middle, PLAIN.back)


def remark(session: Session, entry: Entry) -> str:
    """What the history would say of the cards that came to be others if this were settled now."""
    settled = Settle(entry.as_document(), *entered.remark(session, entry))
    return remarked(Event(session=session, verb=Settle.verb, action=settled.as_document()))


class Phone:
    """A browser that shows the page of the hand, or that of the cards of its ``own`` seat, with htmx in it.

    All that it sends is read from the page, and every answer changes the page, as far as these pages use htmx. A page
    that is left open while others change the hand hears nothing of it until it asks, or is opened anew.
    """

    def __init__(self, session: Session, client: Client | None = None, *, own: int = 0) -> None:
        self.client = client or HostsBrowser()
        self.session = session
        self._url = f"/s/{session.public_id}/" + (f"seat/{own}/" if own else "hand/")
        self.open()

    def open(self) -> Phone:
        """Opens the page anew, as it is by now."""
        self._page = read(self.client.get(self._url))
        return self

    def type(self, seat: int, rows: Rows, *, ruling: str | None = None) -> Phone:
        """Types rows into the fields of a seat, and chooses a ruling if one is given. Nothing is sent yet."""
        typed = {"front": rows.front, "middle": rows.middle, "back": rows.back}
        typed |= {} if ruling is None else {"ruling": ruling}
        self._form(self._board(seat)).fill({f"p{seat}-{name}": text for name, text in typed.items()})
        return self

    def send(self, seat: int, rows: Rows, *, ruling: str | None = None) -> Any:
        """Types rows, of which one becomes complete by that, so that the page sends them."""
        return self._learn(self.lose(seat, rows, ruling=ruling))

    def lose(self, seat: int, rows: Rows, *, ruling: str | None = None) -> Any:
        """Sends rows, but the answer to them never reaches the phone."""
        return self.type(seat, rows, ruling=ruling)._request(self._board(seat))

    def press(self, seat: int, label: str) -> Any:
        """Presses the button with this label among the fields of a seat."""
        found = [each for each in self._board(seat).iter("button") if label_of(each) == label]
        assert len(found) == 1, f"{len(found)} buttons of seat {seat} are called {label!r}"
        return self._learn(self._request(found[0]))

    def ask(self) -> Any:
        """Asks what has changed, as the page does when it hears that something has."""
        return self._learn(self._request(self._page.get_element_by_id("others")))

    def forge(self, seat: int, changes: Mapping[str, str | None]) -> Any:
        """Sends the form for a seat with any changes, also impossible ones; None removes a field."""
        sent = {**self._form(self._page.get_element_by_id("others")).fields(), **changes}
        data = {name: value for name, value in sent.items() if value is not None}
        return self._learn(self.client.post(f"/s/{self.session.public_id}/hand/{seat}/", data, headers=HTMX))

    def forge_question(self, seat: int, **more: str) -> Any:
        """Asks for a seat as if this page had it and knew nothing of it. The page does not change."""
        self.session.refresh_from_db()
        asked = {"number": str(self.session.next_number), f"p{seat}-rev": "0", f"p{seat}-seen": "//", **more}
        return self.client.get(f"/s/{self.session.public_id}/hand/drafts/", asked, headers=HTMX)

    def _board(self, seat: int) -> Any:
        return self._page.get_element_by_id(f"p{seat}-board")

    def _form(self, element: Any) -> Form:
        return Form(self.client, self._url, next(element.iterancestors("form")))

    def _learn(self, answer: Any) -> Any:
        """Puts the parts of an answer into their places in the page. What is an error changes nothing."""
        if answer.status_code in {200, 409}:
            parts = html.fragment_fromstring(answer.content.decode(), create_parent="div")
            for part in parts.xpath("//*[@hx-swap-oob]"):
                how, _, place = part.attrib.pop("hx-swap-oob").partition(":#")
                there = self._page.get_element_by_id(place or part.get("id"))
                if how == "innerHTML":
                    there.text, there[:] = part.text, list(part)
                else:
                    there.getparent().replace(there, part)
        return answer

    def _request(self, element: Any) -> Any:
        """Does what the hx-attributes of an element say."""
        headers = {**HTMX, **json.loads(_nearest(element, "hx-headers") or "{}")}
        if name := element.get("name"):
            headers["HX-Trigger-Name"] = name
        if address := element.get("hx-post"):
            return self.client.post(address, self._sent(element), headers=headers)
        address, _, query = element.get("hx-get").partition("?")
        return self.client.get(address, {**QueryDict(query), **self._sent(element)}, headers=headers)

    def _sent(self, element: Any) -> dict[str, Any]:
        """The fields that an element includes, those of the form that it belongs to, and itself if it is a button."""
        sent: dict[str, Any] = {}
        if "hx-post" in element.attrib or _nearest(element, "hx-include") == "closest form":
            sent |= self._form(element).fields()
        for form in self._page.forms:
            if form.get("id", "") == element.get("form"):
                sent |= Form(self.client, self._url, form).fields()
        if name := element.get("name"):
            sent[name] = [*sent.get(name, []), element.get("value", "")]
        sent |= json.loads(_nearest(element, "hx-vals") or "{}")
        kind, _, names = (_nearest(element, "hx-params") or "*").rpartition(" ")
        if kind == "not":
            return {name: value for name, value in sent.items() if name not in names.split(",")}
        return {name: value for name, value in sent.items() if names == "*" or name in names.split(",")}


def _nearest(element: Any, attribute: str) -> str | None:
    """An attribute of an element, or of the nearest around it, which htmx lets it inherit."""
    around = (element, *element.iterancestors())
    return next((each.get(attribute) for each in around if attribute in each.attrib), None)


@pytest.fixture
def session(db: None) -> Iterator[Session]:
    """Ann, Bob and Cat; Ann has the button. Afterwards the audit must find nothing."""
    started = start()
    yield started
    assert breaches() == []


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
    return Phone(session, client, own=seat)


def drafts() -> dict[int, tuple[str, str, str]]:
    return {each.seat.number: (each.front, each.middle, each.back) for each in Draft.objects.select_related("seat")}


@pytest.fixture
def third(session: Session) -> Phone:
    """A phone with a page that it opened before any other sent something, if a test asks for it first."""
    return Phone(session)


@pytest.fixture
def disagreed(host: Phone, bob: Phone) -> None:
    """Everybody is in. Then the host's phone sends other cards for Bob than Bob's, and has to choose."""
    disagree(host, bob)


def disagree(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, OTHER).status_code == 409


def shown_with(session: Session, rows: Rows) -> Phone:
    """Ann's phone. Their board of Fantasyland is shown with these rows, because all others are in."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    for seat, board in ((1, rows), (2, PLAIN), (3, WEAK)):
        (ann if seat == 1 else Phone(session)).send(seat, board)
    return ann


Send = Callable[[int, Rows], None]


@pytest.fixture
def again(session: Session, host: Phone) -> Send:
    """A hand in which Ann was in Fantasyland lies there again after an undo, and the host's phone shows it.

    By this another phone sends rows of a seat.
    """
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: PLAIN, 3: WEAK})

    host.open()

    def send(seat: int, rows: Rows) -> None:
        lay(session, seat, rows, Draft.objects.get(number=session.next_number, seat__number=seat).revision)

    return send


def revision(session: Session, seat: int) -> int:
    """The revision of what lies there for a seat."""
    return Draft.objects.get(number=session.next_number, seat__number=seat).revision


def undone(session: Session) -> None:
    act(ledger.undo, session)


def shown_to(session: Session, *phones: Phone) -> str:
    """All that the hand being entered shows to these phones, on every page and as the pad asks for it."""
    at, pages = f"/s/{session.public_id}", []
    for phone in phones:
        paths = ("", "hand/", "seat/", "seat/1/", "seat/2/", "seat/3/", "screen/", "history/")
        pages += [phone.client.get(f"{at}/{path}") for path in paths]
        for seat in (1, 2, 3):
            pages += [phone.forge_question(seat, **more) for more in ({}, {"own": ""})]
            pages += [phone.client.get(f"{at}/hand/{seat}/", headers=HTMX)]
    return unescape("".join(page.content.decode() for page in pages))


def of_ann(text: str) -> list[str]:
    """The cards of `STRONG` in a page, however they are listed, and warnings about them; but not those in a token."""
    return re.findall(r"(?<![\w-])(?:A[hd] ?A[hd]|2h ?2d|4h ?4d)|is also in", text)


def lay(session: Session, seat: int, rows: Rows, base: int = 0) -> None:
    """Send rows of a seat from a phone of its own."""
    keep(session=session, number=session.next_number, seat=seat, rows=rows, base=base, device=f"phone {seat}")


def said(response: Any) -> str:
    return unescape(" ".join(response.content.decode().split()))


def fields_of(boards: Mapping[int, Rows]) -> dict[str, str]:
    """What somebody types into the form of a hand for these seats."""
    rows = ("front", "middle", "back")
    return {f"p{seat}-{row}": getattr(board, row) for seat, board in boards.items() for row in rows}
