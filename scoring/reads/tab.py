"""A club's tab: what is open among its people over all evenings that are on it, less what has been paid since.

An account is a player's primary key, `HOUSE` for fees, or `BANK` for chips that nobody has paid for yet. Amounts are in
minor units.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from scoring.actions.evening import ChooseTab, Close
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Category, LineKind, kinds_of
from scoring.game.payments import Payment, fewer_at_most, squares_accounts, squaring
from scoring.ledger.load import tab_of
from scoring.ledger.payments import Made, promised
from scoring.models import Club, Event, LineSum, Merged, Player, Session, TabPayment, Total, Transfer
from scoring.reads.statistics import Currency

PAYING: Final = kinds_of(Category.PAYMENT, Category.CASH)
"""The kinds of lines by which a debt is paid, chips that were paid for on the spot included."""

CHIPS: Final = kinds_of(Category.BANK)
"""The kinds of lines by which chips are bought and handed in, which by themselves change nothing that is owed."""

RECENT: Final = 60
"""The most payments of a tab that are looked at for a plan that still holds."""


@dataclass(frozen=True, slots=True)
class Tab:
    """What is open in one currency. ``owed`` has each open account, below 0 what it owes; it sums to zero.

    ``open`` are the payments to be made: what is left of the plan that held when the last one was made, if it still
    squares everybody, else the fewest. At most ``fewer`` fewer might do. ``since`` has, for each account that owes, the
    day from which it has owed without a break. ``made`` are the newest payments, the last one first.
    """

    currency: str
    minor_digits: int
    owed: Mapping[int, int]
    open: Sequence[Payment]
    fewer: int
    since: Mapping[int, datetime]
    made: Sequence[Made]


@dataclass(frozen=True, slots=True)
class Posting:
    """One line of a person's account.

    Without a ``payment`` it is the result of ``session``. With a payment's number it is that payment: one in that
    session or, without a ``session``, one of the tab.

    - ``amount`` is how much more the person is owed after it.
    - ``cash`` is what they paid the bank for chips in a session, below 0 if they got money for theirs.
    - ``balance`` stays as it was if the session is kept out of the tab.
    - ``other`` is the account on the other side of a payment, which may be one that ``undoes`` an earlier one.
    """

    at: datetime
    session: Session | None
    payment: int
    other: int
    note: str
    amount: int
    counts: bool
    undoes: bool = False
    cash: int = 0
    balance: int = 0


def account_names(club: Club) -> dict[int, str]:
    """What each account of the club's tab is called."""
    return {BANK: "Bank", HOUSE: "House", **dict(Player.objects.filter(club=club).values_list("pk", "name"))}


def paid_on_tab(session: Session) -> bool:
    """Whether the tab has a payment by or to somebody of the session since it first had what was open there.

    The session may be open again by now, or off the tab: that payment may have been for it all the same.
    """
    if session.closed_at is None and not session.on_tab:
        return False
    choices = Event.objects.filter(session=session, verb__in=[Close.verb, ChooseTab.verb]).order_by("n")
    first = next((each.at for each in choices if tab_of(each)[0]), None)
    if first is None:
        return False
    here = session.seats.exclude(player=None).values_list("player", flat=True)
    people = [*here, *Merged.objects.filter(player__in=here).values_list("gone", flat=True)]
    since = TabPayment.objects.filter(
        Q(payer__in=people) | Q(payee__in=people), club=session.club_id, at__gte=first, undoes=None
    ).filter(currency=session.currency, minor_digits=session.minor_digits)
    undone = TabPayment.objects.filter(club=session.club_id).exclude(undoes=None).values("undoes")
    return since.exclude(n__in=undone).exists()


def tabs(club: Club) -> list[Tab]:
    """The club's tab in each currency that is or was on it, in a fixed number of statements."""
    now = _people_now(club)
    made = _made(club, now)
    found = []
    for (code, digits), moves in sorted(_moves(club, now).items()):
        owed = {account: amount for account, of in moves.items() if (amount := sum(change for _, change in of))}
        owed[BANK] = -sum(owed.values())
        open_ = {account: amount for account, amount in owed.items() if amount}
        plan = promised(made[code, digits][::-1])
        fewest = squaring(open_)
        found.append(
            Tab(
                currency=code,
                minor_digits=digits,
                owed=open_,
                open=plan if plan is not None and squares_accounts(plan, open_) else fewest,
                fewer=fewer_at_most(open_, fewest),
                since={account: _since(of, owed[account]) for account, of in moves.items() if owed.get(account, 0) < 0},
                made=made[code, digits],
            )
        )
    return found


Moves = dict[int, list[tuple[datetime, int]]]
"""For each account when it was owed how much more, below 0 how much less; in no order."""


def _moves(club: Club, now: Mapping[int, int]) -> Mapping[Currency, Moves]:
    """Everything that changed an account of the tab but the bank's, which has what all others leave.

    Each row is read once, and Python adds up, because the days of an account are wanted, too. What happened in a
    session counts from the day of that session.
    """
    found: dict[Currency, Moves] = defaultdict(lambda: defaultdict(list))
    # Reading a date takes longer than all else of a row, so each session's is read once.
    sessions = {
        pk: (at, (code, digits))
        for pk, at, code, digits in Session.objects.filter(_on_tab(), club=club).values_list(
            "pk", "opened_at", "currency", "minor_digits"
        )
    }
    for session, player, won, fees in Total.objects.filter(club=club).values_list(
        "session_id", "player_id", "money", "fees"
    ):
        if session in sessions:
            at, currency = sessions[session]
            found[currency][player].append((at, won - fees))
    for session, kind, payer, payer_number, payee, payee_number, amount in (
        LineSum.objects.filter(_on_tab("session"), session__club=club)
        .filter(Q(kind__in=PAYING) | (Q(payer__number=HOUSE) | Q(payee__number=HOUSE)) & ~Q(kind__in=CHIPS))
        .values_list("session_id", "kind", "payer__player", "payer__number", "payee__player", "payee__number", "amount")
    ):
        at, currency = sessions[session]
        # A debt that is paid is one less; a fee is a debt to the house. Players' fees are in their totals.
        for account, change in ((payer or payer_number, amount), (payee or payee_number, -amount)):
            if kind in PAYING and account != BANK:
                found[currency][account].append((at, change))
            elif kind not in PAYING and account == HOUSE:
                found[currency][account].append((at, -change))
    for payer, payee, code, digits, at, amount in TabPayment.objects.filter(club=club).values_list(
        "payer", "payee", "currency", "minor_digits", "at", "amount"
    ):
        for account, change in ((now.get(payer, payer), amount), (now.get(payee, payee), -amount)):
            if account != BANK:
                found[code, digits][account].append((at, change))
    return found


def _since(moves: Sequence[tuple[datetime, int]], balance: int) -> datetime:
    """When the last stretch of owing began that came to this ``balance``, found from its newest entry back."""
    for at, change in sorted(moves, reverse=True):
        began = at
        balance -= change
        if balance >= 0:
            break
    return began


def _on_tab(session: str = "") -> Q:
    """Closed sessions that are on the tab."""
    prefix = f"{session}__" if session else ""
    return Q(**{f"{prefix}on_tab": True, f"{prefix}closed_at__isnull": False})


def _people_now(club: Club) -> dict[int, int]:
    """Who the players are now that were put together with others."""
    return dict(Merged.objects.filter(club=club).values_list("gone", "player_id"))


def _made(club: Club, now: Mapping[int, int]) -> dict[Currency, list[Made]]:
    """The newest payments of the tab by currency, the last one first, without those that took one back."""
    fields = ("n", "at", "by", "note", "payer", "payee", "amount", "plan", "undoes", "currency", "minor_digits")
    rows = list(TabPayment.objects.filter(club=club).order_by("-n").values_list(*fields, named=True)[:RECENT])
    undone = {row.undoes for row in rows}
    found: dict[Currency, list[Made]] = defaultdict(list)
    for row in rows:
        if row.undoes is None:
            plan = [_payment(now, *each) for each in row.plan]
            payment = _payment(now, row.payer, row.payee, row.amount)
            found[row.currency, row.minor_digits].append(
                Made(row.n, row.at, row.by, row.note, payment, plan, undone=row.n in undone)
            )
    return found


def tab_payment(club: Club, number: int) -> tuple[Made, Currency] | None:
    """A payment of the club's tab by its number, and its currency. None if there is no such payment."""
    row = TabPayment.objects.filter(club=club, n=number, undoes=None).first()
    if row is None:
        return None
    payment = _payment(_people_now(club), row.payer, row.payee, row.amount)
    undone = TabPayment.objects.filter(club=club, undoes=number).exists()
    return Made(row.n, row.at, row.by, row.note, payment, (), undone), (row.currency, row.minor_digits)


def _payment(now: Mapping[int, int], payer: int, payee: int, amount: int) -> Payment:
    return Payment(now.get(payer, payer), now.get(payee, payee), amount)


def account(player: Player) -> dict[Currency, list[Posting]]:
    """The player's account in each currency, from its first posting to the last, in a fixed number of statements.

    Evenings that are kept out of the tab are in it, too, and do not count.
    """
    now = _people_now(player.club)
    postings: dict[Currency, list[Posting]] = defaultdict(list)
    totals = Total.objects.filter(player=player, session__closed_at__isnull=False).select_related("session")
    cash = _cash_for_chips(player)
    for total in totals:
        session = total.session
        amount = total.money - total.fees + cash[session.pk]
        posting = Posting(session.opened_at, session, 0, 0, "", amount, session.on_tab, cash=cash[session.pk])
        postings[total.currency, total.minor_digits].append(posting)
    for line in _paid_in_sessions(player):
        pays = line.payer.player_id == player.pk
        seat = line.payee if pays else line.payer
        other = seat.player_id or seat.number
        posting = Posting(
            line.event.at,
            line.session,
            line.event.n,
            other,
            line.event.note,
            line.amount if pays else -line.amount,
            line.session.on_tab,
            undoes=line.reverses_id is not None,
        )
        postings[line.session.currency, line.session.minor_digits].append(posting)
    aliases = [player.pk, *(gone for gone, to in now.items() if to == player.pk)]
    for row in TabPayment.objects.filter(Q(payer__in=aliases) | Q(payee__in=aliases), club=player.club):
        pays, paid = row.payer in aliases, row.payee in aliases
        other = row.payee if pays else row.payer
        amount = row.amount * (pays - paid)
        undoes = row.undoes is not None
        posting = Posting(row.at, None, row.n, now.get(other, other), row.note, amount, counts=True, undoes=undoes)
        postings[row.currency, row.minor_digits].append(posting)
    return {currency: _balanced(found) for currency, found in sorted(postings.items())}


def _cash_for_chips(player: Player) -> Mapping[int, int]:
    """What the player paid the bank for chips in each closed session, less what it paid them for theirs."""
    found: dict[int, int] = defaultdict(int)
    for side, sign in (("payer", 1), ("payee", -1)):
        sums = LineSum.objects.filter(
            **{f"{side}__player": player},
            session__club=player.club,
            session__closed_at__isnull=False,
            kind=LineKind.CASH,
        )
        for session, amount in sums.values_list("session", "amount"):
            found[session] += sign * amount
    return found


def _paid_in_sessions(player: Player) -> QuerySet[Transfer]:
    """The lines of payments that the player made or got in closed sessions, also those that take one back."""
    return Transfer.objects.filter(
        Q(payer__player=player) | Q(payee__player=player),
        session__club=player.club,
        session__closed_at__isnull=False,
        kind=LineKind.PAYMENT,
    ).select_related("event", "session", "payer", "payee")


def _balanced(postings: Iterable[Posting]) -> list[Posting]:
    """The postings in order of time, each with the balance after it."""
    found: list[Posting] = []
    balance = 0
    for posting in sorted(postings, key=lambda each: (each.at, each.payment)):
        balance += posting.amount if posting.counts else 0
        found.append(replace(posting, balance=balance))
    return found
