"""Rates and shares as they are said."""

from __future__ import annotations

import pytest

from scoring.reads import rounded
from scoring.wording.statistics import _over, _per, _share, _share_of_deals, place_said


@pytest.mark.parametrize(
    ("sum_", "hands", "said"),
    [
        (12, 1, "+12.0"),
        (-1, 4, "−0.3"),
        (1, 4, "+0.3"),
        (1, 3, "+0.3"),
        (0, 5, "0.0"),
        (1, 30, "0.0"),
        (0, 0, "–"),
        (654321, 1, "+654 321.0"),
    ],
)
def test_points_per_hand(sum_: int, hands: int, said: str) -> None:
    assert _per(sum_, hands) == said


def test_royalties_have_no_sign() -> None:
    assert _per(31, 20, plus=False) == "1.6"


@pytest.mark.parametrize(
    ("sum_", "of", "figure"), [(1, 2, 1), (-1, 2, -1), (1, 3, 0), (-5, 3, -2), (7, 0, 0), (0, 3, 0)]
)
def test_half_is_rounded_away_from_zero(sum_: int, of: int, figure: int) -> None:
    assert rounded(sum_, of) == figure


def test_few_hands_have_no_percentage() -> None:
    assert _share_of_deals(4, 31).of == "of 31 hands, 13 %"
    assert _share_of_deals(4, 19).of == "of only 19 hands"
    assert _share(4, 40, 31).of == "of 40, 10 %"
    assert _share(4, 19, 19).of == "of only 19"
    assert _share(0, 0, 0).figure == "–"
    assert _share(4, 40, 19).of == "of 40, in only 19 hands"
    assert _share_of_deals(0, 0).figure == "–"
    assert (_over(19), _over(20), _over(1), _over(0)) == ("only 19 hands", "20 hands", "only 1 hand", "")


def test_places() -> None:
    assert [place_said(place) for place in (1, 2, 3, 4, 8)] == ["1st", "2nd", "3rd", "4th", "8th"]
