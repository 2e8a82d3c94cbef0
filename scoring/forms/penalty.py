"""Points from one player to the others, outside the score of any hand."""

from typing import Any

from scoring.forms.base import LedgerForm
from scoring.forms.fields import WHY, PointsField, SeatField, TextField


class PenaltyForm(LedgerForm):
    """Who pays how many points to whom, and why."""

    seat = SeatField("Who pays?")
    points = PointsField()
    to = SeatField("Who gets them?", required=False)
    note = TextField(WHY)

    def asked(self) -> dict[str, Any]:
        """One seat gets the points, or every other one."""
        only = self.cleaned_data["to"]
        return {**self.cleaned_data, "to": [only] if only else None}
