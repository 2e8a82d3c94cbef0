"""The title of a session that has no name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from scoring.models import Session
from scoring.wording.session import title


@pytest.mark.parametrize(
    ("zone", "day"), [("America/New_York", "Friday, 12 June 2026"), ("Europe/Helsinki", "Saturday, 13 June 2026")]
)
def test_it_is_the_day_on_which_it_began_where_it_is_played(zone: str, day: str) -> None:
    session = Session(opened_at=datetime(2026, 6, 13, 1, 30, tzinfo=UTC))
    with timezone.override(zone):
        assert title(session) == day
        assert f"{session}" == f"Session of 2026-06-{day.split()[1]}"
