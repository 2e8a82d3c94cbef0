"""What pages draw: a score document turned into finished text.

Every figure becomes text here, once: points with a sign, a real minus and a dash for zero; money in whole minor units
written as an amount. Templates print what they are given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.forms.boards import ROW_LABELS, TypedBoard
from scoring.models import Session
from scoring.rules.cards import RANK_SYMBOLS, UnreadableRowError, parse_row
from scoring.table import Outcome

NOTHING = "–"
MINUS = "−"
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def signed(points: int) -> str:
    """Points that moved to (+) or from (−) somebody."""
    if not points:
        return NOTHING
    return f"+{_grouped(points)}" if points > 0 else f"{MINUS}{_grouped(-points)}"


def unsigned(number: int) -> str:
    """A number that has no direction."""
    return _grouped(number) if number else NOTHING


def money(minor: int, digits: int) -> str:
    """An amount without direction: 123450 with 2 digits is 1234.50."""
    if not minor:
        return NOTHING
    if minor < 0:  # a stack that went below nothing
        return MINUS + money(-minor, digits)
    whole, part = divmod(minor, 10**digits)
    return f"{_grouped(whole)}.{part:0{digits}}" if digits else _grouped(whole)


def signed_money(minor: int, digits: int) -> str:
    """Money that moved to (+) or from (−) somebody."""
    if not minor:
        return NOTHING
    return ("+" if minor > 0 else MINUS) + money(abs(minor), digits)


def _grouped(number: int) -> str:
    # Four digits stand together: 1234, 12 345.
    return str(number) if number < 10_000 else f"{number:,}".replace(",", THIN_SPACE)


def counted(number: int, noun: str) -> str:
    """A number and its noun: 1 point, 4 points."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: A; A and B; A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- Boards -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardShown:
    """One tile; ``suit`` is empty where only the rank is known."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class RowShown:
    """Cards as they lie, in words for who cannot see them; name and royalty are empty until the row is whole."""

    label: str
    cards: list[CardShown]
    spoken: str
    name: str
    royalty: str


@dataclass(frozen=True, slots=True)
class BoardShown:
    """One player's board on the felt. ``call`` is the word in bold before the sentence under it."""

    name: str
    rows: list[RowShown]
    foul: bool
    call: str
    sentence: str
    fantasyland: int = 0
    button: bool = False
    points: str = ""
    money: str = ""

    @property
    def suits_unknown(self) -> bool:
        """Some of it was entered by ranks alone."""
        return any(not card.suit for row in self.rows for card in row.cards)


def row_shown(label: str, text: str, result: Mapping[str, Any] | None) -> RowShown:
    """A typed row with its name from the score document; a row that is no cards is shown empty."""
    try:
        row = parse_row(text)
    except UnreadableRowError:
        return RowShown(label, [], "", "", "")
    cards = [CardShown("10" if card.rank == 10 else RANK_SYMBOLS[card.rank], card.suit) for card in row.cards]
    spoken = ", ".join(card.name for card in row.cards)
    if row.flush and not row.suited:
        spoken += ", of one suit"
    if result is None:
        return RowShown(label, cards, spoken, "", "")
    return RowShown(label, cards, spoken, result["name"], signed(result["royalty"]) if result["royalty"] else "")


def board_shown(
    typed: TypedBoard,
    player: Mapping[str, Any],
    *,
    ruling: str = "",
    fantasyland: int = 0,
    button: bool = False,
    digits: int | None = None,
    verdict: str = "",
) -> BoardShown:
    """A board with what the score document says of it, or with a whole ``verdict`` in its place.

    ``fantasyland`` is the number of cards this board was dealt at once, 0 for none. Totals are shown where ``digits``,
    the minor digits of the currency, are given.
    """
    results = player.get("rows") or {}
    rows = [row_shown(label, getattr(typed, row), results.get(row)) for row, label in ROW_LABELS.items()]
    call, sentence = _called(player, ruling, was_in_fantasyland=bool(fantasyland))
    if verdict:
        word, _, rest = verdict.partition(" ")
        call, sentence = word, rest if player["foul"] else f"{rest} {f'{call} {sentence}' if call else ''}".strip()
    return BoardShown(
        name=player["name"],
        rows=rows if any(row.cards for row in rows) else [],
        foul=player.get("foul", False),
        call=call,
        sentence=sentence,
        fantasyland=fantasyland,
        button=button,
        points="" if digits is None else signed(player["points"]),
        money="" if digits is None else signed_money(player["money"], digits),
    )


def _called(player: Mapping[str, Any], ruling: str, *, was_in_fantasyland: bool) -> tuple[str, str]:
    if player.get("foul"):
        return ("Ruled dead." if ruling == "dead" else "Foul."), player["foul_reason"] or ""
    if ruling == "surrendered":
        return "Surrendered.", ""
    cards = player.get("fantasyland_next")
    if cards:
        return "Fantasyland", f"{'again' if was_in_fantasyland else 'next hand'}, with {cards} cards."
    return "", ""


# --- Settlement -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairRowShown:
    """One row of two boards; ``won`` names the winner, or says that it was tied."""

    label: str
    first: str
    second: str
    won: str
    lost_by_first: bool
    lost_by_second: bool


@dataclass(frozen=True, slots=True)
class LineShown:
    """A figure of a pair's working; ``total`` draws a line above it."""

    label: str
    value: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class PairShown:
    """One line of the settlement and what it opens to. ``payer`` is empty where nothing moves.

    ``unpaid`` says how much of the debt a cap left, and which.
    """

    payer: str
    payee: str
    first: str
    second: str
    points: str
    points_unit: str
    money: str
    unpaid: str
    rows: list[PairRowShown]
    lines: list[LineShown]
    why: str


@dataclass(frozen=True, slots=True)
class TotalShown:
    """One player's line under the settlement."""

    name: str
    points: str
    money: str
    stack: str = ""
    stack_before: str = ""
    busted: bool = False


@dataclass(frozen=True, slots=True)
class TotalsShown:
    """The table under the settlement; no money column without ``money_head``, no stacks without ``stacks``."""

    caption: str
    lines: list[TotalShown]
    money_head: str = ""
    stacks: bool = False


def pairs_shown(score: Mapping[str, Any], digits: int | None = None) -> list[PairShown]:
    """The settlement in paying order; without ``digits`` (points only) no money is named."""
    players = {player["name"]: player for player in score["players"]}
    return [_pair_shown(pair, players, digits) for pair in score["pairs"]]


def _pair_shown(pair: Mapping[str, Any], players: Mapping[str, Any], digits: int | None) -> PairShown:
    first, second = pair["players"]
    # Everything is told from the side of who gains, so that the working adds up to the line above it.
    side = -1 if pair["points"] < 0 else 1
    gainer = second if side < 0 else first
    loser = first if side < 0 else second
    lines: list[LineShown] = []
    unpaid = ""
    if pair["row_points"]:
        lines.append(LineShown(f"Rows to {gainer}", signed(side * pair["row_points"])))
    if pair["bonus"]:
        scooped = pair["rows"] is None or len(set(pair["rows"].values())) == 1
        lines.append(LineShown("Scoop" if scooped else "Bonus", signed(side * pair["bonus"])))
    if pair["royalties"]:
        earned = f"{players[gainer]['royalties']} against {players[loser]['royalties']}"
        lines.append(LineShown(f"Royalties, {earned}", signed(side * pair["royalties"])))
    if lines:
        lines.append(LineShown("Points", signed(side * pair["points"]), total=True))
    if digits is not None and pair["points"]:
        lines.append(LineShown(f"At {money(pair['stake'], digits)} a point", money(pair["owed"], digits)))
        if pair["paid"] < pair["owed"]:
            lines.append(LineShown("Paid, as far as the stacks reach", money(pair["paid"], digits), total=True))
            lines.append(LineShown("Unpaid, and void", money(pair["owed"] - pair["paid"], digits)))
            # The last sentence of the why is about the cap; its rules are one tap away.
            last = max(pair["why"].rfind(f". {name} ") for name in (gainer, loser))
            reason = pair["why"][last + 2 :].partition(" (R")[0]
            unpaid = f"{money(pair['owed'] - pair['paid'], digits)} of {money(pair['owed'], digits)} unpaid. {reason}."
    return PairShown(
        payer=pair["payer"] or "",
        payee=pair["payee"] or "",
        first=first,
        second=second,
        points=unsigned(abs(pair["points"])),
        points_unit="point" if abs(pair["points"]) == 1 else "points",
        money="" if digits is None else money(pair["paid"], digits),
        unpaid=unpaid,
        rows=_pair_rows(pair, players, first, second),
        lines=lines,
        why=pair["why"] or "",
    )


def _pair_rows(pair: Mapping[str, Any], players: Mapping[str, Any], first: str, second: str) -> list[PairRowShown]:
    if pair["rows"] is None:
        return []
    return [
        PairRowShown(
            label=label,
            first=players[first]["rows"][row]["name"],
            second=players[second]["rows"][row]["name"],
            won=NOTHING if not won else first if won > 0 else second,
            lost_by_first=won < 0,
            lost_by_second=won > 0,
        )
        for row, label in ROW_LABELS.items()
        for won in [pair["rows"][row]]
    ]


def totals_shown(
    score: Mapping[str, Any], caption: str, *, digits: int | None = None, money_head: str = ""
) -> TotalsShown:
    """Each player's points and money over all pairs of one deal."""
    stacks = any(player["stack"] is not None for player in score["players"])
    return TotalsShown(
        caption=caption,
        money_head=money_head,
        stacks=stacks,
        lines=[
            TotalShown(
                name=player["name"],
                points=signed(player["points"]),
                money="" if digits is None else signed_money(player["money"], digits),
                stack=money(player["stack"], digits or 0) if stacks else "",
                stack_before=money(player["stack"] - player["money"], digits or 0) if stacks else "",
                busted=player["busted"],
            )
            for player in score["players"]
        ],
    )


def outcome_shown(outcome: Outcome, session: Session) -> dict[str, Any]:
    """A settled hand, on paper or recorded: ``boards`` clockwise, ``pairs`` in paying order, ``totals``."""
    digits = session.minor_digits
    boards = [
        board_shown(
            TypedBoard(*(asked.get(row, "") for row in ROW_LABELS)),
            player,
            ruling=asked.get("ruling", ""),
            fantasyland=asked.get("fantasyland_cards", 0) if asked.get("fantasyland") else 0,
            button=seat == outcome.button,
            digits=digits,
        )
        for seat, asked, player in zip(
            outcome.seats, outcome.document["players"], outcome.result["players"], strict=True
        )
    ]
    return {
        "boards": boards,
        "pairs": pairs_shown(outcome.result, digits),
        "totals": totals_shown(outcome.result, "In this hand", digits=digits, money_head=session.currency),
    }
