"""Who may start a club, and what the operator does with one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from scoring.ledger import audit
from scoring.models import Club, Link, Session
from tests.access.conftest import browser, host
from tests.ledger.conftest import LEVEL, entry, settle, start
from tests.pages import form, post_nothing
from tests.views.start.test_new_session import evening, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sound() -> Any:
    """After every test here the audit must find nothing."""
    yield
    assert [str(finding) for finding in audit.of_everything()] == []


# --- Starting one -----------------------------------------------------------------------------------------------------


def test_a_host_may_start_a_new_club_by_whatever_small_buttons(session: Session) -> None:
    opened = evening(host(session)).fill({"club": ""})
    larger = form(opened.press("Add a seat"), "Start game")
    assert larger.fields()["club"] == [""]
    refused = larger.fill({"name-2": "ann"}).press("Start game")
    assert refused.status_code == 422
    form(refused, "Start game").fill({"name-2": "Bob"}).press("Start game")
    assert Club.objects.count() == 2


@override_settings(ALLOW_NEW_CLUBS="nobody")
def test_a_host_starts_sessions_although_new_clubs_are_forbidden(session: Session) -> None:
    stranger = Client()
    assert "Start a session" not in stranger.get("/").content.decode()
    assert stranger.get("/new/").status_code == 403
    client = host(session)
    opened = evening(client)
    assert "New club" not in client.get("/new/").content.decode()
    assert opened.by(stranger).press("Start game").status_code == 403
    assert opened.forge({"club": "", "start": "1"}).status_code == 422
    assert opened.press("Start game").status_code == 302
    assert Club.objects.count() == 1


@override_settings(ALLOW_NEW_CLUBS="code", NEW_CLUB_CODE="four aces", WRONG_LINKS_PER_TEN_MINUTES=2)
def test_where_it_takes_a_code_only_the_code_will_do(db: None) -> None:
    assert sit_down(Client(), code="four aces").status_code == 302
    for wrong in ("", "Four Aces", "four aces"):  # after two wrong codes the right one is refused, too
        refused = sit_down(Client(), code=wrong)
        assert refused.status_code == 422
        assert form(refused, "Start game").fields()["code"] == [wrong]
        assert "The code of this server" in refused.content.decode()
    assert Club.objects.count() == 1


# --- What the operator does -------------------------------------------------------------------------------------------


def test_a_club_without_a_session_has_no_last_time() -> None:
    call_command("host_link", stdout=(out := _Out()))
    client = browser(out.text.strip().removeprefix("/l/"))
    page = f"/c/{Club.objects.get().public_id}/"
    assert "No sessions yet" in client.get(page).content.decode()
    assert post_nothing(client, f"{page}again/")["Location"] == page
    shown = client.get(f"/new/?club={Club.objects.get().public_id}").content.decode()
    assert '<label for="club">Club<' in shown


class _Out:
    text = ""

    def write(self, text: str) -> None:
        self.text += text


def test_sessions_that_nobody_touches_are_dropped_when_the_operator_says_so(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    second = start("Dan Eve")
    settle(session)
    settings.EXPORT_DIR = tmp_path
    dropped, stays = (tmp_path / f"record.{each.public_id}.A" for each in (session, second))
    for file in (dropped, stays):
        file.write_bytes(b"")
    out = _Out()
    call_command("drop_idle", stdout=out)
    assert "for ever" in out.text
    with override_settings(KEEP_IDLE_DAYS=30):
        call_command("drop_idle", stdout=out)
        assert Session.objects.count() == 2
        later = timezone.now() + timedelta(days=31)
        monkeypatch.setattr(timezone, "now", lambda: later)
        settle(second, entry(s1=LEVEL.boards[1], s2=LEVEL.boards[2]))
        call_command("drop_idle", "--dry-run", stdout=out)
        assert Session.objects.count() == 2
        call_command("drop_idle", stdout=out)
    assert list(Session.objects.all()) == [second]
    assert list(Club.objects.all()) == [second.club]
    assert list(tmp_path.iterdir()) == [stays]
    assert out.text.count("1 sessions idle for 30 days") == 2
    for days in ("0", "99999999999"):
        with pytest.raises(CommandError, match="at least 1, and at most 36500"):
            call_command("drop_idle", "--days", days, stdout=out)


def test_the_operator_lets_a_host_back_in(session: Session) -> None:
    out = _Out()
    call_command("host_link", session.club.public_id, "--name", "New phone", stdout=out)
    client = browser(out.text.strip().removeprefix("/l/"))
    assert client.get(f"/s/{session.public_id}/next/").status_code == 200
    assert Link.objects.get().name == "New phone"
    with pytest.raises(CommandError):
        call_command("host_link", "no such club", stdout=out)
