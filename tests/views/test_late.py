"""A form that came too late is brought up to date: sent again, it takes nobody's change back unawares."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client

from scoring import club, ledger, reads
from scoring.actions.chips import BuyInAll
from scoring.actions.people import SitOut
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.models import Session
from scoring.rules.houserules import resolve
from tests.ledger.conftest import act, settle, start, table
from tests.pages import Form, follow, form, read, text

pytestmark = pytest.mark.django_db


def late_and_again(sent: Form, session: Session, button: str) -> tuple[str, Form]:
    """What the answer to a form says that came too late, and the form as it stands there now."""
    answer = sent.press(button)
    assert answer.status_code == 409
    session.refresh_from_db()
    return " ".join(read(answer).text_content().split()), form(answer, button)


def test_stakes_of_another_host_outlive_a_form_that_did_not_touch_them(client: Client) -> None:
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/stakes/"), "Save stakes").fill({"stake": "2", "pair-2-3": "5"})
    act(ChangeTerms, session, stake=100, pair_stakes=[(1, 3, 700), (2, 3, 300)])
    said, again = late_and_again(opened, session, "Save stakes")
    assert "The table was changed since this page was opened." in said
    assert "Your changes are still here; everything else is as it is now." in said
    assert "This was changed as well: Bob and Cat: 3.00. What you typed is below and would replace it." in said
    assert again.press("Save stakes").status_code == 302
    now = table(session)
    assert (now.stake, now.pair_stakes) == (200, {(1, 3): 700, (2, 3): 500})


def test_an_amount_that_both_have_typed_is_no_difference(client: Client) -> None:
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/stakes/"), "Save stakes").fill({"stake": "2"})
    act(ChangeTerms, session, stake=200, pair_stakes=[(1, 3, 700)])
    said, _again = late_and_again(opened, session, "Save stakes")
    assert "This was changed as well" not in said


@pytest.mark.parametrize(
    ("path", "button", "wrong", "right"),
    [
        ("stakes/", "Save stakes", {"stake": "abc"}, {"stake": "2"}),
        ("rules/edit/", "Save rules", {"moon_points": "abc"}, {"moon_points": "3"}),
        ("next/", "Save button and Fantasyland", {"note": " ", "button": "3"}, {"note": "The dealer erred"}),
    ],
)
def test_what_is_wrong_and_late_takes_nobodys_change_back_either(
    client: Client, path: str, button: str, wrong: dict[str, Any], right: dict[str, Any]
) -> None:
    """The answer to what is wrong says nothing of what else has happened, so the form is late when it is sent again."""
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/{path}"), button).fill(wrong)
    act(ChangeTerms, session, stake=100, pair_stakes=[(1, 3, 700)])
    act(ChangeTerms, session, rules={**session.rules, "scoring": "2-4"})
    act(SetNext, session, button=2, fantasyland={1: 13}, note="Promised")
    refused = opened.press(button)
    assert refused.status_code == 422
    assert "was changed since" not in refused.content.decode()
    _said, again = late_and_again(form(refused, button).fill(right), session, button)
    assert again.press(button).status_code == 302
    now = table(session)
    assert (now.pair_stakes, now.rules.scoring, now.fantasyland) == ({(1, 3): 700}, "2-4", {1: 13})
    assert now.button == (3 if path == "next/" else 2)


def test_house_rules_of_another_host_outlive_a_form_that_did_not_touch_them(client: Client) -> None:
    session = start()
    page = client.get(f"/s/{session.public_id}/rules/edit/")
    mine = form(page, "Save rules").fill({"scoring": "1-4", "row_order": "strict"})
    assert form(page, "Save rules").fill({"scoring": "2-4", "fantasyland_entry": "KK"}).press().status_code == 302
    said, again = late_and_again(mine, session, "Save rules")
    assert "Your changes are still here; everything else is as it is now." in said
    assert "This was changed as well: Scoring: 2-4: 1 per row, +1 for 2 or 3 rows." in said
    assert again.press("Save rules").status_code == 302
    session.refresh_from_db()
    now = resolve(session.rules)
    assert (now.scoring, now.row_order, now.fantasyland_entry) == ("1-4", "strict", "KK")


MODERN, FLAT = {"royalties": "modern"}, {"royalties": "flat-20"}


@pytest.mark.parametrize(
    ("forms", "front", "said"),
    [
        # Each number of the table's own chart is a choice of its own, as long as that is the chart.
        (({}, {"chart-front-66": "2"}, {"chart-front-77": "9"}), {"66": 2, "77": 9}, ""),
        (({}, {"chart-front-66": "2"}, {"chart-front-66": "3"}), {"66": 2}, "Front 66: 3"),
        (({}, {"chart-front-66": "2"}, {"royalties": "flat-20"}), {"66": 2, "55": 1}, "Royalty chart: Flat 20"),
        ((MODERN, {"royalties": "own", "chart-front-66": "2"}, FLAT), {"66": 2, "222": 10}, "Royalty chart: Flat 20"),
        ((MODERN, {"moon": "add"}, FLAT), {"222": 20}, ""),
    ],
)
def test_a_chart_is_mixed_of_no_two(
    client: Client, forms: tuple[dict[str, Any], ...], front: dict[str, int], said: str
) -> None:
    """The ``forms`` are that of the first rules, of this host, and of another one."""
    before, mine, theirs = forms
    session = start()
    address = f"/s/{session.public_id}/rules/edit/"
    first = {"scoring": "2-4", "royalties": "own", "chart-front-55": "1", **before}
    assert form(client.get(address), "Save rules").fill(first).press().status_code == 302
    opened = form(client.get(address), "Save rules").fill(mine)
    assert form(client.get(address), "Save rules").fill(theirs).press().status_code == 302
    page, again = late_and_again(opened, session, "Save rules")
    assert f"This was changed as well: {said}." in page if said else "as well" not in page
    assert again.press("Save rules").status_code == 302
    session.refresh_from_db()
    chart = resolve(session.rules).royalties.tables()["front"]
    assert {hand: chart[hand] for hand in front} == front


def test_a_fantasyland_that_another_host_has_set_outlives_a_form_that_did_not_touch_it(client: Client) -> None:
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/next/"), "Save button and Fantasyland")
    opened.fill({"button": "3", "p2-cards": "15", "note": "The dealer erred"})
    act(SetNext, session, button=2, fantasyland={1: 13, 2: 14}, note="Promised")
    said, again = late_and_again(opened, session, "Save button and Fantasyland")
    assert "Your changes are still here; everything else is as it is now." in said
    assert "This was changed as well: Who has the button: Bob; Bob: 14 cards." in said
    assert again.press("Save button and Fantasyland").status_code == 302
    now = table(session)
    assert (now.button, now.fantasyland) == (3, {1: 13, 2: 15})


def test_a_choice_for_a_player_who_was_sat_out_meanwhile_is_listed(client: Client) -> None:
    session = start("Ann Bob Cat Dan")
    opened = form(client.get(f"/s/{session.public_id}/next/"), "Save button and Fantasyland")
    opened.fill({"button": "2", "p2-cards": "15", "note": "The dealer erred"})
    act(SitOut, session, seat=2)
    said, again = late_and_again(opened, session, "Save button and Fantasyland")
    assert "Sits out: Bob." in said
    assert "Not saved: Who has the button: Bob" in said
    assert "Not saved: Bob 15 cards" in said
    assert "p2-cards" not in again.fields()


def test_what_two_hosts_made_of_the_naturals_is_said(client: Client) -> None:
    session = start()
    address = f"/s/{session.public_id}/rules/edit/"
    on = {"naturals": "on", "natural-dragon": "30", "moon_points": "20"}
    assert form(client.get(address), "Save rules").fill(dict(on)).press().status_code == 302
    mine = form(client.get(address), "Save rules").fill({"natural-dragon": "40", "moon_points": "025"})
    theirs = form(client.get(address), "Save rules").fill({"natural-dragon": "50", "moon_points": "25"})
    assert theirs.press().status_code == 302
    said, _again = late_and_again(mine, session, "Save rules")
    assert "This was changed as well: Dragon, thirteen ranks: 50. What you typed" in said


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        # What a natural is worth, and whether naturals are played at all, are one choice where that was changed.
        ({"natural-dragon": "40"}, {"naturals": "off"}),
        ({"naturals": "off"}, {"natural-dragon": "50"}),
    ],
)
def test_naturals_are_played_as_one_host_wants_it_whole(
    client: Client, mine: dict[str, Any], theirs: dict[str, Any]
) -> None:
    session = start()
    address = f"/s/{session.public_id}/rules/edit/"
    assert form(client.get(address), "Save rules").fill({"naturals": "on", "natural-dragon": "30"}).press() is not None
    opened = form(client.get(address), "Save rules").fill(mine)
    assert form(client.get(address), "Save rules").fill(theirs).press().status_code == 302
    said, again = late_and_again(opened, session, "Save rules")
    there = "Not played" if "naturals" in theirs else "Played, for these points per opponent"
    assert f"This was changed as well: Naturals: hands that win from everyone: {there}." in said
    assert again.press("Save rules").status_code == 302
    session.refresh_from_db()
    now = resolve(session.rules).naturals
    assert now is None if "naturals" in mine else now is not None and now.dragon == 40


BOOKINGS = [
    ("side-bet/", "Record side bet", {"amount": "5", "payer": "1", "payee": "2", "note": "Pizza"}, {"amount": "five"}),
    ("fee/", "Record fee", {"amount": "5", "note": "Drinks"}, {"amount": "five"}),
    ("penalty/", "Record penalty", {"seat": "1", "points": "5", "note": "Late"}, {"points": "five"}),
    ("chips/", "Buy in", {"seat": "1", "amount": "5"}, {"amount": "five"}),
]


@pytest.mark.parametrize(("path", "button", "right", "wrong"), BOOKINGS)
def test_what_two_hosts_record_is_not_recorded_twice_because_one_of_them_mistyped_it(
    client: Client, path: str, button: str, right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    session = start()
    address = f"/s/{session.public_id}/{path}"
    mistyped = form(client.get(address), button).fill({**right, **wrong})
    assert form(client.get(address), button).fill(dict(right)).press(button).status_code == 302
    refused = mistyped.press(button)
    assert refused.status_code == 422
    mended = form(refused, button).fill(dict(right)).press(button)
    assert mended.status_code == 409
    assert "The table was changed since this page was opened." in mended.content.decode()
    session.refresh_from_db()
    assert session.version == 2


def test_saved_rules_are_not_replaced_unseen_because_a_number_was_mistyped(client: Client) -> None:
    session = start()
    address = f"/s/{session.public_id}/rules/edit/"
    opened = form(client.get(address), "Save rules").fill({"save_as": "Fridays", "moon_points": "4O"})
    club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    refused = opened.press()
    assert refused.status_code == 422
    said, _again = late_and_again(form(refused, "Save rules").fill({"moon_points": "40"}), session, "Save rules")
    assert "Other rules are saved as “Fridays”. Save again to replace them." in said
    assert session.version == 1


def test_rules_that_were_deleted_meanwhile_are_not_saved_again_unseen(client: Client) -> None:
    session = start()
    club.save_rules(session.club, "Fridays", resolve({"scoring": "2-4"}))
    address = f"/s/{session.public_id}/rules/edit/"
    choice = form(client.get(address), "Load preset").fill({"preset": "saved:Fridays"})
    opened = form(choice.press(), "Save rules")
    form(client.get(address), "Delete Fridays").press()
    assert "The house rules “Fridays” were deleted meanwhile." in text(choice.press())
    said, again = late_and_again(opened, session, "Save rules")
    assert "The house rules “Fridays” were deleted meanwhile." in said
    assert again.press("Save rules").status_code == 302
    assert [each.name for each in reads.saved_rules(session.club)] == ["Fridays"]


def test_a_usual_stake_is_not_replaced_unseen_because_it_was_mistyped(client: Client) -> None:
    session = start()
    client.get(f"/s/{session.public_id}/")
    address = f"/c/{session.club.public_id}/players/"
    ann, bob, _cat = (str(each.pk) for each in session.club.players.order_by("name"))
    fields = {"one": ann, "other": bob}
    mistyped = form(client.get(address), "Save stake").fill({**fields, "stake": "5,,"})
    form(client.get(address), "Save stake").fill({**fields, "stake": "9"}).press()
    again = form(mistyped.press(), "Save stake").fill({"stake": "5"}).press()
    assert again.status_code == 409
    assert "This stake was changed since this page was opened." in text(again)


def test_stacks_that_another_hand_has_changed_are_not_counted_as_they_were(client: Client) -> None:
    session = start()
    act(BuyInAll, session, amount=10000)
    opened = form(client.get(f"/s/{session.public_id}/close/"), "Close session").fill({"stack-3": "90"})
    settle(session)
    said, again = late_and_again(opened.fill({"note": "Late"}), session, "Close session")
    assert "Your changes are still here; everything else is as it is now." in said
    assert "This was changed as well: Cat: 88.00." in said
    assert (again.fields()["stack-1"], again.fields()["stack-3"]) == (["112.00"], ["90"])
    assert "Cat has 2.00 EUR more than the ledger says." in said
    assert "Ann has" not in said


@pytest.mark.parametrize("button", ["Keep off the tab", "Reopen session"])
def test_a_payment_on_the_tab_is_not_passed_over_by_a_page_that_knows_nothing_of_it(
    client: Client, button: str
) -> None:
    session = start()
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(ledger.close_session, session, tab=True)
    page = "" if button == "Keep off the tab" else "close/"
    opened = form(client.get(f"/s/{session.public_id}/{page}"), button)
    on_tab = follow(client.get(f"/c/{session.club.public_id}/"), "Mark as paid: Bob to Ann")
    assert form(on_tab, "Record payment").press("Record payment").status_code == 302
    late = opened.press(button)
    assert late.status_code == 409
    said = " ".join(read(late).text_content().split())
    assert "A payment was recorded on the club’s tab since this page was opened." in said
    assert "Payments were recorded on the club’s tab since this session was first carried there." in said
    assert form(client.get(f"/s/{session.public_id}/{page}"), button).press(button).status_code == 302


def test_a_usual_stake_that_another_host_has_deleted_is_not_set_again_unseen(client: Client) -> None:
    session = start()
    client.get(f"/s/{session.public_id}/")
    at = f"/c/{session.club.public_id}/players/"
    stake = {"one": "Ann", "other": "Bob", "stake": "7", "currency": "EUR"}

    def opened() -> Form:
        fields = form(client.get(at), "Save stake")
        people = {each.name: str(each.pk) for each in session.club.players.all()}
        return fields.fill({**stake, "one": people["Ann"], "other": people["Bob"]})

    assert opened().press("Save stake").status_code == 302
    mine = opened().fill({"stake": "11"})
    assert form(client.get(at), "Delete the stake of Ann and Bob").press().status_code == 302
    late = mine.press("Save stake")
    assert late.status_code == 409
    assert "This stake was deleted since this page was opened." in late.content.decode()
    assert form(late, "Save stake").press("Save stake").status_code == 302


@pytest.mark.parametrize(
    ("path", "button", "changes", "other"),
    [
        ("stakes/", "Save stakes", {"stake": "2"}, ChangeTerms(stake=300)),
        ("rules/edit/", "Save rules", {"scoring": "1-4"}, ChangeTerms(rules={"scoring": "2-4"})),
        ("next/", "Save button and Fantasyland", {"button": "3", "note": "erred"}, SetNext(2, None)),
    ],
)
def test_a_form_of_a_session_that_was_closed_promises_nothing(
    client: Client, path: str, button: str, changes: dict[str, Any], other: ChangeTerms | SetNext
) -> None:
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/{path}"), button).fill(changes)
    act(type(other), session, **asdict(other), **({"note": "erred"} if isinstance(other, SetNext) else {}))
    act(ledger.close_session, session)
    answer = opened.press(button)
    said = text(answer)
    assert answer.status_code == 409
    assert "This session is closed. A host can reopen it under “More”." in said
    assert "Your changes are still here" not in said
    assert "would replace it" not in said
    assert read(answer).xpath("//a[. = 'Totals and reopening']/@href") == [f"/s/{session.public_id}/close/"]


@pytest.mark.parametrize(
    ("path", "button", "changes"),
    [
        ("stakes/", "Save stakes", {"stake": "2"}),
        ("rules/edit/", "Save rules", {"scoring": "1-4"}),
        ("next/", "Save button and Fantasyland", {"button": "2", "note": "erred"}),
        ("penalty/", "Record penalty", {"seat": "2", "points": "3", "note": "out of turn"}),
        ("side-bet/", "Record side bet", {"payer": "1", "payee": "3", "amount": "15", "note": "first queen"}),
        ("fee/", "Record fee", {"amount": "2", "note": "table time"}),
        ("chips/", "Buy in", {"seat": "1", "amount": "50"}),
        ("people/", "Add player", {"name": "Dan"}),
    ],
)
def test_a_form_of_a_session_that_is_reopened_is_sent_again(
    client: Client, path: str, button: str, changes: dict[str, Any]
) -> None:
    """The page is still open while the session is reopened in another tab."""
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/{path}"), button).fill(changes)
    act(ledger.close_session, session)
    closed = opened.press(button)
    assert closed.status_code == 409
    assert read(closed).xpath("//a[. = 'Totals and reopening']/@href") == [f"/s/{session.public_id}/close/"]
    act(ledger.reopen_session, session)
    said, again = late_and_again(form(closed, button), session, button)
    assert "Session reopened" in said
    assert "Nothing is lost: if it still fits, press the button again." in said
    assert {name: again.fields()[name] for name in changes} == {name: [text] for name, text in changes.items()}
    assert again.press(button).status_code == 302
    assert session.events.latest("n").verb not in ("close", "reopen")


def test_a_count_of_a_session_that_was_closed_is_listed_as_not_saved_alone(client: Client) -> None:
    session = start(buy_in=10000)
    settle(session)
    opened = form(client.get(f"/s/{session.public_id}/close/"), "Close session")
    opened.fill({"stack-2": "95", "note": "counted", "tab": "spot"})
    act(ledger.close_session, session, counts={2: 9000}, note="short", tab=True, coin=50)
    answer = opened.press("Close session")
    said = text(answer)
    assert answer.status_code == 409
    assert "This session is closed." in said
    assert "Not saved: Bob 95" in said
    assert "Not saved: Is settled on the spot" in said
    assert "Not saved: counted" in said
    assert "Not saved: Ann" not in said, "nobody has counted that stack"
    assert "would replace it" not in said
    assert "still here" not in said


def test_a_coin_of_a_session_that_was_closed_otherwise_is_listed(client: Client) -> None:
    session = start()
    settle(session)
    opened = form(client.get(f"/s/{session.public_id}/close/"), "Close session").fill({"coin": "100"})
    act(ledger.close_session, session, tab=True, coin=50)
    assert "Not saved: Round this session’s payments to: 1.00" in text(opened.press("Close session"))


def test_what_the_page_had_chosen_is_not_listed_after_a_session_was_closed_otherwise(
    client: Client,
) -> None:
    session = start()
    opened = form(client.get(f"/s/{session.public_id}/close/"), "Close session")
    act(ledger.close_session, session, tab=False)
    assert "Not saved:" not in text(opened.press("Close session"))


@pytest.mark.parametrize("stacks", [0, 10000])
@pytest.mark.parametrize(("typed", "coin", "said"), [({}, 500, ""), ({"coin": "100"}, 100, "payments to: 5.00.")])
def test_a_coin_that_another_host_has_closed_with_outlives_a_form_that_did_not_touch_it(
    client: Client, stacks: int, typed: dict[str, str], coin: int, said: str
) -> None:
    session = start(buy_in=stacks)
    act(SideBet, session, payer=2, payee=1, amount=777, note="red")
    opened = form(client.get(f"/s/{session.public_id}/close/"), "Close session").fill(typed)
    act(ledger.close_session, session, tab=True, coin=500)
    act(ledger.reopen_session, session)
    page, again = late_and_again(opened, session, "Close session")
    assert said in page if said else "as well" not in page
    assert again.press("Close session").status_code == 302
    session.refresh_from_db()
    assert (session.on_tab, session.coin) == (True, coin)


def test_a_refused_choice_of_the_tab_leaves_a_reason_for_reopening(client: Client) -> None:
    session = start()
    act(SideBet, session, payer=2, payee=1, amount=777, note="red")
    act(ledger.close_session, session, tab=True)
    choosing = form(client.get(f"/s/{session.public_id}/"), "Keep off the tab")
    act(ledger.choose_tab, session, on=False)
    refused = choosing.press("Keep off the tab")
    assert refused.status_code == 409
    assert form(refused, "Reopen session").fill({"note": "one more"}).press().status_code == 302
    assert session.events.latest("n").note == "one more"


def test_rules_saved_under_the_same_name_are_told_although_the_table_has_changed_too(client: Client) -> None:
    session = start()
    address = f"/s/{session.public_id}/rules/edit/"
    opened = form(client.get(address), "Save rules").fill({"scoring": "1-4", "save_as": "Fridays"})
    form(client.get(address), "Save rules").fill({"moon": "add", "save_as": "Fridays"}).press()
    said, again = late_and_again(opened, session, "Save rules")
    assert "Stakes or rules changed" in said
    assert "Other rules are saved as “Fridays”. Save again to replace them." in said
    assert again.press("Save rules").status_code == 302  # they have seen it
    (saved,) = reads.saved_rules(session.club)
    assert resolve(saved.rules).scoring == resolve({"scoring": "1-4"}).scoring


@pytest.mark.parametrize(("path", "button"), [("stakes/", "Save stakes"), ("rules/edit/", "Save rules")])
def test_terms_that_stay_as_they_are_are_no_event(client: Client, path: str, button: str) -> None:
    session = start()
    answer = form(client.get(f"/s/{session.public_id}/{path}"), button).press()
    assert answer.status_code == 422
    assert "This is how it is already. Change something first." in text(answer)
    assert session.events.count() == 1
