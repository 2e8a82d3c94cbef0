"""The form for stakes from the next hand on: the common stake, and those of single pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl, urlencode

from scoring.actions.terms import ChangeTerms
from scoring.forms.amounts import same_amount
from scoring.forms.base import ActionForm
from scoring.forms.fields import AmountField, TextField
from scoring.forms.late import news, rebased
from scoring.game.entry import pair
from scoring.game.table import Table
from scoring.request import UNPROCESSABLE
from scoring.wording.figures import labelled, listed, typed_amount
from scoring.wording.phrases import later as _


@dataclass(frozen=True, slots=True)
class PairField:
    """The stake of one pair as typed, empty for the common stake."""

    name: str
    called: str
    value: str
    wrong: list[str]


class StakesForm(ActionForm):
    """The stakes as the table has them, or as they were sent.

    The form leaves alone the stakes of pairs with a player who has left, because that player may come back.
    """

    ACTIONS = (ChangeTerms,)

    stake = AmountField()
    note = TextField()

    def __init__(self, data: Mapping[str, Any] | None, table: Table, digits: int) -> None:
        stakes = {_name(key): stake for key, stake in table.pair_stakes.items()} | {"stake": table.stake}
        initial = {name: typed_amount(stake, digits) for name, stake in stakes.items()}
        self.table, self._digits = table, digits
        self.pairs = {_name(key): key for key in (pair(a.number, b.number) for a, b in combinations(table.chairs, 2))}
        own = {name: AmountField(optional=True) for name in self.pairs}
        super().__init__(data, initial=initial, digits=digits, more=own)

    def action(self) -> ChangeTerms:
        """The action. A pair whose stake equals the common one has no stake of its own, unless it had it before.

        So it keeps what was agreed between the two when the common stake comes to equal it and moves on later.
        """
        sent, before = self.cleaned_data, self.table.pair_stakes
        own = {key: sent[name] for name, key in self.pairs.items()}
        stakes = {key: stake for key, stake in before.items() if key not in own}
        stakes |= {key: stake for key, stake in own.items() if stake not in (None, sent["stake"])}
        stakes |= {key: stake for key, stake in own.items() if stake is not None and stake == before.get(key)}
        pair_stakes = [(*key, stake) for key, stake in sorted(stakes.items())]
        return ChangeTerms(sent["stake"], pair_stakes)

    @property
    def shown(self) -> str:
        """The stakes that the page carries as ``was``: the table's, or what it had if something typed is wrong."""
        return self.text("was") if self.status == UNPROCESSABLE else urlencode(self._fields(self.initial))

    def brought_up_to_date(self, table: Table) -> "StakesForm":
        """The form that came too late, over the stakes of the ``table`` as they are now."""
        fresh = StakesForm(None, table, self._digits)
        now = fresh._fields(fresh.initial)
        was = fresh._fields(dict(parse_qsl(self.text("was"))))
        same = partial(same_amount, digits=self._digits)
        whole = rebased(fresh._fields(self.data), was if self.text("was") else now, now, same)
        form = StakesForm({**dict(self.data.items()), **whole.values}, table, self._digits)
        form.status = self.status
        called = {"stake": str(_("Stake per point"))} | {each.name: each.called for each in fresh.pair_fields}
        there = [labelled(label, now[name] or "–") for name, label in called.items() if name in whole.both]
        for each in (*self.non_field_errors(), *(news(whole, there) if self.text("was") else ())):
            form.add_error(None, str(each))
        return form

    def _fields(self, values: Mapping[str, str]) -> dict[str, str]:
        """The stakes among these, blank where a pair has none of its own."""
        return {name: values.get(name, "").strip() for name in ("stake", *self.pairs)}

    @property
    def pair_fields(self) -> list[PairField]:
        """Every pair at the table."""
        called = self.table.name
        return [
            PairField(name, listed([called(a), called(b)]), self[name].value(), self.wrong(name))
            for name, (a, b) in self.pairs.items()
        ]

    def unplaced(self, names: Mapping[int, str]) -> list[tuple[str, str]]:
        """What was changed for pairs that are not on the page any more, after their names; "–" is the common stake.

        ``names`` are everyone's.
        """
        was = dict(parse_qsl(self.text("was")))
        gone = [
            key for key in combinations(sorted(names), 2) if _name(key) not in self.pairs and _name(key) in self.data
        ]
        typed = {key: (self.text(_name(key)), was.get(_name(key), "")) for key in gone}
        return [
            (listed([names[seat] for seat in key]), text or "–")
            for key, (text, shown) in typed.items()
            if not same_amount(text, shown, digits=self._digits)
        ]


def _name(key: tuple[int, int]) -> str:
    return f"pair-{key[0]}-{key[1]}"
