"""The club's tab, and a person's account with it, as people read them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from scoring import reads
from scoring.game.limits import BANK
from scoring.game.payments import Payment
from scoring.game.text import fold
from scoring.ledger.payments import Made
from scoring.models import Club, Player
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.figures import apart, day, day_of_year, facts, joined, labelled, money, signed_money
from scoring.wording.names import link_said, name_said, name_within
from scoring.wording.notes import note_said
from scoring.wording.session import titles_by_pk
from scoring.wording.settle_up import shortened_list


@dataclass(frozen=True, slots=True)
class OpenShown:
    """One payment that is open. ``since`` is like "since 14 November", and ``url`` leads to where it is paid."""

    payer: str
    payee: str
    amount: str
    since: str
    url: str


@dataclass(frozen=True, slots=True)
class TabPaymentShown:
    """One payment that was made; ``url`` leads to its Undo, and is empty if it was undone."""

    payer: str
    payee: str
    amount: str
    how: str
    by: str
    on: str
    url: str


@dataclass(frozen=True, slots=True)
class TabShown:
    """The tab in one currency. ``proven`` is a sentence on the number of payments, ``text`` is for a group's chat.

    ``bank`` says what the bank is, and is empty if it pays nothing and is paid nothing.
    """

    name: str
    currency: str
    open: list[OpenShown]
    paid: list[TabPaymentShown]
    bank: str
    proven: str
    text: str


@dataclass(frozen=True, slots=True)
class PostingShown:
    """One line of an account; ``url`` leads to its evening, if it has one."""

    on: str
    what: str
    how: str
    amount: str
    balance: str
    url: str


@dataclass(frozen=True, slots=True)
class AccountShown:
    """A person's account in one currency, oldest line first, ``stands`` says in a sentence where it stands."""

    currency: str
    postings: list[PostingShown]
    stands: str
    text: str


def tab_name(currency: str, minor_digits: int) -> str:
    """What addresses and forms call the tab in a currency."""
    return f"{currency}{minor_digits}"


def tabs_shown(club: Club) -> list[TabShown]:
    """The tabs in which something is open or was paid."""
    names = reads.account_names(club)
    return [tab_shown(club, tab, names) for tab in reads.tabs(club) if tab.open or tab.made]


def open_among(tabs: Iterable[TabShown], names: Collection[str] | None = None) -> str:
    """What is open between players with these names, or all that is open, like "Ben owes Anna 36.00 EUR"."""
    folded = None if names is None else {fold(name) for name in names}
    return facts(
        debt(each, tab.currency)
        for tab in tabs
        for each in tab.open
        if folded is None or {fold(each.payer), fold(each.payee)} <= folded
    )


def tab_shown(club: Club, tab: reads.Tab, names: Mapping[int, str]) -> TabShown:
    """One tab, by name."""
    name = tab_name(tab.currency, tab.minor_digits)

    def url(payment: Payment) -> str:
        asked = urlencode([("payer", payment.payer), ("payee", payment.payee), ("tab", name)])
        return f"{reverse('pay-tab', args=[club.public_id])}?{asked}"

    shown = [
        OpenShown(
            *_who(payment, names),
            money(payment.amount, tab.minor_digits),
            _("since {day}").format(day=_day(tab.since[payment.payer])) if payment.payer in tab.since else "",
            url(payment),
        )
        for payment in tab.open
    ]
    lines = [debt(each, tab.currency) for each in shown]
    fewer = ngettext("At most {count} fewer might do.", "At most {count} fewer might do.", tab.fewer)
    paid = [made for made in tab.made if not made.undone][:MOST_PAID]
    listed = [*tab.open, *(made.payment for made in paid)]
    return TabShown(
        name,
        tab.currency,
        shown,
        [_paid(club, made, tab, names) for made in paid],
        _the_bank() if any(BANK in (each.payer, each.payee) for each in listed) else "",
        fewer.format(count=tab.fewer) if tab.fewer else _("Fewer payments would not do."),
        shortened_list(
            _("{club}, open on {day}:").format(club=club.name or _("Home game"), day=_day(timezone.now())), lines
        ),
    )


def _the_bank() -> str:
    return _(
        "The bank is the cash box for chips: it owes what it has not yet paid out for them, and is owed what it lacks."
    )


def debt(payment: OpenShown, currency: str) -> str:
    """Like "Ben owes Anna 36.00 EUR"."""
    return _("{payer} owes {payee} {amount}").format(
        payer=apart(payment.payer), payee=apart(payment.payee), amount=f"{payment.amount} {currency}"
    )


MOST_PAID = 5
"""How many of the newest payments the club's page lists. A person's account has all of theirs."""


def less_on_tab(player: str, amount: str, *, owes: bool) -> str:
    """A warning that a player has only this ``amount`` open on the tab, or nothing if it is empty."""
    if owes and amount:
        said = _("On the club’s tab {player} owes only {amount} in all. This may have been settled there already.")
    elif owes:
        said = _("On the club’s tab {player} owes nothing in all. This may have been settled there already.")
    elif amount:
        said = _("On the club’s tab {player} is owed only {amount} in all. This may have been settled there already.")
    else:
        said = _("On the club’s tab {player} is owed nothing in all. This may have been settled there already.")
    return said.format(player=player, amount=amount)


def _paid(club: Club, made: Made, tab: reads.Tab, names: Mapping[int, str]) -> TabPaymentShown:
    return TabPaymentShown(
        *_who(made.payment, names),
        money(made.payment.amount, tab.minor_digits),
        note_said(made.note),
        link_said(made.by),
        _day(made.at),
        reverse("undo-tab", args=[club.public_id, made.n]),
    )


def _who(payment: Payment, names: Mapping[int, str]) -> tuple[str, str]:
    return name_said(names.get(payment.payer, "?")), name_within(names.get(payment.payee, "?"))


def _day(moment: datetime) -> str:
    """Like "14 November", with the year if it is not this one."""
    return day(moment) if timezone.localtime(moment).year == timezone.localtime().year else day_of_year(moment)


def accounts_shown(player: Player) -> list[AccountShown]:
    """The player's account in each currency in which they have one."""
    names = reads.account_names(player.club)
    return [
        _account(player, currency, digits, postings, names)
        for (currency, digits), postings in reads.account(player).items()
    ]


def _account(
    player: Player, currency: str, digits: int, postings: Sequence[reads.Posting], names: Mapping[int, str]
) -> AccountShown:
    called = titles_by_pk(each.session for each in postings if each.session)
    lines = [_posting(each, digits, names, called) for each in postings]
    balance = postings[-1].balance if postings else 0
    stands = _("{player} is even.")
    if balance:
        stands = _("{player} is owed {amount}.") if balance > 0 else _("{player} owes {amount}.")
    stands = stands.format(player=player.name, amount=f"{money(abs(balance), digits)} {currency}")
    last = [labelled(line.on, joined([line.what, line.amount])) for line in lines]
    return AccountShown(currency, lines, stands, shortened_list(stands, last, newest=True))


def _how(posting: reads.Posting, digits: int) -> Iterator[str]:
    won = posting.amount - posting.cash
    if posting.cash:
        yield (_("lost {amount}") if won < 0 else _("won {amount}")).format(amount=money(abs(won), digits))
        bank = _("paid the bank {amount} in cash") if posting.cash > 0 else _("got {amount} in cash from the bank")
        yield bank.format(amount=money(abs(posting.cash), digits))
    if not posting.counts:
        yield _("settled on the spot, not on the tab")


def _posting(posting: reads.Posting, digits: int, names: Mapping[int, str], called: Mapping[int, str]) -> PostingShown:
    session = posting.session
    what = called[session.pk] if session else ""
    if posting.payment:
        if posting.undoes:
            what = _("Undone: paid {player}") if posting.amount < 0 else _("Undone: paid by {player}")
        else:
            what = _("Paid {player}") if posting.amount > 0 else _("Paid by {player}")
        what = what.format(player=name_within(names.get(posting.other, "?")))
    return PostingShown(
        on=_day(posting.at),
        what=what,
        how=joined(_how(posting, digits)),
        amount=signed_money(posting.amount, digits),
        balance=signed_money(posting.balance, digits),
        url=reverse("table", args=[session.public_id]) if session else "",
    )
