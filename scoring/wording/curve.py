"""The curve of a session as it is drawn: coordinates and labels, for ``shared/_curve.html``.

A picture has no width of its own. Its lines are in a box that is as many units wide as it has columns and 1000 units
high, which the browser stretches to the room there is; marks and labels are placed in percent of that room, so that
they keep their size and shape.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from scoring import reads
from scoring.models import Session
from scoring.reads import Curve, PlayerCurve
from scoring.texts import gettext as _
from scoring.texts import ngettext, pgettext
from scoring.wording.figures import joined, listed, signed, signed_money
from scoring.wording.fitting import cut, ems

MOST_NAMED: Final = 8
"""So many lines can be told apart by their dash, mark and colour. Of more people the thin lines have no names."""

MOST_COLUMNS: Final = 200
"""A longer session is drawn in steps of two hands or more, because a phone has no room for more columns."""

MOST_MARKS: Final = 60
"""So many fouls and Fantasylands have room on a phone in the size of letters."""

MARKS: Final = "●■▲◆○□△◇"
FOUL: Final = "×"
FANTASYLAND: Final = "★"

HEIGHT: Final = 1000
EDGE: Final = 50
"""The box, and how much of it stays free above the highest and below the lowest figure."""

NAME_STEP: Final = 100
"""How far apart names are at least, so that eight fit one below the other in the lowest picture of a big screen."""

LONGEST_NAME: Final = 6.6
"""In em, as `ems` estimates it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One character or several, each with its place in percent of the picture."""

    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class CurveLine:
    """One player's line: ``look`` is the class of its colour and dash, ``mark`` stands on it and before the name.

    ``heights`` are its places in the box, one column apart, from column ``start``.
    """

    seat: int
    look: str
    name: str
    mark: str
    start: int
    heights: Sequence[int]
    leader: str
    y: str
    marks: Placed
    fouls: Placed | None
    fantasyland: Placed | None

    @property
    def path(self) -> str:
        """The line as the box has it."""
        return _path(self.heights, self.start)


@dataclass(frozen=True, slots=True)
class Picture:
    """The curve in one unit, ``points`` or ``money``. ``values`` are the places and texts of the figures at its side.

    ``zero`` and ``grid`` are lines across it, ``others`` the thin lines of those who are not named.
    """

    unit: str
    label: str
    said: str
    values: Sequence[tuple[str, str]]
    grid: str
    zero: str
    others: str
    lines: Sequence[CurveLine]


@dataclass(frozen=True, slots=True)
class CurveShown:
    """The curve of a session: its pictures, what they share, and the table of the same figures.

    There is one picture, or that of money and that of points where neither tells the other. ``dense`` ones have so many
    fouls and Fantasylands that a phone shows the marks small. ``deals`` are the number
    and the column of each hand that can be opened; ``numbers`` place the numbers below. ``values_width`` and
    ``names_width`` are in em. ``rows`` have the number of a hand (0 for what came after the last), everyone's running
    totals in every unit, and who fouled and who was in Fantasyland, in a sentence.
    """

    pictures: Sequence[Picture]
    dense: bool
    columns: str
    deals: Sequence[tuple[str, str]]
    numbers: Sequence[tuple[str, str, str]]
    values_width: str
    names_width: str
    legend: Sequence[tuple[str, str]]
    notes: Sequence[str]
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str], str]]


@dataclass(frozen=True, slots=True)
class _UnitWords:
    """How figures of one unit are said; ``round_to`` is what is whole on an axis, in its smallest part."""

    name: str
    label: str
    of: Callable[[PlayerCurve], Sequence[int]]
    said: Callable[[int], str]
    round_to: int


def curve_shown(session: Session) -> CurveShown | None:
    """What ``shared/_curve.html`` shows, None before the first hand.

    It is large, and the template caches what it makes of it. So a page does not call this, but lets the template do so.
    """
    return drawn(reads.curve(session), reads.present(session), session.currency, session.minor_digits)


def drawn(found: Curve, names: Mapping[int, str], currency: str, digits: int) -> CurveShown | None:
    """The curve of players with these names, by seat number, whose money is in a currency of so many minor digits."""
    if not found.deals:
        return None
    every = -(-len(found.deals) // MOST_COLUMNS)
    at = [*range(len(found.deals) - 1, -1, -every)][::-1]
    if found.trailing:
        at.append(len(found.deals))
    units = _units(found, currency, digits)
    named = _named(found, units[0])
    short = dict(zip(named, _short([names[seat] for seat in named]), strict=True))
    pictures = [_picture(found, unit, at, short, names) for unit in units]
    deals = [(found.deals[column], place) for place, column in enumerate(at, 1) if column < len(found.deals)]
    there = [course for course in found.courses.values() if course.first <= at[-1]]
    fouls, fantasyland = (
        sum(map(len, each)) for each in zip(*((one.fouls, one.fantasyland) for one in there), strict=True)
    )
    return CurveShown(
        pictures=pictures,
        dense=fouls + fantasyland > MOST_MARKS,
        columns=str(len(at)),
        deals=[(str(number), str(place)) for number, place in deals],
        numbers=list(_numbers(deals, len(at))),
        values_width=f"{0.4 + max(ems(text) for each in pictures for _place, text in each.values):.1f}",
        names_width=f"{2.4 + max(map(ems, short.values())):.1f}",
        legend=[
            (mark, text)
            for mark, text, often in (
                (FOUL, pgettext("mark", "foul"), fouls),
                (FANTASYLAND, _("Fantasyland"), fantasyland),
            )
            if often
        ],
        notes=list(_notes(found, every, len(there) - len(named))),
        names=[names[seat] for seat in found.courses],
        rows=[
            (
                found.deals[column] if column < len(found.deals) else 0,
                [_cell(one, column, units) for one in found.courses.values()],
                _happened(found, names, range(before + 1, column + 1)),
            )
            for before, column in pairwise([-1, *at])
        ],
    )


def _units(found: Curve, currency: str, digits: int) -> list[_UnitWords]:
    """Money, and points beside it where one is no multiple of the other; points alone if they were worth nothing."""
    points = _UnitWords("points", _("Points"), lambda course: course.points, signed, 1)
    amount = _UnitWords(
        "money", currency, lambda course: course.money, lambda minor: signed_money(minor, digits), 10**digits
    )
    both = {
        pair for course in found.courses.values() for pair in zip(course.points, course.money, strict=True) if any(pair)
    }
    if not any(minor for _won, minor in both):
        return [points]
    won, minor = max(both)
    alike = all(one * minor == other * won for one, other in both)
    return [amount] if alike or not any(one for one, _minor in both) else [amount, points]


def _named(found: Curve, unit: _UnitWords) -> list[int]:
    """The seats whose lines have names, in order of arrival: of more than eight those furthest from zero at the end."""
    there = [seat for seat, course in found.courses.items() if course.first < len(course.points)]
    furthest = sorted(there, key=lambda seat: -abs(unit.of(found.courses[seat])[-1]))
    return sorted(furthest[:MOST_NAMED])


def _picture(
    found: Curve, unit: _UnitWords, at: Sequence[int], short: Mapping[int, str], names: Mapping[int, str]
) -> Picture:
    """The picture in one unit, with the columns ``at`` and lines for the seats of ``short``, which are their names."""
    courses = {seat: course for seat, course in found.courses.items() if course.first <= at[-1]}
    low = min(0, *(min(unit.of(course)) for course in courses.values()))
    high = max(0, *(max(unit.of(course)) for course in courses.values()))
    if low == high:  # every hand was even
        low, high = -unit.round_to, unit.round_to
    scale = (HEIGHT - 2 * EDGE) / (high - low)

    def height(figure: int) -> int:
        return round(EDGE + (high - figure) * scale)

    # A line begins at 0, one place before the first column in which anything happened to its player.
    starts = {seat: bisect_left(at, course.first) for seat, course in courses.items()}
    heights = {}
    for seat, course in courses.items():
        figures = unit.of(course)
        heights[seat] = [height(0), *(height(figures[column]) for column in at[starts[seat] :])]
    labels = _spread({seat: heights[seat][-1] for seat in short})
    ticks = _ticks(low, high, unit.round_to)
    lines = []
    for place, (seat, name) in enumerate(short.items()):
        course, line, mark = courses[seat], heights[seat], MARKS[place]
        on_line = partial(_marks, line=line, start=starts[seat], at=at)
        own = _own_places(starts[seat], len(at), (place + 0.5) / len(short))
        lines.append(
            CurveLine(
                seat=seat,
                look=f"line-{place + 1}",
                name=name,
                mark=mark,
                start=starts[seat],
                heights=line,
                leader=f"M0 {line[-1]}L10 {labels[seat]}",
                y=_percent(labels[seat]),
                marks=_placed(mark, own, line, starts[seat], len(at)),
                fouls=on_line(FOUL, course.fouls),
                fantasyland=on_line(FANTASYLAND, course.fantasyland),
            )
        )
    return Picture(
        unit=unit.name,
        label=unit.label,
        said=_said(found, unit, {seat: names[seat] for seat in short}),
        values=[(_percent(height(value)), text) for value, text in zip(ticks, _axis(ticks, unit), strict=True)],
        grid="".join(f"M0 {height(value)}h{len(at)}" for value in ticks if value),
        zero=f"M0 {height(0)}h{len(at)}",
        others="".join(_path(heights[seat], starts[seat]) for seat in courses if seat not in short),
        lines=lines,
    )


def _path(heights: Sequence[int], start: int) -> str:
    """A line through these heights, one column apart, from column ``start``; a level stretch is one step."""
    steps = list(pairwise(heights))
    drawn = []
    wide = 0
    for place, (one, other) in enumerate(steps, 1):
        wide += 1
        if one == other and place < len(steps) and steps[place][1] == other:
            continue
        drawn.append(f"{wide} {other - one}" if other >= one else f"{wide}{other - one}")
        wide = 0
    return f"M{start} {heights[0]}l{' '.join(drawn)}"


def _marks(mark: str, columns: Sequence[int], line: Sequence[int], start: int, at: Sequence[int]) -> Placed | None:
    """This mark on the line, at each of these columns of the curve; at the end of the step that has the column."""
    places = sorted({bisect_left(at, column) + 1 for column in columns})
    return _placed(mark, places, line, start, len(at)) if places else None


def _own_places(start: int, columns: int, shift: float) -> list[int]:
    """Three places for a line's own mark, elsewhere on each line, so that those that run together are told apart."""
    return sorted({start + max(1, round((columns - start) * (third + shift) / 3)) for third in range(3)})


def _placed(mark: str, places: Sequence[int], line: Sequence[int], start: int, columns: int) -> Placed:
    return Placed(
        " ".join([_percent(place * HEIGHT / columns) for place in places]),
        " ".join([_percent(line[place - start]) for place in places]),
        mark * len(places),
    )


def _percent(of: float) -> str:
    """A place in thousandths as a percentage with one decimal."""
    return f"{of / 10:.1f}".removesuffix(".0") + "%"


def _spread(ends: Mapping[int, int]) -> dict[int, int]:
    """Where names stand: as near to these ends as they can without overlapping, in the same order.

    Names that would overlap form a block around the middle of their ends, and so do blocks.
    """
    room = min(NAME_STEP, HEIGHT // max(1, len(ends)))
    blocks: list[list[int]] = []

    def top(block: Sequence[int]) -> int:
        """The middle of the first name of a block of ends."""
        wanted = sum(block) // len(block) - (len(block) - 1) * room // 2
        return max(room // 2, min(wanted, HEIGHT - room // 2 - (len(block) - 1) * room))

    seats = sorted(ends, key=lambda seat: ends[seat])
    for seat in seats:
        blocks.append([ends[seat]])
        while len(blocks) > 1 and top(blocks[-2]) + len(blocks[-2]) * room > top(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    places = [top(block) + each * room for block in blocks for each in range(len(block))]
    return dict(zip(seats, places, strict=True))


def _ticks(low: int, high: int, whole: int) -> list[int]:
    """Four or so round figures between these, zero among them. ``whole`` is what has no decimals, if that is enough."""
    step = whole if high - low >= 2 * whole else 1
    while (high - low) // step > 4:
        step = _rounder(step)
    return [each * step for each in range(-(-low // step), high // step + 1)]


def _rounder(step: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50 ..."""
    return step * 5 // 2 if str(step)[0] == "2" else 2 * step


def _axis(values: Sequence[int], unit: _UnitWords) -> list[str]:
    """The figures beside the picture, without decimals if all of them are whole."""
    whole = all(value % unit.round_to == 0 for value in values)
    return [(signed(value // unit.round_to) if whole else unit.said(value)) if value else "0" for value in values]


def _numbers(deals: Sequence[tuple[int, int]], columns: int) -> Iterator[tuple[str, str, str]]:
    """The numbers of the first and the last hand and round ones between them: place, number, and how it stands there.

    ``deals`` are the number and the column of each.
    """
    first, last = deals[0], deals[-1]
    step = 1
    while step < last[0] / 5:
        step = _rounder(step)
    before = 0
    for number, place in deals:
        reached = number // step > before // step  # a round number, or the next where that one is void or between steps
        before = number
        room = place - first[1] >= columns / 8 and last[1] - place >= columns / 6
        if (reached and room) or place in (first[1], last[1]):
            yield _percent(place * HEIGHT / columns), str(number), "end" if place == columns else "middle"


def _short(names: Sequence[str]) -> list[str]:
    """These names, cut where they are long; where cut ones would be the same, they keep their ends instead."""
    short = [cut(name, LONGEST_NAME) for name in names]
    return [
        cut(name, LONGEST_NAME, tail=4) if each != name and short.count(each) > 1 else each
        for name, each in zip(names, short, strict=True)
    ]


def _said(found: Curve, unit: _UnitWords, names: Mapping[int, str]) -> str:
    """The picture in a sentence, for those who hear the page."""
    ends = sorted(((unit.of(found.courses[seat])[-1], name) for seat, name in names.items()), reverse=True)
    results = joined([f"{name} {unit.said(end) if end else '0'}" for end, name in ends])
    deals = len(found.deals)
    if unit.name == "points":
        said = ngettext(
            "Running totals in points after {count} hand: {results}.",
            "Running totals in points after {count} hands: {results}.",
            deals,
        )
    else:
        said = ngettext(
            "Running totals in {currency} after {count} hand: {results}.",
            "Running totals in {currency} after {count} hands: {results}.",
            deals,
        )
    return said.format(count=deals, currency=unit.label, results=results)


def _notes(found: Curve, every: int, unnamed: int) -> Iterator[str]:
    if every > 1:
        yield ngettext("Each step is {count} hand.", "Each step is {count} hands.", every).format(count=every)
    if found.between:
        yield _("What was recorded between hands counts in the next one.")
    if unnamed > 0:
        yield _("The eight players furthest from zero have names and marks; the thin lines are everyone else.")


def _happened(found: Curve, names: Mapping[int, str], columns: range) -> str:
    """What the marks say of these columns, for those who hear it; empty if nothing happened in them."""
    fouled, dealt = (
        listed([names[seat] for seat, those in of.items() if _any_in(those, columns)])
        for of in (
            {seat: one.fouls for seat, one in found.courses.items()},
            {seat: one.fantasyland for seat, one in found.courses.items()},
        )
    )
    if fouled and dealt:
        said = _("foul: {fouled}; Fantasyland: {dealt}")
    elif fouled:
        said = _("foul: {fouled}")
    else:
        said = _("Fantasyland: {dealt}") if dealt else ""
    return said.format(fouled=fouled, dealt=dealt)


def _any_in(those: Sequence[int], columns: range) -> bool:
    """Whether one of ``those``, which are in order, is among these columns."""
    return bisect_left(those, columns.start) < bisect_left(those, columns.stop)


def _cell(course: PlayerCurve, column: int, units: Sequence[_UnitWords]) -> str:
    """A player's running totals in every unit, empty before anything happened to them."""
    if column < course.first:
        return ""
    figures = [unit.of(course)[column] for unit in reversed(units)]
    return " / ".join(unit.said(each) if each else "0" for each, unit in zip(figures, reversed(units), strict=True))
