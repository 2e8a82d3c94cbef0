"""Links, in words: what each lets its holder do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from scoring.models import Link
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, pgettext_lazy

DOES: Final[Mapping[Link.Role, Promise]] = {
    Link.Role.HOST: pgettext_lazy("link", "host"),
    Link.Role.SCORER: pgettext_lazy("link", "can score"),
    Link.Role.VIEWER: pgettext_lazy("link", "can watch"),
}

OPENS: Final[Mapping[Link.Role, Promise]] = {
    Link.Role.HOST: gettext_lazy("Anyone with it can do everything you can."),
    Link.Role.SCORER: gettext_lazy("Anyone who opens it can enter hands."),
    Link.Role.VIEWER: gettext_lazy("Anyone who opens it can watch."),
}


def does(link: Link) -> str:
    """What the link lets its holder do, in the list of links."""
    if link.seat:
        return _("can enter {player}’s cards").format(player=link.seat.name)
    return str(DOES[Link.Role(link.role)])


def opens(link: Link) -> str:
    """The same in a sentence, beside the address of a new link."""
    if link.seat:
        return _("Anyone who opens it can enter {player}’s cards.").format(player=link.seat.name)
    return str(OPENS[Link.Role(link.role)])
