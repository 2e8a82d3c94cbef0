"""What a royalty chart needs beside its figures. A developer who adds one learns here what is still missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring.rules.houserules import CHARTS, resolve
from scoring.rules.rulesheet import describe
from scoring.wording.house_rules import CHART_NAMES
from tests.rules import naive

RULES = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
VECTORS = (Path(__file__).parent / "vectors" / "royalties.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_its_numbered_sentence(name: str) -> None:
    sentence = re.search(rf"^(R\d+)\. .*`{name}`", RULES, re.MULTILINE)
    assert sentence, f"docs/rules.md: no numbered sentence describes the chart `{name}`"


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_its_line_on_the_rule_sheet(name: str) -> None:
    try:
        lines = [line for line in describe(resolve({"royalties": name})) if line.heading == "Royalties"]
    except KeyError:
        pytest.fail(f"scoring/rules/rulesheet.py: nothing describes the chart {name}")
    number = re.search(rf"^(R\d+)\. .*`{name}`", RULES, re.MULTILINE)
    assert number, f"docs/rules.md: no numbered sentence describes the chart `{name}`"
    assert number[1] in {line.rule for line in lines}, f"the rule sheet quotes another rule for {name}"


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_its_name_on_the_form(name: str) -> None:
    assert name in CHART_NAMES, f"scoring/wording/house_rules.py: the form has no name for the chart {name}"


@pytest.mark.parametrize("name", CHARTS)
def test_the_slow_scorer_knows_the_chart(name: str) -> None:
    assert name in naive.CHARTS, f"tests/rules/naive.py: the second scorer has no chart {name}"


@pytest.mark.parametrize("name", naive.CHARTS)
def test_a_chart_of_the_slow_scorer_is_one_of_ours(name: str) -> None:
    assert name in CHARTS, f"scoring/rules/houserules.py: CHARTS has no chart {name}"


@pytest.mark.parametrize("name", [name for name in CHARTS if name != "modern"])
def test_a_chart_has_an_example(name: str) -> None:
    assert re.search(rf"\[(royalties=)?{name}\]: ", VECTORS), (
        f"tests/rules/vectors/royalties.txt: no example of the chart {name}"
    )
