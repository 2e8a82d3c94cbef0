"""The title of a session, its stakes and its rules, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from scoring import reads
from scoring.models import Session
from scoring.rules.houserules import PRESETS, same_rules
from scoring.wording.figures import apart, typed_amount
from scoring.wording.house_rules import PRESET_NAMES


def title(session: Session) -> str:
    """The title of a session: its name, or the day on which it was opened."""
    day = timezone.localtime(session.opened_at)
    return session.name or f"{day:%A}, {day.day} {day:%B %Y}"


def titles(sessions: Sequence[Session]) -> list[str]:
    """The titles of these sessions, for a list; two of one day or of one name are told apart by when they began."""
    each = [title(session) for session in sessions]
    often = Counter(each)
    return [
        f"{said}, {_began(session)}" if often[said] > 1 else said for session, said in zip(sessions, each, strict=True)
    ]


def _began(session: Session) -> str:
    """When a session began, in full where its title does not have the day."""
    at = timezone.localtime(session.opened_at)
    return f"{at.day} {at:%B %Y}, {at:%H:%M}" if session.name else f"{at:%H:%M}"


def terms(session: Session) -> str:
    """The terms in short, for example "1.00 EUR a point, 10.00 between Ann and Bob, Regular"."""
    return f"{stakes(session)}, {played(session.rules)}"


def chips_each(terms: reads.Terms) -> str:
    """What everybody begins with, to go on in a sentence; empty on credit."""
    if not terms.buy_in:
        return ""
    cash = " in cash" if terms.cash else ""
    return f", chips for {typed_amount(terms.buy_in, terms.minor_digits)} {terms.currency} each{cash}"


def stakes(session: Session) -> str:
    """The stake, and the stakes of pairs at the table that play for a different one."""
    digits, (_, table) = session.minor_digits, reads.seating(session)
    here = {chair.number for chair in table.chairs}
    own = {pair: stake for pair, stake in table.pair_stakes.items() if here.issuperset(pair)}
    if not session.stake and not table.pair_stakes:
        return "for points alone"
    said = f"{typed_amount(session.stake, digits)} {session.currency} a point"
    if len(own) > 1:
        return f"{said}, different stakes for {len(own)} pairs of players"
    for (one, other), stake in own.items():
        said += f", {typed_amount(stake, digits)} between {apart(table.name(one))} and {apart(table.name(other))}"
    return said


def played(rules: Mapping[str, Any]) -> str:
    """The name of these rules: that of their preset, and whether house rules change it."""
    preset = rules.get("preset", "")
    if preset not in PRESETS:
        return "house rules"
    own = not same_rules(PRESETS[preset].as_document(), rules)
    name = PRESET_NAMES[preset]
    if rules.get("middle") == "2-7":  # there, no preset deals progressive cards
        name = name.removeprefix("Progressive ")
    return f"{name} with house rules" if own else name
