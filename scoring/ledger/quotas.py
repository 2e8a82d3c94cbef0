"""What one club may hold. The operator sets each quota; 0 is none. Revoked links and deleted sessions count too."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from scoring.game.errors import refuse
from scoring.models import Club, Link, Player, Seat, Session


def check_sessions(club: Club, number: int) -> None:
    """Raise `LedgerError` if the club may not have a session with this number now."""
    hour, most = settings.SESSIONS_PER_HOUR, settings.SESSIONS_PER_CLUB
    if most and number > most:
        raise refuse("quota", "", f"A club may have {most} sessions on this server. Its operator can allow more.")
    since = timezone.now() - timedelta(hours=1)
    if hour and Session.objects.filter(club=club, opened_at__gt=since).count() >= hour:
        raise refuse("quota", "", f"This club has started {hour} sessions within an hour. Wait a while.")


def check_players(club: Club) -> None:
    """Raise `LedgerError` if the club now has more players than it may."""
    most = settings.PLAYERS_PER_CLUB
    if most and Player.objects.filter(club=club).count() > most:
        raise refuse("quota", "name", f"A club may have {most} players on this server. Its operator can allow more.")


def check_people(session: Session) -> None:
    """Raise `LedgerError` if nobody new may sit down in the session. Pages of it have every two people who ever did."""
    most = settings.PEOPLE_PER_SESSION
    if most and Seat.objects.filter(session=session, number__gt=0).count() >= most:
        raise refuse("quota", "name", f"{most} people have sat in this session, which is the most. Start a new one.")


def check_session(session: Session, *, settles: bool, closes: bool) -> None:
    """Raise `LedgerError` if the session may not have another event, or another hand. It can always be closed."""
    hands, events = settings.HANDS_PER_SESSION, settings.EVENTS_PER_SESSION
    if settles and hands and session.deals >= hands:
        raise refuse("quota", "", f"This session has {hands} hands, which is the most. Start a new one.")
    if not closes and events and session.version >= events:
        raise refuse(
            "quota", "", f"The history of this session has {events} entries, which is the most. Start a new one."
        )


def check_links(club: Club, session: Session | None) -> None:
    """Raise `LedgerError` if nobody may make another link to the session, or without one to the club."""
    most = settings.LINKS_PER_SESSION
    if most and Link.objects.filter(club=club, session=session).count() >= most:
        what = "session" if session else "club"
        raise refuse("quota", "", f"This {what} has had {most} links, which is the most. Its operator can allow more.")
