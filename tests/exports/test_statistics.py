"""The sheets of statistics: a second computation from the club's document confirms every figure, and the charts."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook

from scoring import ledger, reads
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.exports import workbook
from scoring.game.entry import Entry
from scoring.models import Session
from tests.actions.everything import everything, for_cash
from tests.exports.formulas import Calculator
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.ledger.test_random_evenings import something
from tests.reads.test_curve import naive as naive_curve
from tests.reads.test_statistics import ROWS, Said, exported, naive, net, pair, parts, random_evening

pytestmark = pytest.mark.django_db

FEW = 20
DRAWN = {
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
}


class Written:
    """A session's workbook in a file: its formulas, and the figures that they carry."""

    def __init__(self, session: Session, folder: Path) -> None:
        session.refresh_from_db()
        reads.forget_cached()
        self.session, self.file = session, folder / f"{session.public_id}.xlsx"
        workbook.of_session(session, self.file, "http://x/verify/", lambda: None)
        self.book, self.shown = load_workbook(self.file), load_workbook(self.file, data_only=True)

    def table(self, sheet: str) -> list[dict[str, Any]]:
        """The rows of a sheet by heading, as they are shown."""
        heading, *rows = self.shown[sheet].iter_rows(values_only=True)
        return [dict(zip(heading, row, strict=True)) for row in rows]

    def figures(self, name: str) -> dict[str, Any]:
        """What the sheet Statistics says of a player."""
        (label, *_), *_ = self.shown["Statistics"].iter_rows(values_only=True)
        return {row[label]: row[name] for row in self.table("Statistics")}

    def calculated(self) -> int:
        """Assert that every formula gives the figure that it carries, and return how many there are."""
        calculator, formulas = Calculator(self.book), 0
        for sheet in self.book:
            for cell in (cell for row in sheet.iter_rows(min_row=2) for cell in row if cell.data_type == "f"):
                carried = self.shown[sheet.title][cell.coordinate].value
                found = calculator.value(sheet.title, cell.column, cell.row)
                assert found == (carried if isinstance(carried, str) else exact(carried)), (sheet.title, cell.value)
                formulas += 1
        return formulas

    def document(self) -> Said:
        """The session in the club's document."""
        place = list(Session.objects.filter(club=self.session.club).order_by("opened_at", "pk")).index(self.session)
        return exported(self.session.club)[place]


def exact(figure: Any) -> Any:
    return Decimal(str(figure)) if isinstance(figure, int | float) else figure


def quotient(sum_: int | Decimal, of: int, decimals: int) -> Decimal | None:
    return (Decimal(sum_) / of).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) if of else None


def share(often: int, of: int, hands: int) -> Decimal | None:
    return quotient(often, of, 2) if hands >= FEW else None


def figures(document: Said, name: str) -> dict[str, Any]:
    """Everything that the sheet says of a player, by its labels."""
    these = parts([document], [name])
    said, rows, digits = naive([document], [name]), pair(these, None), document["minor_digits"]
    unit = Decimal(1).scaleb(-digits)
    code = document["currency"]

    def money(minor: dict[Any, int]) -> Decimal:
        return sum(minor.values()) * unit

    hands, points, of_money, _ = said["result"]
    found = {
        "Hands": hands,
        "Points": points,
        "Points per hand": quotient(points, hands, 1),
        f"Money ({code})": money(of_money),
        f"Money per hand ({code})": quotient(money(of_money), hands, digits),
        "Opponents whose rows were compared": rows["compared"],
        "Opponents in hands with boards": rows["scored"],
        "Hands with boards": said["boards"],
        "Fouls": said["fouls"],
        "Fouls, share of hands with boards": share(said["fouls"], said["boards"], said["boards"]),
        "Hands in Fantasyland": said["in_fantasyland"][0],
        "Fantasyland entered": said["entered"],
        "Fantasyland entered, share of hands": share(said["entered"], hands, hands),
        "Fantasyland stayed": said["stayed"],
        "Hands against Fantasyland": said["against"][0],
    }
    for at, row in enumerate(ROWS):
        found[f"{row.capitalize()} won"], found[f"{row.capitalize()} lost"] = rows["won"][at], rows["lost"][at]
    for key in ("taken", "given"):
        found[f"Scoops {key}"] = rows[key]
        found[f"Scoops {key}, share of opponents"] = share(rows[key], rows["scored"], said["boards"])
    for row, sum_ in zip((*ROWS, "all rows"), (*said["royalties"], sum(said["royalties"])), strict=True):
        found[f"Royalties, {row}"] = sum_
        found[f"Royalties per hand, {row}"] = quotient(sum_, said["boards"], 1)
    for key, label in (("in_fantasyland", "in Fantasyland"), ("against", "against Fantasyland")):
        often, won, amounts, _ = said[key]
        found[f"Points {label}"] = won
        found[f"Points per hand {label}"] = quotient(won, often, 1)
        found[f"Money {label} ({code})"] = money(amounts)
    for key in ("best", "worst"):
        hand, label = said[key], f"{key.capitalize()} hand"
        found[f"{label}: points"] = hand and hand[1]
        found[f"{label}: money ({code})"] = hand and hand[2] * unit
        found[f"{label}: number"] = hand and hand[0][1]
    for key, label, length in (
        ("longest", "Longest Fantasyland", "Longest Fantasyland, in hands"),
        ("won_in_a_row", "Most hands won in a row", "Most hands won in a row"),
        ("lost_in_a_row", "Most hands lost in a row", "Most hands lost in a row"),
    ):
        run = said[key]
        found[length] = run[0] if run else 0
        found[f"{label}: first hand"] = run and run[1][1]
        found[f"{label}: last hand"] = run and run[2][1]
    everyone = [seat["name"] for seat in document["seats"] if seat["seat"] > 0]
    for place in {part.place for each in everyone for part in parts([document], [each])}:
        often, won, _, _ = said["places"].get(place, (0, 0, {}, {}))
        label = f"{['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th'][place - 1]} after the button"
        found |= {f"{label}: hands": often, f"{label}: points": won}
        found[f"{label}: points per hand"] = quotient(won, often, 1)
    return found


TITLES = {
    "Results",
    "Rows won and lost",
    "Royalties and fouls",
    "Fantasyland",
    "Best and worst hand, streaks",
    "By place after the button",
}


def statistics_agree(written: Written) -> None:
    """Assert that the second computation confirms every figure of every player, and that none is missing."""
    document, few = written.document(), re.compile(r"“\(few\)” stands where .* fewer than 20 hands, .*")
    names = {seat.name for seat in reads.state(written.session).seats.values() if seat.number > 0}
    shown = [cell.value for cell in written.shown["Statistics"][1][1:]]
    assert names >= set(shown)
    assert len(shown) == len(reads.present(written.session))
    if all(deal["void"] for deal in document["deals"]):
        assert [line[0] for line in written.shown["Statistics"].iter_rows(min_row=2, values_only=True)] == [
            "No hands yet."
        ]
        return
    for name in shown:
        said = {label: exact(figure) for label, figure in written.figures(name).items()}
        assert few.fullmatch(list(said)[-1])
        assert all(said.pop(title) is None for title in (*TITLES, list(said)[-1]))
        assert said == figures(document, name)


def pairs_agree(written: Written) -> None:
    """Assert the same of what each player did against each other one."""
    document = written.document()
    unit = Decimal(1).scaleb(-document["minor_digits"])
    money = f"Money ({document['currency']})"
    lines = {(line["Player"], line["Against"]): line for line in written.table("Pairs")[:-1]}
    everyone = [seat["name"] for seat in document["seats"]]
    for one, other in (each for two in combinations(everyone, 2) for each in (two, two[::-1])):
        said = pair(parts([document], [one]), [other])
        points, amount = net(document, one, other)
        line = lines.get((one, other))
        if line is None:
            assert (points, amount, said["deals"]) == (0, 0, 0)
            continue
        assert (line["Points"], exact(line[money])) == (points, amount * unit)
        assert (line["Hands"], line["Rows compared"]) == (said["deals"], said["compared"])
        assert [line[f"{row.capitalize()} {how}"] for how in ("won", "lost") for row in ROWS] == [
            *said["won"],
            *said["lost"],
        ]
        figures = [line[key] for key in ("With boards", "Scoops taken", "Scoops given")]
        assert figures == [said[key] for key in ("scored", "taken", "given")]


def curve_agrees(written: Written) -> None:
    """Assert that the sheet Curve has what everyone was up or down after each hand that counts, and from when on."""
    document, seats = written.document(), written.session.seats.all()
    unit = Decimal(1).scaleb(-document["minor_digits"])
    counts = [deal["number"] for deal in document["deals"] if not deal["void"]]
    heading, *rows = written.shown["Curve"].iter_rows(values_only=True)
    after = [row[0] for row in rows]
    if not counts:
        assert rows == []
        return
    last = {seat.number: naive_curve(document, seat.number, counts[-1]) for seat in seats if seat.number > 0}
    moved = any(naive_curve(document, seat, 10**6) != then for seat, then in last.items())
    assert after == [0, *counts, *(["end"] if moved else [])]
    names = list(reads.present(written.session).values())
    assert list(heading[1:]) == [*names, *(f"{name} ({document['currency']})" for name in names)]
    numbers = [0, *counts, 10**6]
    course = reads.curve(written.session).courses
    for at, (seat, _) in enumerate(reads.present(written.session).items(), 1):
        for place, row in enumerate(rows):
            points, money = naive_curve(document, seat, numbers[place]) if place else (0, 0)
            begun = place >= course[seat].first and course[seat].first < len(rows) - 1
            expected = (points, money * unit) if begun else (None, None)
            assert (row[at], exact(row[at + len(names)])) == expected, (seat, place)


def confirmed(session: Session, folder: Path) -> Written:
    """A session's workbook, once every figure of its sheets of statistics is confirmed."""
    written = Written(session, folder)
    statistics_agree(written)
    pairs_agree(written)
    curve_agrees(written)
    written.calculated()
    return written


@pytest.mark.parametrize("seed", range(6))
def test_every_figure_of_random_evenings_agrees_with_the_clubs_document(seed: int, tmp_path: Path) -> None:
    """Evenings with voids, corrections, limited chips, changed rules, late buy-ins and points without boards."""
    chance = random.Random(300 + seed)
    evening = random_evening(seed, None, chance)
    for _ in range(12 + 12 * seed):
        something(evening, chance)
    confirmed(evening.session, tmp_path)


def alone() -> Session:
    """An evening of one player, who won something from somebody who sat there and never played."""
    session = start("Ann Bob")
    act(SideBet, session, payer=2, payee=1, amount=1_05, note="red")
    return session


def late() -> Session:
    """Dan came for the third hand alone, Eve only to bet, and the last bet was after the last hand."""
    session = start("Ann Bob")
    for _ in range(2):
        settle(session, entry(s1=WEAK, s2=PLAIN))
    act(Join, session, name="Dan")
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    act(Leave, session, seat=3)
    act(Join, session, name="Eve")
    act(SideBet, session, payer=4, payee=1, amount=1_05, note="red")
    act(ledger.void_deal, session, number=1, note="misdeal")
    return session


def ranks() -> Session:
    """Hands of ranks alone, and of points without cards."""
    session = start(minor_digits=0, currency="JPY")
    settle(session, Entry(boards={}, points=((1, 2, 123456), (1, 3, -2), (2, 3, 1))))
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    act(ledger.correct_deal, session, number=2, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK), note="misread")
    return session


@pytest.mark.parametrize("made", [start, alone, late, ranks, everything, for_cash], ids=lambda made: str(made.__name__))
def test_every_figure_of_evenings_of_all_kinds_agrees(made: Any, tmp_path: Path) -> None:
    confirmed(made(), tmp_path)


def test_a_rate_says_that_it_is_over_few_hands_and_a_share_of_few_is_left_out(session: Session, tmp_path: Path) -> None:
    boards = entry(s1=STRONG, s2=PLAIN, s3=FOUL)
    for _ in range(FEW - 1):
        settle(session, boards)
    for hands in (FEW - 1, FEW):
        written = confirmed(session, tmp_path)
        formats = {
            line[0].value: line[1].number_format for line in written.shown["Statistics"].iter_rows() if line[0].value
        }
        assert formats["Points per hand"] == ("0.0" if hands == FEW else '0.0" (few)"')
        assert formats["Money per hand (EUR)"] == ("0.00" if hands == FEW else '0.00" (few)"')
        assert formats["Points"] == "0"
        fouls = written.figures("Cat")["Fouls, share of hands with boards"]
        assert fouls == (1 if hands == FEW else None)
        assert formats["Points per hand in Fantasyland"] == '0.0" (few)"'
        settle(session, boards)


# --- The charts -------------------------------------------------------------------------------------


def one(element: ElementTree.Element, path: str) -> ElementTree.Element:
    found = element.find(path, DRAWN)
    assert found is not None, path
    return found


def said(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


class Series:
    """One line of a chart as the file has it."""

    def __init__(self, written: Written, series: ElementTree.Element) -> None:
        self.written = written
        self.name, self.after, self.values = (self.cells(series, path) for path in ("c:tx", "c:cat", "c:val"))
        line = one(series, "c:spPr/a:ln")
        colour, dash = one(line, ".//a:srgbClr"), one(line, "a:prstDash")
        self.look = tuple(each.attrib["val"] for each in (colour, dash, one(series, "c:marker/c:symbol")))

    def cells(self, series: ElementTree.Element, path: str) -> list[Any]:
        """The cells that a reference names, which must be what the chart carries for programs that look at no cell."""
        sheet, _, place = said(one(series, f"{path}//c:f")).replace("$", "").partition("!")
        found = self.written.shown[sheet][place]
        cells = [row[0].value for row in found] if isinstance(found, tuple) else [found.value]
        carried = {int(point.get("idx", "")): point[0].text for point in series.findall(f"{path}//c:pt", DRAWN)}
        assert len(cells) == int(one(series, f"{path}//c:ptCount").attrib["val"])
        assert [None if cell is None else str(cell) for cell in cells] == [
            None if carried.get(at) is None else str(type(cell)(carried[at])) for at, cell in enumerate(cells)
        ]
        return cells


def charts(written: Written) -> Iterator[tuple[str, list[str], list[Series]]]:
    """The title, what the axes say, and the lines of each chart."""
    with zipfile.ZipFile(written.file) as parts_:
        for name in sorted(name for name in parts_.namelist() if name.startswith("xl/charts/")):
            chart = ElementTree.fromstring(parts_.read(name))
            axes = [said(one(chart, f".//c:{axis}/c:title")) for axis in ("catAx", "valAx")]
            lines = one(chart, ".//c:lineChart").findall("c:ser", DRAWN)
            yield said(one(chart, "c:chart/c:title")), axes, [Series(written, each) for each in lines]


def descriptions(written: Written) -> list[str]:
    """The texts in the place of the pictures on the sheet Chart."""
    with zipfile.ZipFile(written.file) as parts_:
        drawing = ElementTree.fromstring(parts_.read("xl/drawings/drawing1.xml"))
    return [each.get("descr", "") for each in drawing.findall(".//xdr:graphicFrame//xdr:cNvPr", DRAWN)]


def test_the_charts_draw_the_curve(tmp_path: Path) -> None:
    written = Written(late(), tmp_path)
    points, money = charts(written)
    assert points[:2] == ("Points, hand by hand", ["After hand", "Points won or lost so far"])
    assert money[:2] == ("Money (EUR), hand by hand", ["After hand", "Money (EUR) won or lost so far"])
    table = written.table("Curve")
    for (_, _, lines), suffix in ((points, ""), (money, " (EUR)")):
        assert [line.name for line in lines] == [["Ann"], ["Bob"], ["Dan"], ["Eve"]]
        assert len({line.look for line in lines}) == len({line.look[1] for line in lines}) == 4
        for line in lines:
            assert line.after == [0, 2, 3, "end"]
            assert line.values == [row[f"{line.name[0]}{suffix}"] for row in table]
    assert points[2][2].values == [None, 0, points[2][2].values[2], points[2][2].values[2]]
    of_points, of_money = descriptions(written)
    assert [table[-1][name] for name in ("Ann", "Bob", "Dan", "Eve")] == [-6, 18, -12, 0]
    assert of_points == "Line chart: Points won or lost after each hand. At the end: Bob +18, Eve 0, Ann -6, Dan -12."
    assert of_money.endswith("At the end: Bob +18.00, Eve -1.05, Ann -4.95, Dan -12.00.")


def test_the_chart_is_where_people_find_it(tmp_path: Path) -> None:
    """On the second sheet, which has nothing else; the first shows the totals."""
    written = Written(late(), tmp_path)
    assert written.book.sheetnames[:3] == ["Totals", "Chart", "Statistics"]
    assert len(written.book["Chart"]._charts) == 2


def test_points_that_were_worth_nothing_have_a_chart_of_points_alone(tmp_path: Path) -> None:
    session = start(stake=0)
    settle(session)
    assert [title for title, _, _ in charts(Written(session, tmp_path))] == ["Points, hand by hand"]


def test_no_hands_no_chart(session: Session, tmp_path: Path) -> None:
    written = Written(session, tmp_path)
    assert list(charts(written)) == []
    assert written.shown["Chart"]["A2"].value == "No hands yet."


def test_eight_players_of_long_names_and_two_hundred_hands(tmp_path: Path) -> None:
    """Their lines are told apart by their dashes alone, since so many marks would cover them."""
    names = [f"=SUM(A{number}) {'x' * 28}" for number in range(1, 9)]
    names = [f"{name:y<40}" for name in names]
    session = ledger.start_session(
        names=names, stake=100, currency="EUR", button=1, key="k", by="host", rules={"decks": 2}
    )
    chance = random.Random(1)
    for _ in range(200):
        points = tuple((one, other, chance.randint(-9, 9)) for one, other in combinations(range(1, 9), 2))
        settle(session, Entry(points=points))
        session.refresh_from_db()
    written = Written(session, tmp_path)
    courses = reads.curve(session).courses.values()  # which the second computation confirms in shorter evenings
    for _, _, lines in charts(written):
        assert [line.name for line in lines] == [[name] for name in names]
        assert [line.values for line in lines] == [[0, *course.points] for course in courses]
        assert {len(line.values) for line in lines} == {201}
        assert len({line.look[1] for line in lines}) == 8
        assert {line.look[2] for line in lines} == {"none"}
    for sheet, row in (("Statistics", 1), ("Curve", 1)):
        heading = written.book[sheet].cell(row, 2)
        assert (heading.data_type, heading.value, heading.quotePrefix) in {
            ("s", names[0], True),
            ("inlineStr", names[0], True),
        }


def test_more_than_eight_people_have_marks_that_tell_those_of_one_dash_apart(tmp_path: Path) -> None:
    session = start("Ann Bob Cat")
    settle(session)
    for number in range(9):
        act(Leave, session, seat=number + 1)
        act(Join, session, name=f"Guest{number}")
        one, two, three = range(number + 2, number + 5)
        settle(session, Entry(points=((one, two, 1), (one, three, 2), (two, three, -3))))
    lines = next(charts(Written(session, tmp_path)))[2]
    assert len({line.look for line in lines}) == len(lines) == 12
