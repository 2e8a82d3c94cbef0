"""The text that is sent to a group's chat of a session or of one hand, short enough to be read to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring import reads
from scoring.game.outcome import Outcome
from scoring.models import Session
from scoring.reads import Feat
from scoring.wording.boards import BoardShown
from scoring.wording.figures import NOTHING, apart, counted, listed, signed, signed_money
from scoring.wording.highlights import MOST_NAMED
from scoring.wording.session import title
from scoring.wording.settle_up import LINES, settle_up
from scoring.wording.settlement import PairShown, outcome_shown


def session_text(session: Session, above: str = "", link: str = "") -> str:
    """The result, who pays whom and what stood out, in `LINES` lines at most.

    It begins with ``above`` and ends with the ``link``, if there are any.
    """
    state = reads.state(session)
    heading = f"{title(session)}, {counted(hands_that_count(session), 'hand')}{'' if session.closed_at else ' so far'}"
    result = "Nobody has won or lost anything."
    if any(balance.money or balance.points for balance in state.balances.values()):
        results = ", ".join(f"{apart(name)} {nought(figure)}" for name, figure in _results(session, state))
        result = f"Result in {_unit(session, state)}: {results}"
    payments = [
        f"{apart(each.payer)} pays {apart(each.payee)} {each.amount} {session.currency}"
        for each in settle_up(session, state).fewest
    ]
    return _within([f"{above}{heading}", result], payments, [*stood_out(session), link])


def hand_text(session: Session, number: int, outcome: Outcome, above: str = "", link: str = "") -> str:
    """Everyone's cards and result, and who pays whom, in `LINES` lines at most, as `session_text` has them."""
    shown = outcome_shown(outcome, session)
    boards = [_board_said(board) for board in shown["boards"]]
    heading = f"{above}Hand {number}, {title(session)}"
    return _within([heading, *boards], [pair_said(each, session) for each in shown["pairs"]], [link])


def _within(first: Sequence[str], payments: Sequence[str], last: Sequence[str]) -> str:
    """These lines without the empty ones; of the payments so many as there is room for, and how many are left out."""
    around = [list(filter(None, each)) for each in (first, last)]
    room = LINES - sum(map(len, around))
    shown = [each for each in payments if each]
    if len(shown) > room > 1:
        shown[room - 1 :] = [f"… and {len(shown) - room + 1} more payments"]
    elif len(shown) > room:
        shown = [f"{len(shown)} payments"] if room == 1 else []
    return "\n".join([*around[0], *shown, *around[1]])


def stood_out(session: Session) -> list[str]:
    """What stood out, a line each, like "Best hand: +22, Ann in hand 12", which is the first if there is one."""
    found, names = reads.highlights(session), reads.state(session).players
    said = []
    for label, feats in (("Best hand", found.best), ("Most royalties", found.royalties)):
        if feats:
            said.append(f"{label}: {signed(feats[0].figure)} points, {_who(feats, names)}")
    if found.fantasyland:
        length = counted(found.fantasyland[0].figure, "hand")
        said.append(f"Longest Fantasyland: {length}, {_who(found.fantasyland, names)}")
    if found.fouls:
        said.append(
            f"Fouls: {_first_of([f'{apart(names[seat])} {often}' for seat, often in found.fouls.most_common()])}"
        )
    return said


def _who(feats: Sequence[Feat], names: Mapping[int, str]) -> str:
    """Who did something, and in which hand if it was done once."""
    if len(feats) == 1:
        one = feats[0]
        hands = f"hand {one.first}" if one.first == one.last else f"hands {one.first} to {one.last}"
        return f"{apart(names[one.seat])} in {hands}"
    often = Counter(feat.seat for feat in feats)
    return _first_of(
        [apart(names[seat]) + (f" {times} times" if times > 1 else "") for seat, times in often.most_common()]
    )


def _first_of(named: Sequence[str]) -> str:
    """The first of these in a sentence; if there are many, the others are counted."""
    if len(named) <= MOST_NAMED + 1:
        return listed(named)
    return listed([*named[:MOST_NAMED], f"{len(named) - MOST_NAMED} others"])


def _board_said(board: BoardShown) -> str:
    """Like "Ann +22: Qs Qd Kc / 8h 8d 8c 2s 2d / As Ks Ts 5s 3s"; a foul says so."""
    foul = f" ({board.call.rstrip('.').lower()})" if board.foul else ""
    rows = " / ".join(" ".join(f"{card.rank}{card.suit}" for card in row.cards) for row in board.rows)
    return f"{apart(board.name)} {nought(board.points)}{foul}{f': {rows}' if rows else ''}"


def nought(figure: str) -> str:
    """A figure where no column says that a dash is one."""
    return "0" if figure == NOTHING else figure


def pair_said(pair: PairShown, session: Session) -> str:
    """Like "Ben pays Ann 6 points, 3.00 EUR"; empty if nobody pays."""
    if not pair.payer:
        return ""
    paid = f", {pair.money} {session.currency}" if session.stake else ""
    return f"{apart(pair.payer)} pays {apart(pair.payee)} {pair.points} {pair.points_unit}{paid}"


def hands_that_count(session: Session) -> int:
    return len(reads.curve(session).hands)


def _unit(session: Session, state: reads.State) -> str:
    return session.currency if in_money(state) else "points"


def in_money(state: reads.State) -> bool:
    return any(balance.money for balance in state.balances.values())


def _results(session: Session, state: reads.State) -> list[tuple[str, str]]:
    """The name and result of everyone who was there, the best first: money if there is any, otherwise points."""
    there = [(name, state.balances[seat]) for seat, name in reads.present(session).items()]
    there.sort(key=lambda one: (one[1].money, one[1].points), reverse=True)
    if in_money(state):
        return [(name, signed_money(of.money, session.minor_digits)) for name, of in there]
    return [(name, signed(of.points)) for name, of in there]
