"""The title of a session, its stakes and its rules, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring import reads
from scoring.models import Session
from scoring.rules.houserules import PRESETS, same_rules
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.figures import (
    apart,
    day_of_week,
    day_of_year_and_time,
    joined,
    listed,
    money,
    money_or_zero,
    time_of_day,
)
from scoring.wording.house_rules import PRESET_NAMES


def title(session: Session) -> str:
    """The title of a session: its name, or the day on which it was opened."""
    return session.name or day_of_week(session.opened_at)


def titles(sessions: Sequence[Session]) -> list[str]:
    """The titles of these sessions, for a list; two of one day or of one name are told apart by when they began."""
    each = [title(session) for session in sessions]
    often = Counter(each)
    return [
        joined([said, _began(session)]) if often[said] > 1 else said
        for session, said in zip(sessions, each, strict=True)
    ]


def titles_by_pk(sessions: Iterable[Session]) -> dict[int, str]:
    """The same titles by primary key, where a list names some session more than once."""
    each = {session.pk: session for session in sessions}
    return dict(zip(each, titles(list(each.values())), strict=True))


def _began(session: Session) -> str:
    """When a session began, in full where its title does not have the day."""
    return day_of_year_and_time(session.opened_at) if session.name else time_of_day(session.opened_at)


def terms(session: Session) -> str:
    """The terms in short, for example "1.00 EUR a point, 10.00 between Ann and Bob, Regular"."""
    return joined([stakes(session), played(session.rules)])


def chips_each(terms: reads.Terms) -> str:
    """What everybody begins with, as one of several facts in a row; empty on credit."""
    if not terms.buy_in:
        return ""
    said = _("chips for {amount} each in cash") if terms.cash else _("chips for {amount} each")
    return said.format(amount=f"{money(terms.buy_in, terms.minor_digits)} {terms.currency}")


def a_point(stake: int, digits: int, currency: str) -> str:
    """A stake in short: 1.00 EUR a point."""
    return _("{amount} a point").format(amount=f"{money_or_zero(stake, digits)} {currency}")


def stakes(session: Session) -> str:
    """The stake, and the stakes of pairs at the table that play for a different one."""
    _seats, table = reads.seating(session)
    here = {chair.number for chair in table.chairs}
    own = [
        (table.name(one), table.name(other), stake)
        for (one, other), stake in table.pair_stakes.items()
        if here.issuperset((one, other))
    ]
    if not session.stake and not table.pair_stakes:
        return _("for points alone")
    return _stakes(session.stake, session.minor_digits, session.currency, own)


def terms_again(terms: reads.Terms) -> str:
    """The terms of the last session in short, as a session like it would have them."""
    own = [(terms.names[one - 1], terms.names[other - 1], stake) for one, other, stake in terms.pair_stakes]
    stake = _("for points alone")
    if terms.stake or own:
        stake = _stakes(terms.stake, terms.minor_digits, terms.currency, own)
    return joined([stake, played(terms.rules), chips_each(terms)])


def _stakes(stake: int, digits: int, currency: str, own: Sequence[tuple[str, str, int]]) -> str:
    """A stake, and those of pairs that have their ``own``: both names and the stake."""
    said = a_point(stake, digits, currency)
    if len(own) > 1:
        pairs = ngettext(
            "different stakes for {count} pair of players", "different stakes for {count} pairs of players", len(own)
        )
        return joined([said, pairs.format(count=len(own))])
    return joined(
        [
            said,
            *(
                _("{amount} between {players}").format(
                    amount=money_or_zero(amount, digits), players=listed([apart(one), apart(other)])
                )
                for one, other, amount in own
            ),
        ]
    )


def played(rules: Mapping[str, Any]) -> str:
    """The name of these rules: that of their preset, and whether house rules change it."""
    preset = rules.get("preset", "")
    if preset not in PRESETS:
        return _("house rules")
    own = not same_rules(PRESETS[preset].as_document(), rules)
    if preset == "progressive-pineapple" and rules.get("middle") == "2-7":  # there, no preset deals progressive cards
        preset = "pineapple"
    if rules.get("game", PRESETS[preset].game) != PRESETS[preset].game:  # house rules may change the game itself
        preset = rules["game"]
    name = str(PRESET_NAMES[preset])
    return _("{rules} with house rules").format(rules=name) if own else name
