"""``interpret check``: finds mistakes in customizations and scripts without running them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.cli.printing import print_json, styled

if TYPE_CHECKING:
    from interpreter.authoring.lint.findings import Level

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "-f",
    "--filename",
    "filenames",
    multiple=True,
    metavar="FILE|DIR",
    help="File or folder to check, as PATH; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "github", "sarif"]),
    default="table",
    show_default=True,
    help="Form of the output.",
)
def command(paths: tuple[str, ...], filenames: tuple[str, ...], output: str) -> None:
    """Find mistakes in customizations and scripts, without running them.

    PATH is a YAML file with ResourceInterpreterCustomization documents (- for standard input), a
    script such as example.com/v1/Widget/get_replicas.lua, or a folder with any of these.

    A comment "-- interpret: allow RULE" on a line, or on its own above it, allows what RULE finds
    there.

    Exit code: 0 when nothing of level error was found, 1 otherwise, 2 for wrong usage.
    """
    from interpreter.authoring.lint import checking, reports

    given = [*filenames, *paths]
    if not given:
        raise click.UsageError("give at least one file or folder (-f FILE, or PATH)")
    report = checking.check(given)
    if output == "json":
        print_json(reports.as_json(report))
    elif output == "sarif":
        print_json(reports.sarif(report))
    elif output == "github":
        if report.findings:
            click.echo(reports.github(report))
    else:
        click.echo(reports.table(report, _paint))
    click.get_current_context().exit(1 if report.failed else 0)


def _paint(text: str, level: Level) -> str:
    return styled(text, fg=_COLOURS[level.value])
