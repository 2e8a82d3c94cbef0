"""Requests every address of the project as everybody: `TABLE` has each expected status, and there are no other
addresses.

A form that is allowed answers 302, 409 or 422, because the tests send it with nothing but a key.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core import signing
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import DjangoDbBlocker

from scoring.api import api
from tests.access.conftest import WHO, Cast, everything, forgotten, kept, whole_cast
from tests.pages import post_nothing

DOCUMENT = Path(__file__).parents[2] / "docs" / "security.md"


class Row(NamedTuple):
    """A method, a pattern, and the status for each of `WHO`, or one status for all of them."""

    method: str
    pattern: str
    statuses: str

    @property
    def expected(self) -> dict[str, int]:
        given = [int(status) for status in self.statuses.split()]
        return dict(zip(WHO, given * len(WHO) if len(given) == 1 else given, strict=True))


# The statuses of a session's address that needs the right to read, to enter one seat, to enter all seats, or to run the
# session. The columns are those of `WHO`.
READ = "404 404 404 200 200 200 200 200"
SEAT = "404 404 404 403 200 200 200 200"
ENTER = "404 404 404 403 403 200 200 200"
RUN = "404 404 404 403 403 403 200 200"
CLUB = "404 404 404 404 404 404 200 200"
NO_POST = "405"


def post(reaches: str, came: int, closed: int) -> str:
    """The statuses of ``reaches`` with ``came`` instead of each 200, and ``closed`` instead in a closed session."""
    return " ".join(
        str(closed if who == "closed" else came) if status == "200" else status
        for who, status in zip(WHO, reaches.split(), strict=True)
    )


TABLE = [
    # For anybody: the start page, the foul check, the check of a record, the rules, the API.
    Row("GET", "", "200"),
    Row("POST", "", NO_POST),
    Row("GET", "new/", "200"),
    Row("POST", "new/", "422"),
    Row("GET", "demo/", "404"),  # it is not made here: tests/demo/
    Row("POST", "demo/", NO_POST),
    Row("GET", "check/", "200"),
    Row("POST", "check/", NO_POST),
    Row("GET", "check/named/", "200"),
    Row("POST", "check/named/", NO_POST),
    Row("GET", "check/picture.png", "404"),
    Row("POST", "check/picture.png", NO_POST),
    Row("GET", "verify/", "200"),
    Row("POST", "verify/", NO_POST),
    Row("GET", "verify/verify.py", "200"),
    Row("POST", "verify/verify.py", NO_POST),
    Row("GET", "rules/", "200"),
    Row("POST", "rules/", NO_POST),
    Row("GET", "rules/<slug:preset>/", "200"),
    Row("POST", "rules/<slug:preset>/", NO_POST),
    Row("GET", "language/", "200"),
    Row("POST", "language/", "422"),
    Row("GET", "language/<slug:tag>/manifest.webmanifest", "200"),
    Row("POST", "language/<slug:tag>/manifest.webmanifest", NO_POST),
    Row("GET", "sw.js", "200"),
    Row("POST", "sw.js", NO_POST),
    Row("GET", "offline/", "200"),
    Row("POST", "offline/", NO_POST),
    Row("GET", "healthz", "200"),
    Row("POST", "healthz", NO_POST),
    Row("GET", "readyz", "200"),
    Row("POST", "readyz", NO_POST),
    Row("GET", "metrics", "404"),
    Row("POST", "metrics", NO_POST),
    Row("GET", "api/v1/", "404"),
    Row("POST", "api/v1/", "404"),
    Row("GET", "api/v1/openapi.json", "200"),
    Row("POST", "api/v1/openapi.json", "200"),
    Row("GET", "api/v1/docs", "200"),
    Row("POST", "api/v1/docs", "200"),
    Row("GET", "api/v1/score", NO_POST),
    Row("POST", "api/v1/score", "400"),
    # Opening a link and forgetting all links.
    Row("GET", "l/<str:secret>", "404"),
    Row("POST", "l/<str:secret>", "404"),
    Row("GET", "forget/", NO_POST),
    Row("POST", "forget/", "302"),
    Row("GET", "s/<str:public_id>/kept/", NO_POST),
    Row("POST", "s/<str:public_id>/kept/", post(RUN, 302, 302)),
    # The operator's admin, while there is no operator.
    Row("GET", "admin/", "404"),
    Row("POST", "admin/", "404"),
    Row("GET", "admin/status/", "404"),
    Row("POST", "admin/status/", "404"),
    # A session's addresses.
    Row("GET", "s/<str:public_id>/", READ),
    Row("POST", "s/<str:public_id>/", NO_POST),
    Row("GET", "s/<str:public_id>/rules/", READ),
    Row("POST", "s/<str:public_id>/rules/", NO_POST),
    Row("GET", "s/<str:public_id>/rules/edit/", RUN),
    Row("POST", "s/<str:public_id>/rules/edit/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/rules/forget/", NO_POST),
    Row("POST", "s/<str:public_id>/rules/forget/", post(RUN, 302, 302)),
    Row("GET", "s/<str:public_id>/next/", RUN),
    Row("POST", "s/<str:public_id>/next/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/penalty/", RUN),
    Row("POST", "s/<str:public_id>/penalty/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/pay/", post(SEAT, 302, 302)),
    Row("POST", "s/<str:public_id>/pay/", post(SEAT, 422, 422)),
    Row("GET", "s/<str:public_id>/pay/<int:number>/undo/", "404 404 404 403 404 404 404 404"),
    Row("POST", "s/<str:public_id>/pay/<int:number>/undo/", "404 404 404 403 404 404 404 404"),
    Row("GET", "s/<str:public_id>/undo/", NO_POST),
    Row("POST", "s/<str:public_id>/undo/", "404 404 404 403 403 403 409 409"),
    Row("GET", "s/<str:public_id>/hand/", ENTER),
    Row("POST", "s/<str:public_id>/hand/", post(ENTER, 409, 409)),
    Row("GET", "s/<str:public_id>/hand/blank/", ENTER),
    Row("POST", "s/<str:public_id>/hand/blank/", NO_POST),
    Row("GET", "s/<str:public_id>/hand/drafts/", post(SEAT, 302, 302)),
    Row("POST", "s/<str:public_id>/hand/drafts/", NO_POST),
    Row("GET", "s/<str:public_id>/hand/in/", READ),
    Row("POST", "s/<str:public_id>/hand/in/", NO_POST),
    Row("GET", "s/<str:public_id>/hand/<int:number>/", post(SEAT, 302, 302)),
    Row("POST", "s/<str:public_id>/hand/<int:number>/", post(SEAT, 409, 409)),
    Row("GET", "s/<str:public_id>/seat/", "404 404 404 403 302 200 200 200"),
    Row("POST", "s/<str:public_id>/seat/", NO_POST),
    Row("GET", "s/<str:public_id>/seat/<int:number>/", SEAT),
    Row("POST", "s/<str:public_id>/seat/<int:number>/", NO_POST),
    Row("GET", "s/<str:public_id>/ledger/", READ),
    Row("POST", "s/<str:public_id>/ledger/", NO_POST),
    Row("GET", "s/<str:public_id>/what-if/", READ),
    Row("POST", "s/<str:public_id>/what-if/", NO_POST),
    Row("GET", "s/<str:public_id>/what-if/<int:number>/", "404"),  # it names no rules
    Row("POST", "s/<str:public_id>/what-if/<int:number>/", NO_POST),
    Row("GET", "s/<str:public_id>/statistics/", READ),
    Row("POST", "s/<str:public_id>/statistics/", NO_POST),
    Row("GET", "s/<str:public_id>/send/", READ),
    Row("POST", "s/<str:public_id>/send/", RUN),
    Row("GET", "s/<str:public_id>/send/picture.png", READ),
    Row("POST", "s/<str:public_id>/send/picture.png", NO_POST),
    Row("GET", "s/<str:public_id>/hands/<int:number>/send/", READ),
    Row("POST", "s/<str:public_id>/hands/<int:number>/send/", RUN),
    Row("GET", "s/<str:public_id>/hands/<int:number>/send/picture.png", READ),
    Row("POST", "s/<str:public_id>/hands/<int:number>/send/picture.png", NO_POST),
    Row("GET", "s/<str:public_id>/ledger.xlsx", READ),
    Row("POST", "s/<str:public_id>/ledger.xlsx", NO_POST),
    Row("GET", "s/<str:public_id>/record/", READ),
    Row("POST", "s/<str:public_id>/record/", NO_POST),
    Row("GET", "s/<str:public_id>/record/hands/", READ),
    Row("POST", "s/<str:public_id>/record/hands/", NO_POST),
    Row("GET", "s/<str:public_id>/record.json", READ),
    Row("POST", "s/<str:public_id>/record.json", NO_POST),
    Row("GET", "s/<str:public_id>/record.svg", READ),
    Row("POST", "s/<str:public_id>/record.svg", NO_POST),
    Row("GET", "s/<str:public_id>/agree/", NO_POST),
    Row("POST", "s/<str:public_id>/agree/", post(SEAT, 422, 422)),
    Row("GET", "s/<str:public_id>/version", READ),
    Row("POST", "s/<str:public_id>/version", NO_POST),
    Row("GET", "s/<str:public_id>/screen/", READ),
    Row("POST", "s/<str:public_id>/screen/", NO_POST),
    Row("GET", "s/<str:public_id>/hands/<int:number>/", READ),
    Row("POST", "s/<str:public_id>/hands/<int:number>/", NO_POST),
    Row("GET", "s/<str:public_id>/hands/<int:number>/correct/", RUN),
    Row("POST", "s/<str:public_id>/hands/<int:number>/correct/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/hands/<int:number>/correct/named/", RUN),
    Row("POST", "s/<str:public_id>/hands/<int:number>/correct/named/", NO_POST),
    Row("GET", "s/<str:public_id>/hands/<int:number>/void/", RUN),
    Row("POST", "s/<str:public_id>/hands/<int:number>/void/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/hands/<int:number>/restore/", post(RUN, 409, 409)),
    Row("POST", "s/<str:public_id>/hands/<int:number>/restore/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/more/", READ),
    Row("POST", "s/<str:public_id>/more/", NO_POST),
    Row("GET", "s/<str:public_id>/history/", READ),
    Row("POST", "s/<str:public_id>/history/", NO_POST),
    Row("POST", "s/<str:public_id>/hands/<int:number>/flag/", "404 404 404 422 422 422 422 409"),
    Row("GET", "s/<str:public_id>/hands/<int:number>/flag/", NO_POST),
    Row("GET", "s/<str:public_id>/hands/<int:number>/flags/<int:raised>/resolve/", NO_POST),
    Row("POST", "s/<str:public_id>/hands/<int:number>/flags/<int:raised>/resolve/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/chips/", RUN),
    Row("POST", "s/<str:public_id>/chips/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/chips/forgotten/", RUN),
    Row("POST", "s/<str:public_id>/chips/forgotten/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/people/", RUN),
    Row("POST", "s/<str:public_id>/people/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/stakes/", RUN),
    Row("POST", "s/<str:public_id>/stakes/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/side-bet/", RUN),
    Row("POST", "s/<str:public_id>/side-bet/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/fee/", RUN),
    Row("POST", "s/<str:public_id>/fee/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/name/", RUN),
    Row("POST", "s/<str:public_id>/name/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/close/", RUN),
    Row("POST", "s/<str:public_id>/close/", post(RUN, 422, 409)),
    Row("GET", "s/<str:public_id>/tab/", NO_POST),
    Row("POST", "s/<str:public_id>/tab/", post(RUN, 422, 422)),
    Row("GET", "s/<str:public_id>/reopen/", NO_POST),
    Row("POST", "s/<str:public_id>/reopen/", post(RUN, 409, 409)),
    Row("GET", "s/<str:public_id>/links/", RUN),
    Row("POST", "s/<str:public_id>/links/", post(RUN, 422, 422)),
    # A club's addresses.
    Row("GET", "c/<str:public_id>/", CLUB),
    Row("POST", "c/<str:public_id>/", NO_POST),
    Row("GET", "c/<str:public_id>/again/", NO_POST),
    Row("POST", "c/<str:public_id>/again/", post(CLUB, 302, 302)),
    Row("GET", "c/<str:public_id>/tab/pay/", post(CLUB, 302, 302)),
    Row("POST", "c/<str:public_id>/tab/pay/", post(CLUB, 409, 409)),
    Row("GET", "c/<str:public_id>/tab/<int:number>/undo/", "404"),
    Row("POST", "c/<str:public_id>/tab/<int:number>/undo/", "404"),
    Row("GET", "c/<str:public_id>/standings/", CLUB),
    Row("POST", "c/<str:public_id>/standings/", NO_POST),
    Row("GET", "c/<str:public_id>/statistics/", CLUB),
    Row("POST", "c/<str:public_id>/statistics/", NO_POST),
    Row("GET", "c/<str:public_id>/records/<str:which>/send/", CLUB),
    Row("POST", "c/<str:public_id>/records/<str:which>/send/", NO_POST),
    Row("GET", "c/<str:public_id>/records/<str:which>/send/picture.png", CLUB),
    Row("POST", "c/<str:public_id>/records/<str:which>/send/picture.png", NO_POST),
    Row("GET", "c/<str:public_id>/statistics.xlsx", CLUB),
    Row("POST", "c/<str:public_id>/statistics.xlsx", NO_POST),
    Row("GET", "c/<str:public_id>/what-if/", CLUB),
    Row("POST", "c/<str:public_id>/what-if/", NO_POST),
    Row("GET", "c/<str:public_id>/players/", CLUB),
    Row("POST", "c/<str:public_id>/players/", NO_POST),
    Row("GET", "c/<str:public_id>/players/<int:number>/", CLUB),
    Row("POST", "c/<str:public_id>/players/<int:number>/", post(CLUB, 422, 422)),
    Row("GET", "c/<str:public_id>/stakes/", NO_POST),
    Row("POST", "c/<str:public_id>/stakes/", post(CLUB, 422, 422)),
    Row("GET", "c/<str:public_id>/more/", CLUB),
    Row("POST", "c/<str:public_id>/more/", post(CLUB, 302, 302)),
    Row("GET", "c/<str:public_id>/rules/forget/", NO_POST),
    Row("POST", "c/<str:public_id>/rules/forget/", post(CLUB, 302, 302)),
    Row("GET", "c/<str:public_id>/export.json", CLUB),
    Row("POST", "c/<str:public_id>/export.json", NO_POST),
    Row("GET", "c/<str:public_id>/delete/", CLUB),
    Row("POST", "c/<str:public_id>/delete/", post(CLUB, 422, 422)),
    Row("GET", "c/<str:public_id>/links/", CLUB),
    Row("POST", "c/<str:public_id>/links/", post(CLUB, 200, 200)),
    Row("GET", "c/<str:public_id>/links/<str:link_id>/revoke/", NO_POST),
    Row("POST", "c/<str:public_id>/links/<str:link_id>/revoke/", post(CLUB, 302, 302)),
    Row("GET", "c/<str:public_id>/links/<str:link_id>/replace/", NO_POST),
    Row("POST", "c/<str:public_id>/links/<str:link_id>/replace/", post(CLUB, 200, 200)),
]


def patterns(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Every pattern of the project in full. Django's admin counts as one, because a single check guards all of it."""
    for each in (resolver or get_resolver()).url_patterns:
        path = before + str(each.pattern)
        if path == "admin/" or isinstance(each, URLPattern):
            yield path
        else:
            yield from patterns(each, path)


def address(pattern: str, cast: Cast, who: str) -> str:
    """The address of this pattern in the session that ``who`` tries to open."""
    wanted = cast.wants(who)
    club = pattern.startswith("c/")
    player = wanted.club.players.first()
    link = cast.links[who if who == "closed" else "viewer"]
    values = {
        "<str:public_id>": wanted.club.public_id if club else wanted.public_id,
        "<int:number>": str(player.pk if club and player else 1),
        "<str:link_id>": link.public_id,
        "<int:raised>": str(wanted.events.get(verb="dispute").n),
        "<str:secret>": "no-such-secret",
        "<slug:preset>": "regular",
        "<slug:tag>": "ja",
        "<str:which>": "pot-1",
    }
    for name, value in values.items():
        pattern = pattern.replace(name, value)
    assert "<" not in pattern, f"say what stands for the parameters of {pattern}"
    return f"/{pattern}"


def ask(client: Client, row: Row, path: str) -> int:
    response = client.get(path) if row.method == "GET" else client.post(path, {"key": "asked"})
    response.getvalue()  # a download is a file that is closed when it has been read
    assert response["OFC-Score"] == "1", "the app's scripts would take this answer for somebody else's"
    return response.status_code


@pytest.fixture(scope="module")
def troupe(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    """The whole cast, which takes longer to make than a row of the table to try."""
    with kept(django_db_blocker, whole_cast) as made:
        yield made


@pytest.fixture
def cast(troupe: Cast, db: None) -> Cast:
    """The whole cast as it was made."""
    forgotten()
    return troupe.again()


def test_every_address_stands_in_the_table_and_nothing_else() -> None:
    addresses = {(method, pattern) for pattern in patterns() for method in ("GET", "POST")}
    missing = addresses ^ {(row.method, row.pattern) for row in TABLE}
    assert not missing, f"scoring/urls.py and TABLE in tests/access/test_table.py differ: {missing}"
    assert len(TABLE) == len({(row.method, row.pattern) for row in TABLE})


def test_every_operation_of_the_api_stands_in_the_table() -> None:
    described = {path.removeprefix("/") for path in api.get_openapi_schema()["paths"]}
    assert described
    assert described <= {row.pattern for row in TABLE}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} /{row.pattern}")
def test_everybody_gets_what_the_table_says(row: Row, cast: Cast) -> None:
    """Everybody gets the expected status, and requests that are refused or only read change nothing."""
    before = everything()
    got = {}
    for who in WHO:
        got[who] = ask(cast.browsers[who], row, address(row.pattern, cast, who))
        after = everything()
        if row.method == "GET" or got[who] >= 400:
            assert after == before, f"{who} has changed something"
        before = after
    assert got == row.expected


@pytest.mark.parametrize("who", ["nobody", "revoked", "other", "viewer"])
def test_what_a_browser_may_not_see_answers_as_what_does_not_exist(who: str, cast: Cast) -> None:
    """To the byte, headers and cookies included, so that nobody learns which sessions and clubs there are."""
    client, hidden = cast.browsers[who], cast.closed
    ids = {"s/<str:public_id>/": hidden.public_id, "c/<str:public_id>/": hidden.club.public_id}
    compared = 0
    for row in TABLE:
        start = row.pattern[: len("s/<str:public_id>/")]
        if start in ids:
            there = address(row.pattern, cast, "closed")
            gone = there.replace(ids[start], "x" * len(ids[start]))
            if who != "nobody":  # a cookie of another day, which is due for renewal
                value = f"1.{cast.links[who].public_id}"
                client.cookies["keys"] = signing.get_cookie_signer(salt="keys").sign(value)
            answers = []
            for path in (there, gone):
                jar = deepcopy(client.cookies)
                response = client.get(path) if row.method == "GET" else post_nothing(client, path)
                cookies = {name: {**morsel, "expires": ""} for name, morsel in response.cookies.items()}
                content = response.content.replace(path[: path.index("/", 3)].encode(), b"")  # the way on
                answers.append((response.status_code, dict(response.headers), cookies, content))
                client.cookies = jar
            assert answers[0] == answers[1], row
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_no_other_method_does_anything(method: str, cast: Cast) -> None:
    before = everything()
    for pattern in patterns():
        path = address(pattern, cast, "host")
        status = getattr(cast.browsers["host"], method)(path).status_code
        # The API's description answers every method.
        assert status in {404, 405} or pattern in {"api/v1/docs", "api/v1/openapi.json"}, path
    assert everything() == before


@pytest.mark.parametrize("pattern", sorted({row.pattern for row in TABLE if row.method == "POST"}))
def test_a_form_that_is_not_ours_is_refused(pattern: str, cast: Cast) -> None:
    """Every POST needs Django's CSRF token, except to the API, which knows no users."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["keys"] = cast.browsers["host"].cookies["keys"].value
    before = everything()
    status = strict.post(address(pattern, cast, "host"), {"key": "asked"}, headers={"HX-Request": "true"}).status_code
    assert status == (400 if pattern == "api/v1/score" else 404 if pattern.startswith("admin/") else 403)
    assert everything() == before


def described() -> str:
    """`TABLE` as Markdown."""
    lines = [f"| | address | {' | '.join(WHO)} |", f"|---|---|{'---|' * len(WHO)}"]
    for row in TABLE:
        if set(row.expected.values()) == {405}:
            continue  # this address has no such method
        name = row.pattern.replace("<str:", "<").replace("<int:", "<").replace("<slug:", "<")
        lines.append(f"| {row.method} | `/{name}` | {' | '.join(map(str, row.expected.values()))} |")
    return "\n".join(lines)


def test_the_table_is_in_the_document_on_security() -> None:
    print(described())
    missing = [line for line in described().splitlines() if line not in DOCUMENT.read_text()]
    assert missing == [], "docs/security.md needs these rows, in the order of TABLE"
    assert described() in DOCUMENT.read_text(), "docs/security.md has rows that are in another order, or too many"
