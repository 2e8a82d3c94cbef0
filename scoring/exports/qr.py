"""QR codes as files: PNG for a spreadsheet, SVG for a page."""

from __future__ import annotations

from io import BytesIO

import segno


def png(address: str) -> BytesIO:
    """The address as a picture."""
    file = BytesIO()
    segno.make(address, error="m", micro=False).save(file, kind="png", scale=4)
    return file


def svg(address: str) -> bytes:
    """The address as a picture with a white ground, which it needs on a dark page."""
    file = BytesIO()
    segno.make(address, error="m", micro=False).save(file, kind="svg", light="#fff")
    return file.getvalue()
