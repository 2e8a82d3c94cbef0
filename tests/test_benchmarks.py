"""Benchmarks and scripts press what the pages have, though no test runs them."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent

DRIVERS = [*sorted((ROOT / "bench").glob("*.py")), ROOT / "scripts" / "screenshots"]

# A button, a heading or a field by its name, and a text that a script waits for.
NAMES = re.compile(
    r"""(?:get_by_role\("(?:button|heading)", name=f?|get_by_label\(f?|textContent\.includes\()"([^"]+)\""""
)
PLACE = re.compile(r"%\(\w+\)s|\{\w*\}")


def texts() -> list[re.Pattern[str]]:
    """All that pages and their scripts say in English, with a place for each figure and name."""
    ids: list[str] = []
    for catalog in ("django.po", "djangojs.po"):
        with (ROOT / "scoring/locale/de/LC_MESSAGES" / catalog).open("rb") as file:
            ids += [each.id if isinstance(each.id, str) else each.id[0] for each in read_po(file)]
    return [
        re.compile(r"(?:\d+|[A-Z]\w*)".join(map(re.escape, PLACE.split(text))))
        for text in ids
        if len(PLACE.sub("", text).strip()) > 2
    ]


TEXTS = texts()
PRESSED = sorted({(path.name, name) for path in DRIVERS for name in NAMES.findall(path.read_text())})


def test_names_are_found() -> None:
    assert {name for _, name in PRESSED} >= {"Open link", "Who pays whom", "Start game"}


@pytest.mark.parametrize(("driver", "name"), PRESSED)
def test_a_page_has_it(driver: str, name: str) -> None:
    value = PLACE.sub("7", name)
    assert any(text.fullmatch(value) for text in TEXTS), f"{driver} looks for {name!r}, which no page says"
