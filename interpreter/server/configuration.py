"""The ``ResourceInterpreterWebhookConfiguration`` that sends a control plane to this server."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from interpreter.api.kinds import CONFIG_API_VERSION, WEBHOOK_CONFIGURATION_KIND
from interpreter.api.operation import Operation
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.operations import OPERATIONS
from interpreter.registry import Row
from interpreter.rpc.context import CONTEXT_VERSION

#: Names of the configuration and of its webhook. The API wants a domain of three labels.
NAME: Final = "resource-interpreter"
WEBHOOK_NAME: Final = "interpret.resource-interpreter.io"
_TIMEOUT_SECONDS: Final = 10
#: The only tier whose claims for every kind are somebody's wish.
_MAY_CLAIM_ALL: Final = "plugin"


@dataclass(frozen=True, slots=True)
class Printed:
    """A configuration, and what could not be said in it.

    Attributes:
        document: The configuration.
        notes: For people, one line each.
    """

    document: JsonObject
    notes: tuple[str, ...]


def webhook_configuration(
    interpreter: ResourceInterpreter, url: str, *, authorities: bytes | None
) -> Printed:
    """The configuration for what an interpreter serves.

    Args:
        interpreter: What answers Karmada's protocol, restricted to the tiers that are served.
        url: Address that the control plane uses.
        authorities: Certificates in PEM that the server's lead to; None for the system's.
    """
    operations: dict[GVK, list[Operation]] = {}
    notes: dict[str, None] = {}
    rows = interpreter.kinds()
    for row in rows:
        problem = _problem(row)
        if problem is None:
            known = operations.setdefault(row.gvk, [])
            if row.operation not in known:
                known.append(row.operation)
        elif problem:
            notes.setdefault(problem)
    for row in rows:
        if _only_wraps(row) and not row.disabled and not _is_answered(row, operations):
            label = row.implementation.label
            text = f"no rule for {row.gvk} of {label}: it wraps answers, and nobody here gives one"
            notes.setdefault(text)
    for report in interpreter.plugins():
        if report.status in ("failed", "quarantined"):
            text = f"no rule for plugin:{report.name}, which is {report.status}: {report.reason}"
            notes.setdefault(text)
    config: JsonObject = {"url": url}
    if authorities is not None:
        config["caBundle"] = base64.b64encode(authorities).decode()
    rules = _rules(operations)
    if not rules:
        notes.setdefault("no rule: nothing that is served claims a kind")
    webhook: JsonObject = {
        "name": WEBHOOK_NAME,
        "clientConfig": config,
        "rules": rules,
        "timeoutSeconds": _TIMEOUT_SECONDS,
        "interpreterContextVersions": [CONTEXT_VERSION],
    }
    document: JsonObject = {
        "apiVersion": CONFIG_API_VERSION,
        "kind": WEBHOOK_CONFIGURATION_KIND,
        "metadata": {"name": NAME},
        "webhooks": [webhook],
    }
    return Printed(document, tuple(notes))


def _problem(row: Row) -> str | None:
    """Why a claim makes no rule: empty where that needs no word, None where it makes one."""
    entry = row.implementation
    if row.disabled or OPERATIONS[row.operation].reference_name is None:
        return ""
    if _only_wraps(row):
        return ""
    if row.gvk.group.startswith("*."):
        return f"no rule for {row.gvk} of {entry.label}: rules know no suffix of a group"
    if row.gvk.is_pattern and entry.tier != _MAY_CLAIM_ALL:
        return f"no rule for {row.gvk} of {entry.label}: only a plugin may claim every kind"
    return None


def _only_wraps(row: Row) -> bool:
    return row.implementation.wrapper and not row.implementation.chained


def _is_answered(row: Row, operations: Mapping[GVK, list[Operation]]) -> bool:
    """Whether a rule asks for what a row wraps."""
    return any(
        row.operation in asked and (row.gvk.matches(gvk) or gvk.matches(row.gvk))
        for gvk, asked in operations.items()
    )


def _rules(operations: dict[GVK, list[Operation]]) -> list[JsonObject]:
    """Rules, in which kinds of one group and version with equal operations stand together."""
    order = list(OPERATIONS)
    grouped: dict[tuple[str, str, tuple[Operation, ...]], list[str]] = {}
    for gvk in sorted(operations):
        asked = tuple(sorted(operations[gvk], key=order.index))
        grouped.setdefault((gvk.group, gvk.version, asked), []).append(gvk.kind)
    return [
        {
            "operations": _names(asked),
            "apiGroups": [group],
            "apiVersions": [version],
            "kinds": kinds,
        }
        for (group, version, asked), kinds in grouped.items()
    ]


def _names(asked: Iterable[Operation]) -> list[str]:
    return [OPERATIONS[operation].reference_name or "" for operation in asked]
