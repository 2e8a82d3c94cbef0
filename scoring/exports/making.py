"""Makes exports, and what else takes long, in processes of their own, so that it holds up nobody who plays.

Each export is a file in `EXPORT_DIR`, made from one snapshot and complete once it has its name. A server process
remembers the ones that it is making. Any process that shares the directory finds the files, and deletes old ones.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Semaphore, Thread, Timer
from typing import Final

from django.conf import settings
from django.db.models import Count, F, Max, Sum

from scoring import reads
from scoring.exports import club_document, club_workbook, paper, record, workbook
from scoring.models import BoardResult, Club, Link, Player, Session, Total, Transfer
from scoring.rules.houserules import HouseRules, resolve
from scoring.texts import get_language
from scoring.transactions import snapshot

KEPT_FOR: Final = 60 * 60
"""Seconds after which a file is deleted."""

AT_ONCE: Final = 2
"""The most processes that make exports at once; further exports wait for them."""

NO_ROOM: Final = 73
"""The status with which the command `export` ends if the disk is full."""

LONGEST: Final = 15 * 60
"""Seconds after which an export that is not made is given up, or one that hangs would keep its place for ever."""

WAITING: Final = 4
"""So many exports of one kind, of one session or club, may be unfinished, each for a part, a language, an address."""
WAITING_FOR_ONE: Final = 6
"""So many that one client asked for may be unfinished, so that nobody keeps those of others waiting for long."""
ALL_WAITING: Final = 40
"""So many of all kinds together may be unfinished."""
KEPT: Final = 8
"""So many finished ones of one kind, of one session or club, stay."""

_places = Semaphore(AT_ONCE)

Report = Callable[[int], None]
"""Is told how much is done, in percent."""


def make(kind: str, public_id: str, file: Path, given: str, report: Report) -> None:
    """Makes one export, here and now, from one snapshot. Raises `KeyError` for an unknown kind.

    ``given`` is what else the kind needs: a spreadsheet the address to which its QR code leads, paper that and the
    number of a part (`for_paper`), a what-if the rules and the year (`for_what_if`). What is downloaded as JSON gets a
    compressed copy beside it, ``.gz``.
    """
    part, packed = (file.with_name(f"{file.name}.{ending}") for ending in ("part", "gz"))
    try:
        with snapshot():
            MAKERS[kind](public_id, part, given, report)
        if kind in PACKED:
            with part.open("rb") as plain, gzip.open(packed, "wb", 6) as smaller:
                shutil.copyfileobj(plain, smaller)
        part.rename(file)
    except BaseException:  # a full disk needs the room, and nobody asks for half an export
        for path in (part, packed):
            path.unlink(missing_ok=True)
        raise


def _spreadsheet(public_id: str, file: Path, given: str, report: Report) -> None:
    session = Session.objects.get(public_id=public_id)
    rows = BoardResult.objects.filter(revision__deal__session=session).count()
    rows += Transfer.objects.filter(session=session).count()
    workbook.of_session(session, file, given, _percent(report, rows))


def _record(public_id: str, file: Path, given: str, report: Report) -> None:
    session = Session.objects.get(public_id=public_id)
    _write(record.of_session(session), file, _percent(report, session.version))


def _paper(public_id: str, file: Path, given: str, report: Report) -> None:
    session = Session.objects.get(public_id=public_id)
    file.write_text(paper.of_session(session, **json.loads(given)), encoding="utf-8")


def for_paper(part: int, verifier: str) -> str:
    """What paper is given: the number of the part, and the address to which its QR code leads."""
    return json.dumps({"part": part, "verifier": verifier})


def _club(public_id: str, file: Path, given: str, report: Report) -> None:
    club = Club.objects.get(public_id=public_id)
    pieces = Session.objects.filter(club=club).aggregate(sum=Sum(F("version") + F("deals"), default=0))["sum"]
    pieces += Transfer.objects.filter(session__club=club).count()
    _write(club_document.of_club(club), file, _percent(report, pieces))


def _statistics(public_id: str, file: Path, given: str, report: Report) -> None:
    club = Club.objects.get(public_id=public_id)
    rows = sum(model.objects.filter(club=club).count() for model in (Player, Total, Session))
    club_workbook.of_club(club, file, _percent(report, rows))


def _what_if(public_id: str, file: Path, given: str, report: Report) -> None:
    club, asked = Club.objects.get(public_id=public_id), json.loads(given)
    count = _percent(report, reads.club_deals(club, asked["year"]))
    found = reads.club_what_if(club, resolve(asked["rules"]), asked["year"], count)
    file.write_text(json.dumps({"given": given, **found.as_document()}))


def for_what_if(rules: HouseRules, year: int) -> str:
    """What a what-if of a club is given. It is in the file, too, which nobody downloads.

    ``columns`` tell it from a file that another release has left, which is made anew.
    """
    return json.dumps({"rules": rules.as_document(), "year": year, "columns": reads.SessionWhatIf.__slots__})


def _percent(report: Report, all_: int) -> Callable[[], None]:
    """A function that is called for each of about ``all_`` parts, and reports each new percent up to 99."""
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        percent = 100 * done // max(all_, 1)
        if percent != 100 * (done - 1) // max(all_, 1):
            report(min(percent, 99))

    return count


def _write(pieces: Iterable[bytes], file: Path, count: Callable[[], None]) -> None:
    with file.open("wb") as to:
        for piece in pieces:
            to.write(piece)
            count()


MAKERS: Final[Mapping[str, Callable[[str, Path, str, Report], None]]] = {
    "spreadsheet": _spreadsheet,
    "record": _record,
    "paper": _paper,
    "club": _club,
    "statistics": _statistics,
    "what-if": _what_if,
}

PACKED: Final = frozenset({"record", "club"})

OF_CLUBS: Final = frozenset({"club", "statistics", "what-if"})

IN_WORDS: Final = frozenset({"spreadsheet", "paper", "statistics"})
"""What is made in a language. All else is the same for every reader."""

ASKED_ANEW: Final = frozenset({"club", "statistics"})
"""Those of which it takes longer to find out whether all of a club is the same than to make them again."""


@dataclass(slots=True)
class Making:
    """An export that this process is making. ``done`` is in percent; ``finished`` fails if the export did.

    ``client`` asked for it first; others who ask for the same meanwhile share it.
    """

    token: str
    file: Path
    finished: Future[None] = field(default_factory=Future)
    done: int = 0
    client: str = ""


What = tuple[str, str, str, str, str]
"""Kind, public id, version, what else was given (`make`), and the language.

Of `ASKED_ANEW` what was made has its token in place of the version, once it was asked for anew.
"""

_making: dict[What, Making] = {}
"""What this process is making, or has made and not deleted since."""
_lock = Lock()


def start(kind: str, public_id: str, given: str, client: str = "") -> Making:
    """Starts an export in the reader's language, or returns the one that there is of the session or club as it is now.

    One of `ASKED_ANEW` is not returned once it is made. While too many wait, it returns one without a token, which
    nothing makes; the caller asks again.
    """
    at = kind, public_id, _version(kind, public_id), given, _language(kind)
    with _lock:
        for gone in [each for each, made in _making.items() if made.finished.done() and not made.file.exists()]:
            del _making[gone]
        known = _making.get(at)
        if known is not None and not (kind in ASKED_ANEW and known.finished.done()):
            return known
        if not _has_room(kind, public_id, client):
            return Making("", _file(kind, public_id, ""))
        if known is not None:  # it stays under its token, for anyone who has yet to download it
            _making[kind, public_id, known.token, given, at[-1]] = _making.pop(at)
        _drop_oldest(kind, public_id)
        token = secrets.token_urlsafe(12)
        made = _making[at] = Making(token, _file(kind, public_id, token), client=client)
    Thread(target=_run, args=(made, at), daemon=True).start()
    return made


def has_room(kind: str, public_id: str, client: str) -> bool:
    """Whether `start` would begin another export of this kind, of this session or club."""
    with _lock:
        return _has_room(kind, public_id, client)


def _has_room(kind: str, public_id: str, client: str) -> bool:
    unfinished = {at: made.client for at, made in _making.items() if not made.finished.done()}
    of_this = sum(at[:2] == (kind, public_id) for at in unfinished)
    of_client = sum(each == client for each in unfinished.values())
    return of_this < WAITING and of_client < WAITING_FOR_ONE and len(unfinished) < ALL_WAITING


def _drop_oldest(kind: str, public_id: str) -> None:
    """Deletes finished files until another has its place among `KEPT`."""
    finished = [each for each, made in _making.items() if each[:2] == (kind, public_id) and made.finished.done()]
    for each in finished[: max(0, len(finished) - KEPT + 1)]:
        file = _making.pop(each).file
        for path in (file, file.with_name(f"{file.name}.gz")):
            path.unlink(missing_ok=True)


def _version(kind: str, public_id: str) -> str:
    """What differs once a thing has changed: the version of a session, which whatever is recorded there raises.

    Of a club it stands for those of its sessions, for its links and for all that belongs to no session; of a what-if
    for those of its sessions and for its players.
    """
    if kind not in OF_CLUBS:
        return str(Session.objects.filter(public_id=public_id).values_list("version", flat=True).first())
    club = Club.objects.get(public_id=public_id)
    sessions = list(Session.objects.filter(club=club).order_by("pk").values_list("pk", "version"))
    if kind == "what-if":
        players = list(Player.objects.filter(club=club).order_by("pk").values_list("pk", "name"))
        return hashlib.sha256(json.dumps([sessions, players]).encode()).hexdigest()
    links = Link.objects.filter(club=club).aggregate(Count("pk"), Count("revoked_at"), Max("used_at"))
    own = json.dumps([sessions, *map(str, links.values()), club_document.of_club_alone(club)])
    return hashlib.sha256(own.encode()).hexdigest()


def making(kind: str, public_id: str, token: str) -> Making | None:
    """The export with this token in the reader's language, if this process is making it."""
    file = _file(kind, public_id, token)
    with _lock:
        return next((each for each in _making.values() if each.file == file), None)


def made(kind: str, public_id: str, token: str) -> Path | None:
    """The file of the export with this token in the reader's language, if it is made and was not deleted since."""
    file = _file(kind, public_id, token)
    return file if re.fullmatch(r"[\w-]{16}", token) and file.exists() else None


def _file(kind: str, public_id: str, token: str) -> Path:
    return Path(settings.EXPORT_DIR) / ".".join(filter(None, (kind, public_id, _language(kind), token)))


def _language(kind: str) -> str:
    """The reader's language, empty for what is the same in all of them."""
    return get_language() if kind in IN_WORDS else ""


def tidy() -> None:
    """Deletes what is older than `KEPT_FOR`."""
    long_ago = time.time() - KEPT_FOR
    for file in Path(settings.EXPORT_DIR).glob("*"):
        with suppress(FileNotFoundError):  # another process was quicker
            if file.stat().st_mtime < long_ago:
                file.unlink()


def is_gone(kind: str, public_id: str) -> bool:
    """Whether the session or the club of an export was deleted."""
    of: type[Club | Session] = Club if kind in OF_CLUBS else Session
    return not of.objects.filter(public_id=public_id).exists()


def forget(public_id: str) -> None:
    """Deletes the exports of a session or a club that were made."""
    for file in Path(settings.EXPORT_DIR).glob(f"*.{public_id}.*"):
        file.unlink(missing_ok=True)


def _run(made: Making, at: What) -> None:
    """Waits for the process that makes the export, on a thread of its own."""
    kind, public_id, _, given, language = at
    failure: BaseException | None = None
    try:
        made.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        tidy()
        manage = str(settings.BASE_DIR / "manage.py")
        command = [sys.executable, manage, "export", kind, public_id, str(made.file), "--given", given]
        command += ["--language", language] if language else []
        with (
            _places,
            subprocess.Popen(  # noqa: S603 - no shell reads it
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
            ) as process,
        ):
            given_up = Timer(LONGEST, process.kill)
            given_up.daemon = True  # a server that stops does not wait for it
            given_up.start()
            for line in process.stdout or ():
                made.done = int(line)
            given_up.cancel()
        if process.returncode == NO_ROOM:
            failure = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        elif process.returncode:
            failure = RuntimeError(f"The {kind} of {public_id} could not be made; its process has said why.")
    except Exception as error:  # noqa: BLE001 - the waiting request must learn of it, whatever it is
        failure = error
    if failure is None:
        made.finished.set_result(None)
    else:
        with _lock:
            del _making[at]
        made.finished.set_exception(failure)


def give_way() -> None:
    """Lets this process compute only when the server has nothing to do."""
    os.nice(10)
