"""Data of every earlier schema migrates without loss, and what was played then can be replayed.

``releases/`` holds every row of an evening as that release's code wrote it; a schema change never regenerates these
files. `before-0.1.0.json` has buy-ins, a correction that carried through, a void deal, a penalty, an undo, a dispute
and frozen totals. `0.1.0.json` has every action of that release, and a royalty chart of the table's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django_test_migrations.migrator import Migrator

from scoring import reads
from scoring.actions import ACTIONS
from scoring.ledger import audit
from scoring.models import Draft, Session
from tests.ledger.conftest import money, points

RELEASES = Path(__file__).parent / "releases"
RENAMED = {"board": "boardresult"}
"""Models that have since been renamed: old name -> new name."""

POINTS = {1: 0 + 74 + 1, 2: 12 - 31 + 1, 3: -12 - 43 - 2, 4: 0}
MONEY = {1: -5_400 + 40_700 + 100, 2: 6_600 - 36_400 + 100, 3: -1_200 - 4_300 - 200, 4: 0}
"""Before 0.1.0: deal 1 as corrected, deal 2 with Ann's aces at 10 per point from Bob and 1 from Cat, Cat's penalty."""


def rows(release: str) -> dict[str, list[dict[str, Any]]]:
    """The release's rows, by model."""
    found: dict[str, list[dict[str, Any]]] = json.loads((RELEASES / f"{release}.json").read_text())
    return found


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("release", "migration", "points_then", "money_then"),
    [
        ("before-0.1.0", "0002_append_only", POINTS, MONEY),
        (
            "0.1.0",
            "0008_live_notices",
            {1: 127, 2: -16, 3: -111, 4: 0, 5: 0},
            {1: 70_550, 2: -44_200, 3: -26_350, 4: 0, 5: 0},
        ),
    ],
)
def test_an_earlier_releases_evening_comes_through(
    release: str, migration: str, points_then: dict[int, int], money_then: dict[int, int]
) -> None:
    migrator = Migrator()
    try:
        then = migrator.apply_initial_migration(("scoring", migration)).apps
        for name, stored in rows(release).items():
            model = then.get_model("scoring", name)
            model.objects.bulk_create(model(**row) for row in stored)
        migrator.apply_tested_migration(
            [node for node in MigrationLoader(connection).graph.leaf_nodes() if node[0] == "scoring"]
        )
        for name, stored in rows(release).items():
            now = apps.get_model("scoring", RENAMED.get(name, name)).objects.values_list("id", flat=True)
            assert set(now) == {row["id"] for row in stored}
        assert list(map(str, audit.of_everything())) == []
        session = Session.objects.get()
        assert (session.number, session.club.started) == (1, 1)
        assert {event.chained is not None for event in session.events.all()} == {True}  # marked as chained later
        assert money(session) == money_then
        assert points(session) == points_then
        assert next((each.player, each.money) for each in reads.standings(session.club)) == ("Ann", money_then[1])
    finally:
        migrator.reset()


def test_the_evening_of_0_1_0_has_every_action_of_its_time() -> None:
    verbs = {event["verb"] for event in rows("0.1.0")["event"]}
    assert len(verbs) == 23
    assert verbs <= set(ACTIONS)


@contextmanager
def as_0_1_0_left_it() -> Iterator[Migrator]:
    """The database as that release left it, ready to be upgraded."""
    migrator = Migrator()
    try:
        then = migrator.apply_initial_migration(("scoring", "0008_live_notices")).apps
        for name, stored in rows("0.1.0").items():
            model = then.get_model("scoring", name)
            model.objects.bulk_create(model(**row) for row in stored)
        yield migrator
    finally:
        migrator.reset()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_board_that_was_hidden_before_an_upgrade_stays_hidden() -> None:
    with as_0_1_0_left_it() as migrator:
        then = migrator.apply_tested_migration(("scoring", "0019_forgotten_browsers")).apps
        session = then.get_model("scoring", "Session").objects.get()
        seats = session.seats.filter(kind="player", position__isnull=False, sitting_out=False).order_by("number")[:2]
        for seat, cards in zip(seats, (14, 0), strict=True):
            session.seats.filter(pk=seat.pk).update(fantasyland_cards=cards)
            session.drafts.create(seat=seat, number=session.deals + 1, front="As Ah Ad", device="phone")
        migrator.apply_tested_migration(("scoring", "0020_draft_dealt_at_once"))
        drafts = Draft.objects.order_by("seat__number").only("dealt_at_once", "revealed")  # later columns are not there
        assert [draft.hidden for draft in drafts] == [True, False]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_after_an_upgrade_the_boards_of_an_undone_deal_are_known_as_such() -> None:
    with as_0_1_0_left_it() as migrator:
        then = migrator.apply_tested_migration(("scoring", "0026_draft_unchosen")).apps
        session = then.get_model("scoring", "Session").objects.get()
        seats = session.seats.filter(kind="player")[:2]
        for seat, device in zip(seats, ("", "phone"), strict=True):
            shown = {"when_shown": "AsAhAd//", "revealed": True, "dealt_at_once": True}
            session.drafts.create(seat=seat, number=session.deals + 1, front="As Ah Ad", device=device, **shown)
        now = migrator.apply_tested_migration(("scoring", "0027_draft_undone")).apps
        drafts = now.get_model("scoring", "Draft").objects.order_by("-device")
        assert [(draft.undone, draft.when_shown, draft.revealed, draft.dealt_at_once) for draft in drafts] == [
            ("", "AsAhAd//", True, True),
            ("As Ah Ad//", "", False, False),
        ]
