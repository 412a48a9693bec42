"""The record of its dependencies that a binding carries, and whom a reference in it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.api import marks
from interpreter.api.results import DependentObjectReference
from interpreter.codec.json import dumps, loads
from interpreter.errors import InvalidObject
from interpreter.machinery.selectors import compile_selector
from interpreter.machinery.unstructured import JsonObject, map_or_empty, objects_at
from interpreter.propagation.marking import ObjectKey, text_annotation


def recorded_dependencies(binding: JsonObject) -> list[DependentObjectReference] | None:
    """The dependencies that an independent binding brought along; None when none are recorded.

    Raises:
        InvalidObject: The recorded text is no list of references.
    """
    annotations = map_or_empty(map_or_empty(binding, "metadata"), "annotations", "metadata")
    if marks.BINDING_DEPENDENCIES not in annotations:
        return None
    path = f"metadata.annotations[{marks.BINDING_DEPENDENCIES}]"
    try:
        recorded = loads(text_annotation(binding, marks.BINDING_DEPENDENCIES))
        references = objects_at({"dependencies": recorded}, "dependencies")
        return [DependentObjectReference.from_dict(each or {}) for each in references]
    except InvalidObject as error:
        raise error.within(path) from None


def concerns_binding(key: ObjectKey, labels: Mapping[str, str], binding: JsonObject) -> bool:
    """Whether a change of an object wakes up the binding that recorded its dependencies.

    Args:
        key: The object.
        labels: Its labels.
        binding: The independent binding.

    Raises:
        InvalidObject: The recorded text is no list of references, or none concerns the object and
            a label selector that might is not valid.
    """
    first_problem = None
    for reference in recorded_dependencies(binding) or ():
        try:
            if refers_to(reference, key, labels):
                return True
        except InvalidObject as problem:
            # Another reference may name the object all the same.
            first_problem = first_problem or problem
    if first_problem is not None:
        raise first_problem
    return False


def refers_to(
    reference: DependentObjectReference, key: ObjectKey, labels: Mapping[str, str]
) -> bool:
    """Whether a reference means an object with these labels."""
    if (reference.api_version, reference.kind, reference.namespace) != key[:3]:
        return False
    if reference.name:
        return reference.name == key.name
    return compile_selector(reference.label_selector or {}).matches(labels)


def record_of(references: Iterable[DependentObjectReference]) -> str:
    """References as the text that a binding records."""
    return dumps([reference.to_dict() for reference in references])
