"""The same foul in every language, as ``docs/languages`` shows it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db

DOCUMENT = Path(__file__).parents[3] / "docs/languages/README.md"
BOARD = "QQ7/KK339/QQ88J"


def answered(client: Client, tag: str) -> tuple[str, str]:
    """The heading of the page, and what it says of the board."""
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = tag
    page = client.get("/check/", {"rules": "regular", "a": BOARD}).content.decode()
    found = re.findall(r'<h1>(.*?)</h1>\s*<p class="lead">(.*?)</p>', page, re.DOTALL)[0]
    heading, sentence = (" ".join(unescape(re.sub("<[^>]+>", "", each)).split()) for each in found)
    return heading, sentence


def test_the_document_shows_what_the_page_answers(client: Client) -> None:
    lines = []
    for tag, name in settings.LANGUAGES:
        heading, sentence = answered(client, tag)
        assert re.findall(r"R\d+", sentence) == ["R7"]
        lines.append(f"| {name} | {heading} | {sentence} |")
    told = "\n".join(lines)
    assert told in DOCUMENT.read_text(encoding="utf-8"), f"the document must have these lines:\n{told}"
    assert len({line.split(" | ", 1)[1] for line in lines}) == len(settings.LANGUAGES)
    assert f"/check/?rules=regular&a={BOARD}" in DOCUMENT.read_text(encoding="utf-8")
