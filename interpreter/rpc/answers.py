"""What a client returns beside the results of operations: claims and explanations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.rpc.messages import from_json, read_gvk, read_operation
from interpreter.rpc.status import error_of, failure_of_explained
from interpreter.rpc.v1 import interpreter_pb2 as pb


@dataclass(frozen=True, slots=True)
class KindClaim:
    """One implementation's claim on an operation of a kind.

    Attributes:
        gvk: The kind, which may be a pattern.
        operation: The operation.
        tier: Tier.
        plugin: Name inside the tier.
        handler: Function or script, for people.
        disabled: Whether the server's configuration leaves it out.
        counted: Whether ``hook_enabled`` counts it.
    """

    gvk: GVK
    operation: Operation
    tier: str
    plugin: str
    handler: str
    disabled: bool
    counted: bool


@dataclass(frozen=True, slots=True)
class RemoteExplanation:
    """Who answered, what, and who did not: the ``Explanation`` of a server.

    Attributes:
        gvk: Kind of the object.
        operation: The operation asked.
        answer: The result as JSON; None when nobody answered, when there was an error, or for
            "nothing to report".
        tier: Tier that answered or failed; None when nobody did.
        plugin: Name inside that tier.
        handler: Function or script.
        wrapped_by: Wrappers around the answer.
        skipped: Tier, plugin, handler and reason of each that did not answer.
        notes: Inputs that were assumed.
        error: The error, None when there was none.
        seconds: Wall time inside the server.
        state: How who answered fares (the circuit of a webhook), None where it always fares the
            same.
    """

    gvk: GVK
    operation: Operation
    answer: Any
    tier: str | None
    plugin: str | None
    handler: str | None
    wrapped_by: tuple[str, ...]
    skipped: tuple[JsonObject, ...]
    notes: tuple[str, ...]
    error: InterpreterError | None
    seconds: float
    state: str | None = None

    @property
    def generic(self) -> bool:
        """Whether the answer is a convention's, not a rule for this kind."""
        return self.tier == "generic"

    @property
    def script(self) -> str | None:
        """Lua script that failed."""
        return None if self.error is None else self.error.script

    @property
    def line(self) -> int | None:
        """Line in that script."""
        return None if self.error is None else self.error.line


def read_claims(message: pb.ListKindsResponse) -> list[KindClaim]:
    """Claims of a response; operations that this version does not know are left out."""
    return [
        KindClaim(
            gvk=read_gvk(claim.kind),
            operation=read_operation(claim.operation),
            tier=claim.tier,
            plugin=claim.plugin,
            handler=claim.handler,
            disabled=claim.disabled,
            counted=claim.counted,
        )
        for claim in message.claims
        if claim.operation in pb.Operation.values() and claim.operation
    ]


def read_explanation(message: pb.Explanation) -> RemoteExplanation:
    """An explanation of a response.

    Raises:
        InvalidObject: A field is no JSON, or names no operation.
    """
    by = message.by if message.HasField("by") else None
    error = message.error if message.HasField("error") else None
    return RemoteExplanation(
        gvk=read_gvk(message.kind),
        operation=read_operation(message.operation),
        answer=from_json(message.answer, "answer") if message.HasField("answer") else None,
        tier=None if by is None else by.tier,
        plugin=None if by is None else by.plugin,
        handler=None if by is None else by.handler,
        wrapped_by=tuple(message.wrapped_by),
        skipped=tuple(
            {
                "tier": entry.answerer.tier,
                "plugin": entry.answerer.plugin,
                "handler": entry.answerer.handler,
                "reason": entry.reason,
            }
            for entry in message.skipped
        ),
        notes=tuple(message.notes),
        error=None
        if error is None
        else error_of(
            failure_of_explained(error.code, error.message, error.reason, dict(error.metadata))
        ),
        seconds=message.seconds,
        state=message.state if message.HasField("state") else None,
    )
