"""What an operator can look at: counted in this process since it started, and read when somebody asks.

Labels hold no ids and no names, and each has few values, so that no visitor can make the figures grow.
"""

from __future__ import annotations

import json
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from ofcscore import __version__
from ofcscore.jobs import Jobs
from scoring import live

REFUSALS: Final = {
    400: "malformed",
    403: "no-access",
    404: "not-found",
    405: "wrong-method",
    409: "out-of-date",
    413: "too-long",
    422: "not-valid",
    429: "too-many",
    503: "busy",
    507: "disk-full",
}
"""The reason that each status stands for; others are no refusals, or end in the log as errors."""

KEPT: Final = Path(settings.DATA_DIR) / "kept.json"
"""When the last backup and the last drill succeeded, as `backup` and `drill` note it: ISO times by these names."""

registry: Final = CollectorRegistry()
ProcessCollector(registry=registry)

deals: Final = Counter("ofcscore_hands_settled", "Hands settled", registry=registry)
refusals: Final = Counter("ofcscore_refusals", "Requests refused, by reason", ["reason"], registry=registry)
errors: Final = Counter("ofcscore_errors", "Requests that ended in an error of the server", registry=registry)
settling: Final = Histogram(
    "ofcscore_settle_seconds",
    "Seconds from the arrival of a request that settles, shows a settlement or corrects to its answer",
    buckets=(0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10),
    registry=registry,
)

lanes: Final[dict[str, Jobs]] = {}
"""The requests that wait for a thread, by whether they read or write; empty where no server runs."""

by_hour: Final[Tally[int]] = Tally()
"""The hands settled in each hour since 1970, of the last `HOURS` hours."""
HOURS: Final = 24
_counting: Final = Lock()


def on_session_moved(sender: object, *, verb: str, **_: object) -> None:
    """Receives the ledger's `session_moved` signal after a commit."""
    if verb != "settle":
        return
    deals.inc()
    with _counting:  # threads may settle at once
        now = hour()
        by_hour[now] += 1
        for old in [each for each in by_hour if each <= now - HOURS]:
            del by_hour[old]


def hour() -> int:
    """The hour since 1970 that it is now."""
    return int(time.time() // 3600)


def refused_busy() -> None:
    """Counts a request that was refused before any page saw it, because too many wait."""
    refusals.labels(REFUSALS[503]).inc()


def kept_age(name: str) -> float | None:
    """The seconds since the last ``backup`` or ``drill``; None if there was none, or nothing that can be read."""
    try:
        at = datetime.fromisoformat(json.loads(KEPT.read_text())[name])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return max(0.0, (datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))).total_seconds())


class _Now(Collector):
    """The figures that are read when somebody asks."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("ofcscore_build", "The version that runs", {"version": __version__})
        yield GaugeMetricFamily("ofcscore_streams", "Open event streams", live.local_hub.streams)
        waiting = GaugeMetricFamily("ofcscore_waiting", "Requests that wait for a thread", labels=["lane"])
        for lane, jobs in lanes.items():
            waiting.add_metric([lane], jobs.waiting)
        yield waiting
        for name in ("backup", "drill"):
            age = kept_age(name)
            family = GaugeMetricFamily(f"ofcscore_{name}_age_seconds", f"Seconds since the last {name} that succeeded")
            if age is not None:
                family.add_metric([], age)
            yield family


registry.register(_Now())


def middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: counts refusals and errors, and measures how long settling takes, waiting for its turn included."""

    def counted(request: HttpRequest) -> HttpResponseBase:
        began = getattr(request.META.get("ofcscore.wait"), "came", 0) or time.monotonic()
        response = get_response(request)
        if response.status_code in REFUSALS:
            refusals.labels(REFUSALS[response.status_code]).inc()
        elif response.status_code >= 500:
            errors.inc()
        found = request.resolver_match
        if request.method == "POST" and found is not None and found.url_name in {"enter", "correct"}:
            settling.observe(time.monotonic() - began)
        return response

    return counted
