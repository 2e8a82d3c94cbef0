"""What the pages share on which a payment of a session or of the club's tab is recorded, or undone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from scoring.forms.payment import PaidForm
from scoring.ledger.payments import Made
from scoring.request import CONFLICT, Request
from scoring.views.shared.asking import carried, posted
from scoring.views.shared.problems import problems
from scoring.wording.figures import money, typed_amount
from scoring.wording.names import link_said, name_said, name_within
from scoring.wording.notes import note_said

Form = TypeVar("Form", bound=PaidForm)


def asked_for(request: Request, form: type[Form], accounts: Collection[int]) -> Form:
    """The form as it was sent, or as the address of the page fills it in: it says which payment is meant."""
    return form(request.POST if request.method == "POST" else request.GET, seats=accounts)


def paying(
    request: Request, form: type[Form], accounts: Collection[int], *, owed: int, digits: int, **meant: Any
) -> tuple[Form, int]:
    """The form of the payment that is ``meant``, fresh or as it was sent, and by how much it says more than is owed."""
    fresh = {**meant, "amount": typed_amount(owed, digits)}
    found = form(posted(request), initial=fresh, seats=accounts, digits=digits)
    return found, found.cleaned_data["amount"] - owed if found.is_valid() else 0


def paying_shown(
    request: Request,
    form: PaidForm,
    names: Mapping[int, str],
    payer: int,
    payee: int,
    *,
    owed: int,
    over: int,
    digits: int,
) -> dict[str, Any]:
    """Context for ``pay.html``, with what is owed between two accounts and by how much somebody would pay ``over``.

    Once nothing is owed the page has no fields, so whatever was wrong in them came too late.
    """
    gone: dict[str, Any] = {}
    if form.status and not owed:
        form.status = CONFLICT
        gone = problems({"": form.non_field_errors()}, form.status)
    return {
        **gone,
        "payer": name_said(names[payer]),
        "payee": name_within(names[payee]),
        "owed": money(owed, digits) if owed else "",
        "over": money(over, digits) if owed and over > 0 else "",
        "agreed": typed_amount(max(over, 0), digits),
        "seen": carried(request, form.status, "seen", typed_amount(owed, digits)),
    }


def made_shown(made: Made, names: Mapping[int, str], *, digits: int) -> dict[str, Any]:
    """Context for ``undo-payment.html``."""
    return {
        "payer": name_said(names[made.payment.payer]),
        "payee": name_within(names[made.payment.payee]),
        "amount": money(made.payment.amount, digits),
        "how": note_said(made.note),
        "by": link_said(made.by),
        "undone": made.undone,
    }
