"""The pages that settle a session again under other rules."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from scoring import club, ledger
from scoring.actions.terms import ChangeTerms
from scoring.forms.house_rules import as_query
from scoring.game.entry import Entry, Rows
from scoring.models import Session
from scoring.rules.houserules import PRESETS, Naturals, resolve
from scoring.views.books import what_if
from tests.access.conftest import Cast, host
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, key, settle, start
from tests.pages import form

pytestmark = pytest.mark.django_db

TWO_FOUR = "?preset=regular&scoring=2-4"


def opened(session: Session, query: str = "", **options: Any) -> Any:
    """The answer to a host who opens the page."""
    return host(session).get(f"/s/{session.public_id}/what-if/{query}", **options)


def text(response: Any) -> str:
    """The page as people read it, with single spaces."""
    assert response.status_code == 200
    page = response.content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page[page.index("<main") :])).split())


def test_before_the_first_hand_it_says_so(session: Session) -> None:
    assert "No hands yet" in text(opened(session))
    assert "No hands yet" in text(opened(session, TWO_FOUR))


def test_the_ledger_leads_there(session: Session) -> None:
    settle(session)
    page = host(session).get(f"/s/{session.public_id}/ledger/").content.decode()
    assert f'href="/s/{session.public_id}/what-if/">What if?</a>' in page


def test_without_rules_it_only_asks(session: Session) -> None:
    settle(session)
    page = text(opened(session))
    assert "Rules to compare with" in page
    assert "As played" not in page


def test_the_short_form_leads_to_an_address_that_can_be_kept(session: Session) -> None:
    settle(session)
    answer = form(opened(session), "Compare").fill({"scoring": "2-4", "royalties": "flat-20"}).press()
    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer.url).query) == {
        "preset": ["regular"],
        "scoring": ["2-4"],
        "royalties": ["flat-20"],
    }
    page = text(opened(session, f"?{urlsplit(answer.url).query}"))
    assert "Ann +12 points, +12.00 EUR +8 points, +8.00 EUR −4 points, −4.00 EUR" in page
    assert "1 of 1 hand differs." in page
    assert "The bonus 1" in page


def test_the_short_form_keeps_what_it_does_not_ask(session: Session) -> None:
    settle(session)
    asked = opened(session, "?preset=pineapple&scoring=2-4&moon=add&moon_points=7")
    answer = form(asked, "Compare").fill({"scoring": "1-4"}).press()
    assert parse_qs(urlsplit(answer.url).query) == {
        "preset": ["pineapple"],
        "scoring": ["1-4"],
        "moon": ["add"],
        "moon_points": ["7"],
    }


def test_every_choice_can_be_changed_even_the_chart(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    own = {"royalties": "own", "chart-front-AA": "50"}
    answer = form(opened(session, TWO_FOUR), "Compare these rules").fill(own).press()
    assert parse_qs(urlsplit(answer.url).query) == {
        "preset": ["regular"],
        "scoring": ["2-4"],
        **{name: [value] for name, value in own.items()},
    }
    page = text(opened(session, f"?{urlsplit(answer.url).query}"))
    assert "The bonus and royalties" in page
    assert "Your own chart" in page


def test_rules_that_cannot_be_played_are_refused_in_sentences_and_kept(session: Session) -> None:
    settle(session)
    answer = form(opened(session), "Compare these rules").fill({"moon": "add", "moon_points": "many"}).press()
    page = answer.content.decode()
    assert "Nothing can be settled by these rules:" in page
    assert "Points are a whole number from 0 to 999999." in page
    assert 'value="many"' in page
    assert "As played" not in page


def test_the_same_rules_say_that_nothing_differs(session: Session) -> None:
    settle(session)
    page = text(opened(session, "?preset=regular"))
    assert "1 hand, and none of them differs." in page
    assert "These are the rules of this session." in page
    hand = text(opened(session, "1/?preset=regular"))
    assert "The hand would have been settled as it was." in hand
    assert "These are the rules by which this hand was played." in hand


def test_a_hand_opens_down_to_the_cards(session: Session) -> None:
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    page = text(opened(session, "1/?preset=regular&scoring=2-4&royalties=flat-20"))
    assert "Differs: the bonus and royalties." in page
    assert "Under these rules Pts EUR Cat pays Bob 4 points" in page
    assert "As played Pts EUR Cat pays Bob 6 points" in page
    assert "Quads, Fours" in page
    assert "Instead of: " in page
    assert "Fantasyland" not in page  # aces in front, but of a hand on paper nothing follows


def test_a_hand_that_becomes_a_foul_says_whose(session: Session) -> None:
    level = entry(s1=PLAIN, s2=WEAK)
    two = start("Ann Bob")
    settle(two, level)
    lowball = text(opened(two, "1/?preset=2-7-pineapple"))
    assert "Differs: Bob fouls, Ann fouls, rows and the bonus." in lowball
    assert "isn't a 2-7 low" in lowball


def test_a_hand_that_is_void_or_does_not_exist_is_not_found(session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    for number in (1, 2, 10**30):
        assert opened(session, f"{number}/{TWO_FOUR}").status_code == 404
    assert "No hands count" in text(opened(session, TWO_FOUR))


def test_hands_that_stay_as_they_were_say_why() -> None:
    session = start(rules="double-deck")
    settle(session)
    settle(session, entry(s1=STRONG, s2=STRONG, s3=WEAK))
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    page = text(opened(session, TWO_FOUR))
    assert "Hand 2: " in page
    assert "a card lay there more often than the decks of these rules hold it" in page
    assert "Hand 3: the table entered the points, and no cards. Counted as played." in page
    hand = text(host(session).get(f"/s/{session.public_id}/what-if/2/{TWO_FOUR}"))
    assert "is also in Ann's front" in hand.replace("’", "'")
    assert "Differs" not in hand


def test_where_ranks_alone_do_not_suffice_it_says_so() -> None:
    """A front without suits may have been the third of three flushes; nothing else that is scored needs its suits."""
    session = start(rules={"surrender_points": 5})
    pays, pays_not = (
        f"?{urlencode(as_query(resolve({'surrender_points': 5, 'naturals': Naturals(3, points, 3, 3)._asdict()})))}"
        for points in (3, 0)
    )
    flushes, dead = ("5679Tf", "678TQf"), Rows(ruling="dead")
    settle(session, entry(s1=Rows("234", *flushes), s2=dead, s3=dead))
    settle(session, entry(s1=Rows("2h3h4c", *flushes), s2=dead, s3=dead))
    settle(session, entry(s1=Rows("234", "5679T", "678TQf"), s2=dead, s3=dead))
    settle(session, entry(s1=Rows("234", "678TQf", "5679Tf"), s2=dead, s3=dead))  # a foul
    settle(session, entry(s1=Rows("234", *flushes, "dead"), s2=dead, s3=Rows(ruling="surrendered")))
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    said = "Hand 1: a front was entered without suits, which may have been the third of three flushes."
    assert said in text(opened(session, pays))
    assert said in text(opened(session, f"1/{pays}"))
    assert "without suits, which" not in text(opened(session, pays_not))
    assert "without suits, which" not in text(opened(session, TWO_FOUR))
    club_page = text(host(session).get(f"/c/{session.club.public_id}/what-if/{pays}"))
    assert "1 hand: a front was entered without suits" in club_page
    assert "It is scored as none." in club_page


def test_hands_by_earlier_rules_are_named(session: Session) -> None:
    settle(session)
    settle(session)
    act(ledger.record, session, action=ChangeTerms(rules=resolve({"scoring": "2-4"}).as_document()))
    settle(session)
    page = text(opened(session, TWO_FOUR))
    assert "Hands 1 and 2 had other rules than the session has now." in page
    assert "2 of 3 hands differ." in page


def test_with_chips_it_says_how_each_hand_begins() -> None:
    session = start(buy_in=500)
    settle(session)
    page = text(opened(session, TWO_FOUR))
    assert "Each hand begins with the chips with which it began." in page
    assert "Each hand begins" not in text(opened(start(), TWO_FOUR))


def test_what_only_the_caps_change_is_called_so() -> None:
    session = start(buy_in=700)
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=FOUL))
    page = text(opened(session, "?preset=regular&loss_cap=no&win_cap=none"))
    assert "What the chips could pay" in page


def test_a_long_session_comes_in_parts(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(what_if, "DEALS_A_PART", 2)
    for boards in (LEVEL, entry(s1=WEAK, s2=PLAIN, s3=FOUL), LEVEL):
        settle(session, boards)
    assert "Hands 1 and 2 Hand 3 " in text(opened(session, TWO_FOUR))
    first, second = text(opened(session, TWO_FOUR)), text(opened(session, f"{TWO_FOUR}&part=2"))
    assert "This part alone is added up: Hands 1 and 2." in first
    assert "2 of 2 hands differ." in first
    assert "This part alone is added up: Hand 3." in second
    assert "1 of 1 hand differs." in second
    assert text(opened(session, f"{TWO_FOUR}&part=9")) == second


def test_saved_rule_sets_are_for_hosts_and_their_address_for_all(cast: Cast) -> None:
    session = cast.session
    club.save_rules(session.club, "House of cards", resolve({"scoring": "2-4"}))
    settle(session)
    assert "House of cards" in text(opened(session))
    viewer = cast.browsers["viewer"].get(f"/s/{session.public_id}/what-if/")
    assert "House of cards" not in text(viewer)
    answer = opened(session, "?preset=saved:House+of+cards")
    assert urlsplit(answer.url).query == TWO_FOUR[1:]
    assert "As played" in text(cast.browsers["viewer"].get(answer.url))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_of_the_app_can_be_compared_with(session: Session, preset: str) -> None:
    settle(session)
    assert "Rules compared" in text(opened(session, f"?preset={preset}"))


def test_a_surrender_that_costs_more_is_a_reason() -> None:
    session = start(rules={"surrender_points": 3})
    settle(session, entry(s1=PLAIN, s2=WEAK, s3=Rows(ruling="surrendered")))
    query = "?preset=regular&surrender_points=6"
    assert "What a surrender costs" in text(opened(session, query))
    page = text(host(session).get(f"/s/{session.public_id}/what-if/1/{query}"))
    assert "Differs: what a surrender costs." in page
    assert "would have been settled as it was" not in page


def test_a_natural_that_falls_away_is_a_reason() -> None:
    session = start("Ann Bob", rules={"naturals": Naturals()._asdict()})
    settle(session, entry(s1=Rows("2s3s4s", "5h6h7h8h9h", "TcJcQcKcAc"), s2=Rows(ruling="dead")))
    assert "A natural or a moon" in text(opened(session, "?preset=regular"))


def test_rules_that_can_take_no_hand_say_so_once_and_show_no_totals() -> None:
    names = [f"P{n}" for n in range(1, 9)]
    session = ledger.start_session(
        names=names, stake=100, currency="EUR", button=1, rules={"preset": "regular", "decks": 2}, key=key(), by="host"
    )
    boards = {f"s{n}": board for n, board in enumerate([STRONG, PLAIN, WEAK, FOUL] * 2, 1)}
    for _ in range(3):
        settle(session, entry(**boards))
    page = text(opened(session, "?preset=regular"))
    assert "These rules can settle none of them: 3 hands." in page
    assert "Hands 1 to 3: there were more players than the decks of these rules serve. Counted as played." in page
    assert "Difference" not in page
    hand = text(host(session).get(f"/s/{session.public_id}/what-if/1/?preset=regular"))
    assert "8 players are too many" in hand
