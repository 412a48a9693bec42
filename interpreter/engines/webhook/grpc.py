"""Our own service as a webhook: ``grpc://``, ``grpcs://`` and ``unix:`` addresses."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.engines.webhook.endpoints import Endpoint
from interpreter.engines.webhook.transport import CallFailed, Failure, time_left
from interpreter.errors import InterpreterError, NoInterpreter, WebhookError
from interpreter.operations import OPERATIONS
from interpreter.rpc.client import Client

#: The API's longest ``timeoutSeconds``; the deadline of a call is never later.
_LONGEST_CALL: Final = 30.0
_FAILURES: Final[dict[str | None, Failure]] = {
    "UNAVAILABLE": "unavailable",
    "DEADLINE_EXCEEDED": "timeout",
    "UNIMPLEMENTED": "unimplemented",
}


class GrpcTransport:
    """A channel to one endpoint."""

    def __init__(self, endpoint: Endpoint, *, max_answer_bytes: int) -> None:
        """Makes the channel; nothing connects yet.

        Args:
            endpoint: Where the service is.
            max_answer_bytes: Longest message, either way.

        Raises:
            ConfigurationError: The address or its certificates cannot be used.
        """
        self._client = Client(
            endpoint.url,
            ca=endpoint.authorities,
            timeout=_LONGEST_CALL,
            max_message_bytes=max_answer_bytes,
        )

    def ask(
        self,
        operation: Operation,
        arguments: tuple[Any, ...],
        *,
        context: HookContext,
        deadline: float,
    ) -> Any:
        """As the protocol of transports says."""
        time_left(deadline)
        names = (argument.name for argument in OPERATIONS[operation].inputs)
        inputs = dict(zip(names, arguments[1:], strict=True))
        bounded = dataclasses.replace(context, deadline=deadline)
        try:
            result = self._client.call(operation, arguments[0], context=bounded, **inputs)
        except InterpreterError as error:
            raise _failed(error) from None
        # None is the service's "nothing to report"; here it would mean "ask somebody else".
        return NO_STATUS if result is None else result

    def close(self) -> None:
        """Ends the channel, and calls that run on it."""
        self._client.close()


def _failed(error: InterpreterError) -> CallFailed:
    """What a client raises, as the failure of a webhook.

    The facts of the other side stay, but for whose fault it is here: tier and plugin.
    """
    failure: Failure = "refused"
    if isinstance(error, NoInterpreter):
        failure = "unimplemented"
    elif isinstance(error, WebhookError):
        failure = _FAILURES.get(error.code, "refused")
    explained = WebhookError(
        f"the service answered: {error}",
        script=error.script,
        line=error.line,
    )
    explained.temporary = error.temporary
    explained.code = error.code if isinstance(error, WebhookError) else None
    return CallFailed(failure, str(error), error=explained)
