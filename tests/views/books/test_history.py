"""The history in words: who did what, when and why, with the values before and after; for one hand, and in pages."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from scoring import ledger, reads
from scoring.actions.chips import BuyIn
from scoring.actions.deals import Remark
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import SitOut
from scoring.actions.set_next import SetNext
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry
from scoring.models import Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import form, post_nothing


def event_lines(client: Client, session: Session, query: str = "") -> list[str]:
    """Each event of the page as one line of text."""
    shown = client.get(f"/s/{session.public_id}/history/{query}").content.decode()
    lines = re.findall(r'<li[^>]* id="n\d+">(.*?)</li>', shown, re.S)
    return [" ".join(strip_tags(re.sub(r"(?<=>)(?=<)", " ", line)).split()) for line in lines]


@pytest.fixture
def evening(session: Session) -> Session:
    """An evening with a bit of everything."""
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=10000)
    settle(session)
    act(Penalty, session, seat=2, points=1, to=[3], note="out of turn")
    act(ChangeTerms, session, stake=200, pair_stakes=[(1, 2, 1000)], note="late")
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL), note="mixed up")
    act(SitOut, session, seat=3)
    act(ledger.undo, session)
    session.refresh_from_db()
    return session


def test_the_newest_is_first_and_says_who_did_what(client: Client, evening: Session) -> None:
    lines = event_lines(client, evening)
    assert [int(line.split(".")[0]) for line in lines] == list(range(11, 0, -1))
    assert "11. Undone" in lines[0]
    assert "host: Number 10: sits out." in lines[0]
    assert "10. Sits out undone by 11" in lines[1]
    assert "At the table was Ann, Bob, Cat → , is Ann, Bob, Cat (sits out)" in lines[1]
    assert "host: Ann, Bob and Cat, 1.00 EUR a point, Regular." in lines[-1]


def test_what_the_app_remarks_is_not_said_to_be_by_anyone(client: Client, session: Session) -> None:
    settle(session)
    settle(session, remark=Remark(changed=[(2, "AhAdKc//")], other_cards=[(1, 1)]))
    line, *_ = event_lines(client, session)
    assert (
        " host Changed after Fantasyland was shown: Bob (before: AhAdKc//). Other cards than in hand 1,"
        " which was undone: Ann."
    ) in line


def test_a_row_that_was_typed_in_another_way_was_not_changed(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    spaced = replace(STRONG, front="Ah Ad Ks", middle=" ".join(STRONG.middle[at : at + 2] for at in range(0, 10, 2)))
    other = replace(PLAIN, middle="6h6d8s9d10c", back=PLAIN.back.lower())
    act(ledger.correct_deal, session, number=1, entry=entry(s1=spaced, s2=other, s3=WEAK), note="the spade")
    corrected, *_ = event_lines(client, session)
    assert "Ann, front" in corrected
    assert "Ann, middle" not in corrected
    assert "Bob, " not in corrected


def test_how_many_later_hands_kept_their_points_is_said(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=1000)
    settle(session, Entry(points=((1, 2, 9),)))
    settle(session, Entry(points=((1, 3, 1),)))  # Ann has other stacks after the correction
    settle(session, Entry(points=((1, 2, 9),)))  # Bob pays what they have left
    act(ledger.correct_deal, session, number=1, entry=Entry(points=((1, 2, 8),)), note="eight")
    assert "2 later hands recalculated, 1 of them with the same points and money." in event_lines(client, session)[0]


def test_what_was_before_and_after_is_in_words(client: Client, evening: Session) -> None:
    lines = event_lines(client, evening)
    correction, terms, penalty, bought = lines[2], lines[4], lines[5], lines[9]
    assert "Hand 1 corrected" in correction
    assert "“mixed up”" in correction
    assert "1 later hand recalculated, with the same points and money." in correction
    assert "Ann, front was 7s8d9c → , is 5s6c9h" in correction
    assert "A point was 1.00 EUR → , is 2.00 EUR" in terms
    assert "Ann and Bob was as all → , is 10.00 EUR" in terms
    assert "host: Bob, 1 point to Cat." in penalty
    assert "“out of turn”" in penalty
    assert "Bob, stack was 100.00 → , is 99.00" in penalty
    assert "Ann, stack was nothing → , is 100.00" in bought


def test_what_each_pays_is_not_taken_for_the_sum(client: Client, db: None) -> None:
    session = start(pair_stakes=[(1, 2, 250), (1, 3, 50)])
    act(Penalty, session, seat=1, points=2, note="clock")
    act(Fee, session, amount=500, note="room")
    act(Fee, session, amount=500, seats=[3], note="late")
    opened, penalty, fee, single = reversed(event_lines(client, session))
    assert "1.00 EUR a point, 2.50 EUR between Ann and Bob, 0.50 EUR between Ann and Cat, Regular." in opened
    assert "Ann, 2 points to each of Bob and Cat." in penalty
    assert "5.00 EUR from each of Ann, Bob and Cat." in fee
    assert "5.00 EUR from Cat." in single


def test_the_rules_that_changed_are_told_by_their_sentences(client: Client, session: Session) -> None:
    act(ChangeTerms, session, rules={"preset": "regular", "fantasyland_entry": "KK"})
    newest = event_lines(client, session)[0]
    assert "Fantasyland was A legal board enters with queens or better" in newest
    assert ", is A legal board enters with kings or better" in newest
    assert "Game" not in newest


def test_a_chart_that_changed_is_told(client: Client, session: Session) -> None:
    chart = {
        "front": {"66": 1, "77": 2, "88": 3, "99": 4, "TT": 5, "JJ": 6, "QQ": 7, "KK": 8, "AA": 9}
        | {rank * 3: 10 + place for place, rank in enumerate("23456789TJQKA")},
        "middle": {"trips": 2, "straight": 4, "flush": 8, "full-house": 12, "quads": 20}
        | {"straight-flush": 30, "royal-flush": 50},
        "back": {"straight": 2, "flush": 4, "full-house": 6, "quads": 10, "straight-flush": 15, "royal-flush": 25},
    }
    act(ChangeTerms, session, rules={"royalties": chart | {"back": chart["back"] | {"flush": 5}}})
    act(ChangeTerms, session, rules={"royalties": chart | {"back": chart["back"] | {"flush": 6}}})
    newest, before = event_lines(client, session)[:2]
    assert "Royalties was the chart before → , is another chart" in newest
    assert ", is The table&#x27;s own chart." in before


def test_points_and_fantasyland_are_told(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 3),)))
    act(SetNext, session, button=3, fantasyland={1: 13}, note="as the table had it")
    act(ledger.correct_deal, session, number=1, entry=Entry(points=((1, 2, -4), (1, 3, 1))), note="")
    correction, fantasyland = event_lines(client, session)[:2]
    assert "Points was Ann 3 from Bob → , is Bob 4 from Ann; Ann 1 from Cat" in correction
    assert "Button was Bob → , is Cat" in fantasyland
    assert "Fantasyland was nobody → , is Ann with 13 cards" in fantasyland


def test_of_one_hand_with_what_settled_it_again(client: Client, evening: Session) -> None:
    assert [line.split(".")[0] for line in event_lines(client, evening, "?hand=2")] == ["9", "8"]
    assert event_lines(client, evening, "?hand=7") == []
    opened = form(client.get(f"/s/{evening.public_id}/history/"), "Show")
    for nonsense in ("7", "0", "-1", "two", "²"):
        shown = opened.fill({"hand": nonsense}).press()
        assert f"There is no hand {nonsense}." in shown.content.decode()
        assert form(shown, "Show").fields() == {"hand": [nonsense]}
    assert "History of hand 2" in opened.fill({"hand": "2"}).press().content.decode()
    assert event_lines(client, evening, "?hand=") == event_lines(client, evening)


def test_a_page_at_a_time(client: Client, session: Session) -> None:
    for _ in range(33):
        settle(session)
    address = f"/s/{session.public_id}/history/"
    first = client.get(address).content.decode()
    assert event_lines(client, session)[-1].startswith("5. Hand 4 settled")
    older = re.search(r'href="(\?before=\d+)">Older', first)
    assert older is not None
    assert [line.split(".")[0] for line in event_lines(client, session, older[1])] == ["4", "3", "2", "1"]
    last = client.get(address + older[1]).content.decode()
    assert ">Older<" not in last
    assert ">Newest<" in last


def test_reading_it_costs_the_same_however_long_it_is(client: Client, session: Session) -> None:
    def statements() -> int:
        reads.forget_cached()
        with CaptureQueriesContext(connection) as seen:
            client.get(f"/s/{session.public_id}/history/")
        return len(seen)

    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL), note="")
    client.get(f"/s/{session.public_id}/history/")
    few = statements()
    for number in range(2, 8):
        settle(session)
        act(ledger.correct_deal, session, number=number, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL), note="")
    assert statements() == few


def test_it_is_only_read_and_only_where_it_is(client: Client, session: Session) -> None:
    assert post_nothing(client, f"/s/{session.public_id}/history/").status_code == 405
    assert client.get("/s/nobody/history/").status_code == 404
    assert client.get(f"/s/{session.public_id}/history/?hand=x&before=-1").status_code == 200
