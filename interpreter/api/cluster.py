"""API group ``cluster.karmada.io/v1alpha1``: member clusters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from interpreter.api.objects import Amount, Meta, Open, StatusCondition, Text
from interpreter.machinery.unstructured import INT64_MAX


class Taint(Open):
    """``core/v1`` Taint."""

    key: Text
    effect: Text
    value: str | None = None
    timeAdded: str | None = None


class ResourceModelRange(Open):
    """A resource of a grade, from ``min`` on and below ``max``."""

    name: Text
    min: Amount | None = None
    max: Amount | None = None


class ResourceModel(Open):
    """A grade of nodes, by what they have."""

    grade: Annotated[int, Field(ge=0, le=INT64_MAX)]
    ranges: list[ResourceModelRange] | None = None


class ClusterSpec(Open):
    """``spec`` of a cluster, as far as the pipeline reads it."""

    id: str | None = None
    syncMode: str | None = None
    provider: str | None = None
    region: str | None = None
    zone: str | None = None
    zones: list[str] | None = None
    taints: list[Taint] | None = None
    resourceModels: list[ResourceModel] | None = None


class APIResource(Open):
    """A kind that a cluster serves."""

    name: str | None = None
    kind: Text


class APIEnablement(Open):
    """The kinds of a group and version that a cluster serves."""

    groupVersion: Text
    resources: list[APIResource] | None = None


class AllocatableModeling(Open):
    """How many nodes of a grade there are."""

    grade: Annotated[int, Field(ge=0, le=INT64_MAX)]
    count: int


class ResourceSummary(Open):
    """What a cluster has, by resource."""

    allocatable: dict[str, Amount] | None = None
    allocating: dict[str, Amount] | None = None
    allocated: dict[str, Amount] | None = None
    allocatableModelings: list[AllocatableModeling] | None = None


class ClusterStatus(Open):
    """``status`` of a cluster, as far as the pipeline reads it."""

    apiEnablements: list[APIEnablement] | None = None
    conditions: list[StatusCondition] | None = None
    resourceSummary: ResourceSummary | None = None


class Cluster(Open):
    """A member cluster."""

    apiVersion: Literal["cluster.karmada.io/v1alpha1"]
    kind: Literal["Cluster"]
    metadata: Meta
    spec: ClusterSpec | None = None
    status: ClusterStatus | None = None
