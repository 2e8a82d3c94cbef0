"""The deal that is being entered: each seat's rows as the phones sent them, until the deal is settled.

This is the only writer of `Draft`. It settles and scores nothing: the ledger does that, from an entry of its own.
Nothing reads the drafts of a settled deal; they are deleted with their session, or when the next deal's first rows
arrive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from django.db.models import F, Sum

from scoring import ledger, live
from scoring.actions.deals import Remark
from scoring.drafts.rows import (
    NOTHING,
    cards,
    cards_of,
    clashes,
    done,
    identifies,
    line,
    mixed_up,
    readable,
    rows_of,
    ruling_of,
    same,
    whole,
    without_ruling,
)
from scoring.game.entry import Entry, Rows
from scoring.game.table import Table
from scoring.ledger.load import seats_of, table_of
from scoring.models import Draft, Seat, Session
from scoring.rules.board import ROWS
from scoring.rules.phrase import Phrase
from scoring.statements import Prepared
from scoring.transactions import lock, writing

MOST_UNCHOSEN: Final = 8
"""The phones of which a draft notes other rows."""

NO_DEVICE: Final = ""
"""The device of rows that no phone has sent: those of a deal that was undone."""


class Taken(Exception):  # noqa: N818 - nobody's fault; HTTP calls it a Conflict
    """Another phone has since sent different rows for this seat; ``draft`` holds them."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(f"Another phone has entered other cards for {draft.seat.name}.")


def of(session: Session) -> dict[int, Draft]:
    """The drafts of the next deal, by seat number."""
    found = _DRAFTS(session.next_number, session.pk)
    seats = {seat.pk: seat for seat in _SEATS(session.pk)} if found else {}
    for draft in found:
        draft.seat = seats[draft.seat_id]
    return {draft.seat.number: draft for draft in found}


_DRAFTS: Final = Prepared(Draft, lambda number, session: Draft.objects.filter(number=number, session=session))
_SEATS: Final = Prepared(Seat, lambda session: Seat.objects.filter(session=session))


def version(session: Session, *, before: int = 0) -> str:
    """Changes with the session and each draft of its next deal. `before` steps back that many draft revisions."""
    changes = Draft.objects.filter(session=session, number=session.next_number).aggregate(all=Sum("revision"))
    return f"{session.version}.{(changes['all'] or 0) - before}"


def keep(
    *,
    session: Session,
    number: int,
    seat: int,
    rows: Rows,
    ruled: bool = True,
    base: int,
    seen: str = "",
    sees: bool = False,
    device: str,
) -> bool:
    """Store a seat's rows of deal ``number``, and return whether that changed anything.

    The first version is stored only once it has a complete row or a ruling. With ``ruled=False`` the stored ruling
    stays whatever ``rows`` say, because a player's own phone does not ask for one. ``base`` is the draft revision that
    the phone started from, 0 for none, and ``seen`` its rows as `line` writes them; ``sees`` says that it may see the
    seat's hidden board. The same cards in another order change nothing.

    Raises `Taken` if a second phone sends rows for a seat without having seen the first phone's rows. A phone that
    repeats itself, or missed the answer to its last request, is not refused, nor is a player's own because of a ruling
    that came after the cards it has seen. What the second phone sent is
    `Draft.unchosen` until somebody has chosen there. Raises `ledger.Conflict` if the deal is not the next one (any
    more), and `LedgerError` if the session is closed.
    """
    rows = readable(rows)
    with writing():
        locked = _locked(session, number)
        draft = Draft.objects.filter(session=locked, number=number, seat__number=seat).select_related("seat").first()
        if not ruled:
            rows = replace(rows, ruling=draft.ruling if draft else "")
        if draft is None:
            if not any(whole(rows).values()) and not rows.ruling:
                return False
            Draft.objects.filter(session=locked, number__lt=number).delete()
            draft = Draft(session=locked, number=number, seat=Seat.objects.get(session=locked, number=seat), revision=0)
        elif same(line(rows), line(rows_of(draft))) and _may_see(draft, device):
            return _chosen(locked, draft, device)
        taken = draft.revision not in {0, base} and draft.device != device and rows_of(draft) != NOTHING
        if taken and not ruled and (sees or not draft.hidden):  # `seen` could be a guess of a hidden board
            taken = not same(without_ruling(seen), without_ruling(line(rows_of(draft))))
        if taken:
            # With the ruling of a hidden board, rows of nothing would count as a note, and tell that there is one.
            nothing = draft.hidden and not ruled and replace(rows, ruling="") == NOTHING
            # A Fantasyland board that arrives while the undone board lies there is as secret as a first one.
            if draft.device != NO_DEVICE or not draft.seat.fantasyland_cards:
                _note(locked, draft, NOTHING if nothing else rows, device)
        else:
            _change(locked, draft, rows, device)
    if taken:
        raise Taken(draft)
    return True


def give_up(*, session: Session, seat: int, device: str) -> None:
    """Note that somebody has chosen the stored rows of a seat instead of those of this phone."""
    with writing():
        locked = lock(Session, session.pk)
        draft = of(locked).get(seat)
        if draft:
            _chosen(locked, draft, device)


def lay_again(*, session: Session, undone: int, boards: Mapping[int, Rows]) -> bool:
    """Store the boards of a deal that was ``undone`` as the rows of the next deal, and return whether that was done.

    Nothing is done once somebody has begun that deal. No device has sent these rows, so they may still make room for
    those of an earlier deal, if that is undone as well. Everybody saw them, so none of them is hidden; but what a phone
    makes of them may be. If a change was reported in the undone deal, it is reported of these rows, too.
    """
    with writing():
        locked = lock(Session, session.pk)
        begun, seats = of(locked), {seat.number: seat for seat in seats_of(locked)}
        if locked.closed_at is not None:
            return False
        if any(map(_was_begun, begun.values())):
            Draft.objects.filter(session=locked, number=locked.next_number, undone_deal=0).update(undone_deal=undone)
            return False
        if any(draft.undone and draft.undone_deal == undone for draft in begun.values()):
            return True  # the same undo once more
        number, lineup = locked.next_number, set(table_of(locked, list(seats.values())).lineup())
        told = {each.seat_id: each for each in Draft.objects.filter(session=locked, number=undone)}
        Draft.objects.filter(session=locked, number__lt=number).delete()
        for seat in begun.keys() | (boards.keys() & lineup):
            rows = readable(boards.get(seat, NOTHING))
            draft = begun.get(seat) or Draft(session=locked, number=number, seat=seats[seat], revision=0)
            before = told.get(draft.seat_id)
            draft.when_shown = before.when_shown if before and _differs(before, rows) else ""
            draft.undone, draft.undone_deal = line(rows) if seat in boards else "", undone
            draft.revealed = False
            _put(draft, rows, NO_DEVICE)
        live.entered(locked.public_id, version(locked))
        return True


def put_away(*, session: Session, number: int) -> None:
    """Take back the rows that were laid out again for deal ``number``, which was undone and counts again.

    Their drafts stay, as newer ones without a row, or a phone that has a copy would take it for rows that the server
    lacks. Rows that somebody has changed since are kept: after the last deal they belong to the next one, and what was
    shown of that has been shown.

    - A player who had sent nothing of the next deal by then is reported as having had nothing.
    - A board of this deal that was mended and shown leaves the player's next one hidden.
    - Where nobody is in Fantasyland, a board of this deal that was mended is taken back, too.
    - A ruling of this deal that has stayed beside new rows is taken back.
    """
    with writing():
        locked = lock(Session, session.pk)
        left = of(locked)
        mended = [draft for draft in left.values() if _was_mended(draft)]
        shown = any(draft.revealed and draft not in mended for draft in left.values())
        secrets = any(draft.dealt_at_once or draft.revealed or draft.seat.fantasyland_cards for draft in left.values())
        laid = [draft for draft in left.values() if draft.undone_deal == number]
        of_it = [draft for draft in laid if is_mended(draft, laid)]
        for draft in laid:
            lay_there = bool(draft.undone) and same(*map(without_ruling, (draft.when_shown, draft.undone)))
            draft.when_shown = (line(NOTHING) if lay_there else draft.when_shown) if shown else ""
            if draft in mended:
                draft.revealed = draft.dealt_at_once = False
            if draft.undone or draft.device == NO_DEVICE:
                draft.undone_deal = 0
            if draft.device == NO_DEVICE or (not secrets and draft in of_it):
                draft.when_shown, draft.undone = "", ""
                _put(draft, NOTHING, NO_DEVICE)
            else:
                if draft.ruling and draft.ruling == ruling_of(draft.undone):
                    draft.ruling, draft.revision = "", draft.revision + 1
                    draft.done = done(rows_of(draft))
                draft.save()
        live.entered(locked.public_id, version(locked))


def _locked(session: Session, number: int) -> Session:
    """The session, locked. Raises `ledger.Conflict` or `LedgerError` unless deal ``number`` is being entered."""
    locked = lock(Session, session.pk)
    ledger.check_open(locked)
    if number != locked.next_number:
        raise ledger.Conflict(locked, Phrase("Hand {number} has been settled already.", number=number))
    return locked


def is_unsent(draft: Draft) -> bool:
    """Whether no phone has sent these rows: an undo laid them there, or a restoration took them away."""
    return draft.device == NO_DEVICE


def _was_begun(draft: Draft) -> bool:
    """Whether somebody has entered or seen something of this deal, though it may have been taken back."""
    return draft.device != NO_DEVICE and (rows_of(draft) != NOTHING or draft.revealed or bool(draft.when_shown))


def _change(session: Session, draft: Draft, rows: Rows, device: str) -> None:
    """Store what a phone sent, reveal what may be seen by then, and tell the other phones."""
    if not draft.when_shown and (_others_shown(draft) or _takes_back_what_was_shown(draft, rows)):
        draft.when_shown = line(rows_of(draft))
    anew = bool(cards(rows)) and not _has_a_row_of_the_undone(draft, line(rows))
    if anew and rows.ruling != ruling_of(draft.undone):  # so one that is made again is of the next deal
        draft.undone = without_ruling(draft.undone)
    _put(draft, rows, device)
    if draft.done:
        _reveal(session)
    live.entered(session.public_id, version(session))


def _chosen(session: Session, draft: Draft, device: str) -> bool:
    """Nobody has to choose on this phone any more. Returns whether somebody had to."""
    return any(device == each for each, _ in draft.unchosen) and _note(session, draft, NOTHING, device)


def _note(session: Session, draft: Draft, rows: Rows, device: str) -> bool:
    """Note the other rows of a phone on which somebody has to choose; `NOTHING` deletes the note.

    Returns whether that changed anything. It counts as a revision, so that all phones ask for it.
    """
    unchosen = [note for note in draft.unchosen if note[0] != device]
    if rows != NOTHING:
        unchosen = [*unchosen, [device, line(rows)]][-MOST_UNCHOSEN:]
    # Whether a note about a hidden board was there already would tell that somebody guessed it right.
    if unchosen == draft.unchosen and not draft.hidden:
        return False
    draft.unchosen, draft.revision = unchosen, draft.revision + 1
    draft.save()
    live.entered(session.public_id, version(session))
    return True


def _put(draft: Draft, rows: Rows, device: str) -> None:
    """Save these rows as the next version of the draft."""
    # A note about a hidden board stays, though the rows are the same by now: that it went would tell who guessed them.
    draft.unchosen = [
        [each, other]
        for each, other in draft.unchosen
        if device not in {NO_DEVICE, each} and (draft.hidden or not same(other, line(rows)))
    ]
    draft.dealt_at_once = device != NO_DEVICE and (draft.dealt_at_once or draft.seat.fantasyland_cards > 0)
    draft.front, draft.middle, draft.back, draft.ruling = rows.front, rows.middle, rows.back, rows.ruling
    draft.revision, draft.device, draft.done = draft.revision + 1, device, done(rows)
    draft.save()


def _may_see(draft: Draft, device: str) -> bool:
    """Whether this phone may learn that its rows are those stored; others could guess a hidden board that way."""
    return not draft.hidden or draft.device == device


def _others_shown(draft: Draft) -> bool:
    """Whether another seat's hidden board was shown before these came, so their player was not dealt in then."""
    shown = Draft.objects.filter(session=draft.session, number=draft.number, revealed=True)
    return shown.exclude(seat=draft.seat).exists()


def _takes_back_what_was_shown(draft: Draft, rows: Rows) -> bool:
    """Whether a board of Fantasyland was shown before it was complete, and now lacks a card that was shown."""
    return draft.revealed and _lacks(line(rows), line(rows_of(draft)))


def _lacks(now: str, shown: str) -> bool:
    """Whether a row of the text of `line` has lost a card that it had when it was shown."""
    rows = map(without_ruling, (shown, now))
    pairs = zip(*(each.split("/") for each in rows), strict=True)
    return any(Counter(cards_of(was)) - Counter(cards_of(is_)) for was, is_ in pairs)


def show(*, session: Session, number: int, seat: int) -> None:
    """Reveal the board of a seat if it is `withheld`, and all others that are; else their players could use it unseen.

    By this somebody says that the boards of all others are as they were dealt. Raises `ledger.Conflict` if deal
    ``number`` is not the next one, and `LedgerError` if the session is closed.
    """
    with writing():
        locked = _locked(session, number)
        drafts, table = of(locked), table_of(locked, seats_of(locked))
        ready = withheld(drafts, table)
        if seat in ready:
            _reveal(locked, ready)
            Draft.objects.filter(pk__in=[drafts[each].pk for each in ready]).update(revision=F("revision") + 1)
            live.entered(locked.public_id, version(locked))


def _reveal(session: Session, asked: Iterable[int] = ()) -> None:
    """Reveal each hidden board for which all other boards are in, unless some card is there twice; and those ``asked``.

    After an undo only those, because no rows say by themselves of which deal they are: cards of the undone one may lie
    in any board. Nobody waits for players who are not dealt in. The rows of all boards are kept as they are at the
    first reveal, or once they are complete after it. What was told of a board in an undone deal is dropped at the
    first reveal if all its rows are others now.
    """
    drafts, table = of(session), table_of(session, seats_of(session))
    by_itself = not _after_an_undo(drafts) and not stuck(drafts, table)
    first = not any(draft.revealed for draft in drafts.values())
    ready = {*asked, *(waiting(drafts, table) if by_itself else ())}
    for seat in ready:
        Draft.objects.filter(pk=drafts[seat].pk).update(revealed=True)
    if ready or any(draft.revealed for draft in drafts.values()):
        for draft in (drafts[seat] for seat in table.lineup() if seat in drafts):
            completed = _in_part(draft) and not _differs(draft, rows_of(draft))
            anew = first and bool(draft.undone) and not _has_a_row_of_the_undone(draft, line(rows_of(draft)))
            if draft.done and (completed or anew or not draft.when_shown):
                Draft.objects.filter(pk=draft.pk).update(when_shown=line(rows_of(draft)))


def hidden(drafts: Mapping[int, Draft]) -> set[int]:
    """Seats whose boards only their own phones may see, until they are revealed, also if they are not dealt in now.

    The drafts say so, not the table: somebody may change or void the deal before, and bring it back.
    """
    return {seat for seat, draft in drafts.items() if draft.hidden}


def waiting(drafts: Mapping[int, Draft], table: Table) -> set[int]:
    """The hidden seats in the lineup for which all other boards are in."""
    lineup = set(table.lineup())
    missing = lineup - {seat for seat, draft in drafts.items() if draft.done}
    return {seat for seat in hidden(drafts) & lineup if not missing - {seat}}


def _after_an_undo(drafts: Mapping[int, Draft]) -> bool:
    """Whether boards of a deal that was undone have lain among these."""
    return any(draft.undone_deal or draft.undone for draft in drafts.values())


def lies_again(draft: Draft) -> bool:
    """Whether a row of this board, or all of it, lies there from a deal that was undone; False for a hidden one."""
    if draft.device == NO_DEVICE or draft.hidden or draft.ruling:
        return draft.device == NO_DEVICE and draft.done
    return draft.done and _has_a_row_of_the_undone(draft, line(rows_of(draft)))


def is_mended(draft: Draft, others: Iterable[Draft] = ()) -> bool:
    """Whether a phone has changed a board of the deal that was undone, and has not begun a new one.

    Of a board of another seat, which one of the ``others`` had in that deal, two rows have to be here: one may be the
    same in two deals. Of a hidden board all this must be told to nobody.
    """
    if draft.undone and _rows_of_one(draft, draft.undone):
        return True
    elsewhere = {each.undone for each in others if each.undone and each.undone_deal == draft.undone_deal}
    return any(_rows_of_one(draft, each, enough=2) for each in elsewhere)


def _rows_of_one(draft: Draft, undone: str, *, enough: int = 1) -> bool:
    """Whether this board has ``enough`` rows of an undone one, of which one tells, or all its long ones mixed up."""
    now, was = (without_ruling(each).split("/") for each in (line(rows_of(draft)), undone))
    if mixed_up((now[1], now[2]), (was[1], was[2])):
        return True
    found = [name for name, row, before in zip(ROWS, now, was, strict=True) if row and same(row, before)]
    return len(found) >= enough and any(identifies(name, getattr(draft, name)) for name in found)


def _was_mended(draft: Draft) -> bool:
    """Whether a board that was shown is of the deal that was undone, with some of its rows as they were."""
    lines = [line(rows_of(draft)), *filter(None, [draft.when_shown])]
    return draft.revealed and all(_has_a_row_of_the_undone(draft, each) for each in lines)


def _has_a_row_of_the_undone(draft: Draft, text: str) -> bool:
    """Whether a text of `line` has a row that the draft had in the deal that was undone."""
    rows = zip(*(without_ruling(each).split("/") for each in (text, draft.undone)), strict=False)
    return any(row and same(row, was) for row, was in rows)


def withheld(drafts: Mapping[int, Draft], table: Table) -> set[int]:
    """The hidden seats that somebody may show, since all boards are there, and none is shown by itself any more.

    That is so after an undo, and if a player for whom the others waited is not dealt in any more.
    """
    if stuck(drafts, table):
        return set()
    return {seat for seat in waiting(drafts, table) if drafts[seat].done}


def stuck(drafts: Mapping[int, Draft], table: Table) -> bool:
    """Whether some card is on the table more often than in the deck, so that no hidden board is revealed.

    After an undo that is not in the way: none is revealed by itself, and to say it would let somebody test one hidden
    card after the other.
    """
    rows = {seat: rows_of(drafts[seat]) for seat in table.lineup() if seat in drafts}
    return not _after_an_undo(drafts) and bool(clashes(rows, table))


def unchosen(draft: Draft, *, but: str = "") -> list[str]:
    """The other rows, newest first, for which somebody has yet to choose on a phone other than ``but``.

    Nobody learns any of a hidden board: its stored rows may be an opponent's, and the others its player's.
    """
    if draft.hidden:
        return []
    return [rows for device, rows in reversed(draft.unchosen) if device != but]


def changed(drafts: Mapping[int, Draft]) -> set[int]:
    """The seats whose cards were changed after a hidden board was shown; of a hidden one nobody learns that."""
    return {seat for seat, draft in drafts.items() if not draft.hidden and _is_reported(drafts, seat, rows_of(draft))}


def other_cards(drafts: Mapping[int, Draft]) -> set[int]:
    """The seats with other cards than in the deal that was undone, if Fantasyland was or is shown."""
    if not any(draft.dealt_at_once or draft.seat.fantasyland_cards for draft in drafts.values()):
        return set()
    return {seat for seat, draft in drafts.items() if not draft.hidden and _is_another(draft, rows_of(draft))}


def remark(session: Session, entry: Entry) -> Remark:
    """For the history of the deal that is being settled: whose cards were changed after a hidden board was shown.

    It does not say by whom: an opponent's phone may have sent either. Of a deal that was undone the history has the
    cards, so it names only the seats.
    """
    entered = of(session) if entry.points is None else {}
    boards = {seat: readable(entry.boards.get(seat, NOTHING)) for seat in sorted(entered)}
    before = {seat: entered[seat].when_shown for seat, rows in boards.items() if _is_reported(entered, seat, rows)}
    before |= {seat: line(rows_of(entered.get(seat))) for seat in _came_late(entered, entry)}
    others: list[tuple[int, int]] = []
    if any(draft.dealt_at_once or draft.seat.fantasyland_cards for draft in entered.values()):
        dealt = {seat: rows for seat, rows in boards.items() if seat in entry.boards}
        others = [(seat, entered[seat].undone_deal) for seat, rows in dealt.items() if _is_another(entered[seat], rows)]
    return Remark([(seat, _without_spaces(rows)) for seat, rows in sorted(before.items())], others)


def _came_late(entered: Mapping[int, Draft], entry: Entry) -> list[int]:
    """The seats of which nothing was noted at a reveal, and that are settled with cards which no phone has sent."""
    if not any(draft.revealed for draft in entered.values()):
        return []
    noted = {seat for seat, draft in entered.items() if draft.when_shown or draft.hidden}
    return [seat for seat, rows in entry.boards.items() if seat not in noted and _is_late(entered.get(seat), rows)]


def _is_late(draft: Draft | None, rows: Rows) -> bool:
    """Whether a form has other cards than the draft; one that goes on with a board that was shown in part has none."""
    now, was = line(readable(rows)), line(rows_of(draft))
    if draft and draft.revealed:
        return _lacks(now, was)
    return not same(without_ruling(now), without_ruling(was))


def _is_another(draft: Draft, rows: Rows) -> bool:
    """Whether these have other cards than the draft had in the deal that was undone."""
    was = draft.undone if draft.undone_deal else ""
    return bool(was) and not same(without_ruling(was), without_ruling(line(rows)))


def _is_reported(drafts: Mapping[int, Draft], seat: int, rows: Rows) -> bool:
    """Whether a seat's change of cards after a reveal is reported.

    One of a deal that was undone is reported as long as rows of that deal lie there, or until another deal is shown.
    """
    draft, shown = drafts[seat], any(draft.revealed for draft in drafts.values())
    return _differs(draft, rows) and (shown or _has_a_row_of_the_undone(draft, line(rows_of(draft))))


def _differs(draft: Draft, rows: Rows) -> bool:
    """Whether these have other cards than a draft had when a hidden board was shown. A ruling is no change of cards.

    Nor is it one to go on with a board that was shown in part. Of a hidden board, only changes to rows that an undone
    deal had laid there count.
    """
    was, are = without_ruling(draft.when_shown), without_ruling(line(rows))
    if not was or (draft.hidden and not same(was, without_ruling(draft.undone))):
        return False
    return _lacks(are, was) if _in_part(draft) else not same(was, are)


def _in_part(draft: Draft) -> bool:
    """Whether what was shown of a board of Fantasyland is noted, and is only a part of it."""
    shown = Rows(*without_ruling(draft.when_shown).split("/"))
    return draft.revealed and bool(draft.when_shown) and not all(whole(shown).values())


def _without_spaces(shown: str) -> str:
    return "".join(without_ruling(shown).split())
