"""Draws QR codes on the server, so that no third party learns the secret address in them."""

from typing import Any

import segno
from django import template

register = template.Library()

QUIET = 4
"""The width of the quiet zone in modules, as scanners require it."""


@register.inclusion_tag("shared/_qr.html")
def qr(address: str | segno.QRCode, label: str) -> dict[str, Any]:
    """Renders the address, or a finished code, as a single SVG path; ``label`` is its text for screen readers."""
    code = segno.make(address, error="m", micro=False) if isinstance(address, str) else address
    rows = code.matrix
    side = len(rows) + 2 * QUIET
    dots = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows, QUIET) for x, dark in enumerate(row, QUIET) if dark)
    return {"side": str(side), "path": "".join(dots), "label": label}
