"""The command `ofcscore`: what an operator needs, under names of its own, and everything of Django's under Django's."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, OperationalError
from environs import EnvError

from ofcscore import database

OWN: Final = {
    "check": [["audit_ledger"], ["rescore", "--check"]],
    "host-link": [["host_link"]],
}
"""Which of Django's commands each name stands for, one after the other. All other names are Django's."""

USAGE: Final = """\
ofcscore settles live Open Face Chinese poker.

  ofcscore                 serve this machine and the local network, and print the addresses
  ofcscore serve           the same; --port and --host say where
  ofcscore score           score a document from standard input
  ofcscore check           check every promise of the ledger, and settle every hand again
  ofcscore backup FILE     write everything into one new file, while the server runs
  ofcscore unit            print a unit for systemd, and with `backup` and `timer` those of a nightly backup
  ofcscore restore FILE    fill an empty database from such a file, and check all of it
  ofcscore drill           show that a backup can be restored, and remove it again
  ofcscore host-link       make a host's link to a club, or to a new one
  ofcscore notices         make the NOTICES_URL of this environment, or none, that of all processes
  ofcscore demo            make the demo anew with --anew; DEMO=0 does without
  ofcscore help            list everything else, which is Django's

Data are in {data}; DATA_DIR names another directory.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command. Without any it serves. The exit status is that of the first part that fails."""
    with plainly():
        _run(sys.argv[1:] if arguments is None else arguments)


def _run(arguments: Sequence[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofcscore.settings")
    from django.core.management import execute_from_command_line

    name, *rest = arguments or ["serve"]
    if name in {"--version", "-V"}:
        from ofcscore import __version__

        sys.stdout.write(f"ofcscore {__version__}\n")
        return
    if name in {"-h", "--help"}:
        from django.conf import settings

        sys.stdout.write(USAGE.format(data=settings.DATA_DIR))
        return
    if name == "serve":
        prepare(rest)
    get_ready(name)
    for command in OWN.get(name, [[name]]):
        execute_from_command_line(["ofcscore", *command, *rest])


def get_ready(name: str) -> None:
    """What comes before a command of this name is run, here and in `manage.py`."""
    if name != "serve":
        database.without_pool()


@contextmanager
def plainly() -> Iterator[None]:
    """Lets what an operator can mend end in one line: settings, a directory, a disk, a database that do not work."""
    try:
        yield
    except (ImproperlyConfigured, EnvError) as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{said(error)}: {error.filename}." if error.filename else f"{said(error)}.")
    except (InterfaceError, OperationalError) as error:
        from django.conf import settings

        if not settings.ON_SQLITE:
            sys.exit(database.refusal(error))
        sys.exit(f"The database cannot be used: {_first_line(error)}. Look at DATA_DIR or DATABASE_URL.")


def said(error: OSError) -> str:
    """What is wrong with a file or a directory, and what to do."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return "The disk is full. Make room and start again"
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return "This cannot be written. Change its rights, or name another directory in DATA_DIR"
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return "There is a file where a directory must be. Move it, or name another directory in DATA_DIR"
    return error.strerror or type(error).__name__


def _first_line(error: BaseException) -> str:
    """What the database says itself."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def prepare(options: Sequence[str] = ("--port", "0")) -> None:
    """Makes what the server needs before it starts: the tables of the database, and the files that it hands out.

    A start with these options of `serve` that would be refused is refused before anything is made or changed.
    Before a later release changes tables that have rows, everything is saved in a backup. The files are made again only
    for another version of an installed app; a checkout makes its own when they change.
    """
    import django
    from django.conf import settings
    from django.core.management import CommandError, call_command

    from ofcscore import __version__

    django.setup()
    from ofcscore import starting
    from scoring.management.commands.serve import Command

    chosen = Command().create_parser("ofcscore", "serve").parse_args([*options])
    try:
        starting.bound(chosen.host, chosen.port).close()
        starting.refuse(despite_clock=chosen.despite_clock)
        with starting.alone():
            _migrate()
    except CommandError as refusal:
        sys.exit(str(refusal))
    made_for = settings.STATIC_ROOT / "made-for"
    is_made = (settings.STATIC_ROOT / "staticfiles.json").exists()
    if not is_made or (settings.INSTALLED and (not made_for.exists() or made_for.read_text() != __version__)):
        call_command("collectstatic", "--clear", "--no-input", verbosity=0)
        made_for.write_text(__version__)
    try:
        call_command("demo", verbosity=0)
    except CommandError as refusal:  # whoever plays needs no demo
        sys.stderr.write(f"{refusal}\n")


def _migrate() -> None:
    """Migrates the database, after a backup if it has rows already and is of an earlier release."""
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    from ofcscore import __version__
    from scoring import backup

    if backup.pending() and not backup.is_empty():
        folder = settings.DATA_DIR / "backups"
        folder.mkdir(exist_ok=True)
        file = folder / f"before-{__version__}-{timezone.now():%Y%m%d-%H%M%S}.zip"
        try:
            backup.write(file, __version__)
        except backup.BackupError as refusal:
            sys.exit(str(refusal))
        backup.note("backup")
        sys.stdout.write(f"Everything was saved in {file} before this release changes the database.\n")
        sys.stdout.write(
            "To go back: install the release from before, and restore that file into a new database. 0.1.0 cannot"
            " restore: go back by a copy of DATA_DIR, as docs/upgrading.md says.\n"
        )
    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main()
