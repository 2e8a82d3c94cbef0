"""A refusal has every reason, each once."""

from scoring.game.errors import LedgerError
from scoring.rules.errors import Problem


def test_a_refusal_as_one_text_has_each_reason_once() -> None:
    one, other = Problem("bad-value", "a", "This is one."), Problem("bad-value", "b", "This is another.")
    refusal = LedgerError([one, other, one], [3])
    assert str(refusal) == "This is one. This is another."
    assert (refusal.problems, refusal.short) == ((one, other), (3,))
