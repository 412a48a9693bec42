"""Plaintext operations."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject
from interpreter.propagation.overrides_patch import apply_operation, value_at

DOCUMENT: dict[str, Any] = {
    "map": {"a": 1, "x/y": {"~": 2}, "null": None},
    "list": ["a", "b", "c"],
    "objects": [{"n": 1}, {"n": 2}],
}


def patched(operator: str, path: str, value: Any = None) -> Any:
    operation = {"operator": operator, "path": path, "value": value}
    return apply_operation(copy.deepcopy(DOCUMENT), operation, "path")


@pytest.mark.parametrize(
    ("operator", "path", "value", "at", "result"),
    [
        ("add", "/map/b", [1], "/map", {**DOCUMENT["map"], "b": [1]}),
        ("add", "/map/a", 2, "/map/a", 2),
        ("add", "/map/b", None, "/map/b", None),
        ("replace", "/map/x~1y/~0", 3, "/map/x~1y", {"~": 3}),
        ("replace", "/map/null", 3, "/map/null", 3),
        ("remove", "/map/a", "ignored", "/map", {"x/y": {"~": 2}, "null": None}),
        ("add", "/list/0", "z", "/list", ["z", "a", "b", "c"]),
        ("add", "/list/3", "z", "/list", ["a", "b", "c", "z"]),
        ("add", "/list/-", "z", "/list", ["a", "b", "c", "z"]),
        ("add", "/list/-1", "z", "/list", ["a", "b", "c", "z"]),
        ("add", "/list/-3", "z", "/list", ["a", "z", "b", "c"]),
        ("replace", "/list/-1", "z", "/list", ["a", "b", "z"]),
        ("remove", "/list/01", None, "/list", ["a", "c"]),
        ("add", "/objects/-1/m", 3, "/objects/1", {"n": 2, "m": 3}),
        ("replace", "", {"new": 1}, "", {"new": 1}),
    ],
)
def test_an_operation_changes_what_its_path_leads_to(
    operator: str, path: str, value: Any, at: str, result: Any
) -> None:
    assert value_at(patched(operator, path, value), at) == result


@pytest.mark.parametrize(
    ("operator", "path", "problem"),
    [
        ("add", "/no/b", "/no/b: there is nothing"),
        ("add", "/map/null/b", "/map/null/b: there is nothing"),
        ("add", "/map/a/b", "/map/a/b: there is nothing"),
        ("replace", "/map/b", "/map/b: there is nothing"),
        ("remove", "/map/b", "/map/b: there is nothing"),
        ("add", "/list/4", "/list/4: the index 4 is outside"),
        ("add", "/list/-5", "outside"),
        ("replace", "/list/-", "is no index"),
        ("remove", "/list/3", "outside"),
        ("remove", "/list/-4", "outside"),
        ("remove", "/list/x", "is no index"),
        ("remove", "", "whole object"),
        ("add", "map/b", "starts with a slash"),
        ("move", "/map/b", "add, replace or remove"),
    ],
)
def test_a_path_that_leads_nowhere_is_an_error(operator: str, path: str, problem: str) -> None:
    with pytest.raises(InvalidObject, match=problem):
        patched(operator, path)


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
_DOCUMENTS = st.dictionaries(
    st.text(max_size=4), st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3))
)


@given(_DOCUMENTS, st.text(max_size=5), _SCALARS)
def test_what_is_added_is_found_and_what_is_removed_is_gone(
    document: dict[str, Any], key: str, value: Any
) -> None:
    pointer = "/" + key.replace("~", "~0").replace("/", "~1")
    without = {name: item for name, item in document.items() if name != key}
    added = apply_operation(document, {"operator": "add", "path": pointer, "value": value}, "path")
    assert value_at(added, pointer) == value
    removed = apply_operation(added, {"operator": "remove", "path": pointer}, "path")
    assert removed == without


def test_the_value_of_an_operation_is_not_shared_with_the_object() -> None:
    value = {"deep": [1]}
    result = patched("add", "/map/b", value)
    result["map"]["b"]["deep"].append(2)
    assert value == {"deep": [1]}
