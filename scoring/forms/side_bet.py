"""A side bet: money from one player to another, outside the score of any deal."""

from collections.abc import Iterable, Mapping

from scoring.actions.side_bet import SideBet
from scoring.forms.booking import BookingForm
from scoring.forms.fields import WHY, AmountField, SeatField, TextField
from scoring.game.table import Table
from scoring.wording.phrases import later as _


class SideBetForm(BookingForm):
    """Who pays whom how much, and why."""

    ACTIONS = (SideBet,)
    LABEL = _("Side bet")
    HINT = _("money between two")

    payer = SeatField(_("Choose who pays."))
    payee = SeatField(_("Choose who receives it."))
    amount = AmountField()
    note = TextField(WHY)

    def offered(self, table: Table, players: Mapping[int, str]) -> Iterable[int]:
        """Players who have left can still pay and be paid."""
        return players
