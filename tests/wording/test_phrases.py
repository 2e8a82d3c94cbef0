"""Texts of the pure rooms, in English and in a reader's language."""

import copy
import json
import pickle
from collections.abc import Iterator
from unittest import mock

import orjson
import pytest
from django.db import connection

from scoring.rules.phrase import Names, Phrase
from scoring.wording.phrases import translated

FINNISH = {
    "There is no seat {seat}.": "Paikkaa {seat} ei ole.",
    "the {row} of {name}": "{name}: {row}",
    "front": "etu",
    "{count} hand": "{count} jakoa",
}


@pytest.fixture(autouse=True)
def finnish() -> Iterator[None]:
    """A reader whose language has four texts."""
    with (
        mock.patch("scoring.wording.phrases.gettext", lambda text: FINNISH.get(text, text)),
        mock.patch("scoring.wording.phrases.ngettext", lambda one, *_: FINNISH.get(one, one)),
    ):
        yield


def test_a_phrase_is_its_english_text():
    assert Phrase("There is no seat {seat}.", seat=3) == "There is no seat 3."
    assert Phrase("Braces {{}} stay.") == "Braces {} stay."


@pytest.mark.parametrize(("count", "said"), [(1, "1 hand"), (2, "2 hands"), (0, "0 hands")])
def test_a_phrase_counts(count, said):
    assert Phrase.plural("{count} hand", "{count} hands", count) == said


def test_a_phrase_is_said_in_the_readers_language():
    assert translated(Phrase("There is no seat {seat}.", seat=3)) == "Paikkaa 3 ei ole."
    assert translated(Phrase.plural("{count} hand", "{count} hands", 3)) == "3 jakoa"


def test_a_phrase_in_a_phrase_is_translated_and_a_name_is_not():
    assert translated(Phrase("the {row} of {name}", row=Phrase("front"), name="front")) == "front: etu"


def test_what_is_no_phrase_stays():
    assert translated("front") == "front"


def test_fields_in_a_name_are_not_filled():
    assert translated(Phrase("There is no seat {seat}.", seat="{row}")) == "Paikkaa {row} ei ole."


@pytest.mark.parametrize("count", [1, 2])
def test_a_copy_is_a_phrase_as_well_whatever_braces_a_name_has(count):
    for phrase in (Phrase("{name} is here.", name="{Ann}"), Phrase.plural("{count} hand", "{count} hands", count)):
        for same in (copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):
            assert (same, same.pattern, same.many, same.values) == (phrase, phrase.pattern, phrase.many, phrase.values)


def test_names_in_a_sentence_are_listed_in_the_readers_language():
    names = Names(["Ann", "Bob", "Cat"])
    assert names == "Ann, Bob and Cat"
    assert pickle.loads(pickle.dumps(names)).names == names.names
    with mock.patch("scoring.wording.phrases.listed", " & ".join):
        assert translated(Phrase("the {row} of {name}", row=Phrase("front"), name=names)) == "Ann & Bob & Cat: etu"


def test_json_and_a_database_take_a_phrase_for_its_text(db):
    phrase = Phrase("There is no seat {seat}.", seat=3)
    assert orjson.dumps(phrase) == json.dumps(phrase).encode() == b'"There is no seat 3."'
    with connection.cursor() as cursor:
        cursor.execute("SELECT LOWER(%s)", [phrase])
        assert cursor.fetchone() == ("there is no seat 3.",)
