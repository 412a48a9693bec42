"""Host functions of the ``kube`` library, on the machinery that the native tier uses too."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.engines.lua import convert
from interpreter.errors import InvalidObject
from interpreter.machinery import podspec, quantity
from interpreter.machinery.unstructured import JsonObject, map_at

_LOGGER = logging.getLogger("interpreter.lua")

_OK, _FAILED, _TOO_LARGE = b"\x00", b"\x01", b"\x02"
#: Reply to ``print``, which gives nothing.
PRINTED = _OK
#: A message longer than this is cut; it may hold a value of the script.
_MAX_MESSAGE = 1000


def call(name: bytes, packed: bytes, room: float) -> bytes:
    """Runs a host function.

    Args:
        name: Name of the function.
        packed: msgpack list of its arguments; for ``print`` the text as it is.
        room: Bytes that the result may take.

    Returns:
        A status byte and the result in msgpack, or the message of an error that the script may
        catch.
    """
    if name == b"print":
        log_print(printed_text(packed))
        return PRINTED
    try:
        arguments = convert.decode(packed)
    except convert.InvalidText as problem:
        return _FAILED + f"{name.decode()}: {problem.path}: is no valid UTF-8".encode()
    try:
        result = _OK + convert.pack(_FUNCTIONS[name](arguments))
    except InvalidObject as problem:
        return _FAILED + f"{name.decode()}: {problem}".encode(errors="replace")[:_MAX_MESSAGE]
    except RecursionError:
        return _FAILED + f"{name.decode()}: the object is nested too deeply".encode()
    return result if len(result) <= room else _TOO_LARGE


def resource_add(amounts: Sequence[str | int | float | None]) -> str:
    """Sum of quantities; nil counts as none, a number as its text.

    The first one that is not zero sets the format.
    """
    return str(quantity.total([_quantity(amount) for amount in amounts if amount is not None]))


def resource_quantity(amount: str | float) -> float:
    """A quantity as a float, by the reference's arithmetic.

    Raises:
        InvalidObject: The text is no quantity, or it is negative.
    """
    parsed = _quantity(amount)
    if parsed.sign < 0:
        raise InvalidObject("must not be negative", value=str(parsed))
    return parsed.approximate()


def accurate_pod_requirements(template: Any) -> JsonObject | None:
    """What a pod of a template needs (``nodeClaim``, ``resourceRequest``).

    None when it states nothing.
    """
    pod = _pod(template)
    claim = podspec.node_constraints(pod)
    request = podspec.resource_request(pod)
    if claim is None and not request:
        return None
    result: JsonObject = {}
    if claim is not None:
        shown: JsonObject = {}
        if claim.hard_node_affinity is not None:
            shown["hardNodeAffinity"] = claim.hard_node_affinity
        if claim.node_selector:
            shown["nodeSelector"] = claim.node_selector
        if claim.tolerations:
            shown["tolerations"] = list(claim.tolerations)
        result["nodeClaim"] = shown
    if request:
        result["resourceRequest"] = request
    return result


def pod_dependencies(template: Any, namespace: str) -> list[JsonObject] | None:
    """Objects that a template refers to, in the order of kinds and names.

    None when there are none.
    """
    names = podspec.references(_pod(template))
    found: list[JsonObject] = []
    for kind, group in (
        ("ConfigMap", names.config_maps),
        ("Secret", names.secrets),
        ("ServiceAccount", names.service_accounts),
        ("PersistentVolumeClaim", names.claims),
    ):
        for name in group:
            reference: JsonObject = {"apiVersion": "v1", "kind": kind}
            if namespace:
                reference["namespace"] = namespace
            reference["name"] = name
            found.append(reference)
    return found or None


def printed_text(data: bytes) -> str:
    """What a script printed; bytes that are no text are shown as such."""
    return data.decode(errors="replace")


def wants_prints() -> bool:
    """Whether anybody listens to what scripts print."""
    return _LOGGER.isEnabledFor(logging.INFO)


def log_print(text: str) -> None:
    """Logs what a script printed."""
    _LOGGER.info("print: %s", text)


def _quantity(amount: str | float) -> quantity.Quantity:
    return quantity.parse(amount) if isinstance(amount, str) else quantity.parse_json(amount)


#: Fields of a pod template that are read. Scripts may write them in any case, as in the reference.
_FIELDS = {
    name.lower(): name
    for name in [
        "spec",
        "containers",
        "initContainers",
        "ephemeralContainers",
        "resources",
        "requests",
        "limits",
        "overhead",
        "nodeSelector",
        "tolerations",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "env",
        "valueFrom",
        "configMapKeyRef",
        "secretKeyRef",
        "envFrom",
        "configMapRef",
        "secretRef",
        "imagePullSecrets",
        "name",
        "volumes",
        "configMap",
        "secret",
        "secretName",
        "projected",
        "sources",
        "persistentVolumeClaim",
        "claimName",
        "serviceAccountName",
        "azureFile",
        "cephfs",
        "cinder",
        "flexVolume",
        "rbd",
        "scaleIO",
        "iscsi",
        "storageos",
        "csi",
        "nodePublishSecretRef",
    ]
}
#: Fields whose keys are names that a user chose.
_FREE = frozenset({"requests", "limits", "overhead", "nodeSelector", "metadata"})


def _pod(template: Any) -> JsonObject:
    """The pod spec of a template, without empty tables and nulls: the reference has none."""
    stripped = _plain(template, fields=True)
    return map_at(stripped, "spec") if isinstance(stripped, dict) else {}


def _plain(value: Any, *, fields: bool) -> Any:
    """A copy without empties and nulls; keys are field names (``fields``) or names of a user."""
    if isinstance(value, dict):
        found: JsonObject = {}
        for key, item in value.items():
            if _is_empty(item):
                continue
            name = (_FIELDS.get(key.lower()) if fields else None) or key
            if name == key or name not in value:
                found[name] = _plain(item, fields=fields and name not in _FREE)
        return found
    if isinstance(value, list):
        return [_plain(item, fields=fields) for item in value if not _is_empty(item)]
    return value


def _is_empty(value: Any) -> bool:
    """Whether the reference's scripts would not have it: empty tables, and nulls."""
    return (
        value is None
        or value is convert.NEW_EMPTY
        or (isinstance(value, (dict, list)) and not value)
    )


_FUNCTIONS: dict[bytes, Callable[[list[Any]], Any]] = {
    b"resourceAdd": resource_add,
    b"getResourceQuantity": lambda arguments: resource_quantity(*arguments),
    b"accuratePodRequirements": lambda arguments: accurate_pod_requirements(*arguments),
    b"getPodDependencies": lambda arguments: pod_dependencies(*arguments),
}
