"""What the filters make of finished text: links, markup and cards. What people typed stays text."""

import pytest

from scoring.templatetags.scoring_tags import on_paper, prose, with_rules
from scoring.wording.boards import CardShown, RowShown


@pytest.mark.parametrize(
    ("sentence", "linked"),
    [
        ("The middle is higher (R52).", "The middle is higher ({R52})."),
        ("Two rules say so (R10, R52).", "Two rules say so ({R10}, {R52})."),
        ("中道较大（R52）。", "中道较大（{R52}）。"),
        ("The players are R10 and R52 jr, AR52, and CR10.", "The players are R10 and R52 jr, AR52, and CR10."),
    ],
)
def test_the_number_of_a_rule_leads_to_it(sentence: str, linked: str) -> None:
    for number in ("R10", "R52"):
        linked = linked.replace(f"{{{number}}}", f'<a href="/rules/#{number}">{number}</a>')
    assert with_rules(sentence) == linked


def test_a_rule_has_code_and_emphasis() -> None:
    assert prose("`QQ7` is *not* a set.") == "<code>QQ7</code> is <em>not</em> a set."


@pytest.mark.parametrize("marked", [with_rules, prose])
def test_what_people_typed_is_no_markup(marked: object) -> None:
    assert callable(marked)
    assert marked("<b>Ann</b> & Bob (R52)").startswith("&lt;b&gt;Ann&lt;/b&gt; &amp; Bob (")


def test_cards_on_paper_have_their_suits_where_they_are_known() -> None:
    row = RowShown("front", [CardShown("Q", "h"), CardShown("7", "")], 'queen of hearts, "seven"', "", "")
    assert on_paper(row) == (
        '<span class="paper-cards" role="img" aria-label="queen of hearts, &quot;seven&quot;">'
        '<i class="h">Q<svg><use href="#suit-h"/></svg></i><i class="bare">7</i></span>'
    )
