"""What if, of a club: the sum of what each of its sessions says, whatever happened in them."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from scoring import club, ledger, reads
from scoring.exports import making
from scoring.game.entry import Entry, Rows
from scoring.models import Club, Player, Seat, Session
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from tests.ledger.conftest import FOUL, LEVEL, PLAIN, STRONG, WEAK, act, entry, key, settle, start
from tests.ledger.test_random_clubs import RandomClub
from tests.ledger.test_random_evenings import something
from tests.reads.test_statistics import random_evening

pytestmark = pytest.mark.django_db

TWO_FOUR = resolve({"scoring": "2-4"})
RULES = (
    TWO_FOUR,
    replace(PRESETS["cardplayer"], royalty_payment="row-winner", row_order="strict"),
    PRESETS["pineapple"],
)


def of_club(of: Club, rules: HouseRules, year: int = 0) -> reads.ClubWhatIf:
    return reads.club_what_if(of, rules, year, lambda: None)


def agrees(of: Club, rules: HouseRules) -> None:
    """Each session, and each player in it, is the sum over the hands that the session's own page shows."""
    found = {each.session: each for each in of_club(of, rules).sessions}
    for session in Session.objects.filter(club=of):
        hands = reads.what_if(session, rules, 1, 500)
        if not hands:
            assert session.pk not in found
            continue
        each = found.pop(session.pk)
        people = dict(Seat.objects.filter(session=session).values_list("number", "player_id"))
        sums: dict[str, Counter[int | None]] = {}
        for name, of_hand in (("was", lambda hand: hand.was), ("then", lambda hand: hand.then)):
            for what in ("points", "money"):
                sums[f"{name} {what}"] = Counter()
                for hand in hands:
                    for seat, player in zip(hand.who, of_hand(hand)["players"], strict=True):
                        sums[f"{name} {what}"][people[seat]] += player[what]
        assert each.won == {
            player: tuple(sums[what][player] for what in ("was points", "was money", "then points", "then money"))
            for player in {people[seat] for hand in hands for seat in hand.who}
        }
        assert (each.deals, each.differ) == (len(hands), sum(hand.differs for hand in hands))
        assert sum(each.stay.values()) == sum(hand.by_the_table or hand.would is None for hand in hands)
        assert each.chips == any("stack" in player for hand in hands for player in hand.document["players"])
    assert not found


@pytest.mark.parametrize("seed", range(3))
def test_random_clubs_are_the_sum_of_their_sessions(seed: int) -> None:
    """Evenings with voids, corrections, limited chips, changed rules and points without boards, closed or open."""
    chance = random.Random(300 + seed)
    of: Club | None = None
    for number in range(3):
        evening = random_evening(seed + number, of, chance)
        of = evening.session.club
        for _ in range(25):
            something(evening, chance)
        if number != 1:
            ledger.close_session(
                session=evening.session, key=key(), by="host", note="so they lay", counts=evening.model.close([0, 0, 0])
            )
    assert of is not None
    for rules in RULES:
        agrees(of, rules)


def test_a_random_club_over_years_is_the_sum_of_its_sessions() -> None:
    """With tabs, people who are put together, and sessions that were opened again."""
    random_club = RandomClub(5)
    for _ in range(4):
        random_club.play()
    people = list(Player.objects.filter(club=random_club.club).order_by("pk"))
    together = [one for one in people if not Seat.objects.filter(player=one, session__seats__player=people[0]).exists()]
    for one in together[:1]:
        club.merge(one, people[0])
    for rules in RULES:
        agrees(random_club.club, rules)


@pytest.mark.parametrize("portion", [1, 2, 500])
def test_it_does_not_matter_how_many_hands_are_read_at_once(portion: int, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start()
    second = start("Ann Dan", club=first.club)
    for boards in (LEVEL, entry(s1=WEAK, s2=PLAIN, s3=FOUL)):
        settle(first, boards)
    settle(second, entry(s1=PLAIN, s2=WEAK))
    whole = of_club(first.club, TWO_FOUR)
    monkeypatch.setattr(sys.modules["scoring.reads.what_if"], "A_PORTION", portion)
    told: list[None] = []
    found = reads.club_what_if(first.club, TWO_FOUR, 0, lambda: told.append(None))
    assert found == whole
    assert len(told) == 3
    assert [each.deals for each in found.sessions] == [2, 1]


def test_the_same_person_is_one_in_all_sessions(session: Session) -> None:
    other = start("Annie Bob", club=session.club)
    settle(session)
    settle(other, entry(s1=PLAIN, s2=WEAK))
    people = {player.name: player for player in Player.objects.filter(club=session.club)}
    assert len({player for each in of_club(session.club, TWO_FOUR).sessions for player in each.won}) == 4
    club.merge(people["Annie"], people["Ann"])
    found = of_club(session.club, TWO_FOUR)
    assert all(people["Ann"].pk in each.won for each in found.sessions)
    assert "Annie" not in found.names.values()
    agrees(session.club, TWO_FOUR)


@pytest.fixture
def opened_at() -> Iterator[Callable[[Session, datetime], None]]:
    """Lets a session have been opened at another time, until the end of the test."""
    before: dict[int, datetime] = {}

    def opened(session: Session, at: datetime) -> None:
        before[session.pk] = session.opened_at
        Session.objects.filter(pk=session.pk).update(opened_at=at)

    yield opened
    for pk, at in before.items():
        Session.objects.filter(pk=pk).update(opened_at=at)


def test_a_year_has_the_sessions_that_were_opened_in_it(
    session: Session, opened_at: Callable[[Session, datetime], None]
) -> None:
    """As the clocks of the app tell it."""
    of = session.club
    newest, later, empty = start(club=of), start(club=of), start(club=of)
    for each in (session, newest, later):
        settle(each)
    opened_at(session, datetime(2024, 12, 31, 22, 30, tzinfo=UTC))
    opened_at(later, datetime(2024, 12, 31, 23, 30, tzinfo=UTC))
    opened_at(newest, datetime(2026, 5, 1, tzinfo=UTC))
    opened_at(empty, datetime(2022, 5, 1, tzinfo=UTC))
    for zone, years, sessions in (("UTC", [2026, 2024], [1, 2]), ("Europe/Vienna", [2026, 2025, 2024], [1, 1, 1])):
        with timezone.override(zone):
            assert reads.club_years(of) == years
            assert [len(of_club(of, TWO_FOUR, year).sessions) for year in years] == sessions
            assert [reads.club_deals(of, year) for year in years] == sessions
            assert [len(reads.opened_in(of, year)) for year in years] == sessions
    assert [len(of_club(of, TWO_FOUR, year).sessions) for year in (0, 2023)] == [3, 0]
    assert reads.opened_in(of, 0) == [newest, later, session, empty]


def test_what_the_rules_cannot_take_is_counted_by_reason() -> None:
    session = start(rules=resolve({"preset": "double-deck", "surrender_points": 5}).as_document())
    settle(session)
    settle(session, entry(s1=STRONG, s2=STRONG, s3=WEAK))  # each card twice
    settle(session, entry(s1=Rows("AAA", "KKKKK", "AAAAA"), s2=PLAIN, s3=WEAK))  # ranks alone
    settle(session, entry(s1=Rows(ruling="surrendered"), s2=PLAIN, s3=WEAK))
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    (found,) = of_club(session.club, PRESETS["regular"]).sessions
    assert found.stay == {"duplicate-card": 1, "too-many-of-a-rank": 1, "bad-value": 1, reads.BY_THE_TABLE: 1}
    assert (found.deals, found.differ) == (5, 0)


def test_void_hands_do_not_count(session: Session) -> None:
    settle(session)
    settle(session)
    act(ledger.void_deal, session, number=1, note="misdeal")
    (found,) = of_club(session.club, TWO_FOUR).sessions
    assert found.deals == 1
    act(ledger.void_deal, session, number=2, note="misdeal")
    assert of_club(session.club, TWO_FOUR).sessions == []


def test_a_file_holds_all_of_it(session: Session) -> None:
    settle(session)
    settle(session, Entry(points=((1, 2, 4), (1, 3, 2), (2, 3, 0))))
    found = of_club(session.club, TWO_FOUR)
    assert reads.ClubWhatIf.read(json.loads(json.dumps(found.as_document()))) == found
    given = making.for_what_if(TWO_FOUR, 0)
    assert resolve(json.loads(given)["rules"]) == TWO_FOUR


def test_its_statements_grow_with_portions_of_hands_and_not_with_sessions(
    session: Session, statements: list[str]
) -> None:
    settle(session)
    statements.clear()
    of_club(session.club, TWO_FOUR)
    few = len(statements)
    for _ in range(3):
        settle(start(club=session.club))
    statements.clear()
    of_club(session.club, TWO_FOUR)
    assert len(statements) == few <= 6
