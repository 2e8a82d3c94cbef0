"""Records payments of a club's tab, and takes them back."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from scoring import reads
from scoring.actions.checks import amount_problems
from scoring.club.lock import lock_club, lock_club_and_sessions
from scoring.club.people import check_names
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import BANK, HOUSE
from scoring.game.payments import Payment
from scoring.game.text import fold
from scoring.ledger.payments import check_owed, promised, to_take_back
from scoring.ledger.turn import Signature, fingerprint_of
from scoring.models import Club, TabPayment
from scoring.rules.phrase import Phrase
from scoring.transactions import writing


def pay_tab(
    club: Club,
    *,
    payer: int,
    payee: int,
    amount: int,
    currency: str,
    minor_digits: int,
    over: int = 0,
    seen: int | None = None,
    note: str = "",
    names: str = "",
    key: str,
    by: str,
) -> TabPayment:
    """Account ``payer`` has paid account ``payee`` all or a part, in minor units, of what is open between them.

    An account is a player's primary key, `HOUSE` or `BANK`. The first payment freezes all that are to be made. Who pays
    more than is open has to say by how much it is ``over``; the payee owes that then. ``seen`` is what was open when
    they saw it, if that is known, and ``names`` what their page knew of the club's, for `check_names`. ``key`` is that
    of the form, which takes effect once. Raises `LedgerError` if nothing is open between the two or another amount than
    they saw, if the amount is too much, or if players are called otherwise now.
    """
    request = {"payer": payer, "payee": payee, "amount": amount, "currency": currency, "over": over}
    signature = Signature.of(key, by, None, note)
    problems = [*amount_problems(amount, "amount", least=1), *signature.problems()]
    fingerprint = fingerprint_of("pay-tab", {**request, "note": signature.note})
    if problems:
        raise LedgerError(problems)
    payment = Payment(payer, payee, amount)
    with writing():
        lock_club_and_sessions(club.pk)
        if repeat := _repeat(club, key, fingerprint):
            return repeat
        check_names(club, (), names)
        tab = next(
            (each for each in reads.tabs(club) if (each.currency, each.minor_digits) == (currency, minor_digits)), None
        )
        due, made = (tab.open, tab.made) if tab else ((), ())
        check_owed(
            payment,
            due,
            over=over,
            seen=seen,
            name=lambda account: reads.account_names(club)[account],
            paid=Phrase("Nothing is open between these two any more. Nothing was recorded."),
            too_much=Phrase("That is more than is open between them."),
        )
        plan = [] if due == promised(made[::-1]) else [[each.payer, each.payee, each.amount] for each in due]
        return _written(club, payment, currency, minor_digits, signature, plan=plan, fingerprint=fingerprint)


Due = tuple[tuple[str, int], Payment]
"""A payment of the tab that is open, after its currency and that one's number of minor digits."""


def open_among(club: Club, names: Collection[str]) -> list[Due]:
    """What is open on the tab between two people with these names."""
    folded = {fold(name) for name in names}
    there = {account for account, name in reads.account_names(club).items() if fold(name) in folded} - {HOUSE, BANK}
    return [
        ((tab.currency, tab.minor_digits), payment)
        for tab in reads.tabs(club)
        for payment in tab.open
        if {payment.payer, payment.payee} <= there
    ]


def pay_tab_among(club: Club, due: Iterable[Due], *, note: str, key: str, by: str) -> None:
    """Record these payments, which were ``open_among`` people who sit down, once for this ``key``.

    They settle it then: who owes hands over so much more than their chips cost, who is owed so much less. What is no
    longer open as it was stays as it is.
    """
    with writing():
        lock_club_and_sessions(club.pk)
        for place, ((currency, digits), payment) in enumerate(due):
            with suppress(LedgerError):
                pay_tab(
                    club,
                    payer=payment.payer,
                    payee=payment.payee,
                    amount=payment.amount,
                    seen=payment.amount,
                    currency=currency,
                    minor_digits=digits,
                    note=note,
                    key=hashlib.sha256(f"tab {place} {key}".encode()).hexdigest(),
                    by=by,
                )


@contextmanager
def tab_at_rest(club: Club) -> Iterator[None]:
    """A transaction in which nobody else records a payment of the club's tab or of its sessions."""
    with writing():
        lock_club_and_sessions(club.pk)
        yield


def undo_tab_payment(club: Club, *, n: int, names: str = "", key: str, by: str) -> TabPayment:
    """Take back the payment of the tab with the number ``n``. Raises `LedgerError` if there is none to take back, or if
    players are called otherwise now than a page said that knew these ``names``, as `check_names` takes them.
    """
    signature = Signature.of(key, by, None)
    fingerprint = fingerprint_of("undo-tab-payment", {"n": n})
    with writing():
        lock_club(club.pk)
        if repeat := _repeat(club, key, fingerprint):
            return repeat
        check_names(club, (), names)
        of_tab = TabPayment.objects.filter(club=club)
        paid = to_take_back(of_tab.filter(n=n, undoes=None).first(), undone=of_tab.filter(undoes=n).exists())
        back = Payment(paid.payee, paid.payer, paid.amount)
        return _written(club, back, paid.currency, paid.minor_digits, signature, undoes=n, fingerprint=fingerprint)


def _repeat(club: Club, key: str, fingerprint: str) -> TabPayment | None:
    """What this key has recorded already. Raises `LedgerError` if that was something else."""
    found = TabPayment.objects.filter(club=club, key=key).first()
    if found and found.fingerprint != fingerprint:
        raise refuse("stale", "", Phrase("This form has already been sent with something else in it."))
    return found


def _written(
    club: Club, payment: Payment, currency: str, minor_digits: int, signature: Signature, **fields: Any
) -> TabPayment:
    last = TabPayment.objects.filter(club=club).order_by("-n").values_list("n", flat=True).first()
    return TabPayment.objects.create(
        club=club,
        n=(last or 0) + 1,
        key=signature.key,
        by=signature.by,
        note=signature.note,
        payer=payment.payer,
        payee=payment.payee,
        amount=payment.amount,
        currency=currency,
        minor_digits=minor_digits,
        **fields,
    )
