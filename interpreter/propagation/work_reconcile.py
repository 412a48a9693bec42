"""Carrying out a Work in its member cluster: what to create, update or delete, and what to report.

Nothing is done here: the answer is a list of operations and the Work's new conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from interpreter.api import work_marks
from interpreter.errors import InterpreterError, NotFound, StoreError
from interpreter.machinery.conditions import find_condition, read_conditions
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    objects_at,
    read_bool,
)
from interpreter.propagation.marking import (
    ObjectKey,
    finalizers_of,
    is_deleting,
    key_of,
    without_finalizer,
)
from interpreter.propagation.member_asking import MemberInterpreter
from interpreter.propagation.member_update import (
    is_managed,
    leave_member_object,
    update_member_object,
)
from interpreter.propagation.status_conditions import condition, conditions_in, find, put

DISPATCHING: Final = "Dispatching"
APPLIED: Final = "Applied"
#: How dependents of a deleted member object go.
DELETE_PROPAGATION: Final = "Background"
_DISPATCHED = "Work is being dispatched to member clusters."
_SUSPENDED = "Work dispatching is in a suspended state."
_APPLIED = "Manifest has been successfully applied"


@dataclass(frozen=True, slots=True)
class MemberOperation:
    """Something to do in the member cluster.

    Attributes:
        verb: What to do.
        key: The object.
        object: The object to create or to update to; None for a deletion.
    """

    verb: Literal["create", "update", "delete"]
    key: ObjectKey
    object: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class WorkReconciled:
    """What becomes of a Work.

    Attributes:
        operations: What to do in the member cluster, in order.
        conditions: The Work's conditions.
        finalizers: The Work's finalizers; none left means that a deleted Work goes.
        errors: What went wrong, each once.
    """

    operations: tuple[MemberOperation, ...]
    conditions: tuple[JsonObject, ...]
    finalizers: tuple[str, ...]
    errors: tuple[InterpreterError, ...] = ()


def joined(errors: Iterable[InterpreterError]) -> str:
    """Several errors as one text: a single one as it is, others in brackets, equal ones once."""
    texts = list(dict.fromkeys(str(error) for error in errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def is_ready(cluster: JsonObject) -> bool:
    """Whether a member cluster can be reached."""
    conditions = read_conditions(map_or_empty(cluster, "status").get("conditions"))
    found = find_condition(conditions, "Ready")
    return found is not None and found.truth == "True"


def reconcile_work(
    work: JsonObject,
    *,
    cluster: JsonObject | None,
    observed: Mapping[ObjectKey, JsonObject],
    now: datetime,
    interpreter: MemberInterpreter,
) -> WorkReconciled:
    """What is to be done about a Work.

    Args:
        work: The Work; it is not changed.
        cluster: The Cluster of its execution space, None when it does not exist.
        observed: The objects of its manifests as the member cluster has them, by key.
        now: The time for conditions that change.
        interpreter: Who knows the kinds of the manifests.
    """
    conditions = conditions_in(map_or_empty(work, "status"))
    finalizers = tuple(finalizers_of(work))
    if cluster is None:
        error = NotFound("the cluster of the work does not exist")
        return WorkReconciled((), tuple(conditions), finalizers, (error,))
    if is_deleting(work):
        operations, errors = _delete(work, cluster, observed, interpreter)
        if not errors:
            finalizers = tuple(finalizers_of(without_finalizer(work, work_marks.WORK_FINALIZER)))
        return WorkReconciled(operations, tuple(conditions), finalizers, errors)
    suspended = read_bool(map_or_empty(work, "spec"), "suspendDispatching", "spec")
    dispatching = _dispatching(suspended=suspended)
    known = find(conditions, DISPATCHING)
    if known is None or known.get("status") != dispatching["status"]:
        conditions = put(conditions, dispatching, now=now)
    if suspended:
        return WorkReconciled((), tuple(conditions), finalizers)
    if not is_ready(cluster):
        return WorkReconciled((), tuple(conditions), finalizers, (_not_ready(cluster),))
    operations, errors = _apply(work, name_of(cluster), observed, interpreter)
    conditions = put(conditions, _applied(len(_manifests(work)), errors), now=now)
    return WorkReconciled(operations, tuple(conditions), finalizers, _once(errors))


def _dispatching(*, suspended: bool) -> JsonObject:
    if suspended:
        return condition(DISPATCHING, holds=False, reason="SuspendDispatching", message=_SUSPENDED)
    return condition(DISPATCHING, holds=True, reason="Dispatching", message=_DISPATCHED)


def _applied(count: int, errors: tuple[InterpreterError, ...]) -> JsonObject:
    if not errors:
        return condition(APPLIED, holds=True, reason="AppliedSuccessful", message=_APPLIED)
    message = f"Failed to apply all manifests ({count - len(errors)}/{count}): {joined(errors)}"
    return condition(APPLIED, holds=False, reason="AppliedFailed", message=message)


_Found = tuple[tuple[MemberOperation, ...], tuple[InterpreterError, ...]]


def _apply(
    work: JsonObject,
    cluster: str,
    observed: Mapping[ObjectKey, JsonObject],
    interpreter: MemberInterpreter,
) -> _Found:
    def apply(manifest: JsonObject) -> MemberOperation | None:
        key = key_of(manifest)
        there = observed.get(key)
        if there is None:
            return MemberOperation("create", key, manifest)
        update = update_member_object(manifest, there, cluster=cluster, interpreter=interpreter)
        return MemberOperation("update", key, update.object) if update.needed else None

    return _each(work, apply)


def _delete(
    work: JsonObject,
    cluster: JsonObject,
    observed: Mapping[ObjectKey, JsonObject],
    interpreter: MemberInterpreter,
) -> _Found:
    """Operations for a Work that is being deleted: let its objects go, or leave them to stay."""
    if read_bool(map_or_empty(work, "spec"), "preserveResourcesOnDeletion", "spec"):
        name = name_of(cluster)
        return _each(work, lambda manifest: _leave(manifest, observed, name, interpreter))
    if not is_ready(cluster):
        # The objects of a cluster that leaves stay where they are.
        return (), () if is_deleting(cluster) else (_not_ready(cluster),)
    return _each(work, lambda manifest: _remove(key_of(manifest), observed))


def _leave(
    manifest: JsonObject,
    observed: Mapping[ObjectKey, JsonObject],
    cluster: str,
    interpreter: MemberInterpreter,
) -> MemberOperation | None:
    key = key_of(manifest)
    there = observed.get(key)
    if there is None:
        raise NotFound(f"{key.kind} {key.namespace}/{key.name} is not in the member cluster")
    update = leave_member_object(manifest, there, cluster=cluster, interpreter=interpreter)
    return MemberOperation("update", key, update.object) if update.needed else None


def _remove(key: ObjectKey, observed: Mapping[ObjectKey, JsonObject]) -> MemberOperation | None:
    there = observed.get(key)
    return MemberOperation("delete", key) if there is not None and is_managed(there) else None


def _each(work: JsonObject, decide: Callable[[JsonObject], MemberOperation | None]) -> _Found:
    """The operation for each manifest; one that fails does not stop the others."""
    operations, errors = [], []
    for manifest in _manifests(work):
        try:
            operation = decide(manifest)
        except InterpreterError as error:
            errors.append(error)
        else:
            if operation is not None:
                operations.append(operation)
    return tuple(operations), tuple(errors)


def _manifests(work: JsonObject) -> list[JsonObject]:
    workload = map_or_empty(map_or_empty(work, "spec"), "workload", "spec")
    return [each for each in objects_at(workload, "manifests", "spec.workload") if each]


def _once(errors: tuple[InterpreterError, ...]) -> tuple[InterpreterError, ...]:
    return tuple({str(error): error for error in reversed(errors)}.values())[::-1]


def _not_ready(cluster: JsonObject) -> StoreError:
    error = StoreError(f"cluster({name_of(cluster)}) not ready")
    error.temporary = True
    return error
