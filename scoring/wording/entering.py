"""The hand that is being entered, in words."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.wording.figures import counted, listed


def who_is_in(players: int, missing: Sequence[str], *, own: bool) -> str:
    """Say how many of the players are in, and whom the hand waits for; empty before anybody is in.

    ``own`` says that the reader's own rows are in.
    """
    if not missing:
        return "Everyone is in."
    done, waiting = players - len(missing), f"Waiting for {listed(missing)}."
    if own:
        return f"Your cards are in ({done} of {counted(players, 'player')}). {waiting}"
    return f"{done} of {counted(players, 'player')} {'is' if done == 1 else 'are'} in. {waiting}" if done else ""


def fouled(names: Sequence[str]) -> str:
    """Say who fouled; empty if nobody did."""
    return f"{listed(names)} fouled." if names else ""
