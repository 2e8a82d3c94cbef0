"""The history of a session, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise

from scoring import drafts, reads
from scoring.actions.evening import Rename
from scoring.actions.start import Start
from scoring.actions.undo import Undo
from scoring.models import Event, Session
from scoring.rules.houserules import resolve
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, ngettext, pgettext, pgettext_lazy
from scoring.wording.actions import Speaker, done, sentence
from scoring.wording.figures import NOTHING, day, facts, joined, money, sentences, time_of_day
from scoring.wording.names import link_said
from scoring.wording.notes import note_said, remark_said
from scoring.wording.rulebook import changed


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that an event changed, before and after; either side may be empty."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EventShown:
    """One event in words. ``n`` is its number, ``what`` its heading, and ``sentence`` a sentence on it or empty.

    A ``note`` is of people, a ``remark`` of the app.
    """

    n: int
    what: str
    url: str
    by: str
    day: str
    at: str
    note: str
    remark: str
    sentence: str
    changed: list[Changed]
    undone: str


_PARTS: Final[Mapping[str, Promise]] = {
    "front": gettext_lazy("{player}, front"),
    "middle": gettext_lazy("{player}, middle"),
    "back": gettext_lazy("{player}, back"),
    "ruling": gettext_lazy("{player}, ruling"),
}
"""What may differ between two entries of a player's board."""


_RULINGS: Final[Mapping[str, Promise]] = {
    "dead": pgettext_lazy("ruling", "dead"),
    "surrendered": pgettext_lazy("ruling", "surrendered"),
}


class Historian:
    """Puts events into words. It reads what it needs for a whole page of events at once, to save queries."""

    def __init__(self, session: Session, events: list[reads.Happened]) -> None:
        self.session = session
        state = reads.state(session)
        names = {number: seat.name for number, seat in state.seats.items()}
        self.speaker = Speaker.of(session, names, for_cash=state.for_cash)
        numbers = [each.event.n for each in events]
        self.again = reads.settled_again(session, numbers)
        self.entries = reads.entries_changed(session, [each.event for each in events])

    def shown(self, happened: reads.Happened) -> EventShown:
        """Put one event into words."""
        event = happened.event
        changed = [*self._entry(event), *self._table(event)]
        remark = remark_said(event, self.speaker.name)
        about = event.deal if event.verb != Undo.verb or event.deal else None
        return EventShown(
            n=event.n,
            what=done(event),
            url=reverse("deal", args=[self.session.public_id, about]) if about else "",
            by=link_said(event.by),
            day=day(event.at),
            at=time_of_day(event.at),
            note="" if remark else note_said(event.note),
            remark=remark,
            sentence=self._sentence(event),
            changed=changed,
            undone=f"{happened.undone_by}" if happened.undone_by else "",
        )

    def _sentence(self, event: Event) -> str:
        said = sentence(event, self.speaker)
        again, unmoved = self.again.get(event.n, (0, 0))
        if not again:
            return said
        if not unmoved:
            settled = ngettext("{count} later hand recalculated.", "{count} later hands recalculated.", again)
        elif unmoved == again:
            settled = ngettext(
                "{count} later hand recalculated, with the same points and money.",
                "{count} later hands recalculated, with the same points and money.",
                again,
            )
        else:
            settled = ngettext(
                "{count} later hand recalculated, {same} of them with the same points and money.",
                "{count} later hands recalculated, {same} of them with the same points and money.",
                again,
            )
        return sentences(said, settled.format(count=again, same=unmoved))

    def _entry(self, event: Event) -> Iterator[Changed]:
        """What the event changed in a deal's entry: its cards, points, button and Fantasyland."""
        if event.n not in self.entries:
            return
        before, after = self.entries[event.n]
        was, now = before.get("boards", {}), after.get("boards", {})
        for seat in sorted({*was, *now}, key=int):
            for part, label in _PARTS.items():
                sides = [rows.get(seat, {}).get(part, "") for rows in (was, now)]
                if len(set(map(drafts.unordered, sides))) > 1:
                    what = str(label).format(player=self.speaker.name(int(seat)))
                    yield Changed(what, *(self._part(part, side) for side in sides))
        if before.get("points") != after.get("points"):
            yield Changed(_("Points"), *(self._points(side.get("points")) for side in (before, after)))
        if before.get("button") != after.get("button"):
            yield Changed(_("Button of this hand"), *(self._button(side.get("button")) for side in (before, after)))
        if before.get("fantasyland") != after.get("fantasyland"):
            yield Changed(
                _("Fantasyland of this hand"), *(self._fantasyland(side.get("fantasyland")) for side in (before, after))
            )

    def _table(self, event: Event) -> Iterator[Changed]:
        """What the event changed at the table, or in the name of the session."""
        before, after = event.before, event.after
        if event.verb == Start.verb:
            return
        if event.verb == Rename.verb:
            yield Changed(
                pgettext("session", "Name"),
                *(event.action[side] or pgettext("name of a session", "by date") for side in ("was", "name")),
            )
        shown: dict[str, tuple[str, Callable[[Any], str]]] = {
            "seats": (_("At the table"), self._seats),
            "button": (pgettext("history", "Button"), self._button),
            "fantasyland": (_("Fantasyland"), self._fantasyland),
            "stake": (pgettext("stake", "A point"), self.speaker.money),
        }
        for part, (label, show) in shown.items():
            if part in after:
                yield Changed(label, show(before[part]), show(after[part]))
        if "pair_stakes" in after:
            yield from self._pair_stakes(before["pair_stakes"], after["pair_stakes"])
        if "rules" in after:
            for heading, was, now in changed(resolve(before["rules"]), resolve(after["rules"])):
                yield Changed(heading, was, now)
        if "stacks" in after:
            yield from self._stacks(before["stacks"], after["stacks"])
        if "orbits" in after and after["orbits"] > before["orbits"]:
            said = ngettext("{count} orbit complete.", "{count} orbits complete.", after["orbits"])
            yield Changed("", "", said.format(count=after["orbits"]))

    def _pair_stakes(self, before: list[list[int]], after: list[list[int]]) -> Iterator[Changed]:
        was, now = ({(low, high): stake for low, high, stake in side} for side in (before, after))
        for low, high in sorted({*was, *now}):
            if was.get((low, high)) != now.get((low, high)):
                sides = (side.get((low, high)) for side in (was, now))
                yield Changed(
                    self.speaker.listed([low, high]),
                    *(pgettext("stake", "as all") if side is None else self.speaker.money(side) for side in sides),
                )

    def _stacks(self, before: dict[str, int] | None, after: dict[str, int] | None) -> Iterator[Changed]:
        was, now = before or {}, after or {}
        for seat in sorted({*was, *now}, key=int):
            sides = (was.get(seat, 0), now.get(seat, 0))
            if sides[0] != sides[1]:
                what = _("{player}, stack").format(player=self.speaker.name(int(seat)))
                yield Changed(what, *map(self._amount, sides))

    def _amount(self, minor: int) -> str:
        return money(minor, self.session.minor_digits) if minor else pgettext("amount", "nothing")

    # --- Words --------------------------------------------------------------------------------

    def _button(self, seat: int | None) -> str:
        return _("automatic") if seat is None else self.speaker.name(seat)

    def _seats(self, seats: list[list[Any]]) -> str:
        return joined(
            [_("{player} (sits out)").format(player=name) if state == "out" else name for _seat, name, state in seats]
        )

    def _fantasyland(self, due: Mapping[str, int] | None) -> str:
        if due is None:
            return _("automatic")
        said = [
            ngettext("{player} with {count} card", "{player} with {count} cards", cards).format(
                player=self.speaker.name(int(seat)), count=cards
            )
            for seat, cards in due.items()
        ]
        return joined(said) or pgettext("Fantasyland", "nobody")

    def _points(self, points: list[list[int]] | None) -> str:
        if points is None:
            return pgettext("points", "from the cards")
        moved = [(one, other, won) if won > 0 else (other, one, -won) for one, other, won in points if won]
        said = [
            _("{winner} {points} from {loser}").format(
                winner=self.speaker.name(one), points=won, loser=self.speaker.name(other)
            )
            for one, other, won in moved
        ]
        return facts(said) or NOTHING

    def _part(self, part: str, side: str) -> str:
        """A row as it was typed, or a ruling in words."""
        return str(_RULINGS[side]) if part == "ruling" and side in _RULINGS else side or NOTHING
