"""Label selectors, compiled once and matched many times.

Rules are those of ``k8s.io/apimachinery/pkg/labels``: all requirements must hold; ``NotIn`` and
``DoesNotExist`` hold for a label that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interpreter.errors import InvalidObject
from interpreter.machinery.names import label_key_problems, label_value_problems, selector_problems
from interpreter.machinery.unstructured import (
    INT64_MAX,
    INT64_MIN,
    JsonObject,
    list_or_empty,
    map_or_empty,
    objects_at,
    read_str,
)

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
#: More digits are no 64-bit integer unless they lead with zeros, and nobody writes those.
_MOST_DIGITS = 63


class Requirement(NamedTuple):
    """One condition on a label.

    Attributes:
        key: The label.
        operator: ``In``, ``NotIn``, ``Exists``, ``DoesNotExist``; in field selectors also ``Gt``
            and ``Lt``, with one integer.
        values: What ``In`` and its like compare with.
    """

    key: str
    operator: str
    values: frozenset[str] = frozenset()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether labels fulfil it."""
        value = labels.get(self.key)
        match self.operator:
            case "In":
                return value is not None and value in self.values
            case "NotIn":
                return value is None or value not in self.values
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
        number = integer_of(value)
        (bound,) = (integer_of(text) for text in self.values)
        if number is None or bound is None:
            return False
        return number > bound if self.operator == "Gt" else number < bound


class Selector(NamedTuple):
    """A compiled label selector; without requirements it selects everything."""

    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: Mapping[str, str] | None) -> bool:
        """Whether labels fulfil all requirements."""
        known = labels or {}
        return all(requirement.holds(known) for requirement in self.requirements)


def compile_selector(selector: JsonObject, path: str = "labelSelector") -> Selector:
    """A ``metav1.LabelSelector``, ready to match.

    Raises:
        InvalidObject: It is not valid: an unknown operator, values that are missing or too many,
            an ill-formed key or value. The error has all problems.
    """
    problems = selector_problems(selector, path)
    if problems:
        raise InvalidObject(", ".join(problems))
    exact = [
        Requirement(key, "In", frozenset((value or "",)))
        for key, value in map_or_empty(selector, "matchLabels", path).items()
    ]
    expressions = [
        _requirement(expression or {})
        for expression in objects_at(selector, "matchExpressions", path)
    ]
    return Selector((*exact, *expressions))


def _requirement(expression: JsonObject) -> Requirement:
    return Requirement(
        read_str(expression, "key"),
        read_str(expression, "operator"),
        frozenset(value or "" for value in list_or_empty(expression, "values")),
    )


def compile_field(expression: JsonObject) -> Requirement | None:
    """An expression of a field selector, which may also compare integers; None when not valid.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    requirement = _requirement(expression)
    count = len(list_or_empty(expression, "values"))
    if not _texts(requirement.values):
        raise InvalidObject("must be a list of strings", path="values")
    if label_key_problems(requirement.key) or any(map(label_value_problems, requirement.values)):
        return None
    match requirement.operator:
        case "In" | "NotIn":
            valid = count > 0
        case "Exists" | "DoesNotExist":
            valid = count == 0
        case "Gt" | "Lt":
            valid = count == 1 and None not in map(integer_of, requirement.values)
        case _:
            valid = False
    return requirement if valid else None


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def integer_of(text: str | None) -> int | None:
    """The 64-bit integer that a text spells, None for anything else."""
    if text is None or not _INTEGER.match(text) or len(text) > _MOST_DIGITS:
        return None
    number = int(text)
    return number if INT64_MIN <= number <= INT64_MAX else None
