"""What the audit says of each thing that somebody with the database's password could change.

Each row of the table is one change to the same evening, made without the triggers: what it is, how it is made, and what
the audit then says, by the name of the check.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest
from django.db import connection

from scoring import ledger, reads
from scoring.actions.chips import BuyInAll
from scoring.actions.deals import Remark
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry
from scoring.ledger import audit
from scoring.models import Dispute, Merged, Player, Seat, Session, Total
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.ledger.tampering import chain_again, unconstrained, unguarded


@pytest.fixture
def evening(db: None) -> Session:
    """An evening of Ann's, Bob's and Cat's that is closed, with others of the same club before and after it.

    Events: 1 start, 2 and 3 two hands, 4 hand 2 corrected, 5 a side bet, 6 a penalty, 7 a dispute of hand 1,
    8 resolved, 9 a dispute of hand 2, 10 Dan joins, 11 renamed, 12 closed.
    """
    club = start("Ann Bob").club
    session = start(club=club)
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.correct_deal, session, number=2, entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    act(Penalty, session, seat=3, points=1, note="Clock")
    dispute = act(ledger.dispute, session, number=1, note="Was that a foul?")
    act(ledger.resolve_dispute, session, raised=dispute.raised.n, note="It was.")
    act(ledger.dispute, session, number=2, note="Count again.")
    act(Join, session, name="Dan", insist=True, note="Came late.")
    act(ledger.rename_session, session, name="Friday")
    act(ledger.close_session, session)
    start("Dan Eve", club=club)
    session.refresh_from_db()
    return session


Change = Callable[[Session], None]


def sql(*statements: str) -> Change:
    """Runs statements in which ``{session}`` is the session's primary key; each must change something."""

    def change(session: Session) -> None:
        with unguarded(), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement.replace("{session}", str(session.pk)))
                assert cursor.rowcount > 0, statement

    return change


def instead(table: str, column: str, was: str, now: str, where: str) -> str:
    """A statement that replaces text in a column, which may hold JSON."""
    is_json = column in {"action", "entry", "document", "rows", "before", "after"}
    text, back = ("::text", "::jsonb") if is_json and connection.vendor == "postgresql" else ("", "")
    return f"UPDATE {table} SET {column} = REPLACE({column}{text}, '{was}', '{now}'){back} WHERE {where}"


HAND = "SELECT id FROM scoring_deal WHERE session_id = {session} AND number ="
COUNTS = f"(SELECT id FROM scoring_revision WHERE n = 1 AND deal_id = ({HAND} 1))"
"""Hand 1's only revision, which counts."""
REPLACED = f"(SELECT id FROM scoring_revision WHERE n = 1 AND deal_id = ({HAND} 2))"
"""The revision of hand 2 that was corrected and counts no more."""
CORRECTED = f"(SELECT id FROM scoring_revision WHERE n = 2 AND deal_id = ({HAND} 2))"
FIRST = "id = (SELECT MIN(id) FROM scoring_transfer WHERE session_id = {session})"
REVERSAL = "id = (SELECT MAX(id) FROM scoring_transfer WHERE reverses_id IS NOT NULL)"


def event_id(n: int) -> str:
    """The primary key of an event, as SQL."""
    return f"(SELECT id FROM scoring_event WHERE session_id = {{session}} AND n = {n})"


def board(change: str, of: str = COUNTS, which: str = "front = '7s8d9c'") -> Change:
    """A change to one board of a revision; unless said otherwise, to the one of seat 1 in hand 1."""
    return sql(f"UPDATE scoring_board SET {change} WHERE revision_id = {of} AND {which}")


def pair(change: str) -> Change:
    """A change to the first pair of hand 1."""
    return sql(f'UPDATE scoring_pairresult SET {change} WHERE revision_id = {COUNTS} AND "order" = 1')


def revision(change: str, which: str = COUNTS) -> Change:
    """A change to a revision, unless said otherwise hand 1's."""
    return sql(f"UPDATE scoring_revision SET {change} WHERE id = {which}")


def event(change: str, n: int) -> Change:
    """A change to an event."""
    return sql(f"UPDATE scoring_event SET {change} WHERE id = {event_id(n)}")


def line(change: str, which: str) -> Change:
    """A change to a line of the ledger."""
    return sql(f"UPDATE scoring_transfer SET {change} WHERE {which}")


def session(change: str) -> Change:
    """A change to the session's row."""
    return sql(f"UPDATE scoring_session SET {change} WHERE id = {{session}}")


def seat(change: str, number: int) -> Change:
    """A change to a seat."""
    return sql(f"UPDATE scoring_seat SET {change} WHERE session_id = {{session}} AND number = {number}")


def a_card_in_all_rows_alike(session: Session) -> None:
    """Hand 1's 3s becomes a 3d wherever it stands; it is in a fouled front, so that no figure changes."""
    sql(
        instead("scoring_event", "action", "3s", "3d", f"id = {event_id(2)}"),
        instead("scoring_revision", "entry", "3s", "3d", f"id = {COUNTS}"),
        instead("scoring_revision", "document", "3s", "3d", f"id = {COUNTS}"),
        instead("scoring_board", "front", "3s", "3d", f"revision_id = {COUNTS} AND foul"),
    )(session)


def and_chained_again(session: Session) -> None:
    """The same, by somebody who knows how the chain is made: only a head that was seen before can tell."""
    a_card_in_all_rows_alike(session)
    chain_again(session)


def what_was_agreed_to(session: Session) -> None:
    """Ann agrees to the record; then a note in it is another one, and the chain is made again to fit."""
    act(ledger.agree, session, seat=1, head=session.head)
    event("note = 'Black'", 5)(session)
    chain_again(session)


def paid_and(change: Change) -> Change:
    """Cat and Ann pay what they owe, as events 13 and 14, of which 14 is undone; then something is changed."""

    def paid(session: Session) -> None:
        for payment in reads.open_payments(session).open:
            amounts = {"payer": payment.payer, "payee": payment.payee, "amount": payment.amount}
            last = act(ledger.pay, session, **amounts, note="cash")
        act(ledger.undo_payment, session, n=last.n)
        change(session)

    return paid


def in_cash_and(change: Change) -> Change:
    """Fay and Gus buy in for cash and close on a count that differs, as events 2 and 3; then something is changed."""

    def counted(session: Session) -> None:
        other = start("Fay Gus", club=session.club)
        act(BuyInAll, other, amount=4000, cash=True)
        act(ledger.close_session, other, counts={1: 4100, 2: 3900}, note="Counted.")
        change(other)

    return counted


def what_was_handed_in(session: Session) -> None:
    """The close says that Gus handed in less."""
    closed = session.events.get(n=3)
    with unguarded():
        session.events.filter(n=3).update(action={**closed.action, "handed_in": [[1, 4100, 4100], [2, 3800, 3800]]})


PAID = "kind = 'payment' AND reverses_id IS NULL AND id = (SELECT MIN(id) FROM scoring_transfer WHERE kind = 'payment')"


def a_seat_of_another_player(session: Session) -> None:
    """Dan's seat is Eve's."""
    seat(f"player_id = {Player.objects.get(name='Eve').pk}", 4)(session)


def a_seat_of_a_player_who_is_called_merged(session: Session) -> None:
    """Dan's seat and totals are Eve's, as if Dan had been merged into her, and Dan is still there."""
    dan, eve = (Player.objects.get(club=session.club, name=name).pk for name in ("Dan", "Eve"))
    with unguarded():
        Merged.objects.create(club=session.club, gone=dan, player_id=eve)
        Seat.objects.filter(session=session, player=dan).update(player=eve)
        Total.objects.filter(session=session, player=dan).update(player=eve)


def clubs_of_two_sessions(session: Session) -> None:
    """The session and another club's second one, their numbers being the same, have each other's clubs."""
    start("Gus Hal")
    other = start("Ida Joe", club=Player.objects.get(name="Gus").club)
    with unguarded():
        Session.objects.filter(pk=session.pk).update(club=other.club, number=9)
        Session.objects.filter(pk=other.pk).update(club=session.club)
        Session.objects.filter(pk=session.pk).update(number=session.number)
        Total.objects.filter(session=session).update(club=other.club)


def words_of_another_dispute(session: Session) -> None:
    """The first dispute has the events with the same numbers in another session."""
    other = start("Gus Hal")
    for number in (1, 2):
        settle(other, Entry(points=((1, 2, number),)))
    for _ in range(2):
        act(ledger.rename_session, other, name=f"{_}")
    act(SideBet, other, payer=1, payee=2, amount=500, note="Red")
    act(ledger.dispute, other, number=1, note="Mine")
    act(ledger.resolve_dispute, other, raised=7, note="Yours")
    with unguarded():
        Dispute.objects.filter(deal__session=other).delete()
        theirs = {event.n: event for event in other.events.filter(n__in=[7, 8])}
        Dispute.objects.filter(raised__session=session, raised__n=7).update(raised=theirs[7], resolved=theirs[8])


def a_session_that_is_gone(session: Session) -> None:
    """The session of this evening is deleted with all that it had."""
    with unguarded():
        session.delete()


def hashed(n: int, verb: str) -> dict[str, str]:
    """What the chain says of an event that is not as it was."""
    return {"chained": f"event {n} ({verb}): what it wrote is not what its hash covers"}


TAMPERINGS = [
    ("a card of a version that was replaced", board("front = '7s8d9h'", of=REPLACED), hashed(3, "settle")),
    ("points of a version that was replaced", board("points = points + 1", of=REPLACED), hashed(3, "settle")),
    (
        "a line of a version that was replaced, and its reversal",
        sql(
            f"UPDATE scoring_transfer SET amount = amount + 1 WHERE revision_id = {REPLACED} OR reverses_id IN"
            f" (SELECT id FROM scoring_transfer WHERE revision_id = {REPLACED})"
        ),
        {"summed": "deal from seat 1 to seat 2 adds up to [74, 7401], kept is [74, 7400]", **hashed(3, "settle")},
    ),
    (
        "what a version that was replaced was settled on",
        sql(instead("scoring_revision", "document", "Ann", "Anna", f"id = {REPLACED}")),
        hashed(3, "settle"),
    ),
    ("the kind of a revision", revision("kind = 'resettle'", CORRECTED), hashed(4, "correct")),
    ("the note of an event", event("note = 'Black'", 5), hashed(5, "side-bet")),
    ("who did it", event("by = 'Bob'", 5), hashed(5, "side-bet")),
    ("when it was done", event("at = '2026-01-01 00:00:00+00:00'", 5), hashed(5, "side-bet")),
    (
        "the cards that were sent",
        sql(instead("scoring_event", "action", "7s8d9c", "7s8d9h", f"id = {event_id(2)}")),
        hashed(2, "settle"),
    ),
    (
        "what the table was before",
        sql(instead("scoring_event", "before", "1", "2", f"id = {event_id(2)}")),
        hashed(2, "settle"),
    ),
    ("the hand that an event is about", event("deal = 1", 4), hashed(4, "correct")),
    (
        "what an event undid",
        event("undoes = 5", 6),
        {"reversed_once": "line * is superseded and not reversed", **hashed(6, "penalty")},
    ),
    ("how many hands there were", event("deals = 1", 5), hashed(5, "side-bet")),
    (
        "an event's verb",
        event("verb = 'fee'", 5),
        {"replayed": "its script breaks off after 0 steps: *", **hashed(5, "fee")},
    ),
    ("an event's hash", event("hash = 'f'", 5), hashed(5, "side-bet")),
    ("the mark of an event that was chained later", event("chained = '{}'", 5), hashed(5, "side-bet")),
    (
        "an event that is gone",
        sql(
            f"DELETE FROM scoring_transfer WHERE event_id = {event_id(5)}",
            f"DELETE FROM scoring_event WHERE id = {event_id(5)}",
        ),
        {
            "numbered_events": "events are numbered 1-4, 6-12, the session's version is 12",
            "summed": "side-bet from seat 1 to seat 2 adds up to [0, 0], kept is [0, 500]",
            **hashed(6, "penalty"),
        },
    ),
    (
        "the last event that is gone, and the version",
        sql(
            f"DELETE FROM scoring_event WHERE id = {event_id(11)}",
            "UPDATE scoring_event SET n = 11 WHERE session_id = {session} AND n = 12",
            "UPDATE scoring_session SET version = 11 WHERE id = {session}",
        ),
        {**hashed(11, "close"), "as_opened": "name is stored as Friday, the events say "},
    ),
    (
        "two events that changed places",
        sql(
            "UPDATE scoring_event SET n = 99 WHERE session_id = {session} AND n = 5",
            "UPDATE scoring_event SET n = 5 WHERE session_id = {session} AND n = 6",
            "UPDATE scoring_event SET n = 6 WHERE session_id = {session} AND n = 99",
        ),
        hashed(5, "penalty"),
    ),
    (
        "a card",
        board("front = '7s8d9h'"),
        {"frozen_deals": "deal 1: its boards are not those of its document", **hashed(2, "settle")},
    ),
    (
        "a ruling",
        board("ruling = 'dead'"),
        {"frozen_deals": "deal 1: its boards are not those of its document", **hashed(2, "settle")},
    ),
    (
        "the order of two boards",
        board('"order" = 9', which='"order" = 1'),
        {
            "scored": "deal 1: foul of Bob is True, the engine says False",
            "frozen_deals": "deal 1: its boards are not those of its document",
            **hashed(2, "settle"),
        },
    ),
    (
        "the seat of a board",
        board("seat_id = (SELECT id FROM scoring_seat WHERE session_id = {session} AND number = 4)"),
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "scored": "this cannot be checked, KeyError: *",
            "settled": "this cannot be checked, KeyError: *",
            "frozen_deals": "deal 1: its boards are not those of its document",
            "follows": "deal 1: button or Fantasyland is not what followed",
            **hashed(2, "settle"),
        },
    ),
    (
        "a foul",
        board("foul = NOT foul"),
        {"scored": "deal 1: foul of Ann is True, the engine says False", **hashed(2, "settle")},
    ),
    ("why it is a foul", board("foul_reason = 'Because.'", which="foul"), hashed(2, "settle")),
    (
        "a royalty",
        board("royalties = 3"),
        {"scored": "deal 1: royalties of Ann is 3, the engine says 0", **hashed(2, "settle")},
    ),
    (
        "what a row of a board is called",
        sql(instead("scoring_board", "rows", '"Pair of ', '"Two of ', f"revision_id = {COUNTS}")),
        hashed(2, "settle"),
    ),
    (
        "the names of a board's hands",
        sql(instead("scoring_board", "rows", "pair", "trio", f"revision_id = {COUNTS}")),
        {"scored": "deal 1: rows of Bob is *", **hashed(2, "settle")},
    ),
    (
        "the cards of Fantasyland that were dealt",
        board("fantasyland_cards = 14"),
        {
            "frozen_deals": "deal 1: its boards are not those of its document",
            "follows": "deal 1: button or Fantasyland is not what followed",
            **hashed(2, "settle"),
        },
    ),
    (
        "the Fantasyland that was earned",
        board("fantasyland_next = 14"),
        {
            "scored": "deal 1: fantasyland_next of Ann is 14, the engine says 0",
            "follows": "deal 1: the button does not go where it says",
            "replayed": "deal 2: it was settled on something other than the table was",
            "current": "button is stored as 2, the script comes to 1",
            **hashed(2, "settle"),
        },
    ),
    (
        "the points of a board",
        board("points = points + 1"),
        {"scored": "deal 1: points of Ann is 13, the engine says 12", **hashed(2, "settle")},
    ),
    (
        "the money of a board",
        board("money = money + 1"),
        {"scored": "deal 1: money of Ann is 1201, the engine says 1200", **hashed(2, "settle")},
    ),
    (
        "a board that is gone",
        sql(f"DELETE FROM scoring_board WHERE revision_id = {COUNTS} AND front = '7s8d9c'"),
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "scored": "deal 1: it has not as many boards as players",
            "settled": "deal 1: its lines are not its pairs",
            "frozen_deals": "deal 1: its boards are not those of its document",
            "follows": "deal 1: button or Fantasyland is not what followed",
            **hashed(2, "settle"),
        },
    ),
    (
        "the rows of a pair",
        sql(instead("scoring_pairresult", "rows", "1", "0", f"revision_id = {COUNTS}")),
        {"scored": "deal 1: rows of Bob and Ann is *", **hashed(2, "settle")},
    ),
    ("why a pair's points are what they are", pair("why = 'Because.'"), hashed(2, "settle")),
    (
        "a bonus",
        pair("bonus = 7"),
        {"scored": "deal 1: bonus of Bob and Cat is 7, the engine says 3", **hashed(2, "settle")},
    ),
    (
        "the stake of a pair",
        pair("stake = 7"),
        {
            "scored": "deal 1: stake of Bob and Cat is 7, the engine says 100",
            "frozen_deals": "deal 1: the stake of Bob and Cat is not that of its document",
            **hashed(2, "settle"),
        },
    ),
    (
        "what a pair paid",
        pair("paid = paid - 1"),
        {
            "scored": "deal 1: paid of Bob and Cat is 599, the engine says 600",
            "settled": "deal 1: its lines are not its pairs",
            **hashed(2, "settle"),
        },
    ),
    (
        "a pair that is gone",
        sql(f'DELETE FROM scoring_pairresult WHERE revision_id = {COUNTS} AND "order" = 1'),
        {
            "scored": "deal 1: 2 pairs are stored, the engine has 3",
            "settled": "deal 1: its lines are not its pairs",
            **hashed(2, "settle"),
        },
    ),
    (
        "the entry of a hand",
        sql(instead("scoring_revision", "entry", "7s8d9c", "7s8d9h", f"id = {COUNTS}")),
        {"replayed": "deal 1: it was settled on something other than the table was", **hashed(2, "settle")},
    ),
    (
        "what a hand was settled on",
        sql(instead("scoring_revision", "document", "7s8d9c", "7s8d9h", f"id = {COUNTS}")),
        {
            "scored": "deal 1: the engine refuses it: The nine of hearts is also in Bob's front.",
            "frozen_deals": "deal 1: its boards are not those of its document",
            "replayed": "deal 1: it was settled on something other than the table was",
            **hashed(2, "settle"),
        },
    ),
    (
        "the button of a hand",
        revision("button = 3"),
        {"follows": "deal 1: button or Fantasyland is not what followed", **hashed(2, "settle")},
    ),
    (
        "where the button went",
        revision("next_button = 3"),
        {"follows": "deal 1: the button does not go where it says", **hashed(2, "settle")},
    ),
    (
        "the note of a hand",
        revision("note = 'Why'"),
        {"follows": "deal 1: it does not carry the note why button or Fantasyland was set", **hashed(2, "settle")},
    ),
    (
        "which revision counts",
        sql("UPDATE scoring_deal SET revision = 1 WHERE session_id = {session} AND number = 2"),
        {
            "numbered_revisions": "deal 2 has revisions 1-2, and number 1 counts",
            "reversed_once": "line * counts and is reversed",
            "current": "fantasyland is stored as {'2': 13}, the script comes to {'1': 13}",
        },
    ),
    (
        "the number of a hand",
        sql("UPDATE scoring_deal SET number = 9 WHERE session_id = {session} AND number = 2"),
        {
            "own_revision": "line * belongs to a revision that its event did not make",
            "numbered_deals": "deals are numbered 1, 9, the session has 2",
            "replayed": "its script breaks off after 1 steps: 2",
            **hashed(3, "settle"),
            "disputed": "the dispute of event 9 is not stored as it was raised and resolved",
        },
    ),
    ("a card in all rows alike", a_card_in_all_rows_alike, hashed(2, "settle")),
    (
        "the amount of a hand's line",
        line("amount = amount + 1", FIRST),
        {
            "settled": "deal 1: its lines are not its pairs",
            "summed": "deal from seat 3 to seat 2 adds up to [49, 4901], kept is [49, 4900]",
            **hashed(2, "settle"),
        },
    ),
    (
        "the points of a hand's line",
        line("points = points + 1", FIRST),
        {
            "settled": "deal 1: its lines are not its pairs",
            "summed": "deal from seat 3 to seat 2 adds up to [50, 4900], kept is [49, 4900]",
            **hashed(2, "settle"),
        },
    ),
    (
        "a line whose two sides changed places",
        line("payer_id = payee_id, payee_id = payer_id", FIRST),
        {
            "settled": "deal 1: its lines are not its pairs",
            "summed": "deal from seat 2 to seat 3 adds up to [12, 1200], kept is [6, 600]",
            **hashed(2, "settle"),
        },
    ),
    (
        "a line that is gone",
        sql(f"DELETE FROM scoring_transfer WHERE {FIRST}"),
        {
            "settled": "deal 1: its lines are not its pairs",
            "summed": "deal from seat 3 to seat 2 adds up to [43, 4300], kept is [49, 4900]",
            **hashed(2, "settle"),
        },
    ),
    (
        "a line of another session's seat",
        sql(
            "UPDATE scoring_transfer SET payer_id = (SELECT MIN(id) FROM scoring_seat WHERE number = 1)"
            " WHERE session_id = {session} AND kind = 'side-bet'"
        ),
        {
            "balanced": "line * is between seats of another session",
            "summed": "side-bet from seat row * to seat 2 adds up to [0, 500], kept is [0, 0]",
            **hashed(5, "side-bet"),
        },
    ),
    (
        "the amount of a side bet",
        line("amount = 501", "kind = 'side-bet'"),
        {
            "booked": "event 5 (side-bet): its lines are not what was asked for",
            "summed": "side-bet from seat 1 to seat 2 adds up to [0, 501], kept is [0, 500]",
            **hashed(5, "side-bet"),
        },
    ),
    ("a penalty moved behind another hand", line("deal_number = 1", "kind = 'penalty'"), hashed(6, "penalty")),
    (
        "a hand's line moved to another hand",
        line("deal_number = 2", FIRST),
        {"own_revision": "line * belongs to a revision that its event did not make", **hashed(2, "settle")},
    ),
    (
        "the kind of a line",
        line("kind = 'fee'", "kind = 'side-bet'"),
        {
            "booked": "event 5 (side-bet): its lines are not what was asked for",
            "summed": "fee from seat 1 to seat 2 adds up to [0, 500], kept is [0, 0]",
            **hashed(5, "side-bet"),
        },
    ),
    (
        "whether a line moved chips",
        line("in_play = NOT in_play", "kind = 'side-bet'"),
        {
            "booked": "event 5 (side-bet): its lines are not what was asked for",
            "summed": "side-bet from seat 1 to seat 2 adds up to [0, 0], kept is [0, 500]",
            **hashed(5, "side-bet"),
        },
    ),
    (
        "a reversal that is gone",
        sql(f"DELETE FROM scoring_transfer WHERE {REVERSAL}"),
        {
            "reversed_once": "line * is superseded and not reversed",
            "summed": "deal from seat 1 to seat 2 adds up to [37, 3700], kept is [74, 7400]",
            **hashed(4, "correct"),
        },
    ),
    (
        "a reversal that is given to another hand",
        line(f"revision_id = {COUNTS}", REVERSAL),
        {"own_revision": "line * belongs to a revision that its event did not make"},
    ),
    (
        "a line of a version that was replaced, given to the one that replaced it",
        line(f"revision_id = {CORRECTED}", f"revision_id = {REPLACED}"),
        {
            "own_revision": "line * belongs to a revision that its event did not make",
            "reversed_once": "line * counts and is reversed",
            "settled": "deal 2: its lines are not its pairs",
        },
    ),
    (
        "a reversal of another amount",
        line("points = points + 1", REVERSAL),
        {
            "reversed_once": "line * is not the other way of the line that it reverses",
            "summed": "deal from seat 1 to seat 2 adds up to [75, 7400], kept is [74, 7400]",
            **hashed(4, "correct"),
        },
    ),
    (
        "a sum of lines",
        sql("UPDATE scoring_linesum SET amount = amount + 1 WHERE session_id = {session} AND kind = 'side-bet'"),
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "summed": "side-bet from seat 1 to seat 2 adds up to [0, 500], kept is [0, 501]",
        },
    ),
    (
        "the currency",
        session("currency = 'USD'"),
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "as_opened": "currency is stored as USD, the events say EUR",
        },
    ),
    (
        "the minor digits",
        session("minor_digits = 0"),
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "as_opened": "minor_digits is stored as 0, the events say 2",
        },
    ),
    (
        "the name of the session",
        session("name = 'Saturday'"),
        {"as_opened": "name is stored as Saturday, the events say Friday"},
    ),
    (
        "closed made open, with its totals",
        session("closed_at = NULL"),
        {
            "as_opened": "closed_at is stored as None, the events say *",
            "frozen_totals": "totals are frozen of a session that is open",
        },
    ),
    (
        "closed made open",
        sql(
            "UPDATE scoring_session SET closed_at = NULL WHERE id = {session}",
            "DELETE FROM scoring_total WHERE session_id = {session}",
        ),
        {"as_opened": "closed_at is stored as None, the events say *"},
    ),
    (
        "when it opened",
        session("opened_at = '2026-01-01 00:00:00+00:00'"),
        {"as_opened": "opened_at is stored as 2026-01-01 00:00:00+00:00, the events say *"},
    ),
    (
        "when it closed",
        session("closed_at = '2026-01-01 00:00:00+00:00'"),
        {"as_opened": "closed_at is stored as 2026-01-01 00:00:00+00:00, the events say *"},
    ),
    ("the head", session("head = 'f'"), {"chained": "the head is not the hash of the last event"}),
    (
        "the number of the session",
        session("number = 9"),
        {
            "numbered_sessions": "sessions are numbered 1, 3, 9, the club has started 3",
            "as_opened": "number is stored as 9, the events say 2",
        },
    ),
    (
        "the session's public id",
        session("public_id = 'somebody-elses'"),
        {"as_opened": "public_id is stored as somebody-elses, the events say *"},
    ),
    (
        "the button of the next hand",
        session("button = button % 3 + 1"),
        {"current": "button is stored as 3, the script comes to 2"},
    ),
    ("the stake of the next hand", session("stake = 7"), {"current": "stake is stored as 7, the script comes to 100"}),
    (
        "what is remarked of a settlement",
        sql(instead("scoring_event", "action", '"entry"', '"other_cards": [[1, 700]], "entry"', f"id = {event_id(2)}")),
        {"remarked": "event 2 remarks on deals 700, which are not before its own", "chained": "*"},
    ),
    ("how many hands there are", session("deals = 3"), {"numbered_deals": "deals are numbered 1-2, the session has 3"}),
    (
        "the version",
        session("version = version + 1"),
        {"numbered_events": "events are numbered 1-12, the session's version is 13"},
    ),
    (
        "a frozen total",
        sql("UPDATE scoring_total SET money = money + 1 WHERE id = (SELECT MIN(id) FROM scoring_total)"),
        {"frozen_totals": "the frozen totals of player * are not the sums of the lines"},
    ),
    (
        "a sum that is gone",
        sql("DELETE FROM scoring_linesum WHERE session_id = {session} AND kind = 'side-bet'"),
        {
            "summed": "side-bet from seat 1 to seat 2 adds up to [0, 500], kept is [0, 0]",
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
        },
    ),
    (
        "a sum of lines that there are none of",
        sql("UPDATE scoring_linesum SET kind = 'fee' WHERE session_id = {session} AND kind = 'side-bet'"),
        {
            "summed": "fee from seat 1 to seat 2 adds up to [0, 0], kept is [0, 500]",
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
        },
    ),
    (
        "a sum of a seat of another session",
        sql(
            "UPDATE scoring_linesum SET payer_id = (SELECT MIN(id) FROM scoring_seat WHERE session_id <> {session})"
            " WHERE session_id = {session} AND kind = 'side-bet'"
        ),
        {
            "summed": "side-bet from seat row * to seat 2 adds up to [0, 0], kept is [0, 500]",
            "frozen_totals": "this cannot be checked, KeyError: *",
        },
    ),
    (
        "a seat given to another player of the club",
        a_seat_of_another_player,
        {
            "frozen_totals": "the frozen totals of player * are not the sums of the lines",
            "seated": "seat 4 is player *'s, the events say *",
        },
    ),
    (
        "a seat given to another player, into whom its own is called merged",
        a_seat_of_a_player_who_is_called_merged,
        {"seated": "seat 4 was player *'s, who is stored as merged and is still there"},
    ),
    (
        "a session of another club",
        clubs_of_two_sessions,
        {"seated": "seat 1 is a player's of another club than the session's"},
    ),
    (
        "the name of a seat",
        seat("name = 'Eve'", 4),
        {"current": "seats is stored as *", "seated": "seat 4 is called Eve, the events say Dan"},
    ),
    ("a seat that was left", seat("position = NULL", 4), {"current": "seats is stored as *"}),
    (
        "who is in Fantasyland next",
        seat("fantasyland_cards = 0", 2),
        {"current": "fantasyland is stored as {}, the script comes to {'2': 13}"},
    ),
    (
        "a dispute that is gone",
        sql(f"DELETE FROM scoring_dispute WHERE raised_id = {event_id(7)}"),
        {"disputed": "the dispute of event 7 is not stored as it was raised and resolved"},
    ),
    (
        "a dispute that was resolved by nobody",
        sql(f"UPDATE scoring_dispute SET resolved_id = {event_id(10)} WHERE raised_id = {event_id(9)}"),
        {"disputed": "the dispute of event 9 is not stored as it was raised and resolved"},
    ),
    (
        "a dispute with the words of another session's",
        words_of_another_dispute,
        {"disputed": "the dispute of event 0 is not stored as it was raised and resolved"},
    ),
    (
        "a session that is gone",
        a_session_that_is_gone,
        {"numbered_sessions": "sessions are numbered 1, 3, the club has started 3"},
    ),
    (
        "the amount of a payment",
        paid_and(line("amount = amount - 1", PAID)),
        {
            "paid": "event 13 (pay): its line is not what was asked for",
            "summed": "payment from seat 3 to seat 2 adds up to [0, 5699], kept is [0, 5700]",
            "chained": "event 13 (pay): what it wrote is not what its hash covers",
        },
    ),
    (
        "a payment that nobody made",
        paid_and(line("kind = 'payment', in_play = false", "kind = 'side-bet'")),
        {
            "booked": "event 5 (side-bet): its lines are not what was asked for",
            "paid": "event 5 (side-bet): it has a line of a payment",
            "summed": "payment from seat 1 to seat 2 adds up to *, kept is *",
            "chained": "event 5 (side-bet): what it wrote is not what its hash covers",
        },
    ),
    (
        "a plan that was never made",
        paid_and(event(f"action = (SELECT action FROM scoring_event WHERE id = {event_id(14)})", 13)),
        {
            "paid": "event 13 (pay): its line is not what was asked for",
            "chained": "event 13 (pay): what it wrote is not what its hash covers",
        },
    ),
    (
        "a payment that was undone and is not",
        paid_and(event("undoes = NULL", 15)),
        {
            "paid": "event 15 (undo-payment): it takes back no payment",
            "reversed_once": "line * counts and is reversed",
            "chained": "event 15 (undo-payment): what it wrote is not what its hash covers",
        },
    ),
    (
        "the money that the bank paid for chips",
        in_cash_and(line("amount = amount - 1", f"kind = 'cash' AND amount = 4100 AND event_id = {event_id(3)}")),
        {
            "booked": "event 3 (close): its lines are not what was asked for",
            "summed": "cash from seat -1 to seat 1 adds up to [0, 4099], kept is [0, 4100]",
            "chained": "event 3 (close): what it wrote is not what its hash covers",
        },
    ),
    (
        "the money that the bank took for chips",
        in_cash_and(line("amount = amount - 1", f"kind = 'cash' AND event_id = {event_id(2)}")),
        {
            "booked": "event 2 (buy-in-all): its lines are not what was asked for",
            "handed_in_chips": "event 3 (close): what was handed in and paid for is not what there was",
            "summed": "cash from seat 1 to seat -1 adds up to [0, 3999], kept is [0, 4000]",
            "chained": "event 2 (buy-in-all): what it wrote is not what its hash covers",
        },
    ),
    (
        "what was counted",
        in_cash_and(line("amount = amount + 1", "kind = 'count'")),
        {
            "booked": "event 3 (close): its lines are not what was asked for",
            "handed_in_chips": "event 3 (close): what was handed in and paid for is not what there was",
            "summed": "count from seat 2 to seat 1 adds up to [0, 101], kept is [0, 100]",
            "chained": "event 3 (close): what it wrote is not what its hash covers",
        },
    ),
    (
        "what was handed in",
        in_cash_and(what_was_handed_in),
        {
            "booked": "event 3 (close): its lines are not what was asked for",
            "handed_in_chips": "event 3 (close): what was handed in and paid for is not what there was",
            "current": "stacks is stored as {}, the script comes to {'2': 100}",
            "chained": "event 3 (close): what it wrote is not what its hash covers",
        },
    ),
    (
        "why the count differs",
        in_cash_and(event("note = ''", 3)),
        {
            "handed_in_chips": "event 3 (close): the count differs from the ledger, and nobody says why",
            "chained": "event 3 (close): what it wrote is not what its hash covers",
        },
    ),
    (
        "whether chips are paid for on the spot",
        in_cash_and(session("cash = false")),
        {"current": "cash is stored as False, the script comes to True"},
    ),
    ("a card in all rows alike, and a chain made anew", and_chained_again, {}),
    (
        "what was agreed to, and a chain made anew",
        what_was_agreed_to,
        {"agreed": "event 13 (agree): it names another head than the one that everyone was shown"},
    ),
]


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("change", "says"), [row[1:] for row in TAMPERINGS], ids=[row[0] for row in TAMPERINGS])
def test_the_audit_says(evening: Session, change: Change, says: dict[str, str]) -> None:
    """The first finding of each check is as the table says, where a star stands for anything."""
    assert list(map(str, audit.of_everything())) == []
    change(evening)
    found: dict[str, str] = {}
    for finding in audit.of_everything():
        found.setdefault(finding.check, finding.message)
    assert found.keys() == says.keys(), found
    assert [
        message for check, message in found.items() if not fnmatchcase(message, says[check].replace("[", "[[]"))
    ] == []


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize("change", ["player_id = NULL", "kind = 'house', player_id = NULL"])
def test_a_seat_that_is_nobodys_is_noticed(evening: Session, change: str) -> None:
    """The database refuses it, as long as its constraint stands."""
    with unconstrained("scoring_seat", "seat_kind_fits"), connection.cursor() as cursor:
        cursor.execute(f"UPDATE scoring_seat SET {change} WHERE session_id = %s AND number = 1", [evening.pk])
        cursor.execute("DELETE FROM scoring_total WHERE session_id = %s AND points < 0", [evening.pk])
    assert "seat 1 is not the seat of a player, the bank or the house as its number says" in sentences("seated")


def test_every_check_notices_one_of_these() -> None:
    noticed = {check for _, _, says in TAMPERINGS for check in says}
    assert noticed == {check.__name__ for check in audit.CHECKS} | {"numbered_sessions"}


def sentences(check: str) -> list[str]:
    """Everything that one check finds."""
    return [finding.message for finding in audit.of_everything() if finding.check == check]


@pytest.mark.usefixtures("corrupts")
def test_both_sentences_of_a_hand_with_another_number(evening: Session) -> None:
    sql("UPDATE scoring_deal SET number = 9 WHERE session_id = {session} AND number = 2")(evening)
    assert sentences("numbered_deals") == [
        "deals are numbered 1, 9, the session has 2",
        "deals 1, 9 were settled by events about 1-2",
    ]


@pytest.mark.usefixtures("corrupts")
def test_a_remark_on_a_seat_that_nobody_has_and_on_a_deal_to_come(db: None) -> None:
    session = start()
    settle(session, remark=Remark(changed=[(3, "AhAdKc//"), (9, "//")], other_cards=[(1, 700)]))
    settle(session, remark=Remark(other_cards=[(1, 1)]))
    assert sentences("remarked") == [
        "event 2 remarks on seats 9, which the session does not have",
        "event 2 remarks on deals 700, which are not before its own",
    ]


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize("what", ["deals", "points", "money", "fees"])
def test_totals_of_a_player_who_was_not_there(evening: Session, what: str) -> None:
    """Those that are all zero count as none, as an earlier release froze them of a joining that was undone."""
    eve = Player.objects.get(name="Eve")
    given = {"club": evening.club, "session": evening, "currency": "EUR", "minor_digits": 2}
    zero = Total(player=eve, deals=0, points=0, money=0, fees=0, **given)
    zero.save()
    assert sentences("frozen_totals") == []
    Total.objects.filter(pk=zero.pk).update(**{what: 1})
    assert sentences("frozen_totals") == [f"totals are frozen of player {eve.pk}, who was not there"]
