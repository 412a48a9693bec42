"""What one overrider of each kind does to an object.

Every function changes the object that it is given: a copy that only its caller holds. Those for
labels and annotations return what they passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.codec import json, yaml
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    list_or_empty,
    map_at,
    map_or_empty,
    objects_at,
    read_map,
    read_str,
)
from interpreter.propagation.overrides_image import override_image
from interpreter.propagation.overrides_patch import apply_operation, value_at

#: Where kinds keep their containers. They go by kind alone, whatever their group; CronJob has none.
_POD_SPECS: dict[str, tuple[str, ...]] = {
    "Pod": ("spec",),
    **dict.fromkeys(
        ("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job"),
        ("spec", "template", "spec"),
    ),
}


def apply_image(obj: JsonObject, overrider: JsonObject) -> list[str]:
    """Rewrites the images of all containers, or the one that a predicate's path leads to.

    Raises:
        InvalidObject: An image's name is none, or the path does not lead to a text.
    """
    predicate = read_map(overrider, "predicate")
    if predicate is None:
        for _name, container in _containers(obj):
            container["image"] = override_image(read_str(container, "image"), overrider)
        return []
    pointer = read_str(predicate, "path")
    image = value_at(obj, pointer)
    if not isinstance(image, str):
        raise InvalidObject(f"{pointer}: an image is a text", value=image)
    replacement = {
        "path": pointer,
        "operator": "replace",
        "value": override_image(image, overrider),
    }
    apply_operation(obj, replacement, "path")
    return []


def command_or_args(field: str) -> Callable[[JsonObject, JsonObject], list[str]]:
    """The overrider of a container's ``command`` or ``args``."""

    def apply(obj: JsonObject, overrider: JsonObject) -> list[str]:
        wanted, values = read_str(overrider, "containerName"), list_or_empty(overrider, "value")
        action = read_str(overrider, "operator")
        for name, container in _containers(obj):
            if name == wanted:
                current = list(list_or_empty(container, field))
                if action == "add":
                    current.extend(values)
                elif action == "remove":
                    current = [entry for entry in current if entry not in values]
                container[field] = current
        return []

    return apply


def labels_or_annotations(field: str) -> Callable[[JsonObject, JsonObject], list[str]]:
    """The overrider of ``metadata.labels`` or ``metadata.annotations``.

    ``add`` overwrites. A key that is not there is passed over by ``replace`` and ``remove``.
    """

    def apply(obj: JsonObject, overrider: JsonObject) -> list[str]:
        values, action = map_or_empty(overrider, "value"), read_str(overrider, "operator")
        if action not in ("add", "replace", "remove"):
            raise InvalidObject("must be add, replace or remove", path="operator", value=action)
        metadata = map_or_empty(obj, "metadata")
        current = read_map(metadata, field, "metadata")
        passed = []
        for key, value in values.items():
            if action == "add":
                if current is None:
                    current = {}
                    obj["metadata"] = {**metadata, field: current}
                current[key] = value
            elif current is None or key not in current:
                passed.append(f"{action} of metadata.{field}[{key}]: there is no such key")
            elif action == "replace":
                current[key] = value
            else:
                del current[key]
        return passed

    return apply


def apply_field(obj: JsonObject, overrider: JsonObject) -> list[str]:
    """Changes the JSON or YAML document that a field's text holds.

    With both lists only the one for YAML counts; with neither, or none with operations, the field
    becomes empty.

    Raises:
        InvalidObject: The path does not lead to a text, the text is no such document, or an
            operation fails.
    """
    pointer = read_str(overrider, "fieldPath")
    text = value_at(obj, pointer)
    if not isinstance(text, str):
        raise InvalidObject(f"{pointer}: must be a text that holds a document", value=text)
    changed = ""
    for language, read, write in (("yaml", _read_yaml, yaml.dumps), ("json", json.loads, _json)):
        operations = objects_at(overrider, language)
        if operations:
            document = read(text)
            for index, operation in enumerate(operations):
                try:
                    document = apply_operation(document, operation or {}, "subPath")
                except InvalidObject as error:
                    raise error.within(f"{language}[{index}]") from None
            changed = write(document)
            break
    apply_operation(obj, {"path": pointer, "operator": "replace", "value": changed}, "path")
    return []


def apply_plaintext(obj: JsonObject, overrider: JsonObject) -> list[str]:
    """A JSON patch operation on the object.

    Raises:
        InvalidObject: It fails, or what remains states no kind.
    """
    changed = apply_operation(obj, overrider, "path")
    if not isinstance(changed, dict):
        raise InvalidObject("the object must remain an object", value=changed)
    if changed is not obj:
        obj.clear()
        obj.update(changed)
    if not isinstance(obj.get("kind"), str) or not obj["kind"]:
        raise InvalidObject("the object must keep its kind", path="kind")
    return []


def _read_yaml(text: str) -> JsonValue:
    documents = list(yaml.load_all(text))
    if len(documents) > 1:
        raise InvalidObject("the text holds several YAML documents")
    return documents[0].value if documents else None


def _json(document: JsonValue) -> str:
    """JSON as Go writes it: safe inside HTML, so that texts do not change by who wrote them."""
    text = json.dumps(document)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _containers(obj: JsonObject) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and container of those that a pod keeps running; init containers are none of them."""
    path = _POD_SPECS.get(read_str(obj, "kind"))
    if path is not None:
        for container in objects_at(map_at(obj, *path), "containers", ".".join(path)):
            if container is not None:
                yield read_str(container, "name"), container
