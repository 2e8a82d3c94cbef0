"""Records who agreed to which head of a closed session."""

from __future__ import annotations

from scoring.actions import BESIDE_RECORD
from scoring.actions.agreement import Agree
from scoring.game.errors import refuse
from scoring.ledger.load import totals_of
from scoring.ledger.turn import Conflict, Signature, take_turn
from scoring.models import Event, Session
from scoring.rules.phrase import Phrase


def last_to_agree_to(session: Session) -> Event:
    """The last event that is neither an agreement nor about a payment. Its hash is the head that people are shown.

    So the words on everybody's phone stay the same while one after the other agrees to them, and pays.
    """
    return Event.objects.filter(session=session).exclude(verb__in=BESIDE_RECORD).latest("n")


def agree(
    *, session: Session, seat: int, head: str, version: int | None = None, key: str, by: str, link: int | None = None
) -> Event:
    """The player in ``seat`` agrees to the record of a closed session, of which they were shown ``head``.

    Raises `LedgerError` while the session is open or if they took no part in it, and `Conflict` if that is not the head
    any more or they have agreed already.
    """
    request = {"seat": seat, "head": head}
    with take_turn(session, Agree.verb, request, Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            if turn.session.closed_at is None:
                raise refuse("open", "", Phrase("This session is open. Agree to its record once it is closed."))
            last = last_to_agree_to(turn.session)
            if last.hash != head:
                raise Conflict(turn.session, Phrase("The record was changed since this page was opened."))
            if seat not in turn.seats or seat < 1:
                raise refuse("unknown-player", "seat", Phrase("There is no such seat."))
            player = turn.seats[seat]
            if all(total.player_id != player.player_id for total in totals_of(turn.session, turn.seats.values())):
                message = Phrase("{name} took no part in this session.", name=player.name)
                raise refuse("unknown-player", "seat", message)
            agreement = Agree(seat, last.n, last.hash)
            earlier = Event.objects.filter(session=turn.session, verb=Agree.verb).values_list("action", flat=True)
            if agreement.as_document() in earlier:
                raise Conflict(turn.session, Phrase("{name} has agreed to this record already.", name=player.name))
            turn.record(turn.table, agreement.as_document())
    return turn.event
