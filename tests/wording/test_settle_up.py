"""Who pays whom, in both ways, with the sums that make each payment."""

import pytest

from scoring import reads
from scoring.actions.fee import Fee
from scoring.actions.penalty import Penalty
from scoring.actions.people import Join
from scoring.actions.side_bet import SideBet
from scoring.models import Session
from scoring.wording.session import title
from scoring.wording.settle_up import PaymentShown, SettleUp, adding_up, settle_up
from tests.ledger.conftest import act, start


def shown(session: Session) -> SettleUp:
    return settle_up(session, reads.state(session))


def read(payments: list[PaymentShown]) -> list[str]:
    return [f"{each.payer} > {each.payee} {each.amount}" for each in payments]


@pytest.fixture
def played(db: None) -> Session:
    """Ann has won 5.00 twice from Bob and lost 3.00 to Cat, who owes a fee; stakes are 1.00 a point."""
    session = start()
    act(SideBet, session, payer=2, payee=1, amount=500, note="red")
    act(Penalty, session, seat=2, points=5, to=[1], note="late")
    act(SideBet, session, payer=1, payee=3, amount=300, note="black")
    act(Fee, session, seats=[3], amount=200, note="room")
    return session


def test_fewest_payments_open_to_the_results_of_both(played: Session) -> None:
    found = shown(played)
    assert read(found.fewest) == ["Bob > Ann 7.00", "Bob > House 2.00", "Bob > Cat 1.00"]
    assert [each.why for each in found.fewest] == [
        ["Bob lost 10.00 and pays Ann 7.00, House 2.00 and Cat 1.00.", "Ann won 7.00 and gets 7.00 from Bob."],
        ["Bob lost 10.00 and pays Ann 7.00, House 2.00 and Cat 1.00."],
        [
            "Bob lost 10.00 and pays Ann 7.00, House 2.00 and Cat 1.00.",
            "Cat won 3.00, owes 2.00 in fees, and gets 1.00 from Bob.",
        ],
    ]
    assert (found.proven, found.fees) == ("Fewer payments would not do.", True)


def test_pair_by_pair_payments_open_to_what_passed_between_two(played: Session) -> None:
    found = shown(played)
    assert read(found.pairs) == ["Bob > Ann 10.00", "Ann > Cat 3.00", "Cat > House 2.00"]
    sums = [[("Side bets", "5.00"), ("Penalties", "5.00")], [("Side bets", "3.00")], [("Fees", "2.00")]]
    assert [each.sums for each in found.pairs] == sums
    act(SideBet, played, payer=1, payee=2, amount=700, note="blue")
    assert shown(played).pairs[0].sums == [("Side bets", "−2.00"), ("Penalties", "5.00")]
    act(SideBet, played, payer=1, payee=2, amount=300, note="green")
    assert read(shown(played).pairs) == ["Ann > Cat 3.00", "Cat > House 2.00"]


def test_a_message_to_the_group_has_ten_lines_at_most(played: Session) -> None:
    first, *lines = shown(played).text.splitlines()
    assert first == f"{title(played)}, who pays whom:"
    assert lines == ["Bob pays Ann 7.00 EUR", "Bob pays House 2.00 EUR", "Bob pays Cat 1.00 EUR"]


@pytest.mark.django_db
@pytest.mark.parametrize(("payers", "last"), [(9, "Ann pays P9 1.00 EUR"), (11, "… and 3 more payments")])
def test_more_payments_than_fit_are_counted(payers: int, last: str) -> None:
    names = [f"P{number}" for number in range(1, payers + 1)]
    session = start("Ann Bob")
    for name in names:
        act(Join, session, name=name)
    for seat in range(3, payers + 3):
        act(SideBet, session, payer=1, payee=seat, amount=100, note="toast")
    lines = shown(session).text.splitlines()
    assert len(lines) == 10
    assert lines[-1] == last


@pytest.mark.parametrize(
    ("sign", "won"), [(1, "Ann won 5.00"), (-1, "Ann lost 5.00"), (0, "Ann came out even")], ids=["won", "lost", "even"]
)
@pytest.mark.parametrize("facts", ["", "owes 2.00 in fees, was paid 1.00"])
@pytest.mark.parametrize(
    ("pays", "gets", "moves"),
    [
        (True, False, "pays Bob 3.00"),
        (False, True, "gets 4.00 from Cat"),
        (True, True, "pays Bob 3.00 and gets 4.00 from Cat"),
    ],
)
def test_each_way_to_add_up_is_a_sentence(
    sign: int, won: str, facts: str, *, pays: bool, gets: bool, moves: str
) -> None:
    said = adding_up(sign, between=bool(facts), pays=pays, gets=gets).format(
        player="Ann", amount="5.00", facts=facts, payments="Bob 3.00", receipts="4.00 from Cat"
    )
    assert said == f"{won}{f', {facts},' if facts else ''} and {moves}."
