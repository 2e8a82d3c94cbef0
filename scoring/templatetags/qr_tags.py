"""An address as a QR code, drawn here: nobody else learns what it leads to."""

from typing import Any

import segno
from django import template

register = template.Library()

QUIET = 4
"""Empty modules around it, as many as readers ask for."""


@register.inclusion_tag("shared/_qr.html")
def qr(address: str, label: str) -> dict[str, Any]:
    """The code as one path; ``label`` says in words what it is."""
    rows = segno.make(address, error="m", micro=False).matrix
    side = len(rows) + 2 * QUIET
    dots = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows, QUIET) for x, dark in enumerate(row, QUIET) if dark)
    return {"side": str(side), "path": "".join(dots), "label": label}
