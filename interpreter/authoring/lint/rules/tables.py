"""Tables: maps have no length, and a new empty table has no type."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from interpreter.api.operation import Operation
from interpreter.authoring.lint.model import Problem, Script, operator
from interpreter.authoring.lint.scopes import Variable
from interpreter.authoring.lint.tree import Node, contains, describe, function_of, parts, walk

#: Ends of paths that are maps in every Kubernetes object.
_MAP_TAILS = (
    ("metadata", "labels"),
    ("metadata", "annotations"),
    ("matchLabels",),
    ("nodeSelector",),
)
_LOOPS = frozenset({"for_statement", "while_statement", "repeat_statement"})
_OBJECT_PARTS = frozenset({"metadata", "spec", "status"})

#: Empty tables of one script that are reported: each is compared with every use of its object.
_MOST_DROPPED = 100

#: Operations whose result is an object or a part of one; the others have result types of their own.
_OBJECT_RESULTS = frozenset(
    {
        Operation.REVISE_REPLICA,
        Operation.RETAIN,
        Operation.AGGREGATE_STATUS,
        Operation.REFLECT_STATUS,
    }
)
#: Fields whose type is the same wherever they occur: of every object, and of pod templates.
_TYPED_FIELDS = frozenset(
    {
        *("metadata", "spec", "status", "labels", "annotations", "finalizers", "ownerReferences"),
        *("matchLabels", "matchExpressions", "nodeSelector", "tolerations", "affinity"),
        *("resources", "requests", "limits", "emptyDir", "securityContext", "containers"),
        *(
            "initContainers",
            "volumes",
            "volumeMounts",
            "env",
            "envFrom",
            "imagePullSecrets",
            "command",
            "args",
        ),
        *("topologySpreadConstraints", "hostAliases", "ports", "selector", "template"),
    }
)


def check(script: Script) -> Iterator[Problem]:
    """Yields problems of tables."""
    for node in walk(script.root):
        if node.type == "unary_expression" and operator(node) == "#":
            operand = node.child_by_field_name("operand")
            if operand is not None and _is_map(script, operand):
                yield Problem(
                    "map-length",
                    f"{describe(operand)} is a map, whose length is always 0; "
                    "count with pairs, or ask next(t) == nil",
                    node,
                )
        elif node.type == "function_call":
            yield from _list_loop(script, node)
    operation = script.spec.operation if script.spec is not None else None
    if operation in _OBJECT_RESULTS and not script.typed_kind:
        yield from itertools.islice(_dropped(script), _MOST_DROPPED)


def _list_loop(script: Script, call: Node) -> Iterator[Problem]:
    arguments = parts(call.child_by_field_name("arguments"))
    function = call.child_by_field_name("name")
    if len(arguments) != 1 or script.library_path(function) != "ipairs":
        return
    if _is_map(script, arguments[0]):
        shown = describe(arguments[0])
        yield Problem(
            "map-length", f"{shown} is a map, over which ipairs never runs; use pairs", call
        )


def _is_map(script: Script, node: Node) -> bool:
    if node.type == "parenthesized_expression" and len(parts(node)) == 1:
        return _is_map(script, parts(node)[0])
    if node.type == "table_constructor":
        return _has_names_only(node)
    path = script.object_path(node)
    if path is None:
        return False
    variable, names = path
    if any(names[-len(tail) :] == tail for tail in _MAP_TAILS):
        return True
    if not names and _is_local_map(script, variable):
        return True
    if script.role(variable) in (None, "items", "replicas") or variable.writes:
        return False
    return not names or (len(names) == 1 and names[0] in _OBJECT_PARTS)


def _has_names_only(constructor: Node) -> bool:
    fields = parts(constructor)
    return bool(fields) and all(_is_named(field) for field in fields)


def _is_named(field: Node) -> bool:
    name = field.child_by_field_name("name")
    return name is not None and (field.children[0].type != "[" or name.type == "string")


def _is_local_map(script: Script, variable: Variable) -> bool:
    """Whether a local table only ever gets text keys, and never leaves the reader's sight."""
    value = variable.value
    if variable.kind != "local" or variable.writes or value is None:
        return False
    if value.type != "table_constructor":
        return False
    named = _has_names_only(value)
    if parts(value) and not named:
        return False
    for read in variable.reads:
        use = _use(script, read)
        if use == "unknown":
            return False
        named = named or use == "text key written"
    return named


def _use(script: Script, read: Node) -> str:
    """What happens to a table where its name is read."""
    parent = read.parent
    if parent is None:
        return "unknown"
    if parent.type == "dot_index_expression":
        return "text key written" if _is_target(parent) else "read"
    if parent.type == "bracket_index_expression":
        if not _is_target(parent):
            return "read"
        key = parent.child_by_field_name("field")
        return "text key written" if script.evident_type(key) == "string" else "unknown"
    if parent.type == "unary_expression":
        return "read"
    if parent.type == "arguments" and parent.parent is not None:
        function = script.library_path(parent.parent.child_by_field_name("name"))
        return "read" if function in ("pairs", "ipairs", "next", "type", "tostring") else "unknown"
    return "unknown"


def _is_target(node: Node) -> bool:
    """Whether an index expression is assigned to (itself, or through a longer path)."""
    parent = node.parent
    return parent is not None and parent.type == "variable_list"


def _dropped(script: Script) -> Iterator[Problem]:
    entry = script.entry()
    uses = _uses(script)
    for node in walk(script.root):
        if node.type == "assignment_statement":
            yield from _dropped_assignments(script, node, uses)
        elif node.type == "return_statement" and entry is not None and function_of(node) == entry:
            yield from _dropped_fields(node)


def _uses(script: Script) -> dict[Variable, list[tuple[tuple[str, ...], Node]]]:
    """Every mention of a table or a part of it that goes by literal names, by its variable."""
    found: dict[Variable, list[tuple[tuple[str, ...], Node]]] = {}
    for node in walk(script.root):
        if node.type in ("identifier", "dot_index_expression", "bracket_index_expression"):
            path = script.object_path(node)
            if path is not None:
                found.setdefault(path[0], []).append((path[1], node))
    return found


def _dropped_assignments(
    script: Script, statement: Node, uses: dict[Variable, list[tuple[tuple[str, ...], Node]]]
) -> Iterator[Problem]:
    targets, values = (parts(part) for part in parts(statement)[:2])
    for target, value in zip(targets, values, strict=False):
        if value.type != "table_constructor" or parts(value):
            continue
        path = script.object_path(target)
        if path is None or not path[1] or path[1][-1] in _TYPED_FIELDS:
            continue
        if _is_reported(script, path[1]) or _is_filled(script, path[1], target, uses[path[0]]):
            continue
        yield Problem("dropped-empty-table", _message(describe(target)), value)


def _is_reported(script: Script, names: tuple[str, ...]) -> bool:
    """Whether members report the same path, which then tells its type."""
    if script.spec is None or script.spec.operation is not Operation.AGGREGATE_STATUS:
        return False
    return names[0] == "status" or len(names) == 1


def _dropped_fields(statement: Node) -> Iterator[Problem]:
    """Named fields with ``{}`` in a constructor that is returned at once."""
    values = parts(parts(statement)[0]) if parts(statement) else []
    todo = [value for value in values[:1] if value.type == "table_constructor"]
    while todo:
        for field in parts(todo.pop()):
            value = field.child_by_field_name("value")
            name = field.child_by_field_name("name")
            if value is None or value.type != "table_constructor":
                continue
            if parts(value):
                todo.append(value)
            elif name is not None and describe(name).strip("\"'") not in _TYPED_FIELDS:
                yield Problem("dropped-empty-table", _message(describe(name)), value)


def _message(name: str) -> str:
    return (
        f"if {name} stays empty, it is left out of the result: nothing tells whether it is a "
        "list or a map, unless an input has it at the same path"
    )


def _is_filled(
    script: Script,
    names: tuple[str, ...],
    target: Node,
    uses: list[tuple[tuple[str, ...], Node]],
) -> bool:
    """Whether anything else may put something into the table, or look at it."""
    for used, node in uses:
        if contains(target, node):
            continue
        if used[: len(names)] == names:
            if node.start_byte > target.start_byte or _in_same_loop(node, target):
                return True
        elif names[: len(used)] == used and _is_handed_on(script, node):
            return True
    return False


def _is_handed_on(script: Script, node: Node) -> bool:
    """Whether a table above goes to a function of the script, or gets another name for a part."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "arguments" and parent.parent is not None:
        path = script.library_path(parent.parent.child_by_field_name("name"))
        return path not in ("pairs", "next", "type", "tostring", "ipairs")
    if parent.type == "bracket_index_expression" and node == parent.child_by_field_name("table"):
        # A computed key may be the one in question.
        return script.object_path(parent) is None
    if parent.type != "expression_list" or parent.parent is None:
        return parent.type == "field"
    statement = parent.parent
    is_local = statement.parent is not None and statement.parent.type == "variable_declaration"
    # A local name for it is followed by object_path.
    return statement.type == "assignment_statement" and not is_local


def _in_same_loop(node: Node, other: Node) -> bool:
    current = node.parent
    while current is not None:
        if current.type in _LOOPS and contains(current, other):
            return True
        current = current.parent
    return False
