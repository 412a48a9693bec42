"""Recordings of Works: from bindings, pruned manifests, divided completions."""

from __future__ import annotations

import copy
from typing import Any

from compare import same
from pipeline_judging import agrees_but, explainer, runner
from recordings import Answer, Case, Rule

from interpreter import ResourceInterpreter
from interpreter.machinery.unstructured import name_of
from interpreter.propagation.overrides import OverrideIndex
from interpreter.propagation.works import (
    EnsuredWorks,
    WorkKey,
    ensure_works,
    key_of_work,
    reconcile_binding,
)
from interpreter.propagation.works_targets import Target, divide_completions

NATIVE = ResourceInterpreter(plugins=None, tiers=("native",))


def _surroundings(given: dict[str, Any]) -> dict[str, Any]:
    policies = [
        *(given.get("clusterOverridePolicies") or ()),
        *(given.get("overridePolicies") or ()),
    ]
    return {
        "clusters": {name_of(cluster): cluster for cluster in given.get("clusters") or ()},
        "overrides": OverrideIndex(policies),
        "interpreter": NATIVE,
        "gates": given.get("featureGates") or {},
    }


def _afterwards(
    works: dict[WorkKey, dict[str, Any]], ensured: EnsuredWorks, deleted: tuple[WorkKey, ...] = ()
) -> Answer:
    """The store as it is then, and the errors."""
    after = dict(works)
    terminating = {key for key, work in works.items() if work["metadata"].get("deletionTimestamp")}
    for key in deleted:
        if after[key]["metadata"].get("finalizers"):
            terminating.add(key)
        else:
            del after[key]
    for planned in ensured.works:
        after[key_of_work(planned.work)] = planned.work
    errors = [error for _cluster, error in ensured.errors]
    return {
        "error": errors[0] if errors else None,
        "works": [
            {key: value for key, value in after[each].items() if key != "status"}
            for each in sorted(after)
            if each not in terminating
        ],
        "terminatingWorks": [each._asdict() for each in sorted(terminating)],
    }


def _ensure(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    works = {key_of_work(work): work for work in given.get("existingWorks") or ()}
    ensured = ensure_works(
        given["template"], given["binding"], existing=works, **_surroundings(given)
    )
    assert before == given
    return _afterwards(works, ensured)


def _reconcile(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    works = {key_of_work(work): work for work in given["existingWorks"]}
    result = reconcile_binding(
        given["binding"],
        template=given.get("template"),
        works=works.values(),
        **_surroundings(given),
    )
    assert before == given
    answer = _afterwards(works, result.ensured, result.delete)
    deleted = bool(given["binding"]["metadata"].get("deletionTimestamp"))
    if deleted and not result.finalizers:
        answer["bindingGone"] = True
    else:
        answer["bindingFinalizers"] = list(result.finalizers)
    return {**answer, "requeueAfterSeconds": result.requeue_after}


def _prune(given: dict[str, Any]) -> Answer:
    return {"object": NATIVE.prune(given["object"], remove_job_ttl=given["removeJobTTL"])}


def _divide(given: dict[str, Any]) -> Answer:
    targets = [Target(each["name"], each.get("replicas") or 0) for each in given["clusters"]]
    shares = divide_completions(given["completions"], targets, uid=given["uid"])
    return {"result": [{"name": name, "replicas": count} for name, count in shares.items()]}


run = runner(
    {
        "ensure_work": _ensure,
        "reconcile": _reconcile,
        "prune": _prune,
        "divide_completions": _divide,
    }
)
agrees = agrees_but()


def _token_secrets(case: Case, answer: Answer) -> bool:
    obj = case.input.get("template") or case.input.get("object") or {}
    return obj.get("kind") == "ServiceAccount" and answer["error"] is None


def _token_secrets_hold(case: Case, answer: Answer) -> bool:
    """Whether all is as recorded once the recorded token secrets are gone, too."""
    wanted = copy.deepcopy(case.expect)
    manifests = [
        manifest
        for work in wanted.get("works") or ()
        for manifest in work["spec"]["workload"]["manifests"]
    ]
    for manifest in (*manifests, *filter(None, [wanted.get("object")])):
        prefix = f"{manifest['metadata']['name']}-token-"
        if isinstance(manifest.get("secrets"), list):
            manifest["secrets"] = [
                entry for entry in manifest["secrets"] if not entry["name"].startswith(prefix)
            ]
    return all(same(value, answer.get(field)) for field, value in wanted.items())


RULES = (
    Rule(
        "token secrets",
        "every generated token secret is pruned; the recorded program skips one behind another",
        _token_secrets,
        _token_secrets_hold,
    ),
)

SUITE = (run, agrees, explainer(RULES))
