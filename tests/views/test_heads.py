"""What a page says of itself before anybody reads it: its title and its description."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.access.conftest import Cast, whole_cast
from tests.access.test_table import TABLE, address

TYPED = "p1-front=7s8d9c&p1-middle=6h6d8s9dTc&p1-back=7h7d8h8cTs&p2-ruling=dead&p3-ruling=dead"


@pytest.fixture
def cast(db: None) -> Cast:
    return whole_cast()


def title(client: Client, path: str) -> str:
    found = re.findall("<title>(.*) · OFC Score</title>", client.get(path).content.decode())
    assert len(found) == 1
    return unescape(found[0])


def test_every_step_of_a_hand_has_a_title_of_its_own(cast: Cast) -> None:
    host, at = cast.browsers["host"], f"/s/{cast.session.public_id}"
    titles = {
        f"{at}/hand/": "Enter hand 4",
        f"{at}/hand/?number=4&seats=1.2.3&key=seen&{TYPED}": "Hand 4: preview, not saved yet",
        f"{at}/hands/3/": "Hand 3, settled",
        f"{at}/hands/2/": "Hand 2, void",
        f"{at}/hands/2/?version=1": "Hand 2, version 1",
        f"{at}/hands/3/correct/": "Correct hand 3",
        f"{at}/hands/3/correct/?checked=1&key=seen&{TYPED}": "Correct hand 3: what changes, not saved yet",
        f"{at}/hands/3/void/": "Void hand 3: what changes, not saved yet",
    }
    assert {path: title(host, path) for path in titles} == titles


@pytest.mark.parametrize("who", ["host", "viewer", "nobody"])
def test_every_page_has_one_description(cast: Cast, who: str) -> None:
    described: dict[str, list[Any]] = {}
    for each in TABLE:
        path = address(each.pattern, cast, who)
        page = cast.browsers[who].get(path).getvalue().decode(errors="replace") if each.method == "GET" else ""
        if '<main id="main"' in page:
            described[path] = re.findall(r'<meta name="description"[^>]*\scontent="([^"]{40,160})">', page)
    assert len(described) > 10
    assert {path: found for path, found in described.items() if len(found) != 1} == {}
