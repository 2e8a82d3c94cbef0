"""Plays the tables at a pace, raises it, and lets accidents happen."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bench.load.machines import Deployment
from bench.load.phones import Browser, Seen, Table

AT_ONCE: Final = 16
"""How many tables sit down at the same time."""
CATCHING_UP: Final = 120.0
"""Seconds after a step in which every hand that was begun must end."""
FOUR_MINUTES: Final = 240


@dataclass(frozen=True)
class Step:
    """What was measured at one pace."""

    asked: float
    """Hands a second."""
    deals: int
    seconds: float
    settled: Sequence[float]
    told: Sequence[float]
    spent: dict[str, float]
    """Processor time, in seconds, by kind of server, beyond what they take while nobody plays."""
    player: float
    """Processor time of the phones themselves."""
    requests: int
    accidents: int

    @property
    def rate(self) -> float:
        return self.deals / self.seconds

    @property
    def p99(self) -> float:
        return quantile(self.settled, 0.99)

    @property
    def each(self) -> float:
        """The servers' processor time for a hand, in seconds."""
        return sum(self.spent.values()) / self.deals

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} {max(0, spent / self.deals * 1e3):.0f}" for name, spent in self.spent.items())
        p50, p99, each = quantile(self.settled, 0.5) * 1e3, self.p99 * 1e3, self.requests / self.deals
        return (
            f"{self.asked:6.2f} a second asked for, {self.rate:6.2f} done, p50 {p50:4.0f} ms, p99 {p99:4.0f} ms;"
            f" {each:.0f} requests and {self.each * 1e3:.0f} ms of processor each ({kinds}); the phones took"
            f" {self.player / self.seconds:.0%} of a processor"
        )


def quantile(times: Sequence[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] if times else 0.0


@dataclass
class Evening:
    """Lets tables play on a deployment, and counts what they see."""

    where: Deployment
    pause: float
    """Seconds in which a table's phones enter a hand."""
    seen: Seen = field(default_factory=Seen)
    tables: list[Table] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)
    resting: dict[str, float] = field(default_factory=dict)
    """The processor time that each kind of server takes in a second in which nobody plays."""

    def books(self, what: str, *arguments: str, given: object = None) -> Any:
        """Asks the app for or about the tables, in a process of its own."""
        return json.loads(self.where.app.run("-m", "bench.load.books", what, *arguments, given=json.dumps(given)))

    async def sit_down(self, count: int, bare: int) -> None:
        """Makes the tables, and lets four phones open their links and streams at each."""
        made = await asyncio.to_thread(self.books, "make", str(count))
        if bare:
            self.bare = await asyncio.to_thread(self.books, "make-bare", str(bare))
        self.tables = [
            Table(self.where.port, self.seen, number, each["session"], each["secrets"])
            for number, each in enumerate(made)
        ]
        door = asyncio.Semaphore(AT_ONCE)

        async def sit(table: Table) -> None:
            async with door:
                await table.sit()

        await asyncio.gather(*map(sit, self.tables))

    async def rest(self, seconds: float) -> float:
        """Measures what the servers take while the phones only listen. Returns it in processors."""
        before = self.where.seconds()
        await asyncio.sleep(seconds)
        after = self.where.seconds()
        self.resting = {name: (after[name] - before[name]) / seconds for name in after}
        return sum(self.resting.values())

    async def step(self, rate: float, seconds: float, *beside: Coroutine[Any, Any, None]) -> Step:
        """Begins so many hands a second, each at a table that has none on, and does something beside it."""
        idle = deque(self.tables)

        async def play() -> None:
            if idle:  # otherwise every table is late, and the pace is not reached
                table = idle.popleft()
                await table.play(self.pause)
                idle.append(table)

        return await self._paced(rate, seconds, play, self.seen.settled, beside)

    async def step_bare(self, rate: float, seconds: float) -> Step:
        """Writes the same rows as often by a bare view, through the same proxy."""
        browsers = [Browser(self.where.port, f"10.9.9.{n % 250}", self.seen) for n in range(len(self.bare))]
        idle = deque(zip(browsers, self.bare, strict=True))

        async def write() -> None:
            if idle:
                browser, session = idle.popleft()
                began = time.monotonic()
                await browser.ask("POST", f"/bare-write/{session}", {"a": 1})
                self.seen.settled.append(time.monotonic() - began)
                idle.append((browser, session))

        try:
            return await self._paced(rate, seconds, write, self.seen.settled, ())
        finally:
            for browser in browsers:
                browser.hang_up()

    async def _paced(
        self,
        rate: float,
        seconds: float,
        do: Callable[[], Coroutine[Any, Any, None]],
        settled: Sequence[float],
        beside: Sequence[Coroutine[Any, Any, None]],
    ) -> Step:
        self.seen.clear()
        before, own, began = self.where.seconds(), time.process_time(), time.monotonic()
        async with asyncio.timeout(seconds + CATCHING_UP), asyncio.TaskGroup() as everything:
            for each in beside:
                everything.create_task(each)
            for n in range(max(1, int(rate * seconds))):
                await asyncio.sleep(began + n / rate - time.monotonic())
                everything.create_task(do())
        after, took = self.where.seconds(), time.monotonic() - began
        return Step(
            asked=rate,
            deals=len(settled),
            seconds=took,
            settled=list(settled),
            told=list(self.seen.told),
            spent={name: after[name] - before[name] - self.resting.get(name, 0) * took for name in after},
            player=time.process_time() - own,
            requests=self.seen.requests,
            accidents=self.seen.accidents,
        )

    async def accidents(self, seconds: float) -> None:
        """A process is killed and another one added, and PostgreSQL is restarted, with a part of the time between."""
        app = self.where.app
        await asyncio.sleep(seconds / 5)
        await asyncio.to_thread(app.end, signal.SIGKILL)
        await asyncio.sleep(seconds / 5)
        await asyncio.to_thread(app.add)
        await asyncio.sleep(seconds / 5)
        await asyncio.to_thread(self.where.database.restart)

    def check(self) -> list[str]:
        """What is wrong with the books."""
        wrong = self.books("check", given={table.session: table.number - 1 for table in self.tables})
        return [*wrong, *(f"{name}: {count}" for name, count in self.seen.counts.items() if "no settlement" in name)]

    @property
    def deals(self) -> int:
        return sum(table.number - 1 for table in self.tables)

    async def leave(self) -> None:
        await asyncio.gather(*(table.stop() for table in self.tables))
