"""The actions, each as the event that records it carries it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from scoring.game.entry import as_mapping, pair_stakes_from_list
from scoring.game.errors import refuse
from scoring.game.limits import BANK, HOUSE
from scoring.game.lines import Line
from scoring.game.table import Chair, Table
from scoring.rules.houserules import resolve


def _set_next(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    if action["button"] is not None:
        table = replace(table, button=action["button"], held=False)
    if action["fantasyland"] is not None:
        table = replace(table, fantasyland=as_mapping(action["fantasyland"]))
        if table.held and not table.fantasyland:
            table = table._button_moved()
    return replace(table, note=note), []


def _join(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    place = len(table.chairs)
    if action["after"] is not None:
        place = table.chairs.index(table.here(action["after"])) + 1
    chair = Chair(action["seat"], action["name"])
    return table._back((*table.chairs[:place], chair, *table.chairs[place:])), []


def _leave(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    seat = action["seat"]
    chair = table.here(seat)
    if len(table.chairs) == 1:
        raise refuse("too-few-players", f"seats[{seat}]", "The last one at the table closes the session instead.")
    lines = [Line(seat, BANK, 0, action["cash_out"], "cash-out", True)] if action["cash_out"] else []
    table = table.moved(lines)
    return table._away(seat, tuple(other for other in table.chairs if other is not chair)), lines


def _sit_out(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    gone = table.here(action["seat"])
    return table._away(gone.number, _changed(table, replace(gone, out=True))), []


def _sit_in(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    return table._back(_changed(table, replace(table.here(action["seat"]), out=False))), []


def _swap(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    one, other = table.here(action["first"]), table.here(action["second"])
    places = {one.number: other, other.number: one}
    return replace(table, chairs=tuple(places.get(chair.number, chair) for chair in table.chairs)), []


def _changed(table: Table, changed: Chair) -> tuple[Chair, ...]:
    return tuple(changed if chair.number == changed.number else chair for chair in table.chairs)


def _terms(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    if action["stake"] is not None:
        table = replace(table, stake=action["stake"])
    if action["pair_stakes"] is not None:
        table = replace(table, pair_stakes=pair_stakes_from_list(action["pair_stakes"]))
    if action["rules"] is not None:
        table = replace(table, rules=resolve(action["rules"]))
    return table, []


def _buy_in(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    lines = [Line(BANK, table.here(action["seat"]).number, 0, action["amount"], "buy-in", True)]
    if table.stacks is None:
        table = replace(table, stacks={})
    return table.moved(lines), lines


def _cash_out(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    lines = [Line(action["seat"], BANK, 0, action["amount"], "cash-out", True)]
    return table.moved(lines), lines


def _penalty(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    seat, points = action["seat"], action["points"]
    lines = [
        Line(seat, other, points, points * table.pair_stake(seat, other), "penalty", table.stacks is not None)
        for other in action["to"]
    ]
    return table.moved(lines), lines


def _side_bet(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    lines = [Line(action["payer"], action["payee"], 0, action["amount"], "side-bet", table.stacks is not None)]
    return table.moved(lines), lines


def _fee(table: Table, action: Mapping[str, Any], note: str) -> tuple[Table, list[Line]]:
    in_play = table.stacks is not None
    lines = [Line(seat, HOUSE, 0, action["amount"], "fee", in_play) for seat in action["seats"]]
    return table.moved(lines), lines


_ACTIONS: Final[Mapping[str, Callable[[Table, Mapping[str, Any], str], tuple[Table, list[Line]]]]] = {
    "set-next": _set_next,
    "join": _join,
    "leave": _leave,
    "sit-out": _sit_out,
    "sit-in": _sit_in,
    "swap": _swap,
    "terms": _terms,
    "buy-in": _buy_in,
    "cash-out": _cash_out,
    "penalty": _penalty,
    "side-bet": _side_bet,
    "fee": _fee,
}


ACTIONS: Final = frozenset(_ACTIONS)
"""The verbs that change the table without settling a deal."""


def apply(table: Table, verb: str, action: Mapping[str, Any], note: str = "") -> tuple[Table, list[Line]]:
    """The table after one action of the host, and the transfers that it makes.

    Raises `LedgerError` for what cannot be: a seat that is not there, more chips than lie there. What the host
    may insist on is the verb's to ask.
    """
    return _ACTIONS[verb](table, action, note)
