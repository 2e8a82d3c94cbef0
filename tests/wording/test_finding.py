"""Which hands were sought, in each form that the sentence can have."""

from __future__ import annotations

import pytest

from scoring.reads import Sought
from scoring.wording.finding import sought_said


@pytest.mark.parametrize(
    ("sought", "name", "said"),
    [
        (Sought(), "", "Hands"),
        (Sought(disputed=True), "", "Disputed hands"),
        (Sought(corrected=True, void=True), "", "Corrected and void hands"),
        (Sought(disputed=True, corrected=True), "", "Disputed and corrected hands"),
        (Sought(disputed=True, void=True, biggest=True), "", "Disputed and void hands, biggest first"),
        (Sought(disputed=True, corrected=True, void=True), "", "Disputed and corrected and void hands"),
        (Sought(seat=1), "Ann", "Hands with Ann"),
        (Sought(foul=True), "", "Hands in which a player fouled"),
        (Sought(foul=True, fantasyland=True), "Ann", "Hands in which Ann fouled and was in Fantasyland"),
        (Sought(fantasyland=True, void=True), "Ann", "Void hands in which Ann was in Fantasyland"),
        (Sought(row="any"), "", "Hands in which a player had a royalty in any row"),
        (Sought(row="front", least=6), "Ann", "Hands in which Ann had a royalty of 6 or more in the front"),
        (Sought(foul=True, row="back"), "Ann", "Hands in which Ann fouled and had a royalty in the back"),
        (
            Sought(fantasyland=True, row="middle", biggest=True),
            "Ann",
            "Hands in which Ann was in Fantasyland and had a royalty in the middle, biggest first",
        ),
        (
            Sought(foul=True, fantasyland=True, row="any", least=2),
            "Ann",
            "Hands in which Ann fouled, was in Fantasyland and had a royalty of 2 or more in any row",
        ),
    ],
)
def test_what_was_sought_is_said(sought: Sought, name: str, said: str) -> None:
    assert sought_said(sought, name) == said
