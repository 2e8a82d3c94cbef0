"""The operator's status page, in the admin: the figures of this process as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from ofcscore import __version__, figures, health
from ofcscore.jobs import MOST
from scoring import live

WIDTH: Final = 160
"""How wide the longest bar is, in the units of its picture."""


class Bar(NamedTuple):
    """One bar: what it stands for, its figure as people read it, its place from the top, and its length."""

    name: str
    figure: str
    top: int
    length: float


class BarChart(NamedTuple):
    """A picture of bars; ``height`` is that of all of it. ``empty`` is said where there is nothing to show."""

    title: str
    bars: Sequence[Bar]
    height: int
    empty: str


def status(request: HttpRequest) -> HttpResponse:
    """The page, for a superuser only: it says more of the server than what the admin shows to others."""
    if not request.user.is_superuser:
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": "Status",
        "version": __version__,
        "readiness": health.readiness(),
        "kept": {name: said_age(figures.kept_age(name)) for name in ("backup", "drill")},
        "width": WIDTH,
        "charts": [_deals(), _settling(), _refusals(), _room()],
    }
    return TemplateResponse(request, "admin/status.html", context)


def chart(title: str, counts: Mapping[str, float], *, most: float = 0, empty: str = "") -> BarChart:
    """Bars in the order of ``counts``, the longest or one of ``most`` over the whole width."""
    whole = most or max(counts.values(), default=0) or 1
    bars = [
        Bar(name, f"{count:,.0f}", 24 * row, WIDTH * min(1.0, count / whole))
        for row, (name, count) in enumerate(counts.items())
    ]
    return BarChart(title, bars, 24 * len(bars), empty)


def said_age(seconds: float | None) -> str:
    """How long ago something was, in the largest whole unit."""
    if seconds is None:
        return "never"
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count:,} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _deals() -> BarChart:
    now = figures.hour()
    ago = {f"{back} h ago" if back else "this hour": figures.by_hour[now - back] for back in range(figures.HOURS)}
    shown = {name: count for name, count in ago.items() if count or name == "this hour"}
    return chart("Hands settled, by the hour, in the last 24", shown)


def _settling() -> BarChart:
    """How many answers took so long. The library's buckets each count all that were faster, too."""
    samples = [each for family in figures.settling.collect() for each in family.samples]
    buckets = [(each.labels["le"], each.value) for each in samples if each.name.endswith("_bucket")]
    faster = [("0", 0.0), *buckets]
    counts = {
        f"under {float(le) * 1000:,.0f} ms" if le != "+Inf" else "longer": count - before
        for (_, before), (le, count) in pairwise(faster)
    }
    shown = {name: count for name, count in counts.items() if count}
    return chart("How long settling took", shown, empty="Nothing has been settled since the start.")


def _refusals() -> BarChart:
    samples = [each for family in figures.refusals.collect() for each in family.samples]
    counts = {each.labels["reason"]: each.value for each in samples if each.name.endswith("_total")}
    return chart("Requests refused, by reason", counts, empty="Nothing has been refused since the start.")


def _room() -> BarChart:
    """Open streams and waiting requests, in parts of a thousand of what there is room for."""
    shown = {"open streams": live.local_hub.streams, **{f"waiting, {k}": v.waiting for k, v in figures.lanes.items()}}
    return chart("Now", shown, most=max(live.local_hub.most, 2 * MOST))
