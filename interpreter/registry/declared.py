"""Customization and webhook documents: checked, indexed and listed.

The engines that run them are not part of this version. A kind that a document claims is therefore
answered by an error that names the missing engine: another tier's answer would be a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from interpreter.api.config import (
    RULE_OPERATIONS,
    ResourceInterpreterCustomization,
    ResourceInterpreterWebhookConfiguration,
    WebhookRule,
)
from interpreter.api.kinds import CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND
from interpreter.api.operation import Operation
from interpreter.errors import NO_VALUE, EngineError, InterpreterError, InvalidCustomization
from interpreter.machinery.gvk import GVK, from_api_version
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.registry.tiers import Call, Implementation

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class DocumentTier:
    """Implementations that documents declare, in the order in which they are asked."""

    tier: str
    entries: tuple[Implementation, ...]

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """Implementations that claim the kind."""
        return tuple(
            entry
            for entry in self.entries
            if entry.operation is operation and entry.gvk.matches(gvk)
        )

    def all(self) -> Iterable[Implementation]:
        """All of them."""
        return self.entries


def customization_tier(documents: Iterable[Mapping[str, Any]]) -> DocumentTier:
    """Indexes ResourceInterpreterCustomization documents: most specific target first, then by name.

    Raises:
        InvalidCustomization: A document does not fit its schema, or two have one name.
    """
    entries: list[Implementation] = []
    seen: set[str] = set()
    for document in documents:
        parsed = _parse(document, ResourceInterpreterCustomization, CUSTOMIZATION_KIND)
        name = parsed.metadata.name
        _once(name, seen, CUSTOMIZATION_KIND)
        target = parsed.spec.target
        try:
            gvk = from_api_version(target.apiVersion, target.kind)
        except InterpreterError as error:
            raise InvalidCustomization(
                error.message, plugin=name, path="spec.target.apiVersion", value=target.apiVersion
            ) from None
        for rule in parsed.spec.customizations.scripts():
            operation = RULE_OPERATIONS[rule]
            entries.append(
                Implementation(
                    tier="customization",
                    plugin=name,
                    handler=f"{name}/{rule}",
                    gvk=gvk,
                    operation=operation,
                    call=_missing("the Lua engine", f"customization {name!r}", name, operation),
                )
            )
    entries.sort(key=_specific_then_named)
    return DocumentTier("customization", tuple(entries))


def _specific_then_named(entry: Implementation) -> tuple[Any, ...]:
    specificity = tuple(-part for pair in entry.gvk.specificity for part in pair)
    return (*specificity, entry.plugin.encode())


def webhook_tier(documents: Iterable[Mapping[str, Any]]) -> DocumentTier:
    """Indexes webhook configurations, by ``<configuration>/<webhook>`` name.

    Raises:
        InvalidCustomization: A document does not fit its schema, or two have one name.
    """
    named: list[tuple[str, Implementation]] = []
    seen: set[str] = set()
    for document in documents:
        parsed = _parse(
            document, ResourceInterpreterWebhookConfiguration, WEBHOOK_CONFIGURATION_KIND
        )
        _once(parsed.metadata.name, seen, WEBHOOK_CONFIGURATION_KIND)
        for webhook in parsed.webhooks:
            name = f"{parsed.metadata.name}/{webhook.name}"
            for rule in webhook.rules or ():
                named.extend((name, entry) for entry in _rule_entries(rule, name))
    named.sort(key=lambda pair: pair[0].encode())
    return DocumentTier("webhook", tuple(entry for _name, entry in named))


def _rule_entries(rule: WebhookRule, name: str) -> Iterable[Implementation]:
    operations: list[Operation] = []
    for text in rule.operations:
        if text == "*":
            operations.extend(spec.operation for spec in OPERATIONS.values() if spec.reference_name)
            continue
        try:
            operations.append(parse_operation(text))
        except InterpreterError as error:
            raise InvalidCustomization(
                error.message, hint=error.hint, plugin=name, path="rules.operations"
            ) from None
    for group in rule.apiGroups:
        for version in rule.apiVersions:
            for kind in rule.kinds:
                for operation in operations:
                    yield Implementation(
                        tier="webhook",
                        plugin=name,
                        handler=name,
                        gvk=GVK(group, version, kind),
                        operation=operation,
                        call=_missing("the webhook client", f"webhook {name!r}", name, operation),
                    )


def _missing(engine: str, claimant: str, name: str, operation: Operation) -> Call:
    def call(_arguments: Any, _context: Any) -> Any:
        raise EngineError(
            f"{claimant} claims {operation}, but {engine} is not part of this version",
            plugin=name,
            operation=operation,
            hint="take the document out, or switch its tier off",
        )

    return call


def _once(name: str, seen: set[str], kind: str) -> None:
    if name in seen:
        raise InvalidCustomization(f"two {kind} documents are named {name!r}", plugin=name)
    seen.add(name)


def _parse(document: Mapping[str, Any], model: type[_Model], kind: str) -> _Model:
    if not isinstance(document, Mapping):
        raise InvalidCustomization(f"a {kind} must be a mapping", value=document)
    metadata = document.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]
        ).lstrip(".")
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise InvalidCustomization(
            f"{kind} {name!r} does not fit its schema: {first['msg']}{more}",
            plugin=name if isinstance(name, str) else None,
            path=path,
            value=NO_VALUE if first["type"] == "missing" else first.get("input"),
        ) from None
