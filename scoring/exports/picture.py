"""Pictures for programs that show links and draw no SVG, such as chats."""

from typing import Final

import resvg_py

WIDTH: Final = 800
HEIGHT: Final = 420
"""In the proportion that chats ask for, and large enough for them to show it large.

No picture is larger, whatever is drawn: while one is drawn, the server does nothing else.
"""


def png(svg: str) -> bytes:
    """Draws an SVG of this app's own. It needs no font, because what is drawn here has no text."""
    return resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, height=HEIGHT, skip_system_fonts=True)
