"""Every hand on paper: what stands in it, what does not, and that a long session costs no more statements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring import club, drafts, ledger, reads
from scoring.access.links import Role
from scoring.actions.deals import Remark
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.set_next import SetNext
from scoring.exports import making
from scoring.exports import paper as export
from scoring.game.entry import Entry, Rows
from scoring.models import Session
from scoring.reads import whole
from scoring.views.books import paper
from tests.access.conftest import browser, issue
from tests.actions.everything import everything, for_cash
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import text
from tests.views.club.conftest import named

IBAN = "DE89370400440532013000"
WAITING = Rows("QsQdJc", "6h6d8s9dTc", "7h7d8h8cTs")
ACES = entry(s1=STRONG, s2=PLAIN, s3=WEAK)


def page(client: Client, session: Session, **query: str) -> str:
    response = client.get(f"/s/{session.public_id}/record/hands/", query)
    assert response.status_code == 200
    return response.content.decode()


def said(html: str) -> str:
    """What is read of a piece of a page, with single spaces; of a card its rank and suit."""
    cards = re.sub(r'<svg><use href="#suit-(.)"/></svg>', r"\1", html)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</?i[^>]*>", "", cards))).split())


def hands(text: str) -> list[str]:
    """What is read of each hand."""
    return [said(part) for part in re.findall(r'<section class="paper-hand.*?</section>', text, re.DOTALL)]


def test_a_hand_has_its_boards_royalties_and_pairs(client: Client, session: Session) -> None:
    settle(session, ACES)
    (hand,) = hands(page(client, session))
    assert hand.startswith("Hand 1 ")
    assert "Ann D has the button +74 +74.00 AhAdKc Pair of Aces +9 2h2d2s3h3d Full house, Twos over Threes +12" in hand
    assert "Fantasyland next hand, with 13 cards." in hand
    assert "Bob pays Ann 37 37.00 Rows won +3 · Scoop +3 · Royalties 31 – 0 +31 Cat pays Ann" in hand
    assert "Cat pays Bob 6 6.00 Rows won +3 · Scoop +3" in hand


def test_whose_cards_came_to_be_others_is_said_once(client: Client, session: Session) -> None:
    settle(session, ACES, remark=Remark(changed=[(2, "AhAdKc//")]))
    remark = "Changed after Fantasyland was shown: Bob (before: AhAdKc//)."
    assert said(page(client, session)).count(remark) == 1
    act(ledger.undo, session)
    shown = page(client, session)
    assert said(shown).count(remark) == 1
    assert f'<span class="turned">{remark}</span>' in shown  # not in one line with the name of who settled


def test_a_note_is_in_quotation_marks_unless_the_app_wrote_it(client: Client, session: Session) -> None:
    act(SetNext, session, button=2, note="drew high")
    settle(session, ACES)
    settle(session, ACES)
    act(ledger.correct_deal, session, number=1, entry=LEVEL, note="mixed up")
    first, second = hands(page(client, session))
    assert " “drew high” " in first
    assert " As it was dealt, before hand 1 was changed. " in second
    assert "“As it" not in second
    shown = [text(client.get(f"/s/{session.public_id}/hands/{number}/")) for number in (1, 2)]
    assert " “drew high” " in shown[0]
    assert " “mixed up” " in shown[0]
    assert " As it was dealt, before hand 1 was changed. " in shown[1]


def test_who_settled_a_hand_is_said_in_the_readers_language(client: Client, session: Session) -> None:
    settle(session, ACES, by="Host 2")
    client.cookies["language"] = "ja"
    assert re.match(r"ハンド1 \d\d?:\d\d、ホスト2 ", hands(page(client, session))[0])


def test_corrections_disputes_and_voids_stand_with_their_hand_and_their_reasons(
    client: Client, session: Session
) -> None:
    settle(session, ACES)
    act(ledger.correct_deal, session, number=1, entry=LEVEL, note="it was a <nine>")
    dispute = act(ledger.dispute, session, number=1, note="was it?")
    act(ledger.resolve_dispute, session, raised=dispute.raised.n, note="it was")
    settle(session)
    act(ledger.dispute, session, number=2, note="the middle")
    act(ledger.void_deal, session, number=2, note="misdeal")
    text = page(client, session)
    first, second = hands(text)
    assert "3. Hand 1 corrected" in first
    assert "“it was a <nine>” Ann, front: AhAdKc → 7s8d9c" in first
    assert "4. Hand 1 disputed" in first
    assert "“was it?”" in first
    assert "5. Hand 1 dispute resolved" in first
    assert "“it was”" in first
    assert second.startswith("Hand 2 void")
    assert "Void – no points. As entered:" in second
    assert "7s8d9c" in second
    assert "pays" not in second
    assert "“misdeal”" in second
    assert "Disputed now: hand 2." in said(text)
    act(ledger.dispute, session, number=1, note="again")
    assert "Disputed now: hands 2, 1." in said(page(client, session))


def test_what_was_recorded_between_hands_stands_between_them(client: Client, session: Session) -> None:
    settle(session)
    act(Penalty, session, seat=3, points=2, note="slow play")
    act(Penalty, session, seat=2, points=7, note="by mistake")
    act(ledger.undo, session)
    settle(session)
    text = said(page(client, session))
    order = [text.index(part) for part in ("Hand 1 ", "Cat, 2 points to", "slow play", "Undone by 5.", "Hand 2 ")]
    assert order == sorted(order)


def test_payments_agreements_and_lines_to_sign(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.close_session, session)
    session.refresh_from_db()
    act(ledger.agree, session, seat=1, head=session.head)
    act(ledger.pay, session, payer=3, payee=1, amount=1200, note="cash")
    text = page(client, session)
    assert "Cat paid Ann" in said(text)
    assert "(cash) 12.00 EUR" in said(text)
    lines = re.findall(r"<p>(.*?)</p>", text[text.index('class="paper-lines"') :], re.DOTALL)
    signed = [said(line) for line in lines[:4]]
    assert signed[0].startswith("Ann agreed on a phone, ")
    assert signed[1:] == ["Bob", "Cat", "Place and date"]


def test_before_the_first_hand_it_says_so(client: Client, session: Session) -> None:
    text = page(client, session)
    assert "No hands yet" in text
    assert "Every hand, to print" not in client.get(f"/s/{session.public_id}/record/").content.decode()
    settle(session)
    assert "Every hand, to print" in client.get(f"/s/{session.public_id}/record/").content.decode()


def test_nothing_of_a_hand_in_progress_or_of_ways_to_be_paid_is_in_it(client: Client, session: Session) -> None:
    """A board that waits for the others is hidden from everyone, also on paper."""
    settle(session, ACES)
    drafts.keep(session=session, number=2, seat=2, rows=WAITING, base=0, device="one phone")
    club.add_pay_address(named(session, "Ann"), "iban", IBAN)
    text = page(client, session)
    assert "pays" in text
    assert len(hands(text)) == 1
    assert "QsQdJc" not in said(text)
    assert IBAN not in text.replace(" ", "")
    act(ledger.void_deal, session, number=1)
    assert "QsQdJc" not in said(page(client, session))


def test_every_event_stands_in_it_once_but_the_settling_of_its_hands(db: None) -> None:
    """Also of chips, undone things and a closed session: nothing that was done is lost on paper."""
    for session in (everything(), for_cash()):
        found = whole(session, 1, 500)
        told = [each.event.n for each in found.opening]
        for deal in found.deals:
            told += [each.event.n for each in (*deal.about, *deal.after)]
        assert sorted(told) == list(range(1, session.events.count() + 1))


@pytest.mark.parametrize("make", [everything, for_cash])
def test_every_action_can_be_printed(client: Client, db: None, make: object) -> None:
    session = make()  # type: ignore[operator]
    text = page(client, session)
    assert len(hands(text)) == session.deals
    if make is for_cash:
        assert "bought in for" in text


def test_a_long_session_is_printed_in_parts(client: Client, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "DEALS_A_PART", 2)
    for _ in range(3):
        settle(session)
    first, second = page(client, session), page(client, session, part="2")
    assert [hand[:7] for hand in hands(first)] == ["Hand 1 ", "Hand 2 "]
    assert [hand[:7] for hand in hands(second)] == ["Hand 3 "]
    assert "Hands 3 to 3" in first
    assert "Session started" in first
    assert "Session started" not in second
    assert "Signatures" not in first
    assert "Signatures" in second
    for part in ("0", "x", "99", "-1"):
        assert hands(page(client, session, part=part)) in (hands(first), hands(second))


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Iterator[list[str]]:
    """Puts any session on paper as another process would, but at once; the list has what each was given."""
    given: list[str] = []

    class AtOnce:
        """Stands in for the thread that waits for the process."""

        def __init__(self, args: tuple[making.Making, making.What], **_: Any) -> None:
            self.made, (self.kind, self.public_id, _version, self.given, _language) = args

        def start(self) -> None:
            given.append(self.given)
            making.make(self.kind, self.public_id, self.made.file, self.given, lambda _: None)
            self.made.finished.set_result(None)

    settings.EXPORT_DIR = tmp_path
    monkeypatch.setattr(making, "Thread", AtOnce)
    monkeypatch.setattr(paper, "DEALS_AT_ONCE", 0)
    yield given
    making._making.clear()


def asked(client: Client, session: Session, wait: Any = None, **query: str) -> Any:
    """The answer of a server that lets requests wait."""
    wait = wait or SimpleNamespace(until=None, token="")
    return client.get(f"/s/{session.public_id}/record/hands/", query, **{"ofcscore.wait": wait})


def test_a_long_session_is_put_on_paper_apart_once_a_version(
    client: Client, session: Session, apart: list[str]
) -> None:
    settle(session)
    assert hands(asked(client, session).content.decode()) == hands(page(client, session))
    asked(client, session)
    assert len(apart) == 1
    settle(session)
    assert len(hands(asked(client, session).content.decode())) == 2
    client.cookies["language"] = "fi"
    assert hands(asked(client, session).content.decode()) == hands(page(client, session))
    assert len(apart) == 3


def test_each_part_is_put_on_paper_for_itself(
    client: Client, session: Session, apart: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "DEALS_A_PART", 2)
    for _ in range(3):
        settle(session)
    for part in ("2", "1"):
        assert hands(asked(client, session, part=part).content.decode()) == hands(page(client, session, part=part))
    assert [json.loads(each)["part"] for each in apart] == [2, 1]


def test_what_is_put_on_paper_is_the_same_for_every_reader(db: None) -> None:
    session, printed = everything(), set()
    for role in (Role.VIEWER, Role.SCORER, Role.HOST):
        reader = browser(issue(session, role)[1])
        printed.add(page(reader, session).split('<div class="paper">')[1].split("</main>")[0])
    assert len(printed) == 1


def test_who_waits_for_paper_comes_back_to_the_same_part(
    client: Client, session: Session, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EXPORT_DIR = tmp_path
    monkeypatch.setattr(making, "_run", lambda *_: None)
    monkeypatch.setattr(paper, "DEALS_AT_ONCE", 0)
    settle(session)
    wait = SimpleNamespace(until=None, token="")
    response = asked(client, session, wait)
    assert response["Refresh"] == "1; url=?part=1"
    assert b"Preparing the pages." in response.content
    making._making.clear()
    wait.until.set_exception(RuntimeError("no room"))
    with pytest.raises(RuntimeError, match="no room"):
        asked(client, session, wait)


def test_names_are_text_and_points_may_have_six_digits(client: Client, db: None) -> None:
    long = "<b>" + "W" * 37
    session = start(" ".join([long, *(f"P{n}" for n in range(2, 9))]), rules="double-deck")
    points = tuple((one, other, 123_456) for one in range(1, 9) for other in range(one + 1, 9))
    settle(session, Entry(points=points))
    text = page(client, session)
    assert long not in text
    assert "+864\N{NARROW NO-BREAK SPACE}192" in text
    assert "P8 pays P7 123 456" in hands(text)[0]


def test_players_who_came_and_went_sign_too(client: Client, session: Session) -> None:
    settle(session)
    act(Leave, session, seat=3)
    act(Join, session, name="Dan", after=2)
    settle(session, entry(s1=PLAIN, s2=WEAK, s4=FOUL))
    signed = said(page(client, session).split('class="paper-lines"')[1])
    assert all(name in signed for name in ("Ann", "Bob", "Cat", "Dan"))


def test_a_long_evening_takes_no_more_statements(client: Client, session: Session) -> None:
    counts = set()
    for more in (3, 20):
        for _ in range(more):
            settle(session)
        act(ledger.correct_deal, session, number=session.deals, entry=ACES, note="Aces")
        act(ledger.dispute, session, number=session.deals, note="Hm")
        page(client, session, part="2")  # which also opens the link
        reads.forget_cached()
        with CaptureQueriesContext(connection) as asked:
            page(client, session)
        counts.add(len(asked))
    assert len(counts) == 1
