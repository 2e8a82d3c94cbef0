"""Players agree to the record of a closed session."""

from __future__ import annotations

import pytest

from scoring import ledger, reads
from scoring.actions.people import Join, Leave
from scoring.game.errors import LedgerError
from scoring.models import Session
from tests.ledger.conftest import act, settle


@pytest.fixture
def closed(session: Session) -> Session:
    """Ann's, Bob's and Cat's evening of one hand, which is closed."""
    settle(session)
    act(ledger.close_session, session)
    return session


def agree(session: Session, seat: int) -> None:
    """The player agrees to what they are shown now."""
    act(ledger.agree, session, seat=seat, head=reads.head(session).hash)


def refusal(session: Session, seat: int) -> tuple[str, str, str]:
    """The code, the place and the sentence with which an agreement is refused."""
    with pytest.raises(LedgerError) as refused:
        agree(session, seat)
    (problem,) = refused.value.problems
    return problem.code, problem.where, problem.message


def test_everybody_agrees_to_the_same_words(closed: Session) -> None:
    head = reads.head(closed)
    assert (head.event, head.hash) == (3, closed.head)
    for seat in (1, 2, 3):
        agree(closed, seat)
    assert reads.head(closed) == head
    assert [(each.seat, each.to) for each in reads.agreements(closed)] == [(1, head), (2, head), (3, head)]
    assert closed.version == 6
    assert closed.head != head.hash  # the agreements are links of the chain themselves


def test_a_correction_makes_a_new_head_and_remembers_the_old_one(closed: Session) -> None:
    before = reads.head(closed)
    agree(closed, 1)
    act(ledger.reopen_session, closed)
    act(ledger.void_deal, closed, number=1)
    act(ledger.close_session, closed)
    assert reads.head(closed).words != before.words
    agree(closed, 1)
    assert [each.to for each in reads.agreements(closed)] == [before, reads.head(closed)]


def test_nobody_agrees_to_an_open_session(session: Session) -> None:
    assert refusal(session, 1) == ("open", "", "This session is open. Agree to its record once it is closed.")


def test_nobody_agrees_to_what_has_changed(closed: Session) -> None:
    seen = reads.head(closed).hash
    act(ledger.rename_session, closed, name="Friday")
    with pytest.raises(ledger.Conflict) as conflict:
        act(ledger.agree, closed, seat=1, head=seen)
    assert str(conflict.value) == "The record was changed since this page was opened."


def test_nobody_agrees_to_a_page_that_is_older_than_the_session(closed: Session) -> None:
    """The session was opened and closed again, and nothing else happened: the version differs, and so does the head."""
    version, head = closed.version, closed.head
    act(ledger.reopen_session, closed)
    act(ledger.close_session, closed)
    with pytest.raises(ledger.Conflict, match="The table was changed"):
        act(ledger.agree, closed, seat=1, head=head, version=version)


def test_nobody_agrees_twice(closed: Session) -> None:
    agree(closed, 2)
    with pytest.raises(ledger.Conflict, match=r"^Bob has agreed to this record already\.$"):
        agree(closed, 2)


def test_a_retry_is_one_agreement(closed: Session) -> None:
    head = closed.head
    first, again = (ledger.agree(session=closed, seat=3, head=head, key="once", by="Cat") for _ in range(2))
    assert (first.pk, first.by, first.action) == (again.pk, "Cat", {"seat": 3, "event": 3, "head": head})
    assert len(reads.agreements(closed)) == 1
    with pytest.raises(ledger.Conflict, match="already been sent with something else"):
        ledger.agree(session=closed, seat=2, head=head, key="once", by="Cat")


@pytest.mark.parametrize("seat", [-1, 0, 4])
def test_only_players_agree(closed: Session, seat: int) -> None:
    assert refusal(closed, seat) == ("unknown-player", "seat", "There is no such seat.")


def test_a_player_who_took_no_part_agrees_to_nothing(session: Session) -> None:
    """Their seat keeps its number: that of a mistyped name, and that of a guest who left before a hand was dealt."""
    settle(session)
    act(Join, session, name="Evv")
    act(ledger.undo, session)
    act(Join, session, name="Dan")
    act(Leave, session, seat=5)
    act(ledger.close_session, session)
    assert refusal(session, 4) == ("unknown-player", "seat", "Evv took no part in this session.")
    assert refusal(session, 5) == ("unknown-player", "seat", "Dan took no part in this session.")
    assert reads.agreements(session) == []


def test_agreeing_makes_no_hosts_page_stale(closed: Session) -> None:
    version = closed.version
    agree(closed, 1)
    act(ledger.reopen_session, closed, version=version)
