"""The fingerprint of a request stays the same over releases: a form sent before an upgrade is known after it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from scoring import ledger
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.people import Leave
from scoring.ledger.signals import session_moved
from scoring.models import Club, Session
from scoring.transactions import writing
from tests.actions.everything import everything
from tests.ledger.conftest import settle

STARTED: dict[str, Any] = {
    "names": ["Ann", "Bob", "Cat"],
    "button": 2,
    "stake": 100,
    "currency": "EUR",
    "minor_digits": 2,
    "pair_stakes": [(1, 2, 500)],
    "rules": "pineapple",
    "name": "Friday",
    "key": "form",
    "by": "host",
}


OF_EVERYTHING = {
    "settle": "c6212742",
    "set-next": "cb52a9d9",
    "buy-in": "6c8d6860",
    "buy-in-all": "3d50b7c8",
    "cash-out": "24fb0001",
    "penalty": "7ecb7c24",
    "side-bet": "0be66b20",
    "fee": "3ec0fa42",
    "join": "e6b3de9e",
    "swap": "9a51f5da",
    "sit-out": "bc8498de",
    "sit-in": "fcdac55f",
    "leave": "4a25e0a7",
    "terms": "0e2b7862",
    "void": "6cd3011b",
    "restore": "e53d4800",
    "correct": "e6bcee63",
    "dispute": "0b85529c",
    "resolve": "20dac260",
    "undo": "11b7d1b9",
    "rename": "b72ecc34",
    "close": "402217be",
    "pay": "f3524b61",
    "undo-payment": "9ed9cfbf",
    "tab": "eaa16924",
    "reopen": "eb0748bf",
}
"""The fingerprints of each verb in the evening of every action, hashed once more."""


@pytest.mark.parametrize(
    ("club", "fingerprint"),
    [
        ("", "9abb0ba2a0956a49daf5ea75330f1b20ef25c17077cfb773056a1ca3d0dc7e6b"),
        ("the-club", "cf896a5431bb840f3ceb6d1542f593596a0573ae9ef4cdd3c1d049356e5c9c19"),
    ],
)
def test_of_the_start(db: None, club: str, fingerprint: str) -> None:
    with writing():
        given: dict[str, Any] = {"club": Club.objects.create(public_id=club)} if club else {}
    session = ledger.start_session(**STARTED, **given)
    assert session.events.get().fingerprint == fingerprint


@pytest.mark.parametrize(
    ("cash", "fingerprint"),
    [
        (False, "52ba4e79ac0c1462499603333bf9a8e3896b1752ec5c78cf7f48a3c2624e7007"),
        (True, "5f04cefb6ff4d515931d2c5e75f02d120c74fd7a53f3c3f8e08d86e707eebf3f"),
    ],
)
def test_of_a_start_with_chips(db: None, cash: bool, fingerprint: str) -> None:
    session = ledger.start_session(**STARTED, buy_in=5_000, cash=cash)
    assert session.events.get(n=1).fingerprint == fingerprint


def test_of_everything_else(db: None) -> None:
    prints = everything().events.order_by("n").values_list("verb", "fingerprint")
    found = {verb: hashlib.sha256("".join(of).encode()).hexdigest()[:8] for verb, of in _by_verb(prints).items()}
    differ = {
        verb: found.get(verb) for verb in {**OF_EVERYTHING, **found} if found.get(verb) != OF_EVERYTHING.get(verb)
    }
    assert differ == {}, "OF_EVERYTHING has others. CONTRIBUTING.md says which of them a new line may change."


def test_of_cash_and_of_a_count(db: None) -> None:
    """What is asked in addition changes a fingerprint; without it, it is that of earlier releases."""
    session = ledger.start_session(**STARTED, buy_in=4000, cash=True)
    for action in (BuyIn(1, 100, cash=True), CashOut(1, 100, cash=True), BuyInAll(100, [1, 2], cash=True), Leave(3)):
        ledger.record(session=session, action=action, key=action.verb, by="host")
    ledger.close_session(session=session, counts={2: 4100, 1: 4100}, key="close", by="host")
    prints = session.events.order_by("n").values_list("verb", "fingerprint")
    assert [(verb, fingerprint[:8]) for verb, fingerprint in prints] == [
        ("start", "db9bc439"),
        ("buy-in-all", "6a3e753c"),
        ("buy-in", "e798f6e5"),
        ("cash-out", "480b836e"),
        ("buy-in-all", "86561c23"),
        ("leave", "2364a422"),
        ("close", "59f0d4f2"),
    ]


def _by_verb(prints: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for verb, fingerprint in prints:
        if verb not in {"agree", "start"}:  # the one names a hash, the other is above
            found.setdefault(verb, []).append(fingerprint)
    return found


def test_what_the_others_hear(session: Session, django_capture_on_commit_callbacks: Any) -> None:
    heard: list[Any] = []

    def hear(sender: Any, **news: Any) -> None:
        heard.append((sender, news["public_id"], news["version"], news["verb"]))

    session_moved.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            settle(session)
    finally:
        session_moved.disconnect(hear)
    assert heard == [(Session, session.public_id, 2, "settle")]
