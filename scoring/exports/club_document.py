"""Exports a whole club as one JSON document, written piece by piece so that a long history need not fit into memory.

Deals appear as score documents (version 1, see ``GET /api/v1/docs``): the engine's input and its result. Money is in
minor units. The document contains no secrets: neither digests of links nor keys of forms. Each session's events
are its record, as in `scoring.exports.record`, from which anybody can check the session. `docs/export.md` describes
every key and says which changes keep the version; `docs/export.schema.json` is its schema.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from django.db.models import F

from scoring import reads
from scoring.actions.payment import UndoPayment
from scoring.exports import record
from scoring.exports.json_text import dumps
from scoring.game.limits import BANK, HOUSE
from scoring.game.payments import Payment
from scoring.ledger.load import numbers_of, seats_of, stored
from scoring.models import (
    Club,
    Dispute,
    Event,
    Link,
    Merged,
    PairStake,
    Player,
    Revision,
    Seat,
    Session,
    TabPayment,
    Total,
    Transfer,
    UsualStake,
)

VERSION: Final = 1
DEALS_AT_ONCE: Final = 200
LINES_AT_ONCE: Final = 2000
"""So many are read into memory at once."""


def of_club(club: Club) -> Iterator[bytes]:
    """Yields the document as UTF-8: the club itself, then its sessions in many small pieces."""
    yield dumps(of_club_alone(club))[:-1] + b',"sessions":['
    separator = b""
    for session in Session.objects.filter(club=club).order_by("opened_at", "pk"):
        yield separator
        yield from _of_session(session)
        separator = b","
    yield b"]}"


def of_club_alone(club: Club) -> dict[str, Any]:
    """What belongs to the club and to no session of it alone."""
    players = list(Player.objects.filter(club=club).order_by("pk"))
    return {
        "version": VERSION,
        "club": {"name": club.name, "created": club.created_at.isoformat()},
        "players": [{"name": player.name, "retired": player.retired_at is not None} for player in players],
        "usual_stakes": [
            {
                "players": [stake.low.name, stake.high.name],
                "currency": stake.currency,
                "minor_digits": stake.minor_digits,
                "stake": stake.stake,
            }
            for stake in UsualStake.objects.filter(club=club).select_related("low", "high").order_by("pk")
        ],
        "saved_rules": [{"name": kept.name, "rules": kept.rules} for kept in reads.saved_rules(club)],
        "links": [_link(link) for link in Link.objects.filter(club=club, session=None).order_by("pk")],
        **_tab(club, {player.pk: player.name for player in players}),
    }


def _tab(club: Club, people: Mapping[int, str]) -> dict[str, Any]:
    """What is open on the club's tab, and its payments. ``people`` are the names of its players by primary key.

    Accounts are players' names, "Bank" for the bank, which no player can be called, and None for the house. Players who
    were put together with others are those.
    """
    names: dict[int, str | None] = {HOUSE: None, BANK: "Bank", **people}
    names |= {gone: people[now] for gone, now in Merged.objects.filter(club=club).values_list("gone", "player_id")}

    def debts(payments: Iterable[Payment]) -> list[dict[str, Any]]:
        return [{"payer": names[each.payer], "payee": names[each.payee], "amount": each.amount} for each in payments]

    rows = list(TabPayment.objects.filter(club=club).order_by("n"))
    undone = {row.undoes: row.n for row in rows if row.undoes is not None}
    return {
        "tab": [
            {
                "currency": tab.currency,
                "minor_digits": tab.minor_digits,
                "balances": [
                    {"player": names[account], "amount": tab.owed[account]}
                    for account in sorted(tab.owed, key=lambda each: (each == HOUSE, each))
                ],
                "open": debts(tab.open),
            }
            for tab in reads.tabs(club)
        ],
        "tab_payments": [
            {
                "n": row.n,
                "at": row.at.isoformat(),
                "by": row.by,
                "payer": names[row.payer],
                "payee": names[row.payee],
                "currency": row.currency,
                "minor_digits": row.minor_digits,
                "amount": row.amount,
                "how": row.note,
                "plan": debts(Payment(*each) for each in row.plan) if row.plan else None,
                "undoes": row.undoes,
                "undone": undone.get(row.n),
            }
            for row in rows
        ],
    }


def _of_session(session: Session) -> Iterator[bytes]:
    """Yields one session's part: its seats, each deal as it counts now and in all versions, each transfer and event."""
    seats = seats_of(session)
    numbers = numbers_of(seats)
    yield dumps(_terms(session, seats, numbers))[:-1] + b',"deals":['
    yield from _items(_deals(session, numbers))
    yield b'],"transfers":['
    yield from _items(_transfers(session, numbers))
    yield b'],"events":['
    yield from record.events(session)
    yield b"]}"


def _items(documents: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yields the items of a JSON array."""
    separator = b""
    for document in documents:
        yield separator + dumps(document)
        separator = b","


def _terms(session: Session, seats: Sequence[Seat], numbers: Mapping[int, int]) -> dict[str, Any]:
    people = dict(Player.objects.filter(seats__session=session).values_list("pk", "name"))
    return {
        "name": session.name,
        **record.heads(session),
        "opened": session.opened_at.isoformat(),
        "closed": session.closed_at.isoformat() if session.closed_at else None,
        "on_tab": session.on_tab,
        "coin": session.coin,
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
        **_settling_up(session),
    }


def _settling_up(session: Session) -> dict[str, Any]:
    """The payments that were made, the plans by which they were made, and what is still to be paid."""
    found = reads.open_payments(session)
    undone = dict(Event.objects.filter(session=session, verb=UndoPayment.verb).values_list("undoes", "n"))
    plans = [made for made in found.made if made.plan]
    to_pay = [asdict(each) for each in found.open]
    return {
        "payments": [
            {
                "event": made.n,
                "at": made.at.isoformat(),
                **asdict(made.payment),
                "how": made.note,
                "by": made.by,
                "undone": undone.get(made.n),
            }
            for made in found.made
        ],
        # Only the last plan can hold, and only while what is left of it squares everybody.
        "plans": [
            {
                "event": made.n,
                "payments": [asdict(each) for each in made.plan],
                "rest": [{"seat": seat, "amount": amount} for seat, amount in made.rest.items()],
                "left": to_pay if found.promised and made is plans[-1] else None,
            }
            for made in plans
        ],
        "to_pay": to_pay,
    }


def _deals(session: Session, numbers: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    for first in range(1, session.deals + 1, DEALS_AT_ONCE):
        versions: dict[int, list[Revision]] = defaultdict(list)
        these = Revision.objects.filter(deal__session=session, deal__number__range=(first, first + DEALS_AT_ONCE - 1))
        for revision in these.select_related("deal").annotate(event_n=F("event__n")).order_by("deal__number", "n"):
            versions[revision.deal_id].append(revision)
        for deal in stored([each[-1] for each in versions.values()], numbers):
            yield {
                "number": deal.number,
                "void": deal.revision.voided,
                "document": deal.revision.document,
                "result": deal.result(),
                "versions": [_version(each) for each in versions[deal.revision.deal_id]],
            }


def _version(revision: Any) -> dict[str, Any]:
    return {
        "n": revision.n,
        "kind": revision.kind,
        "event": revision.event_n,
        "button": revision.button,
        "note": revision.note,
        "document": revision.document,
    }


def _transfers(session: Session, numbers: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    places: dict[int, int] = {}
    columns = (
        "pk", "event__n", "deal_number", "payer_id", "payee_id", "points", "amount", "kind", "in_play", "reverses_id",
    )  # fmt: skip
    lines = Transfer.objects.filter(session=session).order_by("pk").values_list(*columns)
    for place, (pk, event, deal, payer, payee, points, amount, kind, in_play, reverses) in enumerate(
        lines.iterator(LINES_AT_ONCE), 1
    ):
        places[pk] = place
        yield {
            "n": place,
            "event": event,
            "deal": deal,
            "payer": numbers[payer],
            "payee": numbers[payee],
            "points": points,
            "amount": amount,
            "kind": kind,
            "in_play": in_play,
            "reverses": None if reverses is None else places[reverses],
        }


def _link(link: Link) -> dict[str, Any]:
    return {
        "role": link.role,
        "name": link.name,
        "seat": link.seat.number if link.seat else None,
        "made": link.made_at.isoformat(),
        "used": link.used_at.isoformat() if link.used_at else None,
        "revoked": link.revoked_at.isoformat() if link.revoked_at else None,
    }
