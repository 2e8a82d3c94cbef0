"""Security headers, the stored secret key, and the log formatter that keeps secrets out of logs.

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

# The scorer's phone may keep its screen on, by a silent video where it has no lock; no page needs any other feature.
PERMISSIONS_POLICY = ", ".join(
    [
        "screen-wake-lock=(self)",
        "autoplay=(self)",
        *(
            f"{feature}=()"
            for feature in (
                "accelerometer",
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

# The start of a link's address in any spelling: slashes may be doubled or turned, anything may be encoded, even twice.
_ENCODED = "%(?:25)*"
_SLASH = rf"(?:[/\\]|{_ENCODED}(?:2f|5c))"
_LINK = re.compile(rf"{_SLASH}[^\S\n]*(?:l|{_ENCODED}[46]c)[^\S\n]*{_SLASH}", re.IGNORECASE)
_AFTER_LINK = re.compile(rf"({_LINK.pattern})\s*[^\n]*", re.IGNORECASE)
_LONG_WORD = re.compile(r"[\w-]{32,}", re.ASCII)


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


def keep_to_owner(*paths: Path) -> None:
    """Takes from everybody but their owner what they may do with these files and directories; missing ones are skipped.

    An earlier release left them open to everybody on the machine. What somebody else owns stays as its owner has it.
    """
    for path in paths:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            path.chmod(path.stat().st_mode & 0o700)


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
        if _LINK.search(request.path_info):
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        return response

    return middleware


class WithoutSecrets(logging.Formatter):
    """Puts dots in place of whatever follows the start of a link's address, and of any text that could be a secret."""

    def format(self, record: logging.LogRecord) -> str:
        """The finished line, with its traceback: an exception may quote an address, too."""
        return without_secrets(super().format(record))


def without_secrets(text: str) -> str:
    """The text with dots in place of what `WithoutSecrets` hides."""
    return _LONG_WORD.sub(_masked, _AFTER_LINK.sub(r"\1...", text))


def _masked(word: re.Match[str]) -> str:
    """Dots in place of a word that could be a secret, which mixes small and capital letters. No name in code does."""
    text = word[0]
    return text if text in (text.lower(), text.upper()) else "..."


def without_traceback(record: logging.LogRecord) -> bool:
    """Log filter: cuts the traceback from a refused request, since the fault is not in this app. Drops no record."""
    record.exc_info = None
    return True
