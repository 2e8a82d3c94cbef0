"""How many things are wrong, and where: what every form, and every page that was refused something, says above all."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS

GENERAL = ("", NON_FIELD_ERRORS)
"""What is wrong with no field: as our own forms have it, and as Django's."""


def problems(errors: Mapping[str, Sized]) -> dict[str, Any]:
    """Context for ``shared/_problems.html``; ``errors`` are the messages by the name of their field."""
    general = next((errors[place] for place in GENERAL if place in errors), ())
    count = sum(map(len, errors.values()))
    return {"problems": count, "errors": general, "marked": count > len(general)}
