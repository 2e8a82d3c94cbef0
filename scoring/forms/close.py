"""The form that closes a session, and the one that moves a closed session on or off the club's tab."""

from collections.abc import Iterator, Mapping, MutableMapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from django import forms

from scoring.forms.amounts import same_amount
from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, TextField
from scoring.forms.late import news, rebased
from scoring.game.payments import coins
from scoring.game.table import Table
from scoring.models import Session
from scoring.request import UNPROCESSABLE
from scoring.wording.figures import labelled, money, typed_amount
from scoring.wording.phrases import later as _

TAB: Final = "tab"
"""The choice by which what is open is carried to the club's tab. The other one is to settle it on the spot."""

CHOICES: Final = {TAB: _("Goes to the club’s tab"), "spot": _("Is settled on the spot")}

ROUNDED_TO: Final = _("Round this session’s payments to")

NOT_WHERE: Final = _("Say where what is open goes.")


class TabForm(LedgerForm):
    """Whether what is open in a session is carried to the club's tab, and to what coin payments are then rounded."""

    tab = forms.ChoiceField(
        choices=[(each, each) for each in CHOICES],
        error_messages={"required": NOT_WHERE, "invalid_choice": NOT_WHERE},
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        digits: int,
        initial: MutableMapping[str, Any] | None = None,
        more: Mapping[str, forms.Field] | None = None,
    ) -> None:
        """``digits`` are the currency's decimals, on which the coins depend; ``more`` are fields beyond these two."""
        choices = [("0", _("Not rounded")), *((str(coin), money(coin, digits)) for coin in coins(digits))]
        self._coins = dict(choices)
        wrong = {"invalid_choice": _("Choose one of these coins.")}
        coin = forms.ChoiceField(choices=choices, required=False, error_messages=wrong)
        super().__init__(data, initial=initial, digits=digits, more={**(more or {}), "coin": coin})

    def clean(self) -> None:
        """Adds an error if payments are to be rounded where nothing can carry what that leaves."""
        if self.cleaned_data.get("tab") not in (None, TAB) and self.cleaned_data.get("coin") not in (None, "", "0"):
            self.add_error("coin", _("Only the club’s tab can carry what rounding leaves. Choose it, or do not round."))

    def coin(self) -> int:
        """The coin in minor units, 0 for no rounding."""
        return int(self.cleaned_data["coin"] or 0)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.choose_tab`."""
        return {"on": self.cleaned_data["tab"] == TAB, "coin": self.coin()}


class CloseForm(TabForm):
    """Each stack as it lies there, filled in as the ledger has it, where what is open goes, and a note.

    A stack below nothing, as rules without a loss cap allow, is no chips that can be counted.
    """

    note = TextField()

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        table: Table,
        digits: int,
        coin: int = 0,
        typed: Mapping[str, str] | None = None,
    ) -> None:
        """With ``data`` None the form is only shown, with what was ``typed`` in place of what the ledger has.

        ``coin`` is what payments were rounded to when the session was closed before.
        """
        stacks = table.stacks
        here = [] if stacks is None else [chair.number for chair in table.chairs if stacks.get(chair.number, 0) >= 0]
        # A form that is sent again much later says what it said, even if players have left since. What was not sent was
        # not counted: the form was opened before this player sat there.
        sent = [seat for seat in table.names if _field(seat) in (data or {})]
        self.seats = {seat: table.name(seat) for seat in dict.fromkeys([*here, *sent])}
        fields: dict[str, forms.Field] = {
            _field(seat): AmountField(optional=data is not None and _field(seat) not in data) for seat in self.seats
        }
        self._digits = digits
        self._ledger = {_field(seat): typed_amount((stacks or {}).get(seat, 0), digits) for seat in self.seats}
        self._filled = self._ledger | {"tab": TAB, "coin": str(coin)}
        initial = self._filled | {name: text for name, text in (typed or {}).items() if name in self._filled}
        super().__init__(data, initial=initial, digits=digits, more=fields)

    def counts(self) -> dict[int, int]:
        """The stacks that were counted and could be read, by seat."""
        sent = self.cleaned_data if self.is_bound else {}
        return {seat: sent[_field(seat)] for seat in self.seats if sent.get(_field(seat)) is not None}

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.close_session`."""
        return {
            "note": self.cleaned_data["note"],
            "counts": self.counts(),
            "tab": self.cleaned_data["tab"] == TAB,
            "coin": self.coin(),
        }

    def stacks(self) -> Iterator[tuple[str, forms.BoundField]]:
        """Each player's name with the field of their stack."""
        return ((name, self[_field(seat)]) for seat, name in self.seats.items())

    @property
    def shown(self) -> str:
        """What the page is filled in with, which it carries along as ``was``. If something typed is wrong, it keeps its
        own.
        """
        return self.text("was") if self.status == UNPROCESSABLE else urlencode(self._filled)

    def _was(self) -> dict[str, str]:
        return dict(parse_qsl(self.text("was")))

    def brought_up_to_date(self, table: Table, coin: int) -> "CloseForm":
        """The form that came too late, for who is at the table now: as it would be filled in where its host touched
        nothing. ``coin`` is as the session has it now.

        What both have changed is named among the errors of this form. Pages of earlier releases did not say what they
        had been filled in with, so all of theirs counts as typed.
        """
        fresh = CloseForm(None, table=table, digits=self._digits, coin=coin)
        now = fresh._filled
        was = {"tab": now["tab"], "coin": now["coin"], **(self._was() or now)}
        typed = {name: text for name, text in self.data.items() if name in now}
        whole = rebased(typed, was, now, partial(same_amount, digits=self._digits))
        there = [labelled(name, now[_field(seat)]) for seat, name in fresh.seats.items() if _field(seat) in whole.both]
        there += [labelled(ROUNDED_TO, self._coins[now["coin"]])] if "coin" in whole.both else []
        for each in news(whole, there):
            self.add_error(None, each)
        rest = {name: text for name, text in self.data.items() if name not in self._filled}
        values = {name: whole.values[name] for name in now}
        form = CloseForm({**rest, **values}, table=table, digits=self._digits, coin=coin)
        form.full_clean()
        return form

    def typed_stacks(self, names: Mapping[int, str]) -> list[tuple[str, str]]:
        """The name of each of these seats with what was typed for its stack, if its page did not say that already."""
        was = self._was()
        typed = {name: self.text(_field(seat)) for seat, name in names.items()}
        shown = {name: was.get(_field(seat)) for seat, name in names.items()}
        return [(name, text) for name, text in typed.items() if text not in ("", shown[name])]

    def other_choices(self, session: Session) -> list[str]:
        """Where what is open goes, and the coin, if they were chosen and the session was closed with others."""
        where, coin, was = self.text("tab"), self.text("coin"), self._was()
        chosen = where in CHOICES and where != was.get("tab", TAB)
        said = [str(CHOICES[where])] if chosen and (where == TAB) != session.on_tab else []
        if where == TAB and coin in self._coins and coin not in (was.get("coin", "0"), str(session.coin)):
            said.append(labelled(ROUNDED_TO, self._coins[coin]))
        return said


def _field(seat: int) -> str:
    return f"stack-{seat}"
