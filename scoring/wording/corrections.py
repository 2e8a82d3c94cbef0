"""What a correction changes, in words: the deals that are settled again, and the table after them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from scoring.game.outcome import Outcome
from scoring.ledger import Change, Correction
from scoring.models import Session
from scoring.wording.figures import listed, signed, signed_money
from scoring.wording.settlement import outcome_shown
from scoring.wording.table import following, still_owed

REASONS = {"stacks": "the stacks", "fantasyland": "Fantasyland", "button": "the button"}


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """One player of a deal that is settled again: what they won in it before, and what they win after."""

    name: str
    before: str
    after: str
    money_before: str
    money_after: str
    moved: bool


@dataclass(frozen=True, slots=True)
class DealMoved:
    """One deal that is settled again, and why."""

    number: int
    because: str
    players: list[PlayerMoved]

    @property
    def moved(self) -> bool:
        """True if any player's points or money change."""
        return any(player.moved for player in self.players)


def moves(session: Session, number: int, correction: Correction) -> dict[str, Any]:
    """The context of ``shared/_moves.html``. ``number`` is the deal that was corrected itself, 0 if none was."""
    others = [_deal_moved(session, change) for change in correction.changes if change.number != number]
    own = next((change for change in correction.changes if change.number == number), None)
    return {
        **(outcome_shown(own.after, session) if own and own.after else {}),
        "own": _deal_moved(session, own) if own else None,
        "others": [hand for hand in others if hand.moved],
        "unmoved": listed([f"hand {hand.number}" for hand in others if not hand.moved] or [""]),
        "in_all": _in_all(session, correction) if len(correction.changes) > 1 else [],
        "nothing": not correction.changes,
        "version": correction.version,
        "still_owed": [
            sentence
            for sentence in still_owed(correction.after, session)
            if sentence not in still_owed(correction.before, session)
        ],
        "table_moves": following(correction.after)
        if following(correction.before) != following(correction.after)
        else [],
    }


def _deal_moved(session: Session, change: Change) -> DealMoved:
    before, after = _won(change.before), _won(change.after)
    digits = session.minor_digits
    return DealMoved(
        number=change.number,
        because=listed([REASONS[reason] for reason in change.because if reason in REASONS] or [""]),
        players=[
            PlayerMoved(
                name=name,
                before=signed(before[name][0]),
                after=signed(after[name][0]),
                money_before=signed_money(before[name][1], digits),
                money_after=signed_money(after[name][1], digits),
                moved=before[name] != after[name],
            )
            for name in dict.fromkeys([*before, *after])
        ],
    )


def _won(outcome: Outcome | None) -> defaultdict[str, tuple[int, int]]:
    """Points and money by player's name; without an outcome, as for a void deal, every player has (0, 0)."""
    players = outcome.result["players"] if outcome else ()
    return defaultdict(lambda: (0, 0), {player["name"]: (player["points"], player["money"]) for player in players})


def _in_all(session: Session, correction: Correction) -> list[tuple[str, str, str]]:
    """What all changes together are worth to each player: (name, points, money)."""
    points: dict[str, int] = defaultdict(int)
    money: dict[str, int] = defaultdict(int)
    for change in correction.changes:
        for outcome, sign in ((change.before, -1), (change.after, 1)):
            for name, (won, paid) in _won(outcome).items():
                points[name] += sign * won
                money[name] += sign * paid
    return [(name, signed(points[name]), signed_money(money[name], session.minor_digits)) for name in points]
