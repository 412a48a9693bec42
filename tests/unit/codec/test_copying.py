"""Copies of objects equal their original, share nothing with it, and lose nothing."""

from __future__ import annotations

import collections
import datetime
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.codec.copying import copy_object

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def shares(left: Any, right: Any) -> bool:
    if not isinstance(left, (dict, list)):
        return False
    pairs = zip(left, right, strict=True)
    if isinstance(left, dict):
        pairs = zip(left.values(), right.values(), strict=True)
    return left is right or any(shares(a, b) for a, b in pairs)


def exactly(value: Any) -> Any:
    """A form in which 1, 1.0 and true differ, and NaN equals itself."""
    if isinstance(value, dict):
        return [(repr(key), exactly(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [exactly(item) for item in value]
    return (type(value), repr(value))


@given(st.dictionaries(st.text(), VALUES))
@settings(deadline=None)
def test_every_json_object_is_copied_exactly(obj: dict[str, Any]) -> None:
    copied = copy_object(obj)
    assert exactly(copied) == exactly(obj)
    assert not shares(obj, copied)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(math.nan, id="NaN"),
        pytest.param([None, math.inf], id="infinity beside a null"),
        pytest.param(2**64, id="integer of 65 bits"),
        pytest.param(2**64 - 1, id="unsigned integer"),
        pytest.param(-(2**63), id="smallest integer"),
        pytest.param(-0.0, id="negative zero"),
        pytest.param(5e-324, id="smallest float"),
        pytest.param("\ud800", id="half of a pair"),
        pytest.param({1: 2}, id="integer key"),
        pytest.param(datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC), id="time"),
    ],
)
def test_what_is_no_plain_json_survives(value: Any) -> None:
    obj = {"a": [value], "text": "null"}
    assert exactly(copy_object(obj)) == exactly(obj)


def test_a_subclass_stays_what_it_is() -> None:
    obj = {"a": collections.OrderedDict(b=[1])}
    copied = copy_object(obj)
    assert type(copied["a"]) is collections.OrderedDict
    assert copied["a"]["b"] is not obj["a"]["b"]


def test_a_shared_part_becomes_two() -> None:
    part: list[Any] = []
    copied = copy_object({"a": part, "b": part})
    assert copied["a"] is not copied["b"]
