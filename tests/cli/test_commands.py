"""The commands as their users run them: real processes, real files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples" / "shop"

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3, unknown: [1, {}]}
"""
WIDGET = """\
apiVersion: stable.example.com/v1
kind: Widget
metadata: {name: w}
status: {phase: Failed}
"""
ITEMS = """\
- {clusterName: a, status: {replicas: 2, readyReplicas: 1}}
- {clusterName: b, status: {replicas: 1}}
"""


def interpret(
    *arguments: str, stdin: str | bytes | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", *arguments],
        input=data,
        capture_output=True,
        timeout=120,
        cwd=cwd,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "web.yaml").write_text(DEPLOYMENT + "---\n" + WIDGET)
    (tmp_path / "items.yaml").write_text(ITEMS)
    return tmp_path


def columns(line: str) -> list[str]:
    return [cell for cell in line.split("  ") if cell.strip()]


# --- run ---


def test_run_prints_a_line_an_object_and_names_what_nobody_answers(folder: Path) -> None:
    done = interpret("run", "GetReplicas", "-f", "web.yaml", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "OBJECT               ANSWER",
        "Deployment shop/web  3 replicas",
    ]
    assert done.stderr == (
        "error: web.yaml, document 2: "
        'default InterpretReplica interpreter for "stable.example.com/v1, Kind=Widget" not found\n'
    )


def test_run_prints_records_for_answers_that_are_no_objects(folder: Path) -> None:
    done = interpret("run", "interpretHealth", "-f", "web.yaml", "-o", "json", cwd=folder)
    records = json.loads(done.stdout)
    assert done.returncode == 0
    assert [record["answer"]["status"] for record in records] == ["Progressing", "Degraded"]
    assert records[1] == {
        "object": {"apiVersion": "stable.example.com/v1", "kind": "Widget", "name": "w"},
        "source": "web.yaml, document 2",
        "operation": "InterpretHealth",
        "answer": {
            "status": "Degraded",
            "reason": "Failed",
            "message": records[1]["answer"]["message"],
            "healthy": False,
        },
    }


def test_run_prints_objects_that_kubectl_reads_and_loses_nothing(folder: Path) -> None:
    done = interpret(
        "run",
        "ReviseReplica",
        "-f",
        "-",
        "--replicas",
        "5",
        "-o",
        "yaml",
        stdin=DEPLOYMENT,
        cwd=folder,
    )
    again = interpret("run", "Prune", "-f", "-", "-o", "json", stdin=done.stdout, cwd=folder)
    assert json.loads(again.stdout) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 5, "unknown": [1, {}]},
    }


def test_run_prints_several_objects_as_a_list(folder: Path) -> None:
    done = interpret("run", "Prune", "-f", "web.yaml", "-o", "json", cwd=folder)
    listed = json.loads(done.stdout)
    assert (listed["kind"], [entry["kind"] for entry in listed["items"]]) == (
        "List",
        ["Deployment", "Widget"],
    )


def test_run_aggregates_status_items(folder: Path) -> None:
    done = interpret(
        "run", "AggregateStatus", "-f", "-", "--status-items", "items.yaml", "-o", "json",
        stdin=DEPLOYMENT, cwd=folder,
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == {"replicas": 3, "readyReplicas": 1}


def test_run_takes_items_from_a_binding(folder: Path) -> None:
    binding = {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "status": {"aggregatedStatus": [{"clusterName": "a", "status": {"replicas": 4}}]},
    }
    (folder / "binding.json").write_text(json.dumps(binding))
    done = interpret(
        "run", "AggregateStatus", "-f", "-", "--status-items", "binding.json", "-o", "json",
        stdin=DEPLOYMENT, cwd=folder,
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == {"replicas": 4}


def test_run_retains_from_the_counterpart_of_the_same_name(tmp_path: Path) -> None:
    def claims(**volumes: str) -> str:
        return json.dumps(
            [
                {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "metadata": {"name": name},
                    "spec": {"volumeName": volume} if volume else {},
                }
                for name, volume in volumes.items()
            ]
        )

    (tmp_path / "desired.yaml").write_text(claims(a="", b="", c=""))
    (tmp_path / "observed.yaml").write_text(claims(b="vol-b", a="vol-a"))
    done = interpret(
        "run", "Retain", "--desired", "desired.yaml", "--observed", "observed.yaml", cwd=tmp_path
    )
    assert done.returncode == 1
    assert [columns(line)[1].strip() for line in done.stdout.splitlines()[1:]] == [
        "+spec.volumeName",
        "+spec.volumeName",
    ]
    assert "item 3: has no counterpart of the same kind and name" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "Retain", "-f", "web.yaml"], "Retain needs --observed"),
        (["run", "ReviseReplica", "-f", "web.yaml"], "ReviseReplica needs --replicas"),
        (["run", "AggregateStatus", "-f", "web.yaml"], "AggregateStatus needs --status-items"),
        (["run", "GetReplicas", "-f", "web.yaml", "--replicas", "1"], "does not take --replicas"),
        (
            ["run", "ReviseReplica", "-f", "web.yaml", "--replicas", "x"],
            "not a valid integer range",
        ),
        (["run", "GetReplicas"], "Missing option '-f'"),
        (["run", "Fly", "-f", "web.yaml"], "unknown operation 'Fly'"),
        (["run", "GetReplicas", "-f", "web.yaml", "-o", "xml"], "'xml' is not one of"),
        (["explain"], "Missing option '-f'"),
        (["explain", "-f", "web.yaml", "--operation", "Fly"], "unknown operation 'Fly'"),
        (["kinds", "--tier", "lua"], "unknown tier 'lua'"),
        (["kinds", "--disable", "lua"], "'lua' names no tier"),
        (["fly"], "No such command 'fly'"),
        (["run", "GetReplicas", "--desired", "web.yaml"], "does not take --desired"),
        (
            ["run", "GetReplicas", "-f", "web.yaml", "--remove-job-ttl"],
            "not take --remove-job",
        ),
        (["run", "Retain", "-f", "web.yaml", "--desired", "web.yaml"], "another name for -f"),
        (["run", "ReviseReplica", "-f", "web.yaml", "--replicas", "-1"], "not in the range"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what(
    arguments: list[str], message: str, folder: Path
) -> None:
    done = interpret(*arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


# --- Bad input ---

_BAD = [
    pytest.param(b"a: b: c", "bad.yaml", "line 1", id="not YAML"),
    pytest.param(b"kind: [", "bad.yaml", "bad.yaml", id="unfinished"),
    pytest.param(b"\xff\xfe\xfa", "bad.yaml", "UTF-8", id="not UTF-8"),
    pytest.param(DEPLOYMENT.encode() + b"kind: Pod\n", "bad.yaml", "kind", id="duplicate key"),
    pytest.param(b'{"kind": "A", "kind": "B"}', "bad.json", "kind", id="duplicate JSON key"),
    pytest.param(b'{"apiVersion": "v1", "kind": "A", "x": NaN}', "bad.json", "NaN", id="NaN"),
    pytest.param(b"apiVersion: v1\n", "bad.yaml", "kind: is missing", id="no kind"),
    pytest.param(b"- 1\n", "bad.yaml", "document 1, item 1", id="no object"),
    pytest.param(b"[" * 10_000, "bad.json", "nested", id="deep JSON"),
    pytest.param(b"a: " + b"[" * 10_000, "bad.yaml", "nested", id="deep YAML"),
    pytest.param(b"# nothing\n", "bad.yaml", "no object in the given files", id="empty"),
    pytest.param(
        DEPLOYMENT.replace("replicas: 3", 'replicas: "3"').encode(),
        "bad.yaml",
        "document 1: spec.replicas: must be an integer, got the string '3'",
        id="text as number",
    ),
    pytest.param(
        DEPLOYMENT.replace("replicas: 3", "replicas: -3").encode(),
        "bad.yaml",
        "document 1: spec.replicas: must be in 0..2147483647, got the number -3",
        id="negative count",
    ),
    pytest.param(
        DEPLOYMENT.replace("replicas: 3", "replicas: 2.5").encode(),
        "bad.yaml",
        "document 1: spec.replicas: must be an integer, got the number 2.5",
        id="fraction",
    ),
    pytest.param(
        DEPLOYMENT.replace("replicas: 3", "replicas: 2147483648").encode(),
        "bad.yaml",
        "document 1: spec.replicas: must be in 0..2147483647, got the number 2147483648",
        id="overflow",
    ),
]


@pytest.mark.parametrize(("content", "name", "message"), _BAD)
@pytest.mark.parametrize("command", [["run", "GetReplicas"], ["explain"]], ids=lambda c: c[0])
def test_bad_input_exits_with_1_names_the_place_and_shows_no_traceback(
    command: list[str], content: bytes, name: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    done = interpret(*command, "-f", name, "-o", "json", cwd=tmp_path)
    assert done.returncode == 1
    assert name in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_what_comes_before_a_bad_document_is_not_answered_in_part(tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(DEPLOYMENT + "---\nkind: X\n")
    done = interpret("run", "GetReplicas", "-f", "two.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "two.yaml, document 2" in done.stderr


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    done = interpret("explain", "-f", "absent.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "absent.yaml" in done.stderr


ITEM_PROBLEMS = [
    pytest.param("replicas: 3\n", "must be a list of AggregatedStatusItem", id="a bare status"),
    pytest.param("", "must hold one list of AggregatedStatusItem", id="empty file"),
    pytest.param(DEPLOYMENT, "must be a list of AggregatedStatusItem", id="another object"),
    pytest.param("- {status: {}}", "clusterName: must be a non-empty string", id="no cluster"),
    pytest.param("- {clusterName: a, statuss: {}}", "statuss: is no field of an item", id="typo"),
    pytest.param("- 5", "must be an object", id="no object"),
]


@pytest.mark.parametrize(("content", "message"), ITEM_PROBLEMS)
def test_status_items_that_are_none_are_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "items.yaml").write_text(content)
    done = interpret(
        "run", "AggregateStatus", "-f", "-", "--status-items", "items.yaml",
        stdin=DEPLOYMENT, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


def test_an_explicit_empty_list_means_no_members(tmp_path: Path) -> None:
    (tmp_path / "items.yaml").write_text("[]")
    counted = DEPLOYMENT + "status: {replicas: 3}\n"
    done = interpret(
        "run", "AggregateStatus", "-f", "-", "--status-items", "items.yaml", "-o", "json",
        stdin=counted, cwd=tmp_path,
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == {}


def test_an_observed_object_of_another_name_is_no_counterpart(tmp_path: Path) -> None:
    (tmp_path / "observed.yaml").write_text(DEPLOYMENT.replace("name: web", "name: api"))
    done = interpret(
        "run", "Retain", "-f", "-", "--observed", "observed.yaml", stdin=DEPLOYMENT, cwd=tmp_path
    )
    assert done.returncode == 1
    assert "has no counterpart of the same kind and name" in done.stderr


SCRIPTED = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: widgets}
spec:
  target: {apiVersion: stable.example.com/v1, kind: Widget}
  customizations:
    replicaRevision:
      luaScript: |
        function ReviseReplica(obj, replicas)
          obj.spec.replicas = replicas
          obj.spec.limits = {memory = "1Gi", cpu = "1", zone = "z", disk = "2Gi", gpu = "0"}
          return obj
        end
    replicaResource:
      luaScript: |
        function GetReplicas(obj)
          return 2, {resourceRequest = {memory = "1Gi", cpu = "1", disk = "2Gi", gpu = "1"}}
        end
    statusReflection:
      luaScript: |
        function ReflectStatus(obj)
          return {zone = 1, phase = obj.status.phase, alpha = 2, mid = 3, ready = 4}
        end
"""
SCRIPTED_OBJECT = """\
kind: Widget
apiVersion: stable.example.com/v1
metadata: {namespace: shop, name: w, uid: u}
spec: {size: 1, replicas: 2, image: i}
status: {ready: 1, phase: Up}
"""
REVISED = """\
kind: Widget
apiVersion: stable.example.com/v1
metadata:
  namespace: shop
  name: w
  uid: u
spec:
  size: 1
  replicas: 4
  image: i
  limits:
    cpu: "1"
    disk: 2Gi
    gpu: "0"
    memory: 1Gi
    zone: z
status:
  ready: 1
  phase: Up
"""


def test_an_object_from_a_script_is_printed_in_the_order_of_the_object_asked_about(
    tmp_path: Path,
) -> None:
    """LuaJIT hashes with a seed of the process: each process has an order of its own."""
    (tmp_path / "rules.yaml").write_text(SCRIPTED)
    (tmp_path / "w.yaml").write_text(SCRIPTED_OBJECT)
    given = ["-c", "rules.yaml", "-f", "w.yaml"]
    run = ["run", "ReviseReplica", "--replicas", "4", *given]
    assert [interpret(*run, "-o", "yaml", cwd=tmp_path).stdout for _ in range(3)] == [REVISED] * 3
    revised = json.loads(interpret(*run, "-o", "json", cwd=tmp_path).stdout)
    assert list(revised) == ["kind", "apiVersion", "metadata", "spec", "status"]
    assert list(revised["spec"]["limits"]) == ["cpu", "disk", "gpu", "memory", "zone"]


def test_answers_of_scripts_have_one_order_in_tables_records_and_explanations(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules.yaml").write_text(SCRIPTED)
    (tmp_path / "w.yaml").write_text(SCRIPTED_OBJECT)
    given = ["-c", "rules.yaml", "-f", "w.yaml"]
    for _ in range(3):
        table = interpret("run", "ReflectStatus", *given, cwd=tmp_path).stdout.splitlines()
        assert table[1].endswith('{"ready":4,"phase":"Up","alpha":2,"mid":3,"zone":1}')
        table = interpret("run", "GetReplicas", *given, cwd=tmp_path).stdout.splitlines()
        assert table[1].endswith("2 replicas, cpu 1, disk 2Gi, gpu 1, memory 1Gi")
        explained = json.loads(interpret("explain", *given, "-o", "json", cwd=tmp_path).stdout)
        answers = {entry["operation"]: entry["answer"] for entry in explained}
        assert list(answers["GetReplicas"]) == ["replicas", "requirements"]
        assert list(answers["ReflectStatus"]) == ["ready", "phase", "alpha", "mid", "zone"]
        assert list(answers["ReviseReplica"]["spec"]) == ["size", "replicas", "image", "limits"]


def test_an_answer_of_a_native_rule_keeps_its_own_order(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(
        "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {paused: true}\n"
    )
    health = interpret("run", "InterpretHealth", "-f", "web.yaml", "-o", "json", cwd=tmp_path)
    [record] = json.loads(health.stdout)
    assert list(record["answer"]) == ["status", "reason", "message", "healthy"]
    done = interpret(
        *("run", "AggregateStatus", "-f", "web.yaml", "-o", "json", "--status-items", "-"),
        cwd=tmp_path,
        stdin=ITEMS,
    )
    status = json.loads(done.stdout)["status"]
    assert list(status) != sorted(status)


def test_a_neutral_answer_says_that_nobody_gave_it() -> None:
    done = interpret("run", "Prune", "-f", "-", "--disable", "native", stdin=DEPLOYMENT)
    assert done.returncode == 0
    assert "note: <stdin>, document 1: nobody interprets Prune of this kind" in done.stderr


def test_a_disable_that_is_about_nothing_is_warned_about() -> None:
    done = interpret("kinds", "--disable", "native:apps/v1/Deployement", "-o", "name")
    assert "warning: --disable native:apps/v1/Deployement names nothing" in done.stderr


def test_the_environment_leaves_out_what_it_names(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESOURCE_INTERPRETER_DISABLE", "native#GetReplicas, native:v1/Pode")
    done = interpret("run", "GetReplicas", "-f", "web.yaml", cwd=folder)
    assert done.returncode == 1
    assert 'InterpretReplica interpreter for "apps/v1, Kind=Deployment" not found' in done.stderr
    assert "warning: RESOURCE_INTERPRETER_DISABLE: native:v1/Pode names nothing" in done.stderr


# --- explain ---


def test_explain_has_a_line_for_each_object_and_operation(folder: Path) -> None:
    done = interpret("explain", "-f", "web.yaml", cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["OBJECT", "OPERATION", "ANSWER", "TIER", "HANDLER", "TIME"]
    assert len([line for line in lines if line.startswith("Deployment shop/web")]) == 9
    assert len([line for line in lines if line.startswith("Widget w")]) == 9
    assert "* assumed observed: the object itself" in lines
    widget_health = next(line for line in lines if line.startswith("Widget w") and "Health" in line)
    assert columns(widget_health)[3].strip() == "generic"


def test_explain_answers_the_examples(tmp_path: Path) -> None:
    done = interpret("explain", "-f", str(SHOP), "-o", "json")
    records = json.loads(done.stdout)
    kinds = {record["object"]["kind"] for record in records}
    assert done.returncode == 0, done.stderr
    assert len(kinds) >= 12
    assert len(records) % 9 == 0
    assert {record["tier"] for record in records} == {"bundled", "native", "generic", None}


def test_explain_verbose_shows_what_was_skipped_and_why(folder: Path) -> None:
    done = interpret(
        "explain",
        "-f",
        "-",
        "--operation",
        "InterpretHealth",
        "--verbose",
        stdin=DEPLOYMENT,
        cwd=folder,
    )
    assert "answered by  native, native.apps_deployment.interpret_health" in done.stdout
    assert (
        "skipped      generic generic.health.interpret_health: native answers first" in done.stdout
    )
    assert "    status: Progressing" in done.stdout


def test_explain_can_leave_out_what_nobody_answers(folder: Path) -> None:
    done = interpret("explain", "-f", "-", "--answered", stdin=WIDGET, cwd=folder)
    operations = [columns(line)[1].strip() for line in done.stdout.splitlines()[1:4]]
    assert operations == ["ReflectStatus", "InterpretHealth", "Prune"]


def test_explain_shows_an_error_in_its_line_and_exits_with_1(folder: Path) -> None:
    broken = DEPLOYMENT.replace("replicas: 3", "replicas: three")
    done = interpret("explain", "-f", "-", "--operation", "GetReplicas", stdin=broken, cwd=folder)
    assert done.returncode == 1
    assert "error: spec.replicas: must be an integer, got the string 'three'" in done.stdout


# --- kinds ---

MATRIX = """\
KIND GetReplicas GetComponents ReviseReplica Retain AggregateStatus ReflectStatus InterpretHealth GetDependencies Prune
v1/PersistentVolume - - - native native native generic - native
v1/PersistentVolumeClaim - - - native native native native - native
v1/Pod native native - native native native native native native
v1/Secret - - - native - native generic - native
v1/Service - - - native native native native - native
v1/ServiceAccount - - - native - native generic - native
apps/v1/DaemonSet - - - - native native native native native
apps/v1/Deployment native native native native native native native native native
apps/v1/ReplicaSet native native native - native native native native native
apps/v1/StatefulSet native native native - native native native native native
autoscaling/v2/HorizontalPodAutoscaler - - - - native native generic - native
batch/v1/CronJob - - - - native native generic native native
batch/v1/Job native native native native native native generic native native
multicluster.x-k8s.io/v1alpha1/ServiceImport - - - - - native generic native native
networking.k8s.io/v1/Ingress - - - - native native native native native
policy/v1/PodDisruptionBudget - - - - native native native - native
any kind - - - - - native generic - native
"""  # noqa: E501 - a table


def test_the_matrix_of_native_kinds_is_pinned() -> None:
    done = interpret("kinds", "--tier", "native", "--tier", "generic")
    assert [line.split() for line in done.stdout.splitlines()] == [
        line.split() for line in MATRIX.splitlines()
    ]


def test_kinds_of_one_kind_lists_who_answers() -> None:
    done = interpret("kinds", "--kind", "pod", "--tier", "native")
    first = columns(done.stdout.splitlines()[1])
    assert [cell.strip() for cell in first] == [
        "v1/Pod", "GetReplicas", "native", "native.core_pod.get_replicas",
    ]  # fmt: skip


def test_a_kind_that_nobody_names_has_what_holds_for_any_kind() -> None:
    done = interpret("kinds", "--kind", "Unicorn")
    assert done.returncode == 0
    assert [line.split()[:4] for line in done.stdout.splitlines()[1:]] == [
        ["any", "kind", "ReflectStatus", "native"],
        ["any", "kind", "InterpretHealth", "generic"],
        ["any", "kind", "Prune", "native"],
    ]


HOOK = "https://localhost:1/x"


def test_kinds_lists_declared_webhooks(tmp_path: Path) -> None:
    document: dict[str, Any] = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "hooks"},
        "webhooks": [
            {
                "name": "w",
                "clientConfig": {"url": HOOK},
                "interpreterContextVersions": ["v1alpha1"],
                "rules": [
                    {
                        "operations": ["InterpretReplica"],
                        "apiGroups": ["stable.example.com"],
                        "apiVersions": ["v1"],
                        "kinds": ["Widget"],
                    }
                ],
            }
        ],
    }
    (tmp_path / "hooks.json").write_text(json.dumps(document))
    done = interpret("kinds", "--kind", "Widget", "-w", "hooks.json", "-o", "json", cwd=tmp_path)
    (record,) = json.loads(done.stdout)
    assert record["kind"] == "stable.example.com/v1/Widget"
    assert record["operations"]["GetReplicas"] == [
        {"tier": "webhook", "plugin": "hooks/w", "handler": HOOK, "skipped": None}
    ]
    document["webhooks"][0]["rules"][0]["kind"] = ["Widget"]
    (tmp_path / "hooks.json").write_text(json.dumps(document))
    done = interpret("kinds", "-w", "hooks.json", cwd=tmp_path)
    assert done.returncode == 1
    assert (
        "webhooks[0].rules[0].kind: ResourceInterpreterWebhookConfiguration 'hooks'" in done.stderr
    )


# --- The process ---


@pytest.mark.parametrize("output", ["table", "yaml", "json", "name"])
@pytest.mark.parametrize("command", [["run", "health"], ["explain"], ["kinds"]], ids=lambda c: c[0])
def test_every_command_prints_every_format(command: list[str], output: str, folder: Path) -> None:
    arguments = ["InterpretHealth" if word == "health" else word for word in command]
    files = [] if command == ["kinds"] else ["-f", "web.yaml"]
    done = interpret(*arguments, *files, "-o", output, cwd=folder)
    assert done.returncode == 0, done.stderr
    if output == "name" and files:
        assert done.stdout.splitlines() == ["deployment.apps/web", "widget.stable.example.com/w"]


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "explain", "-f", str(SHOP), "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 1
    assert errors == ""


def test_the_version_is_printed() -> None:
    from interpreter import __version__

    assert interpret("--version").stdout == f"interpret, version {__version__}\n"


def test_names_and_messages_cannot_command_a_terminal(tmp_path: Path) -> None:
    odd = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Odd\u001b[31m",
            "metadata": {"name": "a\nb\u001b]0;x\u0007"},
            "status": {
                "conditions": [{"type": "Ready", "status": "False", "message": "m\u001b[2J"}]
            },
        }
    )
    for arguments in (["explain"], ["explain", "--verbose"], ["run", "GetReplicas"]):
        for output in ("table", "name"):
            done = interpret(*arguments, "-f", "-", "-o", output, stdin=odd, cwd=tmp_path)
            assert "\u001b" not in done.stdout + done.stderr
            assert "\u0007" not in done.stdout + done.stderr


def test_standard_input_is_read_once() -> None:
    done = interpret("run", "AggregateStatus", "-f", "-", "--status-items", "-", stdin=DEPLOYMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input (-) can be given once" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("output", ["table", "json"])
def test_an_output_that_cannot_be_written_is_an_error(output: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "interpreter", "explain", "-f", str(SHOP), "-o", output],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().startswith("error: cannot write the output")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="no bash here")
def test_a_process_substitution_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    command = f"{sys.executable} -m interpreter run GetReplicas -f <(cat web.yaml)"
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert "Deployment shop/web  3 replicas" in done.stdout, done.stderr


@pytest.mark.parametrize("width", [80, 100, 140, 250])
def test_a_terminal_of_any_width_shows_what_is_what(width: int, tmp_path: Path) -> None:
    import pty

    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    output = bytearray()

    def read(descriptor: int) -> bytes:
        data = os.read(descriptor, 4096)
        output.extend(data)
        return data

    arguments = [sys.executable, "-m", "interpreter", "explain", "-f", str(tmp_path / "web.yaml")]
    command = f"stty cols {width}; exec {' '.join(arguments)}"
    pty.spawn(["/bin/sh", "-c", command], read)
    lines = output.decode(errors="replace").replace("\r", "").splitlines()
    rows = [line for line in lines if "Deployment shop/web" in line]
    assert len(rows) == 9
    for row in rows:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", row)
        assert len(plain) <= width
        assert any(name in plain for name in OPERATION_NAMES)
        assert " native" in plain


OPERATION_NAMES = MATRIX.splitlines()[0].split()[1:]
