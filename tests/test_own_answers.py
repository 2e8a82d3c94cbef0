"""Every answer of the app carries its mark, so that a script can tell it from that of a network's login page.

`tests/access/test_table.py` asks every address.
"""

import pytest
from django.test import Client, override_settings

from tests.pages import form

MARK = "OFC-Score"


@pytest.mark.django_db
def test_refusals_that_no_page_makes_have_the_mark(client: Client) -> None:
    sending = form(client.get("/new/"), "Start game")
    strict = Client(enforce_csrf_checks=True)
    for response in (
        client.get("/no/such/page"),
        client.get("/rules"),  # leads to the address with a slash
        client.get("/", headers={"Host": "elsewhere.example"}),
        client.get("/static/none.css"),
        client.put("/"),
        client.head("/healthz"),
        sending.by(strict).press(),
        sending.forge({"club_name": "x" * 70_000}),
    ):
        assert response[MARK] == "1"


def test_the_way_to_https_has_the_mark(client: Client) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        response = Client().get("/")
    assert (response.status_code, response[MARK]) == (301, "1")


@pytest.mark.django_db
def test_a_page_that_fails_has_the_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.views.start.rules.render", None)
    response = Client(raise_request_exception=False).get("/rules/")
    assert (response.status_code, response[MARK]) == (500, "1")
