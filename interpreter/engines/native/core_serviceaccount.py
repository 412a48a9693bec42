"""v1 ServiceAccount."""

from __future__ import annotations

from typing import Any

from interpreter.codec.copying import copy_object
from interpreter.engines.native.kind import NativeKind
from interpreter.errors import InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, deep_copy, name_of, strict_list


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Adds the member's own secrets and image pull secrets to the template's, by name."""
    retained = copy_object(desired)
    for field in ("secrets", "imagePullSecrets"):
        own = strict_list(desired, field)
        others = strict_list(observed, field)
        names = {_name(entry, field, index) for index, entry in enumerate(own or ())}
        added = [
            entry
            for index, entry in enumerate(others or ())
            if _name(entry, field, index) not in names
        ]
        if added:
            retained[field] = [*(retained.get(field) or ()), *deep_copy(added)]
    return retained


def _name(entry: Any, field: str, index: int) -> str:
    path = f"{field}[{index}]"
    if not isinstance(entry, dict):
        raise InvalidObject("must be an object with a name", path=path, value=entry)
    name = entry.get("name")
    if not isinstance(name, str):
        raise InvalidObject("must be a string", path=f"{path}.name", value=name)
    return name


def prune_rule(obj: JsonObject, _remove_job_ttl: bool) -> None:
    """Drops every token secret that a token controller generated for this account."""
    secrets = obj.get("secrets")
    if isinstance(secrets, list):
        generated = f"{name_of(obj)}-token-"
        obj["secrets"] = [
            entry
            for index, entry in enumerate(secrets)
            if not _name(entry, "secrets", index).startswith(generated)
        ]


KIND = NativeKind(gvk=GVK("", "v1", "ServiceAccount"), retain=retain, prune_rule=prune_rule)
