"""Every page, export and stream can show an evening that has every action in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook

from scoring import ledger, live, reads
from scoring.access.links import Role
from scoring.actions import ACTIONS, BESIDE_RECORD
from scoring.exports import club_document
from scoring.game.lines import WON_IN_PLAY, Category, LineKind
from scoring.ledger import audit
from scoring.models import Event, Session, Transfer
from scoring.wording.actions import Speaker, done, sentence
from tests.access.conftest import browser, issue
from tests.access.reading import crawl, is_page, read
from tests.actions.everything import everything, for_cash
from tests.ledger.conftest import act

pytestmark = pytest.mark.django_db

MOST = 900
"""So many pages are visited at most."""


@pytest.fixture
def whole(db: None) -> Session:
    """A session with every action in its history."""
    return everything()


@pytest.fixture(params=[everything, for_cash], ids=["everything", "for cash"])
def session(request: pytest.FixtureRequest, db: None) -> Session:
    """That session, or one with chips for cash."""
    found: Session = request.param()
    return found


def test_it_has_every_action_and_the_audit_is_silent(whole: Session) -> None:
    done = set(Event.objects.filter(session=whole).values_list("verb", flat=True))
    assert set(ACTIONS) - done == set()
    assert list(map(str, audit.of_everything())) == []


def test_what_is_won_and_lost_is_told_by_the_seats_of_a_line(session: Session) -> None:
    """Both verifiers go by that (`scripts/verify`, `static/verify/verify.js`), since they know no kind but counts."""
    lines = Transfer.objects.filter(event__session=session).exclude(event__verb__in=BESIDE_RECORD)
    for kind, payer, payee in lines.values_list("kind", "payer__number", "payee__number"):
        told = (payer > 0 and payee > 0) or kind == LineKind.COUNT
        assert told == (kind in WON_IN_PLAY), (
            f"by its seats {kind} is {'' if told else 'not '}won and lost: scripts/verify and static/verify/verify.js"
        )


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
def test_every_page_can_be_read(session: Session, role: Role) -> None:
    of_session = {} if role == Role.HOST else {"session": session}
    _, secret = issue(session, role) if of_session else issue(session, Role.HOST)
    visited = dict(crawl(browser(secret), "/", f"/s/{session.public_id}/", most=MOST))
    assert {url: page.status_code for url, page in visited.items() if page.status_code not in {200, 302}} == {}
    pages = [read(page, url) for url, page in visited.items() if is_page(page)]
    assert [page.url for page in pages if page.faults] == []
    assert any("/history/" in url for url in visited)
    assert len(visited) < MOST, "pages are left that nobody has visited"


def test_the_books_balance_and_no_page_says_otherwise(session: Session) -> None:
    assert list(map(str, audit.of_everything())) == []
    visited = dict(crawl(browser(issue(session, Role.HOST)[1]), f"/s/{session.public_id}/", most=MOST))
    pages = {url: page.content.decode() for url, page in visited.items() if is_page(page)}
    assert [url for url, page in pages.items() if 'class="error"' in page] == []
    books = pages[f"/s/{session.public_id}/ledger/"]
    assert "Chips on the table match the bank." in books
    assert "Balanced: points and money add up to zero" in books  # with the bank's part, if it has any


def test_only_lines_of_play_carry_points(session: Session) -> None:
    lines = session.transfers.exclude(points=0).values_list("kind", flat=True)
    assert {LineKind(kind).category for kind in lines} == {Category.PLAY}


def test_the_history_names_every_event(session: Session) -> None:
    client = browser(issue(session, Role.VIEWER)[1])
    pages = {url: page for url, page in crawl(client, f"/s/{session.public_id}/history/", most=MOST) if is_page(page)}
    text = " ".join(" ".join(read(page, url).text) for url, page in pages.items() if "/history/" in url)
    state = reads.state(session)
    names = {number: seat.name for number, seat in state.seats.items()}
    speaker = Speaker.of(session, names, for_cash=state.for_cash)
    for event in Event.objects.filter(session=session):
        assert done(event) in text
        assert sentence(event, speaker) in text


def test_every_event_is_news_to_another_phone(session: Session) -> None:
    client = browser(issue(session, Role.VIEWER)[1])
    for after in range(session.version):
        answer = client.get(f"/s/{session.public_id}/version?after={after}")
        assert answer.json()["version"] == session.version
        assert answer.json()["news"].endswith("on another phone.")


def test_the_exports_have_every_kind_of_line(session: Session) -> None:
    (document,) = json.loads(b"".join(club_document.of_club(session.club)))["sessions"]
    client = browser(issue(session, Role.HOST)[1])
    book = load_workbook(BytesIO(client.get(f"/s/{session.public_id}/ledger.xlsx").getvalue()))
    kinds = {cell.value for cell in book["Transfers"]["G"][1:]}
    assert kinds == {line["kind"] for line in document["transfers"]}


def test_the_exports_have_every_event(whole: Session) -> None:
    (document,) = json.loads(b"".join(club_document.of_club(whole.club)))["sessions"]
    assert {event["verb"] for event in document["events"]} == set(ACTIONS)


def test_every_action_reaches_the_streams(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[int] = []
    monkeypatch.setattr(live.local_hub, "hear", lambda message: heard.append(message.get("version", 0)))
    with django_capture_on_commit_callbacks(execute=True):
        session = everything()
    assert heard == list(range(2, session.version + 1))


@pytest.mark.parametrize("evening", [everything, for_cash], ids=["everything", "for cash"])
def test_every_action_is_refused_to_another_version_and_notes_its_link(
    monkeypatch: pytest.MonkeyPatch, evening: Callable[[], Session]
) -> None:
    """A page can be ahead of a database that was restored. Whatever it sends then belongs to another table."""

    def act_twice(do: Any, session: Session, **given: Any) -> Any:
        session.refresh_from_db()
        if do not in (ledger.dispute, ledger.resolve_dispute):  # they ask for changes of their hand alone
            with pytest.raises(ledger.Conflict):
                act(do, session, **given, version=session.version + 1)
        return act(do, session, **given, version=session.version, link=7)

    monkeypatch.setattr(f"{everything.__module__}.act", act_twice)
    others = Event.objects.filter(session=evening()).exclude(link=7)
    assert set(others.values_list("verb", flat=True)) <= {"start", "buy-in-all", "settle"}
