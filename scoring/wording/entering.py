"""The hand that is being entered, in words."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.rules.board import ROW_SIZES
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.figures import listed, sentences


def entered_again(undone: int, number: int, *, voided: bool = False, by_points: bool = False) -> str:
    """Say that the cards, or points, are those of the ``undone`` or ``voided`` hand, entered again as hand ``number``.

    Empty without one.
    """
    if voided and by_points:
        said = _("Hand {undone} was voided. Its points are entered again as hand {number}.")
    elif voided:
        said = _("Hand {undone} was voided. Its cards are entered again as hand {number}.")
    elif by_points:
        said = _("Hand {undone} was undone. Its points are entered again as hand {number}.")
    else:
        said = _("Hand {undone} was undone. Its cards are entered again as hand {number}.")
    return said.format(undone=undone, number=number) if undone else ""


def who_is_in(players: int, missing: Sequence[str], *, own: bool) -> str:
    """Say how many of the players are in, and whom the hand waits for; empty before anybody is in.

    ``own`` says that the reader's own rows are in.
    """
    if not missing:
        return _("Everyone is in.")
    done = players - len(missing)
    if own:
        said = ngettext(
            "Your cards are in ({done} of {count} player).", "Your cards are in ({done} of {count} players).", players
        ).format(done=done, count=players)
    elif done:  # then there are more players than one
        said = ngettext("{count} of {players} players is in.", "{count} of {players} players are in.", done).format(
            count=done, players=players
        )
    else:
        return ""
    return sentences(said, _("Waiting for {players}.").format(players=listed(missing)))


def fouled(names: Sequence[str]) -> str:
    """Say who fouled; empty if nobody did."""
    return ngettext("{players} fouled.", "{players} fouled.", len(names)).format(players=listed(names)) if names else ""


def on_two_phones(names: Sequence[str]) -> str:
    """Say on whose cards or ruling two phones differ; empty if on nobody's."""
    return _("Two phones have something different for {players}.").format(players=listed(names)) if names else ""


def withheld(names: Sequence[str], number: int) -> str:
    """Say whose Fantasyland is hidden although all boards are there; empty if nobody's is.

    ``number`` is the undone hand whose cards are there, 0 for none.
    """
    if not names:
        return ""
    if not number:
        said = _(
            "{players}’s Fantasyland stays hidden until a host or a scorer presses “Show the cards” or settles the "
            "hand."
        )
        return said.format(players=listed(names))
    said = _("{players}’s Fantasyland stays hidden: other players’ cards here are still from undone hand {number}.")
    return said.format(players=listed(names), number=number)


def overtaken(*, taken_back: Sequence[str], changed: Sequence[str], ruled: Sequence[str], other: Sequence[str]) -> str:
    """Say what another phone has done to the cards of these players since the settlement was shown."""
    said = (
        (taken_back, _("Another phone has taken back cards of {players}.")),
        (changed, _("Another phone has changed the cards of {players}.")),
        (ruled, _("Another phone has changed the ruling on {players}.")),
        (other, _("Another phone has something else for {players}.")),
    )
    return sentences(*(text.format(players=listed(names)) for names, text in said if names))


def unfinished(count: int, row: str) -> str:
    """Say how many of a row's cards are there, while it has too few or too many; empty if none is, or none is readable.

    Of a row that cannot be read the ``count`` is -1.
    """
    size = ROW_SIZES[row]
    if count in (0, -1, size):
        return ""
    if count < size:
        return _("{count} of {size}").format(count=count, size=size)
    said = {
        "front": ngettext("{count} card, and the front has {size}", "{count} cards, and the front has {size}", count),
        "middle": ngettext(
            "{count} card, and the middle has {size}", "{count} cards, and the middle has {size}", count
        ),
        "back": ngettext("{count} card, and the back has {size}", "{count} cards, and the back has {size}", count),
    }
    return said[row].format(count=count, size=size)
