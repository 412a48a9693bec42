"""``interpret kinds``: the kind x operation matrix."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import options

if TYPE_CHECKING:
    from interpreter.api.operation import Operation
    from interpreter.machinery.gvk import GVK
    from interpreter.registry import Row


@click.command("kinds")
@click.option("--kind", metavar="KIND", help="Only this kind: Deployment, or apps/v1/Deployment.")
@options.interpreter_options
@options.output
def command(
    kind: str | None,
    customizations: tuple[str, ...],
    webhooks: tuple[str, ...],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
    output: str,
) -> None:
    """Show which kinds are interpreted, and by whom.

    With --kind: one line for each operation of that kind, with everybody who claims it. Exit code 1
    when nobody knows it.
    """
    interpreter = options.make_interpreter(customizations, webhooks, tiers, disable)
    rows = interpreter.kinds()
    if kind is not None:
        rows = [row for row in rows if _is_kind(row.gvk, kind)]
        if not rows:
            click.echo(f"error: nobody interprets kind {kind!r}", err=True)
            sys.exit(1)
    if output == "table" and kind is not None:
        _print_detail(rows)
    elif output == "table":
        _print_matrix(rows)
    elif output == "name":
        for gvk in _by_kind(rows):
            click.echo(_shown(gvk))
    else:
        _print_records(rows, output)


def _is_kind(gvk: GVK, text: str) -> bool:
    if "/" in text:
        return str(gvk).lower() == text.lower()
    return gvk.kind.lower() == text.lower()


def _shown(gvk: GVK) -> str:
    return "any kind" if gvk == ("*", "*", "*") else str(gvk)


def _by_kind(rows: list[Row]) -> dict[GVK, dict[Operation, list[Row]]]:
    """Rows by kind and operation; named kinds first, in order of group, kind and version."""
    found: dict[GVK, dict[Operation, list[Row]]] = {}
    order = sorted(
        rows, key=lambda row: (row.gvk.is_pattern, row.gvk.group, row.gvk.kind, row.gvk.version)
    )
    for row in order:
        found.setdefault(row.gvk, {}).setdefault(row.operation, []).append(row)
    return found


def _cell(rows: list[Row]) -> str:
    """Who answers: the first that is not switched off, and how many stand behind it."""
    active = [row.implementation.label for row in rows if not row.disabled]
    if not active:
        return "(off)"
    return active[0] if len(active) == 1 else f"{active[0]} (+{len(active) - 1})"


def _print_matrix(rows: list[Row]) -> None:
    from interpreter.cli import printing
    from interpreter.operations import OPERATIONS

    table = [
        (_shown(gvk), *(_cell(cells[op]) if op in cells else "-" for op in OPERATIONS))
        for gvk, cells in _by_kind(rows).items()
    ]
    printing.print_table(("KIND", *(operation.value for operation in OPERATIONS)), table)


def _print_detail(rows: list[Row]) -> None:
    from interpreter.cli import printing

    table = [
        (
            _shown(gvk),
            operation.value,
            row.implementation.label,
            row.implementation.handler,
            "switched off" if row.disabled else "",
        )
        for gvk, cells in _by_kind(rows).items()
        for operation, claims in cells.items()
        for row in claims
    ]
    printing.print_table(("KIND", "OPERATION", "TIER", "HANDLER", "NOTE"), table)


def _print_records(rows: list[Row], output: str) -> None:
    from interpreter.cli import printing

    records: list[dict[str, Any]] = [
        {
            "apiVersion": gvk.api_version,
            "kind": gvk.kind,
            "operations": {
                operation.value: [
                    {
                        "tier": row.implementation.tier,
                        "plugin": row.implementation.plugin,
                        "handler": row.implementation.handler,
                        "disabled": row.disabled,
                    }
                    for row in claims
                ]
                for operation, claims in cells.items()
            },
        }
        for gvk, cells in _by_kind(rows).items()
    ]
    if output == "json":
        printing.print_json(records)
    else:
        printing.print_yaml(records)
