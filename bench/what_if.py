"""Measures an evening settled again under other rules, beside scoring its documents alone.

Run it with ``python -m bench.what_if``, on SQLite or on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

from typing import Final

from bench.ledger import opened, scratch, settle
from bench.timing import line, rates

HANDS: Final = 40


def run() -> None:
    """Prints the figures."""
    with scratch() as vendor:
        print(f"What if, {HANDS} hands on {vendor}:")
        settling_again()


def settling_again() -> None:
    """Compares the settlement of a whole evening under other rules, read from the database, with the engine alone."""
    from scoring import reads
    from scoring.rules.document import score
    from scoring.rules.houserules import resolve

    session = opened()
    settle(session, HANDS)
    rules = resolve({"scoring": "2-4", "royalties": "flat-20"})
    hands = reads.what_if(session, rules, 1, HANDS)
    documents = [hand.then.document for hand in hands]

    def engine() -> None:
        for document in documents:
            score(document)

    each = rates({"what if": lambda: reads.what_if(session, rules, 1, HANDS), "engine": engine}, HANDS)
    line(f"milliseconds for {HANDS} hands", 1000 * HANDS / each["what if"], "<= 100")
    line("hands a second", each["what if"], ">= 2000")
    line("settling again / scoring the same documents", each["engine"] / each["what if"], "<= 2")


if __name__ == "__main__":
    run()
