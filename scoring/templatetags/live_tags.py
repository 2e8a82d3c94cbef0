"""What makes a page of a session follow it."""

from typing import Any

from django import template
from django.template import Context

from scoring import live
from scoring.models import Session

register = template.Library()


@register.inclusion_tag("shared/_live.html", takes_context=True)
def follow(context: Context, session: Session, *, swap: bool = False) -> dict[str, Any]:
    """The place in a page that `live.js` reads, and where it says what happened.

    With ``swap`` the page is brought up to date as it stands; without, somebody may be typing in it, and is only told.
    """
    link = context["may"].link.public_id
    return {"session": session, "address": live.address(session.public_id, link), "swap": swap}
