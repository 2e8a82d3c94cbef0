"""Which hands were sought, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.reads import ANY_ROW, Sought
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, ngettext, pgettext, pgettext_lazy
from scoring.wording.figures import sentences

_HANDS: Final[Mapping[tuple[str, ...], Promise]] = {
    (): pgettext_lazy("found", "Hands"),
    ("disputed",): gettext_lazy("Disputed hands"),
    ("corrected",): gettext_lazy("Corrected hands"),
    ("void",): gettext_lazy("Void hands"),
    ("disputed", "corrected"): gettext_lazy("Disputed and corrected hands"),
    ("disputed", "void"): gettext_lazy("Disputed and void hands"),
    ("corrected", "void"): gettext_lazy("Corrected and void hands"),
    ("disputed", "corrected", "void"): gettext_lazy("Disputed and corrected and void hands"),
}


_ROYALTIES: Final[Mapping[str, tuple[Promise, Promise]]] = {
    ANY_ROW: (gettext_lazy("a royalty in any row"), gettext_lazy("a royalty of {least} or more in any row")),
    "front": (gettext_lazy("a royalty in the front"), gettext_lazy("a royalty of {least} or more in the front")),
    "middle": (gettext_lazy("a royalty in the middle"), gettext_lazy("a royalty of {least} or more in the middle")),
    "back": (gettext_lazy("a royalty in the back"), gettext_lazy("a royalty of {least} or more in the back")),
}
"""The royalty that is sought, by its row: any, and one of so much."""


def sought_said(sought: Sought, name: str) -> str:
    """The hands that are sought, to begin a sentence: "Corrected hands in which Ann fouled, biggest first".

    ``name`` is that of the seat that is sought, empty if it is anybody's.
    """
    deals = str(_HANDS[tuple(kind for kind in ("disputed", "corrected", "void") if getattr(sought, kind))])
    if did := _did(sought, name):
        deals = _("{hands} in which {did}").format(hands=deals, did=did)
    elif name:
        deals = _("{hands} with {player}").format(hands=deals, player=name)
    return _("{hands}, biggest first").format(hands=deals) if sought.biggest else deals


def _did(sought: Sought, name: str) -> str:
    """What the player did in these hands, as a sentence without its end; empty if that is not sought."""
    what = {
        (True, False, False): _("{player} fouled"),
        (False, True, False): _("{player} was in Fantasyland"),
        (False, False, True): _("{player} had {royalty}"),
        (True, True, False): _("{player} fouled and was in Fantasyland"),
        (True, False, True): _("{player} fouled and had {royalty}"),
        (False, True, True): _("{player} was in Fantasyland and had {royalty}"),
        (True, True, True): _("{player} fouled, was in Fantasyland and had {royalty}"),
    }
    said = what.get((bool(sought.foul), bool(sought.fantasyland), bool(sought.row)), "")
    royalty = ""
    if sought.row:
        any_, so_much = _ROYALTIES[sought.row]
        royalty = str(so_much if sought.least > 1 else any_).format(least=sought.least)
    return said.format(player=name or pgettext("found", "a player"), royalty=royalty)


def big_said(sought: Sought, name: str) -> str:
    """What makes a hand big; empty if the biggest are not sought."""
    if not sought.biggest:
        return ""
    if name:
        return _("The biggest is that in which {player} won or lost the most points.").format(player=name)
    return _("The biggest is that in which one player won the most points.")


def none_said(sought: Sought, deals: int) -> str:
    """Say that none of so many hands is like that and, if none could be, why."""
    said = _("Hand 1, the only one so far, is not like that.")
    if deals > 1:
        said = ngettext(
            "None of the {count} hand is like that.", "None of the {count} hands is like that.", deals
        ).format(count=deals)
    if sought.foul and sought.row:
        return sentences(said, _("A fouled board has no royalties."))
    if sought.void and (sought.of_a_board or sought.biggest):
        return sentences(said, _("A void hand has no result: only “Void”, “Disputed” and “Corrected” find it."))
    return said
