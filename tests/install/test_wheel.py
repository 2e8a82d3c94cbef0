"""The wheel: installed into an empty environment it serves a table, from an empty directory, with one command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import ofcscore
from tests.install.browser import Browser
from tests.pages import follow, form
from tests.servers import ROOT, serving

pytestmark = pytest.mark.slow


def run(command: Sequence[str | Path], *, at: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command that knows nothing of this checkout."""
    return subprocess.run(
        list(map(str, command)),
        cwd=at,
        env={"PATH": os.environ["PATH"], "HOME": str(at), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def did(command: Sequence[str | Path], *, at: Path, **environment: str) -> str:
    """What a command printed that succeeded."""
    done = run(command, at=at, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    to = tmp_path_factory.mktemp("wheel")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", to)
    did([sys.executable, "-m", "pip", "wheel", *options, ROOT], at=to)
    (made,) = to.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `ofcscore` of an environment that has the wheel and what it needs, in the versions of this one."""
    at = tmp_path_factory.mktemp("environment")
    did([sys.executable, "-m", "venv", at], at=at)
    pip = at / "bin" / "pip"
    did([pip, "install", "--quiet", "--requirement", ROOT / "requirements.txt"], at=at)
    did([pip, "install", "--quiet", "--no-index", wheel], at=at)  # fails if it needs anything that is not pinned
    return at / "bin" / "ofcscore"


def test_it_has_every_file_that_the_app_reads(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if "/" in name}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    beside = ("templates/", "static/")
    wanted = {f"ofcscore/beside/{each}" for each in listed if each.startswith(beside)}
    wanted |= {each for each in listed if each.startswith(("scoring/", "ofcscore/"))}
    wanted |= {f"ofcscore/beside/{each}" for each in ("docs/rules.md", "scripts/verify", "manage.py")}
    assert wanted - inside == set()
    assert {name for name in inside - wanted if ".dist-info/" not in name} == set(), "it has what nobody put there"


def test_it_asks_for_the_versions_that_are_tested() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = re.findall(r"(?m)^([\w.-]+==[^\s;\\]+)", (ROOT / "requirements.txt").read_text())
    assert set(asked) <= set(pinned)


def test_a_table_is_played_in_an_empty_directory(installed: Path, tmp_path: Path) -> None:
    state = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    with serving([str(installed)], tmp_path, **state) as (_, port):
        browser = Browser(port)
        assert "OFC Score" in browser.get("/").text
        page = browser.get("/new/")
        starting = form(page, "Start game").fill({"name-1": "Ann", "name-2": "Bob"})
        table = starting.press("Start game")
        table = form(table, "I’ve saved it").press("I’ve saved it")
        typed = {"p1-front": "QQ7", "p1-middle": "66554", "p1-back": "AAKK2", "p2-front": "984", "p2-middle": "TT832",
                 "p2-back": "JJ997"}  # fmt: skip
        preview = form(follow(table, "Enter hand 1"), "Show the settlement").fill(typed).press("Show the settlement")
        settled = form(preview, "Settle hand 1").press("Settle hand 1")
        assert "Two pair, Aces and Kings" in settled.text
        style = re.findall(r'href="(/static/app\.[0-9a-f]+\.css)"', table.text)
        assert browser.get(style[0]).status_code == 200
        for address in ("/demo/", "/rules/", "/verify/", "/check/", "/sw.js", "/api/v1/docs"):
            assert browser.get(address).status_code == 200, address
    assert (tmp_path / "state" / "ofcscore" / "ofcscore.sqlite3").exists()
    assert [each.name for each in tmp_path.iterdir()] == ["state"], "it leaves files where it was started"


def test_its_commands_are_there(installed: Path, tmp_path: Path) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert "ofcscore host-link" in did([installed, "--help"], at=tmp_path, **state)
    assert did([installed, "--version"], at=tmp_path, **state).strip() == f"ofcscore {ofcscore.__version__}"
