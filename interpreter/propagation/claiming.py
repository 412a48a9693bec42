"""Claims: the marks by which a policy holds a template and its binding.

A claim counts only when all its parts are there. The identifier tells a policy from another one
of the same name that was made later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.api import marks
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, name_of, namespace_of, read_str
from interpreter.propagation.marking import (
    ObjectKey,
    marked,
    text_annotation,
    text_label,
    unmarked,
)


@dataclass(frozen=True, slots=True)
class PolicyScope:
    """The two kinds of propagation policies differ in their marks.

    Attributes:
        kind: The policy's kind.
        id_label: Label with the identifier, on the policy and on what it claims.
        name_annotation: Annotation with the policy's name.
        namespace_annotation: Annotation with its namespace, None for cluster policies.
        finalizer: What keeps a deleted policy until its claims are gone.
    """

    kind: str
    id_label: str
    name_annotation: str
    namespace_annotation: str | None
    finalizer: str

    @property
    def annotations(self) -> tuple[str, ...]:
        """Keys of all annotations of a claim."""
        if self.namespace_annotation is None:
            return (self.name_annotation,)
        return (self.namespace_annotation, self.name_annotation)


NAMESPACED: Final = PolicyScope(
    "PropagationPolicy",
    marks.POLICY_ID,
    marks.POLICY_NAME,
    marks.POLICY_NAMESPACE,
    marks.POLICY_FINALIZER,
)
CLUSTER: Final = PolicyScope(
    "ClusterPropagationPolicy",
    marks.CLUSTER_POLICY_ID,
    marks.CLUSTER_POLICY_NAME,
    None,
    marks.CLUSTER_POLICY_FINALIZER,
)
_SCOPES = {scope.kind: scope for scope in (NAMESPACED, CLUSTER)}


class Holder(NamedTuple):
    """The policy that annotations name; the namespace of a cluster policy is empty."""

    scope: PolicyScope
    namespace: str
    name: str

    @property
    def key(self) -> ObjectKey:
        """Key of the policy."""
        return ObjectKey(marks.POLICY_API_VERSION, self.scope.kind, self.namespace, self.name)


class Claim(NamedTuple):
    """A complete claim."""

    holder: Holder
    identifier: str


def scope_of(policy: JsonObject) -> PolicyScope:
    """Scope of a propagation policy.

    Raises:
        InvalidObject: It is of another kind.
    """
    kind = read_str(policy, "kind")
    if kind not in _SCOPES:
        raise InvalidObject("must be a propagation policy", path="kind", value=kind)
    return _SCOPES[kind]


def identifier_of(policy: JsonObject) -> str:
    """The policy's permanent identifier.

    Raises:
        InvalidObject: It has none: it was never admitted.
    """
    label = scope_of(policy).id_label
    identifier = text_label(policy, label)
    if not identifier:
        raise InvalidObject(
            f"{policy['kind']} {name_of(policy)} has no identifier",
            path=f"metadata.labels[{label}]",
            hint="admission gives one to every policy that is created",
        )
    return identifier


def holder_of(obj: JsonObject, scope: PolicyScope) -> Holder | None:
    """The policy of a scope that an object's annotations name, whatever its identifier says."""
    name = text_annotation(obj, scope.name_annotation)
    if scope.namespace_annotation is None:
        return Holder(scope, "", name) if name else None
    namespace = text_annotation(obj, scope.namespace_annotation)
    return Holder(scope, namespace, name) if namespace and name else None


def claim_of(obj: JsonObject) -> Claim | None:
    """The claim on an object; one by a namespaced policy comes first."""
    for scope in (NAMESPACED, CLUSTER):
        holder, identifier = holder_of(obj, scope), text_label(obj, scope.id_label)
        if holder is not None and identifier:
            return Claim(holder, identifier)
    return None


def claimed(obj: JsonObject, policy: JsonObject) -> JsonObject:
    """The object with the policy's claim.

    A namespaced policy erases the claim of a cluster policy; the reverse is not done.

    Raises:
        InvalidObject: The policy has no identifier.
    """
    scope = scope_of(policy)
    annotations = {scope.name_annotation: name_of(policy)}
    if scope.namespace_annotation is not None:
        annotations[scope.namespace_annotation] = namespace_of(policy)
        obj = unmarked(obj, labels=(CLUSTER.id_label,), annotations=CLUSTER.annotations)
    return marked(obj, labels={scope.id_label: identifier_of(policy)}, annotations=annotations)


def released(obj: JsonObject, scope: PolicyScope, identifier: str) -> JsonObject:
    """The object without a claim; itself when the claim has another identifier."""
    if text_label(obj, scope.id_label) != identifier:
        return obj
    return unmarked(obj, labels=(scope.id_label,), annotations=scope.annotations)
