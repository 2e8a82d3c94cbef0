"""Serializes changes to a club."""

from __future__ import annotations

from scoring.models import Club


def lock_club(club: Club) -> Club:
    return Club.objects.select_for_update().get(pk=club.pk)
