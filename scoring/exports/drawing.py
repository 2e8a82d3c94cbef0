"""The picture that is sent of a session or of one hand, for the templates ``shared/picture_*.svg``.

A picture has no browser that would measure its texts. So all that it shows is placed here, in pixels, and cut to the
room it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring import reads
from scoring.exports.glyphs import drawable
from scoring.exports.picture import FONT, PORTRAIT
from scoring.game.outcome import Outcome
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.boards import BoardShown
from scoring.wording.curve import CurveLine, CurveShown, Picture, Placed, curve_shown
from scoring.wording.figures import NOTHING, apart, day_of_year, joined, signed, signed_money
from scoring.wording.fitting import cut, ems
from scoring.wording.highlights import highlights_shown
from scoring.wording.sending import deals_that_count, in_money, nought, paid_said, stood_out
from scoring.wording.session import stakes, title
from scoring.wording.settlement import PairShown, outcome_shown
from scoring.wording.statistics import ClubRecordShown

EDGE: Final = 40
"""What stays free around everything."""

WIDTH: Final = PORTRAIT.width - 2 * EDGE
GAP: Final = 24
HEAD: Final = 170
"""Where what is under the heading begins."""

REGULAR: Final = 0.85
BOLD: Final = 0.95
"""How wide the fonts of pictures are, of what `ems` says."""

_JOINERS: Final = str.maketrans("", "", "\N{VARIATION SELECTOR-16}\N{ZERO WIDTH JOINER}")
"""What makes one coloured emoji of several signs, of which the fonts have the signs alone."""

_COMMA: Final = re.compile("[,，、]")

MOST_RANKED: Final = 8
"""So many lines the ranking has; of more players the last line counts the rest."""

COLUMN_HEADS: Final = 34
LINE: Final = 56
"""How high a line of the ranking is."""

BOARD: Final = 286
"""How high the best board of a session is."""

ROW: Final = (186, 146)
"""The size of a board as ``shared/_drawn_row.html`` draws its rows, 50 apart."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One entry of the ranking at its place: ``look`` and ``mark`` are those of the player's line in the curve."""

    x: int
    y: int
    place: str
    name: str
    points: str
    money: str
    look: str
    mark: str


@dataclass(frozen=True, slots=True)
class LineDrawn:
    """One line of the curve: its corners, the places of the marks on it, and its name at the end of it."""

    look: str
    corners: str
    fouls: Sequence[tuple[str, str]]
    fantasyland: Sequence[tuple[str, str]]
    end: str
    mark: str
    name: str


@dataclass(frozen=True, slots=True)
class CurveDrawn:
    """The curve in a box with this place and size. ``values`` and ``numbers`` stand at its side and below it.

    ``name_size`` is that of the names at the ends of the lines, which stand a tenth of the box apart.
    """

    x: int
    y: int
    width: int
    height: int
    zero: str
    values: Sequence[tuple[str, str]]
    numbers: Sequence[tuple[str, str, str]]
    lines: Sequence[LineDrawn]
    name_size: int
    legend: str


@dataclass(frozen=True, slots=True)
class BoardDrawn:
    """A board with its place and size: its cards, ``scale`` times as large as on a page, and the texts beside them.

    ``texts`` are (height, size, whether bold, text).
    """

    x: int
    y: int
    width: int
    height: int
    scale: str
    beside: int
    board: BoardShown
    texts: Sequence[tuple[int, int, bool, str]]


def session_picture(session: Session, record: ClubRecordShown | None = None) -> dict[str, Any]:
    """What ``shared/picture_session.svg`` draws: ranking, curve, best board, fouls."""
    state = reads.state(session)
    shown = curve_shown(session)
    picture = shown.pictures[0] if shown else None
    ranked, size, points_end = _ranked(session, state, picture)
    y = HEAD
    columns = _columns(len(ranked))
    ranking = y, COLUMN_HEADS + -(-len(ranked) // columns) * LINE + 24
    y += ranking[1] + GAP
    best = next((each.board for each in highlights_shown(session) if each.board), None)
    said = stood_out(session)
    best_said = said.pop(0) if best else ""
    board = BOARD if columns == 1 else BOARD - 50
    below = (board + 76 if best else 0) + 48 * len(said)
    height = PORTRAIT.height - EDGE - y - (below + GAP if below else 0)
    at = y + height + GAP
    return {
        **_around(session, title(session), _when(session), record),
        "ranking": ranking,
        "column": _column(columns),
        "points_end": points_end,
        "size": size,
        "alone": columns == 1,
        "ranked": ranked,
        "curve": _curve_drawn(shown, y, height) if shown else None,
        "panel": (y, height),
        "best": _board_drawn(best, (EDGE, at + 60, WIDTH, board), session.currency) if best else None,
        "best_said": (at + 36, _fit(best_said, 34, WIDTH, bold=True)),
        "stood_out": [
            (PORTRAIT.height - EDGE - 14 - 48 * (len(said) - 1 - n), _fit(each, 30, WIDTH))
            for n, each in enumerate(said)
        ],
    }


def deal_picture(
    session: Session, number: int, outcome: Outcome, record: ClubRecordShown | None = None
) -> dict[str, Any]:
    """What ``shared/picture_hand.svg`` draws: everyone's board, and who pays whom if there is room for it."""
    shown = outcome_shown(outcome, session)
    boards = shown["boards"]
    pays = [each for each in shown["pairs"] if each.payer] if len(boards) <= 4 else []
    across = 1 if len(pays) <= 3 else 2
    lines = -(-len(pays) // across)
    columns = 1 if len(boards) <= 4 else 2
    rows = -(-len(boards) // columns)
    bottom = PORTRAIT.height - EDGE - (lines * 46 + GAP if lines else 0)
    width = (WIDTH - (columns - 1) * GAP) // columns
    most = max(_high(width), 270) if any(board.rows for board in boards) else 160
    height = min((bottom - HEAD - (rows - 1) * GAP) // rows, most)
    under = HEAD + rows * (height + GAP)
    return {
        **_around(session, _("Hand {number}").format(number=number), title(session), record),
        "boards": [
            _board_drawn(
                board,
                (EDGE + n % columns * (width + GAP), HEAD + n // columns * (height + GAP), width, height),
                session.currency,
            )
            for n, board in enumerate(boards)
        ],
        "pays": [
            _paid(
                each,
                session,
                EDGE + n % across * (WIDTH + GAP) // 2,
                under + 32 + n // across * 46,
                (WIDTH - GAP) // across,
            )
            for n, each in enumerate(pays)
        ],
    }


def _paid(pair: PairShown, session: Session, x: int, y: int, width: int) -> tuple[int, int, str, int, str]:
    """Who pays whom, with its place, and how much, with its end. A name has half the room, or what the other leaves."""
    said = _("{payer} pays {payee}")
    points = ngettext("{points} point", "{points} points", pair.won).format(points=pair.points)
    much = paid_said(pair, session) or points
    room = width - round(ems(much) * 30 * BOLD) - GAP - round(ems(said.format(payer="", payee="")) * 30 * REGULAR)
    wide = [ems(name) * 30 * REGULAR for name in (pair.payer, pair.payee)]
    payer, payee = (
        apart(_fit(name, 30, max(room / 2, room - other)))
        for name, other in zip((pair.payer, pair.payee), reversed(wide), strict=True)
    )
    return x, y, said.format(payer=payer, payee=payee), x + width, much


HEADING_SIZES: Final = (58, 50, 42)
"""The sizes of a heading: a day in German or Spanish is longer than in English."""


def _around(session: Session, heading: str, below: str, record: ClubRecordShown | None) -> dict[str, Any]:
    """What every picture has. That of a record is headed by its figure and its holder."""
    if record:
        heading = joined([record.figure, apart(record.name)])
        below = _("{record}: {where}").format(record=record.short, where=record.what)
    size = next((size for size in HEADING_SIZES if ems(heading) * size * BOLD <= WIDTH), HEADING_SIZES[-1])
    return {
        "width": PORTRAIT.width,
        "height": PORTRAIT.height,
        "edge": EDGE,
        "inner": WIDTH,
        "font": FONT,
        "heading": _fit(heading, size, WIDTH, bold=True),
        "heading_size": size,
        "below": _fit(below, 30, WIDTH),
        "unit": session.currency,
    }


def _when(session: Session) -> str:
    deals, day = deals_that_count(session), [day_of_year(session.opened_at)] if session.name else []
    said = (
        ngettext("{count} hand", "{count} hands", deals)
        if session.closed_at
        else ngettext("{count} hand so far", "{count} hands so far", deals)
    )
    return joined([*day, said.format(count=deals), stakes(session)])


def _ranked(session: Session, state: reads.State, picture: Picture | None) -> tuple[list[Ranked], int, int]:
    """The ranking, the size of its type, and where points end if money stands beside them.

    Figures are never cut, and names get what room these leave.
    """
    lines = {line.seat: line for line in picture.lines} if picture else {}
    there = sorted(
        ((seat, name, state.balances[seat]) for seat, name in reads.present(session).items()),
        key=lambda one: (one[2].money, one[2].points),
        reverse=True,
    )
    figures = [(of.money, of.points) for *_about, of in there]
    shown = there if len(there) <= MOST_RANKED else there[: MOST_RANKED - 1]
    columns = _columns(min(len(there), MOST_RANKED))
    high = -(-min(len(there), MOST_RANKED) // columns)

    in_units = [
        signed_money(of.money, session.minor_digits) if in_money(state) else signed(of.points) for *_about, of in shown
    ]
    size = 36 if columns == 1 else 30
    widest = round(max(map(ems, in_units), default=0) * size * BOLD)
    points_end = min(700, _column(columns) - widest - GAP)
    points = (
        round(max((ems(signed(of.points)) for *_about, of in shown), default=0) * 30 * REGULAR)
        if in_money(state)
        else 0
    )
    room = (points_end - points if columns == 1 and points else _column(columns) - widest) - 112 - GAP

    def placed(n: int) -> tuple[int, int]:
        return EDGE + n // high * (WIDTH // columns), HEAD + COLUMN_HEADS + 8 + n % high * LINE

    ranked = []
    for n, (seat, name, of) in enumerate(shown):
        line = lines.get(seat)
        ranked.append(
            Ranked(
                *placed(n),
                place=f"{figures.index((of.money, of.points)) + 1}.",
                name=_fit(name, size, room, bold=True),
                points=signed(of.points),
                money=signed_money(of.money, session.minor_digits) if in_money(state) else "",
                look=line.look if line else "",
                mark=line.mark if line else "",
            )
        )
    if len(there) > len(shown):
        others = len(there) - len(shown)
        rest = ngettext("and {count} other", "and {count} others", others).format(count=others)
        ranked.append(Ranked(*placed(len(shown)), "", rest, "", "", "", ""))
    return ranked, size, points_end


def _column(columns: int) -> int:
    """Where the figures of one column of the ranking end."""
    return (WIDTH - EDGE) // columns - 24


def _columns(ranked: int) -> int:
    """How many columns the ranking of so many has, so that the curve keeps its room."""
    return 1 if ranked <= 4 else 2


def _curve_drawn(shown: CurveShown, top: int, height: int) -> CurveDrawn:
    """The first picture of the curve, placed in a panel that begins at ``top`` and is so high."""
    picture = shown.pictures[0]
    beside = 24 + round(max(ems(text) for _place, text in picture.values) * 24 * REGULAR) + 14
    x, y, width, high = EDGE + beside, top + 34, WIDTH - beside - 230, height - 34 - 84
    columns = max(line.start + len(line.heights) - 1 for line in picture.lines)

    def across(column: float) -> str:
        return f"{x + column * width / columns:.1f}"

    def down(place: float) -> str:
        return f"{y + place * high / 1000:.1f}"

    def marks(placed: Placed | None) -> list[tuple[str, str]]:
        if placed is None:
            return []
        places = zip(placed.x.split(), placed.y.split(), strict=True)
        return [(across(float(one[:-1]) * columns / 100), down(float(other[:-1]) * 10)) for one, other in places]

    def drawn(line: CurveLine) -> LineDrawn:
        corners = " ".join(f"{across(line.start + n)},{down(each)}" for n, each in enumerate(line.heights))
        return LineDrawn(
            look=line.look,
            corners=corners,
            fouls=marks(line.fouls),
            fantasyland=marks(line.fantasyland),
            end=down(float(line.y[:-1]) * 10),
            mark=line.mark,
            name=_fit(line.name, 26, 170, bold=True),
        )

    return CurveDrawn(
        x=x,
        y=y,
        width=width,
        height=high,
        zero=down(picture.lines[0].heights[0]),
        values=[(down(float(place[:-1]) * 10), text) for place, text in picture.values],
        numbers=[(across(float(place[:-1]) * columns / 100), text, how) for place, text, how in shown.numbers],
        lines=[drawn(line) for line in picture.lines],
        name_size=min(26, max(high // 10, 16)),
        legend="   ".join(f"{mark} {what}" for mark, what in shown.legend),
    )


def _board_drawn(board: BoardShown, box: tuple[int, int, int, int], currency: str) -> BoardDrawn:
    """A board in a box of this place and size: its cards on the left, texts beside them."""
    x, y, width, height = box
    scale = (min(height, _high(width)) - 40) / ROW[1]
    beside = round(20 + ROW[0] * scale + 24) if board.rows else 24
    narrow = width < WIDTH
    size = 28 if narrow else min(42, max(height // 7, 28))
    small = 22 if narrow else min(26, max(height // 9, 22))
    money = [f"{board.money} {currency}"] if board.money != NOTHING else []
    points = nought(board.points)
    results = [points, *money] if narrow else [joined([points, *money])]
    texts = [(size, True, board.name), *((size, False, each) for each in results)]
    if board.foul:
        texts.append((small, True, board.call.rstrip(".。")))
    else:
        names = [_COMMA.split(row.name)[0] if narrow else row.name for row in board.rows]
        texts += [(small, False, f"{row.royalty} {name}".strip()) for row, name in zip(board.rows, names, strict=True)]
    if board.fantasyland:
        cards = board.fantasyland
        said = ngettext("Fantasyland, {count} card", "Fantasyland, {count} cards", cards).format(count=cards)
        texts.append((small, False, _("Fantasyland") if narrow else said))
    step = (height - 40) / (6 + narrow if board.rows else 3)
    return BoardDrawn(
        x=x,
        y=y,
        width=width,
        height=height,
        scale=f"{scale:.3f}",
        beside=beside,
        board=board,
        texts=[
            (round(20 + step * (n + 0.8)), each, bold, _fit(text, each, width - beside - 16, bold=bold))
            for n, (each, bold, text) in enumerate(texts)
        ],
    )


def _high(width: int) -> int:
    """How high a box of this width is at most, so that the cards leave about half of it to the texts."""
    return 40 + round(0.5 * (width - 40) / ROW[0] * ROW[1])


def _fit(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """A text as the fonts can draw it, cut to this width in pixels."""
    return cut(drawable(" ".join(text.translate(_JOINERS).split())), width / size / (BOLD if bold else REGULAR))
