"""What is sent to a group's chat of a session, a hand and a record: a text, a picture, and a link if the host wants."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from datetime import UTC, datetime
from html import unescape
from threading import Event
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client, override_settings
from django.utils import translation

from ofcscore.pages import Wait
from scoring import ledger
from scoring.access import limits
from scoring.actions.chips import BuyIn, BuyInAll
from scoring.actions.fee import Fee
from scoring.actions.people import Join, Leave
from scoring.actions.side_bet import SideBet
from scoring.actions.terms import ChangeTerms
from scoring.exports import picture
from scoring.exports.drawing import deal_picture, session_picture
from scoring.models import Deal, Link, Session
from scoring.reads import state, stored_deal
from scoring.views.shared.download import WAIT
from scoring.wording.figures import signed, signed_money
from scoring.wording.sending import deal_text, session_text
from scoring.wording.session import title
from scoring.wording.settle_up import settle_up
from tests.access.conftest import Cast, host
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, key, settle, start
from tests.ledger.test_random_evenings import something
from tests.pages import form
from tests.reads.test_statistics import IN_PLAY, exported, random_evening

pytestmark = pytest.mark.django_db

MESSAGE = re.compile(r'<textarea class="input" id="message"[^>]*>(.*?)</textarea>', re.DOTALL)
DRAWN = re.compile(r'<img class="sent" id="sent-picture" src="([^"]+)"')


def message(response: Any) -> list[str]:
    """The lines of the message on a page."""
    (found,) = MESSAGE.findall(response.content.decode())
    return unescape(found).split("\n")


def drawn(client: Client, response: Any) -> Any:
    """The answer for the picture on a page."""
    (address,) = DRAWN.findall(response.content.decode())
    return client.get(unescape(address))


def is_portrait(png: bytes) -> bool:
    """Whether this is a PNG of 1080 by 1350."""
    return png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:24] == (1080).to_bytes(4, "big") + (1350).to_bytes(4, "big")


def played() -> Session:
    """A closed session of two hands."""
    session = start()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=STRONG, s2=FOUL, s3=WEAK))
    ledger.close_session(session=session, key=key(), by="host")
    return Session.objects.get()


def test_the_text_says_what_the_bank_paid_and_what_is_owed_in_fees() -> None:
    session = start()
    act(BuyInAll, session, amount=20000, cash=True)
    act(Fee, session, seats=(1, 2), amount=200, note="table")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    assert "Fees in EUR: Ann 2.00, Bob 2.00" in session_text(session).split("\n")
    ledger.close_session(session=session, key=key(), by="host")
    lines = session_text(Session.objects.get()).split("\n")
    assert lines[1].startswith("Result in EUR: ")
    assert lines[2].startswith("From the bank in EUR: Ann 2")
    assert lines[3].startswith("Fees in EUR: Ann 2.00, Bob 2.00")


def test_a_closed_session_is_sent_as_a_text_and_a_picture() -> None:
    session = played()
    client = host(session)
    assert f'href="/s/{session.public_id}/send/"' in client.get(f"/s/{session.public_id}/").content.decode()
    page = client.get(f"/s/{session.public_id}/send/")
    lines = message(page)
    assert lines[0].endswith(", 2 hands")
    assert lines[1] == "Result in EUR: Ann +148.00, Bob −74.00, Cat −74.00"
    assert lines[2:] == [
        "Bob pays Ann 74.00 EUR",
        "Cat pays Ann 74.00 EUR",
        "Best hand: +74 points, Ann 2 times",
        "Most royalties: +31 points, Ann 2 times",
        "Longest Fantasyland: 1 hand, Ann in hand 2",
        "Fouls: Bob 1",
    ]
    answer = drawn(client, page)
    assert is_portrait(answer.content)
    assert answer["Content-Type"] == "image/png"
    assert "private" in answer["Cache-Control"]


def test_a_hand_is_sent_with_everyones_cards_and_who_pays_whom() -> None:
    session = played()
    client = host(session)
    hand = f"/s/{session.public_id}/hands/2/"
    assert f'href="{hand}send/"' in client.get(hand).content.decode()
    page = client.get(f"/s/{session.public_id}/hands/2/send/")
    lines = message(page)
    assert lines[0].startswith("Hand 2, ")
    assert "Bob −43 (foul): Qs Qd 3s / Kh Ks Ac 2c 3c / Jh As 5d 5c Kd" in lines
    assert "Bob pays Ann 37 points, 37.00 EUR" in lines
    assert is_portrait(drawn(client, page).content)


def test_each_page_says_what_it_sends() -> None:
    session = played()
    client = host(session)
    at = f"/s/{session.public_id}"
    record = f"/c/{session.club.public_id}/records/royalties/send/"
    for path, said in {
        f"{at}/send/": "Send the result",
        f"{at}/hands/2/send/": "Send hand 2",
        record: "Send the record",
    }.items():
        page = client.get(path).content.decode()
        assert f"<title>{said} · " in page
        assert re.search(rf"<h1>\s*{said}\s*</h1>", page)


def test_before_the_first_hand_there_is_nothing_to_send() -> None:
    session = start()
    client = host(session)
    page = client.get(f"/s/{session.public_id}/send/").content.decode()
    assert "No hands yet" in page
    assert "sent-picture" not in page
    assert client.get(f"/s/{session.public_id}/send/picture.png").status_code == 404


def test_a_void_hand_is_not_sent() -> None:
    session = start()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    ledger.void_deal(session=session, number=1, key=key(), by="host", note="misdeal")
    client = host(Session.objects.get())
    assert "/send/" not in client.get(f"/s/{session.public_id}/hands/1/").content.decode()
    for address in ("hands/1/send/", "hands/1/send/picture.png", f"hands/{10**30}/send/", "hands/2/send/picture.png"):
        assert client.get(f"/s/{session.public_id}/{address}").status_code == 404, address
    page = client.get(f"/s/{session.public_id}/send/")  # a session all of whose hands are void
    assert message(page)[1] == "Nobody has won or lost anything."
    assert is_portrait(drawn(client, page).content)


def test_no_link_goes_with_it_unless_the_host_puts_one_in() -> None:
    session = played()
    client = host(session)
    page = client.get(f"/s/{session.public_id}/send/")
    assert "http" not in "".join(message(page))
    before = Link.objects.count()
    asking = form(page, "Add a link to watch")
    for _ in range(2):  # sent twice, it is one link
        answer = asking.press()
        address = message(answer)[-1]
        assert address.startswith("http")
        assert answer["Cache-Control"] == "no-store, private"
        assert Link.objects.count() == before + 1
    assert len(message(answer)) <= 10
    visitor = Client()
    visitor.get(address[address.index("/l/") :])
    assert visitor.get(f"/s/{session.public_id}/").status_code == 200
    assert visitor.get(f"/s/{session.public_id}/close/").status_code == 403
    page = client.get(f"/s/{session.public_id}/hands/1/send/")
    assert message(form(page, "Add a link to watch").press())[-1].startswith("http")


def test_who_may_only_watch_sends_it_without_a_link(cast: Cast) -> None:
    watching = cast.browsers["viewer"]
    page = watching.get(f"/s/{cast.wants('viewer').public_id}/send/")
    assert message(page)
    assert "Add a link" not in page.content.decode()


def test_both_names_stay_in_who_pays_whom() -> None:
    names = ["W" * 40, "Jean-Baptiste de la Fontaine-Moulin", "王小明王小明王小明王小明王小明", "Ann"]
    session = ledger.start_session(names=names, stake=100, currency="EUR", button=1, key=key(), by="host")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK, s4=FOUL))
    stored = stored_deal(Deal.objects.get())
    outcome = stored.outcome() if stored else None
    assert outcome is not None
    pays = [who for _, _, who, _, _ in deal_picture(Session.objects.get(), 1, outcome)["pays"]]
    assert len(pays) == 6
    for who in pays:
        payer, payee = who.split(" pays ")
        assert {payer[:2], payee[:2]} <= {"WW", "Je", "王小", "An"}


def test_a_record_that_goes_to_another_session_has_another_picture() -> None:
    first = start()
    settle(first, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    client, at = host(first), f"/c/{first.club.public_id}/records/pot-1/send/"
    before = DRAWN.findall(client.get(at).content.decode())
    second = start("Dan Eve", club=first.club)
    settle(second, entry(s1=STRONG, s2=PLAIN))
    assert Session.objects.values_list("version", flat=True).distinct().count() == 1
    assert DRAWN.findall(client.get(at).content.decode()) != before


def test_a_record_of_the_club_is_sent_with_its_hand_or_session() -> None:
    session = played()
    client, club = host(session), session.club.public_id
    page = client.get(f"/c/{club}/statistics/").content.decode()
    sent = re.findall(rf'href="(/c/{club}/records/[^"]+)"', page)
    assert len(sent) == 4
    firsts = []
    for address in sent:
        answer = client.get(address)
        lines = message(answer)
        firsts.append(lines[0].split(", ")[:-2])
        assert len(lines) <= 10
        assert is_portrait(drawn(client, answer).content)
    assert firsts == [
        ["Club record. Highest royalties of one hand: +31", "Ann. Hand 1"],
        ["Club record. Longest Fantasyland: 1 hand", "Ann. Hand 2"],
        ["Club record. Biggest pot: +74.00 EUR", "Ann. Hand 1"],
        ["Club record. Most fouls in a session: 1", f"Bob. {title(session).split(', ')[0]}"],
    ]
    assert client.get(f"/c/{club}/records/tallest/send/").status_code == 404
    assert client.get(f"/c/{club}/records/tallest/send/picture.png").status_code == 404


@pytest.mark.usefixtures("stopped_clock")
@override_settings(PICTURES_PER_MINUTE=2)
def test_nobody_has_more_pictures_drawn_than_the_limit() -> None:
    session = played()
    client = host(session)
    limits.pictures.forget()
    at = f"/s/{session.public_id}"
    pictures = [f"{at}/send/picture.png", f"{at}/hands/1/send/picture.png", f"{at}/hands/2/send/picture.png"]
    picture.forget()
    assert [client.get(each).status_code for each in pictures] == [200, 200, 429]
    assert client.get(pictures[0]).status_code == 200, "it is drawn already"


@pytest.mark.usefixtures("stopped_clock")
@override_settings(PICTURES_PER_MINUTE=1)
def test_asking_again_for_a_picture_that_is_being_drawn_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    session = played()
    client, address = host(session), f"/s/{session.public_id}/send/picture.png"
    limits.pictures.forget()
    picture.forget()
    draw, may_go_on = picture._draw, Event()

    def held(svg: str, size: picture.Size) -> None:
        may_go_on.wait(30)
        draw(svg, size)

    monkeypatch.setattr(picture, "_draw", held)
    wait = Wait()
    for _ in range(3):
        wait.token = ""  # as in another request
        extra: dict[str, Any] = {WAIT: wait}
        assert client.get(address, **extra).status_code == 204
    may_go_on.set()
    assert wait.until is not None
    wait.until.result(30)


def test_a_picture_is_drawn_once_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    draw = picture.png

    def counted(svg: str, size: picture.Size) -> bytes:
        drawn.append(svg)
        return draw(svg, size)

    monkeypatch.setattr(picture, "png", counted)
    picture.forget()
    session = played()
    for _ in range(3):
        host(session).get(f"/s/{session.public_id}/send/picture.png")
    assert len(drawn) == 1
    ledger.reopen_session(session=session, key=key(), by="host")
    host(session).get(f"/s/{session.public_id}/send/picture.png")
    assert len(drawn) == 2, "it says that the session goes on"


def test_a_process_keeps_so_many_pictures_and_forgets_the_oldest() -> None:
    picture.forget()
    for n in range(picture.MOST_CACHED):
        picture.keep(str(n), picture.PORTRAIT, b"")
    assert picture.drawn("0", picture.PORTRAIT) == b""
    picture.keep("one more", picture.PORTRAIT, b"")
    assert picture.drawn("0", picture.PORTRAIT) == b"", "it was just asked for"
    assert picture.drawn("1", picture.PORTRAIT) is None


def test_another_process_draws_the_same_and_says_if_it_cannot() -> None:
    picture.forget()
    svg = render_to_string("shared/picture_session.svg", session_picture(played()))
    picture.begin(svg, picture.PORTRAIT).result(30)
    assert picture.drawn(svg, picture.PORTRAIT) == picture.png(svg, picture.PORTRAIT)
    with pytest.raises(subprocess.CalledProcessError):
        picture.begin("no picture", picture.PORTRAIT).result(30)
    assert picture.drawn("no picture", picture.PORTRAIT) is None


def test_a_request_waits_for_its_picture_without_holding_the_thread() -> None:
    session = played()
    client, address = host(session), f"/s/{session.public_id}/send/picture.png"
    picture.forget()
    wait = Wait()
    extra: dict[str, Any] = {WAIT: wait}
    assert client.get(address, **extra).status_code == 204
    assert wait.until is not None
    wait.until.result(30)
    assert is_portrait(client.get(address, **extra).content)
    picture.forget()
    extra = {WAIT: Wait(token="drawn")}
    late = client.get(address, **extra)
    assert (late.status_code, late["Retry-After"]) == (503, "2")


def test_names_of_any_kind_are_drawn_and_cut_to_the_room_they_have() -> None:
    names = ["Maximiliane Freifrau von der Brüggenhold", "<b>&\"'", "王小明さくらДмитрий", "🎉"]
    session = ledger.start_session(names=names, stake=100, currency="EUR", button=1, key=key(), by="host")
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK, s4=FOUL))
    session = Session.objects.get()
    shown = session_picture(session)
    assert [each.name for each in shown["ranked"]] == ["Maximiliane Freifrau…", "<b>&\"'", "王小明さくらДмитрий", "🎉"]
    client = host(session)
    for address in ("send/", "hands/1/send/"):
        page = client.get(f"/s/{session.public_id}/{address}")
        assert names[0] in "\n".join(message(page))
        assert is_portrait(drawn(client, page).content)


@pytest.mark.parametrize(
    "letters", ["Ann", "Дмитрий", "王", "さくら", "אברהם", "محمد", "Ελλάδα", "●■▲◆○□△◇×★−…–", "🎲🃏⚽🔥"]
)
def test_the_fonts_have_the_letters(letters: str) -> None:
    """What no font has is drawn as a box, which looks the same for every letter."""

    def png(text: str) -> bytes:
        return picture.png(f'<svg xmlns="http://www.w3.org/2000/svg" font-family="{picture.FONT}" width="80" '
                           f'height="42" font-size="30"><text y="30">{text}</text></svg>', picture.CARD)  # fmt: skip

    unknown = png("\U000f0000")
    assert unknown != png("")
    assert all(png(letter) not in (unknown, png("")) for letter in letters)


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES])
def test_the_day_of_a_session_without_a_name_is_never_cut(tag: str) -> None:
    session = played()
    session.opened_at = datetime(2026, 9, 30, 12, tzinfo=UTC)  # a Wednesday in September
    with translation.override(tag):
        svg = render_to_string("shared/picture_session.svg", session_picture(session))
        assert f">{' '.join(title(session).split())}</text>" in unescape(svg)


def test_many_people_are_ranked_as_far_as_there_is_room() -> None:
    session = start()
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    for n in range(9):
        guest = act(Join, session, name=f"Guest {n}").number
        act(SideBet, session, payer=1, payee=guest, amount=100 + n, note="a bet")
        act(Leave, session, seat=guest)
    session.refresh_from_db()
    ranked = session_picture(session)["ranked"]
    assert [each.name for each in ranked][-1] == "and 5 others"
    assert len(ranked) == 8
    assert len(session_text(session).split("\n")) == 10


def test_a_text_of_eight_boards_with_a_link_has_ten_lines() -> None:
    names = [f"P{n}" for n in range(8)]
    rules = {"preset": "regular", "decks": 2}
    session = ledger.start_session(names=names, stake=100, currency="EUR", button=1, rules=rules, key=key(), by="host")
    boards = [STRONG, PLAIN, WEAK, FOUL] * 2
    settle(session, entry(**{f"s{n}": board for n, board in enumerate(boards, 1)}))
    stored = stored_deal(Deal.objects.get())
    outcome = stored.outcome() if stored else None
    assert outcome is not None
    lines = deal_text(Session.objects.get(), 1, outcome, above="Club record. ", link="http://here/").split("\n")
    assert len(lines) == 10
    assert lines[-1] == "http://here/"
    paid = sum(1 for pair in outcome.result["pairs"] if pair["points"])
    lines = deal_text(Session.objects.get(), 1, outcome).split("\n")
    assert (len(lines), lines[-1]) == (10, f"{paid} payments")


def sent(session: Session, number: int) -> tuple[list[str], list[str], list[str]]:
    """Of a hand: the payments of its message, those of its picture, and the results beside the boards of that."""
    session.refresh_from_db()
    stored = stored_deal(Deal.objects.get(number=number))
    outcome = stored.outcome() if stored else None
    assert outcome is not None
    drawing = deal_picture(session, number, outcome)
    lines = deal_text(session, number, outcome).split("\n")
    results = [board.texts[1][-1] for board in drawing["boards"]]
    return [line for line in lines if " pays " in line], [pay[-1] for pay in drawing["pays"]], sorted(results)


@pytest.mark.parametrize("stake", [0, 500])
def test_a_sent_hand_has_the_money_that_it_was_played_for(stake: int) -> None:
    """Hand 1 was played for 1.00 a point, hand 2 for nothing, whatever the stake is when they are sent."""
    session = start()
    settle(session)
    act(ChangeTerms, session, stake=0, pair_stakes=[])
    settle(session)
    if stake:
        act(ChangeTerms, session, stake=stake, pair_stakes=[])
    assert sent(session, 1) == (
        ["Cat pays Bob 6 points, 6.00 EUR", "Bob pays Ann 6 points, 6.00 EUR", "Cat pays Ann 6 points, 6.00 EUR"],
        ["6.00 EUR"] * 3,
        ["+12, +12.00 EUR", "0", "\N{MINUS SIGN}12, \N{MINUS SIGN}12.00 EUR"],
    )
    assert sent(session, 2) == (
        ["Cat pays Ann 6 points", "Cat pays Bob 6 points", "Bob pays Ann 6 points"],
        ["6 points"] * 3,
        ["+12", "0", "\N{MINUS SIGN}12"],
    )
    assert "+12, +12.00 EUR" in [said for *_, said in session_picture(session)["best"].texts]


def test_a_sent_hand_says_what_somebody_without_chips_did_not_pay() -> None:
    session = start()
    for seat, amount in ((1, 5000), (2, 5000), (3, 600)):
        act(BuyIn, session, seat=seat, amount=amount)
    settle(session)
    payments, drawn_payments, _results = sent(session, 1)
    assert payments[-1] == "Cat pays Ann 6 points, 0 EUR"
    assert drawn_payments[-1] == "0 EUR"


@pytest.mark.parametrize("seed", range(6))
def test_what_is_sent_is_what_the_export_says(seed: int) -> None:
    """Results, fouls and the best hand of random evenings, counted here from the document that anybody can download."""
    chance = random.Random(seed)
    evening = random_evening(seed, None, chance)
    for _ in range(40):
        something(evening, chance)
    session = Session.objects.get(pk=evening.session.pk)
    (document,) = exported(session.club)
    names = {seat["seat"]: seat["name"] for seat in document["seats"]}
    points, money = Counter[str](), Counter[str]()
    for line in document["transfers"]:
        if line["kind"] in IN_PLAY:
            for seat, sign in ((line["payee"], 1), (line["payer"], -1)):
                points[names.get(seat, "Bank")] += sign * line["points"]
                money[names.get(seat, "Bank")] += sign * line["amount"]
    counted = [deal for deal in document["deals"] if not deal["void"]]
    results = [(deal["number"], player) for deal in counted for player in deal["result"]["players"]]
    fouls = Counter(player["name"] for _, player in results if player.get("foul"))
    most = max((player["points"] for _, player in results), default=0)

    shown, lines = session_picture(session), session_text(session).split("\n")
    assert is_portrait(picture.png(render_to_string("shared/picture_session.svg", shown), picture.PORTRAIT))
    ranked = {each.name: (each.points, each.money) for each in shown["ranked"]}
    digits = session.minor_digits
    assert ranked == {
        name: (signed(points[name]), signed_money(money[name], digits) if any(money.values()) else "")
        for name in ranked
    }
    order = [(money[name], points[name]) for name in ranked]
    assert order == sorted(order, reverse=True)
    assert {name for name in names.values() if points[name] or money[name]} <= {*ranked, "Bank"}
    plan = settle_up(session, state(session)).fewest
    told = sum(1 for line in lines if " pays " in line)
    assert told == len(plan) or f"… and {len(plan) - told} more payments" in lines
    (said,) = [line for line in lines if line.startswith("Fouls: ")] or [""]
    for name, often in fouls.items():
        assert f"{name} {often}" in said
    if most > 0:
        (best,) = [line for line in lines if line.startswith("Best hand: ")]
        assert best.startswith(f"Best hand: {signed(most)} points, ")
        assert all(name in best for name in {player["name"] for _, player in results if player["points"] == most})
    assert len(lines) <= 10
    for number, _ in results:
        of = stored_deal(Deal.objects.get(session=session, number=number))
        outcome = of.outcome() if of else None
        assert outcome is not None
        assert len(deal_text(session, number, outcome).split("\n")) <= 10
        drawing = deal_picture(session, number, outcome)
        assert [each.board.name for each in drawing["boards"]] == [
            player["name"] for deal in counted if deal["number"] == number for player in deal["document"]["players"]
        ]
