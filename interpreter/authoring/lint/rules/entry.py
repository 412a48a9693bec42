"""The function that the control plane calls: its name, its parameters and its results."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.api.operation import Operation
from interpreter.api.results import HEALTH_STATUSES
from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.returns import returns_of
from interpreter.authoring.lint.rules.flow import can_fall_through
from interpreter.authoring.lint.rules.names import did_you_mean, is_misnamed
from interpreter.authoring.lint.scopes import Variable
from interpreter.authoring.lint.tree import (
    Node,
    describe,
    function_of,
    number_value,
    parts,
    string_value,
    text,
)
from interpreter.machinery.unstructured import INT32_MAX
from interpreter.operations import OPERATION_OF_FUNCTION, OPERATIONS, OperationSpec

#: What the first result may be, by evident Lua type; nil stands for "nothing".
_RESULTS: dict[Operation, tuple[str, ...]] = {
    Operation.GET_REPLICAS: ("number",),
    Operation.GET_COMPONENTS: ("table", "nil"),
    Operation.REVISE_REPLICA: ("table",),
    Operation.RETAIN: ("table",),
    Operation.AGGREGATE_STATUS: ("table",),
    Operation.REFLECT_STATUS: ("table", "nil"),
    Operation.INTERPRET_HEALTH: ("boolean", "table"),
    Operation.GET_DEPENDENCIES: ("table",),
}
#: Operations that give back the object they were given, whose kind has to be in it.
_WHOLE_OBJECTS = frozenset({Operation.REVISE_REPLICA, Operation.RETAIN, Operation.AGGREGATE_STATUS})
#: Operations for which no result at all is an answer.
_NIL_IS_FINE = frozenset({Operation.REFLECT_STATUS, Operation.GET_COMPONENTS})


def check(script: Script) -> Iterator[Problem]:
    """Yields problems of the operation's function."""
    spec = script.spec
    if spec is None or spec.lua_function is None:
        return
    defined = [w for w in script.bindings.global_writes if w.name == spec.lua_function]
    if not defined:
        if not _writes_computed_globals(script):
            yield _missing(script, spec, spec.lua_function)
    elif (entry := script.entry()) is not None:
        yield from _parameters(spec, entry, defined[0].node)
        yield from _results(script, spec, entry)
    elif len(defined) == 1:
        kind = script.evident_type(defined[0].value)
        if kind not in (None, "function"):
            yield Problem(
                "missing-function",
                f"{spec.lua_function} must be a function, not a {kind}",
                defined[0].node,
            )


def signature(spec: OperationSpec) -> str:
    """How the function is written: ``ReviseReplica(obj, replicas)``."""
    return f"{spec.lua_function}({', '.join(spec.arguments)})"


def _writes_computed_globals(script: Script) -> bool:
    """Whether ``_G[…]`` or the like is written with a key that cannot be read off."""
    return any(text(node) == "_G" for node in script.bindings.global_reads)


def _missing(script: Script, spec: OperationSpec, name: str) -> Problem:
    wanted = f"the script must define: function {signature(spec)}"
    for variable in script.bindings.variables:
        if variable.name == name and _is_top_level(script, variable):
            return Problem(
                "missing-function",
                f"{name} is local, so nothing can call it; remove the word local",
                variable.node,
            )
    candidates = {
        write.name: write.node
        for write in script.bindings.global_writes
        if script.function_behind(write.value) is not None
    }
    for variable in script.bindings.variables:
        if variable.kind == "function" and _is_top_level(script, variable):
            candidates.setdefault(variable.name, variable.node)
    others = [found for found in candidates if found in OPERATION_OF_FUNCTION]
    if others:
        other = others[0]
        rule = OPERATIONS[OPERATION_OF_FUNCTION[other]].rule
        return Problem(
            "missing-function",
            f"{other} answers another rule ({rule}); {wanted}",
            candidates[other],
        )
    for found, node in candidates.items():
        if is_misnamed(found, spec):
            return Problem("missing-function", f"{found} must be called {name}; {wanted}", node)
    return Problem("missing-function", wanted, script.root)


def _is_top_level(script: Script, variable: Variable) -> bool:
    """Whether a variable belongs to no function."""
    declaration = variable.value if variable.kind == "function" else variable.node
    return declaration is not None and function_of(declaration) == script.root


def _parameters(spec: OperationSpec, entry: Node, name: Node) -> Iterator[Problem]:
    parameters = parts(entry.child_by_field_name("parameters"))
    names = [text(parameter) for parameter in parameters]
    if "..." in names:
        return
    given = len(spec.arguments)
    extra = [unasked for unasked in names[given:] if not unasked.startswith("_")]
    if len(names) >= given and not extra:
        return
    what = "parameter" if len(names) == 1 else "parameters"
    consequence = f"{extra[0]} is always nil" if extra else "the rest of its arguments is lost"
    yield Problem(
        "parameter-count",
        f"{spec.lua_function} has {len(names)} {what}, but is called as {signature(spec)}: "
        f"{consequence}",
        name,
    )


def _results(script: Script, spec: OperationSpec, entry: Node) -> Iterator[Problem]:
    accepted = _RESULTS[spec.operation]
    for statement, values in returns_of(entry):
        kind = script.evident_type(values[0]) if values else "nil"
        fault = _fault(spec, values[0]) if values else None
        if fault is not None:
            yield Problem("wrong-result", f"{spec.lua_function} {fault}", values[0])
        if kind is None or kind in accepted:
            continue
        found = "nothing" if not values else "nil" if kind == "nil" else f"a {kind}"
        yield Problem(
            "wrong-result",
            f"{spec.lua_function} returns {found}, wanted is {_wanted(accepted)}",
            statement if not values else values[0],
        )
    body = entry.child_by_field_name("body")
    if spec.operation not in _NIL_IS_FINE and can_fall_through(script, body):
        yield Problem(
            "missing-return",
            f"{spec.lua_function} can end without a return: its result is nil then, an error",
            entry.children[-1],  # the word "end"
        )


def _fault(spec: OperationSpec, value: Node) -> str | None:
    """What is wrong with a result of the right type that is written out; None for nothing."""
    if spec.operation is Operation.GET_REPLICAS:
        number = number_value(value)
        if number is None or (number.is_integer() and 0 <= number <= INT32_MAX):
            return None
        return f"returns {describe(value)}, wanted is a whole number from 0 to {INT32_MAX}"
    fields = _literal_fields(value)
    if not fields:
        return None
    if spec.operation in _WHOLE_OBJECTS and "kind" not in fields:
        change = f"change {spec.arguments[0]} and return it"
        return f"returns the whole object, but this table has no kind; {change}"
    if spec.operation is Operation.INTERPRET_HEALTH:
        wanted = f"(one of {', '.join(HEALTH_STATUSES)})"
        if "status" not in fields:
            return f"returns true, false or a table with a status {wanted}; this one has none"
        status = string_value(fields["status"])
        if status is not None and status not in HEALTH_STATUSES:
            near = did_you_mean(status, HEALTH_STATUSES) or f" {wanted}"
            return f"returns the status {status!r}, which does not exist{near}"
    return None


def _literal_fields(value: Node) -> dict[str, Node] | None:
    """The values of a table written out with names only, by name; None for anything else."""
    if value.type != "table_constructor":
        return None
    found: dict[str, Node] = {}
    for field in parts(value):
        name = field.child_by_field_name("name")
        content = field.child_by_field_name("value")
        bracketed = field.children[0].type == "["
        key = string_value(name) if bracketed else text(name) if name is not None else None
        # A computed key may be anything, and so may what stands without one.
        if key is None or content is None:
            return None
        found[key] = content
    return found


def _wanted(accepted: tuple[str, ...]) -> str:
    shown = [kind if kind == "nil" else f"a {kind}" for kind in accepted]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"
