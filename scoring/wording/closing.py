"""What closing a session would do with the chips, in words: what a count changes, and what the bank pays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring import reads
from scoring.game.balances import Balance, balances
from scoring.game.cashing import cash_line, count_lines, handed_in
from scoring.game.limits import BANK
from scoring.models import Session
from scoring.wording.figures import money, stack


@dataclass(frozen=True, slots=True)
class Closing:
    """``differences`` are sentences on the stacks that were counted, empty if they are as the ledger has them.

    ``handed_in`` has (name, chips, what they get, what of the chips was on credit) of everybody who has chips, where
    chips are bought for cash; ``holds`` is what the bank has, ``pays`` what it pays out, and ``bank`` says how it comes
    out. Without cash they are empty.
    """

    differences: Sequence[str]
    handed_in: Sequence[tuple[str, str, str, str]]
    holds: str
    pays: str
    bank: str


def closing(session: Session, state: reads.State, counts: Mapping[int, int]) -> Closing:
    """What closing the session now would do, with these stacks as they were counted."""
    table, digits = state.table, session.minor_digits
    stacks = table.stacks or {}
    lines = count_lines({seat: chips - stacks.get(seat, 0) for seat, chips in counts.items()})
    differences = list(_differences(session, state, counts))
    if not table.cash:
        return Closing(differences, [], "", "", "")
    of = _with(state.balances, balances(lines, state.seats))
    handed = handed_in(of)
    paid = balances([cash_line(each.seat, -each.cash) for each in handed if each.cash], state.seats)
    bank = _with(of, paid)[BANK]
    return Closing(
        differences,
        [
            (
                state.seats[seat].name,
                money(chips, digits),
                stack(cash, digits),
                money(chips - cash, digits) if chips != cash else "",
            )
            for seat, chips, cash in handed
        ],
        money(-of[BANK].cash, digits),
        money(sum(each.cash for each in handed), digits),
        _comes_out(bank, session),
    )


def _with(of: Mapping[int, Balance], more: Mapping[int, Balance]) -> dict[int, Balance]:
    return {seat: of[seat] + more[seat] for seat in of}


def _differences(session: Session, state: reads.State, counts: Mapping[int, int]) -> Iterator[str]:
    stacks = state.table.stacks or {}
    more = {seat: chips - stacks.get(seat, 0) for seat, chips in counts.items()}

    def amount(of: int) -> str:
        return f"{money(abs(of), session.minor_digits)} {session.currency}"

    for seat, by in more.items():
        if by:
            yield f"{state.seats[seat].name} has {amount(by)} {'more' if by > 0 else 'less'} than the ledger says."
    if all_ := sum(more.values()):
        then = f"the bank keeps {amount(all_)}" if all_ < 0 else f"the bank is {amount(all_)} short"
        less = "less" if all_ < 0 else "more"
        yield (
            f"All stacks are {amount(all_)} {less} than the chips that were bought. "
            f"Count again, or give a reason: then {then}."
        )


def _comes_out(bank: Balance, session: Session) -> str:
    """How the bank comes out once it has paid. What it has left or lacks is what the count gave or took, or credit."""
    left = -bank.cash
    if not left:
        return "The bank comes out at zero."
    amount = f"{money(abs(left), session.minor_digits)} {session.currency}"
    said = f"The bank has {amount} left." if left > 0 else f"The bank is {amount} short."
    if not bank.owed:
        return said
    due = f"{money(abs(bank.owed), session.minor_digits)} {session.currency}"
    return f"{said} {f'It still gets {due}' if bank.owed > 0 else f'It still has to pay {due}'}: see “Settle up”."
