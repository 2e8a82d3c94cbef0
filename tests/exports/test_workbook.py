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
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.deals import Remark
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.exports import workbook as exported
from scoring.exports.qr import png
from scoring.exports.statistics import OF_DEALS, OF_PAIRS
from scoring.game.entry import Rows
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import LineKind
from scoring.ledger.chain import words_of
from scoring.models import Seat, Session
from scoring.wording.actions import line_said
from tests.access.test_hostile_text import TEXTS, hostile_evening
from tests.actions.everything import everything
from tests.conftest import HostsBrowser
from tests.exports.formulas import Calculator
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start

SHEETS = [
    "Totals", "Chart", "Statistics", "Hands", "Points", "Money", "Curve", "Pairs", "Settle up", "Still to pay",
    "Transfers", "Record",
]  # fmt: skip
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
    (event, words, hashed) = (cell.value for cell in written[2][:3])
    assert words == words_of(session.head)
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
    assert [len(lines(book, sheet)) for sheet in SHEETS[1:-1]] == [1, 1, 0, 0, 0, 0, 0, 1, 0, 0]


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
    r"""=(?:(?:'Settle[ ]up'|Hands|Points|Money|Pairs|Transfers)!|\$?[A-Z]{1,2}\$?\d+|(?:COUNT|SUM)IFS|SUMIF|SUM|ROUND
    |IF|[-+/=(),:]|\d+|">0"|"(?:does[ ]not[ ]add|adds)[ ]up[ ]to[ ]0")*""",
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


def test_a_settlement_has_whose_cards_came_to_be_others_as_its_note(db: None) -> None:
    session = start("Ann אבי Cat")
    settle(session, remark=Remark(changed=[(2, "AhAdKc//")]))
    settle(session)
    act(Penalty, session, seat=1, points=2, note="slow")
    noted = {(line["Kind"], line["After hand"]): line["Note"] for line in lines(workbook(session), "Transfers")}
    assert noted == {
        ("deal", 1): "Changed after Fantasyland was shown: \u2068אבי\u2069 (before: AhAdKc//).",
        ("deal", 2): None,
        ("penalty", 2): "slow",
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
    for amount, over, undone in ((100, 0, False), (200, 0, True), (first.amount, 100, False)):
        paid = act(ledger.pay, session, payer=first.payer, payee=first.payee, amount=amount, over=over, note="cash")
        if undone:
            act(ledger.undo_payment, session, n=paid.n)
    act(ledger.pay, session, payer=first.payee, payee=first.payer, amount=40, note="change")
    act(ledger.pay, session, payer=second.payer, payee=second.payee, amount=second.amount, note="")
    session.refresh_from_db()
    return session


def rounded() -> Session:
    """`evening` on the club's tab, with payments rounded to a coin of 5, of which one is paid in part."""
    session = evening()
    act(ledger.choose_tab, session, on=True, coin=5_00)
    first = reads.open_payments(session).open[0]
    act(ledger.pay, session, payer=first.payer, payee=first.payee, amount=2_00, note="cash")
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


def for_cash() -> Session:
    """An open session with chips that were paid for, but for Bob's; Dan has left, and one cash-out was undone."""
    session = start()
    act(BuyIn, session, seat=2, amount=40_00)
    act(BuyInAll, session, seats=[1, 3], amount=40_00, cash=True)
    settle(session)
    act(Join, session, name="Dan")
    act(BuyIn, session, seat=4, amount=20_05, cash=True)
    act(SideBet, session, payer=4, payee=1, amount=1_05, note="red")
    act(Leave, session, seat=4)
    act(SideBet, session, payer=2, payee=1, amount=5_00, note="blue")
    act(CashOut, session, seat=1, amount=10_00, cash=True)
    act(ledger.undo, session)
    act(CashOut, session, seat=3, amount=7_00, cash=True)
    act(Fee, session, seats=[1, 2], amount=1_50, note="room")
    session.refresh_from_db()
    return session


COUNTED = {1: 55_55, 2: 34_00, 3: 20_00}
"""The stacks at the close of `for_cash`: Ann has 1.00 less than the ledger says, Bob 0.50 more, and Cat 1.00 less."""


def miscounted() -> Session:
    """`for_cash`, closed with stacks that lack something, which the bank has then; Bob has paid a part."""
    session = for_cash()
    act(ledger.close_session, session, counts=COUNTED, note="so they lay")
    act(ledger.pay, session, payer=2, payee=BANK, amount=1_00, note="cash")
    session.refresh_from_db()
    return session


def counted_again() -> Session:
    """`miscounted`, opened again, so that what the count had booked is taken back."""
    session = miscounted()
    act(ledger.reopen_session, session)
    session.refresh_from_db()
    return session


EVENINGS = [start, everything, evening, overpaid, rounded, overtaken, in_yen, for_cash, miscounted, counted_again]


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


FIGURES: dict[str, Any] = {
    "Totals": {"Hands"},
    "Chart": set(),
    "Hands": {"Hand", "Points", "Money", *OF_DEALS},
    "Points": {"Hand"},
    "Money": {"Hand"},
    "Curve": {"After hand"},
    "Pairs": {*OF_PAIRS.values()},
    "Settle up": {"Money", "Line to pay"},
    "Still to pay": {"Line", "To pay"},
    "Transfers": {"After hand", "Points", "Money", "Payer’s seat", "Payee’s seat", "Counts as won"},
    "Record": {"Record"},
}
"""The columns whose figures are no sums. Besides them, a line has its figure in its two players' columns."""

NO_SUMS = {
    "Fantasyland entered",
    "Longest Fantasyland, in hands",
    *(f"{which} hand: {what}" for which in ("Best", "Worst") for what in ("points", "money", "number")),
    *(f"Most hands {how} in a row" for how in ("won", "lost")),
    *(
        f"{run}: {end} hand"
        for run in ("Longest Fantasyland", "Most hands won in a row", "Most hands lost in a row")
        for end in ("first", "last")
    ),
}
"""The figures of the sheet Statistics that no formula of a spreadsheet finds in others."""


def said_of_lines() -> set[str]:
    return {line_said(kind, undone=undone) for kind in LineKind for undone in (False, True)}


@pytest.mark.django_db
@pytest.mark.parametrize("made", EVENINGS, ids=lambda made: made.__name__)
def test_no_sum_is_a_bare_number(made: Any) -> None:
    book = load_workbook(BytesIO(download(made())))
    assert {sheet for sheet, cell in cells(book) if cell.data_type == "f"} >= {"Points", "Money", "Totals"}
    for sheet, cell in cells(book):
        heading = book[sheet].cell(1, cell.column).value.split(" (")[0]
        if sheet == "Statistics":
            assert cell.data_type != "n" or book[sheet].cell(cell.row, 1).value.split(" (")[0] in NO_SUMS, cell
        elif sheet == "Curve" and cell.data_type == "n" and heading != "After hand":
            assert cell.value == 0, cell  # before the first hand
        elif cell.data_type == "n" and heading not in FIGURES[sheet]:
            what = book[sheet].cell(cell.row, 2 if sheet in {"Points", "Money", "Still to pay"} else 1).value
            named = re.fullmatch("Chips on the table|Left on .* by rounding", str(what))
            assert named or what in said_of_lines(), f"{sheet}!{cell.coordinate}"
            assert heading in {"Ann", "Bob", "Cat", "Dan", "House", "Bank"}, f"{sheet}!{cell.coordinate}"


@pytest.mark.django_db
@pytest.mark.parametrize("made", EVENINGS, ids=lambda made: made.__name__)
def test_its_sums_are_those_of_the_ledger(made: Any) -> None:
    session = made()
    book, state = workbook(session), reads.state(session)
    unit = Decimal(1).scaleb(-session.minor_digits)
    names, owed = reads.present(session), {}
    found = reads.open_payments(session)

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
    for seat, name in {**names, HOUSE: "House", BANK: "Bank"}.items():
        owed[name] = found.of[seat].owed * unit
        assert exact(settling.get(name, 0)) == owed[name]
    assert sum(owed.values()) == 0
    assert lines(book, "Totals", sums=True)[-1]["Points"] == "adds up to 0"
    assert lines(book, "Totals", sums=True)[-1][money] == "adds up to 0"
    *_, left, still, difference = lines(book, "Still to pay", sums=True)
    for name in {*names.values(), "House", "Bank"} & left.keys():
        assert exact(left[name]) == exact(still[name])
        assert difference[name] == 0
    assert not any(line["Adds up to"] for line in lines(book, "Settle up", sums=True))
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
def test_what_rounding_leaves_has_a_row_of_its_own() -> None:
    session = rounded()
    rest = next(
        line
        for line in lines(workbook(session), "Still to pay", sums=True)
        if line["Payer"] == "Left on the club’s tab by rounding"
    )
    names = {**reads.present(session), HOUSE: "House"}
    found = reads.open_payments(session).rest
    assert found
    assert {name: rest[name] for name in names.values() if rest.get(name)} == {
        names[seat]: amount / 100 for seat, amount in found.items()
    }
    assert rest["Adds up to"] == 0


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


def of_bank(book: Any) -> dict[str, bool]:
    """Which sheets have the bank among the accounts."""
    return {
        "Totals": "Bank" in {line["Player"] for line in lines(book, "Totals")},
        **{sheet: "Bank" in [cell.value for cell in book[sheet][1]] for sheet in ("Points", "Money", "Settle up")},
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("made", "settling", "winning"),
    [(evening, False, False), (everything, False, False), (for_cash, True, False), (miscounted, True, True)],
    ids=lambda made: getattr(made, "__name__", None),
)
def test_the_bank_is_an_account_where_it_has_money(made: Any, settling: bool, winning: bool) -> None:
    found = of_bank(workbook(made()))
    assert found == {"Totals": winning, "Points": False, "Money": winning, "Settle up": settling}


@pytest.mark.django_db
def test_cash_is_no_win_and_a_count_is_one() -> None:
    book = workbook(miscounted())
    counts = {line["Kind"]: line["Counts as won"] for line in lines(book, "Transfers")}
    assert (counts["cash"], counts["count"], counts["buy-in"], counts["cash-out"]) == (0, 1, 0, 0)
    counted = [line for line in lines(book, "Money") if line["What"] == "Final count"]
    assert [(line["Ann"], line["Bob"], line["Cat"], line["Bank"]) for line in counted] == [
        (-0.5, 0.5, None, None),
        (-0.5, None, None, 0.5),
        (None, None, -1, 1),
    ]
    assert not any(line["Adds up to"] for line in lines(book, "Money", sums=True))
    totals = {line["Player"]: line["Money (EUR)"] for line in lines(book, "Totals")}
    assert totals == {"Ann": 17.05, "Bob": -4.5, "Cat": -13, "Dan": -1.05, "Bank": 1.5}
    assert {(line["Player"], line["Against"]): line["Money (EUR)"] for line in lines(book, "Pairs")}["Bank", "Cat"] == 1
    assert "Final count" not in {line["What"] for line in lines(book, "Points")}


@pytest.mark.django_db
def test_settling_up_for_cash_leaves_what_was_never_paid_for() -> None:
    """Bob hands in 34.00, and has 40.00 on credit. The bank pays out all that it holds, first to the players."""
    book = workbook(miscounted())
    cash = [*["Cash"] * 5, "Cash undone", *["Cash"] * 3]
    assert [line["What"] for line in lines(book, "Settle up")] == ["Won and lost", "Fee", "Fee", *cash, "Payment"]
    assert [(line["Payer"], line["Payee"], line["To pay"], line["Left"]) for line in lines(book, "Still to pay")] == [
        ("Bob", "House", 3, 3),
        ("Bob", "Bank", 1.5, 0.5),
        ("Bob", "Ann", 1.5, 1.5),
    ]


@pytest.mark.django_db
def test_while_chips_for_cash_are_on_the_table_settling_up_says_what_they_are_worth() -> None:
    session = for_cash()
    book = workbook(session)
    on_table = [line for line in lines(book, "Settle up") if line["What"] == "Chips on the table"]
    assert [(line["Payer"], line["Payee"], line["Money (EUR)"]) for line in on_table] == [
        ("Bank", "Ann", 53.05),
        ("Bank", "Cat", 21),
    ]
    assert "Chips on the table" not in {line["What"] for line in lines(workbook(miscounted()), "Settle up")}
