"""Makes a page follow its session."""

from typing import Any

from django import template
from django.template import Context

from scoring import live
from scoring.access import Grant
from scoring.models import Session

register = template.Library()


@register.inclusion_tag("shared/_live.html", takes_context=True)
def follow(context: Context, session: Session, *, swap: bool = False) -> dict[str, Any]:
    """Renders the element that `live.js` reads, and where it reports changes.

    With ``swap`` the page updates in place. Without it the page only says what happened, since someone may be typing.
    """
    may: Grant = context["may"]
    address = live.address(session.public_id, may.opener, session.club_id)
    return {"session": session, "address": address, "swap": swap, "demo": may.demo}
