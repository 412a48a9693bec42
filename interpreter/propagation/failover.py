"""Failover of applications: leaving clusters in which the object stays unhealthy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from interpreter.api.gates import gate_is_on
from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InterpreterError
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    objects_at,
    read_bool,
    read_int,
    read_map,
    read_str,
)
from interpreter.propagation.eviction import evict
from interpreter.propagation.failover_state import preserved_state
from interpreter.propagation.member_asking import MemberInterpreter
from interpreter.propagation.works_targets import eviction_tasks, scheduled

PRODUCER: Final = "resource-binding-application-failover-controller"
REASON: Final = "ApplicationFailure"
#: Seconds for which an unhealthy application is borne when the policy does not say.
DEFAULT_TOLERATION: Final = 300
#: Former names of purge modes.
_RENAMED: Final = {"Graciously": "Gracefully", "Immediately": "Directly"}


@dataclass(frozen=True, slots=True)
class ApplicationFailover:
    """What becomes of a binding.

    Attributes:
        spec: The binding's spec.
        evicted: Clusters that the object leaves.
        unhealthy_since: When each scheduled cluster was first seen unhealthy: to be given again at
            the next look.
        recheck_after: Seconds after which to look again; 0 for no need.
        error: Why nothing of the binding changes although it should; the same is tried again.
            ``ConfigurationError`` for graceful eviction without its gate, ``InvalidObject`` for
            state that is to be preserved and cannot be read.
    """

    spec: JsonObject
    evicted: tuple[str, ...] = ()
    unhealthy_since: Mapping[str, datetime] = field(default_factory=dict)
    recheck_after: int = 0
    error: InterpreterError | None = None


def assess_application(
    binding: JsonObject,
    unhealthy_since: Mapping[str, datetime],
    *,
    now: datetime,
    interpreter: MemberInterpreter,
    gates: Mapping[str, bool] | None = None,
) -> ApplicationFailover:
    """Which clusters an application leaves because it is unhealthy there for too long.

    Nothing happens, and nothing is remembered, unless the binding asks for application failover,
    propagates dependencies, has statuses, and its kind has a rule for health.

    Args:
        binding: The binding; it is not changed.
        unhealthy_since: What the last look remembered.
        now: The current time.
        interpreter: Who knows the kind.
        gates: Feature gates that are on or off.

    Raises:
        InvalidObject: A field of the binding has the wrong type.
    """
    gates = gates or {}
    spec, status = map_or_empty(binding, "spec"), map_or_empty(binding, "status")
    behavior = read_map(map_or_empty(spec, "failover", "spec"), "application", "spec.failover")
    items = [item for item in objects_at(status, "aggregatedStatus", "status") if item]
    if (
        behavior is None
        or not items
        or not read_bool(spec, "propagateDeps", "spec")
        or not interpreter.hook_enabled(
            gvk_of(map_or_empty(spec, "resource", "spec")), Operation.INTERPRET_HEALTH
        )
    ):
        return ApplicationFailover(spec)
    since, recovered, expired, wait = _look(
        items, _leaving(binding), unhealthy_since, behavior, now
    )
    before = [target.cluster for target in scheduled(binding)]
    changed = spec
    try:
        for cluster in expired:
            changed = _evict(changed, cluster, behavior, status=status, before=before, gates=gates)
    except InterpreterError as error:
        # Nothing is forgotten before what is due is done.
        return ApplicationFailover(spec, unhealthy_since=since, error=error)
    still = {target.cluster for target in scheduled({"spec": changed})}
    return ApplicationFailover(
        changed,
        tuple(expired),
        {each: moment for each, moment in since.items() if each in still - recovered},
        wait,
    )


def _leaving(binding: JsonObject) -> frozenset[str]:
    return frozenset(read_str(task, "fromCluster") for task in eviction_tasks(binding))


def _look(
    items: list[JsonObject],
    leaving: frozenset[str],
    unhealthy_since: Mapping[str, datetime],
    behavior: JsonObject,
    now: datetime,
) -> tuple[dict[str, datetime], set[str], list[str], int]:
    """When clusters were first seen unhealthy, those that are no more, those to leave, the wait.

    ``Healthy`` and ``Unknown`` reset the clock; no word at all does not. The wait is in seconds.
    """
    conditions = map_or_empty(behavior, "decisionConditions")
    seconds = read_int(conditions, "tolerationSeconds", "decisionConditions")
    toleration = timedelta(seconds=DEFAULT_TOLERATION if seconds is None else seconds)
    since, expired, waits = dict(unhealthy_since), [], []
    recovered = set()
    for item in items:
        cluster, health = read_str(item, "clusterName"), read_str(item, "health")
        if cluster in leaving:
            continue
        if health == "Unhealthy":
            left = since.setdefault(cluster, now) + toleration - now
            if left < timedelta():
                expired.append(cluster)
            else:
                waits.append(left)
        elif health:
            recovered.add(cluster)
    wait = min(waits, default=timedelta())
    return since, recovered, expired, int(wait.total_seconds())


def _evict(
    spec: JsonObject,
    cluster: str,
    behavior: JsonObject,
    *,
    status: JsonObject,
    before: list[str],
    gates: Mapping[str, bool],
) -> JsonObject:
    mode = read_str(behavior, "purgeMode", "spec.failover.application")
    mode = _RENAMED.get(mode, mode)
    details = preserved_state(behavior, cluster, status=status, gates=gates)
    if details:
        details["clustersBeforeFailover"] = list(before)
    if mode == "Gracefully":
        if not gate_is_on(gates, "GracefulEviction"):
            raise ConfigurationError(
                "graceful eviction is asked for, and the gate GracefulEviction is off"
            )
        grace = read_int(behavior, "gracePeriodSeconds", "spec.failover.application")
        if grace is not None:
            details["gracePeriodSeconds"] = grace
    elif mode == "Never":
        details["suppressDeletion"] = True
    return evict(spec, cluster, purge_mode=mode, producer=PRODUCER, reason=REASON, details=details)
