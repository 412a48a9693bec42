"""Where the values of a YAML text stand: nodes with offsets and lines, without the values.

``codec.yaml`` gives values; this module tells which characters they came from, so that a text can
be edited at one place (``codec.yaml_edit``) and a message can name a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from interpreter.codec._yaml_events import parse_events

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a YAML text.

    Attributes:
        kind: What it is; an alias is not followed.
        start: Offset of its first character, anchor and tag included.
        end: Offset behind its last character, before comments and blank lines that follow.
        line: Line of ``start``, counted from 1.
        column: Column of ``start``, counted from 0.
        flow: Whether it is a container in braces or brackets.
        anchor: Name of its anchor.
        text: A scalar's text.
        style: ``|``, ``>``, ``"``, ``'`` for scalars so written; empty for all else.
        entries: A map's keys and values.
        items: A list's items.
    """

    kind: Literal["map", "list", "scalar", "alias"]
    start: int
    end: int
    line: int
    column: int
    flow: bool = False
    anchor: str | None = None
    text: str = ""
    style: str = ""
    entries: tuple[tuple[Node, Node], ...] = ()
    items: tuple[Node, ...] = ()

    def child(self, step: str | int) -> Node | None:
        """The value under a key or an index; None when it is not written here."""
        if isinstance(step, str):
            return next((value for key, value in self.entries if key.text == step), None)
        return self.items[step] if 0 <= step < len(self.items) else None

    def find(self, path: Path) -> Node | None:
        """The node at a path below this one."""
        node: Node | None = self
        for step in path:
            if node is None:
                return None
            node = node.child(step)
        return node


def outline(text: str) -> list[Node]:
    """The root node of each document, in order; an empty document is an empty scalar.

    Args:
        text: Text that ``codec.yaml.load_all`` reads without an error (which bounds its depth).

    Raises:
        InvalidObject: Syntax error, with its line.
    """
    events = parse_events(text)
    return [
        _node(next(events), events, text)
        for event in events
        if isinstance(event, DocumentStartEvent)
    ]


def _node(event: Event, events: Iterator[Event], text: str) -> Node:
    # The parser gives marks to every event; its types do not say so.
    mark: Any = event.start_mark
    start, line, column = mark.index, mark.line + 1, mark.column
    end = _end(event)
    anchor = getattr(event, "anchor", None)
    if isinstance(event, AliasEvent):
        return Node("alias", start, end, line, column, anchor=anchor)
    if isinstance(event, ScalarEvent):
        if event.style in ("|", ">"):
            # Its end mark stands behind the blank lines that follow.
            end = start + len(text[start:end].rstrip())
        return Node(
            "scalar",
            start,
            end,
            line,
            column,
            anchor=anchor,
            text=event.value,
            style=event.style or "",
        )
    if isinstance(event, MappingStartEvent):
        entries = []
        while not isinstance(child := next(events), MappingEndEvent):
            key = _node(child, events, text)
            entries.append((key, _node(next(events), events, text)))
        # A block container ends, for the parser, where the next token starts: behind comments.
        end = _end(child) if event.flow_style else max(pair[1].end for pair in entries)
        return Node(
            "map",
            start,
            end,
            line,
            column,
            bool(event.flow_style),
            anchor=anchor,
            entries=tuple(entries),
        )
    assert isinstance(event, SequenceStartEvent)  # noqa: S101 - the grammar has no other node
    items = []
    while not isinstance(child := next(events), SequenceEndEvent):
        items.append(_node(child, events, text))
    end = _end(child) if event.flow_style else max(item.end for item in items)
    return Node(
        "list",
        start,
        end,
        line,
        column,
        bool(event.flow_style),
        anchor=anchor,
        items=tuple(items),
    )


def _end(event: Event) -> int:
    mark: Any = event.end_mark
    offset: int = mark.index
    return offset
