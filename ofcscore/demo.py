"""Plays the demo's evening while somebody looks at it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from django.db import DatabaseError, connection

from scoring import demo, live
from scoring.access import limits
from scoring.game.errors import LedgerError
from scoring.models import DEMO

logger = logging.getLogger(__name__)

LATE: Final = 0.05
"""Seconds into a window at which a step is made, so that no clock says that it is still the window before."""


class DemoPlayer:
    """The demo's last evening, as far as this process moves it on: as long as a page of the demo has a stream here.

    Several processes agree by a limit in the database, which lets one of them make a step in each window of time. So
    nothing is played, and nothing written, when nobody looks; and no request writes.
    """

    def __init__(self, hub: live.Hub) -> None:
        self.hub = hub
        self.playing: asyncio.Task[None] | None = None

    def look(self, watch: live.Watch) -> None:
        """Plays on if this stream is of a page of the demo."""
        if watch.link == DEMO and (self.playing is None or self.playing.done()):
            self.playing = asyncio.get_running_loop().create_task(self._play())

    async def _play(self) -> None:
        closed = False
        while closed or DEMO in self.hub.links:
            seconds = limits.demo_steps.seconds
            await asyncio.sleep(seconds - time.time() % seconds + LATE)
            closed = await asyncio.to_thread(_step)


def _step() -> bool:
    try:
        return demo.step()
    except (DatabaseError, LedgerError) as error:
        logger.warning("The demo was not played on: %s", error)
        return False
    finally:
        connection.close()  # this thread is not one that keeps it
