"""Rate limits on what could be abused, counted in the database so that all processes share one count.

If `NOTICES_URL` is set they are counted there, which costs no commit. While it does not answer, the database counts,
from nothing. A limit counts within fixed windows of time, and deletes the counts of past windows. Once a process has
learned that a client has reached its limit, it refuses that client until the window ends without asking again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest

from ofcscore import network, valkey
from scoring.models import Tally
from scoring.transactions import writing

_ADD: Final = """
INSERT INTO scoring_tally (what, "window", count) VALUES (%s, %s, %s)
ON CONFLICT (what, "window") DO UPDATE SET count = scoring_tally.count + excluded.count
RETURNING count
"""


_OVER: Final = -1
"""Marks a client that has reached its limit, so that the shared count need not be read again within this window."""


def client(request: HttpRequest) -> str:
    """Identifies the client by its address or household.

    The server itself sets REMOTE_ADDR, and believes a proxy's header only from the proxies named in the settings.
    """
    return network.household(request.META.get("REMOTE_ADDR", "")) or "unknown"


@dataclass(eq=False)
class Limit:
    """Allows each client ``most()`` uses within a window of ``seconds``; 0 means no limit.

    A process reserves ``block`` uses at once from the shared count, so that counting does not cost more than the cheap
    request it counts.
    """

    name: str
    seconds: int
    most: Callable[[], int]
    block: int = 1
    _window: int = 0
    _left: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, who: str) -> bool:
        """Counts one use by ``who`` and returns True, or returns False if they have reached the limit."""
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
        """Whether ``who`` has reached the limit. It counts no use; limits on failures alone call `count` for that."""
        most = self.most()
        if not most:
            return False
        if settings.NOTICES_URL:
            with suppress(valkey.Away):
                return int(valkey.ask(lambda server: server.get(self._key(who))) or 0) >= most
        tally = Tally.objects.filter(what=self._what(who), window=self._now()).values_list("count", flat=True).first()
        return (tally or 0) >= most

    def count(self, who: str) -> None:
        """Counts one failure."""
        if self.most():
            with self._lock:
                self._turn()
            self._add(who, 1)

    def forget(self) -> None:
        """Clears this process's memory of the current window; the shared count stays."""
        with self._lock:
            self._left.clear()

    def _now(self) -> int:
        return int(time.time()) // self.seconds * self.seconds

    def _turn(self) -> None:
        now = self._now()
        if now != self._window:
            self._window = now
            self._left.clear()
            if settings.NOTICES_URL:
                return  # what was counted there expires, and what was counted here meanwhile is a few rows
            with writing():
                Tally.objects.filter(what__startswith=f"{self.name} ", window__lt=now).delete()

    def _add(self, who: str, times: int) -> int:
        if settings.NOTICES_URL:
            with suppress(valkey.Away):
                return valkey.ask(lambda server: self._add_there(server, self._key(who), times))
        with writing(), connection.cursor() as cursor:
            cursor.execute(_ADD, [self._what(who), self._now(), times])
            return int(cursor.fetchone()[0])

    def _add_there(self, server: Any, key: str, times: int) -> int:
        with server.pipeline() as both:
            both.incrby(key, times)
            both.expire(key, 2 * self.seconds)
            return int(both.execute()[0])

    def _key(self, who: str) -> str:
        return f"ofcscore:{self._what(who)}:{self._now()}"

    def _what(self, who: str) -> str:
        return f"{self.name} {who}"


new_clubs = Limit("new-club", 60 * 60, lambda: settings.NEW_CLUBS_PER_HOUR)
"""New clubs, made by someone who needs no host's link for it."""


wrong_links = Limit("wrong-link", 10 * 60, lambda: settings.WRONG_LINKS_PER_TEN_MINUTES)
"""Attempts to open a link that does not exist. A link that exists is opened even so: any page elsewhere can make its
reader's browser ask for wrong ones.
"""


wrong_codes = Limit("wrong-code", 10 * 60, lambda: settings.WRONG_LINKS_PER_TEN_MINUTES)
"""Wrong codes for a new club, which only a form of this server can send."""


logins = Limit("login", 10 * 60, lambda: settings.LOGINS_PER_TEN_MINUTES)
"""Attempts to log in as the operator."""


disputes = Limit("flag", 60 * 60, lambda: settings.FLAGS_PER_HOUR)
"""Disputes raised, for which a viewer's link is enough. One that is refused does not count."""


api = Limit("api", 60, lambda: settings.API_PER_MINUTE, block=20)
"""Requests to the API."""


pictures = Limit("picture", 60, lambda: settings.PICTURES_PER_MINUTE, block=20)
"""Pictures of deals and sessions for chats, each of which is drawn by the server."""


checked_pictures = Limit("checked-picture", 60, lambda: settings.PICTURES_PER_MINUTE, block=20)
"""The same of boards that anybody may ask about. A page elsewhere that shows many takes none of the others away."""


demo_steps = Limit("demo-step", 8, lambda: 1)
"""Steps of the demo's evening: one within each window, however many processes play it."""


what_ifs = Limit("what-if", 10 * 60, lambda: settings.WHAT_IFS_PER_TEN_MINUTES)
"""What-ifs of clubs that a process of its own works out."""


ALL: Final = (
    new_clubs,
    wrong_links,
    wrong_codes,
    logins,
    disputes,
    api,
    pictures,
    checked_pictures,
    what_ifs,
    demo_steps,
)
