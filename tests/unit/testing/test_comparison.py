import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.testing.comparison import (
    aligned,
    diff_lines,
    first_difference,
    project,
)


@pytest.mark.parametrize(
    ("want", "got", "text"),
    [
        ({"a": 1}, {"a": 2}, "a: want 1, got 2"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b[1]: want 2, got 3"),
        ({"a": 1}, {}, "a: want 1, got nothing"),
        ({"a": None}, {}, "a: want null, got nothing"),
        ({}, {"a": None}, "a: want nothing, got null"),
        ([1], [1, 2], "[1]: want nothing, got 2"),
        ({"a": "1"}, {"a": 1}, 'a: want "1", got 1'),
        ({"a": True}, {"a": 1}, "a: want true, got 1"),
        ({"a": []}, {"a": {}}, "a: want [], got {}"),
        ({"a": {"b": 1}}, {"a": [1, 2]}, "a: want an object of 1 field, got a list of 2 items"),
        (
            {"metadata": {"labels": {"app.kubernetes.io/name": "x"}}},
            {"metadata": {"labels": {"app.kubernetes.io/name": "y"}}},
            "metadata.labels['app.kubernetes.io/name']: want x, got \"y\"",
        ),
        (1, None, "want 1, got null"),
    ],
)
def test_the_first_difference_names_its_path_and_both_sides(want, got, text):
    assert str(first_difference(want, got)) == text


@pytest.mark.parametrize(
    ("want", "got"),
    [({"a": 1, "b": 2}, {"b": 2, "a": 1}), (1, 1.0), ([{"x": 2.0}], [{"x": 2}]), (None, None)],
)
def test_numbers_are_compared_by_value_and_objects_without_order(want, got):
    assert first_difference(want, got) is None


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(want=_json, got=_json)
def test_aligning_changes_no_value(want, got):
    assert first_difference(got, aligned(got, want)) is None
    assert first_difference(want, want) is None


def test_a_diff_shows_real_differences_only():
    want = {"kind": "W", "spec": {"b": 1, "a": 2.0}}
    got = {"spec": {"a": 2, "b": 5}, "kind": "W"}
    assert diff_lines(want, got) == [
        "--- want",
        "+++ got",
        "@@ -1,4 +1,4 @@",
        " kind: W",
        " spec:",
        "-  b: 1",
        "+  b: 5",
        "   a: 2.0",
    ]


def test_a_projection_keeps_what_the_patch_speaks_about():
    got = {"a": {"b": 1, "c": 2}, "d": [1, 2], "e": 5}
    assert project(got, {"a": {"b": 9}, "d": [], "x": 1}) == {"a": {"b": 1}, "d": [1, 2], "x": None}
