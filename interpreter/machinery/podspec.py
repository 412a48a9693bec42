"""What a pod template needs (resources, nodes) and what it refers to (config maps, secrets, …).

Rules are those of Karmada 1.19's native interpreter, which follow ``k8s.io/component-helpers`` for
resources and ``k8s.io/kubernetes/pkg/api/v1/pod`` for references: requests default to limits per
resource name; pod request = sum over containers, maximum with each init container, plus overhead;
pod-level resources and ephemeral containers do not count.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from interpreter.errors import InvalidObject, join_path
from interpreter.machinery import quantity
from interpreter.machinery.names import is_label_key
from interpreter.machinery.unstructured import (
    INT64_MAX,
    JsonObject,
    deep_copy,
    list_or_empty,
    map_at,
    map_or_empty,
    objects_at,
    read_map,
    read_str,
    strict_string_map,
)

_BINARY_NAMES = frozenset({"memory", "ephemeral-storage"})
_PLAIN_NAMES = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})
#: Longer names and texts are nothing real: they are not kept in caches.
_CACHED = 512
_HUGEPAGES = "hugepages-"


class NodeConstraints(NamedTuple):
    """Constraints of a pod template on its node; copies, free to keep."""

    hard_node_affinity: JsonObject | None
    node_selector: dict[str, str] | None
    tolerations: tuple[JsonObject, ...]


class PodReferences(NamedTuple):
    """Names that a pod template refers to in its own namespace, each sorted."""

    config_maps: list[str]
    secrets: list[str]
    service_accounts: list[str]
    claims: list[str]


def resource_request(pod: JsonObject) -> dict[str, str]:
    """Canonical quantities by resource name for one pod of a pod spec.

    Empty when it requests nothing.

    Raises:
        InvalidObject: A field that is read has the wrong type, a quantity is none, or a sum leaves
            int64.
    """
    totals: dict[str, int] = {}
    for index, container in enumerate(list_or_empty(pod, "containers")):
        for name, amount in _container_amounts(container, "containers", index):
            totals[name] = totals.get(name, 0) + amount
    for index, container in enumerate(list_or_empty(pod, "initContainers")):
        for name, amount in _container_amounts(container, "initContainers", index):
            if amount > totals.get(name, 0):
                totals[name] = amount
    for name, value in map_or_empty(pod, "overhead").items():
        counted = _amount(name, value, "overhead")
        if counted is not None:
            totals[name] = totals.get(name, 0) + counted
    return {name: _format(name, amount) for name, amount in totals.items() if amount > 0}


def node_constraints(pod: JsonObject) -> NodeConstraints | None:
    """Node constraints of a pod spec; None when it states none.

    They exist when ``nodeSelector`` is present (even empty), a required node affinity is present
    (even empty), or there are tolerations.

    Raises:
        InvalidObject: A field that is read has the wrong type.
    """
    selector = read_map(pod, "nodeSelector")
    tolerations = list_or_empty(pod, "tolerations")
    affinity = pod.get("affinity")
    required = None
    if affinity is not None:
        node_affinity = map_at(pod, "affinity", "nodeAffinity")
        required = read_map(
            node_affinity,
            "requiredDuringSchedulingIgnoredDuringExecution",
            "affinity.nodeAffinity",
        )
    if selector is None and required is None and not tolerations:
        return None
    if selector is not None:
        strict_string_map(pod, "nodeSelector")
    return NodeConstraints(
        None if required is None else deep_copy(required),
        None if selector is None else dict(selector),
        tuple(deep_copy(item) for item in objects_at(pod, "tolerations") if item is not None),
    )


def references(pod: JsonObject) -> PodReferences:
    """Objects a pod spec refers to by name; empty names are skipped.

    Config maps and secrets come from ``env`` and ``envFrom`` of all containers (init and ephemeral
    ones too), image pull secrets, volumes (projected sources and the secret of old storage drivers
    included); claims from volumes; the service account unless it is ``default``.

    Raises:
        InvalidObject: A field that is read has the wrong type.
    """
    config_maps: set[str] = set()
    secrets: set[str] = set()
    claims: set[str] = set()
    for field in ("containers", "initContainers", "ephemeralContainers"):
        for index, container in enumerate(list_or_empty(pod, field)):
            try:
                _container_references(container, config_maps, secrets)
            except InvalidObject as error:
                raise error.within(f"{field}[{index}]") from None
    for index, entry in enumerate(objects_at(pod, "imagePullSecrets")):
        if entry:
            secrets.add(read_str(entry, "name", f"imagePullSecrets[{index}]"))
    for index, volume in enumerate(list_or_empty(pod, "volumes")):
        try:
            _volume_references(volume, config_maps, secrets, claims)
        except InvalidObject as error:
            raise error.within(f"volumes[{index}]") from None
    account = read_str(pod, "serviceAccountName")
    for names in (config_maps, secrets, claims):
        names.discard("")
    return PodReferences(
        sorted(config_maps),
        sorted(secrets),
        [account] if account not in ("", "default") else [],
        sorted(claims),
    )


def _container_amounts(container: Any, field: str, index: int) -> list[tuple[str, int]]:
    """Requests of one container (limits where no request is given), as integers in their unit."""
    if container is None:
        return []
    try:
        if not isinstance(container, dict):
            raise InvalidObject("must be an object", value=container)
        resources = container.get("resources")
        if not resources and (resources is None or isinstance(resources, dict)):
            return []
        resources = map_or_empty(container, "resources")
        requests = map_or_empty(resources, "requests", "resources")
        limits = map_or_empty(resources, "limits", "resources")
        amounts = []
        for name, value in requests.items():
            amount = _amount(name, value, "resources.requests")
            if amount is not None:
                amounts.append((name, amount))
        for name, value in limits.items():
            amount = _amount(name, value, "resources.limits")
            if amount is not None and name not in requests:
                amounts.append((name, amount))
        return amounts
    except InvalidObject as error:
        raise error.within(f"{field}[{index}]") from None


def _amount(name: str, value: Any, path: str) -> int | None:
    """A quantity in the unit its resource is counted in.

    None for a resource that schedulers do not count.
    """
    if type(name) is not str:
        raise InvalidObject("must have strings as keys", path=path)
    try:
        if type(value) is str and len(name) + len(value) < _CACHED:
            return _text_amount(name, value)
        parsed = quantity.parse_json(value)
        return _count(name, parsed)
    except InvalidObject as error:
        raise error.within(join_path(path, name)) from None


@functools.lru_cache(maxsize=8192)
def _text_amount(name: str, text: str) -> int | None:
    return _count(name, quantity.parse_json(text))


def _count(name: str, parsed: quantity.Quantity) -> int | None:
    if name == "cpu":
        return parsed.milli
    if name in _PLAIN_NAMES or _is_counted(name):
        return parsed.value
    return None


def _is_counted(name: str) -> bool:
    return is_scalar_resource(name) if len(name) < _CACHED else is_scalar_resource.__wrapped__(name)


@functools.lru_cache(maxsize=1024)
def is_scalar_resource(name: str) -> bool:
    """Whether a resource is counted by name.

    Extended, hugepages, attachable volumes, or of the native domain.
    """
    if name.startswith((_HUGEPAGES, "attachable-volumes-")) or "kubernetes.io/" in name:
        return True
    return "/" in name and not name.startswith("requests.") and is_label_key(f"requests.{name}")


@functools.lru_cache(maxsize=8192)
def _format(name: str, amount: int) -> str:
    if amount > INT64_MAX:
        raise InvalidObject("the sum over containers leaves the 64-bit range", path=name)
    if name == "cpu":
        return quantity.format_scaled(amount, -3, "DecimalSI")
    binary = name in _BINARY_NAMES or name.startswith(_HUGEPAGES)
    return quantity.format_scaled(amount, 0, "BinarySI" if binary else "DecimalSI")


def _container_references(container: Any, config_maps: set[str], secrets: set[str]) -> None:
    if container is None:
        return
    if not isinstance(container, dict):
        raise InvalidObject("must be an object", value=container)
    for index, variable in enumerate(list_or_empty(container, "env")):
        try:
            # Most variables hold a plain value: look before descending.
            if variable is not None and variable.get("valueFrom") is not None:
                source = map_or_empty(variable, "valueFrom")
                config_maps.add(_name_in(source, "configMapKeyRef", "valueFrom"))
                secrets.add(_name_in(source, "secretKeyRef", "valueFrom"))
        except InvalidObject as error:
            raise error.within(f"env[{index}]") from None
        except AttributeError:
            raise InvalidObject("must be an object", path=f"env[{index}]", value=variable) from None
    for index, source in enumerate(objects_at(container, "envFrom")):
        if source:
            try:
                config_maps.add(_name_in(source, "configMapRef"))
                secrets.add(_name_in(source, "secretRef"))
            except InvalidObject as error:
                raise error.within(f"envFrom[{index}]") from None


def _name_in(parent: JsonObject, key: str, at: str = "", field: str = "name") -> str:
    """The name inside a reference object; empty when the reference or its name is absent."""
    reference = parent.get(key)
    if reference is None:
        return ""
    if not isinstance(reference, dict):
        raise InvalidObject("must be an object", path=join_path(at, key), value=reference)
    name = reference.get(field)
    if isinstance(name, str):
        return name
    if name is None:
        return ""
    raise InvalidObject("must be a string", path=join_path(at, f"{key}.{field}"), value=name)


#: Volume sources that name a secret, in the order in which the first one present counts: source
#: field, and either the field with the name itself or the field with a reference to it.
_SECRET_SOURCES: tuple[tuple[str, str, bool], ...] = (
    ("azureFile", "secretName", False),
    ("cephfs", "secretRef", True),
    ("cinder", "secretRef", True),
    ("flexVolume", "secretRef", True),
    ("projected", "", False),
    ("rbd", "secretRef", True),
    ("secret", "secretName", False),
    ("scaleIO", "secretRef", True),
    ("iscsi", "secretRef", True),
    ("storageos", "secretRef", True),
    ("csi", "nodePublishSecretRef", True),
)


def _volume_references(
    volume: Any, config_maps: set[str], secrets: set[str], claims: set[str]
) -> None:
    if volume is None:
        return
    if not isinstance(volume, dict):
        raise InvalidObject("must be an object", value=volume)
    projected = read_map(volume, "projected")
    if projected is not None:
        for index, source in enumerate(objects_at(projected, "sources", "projected")):
            config_maps.add(_name_in(source or {}, "configMap", f"projected.sources[{index}]"))
    else:
        config_maps.add(_name_in(volume, "configMap"))
    claims.add(_name_in(volume, "persistentVolumeClaim", field="claimName"))
    secrets.update(_volume_secrets(volume))


def _volume_secrets(volume: JsonObject) -> Iterator[str]:
    for field, key, nested in _SECRET_SOURCES:
        if volume.get(field) is None:
            continue
        source = map_or_empty(volume, field)
        if field == "projected":
            for index, item in enumerate(objects_at(source, "sources", field)):
                yield _name_in(item or {}, "secret", f"projected.sources[{index}]")
        elif nested:
            yield _name_in(source, key, field)
        else:
            yield read_str(source, key, field)
        return
