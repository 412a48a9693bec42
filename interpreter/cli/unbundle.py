"""``interpret unbundle``: customization YAML to script folders."""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.machinery.wording import visible


@click.command("unbundle")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("lua_scripts"),
    show_default=True,
    help="Folder that gets <group>/<version>/<Kind>/<operation>.lua.",
)
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def command(files: tuple[str, ...], output: Path, *, force: bool) -> None:
    """Turn ResourceInterpreterCustomization documents into script folders.

    FILE is a YAML or JSON file, a folder with such files, or - for standard input. Scripts keep
    every byte. A name that is not the usual one, and further versions with the same scripts, go
    into a kind.yaml.
    """
    from interpreter import manifests
    from interpreter.authoring import bundling

    made = bundling.unbundle(manifests.read(files))
    written = bundling.write_files(output, made.files, force=force)
    for remark in made.remarks:
        click.echo(f"note: {visible(remark)}", err=True)
    for path in written:
        click.echo(visible(str(path)))
    unchanged = len(made.files) - len(written)
    if unchanged:
        click.echo(f"{unchanged} files were up to date", err=True)
