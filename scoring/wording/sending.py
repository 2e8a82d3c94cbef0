"""The text that is sent to a group's chat of a session or of one hand, short enough to be read to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring import reads
from scoring.game.outcome import Outcome
from scoring.models import Session
from scoring.reads import Feat
from scoring.texts import gettext as _
from scoring.texts import ngettext, pgettext
from scoring.wording.boards import BoardShown
from scoring.wording.closing import paid_at_close
from scoring.wording.figures import NOTHING, apart, in_brackets, joined, labelled, listed, money, signed, signed_money
from scoring.wording.highlights import MOST_NAMED
from scoring.wording.session import title
from scoring.wording.settle_up import LINES, more_payments, payment_said, settle_up
from scoring.wording.settlement import PairShown, outcome_shown


def session_text(session: Session, above: str = "", link: str = "") -> str:
    """The result, who pays whom and what stood out, in `LINES` lines at most.

    It begins with ``above`` and ends with the ``link``, if there are any.
    """
    state = reads.state(session)
    deals = deals_that_count(session)
    said = (
        ngettext("{count} hand", "{count} hands", deals)
        if session.closed_at
        else ngettext("{count} hand so far", "{count} hands so far", deals)
    )
    heading = joined([title(session), said.format(count=deals)])
    result = _("Nobody has won or lost anything.")
    if any(balance.money or balance.points for balance in state.balances.values()):
        results = joined([f"{apart(name)} {nought(figure)}" for name, figure in _results(session, state)])
        if in_money(state):
            result = _("Result in {currency}: {results}").format(currency=session.currency, results=results)
        else:
            result = _("Result in points: {results}").format(results=results)
    payments = [payment_said(each, session.currency) for each in settle_up(session, state).fewest]
    first = [f"{above}{heading}", result, _from_the_bank(session, state), _fees(session, state)]
    return _within(first, payments, [*stood_out(session), link])


def _from_the_bank(session: Session, state: reads.State) -> str:
    """What everybody got for their chips when the session was closed; empty if the bank paid nothing."""
    got = [f"{apart(each.name)} {each.cash}" for each in paid_at_close(session, state)]
    return (
        _("From the bank in {currency}: {amounts}").format(currency=session.currency, amounts=joined(got))
        if got
        else ""
    )


def _fees(session: Session, state: reads.State) -> str:
    """What everybody is charged in fees, which their result leaves out; empty if nobody is."""
    fees = [
        f"{apart(name)} {money(state.balances[seat].fees, session.minor_digits)}"
        for seat, name in reads.present(session).items()
        if state.balances[seat].fees
    ]
    return _("Fees in {currency}: {amounts}").format(currency=session.currency, amounts=joined(fees)) if fees else ""


def deal_text(session: Session, number: int, outcome: Outcome, above: str = "", link: str = "") -> str:
    """Everyone's cards and result, and who pays whom, in `LINES` lines at most, as `session_text` has them."""
    shown = outcome_shown(outcome, session)
    boards = [board_said(board) for board in shown["boards"]]
    heading = joined([_("Hand {number}").format(number=number), title(session)])
    return _within([f"{above}{heading}", *boards], [pair_said(each, session) for each in shown["pairs"]], [link])


def _within(first: Sequence[str], payments: Sequence[str], last: Sequence[str]) -> str:
    """Joins the lines that are not empty. Payments that do not fit are left out, and the last line says how many."""
    around = [list(filter(None, each)) for each in (first, last)]
    room = LINES - sum(map(len, around))
    shown = [each for each in payments if each]
    if len(shown) > room > 1:
        shown[room - 1 :] = [more_payments(len(shown) - room + 1)]
    elif len(shown) > room:
        many = ngettext("{count} payment", "{count} payments", len(shown)).format(count=len(shown))
        shown = [many] if room == 1 else []
    return "\n".join([*around[0], *shown, *around[1]])


def stood_out(session: Session) -> list[str]:
    """What stood out, a line each, like "Best hand: +22, Ann in hand 12", which is the first if there is one."""
    found, names = reads.highlights(session), reads.state(session).players
    said = []
    if found.best:
        best = found.best[0].figure
        one = ngettext("Best hand: {points} point, {who}", "Best hand: {points} points, {who}", best)
        said.append(one.format(points=signed(best), who=_who(found.best, names)))
    if found.royalties:
        most = found.royalties[0].figure
        one = ngettext("Most royalties: {points} point, {who}", "Most royalties: {points} points, {who}", most)
        said.append(one.format(points=signed(most), who=_who(found.royalties, names)))
    if found.fantasyland:
        length = found.fantasyland[0].figure
        one = ngettext("Longest Fantasyland: {count} hand, {who}", "Longest Fantasyland: {count} hands, {who}", length)
        said.append(one.format(count=length, who=_who(found.fantasyland, names)))
    if found.fouls:
        fouls = [fouled(apart(names[seat]), often) for seat, often in found.fouls.most_common()]
        said.append(_("Fouls: {who}").format(who=_first_of(fouls)))
    return said


def fouled(player: str, times: int) -> str:
    """Who fouled and how often, like "Ben 2"."""
    return ngettext("{player} {count}", "{player} {count}", times).format(player=player, count=times)


def _who(feats: Sequence[Feat], names: Mapping[int, str]) -> str:
    """Who did something, and in which hand if it was done once."""
    if len(feats) == 1:
        one = feats[0]
        said = _("{player} in hand {first}") if one.first == one.last else _("{player} in hands {first} to {last}")
        return said.format(player=apart(names[one.seat]), first=one.first, last=one.last)
    often = Counter(feat.seat for feat in feats)
    return _first_of([_often(apart(names[seat]), times) for seat, times in often.most_common()])


def _often(player: str, times: int) -> str:
    if times == 1:
        return player
    return ngettext("{player} {count} time", "{player} {count} times", times).format(player=player, count=times)


def _first_of(named: Sequence[str]) -> str:
    """The first of these in a sentence; if there are many, the others are counted."""
    if len(named) <= MOST_NAMED + 1:
        return listed(named)
    others = len(named) - MOST_NAMED
    return listed([*named[:MOST_NAMED], ngettext("{count} other", "{count} others", others).format(count=others)])


def board_said(board: BoardShown) -> str:
    """Like "Ann +22: Qs Qd Kc / 8h 8d 8c 2s 2d / As Ks Ts 5s 3s"; a foul says so."""
    said = f"{apart(board.name)} {nought(board.points)}"
    if board.foul:
        said += in_brackets(pgettext("board", "dead hand") if board.dead else pgettext("board", "foul"))
    rows = " / ".join(" ".join(f"{card.rank}{card.suit}" for card in row.cards) for row in board.rows)
    return labelled(said, rows) if rows else said


def nought(figure: str) -> str:
    """A figure where no column says that a dash is one."""
    return "0" if figure == NOTHING else figure


def pair_said(pair: PairShown, session: Session) -> str:
    """Like "Ben pays Ann 6 points, 3.00 EUR"; empty if nobody pays."""
    if not pair.payer:
        return ""
    points, amount = pair.won, paid_said(pair, session)
    if amount:
        said = ngettext(
            "{payer} pays {payee} {points} point, {amount}", "{payer} pays {payee} {points} points, {amount}", points
        )
    else:
        said = ngettext("{payer} pays {payee} {points} point", "{payer} pays {payee} {points} points", points)
    return said.format(
        payer=apart(pair.payer),
        payee=apart(pair.payee),
        points=pair.points,
        amount=amount,
    )


def paid_said(pair: PairShown, session: Session) -> str:
    """The money that one paid the other, like "3.00 EUR"; empty if their points were worth nothing in that hand.

    The session may have other stakes by now.
    """
    if pair.money == NOTHING and not pair.unpaid:
        return ""
    return f"{nought(pair.money)} {session.currency}"


def deals_that_count(session: Session) -> int:
    return len(reads.curve(session).deals)


def in_money(state: reads.State) -> bool:
    return any(balance.money for balance in state.balances.values())


def _results(session: Session, state: reads.State) -> list[tuple[str, str]]:
    """The name and result of everyone who was there, the best first: money if there is any, otherwise points."""
    there = [(name, state.balances[seat]) for seat, name in reads.present(session).items()]
    there.sort(key=lambda one: (one[1].money, one[1].points), reverse=True)
    if in_money(state):
        return [(name, signed_money(of.money, session.minor_digits)) for name, of in there]
    return [(name, signed(of.points)) for name, of in there]
