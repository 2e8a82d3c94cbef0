"""What the audit promises of the database itself, and of clubs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db import connection

from scoring.game.limits import BANK, HOUSE
from scoring.game.text import fold
from scoring.ledger import append_only, line_sums, schema, triggers
from scoring.ledger.audit.case import Finding, listed, unreadable, without_gaps
from scoring.models import Club, Merged, Player, Session, TabPayment
from scoring.transactions import end_snapshot, snapshot


def guards() -> Iterator[Finding]:
    """The database refuses to change or delete a row of the append-only tables, and sums the lines."""
    expected = append_only.expected(connection) | line_sums.expected(connection)
    for (table, name), trouble in triggers.wrong(connection, expected).items():
        yield Finding("guards", "", f"the trigger {name} of {table} {trouble}")
    for table, name in triggers.rules(connection):
        yield Finding("guards", "", f"the rule {name} of {table} is not one of the ledger's")
    if append_only.is_erasing(connection):
        yield Finding("guards", "", "the database lets rows of the ledger be deleted")


def whole_file() -> Iterator[Finding]:
    """SQLite finds its file whole. PostgreSQL has tools of its own for that."""
    with snapshot():
        for message in triggers.damages(connection):
            yield Finding("whole_file", "", message)


def constrained() -> Iterator[Finding]:
    """The database refuses what the app's tables are made to refuse."""
    for table, name in schema.unconstrained(connection):
        yield Finding("constrained", "", f"the constraint {name} of {table} is missing")


def referred_to() -> Iterator[Finding]:
    """What a row refers to is there. A page that needs it would fail, and no session says what it was."""
    with snapshot():
        for table, pk, column in schema.dangling():
            yield Finding("referred_to", "", f"row {pk} of {table}: its {column} leads to nothing")


def numbered_sessions() -> Iterator[Finding]:
    """The sessions of each club are numbered without gaps, except for those that were dropped as idle."""
    with snapshot():
        numbers: dict[int, list[int]] = defaultdict(list)
        for pk, number in Session.objects.order_by("number").values_list("club_id", "number"):
            numbers[pk].append(number)
        for club in Club.objects.order_by("pk"):
            found = sorted([*numbers[club.pk], *club.dropped])
            if not without_gaps(found, club.started):
                message = f"sessions are numbered {listed(found)}, the club has started {club.started}"
                yield Finding("numbered_sessions", club.public_id, message)


def readable_people() -> Iterator[Finding]:
    """Everybody in a club's list can be read, and is found under their name. Nothing in the ledger depends on it, but
    every page of the club does.
    """
    with snapshot():
        for club in Club.objects.order_by("pk"):
            try:
                for player in Player.objects.filter(club=club).order_by("pk"):
                    if player.folded != fold(player.name):
                        message = f"{player.name} is kept under the name {player.folded}"
                        yield Finding("readable_people", club.public_id, message)
            except Exception as error:  # noqa: BLE001 - the other clubs are still to be looked at
                yield Finding("readable_people", club.public_id, unreadable(error))
                end_snapshot()


def paid_on_tabs() -> Iterator[Finding]:
    """The payments of each club's tab are numbered without gaps, between its people, and taken back as made."""
    with snapshot():
        for club in Club.objects.filter(tab_payments__isnull=False).distinct().order_by("pk"):
            people = {
                BANK,
                HOUSE,
                *Player.objects.filter(club=club).values_list("pk", flat=True),
                *Merged.objects.filter(club=club).values_list("gone", flat=True),
            }
            rows = {row.n: row for row in TabPayment.objects.filter(club=club).order_by("n")}
            if not without_gaps(list(rows), len(rows)):
                yield Finding("paid_on_tabs", club.public_id, f"payments of the tab are numbered {listed(rows)}")
            for row in rows.values():
                if type(row.amount) is not int or row.amount <= 0:
                    yield Finding("paid_on_tabs", club.public_id, f"payment {row.n}: its amount is none")
                if not {row.payer, row.payee} <= people:
                    yield Finding("paid_on_tabs", club.public_id, f"payment {row.n}: it is not between its people")
                if row.undoes is not None and not _takes_back(row, rows.get(row.undoes)):
                    message = f"payment {row.n}: it does not pay back what payment {row.undoes} paid"
                    yield Finding("paid_on_tabs", club.public_id, message)


def _takes_back(row: TabPayment, paid: TabPayment | None) -> bool:
    return (
        paid is not None
        and paid.undoes is None
        and (
            (row.payer, row.payee, row.amount, row.currency, row.minor_digits)
            == (paid.payee, paid.payer, paid.amount, paid.currency, paid.minor_digits)
        )
    )
