"""The inputs behind the object that ``run`` and ``explain`` take: replicas, observed, items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.cli import options
from interpreter.errors import InvalidObject

if TYPE_CHECKING:
    from interpreter.machinery.unstructured import JsonObject
    from interpreter.manifests import Manifest

_F = TypeVar("_F", bound=Callable[..., Any])

#: Fields of an AggregatedStatusItem (work.karmada.io/v1alpha2).
_ITEM_FIELDS = frozenset({"clusterName", "status", "applied", "appliedMessage", "health"})
_INPUT_OPTIONS = (
    click.option(
        "--observed",
        metavar="FILE",
        help="Members' objects, for Retain: for each object the one of its kind and name.",
    ),
    click.option(
        "--status-items",
        metavar="FILE",
        help="Member statuses, for AggregateStatus: a list of AggregatedStatusItem, or a binding.",
    ),
    click.option(
        "--replicas",
        type=click.IntRange(0, 2**31 - 1),
        metavar="N",
        help="The count to write, for ReviseReplica.",
    ),
)
#: Argument of an operation to the option that gives it.
FLAGS = {"observed": "--observed", "items": "--status-items", "replicas": "--replicas"}


def with_inputs(function: _F) -> _F:
    """Adds the options; the command takes ``observed``, ``status_items`` and ``replicas``."""
    for option in reversed(_INPUT_OPTIONS):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs as given on the command line; None where not given."""

    observed: list[Manifest] | None
    items: list[JsonObject] | None
    replicas: int | None

    def for_object(self, obj: JsonObject) -> dict[str, Any]:
        """Arguments for one object, by name; only those that are given.

        Raises:
            InvalidObject: There are observed objects, but none of its kind and name.
        """
        found: dict[str, Any] = {"items": self.items, "replicas": self.replicas}
        if self.observed is not None:
            found["observed"] = self._counterpart(obj, self.observed)
        return {name: value for name, value in found.items() if value is not None}

    @staticmethod
    def _counterpart(obj: JsonObject, candidates: list[Manifest]) -> JsonObject:
        wanted = _identity(obj)
        for candidate in candidates:
            if _identity(candidate.obj) == wanted:
                return candidate.obj
        raise InvalidObject("has no counterpart of the same kind and name in the --observed file")


def read_inputs(observed: str | None, status_items: str | None, replicas: int | None) -> Inputs:
    """Reads the files that the options name."""
    return Inputs(
        observed=None if observed is None else options.read_objects((observed,)),
        items=None if status_items is None else _read_items(status_items),
        replicas=replicas,
    )


def _identity(obj: JsonObject) -> tuple[Any, ...]:
    from interpreter.machinery.unstructured import name_of, namespace_of

    return (obj["apiVersion"], obj["kind"], namespace_of(obj), name_of(obj))


def _read_items(path: str) -> list[JsonObject]:
    """Status items: one list of them, or the ones of a binding.

    Raises:
        InvalidObject: The file holds anything else. An explicit ``[]`` is a list without items.
    """
    from interpreter.manifests import read_documents

    options.take_stdin((path,))
    documents = list(read_documents((path,), settings=options.settings(), unpack=False))
    if len(documents) != 1:
        raise InvalidObject(
            f"must hold one list of AggregatedStatusItem, or one binding; holds {len(documents)}",
            source=path,
        )
    value, where = documents[0].value, documents[0].where
    if isinstance(value, dict) and "kind" in value:
        status = value.get("status")
        value = status.get("aggregatedStatus") if isinstance(status, dict) else None
    if not isinstance(value, list):
        raise InvalidObject(
            "must be a list of AggregatedStatusItem, or a binding with status.aggregatedStatus",
            source=where,
        )
    for number, item in enumerate(value, start=1):
        _check_item(item, f"{where}, item {number}")
    return value


def _check_item(item: Any, where: str) -> None:
    hint = "an item has clusterName, and status, applied, appliedMessage, health where known"
    if not isinstance(item, dict):
        raise InvalidObject("must be an object", value=item, source=where, hint=hint)
    name = item.get("clusterName")
    if not isinstance(name, str) or not name:
        raise InvalidObject(
            "must be a non-empty string", path="clusterName", value=name, source=where, hint=hint
        )
    unknown = sorted(str(field) for field in item.keys() - _ITEM_FIELDS)
    if unknown:
        raise InvalidObject("is no field of an item", path=unknown[0], source=where, hint=hint)
