"""Printing: tables, documents and names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from interpreter.machinery.unstructured import JsonObject

#: Width of a table that nobody looks at through a window: lines are as long as their content.
_UNBOUNDED = 4096


def print_table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], *, styles: dict[str, str] | None = None
) -> None:
    """Prints aligned columns. A terminal gets its width and colours, a pipe plain text in full.

    Args:
        headers: Column names.
        rows: Cells, as many as columns.
        styles: Colours by the first word of a cell, for terminals.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else _UNBOUNDED, highlight=False, soft_wrap=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for header in headers:
        table.add_column(Text(header), overflow="ellipsis", no_wrap=True)
    for row in rows:
        cells = []
        for cell in row:
            word = cell.split(" ", 1)[0].rstrip(":,")
            cells.append(Text(cell, style=(styles or {}).get(word, "")))
        table.add_row(*cells)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())


def print_json(value: Any) -> None:
    """Prints one JSON document."""
    from interpreter.codec import json

    click.echo(json.dumps(value, indent=2))


def print_yaml(values: Iterable[Any]) -> None:
    """Prints YAML documents."""
    from interpreter.codec import yaml

    click.echo(yaml.dump_all(values), nl=False)


def reference(obj: JsonObject) -> str:
    """An object for tables: ``Deployment shop/frontend``.

    Never raises, whatever the metadata is.
    """
    namespace, name = _names(obj)
    return f"{obj.get('kind')} {namespace}/{name}" if namespace else f"{obj.get('kind')} {name}"


def resource_name(obj: JsonObject) -> str:
    """An object as ``kubectl -o name`` writes it: ``deployment.apps/frontend``."""
    group, slash, _version = str(obj.get("apiVersion")).partition("/")
    kind = str(obj.get("kind")).lower()
    return f"{kind}.{group if slash else ''}".rstrip(".") + f"/{_names(obj)[1]}"


def _names(obj: JsonObject) -> tuple[str, str]:
    metadata = obj.get("metadata")
    found = metadata if isinstance(metadata, dict) else {}
    namespace, name = found.get("namespace"), found.get("name") or found.get("generateName")
    return (
        namespace if isinstance(namespace, str) else "",
        name if isinstance(name, str) else "<unnamed>",
    )
