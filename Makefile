# `make run` serves the app, `make test` runs the tests of what people do with it; both work from a fresh clone.

PYTHON ?= python3
DATA_DIR ?= data
VENV := .venv
BIN := $(VENV)/bin
# One more than there are processors, since tests also wait for browsers, databases and other processes.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
# A test that hangs for ten minutes shows where, and takes only its own worker with it.
PYTEST = $(BIN)/pytest -n $(WORKERS) -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

export DATA_DIR

# Where this is set, each of the many processes of a run would compile every module anew, and the tests' asserts with it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test slow looks fast again test-postgres soak attack mutants check bench load lighthouse pictures screenshots lock format clean

help:
	@echo 'make run            serve this machine and the local network on port 8000, or PORT=...'
	@echo 'make fast           run the tests that are quick and need no browser'
	@echo 'make test           run those, and those in browsers'
	@echo 'make slow           run the tests that start servers, back up, upgrade and attack, or try for long'
	@echo 'make looks          look at pages in every language, size and colour, with axe'
	@echo 'make again          run the tests in browsers ten times beside four busy processes, until one fails'
	@echo 'make test-postgres  run the tests of what has a database on PostgreSQL: DATABASE_URL, or a temporary cluster'
	@echo 'make soak           run the attacks on the ledger at full size, on both databases'
	@echo 'make mutants        make small mistakes in the code one by one, and count which of them the tests notice'
	@echo 'make check          check style, types, layers, migrations and deployment settings'
	@echo 'make attack         attack a running server, ten times as hard as the tests do, on both databases'
	@echo 'make lock           write the hashes of pinned requirements into the requirement files'
	@echo 'make format         rewrite the code in the style that check requires'
	@echo 'make bench          run the benchmarks'
	@echo 'make load           play 500 tables on 1, 2 and 4 processes with PgBouncer and HAProxy, and check every hand'
	@echo 'make lighthouse     measure the main pages with Lighthouse; it fails below the marks'
	@echo 'make pictures       retake those of the README, from the demo'
	@echo 'make screenshots    retake the pictures under docs; look at each before you keep it'
	@echo 'make clean          remove what the other targets made, but not the data'

run: $(VENV)/runtime $(DATA_DIR)/static/staticfiles.json
	@exec $(BIN)/python -m ofcscore.command serve

test: $(VENV)/development browser
	$(PYTEST) -m 'not slow and not looks'

slow: $(VENV)/development browser
	$(PYTEST) -m slow

looks: $(VENV)/development browser
	$(PYTEST) -m looks

fast: $(VENV)/development
	$(PYTEST) -m 'not browser and not slow'

# RUNS=3 runs them three times.
again: $(VENV)/development browser
	for run in $$(seq $${RUNS:-10}); do \
		echo "run $$run"; scripts/beside-busy-processes 4 $(PYTEST) -m 'browser and not looks' || exit; done

# What knows of no database, such as the rules, could say nothing new here.
test-postgres: $(VENV)/development
	scripts/with-postgres $(PYTEST) -m 'database and not browser'

SOAK = env EVENINGS=500 STEPS=60 LONG_EVENINGS=100 PHONES=20 OPERATIONS=2000 KILLS=200 BUSY_MINUTES=5 \
	CLUBS=25 CLUB_EVENINGS=20 $(BIN)/pytest -s tests/ledger/test_random_evenings.py tests/ledger/test_random_clubs.py \
	tests/ledger/test_races.py tests/ledger/test_pulled_plug.py tests/live/test_busy_evening.py

soak: $(VENV)/development
	$(SOAK)
	scripts/with-postgres $(SOAK)

ATTACK = env ATTACKS=10 $(BIN)/pytest tests/attacks

attack: $(VENV)/development
	$(ATTACK)
	scripts/with-postgres $(ATTACK)

# It goes on where it was interrupted, and tests again only what has changed. `make clean` makes it begin anew.
mutants: $(VENV)/mutants
	rm -f mutants/mutant-*.sqlite3
	env -u DATABASE_URL $(BIN)/mutmut run
	$(BIN)/python scripts/mutants

# An operator's settings, so that the deployment check sees what will be deployed.
PRODUCTION := HTTPS=1 ALLOWED_HOSTS=ofc.example.org SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(48))')

check: $(VENV)/development node_modules/.package-lock.json
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/known-holes
	$(BIN)/node node_modules/@biomejs/biome/bin/biome lint --error-on-warnings
	git ls-files -z 'templates/*.html' | xargs -0r $(BIN)/djade --target-version 5.2 --check
	$(PRODUCTION) $(BIN)/python manage.py makemessages --check
	$(PRODUCTION) DATABASE_URL=sqlite:///$(abspath $(VENV))/empty.sqlite3 $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(VENV)/development
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	git ls-files -z 'templates/*.html' | xargs -0r $(BIN)/djade --target-version 5.2

bench: $(VENV)/bench browser
	$(BIN)/python -m bench
	scripts/with-postgres $(BIN)/python -m bench.ledger
	scripts/with-postgres $(BIN)/python -m bench.long_work
	scripts/with-postgres $(BIN)/python -m bench.tab
	scripts/with-postgres $(BIN)/python -m bench.what_if
	scripts/with-postgres $(BIN)/python -m bench.statistics

LOAD = $(BIN)/python -m bench.load --tables 500 --processes 1,2,4 --rate 0.1 --factor 1.6 --seconds 20 --steps 12 --pause 5 \
	--accidents 60 --bare 50

# It takes a quarter of an hour. LOAD_OPTIONS are added, such as --tables 50; `--help` says which there are.
load: $(VENV)/development
	$(LOAD) --notify 3 $(LOAD_OPTIONS)
	$(LOAD) --redis $(LOAD_OPTIONS)

lighthouse: $(VENV)/development browser bench/lighthouse/node_modules/.package-lock.json
	$(BIN)/python -m bench.marks

SCREENSHOTS = PYTHONPATH=. DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python scripts/screenshots

screenshots: $(VENV)/development browser
	$(SCREENSHOTS)

pictures: $(VENV)/development browser
	$(SCREENSHOTS) --readme

clean:
	rm -rf $(VENV) node_modules bench/lighthouse/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache mutants test-results

# --- Prerequisites, made once, and again when their sources change ------------------------------

$(BIN)/python:
	@scripts/make-venv $(PYTHON) $(VENV)

lock: $(BIN)/python
	$(PIP_INSTALL) uv==0.13.9
	$(BIN)/python scripts/lock

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

$(VENV)/mutants: requirements-mutants.txt requirements-dev.txt requirements.txt $(BIN)/python
	$(PIP_INSTALL) -r $<
	@touch $@

node_modules/.package-lock.json: package-lock.json $(VENV)/development
	@$(BIN)/npm ci --loglevel=error
	@touch $@

bench/lighthouse/node_modules/.package-lock.json: bench/lighthouse/package-lock.json $(VENV)/development
	@$(BIN)/npm ci --prefix bench/lighthouse --loglevel=error
	@touch $@

$(DATA_DIR)/static/staticfiles.json: $(VENV)/runtime ofcscore/joining.py ofcscore/static_files.py $(shell find static -type f)
	@$(BIN)/python manage.py collectstatic --clear --no-input --verbosity 0
	@touch $@

.PHONY: browser
browser: $(VENV)/development
	@scripts/find-browser $(BIN)/playwright
