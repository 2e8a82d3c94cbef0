"""Players enter their own rows: pick a seat, type its rows, see who is done, and receive what other phones sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, retarget

from scoring import access, drafts, reads
from scoring.access import Right
from scoring.forms.hand import DealForm, prefix
from scoring.game.entry import Rows
from scoring.game.table import Table
from scoring.models import Session
from scoring.request import CONFLICT, NOTHING_NEW, UNPROCESSABLE, Request, whole_number
from scoring.rules import document
from scoring.rules.board import ROWS
from scoring.rules.errors import Problem, RulesError
from scoring.texts import gettext as _
from scoring.views.hand.drafting import Drafting, entering, line_of, rows_that_differ
from scoring.views.hand.form import late_page, rulings
from scoring.views.hand.rows import DraftShown
from scoring.views.shared.asking import Refused, tried
from scoring.views.shared.device import device_of, keep_device
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.wording.phrases import reasons


@require_safe
def pick(request: Request, public_id: str) -> HttpResponse:
    """Asks which seat is yours. A phone whose link is tied to a seat goes straight to it."""
    session = access.session(request, public_id, Right.SEAT)
    if request.grant.seat is not None:
        return redirect("own-rows", public_id, request.grant.seat)
    table = _table(session)
    context = {
        **frame(session, "seats"),
        "places": [
            {
                "url": reverse("own-rows", args=[public_id, chair.number]),
                "name": chair.name,
                "button": chair.number == table.button,
                "fantasyland": table.dealt_at_once(chair.number),
            }
            for chair in table.chairs
        ],
        "number": session.next_number,
    }
    return render(request, "hand/seats.html", context)


@require_safe
@never_cache
def own_rows(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows one seat's rows of the next hand, on that player's own phone."""
    session, table = _admitted(request, public_id, number)
    drafting = Drafting(request, session, table)
    return _own_page(request, drafting, number, DealForm({}, table.lineup(), initial=drafting.fields()))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def draft(request: Request, public_id: str, number: int) -> HttpResponse:
    """Stores a seat's rows. A GET shows those that are stored.

    A POST of ``theirs`` drops what this phone typed for the rows that another phone sent, and one of ``show`` reveals
    the hidden boards once all boards are there.

    An htmx request gets every part of the page that changed, any other request the page of the seat.
    """
    session, table = _admitted(request, public_id, number)
    if number not in table.lineup():
        return _not_dealt_in(request, session, table, number)
    if request.method != "POST":
        return _given_up(request, Drafting(request, session, table), number)
    if "theirs" in request.POST:
        if whole_number(request.POST.get("number")) != session.next_number:
            return _over(request, session, number)
        drafts.give_up(session=session, seat=number, device=device_of(request))
        return _given_up(request, Drafting(request, session, table), number)
    if "show" in request.POST:
        return _revealed(request, session, table, number)
    return _stored(request, session, table, number)


def _revealed(request: Request, session: Session, table: Table, number: int) -> HttpResponse:
    """Shows the hidden boards once all boards are there."""
    if not request.grant.enters:
        raise PermissionDenied
    asked_for = whole_number(request.POST.get("number"))
    shown = tried(session, lambda: drafts.show(session=session, number=asked_for, seat=number))
    if isinstance(shown, Refused):
        return _over(request, session, number, reasons(shown.problems))
    if not request.htmx:
        return redirect("enter", session.public_id)
    return _given_up(request, Drafting(request, session, table), number)


def _stored(request: Request, session: Session, table: Table, number: int) -> HttpResponse:
    """Stores what was typed for this seat, unless another phone has sent other rows for it."""
    form = DealForm(request.POST, table.lineup())
    asks = f"{prefix(number)}-ruling" in request.POST

    def keep() -> bool:
        if f"{prefix(number)}-away" in request.POST:  # no field of a hidden board says anything of it
            return False
        return drafts.keep(
            session=session,
            number=whole_number(request.POST.get("number")),
            seat=number,
            rows=_rows(form, number),
            # Only phones that may enter every hand set a ruling. A player may neither make one nor take it back.
            ruled=request.grant.enters and asks,
            seen=request.POST.get(f"{prefix(number)}-seen", ""),
            sees=request.grant.seat == number,
            base=whole_number(request.POST.get(f"{prefix(number)}-rev")),
            device=device_of(request),
        )

    taken = False
    try:
        changed = tried(session, keep)
    except drafts.Taken:
        changed, taken = False, True
    if isinstance(changed, Refused):
        return _over(request, session, number, reasons(changed.problems))
    drafting = Drafting(request, session, table)
    status = CONFLICT if taken else 200
    if request.htmx:
        # If the page was up to date before this request, it need not ask again, unless a board was hidden until now.
        up_to_date = request.POST.get("v") == drafts.version(session, before=int(changed))
        up_to_date = up_to_date and not any(name.endswith("-away") for name in request.POST)
        around = drafting.around(own=number if "own" in request.POST else None) if up_to_date else {}
        return keep_device(request, _changes(request, drafting, [number], around, status=status))
    if not taken:
        own = DealForm(request.POST, [number])
        own.refused(_problems(own, number, table))
        if own.errors:
            return _own_page(request, drafting, number, own, status=UNPROCESSABLE)
        return keep_device(request, redirect("own-rows", session.public_id, number))
    based_on = _conflict(drafting, number, form, request.POST)
    return _own_page(request, drafting, number, form, based_on, status=status)


@require_safe
@never_cache
def state(request: Request, public_id: str) -> HttpResponse:
    """Returns what has changed since drafts version ``v``, limited to the fields that the page sent along."""
    session = access.session(request, public_id, Right.SEAT)
    if session.closed_at is not None or whole_number(request.GET.get("number")) != session.next_number:
        return _over(request, session)
    if request.GET.get("v") == drafts.version(session):
        return HttpResponse(status=NOTHING_NEW)
    drafting = Drafting(request, session, _table(session))
    lineup = drafting.table.lineup()
    own = whole_number(request.GET.get("own"))
    if "own" in request.GET and own not in lineup:
        return _not_dealt_in(request, session, drafting.table, own)
    asked = [seat for seat in lineup if f"{prefix(seat)}-rev" in request.GET and request.grant.enters_seat(seat)]
    around = drafting.around(own=asked[0] if asked and "own" in request.GET else None)
    return _changes(request, drafting, asked, around)


@require_safe
@never_cache
def who_is_in(request: Request, public_id: str) -> HttpResponse:
    """Returns who is in, for pages that show the table to anybody, if that has changed since version ``v``."""
    session = access.session(request, public_id, Right.READ)
    if request.GET.get("v") == drafts.version(session):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "hand/_entering.html", {"session": session, **entering(request, session)})


def _table(session: Session) -> Table:
    return reads.seating(session)[1]


def _admitted(request: Request, public_id: str, number: int) -> tuple[Session, Table]:
    """The session and its table. Raises `PermissionDenied` unless the browser may enter this seat."""
    session = access.session(request, public_id, Right.SEAT)
    if not request.grant.enters_seat(number):
        raise PermissionDenied
    access.seat(session, number)
    return session, _table(session)


def _rows(form: DealForm, seat: int) -> Rows:
    return drafts.readable(Rows(*form.boards[seat].rows(), ruling=form.rulings[seat]))


def _problems(form: DealForm, seat: int, table: Table) -> list[Problem]:
    """The problems in the rows that a player submits as done, limited to the rows that hold something."""
    given = form.boards[seat].given()
    if form.rulings[seat] or not given:
        return []
    player = {"name": table.name(seat), **given}
    try:
        document.score({"rules": table.rules.as_document(), "players": [player]})
    except RulesError as error:
        return [problem for problem in error.problems if problem.where.rpartition(".")[2] in given]
    return []


def _own_page(
    request: Request,
    drafting: Drafting,
    number: int,
    form: DealForm,
    based_on: DraftShown | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    session, table = drafting.session, drafting.table
    context = {
        **frame(session, "own-rows"),
        **drafting.around(own=number),
        "name": table.name(number),
        "entry": drafting.entry(form, number, based_on) if number in table.lineup() else None,
        "decks": table.rules.decks,
        "obstacles": reasons(table.obstacles()),
        "kept": whole_number(request.GET.get("kept")) == session.next_number,
        **problems(form.errors),
    }
    return keep_device(request, render(request, "hand/own_rows.html", context, status=status), at=session, seat=number)


def _changes(
    request: Request, drafting: Drafting, seats: Iterable[int], around: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Sends each seat's row names, its whole fieldset, or the choice between two phones' rows; and who is done."""
    sent = _sent(request)
    lineup = drafting.table.lineup()
    form, now = DealForm(sent, lineup), DealForm({}, lineup, initial=drafting.fields())
    named, replaced = [], []
    for seat in seats:
        field, shown = prefix(seat), drafting.shown(seat)
        asks = f"{field}-ruling" in sent
        typed, stored, seen = (
            each if asks else drafts.without_ruling(each)
            for each in (drafts.line(_rows(form, seat)), shown.seen, sent.get(f"{field}-seen", ""))
        )
        ruled_alone = not asks and drafts.same(stored, seen)  # by another phone, and this page asks for no ruling
        away = sent.get(f"{field}-away")  # the board is hidden, so nothing can be typed there
        if away is not None:
            replaced += [drafting.entry(now, seat)] * (shown.away != away)
        elif not drafting.changed_since(seat, whole_number(sent.get(f"{field}-rev"))) or (
            (drafts.same(typed, stored) or ruled_alone) and not shown.away
        ):
            named.append(drafting.entry(form, seat))
        elif drafts.same(typed, seen) and not (drafting.taken_unseen(seat, typed) and form.boards[seat]):
            replaced.append(drafting.entry(now, seat))
        elif request.method == "POST" or sent.get(f"{field}-asked") != str(shown.revision):
            # A choice that is on the page already stays, or a thumb would miss its button.
            named.append(drafting.entry(form, seat, _conflict(drafting, seat, form, sent)))
    context = {**around, "named": named, "replaced": replaced, "rulings": _rulings(request, drafting.table)}
    return render(request, "hand/_drafts.html", context, status=status)


def _rulings(request: Request, table: Table) -> list[tuple[str, str]]:
    """The rulings that the page asks for: none on a page of somebody's own cards."""
    own = "own" in _sent(request)
    return rulings(table.rules) if request.grant.enters and not own else []


def _conflict(drafting: Drafting, seat: int, form: DealForm, sent: QueryDict) -> DraftShown:
    """Another phone's rows beside this phone's, which keep the draft that they started from until somebody chooses."""
    now = drafting.shown(seat)
    ours, theirs = line_of(form, seat), now.seen or drafts.line(drafts.rows_of(None))
    if f"{prefix(seat)}-ruling" not in sent:
        ours, theirs = drafts.without_ruling(ours), drafts.without_ruling(theirs)
    return replace(
        now,
        revision=whole_number(sent.get(f"{prefix(seat)}-rev")),
        seen=sent.get(f"{prefix(seat)}-seen", ""),
        away="",
        ours=rows_that_differ(ours, theirs, lacking=True),
        theirs=_("{state}, hidden").format(state=now.state)
        if now.away
        else rows_that_differ(theirs, ours, lacking=True),
        their_revision=now.revision,
    )


def _given_up(request: Request, drafting: Drafting, number: int) -> HttpResponse:
    """The seat's fieldset as other phones left it. With ``?instead`` a hidden board is replaced by an empty one."""
    if not request.htmx:
        return redirect("own-rows", drafting.session.public_id, number)
    form = DealForm({}, drafting.table.lineup(), initial=drafting.fields())
    instead = replace(drafting.shown(number), away="", seen="//") if "instead" in request.GET else None
    context = {
        "replaced": [drafting.entry(form, number, instead)],
        "rulings": _rulings(request, drafting.table),
    }
    return keep_device(request, render(request, "hand/_drafts.html", context))


def _not_dealt_in(request: Request, session: Session, table: Table, number: int) -> HttpResponse:
    """Answers a phone whose player sits out by now, or has left. Its script keeps the cards until the hand is over."""
    sent = _sent(request)
    deal = whole_number(sent.get("number"))
    if request.htmx and (session.closed_at is not None or deal not in {0, session.next_number}):
        return _over(request, session, number)
    if request.htmx and "own" not in sent:
        return _led_away(request, reverse("enter", args=[session.public_id]))
    if request.htmx or request.method != "POST":
        typed = any(sent.get(f"{prefix(number)}-{row}") for row in ROWS)
        at = reverse("own-rows", args=[session.public_id, number])
        return _led_away(request, f"{at}?kept={session.next_number}" if typed else at)
    refusal = _("{name} is not dealt in.").format(name=table.name(number))
    return _over(request, session, number, [refusal])


def _over(request: Request, session: Session, number: int = 0, refusal: Sequence[str] = ()) -> HttpResponse:
    """Answers a phone whose hand is settled, or whose session is closed.

    A player whose rows are others than those that were settled is shown them, before they leave the page. So is one
    whose form was refused without script.
    """
    sent = _sent(request)
    deal = whole_number(sent.get("number"))
    settled = deal if deal <= session.deals else 0
    number = whole_number(sent.get("own")) or number
    form = DealForm(sent, [number])
    shows = "own" in sent and any(form.boards[number].rows()) if request.htmx else bool(refusal)
    if shows and _unsaved(session, settled, form, number):
        late = late_page(request, session, form, settled, refusal)
        return retarget(late, "#main") if request.htmx else late
    at = reverse("deal", args=[session.public_id, settled]) if settled else reverse("table", args=[session.public_id])
    return _led_away(request, at)


def _unsaved(session: Session, settled: int, form: DealForm, seat: int) -> bool:
    """Whether this form has other rows for the seat than the settled deal; always if the deal does not count."""
    if seat not in {each.number for each in reads.seating(session)[0]}:
        return False
    rows = form.boards[seat].rows()
    stored = reads.stored_deal(access.deal(session, settled)) if settled else None
    counted = stored.entry.boards.get(seat) if stored else None
    return counted is None or not drafts.same(drafts.line(Rows(*rows)), drafts.line(replace(counted, ruling="")))


def _led_away(request: Request, at: str) -> HttpResponse:
    """Sends a player's phone to another page. A scorer's phone stays, and hears from ``live.js`` of what happened."""
    if not request.htmx:
        return redirect(at)
    pressed = request.htmx.trigger_name is not None  # somebody chose between two phones, and waits for an answer
    return HttpResponseClientRedirect(at) if "own" in _sent(request) or pressed else HttpResponse(status=NOTHING_NEW)


def _sent(request: Request) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET
