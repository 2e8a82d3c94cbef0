"""The only writer of sessions: each verb happens whole or not at all.

Every verb takes the session's row first, so that two phones follow each other; ``key``, a random text of the form
that was sent, so that the same request sent twice is done once and answered the same; ``by``, who asks; and most take
``version``, the session's version that the asker saw, where he should not act on a table that has changed since (a
flag or a name changes nothing; None: he does not mind). Refused input raises `LedgerError` with every problem, a
request that comes too late raises `Conflict`; neither has written anything. ``note`` is the reason that the history
will show.

Seats are named by `Seat.number`. Money is in minor units.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from scoring import live
from scoring.models import (
    BANK,
    HOUSE,
    KEY_LENGTH,
    MAX_AMOUNT,
    NAME_LENGTH,
    NOTE_LENGTH,
    SESSION_NAME_LENGTH,
    Board,
    Club,
    Deal,
    Dispute,
    Event,
    PairResult,
    PairStake,
    Player,
    Revision,
    Seat,
    Session,
    Total,
    Transfer,
    clean,
    fold,
)
from scoring.record import Stored, deals_of, numbers_of, seats_of, table_of, totals_of
from scoring.replay import Change, Correction, ImpossibleError, Later, Plan, Version, correction, rewrite
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import FANTASYLAND_CARDS, HouseRules, max_players, resolve
from scoring.table import (
    ACTIONS,
    Entry,
    LedgerError,
    Line,
    Outcome,
    Rows,
    Table,
    opened,
    pair,
    pair_stakes_as_list,
    refuse,
)

__all__ = [
    "Change",
    "Conflict",
    "Correction",
    "Entry",
    "ImpossibleError",
    "Later",
    "LedgerError",
    "Outcome",
    "Preview",
    "Rows",
]

PairStakes = Sequence[tuple[int, int, int]]
"""(seat, seat, minor units a point) for each pair whose stake is not the session's."""

MOST_SEATS: Final = 24
"""At one table at once, those who sit out included."""


class Conflict(Exception):  # noqa: N818 - no fault of anybody; the word that HTTP has for it, too
    """The request came too late: the session moved on. ``session`` is as it is now, the message says what happened."""

    def __init__(self, session: Session, message: str) -> None:
        self.session = session
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Preview:
    """What settling would record: the deal's ``number``, the settlement, and the table after it."""

    number: int
    version: int
    outcome: Outcome
    after: Table


# --- Opening ----------------------------------------------------------------------------------------------------------


def start_session(
    *,
    names: Sequence[str],
    button: int = 1,
    stake: int,
    currency: str,
    minor_digits: int = 2,
    pair_stakes: PairStakes = (),
    rules: object = "regular",
    name: str = "",
    club: Club | None = None,
    key: str,
    by: str,
) -> Session:
    """Open a session: ``names`` clockwise become seats 1, 2, 3 ...; ``button`` is the seat that has it in the first
    hand.

    ``rules`` is a preset's name or an object as in the score document, ``stake`` minor units a point. Without a
    ``club`` a new one is made silently; a player of the club is known again by his name, whatever its case.
    """
    request = {
        "names": list(names),
        "button": button,
        "stake": stake,
        "currency": currency,
        "minor_digits": minor_digits,
        "pair_stakes": [list(each) for each in pair_stakes],
        "rules": rules,
        "name": name,
        "club": club.public_id if club else None,
    }
    fingerprint = _fingerprint("start", request)
    problems: list[Problem] = []
    asked = _asked(key, by, "", problems)
    named = _names(names, problems)
    seats = range(1, len(named) + 1)
    if button not in seats:
        problems.append(Problem("bad-value", "button", "The button is one of the players."))
    if not (currency.isalpha() and len(currency) <= 8):
        problems.append(Problem("bad-value", "currency", "A currency is up to eight letters, such as EUR."))
    if type(minor_digits) is not int or not 0 <= minor_digits <= 4:
        problems.append(Problem("bad-value", "minor_digits", "A currency has 0 to 4 minor digits."))
    _amount(stake, "stake", problems)
    stakes = _pair_stakes(pair_stakes, seats, problems)
    resolved = _rules(rules, problems)
    if resolved is not None and len(named) > max_players(resolved) + 1:
        most = max_players(resolved)
        problems.append(
            Problem(
                "too-many-players", "names", f"The cards suffice for {most} players, and one more who sits out in turn."
            )
        )
    if problems or resolved is None:
        raise LedgerError(problems)
    action = {
        "seats": [[number, each] for number, each in zip(seats, named, strict=True)],
        "button": button,
        "stake": stake,
        "pair_stakes": pair_stakes_as_list(stakes),
        "rules": resolved.as_document(),
    }
    try:
        with _one_writer(), transaction.atomic():
            if started := Session.objects.filter(key=key).first():
                return _started_before(started, fingerprint)
            session = Session.objects.create(
                club=club or Club.objects.create(),
                key=key,
                name=clean(name)[:SESSION_NAME_LENGTH],
                currency=currency,
                minor_digits=minor_digits,
                stake=stake,
                rules=action["rules"],
                button=button,
                version=1,
            )
            people = _players(session.club, named)
            rows = [Seat(session=session, number=BANK, kind="bank", name="Bank")]
            rows += [Seat(session=session, number=HOUSE, kind="house", name="House")]
            rows += [
                Seat(session=session, number=number, player=people[fold(each)], name=each, position=number)
                for number, each in zip(seats, named, strict=True)
            ]
            made = {seat.number: seat for seat in Seat.objects.bulk_create(rows)}
            _write_pair_stakes(session, made, stakes)
            table = opened(action)
            Event.objects.create(
                session=session,
                n=1,
                by=asked.by,
                verb="start",
                deals=0,
                key=key,
                fingerprint=fingerprint,
                action=action,
                after=table.as_document(),
            )
            return session
    except IntegrityError:
        # The same form from two places at once: the other one was first.
        if started := Session.objects.filter(key=key).first():
            return _started_before(started, fingerprint)
        raise


def _started_before(session: Session, fingerprint: str) -> Session:
    if session.events.get(n=1).fingerprint != fingerprint:
        raise Conflict(session, "This form has already started another session.")
    return session


# --- Hands ------------------------------------------------------------------------------------------------------------


def preview(*, session: Session, entry: Entry) -> Preview:
    """What `settle_deal` would record for this entry now. Writes nothing; raises `LedgerError` as it would."""
    session.refresh_from_db()
    table = table_of(session, seats_of(session))
    return _previewed(session, table, entry)


def settle_deal(*, session: Session, entry: Entry, number: int, version: int | None = None, key: str, by: str) -> Deal:
    """Settle the next hand. ``number`` is the one that the scorer believes it is; `Conflict` if it has been settled.

    With the preview's ``version`` nothing else is recorded than what it showed.
    """
    request = {"entry": entry.as_document(), "number": number}
    with _turn(session, "settle", request, key=key, by=by) as turn:
        if turn.fresh:
            turn.expect(version, number)
            previewed = _previewed(turn.session, turn.table, entry)
            event = turn.record(previewed.after, {"entry": entry.as_document()}, deal=number)
            deal = Deal.objects.create(session=turn.session, number=number)
            outcome, next_button = previewed.outcome, previewed.after.button
            first = Version(deal, 1, Revision.Kind.SETTLE, entry, outcome, outcome.button, next_button)
            _write_versions(turn, event, [first])
            return deal
    return Deal.objects.get(session=session, number=number)


def _previewed(session: Session, table: Table, entry: Entry) -> Preview:
    if entry.overrides:
        raise refuse("bad-value", "entry", "What is otherwise in the next hand is set for the table, not in the hand.")
    outcome = table.settle(entry)
    return Preview(session.next_number, session.version, outcome, table.settled(entry, outcome.gains()))


def set_next(
    *,
    session: Session,
    button: int | None = None,
    fantasyland: Mapping[int, int] | None = None,
    note: str,
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """The host's word on the next hand: who has the button, which seats are in Fantasyland with how many cards (13 to
    17).

    None leaves either as it followed from the hand before. Takes a note, which the hand will carry.
    """
    request = {
        "button": button,
        "fantasyland": None
        if fantasyland is None
        else {str(seat): cards for seat, cards in sorted(fantasyland.items())},
    }
    with _turn(session, "set-next", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            problems = turn.problems
            _note_needed(note, problems)
            active = turn.table.active()
            if button is None and fantasyland is None:
                problems.append(Problem("missing", "button", "There is nothing to set."))
            if button is not None and button not in active:
                problems.append(Problem("bad-value", "button", "The button is one of the players who are dealt in."))
            for seat, cards in (fantasyland or {}).items():
                _fantasyland(turn.table, seat, cards, problems)
            turn.act(request)
    return turn.event


# --- Corrections ------------------------------------------------------------------------------------------------------


def preview_correction(
    *, session: Session, number: int, entry: Entry | None, later: Later = "follow", note: str = ""
) -> Correction:
    """What `correct_deal` would do with this entry, or `void_deal` (None). Writes nothing.

    The stored entry of a void hand, `Deal`'s current `Revision.entry`, previews `restore_deal`. Raises `LedgerError`
    as the verbs would, `ImpossibleError` where a later hand cannot have been played so.
    """
    session.refresh_from_db()
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats), pairs=True)
    _known(deals, number)
    inputs = {number: None if entry is None else _noted(entry, note)}
    return correction(session, table_of(session, seats), deals, Plan(inputs, later=later, note=note))


def preview_buy_in(*, session: Session, seat: int, amount: int, before: int) -> Correction:
    """What `buy_in` would do to the hands from ``before`` on. Writes nothing."""
    session.refresh_from_db()
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats), pairs=True)
    _known(deals, before)
    action = {"seat": seat, "amount": amount, "before": before}
    return correction(session, table_of(session, seats), deals, Plan({}, insert=action))


def correct_deal(
    *,
    session: Session,
    number: int,
    entry: Entry,
    later: Later = "follow",
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
) -> Deal:
    """Settle a hand again with another entry, and every later one that depended on it, in one transaction.

    A hand before the last takes a ``note``; so does an entry that says that anything but the cards was otherwise, and
    the hand then carries it (R70).
    """
    note = note or entry.note
    entry = _noted(entry, note)
    request = {"number": number, "entry": entry.as_document(), "later": later}
    with _turn(session, "correct", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            turn.rewrite(number, lambda _: entry, later)
    return Deal.objects.get(session=session, number=number)


def void_deal(
    *,
    session: Session,
    number: int,
    later: Later = "follow",
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
) -> Deal:
    """Let a hand count for nothing: what follows is as if it had not been played, with the same button and flags.

    A hand before the last takes a ``note`` (R71).
    """
    with _turn(session, "void", {"number": number, "later": later}, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            turn.rewrite(number, lambda _: None, later)
    return Deal.objects.get(session=session, number=number)


def restore_deal(
    *,
    session: Session,
    number: int,
    later: Later = "follow",
    note: str = "",
    version: int | None = None,
    key: str,
    by: str,
) -> Deal:
    """Let a void hand count again, with the entry that it had."""
    with _turn(
        session, "restore", {"number": number, "later": later}, key=key, by=by, note=note, version=version
    ) as turn:
        if turn.fresh:
            turn.rewrite(number, lambda found: found.entry, later)
    return Deal.objects.get(session=session, number=number)


def last_undoable(session: Session) -> Event | None:
    """The event that `undo` would take back, if there is one."""
    undone = Event.objects.filter(session=session, undoes__isnull=False).values("undoes")
    return Event.objects.filter(session=session, verb__in=_UNDOABLE).exclude(n__in=undone).order_by("-n").first()


def undo(*, session: Session, version: int | None = None, key: str, by: str) -> Event:
    """Take back the last thing that changed the table or a hand and was not taken back yet.

    A settled hand becomes void, a correction, void or restoration gives the hands back what they were, anything else
    is as if it had not happened and its transfers are reversed. An undo is not undone but done again by its own verb.
    """
    with _turn(session, "undo", {}, key=key, by=by, version=version) as turn:
        if turn.fresh:
            target = last_undoable(turn.session)
            if target is None:
                raise refuse("nothing", "", "There is nothing to undo.")
            touched = Revision.objects.filter(event=target).select_related("deal")
            inputs: dict[int, Entry | None] = {}
            for revision in touched:
                earlier = Revision.objects.filter(deal=revision.deal, n=revision.n - 1).first()
                entry = None if earlier is None or earlier.voided else Entry.read(earlier.entry)
                inputs[revision.deal.number] = entry
            rewritten = rewrite(turn.session, turn.deals(), Plan(inputs, without=target.n))
            action = {"n": target.n, "verb": target.verb}
            event = turn.record(rewritten.table, action, deal=target.deal, undoes=target.n)
            lines = Transfer.objects.filter(event=target, revision=None)
            Transfer.objects.bulk_create(_reversals(event, lines, {}))
            _write_versions(turn, event, rewritten.versions)
    return turn.event


# --- Seats ------------------------------------------------------------------------------------------------------------


def join(
    *,
    session: Session,
    name: str,
    after: int | None = None,
    insist: bool = False,
    note: str = "",
    key: str,
    by: str,
    version: int | None = None,
) -> Seat:
    """Someone sits down, on the left of the seat ``after`` or (None) in the last place; one who had left has his seat
    number again.

    Not while Fantasyland is pending, unless the host insists, with a note; so for every verb here that takes
    ``insist``.
    """
    request = {"name": name, "after": after, "insist": insist}
    with _turn(session, "join", request, key=key, by=by, note=note, version=version, insist=insist) as turn:
        if turn.fresh:
            named = _names([name], turn.problems, least=1)
            turn.check()
            if len(turn.table.chairs) >= MOST_SEATS:
                raise refuse("too-many-players", "name", f"There is room for {MOST_SEATS}.")
            player = _players(turn.session.club, named)[fold(named[0])]
            seat = next((seat for seat in turn.seats.values() if seat.player_id == player.pk), None)
            if seat is not None and seat.position is not None:
                raise refuse("duplicate-name", "name", f"{seat.name} is at the table.")
            if seat is None and any(fold(other.name) == fold(named[0]) for other in turn.seats.values()):
                # Somebody who sat here under this name goes by another one now.
                raise refuse("duplicate-name", "name", f"There was another {named[0]} tonight: tell them apart.")
            if seat is None:
                number = max(1, *(number + 1 for number in turn.seats))
                seat = Seat.objects.create(session=turn.session, number=number, player=player, name=named[0])
                turn.seats[number] = seat
            turn.act({"seat": seat.number, "name": seat.name, "after": after})
    return Seat.objects.get(session=session, number=turn.event.action["seat"])


def leave(
    *, session: Session, seat: int, insist: bool = False, note: str = "", key: str, by: str, version: int | None = None
) -> Event:
    """A player leaves for good: his chips are cashed out, the button passes on, Fantasyland that he is owed is lost."""
    with _turn(
        session, "leave", {"seat": seat, "insist": insist}, key=key, by=by, note=note, version=version, insist=insist
    ) as turn:
        if turn.fresh:
            turn.check()
            chips = (turn.table.stacks or {}).get(seat, 0)
            turn.act({"seat": seat, "cash_out": max(0, chips)})
    return turn.event


def sit_out(
    *, session: Session, seat: int, insist: bool = False, note: str = "", key: str, by: str, version: int | None = None
) -> Event:
    """A player is not dealt in until he sits in again; the button passes him by, Fantasyland owed to him is lost."""
    return _sit("sit-out", session, seat, insist=insist, note=note, key=key, by=by, version=version)


def sit_in(
    *, session: Session, seat: int, insist: bool = False, note: str = "", key: str, by: str, version: int | None = None
) -> Event:
    """A player who sat out is dealt in again."""
    return _sit("sit-in", session, seat, insist=insist, note=note, key=key, by=by, version=version)


def _sit(
    verb: str, session: Session, seat: int, *, insist: bool, note: str, key: str, by: str, version: int | None
) -> Event:
    with _turn(
        session, verb, {"seat": seat, "insist": insist}, key=key, by=by, note=note, version=version, insist=insist
    ) as turn:
        if turn.fresh:
            chair = turn.table.here(seat)
            if chair.out is (verb == "sit-out"):
                state = "is sitting out already" if chair.out else "is not sitting out"
                turn.problems.append(Problem("bad-value", f"seats[{seat}]", f"{chair.name} {state}."))
            turn.act({"seat": seat})
    return turn.event


def swap_seats(
    *,
    session: Session,
    first: int,
    second: int,
    insist: bool = False,
    note: str = "",
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """Two players change places. The button goes with the player who has it, so that nobody deals twice in an orbit."""
    with _turn(
        session,
        "swap",
        {"first": first, "second": second, "insist": insist},
        key=key,
        by=by,
        note=note,
        version=version,
        insist=insist,
    ) as turn:
        if turn.fresh:
            if first == second:
                turn.problems.append(Problem("bad-value", "second", "It takes two to swap seats."))
            turn.act({"first": first, "second": second})
    return turn.event


# --- Terms ------------------------------------------------------------------------------------------------------------


def change_terms(
    *,
    session: Session,
    stake: int | None = None,
    pair_stakes: PairStakes | None = None,
    rules: object = None,
    note: str = "",
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """New stakes or house rules from the next hand on; None leaves as it is, and the past is untouched.

    ``pair_stakes`` are all of them: a pair that is not named plays for the session's stake.
    """
    request = {
        "stake": stake,
        "pair_stakes": None if pair_stakes is None else [list(each) for each in pair_stakes],
        "rules": rules,
    }
    with _turn(session, "terms", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            if stake is not None:
                _amount(stake, "stake", turn.problems)
            stakes = None
            if pair_stakes is not None:
                stakes = pair_stakes_as_list(_pair_stakes(pair_stakes, _players_of(turn.seats), turn.problems))
            resolved = None if rules is None else _rules(rules, turn.problems)
            if stake is None and pair_stakes is None and rules is None:
                turn.problems.append(Problem("missing", "stake", "There is nothing to change."))
            turn.act(
                {"stake": stake, "pair_stakes": stakes, "rules": None if resolved is None else resolved.as_document()}
            )
    return turn.event


# --- Chips and adjustments --------------------------------------------------------------------------------------------


def buy_in(
    *,
    session: Session,
    seat: int,
    amount: int,
    before: int | None = None,
    note: str = "",
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """Chips from the bank. From the first buy-in on stacks are limited, and whoever has none is not dealt in.

    ``before`` books a forgotten one where it happened, before that hand, and settles again what depended on it; it
    takes a note. Stacks cannot be introduced under a hand that was played on credit.
    """
    request = {"seat": seat, "amount": amount, "before": before}
    with _turn(session, "buy-in", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            _amount(amount, "amount", turn.problems, least=1)
            turn.seated(seat)
            if before is None:
                turn.act({"seat": seat, "amount": amount})
            else:
                _note_needed(note, turn.problems)
                turn.check()
                deals = turn.deals()
                _known(deals, before)
                action = {"seat": seat, "amount": amount, "before": before}
                rewritten = rewrite(turn.session, deals, Plan({}, insert=action))
                line = Line(BANK, seat, 0, amount, "buy-in", in_play=True)
                event = turn.record(rewritten.table, action, [line], place=before - 1)
                _write_versions(turn, event, rewritten.versions)
    return turn.event


def cash_out(
    *, session: Session, seat: int, amount: int, note: str = "", key: str, by: str, version: int | None = None
) -> Event:
    """Chips back to the bank, at most what lies in front of the seat."""
    with _turn(
        session, "cash-out", {"seat": seat, "amount": amount}, key=key, by=by, note=note, version=version
    ) as turn:
        if turn.fresh:
            _amount(amount, "amount", turn.problems, least=1)
            if turn.table.stacks is None:
                turn.problems.append(Problem("not-enough-chips", "amount", "Nobody has bought any chips."))
            turn.act({"seat": seat, "amount": amount})
    return turn.event


def penalty(
    *,
    session: Session,
    seat: int,
    points: int,
    to: Sequence[int] | None = None,
    note: str,
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """``points`` from one seat to each of ``to``, at the stake of each pair; to every other active seat if None."""
    with _turn(
        session,
        "penalty",
        {"seat": seat, "points": points, "to": None if to is None else list(to)},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            _note_needed(note, turn.problems)
            if type(points) is not int or not 1 <= points <= 999_999:
                turn.problems.append(
                    Problem("bad-value", "points", "A penalty is a whole number of points from 1 to 999999.")
                )
                turn.check()
            seats = [other for other in turn.table.active() if other != seat] if to is None else list(to)
            turn.seated(seat, *seats)
            if not seats or seat in seats or len(set(seats)) < len(seats):
                turn.problems.append(Problem("bad-value", "to", "A penalty goes to one or more of the other players."))
            for other in seats:
                _amount(points * turn.table.pair_stake(seat, other), "points", turn.problems)
            turn.act({"seat": seat, "points": points, "to": seats})
    return turn.event


def side_bet(
    *, session: Session, payer: int, payee: int, amount: int, note: str, key: str, by: str, version: int | None = None
) -> Event:
    """Money from one seat to another that no hand accounts for, without points (R64); so is a difference booked."""
    with _turn(
        session,
        "side-bet",
        {"payer": payer, "payee": payee, "amount": amount},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            _note_needed(note, turn.problems)
            _amount(amount, "amount", turn.problems, least=1)
            turn.seated(payer, payee)
            if payer == payee:
                turn.problems.append(Problem("bad-value", "payee", "It takes two to bet."))
            turn.act({"payer": payer, "payee": payee, "amount": amount})
    return turn.event


def fee(
    *,
    session: Session,
    amount: int,
    seats: Sequence[int] | None = None,
    note: str,
    key: str,
    by: str,
    version: int | None = None,
) -> Event:
    """``amount`` from each of ``seats`` (None: every active one) to the house, apart from points and winnings."""
    with _turn(
        session,
        "fee",
        {"amount": amount, "seats": None if seats is None else list(seats)},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            _note_needed(note, turn.problems)
            _amount(amount, "amount", turn.problems, least=1)
            paying = list(turn.table.active() if seats is None else seats)
            turn.seated(*paying)
            if not paying or len(set(paying)) < len(paying):
                turn.problems.append(Problem("bad-value", "seats", "A fee is paid by one or more players, once each."))
            turn.act({"seats": paying, "amount": amount})
    return turn.event


# --- Disputes ---------------------------------------------------------------------------------------------------------


def dispute(*, session: Session, number: int, note: str, key: str, by: str) -> Dispute:
    """Flag a hand, with what is wrong with it. The flag stays up until `resolve_dispute`; nothing else changes.

    A hand has one flag at a time.
    """
    with _turn(session, "dispute", {"number": number}, key=key, by=by, note=note) as turn:
        if turn.fresh:
            _note_needed(note, turn.problems)
            turn.check()
            deal = Deal.objects.filter(session=turn.session, number=number).first()
            if deal is None:
                raise refuse("unknown-deal", f"deals[{number}]", f"There is no hand {number}.")
            if Dispute.objects.filter(deal=deal, resolved=None).exists():
                raise refuse("flagged", f"deals[{number}]", f"Hand {number} is flagged already.")
            event = turn.record(turn.table, {"number": number}, deal=number)
            return Dispute.objects.create(deal=deal, raised=event)
    return Dispute.objects.get(raised=turn.event)


def resolve_dispute(*, session: Session, raised: int, note: str = "", key: str, by: str) -> Dispute:
    """Take down the flag that the event number ``raised`` put up; ``note`` says how it was decided."""
    with _turn(session, "resolve", {"raised": raised}, key=key, by=by, note=note) as turn:
        if turn.fresh:
            found = (
                Dispute.objects.filter(raised__session=turn.session, raised__n=raised).select_related("deal").first()
            )
            if found is None:
                raise refuse("unknown-dispute", "raised", "There is no such flag.")
            if found.resolved_id is not None:
                raise Conflict(turn.session, "That flag has been taken down already.")
            event = turn.record(turn.table, {"raised": raised}, deal=found.deal.number)
            Dispute.objects.filter(pk=found.pk).update(resolved=event)
    return Dispute.objects.get(raised__session=session, raised__n=raised)


# --- Closing ----------------------------------------------------------------------------------------------------------


def close_session(*, session: Session, note: str = "", key: str, by: str, version: int | None = None) -> Event:
    """End the evening: nothing changes until `reopen_session`. Freezes each player's totals for the standings."""
    with _turn(session, "close", {}, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            event = turn.record(turn.table, {}, closed_at=timezone.now())
            Total.objects.bulk_create(totals_of(turn.session, turn.seats.values()))
            return event
    return turn.event


def rename_session(*, session: Session, name: str, key: str, by: str, version: int | None = None) -> Event:
    """Call the evening ``name``, at most 80 characters, now or when it is over; without one it is called by its day."""
    name = clean(name)
    with _turn(session, "rename", {"name": name}, key=key, by=by, on_closed=True, version=version) as turn:
        if turn.fresh:
            if len(name) > SESSION_NAME_LENGTH:
                message = f"A name is at most {SESSION_NAME_LENGTH} characters."
                turn.problems.append(Problem("bad-value", "name", message))
            elif name == turn.session.name:
                turn.problems.append(Problem("nothing", "name", "That is what it is called."))
            turn.check()
            return turn.record(turn.table, {"name": name, "was": turn.session.name}, name=name)
    return turn.event


def reopen_session(*, session: Session, note: str = "", key: str, by: str, version: int | None = None) -> Event:
    """Let a closed session go on."""
    with _turn(session, "reopen", {}, key=key, by=by, note=note, on_closed=True, version=version) as turn:
        if turn.fresh:
            if turn.session.closed_at is None:
                raise refuse("open", "", "This session is open.")
            Total.objects.filter(session=turn.session).delete()
            return turn.record(turn.table, {}, closed_at=None)
    return turn.event


# --- How every verb is carried out ------------------------------------------------------------------------------------

_UNDOABLE: Final = ACTIONS | {"settle", "correct", "void", "restore"}

_writing = threading.RLock()


def _one_writer() -> AbstractContextManager[object]:
    """On SQLite, one thread of this process at a time.

    SQLite has one writer anyway, and several threads that wait on its busy handler starve each other for seconds; in
    front of a lock they wait for milliseconds.
    """
    return _writing if connection.vendor == "sqlite" else nullcontext()


@contextmanager
def _turn(
    session: Session,
    verb: str,
    request: Mapping[str, Any],
    *,
    key: str,
    by: str,
    note: str = "",
    version: int | None = None,
    insist: bool = True,
    on_closed: bool = False,
) -> Iterator[_Turn]:
    """A verb's transaction: the session's row is taken first, then the key is looked up, then the verb may act.

    The key has to be looked up in a statement of its own after the lock: only that sees what the one before committed.
    """
    problems: list[Problem] = []
    asked = _asked(key, by, note, problems)
    fingerprint = _fingerprint(verb, {**request, "note": asked.note})
    with _one_writer(), transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        repeat = next(iter(Event.objects.filter(session=locked, key=key)), None)
        turn = _Turn(locked, verb, asked, fingerprint, problems, repeat)
        if repeat is None:
            if locked.closed_at is not None and not on_closed:
                raise refuse("closed", "", "This session is closed; reopen it to change anything.")
            turn.expect(version)
            turn.steady(insist=insist)
        elif repeat.fingerprint != fingerprint:
            raise Conflict(locked, "This form has already been sent with something else in it.")
        yield turn
    for name in _SESSION_FIELDS:
        setattr(session, name, getattr(locked, name))


_SESSION_FIELDS: Final = tuple(each.attname for each in Session._meta.concrete_fields)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who asks, with which key, and why."""

    key: str
    by: str
    note: str


@dataclass
class _Turn:
    """One verb at work on the locked session. ``repeat`` is the event it already recorded, if the key has been here."""

    session: Session
    verb: str
    asked: _Asked
    fingerprint: str
    problems: list[Problem]
    repeat: Event | None
    recorded: Event | None = None

    @property
    def fresh(self) -> bool:
        """The verb has to act; otherwise it has only to answer as it did."""
        return self.repeat is None

    @property
    def event(self) -> Event:
        """What this verb recorded, now or the first time."""
        event = self.repeat or self.recorded
        if event is None:
            raise RuntimeError(f"{self.verb} recorded nothing")
        return event

    @cached_property
    def seats(self) -> dict[int, Seat]:
        """Every seat by number."""
        return {seat.number: seat for seat in seats_of(self.session)}

    @cached_property
    def table(self) -> Table:
        """The table before the verb."""
        return table_of(self.session, list(self.seats.values()))

    def deals(self) -> dict[int, Stored]:
        """Every deal as it stands, without its pairs."""
        return deals_of(self.session, numbers_of(self.seats.values()))

    def check(self) -> None:
        """Raise what has been found wrong so far."""
        if self.problems:
            raise LedgerError(self.problems)

    def expect(self, version: int | None, number: int | None = None) -> None:
        """Raise `Conflict` unless the session is where the asker believes it is."""
        if number is not None and number != self.session.next_number:
            settled = f"Hand {number} has been settled already."
            waiting = f"The next hand is number {self.session.next_number}."
            raise Conflict(self.session, settled if number < self.session.next_number else waiting)
        if version is not None and version != self.session.version and self._changed_since(version):
            raise Conflict(self.session, "The table has changed since this page was shown.")

    def _changed_since(self, version: int) -> bool:
        """The table has moved; a flag, which is anybody's to put up, must not hold up who settles."""
        later = Event.objects.filter(session=self.session, n__gt=version).exclude(verb__in=_IDLE)
        return version > self.session.version or later.exists()

    def steady(self, *, insist: bool) -> None:
        """Refuse to move people while Fantasyland is pending; the host may insist, with a note."""
        if not insist:
            if self.table.fantasyland:
                owed = " and ".join(self.table.name(seat) for seat in self.table.fantasyland)
                message = (
                    f"Nobody joins, leaves or moves while Fantasyland is pending ({owed}), unless the host insists."
                )
                self.problems.append(Problem("fantasyland-pending", "insist", message))
        elif self.verb in _MOVES and self.table.fantasyland:
            _note_needed(self.asked.note, self.problems)

    def seated(self, *seats: int) -> None:
        """Note every seat that is not a player's."""
        for seat in seats:
            if seat not in _players_of(self.seats):
                self.problems.append(Problem("unknown-player", f"seats[{seat}]", f"There is no seat {seat}."))
        self.check()

    def act(self, action: Mapping[str, Any]) -> None:
        """Apply this verb's action to the table and record it."""
        self.check()
        after, lines = self.table.apply(self.verb, action, self.asked.note)
        if (owed := after.sitter_owed()) != self.table.sitter_owed():
            self.problems += owed
            self.check()
        self.record(after, action, lines)

    def rewrite(self, number: int, choose: Callable[[Stored], Entry | None], later: Later) -> None:
        """Give a hand another entry (None: void it) and settle again whatever follows from that."""
        deals = self.deals()
        found = _known(deals, number)
        entry = choose(found)
        if number < self.session.deals or (entry is not None and entry.overrides and self.verb == "correct"):
            _note_needed(self.asked.note, self.problems)
        if found.revision.voided != (self.verb == "restore"):
            state = "void" if found.revision.voided else "not void"
            self.problems.append(Problem("bad-value", f"deals[{number}]", f"Hand {number} is {state}."))
        self.check()
        rewritten = rewrite(self.session, deals, Plan({number: entry}, later=later, note=self.asked.note))
        if not rewritten.versions:
            raise refuse("nothing", f"deals[{number}]", f"Nothing in hand {number} would change.")
        action = {"number": number, "later": later, "entry": entry.as_document() if entry else None}
        event = self.record(rewritten.table, action, deal=number)
        _write_versions(self, event, rewritten.versions)

    def record(
        self,
        after: Table,
        action: Mapping[str, Any],
        lines: Sequence[Line] = (),
        *,
        deal: int | None = None,
        place: int | None = None,
        undoes: int | None = None,
        **session_fields: object,
    ) -> Event:
        """Write the event, the table as it is after it, and its lines (booked after deal ``place``, None: the last)."""
        session, before = self.session, self.table
        session.version += 1
        session.deals += self.verb == "settle"
        was, now = before.as_document(), after.as_document()
        changed = [part for part in now if was[part] != now[part]]
        event = self.recorded = Event.objects.create(
            session=session,
            n=session.version,
            by=self.asked.by,
            verb=self.verb,
            deal=deal,
            deals=session.deals,
            undoes=undoes,
            key=self.asked.key,
            fingerprint=self.fingerprint,
            note=self.asked.note,
            action=action,
            before={part: was[part] for part in changed},
            after={part: now[part] for part in changed},
        )
        _write_seats(self.seats, after)
        if before.pair_stakes != after.pair_stakes:
            _write_pair_stakes(session, self.seats, after.pair_stakes)
        values = {
            "button": after.button,
            "stake": after.stake,
            "note": after.note,
            "held": after.held,
            "stacks": after.stacks is not None,
            "dealt": sorted(after.dealt),
            "orbits": after.orbits,
            "version": session.version,
            "deals": session.deals,
            **session_fields,
        }
        if before.rules != after.rules:
            values["rules"] = after.rules.as_document()
        for name, value in values.items():
            setattr(session, name, value)
        Session.objects.filter(pk=session.pk).update(**values)
        live.moved(session.public_id, session.version)
        Transfer.objects.bulk_create(
            self.transfer(event, line, deal_number=session.deals if place is None else place) for line in lines
        )
        return event

    def transfer(self, event: Event, line: Line, *, deal_number: int, revision: Revision | None = None) -> Transfer:
        """A line as the row that it becomes."""
        return Transfer(
            session=self.session,
            event=event,
            revision=revision,
            deal_number=deal_number,
            payer=self.seats[line.payer],
            payee=self.seats[line.payee],
            points=line.points,
            amount=line.amount,
            kind=line.kind,
            in_play=line.in_play,
        )


_IDLE: Final = frozenset({"dispute", "resolve", "rename"})
"""Verbs after which the next hand is what it was before them."""
_MOVES: Final = frozenset({"join", "leave", "sit-out", "sit-in", "swap"})


def _reversals(event: Event, lines: Iterable[Transfer], revisions: Mapping[int, Revision]) -> Iterator[Transfer]:
    """The other way round, booked where the line was; a deal's by the revision that takes its place."""
    for line in lines:
        yield Transfer(
            session_id=line.session_id,
            event=event,
            revision=revisions.get(line.deal_number) if line.kind == "deal" else None,
            deal_number=line.deal_number,
            payer_id=line.payee_id,
            payee_id=line.payer_id,
            points=line.points,
            amount=line.amount,
            kind=line.kind,
            in_play=line.in_play,
            reverses=line,
        )


# --- Rows that hold a deal --------------------------------------------------------------------------------------------


def _write_versions(turn: _Turn, event: Event, versions: Sequence[Version]) -> None:
    """New revisions with their boards, pairs and lines; the lines of those they replace are reversed."""
    if not versions:
        return
    revisions = Revision.objects.bulk_create(
        Revision(
            deal=version.deal,
            n=version.n,
            event=event,
            kind=version.kind,
            entry=version.entry.as_document(),
            document=version.outcome.document if version.outcome else None,
            button=version.button,
            next_button=version.next_button,
            note=version.outcome.note if version.outcome else "",
        )
        for version in versions
    )
    by_number = {version.deal.number: revision for version, revision in zip(versions, revisions, strict=True)}
    transfers: list[Transfer] = []
    replaced = {version.replaces for version in versions if version.replaces is not None}
    if replaced:
        standing = Transfer.objects.filter(
            session=turn.session, kind="deal", deal_number__gte=min(by_number), reverses=None, reversed_by=None
        ).order_by("pk")
        transfers += _reversals(event, (line for line in standing if line.revision_id in replaced), by_number)
        deals = [version.deal.pk for version in versions]
        for start in range(0, len(deals), 500):
            Deal.objects.filter(pk__in=deals[start : start + 500]).update(revision=F("revision") + 1)
    boards: list[Board] = []
    pairs: list[PairResult] = []
    for version, revision in zip(versions, revisions, strict=True):
        if version.outcome is None:
            continue
        boards += _boards(turn, revision, version.outcome)
        pairs += _pairs(turn, revision, version.outcome)
        transfers += [
            turn.transfer(event, line, deal_number=version.deal.number, revision=revision)
            for line in version.outcome.lines()
        ]
    Board.objects.bulk_create(boards)
    PairResult.objects.bulk_create(pairs)
    Transfer.objects.bulk_create(transfers)


def _boards(turn: _Turn, revision: Revision, outcome: Outcome) -> Iterator[Board]:
    players = zip(outcome.seats, outcome.document["players"], outcome.result["players"], strict=True)
    for order, (seat, asked, player) in enumerate(players, 1):
        rows = outcome.entry.boards.get(seat, Rows())
        yield Board(
            revision=revision,
            seat=turn.seats[seat],
            order=order,
            front=rows.front,
            middle=rows.middle,
            back=rows.back,
            ruling=rows.ruling,
            fantasyland_cards=asked.get("fantasyland_cards", 0),
            foul=player.get("foul", False),
            foul_reason=player.get("foul_reason") or "",
            rows=player.get("rows"),
            royalties=player.get("royalties", 0),
            fantasyland_next=player.get("fantasyland_next", 0),
            points=player["points"],
            money=player["money"],
            stack_before=asked.get("stack"),
            stack_after=player["stack"],
            busted=player["busted"],
        )


def _pairs(turn: _Turn, revision: Revision, outcome: Outcome) -> Iterator[PairResult]:
    for first, second, scored in outcome.pairs():
        yield PairResult(
            revision=revision,
            order=scored["order"],
            first=turn.seats[first],
            second=turn.seats[second],
            rows=scored["rows"],
            row_points=scored["row_points"],
            bonus=scored["bonus"],
            royalties=scored["royalties"],
            points=scored["points"],
            stake=scored["stake"],
            owed=scored["owed"],
            paid=scored["paid"],
            why=scored["why"] or "",
        )


# --- Rows that hold the table as it is --------------------------------------------------------------------------------


def _write_seats(seats: Mapping[int, Seat], table: Table) -> None:
    """Bring the players' rows to where the table has them."""
    places = {chair.number: (place, chair) for place, chair in enumerate(table.chairs, 1)}
    changed, moving = [], []
    for seat in seats.values():
        place, chair = places.get(seat.number, (None, None))
        now = (place, bool(chair and chair.out), table.fantasyland.get(seat.number, 0))
        if now == (seat.position, seat.sitting_out, seat.fantasyland_cards):
            continue
        if seat.position is not None and seat.position != place:
            moving.append(seat.pk)
        seat.position, seat.sitting_out, seat.fantasyland_cards = now
        changed.append(seat)
    if moving:  # a place is free before somebody else takes it
        Seat.objects.filter(pk__in=moving).update(position=None, fantasyland_cards=0)
    if changed:
        Seat.objects.bulk_update(changed, ["position", "sitting_out", "fantasyland_cards"])


def _write_pair_stakes(session: Session, seats: Mapping[int, Seat], stakes: Mapping[tuple[int, int], int]) -> None:
    PairStake.objects.filter(session=session).delete()
    PairStake.objects.bulk_create(
        PairStake(session=session, low=seats[low], high=seats[high], stake=stake)
        for (low, high), stake in sorted(stakes.items())
    )


def _players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players of these names by their folded form; those it does not know yet are added."""
    folded = {fold(name): name for name in names}
    Player.objects.bulk_create(
        [Player(club=club, name=name, folded=key) for key, name in folded.items()], ignore_conflicts=True
    )
    return {player.folded: player for player in Player.objects.filter(club=club, folded__in=folded)}


def _players_of(seats: Iterable[int]) -> list[int]:
    return [number for number in seats if number > 0]


# --- Reading what a verb was given ------------------------------------------------------------------------------------


def _fingerprint(verb: str, request: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([verb, request], sort_keys=True, default=str).encode()).hexdigest()


def _asked(key: str, by: str, note: str, problems: list[Problem]) -> _Asked:
    if not 1 <= len(key) <= KEY_LENGTH:
        raise ValueError("A key is 1 to 80 characters.")
    asked = _Asked(key, clean(by)[:80] or "somebody", clean(note))
    if len(asked.note) > NOTE_LENGTH:
        problems.append(Problem("bad-value", "note", f"A note is at most {NOTE_LENGTH} characters."))
    return asked


def _note_needed(note: str, problems: list[Problem]) -> None:
    if not clean(note):
        problems.append(Problem("missing", "note", "Say why: this goes into the history."))


def _names(names: Sequence[str], problems: list[Problem], *, least: int = 2) -> list[str]:
    """Names as they will stand in the ledger."""
    found: list[str] = []
    seen: dict[str, int] = {}
    for index, given in enumerate(names):
        name = clean(given)
        where = f"names[{index}]"
        if not name:
            problems.append(Problem("missing", where, "Everybody needs a name."))
        elif len(name) > NAME_LENGTH:
            problems.append(Problem("bad-value", where, f"A name is at most {NAME_LENGTH} characters."))
        elif fold(name) in ("bank", "house"):
            problems.append(Problem("duplicate-name", where, f"The ledger itself has a {name}: choose another name."))
        elif fold(name) in seen:
            problems.append(Problem("duplicate-name", where, f"There is another {name}: tell them apart."))
        seen[fold(name)] = index
        found.append(name)
    if len(names) < least:
        problems.append(Problem("too-few-players", "names", "It takes at least two players."))
    if len(names) > MOST_SEATS:
        problems.append(Problem("too-many-players", "names", f"There is room for {MOST_SEATS}."))
    return found


def _amount(amount: int, where: str, problems: list[Problem], *, least: int = 0) -> None:
    if type(amount) is not int or not least <= amount <= MAX_AMOUNT:
        start = "more than nothing" if least else "nothing or more"
        problems.append(Problem("bad-value", where, f"An amount is {start}, in at most sixteen digits."))


def _pair_stakes(given: PairStakes, seats: Iterable[int], problems: list[Problem]) -> dict[tuple[int, int], int]:
    known = set(seats)
    found: dict[tuple[int, int], int] = {}
    for index, (one, other, stake) in enumerate(given):
        where = f"pair_stakes[{index}]"
        if one == other or not {one, other} <= known:
            problems.append(Problem("unknown-player", where, "A stake is for two different players of this table."))
        elif pair(one, other) in found:
            problems.append(Problem("bad-value", where, "That pair has two stakes."))
        _amount(stake, f"{where}.stake", problems)
        found[pair(one, other)] = stake
    return found


def _rules(spec: object, problems: list[Problem]) -> HouseRules | None:
    try:
        return resolve(spec)
    except RulesError as error:
        problems += error.problems
        return None


def _fantasyland(table: Table, seat: int, cards: int, problems: list[Problem]) -> None:
    if seat not in table.active():
        problems.append(Problem("unknown-player", f"seats[{seat}]", f"{table.name(seat)} is not dealt in."))
    elif cards not in FANTASYLAND_CARDS:
        problems.append(Problem("bad-value", f"seats[{seat}]", "Fantasyland is dealt 13 to 17 cards."))


def _noted(entry: Entry, note: str) -> Entry:
    """The entry with the note that it needs where it overrides anything, and without one where it does not."""
    return replace(entry, note=(clean(note) or entry.note) if entry.overrides else "")


def _known(deals: Mapping[int, Stored], number: int) -> Stored:
    if number not in deals:
        raise refuse("unknown-deal", f"deals[{number}]", f"There is no hand {number}.")
    return deals[number]
