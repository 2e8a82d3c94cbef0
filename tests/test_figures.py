"""What monitors and operators are told: readiness, figures, the log as JSON, and the status page."""

import itertools
import json
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from ofcscore import figures, health, status
from ofcscore.logs import Json
from ofcscore.pages import Wait
from scoring.ledger.signals import session_moved
from tests.ledger.conftest import settle, start
from tests.pages import post_nothing

pytestmark = pytest.mark.django_db

TOKEN = "a-token-of-the-operator"


@pytest.fixture(autouse=True)
def looked_at_anew() -> Iterator[None]:
    health.forget()
    yield
    health.forget()


def ready(client: Client) -> tuple[int, dict[str, object]]:
    health.forget()
    answer = client.get("/readyz")
    return answer.status_code, answer.json()


# --- Readiness ------------------------------------------------------------------------------------------------


def test_a_server_that_can_settle_is_ready_and_says_its_version(client: Client) -> None:
    code, said = ready(client)
    assert code == 200
    assert said.pop("version")
    assert said == {"ready": True, "database": "ok", "migrations": "ok", "notices": "ok", "disk": "ok"}


def test_a_database_that_does_not_answer_is_said_without_its_address(client: Client) -> None:
    with patch("ofcscore.health.MigrationLoader", side_effect=OperationalError("no route to db.internal:5432")):
        code, said = ready(client)
    assert (code, said["ready"], said["database"], said["migrations"]) == (503, False, "does not answer", "unknown")
    assert "internal" not in json.dumps(said)


def test_migrations_that_are_missing_and_those_of_a_later_release_are_said(client: Client) -> None:
    rows = MigrationRecorder.Migration.objects
    last = rows.filter(app="scoring").order_by("-name")[0]
    last.delete()
    assert ready(client)[1]["migrations"] == "not applied"
    rows.create(app="scoring", name=last.name)
    rows.create(app="scoring", name="9999_from_a_later_release")
    assert ready(client)[1]["migrations"] == "newer than this release"
    rows.filter(name="9999_from_a_later_release").delete()
    rows.create(app="of_somebody_else", name="0001_initial")
    assert ready(client)[1]["migrations"] == "ok"


def test_a_data_directory_that_cannot_be_written_is_said(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    assert ready(client)[0] == 503
    assert ready(client)[1]["disk"] == "not writable"


def test_who_asks_often_is_given_the_last_answer(client: Client) -> None:
    ready(client)
    with patch("ofcscore.health.MigrationLoader") as loader:
        assert client.get("/readyz").status_code == 200
    loader.assert_not_called()


# --- Figures --------------------------------------------------------------------------------------------------


def scraped(client: Client) -> str:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return answer.content.decode()


def figure(text: str, name: str) -> float:
    return float(re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[0])


HERE = {"REMOTE_ADDR": "127.0.0.1"}


def bearing(token: str, **sent: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Bearer {token}", "REMOTE_ADDR": "203.0.113.7", **sent}


@pytest.mark.parametrize(
    ("on", "token", "sent", "expected"),
    [
        (False, "", HERE, 404),
        (False, TOKEN, bearing(TOKEN), 404),
        (True, "", HERE, 200),
        (True, "", {"REMOTE_ADDR": "::1"}, 200),
        (True, "", {"REMOTE_ADDR": "192.168.1.20"}, 404),
        (True, "", {"REMOTE_ADDR": ""}, 404),
        (True, "", {**HERE, "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 404),
        (True, "", {**HERE, "HTTP_FORWARDED": "for=127.0.0.1"}, 404),
        (True, TOKEN, HERE, 404),
        (True, TOKEN, bearing(TOKEN[:-1]), 404),
        (True, TOKEN, bearing("ü"), 404),
        (True, TOKEN, bearing(TOKEN, HTTP_X_FORWARDED_FOR="203.0.113.7"), 200),
    ],
)
def test_the_figures_are_for_whom_the_settings_admit(
    settings: Any, on: bool, token: str, sent: dict[str, str], expected: int
) -> None:
    settings.METRICS, settings.METRICS_TOKEN = on, token
    assert Client(**sent).get("/metrics").status_code == expected  # type: ignore[arg-type]  # of the environment


def test_threads_may_count_at_the_turn_of_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hand falls into an hour of its own, so that every count also forgets an hour."""
    monkeypatch.setattr(figures, "by_hour", Counter())
    monkeypatch.setattr(figures, "hour", itertools.count().__next__)
    monkeypatch.setattr(figures, "HOURS", 1000)
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            for done in [threads.submit(figures.on_session_moved, None, verb="settle") for _ in range(5000)]:
                done.result()
    finally:
        sys.setswitchinterval(switching)
    assert len(figures.by_hour) == 1000


@pytest.fixture
def open_figures(settings: Any) -> None:
    settings.METRICS, settings.METRICS_TOKEN = True, TOKEN


@pytest.fixture
def listening() -> Iterator[None]:
    session_moved.connect(figures.on_session_moved)
    yield
    session_moved.disconnect(figures.on_session_moved)


@pytest.mark.django_db(transaction=True)
def test_hands_settled_are_counted_once_they_are_committed(client: Client, open_figures: None, listening: None) -> None:
    before = figure(scraped(client), "ofcscore_hands_settled_total")
    session = start()
    settle(session)
    settle(session)
    assert figure(scraped(client), "ofcscore_hands_settled_total") == before + 2
    assert figures.by_hour[figures.hour()] >= 2


def test_refusals_are_counted_by_reason_and_no_label_holds_an_id(client: Client, open_figures: None) -> None:
    name = 'ofcscore_refusals_total{reason="not-found"}'
    client.get("/s/no-such-session/")
    before = figure(scraped(client), name)
    client.get("/s/no-such-session-either/")
    after = scraped(client)
    assert figure(after, name) >= before + 1
    assert "no-such" not in after
    assert {part for label in re.findall(r"\{(.*?)\}", after) for part in re.findall(r"(\w+)=", label)} <= {
        "reason", "lane", "le", "version",
    }  # fmt: skip


def test_settling_is_measured_with_the_time_it_waited(client: Client, open_figures: None) -> None:
    session = start()
    before = figure(scraped(client), "ofcscore_settle_seconds_sum")
    waited = Client(**{"ofcscore.wait": Wait(came=time.monotonic() - 7)})  # type: ignore[arg-type]
    post_nothing(waited, f"/s/{session.public_id}/hand/")
    assert figure(scraped(client), "ofcscore_settle_seconds_sum") >= before + 7


def test_the_age_of_the_last_backup_is_told_if_there_was_one(
    client: Client, open_figures: None, tmp_path: Path
) -> None:
    with patch.object(figures, "KEPT", tmp_path / "kept.json"):
        assert not re.search(r"^ofcscore_backup_age_seconds \d", scraped(client), re.MULTILINE)
        at = datetime.now(UTC) - timedelta(hours=3)
        figures.KEPT.write_text(json.dumps({"backup": at.isoformat()}))
        assert 10_800 <= figure(scraped(client), "ofcscore_backup_age_seconds") < 11_400
        assert not re.search(r"^ofcscore_drill_age_seconds \d", scraped(client), re.MULTILINE)
        for broken in ("", "[]", '{"backup": "yesterday"}', '{"backup": 3}'):
            figures.KEPT.write_text(broken)
            assert figures.kept_age("backup") is None


# --- Logs -----------------------------------------------------------------------------------------------------


def logged(message: str, *args: object, error: BaseException | None = None) -> dict[str, str]:
    trace = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("ofc", logging.ERROR, __file__, 1, message, args, trace)
    line = Json().format(record)
    assert "\n" not in line
    found: dict[str, str] = json.loads(line)
    return found


def test_a_line_of_json_has_no_secret_in_any_field() -> None:
    secret = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
    try:
        raise ValueError(f"/l/{secret}")
    except ValueError as error:
        line = logged("%s of %s", "/l/" + secret, secret, error=error)
    assert secret not in json.dumps(line)
    assert line["level"] == "ERROR"
    assert line["logger"] == "ofc"
    assert "ValueError" in line["exc_info"]
    assert datetime.fromisoformat(line["at"]).utcoffset() == timedelta(0)


def test_what_else_a_record_carries_stays_out() -> None:
    record = logging.makeLogRecord({"msg": "said", "request_body": "typed cards", "status_code": 500})
    assert "typed" not in Json().format(record)


# --- The status page ------------------------------------------------------------------------------------------


def operator(client: Client, *, is_superuser: bool = False) -> Client:
    made = get_user_model().objects.create_user("op", password="x", is_staff=True, is_superuser=is_superuser)
    get_user_model().objects.create_superuser("root", password="x")
    client.force_login(made)
    return client


def test_the_status_page_shows_the_figures_to_a_superuser(client: Client) -> None:
    text = operator(client, is_superuser=True).get("/admin/status/").content.decode()
    assert "Database: ok" in text
    assert "Last backup: never" in text
    assert "<svg" in text
    assert "style=" not in text.partition("<h2>")[2].partition("</main>")[0]
    assert "/admin/status/" in client.get("/admin/").content.decode()


def test_the_status_page_is_for_nobody_else(client: Client) -> None:
    assert client.get("/admin/status/").status_code == 404  # there is no operator, and so no admin
    assert operator(client).get("/admin/status/").status_code == 403
    assert "/admin/status/" not in client.get("/admin/").content.decode()
    assert Client().get("/admin/status/").status_code == 302


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "never"), (5, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"), (86_400 * 3, "3 days ago")],
)
def test_ages_are_said_in_the_largest_unit(seconds: float | None, said: str) -> None:
    assert status.said_age(seconds) == said


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    drawn = status.chart("Refused", {"busy": 5, "not-found": 10})
    assert [(bar.figure, bar.length) for bar in drawn.bars] == [("5", status.WIDTH / 2), ("10", float(status.WIDTH))]
    assert [bar.length for bar in status.chart("Nothing", {"none": 0}).bars] == [0]
