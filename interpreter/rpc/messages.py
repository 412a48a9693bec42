"""Parts of messages: JSON fields, kinds, requirements and the context of a call, both ways."""

from __future__ import annotations

from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import Component, NodeClaim, ReplicaRequirements
from interpreter.codec import json
from interpreter.errors import InvalidObject, guard_depth
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.rpc.v1 import interpreter_pb2 as pb

#: Number of an operation on the wire, and back.
WIRE_OPERATIONS: dict[Operation, Any] = {
    operation: pb.Operation.Value(f"OPERATION_{operation.name}") for operation in Operation
}
OPERATIONS_OF_WIRE: dict[int, Operation] = {
    number: operation for operation, number in WIRE_OPERATIONS.items()
}


def to_json(value: JsonValue) -> bytes:
    """A value as a JSON field.

    Raises:
        InvalidObject: JSON has no such value.
    """
    return guard_depth(lambda: json.dumps(value)).encode()


def from_json(data: bytes, field: str) -> JsonValue:
    """The value of a JSON field.

    Raises:
        InvalidObject: The text is not JSON, or cannot be kept without loss.
    """
    try:
        return guard_depth(lambda: json.loads(data))
    except InvalidObject as error:
        # The path inside the object stays as it is; a text without one is about the whole field.
        error.annotate(path=field)
        raise


def object_from_json(data: bytes, field: str) -> JsonObject:
    """The object of a JSON field.

    Raises:
        InvalidObject: As :func:`from_json`, or it is no object.
    """
    value = from_json(data, field)
    if not isinstance(value, dict):
        raise InvalidObject("must be a JSON object", path=field, value=value)
    return value


def optional_object(data: bytes | None, field: str) -> JsonObject | None:
    """As :func:`object_from_json`, None for None."""
    return None if data is None else object_from_json(data, field)


def wire_gvk(gvk: GVK) -> pb.GroupVersionKind:
    """A kind as a message."""
    return pb.GroupVersionKind(group=gvk.group, version=gvk.version, kind=gvk.kind)


def read_gvk(message: pb.GroupVersionKind) -> GVK:
    """A kind of a message."""
    return GVK(message.group, message.version, message.kind)


def read_operation(number: int) -> Operation:
    """An operation of a message.

    Raises:
        InvalidObject: Unspecified, or newer than this version.
    """
    operation = OPERATIONS_OF_WIRE.get(number)
    if operation is None:
        raise InvalidObject("names no operation", path="operation", value=number)
    return operation


def wire_context(context: HookContext) -> pb.CallContext:
    """What travels of a context: everything but deadline (the call has it), logger and clock."""
    return pb.CallContext(
        cluster_name=context.cluster_name,
        cluster_labels=context.cluster_labels,
        target_count=context.target_count,
        feature_gates=context.feature_gates,
    )


def read_context(message: Any, deadline: float | None) -> HookContext | None:
    """The context of a request; None when there is nothing that a hook could want to know.

    Args:
        message: A request with a ``context`` field.
        deadline: ``time.monotonic()`` value at which the caller gives up.
    """
    if not message.HasField("context"):
        return None if deadline is None else HookContext(deadline=deadline)
    given: pb.CallContext = message.context
    count = given.target_count if given.HasField("target_count") else None
    if count is not None and count < 0:
        raise InvalidObject("must not be negative", path="context.target_count", value=count)
    return HookContext(
        cluster_name=given.cluster_name,
        cluster_labels=dict(given.cluster_labels),
        target_count=count,
        feature_gates=dict(given.feature_gates),
        deadline=deadline,
    )


def wire_requirements(value: ReplicaRequirements) -> pb.ReplicaRequirements:
    """Requirements as a message."""
    message = pb.ReplicaRequirements(
        resource_request=value.resource_request,
        namespace=value.namespace,
        priority_class_name=value.priority_class_name,
    )
    claim = value.node_claim
    if claim is not None:
        affinity = claim.hard_node_affinity
        message.node_claim.CopyFrom(
            pb.NodeClaim(
                hard_node_affinity=None if affinity is None else to_json(affinity),
                node_selector=claim.node_selector,
                tolerations=[to_json(item) for item in claim.tolerations],
            )
        )
    return message


def read_requirements(message: Any, field: str) -> ReplicaRequirements | None:
    """Requirements of a message; None when the field is absent. Empty parts are None."""
    if not message.HasField(field):
        return None
    given: pb.ReplicaRequirements = getattr(message, field)
    claim = None
    if given.HasField("node_claim"):
        wire = given.node_claim
        affinity = wire.hard_node_affinity if wire.HasField("hard_node_affinity") else None
        claim = NodeClaim(
            hard_node_affinity=optional_object(affinity, "hard_node_affinity"),
            node_selector=dict(wire.node_selector) or None,
            tolerations=tuple(object_from_json(item, "tolerations") for item in wire.tolerations),
        )
    return ReplicaRequirements(
        node_claim=claim,
        # A protobuf map has no order: the same answer must look the same each time.
        resource_request=dict(sorted(given.resource_request.items())) or None,
        namespace=given.namespace,
        priority_class_name=given.priority_class_name,
    )


def wire_component(value: Component) -> pb.Component:
    """A component as a message."""
    requirements = value.replica_requirements
    return pb.Component(
        name=value.name,
        replicas=value.replicas,
        replica_requirements=None if requirements is None else wire_requirements(requirements),
    )


def read_component(message: pb.Component) -> Component:
    """A component of a message."""
    return Component(
        name=message.name,
        replicas=message.replicas,
        replica_requirements=read_requirements(message, "replica_requirements"),
    )
