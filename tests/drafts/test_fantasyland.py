"""Boards of Fantasyland: hidden from other phones until all others are in, and who changes cards after that is told."""

import html
from collections.abc import Callable
from dataclasses import replace

import pytest

from scoring import ledger
from scoring.actions.people import SitIn, SitOut
from scoring.actions.terms import ChangeTerms
from scoring.drafts import lay_again
from scoring.game.entry import Rows
from scoring.models import Draft, Session
from tests.conftest import HostsBrowser
from tests.drafts.conftest import (
    EARNS,
    OTHER,
    TURNED,
    Phone,
    drafts,
    fields_of,
    of_ann,
    remark,
    said,
    shown_to,
    shown_with,
    tied,
    undone,
)
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, act, entry, remarked, settle, start
from tests.pages import form

QUEENS = Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s")
AWAY = Rows("JsJdJc", "KhKs2c3c6c", "AcAs9h9s5s")


def test_a_fantasyland_board_is_hidden_from_other_phones_until_all_others_are_in(
    host: Phone, bob: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    bob.open()
    ann.send(1, STRONG)
    page = host.ask().content.decode()
    assert "Ah Ad" not in page
    assert "Ann is in Fantasyland, on another phone: done." in page
    assert "Ah Ad" not in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ah Ad" not in bob.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    assert "Ah Ad" in ann.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    # Of a clash with a hidden card nothing is told: a phone could ask for one card after the other.
    asked = bob.send(2, Rows("AhKsKd", "", "")).content.decode()
    assert "also in" not in asked
    assert "twice" not in asked
    bob.send(2, PLAIN)
    assert "Ah Ad" not in host.ask().content.decode()
    Phone(session).send(3, WEAK)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()


def test_a_clash_does_not_reveal_the_row_of_a_hidden_card(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    bob.send(2, Rows("AhKsKd", "", ""))
    at = f"/s/{session.public_id}"
    for phone in (host, bob):
        assert "is also in Bob" not in phone.ask().content.decode()
    for path in ("hand/", "seat/1/"):
        assert "is also in Bob" not in host.client.get(f"{at}/{path}").content.decode()
    assert "is also in Bob&#x27;s front." in ann.client.get(f"{at}/seat/1/").content.decode()


@pytest.mark.parametrize(
    "guess",
    [
        Rows("AhKdKs", "Ah", ""),  # each of these cards is in Ann's board, and in both rows of Bob
        Rows("2h4dQs", "2h4d", ""),
        Rows("AhAhQs", "", ""),
    ],
)
def test_with_two_decks_no_guess_is_told_to_be_right(host: Phone, session: Session, guess: Rows) -> None:
    act(ChangeTerms, session, rules="double-deck")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    pages = [bob.send(2, guess), bob.ask(), host.ask()]
    pages += [host.client.get(f"/s/{session.public_id}/{path}") for path in ("hand/", "seat/2/", "seat/3/")]
    for page in pages:
        assert "is also in" not in page.content.decode()
    assert "is also in Bob&#x27;s front." in ann.client.get(f"/s/{session.public_id}/seat/1/").content.decode()
    # Three of one card are too many, whatever Ann has.
    for each in (Rows("AhAhKs", "Ah", ""), Rows("QhQhKs", "Qh", "")):
        assert "is also in Bob&#x27;s middle." in bob.send(2, each).content.decode()


def test_the_host_may_enter_a_hidden_board_instead(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    ann.send(1, STRONG)
    assert host.send(1, OTHER).status_code == 409
    host.press(1, "Use other")
    page = host.press(1, "Enter them here").content.decode()
    assert "Ah Ad" not in page
    assert host.send(1, OTHER).status_code == 200
    assert drafts()[1] == ("Qs Qh Qd", "", "")


CANNOT_BE = Rows("AhKsQd", PLAIN.middle, PLAIN.back)
"""Rows with the ace of hearts, which is in `STRONG`."""


def test_cards_that_cannot_be_show_no_hidden_board(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob = Phone(session), tied(session, 2)
    host.open()
    ann.send(1, STRONG)
    Phone(session).send(3, WEAK)
    bob.send(2, CANNOT_BE)
    for phone in (host, bob):
        page = html.unescape(phone.ask().content.decode())
        assert "Ah Ad" not in page
        assert "Ann’s Fantasyland stays hidden: some card is on the table twice." in page
        assert "ace of hearts is also" not in page
    assert "Ah Ad" not in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    bob.send(2, PLAIN)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()


def test_a_hidden_board_cannot_be_guessed_by_sending_it(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, *others = (Phone(session) for _ in range(3))
    ann.send(1, STRONG)
    statuses, revisions = [], []
    for guess, phone in zip((STRONG, WEAK), others, strict=True):
        statuses.append(phone.send(1, guess).status_code)
        revisions.append(Draft.objects.get().revision)
    assert (statuses, revisions) == ([409, 409], [2, 3])  # either is noted
    statuses, revisions = [], []
    host.open().press(1, "Enter them here")
    for guess in (STRONG, WEAK):
        statuses.append(host.send(1, guess).status_code)
        revisions.append(Draft.objects.get().revision)
    assert (statuses, revisions) == ([200, 200], [4, 5])  # either replaces the board, and Ann's phone is told


def test_what_is_changed_after_a_hidden_board_was_shown_is_told_and_recorded(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    assert "changed after" not in html.unescape(host.ask().content.decode())
    bob.send(2, Rows())  # taken back, now that Bob knows Ann's board
    for phone in (host, cat):
        page = html.unescape(phone.ask().content.decode())
        assert page.count("changed after Fantasyland was shown") == 1
    assert 'value="Ah Ad Kc"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()  # shown is shown
    bob.send(2, Rows("2c8d9c", PLAIN.middle, PLAIN.back))
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    settling = form(page, "Settle hand 2")
    assert settling.press().status_code == 302
    assert settling.press().status_code == 302  # a repeat is the same hand
    event = session.events.get(verb="settle", deal=2)
    assert remarked(event) == "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert event.note in html.unescape(host.client.get(f"/s/{session.public_id}/history/").content.decode())


def test_a_board_that_an_opponent_had_ready_and_takes_after_the_reveal_is_told(session: Session, bob: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    bob.open()
    tied(session, 1).send(1, STRONG)
    assert bob.send(1, QUEENS).status_code == 409
    for seat, board in ((2, PLAIN), (3, WEAK)):
        Phone(session).send(seat, board)
    assert bob.send(1, QUEENS).status_code == 409
    assert bob.press(1, "Keep mine").status_code == 200
    assert "changed after Fantasyland" in bob.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ann (before: AhAdKc/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def test_a_board_that_was_shown_before_it_was_complete_is_replaced_by_nobody_unnoticed(
    session: Session, host: Phone
) -> None:
    """Its player is in Fantasyland and the last to finish, so that each of their rows is seen when it is sent."""
    ann = shown_with(session, Rows(STRONG.front, "", ""))
    ann.send(1, STRONG)
    host.open()
    assert "changed after" not in shown_to(session, host)  # a board that is finished is no change
    host.send(1, QUEENS)
    assert drafts()[1][0] == "Qs Qh 3s"
    assert "changed after Fantasyland was shown" in shown_to(session, ann)
    assert "Ann (before: AhAdKc/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def test_a_part_of_a_board_that_was_shown_and_is_replaced_is_told(session: Session, host: Phone) -> None:
    """Ann is still laying cards when all others are in: two rows are shown, and then they are others."""
    ann = shown_with(session, Rows(STRONG.front, STRONG.middle, ""))
    assert 'value="Ah Ad Kc"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert ann.send(1, QUEENS).status_code == 200
    assert "changed after Fantasyland" in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert "Ann (before: AhAdKc/2h2d2s3h3d/" in remark(session, entry(s1=QUEENS, s2=PLAIN, s3=WEAK))


def test_who_changes_their_board_after_a_hand_that_was_undone_showed_a_fantasyland_is_told(db: None) -> None:
    """Ann's board lies open. Its last row is taken away, then Bob's board is another, then that row is back."""
    session = start("Ann Bob")
    settle(session, entry(s1=STRONG, s2=PLAIN))
    settle(session, entry(s1=EARNS, s2=WEAK))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: WEAK})
    client = HostsBrowser()
    for seat, rows in ((1, Rows(EARNS.front, EARNS.middle, "")), (2, PLAIN), (1, EARNS)):
        assert Phone(session, client, own=seat).send(seat, rows).status_code == 200
    page = client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert page.count("other cards than in the hand that was undone") == 1
    assert remark(session, entry(s1=EARNS, s2=PLAIN)) == "Other cards than in hand 2, which was undone: Bob."


def test_a_player_who_goes_on_with_a_board_that_was_shown_in_part_changes_nothing(
    session: Session, host: Phone
) -> None:
    ann = shown_with(session, Rows(STRONG.front, "2h2d", ""))
    assert ann.send(1, Rows(STRONG.front, "", "")).status_code == 200  # takes two cards up,
    ann.send(1, STRONG)  # and lays them down where they were
    assert "changed after" not in shown_to(session, host)
    assert remark(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK)) == ""
    host.open()
    other = Rows(STRONG.front, STRONG.middle, QUEENS.back)
    assert host.send(1, other).status_code == 200
    assert "Ann (before: AhAdKc/2h2d2s3h3d/4h4d4s4c5h)" in remark(session, entry(s1=other, s2=PLAIN, s3=WEAK))


@pytest.mark.parametrize(("rows", "ruling"), [(OTHER, ""), (Rows(), "dead")])
def test_a_player_with_a_link_of_their_own_is_asked_as_well(
    session: Session, host: Phone, rows: Rows, ruling: str
) -> None:
    """The page may show them the board of the other phone, which must not take the place of theirs for that."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    ann.send(1, STRONG)
    host.open().press(1, "Enter them here")
    assert host.send(1, rows, ruling=ruling).status_code == 200
    page = said(ann.ask())
    assert "<dt>This phone</dt><dd>Front AhAdKc" in page
    assert "Keep mine" in page


def test_cards_that_come_after_a_ruling_on_a_hidden_board_are_stored(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    host.open().send(1, Rows(), ruling="dead")
    assert ann.send(1, STRONG).status_code == 200
    draft = Draft.objects.get()
    assert (draft.front, draft.ruling, draft.unchosen) == ("Ah Ad Kc", "dead", [])


def test_a_ruling_after_the_reveal_is_no_change_of_cards(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, board in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        Phone(session).send(seat, board)
    assert host.open().send(2, PLAIN, ruling="dead").status_code == 200
    assert Draft.objects.get(seat__number=2).ruling == "dead"
    assert "changed after" not in shown_to(session, host)
    assert remark(session, entry(s1=STRONG, s2=replace(PLAIN, ruling="dead"), s3=WEAK)) == ""


def test_nobody_rules_on_a_hidden_board_and_deletes_its_cards(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    host.open()
    ann.send(1, STRONG)
    page = host.ask().content.decode()
    assert 'name="p2-ruling"' in host.client.get(f"/s/{session.public_id}/hand/").content.decode()
    for each in (page, host.client.get(f"/s/{session.public_id}/hand/").content.decode()):
        assert 'name="p1-ruling"' not in each
    before = drafts()
    assert host.forge(1, {"p1-ruling": "dead"}).status_code == 200  # a page of an earlier release asked for it
    assert (drafts(), Draft.objects.get().ruling) == (before, "")
    assert 'name="p1-ruling"' in host.press(1, "Enter them here").content.decode()


def test_a_player_chooses_whether_a_hidden_board_of_another_phone_takes_the_place_of_theirs(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann = Phone(session)
    ann.send(1, STRONG)
    host.open().press(1, "Enter them here")
    host.send(1, OTHER)
    page = said(ann.ask())
    assert "<dt>Other phone</dt><dd>3 of 13, hidden</dd>" in page
    assert "<dt>This phone</dt><dd>Front AhAdKc" in page
    assert ann.press(1, "Keep mine").status_code == 200
    assert drafts()[1][0] == "Ah Ad Kc"


@pytest.fixture
def hidden_behind_another(session: Session, host: Phone) -> Rows:
    """Cat's board, which stays hidden, as they know Ann's, which is shown with one row: both are in Fantasyland."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=QUEENS))
    ann, cat = tied(session, 1), tied(session, 3)
    ann.send(1, Rows(STRONG.front, "", ""))
    cat.send(3, AWAY)
    host.open().send(2, PLAIN)
    assert [(each.seat.number, each.hidden) for each in Draft.objects.select_related("seat").order_by("seat")] == [
        (1, False), (2, False), (3, True),
    ]  # fmt: skip
    return AWAY


@pytest.mark.parametrize("typed", ["as it is", "otherwise"])
def test_neither_marks_nor_history_tell_of_a_hidden_board_that_an_opponent_replaced(
    session: Session, bob: Phone, hidden_behind_another: Rows, typed: str
) -> None:
    rows = hidden_behind_another if typed == "as it is" else QUEENS
    bob.open().press(3, "Enter them here")
    assert bob.send(3, rows).status_code == 200
    at = f"/s/{session.public_id}/hand/"
    assert "changed after Fantasyland" not in bob.client.get(at).content.decode()
    boards = {1: STRONG, 2: PLAIN, 3: rows}
    page = form(bob.client.get(at)).fill(fields_of(boards)).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert remarked(session.events.get(verb="settle", deal=2)) == ""


def test_no_count_tells_whether_a_hidden_board_has_a_ruling(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    counted = []
    for ruling in (None, "dead"):
        Draft.objects.all().delete()
        first, second = Phone(session), Phone(session)
        first.send(1, STRONG, ruling=ruling)
        assert second.send(1, Rows()).status_code == 409
        before = Draft.objects.get().revision
        second.forge(1, {"theirs": "1"})
        counted.append(Draft.objects.get().revision - before)
    assert counted[0] == counted[1]


def test_a_hand_that_nobody_changed_after_the_reveal_has_no_note(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((2, PLAIN), (3, WEAK), (1, STRONG)):
        Phone(session).send(seat, rows)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert remarked(session.events.get(verb="settle", deal=2)) == ""


def test_cards_that_are_put_into_another_order_after_the_reveal_are_no_change(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((2, PLAIN), (3, WEAK), (1, STRONG)):
        Phone(session).send(seat, rows)
    opened = form(host.client.get(f"/s/{session.public_id}/hand/"))
    page = opened.fill(fields_of({2: TURNED})).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    assert remarked(session.events.get(verb="settle", deal=2)) == ""


def test_a_guess_of_a_hidden_board_in_another_order_is_any_guess(session: Session) -> None:
    """What a phone is answered, and what it hears after that, is the same whether it guessed the cards or not."""
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann, *others = (Phone(session) for _ in range(3))
    ann.send(1, PLAIN)
    answers = []
    for guess, phone in zip((TURNED, STRONG), others, strict=True):
        page = phone.send(1, guess)
        answers.append((page.status_code, "data-taken" in page.content.decode(), Draft.objects.get().revision))
    assert answers == [(409, True, 2), (409, True, 3)]


def voided(session: Session) -> None:
    act(ledger.void_deal, session, number=1, note="misdeal")


def corrected(session: Session) -> None:
    act(ledger.correct_deal, session, number=1, entry=LEVEL, note="misread")


def set_otherwise(session: Session) -> None:
    page = form(HostsBrowser().get(f"/s/{session.public_id}/next/"), "Save button and Fantasyland")
    assert page.fill({"p1-cards": "0", "p2-cards": "14", "note": "agreed"}).press().status_code == 302


def sat_out_and_in_again(session: Session) -> None:
    act(SitOut, session, seat=1, insist=True, note="phone call")
    act(SitIn, session, seat=1)


def sat_out(session: Session) -> None:
    act(SitOut, session, seat=1, insist=True, note="phone call")


ENDS = [undone, voided, corrected, set_otherwise, sat_out_and_in_again, sat_out]
"""What makes Ann's Fantasyland in hand 2 end before that hand is played."""


@pytest.mark.parametrize("ends", ENDS)
def test_a_hidden_board_stays_hidden_whatever_becomes_of_the_hand_before(
    host: Phone, session: Session, ends: Callable[[Session], None]
) -> None:
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    bob.send(2, Rows("AhKsKd", "", ""))
    ends(session)
    assert not of_ann(shown_to(session, host, bob, cat))
    guessed = host.send(1, STRONG)  # nor is a guess of the whole board told to be right
    assert guessed.status_code == (204 if ends is sat_out else 409)
    if ends is not sat_out:
        assert of_ann(shown_to(session, ann))
    draft = Draft.objects.get(seat__number=1)
    assert (draft.revealed, draft.when_shown) == (False, "")


@pytest.mark.parametrize("ends", [undone, set_otherwise])
def test_a_board_that_stayed_hidden_is_shown_when_all_others_are_in(
    host: Phone, session: Session, ends: Callable[[Session], None]
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    host.open()
    ann.send(1, STRONG)
    ends(session)
    host.ask()
    assert "Ann was in Fantasyland, on another phone: done." in shown_to(session, host)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    assert 'value="Ah Ad Kc"' in host.ask().content.decode()
    bob.send(2, Rows("2c8d9c", PLAIN.middle, PLAIN.back))
    assert "changed after Fantasyland was shown" in shown_to(session, host)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert remarked(session.events.get(verb="settle", deal=2)) == told


def test_a_hand_that_is_undone_and_restored_shows_no_hidden_board_and_none_that_was_shown_is_hidden(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, STRONG)
    for change in (undone, restored):
        change(session)
        assert not of_ann(shown_to(session, host, bob, cat))
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    for change in (voided, restored):
        change(session)
        assert of_ann(shown_to(session, host))


def restored(session: Session) -> None:
    act(ledger.restore_deal, session, number=1, note="was right")


def test_what_was_sent_before_a_player_came_into_fantasyland_stays_seen_and_the_rest_is_hidden(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    undone(session)
    ann, bob = Phone(session), tied(session, 2)
    ann.send(1, Rows(STRONG.front, "", ""))
    restored(session)
    for page in (shown_to(session, host), shown_to(session, bob)):
        assert "Ah Ad" in page  # everybody has seen it
    ann.send(1, STRONG)
    assert not of_ann(shown_to(session, host, bob))
    assert of_ann(shown_to(session, ann))


def test_rows_of_a_player_who_is_dealt_in_after_the_reveal_are_told_and_recorded(host: Phone, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, STRONG)
    act(SitOut, session, seat=3, insist=True, note="phone call")
    bob.send(2, PLAIN)
    assert of_ann(shown_to(session, host))
    act(SitIn, session, seat=3, insist=True, note="back")
    cat.send(3, WEAK)
    assert shown_to(session, ann).count("changed after Fantasyland was shown")
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Cat (before: nothing)."
    assert remarked(session.events.get(verb="settle", deal=2)) == told
