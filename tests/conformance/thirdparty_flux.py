"""Where the scripts for Flux and Kyverno differ from the recorded ones on purpose."""

from __future__ import annotations

from typing import Any

from recordings import Answer, Case, Rule

_GROUPS = ("helm.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io", "source.toolkit.fluxcd.io")
_COUNTERS = ("failures", "installFailures", "upgradeFailures")


def _of(case: Case, *groups: str) -> bool:
    """Whether the object of a case belongs to one of some groups."""
    return str(_desired(case).get("apiVersion")).partition("/")[0] in groups


def _desired(case: Case) -> dict[str, Any]:
    return case.input.get("desired") or case.input.get("observed") or {}


def _conditions(status: Any) -> list[Any]:
    return (status or {}).get("conditions") or []


# --- A condition without a message ---------------------------------------------------------------


def _lacks_message(case: Case, _answer: Answer) -> bool:
    return (
        case.failed
        and case.operation == "AggregateStatus"
        and _of(case, *_GROUPS, "kyverno.io")
        and any(
            condition.get("message") is None
            for item in case.input.get("statusItems") or ()
            for condition in _conditions(item.get("status"))
        )
    )


def _names_members(_case: Case, answer: Answer) -> bool:
    status = answer.get("aggregatedStatus", {}).get("status")
    found = _conditions(status)
    return bool(found) and all("=" in condition["message"] for condition in found)


# --- Counters of a HelmRelease -------------------------------------------------------------------


def _counts_again(case: Case, answer: Answer) -> bool:
    status = _desired(case).get("status") or {}
    return (
        case.operation == "AggregateStatus"
        and _desired(case).get("kind") == "HelmRelease"
        and not case.failed
        and "error" not in answer
        and any(status.get(field) for field in _COUNTERS)
    )


def _counts_members(case: Case, answer: Answer) -> bool:
    before = _desired(case)["status"]
    wanted = dict(case.expect["aggregatedStatus"]["status"])
    got = answer["aggregatedStatus"]["status"]
    for field in _COUNTERS:
        if before.get(field) is not None:
            wanted[field] = wanted.get(field, 0) - before[field]
    return {key: value for key, value in got.items() if value not in ({}, [])} == wanted


# --- A template without a part -------------------------------------------------------------------


def _without_spec(case: Case, _answer: Answer) -> bool:
    return case.failed and case.operation == "Retain" and _of(case, *_GROUPS)


def _takes_suspend(case: Case, answer: Answer) -> bool:
    desired, observed = case.input["desired"], case.input["observed"]
    suspend = (observed.get("spec") or {}).get("suspend")
    wanted = desired if suspend is None else {**desired, "spec": {"suspend": suspend}}
    return desired.get("spec") is None and answer == {"retained": wanted}


def _without_account(case: Case, _answer: Answer) -> bool:
    return (
        case.failed
        and case.operation == "InterpretDependency"
        and _desired(case).get("kind") == "OCIRepository"
    )


def _names_secrets(case: Case, answer: Answer) -> bool:
    spec = _desired(case).get("spec") or {}
    places = (spec, spec.get("verify") or {})
    named = {
        (place.get(field) or {}).get("name")
        for place in places
        for field in ("secretRef", "certSecretRef")
    }
    got = answer.get("dependencies", [])
    return (
        not spec.get("serviceAccountName")
        and {entry["kind"] for entry in got} <= {"Secret"}
        and {entry["name"] for entry in got} == named - {None, ""}
    )


def _without_index(case: Case, _answer: Answer) -> bool:
    obj = _desired(case)
    return (
        case.operation == "InterpretHealth"
        and obj.get("kind") == "HelmRepository"
        and (obj.get("spec") or {}).get("type") == "oci"
        and case.expect.get("healthy") is False
        and not any(
            condition.get("type") in ("Ready", "Stalled")
            for condition in _conditions(obj.get("status"))
        )
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "a condition without a message is no error",
        "its message says which member has it; the recorded scripts fail on it",
        _lacks_message,
        _names_members,
    ),
    Rule(
        "counters are those of the members",
        "the template's own count is the last aggregation's; added again, it would grow for ever",
        _counts_again,
        _counts_members,
    ),
    Rule(
        "a template without a spec takes suspend",
        "the member's pause stands for every template; the recorded scripts need a spec",
        _without_spec,
        _takes_suspend,
    ),
    Rule(
        "an absent service account is no error",
        "an OCIRepository without one refers to its secrets only; the recorded script fails",
        _without_account,
        _names_secrets,
    ),
    Rule(
        "an OCI registry is healthy without a status",
        "Flux fetches no index of it and reports nothing; the recorded script waits for ever",
        _without_index,
        lambda _case, answer: answer == {"healthy": True},
    ),
)
