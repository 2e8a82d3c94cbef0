from typing import Any

from django.db import migrations
from django.utils import timezone

from scoring.ledger import append_only
from scoring.ledger.chain import hash_of, linked


def number_sessions(apps: Any, schema_editor: Any) -> None:
    """Sessions are numbered in the order in which they were opened."""
    club_model, session_model = apps.get_model("scoring", "Club"), apps.get_model("scoring", "Session")
    for club in club_model.objects.all().iterator():
        number = 0
        for number, session in enumerate(session_model.objects.filter(club=club).order_by("opened_at", "pk"), 1):
            session_model.objects.filter(pk=session.pk).update(number=number)
        club_model.objects.filter(pk=club.pk).update(started=number)


def chain_events(apps: Any, schema_editor: Any) -> None:
    """Chain the events of stored sessions, marked as chained now: what was changed before can no longer be seen.

    A session opened and closed when the events say so; the columns were some microseconds off.
    """
    event_model, session_model = apps.get_model("scoring", "Event"), apps.get_model("scoring", "Session")
    now = timezone.now().isoformat(timespec="microseconds")
    for session in session_model.objects.all().iterator():
        events = event_model.objects.filter(session=session)
        first = events.filter(n=1).first()
        if first is None:
            continue
        rename = events.filter(verb="rename").order_by("n").first()
        seats = apps.get_model("scoring", "Seat").objects.filter(session=session, kind="player").order_by("number")
        opened = {
            "session": session.public_id,
            "number": session.number,
            "name": rename.action["was"] if rename else session.name,
            "currency": session.currency,
            "minor_digits": session.minor_digits,
            "players": [[number, player] for number, player in seats.values_list("number", "player_id")],
        }
        events.update(chained={"at": now})
        events.filter(n=1).update(chained={"at": now, **opened})
        head = ""
        for content, _, _ in linked(session, apps):
            content["previous"] = head
            head = hash_of(content)
            events.filter(n=content["n"]).update(hash=head)
        close = events.filter(verb="close").order_by("-n").first()
        session_model.objects.filter(pk=session.pk).update(
            head=head,
            opened_at=first.at,
            closed_at=close.at if close and session.closed_at else session.closed_at,
        )


class Migration(migrations.Migration):
    """The sessions so far get their numbers and their chains."""

    dependencies = [("scoring", "0013_chain")]

    operations = [
        migrations.RunPython(number_sessions, migrations.RunPython.noop),
        migrations.RunPython(append_only.remove, append_only.install),
        migrations.RunPython(chain_events, migrations.RunPython.noop),
        migrations.RunPython(append_only.install, append_only.remove),
    ]
