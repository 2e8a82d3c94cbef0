"""Closing an evening, and the pages of a closed session."""

import re
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring import ledger, reads
from scoring.actions.chips import BuyInAll
from scoring.actions.fee import Fee
from scoring.actions.people import Leave
from scoring.game.entry import Entry
from scoring.models import Event, Session
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, verbs
from tests.pages import Form, form, forms, post_nothing


def ending(client: Client, session: Session) -> Form:
    """The form that closes the session, or opens it again."""
    return forms(client.get(f"/s/{session.public_id}/close/"))[-1]


@pytest.fixture
def played(session: Session) -> Session:
    """A session with one hand, and a fee that Bob has paid."""
    settle(session)
    act(Fee, session, amount=200, seats=[2], note="table")
    return session


def page(client: Client, session: Session, path: str = "") -> str:
    return client.get(f"/s/{session.public_id}/{path}").content.decode()


def result(shown: str) -> list[str]:
    """The lines of the result on a page, as people read them."""
    rows = re.findall(r'<tr>\s*<td class="place">.*?</tr>', shown, re.DOTALL)
    return [" ".join(strip_tags(row.replace("<", " <")).split()) for row in rows]


def test_the_totals_and_the_fewest_payments_come_before_the_button(client: Client, played: Session) -> None:
    act(ledger.dispute, played, number=1, note="a flush?")
    shown = page(client, played, "close/")
    assert result(shown) == ["1. Ann +12 +12.00", "2. Bob 2.00 in fees – –", "3. Cat −12 −12.00"]
    assert shown.count("<strong>Cat</strong> pays <strong>Ann</strong>") == 2  # the fewest payments, and pair by pair
    assert "<strong>Bob</strong> pays <strong>House</strong>" in shown
    assert "disputed</a> by host: a flush?" in shown
    assert ">Close session</button>" in shown


def test_closed_it_shows_its_totals_and_nothing_that_would_change_it(client: Client, played: Session) -> None:
    response = ending(client, played).fill({"note": "last bus"}).press("Close session")
    assert response["Location"] == f"/s/{played.public_id}/"
    table = page(client, played)
    assert "This session is closed." in table
    assert "<strong>Cat</strong> pays <strong>Ann</strong>" in table
    for gone in ("Enter hand", "Undo", "Chips", "People", "Hand 2"):
        assert gone not in table
    hand = page(client, played, "hands/1/")
    for gone in ("Correct it", "Void it", "Flag this hand", "Enter hand"):
        assert gone not in hand
    more = page(client, played, "more/")
    assert "Reopen session" in more
    for gone in ("Penalty", "Stakes", "House rules", "End session"):
        assert gone not in more
    assert Event.objects.get(verb="close").note == "last bus"


@pytest.mark.parametrize(
    "path",
    ["chips/", "chips/forgotten/", "people/", "stakes/", "side-bet/", "fee/", "penalty/", "next/", "rules/edit/"]
    + ["hands/1/correct/", "hands/1/void/"],
)
def test_every_form_of_a_closed_session_is_gone(client: Client, played: Session, path: str) -> None:
    act(ledger.close_session, played)
    shown = page(client, played, path)
    assert "This session is closed" in shown
    assert f'action="/s/{played.public_id}' not in shown


def test_open_again_it_goes_on(client: Client, played: Session) -> None:
    act(ledger.close_session, played)
    response = ending(client, played).press("Reopen session")
    assert response["Location"] == f"/s/{played.public_id}/"
    assert "Enter hand 2" in page(client, played)
    assert verbs(played)[-2:] == ["close", "reopen"]


def test_twice_is_once(client: Client, played: Session) -> None:
    for label in ("Close session", "Reopen session"):
        opened = ending(client, played)
        for _ in range(2):
            assert opened.press(label).status_code == 302
    assert verbs(played)[-2:] == ["close", "reopen"]


def test_what_comes_too_late_or_not_at_all_is_refused_with_words(client: Client, played: Session) -> None:
    opened = ending(client, played).fill({"note": "good night"})
    settle(played)
    stale = opened.press("Close session")
    assert stale.status_code == 409
    again = form(stale, "Close session")
    assert again.fields()["note"] == ["good night"]
    act(ledger.close_session, played)
    closed_already = again.press()
    assert closed_already.status_code == 409
    assert "A host can reopen it under “More”" in closed_already.content.decode()
    assert "Not saved: good night" in closed_already.content.decode()
    opened = form(closed_already, "Reopen session").fill({"note": "one more"})
    assert opened.fields()["version"] == [str(played.version)]
    act(ledger.reopen_session, played)
    still_open = opened.forge({"version": str(played.version)})
    assert still_open.status_code == 409
    assert "This session is open." in still_open.content.decode()
    assert "Not saved: one more" in still_open.content.decode()
    closing = form(still_open, "Close session")
    assert closing.fields()["note"] == [""]
    assert closing.press().status_code == 302


def test_reopen_refuses_a_get_and_strangers_find_neither(client: Client, session: Session) -> None:
    assert client.get(f"/s/{session.public_id}/reopen/").status_code == 405
    for what in ("close", "reopen"):
        assert post_nothing(client, f"/s/nobody/{what}/").status_code == 404


def test_equal_results_share_a_place(client: Client, session: Session) -> None:
    act(ledger.close_session, session)
    assert result(page(client, session)) == ["1. Ann – –", "1. Bob – –", "1. Cat – –"]
    act(ledger.reopen_session, session)
    settle(session, Entry(points=((1, 2, 0), (1, 3, 5), (2, 3, 5))))
    act(ledger.close_session, session)
    assert result(page(client, session)) == ["1. Ann +5 +5.00", "1. Bob +5 +5.00", "3. Cat −10 −10.00"]


def test_what_stood_out_is_told_once_the_session_is_closed(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=FOUL))
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session)
    here = f"/s/{session.public_id}"
    for path in ("", "screen/"):
        assert "Best hand" not in page(client, session, path)
    act(ledger.close_session, session)
    for path in ("", "screen/"):
        shown = page(client, session, path)
        stood_out = shown.partition('class="highlights"')[2]
        found = re.findall(r"<dt>.*?(?=</div>|<article)", stood_out, re.DOTALL)
        told = [" ".join(strip_tags(each).split()) for each in found]
        assert told == [
            "Best hand +74 Ann hand 1, Ann hand 2",
            "Most royalties +31 Ann hand 1, Ann hand 2",
            "Longest Fantasyland 2 hands Ann hands 2 to 3",
            "Fouls Cat 2",
        ]
        assert f'href="{here}/hands/2/"' in shown
    assert "Full house, Twos over Threes" in page(client, session)


def test_the_curve_of_a_closed_session_leads_to_its_hands(client: Client, session: Session) -> None:
    settle(session)
    assert "Hand by hand" not in page(client, session)
    act(ledger.close_session, session)
    here = f"/s/{session.public_id}/"
    for path in ("", "screen/"):
        shown = page(client, session, path)
        assert "Running totals in EUR after 1 hand: Ann +12.00, Bob 0, Cat −12.00." in shown
        (way,) = re.findall(r'<a href="([^"]+)" tabindex="-1">', shown)
        assert urljoin(here + path, way) == f"{here}hands/1/"


def test_more_than_three_who_share_a_highlight_are_counted(client: Client, session: Session) -> None:
    for _ in range(5):
        settle(session)
    act(ledger.close_session, session)
    shown = " ".join(strip_tags(page(client, session)).split())
    assert "Best hand +12 Ann hand 1, Ann hand 2, Ann hand 3 and 2 more" in shown.replace("\N{NO-BREAK SPACE}", " ")


def test_hands_without_cards_have_a_best_hand_and_no_board(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 3), (1, 3, 5), (2, 3, 5))))
    act(ledger.close_session, session)
    shown = page(client, session)
    assert "Best hand" in shown
    assert "Most royalties" not in shown
    assert 'class="board' not in shown
    assert "none</dd>" in shown


def test_the_big_screen_shows_the_result_and_who_pays_whom(client: Client, played: Session) -> None:
    act(ledger.close_session, played)
    shown = page(client, played, "screen/")
    said = " ".join(strip_tags(shown.partition("<main")[2].replace("<", " <")).split())
    assert "The session is closed 1. Ann +12 +12.00 2. Bob – – 3. Cat −12 −12.00" in said
    assert "Settle up Bob pays House 2.00 Cat pays Ann 12.00" in said
    assert 'class="qr"' in shown
    assert reads.head(played).words in said
    assert "Hand 1 settled" not in said


def test_what_the_house_hands_in_is_said_in_the_readers_language(client: Client, session: Session) -> None:
    act(BuyInAll, session, amount=4000, cash=True)
    act(Fee, session, amount=500, note="room")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert "Das Haus gibt 15,00 in Chips ab" in " ".join(page(client, session, "close/").split())


def test_closing_says_that_fantasyland_is_due(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=WEAK, s3=FOUL))
    said = "Ann is due Fantasyland. If you close now, that hand is not played."
    at = f"/s/{session.public_id}/close/"
    assert said in client.get(at).content.decode()
    form(client.get(at), "Close session").press()
    assert said not in client.get(at).content.decode()


def test_a_session_is_not_closed_over_a_dispute_that_its_page_did_not_show(client: Client, played: Session) -> None:
    opened = ending(client, played).fill({"note": "Good night"})
    act(ledger.dispute, played, number=1, note="foul!")
    refused = opened.press()
    assert refused.status_code == 409
    assert "Hand 1 has been disputed since this page was opened." in refused.content.decode()
    again = forms(refused)[-1]
    assert again.fields()["note"] == ["Good night"]
    assert again.press().status_code == 302


def test_a_dispute_that_is_resolved_by_now_does_not_hold_up_the_close(client: Client, played: Session) -> None:
    opened = ending(client, played)
    raised = act(ledger.dispute, played, number=1, note="foul!").raised.n
    act(ledger.resolve_dispute, played, raised=raised, note="no foul")
    assert opened.press().status_code == 302


@pytest.mark.parametrize("cash", [True, False])
def test_a_stack_of_a_player_who_has_left_meanwhile_is_shown_as_not_saved(
    client: Client, session: Session, cash: bool
) -> None:
    """They have been paid what the ledger says, so nobody is told that their count differs from nothing."""
    act(BuyInAll, session, amount=4000, cash=cash)
    typed = ending(client, session).fill({"stack-1": "40", "stack-2": "39", "note": "a chip fell"})
    act(Leave, session, seat=2)
    late = typed.press("Close session")
    assert late.status_code == 409
    shown = " ".join(late.content.decode().split())
    assert "Not saved: Bob 39" in shown
    assert "than the ledger says" not in shown
    again = form(late, "Close session")
    assert again.fields()["note"] == ["a chip fell"]
    assert again.press().status_code == 302


def test_what_cannot_be_read_is_told_that_another_host_has_closed_and_nothing_typed_is_lost(
    client: Client, session: Session
) -> None:
    act(BuyInAll, session, amount=5000)
    closing = ending(client, session).fill({"stack-1": "abc", "stack-2": "51", "tab": "spot", "note": "last bus"})
    act(ledger.close_session, session, tab=True)
    late = closing.press("Close session")
    assert late.status_code == 409
    shown = " ".join(late.content.decode().split())
    for said in ("This session is closed", "Ann abc", "Bob 51", "Is settled on the spot", "last bus"):
        assert said in shown, said
    assert form(late, "Reopen session").press().status_code == 302
