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
from tests.ledger.conftest import LEVEL, act, entry, settle, start, totals
from tests.pages import form, post_nothing
from tests.views.start.test_new_session import evening, sit_down

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


def page_of(client: Client, player: Player) -> Any:
    """The page of one of the club's players."""
    return client.get(f"/c/{player.club.public_id}/players/{player.pk}/")


# --- Same as last time ------------------------------------------------------------------------------------------------


def test_the_same_people_sit_down_on_the_same_terms(session: Session) -> None:
    act(ChangeTerms, session, stake=250, pair_stakes=[(1, 3, 1000)], rules="cardplayer")
    act(Swap, session, first=1, second=2)
    settle(session, entry(s1=LEVEL.boards[1], s2=LEVEL.boards[2], s3=LEVEL.boards[3]))
    client = host(session)
    opened = form(client.get(f"/c/{session.club.public_id}/"), "Same as last time")
    response = opened.press()
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
    assert opened.press()["Location"] == f"/s/{again.public_id}/"
    assert Session.objects.count() == 2


def test_players_who_left_or_retired_are_not_in_the_next_session(db: None) -> None:
    session = start("Ann Bob Cat Dan")
    act(Leave, session, seat=2)
    club.retire(named(session, "Dan"))
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Cat"]


def test_if_fewer_than_two_stayed_the_next_session_has_everybody(session: Session) -> None:
    act(Leave, session, seat=1)
    act(Leave, session, seat=2)
    terms = reads.last_time(session.club)
    assert terms
    assert terms.names == ["Ann", "Bob", "Cat"]


def test_without_enough_players_the_same_again_is_refused(session: Session) -> None:
    opened = form(host(session).get(f"/c/{session.club.public_id}/"), "Same as last time")
    for player in Player.objects.all():
        club.retire(player)
    response = opened.press()
    assert response.status_code == 422
    assert "at least two players" in response.content.decode()


def test_a_club_without_a_session_has_no_last_time() -> None:
    call_command("host_link", stdout=(out := _Out()))
    client = browser(out.text.strip().removeprefix("/l/"))
    page = f"/c/{Club.objects.get().public_id}/"
    assert "No session yet" in client.get(page).content.decode()
    assert post_nothing(client, f"{page}again/")["Location"] == page
    shown = client.get(f"/new/?club={Club.objects.get().public_id}").content.decode()
    assert "Of which club" in shown


class _Out:
    text = ""

    def write(self, text: str) -> None:
        self.text += text


# --- People -----------------------------------------------------------------------------------------------------------


def test_renamed_players_keep_what_they_won_and_the_name_they_won_it_under(session: Session) -> None:
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
    response = form(page_of(host(session), named(session, "Ann")), "Rename").forge({"name": name})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert named(session, "Ann").name == "Ann"
    again = form(response, "Rename")
    assert again.fields()["name"] == [name]
    assert again.fill({"name": "Annabel"}).press().status_code == 302
    assert named(session, "Annabel").pk


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
    merging = form(page_of(host(session), anna), "Put them together")
    response = merging.fill({"into": str(ann.pk)}).press()
    assert response.status_code == 302
    after = {line.player: line for line in reads.standings(session.club)}
    assert set(after) == {"Ann", "Bob", "Cat"}
    assert after["Ann"].money == before["Ann"].money + before["Anna"].money
    assert (after["Ann"].sessions, after["Ann"].points) == (2, before["Ann"].points)
    assert Total.objects.filter(player=ann).count() == 2
    assert reads.usual_stakes(session.club, "EUR", ["Ann", "Bob"]) == [(1, 2, 700)]


def test_two_players_of_one_table_are_not_merged(session: Session) -> None:
    ann, bob = named(session, "Ann"), named(session, "Bob")
    response = form(page_of(host(session), ann), "Put them together").fill({"into": str(bob.pk)}).press()
    assert response.status_code == 422
    assert "they are two people" in response.content.decode()
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, ann)
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, named(start("Eve Dan"), "Eve"))


def test_nobody_is_put_together_with_a_person_whom_the_host_did_not_choose(session: Session) -> None:
    """It cannot be taken apart again, so neither a fresh page nor one after a refusal chooses for the host."""
    fresh = page_of(host(session), named(session, "Ann"))
    nobody = form(fresh, "Put them together").forge({"into": ""})
    assert nobody.status_code == 422
    assert "Choose who." in nobody.content.decode()
    assert form(fresh, "Put them together").fields()["into"] == [""]
    cat = str(named(session, "Cat").pk)
    refused = form(fresh, "Put them together").fill({"into": cat}).press()
    assert refused.status_code == 422
    assert form(refused, "Put them together").fields()["into"] == [cat]


def test_a_renamed_player_and_a_newcomer_with_the_old_name_stay_apart(session: Session) -> None:
    act(Leave, session, seat=2)
    club.rename_player(named(session, "Bob"), "Robert")
    with pytest.raises(LedgerError, match="tell them apart"):
        act(Join, session, name="Bob")
    assert act(Join, session, name="Robert").number == 2


def test_a_retired_player_is_not_offered_a_seat_until_they_return(session: Session) -> None:
    client, cat = host(session), named(session, "Cat")
    new = f"/new/?club={session.club.public_id}"
    assert '<option value="Cat">' in client.get(new).content.decode()
    form(page_of(client, cat), "Retire Cat").press("Retire Cat")
    assert '<option value="Cat">' not in client.get(new).content.decode()
    assert "retired" in client.get(f"/c/{session.club.public_id}/players/").content.decode()
    form(page_of(client, cat), "Back in the game").press("Back in the game")
    assert '<option value="Cat">' in client.get(new).content.decode()


# --- Usual stakes -----------------------------------------------------------------------------------------------------


def test_a_new_session_begins_with_the_usual_stakes(session: Session) -> None:
    client, players = host(session), f"/c/{session.club.public_id}/players/"
    ann, bob = named(session, "Ann"), named(session, "Bob")
    stake = {"one": str(bob.pk), "other": str(ann.pk), "stake": "7,50"}
    assert form(client.get(players), "Set it").fill(stake).press().status_code == 302
    assert "7.50 EUR" in client.get(players).content.decode()
    names = {"name-1": "Cat", "name-2": "ANN", "name-3": "Bob"}
    sit_down(client, **names)
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 750}
    sit_down(client, **names, **{"pair-2-3": "1"})
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 100}
    sit_down(client, **names, currency="USD")
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {}
    form(client.get(players), "Drop the stake of Ann and Bob").press()
    assert "7.50 EUR" not in client.get(players).content.decode()


@pytest.mark.parametrize(
    "changed", [{"stake": "1,000"}, {"stake": "-1"}, {"currency": "XXX"}, {"stake": "9" * 30}, {"other": "the same"}]
)
def test_an_invalid_stake_is_refused(session: Session, changed: dict[str, str]) -> None:
    opened = form(host(session).get(f"/c/{session.club.public_id}/players/"), "Set it").fill({"stake": "5"})
    (one,) = opened.fields()["one"]
    before = everything()
    response = opened.forge({name: one if text == "the same" else text for name, text in changed.items()})
    assert response.status_code == 422
    assert everything() == before
    if "stake" in changed:
        again = form(response, "Set it")
        assert {**again.fields(), "csrfmiddlewaretoken": []} == {
            **opened.fields(),
            "csrfmiddlewaretoken": [],
            "stake": [changed["stake"]],
        }
        assert again.fill({"stake": "5"}).press().status_code == 302


# --- Starting one -----------------------------------------------------------------------------------------------------


def test_a_host_may_start_a_new_club_by_whatever_small_buttons(session: Session) -> None:
    opened = evening(host(session)).fill({"club": ""})
    larger = form(opened.press("Add a seat"), "Sit down")
    assert larger.fields()["club"] == [""]
    refused = larger.fill({"name-2": "ann"}).press("Sit down")
    assert refused.status_code == 422
    form(refused, "Sit down").fill({"name-2": "Bob"}).press("Sit down")
    assert Club.objects.count() == 2


@override_settings(ALLOW_NEW_CLUBS="nobody")
def test_a_host_starts_sessions_although_new_clubs_are_forbidden(session: Session) -> None:
    stranger = Client()
    assert "Start a session" not in stranger.get("/").content.decode()
    assert stranger.get("/new/").status_code == 403
    client = host(session)
    opened = evening(client)
    assert "a new one" not in client.get("/new/").content.decode()
    assert opened.by(stranger).press("Sit down").status_code == 403
    assert opened.forge({"club": "", "start": "1"}).status_code == 422
    assert opened.press("Sit down").status_code == 302
    assert Club.objects.count() == 1


@override_settings(ALLOW_NEW_CLUBS="code", NEW_CLUB_CODE="four aces", WRONG_LINKS_PER_TEN_MINUTES=2)
def test_where_it_takes_a_code_only_the_code_will_do(db: None) -> None:
    assert sit_down(Client(), code="four aces").status_code == 302
    for wrong in ("", "Four Aces", "four aces"):  # after two wrong codes the right one is refused, too
        refused = sit_down(Client(), code=wrong)
        assert refused.status_code == 422
        assert form(refused, "Sit down").fields()["code"] == [wrong]
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
    opened = form(client.get(page), "Delete it for good")
    assert opened.forge({"name": ""}).status_code == 422
    for wrong in ("thursdays", "Thursday"):
        assert opened.fill({"name": wrong}).press().status_code == 422
    right = opened.fill({"name": " Thursdays "})
    assert right.by(cast.browsers["scorer"]).press().status_code == 404
    assert right.press()["Location"] == "/"
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
    client, page = cast.browsers["host"], f"/s/{cast.session.public_id}/links/"
    for bad in ("", "x" * 81, "a\x00b", "ü"):
        assert form(client.get(page), "Make the link").forge({"key": bad}).status_code == 400
    made = [form(client.get(page), "Make the link").press().context["address"] for _ in range(2)]
    assert made[0] != made[1]


def test_a_link_for_a_scorer_of_one_seat_is_asked_for_on_one_page(cast: Cast) -> None:
    opened = form(cast.browsers["host"].get(f"/s/{cast.session.public_id}/links/"), "Make the link")
    refused = opened.fill({"seat": "2", "name": "Bob’s phone"}).press()  # but it is still a link to read along
    assert refused.status_code == 422
    again = form(refused, "Make the link")
    assert (again.fields()["seat"], again.fields()["name"]) == (["2"], ["Bob’s phone"])
    assert again.fields()["key"] == opened.fields()["key"]
    made = again.fill({"role": "scorer"}).press()
    assert "enters Bob’s rows" in made.content.decode()
    assert Link.objects.get(name="Bob’s phone").seat == cast.session.seats.get(number=2)
