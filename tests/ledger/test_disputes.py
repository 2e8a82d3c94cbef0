"""dispute, resolve_dispute."""

import pytest

from scoring import ledger, reads
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict
from tests.ledger.conftest import LEVEL, act, settle, verbs


def test_a_dispute_is_open_until_it_is_resolved(session):
    settle(session)
    settle(session)
    opened = act(ledger.dispute, session, number=1, note="My back was a flush", by="Bob")
    assert [found.raised.note for found in reads.disputes(session)] == ["My back was a flush"]
    assert [(hand.number, hand.disputed) for hand in reads.ledger_page(session).deals] == [(2, False), (1, True)]
    act(ledger.resolve_dispute, session, raised=opened.raised.n, note="It was not")
    assert reads.disputes(session) == []
    assert [each.event.verb for each in reads.history(session, deal=1)[0]] == ["resolve", "dispute", "settle"]


def test_a_dispute_changes_nothing_else(session):
    settle(session)
    button = session.button
    act(ledger.dispute, session, number=1, note="Hm", by="Bob")
    settle(session)
    assert session.button == button % 3 + 1


def test_twice_is_once(session):
    settle(session)
    one = act(ledger.dispute, session, number=1, note="Hm", key="same")
    assert act(ledger.dispute, session, number=1, note="Hm", key="same") == one
    act(ledger.resolve_dispute, session, raised=one.raised.n, note="So", key="again")
    act(ledger.resolve_dispute, session, raised=one.raised.n, note="So", key="again")
    assert verbs(session) == ["start", "settle", "dispute", "resolve"]


def test_a_dispute_says_what_is_wrong_with_a_hand_that_was_played(session):
    settle(session)
    for given in ({"number": 1, "note": ""}, {"number": 2, "note": "Hm"}):
        with pytest.raises(LedgerError):
            act(ledger.dispute, session, **given)


def test_a_dispute_is_resolved_once(session):
    settle(session)
    opened = act(ledger.dispute, session, number=1, note="Hm")
    act(ledger.resolve_dispute, session, raised=opened.raised.n, note="So")
    with pytest.raises(Conflict):
        act(ledger.resolve_dispute, session, raised=opened.raised.n, note="So")
    with pytest.raises(LedgerError):
        act(ledger.resolve_dispute, session, raised=99, note="So")


def test_a_hand_has_one_dispute_at_a_time(session):
    settle(session)
    settle(session)
    opened = act(ledger.dispute, session, number=1, note="Hm")
    with pytest.raises(LedgerError, match="Hand 1 is disputed already"):
        act(ledger.dispute, session, number=1, note="Hm again", by="Bob")
    act(ledger.dispute, session, number=2, note="Hm")
    act(ledger.resolve_dispute, session, raised=opened.raised.n, note="So")
    act(ledger.dispute, session, number=1, note="Still")
    assert verbs(session)[3:] == ["dispute", "dispute", "resolve", "dispute"]


def test_a_dispute_does_not_hold_up_who_settles(session):
    settle(session)
    seen = ledger.preview(session=session, entry=LEVEL).version
    opened = act(ledger.dispute, session, number=1, note="Hm", by="Bob")
    act(ledger.resolve_dispute, session, raised=opened.raised.n, note="So")
    settle(session, version=seen)
    for version in (seen, session.version + 1):  # a deal was settled after the first; the second does not exist yet
        with pytest.raises(Conflict):
            settle(session, version=version)
