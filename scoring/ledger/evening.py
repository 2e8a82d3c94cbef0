"""Starts, names, closes and reopens a session."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import IntegrityError

from scoring.actions.checks import (
    PairStakes,
    amount_problems,
    cleaned,
    length_problem,
    name_problems,
    pair_stake_problems,
    read_rules,
)
from scoring.actions.chips import BuyInAll
from scoring.actions.evening import ChooseTab, Close, Rename, Reopen
from scoring.actions.start import Start
from scoring.game.balances import balances
from scoring.game.cashing import handed_in
from scoring.game.entry import pair_stakes_as_list, pair_stakes_from_list
from scoring.game.errors import LedgerError, refuse
from scoring.game.limits import BANK, HOUSE, MAX_SUM, SESSION_NAME_LENGTH
from scoring.game.table import Table
from scoring.game.text import clean, fold, shortened
from scoring.ledger import quotas
from scoring.ledger.chain import hash_of, new_content
from scoring.ledger.foreseen import Foreseen
from scoring.ledger.load import deals_of, numbers_of, seats_of, sums, totals_of
from scoring.ledger.payments import have_begun
from scoring.ledger.record import record
from scoring.ledger.replay import ScriptEdit, rewrite
from scoring.ledger.store import Written, number_next, players_named, write, write_pair_stakes
from scoring.ledger.turn import Conflict, Signature, Turn, fingerprint_of, note_needed, take_turn
from scoring.models import Club, Dispute, Event, Player, Seat, Session, Total, Transfer
from scoring.rules.errors import Problem
from scoring.rules.houserules import max_players
from scoring.rules.phrase import Phrase
from scoring.transactions import lock, writing


def start_session(
    *,
    names: Sequence[str],
    button: int = 1,
    stake: int,
    currency: str,
    minor_digits: int = 2,
    pair_stakes: PairStakes = (),
    rules: object = "regular",
    buy_in: int = 0,
    cash: bool = False,
    name: str = "",
    club: Club | None = None,
    started: int | None = None,
    key: str,
    by: str,
    link: int | None = None,
) -> Session:
    """Open a session. ``names``, given clockwise, become seats 1, 2, 3 ...

    ``button`` is the seat that has the button in the first deal, ``stake`` is in minor units per point, and ``rules``
    is a preset's name or an object as in the score document. Each of them begins with chips for ``buy_in``, paid for
    on the spot if it is for ``cash``, or all play on credit. Without a ``club`` a new one is created silently. The club
    recognizes its players by name, regardless of case. Raises `LedgerError` with every problem, or if more sessions
    of the club have been ``started`` than that, and `Conflict` if ``key`` has already started a different session.
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
    if buy_in:
        request |= {"buy_in": buy_in} | ({"cash": True} if cash else {})
    fingerprint = fingerprint_of(Start.verb, request)
    signature = Signature.of(key, by, link)
    problems = _currency_problems(currency, minor_digits)
    problems += amount_problems(buy_in, "buy_in")
    start = _start(cleaned(names), button, stake, pair_stakes, rules, problems=problems)
    try:
        with writing():
            if before := Session.objects.filter(key=key).first():
                return _started_before(before, fingerprint)
            if club and started is not None:
                check_started(lock(Club, club.pk, no_key=True), started)
            session = _opened(
                Session(
                    club=club or Club.objects.create(),
                    key=key,
                    name=shortened(name, SESSION_NAME_LENGTH),
                    currency=currency,
                    minor_digits=minor_digits,
                    stake=stake,
                    rules=start.rules,
                    button=button,
                    version=1,
                ),
                start,
                fingerprint,
                signature,
            )
            if buy_in:
                bought = hashlib.sha256(f"buy-in {key}".encode()).hexdigest()
                record(session=session, action=BuyInAll(buy_in, cash=cash), key=bought, by=by, link=link)
            return session
    except IntegrityError:
        # The same form arrived twice at once, and the other request committed first.
        if before := Session.objects.filter(key=key).first():
            return _started_before(before, fingerprint)
        raise


def check_started(club: Club, started: int | None) -> None:
    """Raise `LedgerError` if more sessions of the club have been ``started`` than that; None does not look."""
    if started is not None and club.started != started:
        raise refuse("stale", "", Phrase("A session was started in this club since this page was opened."))


def _currency_problems(currency: str, minor_digits: int) -> list[Problem]:
    problems = []
    if not (currency.isalpha() and len(currency) <= 8):
        problems.append(Problem("bad-value", "currency", Phrase("A currency is up to eight letters, such as EUR.")))
    if type(minor_digits) is not int or not 0 <= minor_digits <= 4:
        problems.append(Problem("bad-value", "minor_digits", Phrase("A currency has 0 to 4 minor digits.")))
    return problems


def _start(
    names: Sequence[str], button: int, stake: int, pair_stakes: PairStakes, rules: object, *, problems: list[Problem]
) -> Start:
    """The first action of a session. Raises `LedgerError` with its problems, appended to the ``problems`` so far."""
    seats = range(1, len(names) + 1)
    problems += name_problems(names)
    if button not in seats:
        problems.append(Problem("bad-value", "button", Phrase("The button is one of the players.")))
    problems += amount_problems(stake, "stake")
    problems += pair_stake_problems(pair_stakes, seats)
    resolved, wrong = read_rules(rules)
    problems += wrong
    if resolved is not None and len(names) > max_players(resolved) + 1:
        message = Phrase("Max {most} players per hand, and one dealer who sits out.", most=max_players(resolved))
        problems.append(Problem("too-many-players", "names", message))
    if problems or resolved is None:
        raise LedgerError(problems)
    return Start(
        seats=[[number, name] for number, name in zip(seats, names, strict=True)],
        button=button,
        stake=stake,
        pair_stakes=pair_stakes_as_list(pair_stakes_from_list(pair_stakes)),
        rules=resolved.as_document(),
    )


def _opened(session: Session, start: Start, fingerprint: str, signature: Signature) -> Session:
    """Save a new session with its seats and its first event, which says for good what the session is."""
    session.number = number_next(session.club)
    quotas.check_sessions(session.club, session.number)
    people = players_named(session.club, [name for _, name in start.seats])
    start = replace(
        start,
        session=session.public_id,
        number=session.number,
        name=session.name,
        currency=session.currency,
        minor_digits=session.minor_digits,
        players=[[number, people[fold(name)].pk] for number, name in start.seats],
    )
    event = Event(
        session=session,
        n=1,
        at=session.opened_at,
        by=signature.by,
        link=signature.link,
        verb=Start.verb,
        deals=0,
        key=session.key,
        fingerprint=fingerprint,
        action=start.as_document(),
        after=start.table().as_document(),
    )
    rows = Written(event)
    event.hash = session.head = hash_of(new_content("", rows, {}))
    session.save(force_insert=True)
    seats = _first_seats(session, start, people)
    write_pair_stakes(session, seats, pair_stakes_from_list(start.pair_stakes))
    write(rows)
    return session


def _first_seats(session: Session, start: Start, people: Mapping[str, Player]) -> dict[int, Seat]:
    """Create the rows for the players' seats and for the bank and the house; returns them by number."""
    rows = [Seat(session=session, number=BANK, kind="bank", name="Bank")]
    rows += [Seat(session=session, number=HOUSE, kind="house", name="House")]
    rows += [
        Seat(session=session, number=number, player=people[fold(name)], name=name, position=number)
        for number, name in start.seats
    ]
    return {seat.number: seat for seat in Seat.objects.bulk_create(rows)}


def _started_before(session: Session, fingerprint: str) -> Session:
    if session.events.get(n=1).fingerprint != fingerprint:
        raise Conflict(session, Phrase("This form has already started another session."))
    return session


def close_session(
    *,
    session: Session,
    counts: Mapping[int, int] | None = None,
    tab: bool = False,
    coin: int = 0,
    note: str = "",
    key: str,
    by: str,
    link: int | None = None,
    version: int | None = None,
) -> Event:
    """Close the session: play stops until `reopen_session`. Freezes each player's totals for the standings.

    ``counts`` are the stacks as they lie there, by seat; without them, and for everybody else, they are what the ledger
    says. A difference takes a note, and is booked. If the bank holds money for chips, everybody hands them in and gets
    it. With ``tab`` the club's tab has what is open, until it is paid; then payments are rounded to a ``coin``, in
    minor units, unless it is 0.
    """
    close = Close(sorted((counts or {}).items()), tab=tab, coin=coin if tab else 0)
    with take_turn(session, Close.verb, close.request(), Signature.of(key, by, link, note), version=version) as turn:
        if turn.fresh:
            turn.problems += close.problems(turn.table)
            turn.check()
            _check_disputes(turn, version)
            close = _with_what_is_handed_in(turn, close)
            after, lines = close.apply(turn.table, turn.signature.note)
            event = turn.record(after, close.as_document(), lines, closed_at=turn.at, on_tab=tab, coin=close.coin)
            totals = totals_of(turn.session, turn.seats.values())
            if any(abs(sum_) > MAX_SUM for total in totals for sum_ in (total.points, total.money, total.fees)):
                raise refuse("bad-value", "", Phrase("What one player won or lost is too large an amount."))
            Total.objects.bulk_create(totals)
            return event
    return turn.event


def _check_disputes(turn: Turn, version: int | None) -> None:
    """Raise `LedgerError` if a deal has been disputed since ``version``, and still is. That changes no table, so it
    makes no other form late; but anyone who closes the session should have seen it.
    """
    if version is None:
        return
    since = Dispute.objects.filter(deal__session=turn.session, resolved=None, raised__n__gt=version)
    said = [
        Problem("stale", "", Phrase("Hand {number} has been disputed since this page was opened.", number=number))
        for number in since.order_by("deal__number").values_list("deal__number", flat=True)
    ]
    if said:
        raise LedgerError(said)


def _with_what_is_handed_in(turn: Turn, close: Close) -> Close:
    """The action with what everybody hands in and gets for it, if they do, once the differences are booked."""
    close = close.compared(turn.table)
    if close.differences:
        note_needed(turn.signature.note, turn.problems)
        turn.check()
    lines = [*sums(turn.session, numbers_of(turn.seats.values())), *close.count_lines()]
    return replace(close, handed_in=handed_in(balances(lines, turn.seats)))


def choose_tab(
    *, session: Session, on: bool, coin: int = 0, key: str, by: str, link: int | None = None, version: int | None = None
) -> Event:
    """Carry what is open of a closed session to the club's tab, or keep it out: people settled it on the spot.

    On the tab, payments are rounded to a ``coin``, in minor units, unless it is 0. Once they have begun, people pay
    what was promised, so another coin is refused.
    """
    choice = ChooseTab(on, coin if on else 0)
    with take_turn(session, ChooseTab.verb, choice.request(), Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            turn.expect_first(version, Phrase("The choice for the club’s tab was changed since this page was opened."))
            now = turn.session
            if now.closed_at is None:
                raise refuse(
                    "open", "", Phrase("This session is open. What is open is carried to the tab when it is closed.")
                )
            turn.problems += amount_problems(coin, "coin")
            turn.check()
            if (now.on_tab, now.coin) == (on, choice.coin):
                raise refuse("nothing", "", Phrase("This is how it is already. Change something first."))
            if on and choice.coin != now.coin and have_begun(now, turn.seats):
                raise refuse(
                    "paid", "", Phrase("Payments have begun, so they stay as they are. Undo them to round them.")
                )
            return turn.record(turn.table, choice.as_document(), on_tab=on, coin=choice.coin)
    return turn.event


def rename_session(
    *, session: Session, name: str, key: str, by: str, link: int | None = None, version: int | None = None
) -> Event:
    """Rename the session, open or closed; at most 80 characters. With an empty name, its date stands for it."""
    name = clean(name)
    with take_turn(session, Rename.verb, {"name": name}, Signature.of(key, by, link), version=version) as turn:
        if turn.fresh:
            turn.expect_first(version, Phrase("The name was changed since this page was opened."))
            if problem := length_problem(name, "name", SESSION_NAME_LENGTH):
                turn.problems.append(problem)
            elif name == turn.session.name:
                turn.problems.append(
                    Problem("nothing", "name", Phrase("This is how it is already. Change something first."))
                )
            turn.check()
            return turn.record(turn.table, Rename(name, turn.session.name).as_document(), name=name)
    return turn.event


def reopen_session(
    *, session: Session, note: str = "", key: str, by: str, link: int | None = None, version: int | None = None
) -> Event:
    """Reopen a closed session, and delete its frozen totals. What closing it booked is reversed."""
    foreseen = Foreseen.of(session, key, Reopen, _reopened)
    with take_turn(session, Reopen.verb, {}, Signature.of(key, by, link, note), version=version) as turn:
        if turn.fresh:
            closed, booked = foreseen.at_turn(turn.session)
            Total.objects.filter(session=turn.session).delete()
            if booked is None:
                return turn.record(turn.table, Reopen().as_document(), closed_at=None)
            lines = Transfer.objects.filter(event=closed)
            return turn.record(booked, Reopen().as_document(), undoes=closed.n, takes_back=lines, closed_at=None)
    return turn.event


def _reopened(session: Session) -> tuple[Event, Table | None]:
    """The event that closed the session, and the table without what closing it booked; None if it booked nothing.

    Raises `LedgerError` if the session is open.
    """
    if session.closed_at is None:
        raise refuse("open", "", Phrase("This session is open."))
    closed = Event.objects.filter(session=session, verb=Close.verb).latest("n")
    if not Transfer.objects.filter(event=closed).exists():
        return closed, None
    deals = deals_of(session, numbers_of(seats_of(session)))
    return closed, rewrite(session, deals, ScriptEdit({}, without=closed)).table
