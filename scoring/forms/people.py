"""Who comes, goes, rests, moves: one line of the seats page at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import TableAction
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.forms.base import ActionForm
from scoring.forms.fields import SeatField, TextField

VERBS = {
    "join": "{name} joins",
    "leave": "{name} leaves",
    "sit-out": "{name} sits out",
    "sit-in": "{name} is dealt in again",
    "swap": "{name} and {other} change places",
}


@dataclass(frozen=True, slots=True)
class Insisting:
    """What was refused because Fantasyland is pending, to be sent again with a note: ``what`` in words, its fields."""

    what: str
    fields: list[tuple[str, str]]


class PeopleForm(ActionForm):
    """What was asked for, of whom: ``do`` is one of `VERBS`."""

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
        """``players`` are all who ever sat here, by name; whether they still do is the ledger's to say."""
        super().__init__(data, seats=players)
        self._called = players

    @property
    def verb(self) -> str:
        """What should happen, empty if that is nothing that can."""
        return self.text("do") if self.text("do") in VERBS else ""

    def clean(self) -> None:
        """Say what is missing."""
        if not self.verb:
            self.add_error(None, "Say what should happen.")
        elif self.verb != "join" and self.cleaned_data["seat"] is None:
            self.add_error(None, "Choose who.")
        elif self.verb == "swap" and self.cleaned_data["other"] is None:
            self.add_error("other", "Choose with whom.")

    def action(self) -> TableAction:
        """Each verb is about other people."""
        sent = self.cleaned_data
        if self.verb == Join.verb:
            return Join(sent["name"], sent["after"])
        if self.verb == Swap.verb:
            return Swap(sent["seat"], sent["other"])
        one_seat: dict[str, type[Leave | SitOut | SitIn]] = {each.verb: each for each in (Leave, SitOut, SitIn)}
        return one_seat[self.verb](sent["seat"])

    def asked(self) -> dict[str, Any]:
        """All of them can be insisted on."""
        return {**super().asked(), "insist": self.cleaned_data["insist"] == "yes"}

    @property
    def insisting(self) -> Insisting:
        """The same once more."""
        names = {
            "name": self._called.get(self["seat"].value(), self.text("name")),
            "other": self._called.get(self["other"].value(), ""),
        }
        kept = ("do", "seat", "name", "after", "other")
        fields = [(field, self.text(field)) for field in kept if self.text(field)]
        return Insisting(VERBS[self.verb].format(**names), fields)
