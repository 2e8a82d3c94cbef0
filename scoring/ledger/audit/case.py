"""What the checks of the ledger look at, and what they find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.actions.start import Start
from scoring.game.errors import LedgerError
from scoring.game.lines import Line, LineKind
from scoring.game.table import Table
from scoring.ledger.load import Stored, deals_of, numbers_of, seats_of
from scoring.ledger.replay import Step, advance, script
from scoring.models import Event, Revision, Seat, Session, Transfer
from scoring.rules.errors import RulesError


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: the check's name, the public id of the session or club (empty for the database), and a sentence."""

    check: str
    session: str
    message: str

    def __str__(self) -> str:
        """In one line, whatever stands in the rows."""
        said = f"{self.check}: {self.session + ': ' if self.session else ''}{self.message}"
        return "".join(sign if sign.isprintable() else "?" for sign in said)


class Case:
    """Everything about one session; each part is read once, when the first check needs it."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def seats(self) -> list[Seat]:
        """Every seat."""
        return seats_of(self.session)

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """Seat number by database id, of this session's seats only."""
        return numbers_of(self.seats)

    @cached_property
    def deals(self) -> dict[int, Stored]:
        """Every deal as it stands, by number, with boards and pairs."""
        return deals_of(self.session, self.numbers, pairs=True)

    @cached_property
    def revisions(self) -> list[Revision]:
        """Every revision of every deal, in order."""
        found = Revision.objects.filter(deal__session=self.session).select_related("deal", "event")
        return list(found.order_by("deal__number", "n"))

    @cached_property
    def events(self) -> list[Event]:
        """Every event, in order."""
        return list(Event.objects.filter(session=self.session).order_by("n"))

    @cached_property
    def opened(self) -> Start:
        """What the first event says of the session; where it is of an earlier release, what its chaining says."""
        start = Start.read(self.events[0].action)
        said = self.events[0].chained
        return replace(start, **{part: said[part] for part in Start.decided}) if said and not start.session else start

    @cached_property
    def transfers(self) -> list[Transfer]:
        """Every ledger row, in the order in which they were booked."""
        return list(Transfer.objects.filter(session=self.session).order_by("pk"))

    @cached_property
    def played(self) -> tuple[list[tuple[Step, Table]], Table | None, str]:
        """Each step of the script with the table before it, the final table, and why the script breaks off.

        If the script breaks off, the final table is None; if it does not, the reason is empty.
        """
        steps: list[tuple[Step, Table]] = []
        try:
            found = script(self.session, self.deals)
            table = Start.read(next(found).event.action).table()
            for step in found:
                steps.append((step, table))
                table = advance(table, step)
        except (LedgerError, RulesError, LookupError, StopIteration, TypeError, ValueError) as error:
            return steps, None, str(error) or type(error).__name__
        return steps, table, ""

    def line(self, transfer: Transfer) -> Line | None:
        """The transfer as a line between seat numbers, None if either side is not a seat of this session."""
        payer, payee = self.numbers.get(transfer.payer_id), self.numbers.get(transfer.payee_id)
        if payer is None or payee is None:
            return None
        return Line(payer, payee, transfer.points, transfer.amount, LineKind(transfer.kind), transfer.in_play)


def without_gaps(numbers: Sequence[int], last: int) -> bool:
    """Whether these are the numbers from 1 to ``last``, which somebody may have set to a billion."""
    return len(numbers) == last and all(number == place for place, number in enumerate(numbers, 1))


def listed(numbers: Iterable[int | None]) -> str:
    """Numbers with runs shortened: 1-4, 6."""
    runs: list[list[int | None]] = []
    for number in numbers:
        if runs and runs[-1][-1] is not None and number is not None and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs) or "none"


def unreadable(error: Exception) -> str:
    return f"this cannot be checked, {type(error).__name__}: {error}"
