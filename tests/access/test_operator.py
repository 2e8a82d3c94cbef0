"""The operator's admin does not exist until there is an operator, and then for nobody else."""

from __future__ import annotations

import time
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, override_settings

from scoring.models import Link
from tests.access.conftest import Cast
from tests.pages import Value, form, post_nothing

pytestmark = pytest.mark.django_db

PAGES = (
    "/admin/",
    "/admin/login/",
    "/admin/scoring/session/",
    "/admin/scoring/link/",
    "/admin/jsi18n/",
    "/admin/nothing/",
)


@pytest.mark.parametrize("page", PAGES)
def test_without_an_operator_there_is_no_admin(cast: Cast, page: str) -> None:
    User.objects.create_user("helper", is_staff=True)
    User.objects.create_superuser("left long ago", is_active=False)
    for client in cast.browsers.values():
        assert client.get(page).status_code == 404
        assert client.post(page, {"username": "helper"}).status_code == 404


def test_only_the_operator_gets_into_the_admin(cast: Cast) -> None:
    User.objects.create_superuser("operator", password="right and long enough")
    for client in cast.browsers.values():
        assert client.get("/admin/scoring/session/")["Location"].startswith("/admin/login/")
    client = Client()
    opened = form(client.get("/admin/login/"), "Log in")
    assert opened.fill({"username": "operator", "password": "wrong"}).press().status_code == 200
    opened.fill({"password": "right and long enough"}).press()
    assert client.get("/admin/scoring/session/").status_code == 200


def test_who_reads_the_database_is_not_in_the_admin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator's session is in their cookie alone, which is signed and soon too old."""
    operator = User.objects.create_superuser("operator", password="right and long enough")
    client = Client()
    opened = form(client.get("/admin/login/"), "Log in")
    opened.fill({"username": "operator", "password": "right and long enough"}).press()
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    assert "django_session" not in tables
    assert client.get("/admin/scoring/session/").status_code == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 12 * 60 * 60 + 1)
    assert client.get("/admin/scoring/session/").status_code == 302
    monkeypatch.undo()
    client.cookies["sessionid"] = cookie.value  # a copy of it; the browser has forgotten what was too old
    assert client.get("/admin/scoring/session/").status_code == 200
    operator.set_password("another one, after the first was stolen")
    operator.save()
    assert client.get("/admin/scoring/session/").status_code == 302


@override_settings(LOGINS_PER_TEN_MINUTES=3)
def test_guesses_of_the_operators_password_are_limited(db: None) -> None:
    User.objects.create_superuser("operator", password="right and long enough")
    wrong = {"username": "operator", "password": "wrong"}
    assert [Client().post("/admin/login/", wrong).status_code for _ in range(4)] == [200, 200, 200, 429]
    right = {"username": "operator", "password": "right and long enough"}
    assert Client().post("/admin/login/", right).status_code == 429
    assert Client(REMOTE_ADDR="203.0.113.9").post("/admin/login/", right).status_code == 302


def test_the_operator_revokes_links_but_opens_none(cast: Cast) -> None:
    operator = Client()
    operator.force_login(User.objects.create_superuser("operator"))
    shown = operator.get("/admin/scoring/link/")
    page = shown.content.decode()
    link = cast.links["viewer"]
    detail = operator.get(f"/admin/scoring/link/{link.pk}/change/").content.decode()
    assert link.name in page
    assert link.digest not in page + detail
    chosen: dict[str, Value] = {"action": "revoke", "_selected_action": [str(link.pk), str(cast.links["revoked"].pk)]}
    done = form(shown, "Go").fill(chosen).press("Go")
    response = operator.get(done["Location"])
    assert "Revoked: 1." in response.content.decode()
    assert Link.objects.get(pk=link.pk).revoked_at
    assert cast.browsers["viewer"].get(f"/s/{cast.session.public_id}/").status_code == 404
    assert post_nothing(operator, "/admin/scoring/link/add/").status_code == 403
    assert operator.get(f"/s/{cast.session.public_id}/").status_code == 404  # an operator is no host


def test_the_operator_makes_no_other_operator(cast: Cast) -> None:
    operator = Client()
    operator.force_login(User.objects.create_superuser("operator"))
    assert operator.get("/admin/").status_code == 200
    for kind in ("user", "group"):
        for page in ("", "add/", "1/change/", "1/delete/"):
            assert operator.get(f"/admin/auth/{kind}/{page}").status_code == 404
    assert User.objects.count() == 1


def test_bodies_are_limited_and_files_are_refused(cast: Cast) -> None:
    page, client = f"/s/{cast.session.public_id}/next/", cast.browsers["host"]
    assert client.post(page, {"key": "x", "note": "x" * 70_000}).status_code == 413
    many = urlencode({f"field-{n}": "x" for n in range(1100)})
    assert client.post(page, many, content_type="application/x-www-form-urlencoded").status_code == 400
    response = client.post(page, {"key": "x", "note": _File()})
    assert response.status_code == 422


class _File:
    name = "cards.png"

    def read(self) -> bytes:
        return b"x" * 1000


@override_settings(LOGINS_PER_TEN_MINUTES=3)
def test_a_page_elsewhere_uses_up_no_attempt_of_the_operators(db: None) -> None:
    User.objects.create_superuser("operator", password="right and long enough")
    from_elsewhere = Client(enforce_csrf_checks=True)
    opened = form(Client().get("/admin/login/"), "Log in").fill({"username": "operator", "password": "guess"})
    forged = opened.by(from_elsewhere)
    assert [forged.press().status_code for _ in range(4)] == [403] * 4
    assert opened.fill({"password": "right and long enough"}).press().status_code == 302


@pytest.mark.parametrize("body", [b"--x\r\n", b"nothing of the kind", b""])
def test_a_form_that_cannot_be_read_is_no_error_of_a_page_that_is_not_there(body: bytes) -> None:
    answer = Client().post("/nowhere/", body, content_type="multipart/form-data; boundary=" + "x" * (len(body) and 1))
    assert answer.status_code == 404


@override_settings(DATA_UPLOAD_MAX_NUMBER_FIELDS=2)
def test_more_fields_than_are_read_are_no_error_of_a_page_that_is_not_there() -> None:
    assert Client().post("/nowhere/", {"name": "a", "note": "b", "amount": "3"}).status_code == 404
