"""Starting again: as last time, or with changes, with chips and house rules from the first hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoring import club, ledger, reads
from scoring.access.links import Role
from scoring.actions.chips import BuyIn, BuyInAll
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.ledger import audit
from scoring.models import Club, Event, Session
from scoring.rules.houserules import PRESETS, resolve
from tests.access.conftest import browser, host, issue, open_link
from tests.ledger.conftest import act, settle, start, table
from tests.pages import Form, follow, form, labels, text
from tests.views.club.conftest import named
from tests.views.start.test_new_session import evening, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sound() -> Any:
    """After every test here the audit must find nothing."""
    yield
    assert [str(finding) for finding in audit.of_everything()] == []


def changed(client: Client) -> Form:
    """The form behind "With changes" on the start page."""
    return form(follow(client.get("/"), "With changes"), "Start game")


def newest() -> Session:
    return Session.objects.latest("pk")


# --- As last time ---------------------------------------------------------------------------------


def test_a_returning_host_finds_the_same_as_last_time_first(session: Session) -> None:
    act(ChangeTerms, session, stake=250, rules="cardplayer")
    client = host(session)
    opened = client.get("/")
    page = " ".join(opened.content.decode().split())
    assert page.index("Same as last time") < page.index("<h1>")
    assert "Ann, Bob and Cat<br>" in page
    assert "2.50 EUR a point" in page
    again = form(opened, "Same as last time")
    assert again.press()["Location"] == again.press()["Location"] == f"/s/{newest().public_id}/"
    assert Session.objects.count() == 2
    assert (table(newest()).stake, table(newest()).rules) == (250, PRESETS["cardplayer"])


def test_the_stakes_of_pairs_are_named_before_they_are_played_for_again(session: Session) -> None:
    act(ChangeTerms, session, stake=250, pair_stakes=((2, 3, 500),))
    client = host(session)
    said = "2.50 EUR a point, 5.00 between Bob and Cat, Regular"
    assert said in client.get("/").content.decode()
    form(client.get("/"), "Same as last time").press()
    assert said in client.get(f"/s/{newest().public_id}/").content.decode()
    act(ChangeTerms, newest(), stake=0, pair_stakes=())
    assert "for points alone, Regular" in client.get("/").content.decode()


def test_nobody_else_is_offered_to_start_again(session: Session) -> None:
    viewer = browser(issue(session, Role.VIEWER)[1])
    for client in (Client(), viewer):
        assert "Same as last time" not in labels(client.get("/"))


def test_a_host_of_several_clubs_is_offered_the_one_that_played_last(session: Session) -> None:
    other = start("Yan Zoe")
    client = host(session)
    open_link(client, issue(other, Role.HOST)[1])
    assert "Yan and Zoe<br>" in client.get("/").content.decode()


def test_who_bought_chips_last_time_buys_as_many_again(session: Session) -> None:
    act(BuyInAll, session, amount=9000)
    act(ledger.undo, session)
    act(BuyInAll, session, amount=5000)
    act(BuyIn, session, seat=2, amount=2000)
    client = host(session)
    opened = client.get("/")
    for page in (opened, client.get(f"/c/{session.club.public_id}/")):
        assert "chips for 50.00 EUR each" in page.content.decode()
    form(opened, "Same as last time").press()
    assert table(newest()).stacks == {1: 5000, 2: 5000, 3: 5000}
    assert changed(client).fields()["buy_in"] == ["50.00"]


def test_chips_on_credit_are_on_credit_again_whatever_was_bought_later(session: Session) -> None:
    """Nobody may owe nothing because the next evening took their chips for paid."""
    act(BuyInAll, session, amount=2000)
    act(BuyIn, session, seat=2, amount=1000, cash=True)
    act(Join, session, name="Dan", after=3)
    act(BuyIn, session, seat=4, amount=2000, cash=True)
    terms = reads.last_time(session.club)
    assert terms
    assert (terms.buy_in, terms.cash) == (2000, False)
    form(host(session).get("/"), "Same as last time").press()
    assert not table(newest()).cash


@pytest.mark.parametrize(("paid", "cash"), [((1, 2), True), ((1,), False), ((), False)])
def test_chips_are_paid_for_again_if_most_were(session: Session, paid: tuple[int, ...], cash: bool) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=2000, cash=seat in paid)
    terms = reads.last_time(session.club)
    assert terms
    assert (terms.buy_in, terms.cash) == (2000, cash)


# --- With changes ---------------------------------------------------------------------------------


def test_with_changes_the_form_is_filled_with_the_last_session(session: Session) -> None:
    act(ChangeTerms, session, stake=250, pair_stakes=[(1, 3, 1000)], rules="pineapple")
    act(Join, session, name="Dan", after=3)
    act(Leave, session, seat=2)
    fields = changed(host(session)).fields()
    assert [fields[f"name-{n}"] for n in range(1, 5)] == [["Ann"], ["Cat"], ["Dan"], ["Bob"]]
    assert (fields["stake"], fields["currency"], fields["rules"]) == (["2.50"], ["EUR"], ["pineapple"])
    assert (fields["pair-1-2"], fields["pair-1-3"], fields["buy_in"]) == (["10.00"], [""], [""])
    assert fields["button"] == [str(["Ann", "Cat", "Dan", "Bob"].index(table(session).name(table(session).button)) + 1)]
    assert fields["club"] == [session.club.public_id]
    with_clubs, without = (client.get("/new/").content.decode() for client in (host(session), Client()))
    assert "Leave blank to use the stake above, or what the two usually play for in this club." in with_clubs
    assert "Leave blank to use the stake above." in without


def test_one_player_is_changed_and_all_else_stays(session: Session) -> None:
    act(ChangeTerms, session, pair_stakes=[(1, 3, 1000)], rules="cardplayer")
    assert changed(host(session)).fill({"name-2": "Dan"}).press("Start game").status_code == 302
    now = table(newest())
    assert [chair.name for chair in now.chairs] == ["Ann", "Dan", "Cat"]
    assert (dict(now.pair_stakes), now.rules) == ({(1, 3): 1000}, PRESETS["cardplayer"])
    assert newest().club == session.club


def test_house_rules_of_the_table_come_along_rule_by_rule(session: Session) -> None:
    own = resolve({"preset": "pineapple", "scoring": "2-4", "moon": "add"})
    act(ChangeTerms, session, rules=own.as_document())
    client = host(session)
    fields = changed(client).fields()
    assert (fields["rules"], fields["scoring"], fields["moon"]) == (["single"], ["2-4"], ["add"])
    changed(client).press("Start game")
    assert table(newest()).rules == own
    club.save_rules(session.club, "Fridays", own)
    assert changed(client).fields()["rules"] == ["saved:Fridays"]


def test_a_session_is_not_started_by_rules_that_nobody_chose(session: Session) -> None:
    own = resolve({"preset": "pineapple", "scoring": "2-4", "moon": "add"})
    act(ChangeTerms, session, rules=own.as_document())
    club.save_rules(session.club, "Fridays", own)
    opened = changed(host(session))
    club.forget_rules(session.club, "Fridays", [club.rules_seen(each) for each in reads.saved_rules(session.club)])
    refused = opened.press("Start game")
    assert refused.status_code == 422
    assert "The house rules “Fridays” were deleted meanwhile." in refused.content.decode()
    with pytest.raises(AssertionError, match=r"rules is required, so a browser does not send the form"):
        form(refused, "Start game").press("Start game")


def test_a_table_that_was_full_and_changed_has_as_many_seats_as_the_form(db: None) -> None:
    session = start(" ".join(f"P{n}" for n in range(1, 9)), rules="double-deck")
    act(Leave, session, seat=1)
    act(Join, session, name="P9", after=8)
    fields = changed(host(session)).fields()
    assert {f"name-{n}" for n in range(1, 9)} <= set(fields)
    assert "name-9" not in fields
    assert ["P9"] in fields.values()


def test_who_has_retired_is_not_in_it(session: Session) -> None:
    club.retire(named(session, "Bob"))
    fields = changed(host(session)).fields()
    assert [fields[f"name-{n}"] for n in (1, 2)] == [["Ann"], ["Cat"]]


# --- Chips and house rules ------------------------------------------------------------------------


def test_everyone_begins_with_chips_once(client: Client) -> None:
    opened = evening(client, buy_in="50,00")
    for _ in range(2):
        assert opened.press("Start game").status_code == 302
    assert table(newest()).stacks == {1: 5000, 2: 5000, 3: 5000}
    assert list(Event.objects.order_by("n").values_list("verb", flat=True)) == ["start", "buy-in-all"]


@pytest.mark.parametrize("typed", ["x", "1,000", "9" * 17])
def test_chips_that_cannot_be_are_refused_in_place(client: Client, typed: str) -> None:
    refused = sit_down(client, buy_in=typed)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert 'id="buy_in-wrong"' in page
    assert not Session.objects.exists()
    assert form(refused, "Start game").fill({"buy_in": "0"}).press("Start game").status_code == 302
    assert table(newest()).stacks is None


def test_single_rules_are_changed_on_the_form(client: Client) -> None:
    opened = form(evening(client, rules="pineapple").press("Change single rules"), "Start game")
    fields = opened.fields()
    assert (fields["rules"], fields["game"], fields["name-1"]) == (["single"], ["pineapple"], ["Ann"])
    moved = form(opened.fill({"scoring": "1-4"}).press("Add a seat"), "Start game")
    assert moved.fields()["scoring"] == ["1-4"]
    assert form(moved.press("Change single rules"), "Start game").fields()["scoring"] == ["1-4"]
    moved.press("Start game")
    assert table(newest()).rules == resolve({"preset": "pineapple", "scoring": "1-4"})


def test_rules_that_cannot_be_played_are_refused_in_place(client: Client) -> None:
    opened = form(evening(client).press("Change single rules"), "Start game")
    refused = opened.fill({"moon_points": "many"}).press("Start game")
    page = refused.content.decode()
    assert refused.status_code == 422
    assert 'class="error"' in page[page.index('id="moon_points-wrong"') :]
    assert "These rules cannot be played" in page
    assert not Session.objects.exists()
    assert form(refused, "Start game").fill({"moon_points": "20"}).press("Start game").status_code == 302


def test_single_rules_that_are_not_chosen_change_nothing(client: Client) -> None:
    opened = form(evening(client).press("Change single rules"), "Start game")
    opened.fill({"scoring": "1-4", "moon_points": "many", "rules": "bga"}).press("Start game")
    assert table(newest()).rules == PRESETS["bga"]


def test_rules_one_by_one_cannot_be_chosen_without_their_fields(client: Client) -> None:
    assert evening(client).forge({"start": "1", "rules": "single"}).status_code == 422


def test_a_new_club_is_named_at_the_start(client: Client) -> None:
    opened = evening(client, club_name="Friday game")
    opened.press("Start game")
    found = Club.objects.get()
    assert found.name == "Friday game"
    club.rename(found, "Saturday game")
    opened.press("Start game")
    assert Club.objects.get().name == "Saturday game"
    assert evening(Client()).forge({"start": "1", "club_name": "x" * 81}).status_code == 422


def test_last_time_is_read_in_few_statements(session: Session, django_assert_max_num_queries: Any) -> None:
    act(BuyInAll, session, amount=5000)
    with django_assert_max_num_queries(5):
        assert reads.last_time(session.club, everybody=True)


# --- What has changed since the form was opened -----------------------------------------------------------------------

RENAMED = "Players were renamed, merged or archived since this page was opened. Check the names."
STARTED = "A session was started in this club since this page was opened."


def late_form(opened: Form) -> tuple[str, Form]:
    """What the answer to a form says that came too late, and the form as it stands there."""
    count = Session.objects.count()
    answer = opened.press("Start game")
    assert (answer.status_code, Session.objects.count()) == (409, count)
    return text(answer), form(answer, "Start game")


def test_all_that_another_host_has_changed_is_told_at_once(session: Session) -> None:
    """Or the next press would start a second session, because that page has seen everything."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    opened = changed(host(session)).fill({"settle": True, "name-3": "Zed"})
    club.rename_player(named(session, "Ann"), "Anna")
    start("Anna Bob", club=session.club)
    club.pay_tab_among(
        session.club, club.open_among(session.club, ["Anna", "Bob"]), note="", key="elsewhere", by="Host"
    )
    said, again = late_form(opened)
    assert RENAMED in said
    assert "New to the club would be: Ann and Zed." in said
    assert STARTED in said
    assert "Nothing is open on the tab among these players any more" in said
    assert again.press("Start game").status_code == 302  # they have seen all of it


def usual(session: Session, stake: int | None) -> None:
    """Another host says what Ann and Bob usually play for, in cents."""
    club.set_usual_stake(named(session, "Ann"), named(session, "Bob"), currency="EUR", minor_digits=2, stake=stake)


@pytest.mark.parametrize(("before", "since"), [(500, 5000), (None, 5000), (500, None)])
def test_a_usual_stake_that_was_changed_meanwhile_is_told(
    session: Session, before: int | None, since: int | None
) -> None:
    usual(session, before)
    opened = changed(host(session))
    usual(session, since)
    said, again = late_form(opened)
    assert "What Ann and Bob usually play for was changed since this page was opened." in said
    assert again.press("Start game").status_code == 302
    assert dict(table(newest()).pair_stakes) == ({(1, 2): since} if since else {})


def test_a_usual_stake_is_told_once_the_form_has_the_name_that_its_player_has_by_now(session: Session) -> None:
    usual(session, 500)
    opened = changed(host(session))
    club.rename_player(named(session, "Bob"), "Bobby")
    bobby = named(session, "Bobby")
    club.set_usual_stake(named(session, "Ann"), bobby, currency="EUR", minor_digits=2, stake=5000)
    said, again = late_form(opened)
    assert "usually play for was changed" not in said
    said, again = late_form(again.fill({"name-2": "Bobby"}))
    assert "What Ann and Bobby usually play for was changed since this page was opened." in said
    assert again.press("Start game").status_code == 302


def test_the_same_as_last_time_says_what_it_would_be_after_another_session_was_started(session: Session) -> None:
    opened = form(host(session).get("/"), "Same as last time")
    start("Ann Bob", club=session.club, stake=2000)
    refused = opened.press()
    assert refused.status_code == 409
    assert STARTED in text(refused)
    assert "The next one would be: Ann and Bob, 20.00 EUR a point" in text(refused)


def test_a_usual_stake_is_told_beside_saved_rules_that_were_changed_as_well(session: Session) -> None:
    saved = club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    opened = changed(host(session)).fill({"rules": "saved:Fridays"})
    club.save_rules(session.club, "Fridays", resolve({"scoring": "1-4"}), [club.rules_seen(saved)])
    usual(session, 500)
    said, _ = late_form(opened)
    assert "Other rules were saved as “Fridays” since this page was opened." in said
    assert "What Ann and Bob usually play for was changed since this page was opened." in said


def test_a_usual_stake_that_does_not_count_here_disturbs_nobody(session: Session) -> None:
    usual(session, 500)
    opened = changed(host(session)).fill({"pair-1-2": "3"})
    without_bob = changed(host(session)).fill({"name-2": ""})
    usual(session, 5000)
    assert without_bob.press("Start game").status_code == 302
    club.set_usual_stake(named(session, "Ann"), named(session, "Bob"), currency="USD", minor_digits=2, stake=100)
    late = changed(host(session)).fill({"pair-1-2": "3"})
    assert late.press("Start game").status_code == 302
    assert "usually play for was changed" not in text(opened.press("Start game"))


def test_what_two_usually_play_for_stands_in_their_field(session: Session) -> None:
    usual(session, 500)
    shown = host(session).get(f"/new/?club={session.club.public_id}").content.decode()
    field = shown[shown.index('id="pair-1-2"') :]
    assert 'placeholder="5.00"' in field[: field.index(">")]
    other = shown[shown.index('id="pair-1-3"') :]
    assert 'placeholder="1.00" data-blank="stake"' in other[: other.index(">")]


@pytest.mark.parametrize("place", ["/", "club"])
def test_the_same_as_last_time_is_not_started_on_terms_that_its_page_did_not_show(session: Session, place: str) -> None:
    client = host(session)
    where = f"/c/{session.club.public_id}/" if place == "club" else place
    opened = form(client.get(where), "Same as last time")
    act(ChangeTerms, session, stake=700, rules="cardplayer")
    act(Leave, session, seat=3)
    refused = opened.press()
    assert (refused.status_code, Session.objects.count()) == (409, 1)
    assert "The last session was changed since this page was opened." in text(refused)
    assert "The next one would be: Ann and Bob, 7.00 EUR a point" in text(refused)
    again = form(refused, "Same as last time")
    assert again.press()["Location"] == again.press()["Location"] == f"/s/{newest().public_id}/"


def test_a_hand_that_was_played_meanwhile_changes_nothing_of_last_time(session: Session) -> None:
    opened = form(host(session).get("/"), "Same as last time")
    settle(session)
    assert opened.press().status_code == 302


@pytest.mark.parametrize("back", ["to and fro", "at once", "with a wrong stake"])
def test_a_form_knows_what_was_so_in_each_club_that_it_offers(session: Session, back: str) -> None:
    client, other = host(session), start("Dan Eve")
    open_link(client, issue(other, Role.HOST)[1])
    first = other if back == "at once" else session
    opened = form(client.get("/new/", {"club": first.club.public_id}), "Start game")
    opened.fill({"name-1": "Ann", "name-2": "Bob"})
    club.rename_player(named(session, "Ann"), "Anna")
    start("Anna Bob", club=session.club)
    if back == "to and fro":
        opened = form(opened.fill({"club": other.club.public_id}).press("Add a seat"), "Start game")
        opened = form(opened.fill({"club": session.club.public_id}).press("Show names"), "Start game")
    elif back == "with a wrong stake":
        opened.fill({"club": other.club.public_id, "stake": "x"})
        opened = form(opened.press("Start game"), "Start game").fill({"stake": "1"})
    said, again = late_form(opened.fill({"club": session.club.public_id}))
    assert RENAMED in said
    assert STARTED in said
    assert again.fill({"name-1": "Anna"}).press("Start game").status_code == 302


@pytest.mark.parametrize("button", ["Add a seat", "Start game"])
def test_a_choice_that_is_gone_is_told_at_once(session: Session, button: str) -> None:
    """Whatever answers next, be it a small button or a mistyped stake: the page after it no longer has the choice."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    saved = club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    opened = changed(host(session)).fill({"settle": True, "rules": "saved:Fridays", "stake": "x"})
    due = club.open_among(session.club, ["Ann", "Bob"])
    club.pay_tab_among(session.club, due, note="", key="elsewhere", by="Host")
    club.forget_rules(session.club, "Fridays", [club.rules_seen(saved)])
    answer = opened.press(button)
    assert answer.status_code == (200 if button == "Add a seat" else 422)
    assert text(answer).count("Nothing is open on the tab among these players any more") == 1
    assert text(answer).count("The house rules “Fridays” were deleted meanwhile.") == 1


def test_rules_that_are_gone_are_not_changed_one_by_one_unseen(session: Session) -> None:
    saved = club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    opened = changed(host(session)).fill({"rules": "saved:Fridays"})
    club.forget_rules(session.club, "Fridays", [club.rules_seen(saved)])
    assert "The house rules “Fridays” were deleted meanwhile." in text(opened.press("Change single rules"))


def test_saved_rules_that_were_changed_meanwhile_are_not_played_unseen(session: Session) -> None:
    saved = club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    opened = changed(host(session)).fill({"rules": "saved:Fridays"})
    club.save_rules(session.club, "Fridays", resolve({"scoring": "1-4"}), [club.rules_seen(saved)])
    said, again = late_form(opened)
    assert "Other rules were saved as “Fridays” since this page was opened." in said
    assert again.press("Start game").status_code == 302
    assert table(newest()).rules.scoring == resolve({"scoring": "1-4"}).scoring


def test_a_form_that_is_sent_again_after_a_change_leads_to_its_session(session: Session) -> None:
    opened = changed(host(session))
    first = opened.press("Start game")["Location"]
    club.rename_player(named(session, "Ann"), "Anna")
    assert opened.press("Start game")["Location"] == first
