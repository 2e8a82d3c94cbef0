"""The slow scorer: a second, obvious scorer written from the rules alone, to check the engine independently.

It must share no code with `scoring`, because comparing the two proves something only while they are independent. It
reads valid documents only; its answer to a bad one means nothing. It leaves out the sentences for people (`name`,
`why`), and `foul_reason` is True where the contract has a sentence.
"""

from collections import Counter
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
SYMBOLS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}

# --- house rules ------------------------------------------------------------------------------------------

PLAIN: dict[str, Any] = {
    "preset": "regular",
    "game": "regular",
    "middle": "high",
    "decks": 1,
    "scoring": "1-6",
    "royalties": "modern",
    "royalty_payment": "all",
    "row_order": "at-least",
    "fantasyland_entry": None,
    "fantasyland_cards": None,
    "fantasyland_progressive": False,
    "fantasyland_stay": "standard",
    "fantasyland_repeat": "base",
    "button_in_fantasyland": "stays",
    "five_of_a_kind": "above-royal",
    "moon": "off",
    "moon_points": 20,
    "naturals": "off",
    "surrender_points": 0,
    "loss_cap": True,
    "win_cap": "running",
    "settlement_order": "pairs",
    "busted_collects": False,
}

PRESETS: dict[str, dict[str, Any]] = {
    "regular": {},
    "pineapple": {"game": "pineapple"},
    "progressive-pineapple": {"game": "pineapple", "fantasyland_progressive": True},
    "2-7-pineapple": {"game": "pineapple", "middle": "2-7"},
    "double-deck": {"decks": 2},
    "cardplayer": {"royalties": "flat-20"},
    "bga": {"game": "pineapple", "fantasyland_stay": "full-house", "button_in_fantasyland": "moves"},
}


def resolve(spec):
    given = {"preset": spec} if isinstance(spec, str) else {k: v for k, v in (spec or {}).items() if v is not None}
    rules = dict(PLAIN)
    rules.update(PRESETS[given.get("preset", "regular")])
    rules.update(given)
    if rules["fantasyland_cards"] is None:
        rules["fantasyland_cards"] = 13 if rules["game"] == "regular" else 14
    if rules["fantasyland_entry"] is None:
        rules["fantasyland_entry"] = "KK" if rules["middle"] == "2-7" else "QQ"
    return rules


FRONT_PAIRS = {"66": 1, "77": 2, "88": 3, "99": 4, "TT": 5, "JJ": 6, "QQ": 7, "KK": 8, "AA": 9}
FRONT_TRIPS = {rank * 3: 10 + place for place, rank in enumerate(RANKS)}
FRONT_TRIPS_FLAT = {rank * 3: 20 for rank in RANKS}


COLUMN = ["trips", "straight", "flush", "full-house", "quads", "straight-flush", "royal-flush"]


def column(*points):
    return dict(zip(COLUMN, points, strict=True))


CHARTS = {
    "modern": {
        "front": {**FRONT_PAIRS, **FRONT_TRIPS},
        "middle": column(2, 4, 8, 12, 20, 30, 50),
        "back": column(0, 2, 4, 6, 10, 15, 25),
    },
    "flat-20": {
        "front": {**FRONT_PAIRS, **FRONT_TRIPS_FLAT},
        "middle": column(2, 4, 8, 12, 16, 20, 40),
        "back": column(0, 2, 4, 6, 8, 10, 20),
    },
    "hybrid-2012": {
        "front": {**FRONT_PAIRS, **FRONT_TRIPS},
        "middle": column(0, 4, 8, 12, 16, 20, 40),
        "back": column(0, 2, 4, 6, 8, 10, 20),
    },
    "aria-2013": {
        "front": {**FRONT_PAIRS, **FRONT_TRIPS},
        "middle": column(0, 4, 8, 12, 20, 30, 50),
        "back": column(0, 2, 4, 6, 10, 15, 25),
    },
}
LOW_CHART = {"9": 1, "8": 2, "7": 4, "75432": 8}


# --- cards ------------------------------------------------------------------------------------------------


def read_row(row):
    """Read a row as (list of ranks 2 to 14, list of suits or None, whether it is marked as a flush)."""
    text = row if isinstance(row, str) else " ".join(row)
    for symbol, letter in SYMBOLS.items():
        text = text.replace(symbol, letter)
    text = text.upper().replace("10", "T")
    ranks, suits, marked = [], [], False
    for letter in text:
        if letter in RANKS:
            ranks.append(RANKS.index(letter) + 2)
        elif letter in "CDHS":
            suits.append(letter)
        elif letter == "F":
            marked = True
        else:
            assert letter in ", ", f"not a valid document: {row!r}"
    assert len(suits) in (0, len(ranks)), f"not a valid document: {row!r}"
    return ranks, suits or None, marked


def is_flush(row):
    ranks, suits, marked = row
    return len(ranks) == 5 and (marked or (suits is not None and len(set(suits)) == 1))


def straight_top(ranks):
    """The highest card of five ranks in sequence, 5 for the wheel; None if they are not in sequence."""
    ordered = sorted(ranks)
    if ordered == [2, 3, 4, 5, 14]:
        return 5
    if ordered == list(range(ordered[0], ordered[0] + 5)):
        return ordered[4]
    return None


def kind(row):
    ranks, _suits, _marked = row
    shape = sorted(Counter(ranks).values(), reverse=True)
    if shape[0] == 5:
        return "five-of-a-kind"
    if len(ranks) == 5 and straight_top(ranks) and is_flush(row):
        return "royal-flush" if straight_top(ranks) == 14 else "straight-flush"
    if is_flush(row):
        return "flush"
    if shape[0] == 4:
        return "quads"
    if shape[:2] == [3, 2]:
        return "full-house"
    if len(ranks) == 5 and straight_top(ranks):
        return "straight"
    if shape[0] == 3:
        return "trips"
    if shape[:2] == [2, 2]:
        return "two-pair"
    if shape[0] == 2:
        return "pair"
    return "high-card"


LADDER = [
    "high-card",
    "pair",
    "two-pair",
    "trips",
    "straight",
    "flush",
    "full-house",
    "quads",
    "straight-flush",
    "royal-flush",
]


def ladder(rules):
    place = {
        "above-royal": len(LADDER),
        "below-royal": LADDER.index("royal-flush"),
        "below-straight-flush": LADDER.index("straight-flush"),
    }[rules["five_of_a_kind"]]
    return [*LADDER[:place], "five-of-a-kind", *LADDER[place:]]


def deciding_ranks(row):
    """The ranks in the order in which two rows of one kind are compared."""
    ranks = row[0]
    what = kind(row)
    if what in ("straight", "straight-flush", "royal-flush"):
        return [straight_top(ranks)]
    if what == "flush":
        return sorted(ranks, reverse=True)
    count = Counter(ranks)
    return sorted(ranks, key=lambda rank: (count[rank], rank), reverse=True)


def compare(one, other, rules):
    """1 if `one` is the stronger row, 0 if the rows are equal, -1 if `other` is; a row has three or five cards."""
    order = ladder(rules)
    if kind(one) != kind(other):
        return 1 if order.index(kind(one)) > order.index(kind(other)) else -1
    left, right = deciding_ranks(one), deciding_ranks(other)
    for mine, theirs in zip(left, right, strict=False):
        if mine != theirs:
            return 1 if mine > theirs else -1
    # The longer row still has kickers after the shorter one has run out (R9).
    return (len(one[0]) > len(other[0])) - (len(one[0]) < len(other[0]))


def is_low(row):
    ranks = row[0]
    return len(set(ranks)) == 5 and max(ranks) <= 10 and not straight_top(ranks) and not is_flush(row)


def compare_low(one, other):
    left, right = sorted(one[0], reverse=True), sorted(other[0], reverse=True)
    return (left < right) - (left > right)


# --- one board --------------------------------------------------------------------------------------------


class Seat:
    """One player: their rows, and what these are worth on their own."""

    def __init__(self, player, rules):
        self.name = player["name"]
        self.rules = rules
        self.in_fantasyland = bool(player.get("fantasyland"))
        self.dealt = player.get("fantasyland_cards")
        self.ruling = player.get("ruling")
        self.rows: dict[str, Any] = {}
        for place, size in (("front", 3), ("middle", 5), ("back", 5)):
            text = player.get(place)
            row = None if text is None else read_row(text)
            self.rows[place] = row if row is not None and len(row[0]) == size else None
        self.surrendered = self.ruling == "surrendered"
        self.foul = False if self.surrendered else self.ruling == "dead" or not self.legal_order()
        self.counts = not self.foul and not self.surrendered
        self.royalty = {place: self.row_royalty(place) if self.counts else 0 for place in self.rows}
        self.royalties = sum(self.royalty.values())

    def legal_order(self):
        front, middle, back = self.rows["front"], self.rows["middle"], self.rows["back"]
        if self.rules["middle"] == "2-7":
            return is_low(middle) and compare(back, front, self.rules) >= 0
        needed = 1 if self.rules["row_order"] == "strict" else 0
        return compare(middle, front, self.rules) >= needed and compare(back, middle, self.rules) >= needed

    def hand(self, place):
        if place == "middle" and self.rules["middle"] == "2-7":
            return "low" if is_low(self.rows["middle"]) else "not-low"
        return kind(self.rows[place])

    def row_royalty(self, place):
        chart = self.rules["royalties"]
        chart = CHARTS[chart] if isinstance(chart, str) else chart
        ranks = self.rows[place][0]
        if place == "middle" and self.rules["middle"] == "2-7":
            low = chart.get("low", LOW_CHART)
            if sorted(ranks) == [2, 3, 4, 5, 7]:
                return low["75432"]
            return low.get(str(max(ranks)), 0)
        what = self.hand(place)
        if place == "front":
            if what == "high-card":
                return 0
            times = 3 if what == "trips" else 2
            grouped = next(rank for rank, count in Counter(ranks).items() if count == times)
            return chart["front"].get(RANKS[grouped - 2] * times, 0)
        if what == "five-of-a-kind":
            return chart[place].get("five-of-a-kind", chart[place]["straight-flush"])
        return chart[place].get(what, 0)

    # Fantasyland

    def has_perfect_low(self):
        return self.rules["middle"] == "2-7" and sorted(self.rows["middle"][0]) == [2, 3, 4, 5, 7]

    def cards_by_entry(self):
        """The number of cards that this board earns by entering Fantasyland; 0 if it does not enter."""
        entry, base = self.rules["fantasyland_entry"], self.rules["fantasyland_cards"]
        if entry == "none":
            return 0
        ranks = self.rows["front"][0]
        what = kind(self.rows["front"])
        paired = next((rank for rank, count in Counter(ranks).items() if count == 2), 0)
        if what == "trips":
            front_enters = True
        elif what == "pair":
            front_enters = entry != "trips" and paired >= {"QQ": 12, "KK": 13, "AA": 14}[entry]
        else:
            front_enters = False
        if self.rules["middle"] == "2-7":
            if front_enters and self.has_perfect_low():
                return min(17, base + 1)
            return base if front_enters or self.has_perfect_low() else 0
        if not front_enters:
            return 0
        extra = 0
        if self.rules["fantasyland_progressive"]:
            extra = 3 if what == "trips" else {12: 0, 13: 1, 14: 2}[paired]
        return min(17, base + extra)

    def stays(self):
        order = ladder(self.rules)
        stay = self.rules["fantasyland_stay"]
        if stay == "ten-point":
            return any(points >= 10 for points in self.royalty.values())
        good = {what: [*order[order.index(what) :], "five-of-a-kind"] for what in ("full-house", "quads")}
        high = self.rules["middle"] == "high"
        full_house_counts = high and (self.rules["game"] == "regular" or stay == "full-house")
        if kind(self.rows["front"]) == "trips" or kind(self.rows["back"]) in good["quads"]:
            return True
        if full_house_counts and kind(self.rows["middle"]) in good["full-house"]:
            return True
        return stay == "lowball" and self.has_perfect_low()

    def fantasyland_next(self):
        if not self.counts:
            return 0
        if not self.in_fantasyland:
            return self.cards_by_entry()
        if not self.stays():
            return 0
        base = self.rules["fantasyland_cards"]
        return {
            "base": base,
            "same": self.dealt or base,
            "recompute": self.cards_by_entry() or base,
        }[self.rules["fantasyland_repeat"]]

    # specials

    def has_moon(self):
        return self.counts and kind(self.rows["back"]) == "high-card" and max(self.rows["back"][0]) <= 11

    def natural(self):
        """(whether it is a dragon, its points) for the natural of this board, or None."""
        values = self.rules["naturals"]
        if values == "off" or not self.counts:
            return None
        ranks = self.rows["front"][0] + self.rows["middle"][0] + self.rows["back"][0]
        if len(set(ranks)) == 13 and values["dragon"] > 0:
            return (True, values["dragon"])
        found = []
        if sum(count // 2 for count in Counter(ranks).values()) == 6:
            found.append(values["six_pairs"])
        front_suits = self.rows["front"][1]
        if (
            front_suits is not None
            and len(set(front_suits)) == 1
            and is_flush(self.rows["middle"])
            and is_flush(self.rows["back"])
        ):
            found.append(values["three_flushes"])
        front = sorted(self.rows["front"][0])
        front_runs = front == [2, 3, 14] or front == [front[0], front[0] + 1, front[0] + 2]
        if front_runs and straight_top(self.rows["middle"][0]) and straight_top(self.rows["back"][0]):
            found.append(values["three_straights"])
        found = [value for value in found if value > 0]
        return (False, max(found)) if found else None

    def answer(self):
        rows = {}
        for place, row in self.rows.items():
            rows[place] = None if row is None else {"hand": self.hand(place), "royalty": self.royalty[place]}
        return {
            "name": self.name,
            "foul": self.foul,
            "foul_reason": True if self.foul else None,
            "rows": rows,
            "royalties": self.royalties,
            "fantasyland_next": self.fantasyland_next(),
        }


# --- two players ------------------------------------------------------------------------------------------


def _verdict(points, rows=None, row_points=0, bonus=0, royalties=0):
    return {"rows": rows, "row_points": row_points, "bonus": bonus, "royalties": royalties, "points": points}


def score_pair(one, other, rules):
    if one.surrendered or other.surrendered:
        return _verdict((other.surrendered - one.surrendered) * rules["surrender_points"])
    moon = (one.has_moon() - other.has_moon()) * rules["moon_points"]
    if rules["moon"] == "replace" and (one.has_moon() or other.has_moon()):
        return _verdict(moon)
    moon_on_top = moon if rules["moon"] == "add" else 0
    mine, theirs = one.natural(), other.natural()
    if mine or theirs:
        if mine and theirs and mine[0] == theirs[0]:
            worth = 0
        elif mine and (not theirs or mine[0]):
            worth = mine[1]
        else:
            worth = -theirs[1]
        return _verdict(worth + moon_on_top, bonus=moon_on_top)
    scoop = {"1-6": 3, "2-4": 1, "1-4": 1}[rules["scoring"]]
    if one.foul and other.foul:
        return _verdict(0)
    if one.foul or other.foul:
        sign = 1 if other.foul else -1
        legal = one if other.foul else other
        bonus = sign * scoop + moon_on_top
        parts = (sign * 3, bonus, sign * legal.royalties)
        return _verdict(sum(parts), None, *parts)
    rows = {}
    for place in ("front", "middle", "back"):
        if place == "middle" and rules["middle"] == "2-7":
            rows[place] = compare_low(one.rows[place], other.rows[place])
        else:
            rows[place] = compare(one.rows[place], other.rows[place], rules)
    results = list(rows.values())
    if rules["royalty_payment"] == "all":
        royalties = one.royalties - other.royalties
    else:
        royalties = 0
        for place, result in rows.items():
            if result > 0:
                royalties += one.royalty[place]
            if result < 0:
                royalties -= other.royalty[place]
    bonus = moon_on_top
    for sign in (1, -1):
        won = results.count(sign)
        if won == 3:
            bonus += sign * scoop
        elif won == 2 and rules["scoring"] == "2-4":
            bonus += sign * 1
    return _verdict(sum(results) + bonus + royalties, rows, sum(results), bonus, royalties)


# --- the whole deal ---------------------------------------------------------------------------------------


def score(document):
    """The contract's answer to a valid document, without `name`, `why` and the wording of `foul_reason`."""
    document = {key: value for key, value in document.items() if value is not None}
    rules = resolve(document.get("rules"))
    players = [{k: v for k, v in player.items() if v is not None} for player in document["players"]]
    names = [player["name"] for player in players]
    by_points = "points" in document

    seats = [] if by_points else [Seat(player, rules) for player in players]
    pairs = {}
    for i, j in combinations(range(len(players)), 2):
        if by_points:
            worth = 0
            for entry in document["points"]:
                if entry["players"] == [names[i], names[j]]:
                    worth = entry["points"]
                if entry["players"] == [names[j], names[i]]:
                    worth = -entry["points"]
            result = _verdict(worth)
        else:
            result = score_pair(seats[i], seats[j], rules)
        stake = document.get("stake", 1)
        for entry in document.get("pair_stakes", []):
            if set(entry["players"]) == {names[i], names[j]}:
                stake = entry["stake"]
        owed = abs(result["points"]) * stake
        payer = payee = None
        if result["points"] != 0:
            payer, payee = (j, i) if result["points"] > 0 else (i, j)
        pairs[i, j] = {"players": [i, j], **result, "stake": stake, "owed": owed, "payer": payer, "payee": payee}

    queue = list(pairs.values())
    if rules["settlement_order"] == "debtors":
        queue = []
        for payer in range(len(players)):
            for step in range(1, len(players)):
                payee = (payer + step) % len(players)
                queue += [p for p in pairs.values() if (p["payer"], p["payee"]) == (payer, payee)]
        queue += [p for p in pairs.values() if p["payer"] is None]

    stacked = "stack" in players[0]
    before = [player.get("stack", 0) for player in players]
    stack = list(before)
    money = [0] * len(players)
    answer = []
    for number, pair in enumerate(queue, start=1):
        paid = pair["owed"]
        loser, winner = pair["payer"], pair["payee"]
        if paid and stacked:
            if rules["loss_cap"]:
                paid = min(paid, stack[loser])
                if stack[winner] == 0 and not rules["busted_collects"]:
                    paid = 0
            if rules["win_cap"] == "running":
                paid = min(paid, max(0, stack[winner]))
            if rules["win_cap"] == "start":
                paid = min(paid, before[winner])
        if paid:
            stack[loser] -= paid
            stack[winner] += paid
            money[loser] -= paid
            money[winner] += paid
        answer.append(
            {
                "order": number,
                **pair,
                "players": [names[at] for at in pair["players"]],
                "paid": paid,
                "payer": None if loser is None else names[loser],
                "payee": None if winner is None else names[winner],
            }
        )

    people = []
    for at, name in enumerate(names):
        points = sum(
            pair["points"] if pair["players"][0] == at else -pair["points"]
            for pair in pairs.values()
            if at in pair["players"]
        )
        people.append(
            {
                **({"name": name} if by_points else seats[at].answer()),
                "points": points,
                "money": money[at],
                "stack": stack[at] if stacked else None,
                "busted": stacked and rules["loss_cap"] and stack[at] <= 0,
            }
        )
    return {"version": 1, "rules": rules, "players": people, "pairs": answer}
