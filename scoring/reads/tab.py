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

from django.db.models import BigIntegerField, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Category, LineKind
from scoring.game.payments import Payment, fewer_at_most, squares_accounts, squaring
from scoring.ledger.payments import Made, promised
from scoring.models import Club, LineSum, Merged, Player, Session, TabPayment, Total, Transfer

PAYING: Final = [kind for kind in LineKind if kind.category in (Category.PAYMENT, Category.CASH)]
"""The kinds of lines by which a debt is paid, chips that were paid for on the spot included."""

RECENT: Final = 60
"""The most payments of a tab that are looked at for a plan that still holds."""

Currency = tuple[str, int]
"""A currency's code and its number of minor digits."""


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
class Entry:
    """One line of a person's account.

    Without a ``payment`` it is the result of ``session``; with its number, it is a payment in that session or, without
    a ``session``, one of the tab. ``amount`` is what the person was owed more by it. ``balance`` stays as it was if the
    session is kept out of the tab. ``other`` is the account on the other side of a payment, which may be one that
    ``undoes`` an earlier one.
    """

    at: datetime
    session: Session | None
    payment: int
    other: int
    note: str
    amount: int
    counts: bool
    undoes: bool = False
    balance: int = 0


def account_names(club: Club) -> dict[int, str]:
    """What each account of the club's tab is called."""
    return {BANK: "Bank", HOUSE: "House", **dict(Player.objects.filter(club=club).values_list("pk", "name"))}


def tabs(club: Club) -> list[Tab]:
    """The club's tab in each currency that is or was on it, in a fixed number of statements."""
    now = _people_now(club)
    owed: dict[Currency, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for player, code, digits, won, fees in (
        Total.objects.filter(_on_tab("session"), club=club)
        .order_by()
        .values_list("player_id", "currency", "minor_digits")
        .annotate(Sum("money"), Sum("fees"))
    ):
        owed[code, digits][player] += int(won) - int(fees)
    lines = LineSum.objects.filter(_on_tab("session"), session__club=club)
    for payer, payee, kind, code, digits, amount in (
        lines.filter(Q(kind__in=PAYING) | Q(payer__number=HOUSE) | Q(payee__number=HOUSE))
        .order_by()
        .annotate(
            account_of_payer=Coalesce("payer__player_id", "payer__number", output_field=BigIntegerField()),
            account_of_payee=Coalesce("payee__player_id", "payee__number", output_field=BigIntegerField()),
        )
        .values_list("account_of_payer", "account_of_payee", "kind", "session__currency", "session__minor_digits")
        .annotate(Sum("amount"))
    ):
        # A debt that is paid is one less; a fee is a debt to the house. Players' fees are in their totals.
        if kind in PAYING:
            _pay(owed[code, digits], payer, payee, int(amount))
        elif LineKind(kind).category is not Category.BANK:
            for account, change in ((payer, -amount), (payee, amount)):
                if account == HOUSE:
                    owed[code, digits][HOUSE] += int(change)
    for payer, payee, code, digits, amount in (
        TabPayment.objects.filter(club=club)
        .order_by()
        .values_list("payer", "payee", "currency", "minor_digits")
        .annotate(Sum("amount"))
    ):
        _pay(owed[code, digits], now.get(payer, payer), now.get(payee, payee), int(amount))
    made = _made(club, now)
    since = _since(club, owed, now)
    found = []
    for (code, digits), accounts in sorted(owed.items()):
        accounts[BANK] = -sum(accounts.values())
        open_ = {account: amount for account, amount in accounts.items() if amount}
        plan = promised(made[code, digits][::-1])
        holds = plan is not None and squares_accounts(plan, open_)
        found.append(
            Tab(
                currency=code,
                minor_digits=digits,
                owed=open_,
                open=plan if holds and plan is not None else squaring(open_),
                fewer=fewer_at_most(open_),
                since={account: since[code, digits][account] for account in open_ if account in since[code, digits]},
                made=made[code, digits],
            )
        )
    return found


def _on_tab(session: str = "") -> Q:
    """Closed sessions that are on the tab."""
    prefix = f"{session}__" if session else ""
    return Q(**{f"{prefix}on_tab": True, f"{prefix}closed_at__isnull": False})


def _people_now(club: Club) -> dict[int, int]:
    """Who the players are now that were put together with others."""
    return dict(Merged.objects.filter(club=club).values_list("gone", "player_id"))


def _pay(owed: dict[int, int], payer: int, payee: int, amount: int) -> None:
    """A payment between two accounts. The bank's is what all others leave."""
    for account, change in ((payer, amount), (payee, -amount)):
        if account != BANK:
            owed[account] += change


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


def _since(
    club: Club, owed: Mapping[Currency, Mapping[int, int]], now: Mapping[int, int]
) -> Mapping[Currency, Mapping[int, datetime]]:
    """For each account that owes, when the last stretch of owing began; found from its newest entry back."""
    owing = {account for accounts in owed.values() for account, amount in accounts.items() if amount < 0}
    # Reading a date takes longer than all else of a row, so each session's is read once.
    sessions = {
        pk: (at, (code, digits))
        for pk, at, code, digits in Session.objects.filter(_on_tab(), club=club).values_list(
            "pk", "opened_at", "currency", "minor_digits"
        )
    }
    moves: dict[tuple[Currency, int], list[tuple[datetime, int]]] = defaultdict(list)
    for session, player, won, fees in Total.objects.filter(club=club, player__in=owing).values_list(
        "session_id", "player_id", "money", "fees"
    ):
        if session in sessions:
            at, currency = sessions[session]
            moves[currency, player].append((at, won - fees))
    for session, payer, payee, amount in LineSum.objects.filter(
        _on_tab("session"), session__club=club, kind__in=PAYING
    ).values_list("session_id", "payer__player_id", "payee__player_id", "amount"):
        at, currency = sessions[session]
        for player, change in ((payer, amount), (payee, -amount)):
            if player in owing:
                moves[currency, player].append((at, change))
    for payer, payee, code, digits, at, amount in TabPayment.objects.filter(club=club).values_list(
        "payer", "payee", "currency", "minor_digits", "at", "amount"
    ):
        for player, change in ((now.get(payer, payer), amount), (now.get(payee, payee), -amount)):
            if player in owing:
                moves[(code, digits), player].append((at, change))
    found: dict[Currency, dict[int, datetime]] = defaultdict(dict)
    for (currency, player), changes in moves.items():
        balance = owed[currency].get(player, 0)
        if balance >= 0:
            continue
        for at, change in sorted(changes, reverse=True):
            found[currency][player] = at
            balance -= change
            if balance >= 0:
                break
    return found


def account(player: Player) -> dict[Currency, list[Entry]]:
    """The player's account in each currency, from its first entry to the last, in a fixed number of statements.

    Evenings that are kept out of the tab are in it, too, and do not count.
    """
    now = _people_now(player.club)
    entries: dict[Currency, list[Entry]] = defaultdict(list)
    totals = Total.objects.filter(player=player, session__closed_at__isnull=False).select_related("session")
    cash = _cash_for_chips(player)
    for total in totals:
        session = total.session
        amount = total.money - total.fees + cash[session.pk]
        entry = Entry(session.opened_at, session, 0, 0, "", amount, session.on_tab)
        entries[total.currency, total.minor_digits].append(entry)
    for line in _paid_in_sessions(player):
        pays = line.payer.player_id == player.pk
        seat = line.payee if pays else line.payer
        other = seat.player_id or seat.number
        entry = Entry(
            line.event.at,
            line.session,
            line.event.n,
            other,
            line.event.note,
            line.amount if pays else -line.amount,
            line.session.on_tab,
            undoes=line.reverses_id is not None,
        )
        entries[line.session.currency, line.session.minor_digits].append(entry)
    aliases = [player.pk, *(gone for gone, to in now.items() if to == player.pk)]
    for row in TabPayment.objects.filter(Q(payer__in=aliases) | Q(payee__in=aliases), club=player.club):
        pays, paid = row.payer in aliases, row.payee in aliases
        other = row.payee if pays else row.payer
        amount = row.amount * (pays - paid)
        undoes = row.undoes is not None
        entry = Entry(row.at, None, row.n, now.get(other, other), row.note, amount, counts=True, undoes=undoes)
        entries[row.currency, row.minor_digits].append(entry)
    return {currency: _balanced(found) for currency, found in sorted(entries.items())}


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


def _balanced(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in order of time, each with the balance after it."""
    found: list[Entry] = []
    balance = 0
    for entry in sorted(entries, key=lambda each: (each.at, each.payment)):
        balance += entry.amount if entry.counts else 0
        found.append(replace(entry, balance=balance))
    return found
