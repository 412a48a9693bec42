"""``interpret new-plugin``: a starting project for a Python plugin."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("new-plugin")
@click.argument("name")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    required=True,
    metavar="KIND",
    help="Kind that it handles, as group/version/Kind (v1/Kind for the core group); repeatable.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the project.  [default: NAME]",
)
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def command(name: str, kinds: tuple[str, ...], output: Path | None, *, force: bool) -> None:
    """Start a plugin project called NAME: a module with hooks, its entry points, and tests.

    The hooks take the kinds for workloads with spec.replicas and status.readyReplicas; its cases
    hold from the start.
    """
    from interpreter.authoring import bundling
    from interpreter.authoring.plugin_scaffold import plugin_scaffold
    from interpreter.registry.plugin_sources import declared_kind

    try:
        parsed = [declared_kind(kind) for kind in kinds]
    except ValueError as error:
        raise click.UsageError(f"--kind: {error}") from None
    files = plugin_scaffold(name, parsed)
    folder = Path(name) if output is None else output
    written = bundling.write_files(folder, files, force=force)
    # At once: a reader may leave after the first line.
    click.echo("".join(f"{path}\n" for path in written), nl=False)
    click.echo(f"next: pip install -e '{folder}[test]', then pytest in {folder}", err=True)
