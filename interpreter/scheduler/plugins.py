"""Filters, scores and estimators of plugins: calling them, and checking what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from interpreter.api.scheduling import (
    ComponentEstimator,
    FilterPlugin,
    ReplicaEstimator,
    ScorePlugin,
)
from interpreter.errors import PluginError
from interpreter.machinery.unstructured import INT64_MAX, JsonObject, is_integer
from interpreter.scheduler.fleet import UNKNOWN
from interpreter.scheduler.requests import Request
from interpreter.scheduler.topology import Ints, Slots, Topology

_BEST_SCORE = 100
_T = TypeVar("_T")


def checked(entries: Iterable[_T], *protocols: type) -> tuple[_T, ...]:
    """The parts that plugins gave, sorted by name.

    Raises:
        PluginError: One lacks a name or the method, or two have one name.
    """
    found = tuple(entries)
    wanted = " or ".join(protocol.__name__ for protocol in protocols)
    names: dict[str, None] = {}
    for entry in found:
        name = getattr(entry, "name", None)
        if not isinstance(entry, protocols) or not isinstance(name, str) or not name:
            raise PluginError(
                f"{type(entry).__name__} is no {wanted}",
                plugin=name if isinstance(name, str) else None,
                hint="it needs a `name` and the method of interpreter.api.scheduling",
            )
        if name in names:
            raise PluginError(f"two of {wanted} are named {name!r}", plugin=name)
        names[name] = None
    return tuple(sorted(found, key=lambda entry: str(entry.name)))  # type: ignore[attr-defined]


def filtered(
    filters: Sequence[FilterPlugin], binding: JsonObject, topology: Topology, slots: Slots
) -> tuple[Slots, dict[str, str]]:
    """The clusters that all filters accept, and the first reason for each other one."""
    kept: list[int] = []
    rejected: dict[str, str] = {}
    for slot in slots.tolist():
        cluster = topology.clusters[slot]
        for entry in filters:
            reason = _ask(entry, "filter", entry.filter, binding, cluster)
            if reason is not None:
                if not isinstance(reason, str) or not reason:
                    raise _unfit(entry, "filter", "a reason (text) or None", reason)
                rejected[topology.names[slot]] = reason
                break
        else:
            kept.append(slot)
    return np.array(kept, dtype=np.intp), rejected


def scored(
    scores: Sequence[ScorePlugin], binding: JsonObject, topology: Topology, slots: Slots
) -> Ints:
    """The sum of scores of each cluster."""
    result: Ints = np.zeros(len(slots), dtype=np.int64)
    for place, slot in enumerate(slots.tolist()):
        for entry in scores:
            score = _ask(entry, "score", entry.score, binding, topology.clusters[slot])
            if not is_integer(score) or not 0 <= score <= _BEST_SCORE:
                raise _unfit(entry, "score", f"an integer in 0..{_BEST_SCORE}", score)
            result[place] += score
    return result


def estimated(
    estimators: Sequence[ReplicaEstimator | ComponentEstimator],
    request: Request,
    topology: Topology,
    slots: Slots,
    known: Ints,
) -> Ints:
    """The smallest of ``known`` and what estimators say; ``UNKNOWN`` where nobody says anything."""
    result = known.copy()
    for entry in estimators:
        for place, slot in enumerate(slots.tolist()):
            cluster = topology.clusters[slot]
            method = "max_available_replicas"
            if request.whole_sets:
                if not isinstance(entry, ComponentEstimator):
                    break
                method = "max_available_component_sets"
                call = entry.max_available_component_sets
                answer = _ask(entry, method, call, cluster, request.components)
            else:
                if not isinstance(entry, ReplicaEstimator):
                    break
                replicas_call = entry.max_available_replicas
                answer = _ask(entry, method, replicas_call, cluster, request.requirements)
            if answer is None:
                continue
            if not is_integer(answer) or not 0 <= answer <= INT64_MAX:
                raise _unfit(entry, method, "a count from 0 on, or None", answer)
            before = result[place]
            result[place] = answer if before == UNKNOWN else min(int(before), answer)
    return result


def _ask(entry: Any, method: str, call: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except Exception as error:
        raise PluginError(
            f"{entry.name!r}: {method} raised {type(error).__name__}: {error}", plugin=entry.name
        ) from error


def _unfit(entry: Any, method: str, wanted: str, answer: object) -> PluginError:
    return PluginError(
        f"{entry.name!r}: {method} must give {wanted}", plugin=entry.name, value=answer
    )
