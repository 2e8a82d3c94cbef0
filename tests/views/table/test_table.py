"""The page of the table between two hands, and the host's form for the next hand."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring import ledger, reads
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Entry
from scoring.models import Event, Session
from scoring.wording.notes import MISSED
from tests.actions.everything import EXAMPLES
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start, table
from tests.pages import Form, form, post_nothing


def address(session: Session, page: str = "") -> str:
    return f"/s/{session.public_id}/{page}"


def next_hand(client: Client, session: Session, **changed: str) -> Form:
    """The form for the next hand's button and Fantasyland, with these changes."""
    return form(client.get(address(session, "next/")), "Save button and Fantasyland").fill(changed)


def test_seats_stand_clockwise_from_under_the_gun_with_their_totals(client: Client, session: Session) -> None:
    settle(session)
    page = client.get(address(session)).content.decode()
    places = [page.index(f'<span class="who">{name}') for name in ("Cat", "Ann", "Bob")]
    assert places == sorted(places)
    assert page.index("has the button") > places[2]
    assert "<span>Pts</span><span>EUR</span>" in page
    assert "+12.00" in page
    assert "−12.00" in page
    assert "Enter hand 2" in page


def test_the_last_hands_are_there_newest_first(client: Client, session: Session) -> None:
    for _ in range(7):
        settle(session)
    page = client.get(address(session)).content.decode()
    assert page.index("/hands/7/") < page.index("/hands/3/")
    assert "/hands/2/" not in page


def test_four_at_a_pineapple_table_show_who_sits_out(client: Client, db: None) -> None:
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    page = client.get(address(session)).content.decode()
    assert "button, sits out" in page
    assert "Dan has the button and sits out" in client.get(address(session, "hand/")).content.decode()


def test_stacks_are_shown_where_there_are_any(client: Client, session: Session) -> None:
    assert "in stack" not in client.get(address(session)).content.decode()
    act(BuyIn, session, seat=1, amount=12345)
    assert "123.45 in stack" in client.get(address(session)).content.decode()


def test_the_button_can_be_set_with_a_note(client: Client, session: Session) -> None:
    response = next_hand(client, session, button="3", note="we start at Cat").press()
    assert response["Location"] == address(session)
    assert table(session).button == 3
    assert "we start at Cat" in client.get(address(session)).content.decode()


def test_fantasyland_can_be_set_and_taken(client: Client, session: Session) -> None:
    settle(session, Entry(boards={1: STRONG, 2: PLAIN, 3: WEAK}))
    opened = next_hand(client, session, note="house rule")
    assert opened.fields()["p1-cards"] == ["13"]
    opened.fill({"p1-cards": "0", "p2-cards": "14"}).press()
    assert dict(table(session).fantasyland) == {2: 14}


@pytest.mark.parametrize("changed", [{"button": "2"}, {"note": "nothing else"}, {"p2-cards": "13"}])
def test_without_a_reason_or_a_change_nothing_is_set(client: Client, session: Session, changed: dict[str, str]) -> None:
    opened = next_hand(client, session).fill(changed)
    response = opened.press() if "note" in changed else opened.forge({})  # a browser sends nothing without a reason
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert Event.objects.count() == 1


def test_set_twice_is_set_once(client: Client, session: Session) -> None:
    opened = next_hand(client, session, button="3", note="we start at Cat", **{"p2-cards": "14"})
    for _ in range(2):
        assert opened.press()["Location"] == address(session)
    settle(session)
    assert opened.press()["Location"] == address(session)
    assert Event.objects.filter(verb="set-next").count() == 1
    assert opened.fill({"button": "2"}).press().status_code == 409


def test_the_next_hand_of_a_table_that_has_changed_is_shown_again(client: Client, session: Session) -> None:
    opened = next_hand(client, session, button="3", note="we start at Cat", **{"p2-cards": "14"})
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert "was changed since" in response.content.decode()
    again = form(response, "Save button and Fantasyland")
    shown = again.fields()
    assert (shown["button"], shown["p2-cards"], shown["note"]) == (["3"], ["14"], ["we start at Cat"])
    assert shown["key"] != opened.fields()["key"]
    assert table(session).button == 2
    # The form as it now stands may be sent again.
    assert again.press()["Location"] == address(session)
    assert (table(session).button, dict(table(session).fantasyland)) == (3, {2: 14})


def test_who_left_meanwhile_cannot_be_chosen_any_more_and_somebody_else_is(client: Client, session: Session) -> None:
    stale = next_hand(client, session, button="3", note="Cat drew the high card")
    act(Leave, session, seat=3)
    answer = stale.press()
    assert answer.status_code == 409
    shown = form(answer, "Save button and Fantasyland").fields()
    assert (shown["button"], shown["note"]) == ([str(table(session).button)], ["Cat drew the high card"])


@pytest.mark.parametrize("forged", ["had-button", "p2-had"])
def test_what_the_table_had_is_not_believed_if_it_cannot_have_had_it(
    client: Client, session: Session, forged: str
) -> None:
    opened = next_hand(client, session, button="3", note="we start at Cat")
    assert opened.fields()[forged]
    assert opened.forge({forged: "x"}).status_code == 302
    assert (table(session).button, dict(table(session).fantasyland)) == (3, {})


@pytest.mark.parametrize("page", ["", "next/", "ledger/", "rules/"])
def test_an_unknown_session_is_404(client: Client, session: Session, page: str) -> None:
    response = client.get(f"/s/{session.public_id[:-1]}/{page}")
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


@pytest.mark.parametrize("page", ["", "ledger/", "rules/"])
def test_what_only_reads_refuses_a_post(client: Client, session: Session, page: str) -> None:
    assert post_nothing(client, address(session, page)).status_code == 405


@pytest.mark.parametrize("page", ["", "hand/", "ledger/"])
def test_a_page_costs_the_same_number_of_queries_in_a_long_session(client: Client, session: Session, page: str) -> None:
    settle(session)
    client.get(address(session, page))
    reads.forget_cached()
    with CaptureQueriesContext(connection) as short:
        client.get(address(session, page))
    for hand in range(12):
        settle(session, Entry(boards={1: PLAIN, 2: WEAK, 3: FOUL} if hand % 2 else {1: WEAK, 2: PLAIN, 3: FOUL}))
    with CaptureQueriesContext(connection) as long:
        client.get(address(session, page))
    assert 0 < len(long) == len(short)


def test_other_phones_that_ask_for_the_same_cost_next_to_nothing(client: Client, session: Session) -> None:
    for _ in range(3):
        settle(session)
        pages = []
        for most in (23, 3):  # of which one asks who is in, and of the first those that make the link of this browser
            with CaptureQueriesContext(connection) as seen:
                pages.append(client.get(address(session)).content.decode())
            assert sum(each["sql"].startswith("SELECT") for each in seen) <= most
        assert all(f"Hand {session.next_number}" in page for page in pages)


def test_what_is_kept_is_what_would_be_found(client: Client, session: Session) -> None:
    other = start("Dan Eve")  # whose pages are requested in between

    def pages() -> list[str]:
        asked = [
            client.get(address(each, page)).content.decode()
            for page in ("", "screen/", "hand/")
            for each in (session, other)
        ]
        return [
            re.sub(r'(token=|name="(csrfmiddlewaretoken|key)" value="|X-CSRFToken": ")[^"&]+', "", page)
            for page in asked
        ]

    def happens() -> Iterator[object]:
        yield None
        yield settle(session, Entry(boards={1: STRONG, 2: PLAIN, 3: WEAK}))
        yield act(ledger.dispute, session, number=1, note="Hm")
        yield act(ledger.resolve_dispute, session, raised=3, note="Fine")
        yield act(ledger.correct_deal, session, number=1, entry=Entry(boards={1: WEAK, 2: PLAIN, 3: FOUL}), note="so")
        yield act(ledger.undo, session)
        yield act(Penalty, session, seat=1, points=3, note="late")
        yield act(Join, session, name="Zoe", insist=True, note="so")
        yield act(ChangeTerms, session, stake=700)
        yield act(SetNext, session, button=2, note="so")
        yield act(BuyIn, session, seat=1, amount=500)
        yield act(ledger.close_session, session)
        yield act(ledger.reopen_session, session)

    for _ in happens():
        kept = [pages(), pages()][1]
        reads.forget_cached()
        assert pages() == kept


def test_the_start_page_costs_the_same_with_many_sessions(client: Client, db: None) -> None:
    client.get(address(start("Ann Bob")))
    with CaptureQueriesContext(connection) as one:
        client.get("/")
    for _ in range(5):
        client.get(address(start("Ann Bob")))
    with CaptureQueriesContext(connection) as many:
        page = client.get("/").content.decode()
    assert 0 < len(many) == len(one)
    assert page.count("0 hands") == 6


def test_undo_says_what_it_would_take_back_and_whose_it_is(client: Client, session: Session) -> None:
    said = {
        SetNext: "button or Fantasyland set",
        BuyIn: "{who} bought chips",
        BuyInAll: "everyone’s buy-in",
        CashOut: "{who} cashed out chips",
        Penalty: "penalty recorded",
        SideBet: "side bet recorded",
        Fee: "fee recorded",
        Join: "{who} joined",
        Swap: "seats swapped",
        SitOut: "{who} sits out",
        SitIn: "{who} is back",
        Leave: "{who} left",
        ChangeTerms: "stakes or rules changed",
    }
    missing = {action.__name__ for action in {action for action, _ in EXAMPLES} ^ set(said)}
    assert not missing, f"tests/views/table/test_table.py: say here what Undo says of {missing}"
    settle(session)
    for action, given in EXAMPLES:
        act(action, session, **given)
        session.refresh_from_db()
        names = reads.state(session).players
        who = given.get("name") or names.get(given.get("seat", 0), "")
        assert f"Undo: {said[action].format(who=who)}</button>" in client.get(address(session)).content.decode()
    for do, given, words in (
        (ledger.correct_deal, {"entry": entry(s1=WEAK, s2=PLAIN, s3=STRONG)}, "corrected"),
        (ledger.void_deal, {}, "voided"),
        (ledger.restore_deal, {}, "restored"),
    ):
        act(do, session, number=1, note="so", **given)
        assert f"Undo: hand 1 {words}</button>" in client.get(address(session)).content.decode()


def test_a_name_is_not_taken_for_a_place_to_fill_in(client: Client, session: Session) -> None:
    act(Join, session, name="Dan {deal}")
    assert "Undo: Dan {deal} joined</button>" in client.get(address(session)).content.decode()


def test_a_note_of_the_app_is_said_in_the_readers_language(client: Client, session: Session) -> None:
    act(SetNext, session, fantasyland={1: 14}, note=MISSED.format(player="Ann", number=1))
    page = client.get(address(session), HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Ann was due Fantasyland" not in page
    assert "Ann hatte nach Hand 1 Fantasyland vor sich und bekam es nicht." in page
