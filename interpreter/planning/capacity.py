"""Clusters of a plan: what they are, and how full they get."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.machinery.quantity import ZERO, Quantity, parse_json
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    name_of,
    objects_at,
    read_map,
    read_str,
    strings_at,
)
from interpreter.planning.plan import ClusterPlan, Note, TemplatePlan, Usage
from interpreter.propagation.marking import is_deleting

#: Resources that are shown first.
_FIRST = ("cpu", "memory", "pods")


@dataclass(slots=True)
class _Demand:
    """What a plan brings to a cluster."""

    objects: int = 0
    replicas: int = 0
    amounts: dict[str, Quantity] = field(default_factory=lambda: defaultdict(lambda: ZERO))


def cluster_plans(
    clusters: Iterable[JsonObject], templates: Sequence[TemplatePlan]
) -> tuple[tuple[ClusterPlan, ...], list[Note]]:
    """Clusters with what they get, and notes about those that get more than they have.

    Args:
        clusters: Clusters that are part of the plan.
        templates: The planned templates.
    """
    demands: dict[str, _Demand] = defaultdict(_Demand)
    for template in templates:
        _add(template, demands)
    plans = tuple(_plan(each, demands[name_of(each)]) for each in clusters)
    notes = [
        Note(
            f"cluster {plan.name}",
            f"gets more {each.resource} than it has: {each.used} in use and {each.planned} planned "
            f"of {each.allocatable}; no template sees what the others take",
        )
        for plan in plans
        for each in plan.usage
        if each.used_share + each.planned_share > 1 and each.planned_share > 0
    ]
    return plans, notes


def missing_facts(cluster: JsonObject) -> list[Note]:
    """Notes about what a cluster does not state, where that is taken for unknown."""
    about, status = f"cluster {name_of(cluster)}", map_or_empty(cluster, "status")
    notes = []
    if not status.get("apiEnablements"):
        notes.append(Note(about, "states no status.apiEnablements: taken to accept every API"))
    if status.get("resourceSummary") is None:
        notes.append(Note(about, "states no status.resourceSummary: its capacity is unknown"))
    return notes


def _add(template: TemplatePlan, demands: dict[str, _Demand]) -> None:
    parts = _parts(template)
    requests = _parsed(template.requests)
    for placement in template.placements:
        demand = demands[placement.cluster]
        demand.objects += 1
        if placement.replicas is not None:
            demand.replicas += placement.replicas
            added = placement.replicas - (placement.before or 0)
            _request(demand, requests, added)
        elif parts and placement.before is None:
            for count, requests in parts:
                demand.replicas += count
                _request(demand, requests, count)


def _parts(template: TemplatePlan) -> list[tuple[int, _Requests]]:
    """Replicas and requests of each component."""
    if template.binding is None or len(template.components) < 2:
        return []
    return [
        (
            each.get("replicas", 0),
            _parsed(map_at(each, "replicaRequirements", "resourceRequest")),
        )
        for each in template.binding["spec"]["components"]
    ]


_Requests = list[tuple[str, Quantity]]


def _parsed(requests: Mapping[str, object]) -> _Requests:
    return [(name, parse_json(amount)) for name, amount in requests.items()]


def _request(demand: _Demand, requests: _Requests, count: int) -> None:
    if count <= 0:
        return
    demand.amounts["pods"] += Quantity(count, 0, "DecimalSI")
    for name, each in requests:
        demand.amounts[name] += Quantity(each.digits * count, each.exponent, each.format)


def _plan(cluster: JsonObject, demand: _Demand) -> ClusterPlan:
    spec = map_or_empty(cluster, "spec")
    zones = strings_at(spec, "zones", "spec") or [read_str(spec, "zone", "spec")]
    return ClusterPlan(
        name=name_of(cluster),
        region=read_str(spec, "region", "spec"),
        provider=read_str(spec, "provider", "spec"),
        zones=tuple(zone for zone in zones if zone),
        labels=map_at(cluster, "metadata", "labels"),
        taints=tuple(_taint(each or {}) for each in objects_at(spec, "taints", "spec")),
        leaving=is_deleting(cluster),
        usage=_usage(cluster, demand),
        objects=demand.objects,
        replicas=demand.replicas,
        obj=cluster,
    )


def _taint(taint: JsonObject) -> str:
    value = read_str(taint, "value")
    key = read_str(taint, "key")
    return f"{key}={value}:{taint.get('effect')}" if value else f"{key}:{taint.get('effect')}"


def _usage(cluster: JsonObject, demand: _Demand) -> tuple[Usage, ...]:
    summary = read_map(map_or_empty(cluster, "status"), "resourceSummary", "status")
    if summary is None:
        return ()
    has = map_or_empty(summary, "allocatable", "status.resourceSummary")
    names = [*(name for name in _FIRST if name in has), *(n for n in has if n not in _FIRST)]
    return tuple(
        _resource(
            name,
            parse_json(has[name]),
            _amount(summary, "allocated", name) + _amount(summary, "allocating", name),
            demand.amounts.get(name, ZERO),
        )
        for name in names
    )


def _amount(summary: JsonObject, part: str, name: str) -> Quantity:
    amount = map_or_empty(summary, part, "status.resourceSummary").get(name)
    return ZERO if amount is None else parse_json(amount)


def _resource(name: str, has: Quantity, used: Quantity, planned: Quantity) -> Usage:
    return Usage(name, str(has), str(used), str(planned), _share(used, has), _share(planned, has))


def _share(part: Quantity, whole: Quantity) -> float:
    """A part of a whole; of nothing, everything is more than all."""
    if part.sign <= 0:
        return 0.0
    if whole.sign <= 0:
        return 2.0
    return part.approximate() / whole.approximate()
