"""What stood out in a session, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from scoring import reads
from scoring.models import Session
from scoring.reads import Feat
from scoring.texts import gettext as _
from scoring.texts import ngettext, pgettext
from scoring.wording.boards import BoardShown
from scoring.wording.figures import signed
from scoring.wording.settlement import outcome_shown

MOST_NAMED: Final = 3
"""Of more who share a highlight, so many are named, and the others counted."""


@dataclass(frozen=True, slots=True)
class Named:
    """One player of a highlight, with the hands in which they did it, or with how often they did."""

    name: str
    what: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Highlight:
    """One thing that stood out; ``more`` says how many others share it. Only the best hand has its ``board``."""

    label: str
    figure: str
    named: list[Named]
    more: str = ""
    board: BoardShown | None = None


def highlights_shown(session: Session) -> list[Highlight]:
    """What ``table/_highlights.html`` shows; nothing where no hand won anybody a point."""
    found = reads.highlights(session)
    names = reads.state(session).players

    def shown(label: str, feats: Sequence[Feat], figure: str, board: BoardShown | None = None) -> Highlight:
        left_out = len(feats) - MOST_NAMED
        more = ngettext("and {count} more", "and {count} more", left_out).format(count=left_out) if left_out > 0 else ""
        return Highlight(label, figure, [_named(each, session, names) for each in feats[:MOST_NAMED]], more, board)

    said = []
    if found.best:
        said.append(shown(_("Best hand"), found.best, signed(found.best[0].figure), _best_board(found, session)))
    if found.royalties:
        said.append(shown(_("Most royalties"), found.royalties, signed(found.royalties[0].figure)))
    if found.fantasyland:
        deals = found.fantasyland[0].figure
        length = ngettext("{count} hand", "{count} hands", deals).format(count=deals)
        said.append(shown(_("Longest Fantasyland"), found.fantasyland, length))
    if said or found.fouls:
        fouls = [Named(names[seat], str(often)) for seat, often in found.fouls.most_common()]
        said.append(Highlight(_("Fouls"), "" if fouls else pgettext("fouls", "none"), fouls))
    return said


def _named(feat: Feat, session: Session, names: Mapping[int, str]) -> Named:
    """The hand leads to its page, and a run of hands to that of the first."""
    said = _("hand {first}") if feat.first == feat.last else _("hands {first} to {last}")
    deals = said.format(first=feat.first, last=feat.last)
    url = reverse("deal", args=[session.public_id, feat.first])
    return Named(names[feat.seat], deals.replace(" ", "\N{NO-BREAK SPACE}"), url)


def _best_board(found: reads.Highlights, session: Session) -> BoardShown | None:
    """The board of the best hand, None if it was recorded without cards."""
    outcome = found.deal.outcome() if found.deal else None
    if outcome is None:
        return None
    board: BoardShown = outcome_shown(outcome, session)["boards"][outcome.seats.index(found.best[0].seat)]
    return board if board.rows else None
