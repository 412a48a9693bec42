"""Cluster taint policies: which taints a cluster gets and loses by its conditions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from interpreter.machinery.affinity import matches_affinity
from interpreter.machinery.timestamps import format_time
from interpreter.machinery.unstructured import (
    JsonObject,
    list_or_empty,
    map_or_empty,
    name_of,
    objects_at,
    read_map,
    read_str,
)


def tainted(
    cluster: JsonObject, policies: Iterable[JsonObject], *, now: datetime
) -> list[JsonObject]:
    """The taints of a cluster after all policies, in order of their creation.

    Every policy sees what the one before it left; within one, taints are added before others are
    removed. A taint is known by key and effect, and one that is there stays as it is.

    Args:
        cluster: The Cluster; it is not changed.
        policies: ClusterTaintPolicies.
        now: When new taints are added.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    taints = [each for each in objects_at(map_or_empty(cluster, "spec"), "taints", "spec") if each]
    statuses = {
        read_str(each, "type"): read_str(each, "status")
        for each in objects_at(map_or_empty(cluster, "status"), "conditions", "status")
        if each
    }
    for policy in sorted(policies, key=_age):
        spec = map_or_empty(policy, "spec")
        if not matches_affinity(cluster, read_map(spec, "targetClusters", "spec")):
            continue
        wanted = [each for each in objects_at(spec, "taints", "spec") if each]
        if _all_hold(objects_at(spec, "addOnConditions", "spec"), statuses):
            known = {_key(each) for each in taints}
            for taint in wanted:
                if _key(taint) not in known:
                    known.add(_key(taint))
                    taints.append(_taint(taint, now))
        if _all_hold(objects_at(spec, "removeOnConditions", "spec"), statuses):
            gone = {_key(each) for each in wanted}
            taints = [each for each in taints if _key(each) not in gone]
    return taints


def _age(policy: JsonObject) -> tuple[str, str]:
    created = read_str(map_or_empty(policy, "metadata"), "creationTimestamp", "metadata")
    return created, name_of(policy)


def _key(taint: JsonObject) -> tuple[str, str]:
    return read_str(taint, "key"), read_str(taint, "effect")


def _taint(wanted: JsonObject, now: datetime) -> JsonObject:
    taint: JsonObject = {"key": read_str(wanted, "key")}
    if read_str(wanted, "value"):
        taint["value"] = wanted["value"]
    return {**taint, "effect": read_str(wanted, "effect"), "timeAdded": format_time(now)}


def _all_hold(conditions: Iterable[JsonObject], statuses: dict[str, str]) -> bool:
    """Whether all conditions hold; none at all never do.

    A condition that the cluster does not have holds neither with ``In`` nor with ``NotIn``.
    """
    results = [_holds(each or {}, statuses) for each in conditions]
    return bool(results) and all(results)


def _holds(condition: JsonObject, statuses: dict[str, str]) -> bool:
    status = statuses.get(read_str(condition, "conditionType"))
    if status is None:
        return False
    listed = status in list_or_empty(condition, "statusValues")
    return {"In": listed, "NotIn": not listed}.get(read_str(condition, "operator"), False)
