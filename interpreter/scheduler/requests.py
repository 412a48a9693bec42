"""What a pass reads of a binding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    objects_at,
    read_count,
    read_map,
    read_str,
)
from interpreter.scheduler.placements import Placement, compile_placement
from interpreter.scheduler.topology import Cache

#: Gates that a pass reads; all are off unless given.
MULTIPLE_TEMPLATES = "MultiplePodTemplatesScheduling"
WORKLOAD_AFFINITY = "WorkloadAffinity"
OVERCOMMIT_PROTECTION = "SchedulingOvercommitProtection"

_NO_GATES: Mapping[str, bool] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A binding, read for one pass.

    Attributes:
        binding: The binding itself.
        placement: Its placement.
        placement_key: Stands for the placement in caches.
        observed: Name of the affinity term that counts.
        kind: Group/version and kind of the template.
        uid: The template's uid, which decides ties.
        replicas: How many replicas it wants.
        requirements: What each needs.
        components: Its parts, when it has several pod templates.
        previous: Clusters that it is scheduled to, with replicas, in order.
        evicted: Clusters that it leaves.
        fresh: Whether the previous result does not count: a reschedule is due.
        grouped: Whether other workloads have a say.
        whole_sets: Whether its components are scheduled as sets, to one cluster.
    """

    binding: JsonObject
    placement: Placement
    placement_key: str
    observed: str
    kind: tuple[str, str]
    uid: str
    replicas: int
    requirements: JsonObject | None
    components: list[JsonObject]
    previous: list[tuple[str, int]]
    evicted: list[str]
    fresh: bool
    grouped: bool
    whole_sets: bool

    @property
    def is_workload(self) -> bool:
        """Whether it has replicas, or says what replicas would need."""
        return self.replicas > 0 or self.requirements is not None or bool(self.components)

    @property
    def divides(self) -> bool:
        """Whether replicas are given to clusters; else each selected cluster gets the object."""
        has_replicas = self.replicas > 0 or self.requirements is not None
        return has_replicas and len(self.components) <= 1

    @property
    def needed(self) -> int:
        """How many replicas, or sets, clusters must take."""
        return 1 if self.whole_sets else self.replicas


class Reader:
    """Reads bindings; compiled placements are kept for those that come with the same."""

    def __init__(self, feature_gates: Mapping[str, bool] = _NO_GATES) -> None:
        self.gates = dict(feature_gates)
        self._placements: Cache[str, Placement] = Cache(1024)

    def gate(self, name: str) -> bool:
        """Whether a gate is on."""
        return self.gates.get(name, False)

    def read(self, binding: JsonObject, *, observed: str | None = None) -> Request:
        """A binding, read for one pass.

        Args:
            binding: A ResourceBinding or a ClusterResourceBinding.
            observed: Name of the affinity term to try, instead of that in the status.

        Raises:
            InvalidObject: A field has the wrong type.
        """
        spec = map_or_empty(binding, "spec")
        status = map_or_empty(binding, "status")
        resource = map_or_empty(spec, "resource", "spec")
        key, placement = self._placement(map_or_empty(spec, "placement", "spec"))
        components = [entry or {} for entry in objects_at(spec, "components", "spec")]
        if observed is None:
            observed = read_str(status, "schedulerObservingAffinityName", "status")
        grouped = self.gate(WORKLOAD_AFFINITY) and bool(
            map_or_empty(spec, "workloadAffinityGroups", "spec")
        )
        return Request(
            binding=binding,
            placement=placement,
            placement_key=key,
            observed=observed,
            kind=(read_str(resource, "apiVersion"), read_str(resource, "kind")),
            uid=read_str(resource, "uid"),
            replicas=read_count(spec, "replicas", "spec") or 0,
            requirements=read_map(spec, "replicaRequirements", "spec"),
            components=components,
            previous=[
                (read_str(entry or {}, "name"), read_count(entry or {}, "replicas") or 0)
                for entry in objects_at(spec, "clusters", "spec")
            ],
            evicted=[
                read_str(entry or {}, "fromCluster")
                for entry in objects_at(spec, "gracefulEvictionTasks", "spec")
            ],
            fresh=reschedule_due(spec, status),
            grouped=grouped,
            whole_sets=bool(components)
            and self.gate(MULTIPLE_TEMPLATES)
            and _one_cluster(placement),
        )

    def _placement(self, placement: JsonObject) -> tuple[str, Placement]:
        # The text of a dict costs a tenth of reading it, and is equal only for equal placements.
        key = repr(placement)
        compiled = self._placements.get(key)
        if compiled is None:
            try:
                compiled = self._placements.keep(key, compile_placement(placement))
            except InvalidObject as error:
                raise error.within("spec.placement") from None
        return key, compiled


def _one_cluster(placement: Placement) -> bool:
    constraint = placement.constraint("cluster")
    return constraint is not None and constraint.min_groups == constraint.max_groups == 1


def reschedule_due(spec: JsonObject, status: JsonObject) -> bool:
    """Whether a reschedule was asked for after the last successful one.

    Raises:
        InvalidObject: One of the times is no RFC 3339 time.
    """
    asked = read_str(spec, "rescheduleTriggeredAt", "spec")
    last = read_str(status, "lastScheduledTime", "status")
    if not asked or not last:
        return False
    return _time(asked, "spec.rescheduleTriggeredAt") > _time(last, "status.lastScheduledTime")


def _time(text: str, path: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidObject("must be an RFC 3339 time", path=path, value=text) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
