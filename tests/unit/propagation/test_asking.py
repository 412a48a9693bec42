"""Replicas or components: what a binding says about a workload, with the gate on and off."""

from __future__ import annotations

from typing import Any

import pytest
from propagation_samples import config_map, deployment

from interpreter import GVK, ResourceInterpreter
from interpreter.propagation.asking import uses_components, workload

GATE = {"MultiplePodTemplatesScheduling": True}
NEEDS = {"resourceRequest": {"cpu": "1"}}

ROLLOUT_RULES = {
    "apiVersion": "config.karmada.io/v1alpha1",
    "kind": "ResourceInterpreterCustomization",
    "metadata": {"name": "rollouts"},
    "spec": {
        "target": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"},
        "customizations": {
            "replicaResource": {
                "luaScript": """
local kube = require("kube")
function GetReplicas(obj)
  return obj.spec.replicas, kube.accuratePodRequirements(obj.spec.template)
end"""
            },
            "componentResource": {
                "luaScript": """
local kube = require("kube")
function GetComponents(obj)
  local needs = kube.accuratePodRequirements(obj.spec.template)
  return {{name = "pods", replicas = obj.spec.replicas, replicaRequirements = needs}}
end"""
            },
        },
    },
}
INTERPRETER = ResourceInterpreter([ROLLOUT_RULES], plugins=None)


def rollout(replicas: int = 4) -> dict[str, Any]:
    obj = {**deployment(), "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}
    return {**obj, "spec": {**obj["spec"], "replicas": replicas}}


def ray_cluster() -> dict[str, Any]:
    template = deployment()["spec"]["template"]
    group = {"groupName": "gpu", "replicas": 2, "template": template}
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "ray", "namespace": "prod"},
        "spec": {"headGroupSpec": {"template": template}, "workerGroupSpecs": [group]},
    }


def ask(template: dict[str, Any], gates: dict[str, bool]) -> dict[str, Any]:
    return workload(template, interpreter=INTERPRETER, gates=gates)


@pytest.mark.parametrize("gates", [{}, GATE], ids=["gate off", "gate on"])
def test_a_deployment_has_replicas_although_the_native_tier_knows_its_component(
    gates: dict[str, bool],
) -> None:
    assert ask(deployment(), gates) == {"replicas": 3, "replicaRequirements": NEEDS}


def test_a_single_component_is_replicas_too() -> None:
    assert ask(rollout(), {}) == {"replicas": 4, "replicaRequirements": NEEDS}
    assert ask(rollout(), GATE) == {
        "components": [{"name": "pods", "replicas": 4, "replicaRequirements": NEEDS}],
        "replicas": 4,
        "replicaRequirements": NEEDS,
    }


def test_several_components_are_no_replicas() -> None:
    assert ask(ray_cluster(), {}) == {}
    on = ask(ray_cluster(), GATE)
    assert on.keys() == {"components"}
    assert [each["replicas"] for each in on["components"]] == [1, 2]


def test_no_replicas_are_left_out_as_the_api_does() -> None:
    assert ask(rollout(replicas=0), {}) == {"replicaRequirements": NEEDS}


def test_a_kind_without_pods_says_nothing() -> None:
    assert ask(config_map(), GATE) == {}


@pytest.mark.parametrize(
    ("kind", "gates", "used"),
    [
        (GVK("ray.io", "v1", "RayCluster"), GATE, True),
        (GVK("ray.io", "v1", "RayCluster"), {}, False),
        (GVK("argoproj.io", "v1alpha1", "Rollout"), GATE, True),
        (GVK("apps", "v1", "Deployment"), GATE, False),
        (GVK("", "v1", "ConfigMap"), GATE, False),
    ],
)
def test_components_need_the_gate_and_a_rule_above_native(
    kind: GVK, gates: dict[str, bool], used: bool
) -> None:
    assert uses_components(kind, interpreter=INTERPRETER, gates=gates) is used


def test_a_rule_that_is_disabled_does_not_count() -> None:
    off = ResourceInterpreter(plugins=None, disable=("bundled:ray.io/v1/RayCluster#GetComponents",))
    kind = GVK("ray.io", "v1", "RayCluster")
    assert not uses_components(kind, interpreter=off, gates=GATE)
