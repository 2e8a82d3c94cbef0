"""A hand that was undone: its cards lie on the pad again, and its Fantasyland tells nothing of the next one."""

import html
import re
from dataclasses import replace
from typing import Any

import pytest

from scoring import ledger
from scoring.actions.people import SitIn, SitOut
from scoring.drafts import lay_again, put_away
from scoring.game.entry import Entry, Rows
from scoring.models import Draft, Session
from scoring.rules.board import ROWS
from tests.drafts.conftest import (
    EARNS,
    Phone,
    Send,
    drafts,
    fields_of,
    lay,
    of_ann,
    remark,
    revision,
    said,
    shown_to,
    shown_with,
    tied,
    undone,
)
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, remarked, settle, start
from tests.pages import form

ANEW = {1: STRONG, 2: FOUL, 3: Rows("7h8d9c", "6h6d8s9dTs", "7s7d8h8cTc")}


def ask_all(phone: Phone) -> str:
    """What has changed, as the page of a phone asks for it."""
    return html.unescape(phone.ask().content.decode())


def show(phone: Phone) -> Any:
    """Opens the hand on this phone, and presses the button that shows Ann's cards."""
    return phone.open().press(1, "Show the cards")


def hidden(session: Session, seat: int) -> bool:
    """Whether what lies there for a seat is hidden from other phones."""
    return Draft.objects.get(number=session.next_number, seat__number=seat).hidden


def test_after_an_undo_the_fantasyland_of_a_new_deal_is_shown_once_a_scorer_says_so(
    session: Session, host: Phone, again: Send
) -> None:
    """The boards of the undone hand lie there still, complete. Then all have sent the new deal."""
    again(1, ANEW[1])
    assert not of_ann(shown_to(session, host, tied(session, 2)))
    again(2, ANEW[2])
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    again(3, ANEW[3])
    assert not of_ann(shown_to(session, host))
    assert "Everyone is in." in ask_all(host)
    assert host.press(1, "Show the cards").status_code == 200
    assert of_ann(shown_to(session, host))
    told = remark(session, entry(**{f"s{seat}": rows for seat, rows in ANEW.items()}))
    assert told == "Other cards than in hand 2, which was undone: Ann; Bob; Cat."


def test_after_an_undo_pad_and_history_tell_who_changed_a_new_deal_once_it_was_shown(
    session: Session, host: Phone, again: Send
) -> None:
    for seat, rows in ANEW.items():
        again(seat, rows)
    assert show(host).status_code == 200
    swapped = Rows("9d8d7h", "6h6d8cTs8s", "7s7d8h9cTc")
    again(3, swapped)
    page = html.unescape(host.client.get(f"/s/{session.public_id}/hand/").content.decode())
    assert page.count("changed after Fantasyland was shown") == 1
    assert page.count("other cards than in the hand that was undone") == 2
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2], s3=swapped))
    assert told.split(". ") == [
        "Changed after Fantasyland was shown: Cat (before: 7h8d9c/6h6d8s9dTs/7s7d8h8cTc)",
        "Other cards than in hand 2, which was undone: Ann; Bob; Cat.",
    ]


@pytest.mark.parametrize("rows", [{1: replace(EARNS, front="QsQd4h")}, {2: EARNS, 1: PLAIN}, {1: STRONG}])
def test_a_board_of_the_undone_hand_that_is_mended_is_shown_if_a_scorer_says_so_and_the_hand_can_be_settled(
    session: Session, host: Phone, again: Send, rows: dict[int, Rows]
) -> None:
    """Somebody misread a row, or all of them, or two boards were mistaken for each other."""
    for seat, board in rows.items():
        again(seat, board)
    assert "Ann’s Fantasyland stays hidden: other players’ cards here are still from undone hand 2." in html.unescape(
        host.client.get(f"/s/{session.public_id}/").content.decode()
    )
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    assert show(host).status_code == 200
    assert not Draft.objects.get(number=session.next_number, seat__number=1).hidden
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, f"Settle hand {session.next_number}").press().status_code == 302
    note = remarked(session.events.get(verb="settle", deal=session.next_number))
    mended = "; ".join(name for seat, name in ((1, "Ann"), (2, "Bob")) if seat in rows)
    assert note == f"Other cards than in hand 2, which was undone: {mended}."


def test_who_sends_a_board_after_a_scorer_has_had_fantasyland_shown_is_told(
    session: Session, host: Phone, again: Send
) -> None:
    """Nobody but Ann had sent the new deal, and the cards of the others were still those of the hand before."""
    again(1, ANEW[1])
    assert show(host).status_code == 200
    assert of_ann(shown_to(session, host))
    again(2, ANEW[2])
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2], s3=WEAK))
    assert told.startswith("Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs). Other")
    act(ledger.restore_deal, session, number=2, note="was right")
    session.refresh_from_db()
    put_away(session=session, number=2)  # so those cards were those of another hand, and Bob had sent none of this one
    told = remark(session, entry(s1=ANEW[1], s2=ANEW[2]))
    assert told == "Changed after Fantasyland was shown: Bob (before: nothing)."


def test_no_board_is_shown_by_a_press_while_another_is_missing_or_by_a_player_or_to_an_older_page(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, ANEW[1])
    for seat in (1, 2):
        assert tied(session, seat).forge(1, {"show": "1"}).status_code == 403
    older = Phone(session)
    older.forge(1, {"show": "1", "number": "2"})
    again(3, Rows(WEAK.front, WEAK.middle, ""))
    assert "Show Ann’s cards only if" not in ask_all(host)
    assert older.press(1, "Show the cards").status_code == 200
    assert not of_ann(shown_to(session, host))


MENDED = replace(EARNS, front="QsQd4h")
THIRD = Rows("5s6s7c", "6c9h9sThQh", "JsJdJcTdQc")
"""A board that has no card of `ANEW`'s first two, `PLAIN` and `STRONG`."""


@pytest.mark.parametrize(
    "sent",
    [
        [replace(PLAIN, front="QsQd3s"), Rows("QsQd3s", "6h6d8s9dKh", PLAIN.back)],
        [Rows("QsQd3s", "KhKsAc2c3c", "7h7d8h8cAs")],
        [replace(PLAIN, **{row: ""}) for row in ROWS],
        [replace(PLAIN, ruling="dead"), PLAIN],
        [ANEW[2]],
    ],
    ids=["row by row", "a card of each row", "cleared", "a ruling taken back", "another board"],
)
def test_nothing_that_phones_send_after_an_undo_shows_a_fantasyland_by_itself(
    session: Session, host: Phone, again: Send, sent: list[Rows]
) -> None:
    again(1, STRONG)
    again(3, THIRD)
    for rows in sent:
        again(2, rows)
        assert hidden(session, 1)


def two_in_fantasyland() -> Session:
    """Ann and Bob, whose hand lies there again after an undo. Both were in Fantasyland."""
    session = start("Ann Bob")
    settle(session, entry(s1=STRONG, s2=Rows("QsQc6c", "KhKs7c7d8h", "AsAc9h9s9d")))
    settle(session, entry(s1=EARNS, s2=PLAIN))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN})
    return session


def test_after_an_undo_two_fantasylands_stay_hidden_from_each_other(db: None) -> None:
    """Bob replaces one card of thirteen, which hides the whole board."""
    session = two_in_fantasyland()
    for seat, rows in ((1, STRONG), (2, replace(PLAIN, front="7s8dTd"))):
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert hidden(session, 1)
    assert hidden(session, 2)


def test_a_ruling_of_the_undone_hand_shows_nothing_of_the_next(session: Session, host: Phone) -> None:
    """With it, every board that Bob sends is done."""
    dead = replace(PLAIN, ruling="dead")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=dead, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: dead, 3: WEAK})
    bob = tied(session, 2)
    for seat, rows in ((1, STRONG), (3, THIRD)):
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert bob.send(2, Rows("QsQd3s", "", "")).status_code == 200
    assert hidden(session, 1)


STAYS = Rows("QsQd3c", "3d3h3s2c2s", "KhKsKdKc5d")
"""A board with which a player stays in Fantasyland."""


@pytest.fixture
def stays(session: Session) -> Send:
    """As `again`, of a hand after which Ann is in Fantasyland once more."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: STAYS, 2: PLAIN, 3: WEAK})

    def send(seat: int, rows: Rows) -> None:
        lay(session, seat, rows, Draft.objects.get(number=session.next_number, seat__number=seat).revision)

    return send


def counts_again(session: Session) -> None:
    """Hand 2 counts again."""
    act(ledger.restore_deal, session, number=2, note="was right")
    session.refresh_from_db()
    put_away(session=session, number=2)


def test_a_restoration_shows_no_board_while_another_has_rows_of_the_undone_hand(session: Session, stays: Send) -> None:
    for seat, rows in ((1, STRONG), (3, THIRD), (2, replace(PLAIN, front="QsQd3s"))):
        stays(seat, rows)
    counts_again(session)
    assert hidden(session, 1)


def test_a_mended_board_that_was_shown_leaves_the_next_one_hidden_once_the_hand_counts_again(
    session: Session, host: Phone, stays: Send
) -> None:
    """And no player is told as having changed what was of another hand."""
    stays(1, replace(STAYS, front="QsQd4d"))
    assert show(host).status_code == 200
    counts_again(session)
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, THIRD)):
        stays(seat, rows)
        assert hidden(session, 1)
    assert remark(session, entry(s1=STRONG, s2=ANEW[2], s3=THIRD)) == ""
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_cards_that_only_a_form_has_are_told_if_they_come_after_a_reveal(
    session: Session, host: Phone, stays: Send
) -> None:
    stays(1, STRONG)
    assert show(host).status_code == 200
    counts_again(session)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(fields_of({2: ANEW[2], 3: THIRD}))
    assert form(page.press("Show the settlement"), "Settle hand 3").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: nothing); Cat (before: nothing)."
    assert remarked(session.events.filter(verb="settle").latest("n")) == told


def test_a_player_who_comes_back_after_a_reveal_and_is_entered_in_the_form_is_told(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    tied(session, 3).send(3, THIRD)
    act(SitOut, session, seat=2, insist=True, note="phone call")
    assert show(host).status_code == 200
    act(SitIn, session, seat=2, insist=True, note="is back")
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).fill(fields_of({2: PLAIN}))
    assert form(page.press("Show the settlement"), "Settle hand 2").press().status_code == 302
    told = "Changed after Fantasyland was shown: Bob (before: nothing)."
    assert remarked(session.events.filter(verb="settle").latest("n")) == told


def test_one_press_shows_both_fantasylands_so_that_neither_player_changes_theirs_unseen(db: None) -> None:
    """Bob is in Fantasyland as well, and the only one who may press."""
    session = two_in_fantasyland()
    bob = Phone(session)
    lay(session, 1, STRONG, revision(session, 1))
    assert bob.open().send(2, ANEW[3]).status_code == 200
    assert show(bob).status_code == 200
    assert not hidden(session, 2)
    assert bob.open().send(2, ANEW[2]).status_code == 200
    page = form(bob.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 3").press().status_code == 302
    assert "Bob (before: 7h8d9c" in remarked(session.events.filter(verb="settle").latest("n"))


def test_after_an_undo_nobody_learns_which_cards_a_hidden_board_has(session: Session, host: Phone, again: Send) -> None:
    """Otherwise Bob could send one card after the other."""
    again(1, STRONG)
    again(3, THIRD)
    bob, at = tied(session, 2), f"/s/{session.public_id}/seat/2/"
    seen = set()
    for card in ("Ah", "Qs", "2h", "5h"):
        assert bob.open().send(2, replace(PLAIN, front=f"7s8d{card}")).status_code == 200
        whose = re.sub(r"^.*?<main", "", said(bob.client.get(at)), flags=re.DOTALL)
        seen.add(("on the table twice" in whose, "stays hidden" in whose, "data-withheld" in whose))
    assert seen == {(False, True, False)}
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_a_board_of_which_a_row_is_of_the_undone_hand_is_called_so(session: Session, host: Phone, again: Send) -> None:
    """The pad sends each row as it is replaced, so that nobody presses while Cat is still typing."""
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, replace(WEAK, front=ANEW[3].front))):
        again(seat, rows)
    assert "Show Ann’s cards only if you are entering hand 2 again." in ask_all(host)
    again(3, ANEW[3])
    assert "Everyone is in." in ask_all(host)


def test_a_player_in_fantasyland_who_presses_before_they_have_sent_theirs_is_told(db: None) -> None:
    """Bob's board of the undone hand counts as there. The new one is hidden when Bob settles, and lies open then."""
    session = two_in_fantasyland()
    bob, at = Phone(session), f"/s/{session.public_id}/hand/"
    lay(session, 1, STRONG, revision(session, 1))
    assert show(bob).status_code == 200
    assert bob.open().send(2, ANEW[2]).status_code == 200
    assert hidden(session, 2)
    assert "changed after" not in said(bob.client.get(at))
    assert form(form(bob.client.get(at)).press("Show the settlement"), "Settle hand 3").press().status_code == 302
    assert "Bob (before: 7s8d9c" in remarked(session.events.filter(verb="settle").latest("n"))


def test_a_hand_that_was_begun_before_an_undo_shows_nothing_by_itself_once_the_undone_hand_counts_again(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    counts_again(session)
    lay(session, 3, replace(WEAK, front="5s6cJh"), revision(session, 3))
    assert hidden(session, 1)


def test_every_page_says_that_a_scorer_has_to_show_the_cards(session: Session, host: Phone, again: Send) -> None:
    for seat, rows in ANEW.items():
        again(seat, rows)
    for page in ("", "screen/", "seat/2/"):
        told = said(host.client.get(f"/s/{session.public_id}/{page}"))
        assert "Ann’s Fantasyland stays hidden until a host or a scorer presses “Show the cards” or settles" in told


def test_a_new_deal_that_one_phone_enters_tells_nothing_of_the_undone_hand(session: Session, host: Phone) -> None:
    """Bob's front was mended after the reveal in hand 2. Nothing is hidden from the phone that enters hand 3."""

    def enter(boards: list[tuple[int, Rows]], number: int) -> None:
        for seat, rows in boards:
            assert host.open().send(seat, rows).status_code == 200
        page = host.client.get(f"/s/{session.public_id}/hand/")
        assert ("changed after" in said(page)) is (number == 2)
        settling = form(form(page).press("Show the settlement"), f"Settle hand {number}")
        assert settling.press().status_code == 302
        session.refresh_from_db()

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    enter([(1, EARNS), (2, replace(PLAIN, front="2h8d9c")), (3, WEAK), (2, PLAIN)], 2)
    assert "Bob (before: 2h8d9c" in remarked(session.events.filter(verb="settle").latest("n"))
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    enter(list(ANEW.items()), 3)
    told = "Other cards than in hand 2, which was undone: Ann; Bob; Cat."
    assert remarked(session.events.filter(verb="settle").latest("n")) == told


def test_a_row_of_the_undone_hand_makes_nobody_forget_what_was_told_of_another(
    session: Session, host: Phone, stays: Send
) -> None:
    """It is put into Ann's board and taken away again, around the restoration."""
    swapped = Rows("9d8d7h", "6h6d8cTs8s", "7s7d8h9cTc")
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, ANEW[3])):
        stays(seat, rows)
    assert show(host).status_code == 200
    stays(3, swapped)
    stays(1, replace(STRONG, front=STAYS.front))
    counts_again(session)
    stays(1, STRONG)
    assert not hidden(session, 1)
    assert "Cat (before: 7h8d9c" in remark(session, entry(s1=STRONG, s2=ANEW[2], s3=swapped))


def test_a_hand_that_was_begun_before_an_undo_shows_no_fantasyland_by_itself(session: Session, host: Phone) -> None:
    """Its boards stay where they are, and some may be typed for the undone hand now."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, STRONG)
    at = f"/s/{session.public_id}/"
    assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((2, ANEW[2]), (3, THIRD)):
        lay(session, seat, rows)
    assert hidden(session, 1)
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_a_mended_board_that_was_shown_stays_so_if_the_next_hand_is_no_fantasyland(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, MENDED)
    assert show(host).status_code == 200
    counts_again(session)
    assert not hidden(session, 1)
    for seat, rows in ((1, STRONG), (2, ANEW[2]), (3, THIRD)):
        again(seat, rows)
        assert not hidden(session, 1)


def test_a_phone_that_shows_the_undone_hand_asks_nobody_about_the_next_once_it_counts_again(
    session: Session, host: Phone, stays: Send
) -> None:
    host.open()
    stays(1, STRONG)
    counts_again(session)
    assert "entered on two phones" not in said(host.ask())


@pytest.mark.parametrize("undo", [True, False])
def test_a_player_who_sits_out_when_fantasyland_is_shown_has_changed_nothing(
    session: Session, host: Phone, undo: bool
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    if undo:
        settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
        undone(session)
        assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    else:
        lay(session, 3, WEAK)
        lay(session, 2, PLAIN)
    act(SitOut, session, seat=3, insist=True, note="phone call")
    lay(session, 1, MENDED, revision(session, 1) if undo else 0)
    if undo:  # or else it is shown by itself, and there is nothing to press
        assert show(host).status_code == 200
    assert not hidden(session, 1)
    assert "Cat" not in remark(session, entry(s1=MENDED, s2=PLAIN))


def test_a_board_that_was_shown_in_part_and_is_another_in_the_form_is_told(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    tied(session, 1).send(1, Rows("AhAdKc", "", ""))
    for seat, rows in ((2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    assert not hidden(session, 1)
    assert remark(session, entry(s1=Rows("AhAdKc", STRONG.middle, STRONG.back), s2=PLAIN, s3=WEAK)) == ""
    told = remark(session, entry(s1=replace(STRONG, front="QsQd3c"), s2=PLAIN, s3=WEAK))
    assert told == "Changed after Fantasyland was shown: Ann (before: AhAdKc//)."


def test_two_undos_tell_nothing_of_the_later_hand(session: Session, host: Phone) -> None:
    """Hand 3 was shown, and then settled by points alone."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK))
    for seat, rows in ANEW.items():
        lay(session, seat, rows)
    settle(session, Entry(points=((1, 2, 3), (1, 3, 0), (2, 3, 0))))
    for _ in range(2):
        at = f"/s/{session.public_id}/"
        assert form(host.client.get(at), action=f"{at}undo/").press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK)) == ""


def test_an_undo_that_is_sent_again_lays_no_cleared_board_once_more(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    undo = form(host.client.get(f"/s/{session.public_id}/"), action=f"/s/{session.public_id}/undo/")
    assert undo.press().status_code == 302
    session.refresh_from_db()
    lay(session, 2, Rows(), Draft.objects.get(seat__number=2).revision)
    assert undo.press().status_code == 302
    assert drafts()[2] == ("", "", "")


def test_a_player_who_was_not_dealt_in_has_no_other_cards_than_in_the_undone_hand(
    session: Session, host: Phone
) -> None:
    """Cat sat out, and had begun the hand after that."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(SitOut, session, seat=3, insist=True, note="phone call")
    settle(session, entry(s1=STAYS, s2=PLAIN))
    act(SitIn, session, seat=3, insist=True, note="is back")
    lay(session, 3, WEAK)
    lay(session, 3, Rows(), 1)
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: STAYS, 2: PLAIN})
    assert remark(session, entry(s1=STAYS, s2=PLAIN, s3=WEAK)) == ""


@pytest.mark.parametrize("pressed", ["Show the settlement", "Settle hand 3"])
def test_what_was_open_before_a_player_mended_their_fantasyland_settles_no_older_board(
    session: Session, host: Phone, again: Send, pressed: str
) -> None:
    page = form(host.client.get(f"/s/{session.public_id}/hand/"))
    if pressed == "Settle hand 3":
        page = form(page.press("Show the settlement"), pressed)
    again(1, MENDED)
    answer = page.press(pressed)
    assert answer.status_code == 422
    assert "Ann is in Fantasyland, on another phone: done." in said(answer)
    assert 'name="p1-front" value=""' in answer.content.decode()
    if pressed == "Settle hand 3":
        assert "Not settled yet. Another phone has changed the cards of Ann." in said(answer)


def test_the_history_names_who_has_other_cards_if_one_phone_mends_and_settles(
    session: Session, host: Phone, again: Send
) -> None:
    assert host.send(1, MENDED).status_code == 200
    table = said(host.client.get(f"/s/{session.public_id}/"))
    assert "stays hidden" not in table  # this phone need not wait for anybody
    assert "See who pays whom" in table
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 3").press().status_code == 302
    told = "Other cards than in hand 2, which was undone: Ann."
    assert remarked(session.events.get(verb="settle", deal=3)) == told


def test_a_board_that_a_phone_sends_without_having_seen_that_an_undone_hand_lies_there_is_shown_to_nobody(
    session: Session, host: Phone
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    ann = tied(session, 1)
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    assert ann.send(1, STRONG).status_code == 409
    assert not of_ann(shown_to(session, host, tied(session, 2)))
    assert ann.press(1, "Keep mine").status_code == 200
    assert not of_ann(shown_to(session, host))


def test_nobody_has_other_cards_if_the_hand_is_settled_by_points_or_without_them(
    session: Session, host: Phone, again: Send
) -> None:
    assert remark(session, Entry(points=((1, 2, 3), (1, 3, 0), (2, 3, 0)))) == ""
    assert remark(session, entry(s1=EARNS, s2=PLAIN)) == ""  # Cat sits out


def test_what_was_told_of_an_undone_hand_is_not_told_of_a_new_deal(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((1, EARNS), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("2h8d9c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    session.refresh_from_db()
    undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: other, 3: WEAK})
    for seat, rows in ANEW.items():
        lay(session, seat, rows, Draft.objects.get(number=3, seat__number=seat).revision)
    assert show(host).status_code == 200
    told = remark(session, entry(**{f"s{seat}": rows for seat, rows in ANEW.items()}))
    assert told == "Other cards than in hand 2, which was undone: Ann; Bob; Cat."


@pytest.mark.parametrize("rows", [PLAIN, ANEW[2]])
def test_a_board_is_shown_by_a_press_if_the_last_who_was_missing_sits_out(
    session: Session, host: Phone, again: Send, rows: Rows
) -> None:
    """No phone has to send anything any more, and so none would show it."""
    again(1, ANEW[1])
    if rows != PLAIN:
        again(2, rows)
    again(3, Rows())
    assert not of_ann(shown_to(session, host))
    act(SitOut, session, seat=3, insist=True, note="phone call")
    assert ("are still from hand 2, which was undone" in ask_all(host)) is (rows == PLAIN)
    assert ("are still from undone hand 2" in host.client.get(f"/s/{session.public_id}/").content.decode()) is (
        rows == PLAIN
    )
    assert not of_ann(shown_to(session, host))
    assert show(host).status_code == 200
    assert of_ann(shown_to(session, host))


def test_a_dead_hand_is_in_though_the_cards_of_an_undone_hand_lie_in_it(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, ANEW[1])
    again(3, THIRD)
    again(2, replace(PLAIN, ruling="dead"))
    assert "Everyone is in." in ask_all(host)
    assert show(host).status_code == 200
    assert not hidden(session, 1)


def test_who_left_after_a_reveal_and_took_their_cards_along_is_told(session: Session, host: Phone) -> None:
    shown_with(session, STRONG)
    told = "Changed after Fantasyland was shown: Bob (before: 7s8d9c/6h6d8s9dTc/7h7d8h8cTs)."
    assert remark(session, entry(s1=STRONG, s3=WEAK)) == told


def test_after_two_undos_the_hand_whose_cards_lie_there_is_named(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=EARNS, s2=PLAIN, s3=WEAK))
    settle(session, LEVEL)
    for _ in range(2):
        undone(session)
    assert lay_again(session=session, undone=2, boards={1: EARNS, 2: PLAIN, 3: WEAK})
    host.open()
    lay(session, 1, MENDED, base=1)
    assert "are still from hand 2, which was undone" in ask_all(host)
    assert "which was undone: Ann." in remark(session, entry(s1=MENDED, s2=PLAIN, s3=WEAK))
    here = f"/s/{session.public_id}/hands/2/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=MENDED, s2=PLAIN, s3=WEAK)) == ""


def test_without_a_script_a_scorer_shows_a_board_by_a_form(session: Session, host: Phone, again: Send) -> None:
    again(1, MENDED)
    answer = form(host.client.get(f"/s/{session.public_id}/hand/"), "Show the cards").press("Show the cards")
    assert (answer.status_code, answer["Location"]) == (302, f"/s/{session.public_id}/hand/")
    assert not Draft.objects.get(seat__number=1).hidden


def test_a_page_of_somebodys_own_cards_says_why_a_board_stays_hidden(
    session: Session, host: Phone, again: Send
) -> None:
    again(1, MENDED)
    page = said(tied(session, 2).client.get(f"/s/{session.public_id}/seat/2/"))
    assert "Ann’s Fantasyland stays hidden: other players’ cards here are still from undone hand 2." in page


def test_a_closed_session_shows_no_hidden_board(session: Session, host: Phone, again: Send) -> None:
    again(1, STRONG)
    host.open()
    act(ledger.close_session, session)
    assert not of_ann(host.press(1, "Show the cards").content.decode())
    assert Draft.objects.get(seat__number=1).hidden


def test_no_undo_lays_boards_over_a_hand_whose_fantasyland_was_shown(session: Session, host: Phone) -> None:
    """All boards were taken back by then, but what was shown of them was shown."""
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    for seat, rows in ((1, EARNS), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    for seat in (1, 2, 3):
        lay(session, seat, Rows(), base=1)
    undone(session)
    assert not lay_again(session=session, undone=1, boards={1: STRONG, 2: PLAIN, 3: WEAK})


@pytest.mark.parametrize("language", ["en", "fi", "zh-hans"])
def test_the_pad_reads_in_every_language_how_far_a_hidden_board_is(
    session: Session, host: Phone, language: str
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    host.client.cookies["language"] = language
    for rows, away in ((Rows(STRONG.front, STRONG.middle, ""), "8"), (STRONG, "done")):
        lay(session, 1, rows, base=1)
        page = host.client.get(f"/s/{session.public_id}/hand/").content.decode()
        assert f'data-away="{away}"' in page


def test_a_change_that_was_told_is_told_of_the_same_hand_after_an_undo(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, bob, cat = Phone(session), tied(session, 2), tied(session, 3)
    ann.send(1, EARNS)
    cat.send(3, WEAK)
    bob.send(2, PLAIN)
    other = Rows("2h8d9c", PLAIN.middle, PLAIN.back)
    assert bob.send(2, other).status_code == 200
    page = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert form(page, "Settle hand 2").press().status_code == 302
    told = remarked(session.events.get(verb="settle", deal=2))
    assert "Bob (before: " in told
    session.refresh_from_db()
    act(ledger.undo, session)
    session.refresh_from_db()
    assert lay_again(session=session, undone=session.deals, boards={1: EARNS, 2: other, 3: WEAK})
    assert remark(session, entry(s1=EARNS, s2=other, s3=WEAK)) == told


def test_a_restoration_that_is_sent_again_forgets_no_change_after_the_reveal(host: Phone, session: Session) -> None:
    """The phone that restored the hand got no answer, and sends again while the next hand is entered."""

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # Ann goes to Fantasyland
    act(ledger.undo, session)
    here = f"/s/{session.public_id}/hands/1/restore/"
    restoring = form(host.client.get(here), action=here)
    assert restoring.press().status_code == 302
    session.refresh_from_db()
    for seat, rows in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("7s 8d 2c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    said = remark(session, entry(s1=STRONG, s2=other, s3=WEAK))
    assert said.startswith("Changed after Fantasyland was shown: Bob")
    assert restoring.press().status_code == 302
    assert remark(session, entry(s1=STRONG, s2=other, s3=WEAK)) == said


def test_a_restoration_after_the_next_hand_was_shown_forgets_no_change_and_hides_no_board(
    host: Phone, session: Session
) -> None:
    """Hand 2 was undone, hand 3 is being entered, and its Fantasyland was shown. Then hand 2 counts again."""

    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))  # Ann goes to Fantasyland
    settle(session, entry(s1=EARNS, s2=WEAK, s3=PLAIN))  # and stays there
    act(ledger.undo, session)
    session.refresh_from_db()
    for seat, rows in ((1, STRONG), (2, PLAIN), (3, WEAK)):
        lay(session, seat, rows)
    other = Rows("7s 8d 2c", PLAIN.middle, PLAIN.back)
    lay(session, 2, other, base=1)
    said = remark(session, entry(s1=STRONG, s2=other, s3=WEAK))
    assert said.startswith("Changed after Fantasyland was shown: Bob")
    here = f"/s/{session.public_id}/hands/2/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    session.refresh_from_db()
    assert remark(session, entry(s1=STRONG, s2=other, s3=WEAK)) == said


def test_once_an_undone_hand_counts_again_its_cards_leave_the_pads_that_show_them(
    host: Phone, session: Session
) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.undo, session)
    session.refresh_from_db()
    assert lay_again(session=session, undone=session.deals, boards={1: STRONG, 2: PLAIN, 3: WEAK})
    here = f"/s/{session.public_id}/hands/1/restore/"
    host.open()
    assert form(host.client.get(here), action=here).press().status_code == 302
    page = host.ask().content.decode()
    assert re.findall(r'name="p1-(front|middle|back)" value="([^"]*)"', page) == [(row, "") for row in ROWS]
    assert host.client.get(f"/s/{session.public_id}/").content.decode().count("Everyone is in") == 0


def test_a_mended_board_of_the_undone_hand_leaves_the_pads_once_that_counts_again(
    session: Session, host: Phone, bob: Phone
) -> None:
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards={1: WEAK, 2: PLAIN, 3: FOUL})
    mended = replace(PLAIN, front="7s 8d Jh")
    assert bob.open().send(2, mended).status_code == 200
    new = Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s")
    assert bob.send(3, new).status_code == 200
    here = f"/s/{session.public_id}/hands/1/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    assert {seat for seat, rows in drafts().items() if any(rows)} == {3}
    assert "1 of 3 players is in" in said(host.client.get(f"/s/{session.public_id}/"))


def test_a_new_board_with_the_front_of_the_undone_hand_stays_when_that_counts_again(
    session: Session, host: Phone, bob: Phone
) -> None:
    """Three ranks are often the same in two hands."""
    boards = {1: Rows("QJ4", "33578", "TT952"), 2: Rows("AK9", "22568", "JJ743"), 3: Rows("K87", "44669", "QQT53")}
    settle(session, Entry(boards=boards))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards=boards)
    new = Rows("AK9", "77885", "TT962")
    assert bob.open().send(2, new).status_code == 200
    here = f"/s/{session.public_id}/hands/1/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302
    assert {seat for seat, rows in drafts().items() if any(rows)} == {2}


def restore(host: Phone, number: int = 1) -> None:
    here = f"/s/{host.session.public_id}/hands/{number}/restore/"
    assert form(host.client.get(here), action=here).fill({"note": "was right"}).press().status_code == 302


def laid(session: Session, boards: dict[int, Rows]) -> None:
    """A hand with these boards that was settled and undone, so that they lie on the pads."""
    settle(session, Entry(boards=boards))
    undone(session)
    assert lay_again(session=session, undone=session.deals, boards=boards)


def compact(seat: int) -> tuple[str, ...]:
    return tuple(row.replace(" ", "") for row in drafts()[seat])


DEAD = Rows(ruling="dead")
NEW = Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s")


@pytest.mark.parametrize("typed", [replace(NEW, middle="", back=""), replace(NEW, middle=""), replace(NEW, back="")])
def test_a_board_that_is_half_typed_stays_when_a_hand_in_which_that_seat_had_no_cards_counts_again(
    session: Session, host: Phone, typed: Rows
) -> None:
    laid(session, {1: STRONG, 2: PLAIN, 3: DEAD})
    assert tied(session, 3).send(3, typed).status_code == 200
    restore(host)
    assert compact(3) == (typed.front, typed.middle, typed.back)


@pytest.mark.parametrize("was", [DEAD, replace(WEAK, ruling="dead")])
def test_a_ruling_of_the_undone_hand_goes_once_that_counts_again(session: Session, host: Phone, was: Rows) -> None:
    """The player's phone does not ask for a ruling, so it could not take that one back."""
    laid(session, {1: PLAIN, 2: FOUL, 3: was})
    cat = tied(session, 3)
    assert cat.send(3, NEW).status_code == 200
    assert Draft.objects.get(seat__number=3).ruling == "dead"  # which a preview names
    restore(host)
    assert Draft.objects.get(seat__number=3).ruling == ""
    assert compact(3) == (NEW.front, NEW.middle, NEW.back)


def test_a_ruling_of_the_next_hand_stays_when_a_player_enters_a_new_board(session: Session, host: Phone) -> None:
    laid(session, {1: PLAIN, 2: FOUL, 3: WEAK})
    cat = tied(session, 3)
    assert host.open().send(3, WEAK, ruling="dead").status_code == 200
    assert cat.open().send(3, NEW).status_code == 200
    restore(host)
    assert Draft.objects.get(seat__number=3).ruling == "dead"


def test_a_ruling_that_was_taken_back_and_made_again_is_one_of_the_next_hand(session: Session, host: Phone) -> None:
    laid(session, {1: PLAIN, 2: FOUL, 3: replace(WEAK, ruling="dead")})
    new = Rows("QhQc4d", "2h2d4h4s9h", "AhAd6c6sTd")
    host.open()
    assert host.send(3, new, ruling="").status_code == 200
    assert host.send(3, new, ruling="dead").status_code == 200
    preview = form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement")
    assert "Only these boards are of hand 1, which does not count any more: Ann and Bob." in said(preview)
    restore(host)
    assert Draft.objects.get(seat__number=3).ruling == "dead"


@pytest.mark.parametrize("was", [DEAD, replace(WEAK, ruling="dead")])
def test_a_ruling_that_was_switched_there_and_back_without_new_cards_is_of_the_undone_hand(
    session: Session, host: Phone, was: Rows
) -> None:
    laid(session, {1: PLAIN, 2: FOUL, 3: was})
    host.open()
    for ruling in ("", "dead"):
        assert host.send(3, replace(was, ruling=""), ruling=ruling).status_code == 200
    restore(host)
    assert (Draft.objects.get(seat__number=3).ruling, compact(3)) == ("", ("", "", ""))


@pytest.mark.parametrize("new", [{3}, {1, 2, 3}], ids=["beside boards of that hand", "all boards are new"])
def test_a_preview_names_the_ruling_of_an_undone_hand_on_new_cards(
    session: Session, host: Phone, new: set[int]
) -> None:
    boards = {1: Rows("QJ4", "33578", "TT952"), 2: Rows("AK9", "22568", "JJ743"), 3: Rows("K87", "44669", "QQT53")}
    dead = {1, 2, 3} if len(new) > 1 else {3}
    laid(session, {seat: replace(rows, ruling="dead" if seat in dead else "") for seat, rows in boards.items()})
    anew = {1: Rows("K32", "77Q95", "AA64T"), 2: Rows("Q52", "99J36", "KK84T"), 3: Rows("J96", "88A24", "KQQ75")}
    for seat in new:
        assert tied(session, seat).send(seat, anew[seat]).status_code == 200
    preview = said(form(host.client.get(f"/s/{session.public_id}/hand/")).press("Show the settlement"))
    who = "Ann, Bob and Cat" if len(new) > 1 else "Cat"
    assert f"The ruling on {who} is from hand 1, which does not count any more." in preview
    assert ("Only these boards are of hand 1, which does not count any more: Ann and Bob." in preview) == (len(new) < 2)
    assert "Its cards are entered again" not in preview


@pytest.mark.parametrize(
    "mended",
    [Rows("AK9", "JJ743", "22568"), Rows("AK9", "2256J", "8J743"), Rows("9KA", "2556J", "8J743")],
    ids=["two rows the wrong way round", "two cards the wrong way round", "others"],
)
def test_a_board_by_ranks_whose_rows_are_mixed_up_is_of_the_undone_hand(
    session: Session, host: Phone, bob: Phone, mended: Rows
) -> None:
    laid(
        session, {1: Rows("QJ4", "33578", "TT952"), 2: Rows("AK9", "22568", "JJ743"), 3: Rows("K87", "44669", "QQT53")}
    )
    assert bob.open().send(2, mended).status_code == 200
    restore(host)
    of_it = sorted(mended.middle + mended.back) == sorted("22568" + "JJ743")
    assert {seat for seat, rows in drafts().items() if any(rows)} == (set() if of_it else {2})


def test_boards_that_were_moved_to_other_seats_leave_the_pads_once_the_undone_hand_counts_again(
    session: Session, host: Phone, bob: Phone
) -> None:
    laid(session, {1: WEAK, 2: PLAIN, 3: FOUL})
    bob.open()
    assert bob.send(1, PLAIN).status_code == 200
    assert bob.send(2, replace(WEAK, front="QsQh3s")).status_code == 200
    restore(host)
    assert {seat for seat, rows in drafts().items() if any(rows)} == set()


def test_a_new_board_with_a_row_that_another_seat_had_stays_when_the_undone_hand_counts_again(
    session: Session, host: Phone, bob: Phone
) -> None:
    boards = {1: Rows("QJ4", "33522", "56789"), 2: Rows("AK9", "22568", "JJ743"), 3: Rows("K87", "44669", "QQT53")}
    laid(session, boards)
    assert bob.open().send(2, Rows("J32", "AA84T", "56789")).status_code == 200
    restore(host)
    assert {seat for seat, rows in drafts().items() if any(rows)} == {2}


def test_every_page_that_says_who_is_in_says_whose_cards_of_an_undone_hand_are(session: Session, host: Phone) -> None:
    laid(session, {1: STRONG, 2: PLAIN, 3: WEAK})
    told = "Hand 1 was undone. Its cards are entered again as hand 2."
    at = f"/s/{session.public_id}/"
    for page in ("", "screen/", "seat/1/"):
        assert told in said(host.client.get(f"{at}{page}"))
    assert told in said(form(host.client.get(f"{at}hand/")).press("Show the settlement"))
    ann = tied(session, 1)
    assert told in said(ann.client.get(f"{at}seat/1/"))
    assert ann.send(1, NEW).status_code == 200
    assert told not in said(ann.client.get(f"{at}seat/1/"))
    assert told in said(host.client.get(at))


def test_a_front_by_ranks_says_of_no_new_board_that_it_is_of_the_undone_hand(session: Session, host: Phone) -> None:
    """Three ranks are often the same in two hands."""
    boards = {1: Rows("QJ4", "33578", "TT952"), 2: Rows("AK9", "22568", "JJ743"), 3: Rows("K87", "44669", "QQT53")}
    laid(session, boards)
    host.open()
    new = {1: Rows("QJ4", "77885", "TT962"), 2: Rows("A32", "KKQ94", "55AJ7"), 3: Rows("J32", "AA84T", "99KQ6")}
    for seat, rows in new.items():
        assert host.send(seat, rows).status_code == 200
    assert "undone" not in said(host.client.get(f"/s/{session.public_id}/"))
