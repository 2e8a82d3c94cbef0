"""Exports a whole club as one JSON document, written piece by piece so that a long history need not fit into memory.

Deals appear as score documents (version 1, see ``GET /api/v1/docs``): the engine's input and its result. Money is in
minor units. The document contains no secrets: neither digests of links nor keys of forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.exports.json_text import dumps
from scoring.ledger.load import deals_of, numbers_of, seats_of
from scoring.models import Club, Dispute, Event, Link, PairStake, Player, Revision, Session, Total, Transfer, UsualStake
from scoring.reads import saved_rules

VERSION = 1


def of_club(club: Club) -> Iterator[bytes]:
    """Yields the document as UTF-8: the club itself, then one piece for each session."""
    head = {
        "version": VERSION,
        "club": {"name": club.name, "created": club.created_at.isoformat()},
        "players": [
            {"name": player.name, "retired": player.retired_at is not None}
            for player in Player.objects.filter(club=club).order_by("pk")
        ],
        "usual_stakes": [
            {
                "players": [stake.low.name, stake.high.name],
                "currency": stake.currency,
                "minor_digits": stake.minor_digits,
                "stake": stake.stake,
            }
            for stake in UsualStake.objects.filter(club=club).select_related("low", "high").order_by("pk")
        ],
        "saved_rules": [{"name": kept.name, "rules": kept.rules} for kept in saved_rules(club)],
        "links": [_link(link) for link in Link.objects.filter(club=club, session=None).order_by("pk")],
    }
    yield dumps(head)[:-1] + b',"sessions":['
    separator = b""
    for session in Session.objects.filter(club=club).order_by("opened_at", "pk"):
        yield separator + dumps(of_session(session))
        separator = b","
    yield b"]}"


def of_session(session: Session) -> dict[str, Any]:
    """Builds one session's part: its seats, each deal as it counts now and in all versions, each transfer and event."""
    seats = seats_of(session)
    numbers = numbers_of(seats)
    people = dict(Player.objects.filter(seats__session=session).values_list("pk", "name"))
    return {
        "name": session.name,
        "opened": session.opened_at.isoformat(),
        "closed": session.closed_at.isoformat() if session.closed_at else None,
        "currency": session.currency,
        "minor_digits": session.minor_digits,
        "stake": session.stake,
        "pair_stakes": [
            {"seats": [numbers[stake.low_id], numbers[stake.high_id]], "stake": stake.stake}
            for stake in PairStake.objects.filter(session=session).order_by("pk")
        ],
        "rules": session.rules,
        "button": session.button,
        "seats": [
            {
                "seat": seat.number,
                "name": seat.name,
                "player": people.get(seat.player_id or 0),
                "position": seat.position,
                "sitting_out": seat.sitting_out,
                "fantasyland_cards": seat.fantasyland_cards,
            }
            for seat in seats
        ],
        "deals": _deals(session, numbers),
        "transfers": _transfers(session, numbers),
        "events": [
            {
                "n": event.n,
                "at": event.at.isoformat(),
                "by": event.by,
                "verb": event.verb,
                "deal": event.deal,
                "undoes": event.undoes,
                "note": event.note,
                "action": event.action,
            }
            for event in Event.objects.filter(session=session).order_by("n")
        ],
        "disputes": [
            {
                "deal": dispute.deal.number,
                "raised": dispute.raised.n,
                "resolved": dispute.resolved.n if dispute.resolved else None,
            }
            for dispute in Dispute.objects.filter(deal__session=session)
            .select_related("deal", "raised", "resolved")
            .order_by("pk")
        ],
        "totals": [
            {
                "player": total.player.name,
                "deals": total.deals,
                "points": total.points,
                "money": total.money,
                "fees": total.fees,
            }
            for total in Total.objects.filter(session=session).select_related("player").order_by("pk")
        ],
        "links": [_link(link) for link in Link.objects.filter(session=session).select_related("seat").order_by("pk")],
    }


def _deals(session: Session, numbers: dict[int, int]) -> list[dict[str, Any]]:
    revisions: dict[int, list[dict[str, Any]]] = {}
    found = Revision.objects.filter(deal__session=session).select_related("deal", "event").order_by("deal__number", "n")
    for revision in found:
        revisions.setdefault(revision.deal.number, []).append(
            {
                "n": revision.n,
                "kind": revision.kind,
                "event": revision.event.n,
                "button": revision.button,
                "note": revision.note,
                "document": revision.document,
            }
        )
    deals = []
    for number, stored in deals_of(session, numbers, pairs=True).items():
        outcome = stored.outcome()
        deals.append(
            {
                "number": number,
                "void": stored.revision.voided,
                "document": stored.revision.document,
                "result": outcome.result if outcome else None,
                "versions": revisions[number],
            }
        )
    return deals


def _transfers(session: Session, numbers: dict[int, int]) -> list[dict[str, Any]]:
    lines = list(Transfer.objects.filter(session=session).select_related("event").order_by("pk"))
    places = {line.pk: place for place, line in enumerate(lines, 1)}
    return [
        {
            "n": places[line.pk],
            "event": line.event.n,
            "deal": line.deal_number,
            "payer": numbers[line.payer_id],
            "payee": numbers[line.payee_id],
            "points": line.points,
            "amount": line.amount,
            "kind": line.kind,
            "in_play": line.in_play,
            "reverses": None if line.reverses_id is None else places[line.reverses_id],
        }
        for line in lines
    ]


def _link(link: Link) -> dict[str, Any]:
    return {
        "role": link.role,
        "name": link.name,
        "seat": link.seat.number if link.seat else None,
        "made": link.made_at.isoformat(),
        "used": link.used_at.isoformat() if link.used_at else None,
        "revoked": link.revoked_at.isoformat() if link.revoked_at else None,
    }
