"""Library functions: unknown, unavailable, called wrongly, or not portable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.authoring.lint.library import (
    AVAILABLE,
    KUBE_SIGNATURES,
    MODULES,
    NOT_PORTABLE,
    REPLACEMENTS,
    STRING_METHODS,
    UNAVAILABLE,
)
from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.rules.names import did_you_mean
from interpreter.authoring.lint.tree import Node, describe, parts, string_value, text, walk

_CONVERSION = re.compile(r"%([-+ #0]*\d*(?:\.\d*)?)(.?)", re.DOTALL)
_CONVERSIONS = frozenset("cdiouxXeEfgGpqsaA%")
#: Conversions that stock Lua has, but not the reference's engine.
_UNPORTABLE_CONVERSIONS = frozenset("upaA")
#: Position of the pattern among the arguments.
_PATTERN_ARGUMENT = {"string.find": 1, "string.match": 1, "string.gmatch": 1, "string.gsub": 1}
_UNPORTABLE_NUMBER = re.compile(r"(?i)(?:u?ll|i)$|^0x[^p]*(?:\.|p)")

#: Texts that tonumber reads here.
_UNPORTABLE_NUMBER_TEXT = re.compile(r"\s*[-+]?[0-9]+[eE][-+]?[0-9]+\s*")


def check(script: Script) -> Iterator[Problem]:
    """Yields problems of library use."""
    for node in walk(script.root):
        if node.type in ("dot_index_expression", "bracket_index_expression"):
            yield from _member(script, node)
        elif node.type == "function_call":
            yield from _call(script, node)
        elif node.type == "escape_sequence":
            yield from _escape(node)
        elif node.type == "number" and _UNPORTABLE_NUMBER.search(text(node)):
            yield Problem(
                "not-portable", f"Karmada's engine does not know the number form {text(node)}", node
            )


def _member(script: Script, node: Node) -> Iterator[Problem]:
    path = script.library_path(node)
    if path is None or path in script.assigned_paths or "." not in path:
        return
    key = node.child_by_field_name("field") or node
    if path in NOT_PORTABLE:
        yield Problem("not-portable", NOT_PORTABLE[path], key)
    if path in AVAILABLE:
        return
    if path in UNAVAILABLE:
        yield Problem("unavailable-function", f"{path} is not available: {UNAVAILABLE[path]}", key)
        return
    module = path.partition(".")[0]
    hint = REPLACEMENTS.get(path)
    near = f"; {hint}" if hint else did_you_mean(path, _members(module))
    yield Problem("unknown-function", f"{path} does not exist{near}", key)


def _members(module: str) -> set[str]:
    return {name for name in AVAILABLE if name.startswith(f"{module}.")}


def _call(script: Script, node: Node) -> Iterator[Problem]:
    function = node.child_by_field_name("name")
    if function is None:
        return
    arguments = parts(node.child_by_field_name("arguments"))
    yield from _require(script, node, function, arguments)
    if function.type == "method_index_expression":
        yield from _method(script, function, arguments)
        return
    path = script.library_path(function)
    if path is None or path in script.assigned_paths:
        return
    yield from _argument_count(path, node, arguments)
    if path == "string.format" and arguments:
        yield from _format(arguments[0])
    if path == "tonumber" and len(arguments) == 1:
        yield from _number_text(arguments[0])
    if path in _PATTERN_ARGUMENT and len(arguments) > _PATTERN_ARGUMENT[path]:
        yield from _pattern(arguments[_PATTERN_ARGUMENT[path]])


def _require(
    script: Script, node: Node, function: Node, arguments: list[Node]
) -> Iterator[Problem]:
    if script.library_path(function) != "require" or len(arguments) != 1:
        return
    module = string_value(arguments[0])
    if module is not None and module not in MODULES:
        near = did_you_mean(module, MODULES)
        yield Problem(
            "unknown-module",
            f"there is no module {module!r}{near}; require knows {', '.join(sorted(MODULES))}",
            node,
        )


def _method(script: Script, function: Node, arguments: list[Node]) -> Iterator[Problem]:
    receiver = function.child_by_field_name("table")
    method_node = function.child_by_field_name("method")
    if receiver is None or method_node is None:
        return
    module = script.library_path(receiver)
    method = text(method_node)
    if module in MODULES:
        if f"{module}.{method}" not in script.assigned_paths:
            yield Problem(
                "colon-call",
                f"the colon passes {describe(receiver)} itself as the first argument; "
                f"write {describe(receiver)}.{method}",
                method_node,
            )
        return
    if method in script.assigned_fields:
        return
    path = f"string.{method}"
    if method not in STRING_METHODS:
        # Objects hold no functions, so only strings have methods, and those of their library.
        hint = REPLACEMENTS.get(path)
        near = f"; {hint}" if hint else did_you_mean(method, STRING_METHODS)
        yield Problem("unknown-function", f"nothing has a method {method}{near}", method_node)
    elif path in NOT_PORTABLE:
        yield Problem("not-portable", NOT_PORTABLE[path], method_node)
    if path == "string.format":
        yield from _format(receiver)
    if path in _PATTERN_ARGUMENT and arguments:
        yield from _pattern(arguments[0])


def _argument_count(path: str, node: Node, arguments: list[Node]) -> Iterator[Problem]:
    signature = KUBE_SIGNATURES.get(path)
    if signature is None:
        return
    count = len(arguments)
    if arguments and arguments[-1].type in ("function_call", "vararg_expression"):
        # The last one may give any number of values, none included.
        fits = signature.most is None or count - 1 <= signature.most
    else:
        fits = count >= signature.least and (signature.most is None or count <= signature.most)
    if not fits:
        yield Problem("argument-count", f"got {count} arguments, wanted {signature.usage}", node)


def _format(node: Node) -> Iterator[Problem]:
    template = string_value(node)
    for flags, letter in _CONVERSION.findall(template or ""):
        if letter == "v" or letter == "T":
            yield Problem(
                "bad-format",
                f"%{letter} is a conversion of Go, not of Lua; write %s with tostring(…)",
                node,
            )
        elif letter not in _CONVERSIONS or not letter:
            yield Problem(
                "bad-format",
                f"string.format has no conversion %{flags}{letter} (write %% for %)",
                node,
            )
        elif letter in _UNPORTABLE_CONVERSIONS:
            yield Problem("not-portable", f"Karmada's engine does not know %{letter}", node)


def _pattern(node: Node) -> Iterator[Problem]:
    pattern = string_value(node)
    if pattern is not None and "%f[" in pattern.replace("%%", ""):
        yield Problem("not-portable", "Karmada's engine does not know frontier patterns (%f)", node)


def _number_text(node: Node) -> Iterator[Problem]:
    if _UNPORTABLE_NUMBER_TEXT.fullmatch(string_value(node) or ""):
        yield Problem(
            "not-portable",
            f"Karmada's engine gives nil for {describe(node)}: an exponent needs a dot (1.0e3)",
            node,
        )


def _escape(node: Node) -> Iterator[Problem]:
    written = text(node)
    if written[1:2] in ("x", "z", "u"):
        yield Problem(
            "not-portable", f"Karmada's engine does not know the escape {written[:2]}", node
        )
