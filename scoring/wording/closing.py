"""What closing a session does with the chips, in words: what a count changes, and what the bank pays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring import reads
from scoring.game.balances import Balance, balances
from scoring.game.cashing import (
    HandedIn,
    cash_line,
    cashed_out,
    count_lines,
    counted_more,
    handed_in,
    in_the_bank,
    paid_for,
)
from scoring.game.limits import BANK
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.wording.figures import money, money_or_zero, sentences
from scoring.wording.names import name_said


class HandedInShown(NamedTuple):
    """The chips that somebody hands in, what they get for them, and why that is less, if it is."""

    name: str
    chips: str
    cash: str
    why: str


@dataclass(frozen=True, slots=True)
class Closing:
    """``differences`` are sentences on the stacks that were counted, empty if they are as the ledger has them.

    ``handed_in`` are those of everybody who has chips, if the bank holds money for them; ``holds`` is what it has,
    ``pays`` what it pays out, and ``bank`` says how it comes out. If it holds none, they are empty.
    """

    differences: Sequence[str]
    handed_in: Sequence[HandedInShown]
    holds: str
    pays: str
    bank: str


def closing(session: Session, state: reads.State, counts: Mapping[int, int]) -> Closing:
    """What closing the session now would do, with these stacks as they were counted."""
    digits, more = session.minor_digits, counted_more(counts, state.table.stacks)
    differences = list(_differences(session, state, more))
    of = _with(state.balances, balances(count_lines(more), state.seats))
    handed = handed_in(of)
    if not handed:
        return Closing(differences, [], "", "", "")
    worth = {each.seat: paid_for(each.chips, of[each.seat].on_credit) for each in handed}
    paid = balances([cash_line(each.seat, -each.cash) for each in handed if each.cash], state.seats)
    pays = sum(each.cash for each in handed)
    return Closing(
        differences,
        [_shown(each, worth[each.seat], session, state) for each in handed],
        money(in_the_bank(of), digits),
        money(pays, digits),
        _comes_out(_with(of, paid), sum(worth.values()) - pays, session),
    )


def paid_at_close(session: Session, state: reads.State) -> list[HandedInShown]:
    """What everybody handed in when the session was closed, and got; empty if the bank held no money for chips."""
    handed = reads.handed_in(session)
    lines = [line for each in handed for line in cashed_out(*each)]
    booked = balances(lines, state.seats)
    return [
        _shown(each, paid_for(each.chips, (state.balances[each.seat] - booked[each.seat]).on_credit), session, state)
        for each in handed
    ]


def _shown(handed: HandedIn, worth: int, session: Session, state: reads.State) -> HandedInShown:
    digits = session.minor_digits
    return HandedInShown(
        name_said(state.seats[handed.seat].name),
        money(handed.chips, digits),
        money_or_zero(handed.cash, digits),
        _why_less(handed, worth, digits),
    )


def _why_less(handed: HandedIn, worth: int, digits: int) -> str:
    """Says why somebody got less, as "8.00 was on credit and the bank lacks 2.00"; empty if they got all."""
    on_credit, lacking = handed.chips - worth, worth - handed.cash
    if on_credit > 0 and lacking > 0:
        said = _("{amount} was on credit and the bank lacks {lacking}")
    elif on_credit > 0:
        said = _("{amount} was on credit")
    elif lacking > 0:
        said = _("the bank lacks {lacking}")
    else:
        return ""
    return said.format(amount=money(on_credit, digits), lacking=money(lacking, digits))


def _with(of: Mapping[int, Balance], more: Mapping[int, Balance]) -> dict[int, Balance]:
    return {seat: of[seat] + more[seat] for seat in of}


def _differences(session: Session, state: reads.State, more: Mapping[int, int]) -> Iterator[str]:
    def amount(of: int) -> str:
        return f"{money(abs(of), session.minor_digits)} {session.currency}"

    for seat, by in more.items():
        said = (
            _("{player} has {amount} more than the ledger says.")
            if by > 0
            else _("{player} has {amount} less than the ledger says.")
        )
        yield said.format(player=state.seats[seat].name, amount=amount(by))
    if all_ := sum(more.values()):
        said, then = (
            (
                _("All stacks are {amount} less than the chips that were bought."),
                _("Count again, or give a reason. Then the bank keeps {amount}."),
            )
            if all_ < 0
            else (
                _("All stacks are {amount} more than the chips that were bought."),
                _("Count again, or give a reason. Then the bank is {amount} short."),
            )
        )
        yield sentences(said, then).format(amount=amount(all_))


def _comes_out(of: Mapping[int, Balance], lacks: int, session: Session) -> str:
    """How the bank comes out once it has paid all that it can; it ``lacks`` the rest of what the chips are worth."""

    def amount(of: int) -> str:
        return f"{money(abs(of), session.minor_digits)} {session.currency}"

    left, owed = in_the_bank(of), of[BANK].owed
    if lacks:
        return sentences(
            _("The bank is {amount} short.").format(amount=amount(lacks)),
            _("What it cannot pay out is in “Settle up”."),
        )
    said = _("The bank has {amount} left.").format(amount=amount(left)) if left else _("The bank comes out at zero.")
    if not owed:
        return said
    due = (
        _("It still gets {amount}: see “Settle up”.")
        if owed > 0
        else _("It still has to pay {amount}: see “Settle up”.")
    )
    return sentences(said, due.format(amount=amount(owed)))
