"""The club's people, and the usual stakes between them. The ledger stays as it is."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoring import club, ledger, reads
from scoring.actions.people import Join, Leave
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.models import Player, Seat, Session, Total
from tests.access.conftest import everything, host
from tests.ledger.conftest import act, settle, start, table
from tests.pages import Form, form, labels, read, text
from tests.views.club.conftest import named
from tests.views.start.test_new_session import sit_down

pytestmark = pytest.mark.django_db


def page_of(client: Client, player: Player) -> Any:
    """The page of one of the club's players."""
    return client.get(f"/c/{player.club.public_id}/players/{player.pk}/")


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
    [("bob", "There is another bob"), ("Bank", "“Bank” is reserved – use a different name.")],
)
def test_a_name_that_is_taken_is_refused(session: Session, name: str, says: str) -> None:
    assert_refused(session, renaming(session).fill({"name": name}).press(), name, says)


@pytest.mark.parametrize(("name", "says"), [("", "Every player needs a name."), ("x" * 41, "Names can be up to 40")])
def test_a_name_that_the_field_does_not_take_is_refused(session: Session, name: str, says: str) -> None:
    assert_refused(session, renaming(session).forge({"name": name}), name, says)


def renaming(session: Session) -> Form:
    return form(page_of(host(session), named(session, "Ann")), "Rename player")


def assert_refused(session: Session, response: Any, name: str, says: str) -> None:
    assert response.status_code == 422
    assert says in response.content.decode()
    assert named(session, "Ann").name == "Ann"
    again = form(response, "Rename player")
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
    settle(second, Entry(points=((1, 2, 3),)))
    act(ledger.close_session, second)
    ann, anna = named(session, "Ann"), named(session, "Anna")
    club.set_usual_stake(anna, named(session, "Bob"), currency="EUR", minor_digits=2, stake=700)
    before = {line.player: line for line in reads.standings(session.club)}
    merging = form(page_of(host(session), anna), "Merge players")
    response = merging.fill({"into": str(ann.pk)}).press()
    assert response.status_code == 302
    after = {line.player: line for line in reads.standings(session.club)}
    assert set(after) == {"Ann", "Bob", "Cat"}
    assert after["Ann"].money == before["Ann"].money + before["Anna"].money
    assert (after["Ann"].sessions, after["Ann"].points) == (2, before["Ann"].points + 3)
    assert Total.objects.filter(player=ann).count() == 2
    assert reads.stakes_among(session.club, "EUR", 2, ["Ann", "Bob"]) == [(1, 2, 700)]


def test_what_cannot_be_merged_is_shown_before_it_is_deleted(session: Session) -> None:
    start("Anna Bob Dan", club=session.club)
    ann, anna, bob, cat, dan = (named(session, name) for name in ("Ann", "Anna", "Bob", "Cat", "Dan"))
    for one, other, stake in ((ann, bob, 500), (anna, bob, 700), (ann, cat, 300), (anna, cat, 300), (anna, ann, 200)):
        club.set_usual_stake(one, other, currency="EUR", minor_digits=2, stake=stake)
    club.set_usual_stake(anna, dan, currency="EUR", minor_digits=2, stake=900)
    club.add_pay_address(ann, "paypal", "ann1")
    club.add_pay_address(anna, "paypal", "anna2")
    asked = form(page_of(host(session), anna), "Merge players").fill({"into": str(ann.pk)}).press()
    assert_late(asked, "Not everything can be kept. See below what would be deleted.")
    assert read(asked).xpath("//strong[contains(., 'deletes')]/../following-sibling::ul[1]/li/text()") == [
        "PayPal.me: anna2",
        "Ann and Anna: 2.00 EUR",
        "Bob and Anna: 7.00 EUR",
    ]
    assert Player.objects.filter(pk=anna.pk).exists()
    club.set_usual_stake(anna, bob, currency="EUR", minor_digits=2, stake=800)
    moved = form(asked, "Merge players").press()
    assert_late(moved, "See below what would be deleted.")
    assert "Bob and Anna: 8.00 EUR" in text(moved)
    assert form(moved, "Merge players").press().status_code == 302
    assert [(each.value, each.player) for each in club.pay_addresses(ann)] == [("ann1", ann)]
    assert {(each.low, each.high): each.stake for each in club.usual_stakes(session.club)} == {
        (ann, bob): 500,
        (ann, cat): 300,
        (ann, dan): 900,
    }


@pytest.mark.parametrize("other", ["Bob", "Rob"])
def test_names_that_were_changed_meanwhile_make_no_new_players(session: Session, other: str) -> None:
    """A form for a new session lies open while another host renames Bob, or merges Bob into Rob."""
    start("Rob Dan Zoe", club=session.club)
    client, bob = host(session), named(session, "Bob")
    opened = client.get("/new/", {"club": session.club.public_id})
    if other == "Bob":
        club.rename_player(bob, "Robert")
    else:
        club.merge(bob, named(session, "Rob"))
    late = form(opened, "Start game").fill({"name-1": "Ann", "name-2": "Bob", "name-3": "Eve"}).press("Start game")
    assert_late(late, "New to the club would be: Bob and Eve.")
    assert not Player.objects.filter(name__in=["Bob", "Eve"]).exists()
    again = form(late, "Start game").fill({"name-2": "Robert" if other == "Bob" else "Rob"}).press("Start game")
    assert again.status_code == 302
    assert {each.name for each in reads.roster(session.club)} == {"Ann", "Cat", "Dan", "Eve", "Zoe"} | {
        "Robert" if other == "Bob" else "Rob",
        *(["Rob"] if other == "Bob" else []),
    }


@pytest.mark.parametrize("where", ["new session", "new player"])
def test_a_name_that_is_somebody_elses_by_now_seats_nobody_unseen(session: Session, where: str) -> None:
    """Bob is called Bobby meanwhile, and Ann is called Bob."""
    start("Rob Dan", club=session.club)
    client, elsewhere = host(session), start("Eve Fay", club=session.club)
    at = {"new session": f"/new/?club={session.club.public_id}", "new player": f"/s/{elsewhere.public_id}/people/"}[
        where
    ]
    button, field = {"new session": ("Start game", "name-2"), "new player": ("Add player", "name")}[where]
    opened = form(client.get(at), button).fill({field: "Bob"})
    club.rename_player(named(session, "Bob"), "Bobby")
    club.rename_player(named(session, "Ann"), "Bob")
    late = opened.press(button)
    assert_late(late, "Players were renamed, merged or archived since this page was opened. Check the names.")
    assert "New to the club" not in text(late)
    assert not Seat.objects.exclude(session=session).filter(player=named(session, "Bob")).exists()
    again = form(late, button)
    assert again.fields()[field] == ["Bob"]
    assert again.fill({field: "Bobby"}).press(button).status_code == 302
    assert Seat.objects.exclude(session=session).get(name="Bobby").player == named(session, "Bobby")


@pytest.mark.parametrize("meanwhile", ["renamed", "archived", "merged"])
def test_two_who_are_others_by_now_are_not_merged_unseen(session: Session, meanwhile: str) -> None:
    start("Rob Dan", club=session.club)
    start("Robert Eve", club=session.club)
    bob, rob, client = named(session, "Bob"), named(session, "Rob"), host(session)
    merging = form(page_of(client, rob), "Merge players").fill({"into": str(bob.pk)})
    if meanwhile == "renamed":
        club.rename_player(bob, "Bobby")
    elif meanwhile == "archived":
        club.retire(bob)
    else:
        club.merge(named(session, "Robert"), rob)
    late = merging.press()
    assert_late(late, "Players were renamed, merged or archived since this page was opened. Check the names.")
    assert Player.objects.filter(pk=rob.pk).exists()
    assert form(late, "Merge players").press().status_code == 302
    assert not Player.objects.filter(pk=rob.pk).exists()


def test_newcomers_do_not_make_a_form_for_a_new_session_late(session: Session) -> None:
    opened = form(host(session).get("/new/", {"club": session.club.public_id}), "Start game")
    act(Join, session, name="Zoe")
    assert opened.fill({"name-1": "Ann", "name-2": "Eve"}).press("Start game").status_code == 302
    assert named(session, "Eve").pk


def test_a_name_that_was_changed_meanwhile_joins_as_no_new_player(session: Session) -> None:
    start("Rob Dan", club=session.club)
    joining = form(host(session).get(f"/s/{session.public_id}/people/"), "Add player").fill({"name": "Rob"})
    club.rename_player(named(session, "Rob"), "Robert")
    late = joining.press()
    assert_late(late, "New to the club would be: Rob.")
    assert not Player.objects.filter(name="Rob").exists()
    again = form(late, "Add player")
    assert again.fields()["name"] == ["Rob"]
    assert again.fill({"name": "Robert"}).press().status_code == 302
    assert Seat.objects.get(session=session, name="Robert").player == named(session, "Robert")


def test_a_newcomer_who_has_joined_is_not_late_if_the_form_is_sent_again_after_a_rename(session: Session) -> None:
    joining = form(host(session).get(f"/s/{session.public_id}/people/"), "Add player").fill({"name": "Eve"})
    assert joining.press().status_code == 302
    club.rename_player(named(session, "Ann"), "Anna")
    assert joining.press().status_code == 302
    assert Seat.objects.filter(session=session, name="Eve").count() == 1


def test_two_players_of_one_table_are_not_merged(session: Session) -> None:
    ann, bob = named(session, "Ann"), named(session, "Bob")
    response = form(page_of(host(session), ann), "Merge players").fill({"into": str(bob.pk)}).press()
    assert response.status_code == 422
    assert "they are two people" in response.content.decode()
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, ann)
    with pytest.raises(LedgerError, match="two different players"):
        club.merge(ann, named(start("Eve Dan"), "Eve"))


def test_nobody_is_put_together_with_a_person_whom_the_host_did_not_choose(session: Session) -> None:
    """It cannot be taken apart again, so neither a fresh page nor one after a refusal chooses for the host."""
    fresh = page_of(host(session), named(session, "Ann"))
    nobody = form(fresh, "Merge players").forge({"into": ""})
    assert nobody.status_code == 422
    assert "Choose a player." in nobody.content.decode()
    assert form(fresh, "Merge players").fields()["into"] == [""]
    cat = str(named(session, "Cat").pk)
    refused = form(fresh, "Merge players").fill({"into": cat}).press()
    assert refused.status_code == 422
    assert form(refused, "Merge players").fields()["into"] == [cat]


def test_a_renamed_player_and_a_newcomer_with_the_old_name_stay_apart(session: Session) -> None:
    act(Leave, session, seat=2)
    club.rename_player(named(session, "Bob"), "Robert")
    with pytest.raises(LedgerError, match="use a different name"):
        act(Join, session, name="Bob")
    assert act(Join, session, name="Robert").number == 2


def test_a_retired_player_is_not_offered_a_seat_until_they_return(session: Session) -> None:
    client, cat = host(session), named(session, "Cat")
    new = f"/new/?club={session.club.public_id}"
    assert '<option value="Cat">' in client.get(new).content.decode()
    form(page_of(client, cat), "Archive Cat").press("Archive Cat")
    assert '<option value="Cat">' not in client.get(new).content.decode()
    assert "archived" in client.get(f"/c/{session.club.public_id}/players/").content.decode()
    form(page_of(client, cat), "Restore Cat").press("Restore Cat")
    assert '<option value="Cat">' in client.get(new).content.decode()


# --- Usual stakes -----------------------------------------------------------------------------------------------------


def test_a_new_session_begins_with_the_usual_stakes(session: Session) -> None:
    client, players = host(session), f"/c/{session.club.public_id}/players/"
    ann, bob = named(session, "Ann"), named(session, "Bob")
    stake = {"one": str(bob.pk), "other": str(ann.pk), "stake": "7,50"}
    assert form(client.get(players), "Save stake").fill(stake).press().status_code == 302
    assert "7.50 EUR" in client.get(players).content.decode()
    names = {"name-1": "Cat", "name-2": "ANN", "name-3": "Bob"}
    sit_down(client, **names)
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 750}
    sit_down(client, **names, **{"pair-2-3": "1"})
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {(2, 3): 100}
    sit_down(client, **names, currency="USD")
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {}
    form(client.get(players), "Delete the stake of Ann and Bob").press()
    assert "7.50 EUR" not in client.get(players).content.decode()


@pytest.mark.parametrize("wish", ["another", "none"])
def test_a_usual_stake_is_not_set_over_one_that_was_set_meanwhile(session: Session, wish: str) -> None:
    client, players = host(session), f"/c/{session.club.public_id}/players/"
    pair = named(session, "Ann"), named(session, "Bob")
    club.set_usual_stake(*pair, currency="EUR", minor_digits=2, stake=500)
    shown = client.get(players)
    stale = form(shown, "Delete the stake of Ann and Bob")
    if wish == "another":
        stale = form(shown, "Save stake").fill({"one": str(pair[0].pk), "other": str(pair[1].pk), "stake": "7"})
    club.set_usual_stake(*pair, currency="EUR", minor_digits=2, stake=900)
    late = stale.press()
    assert_late(late, "This stake was changed since this page was opened.")
    assert [each.stake for each in club.usual_stakes(session.club)] == [900]
    again = form(late, "Save stake" if wish == "another" else "Delete the stake of Ann and Bob").press()
    assert again.status_code == 302
    assert [each.stake for each in club.usual_stakes(session.club)] == ([700] if wish == "another" else [])


def exchange(one: Player, other: Player) -> None:
    """Two players get each other's names, as if a mix-up was put right."""
    names = one.name, other.name
    for player, name in ((one, "Tmp"), (other, names[0]), (one, names[1])):
        club.rename_player(player, name)


@pytest.mark.parametrize(
    ("where", "button", "wish"),
    [
        ("player", "Archive Bob", {}),
        ("player", "Add address", {"kind": "paypal", "value": "Bob"}),
        ("player", "Remove PayPal.me", {}),
        ("roster", "Save stake", {"stake": "9"}),
        ("roster", "Delete the stake of Ann and Bob", {}),
    ],
)
def test_a_form_is_late_if_the_name_on_its_page_is_another_players_by_now(
    session: Session, where: str, button: str, wish: dict[str, str]
) -> None:
    ann, bob, cat, client = *(named(session, name) for name in ("Ann", "Bob", "Cat")), host(session)
    club.set_usual_stake(ann, bob, currency="EUR", minor_digits=2, stake=500)
    club.set_usual_stake(ann, cat, currency="EUR", minor_digits=2, stake=600)
    if button.startswith("Remove"):
        club.add_pay_address(bob, "paypal", "Bob")
    shown = page_of(client, bob) if where == "player" else client.get(f"/c/{session.club.public_id}/players/")
    pressed = form(shown, button).fill(wish)
    exchange(bob, cat)
    before = everything()
    late = pressed.press(button)
    assert_late(late, "Players were renamed, merged or archived since this page was opened. Check the names.")
    assert everything() == before
    again = button.replace("Bob", "Cat")
    assert again in labels(late)
    assert form(late, again).press(again).status_code == 302


@pytest.mark.parametrize("button", ["Archive Rob", "Restore Rob", "Merge players"])
def test_a_form_of_a_player_that_is_sent_twice_acts_once(session: Session, button: str) -> None:
    start("Rob Dan", club=session.club)
    rob, client = named(session, "Rob"), host(session)
    club.retire(rob, retired=button.startswith("Restore"))
    pressed = form(page_of(client, rob), button)
    pressed = pressed.fill({"into": str(named(session, "Bob").pk)}) if button.startswith("Merge") else pressed
    assert pressed.press(button).status_code == 302
    before = everything()
    assert pressed.press(button).status_code == 302
    assert everything() == before


def test_a_usual_stake_of_a_player_who_was_merged_meanwhile_is_late(session: Session) -> None:
    start("Rob Dan", club=session.club)
    bob, rob = named(session, "Bob"), named(session, "Rob")
    saving = form(host(session).get(f"/c/{session.club.public_id}/players/"), "Save stake")
    saving = saving.fill({"one": str(rob.pk), "other": str(named(session, "Ann").pk), "stake": "9"})
    club.merge(rob, bob)
    assert_late(saving.press(), "Players were renamed, merged or archived since this page was opened. Check the names.")
    assert not club.usual_stakes(session.club).exists()


def test_a_usual_stake_counts_only_in_the_currency_of_its_digits(session: Session) -> None:
    """Of a currency that had no decimals when the stake was set, 7 is 7; in one that has two it would be 0.07."""
    ann, bob = named(session, "Ann"), named(session, "Bob")
    club.set_usual_stake(ann, bob, currency="EUR", minor_digits=0, stake=7)
    sit_down(host(session), **{"name-1": "Ann", "name-2": "Bob"})
    assert dict(table(Session.objects.latest("pk")).pair_stakes) == {}


@pytest.mark.parametrize(
    "changed", [{"stake": "1,000"}, {"stake": "-1"}, {"currency": "XXX"}, {"stake": "9" * 30}, {"other": "the same"}]
)
def test_an_invalid_stake_is_refused(session: Session, changed: dict[str, str]) -> None:
    opened = form(host(session).get(f"/c/{session.club.public_id}/players/"), "Save stake").fill({"stake": "5"})
    (one,) = opened.fields()["one"]
    before = everything()
    if "currency" in changed:
        response = opened.forge(dict(changed))
    else:
        opened.fill({name: one if text == "the same" else text for name, text in changed.items()})
        response = opened.press()
    assert response.status_code == 422
    assert everything() == before
    if "stake" in changed:
        again = form(response, "Save stake")
        assert {**again.fields(), "csrfmiddlewaretoken": []} == {
            **opened.fields(),
            "csrfmiddlewaretoken": [],
            "stake": [changed["stake"]],
        }
        assert again.fill({"stake": "5"}).press().status_code == 302


def test_who_was_put_together_elsewhere_is_no_dead_end(session: Session) -> None:
    """Two hosts look at Anna. The one puts Anna together with Ann, the other renames Anna."""
    start("Anna Eve", club=session.club)
    anna, ann, client = named(session, "Anna"), named(session, "Ann"), host(session)
    stale = page_of(client, anna)
    club.merge(anna, ann)
    late = form(stale, "Rename player").fill({"name": "Annabel"}).press()
    assert late.status_code == 409
    shown = late.content.decode()
    assert "This player has been put together with Ann meanwhile. Nothing was changed." in shown
    assert form(late, "Rename player").fields()["name"] == ["Annabel"]
    assert named(session, "Ann").pk == ann.pk
    assert page_of(client, Player(pk=anna.pk, club=session.club))["Location"].endswith(f"/players/{ann.pk}/")
    elsewhere = start("Eve Dan")
    for number in (anna.pk, 2**63):
        assert page_of(host(elsewhere), Player(pk=number, club=elsewhere.club)).status_code == 404


def test_a_name_is_not_given_over_one_that_was_given_meanwhile(session: Session) -> None:
    """Two hosts look at Ann. The one calls them Anna, the other Anne."""
    stale = renaming(session).fill({"name": "Anne"})
    club.rename_player(named(session, "Ann"), "Anna")
    late = stale.press()
    assert_late(late, "The name was changed since this page was opened.")
    assert [each.name for each in reads.roster(session.club)] == ["Anna", "Bob", "Cat"]
    again = form(late, "Rename player")
    assert again.fields()["name"] == ["Anne"]
    assert again.press().status_code == 302
    assert [each.name for each in reads.roster(session.club)] == ["Anne", "Bob", "Cat"]


def test_the_same_name_from_two_hosts_is_one(session: Session) -> None:
    stale = renaming(session).fill({"name": "Anna"})
    club.rename_player(named(session, "Ann"), "Anna")
    assert stale.press().status_code == 302


def test_two_who_were_put_together_meanwhile_the_other_way_round_are_one_already(session: Session) -> None:
    start("Anna Eve", club=session.club)
    anna, ann, client = named(session, "Anna"), named(session, "Ann"), host(session)
    merging = form(page_of(client, ann), "Merge players").fill({"into": str(anna.pk)})
    stake = form(client.get(f"/c/{session.club.public_id}/players/"), "Save stake")
    stake.fill({"one": str(ann.pk), "other": str(anna.pk), "stake": "5"})
    club.merge(anna, ann)
    for late in (merging.press(), stake.press()):
        assert_late(late, "Both names are one player now. Nothing was changed.")
    assert form(late, "Save stake").fields()["stake"] == ["5"]
    assert not club.usual_stakes(session.club)


def assert_late(response: Any, why: str) -> None:
    assert response.status_code == 409
    shown = response.content.decode()
    assert "Not saved" in shown
    assert why in shown


def test_into_whom_was_put_together_elsewhere_leads_to_who_they_are_now(session: Session) -> None:
    start("Anna Eve", club=session.club)
    start("Anne Dan", club=session.club)
    anna, anne, client = named(session, "Anna"), named(session, "Anne"), host(session)
    merging = form(page_of(client, anne), "Merge players").fill({"into": str(anna.pk)})
    club.merge(anna, named(session, "Ann"))
    late = merging.press()
    assert_late(late, "Players were renamed, merged or archived since this page was opened. Check the names.")
    assert Player.objects.filter(pk=anne.pk).exists()
    again = form(late, "Merge players")
    assert again.fields()["into"] == [""]  # nobody has that name any more, so nobody is chosen for the host
    assert again.fill({"into": str(named(session, "Ann").pk)}).press().status_code == 302
    assert not Player.objects.filter(pk=anne.pk).exists()
    assert named(session, "Ann").merged.count() == 2
