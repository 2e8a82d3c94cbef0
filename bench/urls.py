"""What the app's pages are measured against, answered by the same server through the same middleware."""

import time
from typing import Any

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from scoring import ledger
from scoring.models import Session

PAGE = engines["django"].from_string(
    "<!doctype html><title>{{ session.pk }}</title><table>"
    "{% for line in lines %}<tr>{% for each in line %}<td>{{ each }}</td>{% endfor %}</tr>{% endfor %}</table>"
)
LINES = [["." * 30] * 6] * 40

# Legal boards that share no card and send nobody to Fantasyland, so that every hand is like the first.
BOARDS = {
    1: ("7s8d9c", "6h6d8s9dTc", "7h7d8h8cTs"),
    2: ("5s6c9h", "JsQc9sTd7c", "JdJcQhTh6s"),
    3: ("QsQd3s", "KhKsAc2c3c", "JhAs5d5cKd"),
}


def bare(request: HttpRequest, public_id: str) -> HttpResponse:
    """A bare view: the session by its address, and a page of 10 kB that a template makes of 240 texts."""
    return HttpResponse(PAGE.render({"session": Session.objects.get(public_id=public_id), "lines": LINES}))


@csrf_exempt
def bare_write(request: HttpRequest) -> HttpResponse:
    """A bare write request: one row in one transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_bare (at) VALUES (%s)", [time.time()])
    return HttpResponse()


@csrf_exempt
def settle(request: HttpRequest, public_id: str) -> HttpResponse:
    """Settles the next hand, and says when that was committed, by the machine's clock that all processes share."""
    committed: list[float] = []
    session = Session.objects.get(public_id=public_id)
    with transaction.atomic():
        transaction.on_commit(lambda: committed.append(time.monotonic()))  # before anybody is told
        ledger.settle_deal(session=session, entry=entry(), number=session.next_number, key=str(time.time()), by="bench")
    return HttpResponse(f"{committed[0]} {session.version}")


def entry() -> Any:
    """Everybody's rows."""
    return ledger.Entry(boards={seat: ledger.Rows(*rows) for seat, rows in BOARDS.items()})


urlpatterns = [
    path("bare/<str:public_id>", bare),
    path("bare-write", bare_write),
    path("settle/<str:public_id>", settle),
    path("", include("ofcscore.urls")),
]
