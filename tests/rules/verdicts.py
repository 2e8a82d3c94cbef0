"""The verdict on each board of a document as one sentence after the other, as people read it."""

from typing import Any

from scoring.rules.document import ENGLISH_ALONE, Languages, so_far


def verdicts(document: dict[str, Any], languages: Languages = ENGLISH_ALONE) -> list[str]:
    language = languages[document.get("language", "en")]
    return [language.said(verdict) for _, verdict in so_far(document, languages)]
