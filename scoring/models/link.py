"""Links to clubs and sessions, browsers that forgot theirs, and counts of what is rate-limited."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from scoring.game.limits import NAME_LENGTH
from scoring.models.club import Club
from scoring.models.columns import new_public_id
from scoring.models.session import Seat, Session


class Link(models.Model):
    """A secret address that opens a club and all its sessions (host), or one session (scorer, viewer).

    The database keeps only the SHA-256 of the secret. `public_id` names the link in cookies and forms, and opens
    nothing. If a scorer's link has a `seat`, its holder may enter cards for that seat only. A revoked link is never
    reinstated; a new link replaces it. The first link of a club may be shown again, to the browser that started it,
    until `recoverable_until`, which is emptied as soon as somebody has opened or kept the link.
    """

    class Role(models.TextChoices):
        HOST = "host"
        SCORER = "scorer"
        VIEWER = "viewer"

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="links")
    session = models.ForeignKey(Session, models.CASCADE, related_name="links", null=True, blank=True)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="+", null=True, blank=True)
    role = models.CharField(max_length=6, choices=Role)
    name = models.CharField(max_length=NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    replaced_by = models.OneToOneField("self", models.SET_NULL, related_name="replaces", null=True, blank=True)

    recoverable_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(role="host", session__isnull=True, seat__isnull=True)
                | Q(role="scorer", session__isnull=False)
                | Q(role="viewer", session__isnull=False, seat__isnull=True),
                name="link_role_fits",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="link_has_a_name"),
            models.CheckConstraint(
                condition=Q(replaced_by__isnull=True) | Q(revoked_at__isnull=False), name="link_replaced_is_revoked"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def recoverable(self) -> bool:
        """Whether it may still be shown again."""
        until = self.recoverable_until
        return until is not None and timezone.now() < until and self.revoked_at is None


class Forgotten(models.Model):
    """A browser that was told to forget its links. No copy of its cookie opens anything any more."""

    browser = models.CharField(max_length=24, unique=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.browser


class Tally(models.Model):
    """How often one client has done one thing within one time window, counted across all processes."""

    what = models.CharField(max_length=80)
    window = models.BigIntegerField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["what", "window"], name="tally_once"),)

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"
