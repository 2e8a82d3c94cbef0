"""The page that settles a club's sessions again under other rules, and how it waits for many hands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from scoring import club, ledger, reads
from scoring.access import limits
from scoring.exports import making
from scoring.game.entry import Entry
from scoring.models import Club, Session
from scoring.rules.houserules import PRESETS, resolve
from scoring.views.club import what_if
from tests.access.conftest import Cast, host
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.pages import form

TWO_FOUR = "?preset=regular&scoring=2-4"


def opened(session: Session, query: str = "", **options: Any) -> Any:
    """The answer to a host who opens the page."""
    return host(session).get(f"/c/{session.club.public_id}/what-if/{query}", **options)


def text(response: Any) -> str:
    """The page as people read it, with single spaces."""
    assert response.status_code in {200, 202}
    page = response.content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page[page.index("<main") :])).split())


def test_before_the_first_hand_it_says_so(session: Session) -> None:
    assert "No hands yet" in text(opened(session))
    assert "No hands yet" in text(opened(session, TWO_FOUR))


@pytest.mark.parametrize("page", ["standings", "statistics"])
def test_the_clubs_pages_lead_there(session: Session, page: str) -> None:
    settle(session)
    response = host(session).get(f"/c/{session.club.public_id}/{page}/").content.decode()
    assert f'href="/c/{session.club.public_id}/what-if/">What if, by other rules?</a>' in response


def test_the_forms_lead_to_an_address_that_can_be_kept(session: Session) -> None:
    settle(session)
    year = str(session.opened_at.year)
    page = opened(session)
    assert "As played" not in text(page)
    answer = form(page, "Compare").fill({"scoring": "2-4", "royalties": "flat-20", "year": year}).press()
    assert parse_qs(urlsplit(answer.url).query) == {
        "preset": ["regular"],
        "scoring": ["2-4"],
        "royalties": ["flat-20"],
        "year": [year],
    }
    compared = opened(session, f"?{urlsplit(answer.url).query}")
    assert f"{year}, in EUR" in text(compared)
    again = form(compared, "Compare these rules").fill({"row_order": "strict"}).press()
    assert parse_qs(urlsplit(again.url).query)["year"] == [year]
    assert f"{TWO_FOUR[1:]}&amp;year={year}".replace("&scoring=2-4", "") in compared.content.decode()
    all_years = form(compared, "Compare").fill({"year": ""}).press()
    assert "year" not in parse_qs(urlsplit(all_years.url).query)


def test_standings_stand_side_by_side_in_each_currency(session: Session) -> None:
    yen = start("Cat Ann", club=session.club, currency="JPY", minor_digits=0, stake=50)
    settle(session)
    settle(yen, entry(s1=WEAK, s2=PLAIN))
    page = text(opened(session, TWO_FOUR))
    assert "All sessions, in EUR" in page
    assert "Ann +12 points, +12.00 EUR +8 points, +8.00 EUR −4 points, −4.00 EUR" in page
    assert "All sessions, in JPY" in page
    assert "Ann +6 points, +300 JPY +4 points, +200 JPY −2 points, −100 JPY" in page
    assert page.index("in EUR") < page.index("Ann +12") < page.index("Bob") < page.index("in JPY")
    assert "2 of 2 hands differ." in page
    assert "Instead of those of the last session: " in page
    assert "These are the rules of the last session." in text(opened(session, "?preset=regular"))


def test_each_session_says_how_many_hands_differ_and_leads_to_them(session: Session) -> None:
    other = start("Ann Bob", club=session.club)
    start("Ann Bob", club=session.club)  # without a hand
    settle(session)
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    settle(other, Entry(points=((1, 2, 4),)))
    answer = opened(session, TWO_FOUR)
    page = text(answer)
    assert "1 of 3 hands differs." in page
    assert "1 of 2 hands differs" in page
    assert "none of 1 hand differs" in page
    assert "2 hands: the table entered the points, and no cards. Counted as played." in page
    links = re.findall(r'href="(/s/[^"]+/what-if/\?[^"]+)"', answer.content.decode())
    assert links == [f"/s/{each.public_id}/what-if/{TWO_FOUR}".replace("&", "&amp;") for each in (other, session)]
    assert "1 of 2 hands differs." in text(host(session).get(unescape(links[1])))


def test_hands_that_the_rules_cannot_take_are_counted_with_the_reason() -> None:
    session = start(rules="double-deck")
    settle(session)
    settle(session, entry(s1=STRONG, s2=STRONG, s3=WEAK))
    page = text(opened(session, TWO_FOUR))
    assert "1 hand: a card lay there more often than the decks of these rules hold it. Counted as played." in page
    eight = start("Ann Bob Cat Dan Eve", rules="double-deck")
    settle(eight, Entry(points=((1, 2, 3),)))
    settle(eight, entry(s1=PLAIN, s2=WEAK, s3=FOUL, s4=STRONG, s5=PLAIN))
    assert "1 hand: there were more players than the decks of these rules serve." in text(opened(eight, TWO_FOUR))


def test_a_year_without_sessions_says_so(session: Session) -> None:
    settle(session)
    for year in ("1999", "999999999"):
        page = text(opened(session, f"{TWO_FOUR}&year={year}"))
        assert f"No hands count in {year}" in page
        assert "As played" not in page


@pytest.mark.parametrize("year", ["0", "-1", "9" * 31, "x", "20%00"])
def test_what_is_no_year_is_all_years(session: Session, year: str) -> None:
    settle(session)
    answer = opened(session, f"{TWO_FOUR}&year={year}")
    assert urlsplit(answer.url).query == TWO_FOUR[1:]


def test_a_club_of_void_hands_says_so(session: Session) -> None:
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    assert "No hands count There is nothing to compare." in text(opened(session, TWO_FOUR))


def test_rules_that_cannot_be_played_are_refused_in_sentences_and_kept(session: Session) -> None:
    settle(session)
    answer = form(opened(session), "Compare these rules").fill({"moon": "add", "moon_points": "many"}).press()
    assert "Points are a whole number from 0 to 999999." in text(answer)
    assert 'value="many"' in answer.content.decode()


def test_a_saved_rule_set_is_told_by_its_choices(session: Session) -> None:
    settle(session)
    club.save_rules(session.club, "House of cards", resolve({"scoring": "2-4"}))
    assert "House of cards" in text(opened(session))
    assert urlsplit(opened(session, "?preset=saved:House+of+cards").url).query == TWO_FOUR[1:]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_of_the_app_can_be_compared_with(session: Session, preset: str) -> None:
    settle(session)
    assert "Rules compared" in text(opened(session, f"?preset={preset}"))


def test_only_hosts_see_it(cast: Cast) -> None:
    settle(cast.session)
    address = f"/c/{cast.session.club.public_id}/what-if/{TWO_FOUR}"
    seen = {name: browser.get(address).status_code for name, browser in cast.browsers.items()}
    assert {name for name, status in seen.items() if status == 200} >= {"host"}
    for name in ("viewer", "scorer"):
        assert seen[name] == 404


def test_many_people_and_six_digits(session: Session) -> None:
    """24 people over eight sessions, with names of 40 characters and points that need groups of digits."""
    rules = {"royalties": "modern", "moon": "off"}
    for number in range(8):
        names = [f"{'x' * 36}{number}{place:03}" for place in range(3)]
        other = start(" ".join(names), club=session.club, rules=rules, stake=99_999)
        settle(other)
        settle(other, Entry(points=((1, 2, 999_999), (1, 3, 0), (2, 3, 0))))
    page = text(opened(session, TWO_FOUR))
    assert page.count("x" * 36) == 24
    assert "+1 000 011 points" in page


# --- Many hands -------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where what takes long is made."""
    settings.EXPORT_DIR = tmp_path / "exports"
    settings.EXPORT_DIR.mkdir()
    return tmp_path / "exports"


class Slow:
    """Stands in for the process that works it out: it does so when the test says so."""

    def __init__(self) -> None:
        self.begun: list[tuple[making.Making, making.What]] = []

    def __call__(self, made: making.Making, at: making.What) -> None:
        made.done = 43
        self.begun.append((made, at))

    def finish(self) -> None:
        made, (kind, public_id, _, given, _) = self.begun[-1]
        call_command("export", kind, public_id, str(made.file), given=given, stdout=StringIO())
        made.finished.set_result(None)

    def fail(self) -> None:
        made, at = self.begun[-1]
        del making._making[at]
        made.finished.set_exception(RuntimeError("no room"))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow()
    monkeypatch.setattr(what_if, "DEALS_AT_ONCE", 1)
    monkeypatch.setattr(making, "Thread", lambda args, **_: SimpleNamespace(start=lambda: slow(*args)))
    monkeypatch.setattr(making, "give_way", lambda: None)
    making._making.clear()
    yield slow
    making._making.clear()


@pytest.fixture
def long(session: Session) -> Session:
    """A session of more hands than are settled again at once."""
    settle(session)
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    return session


def ask(browser: Client, session: Session, query: str = TWO_FOUR, wait: Any = None) -> Any:
    """Ask as the server does that lets requests wait."""
    wait = wait or SimpleNamespace(until=None, token="")
    return browser.get(f"/c/{session.club.public_id}/what-if/{query}", **{"ofcscore.wait": wait})


def test_who_asks_for_many_hands_sees_how_far_it_is(long: Session, slow: Slow) -> None:
    browser = host(long)
    answer = ask(browser, long)
    page = text(answer)
    assert "Settling 2 hands again. The table can play on meanwhile." in page
    assert b'max="100" value="43"' in answer.content
    again = answer["Refresh"].removeprefix("1; url=")
    (begun,) = slow.begun
    assert again == f"/c/{long.club.public_id}/what-if/{TWO_FOUR}&export={begun[0].token}"
    assert f'href="{again.replace("&", "&amp;")}"' in answer.content.decode()
    assert "One moment" in text(ask(browser, long, f"?{urlsplit(again).query}"))
    assert len(slow.begun) == 1
    slow.finish()
    ready = text(ask(browser, long, f"?{urlsplit(again).query}"))
    whole = text(opened(long, TWO_FOUR))
    assert "2 of 2 hands differ." in whole
    hint = "Hands recorded in the last moments may be missing. Settle them again "
    assert hint in ready
    assert ready.replace(hint, "") == whole


def test_a_second_look_starts_nothing(long: Session, slow: Slow) -> None:
    browser = host(long)
    ask(browser, long)
    slow.finish()
    wait = SimpleNamespace(until=None, token="")
    assert "One moment" in text(ask(browser, long, wait=wait))
    assert wait.until.done()
    assert "2 of 2 hands differ." in text(ask(browser, long, wait=wait))
    assert len(slow.begun) == 1


@pytest.mark.parametrize("change", ["a hand", "a name", "other rules", "a year"])
def test_what_has_changed_is_worked_out_anew(long: Session, slow: Slow, change: str) -> None:
    browser, query = host(long), TWO_FOUR
    ask(browser, long)
    slow.finish()
    if change == "a hand":
        settle(long)
    elif change == "a name":
        club.rename_player(long.club.players.get(name="Ann"), "Annie")
    else:
        query = "?preset=regular&scoring=1-4" if change == "other rules" else f"{TWO_FOUR}&year={long.opened_at.year}"
    ask(browser, long, query)
    assert len(slow.begun) == 2
    slow.finish()
    assert "What if?" in text(ask(browser, long, f"{query}&export={slow.begun[1][0].token}"))


def test_few_hands_wait_for_nobody(session: Session, slow: Slow) -> None:
    settle(session)
    assert "1 of 1 hand differs." in text(ask(host(session), session))
    assert slow.begun == []


def test_an_address_of_two_asks_again(long: Session, slow: Slow) -> None:
    """The token of what was worked out by other rules shows nothing under these."""
    browser = host(long)
    ask(browser, long)
    slow.finish()
    other = "?preset=regular&scoring=1-4"
    answer = ask(browser, long, f"{other}&export={slow.begun[0][0].token}")
    assert answer.status_code == 302
    assert answer.url == f"/c/{long.club.public_id}/what-if/{other}"


def test_another_clubs_token_opens_nothing(long: Session, slow: Slow) -> None:
    ask(host(long), long)
    slow.finish()
    theirs = start("Dan Eve")
    for _ in range(2):
        settle(theirs, entry(s1=PLAIN, s2=WEAK))
    page = text(ask(host(theirs), theirs, f"{TWO_FOUR}&export={slow.begun[0][0].token}"))
    assert "One moment" in page
    assert len(slow.begun) == 2


def test_one_that_fails_is_an_error_and_not_tried_for_ever(long: Session, slow: Slow) -> None:
    wait = SimpleNamespace(until=None, token="")
    browser = host(long)
    ask(browser, long, wait=wait)
    slow.fail()
    with pytest.raises(RuntimeError, match="no room"):
        ask(browser, long, wait=wait)


def test_a_club_that_is_deleted_meanwhile_is_not_found(long: Session, slow: Slow, folder: Path) -> None:
    browser = host(long)
    ask(browser, long)
    slow.finish()
    assert len(list(folder.iterdir())) == 1
    page = browser.get(f"/c/{long.club.public_id}/delete/")
    form(page, "Delete club forever").fill({"name": str(long.club)}).press()
    assert not Club.objects.exists()
    assert list(folder.iterdir()) == []
    assert ask(browser, long, f"{TWO_FOUR}&export={slow.begun[0][0].token}").status_code == 404


@pytest.mark.usefixtures("stopped_clock")
@override_settings(WHAT_IFS_PER_TEN_MINUTES=2)
def test_one_client_begins_only_so_many(long: Session, slow: Slow) -> None:
    limits.what_ifs.forget()
    browser = host(long)
    ask(browser, long)
    token = slow.begun[0][0].token
    for scoring in ("1-6", "1-4"):
        last = ask(browser, long, f"?preset=cardplayer&scoring={scoring}".replace("&scoring=1-6", ""))
    assert last.status_code == 429
    assert "Too many requests" in text_of(last)
    assert len(slow.begun) == 2
    assert "One moment" in text(ask(browser, long, f"{TWO_FOUR}&export={token}"))
    limits.what_ifs.forget()


def text_of(response: Any) -> str:
    return unescape(response.content.decode())


def test_the_file_says_no_more_than_sums(long: Session, slow: Slow, folder: Path) -> None:
    """It has no card, and grows with sessions and people, not with hands."""
    ask(host(long), long)
    slow.finish()
    (file,) = folder.iterdir()
    kept = json.loads(file.read_text())
    assert kept.keys() == {"given", "sessions", "names"}
    (session,) = kept["sessions"]
    assert session.keys() == {"session", "deals", "differ", "won", "stay", "chips", "suits_missing"}
    assert reads.ClubWhatIf.read(kept) == reads.club_what_if(long.club, resolve({"scoring": "2-4"}), 0, lambda: None)


def test_a_file_that_another_release_has_left_is_not_read(long: Session, slow: Slow, folder: Path) -> None:
    browser = host(long)
    ask(browser, long)
    slow.finish()
    (file,) = folder.iterdir()
    left = json.loads(file.read_text())
    left["sessions"] = [{"of": "an older release"}]
    given = json.loads(left["given"])
    del given["columns"]
    file.write_text(json.dumps({**left, "given": json.dumps(given)}))
    answer = ask(browser, long, f"{TWO_FOUR}&export={slow.begun[0][0].token}")
    assert (answer.status_code, urlsplit(answer["Location"]).query) == (302, TWO_FOUR.removeprefix("?"))


def test_the_process_reports_how_far_it_is(long: Session, folder: Path) -> None:
    told: list[int] = []
    year = long.opened_at.year
    for asked in (year, year - 1):
        given = making.for_what_if(PRESETS["regular"], asked)
        making.make("what-if", long.club.public_id, folder / str(asked), given, told.append)
    assert told == [50, 99]
    assert [len(json.loads((folder / str(asked)).read_text())["sessions"]) for asked in (year, year - 1)] == [1, 0]
