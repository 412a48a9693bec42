"""Values that cross into Lua and back lose nothing."""

from __future__ import annotations

import copy
import math
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.api.operation import Operation
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InvalidObject, LuaScriptError

ENGINE = LuaEngine()

_KEYS = st.one_of(
    st.sampled_from(
        ["a", "spec", "a.b", "a:b", "1", "007", "", "é", "日本", "#", "a*b", "\\", '"q"', "x" * 70]
    ),
    st.text(max_size=6),
)
_NUMBERS = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.integers(-300, 70000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        [
            0,
            -0.0,
            2.0,
            2**53,
            2**53 + 1,
            2**53 + 2,
            -(2**53) - 1,
            2**63,
            1e300,
            5e-324,
            float(2**60),
        ]
    ),
)
_LEAVES = st.one_of(
    st.none(), st.booleans(), _NUMBERS, st.text(max_size=8), st.just([]), st.just({})
)
JSON = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(_KEYS, inner, max_size=5)),
    max_leaves=25,
)
OBJECTS = st.dictionaries(_KEYS, JSON, max_size=6)


def call(source: str, *arguments: Any, operation: Operation | None = None) -> Any:
    return ENGINE.call(Script("demo/rule", source, "F"), arguments, operation=operation)[0]


def exactly_equal(first: Any, second: Any) -> bool:
    """Equality that tells integers from floats, and 0.0 from -0.0."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            exactly_equal(first[k], second[k]) for k in first
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(exactly_equal, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return first == second and math.copysign(1, first) == math.copysign(1, second)
    return type(first) is type(second) and bool(first == second)


@settings(max_examples=400, deadline=None)
@given(OBJECTS)
def test_an_identity_script_gives_back_exactly_its_input(obj: dict[str, Any]) -> None:
    before = copy.deepcopy(obj)

    result = call("function F(observedObj) return observedObj end", obj)

    assert exactly_equal(result, before)
    assert exactly_equal(obj, before)


@settings(max_examples=200, deadline=None)
@given(OBJECTS, OBJECTS)
def test_a_script_that_retains_nothing_gives_back_the_desired_object(
    desired: dict[str, Any], observed: dict[str, Any]
) -> None:
    assert exactly_equal(call("function F(d, o) return d end", desired, observed), desired)
    assert exactly_equal(call("function F(d, o) return o end", desired, observed), observed)


@settings(max_examples=200, deadline=None)
@given(OBJECTS)
def test_values_beside_a_changed_one_come_back_as_they_went_in(obj: dict[str, Any]) -> None:
    obj["touched"] = 1

    result = call("function F(o) o.touched = 'yes' return o end", obj)

    assert exactly_equal(result, {**obj, "touched": "yes"})


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.lists(JSON, max_size=5), OBJECTS))
def test_a_moved_value_comes_back_as_it_went_in(value: Any) -> None:
    result = call("function F(o) return { elsewhere = { o.value } } end", {"value": value})

    assert exactly_equal(result, {"elsewhere": [value]})


@settings(max_examples=150, deadline=None)
@given(OBJECTS, st.lists(OBJECTS, max_size=4))
def test_statuses_of_members_come_back_as_they_went_in(
    obj: dict[str, Any], statuses: list[dict[str, Any]]
) -> None:
    items = [{"clusterName": f"m{i}", "status": status} for i, status in enumerate(statuses)]

    result = call("function F(o, items) o.all = items return o end", obj, items)

    assert exactly_equal(result, {**obj, "all": items})


@settings(max_examples=100, deadline=None)
@given(st.integers(2**53 + 1, 2**64 - 1))
def test_a_large_integer_survives_a_move_of_its_own(number: int) -> None:
    result = call(
        "function F(o) return { moved = o.n, list = { o.n, o.m } } end",
        {"n": number, "m": number - 1},
    )

    assert result == {"moved": number, "list": [number, number - 1]}


def test_a_shared_sub_object_counts_as_two_values() -> None:
    shared = [1, {"x": []}]

    assert call("function F(o) return o end", {"a": shared, "b": shared}) == {
        "a": shared,
        "b": shared,
    }


def test_nulls_in_a_list_come_back_while_the_script_leaves_the_list_alone() -> None:
    obj = {"l": [None, 1, None, {"x": None}], "n": [None, None]}

    assert call("function F(o) return o end", obj) == obj
    assert call("function F(o) o.l[1] = 5 return o.l end", obj) == [5, {"x": None}]
    assert call("function F(o) return #o.l + #o.n end", obj) == 2


def test_a_null_field_stays_unless_the_script_sets_its_key() -> None:
    obj = {"a": None, "b": None, "c": 1}

    assert call("function F(o) o.a = 2 return o end", obj) == {"a": 2, "b": None, "c": 1}
    assert (
        call("function F(o) local n = 0 for _ in pairs(o) do n = n + 1 end return n end", obj) == 1
    )


def test_an_empty_list_that_is_filled_becomes_what_it_is_filled_with() -> None:
    assert call("function F(o) o.l.x = 1 return o end", {"l": []}) == {"l": {"x": 1}}
    assert call("function F(o) o.m[1] = 1 return o end", {"m": {}}) == {"m": [1]}


def test_a_whole_float_keeps_its_spelling_in_place() -> None:
    result = call("function F(o) return o end", {"a": 2.0, "l": [3.0, 4]})

    assert exactly_equal(result, {"a": 2.0, "l": [3.0, 4]})


def test_tables_that_are_reached_twice_are_written_twice() -> None:
    assert call("function F() local t = { 1 } return { a = t, b = { t } } end") == {
        "a": [1],
        "b": [[1]],
    }


def test_at_most_two_results_are_given() -> None:
    script = Script("demo/rule", "function F() return 1, 2, 3 end", "F")

    assert ENGINE.call(script, []) == [1, 2]
    assert ENGINE.call(Script("demo/rule", "function F() end", "F"), []) == []
    assert ENGINE.call(
        Script("demo/rule", "function F(...) return ... end", "F"), [None, 5, 6]
    ) == [None, 5]


@pytest.mark.parametrize(
    ("body", "path", "text"),
    [
        ("local t = { a = {} } t.a.b = t return { x = t }", "x.a.b", "contains itself"),
        ("local t = {} t[1] = t return t", "[0]", "contains itself"),
        ("return { a = { b = 0/0 } }", "a.b", "NaN"),
        ("return { a = { 1, 1/0 } }", "a[1]", "infinite"),
        ("return { f = print }", "f", "function"),
        ("return { [1] = 1, [3] = 3 }", None, "list without gaps"),
        ("return { 1, 2, x = 3 }", None, "list without gaps"),
        ("return { a = { [true] = 1 } }", "a", "key that is no string"),
        ("return { s = 'bad\\255byte' }", "s", "UTF-8"),
        ("return { s = { k = { '\\255' } } }", "s.k[0]", "UTF-8"),
    ],
)
def test_what_json_cannot_hold_is_an_error_that_names_the_path(
    body: str, path: str | None, text: str
) -> None:
    with pytest.raises(LuaScriptError, match=text) as caught:
        call(f"function F()\n  {body}\nend")

    assert caught.value.path == path
    assert caught.value.line == 2
    assert "demo/rule:2" in str(caught.value)


def test_arithmetic_on_large_integers_is_an_error_and_never_a_rounding() -> None:
    with pytest.raises(LuaScriptError, match=r"beyond 2\^53") as caught:
        call("function F(o) return { sum = o.n * 2 } end", {"n": 2**60 + 1})

    assert caught.value.path == "sum"


def test_large_numbers_that_a_script_makes_are_written_in_full() -> None:
    assert call("function F() return { 2^53, -2^60, 1e20 } end") == [2**53, -(2**60), 1e20]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"spec": {"n": 2**64}}, "spec.n"),
        ({"spec": [1, {"n": -(2**63) - 1}]}, "spec[1].n"),
        ({"spec": {"when": object()}}, "spec.when"),
        ({"spec": {1: "x"}}, "spec"),
        ({"s": "\ud800"}, "s"),
        ({"b": b"bytes"}, "b"),
    ],
)
def test_arguments_that_are_no_json_are_errors_that_name_the_path(value: Any, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        call("function F(o) return o end", value)

    assert caught.value.path == path


def test_arguments_beyond_the_depth_limit_are_refused() -> None:
    deep: Any = {}
    for _ in range(260):
        deep = {"d": deep}
    cyclic: dict[str, Any] = {}
    cyclic["self"] = cyclic

    for value in (deep, cyclic):
        with pytest.raises(InvalidObject, match="nested too deeply"):
            call("function F(o) return o end", value)


def test_an_object_at_the_depth_limit_passes() -> None:
    deep: Any = 1
    for _ in range(250):
        deep = [deep]

    assert call("function F(o) return o end", deep) == deep


def test_the_order_of_large_integers_is_theirs_where_doubles_are_shared() -> None:
    source = (
        "function F(o) table.sort(o.list)\n"
        "  return { o.list, math.max(o.a, o.b) == o.a, o.a < o.b, o.low < o.lower } end"
    )
    numbers = [2**60, 2**60 + 2, 2**60 + 1, 2**60 + 3, -(2**60), -(2**60) - 1, 2**63, 5]
    values = {
        "list": numbers,
        "a": 2**60 + 1,
        "b": 2**60,
        "low": -(2**60),
        "lower": -(2**60) - 1,
    }

    found = call(source, values)

    assert found == [sorted(numbers), True, False, False]


def test_an_input_full_of_neighbouring_integers_comes_back_in_time() -> None:
    values = {"n": [2**62 + i for i in range(20_000)], "m": [-(2**62) - i for i in range(20_000)]}
    started = time.monotonic()

    assert call("function F(o) return o end", values) == values
    assert time.monotonic() - started < 1.5


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(2**53, 2**53 + 3000) | st.integers(-(2**63), 2**64 - 1), max_size=12),
    st.randoms(),
)
def test_large_integers_survive_any_shuffle(numbers: list[int], random: Any) -> None:
    order = list(range(1, len(numbers) + 1))
    random.shuffle(order)
    source = """function F(o)
  local r = {}
  for i, k in ipairs(o.order) do r[i] = o.n[k] end
  return { r = r }
end"""

    found = call(source, {"n": numbers, "order": order})

    assert found.get("r", []) == [numbers[k - 1] for k in order]
