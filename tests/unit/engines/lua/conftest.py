"""Shared by the tests of the Lua engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script

Run = Callable[..., Any]


@pytest.fixture(scope="session")
def engine() -> Iterator[LuaEngine]:
    made = LuaEngine()
    yield made
    made.close()


@pytest.fixture(scope="session", params=["thread", "process"])
def any_engine(request: pytest.FixtureRequest) -> Iterator[LuaEngine]:
    """An engine of each isolation: one suite for both."""
    made = LuaEngine(isolation=request.param)
    yield made
    made.close()


@pytest.fixture(scope="session")
def run(engine: LuaEngine) -> Run:
    """Runs ``function F(…)`` of a source on arguments; gives its first result."""

    def run_it(source: str, *arguments: Any) -> Any:
        results = engine.call(Script("demo/rule", source, "F"), arguments)
        return results[0] if results else None

    return run_it
