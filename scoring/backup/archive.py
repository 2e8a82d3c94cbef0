"""The file: a zip archive with one member of JSON lines for each table, and a manifest that says what must be in it."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

FORMAT: Final = 1
HOLDS: Final = f"everything that is stored of Open Face Chinese poker, in format {FORMAT}"
MANIFEST: Final = "manifest.json"
TOTALS: Final = "totals"
"""The member with every total as it was, beside those of the tables."""

MOST_MANIFEST: Final = 1 << 20
MOST_LINE: Final = 1 << 24
"""The most bytes of a manifest and of one line. The longest stored row is a session's event of some 100 KiB."""


UNREADABLE: Final = (zipfile.BadZipFile, EOFError, KeyError, OSError, RuntimeError, zlib.error)
"""What reading a member that is damaged, encrypted or packed in another way raises."""


class BackupError(Exception):
    """A backup cannot be made or restored; the text says why and what to do, in whole sentences."""


@dataclass(frozen=True, slots=True)
class Member:
    """How many lines and bytes a member has, and their SHA-256 in hexadecimal."""

    rows: int
    bytes: int
    sha256: str

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Reads what a manifest says of a member. Raises `TypeError`."""
        member = cls(**stored)
        if (type(member.rows), type(member.bytes), type(member.sha256)) != (int, int, str):
            raise TypeError
        return member


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself. ``members`` are by name, such as ``scoring.club``; ``migrations`` are applied."""

    version: str
    made_at: str
    engine: str
    migrations: list[tuple[str, str]]
    members: dict[str, Member]
    format: int = FORMAT
    made_by: str = ""
    """The program that has to be installed to read the file; a backup of an earlier build has none."""
    data: str = HOLDS

    def as_json(self) -> str:
        """The manifest as it is stored."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def of(cls, text: bytes) -> Manifest:
        """Reads a stored manifest. Raises `BackupError`."""
        try:
            manifest: dict[str, Any] = json.loads(text)
            version = manifest["format"]
            if not isinstance(version, int) or version > FORMAT:
                raise BackupError("A later release made this backup. Restore it with that release.")
            return cls(
                version=str(manifest["version"]),
                made_at=str(manifest["made_at"]),
                engine=str(manifest["engine"]),
                migrations=[(str(app), str(name)) for app, name in manifest["migrations"]],
                members={str(name): Member.of(member) for name, member in manifest["members"].items()},
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BackupError("This backup is damaged: its manifest cannot be read.") from error


def member_file(name: str) -> str:
    """The name of a member inside the archive."""
    return f"{name}.jsonl"


class Archive:
    """A backup that is open for reading. Nothing of it is ever unpacked to a disk. Raises `BackupError`."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise BackupError(f"There is no file {path}.") from error
        except IsADirectoryError as error:
            raise BackupError(f"{path} is a directory. Name a backup in it.") from error
        except (zipfile.BadZipFile, EOFError, ValueError) as error:
            raise BackupError(f"{path} is no backup, or its end is missing.") from error
        try:
            self.manifest = self._manifest()
            self._check_names()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def verify(self) -> None:
        """Reads all of it once, and compares it with the manifest."""
        for name in self.manifest.members:
            for _ in self.lines(name):
                pass

    def lines(self, name: str) -> Iterator[Any]:
        """The lines of a member, each as what its JSON says. The last one comes only if the whole member is right."""
        member = self.manifest.members[name]
        digest, rows, size = hashlib.sha256(), 0, 0
        held: list[bytes] = []
        try:
            with self._zip.open(member_file(name)) as stream:
                while line := stream.readline(MOST_LINE):
                    digest.update(line)
                    rows, size = rows + 1, size + len(line)
                    if size > member.bytes:
                        break
                    yield from map(json.loads, held)
                    held = [line]
            if Member(rows, size, digest.hexdigest()) != member:
                raise BackupError(f"This backup is damaged: {name} is not what the manifest says.")
            yield from map(json.loads, held)
        except (*UNREADABLE, ValueError) as error:
            raise BackupError(f"This backup is damaged: {name} cannot be read.") from error

    def _manifest(self) -> Manifest:
        try:
            with self._zip.open(MANIFEST) as stream:
                text = stream.read(MOST_MANIFEST + 1)
        except UNREADABLE as error:
            raise BackupError("This is no backup, or it is damaged: it has no manifest that can be read.") from error
        if len(text) > MOST_MANIFEST:
            raise BackupError("This backup is damaged: its manifest is too long.")
        return Manifest.of(text)

    def _check_names(self) -> None:
        """Each member once, and no other: neither a path that leads elsewhere nor anything that was put in beside."""
        found = sorted(self._zip.namelist())
        wanted = sorted([MANIFEST, *map(member_file, self.manifest.members)])
        odd = [name for name in found if name not in wanted] or [name for name in wanted if name not in found]
        if odd:
            raise BackupError(f"This backup is damaged: {odd[0]!r} does not belong in it, or is missing.")
        if found != wanted:
            raise BackupError("This backup is damaged: something is in it twice.")
