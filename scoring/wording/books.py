"""The books of a session, in sentences: what was booked between two hands, and what the bank has."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from scoring import reads
from scoring.actions import ACTIONS
from scoring.game.limits import BANK
from scoring.game.lines import Category, Line, LineKind
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.actions import line_said
from scoring.wording.figures import apart, facts, joined, money, sentences
from scoring.wording.names import name_said, name_within
from scoring.wording.notes import note_said


def between_deals(adjustment: reads.Adjustment, session: Session, state: reads.State) -> str:
    """Describes one booking between two hands in a sentence, or in one for each kind of its lines."""
    event, lines = adjustment.event, adjustment.lines
    # Money for chips is said with the chips.
    cash = {
        line.payee if line.payer == BANK else line.payer: line.amount for line in lines if line.kind is LineKind.CASH
    }
    undone = ACTIONS[event.verb].takes_back
    told: list[str] = []
    for kind, same in groupby((line for line in lines if line.kind is not LineKind.CASH), key=lambda line: line.kind):
        moved = _("{moves}.").format(moves=facts(_moved(line, session, state, cash, undone=undone) for line in same))
        if undone and not told:
            told.append(_("{line}: {moves}").format(line=line_said(lines[0].kind, undone=True), moves=moved))
        elif kind.category is Category.BANK:
            told.append(moved)
        else:
            told.append(_("{line}: {moves}").format(line=line_said(kind, undone=False), moves=moved))
    said = sentences(*told)
    return _("{said} ({note})").format(said=said, note=apart(note_said(event.note))) if event.note else said


def _moved(line: Line, session: Session, state: reads.State, cash: Mapping[int, int], *, undone: bool) -> str:
    """One line in words. A line with the bank names only the player; the cash went the other way than the chips.

    ``cash`` is the money that changed hands for chips, by seat. A payment that is ``undone`` is told as it was
    recorded, because no money goes back.
    """
    payer, payee = state.seats[line.payer].name, state.seats[line.payee].name
    points = ngettext("{count} point", "{count} points", line.points).format(count=line.points) if line.points else ""
    amount = f"{money(line.amount, session.minor_digits)} {session.currency}" if line.amount else ""
    figures = joined([points, amount])
    if line.kind.category is Category.BANK:
        seat = line.payee if line.payer == BANK else line.payer
        paid = cash.get(seat, 0)
        said = _with_the_bank(line, paid, on_credit=not paid and state.for_cash)
        of_it = money(paid, session.minor_digits)
        return said.format(player=apart(name_said(state.seats[seat].name)), amount=figures, cash=of_it)
    if line.kind is LineKind.PAYMENT and undone:
        said = _("{payee} had paid {payer} {amount}")
        return said.format(payee=apart(name_said(payee)), payer=apart(name_within(payer)), amount=amount)
    payer, payee = apart(name_said(payer)), apart(name_within(payee))
    if line.kind is LineKind.PAYMENT:
        return _("{payer} paid {payee} {amount}").format(payer=payer, payee=payee, amount=amount)
    return _("{payer} pays {payee} {figures}").format(payer=payer, payee=payee, figures=figures)


def _with_the_bank(line: Line, paid: int, *, on_credit: bool) -> str:
    """The sentence for chips that were bought or cashed out. ``paid`` is the part of them paid in cash."""
    if line.kind is LineKind.BUY_IN:
        if on_credit:
            return _("{player} bought in for {amount} on credit")
        if not paid:
            return _("{player} bought in for {amount}")
        if paid == line.amount:
            return _("{player} bought in for {amount} in cash")
        return _("{player} bought in for {amount}, {cash} of it in cash")
    if not paid:
        return _("{player} cashed out {amount}")
    if paid == line.amount:
        return _("{player} cashed out {amount} in cash")
    return _("{player} cashed out {amount}, {cash} of it in cash")


def bank_holds(cash: int, session: Session) -> str:
    """What the bank has in cash, in a sentence; empty if it has none."""
    amount = f"{money(abs(cash), session.minor_digits)} {session.currency}"
    if cash < 0:
        return _("The bank has paid out {amount} more than it took.").format(amount=amount)
    return _("The bank has {amount} in cash.").format(amount=amount) if cash else ""


def count_differs(bank: int, session: Session) -> str:
    """What the bank has won or lost by the final count, in a sentence; empty if nothing."""
    if not bank:
        return ""
    amount = f"{money(abs(bank), session.minor_digits)} {session.currency}"
    if bank > 0:
        return _("The stacks that were counted came to {amount} less than the ledger says.").format(amount=amount)
    return _("The stacks that were counted came to {amount} more than the ledger says.").format(amount=amount)
