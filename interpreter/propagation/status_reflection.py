"""Reflecting the state of a member object into its Work."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api import work_marks
from interpreter.api.context import HookContext
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
)
from interpreter.propagation.marking import key_of, text_annotation
from interpreter.propagation.member_asking import MemberInterpreter, health_for_works


@dataclass(frozen=True, slots=True)
class Reflected:
    """A member object's state.

    Attributes:
        manifest_statuses: ``status.manifestStatuses`` of the Work: the one entry of this object.
        health_error: Why the health is not known, when its rule failed.
    """

    manifest_statuses: list[JsonObject]
    health_error: InterpreterError | None = None


def reflect_status(
    work: JsonObject,
    member: JsonObject,
    *,
    cluster: str,
    interpreter: MemberInterpreter,
) -> Reflected | None:
    """The entry that a member object gets in its Work. It replaces the whole list.

    None when the object does not say by its annotations that this is its Work.

    Args:
        work: The Work.
        member: The object as the member cluster has it.
        cluster: Name of that cluster.
        interpreter: Who knows the kind.

    Raises:
        InvalidObject: The Work does not hold the object.
        InterpreterError: The kind's rule for reflection failed; nothing is to be written.
    """
    named = (
        text_annotation(member, work_marks.WORK_NAMESPACE),
        text_annotation(member, work_marks.WORK_NAME),
    )
    if named != (namespace_of(work), name_of(work)):
        return None
    wanted = key_of(member)
    workload = map_or_empty(map_or_empty(work, "spec"), "workload", "spec")
    manifests = objects_at(workload, "manifests", "spec.workload")
    ordinal = next(
        (place for place, each in enumerate(manifests) if each and key_of(each) == wanted), None
    )
    if ordinal is None:
        raise InvalidObject(
            f"the work holds no {wanted.kind} {wanted.namespace}/{wanted.name}",
            path="spec.workload.manifests",
        )
    status = interpreter.reflect_status(member, context=HookContext(cluster_name=cluster))
    gvk = gvk_of(member)
    identifier: JsonObject = {
        "ordinal": ordinal,
        "group": gvk.group,
        "version": gvk.version,
        "kind": gvk.kind,
        # The plural that the API server knows: rooms that only know kinds leave it empty.
        "resource": "",
        "namespace": namespace_of(member),
        "name": name_of(member),
    }
    for field in ("group", "namespace"):
        if not identifier[field]:
            del identifier[field]
    problem = None
    try:
        health = health_for_works(member, interpreter)
    except InterpreterError as error:
        health, problem = "Unknown", error
    entry: JsonObject = {"identifier": identifier, "health": health}
    if status is not None:
        entry["status"] = status
    return Reflected([entry], problem)
