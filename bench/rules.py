"""Measures the rules engine: its core beside other evaluators doing the same work, and a whole document beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import eval7
import treys
from phevaluator import _pheval

from bench.core import score_boards
from bench.deals import SCALE, Rows, deals, documents, key
from bench.timing import line, rates
from scoring.exports.json_text import dumps
from scoring.rules.cards import DECK
from scoring.rules.document import score_bytes
from scoring.rules.rows import FRONTS
from scoring.rules.score import PAIRS, BoardSums, Judged, Scale, versus

DEALS = 2000


def ours(made: list[list[Rows]]) -> Callable[[], None]:
    """Returns a job that scores all deals with this engine's core, from the keys of their rows."""
    boards: list[list[BoardSums]] = [[(key(f), key(m), key(b)) for f, m, b in deal] for deal in made]

    def job() -> None:
        for deal in boards:
            score_boards(deal, SCALE)

    return job


def theirs(
    made: list[list[Rows]], own: Callable[[list[int]], Any], evaluate: Callable[[Any], int]
) -> Callable[[], None]:
    """Returns a job that does the same with another evaluator of five cards. ``own`` converts cards, untimed.

    A dictionary maps its ranks to this engine's order, which any program needs that compares fronts with middles. The
    front comes from this engine's table, because none of the evaluators handles three cards.
    """
    order: dict[int, int] = {}
    boards = []
    for deal in made:
        converted = []
        for front, middle, back in deal:
            for row in (middle, back):
                order[evaluate(own(row))] = SCALE.backs[key(row)]
            converted.append((key(front), own(middle), own(back)))
        boards.append(converted)

    def judge(front_sum: int, middle_cards: Any, back_cards: Any, tables: Scale) -> Judged:
        front = FRONTS[front_sum]
        middle = order[evaluate(middle_cards)]
        back = order[evaluate(back_cards)]
        if front < middle <= back - tables.strict:
            return (
                True,
                front,
                middle,
                back,
                tables.front_pays[front] + tables.middle_pays[middle] + tables.back_pays[back],
            )
        return False, front, middle, back, 0

    def job() -> None:
        for deal in boards:
            judged = [judge(*rows, SCALE) for rows in deal]
            points = [0] * len(deal)
            for i, j in PAIRS[len(deal)]:
                _, row_points, bonus, royalties = versus(judged[i], judged[j], SCALE)
                won = row_points + bonus + royalties
                points[i] += won
                points[j] -= won

    return job


def run() -> None:
    """Prints the figures of the rules engine."""
    made = deals(DEALS)
    names = [str(card) for card in DECK]
    bodies = documents(made)
    five = treys.Evaluator()._five
    evaluate_5cards = _pheval.evaluate_5cards
    measured = rates(
        {
            "core": ours(made),
            "phevaluator": theirs(made, tuple, lambda row: evaluate_5cards(*row)),
            "treys": theirs(made, lambda row: [treys.Card.new(names[card]) for card in row], five),
            "eval7": theirs(made, lambda row: [eval7.Card(names[card]) for card in row], eval7.evaluate),
            "document": lambda: [dumps(score_bytes(body)[0]) for body in bodies],
        },
        DEALS,
    )
    core = measured["core"]
    print(f"Scoring three boards, one thread ({core:,.0f} deals a second here):")
    line("core / the same with phevaluator's C evaluator", core / measured["phevaluator"], ">= 1.00")
    line("core / the same with treys", core / measured["treys"], ">= 1.70")
    line("core / the same with eval7", core / measured["eval7"], ">= 1.70")
    line("whole document, JSON to JSON / core, in fortieths", 40 * measured["document"] / core, ">= 1.00")
    milliseconds, mebibytes = tables()
    line("building the tables at import, in 50 ms", milliseconds / 50, "<= 1.00")
    line("memory of the tables, in 10 MiB", mebibytes / 10, "<= 1.00")


def tables() -> tuple[float, float]:
    """Measures the time (ms) and memory (MiB) of importing the tables, in separate processes."""
    timed = "import time, scoring.rules.cards; t = time.perf_counter(); import scoring.rules.rows; "
    weighed = "import tracemalloc; tracemalloc.start(); import scoring.rules.rows; "
    milliseconds = min(_python(timed + "print((time.perf_counter() - t) * 1e3)") for _ in range(5))
    return milliseconds, _python(weighed + "print(tracemalloc.get_traced_memory()[1] / 2**20)")


def _python(program: str) -> float:
    return float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout)
