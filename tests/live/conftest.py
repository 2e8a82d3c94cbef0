"""Leaves out the tests that need PostgreSQL."""

from django.conf import settings

# Several processes share PostgreSQL and nothing else, so on SQLite there is nothing to test. `make test-postgres` and
# `.ci/run` run these.
collect_ignore = ["test_processes.py"] if settings.ON_SQLITE else []
