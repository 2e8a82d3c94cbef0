"""Every language says everything that English says, and keeps cards, names, figures and the numbers of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override

from scoring.rules.cards import CARD_NAMES, RANKS
from scoring.rules.document import ENGLISH_ALONE, score, so_far
from scoring.rules.english import ENGLISH, English
from scoring.rules.rows import KINDS, LOW_RANKS, Kind
from scoring.rules.wording import Call, Cap, Held, Language, held, low, no_low
from scoring.wording.languages import LANGUAGES
from scoring.wording.phrases import translated
from tests.languages import BRACKETED, outside_brackets
from tests.rules.test_vectors import VECTORS
from tests.wording.glossaries import GLOSSARIES

EVERY = [*LANGUAGES.values(), BRACKETED]
every_language = pytest.mark.parametrize("language", EVERY, ids=lambda language: language.tag)
ROWS = ("front", "middle", "back")
NATURALS = ("dragon", "three_flushes", "three_straights", "six_pairs")


def hands() -> list[Held]:
    found = [held(strength) for strength in range(len(KINDS))]
    found += [low(worth) for worth in range(1, len(LOW_RANKS))]
    return found + [no_low(strength) for strength in range(len(KINDS))]


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES if tag != "en"])
def test_a_language_of_pages_has_verdicts_rules_and_a_glossary(tag: str) -> None:
    """Other tests go by the modules and files that there are, and would not miss one."""
    module = f"scoring/wording/languages/{tag.replace('-', '_')}.py"
    wanted = [module, f"docs/rules/{tag}.md", f"docs/languages/{tag}.md", f"tests/wording/languages/{tag}.txt"]
    missing = [file for file in wanted if not (settings.BASE_DIR / file).exists()]
    missing += ["tests/wording/glossaries.py"] * (tag not in GLOSSARIES)
    assert not missing, f"{tag} lacks {', '.join(missing)}"


def test_a_language_that_lacks_a_method_says_which() -> None:
    class Silent(English):
        tag = "xx"

    Silent.__abstractmethods__ = frozenset({"row_won", "scoops"})
    with pytest.raises(TypeError, match=r"row_won.*scoops"):
        Silent()


@every_language
def test_two_hands_have_two_names_where_they_have_two_in_english(language: Language) -> None:
    names: dict[str, str] = {}
    for hand in hands():
        english = ENGLISH.hand_name(hand)
        said = language.hand_name(hand)
        if language is not BRACKETED:
            assert names.setdefault(said, english) == english, f"{said} is {names[said]} as well as {english}"
        assert said.strip() == said != ""


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_card_has_a_name_of_its_own(tag: str) -> None:
    with override(tag):
        names = [translated(name) for name in CARD_NAMES.values()]
    assert len(set(names)) == len(names)


@every_language
def test_what_stands_alone_is_told_apart(language: Language) -> None:
    for names in (
        [language.row_name(row) for row in ROWS],
        [language.kind_name(kind) for kind in Kind],
        [language.natural_wins("Ann", natural) for natural in NATURALS],
        [language.call(call) for call in Call],
        [language.points(count) for count in range(30)],
        [language.partly_paid(cap, "Ann", "R45") for cap in Cap],
        [language.not_paid(cap, "Ann", "R45") for cap in Cap],
        [language.partly_paid_of(cap, "Ann", "1.00", "3.00", "2.00") for cap in Cap],
        [language.not_paid_of(cap, "Ann", "3.00") for cap in Cap],
        [language.class_beats(kind, other) for kind in Kind for other in Kind if kind > other],
        [language.ranks_beat(rank, other) for rank in RANKS for other in RANKS if rank > other],
        [language.high_beats(rank, other) for rank in RANKS for other in RANKS if rank > other],
        [language.card_beats(rank, other) for rank in RANKS for other in RANKS if rank > other],
    ):
        assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
        assert "" not in names


def kept(sentence: str, names: list[str]) -> tuple[set[str], list[str], set[str], set[str]]:
    """What a sentence must have in every language: numbers of rules, names, the cards of hands, and figures."""
    cards = set(re.findall(r"(?<![A-Z\d])[2-9TJQKA]{3}(?:[2-9TJQKA]{2})?(?![A-Z\d])", sentence))
    figures = {figure for figure in re.findall(r"\d+", sentence) if len(figure) < 3}
    return set(re.findall(r"R\d+", sentence)), [name for name in names if name in sentence], cards, figures


def sentences(document: dict[str, Any], language: Language) -> Iterator[str]:
    asked = {**document, "language": language.tag}
    languages = {**ENGLISH_ALONE, language.tag: language}
    result = score(asked, languages)
    for player in result["players"]:
        yield player.get("foul_reason") or ""
    for pair in result["pairs"]:
        yield pair["why"]
    if document.get("points") is None:
        for _, verdict in so_far(asked, languages):
            yield language.said(verdict)
        for row in ROWS:
            lacking = [{key: value for key, value in each.items() if key != row} for each in document["players"]]
            for line, verdict in so_far({**asked, "players": lacking}, languages):
                yield language.said(verdict)
                for needs in (line["needs"] or {}).values():
                    yield from (bound["name"] for bound in needs.values() if bound)


def renamed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with names that are like no card and no other word."""
    names = {player["name"]: f"Zo\u00eb-{player['name'].lower()}" for player in document["players"]}
    lists = {key: document[key] for key in ("points", "pair_stakes") if document.get(key)}
    return {
        **document,
        "players": [{**player, "name": names[player["name"]]} for player in document["players"]],
        **{
            key: [{**entry, "players": [names[name] for name in entry["players"]]} for entry in entries]
            for key, entries in lists.items()
        },
    }


@cache
def in_english() -> list[tuple[dict[str, Any], list[str]]]:
    """All documents with their sentences, which every language is compared with."""
    documents = [renamed(vector.document) for vector in VECTORS]
    return [(document, list(sentences(document, ENGLISH))) for document in documents]


@every_language
def test_a_sentence_keeps_cards_names_figures_and_rules(language: Language) -> None:
    for document, all_english in in_english():
        names = [player["name"] for player in document["players"]]
        for english, said in zip(all_english, sentences(document, language), strict=True):
            if language is BRACKETED:
                assert not re.search(r"[A-Za-z]", outside_brackets(said)), said
            else:
                *there, figures = kept(said, names)
                *due, due_figures = kept(english, names)
                # Some languages write ranks as figures, too: they may have more than English, but none less.
                assert there == due, f"{english}\n{said}"
                assert figures >= due_figures, f"{english}\n{said}"
