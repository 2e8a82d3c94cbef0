"""The words for each action and each kind of line: in the history, on Undo, in the ledger and on the other phones.

None of these words are stored. The history describes an event from its action, so old events follow today's wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise

from scoring.actions import ACTIONS
from scoring.actions.agreement import Agree
from scoring.actions.chips import BuyIn, BuyInAll, CashOut
from scoring.actions.deals import Correct, Restore, Settle, Void
from scoring.actions.disputes import RaiseDispute, ResolveDispute
from scoring.actions.evening import ChooseTab, Close, Rename, Reopen
from scoring.actions.fee import Fee
from scoring.actions.payment import Pay, UndoPayment
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join, Leave, SitIn, SitOut, Swap
from scoring.actions.set_next import SetNext
from scoring.actions.side_bet import SideBet
from scoring.actions.start import Start
from scoring.actions.terms import ChangeTerms
from scoring.actions.undo import Undo
from scoring.game.lines import LineKind
from scoring.ledger.chain import words_of
from scoring.models import Event, Session
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, ngettext, pgettext, pgettext_lazy
from scoring.wording.figures import apart, in_order, joined, listed, money, sentences
from scoring.wording.names import name_said, name_within
from scoring.wording.session import played


@dataclass(frozen=True, slots=True)
class Speaker:
    """Names one session's seats and amounts. ``names`` holds every player who ever sat there, by seat number.

    ``for_cash`` is whether any chips were paid for on the spot: then it is said of the others that they are on credit.
    """

    names: Mapping[int, str]
    digits: int
    currency: str
    for_cash: bool = False

    @classmethod
    def of(cls, session: Session, names: Mapping[int, str], *, for_cash: bool = False) -> Speaker:
        """Make the speaker of this session."""
        return cls(names, session.minor_digits, session.currency, for_cash)

    def name(self, seat: int) -> str:
        """The name of a seat's player."""
        name = self.names.get(seat)
        return apart(name_said(name)) if name else _("Seat {number}").format(number=seat)

    def within(self, seat: int) -> str:
        """The same, but not at the beginning of a sentence."""
        return apart(name_within(self.names[seat])) if self.names.get(seat) else self.name(seat)

    def listed(self, seats: Any) -> str:
        """The names of several seats' players, as a list in a sentence."""
        return listed([self.name(seat) for seat in seats])

    def money(self, minor: int) -> str:
        """An amount of minor units with its currency; ``nothing`` for 0."""
        return f"{money(minor, self.digits)} {self.currency}" if minor else pgettext("amount", "nothing")


@dataclass(frozen=True, slots=True)
class Words:
    """The words for one action. ``{deal}`` stands for the deal's number, ``{who}`` for the player it concerns."""

    done: Promise
    """The heading in the history."""
    undoing: Promise | str = ""
    """What the Undo button says; every action that can be undone needs it."""
    sentence: Callable[[Any, Speaker], str] | None = None
    """Makes the history's sentence from the action; every action that changes the table needs it."""
    undone: Promise | str = ""
    """The sentence of the Undo event that takes it back, with ``{number}``; all that can be undone need it."""
    own_news: Promise | str = ""
    """What a scorer reads who has just sent what happened to the deal; empty if the action changed the table."""
    news: Promise | str = ""
    """What happened to the deal, for a scorer typing on another phone; empty if the action changed the table."""


@dataclass(frozen=True, slots=True)
class LineWords:
    """The words for one kind of line."""

    code: Promise
    """The kind, as the workbook's column of kinds has it."""
    recorded: Promise
    """The name of a line."""
    undone: Promise
    """The name of a line that takes one back."""
    together: Promise | str = ""
    """The name of all lines of the kind between two, where they are settled up; the bank's lines never are."""


def _part_by_part(action: Any, speaker: Speaker) -> str:
    """Return an empty sentence, because the history lists each changed part of the table under the heading."""
    return ""


# --- Sentences --------------------------------------------------------------------------------------------


def _start(start: Start, speaker: Speaker) -> str:
    stakes = [
        _("{amount} a point").format(amount=speaker.money(start.stake)) if start.stake else _("nothing a point"),
        *(
            _("{amount} between {players}").format(amount=speaker.money(stake), players=speaker.listed([one, other]))
            for one, other, stake in start.pair_stakes
        ),
    ]
    return _("{players}, {stakes}, {rules}.").format(
        players=listed([name for _seat, name in start.seats]), stakes=joined(stakes), rules=played(start.rules)
    )


def _penalty(penalty: Penalty, speaker: Speaker) -> str:
    """To several players the points go to each, so that nobody takes them for the sum."""
    payees = penalty.to or ()
    each = len(payees) > 1
    if penalty.away and each:
        said = ngettext(
            "{payer}, {points} point to each of {payees}, outside the chips, because {away} had left.",
            "{payer}, {points} points to each of {payees}, outside the chips, because {away} had left.",
            penalty.points,
        )
    elif penalty.away:
        said = ngettext(
            "{payer}, {points} point to {payees}, outside the chips, because {away} had left.",
            "{payer}, {points} points to {payees}, outside the chips, because {away} had left.",
            penalty.points,
        )
    elif each:
        said = ngettext(
            "{payer}, {points} point to each of {payees}.",
            "{payer}, {points} points to each of {payees}.",
            penalty.points,
        )
    else:
        said = ngettext("{payer}, {points} point to {payees}.", "{payer}, {points} points to {payees}.", penalty.points)
    return said.format(
        payer=speaker.name(penalty.seat),
        points=penalty.points,
        payees=speaker.listed(payees),
        away=speaker.listed(penalty.away),
    )


def _side_bet(bet: SideBet, speaker: Speaker) -> str:
    said = _("{payer} pays {payee} {amount}.")
    if bet.away:
        said = _("{payer} pays {payee} {amount}, outside the chips, because {away} had left.")
    return said.format(
        payer=speaker.name(bet.payer),
        payee=speaker.name(bet.payee),
        amount=speaker.money(bet.amount),
        away=speaker.listed(bet.away),
    )


def _fee(fee: Fee, speaker: Speaker) -> str:
    """From several players the amount comes from each, so that nobody takes it for the sum."""
    payers = fee.seats or ()
    each = len(payers) > 1
    if fee.away and each:
        said = _("{amount} from each of {payers}, outside the chips, because {away} had left.")
    elif fee.away:
        said = _("{amount} from {payers}, outside the chips, because {away} had left.")
    else:
        said = _("{amount} from each of {payers}.") if each else _("{amount} from {payers}.")
    return said.format(amount=speaker.money(fee.amount), payers=speaker.listed(payers), away=speaker.listed(fee.away))


def _buy_in(bought: BuyIn, speaker: Speaker) -> str:
    """That chips are on credit is said where others are paid for."""
    if bought.before and bought.cash:
        said = _("{player} bought in for {amount} in cash, missed before hand {hand}.")
    elif bought.before and speaker.for_cash:
        said = _("{player} bought in for {amount} on credit, missed before hand {hand}.")
    elif bought.before:
        said = _("{player} bought in for {amount}, missed before hand {hand}.")
    elif bought.cash:
        said = _("{player} bought in for {amount} in cash.")
    elif speaker.for_cash:
        said = _("{player} bought in for {amount} on credit.")
    else:
        said = _("{player} bought in for {amount}.")
    return said.format(player=speaker.name(bought.seat), amount=speaker.money(bought.amount), hand=bought.before)


def _buy_in_all(bought: BuyInAll, speaker: Speaker) -> str:
    if bought.cash:
        said = _("{players} bought in for {amount} each in cash.")
    elif speaker.for_cash:
        said = _("{players} bought in for {amount} each on credit.")
    else:
        said = _("{players} bought in for {amount} each.")
    return said.format(players=speaker.listed(bought.seats), amount=speaker.money(bought.amount))


def _cash_out(cashed: CashOut, speaker: Speaker) -> str:
    said = _("{player} cashed out {amount} in cash.") if cashed.cash else _("{player} cashed out {amount}.")
    return said.format(player=speaker.name(cashed.seat), amount=speaker.money(cashed.amount))


def _join(join: Join, speaker: Speaker) -> str:
    if not join.cash_out:
        said = _("{player}.")
    elif join.in_cash == join.cash_out:
        said = _("{player}. The bank paid {amount} in cash that it still owed them.")
    elif join.in_cash:
        said = _("{player}. The bank paid {amount}, {cash} of it in cash, that it still owed them.")
    else:
        said = _("{player}. The bank paid {amount} that it still owed them.")
    return said.format(player=join.name, amount=speaker.money(join.cash_out), cash=speaker.money(join.in_cash))


def _leave(leave: Leave, speaker: Speaker) -> str:
    if not leave.cash_out:
        said = _("{player}.")
    elif leave.in_cash == leave.cash_out:
        said = _("{player}, cashing out {amount} in cash.")
    elif leave.in_cash:
        said = _("{player}, cashing out {amount}, {cash} of it in cash.")
    else:
        said = _("{player}, cashing out {amount}.")
    return said.format(
        player=speaker.name(leave.seat), amount=speaker.money(leave.cash_out), cash=speaker.money(leave.in_cash)
    )


def _player(action: SitOut | SitIn, speaker: Speaker) -> str:
    return _("{player}.").format(player=speaker.name(action.seat))


def _closed(close: Close, speaker: Speaker) -> str:
    return sentences(*_handed_in(close, speaker), _carried(close.coin, speaker) if close.tab else "")


def _handed_in(close: Close, speaker: Speaker) -> Iterator[str]:
    """Say what was counted, and what each handed in and got."""
    if close.counts:
        stacks = [f"{speaker.name(seat)} {speaker.money(chips)}" for seat, chips in close.counts]
        yield _("Counted: {stacks}.").format(stacks=listed(stacks))
    for seat, chips, cash in close.handed_in:
        said = (
            _("{player} handed in {chips} and got {cash}.")
            if cash
            else _("{player} handed in {chips} and got nothing.")
        )
        yield said.format(player=speaker.name(seat), chips=speaker.money(chips), cash=speaker.money(cash))


def _carried(coin: int, speaker: Speaker) -> str:
    return sentences(
        _("What is open is carried to the club’s tab."),
        _("Payments are rounded to {amount}.").format(amount=speaker.money(coin)) if coin else "",
    )


def _tab(chosen: ChooseTab, speaker: Speaker) -> str:
    return _carried(chosen.coin, speaker) if chosen.on else _("Kept out of the club’s tab.")


def _agreed(agreed: Agree, speaker: Speaker) -> str:
    return _("{player}, to everything up to number {number}: {words}.").format(
        player=speaker.name(agreed.seat), number=agreed.event, words=words_of(agreed.head)
    )


def _pay(pay: Pay, speaker: Speaker) -> str:
    return _("{payer} pays {payee} {amount}.").format(
        payer=speaker.name(pay.payer), payee=speaker.within(pay.payee), amount=speaker.money(pay.amount)
    )


# --- The words of each action ------------------------------------------------------------------------------


WORDS: Final[Mapping[type, Words]] = {
    Start: Words(gettext_lazy("Session started"), sentence=_start),
    Settle: Words(
        gettext_lazy("Hand {deal} settled"),
        gettext_lazy("Undo hand {deal}"),
        undone=gettext_lazy("Number {number}: hand {deal} settled."),
        own_news=gettext_lazy("Hand {deal} was settled on this phone."),
        news=gettext_lazy("Hand {deal} was settled on another phone."),
    ),
    Correct: Words(
        gettext_lazy("Hand {deal} corrected"),
        gettext_lazy("Undo: hand {deal} corrected"),
        undone=gettext_lazy("Number {number}: hand {deal} corrected."),
        own_news=gettext_lazy("Hand {deal} was corrected on this phone."),
        news=gettext_lazy("Hand {deal} was corrected on another phone."),
    ),
    Void: Words(
        gettext_lazy("Hand {deal} voided"),
        gettext_lazy("Undo: hand {deal} voided"),
        undone=gettext_lazy("Number {number}: hand {deal} voided."),
        own_news=gettext_lazy("Hand {deal} was voided on this phone."),
        news=gettext_lazy("Hand {deal} was voided on another phone."),
    ),
    Restore: Words(
        gettext_lazy("Hand {deal} restored"),
        gettext_lazy("Undo: hand {deal} restored"),
        undone=gettext_lazy("Number {number}: hand {deal} restored."),
        own_news=gettext_lazy("Hand {deal} was restored on this phone."),
        news=gettext_lazy("Hand {deal} was restored on another phone."),
    ),
    SetNext: Words(
        gettext_lazy("Button or Fantasyland set"),
        gettext_lazy("Undo: button or Fantasyland set"),
        _part_by_part,
        gettext_lazy("Number {number}: button or Fantasyland set."),
    ),
    ChangeTerms: Words(
        gettext_lazy("Stakes or rules changed"),
        gettext_lazy("Undo: stakes or rules changed"),
        _part_by_part,
        gettext_lazy("Number {number}: stakes or rules changed."),
    ),
    Penalty: Words(
        gettext_lazy("Penalty"),
        gettext_lazy("Undo: penalty recorded"),
        _penalty,
        gettext_lazy("Number {number}: penalty."),
    ),
    SideBet: Words(
        gettext_lazy("Side bet"),
        gettext_lazy("Undo: side bet recorded"),
        _side_bet,
        gettext_lazy("Number {number}: side bet."),
    ),
    Fee: Words(gettext_lazy("Fee"), gettext_lazy("Undo: fee recorded"), _fee, gettext_lazy("Number {number}: fee.")),
    BuyIn: Words(
        gettext_lazy("Buy-in"),
        gettext_lazy("Undo: {who} bought chips"),
        _buy_in,
        gettext_lazy("Number {number}: buy-in."),
    ),
    BuyInAll: Words(
        gettext_lazy("Buy-in"),
        gettext_lazy("Undo: everyone’s buy-in"),
        _buy_in_all,
        gettext_lazy("Number {number}: buy-in."),
    ),
    CashOut: Words(
        gettext_lazy("Cash-out"),
        gettext_lazy("Undo: {who} cashed out chips"),
        _cash_out,
        gettext_lazy("Number {number}: cash-out."),
    ),
    Join: Words(
        pgettext_lazy("history", "Joined"),
        gettext_lazy("Undo: {who} joined"),
        _join,
        gettext_lazy("Number {number}: joined."),
    ),
    Leave: Words(
        pgettext_lazy("history", "Left"),
        gettext_lazy("Undo: {who} left"),
        _leave,
        gettext_lazy("Number {number}: left."),
    ),
    SitOut: Words(
        pgettext_lazy("history", "Sits out"),
        gettext_lazy("Undo: {who} sits out"),
        _player,
        gettext_lazy("Number {number}: sits out."),
    ),
    SitIn: Words(
        pgettext_lazy("history", "Back in"),
        gettext_lazy("Undo: {who} is back"),
        _player,
        gettext_lazy("Number {number}: back in."),
    ),
    Swap: Words(
        gettext_lazy("Seats swapped"),
        gettext_lazy("Undo: seats swapped"),
        lambda swap, speaker: _("{players}.").format(players=speaker.listed([swap.first, swap.second])),
        gettext_lazy("Number {number}: seats swapped."),
    ),
    RaiseDispute: Words(gettext_lazy("Hand {deal} disputed")),
    ResolveDispute: Words(gettext_lazy("Hand {deal} dispute resolved")),
    Rename: Words(gettext_lazy("Session renamed")),
    Close: Words(gettext_lazy("Session closed"), sentence=_closed),
    ChooseTab: Words(gettext_lazy("Club’s tab"), sentence=_tab),
    Reopen: Words(gettext_lazy("Session reopened")),
    Agree: Words(gettext_lazy("Agreed to the record"), sentence=_agreed),
    Pay: Words(gettext_lazy("Payment"), sentence=_pay),
    UndoPayment: Words(
        gettext_lazy("Payment undone"), sentence=lambda undone, _speaker: _("Number {number}.").format(number=undone.n)
    ),
    Undo: Words(pgettext_lazy("history", "Undone")),
}

LINE_WORDS: Final[Mapping[str, LineWords]] = {
    LineKind.DEAL: LineWords(
        pgettext_lazy("line", "deal"),
        pgettext_lazy("line", "Hand"),
        gettext_lazy("Hand undone"),
        pgettext_lazy("found", "Hands"),
    ),
    LineKind.PENALTY: LineWords(
        pgettext_lazy("line", "penalty"),
        gettext_lazy("Penalty"),
        gettext_lazy("Penalty undone"),
        gettext_lazy("Penalties"),
    ),
    LineKind.SIDE_BET: LineWords(
        pgettext_lazy("line", "side-bet"),
        gettext_lazy("Side bet"),
        gettext_lazy("Side bet undone"),
        gettext_lazy("Side bets"),
    ),
    LineKind.FEE: LineWords(
        pgettext_lazy("line", "fee"), gettext_lazy("Fee"), gettext_lazy("Fee undone"), gettext_lazy("Fees")
    ),
    LineKind.BUY_IN: LineWords(pgettext_lazy("line", "buy-in"), gettext_lazy("Buy-in"), gettext_lazy("Buy-in undone")),
    LineKind.CASH_OUT: LineWords(
        pgettext_lazy("line", "cash-out"), gettext_lazy("Cash-out"), gettext_lazy("Cash-out undone")
    ),
    LineKind.PAYMENT: LineWords(
        pgettext_lazy("line", "payment"),
        gettext_lazy("Payment"),
        gettext_lazy("Payment undone"),
        gettext_lazy("Paid already"),
    ),
    LineKind.CASH: LineWords(
        pgettext_lazy("line", "cash"),
        pgettext_lazy("line", "Cash"),
        gettext_lazy("Cash undone"),
        gettext_lazy("Cash for chips"),
    ),
    LineKind.COUNT: LineWords(
        pgettext_lazy("line", "count"),
        gettext_lazy("Final count"),
        gettext_lazy("Final count undone"),
        gettext_lazy("Final count"),
    ),
}
"""The words for each kind of line, by kind or by what the ledger stores for it."""


def kind_said(kind: str) -> str:
    """A kind of line, as the column of kinds has it."""
    return str(LINE_WORDS[kind].code)


def line_said(kind: str, *, undone: bool) -> str:
    """A line: "Side bet", or "Side bet undone"."""
    words = LINE_WORDS[kind]
    return str(words.undone if undone else words.recorded)


def lines_said(kind: str) -> str:
    """All lines of a kind between two, where they are settled up: "Side bets"."""
    return str(LINE_WORDS[kind].together)


def words_for(verb: str) -> Words:
    """The words for events of this verb."""
    return WORDS[ACTIONS[verb]]


def done(event: Event) -> str:
    """The event's heading in the history."""
    return str(words_for(event.verb).done).format(deal=event.deal)


def undoing(event: Event, speaker: Speaker) -> str:
    """What the button says that would undo this event."""
    who = speaker.names.get(event.action.get("seat", 0), "")
    return str(words_for(event.verb).undoing).format(deal=event.deal, who=who)


def undoing_what(event: Event, speaker: Speaker) -> str:
    """What the event did, beside its Undo button; empty if it would only repeat the player's name."""
    said = sentence(event, speaker)
    return "" if said == _("{player}.").format(player=speaker.names.get(event.action.get("seat", 0))) else said


def news(event: Event, *, own: bool) -> str:
    """What happened to the event's deal, on this phone if it was its ``own``; empty if the event changed the table."""
    words = words_for(event.verb)
    return str(words.own_news if own else words.news).format(deal=event.deal)


def sentence(event: Event, speaker: Speaker) -> str:
    """What the event did, in a sentence; empty if its heading says everything."""
    action = ACTIONS[event.verb].read(event.action)
    if isinstance(action, Undo):
        return str(words_for(action.undone).undone).format(number=action.n, deal=event.deal)
    make = words_for(event.verb).sentence
    return in_order(make(action, speaker)) if make else ""
