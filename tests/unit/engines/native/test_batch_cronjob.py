"""batch/v1 CronJob."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.batch_cronjob import KIND

Obj = dict[str, Any]


def cronjob(spec: Any = None, **fields: Any) -> Obj:
    obj = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"namespace": "ops"}, **fields}
    return obj if spec is None else {**obj, "spec": spec}


def member(**status: Any) -> Obj:
    return {"clusterName": "a", "status": status}


def test_active_jobs_are_joined_in_item_order_and_times_are_the_latest(ask: Any) -> None:
    items = [
        member(active=[{"name": "one", "unknown": {}}], lastScheduleTime="2026-01-02T03:04:05Z"),
        {},
        member(
            active=[{"NAME": "two"}, None],
            lastScheduleTime="2026-01-02T04:04:05+01:30",
            lastSuccessfulTime="2025-12-31T23:59:59.999Z",
        ),
    ]
    obj = cronjob({"x": []}, status={"active": [{"name": "gone"}], "mine": {}})
    assert ask(KIND.aggregate_status, obj, items) == cronjob(
        {"x": []},
        status={
            "mine": {},
            "active": [{"name": "one", "unknown": {}}, {"name": "two"}, {}],
            "lastScheduleTime": "2026-01-02T03:04:05Z",
            "lastSuccessfulTime": "2025-12-31T23:59:59Z",
        },
    )


@pytest.mark.parametrize("items", [None, [], [{}], [member(active=[], lastScheduleTime=None)]])
def test_without_reports_the_status_is_emptied(ask: Any, items: Any) -> None:
    status = {"active": [{}], "lastScheduleTime": "2026-01-02T03:04:05Z"}
    assert ask(KIND.aggregate_status, cronjob(status=status), items) == cronjob(status={})
    assert ask(KIND.aggregate_status, cronjob(), items) == cronjob()


def test_an_old_status_that_says_the_same_stays(ask: Any) -> None:
    obj = cronjob(status={"lastScheduleTime": "2026-01-02T03:04:05Z", "active": []})
    items = [member(lastScheduleTime="2026-01-02T03:04:05Z")]
    assert ask(KIND.aggregate_status, obj, items) == obj


def test_the_first_moment_of_the_calendar_keeps_its_four_digits(ask: Any) -> None:
    items = [
        member(lastScheduleTime="0001-01-01T00:00:00Z"),
        member(lastSuccessfulTime="0999-12-31T00:00:00Z"),
        member(lastSuccessfulTime="1000-01-01T00:00:00Z"),
    ]
    assert ask(KIND.aggregate_status, cronjob(), items)["status"] == {
        "lastScheduleTime": "0001-01-01T00:00:00Z",
        "lastSuccessfulTime": "1000-01-01T00:00:00Z",
    }


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        pytest.param("x", [], "status", id="own status"),
        pytest.param({"active": {}}, [], "status.active", id="own active"),
        pytest.param({}, [member(active=5)], "items[0].status.active", id="active"),
        pytest.param({}, [{}, member(active=["x"])], "items[1].status.active[0]", id="job"),
        pytest.param(
            {}, [member(lastScheduleTime=5)], "items[0].status.lastScheduleTime", id="number"
        ),
        *(
            pytest.param(
                {}, [member(lastSuccessfulTime=text)], "items[0].status.lastSuccessfulTime", id=text
            )
            for text in (
                "",
                "yesterday",
                "2026-01-02",
                "2026-01-02T03:04:05",
                "2026-13-02T03:04:05Z",
                "2026-02-30T03:04:05Z",
                "2026-01-02T25:04:05Z",
                "0001-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00",
                "2026-01-02T03:04:05Z ",
                "\u0662026-01-02T03:04:05Z",
            )
        ),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, cronjob(status=status), items).path == path


POD = {"serviceAccountName": "reporter", "volumes": [{"configMap": {"name": "queries"}}]}


def test_dependencies_come_from_the_template_inside_the_job_template(ask: Any) -> None:
    obj = cronjob({"jobTemplate": {"spec": {"template": {"spec": POD}}}, "template": {"spec": POD}})
    found = ask(KIND.get_dependencies, obj)
    assert [(ref.kind, ref.namespace, ref.name) for ref in found] == [
        ("ConfigMap", "ops", "queries"),
        ("ServiceAccount", "ops", "reporter"),
    ]


@pytest.mark.parametrize(
    "spec", [None, {}, {"jobTemplate": None}, {"jobTemplate": {"spec": {"template": {}}}}]
)
def test_without_a_template_there_are_no_dependencies(ask: Any, spec: Any) -> None:
    assert ask(KIND.get_dependencies, cronjob(spec)) == []


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"jobTemplate": []}, "spec.jobTemplate"),
        ({"jobTemplate": {"spec": {"template": 1}}}, "spec.jobTemplate.spec.template"),
        (
            {"jobTemplate": {"spec": {"template": {"spec": {"volumes": [3]}}}}},
            "spec.jobTemplate.spec.template.spec.volumes[0]",
        ),
    ],
)
def test_a_reference_of_a_wrong_type_is_an_error(refused: Any, spec: Any, path: str) -> None:
    assert refused(KIND.get_dependencies, cronjob(spec)).path == path
