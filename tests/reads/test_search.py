"""Hands are found by what the club's document says of them: a second, slow computation agrees on random evenings."""

from __future__ import annotations

import itertools
import random
from dataclasses import astuple
from typing import Any

import pytest

from scoring import ledger, reads
from scoring.game.entry import Entry
from scoring.models import Session
from scoring.reads import Sought
from tests.actions.everything import everything
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, settle
from tests.ledger.test_random_evenings import PRESETS, Evening, something
from tests.reads.test_curve import exported


def numbers(session: Session, **sought: Any) -> list[int]:
    return [deal.number for deal in reads.search(session, Sought(**sought))]


# --- A second computation ---------------------------------------------------------------------------


def is_found(deal: dict[str, Any], document: dict[str, Any], sought: Sought) -> bool:
    """Whether this deal of the club's document is sought."""
    number, events = deal["number"], document["events"]
    about = {event["verb"] for event in events if event["deal"] == number}
    if sought.disputed and "dispute" not in about:
        return False
    if sought.corrected and "correct" not in about:
        return False
    if sought.void and not deal["void"]:
        return False
    if not (sought.of_a_board or sought.biggest):
        return True
    if deal["void"]:
        return False
    if not sought.of_a_board:
        return True
    wanted = {seat["name"] for seat in document["seats"] if sought.seat in (0, seat["seat"])}
    return any(
        given["name"] in wanted
        and (not sought.foul or scored.get("foul"))
        and (not sought.fantasyland or given.get("fantasyland_cards"))
        and (not sought.row or royalty(scored, sought.row) >= sought.least)
        for given, scored in zip(deal["document"]["players"], deal["result"]["players"], strict=True)
    )


def royalty(scored: dict[str, Any], row: str) -> int:
    """The highest royalty of these rows."""
    rows = scored.get("rows") or {}
    names = ("front", "middle", "back") if row == "any" else (row,)
    found: list[int] = [rows[name]["royalty"] for name in names if rows.get(name)]
    return max(found, default=0)


def size(deal: dict[str, Any], document: dict[str, Any], sought: Sought) -> int:
    names = {seat["name"] for seat in document["seats"] if seat["seat"] == sought.seat}
    points: dict[str, int] = {player["name"]: player["points"] for player in deal["result"]["players"]}
    return max(abs(won) for name, won in points.items() if name in names) if names else max(points.values())


def naive(document: dict[str, Any], sought: Sought) -> list[int]:
    found = [deal for deal in reversed(document["deals"]) if is_found(deal, document, sought)]
    if sought.biggest:
        found.sort(key=lambda deal: size(deal, document, sought), reverse=True)
    return [deal["number"] for deal in found]


def questions(seats: list[int]) -> list[Sought]:
    """Every combination of what a hand can be, with a few players and royalties."""
    flags = ("foul", "fantasyland", "disputed", "corrected", "void", "biggest")
    ticked = [dict(zip(flags, each, strict=True)) for each in itertools.product((False, True), repeat=len(flags))]
    rows = [("", 1), ("any", 1), ("front", 1), ("middle", 2), ("back", 6)]
    return [
        Sought(seat=seat, row=row, least=least, **ticks) for seat in seats for row, least in rows for ticks in ticked
    ]


def parts(sought: Sought) -> int:
    """How many things at once are sought."""
    return sum(value != default for value, default in zip(astuple(sought), astuple(Sought()), strict=True))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_both_computations_find_the_same_hands_of_a_random_evening(seed: int) -> None:
    """Evenings with voids, corrections, disputes, limited chips, points without cards and undone things."""
    chance = random.Random(300 + seed)
    evening = Evening()
    evening.start(
        count=chance.randint(2, 4),
        button=1,
        preset=PRESETS[seed % len(PRESETS)],
        stake=100,
        dear=False,
        chips=[0, 100_000, 0][seed],
        cash=False,
    )
    for step in range(70):
        something(evening, chance)
        if step % 10 == 9:
            evening.dispute(back=chance.randrange(4))
    session = evening.session
    session.refresh_from_db()
    document = exported(session)
    asked = questions([0, 1, 2])
    found = 0
    for sought in [*(each for each in asked if parts(each) <= 2), *chance.sample(asked, 60)]:
        mine = numbers_of(session, sought)
        assert mine == naive(document, sought), sought
        found += bool(mine)
    assert found > 25  # many combinations never come together


def numbers_of(session: Session, sought: Sought) -> list[int]:
    return [deal.number for deal in reads.search(session, sought)]


def test_both_computations_agree_on_an_evening_with_every_action(db: None) -> None:
    session = everything()
    document = exported(session)
    for sought in questions([0, 3])[::3]:
        assert numbers_of(session, sought) == naive(document, sought), sought


# --- Examples ---------------------------------------------------------------------------------------

ACES = entry(s1=STRONG, s2=PLAIN, s3=WEAK)


def test_hands_are_found_by_what_one_player_had(session: Session) -> None:
    settle(session)  # Cat fouls
    settle(session, ACES)  # Ann has royalties of 9, 12 and 10, and earns Fantasyland
    settle(session, ACES)  # and is in it
    settle(session, entry(s1=PLAIN, s2=FOUL, s3=WEAK))
    assert numbers(session, foul=True) == [4, 1]
    assert numbers(session, foul=True, seat=3) == [1]
    assert numbers(session, fantasyland=True) == [4, 3]
    assert numbers(session, fantasyland=True, seat=2) == []
    assert numbers(session, row="front", least=9) == [3, 2]
    assert numbers(session, row="front", least=10) == []
    assert numbers(session, row="any", least=12) == [3, 2]
    assert numbers(session, row="back", seat=2) == []
    assert numbers(session, seat=1) == [4, 3, 2, 1]
    assert numbers(session, foul=True, fantasyland=True) == []  # in hand 4 they are two players


def test_the_biggest_hand_comes_first(session: Session) -> None:
    settle(session)
    settle(session, ACES)
    settle(session)
    assert numbers(session, biggest=True) == [2, 3, 1]
    settle(session, Entry(points=((1, 2, 0), (1, 3, 5), (2, 3, 95))))
    assert numbers(session, biggest=True) == [4, 2, 3, 1]
    assert numbers(session, biggest=True, seat=1) == [2, 3, 1, 4]
    assert numbers(session, biggest=True, seat=3) == [4, 2, 3, 1]  # who lost most in hand 4


def test_a_void_hand_is_found_by_what_was_done_about_it_and_not_by_its_boards(session: Session) -> None:
    settle(session)
    settle(session, ACES)
    act(ledger.correct_deal, session, number=2, entry=LEVEL, note="swapped")
    dispute = act(ledger.dispute, session, number=2, note="Hm")
    act(ledger.void_deal, session, number=2, note="misdeal")
    assert numbers(session, void=True) == numbers(session, disputed=True) == [2]
    assert numbers(session, corrected=True, void=True) == [2]
    assert numbers(session, foul=True) == numbers(session, seat=1) == numbers(session, biggest=True) == [1]
    (found,) = reads.search(session, Sought(void=True))
    assert (found.points, found.disputed, found.was_disputed) == ({}, True, False)
    act(ledger.resolve_dispute, session, raised=dispute.raised.n, note="no")
    (found,) = reads.search(session, Sought(disputed=True))
    assert (found.disputed, found.was_disputed) == (False, True)


def test_a_long_evening_takes_no_more_statements(session: Session, statements: list[str]) -> None:
    counts = set()
    for hands in (4, 20):
        for _ in range(hands):
            settle(session, ACES)
        act(ledger.dispute, session, number=session.deals, note="Hm")
        del statements[:]
        assert reads.search(session, Sought(seat=1, row="any", disputed=True, biggest=True))
        counts.add(len(statements))
    assert counts == {5}
