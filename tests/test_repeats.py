"""The log says once a minute what repeats."""

import logging
import sys
from typing import Any

import pytest

from ofcscore import repeats
from ofcscore.repeats import Repeats


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr("ofcscore.repeats.time.monotonic", lambda: now[0])
    return now


def record(message: str = "No %s", *arguments: object, level: int = logging.ERROR, exc_info: Any = None) -> Any:
    return logging.LogRecord("app", level, __file__, 1, message, arguments, exc_info)


def test_it_passes_once_a_minute_and_says_how_many_did_not(clock: list[float]) -> None:
    kept = Repeats()
    assert [kept(record("No %s", n)) for n in range(5)] == [True, False, False, False, False]
    clock[0] += repeats.SECONDS
    again = record("No %s", 5)
    assert kept(again)
    assert again.getMessage() == "No 5 (and 4 more like it)"
    clock[0] += repeats.SECONDS
    alone = record("No %s", 6)
    assert kept(alone)
    assert alone.getMessage() == "No 6"


def test_what_differs_passes(clock: list[float]) -> None:
    kept = Repeats()
    assert kept(record("No %s", 1))
    assert kept(record("Not %s", 1))
    assert kept(record("No %s", 1, level=logging.WARNING))


def test_faults_in_different_places_differ(clock: list[float]) -> None:
    def here() -> None:
        raise ValueError

    def there() -> None:
        raise ValueError

    kept, passed = Repeats(), []
    for fault in (here, there, here):
        try:
            fault()
        except ValueError:
            passed.append(kept(record("Error at %s", "/", exc_info=sys.exc_info())))
    assert passed == [True, True, False]


def test_it_does_not_remember_without_end(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "KINDS", 3)
    kept = Repeats()
    assert all(kept(record(f"message {n}")) for n in range(10))
    assert len(kept._since) <= 3
