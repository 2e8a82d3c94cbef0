"""The script with which anybody checks a record: what it finds, what it says, and that it needs nothing of ours."""

from __future__ import annotations

import ast
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoring import ledger, reads
from scoring.exports.club_document import of_club
from scoring.models import Session
from tests.actions.everything import everything, for_cash
from tests.exports import records
from tests.exports.records import DAMAGES, UNREADABLE, Document
from tests.ledger.conftest import act, start

SCRIPT = Path(__file__).parents[2] / "scripts" / "verify"
VERIFY = runpy.run_path(str(SCRIPT))

HOLD = "The events hold, and nothing else was checked."
HELD = "The head that you gave is that of event {} of 10: up to there nothing has changed since."
WANTED = "HEAD is to be all 64 digits of a hash, as the QR code has them. The page /verify/ compares six words."
MISSED = "The head that you gave is that of no event that holds here."


@pytest.fixture
def tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What the script prints of a document, and what ends it: a false value, or what is wrong."""

    def told(document: Document | bytes, *head: str) -> tuple[list[str], Any]:
        file = tmp_path / "record.json"
        file.write_bytes(document if isinstance(document, bytes) else records.written(document))
        ending = VERIFY["main"](str(file), *head)
        return capsys.readouterr().out.splitlines(), ending

    return told


def test_it_says_what_the_record_shows(db: None, tell: Any) -> None:
    document = records.witnessed()
    assert tell(document) == (
        [
            "Freitag – 金曜日",
            "The events hold, and nothing else was checked. Events: 10. Hands: 2.",
            "Ann: +24 points, +24.00 EUR",
            "Bob: +0 points, +99999999999999.99 EUR",
            "Žofie: -24 points, -24.00 EUR",
            "駒子 😀: +0 points, -99999999999999.99 EUR",
            "Ann agreed to the record as of event 8.",
            "駒子 😀 agreed to the record as of event 8.",
            f"Head: 8-{document['events'][7]['hash']}",
            "",
        ],
        False,
    )


@pytest.mark.parametrize(("evening", "hands"), [(everything, 3), (for_cash, 2)])
def test_its_sums_are_those_of_the_pages(db: None, tell: Any, evening: Callable[[], Session], hands: int) -> None:
    session = evening()
    lines, ending = tell(records.record(session))
    state = reads.state(session)
    assert not ending
    assert lines[1] == f"{HOLD} Events: {session.version}. Hands: {hands}."
    assert [line for line in lines if line.endswith(" EUR")] == [
        f"{name}: {state.balances[seat].points:+} points, {state.balances[seat].money / 100:+.2f} EUR"
        for seat, name in sorted(state.players.items())
    ]


@pytest.mark.parametrize("digits", [0, 3])
def test_money_has_the_digits_of_its_currency(db: None, tell: Any, digits: int) -> None:
    document = records.record(start("Ann Bob", currency="XTS", minor_digits=digits))
    document["events"][0]["lines"] = [{"payer": 1, "payee": 2, "points": 1, "amount": 5, "kind": "side-bet"}]
    records.chained_again(document)
    assert tell(document)[0][3] == f"Bob: +1 points, {'+0.005' if digits else '+5'} XTS"


def test_a_session_without_a_name_is_called_by_its_day(session: Session, tell: Any) -> None:
    document = records.record(session)
    assert tell(document)[0][0] == f"Session of {document['events'][0]['at'][:10]}"


def test_an_old_session_has_its_terms_beside_the_action(session: Session, tell: Any) -> None:
    document = records.record(session)
    first = document["events"][0]
    first["chained"] = {name: first["action"].pop(name) for name in ("name", "currency", "minor_digits", "session")}
    first["chained"]["name"] = "Long ago"
    records.chained_again(document)
    assert tell(document)[0][:3] == ["Long ago", f"{HOLD} Events: 1. Hands: 0.", "Ann: +0 points, +0.00 EUR"]


def test_a_club_is_checked_session_by_session(db: None, tell: Any) -> None:
    intact, (broken, sentence) = records.record(start("Ann Bob")), records.damaged("a card")
    document = records.club(intact, broken, intact)
    lines, ending = tell(document, intact["head"])
    assert ending is True
    assert lines[5] == lines[-2] == HELD.format(1).replace("10", "1")
    assert lines[7:9] == ["Evening 2", sentence]


def test_the_export_of_a_club_holds(db: None, tell: Any) -> None:
    session = everything()
    other = start("Ann Dan", club=session.club)
    lines, ending = tell(b"".join(of_club(session.club)))
    assert not ending
    assert [line for line in lines if line.startswith("Head: ")] == [
        f"Head: {each.version}-{each.head}" for each in (session, other)
    ]


def test_a_choice_of_the_tab_leaves_the_head_that_people_are_shown(db: None, tell: Any) -> None:
    session = records.evening()
    before, _ = tell(records.record(session))
    act(ledger.choose_tab, session, on=True)
    lines, ending = tell(records.record(session))
    assert not ending
    assert lines[0] == before[0]


@pytest.mark.parametrize("name", DAMAGES)
def test_the_first_event_that_does_not_hold_is_named(db: None, tell: Any, name: str) -> None:
    document, sentence = records.damaged(name)
    lines, ending = tell(document)
    assert (lines, ending) in ((["The session", sentence, ""], True), ([], sentence))


def test_what_no_hash_covers_may_change(db: None, tell: Any) -> None:
    shown, _ = tell(records.witnessed())
    for name, text in records.harmless().items():
        lines, ending = tell(text)
        assert (lines[:-2], ending) == (shown[:-2], False), name


def test_it_compares_no_words(db: None, tell: Any) -> None:
    for document, _ in records.other_words():
        lines, ending = tell(document)
        assert (lines[1], ending) == (f"{HOLD} Events: 10. Hands: 2.", False)


def test_a_file_that_leaves_open_what_it_says_is_refused(db: None, tell: Any) -> None:
    for name, (text, sentence) in records.refused().items():
        assert tell(text) == ([], sentence), name


def test_it_says_that_a_record_changed_after_somebody_agreed(db: None, tell: Any) -> None:
    assert tell(records.reopened())[0][-4:-2] == records.AGREED


def test_a_file_that_is_not_whole_is_called_so(db: None, tell: Any) -> None:
    for name, text in records.not_whole().items():
        assert tell(text) == ([], UNREADABLE), name


def test_it_says_whose_head_was_kept(db: None, tell: Any) -> None:
    document = records.witnessed()
    third = document["events"][2]["hash"]
    for kept in (third, third.upper(), f"3-{third}", f"http://x/verify/#3-{third}"):
        lines, ending = tell(document, kept)
        assert (lines[-2], ending) == (HELD.format(3), False)
    for kept in ("0" * 64, "3-" + "0" * 64):
        assert tell(document, kept)[1] == MISSED


def test_it_says_what_a_head_is(db: None, tell: Any) -> None:
    document = records.witnessed()
    digits = document["head"]
    words = document["shown"]["words"]
    for kept in (digits[:-1], f"8-{digits[1:]}", digits + "0", "g" + digits[1:], words, "x", "-", ""):
        assert tell(document, kept) == ([], WANTED), kept
    assert tell(document, f" {digits}\n")[1] is False


def test_a_head_from_before_the_damage_still_holds(db: None, tell: Any) -> None:
    document, sentence = records.damaged("a card")
    lines, ending = tell(document, document["events"][2]["hash"])
    assert (lines[1:3], ending) == ([sentence, HELD.format(3)], True)
    assert tell(document, document["events"][3]["hash"])[1] == MISSED


def test_a_head_that_was_kept_tells_of_a_record_that_was_written_anew(db: None, tell: Any) -> None:
    document = records.record(records.evening())
    kept = document["head"]
    document["events"][1]["note"] = "changed"
    records.chained_again(document)
    assert tell(document)[1] is False
    assert tell(document, kept)[1] == MISSED


def test_what_stands_in_an_agreement_is_no_result(db: None, tell: Any) -> None:
    """Anyone who has the database can rewrite what follows the head that people were shown: nothing won or lost."""
    honest, forged = records.smuggled()
    kept = honest["shown"]["hash"]
    assert tell(forged, kept) == tell(honest, kept)


def test_a_name_cannot_rule_the_terminal(session: Session, tell: Any) -> None:
    document = records.record(session)
    document["events"][0]["action"]["seats"][0][1] = "\x1b[2J\nEverything holds\u202e"
    records.chained_again(document)
    assert tell(document)[0][2] == "?[2J?Everything holds?: +0 points, +0.00 EUR"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_its_json_is_canonical(value: Any) -> None:
    assert VERIFY["canonical"](value).encode() == rfc8785.dumps(value)
    assert VERIFY["canonical"](json.loads(json.dumps(value))).encode() == rfc8785.dumps(value)


def test_it_runs_alone(db: None, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    for text, head, status in (
        (records.written(records.witnessed()), [], 0),
        (records.written(records.damaged("a card")[0]), [], 1),
        (b"", [], 1),
        (records.written(records.witnessed()), ["0" * 64], 1),
    ):
        file.write_bytes(text)
        run = subprocess.run([sys.executable, "-I", "-S", SCRIPT, file, *head], cwd=tmp_path, check=False)
        assert run.returncode == status
    for usage in ([SCRIPT], [SCRIPT, tmp_path / "missing.json"]):
        run = subprocess.run(usage, capture_output=True, check=False)
        assert (run.returncode, b"RECORD.json is a session's" in run.stderr) == (1, True)


def test_it_is_short_and_needs_only_what_python_brings() -> None:
    text = SCRIPT.read_text()
    tree = ast.parse(text, feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert len(text.splitlines()) <= 100
    assert imported <= sys.stdlib_module_names


# --- As they are served -------------------------------------------------------------------------


def test_the_script_is_served_as_it_is(client: Client) -> None:
    response = client.get("/verify/verify.py")
    assert response.content == SCRIPT.read_bytes()
    assert response["Content-Type"].startswith("text/x-python")
    assert response["Content-Disposition"] == 'attachment; filename="verify.py"'


def test_the_page_may_run_what_is_in_it_and_nothing_else(client: Client) -> None:
    response = client.get("/verify/")
    policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    assert policy.pop("style-src").startswith("'sha256-")
    assert policy.pop("script-src").startswith("'sha256-")
    assert policy.pop("img-src") == "data:"
    assert policy.keys() == {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert set(policy.values()) == {"'none'"}
