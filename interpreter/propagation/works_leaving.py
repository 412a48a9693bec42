"""Works that are no longer wanted: those in clusters that their binding has nothing to do with."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.machinery.conditions import find_condition, read_conditions
from interpreter.machinery.derived_names import execution_space
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    namespace_of,
    objects_at,
    read_str,
)
from interpreter.propagation.works_packing import belongs
from interpreter.propagation.works_targets import evicting, kept_clusters, scheduled


def superfluous_works(binding: JsonObject, works: Iterable[JsonObject]) -> list[JsonObject]:
    """Works of a binding in clusters that it has nothing to do with any more.

    When it has no cluster at all because it could not be scheduled (:func:`lost_its_clusters`),
    only those in clusters that it is told to leave ``Directly``.
    """
    mine = [work for work in works if belongs(work, binding)]
    if not mine:
        return []
    if lost_its_clusters(binding):
        leaving = {execution_space(name) for name in evicting(binding, directly=True)}
        return [work for work in mine if namespace_of(work) in leaving]
    kept = {execution_space(name) for name in kept_clusters(binding)}
    return [work for work in mine if namespace_of(work) not in kept]


def lost_its_clusters(binding: JsonObject) -> bool:
    """Whether a binding has no cluster, and its condition says that this is an error.

    An empty answer of a scheduler that failed is not "delete everything".
    """
    return _lost_its_schedule(binding) and not kept_clusters(binding)


def clusters_that_stay(binding: JsonObject, snapshot: JsonObject) -> list[JsonObject | None]:
    """Clusters of an earlier snapshot of a binding that has no cluster now.

    All but those that it leaves ``Directly`` when the reason is an error: its Works stay there, and
    what they need stays with them. None otherwise.
    """
    if not _lost_its_schedule(binding):
        return []
    left = evicting(binding, directly=True)
    earlier = objects_at(snapshot, "clusters", "spec.requiredBy")
    return [each for each in earlier if read_str(each or {}, "name") not in left]


def _lost_its_schedule(binding: JsonObject) -> bool:
    """Whether a binding's own schedule is empty, and its condition says that this is an error.

    It may be required elsewhere, or be leaving a cluster in an orderly way.
    """
    conditions = read_conditions(map_or_empty(binding, "status").get("conditions"))
    condition = find_condition(conditions, "Scheduled")
    if condition is None or condition.truth == "True":
        return False
    return not scheduled(binding)
