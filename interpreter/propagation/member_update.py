"""Bringing a manifest onto the object that a member cluster has: what is sent, and whether at all.

The control plane owns what the manifest says; the member owns the rest: its metadata, what its own
users add, and the fields that the kind's retention rule names.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api import marks, work_marks
from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import Conflict
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    read_map,
    read_str,
    same,
)
from interpreter.propagation.marking import text_annotation, text_label, unmarked
from interpreter.propagation.member_asking import MemberInterpreter

#: What of ``metadata`` is always the member's.
_OBSERVED_METADATA = ("resourceVersion", "finalizers", "ownerReferences")
#: Labels and annotations by which the control plane knows an object in a member cluster.
_BOOKKEEPING_LABELS = (
    work_marks.MANAGED,
    work_marks.WORK_ID,
    marks.POLICY_ID,
    marks.CLUSTER_POLICY_ID,
    marks.BINDING_ID,
    marks.CLUSTER_BINDING_ID,
)
_BOOKKEEPING_ANNOTATIONS = (
    marks.POLICY_NAMESPACE,
    marks.POLICY_NAME,
    marks.CLUSTER_POLICY_NAME,
    work_marks.BINDING_NAMESPACE,
    work_marks.BINDING_NAME,
    work_marks.CLUSTER_BINDING_NAME,
    work_marks.TEMPLATE_UID,
    work_marks.TEMPLATE_GENERATION,
    work_marks.MANAGED_ANNOTATIONS,
    work_marks.MANAGED_LABELS,
    work_marks.WORK_NAMESPACE,
    work_marks.WORK_NAME,
)


@dataclass(frozen=True, slots=True)
class MemberUpdate:
    """What becomes of a member object.

    Attributes:
        object: The object to send; what is there already when nothing is to be sent.
        needed: Whether sending it would change anything.
    """

    object: JsonObject
    needed: bool


def is_managed(obj: JsonObject) -> bool:
    """Whether the control plane looks after a member object."""
    return text_label(obj, work_marks.MANAGED) == work_marks.MANAGED_VALUE


def check_managed(desired: JsonObject, observed: JsonObject, *, cluster: str) -> None:
    """Checks that the control plane may write the member object.

    Raises:
        Conflict: It belongs to somebody else, and the manifest does not say ``overwrite``. The text
            is published in conditions.
    """
    if is_managed(observed):
        return
    if text_annotation(desired, work_marks.CONFLICT_RESOLUTION) != "overwrite":
        kind = read_str(desired, "kind")
        raise Conflict(
            f"resource(kind={kind}, {namespace_of(desired)}/{name_of(desired)}) already exists in "
            f"the cluster {cluster} and the {work_marks.CONFLICT_RESOLUTION} strategy value is "
            "empty, Karmada will not manage this resource"
        )


def merge_metadata(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """The desired object with the member's metadata.

    Labels and annotations of the member stay unless the control plane wrote them (the lists of
    managed keys on the observed object say so) and no longer wants them; desired values win.
    """
    metadata = dict(map_or_empty(desired, "metadata"))
    own = map_or_empty(observed, "metadata")
    for field in _OBSERVED_METADATA:
        if own.get(field):
            metadata[field] = own[field]
        else:
            metadata.pop(field, None)
    for field, record in (
        ("labels", work_marks.MANAGED_LABELS),
        ("annotations", work_marks.MANAGED_ANNOTATIONS),
    ):
        wanted = map_or_empty(metadata, field, "metadata")
        managed = frozenset(text_annotation(observed, record).split(","))
        kept = {
            key: value
            for key, value in (read_map(own, field, "metadata") or {}).items()
            if key not in wanted and key not in managed
        }
        if kept:
            metadata[field] = {**wanted, **kept}
    return {**desired, "metadata": metadata}


def update_member_object(
    desired: JsonObject, observed: JsonObject, *, cluster: str, interpreter: MemberInterpreter
) -> MemberUpdate:
    """What to send so that the member object becomes what the manifest says.

    Nothing is to be sent when the object, brought to the same form, says it already: without the
    fields that manifests never have, with those that its kind retains.

    Args:
        desired: The manifest.
        observed: The object in the member cluster.
        cluster: Name of the cluster, for errors and hooks.
        interpreter: Who knows the kind.

    Raises:
        Conflict: The member object belongs to somebody else.
        InterpreterError: The retention rule failed.
    """
    check_managed(desired, observed, cluster=cluster)
    context = HookContext(cluster_name=cluster)
    retains = interpreter.hook_enabled(gvk_of(desired), Operation.RETAIN)

    def settled(obj: JsonObject) -> JsonObject:
        merged = merge_metadata(obj, observed)
        return interpreter.retain(merged, observed, context=context) if retains else merged

    wanted = settled(desired)
    current = settled(interpreter.prune(observed, context=context))
    return MemberUpdate(wanted, needed=not same(_plain(wanted), _plain(current)))


def _plain(obj: JsonObject) -> JsonObject:
    """Without empty maps of metadata: they say what no map says."""
    metadata = {
        key: value
        for key, value in map_or_empty(obj, "metadata").items()
        if not (key in ("labels", "annotations") and not value)
    }
    return {**obj, "metadata": metadata}


def leave_member_object(
    desired: JsonObject, observed: JsonObject, *, cluster: str, interpreter: MemberInterpreter
) -> MemberUpdate:
    """The last update of a member object that stays when its Work goes: it loses its marks.

    Arguments and errors are those of :func:`update_member_object`.
    """
    update = update_member_object(
        without_bookkeeping(desired), observed, cluster=cluster, interpreter=interpreter
    )
    left = without_bookkeeping(update.object)
    return MemberUpdate(left, needed=update.needed or without_bookkeeping(observed) != observed)


def without_bookkeeping(obj: JsonObject) -> JsonObject:
    """An object without the marks of policy, binding, template and Work."""
    return unmarked(obj, labels=_BOOKKEEPING_LABELS, annotations=_BOOKKEEPING_ANNOTATIONS)
