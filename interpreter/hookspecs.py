"""The hooks: markers and specifications, nothing else.

A hook that is not responsible returns None. An empty answer is an answer: ``[]``, ``NO_STATUS``. A
hook may leave out arguments that it does not need. Plugins get their own copy of every object.
"""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from interpreter.api.claims import Claim
from interpreter.api.context import HookContext
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    Health,
    NoStatus,
    ReplicaResult,
)
from interpreter.api.scheduling import FilterPlugin, ReplicaEstimator, ScorePlugin
from interpreter.machinery.unstructured import JsonObject, JsonValue

PROJECT = "resource_interpreter"
#: Version of these hooks: a plugin that needs another one says ``requires_api = "2"``.
API_VERSION = "1"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def handles() -> Iterable[Claim]:  # type: ignore[empty-body]
    """Kinds and operations of this plugin, as a list of ``interpreter.handles(…)``."""


@hookspec(firstresult=True)
def get_replicas(obj: JsonObject, context: HookContext) -> ReplicaResult | int | None:
    """How many replicas the object wants (0..2^31-1), and what each needs."""


@hookspec(firstresult=True)
def revise_replica(obj: JsonObject, replicas: int, context: HookContext) -> JsonObject | None:
    """The object with ``replicas`` (0..2^31-1) written in."""


@hookspec(firstresult=True)
def get_components(obj: JsonObject, context: HookContext) -> list[Component] | None:
    """The parts of an object with several pod templates."""


@hookspec(firstresult=True)
def retain(desired: JsonObject, observed: JsonObject, context: HookContext) -> JsonObject | None:
    """``desired`` with the fields that belong to the member cluster taken from ``observed``."""


@hookspec(firstresult=True)
def aggregate_status(
    obj: JsonObject, items: list[JsonObject] | None, context: HookContext
) -> JsonObject | None:
    """The object with the statuses of ``items`` (AggregatedStatusItem) folded into its own."""


@hookspec(firstresult=True)
def reflect_status(obj: JsonObject, context: HookContext) -> JsonValue | NoStatus | None:
    """The status to collect from a member's object, or ``NO_STATUS``."""


@hookspec(firstresult=True)
def interpret_health(obj: JsonObject, context: HookContext) -> Health | bool | None:
    """How the object fares."""


@hookspec(firstresult=True)
def get_dependencies(
    obj: JsonObject, context: HookContext
) -> list[DependentObjectReference] | None:
    """Objects that must travel with this one."""


@hookspec(firstresult=True)
def prune(obj: JsonObject, remove_job_ttl: bool, context: HookContext) -> JsonObject | None:
    """The template as it is packed into a Work: without what an API server or controller wrote."""


@hookspec
def scheduler_filters() -> Iterable[FilterPlugin]:  # type: ignore[empty-body]
    """Filters for the scheduler, as a list."""


@hookspec
def scheduler_scores() -> Iterable[ScorePlugin]:  # type: ignore[empty-body]
    """Scores for the scheduler, as a list."""


@hookspec
def replica_estimators() -> Iterable[ReplicaEstimator]:  # type: ignore[empty-body]
    """Estimators of how many replicas fit a cluster, as a list."""
