"""What the app keeps: whether there is anything yet, and the directory in which it writes."""

from __future__ import annotations

from pathlib import Path


def make_directory() -> None:
    """Makes the data directory and the server's key, unless they are there.

    Raises `ImproperlyConfigured` and `OSError`.
    """
    from django.conf import settings

    str(settings.SECRET_KEY)  # it is made, and looked at, when somebody first asks for it
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)


def refuse_none() -> None:
    """Raises `CommandError` if no start has made the tables yet. It makes no database and changes none."""
    from django.conf import settings
    from django.core.management import CommandError

    from ofcscore import database

    if not _are_there():
        where = database.where() if not settings.ON_SQLITE else settings.DATABASES["default"]["NAME"]
        raise CommandError(
            f"There are no data yet in {where}. Start the server once with `ofcscore serve`, or restore a backup."
        )


def refuse_another_release() -> None:
    """Raises `CommandError` if the tables are not those of this release.

    A command would ask for columns that are not there yet, or write what a later release does not allow.
    """
    from django.core.management import CommandError

    from ofcscore import starting
    from scoring import backup

    starting.refuse_newer()
    if backup.pending():
        raise CommandError(
            "The database is of an earlier release. Start the server once with `ofcscore serve`, which saves everything"
            " and upgrades it."
        )


def _are_there() -> bool:
    from django.conf import settings
    from django.db import connection

    if settings.ON_SQLITE:
        file = Path(settings.DATABASES["default"]["NAME"])
        if not file.exists() or not file.stat().st_size:  # to open it would make it, and to ask it would fill it
            return False
    with connection.cursor() as cursor:
        return "scoring_club" in connection.introspection.table_names(cursor)
