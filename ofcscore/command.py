"""The command `ofcscore`: what an operator needs, under names of its own, and everything of Django's under Django's."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from argparse import Namespace

    from django.core.management.base import BaseCommand

# Django is imported where it is needed: Ctrl-C during these imports would end in a traceback.

OWN: Final = {
    "check": [["audit_ledger"], ["rescore", "--check"]],
    "host-link": [["host_link"]],
}
"""Which of Django's commands each name stands for, one after the other. All other names are Django's."""

NEED_DATA: Final = {
    "audit_ledger", "backup", "changepassword", "createsuperuser", "demo", "drill", "drop_idle", "export", "host_link",
    "notices", "rescore",
}  # fmt: skip
"""The commands, under their names of Django's, that can do nothing before a first start."""

OF_ANY_RELEASE: Final = {"backup", "drill"}
"""Those of them that take the database of an earlier release as it is."""

ONLY_PRINT: Final = {"export_openapi_schema", "score", "unit"}

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
    os.environ["DJANGO_SETTINGS_MODULE"] = "ofcscore.settings"  # a shell may name those of another app
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
        _serve(rest)
        return
    from django.core.management import execute_from_command_line

    commands = [[*command, *rest] for command in OWN.get(name, [[name]])]
    for command in commands:
        get_ready(command)
    signal.signal(signal.SIGTERM, _terminated)
    _stop_surely()
    for command in commands:
        execute_from_command_line(["ofcscore", *command])


def get_ready(arguments: Sequence[str]) -> None:
    """What comes before one of Django's commands is run, here and in `manage.py`. Raises `CommandError`."""
    import django

    from ofcscore import data, database

    name, *rest = arguments or [""]
    if name in {"", "version"} or not {"-h", "--help", "--version"}.isdisjoint(arguments):
        return
    django.setup()
    if name == "help":
        for each in rest[:1]:
            _command(each)
        return
    _parsed(_command(name), name, rest)
    if name in ONLY_PRINT or name == "serve":
        return
    database.without_pool()
    if name in NEED_DATA:
        data.refuse_none()
        if name not in OF_ANY_RELEASE:
            data.refuse_another_release()
    data.make_directory()


def _command(name: str) -> BaseCommand:
    """The command of this name of Django's. Raises `CommandError`."""
    from difflib import get_close_matches

    from django.core.management import CommandError, get_commands, load_command_class

    known = get_commands()
    if name not in known:
        meant = "".join(f" Did you mean {each}?" for each in get_close_matches(name, [*known, *OWN], n=1))
        raise CommandError(f"There is no command {name}.{meant} Type `ofcscore --help` to see what there is.")
    return load_command_class(known[name], name)


def _parsed(command: BaseCommand, name: str, arguments: Sequence[str]) -> Namespace:
    """What these arguments of the command mean. Raises `CommandError`, where Django would print all that it takes."""
    from django.core.management import CommandError

    try:
        return command.create_parser("ofcscore", name).parse_args([*arguments])
    except CommandError as error:
        wrong = str(error).removeprefix("Error: ").rstrip(".")
        raise CommandError(f"{name}: {wrong}. Add --help to see what it takes.") from error


class _TerminatedError(SystemExit):
    """The end of a command that systemd stops."""


def _terminated(number: int, frame: object) -> NoReturn:
    """Ends a command that systemd stops as Ctrl-C would, so that it removes what it has half made."""
    raise _TerminatedError(128 + number)


def _stop_surely() -> None:
    """Sends a signal to stop once more if it came while Python cleaned up after an object.

    What is raised there is lost: Python reports it, and goes on.
    """

    def lost(what: sys.UnraisableHookArgs) -> None:
        if isinstance(what.exc_value, KeyboardInterrupt | _TerminatedError):
            number = signal.SIGTERM if isinstance(what.exc_value, SystemExit) else signal.SIGINT
            Timer(0.05, os.kill, (os.getpid(), number)).start()  # when this has returned
        else:
            sys.__unraisablehook__(what)

    sys.unraisablehook = lost


STOPPED: Final = "Stopped."
INTERRUPTED: Final = 130
"""The exit status of what somebody has stopped with Ctrl-C."""


@contextmanager
def plainly(stopped: str = STOPPED) -> Iterator[None]:
    """Lets what an operator can mend end in one line: settings, a directory, a disk, a database that do not work.

    So does Ctrl-C, with the line ``stopped``.
    """
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write(f"\n{stopped}\n" if sys.stderr.isatty() else f"{stopped}\n")  # a terminal shows ^C before it
        sys.exit(INTERRUPTED)
    except _TerminatedError:
        sys.stderr.write(f"{STOPPED}\n")
        raise
    except Exception as error:
        line = _line(error)
        if not line:
            raise
        sys.exit(line)


def _line(error: Exception) -> str:
    """What an operator reads of this error; empty if it is none of theirs."""
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import CommandError
    from django.db import DatabaseError, DataError, IntegrityError, InterfaceError
    from environs import EnvError

    if isinstance(error, EnvError):
        return _variable(str(error))
    if isinstance(error, ImproperlyConfigured | CommandError):
        return str(error)
    if isinstance(error, OSError):
        return f"{said(error)}: {error.filename}." if error.filename else f"{said(error)}."
    if isinstance(error, InterfaceError | DatabaseError) and not isinstance(error, DataError | IntegrityError):
        from django.conf import settings

        from ofcscore import database
        from scoring.transactions import is_disk_full

        if not settings.ON_SQLITE:
            return database.refusal(error)
        if is_disk_full(error):
            return f"{NO_ROOM}: {settings.DATABASES['default']['NAME']}."
        if getattr(error.__cause__, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
            from ofcscore import starting

            try:
                starting.refuse_unwritable()
            except CommandError as refusal:
                return str(refusal)
        return f"The database cannot be used: {_first_line(error)}. Look at DATA_DIR or DATABASE_URL."
    return ""


def _variable(complaint: str) -> str:
    """The variable that cannot be read, its value unless that may hold a password, and what is wanted."""
    found = re.search(r'Environment variable "(\w+)" invalid: \[?(.*?)\]?$', complaint, re.DOTALL)
    if not found:
        return complaint
    name, wanted = found[1], found[2].strip("'\"").rstrip(".")
    value = "" if name.endswith(("_URL", "_KEY", "_TOKEN", "_CODE")) else f"={os.environ.get(name, '')[:200]}"
    return f"{name}{value} says nothing that can be used: {wanted[:1].lower()}{wanted[1:]}. See docs/configuration.md."


def said(error: OSError) -> str:
    """What is wrong with a file or a directory, and what to do."""
    from ofcscore.data import FULL

    if error.errno in FULL:
        return NO_ROOM
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return _without_rights(error.filename)
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return "There is a file where a directory must be. Move it, or name another directory in DATA_DIR"
    return error.strerror or type(error).__name__


NO_ROOM: Final = "The disk is full. Make room and start again"


def _without_rights(name: str | None) -> str:
    if name and os.access(name, os.F_OK) and not os.access(name, os.R_OK):
        return "This cannot be read. Change its rights"
    return "This cannot be written. Change its rights, or name another directory in DATA_DIR"


def _first_line(error: BaseException) -> str:
    """What the database says itself."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def _serve(options: Sequence[str]) -> None:
    """Looks whether the server may start, makes what it needs, and serves.

    What would refuse the start is looked at once, before anything is made or changed, and holds until it serves.
    """
    with plainly("Stopped before it served. Nothing is half done: the next start makes what is missing."):
        import django

        django.setup()
        from scoring.management.commands.serve import Command

        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C, until it serves
        _stop_surely()
        command = Command(make=_make)
        chosen = vars(_parsed(command, "serve", options))
        command.execute(*chosen.pop("args", ()), **chosen)


def prepare() -> None:
    """Makes what a server needs that is started by itself, as those of tests and benchmarks are."""
    import django

    django.setup()
    from ofcscore import starting

    with starting.allowed():
        _make()


def _make() -> None:
    """Makes what the server needs before it serves: the tables of the database, and the files that it hands out.

    Before a later release changes tables that have rows, everything is saved in a backup. The files are made again only
    for another version of an installed app; a checkout makes its own when they change.
    """
    from django.conf import settings
    from django.core.management import CommandError, call_command

    from ofcscore import __version__

    _migrate()
    made_for, made = settings.STATIC_ROOT / "made-for", settings.STATIC_ROOT / "staticfiles.json"
    if not made.exists() or (settings.INSTALLED and (not made_for.exists() or made_for.read_text() != __version__)):
        try:
            call_command("collectstatic", "--clear", "--no-input", verbosity=0)
        except BaseException:
            made.unlink(missing_ok=True)  # it may be there before the last of the files is
            raise
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
        backup.note("backup", lambda line: sys.stderr.write(f"{line}\n"))
        sys.stdout.write(f"Everything was saved in {file} before this release changes the database.\n")
        sys.stdout.write(
            "To go back: install the release from before, and restore that file into a new database. 0.1.0 cannot"
            " restore: go back by a copy of DATA_DIR, as docs/upgrading.md says.\n"
        )
    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main()
