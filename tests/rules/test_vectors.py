"""Every line of vectors/*.txt is scored by the engine and the slow scorer; vectors/README.md has the format."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoring.rules import document as engine

from . import naive

FOLDER = Path(__file__).parent / "vectors"
LINE = re.compile(
    r"(?P<name>[a-z0-9-]+)(?: \[(?P<rules>[^]]*)\])?: (?P<boards>.+?) => (?P<figures>.+?)  # (?P<source>.+)"
)
BOARD = re.compile(r"(?P<rows>[^{]+?)(?P<marks>( \{[^}]*\})*)")
SIGN = {1: "+", 0: "0", -1: "-"}


class Vector(NamedTuple):
    name: str
    document: dict[str, Any]
    figures: list[str]
    source: str


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def read(line: str) -> Vector:
    parts = LINE.fullmatch(line)
    assert parts, f"not a vector: {line}"
    rules: dict[str, Any] = {}
    document: dict[str, Any] = {"rules": rules}
    stacks: list[int] = []
    for word in (parts["rules"] or "").split():
        key, equals, value = word.partition("=")
        if not equals:
            rules["preset"] = key
        elif key == "stake":
            document["stake"] = int(value)
        elif key == "stakes":
            pairs = [entry.split(":") for entry in value.split(",")]
            document["pair_stakes"] = [{"players": pair.split("-"), "stake": int(stake)} for pair, stake in pairs]
        elif key == "stacks":
            stacks = [int(stack) for stack in value.split("/")]
        elif key == "naturals":
            names = ("dragon", "three_flushes", "three_straights", "six_pairs")
            rules["naturals"] = dict(zip(names, map(int, value.split("/")), strict=True))
        else:
            rules[key] = value if key in ("scoring", "middle") else value_of(value)
    if parts["boards"].startswith("points "):
        worth = [re.fullmatch(r"([A-H])-([A-H]) (-?\d+)", entry) for entry in parts["boards"][7:].split(", ")]
        document["points"] = [{"players": [m[1], m[2]], "points": int(m[3])} for m in worth if m]
        assert len(document["points"]) == len(worth), line
        named = {name for entry in document["points"] for name in entry["players"]}
        document["players"] = [{"name": name} for name in sorted(named)]
    else:
        document["players"] = list(read_boards(parts["boards"]))
    assert not stacks or len(stacks) == len(document["players"]), line
    for player, stack in zip(document["players"], stacks, strict=False):
        player["stack"] = stack
    return Vector(parts["name"], document, parts["figures"].split("; "), parts["source"])


def read_boards(text: str) -> Iterator[dict[str, Any]]:
    for name, board in zip("ABCDEFGH", text.split(" | "), strict=False):
        parts = BOARD.fullmatch(board)
        assert parts, board
        rows = parts["rows"].split(" / ")
        player: dict[str, Any] = {"name": name, **dict(zip(("front", "middle", "back"), rows, strict=True))}
        for mark in re.findall(r"\{([^}]*)\}", parts["marks"]):
            word, _, number = mark.partition(" ")
            if word == "fl":
                player["fantasyland"] = True
                if number:
                    player["fantasyland_cards"] = int(number)
            else:
                assert mark in ("dead", "surrendered"), mark
                player["ruling"] = mark
        yield player


def found(output: dict[str, Any], figure: str) -> tuple[Any, Any]:
    """What the vector expects of the output, and what the output has, in the same shape."""
    what, *rest = figure.split()
    players = {player["name"]: player for player in output["players"]}
    pairs = {"-".join(pair["players"]): pair for pair in output["pairs"]}
    if what in ("legal", "foul"):
        assert not rest
        return [what == "foul"] * len(players), [player["foul"] for player in players.values()]
    if what in ("fouls", "busted"):
        key = "foul" if what == "fouls" else "busted"
        return [] if rest == ["none"] else rest, [name for name, player in players.items() if player[key]]
    if what in ("points", "royalties", "money", "stacks", "fl"):
        key = {"stacks": "stack", "fl": "fantasyland_next"}.get(what, what)
        return [int(number) for number in rest], [player[key] for player in players.values()]
    if what == "hands":
        return rest[1:], [row["hand"] for row in players[rest[0]]["rows"].values()]
    if what == "order":
        return rest, list(pairs)
    pair = pairs[rest[0]]
    if what == "rows":
        rows = "none" if pair["rows"] is None else "".join(SIGN[result] for result in pair["rows"].values())
        return rest[1], rows
    if what == "parts":
        return [int(part) for part in rest[1:]], [pair["row_points"], pair["bonus"], pair["royalties"]]
    assert what == "paid", figure
    return rest[1], f"{pair['paid']}/{pair['owed']}"


VECTORS = [
    read(line)
    for path in sorted(FOLDER.glob("*.txt"))
    for line in path.read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("scorer", [engine.score, naive.score], ids=["engine", "naive"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector.name for vector in VECTORS])
def test_vector(vector: Vector, scorer: Any) -> None:
    output = scorer(vector.document)
    for figure in vector.figures:
        wanted, got = found(output, figure)
        assert got == wanted, f"{figure} ({vector.source})"


def test_there_are_enough_and_each_has_its_own_name_and_a_source() -> None:
    names = [vector.name for vector in VECTORS]
    assert len(names) == len(set(names)) >= 150
    for vector in VECTORS:
        assert re.match(r"(hand|published( \w+)*): .", vector.source), vector
