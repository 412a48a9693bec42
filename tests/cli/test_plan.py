"""``interpret plan`` as its users run it: real processes, real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.codec import yaml
from tests.cli.test_commands import interpret

CLUSTERS = """\
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: m1}
spec: {region: eu}
status:
  resourceSummary:
    allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
    allocated: {cpu: "2", memory: 4Gi, pods: "20"}
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: m2}
spec: {region: us, taints: [{key: gpu, effect: NoSchedule}]}
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: m3}
spec: {region: us}
"""
APPS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: shop/web:1.0
        resources: {requests: {cpu: 500m}}
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: token}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: blue}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: left}
"""
POLICIES = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  propagateDeps: true
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement:
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference: {dynamicWeight: AvailableReplicas}
---
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: everything}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: eu, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  overrideRules:
  - targetCluster: {clusterNames: [m1]}
    overriders:
      imageOverrider: [{component: Registry, operator: replace, value: eu.example.com}]
"""
WIDGETS = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: widgets}
spec:
  resourceSelectors: [{apiVersion: example.com/v1, kind: Widget}]
  placement:
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}
---
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: widgets}
spec:
  target: {apiVersion: example.com/v1, kind: Widget}
  customizations:
    replicaResource:
      luaScript: |
        function GetReplicas(obj)
          return obj.spec.size, {}
        end
    replicaRevision:
      luaScript: |
        function ReviseReplica(obj, replicas)
          obj.spec.size = replicas
          return obj
        end
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, scope: Cluster, names: {kind: Widget, plural: widgets}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clusters.yaml").write_text(CLUSTERS)
    (tmp_path / "apps.yaml").write_text(APPS)
    (tmp_path / "policies.yaml").write_text(POLICIES)
    return tmp_path


def test_a_plan_shows_where_everything_lands_and_why(folder: Path) -> None:
    done = interpret("plan", "-f", ".", cwd=folder)

    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()[:4]] == [
        ["TEMPLATE", "REPLICAS", "m1", "m2", "m3"],
        ["Deployment", "shop/web", "5", "4", "-", "1"],
        ["ConfigMap", "shop/settings", "-", "yes", "-", "yes"],
        ["Widget", "default/left", "-", "-", "-", "-"],
    ]
    for text in (
        "a policy of the namespace, before ClusterPropagationPolicy everything",
        "travels with Deployment shop/web",
        "nothing selects it, nobody depends on it",
        "cluster(s) had untolerated taint {gpu:NoSchedule}",
        "Secret shop/token: not among the inputs",
        "OverridePolicy shop/eu  image registry replace eu.example.com",
        "25%->50% of 8",
        "4 Works in 2 clusters",
    ):
        assert text in done.stdout
    assert done.stderr.splitlines() == [
        "note: example.com/v1 Widget: unknown kind, taken for namespaced: no CRD given",
        (
            "note: cluster m1, cluster m2, cluster m3: states no status.apiEnablements: taken to "
            "accept every API"
        ),
        "note: cluster m2, cluster m3: states no status.resourceSummary: its capacity is unknown",
        "note: Deployment shop/web: depends on Secret shop/token, which is not among the inputs",
    ]


def test_documents_are_the_works(folder: Path) -> None:
    as_json = interpret("plan", "-f", ".", "-o", "json", cwd=folder)
    as_yaml = interpret("plan", "-f", ".", "-o", "yaml", cwd=folder)
    names = interpret("plan", "-f", ".", "-o", "name", cwd=folder)

    works = json.loads(as_json.stdout)["items"]
    assert [document.value for document in yaml.load_all(as_yaml.stdout)] == works
    assert [
        (work["metadata"]["namespace"], work["spec"]["workload"]["manifests"][0]["kind"])
        for work in works
    ] == [
        ("karmada-es-m1", "Deployment"),
        ("karmada-es-m3", "Deployment"),
        ("karmada-es-m1", "ConfigMap"),
        ("karmada-es-m3", "ConfigMap"),
    ]
    manifest = works[0]["spec"]["workload"]["manifests"][0]
    assert manifest["spec"]["replicas"] == 4
    image = manifest["spec"]["template"]["spec"]["containers"][0]["image"]
    assert image == "eu.example.com/shop/web:1.0"
    assert names.stdout == "deployment.apps/web\nconfigmap/settings\nwidget.example.com/left\n"


def test_a_customization_and_a_definition_among_the_inputs_count(folder: Path) -> None:
    (folder / "widgets.yaml").write_text(WIDGETS)
    (folder / "left.yaml").write_text(
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: right}, spec: {size: 7}}"
    )
    (folder / "apps.yaml").write_text(APPS.replace("{name: left}", "{name: left}\nspec: {size: 2}"))

    done = interpret("plan", "-f", ".", "-o", "json", cwd=folder)

    assert done.returncode == 0
    sizes = {
        (manifest["metadata"]["name"], work["metadata"]["namespace"]): manifest["spec"]["size"]
        for work in json.loads(done.stdout)["items"]
        for manifest in work["spec"]["workload"]["manifests"]
        if manifest["kind"] == "Widget"
    }
    assert sum(size for (name, _where), size in sizes.items() if name == "right") == 7
    assert sum(size for (name, _where), size in sizes.items() if name == "left") == 2
    assert "Widget" not in done.stderr


def test_a_script_that_fails_is_an_error_and_the_rest_is_shown(folder: Path) -> None:
    (folder / "widgets.yaml").write_text(WIDGETS)

    done = interpret("plan", "-f", ".", cwd=folder)

    assert done.returncode == 1
    (error,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert error.startswith(
        "error: ./apps.yaml, document 3: Widget left: widgets/replicaResource:2:"
    )
    assert ["Widget", "left", "-", "error", "error", "error"] in [
        line.split() for line in done.stdout.splitlines()
    ]
    assert "4 Works in 2 clusters" in done.stdout


def test_strict_clusters_accept_what_they_state(folder: Path) -> None:
    done = interpret("plan", "-f", ".", "--strict-clusters", cwd=folder)

    assert done.returncode == 1
    assert (
        "error: ./apps.yaml, document 1: Deployment shop/web: 0/3 clusters are available: "
        "3 cluster(s) did not have the API resource." in done.stderr
    )


def test_clusters_of_a_file_of_their_own_count_alone(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "fleet.yaml").write_text(CLUSTERS.replace("m1", "n1").split("---")[0])
    inputs = ("-f", "apps.yaml", "-f", "policies.yaml", "-f", "clusters.yaml")

    done = interpret("plan", *inputs, "--clusters", "other", cwd=folder)

    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split() == ["Deployment", "shop/web", "5", "5"]
    assert "note: clusters: 3 of the inputs give way to those of --clusters" in done.stderr


def test_one_story_is_told_step_by_step(folder: Path) -> None:
    done = interpret("plan", "-f", ".", "--explain", "deployment/shop/web", cwd=folder)
    record = interpret("plan", "-f", ".", "--explain", "web", "-o", "json", cwd=folder)

    titles = [line.split()[0] for line in done.stdout.splitlines()[1:] if line[2:3] != " "]
    assert done.stdout.startswith("Deployment shop/web  (./apps.yaml, document 1)\n")
    assert titles == [
        "policy", "binding", "filter", "score", "schedule", "dependencies", "overrides", "works",
        "notes",
    ]  # fmt: skip
    assert "m2: cluster(s) had untolerated taint {gpu:NoSchedule}" in done.stdout
    (story,) = json.loads(record.stdout)
    assert story["object"]["name"] == "web"
    assert [step["step"] for step in story["steps"]] == titles
    assert done.stderr == (
        "note: Deployment shop/web: depends on Secret shop/token, which is not among the inputs\n"
    )


def test_a_difference_is_a_summary_and_diffs(folder: Path) -> None:
    old = folder / "old"
    old.mkdir()
    (old / "apps.yaml").write_text(APPS.replace("replicas: 5", "replicas: 3"))
    new = ("-f", "apps.yaml", "-f", "policies.yaml")
    before = ("--diff", "old", "--diff", "policies.yaml", "--clusters", "clusters.yaml")

    table = interpret("plan", *new, *before, cwd=folder)
    record = interpret("plan", *new, *before, "-o", "json", cwd=folder)
    names = interpret("plan", *new, *before, "-o", "name", cwd=folder)
    same = interpret("plan", *new, "--diff", "apps.yaml", *before[2:], cwd=folder)

    assert table.returncode == 0
    lines = table.stdout.splitlines()
    assert lines[1].split() == ["m1", "Deployment", "shop/web", "changed", "2", "->", "4"]
    assert "0 added, 1 changed, 0 removed in 1 cluster" in lines
    assert "-  replicas: 2" in lines
    assert "+  replicas: 4" in lines
    (change,) = json.loads(record.stdout)
    assert (change["cluster"], change["change"]) == ("m1", "changed")
    assert change["replicas"] == {"before": 2, "after": 4}
    assert names.stdout == "deployment.apps/web\n"
    assert same.stdout == "no object changes in any cluster\n"


def test_a_gate_switches_what_it_is_for(folder: Path) -> None:
    off = interpret("plan", "-f", ".", "--feature-gates", "PropagateDeps=false", cwd=folder)

    assert off.returncode == 0
    assert "2 Works in 2 clusters" in off.stdout
    assert "DEPENDENCIES" not in off.stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--feature-gates", "Foo=true"], "there is no feature gate 'Foo'"),
        (["--feature-gates", "PropagateDeps=maybe"], "PropagateDeps must be true or false"),
        (["--explain", "nope"], "--explain nope: no such template"),
        (["--steady"], "--steady is about --diff"),
        (["--explain", "web", "--diff", "."], "--explain and --diff are two questions"),
    ],
)
def test_wrong_usage_says_what_is_wrong(folder: Path, options: list[str], problem: str) -> None:
    done = interpret("plan", "-f", ".", *options, cwd=folder)

    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stdout == ""


def test_the_namespace_is_that_of_the_option(folder: Path) -> None:
    done = interpret("plan", "-f", ".", "-n", "team", "-o", "name", cwd=folder)
    shown = interpret("plan", "-f", ".", "-n", "team", cwd=folder)

    assert done.returncode == 0
    assert "Widget team/left" in shown.stdout


def test_a_large_fleet_is_a_list_of_clusters(folder: Path) -> None:
    many = [
        CLUSTERS.split("---")[0].replace("m1", f"c{number:02d}").strip() for number in range(30)
    ]
    (folder / "clusters.yaml").write_text("\n---\n".join(many) + "\n")
    (folder / "policies.yaml").write_text(POLICIES.split("---")[1])

    done = interpret("plan", "-f", ".", cwd=folder)

    assert done.returncode == 0
    first, second = done.stdout.splitlines()[:2]
    assert first.split() == ["TEMPLATE", "REPLICAS", "CLUSTERS"]
    assert "  5         c00:5, c01:5, " in second
    assert second.endswith("c11:5 and 18 more")


def test_a_name_that_a_terminal_would_obey_is_shown_in_every_column(folder: Path) -> None:
    (folder / "clusters.yaml").write_text(CLUSTERS.replace("name: m1", 'name: "m\\e[31m1"'))

    done = interpret("plan", "-f", ".", cwd=folder)

    assert "m\\x1b[31m1" in done.stdout.splitlines()[0]
    assert "\x1b" not in done.stdout + done.stderr
