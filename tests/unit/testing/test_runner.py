import json

import pytest

from interpreter.api.operation import Operation
from interpreter.testing import discover, run
from interpreter.testing.filters import parse_filter

CASES = """\
- name: one by default
  object: &widget {apiVersion: example.com/v1, kind: Widget, spec: {}}
  want: {replicas: 1}
- name: a wrong case
  object: *widget
  want: 2
- name: cpu is requested
  object: {apiVersion: example.com/v1, kind: Widget, spec: {workers: 3, cpu: 500m}}
  want: {replicas: 3, requirements: {resourceRequest: {cpu: 500m}}}
- name: not today
  object: *widget
  want: 9
  skip: the API is not ready
- name: no spec
  object: {apiVersion: example.com/v1, kind: Widget}
  want_error: "Widget/get_replicas.lua:2: attempt to index"
"""


def statuses(report):
    return [(outcome.case.name, outcome.status) for outcome in report.outcomes]


EXPECTED = [
    ("one by default", "passed"),
    ("a wrong case", "failed"),
    ("cpu is requested", "passed"),
    ("not today", "skipped"),
    ("no spec", "passed"),
]


@pytest.mark.parametrize("processes", [1, 2])
def test_outcomes_come_in_the_order_of_the_file_however_many_processes_run(widget, processes):
    widget({"cases/get_replicas.yaml": CASES})
    report = run(discover([]).suites, processes=processes)
    assert statuses(report) == EXPECTED
    assert report.summary() == "3 passed, 1 failed, 1 skipped"
    assert not report.ok()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_can_stop_at_the_first_failure(widget, processes):
    widget({"cases/get_replicas.yaml": CASES})
    report = run(discover([]).suites, stop_at_failure=True, processes=processes)
    assert statuses(report) == EXPECTED[:2]
    assert report.stopped


def test_only_chosen_cases_run_and_untested_scripts_are_not_told_then(widget):
    widget({"cases/get_replicas.yaml": CASES, "retain.lua": "function Retain(a, b) return a end"})
    suites = discover([]).suites
    report = run(suites, chosen=parse_filter("getreplicas and not wrong and (cpu or no spec)"))
    assert statuses(report) == [("cpu is requested", "passed"), ("no spec", "passed")]
    assert report.untested == []
    assert report.ok()
    [untested] = run(suites).untested
    assert (untested.operation, untested.path) == (
        Operation.RETAIN,
        "lua_scripts/example.com/v1/Widget/retain.lua",
    )


def test_progress_counts_every_case(widget):
    widget({"cases/get_replicas.yaml": CASES})
    seen = []
    run(discover([]).suites, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 5) for number in range(1, 6)]


def test_a_case_without_a_script_fails(widget):
    widget({"cases/retain.yaml": "- {name: x, desired: {kind: W}, observed: {kind: W}, want: {}}"})
    [outcome] = run(discover([]).suites).outcomes
    assert outcome.status == "failed"
    assert outcome.mismatches[0].text == (
        "example.com/v1/Widget has no script for Retain (retain.lua, or the rule retention)"
    )


SCRIPTS = {
    "revise_replica.lua": (
        "function ReviseReplica(obj, n) obj.spec.workers = n return obj end",
        (
            "object: {kind: W, apiVersion: g/v1, spec: {workers: 1, keep: []}}\n  replicas: 4\n"
            "  want: {kind: W, apiVersion: g/v1, spec: {workers: 4, keep: []}}"
        ),
    ),
    "get_components.lua": (
        "function GetComponents(obj) return {{name = 'a', replicas = obj.n}} end",
        "object: {kind: W, apiVersion: g/v1, n: 2}\n  want: [{name: a, replicas: 2}]",
    ),
    "retain.lua": (
        "function Retain(desired, observed) desired.x = observed.x return desired end",
        (
            "desired: {kind: W, apiVersion: g/v1}\n  observed: {kind: W, apiVersion: g/v1, x: {}}\n"
            "  want: {kind: W, apiVersion: g/v1, x: {}}"
        ),
    ),
    "aggregate_status.lua": (
        (
            "function AggregateStatus(obj, items)\n"
            "  obj.status = {n = items == nil and -1 or #items}\n"
            "  return obj\nend"
        ),
        (
            "object: {kind: W, apiVersion: g/v1}\n  items: [{clusterName: a}, {clusterName: b}]\n"
            "  want_status: {n: 2}\n- name: nil items\n  object: {kind: W, apiVersion: g/v1}\n"
            "  want_status: {n: -1}"
        ),
    ),
    "reflect_status.lua": (
        "function ReflectStatus(obj) return obj.status end",
        (
            "object: {kind: W, apiVersion: g/v1, status: {big: 9007199254740993}}\n"
            "  want: {big: 9007199254740993}\n- name: nothing\n"
            "  object: {kind: W, apiVersion: g/v1}\n  want: null"
        ),
    ),
    "interpret_health.lua": (
        "function InterpretHealth(obj) return obj.ok, 'because' end",
        (
            "object: {kind: W, apiVersion: g/v1, ok: false}\n"
            "  want: {status: Degraded, message: because, healthy: false}"
        ),
    ),
    "get_dependencies.lua": (
        (
            "function GetDependencies(obj)\n"
            "  return {{apiVersion = 'v1', kind = 'Secret', namespace = 'x', name = obj.s}}\nend"
        ),
        (
            "object: {kind: W, apiVersion: g/v1, s: key}\n"
            "  want: [{apiVersion: v1, kind: Secret, namespace: x, name: key}]"
        ),
    ),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_operation_can_be_tested(widget, script):
    source, case = SCRIPTS[script]
    folder = widget({script: source, f"cases/{script[:-4]}.yaml": f"- name: it works\n  {case}\n"})
    report = run(discover([folder / script]).suites)
    assert [outcome.mismatches for outcome in report.outcomes if outcome.mismatches] == []
    assert report.ok()


def test_a_case_cannot_change_what_the_next_one_gets(widget):
    widget(
        {
            "retain.lua": "function Retain(d, o) d.n = d.n + 1 o.n = 0 return d end",
            "cases/retain.yaml": (
                "- name: first\n  desired: &d {kind: W, apiVersion: g/v1, n: 1}\n"
                "  observed: *d\n  want_patch: {n: 2}\n"
                "- name: second\n  desired: *d\n  observed: *d\n  want_patch: {n: 2}\n"
            ),
        }
    )
    report = run(discover([]).suites, chosen=parse_filter("retain"), coverage=True)
    assert report.ok()


def test_dependency_scripts_of_one_kind_are_joined_sorted_and_without_doubles(tmp_path):
    script = (
        "function GetDependencies() return {"
        "{apiVersion = 'v1', kind = 'Secret', namespace = 'x', name = '%s'},"
        "{apiVersion = 'v1', kind = 'ConfigMap', namespace = 'x', name = 'both'}} end"
    )
    documents = [
        {
            "apiVersion": "config.karmada.io/v1alpha1",
            "kind": "ResourceInterpreterCustomization",
            "metadata": {"name": name},
            "spec": {
                "target": {"apiVersion": "g/v1", "kind": "W"},
                "customizations": {"dependencyInterpretation": {"luaScript": script % name}},
            },
        }
        for name in ("b", "a")
    ]
    (tmp_path / "w.yaml").write_text("\n---\n".join(map(json.dumps, documents)))
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases/get_dependencies.yaml").write_text(
        "name: joined\nobject: {apiVersion: g/v1, kind: W}\nwant:\n"
        "- {apiVersion: v1, kind: ConfigMap, namespace: x, name: both}\n"
        "- {apiVersion: v1, kind: Secret, namespace: x, name: a}\n"
        "- {apiVersion: v1, kind: Secret, namespace: x, name: b}\n"
    )
    assert run(discover([tmp_path]).suites).summary() == "1 passed, 0 failed"
