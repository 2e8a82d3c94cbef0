"""Figures, dates and lists as text, in the reader's language: nowhere else are they written out.

Points have a sign, a true minus sign and a dash for zero; money is an amount. The decimal mark, the names of months and
the order of a date are those of Unicode's locale data. English has forms of its own: 14 November 2026, 12 345.67, and
no comma before "and".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Final

from babel import Locale
from babel.dates import DateTimePattern, parse_pattern
from django.utils import timezone
from django.utils.translation import to_locale

from scoring.texts import get_language

FIRST_STRONG_ISOLATE = "\u2068"
POP_DIRECTIONAL_ISOLATE = "\u2069"
_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]"
_RIGHT_TO_LEFT = re.compile(_LETTER)
_WORDS_FROM_RIGHT = re.compile(
    f"{FIRST_STRONG_ISOLATE}[^{POP_DIRECTIONAL_ISOLATE}]*{POP_DIRECTIONAL_ISOLATE}|{_LETTER}(?:[\\s\u200c\u200d'’-]*{_LETTER})*"
)
"""Names that are kept apart already, and words from right to left that are not."""
NOTHING = "–"


MINUS = "−"


THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def signed(points: int) -> str:
    """Points with a sign: a player won (+) or lost (−) them."""
    if not points:
        return NOTHING
    return f"+{_grouped(points)}" if points > 0 else f"{MINUS}{_grouped(-points)}"


def unsigned(number: int) -> str:
    """A number without a sign."""
    return _grouped(number) if number else NOTHING


def money(minor: int, digits: int) -> str:
    """An amount of minor units without a plus sign: 123450 with 2 ``digits`` is 1234.50."""
    if not minor:
        return NOTHING
    if minor < 0:  # a stack can be below zero where the rules have no loss cap
        return MINUS + money(-minor, digits)
    whole, part = divmod(minor, 10**digits)
    return f"{_grouped(whole)}{_here().decimal}{part:0{digits}}" if digits else _grouped(whole)


def money_or_zero(minor: int, digits: int) -> str:
    """As `money`, but zero is 0.00, where a dash could mean a missing figure."""
    return money(minor, digits) if minor else typed_amount(0, digits)


def signed_money(minor: int, digits: int) -> str:
    """An amount of minor units with a sign: a player won (+) or lost (−) it."""
    if not minor:
        return NOTHING
    return ("+" if minor > 0 else MINUS) + money(abs(minor), digits)


def _grouped(number: int) -> str:
    # Only numbers of five digits or more are grouped: 1234, 12 345.
    return str(number) if number < 10_000 else f"{number:,}".replace(",", _here().group)


def tenths(number: int) -> str:
    """A number of tenths without a sign: 25 is 2.5, and 0 is 0.0."""
    whole, part = divmod(number, 10)
    return f"{_grouped(whole)}{_here().decimal}{part}"


def percent(number: int) -> str:
    """Like 40 %."""
    return f"{number}{_here().percent}"


def apart(name: str) -> str:
    """A name beside a figure. One that is written from right to left would turn the figure around, and gets marks.

    They are those of Unicode, which no font draws, for texts in which no element can keep the two apart.
    """
    if name.startswith(FIRST_STRONG_ISOLATE) or not _RIGHT_TO_LEFT.search(name):
        return name
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_DIRECTIONAL_ISOLATE}"


def in_order(text: str) -> str:
    """A sentence in which words from right to left, of names or of notes, leave the signs and figures beside them."""
    return _WORDS_FROM_RIGHT.sub(
        lambda found: found[0] if found[0][0] == FIRST_STRONG_ISOLATE else apart(found[0]), text
    )


def names_apart(text: str, names: Iterable[str]) -> str:
    """A verdict with the names that it has in it, each kept apart if it is written from right to left."""
    from_right = sorted(filter(_RIGHT_TO_LEFT.search, names), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, from_right)), lambda found: apart(found[0]), text) if from_right else text


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: A; A and B; A, B and C. Empty if there are none."""
    names = [in_order(name) if FIRST_STRONG_ISOLATE in name else apart(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    here = _here()
    before, last = here.comma.join(names[:-1]), names[-1]
    word = here.two if len(names) == 2 else here.last
    if here.y_before_i and _SOUNDS_LIKE_I.match(last):
        word = word.replace(" y ", " e ")
    return f"{before}{word}{last}"


_SOUNDS_LIKE_I = re.compile("i(?![aeo])|hi(?![aeo])|h?í", re.IGNORECASE)
"""Before such a word Spanish says "e" for "and"."""


def joined(parts: Iterable[str]) -> str:
    """Parts one after the other, without a word before the last: A, B, C. Empty ones are left out."""
    return _here().pause.join(filter(None, parts))


def facts(parts: Iterable[str]) -> str:
    """Parts that may have commas of their own, one after the other: A, B; C."""
    return _here().semicolon.join(parts)


def sentences(*said: str) -> str:
    """Whole sentences one after the other; empty ones are left out."""
    return _here().between.join(filter(None, said))


def labelled(label: str, text: str) -> str:
    """A label and what it names: A: B."""
    return f"{label}{_here().colon}{text}"


def in_brackets(text: str) -> str:
    """A text in brackets that follows another: `` (text)``, with the space before it where the language has one."""
    return _here().brackets.format(text)


def points_and_money(points: int, minor: int, digits: int, currency: str) -> str:
    """What somebody won or lost, the money in brackets if it is any: ``+4 (+2.00 EUR)``."""
    if not minor:
        return signed(points)
    return signed(points) + in_brackets(f"{signed_money(minor, digits)}\N{NO-BREAK SPACE}{currency}")


def mark(which: str) -> str:
    """A comma, a colon or a full stop between two parts of which at least one has elements of its own on the page.

    A colon comes with its space, and ", " too, since the page has none in languages that need none.
    """
    here = _here()
    return {",": here.pause.rstrip(), ", ": here.pause, ":": here.colon, ".": here.full_stop}[which]


def typed_amount(minor: int, digits: int) -> str:
    """An amount as a person would type it, which `parse_amount` reads back."""
    whole, part = divmod(minor, 10**digits)
    return f"{whole}{_here().decimal}{part:0{digits}}" if digits else str(whole)


def time_of_day(moment: datetime) -> str:
    """Like 21:05, at the table's time."""
    here = _here()
    return _dated(here, here.time, moment)


def day(moment: date) -> str:
    """Like 14 November. Of a ``datetime``, here and below, it is the day at the table."""
    here = _here()
    return _dated(here, here.day, moment)


def day_of_year(moment: date) -> str:
    """Like 14 November 2026."""
    here = _here()
    return _dated(here, here.day_of_year, moment)


def day_of_week(moment: date) -> str:
    """Like Saturday, 14 November 2026, to begin a text or to name an evening."""
    here = _here()
    said = _dated(here, here.day_of_week, moment)
    return said[:1].upper() + said[1:]


def day_and_time(moment: datetime) -> str:
    """Like 14 November, 21:05."""
    here = _here()
    return _dated(here, here.with_time.format(here.time, here.day), moment)


def day_of_year_and_time(moment: datetime) -> str:
    """Like 14 November 2026, 21:05."""
    here = _here()
    return _dated(here, here.with_time.format(here.time, here.day_of_year), moment)


@dataclass(frozen=True, slots=True)
class _Ways:
    """How one language writes figures, dates and lists.

    The patterns of dates have the fields of `_dated`; ``with_time`` has the time as 0 and the day as 1. ``two`` and
    ``last`` stand before the last of two and of more, with their spaces. ``between`` stands between two sentences.
    """

    decimal: str
    group: str
    percent: str
    comma: str
    pause: str
    semicolon: str
    between: str
    colon: str
    full_stop: str
    brackets: str
    two: str
    last: str
    y_before_i: bool
    time: str
    day: str
    day_of_year: str
    day_of_week: str
    with_time: str
    months: Mapping[int, str]
    weekdays: Mapping[int, str]
    weekdays_alone: Mapping[int, str]


def _here() -> _Ways:
    return _ways(get_language())


_ENGLISH: Final = "en"

_WITH_TIME: Final = {"fi": "{1} klo {0}"}
"""How a date and its time stand together, where Babel lacks it: Finnish has a word before a time, for "at"."""


@cache
def _ways(language: str) -> _Ways:
    locale = Locale.parse(to_locale(language))
    names = {
        "months": dict(locale.months["format"]["wide"]),  # Babel's own mappings are slow
        "weekdays": dict(locale.days["format"]["wide"]),
        "weekdays_alone": dict(locale.days["stand-alone"]["wide"]),
    }
    if locale.language == _ENGLISH:
        return _Ways(
            decimal=".",
            group=THIN_SPACE,
            percent=" %",
            comma=", ",
            pause=", ",
            semicolon="; ",
            between=" ",
            colon=": ",
            full_stop=".",
            brackets=" ({})",
            two=" and ",
            last=" and ",
            y_before_i=False,
            time="%(HH)s:%(mm)s",
            day="%(d)s %(MMMM)s",
            day_of_year="%(d)s %(MMMM)s %(y)s",
            day_of_week="%(EEEE)s, %(d)s %(MMMM)s %(y)s",
            with_time="{1}, {0}",
            **names,
        )
    symbols, lists = locale.number_symbols["latn"], locale.list_patterns["standard"]
    comma = _between(lists["middle"])
    full_width = locale.language in {"ja", "zh"}
    return _Ways(
        decimal=symbols["decimal"],
        group=symbols["group"],
        percent=locale.percent_formats[None].suffix[0],
        comma=comma,
        pause="，" if locale.language == "zh" else comma,
        semicolon="；" if full_width else "; ",
        between="" if full_width else " ",
        colon="：" if full_width else ": ",
        full_stop="。" if full_width else ".",
        brackets="（{}）" if full_width else " ({})",
        two=_between(lists["2"]),
        last=_between(lists["end"]),
        y_before_i=locale.language == "es",
        time=_fields(locale.datetime_skeletons["Hm"]),
        day=_fields(locale.datetime_skeletons["MMMMd"]),
        day_of_year=_fields(locale.date_formats["long"]),
        day_of_week=_fields(locale.date_formats["full"]),
        with_time=_WITH_TIME.get(locale.language, locale.datetime_formats["medium"]),
        **names,
    )


def _fields(pattern: DateTimePattern) -> str:
    """The pattern of a date as one of ``%``: ``d. MMMM`` is ``%(d)s. %(MMMM)s``."""
    return str(parse_pattern(pattern).format)


def _between(pattern: str) -> str:
    return pattern.removeprefix("{0}").removesuffix("{1}")


def _dated(here: _Ways, pattern: str, moment: date) -> str:
    hour = minute = 0
    if isinstance(moment, datetime):
        moment = timezone.localtime(moment)
        hour, minute = moment.hour, moment.minute
    weekday = moment.weekday()
    return pattern % {
        "d": moment.day,
        "M": moment.month,
        "MMMM": here.months[moment.month],
        "y": moment.year,
        "EEEE": here.weekdays[weekday],
        "cccc": here.weekdays_alone[weekday],
        "H": hour,
        "HH": f"{hour:02}",
        "mm": f"{minute:02}",
    }
