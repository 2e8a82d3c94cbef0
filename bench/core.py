"""A deal by the engine's core alone: what the benchmarks time, and what the tests compare with the slow scorer."""

from collections.abc import Sequence

from scoring.rules.score import PAIRS, BoardSums, Judged, Scale, judge, versus


def score_boards(boards: Sequence[BoardSums], scale: Scale) -> tuple[list[Judged], list[int]]:
    """A deal without special rules: each board judged, and each player's points, which sum to zero (R13)."""
    judged = [judge(sums, scale) for sums in boards]
    points = [0] * len(boards)
    for i, j in PAIRS[len(boards)]:
        _, row_points, bonus, royalties = versus(judged[i], judged[j], scale)
        won = row_points + bonus + royalties
        points[i] += won
        points[j] -= won
    return judged, points
