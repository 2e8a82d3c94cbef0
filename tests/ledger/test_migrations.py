"""Every schema since the first release is reached from its data with nothing lost.

`first_release.json` holds every row of an evening that the first release wrote: buy-ins, a correction that carried
through, a void hand, a penalty, an undo, a flag, frozen totals. It is not made again when the schema changes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django_test_migrations.migrator import Migrator

from scoring import reads
from scoring.ledger import append_only, audit
from scoring.models import Session
from tests.ledger.conftest import money, points

FIRST_RELEASE = ("scoring", "0002_append_only")
ROWS: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "first_release.json").read_text())

POINTS = {1: 0 + 74 + 1, 2: 12 - 31 + 1, 3: -12 - 43 - 2, 4: 0}
MONEY = {1: -5_400 + 40_700 + 100, 2: 6_600 - 36_400 + 100, 3: -1_200 - 4_300 - 200, 4: 0}
"""Hand 1 as corrected, hand 2 with Ann's aces at 10 a point from Bob and 1 from Cat, Cat's penalty."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_first_releases_evening_comes_through() -> None:
    migrator = Migrator()
    try:
        then = migrator.apply_initial_migration(FIRST_RELEASE).apps
        for name, rows in ROWS.items():
            then.get_model("scoring", name).objects.bulk_create(then.get_model("scoring", name)(**row) for row in rows)
        migrator.apply_tested_migration(
            [node for node in MigrationLoader(connection).graph.leaf_nodes() if node[0] == "scoring"]
        )
        for name, rows in ROWS.items():
            now = {row["id"]: row for row in apps.get_model("scoring", name).objects.values()}
            assert set(now) == {row["id"] for row in rows}
        assert append_only.triggers(connection) == append_only.expected(connection)
        assert list(map(str, audit.of_everything())) == []
        session = Session.objects.get()
        assert money(session) == MONEY
        assert points(session) == POINTS
        assert next((each.player, each.money) for each in reads.standings(session.club)) == ("Ann", MONEY[1])
        assert [hand.revision.voided for hand in reads.ledger_page(session).deals] == [True, False, False]
    finally:
        migrator.reset()
