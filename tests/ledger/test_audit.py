"""Corrupts the database once per check so that only that check fires; also tests the two commands."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.side_bet import SideBet
from scoring.ledger import append_only, audit
from scoring.models import BoardResult, Deal, Event, PairResult, Revision, Seat, Session, Total, Transfer
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle, start


@contextmanager
def unguarded() -> Iterator[None]:
    """Removes the triggers, as anyone with the database password could, and puts them back afterwards."""

    class Editor:
        connection = connection

    append_only.remove(apps, Editor)
    yield
    append_only.install(apps, Editor)


def write(sql: str, *values: Any) -> None:
    """Run raw SQL without the triggers, and assert that it changes exactly one row."""
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount == 1


@pytest.fixture
def evening(session: Session) -> Session:
    """Two deals, one of them corrected, and a side bet, all on credit."""
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.correct_deal, session, number=2, entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    return session


def line_of_another_session(session: Session) -> None:
    stranger = Seat.objects.get(session=start("Dan Eve"), number=1)
    bet = Transfer.objects.get(kind="side-bet")
    write("UPDATE scoring_transfer SET payer_id = %s WHERE id = %s", stranger.pk, bet.pk)


def total_that_is_no_sum(session: Session) -> None:
    act(ledger.close_session, session)
    total = Total.objects.get(player__name="Ann")
    Total.objects.filter(pk=total.pk).update(money=total.money + 1)


def total_of_an_open_session(session: Session) -> None:
    act(ledger.close_session, session)
    Session.objects.update(closed_at=None)


def royalty_that_nobody_earned(session: Session) -> None:
    write("UPDATE scoring_board SET royalties = 3 WHERE id = %s", BoardResult.objects.order_by("pk")[0].pk)


def bonus_that_nobody_won(session: Session) -> None:
    pair = PairResult.objects.filter(revision__deal__number=1).order_by("pk")[0]
    write("UPDATE scoring_pairresult SET bonus = 7 WHERE id = %s", pair.pk)


def line_that_is_no_pair(session: Session) -> None:
    line = Transfer.objects.filter(kind="deal").order_by("pk")[0]
    write("UPDATE scoring_transfer SET amount = amount + 1 WHERE id = %s", line.pk)


def line_at_another_deal(session: Session) -> None:
    line = Transfer.objects.filter(kind="deal", deal_number=1).order_by("pk")[0]
    write("UPDATE scoring_transfer SET deal_number = 2 WHERE id = %s", line.pk)


def side_bet_of_another_amount(session: Session) -> None:
    write("UPDATE scoring_transfer SET amount = 501 WHERE id = %s", Transfer.objects.get(kind="side-bet").pk)


def event_that_is_not_there(session: Session) -> None:
    Session.objects.update(version=session.version + 1)


def revision_that_does_not_count(session: Session) -> None:
    first = Revision.objects.get(deal__number=1)
    again = {each.attname: getattr(first, each.attname) for each in Revision._meta.concrete_fields}
    other = Event.objects.get(verb="side-bet")
    Revision.objects.create(**{**again, "id": None, "n": 2, "kind": "correct", "event_id": other.pk})


def reversal_of_what_counts(session: Session) -> None:
    line = Transfer.objects.get(kind="side-bet")
    Transfer.objects.create(
        session=session,
        event=line.event,
        deal_number=line.deal_number,
        payer=line.payee,
        payee=line.payer,
        amount=line.amount,
        kind=line.kind,
        reverses=line,
    )


def reversal_that_is_not_the_other_way(session: Session) -> None:
    line = Transfer.objects.filter(kind="deal", reverses__isnull=False).order_by("pk")[0]
    write("UPDATE scoring_transfer SET points = points + 1 WHERE id = %s", line.pk)


def card_that_was_not_there(session: Session) -> None:
    board = BoardResult.objects.filter(front="7s8d9c").order_by("pk")[0]
    write("UPDATE scoring_board SET front = '7s8d9h' WHERE id = %s", board.pk)


def deal_too_many(session: Session) -> None:
    Session.objects.update(deals=3)


def button_that_went_elsewhere(session: Session) -> None:
    write("UPDATE scoring_revision SET next_button = 3 WHERE id = %s", Revision.objects.get(deal__number=1).pk)


def entry_that_was_not_scored(session: Session) -> None:
    revision = Revision.objects.get(deal__number=1)
    changed = entry(s1=PLAIN, s2=STRONG, s3=WEAK).as_document()
    with unguarded():
        Revision.objects.filter(pk=revision.pk).update(entry=changed)


def button_of_the_next_hand(session: Session) -> None:
    Session.objects.update(button=session.button % 3 + 1)


CORRUPTIONS: list[tuple[str, Callable[[Session], None], str]] = [
    ("balanced and summed", line_of_another_session, r"line \d+ is between seats of another session"),
    ("frozen_totals", total_that_is_no_sum, r"the frozen totals of player \d+ are not the sums of the lines"),
    ("frozen_totals", total_of_an_open_session, "totals are frozen of a session that is open"),
    ("scored", royalty_that_nobody_earned, "deal 1: royalties of Bob is 3, the engine says 0"),
    ("scored", bonus_that_nobody_won, r"deal 1: bonus of \w+ and \w+ is 7, the engine says [03]"),
    ("settled and summed", line_that_is_no_pair, "deal 1: its lines are not its pairs"),
    ("settled", line_at_another_deal, "deal 1: a line of it is placed at another deal"),
    ("booked and summed", side_bet_of_another_amount, r"event 5 \(side-bet\): its lines are not what was asked for"),
    ("numbered_events", event_that_is_not_there, "events are numbered 1-5, the session's version is 6"),
    ("numbered_revisions", revision_that_does_not_count, "deal 1 has revisions 1-2, and number 1 counts"),
    ("reversed_once", reversal_of_what_counts, r"line \d+ counts and is reversed"),
    (
        "reversed_once and summed",
        reversal_that_is_not_the_other_way,
        r"line \d+ is not the other way of the line that it reverses",
    ),
    ("frozen_deals", card_that_was_not_there, "deal 1: its boards are not those of its document"),
    ("numbered_deals", deal_too_many, "deals are numbered 1-2, the session has 3"),
    ("follows", button_that_went_elsewhere, "deal 1: the button does not go where it says"),
    ("replayed", entry_that_was_not_scored, "deal 1: it was settled on something else than the table was"),
    ("current", button_of_the_next_hand, "button is stored as 3, the script comes to 2"),
]


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(
    ("check", "corrupt", "sentence"), CORRUPTIONS, ids=[corrupt.__name__ for _, corrupt, _ in CORRUPTIONS]
)
def test_this_check_and_only_it_fires(evening, check, corrupt, sentence):
    assert list(audit.of_everything()) == []
    corrupt(evening)
    found = list(audit.of_everything())
    assert {finding.check for finding in found} == set(check.split(" and ")), found
    assert found[0].session == evening.public_id
    assert re.fullmatch(sentence, found[0].message)
    assert str(found[0]) == f"{found[0].check}: {evening.public_id}: {found[0].message}"


def test_every_check_is_broken_by_one_of_these():
    broken = {name for checks, _, _ in CORRUPTIONS for name in checks.split(" and ")}
    assert broken == {check.__name__ for check in audit.CHECKS}


FURTHER = [
    (
        "DELETE FROM scoring_transfer WHERE id = (SELECT MAX(id) FROM scoring_transfer WHERE reverses_id IS NOT NULL)",
        r"line \d+ is superseded and not reversed",
    ),
    (
        "UPDATE scoring_pairresult SET stake = 7 WHERE id = (SELECT MAX(id) FROM scoring_pairresult)",
        r"deal 2: the stake of (Ann and Bob|Ann and Cat|Bob and Cat) is not that of its document",
    ),
    (
        "UPDATE scoring_revision SET button = 3 WHERE id = (SELECT MIN(id) FROM scoring_revision)",
        "deal 1: button or Fantasyland is not what followed",
    ),
    (
        "UPDATE scoring_board SET fantasyland_cards = 14 WHERE id = (SELECT MIN(id) FROM scoring_board)",
        "deal 1: button or Fantasyland is not what followed",
    ),
    (
        "UPDATE scoring_revision SET note = 'Why' WHERE id = (SELECT MIN(id) FROM scoring_revision)",
        "deal 1: it does not carry the note why button or Fantasyland was set",
    ),
]
"""What further checks notice too, so that nobody can say which one fires alone."""


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("n", "verb"), [(1, "rename"), (2, "start"), (5, "start")])
def test_only_the_first_event_opens_a_session(evening, n, verb):
    write("UPDATE scoring_event SET verb = %s WHERE n = %s", verb, n)
    assert list(audit.numbered_events(audit.Case(evening))) == ["the session was not opened by its first event"]


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("sql", "sentence"), FURTHER, ids=[sql[:60] for sql, _ in FURTHER])
def test_this_is_noticed(evening, sql, sentence):
    write(sql)
    assert any(re.fullmatch(sentence, finding.message) for finding in audit.of_everything())


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("UPDATE scoring_revision SET next_button = 3 WHERE id = %s", "deal 2: the button does not go where it says"),
        ("UPDATE scoring_revision SET button = 3 WHERE id = %s", "deal 2: button or Fantasyland is not what followed"),
        ('UPDATE scoring_board SET royalties = 7 WHERE revision_id = %s AND "order" = 1', "deal 2: royalties of"),
        (
            "UPDATE scoring_board SET front = 'AhAdKs' WHERE revision_id = %s AND \"order\" = 1",
            "deal 2: its boards are not those of its document",
        ),
    ],
)
def test_what_comes_after_a_void_hand_and_a_bet_is_looked_at_too(session, sql, sentence):
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    settle(session)
    act(ledger.void_deal, session, number=1)
    settle(session)
    write(sql, Revision.objects.get(deal__number=2).pk)
    assert any(finding.message.startswith(sentence) for finding in audit.of_everything())


@pytest.mark.usefixtures("corrupts")
def test_a_board_that_is_gone_is_noticed(evening):
    board = BoardResult.objects.filter(revision__deal__number=1).order_by("-pk")[0]
    write("DELETE FROM scoring_board WHERE id = %s", board.pk)
    assert "deal 1: it has not as many boards as players" in [finding.message for finding in audit.of_everything()]


@pytest.mark.usefixtures("corrupts")
def test_a_lost_trigger_is_noticed(evening):
    name, table = sorted(append_only.triggers(connection))[0]
    on = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert list(map(str, audit.of_everything())) == [f"guards: {table} has lost its trigger {name}"]


@pytest.mark.parametrize(
    ("numbers", "listed"),
    [([], "none"), ([7], "7"), ([1, 2, 3, 4, 6], "1-4, 6"), ([1, 3, 4], "1, 3-4"), ([2, 1], "2, 1"), ([1, 1], "1, 1")],
)
def test_numbers_are_listed_with_runs_shortened(numbers, listed):
    assert audit._listed(numbers) == listed


def test_a_number_that_is_missing_is_listed_apart():
    assert audit._listed([1, None, None, 2]) == "1, None, None, 2"


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("part", "check"), [("stack", "replayed"), ("fantasyland", "follows")])
def test_a_correction_that_did_not_carry_through_is_noticed(db, part, check):
    """A forgetful writer would leave this: deal 1 has changed, but deal 2 still rests on its old revision."""
    session = start(rules={"win_cap": "none"})
    if part == "stack":
        for seat in (1, 2, 3):
            act(BuyIn, session, seat=seat, amount=10**5)
    settle(session)
    settle(session)
    act(ledger.correct_deal, session, number=1, entry=entry(s1=STRONG, s2=PLAIN, s3=WEAK), note="Aces")
    Deal.objects.filter(number=2).update(revision=1)
    assert check in {finding.check for finding in audit.of_everything()}


# --- The commands -----------------------------------------------------------------------------------


def run(*command: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(*command, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_a_whole_ledger_passes(evening):
    status, said = run("audit_ledger")
    assert (status, said) == (0, "15 checks over 1 sessions: no breaches\n")
    assert run("rescore", "--check") == (0, "2 deals: no differences\n")


@pytest.mark.usefixtures("corrupts")
def test_a_breach_is_named_and_told_by_the_status(evening):
    side_bet_of_another_amount(evening)
    other = start("Dan Eve")
    status, said = run("audit_ledger")
    assert status == 1
    assert said.startswith(f"booked: {evening.public_id}: event 5 (side-bet)")
    assert run("audit_ledger", other.public_id)[0] == 0
    assert run("audit_ledger", "nobody")[0] == 1


@pytest.mark.usefixtures("corrupts")
def test_a_deal_that_the_engine_scores_otherwise_is_named(evening):
    royalty_that_nobody_earned(evening)
    status, said = run("rescore", "--check")
    assert status == 1
    assert f"{evening.public_id} deal 1: royalties of " in said
    assert run("rescore") == (0, said)


# --- Rows in disorder -------------------------------------------------------------------------------

ODD: dict[str, list[Any]] = {
    "JSONField": ["null", "[]", "{}", '"x"', "7", '{"boards": 3}', "no JSON at all"],
    "CharField": ["", "x", "￿" * 8],
    "TextField": ["x"],
    "DateTimeField": ["yesterday", None],
}
"""What somebody may leave in a column, by its kind; every other kind gets numbers."""

COLUMNS = [
    (model, column)
    for model in (Session, Seat, Event, Deal, Revision, BoardResult, PairResult, Transfer, Total)
    for column in model._meta.concrete_fields
    if column.name not in {"id", "public_id"}
]


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("model", "column"), COLUMNS, ids=lambda each: getattr(each, "__name__", None) or each.name)
def test_no_row_in_disorder_brings_the_audit_down(evening, model, column):
    """Every column of every table holds something odd in turn; the audit goes on to the next session and says so."""
    act(ledger.close_session, evening)
    start("Dan Eve")
    with unguarded(), connection.cursor() as cursor:
        numbers: list[Any] = [-1, 7, 10**9]
        if column.is_relation:  # a row that there is, but another one
            ids = column.related_model.objects.order_by("pk").values_list("pk", flat=True)
            numbers = [ids.first(), ids.last()]
        for odd in ODD.get(column.get_internal_type(), numbers):
            table = model._meta.db_table
            try:
                with transaction.atomic():
                    cursor.execute(f'UPDATE {table} SET "{column.column}" = %s', [odd])
            except DatabaseError:
                continue  # the database itself refuses it
            status, said = run("audit_ledger")
            assert said.splitlines()[-1].startswith("15 checks over 2 sessions: "), said
            assert status in {0, 1}
