"""Logs as JSON, one object a line, in which each line of a request has its id."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from pythonjsonlogger.json import JsonFormatter

from ofcscore.security import without_secrets

HEADER: Final = "X-Request-ID"

_FIT: Final = re.compile(r"[0-9a-fA-F-]{8,64}")
"""Ids as proxies make them. They are hexadecimal, so that none can be mistaken for a secret, nor be one."""

_now: ContextVar[str] = ContextVar("request", default="")


def request_id_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: gives each request an id, or takes the one that a trusted proxy has given it, and answers with it.

    The id stays until the thread takes its next request, because Django logs an error after the last middleware.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "") if settings.TRUSTED_PROXIES else ""
        of = given if _FIT.fullmatch(given) else secrets.token_hex(8)
        _now.set(of)
        response = get_response(request)
        response[HEADER] = of
        return response

    return middleware


class Json(JsonFormatter):
    """A log line as one JSON object: ``at``, ``level``, ``logger``, ``message``, ``request`` and ``exc_info``.

    Secrets are masked in every text as `WithoutSecrets` masks them.
    """

    def __init__(self) -> None:
        super().__init__(
            "{asctime}{levelname}{name}{message}",
            style="{",
            rename_fields={"asctime": "at", "levelname": "level", "name": "logger"},
        )

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging's name
        """The time in UTC, as other programs read it."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Only the fields that every line may have: what else a record carries, such as a request, stays out."""
        own = ("at", "level", "logger", "message", "exc_info", "stack_info")
        line = {name: without_secrets(str(log_data[name])) for name in own if log_data.get(name)}
        return {**line, **({"request": _now.get()} if _now.get() else {})}
