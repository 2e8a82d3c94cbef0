"""The path below which the app stands where its host's name has other apps, too, such as ``/ofc``."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote, unquote_to_bytes

from django.core.exceptions import ImproperlyConfigured

from ofcscore.pages import Application, Message, Receive, Send

OWN: Final = frozenset(
    {
        "admin", "api", "c", "check", "demo", "forget", "healthz", "l", "language", "metrics", "new", "offline",
        "readyz", "rules", "s", "static", "sw.js", "verify",
    }
)  # fmt: skip
"""How the app's own addresses begin. A prefix that began so could not be told from them."""

_FIT: Final = re.compile(r"(?:/[A-Za-z0-9][A-Za-z0-9._~-]*)*")


def checked(given: str) -> str:
    """The prefix without a slash at its end; empty at the root of the host. Raises `ImproperlyConfigured`."""
    prefix = given.removesuffix("/")
    if not _FIT.fullmatch(prefix):
        raise ImproperlyConfigured(
            f"URL_PREFIX={given} is no path such as /ofc. Begin it with a slash, and use letters, digits, '-', '.',"
            " '_' and '~'."
        )
    if prefix and prefix.split("/")[1] in OWN:
        raise ImproperlyConfigured(f"URL_PREFIX={given} begins as an address of the app itself. Choose another path.")
    return prefix


def below(prefix: str, app: Application) -> Application:
    """An ASGI application that passes requests on to ``app`` without the prefix, which the proxy has left there.

    A request without it is passed on as it is: from a monitor that asks no proxy, or from a proxy that takes it away.
    """
    if not prefix:
        return app
    before = prefix.encode()

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        path = unquote_to_bytes(scope.get("raw_path", b""))
        if path == before:
            await send(_to_its_root(prefix, scope["query_string"]))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if path.startswith(before + b"/"):
            rest = quote(path.removeprefix(before))
            scope = {**scope, "path": unquote(rest), "raw_path": rest.encode()}
        await app(scope, receive, send)

    return application


def _to_its_root(prefix: str, query: bytes) -> Message:
    """The way to the start page. Cookies are for what is below the prefix, so no page may be at the prefix itself."""
    to = prefix.encode() + b"/" + (b"?" + query if query else b"")
    return {
        "type": "http.response.start",
        "status": 302,
        "headers": [(b"location", to), (b"content-length", b"0"), (b"cache-control", b"no-store")],
    }
