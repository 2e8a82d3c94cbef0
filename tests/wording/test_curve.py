"""How the curve is drawn: its lines say the figures, its names stand apart, and it is small."""

from __future__ import annotations

import random
import re
from itertools import accumulate, pairwise
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from scoring.reads import Curve, PlayerCurve
from scoring.wording.curve import EDGE, HEIGHT, CurveShown, drawn

NAMES = {seat: f"Player {seat}" for seat in range(1, 25)}


def course(*points: int, stake: int = 100, first: int = 0) -> PlayerCurve:
    return PlayerCurve(first, points, [stake * each for each in points], [], [])


def curve(*courses: PlayerCurve, trailing: bool = False) -> Curve:
    columns = len(courses[0].points)
    return Curve(range(1, columns + 1 - trailing), trailing, False, dict(enumerate(courses, 1)))


def shown(*courses: PlayerCurve, names: dict[int, str] = NAMES, trailing: bool = False) -> CurveShown:
    found = drawn(curve(*courses, trailing=trailing), names, "EUR", 2)
    assert found
    return found


def vertices(path: str) -> list[tuple[int, int]]:
    """The corners of a path: it moves to the first, and the others follow by how far they are from each other."""
    whole = re.fullmatch(r"M(\d+ \d+)l((?:\d+(?: |-)\d+ ?)+)", path)
    assert whole, path
    moved, steps = whole.groups()
    numbers = [int(each) for each in re.findall(r"-?\d+", steps)]
    x, y = map(int, moved.split())
    found = [(x, y)]
    for wide, down in zip(numbers[::2], numbers[1::2], strict=True):
        found.append((found[-1][0] + wide, found[-1][1] + down))
    return found


def place(percent: str) -> float:
    """Thousandths from a percentage."""
    return float(percent.removesuffix("%")) * 10


def svg(found: CurveShown, **given: object) -> str:
    """The drawing without the table of its figures."""
    page = render_to_string(
        "shared/_curve.html",
        # Fragments are cached by session, so each drawing is of another one.
        {"curve": found, "look": "sheet", "up": "../", "session": {"public_id": uuid4().hex, "version": 1}, **given},
    )
    return page[page.index("<svg") : page.rindex("</svg>")]


def long_evening(players: int, hands: int) -> Curve:
    """So many hands by so many players, who foul every eighth hand and are in Fantasyland as often."""
    chance = random.Random(1)

    def one() -> PlayerCurve:
        points = list(accumulate(chance.randint(-30, 30) for _ in range(hands)))
        fouls, fantasyland = ([hand for hand in range(hands) if chance.random() < 1 / 8] for _ in range(2))
        return PlayerCurve(0, points, [100 * each for each in points], fouls, fantasyland)

    return Curve(range(1, hands + 1), False, False, {seat: one() for seat in range(1, players + 1)})


# --- Lines --------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=40), st.integers(0, 39))
def test_a_line_goes_through_every_figure(won: list[int], first: int) -> None:
    first = min(first, len(won) - 1)
    points = list(accumulate([0] * first + won[first:]))
    (picture,) = shown(course(*points, first=first), course(*[-each for each in points])).pictures
    line = vertices(picture.lines[0].path)
    assert line[0][0] == first
    assert line[-1][0] == len(points)
    highest = max(map(abs, points)) or 1
    for (x, y), (other, to) in pairwise(line):
        for between in range(x, other + 1):
            said = points[between - 1] if between > first else 0
            expected = HEIGHT / 2 - said * (HEIGHT / 2 - EDGE) / highest
            assert abs(y + (to - y) * (between - x) / (other - x) - expected) <= 1


def test_a_level_stretch_is_one_step() -> None:
    (picture,) = shown(course(1, 1, 1, 1, 2), course(-1, -1, -1, -1, -2)).pictures
    assert [len(vertices(line.path)) for line in picture.lines] == [4, 4]


def test_marks_stand_on_the_line_in_the_column_of_their_hand() -> None:
    one = PlayerCurve(0, [5, 10, 10, 0], [500, 1000, 1000, 0], [1], [1, 3])
    (picture,) = shown(one, course(-5, -10, -10, 0)).pictures
    line = picture.lines[0]
    assert line.fouls
    assert line.fantasyland
    assert (line.fouls.x, line.fouls.y, line.fouls.text) == ("50%", "5%", "×")
    assert (line.fantasyland.x, line.fantasyland.y, line.fantasyland.text) == ("50% 100%", "5% 50%", "★★")
    assert picture.lines[1].fouls is None


def test_lines_differ_in_more_than_their_colour() -> None:
    (picture,) = shown(*(course(seat, -seat) for seat in range(1, 9))).pictures
    assert len({line.mark for line in picture.lines}) == len({line.look for line in picture.lines}) == 8
    assert all(set(line.marks.text) == {line.mark} for line in picture.lines)


# --- Names --------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8))
def test_names_stand_apart_in_the_order_of_the_lines(ends: list[int]) -> None:
    (picture,) = shown(*map(course, ends)).pictures
    lines = sorted(picture.lines, key=lambda line: place(line.y))
    assert all(place(other.y) - place(one.y) >= 99.9 for one, other in pairwise(lines))
    assert all(50 <= place(line.y) <= 950 for line in lines)
    heights = [vertices(line.path)[-1][1] for line in lines]
    assert heights == sorted(heights)
    assert [re.findall(r"\d+", line.leader)[1] for line in lines] == [str(height) for height in heights]


def test_names_that_have_room_stand_at_the_ends_of_their_lines() -> None:
    (picture,) = shown(course(10), course(-10)).pictures
    assert [(vertices(line.path)[-1][1], line.y) for line in picture.lines] == [(EDGE, "5%"), (HEIGHT - EDGE, "95%")]


def labels(*names: str) -> list[str]:
    found = shown(*(course(seat) for seat in range(len(names))), names=dict(enumerate(names, 1)))
    return [line.name for line in found.pictures[0].lines]


def test_long_names_are_cut_and_those_that_would_be_the_same_keep_their_ends() -> None:
    assert labels("Ann", "Bartholomew the Second of Nottinghamshire") == ["Ann", "Bartholo…"]
    assert labels("Guest number 17", "Guest number 18", "Gus") == ["Gues…r 17", "Gues…r 18", "Gus"]
    assert labels("M" * 40, "Ann") == ["MMMMM…", "Ann"]


def test_of_more_than_eight_the_furthest_have_names_and_everyone_is_drawn_and_in_the_table() -> None:
    found = shown(*(course(seat if seat % 2 else -seat) for seat in range(1, 25)))
    (picture,) = found.pictures
    assert [line.name for line in picture.lines] == [f"Player {seat}" for seat in range(17, 25)]
    assert picture.others.count("M") == 16
    assert len(found.names) == len(found.rows[0][1]) == 24
    assert found.notes == [
        "The eight players furthest from zero have names and marks; the thin lines are everyone else."
    ]


# --- Units, figures and numbers -----------------------------------------------------------------------


def test_money_says_it_all_while_every_point_is_worth_the_same() -> None:
    found = shown(course(12, 4), course(-12, -4))
    assert [(each.unit, each.label) for each in found.pictures] == [("money", "EUR")]
    assert found.rows == [(1, ["+12.00", "−12.00"], ""), (2, ["+4.00", "−4.00"], "")]


def test_money_and_points_are_both_drawn_where_neither_tells_the_other() -> None:
    found = shown(PlayerCurve(0, [5, 5], [500, 450], [], []), course(-5, -5))
    assert [(each.unit, each.label) for each in found.pictures] == [("money", "EUR"), ("points", "Points")]
    assert found.rows[1] == (2, ["+5 / +4.50", "−5 / −5.00"], "")


def test_points_are_drawn_where_nothing_was_played_for() -> None:
    assert [each.unit for each in shown(course(5, stake=0), course(-5, stake=0)).pictures] == ["points"]
    assert [each.unit for each in shown(course(0, 0), course(0, 0)).pictures] == ["points"]


def test_what_came_after_the_last_hand_is_the_last_row_and_opens_nothing() -> None:
    found = shown(course(5, 6), course(-5, -6), trailing=True)
    assert [number for number, *_ in found.rows] == [1, 0]
    assert found.deals == [("1", "1")]
    assert found.columns == "2"


@pytest.mark.parametrize(
    ("most", "texts"),
    [
        (3, ["−2", "0", "+2"]),
        (0.04, ["−0.04", "−0.02", "0", "+0.02", "+0.04"]),
        (270, ["−200", "0", "+200"]),
        (654_321, ["−500\N{NARROW NO-BREAK SPACE}000", "0", "+500\N{NARROW NO-BREAK SPACE}000"]),
    ],
)
def test_the_figures_at_the_side_are_round(most: float, texts: list[str]) -> None:
    minor = round(100 * most)
    (picture,) = shown(course(minor, stake=1), course(-minor, stake=1)).pictures
    assert [text for _, text in picture.values] == texts


@pytest.mark.parametrize(
    ("hands", "numbers"),
    [
        (1, ["1"]),
        (2, ["1", "2"]),
        (5, ["1", "2", "3", "4", "5"]),
        (60, ["1", "20", "40", "60"]),
        (199, ["1", "50", "100", "150", "199"]),
    ],
)
def test_the_numbers_below_are_round_between_the_first_and_the_last(hands: int, numbers: list[str]) -> None:
    found = shown(course(*range(hands)), course(*range(hands)))
    assert [number for _, number, _ in found.numbers] == numbers
    assert (found.numbers[-1][0], found.numbers[-1][2]) == ("100%", "end")


def test_it_is_said_in_a_sentence() -> None:
    (picture,) = shown(course(5, -3), course(-5, 3), names={1: "Ann", 2: "Bob"}).pictures
    assert picture.said == "Running totals in EUR after 2 hands: Bob +3.00, Ann −3.00."


def test_names_that_are_cut_in_the_picture_are_said_in_full() -> None:
    (picture,) = shown(course(5), course(-5), names={1: "M" * 40, 2: "Bob"}).pictures
    assert "M" * 40 in picture.said


def test_the_table_says_what_the_marks_show() -> None:
    found = shown(PlayerCurve(0, [5, 5], [500, 500], [0, 1], [1]), PlayerCurve(0, [-5, -5], [-500, -500], [1], []),
                  names={1: "Ann", 2: "Bob"})  # fmt: skip
    assert [happened for *_, happened in found.rows] == ["foul: Ann", "foul: Ann and Bob; Fantasyland: Ann"]
    steps = drawn(long_evening(8, 501), NAMES, "EUR", 2)
    whole = long_evening(8, 501)
    assert steps
    told = sum("Fantasyland" in happened for *_, happened in steps.rows)
    assert told == len({column // 3 for one in whole.courses.values() for column in one.fantasyland})


# --- Sizes ----------------------------------------------------------------------------------------------


def test_two_hundred_hands_by_eight_players_are_less_than_thirty_kilobytes() -> None:
    found = drawn(long_evening(8, 200), NAMES, "EUR", 2)
    assert found
    assert len(svg(found).encode()) < 30_000


def test_a_longer_session_is_drawn_in_steps_that_end_with_its_last_hand() -> None:
    found = drawn(long_evening(8, 501), NAMES, "EUR", 2)
    assert found
    assert "Each step is 3 hands." in found.notes
    assert [number for number, *_ in found.rows] == list(range(3, 502, 3))
    assert all(vertices(line.path)[-1][0] == 167 for line in found.pictures[0].lines)
    assert [number for _, number, _ in found.numbers] == ["3", "201", "402", "501"]


def test_a_plain_curve_has_one_picture() -> None:
    found = shown(PlayerCurve(0, [5, 5], [500, 450], [], []), course(-5, -5))
    assert svg(found, plain=True).count('role="img"') == 1
    assert svg(found).count('role="img"') == 2


@pytest.mark.parametrize("players", [1, 2, 8])
def test_a_session_in_which_everything_was_even_has_a_level_line(players: int) -> None:
    (picture,) = shown(*(course(0, 0) for _ in range(players))).pictures
    assert {y for line in picture.lines for _, y in vertices(line.path)} == {HEIGHT // 2}
