"""Passes messages between processes that share a server of Redis or Valkey, where `NOTICES_URL` names one.

A message that is lost is caught up: every few seconds each process reads the versions of the sessions that it watches.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import time
from contextlib import suppress
from functools import partial
from queue import Empty, Full, Queue
from threading import Lock, Thread
from typing import Any, Final

from django.conf import settings

from ofcscore import valkey
from scoring.live import postgres
from scoring.live.hub import Hub

MOST: Final = 10_000
"""The most messages that wait to be sent. Beyond that they are dropped, and the pages catch up."""


AT_ONCE: Final = 100


FLUSH: Final = 1.0
"""Seconds that a process which ends waits for its last messages to be sent."""


LATEST: Final = 5
"""Looks, one each `postgres.LOOK`, after which versions are read at the latest, whatever was heard."""


SILENT: Final = 15.0
"""Seconds of silence after which the server counts as away; until then it is asked several times to answer."""


_RECONNECT: Final = 1.0


class Sender:
    """Sends messages to the other processes on a thread of its own, so that nobody who has written waits for it."""

    def __init__(self, most: int = MOST) -> None:
        self._waiting: Queue[str] = Queue(most)
        self._thread: Thread | None = None
        self._lock = Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message soon, if it can."""
        with suppress(Full):
            self._waiting.put_nowait(json.dumps(message))
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True, name="notices")
                self._thread.start()
                atexit.register(self.flush)

    def flush(self, seconds: float = FLUSH) -> bool:
        """Waits until all is sent or given up, at most so long, and returns whether it is."""
        until = time.monotonic() + seconds
        with self._waiting.all_tasks_done:
            while self._waiting.unfinished_tasks:
                if (left := until - time.monotonic()) <= 0:
                    return False
                self._waiting.all_tasks_done.wait(left)
        return True

    def _run(self) -> None:
        while True:
            messages = [self._waiting.get()]
            with suppress(Empty):
                while len(messages) < AT_ONCE:
                    messages.append(self._waiting.get_nowait())
            with suppress(valkey.Away):
                valkey.ask(partial(_publish, messages))
            for _ in messages:
                self._waiting.task_done()


def _publish(messages: list[str], server: Any) -> None:
    channel = valkey.channel()
    with server.pipeline(transaction=False) as at_once:
        for message in messages:
            at_once.publish(channel, message)
        at_once.execute()


sender: Final = Sender()
"""Sends the messages of this process."""


async def listen(hub: Hub) -> None:
    """Passes the messages of other processes to the hub, and makes up for those that do not arrive."""
    ear = Ear(hub)
    async with asyncio.TaskGroup() as both:
        both.create_task(ear.hear())
        both.create_task(ear.look())


class Ear:
    """What this process hears of others by Redis, and what it reads from the database in case it did not."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.hears = False

    async def hear(self) -> None:
        """Subscribes, and again whenever the connection is lost."""
        import redis.asyncio as redis

        while True:
            try:
                async with (
                    redis.Redis.from_url(settings.NOTICES_URL, socket_connect_timeout=SILENT) as server,
                    server.pubsub() as channel,
                ):
                    await channel.subscribe(valkey.channel())
                    await self._messages(channel)
            except (redis.RedisError, OSError) as error:
                valkey.complain(error)
            finally:
                self.hears = False
            await asyncio.sleep(_RECONNECT)

    async def _messages(self, channel: Any) -> None:
        last = time.monotonic()
        while True:
            message = await channel.get_message(timeout=SILENT / 3)
            now = time.monotonic()
            if message is None:
                if now - last > SILENT:
                    raise TimeoutError
                await channel.ping()
                continue
            last, self.hears = now, True
            if message["type"] == "message":
                self.hub.hear_text(message["data"])

    async def look(self) -> None:
        """Reads what the hub may have missed: soon for new streams and while Redis is silent, else now and then."""

        async def look(eye: Any) -> None:
            while True:
                joined = self.hub.joined
                await postgres.catch_up(self.hub, eye)
                for _ in range(LATEST):
                    await asyncio.sleep(postgres.LOOK)
                    if self.hub.joined != joined or not self.hears:
                        break

        await postgres.connected(look)
