"""The texts of pages, scripts and refusals, as translators get them: found in the source, checked, compiled.

Babel does what GNU gettext would, so nobody has to install that. A language has two files, `django.po` for what the
server says and `djangojs.po` for what scripts say. Pages read the compiled `django.mo`, browsers `static/words/TAG.js`
and, for the pad and the page that checks records, those of
`static/pad/words/` and `static/verify/words/`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import c2py
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_language, to_locale
from django.utils.translation.template import templatize

ROOT: Final = settings.BASE_DIR
LOCALES: Final = Path(__file__).parent.parent / "locale"
SERVER, BROWSER = "django", "djangojs"
DOMAINS: Final = (SERVER, BROWSER)

PLACES: Final = {SERVER: [("scoring", "py"), ("templates", "html"), ("templates", "svg")], BROWSER: [("static", "js")]}

KEYWORDS: Final[dict[str, Any]] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "Phrase": None,
    "plural": (1, 2),
}
"""The calls that mark a text in Python and in templates: Django's, and those of `scoring.rules.phrase`."""
SCRIPT_KEYWORDS: Final[dict[str, Any]] = {"words": None, "counted": (1, 2)}
"""Those of `static/words.js`."""

# The admin and the commands speak to the operator, in English.
_NOT_TRANSLATED: Final = re.compile(
    r"scoring/(?:migrations|management|locale|backup)/|scoring/(?:api|admin)\.py|templates/admin/"
)
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
_FIELD: Final = re.compile(r"%\(\w+\)s|(?<!\{)\{\w+\}(?!\})|</?\w+")
_COUNTS: Final = re.compile(r"%\((?:n|count)\)s|\{count\}")


class Fault(NamedTuple):
    """What is wrong with one text of a language; ``text`` is the English one."""

    file: str
    text: str
    what: str


def tags() -> list[str]:
    """The languages that have files here, whole or not, by their tags; English needs none."""
    return [to_language(folder.parent.name) for folder in sorted(LOCALES.glob("*/LC_MESSAGES"))]


def is_tag(tag: str) -> bool:
    """Whether this is the tag of a language that Babel knows."""
    try:
        Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return False
    return True


def sources(domain: str) -> Iterator[Path]:
    """The files in which texts of this domain may stand."""
    for folder, ending in PLACES[domain]:
        for file in sorted((ROOT / folder).rglob(f"*.{ending}")):
            if not _NOT_TRANSLATED.match(str(file.relative_to(ROOT))):
                yield file


def found(domain: str) -> Catalog:
    """Every text of the domain, with the files in which it stands."""
    catalog = Catalog(project="ofcscore", charset="utf-8", fuzzy=False)
    for file in sources(domain):
        name = file.relative_to(ROOT).as_posix()
        for _, message, comments, context in _texts(file, domain):
            catalog.add(message, locations=[(name, 1)], auto_comments=comments, context=context)
    return catalog


def _texts(file: Path, domain: str) -> Iterator[tuple[int, Any, list[str], str | None]]:
    text = file.read_text(encoding="utf-8")
    if domain == BROWSER:
        options = {"parse_template_string": "yes"}
        yield from extract("javascript", io.BytesIO(text.encode()), SCRIPT_KEYWORDS, ["Translators:"], options)
        return
    if file.suffix != ".py":
        # Django turns a template into calls with all else blanked out. Their indentation means nothing.
        text = "\n".join(line.strip() for line in templatize(text, origin=str(file)).splitlines())
    yield from extract("python", io.BytesIO(text.encode()), KEYWORDS, ["Translators:"])


def po_file(tag: str, domain: str) -> Path:
    """Where a language's translations of this domain are."""
    return LOCALES / to_locale(tag) / "LC_MESSAGES" / f"{domain}.po"


def read(tag: str, domain: str) -> Catalog:
    """The language's translations; none if there is no such file yet."""
    file = po_file(tag, domain)
    if not file.exists():
        return Catalog(locale=Locale.parse(tag, sep="-"), domain=domain, charset="utf-8", fuzzy=False)
    with file.open("rb") as stream:
        return read_po(stream, locale=to_locale(tag), domain=domain)


def merged(tag: str, domain: str) -> Catalog:
    """The language's translations of the texts that there are now; a new text has none yet."""
    catalog = read(tag, domain)
    catalog.update(found(domain), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def written(catalog: Catalog) -> bytes:
    """The catalogue as a file; it changes only when texts or translations do."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, omit_header=True, include_lineno=False, sort_output=True)
    head = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Language: {catalog.locale_identifier}\\n"\n"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    return head.encode() + out.getvalue().lstrip()


def faults(tag: str) -> Iterator[Fault]:
    """Everything that keeps the language from being offered: what is missing, unsure, or has lost a value or a tag."""
    for domain in DOMAINS:
        name = po_file(tag, domain).relative_to(LOCALES.parent).as_posix()
        there = read(tag, domain)
        for message in found(domain):
            if not message.id:
                continue
            translation = there.get(message.id, message.context)
            text = _english(message)[0]
            if translation is None or not all(_forms(translation)):
                yield Fault(name, text, "is not translated")
            elif translation.fuzzy:
                yield Fault(name, text, "is marked as unsure")
            else:
                yield from (Fault(name, text, what) for what in _lost(message, translation))


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _lost(message: Message, translation: Message) -> Iterator[str]:
    """What the translation lacks or adds. A plural form may say the number in words."""
    wanted = set(_FIELD.findall(" ".join(_english(message))))
    for form in _forms(translation):
        there = set(_FIELD.findall(form))
        if missing := {field for field in wanted - there if not _COUNTS.fullmatch(field)}:
            yield f"lacks {', '.join(sorted(missing))}"
        if more := there - wanted:
            yield f"has {', '.join(sorted(more))}, which the English text has not"
        if form != form.strip() and _english(message)[0] == _english(message)[0].strip():
            yield "begins or ends with a space"


def _english(message: Message) -> list[str]:
    """The English text, and its plural if it has one."""
    return [message.id] if isinstance(message.id, str) else list(message.id)


def compiled(tag: str) -> dict[Path, bytes]:
    """What a language's translations are compiled to: file => content."""
    out = io.BytesIO()
    catalog = read(tag, SERVER)
    catalog.creation_date = _LONG_AGO  # otherwise it is now, and the same texts would never be the same file
    write_mo(out, catalog)
    return {po_file(tag, SERVER).with_suffix(".mo"): out.getvalue(), **scripts(tag)}


def scripts(tag: str) -> dict[Path, bytes]:
    """The words of a language for browsers, which static/words.js reads: of every page, of the pad, of /verify/.

    More than half are the pad's, so they load with it: a phone that comes to the start page or opens an invitation
    loads less than 1.4 kB of words. The page /verify/ has nothing but its own.
    """
    catalog = read(tag, BROWSER)
    places = _places(catalog)
    pages: dict[str, Any] = {}
    pad: dict[str, Any] = {}
    verify: dict[str, Any] = {}
    for message in catalog:
        if not message.id:
            continue
        forms = _forms(message)
        said = forms[0] if isinstance(message.id, str) else {each: forms[place] for each, place in places.items()}
        name = called(_english(message)[0])
        folders = {file.rpartition("/")[0] for file, _ in message.locations}
        if "static/verify" in folders:
            verify[name] = said
        if folders == {"static/pad"}:
            pad[name] = said
        elif folders != {"static/verify"}:
            pages[name] = said
    return {
        ROOT / folder / f"{tag}.js": f"globalThis.words = {{ ...globalThis.words, {_pairs(words)} }};\n".encode()
        for folder, words in {"static/words": pages, "static/pad/words": pad, "static/verify/words": verify}.items()
    }


def called(text: str) -> str:
    """What a text of a script is called in those files. `static/words.js` makes the same of its English."""
    total = 0
    for letter in text:
        total = (total * 31 + ord(letter)) % 0x100000
    return f"{total:x}"


def _pairs(words: dict[str, Any]) -> str:
    return json.dumps(words, ensure_ascii=False)[1:-1]


def _places(catalog: Catalog) -> dict[str, int]:
    """The plural category of each number as browsers name it => the place of its form in a file of gettext's."""
    locale = Locale.parse(catalog.locale_identifier)
    index = c2py(catalog.plural_expr)
    places = {locale.plural_form(number): index(number) for number in range(200, -1, -1)}
    return {**places, "other": places.get("other", catalog.num_plurals - 1)}
