"""Health of any object, by the conventions that controllers share.

Everything that an object says about itself is collected as findings, and the worst one wins: a
failed step is a failure although the rest is ready, what is on its way is not there yet. Sources:

* kstatus (kubernetes-sigs/cli-utils, ``pkg/kstatus``): ``metadata.deletionTimestamp``,
  ``status.observedGeneration`` behind ``metadata.generation``, conditions ``Reconciling`` and
  ``Stalled``;
* the Kubernetes API conventions, "Typical status properties": conditions, before them ``phase``;
* practice: the last word of a condition's type tells its polarity (``PodsHealthy``,
  ``InstallPlanFailed``), its reason tells a failure from a beginning, policies keep conditions per
  parent (Gateway API), workloads count replicas.

Two departures from kstatus: it calls an object that shows none of this Current, here it is Unknown
(unknown is not healthy); and it knows no failure but ``Stalled``, where here a reason or a message
can tell one.

Only ``apiVersion`` and ``metadata`` mean the same in every kind, so a wrong type there is an error.
Elsewhere a field of an unexpected type means something else to its owner, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import Final, NamedTuple, TypeVar

from interpreter.api.results import Health, HealthStatus
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import (
    Condition,
    generation_of,
    one_line,
    read_conditions,
    words_of,
)
from interpreter.machinery.unstructured import (
    INT32_MAX,
    JsonObject,
    JsonValue,
    is_integer,
    map_or_empty,
    read_int,
    read_str,
)

_Meaning = TypeVar("_Meaning")

#: A pause on purpose explains why something is not there yet, so it comes before Progressing.
_WORST_FIRST: Final[tuple[HealthStatus, ...]] = (
    "Degraded",
    "Missing",
    "Suspended",
    "Progressing",
    "Unknown",
    "Healthy",
)


class _Polarity(NamedTuple):
    """What the truth of a condition tells; None is nothing."""

    true: HealthStatus
    false: HealthStatus | None = None
    unknown: HealthStatus | None = None


_GOAL = _Polarity("Healthy", false="Progressing", unknown="Progressing")
#: Somebody looked and decided: a no is an answer, not a beginning.
_DECISION = _Polarity("Healthy", false="Degraded", unknown="Progressing")
#: True is a good sign, false no bad one: a scaler at rest is not active.
_ACTIVITY = _Polarity("Healthy")
_WORK = _Polarity("Progressing", unknown="Progressing")
_PAUSE = _Polarity("Suspended")
_FAULT = _Polarity("Degraded")


def _by_word(table: Mapping[_Meaning, str]) -> dict[str, _Meaning]:
    return {word: meaning for meaning, words in table.items() for word in words.split()}


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: By the last word of a condition's type. ``Running`` is left out: to some controllers it is the
#: goal, to others the work.
_POLARITIES: Final = _by_word(
    {
        _GOAL: "ready available healthy succeeded successful success complete completed synced"
        " synchronized established programmed initialized deployed configured installed",
        _DECISION: "accepted admitted approved valid refs compliant",
        _ACTIVITY: "active",
        _WORK: "reconciling progressing progress issuing creating updating update upgrading rolling"
        " scaling unpacking deleting terminating",
        _PAUSE: "suspended paused stopped waiting",
        _FAULT: "stalled failed failure degraded error errors invalid orphan unhealthy terminal"
        " unavailable denied pressure",
    }
)
#: A first word that turns the rest into a fault: ``NotReady``, ``InvalidSpec``, ``ErrorOccurred``.
_FAULT_PREFIXES: Final = _word_set("not non invalid failed error")
#: Conditions that sum up the others, the usual one first. Of equal findings, theirs is shown.
_SUMMARIES: Final = ("Ready", "Available", "Healthy", "Succeeded", "Complete", "Completed")

#: Words of ``status.phase`` and its like, and of the reasons of conditions.
_WORDS: Final[dict[str, HealthStatus]] = _by_word(
    {
        "Degraded": "failed failure fail error errors errored invalid unhealthy degraded red crash"
        " aborted canceled cancelled rejected denied forbidden unauthorized conflict conflicted"
        " unreachable timeout exceeded stalled evicted lost violations",
        "Missing": "missing",
        "Suspended": "suspended paused stopped",
        "Progressing": "pending waiting creating provisioning progress progressing reconciling"
        " initializing starting restarting deploying installing updating upgrading scaling"
        " expanding migrating importing scheduling scheduled promoting finalizing finalising"
        " deleting terminating yellow",
        "Unknown": "unknown inconclusive",
        "Healthy": "running ready bound active available healthy green valid operational compliant"
        " succeeded successful success complete completed created deployed installed initialized"
        " exists accepted",
    }
)
#: A state is a word or a few; a longer text is prose, whose words tell nothing alone.
_MOST_STATE_WORDS: Final = 4
_FAILURE_TEXT: Final = re.compile(
    r"\b(fail(s|ed|ure)?|errors?|cannot|could not|unable|invalid|denied|forbidden|rejected"
    r"|not found|timed? ?out)\b",
    re.IGNORECASE,
)

_PAUSE_FIELDS: Final = ("suspend", "suspended", "paused")
_STATE_FIELDS: Final = ("phase", "state", "status", "health")
_FLAG_FIELDS: Final[Mapping[str, HealthStatus]] = {"healthy": "Degraded", "ready": "Progressing"}
_ERROR_FIELDS: Final = ("failureMessage", "failureReason", "errorMessage", "error")
_REPLICA_FIELDS: Final = {"readyReplicas": "ready", "availableReplicas": "available"}
_END_FIELDS: Final = ("completionTime", "completionTimestamp", "endTime")

#: Groups that the API server itself serves (``core`` stands for no group). It writes ``status``, if
#: only ``{}``, into every object of a kind that has one: a stored object without it needs none.
_SERVED_GROUPS: Final = _word_set(
    "core apps autoscaling batch extensions policy admissionregistration.k8s.io"
    " apiextensions.k8s.io apiregistration.k8s.io certificates.k8s.io coordination.k8s.io"
    " discovery.k8s.io events.k8s.io flowcontrol.apiserver.k8s.io networking.k8s.io node.k8s.io"
    " rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io"
)
_COMMON_FIELDS: Final = _word_set("apiVersion kind metadata spec status")


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
    if deleted:
        text = f"deletion was requested at {one_line(deleted)}"
        return Health("Progressing", "Terminating", text)

    spec, status = _fields(obj.get("spec")), _fields(obj.get("status"))
    if isinstance(obj.get("status"), str):
        status = {"state": obj["status"]}
    findings = [
        *_pauses(spec),
        *_stale_status(status, generation),
        *_conditions(status, generation),
        *_states(status),
        *_flags_and_errors(status),
        *_replicas(spec, status),
    ]
    if not findings:
        findings = [*_last_resorts(spec, status)] or [_without_findings(obj, metadata, status)]
    return min(findings, key=lambda finding: _WORST_FIRST.index(finding.status))


def _fields(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _pauses(spec: JsonObject) -> Iterator[Health]:
    for field in _PAUSE_FIELDS:
        if spec.get(field) is True:
            yield Health("Suspended", "Suspended", f"spec.{field} is true")


def _stale_status(status: JsonObject, generation: int | None) -> Iterator[Health]:
    observed = generation_of(status.get("observedGeneration"))
    if generation is not None and observed is not None and observed < generation:
        yield _stale(observed, generation)


def _stale(observed: int, generation: int) -> Health:
    text = f"the controller has seen generation {observed} of {generation}"
    return Health("Progressing", "StaleGeneration", text)


def _conditions(status: JsonObject, generation: int | None) -> Iterator[Health]:
    conditions = sorted(read_conditions(status.get("conditions")), key=_summary_rank)
    if status.get("conditions") == []:
        yield Health("Progressing", "NoConditions", "no controller has reported a condition yet")
    summed_up = any(c.type in _SUMMARIES and c.truth == "True" for c in conditions)
    for condition in chain(conditions, _conditions_of_peers(status)):
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
    return _SUMMARIES.index(kind) if kind in _SUMMARIES else len(_SUMMARIES)


def _conditions_of_peers(status: JsonObject) -> Iterator[Condition]:
    """Conditions that are kept once for each parent, ancestor or listener, as Gateway API does."""
    for peers in status.values():
        for peer in peers if isinstance(peers, list) else ():
            yield from read_conditions(_fields(peer).get("conditions"))


def _judge(condition: Condition, *, summed_up: bool) -> HealthStatus | None:
    """What one condition tells; None for nothing.

    Args:
        condition: The condition.
        summed_up: Whether a summary such as ``Ready`` is true: no part is waited for then.
    """
    polarity, told = _polarity(condition.type), _told_by(condition.reason)
    if polarity in (_FAULT, _PAUSE):
        return polarity.true if polarity and condition.truth == "True" else None
    if polarity is _WORK and told == "Healthy":
        return "Healthy"  # A finished Deployment says Progressing=True, NewReplicaSetAvailable.
    if condition.truth == "True":
        # Complete=True, JobFailed: an end is not always a good one.
        return "Degraded" if polarity and told == "Degraded" else polarity and polarity.true
    if condition.truth == "False" and _tells_failure(condition, polarity):
        return "Degraded"
    verdict = polarity and (polarity.false if condition.truth == "False" else polarity.unknown)
    if verdict and told == "Suspended":
        return "Suspended"
    if summed_up and condition.type not in _SUMMARIES:
        return None
    if verdict == "Degraded" and "Progressing" in map(_WORDS.get, words_of(condition.reason)):
        return "Progressing"
    return verdict


def _tells_failure(condition: Condition, polarity: _Polarity | None) -> bool:
    """Whether a false condition failed. A message is prose, so it counts for known goals only."""
    if _told_by(condition.reason) in ("Degraded", "Missing"):
        return True
    known = polarity in (_GOAL, _DECISION, _WORK)
    return known and _FAILURE_TEXT.search(condition.message) is not None


def _polarity(kind: str) -> _Polarity | None:
    words = words_of(kind)
    if not words:
        return None
    return _FAULT if words[0] in _FAULT_PREFIXES else _POLARITIES.get(words[-1])


def _told_by(text: str) -> HealthStatus | None:
    """The worst that the words of a state or reason tell; None when none is known."""
    words = words_of(text)
    if ("not", "found") in pairwise(words):
        return "Missing"
    if "non" in words:
        return "Degraded"
    if "not" in words:
        return "Progressing"
    known = (_WORDS[word] for word in words if word in _WORDS)
    return min(known, key=_WORST_FIRST.index, default=None)


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
    if isinstance(value, str) and len(words_of(value)) <= _MOST_STATE_WORDS:
        told = _told_by(value)
        if told:
            yield Health(told, one_line(value), one_line(status.get("message")))


def _flags_and_errors(status: JsonObject) -> Iterator[Health]:
    for field, otherwise in _FLAG_FIELDS.items():
        if status.get(field) is True:
            yield Health("Healthy", field.capitalize(), f"status.{field} is true")
        elif status.get(field) is False:
            yield Health(otherwise, f"Not{field.capitalize()}", f"status.{field} is false")
    for field in _ERROR_FIELDS:
        value = status.get(field)
        text = one_line(
            value["message"] if isinstance(value, dict) and "message" in value else value
        )
        if text:
            yield Health("Degraded", "Error", text)


def _replicas(spec: JsonObject, status: JsonObject) -> Iterator[Health]:
    wanted = _count(spec.get("replicas", status.get("replicas")))
    for field, adjective in _REPLICA_FIELDS.items():
        count = _count(status.get(field))
        if wanted is not None and count is not None:
            enough = count >= wanted
            yield Health(
                "Healthy" if enough else "Progressing",
                "ReplicasReady" if enough else "ReplicasNotReady",
                f"{count} of {wanted} replicas {adjective}",
            )


def _count(value: JsonValue) -> int | None:
    return int(value) if is_integer(value) and 0 <= value <= INT32_MAX else None


def _last_resorts(spec: JsonObject, status: JsonObject) -> Iterator[Health]:
    """Signs for want of better ones: states one level down, a run's times, a schedule."""
    for part in status.values():
        yield from _states(_fields(part))
    if status.get("startTime") and not any(status.get(field) for field in _END_FIELDS):
        yield Health(
            "Progressing", "Started", f"started at {one_line(status['startTime'])}, not ended yet"
        )
    if one_line(spec.get("schedule")):
        yield Health("Healthy", "Scheduled", f"waits for its schedule {one_line(spec['schedule'])}")


def _without_findings(obj: JsonObject, metadata: JsonObject, status: JsonObject) -> Health:
    if any(status.values()) or not isinstance(obj.get("status"), (dict, type(None))):
        return Health("Unknown", "NoConvention", "the status follows no convention known here")
    group = read_str(obj, "apiVersion").rpartition("/")[0] or "core"
    served = group in _SERVED_GROUPS
    stored = bool(metadata.get("uid") or metadata.get("resourceVersion"))
    if obj.get("status") is None:
        # A spec is a wish that somebody will report on. Without one an object is data (data,
        # rules, webhooks); one of a foreign group that holds nothing is a wish by its mere name.
        wish = obj.get("spec") is not None or not (served or obj.keys() - _COMMON_FIELDS)
        if not wish or (served and stored):
            return Health("Healthy", "PlainData", "nothing to wait for: the kind reports no status")
    return Health("Progressing", "NoStatus", "no controller has reported a status yet")
