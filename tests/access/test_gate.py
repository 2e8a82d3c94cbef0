"""Numbers in addresses: what no column holds is not looked for."""

import pytest
from django.http import Http404

from scoring.access import gate


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
