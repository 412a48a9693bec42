"""The syntax tree of a script; the only user of tree-sitter.

The engine decides what parses; this tree is for looking at a script that does.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

import tree_sitter_lua
from tree_sitter import Language, Node, Parser

from interpreter.machinery.wording import truncated

__all__ = [
    "Node",
    "contains",
    "depth",
    "describe",
    "function_of",
    "number_value",
    "parse",
    "parts",
    "position",
    "string_value",
    "text",
    "walk",
]

_FUNCTIONS = frozenset({"function_declaration", "function_definition", "chunk"})
#: Decimal escapes of Lua; Python would read \65 as octal.
_DECIMAL_ESCAPE = re.compile(r"\\([0-9]{1,3})")


@functools.cache
def _language() -> Language:
    return Language(tree_sitter_lua.language())


def parse(source: str) -> Node:
    """The root of the tree (type ``chunk``); nodes count bytes of the UTF-8 form."""
    return Parser(_language()).parse(source.encode()).root_node


def text(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode(errors="replace")


def parts(node: Node | None) -> list[Node]:
    """Named children without comments, which may stand anywhere."""
    if node is None:
        return []
    return [child for child in node.named_children if child.type != "comment"]


def position(node: Node, lines: list[bytes]) -> tuple[int, int]:
    """Line and column in characters, counted from 1; ``lines`` is the source split at newlines."""
    row, column = node.start_point
    before = lines[row][:column] if row < len(lines) else b""
    return row + 1, len(before.decode(errors="replace")) + 1


def walk(node: Node) -> Iterator[Node]:
    """The node and all named ones below it in source order; depth cannot crash it."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo += reversed(parts(current))


def depth(node: Node) -> int:
    """Levels of nodes below this one."""
    deepest, level = 0, 0
    cursor = node.walk()
    while True:
        if cursor.goto_first_child():
            level += 1
            deepest = max(deepest, level)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            level -= 1


def contains(outer: Node, inner: Node) -> bool:
    """Whether a node lies within another (or is it)."""
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def function_of(node: Node) -> Node:
    """The function around a node; the chunk counts as one."""
    current = node.parent
    while current is not None and current.type not in _FUNCTIONS:
        current = current.parent
    return current if current is not None else node


def string_value(node: Node | None) -> str | None:
    """The value of a string literal; None for anything else, and for escapes unknown to Python."""
    if node is None:
        return None
    if node.type == "parenthesized_expression":
        inner = parts(node)
        return string_value(inner[0]) if len(inner) == 1 else None
    if node.type != "string":
        return None
    content = node.child_by_field_name("content")
    if content is None:
        return ""
    raw = text(content)
    if "\\" not in raw or text(node).startswith("["):
        return raw
    raw = _DECIMAL_ESCAPE.sub(lambda match: f"\\x{int(match[1]) % 256:02x}", raw)
    quoted = raw.replace('\\"', '"').replace('"', '\\"').replace("\n", "n")
    try:
        return str(ast.literal_eval(f'"{quoted}"'))
    except (SyntaxError, ValueError):
        return None


def number_value(node: Node) -> float | None:
    """The value of a number literal, with a minus or in parentheses; None for anything else."""
    if node.type == "parenthesized_expression":
        inner = parts(node)
        return number_value(inner[0]) if len(inner) == 1 else None
    if node.type == "unary_expression":
        operand = node.child_by_field_name("operand")
        if operand is None or not text(node).startswith("-"):
            return None
        value = number_value(operand)
        return None if value is None else -value
    if node.type != "number":
        return None
    written = text(node).lower()
    try:
        return float(int(written, 16)) if written.startswith("0x") else float(written)
    except (ValueError, OverflowError):
        return None


def describe(node: Node) -> str:
    """The source of a node on one line, short enough for a message."""
    return truncated(" ".join(text(node).split()), 40)
