"""Templates with the texts of the reader's language in place.

A template is compiled once for each language, and before that its marked texts are replaced by what they are in the
language. So a page in any language costs what it would if it had been written in that language.
"""

from __future__ import annotations

import re
from typing import Final

from django.template import Origin
from django.template.loaders import cached
from django.utils.translation import trim_whitespace

from scoring.texts import get_language, gettext, pgettext

_TEXT: Final = re.compile(r'\{% translate "(?P<text>[^"\\]+)"(?: context "(?P<context>[^"\\]+)")? %\}')
_BLOCK: Final = re.compile(
    r"\{% blocktranslate(?P<trimmed> trimmed)?(?: with(?P<values>(?: \w+=[^\s=]+)+))?"
    r'(?: context "(?P<context>[^"\\]+)")? %\}(?P<text>(?:(?!\{[%#]).)+)\{% endblocktranslate %\}',
    re.DOTALL,
)
_TAG: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")
_ARGUMENT: Final = re.compile(r'\b_\("([^"\\%]+)"\)')
_VALUE: Final = re.compile(r"\{\{ (\w+) \}\}")
_FIELD: Final = re.compile(r"%(?:\((\w+)\)s|%)")


class Loader(cached.Loader):
    """Keeps each template once for every language in which it was asked for."""

    def cache_key(self, template_name: str, skip: list[Origin] | None = None) -> str:
        return f"{get_language()} {super().cache_key(template_name, skip)}"

    def get_contents(self, origin: Origin) -> str:
        return in_place(super().get_contents(origin))


def in_place(source: str) -> str:
    """The source of a template with its texts in the language that is spoken.

    What is not as simple as the patterns here is left to Django's tags: counts, texts that become a variable, and a
    translation that does not fit.
    """
    source = _BLOCK.sub(_block, _TEXT.sub(_text, source))
    return _TAG.sub(lambda tag: _ARGUMENT.sub(_argument, tag[0]), source)


def _text(mark: re.Match[str]) -> str:
    said = _said(mark["text"].replace("%", "%%"), mark["context"]).replace("%%", "%")
    return said if _is_plain(said) else mark[0]


def _argument(mark: re.Match[str]) -> str:
    said = gettext(mark[1])
    return mark[0] if '"' in said or "\\" in said or not _is_plain(said) else f'"{said}"'


def _block(mark: re.Match[str]) -> str:
    given = dict(value.split("=", 1) for value in (mark["values"] or "").split())
    text = mark["text"].replace("%", "%%")
    values = {name: f"{{{{ {given.get(name, name)} }}}}" for name in _VALUE.findall(text)}
    text = _VALUE.sub(r"%(\1)s", text)
    said = _said(trim_whitespace(text) if mark["trimmed"] else text, mark["context"])
    if "%" in _FIELD.sub("", said) or not set(_FIELD.findall(said)) <= {"", *values} or not _is_plain(text + said):
        return mark[0]
    return _FIELD.sub(lambda field: values[field[1]] if field[1] else "%", said)


def _said(text: str, context: str | None) -> str:
    return pgettext(context, text) if context else gettext(text)


def _is_plain(text: str) -> bool:
    """Whether nothing of a text is markup of templates."""
    return not any(mark in text for mark in ("{{", "{%", "{#"))
