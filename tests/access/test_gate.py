"""Numbers in addresses: what no column holds is not looked for. And who may look at the demo."""

import pytest
from django.http import Http404
from django.test import Client, override_settings

from scoring.access import gate
from scoring.models import DEMO, Club
from tests.ledger.conftest import start


@pytest.mark.parametrize("bits", [15, 31, 63])
def test_a_number_has_so_many_bits(bits: int) -> None:
    assert gate._up_to(bits, 2**bits - 1) == 2**bits - 1
    with pytest.raises(Http404):
        gate._up_to(bits, 2**bits)


@pytest.mark.parametrize("public_id", ["\0", "é", "a\n", "a\x7f"])
def test_text_that_no_column_holds_is_not_looked_for(public_id: str) -> None:
    with pytest.raises(Http404):
        gate._clean(public_id)
    assert gate._clean("aZ-_9") == "aZ-_9"


@pytest.mark.parametrize(("wanted", "statuses"), [(True, [200, 403]), (False, [404, 404])])
def test_everybody_may_look_at_the_demo_unless_the_operator_wants_none_and_at_no_other_club(
    db: None, wanted: bool, statuses: list[int]
) -> None:
    demo, other = start(), start()
    Club.objects.filter(pk=demo.club_id).update(public_id=DEMO)
    with override_settings(DEMO=wanted):
        of_demo, of_other = (
            [Client().get(f"/s/{session.public_id}/{page}").status_code for page in ("", "chips/")]
            for session in (demo, other)
        )
    assert (of_demo, of_other) == (statuses, [404, 404])
