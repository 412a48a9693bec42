"""``interpret bundle``: script folders to YAML for ``kubectl apply``."""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.machinery.wording import counted, visible


@click.command("bundle")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--catalogue",
    is_flag=True,
    help="FOLDER is one of the scripts of this package, such as ray.io; all by default.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=Path("-"),
    help="File to write; standard output by default (or with -).",
)
@click.option(
    "--kinds",
    multiple=True,
    metavar="FILE",
    help="Kinds that scripts for many kinds are written out for: definitions (CRDs), or lines "
    "such as example.com/v1/Widget; repeatable.",
)
def command(folder: Path | None, output: Path, kinds: tuple[str, ...], *, catalogue: bool) -> None:
    """Turn script folders into ResourceInterpreterCustomization YAML.

    FOLDER holds scripts as <group>/<version>/<Kind>/<operation>.lua (core for the core group); it
    may also be one such folder. Each kind and version becomes one document, also the versions that
    a kind.yaml lists. A document has one exact kind: scripts in a folder for many (_ stands for
    any) join the documents of the kinds that are here or in --kinds.
    """
    from interpreter.authoring import bundling, crds

    folder = _folder(folder, catalogue=catalogue)
    made = bundling.bundle(folder, crds.named_kinds(kinds))
    for remark in made.remarks:
        click.echo(f"note: {visible(remark)}", err=True)
    if str(output) == "-":
        click.echo(made.text, nl=False)
        return
    bundling.write_files(output.parent, {Path(output.name): made.text}, force=True)
    scripts = sum(len(one.scripts) for one in made.customizations)
    click.echo(
        f"{output}: {counted(len(made.customizations), 'customization')}, "
        f"{counted(scripts, 'script')}",
        err=True,
    )


def _folder(folder: Path | None, *, catalogue: bool) -> Path:
    """The folder of scripts that is meant.

    Raises:
        click.UsageError: None is named, or it does not exist.
    """
    if catalogue:
        from interpreter.catalogue.location import bundled_scripts

        folder = bundled_scripts() / (folder or "")
    if folder is None:
        raise click.UsageError("Missing argument 'FOLDER' (or --catalogue).")
    if not folder.is_dir():
        raise click.UsageError(f"Folder {str(folder)!r} does not exist.")
    return folder
