"""JSON patches: small, exact, and applied without trust."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.codec import jsonpatch
from interpreter.codec.json import dumps, loads
from interpreter.errors import InvalidObject

_SCALARS = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "ä", 1.0])
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["", "a", "a/b", "~", "-", "0", "ä"]), inner)
    ),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(st.sampled_from(["spec", "status", "a/b"]), _VALUES)


@given(_OBJECTS, _OBJECTS)
def test_a_patch_turns_one_object_into_the_other(before: Any, after: Any) -> None:
    kept = dumps(before)
    patch = loads(dumps(jsonpatch.diff(before, after)))
    assert jsonpatch.identical(jsonpatch.apply(before, patch), after)
    assert dumps(before) == kept


@given(_OBJECTS)
def test_nothing_changed_is_an_empty_patch(value: Any) -> None:
    assert jsonpatch.diff(value, loads(dumps(value))) == []


@given(st.lists(_SCALARS, max_size=6), st.lists(_SCALARS, max_size=6))
def test_lists_become_each_other(before: list[Any], after: list[Any]) -> None:
    patch = jsonpatch.diff({"a": before}, {"a": after})
    assert jsonpatch.identical(jsonpatch.apply({"a": before}, patch), {"a": after})


_LONG = {"text": "a value so long that nobody repeats it for nothing" * 3}


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        pytest.param(
            {"spec": {"replicas": 1, "rest": _LONG}},
            {"spec": {"replicas": 3, "rest": _LONG}},
            [{"op": "replace", "path": "/spec/replicas", "value": 3}],
            id="one field",
        ),
        pytest.param(
            {"m": {"n": "x"}},
            {"m": {"n": "x"}, "status": {}},
            [{"op": "add", "path": "/status", "value": {}}],
            id="an empty object is a value",
        ),
        pytest.param(
            {"a": [_LONG, {"k": 1}, _LONG]},
            {"a": [_LONG, {"k": 0}, {"k": 1}, _LONG]},
            [{"op": "add", "path": "/a/1", "value": {"k": 0}}],
            id="an item put in between",
        ),
        pytest.param(
            {"a": [_LONG, {"k": 1}, {"k": 2}, {"k": 3}, {"k": 4}, _LONG]},
            {"a": [_LONG, {"k": 1}, {"k": 2}, {"k": 4}, _LONG]},
            [{"op": "remove", "path": "/a/3"}],
            id="an item taken out",
        ),
        pytest.param(
            {"a": {"x": 1, "y": 2, "z": 3}},
            {"a": {"u": 1, "v": 2, "w": 3}},
            [{"op": "replace", "path": "/a", "value": {"u": 1, "v": 2, "w": 3}}],
            id="everything changed",
        ),
        pytest.param(
            {"a/b": {"~c": 1}},
            {"a/b": {"~c": 2}},
            [{"op": "replace", "path": "/a~1b/~0c", "value": 2}],
            id="keys with slash and tilde",
        ),
        pytest.param(
            {"a": True, "b": 1},
            {"a": 1, "b": 1.0},
            [
                {"op": "replace", "path": "/a", "value": 1},
                {"op": "replace", "path": "/b", "value": 1.0},
            ],
            id="true, 1 and 1.0 are three values",
        ),
    ],
)
def test_a_patch_holds_what_changed(before: Any, after: Any, patch: Any) -> None:
    made = jsonpatch.diff(before, after)
    assert jsonpatch.identical(made, patch)


def test_long_lists_are_compared_in_bounded_time() -> None:
    before = {"a": [{"n": index} for index in range(3000)]}
    after = {"a": [{"n": -index} for index in range(1, 3002)]}
    patch = jsonpatch.diff(before, after)
    assert jsonpatch.apply(before, patch) == after


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        pytest.param({}, "a JSON patch is a list of operations", id="no list"),
        pytest.param([3], r"\[0\]: must be an object", id="no operation"),
        pytest.param([{"op": "remove", "path": "/b"}], r"\[0\]: operation 'remove'", id="absent"),
        pytest.param([{"op": "jump", "path": "/a"}], r"\[0\]: operation 'jump'", id="unknown"),
        pytest.param([{"path": "/a"}], r"\[0\]: operation None", id="without op"),
        pytest.param([{"op": "add", "path": "/b"}], r"\[0\]: operation 'add'", id="without value"),
        pytest.param(
            [{"op": "add", "path": 3, "value": 1}], r"\[0\]: operation 'add' of 3", id="odd path"
        ),
        pytest.param(
            [{"op": "copy", "path": "/b"}], r"\[0\]: operation 'copy'", id="copy from nowhere"
        ),
        pytest.param(
            [{"op": "add", "path": "/c", "value": 1}, {"op": "test", "path": "/c", "value": 2}],
            r"\[1\]: operation 'test'",
            id="a failed test",
        ),
        pytest.param(
            [{"op": "add", "path": "/l/7", "value": 1}], r"\[0\]: operation 'add'", id="beyond"
        ),
        pytest.param(
            [{"op": "add", "path": "/a/x", "value": 1}], r"\[0\]: operation 'add'", id="in a number"
        ),
        pytest.param([{"op": "add", "path": "b", "value": 1}], r"\[0\]: operation", id="no slash"),
    ],
)
def test_a_patch_that_does_not_fit_is_an_error_that_says_where(patch: Any, message: str) -> None:
    with pytest.raises(InvalidObject, match=message):
        jsonpatch.apply({"a": 1, "l": [1]}, patch)


def test_a_value_of_a_patch_may_be_edited_by_the_next_operation_and_the_patch_stays() -> None:
    patch = [
        {"op": "add", "path": "/b", "value": {}},
        {"op": "add", "path": "/b/c", "value": 1},
    ]
    assert jsonpatch.apply({"a": 1}, patch) == {"a": 1, "b": {"c": 1}}
    assert patch[0] == {"op": "add", "path": "/b", "value": {}}


def test_copies_that_double_the_object_end() -> None:
    patch = [{"op": "copy", "from": "", "path": f"/k{number}"} for number in range(60)]
    with pytest.raises(InvalidObject, match="copies more than"):
        jsonpatch.apply({"a": "x" * 1000}, patch)
