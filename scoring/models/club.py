"""The club, its players, and the defaults it keeps for future sessions."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from scoring.game.limits import FOLDED_LENGTH, KEY_LENGTH, MAX_AMOUNT, NAME_LENGTH, NOTE_LENGTH, PAY_ADDRESS_LENGTH
from scoring.models.columns import between, new_public_id

DEMO: Final = "demo"
"""The public id of the demo's club, which everybody may read (`scoring.demo`). All others are random."""


class Club(models.Model):
    """The recurring home game. Starting a session without a club creates one silently.

    `started` counts its sessions so far, and `dropped` lists the numbers of those that were deleted as idle, so that
    the audit notices a session that went otherwise.
    """

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started = models.PositiveIntegerField(default=0, editable=False)
    dropped = models.JSONField(default=list, editable=False)

    def __str__(self) -> str:
        return self.name or "Home game"


class Player(models.Model):
    """A person of the club. `folded` makes names unique regardless of case. Retired players are not offered a seat."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(max_length=NAME_LENGTH)
    folded = models.CharField(max_length=FOLDED_LENGTH, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint("club", "folded", name="player_once_per_club"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class Merged(models.Model):
    """A player who was put together with another one: `gone` is the primary key that they had.

    Events name the players who sat down by primary key, so the audit follows these rows to who they are now.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    gone = models.BigIntegerField(unique=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="merged")

    def __str__(self) -> str:
        return f"{self.gone} is {self.player_id}"


class PayAddress(models.Model):
    """How a player likes to be paid: at most one address of each kind, in the one form that its kind keeps.

    `scoring.club.pay_kinds` says what each kind takes. Only hosts, and the phone of somebody who owes this player
    money, get to see it.
    """

    class Kind(models.TextChoices):
        """The kinds, in the order in which they are offered."""

        IBAN = "iban", "IBAN"
        PAYPAL = "paypal", "PayPal.me"
        VENMO = "venmo", "Venmo"
        REVOLUT = "revolut", "Revolut"
        SWISH = "swish", "Swish"
        UPI = "upi", "UPI"
        PIX = "pix", "PIX"
        LIGHTNING = "lightning", "Lightning address"
        TEXT = "text", "Another way"

    player = models.ForeignKey(Player, models.CASCADE, related_name="pay_addresses")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    value = models.CharField(max_length=PAY_ADDRESS_LENGTH)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["player", "kind"], name="pay_address_once_per_kind"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["iban", "paypal", "venmo", "revolut", "swish", "upi", "pix", "lightning", "text"]
                ),
                name="pay_address_of_a_known_kind",
            ),
            models.CheckConstraint(
                condition=~Q(value="") & Q(LessThanOrEqual(Length("value"), PAY_ADDRESS_LENGTH)),
                name="pay_address_is_short",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.player_id}"


class UsualStake(models.Model):
    """The default stake between two players, in minor units per point, for new sessions in this currency."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="usual_stakes")
    low = models.ForeignKey(Player, models.CASCADE, related_name="+")
    high = models.ForeignKey(Player, models.CASCADE, related_name="+")
    currency = models.CharField(max_length=8)
    minor_digits = models.PositiveSmallIntegerField()
    stake = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["low", "high", "currency"], name="usual_stake_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="usual_stake_low_first"),
            models.CheckConstraint(condition=between("stake", 0, MAX_AMOUNT), name="usual_stake_in_bounds"),
        )

    def __str__(self) -> str:
        return f"{self.low_id}-{self.high_id}: {self.stake}"


class TabPayment(models.Model):
    """A payment between two people of a club for what is open over all its evenings. Append-only; numbered from 1.

    `payer` and `payee` are players' primary keys, `HOUSE` or `BANK`. They are no foreign keys, because a player may be
    put together with another one: code that reads them follows `Merged`. A payment that was not made is taken back by a
    row of its own that pays the same amount back; `undoes` is the number of the payment that it takes back. `plan` is
    empty while an earlier payment's plan holds; if not, it has all payments that were to be made when this one was,
    each as [payer, payee, amount].

    `key` and `fingerprint` make a form that is sent twice harmless, as they do for events.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="tab_payments")
    n = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.CharField(max_length=80)
    payer = models.BigIntegerField()
    payee = models.BigIntegerField()
    currency = models.CharField(max_length=8)
    minor_digits = models.PositiveSmallIntegerField()
    amount = models.BigIntegerField()
    plan = models.JSONField(default=list)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    undoes = models.PositiveIntegerField(null=True, blank=True)
    key = models.CharField(max_length=KEY_LENGTH)
    fingerprint = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["club", "n"], name="tab_payment_number_once"),
            models.UniqueConstraint(fields=["club", "key"], name="tab_payment_key_once"),
            models.UniqueConstraint(fields=["club", "undoes"], name="tab_payment_undone_once"),
            models.CheckConstraint(condition=Q(n__gte=1), name="tab_payment_number_from_one"),
            models.CheckConstraint(condition=between("amount", 1, MAX_AMOUNT), name="tab_payment_pays_something"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="tab_payment_between_two"),
            models.CheckConstraint(condition=~Q(currency=""), name="tab_payment_has_a_currency"),
            models.CheckConstraint(
                condition=Q(undoes__isnull=True) | Q(undoes__lt=F("n")), name="tab_payment_undoes_the_past"
            ),
        )

    def __str__(self) -> str:
        return f"{self.n}. {self.payer} pays {self.payee} {self.amount}"


class SavedRules(models.Model):
    """House rules that the club keeps under a name; `folded` makes the name unique regardless of case.

    They are only a starting point for new sessions: each session, and each deal in it, has its own copy.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="saved_rules")
    name = models.CharField(max_length=NAME_LENGTH)
    folded = models.CharField(max_length=FOLDED_LENGTH, editable=False)
    rules = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint("club", "folded", name="saved_rules_once_per_club"),
            models.CheckConstraint(condition=~Q(name=""), name="saved_rules_have_a_name"),
        )

    def __str__(self) -> str:
        return self.name
