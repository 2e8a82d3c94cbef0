"""What surrounds every page of a club: its title and its tabs."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring.models import Club
from scoring.request import new_key
from scoring.texts import gettext as _
from scoring.texts import pgettext


def club_title(of: Club) -> str:
    """The club's name, or what stands for it."""
    return of.name or _("Home game")


def club_frame(of: Club, current: str) -> dict[str, Any]:
    """Context for ``shared/club_frame.html``; ``current`` is the URL name of the current tab.

    Each tab says whether it is for hosts alone, which all are who see a club but the readers of the demo.
    """
    tabs = (
        ("club", _("Sessions"), False),
        ("standings", _("Standings"), False),
        ("roster", _("Players"), False),
        ("club-links", _("Links"), True),
        ("club-more", pgettext("tab", "More"), True),
    )
    return {
        "club": of,
        "club_title": club_title(of),
        "tabs": [(label, reverse(name, args=[of.public_id]), name == current, hosts) for name, label, hosts in tabs],
        "key": new_key(),
    }
