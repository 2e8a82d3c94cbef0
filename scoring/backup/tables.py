"""Which tables a backup holds, as the release that wrote them had them, and every total that they add up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress
from typing import Any, Final

from django.db.migrations.state import StateApps
from django.db.models import Model, Sum

LEFT_OUT: Final = {"tally"}
"""Counts of what is limited for some minutes. To restore them would hold back somebody for what was long ago."""


def tables(apps: StateApps) -> dict[str, type[Model]]:
    """The models whose rows are kept, by names such as ``scoring.club``: the app's, and the operators' accounts.

    Django makes all others itself: permissions, content types, and the list of migrations. Groups that an operator
    has made, and the admin's log, are not kept.
    """
    models = [
        model for model in apps.get_models() if model._meta.app_label == "scoring" or model._meta.label == "auth.User"
    ]
    return {
        model._meta.label_lower: model
        for model in sorted(models, key=lambda each: each._meta.label_lower)
        if model._meta.model_name not in LEFT_OUT
    }


def totals(apps: StateApps) -> Generator[list[Any]]:
    """What everybody has won or lost, by the database's own sums over the lines and the payments of the tab.

    Lists of ``session``, the session's public id, a seat's number, points and minor units; and of ``tab``, the club's
    public id, a player's primary key, 0 and minor units. In an order that no engine decides.
    """
    sums: defaultdict[tuple[str, str, int], list[int]] = defaultdict(lambda: [0, 0])
    lines = apps.get_model("scoring", "Transfer")._base_manager.order_by()
    for side, sign in (("payee", 1), ("payer", -1)):
        grouped = lines.values_list("session__public_id", f"{side}__number")
        for session, seat, points, amount in grouped.annotate(Sum("points"), Sum("amount")):
            sums["session", session, seat][0] += sign * int(points)
            sums["session", session, seat][1] += sign * int(amount)
    with suppress(LookupError):  # an early release has no tab
        payments = apps.get_model("scoring", "TabPayment")._base_manager.order_by()
        for side, sign in (("payer", 1), ("payee", -1)):
            for club, player, amount in payments.values_list("club__public_id", side).annotate(Sum("amount")):
                sums["tab", club, player][1] += sign * int(amount)
    for key in sorted(sums):
        yield [*key, *sums[key]]
