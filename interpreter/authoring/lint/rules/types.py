"""Comparisons of types that are evidently different."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.lint.library import TYPE_NAMES
from interpreter.authoring.lint.model import Problem, Script, operator
from interpreter.authoring.lint.rules.names import did_you_mean
from interpreter.authoring.lint.tree import Node, describe, parts, string_value, walk

_EQUALITY = frozenset({"==", "~="})
_ORDER = frozenset({"<", "<=", ">", ">="})
_ORDERED_TYPES = frozenset({"number", "string"})
_HABITS = {
    "array": "a list is a table",
    "list": "a list is a table",
    "map": "a map is a table",
    "dict": "a map is a table",
    "object": "an object is a table",
    "int": "Lua says number",
    "integer": "Lua says number",
    "float": "Lua says number",
    "bool": "Lua says boolean",
    "str": "Lua says string",
    "null": "Lua says nil",
    "none": "Lua says nil",
}


def check(script: Script) -> Iterator[Problem]:
    """Yields problems of comparisons."""
    for node in walk(script.root):
        if node.type != "binary_expression":
            continue
        sign = operator(node)
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        if left is None or right is None:
            continue
        kinds = (script.evident_type(left), script.evident_type(right))
        if sign in _EQUALITY:
            yield from _equality(script, node, sign, (left, right), kinds)
        elif sign in _ORDER:
            yield from _order(node, (left, right), kinds)


def _equality(
    script: Script,
    node: Node,
    sign: str,
    sides: tuple[Node, Node],
    kinds: tuple[str | None, str | None],
) -> Iterator[Problem]:
    outcome = "false" if sign == "==" else "true"
    if any(side.type == "table_constructor" for side in sides):
        yield Problem(
            "type-comparison",
            f"a new table is equal to nothing, so this is always {outcome}; "
            "next(t) == nil asks for an empty table",
            node,
        )
        return
    # A comparison with nil is how careful people guard; it is never worth a word.
    if None not in kinds and "nil" not in kinds and kinds[0] != kinds[1]:
        yield Problem(
            "type-comparison",
            f"{describe(sides[0])} is a {kinds[0]} and {describe(sides[1])} is a {kinds[1]}, "
            f"so this is always {outcome}",
            node,
        )
    for side, other in (sides, sides[::-1]):
        if other.type == "nil" and _is_type_call(script, side):
            message = 'type() gives the text "nil", never nil itself'
            yield Problem("unknown-type-name", message, other)
        name = string_value(other)
        if name is not None and name not in TYPE_NAMES and _is_type_call(script, side):
            habit = _HABITS.get(name.lower())
            hint = f": {habit}" if habit else did_you_mean(name, TYPE_NAMES)
            yield Problem("unknown-type-name", f"type() never gives {name!r}{hint}", other)


def _is_type_call(script: Script, node: Node) -> bool:
    function = node.child_by_field_name("name") if node.type == "function_call" else None
    arguments = parts(node.child_by_field_name("arguments")) if function is not None else []
    return len(arguments) == 1 and script.library_path(function) == "type"


def _order(
    node: Node, sides: tuple[Node, Node], kinds: tuple[str | None, str | None]
) -> Iterator[Problem]:
    for side, kind in zip(sides, kinds, strict=True):
        if kind is not None and kind not in _ORDERED_TYPES:
            shown = kind if kind == "nil" else f"a {kind}"
            message = f"{describe(side)} is {shown}, which has no order"
            yield Problem("bad-comparison", message, node)
            return
    if None not in kinds and kinds[0] != kinds[1]:
        yield Problem(
            "bad-comparison",
            f"{describe(sides[0])} is a {kinds[0]} and {describe(sides[1])} is a {kinds[1]}; "
            "ordering them is an error (use tonumber)",
            node,
        )
