"""Templates under policies, and the bindings that they get."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from propagation_samples import NATIVE, cluster_role, config_map, deployment, policy, selector

from interpreter.errors import Conflict, InvalidObject, NotFound
from interpreter.propagation.claiming import CLUSTER, claim_of, claimed
from interpreter.propagation.policies import Surroundings, TemplateOutcome, reconcile_template

ROLE = cluster_role()


def reconcile(template: dict[str, Any], *policies: dict[str, Any], **given: Any) -> TemplateOutcome:
    """Reconciles; inputs must stay, and doing it again must change nothing."""
    flags = {name: given.pop(name) for name in ("waiting", "by_system") if name in given}
    gates = given.pop("gates", {})
    before = copy.deepcopy((template, policies, given))
    around = Surroundings(policies=policies, **given)
    outcome = reconcile_template(template, around, interpreter=NATIVE, gates=gates, **flags)
    assert (template, policies, given) == before
    if outcome.binding is not None and outcome.policy is not None:
        stored = Surroundings(policies=policies, **{**given, "bindings": [outcome.binding]})
        again = reconcile_template(outcome.template, stored, interpreter=NATIVE, gates=gates)
        assert again.template == outcome.template
        assert again.binding == outcome.binding
    return outcome


def spec_of(outcome: TemplateOutcome) -> dict[str, Any]:
    assert outcome.error is None
    assert outcome.binding is not None
    spec: dict[str, Any] = outcome.binding["spec"]
    return spec


def test_a_template_is_claimed_and_bound() -> None:
    outcome = reconcile(
        deployment(resourceVersion="7"),
        policy(placement={"clusterAffinity": {"clusterNames": ["m1"]}}, propagateDeps=True),
        waiting=True,
    )
    assert not outcome.waiting
    claim = claim_of(outcome.template)
    assert claim is not None
    assert claim == claim_of(outcome.binding or {})
    assert outcome.binding == {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {
            "name": "web-deployment",
            "namespace": "prod",
            "labels": outcome.template["metadata"]["labels"],
            "annotations": outcome.template["metadata"]["annotations"],
            "finalizers": ["karmada.io/binding-controller"],
            "ownerReferences": [
                {
                    "apiVersion": "apps/v1",
                    "kind": "Deployment",
                    "name": "web",
                    "uid": "uid-web",
                    "controller": True,
                    "blockOwnerDeletion": True,
                }
            ],
        },
        "spec": {
            "resource": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "namespace": "prod",
                "name": "web",
                "uid": "uid-web",
                "resourceVersion": "7",
            },
            "placement": {"clusterAffinity": {"clusterNames": ["m1"]}},
            "propagateDeps": True,
            "replicas": 3,
            "replicaRequirements": {"resourceRequest": {"cpu": "1"}},
        },
    }


def test_a_cluster_scoped_template_gets_a_binding_of_its_own_kind() -> None:
    outcome = reconcile(ROLE, policy(namespace="", selectors=[selector(ROLE)]))
    assert outcome.binding is not None
    assert outcome.binding["kind"] == "ClusterResourceBinding"
    assert "namespace" not in outcome.binding["metadata"]
    finalizers = outcome.binding["metadata"]["finalizers"]
    assert finalizers == ["karmada.io/cluster-resource-binding-controller"]


def test_a_template_without_policy_waits_and_complains_once() -> None:
    first = reconcile(deployment())
    assert first.waiting
    assert isinstance(first.error, NotFound)
    second = reconcile(deployment(), waiting=True)
    assert second.waiting
    assert second.error is None
    assert second.binding is None


def test_a_template_that_somebody_else_propagates_is_left_alone() -> None:
    template = deployment(labels={"resourcetemplate.karmada.io/claimed-by": "x"})
    outcome = reconcile(template, policy(), waiting=True)
    assert (outcome.template, outcome.binding, outcome.waiting) == (template, None, False)
    free = deployment(labels={"resourcetemplate.karmada.io/claimed-by": ""})
    assert reconcile(free, policy()).binding is not None


def test_a_valid_claim_is_followed_although_a_stronger_policy_matches() -> None:
    template = claimed(deployment(), policy("mine"))
    outcome = reconcile(template, policy("mine"), policy("strong", priority=9))
    assert outcome.policy is not None
    assert outcome.policy["metadata"]["name"] == "mine"


def test_a_policy_made_anew_claims_with_its_new_identifier() -> None:
    template = claimed(deployment(), policy(identifier="old"))
    outcome = reconcile(template, policy(identifier="new"))
    claim = claim_of(outcome.template)
    assert claim is not None
    assert claim.identifier == "new"


def test_the_claim_of_a_policy_that_is_gone_is_removed_from_both() -> None:
    bound = reconcile(deployment(), policy())
    outcome = reconcile(bound.template, bindings=[bound.binding])
    assert claim_of(outcome.template) is None
    assert outcome.binding is not None
    assert claim_of(outcome.binding) is None
    assert outcome.binding["spec"] == spec_of(bound)
    assert outcome.error is None


def test_a_policy_being_deleted_is_an_error() -> None:
    template = claimed(deployment(), policy())
    going = policy(metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    outcome = reconcile(template, going)
    assert isinstance(outcome.error, Conflict)
    assert (outcome.template, outcome.binding) == (template, None)


def test_a_claiming_policy_that_no_longer_selects_does_nothing() -> None:
    template = claimed(deployment(), policy())
    outcome = reconcile(template, policy(selectors=[selector(config_map())]))
    assert (outcome.template, outcome.binding, outcome.error) == (template, None, None)


@pytest.mark.parametrize(
    ("namespace", "kind"), [("prod", "OverridePolicy"), ("", "ClusterOverridePolicy")]
)
def test_nothing_is_written_before_dependent_overrides_exist(namespace: str, kind: str) -> None:
    by = policy(namespace=namespace, dependentOverrides=["first"])
    outcome = reconcile(deployment(), by, waiting=True)
    assert isinstance(outcome.error, NotFound)
    assert f"waits for {kind} first" in str(outcome.error)
    assert (outcome.template, outcome.binding, outcome.waiting) == (deployment(), None, True)
    override = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": kind,
        "metadata": {"name": "first", **({"namespace": namespace} if namespace else {})},
    }
    assert reconcile(deployment(), by, overrides=[override]).binding is not None


def test_a_lazy_policy_claims_but_leaves_the_binding_of_the_systems_own_change() -> None:
    lazy = policy(activationPreference="Lazy")
    outcome = reconcile(deployment(), lazy, by_system=True)
    assert claim_of(outcome.template) is not None
    assert outcome.binding is None
    assert reconcile(deployment(), lazy).binding is not None
    assert reconcile(deployment(), policy(), by_system=True).binding is not None


def existing(**spec: Any) -> dict[str, Any]:
    binding = copy.deepcopy(reconcile(deployment(), policy("old", namespace="")).binding)
    assert binding is not None
    binding["metadata"]["labels"]["keep"] = "label"
    binding["metadata"]["annotations"]["keep"] = "annotation"
    binding["metadata"]["finalizers"] = ["keep/this", "karmada.io/binding-controller"]
    binding["spec"].update(spec)
    return binding


def test_an_existing_binding_keeps_its_schedule_and_what_others_wrote() -> None:
    kept = {
        "clusters": [{"name": "m1", "replicas": 3}],
        "requiredBy": [{"name": "x"}],
        "gracefulEvictionTasks": [{"fromCluster": "m2"}],
        "rescheduleTriggeredAt": "2026-01-01T00:00:00Z",
    }
    before = existing(
        **kept, replicas=77, conflictResolution="Overwrite", schedulerName="old", failover={}
    )
    outcome = reconcile(deployment(), policy("new"), bindings=[before])
    spec = spec_of(outcome)
    assert {key: spec[key] for key in kept} == kept
    assert spec["replicas"] == 3
    assert spec.keys().isdisjoint({"conflictResolution", "schedulerName", "failover"})
    metadata = outcome.binding["metadata"]  # type: ignore[index]
    assert metadata["labels"]["keep"] == "label"
    assert metadata["annotations"]["keep"] == "annotation"
    assert metadata["finalizers"] == ["keep/this", "karmada.io/binding-controller"]
    # The claim of the cluster policy went from the binding, too.
    assert CLUSTER.id_label not in metadata["labels"]


@pytest.mark.parametrize(
    ("had", "stated", "wanted"),
    [
        ({"scheduling": True, "dispatching": True}, None, {"scheduling": True}),
        ({"dispatching": True}, None, None),
        (None, {"dispatching": True}, {"dispatching": True}),
        ({"scheduling": False}, {}, {"scheduling": False}),
        (
            {"scheduling": True, "dispatching": True},
            {"dispatchingOnClusters": {"clusterNames": ["m1"]}},
            {"scheduling": True, "dispatchingOnClusters": {"clusterNames": ["m1"]}},
        ),
    ],
)
def test_suspension_is_half_the_schedulers_and_half_the_policys(
    had: Any, stated: Any, wanted: Any
) -> None:
    before = existing(**({} if had is None else {"suspension": had}))
    by = policy(**({} if stated is None else {"suspension": stated}))
    spec = spec_of(reconcile(deployment(), by, bindings=[before]))
    assert spec.get("suspension") == wanted


def test_an_update_of_a_cluster_scoped_binding_does_not_switch_dependencies() -> None:
    def by(**spec: Any) -> dict[str, Any]:
        return policy(namespace="", selectors=[selector(ROLE)], **spec)

    before = reconcile(ROLE, by(propagateDeps=True)).binding
    after = reconcile(ROLE, by(propagateDeps=False), bindings=[before])
    assert spec_of(after)["propagateDeps"] is True


def test_a_binding_of_an_earlier_object_is_a_conflict() -> None:
    before = existing()
    outcome = reconcile(deployment(uid="another"), policy(), bindings=[before])
    assert isinstance(outcome.error, Conflict)
    assert outcome.binding is None
    # The claim is written all the same: the next attempt follows it.
    assert claim_of(outcome.template) is not None


HIGH = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}}


def with_priority(source: str = "KubePriorityClass", name: str = "high") -> dict[str, Any]:
    stated = {"priorityClassSource": source, "priorityClassName": name}
    return policy(schedulePriority=stated)


@pytest.mark.parametrize(("value", "wanted"), [(1000, {"priority": 1000}), (0, {})])
def test_a_schedule_priority_is_the_value_of_its_class(value: int, wanted: Any) -> None:
    classes = [{**HIGH, "value": value}]
    outcome = reconcile(deployment(), with_priority(), priority_classes=classes)
    assert spec_of(outcome)["schedulePriority"] == wanted


def test_a_schedule_priority_needs_its_class_its_source_and_its_gate() -> None:
    missing = reconcile(deployment(), with_priority())
    assert isinstance(missing.error, NotFound)
    assert claim_of(missing.template) is not None
    foreign = reconcile(deployment(), with_priority("PodPriorityClass"))
    assert isinstance(foreign.error, InvalidObject)
    off = reconcile(deployment(), with_priority(), gates={"PriorityBasedScheduling": False})
    assert "schedulePriority" not in spec_of(off)


def test_affinity_groups_are_labels_of_the_template_and_need_their_gate() -> None:
    affinity = {
        "affinity": {"groupByLabelKey": "app"},
        "antiAffinity": {"groupByLabelKey": "missing"},
    }
    by = policy(placement={"workloadAffinity": affinity})
    template = deployment(labels={"app": "web"})
    on = spec_of(reconcile(template, by, gates={"WorkloadAffinity": True}))
    assert on["workloadAffinityGroups"] == {"affinityGroup": "app=web"}
    assert "workloadAffinityGroups" not in spec_of(reconcile(template, by))


def test_a_quota_is_looked_up_by_namespace_and_priority_class() -> None:
    template = deployment()
    template["spec"]["template"]["spec"]["priorityClassName"] = "gold"
    on = spec_of(reconcile(template, policy(), gates={"ResourceQuotaEstimate": True}))
    assert on["replicaRequirements"] == {
        "resourceRequest": {"cpu": "1"},
        "namespace": "prod",
        "priorityClassName": "gold",
    }
    off = spec_of(reconcile(template, policy()))
    assert off["replicaRequirements"] == {"resourceRequest": {"cpu": "1"}}


def test_an_interpreter_that_fails_leaves_the_claim_and_no_binding() -> None:
    template = deployment()
    template["spec"]["replicas"] = "three"
    outcome = reconcile(template, policy())
    assert isinstance(outcome.error, InvalidObject)
    assert outcome.binding is None
    assert claim_of(outcome.template) is not None
