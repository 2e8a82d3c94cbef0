"""A session's workbook: numbers are numbers, typed text is text, and the sums equal those on the pages."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.exports import workbook as exported
from scoring.exports.code import png
from scoring.game.entry import Rows
from scoring.models import Seat, Session
from tests.access.test_hostile_text import TEXTS, hostile_evening
from tests.conftest import HostsBrowser
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start

SHEETS = ["Totals", "Hands", "Pairs", "Transfers", "Record"]


def workbook(session: Session, client: Client | None = None) -> Any:
    response = (client or HostsBrowser()).get(f"/s/{session.public_id}/ledger.xlsx")
    assert response.status_code == 200
    return load_workbook(BytesIO(response.getvalue()))


def lines(book: Any, sheet: str) -> list[dict[str, Any]]:
    """The rows of a sheet, each as a dictionary by heading."""
    heading, *found = book[sheet].iter_rows(values_only=True)
    return [dict(zip(heading, line, strict=True)) for line in found]


def test_the_code_and_the_words_are_of_one_head(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coded: list[str] = []

    def noted(address: str) -> BytesIO:
        coded.append(address)
        return png(address)

    monkeypatch.setattr(exported, "png", noted)
    settle(session)
    exported.of_session(session, tmp_path / "book.xlsx", "http://x/verify/", lambda: None)
    written = load_workbook(tmp_path / "book.xlsx")["Record"]
    (event, _, hashed) = (cell.value for cell in written[2][:3])
    assert coded == [f"http://x/verify/#{event}-{hashed}"] == [f"http://x/verify/#2-{session.head}"]


def test_it_is_a_file_to_download(client: Client, session: Session) -> None:
    response = client.get(f"/s/{session.public_id}/ledger.xlsx")
    assert response["Content-Type"].endswith("spreadsheetml.sheet")
    assert response["Content-Disposition"].startswith('attachment; filename="ofc-20')
    assert response["Content-Disposition"].endswith('.xlsx"')
    assert response.getvalue()[:2] == b"PK"
    assert f"/s/{session.public_id}/ledger.xlsx" not in client.get(f"/s/{session.public_id}/ledger/").content.decode()
    settle(session)
    assert f"/s/{session.public_id}/ledger.xlsx" in client.get(f"/s/{session.public_id}/ledger/").content.decode()


def test_a_session_without_a_hand_has_its_sheets_too(session: Session) -> None:
    book = workbook(session)
    assert book.sheetnames == SHEETS
    assert [line["Player"] for line in lines(book, "Totals")] == ["Ann", "Bob", "Cat"]
    assert [lines(book, sheet) for sheet in SHEETS[1:4]] == [[], [], []]


def test_every_figure_is_a_number_and_the_same_as_in_the_ledger(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=Rows(ruling="dead")))
    settle(session)
    act(ledger.void_deal, session, number=3, note="misdeal")
    act(Penalty, session, seat=1, points=2, note="slow")
    act(Fee, session, seats=[2], amount=150, note="rake")
    book, state = workbook(session), reads.state(session)
    totals = {line["Player"]: line for line in lines(book, "Totals")}
    for number, seat in state.seats.items():
        if number > 0:
            line, balance = totals[seat.name], state.balances[number]
            assert (line["Hands"], line["Points"], line["Fees"]) == (2, balance.points, balance.fees / 100)
            assert line["Money (EUR)"] == balance.money / 100
    hands = lines(book, "Hands")
    assert [(line["Hand"], line["Player"], line["Remark"]) for line in hands] == [
        (1, "Bob", None),
        (1, "Cat", "foul"),
        (1, "Ann", None),
        (2, "Bob", None),
        (2, "Cat", "dead"),
        (2, "Ann", None),
        (3, None, "void"),
    ]
    assert hands[2]["Front"] == STRONG.front
    assert sum(line["Points"] for line in hands[:3]) == sum(line["Money (EUR)"] for line in hands[:3]) == 0
    pairs = lines(book, "Pairs")
    assert len(pairs) == 6
    for name in ("Points", "Money (EUR)"):
        assert sum(line[name] for line in pairs) == 0
        for player, line in totals.items():
            assert sum(each[name] for each in pairs if each["Player"] == player) == line[name]
    transfers = lines(book, "Transfers")
    assert [line["Reversal"] for line in transfers].count("reversal") == 3
    assert transfers[-1] | {"When": None} == {
        "When": None,
        "After hand": 3,
        "Payer": "Bob",
        "Payee": "House",
        "Points": 0,
        "Money (EUR)": 1.5,
        "Kind": "fee",
        "Reversal": None,
        "By": "host",
        "Note": "rake",
    }
    money = book["Transfers"].cell(len(transfers) + 1, 6)
    assert (money.data_type, money.number_format) == ("n", "0.00")
    assert transfers[-1]["When"].year >= 2026


@pytest.mark.django_db
@pytest.mark.parametrize(("digits", "number_format", "shown"), [(0, "0", 100), (3, "0.000", 0.1)])
def test_amounts_have_the_decimals_of_their_currency(digits: int, number_format: str, shown: float) -> None:
    session = start(minor_digits=digits, stake=100)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    cell = workbook(session)["Transfers"].cell(2, 6)
    points = workbook(session)["Transfers"].cell(2, 5).value
    assert cell.number_format == number_format
    assert cell.value == pytest.approx(points * shown)


@pytest.mark.django_db
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_typed_text_is_never_a_formula(text: str) -> None:
    session = hostile_evening(text)
    book = workbook(session)
    for sheet in book:
        for cell in (cell for line in sheet.iter_rows() for cell in line):
            assert cell.data_type in {"s", "inlineStr", "n", "d"}, cell.value
            assert cell.hyperlink is None
            if isinstance(cell.value, str) and cell.value.startswith(("=", "+", "-", "@")):
                assert cell.quotePrefix
    ann = Seat.objects.get(session=session, number=1).name
    assert ann in [line["Player"] for line in lines(book, "Totals")]
    assert {line["Note"] for line in lines(book, "Transfers")} >= {
        session.events.get(verb="penalty").note,
    }
