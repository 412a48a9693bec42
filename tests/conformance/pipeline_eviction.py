"""Recordings of evictions: graceful tasks, application failover, preserved state, taints."""

from __future__ import annotations

import copy
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from compare import same
from pipeline_judging import explainer, is_error, runner
from pipeline_works import NATIVE
from recordings import Answer, Case, Rule

from interpreter.codec import jsonpath
from interpreter.errors import InterpreterError
from interpreter.machinery.names import label_value_problems
from interpreter.propagation.eviction import assess_tasks
from interpreter.propagation.eviction_taints import assess_taints, sweep_delay
from interpreter.propagation.failover import assess_application
from interpreter.propagation.failover_state import preserved_label_state
from interpreter.propagation.taints import tainted


def _graceful(given: dict[str, Any]) -> Answer:
    result = assess_tasks(
        given["binding"],
        now=datetime.fromisoformat(given["now"]),
        default_timeout=given["gracefulEvictionTimeoutSeconds"],
    )
    return {
        "tasks": list(result.tasks),
        "evictedClusters": list(result.evicted),
        "requeueAfterSeconds": result.recheck_after,
    }


def _failover(given: dict[str, Any]) -> Answer:
    binding = copy.deepcopy(given["binding"])
    now, since, steps = datetime(2024, 5, 1, tzinfo=UTC), {}, []
    for step in given["steps"]:
        now += timedelta(seconds=step["waitSeconds"])
        binding.setdefault("status", {})["aggregatedStatus"] = step["aggregatedStatus"]
        for field in ("clusters", "gracefulEvictionTasks"):
            if field in step:
                binding["spec"][field] = step[field]
        result = assess_application(
            binding, since, now=now, interpreter=NATIVE, gates=given["featureGates"]
        )
        binding["spec"], since = copy.deepcopy(result.spec), result.unhealthy_since
        shown = {"error": result.error, "requeueAfterSeconds": result.recheck_after}
        steps.append(
            {
                **shown,
                "clusters": binding["spec"].get("clusters") or [],
                "gracefulEvictionTasks": binding["spec"].get("gracefulEvictionTasks") or [],
                "unhealthyClustersTracked": sorted(since),
            }
        )
    return {"steps": copy.deepcopy(steps)}


def _state(given: dict[str, Any]) -> Answer:
    return {"labels": preserved_label_state(given["rules"], given["status"])}


def _policy(given: dict[str, Any]) -> Answer:
    now = datetime.fromisoformat(given["now"])
    return {"taints": tainted(given["cluster"], given["policies"], now=now)}


def _taints(given: dict[str, Any]) -> Answer:
    binding, cluster = given["binding"], given["cluster"]
    now, enabled = datetime.fromisoformat(given["now"]), given["noExecuteTaintEvictionEnabled"]
    error, spec, recheck = None, binding["spec"], 0
    try:
        result = assess_taints(
            binding,
            cluster,
            now=now,
            enabled=enabled,
            purge_mode=given["purgeMode"],
            gates=given["featureGates"],
        )
        spec, recheck = result.spec, result.recheck_after
    except InterpreterError as raised:
        error = raised
    return {
        "error": error,
        "clusters": spec.get("clusters") or [],
        "gracefulEvictionTasks": spec.get("gracefulEvictionTasks") or [],
        "recheckAfterSeconds": recheck,
        "sweepDelaySeconds": sweep_delay(binding, cluster, now=now, enabled=enabled),
    }


_run = runner(
    {
        "graceful_eviction": _graceful,
        "application_failover": _failover,
        "preserved_label_state": _state,
        "cluster_taint_policy": _policy,
        "taint_eviction": _taints,
    }
)


def run(case: Case) -> Answer:
    """Our answer; inputs are checked to be untouched."""
    before = copy.deepcopy(case.input)
    answer = _run(case)
    assert before == case.input
    return answer


def agrees(case: Case, answer: Answer) -> bool:
    """Equality; of errors only that there is one."""
    if case.failed != (answer["error"] is not None):
        return False
    wanted, got = copy.deepcopy(case.expect), answer
    if "steps" in wanted:
        steps = []
        for ours, theirs in zip(answer["steps"], wanted["steps"], strict=True):
            both_failed = theirs["error"] is not None and ours["error"] is not None
            steps.append({**ours, "error": theirs["error"] if both_failed else ours["error"]})
        got = {**answer, "steps": steps}
    return all(same(value, got.get(field)) for field, value in wanted.items() if field != "error")


# --- Differences ---------------------------------------------------------------------------------


def _rendered(case: Case) -> dict[str, str] | None:
    """The texts that the paths give, whether labels can have them or not; None on an error."""
    try:
        return {
            rule["aliasLabelName"]: jsonpath.parse(rule["jsonPath"]).render(case.input["status"])
            for rule in case.input["rules"]
        }
    except InterpreterError:
        return None


def _no_label_value(case: Case, _answer: Answer) -> bool:
    rendered = _rendered(case) if case.operation == "preserved_label_state" else None
    return rendered is not None and any(map(label_value_problems, rendered.values()))


_LITERAL = re.compile(r"[!<>=]=?\s*[+-]?[0-9]+\)|\(\s*[+-]?[0-9]+\s*[!<>=]")


def _whole_literal(case: Case, answer: Answer) -> bool:
    return case.operation == "preserved_label_state" and any(
        _LITERAL.search(rule["jsonPath"]) for rule in case.input["rules"]
    )


def _whole_literal_holds(case: Case, answer: Answer) -> bool:
    """Whether the answer is that for the same path with a decimal point in its literals."""
    given = copy.deepcopy(case.input)
    for rule in given["rules"]:
        rule["jsonPath"] = _LITERAL.sub(
            lambda found: re.sub(r"([0-9]+)", r"\1.0", found.group()), rule["jsonPath"]
        )
    pointed = run(Case(case.id, case.operation, given, case.expect))
    return (answer["error"] is None) == (pointed["error"] is None) and same(
        answer.get("labels"), pointed.get("labels")
    )


def _in_full(case: Case, answer: Answer) -> bool:
    return (
        case.operation == "preserved_label_state"
        and not case.failed
        and answer["error"] is None
        and case.expect["labels"] != answer["labels"]
    )


def _in_full_holds(case: Case, answer: Answer) -> bool:
    """Whether labels differ only by numbers that are integers, written out, in our answer."""
    wanted, got = case.expect["labels"], answer["labels"]
    return wanted.keys() == got.keys() and all(
        text == got[name] or (got[name].lstrip("-").isdecimal() and float(text) == float(got[name]))
        for name, text in wanted.items()
    )


_LOOP = re.compile(r"\{range[^}]*\}.*?\{end\}")


def _empty_loop(case: Case, answer: Answer) -> bool:
    return (
        case.operation == "preserved_label_state"
        and case.failed
        and answer["error"] is None
        and any(_LOOP.search(rule["jsonPath"]) for rule in case.input["rules"])
    )


def _empty_loop_holds(case: Case, answer: Answer) -> bool:
    """Whether the answer is that for the same path without its loops."""
    given = copy.deepcopy(case.input)
    for rule in given["rules"]:
        rule["jsonPath"] = _LOOP.sub("", rule["jsonPath"])
    return same(answer["labels"], run(Case(case.id, case.operation, given, {}))["labels"])


RULES = (
    Rule(
        "loops over nothing",
        "a loop over nothing gives nothing; the recorded program misses the fields of its body",
        _empty_loop,
        _empty_loop_holds,
    ),
    Rule(
        "label values",
        "a text that no label can have as its value is an error; the recorded program writes it, "
        "and the member cluster refuses the object",
        _no_label_value,
        is_error,
    ),
    Rule(
        "whole numbers in filters",
        "numbers compare by value; the recorded program takes 1 and 1.0 for different types",
        _whole_literal,
        _whole_literal_holds,
    ),
    Rule(
        "integers in full",
        "integers print in full; the recorded program writes a million as 1e+06",
        _in_full,
        _in_full_holds,
    ),
)
SUITE = (run, agrees, explainer(RULES))
