"""What is sent to a group's chat: the page with the text and the picture, and the picture itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from unicodedata import east_asian_width

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.text import slugify

from scoring import reads
from scoring.access import limits, links
from scoring.exports import picture as pictures
from scoring.exports.picture import PORTRAIT
from scoring.game.outcome import Outcome
from scoring.models import Deal, Session
from scoring.request import TOO_MANY, UNAVAILABLE, Request, new_key, sent_key
from scoring.views.shared.address import whole
from scoring.views.shared.asking import Refused, refused_shown, tried
from scoring.views.shared.download import WAIT

LINE: Final = 32
"""So many letters have room in a line of the field on the narrowest phone."""


def page(request: Request, around: dict[str, Any], picture: str, text: Callable[[str], str]) -> HttpResponse:
    """The page with the picture at this address, and with the ``text``, which is given a link to put into it or none.

    ``around`` is the context of the page around it, with its template as ``around``, and ``session`` if a host may put
    a link to watch it into the text. A POST makes that link, whose secret is shown this once.
    """
    address, refused = "", None
    if request.method == "POST":
        made = tried(None, lambda: _watching(request, around["session"]))
        if isinstance(made, Refused):
            refused = made
        else:
            address = made
    said = text(address)
    context = {
        **around,
        "picture": picture,
        "size": PORTRAIT,
        "file": f"{slugify(around['what'])}.png",
        "text": said,
        "rows": 1 + sum(-(-max(_width(line), 1) // LINE) for line in said.split("\n")),
        "has_link": bool(address),
        "key": new_key(),
        **(refused_shown(refused) if refused else {}),
    }
    response = render(request, "shared/send.html", context, status=refused.status if refused else 200)
    if address:
        response["Cache-Control"] = "no-store"
    return response


def _width(line: str) -> int:
    """How many letters this is wide: a letter of Chinese or Japanese takes the room of two."""
    return sum(2 if east_asian_width(letter) in {"W", "F"} else 1 for letter in line)


def _watching(request: Request, session: Session) -> str:
    """Makes a link to watch the session, or finds the one that this form has made. Raises `LedgerError`."""
    key = sent_key(request)
    # The address is found first, so that no link is made if no address leads other phones here.
    address = whole(request, reverse("come-in", args=[links.secret_of(session.club, key)]))
    links.issue(club=session.club, session=session, role=links.Role.VIEWER, key=key, name="Sent round")
    return address


def outcome_of(deal: Deal) -> Outcome:
    """The hand as it counts now. Raises `Http404` for a void one, of which there is nothing to send."""
    stored = reads.stored_deal(deal)
    outcome = stored.outcome() if stored else None
    if outcome is None:
        raise Http404
    return outcome


def picture(request: Request, template: str, context: Callable[[], dict[str, Any]]) -> HttpResponse:
    """Draws what this template shows. Its address names the version, but a name can change without one.

    A process of its own draws it, for which the request waits without holding its thread; if it takes too long, it is
    asked to come again. Outside of the server of `manage.py serve`, as in most tests, it is drawn here and now.
    """
    svg = render_to_string(template, context())
    png, wait = pictures.drawn(svg, PORTRAIT), request.META.get(WAIT)
    if png is None and wait is not None and wait.token:
        return HttpResponse(status=UNAVAILABLE, headers={"Retry-After": "2"})
    is_new = png is None and not pictures.is_begun(svg, PORTRAIT)
    if is_new and not limits.pictures.allows(limits.client(request)):
        return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(limits.pictures.seconds)})
    if png is None and wait is not None:
        wait.token, wait.until = "drawn", pictures.begin(svg, PORTRAIT)
        return HttpResponse(status=204)  # nobody sees it
    if png is None:
        png = pictures.png(svg, PORTRAIT)
        pictures.keep(svg, PORTRAIT, png)
    response = HttpResponse(png, content_type="image/png", headers={"Cache-Control": "private, max-age=600"})
    patch_vary_headers(response, ["Accept-Language", "Cookie"])  # it has words in the reader's language
    return response
