"""Phones at tables, as far as the server sees them: an event stream each, and the requests that a hand takes."""

from __future__ import annotations

import asyncio
import html
import random
import re
import secrets
import time
import zlib
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

HANDS: Final = (
    (
        ("AdJc5d", "6h4c4sQs2s", "6cJd6s4d9c"),
        ("Th7h8s", "KsAc5s7dQc", "AhKh9s9d9h"),
        ("2dJs3c", "3h8c5cKd2h", "6dQd8dTcAs"),
        ("Jh3dTd", "2cKc5hQhTs", "7c8h4h7s3s"),
    ),
    (
        ("8c7hJs", "2d9c2h7c4d", "3s3h7d8hTs"),
        ("3c9h6c", "8d6hKhJdAs", "4s5dQs6d5h"),
        ("Tc9dJh", "TdTh2sKc2c", "AhQdAcQc6s"),
        ("KsJc4c", "7s3dQhAd9s", "5cKd5s4h8s"),
    ),
)
"""The boards of four players: whole decks without a Fantasyland, dealt in turn."""

ROWS: Final = ("front", "middle", "back")
ECHO: Final = 0.15
"""Seconds for which a phone waits before it asks for rows that it may have sent itself, as the pad does."""
PATIENCE: Final = 90.0
"""Seconds for which a phone tries again what got no answer."""
AGAIN: Final = frozenset({500, 502, 503, 504})
"""Answers after which people press again. Nothing is settled twice by that, because the form has a key."""


@dataclass
class Seen:
    """What all phones together have seen."""

    settled: list[float] = field(default_factory=list)
    """Seconds from pressing "Settle" to the answer."""
    told: list[float] = field(default_factory=list)
    """Seconds from pressing "Settle" to another phone of the table that heard of it."""
    counts: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    accidents: int = 0
    """How many requests got no answer, or one of `AGAIN`, and were sent again."""

    def clear(self) -> None:
        self.settled.clear()
        self.told.clear()
        self.requests = self.accidents = 0


class Answer(NamedTuple):
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    body: str


class Lost(Exception):  # noqa: N818 - what people say of a connection
    """The connection ended, or no answer came."""


class Wrong(Exception):  # noqa: N818 - the end of a run, whatever it is called
    """The server answered what it must not."""


class Browser:
    """A browser with one connection that it keeps, and an address of its own behind the proxy."""

    def __init__(self, port: int, address: str, seen: Seen) -> None:
        self.port, self.address, self.seen = port, address, seen
        self.cookies: dict[str, str] = {}
        self.ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.turn = asyncio.Lock()

    async def ask(
        self,
        method: str,
        path: str,
        fields: Mapping[str, Any] | None = None,
        *,
        htmx: bool = False,
        allowed: Sequence[int] = (200,),
    ) -> Answer:
        """Sends a request until it is answered. Raises `Wrong` if the answer is none of those allowed."""
        late = time.monotonic() + PATIENCE
        async with self.turn:
            while True:
                try:
                    answer = await asyncio.wait_for(self._once(method, path, fields, htmx=htmx), 30)
                    if answer.status not in AGAIN:
                        break
                    trouble = str(answer.status)
                except (Lost, OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                    self.hang_up()
                    trouble = type(error).__name__
                self.seen.accidents += 1
                self.seen.counts[f"sent again after {trouble}"] += 1
                if time.monotonic() > late:
                    raise Wrong(f"{method} {path}: {trouble} for {PATIENCE:.0f} s")
                await asyncio.sleep(0.5 + random.random())
        if answer.status not in allowed:
            raise Wrong(f"{method} {path}: {answer.status} {answer.body[:400]}")
        return answer

    async def _once(self, method: str, path: str, fields: Mapping[str, Any] | None, *, htmx: bool) -> Answer:
        if self.ends is None:
            self.ends = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.ends
        body = urlencode(fields) if fields is not None else ""
        writer.write((self.head(method, path, htmx=htmx, body=body if fields is not None else None) + body).encode())
        self.seen.requests += 1
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, text = value.partition(";")[0].partition("=")
                self.cookies[cookie] = text
            headers[name.lower()] = value
        status = int(head[0].split()[1])
        content = (
            b"" if status in {204, 286, 304} and "content-length" not in headers else await self._body(reader, headers)
        )
        if headers.get("content-encoding") == "gzip":
            content = zlib.decompress(content, wbits=31)
        if headers.get("connection", "").lower() == "close":
            self.hang_up()
        return Answer(status, headers, content.decode())

    async def _body(self, reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await reader.read()
        parts = []
        while size := int((await reader.readline()).split(b";")[0] or b"0", 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)

    def head(self, method: str, path: str, *, htmx: bool = False, body: str | None = None, **more: str) -> str:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Accept: text/html", "Accept-Encoding: gzip"]
        lines.append(f"X-Forwarded-For: {self.address}")
        if htmx:
            lines.append("HX-Request: true")
        if self.cookies:
            lines.append(f"Cookie: {'; '.join(f'{name}={text}' for name, text in self.cookies.items())}")
        if body is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {text}" for name, text in more.items()]
        return "\r\n".join(lines) + "\r\n\r\n"

    def hang_up(self) -> None:
        if self.ends is not None:
            self.ends[1].close()
            self.ends = None


def value(name: str, page: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', page)
    if found is None:
        raise Wrong(f"no field {name} in {page[:400]}")
    return html.unescape(found[1])


class Phone:
    """A player's phone: the page of its seat, and the stream of that page."""

    def __init__(self, at: Table, seat: int, secret: str, port: int, address: str) -> None:
        self.table, self.seat, self.secret = at, seat, secret
        self.seen = at.seen
        self.browser = Browser(port, address, at.seen)
        self.version = 0
        self.drafts = ""
        self.stream = ""
        self.token = ""
        self.heard: dict[int, float] = {}
        self.news = asyncio.Event()
        self.asking: asyncio.Task[None] | None = None
        self.asked_again = False

    async def sit(self) -> None:
        """Opens the link and the page of the seat."""
        await self.browser.ask("GET", f"/l/{self.secret}", allowed=(302,))
        await self.open_page()

    async def open_page(self) -> None:
        """The page of this seat's rows of the next hand."""
        page = (await self.browser.ask("GET", f"{self.table.at}/seat/{self.seat}/")).body
        self.drafts, self.token = value("v", page), value("csrfmiddlewaretoken", page)
        found = re.search(r'data-stream="([^"]+)"', page)
        if found is None:
            raise Wrong("a page without a stream")
        self.stream = html.unescape(found[1])
        version = re.search(r'data-version="(\d+)"', page)
        self.hear(int(version[1]) if version else 0)

    async def enter(self, number: int, rows: Sequence[str], pause: float) -> None:
        """Sends the rows as they fill."""
        for count in range(1, len(ROWS) + 1):
            await asyncio.sleep(random.uniform(0, 2 * pause / len(ROWS)))
            sent = dict(zip((f"p{self.seat}-{row}" for row in ROWS), [*rows[:count], "", ""], strict=False))
            fields = {
                **sent, "number": number, "v": self.drafts, "own": self.seat, f"p{self.seat}-rev": count - 1,
                f"p{self.seat}-seen": "", "csrfmiddlewaretoken": self.token,
            }  # fmt: skip
            answer = await self.browser.ask("POST", f"{self.table.at}/hand/{self.seat}/", fields, htmx=True)
            self._note(answer)

    async def ask_for_drafts(self, number: int) -> Answer:
        """What others have sent, or where to go because the hand is settled."""
        fields = {"v": self.drafts, "number": number, "own": self.seat, f"p{self.seat}-rev": 3}
        address = f"{self.table.at}/hand/drafts/?{urlencode(fields)}"
        answer = await self.browser.ask("GET", address, htmx=True, allowed=(200, 204))
        self._note(answer)
        return answer

    def _note(self, answer: Answer) -> None:
        if 'name="v"' in answer.body:
            self.drafts = value("v", answer.body)

    async def look_at(self, number: int) -> None:
        """After the settlement: the page that the pad leads to, and the page of the next hand."""
        await self.ask_for_drafts(number)
        await self.browser.ask("GET", f"{self.table.at}/hands/{number}/")
        await self.open_page()

    # --- The stream ---------------------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Keeps a stream open, and opens another one when it ends, as an EventSource does."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError, asyncio.LimitOverrunError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.browser.port)
                try:
                    await self._hear(reader, writer)
                finally:
                    writer.close()
            self.seen.counts["streams opened again"] += 1
            await asyncio.sleep(random.uniform(1, 3))

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = f"{self.stream}&after={self.version}"
        writer.write(self.browser.head("GET", address, Last_Event_ID=str(self.version)).encode())
        async with asyncio.timeout(30):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if " 200 " not in head.partition("\r\n")[0]:
            self.seen.counts[f"streams refused with {head.split()[1]}"] += 1
            if head.split()[1] == "404":  # a token lasts ten minutes, and the page has a new one
                await self.open_page()
            return
        event = ""
        while True:
            async with asyncio.timeout(40):  # the server speaks every 15 seconds
                line = (await reader.readuntil(b"\n")).decode().rstrip("\r\n")
            kind, _, text = line.partition(": ")
            if kind == "event":
                event = text
            elif kind == "data" and event == "moved":
                self.hear(int(text))
            elif kind == "data" and event == "entered" and text != self.drafts:
                self._ask_soon()

    def hear(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self.heard[version] = time.monotonic()
            self.news.set()

    def _ask_soon(self) -> None:
        if self.asking is None or self.asking.done():
            self.asking = self.table.start(self._ask(self.table.number))
        else:
            self.asked_again = True

    async def _ask(self, number: int) -> None:
        while True:
            self.asked_again = False
            await asyncio.sleep(ECHO)
            if self.table.number == number:
                await self.ask_for_drafts(number)
            if not self.asked_again:
                return


class Table:
    """A table of phones that plays hand after hand. The first phone is the host's, and settles."""

    def __init__(self, port: int, seen: Seen, number: int, session: str, secrets: Sequence[str]) -> None:
        self.seen = seen
        self.at = f"/s/{session}"
        self.session = session
        self.number = 1
        """The hand that is being entered."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.phones = [
            Phone(self, seat, secret, port, f"10.{number // 250}.{number % 250}.{seat}")
            for seat, secret in enumerate(secrets, 1)
        ]

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts something that goes on beside the hand; `stop` ends it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def sit(self) -> None:
        for phone in self.phones:
            await phone.sit()
            self.start(phone.listen())

    async def play(self, pause: float) -> None:
        """One hand: everyone enters their rows within about ``pause`` seconds, and the host settles."""
        host, *others = self.phones
        number, boards = self.number, HANDS[self.number % len(HANDS)]
        await asyncio.gather(
            *(phone.enter(number, rows, pause) for phone, rows in zip(self.phones, boards, strict=True))
        )
        page = (await host.browser.ask("GET", f"{self.at}/hand/")).body
        fields = {"key": secrets.token_hex(16), "seats": value("seats", page), "number": number}
        page = (await host.browser.ask("GET", f"{self.at}/hand/?{urlencode(fields)}")).body
        preview = page[page.index("data-outbox") :]
        sent = {name: html.unescape(text) for name, text in re.findall(r'name="([^"]+)" value="([^"]*)"', preview)}
        pressed = time.monotonic()
        answer = await host.browser.ask("POST", f"{self.at}/hand/", sent, allowed=(302,))
        self.seen.settled.append(time.monotonic() - pressed)
        if answer.headers["location"] != f"{self.at}/hands/{number}/":
            raise Wrong(f"hand {number} of {self.session} became {answer.headers['location']}")
        wanted = int(sent["version"]) + 1
        self.number += 1
        await asyncio.gather(*(self._heard(phone, wanted, pressed, number) for phone in others))
        await host.browser.ask("GET", f"{self.at}/hands/{number}/")
        await host.open_page()

    async def _heard(self, phone: Phone, wanted: int, pressed: float, number: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(60):
                while phone.version < wanted:
                    phone.news.clear()
                    await phone.news.wait()
        if phone.version < wanted:
            self.seen.counts["phones that heard of no settlement within a minute"] += 1
        else:
            self.seen.told.append(phone.heard.get(wanted, time.monotonic()) - pressed)
        phone.heard.clear()
        await phone.look_at(number)

    async def stop(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for phone in self.phones:
            phone.browser.hang_up()
