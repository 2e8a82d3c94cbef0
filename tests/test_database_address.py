"""What `DATABASE_URL` asks of PostgreSQL reaches the driver, and a PostgreSQL that lets nobody in is named in one line.

A socket of the test plays the server where that must answer in a certain way, so no PostgreSQL is needed here.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ROOT
from tests.test_serving import KEY, environment

pytestmark = pytest.mark.slow

WITHOUT_TLS = b"N"
"""What PostgreSQL answers who asks for TLS where it has none."""


def fatal(code: str, text: str) -> bytes:
    """What PostgreSQL says before it hangs up on somebody."""
    fields = f"SFATAL\0C{code}\0M{text}\0\0".encode()
    return b"E" + (len(fields) + 4).to_bytes(4, "big") + fields


@contextmanager
def plain_server(heard: list[bytes], answer_to_it: bytes = b"") -> Iterator[int]:
    """The port of a server that has no TLS, and what clients go on to say to it all the same."""

    def answer() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:  # the test is over
                return
            with client:
                client.recv(8)
                client.sendall(WITHOUT_TLS)
                heard.append(client.recv(1024))
                client.sendall(answer_to_it)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, daemon=True).start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)


def ended(env: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    """How a command of `ofcscore` ended, what it printed, and what it complained of."""
    done = subprocess.run(
        [sys.executable, "-m", "ofcscore.command", *arguments],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.strip().removeprefix("CommandError: ")


def printed(env: dict[str, str], code: str) -> Any:
    """What this code prints as JSON in an app with this environment."""
    code = f"import json, django; django.setup()\n{code}"
    env = env | {"DJANGO_SETTINGS_MODULE": "ofcscore.settings"}
    return json.loads(subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=env, text=True))


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("migrate",)])
def test_nothing_is_said_to_a_server_without_tls_where_the_address_requires_it(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    heard: list[bytes] = []
    with plain_server(heard) as port:
        url = f"postgres://ofc:secret@127.0.0.1:{port}/ofc?sslmode=require"
        code, said, complaint = ended(environment(tmp_path, SECRET_KEY=KEY, DATABASE_URL=url), *command)
    assert (code, said) == (1, "")
    assert "SSL was required" in complaint
    assert set(heard) == {b""}


PARAMETERS = """
from django.db import connection
from scoring.live import postgres
own, direct = connection.get_connection_params(), postgres._terms()
kept = ("sslmode", "application_name", "target_session_attrs", "connect_timeout", "host")
print(json.dumps([{name: each.get(name) for name in kept} for each in (own, direct)] + [bool(connection.pool)]))
"""


def test_each_address_has_options_of_its_own_beside_those_of_the_app(tmp_path: Path) -> None:
    env = environment(
        tmp_path,
        SECRET_KEY=KEY,
        DATABASE_URL="postgres://pooler.invalid/ofc?sslmode=verify-full&application_name=table",
        DIRECT_DATABASE_URL="postgres:///ofc?host=/run/nowhere&target_session_attrs=primary&connect_timeout=3",
    )
    own, direct, pooled = printed(env, PARAMETERS)
    assert pooled
    assert own == {
        "sslmode": "verify-full", "application_name": "table", "target_session_attrs": None, "connect_timeout": 5,
        "host": "pooler.invalid",
    }  # fmt: skip
    assert direct == {
        "sslmode": None, "application_name": "ofcscore live", "target_session_attrs": "primary", "connect_timeout": 3,
        "host": "/run/nowhere",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["DATABASE_URL", "DIRECT_DATABASE_URL"])
@pytest.mark.parametrize("option", ["sslmod=require", "pool=0", "sslmode=require&sslmode=disable"])
def test_an_option_that_postgresql_does_not_have_is_refused(tmp_path: Path, name: str, option: str) -> None:
    url = {"DATABASE_URL": "postgres://nowhere.invalid/ofc", name: f"postgres://u:secret@nowhere.invalid/ofc?{option}"}
    code, said, complaint = ended(environment(tmp_path, SECRET_KEY=KEY) | url, "serve", "--port", "0")
    assert (code, said) == (1, "")
    assert complaint.startswith(f"{name} ")
    assert option.partition("=")[0] in complaint
    assert "secret" not in complaint
    assert "\n" not in complaint


def test_an_option_that_a_file_of_sqlite_would_not_heed_is_refused(tmp_path: Path) -> None:
    env = environment(tmp_path, SECRET_KEY=KEY, DATABASE_URL=f"sqlite:///{tmp_path}/ofc.sqlite3?mode=ro")
    code, said, complaint = ended(env, "serve", "--port", "0")
    assert (code, said) == (1, "")
    assert "DATABASE_URL" in complaint
    assert "mode" in complaint


# --- A PostgreSQL that cannot be used --------------------------------------------------------------------------------

COMMANDS = [
    (sys.executable, "-m", "ofcscore.command", "serve", "--port", "0"),
    (sys.executable, "manage.py", "serve", "--port", "0"),
    (sys.executable, "-m", "ofcscore.command", "check"),
    (sys.executable, "manage.py", "migrate"),
]


def refused(env: dict[str, str], command: tuple[str, ...]) -> str:
    """The one line with which a command gives up."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    line = done.stderr.strip().removeprefix("CommandError: ")
    assert "\n" not in line, line
    return line


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[1:]))
def test_a_server_that_is_not_there_is_named_with_the_reason(tmp_path: Path, command: tuple[str, ...]) -> None:
    def line(url: str) -> str:
        return refused(environment(tmp_path, SECRET_KEY=KEY, DATABASE_URL=url), command)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert line(f"postgres://ofc:secret@127.0.0.1:{port}/ofc") == (
        f"PostgreSQL at 127.0.0.1:{port} cannot be used: Connection refused. Look at DATABASE_URL."
    )
    assert "PostgreSQL at nowhere.invalid:5432 cannot be used: " in line("postgres://nowhere.invalid/ofc")
    for code, text in (
        ("28P01", 'password authentication failed for user "ofc"'),
        ("3D000", 'database "ofc" does not exist'),
    ):
        with plain_server([], fatal(code, text)) as port:
            assert line(f"postgres://ofc:secret@127.0.0.1:{port}/ofc") == (
                f"PostgreSQL at 127.0.0.1:{port} cannot be used: {text}. Look at DATABASE_URL."
            )


def test_a_server_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgres://ofc@127.0.0.1:{silent.getsockname()[1]}/ofc"
        for command in (COMMANDS[0], COMMANDS[2]):
            line = refused(environment(tmp_path, SECRET_KEY=KEY, DATABASE_URL=url), command)
            assert "connection timeout expired" in line
