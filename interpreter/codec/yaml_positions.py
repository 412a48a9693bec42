"""Where values stand in a YAML text, and where a line of a script inside such a value is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.codec._yaml_events import parse_events
from interpreter.errors import InvalidObject

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

    A text that cannot be parsed to its end gives the documents before the fault.
    """
    documents: list[Spots] = []
    collector = _Collector({})
    try:
        for event in parse_events(text):
            name = type(event).__name__
            if name == "DocumentStartEvent":
                collector = _Collector({})
                documents.append(collector.spots)
            elif name.startswith(("Scalar", "Alias", "Mapping", "Sequence")):
                collector.feed(name, event)
    except InvalidObject:
        pass
    return documents


def nearest(spots: Spots, path: Path) -> Spot:
    """The place of a path, or of the closest thing around it that is known."""
    for length in range(len(path), -1, -1):
        spot = spots.get(path[:length])
        if spot is not None:
            return spot
    return Spot(1, 1, 1, 1, "")


@dataclass(slots=True)
class _Open:
    """A container that is open: next index of a list, waiting key of a map."""

    is_map: bool
    index: int = 0
    key: str | None = None
    key_mark: tuple[int, int] | None = None


class _Collector:
    """Follows the events of one document."""

    def __init__(self, spots: Spots) -> None:
        self.spots = spots
        self.open: list[_Open] = []

    def path(self) -> Path:
        return tuple((frame.key or "") if frame.is_map else frame.index for frame in self.open)

    def feed(self, name: str, event: Any) -> None:
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        if name.endswith("EndEvent"):
            self.open.pop()
            self._finish()
            return
        frame = self.open[-1] if self.open else None
        if frame is not None and frame.is_map and frame.key is None:
            frame.key = event.value if name == "ScalarEvent" else ""
            frame.key_mark = mark
            return
        key_mark = frame.key_mark if frame is not None and frame.is_map else None
        line, column = key_mark or mark
        style = (event.style or "") if name == "ScalarEvent" else ""
        self.spots.setdefault(self.path(), Spot(line, column, *mark, style))
        if name.endswith("StartEvent"):
            self.open.append(_Open(name == "MappingStartEvent"))
        else:
            self._finish()

    def _finish(self) -> None:
        """A value is complete: the container around it waits for the next one."""
        if self.open:
            frame = self.open[-1]
            frame.index += 1
            frame.key = None


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
