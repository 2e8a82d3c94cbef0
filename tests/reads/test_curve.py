"""The curve of a session: its figures agree with the lines of the club's document, and its end with the totals."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.game.entry import Entry
from scoring.models import Session
from tests.actions.everything import everything
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, totals
from tests.ledger.test_random_evenings import PRESETS, Evening, something

Figures = dict[int, list[tuple[int, int]]]
"""Points and money of each seat, column by column."""


def found(session: Session) -> reads.Curve:
    session.refresh_from_db()
    return reads.curve(session)


def figures(curve: reads.Curve) -> Figures:
    return {seat: list(zip(one.points, one.money, strict=True)) for seat, one in curve.courses.items()}


# --- A second computation ---------------------------------------------------------------------------

IN_PLAY = ("penalty", "side-bet", "count")


def exported(session: Session) -> dict[str, Any]:
    """The only session of its club, as the club's document has it."""
    (document,) = json.loads(b"".join(of_club(session.club)))["sessions"]
    assert isinstance(document, dict)
    return document


def naive(document: dict[str, Any], seat: int, hand: int) -> tuple[int, int]:
    """Points and money after a hand: all lines of hands up to it, and of what was recorded before it."""
    points = money = 0
    for line in document["transfers"]:
        counts = line["deal"] <= hand if line["kind"] == "deal" else line["kind"] in IN_PLAY and line["deal"] < hand
        if counts:
            sign = (line["payee"] == seat) - (line["payer"] == seat)
            points += sign * line["points"]
            money += sign * line["amount"]
    return points, money


def columns(deals: list[dict[str, Any]], part: str, key: str, name: str) -> list[int]:
    """The places of the deals of whose player with this name the document or the result says so."""
    return [
        place
        for place, deal in enumerate(deals)
        if any(player["name"] == name and player.get(key) for player in deal[part]["players"])
    ]


def agrees(session: Session) -> None:
    """Assert that both computations agree on every figure, and on who fouled and who was in Fantasyland."""
    curve, document = found(session), exported(session)
    deals = [deal for deal in document["deals"] if not deal["void"]]
    assert curve.deals == [deal["number"] for deal in deals]
    after = [*curve.deals, *([10**6] if curve.trailing else [])]
    now = totals(session)
    names = {seat["seat"]: seat["name"] for seat in document["seats"]}
    for seat, course in curve.courses.items():
        assert list(zip(course.points, course.money, strict=True)) == [naive(document, seat, hand) for hand in after]
        assert naive(document, seat, 10**6) == (now[seat].points, now[seat].money)
        if after:
            assert (course.points[-1], course.money[-1]) == (now[seat].points, now[seat].money)
        assert not any(course.points[: course.first])
        assert not any(course.money[: course.first])
        assert course.fouls == columns(deals, "result", "foul", names[seat])
        assert course.fantasyland == columns(deals, "document", "fantasyland_cards", names[seat])
    # Nobody is left out who won or lost anything.
    assert {seat for seat, one in now.items() if seat > 0 and (one.points or one.money)} <= curve.courses.keys()


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_every_figure_of_a_random_evening_agrees_with_the_exported_lines(seed: int) -> None:
    """Evenings with voids, corrections, limited chips, changed rules, late buy-ins, undone things and payments."""
    chance = random.Random(100 + seed)
    evening = Evening()
    evening.start(
        count=chance.randint(2, 5),
        button=1,
        preset=chance.choice(PRESETS),
        stake=100,
        dear=chance.random() < 0.5,
        chips=[0, 3000, 100_000, 3000][seed],
        cash=chance.random() < 0.5,
    )
    for step in range(60):
        something(evening, chance)
        if step % 10 == 9:
            agrees(evening.session)
    ledger.close_session(session=evening.session, key="close", by="host", note="so they lay", counts=counted(evening))
    agrees(evening.session)
    assert len(found(evening.session).deals) > 5


def counted(evening: Evening) -> dict[int, int]:
    """The stacks as they lie there at the close, some of them short of what the ledger has."""
    return evening.model.close([-50, 0, 70])


def test_an_evening_with_every_action_agrees(db: None) -> None:
    agrees(everything())


# --- Examples ---------------------------------------------------------------------------------------


def test_a_session_without_a_hand_has_no_hands(session: Session) -> None:
    curve = found(session)
    assert (curve.deals, curve.trailing, figures(curve)) == ([], False, {1: [], 2: [], 3: []})


def test_hands_add_up(session: Session) -> None:
    settle(session)
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    curve = found(session)
    assert curve.deals == [1, 2]
    assert figures(curve) == {
        1: [(12, 1200), (12, 1200)],
        2: [(0, 0), (12, 1200)],
        3: [(-12, -1200), (-24, -2400)],
    }
    assert [one.fouls for one in curve.courses.values()] == [[], [], [0, 1]]


def test_what_is_recorded_between_hands_counts_in_the_next_one_and_at_the_end_by_itself(session: Session) -> None:
    act(SideBet, session, payer=2, payee=1, amount=5, note="red")
    settle(session)
    act(Penalty, session, seat=3, points=1, note="clock")
    curve = found(session)
    assert (curve.deals, curve.trailing, curve.between) == ([1], True, True)
    assert figures(curve) == {1: [(12, 1205), (13, 1305)], 2: [(0, -5), (1, 95)], 3: [(-12, -1200), (-14, -1400)]}
    settle(session)
    assert (found(session).deals, found(session).trailing) == ([1, 2], False)
    assert figures(found(session))[3] == [(-12, -1200), (-26, -2600)]


def test_what_was_recorded_and_undone_after_the_last_hand_has_no_column(session: Session) -> None:
    settle(session)
    act(SideBet, session, payer=2, payee=1, amount=5, note="red")
    act(ledger.undo, session)
    assert not found(session).trailing


def test_fees_and_payments_are_no_winnings(session: Session) -> None:
    settle(session)
    act(Fee, session, amount=10, note="room")
    act(ledger.close_session, session)
    act(ledger.pay, session, payer=3, payee=1, amount=500, note="cash")
    curve = found(session)
    assert (curve.trailing, curve.between) == (False, False)
    assert figures(curve)[1] == [(12, 1200)]


def test_a_void_hand_is_no_point_and_a_corrected_one_is_what_it_is_now(session: Session) -> None:
    settle(session)
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=2, note="misdeal")
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL), note="misread")
    curve = found(session)
    assert curve.deals == [1, 3]
    assert figures(curve)[2] == [(12, 1200), (12, 1200)]
    assert curve.courses[3].fouls == [0, 1]


def test_fantasyland_is_marked_in_the_hand_that_was_dealt_so(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session)
    settle(session)
    assert {seat: one.fantasyland for seat, one in found(session).courses.items()} == {1: [1], 2: [], 3: []}


def test_a_player_who_comes_late_and_one_who_leaves(session: Session) -> None:
    settle(session)
    act(Join, session, name="Dan")
    act(Leave, session, seat=2)
    settle(session, Entry(points=((1, 3, 1), (1, 4, 1), (3, 4, 1))))
    courses = found(session).courses
    assert {seat: one.first for seat, one in courses.items()} == {1: 0, 2: 0, 3: 0, 4: 1}
    assert courses[2].points == [0, 0]
    assert courses[4].points == [0, -2]
    act(Join, session, name="Eve")
    assert found(session).courses[5].first == 2  # nothing has happened to them


def test_a_long_evening_takes_no_more_statements(session: Session, statements: list[str]) -> None:
    counts = []
    for hands in (2, 30):
        for _ in range(hands):
            settle(session)
        act(SideBet, session, payer=2, payee=1, amount=5, note="red")
        session.refresh_from_db()
        reads.forget_cached()
        del statements[:]
        reads.curve(session)
        counts.append(len(statements))
        reads.curve(session)
        assert len(statements) == counts[-1]  # cached
    assert counts[0] == counts[1] <= 9
