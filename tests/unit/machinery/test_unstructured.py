"""Readers of plain JSON objects: tolerant ones, strict ones, copies and paths."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject, describe_value, guard_depth, join_path
from interpreter.machinery import unstructured as u

ABSENT = object()
WRONG = object()
KEY = "field"

VALUES: dict[str, Any] = {
    "absent": ABSENT,
    "null": None,
    "empty object": {},
    "object": {"a": 1},
    "empty list": [],
    "list": [{}, None],
    "empty text": "",
    "text": "3",
    "integer": 3,
    "zero": 0,
    "negative": -3,
    "whole float": 3.0,
    "fraction": 3.5,
    "nan": math.nan,
    "infinity": math.inf,
    "true": True,
    "false": False,
    "beyond 32 bits": 2**31,
    "below 32 bits": -(2**31) - 1,
    "beyond 64 bits": 2**63,
    "float beyond 64 bits": 1e300,
}
#: What a reader accepts, by value; everything else is an error at the field.
READERS: dict[Callable[..., Any], dict[str, Any]] = {
    u.read_map: {"absent": None, "null": None, "empty object": {}, "object": {"a": 1}},
    u.map_or_empty: {"absent": {}, "null": {}, "empty object": {}, "object": {"a": 1}},
    u.list_or_empty: {"absent": (), "null": (), "empty list": [], "list": [{}, None]},
    u.objects_at: {"absent": (), "null": (), "empty list": [], "list": [{}, None]},
    u.read_str: {"absent": "", "null": "", "empty text": "", "text": "3"},
    u.read_bool: {"absent": False, "null": False, "true": True, "false": False},
    u.read_int: {
        "absent": None,
        "null": None,
        "integer": 3,
        "zero": 0,
        "negative": -3,
        "whole float": 3,
    },
    u.read_count: {"absent": None, "null": None, "integer": 3, "zero": 0, "whole float": 3},
    u.strict_map: {"absent": None, "empty object": {}, "object": {"a": 1}},
    u.strict_list: {"absent": None, "empty list": [], "list": [{}, None]},
    u.strict_str: {"absent": None, "empty text": "", "text": "3"},
    u.strict_int: {
        "absent": None,
        "integer": 3,
        "zero": 0,
        "negative": -3,
        "beyond 32 bits": 2**31,
        "below 32 bits": -(2**31) - 1,
    },
    u.ensure_map: {"absent": {}, "empty object": {}, "object": {"a": 1}},
}


@pytest.mark.parametrize(
    ("reader", "name"),
    [
        pytest.param(reader, name, id=f"{reader.__name__} of {name}")
        for reader in READERS
        for name in VALUES
    ],
)
def test_a_reader_gives_the_value_or_an_error_at_the_field(
    reader: Callable[..., Any], name: str
) -> None:
    parent = {} if VALUES[name] is ABSENT else {KEY: VALUES[name]}
    want = READERS[reader].get(name, WRONG)
    if want is WRONG:
        with pytest.raises(InvalidObject) as caught:
            reader(parent, KEY)
        assert caught.value.path == KEY
        assert caught.value.value is VALUES[name]
        assert "\n" not in str(caught.value)
    else:
        found = reader(parent, KEY)
        assert found == want
        assert type(found) is type(want)


def test_an_integer_may_have_64_bits_where_the_field_has_them() -> None:
    for value in (2**31, -(2**63), 2**63 - 1, 2.0**40):
        assert u.read_int({KEY: value}, KEY, bits=64) == value
    for value in (2**63, -(2**63) - 1, 2.0**63, 1.5):
        with pytest.raises(InvalidObject):
            u.read_int({KEY: value}, KEY, bits=64)


def test_booleans_are_no_integers() -> None:
    assert not u.is_integer(True)
    assert not u.is_integer(1.0)
    assert u.is_integer(10**30)


def test_objects_in_a_list_are_checked_one_by_one() -> None:
    with pytest.raises(InvalidObject) as caught:
        u.objects_at({KEY: [{}, None, "x"]}, KEY)
    assert caught.value.path == "field[2]"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": "1", "b": None}, "field.b"),
        ({"a": 1}, "field.a"),
        ({"a": {}}, "field.a"),
        (None, "field"),
        ([], "field"),
    ],
)
def test_a_strict_map_of_strings_refuses_other_values(value: Any, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        u.strict_string_map({KEY: value}, KEY)
    assert caught.value.path == path


def test_a_strict_map_of_strings_is_handed_back_as_it_is() -> None:
    labels = {"a": "", "b.c/d": "e"}
    assert u.strict_string_map({KEY: labels}, KEY) is labels
    assert u.strict_string_map({}, KEY) is None


def test_a_missing_object_is_made_for_writing_only() -> None:
    parent: dict[str, Any] = {}
    made = u.ensure_map(parent, "a")
    made["b"] = 1
    assert parent == {"a": {"b": 1}}
    assert u.ensure_map(parent, "a") is made


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        ({}, {}),
        ({"a": None}, {}),
        ({"a": {}}, {}),
        ({"a": {"b": None}}, {}),
        ({"a": {"b": {"c": 1}}}, {"c": 1}),
    ],
)
def test_a_path_leads_to_an_object_or_to_an_empty_one(obj: Any, want: Any) -> None:
    assert u.map_at(obj, "a", "b") == want


@pytest.mark.parametrize(
    ("obj", "path"), [({"a": 1}, "a"), ({"a": {"b": []}}, "a.b"), ({"a": {"b": ""}}, "a.b")]
)
def test_a_path_through_something_else_is_an_error_at_that_step(obj: Any, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        u.map_at(obj, "a", "b")
    assert caught.value.path == path


def test_no_keys_are_the_object_itself() -> None:
    obj = {"a": 1}
    assert u.map_at(obj) is obj


@pytest.mark.parametrize("read", [u.name_of, u.namespace_of])
@pytest.mark.parametrize(
    "metadata", [ABSENT, None, {}, {"name": None, "namespace": None}, {"name": "", "namespace": ""}]
)
def test_an_absent_name_is_empty(read: Callable[..., str], metadata: Any) -> None:
    assert read({} if metadata is ABSENT else {"metadata": metadata}) == ""


def test_names_are_read_from_the_metadata() -> None:
    obj = {"metadata": {"name": "n", "namespace": "ns"}}
    assert (u.name_of(obj), u.namespace_of(obj)) == ("n", "ns")


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ("x", "metadata"),
        ([], "metadata"),
        ({"name": 1}, "metadata.name"),
        ({"name": {}}, "metadata.name"),
    ],
)
def test_a_name_of_another_type_is_an_error(metadata: Any, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        u.name_of({"metadata": metadata})
    assert caught.value.path == path


# --- Copies --------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def containers(value: Any) -> dict[int, Any]:
    """All objects and lists in a value, by identity."""
    found: dict[int, Any] = {}
    if isinstance(value, (dict, list)):
        found[id(value)] = value
        for item in value.values() if isinstance(value, dict) else value:
            found.update(containers(item))
    return found


@given(JSON)
def test_a_copy_is_equal_and_shares_nothing(value: Any) -> None:
    before = copy.deepcopy(value)
    copied = u.deep_copy(value)
    assert copied == before
    assert repr(copied) == repr(before)
    assert not containers(copied).keys() & containers(value).keys()
    assert value == before


def test_a_part_that_occurs_twice_becomes_two() -> None:
    part = {"a": []}
    copied = u.deep_copy([part, part])
    assert copied == [part, part]
    assert copied[0] is not copied[1]
    assert copied[0]["a"] is not copied[1]["a"]


def test_a_copy_keeps_the_order_of_fields_and_the_spelling_of_numbers() -> None:
    copied = u.deep_copy({"b": 2.0, "a": [2, 2**70], 1: True})
    assert repr(copied) == repr({"b": 2.0, "a": [2, 2**70], 1: True})


def test_a_value_that_contains_itself_is_an_error_and_no_crash() -> None:
    ring: list[Any] = []
    ring.append({"again": ring})
    with pytest.raises(InvalidObject, match="nested too deeply"):
        guard_depth(lambda: u.deep_copy(ring))


def test_fields_are_put_in_the_order_of_a_model_and_the_others_behind_them_sorted() -> None:
    value = {"z": 1, "b": [{"y": 1, "x": {"d": 2.0, "c": 1}}, {"y": 1, "x": 2}], "a": 0, "m": {}}
    model = {"m": {"n": 1}, "gone": 1, "z": {"no": "object"}, "b": [{"y": 0, "x": 5}]}
    before = repr(value)
    ordered = u.ordered_like(value, model)
    assert repr(ordered) == repr(
        {"m": {}, "z": 1, "b": [{"y": 1, "x": {"c": 1, "d": 2.0}}, {"x": 2, "y": 1}], "a": 0}
    )
    assert repr(value) == before


@given(JSON, JSON)
def test_putting_fields_in_order_changes_no_value_and_depends_on_no_order(
    value: Any, model: Any
) -> None:
    def reversed_fields(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: reversed_fields(part[key]) for key in reversed(part)}
        return [reversed_fields(item) for item in part] if isinstance(part, list) else part

    ordered = u.ordered_like(value, model)
    assert ordered == value
    assert repr(u.ordered_like(reversed_fields(value), model)) == repr(ordered)
    assert repr(u.ordered_like(reversed_fields(value), value)) == repr(value)
    assert not containers(ordered).keys() & containers(value).keys()


# --- Errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prefix", "rest", "want"),
    [
        ("spec", "replicas", "spec.replicas"),
        ("spec", "[0].name", "spec[0].name"),
        ("spec", None, "spec"),
        ("spec", "", "spec"),
        ("", "replicas", "replicas"),
    ],
)
def test_paths_are_joined_with_a_dot_but_for_indexes(
    prefix: str, rest: str | None, want: str
) -> None:
    assert join_path(prefix, rest) == want
    assert InvalidObject("x", path=rest).within(prefix).path == want


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (None, "null"),
        ({"a": 1, "b": 2}, "an object of 2 fields"),
        ([1], "a list of 1 items"),
        (True, "the boolean true"),
        ("a\nb", "the string 'a\\nb'"),
        ("x" * 100, f"the string '{'x' * 59}…'"),
        (7, "the number 7"),
        (0.5, "the number 0.5"),
        (math.nan, "the number nan"),
        pytest.param(2**20000, "the number of 20001 bits", id="huge"),
        (object(), "a Python object"),
    ],
)
def test_a_value_is_shown_short_and_on_one_line(value: Any, want: str) -> None:
    assert describe_value(value) == want


def test_a_list_of_strings_is_read_as_a_new_list() -> None:
    parent = {"names": ["a", "b"], "none": None}
    found = u.strings_at(parent, "names")
    assert found == ["a", "b"]
    assert found is not parent["names"]
    assert u.strings_at(parent, "none") == u.strings_at(parent, "gone") == []
    with pytest.raises(InvalidObject, match=r"spec\.names\[1\]: must be a string"):
        u.strings_at({"names": ["a", 1]}, "names", "spec")


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param({"metadata": {"name": "web"}}, {"name": "web"}, id="an object"),
        pytest.param({}, {}, id="absent"),
        pytest.param({"metadata": None}, {}, id="null"),
        pytest.param({"metadata": ["web"]}, {}, id="a list"),
    ],
)
def test_metadata_of_an_object_that_nobody_checked_can_always_be_read(
    obj: dict[str, Any], want: dict[str, Any]
) -> None:
    assert u.metadata_of(obj) == want
