"""Changing one value of a YAML text while every other character, comments above all, stays.

An edit touches as little as it can: equal parts of the old and the new value stay as they are
written, so comments inside a changed value survive as long as what they stand beside does. Each
result is read back and compared before it is handed out; what cannot be edited is an error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.codec._yaml_emit import emit
from interpreter.codec.yaml import load_all
from interpreter.codec.yaml_nodes import Node, Path, outline
from interpreter.errors import InvalidObject, path_text
from interpreter.machinery.unstructured import JsonValue, deep_copy, same

#: A replacement: start and end offset in the old text, and what comes there.
_Edit = tuple[int, int, str]
#: Longest container on one line; a longer one is written in block style.
_FLOW_WIDTH = 80


class _CannotEditError(Exception):
    """This way of editing does not fit; the next larger piece is written anew."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value to be written.

    Attributes:
        path: Keys and list indexes from the root of the document; at least one step.
        value: The new value.
        document: Which document, counted from 1 (empty ones count).
    """

    path: tuple[str | int, ...]
    value: JsonValue
    document: int = 1


def replace_all(text: str, changes: Sequence[Change], *, source: str | None = None) -> str:
    """The text with the values at some paths replaced, or put behind the last key of their maps.

    Args:
        text: YAML text without byte order mark.
        changes: Values; no path may lead into another one's value.
        source: Where the text came from, for errors.

    Raises:
        InvalidObject: A path does not exist (up to its last key), or a place cannot be edited
            without changing another one, for example because it is shared through an anchor. One
            that fails fails all.
    """
    roots = outline(text)
    before = {found.index: found.value for found in load_all(text, source=source)}
    wanted = {index: deep_copy(value) for index, value in before.items()}
    for change in changes:
        if not 0 < change.document <= len(roots):
            raise InvalidObject(f"there is no document {change.document}", source=source)
        _set_value(wanted, change, source)
    newline = "\r\n" if "\r\n" in text else "\n"
    # Written anew as wholes, values lose the comments inside: never all because of one.
    for whole in (False, True) if len(changes) == 1 else (False,):
        edits: list[_Edit] = []
        try:
            for change in changes:
                edits += _edits_of(text, roots, before, change, whole=whole)
        except _CannotEditError:
            continue
        edited = _apply(text, edits, newline)
        if _reads_as(edited, wanted):
            return edited
    raise _shared(changes[0].path, source)


def _edits_of(
    text: str, roots: list[Node], before: dict[int, JsonValue], change: Change, *, whole: bool
) -> list[_Edit]:
    parent = roots[change.document - 1].find(change.path[:-1])
    if parent is None or parent.kind not in ("map", "list"):
        raise _CannotEditError
    old = before[change.document]
    for step in change.path[:-1]:
        old = old[step]
    return _edit_child(text, parent, old, change.path[-1], change.value, whole=whole)


def _shared(path: Path, source: str | None) -> InvalidObject:
    return InvalidObject(
        "cannot be changed in the text alone",
        hint="it is shared through an anchor or written in an unusual style; edit it by hand",
        path=path_text(path),
        source=source,
    )


def _set_value(documents: dict[int, JsonValue], change: Change, source: str | None) -> None:
    target = documents.get(change.document)
    try:
        for step in change.path[:-1]:
            target = target[step]  # type: ignore[index]  # what has no items ends in TypeError
        target[change.path[-1]] = change.value  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        raise InvalidObject("there is no such place in the text", source=source) from None


def _reads_as(text: str, wanted: dict[int, JsonValue]) -> bool:
    try:
        found = {document.index: document.value for document in load_all(text)}
    except InvalidObject:
        return False
    return found.keys() == wanted.keys() and all(same(found[key], wanted[key]) for key in found)


def _apply(text: str, edits: list[_Edit], newline: str) -> str:
    # Back to front, so that offsets stay true; of two insertions at one offset the inner one comes
    # first in the list and has to come first in the text.
    ordered = sorted(enumerate(edits), key=lambda pair: (pair[1][0], pair[0]), reverse=True)
    for _, (start, end, piece) in ordered:
        text = text[:start] + piece.replace("\n", newline) + text[end:]
    return text


def _edit_child(
    text: str, parent: Node, old: JsonValue, step: str | int, new: JsonValue, *, whole: bool = False
) -> list[_Edit]:
    """Edits that make ``new`` of the child of a container; ``old`` is the container's value."""
    child = parent.child(step)
    if isinstance(step, int):
        if child is None:
            raise _CannotEditError
        return _edit_item(text, parent, child, old[step], new, whole=whole)
    if child is None:
        return [_added_entry(text, parent, step, new)]
    key = next(key for key, _ in parent.entries if key.text == step)
    if not whole and (inner := _inside(text, child, old[step], new)) is not None:
        return inner
    return [_entry(text, parent, key, child, new)]


def _edit_item(
    text: str, parent: Node, item: Node, old: JsonValue, new: JsonValue, *, whole: bool = False
) -> list[_Edit]:
    if not whole and (inner := _inside(text, item, old, new)) is not None:
        return inner
    if parent.flow:
        return [(item.start, item.end, _flow(new))]
    if item.flow and isinstance(new, (dict, list)) and (inline := _short_flow(new)):
        return [(item.start, item.end, inline)]
    dash = _dash_column(text, item)
    return [(item.start, item.end, _indented(emit([new]), dash)[2:])]


def _inside(text: str, node: Node, old: JsonValue, new: JsonValue) -> list[_Edit] | None:
    """Edits below a node, None when the node has to be written anew as a whole."""
    if same(old, new):
        return []
    try:
        if node.kind == "map" and isinstance(new, dict) and new:
            return _inside_map(text, node, old, new)
        if node.kind == "list" and isinstance(new, list) and new:
            return _inside_list(text, node, old, new)
    except _CannotEditError:
        pass
    return None


def _inside_map(text: str, node: Node, old: JsonValue, new: JsonValue) -> list[_Edit]:
    edits: list[_Edit] = []
    written = [key.text for key, _ in node.entries]
    # A key that a merge gives stays unwritten while its value is the same.
    added = [
        key for key in new if key not in written and not (key in old and same(old[key], new[key]))
    ]
    gone = [key for key in written if key not in new and key != "<<"]
    if node.flow and (added or gone):
        raise _CannotEditError
    if gone and (len(gone) == len(written) or written[-1] in gone or written[0] in gone):
        # The first key may stand behind a dash, and new keys go behind the last one.
        raise _CannotEditError
    for key, value in node.entries:
        if key.text in gone:
            edits.append(_removal(text, key.start, value.end))
        elif key.text != "<<":
            edits += _edit_child(text, node, old, key.text, new[key.text])
    if added:
        block = "".join("\n" + _entry_text({key: new[key]}, node.column) for key in added)
        at = _line_end(text, node.end)
        edits.append((at, at, block))
    return edits


def _inside_list(text: str, node: Node, old: JsonValue, new: JsonValue) -> list[_Edit]:
    edits: list[_Edit] = []
    if node.flow and len(node.items) != len(new):
        raise _CannotEditError
    for index, item in enumerate(node.items):
        if index < len(new):
            edits += _edit_item(text, node, item, old[index], new[index])
        else:
            dash = text.rindex("-", 0, item.start)
            edits.append(_removal(text, dash, item.end))
    if len(new) > len(node.items):
        column = _dash_column(text, node.items[-1])
        at = _line_end(text, node.end)
        block = _entry_text(new[len(node.items) :], column)
        edits.append((at, at, "\n" + block))
    return edits


def _entry(text: str, parent: Node, key: Node, value: Node, new: JsonValue) -> _Edit:
    """The value of a map's entry written anew, from behind the colon on."""
    colon = text.index(":", key.end) + 1
    # Edits hold plain newlines until they are applied.
    between = text[colon : value.start].replace("\r\n", "\n")
    if parent.flow:
        return (colon, value.end, " " + _flow(new))
    container = isinstance(new, (dict, list)) and bool(new)
    inline = _short_flow(new) if container and value.flow else None
    if not container or inline:
        piece = emit({"k": new})[2:].rstrip("\n") if inline is None else " " + inline
        piece = _indented(piece, parent.column)
        # A comment between the key and its old block goes behind the new scalar.
        comment = between.rstrip() if "#" in between else ""
        if "\n" not in piece:
            end, last = _comment_on_last_line(text, value) if comment else (value.end, "")
            # One line cannot hold both: the last comment gets one of its own.
            own = f"\n{' ' * value.column}{last}" if last else ""
            return (colon, end, piece + comment + own)
        header, rest = piece.split("\n", 1)
        end, behind = _comment_behind(text, value)
        return (colon, end, f"{header}{comment or behind}\n{rest}")
    # A list keeps its indentation: both that of its key and a deeper one are common.
    lists = value.kind == "list" and not value.flow and isinstance(new, list)
    column = value.column if lists else parent.column + 2
    end, behind = _comment_behind(text, value)
    lead = between.rstrip() if "#" in between else behind
    return (colon, end, f"{lead}\n{_entry_text(new, column)}")


def _comment_behind(text: str, value: Node) -> tuple[int, str]:
    """A comment on the line where an inline value ends, which moves up when a block replaces it."""
    end = _line_end(text, value.end)
    rest = text[value.end : end]
    inline = text.count("\n", value.start, value.end) == 0
    return (end, rest.rstrip()) if inline and rest.lstrip().startswith("#") else (value.end, "")


def _comment_on_last_line(text: str, value: Node) -> tuple[int, str]:
    end = _line_end(text, value.end)
    rest = text[value.end : end].strip()
    return (end, rest) if rest.startswith("#") else (value.end, "")


def _added_entry(text: str, parent: Node, key: str, new: JsonValue) -> _Edit:
    if parent.kind != "map":
        raise _CannotEditError
    if parent.flow:
        at = text.rindex("}", parent.start, parent.end)
        lead = ", " if parent.entries else ""
        return (at, at, f"{lead}{_flow_text(key)}: {_flow(new)}")
    at = _line_end(text, parent.end)
    return (at, at, "\n" + _entry_text({key: new}, parent.column))


def _entry_text(value: JsonValue, column: int) -> str:
    """A container in block style, each line indented, without the last newline."""
    pad = " " * column
    return pad + _indented(emit(value).rstrip("\n"), column)


def _indented(block: str, column: int) -> str:
    """A block whose lines behind the first one are indented by ``column`` more."""
    pad = "\n" + " " * column
    lines = block.rstrip("\n").split("\n")
    return lines[0] + "".join(pad + line if line else "\n" for line in lines[1:])


def _dash_column(text: str, item: Node) -> int:
    start = text.rfind("\n", 0, item.start) + 1
    lead = text[start : item.start]
    if lead.strip() != "-":
        raise _CannotEditError
    return lead.index("-")


def _removal(text: str, start: int, end: int) -> _Edit:
    """The removal of whole lines; what stands beside must be blank or a comment."""
    first = text.rfind("\n", 0, start) + 1
    if text[first:start].strip():
        raise _CannotEditError
    last = _line_end(text, end)
    rest = text[end:last].strip()
    if rest and not rest.startswith("#"):
        raise _CannotEditError
    # The newline before goes, not the one behind, which the last line of a text may lack.
    return (_line_end(text, first - 1) if first else 0, last, "")


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1 : end] == "\r" else end


def _short_flow(value: JsonValue) -> str | None:
    text = _flow(value)
    return text if len(text) <= _FLOW_WIDTH else None


def _flow(value: JsonValue) -> str:
    if isinstance(value, dict):
        entries = (f"{_flow_text(key)}: {_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        return _flow_text(value)
    return emit(value).rstrip("\n")


def _flow_text(text: str) -> str:
    plain = emit(text).rstrip("\n")
    if any(character in plain for character in ",[]{}\n"):
        return plain if plain.startswith('"') else json.dumps(text, ensure_ascii=False)
    return plain
