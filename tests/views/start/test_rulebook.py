"""The rules in words: numbered sentences, and the rule sheet of every preset."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from scoring.actions.terms import ChangeTerms
from scoring.models import Session
from scoring.rules.houserules import PRESETS
from scoring.wording import rulebook
from scoring.wording.rulebook import chapters
from tests.languages import BRACKETED
from tests.ledger.conftest import act


def test_every_sentence_of_the_rules_is_there_with_its_anchor(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    numbers = [sentence.number for chapter in chapters() for sentence in chapter.sentences]
    assert numbers == [f"R{n}" for n in range(1, len(numbers) + 1)]
    assert len(numbers) > 60
    for number in numbers:
        assert f'<li id="{number}">' in page
    assert "<code>strict</code>" in page


def test_the_sources_of_the_rules_are_behind_one_switch(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    sources = [sentence.source for chapter in chapters() for sentence in chapter.sentences if sentence.source]
    assert page.count('<small class="source muted">') == len(sources) > 60
    assert '<details class="open sources">' in page


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_sheet_whose_lines_lead_to_the_rules(client: Client, preset: str) -> None:
    page = client.get(f"/rules/{preset}/").content.decode()
    numbers = {sentence.number for chapter in chapters() for sentence in chapter.sentences}
    linked = set(re.findall(r"/rules/#(R\d+)", page))
    assert len(linked) > 10
    assert linked <= numbers
    for heading in ("Game", "Rows", "Points", "Royalties", "Fantasyland", "Money"):
        assert f"<h2>{heading}</h2>" in page


def test_the_chart_is_the_one_that_is_played(client: Client) -> None:
    modern, flat = (client.get(f"/rules/{preset}/").content.decode() for preset in ("regular", "cardplayer"))
    quads = r'<th scope="row">Quads</th><td class="n">(\d+)</td><td class="n">(\d+)</td>'
    assert re.findall(quads, modern) == [("20", "10")]
    assert re.findall(quads, flat) == [("16", "8")]
    assert "<dt>222</dt><dd>20</dd>" in flat
    assert "2-7 middle" in client.get("/rules/2-7-pineapple/").content.decode()


def test_an_unknown_preset_is_404(client: Client) -> None:
    assert client.get("/rules/poker/").status_code == 404


def test_a_sessions_sheet_is_its_own(client: Client, session: Session) -> None:
    assert "The modern chart" in client.get(f"/s/{session.public_id}/rules/").content.decode()
    act(ChangeTerms, session, rules="cardplayer")
    assert "The modern chart" not in client.get(f"/s/{session.public_id}/rules/").content.decode()


def test_a_name_inside_a_sentence_is_only_text(client: Client) -> None:
    page = client.get("/check/", {"a": "<i>Ann</i>:227/KK339/QQ88J", "b": "664/TT9Q8/AAA55"}).content.decode()
    assert "Player B wins 13 points" in page
    assert "&lt;i&gt;Ann&lt;/i&gt;" in page
    assert "<i>" not in page


DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize("path", [DOCS / "rules.md", *(DOCS / "rules").glob("*.md")], ids=lambda path: path.stem)
def test_the_rules_of_every_language_have_the_same_structure(path: Path) -> None:
    """They may be a translation, but have the same chapters, numbers, names in backticks and sources."""

    def structure(text: str) -> dict[str, object]:
        found: dict[str, object] = {}
        for n, part in enumerate(text.split("\n## ")[1:], start=1):
            found[f"paragraphs of chapter {n}"] = part.count("\n\n")
            for number, sentence in re.findall(r"^(R\d+)\. (.+?)(?=\n\n|\Z)", part, re.MULTILINE | re.DOTALL):
                found[number] = (n, sorted(re.findall(r"`[^`]+`", sentence)), sentence.rstrip().endswith("]"))
        return found

    here, there = (structure(each.read_text(encoding="utf-8")) for each in (path, DOCS / "rules.md"))
    differ = [part for part in {**there, **here} if here.get(part) != there.get(part)]
    assert differ == [], f"docs/rules/{path.name}: {differ} differ from docs/rules.md"
    assert list(here) == list(there), f"docs/rules/{path.name} has them in another order"


def test_the_rules_that_the_code_and_the_pages_name_exist() -> None:
    numbers = {sentence.number for chapter in chapters() for sentence in chapter.sentences}
    for room, kinds in (("scoring", "*.py"), ("templates", "*.html")):
        for file in (settings.BASE_DIR / room).rglob(kinds):
            named = set(re.findall(r"\bR\d+\b", file.read_text(encoding="utf-8")))
            assert named <= numbers, f"{file.name} names {named - numbers}, which docs/rules.md does not have"


@pytest.mark.parametrize("path", [*(DOCS / "rules").glob("*.md")], ids=lambda path: path.stem)
def test_what_is_said_of_a_source_is_in_the_language_of_the_rules(path: Path) -> None:
    """Sources keep their names, which stand in brackets with what is said of them."""
    said = re.findall(r"\[([^]]+)\]$", path.read_text(encoding="utf-8"), re.MULTILINE)
    words = {word for each in said for word in re.findall(r"\w+", each)}
    assert words & {"derived", "recommended", "sources", "for", "after", "the", "it", "yet", "without"} == set()


def test_the_rules_are_read_in_the_readers_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs/rules").mkdir(parents=True)
    (tmp_path / "docs/rules.md").write_text("\n## One\n\nR1. A sentence.\n")
    (tmp_path / "docs/rules/qq.md").write_text("\n## Un\n\nR1. Une phrase.\n")
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    rulebook._chapters.cache_clear()
    try:
        assert chapters()[0].title == "One"
        monkeypatch.setattr(rulebook, "of_reader", lambda: BRACKETED)
        assert chapters()[0].sentences[0].text == "Une phrase."
    finally:
        rulebook._chapters.cache_clear()


def test_caches_keep_the_rules_for_each_language(client: Client) -> None:
    """A page that nobody needs a link for is in the language of the reader's cookie, too."""
    answer = client.get("/rules/")
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
