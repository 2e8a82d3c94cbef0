"""While an evening is played on several processes, no page that anybody reads is torn, fails or disagrees with itself.

The default size is small; `make soak` sets the real one.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections
from lxml import html

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, CashOut
from scoring.actions.penalty import Penalty
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.ledger import Conflict, audit
from scoring.models import BoardResult, Club, Event, Session
from tests.conftest import host_secret
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, perform, settle, start
from tests.servers import ROOT, address_of_the_database, serving

ROUNDS = int(os.environ.get("BUSY_ROUNDS", "60"))
"""How often each of two writers does something at least."""
MINUTES = float(os.environ.get("BUSY_MINUTES", "0"))
READERS = 3

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

HANDS = [entry(s1=STRONG, s2=PLAIN, s3=WEAK), entry(s1=PLAIN, s2=WEAK, s3=FOUL), entry(s1=WEAK, s2=STRONG, s3=PLAIN)]
CARDS = "checked=1&p1-ruling=dead&p2-front=7s8d9c&p2-middle=6h6d8s9dTc&p2-back=7h7d8h8cTs&p3-ruling=dead"


@pytest.fixture
def ports(tmp_path: Path, transactional_db: None) -> Iterator[list[int]]:
    """The ports of the servers: two processes on PostgreSQL, the one that SQLite is meant for."""
    environment = {
        "DATABASE_URL": address_of_the_database(),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATA_DIR": str(tmp_path),
    }
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env={"PATH": os.environ["PATH"], **environment}, check=True)
    with ExitStack() as room:
        count = 2 if connection.vendor == "postgresql" else 1
        yield [room.enter_context(serving(**environment))[1] for _ in range(count)]


class Writer:
    """Somebody who does everything that makes a page hard to read in one piece."""

    def __init__(self, session: Session, name: str) -> None:
        self.session = session
        self.name = name
        self.chance = random.Random(name)
        self.done: Counter[str] = Counter()

    def play(self, goes_on: Callable[[], bool]) -> None:
        """Do something again and again, whether or not the ledger refuses it."""
        while self.done.total() < ROUNDS or goes_on():
            try:
                self.turn(f"{self.name} {self.done.total()}")
                self.done["done"] += 1
            except (LedgerError, Conflict):
                self.done["refused"] += 1
            except OperationalError as error:
                if "database is locked" not in str(error):
                    raise
                # Between processes SQLite has no queue, so one of them may wait in vain on a busy machine.
                self.done["locked out"] += 1

    def turn(self, key: str) -> None:
        now, chance = Session.objects.get(pk=self.session.pk), self.chance
        who: dict[str, Any] = {"session": now, "key": key, "by": self.name}
        number, hand, seat = chance.randint(1, now.deals), chance.choice(HANDS), chance.randint(1, 3)
        doing: list[tuple[int, Callable[[], object]]] = [
            (8, lambda: ledger.settle_deal(**who, entry=hand, number=now.next_number)),
            (3, lambda: ledger.correct_deal(**who, number=number, entry=hand, note="rows")),
            (1, lambda: ledger.void_deal(**who, number=number, note="misdeal")),
            (1, lambda: ledger.restore_deal(**who, number=number, note="it stood")),
            (2, lambda: perform(BuyIn, **who, seat=seat, amount=5_000)),
            (1, lambda: perform(CashOut, **who, seat=seat, amount=100)),
            (1, lambda: perform(Penalty, **who, seat=seat, points=1, note="slow")),
            (1, lambda: ledger.undo(**who)),
            (1, lambda: ledger.close_session(**who, counts=self.counted(now), note="counted")),
            (3, lambda: ledger.reopen_session(**who)),
        ]
        chance.choices([one for _, one in doing], [weight for weight, _ in doing])[0]()

    def counted(self, now: Session) -> dict[int, int]:
        """The stacks as they lie there. Somebody may have miscounted, and they may have moved meanwhile."""
        table = reads.seating(now)[1]
        stacks = {chair.number: (table.stacks or {}).get(chair.number, 0) for chair in table.chairs}
        return {seat: chips + self.chance.choice([0, 0, 100, -100]) for seat, chips in stacks.items()}


IN_ANOTHER_PROCESS = """
import json, sys, time, django
django.setup()
from scoring.models import Session
from tests.live.test_busy_evening import MINUTES, Writer
bob = Writer(Session.objects.get(pk=sys.argv[1]), "Bob")
end = time.monotonic() + 60 * MINUTES
bob.play(lambda: time.monotonic() < end)
print(json.dumps(bob.done))
"""


def play_in_another_process(session: Session) -> Counter[str]:
    """What another writer did, and what the ledger refused it."""
    environment = {
        **os.environ,
        "DATABASE_URL": address_of_the_database(),
        "DJANGO_SETTINGS_MODULE": "ofcscore.settings",
        "SECRET_KEY": settings.SECRET_KEY,
    }
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(session.pk)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Counter(json.loads(done.stdout))


def points_of(cells: list[Any]) -> list[int]:
    """The points in cells of the ledger page."""
    return [
        int(re.sub(r"[^0-9\-]", "", cell.text_content().replace("−", "-").replace("–", "0")) or 0) for cell in cells
    ]


def ledger_adds_up(body: bytes) -> None:
    """The totals of a ledger page sum to zero, and each is the sum of that player's line among the pairs.

    Among the money, the bank has what the stacks lacked when they were counted.
    """
    page = html.document_fromstring(body.decode())
    assert "Balanced: points and money add up to zero" in page.text_content()
    totals = points_of(
        page.xpath("(//*[contains(@class, 'books')]//table[contains(@class, 'ledger')])[1]/tfoot/tr[1]/td/b")
    )
    pairs = page.xpath("(//*[contains(@class, 'books')]//table[contains(@class, 'ledger')])[2]/tbody/tr")
    assert len(totals) == 3
    # The house's penalties are in no pair's line, so they are booked between players here.
    assert [sum(points_of(line.xpath("./td/b"))) for line in pairs] == totals


def export_adds_up(body: bytes) -> None:
    """Each session of an export has as many hands as its events settled, and totals that are its lines."""
    for session in json.loads(body)["sessions"]:
        assert [event["n"] for event in session["events"]] == list(range(1, len(session["events"]) + 1))
        settled = [event["deal"] for event in session["events"] if event["verb"] == "settle"]
        assert settled == [deal["number"] for deal in session["deals"]]
        assert all(line["event"] <= len(session["events"]) for line in session["transfers"])
        of: dict[int, int] = defaultdict(int)
        for line in session["transfers"]:
            if line["kind"] in {"deal", "penalty", "side-bet", "count"}:
                of[line["payee"]] += line["amount"]
                of[line["payer"]] -= line["amount"]
        names = {seat["seat"]: seat["name"] for seat in session["seats"]}
        if session["closed"]:
            assert {total["player"]: total["money"] for total in session["totals"]} == {
                name: of[seat] for seat, name in names.items() if seat > 0
            }
        else:
            assert session["totals"] == []


def ask(port: int, address: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """The answer and its body, over a connection of its own: the server ends one that idles while a page is read."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connected:
        connected.request("GET", address, headers=headers)
        answer = connected.getresponse()
        return answer, answer.read()


def read(port: int, session: Session, secret: str, over: threading.Event, number: int) -> Counter[str]:
    """Read one page after another until the evening is over; counts the answers by page and status."""
    seen: Counter[str] = Counter()
    opened, _ = ask(port, f"/l/{secret}")
    cookie = opened.headers["Set-Cookie"].partition(";")[0]

    def get(address: str) -> tuple[int, bytes]:
        """The answer; where a page waits for a download, as a browser does, the download."""
        while True:
            answer, body = ask(port, address, Cookie=cookie)
            then = answer.headers.get("Refresh")
            if then is None:
                return answer.status, body
            assert answer.status in {200, 202}
            address = address.partition("?")[0] + then.partition("url=")[2]

    at, club = f"/s/{session.public_id}", f"/c/{session.club.public_id}"
    pages = [
        (f"{at}/ledger/", ledger_adds_up),
        (f"{club}/export.json", export_adds_up),
        (f"{at}/hands/1/correct/?{CARDS}", None),
        (f"{at}/hands/2/void/", None),
        (f"{at}/", None),
        (f"{at}/screen/", None),
        (f"{at}/history/", None),
        (f"{at}/hands/1/", None),
        (f"{at}/close/", None),
        (f"{at}/ledger.xlsx", None),
        (f"{club}/standings/", None),
    ]
    while not over.is_set() or seen.total() < len(pages):  # each at least once, however busy the machine is
        address, adds_up = pages[(number + seen.total()) % len(pages)]
        status, body = get(address)
        # A change may have become impossible or come too late; nothing may fail or be cut off.
        allowed = {200, 409, 422} if "/correct/" in address or "/void/" in address else {200}
        assert status in allowed, f"{status} for {address}"
        if adds_up:
            adds_up(body)
        seen[f"{address.partition('?')[0].removeprefix(at).removeprefix(club)} {status}"] += 1
    return seen


def listen(over: threading.Event) -> int:
    """Audit everything again and again until the evening is over; the number of audits."""
    audits = 0
    try:
        while not over.is_set():
            assert list(map(str, audit.of_everything())) == []
            audits += 1
    finally:
        connections.close_all()
    return audits


def test_nobody_reads_a_torn_page_of_a_busy_evening(ports: list[int]) -> None:
    session = start()
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=100_000)
    for _ in range(3):
        settle(session, Entry(points=((1, 2, 1),)))
    secret = host_secret(Club.objects.get(pk=session.club_id))
    ann, over = Writer(session, "Ann"), threading.Event()
    with ThreadPoolExecutor(READERS + 2) as pool:
        reading = [pool.submit(read, ports[n % len(ports)], session, secret, over, n) for n in range(READERS)]
        auditing, writing = pool.submit(listen, over), pool.submit(play_in_another_process, session)
        try:
            ann.play(lambda: not writing.done())
            bob = writing.result()
        finally:
            over.set()
        seen = sum((each.result() for each in reading), Counter())
        audits = auditing.result()
    print(f"\n{connection.vendor}: {dict(ann.done)} and {dict(bob)}, {audits} audits, {seen.total()} pages")
    print(dict(sorted(seen.items())))
    assert min(ann.done["done"], bob["done"]) > ROUNDS // 4
    assert {"Ann", "Bob"} <= set(Event.objects.filter(session=session).values_list("by", flat=True))
    happened = set(Event.objects.filter(session=session).values_list("verb", flat=True))
    assert {"settle", "correct", "buy-in"} <= happened
    if MINUTES:  # a short evening need not have had everything
        assert {"void", "restore", "cash-out", "penalty", "undo", "close", "reopen"} <= happened
        assert BoardResult.objects.filter(revision__deal__session=session, fantasyland_cards__gt=0).exists()
    assert seen.total() > 10
    assert list(map(str, audit.of_everything())) == []
