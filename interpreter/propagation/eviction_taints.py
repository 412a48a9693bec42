"""Taints that drive objects out of a cluster: who must leave, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from interpreter.api import work_marks
from interpreter.codec import json
from interpreter.errors import InvalidObject
from interpreter.machinery.affinity import tolerates
from interpreter.machinery.timestamps import parse_time
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    objects_at,
    read_int,
    read_map,
    read_str,
)
from interpreter.propagation.eviction import evict
from interpreter.propagation.failover_state import preserved_state
from interpreter.propagation.marking import is_deleting, text_annotation
from interpreter.propagation.works_targets import scheduled

PRODUCER: Final = "TaintManager"
REASON: Final = "TaintUntolerated"
_NO_EXECUTE: Final = "NoExecute"
_GRACEFULLY, _DIRECTLY = "Gracefully", "Directly"


@dataclass(frozen=True, slots=True)
class TaintEviction:
    """What becomes of a binding.

    Attributes:
        spec: The binding's spec.
        recheck_after: Seconds after which a toleration ends; 0 for none that ends.
    """

    spec: JsonObject
    recheck_after: int = 0


def assess_taints(
    binding: JsonObject,
    cluster: JsonObject,
    *,
    now: datetime,
    enabled: bool = True,
    purge_mode: str = "",
    gates: Mapping[str, bool] | None = None,
) -> TaintEviction:
    """Whether a binding leaves a tainted cluster now, later or never.

    Args:
        binding: The binding; it is not changed.
        cluster: The Cluster.
        now: The current time.
        enabled: Whether ``NoExecute`` taints drive anything out.
        purge_mode: Mode for bindings that state none; anything but ``Directly`` is graceful.
        gates: Feature gates that are on or off.

    Raises:
        InvalidObject: The placement that was applied is missing or unreadable, or state is to be
            preserved and cannot be read. Nothing of the binding changes.
    """
    spec = map_or_empty(binding, "spec")
    name = name_of(cluster)
    if not enabled or is_deleting(binding):
        return TaintEviction(spec)
    if name not in {target.cluster for target in scheduled(binding)}:
        return TaintEviction(spec)
    left = time_left(binding, cluster, now=now)
    if left is None:
        return TaintEviction(spec)
    if left > timedelta():
        return TaintEviction(spec, int(left.total_seconds()))
    behavior = read_map(map_or_empty(spec, "failover", "spec"), "cluster", "spec.failover")
    if behavior is not None:
        mode = read_str(behavior, "purgeMode", "spec.failover.cluster") or _GRACEFULLY
    else:
        mode = _DIRECTLY if purge_mode == _DIRECTLY else _GRACEFULLY
    details = preserved_state(
        behavior or {},
        name,
        status=map_or_empty(binding, "status"),
        gates=gates or {},
    )
    changed = evict(spec, name, purge_mode=mode, producer=PRODUCER, reason=REASON, details=details)
    return TaintEviction(changed)


def sweep_delay(
    binding: JsonObject, cluster: JsonObject, *, now: datetime, enabled: bool = True
) -> int | None:
    """Seconds until a binding on a tainted cluster is due; None when it never is.

    A binding whose placement cannot be read is due at once, so that its error is seen.
    """
    if not enabled or not _driving(cluster):
        return None
    try:
        left = time_left(binding, cluster, now=now)
    except InvalidObject:
        return 0
    return None if left is None else max(0, int(left.total_seconds()))


def time_left(binding: JsonObject, cluster: JsonObject, *, now: datetime) -> timedelta | None:
    """How long a binding may stay in a cluster; zero or less for not at all, None for ever.

    The first toleration that bears a taint is used for it; then the earliest end over all used
    tolerations and all taints that they bear decides.

    Raises:
        InvalidObject: The placement that was applied is missing or unreadable.
    """
    tolerations = _tolerations(binding)
    taints = _driving(cluster)
    used = []
    for taint in taints:
        bearing = next((each for each in tolerations if tolerates(each, taint)), None)
        if bearing is None:
            return timedelta()
        used.append(bearing)
    left: list[timedelta] = []
    for toleration in used:
        seconds = read_int(toleration, "tolerationSeconds", bits=64)
        if seconds is not None:
            left.extend(
                added + timedelta(seconds=seconds) - now
                for taint in taints
                if tolerates(toleration, taint)
                and (added := parse_time(taint.get("timeAdded"), "spec.taints.timeAdded"))
            )
    return min(left, default=None)


def _driving(cluster: JsonObject) -> list[JsonObject]:
    taints = objects_at(map_or_empty(cluster, "spec"), "taints", "spec")
    return [each for each in taints if each and read_str(each, "effect") == _NO_EXECUTE]


def _tolerations(binding: JsonObject) -> list[JsonObject]:
    path = f"metadata.annotations[{work_marks.APPLIED_PLACEMENT}]"
    text = text_annotation(binding, work_marks.APPLIED_PLACEMENT)
    if not text:
        raise InvalidObject("the placement that was applied is not recorded", path=path)
    try:
        placement = json.loads(text)
    except InvalidObject as error:
        raise error.within(path) from None
    if not isinstance(placement, dict):
        raise InvalidObject("must be an object", path=path, value=placement)
    return [each for each in objects_at(placement, "clusterTolerations", path) if each]
