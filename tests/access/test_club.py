"""What hosts can do with their club. The ledger stays as it is until the club is deleted."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from scoring import club, ledger, reads
from scoring.access.links import Role
from scoring.actions.people import Join, Leave, Swap
from scoring.actions.terms import ChangeTerms
from scoring.game.errors import LedgerError
from scoring.game.table import Table
from scoring.ledger import audit
from scoring.ledger.load import seats_of, table_of
from scoring.models import Club, Event, Link, Player, Seat, Session, Total
from scoring.rules import document
from tests.access.conftest import Cast, browser, everything, issue
from tests.ledger.conftest import LEVEL, act, entry, key, settle, start, totals
from tests.views.start.test_new_session import FORM

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sound() -> Any:
    """After every test here the audit must find nothing."""
    yield
    assert [str(finding) for finding in audit.of_everything()] == []


def table(session: Session) -> Table:
    session.refresh_from_db()
    return table_of(session, seats_of(session))


def host(session: Session) -> Client:
    return browser(issue(session, Role.HOST)[1])


def named(session: Session, name: str) -> Player:
    return Player.objects.get(club=session.club, name=name)


# --- Same as last time ------------------------------------------------------------------------------------------------


def test_the_same_people_sit_down_on_the_same_terms(session: Session) -> None:
    act(ChangeTerms, session, stake=250, pair_stakes=[(1, 3, 1000)], rules="cardplayer")
    act(Swap, session, first=1, second=2)
    settle(session, entry(s1=LEVEL.boards[1], s2=LEVEL.boards[2], s3=LEVEL.boards[3]))
    client = host(session)
    form = {"key": "again"}
    response = client.post(f"/c/{session.club.public_id}/again/", form)
    again = Session.objects.latest("pk")
    assert response["Location"] == f"/s/{again.public_id}/"
    before, after = table(session), table(again)
    assert [chair.name for chair in after.chairs] == [chair.name for chair in before.chairs] == ["Bob", "Ann", "Cat"]
    assert after.name(after.button) == before.name(before.button)
    assert (after.stake, after.rules) == (250, before.rules)
    assert {frozenset(map(after.name, pair)): stake for pair, stake in after.pair_stakes.items()} == {
        frozenset({"Ann", "Cat"}): 1000
    }
    assert again.club == session.club
    assert Player.objects.count() == 3
    assert client.post(f"/c/{session.club.public_id}/again/", form)["Location"] == f"/s/{again.public_id}/"
    assert Session.objects.count() == 2


def test_who_got_up_or_retired_does_not_sit_down_again(db: None) -> None:
    session = start("Ann Bob Cat Dan")
    act(Leave, session, seat=2)
    club.retire(named(session, "Dan"))
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Cat"]


def test_where_everybody_got_up_all_sit_again(session: Session) -> None:
    act(Leave, session, seat=1)
    act(Leave, session, seat=2)
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Bob", "Cat"]


def test_where_nobody_is_left_it_says_so(session: Session) -> None:
    for player in Player.objects.all():
        club.retire(player)
    response = host(session).post(f"/c/{session.club.public_id}/again/", {"key": "again"})
    assert response.status_code == 422
    assert "at least two players" in response.content.decode()


def test_a_club_without_a_session_has_no_last_time() -> None:
    call_command("host_link", stdout=(out := _Out()))
    client = browser(out.text.strip().removeprefix("/l/"))
    page = f"/c/{Club.objects.get().public_id}/"
    assert "No session yet" in client.get(page).content.decode()
    assert client.post(f"{page}again/", {"key": "x"})["Location"] == page
    form = client.get(f"/new/?club={Club.objects.get().public_id}").content.decode()
    assert "Of which club" in form


class _Out:
    text = ""

    def write(self, text: str) -> None:
        self.text += text


# --- People -----------------------------------------------------------------------------------------------------------


def test_a_renamed_player_keeps_what_he_won_and_the_name_he_won_it_under(session: Session) -> None:
    settle(session)
    club.rename_player(named(session, "Ann"), "Annabel Lee")
    assert reads.standings(session.club)[0].player == "Annabel Lee"
    assert Seat.objects.get(session=session, number=1).name == "Ann"
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names[0] == "Annabel Lee"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bob", "There is another bob"),
        ("", "needs a name"),
        ("x" * 41, "at most 40"),
        ("Bank", "The ledger itself has a Bank"),
    ],
)
def test_a_name_that_is_taken_or_none_is_refused(session: Session, name: str, says: str) -> None:
    page = f"/c/{session.club.public_id}/players/{named(session, 'Ann').pk}/"
    response = host(session).post(page, {"do": "rename", "name": name})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert named(session, "Ann").name == "Ann"


def test_a_name_may_change_its_case(session: Session) -> None:
    club.rename_player(named(session, "Ann"), "ANN")
    assert named(session, "ANN").name == "ANN"


def test_two_names_become_one_person(session: Session) -> None:
    settle(session)
    act(ledger.close_session, session)
    second = start("Anna Bob", club=session.club)
    act(ledger.close_session, second)
    ann, anna = named(session, "Ann"), named(session, "Anna")
    club.set_usual_stake(anna, named(session, "Bob"), currency="EUR", minor_digits=2, stake=700)
    before = {line.player: line for line in reads.standings(session.club)}
    page = f"/c/{session.club.public_id}/players/{anna.pk}/"
    response = host(session).post(page, {"do": "merge", "into": str(ann.pk)})
    assert response.status_code == 302
    after = {line.player: line for line in reads.standings(session.club)}
    assert set(after) == {"Ann", "Bob", "Cat"}
    assert after["Ann"].money == before["Ann"].money + before["Anna"].money
    assert (after["Ann"].sessions, after["Ann"].points) == (2, before["Ann"].points)
    assert Total.objects.filter(player=ann).count() == 2
    assert reads.usual_stakes(session.club, "EUR", ["Ann", "Bob"]) == [(1, 2, 700)]


def test_two_who_sat_at_one_table_are_two(session: Session) -> None:
    ann, bob = named(session, "Ann"), named(session, "Bob")
    response = host(session).post(
        f"/c/{session.club.public_id}/players/{ann.pk}/", {"do": "merge", "into": str(bob.pk)}
    )
    assert response.status_code == 422
    assert "they are two people" in response.content.decode()
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, ann)
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, named(start("Eve Dan"), "Eve"))


def test_who_goes_by_another_name_now_and_a_newcomer_of_his_old_one_are_told_apart(session: Session) -> None:
    act(Leave, session, seat=2)
    club.rename_player(named(session, "Bob"), "Robert")
    with pytest.raises(LedgerError, match="tell them apart"):
        act(Join, session, name="Bob")
    assert act(Join, session, name="Robert").number == 2


def test_who_retired_is_not_offered_a_seat_until_he_is_back(session: Session) -> None:
    client, cat = host(session), named(session, "Cat")
    page = f"/c/{session.club.public_id}/players/{cat.pk}/"
    form = f"/new/?club={session.club.public_id}"
    assert '<option value="Cat">' in client.get(form).content.decode()
    client.post(page, {"do": "retire"})
    assert '<option value="Cat">' not in client.get(form).content.decode()
    assert "retired" in client.get(f"/c/{session.club.public_id}/players/").content.decode()
    client.post(page, {"do": "return"})
    assert '<option value="Cat">' in client.get(form).content.decode()


# --- Usual stakes -----------------------------------------------------------------------------------------------------


def test_a_new_session_begins_with_the_usual_stakes(session: Session) -> None:
    client, page = host(session), f"/c/{session.club.public_id}"
    ann, bob = named(session, "Ann"), named(session, "Bob")
    stake = {"one": str(bob.pk), "other": str(ann.pk), "stake": "7,50", "currency": "EUR"}
    assert client.post(f"{page}/stakes/", stake).status_code == 302
    assert "7.50 EUR" in client.get(f"{page}/players/").content.decode()
    form = {**FORM, "club": session.club.public_id, "name-1": "Cat", "name-2": "ANN", "name-3": "Bob"}
    client.post("/new/", form)
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 750}
    client.post("/new/", {**form, "key": "said otherwise", "pair-2-3": "1"})
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 100}
    client.post("/new/", {**form, "key": "other money", "currency": "USD"})
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {}
    client.post(f"{page}/stakes/", {**stake, "stake": ""})
    assert "7.50 EUR" not in client.get(f"{page}/players/").content.decode()


@pytest.mark.parametrize(
    "changed", [{"stake": "1,000"}, {"stake": "-1"}, {"currency": "XXX"}, {"stake": "9" * 30}, {"other": "same"}]
)
def test_a_stake_that_is_none_is_refused(session: Session, changed: dict[str, str]) -> None:
    ann, bob = named(session, "Ann"), named(session, "Bob")
    form = {"one": str(ann.pk), "other": str(bob.pk), "stake": "5", "currency": "EUR", **changed}
    form["other"] = form["one"] if form["other"] == "same" else form["other"]
    before = everything()
    assert host(session).post(f"/c/{session.club.public_id}/stakes/", form).status_code == 422
    assert {**everything(), "Link": None} == {**before, "Link": None}


# --- Starting one -----------------------------------------------------------------------------------------------------


@override_settings(ALLOW_NEW_CLUBS="nobody")
def test_where_nobody_may_start_a_club_a_host_still_starts_sessions(session: Session) -> None:
    stranger = Client()
    assert "Start a session" not in stranger.get("/").content.decode()
    assert stranger.get("/new/").status_code == 403
    assert stranger.post("/new/", FORM).status_code == 403
    client = host(session)
    form = client.get("/new/").content.decode()
    assert "a new one" not in form
    assert client.post("/new/", {**FORM, "club": ""}).status_code == 422
    assert client.post("/new/", {**FORM, "club": session.club.public_id}).status_code == 302
    assert Club.objects.count() == 1


@override_settings(ALLOW_NEW_CLUBS="code", NEW_CLUB_CODE="four aces", WRONG_LINKS_PER_TEN_MINUTES=2)
def test_where_it_takes_a_code_only_the_code_will_do(db: None) -> None:
    assert 'name="code"' in Client().get("/new/").content.decode()
    assert Client().post("/new/", {**FORM, "code": "four aces"}).status_code == 302
    for wrong in ("", "Four Aces", "four aces"):  # after two wrong codes the right one is refused, too
        assert Client().post("/new/", {**FORM, "key": "second", "code": wrong}).status_code == 422
    assert Club.objects.count() == 1


# --- Taking it along, and the end -------------------------------------------------------------------------------------


def test_the_export_has_everything_and_no_secret(cast: Cast) -> None:
    session = cast.session
    act(ledger.correct_deal, session, number=3, entry=entry(s1=LEVEL.boards[2], s2=LEVEL.boards[1], s3=LEVEL.boards[3]))
    response = cast.browsers["host"].get(f"/c/{session.club.public_id}/export.json")
    text = b"".join(response)
    whole = json.loads(text)
    assert [player["name"] for player in whole["players"]] == ["Ann", "Bob", "Cat"]
    (evening,) = whole["sessions"]
    assert [deal["number"] for deal in evening["deals"]] == [1, 2, 3]
    assert [deal["void"] for deal in evening["deals"]] == [False, True, False]
    assert [len(deal["versions"]) for deal in evening["deals"]] == [1, 2, 3]
    for deal in evening["deals"]:
        if not deal["void"]:
            scored = document.score(deal["document"])
            assert [(player["name"], player["points"], player["money"]) for player in scored["players"]] == [
                (player["name"], player["points"], player["money"]) for player in deal["result"]["players"]
            ]
    money = dict.fromkeys((1, 2, 3), 0)
    for line in evening["transfers"]:
        money[line["payer"]] -= line["amount"]
        money[line["payee"]] += line["amount"]
    assert money == {seat: one.money for seat, one in totals(session).items() if seat > 0}
    assert [event["n"] for event in evening["events"]] == list(range(1, session.events.count() + 1))
    assert [dispute["deal"] for dispute in evening["disputes"]] == [1]
    for hidden in (*Link.objects.values_list("digest", "public_id"), *Event.objects.values_list("key", "fingerprint")):
        assert not any(secret.encode() in text for secret in hidden if len(secret) > 8)


def test_a_club_is_deleted_for_good_and_no_other(cast: Cast) -> None:
    others = Club.objects.exclude(pk=cast.session.club.pk).count()
    page = f"/c/{cast.session.club.public_id}/delete/"
    club.rename(cast.session.club, "Thursdays")
    client = cast.browsers["host"]
    for wrong in ("", "thursdays", "Thursday"):
        assert client.post(page, {"name": wrong}).status_code == 422
    assert cast.browsers["scorer"].post(page, {"name": "Thursdays"}).status_code == 404
    assert client.post(page, {"name": " Thursdays "})["Location"] == "/"
    assert Club.objects.count() == others
    assert not Session.objects.filter(pk=cast.session.pk).exists()
    assert client.get(f"/s/{cast.session.public_id}/").status_code == 404
    assert cast.browsers["closed"].get(f"/s/{cast.closed.public_id}/").status_code == 200


def test_sessions_that_nobody_touches_are_dropped_when_the_operator_says_so(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = start("Dan Eve")
    settle(session)
    out = _Out()
    call_command("drop_idle", stdout=out)
    assert "for ever" in out.text
    with override_settings(KEEP_IDLE_DAYS=30):
        call_command("drop_idle", stdout=out)
        assert Session.objects.count() == 2
        later = timezone.now() + timedelta(days=31)
        monkeypatch.setattr(timezone, "now", lambda: later)
        monkeypatch.setitem(vars(Event._meta.get_field("at")), "_get_default", lambda: later)
        settle(second, entry(s1=LEVEL.boards[1], s2=LEVEL.boards[2]))
        call_command("drop_idle", "--dry-run", stdout=out)
        assert Session.objects.count() == 2
        call_command("drop_idle", stdout=out)
    assert list(Session.objects.all()) == [second]
    assert list(Club.objects.all()) == [second.club]
    assert out.text.count("1 sessions idle for 30 days") == 2
    with pytest.raises(CommandError):
        call_command("drop_idle", "--days", "0", stdout=out)


def test_the_operator_lets_a_host_back_in(session: Session) -> None:
    out = _Out()
    call_command("host_link", session.club.public_id, "--name", "New phone", stdout=out)
    client = browser(out.text.strip().removeprefix("/l/"))
    assert client.get(f"/s/{session.public_id}/next/").status_code == 200
    assert Link.objects.get().name == "New phone"
    with pytest.raises(CommandError):
        call_command("host_link", "no such club", stdout=out)


def test_a_forms_key_is_one_of_ours(cast: Cast) -> None:
    page = f"/s/{cast.session.public_id}/links/"
    for bad in ("", "x" * 81, "a\x00b", "ü"):
        assert cast.browsers["host"].post(page, {"key": bad, "role": "viewer"}).status_code == 400
    once = [cast.browsers["host"].post(page, {"key": key(), "role": "viewer"}).content for _ in range(2)]
    assert once[0] != once[1]
