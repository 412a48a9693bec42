"""Group, version and kind: reading them from objects, and matching patterns."""

from __future__ import annotations

import types
from typing import Any

import pytest

from interpreter.errors import InvalidObject
from interpreter.machinery.gvk import GVK, from_api_version, group_matches, gvk_of


@pytest.mark.parametrize(
    ("api_version", "want"),
    [
        ("v1", GVK("", "v1", "Thing")),
        ("apps/v1", GVK("apps", "v1", "Thing")),
        ("stable.example.com/v2beta1", GVK("stable.example.com", "v2beta1", "Thing")),
    ],
)
def test_an_object_states_its_kind(api_version: str, want: GVK) -> None:
    assert gvk_of({"apiVersion": api_version, "kind": "Thing", "spec": None}) == want
    assert from_api_version(api_version, "Thing") == want
    assert want.api_version == api_version
    assert str(want) == f"{api_version}/Thing"


def test_a_mapping_that_is_no_dict_is_no_object() -> None:
    view = types.MappingProxyType({"apiVersion": "v1", "kind": "Pod"})
    with pytest.raises(InvalidObject, match="must be a dict"):
        gvk_of(view)


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        pytest.param({}, "apiVersion", id="nothing"),
        pytest.param({"apiVersion": "v1"}, "kind", id="no kind"),
        pytest.param({"kind": "Pod"}, "apiVersion", id="no version"),
        pytest.param({"apiVersion": None, "kind": "Pod"}, "apiVersion", id="null version"),
        pytest.param({"apiVersion": "v1", "kind": None}, "kind", id="null kind"),
        pytest.param({"apiVersion": "", "kind": "Pod"}, "apiVersion", id="empty version"),
        pytest.param({"apiVersion": "v1", "kind": ""}, "kind", id="empty kind"),
        pytest.param({"apiVersion": 1, "kind": "Pod"}, "apiVersion", id="version is a number"),
        pytest.param({"apiVersion": "v1", "kind": ["Pod"]}, "kind", id="kind is a list"),
        pytest.param({"apiVersion": "v1", "kind": True}, "kind", id="kind is a boolean"),
        pytest.param({"apiVersion": "a/b/c", "kind": "Pod"}, "apiVersion", id="two slashes"),
        pytest.param({"apiVersion": "/v1", "kind": "Pod"}, "apiVersion", id="empty group"),
        pytest.param({"apiVersion": "apps/", "kind": "Pod"}, "apiVersion", id="no version behind"),
        pytest.param(None, None, id="null"),
        pytest.param([], None, id="list"),
        pytest.param("v1/Pod", None, id="text"),
        pytest.param(7, None, id="number"),
    ],
)
def test_an_object_that_states_no_kind_is_an_error(obj: Any, path: str | None) -> None:
    with pytest.raises(InvalidObject) as caught:
        gvk_of(obj)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("v1/Pod", GVK("", "v1", "Pod")),
        ("apps/v1/Deployment", GVK("apps", "v1", "Deployment")),
        ("*.example.com/*/Tab", GVK("*.example.com", "*", "Tab")),
    ],
)
def test_a_text_is_read_as_a_kind_and_written_alike(text: str, want: GVK) -> None:
    assert GVK.parse(text) == want
    assert str(want) == text


@pytest.mark.parametrize("text", ["", "Pod", "/v1/Pod", "apps//Deployment", "a/b/c/d", "v1/"])
def test_another_text_is_no_kind(text: str) -> None:
    with pytest.raises(ValueError, match="is not group/version/Kind"):
        GVK.parse(text)


@pytest.mark.parametrize(
    ("pattern", "group", "want"),
    [
        ("apps", "apps", True),
        ("apps", "", False),
        ("", "", True),
        ("*", "", True),
        ("*", "apps", True),
        ("*.example.com", "stable.example.com", True),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "badexample.com", False),
        ("*.example.com", "stable.example.com.evil", False),
    ],
)
def test_a_group_matches_exactly_or_by_its_suffix(pattern: str, group: str, want: bool) -> None:
    assert group_matches(pattern, group) is want


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        (GVK("apps", "v1", "Deployment"), True),
        (GVK("*", "*", "*"), True),
        (GVK("*", "v1", "Deployment"), True),
        (GVK("apps", "*", "Deployment"), True),
        (GVK("apps", "v1", "*"), True),
        (GVK("apps", "v2", "Deployment"), False),
        (GVK("apps", "v1", "deployment"), False),
        (GVK("", "v1", "Deployment"), False),
    ],
    ids=str,
)
def test_a_pattern_covers_a_kind(pattern: GVK, want: bool) -> None:
    assert pattern.matches(GVK("apps", "v1", "Deployment")) is want


def test_a_pattern_is_known_by_its_stars() -> None:
    assert not GVK("apps", "v1", "Deployment").is_pattern
    for pattern in ("*/v1/A", "*.b.c/v1/A", "a/*/A", "a/v1/*"):
        assert GVK.parse(pattern).is_pattern


def test_the_most_specific_pattern_sorts_first_by_group_then_kind_then_version() -> None:
    ordered = [
        "*/*/*",
        "*/v1/*",
        "*/*/Tab",
        "*.com/v1/Tab",
        "*.example.com/*/*",
        "*.example.com/v1/Tab",
        "stable.example.com/*/*",
        "stable.example.com/v1/*",
        "stable.example.com/*/Tab",
        "stable.example.com/v1/Tab",
    ]
    patterns = [GVK.parse(text) for text in ordered]
    assert [str(pattern) for pattern in sorted(patterns, key=lambda p: p.generality)] == ordered[
        ::-1
    ]
