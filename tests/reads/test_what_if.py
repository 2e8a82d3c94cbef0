"""What if: an evening settled again on paper is the evening that was really played by those rules."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from scoring import ledger, reads
from scoring.exports.club_document import of_club
from scoring.game.entry import Entry, Rows
from scoring.models import Event, Session
from scoring.rules.document import score
from scoring.rules.errors import RulesError
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.ledger.test_random_evenings import something
from tests.reads.test_statistics import random_evening

pytestmark = pytest.mark.django_db

TWO_FOUR = resolve({"scoring": "2-4"})
HANDS = (LEVEL, entry(s1=WEAK, s2=PLAIN, s3=FOUL), entry(s1=FOUL, s2=WEAK, s3=PLAIN))
"""Nobody goes to Fantasyland in any of them, so that what was dealt is the same by all rules."""


def gains(hands: list[reads.WhatIf], *, then: bool) -> dict[str, tuple[int, int]]:
    """Points and money by name, over these hands."""
    found: dict[str, tuple[int, int]] = {}
    for hand in hands:
        for player in (hand.then if then else hand.was)["players"]:
            points, money = found.get(player["name"], (0, 0))
            found[player["name"]] = points + player["points"], money + player["money"]
    return found


@pytest.mark.parametrize(
    "rules",
    [
        TWO_FOUR,
        resolve({"scoring": "1-4", "royalties": "flat-20"}),
        resolve({"royalty_payment": "row-winner"}),
        resolve({"row_order": "strict"}),
    ],
)
@pytest.mark.parametrize("buy_in", [0, 500])
def test_it_is_the_evening_that_would_have_been_played(rules: HouseRules, buy_in: int) -> None:
    first = HANDS[:1] if buy_in else HANDS  # chips begin a later hand as they did, not as these rules would leave them
    as_played, by_them = (start(buy_in=buy_in, rules=each) for each in ("regular", rules.as_document()))
    for boards in first:
        settle(as_played, boards)
        settle(by_them, boards)
    assert gains(reads.what_if(as_played, rules, 1, 9), then=True) == gains(
        reads.what_if(by_them, rules, 1, 9), then=False
    )


def test_the_same_rules_change_nothing(session: Session) -> None:
    for boards in HANDS:
        settle(session, boards)
    hands = reads.what_if(session, resolve(session.rules), 1, 9)
    assert [hand.number for hand in hands] == [1, 2, 3]
    assert not any(hand.differs for hand in hands)


def test_who_was_in_fantasyland_stays_there(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # aces in front
    settle(session, entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    _, second = reads.what_if(session, resolve({"fantasyland_entry": "none"}), 1, 2)
    assert second.would is not None
    assert [player.get("fantasyland_cards") for player in second.document["players"]].count(13) == 1
    assert not second.differs


def test_a_void_hand_is_left_out_and_a_corrected_one_counts_as_it_is_now(session: Session) -> None:
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    act(ledger.correct_deal, session, number=2, entry=entry(s1=WEAK, s2=PLAIN, s3=FOUL), note="seats")
    (hand,) = reads.what_if(session, TWO_FOUR, 1, 9)
    assert (hand.number, hand.then["players"][0]["name"]) == (2, hand.was["players"][0]["name"])
    assert gains([hand], then=False)["Bob"][0] == 12


def test_what_the_table_scored_itself_stays(session: Session) -> None:
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    (hand,) = reads.what_if(session, TWO_FOUR, 1, 1)
    assert hand.by_the_table
    assert not hand.differs


def test_a_hand_that_the_rules_cannot_take_stays_and_says_why() -> None:
    session = start(rules="double-deck")
    settle(session, entry(s1=STRONG, s2=STRONG, s3=WEAK))  # each card twice
    (hand,) = reads.what_if(session, PRESETS["regular"], 1, 1)
    assert hand.would is None
    assert hand.then is hand.was
    assert "also in" in hand.problems[0].message


def test_ranks_alone_are_scored_as_far_as_they_go(session: Session) -> None:
    settle(session, entry(s1=Rows("AAK", "22233", "44445"), s2=Rows("789", "6689T", "7788T"), s3=WEAK))
    (hand,) = reads.what_if(session, resolve({"royalty_payment": "row-winner"}), 1, 1)
    assert hand.would is not None


def test_nothing_is_written(session: Session) -> None:
    settle(session)
    before = Event.objects.count(), session.version
    reads.what_if(session, TWO_FOUR, 1, 1)
    session.refresh_from_db()
    assert (Event.objects.count(), session.version) == before


def test_it_takes_as_many_statements_for_one_hand_as_for_many(session: Session, statements: list[str]) -> None:
    settle(session)
    statements.clear()
    reads.what_if(session, TWO_FOUR, 1, 200)
    few = len(statements)
    for _ in range(5):
        settle(session)
    statements.clear()
    reads.what_if(session, TWO_FOUR, 1, 200)
    assert len(statements) == few <= 4


def figures_of(result: Any) -> Any:
    """What a comparison reads of a result."""
    players = [[player.get("foul", False), player["points"], player["money"]] for player in result["players"]]
    parts = ("players", "row_points", "bonus", "royalties", "points", "paid")
    return players, sorted([pair[part] for part in parts] for pair in result["pairs"])


@pytest.mark.parametrize("seed", range(4))
def test_random_evenings_agree_with_their_document(seed: int) -> None:
    """Whatever happened in an evening, each hand is what the engine says of the document that anybody can download."""
    chance = random.Random(900 + seed)
    evening = random_evening(seed, None, chance)
    for _ in range(40):
        something(evening, chance)
    session = evening.session
    session.refresh_from_db()
    (exported,) = json.loads(b"".join(of_club(session.club)))["sessions"]
    for rules in (TWO_FOUR, replace(resolve(session.rules), royalty_payment="row-winner", row_order="strict")):
        hands = {hand.number: hand for hand in reads.what_if(session, rules, 1, 500)}
        counted = [deal for deal in exported["deals"] if deal.get("result")]
        assert sorted(hands) == [deal["number"] for deal in counted]
        for deal in counted:
            hand = hands[deal["number"]]
            try:
                answer = score({**deal["document"], "rules": rules.as_document()})
            except RulesError:
                assert hand.would is None
                continue
            assert figures_of(hand.then) == figures_of(answer)
            assert figures_of(hand.was) == figures_of(deal["result"])
            whole = reads.what_if_deal(session, rules, deal["number"])
            assert whole is not None
            compared, was, would = whole
            assert compared.differs == hand.differs
            assert was.result == deal["result"]
            assert [pair["why"] for pair in would.result["pairs"]] == [pair["why"] for pair in answer["pairs"]]
            before = [(pair["players"], pair["points"], pair["paid"]) for pair in deal["result"]["pairs"]]
            after = [(pair["players"], pair["points"], pair["paid"]) for pair in answer["pairs"]]
            assert hand.differs == (sorted(before) != sorted(after))
