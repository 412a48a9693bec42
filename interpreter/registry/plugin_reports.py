"""What people see of a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from interpreter.machinery.unstructured import JsonObject
from interpreter.registry.plugin_contract import Contract
from interpreter.registry.plugin_sources import Source
from interpreter.registry.quarantine import Watch
from interpreter.registry.tiers import Implementation

Status = Literal["loaded", "not needed yet", "blocked", "failed", "quarantined"]


@dataclass(frozen=True, slots=True)
class PluginReport:
    """A plugin as ``interpret plugins`` lists it.

    Attributes:
        name: Its name.
        distribution: Distribution that brings it; empty for objects and files.
        version: Version of that distribution.
        path: Where it is on disk.
        value: Its object, as the entry point names it.
        kinds: Kinds, patterns included: what it claims, or what its metadata declares while it is
            not loaded; None where neither is known.
        hooks: Its hooks; empty while it is not loaded.
        priority: The largest priority of its claims.
        status: What has become of it.
        reason: Why, where it is blocked, failed or in quarantine.
        notes: What is odd about it, and what will not work for ever.
        failures: Calls that failed.
        trace: Traceback of what went wrong last.
    """

    name: str
    distribution: str
    version: str
    path: str
    value: str
    kinds: tuple[str, ...] | None
    hooks: tuple[str, ...]
    priority: int
    status: Status
    reason: str | None
    notes: tuple[str, ...]
    failures: int
    trace: str | None

    def to_dict(self) -> JsonObject:
        """All fields."""
        return {
            "name": self.name,
            "distribution": self.distribution or None,
            "version": self.version or None,
            "path": self.path or None,
            "object": self.value or None,
            "kinds": None if self.kinds is None else list(self.kinds),
            "hooks": list(self.hooks),
            "priority": self.priority,
            "status": self.status,
            "reason": self.reason,
            "notes": list(self.notes),
            "failures": self.failures,
            "traceback": self.trace,
        }


def report_of(
    source: Source,
    *,
    loaded: bool,
    contracts: Sequence[Contract],
    implementations: Sequence[Implementation],
    problem: str | None,
    trace: str | None,
    notes: tuple[str, ...],
    watch: Watch,
) -> PluginReport:
    """Puts together what is known of a plugin."""
    status, reason = _status(source, loaded, problem, watch)
    hooks = dict.fromkeys(
        hook.function.__name__ for contract in contracts for hook, _ in contract.hooks
    )
    if not contracts:
        hooks = dict.fromkeys(entry.handler.rpartition("/")[2] for entry in implementations)
    kinds: tuple[str, ...] | None = tuple(dict.fromkeys(str(one.gvk) for one in implementations))
    if not implementations:
        declared = source.claims
        kinds = None if declared is None else tuple(str(kind) for kind in declared)
    claims = [claim for contract in contracts for claim in contract.claims]
    return PluginReport(
        name=source.name,
        distribution=source.distribution,
        version=source.version,
        path=source.path,
        value=source.value,
        kinds=kinds,
        hooks=tuple(hooks),
        priority=max((claim.priority for claim in claims), default=0),
        status=status,
        reason=reason,
        notes=notes,
        failures=watch.total,
        trace=trace,
    )


def _status(
    source: Source, loaded: bool, problem: str | None, watch: Watch
) -> tuple[Status, str | None]:
    if source.blocked is not None:
        return "blocked", source.blocked
    if problem is not None:
        return "failed", problem
    if watch.reason() is not None:
        return "quarantined", watch.reason()
    return ("loaded", None) if loaded else ("not needed yet", None)
