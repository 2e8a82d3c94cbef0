"""A page follows its session by an address that its reader alone was given."""

import pytest
from django.test import Client

from scoring import live
from scoring.models import Session
from tests.ledger.conftest import start


@pytest.mark.django_db
def test_a_page_that_swaps_and_one_that_only_tells_follow_the_same_session(client: Client) -> None:
    session: Session = start()
    address = f"/s/{session.public_id}/"
    table, form = (client.get(at).content.decode() for at in (address, f"{address}next/"))
    for page in (table, form):
        assert f'data-version="{session.version}"' in page
        assert f"{address}live?" in page
    assert "data-swap" in table
    assert "data-swap" not in form
    assert live.address(session.public_id, "", session.club_id) not in table
