"""Which changes of objects the pipeline looks at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from interpreter.api.marks import SKIP_AUTO_PROPAGATION
from interpreter.errors import ConfigurationError
from interpreter.machinery.derived_names import is_reserved_namespace
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    namespace_of,
    read_str,
    same,
)
from interpreter.propagation.claiming import claim_of
from interpreter.propagation.marking import ObjectKey, key_of
from interpreter.propagation.selection import PolicyIndex

#: Every member cluster has its own.
_NEVER_PROPAGATED = ObjectKey(
    "v1", "ConfigMap", "kube-system", "extension-apiserver-authentication"
)
#: Changes of these say nothing about what is wanted.
_BOOKKEEPING = frozenset({"resourceVersion", "managedFields"})


class UpdateEvent(NamedTuple):
    """What an update of a template means.

    Attributes:
        enqueued: Whether the template must be looked at.
        by_system: Whether only the system's own marks changed, on a template that a lazy policy
            claims: its binding is then left alone.
    """

    enqueued: bool
    by_system: bool = False


def skip_patterns(expressions: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Patterns for namespaces to skip, each anchored at both ends.

    Raises:
        ConfigurationError: One is no regular expression.
    """
    patterns = []
    for expression in expressions:
        try:
            patterns.append(re.compile(f"^(?:{expression})$"))
        except re.error as error:
            raise ConfigurationError(
                f"a pattern of namespaces to skip cannot be used: {error}", value=expression
            ) from None
    return tuple(patterns)


def is_watched(obj: JsonObject, *, skipped: Iterable[re.Pattern[str]] = ()) -> bool:
    """Whether events of an object are looked at at all.

    Args:
        obj: The object.
        skipped: Patterns that are searched in its namespace, which is empty for cluster-scoped
            objects.
    """
    namespace = namespace_of(obj)
    if is_reserved_namespace(namespace) or key_of(obj) == _NEVER_PROPAGATED:
        return False
    return not any(pattern.search(namespace) for pattern in skipped)


def update_event(old: JsonObject, new: JsonObject, *, policies: PolicyIndex) -> UpdateEvent:
    """What the update of a template from ``old`` to ``new`` means."""
    if same(_wanted(old), _wanted(new)):
        return UpdateEvent(enqueued=False)
    lazy = _is_claimed_lazily(new, policies)
    return UpdateEvent(
        enqueued=True, by_system=lazy and same(_wanted_by_users(old), _wanted_by_users(new))
    )


def is_lazy(policy: JsonObject) -> bool:
    """Whether a policy's changes wait until somebody changes the template."""
    return read_str(map_or_empty(policy, "spec"), "activationPreference", "spec") == "Lazy"


def _is_claimed_lazily(template: JsonObject, policies: PolicyIndex) -> bool:
    claim = claim_of(template)
    policy = None if claim is None else policies.get(claim.holder.key)
    return policy is not None and is_lazy(policy)


def _wanted(obj: JsonObject) -> JsonObject:
    metadata = map_or_empty(obj, "metadata")
    wanted = {key: value for key, value in obj.items() if key != "status"}
    wanted["metadata"] = {key: metadata[key] for key in metadata.keys() - _BOOKKEEPING}
    return wanted


def _wanted_by_users(obj: JsonObject) -> JsonObject:
    wanted = _wanted(obj)
    metadata = wanted["metadata"]
    metadata.pop("generation", None)
    for field in ("labels", "annotations"):
        values = map_or_empty(metadata, field, "metadata")
        metadata[field] = {key: values[key] for key in values if not _is_systems(key)}
    return wanted


def _is_systems(key: str) -> bool:
    return ".karmada.io" in key and key != SKIP_AUTO_PROPAGATION
