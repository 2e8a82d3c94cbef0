"""What every page of one session has around it: its name, its tabs, what is played for."""

from collections.abc import Mapping
from typing import Any

from scoring import queries
from scoring.forms.amounts import typed_amount
from scoring.forms.house_rules import PRESET_NAMES
from scoring.models import Session
from scoring.rules.houserules import PRESETS


def title(session: Session) -> str:
    """What to call a session: its name, or the day it was opened."""
    return session.name or f"{session.opened_at:%A}, {session.opened_at.day} {session.opened_at:%B %Y}"


def terms(session: Session) -> str:
    """What is played and for how much: "1.00 EUR a point, 10.00 between Ann and Bob, Regular"."""
    return f"{stakes(session)}, {played(session.rules)}"


def stakes(session: Session) -> str:
    """What a point is worth, between those at the table for whom it is worth something else, too."""
    digits, (_, table) = session.minor_digits, queries.seating(session)
    here = {chair.number for chair in table.chairs}
    own = {pair: stake for pair, stake in table.pair_stakes.items() if here.issuperset(pair)}
    said = f"{typed_amount(session.stake, digits)} {session.currency} a point"
    if len(own) > 1:
        return f"{said}, other stakes for {len(own)} pairs"
    for (one, other), stake in own.items():
        said += f", {typed_amount(stake, digits)} between {table.name(one)} and {table.name(other)}"
    return said


def played(rules: Mapping[str, Any]) -> str:
    """What to call these rules: the preset's name, and whether the table plays it its own way."""
    preset = rules.get("preset", "")
    if preset not in PRESETS:
        return "house rules"
    own = PRESETS[preset].as_document() != rules
    return f"{PRESET_NAMES[preset]} with house rules" if own else PRESET_NAMES[preset]


def frame(session: Session, current: str) -> dict[str, Any]:
    """Context for ``_session.html``; ``current`` is the name of the tab's address."""
    return {
        "session": session,
        "tab": current,
        "session_title": title(session),
        "session_terms": terms(session),
        "tabs": (
            ("table", "Table"),
            ("enter", f"Hand {session.next_number}"),
            ("ledger", "Ledger"),
            ("session-rules", "Rules"),
            ("more", "More"),
        ),
        "closed": session.closed_at is not None,
    }
