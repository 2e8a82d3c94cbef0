"""How often a client may do what could be abused, counted in the database, so that all processes count together.

Time is cut into windows; a window that is over is forgotten. A process that has heard that a client is over its limit
refuses it without asking again.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest

from scoring.models import Tally

_ADD: Final = """
INSERT INTO scoring_tally (what, "window", count) VALUES (%s, %s, %s)
ON CONFLICT (what, "window") DO UPDATE SET count = scoring_tally.count + excluded.count
RETURNING count
"""


_OVER: Final = -1
"""Nothing is left, and the common count need not be asked again within this window."""


def client(request: HttpRequest) -> str:
    """Whose request it is: an IPv4 address, or the network of an IPv6 address, which is one household's.

    The server has put the address there itself, from the proxies' header only where a proxy that settings name sent it.
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


@dataclass(eq=False)
class Limit:
    """At most so many times within ``seconds``; ``most`` is asked for anew each time, 0 stands for no limit.

    A process takes ``block`` times at once from the common count, so that what is cheap is not made dear by counting.
    """

    name: str
    seconds: int
    most: Callable[[], int]
    block: int = 1
    _window: int = 0
    _left: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, who: str) -> bool:
        """Whether ``who`` may do it once more; if so, that is counted."""
        most = self.most()
        if not most:
            return True
        with self._lock:
            self._turn()
            left = self._left.get(who, 0)
            if left == 0:
                before = self._add(who, self.block) - self.block
                left = min(self.block, most - before) if before < most else _OVER
            self._left[who] = left if left == _OVER else left - 1
            return left != _OVER

    def spent(self, who: str) -> bool:
        """Whether ``who`` has used it up; counts nothing. For what is counted only where it goes wrong."""
        most = self.most()
        if not most:
            return False
        tally = Tally.objects.filter(what=self._what(who), window=self._now()).values_list("count", flat=True).first()
        return (tally or 0) >= most

    def count(self, who: str) -> None:
        """It went wrong once more."""
        if self.most():
            with self._lock:
                self._turn()
            self._add(who, 1)

    def forget(self) -> None:
        """Leave the memory of this process; the common count stays."""
        with self._lock:
            self._left.clear()

    def _now(self) -> int:
        return int(time.time()) // self.seconds * self.seconds

    def _turn(self) -> None:
        now = self._now()
        if now != self._window:
            self._window = now
            self._left.clear()
            Tally.objects.filter(what__startswith=f"{self.name} ", window__lt=now).delete()

    def _add(self, who: str, times: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_ADD, [self._what(who), self._now(), times])
            return int(cursor.fetchone()[0])

    def _what(self, who: str) -> str:
        return f"{self.name} {who}"


new_clubs = Limit("new-club", 60 * 60, lambda: settings.NEW_CLUBS_PER_HOUR)
"""Clubs made without a host's key."""


wrong_links = Limit("wrong-link", 10 * 60, lambda: settings.WRONG_LINKS_PER_TEN_MINUTES)
"""Links opened that do not exist, and wrong codes for a new club."""


logins = Limit("login", 10 * 60, lambda: settings.LOGINS_PER_TEN_MINUTES)
"""The operator's attempts to log in."""


flags = Limit("flag", 60 * 60, lambda: settings.FLAGS_PER_HOUR)
"""Flags put up on hands, which takes no more than a viewer's link."""


api = Limit("api", 60, lambda: settings.API_PER_MINUTE, block=20)
"""Requests to the API."""


ALL: Final = (new_clubs, wrong_links, logins, flags, api)
