"""From a binding to what a control plane writes back: schedule, condition, events.

Affinity terms are tried in order, from the one that is in force; a term that fails makes way for
the next, and nobody goes back to an earlier one until a reschedule is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from interpreter.api.scheduling import TargetCluster
from interpreter.errors import NoClusterFit, SchedulingError, Unschedulable
from interpreter.machinery.unstructured import (
    JsonObject,
    generation_of,
    map_at,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_str,
)
from interpreter.scheduler.requests import MULTIPLE_TEMPLATES, reschedule_due
from interpreter.scheduler.scheduler import Assumed, Scheduler
from interpreter.scheduler.triggers import (
    APPLIED_PLACEMENT,
    Trigger,
    new_applied_placement,
    trigger_of,
)
from interpreter.scheduler.workloads import Workloads

SCHEDULED = "Scheduled"
_SUCCESS = "Binding has been scheduled successfully."
_FAILED_EVENT, _SUCCEEDED_EVENT = "ScheduleBindingFailed", "ScheduleBindingSucceed"


class Event(NamedTuple):
    """An event for the binding and for the object that it is about."""

    type: Literal["Normal", "Warning"]
    reason: str
    message: str


class Try(NamedTuple):
    """One pass, for one affinity term.

    Attributes:
        affinity: Name of the term; without terms, that in the status, which does not matter.
        targets: The schedule, None when there is none.
        error: Why there is none.
    """

    affinity: str
    targets: list[TargetCluster] | None
    error: SchedulingError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What scheduling a binding came to; what is None stays as it is.

    Attributes:
        trigger: Why it was scheduled, or not; None when nobody asked.
        tries: The passes, in order.
        clusters: New ``spec.clusters``.
        applied_placement: New annotation.
        affinity: Name of the term that is in force from now on.
        observed_generation: Generation of the binding that the schedule is for.
        scheduled: Whether this was a success, so that the last scheduled time is now.
        condition: New condition ``Scheduled``, without a time.
        error: What goes back to the queue: an Unschedulable waits for clusters to change, anything
            else is tried again after a while.
        events: What to tell, in order.
    """

    trigger: Trigger | None = None
    tries: list[Try] = field(default_factory=list)
    clusters: list[TargetCluster] | None = None
    applied_placement: str | None = None
    affinity: str | None = None
    observed_generation: int | None = None
    scheduled: bool = False
    condition: JsonObject | None = None
    error: SchedulingError | None = None
    events: list[Event] = field(default_factory=list)


def reconcile(
    scheduler: Scheduler,
    binding: JsonObject,
    *,
    workloads: Workloads | None = None,
    assumed: Sequence[Assumed] = (),
) -> Outcome:
    """Schedules a binding if it has to be.

    Args:
        scheduler: The scheduler.
        binding: A ResourceBinding or a ClusterResourceBinding.
        workloads: Other bindings, for affinity between workloads.
        assumed: Workloads on their way, for protection against overcommitment.

    Raises:
        InvalidObject: A field of the binding has the wrong type.
        PluginError: A plugin raised, or gave an answer of the wrong type.
    """
    trigger = trigger_of(
        binding, scheduler.fleet, multiple_templates=scheduler.gate(MULTIPLE_TEMPLATES)
    )
    if trigger.schedules:
        return schedule_binding(
            scheduler, binding, trigger=trigger, workloads=workloads, assumed=assumed
        )
    kind = _kind(binding)
    shown = f"{kind[0].lower()}{kind[1:]}"
    if trigger is Trigger.SKIPPED_DELETING:
        message = f"skip schedule deleting {shown}: {_key(binding)}"
        return Outcome(trigger=trigger, events=[Event("Warning", _FAILED_EVENT, message)])
    if trigger is Trigger.NO_PLACEMENT:
        error = SchedulingError(f"failed to get placement from {shown}({_key(binding)})")
        return Outcome(trigger=trigger, error=error)
    return Outcome(trigger=trigger, observed_generation=generation_of(binding))


def schedule_binding(
    scheduler: Scheduler,
    binding: JsonObject,
    *,
    trigger: Trigger | None = None,
    workloads: Workloads | None = None,
    assumed: Sequence[Assumed] = (),
) -> Outcome:
    """Schedules a binding, whether it has to be or not; arguments as of :func:`reconcile`."""
    names = _terms_to_try(binding)
    tries: list[Try] = []
    events: list[Event] = []
    observed = read_str(map_or_empty(binding, "status"), "schedulerObservingAffinityName", "status")
    for index, name in names or [(0, None)]:
        tried = observed if name is None else name
        try:
            targets = scheduler.schedule(
                binding, observed=name, workloads=workloads, assumed=assumed
            )
        except SchedulingError as error:
            tries.append(Try(tried, None, error))
            message = error.message
            if name is not None:
                message = (
                    f"failed to schedule {_kind(binding)}({_key(binding)}) with "
                    f"clusterAffiliates index({index}): {message}"
                )
            events.append(Event("Warning", _FAILED_EVENT, message))
        else:
            tries.append(Try(tried, targets))
            events.append(Event("Normal", _SUCCEEDED_EVENT, _result_text(binding, targets)))
            return Outcome(
                trigger=trigger,
                tries=tries,
                clusters=targets,
                applied_placement=new_applied_placement(binding),
                affinity=name,
                observed_generation=generation_of(binding),
                scheduled=True,
                condition=_condition("True", "Success", _SUCCESS),
                events=events,
            )
    return _failed(binding, trigger, tries, events, by_term=bool(names))


def _failed(
    binding: JsonObject,
    trigger: Trigger | None,
    tries: list[Try],
    events: list[Event],
    *,
    by_term: bool,
) -> Outcome:
    """What is written when every term failed: the first error decides."""
    first = tries[0].error
    if first is None:
        raise AssertionError("a failure has an error")
    condition = _condition("False", _reason(first), first.message)
    if not isinstance(first, NoClusterFit):
        # Workloads that run stay where they are: what is missing may come.
        return Outcome(
            trigger=trigger, tries=tries, condition=condition, error=first, events=events
        )
    if by_term:
        events = [*events, Event("Warning", _FAILED_EVENT, first.message)]
    return Outcome(
        trigger=trigger,
        tries=tries,
        clusters=[],
        applied_placement=new_applied_placement(binding),
        condition=condition,
        events=events,
    )


def _terms_to_try(binding: JsonObject) -> list[tuple[int, str | None]]:
    """Affinity terms with their index, from the one in force on."""
    spec, status = map_or_empty(binding, "spec"), map_or_empty(binding, "status")
    placement = map_or_empty(spec, "placement", "spec")
    names = [
        read_str(term or {}, "affinityName", "spec.placement.clusterAffinities")
        for term in objects_at(placement, "clusterAffinities", "spec.placement")
    ]
    observed = read_str(status, "schedulerObservingAffinityName", "status")
    start = 0
    if observed in names and not reschedule_due(spec, status):
        start = names.index(observed)
    return [(index, names[index]) for index in range(start, len(names))]


def _reason(error: SchedulingError) -> str:
    if isinstance(error, NoClusterFit):
        return "NoClusterFit"
    return "Unschedulable" if isinstance(error, Unschedulable) else "SchedulerError"


def _condition(status: str, reason: str, message: str) -> JsonObject:
    return {"type": SCHEDULED, "status": status, "reason": reason, "message": message}


def _kind(binding: JsonObject) -> str:
    """The binding's kind; one that states none has a namespace or not."""
    kind = read_str(binding, "kind")
    return kind or ("ResourceBinding" if namespace_of(binding) else "ClusterResourceBinding")


def _key(binding: JsonObject) -> str:
    namespace, name = namespace_of(binding), name_of(binding)
    return f"{namespace}/{name}" if namespace else name


def _result_text(binding: JsonObject, targets: list[TargetCluster]) -> str:
    shown = ", ".join(f"{target.name}:{target.replicas}" for target in targets)
    # The colon is missing there in Karmada, and people match on these texts.
    colon = "" if _kind(binding) == "ClusterResourceBinding" else ":"
    return f"{_SUCCESS} Result{colon} {{{shown}}}"


def apply(binding: JsonObject, outcome: Outcome, *, now: str) -> JsonObject:
    """The binding with an outcome written in.

    Args:
        binding: The binding, which stays as it is.
        outcome: What scheduling it came to.
        now: The current time, RFC 3339.
    """
    result = dict(binding)
    if outcome.clusters is not None:
        targets = [target.to_dict() for target in outcome.clusters]
        result["spec"] = {**map_or_empty(binding, "spec"), "clusters": targets}
    if outcome.applied_placement is not None:
        annotations = map_at(binding, "metadata", "annotations")
        result["metadata"] = {
            **map_or_empty(binding, "metadata"),
            "annotations": {**annotations, APPLIED_PLACEMENT: outcome.applied_placement},
        }
    status = dict(map_or_empty(binding, "status"))
    if outcome.affinity is not None:
        status["schedulerObservingAffinityName"] = outcome.affinity
    if outcome.observed_generation is not None:
        status["schedulerObservedGeneration"] = outcome.observed_generation
    if outcome.scheduled:
        status["lastScheduledTime"] = now
    if outcome.condition is not None:
        status["conditions"] = _with_condition(status, outcome.condition, now)
    if status or "status" in binding:
        result["status"] = status
    return result


def _with_condition(status: JsonObject, condition: JsonObject, now: str) -> list[JsonObject]:
    """Conditions with one replaced; its time is that of the last change of its status."""
    conditions = [entry or {} for entry in objects_at(status, "conditions", "status")]
    for index, old in enumerate(conditions):
        if old.get("type") == condition["type"]:
            since = old.get("lastTransitionTime", now)
            if old.get("status") != condition["status"]:
                since = now
            conditions[index] = {**old, **condition, "lastTransitionTime": since}
            return conditions
    return [*conditions, {**condition, "lastTransitionTime": now}]
