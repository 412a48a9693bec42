"""``interpret new``: a starting folder for the scripts of a kind."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("new")
@click.argument("kind")
@click.option("--group", metavar="G", help='API group; "core" or "" for the core group.')
@click.option("--version", metavar="V", help="API version.")
@click.option(
    "--crd",
    metavar="FILE",
    help="CustomResourceDefinition of the kind; it gives group and version too.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("lua_scripts"),
    show_default=True,
    help="Folder that gets <group>/<version>/<Kind>.",
)
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def command(
    kind: str, group: str | None, version: str | None, crd: str | None, output: Path, *, force: bool
) -> None:
    """Start the scripts of KIND: a folder with scripts, their cases, and annotations for editors.

    With --crd the definition tells which operations make sense: replicas by the scale subresource
    or spec.replicas, pod templates by their form, the status by its fields. Without it the kind is
    taken for a workload with spec.replicas, spec.template and the usual status.
    """
    from interpreter import manifests
    from interpreter.authoring import bundling
    from interpreter.authoring.crds import choose, read_kinds
    from interpreter.authoring.scaffold import scaffold
    from interpreter.catalogue.folders import CORE_FOLDER
    from interpreter.machinery.gvk import GVK

    if crd is not None:
        kinds = read_kinds(manifests.read([crd]))
        if group is not None:
            kinds = [one for one in kinds if one.gvk.group == group] or kinds
        schema = choose(kinds, kind=kind, version=version)
        if group not in (None, schema.gvk.group):
            raise click.UsageError(f"{crd} defines {schema.gvk}, not a kind of group {group}")
        files = scaffold(schema.gvk, schema)
    elif group is None or version is None:
        raise click.UsageError("give --group and --version, or --crd")
    else:
        files = scaffold(GVK("" if group == CORE_FOLDER else group, version, kind))
    # What all kinds share is somebody's own once it is there.
    shared = {path: text for path, text in files.items() if path.parts[0].startswith(".")}
    mine = {path: text for path, text in files.items() if path not in shared}
    missing = {path: text for path, text in shared.items() if not (output / path).exists()}
    written = bundling.write_files(output, {**mine, **missing}, force=force)
    # At once: a reader may leave after the first line.
    click.echo("".join(f"{path}\n" for path in written), nl=False)
