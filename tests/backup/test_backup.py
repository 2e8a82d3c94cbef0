"""A backup holds everything, comes back on either engine, and is refused if anything about it is wrong."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from scoring.backup import BackupError, writing
from tests.backup.databases import ENGINES, EVENING, database, did, migrate, refused, run
from tests.ledger.conftest import start

pytestmark = pytest.mark.slow

on_both = pytest.mark.django_db
"""`make test-postgres` runs what has this mark. The other tests have databases of their own, on SQLite."""

Members = dict[str, bytes]

PLAYED_ON = """
import uuid
import django
django.setup()
from scoring.ledger import audit
from scoring.models import Session
from tests.ledger.conftest import settle
session = Session.objects.get(name="Everything")
settle(session, key=uuid.uuid4().hex)
assert list(audit.of_everything()) == []
print(session.public_id)
"""


def here(engine: str) -> str:
    if engine == "postgresql" and connection.vendor != "postgresql":
        pytest.skip("This run has no PostgreSQL; `make test-postgres` has.")
    return engine


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of an evening with everything in it."""
    at = tmp_path_factory.mktemp("kept")
    with database("sqlite", at) as env:
        migrate(env)
        did(env, code=EVENING)
        did(env, "backup", str(at / "kept.zip"))
    return at / "kept.zip"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[dict[str, str]]:
    with database("sqlite", tmp_path) as env:
        yield env


def fill(env: dict[str, str], kept: Path) -> None:
    """What the command ``restore`` does with ``kept`` to an empty database, which takes seconds."""
    if "DATABASE_URL" in env:
        did(env, "restore", str(kept))
        return
    once = kept.parent / "restored"
    if not once.exists():
        did({**env, "DATA_DIR": str(kept.parent / "restoring")}, "restore", str(kept))
        (kept.parent / "restoring").rename(once)
    shutil.copytree(once, env["DATA_DIR"])


def rows(file: Path) -> dict[str, list[Any]]:
    """Every row of a backup, as JSON says it; PostgreSQL orders the keys of an object in its own way."""
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name != "manifest.json"]
        return {name: [json.loads(line) for line in archive.read(name).splitlines()] for name in names}


@on_both
@pytest.mark.parametrize("to", ENGINES)
@pytest.mark.parametrize("origin", ENGINES)
def test_everything_comes_back_and_is_played_on(tmp_path: Path, origin: str, to: str) -> None:
    with database(here(origin), tmp_path) as first, database(here(to), tmp_path) as second:
        migrate(first)
        did(first, code=EVENING)
        did(first, "backup", str(tmp_path / "first.zip"))
        assert "the audit is clean" in did(second, "restore", str(tmp_path / "first.zip"))
        did(second, "backup", str(tmp_path / "second.zip"))
        assert rows(tmp_path / "first.zip") == rows(tmp_path / "second.zip")
        assert len(rows(tmp_path / "first.zip")["scoring.transfer.jsonl"]) > 50
        did(second, code=PLAYED_ON)
        # The same rows are guarded as before, and the engine counts on where the old one stopped.
        assert "append-only" in run(second, code=PLAYED_ON + "session.events.update(note='changed')").stderr


def test_a_backup_is_its_owners_alone_and_replaces_no_other(kept: Path, empty: dict[str, str]) -> None:
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    before = kept.read_bytes()
    migrate(empty)
    assert "exists" in refused(empty, "backup", str(kept))
    assert kept.read_bytes() == before
    assert [each.name for each in kept.parent.iterdir() if "unfinished" in each.name] == []


def test_a_backup_that_cannot_be_written_leaves_nothing(empty: dict[str, str], tmp_path: Path) -> None:
    migrate(empty)
    assert "/proc/" in refused(empty, "backup", "/proc/ofc.zip")
    assert "no data yet" in refused({**empty, "DATA_DIR": str(tmp_path / "new")}, "backup", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_a_database_that_is_not_empty_is_refused_and_stays(kept: Path, empty: dict[str, str]) -> None:
    fill(empty, kept)
    did(empty, code=PLAYED_ON)
    assert "not empty" in refused(empty, "restore", str(kept))
    did(empty, code=PLAYED_ON)


@on_both
def test_a_demo_is_deleted_before_a_restore(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        migrate(env)
        did(env | {"DEMO": "1"}, "demo")
        assert "DEMO=0" in refused(env, "restore", str(kept))
        did(env, "demo")
        did(env, "restore", str(kept))


@on_both
def test_a_database_that_was_only_migrated_counts_as_empty(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        migrate(env)
        did(env, "restore", str(kept))
        did(env, code=PLAYED_ON)


def repacked(kept: Path, to: Path, change: Callable[[Members], None]) -> Path:
    """The backup after somebody has changed what is in it."""
    with zipfile.ZipFile(kept) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(to / "changed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return to / "changed.zip"


def honest(members: Members) -> None:
    """Make the manifest agree with what was changed."""
    said = json.loads(members["manifest.json"])
    for name, member in said["members"].items():
        content = members[f"{name}.jsonl"]
        member.update(rows=content.count(b"\n"), bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
    members["manifest.json"] = json.dumps(said).encode()


def changed_line(members: Members) -> None:
    members["scoring.player.jsonl"] = members["scoring.player.jsonl"].replace(b"Ann", b"Eve")


def escaping(members: Members) -> None:
    members["../../escaped.jsonl"] = b"[]\n"


def beside(members: Members) -> None:
    members["notes.txt"] = b"hello"


def deep(members: Members) -> None:
    members["scoring.club.jsonl"] = b"[" * 200_000 + b"\n"
    honest(members)


def nothing_in_it(members: Members) -> None:
    members["scoring.club.jsonl"] = b""
    honest(members)


def row_of(value: object) -> Callable[[Members], None]:
    """A club more, every column of which is ``value``."""

    def change(members: Members) -> None:
        columns = json.loads(members["scoring.club.jsonl"].partition(b"\n")[0])
        members["scoring.club.jsonl"] += json.dumps([value] * len(columns)).encode() + b"\n"
        honest(members)

    return change


def cell(table: str, column: str, value: object) -> Callable[[Members], None]:
    """Another value in the first row of a table."""

    def change(members: Members) -> None:
        columns, row, *rest = map(json.loads, members[f"{table}.jsonl"].splitlines())
        row[columns.index(column)] = value
        members[f"{table}.jsonl"] = b"".join(json.dumps(each).encode() + b"\n" for each in (columns, row, *rest))
        honest(members)

    return change


def missing(members: Members) -> None:
    del members["scoring.transfer.jsonl"]


def no_manifest(members: Members) -> None:
    del members["manifest.json"]


def broken_manifest(members: Members) -> None:
    members["manifest.json"] = b"{"


def manifest(**values: Any) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), **values}).encode()

    return change


def member(**values: Any) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        said = json.loads(members["manifest.json"])
        said["members"]["scoring.club"].update(values)
        members["manifest.json"] = json.dumps(said).encode()

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed_line, "is not what the manifest says"),
        (escaping, "does not belong in it"),
        (beside, "does not belong in it"),
        (missing, "is missing"),
        (deep, "cannot be read"),
        (no_manifest, "no manifest"),
        (broken_manifest, "manifest cannot be read"),
        (manifest(format=2), "later release"),
        (manifest(format="1"), "later release"),
        (manifest(migrations=[["scoring", "9999_later"]]), "later release"),
        (manifest(migrations="all"), "cannot be read"),
        (manifest(members={}), "does not belong in it"),
        (member(bytes="x"), "manifest cannot be read"),
        (member(bytes=None), "manifest cannot be read"),
        (member(rows="x"), "manifest cannot be read"),
        (member(sha256=7), "manifest cannot be read"),
        (nothing_in_it, "scoring.club"),
        (row_of([{}]), "cannot be restored"),
        (row_of("\0\ud800"), "cannot be restored"),
        (cell("scoring.session", "minor_digits", 10**40), "cannot be restored"),
        (cell("scoring.session", "rules", [{"q": "z"}]), "has been changed"),
        (cell("scoring.event", "before", [{"q": "z"}]), "has been changed"),
        (cell("scoring.revision", "document", [1]), "has been changed"),
    ],
)
def test_what_is_not_as_it_was_is_refused_and_leaves_no_database(
    kept: Path, empty: dict[str, str], tmp_path: Path, change: Callable[[Members], None], said: str
) -> None:
    assert said in refused(empty, "restore", str(repacked(kept, tmp_path, change)))
    assert not (tmp_path.parent / "escaped.jsonl").exists()
    left = {each.name for each in Path(empty["DATA_DIR"]).iterdir()}
    assert left == {"ofcscore.sqlite3-served"}  # it marks who uses the directory


def doubled_amount(members: Members) -> None:
    head, first, *others = members["scoring.transfer.jsonl"].splitlines(keepends=True)
    column = json.loads(head).index("amount")
    line = json.loads(first)
    line[column] *= 2
    members["scoring.transfer.jsonl"] = b"".join([head, json.dumps(line).encode() + b"\n", *others])
    honest(members)


def other_total(members: Members) -> None:
    head, *others = members["totals.jsonl"].splitlines(keepends=True)
    line = json.loads(head)
    line[-1] += 1
    members["totals.jsonl"] = b"".join([json.dumps(line).encode() + b"\n", *others])
    honest(members)


def row_twice(members: Members) -> None:
    members["scoring.player.jsonl"] += members["scoring.player.jsonl"].splitlines(keepends=True)[-1]
    honest(members)


def lost_row(members: Members) -> None:
    members["scoring.player.jsonl"] = b"".join(members["scoring.player.jsonl"].splitlines(keepends=True)[:-1])
    honest(members)


@on_both
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (doubled_amount, "has been changed"),
        (other_total, "A total is not what it was"),
        (row_twice, "cannot be restored"),
        (lost_row, "cannot be restored"),
    ],
)
def test_who_changes_the_ledger_and_its_manifest_is_found_out_by_the_audit(
    kept: Path, tmp_path: Path, change: Callable[[Members], None], said: str
) -> None:
    with database(connection.vendor, tmp_path) as env:
        assert said in refused(env, "restore", str(repacked(kept, tmp_path, change)))
        did(env, "restore", str(kept))  # it was left empty


def test_a_file_that_was_cut_off_anywhere_is_refused(kept: Path, empty: dict[str, str], tmp_path: Path) -> None:
    whole = kept.read_bytes()
    for part in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.zip").write_bytes(whole[:part])
        assert "no backup" in refused(empty, "restore", str(tmp_path / "cut.zip"))
    (tmp_path / "flipped.zip").write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    assert "damaged" in refused(empty, "restore", str(tmp_path / "flipped.zip"))
    assert "There is no file" in refused(empty, "restore", str(tmp_path / "nowhere.zip"))
    did(empty, "restore", str(kept))


@on_both
def test_a_drill_leaves_nothing_but_its_note(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        fill(env, kept)
        data = Path(env["DATA_DIR"])
        before = set(data.iterdir())
        assert "has been removed" in did(env, "drill")
        assert set(data.iterdir()) - before == {data / "kept.json"}
        assert "drill" in json.loads((data / "kept.json").read_text())


def test_a_backup_that_cannot_be_noted_is_made_all_the_same(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        data = Path(env["DATA_DIR"])
        (data / "kept.json").mkdir()
        before = set(data.iterdir())
        for command in (["backup", str(tmp_path / "made.zip")], ["drill"]):
            ended = run(env, *command)
            assert (ended.returncode, ended.stdout.count("\n")) == (0, 1)
            assert ended.stderr == f"This is not noted, because {data}/kept.json cannot be written: Is a directory.\n"
            assert set(data.iterdir()) == before
        assert rows(tmp_path / "made.zip") == rows(kept)


@on_both
def test_a_hand_is_settled_while_a_backup_reads(kept: Path, tmp_path: Path) -> None:
    settled = PLAYED_ON.replace(
        "settle(session, key=uuid.uuid4().hex)\n",
        """
from scoring.backup import writing
from pathlib import Path
import os, subprocess, sys
SETTLE = '''import django; django.setup()
from scoring.models import Session
from tests.ledger.conftest import settle
settle(Session.objects.get(name="Everything"), key="meanwhile")'''
rows_of = writing.rows_of
def slow(model):
    yield from rows_of(model)
    if model._meta.model_name == "event":  # somebody settles in the middle, in another process
        subprocess.run([sys.executable, "-c", SETTLE], check=True)
writing.rows_of = slow
hands = session.deals
writing.write(Path(os.environ["DATA_DIR"]) / "busy.zip", "x")
session.refresh_from_db()
assert session.deals == hands + 1
""",
    )
    with database(connection.vendor, tmp_path) as env, database("sqlite", tmp_path) as other:
        fill(env, kept)
        did(env, code=settled)
        did(other, "restore", str(Path(env["DATA_DIR"]) / "busy.zip"))
        before, after = rows(kept), rows(Path(env["DATA_DIR"]) / "busy.zip")
        assert before["scoring.deal.jsonl"] == after["scoring.deal.jsonl"]


@on_both
def test_serve_saves_everything_before_it_changes_the_database(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        fill(env, kept)
        did(env, code="import django; django.setup(); from django.core.management import call_command as c;"
            " c('migrate', 'scoring', '0024', verbosity=0)")  # fmt: skip
        prepared = "from ofcscore.command import prepare; prepare()"
        said = did(env, code=prepared)
        (file,) = (Path(env["DATA_DIR"]) / "backups").iterdir()
        assert str(file) in said
        assert "To go back" in said
        did(env, code=PLAYED_ON)
        assert did(env, code=prepared) == ""  # nothing is pending any more
        with database("sqlite", tmp_path) as back:
            did(back, "restore", str(file))
            did(back, code=PLAYED_ON)


def test_nothing_is_saved_before_the_first_start(empty: dict[str, str]) -> None:
    assert did(empty, code="from ofcscore.command import prepare; prepare()") == ""
    assert not (Path(empty["DATA_DIR"]) / "backups").exists()
    shutil.rmtree(empty["DATA_DIR"])


def test_how_many_backups_stay_is_at_least_one(kept: Path, empty: dict[str, str], tmp_path: Path) -> None:
    fill(empty, kept)
    for number in ("0", "-3", "many"):
        ended = run(empty, "backup", "--keep", number, f"{tmp_path}/nightly/")
        assert ended.returncode != 0
        assert "--keep" in ended.stderr
    assert not (tmp_path / "nightly").exists()


def test_the_backup_that_was_just_made_stays_although_the_clock_was_set_back(kept: Path, tmp_path: Path) -> None:
    nightly = tmp_path / "nightly"
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        did(env, "backup", f"{nightly}/")
        (made,) = nightly.iterdir()
        made.rename(later := nightly / "ofc-29990101-000000.zip")
        did(env, "backup", "--keep", "1", f"{nightly}/")
        assert later not in nightly.iterdir()
        assert len(list(nightly.iterdir())) == 1


def test_a_directory_that_is_not_there_is_named(kept: Path, empty: dict[str, str], tmp_path: Path) -> None:
    fill(empty, kept)
    assert f"There is no directory {tmp_path}/nowhere" in refused(empty, "backup", f"{tmp_path}/nowhere/table.zip")
    assert str(kept) in refused(empty, "backup", f"{kept}/table.zip")
    assert f"{tmp_path} is a directory" in refused(empty, "backup", str(tmp_path))


def test_a_manifest_says_what_made_it_and_what_it_holds(kept: Path, empty: dict[str, str], tmp_path: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        said = json.loads(archive.read("manifest.json"))
    assert said["made_by"].startswith("ofcscore ")
    assert "Open Face Chinese" in said["data"]

    def without(members: Members) -> None:
        old = {name: value for name, value in said.items() if name not in {"made_by", "data"}}
        members["manifest.json"] = json.dumps(old).encode()

    did(empty, "restore", str(repacked(kept, tmp_path, without)))


def test_a_refused_restore_leaves_no_database_file(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        refused(env, "restore", str(repacked(kept, tmp_path, changed_line)))
        assert {path.name for path in Path(env["DATA_DIR"]).iterdir()} <= {"ofcscore.sqlite3-served"}


def test_what_is_no_file_of_a_backup_is_refused(empty: dict[str, str], tmp_path: Path) -> None:
    assert "is a directory" in refused(empty, "restore", str(tmp_path))
    (tmp_path / "text.zip").write_text("no archive")
    assert "is no backup" in refused(empty, "restore", str(tmp_path / "text.zip"))


INTERRUPTED = """
import os, signal, sys
from scoring.backup import restoring
from ofcscore.command import main
real = restoring._load
def load(model, lines):
    real(model, lines)
    if model._meta.model_name == "transfer":
        os.kill(os.getpid(), signal.SIGINT)
restoring._load = load
main(["restore", sys.argv[1]])
"""


@on_both
def test_a_restore_that_is_interrupted_leaves_the_database_empty(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        code = f"import sys, django\nsys.argv = ['', {str(kept)!r}]\ndjango.setup()\n{INTERRUPTED}"
        ended = run(env, code=code)
        assert (ended.returncode, ended.stdout) == (130, "")
        assert "Traceback" not in ended.stderr
        assert "no data yet" in refused(env, "check")
        did(env, "restore", str(kept))


@on_both
def test_a_restore_that_is_terminated_leaves_nothing_behind(kept: Path, tmp_path: Path) -> None:
    with database(connection.vendor, tmp_path) as env:
        code = f"import sys, django\nsys.argv = ['', {str(kept)!r}]\ndjango.setup()\n{INTERRUPTED}"
        ended = run(env, code=code.replace("SIGINT", "SIGTERM"))
        assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", "Stopped.\n")
        assert {path.name for path in Path(env["DATA_DIR"]).iterdir()} <= {"ofcscore.sqlite3-served"}


INTERRUPTED_BACKUP = """
import json, os, signal, sys, types, django
django.setup()
from ofcscore.command import main
from scoring.backup import writing
def dumps(line, **options):
    if isinstance(line[0], int):  # a row, so that the database has more of them
        os.kill(os.getpid(), signal.SIGINT)
    return json.dumps(line, **options)
writing.json = types.SimpleNamespace(dumps=dumps)
main(["backup", PATH])
"""


@on_both
@pytest.mark.parametrize(("sent", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_backup_that_is_interrupted_ends_in_one_line(kept: Path, tmp_path: Path, sent: str, status: int) -> None:
    (folder := tmp_path / "nightly").mkdir()
    with database(connection.vendor, tmp_path) as env:
        fill(env, kept)
        code = INTERRUPTED_BACKUP.replace("SIGINT", sent).replace("PATH", repr(f"{folder}/table.zip"))
        ended = run(env, code=code)
        assert (ended.returncode, ended.stdout, ended.stderr) == (status, "", "Stopped.\n")
        assert list(folder.iterdir()) == []


SWALLOWED = """
import os, signal, sys, weakref, django
django.setup()
from ofcscore.command import main
from scoring import backup
class Thing: pass
def write(*arguments):
    thing = Thing()
    weakref.finalize(thing, os.kill, os.getpid(), signal.SIGINT)
    del thing  # Python drops whatever is raised while it calls that
    signal.pause()  # until it is asked to stop once more
    print("It went on.")
backup.write = write
main(["backup", "table.zip"])
"""


@pytest.mark.parametrize(("sent", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_command_is_stopped_although_the_signal_comes_while_python_cleans_up(
    kept: Path, tmp_path: Path, sent: str, status: int
) -> None:
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        ended = run(env, code=SWALLOWED.replace("SIGINT", sent))
        assert (ended.returncode, ended.stdout, ended.stderr) == (status, "", "Stopped.\n")


@pytest.mark.django_db(transaction=True)
def test_two_backups_of_one_name_do_not_write_into_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "table.zip", writing._write
    start()

    def beside(archive: zipfile.ZipFile, version: str) -> Any:
        monkeypatch.setattr(writing, "_write", real)
        writing.write(path, version)
        return real(archive, version)

    monkeypatch.setattr(writing, "_write", beside)
    with pytest.raises(BackupError, match="exists"):
        writing.write(path, "1")
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_backup_or_drill_has_left_goes_with_the_next_one(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        nightly, data = tmp_path / "nightly", Path(env["DATA_DIR"])
        left = [nightly / ".ofc-20260101-030000.zip.abcd.unfinished", data / "drill-abcd1234" / "backup.zip"]
        at_work = [nightly / ".ofc-20260102-030000.zip.abcd.unfinished", data / "drill-abcd5678" / "backup.zip"]
        for file in (*left, *at_work):
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(b"PK")
        for old in (left[0], left[1].parent):
            os.utime(old, (time.time() - 7 * 3600,) * 2)
        did(env, "backup", f"{nightly}/")
        did(env, "drill")
        assert [file.exists() for file in (*left, left[1].parent)] == [False, False, False]
        assert [file.exists() for file in at_work] == [True, True]


@on_both
def test_a_drill_needs_neither_redis_nor_the_way_past_a_pooler(kept: Path, tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("This run has no PostgreSQL; `make test-postgres` has.")
    with database("postgresql", tmp_path) as env:
        fill(env, kept)
        more = {"DIRECT_DATABASE_URL": env["DATABASE_URL"], "NOTICES_URL": "redis://127.0.0.1:1/0"}
        assert "has been removed" in did(env | more, "drill")


FULL = """
import errno, os, django
django.setup()
from ofcscore.command import main
def fsync(file):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
os.fsync = fsync
main(["backup", PATH])
"""


def test_a_backup_names_the_place_that_has_no_room(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        target = tmp_path / "table.zip"
        ended = run(env, code=FULL.replace("PATH", repr(str(target))))
        assert ended.returncode == 1
        assert ended.stderr == f"The disk is full. Make room and start again: {target}.\n"
        assert not target.exists()


def test_a_drill_on_a_full_disk_removes_what_it_made(kept: Path, tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as env:
        fill(env, kept)
        full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        before = sorted(each.name for each in Path(env["DATA_DIR"]).iterdir())
        ended = run(env, code=f"{full}from ofcscore.command import main; main(['drill'])")
        assert ended.returncode != 0
        assert "Traceback" not in ended.stderr
        left = {each.name for each in Path(env["DATA_DIR"]).iterdir()}
        assert [name for name in left - set(before) if not name.endswith(("-wal", "-shm"))] == []
