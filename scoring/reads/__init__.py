"""What pages read. The number of SQL statements of each read does not grow with the session.

`Seat.number` names a seat. Money is in minor units. `scoring.ledger.load` has what the ledger itself reads: the seats,
the table, and deals as they were settled.
"""

from scoring.reads.cache import cached_by_version, forget_cached
from scoring.reads.club import (
    Standing,
    Terms,
    club_sessions,
    last_played,
    last_time,
    links_of,
    open_again,
    roster,
    saved_rules,
    sessions_of,
    sessions_with_links,
    standings,
    started,
    usual_stakes,
)
from scoring.reads.curve import Course, Curve, curve
from scoring.reads.deals import (
    Adjustment,
    LedgerDeal,
    Page,
    disputes,
    ledger_page,
    missed_fantasyland,
    revisions,
    settling,
    stored_deal,
    was_said,
)
from scoring.reads.highlights import Feat, Highlights, highlights
from scoring.reads.history import Happened, entries_changed, history, recorded, settled_again
from scoring.reads.payments import OpenPayments, open_payments
from scoring.reads.record import Agreement, Head, agreements, head
from scoring.reads.search import ANY_ROW, FoundDeal, Sought, search
from scoring.reads.state import Banked, State, present, seating, state
from scoring.reads.tab import Entry, Tab, account, account_names, tab_payment, tabs
from scoring.reads.whole import Whole, WholeDeal, whole

__all__ = [
    "ANY_ROW",
    "Adjustment",
    "Agreement",
    "Banked",
    "Course",
    "Curve",
    "Entry",
    "Feat",
    "FoundDeal",
    "Happened",
    "Head",
    "Highlights",
    "LedgerDeal",
    "OpenPayments",
    "Page",
    "Sought",
    "Standing",
    "State",
    "Tab",
    "Terms",
    "Whole",
    "WholeDeal",
    "account",
    "account_names",
    "agreements",
    "cached_by_version",
    "club_sessions",
    "curve",
    "disputes",
    "entries_changed",
    "forget_cached",
    "head",
    "highlights",
    "history",
    "last_played",
    "last_time",
    "ledger_page",
    "links_of",
    "missed_fantasyland",
    "open_again",
    "open_payments",
    "present",
    "recorded",
    "revisions",
    "roster",
    "saved_rules",
    "search",
    "seating",
    "sessions_of",
    "sessions_with_links",
    "settled_again",
    "settling",
    "standings",
    "started",
    "state",
    "stored_deal",
    "tab_payment",
    "tabs",
    "usual_stakes",
    "was_said",
    "whole",
]
