"""The club's list of sessions, and the button that starts the next one like the last."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe

from scoring import access, ledger, reads
from scoring.access import Right
from scoring.forms.tab import TabPaymentForm
from scoring.game.errors import LedgerError
from scoring.models import Club
from scoring.request import CONFLICT, Request, asker, sent_key, whole_number
from scoring.texts import gettext as _
from scoring.views.shared.asking import status_of
from scoring.views.shared.club_frame import club_frame
from scoring.views.shared.problems import problems
from scoring.views.shared.settling import Settling, offer
from scoring.wording.counts import deals_in
from scoring.wording.figures import joined, listed
from scoring.wording.phrases import reasons
from scoring.wording.session import chips_each, terms_again, titles
from scoring.wording.tab import tabs_shown

SESSIONS_A_PAGE = 20


@require_safe
def sessions(request: Request, public_id: str) -> HttpResponse:
    of = access.club(request, public_id, Right.READ)
    return sessions_page(request, of, [])


@require_POST
def again(request: Request, public_id: str) -> HttpResponse:
    """Starts a session with the people and the terms of the last one."""
    of = access.club(request, public_id)
    terms = reads.last_time(of)
    if terms is None:
        return redirect("club", public_id)
    settling = Settling(request, of, terms.names, sent_key(request))
    said = request.POST.get("started")  # pages of earlier releases did not say how many there were
    late = []
    # Pages of earlier releases did not say the terms. With fewer than two players the ledger refuses them.
    if request.POST.get("terms") not in (None, terms.seen) and len(terms.names) > 1:
        changed = _("The last session was changed since this page was opened. The next one would be: {terms}.")
        late.append(changed.format(terms=joined([listed(terms.names), terms_again(terms)])))
    if said in (None, str(of.started)):  # or else another host has started a session, which is worse
        late += [str(settling.changed)] if settling.stale else []
        if late:
            return sessions_page(request, of, late, status=CONFLICT)
    try:
        session = ledger.start_session(
            club=of,
            names=terms.names,
            button=terms.button,
            stake=terms.stake,
            currency=terms.currency,
            minor_digits=terms.minor_digits,
            pair_stakes=terms.pair_stakes,
            rules=terms.rules,
            buy_in=terms.buy_in,
            cash=terms.cash,
            started=None if said is None else whole_number(said),
            key=sent_key(request),
            **asker(request),
        )
    except LedgerError as refusal:
        return sessions_page(request, of, [*reasons(refusal.problems), *late], status=status_of(refusal))
    except ledger.Conflict as conflict:
        # The form was sent twice. Its first session has become the "last time", so the terms differ now.
        session = conflict.session
    else:
        settling.record()
    return redirect("table", session.public_id)


def sessions_page(
    request: Request, of: Club, errors: list[str], *, unsaved: TabPaymentForm | None = None, status: int = 200
) -> HttpResponse:
    """The club's first page, with what is wrong with what was sent, and what was typed into a form that is gone."""
    page = max(1, whole_number(request.GET.get("page")))
    found, more = reads.club_sessions(of, skip=(page - 1) * SESSIONS_A_PAGE, limit=SESSIONS_A_PAGE)
    terms = reads.last_time(of)
    tabs = tabs_shown(of)
    tab = offer(of, terms.names) if terms else {}
    context = {
        **club_frame(of, "club"),
        "sessions": [
            {
                "url": reverse("table", args=[session.public_id]),
                "title": said,
                "deals": deals,
            }
            for session, said, deals in zip(found, titles(found), deals_in(found), strict=True)
        ],
        "tabs_open": tabs,
        "open_again": open_again_linked(of),
        **tab,
        "settle": request.POST.get("settle", "") == tab.get("open_value"),
        "again": joined([listed(terms.names), chips_each(terms)]) if terms and len(terms.names) > 1 else "",
        "terms": terms.seen if terms else "",
        "newer": f"?page={page - 1}" if page > 1 else "",
        "older": f"?page={page + 1}" if more else "",
        **problems({"": errors}, status),
        "unsaved": unsaved,
    }
    return render(request, "club/sessions.html", context, status=status)


def open_again_linked(of: Club) -> list[SafeString]:
    """Links to the sessions that were closed and are open again, so that the tab lacks what is open in them."""
    found = reads.open_again(of)
    return [
        format_html('<a href="{}">{}</a>', reverse("table", args=[session.public_id]), said)
        for session, said in zip(found, titles(found), strict=True)
    ]
