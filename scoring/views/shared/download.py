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

from scoring.exports import making
from scoring.models import Club, Session
from scoring.request import Request

WAIT: Final = "ofcscore.wait"
"""Where the WSGI environment has the server's `Wait`, by which a request waits without holding its thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export of a session or a club.

    ``name`` is that of the file; ``frame`` is the context of the page around it, ``around`` its template; ``back`` is
    the address of the page on which it was asked for.
    """

    kind: str
    of: Session | Club
    name: str
    content_type: str
    back: str
    around: str
    frame: Mapping[str, Any]
    verifier: str = ""


def download(request: Request, export: Export) -> HttpResponseBase:
    """The file, or the page that waits for it.

    A request that starts an export is answered when it is made, or after two seconds with that page. The page looks
    again each second, naming the export's token, and when it is made it starts the download. Outside of the server of
    `manage.py serve`, as in most tests, the export is made here and now.
    """
    wait = request.META.get(WAIT)
    kind, public_id = export.kind, export.of.public_id
    if wait is None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / kind
            making.make(kind, public_id, file, export.verifier, lambda _: None)
            return _file(request, export, file)
    token = wait.token or request.GET.get("export", "")
    made = making.made(kind, public_id, token)
    if made is not None:
        return _page(request, export, token) if "look" in request.GET else _file(request, export, made)
    if wait.until is not None and wait.until.done():
        wait.until.result()  # raises what went wrong
    now = making.making(kind, public_id, token) or making.start(kind, public_id, export.verifier)
    wait.token, wait.until = now.token, now.finished
    return _page(request, export, now.token, now)


def _page(request: Request, export: Export, token: str, now: making.Making | None = None) -> HttpResponse:
    """The page that waits; without ``now`` it says that the export is made, and starts the download."""
    context = {**export.frame, "around": export.around, "back": export.back, "token": token, "now": now}
    page = render(request, "shared/download.html", context)
    page["Refresh"] = f"1; url=?look&export={token}" if now else f"0; url=?export={token}"
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
