"""The installed plugin with the real scheduler."""

from __future__ import annotations

from typing import Any

import pytest
from fleet_rules import COST, TENANTS, FleetRules

from interpreter import ResourceInterpreter
from interpreter.errors import NoClusterFit, PluginError
from interpreter.scheduler import Fleet, Scheduler


def cluster(name: str, **annotations: str) -> dict[str, Any]:
    known = {"tenants": TENANTS, "cost": COST}
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {
            "name": name,
            "annotations": {known[key]: value for key, value in annotations.items()},
        },
    }


def binding(namespace: str, clusters: int = 9) -> dict[str, Any]:
    """A ConfigMap that goes to up to so many clusters, best first."""
    return {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {"name": "settings-configmap", "namespace": namespace},
        "spec": {
            "resource": {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "namespace": namespace,
                "name": "settings",
            },
            "placement": {
                "spreadConstraints": [
                    {"spreadByField": "cluster", "minGroups": 1, "maxGroups": clusters}
                ]
            },
        },
    }


def scheduler(*clusters: dict[str, Any]) -> Scheduler:
    with ResourceInterpreter(plugins=["fleet-rules"]) as ri:
        return Scheduler(Fleet(clusters, lenient=True), **ri.scheduler_parts()._asdict())


def names(made: Scheduler, wanted: dict[str, Any]) -> list[str]:
    return [target.name for target in made.schedule(wanted)]


def test_it_brings_one_filter_and_one_score() -> None:
    with ResourceInterpreter(plugins=["fleet-rules"]) as ri:
        parts = ri.scheduler_parts()
    assert [part.name for part in parts.filters] == ["tenants"]
    assert [part.name for part in parts.scores] == ["cost"]
    assert FleetRules.name == "fleet-rules"


def test_a_cluster_with_tenants_takes_nobody_else() -> None:
    made = scheduler(cluster("a"), cluster("b", tenants="shop, data"), cluster("c", tenants="ops"))
    assert names(made, binding("shop")) == ["a", "b"]
    assert made.explain(binding("shop")).rejected == {"c": "cluster(s) are kept for other tenants"}


def test_nobody_to_take_an_object_is_an_error_with_the_reason() -> None:
    made = scheduler(cluster("c", tenants="ops"))
    with pytest.raises(NoClusterFit, match=r"0/1 clusters .*1 cluster\(s\) are kept for other"):
        made.schedule(binding("shop"))


def test_cheaper_clusters_come_first_and_unknown_costs_are_in_the_middle() -> None:
    made = scheduler(cluster("a", cost="90"), cluster("b"), cluster("c", cost="10"))
    assert names(made, binding("shop")) == ["c", "b", "a"]
    assert names(made, binding("shop", clusters=1)) == ["c"]


@pytest.mark.parametrize("cost", ["101", "-1", "cheap", ""])
def test_a_cost_that_is_none_names_the_cluster(cost: str) -> None:
    made = scheduler(cluster("a", cost=cost))
    with pytest.raises(PluginError, match=rf"'cost': .*cluster a: {COST} must be 0..100"):
        made.schedule(binding("shop"))
