"""Bindings: what a template and its policy say, as the scheduler reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from interpreter.api import marks
from interpreter.api.gates import gate_is_on
from interpreter.errors import Conflict, InvalidObject, NotFound
from interpreter.machinery.derived_names import binding_name
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    map_at,
    map_or_empty,
    name_of,
    namespace_of,
    read_bool,
    read_int,
    read_map,
    read_str,
)
from interpreter.propagation.asking import Interpreter, workload
from interpreter.propagation.claiming import CLUSTER, NAMESPACED, claimed, scope_of
from interpreter.propagation.marking import (
    ObjectKey,
    annotations_of,
    controlled_by,
    controller_uid,
    finalizers_of,
    labels_of,
    marked,
    reference_key,
    unmarked,
    with_finalizer,
    with_finalizers,
)

#: Fields of a binding's ``spec`` that a policy and the template own: an update replaces them, or
#: removes them where policy and template say nothing.
_OWNED: Final = (
    "resource",
    "replicas",
    "replicaRequirements",
    "components",
    "propagateDeps",
    "schedulerName",
    "placement",
    "failover",
    "conflictResolution",
    "preserveResourcesOnDeletion",
    "schedulePriority",
    "workloadAffinityGroups",
)
#: Of those, what an update of a cluster-scoped binding leaves alone.
_NOT_REFRESHED: Final = frozenset({"propagateDeps", "schedulePriority", "workloadAffinityGroups"})
_SCHEDULING = "scheduling"
#: The only source of priorities that is implemented.
_KUBE_PRIORITY = "KubePriorityClass"


def binding_key(template: JsonObject) -> ObjectKey:
    """Key of the binding of a template."""
    namespace = namespace_of(template)
    kind = "ResourceBinding" if namespace else "ClusterResourceBinding"
    name = binding_name(read_str(template, "kind"), name_of(template))
    return ObjectKey(marks.WORK_API_VERSION, kind, namespace, name)


def resource_reference(obj: JsonObject) -> JsonObject:
    """The reference to an object in a binding's ``spec.resource``."""
    metadata = map_or_empty(obj, "metadata")
    reference = {
        "apiVersion": read_str(obj, "apiVersion"),
        "kind": read_str(obj, "kind"),
        "namespace": namespace_of(obj),
        "name": name_of(obj),
        "uid": read_str(metadata, "uid", "metadata"),
        "resourceVersion": read_str(metadata, "resourceVersion", "metadata"),
    }
    return {key: text for key, text in reference.items() if text}


def resource_of(binding: JsonObject) -> ObjectKey:
    """Key of the template that a binding is about."""
    return reference_key(map_at(binding, "spec", "resource"))


def new_binding(key: ObjectKey, owner: JsonObject, spec: JsonObject) -> JsonObject:
    """A binding that belongs to an object, with its finalizer."""
    metadata: JsonObject = {"name": key.name, "ownerReferences": controlled_by(owner)}
    if key.namespace:
        metadata["namespace"] = key.namespace
    binding = {
        "apiVersion": key.api_version,
        "kind": key.kind,
        "metadata": metadata,
        "spec": {"resource": resource_reference(owner), **spec},
    }
    finalizer = marks.BINDING_FINALIZER if key.namespace else marks.CLUSTER_BINDING_FINALIZER
    return with_finalizer(binding, finalizer)


def build_binding(
    template: JsonObject,
    policy: JsonObject,
    *,
    interpreter: Interpreter,
    gates: Mapping[str, bool],
    priority_classes: Mapping[str, int],
) -> JsonObject:
    """The binding of a template under a policy, as if there were none yet.

    Args:
        template: The template, with the policy's claim.
        policy: The policy; it must have its identifier.
        interpreter: Who knows the template's kind.
        gates: Feature gates that are on or off; others have their default.
        priority_classes: Value of each PriorityClass by name.

    Raises:
        NotFound: The priority class does not exist.
        InvalidObject: The priority comes from a source that is not supported, or a field has the
            wrong type.
        InterpreterError: The interpreter failed.
    """
    key = binding_key(template)
    spec = workload(template, interpreter=interpreter, gates=gates)
    spec.update(_of_policy(policy))
    if key.namespace:
        # Cluster-scoped objects have no workload whose priority or neighbours would matter.
        priority = _schedule_priority(policy, gates, priority_classes)
        if priority is not None:
            spec["schedulePriority"] = priority
        groups = _affinity_groups(template, policy, gates)
        if groups:
            spec["workloadAffinityGroups"] = groups
    return claimed(new_binding(key, template, spec), policy)


def merge_binding(existing: JsonObject, built: JsonObject, policy: JsonObject) -> JsonObject:
    """An existing binding, brought up to what was built.

    The schedule, the requirers, eviction tasks, and labels, annotations and finalizers of others
    stay; owner references and what policy and template say are replaced.

    Raises:
        Conflict: The binding belongs to an earlier object of the same name.
    """
    check_owner(existing, built)
    if scope_of(policy) is NAMESPACED:
        existing = unmarked(existing, labels=(CLUSTER.id_label,), annotations=CLUSTER.annotations)
    binding = marked(existing, labels=labels_of(built), annotations=annotations_of(built))
    binding = with_finalizers(
        binding, list(dict.fromkeys([*finalizers_of(existing), *finalizers_of(built)]))
    )
    binding["metadata"]["ownerReferences"] = built["metadata"]["ownerReferences"]
    spec = dict(map_or_empty(existing, "spec"))
    for field in _OWNED:
        if field in _NOT_REFRESHED and not namespace_of(existing):
            continue
        if field in built["spec"]:
            spec[field] = built["spec"][field]
        else:
            spec.pop(field, None)
    suspension = _merge_suspension(
        read_map(spec, "suspension", "spec"), built["spec"].get("suspension")
    )
    spec.pop("suspension", None)
    if suspension is not None:
        spec["suspension"] = suspension
    return {**binding, "spec": spec}


def check_owner(existing: JsonObject, built: JsonObject) -> None:
    """Checks that a binding belongs to the object that another one was built for.

    Raises:
        Conflict: It belongs to an earlier object of the same name.
    """
    owner = controller_uid(existing)
    if owner is not None and owner != controller_uid(built):
        raise Conflict(
            f"binding {name_of(existing)} belongs to an earlier object of the same name",
            hint="it is garbage collected; try again",
            path="metadata.ownerReferences",
            value=owner,
        )


def _of_policy(policy: JsonObject) -> JsonObject:
    stated = map_or_empty(policy, "spec")
    spec: JsonObject = {"placement": deep_copy(read_map(stated, "placement", "spec") or {})}
    if read_bool(stated, "propagateDeps", "spec"):
        spec["propagateDeps"] = True
    for field in ("schedulerName", "conflictResolution"):
        if read_str(stated, field, "spec"):
            spec[field] = stated[field]
    for field in ("failover", "suspension"):
        if read_map(stated, field, "spec") is not None:
            spec[field] = deep_copy(stated[field])
    if stated.get("preserveResourcesOnDeletion") is not None:
        spec["preserveResourcesOnDeletion"] = read_bool(
            stated, "preserveResourcesOnDeletion", "spec"
        )
    return spec


def _merge_suspension(existing: JsonObject | None, stated: JsonObject | None) -> JsonObject | None:
    """Dispatching as the policy says; scheduling as the binding had it (schedulers set it)."""
    scheduling = None if existing is None else existing.get(_SCHEDULING)
    merged = None if stated is None else {k: stated[k] for k in stated if k != _SCHEDULING}
    if scheduling is None:
        return merged
    return {**(merged or {}), _SCHEDULING: scheduling}


def _schedule_priority(
    policy: JsonObject, gates: Mapping[str, bool], priority_classes: Mapping[str, int]
) -> JsonObject | None:
    stated = read_map(map_or_empty(policy, "spec"), "schedulePriority", "spec")
    if stated is None or not gate_is_on(gates, "PriorityBasedScheduling"):
        return None
    source = read_str(stated, "priorityClassSource", "spec.schedulePriority")
    if source != _KUBE_PRIORITY:
        raise InvalidObject(
            f"must be {_KUBE_PRIORITY}: no other source is supported",
            path="spec.schedulePriority.priorityClassSource",
            value=source,
        )
    name = read_str(stated, "priorityClassName", "spec.schedulePriority")
    if name not in priority_classes:
        raise NotFound(
            f"priority class {name!r} of policy {name_of(policy)} does not exist",
            path="spec.schedulePriority.priorityClassName",
        )
    value = priority_classes[name]
    return {"priority": value} if value else {}


def _affinity_groups(
    template: JsonObject, policy: JsonObject, gates: Mapping[str, bool]
) -> JsonObject:
    """Groups, each ``<label key>=<value of that label on the template>``."""
    if not gate_is_on(gates, "WorkloadAffinity"):
        return {}
    affinity = map_at(policy, "spec", "placement", "workloadAffinity")
    groups: JsonObject = {}
    for field, group in (("affinity", "affinityGroup"), ("antiAffinity", "antiAffinityGroup")):
        key = read_str(map_or_empty(affinity, field), "groupByLabelKey")
        value = labels_of(template).get(key) if key else None
        if value is not None:
            groups[group] = f"{key}={value}"
    return groups


def priority_values(priority_classes: Iterable[JsonObject]) -> dict[str, int]:
    """Value of each PriorityClass (``scheduling.k8s.io/v1``) by name."""
    return {name_of(each): read_int(each, "value") or 0 for each in priority_classes}
