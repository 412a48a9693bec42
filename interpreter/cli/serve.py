"""``interpret serve``: the interpreter over the network, until a signal."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from interpreter.cli import options
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.server.configuration import Printed

_FILE = click.Path(path_type=Path, dir_okay=False)
_SECONDS = click.FloatRange(min=0)


@click.command("serve")
@click.option("--grpc", metavar="ADDR", help="Answer gRPC at host:port or unix:path.")
@click.option("--http", metavar="ADDR", help="Answer Karmada's webhook protocol at host:port.")
@click.option(
    "--serve-tiers",
    multiple=True,
    metavar="NAME",
    help="Tier to serve with --http beside plugins and -c documents; repeatable.",
)
@click.option("--url", metavar="URL", help="Address that Karmada uses: https://host[:port][/path].")
@click.option("--self-signed", is_flag=True, help="Make certificates for this run.")
@click.option(
    "--tls-ca", type=_FILE, help="CA of --tls-cert, PEM, for --print-configuration. Default: it."
)
@click.option(
    "--print-configuration",
    is_flag=True,
    help="Print the webhook configuration that leads here; standard output ends behind it.",
)
@click.option(
    "--probe",
    metavar="ADDR",
    help="Answer gRPC health in plain text, for kubelets without a certificate.",
)
@click.option(
    "--metrics",
    metavar="ADDR",
    help="Answer /metrics, /livez and /readyz over plain HTTP.",
)
@click.option("--tls-cert", type=_FILE, help="The server's certificate chain, PEM.")
@click.option("--tls-key", type=_FILE, help="Its private key, PEM.")
@click.option("--client-ca", type=_FILE, help="CA of clients, PEM; each must show a certificate.")
@click.option(
    "--allow-client",
    "allowed_clients",
    multiple=True,
    metavar="NAME",
    help="Name in a client's certificate that may call; repeatable. Default: all of the CA.",
)
@click.option("--reflection", is_flag=True, help="Let clients ask for the descriptors.")
@click.option(
    "--processes",
    type=click.IntRange(min=0),
    default=0,
    help="Answer in that many worker processes instead of threads.",
)
@click.option(
    "--isolation",
    type=click.Choice(["thread", "process"]),
    default="thread",
    show_default=True,
    help="Where Lua scripts run.",
)
@click.option("--drain", type=_SECONDS, help="Seconds to say NOT_SERVING before the end.")
@click.option("--grace", type=_SECONDS, help="Seconds that calls have to end.")
@click.option("--max-calls", type=click.IntRange(min=1), help="Calls that may wait or run.")
@click.option("--max-message-bytes", type=click.IntRange(min=1), help="Longest message.")
@click.option("--ready-file", type=_FILE, help="Written when all listen, removed before they stop.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="info logs each call, warning those that fail.",
)
@click.option(
    "--log-format",
    type=click.Choice(["json", "text"]),
    default="json",
    show_default=True,
    help="How logs on standard error look.",
)
@options.interpreter_options
def command(
    *,
    http: str | None,
    serve_tiers: tuple[str, ...],
    url: str | None,
    tls_ca: Path | None,
    print_configuration: bool,
    isolation: Literal["thread", "process"],
    drain: float | None,
    grace: float | None,
    max_calls: int | None,
    max_message_bytes: int | None,
    log_level: str,
    log_format: Literal["json", "text"],
    **listening: Any,
) -> None:
    """Serve the interpreter over the network until SIGTERM or SIGINT.

    Port 0 takes a free port; the line that says where it listens names it. The first signal stops
    gracefully: health says NOT_SERVING for the drain time, then calls have the grace to end. The
    second ends at once.
    """
    # gRPC's own lines are no JSON, and tell of each peer that fails to shake hands.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    from interpreter.server.backend import InterpreterSpec
    from interpreter.server.karmada import KarmadaOptions
    from interpreter.server.logs import LogOptions
    from interpreter.server.serving import ServeOptions, serve

    wanted = options.Wanted.taken(listening)
    arguments = options.arguments_of(wanted)
    given = {
        "serve_max_calls": max_calls,
        "serve_max_message_bytes": max_message_bytes,
    }
    arguments["settings"] = dataclasses.replace(
        arguments["settings"],
        **{name: value for name, value in given.items() if value is not None},
    )
    spec = InterpreterSpec(
        **arguments,
        isolation=isolation,
        logs=LogOptions(log_level, log_format),
    )
    karmada = None
    if http is not None:
        karmada = KarmadaOptions(
            address=http,
            serve_tiers=tuple(name for text in serve_tiers for name in text.split(",")),
            url=url,
            authorities=tls_ca,
            print_configuration=_print_configuration if print_configuration else None,
        )
    elif serve_tiers or url or tls_ca or print_configuration:
        raise click.UsageError(
            "--serve-tiers, --url, --tls-ca and --print-configuration need --http."
        )
    serve(
        ServeOptions(
            spec=spec,
            karmada=karmada,
            drain_seconds=drain,
            grace_seconds=grace,
            announce=functools.partial(click.echo, err=print_configuration),
            prepared=functools.partial(options.warn_idle, wanted=wanted),
            **listening,
        )
    )


def _print_configuration(printed: Printed) -> None:
    """Prints the configuration, and ends standard output: a reader behind a pipe may go on."""
    from interpreter.cli import printing

    for note in printed.notes:
        click.echo(f"note: {visible(note)}", err=True)
    printing.print_yaml([printed.document])
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
