"""Kubernetes name and label rules, and the check of a dependency reference."""

from __future__ import annotations

import re
from typing import Protocol

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, map_or_empty, objects_at

_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?\Z", re.ASCII)
_LABEL_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z", re.ASCII)
_DNS_SUBDOMAIN = re.compile(
    r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\Z", re.ASCII
)
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")


class Reference(Protocol):
    """What a dependency reference must offer to be checked."""

    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def label_selector(self) -> JsonObject | None: ...


def is_label_value(text: str) -> bool:
    """Whether a text can be a label's value: at most 63 of ``[-A-Za-z0-9_.]``, ends alphanumeric, may be empty."""
    return _LABEL_VALUE.match(text) is not None


def is_label_key(text: str) -> bool:
    """Whether a text can be a label's key: a name of at most 63, with an optional DNS prefix of at most 253."""
    prefix, slash, name = text.rpartition("/")
    if slash and (len(prefix) > 253 or not _DNS_SUBDOMAIN.match(prefix)):
        return False
    return _LABEL_NAME.match(name) is not None


def check_reference(reference: Reference, path: str) -> None:
    """Checks that a dependency names its kind and what to look for.

    Raises:
        InvalidObject: apiVersion, kind, or both name and label selector are empty, or the selector is invalid.
    """
    if not reference.api_version:
        raise InvalidObject("dependency misses required field apiVersion", path=path)
    if not reference.kind:
        raise InvalidObject("dependency misses required field kind", path=path)
    selector = reference.label_selector
    if selector is None:
        if not reference.name:
            raise InvalidObject("dependency can not leave name and labelSelector all empty", path=path)
        return
    try:
        check_label_selector(selector)
    except InvalidObject as error:
        raise error.within(f"{path}.labelSelector") from None


def check_label_selector(selector: JsonObject) -> None:
    """Checks a ``metav1.LabelSelector``.

    Raises:
        InvalidObject: A key or value is no label, or an expression's operator and values do not go together.
    """
    for key, value in map_or_empty(selector, "matchLabels").items():
        _check_key(key, "matchLabels")
        if not isinstance(value, str) or not is_label_value(value):
            raise InvalidObject(
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
                "must start and end with an alphanumeric character, and must be no more than 63 characters",
                path="matchLabels",
                value=value,
            )
    for index, expression in enumerate(objects_at(selector, "matchExpressions")):
        try:
            _check_expression(expression or {})
        except InvalidObject as error:
            raise error.within(f"matchExpressions[{index}]") from None


def _check_key(key: object, path: str) -> None:
    if not isinstance(key, str) or not is_label_key(key):
        raise InvalidObject("is no valid label key", path=path, value=key)


def _check_expression(expression: JsonObject) -> None:
    operator = expression.get("operator")
    values = expression.get("values") or []
    if operator not in _OPERATORS:
        raise InvalidObject(f"must be one of {', '.join(_OPERATORS)}", path="operator", value=operator)
    if not isinstance(values, list):
        raise InvalidObject("must be a list", path="values", value=values)
    if operator in ("In", "NotIn") and not values:
        raise InvalidObject("must be specified when operator is In or NotIn", path="values")
    if operator not in ("In", "NotIn") and values:
        raise InvalidObject("may not be specified when operator is Exists or DoesNotExist", path="values")
    _check_key(expression.get("key"), "key")
    for value in values:
        if not isinstance(value, str) or not is_label_value(value):
            raise InvalidObject("is no valid label value", path="values", value=value)
