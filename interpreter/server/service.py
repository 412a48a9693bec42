"""What the service answers: a request's bytes in, a response's bytes out.

It knows nothing of servers and calls, so that it can run in a thread or in a worker process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InvalidObject
from interpreter.explanation import Explanation
from interpreter.facade import ResourceInterpreter
from interpreter.operations import OPERATIONS
from interpreter.rpc import status
from interpreter.rpc.conversion import (
    METHODS,
    build_response,
    parse,
    read_items,
    read_request,
)
from interpreter.rpc.messages import (
    WIRE_OPERATIONS,
    object_from_json,
    optional_object,
    read_context,
    read_gvk,
    read_operation,
    to_json,
    wire_gvk,
)
from interpreter.rpc.v1 import interpreter_pb2 as pb

#: Answers one method: the request and its deadline (``time.monotonic()``, None for never) in.
Answer = Callable[[ResourceInterpreter, bytes, float | None], bytes]


def answer(
    interpreter: ResourceInterpreter, method: str, request: bytes, deadline: float | None
) -> bytes:
    """Answers a call.

    Args:
        interpreter: Who answers.
        method: Name of the method, one of ``ANSWERS``.
        request: The message.
        deadline: ``time.monotonic()`` value at which the caller gives up, None for never.

    Raises:
        InterpreterError: As the facade; InvalidObject for bytes that are no such message.
    """
    return ANSWERS[method](interpreter, request, deadline)


def _ask(
    operation: Operation,
    interpreter: ResourceInterpreter,
    request: bytes,
    deadline: float | None,
) -> bytes:
    arguments, context = read_request(operation, request, deadline)
    return answer_parsed(interpreter, operation, arguments, context)


def answer_parsed(
    interpreter: ResourceInterpreter,
    operation: Operation,
    arguments: tuple[Any, ...],
    context: HookContext | None,
) -> bytes:
    """Answers an operation whose request was read already; errors as the facade."""
    obj, *given = arguments
    names = (argument.name for argument in OPERATIONS[operation].inputs)
    inputs = dict(zip(names, given, strict=True))
    result = interpreter.call(operation, obj, context=context, **inputs)
    return build_response(operation, result).SerializeToString()


def _hook_enabled(
    interpreter: ResourceInterpreter, request: bytes, _deadline: float | None
) -> bytes:
    message = parse(pb.HookEnabledRequest, request)
    gvk = read_gvk(message.kind)
    for field in ("version", "kind"):
        if not getattr(gvk, field):
            raise InvalidObject("must not be empty", path=f"kind.{field}")
    enabled = interpreter.hook_enabled(gvk, read_operation(message.operation))
    return pb.HookEnabledResponse(enabled=enabled).SerializeToString()


def _list_kinds(interpreter: ResourceInterpreter, request: bytes, _deadline: float | None) -> bytes:
    parse(pb.ListKindsRequest, request)
    response = pb.ListKindsResponse()
    for row in interpreter.kinds():
        response.claims.add(
            kind=wire_gvk(row.gvk),
            operation=WIRE_OPERATIONS[row.operation],
            tier=row.implementation.tier,
            plugin=row.implementation.plugin,
            handler=row.implementation.handler,
            disabled=row.disabled,
            counted=row.implementation.counted,
        )
    return response.SerializeToString()


def _explain(interpreter: ResourceInterpreter, request: bytes, deadline: float | None) -> bytes:
    message = parse(pb.ExplainRequest, request)
    obj = object_from_json(message.object, "object")
    observed = message.observed if message.HasField("observed") else None
    observed_object = optional_object(observed, "observed")
    items = read_items(message)
    replicas = message.replicas if message.HasField("replicas") else None
    context = read_context(message, deadline)
    response = pb.ExplainResponse()
    for operation in [read_operation(message.operation)] if message.operation else OPERATIONS:
        explanation = interpreter.explain(
            obj,
            operation,
            observed=observed_object,
            items=items,
            replicas=replicas,
            context=context,
        )
        response.explanations.append(_wire(explanation))
    return response.SerializeToString()


def _wire(explanation: Explanation) -> pb.Explanation:
    by, answer = explanation.by, explanation.answer
    message = pb.Explanation(
        operation=WIRE_OPERATIONS[explanation.operation],
        kind=wire_gvk(explanation.gvk),
        answer=None if answer is None else to_json(answer),
        by=None if by is None else _answerer(by.tier, by.plugin, by.handler),
        wrapped_by=explanation.wrapped_by,
        notes=explanation.notes,
        seconds=explanation.seconds,
        state=explanation.state,
    )
    for entry in explanation.skipped:
        who = _answerer(entry.tier, entry.plugin, entry.handler)
        message.skipped.add(answerer=who, reason=entry.reason)
    if explanation.error is not None:
        failure = status.failure_of(explanation.error)
        message.error.code = failure.code.value[0]
        message.error.message = failure.message
        message.error.reason = failure.reason
        message.error.metadata.update(failure.facts)
    return message


def _answerer(tier: str, plugin: str, handler: str) -> pb.Answerer:
    return pb.Answerer(tier=tier, plugin=plugin, handler=handler)


#: Every method of the service by name.
ANSWERS: dict[str, Answer] = {
    "HookEnabled": _hook_enabled,
    "ListKinds": _list_kinds,
    "Explain": _explain,
    **{operation.value: functools.partial(_ask, operation) for operation in METHODS},
}
