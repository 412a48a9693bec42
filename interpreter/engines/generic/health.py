"""Health of any object, by the conventions that controllers share.

Everything that an object says about itself is collected as findings, and the worst one wins: a
failed step is a failure although the rest is ready, what is on its way is not there yet. Sources:

* kstatus (kubernetes-sigs/cli-utils, ``pkg/kstatus``): ``metadata.deletionTimestamp``,
  ``status.observedGeneration`` behind ``metadata.generation``, conditions ``Reconciling`` and
  ``Stalled``;
* the Kubernetes API conventions, "Typical status properties": conditions, before them ``phase``;
* practice: the last word of a condition's type tells its polarity, its reason tells a failure from
  a beginning (see ``vocabulary``), policies keep conditions per parent (Gateway API), workloads
  count replicas, many controllers can be paused.

Two departures from kstatus: it calls an object that shows none of this Current, here it is Unknown
(unknown is not healthy); and it knows no failure but ``Stalled``, where here a reason or a message
can tell one.

Only ``apiVersion`` and ``metadata`` mean the same in every kind, so a wrong type there is an error.
Elsewhere a field of an unexpected type means something else to its owner, and is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from interpreter.api.results import Health, HealthStatus
from interpreter.engines.generic.kubernetes import interpret_own_kind
from interpreter.engines.generic.reading import count_of, fields_of
from interpreter.engines.generic.vocabulary import (
    FAULT,
    PAUSE,
    SUMMARIES,
    WORK,
    is_under_way,
    names_a_part,
    names_a_remainder,
    names_a_step,
    polarity_of,
    rank,
    tells_failure,
    told_by,
    told_by_state,
    word_set,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import (
    Condition,
    as_generation,
    one_line,
    read_conditions,
    words_of,
)
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    read_int,
    read_str,
)

_PAUSE_FIELDS: Final = ("suspend", "suspended", "paused")
_STATE_FIELDS: Final = ("phase", "state", "status", "health")
_FLAG_FIELDS: Final[Mapping[str, HealthStatus]] = {
    "healthy": "Degraded",
    "valid": "Degraded",
    "ready": "Progressing",
    "readyToUse": "Progressing",
    "available": "Progressing",
}
_ERROR_FIELDS: Final = ("failureMessage", "failureReason", "errorMessage", "errMsg", "error")
#: Counts of workloads, and what is counted; the number that is wanted comes first.
_REPLICA_FIELDS: Final = {"readyReplicas": "ready", "availableReplicas": "available"}
_NODE_FIELDS: Final = {"numberReady": "ready", "numberAvailable": "available"}
#: Names of fields that keep what was before.
_PAST: Final = word_set("history previous last past old")
_START_FIELDS: Final = ("startTime", "startedAt", "started")
_END_FIELDS: Final = (
    "completionTime",
    "completionTimestamp",
    "endTime",
    "finishedAt",
    "finished",
    "completedAt",
)

#: Groups that the API server itself serves (``core`` stands for no group). It writes ``status``, if
#: only ``{}``, into every object of a kind that has one: a stored object without it needs none.
_SERVED_GROUPS: Final = word_set(
    "core apps autoscaling batch extensions policy admissionregistration.k8s.io"
    " apiextensions.k8s.io apiregistration.k8s.io certificates.k8s.io coordination.k8s.io"
    " discovery.k8s.io events.k8s.io flowcontrol.apiserver.k8s.io networking.k8s.io node.k8s.io"
    " rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io"
)
_COMMON_FIELDS: Final = word_set("apiVersion kind metadata spec status")


def interpret_health(obj: JsonObject) -> Health:
    """What an object of any kind says about its own state.

    Args:
        obj: The object; it is not changed.

    Returns:
        The worst finding; its reason and message are those of the condition or field that decided.

    Raises:
        InvalidObject: The object, its ``apiVersion`` or its ``metadata`` has the wrong type.
    """
    if not isinstance(obj, dict):
        raise InvalidObject("must be an object", value=obj)
    metadata = map_or_empty(obj, "metadata")
    try:
        deleted = read_str(metadata, "deletionTimestamp")
        generation = read_int(metadata, "generation", bits=64)
    except InvalidObject as error:
        raise error.within("metadata") from None
    group = read_str(obj, "apiVersion").rpartition("/")[0] or "core"
    spec, status = fields_of(obj.get("spec")), fields_of(obj.get("status"))
    if deleted:
        return _terminating(deleted, status)
    own = interpret_own_kind(group, obj)
    if own is not None:
        return _worst([own, *_stale_status(status, generation)])
    if isinstance(obj.get("status"), str):
        status = {"state": obj["status"]}
    findings = [
        *_pauses(spec, fields_of(metadata.get("annotations"))),
        *_stale_status(status, generation),
        *_conditions(status, generation),
        *_states(status),
        *_flags_and_errors(status),
        *_replicas(spec, status),
    ]
    if not findings:
        findings = list(_last_resorts(spec, status, generation))
    if not findings:
        findings = [_without_findings(obj, group, metadata, status)]
    return _worst(findings)


def _worst(findings: list[Health]) -> Health:
    return min(findings, key=lambda finding: rank(finding.status))


def _terminating(deleted: str, status: JsonObject) -> Health:
    """On its way out, whatever else is told; a message may say what holds it up."""
    conditions = read_conditions(status.get("conditions"))
    remains = (c.message for c in conditions if c.truth == "True" and names_a_remainder(c.type))
    text = f"deletion was requested at {one_line(deleted)}"
    return Health("Progressing", "Terminating", "; ".join([text, *filter(None, remains)]))


def _pauses(spec: JsonObject, annotations: JsonObject) -> Iterator[Health]:
    update = fields_of(spec.get("updateStrategy"))
    parts = {
        "spec": spec,
        "spec.updateStrategy": update,
        "spec.updateStrategy.rollingUpdate": fields_of(update.get("rollingUpdate")),
        "spec.strategy": fields_of(spec.get("strategy")),
    }
    for path, part in parts.items():
        for field in _PAUSE_FIELDS:
            if part.get(field) is True:
                yield Health("Suspended", "Suspended", f"{path}.{field} is true")
    for key, value in annotations.items():
        if value == "true" and isinstance(key, str) and key.endswith("/paused"):
            yield Health("Suspended", "Suspended", f"annotation {one_line(key)} is true")


def _stale_status(status: JsonObject, generation: int | None) -> Iterator[Health]:
    observed = as_generation(status.get("observedGeneration"))
    if generation is not None and observed is not None and observed < generation:
        yield _stale(observed, generation)


def _stale(observed: int, generation: int) -> Health:
    text = f"the controller has seen generation {observed} of {generation}"
    return Health("Progressing", "StaleGeneration", text)


def _conditions(status: JsonObject, generation: int | None) -> Iterator[Health]:
    conditions = sorted(read_conditions(status.get("conditions")), key=_summary_rank)
    summed_up = any(c.type in SUMMARIES and c.truth == "True" for c in conditions)
    lists = [status.get("conditions"), *(peer.get("conditions") for peer in _peers(status))]
    if [] in lists and not summed_up:
        yield Health("Progressing", "NoConditions", "no controller has reported a condition yet")
    for condition in chain(conditions, *map(read_conditions, lists[1:])):
        verdict = _judge(condition, summed_up=summed_up)
        observed = condition.observed_generation
        if verdict is None:
            continue
        if generation is not None and observed is not None and observed < generation:
            yield _stale(observed, generation)
        else:
            yield Health(verdict, condition.reason or condition.type, condition.message)


def _summary_rank(condition: Condition) -> int:
    kind = condition.type
    return SUMMARIES.index(kind) if kind in SUMMARIES else len(SUMMARIES)


def _peers(status: JsonObject) -> Iterator[JsonObject]:
    """Those that a status speaks of one by one, as Gateway API of parents and listeners."""
    for peers in status.values():
        for peer in peers if isinstance(peers, list) else ():
            yield fields_of(peer)


def _judge(condition: Condition, *, summed_up: bool) -> HealthStatus | None:
    """What one condition tells; None for nothing.

    Args:
        condition: The condition.
        summed_up: Whether a summary such as ``Ready`` is true: no part is waited for then.
    """
    if condition.type == "Running":
        return _judge_run(condition)
    if summed_up and names_a_part(condition.type):
        return None
    polarity, told = polarity_of(condition.type), told_by(condition.reason)
    if polarity in (FAULT, PAUSE):
        return polarity.true if polarity and condition.truth == "True" else None
    if polarity is WORK and told == "Healthy":
        return "Healthy"  # A finished Deployment says Progressing=True, NewReplicaSetAvailable.
    if condition.truth == "True":
        # Complete=True, JobFailed: an end is not always a good one.
        return "Degraded" if polarity and told == "Degraded" else polarity and polarity.true
    if condition.truth == "False" and tells_failure(condition, polarity):
        return "Degraded"
    verdict = polarity and (polarity.false if condition.truth == "False" else polarity.unknown)
    if verdict and told == "Suspended":
        return "Suspended"
    if summed_up and condition.type not in SUMMARIES:
        return None
    if verdict == "Degraded" and is_under_way(condition.reason):
        return "Progressing"
    return verdict


def _judge_run(condition: Condition) -> HealthStatus | None:
    """Ansible operators run a playbook: ``Running reconciliation``; to others it is the goal."""
    told = told_by(condition.reason)
    if condition.truth == "True":
        if told == "Healthy" and condition.reason.lower() != "running":
            return "Healthy"  # Successful: "Awaiting next reconciliation".
        return "Progressing" if "reconcil" in condition.message.lower() else None
    failed = condition.truth == "False" and told in ("Degraded", "Missing")
    return "Degraded" if failed else None


def _states(status: JsonObject) -> Iterator[Health]:
    """Findings of ``phase`` and its like; without them, of longer names (``currentState``)."""
    findings = list(chain.from_iterable(_state(status, field) for field in _STATE_FIELDS))
    if not findings:
        long_names = [key for key in status if isinstance(key, str) and _names_a_state(key)]
        findings = list(chain.from_iterable(_state(status, field) for field in long_names))
    yield from findings


def _names_a_state(key: str) -> bool:
    words = words_of(key)
    return bool(words) and words[-1] in _STATE_FIELDS


def _state(status: JsonObject, field: str) -> Iterator[Health]:
    value = status.get(field)
    told = told_by_state(value) if isinstance(value, str) else None
    if told:
        yield Health(told, one_line(value), one_line(status.get("message")))


def _flags_and_errors(status: JsonObject) -> Iterator[Health]:
    for field, otherwise in _FLAG_FIELDS.items():
        if status.get(field) is True:
            yield Health("Healthy", field[:1].upper() + field[1:], f"status.{field} is true")
        elif status.get(field) is False:
            yield Health(
                otherwise, f"Not{field[:1].upper()}{field[1:]}", f"status.{field} is false"
            )
    for field in _ERROR_FIELDS:
        value = status.get(field)
        text = one_line(
            value["message"] if isinstance(value, dict) and "message" in value else value
        )
        if text:
            yield Health("Degraded", "Error", text)


def _replicas(spec: JsonObject, status: JsonObject) -> Iterator[Health]:
    wanted = count_of(spec.get("replicas", status.get("replicas")))
    yield from _counts(status, wanted, _REPLICA_FIELDS, "replicas", "Replicas")
    nodes = count_of(status.get("desiredNumberScheduled"))
    yield from _counts(status, nodes, _NODE_FIELDS, "pods", "Pods")


def _counts(
    status: JsonObject, wanted: int | None, fields: Mapping[str, str], noun: str, title: str
) -> Iterator[Health]:
    for field, adjective in fields.items():
        count = count_of(status.get(field))
        if wanted is not None and count is not None:
            enough = count >= wanted
            yield Health(
                "Healthy" if enough else "Progressing",
                f"{title}Ready" if enough else f"{title}NotReady",
                f"{count} of {wanted} {noun} {adjective}",
            )


def _last_resorts(spec: JsonObject, status: JsonObject, generation: int | None) -> Iterator[Health]:
    """Signs for want of better ones: what is one level down, a run's times, a schedule."""
    for part in map(fields_of, status.values()):
        yield from _conditions({"conditions": part.get("conditions")}, generation)
        for found in _states(part):
            goes_on = found.status == "Healthy" and found.reason.lower() == "running"
            if goes_on and _is_run(part):
                yield Health("Progressing", found.reason, found.message)
            else:
                yield found
    yield from _states_of_members(status)
    yield from _faint_conditions(status)
    if status.get("startTime") and _is_run(status):
        yield Health(
            "Progressing", "Started", f"started at {one_line(status['startTime'])}, not ended yet"
        )
    if one_line(spec.get("schedule")):
        yield Health("Healthy", "Scheduled", f"waits for its schedule {one_line(spec['schedule'])}")


def _states_of_members(status: JsonObject) -> Iterator[Health]:
    """States that are kept once for each member, as a list or by name; the past does not count."""
    for key, members in status.items():
        if key != "conditions" and _PAST.isdisjoint(words_of(str(key))):
            named = members.values() if isinstance(members, dict) else members
            for member in named if isinstance(members, (dict, list)) else ():
                yield from _states(fields_of(member))


def _is_run(part: JsonObject) -> bool:
    """Whether something began that is to end: to it, running is not the goal."""
    started = any(part.get(field) for field in _START_FIELDS)
    return started and not any(part.get(field) for field in _END_FIELDS)


def _faint_conditions(status: JsonObject) -> Iterator[Health]:
    """Faults that are reported not to be there; steps, as long as all of them are known as such."""
    conditions = read_conditions(status.get("conditions"))
    all_known = all(polarity_of(c.type) or names_a_step(c.type) for c in conditions)
    for condition in conditions:
        reason = condition.reason or condition.type
        if polarity_of(condition.type) is FAULT:
            if condition.truth == "False":
                yield Health("Healthy", reason, condition.message)
        elif names_a_step(condition.type):
            if condition.truth == "False":
                yield Health("Progressing", reason, condition.message)
            elif condition.truth == "Unknown":
                yield Health("Unknown", reason, condition.message)
            elif all_known:
                yield Health("Healthy", reason, condition.message)


def _without_findings(
    obj: JsonObject, group: str, metadata: JsonObject, status: JsonObject
) -> Health:
    if status.keys() == {"observedGeneration"} and status["observedGeneration"]:
        return Health("Healthy", "Observed", "the controller has seen it, and has no more to say")
    if any(status.values()) or not isinstance(obj.get("status"), (dict, type(None))):
        return Health("Unknown", "NoConvention", "the status follows no convention known here")
    served = group in _SERVED_GROUPS
    stored = bool(metadata.get("uid") or metadata.get("resourceVersion"))
    if obj.get("status") is None:
        # A spec is a wish that somebody will report on. Without one an object is data (data,
        # rules, webhooks); one of a foreign group that holds nothing is a wish by its mere name.
        wish = obj.get("spec") is not None or not (served or obj.keys() - _COMMON_FIELDS)
        if not wish or (served and stored):
            return Health("Healthy", "PlainData", "nothing to wait for: the kind reports no status")
    return Health("Progressing", "NoStatus", "no controller has reported a status yet")
