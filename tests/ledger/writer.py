"""A process that settles deals until `test_pulled_plug.py`, which starts it, kills it.

Usage: ``python -m tests.ledger.writer DATABASE SESSION``. For each line on its standard input it forks a writer and
prints ``writer PID``, and then ``gone`` once the writer has died. The writer prints ``settled NUMBER KEY`` for each
deal it settled, and ``did KEY`` for anything else.
"""

from __future__ import annotations

import os
import random
import sys
import uuid
from typing import Any

import django


def write(session_id: int) -> None:
    from scoring import ledger
    from scoring.game.errors import LedgerError
    from scoring.models import Session
    from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, entry

    chance = random.Random()
    while True:
        session = Session.objects.get(pk=session_id)
        key = uuid.uuid4().hex
        who: dict[str, Any] = {"session": session, "key": key, "by": "writer"}
        if session.deals and chance.random() < 0.3:
            recent = max(1, session.deals - chance.randrange(3))
            hand = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
            try:
                if chance.random() < 0.5:
                    ledger.correct_deal(**who, number=recent, entry=hand, note="so")
                else:
                    ledger.void_deal(**who, number=recent, note="so")
            except LedgerError:
                continue
            said = f"did {key}"
        else:
            deal = ledger.settle_deal(**who, entry=LEVEL, number=session.next_number)
            said = f"settled {deal.number} {key}"
        os.write(1, f"{said}\n".encode())


def main(database: str, session: str) -> None:
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from django.db import connections

    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            write(int(session))
        os.write(1, f"writer {child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"gone\n")
    connections.close_all()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    main(*sys.argv[1:])
