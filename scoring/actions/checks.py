"""Checks that several actions share. Each returns the problems that it finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from scoring.game.entry import pair
from scoring.game.limits import MAX_AMOUNT, MOST_SEATS, NAME_LENGTH
from scoring.game.text import clean, fold
from scoring.rules.errors import Problem, RulesError
from scoring.rules.houserules import HouseRules, resolve
from scoring.rules.phrase import Phrase

RESERVED: Final = frozenset({"bank", "house"})
"""The names of the ledger's own accounts, as `fold` compares names."""

PairStakes = Sequence[Sequence[int]]
"""(seat, seat, minor units a point) for each pair whose stake differs from the session's."""


def amount_problems(amount: int, where: str, *, least: int = 0) -> list[Problem]:
    """Checks that an amount is a whole number of minor units, at least ``least`` and at most sixteen digits long."""
    if type(amount) is int and least <= amount <= MAX_AMOUNT:
        return []
    if least:
        return [Problem("bad-value", where, Phrase("Enter an amount above 0, with at most 16 digits."))]
    return [Problem("bad-value", where, Phrase("Enter an amount of 0 or more, with at most 16 digits."))]


def unknown_seats(named: Iterable[int], seats: Collection[int]) -> list[Problem]:
    """Returns a problem for each of the ``named`` seats that no player has had in this session."""
    return [
        Problem("unknown-player", f"seats[{seat}]", Phrase("There is no seat {seat}.", seat=seat))
        for seat in named
        if seat not in seats
    ]


def length_problem(name: str, where: str, most: int = NAME_LENGTH) -> Problem | None:
    """Checks the length of any name: a player's, a session's, a club's, or that of saved house rules."""
    if len(name) <= most:
        return None
    return Problem("bad-value", where, Phrase("Names can be up to {most} characters.", most=most))


def name_problem(name: str, where: str) -> Problem | None:
    """Checks that a player's name is present, short enough and not reserved."""
    if not name:
        return Problem("missing", where, Phrase("Every player needs a name."))
    if fold(name) in RESERVED:
        return Problem("duplicate-name", where, Phrase("“{name}” is reserved – use a different name.", name=name))
    return length_problem(name, where)


def name_problems(names: Sequence[str], *, least: int = 2) -> list[Problem]:
    """Checks that names are present, short enough, distinct and not reserved."""
    problems: list[Problem] = []
    seen: set[str] = set()
    for index, name in enumerate(names):
        where = f"names[{index}]"
        if problem := name_problem(name, where):
            problems.append(problem)
        elif fold(name) in seen:
            message = Phrase("There is already someone called {name} – use a different name.", name=name)
            problems.append(Problem("duplicate-name", where, message))
        seen.add(fold(name))
    if len(names) < least:
        problems.append(Problem("too-few-players", "names", Phrase("Enter at least two players.")))
    if len(names) > MOST_SEATS:
        problems.append(Problem("too-many-players", "names", Phrase("There is room for {most}.", most=MOST_SEATS)))
    return problems


def cleaned(names: Iterable[str]) -> list[str]:
    """Returns names as the ledger stores them."""
    return [clean(name) for name in names]


def pair_stake_problems(given: PairStakes, seats: Collection[int]) -> list[Problem]:
    """Checks that each stake is for two different players, that no pair has two stakes, and that amounts are valid."""
    problems: list[Problem] = []
    seen: set[tuple[int, int]] = set()
    for index, (one, other, stake) in enumerate(given):
        where = f"pair_stakes[{index}]"
        if one == other or not {one, other} <= set(seats):
            problems.append(
                Problem("unknown-player", where, Phrase("A stake is for two different players of this table."))
            )
        elif pair(one, other) in seen:
            problems.append(Problem("bad-value", where, Phrase("These two players have two stakes.")))
        problems += amount_problems(stake, f"{where}.stake")
        seen.add(pair(one, other))
    return problems


def read_rules(spec: object) -> tuple[HouseRules | None, list[Problem]]:
    """Returns the house rules that a preset's name or an object of choices stands for, or None with every problem."""
    try:
        return resolve(spec), []
    except RulesError as error:
        return None, list(error.problems)
