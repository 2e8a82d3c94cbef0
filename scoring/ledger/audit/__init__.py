"""The ledger's invariants, each a named check that rereads the database and reports where it does not hold.

A check takes one session as a `Case` and yields a sentence for each breach; `CHECKS` lists them all. Those in
`DATABASE_CHECKS` look at the database itself and at clubs, and yield findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from scoring.ledger.audit.case import Case, Finding, unreadable
from scoring.ledger.audit.database import (
    constrained,
    guards,
    numbered_sessions,
    paid_on_tabs,
    readable_people,
    referred_to,
    whole_file,
)
from scoring.ledger.audit.deals import (
    follows,
    frozen_deals,
    numbered_deals,
    numbered_revisions,
    own_revision,
    remarked,
    replayed,
    rescored,
    scored,
    settled,
)
from scoring.ledger.audit.money import balanced, booked, frozen_totals, handed_in_chips, paid, reversed_once, summed
from scoring.ledger.audit.record import agreed, as_opened, chained, current, disputed, numbered_events, seated
from scoring.models import Session
from scoring.transactions import end_snapshot, snapshot

__all__ = ["CHECKS", "DATABASE_CHECKS", "Case", "Finding", "of_database", "of_everything", "of_session", "rescored"]

CHECKS: Final[Sequence[Callable[[Case], Iterator[str]]]] = (
    balanced,
    frozen_totals,
    scored,
    settled,
    booked,
    paid,
    handed_in_chips,
    numbered_events,
    numbered_revisions,
    reversed_once,
    own_revision,
    frozen_deals,
    numbered_deals,
    remarked,
    follows,
    replayed,
    current,
    summed,
    chained,
    as_opened,
    seated,
    disputed,
    agreed,
)
DATABASE_CHECKS: Final[Sequence[Callable[[], Iterator[Finding]]]] = (
    whole_file,
    guards,
    constrained,
    referred_to,
    numbered_sessions,
    readable_people,
    paid_on_tabs,
)


def of_session(pk: int) -> Iterator[Finding]:
    """Every breach in one session, from one snapshot of it as it is now; none if there is no such session any more.

    If corrupt rows crash a check, that is a finding, and the other checks still run.
    """
    remaining = iter(CHECKS)
    with snapshot():
        while True:
            try:
                session = Session.objects.filter(pk=pk).first()
            except Exception as error:  # noqa: BLE001 - the audit continues whatever a row contains
                yield Finding("current", f"row {pk}", unreadable(error))
                return
            if session is None:
                return
            case = Case(session)
            for check in remaining:
                try:
                    for message in check(case):
                        yield Finding(check.__name__, session.public_id, message)
                except Exception as error:  # noqa: BLE001 - as above
                    yield Finding(check.__name__, session.public_id, unreadable(error))
                    # After a failed statement PostgreSQL rejects everything until the transaction ends. The next
                    # checks read another snapshot, so they need a case that has read nothing of this one.
                    end_snapshot()
                    break
            else:
                return


def of_database() -> Iterator[Finding]:
    """Every breach that is no single session's: in the database's guards, the numbers of sessions, and clubs' tabs."""
    for check in DATABASE_CHECKS:
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001 - as above
            yield Finding(check.__name__, "", unreadable(error))


def of_everything() -> Iterator[Finding]:
    """Every breach in the database, one session after another."""
    yield from of_database()
    for pk in list(Session.objects.order_by("pk").values_list("pk", flat=True)):
        yield from of_session(pk)
