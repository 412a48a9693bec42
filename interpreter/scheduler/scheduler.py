"""One scheduling pass: filter, score, select, assign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from interpreter.api.scheduling import (
    ComponentEstimator,
    FilterPlugin,
    ReplicaEstimator,
    ScorePlugin,
    TargetCluster,
)
from interpreter.errors import (
    SchedulingError,
)
from interpreter.machinery.unstructured import INT32_MAX, JsonObject, read_count, read_str
from interpreter.scheduler import plugins
from interpreter.scheduler.division import Order, divide, divide_by_tier
from interpreter.scheduler.filters import (
    View,
    fitting_slots,
    no_cluster_fits,
    reasons,
    view_of,
)
from interpreter.scheduler.fleet import UNKNOWN, Fleet
from interpreter.scheduler.groups import Candidates, Group
from interpreter.scheduler.requests import OVERCOMMIT_PROTECTION, Reader, Request
from interpreter.scheduler.selection import GROUPED, groups_of, select
from interpreter.scheduler.topology import Cache, Ints, Slots, Topology
from interpreter.scheduler.workloads import Workloads

#: Score of a cluster that the binding is scheduled to already.
_LOCALITY = 100


@dataclass(frozen=True, slots=True)
class Assumed:
    """A workload that is on its way to a cluster and not yet in its resource summary.

    Attributes:
        cluster: The cluster.
        components: What it consists of, as ``spec.components`` of a binding.
    """

    cluster: str
    components: list[JsonObject] = field(default_factory=list)


@dataclass(slots=True)
class Attempt:
    """A pass, step by step: what each step left over.

    Attributes:
        leaving: Clusters that are being deleted, which nobody asked about.
        rejected: Why clusters were filtered out, by cluster.
        candidates: The others, best first, with scores and capacities; None when there are none.
        groups: What those are grouped by, and the groups by name; for ``explain`` only.
        selected: Those chosen, in order; None when that failed.
        targets: The schedule; None when there is none.
        error: Why there is none.
    """

    leaving: list[str] = field(default_factory=list)
    rejected: dict[str, str] = field(default_factory=dict)
    candidates: Candidates | None = None
    groups: dict[str, dict[str, Group]] = field(default_factory=dict)
    selected: Candidates | None = None
    targets: list[TargetCluster] | None = None
    error: SchedulingError | None = None


class Scheduler:
    """Schedules bindings over a fleet; the fleet may change between passes.

    Not to be shared between threads.
    """

    def __init__(
        self,
        fleet: Fleet,
        *,
        feature_gates: Mapping[str, bool] | None = None,
        filters: Iterable[FilterPlugin] = (),
        scores: Iterable[ScorePlugin] = (),
        estimators: Iterable[ReplicaEstimator | ComponentEstimator] = (),
        empty_workloads: bool = False,
    ) -> None:
        """Takes a fleet and the plugins' parts.

        Args:
            fleet: The clusters.
            feature_gates: ``MultiplePodTemplatesScheduling``, ``WorkloadAffinity`` and
                ``SchedulingOvercommitProtection`` are read; all are off unless given. (The gate of
                resource models belongs to the fleet.)
            filters: Asked after the built-in ones, about the clusters that those let pass.
            scores: Added to the built-in ones.
            estimators: Asked beside the general one; the smallest answer counts.
            empty_workloads: Whether selected clusters without replicas are part of a schedule.

        Raises:
            PluginError: A filter, score or estimator is none.
        """
        self.fleet = fleet
        self._reader = Reader(feature_gates or {})
        self._filters = plugins.checked(filters, FilterPlugin)
        self._scores = plugins.checked(scores, ScorePlugin)
        self._estimators = plugins.checked(estimators, ReplicaEstimator, ComponentEstimator)
        self._empty_workloads = empty_workloads
        self._targets: Cache[tuple[str, int], TargetCluster] = Cache(1 << 16)

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self._reader.gate(name)

    def schedule(
        self,
        binding: JsonObject,
        *,
        observed: str | None = None,
        workloads: Workloads | None = None,
        assumed: Sequence[Assumed] = (),
    ) -> list[TargetCluster]:
        """Clusters for a binding, with replicas.

        Args:
            binding: A ResourceBinding or a ClusterResourceBinding.
            observed: Name of the affinity term to try, instead of that in the status.
            workloads: Other bindings, for affinity between workloads.
            assumed: Workloads on their way, for protection against overcommitment.

        Raises:
            NoClusterFit: No cluster passes the filters.
            Unschedulable: Clusters fit, but do not take all replicas.
            SchedulingError: Spread constraints cannot be met, or there is no such strategy.
            InvalidObject: A field of the binding has the wrong type.
            PluginError: A plugin raised, or gave an answer of the wrong type.
        """
        request = self._reader.read(binding, observed=observed)
        attempt = Attempt()
        self._run(request, attempt, workloads, assumed)
        return attempt.targets or []

    def explain(
        self,
        binding: JsonObject,
        *,
        observed: str | None = None,
        workloads: Workloads | None = None,
        assumed: Sequence[Assumed] = (),
    ) -> Attempt:
        """The pass that ``schedule`` would make, with what each step left over.

        Raises:
            InvalidObject: A field of the binding has the wrong type.
            PluginError: A plugin raised, or gave an answer of the wrong type.
        """
        request = self._reader.read(binding, observed=observed)
        attempt = Attempt()
        topology = self.fleet.topology
        view = view_of(topology, request)
        try:
            self._run(request, attempt, workloads, assumed)
        except SchedulingError as error:
            attempt.error = error
        leaving = np.flatnonzero(~topology.staying).tolist()
        attempt.leaving = [topology.names[slot] for slot in leaving]
        attempt.rejected = self._rejected(topology, request, view, workloads)
        placement, candidates = request.placement, attempt.candidates
        if candidates is not None and placement.spreads:
            attempt.groups = {
                field: groups_of(field, topology, candidates, placement, request.replicas)
                for field in GROUPED
                if placement.constraint(field) is not None
            }
        return attempt

    def _run(
        self,
        request: Request,
        attempt: Attempt,
        workloads: Workloads | None,
        assumed: Sequence[Assumed],
    ) -> None:
        topology = self.fleet.topology
        view = view_of(topology, request)
        slots = fitting_slots(topology, request, view, workloads)
        if self._filters:
            slots, _rejected = plugins.filtered(self._filters, request.binding, topology, slots)
        if not len(slots):
            rejected = self._rejected(topology, request, view, workloads)
            raise no_cluster_fits(len(topology), rejected)
        attempt.candidates = self.candidates(request, view, slots, assumed)
        step = "failed to select clusters"
        try:
            attempt.selected = select(
                topology,
                attempt.candidates,
                request.placement,
                replicas=request.replicas,
                needed=request.needed,
            )
            step = "failed to assign replicas"
            attempt.targets = self._assign(request, view, attempt.selected)
        except SchedulingError as error:
            error.message = f"{step}: {error.message}"
            raise

    def _rejected(
        self, topology: Topology, request: Request, view: View, workloads: Workloads | None
    ) -> dict[str, str]:
        rejected = reasons(topology, request, view, workloads)
        if self._filters:
            slots = fitting_slots(topology, request, view, workloads)
            rejected |= plugins.filtered(self._filters, request.binding, topology, slots)[1]
        return rejected

    def candidates(
        self, request: Request, view: View, slots: Slots, assumed: Sequence[Assumed] = ()
    ) -> Candidates:
        """Clusters with scores and capacities, best first."""
        topology = self.fleet.topology
        allocatable = self._allocatable(request, slots, assumed)
        scores: Ints = np.zeros(len(slots), dtype=np.int64)
        available = allocatable
        if request.previous:
            places = {int(slot): place for place, slot in enumerate(slots)}
            available = allocatable.copy()
            for name, count in request.previous:
                place = places.get(topology.slots.get(name, -1))
                if place is not None:
                    scores[place] = _LOCALITY
                    available[place] += count
        if self._scores:
            scores += plugins.scored(self._scores, request.binding, topology, slots)
        return ranked(topology, slots, scores, view.tiers, (allocatable, available))

    def _allocatable(self, request: Request, slots: Slots, assumed: Sequence[Assumed]) -> Ints:
        """Replicas, or sets of components, that clusters take beside what they run."""
        if not request.replicas and not request.components:
            return np.full(len(slots), INT32_MAX, dtype=np.int64)
        capacities = self.fleet.capacities
        if request.whole_sets:
            result = capacities.sets(request.components, slots)
        else:
            result = capacities.replicas(request.requirements)[slots]
        if assumed and self.gate(OVERCOMMIT_PROTECTION):
            self._make_room(request, slots, assumed, result)
        if self._estimators:
            topology = self.fleet.topology
            result = plugins.estimated(self._estimators, request, topology, slots, result)
        # The largest 32-bit count stands for "no limit known" in Karmada's protocol, too.
        unknown = (result == UNKNOWN) | (result == INT32_MAX)
        result[unknown] = request.needed
        return result

    def _make_room(
        self, request: Request, slots: Slots, assumed: Sequence[Assumed], result: Ints
    ) -> None:
        """Lessens what clusters take by the workloads that are on their way to them."""
        capacities, known = self.fleet.capacities, self.fleet.topology.slots
        coming: dict[int, list[JsonObject]] = {}
        for workload in assumed:
            slot = known.get(workload.cluster, -1)
            coming.setdefault(slot, []).append({"components": workload.components})
        for place, slot in enumerate(slots.tolist()):
            if slot not in coming:
                continue
            if request.whole_sets:
                result[place] = capacities.sets_of(slot, request.components, coming[slot])
            else:
                result[place] = capacities.replicas_of(slot, request.requirements, coming[slot])

    def _assign(self, request: Request, view: View, selected: Candidates) -> list[TargetCluster]:
        if not len(selected):
            raise SchedulingError("no clusters available to schedule")
        if not request.divides:
            parts: tuple[tuple[str, int], ...] = ()
            if request.whole_sets and len(request.components) > 1:
                parts = tuple(
                    (read_str(component, "name"), read_count(component, "replicas") or 0)
                    for component in request.components
                )
            return [TargetCluster(name, 0, parts) for name in selected.names]
        placement = request.placement
        weights = None
        if view.weights is not None:
            values = view.weights[selected.slots].tolist()
            weights = dict(zip(selected.names, values, strict=True))
        order = Order(
            strategy=placement.strategy,
            division=placement.division,
            replicas=request.replicas,
            uid=request.uid,
            previous=request.previous,
            fresh=request.fresh,
            weights=weights,
        )
        term = placement.term(request.observed)
        dealing = divide_by_tier if term is not None and term.overflow else divide
        counts = dealing(order, selected)
        # One object for all equal entries: many bindings have the same few.
        targets = [self._targets.get(key) or self._target(key) for key in counts]
        if self._empty_workloads:
            served = {name for name, _count in counts}
            targets += [TargetCluster(name) for name in selected.names if name not in served]
        return targets

    def _target(self, key: tuple[str, int]) -> TargetCluster:
        return self._targets.keep(key, TargetCluster(*key))


def ranked(
    topology: Topology,
    slots: Slots,
    scores: Ints,
    tiers: Ints | None,
    capacities: tuple[Ints, Ints],
) -> Candidates:
    """Clusters in the common order: tier, score, availability (the larger first), name.

    Args:
        topology: The fleet.
        slots: The clusters.
        scores: Score of each of them.
        tiers: Overflow order of every cluster of the fleet; None for one tier.
        capacities: Allocatable and available replicas of each of them.
    """
    allocatable, available = capacities
    own = np.zeros(len(slots), dtype=np.int64) if tiers is None else tiers[slots]
    order = np.lexsort((topology.ranks[slots], -available, -scores, own))
    places = slots[order].tolist()
    names = topology.names
    return Candidates(
        names=[names[slot] for slot in places],
        slots=places,
        scores=scores[order].tolist(),
        tiers=own[order].tolist(),
        allocatable=allocatable[order].tolist(),
        available=available[order].tolist(),
    )
