"""Statistics as they are shown: figures, each with its count, for ``shared/_figures.html`` and the club's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise

from scoring import reads
from scoring.models import Club, Player, Session
from scoring.reads import FEW, Currency, Figures, Pair, Result, Run, rounded
from scoring.texts import gettext as _
from scoring.texts import gettext_lazy, ngettext, pgettext, pgettext_lazy
from scoring.wording import counts
from scoring.wording.figures import MINUS, NOTHING, joined, percent, signed, signed_money, tenths, typed_amount
from scoring.wording.session import titles_by_pk


@dataclass(frozen=True, slots=True)
class FigureShown:
    """One figure, and under it of how many it is; ``url`` leads to its hand."""

    figure: str
    of: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of one kind: their names, and a line of them for each player. ``note`` says how they are counted."""

    id: str
    title: str
    heads: Sequence[str | Promise]
    lines: Sequence[tuple[str, Sequence[FigureShown]]]
    note: str = ""

    @property
    def upright(self) -> list[tuple[str | Promise, FigureShown]]:
        """The figures of the only player, each with its name."""
        return list(zip(self.heads, self.lines[0][1], strict=True))


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What one player did against another: cells as in `PAIR_HEADS`."""

    name: str
    other: str
    cells: Sequence[FigureShown]


PAIR_HEADS: Final = (
    gettext_lazy("Hands"),
    gettext_lazy("Points"),
    gettext_lazy("Money"),
    pgettext_lazy("row", "Front"),
    pgettext_lazy("row", "Middle"),
    pgettext_lazy("row", "Back"),
    gettext_lazy("Scoops"),
)


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """A player's statistics over all sessions; ``said`` says of how many. The groups have one line."""

    said: str
    groups: Sequence[Group]
    others: Sequence[HeadToHead]


@dataclass(frozen=True, slots=True)
class ClubRecordShown:
    """One record: what it is, its figure, who set it, and where that leads; ``which`` names it in an address.

    ``short`` is the label without what explains it.
    """

    which: str
    label: str
    short: str
    figure: str
    name: str
    what: str
    url: str
    record: reads.ClubRecord

    @property
    def said(self) -> str:
        """Like "Longest Fantasyland: 4 hands, Ann"."""
        return _("{record}: {figure}, {player}").format(record=self.short, figure=self.figure, player=self.name)

    @property
    def sent(self) -> str:
        """The same in a sentence, as a message to others begins."""
        said = _("Club record. {record}: {figure}, {player}.")
        return said.format(record=self.short, figure=self.figure, player=self.name)


_PLACES: Final = (
    pgettext_lazy("place after the button", "1st"),
    pgettext_lazy("place after the button", "2nd"),
    pgettext_lazy("place after the button", "3rd"),
)


def played_said(deals: int, sessions: int) -> str:
    """Like "40 hands in 3 sessions."."""
    said = ngettext("{hands} in {count} session.", "{hands} in {count} sessions.", sessions)
    return said.format(hands=counts.deals(deals), count=sessions)


def few_said() -> str:
    """What "only" means beside a figure."""
    said = _("“Only” stands where a rate is over fewer than {count} hands, and says little.")
    return said.format(count=FEW)


def place_said(place: int) -> str:
    """A place after the button: 1st, 2nd, 3rd, 4th."""
    if place <= len(_PLACES):
        return str(_PLACES[place - 1])
    return pgettext("place after the button", "{number}th").format(number=place)


def session_groups(session: Session) -> list[Group]:
    """The figures of everyone who was there, group by group; none before the first hand that counts."""
    found = reads.session_statistics(session)
    if not found.figures:
        return []
    links = _Links({session.pk: session})
    people = [
        (name, found.figures.get(seat, Figures()), found.rows.get(seat, Pair()))
        for seat, name in reads.present(session).items()
    ]
    return _groups(people, [found.currency], links)


def session_pairs(session: Session) -> list[HeadToHead]:
    """Each pair of players who met in a hand, or won anything from each other; from the side of who came first."""
    found, state, names = reads.session_statistics(session), reads.state(session), reads.present(session)
    shown = []
    for one, name in names.items():
        for other, called in names.items():
            pair, balance = found.pairs.get((one, other)), state.matrix.get((one, other))
            if one < other and (pair or balance):
                points, money = (balance.points, balance.money) if balance else (0, 0)
                shown.append(HeadToHead(name, called, _pair(pair or Pair(), points, {found.currency: money})))
    return shown


def player_shown(player: Player) -> PlayerShown | None:
    """What a player's page shows; None before their first hand."""
    found = reads.player_statistics(player)
    deals = found.figures.result.deals
    if not deals:
        return None
    links = _Links(found.sessions, titles_by_pk(found.sessions.values()))
    currencies = sorted(found.figures.result.money)
    groups = _groups([(player.name, found.figures, found.rows)], currencies, links)
    evenings = Group(
        "sessions",
        _("Sessions"),
        [_("Best session"), _("Worst session")],
        [(player.name, [_sitting(each, links) for each in (found.best, found.worst)])],
        _("With penalties, side bets and final counts."),
    )
    return PlayerShown(
        said=played_said(deals, found.played),
        groups=[*groups, evenings],
        others=[HeadToHead(player.name, each.name, _pair(each.pair, each.points, each.money)) for each in found.others],
    )


def records_shown(found: reads.ClubStatistics) -> list[ClubRecordShown]:
    """The club's records, as far as they are set."""
    shown = []
    set_so_far = [found.royalties, found.fantasyland, *found.pots, found.fouls]
    called = titles_by_pk(each.session for each in set_so_far if each)
    if found.royalties:
        label = _("Highest royalties of one hand")
        shown.append(_record("royalties", label, signed(found.royalties.figure), found.royalties, called))
    if found.fantasyland:
        length = counts.deals(found.fantasyland.figure)
        shown.append(_record("fantasyland", _("Longest Fantasyland"), length, found.fantasyland, called))
    for place, pot in enumerate(found.pots, 1):
        code, digits = pot.currency or ("", 0)
        label, figure = _("Biggest pot: the most that one player won in one hand"), signed_money(pot.figure, digits)
        shown.append(_record(f"pot-{place}", label, f"{figure} {code}", pot, called, short=_("Biggest pot")))
    if found.fouls:
        shown.append(_record("fouls", _("Most fouls in a session"), str(found.fouls.figure), found.fouls, called))
    return shown


def players_shown(club: Club, found: reads.ClubStatistics) -> list[tuple[str, str, Sequence[FigureShown]]]:
    """Everyone who has played: name, address of their own statistics, and sessions, hands and points per hand."""
    return [
        (
            each.name,
            reverse("player", args=[club.public_id, each.player]) + "#statistics",
            [
                FigureShown(str(each.sessions)),
                FigureShown(str(each.deals)),
                FigureShown(_per(each.points, each.deals), _over(each.deals)),
            ],
        )
        for each in found.players
    ]


def _record(
    which: str, label: str, figure: str, record: reads.ClubRecord, called: Mapping[int, str], *, short: str = ""
) -> ClubRecordShown:
    session = record.session
    what, url = called[session.pk], reverse("statistics", args=[session.public_id])
    if record.first:
        what = joined([what, _deals_said(record.first, record.last)])
        url = reverse("deal", args=[session.public_id, record.first])
    return ClubRecordShown(which, label, short or label, figure, record.name, what, url, record)


def _deals_said(first: int, last: int) -> str:
    """One hand, or a run of them, as one of several facts in a row."""
    if first == last:
        return _("hand {number}").format(number=first)
    return _("hands {first} to {last}").format(first=first, last=last)


# --- The groups -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Links:
    """The sessions that figures link to, by primary key, and their titles if there are several."""

    sessions: Mapping[int, Session]
    titles: Mapping[int, str] = field(default_factory=dict)

    def currency(self, session: int) -> Currency:
        one = self.sessions[session]
        return one.currency, one.minor_digits

    def named(self, session: int, deals: str) -> str:
        return joined([self.titles.get(session, ""), deals])

    def to_hand(self, session: int, number: int) -> str:
        return reverse("deal", args=[self.sessions[session].public_id, number])


Person = tuple[str, Figures, Pair]


def _groups(people: Sequence[Person], currencies: Sequence[Currency], links: _Links) -> list[Group]:
    places = sorted({place for _name, each, _pair in people for place in each.places})
    heads = [_("Hands"), _("Points"), _("Points per hand")]
    for code, _digits in currencies:
        heads += [code, _("{currency} per hand").format(currency=code)]
    front, middle, back = pgettext("row", "Front"), pgettext("row", "Middle"), pgettext("row", "Back")
    return [
        Group(
            "results",
            _("Results"),
            heads,
            [(name, list(_results(each.result, currencies))) for name, each, _pair in people],
            _("What was won less what was lost in hands. Penalties and side bets are in the totals of the ledger."),
        ),
        Group(
            "rows",
            _("Rows won and lost"),
            [front, middle, back, _("Scoops taken"), _("Scoops given")],
            [(name, list(_rows(pair, each.boards))) for name, each, pair in people],
            _("Once for each opponent of a hand. Rows count where neither board was a foul, scoops over all boards."),
        ),
        Group(
            "royalties",
            _("Royalties per hand, and fouls"),
            [front, middle, back, _("All rows"), _("Fouls")],
            [(name, list(_royalties(each))) for name, each, _pair in people],
            _("Over hands with boards. A foul has no royalties."),
        ),
        Group(
            "fantasyland",
            _("Fantasyland"),
            [
                pgettext("Fantasyland", "Entered"),
                pgettext("Fantasyland", "Stayed"),
                pgettext("Fantasyland", "Longest"),
                pgettext("Fantasyland", "Points per hand in it"),
                pgettext("Fantasyland", "Points per hand against it"),
            ],
            [(name, list(_fantasyland(each, currencies, links))) for name, each, _pair in people],
            _("Against it are the hands in which an opponent was in Fantasyland, and they were not."),
        ),
        Group(
            "best",
            _("Best and worst hand, streaks"),
            [_("Best hand"), _("Worst hand"), _("Most hands won in a row"), _("Most hands lost in a row")],
            [(name, list(_best(each, links))) for name, each, _pair in people],
        ),
        Group(
            "places",
            _("Points per hand by place after the button"),
            [place_said(place) for place in places],
            [(name, [_rate(each.places.get(place, Result()), []) for place in places]) for name, each, _pair in people],
            _("The first player after the button settles first."),
        ),
    ]


def _results(result: Result, currencies: Sequence[Currency]) -> Iterator[FigureShown]:
    yield FigureShown(str(result.deals))
    yield FigureShown(signed(result.points))
    yield FigureShown(_per(result.points, result.deals), _over(result.deals))
    for currency in currencies:
        money, digits = result.money.get(currency, 0), currency[1]
        yield FigureShown(signed_money(money, digits))
        # With several currencies, the hands of the others are none of this one.
        deals = result.deals_for.get(currency, 0)
        each = rounded(money, deals)
        yield FigureShown(signed_money(each, digits) if each or not deals else typed_amount(0, digits), _over(deals))


def _rows(pair: Pair, boards: int) -> Iterator[FigureShown]:
    for won, lost in zip(pair.won, pair.lost, strict=True):
        yield _to(won, lost, pair.compared)
    for scoops in (pair.taken, pair.given):
        yield _share(scoops, pair.scored, boards)


def _to(one: int, other: int, of: int) -> FigureShown:
    if not of:
        return FigureShown(NOTHING)
    return FigureShown(_("{won} to {lost}").format(won=one, lost=other), _("of {number}").format(number=of))


def _royalties(figures: Figures) -> Iterator[FigureShown]:
    for sum_ in (*figures.royalties, sum(figures.royalties)):
        yield FigureShown(_per(sum_, figures.boards, plus=False), _over(figures.boards))
    yield _share_of_deals(figures.fouls, figures.boards)


def _fantasyland(figures: Figures, currencies: Sequence[Currency], links: _Links) -> Iterator[FigureShown]:
    deals = figures.result.deals
    inside = figures.in_fantasyland.deals
    yield _share_of_deals(figures.entered, deals)
    in_it = ngettext("of {count} hand in it", "of {count} hands in it", inside).format(count=inside)
    yield FigureShown(str(figures.stayed), in_it) if inside else FigureShown(NOTHING)
    yield _run(figures.longest, links)
    yield _rate(figures.in_fantasyland, currencies)
    yield _rate(figures.against, currencies)


def _best(figures: Figures, links: _Links) -> Iterator[FigureShown]:
    for deal in (figures.best, figures.worst):
        if deal is None:
            yield FigureShown(NOTHING)
        else:
            code, digits = links.currency(deal.session)
            money = [f"{signed_money(deal.money, digits)} {code}"] if deal.money else []
            what = joined([*money, links.named(deal.session, _deals_said(deal.number, deal.number))])
            yield FigureShown(signed(deal.points), what, links.to_hand(deal.session, deal.number))
    for run in (figures.won_in_a_row, figures.lost_in_a_row):
        yield _run(run, links)


def _sitting(sitting: reads.Sitting | None, links: _Links) -> FigureShown:
    if sitting is None:
        return FigureShown(NOTHING)
    session = links.sessions[sitting.session]
    money = [f"{signed_money(sitting.money, session.minor_digits)} {session.currency}"] if sitting.money else []
    url = reverse("statistics", args=[session.public_id])
    return FigureShown(signed(sitting.points), joined([*money, links.titles[session.pk]]), url)


def _run(run: Run | None, links: _Links) -> FigureShown:
    if run is None:
        return FigureShown(NOTHING)
    (session, first), (last_session, last) = run.first, run.last
    within = session == last_session
    deals = _deals_said(first, last) if within else _("from hand {number}").format(number=first)
    what = links.named(session, deals)
    return FigureShown(counts.deals(run.length), what, links.to_hand(session, first))


def _pair(pair: Pair, points: int, money: Mapping[Currency, int]) -> list[FigureShown]:
    return [
        FigureShown(str(pair.deals)),
        FigureShown(signed(points)),
        FigureShown(_money(money) or NOTHING),
        *(_to(won, lost, pair.compared) for won, lost in zip(pair.won, pair.lost, strict=True)),
        _to(pair.taken, pair.given, pair.scored),
    ]


# --- Figures ----------------------------------------------------------------------------------------------


def _rate(result: Result, currencies: Sequence[Currency]) -> FigureShown:
    """Points per hand and the number of hands; with ``currencies``, the money as well."""
    if not result.deals:
        return FigureShown(NOTHING)
    money = _money({currency: result.money.get(currency, 0) for currency in currencies})
    results = joined([signed(result.points), money]) if money else signed(result.points)
    said = _("{hands}: {results}").format(hands=_over(result.deals), results=results)
    return FigureShown(_per(result.points, result.deals), said)


def _share(figure: int, of: int, deals: int) -> FigureShown:
    """A count, its total, and the percentage; over too few hands "of only" that total in place of it."""
    if not of:
        return FigureShown(NOTHING)
    if deals >= FEW:
        said = _("of {number}, {percent}").format(number=of, percent=percent(rounded(100 * figure, of)))
    elif of <= deals:
        said = _("of only {number}").format(number=of)
    else:
        said = ngettext("of {number}, in only {count} hand", "of {number}, in only {count} hands", deals)
        said = said.format(number=of, count=deals)
    return FigureShown(str(figure), said)


def _share_of_deals(figure: int, deals: int) -> FigureShown:
    """The same share, where the hands themselves are counted."""
    if not deals:
        return FigureShown(NOTHING)
    if deals >= FEW:
        said = ngettext("of {count} hand, {percent}", "of {count} hands, {percent}", deals)
        return FigureShown(str(figure), said.format(count=deals, percent=percent(rounded(100 * figure, deals))))
    return FigureShown(
        str(figure), ngettext("of only {count} hand", "of only {count} hands", deals).format(count=deals)
    )


def _over(deals: int) -> str:
    """Over how many hands a rate is, and that they are few; empty of none."""
    if not deals:
        return ""
    if deals < FEW:
        return ngettext("only {count} hand", "only {count} hands", deals).format(count=deals)
    return counts.deals(deals)


def _per(sum_: int, deals: int, *, plus: bool = True) -> str:
    """A sum per hand with one decimal, with a sign if it was won or lost."""
    if not deals:
        return NOTHING
    figure = rounded(10 * sum_, deals)
    sign = "" if not figure else MINUS if figure < 0 else "+" if plus else ""
    return f"{sign}{tenths(abs(figure))}"


def _money(money: Mapping[Currency, int]) -> str:
    """Amounts in each currency in which anything was won or lost."""
    return joined([f"{signed_money(minor, digits)} {code}" for (code, digits), minor in sorted(money.items()) if minor])
