"""What keeps the server from starting: each ends in one line that says what is wrong and what to do."""

import ctypes
import fcntl
import gzip
import re
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.databases import migrate
from tests.servers import ROOT, serving
from tests.test_serving import KEY, ask, environment, manage

pytestmark = pytest.mark.slow


def refused(env: dict[str, str], *arguments: str, before: Callable[[], None] | None = None) -> str:
    """The one line that ``serve`` ends with."""
    ended = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, preexec_fn=before, check=False,
    )  # fmt: skip
    assert ended.returncode != 0
    assert ended.stdout == ""
    line = ended.stderr.strip()
    assert "\n" not in line, line
    assert line.endswith((".", ".']"))
    return line


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a server whose database is migrated."""
    env = environment(tmp_path, SECRET_KEY=KEY, DEMO="0")
    migrate(env)
    return env


def given(env: dict[str, str]) -> dict[str, str]:
    """What `serving` does not set itself."""
    return {name: value for name, value in env.items() if name != "PATH"}


def at(env: dict[str, str], statement: str) -> None:
    """Change the database as no release does."""
    with closing(sqlite3.connect(Path(env["DATA_DIR"]) / "ofcscore.sqlite3")) as database, database:
        database.execute(statement)


def test_a_port_in_use(env: dict[str, str]) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} is in use" in refused(env, "--port", str(port))
    assert "not to be had" in refused(env, "--port", "80000")
    for host, why in (("203.0.113.77", "Cannot assign requested address"), ("no host", "Name or service not known")):
        said = f"CommandError: The server cannot listen at {host}: {why}. Look at --host."
        assert refused(env, "--host", host) == said


def test_a_second_server_on_one_sqlite_file(env: dict[str, str]) -> None:
    with serving(**given(env)):
        assert "Another server uses" in refused(env)
    with (Path(env["DATA_DIR"]) / "ofcscore.sqlite3-served").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the server that was killed holds it no more


def test_a_database_of_a_later_release(env: dict[str, str]) -> None:
    at(env, "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9999_later', '2026-01-01')")
    line = refused(env)
    assert "newer than this release" in line
    assert "scoring.9999_later" in line
    at(env, "UPDATE django_migrations SET app = 'of_somebody_else' WHERE name = '9999_later'")
    with serving(**given(env)):
        pass


def an_hour_ahead(env: dict[str, str], entered: str) -> None:
    """Enter this, of which the clock says that it is in an hour."""
    code = f"""
from datetime import timedelta
from unittest.mock import patch
import django
from django.utils import timezone
with patch("django.utils.timezone.now", lambda at=timezone.now() + timedelta(hours=1): at):
    django.setup()
    from scoring.models import Club, TabPayment
    from tests.ledger.conftest import settle, start
    {entered}
"""
    settings = {**env, "DJANGO_SETTINGS_MODULE": "ofcscore.settings"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=settings, check=True)


def test_a_clock_that_is_an_hour_back(env: dict[str, str]) -> None:
    an_hour_ahead(env, "settle(start())")
    line = refused(env)
    assert "The clock says" in line
    assert "--despite-clock" in line
    with serving([sys.executable, "manage.py"], ROOT, "--despite-clock", **given(env)):
        pass


def test_a_clock_that_is_an_hour_behind_the_last_payment_of_a_tab(env: dict[str, str]) -> None:
    payment = "n=1, payer=1, payee=2, amount=1, currency='EUR', minor_digits=2, by='host', key='k', fingerprint='f'"
    an_hour_ahead(env, f"TabPayment.objects.create(club=Club.objects.create(), {payment})")
    assert "The clock says" in refused(env)


def test_a_data_directory_that_cannot_be_made_or_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for at_fault in (tmp_path / "file", Path("/proc/ofcscore")):
        env = environment(tmp_path, DATA_DIR=str(at_fault))
        env.pop("SECRET_KEY", None)
        assert str(at_fault) in refused(env)


def test_a_database_in_a_directory_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "nowhere", tmp_path / "file"):
        env = environment(tmp_path, SECRET_KEY=KEY, DATABASE_URL=f"sqlite:///{folder}/table.sqlite3")
        assert (
            refused(env)
            == f"CommandError: There is no directory {folder}. Make it, or name another file in DATABASE_URL."
        )


def without_rights_of_root() -> None:
    """Lets rights of files count, also for tests that root runs."""
    for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, right)  # PR_CAPBSET_DROP


CANNOT_BE_WRITTEN = "This can be read, but not written. Change its rights, or name another place:"


@pytest.mark.parametrize("name", ["ofcscore.sqlite3", "ofcscore.sqlite3-shm", ""])
def test_a_database_that_cannot_be_written(env: dict[str, str], name: str) -> None:
    """It needs its directory, and files beside it, which a command may have left as unwritable as the database was."""
    path = unwritable(env, name)
    assert f"{CANNOT_BE_WRITTEN} {path}." in refused(env, before=without_rights_of_root)
    path.chmod(0o700)


@pytest.mark.parametrize("name", ["ofcscore.sqlite3", ""])
def test_a_command_says_what_cannot_be_written(env: dict[str, str], name: str) -> None:
    path = unwritable(env, name)
    ended = subprocess.run(
        [sys.executable, "-m", "ofcscore.command", "host-link"],
        cwd=ROOT, env=env, capture_output=True, text=True, preexec_fn=without_rights_of_root, check=False,
    )  # fmt: skip
    path.chmod(0o700)
    assert ended.stderr == f"{CANNOT_BE_WRITTEN} {path}.\n"


def unwritable(env: dict[str, str], name: str) -> Path:
    """The file of this name in the data directory, or the directory itself, which its owner may only read now."""
    path = Path(env["DATA_DIR"]) / name
    if name:
        path.touch()
    path.chmod(path.stat().st_mode & ~0o222)
    return path


def test_a_backup_that_cannot_be_read_is_not_said_to_be_unwritable(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "table.zip").touch(mode=0)
    ended = subprocess.run(
        [sys.executable, "-m", "ofcscore.command", "restore", str(tmp_path / "table.zip")],
        cwd=ROOT, env=env, capture_output=True, text=True, preexec_fn=without_rights_of_root, check=False,
    )  # fmt: skip
    assert ended.stderr == f"This cannot be read. Change its rights: {tmp_path}/table.zip.\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("THREADS", "many"),
        ("THREADS", "0"),
        ("THREADS", "100000"),
        ("PORT", "0"),
        ("CONNECTIONS_PER_CLIENT", "-5"),
        ("HANDS_PER_SESSION", "99999999999999999999"),
        ("KEEP_IDLE_DAYS", "-1"),
        ("KEEP_IDLE_DAYS", "99999999999"),
        ("DATA_DIR", ""),
        ("DATA_DIR", str(ROOT)),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("ALLOWED_HOSTS", "https://ofc.example.org"),
        ("ALLOWED_HOSTS", "ofc.example.org/ofc"),
        ("ALLOWED_HOSTS", "ofc.example.org ofc.example.com"),
        ("ALLOWED_HOSTS", "ofc.example.org:8000"),
        ("ALLOWED_HOSTS", ",,"),
        ("ALLOWED_HOSTS", "*"),
        ("TRUSTED_PROXIES", "foo"),
        ("TRUSTED_PROXIES", "10.0.0.0/99"),
        ("NEW_CLUB_CODE", "short"),
        ("DEMO", "perhaps"),
        ("LOG_FORMAT", "xml"),
        ("TIME_ZONE", "Nowhere/Else"),
        ("DATABASE_URL", "mysql://localhost/ofc"),
        ("DATABASE_URL", "nonsense"),
        ("DIRECT_DATABASE_URL", "postgres://localhost/ofc"),
        ("NOTICES_URL", "redis://localhost"),
        ("METRICS_TOKEN", "short"),
        ("ALLOW_NEW_CLUBS", "code"),
        ("URL_PREFIX", "ofc"),
        ("URL_PREFIX", "/static"),
    ],
)
def test_a_variable_that_says_nothing(tmp_path: Path, name: str, value: str) -> None:
    assert name in refused(environment(tmp_path, SECRET_KEY=KEY) | {name: value})


@pytest.mark.parametrize("url", ["https://nowhere.invalid", "redis://nowhere.invalid:port/0", "nowhere.invalid"])
def test_notices_go_by_redis_or_by_postgresql(tmp_path: Path, url: str) -> None:
    there = {"DATABASE_URL": "postgres://nowhere.invalid/ofc", "NOTICES_URL": url}
    assert "names no server of Redis" in refused(environment(tmp_path, SECRET_KEY=KEY) | there)


def test_a_variable_is_told_with_its_value_and_what_is_wanted_and_no_password(tmp_path: Path) -> None:
    def line(**variable: str) -> str:
        return refused(environment(tmp_path, SECRET_KEY=KEY) | variable)

    assert line(PORT="x").startswith("PORT=x says nothing that can be used: not a valid integer.")
    assert "between" in line(THREADS="0") or "1" in line(THREADS="0").partition(":")[2]
    assert "text, json" in line(LOG_FORMAT="xml")
    assert "secret" not in line(DATABASE_URL="nonsense://ann:secret@h/x")


def test_a_port_that_is_no_number(tmp_path: Path) -> None:
    ended = manage("serve", env=environment(tmp_path, SECRET_KEY=KEY, PORT="x"))
    assert ended.returncode != 0
    assert "PORT" in ended.stderr
    assert "--port" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_disk_without_room(tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    env = environment(tmp_path, SECRET_KEY=KEY, DEMO="0")
    ended = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, preexec_fn=full, check=False,
    )  # fmt: skip
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    assert ended.stderr.startswith("The database cannot be used")


FULL = """
mount -t tmpfs -o size=2m tmpfs "$DATA_DIR" && cp "$KEPT" "$DATA_DIR/ofcscore.sqlite3"
dd if=/dev/zero of="$DATA_DIR/filling" bs=4k status=none 2>/dev/null
for command in "serve --port 0" host-link drill
do "$PYTHON" -m ofcscore.command $command && exit 1
done
rm "$DATA_DIR"/*
head -c 1500000 /dev/zero >"$DATA_DIR/filling"
"$PYTHON" -m ofcscore.command restore "$BACKUP" && exit 1
ls -A "$DATA_DIR"
"""
"""Makes a small disk that only this shell sees, fills it, and starts commands on a database that is there already."""


def test_a_full_disk_under_a_database_is_called_a_full_disk(env: dict[str, str], tmp_path: Path) -> None:
    alone = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, "mount -t tmpfs tmpfs /mnt"], check=False).returncode:
        pytest.skip("No user namespace can be made here, and only in one may a test mount a small disk.")
    with tempfile.TemporaryDirectory() as elsewhere:  # `tmp_path` has the data, and what is mounted hides them
        kept, backup = Path(elsewhere) / "kept.sqlite3", Path(elsewhere) / "table.zip"
        assert manage("backup", str(backup), env=env).returncode == 0
        kept.write_bytes((tmp_path / "ofcscore.sqlite3").read_bytes())
        more = {"PYTHON": sys.executable, "KEPT": str(kept), "BACKUP": str(backup)}
        ended = subprocess.run([*alone, FULL], cwd=ROOT, env=env | more, capture_output=True, text=True, check=False)
    assert (
        ended.stderr.splitlines() == [f"The disk is full. Make room and start again: {tmp_path}/ofcscore.sqlite3."] * 4
    )
    assert sorted(ended.stdout.split()) == ["filling", "ofcscore.sqlite3-served"]


# --- A refused start changes nothing -------------------------------------------------------------------------------


def started(env: dict[str, str], *options: str) -> str:
    """The one line in which `ofcscore serve` refuses."""
    ended = subprocess.run(
        [sys.executable, "-m", "ofcscore.command", "serve", *options],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert "\n" not in ended.stderr.strip()
    return ended.stderr


def of_first_release(data: Path) -> dict[str, str]:
    """The environment of a data directory as 0.1.0 left it."""
    data.mkdir()
    kept = ROOT / "tests" / "upgrades" / "0.1.0.sqlite3.gz"
    (data / "ofcscore.sqlite3").write_bytes(gzip.decompress(kept.read_bytes()))
    return environment(data, SECRET_KEY=KEY)


def stored(data: Path) -> tuple[list[str], str]:
    """The names of what is in the data directory, and everything that the database holds."""
    with closing(sqlite3.connect(data / "ofcscore.sqlite3")) as database:
        dump = "\n".join(database.iterdump())
    return sorted(each.name for each in data.iterdir() if not each.name.endswith(("-wal", "-shm"))), dump


def test_a_port_in_use_leaves_the_data_of_an_earlier_release(tmp_path: Path) -> None:
    env = of_first_release(tmp_path / "data")
    before = stored(tmp_path / "data")
    with socket.create_server(("0.0.0.0", 0)) as taken:
        assert "is in use" in started(env, "--port", str(taken.getsockname()[1]))
    assert stored(tmp_path / "data") == before


def test_a_clock_that_is_behind_leaves_the_data_of_an_earlier_release(tmp_path: Path) -> None:
    env = of_first_release(tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data" / "ofcscore.sqlite3")) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("UPDATE scoring_event SET at = '2999-01-01 00:00:00'")
    before = stored(tmp_path / "data")
    assert "The clock says" in started(env, "--port", "0")
    assert stored(tmp_path / "data") == before


def test_a_refused_first_start_leaves_no_database(tmp_path: Path) -> None:
    env = environment(tmp_path / "data", SECRET_KEY=KEY)
    with socket.create_server(("0.0.0.0", 0)) as taken:
        assert "is in use" in started(env, "--port", str(taken.getsockname()[1]))
    assert list(tmp_path.iterdir()) == []


# --- Between the look and the serving --------------------------------------------------------------------------------

DURING = """
import os, signal, socket, sys
from django.core import management
real = management.call_command
def stepped(name, *arguments, **options):
    answer = real(name, *arguments, **options)
    if name == {step!r}:
        {then}
    return answer
management.call_command = stepped
from ofcscore.command import main
main(["serve", "--port", {port!r}])
"""
"""Runs `ofcscore serve`, and does something at the end of one of the steps that prepare it."""


def during(env: dict[str, str], step: str, then: str, port: int = 0) -> subprocess.CompletedProcess[str]:
    code = DURING.format(step=step, then=then, port=str(port))
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("step", "name"),
    [("migrate", "SIGINT"), ("collectstatic", "SIGINT"), ("collectstatic", "SIGTERM"), ("demo", "SIGINT")],
)
def test_who_stops_a_start_reads_one_line_and_the_next_start_makes_the_rest(
    tmp_path: Path, step: str, name: str
) -> None:
    env = environment(tmp_path, SECRET_KEY=KEY)
    ended = during(env, step, f"os.kill(os.getpid(), signal.{name})")
    assert ended.returncode == 130
    assert ended.stdout == ""
    assert ended.stderr.strip() == (
        "Stopped before it served. Nothing is half done: the next start makes what is missing."
    )
    with serving([sys.executable, "-m", "ofcscore.command"], ROOT, **given(env)) as (_, port):
        page = ask(port, "/demo/")[1].decode()
        (style,) = re.findall(r'href="(/static/app\.[0-9a-f]+\.css)"', page)
        assert ask(port, style)[0] == 200
        assert {".gz", ".css"} <= {each.suffix for each in (tmp_path / "static").glob("app.*.css*")}


def test_who_stops_a_command_reads_one_line(tmp_path: Path) -> None:
    code = (
        "import os, signal\nfrom ofcscore.command import plainly\nwith plainly():\n os.kill(os.getpid(), signal.SIGINT)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.strip()) == (130, "Stopped.")


def test_nobody_else_gets_the_port_while_the_server_is_prepared(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    steal = f"socket.create_server(('0.0.0.0', {port}))"
    ended = during(environment(tmp_path, SECRET_KEY=KEY, DEMO="0"), "migrate", steal, port)
    assert "Address already in use" in ended.stderr


def test_a_disk_without_room_is_noticed_before_anything_is_made(tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

    env = environment(tmp_path / "data", SECRET_KEY=KEY)
    assert str(tmp_path) in refused(env, before=full)
    assert list((tmp_path / "data").iterdir()) == []


def test_an_option_that_says_nothing(tmp_path: Path) -> None:
    assert "--port" in started(environment(tmp_path, SECRET_KEY=KEY), "--port", "many")
