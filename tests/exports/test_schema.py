"""Real exports hold against the schema, and the schema against the page that describes it and against the registry."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django_test_migrations.migrator import Migrator

from scoring import club, ledger
from scoring.access.links import Role
from scoring.actions import ACTIONS
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.exports.record import of_session
from scoring.game.entry import Entry
from scoring.game.limits import MAX_AMOUNT
from scoring.game.lines import LineKind
from scoring.models import Club, Player, Session
from scoring.rules.houserules import CHOICES, resolve
from tests.access.conftest import issue
from tests.access.test_hostile_text import TEXTS, hostile_evening
from tests.actions.everything import everything
from tests.exports import records
from tests.exports.test_workbook import counted_again
from tests.ledger.conftest import LEVEL, act, settle, start
from tests.ledger.test_migrations import rows as released

DOCS = settings.BASE_DIR / "docs"
FILES = "docs/export.schema.json and docs/export.md"
Schema = dict[str, Any]


@cache
def schema() -> Schema:
    found: Schema = json.loads((DOCS / "export.schema.json").read_text())
    return found


@cache
def validator(part: str) -> Any:
    """Checks one part of ``$defs``, which names a fault by its place in the document."""
    wanted = {key: value for key, value in schema().items() if key != "oneOf"} | {"$ref": f"#/$defs/{part}"}
    return jsonschema_rs.Draft202012Validator(wanted, validate_formats=True)


def faults(part: str, document: Any) -> list[str]:
    """What the schema has against a document, each with its place."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
        for error in validator(part).iter_errors(document)
    ]


def exports(of: Club) -> Iterator[tuple[str, Any]]:
    """Everything that can be exported of a club as JSON, with the part of the schema that describes it."""
    yield "club-document", json.loads(b"".join(of_club(of)))
    for session in Session.objects.filter(club=of):
        yield "record", json.loads(b"".join(of_session(session)))


def holds(of: Club) -> None:
    """Asserts that the schema has nothing against the exports of a club."""
    for part, document in exports(of):
        assert faults(part, document) == [], f"{FILES} do not describe what is exported."


# --- Real exports -------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    jsonschema_rs.meta.validate(schema())


def test_an_evening_with_every_action(db: None) -> None:
    holds(everything().club)


def test_an_empty_club(db: None) -> None:
    holds(Club.objects.create(name="Nobody came"))


def test_a_club_with_everything_that_it_can_keep(db: None) -> None:
    """Players put together and retired, several currencies, a tab, saved rules, usual stakes, links of all kinds."""
    first = start("Ann Bob Cat", pair_stakes=[(1, 2, 500)], name="Friday")
    settle(first)
    act(ledger.close_session, first)
    second = start("Ann Robert", club=first.club, currency="JPY", minor_digits=0)
    act(SideBet, second, payer=1, payee=2, amount=MAX_AMOUNT, note="all of it")
    act(ledger.close_session, second)
    act(ledger.pay, second, payer=1, payee=2, amount=MAX_AMOUNT, note="cash")
    people = {player.name: player for player in Player.objects.filter(club=first.club)}
    club.merge(people["Robert"], people["Bob"])
    club.retire(people["Cat"])
    club.set_usual_stake(people["Ann"], people["Bob"], currency="EUR", minor_digits=2, stake=500)
    club.save_rules(first.club, "Ours", resolve({"preset": "bga", "royalties": own_chart(), "naturals": NATURALS}))
    for role in Role:
        issue(first, role)
    act(ledger.choose_tab, first, on=True, coin=50)
    ann, cat = people["Ann"].pk, people["Cat"].pk
    tab: dict[str, Any] = {"currency": "EUR", "minor_digits": 2, "by": "host"}
    paid = club.pay_tab(first.club, payer=cat, payee=ann, amount=1, key="paid", note="cash", **tab)
    club.undo_tab_payment(first.club, n=paid.n, key="undone", by="host")
    document = dict(exports(first.club))["club-document"]
    assert len(document["tab_payments"]) == 2
    assert document["tab"]
    assert document["saved_rules"]
    assert document["usual_stakes"]
    assert document["links"]
    assert {session["currency"] for session in document["sessions"]} == {"EUR", "JPY"}
    holds(first.club)


NATURALS = {"dragon": 13, "three_flushes": 6, "three_straights": 6, "six_pairs": 6}


def own_chart() -> dict[str, dict[str, int]]:
    """A royalty chart without a name."""
    chart = resolve("regular").royalties.tables()
    return {**chart, "back": {**chart["back"], "quads": 11}}


def test_a_session_with_rules_of_its_own_and_entries_of_all_kinds(db: None) -> None:
    session = start(rules={"preset": "regular", "royalties": own_chart(), "naturals": NATURALS, "surrender_points": 5})
    settle(session, Entry(points=((1, 2, 3), (1, 3, -2), (2, 3, 1))))
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    as_it_was = Entry(
        boards=LEVEL.boards,
        seats=(2, 3, 1),
        button=1,
        fantasyland={1: 14},
        stake=MAX_AMOUNT // 100,
        pair_stakes={(1, 2): 7},
        rules=resolve("pineapple"),
        note="as it was",
    )
    act(ledger.correct_deal, session, number=2, entry=as_it_was, note="terms")
    act(ledger.dispute, session, number=2, note="was it?")
    holds(session.club)


def test_records_with_agreements_and_amounts_beyond_53_bits(db: None) -> None:
    document = records.witnessed()
    assert any(isinstance(line["amount"], str) for event in document["events"] for line in event["lines"])
    assert faults("record", document) == []
    holds(Club.objects.get())


def test_an_evening_for_cash_with_stacks_that_were_counted(db: None) -> None:
    session = counted_again()
    kinds = {line["kind"] for _, document in exports(session.club) for line in all_lines(document)}
    assert {"cash", "count"} <= kinds
    actions = [event["action"] for event in dict(exports(session.club))["record"]["events"]]
    assert {"cash", "in_cash", "counts", "handed_in"} <= {key for action in actions for key in action}
    holds(session.club)


def all_lines(record: Any) -> list[Any]:
    return [line for event in record.get("events", ()) for line in event["lines"]]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_whatever_people_type(db: None, text: str) -> None:
    holds(hostile_evening(text).club)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("release", "migration"), [("before-0.1.0", "0002_append_only"), ("0.1.0", "0008_live_notices")]
)
def test_an_evening_of_an_earlier_release(release: str, migration: str) -> None:
    migrator = Migrator()
    try:
        then = migrator.apply_initial_migration(("scoring", migration)).apps
        for name, stored in released(release).items():
            model = then.get_model("scoring", name)
            model.objects.bulk_create(model(**row) for row in stored)
        newest = [node for node in MigrationLoader(connection).graph.leaf_nodes() if node[0] == "scoring"]
        migrator.apply_tested_migration(newest)
        holds(Club.objects.get())
    finally:
        migrator.reset()


# --- What the schema must notice ----------------------------------------------------------------


def objects(at: Any, place: str = "#") -> Iterator[tuple[str, Schema]]:
    """Every part of the schema that describes an object, with its place."""
    if isinstance(at, dict):
        if at.get("type") == "object":
            yield place, at
        for key, value in at.items():
            yield from objects(value, f"{place}/{key}")
    elif isinstance(at, list):
        for key, value in enumerate(at):
            yield from objects(value, f"{place}/{key}")


def test_no_object_admits_a_key_that_nobody_described() -> None:
    open_ = [place for place, each in objects(schema()) if each.get("additionalProperties", True) is not False]
    # What an action has depends on its verb; `allOf` beside it says what.
    assert open_ == ["#/$defs/event/properties/action"]


def test_a_key_more_or_less_is_noticed(db: None) -> None:
    session = everything()
    document = dict(exports(session.club))["club-document"]
    (of_session,) = document["sessions"]
    of_session["surprise"] = 1
    of_session["payments"][0]["surprise"] = 1
    of_session["events"][3]["action"]["surprise"] = 1
    del of_session["to_pay"]
    assert len(faults("club-document", document)) == 4


@pytest.mark.parametrize("kind", LineKind, ids=lambda kind: kind.value)
def test_a_kind_of_line_is_in_the_schema(kind: LineKind) -> None:
    known = schema()["$defs"]["kind"]["enum"]
    assert kind in known, f"Exports have lines of {kind}, which {FILES} do not know: add it under `kind`."


def test_the_schema_knows_no_kind_of_line_that_does_not_exist() -> None:
    assert set(schema()["$defs"]["kind"]["enum"]) == set(LineKind)


@pytest.mark.parametrize("verb", sorted(ACTIONS))
def test_an_action_is_in_the_schema_with_all_its_fields(verb: str) -> None:
    parts = schema()["$defs"]
    advice = f"Exports have events of {verb}, which {FILES} do not know: add"
    assert verb in parts["verb"]["enum"], f"{advice} it under `verb`."
    assert f"action-{verb}" in parts, f"{advice} `action-{verb}`, which says what the action has."
    by_verb = {each["if"]["properties"]["verb"]["const"]: each["then"] for each in parts["event"]["allOf"]}
    reference = {"properties": {"action": {"$ref": f"#/$defs/action-{verb}"}}}
    assert by_verb.get(verb) == reference, f"{advice} a line to `allOf` of `event`."
    stored = {"verb" if (verb, field.name) == ("undo", "undone") else field.name for field in fields(ACTIONS[verb])}
    described = set(parts[f"action-{verb}"]["properties"])
    assert described == stored, f"{FILES}: `action-{verb}` and the fields of {ACTIONS[verb].__name__} differ."


def test_the_schema_knows_no_verb_that_does_not_exist() -> None:
    assert set(schema()["$defs"]["verb"]["enum"]) == set(ACTIONS)


def test_the_house_rules_are_those_that_can_be_chosen() -> None:
    described = schema()["$defs"]["rules"]["properties"]
    assert list(described) == list(resolve("regular").as_document())
    for name, choices in CHOICES.items():
        if "enum" in described[name]:
            assert described[name]["enum"] == list(choices), name


# --- The page -----------------------------------------------------------------------------------


def page() -> str:
    text: str = (DOCS / "export.md").read_text()
    return text


def rows(text: str) -> Iterator[list[str]]:
    """The cells of every row of the tables in a text, without heads."""
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith(("| key |", "| verb |", "| word |", "| what |", "| sheet |")):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def sections() -> dict[str, str]:
    """What stands under each heading that ends in the name of a part of the schema."""
    found = re.split(r"^#+ (?:.* · `([\w-]+)`|.*)$", page(), flags=re.MULTILINE)
    return {name: text for name, text in zip(found[1::2], found[2::2], strict=True) if name}


def admits_null(part: Schema) -> bool:
    return "null" in part.get("type", ()) or any(each.get("type") == "null" for each in part.get("oneOf", ()))


SHORT = {
    "points": "points",
    "money": "minor units",
    "seat-number": "seat",
    "event-number": "event",
    "hand-number": "hand",
    "time": "time",
    "hash": "hash",
}
"""What the page's tables call the parts of the schema that are no objects."""

OBJECTS = [name for name, part in schema()["$defs"].items() if part.get("type") == "object" and "action-" not in name]


@pytest.mark.parametrize("name", OBJECTS)
def test_the_page_says_of_each_object_what_the_schema_says(name: str) -> None:
    assert name in sections(), f"docs/export.md has no heading for `{name}`."
    part = schema()["$defs"][name]
    described = {key.strip("`"): words for key, words, _ in rows(sections()[name])}
    assert list(described) == list(part["properties"]), (
        f"docs/export.md: the keys of `{name}` are not those of the schema."
    )
    for key, words in described.items():
        assert (" or null" in words) == admits_null(part["properties"][key]), f"{name}.{key}: whether it may be null"
        assert words.endswith(", optional") == (key not in part["required"]), (
            f"{name}.{key}: whether it may be left out"
        )
        for reference in re.findall(r'"#/\$defs/([\w-]+)"', json.dumps(part["properties"][key])):
            assert SHORT.get(reference, f"`{reference}`") in words, f"{name}.{key}: its type"


def test_the_page_has_no_object_that_does_not_exist() -> None:
    assert set(sections()) == set(OBJECTS)


def test_the_page_says_of_each_action_what_the_schema_says() -> None:
    text = page().split("### Actions", 1)[1].split("\n## ", 1)[0]
    described = {verb.strip("`"): keys for verb, _, keys in rows(text)}
    parts = {name.removeprefix("action-"): part for name, part in schema()["$defs"].items() if "action-" in name}
    assert set(described) == set(parts), "docs/export.md: the table of actions names each verb, and no other"
    for verb, part in parts.items():
        keys = dict(re.findall(r"`(\w+)`(?: \(([\w, ]+)\))?", described[verb]))
        assert set(keys) == set(part["properties"]), verb
        for key, marks in keys.items():
            assert ("or null" in marks) == admits_null(part["properties"][key]), (verb, key)
            assert ("optional" in marks) == (key not in part["required"]), (verb, key)


def test_the_page_has_a_word_for_everything_else_in_the_schema() -> None:
    words = page().split("## The words of the tables", 1)[1].split("\n## ", 1)[0]
    others = {name for name in schema()["$defs"] if name not in OBJECTS and "action-" not in name}
    assert others <= set(re.findall(r"`([\w-]+)` +\|", words))
    kinds = next(line for line in words.splitlines() if line.startswith("| `kind`"))
    assert set(LineKind) <= set(re.findall(r"`([\w-]+)`", kinds)), "docs/export.md does not name every kind of line."


def test_what_leads_to_it() -> None:
    assert "docs/export.md" in Path(settings.BASE_DIR / "README.md").read_text()
    assert "export.schema.json" in page()
