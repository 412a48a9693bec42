# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""The kube library."""

from __future__ import annotations

from typing import Any

import pytest

TEMPLATE = {
    "metadata": {"labels": {"a": "b"}},
    "spec": {
        "nodeSelector": {"disk": "ssd"},
        "serviceAccountName": "robot",
        "tolerations": [{"key": "k", "operator": "Exists"}],
        "containers": [
            {
                "name": "c",
                "resources": {"requests": {"cpu": "250m", "memory": "64Mi"}, "limits": {"cpu": 1}},
                "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
                "envFrom": [{"configMapRef": {"name": "cm"}}],
            },
            {"name": "d", "resources": {"limits": {"cpu": "750m"}}},
        ],
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "pvc"}}],
    },
}


def kube(run: Any, expression: str, *arguments: Any) -> Any:
    return run(f"local kube = require('kube') function F(a, b) return {expression} end", *arguments)


@pytest.mark.parametrize(
    ("expression", "want"),
    [
        ("kube.resourceAdd()", "0"),
        ("kube.resourceAdd('1', nil, '2')", "3"),
        ("kube.resourceAdd('1Gi', '512Mi')", "1536Mi"),
        ("kube.resourceAdd(1, '500m')", "1500m"),
        ("kube.resourceAdd(1.5, 2)", "3500m"),
        ("kube.resourceAdd('0', '1Gi')", "1Gi"),
        ("kube.resourceAdd(nil)", "0"),
        ("kube.getResourceQuantity('100m')", 0.1),
        ("kube.getResourceQuantity('1Gi')", 2**30),
        ("kube.getResourceQuantity(nil)", 0),
        ("kube.getResourceQuantity(5)", 5),
        ("kube.accuratePodRequirements({ spec = {} })", None),
        ("kube.accuratePodRequirements({})", None),
        ("kube.accuratePodRequirements({ spec = { nodeSelector = {} } })", None),
        ("kube.getPodDependencies({ spec = {} }, 'ns')", None),
    ],
)
def test_values_of_kube_functions(run: Any, expression: str, want: Any) -> None:
    assert kube(run, expression) == want


def test_requirements_of_a_template(run: Any) -> None:
    assert kube(run, "kube.accuratePodRequirements(a)", TEMPLATE) == {
        "nodeClaim": {
            "nodeSelector": {"disk": "ssd"},
            "tolerations": [{"key": "k", "operator": "Exists"}],
        },
        "resourceRequest": {"cpu": "1", "memory": "64Mi"},
    }


def test_dependencies_of_a_template(run: Any) -> None:
    def reference(kind: str, name: str, namespace: str) -> dict[str, str]:
        return {"apiVersion": "v1", "kind": kind, "namespace": namespace, "name": name}

    for argument, namespace in (("'team'", "team"), ("nil", "default"), ("5", "5")):
        assert kube(run, f"kube.getPodDependencies(a, {argument})", TEMPLATE) == [
            reference("ConfigMap", "cm", namespace),
            reference("Secret", "s", namespace),
            reference("ServiceAccount", "robot", namespace),
            reference("PersistentVolumeClaim", "pvc", namespace),
        ]
    assert "namespace" not in kube(run, "kube.getPodDependencies(a, '')", TEMPLATE)[0]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("kube.resourceAdd('x')", "resourceAdd: is not a quantity"),
        ("kube.resourceAdd({})", "bad argument #1 to 'resourceAdd' (string expected, got table)"),
        ("kube.resourceAdd('1', true)", "bad argument #2 to 'resourceAdd' (string expected, got boolean)"),
        ("kube.getResourceQuantity()", "getResourceQuantity only accepts one argument"),
        ("kube.getResourceQuantity('-1')", "must not be negative"),
        ("kube.getResourceQuantity('')", "is not a quantity"),
        ("kube.accuratePodRequirements()", "only accepts one argument"),
        ("kube.accuratePodRequirements('x')", "table expected, got string"),
        ("kube.accuratePodRequirements({ spec = 'x' })", "spec: must be an object"),
        ("kube.accuratePodRequirements({ spec = { containers = { { resources = { limits = { cpu = 'x' } } } } } })",
         "containers[0].resources.limits.cpu: is not a quantity"),
        ("kube.getPodDependencies({})", "only accepts two arguments"),
        ("kube.getPodDependencies({}, {})", "bad argument #2 to 'getPodDependencies' (string expected, got table)"),
    ],
)  # fmt: skip
def test_misuse_is_an_error_that_a_script_can_catch(run: Any, expression: str, text: str) -> None:
    source = f"local kube = require('kube') function F()\n local ok, e = pcall(function()\n  local r = {expression}\n end)\n return {{ ok, e }} end"

    ok, message = run(source)

    assert ok is False
    assert text in message
    assert message.startswith("<string>:3: ")


def test_a_large_integer_of_the_input_reaches_kube_unrounded(run: Any) -> None:
    assert kube(run, "kube.resourceAdd(a.n)", {"n": 2**60 + 1}) == str(2**60 + 1)


def test_empty_tables_that_kube_gives_are_kept(run: Any) -> None:
    affinity = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"x": [1]}]}
        }
    }

    result = kube(run, "kube.accuratePodRequirements(a)", {"spec": {"affinity": affinity}})

    assert result == {"nodeClaim": {"hardNodeAffinity": {"nodeSelectorTerms": [{"x": [1]}]}}}


def test_field_names_of_a_template_may_have_any_case_and_user_names_stay(run: Any) -> None:
    template = {
        "Spec": {
            "NODESELECTOR": {"Name": "x", "Spec": "y"},
            "Containers": [
                {"Resources": {"Limits": {"cpu": "1"}}, "EnvFrom": [{"SecretRef": {"Name": "s"}}]}
            ],
        }
    }

    assert kube(run, "kube.accuratePodRequirements(a)", template) == {
        "nodeClaim": {"nodeSelector": {"Name": "x", "Spec": "y"}},
        "resourceRequest": {"cpu": "1"},
    }
    assert kube(run, "kube.getPodDependencies(a, 'ns')", template)[0]["name"] == "s"


def test_nulls_of_a_template_are_not_there_for_kube(run: Any) -> None:
    template = {
        "spec": {
            "nodeSelector": {"disk": "ssd", "gone": None},
            "tolerations": [None, {"key": "k", "operator": "Exists"}],
            "containers": [{"name": "c", "resources": {"requests": {"cpu": "1", "memory": None}}}],
            "volumes": None,
        }
    }
    got = kube(run, "kube.accuratePodRequirements(a)", template)
    assert got["nodeClaim"]["nodeSelector"] == {"disk": "ssd"}
    assert got["nodeClaim"]["tolerations"] == [{"key": "k", "operator": "Exists"}]
    assert got["resourceRequest"] == {"cpu": "1"}
