"""The table between two deals, in words."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.game.balances import Balance
from scoring.game.cashing import cash_for
from scoring.game.table import Table
from scoring.models import Session
from scoring.wording.figures import counted, listed, money


def sits_out(table: Table) -> str:
    """Say who sits out with the button because the deck cannot serve every player; empty if it can."""
    sitter = table.sitter()
    if sitter is None:
        return ""
    return f"Max {len(table.lineup())} players per hand: the dealer sits out ({table.name(sitter)} this hand)."


def due(table: Table) -> str:
    """Say who is due Fantasyland in the next deal; empty if nobody is."""
    names = [table.name(seat) for seat in table.fantasyland]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} due Fantasyland" if names else ""


def orbit(table: Table) -> str:
    """Say who has had the button in this orbit, and who has not yet.

    While the button stays for Fantasyland, the player who has it counts as having dealt, because the deals that it
    stays for are extra (R67).
    """
    dealt = {*table.dealt, table.button} if table.held else table.dealt
    done = [table.name(seat) for seat in table.active() if seat in dealt]
    left = [table.name(seat) for seat in table.active() if seat not in dealt]
    orbits = table.orbits + bool(done and not left)
    so_far = f"{counted(orbits, 'orbit')} complete" if orbits else ""
    if not done or not left:
        return f"{so_far}." if so_far else "No hands yet."
    now = f"This orbit: {listed(done)} {'has' if len(done) == 1 else 'have'} had the button; {listed(left)} to come."
    return f"{so_far}. {now}" if so_far else now


def in_stack(table: Table, seat: int, session: Session) -> str:
    """A seat's chips in words; empty while the session is on credit, and for a player who has left with all of them."""
    if table.stacks is None:
        return ""
    chips = table.stacks.get(seat, 0)
    if table.away([seat]):
        return f"{money(chips, session.minor_digits)} to be paid out" if chips > 0 else ""
    return f"{money(chips, session.minor_digits)} in stack" if chips else "no chips"


def leaving(table: Table, seat: int, of: Mapping[int, Balance], session: Session) -> list[tuple[str, str]]:
    """What a player gets or pays if they leave now, each as words and an amount; empty if it is nothing.

    If the bank holds money for chips, that is what it gives them for their stack, and whatever else is owed.
    """
    cash = cash_for(of, seat)
    amounts = [("get from the bank", cash)] if cash else []
    if rest := of[seat].owed - cash:
        still = "still " if cash else ""
        amounts.append((f"are {still}owed" if cash and rest > 0 else "get" if rest > 0 else f"{still}pay", abs(rest)))
    return [
        (f"If {table.name(seat)} leaves now, they {verb}", f"{money(amount, session.minor_digits)} {session.currency}")
        for verb, amount in amounts
    ]


def still_owed(table: Table, session: Session) -> list[str]:
    """What the bank and players who have left still owe each other, in sentences.

    That is what a correction of an earlier hand moved after their chips were cashed out, or what they left below
    nothing where the rules have no loss cap.
    """
    said = []
    for seat in table.away(table.stacks or ()):
        chips = (table.stacks or {})[seat]
        amount = f"{money(abs(chips), session.minor_digits)} {session.currency}"
        owed = f"the bank still has {amount} to pay out to them"
        owing = f"they still have {amount} to pay to the bank"
        said.append(f"{table.name(seat)} has left: {owed if chips > 0 else owing}.")
    return said


def following(table: Table) -> list[str]:
    """What the next deal begins with, in sentences: who has the button and who is in Fantasyland."""
    name = table.name(table.button)
    said = [f"The button stays with {name}." if table.held else f"The button moves to {name}."]
    said += [
        f"{table.name(seat)} is in Fantasyland with {table.dealt_at_once(seat)} cards."
        for seat in table.lineup()
        if seat in table.fantasyland
    ]
    return said


def begins(table: Table) -> str:
    """The lineup of the next deal in a sentence; empty if nobody is dealt in."""
    lineup = table.lineup()
    if not lineup:
        return ""
    sitting = table.sitter()
    sits = f" {table.name(sitting)} has the button and sits out." if sitting else ""
    return f"{listed([table.name(seat) for seat in lineup])}, in order of play.{sits}"
