"""What systemd and a container run: units that systemd accepts, and the image's own commands, with the wheel."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.install.test_wheel import did, installed, run, wheel
from tests.servers import ROOT, serving

__all__ = ["installed", "wheel"]

pytestmark = pytest.mark.slow

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
STEPS = [
    re.split(r"\s+", step, maxsplit=1)
    for step in re.sub(r"\\\n\s*", "", DOCKERFILE).splitlines()
    if step and not step.startswith("#")
]
"""The instructions of the Dockerfile, each with its arguments."""


def of(instruction: str) -> list[str]:
    return [given for name, given in STEPS if name == instruction]


def accepted(*units: Path) -> None:
    """systemd itself judges the units, which a container without it cannot have done."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("There is no systemd-analyze here to judge the units.")
    verified = run(["systemd-analyze", "verify", *units], at=units[0].parent)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("which", ["service", "backup", "timer"])
def test_systemd_accepts_the_unit(installed: Path, tmp_path: Path, which: str) -> None:
    names = {"service": "ofcscore.service", "backup": "ofcscore-backup.service", "timer": "ofcscore-backup.timer"}
    for each, name in names.items():
        (tmp_path / name).write_text(did([installed, "unit", each], at=tmp_path, DATA_DIR=str(tmp_path / "data")))
    text = (tmp_path / names[which]).read_text()
    for line in re.findall("^ExecStart=(.*)$", text, re.MULTILINE):
        assert shlex.split(line)[0] == str(installed)
    accepted(tmp_path / names[which])


@pytest.mark.parametrize("name", ["a b", "50%S", "$HOME", "a ${HOME} %%"])
def test_systemd_finds_the_command_whatever_its_path_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setattr(settings, "INSTALLED", True)
    program = tmp_path / name / "ofcscore"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    for which in ("service", "backup"):
        call_command("unit", which)
        (tmp_path / f"{which}.service").write_text(capsys.readouterr().out)
    accepted(*tmp_path.glob("*.service"))


@pytest.mark.parametrize("name", ["a'b", 'a"b', r"a\b", "a\nb"])
def test_a_path_that_systemd_refuses_is_refused_before(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(settings, "INSTALLED", True)
    monkeypatch.setattr(sys, "executable", f"/opt/{name}/bin/python")
    with pytest.raises(CommandError, match="systemd starts nothing whose path has a quote"):
        call_command("unit")


def test_the_nightly_backup_does_what_the_unit_says(installed: Path, tmp_path: Path) -> None:
    state = {"DATA_DIR": str(tmp_path / "ofcscore")}
    did([installed, "migrate"], at=tmp_path, **state)
    unit = did([installed, "unit", "backup"], at=tmp_path, **state).replace("%S", str(tmp_path))
    for line in re.findall("^ExecStart=(.*)$", unit, re.MULTILINE):
        did(shlex.split(line), at=tmp_path, **state)
    assert [each.suffix for each in (tmp_path / "ofcscore" / "nightly").iterdir()] == [".zip"]
    assert set(json.loads((tmp_path / "ofcscore" / "kept.json").read_text())) == {"backup", "drill"}


def test_only_the_last_backups_stay_and_what_else_lies_beside_them(installed: Path, tmp_path: Path) -> None:
    state = {"DATA_DIR": str(tmp_path / "data")}
    did([installed, "migrate"], at=tmp_path, **state)
    nightly = tmp_path / "nightly"
    nightly.mkdir()
    for name in ("ofc-20260101-000000.zip", "ofc-20260102-000000.zip", "my-own.zip", "ofc-notes.txt"):
        (nightly / name).touch()
    did([installed, "backup", "--keep", "2", f"{nightly}/"], at=tmp_path, **state)
    left = sorted(each.name for each in nightly.iterdir())
    assert left[:2] == ["my-own.zip", "ofc-20260102-000000.zip"]
    assert len(left) == 4
    for wrong in (["--keep", "2", "table.zip"], ["--keep", "-1", f"{nightly}/"]):
        assert "--keep" in run([installed, "backup", *wrong], at=tmp_path, **state).stderr
    assert sorted(each.name for each in nightly.iterdir()) == left


def test_the_image_runs_as_a_fixed_user_that_is_not_root() -> None:
    assert of("USER") == ["10001:10001"]
    assert [name for name, _ in STEPS].index("USER") < [name for name, _ in STEPS].index("ENTRYPOINT")
    assert of("VOLUME") == ["/data"]
    assert "DATA_DIR=/data" in of("ENV")[0]


def test_the_images_are_pinned_to_a_version() -> None:
    images = [given.split()[0] for given in of("FROM")] + [
        each["image"] for each in COMPOSE["services"].values() if "image" in each
    ]
    assert len(images) == 4
    for image in images:
        assert re.fullmatch(r"[a-z]+:[0-9]+(\.[0-9]+)?(-[a-z-]+)?", image), image


def test_the_images_health_check_and_command_are_those_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert json.loads(of("ENTRYPOINT")[0]) == ["/opt/ofcscore/bin/ofcscore"]
    assert json.loads(of("CMD")[0]) == ["serve"]
    command = json.loads(of("HEALTHCHECK")[0].partition(" CMD ")[2])
    assert command[0] == "/opt/ofcscore/bin/python"
    with serving([str(installed)], tmp_path, HOME=str(tmp_path), DEMO="0") as (_, port):
        check = [sys.executable, *(part.replace("8000", str(port)) for part in command[1:])]
        assert subprocess.run(check, check=False).returncode == 0
    assert subprocess.run(check, check=False, stderr=subprocess.DEVNULL).returncode != 0


def test_the_wheel_is_installed_as_the_wheels_test_does() -> None:
    build = of("RUN")[0]
    assert "--require-hashes -r requirements.txt" in build
    assert "pip wheel --no-cache-dir --no-deps" in build
    for name in ("requirements.txt", "pyproject.toml"):
        ignored = (ROOT / ".dockerignore").read_text().split()
        assert name not in ignored
        assert (ROOT / name).exists()


def test_the_composition_gives_the_app_what_it_needs_and_nobody_else_the_database(tmp_path: Path) -> None:
    app, database, proxy = (COMPOSE["services"][name] for name in ("app", "database", "proxy"))
    assert app["read_only"] is True
    assert database["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "ports" not in app
    assert "ports" not in database
    assert proxy["networks"] == ["outside"]
    assert app["environment"]["TRUSTED_PROXIES"] == COMPOSE["networks"]["outside"]["ipam"]["config"][0]["subnet"]
    # The settings take these variables, with a name for the domain.
    given = {name: value.replace("${DOMAIN:?Set DOMAIN to the name of this server}", "ofc.example.org")
             for name, value in app["environment"].items()}  # fmt: skip
    did([sys.executable, ROOT / "manage.py", "check"], at=tmp_path, DATA_DIR=str(tmp_path), **given)
