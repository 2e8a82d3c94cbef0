from scoring.models.club import Club, Player, SavedRules, UsualStake
from scoring.models.columns import FANTASYLAND, between, new_public_id
from scoring.models.draft import Draft
from scoring.models.ledger import Board, Deal, Dispute, Event, PairResult, Revision, Total, Transfer
from scoring.models.link import Link, Tally
from scoring.models.session import PairStake, Seat, Session

__all__ = [
    "FANTASYLAND",
    "Board",
    "Club",
    "Deal",
    "Dispute",
    "Draft",
    "Event",
    "Link",
    "PairResult",
    "PairStake",
    "Player",
    "Revision",
    "SavedRules",
    "Seat",
    "Session",
    "Tally",
    "Total",
    "Transfer",
    "UsualStake",
    "between",
    "new_public_id",
]
