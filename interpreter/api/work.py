"""API group ``work.karmada.io``: bindings (``v1alpha2``) and works (``v1alpha1``).

Programs write them, not people: the types are for documents that come from elsewhere. The pure
rooms build and read plain dicts of these shapes.
"""

from __future__ import annotations

from typing import Any, Literal

from interpreter.api.objects import Amount, Count, Meta, Open, StatusCondition, Text
from interpreter.api.placement import Placement, TargetCluster
from interpreter.api.policy import FailoverBehavior, Suspension


class ObjectReference(Open):
    """The template that a binding is about."""

    apiVersion: Text
    kind: Text
    namespace: str | None = None
    name: Text
    uid: str | None = None
    resourceVersion: str | None = None


class Requirements(Open):
    """What one replica needs."""

    nodeClaim: dict[str, Any] | None = None
    resourceRequest: dict[str, Amount] | None = None
    namespace: str | None = None
    priorityClassName: str | None = None


class BindingComponent(Open):
    """One part of a template with several pod templates."""

    name: Text
    replicas: Count | None = None
    replicaRequirements: Requirements | None = None


class BindingSnapshot(Open):
    """A binding that needs this one's object, and its schedule."""

    namespace: str | None = None
    name: Text
    clusters: list[TargetCluster] | None = None


class GracefulEvictionTask(Open):
    """A cluster that the object leaves."""

    fromCluster: Text
    purgeMode: str | None = None
    replicas: Count | None = None
    reason: str | None = None
    message: str | None = None
    producer: str | None = None
    gracePeriodSeconds: int | None = None
    suppressDeletion: bool | None = None
    preservedLabelState: dict[str, str] | None = None
    creationTimestamp: str | None = None
    clustersBeforeFailover: list[str] | None = None


class WorkloadAffinityGroups(Open):
    """The groups that a workload belongs to."""

    affinityGroup: str | None = None
    antiAffinityGroup: str | None = None


class ResourceBindingSpec(Open):
    """``spec`` of both bindings."""

    resource: ObjectReference
    replicas: Count | None = None
    replicaRequirements: Requirements | None = None
    components: list[BindingComponent] | None = None
    clusters: list[TargetCluster] | None = None
    placement: Placement | None = None
    propagateDeps: bool | None = None
    gracefulEvictionTasks: list[GracefulEvictionTask] | None = None
    requiredBy: list[BindingSnapshot] | None = None
    schedulerName: str | None = None
    failover: FailoverBehavior | None = None
    conflictResolution: str | None = None
    rescheduleTriggeredAt: str | None = None
    suspension: Suspension | None = None
    preserveResourcesOnDeletion: bool | None = None
    schedulePriority: dict[str, Any] | None = None
    workloadAffinityGroups: WorkloadAffinityGroups | None = None


class AggregatedStatusItem(Open):
    """What one cluster says about the object; ``status`` is any JSON value."""

    clusterName: Text
    status: Any = None
    applied: bool | None = None
    appliedMessage: str | None = None
    health: str | None = None


class ResourceBindingStatus(Open):
    """``status`` of both bindings."""

    schedulerObservedGeneration: int | None = None
    schedulerObservingAffinityName: str | None = None
    lastScheduledTime: str | None = None
    conditions: list[StatusCondition] | None = None
    aggregatedStatus: list[AggregatedStatusItem] | None = None


class ResourceBinding(Open):
    """The schedule of a template in a namespace."""

    apiVersion: Literal["work.karmada.io/v1alpha2"]
    kind: Literal["ResourceBinding"]
    metadata: Meta
    spec: ResourceBindingSpec
    status: ResourceBindingStatus | None = None


class ClusterResourceBinding(Open):
    """The schedule of a template without a namespace."""

    apiVersion: Literal["work.karmada.io/v1alpha2"]
    kind: Literal["ClusterResourceBinding"]
    metadata: Meta
    spec: ResourceBindingSpec
    status: ResourceBindingStatus | None = None


class WorkloadTemplate(Open):
    """The objects of a work."""

    manifests: list[dict[str, Any]] | None = None


class WorkSpec(Open):
    """``spec`` of a work."""

    workload: WorkloadTemplate | None = None
    suspendDispatching: bool | None = None
    preserveResourcesOnDeletion: bool | None = None


class ManifestStatus(Open):
    """The state of one object of a work."""

    identifier: dict[str, Any] | None = None
    status: Any = None
    health: str | None = None


class WorkStatus(Open):
    """``status`` of a work."""

    conditions: list[StatusCondition] | None = None
    manifestStatuses: list[ManifestStatus] | None = None


class Work(Open):
    """Objects for one cluster."""

    apiVersion: Literal["work.karmada.io/v1alpha1"]
    kind: Literal["Work"]
    metadata: Meta
    spec: WorkSpec | None = None
    status: WorkStatus | None = None
