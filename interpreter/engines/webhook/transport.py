"""What carries a question to a webhook, as the engine sees it, and how it fails."""

from __future__ import annotations

import time
from typing import Any, Literal, Protocol

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import WebhookError

Failure = Literal["unavailable", "timeout", "broken", "unimplemented", "refused"]


class CallFailed(Exception):
    """A call that has no answer.

    Attributes:
        failure: ``unavailable`` where nobody took the question (the only one worth another try),
            ``timeout`` where the time was over, ``broken`` where something answered that is no
            webhook, ``unimplemented`` where it does not know the kind or operation, ``refused``
            where it says what is wrong.
        problem: For people.
        error: The webhook's own words as an error, where there are any.
    """

    def __init__(
        self, failure: Failure, problem: str, *, error: WebhookError | None = None
    ) -> None:
        super().__init__(problem)
        self.failure = failure
        self.problem = problem
        self.error = error

    @property
    def unhealthy(self) -> bool:
        """Whether it speaks against the webhook as such, not against one question."""
        return self.failure in ("unavailable", "timeout", "broken")


class Transport(Protocol):
    """A connection, or many, to one endpoint. Safe to share between threads."""

    def ask(
        self,
        operation: Operation,
        arguments: tuple[Any, ...],
        *,
        context: HookContext,
        deadline: float,
    ) -> Any:
        """The answer, in the operation's result type.

        Args:
            operation: What is asked.
            arguments: In the order of its hook.
            context: Facts for the webhook, as far as its protocol carries them.
            deadline: ``time.monotonic()`` value at which the call is over.

        Raises:
            CallFailed: There is no answer.
            WebhookError: The answer breaks the protocol, or says that the webhook failed.
        """

    def close(self) -> None:
        """Ends connections that are idle; calls that run may end first."""


def time_left(deadline: float) -> float:
    """Seconds until the deadline.

    Raises:
        CallFailed: It is over.
    """
    left = deadline - time.monotonic()
    if left <= 0:
        raise CallFailed("timeout", "no time is left for the call")
    return left
