"""What people do with their phones in the course of an evening, where engines differ."""

from pytest_django import Settings

from scoring import drafts
from scoring.access import links
from scoring.game.entry import Entry, Rows
from scoring.ledger import audit
from scoring.models import Deal, Revision, Session
from tests.browser.evening import EVENING, NAMES
from tests.browser.pad import BOARDS, CUT_LINE, cards
from tests.browser.test_phone import started
from tests.conftest import host_secret
from tests.engines.conftest import Opens
from tests.engines.engines import SCREEN
from tests.engines.phone import Phone
from tests.ledger.conftest import settle

ROWS = {
    name: [" ".join(row) for row in (cards(board)[:3], cards(board)[3:8], cards(board)[8:])]
    for name, board in BOARDS.items()
}
"""Each player's rows as the pad writes them."""

OF_TWO = {name: ROWS[name] for name in NAMES[:2]}

FOUL = {"p1_front": "QQ7", "p1_middle": "KK339", "p1_back": "QQ88J"}

TYPED = Entry(boards={seat: Rows(*ROWS[name]) for seat, name in enumerate(NAMES, start=1)})
"""The same hand as another phone settles it."""


def of_host(phone: Phone, session: Session, page: str = "") -> None:
    """Open a page of this session on a phone that has come in by the host's link."""
    phone.open(f"/l/{host_secret(session.club)}")
    phone.open(f"/s/{session.public_id}/{page}")


def settled() -> dict[str, list[str]]:
    """The rows of each player in the only hand, as they count now."""
    revision = Revision.objects.filter(deal=Deal.objects.get()).latest("n")
    return {board.seat.name: [board.front, board.middle, board.back] for board in revision.boards.all()}


def test_from_the_names_to_the_ledger(phone: Phone) -> None:
    phone.open("/")
    phone.press("Start a session")
    for number, name in enumerate(NAMES, start=1):
        phone.type(f"name-{number}", name)
    phone.press("Seat 3 has the button")
    phone.type("stake", "1.00")
    phone.press("Start game")
    phone.reads("Save your host link")
    phone.press("I’ve saved it")
    phone.reads_no("Save your host link")
    # The first hand is tapped, card by card.
    phone.press("Enter hand 1")
    phone.says("Anna's front: 3 more cards.")
    for name in NAMES:
        phone.tap(*cards(BOARDS[name]))
    phone.reads("Preview – not saved yet", "Bert pays Anna", "Cleo pays Anna", "Cleo pays Bert")
    phone.press("Settle hand 1")
    phone.is_at("/hands/1/")
    phone.press("Table")
    phone.lists(".seats > li", "Bert", "Cleo", "Anna")
    phone.lists(".seats .held", "+6 +6.00", "−23 −23.00", "+17 +17.00")
    # The second one by ranks alone.
    hand = EVENING[3]
    phone.press("Enter hand 2")
    phone.press("Options")
    phone.press("Fast entry: ranks only")
    for name in hand.order:
        phone.tap(*hand.boards[name].replace(" / ", ""))
    phone.reads("Preview – not saved yet")
    phone.press("Settle hand 2")
    phone.is_at("/hands/2/")
    phone.press("Ledger")
    phone.reads("Balanced: points and money add up to zero.")
    phone.lists("tfoot td", "−1 points, −1.00", "+16 points, +16.00", "−15 points, −15.00")
    phone.lists(".two-ways > div:first-of-type li", "Cleo pays Bert 15.00", "Anna pays Bert 1.00")
    assert Deal.objects.count() == 2
    assert list(map(str, audit.of_everything())) == []


def test_back_and_forward_in_the_middle_of_a_hand_lose_no_card(phone: Phone) -> None:
    session = started("Anna Bert")
    of_host(phone, session)
    phone.press("Enter hand 1")
    phone.tap(*cards(BOARDS["Anna"]), *cards(BOARDS["Bert"])[:7])
    kept = dict(zip(("p1_front", "p1_middle", "p1_back"), ROWS["Anna"], strict=True))
    kept |= {"p2_front": ROWS["Bert"][0], "p2_middle": ROWS["Bert"][1].rpartition(" ")[0], "p2_back": ""}
    phone.holds(**kept)
    for _ in range(2):
        phone.back()
        phone.reads("Last hands")
        phone.forward()
        phone.shows_tiles(p1_front=3, p1_middle=5, p1_back=5, p2_front=3, p2_middle=4, p2_back=0)
        phone.holds(**kept)
    phone.tap(*cards(BOARDS["Bert"])[7:])
    phone.reads("Preview – not saved yet")
    # Back leads to the full hand, and Forward to its preview.
    phone.back()
    phone.shows_tiles(p1_front=3, p2_back=5)
    phone.forward()
    phone.press("Settle hand 1")
    phone.is_at("/hands/1/")
    assert settled() == OF_TWO


def test_typed_rows_are_still_there_after_a_look_at_the_rules(phone: Phone) -> None:
    session = started()
    of_host(phone, session, "hand/")
    phone.tap("text")
    for field, text in FOUL.items():
        phone.type(field.replace("_", "-"), text)
    phone.reads("Foul. The middle, two pair, Kings and Threes")
    phone.touch("#p1-called a")
    phone.is_at("/rules/")
    phone.back()
    phone.reads("Show the settlement")
    phone.holds(**FOUL)


def test_a_reload_in_the_middle_of_a_hand_loses_no_card(phone: Phone) -> None:
    session = started("Anna Bert")
    of_host(phone, session, "hand/")
    phone.tap(*cards(BOARDS["Anna"]), *cards(BOARDS["Bert"])[:2])
    phone.reload()
    phone.says("Bert's front: 1 more card.")
    phone.shows_tiles(p1_front=3, p1_middle=5, p1_back=5, p2_front=2)
    phone.tap(*cards(BOARDS["Bert"])[2:])
    phone.press("Settle hand 1")
    phone.is_at("/hands/1/")
    assert settled() == OF_TWO


def test_a_table_shows_what_another_phone_settles(phone: Phone) -> None:
    session = started()
    of_host(phone, session)
    phone.reads("Enter hand 1")
    phone.run("window.stayed = true")
    settle(session, TYPED)
    phone.reads("Enter hand 2")
    phone.lists(".seats .held", "+6 +6.00", "−23 −23.00", "+17 +17.00")
    assert phone.run("return window.stayed") is True


def test_the_styles_of_other_pages_come_after_the_table(phone: Phone) -> None:
    session = started()
    settle(session, TYPED)
    of_host(phone, session)
    phone.press("Ledger")
    phone.is_at("/ledger/")
    scrolls = "return getComputedStyle(document.querySelector('.scrolls')).overflowX"
    phone.wait(lambda: phone.run(scrolls) == "auto", "the ledger has none of its styles")


def test_somebody_who_types_is_told_and_keeps_their_form(phone: Phone) -> None:
    session = started()
    of_host(phone, session, "hand/?mode=points")
    phone.type("points-1-2", "12")
    settle(session, TYPED)
    phone.reads("Hand 1 was settled on another phone. See hand 1")
    phone.holds(points_1_2="12")
    phone.press("See hand 1")
    phone.is_at("/hands/1/")


def test_an_invitation_lets_another_phone_watch_until_it_is_revoked(phone: Phone, opens: Opens) -> None:
    session = started()
    of_host(phone, session, "links/")
    phone.type("name", "Dan's phone")
    phone.press("Create link")
    phone.reads("Scan or share it now")
    guest = opens()
    guest.open(phone.run("return document.getElementById('address').value"))
    guest.is_at(f"/s/{session.public_id}/")
    guest.reads("Hand 1")
    guest.reads_no("Enter hand 1")
    settle(session, TYPED)
    guest.reads("Hand 2")
    phone.press("Done")
    phone.press("Revoke Dan's phone")
    guest.reads("This link was revoked")
    guest.reads_no("Anna")


def test_three_players_enter_their_own_rows(phone: Phone) -> None:
    session = started()
    _, secret = links.issue(club=session.club, session=session, role=links.Role.SCORER, key="table")
    for seat, name in ((1, "Anna"), (3, "Cleo")):
        rows = drafts.readable(Rows(*ROWS[name]))
        drafts.keep(session=session, number=1, seat=seat, rows=rows, base=0, device="another")
    phone.open(f"/l/{secret}")
    phone.press("Bert")
    phone.lists("[aria-label='How far everyone is'] li", "Anna Done ✓", "Cleo Foul")
    phone.tap(*cards(BOARDS["Bert"]))
    phone.says("Everyone is in.")
    phone.press("See who pays whom")
    phone.press("Settle hand 1")
    phone.is_at("/hands/1/")
    assert settled() == ROWS


def test_the_verdict_on_ones_own_foul_can_be_read_to_its_end(phone: Phone) -> None:
    session = started()
    of_host(phone, session, "seat/3/")
    phone.browser.add_cookie({"name": "language", "value": "de"})
    phone.reload()
    phone.tap("Qh", "Qd", "2d", *("Kh", "Kd", "8s", "8c", "9d"), *("Kc", "Ks", "7s", "7c", "Td"))
    phone.says("Deine Karten sind da (1 von 3). Warten auf Anna und Bert. Foul. Die Middle")
    assert phone.run(f"return ({CUT_LINE})(arguments[0])", phone.find("[data-pad=says]")) == 0


def test_a_hand_is_entered_while_the_connection_comes_and_goes(phone: Phone) -> None:
    session = started("Anna Bert")
    of_host(phone, session, "hand/")
    phone.says("Anna's front: 3 more cards.")
    phone.connection.cut()
    phone.tap(*cards(BOARDS["Anna"]))
    phone.reads("Not synced")
    phone.tap(*cards(BOARDS["Bert"])[:5])
    phone.connection.mend()
    phone.reads_no("Not synced")
    phone.tap(*cards(BOARDS["Bert"])[5:-1])
    phone.connection.cut()
    phone.tap(cards(BOARDS["Bert"])[-1])
    phone.reads("Not synced")
    phone.connection.mend()
    phone.reads("Preview – not saved yet")  # by itself
    phone.press("Settle hand 1")
    phone.is_at("/hands/1/")
    assert settled() == OF_TWO


READY = """
const [done] = arguments;
const worker = navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === "activated");
const pads = caches.open("pads").then((kept) => kept.keys());
Promise.all([worker, pads]).then(([active, kept]) => done(active && kept.length === 1), () => done(false));
"""
"""Calls back whether this phone can open the pad without a connection."""


def test_a_hand_is_entered_and_settled_without_a_connection(phone: Phone, settings: Settings) -> None:
    settings.SERVICE_WORKER = True
    session = started("Anna Bert")
    of_host(phone, session)
    phone.wait(lambda: bool(phone.browser.execute_async_script(READY)), "it keeps no pad")
    phone.connection.cut()
    phone.press("Enter hand 1")
    phone.says("Anna's front: 3 more cards.")
    phone.tap(*cards(BOARDS["Anna"]))
    phone.open(f"/s/{session.public_id}/hand/")  # after the phone was off
    phone.tap(*cards(BOARDS["Bert"]))
    phone.says("All cards are in. Waiting for a connection to show who pays whom.")
    phone.connection.mend()
    phone.reads("Preview – not saved yet")  # which nobody has seen before
    assert not Deal.objects.exists()
    phone.connection.cut()
    phone.press("Settle hand 1")
    phone.reads("Waiting to be sent. Not settled yet, as far as this phone knows.")
    phone.open(f"/s/{session.public_id}/ledger/")
    phone.reads("No connection", "Waiting to be sent. Not settled yet, as far as this phone knows.")
    assert not Deal.objects.exists()
    phone.connection.mend()
    phone.wait(Deal.objects.exists, "the hand is not sent")
    phone.reads("Hand 2", "Ledger")  # where the phone was going
    assert settled() == OF_TWO


def test_a_page_that_missed_something_says_so_and_catches_up(phone: Phone) -> None:
    session = started()
    of_host(phone, session)
    phone.reads("Enter hand 1")
    phone.run("window.stayed = true")
    phone.connection.cut()
    phone.reads("No connection. This page may be out of date.")
    settle(session, TYPED)
    phone.connection.mend()
    phone.reads("Enter hand 2")
    phone.reads_no("No connection")
    assert phone.run("return window.stayed") is True


def test_a_card_is_corrected_on_the_pad(phone: Phone) -> None:
    session = started()
    settle(session, TYPED)
    of_host(phone, session, "hands/1/")
    phone.press("Correct hand 1")
    phone.says("Tap the card that is wrong, then the right one.")
    phone.touch(".row:has(#p1-front) .tiles [data-at='2']")
    phone.tap("4c", "done")
    phone.reads("What changes")
    phone.press("Correct hand 1")
    phone.reads("2. Corrected")
    assert settled() == {**ROWS, "Anna": ["6h 6c 4c", *ROWS["Anna"][1:]]}
    assert list(map(str, audit.of_everything())) == []


def test_the_way_back_to_a_correction_by_points_changes_nothing_there(phone: Phone) -> None:
    """Firefox takes the form of the cards for this one if both have one name, and chooses the first of each list."""
    session = started()
    settle(session, TYPED)
    of_host(phone, session, "hands/1/correct/")
    phone.tap("text")
    phone.press("Enter points instead of cards")
    phone.type("points-1-2", "7")
    phone.holds(button="3")
    phone.press("Preview changes")
    phone.reads("Hand 1 after the change")
    phone.back()
    phone.reads("Points between each two players")
    phone.holds(points_1_2="7", button="3")


def test_the_big_screen_fits_and_follows(opens: Opens) -> None:
    session = started()
    screen = opens(SCREEN)
    of_host(screen, session, "screen/")
    screen.reads("No hands yet")
    settle(session, TYPED)
    screen.reads("Hand 1 settled")
    screen.lists(".paid > li", "Bert pays Anna 4 points, 4.00", "Cleo pays Anna 13", "Cleo pays Bert 10")
    screen.lists(".room .board", *NAMES)
    root = "document.documentElement"
    assert screen.run(f"return [{root}.scrollWidth <= innerWidth, {root}.scrollHeight <= innerHeight]") == [True, True]
