"""Filters that mark up finished text: links from rule numbers to the rules page, and the inline markup of the rules."""

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_RULE = re.compile(r"(?<=[( ])R\d+(?=[),.])")


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
