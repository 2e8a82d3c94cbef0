"""Exports are made apart: the page that waits, the file, and the real server with a process of its own."""

from __future__ import annotations

import errno
import gzip
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from http.client import HTTPConnection
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from urllib.parse import urljoin

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from openpyxl import load_workbook
from xlsxwriter.exceptions import FileCreateError

from scoring import club, ledger
from scoring.access.links import Role
from scoring.actions.side_bet import SideBet
from scoring.exports import making
from scoring.game.entry import Entry
from scoring.models import Player, Session
from scoring.views.books import paper
from scoring.views.club import what_if
from tests.access.conftest import issue
from tests.conftest import host_secret
from tests.ledger.conftest import PLAIN, WEAK, act, entry, settle, start
from tests.servers import address_of_the_database, serving


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where exports are made."""
    settings.EXPORT_DIR = tmp_path / "exports"
    settings.EXPORT_DIR.mkdir()
    return tmp_path / "exports"


class Slow:
    """Stands in for `making.start`: an export that is made when the test says so."""

    def __init__(self) -> None:
        self.started: list[making.Making] = []

    def __call__(self, kind: str, public_id: str, given: str, client: str) -> making.Making:
        made = making.Making("A" * 16, making._file(kind, public_id, "A" * 16), Future(), 43)
        making._making[kind, public_id, "0", "", ""] = made
        self.started.append(made)
        return made

    def finish(self, content: bytes = b"", failure: Exception | None = None) -> None:
        making._making.clear()
        if failure:
            self.started[-1].finished.set_exception(failure)
        else:
            self.started[-1].file.write_bytes(content)
            self.started[-1].finished.set_result(None)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow()
    monkeypatch.setattr(making, "start", slow)
    yield slow
    making._making.clear()


def ask(client: Client, session: Session, query: str = "", wait: Any = None) -> Any:
    """Ask for the spreadsheet as the server does that lets requests wait."""
    wait = wait or SimpleNamespace(until=None, token="")
    return client.get(f"/s/{session.public_id}/ledger.xlsx{query}", **{"ofcscore.wait": wait})


def test_who_asks_for_a_long_one_sees_how_far_it_is(client: Client, session: Session, slow: Slow) -> None:
    response = ask(client, session)
    assert response["Refresh"] == f"1; url=?look&export={'A' * 16}"
    assert b'max="100" value="43"' in response.content
    assert b"The table can play on meanwhile." in response.content
    again = ask(client, session, f"?look&export={'A' * 16}")
    assert b'value="43"' in again.content
    assert len(slow.started) == 1


def test_a_program_asks_again_where_it_is_told_to(client: Client, session: Session, slow: Slow) -> None:
    """At the first address a club's export would be begun anew each time."""
    response = ask(client, session)
    assert (response.status_code, response["Retry-After"]) == (202, "1")
    path, _, query = response["Location"].partition("?")
    assert path == f"/s/{session.public_id}/ledger.xlsx"
    assert ask(client, session, f"?{query}").status_code == 202
    slow.finish(b"PK the workbook")
    made = ask(client, session, f"?{query}")
    assert (made.status_code, b"".join(made)) == (200, b"PK the workbook")
    assert len(slow.started) == 1


def test_once_made_it_is_downloaded_from_the_page(client: Client, session: Session, slow: Slow) -> None:
    ask(client, session)
    slow.finish(b"PK the workbook")
    ready = ask(client, session, f"?look&export={'A' * 16}")
    assert ready["Refresh"] == f"0; url=?export={'A' * 16}"
    assert b"Download file" in ready.content
    file = ask(client, session, f"?export={'A' * 16}")
    assert file.getvalue() == b"PK the workbook"
    assert file["Content-Disposition"].endswith('.xlsx"')
    assert file["Content-Encoding"] == "identity"


def test_a_quick_one_is_the_answer_itself(client: Client, session: Session, slow: Slow) -> None:
    wait = SimpleNamespace(until=None, token="")
    ask(client, session, wait=wait)
    slow.finish(b"PK the workbook")
    assert wait.until.done()
    assert ask(client, session, wait=wait).getvalue() == b"PK the workbook"


def test_one_that_fails_is_an_error_and_not_tried_for_ever(client: Client, session: Session, slow: Slow) -> None:
    wait = SimpleNamespace(until=None, token="")
    ask(client, session, wait=wait)
    slow.finish(failure=RuntimeError("no room"))
    with pytest.raises(RuntimeError, match="no room"):
        ask(client, session, wait=wait)


@pytest.mark.parametrize("token", ["../../../etc/passwd", "A" * 15, "B" * 16, "%00"])
def test_a_token_of_nothing_starts_anew(client: Client, session: Session, slow: Slow, token: str) -> None:
    assert b"One moment" in ask(client, session, f"?export={token}").content
    assert len(slow.started) == 1


def test_another_sessions_token_opens_nothing(client: Client, session: Session, slow: Slow) -> None:
    ask(client, start("Dan Eve"))
    slow.finish(b"theirs")
    assert b"One moment" in ask(client, session, f"?export={'A' * 16}").content


def test_only_who_asks_for_the_same_joins_an_export_that_is_being_made(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_run", lambda *_: None)
    try:
        first = making.start("record", session.public_id, "")
        assert making.start("record", session.public_id, "") is first
        assert making.start("spreadsheet", session.public_id, "") is not first
        of_club = making.start("club", session.club.public_id, "")
        settle(session)
        later = making.start("record", session.public_id, "")
        assert later.token != first.token
        assert making.start("club", session.club.public_id, "").token != of_club.token
        for each in (first, later):
            assert making.making("record", session.public_id, each.token) is each
    finally:
        making._making.clear()


@pytest.mark.parametrize("change", ["a payment of the tab", "a name", "two put together", "a link of a session"])
def test_nobody_joins_an_export_of_a_club_that_has_changed_meanwhile(
    session: Session, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """What belongs to the club, and to no session, raises no session's version."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    of = session.club
    ann, bob, cat = (Player.objects.get(club=of, name=name) for name in ("Ann", "Bob", "Cat"))
    kit = Player.objects.create(club=of, name="Kit", folded="kit")
    changes: dict[str, Callable[[], object]] = {
        "a payment of the tab": lambda: club.pay_tab(
            of, payer=bob.pk, payee=ann.pk, amount=900, currency="EUR", minor_digits=2, key="tab", by="host"
        ),
        "a name": lambda: club.rename_player(ann, "Annie"),
        "two put together": lambda: club.merge(kit, cat),
        "a link of a session": lambda: issue(session, Role.VIEWER),
    }
    monkeypatch.setattr(making, "_run", lambda *_: None)
    try:
        before = [making.start(kind, of.public_id, "") for kind in ("club", "statistics")]
        assert [making.start(kind, of.public_id, "") for kind in ("club", "statistics")] == before
        changes[change]()
        for each, kind in zip(before, ("club", "statistics"), strict=True):
            assert making.start(kind, of.public_id, "") is not each
    finally:
        making._making.clear()


@pytest.fixture
def made_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, in which each export is made as soon as it is started; like some, with a copy beside it."""

    def make(made: making.Making, at: Any) -> None:
        for file in (made.file, made.file.with_name(f"{made.file.name}.gz")):
            file.write_bytes(b"made")
        made.finished.set_result(None)

    monkeypatch.setattr(making, "_run", make)
    yield folder
    making._making.clear()


def started(kind: str, public_id: str, given: str = "") -> making.Making:
    """An export that is made by now."""
    made = making.start(kind, public_id, given)
    made.finished.result(30)
    return made


def test_what_is_made_already_is_not_made_again(session: Session, made_at_once: Path) -> None:
    first = started("record", session.public_id)
    assert started("record", session.public_id) is first
    assert started("record", session.public_id, "http://elsewhere/") is not first
    first.file.unlink()
    assert started("record", session.public_id) is not first


@pytest.mark.parametrize("kind", sorted(making.ASKED_ANEW))
def test_what_is_made_anew_whenever_it_is_asked_for_stays_for_a_while(
    session: Session, made_at_once: Path, kind: str
) -> None:
    """Somebody may have yet to download it; but nobody fills the disk with it."""
    club = session.club.public_id
    first, second = started(kind, club), started(kind, club)
    assert first is not second
    assert making.made(kind, club, first.token) == first.file
    assert making.making(kind, club, first.token) is first
    for _ in range(making.KEPT):
        last = started(kind, club)
    assert len(list(made_at_once.iterdir())) == 2 * making.KEPT
    assert making.made(kind, club, first.token) is None
    assert making.made(kind, club, last.token) == last.file


def test_only_so_many_processes_make_exports_at_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    running, started = threading.Semaphore(0), threading.Semaphore(0)

    class Process:
        """Stands in for a process that makes an export and ends when the test lets it."""

        stdout: tuple[str, ...] = ()
        returncode = 0

        def __init__(self, *_: Any, **__: Any) -> None:
            started.release()

        def kill(self) -> None:
            raise AssertionError

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            running.acquire()

    monkeypatch.setattr("scoring.exports.making.subprocess.Popen", Process)
    try:
        made = [making.start("record", session.public_id, f"http://{n}/") for n in range(making.AT_ONCE + 1)]
        for _ in range(making.AT_ONCE):
            assert started.acquire(timeout=30)
        assert not started.acquire(timeout=0.2)
        for _ in made:
            running.release()
        for each in made:
            each.finished.result(30)
        assert started.acquire(timeout=30)
    finally:
        making._making.clear()


def test_an_export_that_hangs_is_given_up_and_its_place_is_free(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    hangs.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(hangs))
    monkeypatch.setattr(making, "LONGEST", 0.1)
    for _ in range(making.AT_ONCE + 1):
        with pytest.raises(RuntimeError, match=f"The record of {session.public_id} could not be made"):
            making.start("record", session.public_id, "").finished.result(30)
    assert not making._making


def test_a_full_disk_is_called_a_full_disk(
    client: Client, session: Session, slow: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    wait = SimpleNamespace(until=None, token="")
    ask(client, session, wait=wait)
    slow.finish(failure=OSError(errno.ENOSPC, "No space left on device"))
    full = ask(client, session, wait=wait)
    assert full.status_code == 507
    assert "The server’s disk is full" in full.content.decode()
    assert "what you typed" not in full.content.decode()
    assert "Refresh" not in full
    assert [each.message for each in caplog.records if each.exc_info] == []


@pytest.mark.parametrize("kind", ["record", "spreadsheet"])
def test_half_an_export_takes_no_room(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    made = making.MAKERS[kind]

    def full(*given: Any) -> None:
        made(*given)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(making, "MAKERS", {kind: full})
    with pytest.raises(OSError, match="No space left on device"):
        making.make(kind, session.public_id, tmp_path / "export.json", "https://ofc.example.org/", lambda _: None)
    assert list(tmp_path.glob("export*.*")) == []


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_process_that_finds_the_disk_full_says_so(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrapped: bool
) -> None:
    def make(*_: object) -> None:
        full = OSError(errno.ENOSPC, "No space left on device")
        if wrapped:
            raise FileCreateError(full) from full
        raise full

    monkeypatch.setattr(os, "nice", lambda _: None)
    monkeypatch.setattr(making, "make", make)
    with pytest.raises(CommandError, match=r"^The disk is full\.$") as refusal:
        call_command("export", "record", session.public_id, str(tmp_path / "record"))
    ends = tmp_path / "ends"
    ends.write_text(f"#!/bin/sh\nexit {refusal.value.returncode}\n")
    ends.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(ends))
    with pytest.raises(OSError, match="No space left on device"):
        making.start("record", session.public_id, "").finished.result(30)


def test_only_so_many_exports_wait(client: Client, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who names the server in ever other ways would have each of them made, before what anybody else asked for."""
    begun: list[making.Making] = []
    monkeypatch.setattr(making, "_run", lambda made, _: begun.append(made))

    try:
        for port in range(making.WAITING + 3):
            making.start("spreadsheet", session.public_id, f"http://x:{port}/", f"client {port}")
        assert len(begun) == making.WAITING
        response = ask(client, session)
        assert response["Refresh"] == "1; url=?look&export="
        assert b"One moment" in ask(client, session, "?look&export=").content
        assert making.start("record", session.public_id, "").token
        begun[0].finished.set_result(None)
        begun[0].file.write_bytes(b"made")
        assert ask(client, session)["Refresh"] != "1; url=?look&export="
        for number in range(making.ALL_WAITING):
            making.start("record", f"another-{number}", "", f"client {number}")
        assert len(begun) == making.ALL_WAITING + 1
    finally:
        making._making.clear()


def test_what_one_client_asks_for_keeps_nobody_else_waiting(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody can start a club with many sessions."""
    club = start().club
    monkeypatch.setattr(making, "_run", lambda *_: None)
    try:
        tokens = [making.start("record", start(club=club).public_id, "", "theirs").token for _ in range(20)]
        assert [bool(token) for token in tokens] == [number < making.WAITING_FOR_ONE for number in range(20)]
        assert not making.has_room("what-if", club.public_id, "theirs")
        assert making.start("record", start().public_id, "", "ours").token
    finally:
        making._making.clear()


def test_only_so_many_made_exports_stay(session: Session, made_at_once: Path) -> None:
    """They differ by the address that was asked, and would fill the disk."""
    for port in range(making.KEPT + 3):
        last = started("record", session.public_id, f"http://x:{port}/")
    assert len(list(made_at_once.iterdir())) == 2 * making.KEPT
    assert started("record", session.public_id, f"http://x:{port}/") is last


def test_what_is_old_is_deleted(folder: Path) -> None:
    old, new = folder / "record.x.A", folder / "record.x.B"
    for file in (old, new):
        file.write_bytes(b"")
    os.utime(old, (0, time.time() - making.KEPT_FOR - 1))
    making.tidy()
    assert list(folder.iterdir()) == [new]
    making.forget("x")
    assert list(folder.iterdir()) == []


def test_the_command_writes_each_kind(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(session)
    gave_way: list[int] = []
    monkeypatch.setattr(os, "nice", gave_way.append)
    for kind, public_id in (("record", session.public_id), ("club", session.club.public_id)):
        call_command("export", kind, public_id, str(tmp_path / kind))
        plain = (tmp_path / kind).read_bytes()
        assert gzip.decompress((tmp_path / f"{kind}.gz").read_bytes()) == plain
        assert json.loads(plain)
        assert "50\n" in capsys.readouterr().out
    call_command("export", "spreadsheet", session.public_id, str(tmp_path / "book"), given="http://x/")
    assert load_workbook(BytesIO((tmp_path / "book").read_bytes())).sheetnames[0] == "Totals"
    call_command("export", "statistics", session.club.public_id, str(tmp_path / "statistics"))
    assert load_workbook(BytesIO((tmp_path / "statistics").read_bytes())).sheetnames[0] == "Standings"
    assert "66\n" in capsys.readouterr().out
    assert not (tmp_path / "statistics.gz").exists()
    with pytest.raises(CommandError, match="There is no nothing"):
        call_command("export", "record", "nothing", str(tmp_path / "none"))
    assert gave_way == [10] * 5


def served(folder: Path, secret: str, url: str, is_it: Callable[[Any], bool]) -> bytes:
    """What a server answers to a browser with this link that waits until an answer ``is_it``."""
    environment = {"DATABASE_URL": address_of_the_database(), "DATA_DIR": str(folder), "PORT": "0"}
    environment |= {"SECRET_KEY": "x" * 50, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with serving(**environment) as (_, port), closing(HTTPConnection("localhost", port, timeout=60)) as connection:
        connection.request("GET", f"/l/{secret}")
        response = connection.getresponse()
        response.read()
        cookie = response.headers["Set-Cookie"].partition(";")[0]
        while True:
            connection.request("GET", url, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
            response = connection.getresponse()
            body = response.read()
            if is_it(response):
                return body
            assert response.status in {200, 202}, body
            url = urljoin(url, response.headers["Refresh"].partition("url=")[2])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["ledger.xlsx", "record.json"])
def test_the_server_lets_another_process_make_it(tmp_path: Path, path: str) -> None:
    session = start()
    settle(session)
    secret = issue(session, Role.VIEWER)[1]
    url = f"/s/{session.public_id}/{path}"
    body = served(tmp_path, secret, url, lambda each: "attachment" in each.headers.get("Content-Disposition", ""))
    assert len(list((tmp_path / "exports").iterdir())) == (2 if path == "record.json" else 1)
    if path == "record.json":
        assert json.loads(gzip.decompress(body))["head"] == session.head
    else:
        assert load_workbook(BytesIO(body))["Hands"]["B2"].value == "Bob"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_server_lets_another_process_put_a_long_session_on_paper(tmp_path: Path) -> None:
    session = start("Ann Bob")
    settle(session, entry(s1=PLAIN, s2=WEAK))
    for _ in range(paper.DEALS_AT_ONCE):
        settle(session, Entry(points=((1, 2, 1),)))
    secret = issue(session, Role.VIEWER)[1]
    url = f"/s/{session.public_id}/record/hands/"
    body = served(tmp_path, secret, url, lambda each: "Refresh" not in each.headers)
    assert gzip.decompress(body).decode().count('<section class="paper-hand') == session.deals
    (file,) = (tmp_path / "exports").iterdir()
    assert file.name.startswith(f"paper.{session.public_id}.en.")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_server_lets_another_process_settle_many_hands_of_a_club_again(tmp_path: Path) -> None:
    session = start("Ann Bob")
    settle(session, entry(s1=PLAIN, s2=WEAK))
    for _ in range(what_if.DEALS_AT_ONCE):
        settle(session, Entry(points=((1, 2, 1),)))
    url = f"/c/{session.club.public_id}/what-if/?preset=regular&scoring=2-4"
    body = served(tmp_path, host_secret(session.club), url, lambda each: "Refresh" not in each.headers)
    assert f"1 of {what_if.DEALS_AT_ONCE + 1} hands differs." in gzip.decompress(body).decode()
    (file,) = (tmp_path / "exports").iterdir()
    assert file.name.startswith(f"what-if.{session.club.public_id}.")


@pytest.mark.django_db
def test_what_is_deleted_while_its_file_is_made_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The file would have lain there with everyone's sums until the next export was made."""
    session = start()
    settle(session)
    settings.EXPORT_DIR = tmp_path
    club_, make = session.club, making.make
    made = tmp_path / f"club.{club_.public_id}.token"

    def slow(*given: Any) -> None:
        make(*given)
        club.erase(club_)

    monkeypatch.setattr(making, "make", slow)
    monkeypatch.setattr(making, "give_way", lambda: None)
    with pytest.raises(CommandError):
        call_command("export", "club", club_.public_id, str(made), stdout=StringIO())
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []
