"""``ResourceInterpreterWebhookConfiguration`` documents, read into webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.api.config import (
    ResourceInterpreterWebhookConfiguration,
    Webhook,
    WebhookRule,
)
from interpreter.api.documents import parse_all
from interpreter.api.kinds import WEBHOOK_CONFIGURATION_KIND
from interpreter.api.operation import REFERENCE_NAMES, Operation
from interpreter.engines.webhook.endpoints import Endpoint, endpoint_of
from interpreter.errors import InterpreterError, InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.rpc.context import CONTEXT_VERSION

#: Annotation of a configuration: what becomes of a call that its webhook fails.
ON_ERROR: Final = "resource-interpreter.io/on-error"
FAIL: Final = "Fail"
NEXT_TIER: Final = "NextTier"
#: Seconds for a call where ``timeoutSeconds`` is not given, as in the API's documentation.
DEFAULT_TIMEOUT: Final = 10
#: One rule is a product of lists; beyond this it is a mistake or an attack.
_MOST_CLAIMS = 10_000


@dataclass(frozen=True, slots=True)
class Declared:
    """One webhook of one configuration.

    Attributes:
        name: ``<configuration>/<webhook>``.
        endpoint: Where it is.
        timeout: Seconds for a call, 1..30.
        next_tier: Whether a failure hands the question to the tiers behind instead of being one.
        claims: Kinds (or patterns) and operations, in the order of its rules.
    """

    name: str
    endpoint: Endpoint
    timeout: int
    next_tier: bool
    claims: tuple[tuple[GVK, Operation], ...]


def read_configurations(documents: Iterable[Mapping[str, Any]]) -> list[Declared]:
    """The webhooks of all documents, by ``<configuration>/<webhook>`` name.

    Raises:
        InvalidCustomization: A document does not fit its schema, two have one name, or a webhook
            cannot be used.
    """
    kind = WEBHOOK_CONFIGURATION_KIND
    found: dict[str, Declared] = {}
    for parsed in parse_all(documents, ResourceInterpreterWebhookConfiguration, kind).values():
        next_tier = _next_tier(parsed.metadata.annotations or {}, parsed.metadata.name)
        for index, webhook in enumerate(parsed.webhooks):
            name = f"{parsed.metadata.name}/{webhook.name}"
            path = f"webhooks[{index}]"
            if name in found:
                raise InvalidCustomization(
                    f"two webhooks are named {webhook.name!r}", plugin=name, path=f"{path}.name"
                )
            found[name] = _declared(webhook, name, path, next_tier=next_tier)
    return sorted(found.values(), key=lambda webhook: webhook.name.encode())


def _next_tier(annotations: Mapping[str, str], name: str) -> bool:
    text = annotations.get(ON_ERROR, FAIL)
    if text not in (FAIL, NEXT_TIER):
        raise InvalidCustomization(
            f"must be {FAIL} or {NEXT_TIER}",
            plugin=name,
            path=f"metadata.annotations.{ON_ERROR}",
            value=text,
        )
    return text == NEXT_TIER


def _declared(webhook: Webhook, name: str, path: str, *, next_tier: bool) -> Declared:
    if CONTEXT_VERSION not in webhook.interpreterContextVersions:
        raise InvalidCustomization(
            "names no version that is spoken here",
            plugin=name,
            path=f"{path}.interpreterContextVersions",
            hint=CONTEXT_VERSION,
        )
    try:
        endpoint = endpoint_of(webhook.clientConfig)
    except InvalidCustomization as error:
        error.annotate(plugin=name)
        error.path = f"{path}.clientConfig.{error.path}"
        raise
    claims = [
        claim
        for number, rule in enumerate(webhook.rules or ())
        for claim in _claims(rule, endpoint, name, f"{path}.rules[{number}]")
    ]
    timeout = webhook.timeoutSeconds or DEFAULT_TIMEOUT
    return Declared(name, endpoint, timeout, next_tier, tuple(claims))


def _claims(
    rule: WebhookRule, endpoint: Endpoint, name: str, path: str
) -> Iterator[tuple[GVK, Operation]]:
    operations: list[Operation] = []
    for index, text in enumerate(rule.operations):
        place = f"{path}.operations[{index}]"
        if text == "*":
            # All that the protocol has; pruning is asked of nobody who does not name it.
            operations.extend(REFERENCE_NAMES)
            continue
        try:
            operation = parse_operation(text)
        except InterpreterError as error:
            raise InvalidCustomization(
                error.message, hint=error.hint, plugin=name, path=place
            ) from None
        if OPERATIONS[operation].reference_name is None and endpoint.scheme == "https":
            raise InvalidCustomization(
                f"{operation} does not exist in Karmada's protocol",
                plugin=name,
                path=place,
                hint="it can be asked over grpc://, grpcs:// or unix:",
            )
        operations.append(operation)
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
                    yield GVK(group, version, kind), operation
