"""Errors become statuses, and statuses the same errors."""

from __future__ import annotations

import inspect
from typing import Any

import grpc
import pytest

from interpreter import GVK, Operation, errors
from interpreter.errors import InterpreterError
from interpreter.rpc.status import (
    DETAILS_KEY,
    error_of,
    failure_of,
    failure_of_status,
    reason_of,
)

Code = grpc.StatusCode
FACTS: dict[str, Any] = {
    "gvk": GVK("apps", "v1", "Deployment"),
    "operation": Operation.RETAIN,
    "tier": "customization",
    "plugin": "web",
    "script": "web/retention",
    "line": 7,
    "path": "spec.replicas",
}
CLASSES = [
    (errors.InvalidObject, Code.INVALID_ARGUMENT),
    (errors.ConfigurationError, Code.INVALID_ARGUMENT),
    (errors.NoInterpreter, Code.UNIMPLEMENTED),
    (errors.LuaScriptError, Code.FAILED_PRECONDITION),
    (errors.InvalidCustomization, Code.FAILED_PRECONDITION),
    (errors.LuaTimeout, Code.DEADLINE_EXCEEDED),
    (errors.LuaMemoryExceeded, Code.RESOURCE_EXHAUSTED),
    (errors.WebhookError, Code.FAILED_PRECONDITION),
    (errors.EngineError, Code.INTERNAL),
    (errors.PluginError, Code.INTERNAL),
    (errors.InterpreterError, Code.INTERNAL),
    (errors.Conflict, Code.INTERNAL),
]


def over_the_wire(error: BaseException) -> InterpreterError:
    failure = failure_of(error)
    trailing = [("other", "x"), (DETAILS_KEY, failure.to_status().SerializeToString())]
    return error_of(failure_of_status(failure.code, failure.message, trailing))


@pytest.mark.parametrize(("kind", "code"), CLASSES)
def test_each_error_has_its_code(kind: type[InterpreterError], code: grpc.StatusCode) -> None:
    assert failure_of(kind("wrong")).code is code


@pytest.mark.parametrize("kind", [kind for kind, _code in CLASSES[:-1]])
def test_an_error_comes_back_with_its_facts(kind: type[InterpreterError]) -> None:
    found = over_the_wire(kind("wrong", **FACTS))
    assert type(found) is kind
    assert {name: getattr(found, name) for name in FACTS} == FACTS


@pytest.mark.parametrize(
    "kind", [kind for kind, _code in CLASSES if kind is not errors.WebhookError][:7]
)
def test_an_error_comes_back_with_its_text(kind: type[InterpreterError]) -> None:
    error = kind("must be a count", path="spec.replicas", value=-1, hint="0 or more")
    assert str(over_the_wire(error)) == str(error)


def test_every_class_of_the_tree_has_a_code() -> None:
    for _name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, InterpreterError):
            assert failure_of(kind("wrong")).code is not Code.OK


@pytest.mark.parametrize("kind", [errors.WebhookError, errors.EngineError])
def test_what_is_temporary_is_unavailable_and_stays_temporary(
    kind: type[InterpreterError],
) -> None:
    error = kind("gone")
    error.temporary = True
    assert failure_of(error).code is Code.UNAVAILABLE
    assert over_the_wire(error).temporary


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError("hunter2"), id="foreign"),
        pytest.param(errors.PluginError("raised ValueError: hunter2", plugin="x"), id="plugin"),
        pytest.param(errors.InterpreterError("hunter2"), id="unknown"),
    ],
)
def test_an_internal_error_does_not_tell_its_text(error: Exception) -> None:
    failure = failure_of(error)
    assert failure.code is Code.INTERNAL
    assert b"hunter2" not in failure.to_status().SerializeToString()


def test_metadata_stay_small_whatever_an_error_holds() -> None:
    # gRPC's limit for all metadata is 8 KiB; the text travels twice, once percent-encoded.
    error = errors.LuaScriptError(
        "\N{SNOWMAN}" * 100_000,
        plugin="p" * 10_000,
        script="s" * 10_000 + "/r",
        path="x." * 10_000,
        tier="customization",
    )
    failure = failure_of(error)
    encoded = len(failure.message.encode()) * 3 + len(failure.to_status().SerializeToString())
    assert encoded < 16 * 1024


def test_half_of_a_surrogate_pair_in_an_error_travels() -> None:
    error = over_the_wire(errors.InvalidObject("bad", path="a.\ud800"))
    assert error.path == "a.\\ud800"


@pytest.mark.parametrize(
    "details", [b"\xff\xff nonsense", "text", b""], ids=["nonsense", "text", "empty"]
)
def test_details_of_somebody_else_are_left_out(details: Any) -> None:
    found = error_of(failure_of_status(Code.NOT_FOUND, "no route", [(DETAILS_KEY, details)]))
    assert type(found) is errors.WebhookError
    assert str(found) == "NOT_FOUND: no route"
    assert not found.temporary


@pytest.mark.parametrize(
    ("code", "temporary"),
    [
        (Code.UNAVAILABLE, True),
        (Code.DEADLINE_EXCEEDED, True),
        (Code.PERMISSION_DENIED, False),
        (Code.UNIMPLEMENTED, False),
    ],
)
def test_a_failure_of_the_network_says_whether_to_try_again(
    code: grpc.StatusCode, temporary: bool
) -> None:
    assert error_of(failure_of_status(code, "x", ())).temporary is temporary


def test_reasons_are_the_names_of_classes() -> None:
    assert reason_of(errors.LuaMemoryExceeded) == "LUA_MEMORY_EXCEEDED"
