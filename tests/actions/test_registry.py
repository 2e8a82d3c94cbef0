"""What an action needs beside its object: whoever adds one is told here what is still missing, by name."""

from __future__ import annotations

import pytest

from scoring.actions import ACTIONS, TABLE_ACTIONS
from scoring.actions.base import Action, TableAction
from scoring.game.lines import CATEGORIES, LineKind
from scoring.wording.actions import LINE_LABELS, WORDS
from tests.actions.everything import EXAMPLES

EVERY_VERB = sorted(ACTIONS)
TABLE_VERBS = sorted(TABLE_ACTIONS)


@pytest.mark.parametrize("verb", EVERY_VERB)
def test_an_action_has_its_words(verb: str) -> None:
    action = ACTIONS[verb]
    assert action in WORDS, f"scoring/wording/actions.py says nothing of {action.__name__}"
    words = WORDS[action]
    assert bool(words.undoing) == action.undoable, f"{action.__name__}: what Undo says fits what can be undone"
    if issubclass(action, TableAction):
        assert words.told, f"scoring/wording/actions.py has no sentence for {action.__name__}"


def test_there_are_no_words_for_what_does_not_exist() -> None:
    assert set(WORDS) == set(ACTIONS.values())


@pytest.mark.parametrize("verb", TABLE_VERBS)
def test_an_action_is_done_in_the_evening_of_every_action(verb: str) -> None:
    assert TABLE_ACTIONS[verb] in {action for action, _ in EXAMPLES}, f"tests/actions/everything.py never does {verb}"


@pytest.mark.parametrize("kind", LineKind, ids=lambda kind: kind.value)
def test_a_kind_of_line_has_a_category_and_a_label(kind: LineKind) -> None:
    assert kind in CATEGORIES, f"scoring/game/lines.py: {kind} counts as nothing"
    assert kind in LINE_LABELS, f"scoring/wording/actions.py: lines of {kind} have no label"


@pytest.mark.parametrize("verb", EVERY_VERB)
def test_a_verb_fits_its_column(verb: str) -> None:
    assert 0 < len(verb) <= 12


def test_a_kind_fits_its_column() -> None:
    assert all(len(kind) <= 8 for kind in LineKind)


def test_verbs_that_are_stored_stay_as_they_are() -> None:
    """Events of every release name them."""
    stored = (
        "buy-in cash-out close correct dispute fee join leave penalty rename reopen resolve restore set-next settle "
        "side-bet sit-in sit-out start swap terms undo void"
    )
    assert set(stored.split()) <= set(ACTIONS)


@pytest.mark.parametrize("action", [action for action, _ in EXAMPLES], ids=lambda action: action.__name__)
def test_an_action_comes_back_from_what_it_stores(action: type[TableAction]) -> None:
    given = next(given for each, given in EXAMPLES if each is action)
    made = action(**{name: value for name, value in given.items() if name != "note"})
    again = action.read(made.as_document())
    assert again.as_document() == made.as_document()
    assert isinstance(again, Action)
