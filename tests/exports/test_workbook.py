"""A session's workbook: numbers are numbers, sums are formulas, typed text is text, and all is as the pages say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.exports import workbook as exported
from scoring.exports.code import png
from scoring.game.entry import Rows
from scoring.game.limits import HOUSE
from scoring.models import Seat, Session
from tests.access.test_hostile_text import TEXTS, hostile_evening
from tests.actions.everything import everything
from tests.conftest import HostsBrowser
from tests.exports.formulas import Calculator
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start

SHEETS = ["Totals", "Hands", "Points", "Money", "Pairs", "Settle up", "Still to pay", "Transfers", "Record"]
TOGETHER = "All together"


def download(session: Session) -> bytes:
    response = HostsBrowser().get(f"/s/{session.public_id}/ledger.xlsx")
    assert response.status_code == 200
    content: bytes = response.getvalue()
    return content


def workbook(session: Session) -> Any:
    """The workbook as a program shows it that does not calculate: with the figures that formulas carry."""
    return load_workbook(BytesIO(download(session)), data_only=True)


def lines(book: Any, sheet: str, *, sums: bool = False) -> list[dict[str, Any]]:
    """The rows of a sheet, each as a dictionary by heading; the last ones, which have sums, only if asked for."""
    heading, *found = book[sheet].iter_rows(values_only=True)
    rows = [dict(zip(heading, line, strict=True)) for line in found]
    below = next((at for at, row in enumerate(rows) if set(row.values()) & {TOGETHER, STILL}), len(rows))
    return rows if sums else rows[:below]


STILL = "Still to get; below 0, to pay"


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
    assert [len(lines(book, sheet)) for sheet in SHEETS[1:-1]] == [0, 0, 0, 0, 1, 0, 0]


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
        "Payer’s seat": 2,
        "Payee’s seat": HOUSE,
        "Counts as won": 0,
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


OURS = re.compile(
    r"""=(?:(?:'Settle[ ]up'|Hands|Points|Money|Transfers)!|\$?[A-Z]{1,2}\$?\d+|SUMIFS?|SUM|ROUND|IF|[-+=(),:]|\d+
    |"(?:does[ ]not[ ]add|adds)[ ]up[ ]to[ ]0")*""",
    re.VERBOSE,
)
"""A formula that names cells and numbers and has no text but ours."""


@pytest.mark.django_db
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_typed_text_is_never_a_formula(text: str) -> None:
    session = hostile_evening(text)
    book = workbook(session)
    for sheet in load_workbook(BytesIO(download(session))):
        for cell in (cell for line in sheet.iter_rows() for cell in line):
            assert cell.data_type in {"s", "inlineStr", "n", "d", "f"}, cell.value
            assert cell.hyperlink is None
            if cell.data_type == "f":
                assert OURS.fullmatch(cell.value), cell.value
            elif isinstance(cell.value, str) and cell.value.startswith(("=", "+", "-", "@")):
                assert cell.quotePrefix
    ann = Seat.objects.get(session=session, number=1).name
    assert ann in [line["Player"] for line in lines(book, "Totals")]
    assert {line["Note"] for line in lines(book, "Transfers")} >= {
        session.events.get(verb="penalty").note,
    }


# --- Formulas -----------------------------------------------------------------------------------


def evening() -> Session:
    """A closed session: Dan came late and left, fees and bets were taken back, and it is half settled up."""
    session = start()
    act(Penalty, session, seat=1, points=2, note="slow")
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    act(Join, session, name="Dan")
    act(SideBet, session, payer=4, payee=1, amount=1_05, note="red")
    act(Leave, session, seat=4)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=Rows(ruling="dead")))
    act(ledger.void_deal, session, number=2, note="misdeal")
    act(SideBet, session, payer=1, payee=2, amount=1_10, note="by mistake")
    act(ledger.undo, session)
    act(Fee, session, seats=[1, 2], amount=1_33, note="room")
    settle(session)
    act(Fee, session, seats=[3], amount=99, note="by mistake")
    act(ledger.undo, session)
    act(ledger.close_session, session)
    return session


def overpaid() -> Session:
    """`evening` with payments: one in part, one undone, one beyond what was owed and partly paid back."""
    session = evening()
    first, second = reads.open_payments(session).open[:2]
    for amount, more, undone in ((100, False, False), (200, False, True), (first.amount, True, False)):
        paid = act(ledger.pay, session, payer=first.payer, payee=first.payee, amount=amount, more=more, note="cash")
        if undone:
            act(ledger.undo_payment, session, n=paid.n)
    act(ledger.pay, session, payer=first.payee, payee=first.payer, amount=40, note="change")
    act(ledger.pay, session, payer=second.payer, payee=second.payee, amount=second.amount, note="")
    session.refresh_from_db()
    return session


def overtaken() -> Session:
    """`overpaid`, and then the result changed, so that the plan holds no more."""
    session = overpaid()
    act(ledger.reopen_session, session)
    act(SideBet, session, payer=1, payee=2, amount=77, note="forgotten")
    session.refresh_from_db()
    return session


def in_yen() -> Session:
    """A session in a currency without decimals."""
    session = start(currency="JPY", minor_digits=0)
    settle(session)
    act(ledger.close_session, session)
    return session


EVENINGS = [start, everything, evening, overpaid, overtaken, in_yen]


def cells(book: Any) -> Iterator[tuple[str, Any]]:
    for sheet in book:
        for line in sheet.iter_rows(min_row=2):
            yield from ((sheet.title, cell) for cell in line if cell.value is not None)


@pytest.mark.django_db
@pytest.mark.parametrize("made", EVENINGS, ids=lambda made: made.__name__)
def test_each_formula_gives_the_figure_that_it_carries(made: Any) -> None:
    content = download(made())
    book, shown = load_workbook(BytesIO(content)), load_workbook(BytesIO(content), data_only=True)
    calculator, formulas = Calculator(book), 0
    for sheet, cell in cells(book):
        if cell.data_type == "f":
            carried = shown[sheet][cell.coordinate].value
            found = calculator.value(sheet, cell.column, cell.row)
            assert found == (carried if isinstance(carried, str) else Decimal(str(carried))), (sheet, cell.coordinate)
            formulas += 1
    assert formulas > 20


FIGURES = {
    "Totals": {"Hands"},
    "Hands": {"Hand", "Points", "Money"},
    "Points": {"Hand"},
    "Money": {"Hand"},
    "Pairs": set(),
    "Settle up": {"Money", "Line to pay"},
    "Still to pay": {"Line", "To pay"},
    "Transfers": {"After hand", "Points", "Money", "Payer’s seat", "Payee’s seat", "Counts as won"},
    "Record": {"Record"},
}
"""The columns whose figures are no sums. Besides them, a line has its figure in its two players' columns."""


@pytest.mark.django_db
@pytest.mark.parametrize("made", EVENINGS, ids=lambda made: made.__name__)
def test_no_sum_is_a_bare_number(made: Any) -> None:
    book = load_workbook(BytesIO(download(made())))
    for sheet, cell in cells(book):
        heading = book[sheet].cell(1, cell.column).value.split(" (")[0]
        if cell.data_type == "n" and heading not in FIGURES[sheet]:
            what = book[sheet].cell(cell.row, 2 if sheet in {"Points", "Money"} else 1).value
            named = re.fullmatch("(Fee|Payment|Penalty|Side bet)( undone)?", str(what))
            assert named, f"{sheet}!{cell.coordinate}"
            assert heading in {"Ann", "Bob", "Cat", "Dan", "House"}, f"{sheet}!{cell.coordinate}"


@pytest.mark.django_db
@pytest.mark.parametrize("made", EVENINGS, ids=lambda made: made.__name__)
def test_its_sums_are_those_of_the_ledger(made: Any) -> None:
    session = made()
    book, state = workbook(session), reads.state(session)
    unit = Decimal(1).scaleb(-session.minor_digits)
    names, owed = reads.present(session), {}

    def exact(figure: Any) -> Decimal:
        return Decimal(str(figure))

    money = f"Money ({session.currency})"
    totals = {line["Player"]: line for line in lines(book, "Totals")}
    settling = lines(book, "Settle up", sums=True)[-1]
    for seat, name in names.items():
        balance, line = state.balances[seat], totals[name]
        assert line["Points"] == balance.points
        assert (exact(line[money]), exact(line["Fees"])) == (balance.money * unit, balance.fees * unit)
        for sheet, sum_ in (("Points", Decimal(balance.points)), ("Money", balance.money * unit)):
            *rows, together = lines(book, sheet, sums=True)
            assert exact(together[name]) == sum_
            assert not rows or exact(rows[-1][f"{name} so far"]) == sum_
            assert not any(row["Adds up to"] for row in (*rows, together))
        owed[name] = balance.owed * unit
        assert exact(settling[name]) == owed[name]
    assert exact(settling["House"]) == -sum(owed.values())
    assert lines(book, "Totals", sums=True)[-1]["Points"] == "adds up to 0"
    assert lines(book, "Totals", sums=True)[-1][money] == "adds up to 0"
    *_, left, still, difference = lines(book, "Still to pay", sums=True)
    for name in (*names.values(), "House"):
        assert exact(left[name]) == exact(still[name])
        assert difference[name] == 0
    assert not any(line["Adds up to"] for line in lines(book, "Settle up", sums=True))
    found = reads.open_payments(session)
    to_pay = {
        (line["Payer"], line["Payee"]): exact(line["Left"]) / unit
        for line in lines(book, "Still to pay")
        if line["Left"]
    }
    expected = {}
    for each in found.open:
        pair = state.seats[each.payer].name, state.seats[each.payee].name
        back = pair[::-1] in {(line["Payer"], line["Payee"]) for line in lines(book, "Still to pay")}
        expected[pair[::-1] if back else pair] = -each.amount if back else each.amount
    assert to_pay == expected


@pytest.mark.django_db
def test_settling_up_says_who_paid_whom_how_and_what_is_left() -> None:
    session = overpaid()
    book = workbook(session)
    paid = [
        (line["What"], line["Payer"], line["Payee"], line["Money (EUR)"], line["How or why"], line["Line to pay"])
        for line in lines(book, "Settle up")
        if line["What"].startswith("Payment")
    ]
    owed = round(lines(book, "Still to pay")[0]["To pay"], 2)
    payer, payee = (lines(book, "Still to pay")[0][side] for side in ("Payer", "Payee"))
    other = lines(book, "Still to pay")[1]
    assert paid == [
        ("Payment", payer, payee, 1, "cash", 1),
        ("Payment", payer, payee, 2, "cash", 1),
        ("Payment undone", payer, payee, -2, None, 1),
        ("Payment", payer, payee, owed, "cash", 1),
        ("Payment", payee, payer, 0.4, "change", 1),
        ("Payment", other["Payer"], other["Payee"], other["To pay"], None, 2),
    ]
    first, second, *_ = lines(book, "Still to pay")
    assert (first["Paid of it"], first["Left"]) == (pytest.approx(owed + 0.6), -0.6)
    assert (second["Paid of it"], second["Left"]) == (second["To pay"], 0)
    assert lines(book, "Settle up")[1]["What"] == "Fee"
    assert {line["By"] for line in lines(book, "Settle up")[1:]} == {"host"}


@pytest.mark.django_db
def test_anyone_can_see_that_a_figure_was_changed() -> None:
    book = load_workbook(BytesIO(download(overpaid())))
    for cell, column in (("F2", 3), ("G2", 4)):
        calculator = Calculator(book, {("Hands", cell): Decimal(4321)})
        assert calculator.value("Totals", column, book["Totals"].max_row) == "does not add up to 0"
    last = book["Still to pay"].max_row
    calculator = Calculator(book, {("Settle up", "I3"): Decimal(-50)})
    assert calculator.value("Still to pay", 7, last) != 0
    assert Calculator(book).value("Still to pay", 7, last) == 0


@pytest.mark.django_db
def test_hands_stand_in_their_order_with_what_was_recorded_between_them() -> None:
    book = workbook(evening())
    assert [(line["Hand"], line["What"]) for line in lines(book, "Points")] == [
        (0, "Penalty"),
        (0, "Penalty"),
        (1, "Hand"),
        (2, "Hand, void"),
        (3, "Hand"),
    ]
    assert [(line["Hand"], line["What"]) for line in lines(book, "Money")] == [
        (0, "Penalty"),
        (0, "Penalty"),
        (1, "Hand"),
        (1, "Side bet"),
        (2, "Hand, void"),
        (2, "Side bet"),
        (2, "Side bet undone"),
        (3, "Hand"),
    ]
