"""Names: undefined, assigned globally by accident, never read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from interpreter.authoring.lint.library import AVAILABLE, REPLACEMENTS, UNAVAILABLE
from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.scopes import GlobalWrite, Variable
from interpreter.authoring.lint.tree import function_of, text
from interpreter.operations import OPERATION_OF_FUNCTION, OperationSpec


def check(script: Script) -> Iterator[Problem]:
    """Yields problems of names."""
    yield from _undefined(script)
    yield from _global_writes(script)
    yield from _unused(script)


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """`` (did you mean …?)``, or nothing when no candidate is near."""
    options = sorted(set(candidates) - {name})
    folded = {option.lower(): option for option in options}
    near = [folded[name.lower()]] if name.lower() in folded else []
    if len(name) > 2:
        near += difflib.get_close_matches(name, options, n=1, cutoff=0.7)
    return f" (did you mean {near[0]}?)" if near else ""


def is_misnamed(name: str, spec: OperationSpec) -> bool:
    """Whether a function is the operation's function under a name that nothing calls."""
    folded = name.lower().replace("_", "")
    others = (spec.hook, spec.reference_name or "", spec.rule or "")
    if folded in {other.lower().replace("_", "") for other in others}:
        return True
    return bool(did_you_mean(name, [spec.lua_function or ""]))


def _undefined(script: Script) -> Iterator[Problem]:
    bindings = script.bindings
    written = {write.name for write in bindings.global_writes}
    known = {name for name in AVAILABLE if "." not in name}
    for node in bindings.global_reads:
        name = text(node)
        if name in written or name in known:
            continue
        if name == "kube":
            yield Problem(
                "kube-without-require",
                'kube is not loaded; start the script with: local kube = require("kube")',
                node,
            )
        elif name in UNAVAILABLE:
            message = f"{name} is not available: {UNAVAILABLE[name]}"
            yield Problem("unavailable-function", message, node)
        elif name in REPLACEMENTS:
            message = f"{name} is not defined; {REPLACEMENTS[name]}"
            yield Problem("undefined-variable", message, node)
        else:
            visible = bindings.visible.get(node.start_byte, set())
            near = did_you_mean(name, visible | written | known)
            yield Problem("undefined-variable", f"{name} is not defined{near}", node)


def _global_writes(script: Script) -> Iterator[Problem]:
    own = script.spec.lua_function if script.spec is not None else None
    told: set[str] = set()
    for write in script.bindings.global_writes:
        if write.name == own or (script.spec is None and write.name in OPERATION_OF_FUNCTION):
            continue
        if write.name in told:
            continue  # the first assignment is where the word local belongs
        told.add(write.name)
        if write.name in AVAILABLE or write.name in UNAVAILABLE:
            yield Problem(
                "library-overwrite",
                f"this overwrites the library's {write.name}; use another name, or make it local",
                write.node,
            )
        elif _is_function(script, write):
            # A second operation's function beside the own one is how some people share a file.
            misnamed = script.spec is not None and is_misnamed(write.name, script.spec)
            if write.name not in OPERATION_OF_FUNCTION and not misnamed:
                yield Problem(
                    "global-function",
                    f"{write.name} is a global function; write: local function {write.name}",
                    write.node,
                )
        else:
            yield Problem("global-assignment", _global_message(script, write), write.node)
    for path, node in script.assigned_paths.items():
        if path in AVAILABLE:
            yield Problem(
                "library-overwrite",
                f"this overwrites the library's {path}; write a local function instead",
                node,
            )


def _global_message(script: Script, write: GlobalWrite) -> str:
    near = ""
    if write.node.type == "identifier":
        function = function_of(write.node)
        names = [
            variable.name
            for variable in script.bindings.variables
            if function.start_byte <= variable.node.start_byte < write.node.start_byte
        ]
        near = did_you_mean(write.name, names)
    return f"{write.name} is a global variable; declare it with local{near}"


def _is_function(script: Script, write: GlobalWrite) -> bool:
    return script.function_behind(write.value) is not None


def _unused(script: Script) -> Iterator[Problem]:
    for variable in script.bindings.variables:
        if variable.name.startswith("_") or _is_used(variable):
            continue
        if script.spec is not None and variable.name == script.spec.lua_function:
            continue  # that it is local is what is wrong with it
        if variable.kind in ("local", "function"):
            # One of several results of a call: the place is needed for the others.
            if any(other.reads for other in variable.siblings):
                continue
            what = "function" if variable.kind == "function" else "local"
            verb = "is assigned, but never read" if variable.writes else "is never used"
            yield Problem("unused-local", f"{what} {variable.name} {verb}", variable.node)
        elif variable.kind == "parameter" and not _is_needed(script, variable):
            yield Problem(
                "unused-parameter",
                f"parameter {variable.name} is never used; "
                f"name it _{variable.name} if it has to be there",
                variable.node,
            )


def _is_used(variable: Variable) -> bool:
    """Whether anything reads it; a local function that only calls itself is not used."""
    if variable.kind != "function" or variable.value is None:
        return bool(variable.reads)
    body = variable.value
    return any(not body.start_byte <= read.start_byte < body.end_byte for read in variable.reads)


def _is_needed(script: Script, variable: Variable) -> bool:
    """Whether a parameter has to be there although nothing reads it."""
    return (
        script.role(variable) is not None
        or _read_later(script, variable)
        or _is_operation(script, variable)
    )


def _read_later(script: Script, variable: Variable) -> bool:
    """Whether a later parameter of the same function is read: then the place is needed."""
    siblings = variable.node.parent
    later = siblings.children_by_field_name("name") if siblings is not None else []
    return any(
        other.reads
        for node in later
        if node.start_byte > variable.node.start_byte
        and (other := script.bindings.variable(node)) is not None
    )


def _is_operation(script: Script, variable: Variable) -> bool:
    """Whether the function is one that the control plane calls, whose parameters are given."""
    name = function_of(variable.node).child_by_field_name("name")
    if name is None:
        return False
    misnamed = script.spec is not None and is_misnamed(text(name), script.spec)
    return misnamed or text(name) in OPERATION_OF_FUNCTION
