"""What a command says of a name or an option that it does not know: one line, whichever command it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands

from ofcscore.command import get_ready
from tests.backup.databases import run
from tests.test_serving import KEY, environment, manage


@pytest.mark.parametrize("name", sorted(get_commands()))
def test_every_command_says_in_one_line_that_it_does_not_know_an_option(name: str) -> None:
    with pytest.raises(CommandError) as refusal:
        get_ready([name, "--no-such-option"])
    line = str(refusal.value)
    assert line.startswith(f"{name}: ")
    assert line.endswith(". Add --help to see what it takes.")
    assert "\n" not in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (["score", "--nope"], "score: unrecognized arguments: --nope. Add --help to see what it takes."),
        (["serve", "--port", "x"], "serve: argument --port: invalid int value: 'x'. Add --help to see what it takes."),
        (["backup"], "backup: the following arguments are required: file. Add --help to see what it takes."),
        (["check", "--nope"], "audit_ledger: unrecognized arguments: --nope. Add --help to see what it takes."),
        (["restor"], "There is no command restor. Did you mean restore? Type `ofcscore --help` to see what there is."),
        (["help", "xyzzy"], "There is no command xyzzy. Type `ofcscore --help` to see what there is."),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_what_is_typed_wrong_is_said_in_one_line_and_nothing_is_made(
    tmp_path: Path, typed: list[str], line: str
) -> None:
    env = environment(tmp_path / "data", SECRET_KEY=KEY)
    for ended in (run(env, *typed), *([] if typed[0] == "check" else [manage(*typed, env=env)])):
        assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"{line}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_all_of_check_is_looked_at_before_its_first_part_runs(tmp_path: Path) -> None:
    env = environment(tmp_path, SECRET_KEY=KEY, DEMO="0")
    assert run(env, "migrate", "--verbosity", "0").returncode == 0
    ended = run(env, "check", "a-session")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "rescore: unrecognized arguments: a-session. Add --help to see what it takes.\n"


@pytest.mark.slow
def test_the_schema_of_the_api_is_written_without_saying_where_the_api_is(tmp_path: Path) -> None:
    ended = run(environment(tmp_path / "data"), "export_openapi_schema")
    assert ended.returncode == 0, ended.stderr
    assert "/api/v1/score" in json.loads(ended.stdout)["paths"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_command_starts_without_what_the_api_alone_needs(tmp_path: Path) -> None:
    """It would start half as fast."""
    env = environment(tmp_path, PYTHONPROFILEIMPORTTIME="1")
    ended = manage("audit_ledger", "--help", env=env)
    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "scoring.ledger" in imported
    assert not imported & {"ninja", "pydantic"}
