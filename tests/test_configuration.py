"""`docs/configuration.md` has a heading for each variable that the app reads, and for no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
OF_PYTHON = {"DJANGO_SETTINGS_MODULE"}
"""Variables that are not the operator's."""


def read(source: str) -> Iterator[str]:
    """The variables that this code takes from the environment, by `env.int("NAME")`, `os.environ` and the like."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            of, name = ast.unparse(node.func.value), node.args[0]
            if of in {"env", "os", "os.environ"} and isinstance(name, ast.Constant) and str(name.value).isupper():
                yield str(name.value)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
            yield str(ast.literal_eval(node.slice))


def test_every_variable_has_its_heading() -> None:
    files = [file for room in ("ofcscore", "scoring") for file in (ROOT / room).rglob("*.py")]
    variables = {name for file in files for name in read(file.read_text())} - OF_PYTHON
    described = re.findall(r"^### `(\w+)`$", (ROOT / "docs" / "configuration.md").read_text(), re.MULTILINE)
    assert len(described) == len(set(described))
    assert set(described) == variables
    assert {"DATABASE_URL", "PORT"} <= variables


def test_a_variable_is_noticed_however_it_is_read() -> None:
    source = (
        "env.bool('A_SWITCH', False)\nos.environ.get('ONE')\nos.environ['TWO']\nos.getenv('THREE')\nother.get('NO')"
    )
    assert sorted(read(source)) == ["A_SWITCH", "ONE", "THREE", "TWO"]
