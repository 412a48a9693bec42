"""A placement, compiled: everything in it that does not depend on the fleet or on a binding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.errors import InvalidObject
from interpreter.machinery.affinity import Affinity, compile_affinity
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    objects_at,
    read_int,
    read_map,
    read_str,
)

Strategy = Literal["Duplicated", "StaticWeight", "DynamicWeight", "Aggregated", "Unsupported"]
#: Overflow order of a cluster that no part of a term names.
NO_TIER = 1000


@dataclass(frozen=True, slots=True)
class Term:
    """One of several affinities, with those that take what it cannot."""

    affinity: Affinity
    overflow: tuple[Affinity, ...] = ()


@dataclass(frozen=True, slots=True)
class Constraint:
    """A spread constraint."""

    field: str
    min_groups: int
    max_groups: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A compiled placement.

    Attributes:
        affinity: ``clusterAffinity``, None when there is none.
        terms: ``clusterAffinities`` by name, in order; of two with one name the first counts.
        tolerations: Taints that the object bears.
        constraints: Spread constraints, in order.
        strategy: How replicas are divided.
        division: Type and preference as written, for messages.
        weights: Static weights; empty when every cluster weighs the same.
        spreads: Whether spread constraints decide which clusters are selected.
        counts: Whether it matters how many replicas a cluster takes.
    """

    affinity: Affinity | None
    terms: dict[str, Term]
    tolerations: tuple[JsonObject, ...]
    constraints: tuple[Constraint, ...]
    strategy: Strategy
    division: tuple[str, str]
    weights: tuple[tuple[Affinity, int], ...]
    spreads: bool
    counts: bool

    def constraint(self, field: str) -> Constraint | None:
        """The spread constraint on a field; of several the last."""
        return next((entry for entry in reversed(self.constraints) if entry.field == field), None)

    def term(self, observed: str) -> Term | None:
        """The term of a name, None where terms do not count or there is no such term."""
        return None if self.affinity is not None else self.terms.get(observed)


def compile_placement(placement: JsonObject) -> Placement:
    """A placement, ready for many passes.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    affinity = read_map(placement, "clusterAffinity")
    scheduling = read_map(placement, "replicaScheduling")
    strategy, division = _strategy(scheduling)
    preference = None if scheduling is None else read_map(scheduling, "weightPreference")
    static = () if preference is None else objects_at(preference, "staticWeightList")
    dynamic = "" if preference is None else read_str(preference, "dynamicWeight")
    weighted = division == ("Divided", "Weighted")
    constraints = tuple(
        Constraint(
            read_str(entry or {}, "spreadByField"),
            read_int(entry or {}, "minGroups", bits=64) or 0,
            read_int(entry or {}, "maxGroups", bits=64) or 0,
        )
        for entry in objects_at(placement, "spreadConstraints")
    )
    ignored = weighted and (preference is None or (bool(static) and not dynamic))
    return Placement(
        affinity=None if affinity is None else _affinity(affinity, "clusterAffinity"),
        terms=_terms(placement),
        tolerations=tuple(entry or {} for entry in objects_at(placement, "clusterTolerations")),
        constraints=constraints,
        strategy=strategy,
        division=division,
        weights=tuple(
            (
                _affinity(map_or_empty(entry or {}, "targetCluster"), "staticWeightList"),
                read_int(entry or {}, "weight", bits=64) or 0,
            )
            for entry in static
        ),
        spreads=bool(constraints) and not ignored,
        counts=strategy != "Duplicated",
    )


def _strategy(scheduling: JsonObject | None) -> tuple[Strategy, tuple[str, str]]:
    if scheduling is None:
        return "Duplicated", ("Duplicated", "")
    kind = read_str(scheduling, "replicaSchedulingType")
    preference = read_str(scheduling, "replicaDivisionPreference")
    strategy: Strategy = "Unsupported"
    if kind == "Duplicated":
        strategy = "Duplicated"
    elif kind == "Divided" and preference == "Aggregated":
        strategy = "Aggregated"
    elif kind == "Divided" and preference == "Weighted":
        dynamic = read_str(map_or_empty(scheduling, "weightPreference"), "dynamicWeight")
        strategy = "DynamicWeight" if dynamic else "StaticWeight"
    return strategy, (kind, preference)


def _terms(placement: JsonObject) -> dict[str, Term]:
    terms: dict[str, Term] = {}
    for index, entry in enumerate(objects_at(placement, "clusterAffinities")):
        path = f"clusterAffinities[{index}]"
        term = entry or {}
        overflow = objects_at(term, "overflowAffinities", path)
        terms.setdefault(
            read_str(term, "affinityName", path),
            Term(
                _affinity(term, path),
                tuple(_affinity(each or {}, f"{path}.overflowAffinities") for each in overflow),
            ),
        )
    return terms


def _affinity(affinity: JsonObject, path: str) -> Affinity:
    try:
        return compile_affinity(affinity)
    except InvalidObject as error:
        raise error.within(path) from None
