"""What the app keeps: whether there is anything yet, and the directory in which it writes."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

FULL: Final = {errno.ENOSPC, errno.EDQUOT}
"""The errors of a disk that has no room, and of an owner who has used up theirs."""

ROOM: Final = 64 * 1024
"""So many bytes at least have to be free: SQLite asks for 32 KiB at once."""


def make_directory() -> None:
    """Makes the data directory and the server's key, unless they are there.

    Raises `ImproperlyConfigured` and `OSError`.
    """
    from django.conf import settings

    str(settings.SECRET_KEY)  # it is made, and looked at, when somebody first asks for it
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)


def refuse_full_disk(directory: Path) -> None:
    """Raises `OSError` if next to nothing can be written into this directory."""
    try:
        with tempfile.TemporaryFile(dir=directory) as file:
            file.write(bytes(ROOM))
            file.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(directory)) from error


def refuse_elsewhere(file: Path) -> None:
    """Raises `ImproperlyConfigured` if the data are not in this file of SQLite, but where earlier releases kept them.

    Those took the path for a part of a URL, in which `#`, `?` and `%41` mean something else.
    """
    earlier = Path(unquote(urlsplit(f"sqlite:///{file}").path[1:]))
    if earlier != file and not file.exists() and _is_of_sqlite(earlier):
        raise ImproperlyConfigured(
            f"An earlier release kept the database in {earlier}. Move that file, and those beside it that end in -wal"
            f" and -shm, to {file}."
        )


def _is_of_sqlite(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


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
