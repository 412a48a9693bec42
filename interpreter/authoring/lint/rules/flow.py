"""Flow: what a run can reach."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.tree import Node, parts, walk

_JUMPS = frozenset({"return_statement", "break_statement", "goto_statement"})


def check(script: Script) -> Iterator[Problem]:
    """Yields code that comes after a jump."""
    for node in walk(script.root):
        if node.type not in ("block", "chunk"):
            continue
        ended: Node | None = None
        for statement in parts(node):
            if statement.type == "label_statement":
                ended = None
            elif ended is not None and statement.type != "empty_statement":
                yield Problem(
                    "unreachable-code",
                    f"no run gets here: line {ended.end_point[0] + 1} of the script always leaves",
                    statement,
                )
                break
            elif _leaves(script, statement):
                ended = statement


def can_fall_through(script: Script, block: Node | None) -> bool:
    """Whether a run can reach the end of a block."""
    if block is None:
        return True
    open_end = True
    for statement in parts(block):
        if statement.type == "label_statement":
            open_end = True
        elif open_end and _leaves(script, statement):
            open_end = False
    return open_end


def _leaves(script: Script, statement: Node) -> bool:
    """Whether nothing runs after a statement in its block."""
    if statement.type in _JUMPS:
        return True
    if statement.type == "function_call":
        return script.library_path(statement.child_by_field_name("name")) == "error"
    if statement.type == "do_statement":
        return not can_fall_through(script, statement.child_by_field_name("body"))
    if statement.type == "if_statement":
        return _if_leaves(script, statement)
    if statement.type == "while_statement":
        condition = statement.child_by_field_name("condition")
        return condition is not None and condition.type == "true" and not _can_break(statement)
    if statement.type == "repeat_statement":
        return _repeat_leaves(script, statement)
    return False


def _if_leaves(script: Script, statement: Node) -> bool:
    branches = [statement, *statement.children_by_field_name("alternative")]
    if branches[-1].type != "else_statement":
        return False
    bodies = [
        branch.child_by_field_name("body" if branch.type == "else_statement" else "consequence")
        for branch in branches
    ]
    return not any(can_fall_through(script, body) for body in bodies)


def _repeat_leaves(script: Script, statement: Node) -> bool:
    """Whether nothing runs after a repeat: its body runs at least once, or it has no end."""
    condition = statement.child_by_field_name("condition")
    endless = condition is not None and condition.type == "false"
    body = statement.child_by_field_name("body")
    return (endless or not can_fall_through(script, body)) and not _can_break(statement)


def _can_break(loop: Node) -> bool:
    """Whether a break or a goto may leave a loop; one of a loop inside counts too, to be safe."""
    return any(node.type in ("break_statement", "goto_statement") for node in walk(loop))
