"""Everybody may look at the demo, and do nothing in it; nobody's own games know of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.test import Client, override_settings
from django.urls import resolve, reverse

from scoring import access
from scoring.access import Right
from scoring.access.links import Role
from scoring.models import DEMO, Club, Session
from tests.access.conftest import browser, everything, issue
from tests.access.reading import crawl, is_page, read
from tests.access.test_table import TABLE
from tests.ledger.conftest import settle, start
from tests.pages import follow, forms, post_nothing

BAR = "This is a demo : all made up."

SHOWN = {
    "demo/", "c/<str:public_id>/", "c/<str:public_id>/standings/", "c/<str:public_id>/statistics/",
    "c/<str:public_id>/players/", "c/<str:public_id>/players/<int:number>/", "s/<str:public_id>/",
    "s/<str:public_id>/ledger/", "s/<str:public_id>/statistics/", "s/<str:public_id>/what-if/",
    "s/<str:public_id>/record/", "s/<str:public_id>/record/hands/", "s/<str:public_id>/record.json",
    "s/<str:public_id>/ledger.xlsx", "s/<str:public_id>/hands/<int:number>/", "s/<str:public_id>/history/",
    "s/<str:public_id>/rules/", "s/<str:public_id>/more/", "s/<str:public_id>/screen/",
}  # fmt: skip
"""What a visitor comes to by links."""


def text(response: Any) -> str:
    return " ".join(" ".join(read(response, "/").text).split())


def of_demo(url: str) -> bool:
    public_id = resolve(urlsplit(url).path).kwargs.get("public_id", "")
    return (
        url == "/demo/"
        or public_id == DEMO
        or Session.objects.filter(public_id=public_id, club__public_id=DEMO).exists()
    )


def test_a_visitor_comes_from_the_start_page_to_every_page(club: Club, tonight: Session) -> None:
    visitor = Client()
    demo = follow(visitor.get("/"), "Look around in a demo club")
    assert demo.status_code == 200
    visited = dict(crawl(visitor, "/demo/", most=1500))
    assert {url: one.status_code for url, one in visited.items() if one.status_code not in {200, 302}} == {}
    assert {resolve(urlsplit(url).path).route for url in visited} >= SHOWN
    pages = {url: one for url, one in visited.items() if is_page(one) and read(one, url).title}
    assert {url: read(one, url).faults for url, one in pages.items() if read(one, url).faults} == {}
    silent = [url for url, one in pages.items() if (BAR in text(one)) != of_demo(url)]
    assert silent == []
    own = [url for url, one in pages.items() if of_demo(url) and reverse("new") not in read(one, url).links]
    assert own == []
    posts = {
        url: form.action for url, one in pages.items() if of_demo(url) for form in forms(one) if form.method == "post"
    }
    assert posts == {}
    assert access.COOKIE not in visitor.cookies


def test_a_visitor_changes_nothing(club: Club) -> None:
    """Every form of the app, sent to every session of the demo and to its club."""
    session = Session.objects.get(club=club, number=2)
    values = {
        "<int:number>": "1", "<int:raised>": str(session.events.get(verb="dispute").n), "<str:link_id>": "x",
    }  # fmt: skip
    before, visitor, answers = everything(), Client(), {}
    for row in TABLE:
        if row.method == "POST" and "<str:public_id>" in row.pattern:
            path = row.pattern.replace("<str:public_id>", DEMO if row.pattern.startswith("c/") else session.public_id)
            for name, value in values.items():
                path = path.replace(name, value)
            answers[row.pattern] = post_nothing(visitor, f"/{path}").status_code
    assert len(answers) > 50
    assert {pattern: status for pattern, status in answers.items() if status not in {403, 404, 405}} == {}
    assert everything() == before


def test_what_hosts_alone_see_stays_closed(club: Club, tonight: Session) -> None:
    visitor = Client()
    for page in ("more/", "links/", "export.json", "delete/"):
        assert visitor.get(f"/c/{DEMO}/{page}").status_code == 403
    for page in ("hand/", "chips/", "links/", "close/", "seat/1/", "hand/drafts/"):
        assert visitor.get(f"/s/{tonight.public_id}/{page}").status_code == 403
    shown = visitor.get(f"/c/{DEMO}/")
    assert [each for each in read(shown, "/").links if each.endswith(("/more/", "/links/"))] == []


def test_it_grants_less_than_a_viewers_link(tonight: Session) -> None:
    request: Any = type(
        "Asked", (), {"held_links": access.HeldLinks(Client().get("/").wsgi_request), "method": "GET"}
    )()
    access.session(request, tonight.public_id, Right.READ)
    assert (request.grant.right, request.grant.by, request.grant.seat) == (Right.READ, "", None)
    viewer = issue(tonight, Role.VIEWER)[0]
    assert access.Grant(viewer).right > request.grant.right


@override_settings(DEMO=False)
def test_where_the_operator_wants_none_there_is_none(club: Club, tonight: Session) -> None:
    visitor = Client()
    assert "/demo/" not in read(visitor.get("/"), "/").links
    for path in ("/demo/", f"/c/{DEMO}/", f"/s/{tonight.public_id}/", f"/s/{tonight.public_id}/version"):
        assert visitor.get(path).status_code == 404


def test_other_clubs_stay_closed(club: Club) -> None:
    session = start()
    visitor = Client()
    for path in (f"/s/{session.public_id}/", f"/c/{session.club.public_id}/"):
        assert visitor.get(path).status_code == 404


def test_somebody_with_games_of_their_own_keeps_them_as_they_are(club: Club, tonight: Session) -> None:
    mine = start()
    settle(mine)
    host = browser(issue(mine, Role.HOST)[1])
    before, cookie = text(host.get("/")), host.cookies[access.COOKIE].value
    for path in ("/demo/", f"/c/{DEMO}/", f"/s/{tonight.public_id}/"):
        assert BAR in text(host.get(path))
    assert host.cookies[access.COOKIE].value == cookie
    after = host.get("/")
    assert text(after) == before
    assert "Welcome back" in before
    assert tonight.name not in before
    assert host.get(f"/s/{tonight.public_id}/chips/").status_code == 403
    for page in ("", "standings/", "statistics/", "players/", "more/"):
        own = host.get(f"/c/{mine.club.public_id}/{page}")
        assert BAR not in text(own)
        assert "Emi" not in text(own)


def test_a_stream_of_the_demo_is_opened_by_nobodys_link(tonight: Session) -> None:
    page = Client().get(f"/s/{tonight.public_id}/").content.decode()
    assert 'data-gone="/demo/"' in page
    said = Client().get(f"/s/{tonight.public_id}/version?after=0").json()
    assert said["stream"].startswith(f"/s/{tonight.public_id}/live?token=")
