"""Kinds whose status is a set of replica counters.

Summing members' counters, and collecting a member's.

Deployment, ReplicaSet, StatefulSet and DaemonSet differ in their fields and in when the template
counts as observed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.codec.copying import copy_object
from interpreter.engines.native.statuses import (
    Items,
    each_status,
    member_int,
    status_of,
    with_status,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    INT64_MAX,
    INT64_MIN,
    JsonObject,
    deep_copy,
    generation_of,
    map_at,
    read_int,
    read_map,
)

#: Written by the control plane on each member's object: the template's generation it was made from.
GENERATION_ANNOTATION = "resourcetemplate.karmada.io/generation"
_GENERATIONS = ("observedGeneration", "generation", "resourceTemplateGeneration")
_INTEGER = re.compile(r"[+-]?0*[0-9]{1,19}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of one kind.

    Attributes:
        fields: Counters that are summed and collected.
        always: Those of them that the API writes even when zero.
        collects_observed_generation: Whether collection carries the member's observedGeneration.
        observes_member_generation: Whether an item counts as observed when its
            resourceTemplateGeneration reaches the member's own generation instead of the
            template's.
    """

    fields: tuple[str, ...]
    always: tuple[str, ...] = ()
    collects_observed_generation: bool = True
    observes_member_generation: bool = False

    @property
    def known(self) -> frozenset[str]:
        """All fields read from a member's status."""
        return frozenset((*self.fields, *_GENERATIONS))


def aggregate(counters: Counters) -> Callable[[JsonObject, Items], JsonObject]:
    """AggregateStatus of a kind: sums the counters.

    ``status.observedGeneration`` moves to the template's generation once every item was observed;
    an item without a status was not. Until then it stays. Other fields of the template's status
    stay as they are.
    """
    known = counters.known

    def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
        generation = generation_of(obj)
        old = status_of(obj)
        _check_template(obj, old, counters)
        sums = dict.fromkeys(counters.fields, 0)
        observed = True
        for item_path, _item, status in each_status(items, known):
            if status is None:
                observed = False
                continue
            at = f"{item_path}.status"
            for field in counters.fields:
                sums[field] += member_int(status, field, at)
            own = member_int(status, "generation", at, bits=64)
            reported = member_int(status, "resourceTemplateGeneration", at, bits=64)
            seen = member_int(status, "observedGeneration", at, bits=64)
            wanted = own if counters.observes_member_generation else generation
            observed = observed and seen >= own and reported >= wanted
        if observed:
            sums["observedGeneration"] = generation
        if all((old.get(field) or 0) == value for field, value in sums.items()):
            return copy_object(obj)
        new: JsonObject = deep_copy(old)
        for field, value in sums.items():
            if value or field in counters.always:
                new[field] = value
            else:
                new.pop(field, None)
        return with_status(obj, new)

    return aggregate_status


def _check_template(obj: JsonObject, old: JsonObject, counters: Counters) -> None:
    for field in counters.fields:
        read_int(old, field, "status")
    read_int(old, "observedGeneration", "status", bits=64)
    spec = map_at(obj, "spec")
    if "replicas" in counters.fields:
        read_int(spec, "replicas", "spec")


def reflect(counters: Counters) -> Callable[[JsonObject], JsonObject | None]:
    """ReflectStatus of a kind.

    Counters, the member object's generation and the template generation it was made from.

    Raises (from the handler):
        InvalidObject: The generation annotation is missing or no integer, or a counter has the
            wrong type.
    """

    def reflect_status(obj: JsonObject) -> JsonObject | None:
        status = read_map(obj, "status")
        if status is None:
            return None
        template_generation = _template_generation(obj)
        collected: JsonObject = {}
        generation = generation_of(obj)
        if generation:
            collected["generation"] = generation
        if template_generation:
            collected["resourceTemplateGeneration"] = template_generation
        if counters.collects_observed_generation:
            observed = read_int(status, "observedGeneration", "status", bits=64)
            if observed:
                collected["observedGeneration"] = observed
        for field in counters.fields:
            value = read_int(status, field, "status")
            if value or field in counters.always:
                collected[field] = value or 0
        return collected

    return reflect_status


def _template_generation(obj: JsonObject) -> int:
    text: Any = map_at(obj, "metadata", "annotations").get(GENERATION_ANNOTATION)
    if isinstance(text, str) and _INTEGER.match(text) and INT64_MIN <= int(text) <= INT64_MAX:
        return int(text)
    raise InvalidObject(
        "must be the template's generation as an integer text",
        path=f"metadata.annotations[{GENERATION_ANNOTATION}]",
        value=text,
        hint="the control plane writes it on the objects it propagates; "
        "set it to see what a member would report",
    )
