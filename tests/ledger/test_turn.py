"""What every change of a session has in common: whose link it came by, and when it comes too late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scoring import ledger
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join
from scoring.ledger import Conflict
from scoring.ledger.signals import session_moved
from scoring.ledger.turn import fingerprint_of
from scoring.models import Session
from tests.ledger.conftest import STRONG, WEAK, act, entry, settle, start

LINK = 77
"""The primary key of a link; the ledger asks for nothing but the number."""


def disputed(session: Session) -> int:
    """The number of the event that disputes hand 1."""
    return int(act(ledger.dispute, session, number=1, note="Hm").raised.n)


DEEDS: dict[str, Callable[[Session], Any]] = {
    "settle": lambda session: settle(session, link=LINK),
    "correct": lambda session: act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=STRONG), link=LINK),
    "void": lambda session: act(ledger.void_deal, session, number=1, link=LINK),
    "undo": lambda session: act(ledger.undo, session, link=LINK),
    "dispute": lambda session: act(ledger.dispute, session, number=1, note="Hm", link=LINK),
    "resolve": lambda session: act(ledger.resolve_dispute, session, raised=disputed(session), note="So", link=LINK),
    "penalty": lambda session: ledger.record(
        session=session, action=Penalty(1, 1, None), key="p", by="host", note="Clock", link=LINK
    ),
    "rename": lambda session: act(ledger.rename_session, session, name="Friday", link=LINK),
    "close": lambda session: act(ledger.close_session, session, link=LINK),
}


@pytest.fixture
def session(db: None) -> Session:
    """Ann's and Bob's session with one hand, in a club that has another session with two hands."""
    other = start("Ann Bob")
    settle(other, entry(s1=STRONG, s2=WEAK))
    settle(other, entry(s1=STRONG, s2=WEAK))
    found = start("Ann Bob", club=other.club)
    settle(found, entry(s1=STRONG, s2=WEAK))
    return found


@pytest.mark.parametrize("verb", DEEDS)
def test_an_event_knows_the_link_that_it_came_by(session: Session, verb: str) -> None:
    if verb == "settle":
        settle(session, entry(s1=STRONG, s2=WEAK), link=LINK)
    else:
        DEEDS[verb](session)
    latest = session.events.latest("n")
    assert (latest.verb, latest.link) == (verb, LINK)


def test_a_start_a_restored_hand_an_agreement_the_tab_and_a_reopening_know_it_too(session: Session) -> None:
    act(ledger.void_deal, session, number=1)
    act(ledger.restore_deal, session, number=1, link=LINK)
    act(ledger.close_session, session)
    act(ledger.agree, session, seat=1, head=session.head, link=LINK)
    act(ledger.choose_tab, session, on=True, link=LINK)
    act(ledger.reopen_session, session, link=LINK)
    known = list(session.events.filter(link=LINK).order_by("n").values_list("verb", flat=True))
    assert known == ["restore", "agree", "tab", "reopen"]
    started = start(link=LINK, buy_in=5_000)
    assert list(started.events.order_by("n").values_list("verb", "link")) == [("start", LINK), ("buy-in-all", LINK)]


def test_nobody_knows_it_where_none_was_given(session: Session) -> None:
    assert not session.events.exclude(link=None).exists()


def test_a_form_is_known_by_what_it_asks_for(session: Session) -> None:
    """By the same names in each release, so that a form from before an update is known after it."""
    ledger.record(session=session, action=Penalty(1, 1, None), key="p", by="host", note="Clock")
    ledger.record(session=session, action=Join("Dan"), key="j", by="host", insist=True, note="Late")
    act(ledger.close_session, session)
    head = session.head
    act(ledger.agree, session, seat=1, head=head)
    prints = dict(session.events.values_list("verb", "fingerprint"))
    penalty, join = Penalty(1, 1, None).request(), Join("Dan").request()
    assert prints["penalty"] == fingerprint_of("penalty", {**penalty, "note": "Clock"})
    assert prints["join"] == fingerprint_of("join", {**join, "insist": True, "note": "Late"})
    assert prints["agree"] == fingerprint_of("agree", {"seat": 1, "head": head, "note": ""})


def test_a_hand_that_was_changed_meanwhile_is_a_conflict(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK))
    seen = session.version
    raised = disputed(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=STRONG), note="Rows")
    sentence = "Hand 1 was changed since this page was opened."
    for do, given in (
        (ledger.dispute, {"number": 1, "note": "Hm"}),
        (ledger.resolve_dispute, {"raised": raised, "note": "So"}),
    ):
        with pytest.raises(Conflict, match=sentence):
            act(do, session, version=seen, **given)


def test_a_hand_that_stayed_as_it_was_is_none(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK))
    seen = session.version
    act(ledger.correct_deal, session, number=2, entry=entry(s1=WEAK, s2=STRONG))
    assert act(ledger.dispute, session, number=1, note="Hm", version=seen).deal.session == session
    act(ledger.resolve_dispute, session, raised=session.version, note="So", version=seen)


def test_the_version_that_was_seen_is_the_one_that_stands(session: Session) -> None:
    act(ledger.dispute, session, number=1, note="Hm", version=session.version)
    with pytest.raises(Conflict, match="The table was changed"):
        act(ledger.rename_session, session, name="Friday", version=session.version + 1)
    assert settle(session, entry(s1=STRONG, s2=WEAK), version=session.version).number == 2


def test_a_dispute_is_of_a_hand_of_its_own_session(session: Session) -> None:
    there = session.club.sessions.exclude(pk=session.pk).get()
    settle(session, entry(s1=STRONG, s2=WEAK))
    one = act(ledger.dispute, there, number=1, note="Hm")
    two = act(ledger.dispute, session, number=1, note="Hm")
    assert (one.deal.session, two.deal.session) == (there, session)
    assert one.raised.n == two.raised.n
    for of, dispute in ((there, one), (session, two)):
        for _ in range(2):
            assert act(ledger.resolve_dispute, of, raised=one.raised.n, note="So", key=f"resolve {of.pk}") == dispute


def test_what_a_repeat_of_a_hand_and_of_its_changes_is_told_by(session: Session) -> None:
    """A form that was sent to an earlier release is known after an upgrade, so these keys may not change."""
    changed = entry(s1=WEAK, s2=STRONG)
    act(ledger.correct_deal, session, number=1, entry=changed, follow=[3, 2, 3])
    act(ledger.void_deal, session, number=1)
    told = [each.fingerprint for each in session.events.order_by("n")[1:]]
    settled, later = entry(s1=STRONG, s2=WEAK), {"number": 1, "later": "as-played", "note": ""}
    assert told == [
        fingerprint_of("settle", {"entry": settled.as_document(), "number": 1, "note": ""}),
        fingerprint_of("correct", {**later, "entry": changed.as_document(), "follow": [2, 3]}),
        fingerprint_of("void", later),
    ]
    assert [each.note for each in session.events.order_by("n")] == ["", "", "", ""]


@pytest.mark.parametrize("theirs", [{"on": False}, {"on": True, "coin": 50}, {"on": True, "coin": 100}])
def test_where_what_is_open_goes_is_chosen_by_who_has_seen_the_last_choice(
    session: Session, theirs: dict[str, Any]
) -> None:
    act(ledger.close_session, session, tab=True)
    seen = session.version
    act(ledger.choose_tab, session, **theirs)
    with pytest.raises(Conflict, match="was changed since this page was opened"):
        act(ledger.choose_tab, session, on=True, coin=50, version=seen)
    session.refresh_from_db()
    assert (session.on_tab, session.coin) == (theirs["on"], theirs.get("coin", 0))
    act(ledger.choose_tab, session, on=True, coin=10, version=session.version)


@pytest.mark.parametrize("name", ["Saturday", "Sunday"])
def test_a_name_that_somebody_has_given_meanwhile_is_not_replaced_unseen(session: Session, name: str) -> None:
    seen = session.version
    act(ledger.rename_session, session, name="Saturday")
    with pytest.raises(Conflict, match="was changed since this page was opened"):
        act(ledger.rename_session, session, name=name, version=seen)
    session.refresh_from_db()
    assert session.name == "Saturday"


@pytest.mark.django_db(transaction=True)
def test_a_hand_is_settled_even_if_what_hears_of_it_fails() -> None:
    def fail(**news: Any) -> None:
        raise RuntimeError("deaf")

    fresh = start()
    session_moved.connect(fail)
    try:
        assert settle(fresh).number == 1
    finally:
        session_moved.disconnect(fail)
