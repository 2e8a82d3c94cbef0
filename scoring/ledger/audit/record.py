"""What the audit promises of a session's events, its chain, its seats, its disputes and who agreed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoring.actions import BESIDE_RECORD
from scoring.actions.agreement import Agree
from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.actions.evening import ChooseTab, Close, Rename, Reopen
from scoring.actions.people import Join
from scoring.actions.start import Start
from scoring.game.limits import BANK, HOUSE
from scoring.ledger import chain
from scoring.ledger.audit.case import Case, listed, without_gaps
from scoring.ledger.load import tab_of, table_of
from scoring.models import Dispute, Event, Merged, Player, Seat


def numbered_events(case: Case) -> Iterator[str]:
    """Events are numbered without gaps up to the session's version, and only the first one opened the session."""
    numbers = [event.n for event in case.events]
    if not without_gaps(numbers, case.session.version):
        yield f"events are numbered {listed(numbers)}, the session's version is {case.session.version}"
    if [event for event in case.events if event.verb == Start.verb] != case.events[:1]:
        yield "the session was not opened by its first event"


def current(case: Case) -> Iterator[str]:
    """The rows that hold the current table (seats, button, Fantasyland, stakes, orbit) match where the script ends."""
    table = case.played[1]
    if table is None or any(case.line(transfer) is None for transfer in case.transfers):
        return
    stored, now = table_of(case.session, case.seats).as_document(), table.as_document()
    for part in now:
        if stored[part] != now[part]:
            yield f"{part} is stored as {stored[part]}, the script comes to {now[part]}"


def chained(case: Case) -> Iterator[str]:
    """Each event's hash covers what it wrote as it is stored now, and the hash before it; the last is the head."""
    last = ""
    for content, stored, now in chain.linked(case.session):
        last = stored
        if stored != now:
            yield f"event {content['n']} ({content['verb']}): what it wrote is not what its hash covers"
    if case.session.head != last:
        yield "the head is not the hash of the last event"


def as_opened(case: Case) -> Iterator[str]:
    """The session is called, counts its money, and opened and closed as its events say."""
    session, opened = case.session, case.opened
    names = [event.action["name"] for event in case.events if event.verb == Rename.verb]
    ends = [event for event in case.events if event.verb in (Close.verb, Reopen.verb)]
    tabs = [tab_of(event) for event in case.events if event.verb in (Close.verb, ChooseTab.verb)]
    on_tab, coin = tabs[-1] if tabs else (False, 0)
    said = {
        "public_id": opened.session,
        "number": opened.number,
        "currency": opened.currency,
        "minor_digits": opened.minor_digits,
        "name": names[-1] if names else opened.name,
        "opened_at": case.events[0].at,
        "closed_at": ends[-1].at if ends and ends[-1].verb == Close.verb else None,
        "on_tab": on_tab,
        "coin": coin,
    }
    for part, value in said.items():
        if getattr(session, part) != value:
            yield f"{part} is stored as {getattr(session, part)}, the events say {value}"


def seated(case: Case) -> Iterator[str]:
    """Each seat is the place of the player who sat down in it, under the name they had."""
    players: dict[int, int] = dict(case.opened.players)  # type: ignore[arg-type]  # JSON has pairs as lists
    names = dict(case.opened.seats)
    for event in case.events:
        if event.verb == Join.verb:
            join = Join.read(event.action)
            names[join.seat] = join.name
            players[join.seat] = join.player or players.get(join.seat, 0)
    for number in sorted({*_KINDS, *names} - {seat.number for seat in case.seats}):
        yield f"seat {number} is missing"
    merged = dict(Merged.objects.filter(gone__in=players.values()).values_list("gone", "player_id"))
    sitting = [seat.player_id for seat in case.seats if seat.player_id is not None]
    clubs = dict(Player.objects.filter(pk__in=[*sitting, *merged]).values_list("pk", "club_id"))
    for seat in case.seats:
        if (seat.kind, seat.player_id is None) != _KINDS.get(seat.number, (Seat.Kind.PLAYER, False)):
            yield f"seat {seat.number} is not the seat of a player, the bank or the house as its number says"
        if seat.player_id is None:
            continue
        player = players.get(seat.number, 0)
        if seat.player_id != merged.get(player, player):
            yield f"seat {seat.number} is player {seat.player_id}'s, the events say {player}"
        if player in merged and player in clubs:
            yield f"seat {seat.number} was player {player}'s, who is stored as merged and is still there"
        if clubs.get(seat.player_id, case.session.club_id) != case.session.club_id:
            yield f"seat {seat.number} is a player's of another club than the session's"
        if seat.name != names.get(seat.number):
            yield f"seat {seat.number} is called {seat.name}, the events say {names.get(seat.number)}"


_KINDS: Final = {BANK: (Seat.Kind.BANK, True), HOUSE: (Seat.Kind.HOUSE, True)}
"""What the seats are that no player has, and that they have none."""


def disputed(case: Case) -> Iterator[str]:
    """There is a row for each dispute that was raised, resolved where an event resolved it."""
    said: dict[int, list[int | None]] = {}
    for event in case.events:
        if event.verb == RaiseDispute.verb:
            said[event.n] = [RaiseDispute.read(event.action).number, None]
        elif event.verb == ResolveDispute.verb:
            said.setdefault(ResolveDispute.read(event.action).raised, [None, None])[1] = event.n
    events = {event.pk: event.n for event in case.events}
    stored: dict[int, list[int | None]] = {
        events.get(raised, 0): [deal, resolved and events.get(resolved, 0)]  # 0 stands for another session's event
        for raised, deal, resolved in Dispute.objects.filter(deal__session=case.session).values_list(
            "raised_id", "deal__number", "resolved_id"
        )
    }
    for raised in sorted(said.keys() | stored.keys()):
        if said.get(raised) != stored.get(raised):
            yield f"the dispute of event {raised} is not stored as it was raised and resolved"


def agreed(case: Case) -> Iterator[str]:
    """Each agreement names the head that everybody was shown: that of the last event before it that counts for it."""
    shown: Event | None = None
    for event in case.events:
        if event.verb not in BESIDE_RECORD:
            shown = event
        if event.verb != Agree.verb:
            continue
        agreement = Agree.read(event.action)
        if shown is None or (agreement.event, agreement.head) != (shown.n, shown.hash):
            yield f"event {event.n} (agree): it names another head than the one that everyone was shown"
