"""A small evening of `make load`: PgBouncer, HAProxy and two processes, with accidents, and every hand in the books."""

import os
import subprocess
import sys

import pytest

from bench.load.machines import missing
from tests.servers import ROOT

pytestmark = pytest.mark.slow

NEEDED = ("postgres", "pgbouncer", "haproxy")


@pytest.mark.skipif(bool(missing(*NEEDED)), reason=f"not installed: {', '.join(missing(*NEEDED))}")
def test_every_hand_is_in_the_books_although_a_process_is_killed_and_the_database_restarted() -> None:
    """One is added, too. The program checks the books itself; its exit status says whether they were right."""
    command = [sys.executable, "-m", "bench.load", "--tables", "5"]
    environment = {"PATH": os.environ["PATH"]}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "A process was killed, one added and PostgreSQL restarted while" in ended.stdout
    assert "nothing wrong in the books" in ended.stdout
