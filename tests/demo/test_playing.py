"""The demo is made whole and soundly, plays on one step at a time, and leaves nothing of what it played before."""

from __future__ import annotations

import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring import club as clubs
from scoring import demo, drafts, ledger, reads
from scoring.actions.people import Leave
from scoring.demo.deals import EVENINGS, deals_of
from scoring.demo.evenings import DISPUTED, MISREAD
from scoring.demo.playing import REST
from scoring.game.entry import Entry
from scoring.ledger import audit
from scoring.models import DEMO, Club, Deal, Dispute, Event, Session, Tally
from scoring.rules.cards import parse_row
from scoring.transactions import writing
from tests.demo.conftest import counts, last
from tests.ledger.conftest import act, start

STEPS_OF_A_HAND = 4
"""Three boards, and the settlement."""


def findings() -> list[str]:
    return [str(finding) for finding in audit.of_everything()]


def played_out() -> Session:
    """Tonight's session after its last hand, closed."""
    for _ in range(EVENINGS["tonight"].deals * STEPS_OF_A_HAND + 1):
        demo.move_on()
    return last()


# --- The hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("evening", EVENINGS)
def test_each_hand_is_dealt_from_one_deck_to_who_is_there(evening: str) -> None:
    hands = deals_of(evening)
    assert len(hands) == EVENINGS[evening].deals
    for number, boards in enumerate(hands, start=1):
        assert tuple(boards) == EVENINGS[evening].dealt_in(number)
        cards = [
            card
            for rows in boards.values()
            for row in (rows.front, rows.middle, rows.back)
            for card in parse_row(row).cards
        ]
        assert len(set(cards)) == len(cards) == 13 * len(boards)
        assert all(card.suit for card in cards)


# --- Making it ------------------------------------------------------------------------------------


def test_it_has_three_finished_sessions_and_one_that_goes_on(club: Club) -> None:
    found = list(Session.objects.filter(club=club).order_by("number"))
    assert [session.deals for session in found] == [EVENINGS[name].deals for name in ("points", "money", "cash")] + [0]
    assert [session.closed_at is None for session in found] == [False, False, False, True]
    points, money, cash, _ = found
    highlights = reads.highlights(points)
    assert max(feat.last - feat.first for feat in highlights.fantasyland) == 2  # somebody stayed twice
    assert Event.objects.filter(session=points, verb="agree").count() == 3
    assert sum(highlights.fouls.values()) + sum(reads.highlights(money).fouls.values()) > 2
    assert Deal.objects.get(session=money, number=MISREAD).revision == 2
    dispute = Dispute.objects.get(deal__session=money)
    assert (dispute.deal.number, dispute.resolved is None) == (DISPUTED, False)
    assert reads.seating(money)[1].pair_stakes == {(1, 4): 200}
    assert [len(tab.open) for tab in reads.tabs(club)] == [1]
    assert (cash.stacks, cash.cash) == (True, True)
    assert reads.open_payments(cash).open == reads.open_payments(points).open == []


def test_the_audit_finds_nothing(club: Club) -> None:
    assert findings() == []
    for _ in range(10):
        demo.move_on()
    assert last().deals == 2
    assert findings() == []


def test_the_same_is_made_each_time(club: Club) -> None:
    def outcome() -> list[object]:
        events = Event.objects.filter(session__club__public_id=DEMO).order_by("session__number", "n")
        return list(
            events.exclude(verb__in=("start", "agree", "join")).values_list("session__number", "verb", "action", "note")
        )

    before = outcome()
    call_command("demo", "--anew", "--steps", "0", stdout=StringIO())
    assert outcome() == before


def test_it_is_never_idle(club: Club) -> None:
    later = timezone.now() + timedelta(days=1)
    others = start()
    assert list(clubs.idle_since(later)) == [others]


# --- Playing on -----------------------------------------------------------------------------------


def test_a_board_comes_in_at_a_time_and_then_the_hand_is_settled(tonight: Session) -> None:
    seen = []
    for _ in range(STEPS_OF_A_HAND + 1):
        demo.move_on()
        seen.append((last().deals, len(drafts.of(last()))))
    assert seen == [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1)]


def test_within_a_window_of_time_one_step_is_made(tonight: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    for _ in range(3):
        demo.step()
    assert len(drafts.of(last())) == 1
    now[0] += 8
    demo.step()
    assert len(drafts.of(last())) == 2
    assert Tally.objects.filter(what__startswith="demo-step").count() == 1


def test_the_session_begins_again_and_leaves_no_rows(tonight: Session) -> None:
    before = counts()
    closed = played_out()
    assert (closed.pk, closed.deals) == (tonight.pk, EVENINGS["tonight"].deals)
    assert closed.closed_at is not None
    assert findings() == []
    assert demo.move_on()  # it stays closed for a while, and somebody has to come back
    assert last().pk == tonight.pk
    with writing():
        Session.objects.filter(pk=closed.pk).update(closed_at=timezone.now() - REST)
    assert not demo.move_on()
    fresh = last()
    assert (fresh.deals, fresh.closed_at) == (0, None)
    assert fresh.public_id != tonight.public_id
    assert counts() == before
    assert findings() == []
    assert Club.objects.get(public_id=DEMO).dropped == []


def test_a_session_that_somebody_has_changed_begins_again(tonight: Session) -> None:
    """Only an operator can, who has made a host's link."""
    act(Leave, tonight, seat=2)
    for _ in range(STEPS_OF_A_HAND):
        demo.move_on()
    assert last().pk != tonight.pk
    assert last().deals == 0
    assert findings() == []


def test_a_hand_that_was_undone_is_played_again(tonight: Session) -> None:
    for _ in range(STEPS_OF_A_HAND):
        demo.move_on()
    session = last()
    act(ledger.undo, session)
    for _ in range(STEPS_OF_A_HAND):
        demo.move_on()
    assert last().deals > session.deals
    assert findings() == []


def test_only_the_demos_last_session_can_be_taken_back(club: Club, tonight: Session) -> None:
    first = Session.objects.get(club=club, number=1)
    for session in (first, start()):
        with pytest.raises(ValueError, match="is not the demo's last"):
            clubs.take_back_last(session)
        assert Session.objects.filter(pk=session.pk).exists()


def test_what_was_misread_and_corrected_is_what_was_played(club: Club) -> None:
    money = Session.objects.get(club=club, number=2)
    deal = Deal.objects.get(session=money, number=MISREAD)
    assert deal.revisions.get(n=2).entry == Entry(deals_of("money")[MISREAD - 1]).as_document()
    assert deal.revisions.get(n=1).entry != deal.revisions.get(n=2).entry
