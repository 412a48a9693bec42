"""What the given objects are for: templates, policies, clusters, and what knows their kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from interpreter.api.cluster import Cluster
from interpreter.api.kinds import (
    CONFIG_API_VERSION,
    CUSTOMIZATION_KIND,
    WEBHOOK_CONFIGURATION_KIND,
)
from interpreter.api.objects import Open, read, unknown_fields
from interpreter.api.policy import POLICY_KINDS
from interpreter.api.work import ClusterResourceBinding, ResourceBinding, Work
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import JsonObject, map_or_empty, name_of, namespace_of
from interpreter.manifests import Manifest
from interpreter.planning.plan import Note, Plan, PlanError, reference
from interpreter.planning.scopes import CLUSTER, ScopeLookup, Scopes

#: API groups of the control plane itself: their objects are never templates.
_CONTROL_GROUPS: Final = frozenset(
    {"cluster.karmada.io", "config.karmada.io", "policy.karmada.io", "work.karmada.io"}
)
_POLICY: Final = "policy.karmada.io/v1alpha1"
_PROPAGATION: Final = ("PropagationPolicy", "ClusterPropagationPolicy")
_OVERRIDE: Final = ("OverridePolicy", "ClusterOverridePolicy")
_CLUSTER: Final = ("cluster.karmada.io/v1alpha1", "Cluster")

#: Role and type of the objects of the control plane that a plan reads.
_ROLES: Final[dict[tuple[str, str], tuple[str, type[Open] | None]]] = {
    **{(_POLICY, kind): ("policies", POLICY_KINDS[kind]) for kind in _PROPAGATION},
    **{(_POLICY, kind): ("overrides", POLICY_KINDS[kind]) for kind in _OVERRIDE},
    _CLUSTER: ("clusters", Cluster),
    (CONFIG_API_VERSION, CUSTOMIZATION_KIND): ("customizations", None),
    (CONFIG_API_VERSION, WEBHOOK_CONFIGURATION_KIND): ("webhooks", None),
    ("work.karmada.io/v1alpha2", "ResourceBinding"): ("bindings", ResourceBinding),
    ("work.karmada.io/v1alpha2", "ClusterResourceBinding"): ("bindings", ClusterResourceBinding),
    ("work.karmada.io/v1alpha1", "Work"): ("works", Work),
}


@dataclass(kw_only=True)
class Inputs:
    """Given objects by role; each list in the order given.

    Attributes:
        templates: Everything that the control plane could propagate, CRDs among it.
        policies: Propagation policies of both kinds.
        overrides: Override policies of both kinds.
        clusters: Member clusters.
        customizations: ResourceInterpreterCustomizations.
        webhooks: ResourceInterpreterWebhookConfigurations.
        bindings: Existing bindings of both kinds.
        works: Existing Works.
        notes: What was assumed or passed over.
        errors: Objects that cannot be used; they are in no list.
    """

    templates: list[Manifest] = field(default_factory=list)
    policies: list[Manifest] = field(default_factory=list)
    overrides: list[Manifest] = field(default_factory=list)
    clusters: list[Manifest] = field(default_factory=list)
    customizations: list[Manifest] = field(default_factory=list)
    webhooks: list[Manifest] = field(default_factory=list)
    bindings: list[Manifest] = field(default_factory=list)
    works: list[Manifest] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    errors: list[PlanError] = field(default_factory=list)


def read_inputs(
    manifests: Iterable[Manifest],
    *,
    namespace: str = "default",
    scope: ScopeLookup | None = None,
) -> Inputs:
    """Sorts given objects by role and fills in their namespaces.

    Args:
        manifests: The objects.
        namespace: Namespace of namespaced objects that state none.
        scope: Scope of a kind by group and kind, for those that are neither built in nor defined by
            a given CRD.
    """
    given = list(manifests)
    inputs = Inputs()
    scopes = Scopes((each.obj for each in given if _is_crd(each.obj)), scope)
    places: dict[tuple[str, ...], str] = {}
    for manifest in given:
        try:
            role, obj = _sorted(manifest.obj, scopes, namespace, inputs.notes)
            if role is None:
                continue
            gvk = gvk_of(obj)
            key = (gvk.group, gvk.kind, namespace_of(obj), name_of(obj))
            if key in places:
                raise InvalidObject(f"is there twice, first in {places[key]}")
        except InterpreterError as error:
            error.annotate(source=manifest.where)
            inputs.errors.append(PlanError(_shown(manifest.obj), "input", error, manifest.where))
            continue
        places[key] = manifest.where
        getattr(inputs, role).append(
            Manifest(obj, manifest.source, manifest.document, manifest.item)
        )
    return inputs


def continue_from(plan: Plan, inputs: Inputs) -> None:
    """Gives inputs the bindings of an earlier plan, where they bring none of their own.

    What is planned from them then starts from that schedule, as in a control plane that runs.
    """
    given = {(namespace_of(each.obj), name_of(each.obj)) for each in inputs.bindings}
    known = {_identity(each.obj) for each in inputs.templates}
    for template in plan.templates:
        binding = template.binding
        if binding is None or _identity(template.template) not in known:
            continue
        if (namespace_of(binding), name_of(binding)) not in given:
            inputs.bindings.append(Manifest(binding, template.source, 1, None))


def _sorted(
    obj: JsonObject, scopes: Scopes, namespace: str, notes: list[Note]
) -> tuple[str | None, JsonObject]:
    """Role and object with its namespace; no role for what a plan does not look at."""
    gvk = gvk_of(obj)
    role, model = _ROLES.get((gvk.api_version, gvk.kind), (None, None))
    if not name_of(obj):
        raise InvalidObject("needs a name", path="metadata.name")
    if role is None and gvk.group in _CONTROL_GROUPS:
        notes.append(Note(_shown(obj), "a plan does not look at this kind"))
        return None, obj
    obj = _placed(obj, scopes.of(gvk), namespace, notes)
    if model is not None:
        checked = read(obj, model)
        # A type of policies is complete; those of other kinds know what the pipeline reads.
        if gvk.kind in POLICY_KINDS:
            notes.extend(
                Note(_shown(obj), f"{path}: no such field, a control plane drops it")
                for path in unknown_fields(getattr(checked, "spec", None), "spec")
            )
    return role or "templates", obj


def _placed(obj: JsonObject, scope: str | None, namespace: str, notes: list[Note]) -> JsonObject:
    """The object in its namespace, or in none."""
    stated = namespace_of(obj)
    metadata = map_or_empty(obj, "metadata")
    if scope == CLUSTER:
        if not stated:
            return obj
        notes.append(Note(_shown(obj), "is cluster-scoped: its namespace is passed over"))
        return {**obj, "metadata": {k: v for k, v in metadata.items() if k != "namespace"}}
    if scope is None:
        gvk = gvk_of(obj)
        notes.append(
            Note(
                f"{gvk.api_version} {gvk.kind}", "unknown kind, taken for namespaced: no CRD given"
            )
        )
    return obj if stated else {**obj, "metadata": {**metadata, "namespace": namespace}}


def _identity(obj: JsonObject) -> tuple[str, str, str, str]:
    gvk = gvk_of(obj)
    return gvk.api_version, gvk.kind, namespace_of(obj), name_of(obj)


def _is_crd(obj: JsonObject) -> bool:
    return obj.get("kind") == "CustomResourceDefinition" and str(obj.get("apiVersion")).startswith(
        "apiextensions.k8s.io/"
    )


def _shown(obj: JsonObject) -> str:
    """An object for people. Never raises."""
    try:
        return reference(obj) if name_of(obj) else f"{obj['kind']} without a name"
    except InvalidObject:
        return f"{obj['kind']}"
