"""One evening at one table: its terms, its seats, and the stakes of its pairs."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scoring.game.limits import BANK, HOUSE, KEY_LENGTH, MAX_AMOUNT, NAME_LENGTH, NOTE_LENGTH, SESSION_NAME_LENGTH
from scoring.models.club import Club, Player
from scoring.models.columns import FANTASYLAND, between, new_public_id


class Session(models.Model):
    """One evening at one table, and the terms on which its next deal will be played.

    `number` counts the sessions of the club. `version` counts the events so far, and `head` is the hash of the last.
    `button` is the seat that has the button in the next deal, and `note` is the host's reason if they set the button or
    the Fantasyland themselves. `held` says that the button stayed for a Fantasyland deal. `stacks` says that chips are
    limited, as they are from the first buy-in on, and `cash` that the last ones were paid for on the spot. `dealt`
    lists the seats that have had the button since the last complete orbit. `on_tab` says that what is open is carried
    to the club's tab as long as the session is closed, and `coin`, in minor units, to what payments are then rounded.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="sessions")
    public_id = models.CharField(max_length=24, unique=True, default=new_public_id, editable=False)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    number = models.PositiveIntegerField(editable=False)
    name = models.CharField(max_length=SESSION_NAME_LENGTH, blank=True)
    currency = models.CharField(max_length=8)
    minor_digits = models.PositiveSmallIntegerField()
    stake = models.BigIntegerField()
    rules = models.JSONField()
    button = models.SmallIntegerField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    held = models.BooleanField(default=False)
    stacks = models.BooleanField(default=False)
    cash = models.BooleanField(default=False)
    dealt = models.JSONField(default=list)
    orbits = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, editable=False)
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    on_tab = models.BooleanField(default=False)
    coin = models.BigIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["club", "number"], name="session_number_once"),
            models.CheckConstraint(condition=between("stake", 0, MAX_AMOUNT), name="session_stake_in_bounds"),
            models.CheckConstraint(condition=between("minor_digits", 0, 4), name="session_minor_digits_in_bounds"),
            models.CheckConstraint(condition=Q(button__gte=1), name="session_button_is_a_player"),
            models.CheckConstraint(condition=~Q(currency=""), name="session_has_a_currency"),
            models.CheckConstraint(
                condition=Q(coin=0) | Q(between("coin", 1, MAX_AMOUNT), on_tab=True), name="session_rounds_on_the_tab"
            ),
        )
        indexes = (models.Index(fields=["club", "-opened_at"], name="session_newest_first"),)

    def __str__(self) -> str:
        return self.name or f"Session of {timezone.localtime(self.opened_at):%Y-%m-%d}"

    @property
    def rounds_to(self) -> int:
        """The coin to which payments are rounded now, 0 if they are not. Those of people who leave early are not."""
        return self.coin if self.closed_at else 0

    @property
    def next_number(self) -> int:
        """The number of the deal that will be settled next."""
        return self.deals + 1


class Seat(models.Model):
    """A person's place in one session, or the bank or the house.

    `number` identifies the seat everywhere: 1, 2, 3 in order of arrival, never reused, with `BANK` and `HOUSE` for
    those two. `position` is its current clockwise place, null once the player has left. `name` is the player's name as
    it was when they sat down.
    """

    class Kind(models.TextChoices):
        PLAYER = "player"
        BANK = "bank"
        HOUSE = "house"

    session = models.ForeignKey(Session, models.CASCADE, related_name="seats")
    number = models.SmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind, default=Kind.PLAYER)
    player = models.ForeignKey(Player, models.RESTRICT, related_name="seats", null=True, blank=True)
    name = models.CharField(max_length=NAME_LENGTH)
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    sitting_out = models.BooleanField(default=False)
    fantasyland_cards = models.PositiveSmallIntegerField(default=0)

    chips: int
    """Chips in front of the seat, 0 on credit; set only on seats from `scoring.ledger.load.seats_of`."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["session", "player"], name="seat_player_once"),
            models.UniqueConstraint(fields=["session", "name"], name="seat_name_once"),
            models.UniqueConstraint(fields=["session", "position"], name="seat_position_once"),
            models.CheckConstraint(
                condition=Q(kind="player", number__gte=1, player__isnull=False)
                | Q(kind="bank", number=BANK, player__isnull=True, position__isnull=True)
                | Q(kind="house", number=HOUSE, player__isnull=True, position__isnull=True),
                name="seat_kind_fits",
            ),
            models.CheckConstraint(condition=FANTASYLAND, name="seat_fantasyland_in_bounds"),
            models.CheckConstraint(
                condition=Q(fantasyland_cards=0) | Q(position__isnull=False, sitting_out=False),
                name="seat_away_owes_no_fantasyland",
            ),
        )

    def __str__(self) -> str:
        return self.name


class PairStake(models.Model):
    """Minor units per point between two seats from the next deal on, where this differs from the session's stake."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="pair_stakes")
    low = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    high = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    stake = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["low", "high"], name="pair_stake_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pair_stake_low_first"),
            models.CheckConstraint(condition=between("stake", 0, MAX_AMOUNT), name="pair_stake_in_bounds"),
        )

    def __str__(self) -> str:
        return f"{self.low_id}-{self.high_id}: {self.stake}"
