"""Whatever stands in a query or a form, no address answers that the server has failed.

Each address is sent fields with the names that the forms for it have and that its view reads, by everybody. Some stand
there as the page had them, so that hostile values also reach what lies behind the first check.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any
from urllib.parse import quote_plus, urlsplit

import hypothesis
import pytest
from django.conf import settings
from django.db import transaction
from django.http import QueryDict
from django.test import Client
from django.urls import Resolver404, resolve
from hypothesis import strategies as st

from scoring.game.entry import Entry
from scoring.reads.cache import forget_cached
from tests.access.conftest import WHO, Cast, whole_cast
from tests.access.reading import crawl, is_page, read
from tests.access.test_table import address, patterns
from tests.ledger.conftest import settle

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Fields = dict[str, list[str]]

HOSTILE = (
    *("", " ", "0", "1", "2", "-1", "+1", "1.5", "1e5", "1,5", "00", "01", "9" * 9, "9" * 19, "9" * 5_000, "1_0"),
    *(
        "\u0663",
        "\xb2",
        "\u2460",
        "NaN",
        "Infinity",
        "None",
        "true",
        "on",
        "[]",
        "{}",
        '"',
        "'",
        "%",
        "%s",
        "\\",
        "{{ 7 }}",
    ),
    *(
        "\x00",
        "\x1b",
        "\n",
        "\r\nSet-Cookie: x=y",
        "\u2028",
        "\u202e",
        "\ud800",
        "\udfff",
        "\xe9",
        "\U0001f469",
        "\ufdfa" * 40,
    ),
    *("x" * 41, "x" * 81, "x" * 301, "x" * 10_000, "Z" + "\u0351" * 9_000, "<b>", "=1+1", "../", "//x", "javascript:x"),
    *(
        "Ann",
        "bank",
        "House",
        "EUR",
        "JPY",
        "1-2",
        "2-1",
        "1,2,3",
        "3,2,1,1",
        "1,1",
        "p1",
        "p1-front",
        "new",
        "regular",
        "saved:",
    ),
    *(
        "points",
        "cards",
        "follow",
        "as-dealt",
        "dead",
        "surrendered",
        "chips",
        "13",
        "17",
        "18",
        "QQ7",
        "AA44J",
        "89TJQ",
    ),
    *("QQ7 / AA44J / 89TJQ", "Ah Ah Ah", "AsAsAs", "XxXxX", "A" * 101, "Ann: QQ7 / AA44J / 89TJQ", "a" * 80, "key"),
)
NUMBERS = ("1", "2", "3", "4", "0", "32768", "2147483648", "9223372036854775808", "9" * 40)
HEADERS: tuple[dict[str, str], ...] = ({}, {"HX-Request": "true", "HX-Target": "main"}, {"HX-Request": "true"})
MOST_BYTES = 60_000
ENDLESS = ("-9", "a", "1-2", "name-99", "p99-front")
"""Fields that no form has."""


@contextmanager
def noting(names: set[str]) -> Iterator[None]:
    """Notes the names of the fields that views look for."""
    with pytest.MonkeyPatch.context() as patch:
        for method in ("__getitem__", "__contains__", "getlist"):
            real = getattr(QueryDict, method)

            def noted(self: QueryDict, name: Any, *rest: Any, real: Any = real) -> Any:
                names.add(name)
                return real(self, name, *rest)

            patch.setattr(QueryDict, method, noted)
        yield


def encoded(fields: Fields) -> str:
    """The fields as a query, with whatever no honest browser would send."""
    pairs = ((name, value) for name, values in fields.items() for value in values)
    return "&".join("=".join(quote_plus(text, errors="surrogatepass") for text in pair) for pair in pairs)


def forms_by_pattern(client: Client, *starts: str) -> dict[str, list[Fields]]:
    """What the forms on all pages of this browser would send unchanged, by the pattern of the address."""
    found: dict[str, list[Fields]] = defaultdict(list)
    for url, response in crawl(client, *starts):
        for form in read(response, url).forms if is_page(response) else ():
            try:
                pattern = resolve(urlsplit(form.action).path).route
            except Resolver404:
                continue
            fields = {name: [value] for name, value in form.values.items()} | {name: [""] for name in form.typed}
            if fields not in found[pattern]:
                found[pattern].append(fields)
    return found


@st.composite
def requests(draw: st.DrawFn, names: tuple[str, ...], forms: list[Fields]) -> tuple[str, Fields, dict[str, str], str]:
    """A method, the fields, the headers, and the number in the address."""
    fields = dict(draw(st.sampled_from([{}, *forms])))
    value = st.sampled_from(HOSTILE) | st.text(max_size=20)
    changed = st.dictionaries(st.sampled_from(names), st.lists(value, max_size=2), min_size=1, max_size=4)
    fields |= draw(changed)
    if len(encoded(fields)) > MOST_BYTES:
        fields = {name: [value[:50] for value in values] for name, values in fields.items()}
    return (
        draw(st.sampled_from(["GET", "POST"])),
        fields,
        draw(st.sampled_from(HEADERS)),
        draw(st.sampled_from(("1", *NUMBERS))),
    )


def send(client: Client, path: str, method: str, fields: Fields, headers: dict[str, str]) -> int:
    """Sends the request and undoes whatever it did. Fails with what a view raises."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        if method == "GET":
            response = client.generic("GET", path, QUERY_STRING=encoded(fields), headers=headers)
        else:
            body = encoded(fields)
            response = client.generic("POST", path, body, "application/x-www-form-urlencoded", headers=headers)
        response.getvalue()
        transaction.set_rollback(True)
    if response.status_code == 302:
        forget_cached()  # a version that was taken back will come again, and mean something else
    client.cookies = cookies
    return int(response.status_code)


def attack(cast: Cast, who: str, pattern: str, forms: list[Fields], examples: int) -> None:
    """Sends an address what the forms for it would send, each field alone, and then as many hostile requests."""
    client = cast.browsers[who]
    names: set[str] = {"key", "version", "note", *ENDLESS}
    names |= {name for fields in forms for name in fields}
    with noting(names):
        for method in ("GET", "POST"):
            for fields in ({}, *forms):
                assert send(client, address(pattern, cast, who), method, fields, {}) < 500
    # Both together reach every view, and none reads a field in another way on PostgreSQL.
    for name in sorted(names) if who in {"host", "seat"} and settings.ON_SQLITE else ():
        for method in ("GET", "POST"):
            assert send(client, address(pattern, cast, who), method, {name: ["x", "2"]}, {}) < 500

    @hypothesis.settings(max_examples=examples, suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(requests(tuple(sorted(names)), forms))
    def attacked(request: tuple[str, Fields, dict[str, str], str]) -> None:
        method, fields, headers, number = request
        path = address(pattern.replace("<int:number>", number), cast, who)
        assert send(client, path, method, fields, headers) < 500

    attacked()


@pytest.mark.parametrize("who", [who for who in WHO if who not in {"revoked", "other"}])
def test_no_query_and_no_form_makes_the_server_fail(who: str, subtests: pytest.Subtests) -> None:
    cast = whole_cast()
    settle(cast.session, Entry(points=((1, 2, 3), (1, 3, -2), (2, 3, 1))))
    forms = forms_by_pattern(cast.browsers[who], "/", address("s/<str:public_id>/", cast, who))
    usual = hypothesis.settings().max_examples
    for pattern in patterns():
        with subtests.test(pattern=pattern):
            attack(cast, who, pattern, forms[pattern], examples=1 if who == "nobody" else max(1, usual // 64))
