"""Workbooks are in the language of who asks for them, and nobody gets one that was made for another reader."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, Self

import pytest
from django.conf import settings as ours
from django.core.management import call_command
from django.utils import translation
from openpyxl import load_workbook

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.set_next import SetNext
from scoring.exports import making
from scoring.ledger.replay import AS_DEALT
from scoring.models import Player, Revision, Session
from tests.actions.everything import everything
from tests.exports.formulas import Calculator
from tests.ledger.conftest import act, settle, start
from tests.translations import LANGUAGE, bracketed, outside

WORKBOOKS = ("spreadsheet", "statistics")
TAGS = [tag for tag, _ in ours.LANGUAGES]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where exports are made."""
    settings.EXPORT_DIR = tmp_path
    return tmp_path


def made(kind: str, of: Session, file: Path) -> Any:
    """The workbook, in the language that is active."""
    making.make(kind, of.public_id if kind == "spreadsheet" else of.club.public_id, file, "", lambda _: None)
    return load_workbook(file)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", WORKBOOKS)
def test_every_text_of_a_workbook_is_translated(kind: str, tmp_path: Path) -> None:
    session = everything()
    stored = {session.name, session.currency, reads.head(session).words}
    stored |= {text for texts in session.events.values_list("by", "note") for text in texts}
    stored |= set(Player.objects.values_list("name", flat=True)) | set(Revision.objects.values_list("note", flat=True))
    with bracketed():
        book = made(kind, session, tmp_path / "book.xlsx")
    left = set()
    for sheet in book:
        left.add(outside(sheet.title))
        for line in sheet.iter_rows():
            left |= {outside(cell.value).strip() for cell in line if cell.data_type == "s"}
    figures = re.compile(r"[0-9a-f]{64}|\d{4}-\d\d-\d\d|([2-9TJQKA][shdc]? ?)+f?|")
    assert {text for text in left - stored if not figures.fullmatch(text)} == set()


@pytest.mark.django_db
def test_who_recorded_a_line_is_said_in_the_language_of_the_reader(tmp_path: Path) -> None:
    session = everything()
    act(Fee, session, amount=5, note="taxi", by="Host")
    act(Fee, session, amount=5, note="cook", by="Scorer 2")
    with bracketed():
        book = made("spreadsheet", session, tmp_path / "book.xlsx")
    said = []
    for sheet in book:
        headings = [cell.value for cell in next(sheet.iter_rows(max_row=1))]
        if "⟦By⟧" in headings:
            column = [cell.value for cell in next(sheet.iter_cols(*2 * (headings.index("⟦By⟧") + 1,), min_row=2))]
            said.append({by for by in column if by})
    assert said == 2 * [{"host", "⟦Host⟧", "⟦Scorer 2⟧"}]


@pytest.mark.django_db
def test_notes_that_the_app_wrote_are_said_in_the_language_of_the_reader(tmp_path: Path) -> None:
    """In Hands, Transfers and Payments; those of people stay as they are."""
    session = start()
    act(SetNext, session, button=2, note=AS_DEALT.format(1))
    settle(session)
    act(Fee, session, seats=[1], amount=500, note="Wrong row")
    act(ledger.close_session, session)
    act(ledger.pay, session, payer=3, payee=1, amount=100, note="Misread card: the king")
    with bracketed():
        book = made("spreadsheet", session, tmp_path / "book.xlsx")
    said = set()
    for sheet in book:
        for line in sheet.iter_rows():
            said |= {cell.value for cell in line if isinstance(cell.value, str)}
    assert {
        "⟦As it was dealt, before hand 1 was changed.⟧",
        "⟦Wrong row⟧",
        "⟦⟦Misread card⟧: the king⟧",
    } <= said
    assert not {AS_DEALT.format(1), "Wrong row", "Misread card: the king"} & said


@pytest.mark.django_db
@pytest.mark.parametrize("kind", WORKBOOKS)
def test_formulas_give_the_same_figures_in_another_language(kind: str, tmp_path: Path) -> None:
    session = everything()
    english = made(kind, session, tmp_path / "english.xlsx")
    with bracketed():
        book = made(kind, session, tmp_path / "other.xlsx")
    calculator, formulas = Calculator(book), 0
    for sheet, other in zip(english, book, strict=True):
        assert sheet.title != other.title
        for line in sheet.iter_rows():
            for cell in line:
                if cell.data_type == "f":
                    figure = Calculator(english).value(sheet.title, cell.column, cell.row)
                    found = calculator.value(other.title, cell.column, cell.row)
                    assert found == figure or (isinstance(found, str) and found == f"⟦{figure}⟧")
                    formulas += isinstance(found, Decimal)
    assert formulas > 20


@pytest.mark.django_db
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("kind", WORKBOOKS)
def test_the_sheets_of_a_workbook_have_names_of_their_own(kind: str, tag: str, tmp_path: Path) -> None:
    """Excel opens no workbook with two sheets of one name, or with a name of more than 31 characters."""
    with translation.override(tag):
        book = made(kind, everything(), tmp_path / "book.xlsx")
    names = [name.casefold() for name in book.sheetnames]
    assert len(set(names)) == len(names)


def started(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], making.Making]:
    monkeypatch.setattr(making, "_run", lambda *_: None)
    monkeypatch.setattr(making, "_making", {})
    return lambda kind, public_id: making.start(kind, public_id, "")


def test_nobody_joins_an_export_that_is_made_in_another_language(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = started(monkeypatch)
    english = start("spreadsheet", session.public_id)
    with translation.override(LANGUAGE):
        other = start("spreadsheet", session.public_id)
        assert other is not english
        assert other.file != english.file
        assert start("spreadsheet", session.public_id) is other
        assert making.making("spreadsheet", session.public_id, other.token) is other
        assert making.making("spreadsheet", session.public_id, english.token) is None
    assert start("spreadsheet", session.public_id) is english


def test_nobody_gets_the_file_that_was_made_in_another_language(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = started(monkeypatch)("spreadsheet", session.public_id)
    english.file.write_bytes(b"in English")
    assert making.made("spreadsheet", session.public_id, english.token) == english.file
    with translation.override(LANGUAGE):
        assert making.made("spreadsheet", session.public_id, english.token) is None
    making.forget(session.public_id)
    assert not english.file.exists()


def test_a_document_is_the_same_in_every_language(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    start = started(monkeypatch)
    record = start("record", session.public_id)
    with translation.override(LANGUAGE):
        assert start("record", session.public_id) is record


def test_the_process_that_makes_an_export_is_told_the_language(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "give_way", lambda: None)
    file = tmp_path / "book.xlsx"
    with bracketed(), translation.override("en"):
        call_command("export", "spreadsheet", session.public_id, str(file), language=LANGUAGE, stdout=StringIO())
    assert load_workbook(file).sheetnames[0] == "⟦Totals⟧"


def test_the_server_tells_the_process_the_language(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    class Process:
        stdout, returncode = (), 0

        def __init__(self, command: list[str], **_: object) -> None:
            asked.append(command)

        def kill(self) -> None:
            raise AssertionError

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(making, "_making", {})
    with translation.override(LANGUAGE):
        making.start("spreadsheet", session.public_id, "").finished.result(timeout=10)
        making.start("record", session.public_id, "").finished.result(timeout=10)
    assert [command[-2:] for command in asked] == [["--language", LANGUAGE], ["--given", ""]]
