"""Who comes, goes, rests, moves: one line of the seats page at a time."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.forms.typed import TypedForm

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


class PeopleForm(TypedForm):
    """What was asked for: ``do`` is one of `VERBS`, or empty."""

    FIELDS = frozenset({"name", "note", "other"})
    PLACES: Mapping[str, str] = {"names[0]": "name", "second": "other"}

    def __init__(self, data: Mapping[str, str], players: Mapping[int, str]) -> None:
        """``players`` are all who ever sat here, by name; whether they still do is the ledger's to say."""
        super().__init__(data)
        numbers = {str(number): number for number in players}
        self.do = data.get("do", "") if data.get("do") in VERBS else ""
        self.seat_number = numbers.get(self.text("seat"), 0)
        self.other = numbers.get(self.text("other"), 0)
        self.after = numbers.get(self.text("after"))
        self.name = self.text("name")
        self.insist = self.text("insist") == "yes"
        self._called = players

    def read(self) -> None:
        """What is missing, as errors."""
        if not self.do:
            self.wrong("", "Say what should happen.")
        elif self.do != "join" and not self.seat_number:
            self.wrong("", "Choose who.")
        elif self.do == "swap" and not self.other:
            self.wrong("other", "Choose with whom.")

    @property
    def insisting(self) -> Insisting:
        """The same once more."""
        names = {"name": self._called.get(self.seat_number, self.name), "other": self._called.get(self.other, "")}
        kept = ("do", "seat", "name", "after", "other")
        fields = [(field, self.text(field)) for field in kept if self.text(field)]
        return Insisting(VERBS[self.do].format(**names), fields)
