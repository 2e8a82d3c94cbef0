"""Who pays whom at the end of an evening, in the two ways to read it, each payment with the sums that make it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from scoring import reads
from scoring.game.balances import Balance
from scoring.game.lines import LineKind
from scoring.game.payments import Payment, coins
from scoring.ledger import Way
from scoring.ledger.payments import Made
from scoring.models import Session
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.wording.actions import lines_said
from scoring.wording.figures import apart, in_order, joined, listed, money, sentences, signed_money, time_of_day
from scoring.wording.names import link_said, name_said, name_within
from scoring.wording.notes import note_said
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
    proven = _("Fewer payments would not do.") if found.proven else _("Fewer payments might do.")
    if found.proven and found.rest:
        proven = _("With amounts rounded so, fewer payments would not do.")
    moved = [f"{shown.name(seat)} {signed_money(by, digits)}" for seat, by in sorted(found.moved.items())]
    return SettleUp(
        fewest=fewest,
        pairs=[
            shown.payment(each.payment, None if found.promised else Way.PAIRS, parts=each.parts, rounding=each.rounding)
            for each in found.pairs
        ],
        paid=[shown.paid(each) for each in found.made if not each.undone],
        promised=found.promised,
        proven=_("This is what is left of the payments that were open when the first was made.")
        if found.promised
        else proven,
        moved=_("What is owed changed after payments had begun: {results}. What was paid counts.").format(
            results=listed(moved)
        )
        if moved
        else "",
        rounding=shown.rounding(still=bool(found.open)),
        coins=[
            (coin, money(coin, digits) if coin else _("Not rounded"), coin == session.coin)
            for coin in (0, *coins(digits))
        ]
        if session.closed_at and session.on_tab and not found.promised
        else [],
        fees=any(balance.fees for balance in state.balances.values()),
        handing_in=found.handing_in,
        text=_text(fewest, session, whole_coins=not any(each.amount % (session.rounds_to or 1) for each in found.open)),
    )


def _text(fewest: Sequence[PaymentShown], session: Session, *, whole_coins: bool) -> str:
    """The message. It names the coin only if all payments are of ``whole_coins``, as a rest need not be."""
    lines = [payment_said(each, session.currency) for each in fewest]
    heading = (
        _("{session}, who pays whom, rounded to {amount}:")
        if session.rounds_to and whole_coins
        else _("{session}, who pays whom:")
    )
    amount = money(session.rounds_to, session.minor_digits)
    return shortened_list(heading.format(session=title(session), amount=amount), lines)


def payment_said(payment: PaymentShown, currency: str) -> str:
    """Like "Ben pays Anna 12.00 EUR"."""
    return _("{payer} pays {payee} {amount}").format(
        payer=apart(payment.payer), payee=apart(payment.payee), amount=f"{payment.amount} {currency}"
    )


def more_payments(left_out: int) -> str:
    """The last line of a message from which so many are left out."""
    return ngettext("… and {count} more payment", "… and {count} more payments", left_out).format(count=left_out)


def shortened_list(heading: str, lines: Sequence[str], *, newest: bool = False) -> str:
    """A message of at most `LINES` lines. What is left out is counted; with ``newest`` it is the first lines."""
    room = LINES - 1  # the first line is the heading
    shown = list(lines)
    if len(shown) > room:
        left_out = len(shown) - room + 1
        if newest:
            shown[:left_out] = [ngettext("… {count} earlier", "… {count} earlier", left_out).format(count=left_out)]
        else:
            shown[room - 1 :] = [more_payments(left_out)]
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
                *((lines_said(kind), self._money(amount)) for kind, amount in (parts or {}).items()),
                *([(_("Rounding"), self._money(rounding))] if rounding else []),
            ],
            why=why or [],
            url=f"{reverse('pay', args=[self.session.public_id])}?{asked}" if way and may else "",
        )

    def paid(self, made: Made) -> PaidShown:
        """A payment that was made."""
        return PaidShown(
            *self._what(made.payment),
            seats=(made.payment.payer, made.payment.payee),
            how=note_said(made.note),
            by=link_said(made.by),
            at=time_of_day(made.at),
            url=reverse("undo-payment", args=[self.session.public_id, made.n]),
        )

    def _what(self, payment: Payment) -> tuple[str, str, str]:
        return self.name(payment.payer), self._within(payment.payee), self._money(payment.amount)

    def name(self, seat: int) -> str:
        """The name of a seat, or of the ledger's own account."""
        return apart(name_said(self.state.seats[seat].name))

    def _within(self, seat: int) -> str:
        """The same, but not at the beginning of a sentence."""
        return apart(name_within(self.state.seats[seat].name))

    def _money(self, amount: int) -> str:
        return money(amount, self.session.minor_digits)

    def rounding(self, *, still: bool) -> str:
        """To what coin payments are rounded, and who owes what that leaves, if they are; ``still`` if one is open."""
        coin = self.session.rounds_to
        if not coin:
            return ""
        rounded = _("Rounded to {amount}.").format(amount=f"{self._money(coin)} {self.session.currency}")
        if not self.rest:
            return rounded
        left = (
            _("Once all is paid, what that leaves is on the club’s tab: {rest}.")
            if still
            else _("What that left is on the club’s tab: {rest}.")
        )
        rest = [
            (_("{player} is owed {amount}") if self.rest[seat] > 0 else _("{player} owes {amount}")).format(
                player=self.name(seat), amount=self._money(abs(self.rest[seat]))
            )
            for seat in sorted(self.rest)
        ]
        return sentences(rounded, left.format(rest=listed(rest)))

    def whys(self, payment: Payment, plan: Sequence[Payment]) -> list[str]:
        """How the results of both and everything that they pay and get add up."""
        return [self._adds_up(seat, plan) for seat in (payment.payer, payment.payee) if seat > 0]

    def _adds_up(self, seat: int, plan: Sequence[Payment]) -> str:
        """Like "Ben lost 34.00, owes 2.00 in fees, and pays Anna 20.00 and Carla 16.00."."""
        of = self.of[seat]
        pays = [
            _("{payee} {amount}").format(payee=self._within(each.payee), amount=self._money(each.amount))
            for each in plan
            if each.payer == seat
        ]
        gets = [
            _("{amount} from {payer}").format(amount=self._money(each.amount), payer=self._within(each.payer))
            for each in plan
            if each.payee == seat
        ]
        between = joined(self._before(of))
        sign = (of.money > 0) - (of.money < 0)
        said = adding_up(sign, between=bool(between), pays=bool(pays), gets=bool(gets)).format(
            player=self.name(seat),
            amount=self._money(abs(of.money)),
            facts=between,
            payments=listed(pays),
            receipts=listed(gets),
        )
        rest = self.rest.get(seat)
        if not rest:
            return in_order(said)
        then = (
            _("{player} is then owed {amount} on the tab.")
            if rest > 0
            else _("{player} then owes {amount} on the tab.")
        )
        return in_order(sentences(said, then.format(player=self.name(seat), amount=self._money(abs(rest)))))

    def _before(self, of: Balance) -> Iterator[str]:
        """What else counts for somebody than their result, each as what they did."""
        if of.fees:
            yield _("owes {amount} in fees").format(amount=self._money(of.fees))
        if of.paid:
            said = _("has paid {amount}") if of.paid > 0 else _("was paid {amount}")
            yield said.format(amount=self._money(abs(of.paid)))
        if of.cash:
            said = _("paid {amount} net for chips") if of.cash > 0 else _("got {amount} net for chips")
            yield said.format(amount=self._money(abs(of.cash)))


def adding_up(sign: int, *, between: bool, pays: bool, gets: bool) -> str:
    """The sentence on somebody who won, lost or came out even, which is the ``sign`` of their result."""
    return {
        (1, False, True, False): _("{player} won {amount} and pays {payments}."),
        (1, False, False, True): _("{player} won {amount} and gets {receipts}."),
        (1, False, True, True): _("{player} won {amount} and pays {payments} and gets {receipts}."),
        (-1, False, True, False): _("{player} lost {amount} and pays {payments}."),
        (-1, False, False, True): _("{player} lost {amount} and gets {receipts}."),
        (-1, False, True, True): _("{player} lost {amount} and pays {payments} and gets {receipts}."),
        (0, False, True, False): _("{player} came out even and pays {payments}."),
        (0, False, False, True): _("{player} came out even and gets {receipts}."),
        (0, False, True, True): _("{player} came out even and pays {payments} and gets {receipts}."),
        (1, True, True, False): _("{player} won {amount}, {facts}, and pays {payments}."),
        (1, True, False, True): _("{player} won {amount}, {facts}, and gets {receipts}."),
        (1, True, True, True): _("{player} won {amount}, {facts}, and pays {payments} and gets {receipts}."),
        (-1, True, True, False): _("{player} lost {amount}, {facts}, and pays {payments}."),
        (-1, True, False, True): _("{player} lost {amount}, {facts}, and gets {receipts}."),
        (-1, True, True, True): _("{player} lost {amount}, {facts}, and pays {payments} and gets {receipts}."),
        (0, True, True, False): _("{player} came out even, {facts}, and pays {payments}."),
        (0, True, False, True): _("{player} came out even, {facts}, and gets {receipts}."),
        (0, True, True, True): _("{player} came out even, {facts}, and pays {payments} and gets {receipts}."),
    }[sign, between, pays, gets]
