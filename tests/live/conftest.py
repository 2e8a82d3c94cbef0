"""Which of these tests need PostgreSQL."""

from django.conf import settings

# Several processes share PostgreSQL and nothing else, so on SQLite there is nothing to test.
# `make test-postgres` runs these, as `.ci/run` does before anything else.
collect_ignore = ["test_processes.py"] if settings.ON_SQLITE else []
