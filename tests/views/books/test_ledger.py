"""The ledger page: every hand, running totals, the matrix of pairs, and the payments."""

import re

from django.test import Client

from scoring import ledger
from scoring.game.entry import Entry
from scoring.models import Session
from tests.ledger.conftest import FOUL, PLAIN, WEAK, act, settle


def page(client: Client, session: Session, **query: str) -> str:
    response = client.get(f"/s/{session.public_id}/ledger/", query)
    assert response.status_code == 200
    return response.content.decode()


def cells(row: str) -> list[tuple[str, str]]:
    return [(points, money) for points, money in re.findall(r"<b>(.*?)</b> <span>(.*?)</span>", row)]


def test_hands_totals_pairs_and_payments(client: Client, session: Session) -> None:
    settle(session)
    settle(session, Entry(boards={1: WEAK, 2: PLAIN, 3: FOUL}))
    text = page(client, session)
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    hands = [row for row in rows if "/hands/" in row]
    assert [cells(row) for row in hands] == [
        [("–", "–"), ("+12", "+12.00"), ("−12", "−12.00")],
        [("+12", "+12.00"), ("–", "–"), ("−12", "−12.00")],
    ]
    assert "+12 / +12.00" in hands[0]
    assert "−24 / −24.00" in hands[0]
    assert [cells(row) for row in rows if "Total" in row] == [[("+12", "+12.00"), ("+12", "+12.00"), ("−24", "−24.00")]]
    assert [cells(row) for row in rows if "self" in row] == [
        [("–", "–"), ("+12", "+12.00")],
        [("–", "–"), ("+12", "+12.00")],
        [("−12", "−12.00"), ("−12", "−12.00")],
    ]
    assert (
        len(re.findall(r"<strong>Cat</strong> pays <strong>\w+</strong></span><span class=\"figure\">12.00", text)) == 2
    )
    assert "All points and all money sum to zero." in text


def test_a_void_hand_stays_in_the_ledger_and_counts_for_nothing(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1)
    text = page(client, session)
    assert ">void</span>" in text
    assert "Everybody is square." in text


def test_an_empty_ledger_says_so(client: Client, session: Session) -> None:
    assert "No hand yet" in page(client, session)


def test_a_long_ledger_is_turned_page_by_page(client: Client, session: Session) -> None:
    for _ in range(52):
        settle(session)
    first = page(client, session)
    assert "/hands/52/" in first
    assert "/hands/2/" not in first
    older = re.search(r'href="([^"]+)">Older hands', first)
    assert older
    second = client.get(older[1]).content.decode()
    assert "/hands/2/" in second
    assert "/hands/3/" not in second
    assert "Newer hands" in second
    assert "Older hands" not in second


def test_an_invalid_page_number_shows_the_newest_page(client: Client, session: Session) -> None:
    settle(session)
    for before in ("x", "-1", "9" * 30, "٣"):
        assert "/hands/1/" in page(client, session, before=before)
