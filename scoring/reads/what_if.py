"""What if: hands of a session settled again under other house rules, on paper. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.game.outcome import Outcome
from scoring.ledger.load import current_revisions, stored
from scoring.models import Revision, Session
from scoring.reads.state import seat_numbers
from scoring.rules.document import score
from scoring.rules.errors import RulesError
from scoring.rules.houserules import HouseRules


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One hand that counts: as it ``was`` settled, and as it ``would`` have been under other rules.

    ``would`` is None if these rules cannot take the hand; ``problems`` says why, in sentences. A hand whose points the
    table entered has no cards to score, so it stays as it was.
    """

    number: int
    was: Outcome
    would: Outcome | None
    problems: Sequence[str] = ()

    @property
    def then(self) -> Outcome:
        """What counts in a sum: a hand that these rules cannot take stays as it was."""
        return self.would or self.was

    @property
    def by_the_table(self) -> bool:
        """Whether the table entered the points of this hand."""
        return "points" in self.was.document

    @property
    def differs(self) -> bool:
        """Whether any pair's points would have been others, or what one of them paid."""
        return _paid(self.was) != _paid(self.then)


def what_if(session: Session, rules: HouseRules, first: int, last: int) -> list[WhatIf]:
    """The hands with these numbers, at most 500, that count now, in order; void hands are left out. Four queries.

    Everything but the rules stays as it was: boards, rulings, stakes, who was in Fantasyland with how many cards, and
    the chips with which each hand began.
    """
    found = current_revisions(session).filter(deal__number__range=(first, last)).exclude(kind=Revision.Kind.VOID)
    deals = stored(found, seat_numbers(session))
    return [_settled(deal.number, was, rules) for deal in deals if (was := deal.outcome())]


def _settled(number: int, was: Outcome, rules: HouseRules) -> WhatIf:
    document = {**was.document, "rules": rules.as_document()}
    try:
        would = replace(was, document=document, result=score(document))
    except RulesError as error:
        return WhatIf(number, was, None, [problem.message for problem in error.problems])
    return WhatIf(number, was, would)


def _paid(outcome: Outcome) -> set[tuple[tuple[str, ...], int, int]]:
    """What each pair won and paid. Two results may have the pairs in different orders, but name each the same way."""
    return {(tuple(pair["players"]), pair["points"], pair["paid"]) for pair in outcome.result["pairs"]}
