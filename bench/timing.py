"""Measuring two things so that a shared, noisy machine disturbs both alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

ROUNDS = 9


def rates(jobs: Mapping[str, Callable[[], object]], size: int, rounds: int = ROUNDS) -> dict[str, float]:
    """Runs each job in turn, round after round, and gives each one's best rate; a job does ``size`` things a run."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            started = time.perf_counter()
            job()
            best[name] = min(best[name], time.perf_counter() - started)
    return {name: size / seconds for name, seconds in best.items()}


def line(what: str, ratio: float, goal: str) -> None:
    """One figure of the report."""
    print(f"  {what:<58} {ratio:6.2f}   goal {goal}")
