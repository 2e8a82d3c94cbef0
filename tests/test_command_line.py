"""What a command says of a name or an option that it does not know: one line, whichever command it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.backup.databases import run
from tests.test_serving import environment


@pytest.mark.slow
def test_the_schema_of_the_api_is_written_without_saying_where_the_api_is(tmp_path: Path) -> None:
    ended = run(environment(tmp_path / "data"), "export_openapi_schema")
    assert ended.returncode == 0, ended.stderr
    assert "/api/v1/score" in json.loads(ended.stdout)["paths"]
    assert list(tmp_path.iterdir()) == []
