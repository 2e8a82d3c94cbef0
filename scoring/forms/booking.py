"""Forms that book lines between two deals, each with a page of its own.

A `BookingForm` in any module of this package is a page: its address, its view and its link on the More page follow from
the class, and its template is ``templates/books/VERB.html``.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from scoring.forms.base import ActionForm
from scoring.forms.fields import SeatField, SeatsField
from scoring.game.table import Table


class BookingForm(ActionForm):
    """The base of the forms that book lines."""

    LABEL: ClassVar[str] = ""
    """The text of the form's link on the More page."""
    HINT: ClassVar[str] = ""
    """A few words beside the label."""

    @classmethod
    def of(cls, data: Mapping[str, Any] | None, *, table: Table, players: Mapping[int, str], digits: int) -> Self:
        """The form at this table, fresh or as it was sent. ``players`` are the names of all who ever sat here, by seat.

        In a fresh form everybody who takes part is ticked.
        """
        several = [name for name, field in cls.base_fields.items() if isinstance(field, SeatsField)]
        return cls(data, initial=dict.fromkeys(several, table.active()), seats=players, digits=digits)

    def people(self, table: Table, players: Mapping[int, str]) -> list[tuple[int, str, bool]]:
        """Each player that the page offers: seat number, name, whether they are ticked.

        A player who is chosen in the form stays in it, although they have left since. Without them a browser would
        choose somebody else, or everybody.
        """
        ticked = {
            seat for name, field in self.fields.items() if isinstance(field, SeatsField) for seat in self[name].value()
        }
        named = {self[name].value() for name, field in self.fields.items() if isinstance(field, SeatField)}
        offered = list(self.offered(table, players))
        offered += [number for number in players if number in ticked | named and number not in offered]
        return [(number, players[number], number in ticked) for number in offered]

    def offered(self, table: Table, players: Mapping[int, str]) -> Iterable[int]:
        """The seats that the page offers. By default those that take part."""
        return table.active()
