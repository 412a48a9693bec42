"""What an empty table is that a script made: a list, a map, or nothing worth keeping.

Lua has one kind of empty. A new one is decided by the same path in any input, then by the
Kubernetes types that occur inside many kinds; else the field is left out, as in the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from interpreter.api.operation import Operation
from interpreter.engines.lua.convert import NEW_EMPTY
from interpreter.machinery.unstructured import JsonValue

Shape = Literal["list", "map"]
Path = tuple[str, ...]

#: Path under which the first result of an operation lies in its object.
_ROOTS: dict[Operation, Path] = {Operation.REFLECT_STATUS: ("status",)}


def _shapes(*, lists: str = "", maps: str = "") -> dict[str, Shape]:
    found: dict[str, Shape] = dict.fromkeys(lists.split(), "list")
    found.update(dict.fromkeys(maps.split(), "map"))
    return found


_CONTAINER = _shapes(
    lists="args command env envFrom ports volumeMounts volumeDevices",
    maps="resources securityContext lifecycle",
)
_SELECTOR = _shapes(lists="matchExpressions", maps="matchLabels")
#: Fields by the name of their parent, list indexes left out (``k8s.io/api`` core/v1 and
#: ``metav1``).
_TYPES: dict[str, dict[str, Shape]] = {
    "metadata": _shapes(
        lists="finalizers ownerReferences managedFields", maps="labels annotations"
    ),
    "containers": _CONTAINER,
    "initContainers": _CONTAINER,
    "ephemeralContainers": _CONTAINER,
    "resources": _shapes(lists="claims", maps="limits requests"),
    "volumes": _shapes(maps="emptyDir"),
    "selector": _SELECTOR,
    "labelSelector": _SELECTOR,
    "namespaceSelector": _SELECTOR,
}
_POD_SPEC = _shapes(
    lists="containers initContainers ephemeralContainers volumes tolerations imagePullSecrets "
    "hostAliases topologySpreadConstraints readinessGates",
    maps="nodeSelector affinity securityContext",
)


def place(
    results: list[Any], arguments: Sequence[JsonValue], operation: Operation | None
) -> list[JsonValue]:
    """Decides the new empty tables of results.

    Args:
        results: Decoded results; changed in place.
        arguments: What the script was given. Items of a list argument count as objects of their
            own, so that ``items[*].status`` tells about ``.status``.
        operation: The operation, when known: what ReflectStatus returns lies at ``.status``.
    """
    inputs = _Inputs(arguments)
    root = _ROOTS.get(operation, ()) if operation is not None else ()
    for index, result in enumerate(results):
        if result is NEW_EMPTY:
            results[index] = {}
        else:
            _settle(result, root if index == 0 else (), inputs)
    return results


def _settle(value: Any, path: Path, inputs: _Inputs) -> None:
    if isinstance(value, dict):
        dropped = []
        for key, item in value.items():
            if item is NEW_EMPTY:
                shape = inputs.shape((*path, key)) or _typed((*path, key))
                if shape is None:
                    dropped.append(key)
                else:
                    value[key] = [] if shape == "list" else {}
            elif isinstance(item, (dict, list)):
                _settle(item, (*path, key), inputs)
        for key in dropped:
            del value[key]
    elif isinstance(value, list):
        for item in value:
            _settle(item, path, inputs)
        # What lies at the path of a list tells about the list, not about its elements.
        if any(item is NEW_EMPTY for item in value):
            value[:] = [item for item in value if item is not NEW_EMPTY]


class _Inputs:
    """What the arguments hold at a path, list indexes left out.

    Looked up path by path and kept: a result may have as many new empty tables as the arguments
    have objects.
    """

    def __init__(self, arguments: Sequence[JsonValue]) -> None:
        self._fields: dict[Path, dict[str, list[Any]]] = {(): _by_key(_objects(arguments))}

    def shape(self, path: Path) -> Shape | None:
        """The kind of container at a path; where both occur, the map."""
        found = self._at(path[:-1]).get(path[-1], ())
        if any(isinstance(value, dict) for value in found):
            return "map"
        return "list" if any(isinstance(value, list) for value in found) else None

    def _at(self, path: Path) -> dict[str, list[Any]]:
        """Values by key of all objects at a path."""
        fields = self._fields.get(path)
        if fields is None:
            fields = _by_key(_objects(self._at(path[:-1]).get(path[-1], ())))
            self._fields[path] = fields
        return fields


def _objects(values: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for value in values:
        if isinstance(value, dict):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))


def _by_key(objects: Iterator[dict[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for obj in objects:
        for key, value in obj.items():
            if isinstance(value, (dict, list)):
                found.setdefault(key, []).append(value)
    return found


def _typed(path: Path) -> Shape | None:
    if len(path) >= 3 and path[-3:-1] == ("template", "spec"):
        shape = _POD_SPEC.get(path[-1])
        if shape is not None:
            return shape
    return _TYPES.get(path[-2], {}).get(path[-1]) if len(path) >= 2 else None
