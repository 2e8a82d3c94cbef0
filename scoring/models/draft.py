"""The deal that is being entered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.game.limits import KEY_LENGTH, ROW_LENGTH
from scoring.models.ledger import BoardResult
from scoring.models.session import Seat, Session


class Draft(models.Model):
    """One seat's rows of the deal that is being entered, as a phone sent them.

    A draft is not part of the ledger: it changes with every row, and means nothing once the deal is settled. Each row
    is either empty or readable as cards. `revision` counts the changes, so that two phones on one seat notice each
    other. `device` is the random text that identifies the browser that made the last change; it is empty as long as
    the rows are those of a deal that was undone. `done` means that all three rows are complete, or that a ruling
    replaces them.

    `dealt_at_once` says that rows were sent while the seat was in Fantasyland. It stays, whatever becomes of the deals
    before: such a board is hidden from other phones until it is `revealed`, for good. `when_shown` has the rows as they
    were when a hidden board was first revealed, this one or another, or when they were complete after that, so that a
    later change can be told. `undone` has the rows of the deal `undone_deal`, which was undone: they lay there again,
    and so did their ruling, which `undone` has until a phone changes it on new rows.

    `unchosen` has pairs of a device and the other rows that it has sent, newest last. Somebody has yet to choose there.
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
    dealt_at_once = models.BooleanField(default=False)
    revealed = models.BooleanField(default=False)
    when_shown = models.CharField(max_length=4 * ROW_LENGTH, blank=True)
    undone = models.CharField(max_length=4 * ROW_LENGTH, blank=True)
    undone_deal = models.PositiveIntegerField(default=0)
    unchosen = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "number", "seat"], name="draft_once_per_seat"),
            models.CheckConstraint(condition=Q(number__gte=1, revision__gte=1), name="draft_counts_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.front} / {self.middle} / {self.back}"

    @property
    def hidden(self) -> bool:
        """Whether only the phone that sent it and the player's own may see it."""
        return self.dealt_at_once and not self.revealed
