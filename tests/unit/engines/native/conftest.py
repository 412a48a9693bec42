"""How the handlers of native kinds are asked here: always with a look at their arguments."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from interpreter.api.context import HookContext
from interpreter.errors import InvalidObject
from interpreter.machinery import unstructured


def _scribble(value: Any) -> None:
    """Changes everything in an answer that can be changed."""
    if isinstance(value, dict):
        for item in value.values():
            _scribble(item)
        value["scribbled"] = True
    elif isinstance(value, (list, tuple)):
        for item in value:
            _scribble(item)
        if isinstance(value, list):
            value.append("scribbled")
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            _scribble(getattr(value, field.name))


@pytest.fixture
def ask() -> Callable[..., Any]:
    """Runs a handler and gives a copy of its answer.

    The arguments must be as before, also after the answer itself was torn apart.
    """

    def run(handler: Callable[..., Any] | None, *arguments: Any) -> Any:
        assert handler is not None
        before = copy.deepcopy(arguments)
        answer = handler(*arguments)
        assert repr(arguments) == repr(before), "the handler changed its input"
        result = copy.deepcopy(answer)
        _scribble(answer)
        assert repr(arguments) == repr(before), "the answer shares parts with the input"
        assert unstructured.map_or_empty({}, "absent") == {}, "the answer is a shared constant"
        return result

    return run


@pytest.fixture
def refused() -> Callable[..., InvalidObject]:
    """Runs a handler that must refuse its arguments, without changing them; gives the error."""

    def run(handler: Callable[..., Any] | None, *arguments: Any) -> InvalidObject:
        assert handler is not None
        before = repr(arguments)
        with pytest.raises(InvalidObject) as caught:
            handler(*arguments)
        assert repr(arguments) == before, "the handler changed its input"
        assert "\n" not in str(caught.value)
        return caught.value

    return run


@pytest.fixture
def noon() -> HookContext:
    """A context whose clock stands still."""
    return HookContext(clock=lambda: datetime(2026, 5, 4, 12, 0, 0, 987654, tzinfo=UTC))
