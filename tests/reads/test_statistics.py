"""Statistics: a second computation from the club's document agrees with every figure, evening by evening and over all.

The document is what anybody can download, so that this computation shares nothing with `scoring.reads.statistics`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from scoring import club, ledger, reads
from scoring.actions.penalty import Penalty
from scoring.actions.side_bet import SideBet
from scoring.exports.club_document import of_club
from scoring.game.entry import Entry
from scoring.models import Club, Player, Session
from tests.actions.everything import everything, for_cash
from tests.ledger.conftest import LEVEL, PLAIN, STRONG, WEAK, act, entry, key, settle, start
from tests.ledger.model import Model
from tests.ledger.test_random_evenings import PEOPLE, PRESETS, Evening, something

ROWS = ("front", "middle", "back")
IN_PLAY = ("deal", "penalty", "side-bet", "count")

Said = dict[str, Any]
"""Figures by name, in plain values: results are (hands, points, money by currency), hands are (session, number)."""


# --- A second computation ---------------------------------------------------------------------------


def exported(of: Club) -> list[Said]:
    """The sessions of the club's document."""
    sessions: list[Said] = json.loads(b"".join(of_club(of)))["sessions"]
    return sessions


class Part(NamedTuple):
    """What one person did in one hand that counts; ``at`` is the place of the session, and the number of the hand."""

    at: tuple[int, int]
    session: Said
    deal: Said
    name: str
    place: int
    points: int
    money: int

    @property
    def given(self) -> Said:
        """What the document says of them."""
        found: Said = self.deal["document"]["players"][self.place - 1]
        return found

    @property
    def answered(self) -> Said:
        """What the result says of them."""
        found: Said = self.deal["result"]["players"][self.place - 1]
        return found

    @property
    def scored(self) -> bool:
        """Whether the app scored it."""
        return "points" not in self.deal["document"]

    @property
    def inside(self) -> bool:
        """Whether they were in Fantasyland."""
        return bool(self.given.get("fantasyland_cards"))

    @property
    def currency(self) -> tuple[str, int]:
        """The currency of the session."""
        return self.session["currency"], self.session["minor_digits"]


def parts(sessions: list[Said], who: list[str]) -> list[Part]:
    """Every hand in which they were dealt in; ``who`` is what each session calls them, empty if they were not there."""
    found = []
    for place, (session, name) in enumerate(zip(sessions, who, strict=True)):
        seat = next((each["seat"] for each in session["seats"] if each["name"] == name), None)
        for deal in session["deals"]:
            names = [] if deal["void"] else [player["name"] for player in deal["document"]["players"]]
            if seat is None or name not in names:
                continue
            points = money = 0
            for line in session["transfers"]:
                if line["kind"] == "deal" and line["deal"] == deal["number"]:
                    sign = (line["payee"] == seat) - (line["payer"] == seat)
                    points, money = points + sign * line["points"], money + sign * line["amount"]
            at = (place, deal["number"])
            found.append(Part(at, session, deal, name, names.index(name) + 1, points, money))
    return found


def result(these: list[Part]) -> tuple[int, int, dict[Any, int], Counter[Any]]:
    money: Counter[Any] = Counter()
    for part in these:
        money[part.currency] += part.money
    played = Counter(part.currency for part in these)
    return len(these), sum(part.points for part in these), {code: money[code] for code in played}, played


def stretch(these: list[Part], true: list[bool], *, in_one_session: bool) -> tuple[int, Any, Any] | None:
    """The longest stretch of parts of which it is true: every one is tried, the earliest first."""
    best = None
    for first in range(len(these)):
        for last in range(first, len(these)):
            whole = all(true[first : last + 1])
            together = not in_one_session or these[first].at[0] == these[last].at[0]
            if not (whole and together):
                break
            if best is None or last - first + 1 > best[0]:
                best = (last - first + 1, these[first].at, these[last].at)
    return best


def naive(sessions: list[Said], who: list[str]) -> Said:
    """One person's figures."""
    these = parts(sessions, who)
    boards = [part for part in these if part.scored]
    inside = [part.inside for part in these]
    after = [one.inside and other.inside and one.at[0] == other.at[0] for one, other in pairwise(these)]
    return {
        "result": result(these),
        "boards": len(boards),
        "fouls": sum(part.answered["foul"] for part in boards),
        "royalties": tuple(
            sum(part.answered["rows"][row]["royalty"] for part in boards if part.answered["rows"][row]) for row in ROWS
        ),
        "entered": sum(inside) - sum(after),
        "stayed": sum(after),
        "longest": stretch(these, inside, in_one_session=True),
        "in_fantasyland": result([part for part in these if part.inside]),
        "against": result(
            [
                part
                for part in these
                if not part.inside and any(one.get("fantasyland_cards") for one in part.deal["document"]["players"])
            ]
        ),
        "best": first_of(these, max(part.points for part in these)) if these else None,
        "worst": first_of(these, min(part.points for part in these), sign=-1) if these else None,
        "won_in_a_row": stretch(these, [part.points > 0 for part in these], in_one_session=False),
        "lost_in_a_row": stretch(these, [part.points < 0 for part in these], in_one_session=False),
        "places": {
            place: result([part for part in these if part.place == place]) for place in {p.place for p in these}
        },
    }


def first_of(these: list[Part], points: int, sign: int = 1) -> tuple[Any, int, int] | None:
    part = next(part for part in these if part.points == points)
    return (part.at, part.points, part.money) if sign * points > 0 else None


def pair(these: list[Part], others: list[str] | None) -> Said:
    """What one person did against those others, by what each session calls them; against all without ``others``."""
    found: Said = {"deals": 0, "compared": 0, "scored": 0, "taken": 0, "given": 0}
    found |= {"won": [0, 0, 0], "lost": [0, 0, 0]}
    for part in these:
        foul = {player["name"]: player.get("foul") for player in part.deal["result"]["players"]}
        for met in part.deal["result"]["pairs"]:
            if part.name not in met["players"]:
                continue
            other = next(name for name in met["players"] if name != part.name)
            if others is not None and other != others[part.at[0]]:
                continue
            sign = 1 if met["players"][0] == part.name else -1
            found["deals"] += 1
            found["scored"] += part.scored
            if met["rows"]:
                rows = [sign * met["rows"][row] for row in ROWS]
                found["compared"] += 1
                found["won"] = [of + (row == 1) for of, row in zip(found["won"], rows, strict=True)]
                found["lost"] = [of + (row == -1) for of, row in zip(found["lost"], rows, strict=True)]
                found["taken"] += rows == [1, 1, 1]
                found["given"] += rows == [-1, -1, -1]
            elif part.scored and foul[part.name] != foul[other]:  # R19
                found["taken"] += bool(foul[other])
                found["given"] += bool(foul[part.name])
    return {**found, "won": tuple(found["won"]), "lost": tuple(found["lost"])}


def net(session: Said, one: str, other: str | None = None) -> tuple[int, int]:
    """What player ``one`` won in a session, from ``other`` or from all. Both are names as the session has them."""
    seats = {each["name"]: each["seat"] for each in session["seats"]}
    points = money = 0
    for line in session["transfers"]:
        if line["kind"] in IN_PLAY and (other is None or seats[other] in {line["payer"], line["payee"]}):
            sign = (line["payee"] == seats[one]) - (line["payer"] == seats[one])
            points, money = points + sign * line["points"], money + sign * line["amount"]
    return points, money


def evenings(sessions: list[Said], who: list[str]) -> tuple[Any, Any]:
    """The best and the worst session, as (place, points, money)."""
    nets = [(place, *net(sessions[place], name)) for place, name in enumerate(who) if name]
    best = next((each for each in nets if each[1] == max(one[1] for one in nets) > 0), None)
    worst = next((each for each in nets if each[1] == min(one[1] for one in nets) < 0), None)
    return best, worst


def records(sessions: list[Said], players: dict[str, list[str]]) -> Said:
    """The club's records: everything anybody did, and the first of the highest."""
    every = [part for who in players.values() for part in parts(sessions, who)]
    every.sort(key=lambda part: (part.at, part.place))
    royalties = [(part.answered["royalties"], part) for part in every if part.scored and part.answered["royalties"]]
    highest = max((figure for figure, _ in royalties), default=0)
    pots = {}
    for currency in sorted({part.currency for part in every}):
        most = max(part.money for part in every if part.currency == currency)
        if most > 0:
            part = next(part for part in every if part.currency == currency and part.money == most)
            pots[currency] = (most, part.at, person(players, part))
    fouls = Counter((part.at[0], part.name) for part in every if part.scored and part.answered["foul"])
    stays = {
        who: stay
        for who, names in players.items()
        if (stay := stretch(mine := parts(sessions, names), [part.inside for part in mine], in_one_session=True))
    }
    longest = max((length for length, _, _ in stays.values()), default=0)
    return {
        "deals": sum(not deal["void"] for session in sessions for deal in session["deals"]),
        "sessions": len({part.at[0] for part in every}),
        "royalties": next(((f, part.at, person(players, part)) for f, part in royalties if f == highest), None),
        "fouls": max(fouls.values(), default=0),
        "fantasyland": longest,
        "fantasyland_first": min((at for length, at, _ in stays.values() if length == longest), default=None),
        "pots": pots,
        "players": {
            who: (len({part.at[0] for part in mine}), len(mine), sum(part.points for part in mine))
            for who, names in players.items()
            if (mine := parts(sessions, names))
        },
    }


def person(players: dict[str, list[str]], part: Part) -> str:
    return next(who for who, names in players.items() if names[part.at[0]] == part.name)


# --- What is shown, in the same plain values ----------------------------------------------------------


def plain(figures: reads.Figures, order: dict[int, int]) -> Said:
    def of(each: reads.Result) -> Any:
        return each.deals, each.points, each.money, each.deals_for

    def at(place: tuple[int, int]) -> tuple[int, int]:
        return order[place[0]], place[1]

    def run(each: reads.Run | None) -> Any:
        return each and (each.length, at(each.first), at(each.last))

    def hand(each: Any) -> Any:
        return each and (at(each[:2]), each.points, each.money)

    return {
        "result": of(figures.result),
        "boards": figures.boards,
        "fouls": figures.fouls,
        "royalties": figures.royalties,
        "entered": figures.entered,
        "stayed": figures.stayed,
        "longest": run(figures.longest),
        "in_fantasyland": of(figures.in_fantasyland),
        "against": of(figures.against),
        "best": hand(figures.best),
        "worst": hand(figures.worst),
        "won_in_a_row": run(figures.won_in_a_row),
        "lost_in_a_row": run(figures.lost_in_a_row),
        "places": {place: of(each) for place, each in figures.places.items()},
    }


def plain_pair(each: reads.Pair) -> Said:
    return {name: getattr(each, name) for name in ("deals", "compared", "scored", "taken", "given", "won", "lost")}


def session_agrees(session: Session) -> None:
    """Assert that both computations agree on every figure of the session."""
    session.refresh_from_db()
    reads.forget_cached()
    found = reads.session_statistics(session)
    place = list(Session.objects.filter(club=session.club).order_by("opened_at", "pk")).index(session)
    document = [exported(session.club)[place]]
    names = {seat["seat"]: seat["name"] for seat in document[0]["seats"] if seat["seat"] > 0}
    dealt = {seat for seat, name in names.items() if parts(document, [name])}
    assert found.figures.keys() == dealt
    for seat in dealt:
        these = parts(document, [names[seat]])
        assert plain(found.figures[seat], {session.pk: 0}) == naive(document, [names[seat]])
        assert plain_pair(found.rows.get(seat, reads.Pair())) == pair(these, None)
        for other in dealt - {seat}:
            assert plain_pair(found.pairs.get((seat, other), reads.Pair())) == pair(these, [names[other]])


def club_agrees(of: Club) -> None:
    """Assert that both computations agree on every figure of every player, of every pair, and on the records."""
    document = exported(of)
    sessions = Session.objects.filter(club=of).order_by("opened_at", "pk")
    order = {session.pk: place for place, session in enumerate(sessions)}
    players = {
        player.name: [
            next((seat["name"] for seat in session["seats"] if seat["player"] == player.name), "")
            for session in document
        ]
        for player in Player.objects.filter(club=of)
    }
    for player in Player.objects.filter(club=of):
        found, who = reads.player_statistics(player), players[player.name]
        these = parts(document, who)
        assert plain(found.figures, order) == naive(document, who)
        assert plain_pair(found.rows) == pair(these, None)
        assert found.played == len({part.at[0] for part in these})
        best, worst = evenings(document, who)
        assert [each and (order[each.session], each.points, each.money) for each in (found.best, found.worst)] == [
            best,
            worst,
        ]
        versus = {each.name: each for each in found.others}
        for other, names in players.items():
            if other == player.name:
                continue
            points, money = 0, Counter[Any]()
            for session, mine, theirs in zip(document, who, names, strict=True):
                if mine and theirs:
                    won = net(session, mine, theirs)
                    points += won[0]
                    money[session["currency"], session["minor_digits"]] += won[1]
            met = versus.get(other)
            if met is None:
                assert (points, any(money.values()), pair(these, names)["deals"]) == (0, False, 0)
            else:
                assert plain_pair(met.pair) == pair(these, names)
                assert met.points == points
                assert {code: each for code, each in met.money.items() if each} == {c: m for c, m in money.items() if m}
    said = records(document, players)
    shown = reads.club_statistics(of)

    def one(record: reads.ClubRecord | None) -> Any:
        return record and (record.figure, (order[record.session.pk], record.first), record.name)

    assert (shown.deals, shown.sessions) == (said["deals"], said["sessions"])
    assert one(shown.royalties) == said["royalties"]
    assert {pot.currency: one(pot) for pot in shown.pots} == said["pots"]
    assert {each.name: (each.sessions, each.deals, each.points) for each in shown.players} == said["players"]
    assert (shown.fouls.figure if shown.fouls else 0) == said["fouls"]
    if shown.fouls:
        where = order[shown.fouls.session.pk]
        those = [part for part in parts(document, players[shown.fouls.name]) if part.at[0] == where and part.scored]
        assert sum(part.answered["foul"] for part in those) == shown.fouls.figure
    assert (shown.fantasyland.figure if shown.fantasyland else 0) == said["fantasyland"]
    if shown.fantasyland:
        stay = shown.fantasyland
        those = parts(document, players[stay.name])
        first, last = ((order[stay.session.pk], number) for number in (stay.first, stay.last))
        assert first == said["fantasyland_first"]
        assert [part.inside for part in those if first <= part.at <= last] == [True] * stay.figure


# --- Random evenings --------------------------------------------------------------------------------


def random_evening(seed: int, of: Club | None, chance: random.Random) -> Evening:
    """An evening that has begun, perhaps in a club that has had some."""
    preset = chance.choice(PRESETS)
    names = chance.sample(PEOPLE, chance.randint(2, 5 if preset in {"regular", "cardplayer"} else 4))
    currency, digits = [("EUR", 2), ("EUR", 2), ("JPY", 0)][seed % 3]
    evening = Evening()
    evening.model = Model(names, 1, 100, {}, preset)
    evening.session = ledger.start_session(
        club=of, names=names, stake=100, currency=currency, minor_digits=digits, rules=preset, button=1,
        key=key(), by="host",
    )  # fmt: skip
    chips = chance.choice([0, 3000, 100_000])
    for seat in evening.model.names if chips else ():
        evening.buy_in(seat=seat, amount=chips, cash=chance.random() < 0.5)
    return evening


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_every_figure_of_random_evenings_agrees_with_the_clubs_document(seed: int) -> None:
    """Evenings with voids, corrections, limited chips, changed rules, late buy-ins and points without boards."""
    chance = random.Random(700 + seed)
    of: Club | None = None
    for number in range(3):
        evening = random_evening(seed + number, of, chance)
        of = evening.session.club
        for _ in range(25):
            something(evening, chance)
        session_agrees(evening.session)
        if number != 1:
            counts = evening.model.close([-50, 0, 70])
            ledger.close_session(session=evening.session, key=key(), by="host", note="so they lay", counts=counts)
    assert of is not None
    club_agrees(of)


@pytest.mark.parametrize("seed", range(2))
def test_figures_follow_players_who_are_put_together(db: None, seed: int) -> None:
    chance = random.Random(seed)
    first = start("Ann Bob Cat")
    second = start("Annie Bob Dan", club=first.club)
    for session in (first, second):
        for _ in range(chance.randint(1, 4)):
            settle(session)
    people = {player.name: player for player in Player.objects.filter(club=first.club)}
    club.merge(people["Annie"], people["Ann"])
    club_agrees(first.club)


def test_evenings_with_every_action_agree(db: None) -> None:
    for session in (everything(), for_cash()):
        session_agrees(session)
        club_agrees(session.club)


# --- Examples ---------------------------------------------------------------------------------------


def found(session: Session) -> reads.SessionStatistics:
    session.refresh_from_db()
    return reads.session_statistics(session)


def test_a_session_without_a_hand_has_no_figures(session: Session) -> None:
    assert found(session).figures == {}
    shown = reads.club_statistics(session.club)
    assert (shown.deals, shown.sessions, shown.players, shown.pots) == (0, 0, [], [])
    assert (shown.royalties, shown.fantasyland, shown.fouls) == (None, None, None)
    ann = Player.objects.get(name="Ann")
    nobody = reads.player_statistics(ann)
    assert (nobody.figures, nobody.best, nobody.worst, nobody.others) == (reads.Figures(), None, None, [])


def test_scoops_and_rows_of_one_hand(session: Session) -> None:
    """Ann wins all rows from Bob, and both scoop the foul of Cat, whose rows are compared with nobody's."""
    settle(session)
    rows = found(session).rows
    assert [(rows[seat].won, rows[seat].lost, rows[seat].compared) for seat in (1, 2, 3)] == [
        ((1, 1, 1), (0, 0, 0), 1),
        ((0, 0, 0), (1, 1, 1), 1),
        ((0, 0, 0), (0, 0, 0), 0),
    ]
    assert [(rows[seat].taken, rows[seat].given) for seat in (1, 2, 3)] == [(2, 0), (1, 1), (0, 2)]


def test_points_alone_are_no_boards(session: Session) -> None:
    settle(session)
    settle(session, Entry(points=((1, 2, 3), (1, 3, -2), (2, 3, 1))))
    found_ = found(session)
    assert [(one.result.deals, one.boards) for one in found_.figures.values()] == [(2, 1)] * 3
    assert [(one.deals, one.scored) for one in found_.rows.values()] == [(4, 2)] * 3


def test_royalties_and_fantasyland(session: Session) -> None:
    """Ann stays for one hand, so that she is in it twice: once entered, once stayed."""
    strong = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
    for boards in (strong, strong, LEVEL, LEVEL):
        settle(session, boards)
    ann, bob, _ = found(session).figures.values()
    assert ann.royalties == (18, 24, 20)
    assert (ann.entered, ann.stayed, ann.longest) == (1, 1, reads.Run(2, (session.pk, 2), (session.pk, 3)))
    assert (ann.in_fantasyland.deals, ann.against.deals) == (2, 0)
    assert (bob.in_fantasyland.deals, bob.against.deals) == (0, 2)
    assert (bob.entered, bob.longest) == (0, None)
    record = reads.club_statistics(session.club).fantasyland
    assert record
    assert (record.name, record.figure, record.first, record.last) == ("Ann", 2, 2, 3)


def test_a_stay_in_fantasyland_goes_on_over_a_void_hand(session: Session) -> None:
    """As the highlights of a closed session tell it."""
    strong = entry(s1=STRONG, s2=PLAIN, s3=WEAK)
    for _ in range(4):
        settle(session, strong)
    act(ledger.void_deal, session, number=3, note="misdeal")
    longest = found(session).figures[1].longest
    highlight = reads.highlights(session).fantasyland[0]
    assert longest
    assert (longest.length, longest.first[1], longest.last[1]) == (highlight.figure, highlight.first, highlight.last)
    club_agrees(session.club)


def test_places_are_after_the_button(session: Session) -> None:
    """Ann has the button, so that Bob is first and Ann last; then it moves to Bob."""
    settle(session)
    settle(session)
    places = {seat: list(one.places) for seat, one in found(session).figures.items()}
    assert places == {1: [2, 3], 2: [1, 3], 3: [1, 2]}


def test_penalties_count_in_sessions_and_pairs_but_not_in_hands(session: Session) -> None:
    settle(session)
    act(Penalty, session, seat=1, points=20, note="clock")
    act(SideBet, session, payer=1, payee=2, amount=5, note="red")
    ann = reads.player_statistics(Player.objects.get(name="Ann"))
    assert ann.figures.result.points == 12
    assert (ann.best, ann.worst) == (None, reads.Sitting(session.pk, -28, -2805))
    assert {each.name: (each.points, each.money) for each in ann.others} == {
        "Bob": (-14, {("EUR", 2): -1405}),
        "Cat": (-14, {("EUR", 2): -1400}),
    }


def test_statements_do_not_grow(session: Session, statements: list[str]) -> None:
    """Neither with hands nor with sessions."""
    ann, of = Player.objects.select_related("club").get(name="Ann"), session.club
    counts = []
    for hands in (2, 12):
        for _ in range(hands):
            settle(session)
        settle(start("Ann Bob Dan", club=session.club))
        session.refresh_from_db()
        for read in (
            lambda: reads.session_statistics(session),
            lambda: reads.player_statistics(ann),
            lambda: reads.club_statistics(of),
        ):
            reads.forget_cached()
            del statements[:]
            read()
            counts.append(len(statements))
    assert counts[:3] == counts[3:]
    assert counts[:3] == [3, 7, 6]
    reads.session_statistics(session)
    del statements[:]
    reads.session_statistics(session)
    assert statements == []
