"""The forms that ask for other house rules, to settle by them what was played: on a session's page and the club's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from scoring import reads
from scoring.forms.house_rules import HouseRulesForm, as_query, filled
from scoring.forms.new_session import saved_choice
from scoring.models import Club
from scoring.request import Request
from scoring.rules.houserules import PRESETS, HouseRules, resolve
from scoring.wording.house_rules import CHART_NAMES, PRESET_NAMES, QUESTIONS
from scoring.wording.phrases import later as _

ASKED: Final = ("scoring", "royalty_payment", "row_order", "royalties")
"""The fields of the short form. All other choices are in the long one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an address asks for: the ``form`` as it fills it in, and the ``rules``.

    ``rules`` are None if it names none, or none that can be played. ``now`` are those to compare them with, and
    ``saved`` the club's own sets.
    """

    form: HouseRulesForm
    rules: HouseRules | None
    now: HouseRules
    saved: Mapping[str, HouseRules]

    def context(self, here: str, more: Mapping[str, str]) -> dict[str, Any]:
        """Context for the forms of the page at the address ``here``, which keeps ``more`` in its query."""
        sets = {
            **{choice.partition(":")[2]: rules for choice, rules in self.saved.items()},
            **{name: PRESETS[preset] for preset, name in PRESET_NAMES.items()},
        }
        return {
            "here": here,
            "form": self.form,
            "errors": [error for errors in self.form.errors.values() for error in errors],
            "short": self._short_form(),
            "kept": [each for each in as_query(self.rules or self.now).items() if each[0] not in ASKED],
            "rule_sets": [(name, f"{here}?{urlencode({**as_query(rules), **more})}") for name, rules in sets.items()],
        }

    def _short_form(self) -> list[tuple[str, str, Sequence[tuple[str, str, bool]]]]:
        """The questions of the short form: field, words, and each answer with its value and whether it is chosen."""
        form = self.form
        asked = {question.key: question for questions in QUESTIONS.values() for question in questions}
        found: list[tuple[str, str, Sequence[tuple[str, str, bool]]]] = []
        for key in ASKED:
            if key in asked:
                answers = {str(value): words for value, words in asked[key].answers.items()}
                label = asked[key].asks
            else:
                answers = {**CHART_NAMES, **({"own": _("Your own chart")} if form.own_chart else {})}
                label = _("Royalty chart")
            chosen = form.values[key]
            found.append((key, label, [(value, words, value == chosen) for value, words in answers.items()]))
        return found


def comparison(request: Request, of: Club, now: HouseRules) -> Comparison:
    """Read the rules out of the address. The sets that the club has saved are for hosts: their names are the club's."""
    kept = reads.saved_rules(of) if request.grant.runs else []
    saved = {saved_choice(each.name): resolve(each.rules) for each in kept}
    chosen = request.GET.get("preset", "")
    base = PRESETS.get(chosen) or saved.get(chosen) or now
    form = HouseRulesForm(request.GET, base)
    named = chosen in PRESETS or chosen in saved or request.GET.keys() & filled(base).keys()
    return Comparison(form, form.rules() if named else None, now, saved)
