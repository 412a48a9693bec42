"""What the operations return."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, cast

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    JsonObject,
    as_integer,
    deep_copy,
    objects_at,
    read_map,
    read_str,
)

HealthStatus = Literal["Healthy", "Progressing", "Degraded", "Suspended", "Missing", "Unknown"]
HEALTH_STATUSES: Final[tuple[HealthStatus, ...]] = (
    "Healthy",
    "Progressing",
    "Degraded",
    "Suspended",
    "Missing",
    "Unknown",
)


class NoStatus(enum.Enum):
    """The type of ``NO_STATUS``."""

    NO_STATUS = "NO_STATUS"

    def __repr__(self) -> str:
        return "NO_STATUS"


#: What a ``reflect_status`` hook returns for "nothing to report"; None would mean "not mine".
NO_STATUS: Final = NoStatus.NO_STATUS


@dataclass(frozen=True, slots=True)
class NodeClaim:
    """Node constraints of a pod template (``work.karmada.io/v1alpha2`` NodeClaim)."""

    hard_node_affinity: JsonObject | None = None
    node_selector: dict[str, str] | None = None
    tolerations: tuple[JsonObject, ...] = ()

    def to_dict(self) -> JsonObject:
        """JSON shape; empty parts are left out."""
        result: JsonObject = {}
        if self.hard_node_affinity is not None:
            result["hardNodeAffinity"] = deep_copy(self.hard_node_affinity)
        if self.node_selector:
            result["nodeSelector"] = dict(self.node_selector)
        if self.tolerations:
            result["tolerations"] = [deep_copy(item) for item in self.tolerations]
        return result


@dataclass(frozen=True, slots=True)
class ReplicaRequirements:
    """What one replica needs (``work.karmada.io/v1alpha2`` ReplicaRequirements).

    Attributes:
        node_claim: Node constraints, None when the template states none.
        resource_request: Canonical quantities by resource name.
        namespace: Namespace of the owner; set by the pipeline.
        priority_class_name: Set by the pipeline where its feature is on.
    """

    node_claim: NodeClaim | None = None
    resource_request: Mapping[str, str] | None = None
    namespace: str = ""
    priority_class_name: str = ""

    def to_dict(self) -> JsonObject:
        """JSON shape; empty parts are left out, an empty node claim is not."""
        result: JsonObject = {}
        if self.node_claim is not None:
            result["nodeClaim"] = self.node_claim.to_dict()
        if self.resource_request:
            result["resourceRequest"] = dict(self.resource_request)
        if self.namespace:
            result["namespace"] = self.namespace
        if self.priority_class_name:
            result["priorityClassName"] = self.priority_class_name
        return result

    @staticmethod
    def from_dict(data: JsonObject) -> ReplicaRequirements:
        """Reads the JSON shape.

        Raises:
            InvalidObject: A field has the wrong type.
        """
        claim = read_map(data, "nodeClaim")
        request = read_map(data, "resourceRequest") or {}
        node_claim = None
        if claim is not None:
            node_claim = NodeClaim(
                hard_node_affinity=read_map(claim, "hardNodeAffinity"),
                node_selector=read_map(claim, "nodeSelector"),
                tolerations=tuple(objects_at(claim, "tolerations")),
            )
        return ReplicaRequirements(
            node_claim=node_claim,
            resource_request={name: str(amount) for name, amount in request.items()},
            namespace=read_str(data, "namespace"),
            priority_class_name=read_str(data, "priorityClassName"),
        )


@dataclass(frozen=True, slots=True)
class ReplicaResult:
    """Answer of GetReplicas.

    A count in 0..2^31-1 and what each replica needs (None: nothing stated).
    """

    replicas: int
    requirements: ReplicaRequirements | None = None

    def to_dict(self) -> JsonObject:
        """``{"replicas": …, "requirements": … or null}``."""
        requirements = self.requirements
        return {
            "replicas": self.replicas,
            "requirements": None if requirements is None else requirements.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Component:
    """One part of an object with several pod templates (``work.karmada.io/v1alpha2`` Component)."""

    name: str
    replicas: int
    replica_requirements: ReplicaRequirements | None = None

    def to_dict(self) -> JsonObject:
        """JSON shape of the API; requirements are left out when None."""
        result: JsonObject = {"name": self.name, "replicas": self.replicas}
        if self.replica_requirements is not None:
            result["replicaRequirements"] = self.replica_requirements.to_dict()
        return result

    @staticmethod
    def from_dict(data: JsonObject) -> Component:
        """Reads the JSON shape.

        Raises:
            InvalidObject: A field has the wrong type, or the count is out of range.
        """
        count = as_integer(data.get("replicas"), "replicas")
        if count < 0:
            raise InvalidObject("must not be negative", path="replicas", value=count)
        requirements = read_map(data, "replicaRequirements")
        return Component(
            name=read_str(data, "name"),
            replicas=count,
            replica_requirements=None
            if requirements is None
            else ReplicaRequirements.from_dict(requirements),
        )


class DependentObjectReference(NamedTuple):
    """An object, or objects by label, that must travel with another.

    The type is DependentObjectReference of ``config.karmada.io/v1alpha1``.
    """

    api_version: str
    kind: str
    namespace: str = ""
    name: str = ""
    label_selector: JsonObject | None = None

    def to_dict(self) -> JsonObject:
        """JSON shape; empty parts are left out."""
        result: JsonObject = {"apiVersion": self.api_version, "kind": self.kind}
        if self.namespace:
            result["namespace"] = self.namespace
        if self.name:
            result["name"] = self.name
        if self.label_selector is not None:
            result["labelSelector"] = deep_copy(self.label_selector)
        return result

    @staticmethod
    def from_dict(data: JsonObject) -> DependentObjectReference:
        """Reads the JSON shape.

        Raises:
            InvalidObject: A field has the wrong type.
        """
        return DependentObjectReference(
            api_version=read_str(data, "apiVersion"),
            kind=read_str(data, "kind"),
            namespace=read_str(data, "namespace"),
            name=read_str(data, "name"),
            label_selector=read_map(data, "labelSelector"),
        )


@dataclass(frozen=True, slots=True)
class Health:
    """Answer of InterpretHealth.

    Attributes:
        status: What a person would call the state.
        reason: A CamelCase word that says why, or empty.
        message: One line for people, or empty.
        healthy: The boolean a control plane acts on. Left out, it is ``status in (Healthy,
            Suspended)``; the native tier sets it as Karmada does, which may differ from what a
            person would say.
        stated: Whether ``healthy`` was given. A rule that leaves it out says what a person would
            call the state, and no more. Two answers that differ in this only are equal.
    """

    status: HealthStatus
    reason: str = ""
    message: str = ""
    healthy: bool = None  # type: ignore[assignment]  # None only until __post_init__
    stated: bool = field(init=False, repr=False, compare=False, default=True)

    def __post_init__(self) -> None:
        if cast("bool | None", self.healthy) is None:
            object.__setattr__(self, "stated", False)
            object.__setattr__(self, "healthy", self.status in ("Healthy", "Suspended"))

    def to_dict(self) -> JsonObject:
        """All four fields."""
        return {
            "status": self.status,
            "reason": self.reason,
            "message": self.message,
            "healthy": self.healthy,
        }
