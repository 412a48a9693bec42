"""Statuses of bindings, templates and Works."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from propagation_samples import NATIVE, binding, config_map, deployment
from works_samples import scheduled_on, work

from interpreter import ResourceInterpreter, handles
from interpreter.api.results import Health
from interpreter.errors import InvalidObject
from interpreter.propagation.member_asking import health_for_works
from interpreter.propagation.status import BindingStatus, aggregated_status, sync_status
from interpreter.propagation.status_reflection import reflect_status

NOW = datetime(2024, 5, 1, 8, tzinfo=UTC)
WEB = deployment("web", generation=1)


def applied(status: str = "True", message: str = "ok") -> dict[str, Any]:
    return {"type": "Applied", "status": status, "reason": "R", "message": message}


def entry(status: Any = None, health: str = "Healthy", **identifier: Any) -> dict[str, Any]:
    known = {"ordinal": 0, "group": "apps", "version": "v1", "kind": "Deployment"}
    known = {**known, "namespace": "prod", "name": "web", **identifier}
    return {"identifier": known, "health": health, **({"status": status} if status else {})}


def web_work(cluster: str, replicas: int = 1) -> dict[str, Any]:
    status = {"replicas": replicas, "readyReplicas": replicas}
    return work(WEB, cluster, conditions=[applied()], manifestStatuses=[entry(status)])


def synced(of: dict[str, Any], *works: dict[str, Any], template: Any = WEB) -> BindingStatus:
    before = copy.deepcopy((of, works, template))
    result = sync_status(of, works, template=template, now=NOW, interpreter=NATIVE)
    assert (of, works, template) == before
    return result


def web_binding(**spec: Any) -> dict[str, Any]:
    return binding("web-deployment", WEB, **{"clusters": scheduled_on(b=1, a10=1, a9=1), **spec})


def test_items_are_sorted_by_name_of_cluster() -> None:
    items = aggregated_status(web_binding(), [web_work("b"), web_work("a9"), web_work("a10")])
    assert [item["clusterName"] for item in items] == ["a10", "a9", "b"]


@pytest.mark.parametrize(
    ("status", "item"),
    [
        pytest.param({}, {"health": "Unknown"}, id="not applied yet"),
        pytest.param(
            {"conditions": [applied("False", "boom")], "manifestStatuses": [entry({"x": 1})]},
            {"health": "Unknown", "appliedMessage": "boom"},
            id="not applied",
        ),
        pytest.param(
            {"conditions": [applied()]}, {"applied": True, "health": "Unknown"}, id="no status"
        ),
        pytest.param(
            {"conditions": [applied()], "manifestStatuses": [entry({"x": 1}, name="other")]},
            {"applied": True, "health": "Unknown"},
            id="status of another object",
        ),
        pytest.param(
            {"conditions": [applied()], "manifestStatuses": [entry({"x": 1}, "Unhealthy")]},
            {"applied": True, "health": "Unhealthy", "status": {"x": 1}},
            id="status",
        ),
    ],
)
def test_an_item_says_what_its_work_says(status: dict[str, Any], item: dict[str, Any]) -> None:
    found = aggregated_status(web_binding(), [work(WEB, "b", **status)])
    assert found == [{"clusterName": "b", **item}]


@pytest.mark.parametrize(
    ("spec", "stays"),
    [
        ({}, False),
        ({"requiredBy": [{"name": "x", "clusters": [{"name": "z"}]}]}, True),
        ({"gracefulEvictionTasks": [{"fromCluster": "z", "purgeMode": "Directly"}]}, True),
    ],
    ids=["nothing to do with it", "required", "in a task"],
)
def test_a_cluster_of_the_past_leaves_the_aggregated_status(
    spec: dict[str, Any], stays: bool
) -> None:
    result = synced(web_binding(**spec), web_work("b", 2), web_work("z", 5))
    names = [item["clusterName"] for item in result.status["aggregatedStatus"]]
    assert names == (["b", "z"] if stays else ["b"])
    assert result.template is not None
    assert result.template["status"]["replicas"] == (7 if stays else 2)


def test_works_of_others_and_those_that_go_do_not_count() -> None:
    going = web_work("b")
    going["metadata"]["deletionTimestamp"] = "2024-05-01T08:00:00Z"
    other = work(WEB, "b", binding="other")
    assert aggregated_status(web_binding(), [going, other]) == []


@pytest.mark.parametrize(
    ("clusters", "spec", "holds"),
    [
        pytest.param(["b"], {}, True, id="everywhere"),
        pytest.param([], {}, False, id="nowhere yet"),
        pytest.param(["b"], {"clusters": []}, False, id="nowhere to be"),
        pytest.param(["b"], {"clusters": scheduled_on(a=1, b=1)}, False, id="one is missing"),
        pytest.param(
            ["b"],
            {"gracefulEvictionTasks": [{"fromCluster": "z"}]},
            False,
            id="one that it leaves in an orderly way is missing",
        ),
        pytest.param(
            ["b"],
            {"gracefulEvictionTasks": [{"fromCluster": "z", "purgeMode": "Directly"}]},
            True,
            id="one that it leaves directly",
        ),
    ],
)
def test_fully_applied_means_everywhere_and_nowhere_else(
    clusters: list[str], spec: dict[str, Any], holds: bool
) -> None:
    of = web_binding(**{"clusters": scheduled_on(b=1), **spec})
    (condition,) = synced(of, *map(web_work, clusters)).status["conditions"]
    assert condition["status"] == ("True" if holds else "False")
    assert condition["reason"] == ("FullyAppliedSuccess" if holds else "FullyAppliedFailed")


def test_the_time_of_fully_applied_moves_only_with_its_status() -> None:
    of = web_binding(clusters=scheduled_on(b=1))
    first = synced(of, web_work("b")).status
    assert first["conditions"][0]["lastTransitionTime"] == "2024-05-01T08:00:00Z"
    of["status"] = {"conditions": [{**first["conditions"][0], "lastTransitionTime": "then"}]}
    assert synced(of, web_work("b")).status["conditions"][0]["lastTransitionTime"] == "then"
    assert synced(of).status["conditions"][0]["lastTransitionTime"] != "then"


def test_other_parts_of_the_status_stay() -> None:
    of = web_binding()
    of["status"] = {"schedulerObservedGeneration": 3, "aggregatedStatus": [{"clusterName": "old"}]}
    status = synced(of).status
    assert status["schedulerObservedGeneration"] == 3
    assert "aggregatedStatus" not in status


def test_an_unchanged_template_and_one_that_is_gone_are_not_written() -> None:
    result = synced(web_binding(), web_work("b", 2))
    assert result.template is not None
    assert synced(web_binding(), web_work("b", 2), template=result.template).template is None
    assert synced(web_binding(), web_work("b", 2), template=None).template is None


def test_a_kind_without_a_rule_is_not_written() -> None:
    of = binding("cm-configmap", config_map(), clusters=[{"name": "b"}])
    assert synced(of, template=config_map()).template is None


def test_a_work_in_no_execution_space_or_without_the_object_is_an_error() -> None:
    lost = web_work("b")
    lost["metadata"]["namespace"] = "default"
    with pytest.raises(InvalidObject, match="no execution space"):
        synced(web_binding(), lost)
    with pytest.raises(InvalidObject, match="holds no Deployment prod/web"):
        synced(web_binding(), work(config_map(), "b"))


def test_a_failing_rule_for_the_template_keeps_what_is_known_of_the_binding() -> None:
    broken = web_work("b")
    broken["status"]["manifestStatuses"][0]["status"] = {"replicas": "two"}
    result = synced(web_binding(), broken)
    assert len(result.errors) == 1
    assert result.status["aggregatedStatus"][0]["status"] == {"replicas": "two"}


# --- Reflection ----------------------------------------------------------------------------------


def member(**status: Any) -> dict[str, Any]:
    annotations = {
        "work.karmada.io/namespace": "karmada-es-east",
        "work.karmada.io/name": "w",
        "resourcetemplate.karmada.io/generation": "4",
    }
    return {**deployment("web", generation=9, annotations=annotations), "status": status}


def test_a_member_object_is_reflected_with_its_health() -> None:
    obj = member(replicas=3, updatedReplicas=3, availableReplicas=3, observedGeneration=9)
    result = reflect_status(work(WEB, "east"), obj, cluster="east", interpreter=NATIVE)
    assert result is not None
    (item,) = result.manifest_statuses
    assert item["identifier"] == {
        "ordinal": 0, "group": "apps", "version": "v1", "kind": "Deployment", "resource": "",
        "namespace": "prod", "name": "web",
    }  # fmt: skip
    assert item["health"] == "Healthy"
    assert item["status"]["resourceTemplateGeneration"] == 4


def test_an_object_that_names_another_work_is_not_reflected() -> None:
    obj = member()
    del obj["metadata"]["annotations"]["work.karmada.io/name"]
    assert reflect_status(work(WEB, "east"), obj, cluster="east", interpreter=NATIVE) is None


def test_an_object_that_the_work_does_not_hold_is_an_error() -> None:
    with pytest.raises(InvalidObject, match="holds no Deployment"):
        reflect_status(work(config_map(), "east"), member(), cluster="east", interpreter=NATIVE)


def test_a_failing_health_rule_gives_unknown_and_says_why() -> None:
    obj = member(observedGeneration=9)
    obj["spec"]["replicas"] = "three"
    result = reflect_status(work(WEB, "east"), obj, cluster="east", interpreter=NATIVE)
    assert result is not None
    assert result.manifest_statuses[0]["health"] == "Unknown"
    assert result.health_error is not None


@handles("example.com/v1", "Widget")
class Telling:
    """Says a health for one kind."""

    def __init__(self, answer: Health | bool) -> None:
        self.answer = answer

    def interpret_health(self, obj: dict[str, Any]) -> Health | bool:
        return self.answer


WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (True, "Healthy"),
        (False, "Unhealthy"),
        (Health("Healthy"), "Healthy"),
        (Health("Suspended"), "Healthy"),
        (Health("Degraded"), "Unhealthy"),
        (Health("Missing"), "Unhealthy"),
        (Health("Progressing"), "Unknown"),
        (Health("Unknown"), "Unknown"),
        (Health("Progressing", healthy=False), "Unhealthy"),
        (Health("Degraded", healthy=True), "Healthy"),
    ],
    ids=str,
)
def test_what_makes_progress_is_unhealthy_only_where_the_rule_says_so(
    answer: Health | bool, word: str
) -> None:
    with ResourceInterpreter(plugins=[Telling(answer)]) as interpreter:
        assert health_for_works(WIDGET, interpreter) == word


def test_a_kind_that_only_conventions_know_is_healthy() -> None:
    broken = {**WIDGET, "status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    assert health_for_works(broken, ResourceInterpreter(plugins=None)) == "Healthy"
