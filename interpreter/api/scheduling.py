"""What a plugin gives the scheduler: filters, scores and estimators.

The hooks ``scheduler_filters``, ``scheduler_scores`` and ``replica_estimators`` return lists of
such objects. Bindings and clusters are plain dicts of ``work.karmada.io/v1alpha2`` and
``cluster.karmada.io/v1alpha1``; a plugin only reads them. An answer must depend on its arguments
only: the scheduler keeps what it knows about a cluster until that cluster changes.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from interpreter.machinery.unstructured import JsonObject


class TargetCluster(NamedTuple):
    """A cluster of a schedule.

    Attributes:
        name: The cluster.
        replicas: Replicas that it gets; 0 for what is no workload.
        components: For an object of several pod templates, name and replicas of each.
    """

    name: str
    replicas: int = 0
    components: tuple[tuple[str, int], ...] = ()

    def to_dict(self) -> JsonObject:
        """JSON shape of ``spec.clusters``; no replicas are left out, as the API does."""
        result: JsonObject = {"name": self.name}
        if self.replicas:
            result["replicas"] = self.replicas
        if self.components:
            result["components"] = [
                {"name": name, "replicas": replicas} for name, replicas in self.components
            ]
        return result


@runtime_checkable
class FilterPlugin(Protocol):
    """Decides which clusters a binding may use at all."""

    name: str

    def filter(self, binding: JsonObject, cluster: JsonObject) -> str | None:
        """Why the cluster cannot be used, in a few words; None when it can."""


@runtime_checkable
class ScorePlugin(Protocol):
    """Prefers some clusters over others; the scores of all plugins are added up."""

    name: str

    def score(self, binding: JsonObject, cluster: JsonObject) -> int:
        """How good the cluster is, 0..100."""


@runtime_checkable
class ReplicaEstimator(Protocol):
    """Knows how many replicas a cluster can take; the smallest answer of all counts."""

    name: str

    def max_available_replicas(
        self, cluster: JsonObject, requirements: JsonObject | None
    ) -> int | None:
        """How many replicas fit.

        Args:
            cluster: The cluster.
            requirements: ``replicaRequirements`` of the binding, None when nothing is stated.

        Returns:
            A count from 0 on; None for no opinion.
        """


@runtime_checkable
class ComponentEstimator(Protocol):
    """An estimator that also knows objects of several pod templates."""

    name: str

    def max_available_component_sets(
        self, cluster: JsonObject, components: list[JsonObject]
    ) -> int | None:
        """How many whole sets of ``components`` fit; None for no opinion."""


class SchedulerParts(NamedTuple):
    """What plugins bring for the scheduler."""

    filters: tuple[FilterPlugin, ...] = ()
    scores: tuple[ScorePlugin, ...] = ()
    estimators: tuple[ReplicaEstimator | ComponentEstimator, ...] = ()
