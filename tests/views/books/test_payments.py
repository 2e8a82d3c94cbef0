"""Payments are marked as paid by those who pay or are paid, and undone, on their pages."""

from __future__ import annotations

import pytest
from django.test import Client
from lxml import html

from scoring import ledger, reads
from scoring.access.links import Role
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.club import merge, pay_tab, undo_tab_payment
from scoring.models import Event, Player, Session
from tests.access.conftest import browser, issue
from tests.ledger.conftest import act, start
from tests.pages import Form, form, text


@pytest.fixture
def owing(session: Session) -> Session:
    """A closed session: Bob owes Ann 9.00, and Cat owes Ann 4.00."""
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    act(SideBet, session, payer=3, payee=1, amount=400, note="blue")
    act(ledger.close_session, session)
    return session


def phone(session: Session, role: Role, seat: int | None = None) -> Client:
    """A browser with a link to the session, a scorer's perhaps tied to a seat."""
    tied = {} if seat is None else {"seat": session.seats.get(number=seat)}
    return browser(issue(session, role, **tied)[1])


def ways(client: Client, session: Session, label: str, path: str = "") -> list[str]:
    """Where the links with this label lead, on one page, each once."""
    page = html.fromstring(client.get(f"/s/{session.public_id}/{path}").content)
    return list(dict.fromkeys(link.get("href") for link in page.iter("a") if link.text_content().strip() == label))


def paying(client: Client, session: Session) -> Form:
    """The form of the first payment that this phone can mark as paid."""
    return form(client.get(ways(client, session, "Mark as paid")[0]), "Record payment")


def test_the_host_marks_a_payment_as_paid_in_two_parts(client: Client, owing: Session) -> None:
    first = paying(client, owing)
    assert (first.fields()["amount"], first.fields()["note"]) == (["9.00"], [""])
    assert first.fill({"amount": "4", "note": "cash"}).press("Record payment")["Location"] == f"/s/{owing.public_id}/"
    shown = text(client.get(f"/s/{owing.public_id}/"))
    assert "Bob pays Ann 5.00 EUR" in shown
    assert "Bob paid Ann 4.00 EUR cash, recorded by host at" in shown
    assert "Bob lost 9.00, has paid 4.00, and pays Ann 5.00." in shown
    assert "Ann won 13.00, was paid 4.00, and gets 5.00 from Bob and 4.00 from Cat." in shown
    assert paying(client, owing).press("Record payment").status_code == 302
    assert "Bob pays Ann 9.00" in text(client.get(f"/s/{owing.public_id}/"))  # in the list of pairs, as played
    assert [payment.payer for payment in reads.open_payments(owing).open] == [3]
    assert paying(client, owing).press("Record payment").status_code == 302
    assert "Everything is paid." in text(client.get(f"/s/{owing.public_id}/"))


@pytest.mark.parametrize(("way", "plan"), [("fewest", [[1, 3, 500]]), ("pairs", [[1, 2, 500], [2, 3, 500]])])
def test_the_way_of_the_first_payment_is_the_plan(
    client: Client, session: Session, way: str, plan: list[list[int]]
) -> None:
    act(SideBet, session, payer=1, payee=2, amount=500, note="red")
    act(SideBet, session, payer=2, payee=3, amount=500, note="black")
    act(ledger.close_session, session)
    url = next(url for url in ways(client, session, "Mark as paid") if f"way={way}" in url)
    wrong = form(client.get(url), "Record payment").fill({"amount": "9"}).press("Record payment")
    form(wrong, "Record payment").fill({"amount": "1"}).press("Record payment")
    assert Event.objects.get(verb="pay").action["plan"] == plan


@pytest.mark.parametrize(
    ("role", "seat", "offered"),
    [
        (Role.VIEWER, None, 0),
        (Role.SCORER, 1, 2),
        (Role.SCORER, 2, 1),
        (Role.SCORER, None, 0),
        (Role.HOST, None, 2),
    ],
)
@pytest.mark.parametrize("path", ["", "ledger/", "record/"])
def test_each_phone_marks_its_own_payments(
    owing: Session, role: Role, seat: int | None, offered: int, path: str
) -> None:
    client = phone(owing, role, seat)
    assert len(ways(client, owing, "Mark as paid", path)) == 2 * offered  # in either way


def test_the_phone_of_a_player_pays_for_that_player_alone(owing: Session) -> None:
    host, bob = phone(owing, Role.HOST), phone(owing, Role.SCORER, 2)
    of_bob, of_cat = (form(host.get(url), "Record payment") for url in ways(host, owing, "Mark as paid")[:2])
    assert of_cat.by(bob).press("Record payment").status_code == 403
    assert of_bob.by(bob).press("Record payment").status_code == 302
    assert Event.objects.get(verb="pay").by == "Bob"
    (undo,) = ways(bob, owing, "Undo")
    of_another = form(bob.get(undo), "Undo payment").by(phone(owing, Role.SCORER, 3))
    assert of_another.press("Undo payment").status_code == 403
    assert form(bob.get(undo), "Undo payment").press("Undo payment")["Location"] == f"/s/{owing.public_id}/"
    assert ways(bob, owing, "Undo") == []


def test_a_viewer_records_nothing(owing: Session) -> None:
    first = paying(phone(owing, Role.HOST), owing)
    assert first.by(phone(owing, Role.VIEWER)).press("Record payment").status_code == 403


def test_a_scorers_phone_that_chose_a_seat_has_that_seat(owing: Session) -> None:
    client = phone(owing, Role.SCORER)
    client.cookies["seat"] = "2"
    assert ways(client, owing, "Mark as paid") == ways(phone(owing, Role.SCORER, 2), owing, "Mark as paid")


def test_what_was_paid_on_another_phone_says_so_and_keeps_what_was_typed(client: Client, owing: Session) -> None:
    late = paying(client, owing).fill({"amount": "5", "note": "Revolut"})
    paying(client, owing).press("Record payment")
    answer = late.press("Record payment")
    assert answer.status_code == 409
    assert "Bob owes Ann nothing any more. Nothing was recorded." in text(answer)
    assert Event.objects.filter(verb="pay").count() == 1


def test_a_refusal_has_the_house_in_the_readers_language(client: Client, session: Session) -> None:
    act(Fee, session, amount=500, seats=[3], note="room")
    act(ledger.close_session, session)
    url = ways(client, session, "Mark as paid")[0]
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    answer = form(client.get(url)).fill({"amount": "9"}).press()
    assert "Cat schuldet dem Haus weniger als das." in text(answer)


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("0", "Enter an amount above 0"),
        ("-3", "Enter the number alone, e.g. 0.50."),
        ("1.234", "Use at most 2 decimals"),
        ("9.01", "That is more than Bob owes Ann."),
        ("100000000000000", "That amount is too large."),
    ],
)
def test_a_wrong_amount_is_explained_and_kept(client: Client, owing: Session, amount: str, said: str) -> None:
    answer = paying(client, owing).fill({"amount": amount, "note": "Swish"}).press("Record payment")
    assert answer.status_code == 422
    assert said in text(answer)
    again = form(answer, "Record payment")
    assert (again.fields()["amount"], again.fields()["note"]) == ([amount], ["Swish"])
    assert not Event.objects.filter(verb="pay").exists()


def test_a_part_that_two_phones_record_is_asked_about(client: Client, owing: Session) -> None:
    """Whoever pays and whoever is paid both have the page open, and both record the same part."""
    payer, payee = paying(client, owing), paying(client, owing)
    assert payer.fill({"amount": "4", "note": "cash"}).press("Record payment").status_code == 302
    answer = payee.fill({"amount": "4", "note": "in coins"}).press("Record payment")
    assert answer.status_code == 409
    said = "What Bob owes Ann has changed since this page was opened. If your payment is another one, record it again."
    assert said in text(answer)
    again = form(answer, "Record payment")
    assert (again.fields()["amount"], again.fields()["note"]) == (["4"], ["in coins"])
    assert Event.objects.filter(verb="pay").count() == 1
    assert again.press("Record payment").status_code == 302
    assert "Bob pays Ann 1.00" in text(client.get(f"/s/{owing.public_id}/"))


def test_nothing_is_said_of_how_unless_somebody_says_it(client: Client, owing: Session) -> None:
    """Two taps suffice. What is typed in for everyone would be wrong for those who transfer the money."""
    assert paying(client, owing).press("Record payment").status_code == 302
    assert Event.objects.get(verb="pay").note == ""
    assert "Bob paid Ann 9.00 EUR Recorded by host at" in text(client.get(f"/s/{owing.public_id}/"))


def test_more_than_is_owed_is_offered_as_what_the_other_owes_then(client: Client, owing: Session) -> None:
    answer = paying(client, owing).fill({"amount": "10"}).press("Record payment")
    assert "Record it all the same. Then Ann owes Bob 1.00." in text(answer)
    again = form(answer, "Record payment").fill({"over": True})
    other = again.fill({"amount": "100"}).press("Record payment")  # which the tick did not agree to
    assert "Record it all the same. Then Ann owes Bob 91.00." in text(other)
    assert "over" not in form(other, "Record payment").fields()
    assert again.fill({"amount": "10"}).press("Record payment").status_code == 302
    assert "Ann pays Bob 1.00" in text(client.get(f"/s/{owing.public_id}/"))


@pytest.mark.parametrize("way", [None, "", "moon"])
def test_a_form_without_a_plan_is_refused_and_kept(client: Client, owing: Session, way: str | None) -> None:
    answer = paying(client, owing).forge({"way": way, "amount": "4", "note": "Swish"})
    assert answer.status_code == 422
    assert "It was not clear which of the payments this is. Check the amount, and record it again." in text(answer)
    assert "below" not in text(answer)  # since nothing is marked there
    again = form(answer, "Record payment")
    assert (again.fields()["amount"], again.fields()["note"]) == (["4"], ["Swish"])
    assert not Event.objects.filter(verb="pay").exists()
    assert again.press("Record payment").status_code == 302


def test_an_unreadable_amount_for_what_was_paid_meanwhile_comes_too_late(client: Client, owing: Session) -> None:
    late = paying(client, owing).fill({"amount": "abc", "note": "Swish"})
    paying(client, owing).press("Record payment")
    answer = late.press("Record payment")
    assert answer.status_code == 409
    said = text(answer)
    assert "Bob owes Ann nothing now. It may have been recorded on another phone." in said
    assert "Not saved: abc" in said
    assert "Not saved: Swish" in said
    assert "below" not in said, "there is no field to mend"
    assert "Please fix" not in said


def test_an_address_of_no_payment_leads_to_those_that_there_are(client: Client, owing: Session) -> None:
    for asked in ("", "?payer=2", "?payer=9&payee=1", "?payer=x&payee=1&way=z"):
        assert client.get(f"/s/{owing.public_id}/pay/{asked}")["Location"] == f"/s/{owing.public_id}/"
    shown = client.get(f"/s/{owing.public_id}/pay/?payer=1&payee=2&way=fewest")
    assert "Ann owes Bob nothing now." in text(shown)


def test_a_payment_is_undone_after_a_question(client: Client, owing: Session) -> None:
    paying(client, owing).press("Record payment")
    (undo,) = ways(client, owing, "Undo")
    asked = client.get(undo)
    assert "Undo this payment? Bob paid Ann 9.00 EUR. " in text(asked)
    late = form(asked, "Undo payment")
    assert form(asked, "Undo payment").press("Undo payment").status_code == 302
    assert "Bob pays Ann 9.00 EUR" in text(client.get(f"/s/{owing.public_id}/"))
    assert "It was undone since." in text(client.get(undo))
    assert form(asked, "Undo payment").forge({"key": "another"}).status_code == 409
    assert late.press("Undo payment").status_code == 302  # the same form, sent twice
    assert Event.objects.filter(verb="undo-payment").count() == 1


def test_history_and_ledger_tell_of_payments(client: Client, owing: Session) -> None:
    paying(client, owing).fill({"note": "cash"}).press("Record payment")
    form(client.get(ways(client, owing, "Undo")[0]), "Undo payment").press("Undo payment")
    history = text(client.get(f"/s/{owing.public_id}/history/"))
    assert "host: Bob pays Ann 9.00 EUR. “cash”" in history
    assert "host: Number 5." in history
    books = text(client.get(f"/s/{owing.public_id}/ledger/"))
    assert "Payment: Bob paid Ann 9.00 EUR. (cash)" in books
    assert "Payment undone: Bob had paid Ann 9.00 EUR." in books


def test_results_that_change_after_a_payment_say_whose(client: Client, owing: Session) -> None:
    paying(client, owing).press("Record payment")
    act(ledger.reopen_session, owing)
    act(SideBet, owing, payer=1, payee=3, amount=100, note="a mistake")
    act(ledger.close_session, owing)
    shown = text(client.get(f"/s/{owing.public_id}/"))
    assert "What is owed changed after payments had begun: Ann −1.00 and Cat +1.00. What was paid counts." in shown
    assert "Cat pays Ann 3.00 EUR" in shown


def test_at_an_open_table_only_a_player_who_has_left_settles_up(client: Client, session: Session) -> None:
    act(Join, session, name="Dan")
    act(SideBet, session, payer=4, payee=3, amount=300, note="black")
    act(SideBet, session, payer=2, payee=1, amount=900, note="red")
    assert ways(client, session, "Mark as paid", "ledger/") == []
    act(Leave, session, seat=4)
    dan, *others = ways(client, session, "Mark as paid", "ledger/")
    assert "payer=4" in dan
    assert len(others) == 1  # the same payment, pair by pair
    answer = form(client.get(dan), "Record payment").press("Record payment")
    assert answer["Location"] == f"/s/{session.public_id}/ledger/"


def test_what_was_settled_on_the_clubs_tab_is_not_paid_again_unawares(client: Client, owing: Session) -> None:
    act(ledger.choose_tab, owing, on=True)
    at = ways(client, owing, "Mark as paid")[0]
    assert "This may have been settled there already." not in text(client.get(at))
    (tab,) = reads.tabs(owing.club)
    for number, amount, said in ((1, 500, "only 4.00"), (2, 400, "nothing")):
        pay_tab(
            owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=amount,
            currency="EUR", minor_digits=2, key=f"tab-{number}", by="host",
        )  # fmt: skip
        assert f"On the club’s tab Bob owes {said} in all. This may have been settled" in text(client.get(at))
    refused = form(client.get(at), "Record payment").fill({"amount": "10"}).press()
    assert refused.status_code == 422
    assert text(refused).count("Record it all the same.") == 1
    both = form(refused, "Record payment").fill({"over": True}).press()
    assert both.status_code == 422
    assert form(both, "Record payment").fields()["over"] == ["1.00"]
    assert form(form(both, "Record payment").fill({"amount": "x"}).press(), "Record payment").fields()["amount"] == [
        "x"
    ]
    refused = form(client.get(at), "Record payment").press()
    assert refused.status_code == 422
    assert text(refused).count("On the club’s tab Bob owes nothing in all. This may have been settled there") == 1
    assert not Event.objects.filter(verb="pay").exists()
    unread = form(refused, "Record payment").fill({"anyway": True, "amount": "x"}).press()
    assert "On the club’s tab Bob owes nothing in all." in text(unread)
    agreed = form(unread, "Record payment").fill({"amount": "9"})
    assert agreed.fields()["anyway"] == ["yes"]
    for _ in range(2):
        assert agreed.press().status_code == 302
    assert Event.objects.filter(verb="pay").count() == 1


def test_a_payment_is_late_if_the_tab_says_since_that_it_was_settled_there(client: Client, owing: Session) -> None:
    """What is asked then was not on the page, so nothing is wrong with what was typed on it."""
    act(ledger.choose_tab, owing, on=True)
    stale = form(client.get(ways(client, owing, "Mark as paid")[0]), "Record payment").fill({"note": "in coins"})
    (tab,) = reads.tabs(owing.club)
    pay_tab(
        owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=900,
        currency="EUR", minor_digits=2, key="tab", by="host",
    )  # fmt: skip
    late = stale.press()
    assert late.status_code == 409
    assert "Not saved" in text(late)
    assert "On the club’s tab Bob owes nothing in all." in text(late)
    asked = form(late, "Record payment")
    assert asked.fields()["note"] == ["in coins"]
    assert asked.press().status_code == 422
    assert not Event.objects.filter(verb="pay").exists()
    assert asked.fill({"anyway": True}).press().status_code == 302


def test_what_is_open_in_a_session_may_have_been_paid_on_the_tab(client: Client, owing: Session) -> None:
    notice = "Payments were recorded on the club’s tab since this session was first carried there."
    act(ledger.choose_tab, owing, on=True)
    another = start("Eve Dan", club=owing.club)
    act(SideBet, another, payer=1, payee=2, amount=2000, note="red")
    act(ledger.close_session, another, tab=True)
    (tab,) = reads.tabs(owing.club)
    pages = ("", "ledger/", "close/", "record/")
    for pays in sorted(tab.open, key=lambda each: -each.amount)[:2]:  # the other session's first
        assert [notice in text(client.get(f"/s/{owing.public_id}/{path}")) for path in pages] == [False] * 4
        pay_tab(
            owing.club, payer=pays.payer, payee=pays.payee, amount=pays.amount,
            currency="EUR", minor_digits=2, key=f"tab-{pays.amount}", by="host",
        )  # fmt: skip
    assert [notice in text(client.get(f"/s/{owing.public_id}/{path}")) for path in pages] == [True] * 4
    assert notice not in text(phone(owing, Role.SCORER, 2).get(f"/s/{owing.public_id}/"))  # nor who else may only read
    merge(
        Player.objects.get(club=owing.club, name="Bob"),
        Player.objects.create(club=owing.club, name="Kit", folded="kit"),
    )
    assert notice in text(client.get(f"/s/{owing.public_id}/"))
    undo_tab_payment(owing.club, n=2, key="undo", by="host")
    assert notice not in text(client.get(f"/s/{owing.public_id}/"))


def test_what_was_paid_on_the_tab_is_remembered_when_the_session_is_opened_again_or_leaves_the_tab(
    client: Client, owing: Session
) -> None:
    notice = "Payments were recorded on the club’s tab since this session was first carried there."
    warning = "Without this session the tab may say that they are owed back."
    act(ledger.choose_tab, owing, on=True)
    at = f"/s/{owing.public_id}/"
    assert warning not in text(client.get(at))
    (tab,) = reads.tabs(owing.club)
    pay_tab(
        owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=900,
        currency="EUR", minor_digits=2, key="tab", by="host",
    )  # fmt: skip
    assert warning in text(client.get(at))
    act(ledger.reopen_session, owing)
    assert notice in text(client.get(f"{at}close/"))
    act(ledger.close_session, owing, tab=True)
    assert notice in text(client.get(at))
    act(ledger.choose_tab, owing, on=False)
    assert notice in text(client.get(at))


def test_a_session_that_was_never_on_the_tab_knows_of_no_payment_there(client: Client, owing: Session) -> None:
    another = start(club=owing.club)
    act(SideBet, another, payer=1, payee=2, amount=2000, note="red")
    act(ledger.close_session, another, tab=True)
    (tab,) = reads.tabs(owing.club)
    pay_tab(
        owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=2000,
        currency="EUR", minor_digits=2, key="tab", by="host",
    )  # fmt: skip
    assert "Payments were recorded on the club’s tab" not in text(client.get(f"/s/{owing.public_id}/"))


def test_a_session_that_is_open_again_is_compared_with_what_the_tab_had_of_it(client: Client, owing: Session) -> None:
    act(ledger.choose_tab, owing, on=True)
    (tab,) = reads.tabs(owing.club)
    act(ledger.reopen_session, owing)
    act(Leave, owing, seat=2)
    at = ways(client, owing, "Mark as paid", "ledger/")[0]
    assert "9.00 EUR to pay" in text(client.get(at))
    assert "On the club’s tab" not in text(client.get(at))
    act(ledger.close_session, owing, tab=True)
    pay_tab(
        owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=500,
        currency="EUR", minor_digits=2, key="tab", by="host",
    )  # fmt: skip
    act(ledger.reopen_session, owing)
    assert "On the club’s tab Bob owes only 4.00 in all. This may have been settled" in text(client.get(at))


def test_a_debt_that_was_paid_on_the_tab_is_noticed_if_the_payer_owes_somebody_else(
    client: Client, owing: Session
) -> None:
    act(ledger.choose_tab, owing, on=True)
    at = ways(client, owing, "Mark as paid")[0]
    another = start("Bob Dan", club=owing.club)
    act(SideBet, another, payer=1, payee=2, amount=2000, note="red")
    act(ledger.close_session, another, tab=True)
    (tab,) = reads.tabs(owing.club)
    pays = next(each for each in tab.open if each.amount == 900)
    pay_tab(
        owing.club, payer=pays.payer, payee=pays.payee, amount=900, currency="EUR", minor_digits=2, key="tab", by="host"
    )
    assert "On the club’s tab Ann is owed only 4.00 in all. This may have been settled there" in text(client.get(at))
    assert "Ann is owed" not in text(phone(owing, Role.SCORER, 2).get(at))  # the payer sees no other session


def test_a_payer_who_was_put_together_with_another_one_is_still_known_on_the_tab(
    client: Client, owing: Session
) -> None:
    act(ledger.choose_tab, owing, on=True)
    at = ways(client, owing, "Mark as paid")[0]
    assert "On the club’s tab" not in text(client.get(at))
    kit = Player.objects.create(club=owing.club, name="Kit", folded="kit")
    merge(Player.objects.get(club=owing.club, name="Bob"), kit)
    assert "On the club’s tab" not in text(client.get(at))


@pytest.mark.parametrize(("lost", "asked"), [(350, "3.00"), (360, "4.00"), (340, "3.00")])
def test_a_payment_that_was_rounded_is_not_taken_for_one_that_was_settled(
    client: Client, session: Session, lost: int, asked: str
) -> None:
    act(SideBet, session, payer=2, payee=1, amount=lost, note="red")
    act(ledger.close_session, session, tab=True, coin=100)
    page = text(client.get(ways(client, session, "Mark as paid")[0]))
    assert f"{asked} EUR to pay" in page
    assert "settled there already" not in page


def test_what_people_owe_on_the_tab_is_for_hosts_and_for_who_pays(client: Client, owing: Session) -> None:
    """The link of whoever is paid may be for this session alone."""
    act(ledger.choose_tab, owing, on=True)
    at = ways(client, owing, "Mark as paid")[0]
    (tab,) = reads.tabs(owing.club)
    pay_tab(
        owing.club, payer=tab.open[0].payer, payee=tab.open[0].payee, amount=500,
        currency="EUR", minor_digits=2, key="tab", by="host",
    )  # fmt: skip
    assert "settled there already" in text(phone(owing, Role.SCORER, 2).get(at))
    assert "On the club’s tab" not in text(phone(owing, Role.SCORER, 1).get(at))
