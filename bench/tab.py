"""Measures the tab of a large club, beside reading the rows that it sums.

Run it with ``python -m bench.tab``, on SQLite or on the server that ``DATABASE_URL`` names.
"""

from __future__ import annotations

import random
from typing import Any, Final

from bench.ledger import opened, scratch, unique
from bench.timing import line, rates

PEOPLE: Final = 60
SESSIONS: Final = 500
AT_THE_TABLE: Final = 5
BETS: Final = 4


def run() -> None:
    """Prints the figures."""
    with scratch() as vendor:
        print(f"The tab of {PEOPLE} people and {SESSIONS} sessions on {vendor}:")
        reading(club_with_a_tab())


def club_with_a_tab() -> Any:
    """A club in which people have played, paid a part of what they owed, and left the rest to the tab."""
    from scoring import ledger, reads
    from scoring.actions.fee import Fee
    from scoring.actions.side_bet import SideBet
    from scoring.models import Club

    club = Club.objects.create()
    chance = random.Random(1)
    people = [f"Player {number}" for number in range(PEOPLE)]
    for _ in range(SESSIONS):
        session = opened(names=chance.sample(people, AT_THE_TABLE), club=club)
        for _ in range(BETS):
            payer, payee = chance.sample(range(1, AT_THE_TABLE + 1), 2)
            bet = SideBet(payer=payer, payee=payee, amount=chance.randrange(100, 20_000))
            ledger.record(session=session, action=bet, note="bet", key=unique(), by="bench")
        fee = Fee(seats=[1, 2, 3], amount=100)
        ledger.record(session=session, action=fee, note="room", key=unique(), by="bench")
        ledger.close_session(session=session, tab=True, key=unique(), by="bench")
        session.refresh_from_db()
        for each in reads.open_payments(session).open[:2]:
            who: dict[str, Any] = {"session": session, "payer": each.payer, "payee": each.payee, "by": "bench"}
            ledger.pay(**who, amount=each.amount, note="cash", key=unique())
    return club


def reading(club: Any) -> None:
    """Compares reading the tab with reading the rows of which it is made, without a sum of any."""
    from scoring import reads
    from scoring.models import LineSum, Total

    def rows() -> None:
        list(Total.objects.filter(club=club).values_list("player_id", "currency", "minor_digits", "money", "fees"))
        list(LineSum.objects.filter(session__club=club).values_list("payer_id", "payee_id", "kind", "amount"))

    each = rates({"tab": lambda: reads.tabs(club), "rows": rows}, 1)
    line("milliseconds for the tab", 1000 / each["tab"], "<= 20")
    line("reading the tab / reading its rows", each["rows"] / each["tab"], "<= 3")


if __name__ == "__main__":
    run()
