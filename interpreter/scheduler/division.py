"""How many replicas each selected cluster gets.

Duplicated gives all to each. Static weights divide by the policy's numbers, dynamic weights by what
clusters take, and Aggregated by that too, over as few clusters as suffice. The last two respect
what is already there: only the difference is dealt, unless a reschedule is due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.errors import SchedulingError, Unschedulable
from interpreter.machinery.apportionment import Counts, winners
from interpreter.scheduler.groups import Candidates
from interpreter.scheduler.placements import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be divided.

    Attributes:
        strategy: How.
        division: Type and preference of the strategy as written, for messages.
        replicas: How many.
        uid: Decides ties.
        previous: Clusters that have some, in order.
        fresh: Whether that does not count.
        weights: Static weight by cluster; None when all weigh the same.
    """

    strategy: Strategy
    division: tuple[str, str]
    replicas: int
    uid: str
    previous: Sequence[tuple[str, int]]
    fresh: bool
    weights: Mapping[str, int] | None


def divide(order: Order, selected: Candidates) -> Counts:
    """Replicas of the clusters that get any.

    Raises:
        Unschedulable: The clusters do not take so many.
        SchedulingError: There is no such strategy.
    """
    counts = _divided(order, selected, order.replicas)
    return [(name, count) for name, count in counts if count > 0]


def divide_by_tier(order: Order, selected: Candidates) -> Counts:
    """As :func:`divide`, tier by tier: a tier gets what those before it cannot take.

    Raises:
        Unschedulable: All tiers together do not take so many.
        SchedulingError: There is no such strategy.
    """
    result: Counts = []
    remaining = order.replicas
    for tier in sorted(set(selected.tiers)):
        if remaining <= 0:
            break
        members = selected.pick(
            [position for position, value in enumerate(selected.tiers) if value == tier]
        )
        wanted = min(remaining, sum(members.available))
        if wanted > 0:
            result += [entry for entry in _divided(order, members, wanted) if entry[1] > 0]
            remaining -= wanted
    if remaining > 0:
        raise Unschedulable("Clusters available replicas are not enough to schedule.")
    return result


def _divided(order: Order, selected: Candidates, replicas: int) -> Counts:
    match order.strategy:
        case "Duplicated":
            return [(name, replicas) for name in selected.names]
        case "StaticWeight":
            return _by_weight(order, selected, replicas)
        case "Unsupported":
            kind, preference = order.division
            raise SchedulingError(
                f"unsupported replica scheduling strategy, replicaSchedulingType: {kind}, "
                f"replicaDivisionPreference: {preference}, please try another scheduling strategy"
            )
    if order.fresh:
        return _fresh(order, selected, replicas)
    return _steady(order, selected, replicas)


def _by_weight(order: Order, selected: Candidates, replicas: int) -> Counts:
    votes = {}
    if order.weights is not None:
        votes = {name: order.weights[name] for name in selected.names if order.weights[name] > 0}
    if not votes:
        votes = dict.fromkeys(selected.names, 1)
    return sorted(winners(replicas, votes, uid=order.uid).items())


def _fresh(order: Order, selected: Candidates, replicas: int) -> Counts:
    before = dict(order.previous)
    capacity = [
        (name, count + before.get(name, 0))
        for name, count in zip(selected.names, selected.allocatable, strict=True)
    ]
    return _by_capacity(order, capacity, replicas, problem="failed to do fresh scale")


def _steady(order: Order, selected: Candidates, replicas: int) -> Counts:
    if order.previous:
        known = set(selected.names)
        scheduled = [entry for entry in order.previous if entry[0] in known]
    else:
        scheduled = []
    assigned = sum(count for _name, count in scheduled)
    if assigned > replicas:
        return _by_capacity(order, scheduled, replicas, problem="failed to scale down")
    if assigned == replicas:
        return scheduled
    return _by_capacity(
        order,
        list(zip(selected.names, selected.allocatable, strict=True)),
        replicas - assigned,
        scheduled,
        problem="failed to scale up",
    )


def _by_capacity(
    order: Order,
    capacity: Counts,
    replicas: int,
    scheduled: Sequence[tuple[str, int]] = (),
    *,
    problem: str,
) -> Counts:
    """Deals replicas by capacity, which is not a strict bound: shares are proportional.

    Returns:
        What is dealt and what was scheduled, by name; behind that, by name too, what was scheduled
        to clusters that took no part.
    """
    total = sum(count for _name, count in capacity)
    if total < replicas:
        raise Unschedulable(
            f"{problem}: Clusters available replicas {total} are not enough to schedule."
        )
    if order.strategy == "Aggregated":
        capacity = _fewest(capacity, replicas, {name for name, count in scheduled if count > 0})
    votes = dict(capacity)
    new = winners(replicas, votes, uid=order.uid)
    for name, count in scheduled:
        new[name] = new.get(name, 0) + count
    return sorted(new.items(), key=lambda entry: (entry[0] not in votes, entry[0]))


def _fewest(capacity: Counts, replicas: int, preferred: set[str]) -> Counts:
    """The first clusters that take all replicas.

    Those that have some already come first, then those that take most.
    """
    ordered = sorted(capacity, key=lambda entry: (entry[0] not in preferred, -entry[1]))
    total = 0
    for position, (_name, count) in enumerate(ordered, 1):
        total += count
        if total >= replicas:
            return ordered[:position]
    return ordered
