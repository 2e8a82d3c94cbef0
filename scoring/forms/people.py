"""The form of the seats page: somebody joins, leaves, sits out, is dealt in again, or changes places."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import TableAction
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.forms.base import ActionForm
from scoring.forms.fields import SeatField, TextField
from scoring.rules.errors import Problem
from scoring.wording.phrases import later as _

VERBS = {
    "join": _("{name} joins"),
    "leave": _("{name} leaves"),
    "sit-out": _("{name} sits out"),
    "sit-in": _("{name} is back in"),
    "swap": _("{name} and {other} swap seats"),
}


@dataclass(frozen=True, slots=True)
class Insisting:
    """A change refused because Fantasyland is pending. ``fields`` are its form, to be sent again with a note."""

    what: str
    fields: list[tuple[str, str]]


class PeopleForm(ActionForm):
    """One change. ``do`` names it, as one of `VERBS`."""

    ACTIONS = (Join, Leave, SitOut, SitIn, Swap)
    PLACES: ClassVar = {"names[0]": "name", "second": "other", "insist": ""}

    do = TextField()
    seat = SeatField()
    other = SeatField()
    after = SeatField()
    name = TextField()
    insist = TextField()
    note = TextField()

    def __init__(self, data: Mapping[str, Any] | None, players: Mapping[int, str]) -> None:
        """``players`` are the names of all who ever sat here. The ledger checks whether they still do."""
        super().__init__(data, seats=players)
        self._called = players
        self.may_insist = False

    @property
    def verb(self) -> str:
        """The verb, empty if ``do`` is not one of `VERBS`."""
        return self.text("do") if self.text("do") in VERBS else ""

    def clean(self) -> None:
        """Add an error for whatever is missing."""
        if not self.verb:
            self.add_error(None, _("Choose what to do."))
        elif self.verb != "join" and self.cleaned_data["seat"] is None:
            self.add_error(None, _("Choose a player."))
        elif self.verb == "swap" and self.cleaned_data["other"] is None:
            self.add_error("other", _("Choose who to swap seats with."))

    def action(self) -> TableAction:
        """The action, with the fields that its verb needs."""
        sent = self.cleaned_data
        if self.verb == Join.verb:
            return Join(sent["name"], sent["after"])
        if self.verb == Swap.verb:
            return Swap(sent["seat"], sent["other"])
        one_seat: dict[str, type[Leave | SitOut | SitIn]] = {each.verb: each for each in (Leave, SitOut, SitIn)}
        return one_seat[self.verb](sent["seat"])

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.record`, including whether the host insists."""
        return {**super().arguments(), "insist": self.cleaned_data["insist"] == "yes"}

    def refused(self, problems: Iterable[Problem]) -> None:
        """Puts each problem at its field, and notes whether only what a host may override stands in the way.

        A page that was stale does not count: its form is shown again as it was.
        """
        problems = list(problems)
        self.may_insist = all(each.where in ("insist", "note") or each.code == "stale" for each in problems)
        super().refused(problems)

    @property
    def insisting(self) -> Insisting:
        """What the hidden fields need, with which a form repeats this change and insists on it."""
        names = {
            "name": self._called.get(self["seat"].value(), self.text("name")),
            "other": self._called.get(self["other"].value(), ""),
        }
        repeated = ("do", "seat", "name", "after", "other")
        fields = [(field, self.text(field)) for field in repeated if self.text(field)]
        return Insisting(VERBS[self.verb].format(**names), fields)
