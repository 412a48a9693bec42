"""Which of the fitting clusters an object spreads over."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from interpreter.errors import SchedulingError
from interpreter.machinery.affinity import ZONE
from interpreter.scheduler.groups import Aim, Candidates, Group, choose, group_by
from interpreter.scheduler.placements import Constraint, Placement
from interpreter.scheduler.topology import Topology

_NONE = Constraint("", 0, 0)
#: What a constraint is on, and the clusters' values of it by slot.
_VALUES: dict[str, Callable[[Topology, int], Iterable[str]]] = {
    "region": lambda topology, slot: filter(None, (topology.regions[slot],)),
    "provider": lambda topology, slot: filter(None, (topology.providers[slot],)),
    ZONE: lambda topology, slot: topology.zones[slot],
}
#: Fields by which clusters are grouped.
GROUPED = tuple(_VALUES)


def groups_of(
    field: str, topology: Topology, candidates: Candidates, placement: Placement, replicas: int
) -> dict[str, Group]:
    """Candidates by region, provider or zone.

    Args:
        field: What they are grouped by.
        topology: The fleet.
        candidates: The clusters.
        placement: Whose constraints say what a group should offer.
        replicas: How many replicas are wanted.
    """
    aim = Aim(
        replicas=replicas,
        divided=placement.counts,
        groups=(placement.constraint(field) or _NONE).min_groups,
        clusters=(placement.constraint("cluster") or _NONE).min_groups,
    )
    values = _VALUES[field]
    return group_by(candidates, (values(topology, slot) for slot in candidates.slots), aim)


def select(
    topology: Topology,
    candidates: Candidates,
    placement: Placement,
    *,
    replicas: int,
    needed: int,
) -> Candidates:
    """The clusters that the spread constraints choose, in order.

    Args:
        topology: The fleet.
        candidates: The clusters that passed the filters, best first.
        placement: The constraints.
        replicas: How many replicas the binding wants, which groups are measured by.
        needed: How many replicas, or sets of components, the clusters must take together.

    Raises:
        SchedulingError: The constraints cannot be met.
    """
    if not placement.spreads:
        return candidates
    cluster = placement.constraint("cluster")
    region = placement.constraint("region")
    if region is not None:
        groups = groups_of("region", topology, candidates, placement, replicas)
        return candidates.pick(_by_region(groups, candidates, region, cluster or _NONE))
    if cluster is not None:
        return candidates.pick(_by_cluster(candidates, cluster, needed, counts=placement.counts))
    raise SchedulingError("just support cluster and region spread constraint")


def _by_cluster(
    candidates: Candidates, constraint: Constraint, needed: int, *, counts: bool
) -> list[int]:
    if len(candidates) < constraint.min_groups:
        raise SchedulingError(
            "the number of feasible clusters is less than spreadConstraint.MinGroups"
        )
    number = min(len(candidates), constraint.max_groups)
    chosen = list(range(number))
    if not counts:
        return chosen
    available = candidates.available
    total = sum(available[position] for position in chosen)
    # The others by what they take; of equals the better one comes first. A cluster that is put
    # back takes the place of the one that replaces it.
    rest = [
        (-available[position], position, position) for position in range(number, len(candidates))
    ]
    heapq.heapify(rest)
    for place in reversed(range(number)):
        if total >= needed or not rest:
            break
        taken, order, position = rest[0]
        gain = -taken - available[chosen[place]]
        if gain > 0:
            heapq.heapreplace(rest, (-available[chosen[place]], order, chosen[place]))
            chosen[place] = position
            total += gain
    if total < needed:
        raise SchedulingError(f"no enough resource when selecting {number} clusters")
    return chosen


def _by_region(
    groups: dict[str, Group], candidates: Candidates, region: Constraint, cluster: Constraint
) -> list[int]:
    if len(groups) < region.min_groups:
        raise SchedulingError(
            "the number of feasible region is less than spreadConstraint.MinGroups"
        )
    regions = choose(
        groups.values(),
        least=region.min_groups,
        most=region.max_groups,
        clusters=cluster.min_groups,
    )
    if regions is None:
        raise SchedulingError(
            "the number of clusters is less than the cluster spreadConstraint.MinGroups"
        )
    first = [group.members[0] for group in regions]
    rest = sorted(position for group in regions for position in group.members[1:])
    return first + rest[: max(0, min(len(candidates), cluster.max_groups) - len(first))]
