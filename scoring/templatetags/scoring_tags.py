"""What templates still do to finished text: make its rule numbers lead to the rules, and set the rules' own prose."""

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_RULE = re.compile(r"(?<=[( ])R\d+(?=[),.])")


@register.filter
def with_rules(text: str) -> SafeString:
    """A sentence whose rule numbers (R52) are links to those sentences of the rules page."""
    rules = reverse("rules")

    def link(match: re.Match[str]) -> str:
        return format_html('<a href="{}#{}">{}</a>', rules, match[0], match[0])

    return mark_safe(_RULE.sub(link, conditional_escape(text)))  # noqa: S308 - escaped here, and the links are ours


@register.filter
def prose(text: str) -> SafeString:
    """A paragraph of the rules: ``code`` between backticks, *stress* between asterisks."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", conditional_escape(text))
    return mark_safe(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", marked))  # noqa: S308 - escaped here, and the tags are ours
