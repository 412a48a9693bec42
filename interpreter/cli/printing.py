"""Printing: tables, documents and names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from interpreter.machinery.unstructured import JsonObject, metadata_of
from interpreter.machinery.wording import visible

#: Widest column of a table that nobody looks at through a window: a kind, a namespace and a name
#: of the lengths that Kubernetes allows.
_WIDEST = 400
_GAP = 2
#: A column that gives way stays at least this wide; before that, optional columns are left out.
_LEAST = 30


def print_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    styles: dict[str, str] | None = None,
    flexible: str | None = None,
    optional: Sequence[str] = (),
) -> None:
    """Prints aligned columns. A pipe gets plain text in full, a terminal its width and colours.

    Args:
        headers: Column names; control characters in them are made visible, too.
        rows: Cells, as many as columns; control characters in them are made visible.
        styles: Colours by the first word of a cell, for terminals.
        flexible: The column that is cut where a terminal is too narrow.
        optional: Columns that are left out before that, first to go first.
    """
    headers = [visible(header) for header in headers]
    lines = [[visible(cell) for cell in row] for row in rows]
    terminal = sys.stdout.isatty()
    room = _terminal_width() if terminal else sys.maxsize
    widths = {
        header: max(_width(header), max((_width(line[at]) for line in lines), default=0))
        for at, header in enumerate(headers)
    }
    shown = list(headers)
    for header in optional:
        least = min(_LEAST, widths[flexible]) if flexible else 0
        if _total(widths, shown, flexible, least) > room and header in shown:
            shown.remove(header)
    if flexible and _total(widths, shown) > room:
        others = _total(widths, shown) - widths[flexible]
        widths[flexible] = max(_width(flexible), min(widths[flexible], room - others))
    columns = [(at, widths[header]) for at, header in enumerate(headers) if header in shown]
    if terminal:
        fitted = [
            [_fitted(line[at], width) for at, width in columns] for line in [list(headers), *lines]
        ]
        _print_styled(fitted, styles or {})
    else:
        click.echo("\n".join(_plain_line(line, columns) for line in [list(headers), *lines]))


def _plain_line(line: Sequence[str], columns: Sequence[tuple[int, int]]) -> str:
    """Cells in full; one that is longer than any name is costs its own line the alignment.

    Else one object with a name or message of megabytes would make every line as long.
    """
    *others, (last, _width_of_last) = columns
    cells = [
        line[at] if _width(line[at]) > _WIDEST else _fitted(line[at], min(width, _WIDEST))
        for at, width in others
    ]
    return (" " * _GAP).join([*cells, line[last]]).rstrip()


def _print_styled(fitted: list[list[str]], styles: dict[str, str]) -> None:
    from rich.console import Console
    from rich.text import Text

    text = Text()
    for number, cells in enumerate(fitted):
        line = Text()
        for cell in cells:
            word = cell.split(" ", 1)[0].rstrip(":,") if number else ""
            line.append(cell, style=styles.get(word, ""))
            line.append(" " * _GAP)
        line.rstrip()
        text.append_text(line).append("\n")
    Console(highlight=False, soft_wrap=True).print(text, soft_wrap=True, end="")


def _terminal_width() -> int:
    from rich.console import Console

    return Console().width


def is_pretty() -> bool:
    """Whether symbols can be shown: a person looks, through a terminal that knows them."""
    return sys.stdout.isatty() and _knows_unicode()


def _knows_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().startswith("utf")


def _width(text: str) -> int:
    """Columns that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(cell: str, width: int) -> str:
    """A cell of exactly that width."""
    if cell.isascii() and len(cell) <= width:
        return cell.ljust(width)
    from rich.cells import set_cell_size

    if _width(cell) > width:
        sign = "…" if _knows_unicode() else "."
        cell = f"{set_cell_size(cell, width - 1)}{sign}"
    return set_cell_size(cell, width)


def _total(
    widths: dict[str, int], shown: Sequence[str], flexible: str | None = None, least: int = 0
) -> int:
    return sum(least if header == flexible else widths[header] for header in shown) + _GAP * (
        len(shown) - 1
    )


def styled(text: str, **style: Any) -> str:
    """A text in a style of ``click.style``, as it is where ``NO_COLOR`` is set.

    ``click.echo`` takes the style away again where the output is no terminal.
    """
    return text if "NO_COLOR" in os.environ else click.style(text, **style)


def print_json(value: Any) -> None:
    """Prints one JSON document."""
    from interpreter.codec import json

    click.echo(json.dumps(value, indent=2))


def print_yaml(values: Iterable[Any]) -> None:
    """Prints YAML documents."""
    from interpreter.codec import yaml

    click.echo(yaml.dump_all(values), nl=False)


def print_records(records: list[JsonObject], output: str) -> None:
    """Prints records as one JSON list or as YAML documents."""
    if output == "json":
        print_json(records)
    else:
        print_yaml(records)


def identity(obj: JsonObject) -> JsonObject:
    """An object in a record: apiVersion, kind, namespace, name. Never raises."""
    namespace, name = _names(obj)
    found = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind"), "name": name}
    return {**found, "namespace": namespace} if namespace else found


def reference(obj: JsonObject) -> str:
    """An object for tables: ``Deployment shop/frontend``. Never raises."""
    namespace, name = _names(obj)
    return f"{obj.get('kind')} {namespace}/{name}" if namespace else f"{obj.get('kind')} {name}"


def group_of(obj: JsonObject) -> str:
    """The group that an object states; empty for the core group. Never raises."""
    group, slash, _version = str(obj.get("apiVersion")).partition("/")
    return group if slash else ""


def resource_name(obj: JsonObject) -> str:
    """An object as ``kubectl -o name`` writes it: ``deployment.apps/frontend``."""
    kind = str(obj.get("kind")).lower()
    return visible(f"{kind}.{group_of(obj)}".rstrip(".") + f"/{_names(obj)[1]}")


def _names(obj: JsonObject) -> tuple[str, str]:
    found = metadata_of(obj)
    namespace, name = found.get("namespace"), found.get("name") or found.get("generateName")
    return (
        namespace if isinstance(namespace, str) else "",
        name if isinstance(name, str) else "<unnamed>",
    )
