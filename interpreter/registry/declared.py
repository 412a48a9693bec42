"""Tiers made of documents, and webhook configurations: checked, indexed and listed.

The webhook client is not part of this version. A kind that a webhook claims is therefore answered
by an error that says so: another tier's answer would be a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.api.config import ResourceInterpreterWebhookConfiguration, WebhookRule
from interpreter.api.documents import parse_all
from interpreter.api.kinds import WEBHOOK_CONFIGURATION_KIND
from interpreter.api.operation import REFERENCE_NAMES, Operation
from interpreter.errors import (
    EngineError,
    InterpreterError,
    InvalidCustomization,
)
from interpreter.machinery.gvk import GVK
from interpreter.operations import parse_operation
from interpreter.registry.tiers import Call, Implementation

#: One rule is a product of lists; beyond this it is a mistake or an attack.
_MOST_CLAIMS = 10_000


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


def webhook_tier(documents: Iterable[Mapping[str, Any]]) -> DocumentTier:
    """Indexes webhook configurations, by ``<configuration>/<webhook>`` name.

    Raises:
        InvalidCustomization: A document does not fit its schema, or two have one name.
    """
    named: list[tuple[str, Implementation]] = []
    kind = WEBHOOK_CONFIGURATION_KIND
    for parsed in parse_all(documents, ResourceInterpreterWebhookConfiguration, kind).values():
        for index, webhook in enumerate(parsed.webhooks):
            name = f"{parsed.metadata.name}/{webhook.name}"
            path = f"webhooks[{index}]"
            if "v1alpha1" not in webhook.interpreterContextVersions:
                raise InvalidCustomization(
                    "names no version that is spoken here",
                    plugin=name,
                    path=f"{path}.interpreterContextVersions",
                    hint="v1alpha1",
                )
            for number, rule in enumerate(webhook.rules or ()):
                entries = _rule_entries(rule, name, f"{path}.rules[{number}]")
                named.extend((name, entry) for entry in entries)
    named.sort(key=lambda pair: pair[0].encode())
    return DocumentTier("webhook", tuple(entry for _name, entry in named))


def _rule_entries(rule: WebhookRule, name: str, path: str) -> Iterable[Implementation]:
    operations: list[Operation] = []
    for index, text in enumerate(rule.operations):
        if text == "*":
            operations.extend(REFERENCE_NAMES)
            continue
        try:
            operations.append(parse_operation(text))
        except InterpreterError as error:
            raise InvalidCustomization(
                error.message,
                hint=error.hint,
                plugin=name,
                path=f"{path}.operations[{index}]",
            ) from None
    claims = len(rule.apiGroups) * len(rule.apiVersions) * len(rule.kinds) * len(operations)
    if claims > _MOST_CLAIMS:
        raise InvalidCustomization(
            f"multiplies to {claims} claims, more than {_MOST_CLAIMS}",
            plugin=name,
            path=path,
            hint="use * where all are meant",
        )
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
            hint="take the document out, or disable its tier",
        )

    return call
