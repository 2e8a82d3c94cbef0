"""The club's More page: rename the club, forget saved house rules, download everything, delete the club."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring import access, club, reads
from scoring.exports import making
from scoring.request import UNPROCESSABLE, Request, whole_number
from scoring.texts import gettext as _
from scoring.views.shared.asking import Refused, carried, refused_shown, tried
from scoring.views.shared.club_frame import club_frame, club_title
from scoring.views.shared.download import Export, download
from scoring.views.shared.problems import problems
from scoring.wording.session import played
from scoring.wording.tab import open_among, tabs_shown


@require_http_methods(["GET", "HEAD", "POST"])
def more(request: Request, public_id: str) -> HttpResponse:
    """Shows the More page; a POST renames the club."""
    of = access.club(request, public_id)
    context = {
        **club_frame(of, "club-more"),
        "name": request.POST.get("name", of.name),
        "was": of.name,
        "saved": [(saved.name, played(saved.rules), club.rules_seen(saved)) for saved in reads.saved_rules(of)],
    }
    if request.method != "POST":
        return render(request, "club/more.html", context)
    refused = tried(None, lambda: club.rename(of, request.POST.get("name", ""), was=request.POST.get("was")))
    if not isinstance(refused, Refused):
        return redirect("club", public_id)
    context |= {"was": carried(request, refused.status, "was", of.name), **refused_shown(refused)}
    return render(request, "club/more.html", context, status=refused.status)


@require_POST
def forget_rules(request: Request, public_id: str) -> HttpResponse:
    """Deletes house rules that the club had saved. Sessions that play by them keep them."""
    of = access.club(request, public_id)
    refused = tried(None, lambda: club.forget_rules(of, request.POST.get("name", ""), request.POST.getlist("seen")))
    if not isinstance(refused, Refused):
        return redirect("club-more", public_id)
    context = {
        **club_frame(of, "club-more"),
        "around": "shared/club_frame.html",
        "title": _("Nothing was deleted"),
        "back": reverse("club-more", args=[public_id]),
        **refused_shown(refused),
    }
    return render(request, "shared/refused.html", context, status=refused.status)


@require_safe
def export(request: Request, public_id: str) -> HttpResponseBase:
    """Downloads the club with everything in it as one JSON document."""
    of = access.club(request, public_id)
    whole = Export(
        kind="club",
        of=of,
        name=f"ofc-club-{timezone.localdate():%Y-%m-%d}.json",
        content_type="application/json",
        back=reverse("club-more", args=[public_id]),
        around="shared/club_frame.html",
        frame=club_frame(of, "club-more"),
    )
    return download(request, whole)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: Request, public_id: str) -> HttpResponse:
    """Deletes the club for good, once the host has typed its name."""
    of = access.club(request, public_id)
    name = club_title(of)
    context = {
        **club_frame(of, "club-more"),
        "name": name,
        "sessions": of.sessions.count(),
        "open": open_among(tabs_shown(of)),
        "typed": request.POST.get("name", ""),
        "started": of.started,
    }
    if request.method != "POST":
        return render(request, "club/delete.html", context)
    if " ".join(request.POST.get("name", "").split()) != " ".join(name.split()):
        wrong = problems({"": [_("That is not the club’s name. Nothing was deleted.")]})
        started = carried(request, UNPROCESSABLE, "started", of.started)
        return render(request, "club/delete.html", {**context, "started": started, **wrong}, status=UNPROCESSABLE)
    exported = [of.public_id, *of.sessions.values_list("public_id", flat=True)]
    refused = tried(None, lambda: club.erase(of, started=whole_number(request.POST.get("started"))))
    if isinstance(refused, Refused):
        return render(request, "club/delete.html", {**context, **refused_shown(refused)}, status=refused.status)
    for each in exported:
        making.forget(each)
    return redirect("home")
