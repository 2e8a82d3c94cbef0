"""The database tables: clubs, sessions, the deals that they settled, and a ledger of who paid whom.

`scoring.ledger` writes what happens in a session, and creates the club and the players that do not exist yet.
`scoring.club` writes what a host does to the club itself, the payments of its tab among it, and deletes whole clubs and
sessions. `scoring.drafts` writes `Draft`, `scoring.access.links` writes `Link`, `scoring.access.browser` writes
`Forgotten`, and `scoring.access.limits` writes `Tally`. Nothing else writes.

Six tables are append-only: events, revisions, board results, pair results, transfers and the payments of clubs' tabs.
The database itself refuses to change or delete their rows (`scoring.ledger.append_only` has the one exception). What
the other tables hold about a session (seats, stakes, button, Fantasyland, sums of lines) is derived from these, and the
audit recomputes it.

Money is in whole minor units of the session's currency, points are whole; neither is ever a float. Every JSON
value, form and address names a seat by its `Seat.number`, never by a database id.
"""

from scoring.models.club import DEMO, Club, Merged, PayAddress, Player, SavedRules, TabPayment, UsualStake
from scoring.models.columns import new_public_id
from scoring.models.draft import Draft
from scoring.models.ledger import BoardResult, Deal, Dispute, Event, LineSum, PairResult, Revision, Total, Transfer
from scoring.models.link import Forgotten, Link, Tally
from scoring.models.session import PairStake, Seat, Session

__all__ = [
    "DEMO",
    "BoardResult",
    "Club",
    "Deal",
    "Dispute",
    "Draft",
    "Event",
    "Forgotten",
    "LineSum",
    "Link",
    "Merged",
    "PairResult",
    "PairStake",
    "PayAddress",
    "Player",
    "Revision",
    "SavedRules",
    "Seat",
    "Session",
    "TabPayment",
    "Tally",
    "Total",
    "Transfer",
    "UsualStake",
    "new_public_id",
]
