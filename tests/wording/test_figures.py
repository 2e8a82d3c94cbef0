"""Figures as text: a sign, a real minus, a dash for nothing."""

import pytest

from scoring.wording.figures import money, signed, signed_money, unsigned

THIN = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("points", "text"), [(4, "+4"), (-4, "−4"), (0, "–"), (1234, "+1234"), (-12345, f"−12{THIN}345")]
)
def test_points_carry_a_sign(points: int, text: str) -> None:
    assert signed(points) == text
    assert unsigned(abs(points)) == text.lstrip("+−")


@pytest.mark.parametrize(
    ("minor", "digits", "text"),
    [
        (4000, 2, "40.00"),
        (5, 2, "0.05"),
        (0, 2, "–"),
        (1500, 0, "1500"),
        (1234567, 2, f"12{THIN}345.67"),
        (1001, 3, "1.001"),
        (-250, 2, "−2.50"),
    ],
)
def test_money_has_the_decimals_of_its_currency(minor: int, digits: int, text: str) -> None:
    assert money(minor, digits) == text
    if minor > 0:
        assert signed_money(minor, digits) == f"+{text}"
        assert signed_money(-minor, digits) == f"−{text}"
