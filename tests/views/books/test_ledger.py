"""The ledger page: every hand, running totals, the matrix of pairs, and the payments."""

import re

from django.test import Client

from scoring import ledger
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.models import Session
from tests.ledger.conftest import FOUL, PLAIN, WEAK, act, settle, start


def page(client: Client, session: Session, **query: str) -> str:
    response = client.get(f"/s/{session.public_id}/ledger/", query)
    assert response.status_code == 200
    return response.content.decode()


def cells(row: str) -> list[tuple[str, str]]:
    """Points and money as they are seen, without what is only heard."""
    seen = re.sub(
        r'<span class="visually-hidden">[^<]*</span>|<span aria-hidden="true">(.*?)</span>|\s+(?=<)', r"\1", row
    )
    return [(points, money) for points, money in re.findall(r"<b>(.*?)</b>\s*<span>(.*?)</span>", seen)]


def test_hands_totals_pairs_and_payments(client: Client, session: Session) -> None:
    settle(session)
    settle(session, Entry(boards={1: WEAK, 2: PLAIN, 3: FOUL}))
    text = page(client, session)
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    hands = [row for row in rows if f"/s/{session.public_id}/hands/" in row]
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
    # Each stands among the fewest payments, and pair by pair.
    paid = r"<strong>Cat</strong> pays <strong>\w+</strong></span>\s*<span class=\"figure\">12.00"
    assert len(re.findall(paid, text)) == 4
    assert "Balanced: points and money add up to zero." in text


def test_a_void_hand_stays_in_the_ledger_and_counts_for_nothing(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1)
    text = page(client, session)
    assert ">void</span>" in text
    assert "All settled up." in text


def test_an_empty_ledger_says_so(client: Client, session: Session) -> None:
    assert "No hands yet" in page(client, session)


def test_a_long_ledger_is_turned_page_by_page(client: Client, session: Session) -> None:
    for _ in range(52):
        settle(session)
    at = f"/s/{session.public_id}/hands"
    first = page(client, session)
    assert f"{at}/52/" in first
    assert f"{at}/2/" not in first
    older = re.search(r'href="([^"]+)">Older hands', first)
    assert older
    second = client.get(older[1]).content.decode()
    assert f"{at}/2/" in second
    assert f"{at}/3/" not in second
    assert "Newer hands" in second
    assert "Older hands" not in second


def test_an_invalid_page_number_shows_the_newest_page(client: Client, session: Session) -> None:
    settle(session)
    for before in ("x", "-1", "9" * 30, "٣"):
        assert "/hands/1/" in page(client, session, before=before)


def test_what_was_booked_between_hands_is_told_from_the_players_side(client: Client, session: Session) -> None:
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    act(BuyIn, session, seat=1, amount=4000)
    act(ledger.undo, session)
    act(BuyIn, session, seat=3, amount=4000)
    act(CashOut, session, seat=3, amount=2900)
    assert re.findall(r'class="between"><td[^>]*><p>(.*?)</p>', page(client, session)) == [
        "Cat cashed out 29.00 EUR.",
        "Cat bought in for 40.00 EUR.",
        "Buy-in undone: Ann bought in for 40.00 EUR.",
        "Ann bought in for 40.00 EUR.",
        "Side bet: Ann pays Bob 5.00 EUR. (Red)",
    ]


def test_the_curve_is_on_the_newest_page_with_its_figures(client: Client, session: Session) -> None:
    for _ in range(52):
        settle(session)
    first = page(client, session)
    assert 'aria-label="Running totals in EUR after 52 hands: Ann +624.00, Bob 0, Cat −624.00."' in first
    assert '<a href="../hands/52/">52</a></th>\n        <td>+624.00</td><td>0</td><td>−624.00</td>' in first
    assert "Hand by hand" not in page(client, session, before="3")


def test_without_a_hand_that_counts_there_is_no_curve(client: Client, session: Session) -> None:
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    assert "Hand by hand" not in page(client, session)
    settle(session)
    assert "Hand by hand" in page(client, session)
    act(ledger.void_deal, session, number=1)
    assert "Hand by hand" not in page(client, session)


def test_a_name_in_the_curve_is_text(client: Client, db: None) -> None:
    session = start("<b>Ann Bob&lt;")
    settle(session, Entry(points=((1, 2, 3),)))
    text = page(client, session)
    assert "</tspan> &lt;b&gt;Ann</text>" in text
    assert "<b>Ann" not in text
