"""Asking webhooks: connections that are shared, another try, and who is left alone for a while."""

from __future__ import annotations

import random
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Final

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.engines.webhook.breaker import LEVELS, CircuitBreaker
from interpreter.engines.webhook.configuration import Declared
from interpreter.engines.webhook.endpoints import HTTPS, Endpoint
from interpreter.engines.webhook.transport import CallFailed, Transport
from interpreter.errors import InterpreterError, WebhookError
from interpreter.machinery.wording import visible
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import (
    WEBHOOK_CALLS,
    WEBHOOK_CIRCUIT,
    WEBHOOK_RETRIES,
    Telemetry,
)

#: The longest pause between two tries, in seconds.
_LONGEST_BACKOFF: Final = 2.0


class WebhookEngine:
    """Webhooks that are asked. Safe to share between threads.

    Endpoints that several webhooks (or two generations of a document) name are one set of
    connections, as long as the certificates to trust are the same, too.
    """

    def __init__(
        self,
        *,
        settings: Settings = DEFAULTS,
        telemetry: Telemetry | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """Makes an engine without connections.

        Args:
            settings: Limits.
            telemetry: Counts calls; None for nobody.
            clock: Of circuits.
            sleep: Waits so many seconds between tries.
            jitter: A random number in 0..1, the part of a pause that is waited.
        """
        self.settings = settings
        self.telemetry = telemetry or Telemetry()
        self.clock = clock
        self.sleep = sleep
        self.jitter = jitter
        self._lock = threading.Lock()
        # Held by who uses them: what no document names any more goes by itself.
        self._transports: weakref.WeakValueDictionary[Endpoint, _Shared] = (
            weakref.WeakValueDictionary()
        )
        self._circuits: weakref.WeakValueDictionary[tuple[str, Endpoint], CircuitBreaker] = (
            weakref.WeakValueDictionary()
        )

    def webhook(self, declared: Declared) -> AskedWebhook:
        """A webhook to ask; nothing connects yet."""
        with self._lock:
            shared = self._transports.get(declared.endpoint)
            if shared is None:
                shared = _Shared(declared.endpoint, self.settings)
                self._transports[declared.endpoint] = shared
            key = (declared.name, declared.endpoint)
            circuit = self._circuits.get(key)
            if circuit is None:
                circuit = CircuitBreaker(
                    failures=self.settings.webhook_circuit_failures,
                    pause=self.settings.webhook_circuit_open_ms / 1000,
                    clock=self.clock,
                )
                self._circuits[key] = circuit
        return AskedWebhook(declared, shared, circuit, self)

    def close(self) -> None:
        """Ends connections."""
        with self._lock:
            open_ones = list(self._transports.values())
        for shared in open_ones:
            shared.close()


class AskedWebhook:
    """One webhook: its connections, its circuit, and how it is asked."""

    def __init__(
        self, declared: Declared, shared: _Shared, circuit: CircuitBreaker, engine: WebhookEngine
    ) -> None:
        """Binds them."""
        self.declared = declared
        self._shared = shared
        self._circuit = circuit
        self._engine = engine

    def state(self) -> str:
        """The circuit's state, for ``explain``."""
        return self._circuit.describe()

    def ask(self, operation: Operation, arguments: tuple[Any, ...], context: HookContext) -> Any:
        """The webhook's answer.

        Returns:
            The result; None where the call failed and the configuration says that the tiers behind
            are asked then.

        Raises:
            WebhookError: The call failed, with the webhook's name and address.
        """
        try:
            result = self._guarded(operation, arguments, context)
        except WebhookError as error:
            error.annotate(plugin=self.declared.name, operation=operation)
            if not self.declared.next_tier:
                self._count("error")
                raise
            self._count("next_tier")
            context.logger.warning("%s; the tiers behind are asked", visible(str(error)))
            return None
        self._count("ok")
        return result

    def _guarded(
        self, operation: Operation, arguments: tuple[Any, ...], context: HookContext
    ) -> Any:
        """One call through the circuit."""
        circuit = self._circuit
        if not circuit.admit():
            error = self._error(f"is left alone: {circuit.describe()}")
            error.temporary = True
            raise error
        try:
            result = self._tried(operation, arguments, context)
        except CallFailed as failure:
            if failure.unhealthy:
                circuit.failed(failure.problem)
            else:
                circuit.succeeded()
            raise self._explained(failure) from None
        except WebhookError as error:
            # It answered, if badly.
            circuit.succeeded()
            raise self._named(error) from None
        except InterpreterError:
            # The question could not be put.
            circuit.abandoned()
            raise
        except BaseException:
            circuit.abandoned()
            raise
        else:
            circuit.succeeded()
            return result
        finally:
            level = LEVELS[circuit.state]
            self._engine.telemetry.set(WEBHOOK_CIRCUIT, (self.declared.name,), value=level)

    def _tried(self, operation: Operation, arguments: tuple[Any, ...], context: HookContext) -> Any:
        """Asks, and asks again where nobody took the question. A question changes nothing."""
        engine = self._engine
        deadline = time.monotonic() + self.declared.timeout
        if context.deadline is not None:
            deadline = min(deadline, context.deadline)
        backoff = engine.settings.webhook_backoff_ms / 1000
        attempts = engine.settings.webhook_attempts
        while True:
            attempts -= 1
            try:
                return self._shared.transport().ask(
                    operation, arguments, context=context, deadline=deadline
                )
            except CallFailed as failure:
                pause = backoff * (0.5 + engine.jitter() / 2)
                late = time.monotonic() + pause >= deadline
                if failure.failure != "unavailable" or attempts <= 0 or late:
                    raise
            engine.telemetry.add(WEBHOOK_RETRIES, (self.declared.name,))
            engine.sleep(pause)
            backoff = min(backoff * 2, _LONGEST_BACKOFF)

    def _explained(self, failure: CallFailed) -> WebhookError:
        error = failure.error or WebhookError(failure.problem)
        self._named(error)
        error.temporary = failure.failure in ("unavailable", "timeout")
        if failure.failure == "unimplemented":
            error.hint = "take the kind or operation out of its rules"
        return error

    def _error(self, problem: str) -> WebhookError:
        return self._named(WebhookError(problem))

    def _named(self, error: WebhookError) -> WebhookError:
        """The error with who it is about; one error is seen here once."""
        error.message = f"webhook {self.declared.name!r} ({self.declared.endpoint.url}): " + (
            error.message
        )
        error.args = (error.message,)
        return error

    def _count(self, outcome: str) -> None:
        self._engine.telemetry.add(WEBHOOK_CALLS, (self.declared.name, outcome))


class _Shared:
    """The connections of one endpoint, made when first needed, closed with their last user."""

    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._lock = threading.Lock()
        self._transport: Transport | None = None

    def transport(self) -> Transport:
        """The transport.

        Raises:
            ConfigurationError: Certificates cannot be read.
        """
        found = self._transport
        if found is not None:
            return found
        with self._lock:
            if self._transport is None:
                self._transport = _make(self._endpoint, self._settings)
                weakref.finalize(self, self._transport.close)
            return self._transport

    def close(self) -> None:
        """Ends connections."""
        with self._lock:
            if self._transport is not None:
                self._transport.close()


def _make(endpoint: Endpoint, settings: Settings) -> Transport:
    if endpoint.scheme == HTTPS:
        from interpreter.engines.webhook.https import HttpsTransport

        return HttpsTransport(endpoint, max_answer_bytes=settings.webhook_answer_bytes)
    from interpreter.engines.webhook.grpc import GrpcTransport

    return GrpcTransport(endpoint, max_answer_bytes=settings.webhook_answer_bytes)
