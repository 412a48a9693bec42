"""Wording of messages."""

from __future__ import annotations

import pytest

from interpreter.machinery.wording import listed, truncated


@pytest.mark.parametrize(
    ("names", "want"),
    [
        pytest.param([], "", id="no name"),
        pytest.param(["a", "b"], "a, b", id="as many as are shown"),
        pytest.param(["a", "b", "c", "d"], "a, b and 2 more", id="more than are shown"),
    ],
)
def test_a_list_of_names_says_how_many_it_leaves_out(names: list[str], want: str) -> None:
    assert listed(names, 2) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("four", "four", id="as long as may be"),
        pytest.param("fiver", "fiv…", id="one too long"),
    ],
)
def test_a_truncated_text_ends_in_an_ellipsis_within_its_length(text: str, want: str) -> None:
    assert truncated(text, 4) == want
