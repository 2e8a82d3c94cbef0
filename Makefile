# `make run` serves the app, `make test` runs every test; both work from a fresh clone.

PYTHON ?= python3
DATA_DIR ?= data
VENV := .venv
BIN := $(VENV)/bin
# In processors, but at least two: tests wait for browsers and databases, too.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 2 ] && echo $$n || echo 2)
PYTEST = $(BIN)/pytest -n $(WORKERS)

export DATA_DIR

.PHONY: help run test fast test-postgres soak check bench screenshots format clean

help:
	@echo 'make run            serve on port 8000 (PORT=...) to this machine and the local network'
	@echo 'make test           every test'
	@echo 'make fast           the tests that need no browser and no patience'
	@echo 'make test-postgres  the tests without browser on PostgreSQL: DATABASE_URL, else a throw-away cluster'
	@echo 'make soak           the attacks on the ledger at full size, on both databases'
	@echo 'make check          style, types, layers, migrations, deployment settings'
	@echo 'make format         put the code into the style that check asks for'
	@echo 'make bench          the benchmarks'
	@echo 'make screenshots    the pictures under docs anew; look at them before you keep them'
	@echo 'make clean          remove what the others made, but not the data'

run: $(VENV)/runtime $(DATA_DIR)/static/staticfiles.json
	@$(BIN)/python manage.py migrate --verbosity 0
	@exec $(BIN)/python manage.py serve

test: $(VENV)/development browser
	$(PYTEST)

fast: $(VENV)/development
	$(PYTEST) -m 'not browser and not slow'

test-postgres: $(VENV)/development
	scripts/with-postgres $(PYTEST) -m 'not browser'

SOAK = env EVENINGS=500 STEPS=60 LONG_EVENINGS=100 PHONES=20 OPERATIONS=2000 KILLS=200 \
	$(BIN)/pytest -s tests/ledger/test_random_evenings.py tests/ledger/test_races.py tests/ledger/test_pulled_plug.py

soak: $(VENV)/development
	$(SOAK)
	scripts/with-postgres $(SOAK)

# What an operator would set, so that the deployment check looks at what will be deployed.
PRODUCTION := HTTPS=1 ALLOWED_HOSTS=ofc.example.org SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(48))')

check: $(VENV)/development node_modules/.package-lock.json
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/node node_modules/@biomejs/biome/bin/biome lint --error-on-warnings
	git ls-files -z 'templates/*.html' | xargs -0r $(BIN)/djade --target-version 5.2 --check
	$(PRODUCTION) DATABASE_URL=sqlite:// $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(VENV)/development
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	git ls-files -z 'templates/*.html' | xargs -0r $(BIN)/djade --target-version 5.2

bench: $(VENV)/bench browser
	$(BIN)/python -m bench
	scripts/with-postgres $(BIN)/python -m bench.ledger

screenshots: $(VENV)/development browser
	PYTHONPATH=. DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python scripts/screenshots

clean:
	rm -rf $(VENV) node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache test-results

# --- What the above need, made once and again when its source changes ---------------------------

$(BIN)/python:
	@scripts/make-venv $(PYTHON) $(VENV)

PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

$(VENV)/runtime: requirements.txt $(BIN)/python
	$(PIP_INSTALL) -r $<
	@touch $@

$(VENV)/development: requirements-dev.txt requirements.txt $(BIN)/python
	$(PIP_INSTALL) -r $<
	@touch $@ $(VENV)/runtime

$(VENV)/bench: requirements-bench.txt requirements-dev.txt requirements.txt $(BIN)/python
	$(PIP_INSTALL) -r $<
	@touch $@

node_modules/.package-lock.json: package-lock.json $(VENV)/development
	@$(BIN)/npm ci --loglevel=error
	@touch $@

$(DATA_DIR)/static/staticfiles.json: $(VENV)/runtime $(shell find static -type f)
	@$(BIN)/python manage.py collectstatic --clear --no-input --verbosity 0
	@touch $@

.PHONY: browser
browser: $(VENV)/development
	@scripts/find-browser $(BIN)/playwright
