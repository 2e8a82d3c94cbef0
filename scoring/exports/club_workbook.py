"""Exports the statistics of a club as an Excel workbook: standings, records, players, pairs, every result, and the
heads of all sessions.

It reads one player after the other and one result after the other, so that only what it writes of each player, and the
compressed workbook, must fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from django.db.models import F, Max
from django.utils import timezone
from django.utils.functional import Promise
from xlsxwriter import Workbook

from scoring import reads
from scoring.exports.figures import Figure, Values, groups, of_pair
from scoring.exports.sheets import (
    MONEY,
    TEXT,
    WHEN,
    WHOLE,
    WORDS_WIDTH,
    Book,
    Cell,
    Formula,
    Sheet,
    at,
    fixed,
    letters,
)
from scoring.exports.statistics import OF_PAIRS, few_said
from scoring.models import BoardResult, Club, Player, Session
from scoring.reads import ClubRecord, Currency, Sitting
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, pgettext, pgettext_lazy
from scoring.wording.names import name_said

RESULTS: Final[Mapping[str, tuple[Promise, str]]] = {
    "when": (gettext_lazy("When"), WHEN),
    "session": (gettext_lazy("Session"), TEXT),
    "player": (gettext_lazy("Player"), TEXT),
    "currency": (gettext_lazy("Currency"), TEXT),
    "deals": (gettext_lazy("Hands"), WHOLE),
    "points": (gettext_lazy("Points"), WHOLE),
    "money": (gettext_lazy("Money"), MONEY),
    "fees": (gettext_lazy("Fees"), MONEY),
    "open": (gettext_lazy("Still open"), WHOLE),
    "number": (gettext_lazy("Player’s number"), WHOLE),
    "currency_number": (gettext_lazy("Currency’s number"), WHOLE),
}
"""The columns of Results. The last two are what the sums of Standings look for, since a name could be a condition."""

STANDINGS: Final = (
    (gettext_lazy("Player"), TEXT),
    (gettext_lazy("Currency"), TEXT),
    (gettext_lazy("Sessions"), WHOLE),
    (gettext_lazy("Hands"), WHOLE),
    (gettext_lazy("Points"), WHOLE),
    (gettext_lazy("Money"), MONEY),
    (gettext_lazy("Fees"), MONEY),
)

RECORDS: Final = (
    (pgettext_lazy("best of a club", "Record"), TEXT),
    (gettext_lazy("Figure"), MONEY),
    (gettext_lazy("Currency"), TEXT),
    (gettext_lazy("Player"), TEXT),
    (gettext_lazy("When"), WHEN),
    (gettext_lazy("Session"), TEXT),
    (gettext_lazy("First hand"), WHOLE),
    (gettext_lazy("Last hand"), WHOLE),
)

SESSIONS: Final = (
    (gettext_lazy("When"), WHEN),
    (gettext_lazy("Session"), TEXT),
    (gettext_lazy("Record"), WHOLE),
    (gettext_lazy("Words"), TEXT),
    (gettext_lazy("Hash"), TEXT),
)

_COUNTED: Final = [WHOLE if kind == MONEY else kind for _, kind in RECORDS]
"""The kinds of a row whose figure is a number of something."""

_RECORDS_WIDTH: Final = 52

_OF_OTHERS: Final = {key: heading for key, heading in OF_PAIRS.items() if key != "seat"}


@dataclass(frozen=True, slots=True)
class _Past:
    """What the sheets have in common. Sessions, oldest first, and their currencies are by primary key; players are in
    order of name.
    """

    club: Club
    sessions: Mapping[int, Session]
    players: Sequence[Player]
    currencies: Sequence[Currency]

    of_session: Mapping[int, Currency]

    @classmethod
    def of(cls, club: Club) -> Self:
        columns = ("name", "currency", "minor_digits", "opened_at", "closed_at", "public_id", "version")
        found = Session.objects.filter(club=club).only(*columns).order_by("opened_at", "pk")
        sessions = {session.pk: session for session in found}
        of_session = {pk: (session.currency, session.minor_digits) for pk, session in sessions.items()}
        return cls(club, sessions, reads.roster(club), sorted(set(of_session.values())), of_session)


def of_club(club: Club, file: Path, count: Callable[[], None]) -> None:
    """Writes the workbook to a file. All its sheets agree only if the caller reads from one snapshot.

    ``count`` is called for each player, each result and each session.
    """
    past = _Past.of(club)
    boards = BoardResult.objects.filter(revision__deal__session__club=club, revision__n=F("revision__deal__revision"))
    places = range(1, (boards.aggregate(most=Max("order"))["most"] or 0) + 1)
    figures = _figures(past, places)
    with Workbook(file, {"constant_memory": True}) as workbook:
        book = Book(workbook, past.currencies[0][1] if past.currencies else 2)
        standings, records = (
            book.sheet(pgettext("sheet", "Standings"), STANDINGS),
            book.sheet(pgettext("sheet", "Records"), RECORDS),
        )
        kinds = [book.money(each.digits) if each.kind == MONEY else each.kind for each in figures]
        labels = [each.label for each in figures]
        people = book.sheet(pgettext("sheet", "Players"), [(_("Player"), TEXT), *zip(labels, kinds, strict=True)])
        amounts = [
            (_("Money ({currency})").format(currency=code), book.money(digits)) for code, digits in past.currencies
        ]
        others = [(heading, WHOLE) for heading in _OF_OTHERS.values()]
        pairs = book.sheet(
            pgettext("sheet", "Pairs"),
            [(_("Player"), TEXT), (_("Against"), TEXT), (_("Points"), WHOLE), *amounts, *others],
        )
        results = book.sheet(pgettext("sheet", "Results"), list(RESULTS.values()))
        heads = book.sheet(_("Sessions"), SESSIONS)
        for _player in _write_players(past, figures, places, people, pairs):
            count()
        _write_results(past, results, count)
        _write_heads(past, heads, count)
        _write_standings(past, standings, results)
        longest = letters(1 + [each.key for each in figures].index("longest"))
        _write_records(past, records, fixed(people, longest, people.row))
        for sheet in (standings, people, pairs, results, heads):
            sheet.sheet.autofilter(0, 0, sheet.row - 1, len(sheet.kinds) - 1)
        people.sheet.freeze_panes(1, 1)
        people.add([few_said(), *(None for _ in figures)])


def _called(session: Session) -> str:
    """What a session is called on the sheets: its name, or the day on which it was opened."""
    return session.name or f"{timezone.localtime(session.opened_at):%Y-%m-%d}"


# --- Players and pairs -----------------------------------------------------------------------------


def _figures(past: _Past, places: Sequence[int]) -> list[Figure]:
    """The columns of Players."""
    found = [Figure("played", _("Sessions"))]
    sittings = (
        ("best_session", _("Best session"), _("Best session: points"), _("Best session: money ({currency})")),
        ("worst_session", _("Worst session"), _("Worst session: points"), _("Worst session: money ({currency})")),
    )
    for key, label, points, money in sittings:
        found.append(Figure(key, points))
        for place, (code, digits) in enumerate(past.currencies):
            found.append(Figure(f"{key}_money_{place}", money.format(currency=code), MONEY, digits=digits))
        found.append(Figure(f"{key}_called", label, TEXT))
    return [*found, *(each for group in groups(past.currencies, places, titled=True) for each in group.figures)]


def _write_players(
    past: _Past, figures: Sequence[Figure], places: Sequence[int], sheet: Sheet, pairs: Sheet
) -> Iterator[Player]:
    """Writes the figures of everyone who was dealt in, and what each did against each other one; yields each player."""
    of = Values(past.currencies, past.of_session, {pk: _called(session) for pk, session in past.sessions.items()})
    columns = dict(zip(_OF_OTHERS, map(letters, range(3 + len(past.currencies), 99)), strict=False))
    for player in past.players:
        yield player
        found, above = reads.player_statistics(player), pairs.row
        for other in found.others:
            money = [other.money.get(currency, 0) for currency in past.currencies]
            against = {"deals": other.pair.deals, **of_pair(other.pair)}
            pairs.add((player.name, name_said(other.name), other.points, *money, *(against[key] for key in _OF_OTHERS)))
        if not found.figures.result.deals:
            continue
        values = of.of(found.figures, found.rows) | of.of_places(found.figures, places) | {"played": found.played}
        values |= _sitting(past, "best_session", found.best) | _sitting(past, "worst_session", found.worst)
        for key, sum_ in of_pair(found.rows).items():
            cells = f"{columns[key]}{above + 1}:{columns[key]}{pairs.row}"
            values[key] = Formula(f"SUM({pairs.called}!{cells})", sum_)
        row = sheet.row + 1
        named = {figure.key: at(column, row) for column, figure in enumerate(figures, 1)}
        sheet.add((player.name, *(figure.cell(values, named) for figure in figures)))


def _sitting(past: _Past, key: str, sitting: Sitting | None) -> dict[str, Cell]:
    if sitting is None:
        return {}
    money = f"{key}_money_{past.currencies.index(past.of_session[sitting.session])}"
    return {key: sitting.points, money: sitting.money, f"{key}_called": _called(past.sessions[sitting.session])}


# --- Standings and records ---------------------------------------------------------------------------


def _write_results(past: _Past, sheet: Sheet, count: Callable[[], None]) -> None:
    """Writes what everyone won or lost in each session, penalties and side bets included."""
    numbers = {player.pk: (number, player.name) for number, player in enumerate(past.players, 1)}
    for total in reads.results(past.club):
        count()
        session, (number, name) = past.sessions[total.session_id], numbers[total.player_id]
        currency = (total.currency, total.minor_digits)
        figures = (total.deals, total.points, total.money, total.fees)
        still_open = None if session.closed_at else 1
        sheet.add(
            (session.opened_at, _called(session), name, total.currency, *figures, still_open, number)
            + (past.currencies.index(currency) + 1,),
            kinds=_in_currency(sheet, currency),
        )


def _write_heads(past: _Past, sheet: Sheet, count: Callable[[], None]) -> None:
    """Writes the head of each session that people were shown, by which anyone can recognise its record."""
    sheet.sheet.set_column(3, 3, WORDS_WIDTH)
    for session in past.sessions.values():
        count()
        head = reads.head(session)
        sheet.add((session.opened_at, _called(session), head.event, head.words, head.hash))


def _in_currency(sheet: Sheet, currency: Currency) -> list[str]:
    """The kinds of a row whose money is in this currency."""
    return [sheet.book.money(currency[1]) if kind == MONEY else kind for kind in sheet.kinds]


def _write_standings(past: _Past, sheet: Sheet, results: Sheet) -> None:
    """Writes the standings as sums over Results."""
    numbers = {player.name: number for number, player in enumerate(past.players, 1)}
    column = {key: fixed(results, letters(place), results.row) for place, key in enumerate(RESULTS)}
    by_currency = sorted(reads.standings(past.club), key=lambda each: (each.currency, each.minor_digits))
    for each in by_currency:
        currency = (each.currency, each.minor_digits)
        of_player = f"{column['number']},{numbers[each.player]}"
        where = f"{of_player},{column['currency_number']},{past.currencies.index(currency) + 1}"
        sums = {key: f"SUMIFS({column[key]},{where})" for key in ("deals", "points", "money", "fees")}
        digits = each.minor_digits
        sheet.add(
            (
                each.player,
                each.currency,
                Formula(f'COUNTIFS({where},{column["deals"]},">0")', each.sessions),
                Formula(sums["deals"], each.deals),
                Formula(sums["points"], each.points),
                Formula(f"ROUND({sums['money']},{digits})", each.money),
                Formula(f"ROUND({sums['fees']},{digits})", each.fees),
            ),
            kinds=_in_currency(sheet, currency),
        )


def _write_records(past: _Past, sheet: Sheet, longest: str) -> None:
    """Writes the records, and of how many hands they are; ``longest`` names everyone's longest Fantasyland."""
    found = reads.club_statistics(past.club)
    sheet.sheet.set_column(0, 0, _RECORDS_WIDTH)

    def add(label: str, record: ClubRecord | None, figure: Cell = None) -> None:
        if record is None:
            return
        session, (code, digits) = record.session, record.currency or ("", 0)
        deals = (record.first, record.last) if record.first else (None, None)
        kinds = [sheet.book.money(digits) if kind == MONEY else kind for kind in sheet.kinds] if code else _COUNTED
        cells = (label, record.figure if figure is None else figure, code, record.name)
        sheet.add((*cells, session.opened_at, _called(session), *deals), kinds=kinds)

    add(_("Highest royalties of one hand"), found.royalties)
    if found.fantasyland:
        add(_("Longest Fantasyland, in hands"), found.fantasyland, Formula(f"MAX({longest})", found.fantasyland.figure))
    for pot in found.pots:
        add(_("Biggest pot: the most that one player won in one hand"), pot)
    add(_("Most fouls in a session"), found.fouls)
    for label, figure in ((_("All hands"), found.deals), (_("All sessions with hands"), found.sessions)):
        sheet.add((label, figure, *(None for _ in RECORDS[2:])), kinds=_COUNTED)
