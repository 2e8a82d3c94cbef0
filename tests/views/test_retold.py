"""Pages show a result in the language of whoever reads them, although the ledger keeps its English."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from scoring.game.entry import Entry
from scoring.game.outcome import Outcome
from scoring.models import Session
from scoring.rules.document import score
from scoring.wording import languages
from scoring.wording.retold import retold
from tests.languages import BRACKETED, outside_brackets
from tests.ledger.conftest import FOUL, STRONG, WEAK, entry, settle
from tests.views.hand.test_enter import fields, opened

pytestmark = pytest.mark.django_db

IVEY = "Ivey:664/TT9Q8/33322"
FOULED = "Hellmuth:AKJ/KK449/QQ77J"


@pytest.fixture
def bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages.LANGUAGES, BRACKETED.tag, BRACKETED)
    monkeypatch.setattr(languages, "get_language", lambda: BRACKETED.tag)


def shown(response: Any) -> str:
    page = re.sub(r"<[^>]+>", "", response.content.decode())
    return " ".join(html.unescape(page).split())


@pytest.fixture
def settled(session: Session) -> Session:
    settle(session, entry(s1=WEAK, s2=STRONG, s3=FOUL))
    return session


ENGLISH_WORDS = re.compile(r"\b(outranks|beats?|Pair of|high|Trips|Flush|Straight|Two pair|fouled:|scoops|wins \d)")


@pytest.mark.usefixtures("bracketed")
@pytest.mark.parametrize(
    "query", [{"a": IVEY}, {"a": IVEY, "b": FOULED}, {"a": "227/KK339/QQ88J"}, {"a": "QQ7//KK6T9"}]
)
def test_the_foul_check_says_all_in_the_language(client: Client, query: dict[str, str]) -> None:
    page = shown(client.get("/check/", {**query, "rules": "regular"}))
    assert "⟦" in page
    boards = page[page.index("⟦") : page.rindex("⟧")]
    assert not ENGLISH_WORDS.search(boards), ENGLISH_WORDS.search(boards)


@pytest.mark.usefixtures("bracketed")
def test_the_start_page_says_its_example_in_the_language(client: Client) -> None:
    page = shown(client.get("/"))
    assert "⟦" in page
    assert not ENGLISH_WORDS.search(page), ENGLISH_WORDS.search(page)


def test_a_hand_is_told_again_from_its_document(client: Client, settled: Session, request: Any) -> None:
    address = f"/s/{settled.public_id}/hands/1/"
    english = shown(client.get(address))
    assert ENGLISH_WORDS.search(english)
    request.getfixturevalue("bracketed")
    page = shown(client.get(address))
    assert "⟦" in page
    assert not ENGLISH_WORDS.search(page), ENGLISH_WORDS.search(page)


@pytest.mark.usefixtures("bracketed")
def test_a_preview_is_told_in_the_language(client: Client, session: Session) -> None:
    page = shown(opened(client, session, fields(s1=WEAK, s2=STRONG, s3=FOUL)).press())
    assert "⟦" in page
    assert not ENGLISH_WORDS.search(page), ENGLISH_WORDS.search(page)


def test_a_result_told_again_keeps_its_own_figures(bracketed: None) -> None:
    """They are what was settled, whatever the rules of today would make of the cards."""
    document = {"rules": "regular", "players": [{"name": "Ann", "front": "QQ7", "middle": "KK339", "back": "QQ88J"}]}
    stored = score(document)
    stored["players"][0]["royalties"] = 99
    outcome = Outcome(seats=(1,), button=1, entry=Entry(), note="", document=document, result=stored)
    [player] = retold(outcome).result["players"]
    assert player["royalties"] == 99
    assert not outside_brackets(player["foul_reason"]).strip()


def test_english_stays_as_it_was_recorded() -> None:
    outcome = Outcome(seats=(1,), button=1, entry=Entry(), note="", document={}, result={"players": [], "pairs": []})
    assert retold(outcome) is outcome


def test_what_the_rules_of_today_refuse_stays_as_it_was_recorded(bracketed: None) -> None:
    outcome = Outcome(seats=(1,), button=1, entry=Entry(), note="", document={}, result={"players": [], "pairs": []})
    assert retold(outcome) is outcome
