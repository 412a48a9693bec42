"""Timestamps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject
from interpreter.machinery.timestamps import format_time, parse_time


@given(st.integers(0, 2**37))
def test_a_moment_reads_back_to_the_second(seconds: int) -> None:
    moment = datetime.fromtimestamp(seconds + 0.25, UTC)
    assert parse_time(format_time(moment), "t") == moment.replace(microsecond=0)


def test_another_time_zone_is_written_in_utc() -> None:
    moment = parse_time("2024-05-01T10:00:00+02:00", "t")
    assert moment is not None
    assert format_time(moment) == "2024-05-01T08:00:00Z"


@pytest.mark.parametrize("absent", [None, ""])
def test_no_time_is_none(absent: str | None) -> None:
    assert parse_time(absent, "t") is None


@pytest.mark.parametrize("value", ["yesterday", "2024-05-01T08:00:00", 7, {}])
def test_anything_else_is_an_error_with_its_path(value: object) -> None:
    with pytest.raises(InvalidObject, match=r"metadata\.creationTimestamp: must be a time"):
        parse_time(value, "metadata.creationTimestamp")
