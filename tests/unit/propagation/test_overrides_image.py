"""Names of images."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject
from interpreter.propagation.overrides_image import ImageName, override_image, parse_image

DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("redis", ImageName("", "redis")),
        ("team/redis:7", ImageName("", "team/redis", "7")),
        ("quay.io/team/redis", ImageName("quay.io", "team/redis")),
        ("localhost/redis", ImageName("localhost", "redis")),
        ("host:5000/redis", ImageName("host:5000", "redis")),
        ("[fd00::1]:5000/redis:7", ImageName("[fd00::1]:5000", "redis", "7")),
        (f"quay.io/redis@{DIGEST}", ImageName("quay.io", "redis", "", DIGEST)),
        pytest.param(f"redis:7@{DIGEST}", ImageName("", "redis", "7"), id="only the tag is kept"),
    ],
)
def test_a_name_is_taken_apart(text: str, parts: ImageName) -> None:
    assert parse_image(text) == parts


@pytest.mark.parametrize(
    "text",
    ["", "a b", "redis:", ":7", "a..b", "Redis", "redis@sha256:12", f"redis@{DIGEST.upper()}",
     "x/" * 128 + "x", "redis:" + "t" * 129],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_what_is_no_name_is_an_error(text: str) -> None:
    with pytest.raises(InvalidObject):
        parse_image(text)


_WORD = st.from_regex(r"[a-z0-9]{1,6}", fullmatch=True)
_NAMES = st.builds(
    ImageName,
    st.sampled_from(["", "quay.io", "localhost", "host:5000"]),
    st.lists(_WORD, min_size=1, max_size=3).map("/".join),
    st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,9}", fullmatch=True) | st.just(""),
    st.just(""),
)


@given(_NAMES)
def test_a_name_that_is_put_together_reads_back_the_same(name: ImageName) -> None:
    assert parse_image(str(name)) == name


@pytest.mark.parametrize(
    ("component", "operator", "value", "image"),
    [
        ("Registry", "replace", "mirror.io", "mirror.io/team/redis:7"),
        ("Registry", "add", "2", "quay.io2/team/redis:7"),
        ("Registry", "remove", "", "team/redis:7"),
        ("Repository", "replace", "redis", "quay.io/redis:7"),
        ("Repository", "add", "-debug", "quay.io/team/redis-debug:7"),
        ("Repository", "remove", "", "quay.io/:7"),
        ("Tag", "replace", "8", "quay.io/team/redis:8"),
        ("Tag", "replace", DIGEST, f"quay.io/team/redis@{DIGEST}"),
        ("Tag", "replace", "no tag", "quay.io/team/redis:7"),
        ("Tag", "add", "-alpine", "quay.io/team/redis:7-alpine"),
        ("Tag", "remove", "", "quay.io/team/redis"),
    ],
)
def test_one_part_is_changed(component: str, operator: str, value: str, image: str) -> None:
    overrider = {"component": component, "operator": operator, "value": value}
    assert override_image("quay.io/team/redis:7", overrider) == image


def test_removing_the_tag_removes_a_digest_where_there_is_no_tag() -> None:
    overrider = {"component": "Tag", "operator": "remove"}
    assert override_image(f"redis@{DIGEST}", overrider) == "redis"


@pytest.mark.parametrize(
    ("overrider", "path"),
    [
        ({"component": "Name", "operator": "add"}, "component"),
        ({"component": "Tag", "operator": "append"}, "operator"),
    ],
)
def test_an_unknown_component_or_operator_is_an_error(overrider: dict[str, str], path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        override_image("redis", overrider)
    assert caught.value.path == path
