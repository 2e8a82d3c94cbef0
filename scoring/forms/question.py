"""The question at /check/: the boards to rule on, as an address holds them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.forms.boards import TypedBoard
from scoring.texts import gettext

LETTERS = "abcdefgh"


@dataclass(frozen=True, slots=True)
class AskedBoard:
    """One board of a question. ``name`` is empty if none was given."""

    letter: str
    name: str
    typed: TypedBoard
    fantasyland: bool

    @property
    def shown_name(self) -> str:
        """The player's name, or one made from the letter."""
        return self.name or gettext("Player {letter}").format(letter=self.letter.upper())


@dataclass(frozen=True, slots=True)
class FoulCheck:
    """Boards to rule on, clockwise from under the gun, as an address holds them.

    ``?rules=regular&a=Ivey:664/TT9Q8/33322&b=Hellmuth:AKQ/99554/KJ987f&fl=b``: one letter for each board, with the
    player's name, if any, before the colon. ``fl`` lists the boards that were played in Fantasyland.
    """

    preset: str
    boards: list[AskedBoard]

    @classmethod
    def read(cls, data: Mapping[str, str], in_fantasyland: Iterable[str]) -> "FoulCheck":
        """Reads an address or the form's fields (``a-name``, ``a-front`` and so on), which take precedence."""
        fantasyland = set(in_fantasyland)
        boards = []
        for letter in LETTERS:
            name, typed = data.get(f"{letter}-name", "").strip(), TypedBoard.read(data, letter)
            if letter in data and not typed:
                before, _, rows = data[letter].rpartition(":")
                front, middle, back = (*rows.split("/", 2), "", "")[:3]
                name, typed = before.strip(), TypedBoard.parse(rows) or TypedBoard(front, middle, back)
            if letter in data or f"{letter}-front" in data:
                boards.append(AskedBoard(letter, name, typed, letter in fantasyland))
        if "more" in data or not boards:
            boards += [AskedBoard(letter, "", TypedBoard(), False) for letter in LETTERS[len(boards) :][:1]]
        return cls(data.get("rules", "regular"), boards)

    def query(self) -> dict[str, str | list[str]] | None:
        """The query of the address, or None if the rows contain characters that the address uses itself."""
        found: dict[str, str | list[str]] = {"rules": self.preset}
        for board in self.boards:
            if any(sign in text for text in board.typed.rows() for sign in "/:|;\n"):
                return None
            rows = str(board.typed) if board.typed else ""
            found[board.letter] = f"{board.name}:{rows}" if board.name else rows
        fantasyland = [board.letter for board in self.boards if board.fantasyland]
        return {**found, "fl": fantasyland} if fantasyland else found

    def cards_alone(self) -> "FoulCheck":
        """The same question without anybody's name, for a picture that anybody may see."""
        return replace(self, boards=[replace(board, name="", fantasyland=False) for board in self.filled()])

    def filled(self) -> list[AskedBoard]:
        """The boards in which something was typed. Only these are ruled on."""
        return [board for board in self.boards if board.typed]

    def document(self) -> dict[str, object]:
        """The score document for these boards."""
        return {
            "rules": self.preset,
            "players": [
                {"name": board.shown_name, "fantasyland": board.fantasyland, **board.typed.given()}
                for board in self.filled()
            ],
        }
