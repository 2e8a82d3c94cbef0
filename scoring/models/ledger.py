"""What happened and what it led to: events, deals with their revisions, and a ledger of transfers."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scoring.game.limits import KEY_LENGTH, MAX_AMOUNT, MAX_POINTS, MAX_SUM, NOTE_LENGTH, ROW_LENGTH
from scoring.models.club import Club, Player
from scoring.models.columns import FANTASYLAND, between
from scoring.models.session import Seat, Session


class Event(models.Model):
    """One thing that somebody did to a session. Append-only; numbered without gaps.

    Events are the audit trail. They make a repeated request harmless (through `key` and the `fingerprint` of the
    request). They are also the script from which a session can be replayed: `action` holds everything that was
    given. `before` and `after` hold the parts of the table that the event changed. `deal` is the number of the deal it
    is about, if any, and `deals` is how many deals the session had once it was recorded. `undoes` is the `n` of the
    event that this one takes back.

    `link` is the primary key of the link that the request came in by, null on events of earlier releases and of a new
    club's first session. It decides who may undo the event. It is no evidence and could tell one browser from another,
    so no hash covers it and no export has it.

    `hash` links the event to the one before it (`scoring.ledger.chain`). `chained` is null, except on events of earlier
    releases: there it says when they got their hash, and has what their first event did not store about the session.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.CharField(max_length=80)
    link = models.BigIntegerField(null=True, blank=True)
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
    chained = models.JSONField(null=True, blank=True)
    hash = models.CharField(max_length=64)

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
    """One round. `revision` is the number of the revision that counts now."""

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
    """A deal as it was settled once, with everything it was settled on. Append-only.

    `entry` is what was typed (`Entry.as_document()`). `document` is the whole score document that the engine was
    given, with rules, stakes, Fantasyland and stacks resolved; it is null where the deal is void. `button` is the seat
    that had the button in this deal, and `next_button` the seat that got it next. `note` is the host's reason where
    the button or the Fantasyland did not follow from the previous deal.
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
        """Whether the deal counts for nothing in this revision."""
        return self.kind == self.Kind.VOID


class BoardResult(models.Model):
    """One seat's part in one revision: its cards and what they were worth. Append-only.

    `rows`, `foul_reason` and the numbers are the engine's answer as in the score document; `rows` is null where the
    players scored the deal themselves. `fantasyland_cards` is how many cards this board was dealt at once (0 means
    card by card), and `fantasyland_next` is how many its player gets at once in the next deal.
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
        db_table = "scoring_board"
        constraints = (
            models.UniqueConstraint(fields=["revision", "order"], name="board_order_once"),
            models.UniqueConstraint(fields=["revision", "seat"], name="board_seat_once"),
            models.CheckConstraint(condition=FANTASYLAND, name="board_fantasyland_in_bounds"),
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


class PairResult(models.Model):
    """What two seats of one revision settled; positive points favour the first seat. Append-only.

    `order` is the pair's place in the settlement. `paid` is less than `owed` only because of a cap. The other columns
    are the score document's: `rows` is null where a foul, a surrender, a moon or a natural decided the pair.
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
            models.CheckConstraint(condition=between("stake", 0, MAX_AMOUNT), name="pair_stake_within"),
            models.CheckConstraint(condition=between("owed", 0, MAX_AMOUNT), name="pair_owed_within"),
            models.CheckConstraint(condition=Q(paid__gte=0, paid__lte=F("owed")), name="pair_paid_at_most_owed"),
        )

    def __str__(self) -> str:
        return f"{self.first_id}-{self.second_id}: {self.points}"


class Transfer(models.Model):
    """One ledger line: points and money that the payer gives the payee. Append-only.

    The points and money of every seat are sums of these lines and of nothing else. A reversal is a line in the opposite
    direction, with the kind of the line that it `reverses`. `deal_number` places the line: it is the deal that the line
    settles or, for a line between deals, the deal that it followed (0 before the first). `kind` is a `LineKind`.
    `in_play` says that chips in front of the players moved; without it the line is on paper only.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="transfers")
    event = models.ForeignKey(Event, models.CASCADE, related_name="transfers")
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="transfers", null=True, blank=True)
    deal_number = models.PositiveIntegerField()
    payer = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    payee = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    points = models.IntegerField(default=0)
    amount = models.BigIntegerField()
    kind = models.CharField(max_length=8)
    in_play = models.BooleanField(default=False)
    reverses = models.OneToOneField("self", models.CASCADE, related_name="reversed_by", null=True, blank=True)

    reverses_n: int | None = None
    """The `Event.n` of the line that it `reverses`; set only until it is written."""

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="transfer_between_two"),
            models.CheckConstraint(condition=between("points", 0, MAX_POINTS), name="transfer_points_in_bounds"),
            models.CheckConstraint(condition=between("amount", 0, MAX_AMOUNT), name="transfer_amount_in_bounds"),
            models.CheckConstraint(condition=Q(points__gt=0) | Q(amount__gt=0), name="transfer_moves_something"),
            models.CheckConstraint(
                condition=Q(kind="deal", revision__isnull=False) | (~Q(kind="deal") & Q(revision__isnull=True)),
                name="transfer_of_a_deal_has_its_revision",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=("payment", "cash")) | Q(points=0, in_play=False),
                name="transfer_payment_is_no_play",
            ),
            models.CheckConstraint(
                condition=~Q(kind="count") | Q(points=0, in_play=True), name="transfer_count_moves_chips"
            ),
        )
        # These cover their queries: balances scan only the first index, and a seat's chips take one scan of each.
        indexes = (
            models.Index(
                fields=["session", "payer", "payee", "in_play", "kind", "deal_number", "points", "amount"],
                name="transfer_by_payer",
            ),
            models.Index(fields=["session", "payee", "in_play", "amount"], name="transfer_by_payee"),
            # For the few lines on a ledger page that belong to no deal.
            models.Index(
                fields=["session", "deal_number"], condition=Q(revision__isnull=True), name="transfer_between_deals"
            ),
        )

    def __str__(self) -> str:
        return f"{self.payer_id} pays {self.payee_id} {self.amount} ({self.kind})"


class LineSum(models.Model):
    """What a session's transfers of one kind from one seat to another add up to, in points and minor units.

    A trigger adds every transfer as it is inserted (`scoring.ledger.line_sums`), so that neither a long evening nor a
    write costs a sum over all lines. The audit compares them.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="line_sums")
    payer = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    payee = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8)
    in_play = models.BooleanField()
    points = models.BigIntegerField()
    amount = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["session", "payer", "payee", "kind", "in_play"], name="line_sum_once"),
            models.CheckConstraint(condition=between("points", 0, MAX_SUM), name="line_sum_points_within"),
            models.CheckConstraint(condition=between("amount", 0, MAX_SUM), name="line_sum_within"),
        )

    def __str__(self) -> str:
        return f"{self.payer_id} has paid {self.payee_id} {self.amount} ({self.kind})"


class Dispute(models.Model):
    """A dispute of a deal, open until the host resolves it. Its two events hold what was said and by whom."""

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="disputes")
    raised = models.OneToOneField(Event, models.CASCADE, related_name="dispute")
    resolved = models.OneToOneField(Event, models.CASCADE, related_name="resolved_dispute", null=True, blank=True)

    def __str__(self) -> str:
        return f"Dispute of deal {self.deal_id}"


class Total(models.Model):
    """A player's totals, frozen when the session closed: a cache that the audit checks against the transfers.

    `points` and `money` are won or lost in play; `fees` (paid to the house) are separate. The ledger deletes these rows
    when the session reopens.
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
