"""Webhooks as the registry's implementations: by name, and the first match alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.engines.webhook.configuration import Declared, read_configurations
from interpreter.registry.declared import DocumentTier
from interpreter.registry.tiers import Arguments, Call, Implementation

if TYPE_CHECKING:
    from interpreter.engines.webhook.engine import AskedWebhook, WebhookEngine

TIER = "webhook"


def webhook_tier(documents: Iterable[Mapping[str, Any]], engine: WebhookEngine) -> DocumentTier:
    """Indexes webhook configurations, by ``<configuration>/<webhook>`` name.

    Args:
        documents: The documents.
        engine: What asks their webhooks.

    Raises:
        InvalidCustomization: A document does not fit its schema, two have one name, or a webhook
            cannot be used.
    """
    return DocumentTier(
        TIER,
        tuple(
            entry
            for declared in read_configurations(documents)
            for entry in _entries(declared, engine.webhook(declared))
        ),
    )


def _entries(declared: Declared, asked: AskedWebhook) -> Iterator[Implementation]:
    for gvk, operation in declared.claims:
        yield Implementation(
            tier=TIER,
            plugin=declared.name,
            handler=declared.endpoint.url,
            gvk=gvk,
            operation=operation,
            call=_call(asked, operation, final=not declared.next_tier),
            final=not declared.next_tier,
            first_only=True,
            state=asked.state,
        )


def _call(asked: AskedWebhook, operation: Operation, *, final: bool) -> Call:
    def call(arguments: Arguments, context: HookContext) -> Any:
        result = asked.ask(operation, arguments, context)
        # Of a webhook that always answers, None is "nothing to report" (see Route.run).
        return None if final and result is NO_STATUS else result

    return call
