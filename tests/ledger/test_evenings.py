"""Whole evenings, with every expected figure worked out by hand."""

from __future__ import annotations

import pytest

from scoring import ledger, reads
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut
from scoring.game.balances import Balance
from scoring.game.entry import Entry, Rows
from scoring.game.errors import LedgerError
from scoring.game.payments import Payment, payments
from scoring.models import Deal, Revision, Session
from tests.ledger.conftest import act, entry, money, points, settle, start, table, totals, verbs


def typed(**boards: str) -> Entry:
    """An entry from boards as people type them: s1="QQ7 / AA44J / 89TJQ"."""
    return entry(**{seat: Rows(*(row.strip() for row in text.split("/"))) for seat, text in boards.items()})


FLUSH = typed(s1="K95 / 66A87 / QT842f", s2="J73 / 55KT3 / 99A62", s3="T42 / 44KQ8 / JJA53")
"""Ann wins every row: from each opponent 6, and 4 for the flush. Bob wins two rows of three from Cat: 1."""
ONE_FOUL = typed(s1="227 / AA44J / 89TJQ", s2="227 / KK339 / QQ88J", s3="965 / 55KT3 / 66A87")
"""Bob fouls (kings up over queens up): 6 to each, 2 more to Ann for the straight. Ann wins every row from Cat: 8."""
NO_FOUL = typed(s1="227 / AA44J / 89TJQ", s2="227 / QQ88J / KK339", s3="965 / 55KT3 / 66A87")
"""The same with Bob's rows the right way round. Bob wins every row from Cat: 6.

Ann wins two rows from Bob, with the front tied, and 2 for the straight: 4."""
TWO_FOULS = typed(s1="KK2 / 77862 / 9TJ65", s2="TT3 / 22865 / J98Q5", s3="QQ7 / KK339 / AA44J")
"""Ann and Bob foul and owe each other nothing; each pays Cat 6, and 7 for the queens, which earn Fantasyland."""
QUADS = typed(s1="AQJ / KK985 / 66663", s2="AJ3 / 44T52 / TT8J5", s3="AK9 / QQT84 / 77772")
"""Quad sevens against quad sixes in the back. The sevens keep Cat in Fantasyland.

Cat wins the front and the back from Ann, Ann wins the middle, and the royalties cancel: 1. Both win every row from Bob,
plus royalties: 6 and 10 each."""


def test_ann_and_bob_at_ten_a_point_everyone_else_at_one(db):
    session = start(stake=100, pair_stakes=[(1, 2, 1000)])

    settle(session, FLUSH)  # Ann has the button
    assert points(session) == {1: 20, 2: -9, 3: -11}
    assert money(session) == {1: 10_000 + 1_000, 2: -10_000 + 100, 3: -1_000 - 100}

    settle(session, ONE_FOUL)  # Bob
    assert points(session) == {1: 20 + 16, 2: -9 - 14, 3: -11 - 8 + 6}
    assert money(session) == {1: 11_000 + 8_800, 2: -9_900 - 8_600, 3: -1_100 - 200}

    settle(session, TWO_FOULS)  # Cat
    assert points(session) == {1: 36 - 13, 2: -23 - 13, 3: -13 + 26}
    assert money(session) == {1: 19_800 - 1_300, 2: -18_500 - 1_300, 3: -1_300 + 2_600}
    assert table(session).fantasyland == {3: 13}

    settle(session, QUADS)  # Cat again, in Fantasyland, and stays there
    assert points(session) == {1: 23 + 16 - 1, 2: -36 - 32, 3: 13 + 17}
    assert money(session) == {1: 18_500 + 16_000 - 100, 2: -19_800 - 16_000 - 1_600, 3: 1_300 + 1_700}
    assert (table(session).button, table(session).fantasyland) == (3, {3: 13})

    settle(session, FLUSH)  # Cat a third time, and does not stay
    assert points(session) == {1: 38 + 20, 2: -68 - 9, 3: 30 - 11}
    assert money(session) == {1: 34_400 + 11_000, 2: -37_400 - 9_900, 3: 3_000 - 1_100}
    assert (table(session).button, table(session).fantasyland) == (1, {})
    assert table(session).orbits == 1

    settle(session, ONE_FOUL)  # Ann
    totals = {1: 45_400 + 8_800, 2: -47_300 - 8_600, 3: 1_900 - 200}
    assert points(session) == {1: 74, 2: -91, 3: 17}
    assert money(session) == totals

    settle(session, FLUSH)  # Bob; the cards were not shuffled, so the deal is voided
    act(ledger.void_deal, session, number=7)
    assert money(session) == totals
    assert table(session).button == 2

    # Bob's rows in deal 2 had been written down the wrong way round.
    shown = ledger.preview_correction(session=session, number=2, entry=NO_FOUL)
    assert [change.number for change in shown.changes] == [2]
    act(ledger.correct_deal, session, number=2, entry=NO_FOUL, note="Bob's middle and back were swapped")
    # Deal 2 was Ann 16, Bob -14, Cat -2; it is now 4 + 8, -4 + 6, -8 - 6.
    assert points(session) == {1: 74 - 4, 2: -91 + 16, 3: 17 - 12}
    assert money(session) == {1: 54_200 - 4_000, 2: -55_900 + 5_200, 3: 1_700 - 1_200}

    state = reads.state(session)
    assert state.matrix[1, 2] == Balance(points=10 + 4 + 0 + 16 + 10 + 8, money=48_000)
    assert state.matrix[1, 3] == Balance(points=10 + 8 - 13 - 1 + 10 + 8, money=2_200)
    assert state.matrix[2, 3] == Balance(points=1 + 6 - 13 - 16 + 1 - 6, money=-2_700)
    assert payments(state.balances) == [Payment(2, 1, 50_200), Payment(2, 3, 500)]

    page = reads.ledger_page(session)
    assert [hand.number for hand in page.deals] == [7, 6, 5, 4, 3, 2, 1]
    assert page.deals[0].points == {}  # void
    assert {seat: one.points for seat, one in page.deals[-2].running.items() if seat > 0} == {1: 32, 2: -7, 3: -25}
    assert {seat: one.money for seat, one in page.deals[0].running.items() if seat > 0} == money(session)
    dealt = {
        revision.deal.number: [player.get("fantasyland_cards") for player in revision.document["players"]]
        for revision in Revision.objects.filter(kind="settle").select_related("deal")
        if revision.document is not None
    }
    assert {number for number, cards in dealt.items() if any(cards)} == {4, 5}

    act(ledger.close_session, session)
    assert {(each.player, each.points, each.money) for each in reads.standings(session.club)} == {
        ("Ann", 70, 50_200),
        ("Bob", -75, -50_700),
        ("Cat", 5, 500),
    }


def chips_after(hands: list[tuple[int, int, int]], stacks: dict[int, int]) -> list[dict[int, int]]:
    """Stacks after every deal at table stakes, for three players at 1 per point with the button going round.

    Each item of ``hands`` is the points that seat 1 wins from 2, 1 from 3, and 2 from 3. Nobody pays or wins more than
    they have.
    """
    found = []
    for number, (one_two, one_three, two_three) in enumerate(hands):
        stacks = dict(stacks)
        won = {(1, 2): one_two, (1, 3): one_three, (2, 3): two_three}
        order = [(number + step) % 3 + 1 for step in (1, 2, 0)]
        for first, second in ((order[0], order[1]), (order[0], order[2]), (order[1], order[2])):
            amount = won[first, second] if first < second else -won[second, first]
            winner, loser = (first, second) if amount > 0 else (second, first)
            paid = min(abs(amount), stacks[loser], stacks[winner])
            stacks[winner] += paid
            stacks[loser] -= paid
        found.append(stacks)
    return found


TWELVE = [
    (4, -2, 1), (-6, 3, 0), (9, 9, -2), (-1, -8, 4), (0, 12, 6), (7, -7, 7),
    (-20, 5, 5), (3, 3, -9), (11, -4, 2), (-2, 6, 13), (8, -1, -1), (-5, 2, 10),
]  # fmt: skip


def scored(hand: tuple[int, int, int]) -> Entry:
    pairs = zip(((1, 2), (1, 3), (2, 3)), hand, strict=True)
    return Entry(points=tuple((first, second, won) for (first, second), won in pairs))


def limited(*chips: int) -> Session:
    session = start(stake=1)
    for seat, amount in enumerate(chips, 1):
        act(BuyIn, session, seat=seat, amount=amount)
    return session


def test_hand_3_is_corrected_after_hand_12(db):
    session = limited(60, 60, 60)
    for hand in TWELVE:
        settle(session, scored(hand))
    before = chips_after(TWELVE, {1: 60, 2: 60, 3: 60})
    stacks = [
        {board.seat.number: board.stack_after for board in revision.boards.select_related("seat")}
        for revision in Revision.objects.order_by("deal__number")
    ]
    assert stacks == before

    really = [*TWELVE[:2], (-9, 9, -2), *TWELVE[3:]]
    after = chips_after(really, {1: 60, 2: 60, 3: 60})
    shown = ledger.preview_correction(session=session, number=3, entry=scored(really[2]))
    assert [change.number for change in shown.changes] == list(range(3, 13))
    assert shown.changes[0].because == ("entry",)
    assert {change.because for change in shown.changes[1:]} == {("stacks",)}
    act(
        ledger.correct_deal,
        session,
        number=3,
        entry=scored(really[2]),
        note="The other way round",
        version=shown.version,
    )

    assert dict(table(session).stacks or {}) == {seat: chips for seat, chips in after[-1].items() if chips}
    for change, stacks_then, stacks_now in zip(shown.changes, before[2:], after[2:], strict=True):
        for outcome, expected in ((change.before, stacks_then), (change.after, stacks_now)):
            assert outcome is not None
            players = zip(outcome.seats, outcome.result["players"], strict=True)
            assert {seat: player["stack"] for seat, player in players} == expected
        stored = reads.stored_deal(Deal.objects.get(number=change.number))
        assert stored is not None
        assert stored.outcome() == change.after
    assert sum(after[-1].values()) == 180
    assert totals(session)[-1].chips == -180

    act(ledger.undo, session)
    assert dict(table(session).stacks or {}) == before[-1]


def test_the_published_settlement(db):
    """Stacks of 5, 10 and 135, with each pair in turn owing more than the caps allow, end as 20, 0 and 130."""
    session = start(stake=1, button=3)
    for seat, amount in enumerate((5, 10, 135), 1):
        act(BuyIn, session, seat=seat, amount=amount)
    settle(session, scored((50, 50, -100)))
    assert table(session).stacks == {1: 20, 3: 130}
    with pytest.raises(LedgerError, match="out of chips"):
        settle(session, scored((1, 1, 1)))
    act(BuyIn, session, seat=2, amount=100)
    settle(session, scored((1, 1, 1)))


def test_a_fourth_comes_to_a_pineapple_table_and_one_goes(db):
    session = start(rules="pineapple", stake=1)
    scores = {(1, 2): 3, (1, 3): 2, (1, 4): 1, (2, 3): 4, (2, 4): -2, (3, 4): 5}
    expected = dict.fromkeys(range(1, 5), 0)

    def play(lineup: tuple[int, ...]) -> None:
        assert table(session).lineup() == lineup
        pairs = {pair: won for pair, won in scores.items() if set(pair) <= set(lineup)}
        settle(session, Entry(points=tuple((one, other, won) for (one, other), won in pairs.items())))
        for (one, other), won in pairs.items():
            expected[one] += won
            expected[other] -= won

    play((2, 3, 1))
    act(Join, session, name="Dan")
    play((3, 4, 1))  # Bob has the button and sits out
    play((4, 1, 2))  # Cat
    act(Fee, session, amount=10, note="The room, first hour")
    play((1, 2, 3))  # Dan
    assert table(session).orbits == 1
    act(Leave, session, seat=2)  # Ann has the button; three are left, and nobody sits out
    play((3, 4, 1))
    act(SitOut, session, seat=4)
    play((1, 3))
    act(SitIn, session, seat=4)
    play((3, 4, 1))
    act(Penalty, session, seat=4, points=3, note="Missed their turn")
    for seat in (1, 3):
        expected[seat] += 3
        expected[4] -= 3
    act(Join, session, name="Bob", after=1)
    play((4, 1, 2))
    assert points(session) == expected
    squared = payments(totals(session))
    assert len(squared) == 4  # four players and the house
    assert verbs(session).count("settle") == 8
