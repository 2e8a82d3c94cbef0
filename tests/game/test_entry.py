"""An entry comes back from JSON as it was, and says whether it has anything otherwise."""

import json
from typing import Any

import pytest

from scoring.game.entry import Entry, Rows, pair, pair_stakes_as_list, pair_stakes_from_list
from scoring.rules.houserules import resolve

BOARDS = {2: Rows("QQ7", "AA44J", "89TJQ"), 1: Rows(ruling="dead")}
STORED_BOARDS = {"1": {"ruling": "dead"}, "2": {"front": "QQ7", "middle": "AA44J", "back": "89TJQ"}}

ENTRIES: list[tuple[Entry, dict[str, Any], bool]] = [
    (Entry(), {"boards": {}}, False),
    (Entry(BOARDS), {"boards": STORED_BOARDS}, False),
    (Entry(points=((1, 2, 5), (3, 1, -2))), {"boards": {}, "points": [[1, 2, 5], [3, 1, -2]]}, False),
    (Entry(points=()), {"boards": {}, "points": []}, False),
    (Entry(seats=(2, 3, 1)), {"boards": {}, "seats": [2, 3, 1]}, True),
    (Entry(button=3), {"boards": {}, "button": 3}, True),
    (Entry(fantasyland={2: 14, 1: 13}), {"boards": {}, "fantasyland": {"1": 13, "2": 14}}, True),
    (Entry(fantasyland={}), {"boards": {}, "fantasyland": {}}, True),
    (Entry(stake=0), {"boards": {}, "stake": 0}, True),
    (Entry(pair_stakes={(1, 3): 9, (1, 2): 5}), {"boards": {}, "pair_stakes": [[1, 2, 5], [1, 3, 9]]}, True),
    (Entry(rules=resolve("bga")), {"boards": {}, "rules": resolve("bga").as_document()}, True),
    (Entry(note="Why"), {"boards": {}, "note": "Why"}, False),
]


@pytest.mark.parametrize(("entry", "stored", "overrides"), ENTRIES, ids=[str(list(stored)) for _, stored, _ in ENTRIES])
def test_an_entry_comes_back_as_it_was(entry: Entry, stored: dict[str, Any], overrides: bool) -> None:
    assert entry.as_document() == stored
    assert Entry.read(json.loads(json.dumps(stored))) == entry
    assert entry.overrides is overrides


def test_boards_are_kept_by_seat() -> None:
    assert list(Entry(BOARDS).as_document()["boards"]) == ["1", "2"]


def test_a_pair_has_its_lower_seat_first() -> None:
    assert pair(2, 1) == pair(1, 2) == (1, 2)
    assert pair_stakes_from_list([[3, 1, 5], [1, 2, 7]]) == {(1, 3): 5, (1, 2): 7}
    assert pair_stakes_as_list({(1, 3): 5, (1, 2): 7}) == [[1, 2, 7], [1, 3, 5]]
