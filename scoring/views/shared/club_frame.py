"""What every page of one club has around it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone

from scoring.models import Club
from scoring.request import new_key


def club_title(of: Club) -> str:
    """What to call a club that nobody has given a name: since when it is there."""
    since = timezone.localtime(of.created_at)
    return of.name or f"Home game since {since.day} {since:%B %Y}"


def club_frame(of: Club, current: str) -> dict[str, Any]:
    """Context for ``shared/club_frame.html``; ``current`` is the name of the tab's address."""
    tabs = (
        ("club", "Sessions"),
        ("standings", "Standings"),
        ("roster", "Players"),
        ("club-links", "Links"),
        ("club-more", "More"),
    )
    return {
        "club": of,
        "club_title": club_title(of),
        "tabs": [(label, reverse(name, args=[of.public_id]), name == current) for name, label in tabs],
        "key": new_key(),
    }
