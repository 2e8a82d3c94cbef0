"""Does an action at the table between two deals, now or where it was forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.actions.base import TableAction
from scoring.actions.checks import name_problems
from scoring.actions.people import Join
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import MOST_SEATS
from scoring.game.table import Table
from scoring.game.text import clean, fold
from scoring.ledger.foreseen import Foreseen
from scoring.ledger.load import Stored, deals_of, numbers_of, seats_of, table_of
from scoring.ledger.quotas import check_people
from scoring.ledger.replay import Correction, Rewritten, ScriptEdit, correction, known_deal, rewrite
from scoring.ledger.store import players_named
from scoring.ledger.turn import Signature, Turn, check_open, players_of, take_turn
from scoring.models import Event, Seat, Session
from scoring.rules.phrase import Phrase


def record(
    *,
    session: Session,
    action: TableAction,
    note: str = "",
    insist: bool = False,
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Event:
    """Apply one of `scoring.actions` to the table between two deals, and record the event.

    While Fantasyland is pending nobody joins, leaves or moves, unless the host insists with a note. Raises
    `LedgerError` with every problem, and `Conflict` if the page is stale or the key was used for something else.
    """
    late = None
    if action.booked_before is not None:
        late = Foreseen.of(session, key, type(action), lambda now: _booked_late(now, action))
    request = action.request() | ({"insist": insist} if action.moves_people else {})
    with take_turn(session, action.verb, request, Signature.of(key, by, link, note), version=version) as turn:
        if turn.fresh:
            # First who sits down, because nobody is asked to insist on what cannot be.
            action = _with_seat(turn, action) if isinstance(action, Join) else action
            turn.steady(insist=insist)
            if late is None:
                turn.act(action)
            else:
                turn.book_late(action, late)
    return turn.event


def _with_seat(turn: Turn, join: Join) -> Join:
    """The action with its seat number: the seat that the player already had in this session, or the next number."""
    name = clean(join.name)
    turn.problems += name_problems([name], least=1)
    turn.check()
    if len(turn.table.chairs) >= MOST_SEATS:
        raise refuse("too-many-players", "name", Phrase("There is room for {most}.", most=MOST_SEATS))
    player = players_named(turn.session.club, [name])[fold(name)]
    seat = next((seat for seat in turn.seats.values() if seat.player_id == player.pk), None)
    if seat is not None and seat.position is not None:
        raise refuse("duplicate-name", "name", Phrase("{name} is already at the table.", name=seat.name))
    if seat is None and any(fold(other.name) == fold(name) for other in turn.seats.values()):
        # A player who sat here under this name has since been renamed.
        message = Phrase("There is already someone called {name} – use a different name.", name=name)
        raise refuse("duplicate-name", "name", message)
    if seat is None:
        check_people(turn.session)
        number = max(turn.seats) + 1
        seat = turn.seats[number] = Seat.objects.create(session=turn.session, number=number, player=player, name=name)
    return Join(seat.name, join.after, seat.number, player.pk)


def _booked_late(session: Session, action: TableAction) -> Rewritten:
    """What changes if the action is booked where it was forgotten. Raises `LedgerError` if that is refused."""
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats))
    action = _checked_late(action, table_of(session, seats), seats, deals)
    return rewrite(session, deals, ScriptEdit({}, insert=action))


def _checked_late(action: TableAction, table: Table, seats: Sequence[Seat], deals: Mapping[int, Stored]) -> TableAction:
    """The completed action. Raises `LedgerError` if it cannot be booked before the deal that it names."""
    action = action.completed(table)
    if problems := [*action.problems(table, players_of(numbers_of(seats).values()))]:
        raise LedgerError(problems)
    known_deal(deals, action.booked_before or 0)
    return action


def preview_late(*, session: Session, action: TableAction) -> Correction:
    """What `record` would change from deal ``action.booked_before`` on. Writes nothing; raises what `record` would."""
    session.refresh_from_db()
    check_open(session)
    seats = seats_of(session)
    deals, table = deals_of(session, numbers_of(seats)), table_of(session, seats)
    action = _checked_late(action, table, seats, deals)
    return correction(session, table, deals, ScriptEdit({}, insert=action))
