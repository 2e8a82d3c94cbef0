"""A settled hand: shown, corrected, voided and restored, with every version kept."""

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring import ledger, reads
from scoring.access import links
from scoring.actions.chips import BuyIn
from scoring.actions.deals import Remark
from scoring.actions.people import SitOut
from scoring.game.entry import Entry, Rows
from scoring.models import Deal, Event, Revision, Session
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, points, settle, start
from tests.pages import Form, follow, form, labels, post_nothing, read, text
from tests.views.hand.test_enter import fields


def hand(session: Session, number: int = 1, action: str = "") -> str:
    return f"/s/{session.public_id}/hands/{number}/{action}"


def correcting(client: Client, session: Session, typed: dict[str, str]) -> Form:
    """The form that corrects hand 1, with this typed into it."""
    return form(client.get(hand(session, 1, "correct/")), "Preview changes").fill(typed)


def boards_corrected(response: Any) -> list[str]:
    """Where the links on the boards of a page lead."""
    return re.findall(r'<a [^>]*href="([^"]*#p\d+-board)"', response.content.decode())


def voiding(client: Client, session: Session) -> Form:
    return form(client.get(hand(session, 1, "void/")), "Void hand 1")


def test_a_hand_shows_its_boards_and_settlement(client: Client, session: Session) -> None:
    settle(session)
    page = client.get(hand(session)).content.decode()
    assert "<strong>Bob</strong> pays <strong>Ann</strong>" in page
    assert "<span>Pts</span><span>EUR</span>" in page
    assert "outranks the back" in page
    assert "+12.00" in page


def test_a_hand_shows_where_everybody_stands_now_and_a_player_what_they_won(client: Client, session: Session) -> None:
    settle(session)
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    page = " ".join(client.get(hand(session)).content.decode().split())
    standing = page[page.index("Totals now") :]
    assert '<th scope="row">Ann</th> <td class="n strong">+12</td> <td class="n">+12.00</td>' in standing
    assert "You:" not in page
    client.get(f"/s/{session.public_id}/seat/2/")
    assert "You: – in this hand, +12 (+12.00\N{NO-BREAK SPACE}EUR) in all" in client.get(hand(session)).content.decode()
    assert (
        "You: +12 (+12.00\N{NO-BREAK SPACE}EUR) in this hand, +12 (+12.00\N{NO-BREAK SPACE}EUR) in all"
        in client.get(hand(session, 2)).content.decode()
    )
    act(ledger.void_deal, session, number=2)
    page = client.get(hand(session, 2)).content.decode()
    assert "You:" not in page
    assert "Totals now" in page
    act(SitOut, session, seat=2)
    settle(session, entry(s1=PLAIN, s3=WEAK))
    assert "You:" not in client.get(hand(session, 3)).content.decode()
    assert "Totals now" not in client.get(hand(session, 2), {"version": "1"}).content.decode()


def test_a_hand_with_limited_chips_shows_the_stacks_now(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=5000)
    settle(session)
    page = " ".join(client.get(hand(session)).content.decode().split())
    assert '<td class="n">+12.00</td> <td class="n">62.00</td>' in page[page.index("Totals now") :]


def test_each_board_leads_the_host_to_its_own_correction(client: Client, session: Session) -> None:
    settle(session)
    to_boards = [hand(session, 1, f"correct/#p{seat}-board") for seat in (2, 3, 1)]
    shown = client.get(hand(session))
    assert boards_corrected(shown) == to_boards
    assert 'id="p3-board"' in follow(shown, "Correct Cat’s cards").content.decode()
    preview = correcting(client, session, fields(s1=STRONG)).press()
    assert boards_corrected(preview) == []
    form(preview, "Correct hand 1").press()
    assert boards_corrected(client.get(hand(session))) == to_boards
    assert boards_corrected(client.get(hand(session), {"version": "1"})) == []
    assert boards_corrected(client.get(f"/s/{session.public_id}/screen/")) == []
    scorer = Client()
    _, secret = links.issue(
        club=session.club, session=session, role=links.Role.SCORER, key="scorer", name="Bob’s phone"
    )
    scorer.get(f"/l/{secret}")
    assert boards_corrected(scorer.get(hand(session))) == []
    act(ledger.void_deal, session, number=1)
    assert boards_corrected(client.get(hand(session))) == []
    act(ledger.restore_deal, session, number=1)
    act(ledger.close_session, session)
    assert boards_corrected(client.get(hand(session))) == []


def test_a_hand_of_points_has_no_cards_to_correct_by_board(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 3), (1, 3, -4), (2, 3, 0))))
    assert boards_corrected(client.get(hand(session))) == []


def test_a_hand_says_whose_cards_came_to_be_others_before_it_was_settled(client: Client, session: Session) -> None:
    settle(session, remark=Remark(changed=[(2, "AhAdKc//")]))
    remark = "Changed after Fantasyland was shown: Bob (before: AhAdKc//)."
    assert text(client.get(hand(session))).count(remark) == 1
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=PLAIN, s3=STRONG), note="mixed up")
    assert text(client.get(hand(session))).count(remark) == 1


@pytest.mark.parametrize("path", ["", "correct/", "correct/named/", "void/", "restore/"])
@pytest.mark.parametrize("number", [0, 2, 10**20])
def test_a_hand_that_was_not_played_is_404(client: Client, session: Session, path: str, number: int) -> None:
    settle(session)
    assert client.get(hand(session, number, path)).status_code == 404
    assert client.get(f"/s/nobody/hands/1/{path}").status_code == 404


def test_a_version_that_never_was_is_404(client: Client, session: Session) -> None:
    settle(session)
    for version in ("2", "0", "x"):
        assert client.get(hand(session), {"version": version}).status_code == 404


@pytest.mark.parametrize("path", ["", "correct/named/"])
def test_what_only_reads_refuses_a_post(client: Client, session: Session, path: str) -> None:
    settle(session)
    assert post_nothing(client, hand(session, 1, path)).status_code == 405


@pytest.mark.parametrize("query", ["", "?seat=1", "?pad=1", "?p=1"])
def test_the_correction_starts_from_what_was_entered(client: Client, session: Session, query: str) -> None:
    settle(session, Entry(boards={1: PLAIN, 2: WEAK, 3: Rows(ruling="dead")}))
    page = client.get(hand(session, 1, "correct/") + query).content.decode()
    assert f'value="{PLAIN.front}"' in page
    assert '<option value="dead" selected>' in page


def test_a_correction_shows_what_moves_and_then_does_it(client: Client, session: Session) -> None:
    settle(session)
    response = correcting(client, session, {"p2-ruling": "dead", "p3-ruling": "dead"}).press()
    assert response.status_code == 200
    assert "What changes" in response.content.decode()
    assert points(session) == {1: 12, 2: 0, 3: -12}
    done = form(response, "Correct hand 1").fill({"note": "Bob's was dead, too"}).press()
    assert done["Location"] == hand(session)
    assert points(session) == {1: 12, 2: -6, 3: -6}
    page = client.get(hand(session)).content.decode()
    assert "2. Corrected" in page
    assert "Bob&#x27;s was dead, too" in page
    old = client.get(hand(session), {"version": "1"}).content.decode()
    assert "no longer counts" in old
    assert "−12.00" in old
    assert "−12.00" not in page


def test_a_correction_keeps_bad_cards_and_says_where(client: Client, session: Session) -> None:
    settle(session)
    right = correcting(client, session, {"p1-front": "7s8d2d"}).press()
    for response in (
        correcting(client, session, {"p1-front": "7s8dXX"}).press(),
        form(right, "Correct hand 1").forge({"p1-front": "7s8dXX"}),
    ):
        assert response.status_code == 422
        assert 'id="p1-front-wrong"' in response.content.decode()
        assert 'value="7s8dXX"' in response.content.decode()
        again = form(response, "Preview changes").fill({"p1-front": "7s8d2d"}).press()
        assert form(again, "Correct hand 1").fields()["p1-front"] == ["7s8d2d"]
    assert Revision.objects.count() == 1


def test_what_was_typed_in_a_correction_can_be_edited_again(client: Client, session: Session) -> None:
    settle(session)
    typed = {"p1-front": "7s8d2d", "p3-ruling": "dead", "button": "2", "p1-cards": "13", "note": "all of it"}
    shown = correcting(client, session, typed).press()
    again = form(form(shown, "Correct hand 1").press("Edit cards"), "Preview changes")
    assert again.fields().items() >= {name: [text] for name, text in typed.items()}.items()
    assert form(again.press(), "Correct hand 1").press()["Location"] == hand(session)
    assert Revision.objects.get(n=2).note == "all of it"


def test_button_and_fantasyland_of_a_hand_can_be_corrected(client: Client, session: Session) -> None:
    settle(session)
    shown = correcting(client, session, {"button": "2", "p1-cards": "13"}).press()
    assert shown.status_code == 200
    form(shown, "Correct hand 1").fill({"note": "the button was Bob's"}).press()
    page = client.get(hand(session)).content.decode()
    assert "Fantasyland 13" in page
    assert "the button was Bob&#x27;s" in page
    assert page.index("has the button") > page.index("Bob")


@pytest.mark.parametrize(("rules", "names"), [("pineapple", "Ann Bob Cat Dan"), ("regular", "Ann Bob Cat Dan Eve")])
def test_a_hand_is_corrected_where_the_button_sat_out(client: Client, db: None, rules: str, names: str) -> None:
    """With one player more than can be dealt in, the button deals and has no board."""
    session = start(names, rules=rules, button=4)
    _, table = reads.seating(session)
    assert 4 not in table.lineup()
    settle(session, Entry(boards={seat: Rows(ruling="dead") for seat in table.lineup()}))
    opened = form(client.get(hand(session, 1, "correct/")), "Preview changes")
    assert "button" not in opened.fields()  # any other player with it would have had no board
    moved = opened.fill({"p1-ruling": "", "p1-front": "AA2", "p1-middle": "KKQQ3", "p1-back": "99988"}).press()
    assert moved.status_code == 200
    assert form(moved, "Correct hand 1").press()["Location"] == hand(session)
    corrected = Revision.objects.get(n=2)
    assert corrected.button == 4
    assert corrected.entry["boards"]["1"]["front"] == "AA2"


def test_a_hand_of_points_is_corrected_as_points(client: Client, session: Session) -> None:
    settle(session, Entry(points=((2, 3, 5), (2, 1, -4))))
    page = client.get(hand(session, 1, "correct/")).content.decode()
    assert 'name="points-2-3" value="5"' in page
    shown = correcting(client, session, {"points-2-3": "6", "points-1-2": ""}).press()
    form(shown, "Correct hand 1").press()
    assert points(session) == {1: 0, 2: 6, 3: -6}


def test_a_hand_of_points_is_corrected_to_no_points(client: Client, session: Session) -> None:
    settle(session, Entry(points=((2, 3, 5), (2, 1, -4))))
    shown = correcting(client, session, {"points-2-3": "", "points-1-2": ""}).press()
    assert "This is how it is already. Change something first." not in shown.content.decode()
    assert form(shown, "Correct hand 1").press()["Location"] == hand(session)
    assert points(session) == {1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize(
    ("stood", "link", "typed"),
    [
        (Entry(points=((2, 3, 5),)), "Enter cards instead", fields(s1=PLAIN, s2=WEAK, s3=FOUL)),
        (entry(s1=PLAIN, s2=WEAK, s3=FOUL), "Enter points instead of cards", {"points-2-3": "6"}),
        (entry(s1=PLAIN, s2=WEAK, s3=FOUL), "Enter points instead of cards", {}),
    ],
)
def test_points_are_corrected_to_cards_and_cards_to_points(
    client: Client, session: Session, stood: Entry, link: str, typed: dict[str, str]
) -> None:
    settle(session, stood)
    opened = form(form(client.get(hand(session, 1, "correct/"))).press(link), "Preview changes").fill(typed)
    assert form(opened.press(), "Correct hand 1").press()["Location"] == hand(session)
    expected = {1: 12, 2: 0, 3: -12} if stood.points else {1: 0, 2: 6, 3: -6} if typed else {1: 0, 2: 0, 3: 0}
    assert points(session) == expected


def test_a_look_at_the_points_of_a_correction_and_back_loses_nothing_that_was_typed(
    client: Client, session: Session
) -> None:
    settle(session)
    typed = {**fields(s1=STRONG), "p1-ruling": "dead", "button": "2", "reason": "Misread card", "note": "the ten"}
    counted = {"points-1-2": "7", "points-1-2-to": "2", "points-1-3-to": "3"}
    opened = correcting(client, session, typed)
    by_points = form(opened.press("Enter points instead of cards"), "Preview changes").fill(counted)
    by_cards = form(by_points.press("Enter cards instead"), "Preview changes")
    assert {name: by_cards.fields()[name] for name in typed} == {name: [text] for name, text in typed.items()}
    again = form(by_cards.press("Enter points instead of cards"), "Preview changes")
    kept = {**counted, "button": "2", "reason": "Misread card", "note": "the ten"}
    assert {name: again.fields()[name] for name in kept} == {name: [text] for name, text in kept.items()}
    form(again.press(), "Correct hand 1").press()
    assert points(session) == {1: -7, 2: 7, 3: 0}


def test_the_way_from_a_preview_to_the_rulings_takes_what_was_typed_along(client: Client, session: Session) -> None:
    settle(session)
    shown = form(correcting(client, session, fields(s1=STRONG)).press(), "Correct hand 1")
    shown.fill({"reason": "Dead hand", "note": "two cards in the muck"})
    again = shown.press("Rule a hand dead")
    kept = form(again, "Preview changes").fields()
    assert (kept["reason"], kept["note"], kept["p1-front"]) == (
        ["Dead hand"],
        ["two cards in the muck"],
        [STRONG.front],
    )
    details = read(again).xpath("//details[.//*[@id='rulings']]")[0]
    assert "open" in details.attrib
    assert details.xpath("string(.//select[@autofocus]/@name)") == "p2-ruling"


@pytest.mark.parametrize("typed", [fields(s1=STRONG), {"points-2-3": "6"}])
def test_enter_in_a_field_of_a_correction_goes_on(client: Client, session: Session, typed: dict[str, str]) -> None:
    """A browser presses the first button of the form then."""
    settle(session, Entry(points=((2, 3, 5),)) if "points-2-3" in typed else entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    shown = form(correcting(client, session, typed).press(), "Correct hand 1")
    assert shown.press()["Location"] == hand(session)


def test_a_void_hand_leads_nobody_to_fantasyland(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    earned = "Fantasyland next hand, with 13 cards."
    assert earned in text(client.get(hand(session)))
    assert earned in text(client.get(f"/s/{session.public_id}/record/hands/"))
    act(ledger.void_deal, session, number=1, note="misdeal")
    assert earned not in text(client.get(hand(session)))
    assert earned not in text(client.get(f"/s/{session.public_id}/record/hands/"))
    assert earned in text(client.get(f"{hand(session)}?version=1"))


def test_the_last_hand_is_voided_and_restored(client: Client, session: Session) -> None:
    settle(session)
    shown = client.get(hand(session, 1, "void/"))
    assert "What changes" in shown.content.decode()
    assert points(session)[1] == 12
    assert form(shown, "Void hand 1").press()["Location"] == hand(session)
    assert points(session) == {1: 0, 2: 0, 3: 0}
    page = client.get(hand(session)).content.decode()
    assert "Void – no points." in page
    assert "Restore hand 1" in page
    assert "Hand 1 is void already." in refused(client.get(hand(session, 1, "void/")), 409)
    assert "Hand 1 is void: restore it first." in refused(client.get(hand(session, 1, "correct/")), 409)
    form(client.get(hand(session, 1, "restore/")), "Restore hand 1").press()
    assert points(session)[1] == 12
    assert "Hand 1 is not void already." in refused(client.get(hand(session, 1, "restore/")), 409)


def test_a_hand_that_was_voided_meanwhile_has_no_button_to_void_it(client: Client, session: Session) -> None:
    settle(session)
    pages = [form(client.get(hand(session, 1, "void/")), "Void hand 1") for _ in range(2)]
    assert pages[0].fill({"note": "misdeal"}).press()["Location"] == hand(session)
    late = pages[1].fill({"note": "eleven cards in the middle"}).press()
    shown = refused(late, 409)
    assert "eleven cards in the middle" in shown
    assert "Hand 1 voided" in text(late)
    assert "Back to hand 1" in shown
    assert "Void hand 1" not in labels(late)


def test_a_hand_that_was_corrected_meanwhile_is_not_voided_before_that_is_said(
    client: Client, session: Session
) -> None:
    settle(session)
    opened = form(client.get(hand(session, 1, "void/")), "Void hand 1").fill({"note": "misdeal"})
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=STRONG, s3=FOUL), note="misread")
    late = opened.press()
    assert "Hand 1 corrected" in refused(late, 409)
    assert form(late, "Void hand 1").press()["Location"] == hand(session)


def refused(answer: Any, status: int) -> str:
    """The text of a page that was answered with this status."""
    assert answer.status_code == status
    return str(answer.content.decode())


@pytest.mark.parametrize("then", ["previewed", "sent"])
def test_a_correction_that_comes_after_the_hand_was_voided_keeps_what_was_typed(
    client: Client, session: Session, then: str
) -> None:
    settle(session)
    typed = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"p1-front": "7s8d4c"})
    previewed = typed.fill({"note": "misread"}).press()
    act(ledger.void_deal, session, number=1)
    late = typed.press() if then == "previewed" else form(previewed, "Correct hand 1").press()
    assert "Hand 1 is void: restore it first." in refused(late, 409)
    assert read(late).xpath("//a[. = 'Restore hand 1']/@href") == [hand(session, 1, "restore/")]
    kept = form(late, "Preview changes").fields()
    assert (kept["p1-front"], kept["note"]) == (["7s8d4c"], ["misread"])
    act(ledger.restore_deal, session, number=1)
    again = form(form(late, "Preview changes").press(), "Correct hand 1").press()
    assert again["Location"] == hand(session)
    assert Revision.objects.get(n=4).entry["boards"]["1"]["front"] == "7s8d4c"


def test_a_correction_that_cannot_be_read_is_told_that_the_session_was_closed_meanwhile(
    client: Client, session: Session
) -> None:
    settle(session)
    typed = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"p1-front": "7s8d"})
    act(ledger.close_session, session)
    late = refused(typed.press(), 409)
    assert "This session is closed. A host can reopen it under “More”." in late
    assert 'value="7s8d"' in late


@pytest.mark.parametrize("then", ["previewed", "sent"])
def test_a_correction_takes_back_no_other_one_that_was_made_meanwhile(
    client: Client, session: Session, then: str
) -> None:
    """Two hosts correct hand 1 at once: the one Ann's front, the other Bob's front, and who had the button."""
    settle(session)
    typed = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"p1-front": "7s8d4c"})
    previewed = typed.fill({"note": "misread"}).press()
    theirs = {**LEVEL.boards, 2: replace(WEAK, front="5s6c4d", ruling="dead")}
    act(ledger.correct_deal, session, number=1, entry=Entry(boards=theirs, button=2, note="a 4"), note="a 4")
    before = Event.objects.count()
    late = typed.press() if then == "previewed" else form(previewed, "Correct hand 1").press()
    page = refused(late, 409)
    assert "Hand 1 was changed since this page was opened." in page
    assert "Your changes are still here; everything else is as it is now." in page
    assert "This was changed as well" not in page
    assert Event.objects.count() == before
    again = form(late, "Preview changes")
    kept = {name: again.fields()[name] for name in ("p1-front", "p2-front", "p2-ruling", "button", "note")}
    assert kept == {
        "p1-front": ["7s8d4c"], "p2-front": ["5s6c4d"], "p2-ruling": ["dead"], "button": ["2"], "note": ["misread"],
    }  # fmt: skip
    assert form(again.press(), "Correct hand 1").press()["Location"] == hand(session)
    stands = Revision.objects.latest("n").entry
    assert (stands["boards"]["1"]["front"], stands["boards"]["2"]) == (
        "7s8d4c", {"front": "5s6c4d", "middle": WEAK.middle, "back": WEAK.back, "ruling": "dead"},
    )  # fmt: skip
    assert Revision.objects.latest("n").button == 2


def test_points_that_were_corrected_meanwhile_are_taken_back_by_nobody(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 5), (1, 3, 0), (2, 3, 3))))
    typed = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"points-1-2": "7"})
    act(ledger.correct_deal, session, number=1, entry=Entry(points=((1, 2, 5), (1, 3, 0), (2, 3, -55))), note="55")
    late = typed.press()
    assert late.status_code == 409
    form(form(late, "Preview changes").press(), "Correct hand 1").press()
    assert points(session) == {1: 7, 2: -62, 3: 55}


POINTS = Entry(points=((1, 2, 5), (1, 3, 0), (2, 3, 3)))
OTHER_ROWS = {**LEVEL.boards, 2: replace(WEAK, front="5s6c4d")}


@dataclass(frozen=True)
class Both:
    """What one host types into the form of a hand as it ``was``, and makes of it what stays; another corrects it."""

    was: Entry
    typed: dict[str, str]
    elsewhere: Entry
    stays: dict[str, str]
    said: str = ""


@pytest.mark.parametrize(
    "both",
    [
        # The number here and the winner there are one fact: neither makes a figure with the other that nobody typed.
        Both(
            was=POINTS,
            typed={"points-1-2": "6"},
            elsewhere=Entry(points=((1, 2, -7), (1, 3, 0), (2, 3, 3))),
            stays={"points-1-2": "6", "points-1-2-to": "1"},
            said="Ann and Bob: 7 to Bob. What you typed is below and would replace it.",
        ),
        Both(
            was=POINTS,
            typed={"points-1-2-to": "2"},
            elsewhere=Entry(points=((1, 2, 9), (1, 3, 0), (2, 3, 3))),
            stays={"points-1-2": "5", "points-1-2-to": "2"},
            said="Ann and Bob: 9 to Ann.",
        ),
        Both(
            was=POINTS,
            typed={"points-1-2": "6"},
            elsewhere=Entry(points=((1, 2, 6), (1, 3, 4), (2, 3, 3))),
            stays={"points-1-2": "6", "points-1-3": "4", "points-1-3-to": "1"},
        ),
        Both(
            was=LEVEL,
            typed={"p2-front": "5s6c2c"},
            elsewhere=Entry(boards=OTHER_ROWS),
            stays={"p2-front": "5s6c2c"},
            said=f"Bob: 5s6c4d / {WEAK.middle} / {WEAK.back}.",
        ),
        Both(
            was=LEVEL,
            typed={"p2-front": "5s6c2c"},
            elsewhere=POINTS,
            stays={"p2-front": "5s6c2c"},
            said="Ann and Bob: 5 to Ann; Ann and Cat: 0; Bob and Cat: 3 to Bob.",
        ),
        Both(was=LEVEL, typed={}, elsewhere=POINTS, stays={"points-1-2": "5", "points-2-3": "3"}),
        Both(
            was=LEVEL,
            typed={"button": "3"},
            elsewhere=replace(LEVEL, button=2, note="dealer"),
            stays={"button": "3"},
            said="Bob had the button.",
        ),
        Both(
            was=LEVEL,
            typed={"p2-cards": "14"},
            elsewhere=replace(LEVEL, fantasyland={2: 15}, note="trips"),
            stays={"p2-cards": "14"},
            said="Bob: 15 cards.",
        ),
    ],
)
def test_what_two_hosts_correct_at_once_is_said(client: Client, session: Session, both: Both) -> None:
    settle(session, both.was)
    sent = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill(both.typed)
    act(ledger.correct_deal, session, number=1, entry=both.elsewhere, note="theirs")
    late = sent.press()
    page = refused(late, 409)
    assert f"This was changed as well: {both.said}" in page if both.said else "as well" not in page
    now = form(late, "Preview changes").fields()
    assert {name: now[name] for name in both.stays} == {name: [text] for name, text in both.stays.items()}
    # If cards were typed here and points there, the page stays with the cards.
    follows = ("mode" in now) == (both.elsewhere.points is not None)
    assert ("Your changes are still here; everything else is as it is now." in page) == follows


@pytest.mark.parametrize(
    ("was", "elsewhere", "stays"),
    [
        (LEVEL, POINTS, {"points-1-2": "5", "points-2-3": "3"}),
        (POINTS, Entry(boards=OTHER_ROWS), {"p2-front": "5s6c4d", "p2-back": WEAK.back}),
    ],
)
def test_a_look_at_what_another_phone_has_corrected_meanwhile_shows_it(
    client: Client, session: Session, was: Entry, elsewhere: Entry, stays: dict[str, str]
) -> None:
    """Nothing but words was typed here, so blank points and rows are no change."""
    settle(session, was)
    opened = correcting(client, session, {"note": "mine"})
    act(ledger.correct_deal, session, number=1, entry=elsewhere, note="theirs")
    late = opened.press("Enter cards instead" if was.points else "Enter points instead of cards")
    assert "changed as well" not in refused(late, 409)
    now = form(late, "Preview changes").fields()
    assert {name: now[name] for name in (*stays, "note")} == {
        **{name: [text] for name, text in stays.items()},
        "note": ["mine"],
    }


def test_points_that_two_hosts_counted_are_not_mixed(client: Client, session: Session) -> None:
    """Anyone who counts a hand leaves blank what is 0."""
    settle(session, LEVEL)
    opened = form(correcting(client, session, {}).press("Enter points instead of cards"), "Preview changes")
    opened.fill({"points-1-2": "7", "points-1-3": "0"})
    theirs = Entry(points=((1, 2, 5), (1, 3, 4), (2, 3, 3)))
    act(ledger.correct_deal, session, number=1, entry=theirs, note="theirs")
    late = opened.press()
    assert "Ann and Bob: 5 to Ann; Ann and Cat: 4 to Ann; Bob and Cat: 3 to Bob." in refused(late, 409)
    form(form(late, "Preview changes").press(), "Correct hand 1").press()
    assert points(session) == {1: 7, 2: -7, 3: 0}


def test_a_hand_that_is_corrected_to_no_points_stays_so_when_another_phone_changes_a_row(
    client: Client, session: Session
) -> None:
    settle(session, LEVEL)
    opened = form(correcting(client, session, {}).press("Enter points instead of cards"), "Preview changes")
    act(ledger.correct_deal, session, number=1, entry=Entry(boards=OTHER_ROWS), note="theirs")
    late = opened.press()
    assert "Bob: 5s6c4d" in refused(late, 409)
    form(form(late, "Preview changes").press(), "Correct hand 1").press()
    assert points(session) == {1: 0, 2: 0, 3: 0}
    assert Revision.objects.latest("n").entry.get("points") is not None


def test_a_page_that_refuses_the_way_to_the_rulings_begins_with_why(client: Client, session: Session) -> None:
    settle(session)
    shown = form(correcting(client, session, fields(s1=STRONG)).press(), "Correct hand 1")
    act(ledger.correct_deal, session, number=1, entry=entry(s1=WEAK, s2=STRONG, s3=FOUL), note="misread")
    late = shown.press("Rule a hand dead")
    assert late.status_code == 409
    assert not read(late).xpath("//*[@autofocus]")


def test_rows_that_nobody_touched_follow_a_correction_while_points_are_typed(client: Client, session: Session) -> None:
    settle(session, LEVEL)
    opened = form(correcting(client, session, {}).press("Enter points instead of cards"), "Preview changes")
    opened.fill({"points-1-2": "7"})
    act(ledger.correct_deal, session, number=1, entry=Entry(boards=OTHER_ROWS), note="theirs")
    late = opened.press()
    assert "This was changed as well: Bob: 5s6c4d" in refused(late, 409)
    points_here = form(late, "Preview changes")
    assert points_here.fields()["points-1-2"] == ["7"]
    cards_there = form(points_here.press("Enter cards instead"), "Preview changes")
    assert cards_there.fields()["p2-front"] == ["5s6c4d"]


@pytest.mark.parametrize("change", ["void", "correct", "preview"])
def test_a_change_that_comes_after_the_session_was_closed_keeps_what_was_typed(
    client: Client, session: Session, change: str
) -> None:
    settle(session)
    if change == "void":
        sent = form(client.get(hand(session, 1, "void/")), "Void hand 1")
    else:
        sent = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"p1-front": "7s8d4c"})
        sent = form(sent.press(), "Correct hand 1") if change == "correct" else sent
    act(ledger.close_session, session)
    late = sent.fill({"note": "misdeal"}).press()
    assert "This session is closed" in refused(late, 409)
    kept = form(late, "Void hand 1" if change == "void" else "Preview changes").fields()
    assert kept["note"] == ["misdeal"]
    assert change == "void" or kept["p1-front"] == ["7s8d4c"]


def test_a_late_change_that_has_become_impossible_says_both(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=2000)
    settle(session)
    typed = {f"p{seat}-{name}": "" for seat in (1, 2, 3) for name in ("front", "middle", "back")}
    typed |= fields(s1=STRONG, s2=WEAK, s3=FOUL)
    opened = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill(typed).press()
    settle(session)
    late = form(opened, "Correct hand 1").fill({"note": "rows"}).press()
    page = refused(late, 409)
    assert "The table was changed since this page was opened." in page
    assert "Hand 2: Cat is out of chips" in page


def test_the_ways_out_of_a_late_correction_lead_on_with_everything_that_was_typed(client: Client, db: None) -> None:
    """Aces keep the button where it was, but what was dealt to other players since then is a fact."""
    session = start("Ann Bob Cat Dan", rules="pineapple", button=4)
    settle(session, Entry(boards={seat: Rows(ruling="dead") for seat in (1, 2, 3)}))
    typed = {**fields(s1=STRONG), "p1-ruling": ""}
    opened = form(correcting(client, session, typed).press(), "Correct hand 1").fill({"note": "aces"})
    settle(session, Entry(boards={seat: Rows(ruling="dead") for seat in (2, 3, 4)}))
    late = opened.press()
    assert late.status_code == 409
    assert "csrfmiddlewaretoken=" not in late.content.decode()
    assert "It stays as it was dealt." in late.content.decode()
    assert form(late, "Correct hand 1").press("Correct hand 1")["Location"] == hand(session)
    corrected = Revision.objects.get(deal__number=1, n=2)
    assert (corrected.entry["boards"]["1"]["front"], corrected.event.note) == (STRONG.front, "aces")


def test_an_earlier_hand_takes_a_reason(client: Client, session: Session) -> None:
    settle(session)
    settle(session)
    refused = voiding(client, session).forge({"note": ""})
    assert refused.status_code == 422
    assert "Please give a reason" in refused.content.decode()
    assert form(refused, "Void hand 1").fill({"note": "misdeal"}).press("Void hand 1").status_code == 302
    page = client.get(hand(session)).content.decode()
    assert "misdeal" in page


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"reason": "Misread card"}, "Misread card"),
        ({"reason": "Wrong row", "note": "Bob's, too"}, "Wrong row: Bob's, too"),
        ({"reason": "", "note": "the other deck"}, "the other deck"),
    ],
)
def test_a_ready_reason_words_or_both_give_the_note_of_a_correction(
    client: Client, session: Session, given: dict[str, str], note: str
) -> None:
    settle(session)
    settle(session)
    shown = correcting(client, session, {"p1-front": "7s8d4c", **given}).press()
    again = form(form(shown, "Correct hand 1").press("Edit cards"), "Preview changes")
    assert again.fields()["reason"] == [given["reason"]]
    assert form(shown, "Correct hand 1").press()["Location"] == hand(session)
    assert Revision.objects.get(deal__number=1, n=2).event.note == note


@pytest.mark.parametrize("reason", ["", "Because", "x" * 400])
def test_a_correction_of_an_earlier_hand_takes_a_reason_that_the_page_offers(
    client: Client, session: Session, reason: str
) -> None:
    settle(session)
    settle(session)
    shown = form(correcting(client, session, {"p1-front": "7s8d4c"}).press(), "Correct hand 1")
    refused = shown.forge({"reason": reason}) if reason else shown.fill({"reason": ""}).press("Correct hand 1")
    assert refused.status_code == 422
    assert Revision.objects.count() == 2
    again = form(refused, "Correct hand 1").fill({"reason": "Misread card"})
    assert again.press()["Location"] == hand(session)


def test_voiding_offers_no_reasons_of_a_correction(client: Client, session: Session) -> None:
    settle(session)
    assert "reason" not in voiding(client, session).fields()


def test_sent_twice_it_voids_and_restores_once(client: Client, session: Session) -> None:
    settle(session)
    for action, label, revisions in (("void/", "Void hand 1", 2), ("restore/", "Restore hand 1", 3)):
        sending = form(client.get(hand(session, 1, action)), label)
        for _ in range(2):
            assert sending.press()["Location"] == hand(session)
            assert Revision.objects.count() == revisions
        changed = sending.fill({"note": "something else"}).press()
        assert changed.status_code == 409
        assert "already been sent with something else" in changed.content.decode()


def test_what_is_void_already_is_not_voided_again(client: Client, session: Session) -> None:
    settle(session)
    opened = voiding(client, session)
    act(ledger.void_deal, session, number=1)
    refused = opened.forge({"version": str(session.version)})
    assert refused.status_code == 422
    assert "Hand 1 is void." in refused.content.decode()
    opened = form(client.get(hand(session, 1, "restore/")), "Restore hand 1")
    act(ledger.restore_deal, session, number=1)
    refused = opened.forge({"version": str(session.version)})
    assert refused.status_code == 422
    assert "Hand 1 is not void." in refused.content.decode()
    assert Revision.objects.count() == 3


def test_a_stale_change_is_refused_and_shown_anew(client: Client, session: Session) -> None:
    settle(session)
    opened = voiding(client, session).fill({"note": "mine"})
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert 'value="mine"' in response.content.decode()
    assert points(session)[1] == 24
    assert form(response, "Void hand 1").press("Void hand 1")["Location"] == hand(session)
    assert points(session)[1] == 12


def test_later_hands_that_move_are_shown(client: Client, session: Session) -> None:
    settle(session, Entry(boards={1: STRONG, 2: PLAIN, 3: WEAK}))
    settle(session)
    page = client.get(hand(session, 1, "void/")).content.decode()
    assert "No points or money change in hand 2" in page


def test_a_hand_says_that_a_forgotten_buy_in_changed_it_and_that_its_undo_did(client: Client, session: Session) -> None:
    for seat, amount in ((1, 50_000), (2, 50_000), (3, 100)):
        act(BuyIn, session, seat=seat, amount=amount)
    settle(session)
    act(BuyIn, session, seat=3, amount=100)
    settle(session)
    act(BuyIn, session, seat=3, amount=5000, before=1, note="Cat had bought in")
    added, undone = "after a buy-in before hand 1 was added", "after a buy-in before hand 1 was undone"
    for number in (1, 2):
        page = client.get(hand(session, number)).content.decode()
        assert (added in page, undone in page, "None" in page) == (True, False, False)
    act(ledger.undo, session)
    for number in (1, 2):
        page = client.get(hand(session, number)).content.decode()
        assert (added in page, undone in page, "None" in page) == (True, True, False)


def test_a_correction_that_would_make_a_later_hand_impossible_offers_choices(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=2000)
    settle(session)
    settle(session)
    # With aces, a full house and quads Ann wins everything that Cat has, so Cat could not have played the second hand.
    response = correcting(client, session, fields(s1=STRONG, s2=WEAK, s3=FOUL)).press()
    page = response.content.decode()
    assert response.status_code == 422
    assert "Hand 2: Cat is out of chips" in page
    assert "What can be done instead" in page
    assert Deal.objects.filter(revision=1).count() == 2
    forgotten = follow(response, "Add the buy-in that was made before hand 2, if there was one.")
    assert form(forgotten, "Preview changes").fields()["before"] == ["2"]
    again = form(follow(response, "Edit cards"), "Preview changes").fields()
    assert again["p1-front"] == [STRONG.front]


def test_hands_of_closed_sessions_are_read_only(client: Client, session: Session) -> None:
    settle(session)
    opened = voiding(client, session)
    act(ledger.close_session, session)
    assert "Void hand 1" not in client.get(hand(session)).content.decode()
    response = opened.press()
    assert response.status_code == 409
    assert "closed" in response.content.decode()
    assert points(session)[1] == 12


def test_reading_a_hand_costs_the_same_in_a_long_session(client: Client, session: Session) -> None:
    settle(session)
    client.get(hand(session))
    reads.forget_cached()
    with CaptureQueriesContext(connection) as short:
        client.get(hand(session))
    for _ in range(5):
        settle(session)
    with CaptureQueriesContext(connection) as long:
        client.get(hand(session))
    assert 0 < len(long) == len(short)


def test_a_corrected_button_of_the_last_hand_takes_a_reason_and_the_page_says_so(
    client: Client, session: Session
) -> None:
    settle(session)
    opened = form(client.get(hand(session, 1, "correct/")), "Preview changes").fill({"button": "2"})
    moved = opened.press()
    assert "(required)" in moved.content.decode()
    unsaid = form(moved, "Correct hand 1").press()
    assert unsaid.status_code == 422
    assert Revision.objects.count() == 1
    assert form(moved, "Correct hand 1").fill({"note": "it was Bob's"}).press()["Location"] == hand(session)
