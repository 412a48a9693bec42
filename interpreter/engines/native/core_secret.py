"""v1 Secret."""

from __future__ import annotations

from interpreter.codec.copying import copy_object
from interpreter.engines.native.any_kind import drop_annotations
from interpreter.engines.native.kind import NativeKind
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    strict_str,
    strict_string_map,
)

_TOKEN_TYPE = "kubernetes.io/service-account-token"  # noqa: S105 - the type, no token
_UID_ANNOTATION = "kubernetes.io/service-account.uid"


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the token that the member's own controller wrote into a service account token."""
    retained = copy_object(desired)
    if strict_str(desired, "type") == _TOKEN_TYPE:
        data = strict_string_map(observed, "data")
        if data is not None:
            retained["data"] = dict(data)
    return retained


def prune_rule(obj: JsonObject, _remove_job_ttl: bool) -> None:
    """Drops token and account uid of a service account token: each member makes its own."""
    if obj.get("type") != _TOKEN_TYPE:
        return
    drop_annotations(obj, (_UID_ANNOTATION,))
    obj["data"] = None


KIND = NativeKind(gvk=GVK("", "v1", "Secret"), retain=retain, prune_rule=prune_rule)
