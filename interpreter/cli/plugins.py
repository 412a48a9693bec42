"""``interpret plugins``: installed plugins and Lua packs, and what has become of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from interpreter.cli import options
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.registry.plugin_reports import PluginReport


@click.command("plugins")
@click.option("--load", is_flag=True, help="Import every plugin, to see its kinds and hooks.")
@options.with_interpreter
@options.output
def command(load: bool, make_interpreter: Callable[..., ResourceInterpreter], output: str) -> None:
    """Show Python plugins and Lua packs: where they come from, and whether they work.

    Nothing is imported for that without --load. Exit code 1 when a plugin failed.
    """
    interpreter = make_interpreter(warn=False)
    reports = interpreter.plugins(load=load)
    if output == "name":
        for report in reports:
            click.echo(visible(report.name))
    elif output == "table":
        _print_table(reports)
        _print_details(interpreter, reports)
    else:
        from interpreter.cli import printing

        printing.print_records([report.to_dict() for report in reports], output)
    if any(report.status == "failed" for report in reports):
        sys.exit(1)


def _print_table(reports: list[PluginReport]) -> None:
    from interpreter.cli import printing

    if not reports:
        click.echo("no plugins")
        return
    rows = [
        (
            report.name,
            " ".join(filter(None, (report.distribution, report.version))) or "-",
            _kinds(report),
            ", ".join(report.hooks) or "-",
            str(report.priority),
            report.status,
        )
        for report in reports
    ]
    headers = ("NAME", "DISTRIBUTION", "KINDS", "HOOKS", "PRIORITY", "STATUS")
    printing.print_table(headers, rows, flexible="HOOKS")


def _kinds(report: PluginReport) -> str:
    if report.kinds is None:
        return "kinds not declared" if report.status == "not needed yet" else "-"
    shown = ", ".join(report.kinds[:3])
    return f"{shown}, … ({len(report.kinds)})" if len(report.kinds) > 3 else shown


def _print_details(interpreter: ResourceInterpreter, reports: list[PluginReport]) -> None:
    """What a table has no room for: reasons, remarks, tracebacks, conflicts."""
    for report in reports:
        if report.reason is not None:
            click.echo(f"\n{visible(report.name)} is {report.status}: {visible(report.reason)}")
        for note in report.notes:
            click.echo(f"note: {visible(report.name)}: {visible(note)}")
        if report.trace is not None:
            for line in report.trace.rstrip().splitlines():
                click.echo(f"  {visible(line)}")
    for conflict in interpreter.plugin_conflicts():
        first, *others = conflict.plugins
        text = (
            f"note: {conflict.operation} of {conflict.gvk} is claimed by {first} and "
            f"{', '.join(others)}; {first} is asked first, by its name only "
            "(a priority, before or after would say so)"
        )
        click.echo(visible(text))
