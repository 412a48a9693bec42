"""Recordings of dependencies: attached bindings, and which changes concern whom."""

from __future__ import annotations

import copy
from typing import Any

from pipeline_judging import agrees_but, explainer
from pipeline_policies import NATIVE
from recordings import Answer, Case, Rule

from interpreter.api.marks import BINDING_DEPENDENCIES
from interpreter.errors import InvalidObject
from interpreter.propagation.dependencies import (
    Stock,
    reconcile_dependencies,
)
from interpreter.propagation.dependency_records import concerns_binding, recorded_dependencies
from interpreter.propagation.marking import ObjectKey, annotations_of, by_key, key_of, marked


def run(case: Case) -> Answer:
    """Our answer in the recording's shape; inputs are checked to be untouched."""
    given = copy.deepcopy(case.input)
    runner = _reconcile if case.operation == "reconcile" else _concerns
    answer = runner(case.input)
    assert case.input == given, f"{case.id}: the input was changed"
    return answer


def _reconcile(given: dict[str, Any]) -> Answer:
    bindings = [given["binding"], *given["otherBindings"], *given["attachedBindings"]]
    template = given["template"]
    outcome = reconcile_dependencies(
        given["binding"],
        template,
        Stock(objects=given["objects"], bindings=bindings),
        interpreter=NATIVE,
    )
    stored = by_key(bindings) | outcome.bindings
    independent = stored[key_of(given["binding"])]
    recorded = recorded_dependencies(independent)
    if BINDING_DEPENDENCIES in annotations_of(independent):
        stored[key_of(independent)] = marked(
            independent, annotations={BINDING_DEPENDENCIES: "<see dependencies>"}
        )
    shown = sorted(stored.values(), key=_place)
    return {
        "bindings": [_typed(each) for each in shown],
        "dependencies": None
        if recorded is None
        else sorted((each.to_dict() for each in recorded), key=_reference_order),
        "conflictEvents": sorted(
            f"Warning {event.reason} {event.message}" for event in outcome.events
        ),
        "error": outcome.errors or None,
    }


def _place(obj: Any) -> tuple[str, str]:
    return obj["metadata"].get("namespace", ""), obj["metadata"]["name"]


def _reference_order(reference: Any) -> list[str]:
    return [reference.get(key, "") for key in ("apiVersion", "kind", "namespace", "name")]


def _typed(binding: Any) -> Any:
    """A binding as a typed client writes it: zero values of optional fields are left out."""
    spec = {
        key: value
        for key, value in binding["spec"].items()
        if not (key == "propagateDeps" and value is False) and value != []
    }
    if "requiredBy" in spec:
        snapshots = [each.items() for each in spec["requiredBy"]]
        spec["requiredBy"] = [
            {key: value for key, value in each if value != []} for each in snapshots
        ]
    return {**binding, "spec": spec}


def _concerns(given: dict[str, Any]) -> Answer:
    obj = given["object"]
    key = ObjectKey(obj["apiVersion"], obj["kind"], obj.get("namespace", ""), obj["name"])
    try:
        matches = concerns_binding(key, obj.get("labels", {}), given["binding"])
        return {"error": None, "matches": matches}
    except InvalidObject as error:
        return {"error": error, "matches": False}


agrees = agrees_but()


def _nothing_recorded(case: Case, answer: Answer) -> bool:
    return case.operation == "reconcile" and answer["dependencies"] == []


def _only_null_differs(case: Case, answer: Answer) -> bool:
    return case.expect["dependencies"] is None and agrees(case, {**answer, "dependencies": None})


RULES: tuple[Rule, ...] = (
    Rule(
        "no dependencies are recorded as an empty list",
        "the reference records null, which reads like a record that was never made",
        _nothing_recorded,
        _only_null_differs,
    ),
)
SUITE = (run, agrees, explainer(RULES))
