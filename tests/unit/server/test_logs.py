"""Log lines: JSON for machines, text for people, the request's id in both."""

from __future__ import annotations

import json
import logging
from typing import Any

from interpreter.errors import InvalidObject, PluginError
from interpreter.server.logs import REQUEST_ID, JsonFormatter, TextFormatter, log_unexpected


def record(message: str, **extra: Any) -> logging.LogRecord:
    made = logging.LogRecord("interpreter.x", logging.WARNING, "x.py", 1, message, (), None)
    for name, value in extra.items():
        setattr(made, name, value)
    return made


def test_a_json_line_has_what_is_known_and_nothing_else() -> None:
    token = REQUEST_ID.set("abc")
    try:
        line = json.loads(
            JsonFormatter().format(record("Prune OK", method="Prune", seconds=0.5, obj={"a": 1}))
        )
    finally:
        REQUEST_ID.reset(token)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": "interpreter.x",
        "message": "Prune OK",
        "request_id": "abc",
        "method": "Prune",
        "seconds": 0.5,
    }


def test_a_line_stays_one_line_and_is_cut() -> None:
    text = JsonFormatter().format(record("a\nb" + "x" * 100_000))
    assert "\n" not in text
    assert len(text) < 5_000


def test_a_text_line_shows_the_facts() -> None:
    text = TextFormatter().format(record("Prune INTERNAL", facts={"plugin": "web", "line": None}))
    assert text.endswith("WARNING interpreter.x: Prune INTERNAL plugin=web")


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def test_where_it_happened_is_logged_and_not_what_it_says(caplog: Any) -> None:
    with caplog.at_level(logging.INFO):
        log_unexpected(raised(ValueError("hunter2")), "Prune")
        log_unexpected(raised(PluginError("x"), raised(KeyError("hunter2"))), "Prune")
        log_unexpected(raised(InvalidObject("hunter2")), "Prune")
    assert [found.getMessage() for found in caplog.records] == [
        "Prune failed: ValueError",
        "Prune failed: KeyError",
    ]
    assert all("test_logs.py" in found.frames[0] for found in caplog.records)
    assert "hunter2" not in caplog.text


def test_what_it_says_is_there_for_debugging(caplog: Any) -> None:
    with caplog.at_level(logging.DEBUG):
        log_unexpected(raised(ValueError("hunter2")), "Prune")
    assert "hunter2" in caplog.text


def test_a_line_for_people_stays_one_line_that_commands_no_terminal() -> None:
    hostile = "it answered\n2026 ERROR forged\x1b[2J"
    text = TextFormatter().format(record(hostile, facts={"reason": "a\nb"}))
    assert text.endswith(r"it answered\n2026 ERROR forged\x1b[2J reason=a\nb")
