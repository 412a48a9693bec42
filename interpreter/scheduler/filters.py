"""Filters: which clusters a binding may use at all, and why not the others.

They run in the order APIEnablement, TaintToleration, ClusterAffinity, SpreadConstraint,
ClusterEviction, WorkloadAntiAffinity, WorkloadAffinity, then those of plugins. A cluster has the
reason of the first filter that rejects it. (Karmada's order is a random one for each process.)

What depends on the placement and the kind alone is worked out once for a topology: a ``View``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from interpreter.errors import NoClusterFit
from interpreter.machinery.affinity import Affinity
from interpreter.scheduler.placements import NO_TIER, Placement
from interpreter.scheduler.requests import Request
from interpreter.scheduler.topology import Ints, Mask, Slots, Topology
from interpreter.scheduler.workloads import Workloads

_NO_KIND = "cluster(s) did not have the API resource"
_NOT_NAMED = "cluster(s) did not match the placement cluster affinity constraint"
_EVICTED = "cluster(s) is in the process of eviction"
#: Fields that a spread constraint needs, and what clusters have of them.
_PROPERTIES = {"provider": "provider", "region": "region", "zone": "zones"}

#: A reason, the clusters that it speaks about, and whether those in use are spared.
Rejection = tuple[str, Mask, bool]


@dataclass(frozen=True, slots=True)
class View:
    """What a placement and a kind say about the clusters of a topology.

    Attributes:
        rejections: By filter, in order: reason, clusters, and whether a cluster that the binding is
            already scheduled to is accepted all the same.
        fitting: Clusters that no filter rejects.
        tolerable: Clusters that none rejects once the binding is scheduled to them.
        slots: Positions of the fitting ones.
        tiers: Overflow order of each cluster; None when there is one tier only.
        weights: Static weight of each cluster; None when all weigh the same.
    """

    rejections: tuple[Rejection, ...]
    fitting: Mask
    tolerable: Mask
    slots: Slots
    tiers: Ints | None
    weights: Ints | None


def view_of(topology: Topology, request: Request) -> View:
    """The view for a request; the same object as long as the topology is."""
    placement = request.placement
    key = (
        request.placement_key,
        request.observed if placement.terms else "",
        request.is_workload if placement.terms else True,
        request.kind,
    )
    view = topology.views.get(key)
    if not isinstance(view, View):
        view = _make_view(topology, request)
        topology.views.keep(key, view)
    return view


def _make_view(topology: Topology, request: Request) -> View:
    placement = request.placement
    rejections = tuple(
        rejection
        for name in ("APIEnablement", "TaintToleration", "ClusterAffinity", "SpreadConstraint")
        for rejection in rejections_of(name, topology, request)
    )
    fitting, tolerable = topology.staying.copy(), topology.staying.copy()
    for _reason, mask, spares in rejections:
        fitting &= ~mask
        if not spares:
            tolerable &= ~mask
    return View(
        rejections=rejections,
        fitting=fitting,
        tolerable=tolerable,
        slots=np.flatnonzero(fitting),
        tiers=_tiers(topology, request),
        weights=_weights(topology, placement),
    )


def rejections_of(
    name: str, topology: Topology, request: Request, workloads: Workloads | None = None
) -> list[Rejection]:
    """What one filter rejects; masks may overlap, the first counts."""
    match name:
        case "APIEnablement":
            return [(_NO_KIND, ~topology.serving(*request.kind), True)]
        case "TaintToleration":
            return [
                (f"cluster(s) had untolerated taint {{{text}}}", _mask(topology, slots), True)
                for text, slots in topology.untolerated(request.placement.tolerations)
            ]
        case "ClusterAffinity":
            named = _named(topology, request)
            return [] if named is None else [(_NOT_NAMED, ~named, False)]
        case "SpreadConstraint":
            return [
                (
                    f"cluster(s) did not have {_PROPERTIES[field]} property",
                    ~topology.having(field),
                    False,
                )
                for field in (constraint.field for constraint in request.placement.constraints)
                if field in _PROPERTIES
            ]
        case "ClusterEviction":
            evicted = topology.named(request.evicted)
            return [(_EVICTED, evicted, False)]
    relation = "apart" if name == "WorkloadAntiAffinity" else "together"
    verdict = (workloads or Workloads(None)).verdict(request.binding, relation)
    if verdict is None:
        return []
    rejected = topology.named(verdict.occupied)
    if verdict.required is not None:
        rejected = ~topology.named(verdict.required)
    return [(verdict.reason, rejected, True)]


def _mask(topology: Topology, slots: Slots) -> Mask:
    mask = np.zeros(len(topology), dtype=np.bool_)
    mask[slots] = True
    return mask


def _affinities(request: Request) -> Sequence[Affinity] | None:
    """Affinities of which a cluster must match one; None when every cluster is fine."""
    placement = request.placement
    if placement.affinity is not None:
        return (placement.affinity,)
    term = placement.terms.get(request.observed)
    if term is None:
        return None
    return (term.affinity, *(term.overflow if request.is_workload else ()))


def _named(topology: Topology, request: Request) -> Mask | None:
    affinities = _affinities(request)
    if affinities is None:
        return None
    named = topology.matching(affinities[0])
    for affinity in affinities[1:]:
        named |= topology.matching(affinity)
    return named


def _tiers(topology: Topology, request: Request) -> Ints | None:
    """Overflow order: 0 for the term's own clusters, then its overflow groups, then the rest."""
    placement = request.placement
    if placement.affinity is not None or not placement.terms:
        return None
    tiers: Ints = np.full(len(topology), NO_TIER, dtype=np.int64)
    term = placement.terms.get(request.observed)
    if term is not None:
        affinities = (term.affinity, *term.overflow)
        for order in reversed(range(len(affinities))):
            tiers[topology.matching(affinities[order])] = order
    return tiers


def _weights(topology: Topology, placement: Placement) -> Ints | None:
    """Static weights: the largest of the rules that match a cluster."""
    if placement.strategy != "StaticWeight" or not placement.weights:
        return None
    weights: Ints = np.zeros(len(topology), dtype=np.int64)
    for affinity, weight in placement.weights:
        mask = topology.matching(affinity)
        weights[mask] = np.maximum(weights[mask], weight)
    return weights


def fitting_slots(
    topology: Topology, request: Request, view: View, workloads: Workloads | None
) -> Slots:
    """Positions of the clusters that the built-in filters let pass."""
    if not request.previous and not request.evicted and not request.grouped:
        return view.slots
    fitting = view.fitting.copy()
    for name, _count in request.previous:
        slot = topology.slots.get(name)
        if slot is not None:
            fitting[slot] |= view.tolerable[slot]
    for _reason, mask, spares in _of_binding(topology, request, workloads):
        rejected = mask & ~_in_use(topology, request) if spares else mask
        fitting &= ~rejected
    return np.flatnonzero(fitting)


def _of_binding(
    topology: Topology, request: Request, workloads: Workloads | None
) -> Iterable[Rejection]:
    """What filters reject for this binding, not for its placement."""
    if request.evicted:
        yield from rejections_of("ClusterEviction", topology, request)
    if request.grouped:
        for name in ("WorkloadAntiAffinity", "WorkloadAffinity"):
            yield from rejections_of(name, topology, request, workloads)


def _in_use(topology: Topology, request: Request) -> Mask:
    return topology.named(name for name, _count in request.previous)


def reasons(
    topology: Topology, request: Request, view: View, workloads: Workloads | None
) -> dict[str, str]:
    """Why the built-in filters reject clusters, by cluster; those being deleted are not asked."""
    found: dict[int, str] = {}
    in_use = _in_use(topology, request)
    for reason, mask, spares in (*view.rejections, *_of_binding(topology, request, workloads)):
        rejected = mask & topology.staying
        if spares:
            rejected &= ~in_use
        for slot in np.flatnonzero(rejected).tolist():
            found.setdefault(slot, reason)
    return {topology.names[slot]: found[slot] for slot in sorted(found)}


def no_cluster_fits(total: int, rejected: dict[str, str]) -> NoClusterFit:
    """The error when no cluster is left, in the published words."""
    counts: dict[str, int] = {}
    for reason in rejected.values():
        counts[reason] = counts.get(reason, 0) + 1
    told = ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items()))
    return NoClusterFit(
        f"0/{total} clusters are available: {told or 'no cluster exists'}.", rejected=rejected
    )
