from __future__ import annotations

from typing import Any

import pytest
from fleet_samples import AGGREGATED, DUPLICATED, DYNAMIC, binding, cluster, counts

from interpreter import ResourceInterpreter, hookimpl
from interpreter.errors import NoClusterFit, PluginError
from interpreter.scheduler import Fleet, Scheduler

THREE = [cluster("a", cpu="10"), cluster("b", cpu="6"), cluster("c", cpu="2")]


class NotB:
    name = "no-b"

    def filter(self, binding: dict[str, Any], cluster: dict[str, Any]) -> str | None:
        return "is b" if cluster["metadata"]["name"] == "b" else None


class Prefer:
    def __init__(self, name: str, wanted: str) -> None:
        self.name, self._wanted = name, wanted

    def score(self, binding: dict[str, Any], cluster: dict[str, Any]) -> int:
        return 100 if cluster["metadata"]["name"] == self._wanted else 0


class Estimate:
    def __init__(self, name: str, answers: dict[str, Any]) -> None:
        self.name, self._answers = name, answers

    def max_available_replicas(
        self, cluster: dict[str, Any], requirements: dict[str, Any] | None
    ) -> Any:
        return self._answers.get(cluster["metadata"]["name"])


def test_a_filter_rejects_clusters_with_its_reason() -> None:
    scheduler = Scheduler(Fleet(THREE), filters=[NotB()])
    item = binding(2, DUPLICATED)
    assert counts(scheduler.schedule(item)) == {"a": 2, "c": 2}
    assert scheduler.explain(item).rejected == {"b": "is b"}
    item["spec"]["placement"]["clusterAffinity"] = {"clusterNames": ["b"]}
    with pytest.raises(NoClusterFit, match=r"0/3 clusters are available: 1 is b, 2 cluster\(s\)"):
        scheduler.schedule(item)


def test_scores_are_added_up_and_decide_the_order() -> None:
    item = binding(1, DUPLICATED)
    scores = [Prefer("one", "c"), Prefer("two", "c"), Prefer("three", "b")]
    targets = Scheduler(Fleet(THREE), scores=scores).schedule(item)
    assert [target.name for target in targets] == ["c", "b", "a"]


def test_the_smallest_estimate_counts() -> None:
    estimators = [Estimate("one", {"a": 3, "b": 50}), Estimate("two", {"a": 1})]
    scheduler = Scheduler(Fleet(THREE), estimators=estimators)
    candidates = scheduler.explain(binding(4, DYNAMIC)).candidates
    assert candidates is not None
    assert dict(zip(candidates.names, candidates.available, strict=True)) == {
        "a": 1,
        "b": 6,
        "c": 2,
    }


def test_an_estimate_is_all_there_is_where_nothing_is_known() -> None:
    fleet = Fleet([{"metadata": {"name": "a"}}], lenient=True)
    scheduler = Scheduler(fleet, estimators=[Estimate("one", {"a": 3})])
    candidates = scheduler.explain(binding(4, DYNAMIC)).candidates
    assert candidates is not None
    assert candidates.available == [3]


class Sets:
    name = "sets"

    def max_available_component_sets(
        self, cluster: dict[str, Any], components: list[dict[str, Any]]
    ) -> int | None:
        return 0 if cluster["metadata"]["name"] == "a" else None


def test_an_estimator_may_know_sets_of_components() -> None:
    parts = [{"name": "one", "replicas": 1}, {"name": "two", "replicas": 1}]
    constraint = {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}
    item = binding(0, AGGREGATED, components=parts, placement={"spreadConstraints": [constraint]})
    gates = {"MultiplePodTemplatesScheduling": True}
    scheduler = Scheduler(
        Fleet(THREE), estimators=[Sets(), Estimate("no sets", {"b": 0})], feature_gates=gates
    )
    assert [target.name for target in scheduler.schedule(item)] == ["b"]
    # What knows sets only has no say about replicas.
    assert counts(scheduler.schedule(binding(5, AGGREGATED))) == {"a": 5}


class Broken:
    name = "broken"

    def filter(self, binding: dict[str, Any], cluster: dict[str, Any]) -> Any:
        raise KeyError("region")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        pytest.param({"filters": [Broken()]}, "'broken': filter raised KeyError", id="it raises"),
        pytest.param(
            {"estimators": [Estimate("e", {"a": -4})]}, "must give a count", id="below nothing"
        ),
        pytest.param({"estimators": [Estimate("e", {"a": 1.5})]}, "must give a count", id="a part"),
        pytest.param({"filters": [Prefer("p", "a")]}, "Prefer is no FilterPlugin", id="no filter"),
        pytest.param(
            {"scores": [Prefer("p", "a"), Prefer("p", "b")]}, "two of ScorePlugin", id="one name"
        ),
    ],
)
def test_a_plugin_that_misbehaves_is_named(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        Scheduler(Fleet(THREE), **parts).schedule(binding(4, DYNAMIC))


class Plugin:
    name = "placing"

    @hookimpl
    def scheduler_filters(self) -> list[Any]:
        return [NotB()]

    @hookimpl
    def scheduler_scores(self) -> list[Any]:
        return [Prefer("likes-c", "c")]

    @hookimpl
    def replica_estimators(self) -> list[Any]:
        return [Estimate("guess", {"a": 1})]


def test_an_interpreter_knows_what_its_plugins_bring() -> None:
    with ResourceInterpreter(plugins=[Plugin], tiers=("plugin",)) as ri:
        parts = ri.scheduler_parts()
    scheduler = Scheduler(Fleet(THREE), **parts._asdict())
    targets = scheduler.schedule(binding(2, DUPLICATED))
    assert [target.name for target in targets] == ["c", "a"]


def test_a_disabled_plugin_brings_nothing() -> None:
    ri = ResourceInterpreter(plugins=[Plugin], tiers=("plugin",), disable=["plugin:placing"])
    assert ri.scheduler_parts() == ((), (), ())
    assert ResourceInterpreter(plugins=None).scheduler_parts() == ((), (), ())


class Listless:
    name = "listless"

    @hookimpl
    def scheduler_filters(self) -> Any:
        return NotB()


def test_a_hook_that_returns_no_list_is_an_error() -> None:
    with (
        ResourceInterpreter(plugins=[Listless], tiers=("plugin",)) as ri,
        pytest.raises(PluginError, match=r"scheduler_filters\(\) must return a list"),
    ):
        ri.scheduler_parts()
