"""What a pod needs and refers to, read from its spec."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from typing import Any

import pytest

from interpreter.errors import InvalidObject
from interpreter.machinery.podspec import (
    NodeConstraints,
    PodReferences,
    is_scalar_resource,
    node_constraints,
    references,
    resource_request,
)

Spec = dict[str, Any]


def container(requests: Any = None, limits: Any = None, **fields: Any) -> Spec:
    resources = {"requests": requests, "limits": limits}
    given = {key: value for key, value in resources.items() if value is not None}
    return {"name": "c", "resources": given, **fields}


def path_of(reader: Callable[[Spec], Any], spec: Spec) -> str | None:
    before = copy.deepcopy(spec)
    with pytest.raises(InvalidObject) as caught:
        reader(spec)
    assert repr(spec) == repr(before)
    return caught.value.path


# --- Requests ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        pytest.param({}, {}, id="empty"),
        pytest.param(
            {"containers": None, "initContainers": None, "overhead": None}, {}, id="nulls"
        ),
        pytest.param(
            {"containers": [None, {}, {"resources": None}, container()]}, {}, id="nothing"
        ),
        pytest.param(
            {"containers": [container({"cpu": "0.25", "memory": "1024Ki"})]},
            {"cpu": "250m", "memory": "1Mi"},
            id="canonical",
        ),
        pytest.param(
            {"containers": [container({"cpu": "1"}), container({"cpu": "500m"}), container()]},
            {"cpu": "1500m"},
            id="containers add up",
        ),
        pytest.param(
            {"containers": [container(limits={"cpu": 2, "memory": "1G"})]},
            {"cpu": "2", "memory": "1000000000"},
            id="limits stand in for requests",
        ),
        pytest.param(
            {"containers": [container({"cpu": "1"}, {"cpu": "4", "memory": "8Gi"})]},
            {"cpu": "1", "memory": "8Gi"},
            id="limits stand in resource by resource",
        ),
        pytest.param(
            {"containers": [container({"cpu": None}, {"cpu": "4"})]},
            {},
            id="a null request is a request of nothing",
        ),
        pytest.param(
            {
                "containers": [container({"cpu": "300m", "memory": "2Gi"})],
                "initContainers": [
                    container({"cpu": "2", "memory": "1Gi"}),
                    container({"cpu": "1"}, restartPolicy="Always"),
                ],
            },
            {"cpu": "2", "memory": "2Gi"},
            id="init containers raise to their maximum",
        ),
        pytest.param(
            {"initContainers": [container(limits={"cpu": "3"})]},
            {"cpu": "3"},
            id="init containers alone, by limits",
        ),
        pytest.param(
            {
                "containers": [container({"cpu": "1"})],
                "initContainers": [container({"cpu": "2"})],
                "overhead": {"cpu": "250m", "memory": "64Mi"},
            },
            {"cpu": "2250m", "memory": "64Mi"},
            id="overhead comes on top",
        ),
        pytest.param(
            {
                "containers": [container({"cpu": "1"})],
                "ephemeralContainers": [container({"cpu": "7"})],
                "resources": {"requests": {"cpu": "9"}},
            },
            {"cpu": "1"},
            id="ephemeral containers and pod resources do not count",
        ),
        pytest.param(
            {
                "containers": [
                    container(
                        {
                            "ephemeral-storage": "2097152Ki",
                            "pods": "3000",
                            "nvidia.com/gpu": "2",
                            "hugepages-2Mi": "4096Ki",
                            "attachable-volumes-aws-ebs": "5",
                            "kubernetes.io/batch-cpu": "1500m",
                        }
                    )
                ]
            },
            {
                "ephemeral-storage": "2Gi",
                "pods": "3k",
                "nvidia.com/gpu": "2",
                "hugepages-2Mi": "4Mi",
                "attachable-volumes-aws-ebs": "5",
                "kubernetes.io/batch-cpu": "2",
            },
            id="known names in their format",
        ),
        pytest.param(
            {
                "containers": [
                    container({"gpu": "1", "requests.cpu": "1", "storage": "1", "a b/c": 1})
                ]
            },
            {},
            id="unknown names are dropped",
        ),
        pytest.param(
            {
                "containers": [
                    container({"cpu": "0", "memory": "-1Gi", "example.com/a": "-3"}),
                ],
            },
            {},
            id="zero and negative totals are dropped",
        ),
        pytest.param(
            {
                "containers": [container({"cpu": "0.0001", "memory": "1500m"})],
            },
            {"cpu": "1m", "memory": "2"},
            id="fractions are rounded up",
        ),
        pytest.param(
            {"containers": [container({"memory": "4Ei"}), container({"memory": "3Ei"})]},
            {"memory": "7Ei"},
            id="large but inside int64",
        ),
    ],
)
def test_a_pod_requests_the_sum_of_its_containers(spec: Spec, want: dict[str, str]) -> None:
    before = copy.deepcopy(spec)
    assert resource_request(spec) == want
    assert spec == before


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        pytest.param({"containers": {}}, "containers", id="containers"),
        pytest.param({"containers": [{}, 7]}, "containers[1]", id="container"),
        pytest.param({"initContainers": "x"}, "initContainers", id="init containers"),
        pytest.param({"initContainers": [{}, {}, "x"]}, "initContainers[2]", id="init container"),
        pytest.param(
            {"containers": [{}, {"resources": []}]}, "containers[1].resources", id="resources"
        ),
        pytest.param(
            {"containers": [{"resources": {"requests": "1"}}]},
            "containers[0].resources.requests",
            id="requests",
        ),
        pytest.param(
            {"containers": [{"resources": {"limits": [1]}}]},
            "containers[0].resources.limits",
            id="limits",
        ),
        pytest.param(
            {"containers": [container(), container({"cpu": "a lot"})]},
            "containers[1].resources.requests.cpu",
            id="request",
        ),
        pytest.param(
            {"containers": [container({"gpu": True})]},
            "containers[0].resources.requests.gpu",
            id="request of an unknown name",
        ),
        pytest.param(
            {"initContainers": [container(limits={"memory": {}})]},
            "initContainers[0].resources.limits.memory",
            id="limit",
        ),
        pytest.param(
            {"containers": [container({"cpu": 1}, {"cpu": "much"})]},
            "containers[0].resources.limits.cpu",
            id="limit behind a request",
        ),
        pytest.param(
            {"containers": [container({"cpu": "10E"})]},
            "containers[0].resources.requests.cpu",
            id="request beyond int64",
        ),
        pytest.param(
            {"containers": [container({"cpu": "1e99999"})]},
            "containers[0].resources.requests.cpu",
            id="huge exponent",
        ),
        pytest.param({"overhead": []}, "overhead", id="overhead"),
        pytest.param({"overhead": {"cpu": ""}}, "overhead.cpu", id="overhead amount"),
        pytest.param(
            {"containers": [container({"memory": "7Ei"}), container({"memory": "7Ei"})]},
            "memory",
            id="sum beyond int64",
        ),
    ],
)
def test_a_request_of_a_wrong_type_is_an_error_with_its_path(spec: Spec, path: str) -> None:
    assert path_of(resource_request, spec) == path


@pytest.mark.parametrize("name", [5, None, True, 1.5, ("a", "b")], ids=repr)
@pytest.mark.parametrize("amount", ["1", 1, "x", []], ids=repr)
def test_a_resource_whose_name_is_no_string_never_crashes(name: Any, amount: Any) -> None:
    for spec in (
        {"containers": [container({name: amount})]},
        {"containers": [container(limits={name: amount})]},
        {"overhead": {name: amount}},
    ):
        with contextlib.suppress(InvalidObject):
            assert resource_request(spec) == {}


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("example.com/gpu", True),
        ("hugepages-1Gi", True),
        ("attachable-volumes-gce-pd", True),
        ("kubernetes.io/x", True),
        ("sub.kubernetes.io/x", True),
        ("gpu", False),
        ("storage", False),
        ("requests.example.com/gpu", False),
        ("example.com/", False),
        ("/gpu", False),
        ("a/b/c", False),
        ("", False),
    ],
)
def test_a_resource_is_counted_by_its_name(name: str, want: bool) -> None:
    assert is_scalar_resource(name) is want


# --- Constraints ---------------------------------------------------------------------------------

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
TERMS: Spec = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({}, id="empty"),
        pytest.param({"nodeSelector": None, "tolerations": None, "affinity": None}, id="nulls"),
        pytest.param({"tolerations": []}, id="no tolerations"),
        pytest.param({"affinity": {}}, id="empty affinity"),
        pytest.param({"affinity": {"nodeAffinity": None}}, id="null node affinity"),
        pytest.param({"affinity": {"nodeAffinity": {REQUIRED: None}}}, id="null required"),
        pytest.param({"affinity": {"podAffinity": {REQUIRED: [{}]}}}, id="pod affinity"),
    ],
)
def test_a_pod_without_constraints_has_none(spec: Spec) -> None:
    assert node_constraints(spec) is None


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        pytest.param({"nodeSelector": {}}, NodeConstraints(None, {}, ()), id="empty selector"),
        pytest.param(
            {"nodeSelector": {"pool": "db"}},
            NodeConstraints(None, {"pool": "db"}, ()),
            id="selector",
        ),
        pytest.param(
            {"affinity": {"nodeAffinity": {REQUIRED: {}}}},
            NodeConstraints({}, None, ()),
            id="empty required affinity",
        ),
        pytest.param(
            {"affinity": {"nodeAffinity": {REQUIRED: TERMS, "preferred": [1]}}},
            NodeConstraints(TERMS, None, ()),
            id="required affinity",
        ),
        pytest.param(
            {"tolerations": [{"operator": "Exists", "unknown": [1]}, {}]},
            NodeConstraints(None, None, ({"operator": "Exists", "unknown": [1]}, {})),
            id="tolerations",
        ),
    ],
)
def test_constraints_are_copies_of_what_the_pod_states(spec: Spec, want: NodeConstraints) -> None:
    before = copy.deepcopy(spec)
    found = node_constraints(spec)
    assert found == want
    assert found is not None
    for part in (found.hard_node_affinity, found.node_selector, *found.tolerations):
        if part is not None:
            part["scribble"] = "x"
            for inner in part.get("nodeSelectorTerms", ()):
                inner["matchExpressions"].clear()
    assert spec == before


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        pytest.param({"nodeSelector": []}, "nodeSelector", id="selector"),
        pytest.param({"nodeSelector": {"a": 1}}, "nodeSelector.a", id="selector value"),
        pytest.param({"nodeSelector": {"a": None}}, "nodeSelector.a", id="null selector value"),
        pytest.param({"tolerations": {}}, "tolerations", id="tolerations"),
        pytest.param({"tolerations": [{}, "x"]}, "tolerations[1]", id="toleration"),
        pytest.param({"affinity": []}, "affinity", id="affinity"),
        pytest.param(
            {"affinity": {"nodeAffinity": 1}}, "affinity.nodeAffinity", id="node affinity"
        ),
        pytest.param(
            {"affinity": {"nodeAffinity": {REQUIRED: []}}},
            f"affinity.nodeAffinity.{REQUIRED}",
            id="required",
        ),
    ],
)
def test_a_constraint_of_a_wrong_type_is_an_error_with_its_path(spec: Spec, path: str) -> None:
    assert path_of(node_constraints, spec) == path


# --- References ----------------------------------------------------------------------------------


def refs(
    config_maps: str = "", secrets: str = "", accounts: str = "", claims: str = ""
) -> PodReferences:
    return PodReferences(config_maps.split(), secrets.split(), accounts.split(), claims.split())


def variable(key: str, name: Any) -> Spec:
    return {"name": "V", "valueFrom": {key: {"name": name, "key": "k"}}}


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        pytest.param({}, refs(), id="empty"),
        pytest.param(
            {
                "containers": None,
                "volumes": None,
                "imagePullSecrets": None,
                "serviceAccountName": None,
            },
            refs(),
            id="nulls",
        ),
        pytest.param(
            {
                "containers": [
                    None,
                    {"env": None, "envFrom": None},
                    {"env": [None], "envFrom": [None]},
                ],
                "volumes": [None, {}, {"name": "v", "emptyDir": {}}],
                "imagePullSecrets": [None, {}, {"name": None}, {"name": ""}],
            },
            refs(),
            id="nulls in lists",
        ),
        pytest.param(
            {
                "containers": [
                    {"env": [variable("configMapKeyRef", "b"), variable("secretKeyRef", "s")]},
                    {"env": [variable("configMapKeyRef", "a"), {"name": "P", "value": "plain"}]},
                ]
            },
            refs("a b", "s"),
            id="variables, sorted",
        ),
        pytest.param(
            {
                "containers": [{"envFrom": [{"configMapRef": {"name": "a"}}]}],
                "initContainers": [{"envFrom": [{"secretRef": {"name": "s"}}]}],
                "ephemeralContainers": [{"env": [variable("secretKeyRef", "t")]}],
            },
            refs("a", "s t"),
            id="all sorts of containers",
        ),
        pytest.param(
            {"containers": [{"env": [variable("secretKeyRef", "s")] * 3}]},
            refs(secrets="s"),
            id="each name once",
        ),
        pytest.param(
            {
                "containers": [
                    {
                        "env": [variable("secretKeyRef", ""), variable("fieldRef", "f")],
                        "envFrom": [{"secretRef": {}}, {"configMapRef": None}, {"prefix": "P_"}],
                    }
                ]
            },
            refs(),
            id="empty names and other sources",
        ),
        pytest.param(
            {"imagePullSecrets": [{"name": "pull"}, {"name": "more"}]},
            refs(secrets="more pull"),
            id="image pull secrets",
        ),
        pytest.param({"serviceAccountName": "builder"}, refs(accounts="builder"), id="account"),
        pytest.param({"serviceAccountName": "default"}, refs(), id="default account"),
        pytest.param({"serviceAccount": "old"}, refs(), id="the old account field"),
        pytest.param(
            {
                "volumes": [
                    {"configMap": {"name": "a"}},
                    {"secret": {"secretName": "s"}},
                    {"persistentVolumeClaim": {"claimName": "c"}},
                    {"hostPath": {"path": "/x"}},
                ]
            },
            refs("a", "s", claims="c"),
            id="volumes",
        ),
        pytest.param(
            {
                "volumes": [
                    {
                        "projected": {
                            "sources": [
                                None,
                                {"configMap": {"name": "a"}},
                                {"secret": {"name": "s"}},
                                {"serviceAccountToken": {"path": "t"}},
                            ]
                        }
                    }
                ]
            },
            refs("a", "s"),
            id="projected volume",
        ),
        pytest.param(
            {
                "volumes": [
                    {"azureFile": {"secretName": "azure"}},
                    *(
                        {driver: {"secretRef": {"name": driver.lower()}}}
                        for driver in ("cephfs", "cinder", "flexVolume", "rbd", "scaleIO")
                    ),
                    {"iscsi": {"secretRef": {"name": "iscsi"}}},
                    {"storageos": {"secretRef": {"name": "storageos"}}},
                    {"csi": {"nodePublishSecretRef": {"name": "csi"}}},
                    {"iscsi": {"secretRef": None}},
                ]
            },
            refs(secrets="azure cephfs cinder csi flexvolume iscsi rbd scaleio storageos"),
            id="secrets of storage drivers",
        ),
        pytest.param(
            {
                "volumes": [
                    {"secret": {"secretName": "second"}, "azureFile": {"secretName": "first"}}
                ]
            },
            refs(secrets="first"),
            id="only the first source with a secret counts",
        ),
    ],
)
def test_a_pod_refers_to_what_it_names(spec: Spec, want: PodReferences) -> None:
    before = copy.deepcopy(spec)
    assert references(spec) == want
    assert spec == before


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        pytest.param({"containers": 1}, "containers", id="containers"),
        pytest.param({"containers": [{}, "x"]}, "containers[1]", id="container"),
        pytest.param(
            {"ephemeralContainers": [{"env": {}}]}, "ephemeralContainers[0].env", id="env"
        ),
        pytest.param({"containers": [{"env": [{}, 7]}]}, "containers[0].env[1]", id="variable"),
        pytest.param({"containers": [{"env": ["x"]}]}, "containers[0].env[0]", id="text variable"),
        pytest.param({"containers": [{"env": [[]]}]}, "containers[0].env[0]", id="list variable"),
        pytest.param(
            {"containers": [{"env": [{"valueFrom": "x"}]}]},
            "containers[0].env[0].valueFrom",
            id="source of a variable",
        ),
        pytest.param(
            {"initContainers": [{"env": [{"valueFrom": {"secretKeyRef": []}}]}]},
            "initContainers[0].env[0].valueFrom.secretKeyRef",
            id="secret of a variable",
        ),
        pytest.param(
            {"containers": [{}, {"env": [variable("configMapKeyRef", 5)]}]},
            "containers[1].env[0].valueFrom.configMapKeyRef.name",
            id="name in a variable",
        ),
        pytest.param({"containers": [{"envFrom": "x"}]}, "containers[0].envFrom", id="envFrom"),
        pytest.param(
            {"containers": [{"envFrom": [{}, 1]}]}, "containers[0].envFrom[1]", id="envFrom entry"
        ),
        pytest.param(
            {"containers": [{"envFrom": [{"secretRef": {"name": {}}}]}]},
            "containers[0].envFrom[0].secretRef.name",
            id="name in envFrom",
        ),
        pytest.param({"imagePullSecrets": {}}, "imagePullSecrets", id="image pull secrets"),
        pytest.param({"imagePullSecrets": ["x"]}, "imagePullSecrets[0]", id="image pull secret"),
        pytest.param(
            {"imagePullSecrets": [{}, {"name": 5}]},
            "imagePullSecrets[1].name",
            id="name of an image pull secret",
        ),
        pytest.param({"serviceAccountName": 5}, "serviceAccountName", id="account"),
        pytest.param({"volumes": "x"}, "volumes", id="volumes"),
        pytest.param({"volumes": [{}, "x"]}, "volumes[1]", id="volume"),
        pytest.param({"volumes": [{"configMap": "x"}]}, "volumes[0].configMap", id="config map"),
        pytest.param(
            {"volumes": [{"configMap": {"name": 1}}]},
            "volumes[0].configMap.name",
            id="name of a config map",
        ),
        pytest.param(
            {"volumes": [{"persistentVolumeClaim": {"claimName": []}}]},
            "volumes[0].persistentVolumeClaim.claimName",
            id="name of a claim",
        ),
        pytest.param({"volumes": [{"secret": []}]}, "volumes[0].secret", id="secret"),
        pytest.param(
            {"volumes": [{"secret": {"secretName": 5}}]},
            "volumes[0].secret.secretName",
            id="name of a secret",
        ),
        pytest.param(
            {"volumes": [{"csi": {"nodePublishSecretRef": "x"}}]},
            "volumes[0].csi.nodePublishSecretRef",
            id="secret of a driver",
        ),
        pytest.param({"volumes": [{"projected": []}]}, "volumes[0].projected", id="projected"),
        pytest.param(
            {"volumes": [{"projected": {"sources": {}}}]},
            "volumes[0].projected.sources",
            id="sources",
        ),
        pytest.param(
            {"volumes": [{"projected": {"sources": [{}, 3]}}]},
            "volumes[0].projected.sources[1]",
            id="source",
        ),
        pytest.param(
            {"volumes": [{"projected": {"sources": [{}, {"secret": {"name": 3}}]}}]},
            "volumes[0].projected.sources[1].secret.name",
            id="secret of a source",
        ),
    ],
)
def test_a_reference_of_a_wrong_type_is_an_error_with_its_path(spec: Spec, path: str) -> None:
    assert path_of(references, spec) == path
