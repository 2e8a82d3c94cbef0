"""What the forms for a new hand and for a correction share, and the page for a hand that came too late."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from scoring import access, reads
from scoring.forms.hand import RULINGS, DealForm
from scoring.models import Session
from scoring.request import CONFLICT, Request
from scoring.rules.houserules import HouseRules
from scoring.views.hand.rows import Fieldset
from scoring.views.shared.asking import reopening
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.figures import joined


def late_page(request: Request, session: Session, form: DealForm, settled: int, refusal: Sequence[str]) -> HttpResponse:
    """Says that the hand was settled already, or taken back since, links to it, and shows what was typed in vain.

    Of a hand that was taken back, the ``refusal`` is told only if the session is closed: that it was settled is half of
    what happened.
    """
    names = reads.state(session).players
    stored = reads.stored_deal(access.deal(session, settled)) if settled else None
    void = stored is not None and stored.revision.voided
    context = {
        **frame(session, "enter"),
        "settled": settled,
        "void": void,
        "undone": void and not reads.was_voided(session, settled),
        **problems({"": () if void and session.closed_at is None else refusal}, CONFLICT),
        **reopening(session, CONFLICT),
        "boards": [
            (names[seat], board, RULINGS[ruling] if (ruling := form.rulings[seat]) else "")
            for seat, board in form.boards.items()
        ],
        "counted": [
            (names[pair.first], names[pair.second], pair.text, names[pair.gainer])
            for pair in form.pair_points()
            if pair.text
        ],
        "by_points": form.by_points,
    }
    return render(request, "hand/late.html", context, status=CONFLICT)


def unplaced(form: DealForm, names: Mapping[int, str], shown: Collection[int]) -> dict[str, Any]:
    """What was typed for players who are not among the seats ``shown``: the page says that it is not saved."""
    return {
        "unplaced": [
            (
                names[seat],
                joined([" / ".join(row or "–" for row in board.rows()), str(RULINGS[ruling] if ruling else "")]),
            )
            for seat, board in form.boards.items()
            if seat not in shown and ((ruling := form.rulings[seat]) or any(board.rows()))
        ],
        "unplaced_points": [
            (names[pair.first], names[pair.second], pair.text, names[pair.gainer])
            for pair in form.pair_points()
            if pair.text and not {pair.first, pair.second} <= set(shown)
        ],
    }


def rulings(rules: HouseRules) -> list[tuple[str, str]]:
    """The rulings that a table may make on a board, by value."""
    return [(value, name) for value, name in RULINGS.items() if value != "surrendered" or rules.surrender_points]


def deal_form_context(
    form: DealForm, names: Mapping[int, str], entries: list[Fieldset], rules: HouseRules, *, status: int = 0
) -> dict[str, Any]:
    """Context for the form of a hand, whether the hand is new or being corrected."""
    return {
        "entries": entries,
        "rulings": rulings(rules),
        "by_points": form.by_points,
        "pairs": [
            {"field": pair, "first_name": names[pair.first], "second_name": names[pair.second]}
            for pair in form.pair_points()
        ],
        **problems(form.errors, status),
    }


def with_changed(sent: QueryDict, **more: str) -> str:
    """The query that was sent, with some values replaced and without the token of a form, which is for no address."""
    changed = sent.copy()
    changed.pop("csrfmiddlewaretoken", None)
    for key, value in more.items():
        changed[key] = value
    return changed.urlencode()
