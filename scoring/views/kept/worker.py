"""The service worker, and the page that it shows while there is no connection."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

HTMX = "django_htmx/htmx-2.min.js"
LEFT_OUT = frozenset({"verify/verify.js", "worker.js", "worker-gone.js", "awake.mp4", "awake.webm"})
"""Scripts that no page loads by an address of their own, and the video of pages that have no worker."""
SHOWN = "shown/"
"""Where the pictures are that the manifest shows to anyone who installs the app."""
WORDS = ("words/", "pad/words/", "verify/words/")
"""Where the words of all languages are. A phone keeps those of its own, which `offline.html` names."""


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The worker of this release, or the one that takes leave where the operator wants none.

    Browsers ask for it whenever a page is opened, and install it if a byte has changed.
    """
    return HttpResponse(
        working() if settings.SERVICE_WORKER else source("worker-gone.js"),
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": "no-cache"},
    )


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that phones keep for an address that they cannot reach."""
    return render(request, "kept/offline.html")


@cache
def working() -> str:
    """The worker with the addresses of the files that it keeps, and a version that changes with what is in them."""
    joined = getattr(staticfiles_storage, "joined", [])
    names = [HTMX, *sorted(own_files() - LEFT_OUT)]
    contents = sha256()
    for name in names:
        contents.update(name.encode() + content(name))
    release = {
        "version": contents.hexdigest()[:12],
        "files": [static(name) for name in names if name not in joined and not name.startswith(WORDS)],
        "assets": settings.STATIC_URL,
        "offline": reverse("offline"),
    }
    return f"self.release = {json.dumps(release)};\n{source('worker.js')}"


def own_files() -> set[str]:
    """The names of the app's own static files."""
    root = settings.BASE_DIR / "static"
    names = {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}
    return {name for name in names if not name.startswith(SHOWN)}


def content(name: str) -> bytes:
    """What is in a static file, as it was written."""
    return Path(str(finders.find(name))).read_bytes()


@cache
def source(name: str) -> str:
    """A script without its lines of comment."""
    lines = content(name).decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith("//"))
