"""What one club may hold. The operator sets each quota; 0 is none. Revoked links and deleted sessions count too."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from scoring.actions.base import Action
from scoring.actions.deals import Settle
from scoring.actions.evening import Close
from scoring.game.errors import refuse
from scoring.models import Club, Link, Player, Seat, Session
from scoring.rules.phrase import Phrase

TO_SETTLE_UP: Final = 1_000
"""So many entries more may settle up a session that has the most: what a closed one may have, such as payments."""


def check_sessions(club: Club, number: int) -> None:
    """Raise `LedgerError` if the club may not have a session with this number now."""
    hour, most = settings.SESSIONS_PER_HOUR, settings.SESSIONS_PER_CLUB
    if most and number > most:
        message = Phrase.plural(
            "A club may have {count} session on this server. Its operator can allow more.",
            "A club may have {count} sessions on this server. Its operator can allow more.",
            most,
        )
        raise refuse("quota", "", message)
    since = timezone.now() - timedelta(hours=1)
    if hour and Session.objects.filter(club=club, opened_at__gt=since).count() >= hour:
        message = Phrase.plural(
            "This club has started {count} session within an hour. Wait a while.",
            "This club has started {count} sessions within an hour. Wait a while.",
            hour,
        )
        raise refuse("quota", "", message)


def check_players(club: Club) -> None:
    """Raise `LedgerError` if the club now has more players than it may."""
    most = settings.PLAYERS_PER_CLUB
    if most and Player.objects.filter(club=club).count() > most:
        message = Phrase.plural(
            "A club may have {count} player on this server. Its operator can allow more.",
            "A club may have {count} players on this server. Its operator can allow more.",
            most,
        )
        raise refuse("quota", "name", message)


def check_people(session: Session) -> None:
    """Raise `LedgerError` if nobody new may sit down in the session. Pages of it have every two people who ever did."""
    most = settings.PEOPLE_PER_SESSION
    if most and Seat.objects.filter(session=session, number__gt=0).count() >= most:
        message = Phrase.plural(
            "{count} person has sat in this session, which is the most. Start a new one.",
            "{count} people have sat in this session, which is the most. Start a new one.",
            most,
        )
        raise refuse("quota", "name", message)


def check_session(session: Session, action: type[Action]) -> None:
    """Raise `LedgerError` if the session may not have another event, or another deal. It can always be closed."""
    deals, events = settings.HANDS_PER_SESSION, settings.EVENTS_PER_SESSION
    if action is Settle and deals and session.deals >= deals:
        message = Phrase.plural(
            "This session has {count} hand, which is the most. Start a new one.",
            "This session has {count} hands, which is the most. Start a new one.",
            session.deals,
        )
        raise refuse("quota", "", message)
    if events and action.on_closed:
        events += TO_SETTLE_UP
    if action is not Close and events and session.version >= events:
        message = Phrase.plural(
            "The history of this session has {count} entry, which is the most. Start a new one.",
            "The history of this session has {count} entries, which is the most. Start a new one.",
            events,
        )
        raise refuse("quota", "", message)


def check_links(club: Club, session: Session | None) -> None:
    """Raise `LedgerError` if nobody may make another link to the session, or without one to the club."""
    most = settings.LINKS_PER_SESSION
    if most and Link.objects.filter(club=club, session=session).count() >= most:
        of_session = Phrase.plural(
            "This session has had {count} link, which is the most. The server’s operator can allow more.",
            "This session has had {count} links, which is the most. The server’s operator can allow more.",
            most,
        )
        of_club = Phrase.plural(
            "This club has had {count} link, which is the most. The server’s operator can allow more.",
            "This club has had {count} links, which is the most. The server’s operator can allow more.",
            most,
        )
        raise refuse("quota", "", of_session if session else of_club)
