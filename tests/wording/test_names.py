"""Names that the app gave are said in the reader's language; those that people gave stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils.translation import override, trans_real

from scoring.ledger.payments import changed
from scoring.rules.phrase import Account, Phrase
from scoring.wording.names import link_said, name_said
from scoring.wording.phrases import translated

GERMAN = {
    "account\x04Bank": "Die Bank",
    "account\x04House": "Das Haus",
    "Scorer": "Schreiber",
    "Scorer {number}": "Schreiber {number}",
}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    german: Any = trans_real.translation("de")
    with override("de"):
        for message, text in GERMAN.items():
            monkeypatch.setitem(german._catalog._catalogs[0], message, text)
        yield


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Scorer", "Schreiber"),
        ("Scorer 2", "Schreiber 2"),
        ("Scorer 12", "Schreiber 12"),
        ("Scorer 1", "Scorer 1"),
        ("Scorer of Ann", "Scorer of Ann"),
        ("Ann", "Ann"),
    ],
)
@pytest.mark.usefixtures("german")
def test_a_link_without_a_name_of_its_own(name: str, said: str) -> None:
    assert link_said(name) == said


@pytest.mark.usefixtures("german")
def test_the_accounts_of_the_ledger() -> None:
    assert [name_said(name) for name in ("Bank", "House", "Ann")] == ["Die Bank", "Das Haus", "Ann"]


def test_they_are_as_stored_in_english() -> None:
    assert [link_said(name) for name in ("Host", "Viewer 3")] == ["Host", "Viewer 3"]
    assert [name_said(name) for name in ("Bank", "House")] == ["Bank", "House"]


@pytest.mark.parametrize(
    ("payer", "payee", "said"),
    [("Bank", "Ann", "Die Bank schuldet Ann"), ("Ann", "House", "Ann schuldet dem Haus")],
)
def test_an_account_in_a_refusal(payer: str, payee: str, said: str) -> None:
    nothing = Phrase(
        "{payer} owes {payee} nothing any more. Nothing was recorded.", payer=Account(payer), payee=Account(payee)
    )
    with override("de"):
        assert translated(nothing) == f"{said} nichts mehr. Nichts wurde eingetragen."
        assert translated(changed(payer, payee)).startswith(f"{said} einen anderen Betrag als")


def test_what_only_looks_like_an_account_stays() -> None:
    with override("de"):
        assert translated(Phrase("{name} is already at the table.", name="House")).startswith("House ")
