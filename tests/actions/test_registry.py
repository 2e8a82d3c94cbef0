"""What an action needs beside its class. A developer who adds one learns here what is still missing."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import reverse

from scoring.actions import ACTIONS, BESIDE_RECORD, TABLE_ACTIONS
from scoring.actions.base import Action, TableAction
from scoring.forms.base import ActionForm
from scoring.forms.bookings import BOOKINGS
from scoring.game.lines import CATEGORIES, Category, LineKind
from scoring.wording.actions import LINE_WORDS, WORDS
from tests.actions.everything import EXAMPLES

EVERY_VERB = sorted(ACTIONS)
TABLE_VERBS = sorted(TABLE_ACTIONS)


@pytest.mark.parametrize("verb", EVERY_VERB)
def test_an_action_has_its_words(verb: str) -> None:
    action = ACTIONS[verb]
    assert action in WORDS, f"scoring/wording/actions.py says nothing of {action.__name__}"
    words = WORDS[action]
    for name in ("undoing", "undone"):
        wanted = (
            f"scoring/wording/actions.py: Words of {action.__name__} need `{name}` if it can be undone, and only then"
        )
        assert bool(getattr(words, name)) == action.undoable, wanted
    if issubclass(action, TableAction):
        assert words.sentence, f"scoring/wording/actions.py has no sentence for {action.__name__}"


def test_there_are_no_words_for_what_does_not_exist() -> None:
    assert set(WORDS) == set(ACTIONS.values())


@pytest.mark.parametrize("verb", TABLE_VERBS)
def test_an_action_is_done_in_the_evening_of_every_action(verb: str) -> None:
    assert TABLE_ACTIONS[verb] in {action for action, _ in EXAMPLES}, f"tests/actions/everything.py never does {verb}"


@pytest.mark.parametrize("kind", LineKind, ids=lambda kind: kind.value)
def test_a_kind_of_line_has_a_category_and_its_words(kind: LineKind) -> None:
    assert kind in CATEGORIES, f"scoring/game/lines.py: {kind} counts as nothing"
    assert kind in LINE_WORDS, f"scoring/wording/actions.py: LINE_WORDS has no words for {kind}"
    words = LINE_WORDS[kind]
    assert words.recorded != words.undone
    settled_up = kind.category is not Category.BANK  # lines with the bank are no debt between two
    assert bool(words.together) == settled_up, (
        f"scoring/wording/actions.py: {kind} needs `together` if it is settled up"
    )


def test_both_verifiers_leave_the_same_verbs_out_of_what_people_agree_to() -> None:
    """They stand alone, so each lists the verbs whose events hold no result; one of them does so twice."""
    wrong = []
    for path, listed, times in (
        ("scripts/verify", r'\["verb"\] not in \((.*?)\)', 2),
        ("static/verify/verify.js", r"isResult = .*?\[(.*?)\]", 1),
    ):
        found = re.findall(listed, (settings.BASE_DIR / path).read_text())
        assert len(found) == times, f"{path}: this test no longer finds its lists of verbs"
        wrong += [path for each in found if set(re.findall(r'"([\w-]+)"', each)) != BESIDE_RECORD]
    assert not wrong, f"{wrong}: the events that hold no result are those of {sorted(BESIDE_RECORD)}"


@pytest.mark.parametrize("verb", TABLE_VERBS)
def test_an_action_can_be_asked_for(verb: str) -> None:
    forms = [form for form in action_forms() if TABLE_ACTIONS[verb] in form.ACTIONS]
    assert forms, f"scoring/forms: no form asks for {TABLE_ACTIONS[verb].__name__}"


def action_forms() -> list[type[ActionForm]]:
    """Every form that asks for an action, by action."""
    found: list[type[ActionForm]] = []
    waiting = [ActionForm]
    while waiting:
        form = waiting.pop()
        found.append(form)
        waiting += form.__subclasses__()
    return found


@pytest.mark.parametrize("verb", BOOKINGS)
def test_a_page_that_books_lines_has_its_template_and_its_way_there(verb: str) -> None:
    template = f"templates/books/{verb}.html"
    assert (settings.BASE_DIR / template).is_file(), f"{template} is missing"
    assert reverse(verb, args=["session"])
    assert BOOKINGS[verb].LABEL, f"scoring/forms: {BOOKINGS[verb].__name__} has no label for the More page"


@pytest.mark.parametrize("verb", EVERY_VERB)
def test_a_verb_fits_its_column(verb: str) -> None:
    assert 0 < len(verb) <= 12, f"scoring/actions: {verb} has more than twelve characters"


@pytest.mark.parametrize("kind", LineKind, ids=lambda kind: kind.value)
def test_a_kind_fits_its_column(kind: LineKind) -> None:
    assert len(kind) <= 8, f"scoring/game/lines.py: {kind} has more than eight characters"


def test_verbs_that_are_stored_stay_as_they_are() -> None:
    """Old events name their verbs, so no release may drop or rename one."""
    stored = (
        "buy-in buy-in-all cash-out close correct dispute fee join leave penalty rename reopen resolve restore "
        "set-next settle side-bet sit-in sit-out start swap terms undo void"
    )
    assert set(stored.split()) <= set(ACTIONS)


@pytest.mark.parametrize("action", [action for action, _ in EXAMPLES], ids=lambda action: action.__name__)
def test_an_action_comes_back_from_what_it_stores(action: type[TableAction]) -> None:
    given = next(given for each, given in EXAMPLES if each is action)
    made = action(**{name: value for name, value in given.items() if name != "note"})
    again = action.read(made.as_document())
    assert again.as_document() == made.as_document()
    assert isinstance(again, Action)
