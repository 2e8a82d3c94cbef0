"""What every response tells the browser about safety, in one readable block.

Django's own defaults, which tests hold us to, complete it: no framing, no sniffing of types,
a referrer and a window handle for our own pages only.
"""

import logging
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from csp.constants import NONE, SELF
from django.http import HttpRequest, HttpResponseBase

# Everything comes from here and nothing is inline, so that no name, note or comment
# typed at the table can ever run as script.
CONTENT_POLICY = {
    "default-src": [SELF],
    "object-src": [NONE],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}

# The scorer's phone may keep its screen on; no page asks for anything else.
PERMISSIONS_POLICY = ", ".join(
    [
        "screen-wake-lock=(self)",
        *(
            f"{feature}=()"
            for feature in (
                "accelerometer",
                "autoplay",
                "camera",
                "display-capture",
                "encrypted-media",
                "fullscreen",
                "geolocation",
                "gyroscope",
                "magnetometer",
                "microphone",
                "midi",
                "payment",
                "picture-in-picture",
                "publickey-credentials-get",
                "usb",
                "xr-spatial-tracking",
            )
        ),
    ]
)

_LINK = re.compile(r"(/l/)[^\s/'\"]+")


def kept_secret(path: Path) -> str:
    """The secret in this file, which only its owner may read; made, with its directory, if there is none yet.

    Two processes that start at once agree: the file appears whole, and the first one stays.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as whole:  # made readable by its owner alone
            whole.write(secrets.token_urlsafe(48) + "\n")
            whole.flush()
            with suppress(FileExistsError):
                path.hardlink_to(whole.name)
    return path.read_text().strip()


def permissions_policy_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: adds the one header for which neither Django nor django-csp has a setting."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["Permissions-Policy"] = PERMISSIONS_POLICY
        return response

    return middleware


def no_referrer_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: an address that lets somebody in is named to nobody, whatever a page answers to it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if _LINK.match(request.path_info):
            response["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def without_secrets(record: logging.LogRecord) -> bool:
    """Log filter: an address that lets somebody in is not written down."""
    message = record.getMessage()
    if "/l/" in message:
        record.msg, record.args = _LINK.sub(r"\1...", message), ()
    return True


def without_traceback(record: logging.LogRecord) -> bool:
    """Log filter: a refused request is one line, for the fault is not in our code."""
    record.exc_info = None
    return True
