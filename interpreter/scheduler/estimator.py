"""How many replicas, or whole sets of components, a cluster can still take.

The general estimator of Karmada 1.19: by the cluster's resource summary, or by its resource models
where it has them. Amounts are exact; nothing wraps around. Amounts in decimal and in binary units
are compared by value (Karmada compares thousandths of one with whole units of the other).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.machinery.quantity import ZERO, Quantity
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    objects_at,
    read_int,
    read_map,
)
from interpreter.scheduler.nodes import (
    Nodes,
    capacity,
    milli,
    node_demand,
    place,
    quantity_of,
    read_nodes,
    units,
    whole,
)

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True)
class Room:
    """What a cluster has left.

    Attributes:
        pods: Pods that it still takes.
        free: Amounts by resource: allocatable without what is allocated or being allocated.
        nodes: Its virtual nodes, None without resource models.
    """

    pods: int
    free: Mapping[str, Quantity]
    nodes: tuple[Nodes, ...] | None = None


def read_room(cluster: JsonObject, *, models: bool = True) -> Room | None:
    """What a cluster has left; None when it does not say.

    Args:
        cluster: The cluster.
        models: Whether its resource models count (gate ``CustomizedClusterResourceModeling``).

    Raises:
        InvalidObject: A field has the wrong type.
    """
    summary = read_map(map_or_empty(cluster, "status"), "resourceSummary", "status")
    if summary is None:
        return None
    path = "status.resourceSummary"
    allocatable, allocated, allocating = (
        {
            name: quantity_of(amount, f"{path}.{field}.{name}")
            for name, amount in map_or_empty(summary, field, path).items()
        }
        for field in ("allocatable", "allocated", "allocating")
    )
    free = {
        name: amount - allocated.get(name, ZERO) - allocating.get(name, ZERO)
        for name, amount in allocatable.items()
    }
    taken = whole(allocated.get("pods", ZERO)) + whole(allocating.get("pods", ZERO))
    pods = whole(allocatable.get("pods", ZERO)) - taken
    return Room(pods, free, read_nodes(cluster) if models else None)


def request_of(requirements: JsonObject | None) -> Mapping[str, object]:
    """``resourceRequest`` of replica requirements."""
    return map_or_empty(requirements or _NOTHING, "resourceRequest", "replicaRequirements")


def max_replicas(
    room: Room | None,
    requirements: JsonObject | None,
    assumed: Sequence[JsonObject] = (),
    *,
    protect: bool = False,
) -> int:
    """How many replicas fit.

    Args:
        room: What the cluster has left; None for a cluster that does not say, which takes nothing.
        requirements: What each replica needs; None when nothing is stated.
        assumed: Workloads (with ``components``) that are on their way to the cluster.
        protect: Whether those lessen the summary, too (gate ``SchedulingOvercommitProtection``).
            On virtual nodes they are placed first in any case.
    """
    if room is None:
        return 0
    pods = room.pods
    taken: dict[str, int] = {}
    if protect and assumed:
        count, taken = _taken(assumed)
        pods -= count
    if pods <= 0:
        return 0
    if requirements is None:
        return pods
    request = request_of(requirements)
    if room.nodes is not None:
        nodes = _occupied(room.nodes, assumed)
        return min(pods, capacity(nodes, node_demand(request)))
    for name, needed in wanted(request).items():
        have = room.free.get(name)
        amount = 0 if have is None else units(name, have) - taken.get(name, 0)
        if amount <= 0:
            return 0
        pods = min(pods, amount // needed)
    return pods


def wanted(request: Mapping[str, object]) -> dict[str, int]:
    """What one replica needs, as it is counted; what rounds up to nothing is left out."""
    found = {}
    for name, amount in request.items():
        quantity = quantity_of(amount, f"resourceRequest.{name}")
        if whole(quantity) > 0:
            found[name] = units(name, quantity)
    return found


def max_sets(
    room: Room | None,
    components: Sequence[JsonObject],
    assumed: Sequence[JsonObject] = (),
    *,
    protect: bool = False,
) -> int:
    """How many whole sets of components fit; arguments as of :func:`max_replicas`."""
    if room is None:
        return 0
    pods = room.pods
    taken: dict[str, int] = {}
    if protect:
        for workload in assumed:
            parts = objects_at(workload, "components")
            pods -= _replicas(parts)
            for name, amount in _demand(parts).items():
                taken[name] = taken.get(name, 0) + amount
    if pods <= 0:
        return 0
    replicas = _replicas(components)
    most = pods // replicas if replicas else pods
    for name, needed in _demand(components).items():
        if needed <= 0:
            continue
        have = room.free.get(name)
        amount = 0 if have is None else _thousandths(have) - taken.get(name, 0)
        if amount <= 0:
            return 0
        most = min(most, amount // needed)
    if room.nodes is None or not replicas:
        return most
    return _sets_on_nodes(_occupied(room.nodes, assumed), components, most)


def _replicas(components: Iterable[JsonObject]) -> int:
    return sum(read_int(component, "replicas") or 0 for component in components)


def _demand(components: Iterable[JsonObject]) -> dict[str, int]:
    """Thousandths of each resource that one set needs."""
    total: dict[str, int] = {}
    for component in components:
        replicas = read_int(component, "replicas") or 0
        for name, amount in request_of(read_map(component, "replicaRequirements")).items():
            needed = _thousandths(quantity_of(amount, f"resourceRequest.{name}"))
            total[name] = total.get(name, 0) + needed * replicas
    return total


def _thousandths(quantity: Quantity) -> int:
    """Thousandths of a unit; binary amounts have whole units only."""
    return whole(quantity) * 1000 if quantity.format == "BinarySI" else milli(quantity)


def _taken(assumed: Iterable[JsonObject]) -> tuple[int, dict[str, int]]:
    """Pods and amounts of workloads that are on their way, each amount rounded up by itself."""
    pods, amounts = 0, dict[str, int]()
    for workload in assumed:
        for component in objects_at(workload, "components"):
            replicas = read_int(component, "replicas") or 0
            if replicas <= 0:
                continue
            pods += replicas
            for name, amount in request_of(read_map(component, "replicaRequirements")).items():
                needed = units(name, quantity_of(amount, f"resourceRequest.{name}"))
                amounts[name] = amounts.get(name, 0) + needed * replicas
    return pods, amounts


def _occupied(nodes: Iterable[Nodes], assumed: Iterable[JsonObject]) -> list[Nodes]:
    """Nodes with one set of each assumed workload placed, as far as it fits."""
    after = list(nodes)
    for workload in assumed:
        for component in objects_at(workload, "components"):
            after, _left = place(after, *_on_nodes(component))
    return after


def _on_nodes(component: JsonObject) -> tuple[dict[str, int], int]:
    request = map_at(component, "replicaRequirements", "resourceRequest")
    return node_demand(request), read_int(component, "replicas") or 0


def _sets_on_nodes(nodes: list[Nodes], components: Sequence[JsonObject], most: int) -> int:
    parts = [part for part in map(_on_nodes, components) if part[1] > 0]
    for count in range(most):
        for demand, replicas in parts:
            nodes, left = place(nodes, demand, replicas)
            if left:
                return count
    return most
