"""What surrounds every page of a club: its title and its tabs."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring.models import Club
from scoring.request import new_key


def club_title(of: Club) -> str:
    """The club's name, or what stands for it."""
    return str(of)


def club_frame(of: Club, current: str) -> dict[str, Any]:
    """Context for ``shared/club_frame.html``; ``current`` is the URL name of the current tab."""
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
