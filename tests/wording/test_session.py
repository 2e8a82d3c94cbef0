"""The titles of sessions, of one and in a list."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from django.utils.translation import override

from scoring.models import Session
from scoring.rules.houserules import resolve
from scoring.wording.session import played, title, titles


@pytest.mark.parametrize(
    ("zone", "day"), [("America/New_York", "Friday, 12 June 2026"), ("Europe/Helsinki", "Saturday, 13 June 2026")]
)
def test_it_is_the_day_on_which_it_began_where_it_is_played(zone: str, day: str) -> None:
    session = Session(opened_at=datetime(2026, 6, 13, 1, 30, tzinfo=UTC))
    with timezone.override(zone):
        assert title(session) == day
        assert f"{session}" == f"Session of 2026-06-{day.split()[1]}"


@pytest.mark.parametrize(
    ("sessions", "said"),
    [
        ([("", 12, 19), ("", 11, 19)], ["Friday, 12 June 2026", "Thursday, 11 June 2026"]),
        ([("", 12, 23), ("", 12, 19)], ["Friday, 12 June 2026, 23:05", "Friday, 12 June 2026, 19:05"]),
        ([("", 12, 23), ("Final", 12, 19)], ["Friday, 12 June 2026", "Final"]),
        ([("Final", 12, 23), ("Final", 5, 23)], ["Final, 12 June 2026, 23:05", "Final, 5 June 2026, 23:05"]),
        ([], []),
    ],
)
def test_in_a_list_sessions_of_one_title_are_told_apart_by_their_time(
    sessions: list[tuple[str, int, int]], said: list[str]
) -> None:
    found = [
        Session(name=name, opened_at=datetime(2026, 6, day, hour - 3, 5, tzinfo=UTC)) for name, day, hour in sessions
    ]
    with timezone.override("Europe/Helsinki"):
        assert titles(found) == said


def test_nothing_progressive_is_said_of_a_deuce_to_seven_middle() -> None:
    own = resolve({"preset": "progressive-pineapple", "middle": "2-7"}).as_document()
    assert played(own) == "Pineapple with house rules"
    assert played(resolve("progressive-pineapple").as_document()) == "Progressive Pineapple"


@pytest.mark.parametrize(
    ("preset", "game", "said"),
    [
        ("pineapple", "regular", "Regular with house rules"),
        ("regular", "pineapple", "Pineapple with house rules"),
        ("bga", "regular", "Regular with house rules"),
        ("regular", "regular", "Regular"),
    ],
)
def test_rules_that_change_the_game_have_the_name_of_the_game(preset: str, game: str, said: str) -> None:
    assert played(resolve({"preset": preset, "game": game}).as_document()) == said


def test_a_session_without_a_name_is_called_by_its_day_in_the_readers_language() -> None:
    sessions = [Session(opened_at=datetime(2026, 6, 12, hour, 5, tzinfo=UTC)) for hour in (16, 20)]
    with timezone.override("UTC"), override("fi"):
        assert titles(sessions) == ["Perjantai 12. kesäkuuta 2026, 16.05", "Perjantai 12. kesäkuuta 2026, 20.05"]
