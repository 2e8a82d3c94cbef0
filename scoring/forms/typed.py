"""What the host's small forms have in common: every fault at the field that caused it, what was typed kept."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.forms.amounts import AmountError, parse_amount
from scoring.rules.errors import Problem


class TypedForm:
    """A form as typed; ``errors`` by the name of the field, those of no field under ``""``.

    ``FIELDS`` are those that a refusal may be about; ``PLACES`` says where else the ledger's ``where`` belongs.
    """

    FIELDS: frozenset[str] = frozenset({"note"})
    PLACES: Mapping[str, str] = {}

    def __init__(self, data: Mapping[str, str]) -> None:
        self.data = data
        self.errors: dict[str, list[str]] = {}

    def text(self, field: str) -> str:
        """What was typed there."""
        return self.data.get(field, "").strip()

    @property
    def note(self) -> str:
        """Why."""
        return self.text("note")

    def wrong(self, field: str, message: str) -> None:
        """Say what is wrong, at its field or in general."""
        self.errors.setdefault(field, []).append(message)

    def refused(self, problems: Iterable[Problem]) -> None:
        """Put the ledger's problems where they belong."""
        for problem in problems:
            place = self.PLACES.get(problem.where, problem.where)
            self.wrong(place if place in self.FIELDS else "", problem.message)

    def amount(self, field: str, digits: int) -> int:
        """Minor units typed there; 0 and an error for what is no amount."""
        try:
            return parse_amount(self.text(field), digits)
        except AmountError as error:
            self.wrong(field, str(error))
            return 0

    def because(self) -> None:
        """An error where no reason is given; in the words of the ledger, which asks for one as well."""
        if not self.note:
            self.wrong("note", "Say why: this goes into the history.")

    def seat(self, field: str, among: Sequence[int], missing: str) -> int:
        """The seat chosen there; 0, and an error of that sentence, for none of those."""
        chosen = next((number for number in among if str(number) == self.text(field)), 0)
        if not chosen:
            self.wrong(field, missing)
        return chosen

    def context(self) -> dict[str, Any]:
        """What ``shared/_problems.html`` takes."""
        general = self.errors.get("", [])
        return {
            "problems": sum(map(len, self.errors.values())),
            "errors": general,
            "marked": len(self.errors) > bool(general),
        }
