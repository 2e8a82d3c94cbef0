"""The hub and its streams without a server: which page is told what, and when."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import override_settings

from ofcscore.pages import Message, Receive, Send
from ofcscore.streams import Streams
from scoring import live
from scoring.live import Hub, Watch
from scoring.live import hub as live_hub

TURNS = 50
"""Turns of the event loop: several times as many as any news takes from the hub to the last page."""


def run(story: Callable[[Hub], Coroutine[Any, Any, None]], most: int = 100) -> None:
    asyncio.run(asyncio.wait_for(story(Hub(most)), 5))


def version_event(version: int) -> bytes:
    return b"id: %d\nevent: moved\ndata: %d\n\n" % (version, version)


class Page:
    """A page and its stream, with the server between them simulated. ``read`` holds what has arrived."""

    def __init__(
        self, hub: Hub, address: str, *, beat: float = 60, slow: bool = False, client: str = "192.0.2.1", **headers: str
    ) -> None:
        path, _, query = address.partition("?")
        self.scope: Message = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "client": (client, 50_000),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }
        self.read: list[bytes] = []
        self.status = 0
        self.over = False
        self.gone = asyncio.Event()
        self.reading = asyncio.Event()
        if not slow:
            self.reading.set()
        self.task = asyncio.create_task(Streams(self._pages, hub, beat=beat)(self.scope, self._receive, self._send))

    async def quiet(self) -> list[bytes]:
        """Everything that has arrived, once nothing more arrives."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
        return self.read[1:]  # the first line only sets how soon the page reconnects

    async def _pages(self, scope: Message, receive: Receive, send: Send) -> None:
        self.status = 404

    async def _receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self.reading.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.over = not message["more_body"]
            self.read += [message["body"]] if message["body"] else []


def page(hub: Hub, session: str, after: int = 0, *, link: str = "link", club: str = "club", **options: Any) -> Page:
    return Page(hub, f"{live.address(session, link, club)}&after={after}", **options)


def moved(hub: Hub, session: str, version: int) -> None:
    hub.hear({"session": session, "version": version})


def test_every_page_of_a_session_is_told_and_no_other() -> None:
    async def story(hub: Hub) -> None:
        ours, theirs = [page(hub, "ours", 1) for _ in range(3)], page(hub, "theirs", 1)
        await ours[0].quiet()
        moved(hub, "ours", 2)
        assert [await each.quiet() for each in ours] == [[version_event(2)]] * 3
        assert await theirs.quiet() == []

    run(story)


@pytest.mark.parametrize(
    "text", ["reload", "", "7", "[" * 5000, "{}", '{"version": 2}', '{"gone": true, "session": []}']
)
def test_a_message_that_is_none_of_ours_says_nothing(text: str) -> None:
    async def story(hub: Hub) -> None:
        phone = page(hub, "a", 1)
        await phone.quiet()
        hub.hear_text(text)
        hub.hear_text('{"session": "a", "version": 2}')
        assert await phone.quiet() == [version_event(2)]

    run(story)


def test_a_page_is_told_only_what_is_newer_than_itself() -> None:
    async def story(hub: Hub) -> None:
        ahead, behind = page(hub, "a", 7), page(hub, "a", 3)
        await ahead.quiet()
        for version in (5, 4, 7):
            moved(hub, "a", version)
            await behind.quiet()
        assert await behind.quiet() == [version_event(5), version_event(7)]
        assert await ahead.quiet() == []

    run(story)


def test_many_moves_at_once_are_one_event() -> None:
    async def story(hub: Hub) -> None:
        phone = page(hub, "a", 1)
        await phone.quiet()
        for version in range(2, 50):
            moved(hub, "a", version)
        assert await phone.quiet() == [version_event(49)]

    run(story)


def test_drafts_are_announced_once_beside_the_version() -> None:
    async def story(hub: Hub) -> None:
        ours, theirs = page(hub, "ours", 3), page(hub, "theirs", 3)
        await ours.quiet()
        hub.hear({"session": "ours", "drafts": "3.1"})
        hub.hear({"session": "ours", "drafts": "3.2"})
        assert await ours.quiet() == [b"event: entered\ndata: 3.2\n\n" + version_event(3)]
        hub.hear({"session": "ours", "drafts": "3.3"})
        assert (await ours.quiet())[1:] == [b"event: entered\ndata: 3.3\n\n"]
        moved(hub, "ours", 4)
        assert (await ours.quiet())[2:] == [version_event(4)]
        assert await theirs.quiet() == []

    run(story)


def test_a_slow_phone_skips_versions_and_holds_up_nobody() -> None:
    async def story(hub: Hub) -> None:
        slow, fast = page(hub, "a", 1, slow=True), page(hub, "a", 1)
        await fast.quiet()
        for version in range(2, 30):
            moved(hub, "a", version)
            await fast.quiet()
        assert (await fast.quiet())[-1] == version_event(29)
        assert slow.read == []
        slow.reading.set()
        assert await slow.quiet() == [version_event(29)]

    run(story)


def test_a_page_that_missed_a_known_version_is_told_at_once() -> None:
    async def story(hub: Hub) -> None:
        first = page(hub, "a", 1)
        await first.quiet()
        moved(hub, "a", 5)
        moved(hub, "a", 4)  # another process's news of an older version, late
        assert await page(hub, "a", 4).quiet() == [version_event(5)]
        assert await page(hub, "a", 5).quiet() == []
        assert await page(hub, "a", 2, last_event_id="4").quiet() == [version_event(5)]
        assert await page(hub, "a", 2, last_event_id="5").quiet() == []
        assert await page(hub, "a", 2, last_event_id="no number").quiet() == [version_event(5)]

    run(story)


def test_a_page_that_claims_a_future_version_misleads_only_itself() -> None:
    async def story(hub: Hub) -> None:
        liar, honest = page(hub, "a", 999_999), page(hub, "a", 1)
        await liar.quiet()
        moved(hub, "a", 2)
        assert await honest.quiet() == [version_event(2)]
        assert await page(hub, "a", 1).quiet() == [version_event(2)]

    run(story)


def test_a_quiet_stream_repeats_its_version() -> None:
    async def story(hub: Hub) -> None:
        phone = page(hub, "a", 3, beat=0.002)
        beats: list[bytes] = []
        while len(beats) < 3:  # `run` gives up if they never come
            beats += await phone.quiet()
        assert set(beats) == {version_event(3)}

    run(story)


def test_a_phone_that_leaves_is_forgotten() -> None:
    async def story(hub: Hub) -> None:
        phone = page(hub, "a")
        await phone.quiet()
        assert (hub.streams, hub.sessions) == (1, ["a"])
        phone.gone.set()
        await phone.task
        assert (hub.streams, hub.sessions) == (0, [])

    run(story)


def test_a_stream_of_a_revoked_link_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(hub: Hub) -> None:
        hub.hear({"link": "before anybody watched"})
        first, other = page(hub, "a", 1, link="lost"), page(hub, "a", 1)
        await first.quiet()
        hub.hear({"link": "lost"})
        await first.task
        late = [page(hub, "a", 1, link=link) for link in ("lost", "before anybody watched")]
        moved(hub, "a", 2)
        assert [await each.quiet() for each in late] == [[], []]
        assert all(each.over for each in late)
        assert await other.quiet() == [version_event(2)]
        assert hub.streams == 1
        # The hub remembers a revoked link as long as its tokens may be valid, and no longer.
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + live.LIFETIME)
        hub.hear({"link": "another"})
        assert list(hub._ended) == ["another"]
        monkeypatch.undo()

    run(story)


def test_a_stream_of_a_deleted_session_ends_at_once_and_its_token_opens_nothing() -> None:
    async def story(hub: Hub) -> None:
        lost, other = page(hub, "lost", 1), page(hub, "other", 1)
        await lost.quiet()
        hub.hear({"session": "lost", "gone": True})
        await lost.task
        late = page(hub, "lost", 1)
        moved(hub, "lost", 2)
        moved(hub, "other", 2)
        assert (await late.quiet(), late.over) == ([], True)
        assert await other.quiet() == [version_event(2)]

    run(story)


def test_when_the_server_stops_every_stream_ends_and_the_phones_are_told_to_come_back() -> None:
    async def story(hub: Hub) -> None:
        phones = [page(hub, name) for name in ("a", "a", "b")]
        await phones[0].quiet()
        hub.close()
        await asyncio.gather(*(phone.task for phone in phones))
        assert all(phone.over for phone in phones)
        assert hub.streams == 0
        waits = [int(phone.read[0].removeprefix(b"retry: ")) for phone in phones]
        assert all(1000 <= wait < 3000 for wait in waits)

    run(story)


def test_a_link_that_no_longer_stands_loses_its_streams_and_no_others() -> None:
    async def story(hub: Hub) -> None:
        phones = [page(hub, session, link=link) for session, link in ("ax", "ax", "ay", "bx")]
        await phones[0].quiet()
        hub.hear({"link": "x"})
        await phones[0].quiet()
        assert [phone.over for phone in phones] == [True, True, False, True]

    run(story)


def test_a_full_process_refuses_streams_until_somebody_leaves() -> None:
    async def story(hub: Hub) -> None:
        inside = [page(hub, "a"), page(hub, "b")]
        await inside[0].quiet()
        late = page(hub, "a")
        await late.task
        assert (late.status, late.over, hub.streams) == (503, True, 2)
        inside[0].gone.set()
        await inside[0].task
        after = page(hub, "a")
        await after.quiet()
        assert after.status == 200

    run(story, most=2)


def test_one_link_cannot_take_the_room_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "MOST_OF_A_LINK", 2)

    async def story(hub: Hub) -> None:
        greedy = [page(hub, session, link="shared") for session in ("a", "a", "b")]
        other = page(hub, "a", link="another")
        await other.quiet()
        assert [phone.status for phone in (*greedy, other)] == [200, 200, 503, 200]
        greedy[0].gone.set()
        await greedy[0].task
        after = [page(hub, "b", link="shared") for _ in range(2)]
        await after[0].quiet()
        assert [phone.status for phone in after] == [200, 503]

    run(story)


@pytest.mark.parametrize("limit", ["STREAMS_PER_CLUB", "STREAMS_PER_ADDRESS"])
def test_one_club_or_address_cannot_take_the_room_of_all_others(limit: str) -> None:
    """Each of these pages came in by a link of its own."""

    def of(hub: Hub, who: int, link: str) -> Page:
        club, client = (f"club {who}", "") if limit == "STREAMS_PER_CLUB" else (f"club {link}", f"203.0.113.{who}")
        return page(hub, f"session-{link}", link=link, club=club, client=client)

    async def story(hub: Hub) -> None:
        greedy, other = [of(hub, 1, link) for link in "abc"], of(hub, 2, "d")
        await other.quiet()
        assert [phone.status for phone in (*greedy, other)] == [200, 200, 503, 200]
        greedy[0].gone.set()
        await greedy[0].task
        after = [of(hub, 1, link) for link in "ef"]
        await after[0].quiet()
        assert [phone.status for phone in after] == [200, 503]
        with override_settings(**{limit: 0}):
            unlimited = of(hub, 1, "g")
            await unlimited.quiet()
        assert unlimited.status == 200

    with override_settings(**{limit: 2}):
        run(story)


@override_settings(STREAMS_PER_ADDRESS=1)
def test_a_household_is_one_address() -> None:
    async def story(hub: Hub) -> None:
        addresses = ("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1")
        phones = [page(hub, "a", client=each) for each in addresses]
        await phones[0].quiet()
        assert [phone.status for phone in phones] == [200, 503, 200]

    run(story)


def test_news_without_listeners_is_no_error() -> None:
    hub = Hub()
    moved(hub, "a", 1)

    async def listened() -> None:
        assert hub.join(Watch("a", "", 0))

    asyncio.run(listened())
    moved(hub, "a", 2)  # the loop is closed, so there is nobody to tell, and that is no error


# --- Tokens -----------------------------------------------------------------------------------------------------------


def token(address: str) -> str:
    return parse_qs(address.partition("?")[2])["token"][0]


def refused(address: str) -> bool:
    """Whether the hub leaves this address to the pages, which answer it like any unknown address."""
    statuses = []

    async def story(hub: Hub) -> None:
        phone = Page(hub, address)
        await phone.quiet()
        statuses.append(phone.status)
        assert hub.streams == (phone.status == 200)

    run(story)
    return statuses == [404]


def test_a_token_opens_its_own_session_and_no_other() -> None:
    assert not refused(live.address("a", "x", "club"))
    assert refused(live.address("a", "x", "club").replace("/s/a/", "/s/b/"))
    admitted = live.admitted("a", token(live.address("a", "x", "club")))
    assert admitted is not None
    assert admitted.link == "x"
    assert "club" not in admitted.club  # somebody who only reads along is not told the club's id
    assert live.admitted("b", token(live.address("a", "x", "club"))) is None


@pytest.mark.parametrize("bad", ["", "token=", "token=x", "token=x:y:z", "token=%00", "token=%F0%9F%82%A1"])
def test_no_token_is_no_stream(bad: str) -> None:
    assert refused(f"/s/a/live?{bad}")


def test_a_changed_token_is_invalid() -> None:
    good = token(live.address("a", "x", "club"))
    for place, letter in enumerate(good):
        other = "A" if letter != "A" else "B"
        assert live.admitted("a", good[:place] + other + good[place + 1 :]) is None
    assert live.admitted("a", good)


def test_a_token_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    address = live.address("a", "x", "club")
    made = time.time()
    monkeypatch.setattr(time, "time", lambda: made + live.LIFETIME - 5)
    assert live.admitted("a", token(address))
    monkeypatch.setattr(time, "time", lambda: made + live.LIFETIME + 5)
    assert live.admitted("a", token(address)) is None
    assert refused(address)
