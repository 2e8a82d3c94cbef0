"""Bare views to compare the app's pages with, served by the same server through the same middleware."""

import copy
import time
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from scoring import ledger
from scoring.game.entry import Entry, Rows
from scoring.models import Revision, Session
from scoring.transactions import writing

PAGE = engines["django"].from_string(
    "<!doctype html><title>{{ session.pk }}</title><table>"
    "{% for line in lines %}<tr>{% for each in line %}<td>{{ each }}</td>{% endfor %}</tr>{% endfor %}</table>"
)
LINES = [["." * 30] * 6] * 40

# Legal boards that share no card and bring nobody to Fantasyland, so that every deal is like the first.
BOARDS = {
    1: ("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs"),
    2: ("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s"),
    3: ("QsQd3s", "KhKsAc2c3c", "JhAs5d5cKd"),
}


def bare(request: HttpRequest, public_id: str) -> HttpResponse:
    """Loads the session, and renders a page of 10 kB from 240 strings."""
    return HttpResponse(PAGE.render({"session": Session.objects.get(public_id=public_id), "lines": LINES}))


@csrf_exempt
def bare_write(request: HttpRequest, public_id: str) -> HttpResponse:
    """Writes the rows of a settled deal once more, with Django's models in one transaction.

    It leaves out the gate, the rules, idempotency and all else that makes a ledger.
    """
    with writing():
        session = Session.objects.select_for_update().get(public_id=public_id)
        revision, *written = hand_of(session)
        event, deal = revision.event, revision.deal
        event.n, event.key, deal.number = session.version + 1, str(time.time()), session.deals + 1
        for one in (event, deal, revision):
            one.pk = None
            if one is revision:
                revision.event, revision.deal = event, deal
            one.save(force_insert=True)
        for rows in written:
            for row in rows:
                row.pk, row.revision = None, revision
            type(rows[0]).objects.bulk_create(rows)
        Session.objects.filter(pk=session.pk).update(version=event.n, deals=deal.number)
    return HttpResponse()


def hand_of(session: Session) -> list[Any]:
    """Copies the session's first deal: its revision with event and deal, then a list for each table below it."""
    if session.pk not in _hands:
        revision = Revision.objects.select_related("event", "deal").get(deal__session=session, deal__number=1)
        _hands[session.pk] = [revision, [*revision.boards.all()], [*revision.pairs.all()], [*revision.transfers.all()]]
    return copy.deepcopy(_hands[session.pk])


_hands: dict[int, list[Any]] = {}


@csrf_exempt
def settle(request: HttpRequest, public_id: str) -> HttpResponse:
    """Settles the next deal. Answers with the time of its commit, on the clock all processes share, and the version."""
    committed: list[float] = []
    session = Session.objects.get(public_id=public_id)
    with writing():
        transaction.on_commit(lambda: committed.append(time.monotonic()))  # first, before any stream is told
        ledger.settle_deal(session=session, entry=entry(), number=session.next_number, key=str(time.time()), by="bench")
    return HttpResponse(f"{committed[0]} {session.version}")


def entry() -> Any:
    """An entry with `BOARDS` for all players."""
    return Entry(boards={seat: Rows(*rows) for seat, rows in BOARDS.items()})


urlpatterns = [
    path("bare/<str:public_id>", bare),
    path("bare-write/<str:public_id>", bare_write),
    path("settle/<str:public_id>", settle),
    path("", include("ofcscore.urls")),
]
