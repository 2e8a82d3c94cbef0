"""`manage.py demo`, where there is no demo yet."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from scoring import demo, drafts
from scoring.models import Club, Session
from tests.access.reading import read
from tests.demo.conftest import counts, last
from tests.ledger.conftest import start


def test_the_command_makes_it_once_and_deletes_it(db: None) -> None:
    others = start()
    empty = counts()

    def said(*options: str) -> str:
        out = StringIO()
        call_command("demo", *options, stdout=out)
        return out.getvalue().strip()

    assert said() == "The demo was made: /demo/"
    made = counts()
    assert said("--steps", "5") == "The demo is there: /demo/"
    assert (last().deals, len(drafts.of(last()))) == (6, 1)
    assert said("--anew", "--verbosity", "0") == ""
    assert (counts(), last().deals) == (made, 5), "whoever comes first has something to see"
    with override_settings(DEMO=False):
        assert not demo.there()
        assert said() == "DEMO=0: the demo was deleted."
        assert said("--steps", "1") == "DEMO=0: there is no demo."
    assert counts() == empty
    assert Session.objects.filter(pk=others.pk).exists()
    assert not demo.there()


@override_settings(SESSIONS_PER_HOUR=3)
def test_a_quota_that_is_too_small_is_said_and_leaves_nothing(db: None) -> None:
    with pytest.raises(CommandError, match="The demo was not made: This club has started 3 sessions"):
        call_command("demo", stdout=StringIO())
    assert not Club.objects.exists()


def test_without_a_demo_nothing_is_played(db: None) -> None:
    session = start()
    assert not demo.move_on()
    assert (Session.objects.get().pk, Session.objects.get().version) == (session.pk, 1)


def test_the_start_page_leads_to_no_demo_that_is_not_there(db: None) -> None:
    assert "/demo/" not in read(Client().get("/"), "/").links
    assert Client().get("/demo/").status_code == 404
