"""A run says which engine it could not drive, and refuses to run where all three are wanted."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest
from tests.engines import engines


@pytest.fixture(autouse=True)
def without_webkit(monkeypatch: pytest.MonkeyPatch) -> None:
    here = [engine._replace(found=("/usr/bin/true",)) for engine in engines.ENGINES]
    monkeypatch.setattr(engines, "ENGINES", (*here[:2], here[2]._replace(found=("/usr/bin/true", None))))


SENTENCE = "WebKit was not found: apt-get install webkit2gtk-driver xvfb"


@pytest.mark.parametrize(
    ("test", "lines"),
    [("tests/engines/test_evening.py::test_it[Firefox]", [SENTENCE]), ("tests/test_engines.py::test_it", [])],
)
def test_the_last_lines_name_what_was_not_found_where_it_was_wanted(test: str, lines: list[str]) -> None:
    said: list[str] = []
    reporter: Any = SimpleNamespace(
        stats={"": [SimpleNamespace(nodeid=test)], "warnings": [object()]},
        write_line=lambda line, **_: said.append(line),
    )
    conftest.pytest_terminal_summary(reporter)
    assert said == lines


def test_no_test_runs_if_all_engines_are_wanted_and_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGINES", raising=False)
    conftest.pytest_configure()
    monkeypatch.setenv("ENGINES", "all")
    with pytest.raises(pytest.UsageError, match=SENTENCE):
        conftest.pytest_configure()
