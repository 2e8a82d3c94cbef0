"""The Undo button."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.access.links import Role
from scoring.actions.chips import BuyIn
from scoring.actions.fee import Fee
from scoring.actions.side_bet import SideBet
from scoring.game.entry import Entry, Rows
from scoring.models import Draft, Event, Session
from tests.access.conftest import browser, host, issue
from tests.drafts.conftest import Phone, tied
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, points, remarked, settle
from tests.pages import Form, form, post_nothing, text


def undo(client: Client, session: Session) -> Form:
    """The form of the Undo button."""
    return form(client.get(f"/s/{session.public_id}/"), action=f"/s/{session.public_id}/undo/")


def test_the_last_thing_is_undone_with_one_tap(client: Client, session: Session) -> None:
    assert "Undo" not in client.get(f"/s/{session.public_id}/").content.decode()
    settle(session)
    assert undo(client, session).press("Undo hand 1").status_code == 302
    assert points(session) == {1: 0, 2: 0, 3: 0}


def test_a_scorers_undo_that_comes_too_late_takes_nothing_back_and_says_why(session: Session) -> None:
    link, secret = issue(session, Role.SCORER)
    scorer = browser(secret)
    settle(session, link=link.pk)
    late = undo(scorer, session)
    act(Fee, session, amount=500, note="Room")
    answer = late.press("Undo hand 1")
    assert answer.status_code == 409
    assert "The table was changed since this page was opened." in answer.content.decode()
    assert "Fee: 5.00 EUR from each of Ann, Bob and Cat." in text(answer)
    act(Fee, session, amount=100, note="Drinks")
    stale = undo(host(session), session)
    assert stale.by(scorer).press().status_code == 403  # nothing has happened since, and it is not theirs
    later = str(session.events.count() + 1)
    assert stale.by(scorer).forge({"version": later}).status_code == 403


def test_an_undo_takes_back_nothing_that_was_recorded_after_it_was_looked_at(session: Session) -> None:
    settle(session)
    act(Fee, session, amount=500, note="Room")
    with pytest.raises(ledger.Conflict, match="was changed since this page was opened"):
        act(ledger.undo, session, target=session.events.get(verb="settle").n)
    assert not session.events.filter(verb="undo").exists()


def test_undoing_a_hand_opens_its_cards_again(client: Client, session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, Entry(boards={1: STRONG, 2: Rows(ruling="dead"), 3: FOUL}))
    opened = undo(client, session).press()
    assert opened["Location"] == f"/s/{session.public_id}/hand/?undone=2"
    page = client.get(opened["Location"])
    fields = form(page, "Show the settlement").fields()
    assert fields["p1-front"] == ["Ah Ad Kc"]
    assert fields["p3-back"] == ["Jh As 5d 5c Kd"]
    assert (fields["p2-front"], fields["p2-ruling"]) == ([""], ["dead"])
    assert "Fantasyland 13<span" in page.content.decode()
    # Everybody saw Ann's Fantasyland, so it is not hidden again, and a change of it is told.
    other = form(Phone(session).client.get(opened["Location"]), "Show the settlement")
    assert other.fields()["p1-front"] == ["Ah Ad Kc"]
    preview = other.fill({"p1-front": "Ah Ad Js", "p3-ruling": "dead"}).press()
    assert form(preview, "Settle hand 3").press()["Location"] == f"/s/{session.public_id}/hands/3/"
    again = Event.objects.get(deal=3, verb="settle")
    assert again.action["entry"]["boards"]["2"] == {"ruling": "dead"}
    assert remarked(again) == "Other cards than in hand 2, which was undone: Ann."


def test_the_form_says_that_the_undone_hand_is_entered_under_another_number(client: Client, session: Session) -> None:
    said = "Hand 1 was undone. Its cards are entered again as hand 2."
    address = f"/s/{session.public_id}/hand/"
    settle(session)
    assert said not in client.get(address, {"undone": "1"}).content.decode()
    opened = undo(client, session).press()["Location"]
    assert said in client.get(opened).content.decode()
    for wrong in ("", "0", "2", "x", "-1", "10000000000"):  # whatever the address says, these are cards of hand 1
        assert said in client.get(address, {"undone": wrong}).content.decode()
    settle(session)
    assert "was undone" not in client.get(opened).content.decode()


def test_undoing_a_hand_of_points_says_so_too(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 3), (1, 3, -4), (2, 3, 0))))
    page = client.get(undo(client, session).press()["Location"]).content.decode()
    assert "Hand 1 was undone. Its points are entered again as hand 2." in page


def test_undoing_a_hand_of_points_opens_its_points_again(client: Client, session: Session) -> None:
    settle(session, Entry(points=((1, 2, 3), (1, 3, -4), (2, 3, 0))))
    page = client.get(undo(client, session).press()["Location"])
    fields = form(page, "Show the settlement").fields()
    assert (fields["points-1-2"], fields["points-1-2-to"]) == (["3"], ["1"])
    assert (fields["points-1-3"], fields["points-1-3-to"]) == (["4"], ["3"])


def test_undoing_a_hand_with_limited_chips_opens_its_cards_again(client: Client, session: Session) -> None:
    for seat in (1, 2, 3):
        act(BuyIn, session, seat=seat, amount=500)
    settle(session)
    page = client.get(undo(client, session).press()["Location"])
    preview = form(page, "Show the settlement").press()
    assert form(preview, "Settle hand 2").press().status_code == 302
    assert points(session) == {1: 12, 2: 0, 3: -12}


def test_a_hand_that_somebody_has_begun_keeps_its_cards(client: Client, session: Session) -> None:
    settle(session)
    opened = undo(client, session)
    Phone(session).send(2, STRONG)
    assert opened.press()["Location"] == f"/s/{session.public_id}/?undone=2"
    page = client.get(f"/s/{session.public_id}/hand/")
    fields = form(page, "Show the settlement").fields()
    assert (fields["p2-front"], fields["p1-front"]) == (["Ah Ad Kc"], [""])


def test_undoing_two_hands_opens_the_cards_of_the_first(client: Client, session: Session) -> None:
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    first = undo(client, session)
    first.press()
    undo(client, session).press()
    for _ in range(2):
        fields = form(client.get(f"/s/{session.public_id}/hand/"), "Show the settlement").fields()
        assert fields["p1-front"] == ["7s 8d 9c"]
        assert first.press().status_code == 302  # a repeat brings nothing back


def test_a_hand_that_counts_again_takes_its_cards_along(client: Client, session: Session) -> None:
    settle(session)
    phone = Phone(session)
    undo(client, session).press()
    assert phone.ask().status_code == 200
    form(client.get(f"/s/{session.public_id}/hands/1/restore/"), "Restore hand 1").press()
    assert points(session)[1] == 12
    assert {(draft.front, draft.middle, draft.back) for draft in Draft.objects.all()} == {("", "", "")}


FANTASYLAND = entry(s1=STRONG, s2=PLAIN, s3=WEAK)


def test_a_board_dealt_again_after_an_undo_is_hidden_as_any_other(client: Client, session: Session) -> None:
    settle(session, FANTASYLAND)
    settle(session, FANTASYLAND)
    undo(client, session).press()
    ann, bob = tied(session, 1), tied(session, 2)
    bob.send(2, Rows())
    ann.send(1, FOUL)
    assert Draft.objects.get(seat__number=1).front == "Qs Qd 3s"
    page = client.get(f"/s/{session.public_id}/hand/").content.decode()
    assert form(client.get(f"/s/{session.public_id}/hand/"), "Show the settlement").fields().get("p1-front", [""]) == [
        ""
    ]
    assert "Qs Qd 3s" not in page


def test_after_a_restored_hand_the_next_board_of_fantasyland_is_hidden(client: Client, session: Session) -> None:
    settle(session, FANTASYLAND)
    settle(session, FANTASYLAND)
    undo(client, session).press()
    ann = tied(session, 1)
    ann.send(1, Rows(STRONG.front, STRONG.middle, "4h4d4s4c6h"))
    form(client.get(f"/s/{session.public_id}/hands/2/restore/"), "Restore hand 2").press()
    ann.send(1, FOUL)
    assert Draft.objects.get(seat__number=1).front == "Qs Qd 3s"
    assert "Qs Qd 3s" not in client.get(f"/s/{session.public_id}/hand/").content.decode()


def test_two_undos_lay_every_board_open(client: Client, session: Session) -> None:
    settle(session, FANTASYLAND)
    settle(session, FANTASYLAND)
    for _ in range(2):
        undo(client, session).press()
    page = client.get(f"/s/{session.public_id}/hand/")
    assert form(page, "Show the settlement").fields()["p1-front"] == ["Ah Ad Kc"]


def test_undoing_anything_else_leads_to_the_table(client: Client, session: Session) -> None:
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert undo(client, session).press()["Location"] == f"/s/{session.public_id}/?undone=3"
    assert not Draft.objects.exists()
    assert "Undone: Hand 1 corrected" in client.get(f"/s/{session.public_id}/?undone=3").content.decode()


def test_undo_says_what_it_would_take_back_and_what_it_took_back(client: Client, session: Session) -> None:
    """After three side bets its button says the same three times."""
    for amount in (500, 700):
        act(SideBet, session, payer=1, payee=2, amount=amount, note="red")
    page = client.get(f"/s/{session.public_id}/")
    assert "Ann pays Bob 7.00 EUR." in page.content.decode()
    shown = client.get(form(page, "Undo: side bet recorded").press()["Location"]).content.decode()
    assert "Undone: Side bet: Ann pays Bob 7.00 EUR." in shown
    assert shown.count("Ann pays Bob 5.00 EUR.") == 1
    for wrong in ("", "?undone=2", "?undone=9", "?undone=x"):
        assert "Undone: Side" not in client.get(f"/s/{session.public_id}/{wrong}").content.decode()


def test_undone_twice_is_undone_once(client: Client, session: Session) -> None:
    settle(session)
    settle(session)
    opened = undo(client, session)
    for _ in range(2):
        assert opened.press().status_code == 302
    assert points(session)[1] == 12


def test_an_undo_that_comes_too_late_is_refused(client: Client, session: Session) -> None:
    settle(session)
    opened = undo(client, session)
    settle(session)
    response = opened.press()
    assert response.status_code == 409
    assert 'role="alert"' in response.content.decode()
    assert points(session)[1] == 24


def test_there_is_nothing_to_undo(client: Client, session: Session) -> None:
    settle(session)
    opened = undo(client, session)
    act(ledger.undo, session)
    response = opened.forge({"version": str(session.version)})
    assert response.status_code == 422
    assert "There is nothing to undo." in response.content.decode()


def test_undo_refuses_a_get_and_strangers(client: Client, session: Session) -> None:
    opened = client.get(f"/s/{session.public_id}/undo/")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert f'<a class="button" href="/s/{session.public_id}/">Table</a>' in opened.content.decode()
    assert client.put(f"/s/{session.public_id}/undo/").content == b""
    assert post_nothing(client, "/s/nobody/undo/").status_code == 404
