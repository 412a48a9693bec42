"""Logs of a server: one JSON object a line, with the id of the request; never an object's body."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from interpreter.errors import InterpreterError, PluginError
from interpreter.machinery.wording import visible

_LOGGER = logging.getLogger("interpreter.server")

#: Id of the request that this thread or task works on.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")

#: What a record may carry beside its message.
_FIELDS = ("protocol", "method", "code", "seconds", "facts", "frames")
#: Attribute of an error that is in the logs already.
_LOGGED = "_is_logged"
#: A message longer than this is cut: plugins log what they like.
_LONGEST = 4000


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage()[:_LONGEST],
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        for name in _FIELDS:
            if value := getattr(record, name, None):
                line[name] = value
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """A record as a line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        facts = {"request_id": REQUEST_ID.get(), **getattr(record, "facts", {})}
        shown = " ".join(f"{name}={value}" for name, value in facts.items() if value)
        return f"{super().format(record)} {visible(shown)}".rstrip()

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        """The message on one line: it may quote what a webhook or an object says."""
        record.message = visible(record.message)
        return super().formatMessage(record)


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a process logs.

    Attributes:
        level: ``debug``, ``info`` (each call), ``warning`` (calls that failed) or ``error``.
        form: How a line looks.
    """

    level: str = "warning"
    form: Literal["json", "text"] = "json"


def configure(options: LogOptions) -> None:
    """Sends the logs of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if options.form == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("interpreter").setLevel(options.level.upper())


def logged(error: Exception) -> Exception:
    """The error, which a worker process has logged: it is not logged again."""
    setattr(error, _LOGGED, True)
    return error


def log_unexpected(error: Exception, method: str) -> None:
    """Where it happened, always; what it says only for debugging: it may quote an object."""
    if getattr(error, _LOGGED, False):
        return
    if isinstance(error, PluginError) and error.__cause__ is None:
        # What is wrong about an answer is said in our words, which quote nothing.
        ours = error.message.startswith(f"plugin {error.plugin!r}")
        place = f"{error.path}: " if error.path else ""
        _LOGGER.error("%s failed: %s", method, f"{place}{error.message}" if ours else "PluginError")
        _LOGGER.debug("%s failed", method, exc_info=error)
        return
    cause = error.__cause__ or error
    if isinstance(error, InterpreterError) and error.__cause__ is None:
        return
    frames = traceback.extract_tb(cause.__traceback__)
    _LOGGER.error(
        "%s failed: %s",
        method,
        type(cause).__name__,
        extra={"frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]},
    )
    _LOGGER.debug("%s failed", method, exc_info=cause)
