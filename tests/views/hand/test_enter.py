"""The next hand: typed, previewed, and settled once."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from scoring import ledger, reads
from scoring.actions.base import TableAction
from scoring.actions.people import Join, Leave, SitOut
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.drafts import keep
from scoring.game.entry import Entry, Rows
from scoring.models import Deal, Draft, Session, Transfer
from scoring.views.hand.same import same_deal
from tests.conftest import HostsBrowser
from tests.drafts.conftest import Phone, fields_of
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, points, settle, start
from tests.pages import Form, follow, form, post_nothing, text
from tests.views.books.test_undo import undo


def fields(**boards: Rows) -> dict[str, str]:
    """What is typed into the fields of a hand: fields(s1=PLAIN) fills those of seat 1."""
    return {
        f"p{seat[1:]}-{row}": text
        for seat, rows in boards.items()
        for row in ("front", "middle", "back", "ruling")
        if (text := getattr(rows, row))
    }


HAND = fields(s1=PLAIN, s2=WEAK, s3=FOUL)
COUNTED = {"points-2-3": "5", "points-2-3-to": "3", "points-1-2": "4", "points-1-2-to": "2"}
LOWER = {"points-1-2": "4", "points-1-3": "3", "points-1-3-to": "3", "points-2-3": "2"}
OTHERS = fields(s1=Rows("QQ7", "AA44J", "89TJQ"), s2=Rows("KQ3", "33552", "66677"), s3=Rows("T98", "JJ762", "99K42"))
"""None of these rows is one of `HAND`."""
OTHERS_DEALT = entry(
    s1=Rows("QQ7", "AA44J", "89TJQ"), s2=Rows("KQ3", "33552", "66677"), s3=Rows("T98", "JJ762", "99K42")
)
LEVEL_BY_RANKS = Entry(
    boards={
        seat: Rows(*(re.sub("[^2-9TJQKA]", "", row) for row in (rows.front, rows.middle, rows.back)))
        for seat, rows in LEVEL.boards.items()
    }
)
"""`LEVEL`, typed without suits."""
FLUSHES = (
    entry(s1=Rows("AsKd4s", "2h2d5c6c8d", "Tc9c4c3cQc"), s2=Rows("QhJh5h", "3d3h7c8sKh", "Jd7d5d4dAd")),
    entry(s1=Rows("AK4", "22568", "T943Qf"), s2=Rows("QJ5", "3378K", "J754Af")),
)
"""A hand of two with flushes, with suits and by ranks."""
ROTATED = (
    entry(s1=Rows("AsKd4s", "2h2d5c6c8d", "Tc9d4h3cQs"), s2=Rows("QhJh5h", "3d3h7c8sKh", "Jd7s5d4dAc")),
    entry(s1=Rows("QJ5", "3378K", "J754A"), s2=Rows("AK4", "22568", "T943Q")),
)
"""A hand of two with suits, and by ranks at the wrong seats."""
BETWEEN = entry(s1=Rows("Q87", "AA44J", "89TJQ"), s2=Rows("KQ3", "33552", "66677"), s3=Rows("T98", "JJ762", "99K42"))
"""Leads nobody to Fantasyland, which would hide boards."""
ANOTHER = {
    1: STRONG,
    2: Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s"),
    3: Rows("JsJdJc", "3d3h3s2c2s", "KhKsKdKc5d"),
}
"""Boards of which no row is in `LEVEL` or `OTHERS`."""


def address(session: Session) -> str:
    return f"/s/{session.public_id}/hand/"


def opened(client: Client, session: Session, typed: dict[str, str] = HAND) -> Form:
    """The form of the next hand, of its cards or of its points, with this typed into it."""
    page = client.get(address(session))
    if any(name.startswith("points-") for name in typed):
        page = follow(page, "Enter points instead of cards")
    return form(page, "Show the settlement").fill(typed)


def previewed(client: Client, session: Session, typed: dict[str, str] = HAND) -> Form:
    """The form under the preview of what was typed; its button settles the hand."""
    return form(opened(client, session, typed).press())


def test_players_stand_clockwise_from_under_the_gun(client: Client, session: Session) -> None:
    page = client.get(address(session)).content.decode()
    places = [page.index(f"<legend>{name}") for name in ("Bob", "Cat", "Ann")]
    assert places == sorted(places)
    assert page.index("has the button") > places[2]


def test_the_preview_settles_nothing(client: Client, session: Session) -> None:
    response = opened(client, session).press()
    page = response.content.decode()
    assert response.status_code == 200
    assert "Preview – not saved yet" in page
    assert "<strong>Cat</strong> pays <strong>Bob</strong>" in page
    assert "The button moves to Bob." in page
    assert not Deal.objects.exists()


def test_one_tap_settles_and_goes_to_the_hand(client: Client, session: Session) -> None:
    response = previewed(client, session).press("Settle hand 1")
    assert response["Location"] == f"/s/{session.public_id}/hands/1/"
    assert points(session) == {1: 12, 2: 0, 3: -12}


def test_what_the_preview_offers_is_what_settles(client: Client, session: Session) -> None:
    typed = {**HAND, "p3-ruling": "dead"}
    offered = previewed(client, session, typed).fields()
    for name, value in {**typed, "number": "1", "version": "1"}.items():
        assert offered[name] == [value]


@pytest.mark.parametrize("typed", [{**HAND, "p3-ruling": "dead"}, COUNTED, LOWER])
def test_the_preview_leads_back_to_everything_that_was_typed(
    client: Client, session: Session, typed: dict[str, str]
) -> None:
    first = opened(client, session, typed)
    preview = first.press()
    again = form(follow(preview, "Edit"), "Show the settlement")
    assert again.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    assert again.fields()["key"] == first.fields()["key"]
    assert form(again.press()).press()["Location"] == f"/s/{session.public_id}/hands/1/"


def test_sent_twice_it_settles_once(client: Client, session: Session) -> None:
    settling = previewed(client, session)
    first, second = settling.press(), settling.press()
    assert first["Location"] == second["Location"]
    assert Deal.objects.count() == 1
    assert Transfer.objects.count() == 3


@pytest.mark.parametrize("typed", [HAND, COUNTED, LOWER])
@pytest.mark.parametrize("others", [0, 1])
def test_sent_again_the_button_under_the_preview_leads_to_the_same_hand(
    client: Client, session: Session, typed: dict[str, str], others: int
) -> None:
    """A repeated POST leads to the same hand even if the order of players has changed and the next hand is settled as
    well.
    """
    entering = opened(client, session, typed)
    settling = form(entering.press())
    first = settling.press()
    assert first["Location"] == f"/s/{session.public_id}/hands/1/"
    for _ in range(others):
        session.refresh_from_db()
        settle(session)
    again = settling.press()
    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert entering.press()["Location"] == first["Location"]
    assert Deal.objects.count() == 1 + others


@pytest.mark.parametrize("counted", [False, True])
def test_sent_again_where_somebody_else_sits_out_by_then(client: Client, db: None, counted: bool) -> None:
    four = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    typed = {"points-1-3": "5"} if counted else fields(s1=PLAIN, s2=WEAK, s3=Rows(ruling="dead"))
    entering = opened(client, four, typed)
    settling = form(entering.press())
    for _ in range(2):
        response = settling.press()
        assert (response.status_code, response["Location"]) == (302, f"/s/{four.public_id}/hands/1/")
    assert entering.press()["Location"] == f"/s/{four.public_id}/hands/1/"
    assert Deal.objects.count() == 1


@pytest.mark.parametrize("seats", ["", "2,3", "2,3,1,1", "3,2,9", "-1,0", "2;3;1", "x", "2,3,1,"])
def test_a_forged_list_of_seats_is_not_believed(client: Client, session: Session, seats: str) -> None:
    """The form's list of seats never decides who is dealt in; the table does."""
    for typed in (HAND, COUNTED):
        shown = opened(client, session, typed).forge({"seats": seats})
        assert form(shown).fields()["seats"] == ["2,3,1"]
    response = previewed(client, session).forge({"seats": seats})
    assert response.status_code == (422 if seats == "2,3" else 302)
    assert Deal.objects.count() == (seats != "2,3")


def test_points_are_kept_when_the_lineup_has_changed(client: Client, session: Session) -> None:
    preview = opened(client, session, COUNTED).press()
    act(SetNext, session, button=2, note="we moved it")
    again = form(follow(preview, "Edit"), "Show the settlement").fields()
    assert (again["points-2-3"], again["points-1-2"]) == (["5"], ["4"])


def test_the_preview_of_a_hand_that_was_settled_is_that_hand(client: Client, session: Session) -> None:
    entering = opened(client, session)
    form(entering.press()).press()
    assert entering.press()["Location"] == f"/s/{session.public_id}/hands/1/"
    # The same cards in a form that was opened afterwards are another hand.
    later = opened(client, session)
    preview = later.press()
    assert form(preview, "Settle hand 2").fields()["key"] == later.fields()["key"] != entering.fields()["key"]
    assert "since this form was opened" not in preview.content.decode()


def test_a_settled_hand_with_another_card_is_to_be_corrected_not_settled_again(
    client: Client, session: Session
) -> None:
    entering = opened(client, session)
    form(entering.press()).press()
    response = entering.fill({"p1-front": "7s8d2d"}).press()
    page = response.content.decode()
    assert response.status_code == 409
    assert "Open it to correct it." in page
    assert "7s8d2d" in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    assert 'name="key"' not in page


@pytest.mark.parametrize("counted", [False, True])
def test_the_settlement_of_nothing_is_refused(client: Client, session: Session, counted: bool) -> None:
    asked = opened(client, session, {"points-2-3": ""} if counted else {}).press()
    assert asked.status_code == 422
    assert "Nothing is entered yet." in asked.content.decode()


@pytest.mark.parametrize("typed", [HAND, COUNTED])
def test_a_hand_that_another_phone_has_settled_is_not_the_next(
    client: Client, session: Session, typed: dict[str, str]
) -> None:
    """Another phone's settlement counts as this hand under any key, from the preview as well as from the form."""
    entering = opened(client, session, typed)
    preview = entering.press()
    previewed(HostsBrowser(), session, typed).press()
    assert Deal.objects.count() == 1
    assert entering.press()["Location"] == f"/s/{session.public_id}/hands/1/"
    assert follow(preview, "Edit")["Location"] == f"/s/{session.public_id}/hands/1/"


def test_a_hand_that_another_phone_has_settled_with_another_card_is_to_be_corrected(
    client: Client, session: Session
) -> None:
    entering = opened(client, session, {**HAND, "p1-front": "7s8d2d"})
    preview = entering.press()
    previewed(HostsBrowser(), session).press()
    for late in (entering.press(), follow(preview, "Edit")):
        assert late.status_code == 409
        assert "Open it to correct it." in late.content.decode()
        assert "7s8d2d" in late.content.decode()


@pytest.mark.parametrize("changed", [{}, {"p1-front": "", "p1-ruling": "dead"}])
def test_a_hand_that_was_taken_back_is_entered_again_as_the_next(
    client: Client, session: Session, changed: dict[str, str]
) -> None:
    entering = opened(client, session)
    form(entering.press()).press()
    act(ledger.undo, session)
    page = entering.fill(changed).press()
    assert "Preview – not saved yet" in page.content.decode()
    assert form(page).press()["Location"] == f"/s/{session.public_id}/hands/2/"


def test_a_stale_button_after_the_hand_was_taken_back_keeps_what_was_typed(client: Client, session: Session) -> None:
    entering = opened(client, session)
    settling = form(entering.press())
    other = form(entering.fill({"p1-front": "7s8d2d"}).press())
    settling.press()
    act(ledger.undo, session)
    response = other.press()
    assert response.status_code == 409
    assert 'value="7s8d2d"' in response.content.decode()


@pytest.mark.parametrize("moves", [SitOut, Leave])
def test_the_cards_of_a_player_who_is_not_dealt_in_any_more_are_shown_as_not_saved(
    client: Client, session: Session, moves: type[TableAction]
) -> None:
    entering = opened(client, session)
    settling = form(entering.press())
    typed = entering.fields()
    bobs = " / ".join(typed[f"p2-{row}"][0] for row in ("front", "middle", "back"))
    act(moves, session, seat=2)
    late = settling.press()
    assert late.status_code == 409
    for page in (late, entering.press()):
        assert f"Not saved: Bob {bobs}" in " ".join(page.content.decode().split())


def test_the_points_of_a_player_who_is_not_dealt_in_any_more_are_shown_as_not_saved(
    client: Client, session: Session
) -> None:
    settling = form(opened(client, session, COUNTED).press())
    act(SitOut, session, seat=2)
    late = " ".join(settling.press().content.decode().split())
    assert "Not saved: Bob and Cat: 5 to Cat" in late
    assert "Not saved: Ann and Bob: 4 to Bob" in late


def test_other_cards_in_the_form_of_a_settled_hand_are_the_next_hand_and_say_so(
    client: Client, session: Session
) -> None:
    entering = opened(client, session)
    form(entering.press()).press()
    shown = entering.fill(OTHERS).press()
    said = f'<a href="/s/{session.public_id}/hands/1/">Hand 1 was settled</a> meanwhile.'
    assert f"{said} These cards would become hand 2." in shown.content.decode()
    assert form(shown).press()["Location"] == f"/s/{session.public_id}/hands/2/"


def test_a_hand_whose_number_was_settled_and_taken_back_meanwhile_says_what_has_happened(
    client: Client, session: Session
) -> None:
    entering = opened(client, session)
    settle(session)
    act(ledger.undo, session)
    shown = entering.press()
    assert "Since this hand was begun: Hand 1 settledUndone: Number 2: hand 1 settled." in text(shown)
    assert "It would become hand 2. Make sure that it has not been settled before." in text(shown)
    settle(session, OTHERS_DEALT)
    shown = entering.press()
    assert shown.status_code == 200
    assert "Hand 2 settled" in text(shown)
    assert "It would become hand 3." in text(shown)
    assert form(shown).press()["Location"] == f"/s/{session.public_id}/hands/3/"


def test_other_cards_than_those_of_the_hand_that_was_taken_back_are_not_called_its_cards(
    client: Client, session: Session
) -> None:
    settling = previewed(client, session)
    settle(session, OTHERS_DEALT)
    act(ledger.undo, session)
    late = settling.press()
    assert late.status_code == 409
    assert "Its cards are entered again" not in text(late)
    assert "Hand 1 settled" in text(late)
    assert "Undone: Number 2: hand 1 settled." in text(late)


def test_a_hand_whose_number_was_taken_back_and_others_settled_since_is_told_all_of_it(
    client: Client, session: Session
) -> None:
    settling = previewed(client, session)
    settle(session, OTHERS_DEALT)
    act(ledger.void_deal, session, number=1, note="misdeal")
    settle(session, OTHERS_DEALT)
    for amount in (100, 200, 300):
        act(SideBet, session, payer=1, payee=2, amount=amount, note="Pizza")
    late = settling.press()
    assert late.status_code == 409
    assert "Hand 1 was settled meanwhile, and does not count any more." in text(late)
    assert "has been settled already" not in text(late)
    assert "any more.Hand 1 settledHand 1 voidedHand 2 settledSide bet: Ann pays Bob 1.00" in text(late)


@pytest.mark.parametrize("cards", [True, False])
def test_the_cards_of_a_hand_that_was_voided_meanwhile_are_entered_again_and_all_changes_are_told(
    client: Client, session: Session, cards: bool
) -> None:
    typed = HAND if cards else COUNTED
    settling = previewed(client, session, typed)
    previewed(client, session, typed).press()
    act(ledger.void_deal, session, number=1, note="misdeal")
    act(ChangeTerms, session, stake=300)
    late = settling.press()
    assert late.status_code == 409
    said = text(late)
    assert f"Hand 1 was voided. Its {'cards' if cards else 'points'} are entered again as hand 2." in said
    assert "was undone" not in said
    assert "Since this hand was begun: Hand 1 settledHand 1 voidedStakes or rules changed" in said
    preview = text(form(late, "Show the settlement").press())
    assert ("Hand 1 was voided." in preview, "was undone" in preview) == (cards, False)


@pytest.mark.parametrize("typed", [HAND, COUNTED], ids=["cards", "points"])
@pytest.mark.parametrize("where", ["late", "undone", "previewed again"])
def test_a_hand_that_was_taken_back_and_counts_again_is_not_settled_twice(
    client: Client, session: Session, typed: dict[str, str], where: str
) -> None:
    """The form says that the hand is entered again under the next number, and then the hand itself is restored."""
    settling = previewed(client, session, typed)
    previewed(client, session, typed).press()
    if where == "undone":
        again = form(client.get(undo(client, session).press()["Location"]), "Show the settlement")
    else:
        act(ledger.void_deal, session, number=1, note="misdeal")
        again = form(settling.press(), "Show the settlement")
        again = form(again.press()) if where == "previewed again" else again
    act(ledger.restore_deal, session, number=1, note="no misdeal")
    before = points(session)
    assert again.press()["Location"] == f"/s/{session.public_id}/hands/1/"
    assert points(session) == before


def test_points_are_still_there_after_a_look_at_the_cards(client: Client, session: Session) -> None:
    typed = {**COUNTED, "points-1-3-to": "3"}
    cards = opened(client, session, typed).press("Enter cards instead")
    assert "p1-front" in form(cards, "Show the settlement").fields()
    again = form(follow(cards, "Enter points instead of cards"), "Show the settlement").fields()
    assert {name: again[name] for name in typed} == {name: [text] for name, text in typed.items()}


def test_points_of_a_hand_that_was_taken_back_and_counts_again_are_late(client: Client, session: Session) -> None:
    """The page that asks for points was opened from the one with the cards of the undone hand."""
    settle(session)
    cards = client.get(undo(client, session).press()["Location"])
    pointing = form(follow(cards, "Enter points instead of cards"), "Show the settlement").fill(COUNTED)
    act(ledger.restore_deal, session, number=1, note="no misdeal")
    late = pointing.press()
    assert late.status_code == 409
    assert "Hand 1 is already settled." in text(late)


@pytest.mark.parametrize("taken_back", [ledger.void_deal, ledger.undo])
def test_cards_that_count_already_are_said_to_count_twice(client: Client, session: Session, taken_back: Any) -> None:
    """The page was opened after the hand was taken back, and the hand is restored meanwhile."""
    settle(session)
    said = "Hand 1 counts with the same cards already. They would count twice."
    act(taken_back, session, **({"number": 1, "note": "misdeal"} if taken_back is ledger.void_deal else {}))
    entering = opened(client, session)
    shown = entering.press()
    assert said not in text(shown)
    act(ledger.restore_deal, session, number=1, note="no misdeal")
    assert said in text(entering.press())
    late = form(shown).press()
    assert late.status_code == 409
    assert said in text(form(late, "Show the settlement").press())
    assert said not in text(opened(client, session, OTHERS).press())


@pytest.mark.parametrize("restored", [0, 1], ids=["", "which counts again"])
def test_a_hand_that_lies_on_a_page_stays_there_when_an_earlier_one_is_undone(
    client: Client, session: Session, restored: int
) -> None:
    """No phone has sent other cards than those that people see on this page."""
    settle(session)
    settle(session, OTHERS_DEALT)
    shown = form(client.get(undo(client, session).press("Undo hand 2")["Location"]), "Show the settlement")
    assert shown.fields()["p1-front"] == [OTHERS["p1-front"]]
    undo(client, session).press("Undo hand 1")
    if restored:
        here = f"/s/{session.public_id}/hands/1/restore/"
        form(client.get(here), action=here).fill({"note": "no misdeal"}).press()
    preview = shown.press()
    assert "Hand 2 was undone. Its cards are entered again as hand 3." in text(preview)
    assert ("Undone: " in text(preview)) == (not restored)
    assert form(preview).press()["Location"] == f"/s/{session.public_id}/hands/3/"
    session.refresh_from_db()
    settled = reads.counting(session, 3)
    assert settled is not None
    assert same_deal(settled.entry, OTHERS_DEALT.as_document())


@pytest.mark.parametrize("begun", ["undone", "voided", "previewed"])
@pytest.mark.parametrize("sent", [(3,), (1, 2, 3)])
def test_no_page_is_filled_up_with_boards_of_a_later_hand(
    client: Client, session: Session, begun: str, sent: tuple[int, ...]
) -> None:
    """It shows the boards of one hand, which nobody has touched since, and another hand was settled meanwhile."""
    session.refresh_from_db()
    if begun == "voided":
        for seat, rows in LEVEL.boards.items():
            keep(session=session, number=1, seat=seat, rows=rows, base=0, device="a phone")
        shown = form(client.get(address(session)), "Show the settlement")
        settle(session, LEVEL)
        act(ledger.void_deal, session, number=1, note="misdeal")
    else:
        settle(session, LEVEL)
        shown = form(client.get(undo(client, session).press()["Location"]), "Show the settlement")
        shown = form(shown.press()) if begun == "previewed" else shown
        settle(session, BETWEEN)
    session.refresh_from_db()
    for seat in sent:
        keep(
            session=session,
            number=session.next_number,
            seat=seat,
            rows=ANOTHER[seat],
            base=0,
            device="another phone",
        )
    kept = form(shown.press(), action=address(session)).fields()
    typed = fields_of(LEVEL.boards)
    assert {name: kept[name][0].replace(" ", "") for name in typed} == typed


@pytest.mark.parametrize("taken_back", ["undone", "voided"])
@pytest.mark.parametrize("by", ["a phone", "typing"])
def test_no_page_with_one_board_is_filled_up_with_that_of_a_later_hand(
    client: Client, db: None, taken_back: str, by: str
) -> None:
    two = start("Ann Bob")
    at = f"/s/{two.public_id}/hand/"
    if by == "a phone":
        keep(session=two, number=1, seat=1, rows=TWO_DEALT[1], base=0, device="a phone")
    shown = form(client.get(at), "Show the settlement")
    shown = shown.fill(fields_of({1: TWO_DEALT[1]})) if by == "typing" else shown
    settle(two, Entry(boards=TWO_DEALT))
    if taken_back == "undone":
        undo(client, two).press("Undo hand 1")
    else:
        act(ledger.void_deal, two, number=1, note="misdeal")
    two.refresh_from_db()
    later = Draft.objects.filter(number=2, seat__number=2).first()
    base = later.revision if later else 0
    new = Rows("QT5", "44668", "QQ92A")
    keep(session=two, number=2, seat=2, rows=new, base=base, device="another phone")
    for _ in range(2):
        answer = shown.press("Show the settlement")
        assert answer.status_code == 422
        shown = form(answer, "Show the settlement")
        kept = shown.fields()
        assert (kept["p1-front"][0].replace(" ", ""), kept["p2-front"]) == ("AK4", [""])


TWO_DEALT = {1: Rows("AK4", "22568", "TT943"), 2: Rows("KQ9", "33578", "JJ75A")}
"""A hand of two by ranks."""


@pytest.mark.parametrize("opened_after", [False, True])
def test_a_preview_of_boards_of_two_hands_says_which_are_of_the_one_that_was_undone(
    client: Client, db: None, opened_after: bool
) -> None:
    """Another phone has begun the next hand over the boards that an undo laid on the pad."""
    two = start("Ann Bob")
    at = f"/s/{two.public_id}/hand/"
    settle(two, Entry(boards=TWO_DEALT))
    shown = client.get(at)
    undo(client, two).press("Undo hand 1")
    two.refresh_from_db()
    said = "Only these boards are of hand 1, which does not count any more: Ann. Look at the cards before you settle."
    assert "Only these boards" not in text(form(client.get(at), "Show the settlement").press())
    base = Draft.objects.get(number=2, seat__number=2).revision
    new = Rows("K73", "99J52", "AA374")
    keep(session=two, number=2, seat=2, rows=new, base=base, device="another phone")
    shown = client.get(at) if opened_after else shown
    assert said in text(form(shown, "Show the settlement").press())


def test_a_page_of_the_next_hand_is_not_filled_up_with_a_mended_board_of_the_undone_one(
    client: Client, db: None
) -> None:
    two = start("Ann Bob")
    settle(two, Entry(boards=TWO_DEALT))
    typing = form(client.get(f"/s/{two.public_id}/hand/"), "Show the settlement")
    undo(client, two).press("Undo hand 1")
    two.refresh_from_db()
    base = Draft.objects.get(number=2, seat__number=2).revision
    mended = Rows("KQ9", "33578", "JJ76A")
    keep(session=two, number=2, seat=2, rows=mended, base=base, device="another phone")
    answer = typing.fill(fields_of({1: Rows("QT5", "44668", "QQ92A")})).press()
    assert answer.status_code == 422
    assert form(answer, "Show the settlement").fields()["p2-front"] == [""]


def test_no_phone_is_said_to_have_entered_what_an_undo_laid_there(client: Client, session: Session) -> None:
    typing = opened(client, session, OTHERS)
    settle(session)
    undo(client, session).press("Undo hand 1")
    shown = typing.press()
    assert shown.status_code == 200
    assert "were entered on two phones" not in text(shown)


@pytest.mark.parametrize(("by_suits", "by_ranks"), [FLUSHES, ROTATED], ids=["flushes", "at other seats"])
@pytest.mark.parametrize("suits_first", [True, False])
def test_a_hand_counts_already_if_it_has_flushes_or_its_boards_lie_at_other_seats(
    client: Client, db: None, by_suits: Entry, by_ranks: Entry, suits_first: bool
) -> None:
    two = start("Ann Bob")
    first, second = (by_suits, by_ranks) if suits_first else (by_ranks, by_suits)
    settle(two, first)
    shown = opened(client, two, fields_of(second.boards)).press()
    assert "Hand 1 counts with the same cards already." in text(shown)


def test_a_new_hand_with_three_ranks_of_a_settled_one_is_the_next_hand(client: Client, session: Session) -> None:
    typing = opened(client, session, {})
    settle(session, OTHERS_DEALT)
    alike = {1: Rows("QQ7", "AA33J", "9TJQK"), 2: Rows("KA3", "22552", "88677"), 3: Rows("984", "TT762", "55K43")}
    assert typing.fill(fields_of(alike)).press().status_code == 200


def test_a_hand_that_was_typed_is_not_replaced_by_an_older_one_that_is_undone(client: Client, session: Session) -> None:
    typing = opened(client, session, OTHERS)
    settle(session, LEVEL)
    settling = form(typing.press())
    settle(session, OTHERS_DEALT)
    undo(client, session).press("Undo hand 2")
    settling = form(settling.press(), "Settle hand 3")
    undo(client, session).press("Undo hand 1")
    late = settling.press()
    assert late.status_code == 409
    assert "Hand 1 was undone. Its cards are entered again" not in text(late)
    assert "Hand 1 was settled meanwhile" not in text(late)
    assert "Not saved The table was changed since" in text(late)
    assert form(late, "Show the settlement").fields()["p1-front"] == ["QQ7"]


def test_the_number_that_refused_a_hand_is_said_not_to_count_any_more(client: Client, session: Session) -> None:
    """The page was begun as hand 1, and previewed as hand 2."""
    typing = opened(client, session, OTHERS)
    settle(session, LEVEL)
    undo(client, session).press()
    settling = form(typing.press(), "Settle hand 2")
    settle(session, LEVEL)
    undo(client, session).press()
    late = text(settling.press())
    assert "Hand 2 was settled meanwhile, and does not count any more." in late
    assert "has been settled already" not in late


def test_what_a_page_knew_of_is_not_told_as_having_happened_since(client: Client, session: Session) -> None:
    settle(session, LEVEL)
    shown = client.get(undo(client, session).press()["Location"])
    entering = form(shown, "Show the settlement").fill(OTHERS)
    assert "Since this hand was begun" not in text(entering.press())
    settle(session, LEVEL)
    act(ledger.undo, session)
    assert "Since this hand was begun: Hand 2 settledUndone: Number 4: hand 2 settled." in text(entering.press())


def test_the_hand_whose_cards_lie_on_the_page_is_the_one_that_is_named(client: Client, session: Session) -> None:
    """The address of a page names the hand that was undone last when it was opened."""
    settle(session)
    settle(session, OTHERS_DEALT)
    shown = undo(client, session).press("Undo hand 2")["Location"]
    assert "Hand 2 was undone. Its cards are entered again as hand 3." in text(client.get(shown))
    undo(client, session).press("Undo hand 1")
    assert "Hand 1 was undone. Its cards are entered again as hand 3." in text(client.get(shown))
    host = Phone(session, client)
    for seat, rows in {1: WEAK, 2: STRONG, 3: PLAIN}.items():
        host.send(seat, rows)
    assert "entered again" not in text(client.get(shown))


@pytest.mark.parametrize(("first", "second"), [(LEVEL, LEVEL_BY_RANKS), (LEVEL_BY_RANKS, LEVEL)])
def test_a_hand_counts_already_whether_it_was_written_with_suits_or_by_ranks_alone(
    client: Client, session: Session, first: Entry, second: Entry
) -> None:
    settle(session, first)
    said = "Hand 1 counts with the same cards already."
    assert said in text(opened(client, session, fields_of(second.boards)).press())
    act(ledger.void_deal, session, number=1, note="misdeal")
    settle(session, second)
    for _ in range(21):
        settle(session, OTHERS_DEALT)
    assert said.replace("1", "2") in text(client.get(f"/s/{session.public_id}/hands/1/restore/"))


def test_points_that_count_already_are_told_before_they_are_restored(client: Client, session: Session) -> None:
    for _ in range(2):
        settle(session, Entry(points=((1, 2, 5), (1, 3, 3), (2, 3, 2))))
        settle(session, Entry(points=((1, 2, 1), (1, 3, 3), (2, 3, 2))))
        act(ledger.undo, session)
    said = "counts with the same points already. If it is this hand, they would count twice."
    act(ledger.void_deal, session, number=1, note="misdeal")
    assert f"Hand 3 {said}" in text(client.get(f"/s/{session.public_id}/hands/1/restore/"))
    assert said not in text(client.get(f"/s/{session.public_id}/hands/2/restore/"))


def test_a_hand_is_not_restored_unseen_beside_one_with_its_cards(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.undo, session)
    settle(session)
    shown = text(client.get(f"/s/{session.public_id}/hands/1/restore/"))
    assert "Hand 2 counts with the same cards already. They would count twice." in shown
    assert "counts with the same cards" not in text(client.get(f"/s/{session.public_id}/hands/2/void/"))


def test_what_refused_a_hand_is_told_beside_another_that_was_settled_before(client: Client, session: Session) -> None:
    entering = opened(client, session)
    settle(session, OTHERS_DEALT)
    settling = form(entering.press())
    act(ChangeTerms, session, stake=200)
    late = text(settling.press())
    assert "Since this hand was begun: Stakes or rules changed" in late
    assert "was settled meanwhile" not in late


def test_a_hand_that_people_knew_of_is_not_what_refused_the_next(client: Client, session: Session) -> None:
    settle(session)
    settling = form(form(client.get(undo(client, session).press()["Location"]), "Show the settlement").press())
    settle(session, OTHERS_DEALT)
    late = text(settling.press())
    assert "Hand 1 was settled meanwhile" not in late
    assert "Hand 2 settled" in late


def test_other_points_than_those_of_the_hand_that_was_voided_are_not_called_its_points(
    client: Client, session: Session
) -> None:
    settling = previewed(client, session, COUNTED)
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    late = text(settling.press())
    assert "are entered again" not in late
    assert "Hand 1 was settled meanwhile, and does not count any more." in late


def test_points_of_a_hand_that_was_voided_while_a_later_one_counts_are_told_all_of_it(
    client: Client, session: Session
) -> None:
    settling = previewed(client, session, COUNTED)
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    late = settling.press()
    assert late.status_code == 409
    assert "Hand 2 is already settled.Hand 1 settledHand 2 settledHand 1 voided" in text(late)


def test_of_many_changes_a_late_hand_is_told_the_latest_and_that_there_are_more(
    client: Client, session: Session
) -> None:
    settling = previewed(client, session)
    for amount in range(100, 1000, 100):
        act(SideBet, session, payer=1, payee=2, amount=amount, note="Pizza")
    late = text(settling.press())
    assert "The table was changed since this page was opened.…Side bet: Ann pays Bob 2.00" in late
    assert "Side bet: Ann pays Bob 9.00" in late


def test_a_late_hand_is_told_of_new_stakes_beside_a_hand_that_was_settled(client: Client, session: Session) -> None:
    settling = previewed(client, session, OTHERS)
    settle(session)
    act(ChangeTerms, session, stake=300)
    late = settling.press()
    assert late.status_code == 409
    said = text(late)
    assert "Hand 1 settled" in said
    assert "Stakes or rules changed" in said
    assert "It would become hand 2." in said


@pytest.mark.parametrize(
    ("hands", "first"), [(2, "Hand 1 settledHand 2 settled"), (9, "…Hand 2 settledHand 3 settled")]
)
def test_all_hands_that_were_settled_since_a_hand_was_begun_are_told_or_that_there_are_more(
    client: Client, session: Session, hands: int, first: str
) -> None:
    entering = opened(client, session, OTHERS)
    for _ in range(hands):
        settle(session)
    shown = text(entering.press())
    assert f"Since this hand was begun: {first}" in shown
    assert f"Hand {hands} settled It would become hand {hands + 1}." in shown
    assert "Since this hand was begun" not in text(opened(client, session, OTHERS).press())


def test_a_row_that_cannot_be_read_hides_no_hand_that_was_settled_meanwhile(client: Client, session: Session) -> None:
    entering = opened(client, session, OTHERS | {"p1-back": "XX"})
    settle(session)
    refused = entering.press()
    assert refused.status_code == 422
    said = f'<a href="/s/{session.public_id}/hands/1/">Hand 1 was settled</a> meanwhile.'
    assert f"{said} These cards would become hand 2." in refused.content.decode()


@pytest.mark.parametrize(
    ("theirs", "typed"),
    [(COUNTED, {**COUNTED, "points-1-2": "9"}), (HAND, COUNTED), (COUNTED, HAND)],
    ids=["points and points", "cards and points", "points and cards"],
)
def test_a_hand_of_which_points_were_typed_is_not_settled_twice(
    client: Client, session: Session, theirs: dict[str, str], typed: dict[str, str]
) -> None:
    """Points do not tell whether this is the hand that another phone has settled meanwhile, or the next one."""
    entering = opened(client, session, typed)
    previewed(HostsBrowser(), session, theirs).press()
    late = entering.press()
    assert late.status_code == 409
    assert "Hand 1 is already settled. Open it to correct it." in late.content.decode()
    assert "Not saved:" in late.content.decode()
    assert Deal.objects.count() == 1


@pytest.mark.parametrize("mistyped", ["8x", "1.5", "-4", "1234567"])
def test_points_of_a_settled_hand_that_cannot_be_read_are_not_taken_for_the_next_hand(
    client: Client, session: Session, mistyped: str
) -> None:
    entering = opened(client, session, {"points-1-2": mistyped, "points-1-3": "4"})
    settle(session)
    late = entering.press()
    assert late.status_code == 409
    assert "Hand 1 is already settled. Open it to correct it." in late.content.decode()
    assert all(typed in text(late) for typed in ("Not saved:", mistyped, "4"))


BY_RANKS = fields(s1=Rows("789", "6689T", "7788T"), s2=Rows("569", "JQ9T7", "JJQT6"), s3=Rows("QQ3", "KKA23", "JA55K"))
"""`HAND` without suits."""


@pytest.mark.parametrize(
    ("theirs", "typed"),
    [(HAND, BY_RANKS), (BY_RANKS, HAND), (HAND, fields(s1=WEAK, s2=FOUL, s3=PLAIN))],
    ids=["by ranks", "with suits", "at the wrong seats"],
)
def test_the_same_hand_typed_otherwise_is_not_settled_twice(
    client: Client, session: Session, theirs: dict[str, str], typed: dict[str, str]
) -> None:
    entering = opened(client, session, typed)
    previewed(HostsBrowser(), session, theirs).press()
    late = entering.press()
    assert late.status_code == 409
    assert "Hand 1 is already settled. Open it to correct it." in late.content.decode()


def test_the_cards_of_a_later_hand_on_an_older_page_are_not_settled_again(client: Client, session: Session) -> None:
    """This page is still that of hand 1, and another phone has settled hand 1 and then the one that is typed here."""
    entering, mistyped = opened(client, session), opened(client, session, {**HAND, "p1-front": "7s8d2d"})
    previewing = previewed(client, session)
    others = (Rows("QQ7", "AA44J", "89TJQ"), Rows("KQ3", "33552", "66677"), Rows("T98", "JJ762", "99K42"))
    settle(session, entry(**{f"s{seat}": rows for seat, rows in enumerate(others, 1)}))
    previewed(HostsBrowser(), session).press()
    assert entering.press()["Location"] == f"/s/{session.public_id}/hands/2/"
    assert previewing.press()["Location"] == f"/s/{session.public_id}/hands/2/"
    late = mistyped.press()
    assert late.status_code == 409
    assert "Hand 2 is already settled. Open it to correct it." in late.content.decode()
    assert Deal.objects.count() == 2


@pytest.mark.parametrize(
    "typed", [HAND, COUNTED, {**COUNTED, "points-1-2": "8x"}], ids=["cards", "points", "unreadable"]
)
@pytest.mark.parametrize("voided", [False, True], ids=["undone", "voided"])
def test_a_hand_that_was_taken_back_and_entered_again_is_not_entered_a_third_time(
    client: Client, session: Session, typed: dict[str, str], voided: bool
) -> None:
    """Another phone has settled it, taken it back, and settled it as the next one."""
    entering = opened(client, session, typed)
    readable = COUNTED if "points-1-2" in typed else HAND
    previewed(HostsBrowser(), session, readable).press()
    act(ledger.void_deal, session, number=1) if voided else act(ledger.undo, session)
    previewed(HostsBrowser(), session, readable).press()
    late = entering.press()
    if typed == readable:
        assert late["Location"] == f"/s/{session.public_id}/hands/2/"
    else:
        assert late.status_code == 409
        assert "Hand 2 is already settled. Open it to correct it." in text(late)
    assert Deal.objects.count() == 2


@pytest.mark.parametrize("open_page", ["form", "preview"])
@pytest.mark.parametrize("between", [0, 1], ids=["at once", "after another hand"])
@pytest.mark.parametrize("again", [False, True], ids=["corrected", "corrected once more"])
def test_a_hand_that_was_corrected_to_these_cards_is_not_settled_again(
    client: Client, session: Session, open_page: str, between: int, again: bool
) -> None:
    """Another phone has settled it with wrong cards, and then corrected them, perhaps more than once."""
    entering = opened(client, session) if open_page == "form" else previewed(client, session)
    wrong = opened(client, session, {**HAND, "p1-front": "7s8d2d", "p2-middle": "QQJJ8", "p3-middle": "KK234"})
    settle(session, entry(s1=STRONG, s2=FOUL, s3=WEAK))
    act(ledger.correct_deal, session, number=1, entry=entry(s1=PLAIN, s2=WEAK, s3=FOUL), note="the wrong hand")
    if again:
        others = (Rows("QQ7", "AA44J", "89TJQ"), Rows("KQ3", "33552", "66677"), Rows("T98", "JJ762", "99K42"))
        third = entry(**{f"s{seat}": rows for seat, rows in enumerate(others, 1)})
        act(ledger.correct_deal, session, number=1, entry=third, note="once more")
    for _ in range(between):
        settle(session, Entry(points=((1, 2, 4),)))
    answer = entering.press()
    if again and open_page == "preview":
        assert answer.status_code == 409
        assert "See hand 1 as it was settled" in text(answer)
    else:
        assert answer["Location"] == f"/s/{session.public_id}/hands/1/"
    late = wrong.press()
    assert late.status_code == 409
    assert "Hand 1 is already settled. Open it to correct it." in text(late)
    assert Deal.objects.count() == 1 + between


@pytest.mark.parametrize("voided", [False, True], ids=["undone", "voided"])
@pytest.mark.parametrize("open_page", ["form", "preview"])
def test_a_hand_that_was_taken_back_and_entered_again_by_points_is_not_settled_again(
    client: Client, session: Session, open_page: str, voided: bool
) -> None:
    """These may be its cards: the points do not tell."""
    entering = opened(client, session) if open_page == "form" else previewed(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    act(ledger.void_deal, session, number=1) if voided else act(ledger.undo, session)
    settle(session, Entry(points=((1, 2, 4),)))
    late = entering.press()
    assert late.status_code == 409
    assert "Hand 2 is already settled." in text(late)
    assert "Settle hand" not in text(late)
    assert Deal.objects.count() == 2


def test_the_next_hand_is_offered_as_such_from_an_open_preview_too(client: Client, session: Session) -> None:
    previewing = previewed(client, session)
    others = (Rows("QQ7", "AA44J", "89TJQ"), Rows("KQ3", "33552", "66677"), Rows("T98", "JJ762", "99K42"))
    settle(session, entry(**{f"s{seat}": rows for seat, rows in enumerate(others, 1)}))
    late = previewing.press()
    assert late.status_code == 409
    assert "These cards would become hand 2." in late.content.decode()
    assert Deal.objects.count() == 1
    assert form(late).press()["Location"] == f"/s/{session.public_id}/hands/2/"
    assert previewing.press()["Location"] == f"/s/{session.public_id}/hands/2/"
    assert Deal.objects.count() == 2


def test_the_same_key_with_another_hand_is_stale(client: Client, session: Session) -> None:
    entering = opened(client, session)
    settling = form(entering.press())
    other = form(entering.fill({"p1-front": "7s8d2d"}).press())
    settling.press()
    response = other.press()
    page = response.content.decode()
    assert response.status_code == 409
    assert "7s8d2d" in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    assert 'name="key"' not in page
    assert Deal.objects.count() == 1


@pytest.mark.parametrize("typed", [HAND, COUNTED])
def test_a_stale_button_of_a_hand_that_was_settled_with_the_same_cards_leads_to_it(
    client: Client, session: Session, typed: dict[str, str]
) -> None:
    settling = previewed(client, session, typed)
    previewed(HostsBrowser(), session, typed).press()
    assert settling.press()["Location"] == f"/s/{session.public_id}/hands/1/"
    assert Deal.objects.count() == 1
    # Since then it was corrected, so what this phone sent is no longer what is recorded.
    act(ledger.correct_deal, session, number=1, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert settling.press().status_code == 409


def test_a_hand_that_somebody_else_settled_is_stale_and_typed_input_is_kept(client: Client, session: Session) -> None:
    settling = previewed(client, session)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=STRONG))
    response = settling.press()
    page = response.content.decode()
    assert response.status_code == 409
    assert "has been settled" in page
    assert PLAIN.front in page
    assert f'href="/s/{session.public_id}/hands/1/"' in page
    # It is probably the same hand, so the page does not offer to settle it as the next one.
    assert 'name="key"' not in page
    assert Deal.objects.count() == 1


def test_points_that_came_too_late_are_shown_as_well(client: Client, session: Session) -> None:
    settling = previewed(client, session, COUNTED)
    settle(session)
    response = settling.press()
    assert response.status_code == 409
    assert "Bob and Cat: 5 to Cat" in " ".join(response.content.decode().split())


@pytest.mark.parametrize("typed", [HAND, COUNTED])
def test_the_table_moved_since_the_preview(client: Client, session: Session, typed: dict[str, str]) -> None:
    settling = previewed(client, session, typed)
    act(SetNext, session, button=2, note="we moved it")
    response = settling.press()
    assert response.status_code == 409
    again = form(response, "Show the settlement")
    assert again.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    # Preview – not saved yet. If the first request still arrives, the same key makes both one.
    assert again.fields()["key"] == settling.fields()["key"]
    assert not Deal.objects.exists()
    assert form(again.press()).press()["Location"] == f"/s/{session.public_id}/hands/1/"


@pytest.mark.parametrize("typed", [HAND, COUNTED])
def test_the_table_moved_since_the_preview_of_a_later_hand(
    client: Client, session: Session, typed: dict[str, str]
) -> None:
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    settling = previewed(client, session, typed)
    act(SideBet, session, payer=1, payee=2, amount=5, note="Pizza")
    response = settling.press()
    assert response.status_code == 409
    assert "Hand 1 has been settled" not in response.content.decode()
    again = form(response, "Show the settlement")
    assert again.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    assert form(again.press()).press()["Location"] == f"/s/{session.public_id}/hands/2/"


def test_a_hand_with_the_points_of_the_one_before_is_not_that_one(client: Client, session: Session) -> None:
    previewed(client, session, COUNTED).press()
    settling = previewed(client, session, COUNTED)
    act(SideBet, session, payer=1, payee=2, amount=5, note="Pizza")
    response = settling.press()
    assert response.status_code == 409
    assert form(form(response, "Show the settlement").press()).press()["Location"] == f"/s/{session.public_id}/hands/2/"


@pytest.mark.parametrize("key", ["", "x" * 81, "a\0b", "\u2660"])
def test_an_invalid_key_is_replaced(client: Client, session: Session, key: str) -> None:
    for more in ({}, {"edit": "1"}):
        shown = opened(client, session).forge({**more, "key": key})
        assert 20 < len(form(shown).fields()["key"][0]) < 30


@pytest.mark.parametrize("missing", ["key", "number", "version"])
def test_a_form_without_its_numbers_settles_nothing(client: Client, session: Session, missing: str) -> None:
    response = previewed(client, session).forge({missing: None})
    assert response.status_code == (400 if missing == "key" else 409)
    assert not Deal.objects.exists()


def test_all_problems_at_once_each_at_its_row(client: Client, session: Session) -> None:
    response = opened(client, session, {**HAND, "p1-front": "Qs Q", "p2-back": "what", "p3-middle": ""}).press()
    page = response.content.decode()
    assert response.status_code == 422
    assert "Please fix 3 things" in page
    for field in ("p1-front", "p2-back", "p3-middle"):
        assert f'id="{field}-wrong"' in page
    assert 'value="what"' in page


def test_a_hand_that_was_refused_is_put_right_and_settled(client: Client, session: Session) -> None:
    refused = opened(client, session, {**HAND, "p1-front": "Qs Q"}).press()
    shown = form(refused, "Show the settlement").fill({"p1-front": PLAIN.front}).press()
    assert form(shown).press()["Location"] == f"/s/{session.public_id}/hands/1/"
    assert points(session) == {1: 12, 2: 0, 3: -12}


def test_the_same_card_twice_says_where_both_are(client: Client, session: Session) -> None:
    page = opened(client, session, {**HAND, "p1-front": "5s8d9c"}).press().content.decode()
    assert "The five of spades is also in Bob&#x27;s front." in page


def test_five_of_a_rank_are_refused(client: Client, session: Session) -> None:
    ranks = fields(s1=Rows("QQ7", "AA44J", "89TJQ"), s2=Rows("QQ2", "33556", "77889"), s3=Rows("234", "KK5JT", "AA699"))
    response = opened(client, session, ranks).press()
    assert response.status_code == 422
    assert "more than 4 queens" in response.content.decode()


def test_dead_and_surrendered_hands(client: Client, session: Session) -> None:
    previewed(client, session, {**HAND, "p3-ruling": "dead"}).press()
    assert points(session) == {1: 12, 2: 0, 3: -12}
    assert "Surrendered" not in client.get(address(session)).content.decode()
    act(ChangeTerms, session, rules={"preset": "regular", "surrender_points": 3})
    surrendered = previewed(client, session, {**fields(s1=PLAIN, s2=WEAK), "p3-ruling": "surrendered"})
    assert surrendered.press().status_code == 302
    assert points(session) == {1: 21, 2: -3, 3: -18}
    assert "Surrendered." in client.get(f"/s/{session.public_id}/hands/2/").content.decode()


def test_a_hand_that_the_table_counted_itself(client: Client, session: Session) -> None:
    preview = opened(client, session, COUNTED).press()
    assert "<strong>Bob</strong> pays <strong>Cat</strong>" in preview.content.decode()
    assert form(preview).press().status_code == 302
    assert points(session) == {1: -4, 2: -1, 3: 5}
    assert client.get(f"/s/{session.public_id}/hands/1/").status_code == 200


def test_points_that_are_no_numbers_are_refused_at_their_pair(client: Client, session: Session) -> None:
    response = opened(client, session, {"points-2-3": "5.5", "points-1-2": "-4"}).press()
    page = response.content.decode()
    assert response.status_code == 422
    assert 'id="points-2-3-wrong"' in page
    assert 'id="points-1-2-wrong"' in page
    assert 'value="5.5"' in page
    assert "Points are a whole number of at most 6 digits." in page
    assert "Type points without a minus sign, and choose who won them." in page
    response = previewed(client, session, {"points-2-3": "5"}).forge({"points-2-3": "5.5"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Please fix one thing" in page
    assert 'id="points-2-3-wrong"' in page


def test_fantasyland_and_the_held_button_are_shown_on_the_next_hand(client: Client, session: Session) -> None:
    settle(session, Entry(boards={1: STRONG, 2: PLAIN, 3: WEAK}))
    page = client.get(address(session)).content.decode()
    assert "Fantasyland 13" in page[page.index("<legend>Ann") :]
    assert "Fantasyland 13" in client.get(f"/s/{session.public_id}/").content.decode()


def test_points_that_are_no_numbers_are_told_that_the_session_was_closed_meanwhile(
    client: Client, session: Session
) -> None:
    entering = opened(client, session, {"points-1-2": "8x"})
    act(ledger.close_session, session)
    late = entering.press()
    assert late.status_code == 409
    assert "This session is closed. A host can reopen it under “More”." in text(late)
    assert 'value="8x"' in late.content.decode()


def test_cards_that_are_none_are_told_once_that_the_session_was_closed_meanwhile(
    client: Client, session: Session
) -> None:
    entering = opened(client, session, {**HAND, "p1-front": "Zx8d9c"})
    act(ledger.close_session, session)
    late = entering.press()
    assert late.status_code == 409
    assert text(late).count("A host can reopen it under “More”.") == 1


def test_a_closed_session_takes_no_hand(client: Client, session: Session) -> None:
    settling = previewed(client, session)
    act(ledger.close_session, session)
    assert "This session is closed" in client.get(address(session)).content.decode()
    response = settling.press()
    assert response.status_code == 409
    assert not Deal.objects.exists()


def test_too_many_players_say_what_to_do(client: Client, db: None) -> None:
    four = start("Ann Bob Cat Dan", rules="pineapple")
    act(Join, four, name="Eve")
    page = client.get(address(four))
    assert page.status_code == 200
    assert "must sit out" in page.content.decode()


@pytest.mark.parametrize("path", ["", "named/"])
def test_an_unknown_session_is_404(client: Client, session: Session, path: str) -> None:
    assert client.get(f"/s/nobody/hand/{path}").status_code == 404
    assert post_nothing(client, f"/s/nobody/hand/{path}").status_code in {404, 405}


def test_rows_are_named_by_this_tables_rules(client: Client, session: Session) -> None:
    act(ChangeTerms, session, rules="2-7-pineapple")
    named = Phone(session, client).send(2, Rows("", "97542", "")).content.decode()
    assert "Nine-high low" in named
    assert "innerHTML:#p2-middle-named" in named


def test_a_hand_that_is_sent_after_the_session_was_closed_keeps_its_cards(client: Client, session: Session) -> None:
    opened = form(client.get(address(session)), "Show the settlement").fill(HAND)
    sent = form(opened.press(), "Settle hand 1")
    act(ledger.close_session, session)
    for late in (opened.press(), sent.press()):
        assert late.status_code == 409
        assert "This session is closed" in late.content.decode()
        kept = form(late, "Show the settlement").fields()
        assert {name: kept[name] for name in HAND} == {name: [text] for name, text in HAND.items()}
    assert not Deal.objects.exists()


@pytest.mark.parametrize("before", ["the hand was undone", "a player left"])
def test_a_hand_that_comes_after_the_close_keeps_all_of_its_cards(
    client: Client, session: Session, before: str
) -> None:
    sent = previewed(client, session)
    if before == "a player left":
        act(Leave, session, seat=3)
    else:
        settle(session)
        act(ledger.undo, session)
    act(ledger.close_session, session)
    late = sent.press()
    assert late.status_code == 409
    assert "This session is closed" in late.content.decode()
    kept = form(late, "Show the settlement").fields()
    assert {name: kept[name] for name in HAND} == {name: [text] for name, text in HAND.items()}


@pytest.mark.parametrize("typed", [Rows(), Rows("KdKc4h", "7d7h8d9dTd", "JdJcQdQc5h")])
@pytest.mark.parametrize("was", [Rows(ruling="dead"), replace(FOUL, ruling="dead")])
def test_a_preview_says_that_a_dead_hand_is_of_the_hand_that_was_undone(
    client: Client, session: Session, was: Rows, typed: Rows
) -> None:
    """Everybody else has typed their cards of the next hand."""
    at = f"/s/{session.public_id}/hand/"
    settle(session, Entry(boards={1: WEAK, 2: PLAIN, 3: was}))
    undo(client, session).press("Undo hand 1")
    session.refresh_from_db()
    said = "The ruling on Cat is from hand 1, which does not count any more."
    assert said not in text(form(client.get(at), "Show the settlement").press())
    new = {1: Rows("QsQh3s", "KhKs2c3c6c", "AcAs9h9s5s"), 2: Rows("8s8h4s", "JhJs7c5c4c", "TcTs6h6s2s"), 3: typed}
    preview = text(form(client.get(at), "Show the settlement").fill(fields_of(new)).press())
    assert (said in preview, "Only these boards" in preview) == (True, False)


def test_a_preview_of_an_undone_hand_in_which_a_board_is_now_dead_speaks_of_no_other_hand(
    client: Client, session: Session
) -> None:
    """That is why it was undone."""
    at = f"/s/{session.public_id}/hand/"
    settle(session, Entry(boards={1: WEAK, 2: PLAIN, 3: FOUL}))
    undo(client, session).press("Undo hand 1")
    session.refresh_from_db()
    typed = {**fields_of({3: Rows()}), "p3-ruling": "dead"}
    preview = text(form(client.get(at), "Show the settlement").fill(typed).press())
    assert "Only these boards" not in preview
    assert "The ruling on" not in preview
