"""Figures as text: a sign, a real minus, a dash for nothing."""

from datetime import UTC, date, datetime, timedelta

import pytest
from babel.dates import format_date, format_skeleton
from django.utils import timezone
from django.utils.translation import override, to_locale

from scoring.forms.amounts import parse_amount
from scoring.wording.figures import (
    day,
    day_and_time,
    day_of_week,
    day_of_year,
    day_of_year_and_time,
    facts,
    in_order,
    joined,
    listed,
    money,
    names_apart,
    percent,
    signed,
    signed_money,
    tenths,
    time_of_day,
    typed_amount,
    unsigned,
)

THIN = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("points", "text"), [(4, "+4"), (-4, "−4"), (0, "–"), (1234, "+1234"), (-12345, f"−12{THIN}345")]
)
def test_points_carry_a_sign(points: int, text: str) -> None:
    assert signed(points) == text
    assert unsigned(abs(points)) == text.lstrip("+−")


@pytest.mark.parametrize(
    ("minor", "digits", "text"),
    [
        (4000, 2, "40.00"),
        (5, 2, "0.05"),
        (0, 2, "–"),
        (1500, 0, "1500"),
        (1234567, 2, f"12{THIN}345.67"),
        (1001, 3, "1.001"),
        (-250, 2, "−2.50"),
    ],
)
def test_money_has_the_decimals_of_its_currency(minor: int, digits: int, text: str) -> None:
    assert money(minor, digits) == text
    if minor > 0:
        assert signed_money(minor, digits) == f"+{text}"
        assert signed_money(-minor, digits) == f"−{text}"


LANGUAGES = ["en", "ru", "fi", "de", "es", "ja", "zh-hans", "zh-hant"]


@pytest.mark.parametrize(
    ("language", "won", "lost", "typed", "shared"),
    [
        ("en", "12\u202f345.67", "−0.50", "1234.50", "40 %"),
        ("ru", "12\xa0345,67", "−0,50", "1234,50", "40\xa0%"),
        ("fi", "12\xa0345,67", "−0,50", "1234,50", "40\xa0%"),
        ("de", "12.345,67", "−0,50", "1234,50", "40\xa0%"),
        ("es", "12.345,67", "−0,50", "1234,50", "40\xa0%"),
        ("ja", "12,345.67", "−0.50", "1234.50", "40%"),
        ("zh-hans", "12,345.67", "−0.50", "1234.50", "40%"),
        ("zh-hant", "12,345.67", "−0.50", "1234.50", "40%"),
    ],
)
def test_figures_have_the_marks_of_the_readers_language(
    language: str, won: str, lost: str, typed: str, shared: str
) -> None:
    with override(language):
        assert (money(1234567, 2), signed_money(-50, 2), typed_amount(123450, 2), percent(40)) == (
            won,
            lost,
            typed,
            shared,
        )
        assert tenths(25) == "2" + typed[4] + "5"
        assert (signed(-1234), money(1500, 0), unsigned(0)) == ("−1234", "1500", "–")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_field_holds_can_be_read_back(language: str) -> None:
    with override(language):
        for minor, digits in ((0, 2), (5, 2), (123450, 2), (1234567, 2), (12, 0), (1001, 3)):
            assert parse_amount(typed_amount(minor, digits), digits) == minor


@pytest.mark.parametrize(
    ("language", "short", "long", "evening", "both"),
    [
        ("en", "3 May", "3 May 2026", "Sunday, 3 May 2026", "3 May, 09:05"),
        ("ru", "3 мая", "3 мая 2026\u202fг.", "Воскресенье, 3 мая 2026\u202fг.", "3 мая, 09:05"),
        ("fi", "3. toukokuuta", "3. toukokuuta 2026", "Sunnuntai 3. toukokuuta 2026", "3. toukokuuta klo 9.05"),
        ("de", "3. Mai", "3. Mai 2026", "Sonntag, 3. Mai 2026", "3. Mai, 09:05"),
        ("es", "3 de mayo", "3 de mayo de 2026", "Domingo, 3 de mayo de 2026", "3 de mayo, 9:05"),
        ("ja", "5月3日", "2026年5月3日", "2026年5月3日日曜日", "5月3日 9:05"),
        ("zh-hans", "5月3日", "2026年5月3日", "2026年5月3日星期日", "5月3日 09:05"),
        ("zh-hant", "5月3日", "2026年5月3日", "2026年5月3日 星期日", "5月3日 09:05"),
    ],
)
def test_dates_are_in_the_readers_language_and_at_the_tables_time(
    language: str, short: str, long: str, evening: str, both: str
) -> None:
    moment = datetime(2026, 5, 3, 7, 5, tzinfo=UTC)  # the table is two hours ahead
    with override(language), timezone.override("Europe/Berlin"):
        assert (day(moment), day_of_year(moment), day_of_week(moment)) == (short, long, evening)
        assert day_and_time(moment) == both
        assert time_of_day(moment) == both.rsplit(maxsplit=1)[-1]
        assert day_of_year(moment.date()) == long
        assert day_of_year_and_time(moment) == both.replace(short, long)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_day_is_said_as_unicode_has_it(language: str) -> None:
    locale = to_locale(language)
    patterns = {"long": "d MMMM y", "full": "EEEE, d MMMM y", "day": "d MMMM"} if language == "en" else {}
    for number in range(366):
        of = date(2028, 1, 1) + timedelta(number)
        with override(language):
            assert day_of_year(of) == format_date(of, patterns.get("long", "long"), locale=locale)
            full = format_date(of, patterns.get("full", "full"), locale=locale)
            assert day_of_week(of) == full[0].upper() + full[1:]
            if not patterns:
                assert day(of) == format_skeleton("MMMMd", of, locale=locale)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "a, b; c"), ("de", "a, b; c"), ("ja", "a, b；c"), ("zh-hans", "a, b；c"), ("zh-hant", "a, b；c")],
)
def test_facts_with_commas_of_their_own_are_told_apart(language: str, said: str) -> None:
    with override(language):
        assert facts(["a, b", "c"]) == said
        assert (facts([]), facts(["a"])) == ("", "a")


@pytest.mark.parametrize(
    ("language", "two", "three", "plain"),
    [
        ("en", "Ann and Ben", "Ann, Ben and Inés", "Ann, Ben, Inés"),
        ("ru", "Ann и Ben", "Ann, Ben и Inés", "Ann, Ben, Inés"),
        ("fi", "Ann ja Ben", "Ann, Ben ja Inés", "Ann, Ben, Inés"),
        ("de", "Ann und Ben", "Ann, Ben und Inés", "Ann, Ben, Inés"),
        ("es", "Ann y Ben", "Ann, Ben e Inés", "Ann, Ben, Inés"),
        ("ja", "Ann、Ben", "Ann、Ben、Inés", "Ann、Ben、Inés"),
        ("zh-hans", "Ann和Ben", "Ann、Ben和Inés", "Ann，Ben，Inés"),
        ("zh-hant", "Ann和Ben", "Ann、Ben和Inés", "Ann，Ben，Inés"),
    ],
)
def test_names_are_listed_as_the_readers_language_does(language: str, two: str, three: str, plain: str) -> None:
    with override(language):
        assert listed(["Ann", "Ben"]) == two
        assert listed(["Ann", "Ben", "Inés"]) == three
        assert joined(["Ann", "Ben", "Inés"]) == plain
        assert (listed([]), listed(["Ann"])) == ("", "Ann")


@pytest.mark.parametrize(
    ("last", "word"), [("Iris", "e"), ("Hilda", "e"), ("Yuri", "y"), ("Hiena", "y"), ("Ian", "y"), ("Ben", "y")]
)
def test_spanish_avoids_two_sounds_of_i(last: str, word: str) -> None:
    with override("es"):
        assert listed(["Ann", last]) == f"Ann {word} {last}"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ann pays Ben 4.00", "Ann pays Ben 4.00"),
        ("Ann pays דוד לוי 4.00, محمد 2.00", "Ann pays \u2068דוד לוי\u2069 4.00, \u2068محمد\u2069 2.00"),
        ("\u2068דוד 2\u2069 and علی\u200cرضا", "\u2068דוד 2\u2069 and \u2068علی\u200cرضا\u2069"),
    ],
)
def test_words_from_right_to_left_are_kept_apart_once(text: str, kept: str) -> None:
    assert in_order(text) == kept
    assert in_order(kept) == kept


def test_names_in_a_verdict_are_kept_apart_whole() -> None:
    assert names_apart("Front to 7 דנה: 7 high. Ann 2, דנה 3.", ["דנה", "7 דנה", "Ann"]) == (
        "Front to \u20687 דנה\u2069: 7 high. Ann 2, \u2068דנה\u2069 3."
    )
    assert names_apart("Front to Ann.", ["Ann", "Bob"]) == "Front to Ann."


def test_names_from_right_to_left_are_kept_apart_in_a_list() -> None:
    assert listed(["דוד", "محمد", "Ann"]) == "\u2068דוד\u2069, \u2068محمد\u2069 and Ann"
