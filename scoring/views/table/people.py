"""Seats: joining, leaving, sitting out, changing places, and who has had the button in this orbit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from scoring import access, club, ledger, reads
from scoring.access import Right
from scoring.actions.people import Join, Leave, SitOut
from scoring.forms.people import PeopleForm
from scoring.game.table import Table
from scoring.models import Session
from scoring.request import Request, sent_key
from scoring.texts import gettext as _
from scoring.views.shared.asking import attempt, back_to, carried, form_key, form_page, posted, signature
from scoring.wording.table import due, in_stack, leaving, orbit, sits_out


@dataclass(frozen=True, slots=True)
class PersonShown:
    """One seat of the page. ``others`` are the seats to change places with: number, name, whether it is selected.

    ``holds`` says whether its player has chips. ``leaving`` is what they get or pay if they leave now, each as words
    and an amount; empty if it is nothing.
    """

    number: int
    name: str
    button: bool
    fantasyland: int
    out: bool
    tag: str
    chips: str
    holds: bool
    others: list[tuple[int, str, bool]]
    leaving: list[tuple[str, str]]
    opened: bool


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: Request, public_id: str) -> HttpResponse:
    """Lists the seats clockwise; a POST moves somebody. While Fantasyland is pending the host has to insist."""
    session = access.session(request, public_id, Right.RUN)
    form = PeopleForm(posted(request), reads.state(session).players)
    if attempt(request, session, form, lambda: _move(request, session, form), on_closed=False):
        return back_to("people", session, request)
    names = carried(request, form.status, "names", club.names_seen(session.club))
    context = {**_context(session, form), "key": _key(request, form), "names": names}
    return form_page(request, session, "table/people.html", form, context)


def _move(request: Request, session: Session, form: PeopleForm) -> None:
    joins = form.verb == Join.verb and not reads.recorded(session, sent_key(request))
    seen = request.POST.get("names", "") if joins else ""
    with club.names_at_rest(session.club, [form.text("name")], seen):
        ledger.record(session=session, **form.arguments(), **signature(request))


def _key(request: Request, form: PeopleForm) -> str:
    """The page's key, without the ending that each of its forms adds, which would grow with every refusal."""
    key = form_key(request, form.status)
    return key.rpartition("-")[0] or key if key == request.POST.get("key") else key


def _context(session: Session, form: PeopleForm) -> dict[str, Any]:
    table = reads.state(session).table
    pending = due(table)
    places, after = [chair.number for chair in table.chairs], form["after"].value()
    return {
        "seats": _people_shown(session, form),
        "after": after if after in places else next(reversed(places), None),
        "sits_out": sits_out(table),
        "orbit": orbit(table),
        "pending": pending,
        "gives_up": _gives_up(form, table),
        "insisting": form.insisting if pending and form.may_insist else None,
    }


def _gives_up(form: PeopleForm, table: Table) -> str:
    """The name of a player who would lose Fantasyland by this change, because they would not be dealt in (R68)."""
    seat = form["seat"].value()
    return table.name(seat) if form.verb in (Leave.verb, SitOut.verb) and seat in table.fantasyland else ""


def _people_shown(session: Session, form: PeopleForm) -> list[PersonShown]:
    state = reads.state(session)
    table = state.table
    sitter, chosen, other_chosen = table.sitter(), form["seat"].value(), form["other"].value()
    return [
        PersonShown(
            number=chair.number,
            name=chair.name,
            button=chair.number == table.button,
            fantasyland=table.dealt_at_once(chair.number),
            out=chair.out,
            tag=_("sits out") if chair.out else _("sits out with the button") if chair.number == sitter else "",
            chips=in_stack(table, chair.number, session),
            holds=bool(table.stacks and table.stacks.get(chair.number)),
            others=[
                (other.number, other.name, other.number == other_chosen)
                for other in table.chairs
                if other.number != chair.number
            ],
            leaving=leaving(table, chair.number, state.balances, session),
            opened=chosen == chair.number,
        )
        for chair in table.chairs
    ]
