"""Every form is sent while somebody deletes the club: it gets the page that nothing is there, and leaves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from scoring import club, ledger, transactions
from scoring.access import links
from scoring.actions.penalty import Penalty
from scoring.actions.side_bet import SideBet
from scoring.game.errors import LedgerError
from scoring.ledger.append_only import erasing
from scoring.models import Club, Link, Player, Session
from scoring.rules.houserules import PRESETS
from scoring.transactions import Gone, writing
from tests.drafts.conftest import Phone
from tests.ledger.conftest import PLAIN, act, start
from tests.pages import follow, form
from tests.test_transactions import elsewhere
from tests.views.test_sent_again import FORMS, played

pytestmark = pytest.mark.django_db(transaction=True)

Send = Callable[[], Any]
"""Sends a form that is filled in already."""

Opener = Callable[[Client, Session], Send]
"""Opens a form of this session or of its club, and fills it in."""


def evening() -> Session:
    """An open session of a club whose first one is closed and on the tab, where Bob owes Ann 9.00."""
    first = start()
    act(SideBet, first, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, first, tab=True)
    club.rename(first.club, "Friday")
    club.save_rules(first.club, "Ours", PRESETS["pineapple"])
    Player.objects.create(club=first.club, name="Kit", folded="kit")
    return played(start(club=first.club))


def closed(session: Session) -> Session:
    """The first session of the club."""
    return Session.objects.get(club=session.club, number=1)


def at(path: str, label: str = "", action: str = "", **typed: str) -> Opener:
    """A form of a page, by the label of its button or by where it leads.

    In the path and in what is typed, ``{s}`` stands for the address of the session, ``{closed}`` for that of the closed
    one, ``{c}`` for that of the club, and ``{Ann}`` for the number of this player.
    """

    def opened(client: Client, session: Session) -> Send:
        names = {each.name: str(each.pk) for each in Player.objects.filter(club=session.club)}
        places = {
            "s": f"/s/{session.public_id}/",
            "closed": f"/s/{closed(session).public_id}/",
            "c": f"/c/{session.club.public_id}/",
            "club": session.club.public_id,
            **names,
        }
        shown = client.get(path.format(**places))
        found = form(shown, label, action=action.format(**places))
        return partial(found.fill({name: text.format(**places) for name, text in typed.items()}).press, label)

    return opened


def sent_again(what: str) -> Opener:
    """A form of a table, as `FORMS` fills it in."""
    label, opened = FORMS[what]
    return lambda client, session: partial(opened(client, session).press, label)


def pay_of_tab(client: Client, session: Session) -> Send:
    page = follow(client.get(f"/c/{session.club.public_id}/"), "Mark as paid: Bob to Ann")
    return form(page, "Record payment").press


def undo_of_tab(client: Client, session: Session) -> Send:
    pay_of_tab(client, session)()
    return form(follow(client.get(f"/c/{session.club.public_id}/"), "Undo"), "Undo payment").press


def link_of(action: str) -> Opener:
    """Replaces or revokes a link to the session."""

    def opened(client: Client, session: Session) -> Send:
        made, _ = links.issue(club=session.club, role=links.Role.VIEWER, session=session, key="viewer")
        where = f"/c/{session.club.public_id}/links/{made.public_id}/{action}/"
        return form(client.get(f"/s/{session.public_id}/links/"), action=where).press

    return opened


def cards(client: Client, session: Session) -> Send:
    return partial(Phone(session, client).send, 1, PLAIN)


TURNS = ("a hand", "a guest", "chips forgotten", "a correction", "a dispute", "an undo", "the end")
"""Of what `FORMS` has, one for each way in which a page asks the ledger for a turn."""

WRITERS: dict[str, Opener] = {
    **{what: sent_again(what) for what in TURNS},
    "a row": cards,
    "house rules that are kept": at("{s}rules/edit/", "Save rules", scoring="1-4", save_as="Mine"),
    "a name": at("{s}name/", "Rename session", name="Friday"),
    "a session off the tab": at("{closed}", "Keep off the tab"),
    "a session that goes on": at("{closed}close/", "Reopen session"),
    "a link for scorers": at("{s}links/", "Create link"),
    "a link for hosts": at("{c}links/", "Create host link"),
    "another link": link_of("replace"),
    "a link no more": link_of("revoke"),
    "a club's name": at("{c}more/", "Save club name", name="Saturday"),
    "house rules no more": at("{c}more/", action="{c}rules/forget/"),
    "the same once more": at("{c}", "Same as last time"),
    "another session": at("/new/?club={club}", "Start game"),
    "a usual stake": at("{c}players/", "Save stake", one="{Ann}", other="{Bob}", stake="5"),
    "a player's name": at("{c}players/{Kit}/", "Rename player", name="Kitty"),
    "two who are one": at("{c}players/{Kit}/", "Merge players", into="{Ann}"),
    "a player less": at("{c}players/{Kit}/", "Archive Kit"),
    "a way to be paid": at("{c}players/{Kit}/", "Add address", kind="text", value="cash"),
    "a payment of the tab": pay_of_tab,
    "no payment of the tab": undo_of_tab,
    "the end of the club": at("{c}delete/", "Delete club forever", name="Friday"),
}
"""What a host's browser can write."""

REFUSED = ("a hand", "a correction", "a guest", "an undo", "a row", "a link for scorers", "another link")
"""Of these, what reads the session again once it was refused, or has been written."""


class Moments:
    """The moments of a request that differ for whoever writes to what is deleted then, numbered from 1.

    They are before and after the first read of each snapshot, because a request sees nothing of what happens later in
    it.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._begin = transactions._begin_snapshot
        monkeypatch.setattr(transactions, "_begin_snapshot", self._begun)
        self._left: list[Callable[[], None]] = []

    @contextmanager
    def at(self, place: int, do: Callable[[], None]) -> Iterator[None]:
        """Does something elsewhere when this moment of what happens in the block has come."""
        self._left = [*[lambda: None] * (place - 1), do]
        yield

    @property
    def over(self) -> bool:
        """Whether the moment has come."""
        return not self._left

    def _begun(self) -> None:
        self._pass()
        self._begin()
        Club.objects.exists()
        self._pass()

    def _pass(self) -> None:
        if self._left:
            elsewhere(self._left.pop(0))


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> Moments:
    return Moments(monkeypatch)


def rows() -> dict[str, int]:
    """How many rows each table has, but for those that belong to no club."""
    found = {model.__name__: model._default_manager.count() for model in apps.get_app_config("scoring").get_models()}
    return {name: number for name, number in found.items() if number and name not in ("Tally", "Forgotten")}


@pytest.mark.parametrize(("what", "late"), [*((what, False) for what in WRITERS), *((what, True) for what in REFUSED)])
def test_whoever_writes_to_a_club_that_is_deleted_meanwhile_finds_nothing(
    client: Client, moments: Moments, what: str, late: bool
) -> None:
    """It is deleted before or after the check of the link, or once the request has written or was refused.

    In the last moment the answer to what was written or refused is found already.
    """
    statuses = []
    for place in count(1):
        session = evening()
        client.get(f"/s/{session.public_id}/")
        sending = WRITERS[what](client, session)
        if late:
            act(Penalty, session, seat=1, points=1, note="meanwhile")
        with moments.at(place, partial(club.erase, session.club)):
            answer = sending()
        if not moments.over:
            break
        statuses.append(answer.status_code)
        assert rows() == {}
    assert statuses[:3] == [404, 404, 404][: len(statuses)]
    assert len(statuses) in (2, 4)
    assert set(statuses[3:]) <= {200, 302, 404, 409}


def test_a_session_that_is_deleted_alone_gets_no_link() -> None:
    session = evening()
    deleted = Session.objects.select_related("club").get(pk=session.pk)
    with writing(), erasing(connection):
        session.delete()
    with pytest.raises(Gone):
        links.issue(club=deleted.club, role=links.Role.VIEWER, session=deleted, key="viewer")
    assert not Link.objects.exists()


def test_who_deletes_what_is_idle_goes_on_after_a_club_that_somebody_else_deletes() -> None:
    first, second, third = start(), start(), start()
    dropping = club.drop_idle(timezone.now() + timedelta(days=1))
    assert next(dropping).public_id == first.public_id
    club.erase(second.club)
    assert [each.public_id for each in dropping] == [second.public_id, third.public_id]
    assert rows() == {}


def test_nothing_is_kept_for_a_player_who_is_put_together_with_another_one_meanwhile() -> None:
    first = start()
    gone = Player.objects.create(club=first.club, name="Kit", folded="kit")
    bob = Player.objects.get(name="Bob")
    club.merge(Player.objects.get(name="Kit"), Player.objects.get(name="Ann"))
    changes: list[Callable[[], object]] = [
        lambda: club.rename_player(gone, "Kitty"),
        lambda: club.merge(gone, bob),
        lambda: club.merge(bob, gone),
        lambda: club.set_usual_stake(gone, bob, currency="EUR", minor_digits=2, stake=5),
    ]
    for change in changes:
        with pytest.raises(LedgerError, match="put together with another one meanwhile") as refused:
            change()
        assert refused.value.problems[0].code == "stale"
