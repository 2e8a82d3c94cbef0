"""Who pays whom at the end of an evening, in the two ways to read it, each payment with the sums that make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from scoring import reads
from scoring.game.balances import Balance
from scoring.game.lines import LineKind
from scoring.game.payments import Payment, coins
from scoring.ledger import Way
from scoring.ledger.payments import Made
from scoring.models import Session
from scoring.wording.actions import SUM_LABELS
from scoring.wording.figures import apart, listed, money, signed_money
from scoring.wording.session import title

LINES = 10
"""The most lines of a message that people read to its end."""


@dataclass(frozen=True, slots=True)
class PaymentShown:
    """One payment to be made, by name; ``amount`` is formatted, and ``seats`` has both numbers.

    ``sums`` are (what, amount) and ``why`` sentences; one of them is empty. ``url`` leads to where it is recorded as
    paid; it is empty if it is only to be read.
    """

    payer: str
    payee: str
    amount: str
    seats: tuple[int, int]
    sums: list[tuple[str, str]]
    why: list[str]
    url: str


@dataclass(frozen=True, slots=True)
class PaidShown:
    """One payment that was made: ``how`` is its note, ``at`` the time of day. ``url`` leads to its Undo."""

    payer: str
    payee: str
    amount: str
    seats: tuple[int, int]
    how: str
    by: str
    at: str
    url: str


@dataclass(frozen=True, slots=True)
class SettleUp:
    """The payments of a session in both ways, and ``proven``, a sentence on them.

    ``fewest`` are the fewest payments or, if ``promised``, what is left of those on which people agreed when the first
    was paid. ``moved`` says whose result has changed since then, if any. ``rounding`` says to what coin they are
    rounded, and who owes what that leaves, if they are. ``coins`` are (minor units, label, whether chosen) for the
    choice of a coin, empty unless it can be made now. ``text`` has them for a group's chat, `LINES` lines at most.
    With ``handing_in`` the bank still pays for chips, which are left out.
    """

    fewest: list[PaymentShown]
    pairs: list[PaymentShown]
    paid: list[PaidShown]
    promised: bool
    proven: str
    moved: str
    rounding: str
    coins: list[tuple[int, str, bool]]
    fees: bool
    handing_in: bool
    text: str


def settle_up(session: Session, state: reads.State) -> SettleUp:
    """Everything that ``shared/_payments.html`` shows."""
    found, digits = reads.open_payments(session), session.minor_digits
    shown = _Shown(session, state, found.of, found.rest)
    fewest = [shown.payment(each, Way.FEWEST, why=shown.whys(each, found.open)) for each in found.open]
    proven = "Fewer payments would not do." if found.proven else "Fewer payments might do."
    if found.proven and found.rest:
        proven = "With amounts rounded so, fewer payments would not do."
    moved = [f"{state.seats[seat].name} {signed_money(by, digits)}" for seat, by in sorted(found.moved.items())]
    return SettleUp(
        fewest=fewest,
        pairs=[
            shown.payment(each.payment, None if found.promised else Way.PAIRS, parts=each.parts, rounding=each.rounding)
            for each in found.pairs
        ],
        paid=[shown.paid(each) for each in found.made if not each.undone],
        promised=found.promised,
        proven="This is what is left of the payments that were open when the first was made."
        if found.promised
        else proven,
        moved=f"What is owed changed after payments had begun: {listed(moved)}. What was paid counts." if moved else "",
        rounding=shown.rounding(still=bool(found.open)),
        coins=[
            (coin, money(coin, digits) if coin else "Not rounded", coin == session.coin) for coin in (0, *coins(digits))
        ]
        if session.closed_at and session.on_tab and not found.promised
        else [],
        fees=any(balance.fees for balance in state.balances.values()),
        handing_in=found.handing_in,
        text=_text(fewest, session),
    )


def _text(fewest: Sequence[PaymentShown], session: Session) -> str:
    lines = [f"{apart(each.payer)} pays {apart(each.payee)} {each.amount} {session.currency}" for each in fewest]
    rounded = f", rounded to {money(session.rounds_to, session.minor_digits)}" if session.rounds_to else ""
    return shortened_list(f"{title(session)}, who pays whom{rounded}:", lines)


def shortened_list(heading: str, lines: Sequence[str], *, newest: bool = False) -> str:
    """A message of at most `LINES` lines. What is left out is counted; with ``newest`` it is the first lines."""
    room = LINES - 1  # the first line is the heading
    shown = list(lines)
    if len(shown) > room:
        left_out = len(shown) - room + 1
        if newest:
            shown[:left_out] = [f"… {left_out} earlier"]
        else:
            shown[room - 1 :] = [f"… and {left_out} more payments"]
    return "\n".join([heading, *shown])


@dataclass(frozen=True, slots=True)
class _Shown:
    """Names the seats and amounts of one session."""

    session: Session
    state: reads.State
    of: Mapping[int, Balance]
    rest: Mapping[int, int]

    def payment(
        self,
        payment: Payment,
        way: Way | None,
        *,
        parts: Mapping[LineKind, int] | None = None,
        rounding: int = 0,
        why: list[str] | None = None,
    ) -> PaymentShown:
        """A payment to be made. Without a ``way`` it is only to be read."""
        seats = payment.payer, payment.payee
        may = self.session.closed_at is not None or any(
            seat > 0 and self.state.table.chair(seat) is None for seat in seats
        )
        asked = urlencode({"payer": payment.payer, "payee": payment.payee, "way": way or ""})
        return PaymentShown(
            *self._what(payment),
            seats=seats,
            sums=[
                *((SUM_LABELS[kind], self._money(amount)) for kind, amount in (parts or {}).items()),
                *([("Rounding", self._money(rounding))] if rounding else []),
            ],
            why=why or [],
            url=f"{reverse('pay', args=[self.session.public_id])}?{asked}" if way and may else "",
        )

    def paid(self, made: Made) -> PaidShown:
        """A payment that was made."""
        return PaidShown(
            *self._what(made.payment),
            seats=(made.payment.payer, made.payment.payee),
            how=made.note,
            by=made.by,
            at=f"{timezone.localtime(made.at):%H:%M}",
            url=reverse("undo-payment", args=[self.session.public_id, made.n]),
        )

    def _what(self, payment: Payment) -> tuple[str, str, str]:
        seats = self.state.seats
        return seats[payment.payer].name, seats[payment.payee].name, self._money(payment.amount)

    def _money(self, amount: int) -> str:
        return money(amount, self.session.minor_digits)

    def rounding(self, *, still: bool) -> str:
        """To what coin payments are rounded, and who owes what that leaves, if they are; ``still`` if one is open."""
        coin = self.session.rounds_to
        if not coin:
            return ""
        rest = [f"{self.state.seats[seat].name} {self._on_the_tab(seat)}" for seat in sorted(self.rest)]
        then = (
            "Once all is paid, what that leaves is on the club’s tab"
            if still
            else "What that left is on the club’s tab"
        )
        left = f" {then}: {listed(rest)}." if rest else ""
        return f"Rounded to {self._money(coin)} {self.session.currency}.{left}"

    def _on_the_tab(self, seat: int, then: str = "") -> str:
        rest = self.rest[seat]
        return f"{f'is {then}owed' if rest > 0 else f'{then}owes'} {self._money(abs(rest))}"

    def whys(self, payment: Payment, plan: Sequence[Payment]) -> list[str]:
        """How the results of both and everything that they pay and get add up."""
        return [self._adds_up(seat, plan) for seat in (payment.payer, payment.payee) if seat > 0]

    def _adds_up(self, seat: int, plan: Sequence[Payment]) -> str:
        """Like "Ben lost 34.00, owes 2.00 in fees, and pays Anna 20.00 and Carla 16.00."."""
        of, names = self.of[seat], self.state.seats
        pays = [f"{names[each.payee].name} {self._money(each.amount)}" for each in plan if each.payer == seat]
        gets = [f"{self._money(each.amount)} from {names[each.payer].name}" for each in plan if each.payee == seat]
        moves = [f"{verb} {listed(those)}" for verb, those in (("pays", pays), ("gets", gets)) if those]
        won = "came out even"
        if of.money:
            won = f"{'won' if of.money > 0 else 'lost'} {self._money(abs(of.money))}"
        before = [f"owes {self._money(of.fees)} in fees"] if of.fees else []
        if of.paid:
            before.append(f"{'has paid' if of.paid > 0 else 'was paid'} {self._money(abs(of.paid))}")
        if of.cash:
            before.append(f"{'paid' if of.cash > 0 else 'got'} {self._money(abs(of.cash))} net for chips")
        between = f", {', '.join(before)}," if before else ""
        rest = self.rest.get(seat)
        then = f" {names[seat].name} {self._on_the_tab(seat, 'then ')} on the tab." if rest else ""
        return f"{names[seat].name} {won}{between} and {' and '.join(moves)}.{then}"
