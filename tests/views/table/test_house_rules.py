"""Changing a table's house rules: every choice and the whole chart, from the next hand on."""

import pytest
from django.test import Client

from scoring import ledger
from scoring.actions.terms import ChangeTerms
from scoring.forms.house_rules import HouseRulesForm
from scoring.models import Event, Session
from scoring.rules.houserules import CHOICES, PRESETS, resolve
from scoring.wording.house_rules import QUESTIONS
from tests.ledger.conftest import act, settle, table
from tests.pages import Form, form, post_nothing


def address(session: Session) -> str:
    return f"/s/{session.public_id}/rules/edit/"


def house_rules(client: Client, session: Session, **chosen: str) -> Form:
    """The form for house rules, filled in from the current ones, with these choices."""
    return form(client.get(address(session)), "Save rules").fill(chosen)


def test_every_choice_of_the_rules_is_asked_and_explained() -> None:
    asked = {question.key: tuple(question.answers) for group in QUESTIONS.values() for question in group}
    assert asked == dict(CHOICES)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_taken_as_a_start_comes_out_as_it_went_in(client: Client, session: Session, preset: str) -> None:
    act(ChangeTerms, session, rules={"preset": preset, "scoring": "1-4", "moon": "add"})
    page = form(client.get(address(session)), "Load preset").fill({"preset": preset}).press()
    assert form(page, "Load preset").fields() == {"preset": [preset]}
    response = form(page, "Save rules").press()
    assert response["Location"] == f"/s/{session.public_id}/rules/"
    assert table(session).rules == PRESETS[preset]


def test_where_the_middle_is_2_7_the_form_says_what_fantasyland_gives_there(client: Client, session: Session) -> None:
    """The style sheet shows it in place of the question: tests/browser/test_starting.py looks at it."""
    page = client.get(address(session), {"preset": "2-7-pineapple"}).content.decode()
    sentence = page.index("7-5-4-3-2 in the middle enters, too.")
    assert '<a href="/rules/#R55">R55</a>' in page[sentence : page.index("not-in-low")]
    assert page.index("not-in-low") < page.index("Progressive cards?")
    assert "7-5-4-3-2" in client.get("/new/").content.decode()


def test_rules_changed_are_played_from_the_next_hand_on(client: Client, session: Session) -> None:
    settle(session)
    house_rules(client, session, scoring="2-4", moon="add", moon_points="25", note="as last week").press()
    rules = table(session).rules
    assert (rules.scoring, rules.moon, rules.moon_points) == ("2-4", "add", 25)
    assert "Regular with house rules" in client.get(f"/s/{session.public_id}/").content.decode()
    settle(session)
    before, after = (client.get(f"/s/{session.public_id}/hands/{number}/").content.decode() for number in (1, 2))
    assert "+12.00" in before
    assert "+8.00" in after


def test_a_chart_of_the_tables_own(client: Client, session: Session) -> None:
    own = {"royalties": "own", "chart-front-QQ": "8", "chart-middle-quads": "25"}
    house_rules(client, session, **own).press()
    chart = table(session).rules.royalties
    assert chart.name == ""
    assert (dict(chart.front)["QQ"], dict(chart.middle)["quads"], dict(chart.back)["quads"]) == (8, 25, 10)
    page = client.get(f"/s/{session.public_id}/rules/").content.decode()
    assert "<dt>QQ</dt><dd>8</dd>" in page
    again = client.get(address(session)).content.decode()
    assert 'name="chart-middle-quads" value="25"' in again
    assert 'id="royalties-own" checked' in again


def test_a_figure_left_blank_is_nothing(client: Client, session: Session) -> None:
    blank = {"chart-middle-quads": "", "natural-dragon": ""}
    house_rules(client, session, royalties="own", naturals="on", **blank).press()
    rules = table(session).rules
    assert (dict(rules.royalties.middle)["quads"], rules.naturals) == (0, (0, 6, 6, 6))


def test_a_published_chart_shows_its_numbers(client: Client, session: Session) -> None:
    page = client.get(address(session)).content.decode()
    assert "<b>Front</b> 66 1, 77 2, 88 3, 99 4, TT 5, JJ 6, QQ 7, KK 8, AA 9, 222 20" in page
    assert "2012 hybrid" in page
    assert "hybrid-2012 chart" not in page


def test_naturals_with_their_points(client: Client, session: Session) -> None:
    house_rules(client, session, naturals="on", **{"natural-dragon": "20", "natural-six_pairs": "0"}).press()
    assert table(session).rules.naturals == (20, 6, 6, 0)


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"royalties": "own", "chart-front-QQ": "-1"}, "chart-front-QQ-wrong"),
        ({"royalties": "own", "chart-front-QQ": "7.5"}, "chart-front-QQ-wrong"),
        ({"royalties": "own", "chart-middle-quads": "+4"}, "chart-middle-quads-wrong"),
        ({"royalties": "own", "chart-back-flush": "many"}, "chart-back-flush-wrong"),
        ({"royalties": "own", "chart-back-flush": "9" * 5000}, "chart-back-flush-wrong"),
        ({"moon_points": "x"}, "moon_points-wrong"),
        ({"naturals": "on", "natural-dragon": "²"}, "natural-dragon-wrong"),
    ],
)
def test_nonsense_is_refused_in_its_place_and_kept(
    client: Client, session: Session, changed: dict[str, str], place: str
) -> None:
    response = house_rules(client, session, **changed).press()
    page = response.content.decode()
    assert response.status_code == 422
    assert 'class="error"' in page[page.index(place) :]
    assert Event.objects.count() == 1
    again = form(response, "Save rules")
    assert again.fields().items() >= {name: [text] for name, text in changed.items()}.items()
    mended = {name: "5" for name in changed if name not in {"royalties", "naturals"}}
    assert again.fill(mended).press().status_code == 302


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"royalties": "ancient"}, "Royalty chart"),
        ({"scoring": "3-5"}, "Scoring"),
        ({"decks": "3"}, "Decks"),
    ],
)
def test_an_answer_that_is_not_offered_is_refused_in_its_place(
    client: Client, session: Session, changed: dict[str, str], place: str
) -> None:
    response = house_rules(client, session).forge(dict(changed))
    page = response.content.decode()
    assert response.status_code == 422
    assert 'class="error"' in page[page.index(place) :]
    assert Event.objects.count() == 1


def test_many_faults_are_told_at_once(client: Client, session: Session) -> None:
    changed = {"royalties": "own", "chart-front-QQ": "-1", "chart-back-flush": "x", "moon_points": "x", "game": "whist"}
    assert "Please fix 4 things" in house_rules(client, session).forge(dict(changed)).content.decode()


def test_sent_twice_it_is_done_once(client: Client, session: Session) -> None:
    opened = house_rules(client, session, scoring="1-4")
    for _ in range(2):
        assert opened.press().status_code == 302
    assert Event.objects.filter(verb="terms").count() == 1
    assert opened.fill({"scoring": "2-4"}).press().status_code == 409


def test_a_closed_session_keeps_its_rules(client: Client, session: Session) -> None:
    opened = house_rules(client, session, scoring="1-4")
    act(ledger.close_session, session)
    assert opened.press().status_code == 409
    assert "Change the house rules" not in client.get(f"/s/{session.public_id}/rules/").content.decode()


def test_an_unknown_session_is_404(client: Client, session: Session) -> None:
    assert client.get("/s/nobody/rules/edit/").status_code == 404
    assert post_nothing(client, "/s/nobody/rules/edit/").status_code == 404


def test_the_form_says_what_the_rules_say() -> None:
    naturals = {"dragon": 1, "three_flushes": 2, "three_straights": 3, "six_pairs": 4}
    rules = resolve({"preset": "bga", "decks": 2, "naturals": naturals, "win_cap": "none", "busted_collects": True})
    assert HouseRulesForm({}, rules).rules() == rules
