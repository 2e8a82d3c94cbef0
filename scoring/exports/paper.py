"""The record of a session on paper, in HTML: every hand with its boards, and lines to sign."""

from __future__ import annotations

from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scoring import reads
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.wording.figures import day_of_year_and_time
from scoring.wording.paper import on_paper
from scoring.wording.settle_up import settle_up
from scoring.wording.settlement import standing_shown

DEALS_A_PART: Final = 200
"""So many hands are printed at once; a longer session is printed in parts."""


def parts(session: Session) -> int:
    """How many parts there are, at least 1."""
    return max(1, -(-session.deals // DEALS_A_PART))


def of_session(session: Session, part: int, verifier: str) -> SafeString:
    """One part, in the reader's language.

    ``verifier`` is the address of the page that checks a record; empty if no address leads other phones here.
    """
    return render_to_string("books/_paper.html", _context(session, part, verifier))


def _context(session: Session, part: int, verifier: str) -> dict[str, Any]:
    last = parts(session)
    state, names, head = reads.state(session), reads.present(session), reads.head(session)
    first = (part - 1) * DEALS_A_PART + 1
    agreed = {each.seat: each.at for each in reads.agreements(session) if each.to == head}
    return {
        "session": session,
        "head": head,
        "head_address": head.address(verifier),
        "opened": day_of_year_and_time(session.opened_at),
        "ended": day_of_year_and_time(session.closed_at) if session.closed_at else "",
        "paper": on_paper(session, reads.whole(session, first, part * DEALS_A_PART)),
        "standing": standing_shown(state, names, session),
        "settle_up": settle_up(session, state),
        "disputed": [each.deal.number for each in reads.disputes(session)],
        "signers": [
            (name, day_of_year_and_time(agreed[seat]) if seat in agreed else "") for seat, name in names.items()
        ],
        "first_part": part == 1,
        "last_part": part == last,
        "part": part,
        "parts": [
            (
                number,
                _("Hands {first} to {last}").format(
                    first=(number - 1) * DEALS_A_PART + 1, last=min(number * DEALS_A_PART, session.deals)
                ),
            )
            for number in range(1, last + 1)
        ]
        if last > 1
        else [],
    }
