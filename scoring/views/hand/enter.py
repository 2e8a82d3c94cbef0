"""Enters the next hand: the form, the preview of its settlement, and the button that settles it.

The form and the preview are GET requests with everything typed in their address, so going back and reloading are
harmless; only the button under the preview writes. The form gets its key, and the list of the seats dealt in, when it
is first opened, and carries both along. So the same hand cannot be settled twice, however often it is sent and wherever
the button has moved by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, drafts, ledger, reads
from scoring.access import Right
from scoring.actions.deals import Settle
from scoring.forms.hand import DealForm
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.game.table import Table
from scoring.models import Deal, Event, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, new_key, sent_key, whole_number
from scoring.texts import gettext as _
from scoring.views.hand.asked import Asked
from scoring.views.hand.drafting import Drafting
from scoring.views.hand.form import deal_form_context, late_page, unplaced, with_changed
from scoring.views.hand.same import probably_same, same_cards, same_deal, seats_of_deal
from scoring.views.shared.asking import (
    Refused,
    closed_meanwhile,
    latest,
    reopening,
    tried,
)
from scoring.views.shared.device import keep_device
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.entering import entered_again
from scoring.wording.figures import listed, sentences
from scoring.wording.phrases import reasons
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import begins, following

_TOLD: Final = 8
"""The most changes since a hand was begun that a page lists. Of more it lists the latest."""


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: Request, public_id: str) -> HttpResponse:
    """Takes the next deal from its rows to its settlement: the form, the preview, and the POST that settles."""
    session = access.session(request, public_id, Right.ENTER)
    asked = Asked(request, session)
    if request.method == "POST":
        return _settle(asked, sent_key(request))
    if asked.is_settled:
        return redirect("deal", public_id, asked.settled_number)
    if asked.is_late:
        settled = _("Hand {number} is already settled.")
        if request.grant.runs:
            settled = _("Hand {number} is already settled. Open it to correct it.")
        refusal = settled.format(number=asked.settled_number)
        return late_page(request, session, asked.first, asked.settled_number, [refusal])
    return _preview_page(asked) if asked.wants_preview else _form_page(asked, asked.form)


@require_safe
@never_cache
def blank(request: Request, public_id: str) -> HttpResponse:
    """The pad without a card or a figure, which a phone keeps and shows while it has no connection.

    It is also how a phone finds out, once it is back, whether it may still enter hands, and gets a fresh token.
    """
    session = access.session(request, public_id, Right.ENTER)
    table = reads.seating(session)[1]
    form, drafting = DealForm({}, table.lineup()), Drafting(request, session, table, without=True)
    # The tabs are kept for each version and page, and those of the pad stand under the terms of the session.
    context = {
        **_form_context(session, table, form, drafting, key=""),
        "other_mode": "?mode=points",
        "tab": "blank",
        "session_terms": "",
        "kept": True,
    }
    return keep_device(request, render(request, "hand/blank.html", context))


def _previewed(asked: Asked) -> ledger.Preview | None:
    """What settling would record. None, with errors in the form, if it lacks something."""
    form = asked.form
    if not asked.typed and not asked.everyone_in:
        if not form.sent:  # what phones have sent is no error, even if it is not everything
            form.errors[""] = [_("Nothing is entered yet.")]
        return None
    entry = form.entry()
    if entry is None:
        return None
    try:
        return ledger.preview(session=asked.session, entry=entry)
    except LedgerError as refusal:
        form.refused(refusal.problems)
        return None


def _preview_page(asked: Asked, status: int = 200) -> HttpResponse:
    """The preview, or the form if it lacks something. With another ``status`` it is the answer to a hand that was not
    settled, because phones have sent other rows since its preview.
    """
    request, session, form = asked.request, asked.session, asked.form
    preview = _previewed(asked)
    why = asked.overtaken if status == CONFLICT else ""
    if preview is None:
        return _form_page(asked, form, overtaken=why)
    key = new_key() if asked.done else asked.key
    number, begun = str(preview.number), str(asked.begun)
    edit = with_changed(asked.sent, edit="1", key=key, seats=form.carried, number=number, begun=begun)
    context = {
        **frame(session, "enter"),
        **outcome_shown(preview.outcome, session),
        "number": preview.number,
        "version": preview.version,
        "key": key,
        "carried": form.carried,
        "begun": asked.begun,
        "opened": asked.opened,
        "same_cards": same_cards(session, preview.outcome.entry),
        "fields": [*form.all_fields().items(), *({} if form.by_points else asked.drafting.known(form)).items()],
        "edit": f"?{edit}",
        "following": following(preview.after),
        **_meanwhile(asked),
        **unplaced(asked.first, asked.names, form.seats),
        **_of_two_deals(asked),
        "on_two_phones": [] if form.by_points else asked.drafting.on_two_phones(form, asked.sent),
        **_not_settled(
            why,
            _("This is the settlement as it is now.") if asked.replaced else "",
            _("Compare the two, then edit the hand, or settle it as it is here.") if asked.held else "",
        ),
    }
    return render(request, "hand/preview.html", context, status=status)


def _settle(asked: Asked, key: str) -> HttpResponse:
    request, session, entry = asked.request, asked.session, asked.entry
    if entry is None:
        return _form_page(asked, asked.first)
    # A missing number or version counts as 0 here, so a request that did not come from the preview is refused.
    number, version = (whole_number(request.POST.get(name)) for name in ("number", "version"))
    if asked.newer and version == session.version:  # if the table has changed, too, the ledger's refusal says more
        return _preview_page(asked, CONFLICT)
    remark = drafts.remark(session, entry)

    def settle() -> Deal:
        return ledger.settle_deal(
            session=session, entry=entry, number=number, version=version, key=key, remark=remark, **asker(request)
        )

    deal = tried(session, settle)
    if not isinstance(deal, Refused):
        return redirect("deal", session.public_id, deal.number)
    if deal.status == CONFLICT:
        return _too_late(Asked(request, session), entry, deal)
    asked.first.refused(deal.problems)
    return _form_page(asked, asked.first)


def _too_late(asked: Asked, entry: Entry, refused: Refused) -> HttpResponse:
    """Answers a hand that came too late, or before which the table changed. ``asked`` has the session as it is now."""
    session = asked.session
    number = asked.settled_number or asked.begun
    settled = reads.counting(session, number)
    if settled is None:
        was_it = any(probably_same(each, entry) for each in reads.entries_of(session, asked.begun))
        undone = _undone(session, asked.begun) if was_it else 0
        form = asked.first if session.closed_at else asked.form
        if session.closed_at or not undone:
            form.errors[""] = _why_late(asked, refused)
        return _form_page(asked, form, new_key() if asked.done else asked.key, undone, status=CONFLICT)
    if same_deal(settled.entry, entry.as_document()):
        return redirect("deal", session.public_id, number)  # another phone was faster, and nothing is wrong
    if not asked.is_late and not session.closed_at:
        return _preview_page(asked, CONFLICT)  # it is the next hand
    why = reasons(refused.problems)
    if number != asked.number:
        why = [_("Hand {number} is already settled.").format(number=number)]
    since = latest(session, _changes(asked), _TOLD) if refused.came_late else []
    return late_page(asked.request, session, asked.first, number, [*why, *since])


def _why_late(asked: Asked, refused: Refused) -> list[str]:
    """Why this hand was not settled, and what has changed since its preview."""
    why = reasons(refused.problems)
    if not refused.came_late:
        return why
    if 0 < asked.number <= asked.session.deals and reads.counting(asked.session, asked.number) is None:
        said = _("Hand {number} was settled meanwhile, and does not count any more.")
        why = [said.format(number=asked.number)]
    return [*why, *latest(asked.session, _changes(asked), _TOLD)]


def _form_page(
    asked: Asked, form: DealForm, key: str = "", undone: int = 0, *, overtaken: str = "", status: int = 0
) -> HttpResponse:
    session = asked.session
    if not status and form.errors and (closed := closed_meanwhile(session)):
        form.errors[""] = list(dict.fromkeys([*reasons(closed.problems), *form.errors.get("", [])]))
        status = closed.status
    if not status:
        status = UNPROCESSABLE if form.errors else 200
    gone = undone or _undone(session, whole_number(asked.request.GET.get("undone")))
    lies_there = _lies_there(session, form, gone, asked.drafting.undone)
    begun = asked.begun if 0 < asked.begun < session.next_number else lies_there or gone
    query = {"mode": "points", "edit": "1", **form.points_fields()}
    if begun:
        opened = str(asked.opened or session.version)
        query |= {"number": str(session.next_number), "begun": str(begun), "opened": opened}
    context = {
        **_form_context(session, asked.table, form, asked.drafting, key=key or asked.key, sent=asked.fields),
        "other_mode": f"?{urlencode(query)}",
        **problems(form.errors, status),
        **reopening(session, status),
        "again": _again(asked, lies_there),
        "begun": begun,
        "opened": asked.opened or session.version,
        **(_meanwhile(asked) if undone or status == UNPROCESSABLE else {}),
        **_not_settled(overtaken),
        **unplaced(asked.first, asked.names, () if asked.table.obstacles() else form.seats),
    }
    return keep_device(asked.request, render(asked.request, "hand/enter.html", context, status=status))


def _of_two_deals(asked: Asked) -> dict[str, Any]:
    """Context for the preview where boards or rulings of an undone hand lie on the form.

    If only some are of it, it names the hand and their players. If all are, it says so.
    """
    if asked.form.by_points:
        return {}
    number, boards, rulings = asked.of_two_deals
    undone = _lies_there(asked.session, asked.form, _undone(asked.session, asked.begun), asked.drafting.undone)
    return {
        "taken_back": number,
        "boards_of_it": listed([asked.table.name(seat) for seat in boards]),
        "rulings_of_it": listed([asked.table.name(seat) for seat in rulings]),
        "again": "" if number else _again(asked, undone),
    }


def _again(asked: Asked, undone: int) -> str:
    """That the form holds the cards, or the points, of the ``undone`` hand, in words; empty without one."""
    voided = undone > 0 and reads.was_voided(asked.session, undone)
    return entered_again(undone, asked.session.next_number, voided=voided, by_points=asked.form.by_points)


def _meanwhile(asked: Asked) -> dict[str, Any]:
    """Context for ``hand/_meanwhile.html``: what became of the hand for which the form was opened, and of later ones.

    If nothing but one other hand was settled, that is named alone. Otherwise the latest changes are listed.
    """
    if not 0 < asked.begun < asked.session.next_number:
        return {}
    changes = _changes(asked)
    if [(each.verb, each.deal) for each in changes] == [(Settle.verb, asked.settled_number)]:
        return {"settled": asked.settled_number}
    return {"since": latest(asked.session, changes, _TOLD)}


def _changes(asked: Asked) -> list[Event]:
    """The latest changes: of the table since the preview that was sent, or else of deals since the form was opened.

    The deals begin with the earliest one whose cards are on the form or on a pad. If there are more changes than a page
    lists, one more is returned, so that the page can say so.
    """
    version = whole_number(asked.request.POST.get("version"))
    if version:
        return reads.changes_since(asked.session, version, most=_TOLD + 1)
    first = min(asked.begun, asked.drafting.undone or asked.begun)
    return reads.changes_of_deals(asked.session, first, since=asked.opened, most=_TOLD + 1)


def _not_settled(why: str, *then: str) -> dict[str, str]:
    """Context for ``hand/_not_settled.html``: why a hand was not settled, and what people see or can do now."""
    return {"why": why, "not_settled": sentences(_("Not settled yet."), why, *then) if why else ""}


def _undone(session: Session, number: int) -> int:
    """``number`` if that deal was settled once, and neither it nor any later one counts by now, else 0.

    So the form says that it holds the cards of that deal until it has been settled again under another number.
    """
    return number if 0 < number <= session.deals and not reads.any_counts(session, since=number) else 0


def _lies_there(session: Session, form: DealForm, *undone: int) -> int:
    """The first of these ``undone`` deals of which the form still holds a row, or the points; 0 for none."""
    if form.by_points:
        return undone[0]
    found = (number for number in undone if number and seats_of_deal(form, reads.entries_of(session, number)))
    return next(found, 0)


def _form_context(
    session: Session,
    table: Table,
    form: DealForm,
    drafting: Drafting,
    *,
    key: str,
    sent: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """The context that `enter` and `blank` share."""
    names = {seat: table.name(seat) for seat in form.seats}
    entries = [drafting.entry(form, seat, drafting.as_sent(seat, sent)) for seat in form.seats]
    return {
        **frame(session, "enter"),
        **deal_form_context(form, names, entries, table.rules),
        **({} if form.by_points else drafting.around(own=None)),
        "number": session.next_number,
        "form_name": f"hand-{session.next_number}{'-points' if form.by_points else ''}",
        "key": key,
        "carried": form.carried,
        "obstacles": reasons(table.obstacles()),
        "address": reverse("enter", args=[session.public_id]),
        "begins": begins(table),
        "decks": 0 if form.by_points else table.rules.decks,
    }
