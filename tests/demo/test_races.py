"""Several processes and threads play the demo at once: it is made once, and each step is made once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from scoring import demo, drafts, ledger
from scoring.demo.evenings import Evening
from scoring.demo.playing import REST
from scoring.ledger import audit
from scoring.models import Club, Session
from scoring.transactions import writing
from tests.demo.conftest import counts, last
from tests.servers import ROOT, address_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)

STEP = """
import django
django.setup()
from scoring import demo
from scoring.access import limits
limits.demo_steps.seconds = 24 * 60 * 60
demo.step()
"""


def at_once(do: Callable[[], Any], times: int = 4) -> list[Any]:
    """Does it in several threads."""

    def done(_: int) -> Any:
        try:
            return do()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(done, range(times)))


def test_it_is_made_once() -> None:
    assert sorted(at_once(demo.make)) == [False, False, False, True]
    assert (Club.objects.count(), Session.objects.count()) == (1, 4)
    assert not list(audit.of_everything())


def test_processes_that_make_a_step_at_once_make_one() -> None:
    demo.make()
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": address_of_the_database(),
    }
    processes = [subprocess.Popen([sys.executable, "-c", STEP], cwd=ROOT, env=environment) for _ in "abc"]
    assert [each.wait() for each in processes] == [0, 0, 0]
    assert len(drafts.of(last())) == 1


def test_threads_that_begin_the_session_again_at_once_begin_one() -> None:
    demo.make()
    before, first = counts(), last()
    Evening("tonight", first, "Anna").do(ledger.close_session)
    with writing():
        Session.objects.filter(pk=first.pk).update(closed_at=timezone.now() - REST)
    at_once(demo.move_on)
    assert last().pk != first.pk
    assert len(drafts.of(last())) <= 3  # the others found the fresh session, or none any more
    assert {name: count for name, count in counts().items() if name != "Draft"} == {
        name: count for name, count in before.items() if name != "Draft"
    }
    assert not list(audit.of_everything())
