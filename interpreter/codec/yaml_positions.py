"""Where values stand in a YAML text, and where a line of a script inside such a value is."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.codec.yaml_nodes import Node, outline

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value and its key are; lines and columns in characters, counted from 1.

    Attributes:
        line: Line of the key (of the value, where it has no key).
        column: Column of the same.
        value_line: Line where the value starts; that of the ``|`` for a literal block.
        value_column: Column where the value starts.
        style: ``|``, ``>``, ``"``, ``'`` for scalars; empty for plain ones and all else.
    """

    line: int
    column: int
    value_line: int
    value_column: int
    style: str


Spots = dict[Path, Spot]


def find_spots(text: str) -> list[Spots]:
    """For every document of a text (empty ones too) the places of its values by path.

    Raises:
        InvalidObject: Syntax error, with its line.
    """
    documents = []
    for root in outline(text):
        spots: Spots = {}
        _collect(spots, (), root, root)
        documents.append(spots)
    return documents


def _collect(spots: Spots, path: Path, key: Node, value: Node) -> None:
    spots.setdefault(
        path, Spot(key.line, key.column + 1, value.line, value.column + 1, value.style)
    )
    for inner_key, inner in value.entries:
        _collect(spots, (*path, inner_key.text), inner_key, inner)
    for index, item in enumerate(value.items):
        _collect(spots, (*path, index), item, item)


def nearest(spots: Spots, path: Path) -> Spot:
    """The place of a path, or of the closest thing around it that is known."""
    for length in range(len(path), -1, -1):
        spot = spots.get(path[:length])
        if spot is not None:
            return spot
    return Spot(1, 1, 1, 1, "")


@dataclass(frozen=True, slots=True)
class Place:
    """Maps a line and column of a script to the file that holds it.

    Attributes:
        line: Line in the file of the script's first line.
        column: Characters before the script's text on its first line.
        indent: Characters before the script's text on all other lines; None where the file has not
            the script's lines (escapes, folded text): then all is at ``line`` and ``column``.
    """

    line: int = 1
    column: int = 0
    indent: int | None = 0

    def locate(self, line: int, column: int) -> tuple[int, int]:
        """Line and column in the file, counted from 1."""
        if self.indent is None:
            return self.line, self.column + 1
        before = self.column if line == 1 else self.indent
        return self.line + line - 1, before + column


def place_of(spot: Spot, script: str, lines: list[str]) -> Place:
    """Where a script is that is the value at ``spot`` of a text with these lines."""
    wanted = script.split("\n")
    inexact = Place(spot.line, spot.column - 1, None)
    if spot.style == ">":
        # Folding joins lines, but not those indented further: many scripts come through whole.
        block = lines[spot.value_line : spot.value_line + len(wanted)]
        if [line.strip() for line in block] != [line.strip() for line in wanted[: len(block)]]:
            return inexact
    if spot.style in ("|", ">"):
        offset = next((i for i, line in enumerate(wanted) if line.strip()), 0)
        # The header is on the line of the indicator; the text starts below.
        found = lines[spot.value_line + offset : spot.value_line + offset + 1]
        if not found or not found[0].endswith(wanted[offset]):
            return inexact
        indent = len(found[0]) - len(wanted[offset])
        return Place(spot.value_line + 1, indent, indent)
    if len(wanted) == 1 and spot.style in ("", "'", '"'):
        start = spot.value_column - 1 + len(spot.style)
        line = lines[spot.value_line - 1] if spot.value_line <= len(lines) else ""
        if line[start : start + len(script)] == script:
            return Place(spot.value_line, start, start)
    return inexact
