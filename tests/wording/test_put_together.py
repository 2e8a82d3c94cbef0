"""Texts that code puts together from parts, where a language needs other joins, prepositions or orders than English."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from scoring import reads
from scoring.actions.fee import Fee
from scoring.actions.side_bet import SideBet
from scoring.models import Session
from scoring.rules.cards import quote
from scoring.wording import figures, sending
from scoring.wording.names import name_said, name_within
from scoring.wording.phrases import translated
from scoring.wording.settle_up import settle_up
from tests.ledger.conftest import act, start

CHINESE_AND_JAPANESE = ("ja", "zh-hans", "zh-hant")
TAGS = [tag for tag, _ in settings.LANGUAGES]


@pytest.fixture
def owing(db: None) -> Session:
    """Bob owes Ann 7.00, Cat 3.00, and the house 2.00."""
    session = start()
    act(SideBet, session, payer=2, payee=1, amount=700, note="red")
    act(SideBet, session, payer=2, payee=3, amount=300, note="black")
    act(Fee, session, seats=[2], amount=200, note="room")
    return session


@pytest.mark.parametrize(
    ("tag", "paid"),
    [
        ("en", "pays Ann 7.00, Cat 3.00 and House 2.00."),
        ("de", "zahlt Ann 7,00, Cat 3,00 und dem Haus 2,00."),
        ("es", "paga 7,00 a Ann, 3,00 a Cat y 2,00 a la casa."),
        ("fi", "maksaa: 7,00 (saaja Ann), 3,00 (saaja Cat) ja 2,00 (saaja talo)."),
        ("ja", "支払い：Annへ7.00、Catへ3.00、主催側へ2.00。"),
        ("ru", "платит 7,00 (Ann), 3,00 (Cat) и 2,00 («Заведение»)."),
        ("zh-hans", "付给Ann 7.00、Cat 3.00和场地 2.00。"),
    ],
)
def test_each_who_is_paid_has_the_preposition_of_the_language(owing: Session, tag: str, paid: str) -> None:
    with translation.override(tag):
        assert settle_up(owing, reads.state(owing)).fewest[0].why[0].endswith(paid)


def test_the_house_within_a_sentence_is_not_written_as_at_its_beginning(owing: Session) -> None:
    with translation.override("es"):
        assert name_said("House") == "La casa"
        assert (name_within("House"), name_within("Bank"), name_within("Ann")) == ("la casa", "la banca", "Ann")
        assert "Bob paga 2,00 EUR a la casa" in settle_up(owing, reads.state(owing)).text


def test_the_house_within_a_german_sentence_is_in_the_dative(owing: Session) -> None:
    with translation.override("de"):
        assert (name_said("House"), name_within("House"), name_within("Bank")) == ("Das Haus", "dem Haus", "der Bank")
        assert "Bob zahlt dem Haus 2,00 EUR" in settle_up(owing, reads.state(owing)).text


@pytest.mark.parametrize("tag", TAGS)
def test_fouls_in_a_message_are_counted_as_the_language_counts(tag: str) -> None:
    said = {
        "en": "Bob 3",
        "de": "Bob 3-mal",
        "es": "Bob 3 veces",
        "fi": "Bob 3 kertaa",
        "ja": "Bob 3回",
        "ru": "Bob 3 раза",
        "zh-hans": "Bob（3次）",
        "zh-hant": "Bob（3次）",
    }
    with translation.override(tag):
        assert sending.fouled("Bob", 3) == said[tag]


def board(*, rows: list[Any], foul: bool = True) -> Any:
    return SimpleNamespace(name="小明", points="−6", foul=foul, dead=False, rows=rows)


def test_a_foul_of_a_hand_that_is_sent_stands_in_the_brackets_of_the_language() -> None:
    card = SimpleNamespace(rank="K", suit="s")
    rows = [SimpleNamespace(cards=[card, card])]
    with translation.override("en"):
        assert sending.board_said(board(rows=rows)) == "小明 −6 (foul): Ks Ks"
        assert sending.board_said(board(rows=[], foul=False)) == "小明 −6"
    with translation.override("zh-hans"):
        assert sending.board_said(board(rows=rows)) == "小明 −6（犯规）：Ks Ks"


@pytest.mark.parametrize("tag", TAGS)
def test_marks_between_parts_are_those_of_the_language(tag: str) -> None:
    source = "{% load scoring_tags %}{% mark ':' %}|{% mark ',' %}|{% mark '.' %}|{% joined 'A' '' 'B' %}"
    with translation.override(tag):
        colon, comma, stop, joined = Template(source).render(Context()).split("|")
        assert figures.labelled("A", "B") == f"A{colon}B"
    wide = tag in CHINESE_AND_JAPANESE
    pause = "，" if tag.startswith("zh") else "、"
    assert (colon, comma, stop) == (("：", pause, "。") if wide else (": ", ",", "."))
    assert joined == (f"A{pause}B" if wide else "A, B")


@pytest.mark.django_db
@pytest.mark.parametrize(("tag", "foot"), [("en", "Language: English"), ("zh-hans", "语言：简体中文")])
def test_the_foot_names_the_language_with_the_colon_of_the_language(client: Client, tag: str, foot: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = tag
    with translation.override("en"):  # a request leaves its language behind
        assert foot in client.get("/").content.decode()


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("en", "24 November 2026, 20:27"),
        ("de", "24. November 2026, 20:27"),
        ("es", "24 de noviembre de 2026, 20:27"),
        ("fi", "24. marraskuuta 2026 klo 20.27"),
        ("ja", "2026年11月24日 20:27"),
        ("ru", "24 ноября 2026\N{NARROW NO-BREAK SPACE}г., 20:27"),
        ("zh-hans", "2026年11月24日 20:27"),
        ("zh-hant", "2026年11月24日 20:27"),
    ],
)
def test_a_day_with_its_time(tag: str, said: str) -> None:
    moment = datetime(2026, 11, 24, 20, 27, tzinfo=ZoneInfo(settings.TIME_ZONE))
    with translation.override(tag), mock.patch("django.utils.timezone.localtime", lambda moment: moment):
        assert figures.day_of_year_and_time(moment) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "“x7”"), ("de", "„x7“"), ("fi", "”x7”"), ("ja", "「x7」"), ("ru", "«x7»")]
)
def test_what_was_typed_is_quoted_as_the_readers_language_does(language: str, said: str) -> None:
    with translation.override(language):
        assert translated(quote("x7")) == said
