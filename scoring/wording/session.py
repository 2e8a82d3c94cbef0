"""The title of a session, its stakes and its rules, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from scoring import reads
from scoring.models import Session
from scoring.rules.houserules import PRESETS, same_rules
from scoring.wording.figures import typed_amount
from scoring.wording.house_rules import PRESET_NAMES


def title(session: Session) -> str:
    """The title of a session: its name, or the day on which it was opened."""
    day = timezone.localtime(session.opened_at)
    return session.name or f"{day:%A}, {day.day} {day:%B %Y}"


def terms(session: Session) -> str:
    """The terms in short, for example "1.00 EUR a point, 10.00 between Ann and Bob, Regular"."""
    return f"{stakes(session)}, {played(session.rules)}"


def stakes(session: Session) -> str:
    """The stake, and the stakes of pairs at the table that play for a different one."""
    digits, (_, table) = session.minor_digits, reads.seating(session)
    here = {chair.number for chair in table.chairs}
    own = {pair: stake for pair, stake in table.pair_stakes.items() if here.issuperset(pair)}
    said = f"{typed_amount(session.stake, digits)} {session.currency} a point"
    if len(own) > 1:
        return f"{said}, other stakes for {len(own)} pairs"
    for (one, other), stake in own.items():
        said += f", {typed_amount(stake, digits)} between {table.name(one)} and {table.name(other)}"
    return said


def played(rules: Mapping[str, Any]) -> str:
    """The name of these rules: that of their preset, and whether house rules change it."""
    preset = rules.get("preset", "")
    if preset not in PRESETS:
        return "house rules"
    own = not same_rules(PRESETS[preset].as_document(), rules)
    return f"{PRESET_NAMES[preset]} with house rules" if own else PRESET_NAMES[preset]
