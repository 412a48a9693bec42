"""``interpret kinds``: the kind x operation matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import options
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.api.operation import Operation
    from interpreter.facade import ResourceInterpreter
    from interpreter.machinery.gvk import GVK
    from interpreter.registry import Candidate

_Claims = dict["GVK", dict["Operation", list["Candidate"]]]


@click.command("kinds")
@click.option("--kind", metavar="KIND", help="Only this kind: Deployment, or apps/v1/Deployment.")
@options.with_interpreter
@options.output
def command(
    kind: str | None, make_interpreter: Callable[[], ResourceInterpreter], output: str
) -> None:
    """Show which kinds are interpreted, and by whom.

    Every kind that somebody names has a line; what holds for any kind is part of it, and stands
    alone in the last line. With --kind: everybody who claims an operation of that kind, in order.
    """
    interpreter = make_interpreter()
    found = _claims(interpreter, kind)
    if output == "name":
        for gvk in found:
            click.echo(visible(_shown(gvk)))
    elif output != "table":
        _print_records(found, output)
    elif kind is not None:
        _print_detail(found)
    else:
        _print_matrix(found)


def _claims(interpreter: ResourceInterpreter, kind: str | None) -> _Claims:
    """Who claims what: by kind (named ones first, by group, kind and version) and operation."""
    from interpreter.machinery.gvk import ANY
    from interpreter.operations import OPERATIONS

    kinds = {row.gvk for row in interpreter.kinds()} | {ANY}
    if kind is not None:
        # A kind that nobody names is still one of "any kind".
        kinds = {gvk for gvk in kinds if _is_kind(gvk, kind)} or {ANY}
    order = sorted(kinds, key=lambda gvk: (gvk.is_pattern, gvk.group, gvk.kind, gvk.version))
    return {
        gvk: {operation: interpreter.claims(gvk, operation) for operation in OPERATIONS}
        for gvk in order
    }


def _is_kind(gvk: GVK, text: str) -> bool:
    if "/" in text:
        return str(gvk).lower() == text.lower()
    return gvk.kind.lower() == text.lower()


def _shown(gvk: GVK) -> str:
    from interpreter.machinery.gvk import ANY

    return "any kind" if gvk == ANY else str(gvk)


def _print_matrix(found: _Claims) -> None:
    from interpreter.cli import printing

    rows = []
    for gvk, cells in found.items():
        answers = (
            next((entry.implementation.label for entry in cell if entry.skipped is None), "-")
            for cell in cells.values()
        )
        rows.append((_shown(gvk), *answers))
    operations = next(iter(found.values()))
    headers = ("KIND", *(operation.value for operation in operations))
    printing.print_table(headers, rows)


def _print_detail(found: _Claims) -> None:
    from interpreter.cli import printing

    rows = [
        (
            _shown(gvk),
            operation.value,
            entry.implementation.label,
            entry.implementation.handler,
            entry.skipped or "",
        )
        for gvk, cells in found.items()
        for operation, claims in cells.items()
        for entry in claims
    ]
    headers = ("KIND", "OPERATION", "TIER", "HANDLER", "NOT ASKED, BECAUSE")
    printing.print_table(headers, rows, flexible="HANDLER")


def _print_records(found: _Claims, output: str) -> None:
    from interpreter.cli import printing

    records: list[dict[str, Any]] = [
        {
            "kind": _shown(gvk),
            "operations": {
                operation.value: [
                    {
                        "tier": entry.implementation.tier,
                        "plugin": entry.implementation.plugin,
                        "handler": entry.implementation.handler,
                        "skipped": entry.skipped,
                    }
                    for entry in claims
                ]
                for operation, claims in cells.items()
                if claims
            },
        }
        for gvk, cells in found.items()
    ]
    printing.print_records(records, output)
