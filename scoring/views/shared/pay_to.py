"""How somebody likes to be paid, for a player who owes them money. The caller decides who may see it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from scoring import club
from scoring.models import Player


def pay_to(payee: Player, *, amount: int, currency: str, minor_digits: int, note: str) -> dict[str, Any]:
    """Context for ``shared/_pay_to.html``: a card for each of the payee's addresses, made out for this amount.

    The ``amount`` is in minor units; ``note`` names what it is for.
    """
    bill = club.Bill(payee.name, amount, currency, minor_digits, note)
    kinds = [(club.KINDS[each.kind], each.value) for each in club.pay_addresses(payee)]
    cards = [(kind.card(value, bill), kind.parts(value)) for kind, value in kinds]
    return {"pay_to": cards, "pay_to_name": payee.name}


def unkept(response: HttpResponse) -> HttpResponse:
    """The page, which no browser keeps: it may be shown on a phone that somebody else takes over."""
    response["Cache-Control"] = "no-store"
    return response
