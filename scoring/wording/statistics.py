"""Statistics as they are shown: figures, each with its count, for ``shared/_figures.html`` and the club's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from scoring import reads
from scoring.models import Club, Player, Session
from scoring.reads import FEW, Currency, Figures, Pair, Result, Run, ordinal, rounded
from scoring.wording.figures import MINUS, NOTHING, counted, signed, signed_money, typed_amount
from scoring.wording.session import title

FEW_SAID: Final = f"“Only” stands where a rate is over fewer than {FEW} hands, and says little."


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure, and under it of how many it is; ``url`` leads to its hand."""

    figure: str
    of: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of one kind: their names, and a line of them for each player. ``note`` says how they are counted."""

    id: str
    title: str
    heads: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell]]]
    note: str = ""

    @property
    def upright(self) -> list[tuple[str, Cell]]:
        """The figures of the only player, each with its name."""
        return list(zip(self.heads, self.lines[0][1], strict=True))


@dataclass(frozen=True, slots=True)
class PairShown:
    """What one player did against another: cells as in `PAIR_HEADS`."""

    name: str
    other: str
    cells: Sequence[Cell]


PAIR_HEADS: Final = ("Hands", "Points", "Money", "Front", "Middle", "Back", "Scoops")


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """A player's statistics over all sessions; ``said`` says of how many. The groups have one line."""

    said: str
    groups: Sequence[Group]
    others: Sequence[PairShown]


@dataclass(frozen=True, slots=True)
class RecordShown:
    """One record: what it is, its figure, who set it, and where that leads; ``which`` names it in an address."""

    which: str
    label: str
    figure: str
    name: str
    what: str
    url: str
    record: reads.Record

    @property
    def said(self) -> str:
        """Like "Longest Fantasyland: 4 hands, Ann"."""
        return f"{self.label.partition(':')[0]}: {self.figure}, {self.name}"


def session_groups(session: Session) -> list[Group]:
    """The figures of everyone who was there, group by group; none before the first hand that counts."""
    found = reads.session_statistics(session)
    if not found.figures:
        return []
    links = _Links({session.pk: session}, titled=False)
    people = [
        (name, found.figures.get(seat, Figures()), found.rows.get(seat, Pair()))
        for seat, name in reads.present(session).items()
    ]
    return _groups(people, [found.currency], links)


def session_pairs(session: Session) -> list[PairShown]:
    """Each pair of players who met in a hand, or won anything from each other; from the side of who came first."""
    found, state, names = reads.session_statistics(session), reads.state(session), reads.present(session)
    shown = []
    for one, name in names.items():
        for other, called in names.items():
            pair, balance = found.pairs.get((one, other)), state.matrix.get((one, other))
            if one < other and (pair or balance):
                points, money = (balance.points, balance.money) if balance else (0, 0)
                shown.append(PairShown(name, called, _pair(pair or Pair(), points, {found.currency: money})))
    return shown


def player_shown(player: Player) -> PlayerShown | None:
    """What a player's page shows; None before their first hand."""
    found = reads.player_statistics(player)
    hands = found.figures.result.hands
    if not hands:
        return None
    links = _Links(found.sessions, titled=True)
    currencies = sorted(found.figures.result.money)
    groups = _groups([(player.name, found.figures, found.rows)], currencies, links)
    evenings = Group(
        "sessions",
        "Sessions",
        ["Best session", "Worst session"],
        [(player.name, [_evening(each, links) for each in (found.best, found.worst)])],
        "With penalties, side bets and final counts.",
    )
    return PlayerShown(
        said=f"{counted(hands, 'hand')} in {counted(found.played, 'session')}.",
        groups=[*groups, evenings],
        others=[PairShown(player.name, each.name, _pair(each.pair, each.points, each.money)) for each in found.others],
    )


def records_shown(found: reads.ClubStatistics) -> list[RecordShown]:
    """The club's records, as far as they are set."""
    shown = []
    if found.royalties:
        shown.append(
            _record("royalties", "Highest royalties of one hand", signed(found.royalties.figure), found.royalties)
        )
    if found.fantasyland:
        length = counted(found.fantasyland.figure, "hand")
        shown.append(_record("fantasyland", "Longest Fantasyland", length, found.fantasyland))
    for place, pot in enumerate(found.pots, 1):
        code, digits = pot.currency or ("", 0)
        label = "Biggest pot: the most that one player won in one hand"
        shown.append(_record(f"pot-{place}", label, f"{signed_money(pot.figure, digits)} {code}", pot))
    if found.fouls:
        shown.append(_record("fouls", "Most fouls in a session", str(found.fouls.figure), found.fouls))
    return shown


def players_shown(club: Club, found: reads.ClubStatistics) -> list[tuple[str, str, Sequence[Cell]]]:
    """Everyone who has played: name, address of their own statistics, and sessions, hands and points per hand."""
    return [
        (
            each.name,
            reverse("player", args=[club.public_id, each.player]) + "#statistics",
            [Cell(str(each.sessions)), Cell(str(each.hands)), Cell(_per(each.points, each.hands), _over(each.hands))],
        )
        for each in found.players
    ]


def _record(which: str, label: str, figure: str, record: reads.Record) -> RecordShown:
    session = record.session
    what, url = title(session), reverse("statistics", args=[session.public_id])
    if record.first:
        hands = f"hand {record.first}" if record.first == record.last else f"hands {record.first} to {record.last}"
        what, url = f"{what}, {hands}", reverse("deal", args=[session.public_id, record.first])
    return RecordShown(which, label, figure, record.name, what, url, record)


# --- The groups -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Links:
    """The sessions to whose hands figures lead, by primary key; ``titled`` where there may be several."""

    sessions: Mapping[int, Session]
    titled: bool

    def currency(self, session: int) -> Currency:
        one = self.sessions[session]
        return one.currency, one.minor_digits

    def named(self, session: int, hands: str) -> str:
        return f"{title(self.sessions[session])}, {hands}" if self.titled else hands

    def to_hand(self, session: int, number: int) -> str:
        return reverse("deal", args=[self.sessions[session].public_id, number])


Person = tuple[str, Figures, Pair]


def _groups(people: Sequence[Person], currencies: Sequence[Currency], links: _Links) -> list[Group]:
    places = sorted({place for _, each, _ in people for place in each.places})
    heads = ["Hands", "Points", "Points per hand"]
    for code, _ in currencies:
        heads += [code, f"{code} per hand"]
    return [
        Group(
            "results",
            "Results",
            heads,
            [(name, list(_results(each.result, currencies))) for name, each, _ in people],
            "What was won less what was lost in hands. Penalties and side bets are in the totals of the ledger.",
        ),
        Group(
            "rows",
            "Rows won and lost",
            ["Front", "Middle", "Back", "Scoops taken", "Scoops given"],
            [(name, list(_rows(pair, each.boards))) for name, each, pair in people],
            "Once for each opponent of a hand. Rows count where neither board was a foul, scoops over all boards.",
        ),
        Group(
            "royalties",
            "Royalties per hand, and fouls",
            ["Front", "Middle", "Back", "All rows", "Fouls"],
            [(name, list(_royalties(each))) for name, each, _ in people],
            "Over hands with boards. A foul has no royalties.",
        ),
        Group(
            "fantasyland",
            "Fantasyland",
            ["Entered", "Stayed", "Longest", "Points per hand in it", "Points per hand against it"],
            [(name, list(_fantasyland(each, currencies, links))) for name, each, _ in people],
            "Against it are the hands in which an opponent was in Fantasyland, and they were not.",
        ),
        Group(
            "best",
            "Best and worst hand, streaks",
            ["Best hand", "Worst hand", "Most hands won in a row", "Most hands lost in a row"],
            [(name, list(_best(each, links))) for name, each, _ in people],
        ),
        Group(
            "places",
            "Points per hand by place after the button",
            [ordinal(place) for place in places],
            [(name, [_rate(each.places.get(place, Result()), []) for place in places]) for name, each, _ in people],
            "The first player after the button settles first.",
        ),
    ]


def _results(result: Result, currencies: Sequence[Currency]) -> Iterator[Cell]:
    yield Cell(str(result.hands))
    yield Cell(signed(result.points))
    yield Cell(_per(result.points, result.hands), _over(result.hands))
    for currency in currencies:
        money, digits = result.money.get(currency, 0), currency[1]
        yield Cell(signed_money(money, digits))
        # With several currencies, the hands of the others are none of this one.
        hands = result.hands_for.get(currency, 0)
        each = rounded(money, hands)
        yield Cell(signed_money(each, digits) if each or not hands else typed_amount(0, digits), _over(hands))


def _rows(pair: Pair, boards: int) -> Iterator[Cell]:
    for won, lost in zip(pair.won, pair.lost, strict=True):
        yield _won_lost(won, lost, pair.compared)
    for scoops in (pair.taken, pair.given):
        yield _share(scoops, pair.scored, boards)


def _won_lost(won: int, lost: int, compared: int) -> Cell:
    return Cell(f"{won} to {lost}", f"of {compared}") if compared else Cell(NOTHING)


def _royalties(figures: Figures) -> Iterator[Cell]:
    for sum_ in (*figures.royalties, sum(figures.royalties)):
        yield Cell(_per(sum_, figures.boards, plus=False), _over(figures.boards))
    yield _share(figures.fouls, figures.boards, figures.boards, "hand")


def _fantasyland(figures: Figures, currencies: Sequence[Currency], links: _Links) -> Iterator[Cell]:
    hands = figures.result.hands
    inside = figures.in_fantasyland.hands
    yield _share(figures.entered, hands, hands, "hand")
    yield Cell(str(figures.stayed), f"of {counted(inside, 'hand')} in it") if inside else Cell(NOTHING)
    yield _run(figures.longest, links)
    yield _rate(figures.in_fantasyland, currencies)
    yield _rate(figures.against, currencies)


def _best(figures: Figures, links: _Links) -> Iterator[Cell]:
    for hand in (figures.best, figures.worst):
        if hand is None:
            yield Cell(NOTHING)
        else:
            code, digits = links.currency(hand.session)
            money = f"{signed_money(hand.money, digits)} {code}, " if hand.money else ""
            what = f"{money}{links.named(hand.session, f'hand {hand.number}')}"
            yield Cell(signed(hand.points), what, links.to_hand(hand.session, hand.number))
    for run in (figures.won_in_a_row, figures.lost_in_a_row):
        yield _run(run, links)


def _evening(evening: reads.Sitting | None, links: _Links) -> Cell:
    if evening is None:
        return Cell(NOTHING)
    session = links.sessions[evening.session]
    money = f"{signed_money(evening.money, session.minor_digits)} {session.currency}, " if evening.money else ""
    return Cell(signed(evening.points), f"{money}{title(session)}", reverse("statistics", args=[session.public_id]))


def _run(run: Run | None, links: _Links) -> Cell:
    if run is None:
        return Cell(NOTHING)
    (session, first), (last_session, last) = run.first, run.last
    hands = f"hand {first}" if run.first == run.last else f"hands {first} to {last}"
    what = links.named(session, hands if session == last_session else f"from hand {first}")
    return Cell(counted(run.length, "hand"), what, links.to_hand(session, first))


def _pair(pair: Pair, points: int, money: Mapping[Currency, int]) -> list[Cell]:
    return [
        Cell(str(pair.hands)),
        Cell(signed(points)),
        Cell(_money(money) or NOTHING),
        *(_won_lost(won, lost, pair.compared) for won, lost in zip(pair.won, pair.lost, strict=True)),
        Cell(f"{pair.taken} to {pair.given}", f"of {pair.scored}") if pair.scored else Cell(NOTHING),
    ]


# --- Figures ----------------------------------------------------------------------------------------------


def _rate(result: Result, currencies: Sequence[Currency]) -> Cell:
    """Points per hand, and of how many hands; with what they came to in ``currencies``."""
    if not result.hands:
        return Cell(NOTHING)
    money = _money({currency: result.money.get(currency, 0) for currency in currencies})
    said = _over(result.hands)
    return Cell(_per(result.points, result.hands), f"{said}: {signed(result.points)}{money and f', {money}'}")


def _share(figure: int, of: int, hands: int, noun: str = "") -> Cell:
    """A count, of how many, and the percentage that it is; of the last only that they are few, over too few hands."""
    if not of:
        return Cell(NOTHING)
    total = counted(of, noun) if noun else str(of)
    if hands >= FEW:
        return Cell(str(figure), f"of {total}, {rounded(100 * figure, of)} %")
    return Cell(str(figure), f"of only {total}" if of <= hands else f"of {total}, in only {counted(hands, 'hand')}")


def _over(hands: int) -> str:
    """Over how many hands a rate is, and that they are few; empty of none."""
    if not hands:
        return ""
    return f"only {counted(hands, 'hand')}" if hands < FEW else counted(hands, "hand")


def _per(sum_: int, hands: int, *, plus: bool = True) -> str:
    """A sum per hand with one decimal, with a sign if it was won or lost."""
    if not hands:
        return NOTHING
    tenths = rounded(10 * sum_, hands)
    if not tenths:
        return "0.0"
    whole, part = divmod(abs(tenths), 10)
    sign = MINUS if tenths < 0 else "+" if plus else ""
    return f"{sign}{signed(whole)[1:] if whole else 0}.{part}"


def _money(money: Mapping[Currency, int]) -> str:
    """Amounts in each currency in which anything was won or lost."""
    return ", ".join(
        f"{signed_money(minor, digits)} {code}" for (code, digits), minor in sorted(money.items()) if minor
    )
