"""A plugin that answers for Deployments by asking the native tier of another interpreter."""

from __future__ import annotations

from typing import Any

from interpreter import (
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    ResourceInterpreter,
    handles,
)

_NATIVE = ResourceInterpreter(plugins=None, tiers=("native",))


@handles("apps/v1", "Deployment")
class Deployments:
    """Every hook of a plugin."""

    name = "deployments"

    def get_replicas(self, obj: Any) -> Any:
        return _NATIVE.get_replicas(obj)

    def get_components(self, obj: Any) -> list[Component]:
        return _NATIVE.get_components(obj)

    def revise_replica(self, obj: Any, replicas: int) -> Any:
        return _NATIVE.revise_replica(obj, replicas)

    def retain(self, desired: Any, observed: Any) -> Any:
        return _NATIVE.retain(desired, observed)

    def aggregate_status(self, obj: Any, items: Any) -> Any:
        return _NATIVE.aggregate_status(obj, items)

    def reflect_status(self, obj: Any) -> Any:
        status = _NATIVE.reflect_status(obj)
        return NO_STATUS if status is None else status

    def interpret_health(self, obj: Any) -> Health:
        return _NATIVE.interpret_health(obj)

    def get_dependencies(self, obj: Any) -> list[DependentObjectReference]:
        return _NATIVE.get_dependencies(obj)

    def prune(self, obj: Any, remove_job_ttl: bool) -> Any:
        return _NATIVE.prune(obj, remove_job_ttl=remove_job_ttl)
