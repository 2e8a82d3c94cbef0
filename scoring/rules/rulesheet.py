"""The rule sheet: house rules in words, to be read out or laid on the table before the first deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.rules.english import ENGLISH
from scoring.rules.houserules import FANTASYLAND_CARDS, HouseRules, max_players
from scoring.rules.specials import NATURAL_NAMES


class SheetLine(NamedTuple):
    """One sentence of the sheet. ``rule`` is the number of the sentence in ``docs/rules.md`` behind the choice."""

    heading: str
    sentence: str
    rule: str


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


def _game(rules: HouseRules) -> Iterator[SheetLine]:
    decks = "one deck" if rules.decks == 1 else "two decks shuffled together"
    if rules.game == "pineapple":
        yield SheetLine(
            "Game",
            f"Pineapple from {decks}: five cards, then four times deal three, place two, discard one.",
            "R50",
        )
    else:
        yield SheetLine("Game", f"Regular Open Face Chinese from {decks}: five cards, then one at a time.", "R1")
    yield SheetLine("Game", f"At most {max_players(rules)} players are dealt in.", "R51")
    if rules.lowball:
        yield SheetLine(
            "Rows",
            "The middle is a 2-7 low: ten-high or better, without a pair, straight or flush, the ace high. "
            "The back must outrank the front; the middle is compared with neither. Anything else is a foul.",
            "R52",
        )
        yield SheetLine("Rows", "Between two middles the lower one wins.", "R53")
    elif rules.row_order == "strict":
        yield SheetLine(
            "Rows",
            "The back must be stronger than the middle, and the middle stronger than the front. "
            "A back that only equals the middle is a foul.",
            "R8",
        )
    else:
        yield SheetLine(
            "Rows",
            "The back must be at least as strong as the middle, and the middle as the front. Equal rows are legal.",
            "R7",
        )
    if rules.decks == 2:
        place = {
            "above-royal": "above a royal flush",
            "below-royal": "between straight flush and royal flush",
            "below-straight-flush": "between quads and straight flush",
        }[rules.five_of_a_kind]
        yield SheetLine("Rows", f"Five of a kind ranks {place}.", "R57")
        yield SheetLine("Rows", "A flush may hold pairs and is compared card by card from the top.", "R58")


def _scoring(rules: HouseRules) -> Iterator[SheetLine]:
    sentence, rule = {
        "1-6": ("1-6: a point for each row won, three more for winning all three.", "R14"),
        "2-4": ("2-4: a point for each row won, one more for winning two or three.", "R17"),
        "1-4": ("1-4: a point for each row won, one more for winning all three.", "R18"),
    }[rules.scoring]
    yield SheetLine("Points", sentence, rule)
    yield SheetLine("Points", "A tied row is worth nothing, and a scoop takes all three rows won.", "R16")
    scoop = {"1-6": 6, "2-4": 4, "1-4": 4}[rules.scoring]
    yield SheetLine(
        "Points",
        f"A foul pays {scoop} to every legal board, and that board's royalties; it earns none itself. "
        "Two fouls owe each other nothing.",
        "R19",
    )


def _royalties(rules: HouseRules) -> Iterator[SheetLine]:
    chart = {
        "modern": ("The modern chart.", "R25"),
        "flat-20": ("The flat-20 chart: any trips in front pay 20.", "R26"),
        "hybrid-2012": ("The 2012 hybrid chart: quads and better pay less, trips in the middle nothing.", "R27"),
        "aria-2013": ("The Aria 2013 chart: the modern one without royalties for trips in the middle.", "R28"),
        "": ("The table's own chart.", "R29"),
    }[rules.royalties.name]
    yield SheetLine("Royalties", *chart)
    if rules.royalty_payment == "all":
        yield SheetLine(
            "Royalties", "Royalties count whether or not the row is won; two players pay the difference.", "R22"
        )
    else:
        yield SheetLine("Royalties", "A royalty is paid only if its player wins that row; in a tied row none.", "R23")
    if rules.lowball:
        low = dict(rules.royalties.low)
        yield SheetLine(
            "Royalties",
            f"The middle pays {low['9']} for nine-high, {low['8']} for eight-high, {low['7']} for seven-high "
            f"and {low['75432']} for 7-5-4-3-2.",
            "R54",
        )


def _fantasyland(rules: HouseRules) -> Iterator[SheetLine]:
    heading = "Fantasyland"
    if rules.fantasyland_entry == "none":
        yield SheetLine(heading, "There is no Fantasyland.", "R31")
        return
    front = {"QQ": "queens", "KK": "kings", "AA": "aces", "trips": "trips"}[rules.fantasyland_entry]
    better = "" if rules.fantasyland_entry == "trips" else " or better"
    base = rules.fantasyland_cards
    most = FANTASYLAND_CARDS[-1]
    if rules.lowball:
        yield SheetLine(
            heading,
            f"A legal board enters with {front}{better} in front or 7-5-4-3-2 in the middle and is dealt {base} cards, "
            f"{min(base + 1, most)} with both.",
            "R55",
        )
    elif rules.fantasyland_progressive:
        steps = [("queens", "QQ"), ("kings", "KK"), ("aces", "AA"), ("trips", "trips")]
        entering = steps[[code for _, code in steps].index(rules.fantasyland_entry) :]
        dealt = ", ".join(
            f"{name} {min(base + place, most)}" for place, (name, code) in enumerate(steps) if (name, code) in entering
        )
        yield SheetLine(heading, f"A legal board enters with {front}{better} in front; cards dealt: {dealt}.", "R33")
    else:
        rule = "R30" if rules.fantasyland_entry == "QQ" else "R31"
        yield SheetLine(heading, f"A legal board enters with {front}{better} in front and is dealt {base} cards.", rule)
    yield SheetLine(heading, *_staying(rules))
    yield SheetLine(
        heading,
        {
            "base": f"A player who stays is dealt {base} cards again.",
            "same": "A player who stays is dealt as many cards as last time.",
            "recompute": "A player who stays is dealt as many cards as the new front would earn on entering.",
        }[rules.fantasyland_repeat],
        "R36",
    )
    yield SheetLine(heading, "A fouled hand can't enter or stay in Fantasyland.", "R37")
    if rules.button_in_fantasyland == "stays":
        yield SheetLine(heading, "The button stays for a hand in which somebody is in Fantasyland.", "R39")
    else:
        yield SheetLine(heading, "The button moves after every hand, Fantasyland or not.", "R39")


def _staying(rules: HouseRules) -> tuple[str, str]:
    if rules.fantasyland_stay == "ten-point":
        return "A legal board stays with a royalty of ten or more in any one row.", "R35"
    ways = ["trips in front"]
    rule = "R34"
    if not rules.lowball and (rules.game == "regular" or rules.fantasyland_stay == "full-house"):
        ways.append("a full house or better in the middle")
        rule = "R34" if rules.game == "regular" else "R35"
    if rules.lowball and rules.fantasyland_stay == "lowball":
        ways.append("7-5-4-3-2 in the middle")
        rule = "R35"
    return f"A legal board stays with {', '.join(ways)} or quads or better in the back.", rule


def _specials(rules: HouseRules) -> Iterator[SheetLine]:
    heading = "Specials"
    if rules.moon != "off":
        how = "in place of" if rules.moon == "replace" else "on top of"
        yield SheetLine(
            heading,
            "Shooting the moon, a legal board with jack-high or less in the back, wins "
            f"{ENGLISH.points(rules.moon_points)} from everyone, {how} the pair's score.",
            "R59",
        )
    if rules.naturals is not None and any(rules.naturals):
        worth = ", ".join(f"{NATURAL_NAMES[name]} {value}" for name, value in rules.naturals._asdict().items() if value)
        yield SheetLine(heading, f"Naturals win from everyone in place of the pair's score: {worth}.", "R60")
    if rules.surrender_points:
        yield SheetLine(
            heading,
            f"A player may surrender and pay {ENGLISH.points(rules.surrender_points)} to each opponent who did not.",
            "R61",
        )


def _money(rules: HouseRules) -> Iterator[SheetLine]:
    if rules.settlement_order == "pairs":
        yield SheetLine(
            "Money",
            "In order of play, each player settles with every other, clockwise; each two settle once.",
            "R43",
        )
    else:
        yield SheetLine(
            "Money", "In order of play, each player pays everyone they owe, clockwise from their left.", "R44"
        )
    if not rules.loss_cap and rules.win_cap == "none":
        yield SheetLine("Money", "No cap: everything owed is paid.", "R42")
        return
    if rules.loss_cap:
        yield SheetLine("Money", "Table stakes: nobody can lose more than their stack.", "R45")
    if rules.win_cap == "running":
        yield SheetLine("Money", "Nobody can win more from one opponent than their own stack at that moment.", "R46")
    elif rules.win_cap == "start":
        yield SheetLine(
            "Money", "Nobody can win more from one opponent than the stack they started the hand with.", "R46"
        )
    if rules.loss_cap:
        wins = "can still win" if rules.busted_collects else "can't win"
        sentence = f"A busted player {wins} from later matchups. Anything above the cap isn't owed."
        yield SheetLine("Money", sentence, "R48")
