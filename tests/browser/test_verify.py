"""The page that checks a record: it says what the script says, needs no server once it is saved, and sends nothing."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from django.conf import settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring import reads
from scoring.ledger import chain
from tests.actions.everything import for_cash
from tests.browser.conftest import Look
from tests.exports import records
from tests.exports.records import DAMAGES, UNREADABLE, Document
from tests.ledger.conftest import start

WHOLE = (
    "The events hold: each has its hash and follows from the one before. "
    "All figures here come from them; nothing else in the file was checked."
)


def choose(page: Page, document: Document | bytes) -> None:
    """Choose this file on the page, on which nothing is said of an earlier one any more."""
    page.evaluate("for (const id of ['verdict', 'sessions']) document.getElementById(id).replaceChildren()")
    text = document if isinstance(document, bytes) else records.written(document)
    page.get_by_label("The record").set_input_files({"name": "record.json", "mimeType": "", "buffer": text})


def told(page: Page) -> Any:
    return page.get_by_role("status").locator("p")


def test_it_says_what_the_record_shows(live_server: LiveServer, page: Page, look: Look) -> None:
    page.goto(f"{live_server.url}/verify/")
    look(page)
    document = records.witnessed()
    choose(page, document)
    expect(told(page)).to_have_text([WHOLE])
    expect(page.get_by_role("heading", name="Freitag – 金曜日")).to_be_visible()
    expect(page.get_by_text("Events: 10. Hands: 2.")).to_be_visible()
    expect(page.get_by_role("row")).to_have_text(
        [
            "PlayerPointsEUR",
            "Ann+24+24.00",
            "Bob–+99\u202f999\u202f999\u202f999\u202f999.99",
            "Žofie−24−24.00",
            "駒子 😀–−99\u202f999\u202f999\u202f999\u202f999.99",
        ]
    )
    expect(page.get_by_text("agreed to the record as of event 8.")).to_have_count(2)
    shown = document["events"][7]["hash"]
    expect(page.get_by_text(shown)).to_be_visible()
    expect(page.locator("[lang=en][translate=no]", has_text=chain.words_of(shown))).to_be_visible()
    look(page, "a record")


def test_its_sums_are_those_of_the_pages(live_server: LiveServer, page: Page) -> None:
    session = for_cash()
    page.goto(f"{live_server.url}/verify/")
    choose(page, records.record(session))
    expect(told(page)).to_have_text([WHOLE])
    state = reads.state(session)
    won = [(name, state.balances[seat]) for seat, name in state.players.items()]
    figures = [f"{name}{each.points:+}{each.money / 100:+.2f}".replace("-", "−") for name, each in won]
    expect(page.get_by_role("row")).to_have_text(["PlayerPointsEUR", *figures])


@pytest.mark.parametrize("name", DAMAGES)
def test_the_first_event_that_does_not_hold_is_named(live_server: LiveServer, page: Page, name: str) -> None:
    page.goto(f"{live_server.url}/verify/")
    document, sentence = records.damaged(name)
    choose(page, document)
    expect(told(page)).to_have_text([sentence])
    expect(page.locator("#sessions")).to_be_empty()


def test_it_speaks_the_readers_language_and_leads_to_the_choice_of_another(live_server: LiveServer, page: Page) -> None:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "ru", "url": live_server.url}])
    page.goto(f"{live_server.url}/verify/#3-{'0' * 64}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Проверить протокол")
    page.locator("#file").set_input_files({"name": "a", "mimeType": "", "buffer": records.written(records.witnessed())})
    expect(told(page).first).to_contain_text("События прошли проверку: у каждого верный хеш")
    expect(told(page).last).to_have_text("Указанный отпечаток не относится ни к одному событию, прошедшему проверку.")
    expect(page.get_by_role("row").nth(1)).to_have_text("Ann+24+24,00")
    expect(page.get_by_role("row").nth(2)).to_contain_text("+99\N{NO-BREAK SPACE}999\N{NO-BREAK SPACE}999")
    page.get_by_role("link", name="Русский").click()
    page.get_by_role("button", name="Suomi").click()
    page.wait_for_url(f"{live_server.url}/verify/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tarkista pöytäkirja")


def test_a_file_that_is_not_whole_is_called_so(live_server: LiveServer, page: Page, look: Look) -> None:
    page.goto(f"{live_server.url}/verify/")
    for text in records.not_whole().values():
        choose(page, records.witnessed())
        expect(told(page)).to_have_text([WHOLE])
        choose(page, text)
        expect(told(page)).to_have_text([UNREADABLE])
    page.get_by_label("Compare it with words that you kept").fill("abacus abacus abacus abacus abacus yo-yo")
    expect(told(page)).to_have_text([UNREADABLE])
    look(page, "not whole")


def test_what_no_hash_covers_may_change(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    for text in records.harmless().values():
        choose(page, records.damaged("a card")[0])
        expect(told(page)).not_to_have_text([WHOLE])
        choose(page, text)
        expect(told(page)).to_have_text([WHOLE])
        expect(page.get_by_role("heading", name="Freitag – 金曜日")).to_be_visible()
        expect(page.get_by_role("row").first).to_have_text("PlayerPointsEUR")


def test_words_that_are_not_those_of_the_hash_are_named(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    for document, sentence in records.other_words():
        choose(page, document)
        expect(told(page)).to_have_text([sentence])
        expect(page.locator("#sessions")).to_be_empty()


def test_a_file_that_leaves_open_what_it_says_is_refused(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    for text, sentence in records.refused().values():
        choose(page, records.witnessed())
        expect(told(page)).to_have_text([WHOLE])
        choose(page, text)
        expect(told(page)).to_have_text([sentence])
        expect(page.locator("#sessions")).to_be_empty()


def test_it_says_that_a_record_changed_after_somebody_agreed(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    choose(page, records.reopened())
    expect(page.get_by_text("agreed to the record as of event")).to_have_text(records.AGREED)
    expect(page.locator("#sessions .checked")).to_have_text(records.AGREED[1:])


def test_what_stands_in_an_agreement_is_no_result(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    said = []
    for document in records.smuggled():
        choose(page, document)
        expect(page.get_by_text("Won and lost")).to_be_visible()
        said.append(page.locator("#sessions").inner_text())
    assert said[0] == said[1]


def test_a_club_is_checked_session_by_session(live_server: LiveServer, page: Page, look: Look) -> None:
    page.goto(f"{live_server.url}/verify/")
    intact, (broken, sentence) = records.record(start("Ann Bob")), records.damaged("a card")
    choose(page, records.club(intact, broken, intact))
    expect(told(page)).to_have_text(["1 of 3 sessions here does not hold."])
    expect(page.get_by_role("heading", name="Evening 2")).to_be_visible()
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(2)
    page.get_by_label("Compare it with words that you kept").fill(intact["events"][0]["hash"])
    held = "The head that you gave is that of event 1 of 1: up to there nothing has changed since."
    named = f"Session of {intact['events'][0]['at'][:10]}"
    expect(told(page)).to_have_text(["1 of 3 sessions here does not hold.", named, held])
    look(page, "a club")


def test_the_qr_code_brings_the_head_to_compare_with(live_server: LiveServer, page: Page, look: Look) -> None:
    document = records.witnessed()
    third = document["events"][2]["hash"]
    page.goto(f"{live_server.url}/verify/#3-{third}")
    expect(page.get_by_text(f"In six words: {chain.words_of(third)}, at event 3.")).to_be_visible()
    choose(page, document)
    held = "The head that you gave is that of event 3 of 10: up to there nothing has changed since."
    expect(told(page)).to_have_text([WHOLE, held])
    look(page, "the same")
    page.goto(f"{live_server.url}/verify/#3-{'0' * 64}")
    missed = "The head that you gave is that of no event that holds here."
    expect(told(page)).to_have_text([WHOLE, missed])
    choose(page, records.damaged("a card")[0])
    expect(told(page)).to_have_text([records.damaged("a card")[1], missed])


def test_six_words_from_a_phone_are_found(live_server: LiveServer, page: Page) -> None:
    document = records.witnessed()
    words = chain.words_of(document["events"][7]["hash"])
    page.goto(f"{live_server.url}/verify/")
    choose(page, document)
    field = page.get_by_label("Compare it with words that you kept")
    field.press_sequentially(words.upper().replace(" ", ",  "))
    held = "The six words that you gave are those of event 8 of 10: up to there nothing has changed since."
    expect(told(page)).to_have_text([WHOLE, held])
    field.fill(" ".join(words.split()[:4]))
    expect(page.get_by_text("Words: 4. A head has six.")).to_be_visible()
    expect(told(page)).to_have_text([WHOLE])
    field.fill(f"{words} abacus")
    expect(page.get_by_text("Words: 7. A head has six.")).to_be_visible()
    field.fill(words + "x")
    expect(page.get_by_text("is none of the words that a head can have")).to_be_visible()
    field.fill(document["head"][:-1])
    expect(page.get_by_text("Wanted are six words, or all 64 digits of a hash.")).to_be_visible()
    expect(told(page)).to_have_text([WHOLE])
    field.fill("abacus abacus abacus abacus abacus yo-yo")
    expect(told(page)).to_have_text([WHOLE, "The six words that you gave are those of no event that holds here."])


def test_a_saved_copy_works_alone(live_server: LiveServer, page: Page, tmp_path: Path, look: Look) -> None:
    page.goto(f"{live_server.url}/verify/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save this page").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    document = records.witnessed()
    page.goto(f"{saved.as_uri()}#8-{document['events'][7]['hash']}")
    choose(page, document)
    expect(told(page)).to_have_text([WHOLE, re.compile("event 8 of 10")])
    expect(page.get_by_role("link")).to_have_count(0)
    look(page, "saved")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_a_saved_copy_could_not_send_anything(live_server: LiveServer, page: Page, browser: Browser) -> None:
    with browser.new_context() as context:  # its console says what was refused
        alone = context.new_page()
        alone.set_content(page.request.get(f"{live_server.url}/verify/").text())
        choose(alone, records.witnessed())
        expect(told(alone)).to_have_text([WHOLE])
        alone.on("console", lambda message: complaints.append(message.text))
        complaints: list[str] = []
        assert alone.evaluate(f"fetch('{live_server.url}/healthz').then(() => 'sent', () => 'refused')") == "refused"
        assert "Content Security Policy" in complaints[0]


def test_a_dropped_file_is_checked(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server.url}/verify/")
    text = records.written(records.witnessed()).decode()
    dropped = page.evaluate_handle(
        "(text) => { const data = new DataTransfer(); data.items.add(new File([text], 'record.json')); return data; }",
        text,
    )
    page.dispatch_event("#main", "drop", {"dataTransfer": dropped})
    expect(told(page)).to_have_text([WHOLE])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_its_hashes_are_those_of_another_implementation(live_server: LiveServer, page: Page) -> None:
    """Of any content and of every length up to three blocks, which are the sessions of one club's document."""
    page.goto(f"{live_server.url}/verify/")
    first = records.record(start("Ann Bob"))["events"][0]
    del first["hash"]

    def hold(notes: list[Any]) -> None:
        events = [{**first, "note": note} for note in notes]
        hashes = [hashlib.sha256(rfc8785.dumps(event)).hexdigest() for event in events]
        each = [
            {"head": hash_, "events": [{**event, "hash": hash_}]} for event, hash_ in zip(events, hashes, strict=True)
        ]
        choose(page, records.club(*each))
        expect(page.get_by_text("Events: 1. Hands: 0.")).to_have_count(len(notes))
        expect(told(page)).to_have_text([WHOLE])

    hold(["x" * length for length in range(192)])
    hypothesis_settings(max_examples=50)(given(st.lists(JSON, min_size=1))(hold))()  # each is a page of a browser
