"""What works and member objects ask a resource interpreter."""

from __future__ import annotations

from typing import Literal, Protocol

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import Health
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import JsonObject, JsonValue

ResourceHealth = Literal["Healthy", "Unhealthy", "Unknown"]


class MemberInterpreter(Protocol):
    """The part of ``ResourceInterpreter`` that works and their statuses need."""

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind."""

    def revise_replica(
        self, obj: JsonObject, replicas: int, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with a number of replicas."""

    def prune(
        self, obj: JsonObject, *, remove_job_ttl: bool = False, context: HookContext | None = None
    ) -> JsonObject:
        """The object as it is packed into a Work."""

    def retain(
        self, desired: JsonObject, observed: JsonObject, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with the member cluster's own fields."""

    def reflect_status(self, obj: JsonObject, *, context: HookContext | None = None) -> JsonValue:
        """The status to collect from a member's object."""

    def interpret_health(self, obj: JsonObject, *, context: HookContext | None = None) -> Health:
        """How the object fares."""

    def aggregate_status(
        self,
        obj: JsonObject,
        items: list[JsonObject] | None,
        *,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The object with member statuses folded in."""


def health_for_works(obj: JsonObject, interpreter: MemberInterpreter) -> ResourceHealth:
    """A member object's health, as Works and failover know it.

    A kind without a rule is healthy. A rule that does not say by a boolean whether the object is
    healthy (Karmada's own rules always do) makes it unhealthy only where something is wrong with
    it: what makes progress is not moved to another cluster.

    Raises:
        InterpreterError: The rule failed.
    """
    if not interpreter.hook_enabled(gvk_of(obj), Operation.INTERPRET_HEALTH):
        return "Healthy"
    health = interpreter.interpret_health(obj)
    if health.healthy:
        return "Healthy"
    if health.stated or health.status in ("Degraded", "Missing"):
        return "Unhealthy"
    return "Unknown"
