"""The summary of errors at the top of every form and every refused page."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS

from scoring.request import CONFLICT

GENERAL = ("", NON_FIELD_ERRORS)
"""The keys of errors that belong to no field, in our own forms and in Django's."""


def problems(errors: Mapping[str, Sized], status: int = 0) -> dict[str, Any]:
    """Context for ``shared/_problems.html``; ``errors`` are the messages by field name.

    The ``status`` of the page tells whether the form came too late: nothing in it is wrong then.
    """
    general = next((errors[place] for place in GENERAL if place in errors), ())
    count = sum(map(len, errors.values()))
    return {"problems": count, "errors": general, "marked": count > len(general), "late": status == CONFLICT}
