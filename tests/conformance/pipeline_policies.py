"""Recordings of policies: matching, admission, events, preemption, and the bindings they make."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Iterable
from typing import Any

from compare import same
from pipeline_judging import explainer
from recordings import Answer, Case, Rule

from interpreter import ResourceInterpreter
from interpreter.propagation.admission import admit_policy
from interpreter.propagation.claiming import CLUSTER, NAMESPACED
from interpreter.propagation.events import is_watched, update_event
from interpreter.propagation.marking import (
    annotations_of,
    finalizers_of,
    key_of,
    labels_of,
    reference_key,
)
from interpreter.propagation.policies import Surroundings, reconcile_template
from interpreter.propagation.preemption import (
    Estate,
    PolicyOutcome,
    delete_policy,
    policies_to_review,
    upsert_policy,
)
from interpreter.propagation.selection import (
    Match,
    PolicyIndex,
    best_match,
    compile_resource_selector,
)

NATIVE = ResourceInterpreter(plugins=None, tiers=("native",))


def run(case: Case) -> Answer:
    """Our answer in the recording's shape; inputs are checked to be untouched."""
    given = copy.deepcopy(case.input)
    answer = _RUNNERS[case.operation](case.input)
    assert case.input == given, f"{case.id}: the input was changed"
    return answer


def _selector(given: dict[str, Any]) -> Answer:
    return _matched(given["resource"], [given["selector"]])


def _selectors(given: dict[str, Any]) -> Answer:
    return _matched(given["resource"], given["selectors"])


def _matched(resource: Any, selectors: list[Any]) -> Answer:
    match = best_match(resource, [compile_resource_selector(each) for each in selectors])
    return {"matches": match is not Match.NONE, "priority": int(match)}


def _event_filter(given: dict[str, Any]) -> Answer:
    skipped = [re.compile(each) for each in given["skippedPropagatingNamespaces"]]
    return {"accepted": is_watched(given["object"], skipped=skipped)}


def _on_update(given: dict[str, Any]) -> Answer:
    event = update_event(given["old"], given["new"], policies=PolicyIndex(_policies(given)))
    return {"enqueued": event.enqueued, "resourceChangeByKarmada": event.by_system}


def _admission(given: dict[str, Any]) -> Answer:
    policy = admit_policy(
        given["policy"],
        namespace=given["requestNamespace"],
        operation=given["operation"],
        identifier="<generated>",
    )
    return {
        "policy": policy,
        "permanentIDGenerated": "<generated>" in labels_of(policy).values(),
    }


def _reconcile(given: dict[str, Any]) -> Answer:
    bindings = given.get("bindings", [])
    around = Surroundings(
        policies=_policies(given),
        overrides=[*given.get("overridePolicies", []), *given.get("clusterOverridePolicies", [])],
        priority_classes=given.get("priorityClasses", []),
        bindings=bindings,
    )
    template = given["template"]
    outcome = reconcile_template(
        template,
        around,
        interpreter=NATIVE,
        gates=given.get("featureGates", {}),
        waiting=given.get("waiting", False),
        by_system=given.get("resourceChangeByKarmada", False),
    )
    stored = {key_of(binding): binding for binding in bindings}
    if outcome.binding is not None:
        stored[key_of(outcome.binding)] = outcome.binding
    winner = around.policies.winner(template)
    return {
        "matched": None if winner is None else _short(winner),
        "error": outcome.error,
        "waiting": outcome.waiting,
        "template": summary(outcome.template),
        **by_scope(stored.values()),
    }


def _upsert(given: dict[str, Any]) -> Answer:
    return _policy_outcome(
        given, upsert_policy(given["policy"], _estate(given), gates=given.get("featureGates", {}))
    )


def _delete(given: dict[str, Any]) -> Answer:
    outcome = delete_policy(given["policy"], _estate(given))
    answer = _policy_outcome(given, outcome)
    key = key_of(given["policy"])
    kept = [each for each in given["policies"] if key_of(each) != key]
    if outcome.policy is not None:
        kept.append(outcome.policy)
    return {**answer, "policies": _with_finalizers(kept)}


def _estate(given: dict[str, Any]) -> Estate:
    return Estate(
        templates=given["templates"],
        bindings=given.get("bindings", []),
        policies=given["policies"],
        waiting=[reference_key(each) for each in given.get("waiting", [])],
    )


def _policy_outcome(given: dict[str, Any], outcome: PolicyOutcome) -> Answer:
    templates = [outcome.templates.get(key_of(each), each) for each in given["templates"]]
    bindings = [outcome.bindings.get(key_of(each), each) for each in given.get("bindings", [])]
    queue = [{**_reference(key), "resourceChangeByKarmada": flag} for key, flag in outcome.queue]
    return {
        "templates": [summary(each) for each in templates],
        **{
            field: [_marks_of(each) for each in found]
            for field, found in by_scope(bindings).items()
        },
        "resourceQueue": queue,
        "waiting": list(map(_reference, outcome.waiting)),
        "policies": _with_finalizers(given["policies"]),
        "error": outcome.errors[0] if outcome.errors else None,
    }


def _by_name(reference: Any) -> tuple[str, str, str]:
    return reference.get("namespace", ""), reference["name"], reference["kind"]


def _place(obj: Any) -> tuple[str, str]:
    return obj["metadata"].get("namespace", ""), obj["metadata"]["name"]


def _marks_of(binding: Any) -> Answer:
    metadata = binding["metadata"]
    identity = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    return {**identity, "labels": labels_of(binding), "annotations": annotations_of(binding)}


def _reference(key: Any) -> Answer:
    named = {"apiVersion": key.api_version, "kind": key.kind, "name": key.name}
    return {**named, "namespace": key.namespace} if key.namespace else named


def _with_finalizers(policies: list[Any]) -> list[Answer]:
    ordered = sorted(policies, key=lambda each: (each["kind"] != "PropagationPolicy", _place(each)))
    return [{**_short(each), "finalizers": finalizers_of(each)} for each in ordered]


def _update_event(given: dict[str, Any]) -> Answer:
    queue = policies_to_review(
        given["old"], given["new"], given["others"], gates=given["featureGates"]
    )
    return {"policyQueue": [each["metadata"]["name"] for each in queue]}


def _policies(given: dict[str, Any]) -> list[Any]:
    return [*given.get("propagationPolicies", []), *given.get("clusterPropagationPolicies", [])]


def _short(policy: Any) -> Answer:
    metadata = policy["metadata"]
    names = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    return {"kind": policy["kind"], **names}


def summary(template: Any) -> Answer:
    """A template as recordings show it: identity, labels and annotations."""
    identity = {
        key: template["metadata"][key]
        for key in ("name", "namespace")
        if key in template["metadata"]
    }
    return {
        "apiVersion": template["apiVersion"],
        "kind": template["kind"],
        **identity,
        "labels": labels_of(template),
        "annotations": annotations_of(template),
    }


def by_scope(bindings: Iterable[Any]) -> Answer:
    """Bindings of either scope, sorted, as a typed client writes them."""
    ordered = sorted(
        bindings, key=lambda each: (each["metadata"].get("namespace", ""), each["metadata"]["name"])
    )
    return {
        field: [each for each in ordered if each["kind"] == kind]
        for field, kind in (
            ("resourceBindings", "ResourceBinding"),
            ("clusterResourceBindings", "ClusterResourceBinding"),
        )
    }


_RUNNERS: dict[str, Callable[[dict[str, Any]], Answer]] = {
    "selector_priority": _selector,
    "selectors_priority": _selectors,
    "event_filter": _event_filter,
    "on_update": _on_update,
    "admission_default": _admission,
    "reconcile": _reconcile,
    "policy_upsert": _upsert,
    "policy_delete": _delete,
    "policy_update_event": _update_event,
}


def agrees(case: Case, answer: Answer) -> bool:
    """Whether all recorded fields are ours; of an error only that there is one."""
    for field, wanted in case.expect.items():
        got = answer[field]
        if field == "error":
            if (wanted is None) != (got is None):
                return False
        elif not same(*(_in_order(field, each) for each in (wanted, got))):
            return False
    return True


def _in_order(field: str, value: Any) -> Any:
    """A queue is a set: its order says nothing."""
    return (
        sorted(value, key=_by_name)
        if isinstance(value, list) and field in ("resourceQueue", "waiting")
        else value
    )


def _differing(case: Case, answer: Answer) -> list[str]:
    return [field for field in case.expect if not agrees(_only(case, field), answer)]


def _only(case: Case, field: str) -> Case:
    return dataclasses.replace(case, expect={field: case.expect[field]})


_BINDINGS = ("resourceBindings", "clusterResourceBindings")


def _version_applies(case: Case, answer: Answer) -> bool:
    fields = _differing(case, answer)
    return case.operation == "reconcile" and bool(fields) and set(fields) <= set(_BINDINGS)


def _version_holds(case: Case, answer: Answer) -> bool:
    claimed_now = answer["template"] != summary(case.input["template"])
    return claimed_now and _same_but_for_version(case, answer)


def _same_but_for_version(case: Case, answer: Answer) -> bool:
    """Ours refers to the version that was given; recorded is one more, as the claim was stored."""
    given = case.input["template"]["metadata"]["resourceVersion"]
    stored = str(int(given) + 1)
    ours = copy.deepcopy({field: answer[field] for field in _BINDINGS})
    for binding in (*ours["resourceBindings"], *ours["clusterResourceBindings"]):
        if binding["spec"]["resource"].get("resourceVersion") == given:
            binding["spec"]["resource"]["resourceVersion"] = stored
    return all(same(case.expect[field], ours[field]) for field in _BINDINGS)


def _admission_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "admission_default"


def _admission_holds(case: Case, answer: Answer) -> bool:
    ours = copy.deepcopy(answer["policy"])
    overrides = "OverridePolicy" in ours["kind"]
    ours["spec"].setdefault("overriders" if overrides else "placement", {})
    return same({**case.expect, "policy": 0}, {**answer, "policy": 0}) and same(
        case.expect["policy"], ours
    )


def _completed_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "reconcile" and _incomplete_scope(case, answer) is not None


def _incomplete_scope(case: Case, answer: Answer) -> Any:
    before, after = case.input["template"], answer["template"]
    for scope in (NAMESPACED, CLUSTER):
        identifier = labels_of(before).get(scope.id_label)
        if identifier and after["labels"].get(scope.id_label) == identifier:
            missing = [each for each in scope.annotations if each not in annotations_of(before)]
            if missing and all(each in after["annotations"] for each in missing):
                return scope
    return None


def _completed_holds(case: Case, answer: Answer) -> bool:
    scope = _incomplete_scope(case, answer)
    wanted, got = case.expect["template"], answer["template"]
    theirs = {key: text for key, text in got["annotations"].items() if key not in scope.annotations}
    recorded = wanted["annotations"]
    return (
        {key: text for key, text in recorded.items() if key not in scope.annotations} == theirs
        and same({**wanted, "annotations": 0}, {**got, "annotations": 0})
        and (
            _differing(case, answer) == ["template"]
            or (_same_but_for_version(case, answer) and _only_of_objects(case, answer))
        )
    )


def _only_of_objects(case: Case, answer: Answer) -> bool:
    return set(_differing(case, answer)) <= {"template", *_BINDINGS}


RULES: tuple[Rule, ...] = (
    Rule(
        "an incomplete claim with the right identifier is completed",
        "the reference looks at the identifier only, and matches such a template anew each time",
        _completed_applies,
        _completed_holds,
    ),
    Rule(
        "a binding refers to the version of the template that was given",
        "the recorder's stub server counts versions up; a pure function knows no storage",
        _version_applies,
        _version_holds,
    ),
    Rule(
        "a policy keeps its own shape",
        "the reference writes overriders or placement that are not there as an empty object",
        _admission_applies,
        _admission_holds,
    ),
)
SUITE = (run, agrees, explainer(RULES))
