"""Exports the record of one session: every event with all that it wrote, and the hashes that chain them.

Anyone who has it can check it without the server (`docs/evidence.md`). It contains no secret, neither links nor keys of
forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.ledger import chain
from scoring.models import Session

FORMAT = "ofcscore record 1"


def of_session(session: Session) -> Iterator[bytes]:
    """Yields the document as UTF-8, one piece for each event."""
    head = {"format": FORMAT, "head": session.head, "words": chain.words_of(session.head)}
    yield chain.canonical(head)[:-1] + b',"events":['
    yield from events(session)
    yield b"]}"


def events(session: Session) -> Iterator[bytes]:
    """Yields the items of a JSON array: each event's content with its ``hash``."""
    separator, previous = b"", ""
    for content, stored in chain.contents(session):
        content.update(previous=previous, hash=stored)
        yield separator + chain.canonical(content)
        separator, previous = b",", stored
