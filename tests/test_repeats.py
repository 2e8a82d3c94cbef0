"""The log says once a minute what repeats."""

import logging
import sys
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost

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


def test_a_refusal_whose_message_has_the_clients_own_words_repeats_all_the_same(clock: list[float]) -> None:
    """Django puts the name of a foreign host into the message itself, not among its arguments."""
    kept, passed = Repeats(), []
    for n in range(5):
        try:
            raise DisallowedHost(f"Invalid HTTP_HOST header: '{n}{'e' * 15_000}'.")
        except DisallowedHost as error:
            refusal = record(str(error), exc_info=sys.exc_info())
            passed.append(kept(refusal))
    assert passed == [True, False, False, False, False]
    assert sum(len(text) for kind in kept._since for text in kind if isinstance(text, str)) < 1000


def test_a_refusal_without_a_traceback_repeats_whatever_its_message_says(clock: list[float]) -> None:
    kept = Repeats()
    refusals = [logging.LogRecord("django.security.Any", logging.ERROR, __file__, 1, f"{n}", (), None) for n in "abc"]
    assert [kept(refusal) for refusal in refusals] == [True, False, False]


def test_what_asyncio_says_of_an_object_does_not_count(clock: list[float]) -> None:
    """It puts the object, with its address in memory, on lines below the message."""
    kept = Repeats()
    lost = "Future exception was never retrieved\nfuture: <Future at 0x7f%d>"
    assert [kept(record(lost % n)) for n in range(3)] == [True, False, False]


@pytest.mark.parametrize("message", ["No %s", "%s"])
def test_a_long_message_is_cut(clock: list[float], message: str) -> None:
    kept = Repeats()
    for _ in range(2):
        long = record(message, "e" + ".e" * 15_000)
        assert kept(long)
        assert len(long.getMessage()) < repeats.LONGEST + 100
        assert kept(record("another")) or clock[0] > 1000
        assert not kept(record(message, ""))
        clock[0] += repeats.SECONDS
    assert "(cut)" in long.getMessage()
    assert "(and 1 more like it)" in long.getMessage()


def test_no_part_of_a_word_is_left_where_a_message_is_cut(clock: list[float]) -> None:
    """What is left of a secret could be too short to be known as one."""
    long = record(f"{'x ' * (repeats.LONGEST // 2 - 5)}{'aB3_' * 8} and more")
    assert Repeats()(long)
    assert "aB3_" not in long.getMessage()


def test_it_does_not_remember_without_end(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "KINDS", 3)
    kept = Repeats()
    assert all(kept(record(f"message {n}")) for n in range(10))
    assert len(kept._since) <= 3
