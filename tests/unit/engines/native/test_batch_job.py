"""batch/v1 Job."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from interpreter.api.context import HookContext
from interpreter.api.results import Component, ReplicaRequirements, ReplicaResult
from interpreter.engines.native.batch_job import KIND
from interpreter.errors import InvalidObject

Obj = dict[str, Any]
UID, OLD_UID = "batch.kubernetes.io/controller-uid", "controller-uid"
NAME, OLD_NAME = "batch.kubernetes.io/job-name", "job-name"


def job(spec: Any = None, **fields: Any) -> Obj:
    obj = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "load", "namespace": "ops"},
        "unknown": [None],
        **fields,
    }
    return obj if spec is None else {**obj, "spec": spec}


# --- Replicas ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        (None, 0),
        ({}, 0),
        ({"parallelism": None, "completions": 5}, 0),
        ({"parallelism": 3}, 3),
        ({"parallelism": 3, "completions": None}, 3),
        ({"parallelism": 3, "completions": 2}, 2),
        ({"parallelism": 3, "completions": 0}, 0),
        ({"parallelism": 3.0, "completions": 4}, 3),
        ({"replicas": 7}, 0),
    ],
)
def test_the_count_is_the_parallelism_up_to_the_completions(ask: Any, spec: Any, want: int) -> None:
    assert ask(KIND.get_replicas, job(spec)) == ReplicaResult(want)


def test_components_and_dependencies_come_from_the_template(ask: Any) -> None:
    pod = {
        "containers": [{"resources": {"requests": {"cpu": 1}}}],
        "volumes": [{"secret": {"secretName": "s"}}],
    }
    obj = job({"parallelism": 2, "template": {"spec": pod}})
    needs = ReplicaRequirements(None, {"cpu": "1"})
    assert ask(KIND.get_components, obj) == [Component("load", 2, needs)]
    assert [ref.name for ref in ask(KIND.get_dependencies, obj)] == ["s"]


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("x", "spec"),
        ({"parallelism": -1}, "spec.parallelism"),
        ({"parallelism": "1"}, "spec.parallelism"),
        ({"parallelism": 1, "completions": 2**31}, "spec.completions"),
        ({"template": {"spec": {"tolerations": 1}}}, "spec.template.spec.tolerations"),
    ],
)
def test_a_wrong_type_is_an_error_with_its_path(refused: Any, spec: Any, path: str) -> None:
    assert refused(KIND.get_replicas, job(spec)).path == path


def test_revision_writes_an_existing_parallelism(ask: Any, refused: Any) -> None:
    spec = {"parallelism": 1, "completions": 9, "replicas": 1}
    assert ask(KIND.revise_replica, job(spec), 4) == job({**spec, "parallelism": 4})
    assert ask(KIND.revise_replica, job({"completions": 9}), 4) == job({"completions": 9})
    assert refused(KIND.revise_replica, job({"parallelism": None}), 4).path == "spec.parallelism"
    assert refused(KIND.revise_replica, job(spec), -1).path == "replicas"


# --- Retention -----------------------------------------------------------------------------------


def labelled(selector: Any, labels: Any, **spec: Any) -> Obj:
    return job(
        {
            **spec,
            "selector": {"matchLabels": selector, "matchExpressions": []},
            "template": {"metadata": {"labels": labels, "annotations": {}}, "spec": {}},
        }
    )


def test_generated_labels_of_the_member_replace_those_of_the_template(ask: Any) -> None:
    desired = labelled({"a": "1"}, {"mine": "x"}, suspend=True)
    observed = labelled({UID: "u"}, {UID: "u", NAME: "load"})
    assert ask(KIND.retain, desired, observed) == labelled(
        {UID: "u"}, {UID: "u", NAME: "load"}, suspend=True
    )


def test_labels_are_written_where_the_template_has_none(ask: Any) -> None:
    observed = labelled({}, {UID: "u"})
    assert ask(KIND.retain, job(), observed) == job(
        {"selector": {"matchLabels": {}}, "template": {"metadata": {"labels": {UID: "u"}}}}
    )


@pytest.mark.parametrize("spec", [None, {}, {"selector": None}, {"template": {"metadata": {}}}])
def test_a_member_without_labels_leaves_the_template_alone(ask: Any, spec: Any) -> None:
    desired = labelled({"a": "1"}, {"b": "2"})
    assert ask(KIND.retain, desired, job(spec)) == desired


@pytest.mark.parametrize(
    ("desired", "observed", "path"),
    [
        (job(), labelled(None, {}), "spec.selector.matchLabels"),
        (job(), labelled({"a": 1}, {}), "spec.selector.matchLabels.a"),
        (job(), labelled({}, []), "spec.template.metadata.labels"),
        (job(), job([]), "spec"),
        (job(), job({"selector": "x"}), "spec.selector"),
        (job({"selector": None}), labelled({}, {}), "spec.selector"),
        (job({"template": {"metadata": 1}}), labelled({}, {}), "spec.template.metadata"),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, desired: Obj, observed: Obj, path: str
) -> None:
    assert refused(KIND.retain, desired, observed).path == path


# --- Aggregation ---------------------------------------------------------------------------------

COMPLETE = {"type": "Complete", "status": "True"}
FAILED = {"type": "Failed", "status": "True"}
CRITERIA = {"type": "SuccessCriteriaMet", "status": "True"}


def member(cluster: str, *conditions: Any, **status: Any) -> Obj:
    listed = {"conditions": list(conditions)} if conditions else {}
    return {"clusterName": cluster, "status": {**status, **listed}}


def condition(kind: str, reason: str, message: str) -> Obj:
    return {
        "type": kind,
        "status": "True",
        "reason": reason,
        "message": message,
        "lastProbeTime": "2026-05-04T12:00:00Z",
        "lastTransitionTime": "2026-05-04T12:00:00Z",
    }


DONE = condition("Complete", "Completed", "Job completed")
MET = condition(
    "SuccessCriteriaMet", "CompletionsReached", "All member clusters have met success criteria"
)


def broken(*clusters: str) -> Obj:
    message = f"Job executed failed in member clusters {','.join(clusters)}"
    return condition("Failed", "JobFailed", message)


@pytest.mark.parametrize(
    ("items", "want"),
    [
        pytest.param(None, {}, id="null items"),
        pytest.param([], {}, id="no items"),
        pytest.param([{"clusterName": "a"}], {}, id="no status"),
        pytest.param(
            [member("a", active=1, succeeded=2), member("b", failed=3, active=1), {}],
            {"active": 2, "succeeded": 2, "failed": 3},
            id="sums",
        ),
        pytest.param(
            [member("a", COMPLETE), member("b", CRITERIA, COMPLETE)],
            {"conditions": [DONE]},
            id="all complete",
        ),
        pytest.param(
            [member("a", COMPLETE, CRITERIA), member("b", CRITERIA, COMPLETE)],
            {"conditions": [DONE, MET]},
            id="all met the criteria",
        ),
        pytest.param([member("a", COMPLETE), member("b", active=1)], {"active": 1}, id="one runs"),
        pytest.param([member("a", COMPLETE), {}], {}, id="one is silent"),
        pytest.param(
            [member("z", FAILED), member("b", COMPLETE), member("a", FAILED)],
            {"conditions": [broken("z", "a")]},
            id="failures in item order",
        ),
        pytest.param(
            [member("a", {"type": "Failed", "status": "False"}), member("b", None)],
            {},
            id="untrue and null conditions",
        ),
        pytest.param(
            [member("a", COMPLETE, FAILED)],
            {"conditions": [DONE]},
            id="the first finishing condition counts",
        ),
        pytest.param(
            [member("a", {"TYPE": "Complete", "Status": "True"})],
            {"conditions": [DONE]},
            id="any spelling",
        ),
        pytest.param(
            [
                member(
                    "a", startTime="2026-01-01T10:00:00Z", completionTime="2026-01-01T11:00:00Z"
                ),
                member(
                    "b",
                    startTime="2026-01-01T11:30:00+02:00",
                    completionTime="2026-01-01T10:59:59Z",
                ),
            ],
            {"startTime": "2026-01-01T09:30:00Z", "completionTime": "2026-01-01T11:00:00Z"},
            id="earliest start, latest end",
        ),
        pytest.param(
            [member("a", startTime="2026-01-01T10:00:00Z", active=1), member("b", active=1)],
            {"active": 2},
            id="no start before all have started",
        ),
    ],
)
def test_members_are_folded_into_one_status(
    ask: Any, noon: HookContext, items: Any, want: Obj
) -> None:
    obj = job({"parallelism": 1}, status={"ready": 1, "terminating": 2})
    assert ask(KIND.aggregate_status, obj, items, noon) == job({"parallelism": 1}, status=want)


def test_the_start_of_the_template_stays(ask: Any, noon: HookContext) -> None:
    obj = job(status={"startTime": "2026-01-01T12:00:00+01:00", "active": 1})
    items = [member("a", startTime="2025-01-01T00:00:00Z", active=2)]
    assert ask(KIND.aggregate_status, obj, items, noon)["status"] == {
        "active": 2,
        "startTime": "2026-01-01T11:00:00Z",
    }


@pytest.mark.parametrize("finished", [COMPLETE, FAILED])
def test_a_finished_job_stays_untouched(ask: Any, noon: HookContext, finished: Obj) -> None:
    obj = job(status={"active": 5, "conditions": [None, {"type": "Suspended"}, finished]})
    assert ask(KIND.aggregate_status, obj, [member("a", succeeded=1)], noon) == obj


def test_a_status_that_says_the_same_stays(ask: Any, noon: HookContext) -> None:
    obj = job(status={"active": 1, "succeeded": 0, "conditions": []})
    assert ask(KIND.aggregate_status, obj, [member("a", active=1)], noon) == obj
    assert ask(KIND.aggregate_status, job(), [], noon) == job()


@pytest.mark.parametrize(
    ("obj", "items", "path"),
    [
        pytest.param(job([]), [], "spec", id="spec"),
        pytest.param(job({"backoffLimit": "1"}), [], "spec.backoffLimit", id="backoff limit"),
        pytest.param(job({"manualSelector": "x"}), [], "spec.manualSelector", id="selector"),
        pytest.param(job(status="x"), [], "status", id="own status"),
        pytest.param(job(status={"startTime": 1}), [], "status.startTime", id="own start"),
        pytest.param(job(status={"conditions": {}}), [], "status.conditions", id="own conditions"),
        pytest.param(
            job(status={"conditions": [{}, 5]}), [], "status.conditions[1]", id="own condition"
        ),
        pytest.param(
            job(status={"conditions": [{"type": 5}]}),
            [],
            "status.conditions[0].type",
            id="own type",
        ),
        pytest.param(
            job(status={"conditions": [{}, {**FAILED, "status": True}]}),
            [],
            "status.conditions[1].status",
            id="own truth",
        ),
        pytest.param(job(), [member("a", active="1")], "items[0].status.active", id="count"),
        pytest.param(
            job(),
            [{}, {"status": {"conditions": 1}}],
            "items[1].status.conditions",
            id="conditions",
        ),
        pytest.param(
            job(), [member("a", {}, "x")], "items[0].status.conditions[1]", id="condition"
        ),
        pytest.param(
            job(), [member("a", {"type": 1})], "items[0].status.conditions[0].type", id="type"
        ),
        pytest.param(
            job(),
            [{}, member("a", {}, {**FAILED, "status": 1})],
            "items[1].status.conditions[1].status",
            id="truth",
        ),
        pytest.param(
            job(), [{**member("a", FAILED), "clusterName": 1}], "items[0].clusterName", id="cluster"
        ),
        pytest.param(
            job(), [member("a", startTime="now")], "items[0].status.startTime", id="start"
        ),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, noon: HookContext, obj: Obj, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, obj, items, noon).path == path


# --- Collection ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "want"),
    [
        (None, None),
        ({}, {}),
        ({"active": 0, "conditions": [], "startTime": None, "ready": 4}, {}),
        (
            {
                "active": 1,
                "succeeded": 2,
                "failed": 3.0,
                "conditions": [{"type": "X", "unknown": []}, None],
                "startTime": "2026-01-01T12:00:00.5+01:00",
                "completionTime": "2026-01-02T00:00:00Z",
                "uncountedTerminatedPods": {},
            },
            {
                "active": 1,
                "succeeded": 2,
                "failed": 3,
                "conditions": [{"type": "X", "unknown": []}, None],
                "startTime": "2026-01-01T11:00:00Z",
                "completionTime": "2026-01-02T00:00:00Z",
            },
        ),
    ],
)
def test_counts_conditions_and_times_are_collected(ask: Any, status: Any, want: Any) -> None:
    assert ask(KIND.reflect_status, job(status=status)) == want


@pytest.mark.parametrize(
    ("status", "path"),
    [
        ("x", "status"),
        ({"active": "1"}, "status.active"),
        ({"conditions": {}}, "status.conditions"),
        ({"conditions": [1]}, "status.conditions[0]"),
        ({"completionTime": "x"}, "status.completionTime"),
    ],
)
def test_collection_of_wrong_types_is_an_error(refused: Any, status: Any, path: str) -> None:
    assert refused(KIND.reflect_status, job(status=status)).path == path


# --- Pruning -------------------------------------------------------------------------------------


def prune(obj: Obj, *, ttl: bool = False) -> Obj:
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, ttl)
    return obj


def test_generated_labels_are_pruned_and_emptied_maps_stay() -> None:
    generated = {UID: "u", OLD_UID: "u", NAME: "n", OLD_NAME: "n"}
    selector = {UID: "u", OLD_UID: "u", "mine": "x"}
    assert prune(labelled(selector, {**generated, "mine": "y"})) == labelled(
        {"mine": "x"}, {"mine": "y"}
    )
    assert prune(labelled({UID: "u"}, generated)) == labelled({}, {})


def test_job_names_in_a_selector_stay() -> None:
    assert prune(labelled({NAME: "n"}, {})) == labelled({NAME: "n"}, {})


def test_labels_of_a_manual_selector_stay() -> None:
    obj = labelled({UID: "u"}, {UID: "u", OLD_NAME: "n"}, manualSelector=True)
    assert prune(copy.deepcopy(obj)) == obj


def test_the_time_to_live_goes_only_when_asked() -> None:
    obj = job({"ttlSecondsAfterFinished": 60, "x": 1})
    assert prune(copy.deepcopy(obj)) == obj
    assert prune(copy.deepcopy(obj), ttl=True) == job({"x": 1})
    assert prune(job(), ttl=True) == job()


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (job("x"), "spec"),
        (job({"completions": "1"}), "spec.completions"),
        (job({"ttlSecondsAfterFinished": 1.5}), "spec.ttlSecondsAfterFinished"),
        (job({"manualSelector": 1}), "spec.manualSelector"),
        (job({"selector": []}), "spec.selector"),
        (labelled([], {}), "spec.selector.matchLabels"),
        (labelled({"a": 1}, {}), "spec.selector.matchLabels.a"),
        (labelled({}, {"a": []}), "spec.template.metadata.labels.a"),
        (job({"template": {"metadata": 1}}), "spec.template.metadata"),
    ],
)
def test_pruning_of_wrong_types_is_an_error(obj: Obj, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        prune(obj)
    assert caught.value.path == path
