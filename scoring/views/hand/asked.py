"""What a request to the page of the next hand asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from scoring import drafts, reads
from scoring.actions.deals import Settle
from scoring.forms.hand import DealForm, prefix, seats_carried
from scoring.game.entry import Entry, Rows
from scoring.models import Draft, Event, Seat, Session
from scoring.request import Request, is_key, new_key, whole_number
from scoring.rules.board import ROWS
from scoring.views.hand.drafting import Drafting, line_of
from scoring.views.hand.same import LATEST, same_deal, seats_of_deal, shares_a_row
from scoring.wording.entering import overtaken

Alike = Callable[[Mapping[str, Any], Mapping[str, Any]], bool]
"""Whether two entries, in JSON, are the same in some respect."""


class Asked:
    """A hand as it was sent: by GET for the form or the preview, by POST to be settled."""

    def __init__(self, request: Request, session: Session) -> None:
        self.request, self.session = request, session
        self.sent = request.POST if request.method == "POST" else request.GET
        self.seats, self.table = reads.seating(session)
        sent_key = self.sent.get("key", "")
        self.key = sent_key if is_key(sent_key) else new_key()

    @cached_property
    def first(self) -> DealForm:
        """What was typed, for the seats dealt in when the form was opened, so that a repeat is still the same deal."""
        return DealForm(self.sent, seats_carried(self.sent, list(self.names)) or self.table.lineup())

    @property
    def names(self) -> dict[int, str]:
        """The name of every player of the session by seat number, whether at the table or not."""
        return {seat.number: seat.name for seat in self.seats if seat.kind == Seat.Kind.PLAYER}

    @cached_property
    def entry(self) -> Entry | None:
        """The entry that was typed, for the seats as in `first`. None, with errors there, if it cannot be read."""
        return self.first.entry()

    @cached_property
    def form(self) -> DealForm:
        """The form for the seats dealt in now, filled up with the rows that other phones have sent."""
        return DealForm(self.fields, self.table.lineup(), initial=self.drafting.fields())

    @cached_property
    def drafting(self) -> Drafting:
        """The rows that phones have sent."""
        return Drafting(self.request, self.session, self.table)

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields that were sent, without those that `_left_alone` finds."""
        newer = self._left_alone()
        return {name: text for name, text in self.sent.dict().items() if name not in newer}

    @cached_property
    def typed(self) -> bool:
        """Whether anything was typed."""
        return DealForm(self.sent, self.table.lineup()).sent or self.first.sent

    @property
    def wants_preview(self) -> bool:
        """Whether to preview: something was typed, or the button under rows that phones have sent was pressed."""
        return "edit" not in self.sent and (self.typed or "seats" in self.sent)

    @property
    def everyone_in(self) -> bool:
        """Whether nothing is left to enter for any seat."""
        form = self.form
        return all(drafts.done(Rows(*board.rows(), ruling=form.rulings[seat])) for seat, board in form.boards.items())

    @cached_property
    def done(self) -> Event | None:
        """The event that the form's key has recorded already."""
        return reads.recorded(self.session, self.key)

    @property
    def number(self) -> int:
        """The number of the deal that the form was opened for, or was settled by it; 0 if it does not say."""
        if self.done and self.done.verb == Settle.verb:
            return self.done.deal or 0
        return whole_number(self.sent.get("number"))

    @property
    def begun(self) -> int:
        """The number under which the hand was begun.

        The form may have a later one by now, but the hand may still be that which was settled under the first, taken
        back, and restored.
        """
        begun = whole_number(self.sent.get("begun"))
        return begun if 0 < begun < self.number else self.number

    @property
    def opened(self) -> int:
        """The session's version when the form was opened, for people know of all that was before; 0 if it says none."""
        return min(whole_number(self.sent.get("opened")), self.session.version)

    @cached_property
    def settled(self) -> reads.SettledDeal | None:
        """The deal of this form as it counts, if it was settled, from this form or another phone.

        It may have another number than the form, on a page that was left open while several deals were settled, or its
        own was taken back and entered again. Cards are compared with those that count and those that were corrected.
        Points do not tell, so any deal by points that was settled since the page was opened may be the one.
        """
        if not self.number or (not self.typed and "number" not in self.sent):
            return None
        numbered = reads.settled(self.session, self.begun)
        if self.entry is None or self.entry.points is not None:
            return numbered or next(reversed(self._settled_since), None)
        typed = self.entry.as_document()
        found = [*([numbered] if numbered else []), *self._settled_since]
        alike = (each for test in (same_deal, shares_a_row) for each in found if _is(each, typed, test))
        by_points = (each for each in found if "points" in each.now)
        return next(alike, None) or next(by_points, numbered)

    @property
    def _settled_since(self) -> list[reads.SettledDeal]:
        """The deals that were settled since the hand was begun, the latest of them."""
        if self.begun >= self.session.next_number:
            return []
        return reads.settled_since(self.session, self.begun, most=LATEST)

    @property
    def settled_number(self) -> int:
        """The number of the deal that has been settled since the form was opened, 0 for none."""
        return self.settled.number if self.settled else 0

    @property
    def is_settled(self) -> bool:
        """Whether this very hand has been settled.

        Without any cards it is the button of a page on which everybody was in.
        """
        if self.settled is None or self.entry is None:
            return False
        return not self.typed or _is(self.settled, self.entry.as_document(), same_deal)

    @cached_property
    def newer(self) -> list[int]:
        """The seats of which phones have sent other rows for the next hand since it was previewed."""
        if self.done or self.first.by_points or self.number != self.session.next_number:
            return []
        return self.drafting.newer(self.first, self.sent)

    @property
    def replaced(self) -> list[int]:
        """Those of `newer` for which the form has the rows of the other phone by now."""
        now, then = self.form, self.first
        return [
            seat
            for seat in self.newer
            if seat in now.boards and not drafts.same(line_of(now, seat), line_of(then, seat))
        ]

    @property
    def held(self) -> list[int]:
        """Those of `newer` for which the form keeps its own rows, since somebody has yet to choose."""
        return [seat for seat in self.newer if seat not in self.replaced]

    @property
    def overtaken(self) -> str:
        """What phones have done since the hand was previewed, so that it was not settled."""
        names: dict[str, list[str]] = {"taken_back": [], "changed": [], "ruled": []}
        for seat in self.replaced:
            now, then = self.form.boards[seat], self.first.boards[seat]
            cards_now, cards_then = (drafts.without_ruling(line_of(each, seat)) for each in (self.form, self.first))
            if seat in self.drafting.secret:
                what = "changed"
            elif drafts.same(cards_now, cards_then):
                what = "ruled"
            elif now.given().keys() < then.given().keys():
                what = "taken_back"
            else:
                what = "changed"
            names[what].append(self.table.name(seat))
        return overtaken(**names, other=[self.table.name(seat) for seat in self.held])

    @property
    def is_late(self) -> bool:
        """Whether this hand has been settled with other cards, and is not the next one under an old number."""
        if self.settled is None:
            return False
        if self.entry is None:  # the next page would ask for these points again, as those of the next hand
            return self.typed and self.first.by_points
        if self.entry.points is not None or "points" in self.settled.now:
            return True  # points do not tell one hand from the next
        return _is(self.settled, self.entry.as_document(), shares_a_row)

    def _left_alone(self) -> set[str]:
        """The fields of seats whose rows came from other phones after this page was served, and were not touched on it.

        A browser sends them as they were, mostly empty. A row that was changed or emptied here counts as it was sent.
        A ruling on the very cards of a page that has seen none is taken over.
        On a page that shows boards of another hand than those that came, every row counts as it was sent: filled up,
        the page would have boards of two hands.
        """
        form, drafting, found = DealForm(self.sent, self.table.lineup()), self.drafting, set[str]()
        for seat in form.seats:
            key, typed = prefix(seat), Rows(*form.boards[seat].rows(), ruling=form.rulings[seat])
            changed = drafting.changed_since(seat, drafting.started_from(seat, self.sent))
            line, seen = drafts.line(drafts.readable(typed)), self.sent.get(f"{key}-seen", "")
            if changed and not seen and not typed.ruling and drafting.has_cards(seat, line):
                found.add(f"{key}-ruling")
            if not changed or not drafts.same(line, seen):
                continue
            if form.sent and self._is_of_another_deal(drafting.drafts[seat], form):
                return set()
            found |= {f"{key}-{part}" for part in (*ROWS, "ruling", "rev", "seen")}
        return found

    def _is_of_another_deal(self, draft: Draft, form: DealForm) -> bool:
        """Whether a draft is of another hand than this ``form``, which is as it was sent."""
        others = self.drafting.drafts.values()
        if drafts.is_unsent(draft) or (draft.undone_deal and not draft.hidden and drafts.is_mended(draft, others)):
            return not seats_of_deal(form, reads.entries_of(self.session, draft.undone_deal))
        if self.begun in {0, self.session.next_number}:
            return False
        return draft.undone_deal != self.begun or not draft.hidden

    @property
    def of_two_deals(self) -> tuple[int, list[int], list[int]]:
        """The undone deal from which some boards of the form come, while others are new, and the seats of those; or 0.

        It may be right: everybody's cards but one player's were entered again. Or somebody has begun the next hand over
        the boards that an undo laid on the pad. The last seats are those of which it has only the ruling.
        """
        form = self.form
        taken_back = {self.begun, *(draft.undone_deal for draft in self.drafting.drafts.values())}
        typed = {seat for seat, board in form.boards.items() if any(board.rows())}
        for number in sorted(taken_back - {0, self.session.next_number}, reverse=True):
            boards = set(seats_of_deal(form, reads.entries_of(self.session, number)))
            rulings = set(self._ruled_in(number)) - boards
            if (boards or rulings) and typed - boards and reads.counting(self.session, number) is None:
                return number, sorted(boards), sorted(rulings)
        return 0, [], []

    def _ruled_in(self, number: int) -> list[int]:
        """The seats of which the form has the ruling that they had in this deal, which was undone."""
        return [
            seat
            for seat, draft in self.drafting.drafts.items()
            if draft.undone_deal == number
            and (ruling := drafts.ruling_of(draft.undone))
            and ruling == self.form.rulings.get(seat)
        ]


def _is(settled: reads.SettledDeal, typed: Mapping[str, Any], alike: Alike) -> bool:
    """Whether what was typed is ``alike`` to the deal as it counts, or as it was before it was corrected."""
    return any(alike(entry, typed) for entry in settled.ever)
