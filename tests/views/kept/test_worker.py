"""The service worker's script, and the page that it shows without a connection."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as given
from django.test import Client
from pytest_django import Settings

from scoring.views.kept import worker

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def installed(settings: Settings) -> None:
    settings.SERVICE_WORKER = True


def release(client: Client) -> dict[str, Any]:
    """What the script says of its release."""
    found = re.match(r"self\.release = (\{.*\});\n", client.get("/sw.js").text)
    assert found
    said: dict[str, Any] = json.loads(found[1])
    return said


def test_the_worker_keeps_every_file_that_pages_load(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert answer["OFC-Score"] == "1"
    files = release(client)["files"]
    for page in ("/", "/check/", "/offline/", "/rules/"):
        loaded = re.findall(r"""(?:href|src)="(/static/[^"]+)""", client.get(page).text)
        assert loaded
        assert {path for path in loaded if "/awake." not in path} <= set(files)  # pages with a worker have a lock
    for path in files:
        file: Any = client.get(path)
        assert file.getvalue(), path
        file.close()  # and with it the connection, which no page may need after that


def test_a_phone_loads_the_words_of_its_own_language_only(client: Client) -> None:
    assert not [path for path in release(client)["files"] if "/words/" in path]
    client.cookies["language"] = "fi"
    named = re.findall(r'src="([^"]+/words/[^"]+)"', client.get("/offline/").text)
    assert named == ["/static/words/fi.js", "/static/pad/words/fi.js"]


@pytest.mark.parametrize("changed", ["app.css", "pad/words/fi.js"])
def test_another_content_of_a_file_is_another_version(
    client: Client, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    before = release(client)
    assert release(client) == before
    real = worker.content
    monkeypatch.setattr(worker, "content", lambda name: real(name) + b" " * (name == changed))
    worker.working.cache_clear()
    try:
        after = release(client)
    finally:
        worker.working.cache_clear()
    assert after["version"] != before["version"]
    assert after["files"] == before["files"]


def test_pages_install_the_worker_unless_the_operator_wants_none(client: Client, settings: Settings) -> None:
    assert '<meta name="worker" content="/sw.js">' in client.get("/").text
    settings.SERVICE_WORKER = False
    assert 'name="worker"' not in client.get("/").text
    script = client.get("/sw.js")
    assert script.status_code == 200
    assert "registration.unregister()" in script.text
    assert "self.release" not in script.text


def test_the_worker_is_sent_without_its_comments(client: Client, settings: Settings) -> None:
    for kept, name in ((True, "worker.js"), (False, "worker-gone.js")):
        settings.SERVICE_WORKER = kept
        assert "//" in Path(given.BASE_DIR / "static" / name).read_text()
        assert not re.search(r"^\s*//", client.get("/sw.js").text, re.MULTILINE)


def test_the_page_without_a_connection_is_the_same_for_everybody(client: Client) -> None:
    page = client.get("/offline/")
    assert page.status_code == 200
    assert not page.cookies
    assert page.content == Client().get("/offline/").content
