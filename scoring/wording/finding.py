"""Which hands were sought, in words."""

from __future__ import annotations

from scoring.reads import ANY_ROW, Sought
from scoring.wording.boards import ROW_LABELS
from scoring.wording.figures import listed


def sought_said(sought: Sought, name: str) -> str:
    """The hands that are sought, to begin a sentence: "Corrected hands in which Ann fouled, biggest first".

    ``name`` is that of the seat that is sought, empty if it is anybody's.
    """
    kinds = [kind for kind in ("disputed", "corrected", "void") if getattr(sought, kind)]
    hands = " and ".join(kinds).capitalize() + " hands" if kinds else "Hands"
    did = []
    if sought.foul:
        did.append("fouled")
    if sought.fantasyland:
        did.append("was in Fantasyland")
    if sought.row:
        figure = f"a royalty of {sought.least} or more" if sought.least > 1 else "a royalty"
        where = "any row" if sought.row == ANY_ROW else f"the {ROW_LABELS[sought.row].lower()}"
        did.append(f"had {figure} in {where}")
    if did:
        hands += f" in which {name or 'a player'} {listed(did)}"
    elif name:
        hands += f" with {name}"
    return f"{hands}, biggest first" if sought.biggest else hands


def big_said(sought: Sought, name: str) -> str:
    """What makes a hand big; empty if the biggest are not sought."""
    if not sought.biggest:
        return ""
    return f"The biggest is that in which {name or 'one player'} won{' or lost' if name else ''} the most points."


def none_said(sought: Sought, hands: int) -> str:
    """Say that none of so many hands is like that and, if none could be, why."""
    said = f"None of the {hands} hands is like that." if hands > 1 else "Hand 1, the only one so far, is not like that."
    if sought.foul and sought.row:
        return f"{said} A fouled board has no royalties."
    if sought.void and (sought.of_a_board or sought.biggest):
        return f"{said} A void hand has no result: only “Void”, “Disputed” and “Corrected” find it."
    return said
