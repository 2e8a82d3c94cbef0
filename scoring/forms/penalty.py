"""A penalty: points from one player to the others, outside the score of any deal."""

from scoring.actions.penalty import Penalty
from scoring.forms.booking import BookingForm
from scoring.forms.fields import WHY, PointsField, SeatField, TextField
from scoring.wording.phrases import later as _


class PenaltyForm(BookingForm):
    """Who pays how many points to whom, and why."""

    ACTIONS = (Penalty,)
    LABEL = _("Penalty")
    HINT = _("points to the others")

    seat = SeatField(_("Choose who pays."))
    points = PointsField()
    to = SeatField(_("Choose who receives them."), required=False)
    note = TextField(WHY)

    def action(self) -> Penalty:
        """The penalty. Without a chosen gainer, it is paid to every other seat."""
        sent = self.cleaned_data
        return Penalty(sent["seat"], sent["points"], [sent["to"]] if sent["to"] else None)
