"""The chain of events: what a hash covers, in which form, and that it reads back as it was written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

import pytest
import rfc8785
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from scoring import club, ledger
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.game.limits import MAX_AMOUNT
from scoring.ledger import audit, chain
from scoring.ledger.store import Written
from scoring.models import BoardResult, Deal, Event, PairResult, Player, Revision, Session, Transfer
from tests.actions.everything import everything
from tests.ledger.conftest import act, settle, start
from tests.ledger.tampering import write

LEFT_OUT = {
    Event: {"id", "link", "session", "key", "fingerprint", "hash"},
    Revision: {"id", "event"},
    BoardResult: {"id", "revision"},
    PairResult: {"id", "revision"},
    Transfer: {"id", "session", "event", "revision"},
}
"""The rows' own ids, what a place in the content says, the keys of forms, and through which link somebody asked."""

NAMED: dict[Any, dict[str, str]] = {Transfer: {"deal_number": "deal"}}


@pytest.mark.parametrize("model", LEFT_OUT, ids=lambda model: model.__name__)
def test_every_column_is_covered(db: None, model: Any) -> None:
    everything()
    content = _contents(Session.objects.get())
    first = {
        Event: content[0] | {"chained": None},
        Revision: content[1]["revisions"][0],
        BoardResult: content[1]["revisions"][0]["boards"][0],
        PairResult: content[1]["revisions"][0]["pairs"][0],
        Transfer: content[1]["lines"][0],
    }[model]
    columns = {column.name for column in model._meta.concrete_fields} - LEFT_OUT[model]
    assert {NAMED.get(model, {}).get(name, name) for name in columns} <= first.keys()


def _contents(session: Session) -> list[dict[str, Any]]:
    return [content for content, _, _ in chain.linked(session)]


def test_it_is_the_same_however_little_is_read_at_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One event has more revisions than may be read at once: it is read by itself."""
    session = everything()
    whole = _contents(session)
    assert max(len(content["revisions"]) for content in whole) > 1
    with CaptureQueriesContext(connection) as at_once:
        _contents(session)
    monkeypatch.setattr(chain, "REVISIONS_AT_ONCE", 1)
    with CaptureQueriesContext(connection) as in_portions:
        assert _contents(session) == whole
    settled = sum(bool(content["revisions"]) for content in whole)
    assert len(in_portions) - len(at_once) >= 5 * (settled - 1)


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL stores nothing but whole numbers there")
@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize("number", [2.5, "two"])
def test_an_event_without_a_number_ends_it(session: Session, number: object) -> None:
    settle(session)
    settle(session)
    write("UPDATE scoring_event SET n = %s WHERE n = 3", number)
    with pytest.raises(ValueError, match=f"an event has the number {number!r}"):
        list(islice(chain.contents(session), 9))
    found = islice(audit.of_session(session.pk), 99)
    assert ("chained", f"this cannot be checked, ValueError: an event has the number {number!r}") in {
        (finding.check, finding.message) for finding in found
    }


def test_it_is_canonical_json(db: None) -> None:
    """Every content of an evening in which everything was done is written as another implementation writes it."""
    for content in _contents(everything()):
        assert chain.canonical(content) == rfc8785.dumps(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
    max_leaves=20,  # hypothesis takes three times as long to think of a hundred, and they are written no other way
)


@given(st.dictionaries(st.text(st.characters(max_codepoint=127)), JSON))
def test_any_json_of_ours_is_canonical(content: dict[str, Any]) -> None:
    assert chain.canonical(content) == rfc8785.dumps(content)


def test_what_few_readers_keep_exact_is_text(session: Session) -> None:
    act(SideBet, session, payer=1, payee=2, amount=MAX_AMOUNT, note="All of it")
    content = _contents(session)[-1]
    assert content["lines"][0]["amount"] == MAX_AMOUNT
    assert f'"amount":"{MAX_AMOUNT}"'.encode() in chain.canonical(content)
    assert chain.canonical(content) == rfc8785.dumps(chain.exact(content))
    assert chain.exact([2**53 - 1, -(2**53), True]) == [2**53 - 1, str(-(2**53)), True]


def test_each_event_hashes_the_one_before_it(session: Session) -> None:
    settle(session)
    act(ledger.close_session, session)
    linked = list(chain.linked(session))
    assert [content["previous"] for content, _, _ in linked] == ["", *(stored for _, stored, _ in linked[:-1])]
    assert all(stored == now for _, stored, now in linked)
    session.refresh_from_db()
    assert session.head == linked[-1][1]


def test_a_long_session_is_read_in_portions(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    session = everything()
    at_once = _contents(session)
    monkeypatch.setattr(chain, "EVENTS_AT_ONCE", 2)
    assert _contents(session) == at_once
    assert [content["n"] for content in at_once] == list(range(1, session.version + 1))


def test_a_migration_reads_it_by_the_models_of_its_time(session: Session) -> None:
    asked: list[str] = []

    class Registry:
        """The models of today, and which of them were asked for."""

        def get_model(self, app: str, name: str) -> Any:
            asked.append(name)
            return apps.get_model(app, name)

    assert list(chain.linked(session, Registry())) == list(chain.linked(session))
    assert tuple(asked) == chain.MODELS


@pytest.fixture
def in_tokyo() -> Iterator[None]:
    """The machine's clock is nine hours ahead of the database's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_tokyo")
def test_a_time_is_written_in_one_zone_wherever_the_machine_is(session: Session) -> None:
    assert _contents(session)[0]["at"] == session.opened_at.isoformat(timespec="microseconds")
    assert _contents(session)[0]["at"].endswith("+00:00")


def test_hands_that_one_event_changed_are_hashed_by_number(session: Session) -> None:
    changed = [Revision(deal=Deal(session=session, number=number)) for number in (2, 3, 1)]
    content = chain.new_content("", Written(session.events.get(), changed), {})
    assert [revision["deal"] for revision in content["revisions"]] == [1, 2, 3]


def test_two_sessions_that_went_alike_differ_from_the_start(db: None) -> None:
    assert start().head != start().head


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "abacus abacus abacus abacus abacus abacus"),
        (7775, "zoom abacus abacus abacus abacus abacus"),
        (7776**6 + 7776 + 2, "abdominal abdomen abacus abacus abacus abacus"),
    ],
)
def test_a_hash_in_six_words(number: int, words: str) -> None:
    assert chain.words_of(f"{number:064x}") == words


def test_the_list_of_words_is_whole() -> None:
    assert len(chain.words()) == len(set(chain.words())) == 6**5


# --- What the audit knows of clubs -------------------------------------------------------------------


def test_players_who_were_put_together_keep_their_seats(db: None) -> None:
    session = start("Ann Bob")
    other = start("Anna Dan", club=session.club)
    again = start("Anne Eve", club=session.club)
    players = {player.name: player for player in Player.objects.all()}
    club.merge(players["Anna"], players["Ann"])
    club.merge(players["Ann"], players["Anne"])
    assert list(map(str, audit.of_everything())) == []
    assert other.seats.get(number=1).player_id == players["Anne"].pk
    act(Join, again, name="Bob", after=1)
    act(Leave, again, seat=3)
    act(Join, again, name="Bob")


def test_sessions_that_were_dropped_as_idle_are_not_missed(db: None) -> None:
    first = start("Ann Bob")
    start("Ann Bob", club=first.club)
    later = timezone.now() + timedelta(days=1)
    next(club.drop_idle(later))
    assert not Session.objects.filter(pk=first.pk).exists()
    first.club.refresh_from_db()
    assert first.club.dropped == [1]
    assert start("Ann Bob", club=first.club).number == 3


def test_sessions_are_numbered_by_club(db: None) -> None:
    first, other = start("Ann Bob"), start("Ann Bob")
    assert [start("Ann Bob", club=first.club).number for _ in range(2)] == [2, 3]
    assert (first.number, other.number) == (1, 1)
