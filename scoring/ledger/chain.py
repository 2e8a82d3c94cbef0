"""The chain: each event's hash covers everything that the event wrote, and the hash of the event before it.

The content of an event is one JSON object: its own columns, the revisions with their boards and pairs, the lines, and
``previous``, the hash of the event before it (empty for the first). Seats are given by number and deals by theirs, so
that anyone with an export can check it without the database. The hash is the SHA-256 of the content as canonical JSON
(RFC 8785), in hexadecimal. The hash of the last event is the session's head. `docs/evidence.md` says what this proves.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, Final

import orjson
from django.apps import apps as current_apps
from django.db.models import Count

from scoring.ledger.store import Written
from scoring.models import Session

Content = dict[str, Any]

# `Event.link` is not among them: which browser it was is no evidence, and leaves the server in no export.
EVENT: Final = ("n", "by", "verb", "deal", "deals", "undoes", "note", "action", "before", "after")
REVISION: Final = ("n", "kind", "entry", "document", "button", "next_button", "note")
BOARD: Final = (
    "order", "front", "middle", "back", "ruling", "fantasyland_cards", "foul", "foul_reason", "rows", "royalties",
    "fantasyland_next", "points", "money", "stack_before", "stack_after", "busted",
)  # fmt: skip
PAIR: Final = ("order", "rows", "row_points", "bonus", "royalties", "points", "stake", "owed", "paid", "why")
LINE: Final = ("points", "amount", "kind", "in_play")

MODELS: Final = ("Event", "Revision", "BoardResult", "PairResult", "Transfer", "Seat")
"""What `contents` reads."""

EVENTS_AT_ONCE: Final = 200
REVISIONS_AT_ONCE: Final = 1000
"""`contents` holds no more of them, unless a single event has more."""


def canonical(content: Content) -> bytes:
    """The content as RFC 8785 has it, which is what sorted keys without white space are as long as keys are ASCII.

    Whole numbers beyond 53 bits, which few JSON readers keep exact, become text.
    """
    try:
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER)
    except TypeError:
        return orjson.dumps(exact(content), option=orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER)


def exact(value: Any) -> Any:
    """The value with each whole number beyond 53 bits as text."""
    if isinstance(value, dict):
        return {key: exact(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [exact(part) for part in value]
    return str(value) if isinstance(value, int) and abs(value) >= 2**53 else value


def hash_of(content: Content) -> str:
    """The event's hash: 64 hexadecimal digits."""
    return hashlib.sha256(canonical(content)).hexdigest()


def new_content(previous: str, rows: Written, numbers: Mapping[int, int]) -> Content:
    """The content of an event from its rows, before they are saved; ``numbers`` has seat numbers by database id."""
    of: dict[int, Content] = {}
    for revision in rows.revisions:
        of[id(revision)] = {"deal": revision.deal.number, "boards": [], "pairs": [], **_columns(revision, REVISION)}
    for board in rows.boards:
        of[id(board.revision)]["boards"].append({"seat": numbers[board.seat_id], **_columns(board, BOARD)})
    for pair in rows.pairs:
        between = {"first": numbers[pair.first_id], "second": numbers[pair.second_id]}
        of[id(pair.revision)]["pairs"].append({**between, **_columns(pair, PAIR)})
    lines = [
        {
            "deal": line.deal_number,
            "payer": numbers[line.payer_id],
            "payee": numbers[line.payee_id],
            "reverses": line.reverses_n,
            **_columns(line, LINE),
        }
        for line in rows.lines
    ]
    about = {**_columns(rows.event, EVENT), "at": rows.event.at, "chained": rows.event.chained}
    return {"previous": previous, **_content(about, list(of.values()), lines)}


def _columns(row: Any, names: Sequence[str]) -> Content:
    return {name: getattr(row, name) for name in names}


def _content(event: Content, revisions: list[Content], lines: list[Content]) -> Content:
    """The content without ``previous``; the ``event`` has its columns as the model has them."""
    at: datetime = event["at"]
    content = {
        **event,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "revisions": sorted(revisions, key=lambda revision: revision["deal"]),
        # Rows have no order of their own, and nothing tells a line from its equals.
        "lines": sorted(lines, key=canonical),
    }
    if content["chained"] is None:
        del content["chained"]
    return content


def contents(session: Session, apps: Any = current_apps) -> Iterator[tuple[Content, str]]:
    """The content of each event of a session as its rows are now, without ``previous``, and the hash that it carries.

    Reads so few events at once that a long session need not fit into memory. ``apps`` is the registry whose models are
    used, in a migration that of its time. A seat of another session has no number here, but None. Raises `ValueError`
    at an event whose number is none, which SQLite stores, too.
    """
    event, revision, board, pair, line, seat = (apps.get_model("scoring", name) for name in MODELS)
    numbers = dict(seat.objects.filter(session_id=session.pk).values_list("pk", "number"))
    after = -1
    while True:
        later = event.objects.filter(session_id=session.pk, n__gt=after).order_by("n")
        fetched = list(later.values("pk", "at", "chained", "hash", *EVENT)[:EVENTS_AT_ONCE])
        events = list(takewhile(lambda each: isinstance(each["n"], int), fetched))
        if not events:
            if fetched:
                raise ValueError(f"an event has the number {fetched[0]['n']!r}")
            return
        of_events = {"event__session_id": session.pk, "event__n__gt": after, "event__n__lte": events[-1]["n"]}
        sizes = dict(revision.objects.filter(**of_events).order_by().values_list("event_id").annotate(Count("pk")))
        so_far = list(accumulate(sizes.get(each["pk"], 0) for each in events))
        events = events[: max(bisect_right(so_far, REVISIONS_AT_ONCE), 1)]
        of_events["event__n__lte"] = events[-1]["n"]
        of_revisions = {f"revision__{name}": value for name, value in of_events.items()}
        after = events[-1]["n"]
        revisions: dict[int, Content] = {}
        by_event: dict[int, list[Content]] = defaultdict(list)
        for each in revision.objects.filter(**of_events).values("pk", "event_id", "deal__number", *REVISION):
            found = {"deal": each.pop("deal__number"), "boards": [], "pairs": []}
            revisions[each.pop("pk")] = found
            by_event[each.pop("event_id")].append(found)
            found.update(each)
        for each in board.objects.filter(**of_revisions).order_by("order").values("revision_id", "seat_id", *BOARD):
            found = revisions[each.pop("revision_id")]
            found["boards"].append({"seat": numbers.get(each.pop("seat_id")), **each})
        columns = ("revision_id", "first_id", "second_id", *PAIR)
        for each in pair.objects.filter(**of_revisions).order_by("order").values(*columns):
            found = revisions[each.pop("revision_id")]
            between = {"first": numbers.get(each.pop("first_id")), "second": numbers.get(each.pop("second_id"))}
            found["pairs"].append({**between, **each})
        lines: dict[int, list[Content]] = defaultdict(list)
        sides = ("event_id", "deal_number", "payer_id", "payee_id", "reverses__event__n", *LINE)
        for each in line.objects.filter(**of_events).values(*sides):
            lines[each.pop("event_id")].append(
                {
                    "deal": each.pop("deal_number"),
                    "payer": numbers.get(each.pop("payer_id")),
                    "payee": numbers.get(each.pop("payee_id")),
                    "reverses": each.pop("reverses__event__n"),
                    **each,
                }
            )
        for each in events:
            pk, stored = each.pop("pk"), each.pop("hash")
            yield _content(each, by_event[pk], lines[pk]), stored


def linked(session: Session, apps: Any = current_apps) -> Iterator[tuple[Content, str, str]]:
    """Each event's content with the hash that the event before it carries, its own stored hash, and what it should be.

    A broken link therefore shows at one event only, and the rest of the chain is judged by what is stored.
    """
    previous = ""
    for content, stored in contents(session, apps):
        content["previous"] = previous
        yield content, stored, hash_of(content)
        previous = stored


@cache
def words() -> tuple[str, ...]:
    """The 7,776 words of the EFF's long list (Creative Commons Attribution 3.0 US), which are easy to tell apart."""
    return tuple((Path(__file__).parent / "words.txt").read_text().split())


def words_of(hash_: str) -> str:
    """A hash as six words, the form in which people compare heads: its last six digits in base 7,776."""
    number, digits = int(hash_, 16), []
    for _ in range(6):
        number, digit = divmod(number, len(words()))
        digits.append(words()[digit])
    return " ".join(digits)
