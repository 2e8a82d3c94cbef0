"""The hand that is being entered, as far as one phone may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from scoring import drafts, reads
from scoring.forms.hand import RULINGS, DealForm, prefix
from scoring.game.entry import Rows
from scoring.game.table import Table
from scoring.models import Draft, Session
from scoring.request import Request, whole_number
from scoring.rules.board import ROWS
from scoring.texts import gettext as _
from scoring.texts import pgettext
from scoring.views.hand.rows import DraftShown, Fieldset, fieldset
from scoring.views.shared.device import device_of
from scoring.wording.boards import row_label
from scoring.wording.entering import entered_again, fouled, on_two_phones, who_is_in, withheld
from scoring.wording.figures import listed, sentences
from scoring.wording.phrases import translated


@dataclass(frozen=True, slots=True)
class OtherShown:
    """How far one player's rows are. ``cards`` are their cards as the pad's keys spell them, separated by spaces.

    ``look`` is the class of its place in the list. ``changed`` says that they were changed after somebody's Fantasyland
    was shown, and ``other_cards`` that they are others than in the hand that was undone.
    """

    name: str
    look: str
    state: str
    cards: str
    changed: bool
    other_cards: bool


@dataclass(frozen=True, slots=True)
class OnTwoPhones:
    """A player on whose rows two phones do not agree: the rows in question here, and as the other phone has them."""

    name: str
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class Entering:
    """Who is in, in words, as of ``version`` of the drafts. ``own`` says that the reader's own rows are.

    ``stuck`` names the players whose Fantasyland stays hidden because of a card that is there twice. ``settle`` is the
    address of the settlement, once everybody is in and on phones that may settle and see all boards. ``begun`` says
    that there are cards, although nobody is in yet.
    """

    version: str
    said: str = ""
    own: bool = False
    stuck: str = ""
    settle: str = ""
    begun: bool = False


def entering(request: Request, session: Session) -> dict[str, Entering]:
    """Context for ``hand/_entering.html``, on pages that show the table to anybody."""
    drafting = Drafting(request, session, reads.seating(session)[1])
    return {"entering": drafting.entering(undone=drafting.entered_again(*drafting.table.lineup()))}


class Drafting:
    """The drafts of a session's next hand as one phone sees them. ``secret`` are the seats that are hidden from it.

    ``without`` leaves all drafts out, as if nobody had entered anything.
    """

    def __init__(self, request: Request, session: Session, table: Table, *, without: bool = False) -> None:
        self.session, self.table, self._device = session, table, device_of(request)
        self.drafts: Mapping[int, Draft] = {} if without else drafts.of(session)
        self._settles = request.grant.enters
        self.secret = {
            seat
            for seat in drafts.hidden(self.drafts)
            if self.drafts[seat].device != self._device and request.grant.seat != seat
        }
        self._others = {seat for seat, draft in self.drafts.items() if draft.device != self._device}
        rows = {seat: drafts.rows_of(draft) for seat, draft in self.drafts.items() if seat not in self.secret}
        self._clashes = drafts.clashes(rows, table)
        self._withheld = drafts.withheld(self.drafts, table) & self.secret
        self._other_cards, self._changed = drafts.other_cards(self.drafts), drafts.changed(self.drafts)

    @property
    def version(self) -> str:
        """The same text as `drafts.version`, without another query."""
        return f"{self.session.version}.{sum(draft.revision for draft in self.drafts.values())}"

    def fields(self) -> dict[str, str]:
        """The rows that this phone may see, by field name."""
        found: dict[str, str] = {}
        for seat, draft in self.drafts.items():
            if seat not in self.secret:
                found |= {f"{prefix(seat)}-{row}": getattr(draft, row) for row in (*ROWS, "ruling")}
        return found

    @property
    def undone(self) -> int:
        """The undone deal that a draft still has a row of, or 0."""
        dealt_in = [self.drafts[seat] for seat in self.table.lineup() if seat in self.drafts]
        return max((draft.undone_deal for draft in dealt_in if drafts.lies_again(draft)), default=0)

    def entered_again(self, *seats: int) -> int:
        """The undone deal of which one of these seats' boards is entered again, or 0."""
        whole = [self.drafts[seat] for seat in seats if seat in self.drafts and self.drafts[seat].done]
        again = [each for each in whole if not each.hidden and (drafts.is_unsent(each) or drafts.is_mended(each))]
        return max((draft.undone_deal for draft in again), default=0)

    def changed_since(self, seat: int, revision: int) -> bool:
        """Whether another phone has changed this seat's draft since ``revision``."""
        return seat in self._others and self.drafts[seat].revision != revision

    def has_cards(self, seat: int, line: str) -> bool:
        """Whether a seat's draft, which is not hidden from this phone, has the cards of this text of `drafts.line`."""
        stored = drafts.line(drafts.rows_of(self.drafts[seat]))
        return seat not in self.secret and drafts.same(*map(drafts.without_ruling, (line, stored)))

    def taken_unseen(self, seat: int, typed: str) -> bool:
        """Whether another phone has sent a hidden board, which may have replaced one that it was not shown.

        It was shown what lay there from a hand that was undone, if that is what was ``typed``.
        """
        draft = self.drafts[seat]
        known = drafts.same(drafts.without_ruling(typed), drafts.without_ruling(draft.undone))
        return seat in self._others and draft.hidden and not known

    def started_from(self, seat: int, sent: Mapping[str, str]) -> int:
        """The draft revision that a seat's rows, as sent, started from; 0 if that was a draft of another hand."""
        other = whole_number(sent.get("number")) not in {0, self.session.next_number}
        return 0 if other else whole_number(sent.get(f"{prefix(seat)}-rev"))

    def known(self, form: DealForm) -> dict[str, str]:
        """The fields of a preview by which its settlement is known to start from the drafts as they are now."""
        found: dict[str, str] = {}
        for seat in form.seats:
            if seat in self.drafts and seat not in self.secret:
                shown = self.shown(seat)
                found |= {f"{prefix(seat)}-rev": str(shown.revision), f"{prefix(seat)}-seen": shown.seen}
        return found

    def entry(self, form: DealForm, seat: int, based_on: DraftShown | None = None) -> Fieldset:
        """A seat's fieldset. ``based_on`` is the draft that its rows started from, by default the current one."""
        return fieldset(
            prefix(seat),
            self.table.name(seat),
            form.boards[seat],
            self.table.rules.as_document(),
            errors=form.errors,
            fantasyland=self.table.dealt_at_once(seat),
            button=seat == self.table.button,
            ruling=form.rulings[seat],
            draft=based_on or self.shown(seat),
            clashes={row: translated(self._clashes[seat, row]) for row in ROWS if (seat, row) in self._clashes},
        )

    def as_sent(self, seat: int, sent: Mapping[str, str]) -> DraftShown | None:
        """The draft that a seat's rows, as sent, started from. None if no rows were sent for it, or the seat is secret.

        Claiming the current draft instead would let the phone overwrite rows that it never saw.
        """
        field = prefix(seat)
        if seat in self.secret or not any(f"{field}-{row}" in sent for row in ROWS):
            return None
        return replace(self.shown(seat), revision=self.started_from(seat, sent), seen=sent.get(f"{field}-seen", ""))

    def shown(self, seat: int) -> DraftShown:
        """A seat's current draft."""
        draft = self.drafts.get(seat)
        secret = seat in self.secret
        seen = drafts.line(drafts.rows_of(draft))
        others = drafts.unchosen(draft, but=self._device) if draft else []
        return DraftShown(
            address=reverse("draft", args=[self.session.public_id, seat]),
            revision=draft.revision if draft else 0,
            seen="" if secret else seen,
            unseen=bool(draft and draft.hidden and seat in self._others),
            away=self._how_far(seat) if secret else "",
            state=_state(draft) if secret else "",
            undone=self.undone,
            done=bool(draft and draft.done),
            unchosen=next((said for each in others if (said := rows_that_differ(each, seen))), ""),
        )

    def on_two_phones(self, form: DealForm, sent: Mapping[str, str]) -> list[OnTwoPhones]:
        """The players of whom this form, as ``sent``, has other rows than another phone.

        That is one on which somebody has yet to choose, or one that has changed the draft since this form knew it.
        """
        found = []
        for seat, draft in self.drafts.items():
            if seat not in form.boards or draft.hidden or drafts.is_unsent(draft):
                continue
            here, stored = line_of(form, seat), drafts.line(drafts.rows_of(draft))
            theirs = drafts.unchosen(draft) if drafts.same(here, stored) else [stored]
            for there in theirs if draft.unchosen or self.changed_since(seat, self.started_from(seat, sent)) else []:
                ruled = drafts.ruling_of(here) != drafts.ruling_of(there)
                differing = [rows_that_differ(*each, lacking=ruled) for each in ((here, there), (there, here))]
                if any(differing):
                    found.append(OnTwoPhones(self.table.name(seat), *differing))
        return found

    def _in_question(self, seat: int) -> bool:
        """Whether phones have other rows for a seat than its draft, and somebody has yet to choose."""
        draft = self.drafts.get(seat)
        stored = drafts.line(drafts.rows_of(draft))
        return draft is not None and any(rows_that_differ(each, stored) for each in drafts.unchosen(draft))

    def newer(self, form: DealForm, sent: Mapping[str, str]) -> list[int]:
        """The seats of which another phone has sent other rows than this form has, since its preview was made."""
        found = []
        for seat in form.seats:
            draft = self.drafts.get(seat)
            if draft is None or draft.revision == self.started_from(seat, sent):
                continue
            if draft.hidden:  # it says nothing of its cards that another phone has sent some since
                if seat in self.secret and drafts.same(line_of(form, seat), sent.get(f"{prefix(seat)}-seen", "")):
                    found.append(seat)
                continue
            here, stored = line_of(form, seat), drafts.line(drafts.rows_of(draft))
            other = seat in self._others
            untouched = other and drafts.same(here, sent.get(f"{prefix(seat)}-seen", ""))
            others = [*([stored] if other else []), *drafts.unchosen(draft, but=self._device)]
            if (untouched and not drafts.same(here, stored)) or any(rows_that_differ(here, each) for each in others):
                found.append(seat)
        return found

    def entering(self, own: int | None = None, *, undone: int = 0) -> Entering:
        """Who is in. The page of one's ``own`` seat speaks of one's own cards.

        ``undone`` is the hand whose cards lie there again, 0 for none or if the page says so elsewhere.
        """
        lineup, names = self.table.lineup(), self.table.name
        done = [seat for seat in lineup if seat in self.drafts and self.drafts[seat].done]
        if self.session.closed_at is not None:
            return Entering(self.version)
        if not done:
            begun = any(drafts.cards(drafts.rows_of(self.drafts[seat])) for seat in self.drafts.keys() & set(lineup))
            return Entering(self.version, begun=begun)
        missing = [names(seat) for seat in lineup if seat not in done]
        waiting = drafts.waiting(self.drafts, self.table)
        stuck = waiting if drafts.stuck(self.drafts, self.table) else ()
        said = [entered_again(undone, self.session.next_number), who_is_in(len(lineup), missing, own=own in done)]
        if own is None:
            said.append(fouled([names(seat) for seat in done if self._fouled(seat)]))
            said.append(on_two_phones([names(seat) for seat in lineup if self._in_question(seat)]))
        said.append(withheld([names(seat) for seat in sorted(self._withheld)], self.undone))
        query = urlencode({"seats": DealForm({}, lineup).carried, "number": str(self.session.next_number)})
        return Entering(
            self.version,
            sentences(*said),
            own in done,
            listed([names(seat) for seat in sorted(stuck)]),
            f"{reverse('enter', args=[self.session.public_id])}?{query}"
            if self._settles and not missing and not self.secret & set(lineup)
            else "",
        )

    def around(self, *, own: int | None) -> dict[str, Any]:
        """Context for ``hand/_others.html``: how far each player is, in the order of play.

        The page of one's ``own`` seat leaves that seat out, and lists the other players' cards.
        """
        others = []
        for seat in self.table.lineup():
            draft = self.drafts.get(seat)
            cards = [] if own is None or seat in self.secret else drafts.cards(drafts.rows_of(draft))
            if seat != own:
                called = self._called(seat)
                others.append(
                    OtherShown(
                        name=self.table.name(seat),
                        look="fouled" if called else "in" if draft and draft.done else "",
                        state=called or (pgettext("rows", "Done ✓") if draft and draft.done else _state(draft)),
                        cards=" ".join(cards),
                        changed=seat in self._changed,
                        other_cards=seat in self._other_cards,
                    )
                )
        return {
            "session": self.session,
            "number": self.session.next_number,
            "others": others,
            "withheld": bool(self._withheld),
            "entering": self.entering(own, undone=self.entered_again(own) if own else 0),
            "own": own,
        }

    def _how_far(self, seat: int) -> str:
        """How far a board that is hidden from this phone is, as the pad reads it."""
        draft = self.drafts[seat]
        if draft.done:
            if seat not in self._withheld:
                return "done"
            return "undone" if self.undone else "withheld"
        return str(len(drafts.cards(drafts.rows_of(draft))))

    def _called(self, seat: int) -> str:
        """The ruling on a seat's board, or that it is a foul; empty if it is neither, or hidden from this phone."""
        draft = self.drafts.get(seat)
        if draft is None or not draft.done or seat in self.secret:
            return ""
        if draft.ruling:
            return str(RULINGS[draft.ruling])
        return pgettext("board", "Foul") if self._fouled(seat) else ""

    def _fouled(self, seat: int) -> bool:
        """Whether a board that is done is called a foul by the rules, and not by a ruling."""
        draft = self.drafts.get(seat)
        if draft is None or not draft.done or draft.ruling or seat in self.secret:
            return False
        return self.entry(DealForm({}, [seat], initial=self.fields()), seat).foul


def line_of(form: DealForm, seat: int) -> str:
    """A seat's rows and ruling in a form as `drafts.line` has them."""
    return drafts.line(drafts.readable(Rows(*form.boards[seat].rows(), ruling=form.rulings[seat])))


def rows_that_differ(line: str, other: str, *, lacking: bool = False) -> str:
    """The parts of a line of `drafts.line` that are others there, in words, such as ``Front QsQh7d``.

    A row that only one of the two lines has is no contradiction, and is left out unless they are to be told what is
    ``lacking``.
    """
    here, there = line.split("/"), other.split("/")
    said = [
        f"{row_label(row)} {''.join(cards.split()) or '–'}"
        for row, cards, others in zip(ROWS, here, there, strict=False)
        if drafts.unordered(cards) != drafts.unordered(others) and (lacking or (cards and others))
    ]
    ruling = "".join(here[len(ROWS) :])
    return listed([*said, *([str(RULINGS[ruling])] if here[len(ROWS) :] != there[len(ROWS) :] else [])])


def _state(draft: Draft | None) -> str:
    if draft is None:
        return "–"
    if draft.done:
        return pgettext("rows", "done")
    return _("{count} of {size}").format(count=len(drafts.cards(drafts.rows_of(draft))), size=13)
