"""What is kept: clubs, sessions, the deals they settled, and a ledger of who paid whom.

What happens in a session is written by `scoring.ledger`, which also makes the club and the players that are missing.
`scoring.club` writes what a host does to the club: its name, `Player`, `UsualStake`, `SavedRules`, and whose a seat and
a total are once two players turn out to be one; and it deletes. `scoring.links` writes `Link`, `scoring.limits` writes
`Tally`.

Five tables are append-only, and the database itself refuses to change or delete their rows (`scoring.append_only` has
the one exception): events, revisions, boards, pair results and transfers. What the other tables hold about a session
(seats, stakes, button, flags) is a cache of what its events add up to, which the audit recomputes.

Money is whole minor units of the session's currency, points are whole points; both are never floats.
Seats are spoken of by their `Seat.number`, never by a database id, in every JSON value, form and address.
"""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

MAX_AMOUNT: Final = 10**16 - 1
"""The largest amount of money anywhere: sixteen digits of minor units."""

MAX_POINTS: Final = 10**9
"""Far beyond what six digits of house rules can add up to on one line."""

NAME_LENGTH: Final = 40
ROW_LENGTH: Final = 100
NOTE_LENGTH: Final = 300
SESSION_NAME_LENGTH: Final = 80
KEY_LENGTH: Final = 80

BANK: Final = -1
"""The number of the seat that chips are bought from."""
HOUSE: Final = -2
"""The number of the seat that fees go to."""


def new_public_id() -> str:
    """More than 128 random bits, safe in an address, and no option on a command line."""
    while (made := secrets.token_urlsafe(18)).startswith("-"):
        pass
    return made


def clean(text: str) -> str:
    """What was typed without what cannot be seen: composed, single spaces, no control characters."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(character for character in composed if unicodedata.category(character)[0] != "C")


def fold(name: str) -> str:
    """What two spellings of one name have in common: no case, no compatibility forms, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _between(field: str, low: int, high: int) -> Q:
    return Q(**{f"{field}__gte": low, f"{field}__lte": high})


_FANTASYLAND = Q(fantasyland_cards=0) | _between("fantasyland_cards", 13, 17)


class Club(models.Model):
    """The recurring home game. Starting a session without one makes one silently."""

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.name or "Home game"


class Player(models.Model):
    """A person of the club; `folded` makes the name unique whatever its case. Who is retired is not offered a seat."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(max_length=NAME_LENGTH)
    folded = models.CharField(max_length=4 * NAME_LENGTH, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    sittings: int
    """In how many sessions he has sat; only on players from `scoring.queries.roster`."""

    class Meta:
        constraints = (
            models.UniqueConstraint("club", "folded", name="player_once_per_club"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class UsualStake(models.Model):
    """Money per point between two players in every new session in this currency that does not say otherwise."""

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
            models.CheckConstraint(condition=_between("stake", 0, MAX_AMOUNT), name="usual_stake_in_bounds"),
        )

    def __str__(self) -> str:
        return f"{self.low_id}-{self.high_id}: {self.stake}"


class SavedRules(models.Model):
    """House rules that the club keeps under a name; `folded` makes it unique whatever its case.

    Only a start for sessions to come: each session, and each deal in it, has its own copy.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="saved_rules")
    name = models.CharField(max_length=NAME_LENGTH)
    folded = models.CharField(max_length=4 * NAME_LENGTH, editable=False)
    rules = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint("club", "folded", name="saved_rules_once_per_club"),
            models.CheckConstraint(condition=~Q(name=""), name="saved_rules_have_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One evening at one table, and the terms its next deal will be played on.

    `version` counts the events so far. `button` is the seat that has the button in the next deal, `note` the host's
    reason where he set it (or the Fantasyland flags) himself; `held` says that the button stayed for a Fantasyland
    deal. `stacks` says that chips are limited, which they are from the first buy-in on. `dealt` lists the seats that
    have had the button since the last complete orbit.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="sessions")
    public_id = models.CharField(max_length=24, unique=True, default=new_public_id, editable=False)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    name = models.CharField(max_length=SESSION_NAME_LENGTH, blank=True)
    currency = models.CharField(max_length=8)
    minor_digits = models.PositiveSmallIntegerField()
    stake = models.BigIntegerField()
    rules = models.JSONField()
    button = models.SmallIntegerField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    held = models.BooleanField(default=False)
    stacks = models.BooleanField(default=False)
    dealt = models.JSONField(default=list)
    orbits = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=_between("stake", 0, MAX_AMOUNT), name="session_stake_in_bounds"),
            models.CheckConstraint(condition=_between("minor_digits", 0, 4), name="session_minor_digits_in_bounds"),
            models.CheckConstraint(condition=Q(button__gte=1), name="session_button_is_a_player"),
            models.CheckConstraint(condition=~Q(currency=""), name="session_has_a_currency"),
        )
        indexes = (models.Index(fields=["club", "-opened_at"], name="session_newest_first"),)

    def __str__(self) -> str:
        return self.name or f"Session of {self.opened_at:%Y-%m-%d}"

    @property
    def next_number(self) -> int:
        """The number of the deal that is settled next."""
        return self.deals + 1


class Seat(models.Model):
    """A person's place in one session, or the bank or the house.

    `number` is what everything calls the seat: 1, 2, 3 in order of arrival, never used again, `BANK` and `HOUSE` for
    those two. `position` is where it stands clockwise now, null once the player has left. `name` is the player's as it
    was when he sat down.
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
    """What lies in front of it, 0 while all is on credit; only on seats from `scoring.record.seats_of`."""

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
            models.CheckConstraint(condition=_FANTASYLAND, name="seat_fantasyland_in_bounds"),
            models.CheckConstraint(
                condition=Q(fantasyland_cards=0) | Q(position__isnull=False, sitting_out=False),
                name="seat_away_owes_no_fantasyland",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Link(models.Model):
    """A key that somebody was handed: to a club and all its sessions (host), or to one session (scorer, viewer).

    Of its secret only the SHA-256 is kept; `public_id` names it in cookies and forms, and opens nothing. `seat` is the
    only one that a scorer may enter, where there is one. A link is never made to stand again: it is replaced.
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


class Tally(models.Model):
    """How often one client has done one thing within one window of time, over all processes."""

    what = models.CharField(max_length=80)
    window = models.BigIntegerField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["what", "window"], name="tally_once"),)

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"


class PairStake(models.Model):
    """Money per point between two seats from the next deal on, where it is not the session's stake."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="pair_stakes")
    low = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    high = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    stake = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["low", "high"], name="pair_stake_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pair_stake_low_first"),
            models.CheckConstraint(condition=_between("stake", 0, MAX_AMOUNT), name="pair_stake_in_bounds"),
        )

    def __str__(self) -> str:
        return f"{self.low_id}-{self.high_id}: {self.stake}"


class Event(models.Model):
    """One thing that somebody did to a session. Append-only; numbered without gaps.

    The audit trail, the record that makes a repeated request harmless (`key` and the `fingerprint` of what was asked),
    and the script from which a session can be replayed: `action` holds everything the verb was given. `before` and
    `after` hold the parts of the table that it changed. `deal` is the number of the deal it is about, `deals` how many
    deals the session had when it was done. `undoes` is the `n` of the event that this one takes back.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.CharField(max_length=80)
    verb = models.CharField(max_length=12)
    deal = models.PositiveIntegerField(null=True, blank=True)
    deals = models.PositiveIntegerField()
    undoes = models.PositiveIntegerField(null=True, blank=True)
    key = models.CharField(max_length=KEY_LENGTH)
    fingerprint = models.CharField(max_length=64)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    action = models.JSONField()
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "n"], name="event_number_once"),
            models.UniqueConstraint(fields=["session", "key"], name="event_key_once"),
            models.UniqueConstraint(fields=["session", "undoes"], name="event_undone_once"),
            models.CheckConstraint(condition=Q(n__gte=1), name="event_number_from_one"),
            models.CheckConstraint(
                condition=Q(undoes__isnull=True) | Q(undoes__lt=F("n")), name="event_undoes_the_past"
            ),
        )
        indexes = (models.Index(fields=["session", "deal", "n"], name="event_by_deal"),)

    def __str__(self) -> str:
        return f"{self.n}. {self.verb}"


class Deal(models.Model):
    """One round; `revision` is the number of the revision that counts now."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="deal_set")
    number = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "number"], name="deal_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1, revision__gte=1), name="deal_counts_from_one"),
        )

    def __str__(self) -> str:
        return f"Deal {self.number}"


class Revision(models.Model):
    """One version of a deal, with everything that was true of it. Append-only.

    `entry` is what was typed (`ledger.Entry.as_document()`); `document` is the whole score document that the engine was
    given, with rules, stakes, flags and stacks resolved, and null where the deal is void. `button` is the seat that had
    the button in this deal, `next_button` the one that followed from it; `note` is the host's reason where button or
    flags did not follow from the deal before.
    """

    class Kind(models.TextChoices):
        SETTLE = "settle"
        CORRECT = "correct"
        VOID = "void"
        RESTORE = "restore"
        RESETTLE = "resettle"

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="revisions")
    n = models.PositiveIntegerField()
    event = models.ForeignKey(Event, models.CASCADE, related_name="revisions")
    kind = models.CharField(max_length=8, choices=Kind)
    entry = models.JSONField()
    document = models.JSONField(null=True)
    button = models.SmallIntegerField()
    next_button = models.SmallIntegerField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["deal", "n"], name="revision_number_once"),
            models.UniqueConstraint(fields=["event", "deal"], name="revision_once_per_event"),
            models.CheckConstraint(
                condition=Q(kind="void", document__isnull=True) | (~Q(kind="void") & Q(document__isnull=False)),
                name="revision_void_has_no_document",
            ),
            models.CheckConstraint(
                condition=(Q(n=1) & Q(kind="settle")) | (Q(n__gt=1) & ~Q(kind="settle")), name="revision_settles_first"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.n})"

    @property
    def voided(self) -> bool:
        """The deal counts for nothing in this version."""
        return self.kind == self.Kind.VOID


class Board(models.Model):
    """One seat's part in one revision: what lay there and what it was worth. Append-only.

    `rows`, `foul_reason` and the numbers are the engine's answer as in the score document; `rows` is null where the
    table scored the deal itself. `fantasyland_cards` is what this board was dealt at once (0: card by card),
    `fantasyland_next` what its owner gets in the next deal.
    """

    class Ruling(models.TextChoices):
        NONE = "", "none"
        DEAD = "dead"
        SURRENDERED = "surrendered"

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="boards")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="boards")
    order = models.PositiveSmallIntegerField()
    front = models.CharField(max_length=ROW_LENGTH, blank=True)
    middle = models.CharField(max_length=ROW_LENGTH, blank=True)
    back = models.CharField(max_length=ROW_LENGTH, blank=True)
    ruling = models.CharField(max_length=11, choices=Ruling, blank=True)
    fantasyland_cards = models.PositiveSmallIntegerField(default=0)
    foul = models.BooleanField(default=False)
    foul_reason = models.TextField(blank=True)
    rows = models.JSONField(null=True)
    royalties = models.IntegerField(default=0)
    fantasyland_next = models.PositiveSmallIntegerField(default=0)
    points = models.IntegerField()
    money = models.BigIntegerField()
    stack_before = models.BigIntegerField(null=True)
    stack_after = models.BigIntegerField(null=True)
    busted = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["revision", "order"], name="board_order_once"),
            models.UniqueConstraint(fields=["revision", "seat"], name="board_seat_once"),
            models.CheckConstraint(condition=_FANTASYLAND, name="board_fantasyland_in_bounds"),
            models.CheckConstraint(
                condition=Q(stack_before__isnull=True, stack_after__isnull=True)
                | Q(
                    stack_before__isnull=False,
                    stack_after__isnull=False,
                    stack_after=F("stack_before") + F("money"),
                ),
                name="board_stack_moves_by_its_money",
            ),
        )

    def __str__(self) -> str:
        return f"{self.front} / {self.middle} / {self.back}"


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
    ruling = models.CharField(max_length=11, choices=Board.Ruling, blank=True)
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


class PairResult(models.Model):
    """What two seats of one revision settled, signed from the first's side. Append-only.

    `order` is the place in the settlement; `paid` is less than `owed` only through a cap. The parts are the score
    document's: `rows` is null where a foul, a surrender, a moon or a natural decided the pair.
    """

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="pairs")
    order = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    second = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    rows = models.JSONField(null=True)
    row_points = models.IntegerField(default=0)
    bonus = models.IntegerField(default=0)
    royalties = models.IntegerField(default=0)
    points = models.IntegerField()
    stake = models.BigIntegerField()
    owed = models.BigIntegerField()
    paid = models.BigIntegerField()
    why = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["revision", "order"], name="pair_order_once"),
            models.UniqueConstraint(fields=["revision", "first", "second"], name="pair_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="pair_of_two"),
            models.CheckConstraint(condition=_between("stake", 0, MAX_AMOUNT), name="pair_stake_within"),
            models.CheckConstraint(condition=_between("owed", 0, MAX_AMOUNT), name="pair_owed_within"),
            models.CheckConstraint(condition=Q(paid__gte=0, paid__lte=F("owed")), name="pair_paid_at_most_owed"),
        )

    def __str__(self) -> str:
        return f"{self.first_id}-{self.second_id}: {self.points}"


class Transfer(models.Model):
    """One ledger line: payer to payee, so many points, so much money. Append-only.

    Points and money of every seat are sums of these lines and of nothing else. A reversal is a line the other way with
    the kind of the line that it `reverses`. `deal_number` places the line: the deal it settles, or for a line between
    deals the one it followed (0 before the first). `in_play` says that chips in front of the players moved; without it
    the line is on paper only.
    """

    class Kind(models.TextChoices):
        DEAL = "deal"
        PENALTY = "penalty"
        SIDE_BET = "side-bet"
        FEE = "fee"
        BUY_IN = "buy-in"
        CASH_OUT = "cash-out"

    session = models.ForeignKey(Session, models.CASCADE, related_name="transfers")
    event = models.ForeignKey(Event, models.CASCADE, related_name="transfers")
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="transfers", null=True, blank=True)
    deal_number = models.PositiveIntegerField()
    payer = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    payee = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    points = models.IntegerField(default=0)
    amount = models.BigIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    in_play = models.BooleanField(default=False)
    reverses = models.OneToOneField("self", models.CASCADE, related_name="reversed_by", null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="transfer_between_two"),
            models.CheckConstraint(condition=_between("points", 0, MAX_POINTS), name="transfer_points_in_bounds"),
            models.CheckConstraint(condition=_between("amount", 0, MAX_AMOUNT), name="transfer_amount_in_bounds"),
            models.CheckConstraint(condition=Q(points__gt=0) | Q(amount__gt=0), name="transfer_moves_something"),
            models.CheckConstraint(
                condition=Q(kind__in=("deal", "penalty")) | Q(points=0), name="transfer_points_only_from_play"
            ),
            models.CheckConstraint(
                condition=Q(kind="deal", revision__isnull=False) | (~Q(kind="deal") & Q(revision__isnull=True)),
                name="transfer_of_a_deal_has_its_revision",
            ),
        )
        # Covering: every balance is one walk along the first, chips in front of a seat one along each.
        indexes = (
            models.Index(
                fields=["session", "payer", "payee", "in_play", "kind", "deal_number", "points", "amount"],
                name="transfer_by_payer",
            ),
            models.Index(fields=["session", "payee", "in_play", "amount"], name="transfer_by_payee"),
            # The few lines of a page of the ledger that are of no deal.
            models.Index(
                fields=["session", "deal_number"], condition=Q(revision__isnull=True), name="transfer_between_deals"
            ),
        )

    def __str__(self) -> str:
        return f"{self.payer_id} pays {self.payee_id} {self.amount} ({self.kind})"


class Dispute(models.Model):
    """A flag on a deal, up until the host resolves it. What was said and by whom stands in the two events."""

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="disputes")
    raised = models.OneToOneField(Event, models.CASCADE, related_name="dispute")
    resolved = models.OneToOneField(Event, models.CASCADE, related_name="resolved_dispute", null=True, blank=True)

    def __str__(self) -> str:
        return f"Dispute of deal {self.deal_id}"


class Total(models.Model):
    """A seat's totals, frozen when its session closed: a cache of the transfers, which the audit compares.

    `points` and `money` are won or lost in play; `fees` (paid to the house) are apart. Deleted when the session
    reopens.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    session = models.ForeignKey(Session, models.CASCADE, related_name="totals")
    player = models.ForeignKey(Player, models.CASCADE, related_name="totals")
    currency = models.CharField(max_length=8)
    minor_digits = models.PositiveSmallIntegerField()
    deals = models.PositiveIntegerField()
    points = models.BigIntegerField()
    money = models.BigIntegerField()
    fees = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["session", "player"], name="total_once"),)
        indexes = (
            models.Index(
                fields=["club", "currency", "minor_digits", "player", "deals", "points", "money", "fees"],
                name="total_by_player",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points}"
