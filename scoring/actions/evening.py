"""The actions on the session as a whole: rename, close, reopen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.actions.base import Action


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """The session gets a name. If ``name`` is empty, pages call the session by its date."""

    verb: ClassVar[str] = "rename"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    decided: ClassVar[frozenset[str]] = frozenset({"was"})

    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Close(Action):
    """The session is closed. Until it is reopened, only its name can change.

    With ``tab`` what is open is carried to the club's tab; without, people settle it on the spot.
    """

    verb: ClassVar[str] = "close"

    tab: bool = False

    def as_document(self) -> dict[str, Any]:
        """Returns the action in JSON, which has ``tab`` only if it is set, as in events of earlier releases."""
        return {"tab": True} if self.tab else {}


@dataclass(frozen=True, slots=True)
class ChooseTab(Action):
    """What is open of a closed session is carried to the club's tab from now on, or kept out of it."""

    verb: ClassVar[str] = "tab"
    idle: ClassVar[bool] = True
    on_closed: ClassVar[bool] = True
    beside_record: ClassVar[bool] = True

    on: bool


@dataclass(frozen=True, slots=True)
class Reopen(Action):
    """A closed session is opened again."""

    verb: ClassVar[str] = "reopen"
    on_closed: ClassVar[bool] = True
