"""What a control plane writes into objects when they are created: identifiers and defaults.

Identifiers are derived from scope and name, so that the same inputs give the same plan. One that an
object brings along stays: it is that of a control plane that runs.
"""

from __future__ import annotations

import uuid
from typing import Final

from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    read_str,
)
from interpreter.propagation import admit_binding, admit_policy, resource_of
from interpreter.propagation.claiming import scope_of
from interpreter.propagation.marking import ObjectKey, text_label

#: The space of names of all identifiers here.
_SPACE: Final = uuid.UUID("7d0c5b6e-52f6-5d0f-9f0a-6a2c3f6f4c11")


def identifier(obj: JsonObject) -> str:
    """Identifier of an object; that of another version of its kind is the same."""
    gvk = gvk_of(obj)
    parts = (gvk.group, gvk.kind, namespace_of(obj), name_of(obj))
    return str(uuid.uuid5(_SPACE, "/".join(parts)))


def admitted_policy(policy: JsonObject) -> JsonObject:
    """A propagation policy with its defaults and its identifier."""
    known = text_label(policy, scope_of(policy).id_label)
    return admit_policy(
        policy,
        namespace=namespace_of(policy),
        operation="UPDATE" if known else "CREATE",
        identifier=identifier(policy),
    )


def admitted_override(policy: JsonObject) -> JsonObject:
    """An override policy with its defaults."""
    return admit_policy(policy, namespace=namespace_of(policy), operation="CREATE", identifier="")


def admitted_binding(binding: JsonObject) -> JsonObject:
    """A binding with its identifier."""
    return admit_binding(binding, identifier=identifier(binding))


def prepared_template(
    template: JsonObject, uids: dict[ObjectKey, str], key: ObjectKey
) -> JsonObject:
    """A template with a uid: its own, that which its existing binding names, or a derived one."""
    metadata = map_or_empty(template, "metadata")
    if read_str(metadata, "uid", "metadata"):
        return template
    uid = uids.get(key) or identifier(template)
    return {**template, "metadata": {**metadata, "uid": uid}}


def uids_of(bindings: list[JsonObject]) -> dict[ObjectKey, str]:
    """Uids of the templates that existing bindings are about, by template."""
    found = {}
    for binding in bindings:
        reference = map_or_empty(map_or_empty(binding, "spec"), "resource", "spec")
        uid = read_str(reference, "uid", "spec.resource")
        if uid:
            found[resource_of(binding)] = uid
    return found
