from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.cluster import Cluster
from interpreter.api.objects import check
from interpreter.api.policy import POLICY_KINDS, OverridePolicy, PropagationPolicy
from interpreter.api.work import ResourceBinding
from interpreter.errors import InvalidObject


def policy(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "web"},
        "spec": {"resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}], **spec},
    }


def test_a_checked_document_is_the_very_dict_with_its_unknown_fields() -> None:
    document = policy(fromTheFuture={"a": [None]}, placement={"clusterAffinity": {}})
    assert check(document, PropagationPolicy) is document


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        pytest.param({"resourceSelectors": []}, "spec.resourceSelectors", id="no selector"),
        pytest.param({"preemption": "Sometimes"}, "spec.preemption", id="unknown word"),
        pytest.param(
            {"placement": {"spreadConstraints": [{"minGroups": "2"}]}},
            "spec.placement.spreadConstraints[0].minGroups",
            id="text for a number",
        ),
        pytest.param({"priority": 2**31}, "spec.priority", id="beyond 32 bits"),
    ],
)
def test_a_document_that_does_not_fit_names_the_path(spec: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidObject, match="PropagationPolicy web") as caught:
        check(policy(**spec), PropagationPolicy)
    assert caught.value.path == path


def test_what_is_no_object_is_an_error() -> None:
    with pytest.raises(InvalidObject, match="a Cluster must be an object"):
        check([], Cluster)


def test_a_field_override_may_be_called_json() -> None:
    document = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "OverridePolicy",
        "metadata": {"name": "data"},
        "spec": {
            "overrideRules": [
                {
                    "overriders": {
                        "fieldOverrider": [
                            {
                                "fieldPath": "/data/config",
                                "json": [{"subPath": "/a", "operator": "add", "value": {"b": 1}}],
                            }
                        ]
                    }
                }
            ]
        },
    }
    assert POLICY_KINDS["OverridePolicy"] is OverridePolicy
    assert check(document, OverridePolicy) is document


def test_a_binding_must_say_what_it_is_about() -> None:
    binding = {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {"name": "web-deployment"},
        "spec": {"replicas": 3},
    }
    with pytest.raises(InvalidObject) as caught:
        check(binding, ResourceBinding)
    assert caught.value.path == "spec.resource"
