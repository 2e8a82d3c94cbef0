"""Everything between two hands, from the start of an evening to its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.game.entry import pair, pair_stakes_as_list
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import BANK, HOUSE, MAX_AMOUNT, MOST_SEATS, NAME_LENGTH, SESSION_NAME_LENGTH
from scoring.game.lines import Line
from scoring.game.table import Table, opened
from scoring.game.text import clean, fold
from scoring.ledger.load import deals_of, numbers_of, seats_of, table_of, totals_of
from scoring.ledger.replay import Correction, Plan, correction, rewrite
from scoring.ledger.store import players_named, write_pair_stakes, write_versions
from scoring.ledger.turn import (
    Conflict,
    fingerprint_of,
    known_deal,
    note_needed,
    one_writer,
    players_of,
    take_turn,
    who_asks,
)
from scoring.models import Club, Event, Seat, Session, Total
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import FANTASYLAND_CARDS, HouseRules, max_players, resolve

PairStakes = Sequence[tuple[int, int, int]]
"""(seat, seat, minor units a point) for each pair whose stake is not the session's."""


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
    fingerprint = fingerprint_of("start", request)
    problems: list[Problem] = []
    asked = who_asks(key, by, "", problems)
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
        with one_writer(), transaction.atomic():
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
            people = players_named(session.club, named)
            rows = [Seat(session=session, number=BANK, kind="bank", name="Bank")]
            rows += [Seat(session=session, number=HOUSE, kind="house", name="House")]
            rows += [
                Seat(session=session, number=number, player=people[fold(each)], name=each, position=number)
                for number, each in zip(seats, named, strict=True)
            ]
            made = {seat.number: seat for seat in Seat.objects.bulk_create(rows)}
            write_pair_stakes(session, made, stakes)
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
    with take_turn(session, "set-next", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            problems = turn.problems
            note_needed(note, problems)
            active = turn.table.active()
            if button is None and fantasyland is None:
                problems.append(Problem("missing", "button", "There is nothing to set."))
            if button is not None and button not in active:
                problems.append(Problem("bad-value", "button", "The button is one of the players who are dealt in."))
            for seat, cards in (fantasyland or {}).items():
                _fantasyland(turn.table, seat, cards, problems)
            turn.act(request)
    return turn.event


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
    with take_turn(session, "join", request, key=key, by=by, note=note, version=version, insist=insist) as turn:
        if turn.fresh:
            named = _names([name], turn.problems, least=1)
            turn.check()
            if len(turn.table.chairs) >= MOST_SEATS:
                raise refuse("too-many-players", "name", f"There is room for {MOST_SEATS}.")
            player = players_named(turn.session.club, named)[fold(named[0])]
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
    with take_turn(
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
    with take_turn(
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
    with take_turn(
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
    with take_turn(session, "terms", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            if stake is not None:
                _amount(stake, "stake", turn.problems)
            stakes = None
            if pair_stakes is not None:
                stakes = pair_stakes_as_list(_pair_stakes(pair_stakes, players_of(turn.seats), turn.problems))
            resolved = None if rules is None else _rules(rules, turn.problems)
            if stake is None and pair_stakes is None and rules is None:
                turn.problems.append(Problem("missing", "stake", "There is nothing to change."))
            turn.act(
                {"stake": stake, "pair_stakes": stakes, "rules": None if resolved is None else resolved.as_document()}
            )
    return turn.event


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
    with take_turn(session, "buy-in", request, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            _amount(amount, "amount", turn.problems, least=1)
            turn.seated(seat)
            if before is None:
                turn.act({"seat": seat, "amount": amount})
            else:
                note_needed(note, turn.problems)
                turn.check()
                deals = turn.deals()
                known_deal(deals, before)
                action = {"seat": seat, "amount": amount, "before": before}
                rewritten = rewrite(turn.session, deals, Plan({}, insert=action))
                line = Line(BANK, seat, 0, amount, "buy-in", in_play=True)
                event = turn.record(rewritten.table, action, [line], place=before - 1)
                write_versions(event, turn.seats, rewritten.versions)
    return turn.event


def preview_buy_in(*, session: Session, seat: int, amount: int, before: int) -> Correction:
    """What `buy_in` would do to the hands from ``before`` on. Writes nothing."""
    session.refresh_from_db()
    seats = seats_of(session)
    deals = deals_of(session, numbers_of(seats), pairs=True)
    known_deal(deals, before)
    action = {"seat": seat, "amount": amount, "before": before}
    return correction(session, table_of(session, seats), deals, Plan({}, insert=action))


def cash_out(
    *, session: Session, seat: int, amount: int, note: str = "", key: str, by: str, version: int | None = None
) -> Event:
    """Chips back to the bank, at most what lies in front of the seat."""
    with take_turn(
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
    with take_turn(
        session,
        "penalty",
        {"seat": seat, "points": points, "to": None if to is None else list(to)},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            note_needed(note, turn.problems)
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
    with take_turn(
        session,
        "side-bet",
        {"payer": payer, "payee": payee, "amount": amount},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            note_needed(note, turn.problems)
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
    with take_turn(
        session,
        "fee",
        {"amount": amount, "seats": None if seats is None else list(seats)},
        key=key,
        by=by,
        note=note,
        version=version,
    ) as turn:
        if turn.fresh:
            note_needed(note, turn.problems)
            _amount(amount, "amount", turn.problems, least=1)
            paying = list(turn.table.active() if seats is None else seats)
            turn.seated(*paying)
            if not paying or len(set(paying)) < len(paying):
                turn.problems.append(Problem("bad-value", "seats", "A fee is paid by one or more players, once each."))
            turn.act({"seats": paying, "amount": amount})
    return turn.event


def close_session(*, session: Session, note: str = "", key: str, by: str, version: int | None = None) -> Event:
    """End the evening: nothing changes until `reopen_session`. Freezes each player's totals for the standings."""
    with take_turn(session, "close", {}, key=key, by=by, note=note, version=version) as turn:
        if turn.fresh:
            event = turn.record(turn.table, {}, closed_at=timezone.now())
            Total.objects.bulk_create(totals_of(turn.session, turn.seats.values()))
            return event
    return turn.event


def rename_session(*, session: Session, name: str, key: str, by: str, version: int | None = None) -> Event:
    """Call the evening ``name``, at most 80 characters, now or when it is over; without one it is called by its day."""
    name = clean(name)
    with take_turn(session, "rename", {"name": name}, key=key, by=by, on_closed=True, version=version) as turn:
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
    with take_turn(session, "reopen", {}, key=key, by=by, note=note, on_closed=True, version=version) as turn:
        if turn.fresh:
            if turn.session.closed_at is None:
                raise refuse("open", "", "This session is open.")
            Total.objects.filter(session=turn.session).delete()
            return turn.record(turn.table, {}, closed_at=None)
    return turn.event


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
