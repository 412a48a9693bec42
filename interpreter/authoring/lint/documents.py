"""Whether a document fits its API type, and its target the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from interpreter.api.config import (
    CustomizationRules,
    ResourceInterpreterCustomization,
    ResourceInterpreterWebhookConfiguration,
)
from interpreter.api.kinds import CONFIG_API_VERSION, CUSTOMIZATION_KIND
from interpreter.authoring.lint.rules.names import did_you_mean
from interpreter.catalogue.kind_files import is_object_name
from interpreter.engines.lua.customizations import CHAIN_ANNOTATION, is_chained, target_of
from interpreter.errors import ConfigurationError, InvalidCustomization, path_text
from interpreter.operations import OPERATIONS, parse_operation

_Path = tuple[str | int, ...]


def schema_problems(value: dict[str, Any]) -> Iterator[tuple[_Path, str]]:
    """Yields path and text of what an API server or the engine would refuse in a document."""
    is_customization = value.get("kind") == CUSTOMIZATION_KIND
    model: type[BaseModel] = (
        ResourceInterpreterCustomization
        if is_customization
        else ResourceInterpreterWebhookConfiguration
    )
    if value.get("apiVersion") != CONFIG_API_VERSION:
        yield ("apiVersion",), f"apiVersion must be {CONFIG_API_VERSION}"
    try:
        parsed = model.model_validate(value)
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_context=False):
            if problem["loc"] != ("apiVersion",):
                yield tuple(problem["loc"]), _message(problem)
        return
    if not is_object_name(value["metadata"]["name"]):
        yield (
            ("metadata", "name"),
            f"metadata.name {value['metadata']['name']!r} must be lower case letters, digits, -, .",
        )
    if isinstance(parsed, ResourceInterpreterCustomization):
        yield from _spec_problems(parsed, value["spec"])


def _spec_problems(
    parsed: ResourceInterpreterCustomization, spec: dict[str, Any]
) -> Iterator[tuple[_Path, str]]:
    try:
        target_of(parsed)
    except InvalidCustomization as error:
        path = error.path or "spec.target"
        yield tuple(path.split(".")), f"{path} {error.message}"
    try:
        is_chained(parsed)
    except InvalidCustomization as error:
        yield ("metadata", "annotations", CHAIN_ANNOTATION), f"{error.path}: {error.message}"
    if not any(spec["customizations"].values()):
        yield (
            ("spec", "customizations"),
            "spec.customizations has no rule, so nothing is customized",
        )


def _message(problem: Any) -> str:
    path: _Path = tuple(problem["loc"])
    shown = path_text(path)
    if problem["type"] == "missing":
        return f"{shown} is missing"
    if problem["type"] == "extra_forbidden":
        return f"{shown} is no field of this type{_suggestion(path)}"
    text = str(problem["msg"])
    return f"{shown}: {text[:1].lower()}{text[1:]}" if shown else text


def _suggestion(path: _Path) -> str:
    """What was probably meant: a rule by any name of its operation, or a name that looks alike."""
    known = _siblings(path)
    if path[:2] == ("spec", "customizations") and len(path) == 3:
        try:
            rule = OPERATIONS[parse_operation(str(path[-1]))].rule
        except ConfigurationError:
            rule = None
        if rule is not None:
            return f" (did you mean {rule}?)"
    return did_you_mean(str(path[-1]), known) or f" (wanted: {', '.join(known)})"


def _siblings(path: _Path) -> list[str]:
    """Names that may stand where an unknown field stands."""
    if path[:2] == ("spec", "customizations"):
        return list(CustomizationRules.model_fields) if len(path) == 3 else ["luaScript"]
    if path[:2] == ("spec", "target"):
        return ["apiVersion", "kind"]
    if path[:1] == ("spec",):
        return ["target", "customizations"]
    return ["apiVersion", "kind", "metadata", "spec", "webhooks"]
