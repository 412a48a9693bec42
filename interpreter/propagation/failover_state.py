"""State that survives a failover: parts of the status as labels on the object's next copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.api.gates import gate_is_on
from interpreter.errors import InvalidObject
from interpreter.machinery.names import label_value_problems
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    objects_at,
    read_map,
    read_str,
)

#: The gate without which no state is preserved.
GATE = "StatefulFailoverInjection"


def preserved_label_state(rules: Iterable[JsonObject], status: JsonValue) -> dict[str, str]:
    """Labels from a status, by rules.

    Args:
        rules: ``aliasLabelName`` and ``jsonPath`` each; of two with one name the later counts.
        status: What a member cluster reported, any JSON value.

    Raises:
        InvalidObject: A path leads nowhere, or to what is no value of a label.
    """
    # Few bindings preserve state: the parser is loaded for those that do.
    from interpreter.codec import jsonpath

    labels = {}
    for rule in rules:
        name, path = read_str(rule, "aliasLabelName"), read_str(rule, "jsonPath")
        value = jsonpath.parse(path).render(status)
        problems = label_value_problems(value)
        if problems:
            raise InvalidObject(
                f"gives no value for the label {name}: {'; '.join(problems)}",
                path=path,
                value=value,
            )
        labels[name] = value
    return labels


def preserved_state(
    behavior: JsonObject,
    cluster: str,
    *,
    status: JsonObject,
    gates: Mapping[str, bool],
) -> JsonObject:
    """The field of an eviction task that carries state; empty without the gate or without rules.

    Args:
        behavior: ``spec.failover.application`` or ``spec.failover.cluster`` of the binding.
        cluster: The cluster that is left.
        status: The binding's status.
        gates: Feature gates that are on or off.

    Raises:
        InvalidObject: The cluster has not reported a status, or a path fails.
    """
    preservation = read_map(behavior, "statePreservation")
    rules = objects_at(preservation or {}, "rules", "statePreservation")
    if not rules or not gate_is_on(gates, GATE):
        return {}
    for item in objects_at(status, "aggregatedStatus", "status"):
        if item and item.get("clusterName") == cluster and item.get("status") is not None:
            rules = [rule or {} for rule in rules]
            return {"preservedLabelState": preserved_label_state(rules, item["status"])}
    raise InvalidObject(
        f"the application status has not yet been collected from Cluster({cluster})",
        path="status.aggregatedStatus",
    )
