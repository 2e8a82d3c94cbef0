"""The requests that wait for a thread: who comes next, and how many may wait."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition
from typing import Final

MOST: Final = 1_000
"""The most requests that may wait, of those with a link and of those without one."""
MOST_OF_A_CLIENT: Final = 200
STRANGERS_TURN: Final = 4
"""One in so many is the request of a browser without a link, if any waits."""


@dataclass(eq=False, slots=True)
class Job:
    """One request to answer. ``known`` says that its browser holds a link, so that it is probably at a table."""

    run: Callable[[], None]
    client: str
    known: bool


class Jobs:
    """Jobs in the order in which threads take them: those of known browsers first, and each client in its turn.

    One client with a thousand requests thus delays others by one request each time, and strangers delay those who
    play hardly at all. All methods may be called from any thread.
    """

    def __init__(self) -> None:
        self._lanes: dict[bool, OrderedDict[str, deque[Job]]] = {True: OrderedDict(), False: OrderedDict()}
        self._waiting = {True: 0, False: 0}
        self._taken = 0
        self._changed = Condition()

    def add(self, job: Job) -> bool:
        """Adds a job at the end of its client's line; returns False if that line or the whole lane is full."""
        with self._changed:
            line = self._lanes[job.known].setdefault(job.client, deque())
            if len(line) >= MOST_OF_A_CLIENT or self._waiting[job.known] >= MOST:
                if not line:
                    del self._lanes[job.known][job.client]
                return False
            line.append(job)
            self._waiting[job.known] += 1
            self._changed.notify()
            return True

    @property
    def waiting(self) -> int:
        """How many jobs no thread has taken yet."""
        return sum(self._waiting.values())

    def drop(self, job: Job) -> bool:
        """Removes a job whose client has left; returns False if a thread has taken it already."""
        with self._changed:
            line = self._lanes[job.known].get(job.client, deque[Job]())
            if job not in line:
                return False
            line.remove(job)
            self._left(job, line)
            return True

    def take(self) -> Job:
        """Waits for a job and takes it."""
        with self._changed:
            while not any(self._waiting.values()):
                self._changed.wait()
            self._taken += 1
            known = self._waiting[True] > 0 and (self._taken % STRANGERS_TURN > 0 or not self._waiting[False])
            lane = self._lanes[known]
            line = next(iter(lane.values()))
            job = line.popleft()
            lane.move_to_end(job.client)
            self._left(job, line)
            return job

    def _left(self, job: Job, line: deque[Job]) -> None:
        self._waiting[job.known] -= 1
        if not line:
            del self._lanes[job.known][job.client]
