"""The score document: the JSON format that the command line, the HTTP API, exports and the ledger share.

`score` takes a parsed document and `score_bytes` the raw bytes. Bad input is answered with all its problems at once;
nothing is guessed or partly scored. Unknown keys of the document or of a player are ignored, so that a later version
can add some. Unknown keys of ``rules`` are refused, because ignoring one would score a different game.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from scoring.rules import deal, unfinished, wording
from scoring.rules.board import ROW_SIZES, ROWS, also_in, read_row
from scoring.rules.cards import BARE_RANKS, Card, Row, quote
from scoring.rules.english import ENGLISH
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import (
    CHOICES,
    FANTASYLAND_CARDS,
    MOST_ENTERED_POINTS,
    POINTS_RULES,
    HouseRules,
    max_players,
    resolve,
)
from scoring.rules.phrase import Phrase
from scoring.rules.rows import FIVES, FRONTS, KINDS, LOWS
from scoring.rules.score import PAIRS, scale
from scoring.rules.settle import Debt, settle

VERSION: Final = 1
MAX_BYTES: Final = 64 * 1024
MAX_MONEY: Final = 10**16 - 1
"""The largest stack or stake, in minor units; sixteen digits are more than any table plays for."""
MAX_NAME: Final = 40
MAX_PLAYERS: Final = 8
RULINGS: Final = ("dead", "surrendered")
# Control characters, and halves of surrogate pairs, which cannot be written as UTF-8.
_NOT_TEXT: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BARE_RANKS: Final = frozenset(BARE_RANKS.values())
_CODES: Final = [kind.code for kind in KINDS]

Document = dict[str, Any]
Languages = Mapping[str, wording.Language]
"""The languages that a document may ask for, by their tags in lower case."""
ENGLISH_ALONE: Final[Languages] = {ENGLISH.tag: ENGLISH}


class _Checked(NamedTuple):
    """A document that has been read and checked; pairs are keyed by the players' places."""

    language: wording.Language
    partial: bool  # rows may lack cards, so nothing is scored
    rules: HouseRules
    players: list[deal.DealtPlayer]
    stacks: list[int] | None
    stakes: dict[tuple[int, int], int]  # minor units a point, for every pair
    points: dict[tuple[int, int], int] | None  # set if the table scored the deal itself; positive if the first won


def score(document: object, languages: Languages = ENGLISH_ALONE) -> Document:
    """Score a parsed document and return the answer, in the one of ``languages`` that it asks for.

    Raises `RulesError` with every problem at once.
    """
    return _answer(_read(document, languages=languages), words=True)


def figures(document: object, rules: HouseRules) -> Document:
    """What `score` would answer by these rules instead of the document's own, in figures alone, in half the time.

    The answer lacks the rules, and the ``rows`` and ``foul_reason`` of players; each ``why`` is empty.
    """
    return _answer(_read(document, rules), words=False)


def _answer(read: _Checked, *, words: bool) -> Document:
    """The answer; without ``words`` it has figures alone (`figures`)."""
    language = read.language
    if read.partial:
        lines, whys = [], []
        players = [player for player, _ in _ruled_so_far(read)]
    elif read.points is None:
        standings, scores = deal.score_deal(read.players, read.rules)
        lines = [_pair_line(pair) for pair in scores]
        whys = [""] * len(lines)
        if words:
            whys = [
                language.why(standings[i], standings[j], pair, read.rules)
                for (i, j), pair in zip(read.stakes, scores, strict=True)
            ]
        players = [
            _player_line(player, standing, read, words=words)
            for player, standing in zip(read.players, standings, strict=True)
        ]
    else:
        lines = [_table_scored_line(points) for points in read.points.values()]
        whys = [language.entered_by_the_table() if words else ""] * len(lines)
        players = [{"name": player.name} for player in read.players]
    pairs = {} if read.partial else dict(zip(read.stakes, zip(lines, whys, strict=True), strict=True))
    answer = _settled(read, players, pairs, words=words)
    return {"version": VERSION, "rules": read.rules.as_document(), **answer} if words else answer


def so_far(document: object, languages: Languages = ENGLISH_ALONE) -> list[tuple[Document, wording.Verdict]]:
    """Rule on boards as `score` does if the document says ``partial``, and in words.

    Returns each player as that answer has them, without totals, and the verdict on their board.
    """
    return _ruled_so_far(_read(document, languages=languages, partial=True))


def _ruled_so_far(read: _Checked) -> list[tuple[Document, wording.Verdict]]:
    boards = [_rows(player) for player in read.players]
    seen = [card for board in boards for row in board for card in row.cards]
    return [_partial_line(player, board, seen, read) for player, board in zip(read.players, boards, strict=True)]


def score_bytes(body: bytes, languages: Languages = ENGLISH_ALONE) -> tuple[Document, bool]:
    """Score a document from its UTF-8 bytes, as `score` does; bad input never raises.

    Returns the scored document and True, or the error document and False.
    """
    try:
        return score(loads(body), languages), True
    except RulesError as error:
        return error_document(error), False


def error_document(error: RulesError) -> Document:
    """The document that answers bad input with its problems."""
    return {"errors": [problem.as_document() for problem in error.problems]}


def loads(body: bytes) -> object:
    """Parse a document's JSON strictly: UTF-8, no repeated key, no NaN, at most `MAX_BYTES`. Raises `RulesError`."""
    if len(body) > MAX_BYTES:
        raise RulesError(
            [Problem("too-large", "", Phrase("A document has at most {most} KiB.", most=MAX_BYTES // 1024))]
        )
    try:
        return _DECODER.decode(body.decode("utf-8-sig"))
    except UnicodeDecodeError:
        message = Phrase("This is not a JSON document: it is not UTF-8.")
    except json.JSONDecodeError as error:
        message = Phrase(
            "This is not a JSON document: {error}, line {line} column {column}.",
            error=error.msg,
            line=error.lineno,
            column=error.colno,
        )
    except RecursionError:
        message = Phrase("This is not a JSON document: it is nested too deeply.")
    except _NotStrictError as error:
        message = error.message
    raise RulesError([Problem("not-json", "", message)])


class _NotStrictError(ValueError):
    """The JSON is ambiguous, although Python would accept it."""

    def __init__(self, message: Phrase) -> None:
        self.message = message
        super().__init__(message)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, count in times.items() if count > 1)
        raise _NotStrictError(
            Phrase("This is not a JSON document: the key {key} stands twice in one object.", key=quote(twice))
        )
    return document


def _integer(digits: str) -> int | float:
    # Thirty digits exceed every limit of the document, and Python raises on thousands. Infinity stands in for such a
    # number and is refused as out of range where it occurs.
    return int(digits) if len(digits) < 30 else float("inf")


def _constant(name: str) -> Any:
    raise _NotStrictError(Phrase("This is not a JSON document: {name} is not a number.", name=name))


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)


# --- In ---------------------------------------------------------------------------------------------------------------


def _read(
    document: object,
    rules: HouseRules | None = None,
    *,
    languages: Languages = ENGLISH_ALONE,
    partial: bool = False,
) -> _Checked:
    """Read and check a document, by ``rules`` or else by its own; ``partial`` whether it says so or not."""
    if not isinstance(document, dict):
        raise RulesError([Problem("bad-value", "", Phrase("A score document is a JSON object."))])
    problems: list[Problem] = []
    language = _read_language(document.get("language"), languages, problems)
    if rules is None:
        rules = _read_rules(document.get("rules"), problems)
    given_points = document.get("points")
    partial = _read_partial(document.get("partial"), problems, scored=given_points is not None) or partial
    given = _list_of_players(document.get("players"), problems)
    if len(given) > max_players(rules):
        problems.append(_too_many(rules, len(given)))
    if len(given) > 10 * MAX_PLAYERS:
        raise RulesError(problems)  # there may be thousands, so their boards are not read
    players, names = _read_players(given, rules, problems, with_rows=given_points is None, whole=not partial)
    if given_points is None:
        _check_repeats(players, rules.decks, problems)
    stacks = _read_stacks(given, rules, problems)
    stakes = _read_stakes(document, names, problems)
    points = None if given_points is None else _read_points(given_points, names, problems)
    if problems:
        raise RulesError(problems)
    return _Checked(language, partial, rules, [_as_ruled(player) for player in players], stacks, stakes, points)


def _read_language(given: object, languages: Languages, problems: list[Problem]) -> wording.Language:
    if given is None:
        return ENGLISH
    language = languages.get(given.lower()) if type(given) is str else None
    if language is None:
        offered = ", ".join(languages)
        if type(given) is str:
            message = Phrase(
                "{given} is not offered; the languages are {offered}.", given=quote(given), offered=offered
            )
        else:
            message = Phrase("A language is the text of a tag; the languages are {offered}.", offered=offered)
        problems.append(Problem("bad-value", "language", message))
    return language or ENGLISH


def _read_partial(given: object, problems: list[Problem], *, scored: bool) -> bool:
    if given is not None and type(given) is not bool:
        problems.append(Problem("bad-value", "partial", Phrase("partial is true or false.")))
    elif given and scored:
        message = Phrase("The points of this hand are given, so it is not partial.")
        problems.append(Problem("bad-value", "partial", message))
    return given is True


def _read_rules(given: object, problems: list[Problem]) -> HouseRules:
    try:
        return resolve("regular" if given is None else given)
    except RulesError as error:
        problems += error.problems
        return _as_far_as_known(given)


def _as_far_as_known(spec: object) -> HouseRules:
    """Keep the valid choices of bad rules, so that the cards are still checked against the right deck."""
    known: dict[str, Any] = {}
    for key in ("preset", *CHOICES, *POINTS_RULES):
        with suppress(RulesError):
            if isinstance(spec, dict):
                resolve({key: spec.get(key)})
                known[key] = spec.get(key)
    return resolve(known)


def _list_of_players(value: object, problems: list[Problem]) -> list[Any]:
    if value is None:
        problems.append(Problem("missing", "players", Phrase("The players are missing.")))
    elif not isinstance(value, list) or not value:
        problems.append(Problem("bad-value", "players", Phrase("players is a list of one to eight players.")))
    else:
        return value
    return []


def _too_many(rules: HouseRules, players: int) -> Problem:
    return Problem("too-many-players", "players", _deck_serves(rules, players=players, most=max_players(rules)))


def _deck_serves(rules: HouseRules, **numbers: int) -> Phrase:
    if rules.decks == 1 and rules.game == "pineapple":
        return Phrase(
            "{players} players are too many: one deck of cards makes Pineapple hands for at most {most} (R51).",
            **numbers,
        )
    if rules.decks == 1:
        return Phrase(
            "{players} players are too many: one deck of cards makes regular hands for at most {most} (R51).", **numbers
        )
    if rules.game == "pineapple":
        return Phrase(
            "{players} players are too many: two decks of cards make Pineapple hands for at most {most} (R51).",
            **numbers,
        )
    return Phrase(
        "{players} players are too many: two decks of cards make regular hands for at most {most} (R51).", **numbers
    )


def _read_players(
    given: Sequence[Any], rules: HouseRules, problems: list[Problem], *, with_rows: bool, whole: bool
) -> tuple[list[deal.DealtPlayer], list[str]]:
    players: list[deal.DealtPlayer] = []
    names: list[str] = []
    for place, player in enumerate(given):
        where = f"players[{place}]"
        if not isinstance(player, dict):
            problems.append(Problem("bad-value", where, Phrase("A player is an object with a name and rows.")))
            names.append("")
            players.append(deal.DealtPlayer("", None, None, None))
            continue
        name = _read_name(player, where, names, problems)
        names.append(name)
        ruling = player.get("ruling")
        if ruling is not None and ruling not in RULINGS:
            problems.append(Problem("bad-value", f"{where}.ruling", Phrase("A ruling is dead or surrendered.")))
            ruling = "dead"  # so that missing rows are not reported as well
        if ruling == "surrendered" and not rules.surrender_points:
            message = Phrase("This table has no surrender: its rules give it no points (R61).")
            problems.append(Problem("bad-value", f"{where}.ruling", message))
        front = middle = back = None
        if with_rows:
            front, middle, back = (
                read_row(
                    player.get(row), row, problems, of=where, decks=rules.decks, ruled=ruling is not None, whole=whole
                )
                for row in ROWS
            )
        else:
            problems += [
                Problem("bad-value", f"{where}.{key}", message)
                for key, message in _POINTS_GIVEN.items()
                if player.get(key) is not None
            ]
        fantasyland = player.get("fantasyland")
        if fantasyland is not None and type(fantasyland) is not bool:
            problems.append(Problem("bad-value", f"{where}.fantasyland", Phrase("fantasyland is true or false.")))
        cards = player.get("fantasyland_cards")
        if cards is not None and (type(cards) is not int or cards not in FANTASYLAND_CARDS):
            message = Phrase("A Fantasyland hand is dealt 13 to 17 cards.")
            problems.append(Problem("bad-value", f"{where}.fantasyland_cards", message))
        players.append(deal.DealtPlayer(name, front, middle, back, ruling, fantasyland is True, cards))
    return players, names


_POINTS_GIVEN: Final = {
    "front": Phrase("The points of this hand are given, so no player has a front."),
    "middle": Phrase("The points of this hand are given, so no player has a middle."),
    "back": Phrase("The points of this hand are given, so no player has a back."),
    "ruling": Phrase("The points of this hand are given, so no player has a ruling."),
}


def _read_name(player: Mapping[str, Any], where: str, names: Sequence[str], problems: list[Problem]) -> str:
    name = player.get("name")
    if name is None:
        problems.append(Problem("missing", f"{where}.name", Phrase("The player's name is missing.")))
    elif type(name) is not str or not 0 < len(name) <= MAX_NAME or name.isspace() or _NOT_TEXT.search(name):
        message = Phrase("A name is 1 to {most} characters that can be shown.", most=MAX_NAME)
        problems.append(Problem("bad-value", f"{where}.name", message))
    else:
        if name in names:
            message = Phrase("There are two players called {name}.", name=name)
            problems.append(Problem("duplicate-name", f"{where}.name", message))
        return name
    return ""


def _check_repeats(players: Sequence[deal.DealtPlayer], decks: int, problems: list[Problem]) -> None:
    """Check that no card with a suit, and no rank over all rows, occurs more often than the decks hold it (R12)."""
    cards = [card for player in players for row in player[1:4] if row is not None for card in row.cards]
    if decks == 1 and len(set(cards)) == len(cards) and _BARE_RANKS.isdisjoint(cards):
        return  # the common case: every card has a suit and all are different
    rows = [
        (place, name, row) for place, player in enumerate(players) for name, row in zip(ROWS, player[1:4], strict=True)
    ]
    held: dict[Card, list[tuple[int, str]]] = {}
    ranks: Counter[int] = Counter()
    for place, name, row in rows:
        where = f"players[{place}].{name}"
        for card in row.cards if row is not None else ():
            holders = held.setdefault(card, [])
            holders.append((place, name))
            if card.suit and len(holders) > decks:
                others = dict.fromkeys(holder for holder in holders if holder != holders[-1])
                message = repeated(card, [(players[other].name, row) for other, row in others])
                problems.append(Problem("duplicate-card", where, message))
            ranks[card.rank] += 1
            if ranks[card.rank] == 4 * decks + 1:
                problems.append(Problem("too-many-of-a-rank", where, _too_many_of(card, decks)))


def _as_ruled(player: deal.DealtPlayer) -> deal.DealtPlayer:
    """The player without rows of the wrong length, which only a ruled hand has: they count among the repeats alone."""
    if player.ruling is None:
        return player
    front, middle, back = (
        row if row is not None and len(row.cards) == ROW_SIZES[name] else None
        for name, row in zip(ROWS, player[1:4], strict=True)
    )
    return player._replace(front=front, middle=middle, back=back)


def _too_many_of(card: Card, decks: int) -> Phrase:
    ranks = _RANKS[card.rank]
    if decks == 1:
        return Phrase("There are more than 4 {ranks} on the table, and one deck has no more.", ranks=ranks)
    return Phrase("There are more than 8 {ranks} on the table, and two decks have no more.", ranks=ranks)


_RANKS: Final = {
    2: Phrase("twos"), 3: Phrase("threes"), 4: Phrase("fours"), 5: Phrase("fives"), 6: Phrase("sixes"),
    7: Phrase("sevens"), 8: Phrase("eights"), 9: Phrase("nines"), 10: Phrase("tens"), 11: Phrase("jacks"),
    12: Phrase("queens"), 13: Phrase("kings"), 14: Phrase("aces"),
}  # fmt: skip


def repeated(card: Card, others: Sequence[tuple[str, str]]) -> Phrase:
    """Say where else a card is that occurs too often; ``others`` are (name, row), none if it is all in one row."""
    if not others:
        return Phrase("The {card} stands more than once in this row.", card=card.name)
    return also_in(card, others)


def _read_stacks(given: Sequence[Any], rules: HouseRules, problems: list[Problem]) -> list[int] | None:
    stacks = {place: player.get("stack") for place, player in enumerate(given) if isinstance(player, dict)}
    if all(stack is None for stack in stacks.values()):
        return None
    for place, stack in stacks.items():
        where = f"players[{place}].stack"
        if stack is None:
            problems.append(Problem("missing", where, Phrase("Either all players have a stack or none.")))
        elif not rules.loss_cap and type(stack) is int and _is_money(abs(stack)):
            continue  # without a loss cap, earlier deals may have left a stack below zero
        elif not _is_money(stack):
            problems.append(Problem("bad-value", where, Phrase("A stack is a whole number of minor units, 0 or more.")))
    return [stack for stack in stacks.values() if stack is not None]  # a missing stack is already a problem


def _is_money(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_MONEY


_WRONG_STAKE: Final = Phrase("A stake is a whole number of minor units, 0 or more.")


def _read_stakes(
    document: Mapping[str, Any], names: Sequence[str], problems: list[Problem]
) -> dict[tuple[int, int], int]:
    stake = document.get("stake")
    if stake is None:
        stake = 1
    if not _is_money(stake):
        problems.append(Problem("bad-value", "stake", _WRONG_STAKE))
    stakes = dict.fromkeys(PAIRS[min(len(names), MAX_PLAYERS)], stake)
    for pair, value in _read_pairs(document.get("pair_stakes"), "pair_stakes", _STAKE, names, problems):
        stakes[min(pair), max(pair)] = value
    return stakes


def _read_points(value: object, names: Sequence[str], problems: list[Problem]) -> dict[tuple[int, int], int]:
    points = dict.fromkeys(PAIRS[min(len(names), MAX_PLAYERS)], 0)
    for (first, second), won in _read_pairs(value, "points", _POINTS, names, problems):
        points[min(first, second), max(first, second)] = won if first < second else -won
    return points


class _Said(NamedTuple):
    """What a list of pairs says of each pair, and how it is refused."""

    key: str
    lacking: Phrase
    is_good: Callable[[object], bool]
    wrong: Phrase


_STAKE: Final = _Said("stake", Phrase("The pair's stake is missing."), _is_money, _WRONG_STAKE)
_POINTS: Final = _Said(
    "points",
    Phrase("The pair's points are missing."),
    lambda points: type(points) is int and abs(points) <= MOST_ENTERED_POINTS,
    Phrase("Points are a whole number of at most {most} digits.", most=len(str(MOST_ENTERED_POINTS))),
)


def _read_pairs(
    value: object, where: str, said: _Said, names: Sequence[str], problems: list[Problem]
) -> list[tuple[tuple[int, int], int]]:
    """Read a list of pairs of players, and return (the two players' places, what is said of them) for each."""
    if value is None:
        return []
    if not isinstance(value, list):
        problems.append(Problem("bad-value", where, Phrase("{key} is a list of pairs of players.", key=where)))
        return []
    most = len(PAIRS[MAX_PLAYERS])
    if len(value) > most:
        message = Phrase(
            "{players} players make {most} pairs; here are {given}.", players=MAX_PLAYERS, most=most, given=len(value)
        )
        problems.append(Problem("bad-value", where, message))
        return []
    read: list[tuple[tuple[int, int], int]] = []
    seen: set[frozenset[int]] = set()
    for place, entry in enumerate(value):
        here = f"{where}[{place}]"
        if not isinstance(entry, dict):
            problems.append(Problem("bad-value", here, Phrase("A pair is an object with two players.")))
            continue
        pair = _read_pair(entry.get("players"), f"{here}.players", names, seen, problems)
        given = entry.get(said.key)
        if given is None:
            problems.append(Problem("missing", f"{here}.{said.key}", said.lacking))
        elif not said.is_good(given):
            problems.append(Problem("bad-value", f"{here}.{said.key}", said.wrong))
        elif pair is not None:
            read.append((pair, given))
    return read


def _read_pair(
    players: object, where: str, names: Sequence[str], seen: set[frozenset[int]], problems: list[Problem]
) -> tuple[int, int] | None:
    """The places of the two players of a pair that was not ``seen`` before, or None if they make no such pair."""
    if players is None:
        problems.append(Problem("missing", where, Phrase("The pair's players are missing.")))
        return None
    if not isinstance(players, list) or len(players) != 2 or not all(type(name) is str for name in players):
        problems.append(Problem("bad-value", where, Phrase("A pair is two players' names.")))
        return None
    unknown = [(side, name) for side, name in enumerate(players) if name not in names]
    for side, name in unknown:
        message = Phrase("There is no player called {name} in this hand.", name=quote(name))
        problems.append(Problem("unknown-player", f"{where}[{side}]", message))
    if unknown:
        return None
    pair = (names.index(players[0]), names.index(players[1]))
    if pair[0] == pair[1]:
        problems.append(Problem("bad-value", where, Phrase("A pair is two different players.")))
    elif frozenset(pair) in seen:
        message = Phrase("{first} and {second} are named as a pair twice.", first=players[0], second=players[1])
        problems.append(Problem("bad-value", where, message))
    else:
        seen.add(frozenset(pair))
        return pair
    return None


# --- Out --------------------------------------------------------------------------------------------------------------


def _pair_line(pair: deal.PairScore) -> Document:
    rows = None if pair.rows is None else dict(zip(ROWS, pair.rows, strict=True))
    return {
        "rows": rows,
        "row_points": pair.row_points,
        "bonus": pair.bonus,
        "royalties": pair.royalties,
        "points": pair.points,
    }


def _table_scored_line(points: int) -> Document:
    return {"rows": None, "row_points": 0, "bonus": 0, "royalties": 0, "points": points}


def _player_line(
    player: deal.DealtPlayer, standing: deal.JudgedPlayer, read: _Checked, *, words: bool = True
) -> Document:
    line: Document = {"name": player.name, "foul": standing.foul}
    if words:
        line["foul_reason"] = read.language.foul_reason(standing, read.rules)
        line["rows"] = _rows_line((player.front, player.middle, player.back), standing.royalties, read)
    line["royalties"] = standing.judged[4]
    line["fantasyland_next"] = standing.fantasyland_next
    return line


def _rows(player: deal.DealtPlayer) -> unfinished.PartialRows:
    """The player's rows, with one without cards for one that could not be read."""
    nothing = Row((), 0)
    return player.front or nothing, player.middle or nothing, player.back or nothing


def _partial_line(
    player: deal.DealtPlayer, rows: unfinished.PartialRows, seen: Sequence[Card], read: _Checked
) -> tuple[Document, wording.Verdict]:
    """A player of a document whose boards may lack cards, and the verdict on their board."""
    language, rules = read.language, read.rules
    if player.ruling or all(len(row.cards) == ROW_SIZES[name] for name, row in zip(ROWS, rows, strict=True)):
        standing = deal.stand(player, rules, scale(rules))
        return {**_player_line(player, standing, read), "needs": None}, language.verdict(standing, rules)
    board = unfinished.so_far(rows, seen, rules)
    verdict = language.so_far(board, rules)
    needs = None
    if board.needs is not None:
        needs = {row: _needs_line(row, each, read) for row, each in board.needs.items()}
    line = {
        "name": player.name,
        "foul": True if needs is None else None,
        "foul_reason": language.space.join(verdict.sentences) if needs is None else None,
        "rows": _rows_line(board.whole, (0, 0, 0), read),
        "royalties": 0,
        "fantasyland_next": 0,
        "needs": needs,
    }
    return line, verdict


def _needs_line(row: str, needs: unfinished.Range, read: _Checked) -> Document:
    least, most = wording.bounds(row, needs, read.rules)
    return {"at_least": _bound_line(least, read.language), "at_most": _bound_line(most, read.language)}


def _bound_line(bound: wording.Bound | None, language: wording.Language) -> Document | None:
    if bound is None:
        return None
    return {"hand": "low" if bound.hand.low else bound.hand.kind.code, "name": language.bound_part(bound)}


def _rows_line(
    rows: tuple[Row | None, Row | None, Row | None], royalties: tuple[int, int, int], read: _Checked
) -> Document:
    fives = FIVES[read.rules.five_of_a_kind]
    front, middle, back = rows
    language = read.language
    return {
        "front": _row_line(front, FRONTS, royalties[0], language),
        "middle": (_low_line if read.rules.lowball else _row_line)(middle, fives, royalties[1], language),
        "back": _row_line(back, fives, royalties[2], language),
    }


def _row_line(
    row: Row | None, strengths: Mapping[int, int], royalty: int, language: wording.Language
) -> Document | None:
    if row is None:
        return None
    strength = strengths[row.key]
    return {"hand": _CODES[strength], "name": wording.hand_name(language, strength), "royalty": royalty}


def _low_line(
    row: Row | None, strengths: Mapping[int, int], royalty: int, language: wording.Language
) -> Document | None:
    if row is None:
        return None
    worth = LOWS.get(row.key, 0)
    name = wording.low_name(language, worth) if worth else wording.no_low_name(language, strengths[row.key])
    return {"hand": "low" if worth else "not-low", "name": name, "royalty": royalty}


def _settled(
    read: _Checked, players: list[Document], pairs: Mapping[tuple[int, int], tuple[Document, str]], *, words: bool
) -> Document:
    """Settle the pairs: in the order of payment, with each player's totals and stack."""
    debts = [Debt(*pair, line["points"], read.stakes[pair]) for pair, (line, _) in pairs.items()]
    payments, stacks = settle(debts, read.stacks, read.rules)
    points, money = [0] * len(players), [0] * len(players)
    lines = []
    for order, payment in enumerate(payments, start=1):
        debt, owed, paid, _ = payment
        first, second, won, stake = debt
        line, why = pairs[first, second]
        points[first] += won
        points[second] -= won
        payer = payee = None
        if won:
            losing, winning = (second, first) if won > 0 else (first, second)
            money[winning] += paid
            money[losing] -= paid
            payer, payee = players[losing]["name"], players[winning]["name"]
            if words and paid < owed:
                why += read.language.space + read.language.why_less(payment, payer, payee, read.rules)
        lines.append(
            {
                "order": order,
                "players": [players[first]["name"], players[second]["name"]],
                **line,
                "stake": stake,
                "owed": owed,
                "paid": paid,
                "payer": payer,
                "payee": payee,
                "why": why,
            }
        )
    for place, player in enumerate(players):
        player["points"] = points[place]
        player["money"] = money[place]
        player["stack"] = None if stacks is None else stacks[place]
        player["busted"] = stacks is not None and read.rules.loss_cap and stacks[place] <= 0
    return {"players": players, "pairs": lines}
