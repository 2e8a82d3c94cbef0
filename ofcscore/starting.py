"""What is looked at before the server starts, so that it refuses in one line what would go wrong in the middle."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import CommandError
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.timezone import localtime

from ofcscore import data, database
from scoring import live, reads

AHEAD: Final = timedelta(minutes=5)
"""So far the clocks of two servers may differ."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that has this port. Raises `CommandError`."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (PermissionError, OverflowError) as error:
        raise CommandError(f"Port {port} is not to be had. Name one from 1024 to 65535 with --port.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is in use. Stop the program that uses it, or name another port with --port."
            ) from error
        reason = str(error.strerror).partition(" (while ")[0]  # Python adds what it attempted
        raise CommandError(f"The server cannot listen at {host}: {reason}. Look at --host.") from error


@contextmanager
def held(host: str, port: int, *, despite_clock: bool) -> Iterator[socket.socket]:
    """The socket of a server that may start, until the server ends. Raises `CommandError` before anything is changed.

    Clients that connect while the server is prepared wait in the socket's queue.
    """
    with bound(host, port) as listener, allowed(despite_clock=despite_clock):
        yield listener


@contextmanager
def allowed(*, despite_clock: bool = False) -> Iterator[None]:
    """A server may start in this block, and no other one can. Raises `CommandError`."""
    refuse(despite_clock=despite_clock)
    with alone():
        yield


@contextmanager
def alone() -> Iterator[None]:
    """Makes sure that no other server uses the same SQLite file. Raises `CommandError`.

    Each process would tell only its own phones of a change at once. PostgreSQL tells all processes.
    """
    if not settings.ON_SQLITE or sys.platform == "win32":
        yield
        return
    import fcntl  # exists on Unix only

    file = Path(settings.DATABASES["default"]["NAME"])
    if not file.parent.is_dir():
        raise CommandError(f"There is no directory {file.parent}. Make it, or name another file in DATABASE_URL.")
    with file.with_name(f"{file.name}-served").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(
                f"Another server uses {file}. Stop it, or set DATABASE_URL to PostgreSQL, which several may use."
            ) from error
        yield


def refuse(*, despite_clock: bool) -> None:
    """Raises `CommandError` or `OSError` for what the disk or the database says against a start.

    It changes nothing, and makes nothing but the data directory with the server's key.
    """
    if not settings.ON_SQLITE or Path(settings.DATABASES["default"]["NAME"]).exists():
        refuse_unwritable()
        database.look()
        refuse_newer()
        refuse_other_notices()
        refuse_past(despite=despite_clock)
    data.make_directory()
    data.refuse_full_disk(settings.DATA_DIR)


def refuse_unwritable() -> None:
    """Raises `CommandError` if rights let this process only read an SQLite file, one beside it, or its directory.

    It would serve every page then, and settle no hand.
    """
    if not settings.ON_SQLITE:
        return
    file = Path(settings.DATABASES["default"]["NAME"])
    beside = [file.with_name(file.name + ending) for ending in ("-wal", "-shm")]
    for each in (file, *(each for each in beside if each.exists()), file.parent):
        if not os.access(each, os.W_OK):
            can = "be read, but not written" if os.access(each, os.R_OK) else "neither be read nor written"
            raise CommandError(f"This can {can}. Change its rights, or name another place: {each}.")


def refuse_newer() -> None:
    """Raises `CommandError` if a later release has migrated the database."""
    loader = MigrationLoader(connection)
    applied, known = set(loader.applied_migrations), set(loader.disk_migrations)
    ours = {app for app, _ in known}
    unknown = sorted(".".join(each) for each in applied - known if each[0] in ours)
    if unknown:
        raise CommandError(
            f"The database is newer than this release, which does not know {unknown[-1]}. Install the release that"
            " made it, or restore a backup from before."
        )


def refuse_past(*, despite: bool) -> None:
    """Raises `CommandError` if the ledger or a tab has an entry from the future, because then the clock is wrong.

    The entries of the evening would be out of order, and links and streams would end at the wrong time.
    """
    for newest in (reads.newest, reads.newest_on_tabs):
        moment = None
        with suppress(OperationalError, ProgrammingError):  # a table that no migration has made yet holds no entry
            moment = newest()
        if moment is not None and moment > timezone.now() + AHEAD and not despite:
            raise CommandError(
                f"The clock says {localtime():%Y-%m-%d %H:%M}, but the ledger has an entry of"
                f" {localtime(moment):%Y-%m-%d %H:%M}. Set the clock, or start with --despite-clock if that entry is"
                " wrong."
            )


def refuse_other_notices() -> None:
    """Raises `CommandError` if other processes tell of changes in another way, and would not hear this one."""
    if live.agrees():
        return
    ours = "NOTICES_URL" if settings.NOTICES_URL else "PostgreSQL"
    theirs = "NOTICES_URL" if live.by_a_server() else "PostgreSQL"
    way = f"{theirs}, and this one would by {ours}" if ours != theirs else "another server than that of its NOTICES_URL"
    raise CommandError(
        f"The processes on this database tell each other of changes by {way}. Give all of them the same NOTICES_URL,"
        " or none, and make it theirs with `ofcscore notices`."
    )
