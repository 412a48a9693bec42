"""Tables that a pipe gets."""

from __future__ import annotations

import pytest

from interpreter.cli import printing


def test_a_cell_that_is_too_long_costs_its_own_line_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = "x" * 50_000
    rows = [("a", "ok", "fine"), (long, "bad", long), ("b", "ok", "fine")]
    printing.print_table(("NAME", "STATUS", "MESSAGE"), rows, flexible="MESSAGE")
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == f"{long}  bad     {long}"
    assert [line.split() for line in (lines[1], lines[3])] == [
        ["a", "ok", "fine"],
        ["b", "ok", "fine"],
    ]
    assert max(len(lines[1]), len(lines[3])) < 1000
