"""Identity, labels, annotations and finalizers of objects; edits give copies.

A copy shares with its original what is not edited: nobody changes objects in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_str,
    strings_at,
)


class ObjectKey(NamedTuple):
    """What tells objects apart; the namespace of a cluster-scoped one is empty."""

    api_version: str
    kind: str
    namespace: str
    name: str


def key_of(obj: JsonObject) -> ObjectKey:
    """Key of an object."""
    return ObjectKey(
        read_str(obj, "apiVersion"), read_str(obj, "kind"), namespace_of(obj), name_of(obj)
    )


def reference_key(reference: JsonObject) -> ObjectKey:
    """Key of the object that a reference (``spec.resource`` of a binding) names."""
    return ObjectKey(
        read_str(reference, "apiVersion"),
        read_str(reference, "kind"),
        read_str(reference, "namespace"),
        read_str(reference, "name"),
    )


def by_key(objects: Iterable[JsonObject]) -> dict[ObjectKey, JsonObject]:
    """Objects by key; of two with one key the later counts."""
    return {key_of(obj): obj for obj in objects}


def labels_of(obj: JsonObject) -> JsonObject:
    """Labels, never to be changed."""
    return map_or_empty(map_or_empty(obj, "metadata"), "labels", "metadata")


def annotations_of(obj: JsonObject) -> JsonObject:
    """Annotations, never to be changed."""
    return map_or_empty(map_or_empty(obj, "metadata"), "annotations", "metadata")


def text_label(obj: JsonObject, key: str) -> str:
    """Value of a label, empty when absent."""
    return read_str(labels_of(obj), key, "metadata.labels")


def text_annotation(obj: JsonObject, key: str) -> str:
    """Value of an annotation, empty when absent."""
    return read_str(annotations_of(obj), key, "metadata.annotations")


def is_deleting(obj: JsonObject) -> bool:
    """Whether an object waits for its finalizers to go."""
    return bool(read_str(map_or_empty(obj, "metadata"), "deletionTimestamp", "metadata"))


def finalizers_of(obj: JsonObject) -> list[str]:
    """Finalizers, a new list."""
    return strings_at(map_or_empty(obj, "metadata"), "finalizers", "metadata")


def controller_uid(obj: JsonObject) -> str | None:
    """UID of the owner that controls an object; None when nobody does."""
    for owner in objects_at(map_or_empty(obj, "metadata"), "ownerReferences", "metadata"):
        if owner and owner.get("controller") is True:
            return read_str(owner, "uid", "metadata.ownerReferences")
    return None


def controlled_by(obj: JsonObject) -> list[JsonObject]:
    """Owner references of what exists for an object and goes with it."""
    return [
        {
            "apiVersion": read_str(obj, "apiVersion"),
            "kind": read_str(obj, "kind"),
            "name": name_of(obj),
            "uid": read_str(map_or_empty(obj, "metadata"), "uid", "metadata"),
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]


def marked(
    obj: JsonObject,
    *,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> JsonObject:
    """A copy with these labels and annotations beside those it has."""
    metadata = dict(map_or_empty(obj, "metadata"))
    if labels:
        metadata["labels"] = {**labels_of(obj), **labels}
    if annotations:
        metadata["annotations"] = {**annotations_of(obj), **annotations}
    return {**obj, "metadata": metadata}


def unmarked(
    obj: JsonObject, *, labels: Iterable[str] = (), annotations: Iterable[str] = ()
) -> JsonObject:
    """A copy without these labels and annotations; a map that becomes empty goes too."""
    metadata = dict(map_or_empty(obj, "metadata"))
    for field, keys in (("labels", set(labels)), ("annotations", set(annotations))):
        values = map_or_empty(metadata, field, "metadata")
        if not keys.isdisjoint(values):
            metadata[field] = {key: text for key, text in values.items() if key not in keys}
            if not metadata[field]:
                del metadata[field]
    return {**obj, "metadata": metadata}


def with_finalizers(obj: JsonObject, finalizers: list[str]) -> JsonObject:
    """A copy with exactly these finalizers."""
    metadata = dict(map_or_empty(obj, "metadata"))
    if finalizers:
        metadata["finalizers"] = finalizers
    else:
        metadata.pop("finalizers", None)
    return {**obj, "metadata": metadata}


def with_finalizer(obj: JsonObject, finalizer: str) -> JsonObject:
    """The object with a finalizer, behind those it has."""
    finalizers = finalizers_of(obj)
    return obj if finalizer in finalizers else with_finalizers(obj, [*finalizers, finalizer])


def without_finalizer(obj: JsonObject, finalizer: str) -> JsonObject:
    """The object without a finalizer."""
    finalizers = finalizers_of(obj)
    if finalizer not in finalizers:
        return obj
    return with_finalizers(obj, [each for each in finalizers if each != finalizer])
