"""Filters that mark up finished text: rule numbers as links to the rules page, the markup of the rules, and cards.

Tags put parts together, with the marks of the reader's language between them.
"""

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from scoring.wording import figures
from scoring.wording.boards import RowShown

register = template.Library()


@register.simple_tag
def joined(*parts: str) -> str:
    """Parts one after the other, without those that are empty."""
    return figures.joined(parts)


@register.simple_tag
def mark(which: str) -> str:
    """A comma, a colon or a full stop."""
    return figures.mark(which)


_RULE = re.compile(r"(?<=[( （、])R\d+(?=[),.）、])")


@register.filter
def in_order(text: object) -> str:
    """What has words from right to left, so that it leaves the figures and arrows beside it in their place."""
    return figures.in_order(str(text))


@register.filter
def apart(name: str) -> str:
    """A name in a sentence or beside a figure; one from right to left turns neither around."""
    return figures.apart(name)


@register.filter
def with_rules(text: str) -> SafeString:
    """Turns the rule numbers in a sentence, such as R52, into links to those rules on the rules page."""
    rules = reverse("rules")

    def link(match: re.Match[str]) -> str:
        return format_html('<a href="{}#{}">{}</a>', rules, match[0], match[0])

    return mark_safe(_RULE.sub(link, conditional_escape(text)))  # noqa: S308 - escaped here, and the links are ours


@register.filter
def prose(text: str) -> SafeString:
    """Marks up a paragraph of the rules: code between backticks, emphasis between asterisks."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", conditional_escape(text))
    return mark_safe(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", marked))  # noqa: S308 - escaped here, and the tags are ours


@register.filter
def on_paper(row: RowShown) -> SafeString:
    """The cards of a row on paper, where there are thousands of them: one short tag for each."""
    cards = format_html_join(
        "",
        '<i class="{}">{}{}</i>',
        ((card.suit or "bare", card.rank, _SUITS.get(card.suit, "")) for card in row.cards),
    )
    return format_html('<span class="paper-cards" role="img" aria-label="{}">{}</span>', row.spoken, cards)


_SUITS = {suit: mark_safe(f'<svg><use href="#suit-{suit}"/></svg>') for suit in "shdc"}  # noqa: S308 - no text of others
