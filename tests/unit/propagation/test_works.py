"""Works from bindings."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import NATIVE, binding, cluster_role, config_map, deployment
from works_samples import cluster, override_policy, scheduled_on, work

from interpreter import ResourceInterpreter
from interpreter.errors import Conflict, InterpreterError
from interpreter.propagation.asking import workload
from interpreter.propagation.overrides import OverrideIndex
from interpreter.propagation.works import (
    EnsuredWorks,
    WorkKey,
    ensure_works,
    key_of_work,
    reconcile_binding,
    superfluous_works,
)
from interpreter.propagation.works_targets import Target, divide_completions, targets_of

CLUSTERS = {name: cluster(name) for name in ("a", "b", "c", "d")}
WEB = deployment("web", generation=4)


def web_binding(template: dict[str, Any] = WEB, **spec: Any) -> dict[str, Any]:
    spec = {"replicas": 3, "clusters": scheduled_on(a=2, b=1), **spec}
    return binding("web-deployment", template, **spec)


def ensured(
    template: dict[str, Any],
    of: dict[str, Any],
    *policies: dict[str, Any],
    interpreter: ResourceInterpreter = NATIVE,
    **more: Any,
) -> EnsuredWorks:
    before = copy.deepcopy((template, of, more))
    result = ensure_works(
        template,
        of,
        clusters=CLUSTERS,
        overrides=OverrideIndex(policies),
        interpreter=interpreter,
        **more,
    )
    assert (template, of, more) == before
    return result


def manifests(result: EnsuredWorks) -> dict[str, dict[str, Any]]:
    assert not result.errors
    return {each.cluster: each.work["spec"]["workload"]["manifests"][0] for each in result.works}


def test_a_work_and_its_manifest_say_where_they_come_from() -> None:
    (planned, _other) = ensured(WEB, web_binding()).works
    assert (planned.cluster, planned.replicas) == ("a", 2)
    assert planned.work["metadata"] == {
        "namespace": "karmada-es-a",
        "name": planned.work["metadata"]["name"],
        "labels": {"resourcebinding.karmada.io/permanent-id": "id-web-deployment"},
        "annotations": {
            "resourcebinding.karmada.io/namespace": "prod",
            "resourcebinding.karmada.io/name": "web-deployment",
            "work.karmada.io/conflict-resolution": "abort",
        },
        "finalizers": ["karmada.io/execution-controller"],
    }
    metadata = planned.work["spec"]["workload"]["manifests"][0]["metadata"]
    assert "uid" not in metadata
    assert metadata["labels"] == {
        "karmada.io/managed": "true",
        "resourcebinding.karmada.io/permanent-id": "id-web-deployment",
    }
    assert metadata["annotations"]["resourcetemplate.karmada.io/uid"] == "uid-web"
    assert metadata["annotations"]["resourcetemplate.karmada.io/generation"] == "4"
    assert metadata["annotations"]["resourcetemplate.karmada.io/managed-labels"] == ",".join(
        sorted(metadata["labels"])
    )
    assert metadata["annotations"]["resourcetemplate.karmada.io/managed-annotations"] == ",".join(
        sorted(metadata["annotations"])
    )


def test_a_cluster_scoped_object_has_marks_of_its_own() -> None:
    of = binding("viewer-clusterrole", cluster_role(), clusters=[{"name": "a"}])
    of["kind"] = "ClusterResourceBinding"
    of["metadata"] = {"name": "viewer", "labels": {"clusterresourcebinding.karmada.io/permanent-id": "x"}}  # fmt: skip # noqa: E501
    (planned,) = ensured(cluster_role(), of).works
    assert planned.work["metadata"]["labels"] == {
        "clusterresourcebinding.karmada.io/permanent-id": "x"
    }
    assert planned.work["metadata"]["annotations"] == {
        "clusterresourcebinding.karmada.io/name": "viewer",
        "work.karmada.io/conflict-resolution": "abort",
    }


@pytest.mark.parametrize("strategy", ["Divided", "Duplicated"])
def test_the_schedulers_numbers_always_win(strategy: str) -> None:
    placement = {"replicaScheduling": {"replicaSchedulingType": strategy}}
    found = manifests(ensured(WEB, web_binding(placement=placement)))
    assert {name: each["spec"]["replicas"] for name, each in found.items()} == {"a": 2, "b": 1}


def test_clusters_of_requirers_follow_with_their_numbers() -> None:
    required = [{"name": "other", "clusters": scheduled_on(c=7, a=9)}]
    of = web_binding(requiredBy=required)
    assert targets_of(of) == [Target("a", 2), Target("b", 1), Target("c", 7)]
    assert manifests(ensured(WEB, of))["c"]["spec"]["replicas"] == 7


def test_what_is_no_workload_keeps_its_numbers() -> None:
    found = manifests(ensured(WEB, web_binding(replicas=0)))
    assert found["a"]["spec"]["replicas"] == 3


def job(**spec: Any) -> dict[str, Any]:
    metadata = {"name": "sum", "namespace": "prod", "uid": "u"}
    template = {"spec": {"containers": [{"name": "main", "image": "x"}]}}
    spec = {"parallelism": 3, "template": template, "ttlSecondsAfterFinished": 9, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


DIVIDED = {"replicaScheduling": {"replicaSchedulingType": "Divided"}}


def test_completions_of_a_job_are_divided_over_all_targets_by_name() -> None:
    required = [{"name": "other", "clusters": scheduled_on(c=3)}]
    template = job(completions=12)
    found = manifests(
        ensured(template, web_binding(template, placement=DIVIDED, requiredBy=required))
    )
    assert {name: each["spec"]["completions"] for name, each in found.items()} == {
        "a": 4, "b": 2, "c": 6,
    }  # fmt: skip
    assert all("ttlSecondsAfterFinished" not in each["spec"] for each in found.values())


def test_completions_of_a_duplicated_job_stay() -> None:
    template = job(completions=12)
    found = manifests(ensured(template, web_binding(template)))
    assert {each["spec"]["completions"] for each in found.values()} == {12}


def test_completions_that_are_no_number_fail_every_cluster() -> None:
    template = job(completions="many")
    result = ensured(template, web_binding(template, placement=DIVIDED))
    assert [cluster for cluster, _error in result.errors] == ["a", "b"]
    assert "spec.completions: must be an integer" in str(result.errors[0][1])


@given(
    st.integers(0, 500),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 20), min_size=1),
    st.text(max_size=3),
)
def test_divided_completions_add_up(completions: int, replicas: dict[str, int], uid: str) -> None:
    targets = [Target(name, count) for name, count in replicas.items()]
    shares = divide_completions(completions, targets, uid=uid)
    if any(replicas.values()):
        assert sum(shares.values()) == completions
        assert all(replicas[name] or not share for name, share in shares.items())
    else:
        assert shares == {}


def ray_cluster() -> dict[str, Any]:
    pod = {"spec": {"containers": [{"name": "ray", "image": "ray"}]}}
    workers = [{"groupName": "cpu", "replicas": 2, "minReplicas": 1, "maxReplicas": 4, "template": pod}]  # fmt: skip # noqa: E501
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "ray", "namespace": "prod", "uid": "u"},
        "spec": {"headGroupSpec": {"template": pod}, "workerGroupSpecs": workers},
    }


ROLLOUT_RULES = {
    "apiVersion": "config.karmada.io/v1alpha1",
    "kind": "ResourceInterpreterCustomization",
    "metadata": {"name": "rollout"},
    "spec": {
        "target": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"},
        "customizations": {
            "replicaResource": {
                "luaScript": "function GetReplicas(obj) return obj.spec.replicas, nil end"
            },
            "componentResource": {
                "luaScript": "function GetComponents(obj)\n"
                "  return {{name = 'main', replicas = obj.spec.replicas}}\nend"
            },
            "replicaRevision": {
                "luaScript": "function ReviseReplica(obj, n)\n"
                "  obj.spec.replicas = n\n  return obj\nend"
            },
        },
    },
}


def rollout() -> dict[str, Any]:
    return {**deployment("web"), "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}


@pytest.mark.parametrize("gate", [True, False], ids=["components on", "components off"])
@pytest.mark.parametrize("template", [WEB, rollout(), ray_cluster()], ids=lambda obj: obj["kind"])
def test_no_work_gets_a_number_that_the_scheduler_did_not_give(
    template: dict[str, Any], gate: bool
) -> None:
    gates = {"MultiplePodTemplatesScheduling": gate}
    with ResourceInterpreter([ROLLOUT_RULES], plugins=None) as interpreter:
        fields = workload(template, interpreter=interpreter, gates=gates)
        of = web_binding(template, **fields)
        if not fields:
            del of["spec"]["replicas"]
        found = manifests(ensured(template, of, interpreter=interpreter, gates=gates))
    for name, replicas in (("a", 2), ("b", 1)):
        spec = found[name]["spec"]
        if template["kind"] == "RayCluster":
            assert spec == template["spec"]
        else:
            assert spec == {**template["spec"], "replicas": replicas}


def test_overrides_come_after_the_schedulers_numbers_and_may_rename_the_work() -> None:
    policy = override_policy(
        "o",
        {
            "plaintext": [
                {"operator": "replace", "path": "/spec/replicas", "value": 9},
                {"operator": "replace", "path": "/metadata/name", "value": "renamed"},
            ]
        },
        target={"clusterNames": ["b"]},
    )
    result = ensured(WEB, web_binding(), policy)
    found = manifests(result)
    assert (found["a"]["spec"]["replicas"], found["b"]["spec"]["replicas"]) == (2, 9)
    first, second = (each.work["metadata"] for each in result.works)
    assert first["name"].startswith("web-")
    assert second["name"].startswith("renamed-")
    assert "policy.karmada.io/applied-overrides" not in first["annotations"]
    assert "renamed" in second["annotations"]["policy.karmada.io/applied-overrides"]
    assert found["b"]["metadata"]["annotations"]["work.karmada.io/name"] == second["name"]


def test_no_override_removes_a_mark() -> None:
    policy = override_policy(
        "o",
        {"plaintext": [{"operator": "add", "path": "/metadata/labels", "value": {"only": "this"}}]},
    )
    labels = manifests(ensured(WEB, web_binding(), policy))["a"]["metadata"]["labels"]
    assert labels["karmada.io/managed"] == "true"
    assert labels["only"] == "this"


def test_one_failing_cluster_does_not_stop_the_others() -> None:
    policy = override_policy(
        "o",
        {"plaintext": [{"operator": "remove", "path": "/spec/nope"}]},
        target={"clusterNames": ["a"]},
    )
    of = web_binding(clusters=scheduled_on(a=1, nowhere=1, b=1))
    result = ensured(WEB, of, policy)
    assert [each.cluster for each in result.works] == ["b"]
    assert [cluster for cluster, _error in result.errors] == ["a", "nowhere"]


@pytest.mark.parametrize(
    ("annotation", "wanted", "resolution"),
    [
        (None, None, "abort"),
        (None, "Overwrite", "overwrite"),
        ("abort", "Overwrite", "abort"),
        ("overwrite", "Abort", "overwrite"),
        ("Overwrite", "Abort", "abort"),
    ],
)
def test_the_objects_own_conflict_resolution_comes_first(
    annotation: str | None, wanted: str | None, resolution: str
) -> None:
    mark = "work.karmada.io/conflict-resolution"
    template = deployment("web", annotations={mark: annotation} if annotation else {})
    result = ensured(template, web_binding(conflictResolution=wanted))
    assert manifests(result)["a"]["metadata"]["annotations"][mark] == resolution
    assert result.works[0].work["metadata"]["annotations"][mark] == resolution


@pytest.mark.parametrize(
    ("suspension", "suspended"),
    [
        (None, set()),
        ({"dispatching": True}, {"a", "b"}),
        ({"dispatching": False, "dispatchingOnClusters": {"clusterNames": ["b"]}}, {"b"}),
        ({"scheduling": True}, set()),
    ],
)
def test_dispatching_is_suspended_everywhere_or_in_named_clusters(
    suspension: dict[str, Any] | None, suspended: set[str]
) -> None:
    result = ensured(WEB, web_binding(suspension=suspension))
    found = {each.cluster for each in result.works if each.work["spec"]["suspendDispatching"]}
    assert found == suspended


def test_an_existing_work_keeps_its_metadata_and_gives_its_identifier() -> None:
    (fresh, _other) = ensured(WEB, web_binding()).works
    existing = copy.deepcopy(fresh.work)
    existing["metadata"]["labels"]["work.karmada.io/permanent-id"] = "w-1"
    existing["metadata"]["annotations"]["stale"] = "kept"
    existing["metadata"]["finalizers"] = ["zz", "aa"]
    existing["spec"]["workload"]["manifests"] = []
    result = ensured(WEB, web_binding(), existing={key_of_work(existing): existing})
    written = result.works[0].work
    assert written["metadata"]["annotations"]["stale"] == "kept"
    assert written["metadata"]["finalizers"] == ["aa", "karmada.io/execution-controller", "zz"]
    labels = manifests(result)["a"]["metadata"]["labels"]
    assert labels["work.karmada.io/permanent-id"] == "w-1"


def test_a_work_that_is_being_deleted_is_an_error_for_its_cluster() -> None:
    (fresh, _other) = ensured(WEB, web_binding()).works
    existing = copy.deepcopy(fresh.work)
    existing["metadata"]["deletionTimestamp"] = "2024-05-01T08:00:00Z"
    result = ensured(WEB, web_binding(), existing={key_of_work(existing): existing})
    ((name, error),) = result.errors
    assert (name, type(error)) == ("a", Conflict)
    assert error.temporary


STATE = {"fromCluster": "d", "purgeMode": "Directly", "preservedLabelState": {"at": "7"}}


@pytest.mark.parametrize(
    ("task", "clusters", "gate", "injected"),
    [
        pytest.param({}, {"a": 1}, True, True, id="one new cluster"),
        pytest.param({}, {"a": 1}, False, False, id="gate off"),
        pytest.param({}, {"a": 1, "b": 1}, True, False, id="two clusters"),
        pytest.param({"purgeMode": "Gracefully"}, {"a": 1}, True, False, id="not directly"),
        pytest.param({"clustersBeforeFailover": ["a"]}, {"a": 1}, True, False, id="was there"),
        pytest.param({"clustersBeforeFailover": ["d"]}, {"a": 1}, True, True, id="was elsewhere"),
    ],
)
def test_preserved_state_becomes_labels_of_the_only_new_copy(
    task: dict[str, Any], clusters: dict[str, int], gate: bool, injected: bool
) -> None:
    of = web_binding(
        clusters=scheduled_on(**clusters),
        gracefulEvictionTasks=[{"fromCluster": "c"}, {**STATE, **task}],
    )
    found = manifests(ensured(WEB, of, gates={"StatefulFailoverInjection": gate}))
    assert (found["a"]["metadata"]["labels"].get("at") == "7") is injected


# --- Reconciling a binding -----------------------------------------------------------------------


def reconciled(of: dict[str, Any], works: list[dict[str, Any]], **more: Any) -> Any:
    before = copy.deepcopy((of, works))
    result = reconcile_binding(
        of,
        template=more.pop("template", WEB),
        works=works,
        clusters=CLUSTERS,
        overrides=OverrideIndex(),
        interpreter=NATIVE,
        **more,
    )
    assert (of, works) == before
    return result


def test_works_in_clusters_of_the_past_are_deleted() -> None:
    of = web_binding(gracefulEvictionTasks=[{"fromCluster": "c", "purgeMode": "Gracefully"}])
    works = [work(WEB, name) for name in "abcd"]
    stranger = work(WEB, "d", binding="other")
    result = reconciled(of, [*works, stranger])
    assert result.delete == (WorkKey("karmada-es-d", "w"),)
    assert [each.cluster for each in result.ensured.works] == ["a", "b"]
    assert superfluous_works(of, [stranger]) == []


def test_nothing_is_written_while_a_work_remains_where_the_object_leaves_directly() -> None:
    of = web_binding(gracefulEvictionTasks=[{"fromCluster": "c", "purgeMode": "Directly"}])
    remaining = work(WEB, "c")
    result = reconciled(of, [remaining])
    assert result.delete == (WorkKey("karmada-es-c", "w"),)
    assert (result.ensured.works, result.requeue_after) == ((), 5)
    remaining["metadata"]["finalizers"] = []
    result = reconciled(of, [remaining])
    assert ([each.cluster for each in result.ensured.works], result.requeue_after) == (
        ["a", "b"],
        0,
    )


def scheduling_failed() -> dict[str, Any]:
    of = web_binding(clusters=[])
    condition = {"type": "Scheduled", "status": "False", "reason": "NoClusterFit"}
    of["status"] = {"conditions": [condition]}
    return of


def test_an_empty_target_list_because_of_an_error_deletes_nothing() -> None:
    result = reconciled(scheduling_failed(), [work(WEB, "a"), work(WEB, "b")])
    assert result.delete == ()
    assert "could not be scheduled" in result.note


def test_an_error_does_not_hold_back_an_eviction_that_was_asked_for() -> None:
    of = scheduling_failed()
    of["spec"]["gracefulEvictionTasks"] = [{"fromCluster": "b", "purgeMode": "Directly"}]
    result = reconciled(of, [work(WEB, "a"), work(WEB, "b")])
    assert result.delete == (WorkKey("karmada-es-b", "w"),)


def test_an_empty_target_list_of_a_scheduler_that_succeeded_deletes_all() -> None:
    of = scheduling_failed()
    of["status"]["conditions"][0]["status"] = "True"
    result = reconciled(of, [work(WEB, "a")])
    assert (result.delete, result.note) == ((WorkKey("karmada-es-a", "w"),), None)


def test_a_failed_scheduling_that_left_clusters_still_removes_others() -> None:
    of = scheduling_failed()
    of["spec"]["clusters"] = scheduled_on(a=3)
    result = reconciled(of, [work(WEB, "a"), work(WEB, "b")])
    assert result.delete == (WorkKey("karmada-es-b", "w"),)


def test_a_deleted_binding_deletes_its_works_and_goes() -> None:
    of = web_binding()
    of["metadata"]["deletionTimestamp"] = "2024-05-01T08:00:00Z"
    of["metadata"]["finalizers"] = ["karmada.io/binding-controller", "other"]
    result = reconciled(of, [work(WEB, "a"), work(WEB, "d", binding="other")])
    assert result.delete == (WorkKey("karmada-es-a", "w"),)
    assert (result.finalizers, result.ensured.works) == (("other",), ())


def test_without_its_template_nothing_is_written() -> None:
    result = reconciled(web_binding(), [], template=None)
    assert (result.ensured.works, result.ensured.errors) == ((), ())


def test_bindings_without_an_identifier_do_not_delete_each_others_works() -> None:
    of, stranger = web_binding(), work(WEB, "d")
    del of["metadata"]["labels"]
    label = "resourcebinding.karmada.io/permanent-id"
    stranger["metadata"]["labels"][label] = ""
    of["metadata"]["labels"] = {label: ""}
    stranger["metadata"]["annotations"] = {"resourcebinding.karmada.io/name": "another"}
    assert superfluous_works(of, [stranger]) == []
    stranger["metadata"]["annotations"] = {"resourcebinding.karmada.io/name": "web-deployment"}
    assert superfluous_works(of, [stranger]) == [stranger]


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9), min_size=1))
def test_replicas_of_all_works_are_those_of_the_schedule(replicas: dict[str, int]) -> None:
    result = ensured(WEB, web_binding(clusters=scheduled_on(**replicas)))
    found = {name: each["spec"]["replicas"] for name, each in manifests(result).items()}
    assert found == replicas


def test_objects_that_nobody_interprets_are_packed_too() -> None:
    widget = config_map("w")
    widget.update(apiVersion="example.com/v1", kind="Widget", status={"x": 1})
    (planned,) = ensured(widget, web_binding(widget, clusters=[{"name": "a"}])).works
    assert "status" not in planned.work["spec"]["workload"]["manifests"][0]


def test_errors_are_those_of_the_project() -> None:
    broken = deployment("web")
    broken["spec"]["replicas"] = "three"
    result = ensured(broken, web_binding())
    assert all(isinstance(error, InterpreterError) for _cluster, error in result.errors)
    assert len(result.errors) == 2
