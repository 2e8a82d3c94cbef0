"""The hand that is being entered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.game.limits import KEY_LENGTH, ROW_LENGTH
from scoring.models.ledger import BoardResult
from scoring.models.session import Seat, Session


class Draft(models.Model):
    """One seat's rows of the hand that is being entered, as a phone has sent them: what is not settled yet.

    No part of the ledger: it changes with every row, and means nothing once the hand is settled. Each row is empty or
    reads as cards. `revision` counts the changes, so that two phones on one seat notice each other; `device` is the
    browser that made the last one, by a random text of its own. `done` says that all three rows are whole, or that a
    ruling stands in their place.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="drafts")
    number = models.PositiveIntegerField()
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    front = models.CharField(max_length=ROW_LENGTH, blank=True)
    middle = models.CharField(max_length=ROW_LENGTH, blank=True)
    back = models.CharField(max_length=ROW_LENGTH, blank=True)
    ruling = models.CharField(max_length=11, choices=BoardResult.Ruling, blank=True)
    revision = models.PositiveIntegerField(default=1)
    device = models.CharField(max_length=KEY_LENGTH)
    done = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "number", "seat"], name="draft_once_per_seat"),
            models.CheckConstraint(condition=Q(number__gte=1, revision__gte=1), name="draft_counts_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.front} / {self.middle} / {self.back}"
