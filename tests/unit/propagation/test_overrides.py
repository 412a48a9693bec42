"""Override policies."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from propagation_samples import cluster_role, config_map, deployment, selector
from works_samples import cluster, override_policy

from interpreter.errors import InvalidObject
from interpreter.propagation.overrides import AppliedOverride, OverrideIndex, recorded

WEB = deployment("web", labels={"app": "web"}, annotations={"conf": '{"b": 1, "a": [2]}'})
EAST = cluster("east", region="eu-1", zones=["a", "b"], metadata={"labels": {"tier": "gold"}})


def label(value: str) -> dict[str, Any]:
    return {"labelsOverrider": [{"operator": "add", "value": {"by": value}}]}


def overridden(*policies: dict[str, Any], obj: dict[str, Any] = WEB) -> dict[str, Any]:
    before = copy.deepcopy(obj)
    result = OverrideIndex(policies).apply(obj, EAST).object
    assert obj == before
    return result


def test_an_object_that_no_policy_selects_is_the_one_given() -> None:
    policy = override_policy("o", label("o"), selectors=[selector(config_map())])
    result = OverrideIndex([policy]).apply(WEB, EAST)
    assert result.object is WEB
    assert result.cluster_overrides == result.overrides == ()


@pytest.mark.parametrize(
    ("policies", "winner"),
    [
        pytest.param(
            [override_policy("z", label("z"), namespace=""), override_policy("a", label("a"))],
            "a",
            id="the namespace comes after the cluster scope",
        ),
        pytest.param(
            [
                override_policy("a", label("a"), selectors=[selector(WEB, name="web")]),
                override_policy("z", label("z"), selectors=[selector(WEB)]),
            ],
            "a",
            id="the most precise one comes last",
        ),
        pytest.param(
            [override_policy("a", label("a")), override_policy("B", label("B"))],
            "a",
            id="of equals the larger name, by bytes",
        ),
        pytest.param(
            [override_policy("a", label("a")), override_policy("z", label("z"), namespace="dev")],
            "a",
            id="another namespace does not count",
        ),
    ],
)
def test_the_last_policy_wins(policies: list[dict[str, Any]], winner: str) -> None:
    assert overridden(*policies)["metadata"]["labels"]["by"] == winner
    assert overridden(*reversed(policies))["metadata"]["labels"]["by"] == winner


def test_cluster_scoped_objects_know_only_cluster_scoped_policies() -> None:
    role = cluster_role()
    policies = [override_policy("a", label("a"), namespace=""), override_policy("b", label("b"))]
    assert overridden(*policies, obj=role)["metadata"]["labels"] == {"by": "a"}


def test_the_namespaced_scope_selects_the_object_that_the_cluster_scope_left() -> None:
    first = override_policy("first", label("first"), namespace="")
    by_label = {"matchLabels": {"by": "first"}}
    second = override_policy(
        "second",
        {"annotationsOverrider": [{"operator": "add", "value": {"seen": "yes"}}]},
        selectors=[selector(WEB, labelSelector=by_label)],
    )
    assert overridden(first, second)["metadata"]["annotations"]["seen"] == "yes"


@pytest.mark.parametrize(
    ("target", "matches"),
    [
        pytest.param(None, True, id="no target"),
        pytest.param({}, True, id="empty target"),
        pytest.param({"clusterNames": ["east"]}, True, id="name"),
        pytest.param({"clusterNames": ["west"]}, False, id="another name"),
        pytest.param({"clusterNames": ["east"], "exclude": ["east"]}, False, id="excluded"),
        pytest.param({"labelSelector": {"matchLabels": {"tier": "gold"}}}, True, id="label"),
        pytest.param(
            {
                "fieldSelector": {
                    "matchExpressions": [{"key": "zone", "operator": "In", "values": ["b"]}]
                }
            },
            True,
            id="zone",
        ),
    ],
)
def test_a_rule_applies_to_the_clusters_that_it_names(
    target: dict[str, Any] | None, matches: bool
) -> None:
    result = OverrideIndex([override_policy("o", label("o"), target=target)]).apply(WEB, EAST)
    assert ("by" in result.object["metadata"]["labels"]) is matches
    assert bool(result.overrides) is matches


def test_the_deprecated_form_is_one_rule() -> None:
    policy = override_policy("o", {})
    policy["spec"] = {"targetCluster": {"clusterNames": ["east"]}, "overriders": label("old")}
    assert overridden(policy)["metadata"]["labels"]["by"] == "old"
    policy["spec"] = {}
    assert OverrideIndex([policy]).apply(WEB, EAST).overrides == (AppliedOverride("o", {}),)


def test_groups_of_a_rule_apply_in_a_fixed_order() -> None:
    everything = {
        "plaintext": [{"operator": "replace", "path": "/metadata/labels/by", "value": "plaintext"}],
        "labelsOverrider": [{"operator": "add", "value": {"by": "labels"}}],
        "annotationsOverrider": [{"operator": "replace", "value": {"conf": "{}"}}],
        "fieldOverrider": [
            {
                "fieldPath": "/metadata/annotations/conf",
                "json": [{"operator": "add", "subPath": "/c", "value": 3}],
            }
        ],
    }
    metadata = overridden(override_policy("o", everything))["metadata"]
    assert metadata["labels"]["by"] == "plaintext"
    assert metadata["annotations"]["conf"] == '{"c":3}'


def test_images_command_and_args_of_running_containers_are_changed() -> None:
    obj = deployment("web")
    pod = obj["spec"]["template"]["spec"]
    pod["containers"][0]["args"] = ["-v", "-x"]
    pod["initContainers"] = [{"name": "main", "image": "init"}]
    overriders = {
        "imageOverrider": [{"component": "Tag", "operator": "replace", "value": "2"}],
        "commandOverrider": [{"containerName": "main", "operator": "add", "value": ["run"]}],
        "argsOverrider": [{"containerName": "main", "operator": "remove", "value": ["-x"]}],
    }
    pod = overridden(override_policy("o", overriders), obj=obj)["spec"]["template"]["spec"]
    assert pod["containers"][0] == {
        **obj["spec"]["template"]["spec"]["containers"][0],
        "image": "x:2",
        "command": ["run"],
        "args": ["-v"],
    }
    assert pod["initContainers"] == [{"name": "main", "image": "init"}]


def test_a_predicate_names_the_one_image_of_any_kind() -> None:
    widget = {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w", "namespace": "prod"},
        "spec": {"sidecars": [{"image": "quay.io/proxy:1"}]},
    }
    overrider = {
        "component": "Registry",
        "operator": "replace",
        "value": "mirror.io",
        "predicate": {"path": "/spec/sidecars/0/image"},
    }
    result = overridden(override_policy("o", {"imageOverrider": [overrider]}), obj=widget)
    assert result["spec"]["sidecars"] == [{"image": "mirror.io/proxy:1"}]


def test_embedded_yaml_stays_what_it_says() -> None:
    obj = config_map("cm")
    obj["data"] = {"app.yaml": "# main\non: yes\nport: 0o17\nhosts: [a]\n"}
    field = {
        "fieldPath": "/data/app.yaml",
        "yaml": [{"operator": "add", "subPath": "/hosts/-", "value": "b"}],
    }
    text = overridden(override_policy("o", {"fieldOverrider": [field]}), obj=obj)["data"]
    assert text["app.yaml"] == '"on": true\nport: 15\nhosts:\n- a\n- b\n'


def test_embedded_json_keeps_order_and_is_safe_inside_html() -> None:
    field = {
        "fieldPath": "/metadata/annotations/conf",
        "json": [{"operator": "add", "subPath": "/z", "value": "<&>"}],
    }
    conf = overridden(override_policy("o", {"fieldOverrider": [field]}))["metadata"]["annotations"]
    assert conf["conf"] == '{"b":1,"a":[2],"z":"\\u003c\\u0026\\u003e"}'


def test_absent_labels_are_passed_over_and_noted() -> None:
    overriders = {
        "labelsOverrider": [
            {"operator": "remove", "value": {"gone": "", "app": ""}},
            {"operator": "replace", "value": {"gone": "1"}},
        ]
    }
    result = OverrideIndex([override_policy("o", overriders)]).apply(WEB, EAST)
    assert result.object["metadata"]["labels"] == {}
    rule = "OverridePolicy prod/o: spec.overrideRules[0].overriders.labelsOverrider"
    assert result.notes == (
        f"{rule}[0]: remove of metadata.labels[gone]: there is no such key",
        f"{rule}[1]: replace of metadata.labels[gone]: there is no such key",
    )


@pytest.mark.parametrize(
    ("group", "overrider", "problem"),
    [
        (
            "plaintext",
            {"operator": "replace", "path": "/spec/nope", "value": 1},
            "/spec/nope: there is nothing at this path",
        ),
        (
            "fieldOverrider",
            {"fieldPath": "/data/conf", "json": []},
            "/data/conf: there is nothing at this path",
        ),
        (
            "fieldOverrider",
            {"fieldPath": "/spec/replicas", "json": []},
            "/spec/replicas: must be a text that holds a document, got the number 3",
        ),
        (
            "fieldOverrider",
            {
                "fieldPath": "/metadata/annotations/conf",
                "json": [{"operator": "remove", "subPath": "/nope"}],
            },
            "/nope: there is nothing at this path",
        ),
        (
            "imageOverrider",
            {"component": "Tag", "operator": "remove", "predicate": {"path": "/spec/image"}},
            "/spec/image: there is nothing at this path",
        ),
        (
            "imageOverrider",
            {"component": "Tag", "operator": "remove", "predicate": {"path": "spec/image"}},
            "a path starts with a slash",
        ),
        ("plaintext", {"operator": "remove", "path": "/kind"}, "must keep its kind"),
        ("plaintext", {"operator": "replace", "path": "", "value": []}, "must remain an object"),
    ],
)
def test_a_path_that_does_not_exist_is_an_error_naming_policy_rule_and_path(
    group: str, overrider: dict[str, Any], problem: str
) -> None:
    policies = [override_policy("a", label("a")), override_policy("b", {group: [overrider]})]
    before = copy.deepcopy(WEB)
    with pytest.raises(InvalidObject) as caught:
        OverrideIndex(policies).apply(WEB, EAST)
    text = str(caught.value)
    assert text.startswith(f"OverridePolicy prod/b: spec.overrideRules[0].overriders.{group}[0]")
    assert problem in text
    assert caught.value.plugin == "OverridePolicy prod/b"
    assert before == WEB


def test_a_policy_of_the_wrong_shape_is_named() -> None:
    policy = override_policy("o", {})
    policy["spec"]["overrideRules"] = "all"
    with pytest.raises(InvalidObject, match=r"OverridePolicy prod/o.*spec\.overrideRules"):
        OverrideIndex([policy])


def test_a_record_is_sorted_by_policy_and_then_in_order_of_application() -> None:
    image = {"component": "Tag", "operator": "remove", "value": ""}
    applied = [
        AppliedOverride("b", {"imageOverrider": [image], "unknown": 1}),
        AppliedOverride("a", {"plaintext": [{"path": "/x", "operator": "remove"}]}),
        AppliedOverride("b", {}),
    ]
    text = recorded(applied)
    assert text is not None
    assert json.loads(text) == [
        {
            "policyName": "a",
            "overriders": {"plaintext": [{"path": "/x", "operator": "remove", "value": None}]},
        },
        {
            "policyName": "b",
            "overriders": {"imageOverrider": [{"component": "Tag", "operator": "remove"}]},
        },
        {"policyName": "b", "overriders": {}},
    ]
    assert recorded([]) is None
