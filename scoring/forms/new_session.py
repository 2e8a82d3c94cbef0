"""The form that starts a session: players, seats, stakes, rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring import club
from scoring.forms.amounts import CURRENCIES
from scoring.forms.base import LedgerForm
from scoring.forms.fields import AmountField, CashField, TextField, cut, for_cash
from scoring.forms.house_rules import HouseRulesForm, filled
from scoring.game.limits import CLUB_NAME_LENGTH, NAME_LENGTH
from scoring.game.text import fold, hides
from scoring.reads import Terms
from scoring.rules.houserules import PRESETS, resolve, same_rules
from scoring.texts import ngettext
from scoring.wording.figures import typed_amount
from scoring.wording.phrases import later as _
from scoring.wording.phrases import translated

MAX_SEATS = 8
FIRST_LINES = 3
DEFAULTS = {"stake": "1", "currency": "EUR", "rules": "regular", "cash": "no"}
SINGLE = "single"
"""The form's value for house rules that are chosen one by one."""

RulesByName = Mapping[str, Mapping[str, Any]]
"""The house rules that a club has saved, by name."""

PAIRS = list(combinations(range(1, MAX_SEATS + 1), 2))


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One line of the form. ``number`` is its place on the page."""

    number: int
    name: str
    button: bool
    errors: list[str]


@dataclass(frozen=True, slots=True)
class PairLine:
    """The stake of one pair of lines. With an empty ``value`` they play for the ``usual`` one, and without that for
    the common stake.
    """

    id: str
    first: str
    second: str
    value: str
    usual: str
    errors: list[str]


class NewSessionForm(LedgerForm):
    """The form as typed. Lines without a name are skipped: the named lines, in order, become seats 1, 2 and so on.

    The stake of a pair counts only if both of its lines are named.
    """

    code = TextField()
    club_name = TextField()

    def __init__(
        self,
        data: Mapping[str, str] | None,
        *,
        typed: Mapping[str, str] | None = None,
        saved: RulesByName,
    ) -> None:
        """``data`` is a submitted form. With ``data`` None the form is only shown, filled in from ``typed``.

        ``saved`` are the club's saved house rules by name, which may be chosen beside the presets. The choice of single
        rules can be made once their fields are in the form (`rearranged`).
        """
        known = _cut({**DEFAULTS, **((typed or {}) if data is None else data)})
        self.names = _names(known)
        self.button_line = _line(known.get("button"), len(self.names)) or len(self.names)
        self.pair_texts = {pair: known.get(_pair_field(pair), "").strip() for pair in PAIRS}
        self.saved = saved
        self.single = HouseRulesForm(known, PRESETS.get(known.get("preset", ""), PRESETS["regular"]))
        self.has_single = "preset" in known
        chosen = saved_name(known.get("rules", ""))
        gone = translated(club.rules_gone(chosen)) if chosen else ""
        self._named = [n for n, name in enumerate(self.names, start=1) if name]
        self._pairs = [(one, other) for one, other in PAIRS if one in self._named and other in self._named]
        fields: dict[str, forms.Field] = {
            "currency": _choice(CURRENCIES),
            "rules": _choice([*PRESETS, *map(saved_choice, self.saved), *([SINGLE] if self.has_single else [])], gone),
            "cash": CashField(),
            **{f"name-{n}": TextField() for n in range(1, len(self.names) + 1)},
        }
        if known["currency"] in CURRENCIES:  # without a currency nobody knows how many decimals an amount has
            fields |= {"stake": AmountField(), "buy_in": AmountField(optional=True)}
            fields |= {_pair_field(pair): AmountField(optional=True) for pair in self._pairs}
        self.currency_code = known["currency"]
        self.digits = CURRENCIES.get(self.currency_code, ("", 0))[1]
        super().__init__(None if data is None else known, initial=known, digits=self.digits, more=fields)

    def clean_club_name(self) -> str:
        """Refuse a name that the club could not keep."""
        name: str = self.cleaned_data["club_name"]
        if len(name) > CLUB_NAME_LENGTH:
            raise ValidationError(_too_long(CLUB_NAME_LENGTH))
        return name

    def clean(self) -> None:
        """Check what concerns several lines: repeated names, the number of players, and the place of the button.

        If single rules are chosen, they are checked as well. Their errors are in ``single``, with its fields.
        """
        if self.cleaned_data.get("rules") == SINGLE and not self.single.is_valid():
            self.add_error("rules", _("These rules cannot be played: see what is marked among them."))
        seen: dict[str, int] = {}
        for n in self._named:
            name = self.names[n - 1]
            if len(name) > NAME_LENGTH:
                self.add_error(f"name-{n}", _too_long(NAME_LENGTH))
            if hides(name):
                self.add_error(f"name-{n}", _("That name has characters we can’t show."))
            if fold(name) in seen:
                said = _("{name} is already in seat {seat}.").format(name=name, seat=seen[fold(name)])
                self.add_error(f"name-{n}", said)
            seen.setdefault(fold(name), n)
        if len(self._named) < 2:
            blank = next((n for n, name in enumerate(self.names, start=1) if not name), 1)
            self.add_error(f"name-{blank}", _("Enter at least two players."))
        if self._named and self.button_line > self._named[-1]:
            self.button_line = self._named[-1]  # the default, the last line, was set before anybody had typed a name
        if self.button_line not in self._named:
            self.add_error(f"name-{self.button_line}", _("This seat has the button but no player."))

    def arguments(self) -> dict[str, Any]:
        """The arguments of `ledger.start_session`, apart from the club."""
        seat = {line: number for number, line in enumerate(self._named, start=1)}
        sent = self.cleaned_data
        stakes = {(seat[one], seat[other]): sent[_pair_field((one, other))] for one, other in self._pairs}
        return {
            "names": [self.names[line - 1] for line in self._named],
            "button": seat[self.button_line],
            "stake": sent["stake"],
            "currency": sent["currency"],
            "minor_digits": CURRENCIES[sent["currency"]][1],
            "pair_stakes": [(*pair, stake) for pair, stake in stakes.items() if stake is not None],
            "rules": self._rules(sent["rules"]),
            "buy_in": sent["buy_in"] or 0,
            "cash": sent["cash"],
        }

    def left_blank(self) -> list[tuple[str, str]]:
        """The names of each two players for whom no stake was typed."""
        return [
            (self.names[one - 1], self.names[other - 1])
            for one, other in self._pairs
            if self.cleaned_data[_pair_field((one, other))] is None
        ]

    def _rules(self, chosen: str) -> object:
        """The chosen rules as the ledger takes them: a preset's name, or every choice."""
        if chosen == SINGLE and self.single.chosen:
            return self.single.chosen.as_document()
        return _offered(self.saved)[chosen]

    # --- What the template shows ------------------------------------------------------------------

    @property
    def seat_lines(self) -> list[SeatLine]:
        """The lines with their errors."""
        return [
            SeatLine(n, name, n == self.button_line, self.wrong(f"name-{n}"))
            for n, name in enumerate(self.names, start=1)
        ]

    def pair_lines(self, usual: Mapping[tuple[int, int], int]) -> list[PairLine]:
        """Every pair of named lines; while no line is named, every pair of lines. ``usual`` are the usual stakes of
        some, in minor units, by their lines.
        """
        lines = self._named or range(1, len(self.names) + 1)
        called = {n: self.names[n - 1] or _("Seat {number}").format(number=n) for n in lines}
        return [
            PairLine(
                field,
                called[one],
                called[other],
                self.pair_texts[one, other],
                typed_amount(usual[one, other], self.digits) if (one, other) in usual else "",
                self.wrong(field),
            )
            for one, other in combinations(lines, 2)
            for field in [_pair_field((one, other))]
        ]

    @property
    def stake_text(self) -> str:
        """The common stake as typed, even if it cannot be read because the currency is unknown."""
        return str(self.initial["stake"]).strip()

    @property
    def buy_in_text(self) -> str:
        """The amount for which everyone buys in, as typed."""
        return str(self.initial.get("buy_in", "")).strip()

    @property
    def has_room(self) -> bool:
        """Whether another seat can be added."""
        return len(self.names) < MAX_SEATS


def rearranged(sent: Mapping[str, str], saved: RulesByName) -> dict[str, str] | None:
    """The form after one of its small buttons: with one line more, with a line moved up, with its pairs listed anew, or
    with every single rule of what was chosen, to be changed.

    None if the large button was pressed, which starts the session.
    """
    if "single" in sent:
        chosen = sent.get("rules", "")
        return {**sent, **({} if chosen == SINGLE else _single(_offered(saved).get(chosen, DEFAULTS["rules"])))}
    names = _names(sent)
    button = _line(sent.get("button"), len(names)) or len(names)
    moved: dict[int, int] = {}
    if "more" in sent and len(names) < MAX_SEATS:
        names.append("")
    elif up := _line(sent.get("up"), len(names)):
        if up > 1:
            moved = {up - 1: up, up: up - 1}
            names[up - 2], names[up - 1] = names[up - 1], names[up - 2]
    elif "pairs" not in sent:
        return None
    pairs = {(moved.get(one, one), moved.get(other, other)): _pair_field((one, other)) for one, other in PAIRS}
    return {
        **sent,
        **{f"name-{n}": name for n, name in enumerate(names, start=1)},
        **{_pair_field((min(pair), max(pair))): sent.get(field, "") for pair, field in pairs.items()},
        "button": str(moved.get(button, button)),
    }


def as_last_time(terms: Terms, saved: RulesByName) -> dict[str, str]:
    """The form filled in with the terms of another session, as far as it has room for its players."""
    names = terms.names[:MAX_SEATS]
    stakes = {_pair_field((min(one, other), max(one, other))): stake for one, other, stake in terms.pair_stakes}
    rules = next((choice for choice, each in _offered(saved).items() if same_rules(each, terms.rules)), "")
    return {
        **{f"name-{n}": name for n, name in enumerate(names, start=1)},
        **{field: typed_amount(stake, terms.minor_digits) for field, stake in stakes.items()},
        "button": str(terms.button),
        "stake": typed_amount(terms.stake, terms.minor_digits),
        "currency": terms.currency,
        "buy_in": typed_amount(terms.buy_in, terms.minor_digits) if terms.buy_in else "",
        "cash": for_cash(terms.cash),
        **({"rules": rules} if rules else _single(terms.rules)),
    }


def _single(rules: object) -> dict[str, str]:
    """The form's fields for every single rule, as they are in these rules, and the choice of them."""
    chosen = resolve(rules)
    return {**filled(chosen), "preset": chosen.preset, "rules": SINGLE}


def _offered(saved: RulesByName) -> dict[str, object]:
    """The rules behind each choice but that of single ones, as the ledger takes them."""
    return {**{name: name for name in PRESETS}, **{saved_choice(name): rules for name, rules in saved.items()}}


def saved_choice(name: str) -> str:
    """The form's value for house rules that the club has saved. The prefix tells them from presets."""
    return f"{_SAVED}{name}"


_SAVED = "saved:"


def saved_name(choice: str) -> str:
    """The name of the saved house rules that are chosen, empty if others are."""
    return choice.removeprefix(_SAVED) if choice.startswith(_SAVED) else ""


def _too_long(most: int) -> str:
    said = ngettext("Names can be up to {count} character.", "Names can be up to {count} characters.", most)
    return said.format(count=most)


def _choice(values: Collection[str], unknown: str = "") -> forms.ChoiceField:
    """One of these values. ``unknown`` is said of another one."""
    wrong = _("Please choose one.")
    return forms.ChoiceField(
        choices=[(value, value) for value in values],
        error_messages={"required": wrong, "invalid_choice": unknown or wrong},
    )


def _cut(typed: Mapping[str, str]) -> dict[str, str]:
    """The form with texts that are short enough to be shown again."""
    return {field: cut(text.strip()) for field, text in typed.items()}


def _names(typed: Mapping[str, str]) -> list[str]:
    last = max((n for n in range(1, MAX_SEATS + 1) if f"name-{n}" in typed), default=FIRST_LINES)
    return [typed.get(f"name-{n}", "").strip() for n in range(1, last + 1)]


def _line(text: str | None, lines: int) -> int:
    """A line's number, 0 for anything else."""
    return int(text) if text and text in map(str, range(1, lines + 1)) else 0


def _pair_field(pair: tuple[int, int]) -> str:
    return f"pair-{pair[0]}-{pair[1]}"
