"""Virtual nodes: a cluster's resource models, and first-fit placing on them.

A cluster that states models has so many nodes of each grade; each has the grade's minimum of each
resource, and room for 110 pods. Equal neighbours are kept as one entry with a count, so placing
costs by the number of different nodes, not of nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interpreter.errors import InvalidObject
from interpreter.machinery.quantity import Quantity, parse_json
from interpreter.machinery.unstructured import (
    INT64_MAX,
    INT64_MIN,
    JsonObject,
    map_or_empty,
    objects_at,
    read_int,
    read_str,
)

#: Pods that fit on a virtual node, as a kubelet has it by default.
PODS_PER_NODE = 110
_KNOWN = ("cpu", "memory", "ephemeral-storage")


class Nodes(NamedTuple):
    """Neighbouring nodes that are equal.

    Attributes:
        size: How many.
        pods: Pods that each still takes.
        free: What each still has: milli-cores of cpu, whole units of anything else.
    """

    size: int
    pods: int
    free: Mapping[str, int]

    def fit(self, demand: Mapping[str, int]) -> int:
        """How many replicas each takes."""
        most = self.pods
        for name, amount in demand.items():
            most = min(most, self.free.get(name, 0) // amount)
        return most

    def less(self, size: int, replicas: int, demand: Mapping[str, int]) -> Nodes:
        """``size`` of them with ``replicas`` more on each."""
        free = dict(self.free)
        for name, amount in demand.items():
            free[name] -= replicas * amount
        return Nodes(size, self.pods - replicas, free)


def whole(quantity: Quantity) -> int:
    """Whole units, rounded away from zero, no further than an int64 goes."""
    return min(max(quantity.rounded(0), INT64_MIN), INT64_MAX)


def milli(quantity: Quantity) -> int:
    """Thousandths, as :func:`whole`."""
    return min(max(quantity.rounded(-3), INT64_MIN), INT64_MAX)


def units(name: str, quantity: Quantity) -> int:
    """An amount of a resource as it is counted: cpu in milli-cores, all else in whole units."""
    return milli(quantity) if name == "cpu" else whole(quantity)


def quantity_of(amount: object, path: str) -> Quantity:
    """A quantity in a document.

    Raises:
        InvalidObject: It is none.
    """
    try:
        return parse_json(amount)
    except InvalidObject as error:
        raise error.within(path) from None


def node_demand(request: Mapping[str, object]) -> dict[str, int]:
    """What a replica takes of a virtual node; resources that nodes do not know are left out."""
    found = {}
    for name, amount in request.items():
        if _on_nodes(name):
            needed = units(name, quantity_of(amount, f"resourceRequest.{name}"))
            if needed > 0:
                found[name] = needed
    return found


def _on_nodes(name: str) -> bool:
    return name in _KNOWN or "/" in name or name.startswith(("hugepages-", "attachable-volumes-"))


def read_nodes(cluster: JsonObject) -> tuple[Nodes, ...] | None:
    """The virtual nodes of a cluster, grades ascending; None when it states no models.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    summary = map_or_empty(map_or_empty(cluster, "status"), "resourceSummary", "status")
    counts = objects_at(summary, "allocatableModelings", "status.resourceSummary")
    models = objects_at(map_or_empty(cluster, "spec"), "resourceModels", "spec")
    if not counts or not models:
        return None
    total: dict[int, int] = {}
    for entry in counts:
        grade = _grade(entry or {})
        total[grade] = total.get(grade, 0) + (read_int(entry or {}, "count", bits=64) or 0)
    minima = {_grade(model or {}): _minima(model or {}) for model in models}
    return tuple(
        Nodes(total[grade], PODS_PER_NODE, minima[grade])
        for grade in sorted(minima)
        if total.get(grade, 0) > 0
    )


def _grade(entry: JsonObject) -> int:
    return read_int(entry, "grade", bits=64) or 0


def _minima(model: JsonObject) -> dict[str, int]:
    found = {}
    for entry in objects_at(model, "ranges"):
        name = read_str(entry or {}, "name")
        found[name] = units(name, quantity_of((entry or {}).get("min"), "spec.resourceModels"))
    return found


def capacity(nodes: Iterable[Nodes], demand: Mapping[str, int]) -> int:
    """How many equal replicas nodes take."""
    return sum(group.size * group.fit(demand) for group in nodes)


def place(nodes: list[Nodes], demand: Mapping[str, int], replicas: int) -> tuple[list[Nodes], int]:
    """Places replicas first-fit, as many on each node as it takes.

    Returns:
        The nodes afterwards, and how many replicas found no place.
    """
    after: list[Nodes] = []
    for index, group in enumerate(nodes):
        if replicas <= 0:
            after.extend(nodes[index:])
            break
        each = group.fit(demand)
        if each <= 0:
            _append(after, group)
            continue
        filled = min(replicas // each, group.size)
        replicas -= filled * each
        if filled:
            _append(after, group.less(filled, each, demand))
        rest = group.size - filled
        if rest and replicas:
            _append(after, group.less(1, replicas, demand))
            rest, replicas = rest - 1, 0
        if rest:
            _append(after, group._replace(size=rest))
    return after, replicas


def _append(nodes: list[Nodes], group: Nodes) -> None:
    """Adds equal nodes to their neighbours."""
    last = nodes[-1] if nodes else None
    if last is not None and last.pods == group.pods and last.free == group.free:
        nodes[-1] = last._replace(size=last.size + group.size)
    else:
        nodes.append(group)
