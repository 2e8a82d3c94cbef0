"""House rules: what the deck allows, and the rule sheet on which a table reads what it plays."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.houserules import CHARTS, PRESETS, fantasyland_capacity, max_players, resolve
from scoring.rules.rulesheet import describe

from .documents import CHOICES, chances, random_chart, random_rules
from .test_wording import RULES


@pytest.mark.parametrize(
    ("rules", "players", "cards"),
    [
        # R41: what one or two decks have left when all the others play an ordinary hand, and never fewer than 13
        ("regular", 2, 17),
        ("regular", 3, 17),
        ("regular", 4, 13),
        ("pineapple", 2, 17),
        ("pineapple", 3, 17),
        ("double-deck", 7, 17),
        ("double-deck", 8, 13),
        ({"decks": 2, "game": "pineapple"}, 6, 17),
    ],
)
def test_cards_for_fantasyland(rules: Any, players: int, cards: int) -> None:
    assert fantasyland_capacity(resolve(rules), players) == cards


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("regular", 4),
        ("pineapple", 3),
        ("2-7-pineapple", 3),
        ("double-deck", 8),
        ({"decks": 2, "game": "pineapple"}, 6),
    ],
)
def test_players_by_the_deck(rules: Any, players: int) -> None:
    assert max_players(resolve(rules)) == players


def test_presets_are_what_their_names_resolve_to() -> None:
    for name, rules in PRESETS.items():
        assert resolve(name) == resolve({"preset": name}) == rules
        assert rules.preset == name


@given(chances())
def test_rules_survive_their_document(rng: Any) -> None:
    rules = resolve(random_rules(rng))
    assert resolve(rules.as_document()) == rules
    assert hash(resolve(rules.as_document())) == hash(rules)


@given(chances())
def test_a_chart_survives_its_document(rng: Any) -> None:
    rules = resolve({"royalties": random_chart(rng)})
    assert resolve({"royalties": rules.as_document()["royalties"]}).royalties == rules.royalties


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_that_is_published_is_known_again_by_its_figures(name: str) -> None:
    assert resolve({"royalties": CHARTS[name].tables()}).royalties is CHARTS[name]
    changed = {**CHARTS[name].tables(), "low": {"9": 1, "8": 2, "7": 4, "75432": 9}}
    assert resolve({"royalties": changed}).royalties.name == ""


# --- The sheet --------------------------------------------------------------------------------------------


def sheet(rules: Any) -> list[str]:
    return [line.sentence for line in describe(resolve(rules))]


@given(chances(), st.booleans())
def test_every_line_is_a_sentence_with_the_number_of_a_rule(rng: Any, nothing: bool) -> None:
    spec = random_rules(rng)
    if nothing and not isinstance(spec, str):
        spec["naturals"] = dict.fromkeys(("dragon", "three_flushes", "three_straights", "six_pairs"), 0)
    for line in describe(resolve(spec)):
        assert line.rule in RULES
        assert line.heading
        assert re.fullmatch(r"[A-Z0-9].*[^ :,]\.", line.sentence), line.sentence
        assert "  " not in line.sentence
        assert "{" not in line.sentence


SHEETS: list[tuple[Any, list[tuple[str, str, str]]]] = [
    (
        "regular",
        [
            ("Game", "Regular Open Face Chinese from one deck: five cards, then one at a time.", "R1"),
            ("Game", "At most 4 players are dealt in.", "R51"),
            (
                "Rows",
                "The back must be at least as strong as the middle, and the middle as the front. Equal rows are legal.",
                "R7",
            ),
            ("Points", "1-6: a point for each row won, three more for winning all three.", "R14"),
            ("Points", "A tied row is worth nothing, and a scoop takes all three rows won.", "R16"),
            (
                "Points",
                "A foul pays 6 to every legal board, and that board's royalties; it earns none itself. "
                "Two fouls owe each other nothing.",
                "R19",
            ),
            ("Royalties", "The modern chart.", "R25"),
            ("Royalties", "Royalties count whether or not the row is won; two players pay the difference.", "R22"),
            ("Fantasyland", "A legal board enters with queens or better in front and is dealt 13 cards.", "R30"),
            (
                "Fantasyland",
                "A legal board stays with trips in front, a full house or better in the middle "
                "or quads or better in the back.",
                "R34",
            ),
            ("Fantasyland", "A player who stays is dealt 13 cards again.", "R36"),
            ("Fantasyland", "A fouled hand can't enter or stay in Fantasyland.", "R37"),
            ("Fantasyland", "The button stays for a hand in which somebody is in Fantasyland.", "R39"),
            (
                "Money",
                "In order of play, each player settles with every other, clockwise; each two settle once.",
                "R43",
            ),
            ("Money", "Table stakes: nobody can lose more than their stack.", "R45"),
            ("Money", "Nobody can win more from one opponent than their own stack at that moment.", "R46"),
            (
                "Money",
                "A busted player can't win from later matchups. Anything above the cap isn't owed.",
                "R48",
            ),
        ],
    ),
    (
        {
            "preset": "2-7-pineapple",
            "scoring": "2-4",
            "royalties": "flat-20",
            "royalty_payment": "row-winner",
            "fantasyland_stay": "lowball",
            "fantasyland_repeat": "same",
            "moon": "replace",
            "moon_points": 1,
            "naturals": {"dragon": 13, "three_flushes": 0, "three_straights": 6, "six_pairs": 7},
            "surrender_points": 1,
            "win_cap": "start",
            "settlement_order": "debtors",
            "busted_collects": True,
        },
        [
            (
                "Game",
                "Pineapple from one deck: five cards, then four times deal three, place two, discard one.",
                "R50",
            ),
            ("Game", "At most 3 players are dealt in.", "R51"),
            (
                "Rows",
                "The middle is a 2-7 low: ten-high or better, without a pair, straight or flush, the ace high. "
                "The back must outrank the front; the middle is compared with neither. Anything else is a foul.",
                "R52",
            ),
            ("Rows", "Between two middles the lower one wins.", "R53"),
            ("Points", "2-4: a point for each row won, one more for winning two or three.", "R17"),
            ("Points", "A tied row is worth nothing, and a scoop takes all three rows won.", "R16"),
            (
                "Points",
                "A foul pays 4 to every legal board, and that board's royalties; it earns none itself. "
                "Two fouls owe each other nothing.",
                "R19",
            ),
            ("Royalties", "The flat-20 chart: any trips in front pay 20.", "R26"),
            ("Royalties", "A royalty is paid only if its player wins that row; in a tied row none.", "R23"),
            (
                "Royalties",
                "The middle pays 1 for nine-high, 2 for eight-high, 4 for seven-high and 8 for 7-5-4-3-2.",
                "R54",
            ),
            (
                "Fantasyland",
                "A legal board enters with kings or better in front or 7-5-4-3-2 in the middle and is dealt 14 cards, "
                "15 with both.",
                "R55",
            ),
            (
                "Fantasyland",
                "A legal board stays with trips in front, 7-5-4-3-2 in the middle or quads or better in the back.",
                "R35",
            ),
            ("Fantasyland", "A player who stays is dealt as many cards as last time.", "R36"),
            ("Fantasyland", "A fouled hand can't enter or stay in Fantasyland.", "R37"),
            ("Fantasyland", "The button stays for a hand in which somebody is in Fantasyland.", "R39"),
            (
                "Specials",
                "Shooting the moon, a legal board with jack-high or less in the back, wins 1 point from everyone, "
                "in place of the pair's score.",
                "R59",
            ),
            (
                "Specials",
                "Naturals win from everyone in place of the pair's score: a dragon 13, three straights 6, six pairs 7.",
                "R60",
            ),
            ("Specials", "A player may surrender and pay 1 point to each opponent who did not.", "R61"),
            (
                "Money",
                "In order of play, each player pays everyone they owe, clockwise from their left.",
                "R44",
            ),
            ("Money", "Table stakes: nobody can lose more than their stack.", "R45"),
            ("Money", "Nobody can win more from one opponent than the stack they started the hand with.", "R46"),
            (
                "Money",
                "A busted player can still win from later matchups. Anything above the cap isn't owed.",
                "R48",
            ),
        ],
    ),
    (
        {
            "preset": "progressive-pineapple",
            "decks": 2,
            "scoring": "1-4",
            "royalties": "hybrid-2012",
            "row_order": "strict",
            "fantasyland_entry": "KK",
            "fantasyland_stay": "full-house",
            "fantasyland_repeat": "recompute",
            "button_in_fantasyland": "moves",
            "five_of_a_kind": "below-royal",
            "moon": "add",
            "loss_cap": False,
            "win_cap": "none",
        },
        [
            (
                "Game",
                "Pineapple from two decks shuffled together: five cards, then four times deal three, place two, "
                "discard one.",
                "R50",
            ),
            ("Game", "At most 6 players are dealt in.", "R51"),
            (
                "Rows",
                "The back must be stronger than the middle, and the middle stronger than the front. "
                "A back that only equals the middle is a foul.",
                "R8",
            ),
            ("Rows", "Five of a kind ranks between straight flush and royal flush.", "R57"),
            ("Rows", "A flush may hold pairs and is compared card by card from the top.", "R58"),
            ("Points", "1-4: a point for each row won, one more for winning all three.", "R18"),
            ("Points", "A tied row is worth nothing, and a scoop takes all three rows won.", "R16"),
            (
                "Points",
                "A foul pays 4 to every legal board, and that board's royalties; it earns none itself. "
                "Two fouls owe each other nothing.",
                "R19",
            ),
            (
                "Royalties",
                "The 2012 hybrid chart: quads and better pay less, trips in the middle nothing.",
                "R27",
            ),
            ("Royalties", "Royalties count whether or not the row is won; two players pay the difference.", "R22"),
            (
                "Fantasyland",
                "A legal board enters with kings or better in front; cards dealt: kings 15, aces 16, trips 17.",
                "R33",
            ),
            (
                "Fantasyland",
                "A legal board stays with trips in front, a full house or better in the middle "
                "or quads or better in the back.",
                "R35",
            ),
            (
                "Fantasyland",
                "A player who stays is dealt as many cards as the new front would earn on entering.",
                "R36",
            ),
            ("Fantasyland", "A fouled hand can't enter or stay in Fantasyland.", "R37"),
            ("Fantasyland", "The button moves after every hand, Fantasyland or not.", "R39"),
            (
                "Specials",
                "Shooting the moon, a legal board with jack-high or less in the back, wins 20 points from everyone, "
                "on top of the pair's score.",
                "R59",
            ),
            (
                "Money",
                "In order of play, each player settles with every other, clockwise; each two settle once.",
                "R43",
            ),
            ("Money", "No cap: everything owed is paid.", "R42"),
        ],
    ),
]


@pytest.mark.parametrize(("rules", "lines"), SHEETS, ids=["regular", "lowball", "progressive"])
def test_a_sheet_word_for_word(rules: Any, lines: list[tuple[str, str, str]]) -> None:
    assert list(map(tuple, describe(resolve(rules)))) == lines


STAYS_WITH_LESS = "A legal board stays with trips in front or quads or better in the back."
STAYS_WITH_A_FULL_HOUSE = (
    "A legal board stays with trips in front, a full house or better in the middle or quads or better in the back."
)


@pytest.mark.parametrize(
    ("rules", "heading", "lines"),
    [
        ({"decks": 2}, "Rows", ["R7", "Five of a kind ranks above a royal flush. R57", "R58"]),
        (
            {"decks": 2, "five_of_a_kind": "below-straight-flush"},
            "Rows",
            ["R7", "Five of a kind ranks between quads and straight flush. R57", "R58"],
        ),
        (
            {"royalties": "aria-2013"},
            "Royalties",
            ["The Aria 2013 chart: the modern one without royalties for trips in the middle. R28", "R22"],
        ),
        (
            {"royalties": {**CHARTS["modern"].tables(), "low": {"9": 1, "8": 2, "7": 3, "75432": 9}}, "middle": "2-7"},
            "Royalties",
            [
                "The table's own chart. R29",
                "R22",
                "The middle pays 1 for nine-high, 2 for eight-high, 3 for seven-high and 9 for 7-5-4-3-2. R54",
            ],
        ),
        ({"fantasyland_entry": "none"}, "Fantasyland", ["There is no Fantasyland. R31"]),
        (
            {"fantasyland_entry": "KK"},
            "Fantasyland",
            [
                "A legal board enters with kings or better in front and is dealt 13 cards. R31",
                "R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"fantasyland_entry": "AA"},
            "Fantasyland",
            [
                "A legal board enters with aces or better in front and is dealt 13 cards. R31",
                "R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"preset": "pineapple", "fantasyland_entry": "trips"},
            "Fantasyland",
            [
                "A legal board enters with trips in front and is dealt 14 cards. R31",
                f"{STAYS_WITH_LESS} R34",
                "A player who stays is dealt 14 cards again. R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"preset": "progressive-pineapple", "fantasyland_cards": 16},
            "Fantasyland",
            [
                "A legal board enters with queens or better in front; "
                "cards dealt: queens 16, kings 17, aces 17, trips 17. R33",
                "R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"preset": "progressive-pineapple", "fantasyland_cards": 13},
            "Fantasyland",
            [
                "A legal board enters with queens or better in front; "
                "cards dealt: queens 13, kings 14, aces 15, trips 16. R33",
                "R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"preset": "progressive-pineapple", "fantasyland_entry": "AA"},
            "Fantasyland",
            [
                "A legal board enters with aces or better in front; cards dealt: aces 16, trips 17. R33",
                "R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"preset": "progressive-pineapple", "fantasyland_entry": "trips"},
            "Fantasyland",
            ["A legal board enters with trips in front; cards dealt: trips 17. R33", "R34", "R36", "R37", "R39"],
        ),
        (
            {"preset": "2-7-pineapple", "fantasyland_cards": 17, "fantasyland_stay": "full-house"},
            "Fantasyland",
            [
                "A legal board enters with kings or better in front or 7-5-4-3-2 in the middle "
                "and is dealt 17 cards, 17 with both. R55",
                f"{STAYS_WITH_LESS} R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"middle": "2-7", "fantasyland_entry": "trips"},
            "Fantasyland",
            [
                "A legal board enters with trips in front or 7-5-4-3-2 in the middle "
                "and is dealt 13 cards, 14 with both. R55",
                f"{STAYS_WITH_LESS} R34",
                "R36",
                "R37",
                "R39",
            ],
        ),
        (
            {"fantasyland_stay": "full-house"},
            "Fantasyland",
            ["R30", f"{STAYS_WITH_A_FULL_HOUSE} R34", "R36", "R37", "R39"],
        ),
        (
            {"fantasyland_stay": "lowball"},
            "Fantasyland",
            ["R30", f"{STAYS_WITH_A_FULL_HOUSE} R34", "R36", "R37", "R39"],
        ),
        (
            {"fantasyland_stay": "ten-point"},
            "Fantasyland",
            ["R30", "A legal board stays with a royalty of ten or more in any one row. R35", "R36", "R37", "R39"],
        ),
        ({}, "Specials", []),
        *(
            (
                {"moon": moon, "moon_points": points},
                "Specials",
                [
                    "Shooting the moon, a legal board with jack-high or less in the back, "
                    f"wins {written} from everyone, {how} the pair's score. R59"
                ],
            )
            for moon, how in (("replace", "in place of"), ("add", "on top of"))
            for points, written in ((1, "1 point"), (2, "2 points"))
        ),
        ({"naturals": dict.fromkeys(("dragon", "three_flushes", "three_straights", "six_pairs"), 0)}, "Specials", []),
        (
            {"naturals": {"dragon": 0, "three_flushes": 5, "three_straights": 0, "six_pairs": 0}},
            "Specials",
            ["Naturals win from everyone in place of the pair's score: three flushes 5. R60"],
        ),
        (
            {"surrender_points": 3},
            "Specials",
            ["A player may surrender and pay 3 points to each opponent who did not. R61"],
        ),
        ({"loss_cap": False}, "Money", ["R43", "R46"]),
        (
            {"loss_cap": False, "win_cap": "start"},
            "Money",
            ["R43", "Nobody can win more from one opponent than the stack they started the hand with. R46"],
        ),
        ({"win_cap": "none"}, "Money", ["R43", "R45", "R48"]),
    ],
)
def test_lines_of_a_sheet_word_for_word(rules: Any, heading: str, lines: list[str]) -> None:
    """A line that only has its number here is the one that the sheets above hold."""
    found = [line for line in describe(resolve(rules)) if line.heading == heading]
    assert [
        line.rule if re.fullmatch(r"R\d+", wanted) else f"{line.sentence} {line.rule}"
        for line, wanted in zip(found, lines, strict=True)
    ] == lines


# Where a choice only shows beside another one.
BESIDE: dict[str, dict[str, Any]] = {"five_of_a_kind": {"decks": 2}, "moon_points": {"moon": "add"}}
NATURALS = {"dragon": 13, "three_flushes": 5, "three_straights": 6, "six_pairs": 7}


@pytest.mark.parametrize("key", CHOICES)
def test_each_choice_can_be_read_on_the_sheet(key: str) -> None:
    """Two tables whose rules differ in one choice never have the same sheet."""
    seen: dict[tuple[str, ...], Any] = {}
    beside = BESIDE.get(key, {})
    values = [value for value in CHOICES[key] if value not in ("own", "values")]
    if key == "naturals":
        values += [NATURALS, {**NATURALS, "six_pairs": 8}]
    for value in values:
        spec = {**beside, key: value}
        if key == "fantasyland_stay":
            # `full-house` changes nothing in regular play, and `lowball` needs a 2-7 middle.
            spec |= {"full-house": {"game": "pineapple"}, "lowball": {"middle": "2-7"}}.get(value, {})
            plain = tuple(sheet({**spec, "fantasyland_stay": "standard"}))
            assert value == "standard" or tuple(sheet(spec)) != plain
            continue
        text = tuple(sheet(spec))
        assert text not in seen, f"{value} reads like {seen[text]}"
        seen[text] = value


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_has_its_own_sheet(preset: str) -> None:
    others = [sheet(name) for name in PRESETS if name != preset]
    assert sheet(preset) not in others
