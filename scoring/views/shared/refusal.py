"""What was refused, and what the host can do instead."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring import ledger
from scoring.game.errors import LedgerError
from scoring.ledger import ImpossibleError
from scoring.models import Session
from scoring.views.shared.problems import problems


def shown_refusal(refusal: LedgerError | ledger.Conflict) -> dict[str, Any]:
    """Context for a page that has no field to show the errors at."""
    if isinstance(refusal, LedgerError):
        return problems({"": [problem.message for problem in refusal.problems]})
    return problems({"": [str(refusal)]})


def choices(session: Session, refusal: ImpossibleError) -> list[tuple[str, str]]:
    """What the host can do if the change makes a later deal impossible: (address, sentence) for each choice."""
    at = session.public_id
    ways = {
        "as-played": "",
        "buy-in": f"{reverse('forgotten', args=[at])}?before={refusal.number}",
        "void": reverse("void", args=[at, refusal.number]),
        "adjust": reverse("side-bet", args=[at]),
    }
    return [(ways[choice], sentence) for choice, sentence in refusal.choices.items()]
