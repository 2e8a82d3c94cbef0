"""The page for a link that may read a session but not do what was asked: what the phone may do, and the way back."""

from __future__ import annotations

import pytest

from tests.access.conftest import Cast
from tests.access.reading import read
from tests.pages import follow

SEAT = "This phone can enter Ann’s cards and mark Ann’s payments as paid, but this is for the host or another player."
SCORER = "This phone can enter and settle hands, but this is for the host or for another player’s phone."
VIEWER = "You can watch this session, but this is for the host or a scorer."


@pytest.mark.parametrize(("who", "said"), [("seat", SEAT), ("scorer", SCORER), ("viewer", VIEWER)])
@pytest.mark.parametrize("path", ["close/", "pay/?payer=2&payee=3&way=fewest"])
def test_the_page_says_what_the_phone_may_do_and_leads_back(cast: Cast, who: str, said: str, path: str) -> None:
    answer = cast.browsers[who].get(f"/s/{cast.session.public_id}/{path}")
    assert answer.status_code == 403
    shown = " ".join(" ".join(read(answer, path).text).split())
    assert f"{said} Nothing was changed. Ask the host for access." in shown
    assert follow(answer, "Back to the table").status_code == 200
