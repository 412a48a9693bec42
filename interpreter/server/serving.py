"""Putting a server together: the interpreter, its listeners, and their life."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.errors import ConfigurationError
from interpreter.facade import ResourceInterpreter
from interpreter.rpc.tls import Certificates
from interpreter.server.backend import Backend, InterpreterSpec
from interpreter.server.grpc_listener import GrpcListener, GrpcOptions
from interpreter.server.http_listener import HttpListener, HttpOptions
from interpreter.server.karmada import KarmadaOptions
from interpreter.server.lifecycle import Lifecycle, Listener
from interpreter.server.logs import configure
from interpreter.server.metrics import MetricsListener
from interpreter.telemetry import TLS_RELOADS, Telemetry


def _quiet(_interpreter: ResourceInterpreter) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """What a serving process is told.

    Attributes:
        spec: How to make the interpreter.
        grpc: Address of the gRPC listener, None for none.
        probe: Address of a plain-text gRPC listener that answers health alone, None for none.
        karmada: What the HTTP listener for Karmada is told, None for none.
        metrics: Address of a plain HTTP listener with ``/metrics``, ``/livez`` and ``/readyz``.
        tls_cert: The server's chain, PEM; with ``tls_key``.
        tls_key: Its private key, PEM.
        self_signed: Whether certificates are made instead, for the HTTP listener's names.
        client_ca: CA of clients, PEM: clients must show a certificate.
        allowed_clients: Names that a client's certificate may have; empty for everybody.
        reflection: Whether clients may ask for the descriptors.
        processes: Worker processes, 0 for threads alone.
        drain_seconds: See ``Lifecycle``; the setting when None.
        grace_seconds: See ``Lifecycle``; the setting when None.
        ready_file: See ``Lifecycle``.
        announce: Takes a line for each listener that has started.
        prepared: Called with the interpreter before anything listens.
    """

    spec: InterpreterSpec
    grpc: str | None = None
    probe: str | None = None
    karmada: KarmadaOptions | None = None
    metrics: str | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    self_signed: bool = False
    client_ca: Path | None = None
    allowed_clients: tuple[str, ...] = ()
    reflection: bool = False
    processes: int = 0
    drain_seconds: float | None = None
    grace_seconds: float | None = None
    ready_file: Path | None = None
    announce: Callable[[str], None] = print
    prepared: Callable[[ResourceInterpreter], None] = _quiet

    @property
    def drain(self) -> float:
        """Seconds of draining."""
        given, default = self.drain_seconds, self.spec.settings.serve_drain_ms
        return default / 1000 if given is None else given

    @property
    def grace(self) -> float:
        """Seconds that calls have to end."""
        given, default = self.grace_seconds, self.spec.settings.serve_grace_ms
        return default / 1000 if given is None else given


def serve(options: ServeOptions) -> None:
    """Serves until a signal.

    Raises:
        InterpreterError: A document, a plugin, an address or a certificate cannot be used.
    """
    configure(options.spec.logs)
    with contextlib.ExitStack() as stack:
        options = _with_certificates(options, stack)
        backend = Backend(options.spec, processes=options.processes)
        stack.callback(backend.close)
        options.prepared(backend.interpreter)
        found = listeners(options, backend)
        Lifecycle(
            found,
            drain_seconds=options.drain,
            grace_seconds=options.grace,
            ready_file=options.ready_file,
            announce=options.announce,
            started=lambda: _print_configuration(options, backend, found),
        ).run()
        busy = backend.threads.busy
    if busy:
        # What runs beyond the grace cannot be ended, and Python would wait for its thread.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _with_certificates(options: ServeOptions, stack: contextlib.ExitStack) -> ServeOptions:
    """The options with certificates that are made for this run, where they are wanted."""
    if not options.self_signed:
        return options
    if options.tls_cert is not None or options.tls_key is not None:
        raise ConfigurationError("--self-signed makes what --tls-cert and --tls-key name")
    if options.karmada is None:
        raise ConfigurationError("--self-signed needs --http")
    made = stack.enter_context(options.karmada.self_signed())
    karmada = dataclasses.replace(options.karmada, authorities=made.authority)
    return dataclasses.replace(
        options, tls_cert=made.certificate, tls_key=made.key, karmada=karmada
    )


def _print_configuration(
    options: ServeOptions, backend: Backend, found: Sequence[Listener]
) -> None:
    if options.karmada is not None:
        (listener,) = (each for each in found if isinstance(each, HttpListener))
        options.karmada.print(backend, listener.address, chain=options.tls_cert)


def listeners(options: ServeOptions, backend: Backend) -> list[Listener]:
    """The listeners that the options ask for, in the order in which they start.

    Raises:
        ConfigurationError: None is asked for, or they cannot be used.
    """
    certificates = _certificates(options, backend.telemetry)
    found: list[Listener] = []
    if options.grpc is not None:
        told = GrpcOptions(
            address=options.grpc,
            certificates=certificates,
            allowed_clients=options.allowed_clients,
            reflection=options.reflection,
        )
        found.append(GrpcListener(told, backend))
    if options.karmada is not None:
        karmada = options.karmada
        karmada.check(options.spec.tiers, secure=certificates is not None)
        http = HttpOptions(
            address=karmada.address,
            tiers=karmada.tiers,
            path=karmada.path,
            certificates=certificates,
            allowed_clients=options.allowed_clients,
        )
        found.append(HttpListener(http, backend, grace_seconds=options.grace))
    if options.probe is not None:
        plain = GrpcOptions(address=options.probe)
        found.append(GrpcListener(plain, backend, name="probe", probe=True))
    if options.metrics is not None:
        found.append(
            MetricsListener(backend.telemetry, options.metrics, grace_seconds=options.grace)
        )
    if not found:
        raise ConfigurationError("nothing to serve", hint="give --grpc ADDR or --http ADDR")
    return found


def _certificates(options: ServeOptions, telemetry: Telemetry) -> Certificates | None:
    if (options.tls_cert is None) != (options.tls_key is None):
        raise ConfigurationError("--tls-cert and --tls-key belong together", hint="give both")
    if options.allowed_clients and options.client_ca is None:
        raise ConfigurationError(
            "--allow-client needs --client-ca", hint="without it no client shows a name"
        )
    if options.tls_cert is None or options.tls_key is None:
        if options.client_ca is not None:
            raise ConfigurationError("--client-ca needs --tls-cert and --tls-key")
        return None
    return Certificates(
        options.tls_cert,
        options.tls_key,
        client_ca=options.client_ca,
        on_reload=lambda outcome: telemetry.add(TLS_RELOADS, (outcome,)),
    )
