"""``interpret stubs``: annotation files for the Lua language server."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("stubs")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the annotation files.",
)
@click.option(
    "--crd",
    "crds",
    multiple=True,
    metavar="FILE",
    help="CustomResourceDefinition whose kinds get files too; may be repeated.",
)
@click.option("--version", metavar="V", help="Version of the kinds; that of storage by default.")
def command(output: Path, crds: tuple[str, ...], version: str | None) -> None:
    """Write annotation files for the Lua language server, so that editors complete and check.

    kube.lua describes the kube library, interpreter.lua the arguments and results of operations,
    <Kind>.lua the fields of a kind. Name the folder in workspace.library of a .luarc.json.
    """
    from interpreter import manifests
    from interpreter.authoring import bundling, stubs
    from interpreter.authoring.crds import read_kinds

    files = stubs.common_files()
    if crds:
        files |= stubs.kind_files(read_kinds(manifests.read(crds)), version=version)
    bundling.write_files(output, files, force=True)
    for path in files:
        click.echo(output / path)
