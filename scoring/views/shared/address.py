"""The whole address of a page, as one sends it to somebody or shows it as a QR code."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

from ofcscore import network
from scoring.game.errors import LedgerError, refuse
from scoring.request import Request
from scoring.rules.phrase import Phrase


def whole(request: Request, path: str) -> str:
    """The address of this path for other phones. Raises `LedgerError` if none leads them here.

    A host who works at the server itself has come by a name such as localhost, which on any other phone means that
    phone. Then the address is the one by which the local network reaches this machine.
    """
    asked = (urlsplit(f"//{request.get_host()}").hostname or "").rstrip(".")
    if settings.HTTPS or not network.is_loopback(asked):
        return request.build_absolute_uri(path)
    if not network.is_loopback(request.META["REMOTE_ADDR"]):
        raise refuse(
            "no-address",
            "",
            Phrase(
                "This page was opened as “{name}”, but not on the machine that serves it, so the address at which "
                "phones reach it is not known. Open it by that address.",
                name=asked,
            ),
        )
    port = request.META["SERVER_PORT"]
    found = [address for address in network.answering(int(port)) if address in settings.ALLOWED_HOSTS]
    if not found:
        raise refuse(
            "no-address",
            "",
            Phrase(
                "No other phone can reach this machine now. Connect it to the local network, then start the server "
                "again."
            ),
        )
    return f"http://{found[0]}:{port}{path}"


def whole_or_none(request: Request, path: str) -> str:
    """As `whole`, but empty if no other phone can reach this server."""
    try:
        return whole(request, path)
    except LedgerError:
        return ""
