"""Exports the record of one session: every event with all that it wrote, and the hashes that chain them.

Anyone who has it can check it without the server (`docs/evidence.md`). It contains no secret, neither links nor keys of
forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from scoring import reads
from scoring.ledger import chain
from scoring.models import Session

FORMAT = "ofcscore record 1"


def of_session(session: Session) -> Iterator[bytes]:
    """Yields the document as UTF-8, one piece for each event."""
    yield chain.canonical({"format": FORMAT, **heads(session)})[:-1] + b',"events":['
    yield from events(session)
    yield b"]}"


def heads(session: Session) -> dict[str, Any]:
    """What stands beside the events: the head of the chain, and ``shown``, the one that phones show.

    Agreements are links of the chain, but they change no words on phones. Only ``shown`` therefore has words, because
    those of the chain's head would not be the ones that people photographed.
    """
    return {"head": session.head, "shown": asdict(reads.head(session))}


def events(session: Session) -> Iterator[bytes]:
    """Yields the items of a JSON array: each event's content with its ``hash``."""
    separator, previous = b"", ""
    for content, stored in chain.contents(session):
        content |= {"previous": previous, "hash": stored}
        yield separator + chain.canonical(content)
        separator, previous = b",", stored
