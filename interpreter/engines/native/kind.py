"""How a native kind states what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from interpreter.api.results import Component, DependentObjectReference, Health, ReplicaResult
from interpreter.engines.native.health import terminating_first
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeKind:
    """Handlers of one kind, by hook name; what is None has no native rule.

    ``prune_rule`` is no handler: it edits a template that is already a pruned copy, and applies to
    this ``kind`` in every API group, as in the reference.
    """

    gvk: GVK
    get_replicas: Callable[[JsonObject], ReplicaResult] | None = None
    revise_replica: Callable[[JsonObject, int], JsonObject] | None = None
    get_components: Callable[[JsonObject], list[Component]] | None = None
    retain: Callable[[JsonObject, JsonObject], JsonObject] | None = None
    aggregate_status: Callable[..., JsonObject] | None = None
    reflect_status: Callable[[JsonObject], JsonValue] | None = None
    interpret_health: Callable[[JsonObject], Health] | None = None
    get_dependencies: Callable[[JsonObject], list[DependentObjectReference]] | None = None
    prune_rule: Callable[[JsonObject, bool], None] | None = None

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """Handlers by hook name."""
        named = (field.name for field in fields(self) if field.name not in ("gvk", "prune_rule"))
        found = {name: getattr(self, name) for name in named if getattr(self, name) is not None}
        if self.interpret_health is not None:
            found["interpret_health"] = terminating_first(self.interpret_health)
        return found
