"""Who sits where: joining, leaving, sitting out, changing places, and who has dealt in this orbit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.actions.base import TableAction
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.forms.people import PeopleForm
from scoring.game.table import Table
from scoring.models import Session
from scoring.request import Request
from scoring.views.shared.asking import attempt, closed_page, form_page, signature
from scoring.wording.figures import listed
from scoring.wording.table import in_front, orbit, sits_out


@dataclass(frozen=True, slots=True)
class Sitting:
    """One seat of the page and what may be done with it; ``others`` are those it may change places with."""

    number: int
    name: str
    button: bool
    fantasyland: int
    out: bool
    tag: str
    chips: str
    others: list[tuple[int, str, bool]]
    opened: bool


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: Request, public_id: str) -> HttpResponse:
    """The seats clockwise, each with what may be done about it; nobody moves unasked while Fantasyland is pending."""
    session = access.session(request, public_id, Right.RUN)
    if session.closed_at and request.method != "POST":
        return closed_page(request, session)
    form = PeopleForm(request.POST, reads.state(session).players)
    status = 0
    if request.method == "POST":
        form.read()
        status = attempt(
            session,
            form,
            lambda: ledger.record(
                session=session, action=_action(form), note=form.note, insist=form.insist, **signature(request)
            ),
        )
        if not status:
            return redirect("people", session.public_id)
    return form_page(request, session, "table/people.html", form, _context(session, form), status=status)


def _action(form: PeopleForm) -> TableAction:
    """What was asked for."""
    if form.do == "join":
        return Join(form.name, form.after)
    if form.do == "swap":
        return Swap(form.seat_number, form.other)
    one_seat: dict[str, type[Leave | SitOut | SitIn]] = {"leave": Leave, "sit-out": SitOut, "sit-in": SitIn}
    return one_seat[form.do](form.seat_number)


def _context(session: Session, form: PeopleForm) -> dict[str, Any]:
    table = reads.state(session).table
    pending = [table.name(seat) for seat in table.fantasyland]
    return {
        "seats": _sitting(session, table, form),
        "sits_out": sits_out(table),
        "orbit": orbit(table),
        "pending": listed(pending) if pending else "",
        "insisting": form.insisting if form.do and pending and form.errors else None,
    }


def _sitting(session: Session, table: Table, form: PeopleForm) -> list[Sitting]:
    sitter = table.sitter()
    return [
        Sitting(
            number=chair.number,
            name=chair.name,
            button=chair.number == table.button,
            fantasyland=table.dealt_at_once(chair.number),
            out=chair.out,
            tag="sits out" if chair.out else "sits out with the button" if chair.number == sitter else "",
            chips=in_front(table, chair.number, session),
            others=[
                (other.number, other.name, other.number == form.other)
                for other in table.chairs
                if other.number != chair.number
            ],
            opened=form.seat_number == chair.number,
        )
        for chair in table.chairs
    ]
