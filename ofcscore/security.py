"""Security headers, the stored secret key, and the log filters that keep secrets out of logs.

Django's defaults complete the headers, and tests check them: no framing, no sniffing of content types, and a referrer
and a window handle for the app's own pages only.
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

# Everything comes from this server and nothing is inline, so that no name, note or comment
# typed at the table can ever run as a script.
CONTENT_POLICY = {
    "default-src": [SELF],
    "object-src": [NONE],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}

# The scorer's phone may keep its screen on; no page needs any other feature.
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
    """Reads the secret in a file that only its owner may read. Creates the file and its directory if needed.

    Two processes that start at once agree, because the file appears complete and the first one stays. Raises `OSError`.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as whole:  # created readable by its owner only
            whole.write(secrets.token_urlsafe(48) + "\n")
            whole.flush()
            with suppress(FileExistsError):
                path.hardlink_to(whole.name)
    return path.read_text().strip()


def permissions_policy_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: adds the Permissions-Policy, for which neither Django nor django-csp has a setting."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["Permissions-Policy"] = PERMISSIONS_POLICY
        return response

    return middleware


def no_referrer_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: keeps the secret address of a link out of the Referer header, whatever the response to it is."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if _LINK.match(request.path_info):
            response["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def without_secrets(record: logging.LogRecord) -> bool:
    """Log filter: replaces the secret in the address of a link with dots. Drops no record."""
    message = record.getMessage()
    if "/l/" in message:
        record.msg, record.args = _LINK.sub(r"\1...", message), ()
    return True


def without_traceback(record: logging.LogRecord) -> bool:
    """Log filter: cuts the traceback from a refused request, since the fault is not in this app. Drops no record."""
    record.exc_info = None
    return True
