"""The texts that stand in a template when it is compiled are those that Django's tags would say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.conf import settings
from django.template import Context, Engine, Template, engines
from django.test import Client
from django.utils.translation import override

from scoring.loader import in_place
from scoring.management import messages
from scoring.texts import cached_by_language, gettext, ngettext, pgettext, spoken

TAGS = [tag for tag, _ in settings.LANGUAGES]
MARKS = re.compile(r"\{% translate [^%]*%\}|\{% blocktranslate.*?\{% endblocktranslate %\}", re.DOTALL)
ARGUMENTS = re.compile(r'\b_\("[^"]*"\)')


@pytest.fixture(autouse=True)
def in_english_afterwards() -> Iterator[None]:
    """Django goes on speaking a language, and the next test would be in it."""
    with override("en"):
        yield


# A value that is missing says its name, so a text shows which values it took, and where.
PLAIN = Engine(string_if_invalid="‹%s›", builtins=["django.templatetags.i18n", "scoring.templatetags.scoring_tags"])


def marked() -> list[str]:
    """Everything that a template of ours marks for translation, as a small template."""
    sources = [file.read_text() for file in messages.sources("django") if file.suffix != ".py"]
    found = [mark for source in sources for mark in MARKS.findall(source) if " count " not in mark]
    return found + [f"{{{{ {mark} }}}}" for source in sources for mark in ARGUMENTS.findall(source)]


def compiled(name: str) -> Template:
    engine: Any = engines["django"]
    return cast("Template", engine.engine.get_template(name))


def rendered(source: str) -> str:
    return PLAIN.from_string(source).render(Context())


@pytest.mark.parametrize("tag", TAGS)
def test_every_text_is_what_django_says(tag: str) -> None:
    with spoken(tag):
        wrong = [mark for mark in marked() if rendered(in_place(mark)) != rendered(mark)]
    assert wrong == []


def test_nearly_all_texts_need_no_tag() -> None:
    with spoken("ru"):
        left = [mark for mark in marked() if in_place(mark) == mark]
    assert len(left) < 10


@pytest.mark.parametrize(
    "source",
    [
        '{% translate "Hand" as hand %}',
        "{% blocktranslate count n=cards %}{{ n }} card{% plural %}{{ n }} cards{% endblocktranslate %}",
        "{% blocktranslate asvar doing %}Void hand{% endblocktranslate %}",
        "<p>Hand {{ number }}</p>",
    ],
)
def test_what_is_not_so_simple_is_left_to_django(source: str) -> None:
    assert in_place(source) == source


def test_a_translation_that_lost_a_value_is_left_to_django() -> None:
    source = "{% blocktranslate %}Ruling on {{ name }}{% endblocktranslate %}"
    with spoken("en"):
        assert in_place(source) == "Ruling on {{ name }}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scoring.loader.gettext", lambda _: "%(who)s")
        assert in_place(source) == source


def test_a_template_is_kept_for_each_language() -> None:
    """Two readers take turns."""
    for _ in range(2):
        with spoken("en"):
            assert "House rules" in compiled("table/house_rules.html").source
        with spoken("fi"):
            assert "House rules" not in compiled("table/house_rules.html").source


@pytest.mark.django_db
def test_readers_of_two_languages_take_turns() -> None:
    client = Client()
    pages = [client.get("/rules/", headers={"accept-language": tag}).content.decode() for tag in ("ru", "en", "ru")]
    for text in ("Skip to content", "Check a record"):  # in the top and in the foot, which are kept
        assert [text in page for page in pages] == [False, True, False]


def test_texts_are_djangos_in_a_request_and_outside_of_one() -> None:
    for tag in TAGS:
        with spoken(tag):
            inside = gettext("Rules"), pgettext("link", "Check a hand"), ngettext("{count} hand", "{count} hands", 2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("scoring.texts.MOST", 0)
            with spoken(tag):
                assert inside == (
                    gettext("Rules"),
                    pgettext("link", "Check a hand"),
                    ngettext("{count} hand", "{count} hands", 2),
                )


def test_what_is_made_of_texts_is_kept_for_each_language() -> None:
    made = []

    @cached_by_language
    def make(place: int) -> str:
        made.append(place)
        return f"{place} {gettext('Rules')}"

    with spoken("de"):
        assert [make(1), make(2), make(1)] == ["1 Regeln", "2 Regeln", "1 Regeln"]
    with spoken("en"):
        assert [make(1), make(1)] == ["1 Rules", "1 Rules"]
    assert made == [1, 2, 1]
    assert make(1) == make(1) == "1 Rules"  # outside of a request nothing is kept
    assert made == [1, 2, 1, 1, 1]
