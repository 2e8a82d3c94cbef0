"""Exports one session as an Excel workbook: totals, a chart, statistics, hands, pairs, settling up, lines, the head.

Rows are written as they are read, so that only the compressed workbook of a long history must fit into memory. What is
a sum of other cells is a formula, so that anyone who opens the workbook can check it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from django.db.models import Case, F, Q, When
from django.utils.functional import Promise
from xlsxwriter import Workbook

from scoring import reads
from scoring.actions.deals import Remark, Settle
from scoring.exports import statistics
from scoring.exports.chart import Course, draw
from scoring.exports.figures import of_pair
from scoring.exports.qr import png
from scoring.exports.sheets import (
    MONEY,
    TEXT,
    WHEN,
    WHOLE,
    WORDS_WIDTH,
    Book,
    Formula,
    Sheet,
    across,
    at,
    down,
    fixed,
    letters,
    quoted,
)
from scoring.game.balances import Balance
from scoring.game.cashing import still_to_get
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import WON_IN_PLAY, Category, kinds_of
from scoring.game.payments import Payment
from scoring.ledger.load import seats_of, totals_of
from scoring.ledger.payments import last_plan
from scoring.models import Revision, Session, Transfer
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, pgettext, pgettext_lazy
from scoring.wording.actions import Speaker, kind_said, line_said
from scoring.wording.names import link_said, name_said
from scoring.wording.notes import note_said, remark_said

TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


AT_ONCE: Final = 1000
"""Rows that are fetched into memory at once."""


_Column = tuple[str | Promise, str]
"""The heading of a column and the kind of its cells."""

_SETTLING: Final = 8
_TO_PAY: Final = 6
"""The first players' columns of the sheets Settle up and Still to pay."""


def of_session(session: Session, file: Path, verifier: str, count: Callable[[], None]) -> None:
    """Writes the workbook to a file. All its sheets agree only if the caller reads from one snapshot.

    ``verifier`` is the address to which the QR code of the record's head leads; ``count`` is called for each hand's
    board and each line.
    """
    with Workbook(file, {"constant_memory": True}) as workbook:
        book, state = Book(workbook, session.minor_digits), reads.state(session)
        sheets = _Sheets.of(book, session)
        running = _write_deals(session, sheets, count)
        transfers = _write_transfers(session, sheets.transfers, count)
        _write_pairs(session, state, book, sheets, transfers)
        statistics.write(session, sheets.statistics, deals=sheets.deals, pairs=sheets.pairs)
        settled = _write_settling_up(session, state, book, sheets, running)
        _write_totals(session, book, sheets, running, settled)
        head = reads.head(session)
        sheets.record.sheet.set_column(1, 1, WORDS_WIDTH)
        sheets.record.add((head.event, head.words, head.hash))
        sheets.record.picture(3, _("The record's head as a QR code"), png(head.address(verifier)))


@dataclass(frozen=True, slots=True)
class _Sheets:
    """All sheets in their order. ``columns`` has the place of each account among the accounts' columns, by seat.

    Accounts are the players, the house, and the bank if it took part in more than chips: if chips were paid for on the
    spot, or if it won or lost by a final count. ``winners`` are those of them who have a column in the sheet Money.
    """

    columns: Mapping[int, int]
    winners: Sequence[int]
    totals: Sheet
    chart: Sheet
    statistics: Sheet
    deals: Sheet
    points: Sheet
    money: Sheet
    curve: Sheet
    pairs: Sheet
    settling: Sheet
    to_pay: Sheet
    transfers: Sheet
    record: Sheet

    @classmethod
    def of(cls, book: Book, session: Session) -> Self:
        """Adds the sheets to a workbook, with their headings."""
        names = reads.present(session)
        money = _("Money ({currency})").format(currency=session.currency)
        banked = _with_bank(session)
        accounts = (*names, HOUSE, *((BANK,) if banked else ()))
        winners = (*names, *((BANK,) if banked & set(WON_IN_PLAY) else ()))
        called = {seat.number: name_said(seat.name) for seat in seats_of(session)}
        of_each = [*((called[account], MONEY) for account in accounts), (_("Adds up to"), MONEY)]
        people = [called[seat] for seat in names]
        return cls(
            columns={seat: place for place, seat in enumerate(accounts)},
            winners=winners,
            totals=book.sheet(
                pgettext("sheet", "Totals"),
                [(_("Player"), TEXT), (_("Hands"), WHOLE), (_("Points"), WHOLE), (money, MONEY), (_("Fees"), MONEY)],
            ),
            chart=book.sheet(
                pgettext("sheet", "Chart"),
                [
                    (
                        _("What everyone was up or down after each hand, as in {sheet}").format(
                            sheet=pgettext("sheet", "Curve")
                        ),
                        TEXT,
                    )
                ],
            ),
            statistics=book.sheet(
                pgettext("sheet", "Statistics"),
                [(_("Every hand as it counts now"), TEXT), *((name, WHOLE) for name in people)],
            ),
            deals=book.sheet(pgettext("sheet", "Hands"), _deals_columns(money)),
            points=book.sheet(pgettext("sheet", "Points"), _running_columns(WHOLE, people)),
            money=book.sheet(
                pgettext("sheet", "Money"), _running_columns(MONEY, [called[account] for account in winners])
            ),
            curve=book.sheet(
                pgettext("sheet", "Curve"),
                [
                    (_("After hand"), WHOLE),
                    *((name, WHOLE) for name in people),
                    *(
                        (_("{name} ({currency})").format(name=name, currency=session.currency), MONEY)
                        for name in people
                    ),
                ],
            ),
            pairs=book.sheet(
                pgettext("sheet", "Pairs"),
                [
                    (_("Player"), TEXT),
                    (_("Against"), TEXT),
                    (_("Points"), WHOLE),
                    (money, MONEY),
                    *((heading, WHOLE) for heading in statistics.OF_PAIRS.values()),
                ],
            ),
            settling=book.sheet(pgettext("sheet", "Settle up"), [*_settling_columns(money), *of_each]),
            to_pay=book.sheet(pgettext("sheet", "Still to pay"), [*_to_pay_columns(), *of_each]),
            transfers=book.sheet(pgettext("sheet", "Transfers"), _transfers_columns(money)),
            record=book.sheet(
                pgettext("sheet", "Record"), [(_("Record"), WHOLE), (_("Words"), TEXT), (_("Hash"), TEXT)]
            ),
        )


def _with_bank(session: Session) -> set[str]:
    """The kinds of lines that the bank had part in, but for the chips themselves."""
    lines = Transfer.objects.filter(Q(payer__number=BANK) | Q(payee__number=BANK), session=session)
    return set(lines.exclude(kind__in=kinds_of(Category.BANK)).order_by().values_list("kind", flat=True).distinct())


# --- Hands, points and money --------------------------------------------------------------------


def _deals_columns(money: str) -> list[_Column]:
    """``money`` is the heading of an amount, here and in the other sheets."""
    return [
        (_("Hand"), WHOLE),
        *((each, TEXT) for each in (_("Player"), _("Front"), _("Middle"), _("Back"))),
        (_("Points"), WHOLE),
        (money, MONEY),
        (_("Remark"), TEXT),
        (_("Note"), TEXT),
        *((heading, WHOLE) for heading in statistics.OF_DEALS),
    ]


def _running_columns(kind: str, people: Sequence[str]) -> list[_Column]:
    return [
        (_("Hand"), WHOLE),
        (_("What"), TEXT),
        *((name, kind) for name in people),
        (_("Adds up to"), kind),
        *((_("{name} so far").format(name=name), kind) for name in people),
    ]


class _Running:
    """The sheet Points or Money: what each player won or lost, hand by hand, and so far.

    Each row has the figures of all players, adds them up, and adds them to the row above.
    """

    FIRST = 2
    """The first player's column."""

    def __init__(self, sheet: Sheet, seats: Iterable[int], *, money: bool) -> None:
        self.sheet = sheet
        self.columns = {seat: self.FIRST + place for place, seat in enumerate(seats)}
        self.check = self.FIRST + len(self.columns)
        self.rounded = sheet.book.rounded if money else str
        self.so_far = dict.fromkeys(self.columns, 0)
        self.met: set[int] = set()
        """Everyone who has had a figure, by seat."""
        self.letters = [
            (letters(column), letters(self.check + place)) for place, column in enumerate(self.columns.values(), 1)
        ]
        """The columns of each player's figures and of what they make so far."""

    def add(self, deal: int, what: str, figures: Mapping[int, int | Formula]) -> None:
        """Adds a row. ``figures`` are by seat."""
        above, row, all_ = self.sheet.row, self.sheet.row + 1, 0
        for seat, figure in figures.items():
            value = int(figure.value if isinstance(figure, Formula) else figure)
            self.so_far[seat] += value
            all_ += value
        self.met |= figures.keys()
        cells: list[Any] = [deal, what, *map(figures.get, self.columns), self._across(row, all_)]
        for (of, until), value in zip(self.letters, self.so_far.values(), strict=True):
            text = f"{of}{row}" if row == 2 else self.rounded(f"{until}{above}+{of}{row}")
            cells.append(Formula(text, value))
        self.sheet.add(cells)

    def now(self) -> dict[int, Formula]:
        """The formulas by which another sheet refers to each player's total so far, by seat."""
        name, row = self.sheet.called, self.sheet.row
        return {
            seat: Formula(f"{name}!{until}{row}", total)
            for (_, until), (seat, total) in zip(self.letters, self.so_far.items(), strict=True)
        }

    def _across(self, row: int, value: int) -> Formula:
        return Formula(self.rounded(f"SUM({across(self.FIRST, self.check - 1, row)})"), value)

    def end(self) -> dict[int, Formula]:
        """Adds the row of sums. Returns, by seat, what names the sum from another sheet."""
        last, row = self.sheet.row, self.sheet.row + 1
        sums = [
            Formula(self.rounded(f"SUM({down(column, 2, last)})"), self.so_far[seat])
            for seat, column in self.columns.items()
        ]
        check = self._across(row, sum(self.so_far.values()))
        self.sheet.add((None, _("All together"), *sums, check, *(None for _ in sums)), total=True)
        name = self.sheet.called
        return {seat: Formula(f"{name}!{at(column, row)}", self.so_far[seat]) for seat, column in self.columns.items()}


class _Sums(NamedTuple):
    """What names each player's sums of points and of money, by seat."""

    points: Mapping[int, Formula]
    money: Mapping[int, Formula]


def _write_deals(session: Session, sheets: _Sheets, count: Callable[[], None]) -> _Sums:
    """Writes the sheets Hands, Points and Money side by side, hand by hand."""
    points, money = (
        _Running(sheets.points, [seat for seat in sheets.winners if seat != BANK], money=False),
        _Running(sheets.money, sheets.winners, money=True),
    )
    between = _Between(session, points, money)
    between.up_to(0)
    course = Course(sheets.curve, reads.present(session))
    played, void = _("Hand"), _("Hand, void")
    for number, boards in groupby(_deals(session), itemgetter(0)):
        of_points: dict[int, Formula] = {}
        of_money: dict[int, Formula] = {}
        for seat, cells, won, paid in _board_cells(boards):
            count()
            row = sheets.deals.add((number, *cells))
            if seat is not None:
                of_points[seat] = Formula(f"{sheets.deals.called}!F{row}", won)
                of_money[seat] = Formula(f"{sheets.deals.called}!G{row}", paid)
        what = played if of_points else void
        points.add(number, what, of_points)
        money.add(number, what, of_money)
        if of_points:
            course.add(number, points.met | money.met, points.now(), money.now())
        between.up_to(number)
    course.end(points.met | money.met, points.now(), money.now())
    draw(sheets.chart, course, session.currency)
    return _Sums(points.end(), money.end())


_BOARD: Final = (
    "seat__number", "seat__name", "front", "middle", "back", "points", "money", "foul", "ruling", "order",
    "fantasyland_cards", "royalties",
)  # fmt: skip


def _deals(session: Session) -> Iterator[tuple[Any, ...]]:
    """Yields a row for each player of a deal as it counts now, and a single row for a void deal, without a seat."""
    counts = Revision.objects.filter(deal__session=session, n=F("deal__revision")).annotate(
        scored=Case(When(boards__rows__isnull=False, then=1)),
        # Only boards with royalties are read whole, because that takes longer than all else.
        paid=Case(When(~Q(boards__royalties=0), then=F("boards__rows"))),
    )
    columns = (*(f"boards__{field}" for field in _BOARD), "scored", "paid")
    lines = counts.order_by("deal__number", "boards__order").values_list("deal__number", "kind", "note", *columns)
    yield from lines.iterator(AT_ONCE)


_CALLS: Final[Mapping[str, Promise | str]] = {
    "": "",
    Revision.Kind.VOID: pgettext_lazy("remark", "void"),
    "foul": pgettext_lazy("remark", "foul"),
    "dead": pgettext_lazy("remark", "dead"),
    "surrendered": pgettext_lazy("remark", "surrendered"),
}


def _board_cells(boards: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int | None, tuple[Any, ...], int, int]]:
    """The boards of one deal: the seat, the cells of its row but for the hand's number, points and money."""
    these = list(boards)
    fantasyland = {each[3] for each in these if each[13]}
    for _deal, kind, note, seat, name, *rows, won, paid, foul, ruling, order, cards, _royalties, scored, of in these:
        void = kind == Revision.Kind.VOID
        call = str(_CALLS[Revision.Kind.VOID if void else ruling or ("foul" if foul else "")])
        against = 1 if fantasyland and seat not in fantasyland else None
        royalties = (royalty or None for royalty in reads.royalties_of(of))
        about = (seat, order, scored, 1 if foul else None, cards or None, against, *royalties)
        yield seat, (name, *rows, won, paid, call, note_said(note), *about), won, paid


class _Between:
    """Penalties, side bets and counts, which stand in Points and Money after the hand that they followed."""

    def __init__(self, session: Session, points: _Running, money: _Running) -> None:
        self.points, self.money = points, money
        lines = Transfer.objects.filter(session=session, revision=None, kind__in=WON_IN_PLAY)
        columns = ("deal_number", "kind", "reverses", "payer__number", "payee__number", "points", "amount")
        self.lines = lines.order_by("deal_number", "pk").values_list(*columns).iterator(AT_ONCE)
        self.next = next(self.lines, None)

    def up_to(self, deal: int) -> None:
        """Adds what was recorded before the next hand."""
        while self.next is not None and self.next[0] <= deal:
            number, kind, reverses, payer, payee, points, amount = self.next
            what = line_said(kind, undone=bool(reverses))
            if points:
                self.points.add(number, what, {payer: -points, payee: points})
            if amount:
                self.money.add(number, what, {payer: -amount, payee: amount})
            self.next = next(self.lines, None)


# --- Lines and pairs ----------------------------------------------------------------------------


def _transfers_columns(money: str) -> list[_Column]:
    return [
        (_("When"), WHEN),
        (_("After hand"), WHOLE),
        (_("Payer"), TEXT),
        (_("Payee"), TEXT),
        (_("Points"), WHOLE),
        (money, MONEY),
        (_("Kind"), TEXT),
        (_("Reversal"), TEXT),
        (_("By"), TEXT),
        (_("Note"), TEXT),
        (_("Payer’s seat"), WHOLE),
        (_("Payee’s seat"), WHOLE),
        (_("Counts as won"), WHOLE),
    ]


def _remarks(session: Session) -> dict[int, str]:
    """The remarks on settlements, by the number of the event."""
    name = Speaker.of(session, {seat.number: seat.name for seat in session.seats.all()}).name
    settled = session.events.filter(verb=Settle.verb)
    remarked = settled.filter(~Q(note="") | Q(action__has_any_keys=Remark._fields))
    return {event.n: remark_said(event, name) for event in remarked.order_by("n").iterator(AT_ONCE)}


def _write_transfers(session: Session, sheet: Sheet, count: Callable[[], None]) -> int:
    """Writes every line of the ledger. Returns the last row."""
    lines = Transfer.objects.filter(session=session).order_by("pk")
    found = lines.values_list(
        "event__at", "deal_number", "payer__name", "payee__name", "points", "amount", "kind",
        "reverses", "event__by", "event__n", "event__note", "payer__number", "payee__number",
    )  # fmt: skip
    reversal, said, remarks = _("reversal"), cache(kind_said), _remarks(session)
    for when, deal, name, other, *figures, kind, reverses, by, n, note, payer, payee in found.iterator(AT_ONCE):
        count()
        names = name_said(name), name_said(other)
        why = remarks.get(n) or note_said(note)
        about = said(kind), reversal if reverses else "", link_said(by), why, payer, payee
        sheet.add((when, deal, *names, *figures, *about, int(kind in WON_IN_PLAY)))
    return sheet.row


def _write_pairs(session: Session, state: reads.State, book: Book, sheets: _Sheets, last: int) -> None:
    """Writes each pair twice, once from either side, so that the columns sum to zero. ``last`` is that of Transfers."""
    sheet = sheets.pairs

    def cells(column: str) -> str:
        return fixed(sheets.transfers, column, last)

    def net(column: str, seat: int, other: int) -> str:
        payer, payee, counts = cells("K"), cells("L"), f"{cells('M')},1"
        won = f"SUMIFS({cells(column)},{payee},{seat},{payer},{other},{counts})"
        return f"{won}-SUMIFS({cells(column)},{payee},{other},{payer},{seat},{counts})"

    met = reads.session_statistics(session).pairs
    for seat, other in sorted(state.matrix.keys() | met.keys()):
        balance, pair = state.matrix.get((seat, other), Balance()), met.get((seat, other), reads.Pair())
        points = Formula(net("E", seat, other), balance.points)
        money = Formula(book.rounded(net("F", seat, other)), balance.money)
        against = {"deals": pair.deals, **of_pair(pair), "seat": seat}
        names = name_said(state.seats[seat].name), name_said(state.seats[other].name)
        sheet.add((*names, points, money, *(against[key] for key in statistics.OF_PAIRS)))
    points, money = (
        Formula(f"SUM({down(2, 2, sheet.row)})", 0),
        Formula(book.rounded(f"SUM({down(3, 2, sheet.row)})"), 0),
    )
    sheet.add((_("All together"), None, points, money, *(None for _ in statistics.OF_PAIRS)), total=True)


# --- Settling up --------------------------------------------------------------------------------


def _settling_columns(money: str) -> list[_Column]:
    """The columns before those of the accounts, `_SETTLING` in all."""
    return [
        (_("What"), TEXT),
        (_("When"), WHEN),
        (_("Payer"), TEXT),
        (_("Payee"), TEXT),
        (money, MONEY),
        (_("How or why"), TEXT),
        (_("By"), TEXT),
        (_("Line to pay"), WHOLE),
    ]


def _to_pay_columns() -> list[_Column]:
    """The columns before those of the accounts, `_TO_PAY` in all."""
    return [
        (_("Line"), WHOLE),
        (_("Payer"), TEXT),
        (_("Payee"), TEXT),
        (_("To pay"), MONEY),
        (_("Paid of it"), MONEY),
        (_("Left"), MONEY),
    ]


_FOR_CHIPS: Final = gettext_lazy("Chips on the table")
"""What the bank is going to pay for chips, where they are paid for on the spot and the session is open."""


class _Accounts:
    """The columns of the accounts in the sheet Settle up or Still to pay: what each row changes for whom.

    What somebody is to get is above 0, what they are to pay below. Each row adds its figures up.
    """

    def __init__(self, book: Book, sheet: Sheet, first: int, places: Mapping[int, int]) -> None:
        """``first`` is the first of the columns, ``places`` has that of each account among them, by seat."""
        self.book, self.sheet, self.first = book, sheet, first
        self.columns = {seat: first + place for seat, place in places.items()}
        self.gets = dict.fromkeys(self.columns, 0)
        """What each account is to get by the rows so far that were added by `move`."""

    def add(self, cells: Sequence[Any], figures: Mapping[int, int | Formula], *, total: bool = False) -> int:
        """Adds a row with these cells before the accounts' columns. Returns its number."""
        row, check = self.sheet.row + 1, self.first + len(self.columns)
        value = sum(int(each.value if isinstance(each, Formula) else each) for each in figures.values())
        checked = Formula(self.book.rounded(f"SUM({across(self.first, check - 1, row)})"), value)
        before = (*cells, *(None for _ in range(self.first - len(cells))))
        return self.sheet.add((*before, *(figures.get(seat) for seat in self.columns), checked), total=total)

    def move(self, cells: Sequence[Any], figures: Mapping[int, int | Formula]) -> int:
        """Adds a row as `add` does, whose figures count."""
        for seat, figure in figures.items():
            self.gets[seat] += int(figure.value if isinstance(figure, Formula) else figure)
        return self.add(cells, figures)

    def sums(self) -> dict[int, Formula]:
        """The sum of each column, which is what the account `gets`, once all rows were added by `move`."""
        return {
            seat: Formula(self.book.rounded(f"SUM({down(column, 2, self.sheet.row)})"), self.gets[seat])
            for seat, column in self.columns.items()
        }


class _Settled(NamedTuple):
    """The first and the last row of Settle up that hold fees."""

    first: int
    last: int


def _write_settling_up(session: Session, state: reads.State, book: Book, sheets: _Sheets, running: _Sums) -> _Settled:
    """Writes what everybody is owed for play, fees, cash and payments, and what is still to be paid."""
    found, sheet = reads.open_payments(session), sheets.settling
    accounts = _Accounts(book, sheet, _SETTLING, sheets.columns)
    accounts.move((_("Won and lost"),), running.money)
    fees_from = sheet.row + 1
    for line in _lines_of(session, Category.FEE):
        accounts.move(line.cells(), {line.payer: -line.amount, line.payee: line.amount})
    fees = _Settled(fees_from, sheet.row)
    for line in _lines_of(session, Category.CASH):
        accounts.move(line.cells(), {line.payer: line.amount, line.payee: -line.amount})
    to_pay, paid = _write_payments(session, found, accounts)
    for cash in still_to_get(state.balances) if session.closed_at is None else ():
        names = (name_said(state.seats[cash.payer].name), name_said(state.seats[cash.payee].name))
        figures = {cash.payer: cash.amount, cash.payee: -cash.amount}
        accounts.move((str(_FOR_CHIPS), None, *names, cash.amount), figures)
    last = sheet.row
    total = accounts.add((_("Still to get; below 0, to pay"),), accounts.sums(), total=True)
    still = {
        seat: Formula(f"{sheet.called}!{at(column, total)}", accounts.gets[seat])
        for seat, column in accounts.columns.items()
    }
    _write_to_pay(state, book, sheets, to_pay, paid=paid, rest=found.rest, still=still, last=last)
    return fees


def _write_payments(
    session: Session, found: reads.OpenPayments, accounts: _Accounts
) -> tuple[Sequence[Payment], Mapping[int, int]]:
    """Writes each payment that was made, and of which line of Still to pay it was, if that has the agreed payments.

    Returns those lines, and by their numbers what was paid of them.
    """
    plan = last_plan(found.made) if found.promised else None
    to_pay = plan.plan if plan is not None else found.open
    numbers = {frozenset((each.payer, each.payee)): number for number, each in enumerate(to_pay, 1)}
    paid: dict[int, int] = defaultdict(int)
    for line in _lines_of(session, Category.PAYMENT):
        number = None
        if plan is not None and line.recorded >= plan.n:
            number = numbers[frozenset((line.payer, line.payee))]  # nobody else may pay while the plan holds
            paid[number] += line.amount if line.payer == to_pay[number - 1].payer else -line.amount
        accounts.move((*line.cells(), number), {line.payer: line.amount, line.payee: -line.amount})
    return to_pay, paid


def _write_to_pay(
    state: reads.State,
    book: Book,
    sheets: _Sheets,
    to_pay: Sequence[Payment],
    *,
    paid: Mapping[int, int],
    rest: Mapping[int, int],
    still: Mapping[int, Formula],
    last: int,
) -> None:
    """Writes each payment that was agreed on, or else is to be made, what was paid of it, and what is left.

    ``paid`` is by the numbers of its lines, ``rest`` what rounding leaves on the club's tab. ``still`` names what each
    seat is to get in Settle up, whose lines end in row ``last``.
    """
    sheet = sheets.to_pay
    accounts = _Accounts(book, sheet, _TO_PAY, sheets.columns)
    all_paid = all_left = 0
    for number, each in enumerate(to_pay, 1):
        row, left = sheet.row + 1, each.amount - paid.get(number, 0)
        payers = down(_SETTLING + sheets.columns[each.payer], 2, last)
        numbers, of = down(_SETTLING - 1, 2, last), sheets.settling.called
        of_line = f"SUMIF({of}!{numbers},{number},{of}!{payers})"
        cells = (
            number,
            name_said(state.seats[each.payer].name),
            name_said(state.seats[each.payee].name),
            each.amount,
            Formula(book.rounded(of_line), paid.get(number, 0)),
            Formula(book.rounded(f"D{row}-E{row}"), left),
        )
        accounts.move(cells, {each.payer: Formula(f"-F{row}", -left), each.payee: Formula(f"F{row}", left)})
        all_paid += paid.get(number, 0)
        all_left += left
    if rest:
        accounts.move((None, _("Left on the club’s tab by rounding")), rest)
    sums = [
        Formula(book.rounded(f"SUM({down(column, 2, sheet.row)})"), value)
        for column, value in ((3, all_paid + all_left), (4, all_paid), (5, all_left))
    ]
    total = accounts.add((None, _("All together"), None, *sums), accounts.sums(), total=True)
    heading = _("Still to get in {sheet}").format(sheet=pgettext("sheet", "Settle up"))
    owed = accounts.add((None, heading), still)
    difference = {
        seat: Formula(
            book.rounded(f"{at(column, total)}-{at(column, owed)}"), accounts.gets[seat] - int(still[seat].value)
        )
        for seat, column in accounts.columns.items()
    }
    accounts.add((None, _("Difference, which must be 0")), difference)


class _BookedLine(NamedTuple):
    """A fee, cash or a payment as it was recorded, or taken back: then ``amount`` is below 0.

    ``recorded`` is the number of the event that recorded it, also where it was taken back.
    """

    what: str
    at: datetime
    payer: int
    payee: int
    names: tuple[str, str]
    amount: int
    note: str
    by: str
    recorded: int

    def cells(self) -> tuple[Any, ...]:
        """The cells of its row but for the figures of the players."""
        return self.what, self.at, *self.names, self.amount, note_said(self.note), link_said(self.by)


def _lines_of(session: Session, category: Category) -> Iterator[_BookedLine]:
    """The lines of one category in order. Who took part in one that is taken back is named as it was recorded."""
    lines = Transfer.objects.filter(session=session, kind__in=kinds_of(category)).order_by("pk")
    found = lines.values_list(
        "kind", "reverses", "event__at", "payer__number", "payee__number", "payer__name", "payee__name", "amount",
        "event__note", "event__by", "event__n", "reverses__event__n",
    )  # fmt: skip
    for kind, reverses, when, payer, payee, name, other, amount, note, by, n, recorded in found.iterator(AT_ONCE):
        what = line_said(kind, undone=bool(reverses))
        names = name_said(name), name_said(other)
        if reverses:
            yield _BookedLine(what, when, payee, payer, names[::-1], -amount, note, by, recorded)
        else:
            yield _BookedLine(what, when, payer, payee, names, amount, note, by, n)


# --- Totals -------------------------------------------------------------------------------------


def _write_totals(session: Session, book: Book, sheets: _Sheets, running: _Sums, fees: _Settled) -> None:
    """Writes each player's totals, and the bank's if it won or lost, and whether points and money add up to 0."""
    sheet, seats = sheets.totals, seats_of(session)
    numbers = {seat.player_id: seat for seat in seats}
    points = money = all_fees = 0
    for total in totals_of(session, seats):
        seat = numbers[total.player_id]
        of_fees = down(_SETTLING + sheets.columns[seat.number], fees.first, fees.last)
        owed = Formula(book.rounded(f"-SUM({sheets.settling.called}!{of_fees})"), total.fees)
        sheet.add((name_said(seat.name), total.deals, running.points[seat.number], running.money[seat.number], owed))
        points, money, all_fees = points + total.points, money + total.money, all_fees + total.fees
    if BANK in running.money:
        bank = next(name_said(seat.name) for seat in seats if seat.number == BANK)
        sheet.add((bank, None, None, running.money[BANK], None))
        money += int(running.money[BANK].value)
    last = sheet.row
    sums = (
        Formula(f"SUM({down(2, 2, last)})", points),
        Formula(book.rounded(f"SUM({down(3, 2, last)})"), money),
        Formula(book.rounded(f"SUM({down(4, 2, last)})"), all_fees),
    )
    row = sheet.add((_("All together"), None, *sums), total=True)
    checks = (_check("C", row, points), _check("D", row, money))
    sheet.add((pgettext("row", "Check"), None, *checks, None))


def _check(column: str, row: int, value: int) -> Formula:
    fine, wrong = _("adds up to 0"), _("does not add up to 0")
    return Formula(f"IF({column}{row}=0,{quoted(fine)},{quoted(wrong)})", wrong if value else fine)
