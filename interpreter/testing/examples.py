"""What plugins are asked in conformance tests: objects, and the arguments that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    deep_copy,
    is_integer,
    metadata_of,
)
from interpreter.operations import OPERATIONS
from interpreter.testing import builders

#: Asks an operation; the answer as JSON.
Ask = Callable[[Operation, tuple[Any, ...]], JsonValue]


@dataclass(frozen=True, slots=True)
class Example:
    """An object to ask about, where the object alone does not say enough.

    Attributes:
        obj: The object.
        observed: Copies in a member cluster, for Retain; None: some are made.
        items: Lists of status items, for AggregateStatus; None: some are made.
        replicas: Counts to write, for ReviseReplica.
    """

    obj: JsonObject
    observed: tuple[JsonObject, ...] | None = None
    items: tuple[list[JsonObject] | None, ...] | None = None
    replicas: tuple[int, ...] = (0, 1, 3)

    @property
    def gvk(self) -> GVK:
        """Its kind.

        Raises:
            InvalidObject: It states none.
        """
        return gvk_of(self.obj)

    @property
    def label(self) -> str:
        """What people call it."""
        name = metadata_of(self.obj).get("name")
        return f"{self.obj.get('kind')} {name or 'without a name'}"


_KNOWN: Mapping[GVK, Callable[[], JsonObject]] = {
    GVK("apps", "v1", "Deployment"): lambda: builders.deployment(replicas=2),
    GVK("apps", "v1", "StatefulSet"): lambda: builders.statefulset(replicas=2),
    GVK("batch", "v1", "Job"): lambda: builders.job(parallelism=2),
    GVK("", "v1", "Pod"): builders.pod,
    GVK("", "v1", "Service"): builders.service,
}


def examples_for(
    claims: Iterable[GVK], given: Iterable[JsonObject | Example]
) -> tuple[list[Example], list[GVK]]:
    """Examples of everything that is claimed.

    Args:
        claims: Kinds, patterns included.
        given: What the caller has.

    Returns:
        The examples, with common kinds that nobody gave; and the claims without any.

    Raises:
        InvalidObject: An object states no kind.
    """
    found = [one if isinstance(one, Example) else Example(deep_copy(one)) for one in given]
    missing = []
    for claim in dict.fromkeys(claims):
        if any(claim.matches(example.gvk) for example in found):
            continue
        known = [make for gvk, make in _KNOWN.items() if claim.matches(gvk)]
        if known:
            found.append(Example(known[0]()))
        else:
            missing.append(claim)
    return found, missing


def arguments_for(example: Example, operation: Operation, ask: Ask) -> list[tuple[Any, ...]]:
    """Arguments to ask an operation with: one or several tuples in the order of its hook.

    Args:
        example: The example.
        operation: The operation.
        ask: Asks about the example, for arguments that are another operation's answer.
    """
    inputs = OPERATIONS[operation].inputs
    if not inputs:
        return [(example.obj,)]
    values: dict[str, Callable[[], Iterable[Any]]] = {
        "replicas": lambda: example.replicas,
        "observed": lambda: _observed(example),
        "items": lambda: _items(example, ask),
        "remove_job_ttl": lambda: (False, True),
    }
    # No operation has more than one argument behind its object.
    return [(example.obj, value) for value in values[inputs[0].name]()]


def _observed(example: Example) -> Iterable[JsonObject]:
    if example.observed is not None:
        return example.observed
    spec = example.obj.get("spec")
    count: Any = spec.get("replicas") if isinstance(spec, dict) else None
    scaled = {"replicas": count + 2} if is_integer(count) else None
    return (
        builders.member_copy(example.obj),
        builders.member_copy(example.obj, generation=5, spec=scaled),
    )


def _items(example: Example, ask: Ask) -> Iterable[list[JsonObject] | None]:
    if example.items is not None:
        return example.items
    status = ask(Operation.REFLECT_STATUS, (example.obj,))
    if status is None:
        return (None, [])
    return (None, [], builders.status_items(status, status))
