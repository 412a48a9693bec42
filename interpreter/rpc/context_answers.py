"""What ``response`` of a ResourceInterpreterContext holds for each operation, both directions."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    Health,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.codec import json, jsonpatch
from interpreter.codec.copying import copy_object
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    list_or_empty,
    read_count,
    read_map,
)
from interpreter.operations import OPERATIONS

PATCH_TYPE = "JSONPatch"


@dataclass(frozen=True, slots=True)
class Answer:
    """How a result travels.

    Attributes:
        write: Fields of ``response`` for the object that was asked about and its result.
        read: The result for that object and a ``response``; raises InvalidObject.
    """

    write: Callable[[JsonObject, Any], JsonObject]
    read: Callable[[JsonObject, JsonObject], Any]


def _write_replicas(_obj: JsonObject, result: ReplicaResult) -> JsonObject:
    fields: JsonObject = {"replicas": result.replicas}
    if result.requirements is not None:
        fields["replicaRequirements"] = result.requirements.to_dict()
    return fields


def _read_replicas(_obj: JsonObject, response: JsonObject) -> ReplicaResult:
    replicas = read_count(response, "replicas", "response")
    if replicas is None:
        raise InvalidObject("is absent", path="response.replicas")
    stated = read_map(response, "replicaRequirements", "response")
    if stated is None:
        return ReplicaResult(replicas)
    try:
        return ReplicaResult(replicas, ReplicaRequirements.from_dict(stated))
    except InvalidObject as error:
        raise error.within("response.replicaRequirements") from None


def _write_components(_obj: JsonObject, result: list[Component]) -> JsonObject:
    return {"components": [component.to_dict() for component in result]}


def _read_components(_obj: JsonObject, response: JsonObject) -> list[Component]:
    return _each(response, "components", Component.from_dict)


def _write_dependencies(_obj: JsonObject, result: list[DependentObjectReference]) -> JsonObject:
    return {"dependencies": [reference.to_dict() for reference in result]}


def _read_dependencies(_obj: JsonObject, response: JsonObject) -> list[DependentObjectReference]:
    return _each(response, "dependencies", DependentObjectReference.from_dict)


def _each(response: JsonObject, field: str, read: Callable[[JsonObject], Any]) -> list[Any]:
    """A list of records; absent is empty, as Go leaves empty lists out."""
    found = []
    for index, item in enumerate(list_or_empty(response, field, "response")):
        path = f"response.{field}[{index}]"
        if not isinstance(item, dict):
            raise InvalidObject("must be an object", path=path, value=item)
        try:
            found.append(read(item))
        except InvalidObject as error:
            raise error.within(path) from None
    return found


def _write_status(_obj: JsonObject, result: JsonValue) -> JsonObject:
    # Clients take an absent status for a fault: "nothing to report" is an empty one.
    return {"rawStatus": {} if result is None else result}


def _read_status(_obj: JsonObject, response: JsonObject) -> JsonValue:
    if response.get("rawStatus") is None:
        raise InvalidObject("is absent", path="response.rawStatus")
    return response["rawStatus"]


def _write_health(_obj: JsonObject, result: Health) -> JsonObject:
    return {"healthy": result.healthy}


def _read_health(_obj: JsonObject, response: JsonObject) -> bool:
    healthy = response.get("healthy")
    if healthy is None:
        raise InvalidObject("is absent", path="response.healthy")
    if not isinstance(healthy, bool):
        raise InvalidObject("must be a boolean", path="response.healthy", value=healthy)
    return healthy


def _write_patch(obj: JsonObject, result: JsonObject) -> JsonObject:
    operations = jsonpatch.diff(obj, result)
    if not operations:
        # Neither patch nor patchType: unchanged. Clients refuse an empty patch.
        return {}
    encoded = base64.b64encode(json.dumps(operations).encode()).decode()
    return {"patch": encoded, "patchType": PATCH_TYPE}


def _read_patch(obj: JsonObject, response: JsonObject) -> JsonObject:
    patch, patch_type = response.get("patch"), response.get("patchType")
    if patch is not None and not isinstance(patch, str):
        raise InvalidObject("must be a string in base64", path="response.patch", value=patch)
    if not patch and patch_type is None:
        return copy_object(obj)
    if patch_type is None:
        raise InvalidObject("is absent, but there is a patch", path="response.patchType")
    if not patch:
        raise InvalidObject("is absent, but there is a patchType", path="response.patch")
    if patch_type != PATCH_TYPE:
        raise InvalidObject(f"must be {PATCH_TYPE}", path="response.patchType", value=patch_type)
    try:
        operations = json.loads(base64.b64decode(patch, validate=True))
        return jsonpatch.apply(obj, operations)  # type: ignore[no-any-return]  # accepted later
    except (binascii.Error, ValueError) as error:
        problem = f"is no base64: {error}"
        raise InvalidObject(problem, path="response.patch") from None
    except InvalidObject as error:
        raise error.within("response.patch") from None


_PATCH = Answer(_write_patch, _read_patch)

#: Every operation of the protocol.
ANSWERS: dict[Operation, Answer] = {
    Operation.GET_REPLICAS: Answer(_write_replicas, _read_replicas),
    Operation.GET_COMPONENTS: Answer(_write_components, _read_components),
    Operation.GET_DEPENDENCIES: Answer(_write_dependencies, _read_dependencies),
    Operation.REFLECT_STATUS: Answer(_write_status, _read_status),
    Operation.INTERPRET_HEALTH: Answer(_write_health, _read_health),
    **{
        operation: _PATCH
        for operation, spec in OPERATIONS.items()
        if spec.returns_object and spec.reference_name
    },
}
