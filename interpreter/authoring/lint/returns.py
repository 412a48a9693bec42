"""What a script returns, as far as its text tells."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.lint import tree
from interpreter.authoring.lint.model import Script
from interpreter.authoring.lint.tree import Node, function_of, parts, walk
from interpreter.operations import OperationSpec


def returns_of(entry: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Return statements of a function itself, each with its values."""
    for statement in walk(entry):
        if statement.type == "return_statement" and function_of(statement) == entry:
            yield statement, parts(parts(statement)[0]) if parts(statement) else []


def may_return_table(source: str, spec: OperationSpec) -> bool:
    """Whether a result of the operation's function may be something else than true and false.

    That of a script which does not parse, or is too odd to be looked at, is not known: it may.
    """
    try:
        script = Script.read(tree.parse(source), spec, typed_kind=False)
        entry = script.entry()
        return entry is None or any(
            not values or script.evident_type(values[0]) != "boolean"
            for _, values in returns_of(entry)
        )
    except RecursionError:
        return True


def ends_with_return(source: str) -> bool:
    """Whether the script as a whole returns: nothing can stand behind it then."""
    statements = parts(tree.parse(source))
    return bool(statements) and statements[-1].type == "return_statement"
