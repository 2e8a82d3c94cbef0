"""The rule sheet: house rules in words, to be read out or laid on the table before the first deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from scoring.rules.houserules import FANTASYLAND_CARDS, HouseRules, Naturals, max_players
from scoring.rules.phrase import Phrase


class SheetLine(NamedTuple):
    """One sentence of the sheet. ``rule`` is the number of the sentence in ``docs/rules.md`` behind the choice."""

    heading: Phrase
    sentence: Phrase
    rule: str


_GAME: Final = Phrase("Game")
_ROWS: Final = Phrase("Rows")
_POINTS: Final = Phrase("Points")
ROYALTIES: Final = Phrase("Royalties")
_FANTASYLAND: Final = Phrase("Fantasyland")
_SPECIALS: Final = Phrase("Specials")
_MONEY: Final = Phrase("Money")


def describe(rules: HouseRules) -> list[SheetLine]:
    """Write the whole sheet: the game, rows, points, royalties, Fantasyland, specials and money.

    The sheet only names the royalty chart, because its figures are easier to read as a table.
    """
    return [
        *_game(rules),
        *_scoring(rules),
        *_royalties(rules),
        *_fantasyland(rules),
        *_specials(rules),
        *_money(rules),
    ]


_DEALT: Final = {
    ("regular", 1): Phrase("Regular Open Face Chinese from one deck: five cards, then one at a time."),
    ("regular", 2): Phrase(
        "Regular Open Face Chinese from two decks shuffled together: five cards, then one at a time."
    ),
    ("pineapple", 1): Phrase(
        "Pineapple from one deck: five cards, then four times deal three, place two, discard one."
    ),
    ("pineapple", 2): Phrase(
        "Pineapple from two decks shuffled together: five cards, then four times deal three, place two, discard one."
    ),
}
_FIVE_OF_A_KIND: Final = {
    "above-royal": Phrase("Five of a kind ranks above a royal flush."),
    "below-royal": Phrase("Five of a kind ranks between straight flush and royal flush."),
    "below-straight-flush": Phrase("Five of a kind ranks between quads and straight flush."),
}


def _game(rules: HouseRules) -> Iterator[SheetLine]:
    yield SheetLine(_GAME, _DEALT[rules.game, rules.decks], "R50" if rules.game == "pineapple" else "R1")
    most = Phrase.plural(
        "At most {count} player is dealt in.", "At most {count} players are dealt in.", max_players(rules)
    )
    yield SheetLine(_GAME, most, "R51")
    if rules.lowball:
        yield SheetLine(
            _ROWS,
            Phrase(
                "The middle is a 2-7 low: ten-high or better, without a pair, straight or flush, the ace high. "
                "The back must outrank the front; the middle is compared with neither. Anything else is a foul."
            ),
            "R52",
        )
        yield SheetLine(_ROWS, Phrase("Between two middles the lower one wins."), "R53")
    elif rules.row_order == "strict":
        yield SheetLine(
            _ROWS,
            Phrase(
                "The back must be stronger than the middle, and the middle stronger than the front. "
                "A back that only equals the middle is a foul."
            ),
            "R8",
        )
    else:
        yield SheetLine(
            _ROWS,
            Phrase(
                "The back must be at least as strong as the middle, and the middle as the front. Equal rows are legal."
            ),
            "R7",
        )
    if rules.decks == 2:
        yield SheetLine(_ROWS, _FIVE_OF_A_KIND[rules.five_of_a_kind], "R57")
        yield SheetLine(_ROWS, Phrase("A flush may hold pairs and is compared card by card from the top."), "R58")


_SCORING: Final = {
    "1-6": (Phrase("1-6: a point for each row won, three more for winning all three."), "R14"),
    "2-4": (Phrase("2-4: a point for each row won, one more for winning two or three."), "R17"),
    "1-4": (Phrase("1-4: a point for each row won, one more for winning all three."), "R18"),
}


def _scoring(rules: HouseRules) -> Iterator[SheetLine]:
    yield SheetLine(_POINTS, *_SCORING[rules.scoring])
    yield SheetLine(_POINTS, Phrase("A tied row is worth nothing, and a scoop takes all three rows won."), "R16")
    yield SheetLine(
        _POINTS,
        Phrase(
            "A foul pays {points} to every legal board, and that board's royalties; it earns none itself. "
            "Two fouls owe each other nothing.",
            points={"1-6": 6, "2-4": 4, "1-4": 4}[rules.scoring],
        ),
        "R19",
    )


_CHARTS: Final = {
    "modern": (Phrase("The modern chart."), "R25"),
    "flat-20": (Phrase("The flat-20 chart: any trips in front pay 20."), "R26"),
    "hybrid-2012": (
        Phrase("The 2012 hybrid chart: quads and better pay less, trips in the middle nothing."),
        "R27",
    ),
    "aria-2013": (
        Phrase("The Aria 2013 chart: the modern one without royalties for trips in the middle."),
        "R28",
    ),
    "": (Phrase("The table's own chart."), "R29"),
}


def _royalties(rules: HouseRules) -> Iterator[SheetLine]:
    yield SheetLine(ROYALTIES, *_CHARTS[rules.royalties.name])
    if rules.royalty_payment == "all":
        yield SheetLine(
            ROYALTIES,
            Phrase("Royalties count whether or not the row is won; two players pay the difference."),
            "R22",
        )
    else:
        yield SheetLine(
            ROYALTIES, Phrase("A royalty is paid only if its player wins that row; in a tied row none."), "R23"
        )
    if rules.lowball:
        low = dict(rules.royalties.low)
        yield SheetLine(
            ROYALTIES,
            Phrase(
                "The middle pays {nine} for nine-high, {eight} for eight-high, {seven} for seven-high "
                "and {best} for 7-5-4-3-2.",
                nine=low["9"],
                eight=low["8"],
                seven=low["7"],
                best=low["75432"],
            ),
            "R54",
        )


# How a legal board enters, by the front that it needs.
_ENTERING: Final[dict[str, Callable[[int], Phrase]]] = {
    "QQ": lambda cards: Phrase(
        "A legal board enters with queens or better in front and is dealt {cards} cards.", cards=cards
    ),
    "KK": lambda cards: Phrase(
        "A legal board enters with kings or better in front and is dealt {cards} cards.", cards=cards
    ),
    "AA": lambda cards: Phrase(
        "A legal board enters with aces or better in front and is dealt {cards} cards.", cards=cards
    ),
    "trips": lambda cards: Phrase("A legal board enters with trips in front and is dealt {cards} cards.", cards=cards),
}
_ENTERING_IN_LOW: Final[dict[str, Callable[[int, int], Phrase]]] = {
    "QQ": lambda cards, both: Phrase(
        "A legal board enters with queens or better in front or 7-5-4-3-2 in the middle and is dealt {cards} cards, "
        "{both} with both.",
        cards=cards,
        both=both,
    ),
    "KK": lambda cards, both: Phrase(
        "A legal board enters with kings or better in front or 7-5-4-3-2 in the middle and is dealt {cards} cards, "
        "{both} with both.",
        cards=cards,
        both=both,
    ),
    "AA": lambda cards, both: Phrase(
        "A legal board enters with aces or better in front or 7-5-4-3-2 in the middle and is dealt {cards} cards, "
        "{both} with both.",
        cards=cards,
        both=both,
    ),
    "trips": lambda cards, both: Phrase(
        "A legal board enters with trips in front or 7-5-4-3-2 in the middle and is dealt {cards} cards, "
        "{both} with both.",
        cards=cards,
        both=both,
    ),
}
_ENTERING_PROGRESSIVE: Final[dict[str, Callable[[int, int, int, int], Phrase]]] = {
    "QQ": lambda queens, kings, aces, trips: Phrase(
        "A legal board enters with queens or better in front; cards dealt: queens {queens}, kings {kings}, "
        "aces {aces}, trips {trips}.",
        queens=queens,
        kings=kings,
        aces=aces,
        trips=trips,
    ),
    "KK": lambda _queens, kings, aces, trips: Phrase(
        "A legal board enters with kings or better in front; cards dealt: kings {kings}, aces {aces}, trips {trips}.",
        kings=kings,
        aces=aces,
        trips=trips,
    ),
    "AA": lambda _queens, _kings, aces, trips: Phrase(
        "A legal board enters with aces or better in front; cards dealt: aces {aces}, trips {trips}.",
        aces=aces,
        trips=trips,
    ),
    "trips": lambda _queens, _kings, _aces, trips: Phrase(
        "A legal board enters with trips in front; cards dealt: trips {trips}.", trips=trips
    ),
}


def _fantasyland(rules: HouseRules) -> Iterator[SheetLine]:
    entry, base = rules.fantasyland_entry, rules.fantasyland_cards
    if entry == "none":
        yield SheetLine(_FANTASYLAND, Phrase("There is no Fantasyland."), "R31")
        return
    one, two, three = (min(base + more, FANTASYLAND_CARDS[-1]) for more in (1, 2, 3))
    if rules.lowball:
        yield SheetLine(_FANTASYLAND, _ENTERING_IN_LOW[entry](base, one), "R55")
    elif rules.fantasyland_progressive:
        yield SheetLine(_FANTASYLAND, _ENTERING_PROGRESSIVE[entry](base, one, two, three), "R33")
    else:
        yield SheetLine(_FANTASYLAND, _ENTERING[entry](base), "R30" if entry == "QQ" else "R31")
    yield SheetLine(_FANTASYLAND, *_staying(rules))
    if rules.fantasyland_repeat == "base":
        again = Phrase("A player who stays is dealt {cards} cards again.", cards=base)
    elif rules.fantasyland_repeat == "same":
        again = Phrase("A player who stays is dealt as many cards as last time.")
    else:
        again = Phrase("A player who stays is dealt as many cards as the new front would earn on entering.")
    yield SheetLine(_FANTASYLAND, again, "R36")
    yield SheetLine(_FANTASYLAND, Phrase("A fouled hand can't enter or stay in Fantasyland."), "R37")
    if rules.button_in_fantasyland == "stays":
        button = Phrase("The button stays for a hand in which somebody is in Fantasyland.")
    else:
        button = Phrase("The button moves after every hand, Fantasyland or not.")
    yield SheetLine(_FANTASYLAND, button, "R39")


def _staying(rules: HouseRules) -> tuple[Phrase, str]:
    if rules.fantasyland_stay == "ten-point":
        return Phrase("A legal board stays with a royalty of ten or more in any one row."), "R35"
    if not rules.lowball and (rules.game == "regular" or rules.fantasyland_stay == "full-house"):
        full_house = Phrase(
            "A legal board stays with trips in front, a full house or better in the middle or quads or better in the "
            "back."
        )
        return full_house, "R34" if rules.game == "regular" else "R35"
    if rules.lowball and rules.fantasyland_stay == "lowball":
        lowball = Phrase(
            "A legal board stays with trips in front, 7-5-4-3-2 in the middle or quads or better in the back."
        )
        return lowball, "R35"
    return Phrase("A legal board stays with trips in front or quads or better in the back."), "R34"


def _specials(rules: HouseRules) -> Iterator[SheetLine]:
    if rules.moon == "replace":
        moon = Phrase.plural(
            "Shooting the moon, a legal board with jack-high or less in the back, wins {count} point from everyone, "
            "in place of the pair's score.",
            "Shooting the moon, a legal board with jack-high or less in the back, wins {count} points from everyone, "
            "in place of the pair's score.",
            rules.moon_points,
        )
        yield SheetLine(_SPECIALS, moon, "R59")
    elif rules.moon == "add":
        moon = Phrase.plural(
            "Shooting the moon, a legal board with jack-high or less in the back, wins {count} point from everyone, "
            "on top of the pair's score.",
            "Shooting the moon, a legal board with jack-high or less in the back, wins {count} points from everyone, "
            "on top of the pair's score.",
            rules.moon_points,
        )
        yield SheetLine(_SPECIALS, moon, "R59")
    if rules.naturals is not None and any(rules.naturals):
        naturals = Phrase(
            "Naturals win from everyone in place of the pair's score: {list}.", list=_naturals(rules.naturals)
        )
        yield SheetLine(_SPECIALS, naturals, "R60")
    if rules.surrender_points:
        surrender = Phrase.plural(
            "A player may surrender and pay {count} point to each opponent who did not.",
            "A player may surrender and pay {count} points to each opponent who did not.",
            rules.surrender_points,
        )
        yield SheetLine(_SPECIALS, surrender, "R61")


def _naturals(worth: Naturals) -> Phrase:
    """The naturals that win something, each with its points, as a list."""
    listed = [
        Phrase("a dragon {points}", points=worth.dragon),
        Phrase("three flushes {points}", points=worth.three_flushes),
        Phrase("three straights {points}", points=worth.three_straights),
        Phrase("six pairs {points}", points=worth.six_pairs),
    ]
    paid = [phrase for phrase in listed if phrase.values["points"]]
    last = paid.pop()
    while paid:
        last = Phrase("{first}, {more}", first=paid.pop(), more=last)
    return last


def _money(rules: HouseRules) -> Iterator[SheetLine]:
    if rules.settlement_order == "pairs":
        order = Phrase("In order of play, each player settles with every other, clockwise; each two settle once.")
        yield SheetLine(_MONEY, order, "R43")
    else:
        order = Phrase("In order of play, each player pays everyone they owe, clockwise from their left.")
        yield SheetLine(_MONEY, order, "R44")
    if not rules.loss_cap and rules.win_cap == "none":
        yield SheetLine(_MONEY, Phrase("No cap: everything owed is paid."), "R42")
        return
    if rules.loss_cap:
        yield SheetLine(_MONEY, Phrase("Table stakes: nobody can lose more than their stack."), "R45")
    if rules.win_cap == "running":
        most = Phrase("Nobody can win more from one opponent than their own stack at that moment.")
        yield SheetLine(_MONEY, most, "R46")
    elif rules.win_cap == "start":
        most = Phrase("Nobody can win more from one opponent than the stack they started the hand with.")
        yield SheetLine(_MONEY, most, "R46")
    if rules.loss_cap:
        busted = Phrase("A busted player can't win from later matchups. Anything above the cap isn't owed.")
        if rules.busted_collects:
            busted = Phrase("A busted player can still win from later matchups. Anything above the cap isn't owed.")
        yield SheetLine(_MONEY, busted, "R48")
