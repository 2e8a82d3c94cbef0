"""What pytest does differently in a mutation run (`make mutants`, docs/testing.md): a plugin, named in pyproject.toml.

mutmut forks a process for each mutant from one that has imported everything and has run nothing. Such a process gets a
copy of a database that is migrated already, and begins with the tests that are likeliest to notice soon.
"""

import functools
import gc
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from mutmut.state import state
from pytest_django import DjangoDbBlocker

# Few examples, and the same ones for every mutant. Hypothesis first reads the constants in all sources, which takes
# half a minute where each function has dozens of mutants. Tests that count for themselves read the environment.
hypothesis.settings.register_profile(
    "mutants",
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
for name, value in {"HYPOTHESIS_PROFILE": "mutants", "OFC_DOCUMENTS": "400", "OFC_BOARDS": "1"}.items():
    os.environ.setdefault(name, value)

PATIENCE = float(os.environ.get("PATIENCE", "10"))
"""Seconds of a processor; a mutant that its own tests and so much of others' have not killed counts as a survivor."""

# Both lie in mutants/, where the tests of mutants run.
MIGRATED, AT_IMPORT, FAILED = Path("migrated.sqlite3"), Path("at-import.txt"), Path("failed.txt")

CHOSEN = pytest.StashKey[dict[str, int]]()


def mutant() -> str:
    """The mutant that is active in this process; nothing while mutmut measures or checks the code as it is."""
    name = os.environ.get("MUTANT_UNDER_TEST", "")
    return name if "." in name else ""


def pytest_configure(config: pytest.Config) -> None:
    """Choose from the tests that call the mutant: those of its module, then the quick ones, of its room before others.

    The tests of its module are all chosen, and of the others as many as `PATIENCE` allows.

    mutmut names each test, and pytest does not find a test again whose name has colons in it, so it gets functions.
    """
    if not mutant() or "AFRESH" in os.environ:
        return
    gc.freeze()  # what was there before this process need not be looked through
    took: dict[str, float] = state().duration_by_test
    _, room, module, *_ = mutant().split(".")

    def is_own(test: str) -> bool:
        return f"/test_{module}" in test

    def cost(test: str) -> float:
        return took.get(test, 0) / (20 if is_own(test) else 4 if test.startswith(f"tests/{room}/") else 1)

    tests = sorted(config.args, key=cost)
    ends = itertools.accumulate(0 if is_own(test) else took.get(test, 0) for test in tests)
    chosen = [test for test, end in zip(tests, ends, strict=True) if end <= PATIENCE] or tests[:1]
    config.stash[CHOSEN] = {plain(test): place for place, test in enumerate(chosen)}
    config.args[:] = dict.fromkeys(test.partition("[")[0] for test in chosen)


def plain(test: str) -> str:
    """A test's name without backslashes, of which pytest adds more when it collects a test again in one process."""
    return test.replace("\\", "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = config.stash.get(CHOSEN, None)
    if chosen is not None:
        place = {item: chosen[plain(item.nodeid)] for item in items if plain(item.nodeid) in chosen}
        items[:] = sorted(place, key=place.__getitem__)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """mutmut says that a test of the code as it is has failed, and not which one."""
    if report.failed and not mutant():
        with FAILED.open("a") as file:
            file.write(f"{report.nodeid}\n{report.longreprtext}\n")


def pytest_runtest_setup() -> None:
    """While mutmut notes which test calls what, no test gets an answer that another one has asked for."""
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        for module in [module for name, module in sys.modules.items() if name.startswith("scoring.")]:
            for function in vars(module).values():
                if isinstance(function, functools._lru_cache_wrapper):
                    function.cache_clear()


def pytest_collection_finish() -> None:
    """What was called so far was called by an import, for which the process of a mutant comes too late."""
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        AT_IMPORT.write_text("\n".join(state()._stats))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """So if a mutant of such code has survived, a Python that starts afresh runs all of its room."""
    function = mutant().rpartition("__mutmut_")[0]
    if not function or exitstatus or "AFRESH" in os.environ or function not in AT_IMPORT.read_text().split():
        return
    options = [option for option in map(str, session.config.invocation_params.args) if "::" not in option]
    command = [sys.executable, "-m", "pytest", *options, "-m", "not slow", f"tests/{function.split('.')[1]}"]
    environment = {**os.environ, "AFRESH": "1", "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    session.exitstatus = int(done.returncode != 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test that computes for two seconds more than ten times its own time never ends: status 36, a timeout.

    Its own time is the processor's, with what goes before and after the test, which takes longer for many of ours. It
    replaces what mutmut has measured, of the test alone and by a clock, which goes on while others have the processor.
    """
    began = time.process_time()
    signal.signal(signal.SIGPROF, lambda *_: os._exit(36))
    signal.setitimer(signal.ITIMER_PROF, 2 + 10 * state().duration_by_test.get(item.nodeid, 1) if mutant() else 0)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if not mutant():
            state().duration_by_test[item.nodeid] = time.process_time() - began


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Generator[None]:
    """Migrate once, before there are mutants, and copy that for each. A mutant of a migration's code migrates."""
    with django_db_blocker.unblock():
        if mutant() and ".append_only." not in mutant():
            copy = Path(f"mutant-{os.getpid()}.sqlite3")
            shutil.copyfile(MIGRATED, copy)
            settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(copy.absolute())
            yield
            connection.close()
            copy.unlink()
        else:
            databases = setup_databases(verbosity=0, interactive=False)
            if not mutant():
                MIGRATED.unlink(missing_ok=True)
                with connection.cursor() as cursor:
                    cursor.execute("VACUUM INTO %s", [str(MIGRATED)])
            yield
            teardown_databases(databases, verbosity=0)
