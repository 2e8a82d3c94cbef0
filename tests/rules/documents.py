"""Random valid score documents: any house rules, any players, with rare events made common.

`random_document` takes a seeded `random.Random`, so that the same seed gives the same document again; `documents` wraps
it for hypothesis. Boards are built from wished rows (a straight, quads, a copy of a neighbor's row ...) as far as the
deck still allows, and most of them are set in legal order.
"""

import random
from typing import Any

from hypothesis import strategies as st

from . import naive

RANKS = naive.RANKS
SUITS = "cdhs"
NAMES = ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Łucja", "☃", "O'Neil", "a b", "x" * 40, "10", "None"]

# --- house rules ------------------------------------------------------------------------------------------

CHOICES: dict[str, list[Any]] = {
    "game": ["regular", "pineapple"],
    "middle": ["high", "2-7"],
    "decks": [1, 2],
    "scoring": ["1-6", "2-4", "1-4"],
    "royalties": [*naive.CHARTS, "own"],
    "royalty_payment": ["all", "row-winner"],
    "row_order": ["at-least", "strict"],
    "fantasyland_entry": ["QQ", "KK", "AA", "trips", "none"],
    "fantasyland_cards": [13, 14, 15, 16, 17],
    "fantasyland_progressive": [False, True],
    "fantasyland_stay": ["standard", "full-house", "ten-point", "lowball"],
    "fantasyland_repeat": ["base", "same", "recompute"],
    "button_in_fantasyland": ["stays", "moves"],
    "five_of_a_kind": ["above-royal", "below-royal", "below-straight-flush"],
    "moon": ["off", "replace", "add"],
    "moon_points": [0, 1, 20, 33],
    "naturals": ["off", "values"],
    "surrender_points": [0, 3, 7],
    "loss_cap": [True, False],
    "win_cap": ["running", "start", "none"],
    "settlement_order": ["pairs", "debtors"],
    "busted_collects": [False, True],
}


def random_chart(rng):
    def worth():
        return rng.choice([0, 1, rng.randint(0, 40), rng.randint(0, 999_999)])

    front = {rank * 2: worth() for rank in RANKS[4:]} | {rank * 3: worth() for rank in RANKS}
    front |= {rank * 2: worth() for rank in RANKS[:4] if rng.random() < 0.3}
    chart = {"front": front}
    for place in ("middle", "back"):
        names = ["straight", "flush", "full-house", "quads", "straight-flush", "royal-flush"]
        if place == "middle" or rng.random() < 0.3:
            names.append("trips")
        if rng.random() < 0.5:
            names.append("five-of-a-kind")
        chart[place] = {name: worth() for name in names}
    if rng.random() < 0.5:
        chart["low"] = {name: worth() for name in ("9", "8", "7", "75432")}
    return chart


def random_rules(rng):
    preset = rng.choice(list(naive.PRESETS))
    if rng.random() < 0.25:
        return preset
    rules = {} if rng.random() < 0.4 else {"preset": preset}
    share = rng.choice([0.1, 0.3, 0.8])
    for key, values in CHOICES.items():
        if rng.random() < (max(share, 0.3) if key in ("moon", "naturals") else share):
            rules[key] = rng.choice(values)
    if rules.get("royalties") == "own":
        rules["royalties"] = random_chart(rng)
    if rules.get("naturals") == "values":
        names = ("dragon", "three_flushes", "three_straights", "six_pairs")
        rules["naturals"] = {name: rng.choice([0, 3, 6, 13]) for name in names}
    return rules


def max_players(rules):
    most = {("regular", 1): 4, ("pineapple", 1): 3, ("regular", 2): 8, ("pineapple", 2): 6}
    return most[rules["game"], rules["decks"]]


# --- rows from a shrinking deck ----------------------------------------------------------------------------
# A card is two characters, "Qh". Each recipe names ranks and says whether they must share one suit; `deal` looks for
# such cards in the rest of the deck and returns None if it no longer holds them.


class Deck:
    def __init__(self, rng, decks):
        self.rng = rng
        self.decks = decks
        self.cards = [rank + suit for rank in RANKS for suit in SUITS] * decks
        rng.shuffle(self.cards)

    def draw(self, count):
        drawn, self.cards = self.cards[:count], self.cards[count:]
        return drawn

    def deal(self, ranks, suited=False):
        for suit in self.rng.sample(SUITS, 4):
            left, row = list(self.cards), []
            for rank in ranks:
                wanted = [card for card in left if card[0] == rank and (not suited or card[1] == suit)]
                if not wanted:
                    break
                row.append(wanted[0])
                left.remove(wanted[0])
            else:
                self.cards = left
                self.rng.shuffle(row)
                return row
        return None


RUNS = ["A2345"] + [RANKS[at : at + 5] for at in range(9)]


def five_ranks(rng, wish, decks):
    """(ranks, suited) for a five-card row of the wished kind."""
    a, b, c, d, e = rng.sample(RANKS, 5)
    return {
        "straight": (rng.choice(RUNS), False),
        "straight-flush": (rng.choice(RUNS), True),
        "royal-flush": ("TJQKA", True),
        "flush": (a + b + c + d + e, True),
        "paired-flush": (rng.choice([a + a + b + c + d, a + a + b + b + c]) if decks == 2 else a + b + c + d + e, True),
        "quads": (a * 4 + b, False),
        "five": ((a * 5) if decks == 2 else a * 4 + b, False),
        "full-house": (a * 3 + b * 2, False),
        "trips": (a * 3 + b + c, False),
        "two-pair": (a * 2 + b * 2 + c, False),
        "pair": (a * 2 + b + c + d, False),
        "moon": ("".join(rng.sample(RANKS[:10], 5)), False),
        "low": ("".join(rng.sample(RANKS[:9], 5)), False),
        "seven-low": (rng.choice(["75432", "76432", "76532", "76542"]), False),
        "almost-low": (rng.choice(["A5432", "65432", "T9876", "JT985", "T9874", "98765", "T8654"]), rng.random() < 0.3),
        "high-card": (a + b + c + d + e, False),
    }[wish]


def front_ranks(rng, wish):
    a, b, c = rng.sample(RANKS, 3)
    return {
        "trips": (a * 3, False),
        "high-pair": (rng.choice("QKA") * 2 + a, False),
        "pair": (a * 2 + b, False),
        "high-card": (a + b + c, False),
        "low-cards": ("".join(rng.sample(RANKS[:7], 3)), False),
        "run": (rng.choice(["A23", "QKA"] + [RANKS[at : at + 3] for at in range(11)]), rng.random() < 0.5),
        "suited": (a + b + c, True),
    }[wish]


BACK = ["straight", "flush", "paired-flush", "full-house", "quads", "five", "straight-flush", "royal-flush", "trips"]
BACK += ["two-pair", "pair", "high-card"]
MIDDLE = ["trips", "two-pair", "pair", "high-card", "straight", "flush", "full-house", "quads", "five", "paired-flush"]
LOW = ["low", "low", "low", "seven-low", "seven-low", "almost-low"]
FRONT = ["trips", "high-pair", "high-pair", "pair", "high-card", "low-cards", "suited"]


def wished_rows(rng, deck, rules):
    """Three rows by a recipe, with random cards where the deck has run out of the wished ones."""

    def five(wish):
        return deck.deal(*five_ranks(rng, wish, deck.decks))

    lowball = rules["middle"] == "2-7"
    kind = rng.random()
    if kind < 0.08:
        recipe = rng.choice([("234", "56789", "TJQKA"), ("A32", "98754", "TJQK6")])
        front, middle, back = [deck.deal(ranks) for ranks in recipe]
    elif kind < 0.14:
        front, middle, back = deck.deal(*front_ranks(rng, "run")), five("straight"), five("straight")
    elif kind < 0.20:
        front, middle, back = deck.deal(*front_ranks(rng, "suited")), five("flush"), five("flush")
    elif kind < 0.26:
        a, b, c, d, e, f, g = rng.sample(RANKS, 7)
        if rng.random() < 0.3:
            b = a
        front, middle, back = deck.deal(c * 2 + g), deck.deal(d * 2 + e * 2 + f), deck.deal(a * 2 + b * 2 + f)
    elif kind < 0.38:
        front, middle = deck.deal(*front_ranks(rng, "low-cards")), five("low" if lowball else "moon")
        back = five("moon")
    else:
        back = five(rng.choice(BACK))
        middle = five(rng.choice(LOW if lowball and rng.random() < 0.9 else MIDDLE))
        front = deck.deal(*front_ranks(rng, rng.choice(FRONT)))
        chance = rng.random()
        if chance < 0.1 and back and middle is None:
            middle = deck.deal("".join(card[0] for card in back))
        elif chance < 0.25 and middle and front is None:
            front = deck.deal("".join(card[0] for card in middle[:3]))
    return front or deck.draw(3), middle or deck.draw(5), back or deck.draw(5)


def twin_rows(rng, deck, rows):
    """Copy some or all of these rows by rank, as far as the deck still has the cards, to make ties."""
    share = rng.choice([0.4, 1])
    return [(rng.random() < share and deck.deal([card[0] for card in row])) or deck.draw(len(row)) for row in rows]


def equal_rows(rng, deck):
    """Middle and back with the same ranks, sometimes the front too, so that the rule on equal rows decides (R7, R8)."""
    wish = rng.choice(["straight", "two-pair", "pair", "high-card", "trips", "flush"])
    back = deck.deal(*five_ranks(rng, wish, deck.decks)) or deck.draw(5)
    middle = deck.deal([card[0] for card in back]) or deck.draw(5)
    front = (rng.random() < 0.5 and deck.deal([card[0] for card in sorted(back)[:3]])) or deck.draw(3)
    return front, middle, back


def is_legal(rows, rules):
    player = dict(zip(("front", "middle", "back"), rows, strict=True))
    return not naive.Seat({"name": "", **player}, rules).foul


def set_legally(rows, rules):
    """Put the cards in a legal order if a simple one works, because players foul less often than random boards."""

    def grouped(cards):
        ranks = [card[0] for card in cards]
        return sorted(cards, key=lambda card: (ranks.count(card[0]), RANKS.index(card[0])), reverse=True)

    front, middle, back = rows
    tries = [(front, middle, back), (front, back, middle)]
    if rules["middle"] == "2-7":
        rest = grouped([*front, *middle, *back])
        low = [next(card for card in rest if card[0] == rank) for rank in RANKS if rank in "".join(rest)][:5]
        for card in low:
            rest.remove(card)
        if len(low) == 5:
            tries.append((rest[5:], low, rest[:5]))
    else:
        rest, everything = grouped([*front, *middle]), grouped([*front, *middle, *back])
        tries += [(rest[5:], rest[:5], back), (everything[10:], everything[5:10], everything[:5])]
    return next((rows for rows in tries if is_legal(rows, rules)), rows)


def random_board(rng, deck, rules, earlier):
    chance = rng.random()
    if chance < 0.15:
        rows = deck.draw(3), deck.draw(5), deck.draw(5)
    elif chance < 0.35 and earlier:
        rows = twin_rows(rng, deck, rng.choice(earlier))
    elif chance < 0.45:
        rows = equal_rows(rng, deck)
    else:
        rows = wished_rows(rng, deck, rules)
    return set_legally(rows, rules) if rng.random() < 0.75 else rows


# --- writing rows as people do -----------------------------------------------------------------------------


def write_row(rng, row, by_ranks=0.25):
    if rng.random() < by_ranks:
        flush = naive.is_flush(naive.read_row(row))
        cards = [card[0] for card in row]
        if rng.random() < 0.2 and not flush:
            return cards
        text = rng.choice(["", " ", ","]).join(cards) + ("f" if flush else "")
    else:
        if rng.random() < 0.2:
            return list(row)
        text = rng.choice(["", " ", ", ", ","]).join(row)
        if rng.random() < 0.2:
            for symbol, letter in naive.SYMBOLS.items():
                text = text.replace(letter, symbol)
    if rng.random() < 0.2:
        text = text.replace("T", "10")
    return text.lower() if rng.random() < 0.1 else text


# --- the document ------------------------------------------------------------------------------------------


def random_document(rng, by_ranks=0.25, by_points=0.08):
    """Make one document.

    `by_ranks` is the share of rows written without suits, `by_points` that of deals that the table scored itself.
    """
    spec = random_rules(rng)
    rules = naive.resolve(spec)
    most = max_players(rules)
    count = rng.choice([1, 2, 2, 3, 3, most, rng.randint(1, most)])
    names = rng.sample(NAMES, count)
    only_points = rng.random() < by_points
    deck = Deck(rng, rules["decks"])
    boards: list[Any] = []
    players = []
    for name in names:
        player = {"name": name}
        if not only_points:
            rows = random_board(rng, deck, rules, boards)
            boards.append(rows)
            for place, row in zip(("front", "middle", "back"), rows, strict=True):
                player[place] = write_row(rng, row, by_ranks)
            if rng.random() < 0.25:
                player["fantasyland"] = rng.random() < 0.8
            if rng.random() < 0.2:
                player["fantasyland_cards"] = rng.randint(13, 17)
            if rng.random() < 0.06:
                player["ruling"] = rng.choice(["dead"] + ["surrendered"] * bool(rules["surrender_points"]))
                if rng.random() < 0.5:
                    place, row = rng.choice(list(zip(("front", "middle", "back"), rows, strict=True)))
                    player[place] = rng.choice([None, list(row[:2])])
        players.append(player)
    document = {"players": players}
    if spec != "regular" or rng.random() < 0.5:
        document["rules"] = spec
    if rng.random() < 0.6:
        document["stake"] = rng.choice([0, 1, 5, 25, 100, 10**9])
    if count > 1 and rng.random() < 0.3:
        mates = [(a, b) for a in names for b in names if a < b]
        chosen = rng.sample(mates, rng.randint(1, len(mates)))
        document["pair_stakes"] = [
            {"players": rng.sample(pair, 2), "stake": rng.choice([0, 1, 7, 1000])} for pair in chosen
        ]
    if rng.random() < 0.45:
        scale = document.get("stake", 1) * rng.choice([1, 3, 10, 30])
        for player in players:
            player["stack"] = rng.choice([0, rng.randint(0, 5), rng.randint(0, 1 + scale)])
    if only_points:
        mates = [(a, b) for a in names for b in names if a < b]
        document["points"] = [
            {"players": rng.sample(pair, 2), "points": rng.choice([0, 1, -1, rng.randint(-60, 60)])}
            for pair in rng.sample(mates, rng.randint(0, len(mates)))
        ]
    return document


@st.composite
def chances(draw):
    """A random generator from a seed. Hypothesis draws only the seed, which is faster than drawing a document."""
    return random.Random(draw(st.integers(0, 2**32)))


@st.composite
def documents(draw, /, **shares):
    return random_document(draw(chances()), **shares)
