"""Measures several things so that the noise of a shared machine disturbs all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

ROUNDS = 9

Job = TypeVar("Job")
"""What a job is called: a name, or a name and its size."""


def rates(
    jobs: Mapping[Job, Callable[[], object]],
    size: int,
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Job, float]:
    """Runs the jobs in turn, round after round. Returns each one's best rate per second, at ``size`` units in a run."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            started = clock()
            job()
            best[name] = min(best[name], clock() - started)
    return {name: size / seconds for name, seconds in best.items()}


def line(what: str, ratio: float, goal: str = "") -> None:
    """Prints one ratio and its goal, if it has one."""
    print(f"  {what:<58} {ratio:6.2f}   {goal and f'goal {goal}'}".rstrip())
