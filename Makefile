# Conveniences. Nothing needs them: README's commands work with a bare Python.
.PHONY: install test lint types layers bench proto ci

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

# The descriptor set says what the wire must keep: it is written when a version is released, not here.
proto:
	$(BIN)/python -m grpc_tools.protoc -Iinterpreter/rpc/v1=proto/interpreter/v1 \
	  --python_out=. --pyi_out=. --grpc_python_out=. interpreter/rpc/v1/interpreter.proto

ci:
	bash .ci/run
