"""The database keeps the sums of a session's lines, and refuses a sum that does not fit into its column."""

from __future__ import annotations

from collections import Counter

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import F
from django.test import Client

from scoring import ledger, reads
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.game.limits import MAX_AMOUNT, MAX_SUM
from scoring.ledger import audit, line_sums, triggers
from scoring.ledger.load import numbers_of, seats_of, sums
from scoring.models import LineSum, Session
from tests.actions.everything import everything
from tests.ledger.conftest import act, money, settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db


def findings() -> list[str]:
    return [str(finding) for finding in audit.of_everything() if finding.check == "summed"]


def test_after_every_kind_of_line_the_sums_are_those_of_the_lines() -> None:
    session = everything()
    assert findings() == []
    assert session.line_sums.count() > 6


def test_the_audit_sees_a_sum_that_was_changed() -> None:
    session = everything()
    one = session.line_sums.filter(kind="deal").first()
    assert one
    LineSum.objects.filter(pk=one.pk).update(amount=F("amount") + 1)
    assert findings() == [
        f"summed: {session.public_id}: deal from seat {one.payer.number} to seat {one.payee.number} "
        f"adds up to {[one.points, one.amount]}, kept is {[one.points, one.amount + 1]}"
    ]
    LineSum.objects.filter(pk=one.pk).delete()
    assert len(findings()) == 1


def nearly_full(session: Session, *, room: int) -> None:
    """Presets the sum so that only ``room`` still fits."""
    act(SideBet, session, payer=1, payee=2, amount=1, note="red")
    LineSum.objects.filter(session=session, kind="side-bet").update(amount=MAX_SUM - room)


def test_what_is_beyond_all_counting_is_refused_and_nothing_changes(client: Client) -> None:
    session = start()
    nearly_full(session, room=MAX_AMOUNT - 1)
    before = session.version
    with pytest.raises(LedgerError, match="All amounts together would be too large"):
        act(SideBet, session, payer=1, payee=2, amount=MAX_AMOUNT, note="red")
    session.refresh_from_db()
    assert (session.version, money(session)[2]) == (before, MAX_SUM - MAX_AMOUNT + 1)
    opened = form(client.get(f"/s/{session.public_id}/side-bet/"), "Record side bet")
    bet = opened.fill({"payer": "1", "payee": "2", "amount": f"{MAX_AMOUNT // 100}.99", "note": "red"})
    refused = bet.press()
    assert refused.status_code == 422
    assert "All amounts together would be too large" in refused.content.decode()
    for page in ("", "ledger/", "side-bet/", "screen/", "history/", "close/"):
        assert client.get(f"/s/{session.public_id}/{page}").status_code == 200


def test_standings_of_evenings_that_add_up_to_more_than_a_column_holds() -> None:
    first = start()
    for session in (first, start(club=first.club), start(club=first.club)):
        nearly_full(session, room=0)
        act(ledger.close_session, session)
    standings = {each.player: each.money for each in reads.standings(first.club)}
    assert standings == {"Ann": -3 * MAX_SUM, "Bob": 3 * MAX_SUM, "Cat": 0}


def test_a_session_closes_only_with_totals_that_can_be_kept() -> None:
    session = start()
    nearly_full(session, room=0)
    act(SideBet, session, payer=3, payee=2, amount=1, note="red")
    with pytest.raises(LedgerError) as refusal:
        act(ledger.close_session, session)
    (problem,) = refusal.value.problems
    assert (problem.code, problem.where) == ("bad-value", "")
    assert problem.message == "What one player won or lost is too large an amount."


def test_sums_before_a_hand_are_those_of_its_own_session_alone() -> None:
    first, second = start(), start()
    for session, hands in ((first, 1), (second, 2)):
        for _ in range(hands):
            settle(session)
    of_one = sums(first, numbers_of(seats_of(first)))
    assert of_one
    assert Counter(sums(second, numbers_of(seats_of(second)), before=2)) == Counter(of_one)


def test_the_trigger_can_be_taken_away_and_put_back_with_all_sums() -> None:
    """As its migration does, back and forth."""

    class Editor:
        connection = connection

    session = everything()
    columns = ("payer", "payee", "kind", "in_play", "points", "amount")
    before = set(session.line_sums.values_list(*columns))
    line_sums.remove(apps, Editor)
    assert line_sums.expected(connection).keys().isdisjoint(triggers.stored(connection))
    assert not session.line_sums.exists()
    line_sums.install(apps, Editor)
    assert triggers.wrong(connection, line_sums.expected(connection)).keys().isdisjoint(line_sums.expected(connection))
    assert set(session.line_sums.values_list(*columns)) == before
    act(SideBet, session, payer=1, payee=2, amount=7, note="red")
    assert findings() == []
