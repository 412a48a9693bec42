"""API group ``policy.karmada.io/v1alpha1``: policies that people write.

What goes where, what is changed on the way, and which taints clusters get.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from interpreter.api.objects import LabelSelector, Meta, Open, Requirement, Seconds, Text
from interpreter.api.placement import ClusterAffinity, FieldSelector, Placement
from interpreter.machinery.unstructured import INT32_MAX, INT32_MIN

_Api = Literal["policy.karmada.io/v1alpha1"]
_Patch = Literal["add", "remove", "replace"]


class ResourceSelector(Open):
    """Objects by kind, and by name or label."""

    apiVersion: Text
    kind: Text
    namespace: str | None = None
    name: str | None = None
    labelSelector: LabelSelector | None = None


class StatePreservationRule(Open):
    """A part of the status that a label carries over to the next cluster."""

    aliasLabelName: Text
    jsonPath: Text


class StatePreservation(Open):
    """What of the status survives a failover."""

    rules: Annotated[list[StatePreservationRule], Field(min_length=1)]


class DecisionConditions(Open):
    """When an application counts as failed."""

    tolerationSeconds: Seconds | None = None


class ApplicationFailover(Open):
    """Moving an application that is unhealthy."""

    decisionConditions: DecisionConditions | None = None
    purgeMode: str | None = None
    gracePeriodSeconds: Seconds | None = None
    statePreservation: StatePreservation | None = None


class ClusterFailover(Open):
    """Moving an application off a failed cluster."""

    purgeMode: str | None = None
    statePreservation: StatePreservation | None = None


class FailoverBehavior(Open):
    """How failures are handled."""

    application: ApplicationFailover | None = None
    cluster: ClusterFailover | None = None


class DispatchClusters(Open):
    """Clusters by name."""

    clusterNames: list[str] | None = None


class Suspension(Open):
    """What stands still: dispatching everywhere or to some clusters, or scheduling."""

    dispatching: bool | None = None
    dispatchingOnClusters: DispatchClusters | None = None
    scheduling: bool | None = None


class SchedulePriority(Open):
    """Where the priority of scheduling comes from."""

    priorityClassSource: str | None = None
    priorityClassName: str | None = None


class PropagationSpec(Open):
    """``spec`` of both propagation policies."""

    resourceSelectors: Annotated[list[ResourceSelector], Field(min_length=1)]
    propagateDeps: bool | None = None
    association: bool | None = None
    placement: Placement | None = None
    priority: Annotated[int, Field(ge=INT32_MIN, le=INT32_MAX)] | None = None
    preemption: Literal["Always", "Never"] | None = None
    dependentOverrides: list[str] | None = None
    schedulerName: str | None = None
    failover: FailoverBehavior | None = None
    conflictResolution: Literal["Abort", "Overwrite"] | None = None
    activationPreference: Literal["Lazy"] | None = None
    suspension: Suspension | None = None
    preserveResourcesOnDeletion: bool | None = None
    schedulePriority: SchedulePriority | None = None


class PropagationPolicy(Open):
    """Propagates objects of its namespace."""

    apiVersion: _Api
    kind: Literal["PropagationPolicy"]
    metadata: Meta
    spec: PropagationSpec


class ClusterPropagationPolicy(Open):
    """Propagates objects of every namespace, and those without one."""

    apiVersion: _Api
    kind: Literal["ClusterPropagationPolicy"]
    metadata: Meta
    spec: PropagationSpec


class ImagePredicate(Open):
    """Path of the image in the object."""

    path: Text


class ImageOverrider(Open):
    """Changes a part of an image's name."""

    predicate: ImagePredicate | None = None
    component: Literal["Registry", "Repository", "Tag"]
    operator: _Patch
    value: str | None = None


class CommandArgsOverrider(Open):
    """Adds to, or removes from, the command or arguments of a container."""

    containerName: Text
    operator: Literal["add", "remove"]
    value: list[str] | None = None


class LabelAnnotationOverrider(Open):
    """Changes labels or annotations."""

    operator: _Patch
    value: dict[str, str] | None = None


class PlaintextOverrider(Open):
    """A JSON patch operation; ``value`` is any JSON value."""

    path: Text
    operator: _Patch
    value: Any = None


class FieldPatchOperation(Open):
    """A JSON patch operation inside a field that holds JSON or YAML."""

    subPath: Text
    operator: _Patch
    value: Any = None


class FieldOverrider(Open):
    """Changes inside a field whose text is JSON or YAML."""

    fieldPath: Text
    # `json` and `yaml` are names of the API; the first would hide a method of pydantic's.
    json_: list[FieldPatchOperation] | None = Field(default=None, alias="json")
    yaml: list[FieldPatchOperation] | None = None


class Overriders(Open):
    """Changes, applied in the order of the fields here."""

    imageOverrider: list[ImageOverrider] | None = None
    commandOverrider: list[CommandArgsOverrider] | None = None
    argsOverrider: list[CommandArgsOverrider] | None = None
    labelsOverrider: list[LabelAnnotationOverrider] | None = None
    annotationsOverrider: list[LabelAnnotationOverrider] | None = None
    plaintext: list[PlaintextOverrider] | None = None
    fieldOverrider: list[FieldOverrider] | None = None


class RuleWithCluster(Open):
    """Changes for the clusters that an affinity names; none names all."""

    targetCluster: ClusterAffinity | None = None
    overriders: Overriders


class OverrideSpec(Open):
    """``spec`` of both override policies."""

    resourceSelectors: list[ResourceSelector] | None = None
    overrideRules: list[RuleWithCluster] | None = None
    targetCluster: ClusterAffinity | None = None
    overriders: Overriders | None = None


class OverridePolicy(Open):
    """Changes objects of its namespace on the way to a cluster."""

    apiVersion: _Api
    kind: Literal["OverridePolicy"]
    metadata: Meta
    spec: OverrideSpec


class ClusterOverridePolicy(Open):
    """Changes objects of every namespace on the way to a cluster."""

    apiVersion: _Api
    kind: Literal["ClusterOverridePolicy"]
    metadata: Meta
    spec: OverrideSpec


class MatchCondition(Open):
    """A condition of a cluster, by type and status."""

    conditionType: Text
    operator: Literal["In", "NotIn"]
    statusValues: list[str]


class PolicyTaint(Open):
    """A taint to set."""

    key: Text
    effect: Literal["NoSchedule", "NoExecute"]
    value: str | None = None


class ClusterTaintSpec(Open):
    """``spec`` of a cluster taint policy."""

    targetClusters: ClusterAffinity | None = None
    addOnConditions: list[MatchCondition] | None = None
    removeOnConditions: list[MatchCondition] | None = None
    taints: Annotated[list[PolicyTaint], Field(min_length=1)]


class ClusterTaintPolicy(Open):
    """Sets taints on clusters by their conditions."""

    apiVersion: _Api
    kind: Literal["ClusterTaintPolicy"]
    metadata: Meta
    spec: ClusterTaintSpec


#: Types by kind.
POLICY_KINDS: dict[str, type[Open]] = {
    model.__name__: model
    for model in (
        PropagationPolicy,
        ClusterPropagationPolicy,
        OverridePolicy,
        ClusterOverridePolicy,
        ClusterTaintPolicy,
    )
}

__all__ = [
    "POLICY_KINDS",
    "ApplicationFailover",
    "ClusterAffinity",
    "ClusterFailover",
    "ClusterOverridePolicy",
    "ClusterPropagationPolicy",
    "ClusterTaintPolicy",
    "CommandArgsOverrider",
    "FailoverBehavior",
    "FieldOverrider",
    "FieldSelector",
    "ImageOverrider",
    "LabelAnnotationOverrider",
    "LabelSelector",
    "OverridePolicy",
    "Overriders",
    "Placement",
    "PlaintextOverrider",
    "PropagationPolicy",
    "PropagationSpec",
    "Requirement",
    "ResourceSelector",
    "RuleWithCluster",
    "Suspension",
]
