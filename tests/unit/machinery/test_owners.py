"""Who owns whom, and in which order owners and owned are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.machinery.owners import owners_of, tree_order


def thing(name, *references, kind="Widget", group="example.com", namespace="shop", uid=None):
    metadata = {"name": name, "ownerReferences": list(references)}
    if namespace is not None:
        metadata["namespace"] = namespace
    if uid is not None:
        metadata["uid"] = uid
    return {"apiVersion": f"{group}/v1" if group else "v1", "kind": kind, "metadata": metadata}


def owned_by(name, *, uid=None, kind="Widget", group="example.com", version="v1", **more):
    api_version = f"{group}/{version}" if group else version
    reference = {"apiVersion": api_version, "kind": kind, "name": name, **more}
    return reference if uid is None else {**reference, "uid": uid}


TOP = thing("top", uid="1")


@pytest.mark.parametrize(
    ("objects", "owners"),
    [
        pytest.param([TOP, thing("a", owned_by("top", uid="1"))], [[], [0]], id="by uid"),
        pytest.param([thing("a", owned_by("top", uid="1")), TOP], [[1], []], id="in any order"),
        pytest.param([TOP, thing("a", owned_by("top"))], [[], [0]], id="a reference without uid"),
        pytest.param(
            [thing("top"), thing("a", owned_by("top", uid="1"))], [[], [0]], id="owner without uid"
        ),
        pytest.param(
            [TOP, thing("a", owned_by("top", uid="2"))], [[], []], id="an owner that was made again"
        ),
        pytest.param(
            [TOP, thing("a", owned_by("top", version="v2"))], [[], [0]], id="another version"
        ),
        pytest.param(
            [TOP, thing("a", owned_by("top", group="other.com"))], [[], []], id="another group"
        ),
        pytest.param(
            [TOP, thing("a", owned_by("top"), namespace="b")], [[], []], id="another namespace"
        ),
        pytest.param(
            [thing("top", namespace=None), thing("a", owned_by("top"))],
            [[], [0]],
            id="an owner of the whole cluster",
        ),
        pytest.param(
            [
                thing("n", kind="Node", group="", namespace=None),
                thing("a", owned_by("n", kind="Node", group="")),
            ],
            [[], [0]],
            id="the core group",
        ),
        pytest.param(
            [
                TOP,
                thing("second", uid="2"),
                thing("a", owned_by("top", uid="1"), owned_by("second", uid="2", controller=True)),
            ],
            [[], [], [1, 0]],
            id="the controller comes first",
        ),
        pytest.param(
            [TOP, thing("a", owned_by("top"), owned_by("top", uid="1"))], [[], [0]], id="once"
        ),
        pytest.param([thing("a", owned_by("a"))], [[]], id="nobody owns himself"),
        pytest.param([thing("a", owned_by("gone"))], [[]], id="an owner that is not here"),
        pytest.param([thing("a", {}, "x", None, {"kind": 1})], [[]], id="odd references"),
        pytest.param(
            [{"apiVersion": "v1", "kind": "A", "metadata": "odd"}, thing("a", owned_by("top"))],
            [[], []],
            id="odd metadata",
        ),
        pytest.param(
            [{"apiVersion": "v1", "kind": "A", "metadata": {"ownerReferences": 7}}], [[]], id="odd"
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_owners_are_found(objects, owners):
    assert owners_of(objects) == owners


def test_what_is_owned_stands_below_its_first_owner_in_the_order_given():
    # 0 and 4 are tops; 2 is owned by both; 3 is owned by 2.
    assert list(tree_order([[], [0], [0, 4], [2], []])) == [(0, 0), (1, 1), (2, 1), (3, 2), (4, 0)]


def test_a_circle_stands_at_the_top():
    assert list(tree_order([[1], [2], [0], [1]])) == [(0, 0), (2, 1), (1, 2), (3, 3)]


def test_a_chain_may_be_long():
    count = 5000
    chain = [[], *([number] for number in range(count - 1))]
    assert list(tree_order(chain)) == [(number, number) for number in range(count)]


@given(
    st.integers(0, 12).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, max(count - 1, 0)), max_size=3),
            min_size=count,
            max_size=count,
        )
    )
)
def test_everybody_is_shown_once_whoever_owns_whom(owners):
    shown = list(tree_order(owners))
    assert sorted(position for position, _depth in shown) == list(range(len(owners)))
    depths = [depth for _position, depth in shown]
    assert all(after <= before + 1 for before, after in zip([-1, *depths], depths, strict=False))


def test_many_objects_of_one_name_are_told_apart_in_no_time() -> None:
    # Each is compared with one other object, not with all of its name: that took hours.
    things = [
        thing("same", owned_by("same", uid=f"gone{number}"), uid=f"{number}")
        for number in range(50_000)
    ]
    assert not any(owners_of(things))
