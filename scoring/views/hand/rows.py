"""A player's three rows while they are being typed: the name of each row, and a sentence for a foul."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.forms.boards import TypedBoard
from scoring.rules import document
from scoring.rules.board import ROW_SIZES, ROWS
from scoring.rules.cards import UnreadableRowError, parse_row
from scoring.rules.errors import RulesError
from scoring.wording.boards import row_label
from scoring.wording.entering import unfinished
from scoring.wording.languages import LANGUAGES, of_reader


@dataclass(frozen=True, slots=True)
class RowField:
    """One input and the texts beside it. ``id`` is also the name of the input.

    ``clash`` warns that one of its cards was also entered elsewhere; the page shows it instead of the row's name.
    """

    id: str
    label: str
    size: int
    value: str
    name: str
    royalty: str
    errors: list[str]
    clash: str = ""


@dataclass(frozen=True, slots=True)
class DraftShown:
    """What a fieldset knows of the draft of its seat.

    ``address`` is where the fieldset sends its rows; ``revision`` and ``seen`` are the draft that these started from.
    ``unseen`` says that another phone has sent a hidden board, which may have replaced one that this phone has. If the
    draft is hidden, ``away`` says how far it is: the number of its cards, or ``done``; or, if a scorer may show it
    (`drafts.withheld`), ``withheld``, and ``undone`` while cards of the undone hand of that number lie in other
    players' boards. ``state`` says it in words. If another phone has sent different rows, ``theirs`` shows them and
    ``ours`` this phone's, ``their_revision`` is their draft revision, and somebody has to choose. ``unchosen`` are
    other rows for which somebody has to choose on another phone.
    """

    address: str
    revision: int = 0
    seen: str = ""
    unseen: bool = False
    away: str = ""
    state: str = ""
    undone: int = 0
    done: bool = False
    ours: str = ""
    theirs: str = ""
    their_revision: int = 0
    unchosen: str = ""

    @property
    def withheld(self) -> bool:
        """Whether a scorer may show it."""
        return self.away in {"withheld", "undone"}


@dataclass(frozen=True, slots=True)
class Fieldset:
    """One player's fieldset. ``prefix`` begins its field names; ``called`` is the sentence about a foul."""

    prefix: str
    name: str
    rows: list[RowField]
    foul: bool
    called: str
    errors: list[str] = field(default_factory=list)
    button: bool = False
    fantasyland: int = 0
    ruling: str = ""
    draft: DraftShown | None = None

    @property
    def gap(self) -> str:
        """What parts two sentences of the reader's language."""
        return of_reader().space


def fieldset(
    prefix: str,
    name: str,
    typed: TypedBoard,
    rules: object,
    *,
    errors: Mapping[str, list[str]],
    fantasyland: int = 0,
    button: bool = False,
    ruling: str = "",
    draft: DraftShown | None = None,
    clashes: Mapping[str, str] | None = None,
) -> Fieldset:
    """A fieldset with its rows named.

    ``errors`` are by field name and may cover all players, ``clashes`` are by row; ``fantasyland`` counts cards.
    """
    named = _name(name, typed, rules, bool(fantasyland))
    results = (named.get("rows") if named else None) or {}
    rows = []
    for row in ROWS:
        text = getattr(typed, row)
        result, wrong = results.get(row), errors.get(f"{prefix}-{row}", [])
        rows.append(
            RowField(
                id=f"{prefix}-{row}",
                label=row_label(row),
                size=ROW_SIZES[row],
                value=text,
                name=result["name"] if result else "" if wrong else unfinished(_count(text), row),
                royalty=f"+{result['royalty']}" if result and result["royalty"] else "",
                errors=wrong,
                clash=(clashes or {}).get(row, ""),
            )
        )
    foul = bool(named and named["foul"] and named["foul_reason"])
    return Fieldset(
        prefix=prefix,
        name=name,
        rows=rows,
        foul=foul,
        called=named["foul_reason"] if named and foul else "",
        errors=errors.get(f"{prefix}-name", []) + errors.get(f"{prefix}-ruling", []),
        button=button,
        fantasyland=fantasyland,
        ruling=ruling,
        draft=draft,
    )


def _name(name: str, typed: TypedBoard, rules: object, in_fantasyland: bool) -> Mapping[str, Any] | None:
    """What the rules say of the complete rows: a player of a scored document. None if no row is, or they refuse."""
    whole = {row: getattr(typed, row) for row in ROWS if _count(getattr(typed, row)) == ROW_SIZES[row]}
    if not whole:
        return None
    player: dict[str, Any] = {"name": name or "?", "fantasyland": in_fantasyland, **whole}
    if len(whole) < len(ROWS):
        # The rules accept a board with missing rows only if it is ruled dead, and then still name the rows it has.
        player["ruling"] = "dead"
    asked = {"rules": rules, "players": [player], "language": of_reader().tag}
    try:
        answer: Mapping[str, Any] = document.score(asked, LANGUAGES)["players"][0]
    except RulesError:
        return None
    return answer if len(whole) == len(ROWS) else {**answer, "foul": False}


def _count(text: str) -> int:
    """How many cards a row has, -1 if it cannot be read."""
    try:
        return len(parse_row(text).cards)
    except UnreadableRowError:
        return -1
