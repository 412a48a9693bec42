"""Shared reading for the health of native kinds: generations, conditions, load balancer entries.

``Health.status`` says what a person would call the state, following ``kubectl rollout status`` and
kstatus; ``Health.healthy`` is the boolean that Karmada 1.19 gives, which control planes act on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.api.results import Health
from interpreter.engines.native.statuses import status_of
from interpreter.machinery.conditions import (
    Condition,
    Truth,
    find_condition,
    one_line,
)
from interpreter.machinery.unstructured import (
    JsonObject,
    generation_of,
    map_at,
    objects_at,
    read_int,
    read_str,
)

#: Exactly so: "true" is no True to a control plane either.
_TRUTHS: dict[str, Truth] = {"True": "True", "False": "False"}


def terminating_first(read: Callable[[JsonObject], Health]) -> Callable[[JsonObject], Health]:
    """A handler whose objects are on their way out once their deletion was requested.

    The boolean stays what it was: to the reference a deletion changes nothing.
    """

    @functools.wraps(read)  # who asks for the handler's name wants that of the kind's own
    def interpret(obj: JsonObject) -> Health:
        health = read(obj)
        deleted = read_str(map_at(obj, "metadata"), "deletionTimestamp", "metadata")
        if not deleted:
            return health
        text = f"deletion was requested at {one_line(deleted)}"
        return Health("Progressing", "Terminating", text, health.healthy)

    return interpret


def conditions_of(status: JsonObject) -> list[Condition]:
    """The conditions of a built-in kind, whose API fixes their shape.

    Raises:
        InvalidObject: The list, an entry, or an entry's type or status has the wrong type.
    """
    found = []
    for index, entry in enumerate(objects_at(status, "conditions", "status")):
        condition = entry or {}
        kind, truth = (
            read_str(condition, field, f"status.conditions[{index}]")
            for field in ("type", "status")
        )
        found.append(
            Condition(
                kind,
                _TRUTHS.get(truth, "Unknown"),
                one_line(condition.get("reason")),
                one_line(condition.get("message")),
            )
        )
    return found


def true_condition(conditions: list[Condition], kind: str) -> Condition | None:
    """The first condition of a type if it is True."""
    found = find_condition(conditions, kind)
    return found if found is not None and found.truth == "True" else None


@dataclass(frozen=True, slots=True)
class Rollout:
    """Counters of a rollout, absent ones 0; ``wanted`` is None when the spec does not say."""

    wanted: int | None
    generation: int
    observed: int
    total: int
    updated: int
    available: int
    ready: int


def read_rollout(obj: JsonObject) -> Rollout:
    """Reads the counters of Deployment, StatefulSet and ReplicaSet.

    Raises:
        InvalidObject: A counter has the wrong type.
    """
    status = status_of(obj)
    counts = [
        read_int(status, field, "status") or 0
        for field in ("replicas", "updatedReplicas", "availableReplicas", "readyReplicas")
    ]
    observed = read_int(status, "observedGeneration", "status", bits=64) or 0
    wanted = read_int(map_at(obj, "spec"), "replicas", "spec")
    return Rollout(wanted, generation_of(obj), observed, *counts)


def stale(observed: int, generation: int, healthy: bool) -> Health | None:
    """Progressing when the controller has not seen the latest generation; None otherwise."""
    if observed >= generation:
        return None
    return Health(
        "Progressing",
        "StaleGeneration",
        f"waiting for generation {generation} to be observed, seen is {observed}",
        healthy,
    )


def first_lagging(steps: tuple[tuple[int, int, str, str], ...], healthy: bool) -> Health | None:
    """Progressing for the first step whose count is below its goal.

    Args:
        steps: Count, goal, reason and noun of each step, in the order in which a rollout passes
            them.
        healthy: The boolean to carry.
    """
    for count, goal, reason, noun in steps:
        if count < goal:
            return Health("Progressing", reason, f"{count} of {goal} {noun}", healthy)
    return None


def load_balancer_health(obj: JsonObject) -> Health:
    """Health of Ingress and of a LoadBalancer Service: there is an entry.

    To the reference it needs an address, too.
    """
    entries = ingress_entries(obj)
    for entry in entries:
        address = read_str(entry, "hostname") or read_str(entry, "ip")
        if address:
            return Health("Healthy", "AddressAssigned", f"reachable at {one_line(address)}", True)
    if entries:  # The load balancer is there, and keeps its address for itself.
        return Health("Healthy", "EntryAssigned", "the load balancer names no address", False)
    return Health(
        "Progressing", "NoAddress", "waiting for the load balancer to assign an address", False
    )


def ingress_entries(obj: JsonObject) -> list[JsonObject]:
    """``status.loadBalancer.ingress``, nulls as empty objects.

    Raises:
        InvalidObject: A step, an entry, or an entry's address has the wrong type.
    """
    balancer = map_at(obj, "status", "loadBalancer")
    entries = []
    for index, entry in enumerate(objects_at(balancer, "ingress", "status.loadBalancer")):
        for field in ("hostname", "ip"):
            read_str(entry or {}, field, f"status.loadBalancer.ingress[{index}]")
        entries.append(entry or {})
    return entries
