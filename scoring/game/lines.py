"""A transfer to be."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A transfer to be: seat numbers, whole points, minor units."""

    payer: int
    payee: int
    points: int
    amount: int
    kind: str
    in_play: bool
