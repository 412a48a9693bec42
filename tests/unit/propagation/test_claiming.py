"""Claims on templates and bindings."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import deployment, policy

from interpreter.errors import InvalidObject
from interpreter.propagation.claiming import (
    CLUSTER,
    NAMESPACED,
    claim_of,
    claimed,
    identifier_of,
    released,
    scope_of,
)


@pytest.mark.parametrize("namespace", ["prod", ""])
def test_a_claim_names_its_policy(namespace: str) -> None:
    by = policy("p", namespace=namespace)
    claim = claim_of(claimed(deployment(), by))
    assert claim is not None
    assert claim.identifier == "id-p"
    assert (claim.holder.key.kind, claim.holder.key.name) == (by["kind"], "p")
    assert claim.holder.key.namespace == namespace


@given(
    namespace=st.sampled_from(["prod", ""]),
    labels=st.dictionaries(st.text("ab", min_size=1), st.text("xy"), max_size=3),
)
def test_releasing_undoes_claiming(namespace: str, labels: dict[str, str]) -> None:
    template = deployment(labels=labels) if labels else deployment()
    before = copy.deepcopy(template)
    by = policy("p", namespace=namespace)
    assert released(claimed(template, by), scope_of(by), identifier_of(by)) == template == before


def test_a_claim_with_another_identifier_is_not_released() -> None:
    template = claimed(deployment(), policy("p", identifier="new"))
    assert released(template, NAMESPACED, "old") is template


@pytest.mark.parametrize("missing", [NAMESPACED.namespace_annotation, NAMESPACED.name_annotation])
def test_an_incomplete_claim_counts_as_none(missing: str) -> None:
    template = claimed(deployment(), policy())
    template["metadata"]["annotations"][missing] = ""
    assert claim_of(template) is None


def test_a_namespaced_policy_erases_the_claim_of_a_cluster_policy() -> None:
    template = claimed(claimed(deployment(), policy("c", namespace="")), policy("p"))
    assert CLUSTER.id_label not in template["metadata"]["labels"]
    assert CLUSTER.name_annotation not in template["metadata"]["annotations"]


def test_the_reverse_is_not_done_and_the_namespaced_claim_counts() -> None:
    template = claimed(claimed(deployment(), policy("p")), policy("c", namespace=""))
    claim = claim_of(template)
    assert claim is not None
    assert claim.holder.name == "p"
    assert template["metadata"]["labels"][CLUSTER.id_label] == "id-c"


def test_a_policy_without_identifier_claims_nothing() -> None:
    stranger = policy()
    del stranger["metadata"]["labels"]
    with pytest.raises(InvalidObject, match="PropagationPolicy p has no identifier"):
        claimed(deployment(), stranger)
