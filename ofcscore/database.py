"""PostgreSQL as an operator names it: what its address asks of the driver, and in one line why it lets nobody in."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

SECONDS: Final = 5
"""So long each address of a server is tried, unless ``connect_timeout`` in its URL says otherwise."""


def options(variable: str, address: dict[str, Any]) -> dict[str, Any]:
    """What the URL in this variable asks of the driver behind its question mark. Raises `ImproperlyConfigured`.

    One that the driver does not know would only be found out when it connects, or, if it was dropped, never.
    """
    asked = address.get("OPTIONS", {})
    if not address["NAME"] and "service" not in asked:
        raise ImproperlyConfigured(f"{variable} names no database: write postgres://user:password@host:port/name.")
    known = _defaults()
    for name, value in asked.items():
        if name not in known:
            raise ImproperlyConfigured(f"{variable} asks for {name}, which is no option of a connection to PostgreSQL.")
        if isinstance(value, list):
            raise ImproperlyConfigured(f"{variable} has {name} more than once.")
    return {"connect_timeout": SECONDS, **asked}


def without_pool() -> None:
    """Lets this process open connections one by one: a command needs one, and its driver says why it gets none.

    A pool goes on trying, and says in the end only that it has waited.
    """
    from django.conf import settings

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)


def look() -> None:
    """Raises `CommandError` if the PostgreSQL of the environment does not let this process in, or lets it only read.

    A server on a copy that follows another one would serve every page, and settle no hand.
    """
    import psycopg
    from django.conf import settings
    from django.core.management import CommandError

    if settings.ON_SQLITE:
        return
    named = {"DATABASE_URL": own(), **({"DIRECT_DATABASE_URL": direct()} if settings.DIRECT_DATABASE else {})}
    for variable, terms in named.items():
        try:
            with psycopg.connect(**terms) as asked:
                writes = asked.execute("SELECT current_setting('transaction_read_only') = 'off'").fetchone()
        except psycopg.Error as error:
            raise CommandError(refusal(error, variable, terms)) from error
        if writes != (True,):
            raise CommandError(
                f"PostgreSQL at {_where(terms)} can be read, but not written. Let {variable} name a server that"
                " follows no other one, and a role that may write: look at default_transaction_read_only."
            )


def own() -> dict[str, Any]:
    """What the driver needs for a connection of the app."""
    from django.db import connection

    database: Any = connection
    return _for_the_driver(database)


def direct() -> dict[str, Any]:
    """What the driver needs for a connection past every pooler."""
    from django.conf import settings
    from django.db import connection

    if not settings.DIRECT_DATABASE:
        return own()
    from django.db.backends.postgresql.base import DatabaseWrapper

    return _for_the_driver(DatabaseWrapper({**connection.settings_dict, **settings.DIRECT_DATABASE}))


def _for_the_driver(database: Any) -> dict[str, Any]:
    given = database.get_connection_params()
    ours = {"context", "cursor_factory", "prepare_threshold"}  # these are for Django's own connections
    return {name: given[name] for name in given if name not in ours}


def refusal(error: Exception, variable: str = "DATABASE_URL", terms: dict[str, Any] | None = None) -> str:
    """One line for an operator whose PostgreSQL cannot be used: where it is, what it says, and what to look at."""
    where = _where(own() if terms is None else terms)
    return f"PostgreSQL at {where} cannot be used: {_said(error)}. Look at {variable}."


def where() -> str:
    """The name of the app's database, and where it is."""
    terms = own()
    return f"{terms.get('dbname') or terms.get('service')} at {_where(terms)}"


def _where(terms: dict[str, Any]) -> str:
    whole = {**_defaults(), **terms}
    host = str(whole["host"] or whole["hostaddr"] or "its local socket")
    return f"[{host}]:{whole['port']}" if ":" in host else f"{host}:{whole['port']}"


def _said(error: Exception) -> str:
    """What a server says itself, if one of its addresses has answered, or what happened at the last of them."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    line = re.sub(r"\[Errno -?\d+\] ", "", next((each for each in lines if "FATAL: " in each), lines[0]))
    return line.rpartition(" failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")


def _defaults() -> dict[str, str]:
    """Every option of a connection, with what the driver takes if nobody names it."""
    from psycopg.pq import Conninfo

    return {each.keyword.decode(): (each.val or each.compiled or b"").decode() for each in Conninfo.get_defaults()}
