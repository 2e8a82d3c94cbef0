"""The ledger page: every hand, the matrix of pairs, and the payments that settle all debts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring import access, reads
from scoring.access import Right
from scoring.exports import workbook as session_workbook
from scoring.forms.finding import ROWS, TICKS, query, sought_in
from scoring.game.balances import Balance
from scoring.game.cashing import in_the_bank
from scoring.game.limits import BANK
from scoring.models import Session
from scoring.request import Request, whole_number
from scoring.texts import gettext as _
from scoring.texts import ngettext
from scoring.views.shared.download import Export, download
from scoring.views.shared.evidence import head_address, verifier
from scoring.views.shared.frame import frame
from scoring.wording.books import bank_holds, between_deals, count_differs
from scoring.wording.curve import curve_shown
from scoring.wording.figures import money, sentences, signed, signed_money
from scoring.wording.finding import big_said, none_said, sought_said
from scoring.wording.names import name_said
from scoring.wording.notes import note_said
from scoring.wording.settle_up import settle_up
from scoring.wording.table import still_owed

DEALS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class LedgerCell:
    """One player's points and money, formatted. ``running`` holds their totals up to and including this hand."""

    name: str
    points: str
    money: str
    running: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class DealLine:
    """One hand as a line of the ledger page. ``between`` describes what was booked after it."""

    number: int
    url: str
    void: bool
    disputed: bool
    note: str
    cells: list[LedgerCell]
    between: list[str]
    corrected: bool
    was_disputed: bool = False


@require_safe
def ledger(request: Request, public_id: str) -> HttpResponse:
    """Shows the hands newest first with running totals, the matrix of pairs, and the fewest payments.

    If the address says which hands to find, it shows these and what they add up to instead, and nothing of the whole
    session that could be taken for theirs.
    """
    session = access.session(request, public_id, Right.READ)
    sought, problems = sought_in(request.GET, reads.present(session))
    if not session.deals:  # there is nothing to find yet, and no form
        sought, problems = reads.Sought(), []
    if sought:
        context = _found_context(session, sought, whole_number(request.GET.get("page")))
    else:
        context = _context(session, whole_number(request.GET.get("before")) or None)
    context |= {**_finding(session, sought, problems), "head_address": head_address(request, session)}
    return render(request, "books/ledger.html", context)


@require_safe
def workbook(request: Request, public_id: str) -> HttpResponseBase:
    """Downloads the whole session as a spreadsheet."""
    session = access.session(request, public_id, Right.READ)
    export = Export(
        kind="spreadsheet",
        of=session,
        name=f"ofc-{timezone.localtime(session.opened_at):%Y-%m-%d}.xlsx",
        content_type=session_workbook.TYPE,
        back=reverse("ledger", args=[public_id]),
        around="shared/session.html",
        frame=frame(session, "ledger"),
        given=verifier(request),
    )
    return download(request, export)


def _context(session: Session, before: int | None) -> dict[str, Any]:
    state = reads.state(session)
    page = reads.ledger_page(session, before=before, limit=DEALS_A_PAGE, now=state.balances)
    # Everybody who was there, in order of arrival, because players who left may still owe or be owed money.
    names = reads.present(session)
    numbers = [deal.number for deal in page.deals] or [0]
    corrected = reads.corrected_deals(session, min(numbers), max(numbers))
    digits = session.minor_digits
    here = reverse("ledger", args=[session.public_id])
    return {
        **frame(session, "ledger"),
        "names": names.values(),
        "columns": len(names) + 1,
        "many": len(names) > 3,
        "curve": partial(curve_shown, session),
        "deals": [_line(session, deal, names, state, corrected=deal.number in corrected) for deal in page.deals],
        "opening": [between_deals(each, session, state) for each in reversed(page.opening)],
        "totals": [_cell(names[seat], state.balances[seat], digits) for seat in names],
        "older": f"{here}?before={page.older}" if page.older else "",
        "newer": f"{here}?before={page.newer}" if page.newer else "",
        "matrix": [
            (name, [_pair_cell(state, seat, other, names[other], digits) for other in names])
            for seat, name in names.items()
        ],
        "settle_up": settle_up(session, state),
        "sums": _sums(state, session),
        "bank": _bank(state, session),
    }


def _finding(session: Session, sought: reads.Sought, problems: list[str]) -> dict[str, Any]:
    """Context for ``books/_find.html``, the form in which one says what hands to find."""
    return {
        "sought": sought,
        "find_problems": problems,
        "find_players": [(seat, name, seat == sought.seat) for seat, name in reads.present(session).items()],
        "find_rows": [(row, label, row == sought.row) for row, label in ROWS.items()],
        "find_ticks": [(name, label, getattr(sought, name)) for name, label in TICKS.items()],
        "find_least": sought.least if sought.least > 1 else "",
    }


def _found_context(session: Session, sought: reads.Sought, page: int) -> dict[str, Any]:
    """One page of the hands found, and the totals over all pages."""
    names, digits = reads.present(session), session.minor_digits
    found = reads.search(session, sought)
    last = max(1, -(-len(found) // DEALS_A_PAGE))
    page = min(page or 1, last)
    here = reverse("ledger", args=[session.public_id])
    name = names.get(sought.seat, "")
    sums = {
        seat: Balance(
            points=sum(deal.points.get(seat, 0) for deal in found), money=sum(deal.money.get(seat, 0) for deal in found)
        )
        for seat in names
    }
    return {
        **frame(session, "ledger"),
        "names": names.values(),
        "many": len(names) > 3,
        "found": [_found_line(session, deal, names) for deal in found[(page - 1) * DEALS_A_PAGE : page * DEALS_A_PAGE]],
        "found_count": ngettext("{found} of {count} hand", "{found} of {count} hands", session.deals).format(
            found=len(found), count=session.deals
        ),
        "found_sum": ngettext("This {count} hand", "These {count} hands", len(found)).format(count=len(found)),
        "found_page": _("Page {page} of {last}").format(page=page, last=last) if last > 1 else "",
        "sought_said": sentences(_("{hands}.").format(hands=sought_said(sought, name)), big_said(sought, name)),
        "none_said": none_said(sought, session.deals),
        "totals": [_cell(names[seat], sums[seat], digits) for seat in names],
        "next_found": f"{here}?{query(sought, page + 1)}" if page < last else "",
        "previous_found": f"{here}?{query(sought, page - 1)}" if page > 1 else "",
    }


def _found_line(session: Session, deal: reads.FoundDeal, names: dict[int, str]) -> DealLine:
    """A hand that was sought. It has no running totals, because they would be those of the session."""
    return DealLine(
        number=deal.number,
        url=reverse("deal", args=[session.public_id, deal.number]),
        void=deal.void,
        disputed=deal.disputed,
        note=note_said(deal.note),
        cells=[
            _cell(name, Balance(points=deal.points.get(seat, 0), money=deal.money.get(seat, 0)), session.minor_digits)
            for seat, name in names.items()
        ],
        between=[],
        corrected=deal.corrected,
        was_disputed=deal.was_disputed,
    )


def _bank(state: reads.State, session: Session) -> dict[str, Any] | None:
    """What each seat bought from the bank, cashed out, and still has in chips. None if the session plays on credit."""
    of = {seat: each for seat, each in state.bank.items() if any((each.bought, each.cashed, each.front))}
    if state.table.stacks is None and not of:
        return None
    digits = session.minor_digits
    bought, cashed, front = (sum(getattr(each, side) for each in of.values()) for side in ("bought", "cashed", "front"))

    bank = state.balances[BANK].money

    def sides(*figures: int) -> tuple[str, str, str]:
        return (
            money(figures[0], digits),
            signed_money(-figures[1], digits) if figures[1] else "",
            money(figures[2], digits),
        )

    all_bought, all_cashed, all_front = sides(bought, cashed, front)
    return {
        # The house's fee box (a negative seat number) comes after the players.
        "lines": [
            (
                name_said(state.seats[seat].name),
                *sides(of[seat].bought, of[seat].cashed, of[seat].front),
                signed_money(-state.balances[seat].cash, digits),
                seat > 0 and of[seat].front and state.table.chair(seat) is None,
            )
            for seat in sorted(of, key=lambda seat: (seat < 0, seat))
        ],
        "stacked": session.closed_at is None or any(each.front for each in of.values()),
        "for_cash": state.for_cash,
        "cash": signed_money(-state.balances[BANK].cash, digits),
        "bought": all_bought,
        "cashed": all_cashed,
        "front": all_front,
        "still_owed": still_owed(state.table, session),
        "counted": count_differs(bank, session),
        "holds": bank_holds(in_the_bank(state.balances), session),
        "balanced": bought - cashed == front + bank,
        "off": money(abs(bought - cashed - front - bank), digits),
    }


def _line(
    session: Session, deal: reads.LedgerDeal, names: dict[int, str], state: reads.State, *, corrected: bool
) -> DealLine:
    digits = session.minor_digits
    return DealLine(
        number=deal.number,
        url=reverse("deal", args=[session.public_id, deal.number]),
        void=deal.revision.voided,
        disputed=deal.disputed,
        corrected=corrected,
        note=note_said(deal.revision.note),
        cells=[
            LedgerCell(
                name=names[seat],
                points=signed(deal.points.get(seat, 0)),
                money=signed_money(deal.money.get(seat, 0), digits),
                running=f"{signed(deal.running[seat].points)} / {signed_money(deal.running[seat].money, digits)}",
            )
            for seat in names
        ],
        between=[between_deals(each, session, state) for each in reversed(deal.adjustments)],
    )


def _cell(name: str, balance: Balance, digits: int) -> LedgerCell:
    return LedgerCell(name, signed(balance.points), signed_money(balance.money, digits))


def _pair_cell(state: reads.State, seat: int, other: int, name: str, digits: int) -> LedgerCell:
    if seat == other:
        return LedgerCell(name, "", "", own=True)
    return _cell(name, state.matrix.get((seat, other), Balance()), digits)


def _sums(state: reads.State, session: Session) -> tuple[str, str, bool, str]:
    """The sums of all points and all money, formatted, whether both are zero, as they must be, and the bank's part.

    The bank wins or loses only by a final count.
    """
    points = sum(balance.points for balance in state.balances.values())
    amount = sum(balance.money for balance in state.balances.values())
    digits, bank = session.minor_digits, state.balances[BANK].money
    return (
        signed(points),
        signed_money(amount, digits),
        not points and not amount,
        signed_money(bank, digits) if bank else "",
    )
