"""Raises and resolves disputes of deals."""

from __future__ import annotations

from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.game.errors import refuse
from scoring.ledger.turn import Conflict, Signature, note_needed, take_turn
from scoring.models import Deal, Dispute, Session
from scoring.rules.phrase import Phrase


def dispute(
    *, session: Session, number: int, note: str, version: int | None = None, key: str, by: str, link: int | None = None
) -> Dispute:
    """Dispute a deal; ``note`` says what is wrong with it. The dispute is open until `resolve_dispute`.

    Nothing else changes. A deal has at most one open dispute; a second one raises `LedgerError`. Raises `Conflict` if
    the deal itself changed after ``version``; what else happened at the table is no reason to refuse a dispute.
    """
    action = RaiseDispute(number)
    with take_turn(session, action.verb, action.request(), Signature.of(key, by, link, note)) as turn:
        if turn.fresh:
            note_needed(note, turn.problems)
            turn.check()
            turn.expect_deal(version, number)
            deal = Deal.objects.filter(session=turn.session, number=number).first()
            if deal is None:
                raise refuse("unknown-deal", f"deals[{number}]", Phrase("There is no hand {number}.", number=number))
            if Dispute.objects.filter(deal=deal, resolved=None).exists():
                message = Phrase("Hand {number} is disputed already.", number=number)
                raise refuse("flagged", f"deals[{number}]", message)
            event = turn.record(turn.table, action.as_document(), deal=number)
            return Dispute.objects.create(deal=deal, raised=event)
    return Dispute.objects.get(raised=turn.event)


def resolve_dispute(
    *,
    session: Session,
    raised: int,
    note: str,
    version: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Dispute:
    """Resolve the dispute that event number ``raised`` opened; ``note`` says how it was decided, and is needed.

    Raises `Conflict` if the dispute is resolved already, or if its deal changed after ``version``.
    """
    action = ResolveDispute(raised)
    with take_turn(session, action.verb, action.request(), Signature.of(key, by, link, note)) as turn:
        if turn.fresh:
            dispute = (
                Dispute.objects.filter(raised__session=turn.session, raised__n=raised).select_related("deal").first()
            )
            if dispute is None:
                raise refuse("unknown-dispute", "raised", Phrase("There is no such dispute."))
            if dispute.resolved_id is not None:
                raise Conflict(turn.session, Phrase("That dispute is resolved already."))
            turn.expect_deal(version, dispute.deal.number)
            note_needed(note, turn.problems, Phrase("Say what was decided."))
            turn.check()
            event = turn.record(turn.table, action.as_document(), deal=dispute.deal.number)
            Dispute.objects.filter(pk=dispute.pk).update(resolved=event)
    return Dispute.objects.get(raised__session=session, raised__n=raised)
