"""Refusals on pages, to a reader whose language marks every text and every part of one with a star."""

import html
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.test import Client, override_settings

from scoring import ledger
from scoring.actions.penalty import Penalty
from scoring.models import Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import form
from tests.views.books.test_undo import undo
from tests.views.hand.test_enter import HAND, fields
from tests.views.hand.test_enter import opened as entering
from tests.views.table.test_chips import chips, everybody
from tests.views.test_host_forms import FORMS, address, opened


@pytest.fixture(autouse=True)
def starred() -> Iterator[None]:
    """A language of which a star before each English pattern is a translation."""
    with (
        mock.patch("scoring.wording.phrases.gettext", lambda text: f"*{text}"),
        mock.patch("scoring.wording.phrases.ngettext", lambda one, many, count: f"*{one if count == 1 else many}"),
    ):
        yield


def said(response: Any, sentence: str) -> None:
    """Asserts that the page has the sentence with its stars, and nowhere without the first of them."""
    page = " ".join(html.unescape(response.content.decode()).split())
    assert sentence in page
    assert page.count(sentence) == page.count(sentence[1:])


@pytest.mark.parametrize("path", FORMS)
def test_a_stale_form(client: Client, session: Session, path: str) -> None:
    label, typed, _ = FORMS[path]
    sending = opened(client, session, path).fill(typed)
    act(Penalty, session, seat=1, points=1, note="meanwhile")
    said(sending.press(label), "*The table was changed since this page was opened.")


def test_a_refused_action(client: Client, session: Session) -> None:
    label, typed, _ = FORMS["side-bet/"]
    twice = opened(client, session, "side-bet/").fill({**typed, "payee": "2"}).press(label)
    said(twice, "*Choose two different players.")


def test_a_row_that_cannot_be_read_and_a_card_that_is_there_twice(client: Client, session: Session) -> None:
    said(entering(client, session, {**HAND, "p1-front": "Qs X"}).press(), "*“X” is not a card.")
    twice = entering(client, session, {**HAND, "p1-front": "5s8d9c"}).press()
    said(twice, "*The *five of spades is also in *Bob's front.")


def test_a_row_with_too_few_cards(client: Client, session: Session) -> None:
    said(entering(client, session, {**HAND, "p1-front": "8d"}).press(), "*The front takes three cards; here is 1 card.")


@pytest.mark.parametrize("path", ["", "hand/", "chips/"])
def test_what_keeps_a_hand_from_being_dealt(client: Client, session: Session, path: str) -> None:
    chips(client, session, amount="50").press("Buy in")
    said(client.get(address(session, path)), "*Bob is out of chips. Buy in, sit out or leave before the next hand.")


def test_a_correction_that_cannot_be_and_its_ways_out(client: Client, session: Session) -> None:
    everybody(session, 5000, 5000, 1000)
    settle(session, entry(s1=WEAK, s2=FOUL, s3=PLAIN))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    sending = form(client.get(address(session, "hands/1/correct/")), "Preview changes")
    page = sending.fill(fields(s1=STRONG, s2=PLAIN, s3=FOUL)).press()
    said(page, "*Hand 2: *Cat is out of chips.")
    said(page, "*Void hand 2 first.")
    said(page, "*Leave the hand and record the difference as a side payment.")


def test_a_late_correction(client: Client, session: Session) -> None:
    settle(session)
    sending = form(client.get(address(session, "hands/1/void/")), "Void hand 1").fill({"note": "misdeal"})
    act(Penalty, session, seat=1, points=1, note="meanwhile")
    said(sending.press(), "*The table was changed since this page was opened.")


def test_nothing_to_undo(client: Client, session: Session) -> None:
    settle(session)
    sending = undo(client, session)
    act(ledger.undo, session)
    said(sending.forge({"version": str(session.version)}), "*There is nothing to undo.")


def test_a_hand_that_another_phone_has_settled(client: Client, session: Session) -> None:
    preview = entering(client, session, HAND).press()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    said(form(preview).press(), "*Hand 1 has been settled already.")


def test_a_quota(client: Client, session: Session) -> None:
    with override_settings(EVENTS_PER_SESSION=1):
        label, typed, _ = FORMS["fee/"]
        answer = opened(client, session, "fee/").fill(typed).press(label)
    said(answer, "*The history of this session has 1 entry, which is the most. Start a new one.")


def test_an_exception_is_english_where_nobody_shows_it(session: Session) -> None:
    version = session.version
    act(Penalty, session, seat=1, points=1, note="meanwhile")
    with pytest.raises(ledger.Conflict, match=r"^The table was changed since this page was opened\.$"):
        act(Penalty, session, seat=1, points=1, note="late", version=version)
