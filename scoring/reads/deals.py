"""The deals of a session: a page of the ledger, one deal with its revisions, its disputes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from scoring.actions.chips import BuyIn
from scoring.actions.deals import Void
from scoring.game.balances import Balance, balances
from scoring.game.lines import Line, LineKind
from scoring.ledger.load import Stored, current_revisions, stored, sums
from scoring.models import Deal, Dispute, Event, Revision, Session, Transfer
from scoring.reads.state import seat_numbers


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Lines that belong to no deal: one event's penalties, side bets, fees, buy-ins or cash-outs, or their reversal."""

    event: Event
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class LedgerDeal:
    """One deal in the ledger: what each dealt-in seat won, and every seat's running totals after it.

    ``adjustments`` were made between this deal and the next; the next deal's running totals include them.
    """

    number: int
    revision: Revision
    disputed: bool
    points: dict[int, int]
    money: dict[int, int]
    running: dict[int, Balance]
    adjustments: tuple[Adjustment, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Part of the ledger, newest deal first.

    ``older`` and ``newer`` are the ``before`` of the neighbouring pages, None where there is no such page. ``opening``
    holds the adjustments made before the first deal, on the oldest page only.
    """

    deals: list[LedgerDeal]
    older: int | None
    newer: int | None
    opening: tuple[Adjustment, ...] = ()


def ledger_page(
    session: Session, *, before: int | None = None, limit: int = 50, now: Mapping[int, Balance] | None = None
) -> Page:
    """At most ``limit`` deals numbered below ``before`` (None for the newest ones), in a fixed number of queries.

    ``now`` is `State.balances`, if the caller has it: the newest page then counts back from it instead of summing
    the lines again.
    """
    newest = min(session.deals, before - 1) if before is not None else session.deals
    oldest = max(1, newest - limit + 1)
    numbers = seat_numbers(session)
    revisions = current_revisions(session).filter(deal__number__range=(oldest, newest))
    revisions = revisions.select_related("event", "deal").defer("document", "entry", "event__action")
    deals = stored(revisions, numbers, pairs=False)
    disputed = set(open_disputes(session).values_list("deal__number", flat=True))
    adjustments = _adjustments(session, numbers, 0 if oldest == 1 else oldest, newest)
    changes = [(deal, _gains(deal, numbers), adjustments.get(deal.number, ())) for deal in deals]
    if now is not None and newest == session.deals:
        running = dict(now)
        for _, gains, after in changes:
            for part in (gains, *(balances(each.lines, numbers.values()) for each in after)):
                for seat, balance in part.items():
                    running[seat] -= balance
    else:
        running = balances(sums(session, numbers, before=oldest), numbers.values())
    found = []
    for deal, gains, after in changes:
        for seat, balance in gains.items():
            running[seat] += balance
        found.append(
            LedgerDeal(
                number=deal.number,
                revision=deal.revision,
                disputed=deal.number in disputed,
                points={seat: gain.points for seat, gain in gains.items()},
                money={seat: gain.money for seat, gain in gains.items()},
                running=dict(running),
                adjustments=after,
            )
        )
        for adjustment in after:
            for seat, balance in balances(adjustment.lines, numbers.values()).items():
                running[seat] += balance
    return Page(
        found[::-1],
        older=oldest if oldest > 1 else None,
        newer=min(session.deals, newest + limit) + 1 if newest < session.deals else None,
        opening=adjustments.get(0, ()) if oldest == 1 else (),
    )


def _adjustments(
    session: Session, numbers: Mapping[int, int], first: int, last: int
) -> dict[int, tuple[Adjustment, ...]]:
    """What was adjusted after each of these deals, by its number; 0 stands for before the first deal."""
    between: dict[int, dict[int, list[Transfer]]] = defaultdict(lambda: defaultdict(list))
    adjusting = Transfer.objects.filter(session=session, deal_number__range=(first, last), revision=None)
    for transfer in adjusting.select_related("event").order_by("pk"):
        between[transfer.deal_number][transfer.event.n].append(transfer)
    return {place: tuple(_adjustment(lines, numbers) for lines in events.values()) for place, events in between.items()}


def _gains(deal: Stored, numbers: Mapping[int, int]) -> dict[int, Balance]:
    """What a deal changed in each seat's balance."""
    return {
        numbers[board.seat_id]: Balance(
            points=board.points, money=board.money, chips=0 if board.stack_before is None else board.money
        )
        for board in deal.boards
    }


def _adjustment(lines: Sequence[Transfer], numbers: Mapping[int, int]) -> Adjustment:
    return Adjustment(
        lines[0].event,
        tuple(
            Line(
                payer=numbers[each.payer_id],
                payee=numbers[each.payee_id],
                points=each.points,
                amount=each.amount,
                kind=LineKind(each.kind),
                in_play=each.in_play,
            )
            for each in lines
        ),
    )


def revisions(deal: Deal) -> list[Revision]:
    """Every revision of a deal in order, each with its event (who, when, why)."""
    return list(Revision.objects.filter(deal=deal).select_related("event", "deal").order_by("n"))


def stored_deal(deal: Deal, n: int | None = None) -> Stored | None:
    """A deal as revision ``n`` has it, or as it stands now without ``n``. None if there is no such revision."""
    revision = Revision.objects.filter(deal=deal, n=n or deal.revision).select_related("event", "deal").first()
    if revision is None:
        return None
    return stored([revision], seat_numbers(deal.session))[0]


def missed_fantasyland(deal: Stored) -> dict[int, int]:
    """The seats that earned Fantasyland in a deal, but were dealt the next one card by card as its entry says (R73).

    The numbers are the cards that they were due.
    """
    earned = {seat: gain.fantasyland_next for seat, gain in deal.gains().items() if gain.fantasyland_next}
    if not earned:
        return {}
    session = deal.revision.deal.session
    later = _counting(session).filter(deal__number__gt=deal.number)
    following = stored(later[:1], deal.numbers, pairs=False)
    if not following or following[0].entry.fantasyland is None:
        return {}
    dealt = {following[0].numbers[board.seat_id]: board.fantasyland_cards for board in following[0].boards}
    return {seat: cards for seat, cards in earned.items() if dealt.get(seat) == 0}


def late_buy_ins(session: Session) -> dict[int, int]:
    """By the number of its event, the deal before which each forgotten buy-in happened; those undone count, too."""
    found = Event.objects.filter(session=session, verb=BuyIn.verb, action__has_key="before")
    return {event.n: event.action["before"] for event in found}


def was_said(session: Session, verb: str, note: str) -> bool:
    """Whether an action with this verb and note stands in the session's history."""
    events = Event.objects.filter(session=session)
    undone = events.filter(undoes__isnull=False).values("undoes")
    return events.filter(verb=verb, note=note).exclude(n__in=undone).exists()


def counting(session: Session, number: int) -> Revision | None:
    """The revision by which the deal counts now, None if it is void or has not been settled."""
    return _counting(session).filter(deal__number=number).first() if number <= session.deals else None


def any_counts(session: Session, *, since: int) -> bool:
    """Whether any deal counts now from this number on."""
    return _counting(session).filter(deal__number__gte=since).exists()


def was_voided(session: Session, number: int) -> bool:
    """Whether the deal is void because somebody voided it, and not because its settlement was undone."""
    last = Revision.objects.filter(deal__session=session, deal__number=number).order_by("n").last()
    return last is not None and last.event.verb == Void.verb


@dataclass(frozen=True, slots=True)
class SettledDeal:
    """A deal that counts: its ``number``, its entry as it counts ``now``, and all that it had, which is ``ever``.

    The entries are JSON, as `Entry.as_document` makes it.
    """

    number: int
    now: Mapping[str, Any]
    ever: Sequence[Mapping[str, Any]]


def settled(session: Session, number: int) -> SettledDeal | None:
    """The deal with this number, None if it is void by now or has not been settled."""
    found = counting(session, number)
    return _settled(session, [found])[0] if found else None


def entries_of(session: Session, number: int) -> list[dict[str, Any]]:
    """Every entry that the deal with this number had, in JSON, whether it counts or not."""
    found = Revision.objects.filter(deal__session=session, deal__number=number).order_by("n")
    return list(found.values_list("entry", flat=True))


def settled_since(session: Session, number: int, *, most: int) -> list[SettledDeal]:
    """The latest ``most`` deals after this ``number`` that count now, the latest first."""
    counts = _counting(session).filter(deal__number__gt=number).order_by("-deal__number")
    return _settled(session, counts.select_related("deal")[:most])


def _settled(session: Session, revisions: Iterable[Revision]) -> list[SettledDeal]:
    """The deals of these revisions, each of which counts."""
    now = {revision.deal.number: revision.entry for revision in revisions}
    ever = defaultdict(list)
    all_of_them = Revision.objects.filter(deal__session=session, deal__number__in=now)
    for number, entry in all_of_them.values_list("deal__number", "entry"):
        ever[number].append(entry)
    return [SettledDeal(number, entry, ever[number]) for number, entry in now.items()]


def void_deals(sessions: Sequence[Session]) -> Counter[int]:
    """How many deals of each of these sessions are void, by its primary key."""
    void = Revision.objects.filter(deal__session__in=sessions, n=F("deal__revision"), kind=Revision.Kind.VOID)
    return Counter(void.values_list("deal__session", flat=True))


def _counting(session: Session) -> QuerySet[Revision]:
    return current_revisions(session).exclude(kind=Revision.Kind.VOID)


def disputes(session: Session) -> list[Dispute]:
    """The unresolved disputes, oldest first; the ``raised`` event of each says who raised it and why."""
    return list(open_disputes(session).select_related("deal", "raised").order_by("raised__n"))


def decided(deal: Deal) -> list[tuple[Event, Event]]:
    """The two events of each dispute of a deal that was resolved, oldest first: who raised it, and how it ended."""
    found = Dispute.objects.filter(deal=deal).select_related("raised", "resolved").order_by("raised__n")
    return [(each.raised, each.resolved) for each in found if each.resolved]


def corrected_deals(session: Session, first: int, last: int) -> set[int]:
    """The numbers from the first to the last of the deals that somebody corrected, also if that was undone."""
    corrections = Revision.objects.filter(deal__session=session, kind=Revision.Kind.CORRECT)
    return set(corrections.filter(deal__number__range=(first, last)).values_list("deal__number", flat=True))


def open_disputes(session: Session) -> QuerySet[Dispute]:
    return Dispute.objects.filter(deal__session=session, resolved=None)
