"""Transactions: each request reads from one snapshot of the database, and writers take turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Model

from ofcscore import data
from scoring.statements import Prepared


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything that this thread reads in this block comes from one snapshot, whatever others commit meanwhile.

    The snapshot begins with the first statement and ends with the block or where `writing` begins; the first statement
    after that begins another one. It is read-only: a statement that writes outside of `writing` raises `RuntimeError`.
    Nested blocks share the outer snapshot, and a block inside an open transaction reads what that transaction reads.
    """
    if _thread.active:
        yield
        return
    _thread.active, _thread.wrote, _thread.followed = True, False, []
    try:
        with connection.execute_wrapper(_read_in_snapshot):
            yield
    finally:
        _thread.active = False
        end_snapshot()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes. It ends the open snapshot and waits for other writers."""
    if not _thread.writing:
        end_snapshot()
        _thread.wrote = True
    _thread.writing += 1
    try:
        with one_writer(), transaction.atomic():
            yield
    finally:
        _thread.writing -= 1


class Gone(Exception):  # noqa: N818 - nobody's fault; HTTP calls it Gone
    """What a request is about has been deleted since the request found it."""


M = TypeVar("M", bound=Model)


def lock(model: type[M], pk: int, *, no_key: bool = False) -> M:
    """The row as it is once everybody else has let go of it, locked until the transaction ends.

    With ``no_key`` others may still add rows that point to it. Raises `Gone` if there is no such row any more.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A lock that is taken outside of a transaction holds nothing.")
    found: list[M] = _locking(model, no_key)(pk)
    if not found:
        raise Gone
    return found[0]


@cache
def _locking(model: type[M], no_key: bool) -> Prepared[M]:
    return Prepared(model, lambda pk: model._default_manager.select_for_update(no_key=no_key).filter(pk=pk))


def has_written() -> bool:
    """Whether the current `snapshot`, or the last one of this thread, was ended to write."""
    return _thread.wrote


def follow(row: Model) -> None:
    """Reload ``row`` whenever a new snapshot begins, so that it agrees with everything read from that snapshot.

    If it was deleted by then, the statement that begins the snapshot raises `Gone`, and the row is followed no more.
    """
    if _thread.active:
        _thread.followed.append(row)


def is_disk_full(error: BaseException) -> bool:
    """Whether a statement failed because the database has no room left on its disk, or a file could not be written.

    SQLite calls it so only where it writes rows, and otherwise an I/O error, as where it maps the index of its log.
    """
    found: BaseException | None = error
    while found is not None:  # what writes a workbook wraps the error
        if isinstance(found, OSError) and found.errno in data.FULL:
            return True
        found = found.__cause__ or found.__context__
    cause = error.__cause__
    name = getattr(cause, "sqlite_errorname", "")
    if name.startswith("SQLITE_IOERR"):
        try:
            data.refuse_full_disk(Path(connection.settings_dict["NAME"]).parent)
        except OSError as refusal:
            return refusal.errno in data.FULL
    return name == "SQLITE_FULL" or getattr(cause, "sqlstate", "") == "53100"


def is_lost(error: Exception) -> bool:
    """Whether the connection to PostgreSQL failed, and not a statement: the server is away, or was shut down.

    A connection that can be used says nothing: it may have been opened since.
    """
    state = getattr(error.__cause__, "sqlstate", None)
    lost = isinstance(error, OperationalError) and (state is None or state.startswith(("08", "57P")))
    return connection.vendor == "postgresql" and (lost or not connection.is_usable())


def one_writer() -> AbstractContextManager[object]:
    """On SQLite, admits one thread of this process at a time; on other databases it does nothing.

    SQLite has one writer anyway. Threads that wait on its busy handler starve each other for seconds, whereas threads
    that wait on a lock wait for milliseconds.
    """
    return _one_at_a_time if connection.vendor == "sqlite" else nullcontext()


_one_at_a_time = threading.RLock()


class _Thread(threading.local):
    """The state of one thread: ``atomic`` is the open snapshot's transaction, ``writing`` how many writes are open."""

    active: bool = False
    wrote: bool = False
    writing: int = 0
    atomic: transaction.Atomic | None = None

    def __init__(self) -> None:
        self.followed: list[Model] = []


_thread = _Thread()

_WRITES: Final = ("INSERT", "UPDATE", "DELETE")


def _read_in_snapshot(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Wraps each statement of this thread and begins the snapshot, so that pages need not do so."""
    if not _thread.writing and not sql.startswith("BEGIN"):
        if sql.lstrip().startswith(_WRITES):
            raise RuntimeError(f"A statement wrote outside of `writing`: {sql}")
        if not connection.in_atomic_block:
            _begin_snapshot()
    return execute(sql, params, many, context)


def _begin_snapshot() -> None:
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        from psycopg import IsolationLevel

        connection.connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.connection.read_only = True
    atomic = transaction.atomic()
    with _deferred():
        atomic.__enter__()
    _thread.atomic = atomic
    followed, _thread.followed = _thread.followed, []
    for row in followed:
        try:
            row.refresh_from_db()
        except ObjectDoesNotExist:
            raise Gone from None
    _thread.followed = followed


@contextmanager
def _deferred() -> Iterator[None]:
    """On SQLite, begins a transaction without the write lock that all others ask for (see the settings)."""
    if connection.vendor != "sqlite":
        yield
        return
    sqlite: Any = connection  # whose stubs do not know the attribute
    usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual


def end_snapshot() -> None:
    """End the open snapshot, if there is one. A lost connection is closed, since there is nothing to save."""
    atomic, _thread.atomic = _thread.atomic, None
    if atomic is None:
        return
    try:
        atomic.__exit__(None, None, None)
    except DatabaseError:
        connection.close()
    finally:
        if connection.vendor == "postgresql" and connection.connection is not None:
            connection.connection.isolation_level = connection.connection.read_only = None
