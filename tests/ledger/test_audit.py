"""The audit on rows in disorder, and the two commands; `test_audit_tampering.py` has what each check notices."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from scoring import ledger
from scoring.actions.chips import BuyIn
from scoring.actions.side_bet import SideBet
from scoring.ledger import audit
from scoring.ledger.audit.case import listed
from scoring.ledger.audit.record import numbered_events
from scoring.models import BoardResult, Deal, Event, PairResult, Revision, Seat, Session, Total, Transfer
from tests.ledger.conftest import PLAIN, STRONG, WEAK, act, entry, settle, start
from tests.ledger.tampering import unguarded, write


@pytest.fixture
def evening(session: Session) -> Session:
    """Two deals, one of them corrected, and a side bet, all on credit."""
    settle(session)
    settle(session, entry(s1=STRONG, s2=PLAIN, s3=WEAK))
    act(ledger.correct_deal, session, number=2, entry=entry(s1=PLAIN, s2=STRONG, s3=WEAK))
    act(SideBet, session, payer=1, payee=2, amount=500, note="Red")
    return session


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("n", "verb"), [(1, "rename"), (2, "start"), (5, "start")])
def test_only_the_first_event_opens_a_session(evening, n, verb):
    write("UPDATE scoring_event SET verb = %s WHERE n = %s", verb, n)
    assert list(numbered_events(audit.Case(evening))) == ["the session was not opened by its first event"]


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


# --- The guards ---------------------------------------------------------------------------------------


TRIGGERS = (
    "scoring_event_append_only",
    "scoring_revision_append_only",
    "scoring_board_append_only",
    "scoring_pairresult_append_only",
    "scoring_transfer_append_only",
    "scoring_tabpayment_append_only",
    "scoring_transfer_summed",
)


def stored_triggers(named: str) -> list[tuple[str, str, str]]:
    """Name, table and SQL of each trigger whose name begins so."""
    query = (
        "SELECT tgname, relname, pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger"
        " JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal"
        if connection.vendor == "postgresql"
        else "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return sorted(row for row in cursor.fetchall() if row[0].startswith(named))


def change(trigger: tuple[str, str, str], sql: str) -> None:
    name, table, _ = trigger
    on = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
        cursor.execute(sql)


@pytest.mark.usefixtures("corrupts", "evening")
@pytest.mark.parametrize("named", TRIGGERS)
def test_a_lost_trigger_is_noticed(named):
    found = stored_triggers(named)
    assert found
    for trigger in found:
        change(trigger, "SELECT 1")
    lost = [f"guards: the trigger {name} of {table} is missing" for name, table, _ in found]
    assert sorted(map(str, audit.of_everything())) == lost


def changed(sql: str, how: str) -> str:
    """The trigger's SQL so that it does nothing, or never, or when something else happens."""
    if how != "another event" and connection.vendor == "postgresql":
        return re.sub("EXECUTE.*", "EXECUTE FUNCTION empty()" if how == "empty" else r"WHEN (1 = 2) \g<0>", sql)
    if how != "another event":
        return re.sub("(?s)BEGIN.*", EMPTY, sql) if how == "empty" else re.sub(r"(WHEN\b.*\s)?BEGIN", NEVER, sql)
    event, other = next((event, other) for event, other in OTHER_EVENTS.items() if event in sql)
    return sql.replace(event, other, 1)


EMPTY, NEVER = "BEGIN SELECT 1; END", "WHEN 1 = 2 BEGIN"
EMPTY_FUNCTION = "CREATE FUNCTION empty() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$"
OTHER_EVENTS = {
    "DELETE OR UPDATE": "DELETE",
    "BEFORE TRUNCATE": "AFTER TRUNCATE",
    "BEFORE UPDATE": "BEFORE DELETE",
    "BEFORE DELETE": "AFTER DELETE",
    "INSERT ON": "UPDATE ON",
}


@pytest.mark.usefixtures("corrupts", "evening")
@pytest.mark.parametrize("named", TRIGGERS)
@pytest.mark.parametrize("how", ["empty", "never", "another event"])
def test_a_trigger_that_does_something_else_under_its_name_is_noticed(named, how):
    found = stored_triggers(named)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(EMPTY_FUNCTION)
    for name, table, sql in found:
        change((name, table, sql), changed(sql, how))
    otherwise = [f"guards: the trigger {name} of {table} does not do what it should" for name, table, _ in found]
    assert sorted(map(str, audit.of_everything())) == otherwise


# Ways past the guards that leave the triggers themselves as they are. Each takes one more function or trigger.
PAST_ON_POSTGRESQL = {
    "moved": """
        DROP TRIGGER scoring_transfer_append_only ON scoring_transfer;
        CREATE TRIGGER scoring_transfer_append_only BEFORE UPDATE OR DELETE ON scoring_draft
        FOR EACH ROW EXECUTE FUNCTION scoring_append_only()
    """,
    "allowed": "ALTER FUNCTION scoring_append_only() SET scoring.erasing = 'on'",
    "a rule": "CREATE RULE quiet AS ON INSERT TO scoring_dispute DO INSTEAD NOTHING",
    "disabled": "ALTER TABLE scoring_transfer DISABLE TRIGGER scoring_transfer_append_only",
    "for replicas": "ALTER TABLE scoring_transfer ENABLE REPLICA TRIGGER scoring_transfer_append_only",
    "one more": """
        CREATE FUNCTION allow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM set_config('scoring.erasing', 'on', true); RETURN OLD; END $$;
        CREATE TRIGGER aaa BEFORE DELETE ON scoring_transfer FOR EACH ROW EXECUTE FUNCTION allow()
    """,
}
PAST_ON_SQLITE = {
    "one more": """
        CREATE TRIGGER zz BEFORE DELETE ON scoring_transfer
        BEGIN INSERT OR IGNORE INTO scoring_erasing VALUES (1); END
    """,
}


PAST = PAST_ON_POSTGRESQL if connection.vendor == "postgresql" else PAST_ON_SQLITE


@pytest.mark.usefixtures("corrupts", "evening")
@pytest.mark.parametrize("sql", PAST.values(), ids=PAST)
def test_a_way_past_the_guards_is_noticed(sql):
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(sql)
    assert {finding.check for finding in audit.of_everything()} == {"guards"}


@pytest.mark.usefixtures("corrupts", "evening")
@pytest.mark.parametrize("table", ["scoring_session", "scoring_linesum", "scoring_dispute"])
def test_one_trigger_too_many_is_noticed_on_every_table(table):
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(EMPTY_FUNCTION)
            cursor.execute(f"CREATE TRIGGER zz BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION empty()")
        else:
            cursor.execute(f"CREATE TRIGGER zz BEFORE UPDATE ON {table} {EMPTY}")
    assert list(map(str, audit.of_everything())) == [f"guards: the trigger zz of {table} is not one of the ledger's"]


@pytest.mark.usefixtures("corrupts", "evening")
def test_a_permission_to_delete_that_was_left_open_is_noticed(transactional_db):
    with connection.cursor() as cursor:
        cursor.execute(
            "SET scoring.erasing = 'on'"
            if connection.vendor == "postgresql"
            else "INSERT INTO scoring_erasing VALUES (1)"
        )
    try:
        assert list(map(str, audit.of_everything())) == ["guards: the database lets rows of the ledger be deleted"]
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "RESET scoring.erasing" if connection.vendor == "postgresql" else "DELETE FROM scoring_erasing"
            )


@pytest.mark.usefixtures("corrupts")
def test_a_player_who_is_not_found_under_their_name_is_a_finding(evening):
    write("UPDATE scoring_player SET folded = 'annx' WHERE name = 'Ann'")
    status, said = run("audit_ledger")
    assert status == 1
    assert "readable_people: " in said
    assert "Ann is kept under the name annx" in said


@pytest.mark.usefixtures("corrupts")
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL takes no text that is not UTF-8")
@pytest.mark.parametrize(
    ("table", "column", "checks"),
    [
        ("scoring_session", "public_id", {"current"}),
        ("scoring_session", "name", {"current"}),
        ("scoring_event", "note", {"booked", "chained"}),
        ("scoring_event", "action", {"booked", "chained"}),
        ("scoring_revision", "document", {"scored", "chained"}),
        ("scoring_board", "front", {"scored", "chained"}),
        ("scoring_seat", "name", {"current"}),
        ("scoring_transfer", "kind", {"settled", "chained"}),
        ("scoring_player", "name", {"readable_people"}),
        ("scoring_player", "folded", {"readable_people"}),
    ],
)
def test_text_that_cannot_be_read_is_a_finding_and_the_other_session_is_audited(evening, table, column, checks):
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute(f"UPDATE {table} SET {column} = CAST(X'ff' AS TEXT) WHERE id = (SELECT MAX(id) FROM {table})")
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    other = start("Dan Eve")
    settle(other, entry(s1=STRONG, s2=PLAIN))
    write("UPDATE scoring_board SET royalties = 7 WHERE id = (SELECT MAX(id) FROM scoring_board)")
    status, said = run("audit_ledger")
    assert status == 1
    assert checks <= {line.partition(":")[0] for line in said.splitlines() if "Could not decode" in line}
    assert f"scored: {other.public_id}: deal 1: royalties of" in said


@pytest.mark.usefixtures("corrupts")
def test_a_finding_is_told_before_the_session_is_audited_to_its_end(evening, monkeypatch):
    write("UPDATE scoring_transfer SET amount = 501 WHERE kind = 'side-bet'")
    looked_at: list[audit.Case] = []

    def last_check(case: audit.Case) -> Iterator[str]:
        looked_at.append(case)
        return iter(())

    monkeypatch.setattr(audit, "CHECKS", (*audit.CHECKS, last_check))
    found = audit.of_session(evening.pk)
    assert str(next(found)).startswith("booked: ")
    assert looked_at == []
    assert list(found)
    assert len(looked_at) == 1


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([], "none"), ([7], "7"), ([1, 2, 3, 4, 6], "1-4, 6"), ([1, 3, 4], "1, 3-4"), ([2, 1], "2, 1"), ([1, 1], "1, 1")],
)
def test_numbers_are_listed_with_runs_shortened(numbers, said):
    assert listed(numbers) == said


def test_a_number_that_is_missing_is_listed_apart():
    assert listed([1, None, None, 2]) == "1, None, None, 2"


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
    assert (status, said) == (0, "30 checks over 1 sessions: no breaches\n")
    assert run("rescore", "--check") == (0, "2 deals: no differences\n")


@pytest.mark.usefixtures("corrupts")
def test_a_breach_is_named_and_told_by_the_status(evening):
    write("UPDATE scoring_transfer SET amount = 501 WHERE kind = 'side-bet'")
    other = start("Dan Eve")
    status, said = run("audit_ledger")
    assert status == 1
    assert said.startswith(f"booked: {evening.public_id}: event 5 (side-bet)")
    assert run("audit_ledger", other.public_id)[0] == 0
    with pytest.raises(CommandError, match=r"^There is no session nobody\. An address has it after /s/\.$"):
        run("audit_ledger", "nobody")


def test_a_check_after_one_that_crashed_reads_everything_anew(evening, monkeypatch):
    looked_at = []

    def crashes(case):
        looked_at.append((case, case.events))
        raise ValueError("odd")

    def looks(case):
        looked_at.append((case, case.events))
        yield from ()

    with monkeypatch.context() as patched:
        patched.setattr(audit, "CHECKS", (crashes, looks, looks))
        found = list(map(str, audit.of_session(evening.pk)))
    assert found == [f"crashes: {evening.public_id}: this cannot be checked, ValueError: odd"]
    (one, _), (two, events), (three, _) = looked_at
    assert one is not two
    assert two is three
    assert events == list(Event.objects.filter(session=evening).order_by("n"))


@pytest.mark.usefixtures("corrupts")
def test_a_finding_is_one_line_whatever_stands_in_the_row(evening):
    write("UPDATE scoring_session SET name = %s", "x\n30 checks over 1 sessions: no breaches\n\x1b[2J")
    status, said = run("audit_ledger")
    assert status == 1
    assert said.splitlines()[0] == (
        f"as_opened: {evening.public_id}: name is stored as x?30 checks over 1 sessions: no breaches??[2J, "
        "the events say "
    )
    assert len(said.splitlines()) == 2


@pytest.mark.usefixtures("corrupts")
def test_a_deal_that_the_engine_scores_otherwise_is_named(evening):
    write("UPDATE scoring_board SET royalties = 3 WHERE id = (SELECT MIN(id) FROM scoring_board)")
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
    "BooleanField": [True, False, 7],
}
"""What somebody may leave in a column, by its kind; every other kind gets numbers."""

COLUMNS = [
    (model, column)
    for model in (Session, Seat, Event, Deal, Revision, BoardResult, PairResult, Transfer, Total)
    for column in model._meta.concrete_fields
    if column.name not in {"id", "public_id"}
]


REFUSED = {
    "BoardResult.fantasyland_cards",
    "BoardResult.stack_after",
    "BoardResult.stack_before",
    "Event.undoes",
    "Seat.fantasyland_cards",
    "Seat.kind",
    "Session.coin",
    "Transfer.revision",
}
"""Columns whose constraints let none of these values in."""


@pytest.mark.usefixtures("corrupts")
@pytest.mark.parametrize(("model", "column"), COLUMNS, ids=lambda each: getattr(each, "__name__", None) or each.name)
def test_no_row_in_disorder_brings_the_audit_down(evening, model, column):
    """Every column of every table holds something odd in turn; the audit goes on to the next session and says so."""
    act(ledger.close_session, evening)
    start("Dan Eve")
    with unguarded(), connection.cursor() as cursor:
        stored = 0
        numbers: list[Any] = [-1, 7, 10**9, 2.5, "two"]
        if column.is_relation:  # a row that there is, but another one
            ids = column.related_model.objects.order_by("pk").values_list("pk", flat=True)
            numbers = [ids.first(), ids.last()]
        for odd in ODD.get(column.get_internal_type(), numbers):
            table = model._meta.db_table
            try:
                with transaction.atomic():
                    # One row is enough, and numbers must differ. It is the last, which the one before it does not hide.
                    cursor.execute(
                        f'UPDATE {table} SET "{column.column}" = %s WHERE id = (SELECT MAX(id) FROM {table})', [odd]
                    )
            except DatabaseError:
                continue  # the database itself refuses it
            stored += 1
            status, said = run("audit_ledger")
            assert said.splitlines()[-1].startswith("30 checks over 2 sessions: "), said
            assert status in {0, 1}
    assert stored or f"{model.__name__}.{column.name}" in REFUSED
