"""A phone that comes to a session asks for the styles of its first page, and for those of all others afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from lxml import html

from scoring.access.links import Role
from scoring.models import Session
from tests.access.conftest import browser, issue
from tests.actions.everything import everything, for_cash
from tests.ledger.conftest import act

pytestmark = pytest.mark.django_db

STATIC = Path(settings.BASE_DIR) / "static"


def classes_of_rules(name: str) -> set[frozenset[str]]:
    """The classes that an element and those around it need, so that a rule of this sheet says something of it."""
    css = re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text(), flags=re.DOTALL)
    while re.search(nested := r":(?:is|not|has|where|lang|nth-child|nth-of-type)\([^()]*\)", css):
        css = re.sub(nested, "", css)
    selectors = [each for rule in re.findall(r"([^{}@;]+)\{", css) for each in rule.split(",")]
    return {frozenset(re.findall(r"\.([a-zA-Z][\w-]*)", each)) for each in selectors} - {frozenset()}


def classes_of(page: bytes) -> set[str]:
    return {name for element in html.fromstring(page).iter("*") for name in (element.get("class") or "").split()}


def waits(page: bytes) -> bool:
    """Whether this page leaves the styles of other pages for later."""
    return b'/static/pages.css" disabled>' in page


@pytest.mark.parametrize("evening", [everything, for_cash], ids=["everything", "for cash"])
def test_the_table_needs_no_style_that_comes_later(
    monkeypatch: pytest.MonkeyPatch, evening: Callable[[], Session]
) -> None:
    later = classes_of_rules("pages.css")
    assert frozenset({"ledger", "figures"}) in later
    looked = 0
    phones: list[Client] = []

    def act_and_look(do: Any, session: Session, **given: Any) -> Any:
        nonlocal looked
        done = act(do, session, **given)
        if not phones:
            phones.extend(browser(issue(session, role)[1]) for role in Role)
        for phone, page in product(phones, ("", "seat/")):
            shown = phone.get(f"/s/{session.public_id}/{page}").content
            if waits(shown):
                looked += 1
                named = classes_of(shown)
                assert [sorted(each) for each in later if each <= named] == [], page
        return done

    monkeypatch.setattr(f"{everything.__module__}.act", act_and_look)
    evening()
    assert looked > 40


def test_all_other_pages_have_all_styles_at_once() -> None:
    session = everything()
    client = browser(issue(session, Role.HOST)[1])
    for address in ("hand/", "ledger/", "hands/1/", "people/"):
        assert not waits(client.get(f"/s/{session.public_id}/{address}").content)
