"""The result of an evening is shared from a phone, as a message together with its picture."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring import ledger
from tests.browser.conftest import Look
from tests.conftest import let_in
from tests.ledger.conftest import FOUL, PLAIN, STRONG, WEAK, entry, key, settle, start

SHARES = """
    navigator.canShare = ({ files }) => files.every((file) => file instanceof File);
    navigator.share = async ({ files, text }) => {
        window.shared = [...(files ?? [])].map((file) => `${file.name} ${file.type} ${file.size > 10000}`).concat(text);
    };
"""


def evening(live_server: LiveServer, page: Page) -> str:
    """Lets a host into a closed session of two hands, whose address it returns."""
    session = start()
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    settle(session, entry(s1=WEAK, s2=PLAIN, s3=FOUL))
    ledger.close_session(session=session, key=key(), by="host")
    let_in(page, live_server.url, session)
    return f"{live_server.url}/s/{session.public_id}/"


def test_a_message_is_shared_together_with_its_picture(live_server: LiveServer, page: Page, look: Look) -> None:
    page.add_init_script(SHARES)
    here = evening(live_server, page)
    page.goto(here)
    look(page, "closed")
    page.get_by_role("link", name="Send the result").click()
    expect(page).to_have_url(f"{here}send/")
    look(page, "session")
    # The page fetches the picture by itself. A tap before it is there shares the message alone.
    page.wait_for_function("""() => {
        document.querySelector("[data-share=message]").click();
        return window.shared?.length === 2;
    }""")
    picture, message = page.evaluate("window.shared")
    assert picture == "the-result.png image/png true"
    assert message == page.get_by_label("The message").input_value()

    page.get_by_role("button", name="Add a link to watch").click()
    expect(page.get_by_text("Anyone who opens the link in it can watch.")).to_be_visible()
    assert page.get_by_label("The message").input_value().split("\n")[-1].startswith("http")
    look(page, "with-link")

    page.goto(f"{here}hands/2/")
    page.get_by_role("link", name="Send hand 2").click()
    expect(page.locator("img.sent")).to_have_js_property("naturalHeight", 1350)
    look(page, "hand")


@pytest.mark.parametrize("tag", ["en", "ja", "ru"])
def test_the_whole_message_is_in_sight(live_server: LiveServer, page: Page, tag: str) -> None:
    """A letter of Japanese takes the room of two of another script."""
    here = evening(live_server, page)
    page.context.add_cookies([{"name": "language", "value": tag, "url": live_server.url}])
    page.set_viewport_size({"width": 360, "height": 640})
    for path in ("send/", "hands/1/send/"):
        page.goto(f"{here}{path}")
        assert page.locator("textarea").evaluate("field => field.scrollHeight <= field.clientHeight")


def test_where_pictures_cannot_be_shared_the_message_goes_alone(live_server: LiveServer, page: Page) -> None:
    page.add_init_script(SHARES + "navigator.canShare = undefined;")
    here = evening(live_server, page)
    page.goto(f"{here}send/")
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("window.shared")
    assert page.evaluate("window.shared") == [page.get_by_label("The message").input_value()]
    with page.expect_download() as download:
        page.get_by_role("link", name="download it").click()
    assert download.value.suggested_filename == "the-result.png"


def test_a_picture_that_is_not_drawn_yet_is_asked_for_again(live_server: LiveServer, page: Page) -> None:
    def is_busy(route: Route) -> None:
        route.fulfill(status=503, headers={"Retry-After": "0"})

    page.route("**/send/picture.png?*", is_busy, times=3)
    page.goto(f"{evening(live_server, page)}send/")
    expect(page.locator("img.sent")).to_have_js_property("naturalHeight", 1350)
