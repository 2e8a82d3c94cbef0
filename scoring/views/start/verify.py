"""Lets anybody check a record: a page that needs no server once it is saved, and a script for Python."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import quote

from csp.constants import HEADER, NONE
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from scoring.ledger import chain
from scoring.texts import get_language

_STATIC: Final = settings.BASE_DIR / "static"
_IMPORT_OR_EXPORT: Final = re.compile(r"(?m)^(?:import .*\n|export )")


class VerifyPage(NamedTuple):
    """The page with everything that it needs, and the policy that lets it run that and nothing else."""

    html: str
    policy: str


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Shows the page that checks records in the browser. No record is sent here."""
    page = verify_page(get_language())
    return HttpResponse(page.html, headers={HEADER: f"{page.policy}; frame-ancestors {NONE}"})


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """Downloads the script that checks records."""
    return HttpResponse(
        (settings.BASE_DIR / "scripts" / "verify").read_bytes(),
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="verify.py"'},
    )


@cache
def verify_page(language: str) -> VerifyPage:
    """The page in the language that is spoken. A saved copy has no headers, so the page itself has the policy, too."""
    style = "".join((_STATIC / name).read_text() for name in ("app.css", "pages.css"))
    program = _program(language)
    policy = "; ".join(
        [
            f"default-src {NONE}",
            f"style-src {_digest(style)}",
            f"script-src {_digest(program)}",
            "img-src data:",  # the icon
            f"base-uri {NONE}",
            f"form-action {NONE}",
        ]
    )
    context = {
        "policy": policy,
        "style": style,
        "program": program,
        "icon": f"data:image/svg+xml,{quote((_STATIC / 'icon.svg').read_text())}",
        "words": chain.words(),
    }
    return VerifyPage(render_to_string("start/verify.html", context), policy)


def _program(language: str) -> str:
    """The script as one module, with what it imports and with the words of its language before it."""
    words = _STATIC / "verify" / "words" / f"{language}.js"
    parts = [words.read_text()] if words.exists() else []  # English stands in the script
    parts += [_IMPORT_OR_EXPORT.sub("", (_STATIC / name).read_text()) for name in ("words.js", "verify/verify.js")]
    return "".join(parts)


def _digest(text: str) -> str:
    """The source by which a policy allows this text inline."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
