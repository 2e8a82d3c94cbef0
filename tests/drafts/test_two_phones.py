"""Two phones that enter one board: neither overwrites the other unseen, and somebody chooses."""

import pytest

from scoring.actions.terms import ChangeTerms
from scoring.game.entry import Rows
from scoring.models import Draft, Session
from tests.drafts.conftest import BETTER, HTMX, OTHER, SOME, TURNED, TWO_PHONES, Phone, disagree, fields_of, said, tied
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle
from tests.pages import form

SAID = [("en", "Dead hand", "Surrendered"), ("de", "Tote Hand", "Aufgegeben")]
CHOOSES = "Another phone has something else for Bob"


def previewed(phone: Phone) -> str:
    page = form(phone.client.get(f"/s/{phone.session.public_id}/hand/")).press("Show the settlement")
    return " ".join(page.content.decode().split())


def test_all_phones_learn_that_somebody_has_yet_to_choose(disagreed: None, host: Phone, bob: Phone) -> None:
    page = " ".join(bob.ask().content.decode().split())
    assert f"{CHOOSES}: Front QsQhQd." in page
    assert bob.ask().status_code == 204
    assert CHOOSES not in host.ask().content.decode()  # that phone asks for the choice itself
    page = previewed(bob)
    assert TWO_PHONES in page
    assert "<dt>Other phone</dt><dd>Front QsQhQd</dd>" in page
    assert "<dt>This hand</dt><dd>Front 7s8d9c</dd>" in page


def test_a_hand_with_the_rows_that_were_not_stored_says_so_too(disagreed: None, host: Phone) -> None:
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    page = opened.fill({"p2-front": "8d 9c 2c"}).press("Show the settlement").content.decode()
    assert "<dt>Other phone</dt><dd>Front 7s8d9c</dd>" in page


@pytest.mark.parametrize("choice", ["theirs", "mine", "the same", "nothing", "there"])
def test_once_somebody_has_chosen_nobody_is_warned(disagreed: None, host: Phone, bob: Phone, choice: str) -> None:
    match choice:
        case "theirs":
            host.press(2, "Use other")
        case "mine":
            assert host.press(2, "Keep mine").status_code == 200
        case "the same":
            assert host.send(2, PLAIN).status_code == 200
        case "nothing":
            host.send(2, Rows())
        case "there":
            bob.send(2, OTHER)
    assert CHOOSES not in bob.ask().content.decode()
    draft = Draft.objects.get(seat__number=2)
    assert draft.unchosen == []
    if draft.done:
        assert TWO_PHONES not in previewed(bob)


def test_a_ruling_on_one_phone_alone_is_in_question_too(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, PLAIN, ruling="dead").status_code == 409
    page = previewed(bob)
    assert "<dt>Other phone</dt><dd>Dead hand</dd>" in page
    assert "<dt>This hand</dt><dd>Cards speak</dd>" in page


@pytest.mark.parametrize(("language", "dead", "surrendered"), SAID)
def test_the_choice_between_two_phones_names_the_rulings(
    host: Phone, bob: Phone, language: str, dead: str, surrendered: str
) -> None:
    act(ChangeTerms, host.session, rules={"preset": "regular", "surrender_points": 3})
    host.client.cookies["language"] = language
    host.open()
    bob.send(2, PLAIN, ruling="dead")
    page = host.send(2, OTHER, ruling="surrendered").content.decode()
    assert f"Back 7h7d8h8cTs and {dead}</dd>" in page.replace(" und ", " and ")
    assert f"Back – and {surrendered}</dd>" in page.replace(" und ", " and ")


@pytest.mark.parametrize("own", [0, 2])
def test_a_board_that_comes_from_another_phone_can_still_be_ruled_on(session: Session, bob: Phone, own: int) -> None:
    """On the page of the hand, that is. The page of a player's own cards asks for no ruling."""
    asking, choosing = (Phone(session, own=own) for _ in range(2))
    bob.send(2, PLAIN)
    choosing.send(2, OTHER)
    answers = [asking.ask(), choosing.press(2, "Use other")]
    settle(session, entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    bob.open().send(2, STRONG)
    answers.append(Phone(session, own=own).press(2, "Enter them here"))
    for answer in answers:
        page = answer.content.decode()
        assert 'id="p2-board"' in page
        assert ('name="p2-ruling"' in page) == (not own)


def test_rows_that_one_phone_lacks_are_not_in_question(host: Phone, bob: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert host.send(2, Rows(PLAIN.front, "", PLAIN.back)).status_code == 409
    assert CHOOSES not in bob.ask().content.decode()
    assert TWO_PHONES not in previewed(bob)


def test_a_change_that_settles_nothing_keeps_the_warning(disagreed: None, host: Phone, bob: Phone) -> None:
    bob.send(2, STRONG)
    assert [rows for _, rows in Draft.objects.get(seat__number=2).unchosen] == ["Qs Qh Qd//"]
    assert host.send(2, SOME).status_code == 409
    assert [rows for _, rows in Draft.objects.get(seat__number=2).unchosen] == ["7s 8d 9c/6h 6d 8s 9d Tc/"]


def test_each_phone_has_a_choice_of_its_own(host: Phone, bob: Phone, session: Session) -> None:
    third, *others = (Phone(session) for _ in range(21))
    disagree(host, bob)
    third.send(2, SOME)
    third.send(2, Rows("7s8d9d", "", ""))
    third.press(2, "Use other")
    assert f"{CHOOSES}: Front QsQhQd." in " ".join(bob.ask().content.decode().split())
    for phone in others:
        phone.send(2, Rows("7s8d9d", "", ""))
    assert len(Draft.objects.get(seat__number=2).unchosen) == 8


def test_what_somebody_says_of_a_hidden_board_is_told_to_nobody(session: Session, host: Phone, bob: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ann, *guessing = (Phone(session) for _ in range(3))
    host.open()
    ann.send(1, STRONG)
    assert host.send(1, OTHER).status_code == 409
    for at in ("hand/", "seat/1/"):
        assert "Another phone has" not in bob.client.get(f"/s/{session.public_id}/{at}").content.decode()
    # How often the draft has changed does not tell the host's phone that Ann has those rows by now.
    for rows in (OTHER, STRONG):
        ann.send(1, rows)
        revision = Draft.objects.get().revision
        assert host.send(1, OTHER).status_code == 409
        assert Draft.objects.get().revision == revision + 1
    for rows, phone in zip((OTHER, STRONG), guessing, strict=True):
        assert phone.send(1, OTHER).status_code == 409
        ann.send(1, rows)
        revision = Draft.objects.get().revision
        phone.press(1, "Use other")
        assert Draft.objects.get().revision == revision + 1


def test_who_sends_a_board_of_fantasyland_first_sees_nothing_of_the_players_own(session: Session, host: Phone) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    at = f"/s/{session.public_id}"
    ann = tied(session, 1)
    host.open().send(1, OTHER)
    assert ann.send(1, STRONG).status_code == 409
    seen = [
        host.ask(),
        host.client.get(f"{at}/hand/"),
        host.client.get(f"{at}/hand/1/"),
        host.client.get(f"{at}/hand/1/", headers=HTMX),
        form(host.client.get(f"{at}/hand/")).press("Show the settlement"),
        host.send(1, PLAIN),
    ]
    for page in seen:
        assert "AhAdKc" not in page.content.decode().replace(" ", "")
        assert "Another phone has" not in page.content.decode()


def test_two_phones_with_the_same_rows_do_not_clash(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    assert host.send(2, Rows("7S 8♦ 9c", PLAIN.middle, PLAIN.back)).status_code == 200
    assert Draft.objects.get().revision == 1


def test_the_same_cards_in_another_order_are_the_same_rows(host: Phone, bob: Phone, third: Phone) -> None:
    for seat, rows in {1: STRONG, 2: PLAIN, 3: WEAK}.items():
        bob.send(seat, rows)
    assert bob.send(2, TURNED).status_code == 200
    assert host.send(2, TURNED).status_code == 200
    assert "data-taken" not in said(third.type(2, TURNED).ask())
    draft = Draft.objects.get(seat__number=2)
    assert (draft.revision, draft.unchosen) == (1, [])
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    assert TWO_PHONES not in said(opened.fill(fields_of({2: TURNED})).press("Show the settlement"))


def test_a_row_in_another_order_is_no_part_of_what_differs(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    page = host.send(2, Rows(OTHER.front, TURNED.middle, TURNED.back)).content.decode()
    assert "<dd>Front 7s8d9c</dd>" in page
    assert "<dd>Front QsQhQd</dd>" in page
    page = " ".join(bob.ask().content.decode().split())
    assert f"{CHOOSES}: Front QsQhQd." in page


def test_rows_that_were_only_turned_on_a_phone_make_room_for_newer_ones(host: Phone, bob: Phone) -> None:
    """Somebody has put the cards of the stored rows into another order, which is nothing to choose between."""
    bob.send(2, PLAIN)
    assert host.send(2, TURNED).status_code == 200
    bob.send(2, STRONG)
    page = host.ask().content.decode()
    assert "data-taken" not in page
    assert 'value="Ah Ad Kc"' in page


def test_the_same_cards_in_another_order_choose_the_stored_rows(disagreed: None, host: Phone) -> None:
    assert host.send(2, TURNED).status_code == 200
    assert Draft.objects.get(seat__number=2).unchosen == []


def test_the_host_chooses_if_two_phones_have_typed_for_a_player(host: Phone, bob: Phone) -> None:
    opened = form(host.client.get(f"/s/{host.session.public_id}/hand/"))
    bob.send(2, PLAIN)
    page = host.type(2, Rows("Qs", "", "")).ask().content.decode()
    assert "data-taken" in page
    assert 'id="p2-board"' not in page
    # The form can also be opened again from its old address. Its rows are then based on the old draft.
    again = form(opened.fill({"p2-front": OTHER.front}).forge({"edit": "1"})).fields()
    assert (again["p2-front"], again["p2-rev"]) == ([OTHER.front], ["0"])


def test_a_card_on_two_phones_is_shown_to_both(host: Phone, bob: Phone) -> None:
    bob.send(2, PLAIN)
    page = host.send(3, Rows("7sKsKd", "", "")).content.decode()
    assert "The seven of spades is also in Bob&#x27;s front." in page
    page = bob.ask().content.decode()
    assert "The seven of spades is also in Cat&#x27;s front." in page
    host.send(3, Rows("2sKsKd", "", ""))
    assert "is also in" not in bob.ask().content.decode()


@pytest.mark.parametrize("asks", [True, False])
def test_a_ruling_on_cards_that_a_player_goes_on_to_change_is_nothing_to_choose(
    session: Session, host: Phone, asks: bool
) -> None:
    own = Phone(session, own=2)
    own.send(2, PLAIN)
    host.ask()
    host.send(2, PLAIN, ruling="dead")
    if asks:
        assert "entered on two phones" not in said(own.type(2, BETTER).ask())
    answer = own.send(2, BETTER)
    assert answer.status_code == 200
    draft = Draft.objects.get()
    assert (draft.front, draft.ruling, draft.unchosen) == ("7s Qd 9c", "dead", [])
    assert CHOOSES not in said(host.ask())


def test_a_ruling_is_nothing_to_choose_for_a_player_who_sends_the_cards_that_are_there(
    session: Session, host: Phone
) -> None:
    own = Phone(session, own=2)
    host.send(2, PLAIN, ruling="dead")
    answer = own.send(2, PLAIN)
    assert (answer.status_code, "data-taken" in said(answer)) == (200, False)
    assert own.send(2, BETTER).status_code == 200
    assert Draft.objects.get().ruling == "dead"


def test_a_player_who_has_not_seen_the_cards_that_were_ruled_on_chooses_between_cards_alone(
    session: Session, host: Phone
) -> None:
    own = Phone(session, own=2)
    host.send(2, PLAIN, ruling="dead")
    answer = own.send(2, BETTER)
    assert answer.status_code == 409
    assert "<dt>Other phone</dt><dd>Front 7s8d9c</dd>" in said(answer)
    assert "Dead hand" not in said(answer)
