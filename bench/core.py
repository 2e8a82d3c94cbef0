"""Scores a deal with the engine's core alone. Benchmarks time it, and tests compare it with a naive scorer."""

from collections.abc import Sequence

from scoring.rules.score import PAIRS, BoardSums, Judged, Scale, judge, versus


def score_boards(boards: Sequence[BoardSums], scale: Scale) -> tuple[list[Judged], list[int]]:
    """Scores a deal without special rules. Returns each board's judgement and each player's points (R13)."""
    judged = [judge(sums, scale) for sums in boards]
    points = [0] * len(boards)
    for i, j in PAIRS[len(boards)]:
        _, row_points, bonus, royalties = versus(judged[i], judged[j], scale)
        won = row_points + bonus + royalties
        points[i] += won
        points[j] -= won
    return judged, points
