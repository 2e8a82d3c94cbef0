"""Measures scoring a document in each language beside the same in English."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from bench.deals import deals, documents
from bench.timing import line, rates
from scoring.exports.json_text import dumps
from scoring.rules.document import score_bytes
from scoring.wording.languages import LANGUAGES

DEALS = 1000


def run() -> None:
    """Prints the figures of the languages."""
    made = deals(DEALS)
    measured = rates({tag: scoring(documents(made, tag)) for tag in LANGUAGES}, DEALS, clock=process_time)
    english = measured.pop("en")
    print(f"Whole documents in every language, one thread ({english:,.0f} a second in English here):")
    for tag, rate in measured.items():
        line(f"document in {tag} / in English", rate / english, ">= 0.80")


def scoring(bodies: list[bytes]) -> Callable[[], None]:
    """Returns a job that scores all documents, JSON to JSON."""

    def job() -> None:
        for body in bodies:
            dumps(score_bytes(body, LANGUAGES)[0])

    return job


if __name__ == "__main__":
    run()
