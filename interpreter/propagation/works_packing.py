"""Packing one object into the Work of one cluster: marks, pruning, the Work around it.

The order matters and is that of Karmada 1.19: the object has its replicas and overrides already;
marks come next, so that no override can remove them; then what belongs to the control plane's own
copy is pruned; the lists of managed keys come last and name everything that is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.api import marks, work_marks
from interpreter.api.gates import gate_is_on
from interpreter.errors import Conflict
from interpreter.machinery.derived_names import execution_space, work_name
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    name_of,
    namespace_of,
    read_bool,
    read_int,
    read_str,
    strict_string_map,
    strings_at,
)
from interpreter.propagation.marking import (
    annotations_of,
    finalizers_of,
    is_deleting,
    labels_of,
    marked,
    text_annotation,
    text_label,
)
from interpreter.propagation.overrides import Overridden, recorded
from interpreter.propagation.works_targets import DIRECTLY, Target, eviction_tasks

_ABORT, _OVERWRITE = "abort", "overwrite"


def is_cluster_binding(binding: JsonObject) -> bool:
    """Whether a binding is about an object without a namespace."""
    return read_str(binding, "kind") == "ClusterResourceBinding"


def binding_id_label(binding: JsonObject) -> str:
    """Label under which a binding's Works carry its identifier."""
    return marks.CLUSTER_BINDING_ID if is_cluster_binding(binding) else marks.BINDING_ID


def belongs(work: JsonObject, binding: JsonObject) -> bool:
    """Whether a Work is one of a binding's: by the identifier that both carry.

    The identifier of a binding that never was admitted is empty, and so is that of its Works. Then
    a Work that names another binding is not its own.
    """
    label = binding_id_label(binding)
    identifier = text_label(binding, label)
    labels = labels_of(work)
    if label not in labels or labels[label] != identifier:
        return False
    if identifier:
        return True
    named = annotations_of(work)
    return all(named.get(mark, text) == text for mark, text in binding_marks(binding).items())


def binding_marks(binding: JsonObject) -> dict[str, str]:
    """Annotations that name the binding."""
    if is_cluster_binding(binding):
        return {work_marks.CLUSTER_BINDING_NAME: name_of(binding)}
    return {
        work_marks.BINDING_NAMESPACE: namespace_of(binding),
        work_marks.BINDING_NAME: name_of(binding),
    }


def conflict_resolution(obj: JsonObject, binding: JsonObject) -> str:
    """``abort`` or ``overwrite``, for an object that was in the cluster before.

    The object's own annotation comes first; one with any other value is not looked at.
    """
    own = text_annotation(obj, work_marks.CONFLICT_RESOLUTION)
    if own in (_ABORT, _OVERWRITE):
        return own
    wanted = read_str(map_or_empty(binding, "spec"), "conflictResolution", "spec")
    return _OVERWRITE if wanted == "Overwrite" else _ABORT


def suspended_clusters(binding: JsonObject, targets: Iterable[Target]) -> frozenset[str]:
    """Clusters of a binding to which dispatching stands still."""
    suspension = map_at(binding, "spec", "suspension")
    if read_bool(suspension, "dispatching", "spec.suspension"):
        return frozenset(target.cluster for target in targets)
    named = map_at(suspension, "dispatchingOnClusters", at="spec.suspension")
    return frozenset(strings_at(named, "clusterNames", "spec.suspension.dispatchingOnClusters"))


def preserved_labels(
    binding: JsonObject, targets: Iterable[Target], gates: Mapping[str, bool]
) -> dict[str, str]:
    """Labels by which an application finds its state again after a failover.

    They come from the last eviction task, only when it was ``Directly``, the object now goes to one
    cluster, and that is none of those it was in before.
    """
    tasks, names = eviction_tasks(binding), [target.cluster for target in targets]
    if not gate_is_on(gates, "StatefulFailoverInjection") or len(names) != 1 or not tasks:
        return {}
    last = tasks[-1]
    if read_str(last, "purgeMode") != DIRECTLY:
        return {}
    if names[0] in strings_at(last, "clustersBeforeFailover", "spec.gracefulEvictionTasks"):
        return {}
    return strict_string_map(last, "preservedLabelState", "spec.gracefulEvictionTasks") or {}


def record_managed(manifest: JsonObject) -> JsonObject:
    """The manifest with the two lists of the keys that the control plane manages.

    The lists themselves are annotations, and so on the list of annotations.
    """
    labels = sorted(labels_of(manifest))
    annotations = {
        *annotations_of(manifest),
        work_marks.MANAGED_ANNOTATIONS,
        work_marks.MANAGED_LABELS,
    }
    return marked(
        manifest,
        annotations={
            work_marks.MANAGED_ANNOTATIONS: ",".join(sorted(annotations)),
            work_marks.MANAGED_LABELS: ",".join(labels),
        },
    )


def mark_for_member(
    obj: JsonObject,
    binding: JsonObject,
    template: JsonObject,
    *,
    work: tuple[str, str],
    work_id: str = "",
) -> JsonObject:
    """The object with the marks by which it is known in a member cluster.

    Args:
        obj: The object, with overrides.
        binding: Its binding.
        template: The template: its uid and generation are marks.
        work: Namespace and name of the Work.
        work_id: Identifier of the Work; empty while it has none.
    """
    metadata = map_or_empty(template, "metadata")
    generation = read_int(metadata, "generation", "metadata", bits=64) or 0
    label = binding_id_label(binding)
    annotations = {
        **binding_marks(binding),
        work_marks.TEMPLATE_UID: read_str(metadata, "uid", "metadata"),
        work_marks.WORK_NAMESPACE: work[0],
        work_marks.WORK_NAME: work[1],
        work_marks.CONFLICT_RESOLUTION: conflict_resolution(obj, binding),
    }
    if generation > 0:
        annotations[work_marks.TEMPLATE_GENERATION] = str(generation)
    labels = {work_marks.MANAGED: work_marks.MANAGED_VALUE, label: text_label(binding, label)}
    if work_id:
        labels[work_marks.WORK_ID] = work_id
    return marked(obj, labels=labels, annotations=annotations)


def work_key(obj: JsonObject, cluster: str) -> tuple[str, str]:
    """Namespace and name of the Work that carries an object to a cluster."""
    return execution_space(cluster), work_name(
        read_str(obj, "kind"), name_of(obj), namespace_of(obj)
    )


def build_work(
    manifest: JsonObject,
    binding: JsonObject,
    *,
    key: tuple[str, str],
    overridden: Overridden,
    existing: JsonObject | None,
    suspended: bool,
) -> JsonObject:
    """The Work with a manifest; what an existing one has beside its spec is kept.

    Raises:
        Conflict: The existing Work is being deleted.
    """
    if existing is not None and is_deleting(existing):
        raise Conflict(f"work {key[0]}/{key[1]} is being deleted", hint="try again when it is gone")
    annotations = {
        **binding_marks(binding),
        work_marks.CONFLICT_RESOLUTION: text_annotation(manifest, work_marks.CONFLICT_RESOLUTION),
    }
    for mark, applied in (
        (work_marks.APPLIED_CLUSTER_OVERRIDES, overridden.cluster_overrides),
        (work_marks.APPLIED_OVERRIDES, overridden.overrides),
    ):
        record = recorded(applied)
        if record is not None:
            annotations[mark] = record
    label = binding_id_label(binding)
    work = marked(
        existing
        or {
            "apiVersion": work_marks.WORK_API_VERSION,
            "kind": "Work",
            "metadata": {"namespace": key[0], "name": key[1]},
        },
        labels={label: text_label(binding, label)},
        annotations=annotations,
    )
    work["metadata"]["finalizers"] = sorted({*finalizers_of(work), work_marks.WORK_FINALIZER})
    work["spec"] = {
        "workload": {"manifests": [manifest]},
        "suspendDispatching": suspended,
        "preserveResourcesOnDeletion": read_bool(
            map_or_empty(binding, "spec"), "preserveResourcesOnDeletion", "spec"
        ),
    }
    return work


def relocated(work: JsonObject, space: str, *, suspended: bool) -> JsonObject:
    """A new Work as it is for another cluster, in which nothing else is different.

    Args:
        work: The Work for one cluster.
        space: Execution space of the other.
        suspended: Whether dispatching to the other stands still.
    """
    spec = work["spec"]
    (manifest,) = spec["workload"]["manifests"]
    metadata = manifest["metadata"]
    annotations = {**metadata["annotations"], work_marks.WORK_NAMESPACE: space}
    manifest = {**manifest, "metadata": {**metadata, "annotations": annotations}}
    return {
        **work,
        "metadata": {**work["metadata"], "namespace": space},
        "spec": {**spec, "workload": {"manifests": [manifest]}, "suspendDispatching": suspended},
    }
