"""Records as sessions export them, and what can be done to one. The tests of both verifiers use the same damages."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from scoring import ledger, reads
from scoring.actions.fee import Fee
from scoring.actions.people import Join
from scoring.actions.side_bet import SideBet
from scoring.exports.record import of_session
from scoring.game.limits import MAX_AMOUNT
from scoring.ledger import chain
from scoring.models import Session
from tests.ledger.conftest import act, settle, start

Document = dict[str, Any]
Change = Callable[[Document], Any]


def evening() -> Session:
    """A closed session of eight events, with a name and a player beyond ASCII and an amount beyond 53 bits."""
    session = start("Ann Bob Žofie")
    settle(session)
    act(Fee, session, seats=[1], amount=150, note="room")
    settle(session)
    act(Join, session, name="駒子 😀", after=3)
    act(SideBet, session, payer=4, payee=2, amount=MAX_AMOUNT, note="All of it")
    act(ledger.rename_session, session, name="Freitag – 金曜日")
    act(ledger.close_session, session)
    return session


def record(session: Session) -> Document:
    """The record of a session, as it is exported."""
    session.refresh_from_db()
    found: Document = json.loads(b"".join(of_session(session)))
    return found


def club(*records: Document) -> Document:
    """The export of a club, as far as the verifiers read it."""
    return {"version": 1, "sessions": [{"name": f"Evening {n}", **each} for n, each in enumerate(records, 1)]}


def chained_again(document: Document, first: int = 1, last: int = 0) -> None:
    """Give these events new hashes, as anyone with the database can do, and the record the last one as its head."""
    events = document["events"]
    for place in range(first - 1, last or len(events)):
        events[place]["previous"] = events[place - 1]["hash"] if place else ""
        events[place]["hash"] = chain.hash_of({key: value for key, value in events[place].items() if key != "hash"})
    document["head"] = events[-1]["hash"]
    _show(document)


def _show(document: Document) -> None:
    """Let the record say that people were shown the head of its last event that is not an agreement."""
    last = [event for event in document["events"] if event["verb"] != "agree"][-1]
    document["shown"] = {"event": last["n"], "hash": last["hash"], "words": chain.words_of(last["hash"])}


def earlier(document: Document) -> Document:
    """The record as it was exported before it said what people were shown: with the words of its last event."""
    del document["shown"]
    return {**document, "words": chain.words_of(document["head"])}


# --- Damages ------------------------------------------------------------------------------------


def witnessed() -> Document:
    """The record of `evening`, to which Ann and 駒子 agreed in events 9 and 10. Every damage is done to it."""
    session = evening()
    session.refresh_from_db()
    head = session.head
    for seat in (1, 4):
        act(ledger.agree, session, seat=seat, head=head)
    return record(session)


def reopened() -> Document:
    """The record of a session that was opened again after Ann agreed to it, and to which Bob agreed then."""
    session = start("Ann Bob")
    for seat in (1, 2):
        act(ledger.close_session, session)
        act(ledger.agree, session, seat=seat, head=reads.head(session).hash)
        if seat == 1:
            act(ledger.reopen_session, session)
    return record(session)


def smuggled() -> tuple[Document, Document]:
    """`witnessed`, and the same with a bet and a void hand in its first agreement, in a chain that fits.

    The head that people were shown is the same in both, since it is that of the event before.
    """
    honest = witnessed()
    forged = copy.deepcopy(honest)
    bet, hand = forged["events"][5], forged["events"][1]
    forged["events"][8]["lines"] = [bet["lines"][0] | {"amount": 99_00, "points": 12}]
    forged["events"][8]["revisions"] = [hand["revisions"][0] | {"kind": "void"}]
    chained_again(forged, 9)
    assert forged["shown"] == honest["shown"]
    return honest, forged


AGREED = ["Ann agreed to the record as of event 2. It has changed since.", "Bob agreed to the record as of event 5."]
"""What both verifiers say of the agreements in `reopened`."""


def _event(number: int, /, **changes: Any) -> Change:
    return lambda document: document["events"][number - 1].update(changes)


def _first_line(**changes: Any) -> Change:
    return lambda document: document["events"][1]["lines"][0].update(changes)


def _card(document: Document) -> None:
    document["events"][3]["revisions"][0]["boards"][0]["back"] = "7h7d8h8cJs"


def _rebooked(document: Document) -> None:
    """Somebody changed event 4 and its hash, but not what came after it."""
    document["events"][3]["note"] = "changed"
    head = document["head"]
    chained_again(document, 4, 4)
    document["head"] = head


def _exchanged(document: Document) -> None:
    events = document["events"]
    events[4], events[5] = events[5], events[4]


def _another_head(document: Document) -> None:
    """Somebody changed event 4 and all hashes after it, but could not change to what Ann agreed."""
    document["events"][3]["note"] = "changed"
    chained_again(document, 4)


def _without_seats(document: Document) -> None:
    del document["events"][0]["action"]["seats"]
    del document["events"][8:]
    chained_again(document)


def _shown(**changes: Any) -> Change:
    return lambda document: document["shown"].update(changes)


def _changed(n: int) -> str:
    return f"Event {n} was changed: its content and its hash do not belong together."


def _unlinked(n: int) -> str:
    return f"Event {n} does not follow from what stands before it: it carries another hash."


def _misplaced(n: int) -> str:
    return f"Event {n} is not in its place: something else stands there."


def _unread(n: int) -> str:
    return f"Event {n} cannot be read: it holds something that no record holds."


def _missing(n: int) -> str:
    return f"Event {n} is missing, or the head was changed: the last hash here is not the head."


SHOWN = "The head that people were shown, as the file has it, is not that of event 8."
UNREADABLE = "The file is not the whole record of a session: it was cut off, or it is something else."

DAMAGES: dict[str, tuple[Change, str]] = {
    "points": (_first_line(points=7), _changed(2)),
    "a card": (_card, _changed(4)),
    "a time": (_event(3, at="2026-01-01T00:00:00.000000+00:00"), _changed(3)),
    "an amount by one": (_event(6, action={"payer": 4, "payee": 2, "amount": str(MAX_AMOUNT - 1)}), _changed(6)),
    "a name": (_event(7, action={"name": "Freitag", "was": ""}), _changed(7)),
    "a key more": (_event(8, more=None), _changed(8)),
    "a key less": (lambda document: document["events"][0].pop("note"), _changed(1)),
    "who agreed": (lambda document: document["events"][8]["action"].update(seat=2), _changed(9)),
    "a hash": (_event(4, hash="0" * 64), _changed(4)),
    "a hash less": (lambda document: document["events"][4].pop("hash"), _changed(5)),
    "the hash before": (_event(4, previous="0" * 64), _unlinked(4)),
    "a hash before the first": (_event(1, previous="0" * 64), _unlinked(1)),
    "an event with its hash": (_rebooked, _unlinked(5)),
    "all hashes after it": (_another_head, "Event 9 agrees to a head that this record does not have."),
    "an event less": (lambda document: document["events"].pop(4), _misplaced(5)),
    "the first event less": (lambda document: document["events"].pop(0), _misplaced(1)),
    "an event twice": (lambda document: document["events"].insert(3, document["events"][2]), _misplaced(4)),
    "two events exchanged": (_exchanged, _misplaced(5)),
    "another number": (_event(5, n=6), _misplaced(5)),
    "a number as text": (_event(5, n="5"), _misplaced(5)),
    "true for 1": (_event(1, n=True), _misplaced(1)),
    "the last events less": (lambda document: document["events"].__delitem__(slice(8, None)), _missing(9)),
    "all events less": (lambda document: document["events"].clear(), _missing(1)),
    "the head": (lambda document: document.update(head="0" * 64), _missing(11)),
    "no head": (lambda document: document.pop("head"), _missing(11)),
    "what was shown": (_shown(hash="0" * 64), SHOWN),
    "which event was shown": (_shown(event=10), SHOWN),
    "an agreement as shown": (lambda document: document["shown"].update(event=10, hash=document["head"]), SHOWN),
    "nothing shown": (lambda document: document["shown"].clear(), SHOWN),
    "a fraction": (_first_line(points=0.5), _unread(2)),
    "a number too large": (_first_line(amount=2**53), _unread(2)),
    "half a character": (_event(5, note="\ud83d"), _unread(5)),
    "half a character as a key": (_event(5, **{"\ude00": 1}), _unread(5)),
    "no event": (lambda document: document["events"].__setitem__(2, None), _unread(3)),
    "no seats": (_without_seats, UNREADABLE),
    "no events": (lambda document: document.pop("events"), UNREADABLE),
}
"""What is done to the record, and the sentence with which both verifiers must answer."""


def damaged(name: str) -> tuple[Document, str]:
    """The record with this damage, and what is to be said of it."""
    document = witnessed()
    change, sentence = DAMAGES[name]
    change(document)
    return document, sentence


def written(document: Document) -> bytes:
    return json.dumps(document).encode()


def harmless() -> dict[str, bytes]:
    """The record written in other ways, which change nothing that a hash covers."""
    document = witnessed()
    backwards = {key: document[key] for key in reversed(document)}
    text = json.dumps(backwards, ensure_ascii=False, indent=2)
    return {
        "canonical": chain.canonical(document),
        "escaped": written(document),
        "indented": text.encode(),
        "after a byte order mark": text.encode("utf-8-sig"),
        "numbers as fractions": text.replace('"n": 2,', '"n": 2.0,').replace('"n": 8,', '"n": 80e-1,').encode(),
        "exported earlier": written(earlier(witnessed())),
        "more beside the events": written({**document, **FORGED}),
    }


FORGED: Document = {
    "name": "Forged",
    "currency": "USD",
    "minor_digits": 0,
    "closed": None,
    "seats": [{"seat": 1, "name": "Mallory"}],
    "transfers": [{"payer": 1, "payee": 2, "points": 1, "amount": 1}],
    "totals": [{"player": "Ann", "money": -99999}],
}
"""What is no event, as the export of a club has it, or as anybody can add it."""

ABACUS = "abacus abacus abacus abacus abacus abacus"


def other_words() -> list[tuple[Document, str]]:
    """Records whose words are not those of the hash beside, and what the page says then; the script has no list."""
    document, old = witnessed(), earlier(witnessed())
    shown, head = document["shown"]["words"], old["words"]
    document["shown"]["words"] = old["words"] = ABACUS
    return [
        (document, f"The six words in the file are not those of event 8, which are “{shown}”."),
        (old, f"The six words in the file are not those of event 10, which are “{head}”."),
    ]


def refused() -> dict[str, tuple[bytes, str]]:
    """Files that leave open what they say, and the sentence with which both verifiers must answer."""
    text = written(witnessed())
    lone = text.replace(b'"amount": "9', b'"amount": "1", "amount": "9', 1)
    twice = "An object in the file has the same key twice. Programs differ on which of the two they take."
    none = "The file has no session to check."
    return {
        "a key twice in an event": (lone, twice),
        "a key twice, once with an escape": (lone.replace(b'"amount": "1"', b'"amoun\\u0074": "1"'), twice),
        "a key twice beside the events": (b'{"head": "", ' + text[1:], twice),
        "a key twice in a club": (b'{"sessions": [], "sessions": [' + text + b"]}", twice),
        "a club without a session": (written(club()), none),
        "a record beside no session": (b'{"sessions": [], ' + text[1:], none),
    }


def not_whole() -> dict[str, bytes]:
    """Files that are no record, and parts of one."""
    whole = chain.canonical(witnessed())
    return {
        **{f"cut off at {part}": whole[: int(len(whole) * part)] for part in (0, 0.01, 0.5, 0.99)},
        "without its last character": whole[:-1],
        "with more after it": whole + b"}",
        "not a number": whole.replace(b'"deals":1', b'"deals":NaN'),
        "not Unicode": whole.replace("駒".encode(), b"\xff"),
        "a list": b"[]",
        "a number": b"1",
        "no list of sessions": b'{"sessions": null, ' + written(witnessed())[1:],
        "nothing": b"null",
        "another document": b'{"players": []}',
    }
