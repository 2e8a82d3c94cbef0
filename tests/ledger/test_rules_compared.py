"""Stored rules are compared by what they resolve to, because a newer release may know more keys and named charts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from scoring import ledger
from scoring.actions.terms import ChangeTerms
from scoring.ledger import audit
from scoring.models import Revision, Session
from scoring.rules.houserules import CHARTS
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle
from tests.ledger.tampering import chain_again, unguarded


@pytest.fixture
def older(session: Session) -> Session:
    """Three deals as stored by a release that knew neither `moon_points` nor `aria-2013`."""
    act(ChangeTerms, session, rules={"royalties": "aria-2013"})
    for _ in range(3):
        settle(session)

    def as_then(rules: dict[str, Any]) -> dict[str, Any]:
        chart = {row: dict(table) for row, table in CHARTS["aria-2013"].tables().items()}
        return {key: value for key, value in {**rules, "royalties": chart}.items() if key != "moon_points"}

    with unguarded():
        for revision in Revision.objects.filter(deal__session=session):
            document = revision.document
            assert document is not None
            assert document["rules"]["royalties"] == "aria-2013"
            stored = json.dumps({**document, "rules": as_then(document["rules"])})
            with connection.cursor() as cursor:
                cast = "%s::jsonb" if connection.vendor == "postgresql" else "%s"
                cursor.execute(f"UPDATE scoring_revision SET document = {cast} WHERE id = %s", [stored, revision.pk])
    chain_again(session)
    return session


def test_the_audit_finds_nothing_in_an_older_releases_rules(older: Session) -> None:
    assert list(map(str, audit.of_session(older.pk))) == []


def test_a_correction_settles_only_the_hand_that_changed(older: Session) -> None:
    act(ledger.correct_deal, older, number=1, entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK), note="so")
    rewritten = Revision.objects.filter(deal__session=older, n=2).values_list("deal__number", "kind")
    assert [(number, kind) for number, kind in rewritten if number > 2] == []


def test_another_chart_is_noticed(session: Session) -> None:
    """The comparison still notices a real difference: this table's own chart is one point off."""
    chart = {row: dict(table) for row, table in CHARTS["aria-2013"].tables().items()}
    act(ChangeTerms, session, rules={"royalties": {**chart, "back": {**chart["back"], "flush": 5}}})
    settle(session)
    act(ledger.undo, session)
    assert list(map(str, audit.of_session(session.pk))) == []
