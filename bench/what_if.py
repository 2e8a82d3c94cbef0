"""Measures hands settled again under other rules, beside settling the same hands again in full, with every sentence.

Run it with ``python -m bench.what_if``, on SQLite or on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

import random
from typing import Any, Final

from bench.ledger import opened, scratch, unique
from bench.timing import line, rates

HANDS: Final = 40
SESSIONS: Final = 100


def run() -> None:
    """Prints the figures."""
    with scratch() as vendor:
        print(f"What if, on {vendor}:")
        evening()
        club()


def evening() -> None:
    """Compares figures alone with reading all that was settled, and scoring it again with every sentence."""
    from scoring import reads
    from scoring.ledger.load import deals_of, numbers_of
    from scoring.models import Seat
    from scoring.rules.document import score
    from scoring.rules.houserules import resolve

    session = opened()
    settle_any(session, HANDS, random.Random(1))
    rules = resolve({"scoring": "2-4", "royalties": "flat-20"})

    def in_full() -> None:
        numbers = numbers_of(Seat.objects.filter(session=session))
        for deal in deals_of(session, numbers, pairs=True).values():
            was = deal.outcome()
            if was is not None:
                score({**was.document, "rules": rules.as_document()})

    each = rates({"figures": lambda: reads.what_if(session, rules, 1, HANDS), "in full": in_full}, HANDS)
    line(f"milliseconds for {HANDS} hands", 1000 * HANDS / each["figures"], "<= 100")
    line("hands a second", each["figures"], ">= 2000")
    line("figures alone / everything with sentences, in time", each["in full"] / each["figures"], "<= 0.75")


def club() -> None:
    """Settles all sessions of a club again, as the process does that makes it, beside scoring their documents alone."""
    from scoring import reads
    from scoring.models import Revision
    from scoring.rules.document import score
    from scoring.rules.houserules import resolve

    chance = random.Random(2)
    first = opened()
    for number in range(SESSIONS):
        settle_any(opened(club=first.club) if number else first, HANDS, chance)
    rules = resolve({"scoring": "2-4", "royalties": "flat-20"})
    documents = [each.document for each in Revision.objects.filter(deal__session__club=first.club)]

    def scored() -> None:
        for document in documents:
            score(document)

    hands = SESSIONS * HANDS
    jobs = {"club": lambda: reads.club_what_if(first.club, rules, 0, lambda: None), "scored": scored}
    each = rates(jobs, hands, rounds=3)
    line(f"seconds for {hands:,} hands of a club", hands / each["club"], "<= 2")
    line("hands of a club a second", each["club"], ">= 2000")
    line("a club / its documents scored with sentences, in time", each["scored"] / each["club"], "<= 1.60")


def settle_any(session: Any, times: int, chance: random.Random) -> None:
    """Settles hands of any cards, so that nothing which is kept for equal hands helps."""
    from scoring import ledger
    from scoring.game.entry import Entry, Rows

    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for _ in range(times):
        chance.shuffle(deck)
        boards = {seat: "".join(deck[13 * seat - 13 : 13 * seat]) for seat in (1, 2, 3)}
        rows = {seat: Rows(cards[:6], cards[6:16], cards[16:]) for seat, cards in boards.items()}
        entry = Entry(boards=rows)
        ledger.settle_deal(session=session, entry=entry, number=session.next_number, key=unique(), by="bench")


if __name__ == "__main__":
    run()
