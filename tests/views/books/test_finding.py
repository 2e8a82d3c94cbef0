"""Finding hands in the ledger: the form and its address, what is found, and what is not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring import ledger
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.models import Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import form
from tests.views.books.test_ledger import cells, page

ACES = entry(s1=STRONG, s2=PLAIN, s3=WEAK)


def hands(text: str) -> list[int]:
    """The hands that the page lists, in its order."""
    return [int(number) for number in re.findall(r'<th scope="row">\s*<a href="[^"]*/hands/(\d+)/">', text)]


def test_a_form_finds_hands_and_its_address_holds_what_was_sought(client: Client, session: Session) -> None:
    settle(session)  # Cat fouls
    settle(session, ACES)
    settle(session, entry(s1=PLAIN, s2=FOUL, s3=WEAK))
    finding = form(client.get(f"/s/{session.public_id}/ledger/"), "Find hands")
    found = finding.fill({"player": "3", "foul": "1"}).press()
    assert "player=3" in found.request["QUERY_STRING"]
    assert "foul=1" in found.request["QUERY_STRING"]
    text = found.content.decode()
    assert hands(text) == [1]
    assert "1 of 3 hands" in text
    assert "Hands in which Cat fouled." in text
    # The form shows again what was sought, for the next change to it.
    again = form(found, "Find hands").press()
    assert again.request["QUERY_STRING"] == found.request["QUERY_STRING"]


def test_what_is_found_is_added_up_by_itself(client: Client, session: Session) -> None:
    settle(session)
    settle(session, ACES)
    settle(session)
    text = page(client, session, foul="1")
    assert hands(text) == [3, 1]
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    (total,) = [row for row in rows if "These 2 hands" in row]
    assert cells(total) == [("+24", "+24.00"), ("–", "–"), ("−24", "−24.00")]
    # Nothing of the whole session stands beside it.
    for of_the_session in ("Total<", "Settle up", "Head to head", "Hand by hand", "Running totals", "Balanced"):
        assert of_the_session in page(client, session) or of_the_session == "Running totals"
        assert of_the_session not in text
    assert "Only these hands are added up here." in text
    assert f'href="/s/{session.public_id}/ledger/">Show all hands' in text


def test_nothing_found_is_said_with_a_way_back(client: Client, session: Session) -> None:
    settle(session)
    text = page(client, session, foul="1", player="1")
    assert hands(text) == []
    assert "No such hands" in text
    assert "Hand 1, the only one so far, is not like that." in text
    assert f'href="/s/{session.public_id}/ledger/">Show all hands' in text
    settle(session)
    assert "None of the 2 hands is like that. A fouled board has no royalties." in page(
        client, session, foul="1", row="any"
    )
    assert "A void hand has no result" in page(client, session, void="1", player="1")


def test_what_was_done_about_a_hand_is_marked(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=ACES, note="Aces")
    dispute = act(ledger.dispute, session, number=1, note="Hm")
    text = page(client, session, corrected="1", disputed="1")
    assert "Disputed and corrected hands." in text
    assert re.findall(r'class="tag[^"]*">(.*?)<', text) == ["disputed", "corrected"]
    act(ledger.resolve_dispute, session, raised=dispute.raised.n, note="It was")
    act(ledger.void_deal, session, number=1, note="misdeal")
    text = page(client, session, disputed="1")
    assert re.findall(r'class="tag[^"]*">(.*?)<', text) == ["void", "dispute resolved", "corrected"]


def test_a_hand_that_was_corrected_is_marked_in_the_ledger(client: Client, session: Session) -> None:
    settle(session)
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=ACES, note="Aces")
    rows = re.findall(r"<tr.*?</tr>", page(client, session), re.DOTALL)
    hands = [row for row in rows if f"/s/{session.public_id}/hands/" in row]
    assert ["corrected</span>" in row for row in hands] == [False, True]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"player": "99"}, "This link asks for something"),
        ({"player": "-1"}, "This link asks for something"),  # the bank is no player
        ({"player": "٣"}, "This link asks for something"),
        ({"row": "sideways"}, "This link asks for something"),
        ({"foul": "yes\x00"}, "This link asks for something"),
        ({"least": "-3"}, "Enter the royalty as a whole number"),
        ({"least": "\N{MINUS SIGN}3"}, "Enter the royalty as a whole number"),
        ({"least": "abc"}, "Enter the royalty as a whole number"),
        ({"least": "0"}, "Enter the royalty as a whole number"),
        ({"least": "9" * 40}, "Enter the royalty as a whole number"),
        ({"unheard": "of"}, ""),
        ({"page": "x"}, ""),
        ({"player": "", "row": "", "least": ""}, ""),
    ],
)
def test_an_address_that_means_nothing_shows_the_whole_ledger(
    client: Client, session: Session, asked: dict[str, Any], said: str
) -> None:
    settle(session)
    text = page(client, session, **asked)
    assert hands(text)[:1] == [1]
    assert "Settle up" in text
    assert said in text
    assert ("left out" in text or "Enter the royalty" in text) == bool(said)
    assert ('<details class="open find no-print" open>' in text) == bool(said)


def test_what_is_broken_is_left_out_and_the_rest_is_found(client: Client, session: Session) -> None:
    settle(session)
    settle(session, ACES)
    text = page(client, session, foul="1", player="99")
    assert "This link asks for something" in text
    assert hands(text) == [1]


def test_turning_pages_keeps_what_was_sought(client: Client, session: Session) -> None:
    for _ in range(51):
        settle(session)
    settle(session, ACES)
    first = page(client, session, foul="1", player="3")
    assert hands(first) == [*range(51, 1, -1)]
    assert "51 of 52 hands" in first
    assert "These 51 hands" in first
    (following,) = re.findall(r'href="([^"]+)">Next page', first)
    assert following.endswith("?player=3&amp;foul=1&amp;page=2")
    second = client.get(following.replace("&amp;", "&")).content.decode()
    assert hands(second) == [1]
    assert "These 51 hands" in second  # on every page, what all of them add up to
    assert "Page 2 of 2" in second
    assert re.findall(r'href="([^"]+)">Previous page', second) == [
        f"/s/{session.public_id}/ledger/?player=3&amp;foul=1"
    ]
    assert hands(page(client, session, foul="1", page="99")) == [1]


def test_before_the_first_hand_there_is_nothing_to_find(client: Client, session: Session) -> None:
    assert "Find hands" not in page(client, session)
    assert "No hands yet" in page(client, session, foul="1")
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    text = page(client, session, foul="1", player="99")
    assert "Find hands" not in text
    assert "Side bet: Ann pays Bob 5.00 EUR. (Red)" in text


def test_names_points_and_many_people_have_room_and_are_text(client: Client, db: None) -> None:
    long = "<b>" + "W" * 37
    session = start(" ".join([long, *(f"P{n}" for n in range(2, 9))]), rules="double-deck")
    points = tuple((one, other, 123_456) for one in range(1, 9) for other in range(one + 1, 9))
    settle(session, Entry(points=points))
    text = page(client, session, player="1", biggest="1")
    assert "The biggest is that in which &lt;b&gt;WWW" in text
    assert long not in text
    assert "+864\N{NARROW NO-BREAK SPACE}192" in text


def test_a_long_evening_takes_no_more_statements(client: Client, session: Session) -> None:
    counts = set()
    for more in (3, 20):
        for _ in range(more):
            settle(session)
        page(client, session, foul="1")
        act(ledger.dispute, session, number=session.deals, note="Hm")
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page(client, session, foul="1", row="", player="3", biggest="1")
        counts.add(len(asked))
    assert len(counts) == 1
