"""The table between two deals, in words."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.game.balances import Balance
from scoring.game.cashing import cash_for
from scoring.game.table import Table
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.figures import apart, listed, money, sentences


def sits_out(table: Table) -> str:
    """Say who sits out with the button because the deck cannot serve every player; empty if it can."""
    sitter = table.sitter()
    if sitter is None:
        return ""
    players = len(table.lineup())
    return ngettext(
        "Max {count} player per hand: the dealer sits out ({player} this hand).",
        "Max {count} players per hand: the dealer sits out ({player} this hand).",
        players,
    ).format(count=players, player=table.name(sitter))


def due(table: Table) -> str:
    """Say who is due Fantasyland in the next deal; empty if nobody is."""
    names = [table.name(seat) for seat in table.fantasyland]
    said = ngettext("{players} is due Fantasyland", "{players} are due Fantasyland", len(names))
    return said.format(players=listed(names)) if names else ""


def orbit(table: Table) -> str:
    """Say who has had the button in this orbit, and who has not yet.

    While the button stays for Fantasyland, the player who has it counts as having dealt, because the deals that it
    stays for are extra (R67).
    """
    dealt = {*table.dealt, table.button} if table.held else table.dealt
    done = [table.name(seat) for seat in table.active() if seat in dealt]
    left = [table.name(seat) for seat in table.active() if seat not in dealt]
    orbits = table.orbits + bool(done and not left)
    complete = ngettext("{count} orbit complete.", "{count} orbits complete.", orbits).format(count=orbits)
    if not done or not left:
        return complete if orbits else _("No hands yet.")
    now = ngettext(
        "This orbit: {players} has had the button; {others} to come.",
        "This orbit: {players} have had the button; {others} to come.",
        len(done),
    ).format(players=listed(done), others=listed(left))
    return sentences(complete if orbits else "", now)


def in_stack(table: Table, seat: int, session: Session) -> str:
    """A seat's chips in words; empty while the session is on credit, and for a player who has left with all of them."""
    if table.stacks is None:
        return ""
    chips = table.stacks.get(seat, 0)
    if table.away([seat]):
        return _("{amount} to be paid out").format(amount=money(chips, session.minor_digits)) if chips > 0 else ""
    return _("{amount} in stack").format(amount=money(chips, session.minor_digits)) if chips else _("no chips")


def leaving(table: Table, seat: int, of: Mapping[int, Balance], session: Session) -> list[tuple[str, str]]:
    """What a player gets or pays if they leave now, each as words and an amount; empty if it is nothing.

    If the bank holds money for chips, that is what it gives them for their stack, and whatever else is owed.
    """
    cash = cash_for(of, seat)
    amounts = [(_("If {player} leaves now, they get from the bank"), cash)] if cash else []
    if rest := of[seat].owed - cash:
        if cash:
            said = (
                _("If {player} leaves now, they are still owed")
                if rest > 0
                else _("If {player} leaves now, they still pay")
            )
        else:
            said = _("If {player} leaves now, they get") if rest > 0 else _("If {player} leaves now, they pay")
        amounts.append((said, abs(rest)))
    return [
        (said.format(player=apart(table.name(seat))), f"{money(amount, session.minor_digits)} {session.currency}")
        for said, amount in amounts
    ]


def still_owed(table: Table, session: Session) -> list[str]:
    """What the bank and players who have left still owe each other, in sentences.

    That is what a correction of an earlier hand moved after their chips were cashed out, or what they left below
    nothing where the rules have no loss cap.
    """
    said = []
    for seat in table.away(table.stacks or ()):
        chips = (table.stacks or {})[seat]
        one = (
            _("{player} has left: the bank still has {amount} to pay out to them.")
            if chips > 0
            else _("{player} has left: they still have {amount} to pay to the bank.")
        )
        amount = f"{money(abs(chips), session.minor_digits)} {session.currency}"
        said.append(one.format(player=table.name(seat), amount=amount))
    return said


def following(table: Table) -> list[str]:
    """What the next deal begins with, in sentences: who has the button and who is in Fantasyland."""
    button = _("The button stays with {player}.") if table.held else _("The button moves to {player}.")
    said = [button.format(player=table.name(table.button))]
    for seat in table.lineup():
        if seat in table.fantasyland:
            cards = table.dealt_at_once(seat)
            one = ngettext(
                "{player} is in Fantasyland with {count} card.", "{player} is in Fantasyland with {count} cards.", cards
            )
            if cards < table.fantasyland[seat]:
                one = ngettext(
                    "{player} is in Fantasyland with {count} card, because the deck has no more.",
                    "{player} is in Fantasyland with {count} cards, because the deck has no more.",
                    cards,
                )
            said.append(one.format(player=table.name(seat), count=cards))
    return said


def begins(table: Table) -> str:
    """The lineup of the next deal in a sentence; empty if nobody is dealt in."""
    lineup = table.lineup()
    if not lineup:
        return ""
    sitting = table.sitter()
    return sentences(
        _("{players}, in order of play.").format(players=listed([table.name(seat) for seat in lineup])),
        _("{player} has the button and sits out.").format(player=table.name(sitting)) if sitting else "",
    )
