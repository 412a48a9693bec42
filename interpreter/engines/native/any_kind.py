"""What the native tier answers for every kind: the whole status as it is, and pruning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from interpreter.codec.copying import copy_object
from interpreter.machinery.unstructured import JsonObject, deep_copy, metadata_of, strict_map

_PRUNED_METADATA = frozenset(
    {
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
        "uid",
        "ownerReferences",
        "finalizers",
    }
)


def reflect_status(obj: JsonObject) -> JsonObject | None:
    """The whole ``.status``; nothing when it is absent or null.

    Raises:
        InvalidObject: The status is no object.
    """
    if obj.get("status") is None:
        return None
    return deep_copy(strict_map(obj, "status"))  # type: ignore[no-any-return]


def drop_annotations(obj: JsonObject, names: Iterable[str]) -> None:
    """Takes annotations out of a pruned template; whatever odd shape its metadata has stays."""
    annotations = metadata_of(obj).get("annotations")
    if isinstance(annotations, dict):
        for name in names:
            annotations.pop(name, None)


def pruner(
    rules: Mapping[str, Callable[[JsonObject, bool], None]],
) -> Callable[[JsonObject, bool], JsonObject]:
    """Prune for all kinds, with further rules by kind, whatever its group, as in the reference."""

    def prune(obj: JsonObject, remove_job_ttl: bool) -> JsonObject:
        """A copy without status and without the metadata that an API server wrote."""
        pruned: JsonObject = {}
        for key, value in obj.items():
            if key == "metadata" and isinstance(value, dict):
                pruned[key] = {
                    name: item for name, item in value.items() if name not in _PRUNED_METADATA
                }
            elif key != "status":
                pruned[key] = value
        pruned = copy_object(pruned)
        rule = rules.get(obj.get("kind", ""))
        if rule is not None:
            rule(pruned, remove_job_ttl)
        return pruned

    return prune
