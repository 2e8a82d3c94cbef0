"""What the host can do instead of a change that is impossible."""

from __future__ import annotations

from django.urls import reverse

from scoring.ledger import ImpossibleError
from scoring.models import Session
from scoring.wording.phrases import translated


def choices(session: Session, refusal: ImpossibleError) -> list[tuple[str, str]]:
    """What the host can do if the change makes a later deal impossible: (address, sentence) for each choice."""
    at = session.public_id
    ways = {
        "as-dealt": "",
        "buy-in": f"{reverse('forgotten', args=[at])}?before={refusal.buy_in_before}",
        "void": reverse("void", args=[at, refusal.number]),
        "adjust": reverse("side-bet", args=[at]),
    }
    return [(ways[choice], translated(sentence)) for choice, sentence in refusal.choices.items()]
