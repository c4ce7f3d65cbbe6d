# The targets are the steps of CI: what passes here passes there.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help python install play tapes test snapshots bench cov docs docs-serve reference fmt lint types imports lock all

PYTHON ?= $(shell for python in python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
INSTALLED := .venv/.installed

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

python: ## check that a Python which can make .venv is there
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found: install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make .venv: install its venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }

install: $(INSTALLED) ## make .venv from the lock, when it is missing or out of date

$(INSTALLED): pyproject.toml requirements.lock
	@$(MAKE) --no-print-directory python
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

play: install ## play the scenarios
	$(BIN)/falai run scenarios

tapes: install ## record the tapes of scenarios/taped again, when the prompts have changed
	$(BIN)/python -m tests.tapes

test: install ## run the tests; ARGS="-k name" is handed to pytest
	$(BIN)/pytest -n auto $(ARGS)

snapshots: install ## take the pictures of the inspector anew, and the one of the README: look at them
	FALAI_SNAPSHOTS=take $(BIN)/pytest -q -n auto tests/tui/test_snapshots.py
	$(BIN)/python -m tests.tui.picture docs/inspector.svg

bench: ## measure falai beside its peers, in an environment of their own, and write docs/performance.md
	@$(MAKE) --no-print-directory python
	test -d benchmarks/.venv || $(PYTHON) -m venv benchmarks/.venv
	benchmarks/.venv/bin/pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt -e ".[run]"
	benchmarks/.venv/bin/python -m benchmarks $(ARGS)

cov: install ## run the tests and require the branch coverage that pyproject.toml asks for
	$(BIN)/pytest -n auto --cov $(ARGS)

docs: install ## build the site of docs/ into site/; a warning fails
	$(BIN)/zensical build --strict --clean

docs-serve: install ## show the site on http://localhost:8000 while you write
	$(BIN)/zensical serve

reference: install ## write docs/reference from the code
	$(BIN)/python -m tests.reference

fmt: install ## format the code and apply the linter's safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: install ## check lint rules and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## check types: strict in falai and simulator
	$(BIN)/basedpyright

imports: install ## check that the layers hold
	$(BIN)/lint-imports --no-logo

lock: install ## pin pyproject.toml's changes; ARGS=--upgrade takes the newest of everything
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra workbench --extra stores --group dev \
		--custom-compile-command "make lock" --no-emit-index-url --no-emit-find-links \
		--output-file requirements.lock $(ARGS) pyproject.toml

all: lint types imports play docs cov ## everything that CI runs
