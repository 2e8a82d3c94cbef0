"""Writes a backup from one snapshot of the database, while hands are settled."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import secrets
import shutil
import time
import zipfile
from collections.abc import Generator
from contextlib import closing, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model
from django.utils import timezone

from scoring.backup.archive import MANIFEST, TOTALS, BackupError, Manifest, Member, member_file
from scoring.backup.tables import tables, totals
from scoring.transactions import snapshot

ROWS_AT_ONCE = 2_000

GIVEN_UP: Final = 6 * 3600
"""A backup or a drill that has written nothing for so many seconds was killed."""


def write(path: Path, version: str) -> Manifest:
    """Writes a backup of everything, as a new file that only its owner may read. Raises `BackupError` and `OSError`.

    The file appears when it is whole and on the disk. What is committed meanwhile is not in it. ``version`` is that of
    the app. The database may have been left by an earlier release: then the backup is one of that release.
    """
    if path.is_dir():
        raise BackupError(f"{path} is a directory. Name a file in it, or put a slash at its end.")
    if not path.parent.is_dir():
        raise BackupError(f"There is no directory {path.parent}. Make it first, or name another one.")
    if path.exists():
        raise BackupError(f"{path} exists. Name a file that does not, so that no backup is lost.")
    remove_given_up(path.parent, f".{glob.escape(path.name)}.*.unfinished")
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.unfinished")  # another one may be at work
    try:
        unfinished.touch(mode=0o600)
        with unfinished.open("w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, snapshot():
                manifest = _write(archive, version)
            file.flush()
            os.fsync(file.fileno())
        _appear(unfinished, path)
    except FileExistsError as error:
        raise BackupError(f"{path} exists. Name a file that does not, so that no backup is lost.") from error
    except OSError as error:
        error.filename = error.filename or str(path)  # of a disk that is full, Python does not say which
        raise
    finally:
        unfinished.unlink(missing_ok=True)
    return manifest


def remove_given_up(folder: Path, pattern: str) -> None:
    """Removes the files and folders of this pattern that a killed backup or drill has left here."""
    for left in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime < GIVEN_UP:
                continue
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


def _appear(unfinished: Path, path: Path) -> None:
    """Gives the file its name. Raises `FileExistsError` if somebody else has made one meanwhile."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as that of a USB stick
        if path.exists():
            raise FileExistsError from None
        unfinished.rename(path)


def pending() -> bool:
    """Whether this release has migrations that the database has not."""
    loader = MigrationLoader(connection)
    return not set(loader.disk_migrations) <= set(loader.applied_migrations)


def _write(archive: zipfile.ZipFile, version: str) -> Manifest:
    loader = MigrationLoader(connection)
    applied = sorted(loader.applied_migrations)
    unknown = [node for node in applied if node not in loader.graph.nodes]
    if unknown and any(app in loader.migrated_apps for app, _ in unknown):
        raise BackupError("The database is newer than this release. Make the backup with the release that migrated it.")
    known = [node for node in applied if node not in unknown]
    if ("scoring", "0001_initial") not in known:
        raise BackupError("There is nothing to back up: the database has no tables of this app.")
    apps = loader.project_state(known).apps
    members = {name: _member(archive, name, rows_of(model)) for name, model in tables(apps).items()}
    members[TOTALS] = _member(archive, TOTALS, totals(apps))
    manifest = Manifest(
        version, timezone.now().isoformat(), connection.vendor, known, members, made_by=f"ofcscore {version}"
    )
    archive.writestr(MANIFEST, manifest.as_json())
    return manifest


def rows_of(model: type[Model]) -> Generator[list[Any]]:
    """The names of the columns, then each row as a list of their values."""
    columns = [field.attname for field in model._meta.concrete_fields]
    yield columns
    rows = model._base_manager.order_by("pk").values_list(*columns)
    yield from map(list, rows.iterator(chunk_size=ROWS_AT_ONCE))


def _member(archive: zipfile.ZipFile, name: str, lines: Generator[list[Any]]) -> Member:
    """Writes a member. ``lines`` are closed even if it is interrupted, because they hold a cursor of the connection."""
    digest, rows, size = hashlib.sha256(), 0, 0
    with closing(lines), archive.open(member_file(name), "w", force_zip64=True) as member:
        for line in lines:
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"
            member.write(text)
            digest.update(text)
            rows, size = rows + 1, size + len(text)
    return Member(rows, size, digest.hexdigest())


def _plain(value: object) -> str:
    """Times to the microsecond; Django's own encoder cuts them to milliseconds."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a backup")
