"""``python -m bench.load --help`` says what can be chosen."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
from pathlib import Path
from typing import Final

from bench.load import notify
from bench.load.evening import FOUR_MINUTES, Evening, Step, quantile
from bench.load.machines import deployed, missing

MOST: Final = 20
"""The most lines of each kind of complaint that are printed."""


def options() -> argparse.Namespace:
    """What was chosen. The defaults are an evening that a test plays."""
    parser = argparse.ArgumentParser("bench.load", description="Play many tables on several processes of the app.")
    add = parser.add_argument
    add("--tables", type=int, default=5, help="tables of four phones each")
    add("--processes", default="2", help="how many processes in turn, such as 1,2,4")
    add("--rate", type=float, default=1.0, help="hands a second of the first step")
    add("--factor", type=float, default=1.4, help="how many times as fast each step is as the one before")
    add("--seconds", type=float, default=5.0, help="how long a step lasts")
    add("--steps", type=int, default=1, help="the most steps for each number of processes")
    add("--p99", type=float, default=300.0, help="milliseconds of p99 of settling that end the raising")
    add("--pause", type=float, default=1.0, help="seconds in which the phones of a table enter a hand")
    add("--accidents", type=float, default=8.0, help="seconds with accidents, 0 for none")
    add("--redis", action="store_true", help="with NOTICES_URL")
    add("--in-turn", action="store_true", help="requests to each process in turn, not to that of their session")
    add("--notify", type=float, default=0.0, help="seconds of each measurement of NOTIFY; 0 does without")
    add("--bare", type=int, default=0, help="sessions that a bare view writes to, 0 for none")
    return parser.parse_args()


def main() -> None:
    chosen = options()
    needed = ["postgres", "pgbouncer", "haproxy", *(["redis-server"] if chosen.redis else [])]
    if absent := missing(*needed):
        sys.exit(f"This needs {', '.join(absent)}: apt-get install postgresql pgbouncer haproxy redis-server")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory(prefix="ofcscore-load-") as at:
        sys.exit(asyncio.run(played(Path(at), chosen)))


async def played(at: Path, chosen: argparse.Namespace) -> int:
    """The whole run. Returns the exit status."""
    counts = [int(each) for each in chosen.processes.split(",")]
    with deployed(at, processes=counts[0], with_redis=chosen.redis, in_turn=chosen.in_turn) as where:
        if chosen.notify:
            await asyncio.to_thread(notify.run, where.database, at, chosen.notify)
        evening = Evening(where, chosen.pause)
        await evening.sit_down(chosen.tables, chosen.bare)
        print(f"{chosen.tables:,} tables of four phones, notices by {'Redis' if chosen.redis else 'NOTIFY'}:")
        before = evening.books("sizes") if evening.bare else {}
        rate = chosen.rate
        for count in counts:
            await asyncio.to_thread(where.app.add, count - len(where.app.processes))
            print(f" {count} {'process' if count == 1 else 'processes'}")
            await evening.step(chosen.rate, chosen.seconds / 4)  # a new process has compiled no template yet
            resting = await evening.rest(chosen.seconds / 2)
            print(f"  {4 * chosen.tables:,} phones that only listen: {resting:.1%} of a processor")
            last, best = await raised(evening, chosen)
            rate = best.asked if best else rate
            if before:
                rows(before, evening.books("sizes"), evening.deals)
                before = {}
            if evening.bare:
                bare = await evening.step_bare(last.asked, chosen.seconds)
                print(f"  bare writes: {bare}")
                print(
                    f"  a hand / a bare view that writes the same rows: {last.each / bare.each:.1f} in processor time,"
                    f" {last.requests / last.deals:.0f} in requests,"
                    f" {quantile(last.settled, 0.5) / quantile(bare.settled, 0.5):.1f} in the median time to settle"
                )
        if chosen.accidents:
            step = await evening.step(rate / 2, chosen.accidents, evening.accidents(chosen.accidents))
            print(
                f" A process was killed, one added and PostgreSQL restarted while {step.deals} hands were played, at"
                f" {rate / 2:.2f} a second: {step.accidents} requests were sent again, and the slowest settling took"
                f" {max(step.settled):.1f} s"
            )
        await evening.leave()
        wrong = await asyncio.to_thread(evening.check)
        print(f" {evening.deals:,} hands were settled, {len(wrong) or 'nothing'} wrong in the books")
        for name, number in sorted(evening.seen.counts.items()):
            print(f"  {name}: {number}")
        for each in [*wrong[:MOST], *where.app.complaints()[:MOST]]:
            print(f"  {each}")
    return 1 if wrong else 0


async def raised(evening: Evening, chosen: argparse.Namespace) -> tuple[Step, Step | None]:
    """Raises the pace until p99 of settling is too long. Returns the last step, and the last one that was good."""
    rate, best = chosen.rate, None
    for _ in range(chosen.steps):
        step = await evening.step(rate, chosen.seconds)
        print(f"  {step}")
        if step.p99 * 1e3 > chosen.p99:
            break
        best, rate = step, rate * chosen.factor
    if best is not None:
        print(
            f"  with p99 below {chosen.p99:.0f} ms: {best.asked:.2f} hands a second, which"
            f" {best.asked * FOUR_MINUTES:,.0f} tables play at one in four minutes; a table's phones heard of it"
            f" {quantile(best.told, 0.99) * 1e3:.0f} ms after it was pressed (p99)"
        )
    tables = 1 / (step.each / FOUR_MINUTES + sum(evening.resting.values()) / chosen.tables)
    print(f"  tables a core at one hand in four minutes, by the processor time of all servers: {tables:,.0f}")
    return step, best


def rows(before: dict[str, list[int]], after: dict[str, list[int]], deals: int) -> None:
    """Prints what the hands added to the database."""
    grown = {name: [now - was for now, was in zip(after[name], before[name], strict=True)] for name in after}
    log = grown.pop("log")[1]
    count, size = (sum(each[n] for each in grown.values()) for n in (0, 1))
    often = {name.removeprefix("scoring_"): n / deals for name, (n, _) in grown.items() if n > deals / 2}
    print(
        f"  a hand: {count / deals:.1f} rows ({', '.join(f'{name} {n:.1f}' for name, n in often.items())}),"
        f" {size / deals:,.0f} bytes with indexes, {log / deals:,.0f} in the log of writes"
    )


if __name__ == "__main__":
    main()
