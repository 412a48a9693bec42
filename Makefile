# Conveniences. Nothing needs them: README's commands work with a bare Python.
.PHONY: install test lint types layers bench ci

VENV ?= .venv
BIN := $(VENV)/bin

install: $(BIN)/python
	$(BIN)/pip install -q -e '.[dev]'

$(BIN)/python:
	python3 -m venv $(VENV)

test:
	$(BIN)/python -m pytest

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

layers:
	$(BIN)/lint-imports

bench:
	@for bench in tests/perf/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

ci:
	bash .ci/run
