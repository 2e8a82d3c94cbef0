"""Kills the writer's process at random moments: everything acknowledged is stored whole and exactly once.

The default number of kills is small; `make soak` sets the real one.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from django.db import connection

from scoring.ledger import audit
from scoring.models import Deal, Event
from tests.ledger.conftest import start

KILLS = int(os.environ.get("KILLS", "6"))


@pytest.mark.django_db(transaction=True)
def test_pulled_plug() -> None:
    session = start()
    database = str(connection.settings_dict["NAME"])
    connection.close()
    acknowledged: dict[str, int | None] = {}
    chance = random.Random(7)
    command = [sys.executable, "-m", "tests.ledger.writer", database, str(session.pk)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for kill in range(KILLS):
            nursery.stdin.write("go\n")
            nursery.stdin.flush()
            writer = 0
            heard = 0
            for line in nursery.stdout:
                word, *rest = line.split()
                if word == "writer":
                    writer = int(rest[0])
                elif word == "gone":
                    break
                else:
                    heard += 1
                    acknowledged[rest[-1]] = int(rest[0]) if word == "settled" else None
                    if heard == 1:  # the writer is at work, so kill it at a random moment
                        time.sleep(chance.random() / 20)
                        os.kill(writer, signal.SIGKILL)
            if kill % 20 == 19 or kill == KILLS - 1:
                assert list(map(str, audit.of_everything())) == []
        nursery.stdin.close()
    events = dict(Event.objects.filter(session=session).exclude(n=1).values_list("key", "deal"))
    assert set(acknowledged) <= set(events)
    for key, number in acknowledged.items():
        assert number is None or events[key] == number
    # A writer may die between its commit and its acknowledgement, but it acknowledges one at a time.
    assert len(events) - len(acknowledged) <= KILLS
    numbers = list(Deal.objects.filter(session=session).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= KILLS // 2
    said = f"{len(acknowledged)} of {len(events)} events acknowledged"
    print(f"\n{KILLS} kills on {connection.vendor}: {len(numbers)} hands, {said}")
