"""Limits of a script's run, each with its unit and reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MIB = 1024 * 1024


def _limit(default: int, *, unit: str, reason: str) -> Any:
    return field(default=default, metadata={"unit": unit, "reason": reason})


@dataclass(frozen=True, slots=True, kw_only=True)
class LuaLimits:
    """What one call of a script may use. All are positive integers."""

    deadline_ms: int = _limit(
        1000,
        unit="milliseconds of one call",
        reason="the reference gives a script one second; real ones take below one millisecond",
    )
    heap_bytes: int = _limit(
        64 * MIB,
        unit="bytes of Lua heap of one runtime",
        reason="an API server stores at most 1.5 MiB an object, about 15 MiB as Lua tables",
    )
    source_bytes: int = _limit(
        64 * 1024,
        unit="bytes of one script",
        reason="compiling cannot be interrupted: the worst 64 KiB take 0.65 s; the largest "
        "script of the reference's bundle has 9.2 KiB",
    )
    depth: int = _limit(
        250,
        unit="nested tables of an argument or result",
        reason="JSON encoders stop at 254; real objects stay below 40",
    )
    result_nodes: int = _limit(
        500_000,
        unit="values of a result",
        reason="objects of 1.5 MiB hold below 200 000; encoding is out of the deadline's reach and "
        "takes 0.3 us a value",
    )
    compiled_scripts: int = _limit(
        512,
        unit="compiled scripts kept by one runtime",
        reason="a control plane has some hundred rules; a compiled one takes about 10 KiB",
    )
    worker_grace_ms: int = _limit(
        300,
        unit="milliseconds beyond the deadline until a worker process is killed",
        reason="a script that the deadline stops answers within the grace; only a process that "
        "hangs is killed",
    )


DEFAULT_LIMITS = LuaLimits()
