"""Hands out exports, which processes of their own make: at once if that is quick, otherwise with a page that waits."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from scoring.access import limits
from scoring.exports import making
from scoring.models import Club, Session
from scoring.request import Request
from scoring.wording.phrases import later as _

WAIT: Final = "ofcscore.wait"
"""Where the WSGI environment has the server's `Wait`, by which a request waits without holding its thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export of a session or a club.

    ``name`` is that of the file; ``frame`` is the context of the page around it, ``around`` its template; ``back`` is
    the address of the page on which it was asked for; ``given`` is what else `making.make` needs.
    """

    kind: str
    of: Session | Club
    name: str
    content_type: str
    back: str
    around: str
    frame: Mapping[str, Any]
    given: str = ""


def download(request: Request, export: Export) -> HttpResponseBase:
    """The file, or the page that waits for it.

    A request that starts an export is answered when it is made, or after two seconds with that page. The page looks
    again each second, naming the export's token, and when it is made it starts the download. Outside of the server of
    `manage.py serve`, as in most tests, the export is made here and now.
    """
    kind, public_id = export.kind, export.of.public_id
    if WAIT not in request.META:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / kind
            making.make(kind, public_id, file, export.given, lambda _: None)
            return _file(request, export, file)
    around = {**export.frame, "around": export.around, "back": export.back}
    made = made_or_making(request, kind, public_id, export.given)
    if isinstance(made, making.Making):
        page = waiting(request, {**around, "what": _("Preparing your file.")}, made, f"?look&export={made.token}")
        page["Location"] = f"{request.path}?export={made.token}"
        return page
    if "look" not in request.GET:
        return _file(request, export, made)
    address = f"?export={made.suffix.removeprefix('.')}"
    page = render(request, "shared/download.html", {**around, "address": address})
    page["Refresh"] = f"0; url={address}"
    return page


def made_or_making(request: Request, kind: str, public_id: str, given: str) -> Path | making.Making:
    """The file, or what is making it, for which the server lets this request wait. The address may name its token."""
    wait = request.META[WAIT]
    token = wait.token or request.GET.get("export", "")
    made = making.made(kind, public_id, token)
    if made is not None:
        return made
    if wait.until is not None and wait.until.done():
        wait.until.result()  # raises what went wrong
    now = making.making(kind, public_id, token) or making.start(kind, public_id, given, limits.client(request))
    wait.token, wait.until = now.token, now.finished
    return now


def latest_or_making(request: Request, kind: str, public_id: str, given: str) -> Path | making.Making:
    """As `made_or_making`, for what is shown and not downloaded: always of what there is now, so no token is needed."""
    wait = request.META[WAIT]
    if wait.until is not None and wait.until.done():
        wait.until.result()  # raises what went wrong
    now = making.start(kind, public_id, given, limits.client(request))
    if now.finished.done():
        return now.file
    wait.until = now.finished
    return now


def waiting(request: Request, context: Mapping[str, Any], now: making.Making, again: str) -> HttpResponse:
    """The page that says how far something is, and looks again each second at the address ``again``.

    Its status is 202. So a program that asked for a file knows that this is none, and asks again.
    """
    page = render(request, "shared/download.html", {**context, "now": now, "again": again}, status=202)
    page["Refresh"], page["Retry-After"] = f"1; url={again}", "1"
    return page


def _file(request: Request, export: Export, file: Path) -> FileResponse:
    """The file as an attachment; its compressed copy, if there is one and the browser can unpack it.

    The encoding is always said, so that nothing compresses a large file on a thread that pages need.
    """
    packed = file.with_name(f"{file.name}.gz")
    unpacks = "gzip" in request.headers.get("Accept-Encoding", "")
    chosen = packed if unpacks and packed.exists() else file
    response = FileResponse(
        chosen.open("rb"), as_attachment=True, filename=export.name, content_type=export.content_type
    )
    response["Content-Encoding"] = "gzip" if chosen is packed else "identity"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
