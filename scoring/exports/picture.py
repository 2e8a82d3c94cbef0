"""Pictures that chats show, drawn from an SVG of this app's own, with fonts that lie beside the code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Final, NamedTuple

import resvg_py

from scoring.exports.glyphs import FONTS


class Size(NamedTuple):
    """The width and height of a picture in pixels.

    No picture is larger than those below, whatever is drawn.
    """

    width: int
    height: int


CARD: Final = Size(800, 420)
"""Beside a link, in the proportion that chats ask for, and large enough for them to show it large."""

PORTRAIT: Final = Size(1080, 1350)
"""A picture that is sent itself, upright, as large as chats and social networks show it without making it smaller."""

FONT: Final = "DejaVu Sans"
"""The family of the texts; letters that it lacks come from the other files in ``fonts/``."""

_FONTS: Final = list(map(str, FONTS))

MOST_CACHED: Final = 64
"""So many pictures that take long a process keeps, of some 200 KiB each with what they were drawn from."""


def png(svg: str, size: Size) -> bytes:
    """Draws an SVG, here and now."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=size.width, height=size.height, skip_system_fonts=True, font_files=_FONTS
    )


# --- Pictures that take long ---------------------------------------------------------------------------

_DRAW: Final = """
import json, os, sys, resvg_py
os.nice(10)
width, height, fonts = json.loads(sys.argv[1])
svg = sys.stdin.buffer.read().decode()
png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True, font_files=fonts)
sys.stdout.buffer.write(png)
"""

_Drawing = tuple[str, Size]

_lane: Final = ThreadPoolExecutor(1, "pictures")
_lock: Final = Lock()
_begun: dict[_Drawing, Future[None]] = {}
_cached: OrderedDict[_Drawing, bytes] = OrderedDict()


def drawn(svg: str, size: Size) -> bytes | None:
    """The picture of this SVG, if this process still has it from before."""
    with _lock:
        if (svg, size) in _cached:
            _cached.move_to_end((svg, size))
        return _cached.get((svg, size))


def begin(svg: str, size: Size) -> Future[None]:
    """Lets a process of its own draw an SVG, one at a time, so that pages are answered meanwhile.

    Once it is done, `drawn` has the picture. It fails if the picture could not be drawn.
    """
    with _lock:
        if (svg, size) not in _begun:
            _begun[svg, size] = _lane.submit(_draw, svg, size)
        return _begun[svg, size]


def is_begun(svg: str, size: Size) -> bool:
    """Whether this process is having the picture drawn."""
    with _lock:
        return (svg, size) in _begun


def keep(svg: str, size: Size, picture: bytes) -> None:
    """Keeps a picture, and forgets the one that nobody has asked for the longest."""
    with _lock:
        _cached[svg, size] = picture
        while len(_cached) > MOST_CACHED:
            _cached.popitem(last=False)


def forget() -> None:
    """Forgets all pictures, so that they are drawn again."""
    with _lock:
        _cached.clear()


def _draw(svg: str, size: Size) -> None:
    try:
        command = [sys.executable, "-I", "-c", _DRAW, json.dumps([*size, _FONTS])]
        drawn = subprocess.run(command, input=svg.encode(), stdout=subprocess.PIPE, check=True, timeout=30)  # noqa: S603 - no shell reads it
        keep(svg, size, drawn.stdout)
    finally:
        with _lock:
            del _begun[svg, size]
