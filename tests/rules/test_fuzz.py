"""Any input gets a scored document or an error document, never a traceback and never a guess."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.document import MAX_BYTES, score, score_bytes
from scoring.rules.errors import RulesError

from .documents import chances, documents
from .test_document import CODES

LOOK_ALIKES = [
    "\u0410h \u041ah Qh",  # Cyrillic A and K
    "\uff21h \uff2bh \uff31h",  # full-width letters
    "🂡🂮🂭",
    "A♥️ K♥️ Q♥️",  # suit symbols with a variation selector, which are cards
    "A\u200bh Kh Qh",  # a zero-width space
    "A\u00a0K\u00a0Q",  # no-break spaces
    "\u202eQQ7",  # a right-to-left override
    "١٠ ٩ ٨",  # digits of another script, which int() accepts
    "ⅩⅨⅧ",
    "1\u00300h Kh Qh",
    "QQ7\0",
    "QQ7\ud800",
    "İıſK",  # letters that change under upper() and lower()
    "QQ7" * 3_000,
    "ſ♥ ſ♥ ſ♥",
    "ﬀf",
]
NUMBERS = [0, -0.0, -1, 1.5, 1e308, 10**15, 10**16, 10**17, 2**63, -(2**63), 10**400, True, False]
JUNK: list[Any] = [
    None,
    "",
    " ",
    [],
    {},
    [[]],
    {"": {}},
    ["x"] * 50,
    "regular",
    "dead",
    "surrendered",
    "off",
    *LOOK_ALIKES,
    *NUMBERS,
]
KEYS = ["name", "front", "back", "players", "stake", "rules", "points", "stack", "ruling", "preset", "royalties", "low"]

leaves = st.sampled_from(JUNK) | st.text(max_size=8) | st.integers() | st.floats() | st.booleans()
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner),
    max_leaves=20,
)


def checked(body: bytes) -> bool:
    """Whether these bytes are scored. The answer must have the documented shape in either case."""
    answer, ok = score_bytes(body)
    json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    if ok:
        assert list(answer) == ["version", "rules", "players", "pairs"]
        assert sum(player["points"] for player in answer["players"]) == 0
    else:
        assert list(answer) == ["errors"]
        assert answer["errors"]
        for error in answer["errors"]:
            assert list(error) == ["code", "where", "message"]
            assert error["code"] in CODES
            assert error["message"].endswith(".")
            assert len(error["where"]) + len(error["message"]) < 500, "an answer does not repeat a whole document"
    return ok


def checked_document(document: Any) -> bool:
    """Whether this parsed document is scored. Scoring must also leave it unchanged."""
    before = copy.deepcopy(document)
    try:
        answer = score(document)
    except RulesError as no:
        codes = {problem.code for problem in no.problems}
    else:
        json.dumps(answer)
        codes = set()
    assert codes <= CODES
    assert json.dumps(document) == json.dumps(before)
    return not codes


@given(st.binary(max_size=300))
def test_bytes(body: bytes) -> None:
    checked(body)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\u "\n', max_size=60))
def test_what_looks_like_json(text: str) -> None:
    checked(text.encode())


@given(anything)
def test_any_json(document: Any) -> None:
    checked_document(document)
    checked(json.dumps(document).encode())


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a document."""
    found: list[tuple[Any, Any]] = []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        found += [(value, key), *places(inner)]
    return found


@given(documents(), chances(), anything, st.integers(1, 3))
def test_a_valid_document_with_something_wrong_in_it(document: Any, rng: random.Random, value: Any, times: int) -> None:
    document = copy.deepcopy(document)
    for _ in range(times):
        container, key = rng.choice(places(document))
        container[key] = copy.deepcopy(value)
        if isinstance(container, dict) and rng.random() < 0.3:
            container[rng.choice([*KEYS, "\ud800", "x" * 500])] = copy.deepcopy(value)
    checked_document(document)
    checked(json.dumps(document).encode())


@given(documents(), chances())
def test_a_valid_document_with_bytes_changed(document: Any, rng: random.Random) -> None:
    body = bytearray(json.dumps(document, ensure_ascii=False).encode())
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(body))
        body[at : at + rng.choice([0, 0, 1, 3])] = rng.randbytes(rng.choice([0, 1, 2]))
    checked(bytes(body))


@given(documents(), chances(), st.sampled_from(LOOK_ALIKES) | st.text(max_size=12))
def test_what_is_not_quite_a_row(document: Any, rng: random.Random, text: str) -> None:
    document = copy.deepcopy(document)
    document.pop("points", None)
    player = rng.choice(document["players"])
    row = rng.choice(["front", "middle", "back"])
    player[row] = rng.choice([text, f"{text} {text}", list(text), [text], f"{player.get(row)}{text}"])
    checked_document(document)
    checked(json.dumps(document).encode())


def test_look_alikes_are_not_guessed_at() -> None:
    board = {"middle": "KK234", "back": "AA567"}
    read = {text: checked_document({"players": [{"name": "Ann", "front": text, **board}]}) for text in LOOK_ALIKES}
    assert [text for text, ok in read.items() if ok] == ["A♥️ K♥️ Q♥️", "A\u00a0K\u00a0Q"]


def test_deep_and_wide_documents() -> None:
    deep: Any = "QQ7"
    for _ in range(900):
        deep = [deep]
    heaps: tuple[Any, ...] = (
        {"players": [{"name": "Ann", "front": deep, "middle": deep, "back": deep}]},
        {"players": [{}] * 5_000},
        {"players": [deep] * 20},
        {"players": [{"name": "Ann", "ruling": "dead"}], "pair_stakes": [{}] * 5_000},
        {"players": [{"name": "Ann", "ruling": "dead"}], "rules": {str(number): number for number in range(5_000)}},
        {"rules": deep},
    )
    for document in heaps:
        assert not checked(json.dumps(document).encode())


@pytest.mark.parametrize(
    "document",
    [
        {"players": [{"name": "A", "front": "As" * 32_000, "middle": "", "back": ""}]},
        {"players": [{"name": "A", "front": ["As"] * 10_000, "middle": "AsAs" * 10, "back": "KKKKK" * 10}]},
        {"players": [{}] * 15_000},
        {"players": [{"name": "A"}], "pair_stakes": [0] * 20_000},
        {"players": [{"name": "A"}], "points": [0] * 20_000},
        {"rules": {str(key): 1 for key in range(5_000)}, "players": []},
        {"rules": {"royalties": {str(key): 1 for key in range(5_000)}}, "players": []},
        {"rules": {"naturals": {str(key): 1 for key in range(5_000)}}, "players": []},
    ],
    ids=lambda document: str(document)[:40],
)
def test_an_answer_does_not_outgrow_what_was_asked(document: dict[str, object]) -> None:
    body = json.dumps(document).encode()
    assert len(body) <= MAX_BYTES
    answer, ok = score_bytes(body)
    assert not ok
    assert len(json.dumps(answer)) < 32_000


def test_a_rule_that_is_not_known_is_refused_even_as_null() -> None:
    with pytest.raises(RulesError) as refusal:
        score(
            {"rules": {"moooon": None}, "players": [{"name": "A", "front": "QQ7", "middle": "QQ965", "back": "AAKK2"}]}
        )
    assert [(problem.code, problem.where) for problem in refusal.value.problems] == [("unknown-rule", "rules.moooon")]
