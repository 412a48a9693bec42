"""Where an object goes: ``Placement`` of API group ``policy.karmada.io/v1alpha1``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from interpreter.api.objects import Count, LabelSelector, Open, Requirement, Text
from interpreter.machinery.unstructured import INT64_MAX

Groups = Annotated[int, Field(ge=0, le=INT64_MAX)]


class FieldSelector(Open):
    """Expressions on ``provider``, ``region`` and ``zone`` of a cluster."""

    matchExpressions: list[Requirement] | None = None


class ClusterAffinity(Open):
    """Clusters by label, field and name; all given parts must match. Exclusion wins."""

    labelSelector: LabelSelector | None = None
    fieldSelector: FieldSelector | None = None
    clusterNames: list[str] | None = None
    exclude: list[str] | None = None


class OverflowAffinity(ClusterAffinity):
    """Clusters that take what those before them cannot."""

    affinityName: str | None = None


class ClusterAffinityTerm(ClusterAffinity):
    """One of several affinities that are tried in order."""

    affinityName: Text
    overflowAffinities: list[OverflowAffinity] | None = None


class Toleration(Open):
    """``core/v1`` Toleration."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    tolerationSeconds: int | None = None


class SpreadConstraint(Open):
    """Between how many and how many groups of clusters an object spreads."""

    spreadByField: Literal["cluster", "region", "zone", "provider"] | None = None
    spreadByLabel: str | None = None
    minGroups: Groups | None = None
    maxGroups: Groups | None = None


class StaticClusterWeight(Open):
    """A weight for the clusters that an affinity names."""

    targetCluster: ClusterAffinity
    weight: Annotated[int, Field(ge=1, le=INT64_MAX)]


class ClusterPreferences(Open):
    """Weights of clusters; a dynamic weight wins over a static list."""

    staticWeightList: list[StaticClusterWeight] | None = None
    dynamicWeight: Literal["AvailableReplicas"] | None = None


class ReplicaSchedulingStrategy(Open):
    """How replicas are given to clusters."""

    replicaSchedulingType: Literal["Duplicated", "Divided"] | None = None
    replicaDivisionPreference: Literal["Aggregated", "Weighted"] | None = None
    weightPreference: ClusterPreferences | None = None


class GroupTerm(Open):
    """Workloads that have the same value under a label form a group."""

    groupByLabelKey: Text


class WorkloadAffinity(Open):
    """Groups of workloads that go to the same clusters, or to different ones."""

    affinity: GroupTerm | None = None
    antiAffinity: GroupTerm | None = None


class Placement(Open):
    """Which clusters, and how many replicas in each."""

    clusterAffinity: ClusterAffinity | None = None
    clusterAffinities: list[ClusterAffinityTerm] | None = None
    clusterTolerations: list[Toleration] | None = None
    spreadConstraints: list[SpreadConstraint] | None = None
    replicaScheduling: ReplicaSchedulingStrategy | None = None
    workloadAffinity: WorkloadAffinity | None = None


class TargetCluster(Open):
    """A cluster with its replicas in a schedule."""

    name: Text
    replicas: Count | None = None
