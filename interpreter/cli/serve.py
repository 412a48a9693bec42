"""``interpret serve``: the interpreter over the network, until a signal."""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.cli import options

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("serve")
@click.option("--grpc", "grpc", metavar="ADDR", help="Answer gRPC at host:port or unix:path.")
@click.option(
    "--probe",
    metavar="ADDR",
    help="Answer gRPC health in plain text, for kubelets without a certificate.",
)
@click.option("--tls-cert", type=_FILE, help="The server's certificate chain, PEM.")
@click.option("--tls-key", type=_FILE, help="Its private key, PEM.")
@click.option(
    "--client-ca", type=_FILE, help="CA of clients, PEM: clients must show a certificate."
)
@click.option(
    "--allow-client",
    "allowed_clients",
    multiple=True,
    metavar="NAME",
    help="Name in a client's certificate that may call; repeatable. Default: all of the CA.",
)
@click.option("--reflection", is_flag=True, help="Let clients ask for the descriptors.")
@click.option(
    "--plugins",
    multiple=True,
    metavar="MODULE[:NAME]",
    help="Python plugin on the import path; repeatable.",
)
@click.option("--ready-file", type=_FILE, help="Written when all listen, removed before they stop.")
@options.interpreter_options
def command(
    grpc: str | None,
    probe: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    client_ca: Path | None,
    allowed_clients: tuple[str, ...],
    reflection: bool,
    plugins: tuple[str, ...],
    ready_file: Path | None,
    customizations: tuple[str, ...],
    webhooks: tuple[str, ...],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
) -> None:
    """Serve the interpreter over the network until SIGTERM or SIGINT.

    Port 0 takes a free port; the line that says where it listens names it.
    """
    from interpreter.registry.tiers import ALL_TIERS
    from interpreter.server.backend import InterpreterSpec
    from interpreter.server.serving import ServeOptions, serve

    documents, configurations = options.read_documents(customizations, webhooks)
    spec = InterpreterSpec(
        customizations=tuple(documents),
        webhooks=tuple(configurations),
        plugins=plugins,
        tiers=tiers or ALL_TIERS,
        disable=disable,
        settings=options.settings(),
    )
    serve(
        ServeOptions(
            spec=spec,
            grpc=grpc,
            probe=probe,
            tls_cert=tls_cert,
            tls_key=tls_key,
            client_ca=client_ca,
            allowed_clients=allowed_clients,
            reflection=reflection,
            ready_file=ready_file,
            announce=click.echo,
            prepared=options.warn_idle,
        )
    )
