"""What ``explain`` tells about one operation of one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject


@dataclass(frozen=True, slots=True)
class Skipped:
    """An implementation that did not answer, and why."""

    tier: str
    plugin: str
    handler: str
    reason: str

    def to_dict(self) -> JsonObject:
        """All fields."""
        return {
            "tier": self.tier,
            "plugin": self.plugin,
            "handler": self.handler,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Who answered, what, and who did not.

    Attributes:
        gvk: Kind of the object.
        operation: The operation asked.
        answer: The result as JSON; None when nobody answered, when there was an error, or for "nothing to report".
        tier: Tier that answered or failed, None when nobody claims the operation.
        plugin: Name inside that tier.
        handler: Function or script that answered.
        generic: Whether the answer is a convention's, not a rule for this kind.
        skipped: Implementations that claim the kind but did not answer, in order.
        notes: Inputs that were assumed.
        error: The error, None when there was none.
        seconds: Wall time of the call.
        script: Lua script, where one answered or failed.
        line: Line in that script.
    """

    gvk: GVK
    operation: Operation
    answer: Any
    tier: str | None
    plugin: str | None
    handler: str | None
    generic: bool
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    error: InterpreterError | None
    seconds: float
    script: str | None = None
    line: int | None = None

    def to_dict(self) -> JsonObject:
        """JSON shape, for tables and files."""
        result: JsonObject = {
            "kind": str(self.gvk),
            "operation": self.operation.value,
            "answer": self.answer,
            "tier": self.tier,
            "plugin": self.plugin,
            "handler": self.handler,
            "generic": self.generic,
            "microseconds": round(self.seconds * 1e6, 1),
            "skipped": [entry.to_dict() for entry in self.skipped],
            "notes": list(self.notes),
        }
        if self.error is not None:
            result["error"] = {"type": type(self.error).__name__, "message": str(self.error)}
        for name, value in (("script", self.script), ("line", self.line)):
            if value is not None:
                result[name] = value
        return result
